//! The figures as a page with plots: one file that needs no network and no script.

use super::{Behaviour, Comparison, Row};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

/// What is plotted: a title, a row's value and half its interval, and how a value reads.
struct Plot {
    title: &'static str,
    value: fn(&Row) -> Option<(f64, f64)>,
    unit: &'static str,
}

const PLOTS: [Plot; 5] = [
    Plot { title: "Run time", value: |row| with_interval(&row.run), unit: "ms" },
    Plot { title: "Compile time", value: |row| with_interval(&row.compile), unit: "ms" },
    Plot { title: "Code", value: |row| some(row.text as f64 / 1024.0), unit: "KiB" },
    Plot { title: "Memory of the program", value: |row| some(row.run_memory as f64 / 1024.0), unit: "MiB" },
    Plot { title: "Memory of the compiler", value: |row| some(row.compile_memory as f64 / 1024.0), unit: "MiB" },
];

fn with_interval(samples: &super::Samples) -> Option<(f64, f64)> {
    Some((samples.mean()?, samples.interval().unwrap_or(0.0)))
}

fn some(value: f64) -> Option<(f64, f64)> {
    (value > 0.0).then_some((value, 0.0))
}

/// The page.
pub fn text(comparisons: &[Comparison]) -> String {
    let mut out = String::from("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    write!(out, "<title>tcc-rs compare</title>\n<style>\n{STYLE}</style></head><body>\n<h1>Compilers compared</h1>\n")
        .ok();
    for one in comparisons {
        writeln!(out, "<section><h2>{}</h2>", escaped(&one.name)).ok();
        table(&mut out, one);
        out.push_str("<div class=\"plots\">\n");
        PLOTS.iter().for_each(|plot| draw(&mut out, plot, one));
        out.push_str("</div></section>\n");
    }
    out.push_str("</body></html>\n");
    out
}

fn table(out: &mut String, one: &Comparison) {
    out.push_str(
        "<table><tr><th>Compiler<th>Level<th>Compile, ms<th>MiB<th>Run, ms<th>MiB<th>Code, bytes<th>Behaviour</tr>\n",
    );
    for row in &one.rows {
        let class = if row.behaviour == Behaviour::Same { "same" } else { "differs" };
        writeln!(
            out,
            "<tr><td>{}<td>{}<td>{}<td>{:.1}<td>{}<td>{:.1}<td>{}<td class=\"{class}\">{}</tr>",
            row.compiler,
            escaped(&row.level),
            row.compile.text(),
            row.compile_memory as f64 / 1024.0,
            row.run.text(),
            row.run_memory as f64 / 1024.0,
            row.text,
            escaped(&row.behaviour.text())
        )
        .ok();
    }
    out.push_str("</table>\n");
}

/// Bars, a row each, with the intervals of confidence.
fn draw(out: &mut String, plot: &Plot, one: &Comparison) {
    const LEFT: f64 = 100.0;
    const WIDTH: f64 = 300.0;
    const STEP: f64 = 20.0;
    let values: Vec<(&Row, f64, f64)> =
        one.rows.iter().filter_map(|row| (plot.value)(row).map(|(value, half)| (row, value, half))).collect();
    let most = values.iter().map(|(_, value, half)| value + half).fold(0.0, f64::max);
    if most <= 0.0 {
        return;
    }
    let height = STEP * values.len() as f64 + 4.0;
    writeln!(
        out,
        "<figure><figcaption>{}, {}</figcaption>\n<svg viewBox=\"0 0 480 {height}\" role=\"img\" aria-label=\"{}\">",
        plot.title, plot.unit, plot.title
    )
    .ok();
    for (number, (row, value, half)) in values.iter().enumerate() {
        let top = STEP * number as f64 + 4.0;
        let x = |value: f64| LEFT + WIDTH * value / most;
        let middle = top + STEP / 2.0 - 2.0;
        writeln!(
            out,
            "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{}</text><rect class=\"{}\" x=\"{LEFT}\" y=\"{top:.1}\" \
             width=\"{:.1}\" height=\"{:.1}\"><title>{}: {value:.2} {}</title></rect>",
            LEFT - 6.0,
            middle + 4.0,
            escaped(&row.title()),
            row.compiler,
            x(*value) - LEFT,
            STEP - 5.0,
            escaped(&row.title()),
            plot.unit
        )
        .ok();
        if *half > 0.0 {
            writeln!(
                out,
                "<path class=\"interval\" d=\"M{:.1} {middle:.1}H{:.1}\"/>",
                x((value - half).max(0.0)),
                x(value + half)
            )
            .ok();
        }
        writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{value:.1}</text>", x(value + half) + 4.0, middle + 4.0).ok();
    }
    out.push_str("</svg></figure>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Row, text};
    use std::time::Duration;

    #[test]
    fn bars_are_as_long_as_what_they_show() {
        let mut rows: Vec<Row> = ["-O0", "-O2"].iter().map(|level| Row::new("gcc", level)).collect();
        rows[0].run.add(Duration::from_millis(20));
        rows[1].run.add(Duration::from_millis(10));
        let page = text(&[Comparison { name: "a<b.c".into(), rows }]);
        assert!(page.contains("<h2>a&lt;b.c</h2>"));
        assert!(page.contains("width=\"300.0\"") && page.contains("width=\"150.0\""), "{page}");
        // What was not measured is not plotted.
        assert_eq!(page.matches("<svg").count(), 1);
    }
}
