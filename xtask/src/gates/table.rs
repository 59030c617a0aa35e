//! The expected figures, `xtask/gates.txt`: `check | figure | full run | quick run | tolerance`,
//! and the comparison with what was measured.
//!
//! `-` stands for no figure; the tolerance is in per cent of the expected figure and may be empty.
//! Lines that begin with `#` are comments.

use crate::report::{Better, Figure};
use std::fmt::Write as _;

/// A figure that is expected.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub check: String,
    pub figure: String,
    /// In a full and in a quick run.
    pub expected: [Option<f64>; 2],
    /// Per cent of the expected figure.
    pub tolerance: f64,
}

enum Line {
    Comment(String),
    Row(Row),
}

/// The file.
pub struct Table {
    lines: Vec<Line>,
}

/// How a measured figure stands to the expected one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    Ok,
    /// Better by more than the tolerance: `--update` writes it.
    Improved,
    Short,
    /// Nothing is expected yet: `--update` writes it.
    Unknown,
}

impl Table {
    /// Reads the file's text; an error names the line that is not one.
    pub fn parse(text: &str) -> Result<Table, String> {
        let mut lines = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if line.starts_with('#') || line.trim().is_empty() {
                lines.push(Line::Comment(line.to_string()));
                continue;
            }
            lines.push(Line::Row(row(line).ok_or_else(|| format!("line {}: not a row: {line}", number + 1))?));
        }
        Ok(Table { lines })
    }

    /// The rows of a check.
    pub fn rows(&self, check: &str) -> impl Iterator<Item = &Row> {
        self.lines.iter().filter_map(move |line| match line {
            Line::Row(row) if row.check == check => Some(row),
            _ => None,
        })
    }

    /// Writes a figure into its row, or a new row behind the last one of its check.
    pub fn set(&mut self, check: &str, figure: &str, quick: bool, value: f64) {
        let is_of_check = |line: &Line| matches!(line, Line::Row(row) if row.check == check);
        for line in &mut self.lines {
            if let Line::Row(row) = line
                && row.check == check
                && row.figure == figure
            {
                row.expected[usize::from(quick)] = Some(value);
                return;
            }
        }
        let mut expected = [None; 2];
        expected[usize::from(quick)] = Some(value);
        let row = Row { check: check.to_string(), figure: figure.to_string(), expected, tolerance: 0.0 };
        let at = self.lines.iter().rposition(is_of_check).map_or(self.lines.len(), |last| last + 1);
        self.lines.insert(at, Line::Row(row));
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for line in &self.lines {
            let _ = match line {
                Line::Comment(text) => writeln!(out, "{text}"),
                Line::Row(row) => writeln!(
                    out,
                    "{} | {} | {} | {} |{}",
                    row.check,
                    row.figure,
                    number(row.expected[0]),
                    number(row.expected[1]),
                    if row.tolerance > 0.0 { format!(" {}", row.tolerance) } else { String::new() }
                ),
            };
        }
        out
    }
}

/// A figure as it is written, `-` for none.
pub fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_string(), |v| format!("{}", (v * 1000.0).round() / 1000.0))
}

fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [check, figure, full, quick, tolerance] = cells[..] else { return None };
    let value = |cell: &str| if cell == "-" { Some(None) } else { cell.parse().ok().map(Some) };
    Some(Row {
        check: check.to_string(),
        figure: figure.to_string(),
        expected: [value(full)?, value(quick)?],
        tolerance: if tolerance.is_empty() { 0.0 } else { tolerance.parse().ok()? },
    })
}

/// Compares what was measured with what is expected.
pub fn standing(figure: &Figure, expected: Option<f64>, tolerance: f64) -> Standing {
    let Some(expected) = expected else { return Standing::Unknown };
    let slack = expected.abs() * tolerance / 100.0 + 1e-9;
    let gain = match figure.better {
        Better::Less => expected - figure.value,
        Better::More => figure.value - expected,
    };
    if gain > slack {
        Standing::Improved
    } else if gain >= -slack {
        Standing::Ok
    } else {
        Standing::Short
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# check | figure\nabi | programs that differ | 0 | 0 |\nbench | ratio | 0.93 | - | 5\n";

    #[test]
    fn text_comes_back() {
        let mut table = Table::parse(TEXT).expect("well formed");
        assert_eq!(table.text(), TEXT);
        table.set("bench", "ratio", true, 1.0);
        table.set("abi", "programs", false, 100.0);
        assert!(table.text().contains("bench | ratio | 0.93 | 1 | 5\n"));
        assert!(table.text().contains("differ | 0 | 0 |\nabi | programs | 100 | - |\nbench"));
        assert!(Table::parse("abi | x | many | 0 |").is_err());
        assert_eq!(table.rows("abi").count(), 2);
    }

    #[test]
    fn standings() {
        let figure = |better, value| Figure { name: String::new(), value, better };
        assert_eq!(standing(&figure(Better::Less, 3.0), Some(3.0), 0.0), Standing::Ok);
        assert_eq!(standing(&figure(Better::Less, 4.0), Some(3.0), 0.0), Standing::Short);
        assert_eq!(standing(&figure(Better::Less, 2.0), Some(3.0), 0.0), Standing::Improved);
        assert_eq!(standing(&figure(Better::More, 2.0), Some(3.0), 0.0), Standing::Short);
        assert_eq!(standing(&figure(Better::Less, 1.04), Some(1.0), 5.0), Standing::Ok);
        assert_eq!(standing(&figure(Better::Less, 1.06), Some(1.0), 5.0), Standing::Short);
        assert_eq!(standing(&figure(Better::More, 2.0), None, 0.0), Standing::Unknown);
    }
}
