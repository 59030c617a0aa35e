//! The instruction matcher against real code: the disassembly of the system's libraries, assembled
//! again.
//!
//! Every different instruction text of `objdump -d` must give its bytes back, or
//! the bytes that GNU `as` makes of it where the text does not say everything
//! (redundant prefixes, long forms). Direct branches are left out: their targets
//! are addresses.

use std::{collections::HashSet, fmt::Write as _, path::Path, process::Command};

use assembler::{Options, assemble};

const LIBRARIES: [&str; 3] =
    ["/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/libcrypto.so.3", "/lib/x86_64-linux-gnu/libm.so.6"];

/// Lowest share of instructions that come out as `as` has them, in percent.
const WANTED: f64 = 99.9;

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

/// What GNU `as` makes of the texts, `None` for those it refuses.
fn gnu_as(cases: &[&(Vec<u8>, String)]) -> Vec<Option<Vec<u8>>> {
    let dir = std::env::temp_dir().join(format!("tcc-rs-corpus-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let mut refused = vec![false; cases.len()];
    let bytes = loop {
        let mut source = String::new();
        for (i, (_, text)) in cases.iter().enumerate() {
            let marker = separator(i).map(|b| b.to_string()).join(",");
            writeln!(source, ".byte {marker}\n{}", if refused[i] { "" } else { text }).unwrap();
        }
        std::fs::write(dir.join("t.s"), source).unwrap();
        let output = Command::new("as").args(["t.s", "-o", "t.o"]).current_dir(&dir).output().unwrap();
        if output.status.success() {
            let status =
                Command::new("objcopy").args(["-Obinary", "-j.text", "t.o", "t.bin"]).current_dir(&dir).status();
            assert!(status.unwrap().success());
            break std::fs::read(dir.join("t.bin")).unwrap();
        }
        for line in String::from_utf8_lossy(&output.stderr).lines() {
            let mut parts = line.split(':');
            let number = parts.nth(1).and_then(|n| n.parse::<usize>().ok());
            if let Some(number) = number.filter(|_| line.contains("Error")) {
                refused[number / 2 - 1] = true;
            }
        }
    };
    std::fs::remove_dir_all(&dir).unwrap();
    let mut at = 0;
    (0..cases.len())
        .map(|i| {
            at += separator(i).len();
            let rest = &bytes[at..];
            let next = separator(i + 1);
            let len = rest.windows(next.len()).position(|w| w == next).unwrap_or(rest.len());
            at += len;
            (!refused[i]).then(|| rest[..len].to_vec())
        })
        .collect()
}

#[test]
fn libraries_assemble_to_their_own_bytes() {
    let limit = std::env::var("TCC_RS_CORPUS").ok().and_then(|n| n.parse().ok()).unwrap_or(8_000);
    for path in LIBRARIES.iter().filter(|p| Path::new(p).exists()) {
        let cases = disassemble(path, limit);
        let results = assemble_all(&cases);
        let mut wrong = String::new();
        let identical = cases.iter().zip(&results).filter(|(case, ours)| ours.as_ref() == Ok(&case.0)).count();
        // Where objdump's text does not give its bytes, `as` decides.
        let (different, results): (Vec<_>, Vec<_>) =
            cases.iter().zip(&results).filter(|(case, ours)| ours.as_ref() != Ok(&case.0)).unzip();
        let mut agreed = identical;
        for ((theirs, ours), case) in gnu_as(&different).into_iter().zip(results).zip(&different) {
            match (theirs, ours) {
                (None, _) => agreed += 1,
                (Some(theirs), Ok(ours)) if theirs == *ours => agreed += 1,
                (Some(theirs), ours) => writeln!(wrong, "{}: {ours:02x?}, as: {theirs:02x?}", case.1).unwrap(),
            }
        }
        let share = |n: usize| 100.0 * n as f64 / cases.len() as f64;
        println!(
            "{path}: of {}, {:.2} % are objdump's bytes, {:.2} % those of as",
            cases.len(),
            share(identical),
            share(agreed)
        );
        if std::env::var_os("TCC_RS_CORPUS").is_some() {
            println!("{wrong}");
        }
        assert!(share(agreed) >= WANTED, "{path}: {:.2} % agree with as; different:\n{wrong}", share(agreed));
    }
}
