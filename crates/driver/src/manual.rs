//! `--help=manual`: the manual page `tcc-rs.1` in roff, made from the text of `--help` and the
//! option
//! tables, so that it says what there is.

use crate::cli;
use std::fmt::Write;

/// The page; `general` is the text of `--help`.
pub fn page(general: &str) -> String {
    let mut out = String::from(".\\\" Made by tcc-rs --help=manual.\n");
    writeln!(out, ".TH TCC-RS 1 \"\" \"tcc-rs {}\"", env!("CARGO_PKG_VERSION")).ok();
    out.push_str(".SH NAME\ntcc\\-rs \\- C compiler\n.SH SYNOPSIS\n.nf\n");
    let (usage, rest) = general.split_once("\n\n").unwrap_or((general, ""));
    for line in usage.lines() {
        writeln!(out, "{}", roff(line.trim_start_matches("Usage:").trim())).ok();
    }
    out.push_str(".fi\n.SH DESCRIPTION\n");
    for line in rest.lines() {
        match line {
            "" => {}
            title if !title.starts_with(' ') && title.ends_with(':') => {
                writeln!(out, ".SS \"{}\"", roff(title.trim_end_matches(':'))).ok();
            }
            text if !text.starts_with(' ') => writeln!(out, "{}", roff(text)).unwrap_or_default(),
            row => option(&mut out, row),
        }
    }
    out.push_str(
        ".SH FILES\n.TP\n.I $XDG_CACHE_HOME/tcc\\-rs/run\nPrograms that \\fBtcc\\-rs run\\fR keeps.\n\
         .SH EXIT STATUS\n0 success, 1 an error in the input or on the command line, 4 a fault of the compiler itself.\n\
         .SH ALL OPTIONS\nWith gcc's meaning.\n.PP\n",
    );
    let all = cli::completions("");
    for name in all.lines() {
        writeln!(out, "\\fB{}\\fR", roff(name)).ok();
    }
    out
}

/// A row of `--help`: options, two spaces, what they do; or a further line about the last ones.
fn option(out: &mut String, row: &str) {
    let text = row.trim_start();
    if row.len() - text.len() > 2 {
        writeln!(out, "{}", roff(text)).ok();
        return;
    }
    match text.split_once("  ") {
        Some((names, meaning)) => writeln!(out, ".TP\n.B {}\n{}", roff(names), roff(meaning.trim_start())),
        None => writeln!(out, ".TP\n.B {}", roff(text)),
    }
    .ok();
}

/// Text in which nothing means anything to roff.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}
