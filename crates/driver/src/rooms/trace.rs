//! `--emit=trace`: what became of each function, as JSON: the source, the function's IR after every
//! pass that changed it, and its machine code, with the source line of every line. The format is
//! described in `docs/explore.md`; `tcc-rs explore` shows it.
//!
//! A step holds only the lines in which it differs from the step before; lines are numbers of rows
//! in one table for the whole file. Times are measured only with `-ftime-report`, so that the text
//! is the same in every run without it.

use std::fmt::Write;

use base::{Loc, json};
use middle::Report;
use middle::trace::{START, Step};
use rustc_hash::FxHashMap;

use super::{Failed, Job, Produced, built, report_errors, with_source};

/// The module through the middle end and the back end, and what happened on the way.
pub fn produce(job: &Job<'_>, mut module: ir::Module) -> Result<Produced, Failed> {
    let (mut report, late) = middle::inline(&mut module, job.options);
    report_errors(job, std::mem::take(&mut report.errors))?;
    let mut emitter = backend::ModuleEmitter::new(job.options);
    let optimize = |module: &ir::Module, function: &mut ir::Function| late.run(module, function);
    emitter.consume_functions(&mut module, optimize, |late| report.merge(late));
    let object = built(job, with_source(job, |source| emitter.finish(&module, Some(source))))?;
    let listing = assembler::listing::print_with_places(&object, &|_| None);
    let source = source_lines(job)?;
    Ok(Produced::Text(Trace::new(job).json(&report, &listing, &source).into_bytes()))
}

/// One function's part.
#[derive(Default)]
struct FunctionPart<'a> {
    name: &'a str,
    steps: Vec<&'a Step>,
}

struct Trace<'a> {
    job: &'a Job<'a>,
    /// Rows: text and source line.
    rows: Vec<(String, u32)>,
    numbers: FxHashMap<(String, u32), usize>,
}

