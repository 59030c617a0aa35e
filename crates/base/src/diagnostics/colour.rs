//! Whether and how to colour, decided as gcc does: `-fdiagnostics-color=`, the terminal, `TERM` and
//! `GCC_COLORS`.

use std::io::IsTerminal;

/// `-fdiagnostics-color=`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ColourChoice {
    /// When standard error is a terminal that can show colours.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// SGR sequences by capability; empty strings when colours are off.
#[derive(Clone, Debug, Default)]
pub(super) struct Palette {
    pub(super) error: String,
    pub(super) warning: String,
    pub(super) note: String,
    pub(super) locus: String,
    pub(super) enabled: bool,
}

impl Palette {
    /// Decides from the choice, the environment and standard error.
    pub(super) fn new(choice: ColourChoice) -> Palette {
        let colours = std::env::var("GCC_COLORS").ok();
        let enabled = match choice {
            ColourChoice::Never => false,
            _ if colours.as_deref() == Some("") => false,
            ColourChoice::Always => true,
            ColourChoice::Auto => {
                std::io::stderr().is_terminal() && std::env::var_os("TERM").is_some_and(|term| term != "dumb")
            }
        };
        if !enabled {
            return Palette::default();
        }
        let find = |name: &str, default: &str| {
            let value = colours
                .as_deref()
                .and_then(|list| list.split(':').filter_map(|item| item.split_once('=')).rfind(|item| item.0 == name));
            format!("\x1b[{}m\x1b[K", value.map_or(default, |item| item.1))
        };
        Palette {
            error: find("error", "01;31"),
            warning: find("warning", "01;35"),
            note: find("note", "01;36"),
            locus: find("locus", "01"),
            enabled,
        }
    }

    /// The sequence that ends a colour.
    pub(super) fn reset(&self) -> &'static str {
        if self.enabled { "\x1b[m\x1b[K" } else { "" }
    }
}
