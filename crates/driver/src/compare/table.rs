//! The figures as a table for a terminal.

use super::{Comparison, Row};
use std::fmt::Write;

/// One table for each program, and how they compare on the whole.
pub fn text(comparisons: &[Comparison]) -> String {
    let mut out = String::new();
    for one in comparisons {
        if comparisons.len() > 1 {
            writeln!(out, "{}", one.name).ok();
        }
        let has_program = one.rows.iter().any(|row| row.run.count() > 0 || row.text > 0);
        out.push_str(&head(has_program));
        one.rows.iter().for_each(|row| line(&mut out, row, has_program));
        if comparisons.len() > 1 {
            out.push('\n');
        }
    }
    if comparisons.len() > 1 {
        summary(&mut out, comparisons);
    }
    out
}

fn head(has_program: bool) -> String {
    match has_program {
        true => format!(
            "{:<8} {:<6} {:>16} {:>8} {:>16} {:>8} {:>9}  behaviour\n",
            "", "level", "compile ms", "MiB", "run ms", "MiB", "text"
        ),
        false => format!("{:<8} {:<6} {:>16} {:>8}  behaviour\n", "", "level", "ms", "MiB"),
    }
}

fn line(out: &mut String, row: &Row, has_program: bool) {
    let memory = |kib: u64| if kib == 0 { "-".to_string() } else { format!("{:.1}", kib as f64 / 1024.0) };
    write!(out, "{:<8} {:<6} {:>16} {:>8}", row.compiler, row.level, row.compile.text(), memory(row.compile_memory))
        .ok();
    if has_program {
        write!(out, " {:>16} {:>8} {:>9}", row.run.text(), memory(row.run_memory), row.text).ok();
    }
    writeln!(out, "  {}", row.behaviour.text()).ok();
}

/// Geometric means over the programs, beside the first compiler at the level that the figures of
/// others are usually compared with.
fn summary(out: &mut String, comparisons: &[Comparison]) {
    let titles: Vec<String> = comparisons[0].rows.iter().map(Row::title).collect();
    let base = titles.iter().position(|title| title.ends_with("-O2")).unwrap_or(0);
    writeln!(out, "{} programs, geometric means beside {}", comparisons.len(), titles[base]).ok();
    writeln!(out, "{:<15} {:>16} {:>25} {:>18}  behaviour", "", "compile ms", "run ms", "text").ok();
    for (at, title) in titles.iter().enumerate() {
        let mean = |value: &dyn Fn(&Row) -> Option<f64>| {
            let logs: Vec<f64> = comparisons
                .iter()
                .filter_map(|one| Some((value(&one.rows[at])? / value(&one.rows[base])?).ln()))
                .filter(|log| log.is_finite())
                .collect();
            if logs.is_empty() {
                return "-".to_string();
            };
            format!("{:.2}", (logs.iter().sum::<f64>() / logs.len() as f64).exp())
        };
        let same = comparisons.iter().filter(|one| one.rows[at].behaviour == super::Behaviour::Same).count();
        let compile = mean(&|row| row.compile.mean());
        let run = mean(&|row| row.run.mean());
        let text = mean(&|row| (row.text > 0).then_some(row.text as f64));
        writeln!(out, "{title:<15} {compile:>16} {run:>25} {text:>18}  {same} of {} same", comparisons.len()).ok();
    }
}
