//! What a task found: figures, which `cargo xtask gates` compares with those it expects, and what
//! is wrong.
//!
//! `--figures FILE` makes any task write its figures there, a line each: `less 3 name` where less
//! is better, `more 3 name` where more is.

use std::fmt::Write as _;
use std::path::Path;

/// Which way a figure gets better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Better {
    /// Failures, times, sizes.
    Less,
    /// What passes, what was tried at all.
    More,
}

/// Something that was counted or measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// What it is, unique within a task.
    pub name: String,
    /// How much it is.
    pub value: f64,
    /// Which way it gets better.
    pub better: Better,
}

/// The result of a task that came to its end.
#[derive(Default)]
pub struct Report {
    /// In the order in which they were found.
    pub figures: Vec<Figure>,
    /// Why the task fails although it came to its end.
    pub wrong: Option<String>,
}

impl Report {
    /// A figure that is better when it is less.
    pub fn less(&mut self, name: impl Into<String>, value: f64) {
        self.figures.push(Figure { name: name.into(), value, better: Better::Less });
    }

    /// A figure that is better when it is more.
    pub fn more(&mut self, name: impl Into<String>, value: f64) {
        self.figures.push(Figure { name: name.into(), value, better: Better::More });
    }

    /// The same report, of a task that fails with this message if there is one.
    pub fn with_error(mut self, message: Option<String>) -> Report {
        self.wrong = message;
        self
    }
}

/// Writes the figures for whoever started the task.
pub fn write_figures(figures: &[Figure], file: &Path) -> Result<(), String> {
    let mut text = String::new();
    for figure in figures {
        let word = if figure.better == Better::Less { "less" } else { "more" };
        let _ = writeln!(text, "{word} {} {}", figure.value, figure.name);
    }
    std::fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))
}

/// Reads what `write_figures` wrote.
pub fn read_figures(file: &Path) -> Vec<Figure> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().filter_map(figure_of_line).collect()
}

fn figure_of_line(line: &str) -> Option<Figure> {
    let mut words = line.splitn(3, ' ');
    let better = match words.next()? {
        "less" => Better::Less,
        "more" => Better::More,
        _ => return None,
    };
    let value = words.next()?.parse().ok()?;
    Some(Figure { name: words.next()?.to_string(), value, better })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let figure = Figure { name: "-O2 failed".to_string(), value: 0.5, better: Better::Less };
        assert_eq!(figure_of_line("less 0.5 -O2 failed"), Some(figure));
        assert_eq!(figure_of_line("perhaps 1 name"), None);
    }
}
