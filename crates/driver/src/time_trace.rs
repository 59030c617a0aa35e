//! `-ftime-trace`: the time line of a compilation in the form of Chrome's tracer, as clang writes
//! it ("Trace Event Format"; clang's manual, "-ftime-trace"). `chrome://tracing`, Perfetto and
//! speedscope show it.

use crate::cli;
use crate::invocation::{Invocation, TimeTrace};
use crate::output::{self, Kind};
use crate::report::{self, Failed};
use base::json::quote;
use platform::timeline::{Event, Timeline};
use std::fmt::Write;
use std::path::Path;
use std::thread::ThreadId;
use std::time::{Duration, UNIX_EPOCH};

/// Writes the file for a source.
///
/// # Errors
/// A file that cannot be written.
pub fn write(inv: &Invocation, wanted: &TimeTrace, source: &Path, timeline: &Timeline) -> Result<(), Failed> {
    let usual = cli::file_beside_output(inv, source, "json");
    let path = match &wanted.path {
        Some(folder) if folder.is_dir() => folder.join(usual.file_name().unwrap_or_default()),
        Some(file) => file.clone(),
        None => usual,
    };
    timeline.add("ExecuteCompiler", &source.display().to_string(), timeline.begin());
    let text = json(timeline, wanted.granularity, &inv.program);
    output::write(&path, text.as_bytes(), Kind::Data)
        .map_err(|e| report::fatal(&inv.program, &format!("cannot write {}: {e}", path.display())))
}

fn json(timeline: &Timeline, granularity: Duration, program: &str) -> String {
    let events = timeline.events();
    let mut threads: Vec<ThreadId> = Vec::new();
    let mut out = String::from("{\"traceEvents\":[\n");
    for event in &events {
        let thread = threads.iter().position(|&known| known == event.thread).unwrap_or_else(|| {
            threads.push(event.thread);
            threads.len() - 1
        });
        if event.time >= granularity {
            let head = complete(thread + 1, event.start, event.time, event.name);
            let _ = writeln!(out, "{head}\"detail\":{}}}}},", quote(&event.detail));
        }
    }
    for (index, (name, count, time)) in totals(&events).into_iter().enumerate() {
        let head = complete(threads.len() + 1 + index, Duration::ZERO, time, &format!("Total {name}"));
        let average = time.as_secs_f64() * 1e3 / f64::from(count);
        let _ = writeln!(out, "{head}\"count\":{count},\"avg ms\":{average:.3}}}}},");
    }
    let _ = writeln!(
        out,
        "{{\"cat\":\"\",\"pid\":1,\"tid\":1,\"ts\":0,\"ph\":\"M\",\"name\":\"process_name\",\"args\":{{\"name\":{}}}}}",
        quote(program)
    );
    let begin = timeline.begin_time.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_micros());
    let _ = writeln!(out, "],\"beginningOfTime\":{begin}}}");
    out
}

/// The beginning of an event with a length, up to its arguments.
fn complete(thread: usize, start: Duration, time: Duration, name: &str) -> String {
    format!(
        "{{\"pid\":1,\"tid\":{thread},\"ph\":\"X\",\"ts\":{},\"dur\":{},\"name\":{},\"args\":{{",
        start.as_micros(),
        time.as_micros(),
        quote(name)
    )
}

/// Each step's number of runs and time in all, the longest first.
fn totals(events: &[Event]) -> Vec<(&'static str, u32, Duration)> {
    let mut totals: Vec<(&'static str, u32, Duration)> = Vec::new();
    for event in events {
        match totals.iter_mut().find(|total| total.0 == event.name) {
            Some(total) => {
                total.1 += 1;
                total.2 += event.time;
            }
            None => totals.push((event.name, 1, event.time)),
        }
    }
    totals.sort_by_key(|&(name, _, time)| (std::cmp::Reverse(time), name));
    totals
}
