//! Programs made, compiled and run in one process (the crate `fuzzer`).

use crate::report::Report;
use crate::tools::{option, root};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Builds the fuzzer, optimised, and hands the arguments on: `--count N`,
/// `--minutes N`, `--seed N`, `--jobs N`, `--findings N`, `--counters`, `--folder DIR`.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let mut build = Command::new("cargo");
    build.current_dir(root()).args(["build", "--profile", "inside", "--quiet", "-p", "tcc-rs-fuzzer"]);
    if !build.status().is_ok_and(|status| status.success()) {
        return Err("the fuzzer cannot be built".to_string());
    }
    let mut command = Command::new(target.join("inside/tcc-rs-fuzzer"));
    let own = arguments.iter().position(|a| a == "--figures").map_or(0..0, |at| at..at + 2);
    let others = arguments.iter().enumerate().filter(|(at, a)| *a != "--native" && !own.contains(at));
    command.args(others.map(|(_, a)| a));
    if option(arguments, "--folder").is_none() {
        command.arg("--folder").arg(target.join("fuzz-native"));
    }
    let child = command.stdout(Stdio::piped()).spawn().map_err(|e| format!("the fuzzer: {e}"))?;
    let output = child.wait_with_output().map_err(|e| format!("the fuzzer: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    report(&text).ok_or_else(|| format!("the fuzzer ended without a result: {}", output.status))
}

/// Figures of the last line: `N programs in S s, ...; ...; N findings in N classes`.
fn report(text: &str) -> Option<Report> {
    let line = text.lines().last()?;
    let (programs, _) = line.split_once(" programs in ")?;
    let (rest, _) = line.split_once(" findings in ")?;
    let findings: f64 = rest.rsplit(' ').next()?.parse().ok()?;
    let mut report = Report::default();
    report.more("programs", programs.parse().ok()?);
    report.less("findings", findings);
    Some(report.with_error((findings > 0.0).then(|| format!("{findings} findings"))))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_last_line_has_the_figures() {
        let text = "x\n200 programs in 23 s, 9 a second; the interpreter ran 62; 31 findings in 18 classes\n";
        let report = super::report(text).unwrap();
        assert_eq!(report.figures.iter().map(|f| f.value).collect::<Vec<_>>(), [200.0, 31.0]);
        assert!(report.wrong.is_some());
        assert!(super::report("tcc-rs-fuzzer: error\n").is_none());
    }
}
