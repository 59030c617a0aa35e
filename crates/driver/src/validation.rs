//! `--validate`: each pass that changes a function is checked by a solver (`crates/validate`); what
//! it says is printed, one line for each function and pass.

use std::sync::PoisonError;
use std::time::Duration;

use validate::observer::{Records, Sample};
use validate::{Limits, Observer, Verdict};

use crate::invocation::Invocation;
use crate::report;

/// Installs the validator if it is asked for. What it finds is in the result.
///
/// # Errors
/// There is no solver.
pub fn start(inv: &Invocation) -> Result<Option<Records>, String> {
    let Some(wanted) = &inv.validate else { return Ok(None) };
    if !validate::is_installed() {
        return Err("--validate needs z3, which is not installed (Debian: apt install z3)".to_string());
    }
    let mut limits = Limits { strict_aliasing: inv.options.codegen.strict_aliasing, ..Limits::default() };
    if let Some(seconds) = wanted.seconds {
        limits.time = Duration::from_secs(seconds);
    }
    let records = Records::default();
    let sample = wanted.sample.map(|(every, seed)| Sample::new(every, seed));
    let observer = Observer { pass: wanted.pass.clone(), limits, sample, records: records.clone() };
    ir::observer::install(Box::new(observer));
    Ok(Some(records))
}

/// Prints what was found; whether nothing was refuted, and every question was asked.
pub fn report(inv: &Invocation, records: &Records) -> bool {
    let records = records.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut proved, mut bounded, mut undecided, mut refuted) = (0, 0, 0, 0);
    let mut is_right = true;
    let mut lines = Vec::new();
    for record in records.iter() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                report::error(&inv.program, &format!("validation: {error}"));
                is_right = false;
                continue;
            }
        };
        let what = match &record.verdict {
            Verdict::Unchanged => continue,
            Verdict::Proved => {
                proved += 1;
                "proved".to_string()
            }
            Verdict::Bounded(bound) => {
                bounded += 1;
                format!("proved up to {bound} iterations")
            }
            Verdict::Undecided(reason) => {
                undecided += 1;
                format!("not decided: {reason}")
            }
            Verdict::Refuted(example) => {
                refuted += 1;
                let confirmed = if example.is_confirmed { "" } else { " (not confirmed)" };
                format!("refuted{confirmed}: {} for ({})", example.what, example.arguments.join(", "))
            }
        };
        lines.push(format!("validate: {}: {}: {what}\n", record.function, record.pass));
    }
    // Functions come from several threads.
    lines.sort();
    lines.iter().for_each(|line| report::raw(line));
    let all = proved + bounded + undecided + refuted;
    report::raw(&format!(
        "validate: {all} changes: {proved} proved, {bounded} proved up to a bound, {undecided} not decided, {refuted} refuted\n"
    ));
    is_right && refuted == 0
}
