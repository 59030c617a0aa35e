//! `.s` and `.S` through the assembler.

use super::{Job, Produced};
use super::{read, write_object};
use crate::report::{self, Failed};
use std::path::PathBuf;

/// A `.s` file.
pub fn file(job: &Job<'_>) -> Result<Produced, Failed> {
    let source = read(job)?;
    assemble(job, &source)
}

/// Text that came out of the preprocessor.
pub fn text(job: &Job<'_>, text: &[u8]) -> Result<Produced, Failed> {
    assemble(job, &String::from_utf8_lossy(text))
}

fn assemble(job: &Job<'_>, source: &str) -> Result<Produced, Failed> {
    let include = |a: &std::ffi::OsString| a.to_str().and_then(|t| t.strip_prefix("-I")).map(PathBuf::from);
    let options = assembler::Options {
        file: job.options.input_name.clone(),
        syntax: Default::default(),
        include_dirs: job
            .assembler_arguments
            .iter()
            .filter_map(include)
            .chain(job.preprocess.user_dirs.iter().cloned())
            .collect(),
        symbols: Vec::new(),
    };
    match assembler::assemble(source, &options) {
        Ok(builder) => write_object(job, builder),
        Err(errors) => {
            // In the words of `as`: the positions are lines of assembly, which the source map does not hold.
            report::raw(&format!("{}: Assembler messages:\n", job.options.input_name));
            for error in &errors {
                report::raw(&format!("{}:{}: Error: {}\n", error.file, error.line, error.message));
            }
            Err(Failed)
        }
    }
}
