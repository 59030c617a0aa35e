//! `--reproduce`: after an internal error, one text file with everything needed to see it again.

use crate::compile;
use crate::invocation::{Invocation, Language, Stop};
use crate::{output, report};
use std::path::Path;

/// Write the report if it was asked for, else say how to get it.
pub fn after_bug(inv: &Invocation, path: &Path, language: Language, message: &str) {
    let Some(file) = &inv.reproduce else {
        report::raw("Please report this, with the file that --reproduce=<file> writes.\n");
        return;
    };
    // The preprocessor may be what failed: then the source itself goes into the report.
    let mut quiet = inv.clone();
    quiet.reproduce = Some(file.clone());
    quiet.diagnostics.warnings.push(crate::invocation::WarningFlag::InhibitAll);
    let preprocessed = std::panic::catch_unwind(|| compile::stage_unguarded(&quiet, path, language, Stop::Preprocess));
    let (kind, text) = match preprocessed {
        Ok(Some(text)) => ("preprocessed source", text),
        _ => ("source (the preprocessor failed on it)", std::fs::read(path).unwrap_or_default()),
    };
    let arguments: Vec<String> = inv.arguments.iter().map(|a| format!("{a:?}")).collect();
    let mut report_text = format!(
        "tcc-rs {}\n{message}\narguments: {}\ninput: {}\n---- {kind} ----\n",
        env!("CARGO_PKG_VERSION"),
        arguments.join(" "),
        path.display()
    )
    .into_bytes();
    report_text.extend(text);
    match output::write(file, &report_text, output::Kind::Data) {
        Ok(()) => report::raw(&format!("Everything needed to reproduce this is in {}.\n", file.display())),
        Err(e) => drop(report::error(&inv.program, &format!("cannot write {}: {e}", file.display()))),
    }
}