impl<'a> Trace<'a> {
    fn new(job: &'a Job<'a>) -> Trace<'a> {
        Trace { job, rows: Vec::new(), numbers: FxHashMap::default() }
    }

    fn json(&mut self, report: &Report, listing: &str, source: &[String]) -> String {
        let mut functions: Vec<FunctionPart<'_>> = Vec::new();
        let mut index: FxHashMap<&str, usize> = FxHashMap::default();
        for trace in &report.trace {
            let at = *index.entry(&trace.function).or_insert(functions.len());
            if at == functions.len() {
                functions.push(FunctionPart { name: &trace.function, steps: Vec::new() });
            }
            functions[at].steps.extend(&trace.steps);
        }
        let code = self.machine_code(listing);
        let parts: Vec<String> = functions.iter().map(|f| self.function(f, code.get(f.name))).collect();
        let source: Vec<String> = source.iter().map(|line| json::quote(line)).collect();
        let rows: Vec<String> =
            self.rows.iter().map(|(text, line)| format!("[{},{line}]", json::quote(text))).collect();
        format!(
            "{{\"version\":1,\"file\":{},\"level\":{},\n\"source\":[{}],\n\"functions\":[\n{}\n],\n\"rows\":[{}]}}\n",
            json::quote(&self.job.options.input_name),
            json::quote(self.level()),
            source.join(","),
            parts.join(",\n"),
            rows.join(",\n")
        )
    }

    fn level(&self) -> &'static str {
        use platform::options::OptLevel;
        match self.job.options.level {
            _ if self.job.options.optimize_size => "-Os",
            OptLevel::O0 => "-O0",
            OptLevel::O1 => "-O1",
            OptLevel::O2 => "-O2",
            OptLevel::O3 => "-O3",
        }
    }

    fn function(&mut self, function: &FunctionPart<'_>, code: Option<&Vec<(String, u32)>>) -> String {
        let mut before: Vec<usize> = Vec::new();
        let mut steps: Vec<String> = Vec::new();
        for step in &function.steps {
            let now: Vec<usize> =
                step.lines.iter().map(|(text, loc)| self.row((text.clone(), self.line(*loc)))).collect();
            // A list of passes begins with what the last one left; a pass may leave all to those
            // that it runs itself.
            let says_nothing = step.remarks.is_empty() && step.counters.is_empty();
            if says_nothing && (now == before || step.pass == START && !before.is_empty()) {
                continue;
            }
            steps.push(self.step(step, &before, &now));
            before = now;
        }
        let code: Vec<String> =
            code.into_iter().flatten().map(|(text, line)| format!("[{},{line}]", json::quote(text))).collect();
        format!(
            "{{\"name\":{},\"steps\":[\n{}],\n\"assembly\":[{}]}}",
            json::quote(function.name),
            steps.join(",\n"),
            code.join(",")
        )
    }

    fn step(&self, step: &Step, before: &[usize], now: &[usize]) -> String {
        let keep = before.iter().zip(now).take_while(|(a, b)| a == b).count();
        let rest = before[keep..].iter().rev().zip(now[keep..].iter().rev());
        let end = rest.take_while(|(a, b)| a == b).count();
        let rows: Vec<String> = now[keep..now.len() - end].iter().map(usize::to_string).collect();
        let remarks: Vec<String> = step.remarks.iter().map(|text| json::quote(text)).collect();
        let counters: Vec<String> =
            step.counters.iter().map(|(name, value)| format!("[{},{value}]", json::quote(name))).collect();
        let mut out = format!(
            "{{\"pass\":{},\"keep\":{keep},\"drop\":{},\"rows\":[{}],\"remarks\":[{}],\"counters\":[{}]",
            json::quote(step.pass),
            before.len() - keep - end,
            rows.join(","),
            remarks.join(","),
            counters.join(",")
        );
        if self.job.options.time_report {
            write!(out, ",\"micros\":{}", step.time.as_micros()).expect("writing to a string");
        }
        out.push('}');
        out
    }

    fn row(&mut self, row: (String, u32)) -> usize {
        if let Some(&number) = self.numbers.get(&row) {
            return number;
        }
        self.numbers.insert(row.clone(), self.rows.len());
        self.rows.push(row);
        self.rows.len() - 1
    }

    /// The line of a location in the source itself; 0 in other files and where there is none.
    fn line(&self, loc: Loc) -> u32 {
        let map = self.job.session.sources.data();
        map.presumed(map.expansion_point(loc))
            .filter(|place| *self.job.session.interner.resolve(place.file) == *self.job.options.input_name)
            .map_or(0, |place| place.line)
    }

    /// The listing's functions by name, without directives.
    fn machine_code<'l>(&self, listing: &'l str) -> FxHashMap<&'l str, Vec<(String, u32)>> {
        let mut out: FxHashMap<&str, Vec<(String, u32)>> = FxHashMap::default();
        let mut functions: Vec<&str> = Vec::new();
        let mut open: Option<&str> = None;
        for line in listing.lines() {
            if let Some(name) = line.strip_prefix("\t.type\t").and_then(|rest| rest.strip_suffix(", @function")) {
                functions.push(name);
            } else if let Some(name) = line.strip_suffix(':').filter(|name| functions.contains(name)) {
                open = Some(name);
            } else if line.starts_with("\t.cfi_endproc") {
                open = None;
            }
            let Some(name) = open.filter(|_| !line.starts_with("\t.cfi_")) else { continue };
            let (text, place) = line.split_once(assembler::listing::PLACE).unwrap_or((line, ""));
            let line = place.parse().map_or(0, |raw| self.line(Loc(raw)));
            out.entry(name).or_default().push((text.to_string(), line));
        }
        out
    }
}

/// The source as it is shown: nothing of what came from standard input, which was read already.
fn source_lines(job: &Job<'_>) -> Result<Vec<String>, Failed> {
    if job.text.is_none() && job.path.as_os_str() == "-" {
        return Ok(Vec::new());
    }
    Ok(super::read(job)?.lines().map(str::to_string).collect())
}
