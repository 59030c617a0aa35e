//! The figures as JSON (`docs/compare.md`).

use super::samples::Samples;
use super::{Comparison, Row};
use base::json::quote;

/// Everything that was measured.
pub fn text(comparisons: &[Comparison]) -> String {
    let programs: Vec<String> = comparisons
        .iter()
        .map(|one| {
            let rows: Vec<String> = one.rows.iter().map(row).collect();
            format!("{{\"name\":{},\"rows\":[\n{}\n]}}", quote(&one.name), rows.join(",\n"))
        })
        .collect();
    format!("{{\"version\":1,\"programs\":[\n{}\n]}}\n", programs.join(",\n"))
}

fn row(row: &Row) -> String {
    format!(
        "{{\"compiler\":{},\"level\":{},\"compile_ms\":{},\"compile_kib\":{},\"text\":{},\"run_ms\":{},\"run_kib\":{},\
         \"same\":{},\"behaviour\":{}}}",
        quote(row.compiler),
        quote(&row.level),
        samples(&row.compile),
        row.compile_memory,
        row.text,
        samples(&row.run),
        row.run_memory,
        row.behaviour == super::Behaviour::Same,
        quote(&row.behaviour.text())
    )
}

fn samples(samples: &Samples) -> String {
    let number = |value: Option<f64>| value.map_or("null".to_string(), |value| format!("{value:.3}"));
    let (mean, interval) = (number(samples.mean()), number(samples.interval()));
    format!("{{\"mean\":{mean},\"interval\":{interval},\"count\":{}}}", samples.count())
}
