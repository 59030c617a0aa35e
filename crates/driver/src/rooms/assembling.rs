//! `.s` and `.S` through the assembler.

use super::{Job, PRODUCER, Produced};
use super::{read, write_object};
use crate::report::{self, Failed};
use assembler::{AsmError, AsmNote, Syntax};

/// A `.s` file.
pub fn file(job: &Job<'_>) -> Result<Produced, Failed> {
    let source = read(job)?;
    assemble(job, &source)
}

/// Text that came out of the preprocessor.
pub fn text(job: &Job<'_>, text: &[u8]) -> Result<Produced, Failed> {
    assemble(job, &String::from_utf8_lossy(text))
}

/// Source text into an object, with the messages of `as`: the positions are lines of assembly,
/// which the source map does not hold.
pub fn assemble(job: &Job<'_>, source: &str) -> Result<Produced, Failed> {
    let given = job.assembler;
    let syntax = if given.intel_syntax { Syntax::Intel { naked_registers: true } } else { Syntax::Att };
    let options = assembler::Options {
        file: job.options.input_name.clone(),
        syntax,
        include_dirs: given.include_dirs.iter().chain(&job.preprocess.user_dirs).cloned().collect(),
        symbols: given.symbols.clone(),
        alternate: given.alternate,
        naked_registers: given.naked_registers,
        shared: given.shared,
        size_warnings: given.size_warnings,
        debug: (given.debug || job.options.codegen.debug_level > 0).then(|| assembler::Debug {
            directory: std::env::current_dir().map(|d| d.display().to_string()).unwrap_or_default(),
            producer: PRODUCER.into(),
        }),
    };
    let mut notes = Vec::new();
    let result = assembler::assemble_noting(source, &options, &mut notes);
    for note in &notes {
        if let AsmNote::Print(text) = note {
            match report::is_collecting() {
                true => report::raw(text),
                false => println!("{text}"),
            }
        }
    }
    let mut messages: Vec<(&AsmError, &str)> = Vec::new();
    if !given.no_warnings {
        let warnings = notes.iter().filter_map(|note| match note {
            AsmNote::Warning(at) => Some((at, "Warning")),
            AsmNote::Print(_) => None,
        });
        messages.extend(warnings);
    }
    let warnings = messages.len();
    if let Err(errors) = &result {
        messages.extend(errors.iter().map(|at| (at, "Error")));
    }
    if !messages.is_empty() && !report::is_collecting() {
        report::raw(&format!("{}: Assembler messages:\n", job.options.input_name));
    }
    for (at, kind) in messages {
        report::assembly(&at.file, at.line, kind, &at.message);
    }
    if warnings > 0 && given.fatal_warnings {
        let noun = if warnings == 1 { "warning" } else { "warnings" };
        report::raw(&format!("{}: Error: {warnings} {noun}, treating warnings as errors\n", job.options.input_name));
        return Err(Failed);
    }
    write_object(job, result.map_err(|_| Failed)?)
}
