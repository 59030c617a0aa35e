//! `docs/rules.md`: the rules as a page.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::proofs::{Proof, hash};
use crate::typed::Rule;

/// The head of the page.
const HEAD: &str = include_str!("markdown_head.md");

/// The page.
pub fn page(rules: &[Rule], proofs: &BTreeMap<String, Proof>) -> String {
    let entries = entries(rules);
    let by_hand = rules.iter().filter(|rule| rule.is_by_hand()).count();
    let is_current =
        |rule: &&Rule| proofs.get(&rule.name).is_some_and(|proof| proof.hash == hash(rule) && !proof.widths.is_empty());
    let proved = rules.iter().filter(is_current).count();
    let open: Vec<String> = rules
        .iter()
        .filter_map(|rule| Some((rule, proofs.get(&rule.name).filter(|proof| !proof.open.is_empty())?)))
        .map(|(rule, proof)| format!("`{}` at {}", rule.name, list(&proof.open)))
        .collect();
    let mut out = HEAD.to_string();
    let _ = writeln!(
        out,
        "\n{} entries stand for {} rules, one for each operation. {proved} are proved; {by_hand} find their result in Rust.",
        entries.len(),
        rules.len(),
    );
    if !open.is_empty() {
        let _ = writeln!(out, "\nThe solver does not decide within its limit: {}.", open.join("; "));
    }
    let mut file = "";
    for rules in entries {
        let rule = rules[0];
        if rule.file != file {
            file = &rule.file;
            let _ = writeln!(out, "\n## {file}\n");
        }
        entry(&mut out, &rules, proofs);
    }
    out
}

/// The rules of each entry, in order.
fn entries(rules: &[Rule]) -> Vec<Vec<&Rule>> {
    let mut entries: Vec<Vec<&Rule>> = Vec::new();
    for rule in rules {
        match entries.last_mut().filter(|last| last[0].entry == rule.entry) {
            Some(last) => last.push(rule),
            None => entries.push(vec![rule]),
        }
    }
    entries
}

fn entry(out: &mut String, rules: &[&Rule], proofs: &BTreeMap<String, Proof>) {
    let rule = rules[0];
    let (left, result) = rule.written.split_once(" => ").unwrap_or((&rule.written, ""));
    let (pattern, condition) = left.split_once(" where ").map_or((left, None), |(p, c)| (p, Some(c)));
    let _ = write!(out, "- **{}**: `{pattern}`", rule.entry);
    if let Some(condition) = condition {
        let _ = write!(out, " if `{condition}`");
    }
    match result.strip_prefix("rust ") {
        Some(function) => _ = write!(out, " → function `{}`", function.split('(').next().unwrap_or(function)),
        None => _ = write!(out, " → `{result}`"),
    }
    let members: Vec<&str> = rules.iter().filter_map(|rule| rule.name.split_once('.')).map(|n| n.1).collect();
    if !members.is_empty() {
        let _ = write!(out, ", for {}", members.join(", "));
    }
    if !rule.doc.is_empty() {
        let _ = write!(out, ". {}", rule.doc.trim_end_matches('.'));
    }
    let widths: Vec<String> = rules.iter().filter_map(|rule| proofs.get(&rule.name)).map(|p| list(&p.widths)).collect();
    match widths.first() {
        _ if rule.is_by_hand() => {}
        Some(first) if first.is_empty() => out.push_str(". Not decided"),
        Some(first) if widths.len() == rules.len() && widths.iter().all(|w| w == first) => {
            _ = write!(out, ". Proved: {first}")
        }
        Some(_) => _ = write!(out, ". Proved: {}", widths.join(" / ")),
        None => out.push_str(". Not proved"),
    }
    out.push_str(".\n");
}

fn list(widths: &[u32]) -> String {
    widths.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}
