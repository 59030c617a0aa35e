//! What has been proved: a line for each rule, with a hash of its text.
//!
//! `name hash widths`: at these widths of the widest type every case is proved. `- widths` after
//! that: what the solver did not decide in its time.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::smt::SEMANTICS;
use crate::typed::Rule;

/// What is known of a rule.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// Of the rule's text when it was proved.
    pub hash: u64,
    /// Widths at which it is proved.
    pub widths: Vec<u32>,
    /// Widths at which it is not decided.
    pub open: Vec<u32>,
}

/// The hash of a rule's text and of how it is read (FNV-1a).
pub fn hash(rule: &Rule) -> u64 {
    let text = format!("{SEMANTICS} {} {}", rule.name, rule.text);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn widths(text: &str) -> Option<Vec<u32>> {
    text.split_whitespace().map(|word| word.parse().ok()).collect()
}

/// Reads the file of proofs.
pub fn parse(text: &str) -> Result<BTreeMap<String, Proof>, String> {
    let mut proofs = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()).filter(|l| !l.1.starts_with('#') && !l.1.is_empty()) {
        let mut words = line.splitn(3, ' ');
        let (name, hash, rest) = (words.next(), words.next(), words.next().unwrap_or_default());
        let (proved, open) = rest.split_once('-').unwrap_or((rest, ""));
        let hash = hash.and_then(|h| u64::from_str_radix(h, 16).ok());
        match (name, hash, widths(proved), widths(open)) {
            (Some(name), Some(hash), Some(widths), Some(open)) => {
                proofs.insert(name.to_string(), Proof { hash, widths, open });
            }
            _ => return Err(format!("{number}: no proof: {line}")),
        }
    }
    Ok(proofs)
}

/// Writes it, in the order of the rules.
pub fn print(rules: &[Rule], proofs: &BTreeMap<String, Proof>) -> String {
    let mut out = String::from(
        "# Written by `cargo xtask prove`: rule, hash of its text, widths at which every case is proved; after '-' those that the\n\
         # solver did not decide. Rules whose work a function of the pass does are not here.\n",
    );
    for rule in rules {
        let Some(proof) = proofs.get(&rule.name) else { continue };
        let list = |widths: &[u32]| widths.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        let _ = write!(out, "{} {:016x} {}", rule.name, proof.hash, list(&proof.widths));
        if !proof.open.is_empty() {
            let _ = write!(out, " - {}", list(&proof.open));
        }
        out.push('\n');
    }
    out
}
