//! What a build's log says: counts of tests, failed tests, warnings.
//!
//! Logs are text of many test harnesses (automake, TAP, meson, ctest, scripts of the package): a
//! line counts as a test that passed or failed by the words those print. The same rules read both
//! logs, so what they miss is missed on both sides.

use std::collections::BTreeSet;

/// Tests and warnings of one log.
#[derive(Default)]
pub struct Facts {
    /// Lines that say that a test passed.
    pub passed: usize,
    /// Lines that say that a test failed.
    pub failed: usize,
    /// The failed ones, without digits, which differ from run to run.
    pub failures: BTreeSet<String>,
    /// `folder/file.c:LINE -Wx`, folders up to the one of the file.
    pub warnings: BTreeSet<String>,
    /// Internal errors and options that are refused.
    pub faults: BTreeSet<String>,
}

/// Reads a log; `place` is the folder of the build, which is taken out of the text.
pub fn read(text: &str, place: &str) -> Facts {
    let mut facts = Facts::default();
    for line in text.lines() {
        let line = &without_colours(line.trim_end());
        if let Some(warning) = warning(line) {
            facts.warnings.insert(warning);
            continue;
        }
        if line.contains("internal compiler error") || line.contains("is not supported by tcc-rs") {
            facts.faults.insert(line.replace(place, "."));
        }
        if has_failed(line) {
            facts.failed += 1;
            let plain = line.replace(place, ".");
            facts.failures.insert(plain.chars().filter(|c| !c.is_ascii_digit()).collect());
        } else if has_passed(line) {
            facts.passed += 1;
        }
    }
    facts
}

/// Harnesses that colour their words do so in logs, too.
fn without_colours(line: &str) -> String {
    let mut parts = line.split("\x1b[");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let part = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        out.push_str(part.strip_prefix('m').unwrap_or(part));
    }
    out
}

/// File, line and option of a warning, the file with its last folder.
fn warning(line: &str) -> Option<String> {
    let (place, message) = line.split_once(": warning: ")?;
    let option = message.rsplit_once('[')?.1.strip_suffix(']').filter(|o| o.starts_with("-W"))?;
    let mut parts = place.split(':');
    let (file, line) = (parts.next()?, parts.next()?);
    line.parse::<usize>().ok()?;
    let mut folders = file.rsplit('/');
    let name = folders.next()?;
    let folder = folders.next().filter(|f| *f != "." && *f != ".." && *f != "build");
    Some(match folder {
        Some(folder) => format!("{folder}/{name}:{line} {option}"),
        None => format!("{name}:{line} {option}"),
    })
}

/// A line of a harness for a failed test.
fn has_failed(line: &str) -> bool {
    let line = line.trim_start();
    // automake's and dejagnu's summaries repeat what was counted.
    if line.starts_with("# ") || line.contains("expected failures") {
        return false;
    }
    let begins = [
        "FAIL: ",
        "FAIL ",
        "ERROR: ",
        "XPASS: ",
        "not ok ",
        "FAILED",
        "Failed test",
        "*** FAIL",
        "[err]: ",
        "[exception]: ",
    ];
    (begins.iter().any(|b| line.starts_with(b)) && !line.contains("# TODO"))
        || [" FAIL", " FAILED", " FAILED!", "... failed", " not ok", "***Failed", "[FAIL]", "[ FAIL ]", "[ FAILED ]"]
            .iter()
            .any(|e| line.ends_with(e))
        || line.contains(" FAILED (")
}

/// A line of a harness for a test that passed.
fn has_passed(line: &str) -> bool {
    let line = line.trim_start();
    ["PASS: ", "PASS ", "ok ", "PASSED", "[ok]: "].iter().any(|b| line.starts_with(b))
        || [" ok", " OK", " PASS", " PASSED", "... passed", " Passed", "[ OK ]", "[PASS]"]
            .iter()
            .any(|e| line.ends_with(e))
        || line.contains(" OK      ")
        || line.contains("   Passed   ")
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn tests_of_several_harnesses() {
        let log = "PASS: a\n[\x1b[0;32;49mok\x1b[0m]: g\nFAIL: b12\nXFAIL: c\nok 1 - d\nnot ok 2 - e\n# FAIL: 1\n 1/2 suite OK      0.1s\nchecking for f... ok\nnot ok 3 # TODO\n";
        let facts = read(log, "/tmp/x");
        assert_eq!((facts.passed, facts.failed), (5, 2));
        assert_eq!(facts.failures.into_iter().collect::<Vec<_>>(), ["FAIL: b", "not ok  - e"]);
    }

    #[test]
    fn warnings_and_faults() {
        let log = "../lib/a.c:12:3: warning: unused variable 'x' [-Wunused-variable]\n./b.c:7:1: warning: no option\n\
                   configure: warning: x [-Wy]\n/tmp/x/b.c:1:1: internal compiler error: z\n";
        let facts = read(log, "/tmp/x");
        assert_eq!(facts.warnings.into_iter().collect::<Vec<_>>(), ["lib/a.c:12 -Wunused-variable"]);
        assert_eq!(facts.faults.into_iter().collect::<Vec<_>>(), ["./b.c:1:1: internal compiler error: z"]);
    }
}
