//! Which execution of a pass, or application of a rule, makes a finding.

use crate::child;
use crate::execute::{self, Way};
use crate::finding::{self, Finding};

/// More executions than any program has.
const MOST: u64 = 1 << 22;

/// The pass or rule that makes the difference, as the compiler calls it; `None` if it is there
/// without passes (the front end, selection, allocation), or comes and goes.
///
/// # Errors
/// There is no room for a child.
pub fn culprit(source: &str, finding: &Finding) -> Result<Option<String>, String> {
    if matches!(finding.suspect, Way::Other(_)) {
        return Ok(None);
    }
    let limited = |limit: u64| -> Result<bool, String> {
        let suspect = with_option(&finding.suspect, &format!("--opt-bisect-limit={limit}"));
        finding::shows(source, &Finding { suspect, ..finding.clone() })
    };
    if limited(0)? || !limited(MOST)? {
        return Ok(None);
    }
    let (mut right, mut wrong) = (0, MOST);
    while wrong - right > 1 {
        let middle = right + (wrong - right) / 2;
        if limited(middle)? { wrong = middle } else { right = middle }
    }
    let (Way::Native(options) | Way::Interpreted(options) | Way::SameCode(options) | Way::Other(options)) =
        with_option(&finding.suspect, &format!("--opt-bisect-limit={wrong}"));
    let (said, ..) = child::isolated(finding::LIMIT, |out| {
        execute::messages(source, &options).iter().for_each(|line| child::answer(out, line));
    })?;
    let said = String::from_utf8_lossy(&said);
    let name = said.lines().find_map(|line| {
        let (_, rest) = line.split_once(", the last: ")?;
        rest.split_once(" in '").map(|(name, _)| name.to_string())
    });
    Ok(Some(name.unwrap_or_else(|| format!("execution {wrong}"))))
}

fn with_option(way: &Way, option: &str) -> Way {
    let add = |options: &[String]| options.iter().cloned().chain([option.to_string()]).collect();
    match way {
        Way::Native(options) => Way::Native(add(options)),
        Way::Interpreted(options) => Way::Interpreted(add(options)),
        Way::SameCode(options) => Way::SameCode(add(options)),
        Way::Other(words) => Way::Other(words.clone()),
    }
}
