//! Flags that a source brings along. In the comments at its start, after a `#!` line, lines
//!
//! ```c
//! // tcc-rs: -O2 -Iinclude other.c -lm
//! ```
//!
//! give arguments, as on the command line. Folders of `-I` and `-L`, and files, are beside the
//! source, wherever the command is given.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

const MARK: &[u8] = b"// tcc-rs:";
/// Flags stand at the start: no more of the file is looked at.
const LOOKED_AT: u64 = 16 << 10;

/// The arguments in a source; none in what cannot be read.
pub fn flags(source: &Path) -> Vec<OsString> {
    let mut text = Vec::new();
    // A pipe can be read once only, by the compiler.
    if source.is_file()
        && let Ok(file) = std::fs::File::open(source)
    {
        drop(file.take(LOOKED_AT).read_to_end(&mut text));
    }
    let folder = source.parent().unwrap_or(Path::new(""));
    lines(&text).flat_map(crate::cli::split_words).map(|word| beside(folder, word)).collect()
}

/// What follows the mark, line by line.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_first_line = |line: &[u8]| line.starts_with(b"#!");
    let comments = text.split(|byte| *byte == b'\n').enumerate().map(|(number, line)| (number, line.trim_ascii()));
    let comments = comments
        .take_while(move |(number, line)| {
            line.is_empty() || line.starts_with(b"//") || *number == 0 && is_first_line(line)
        })
        .map(|(_, line)| line);
    comments.filter_map(|line| line.strip_prefix(MARK))
}

/// A word whose file or folder is beside the source.
fn beside(folder: &Path, word: OsString) -> OsString {
    let bytes = word.as_bytes();
    let (option, path) = match bytes {
        [b'-', b'I' | b'L', rest @ ..] if !rest.is_empty() => bytes.split_at(2),
        [b'-' | b'@', ..] => return word,
        _ => bytes.split_at(0),
    };
    let path = Path::new(OsStr::from_bytes(path));
    if !option.is_empty() && path.starts_with("=") {
        return word;
    }
    let place = if option.is_empty() && !folder.join(path).exists() { path.to_path_buf() } else { folder.join(path) };
    OsString::from_vec([option, place.as_os_str().as_bytes()].concat())
}

/// Sources among arguments that were in a file.
pub fn sources(arguments: &[OsString]) -> impl Iterator<Item = &OsString> {
    arguments.iter().filter(|word| {
        let suffix = Path::new(word).extension().and_then(OsStr::to_str);
        !word.as_bytes().starts_with(b"-") && matches!(suffix, Some("c" | "i" | "s" | "S"))
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn flags_stand_in_the_first_comments() {
        let text = b"#!/usr/bin/env -S tcc-rs run\n\n// A tool.\n// tcc-rs: -O2 '-DA=1 2'\n// tcc-rs: -lm\nint x;\n// tcc-rs: -O0\n";
        let words: Vec<_> = super::lines(text).flat_map(crate::cli::split_words).collect();
        assert_eq!(words, ["-O2", "-DA=1 2", "-lm"]);
    }
}
