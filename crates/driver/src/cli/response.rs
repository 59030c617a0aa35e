//! `@file`: arguments read from a file, with the quoting rules of libiberty's `buildargv` (which
//! `ar`, `ld` and gcc share): white space separates; single quotes, double quotes and backslashes
//! protect.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Files a file may include, in total: libiberty's limit against a file that names itself.
const MAX_RESPONSE_FILES: usize = 2000;

/// Replace every `@file`; where there is no such file the argument stays as it is, like gcc does.
/// One that cannot be read is an error.
pub fn expand(arguments: Vec<OsString>, errors: &mut Vec<String>) -> Vec<OsString> {
    let mut out = Vec::with_capacity(arguments.len());
    let mut work: Vec<OsString> = arguments;
    work.reverse();
    let mut budget = MAX_RESPONSE_FILES;
    while let Some(argument) = work.pop() {
        let content =
            argument.as_bytes().strip_prefix(b"@").map(|name| std::fs::read(std::ffi::OsStr::from_bytes(name)));
        match content {
            None => out.push(argument),
            Some(Err(error)) if base::files::is_absence(&error) => out.push(argument),
            Some(Err(error)) if error.kind() == ErrorKind::IsADirectory => {
                errors.push("@-file refers to a directory".to_string());
                return out;
            }
            Some(Err(error)) => {
                errors.push(format!("{}: {error}", argument.display()));
                return out;
            }
            Some(Ok(_)) if budget == 0 => {
                errors.push("too many @-files encountered".to_string());
                return out;
            }
            Some(Ok(content)) => {
                budget -= 1;
                work.extend(split(&content).into_iter().rev());
            }
        }
    }
    out
}

/// Splits text into arguments, as in such files.
pub fn split(text: &[u8]) -> Vec<OsString> {
    let mut out = Vec::new();
    let mut current: Option<Vec<u8>> = None;
    let (mut single, mut double, mut escaped) = (false, false, false);
    for &b in text {
        if b.is_ascii_whitespace() && !single && !double && !escaped {
            out.extend(current.take().map(OsString::from_vec));
            continue;
        }
        let word = current.get_or_insert_default();
        if escaped {
            escaped = false;
            word.push(b);
        } else if b == b'\\' {
            escaped = true;
        } else if single {
            if b == b'\'' { single = false } else { word.push(b) }
        } else if double {
            if b == b'"' { double = false } else { word.push(b) }
        } else if b == b'\'' {
            single = true;
        } else if b == b'"' {
            double = true;
        } else {
            word.push(b);
        }
    }
    out.extend(current.map(OsString::from_vec));
    out
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quoting() {
        let words = split(b"-DA='x y' \"-DB=\\\"q\\\"\"\n a\\ b ''");
        assert_eq!(words, ["-DA=x y", "-DB=\"q\"", "a b", ""]);
    }
}
