//! `cargo xtask ci` and `cargo xtask bless`.

use crate::tools::cargo;

/// Everything a change must pass, cheapest first.
pub fn run() -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"], &[])?;
    crate::tidy::run()?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])?;
    cargo(&["test", "--workspace"], &[])
}

/// Rewrite golden files; arguments filter the cases by name.
pub fn bless(filters: &[String]) -> Result<(), String> {
    let mut arguments = vec!["test", "-p", "tcc-rs", "--test", "suite", "--"];
    arguments.extend(filters.iter().map(String::as_str));
    cargo(&arguments, &[("TCC_RS_BLESS", "1")])
}
