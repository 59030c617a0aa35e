//! The instruction matcher against real code: the disassembly of the system's libraries, assembled again.
//!
//! Every different instruction text of `objdump -d` must give its bytes back.
//! Direct branches are left out (their targets are addresses); what `objdump`
//! prints ambiguously (redundant prefixes, other encodings of the same
//! instruction than `as` chooses) is why the bar is below 100 %.

use std::{collections::HashSet, fmt::Write as _, path::Path, process::Command};

use assembler::{Options, assemble};

/// Of one hundred thousand different instructions.
const LIBRARIES: [&str; 3] = [
    "/lib/x86_64-linux-gnu/libc.so.6",
    "/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
    "/lib/x86_64-linux-gnu/libm.so.6",
];

/// Lowest share of identical instructions, in percent.
const WANTED: f64 = 99.0;

/// (bytes, text) of the different instructions of a file.
fn disassemble(path: &str, limit: usize) -> Vec<(Vec<u8>, String)> {
    let output =
        Command::new("objdump").args(["-d", "-w", "--insn-width=16", path]).output().expect("objdump is installed");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut seen = HashSet::new();
    let mut out = Vec::new();
    for line in text.lines() {
        let mut columns = line.split('\t');
        let (Some(_), Some(hex), Some(text)) = (columns.next(), columns.next(), columns.next()) else { continue };
        let text = text.split(" #").next().unwrap_or("").trim();
        if text.contains(['<', '(']) && text.contains('<') || text.contains("(bad)") || text.starts_with(".byte") {
            continue;
        }
        let bytes: Option<Vec<u8>> = hex.split_whitespace().map(|h| u8::from_str_radix(h, 16).ok()).collect();
        let Some(bytes) = bytes else { continue };
        if seen.insert(text.to_string()) {
            out.push((bytes, text.to_string()));
            if out.len() == limit {
                break;
            }
        }
    }
    out
}

fn separator(i: usize) -> [u8; 6] {
    let n = (i as u32).to_le_bytes();
    [0x9b, n[0], n[1], n[2], 0x5a, 0x9b]
}

/// Assembles the texts; returns each one's bytes (`Err` with the message for those refused).
fn assemble_all(cases: &[(Vec<u8>, String)]) -> Vec<Result<Vec<u8>, String>> {
    let mut refused: Vec<Option<String>> = vec![None; cases.len()];
    let object = loop {
        let mut source = String::new();
        for (i, (_, text)) in cases.iter().enumerate() {
            let marker = separator(i).map(|b| b.to_string()).join(",");
            let text = if refused[i].is_some() { "" } else { text };
            writeln!(source, ".byte {marker}\n{text}").unwrap();
        }
        match assemble(&source, &Options::default()) {
            Ok(object) => break object,
            Err(errors) => {
                for error in errors {
                    refused[error.line as usize / 2 - 1] = Some(error.message);
                }
            }
        }
    };
    let text = object.section_named(".text").unwrap();
    let bytes = &object.section_data(text).bytes;
    let mut at = 0;
    (0..cases.len())
        .map(|i| {
            at += separator(i).len();
            let rest = &bytes[at..];
            let next = separator(i + 1);
            let len = rest.windows(next.len()).position(|w| w == next).unwrap_or(rest.len());
            at += len;
            match refused[i].take() {
                Some(message) => Err(message),
                None => Ok(rest[..len].to_vec()),
            }
        })
        .collect()
}

#[test]
fn libraries_assemble_to_their_own_bytes() {
    let limit = std::env::var("TCC_RS_CORPUS").ok().and_then(|n| n.parse().ok()).unwrap_or(30_000);
    for path in LIBRARIES.iter().filter(|p| Path::new(p).exists()) {
        let cases = disassemble(path, limit);
        let results = assemble_all(&cases);
        let mut wrong = String::new();
        let mut identical = 0;
        for ((bytes, text), result) in cases.iter().zip(results) {
            match result {
                Ok(ours) if ours == *bytes => identical += 1,
                Ok(ours) => writeln!(wrong, "{text}: {ours:02x?} instead of {bytes:02x?}").unwrap(),
                Err(message) => writeln!(wrong, "{text}: {message}").unwrap(),
            }
        }
        let share = 100.0 * identical as f64 / cases.len() as f64;
        println!("{path}: {identical} of {} identical ({share:.2} %)", cases.len());
        if std::env::var_os("TCC_RS_CORPUS").is_some() {
            println!("{wrong}");
        }
        assert!(share >= WANTED, "{path}: {share:.2} % identical; different:\n{wrong}");
    }
}
