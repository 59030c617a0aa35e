//! `-specs=FILE`: options that a file adds to the command line, depending on the options there.
//!
//! gcc's spec files (gcc manual, "Spec Files") change the commands that its driver runs. What
//! distributions do with them is add options (`/usr/share/dpkg/no-pie-compile.specs` and its like),
//! and that is what is here: `*self_spec`, and `+` additions to the options of the preprocessor,
//! compiler and linker, with the conditions `%{S}`, `%{S*}`, `%{S:X}`, `%{!S:X}`, `%{S|T:X}`,
//! `%{S&T:X}` and `%{S:X;T:Y;:Z}`. Anything else is an error.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use super::quote;

/// Conditions within conditions.
const DEPTH: usize = 100;
/// Options whose next argument is theirs.
const WITH_ARGUMENT: &[&str] =
    &["Xlinker", "Xassembler", "Xpreprocessor", "o", "x", "I", "D", "U", "include", "imacros"];

/// Takes the `-specs=` options out of the arguments and puts what their files say at the end.
pub fn apply(arguments: Vec<OsString>, errors: &mut Vec<String>) -> Vec<OsString> {
    if !arguments.iter().any(|a| is_option(a)) {
        return arguments;
    }
    let (mut out, mut files) = (Vec::with_capacity(arguments.len()), Vec::new());
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        if !is_option(&argument) {
            out.push(argument);
            continue;
        }
        let text = argument.to_string_lossy();
        match text.split_once('=') {
            Some((_, file)) => files.push(file.to_owned()),
            None => match rest.next() {
                Some(file) => files.push(file.to_string_lossy().into_owned()),
                None => errors.push(format!("missing argument to {}", quote(&text))),
            },
        }
    }
    let switches = Switches::new(&out);
    for file in files {
        match read(&file, &switches) {
            Ok(more) => out.extend(more.into_iter().map(OsString::from)),
            Err(why) => errors.push(why),
        }
    }
    out
}

fn is_option(argument: &OsStr) -> bool {
    let bytes = argument.as_bytes();
    let name = bytes.strip_prefix(b"--").or(bytes.strip_prefix(b"-")).unwrap_or_default();
    name == b"specs" || name.starts_with(b"specs=")
}

/// The options of the command line without their dashes; those that a later one negates are gone.
struct Switches(Vec<String>);

impl Switches {
    fn new(arguments: &[OsString]) -> Switches {
        let (mut all, mut at) = (Vec::new(), 0);
        while let Some(argument) = arguments.get(at) {
            at += 1;
            if let Some(name) = argument.to_string_lossy().strip_prefix('-').filter(|name| !name.is_empty()) {
                at += usize::from(WITH_ARGUMENT.contains(&name));
                all.push(name.to_owned());
            }
        }
        let live = |(index, name): (usize, &String)| {
            let later = &all[index + 1..];
            let negation = match name.split_at_checked(1) {
                Some(("O", _)) => return !later.iter().any(|l| l.starts_with('O')),
                Some((family @ ("W" | "f" | "m" | "g"), rest)) => match rest.strip_prefix("no-") {
                    Some(rest) => format!("{family}{rest}"),
                    None => format!("{family}no-{rest}"),
                },
                _ => return true,
            };
            !later.contains(&negation)
        };
        Switches(all.iter().enumerate().filter(|&entry| live(entry)).map(|(_, name)| name.clone()).collect())
    }

    /// The options that an atom of a condition names.
    fn matching<'a>(&'a self, atom: &'a str) -> impl Iterator<Item = &'a String> {
        let prefix = atom.strip_suffix('*');
        self.0.iter().filter(move |name| prefix.map_or(*name == atom, |prefix| name.starts_with(prefix)))
    }

    fn holds(&self, condition: &str) -> bool {
        let atom = |text: &str| {
            let (wanted, text) = text.strip_prefix('!').map_or((true, text), |text| (false, text));
            self.matching(text).next().is_some() == wanted
        };
        match condition.contains('&') {
            true => condition.split('&').map(str::trim).all(atom),
            false => condition.split('|').map(str::trim).any(atom),
        }
    }
}

/// The options that the file adds.
fn read(file: &str, switches: &Switches) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| {
        let reason = e.to_string();
        format!("cannot read spec file {}: {}", quote(file), reason.split(" (os").next().unwrap_or(&reason))
    })?;
    let mut out = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some(name) = line.strip_prefix('*').and_then(|l| l.strip_suffix(':')) else {
            return Err(format!("spec file {}: {} is not supported", quote(file), quote(line)));
        };
        let mut value = String::new();
        while let Some(line) = lines.next_if(|line| !line.trim().is_empty()) {
            value.push_str(line.trim_end_matches('\\'));
            value.push('\n');
        }
        let (adds, value) = value.trim().strip_prefix('+').map_or((false, value.trim()), |value| (true, value));
        let words = match name {
            // It is empty in gcc.
            "self_spec" => expand(value, switches, DEPTH)?,
            "cc1" | "cc1_options" | "cpp" | "cpp_options" | "cpp_unique_options" if adds => {
                expand(value, switches, DEPTH)?
            }
            "link" if adds => {
                let words = expand(value, switches, DEPTH)?;
                words.into_iter().flat_map(|word| ["-Xlinker".to_owned(), word]).collect()
            }
            _ => return Err(format!("spec file {}: changing the spec {} is not supported", quote(file), quote(name))),
        };
        out.extend(words);
    }
    Ok(out)
}

/// Evaluates a spec string to words.
fn expand(spec: &str, switches: &Switches, depth: usize) -> Result<Vec<String>, String> {
    let unknown = |text: &str| format!("spec {} is not supported", quote(text));
    if depth == 0 {
        return Err("spec conditions are nested too deeply".to_owned());
    }
    let (mut out, mut word) = (Vec::new(), String::new());
    let mut rest = spec;
    while let Some(c) = rest.chars().next() {
        if let Some(body) = rest.strip_prefix("%{") {
            let end = closing(body).ok_or_else(|| unknown(rest))?;
            out.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
            out.extend(condition(&body[..end], switches, depth - 1)?);
            rest = &body[end + 1..];
            continue;
        }
        match c {
            '%' => return Err(unknown(rest)),
            c if c.is_whitespace() => out.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty())),
            c => word.push(c),
        }
        rest = &rest[c.len_utf8()..];
    }
    out.extend(Some(word).filter(|word| !word.is_empty()));
    Ok(out)
}

/// What is between `%{` and its `}`.
fn condition(body: &str, switches: &Switches, depth: usize) -> Result<Vec<String>, String> {
    let parts = alternatives(body);
    let plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "-_+=,*!|&. ".contains(c));
    for part in &parts {
        let Some((test, value)) = part.split_once(':') else {
            let name = part.trim();
            if parts.len() != 1 || !plain(name) || name.contains(['!', '|', '&']) {
                break;
            }
            return Ok(switches.matching(name).map(|name| format!("-{name}")).collect());
        };
        if !plain(test) {
            break;
        }
        if test.trim().is_empty() || switches.holds(test.trim()) {
            return expand(value, switches, depth);
        }
        if std::ptr::eq(part, parts.last().unwrap_or(part)) {
            return Ok(Vec::new());
        }
    }
    Err(format!("spec {} is not supported", quote(&format!("%{{{body}}}"))))
}

/// The parts between the semicolons outside inner braces.
fn alternatives(body: &str) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0usize, 0, Vec::new());
    for (at, c) in body.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ';' if depth == 0 => {
                out.push(&body[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(&body[start..]);
    out
}

/// Offset of the `}` that closes what is open before `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    text.char_indices().find_map(|(at, c)| match c {
        '{' => {
            depth += 1;
            None
        }
        '}' if depth == 0 => Some(at),
        '}' => {
            depth -= 1;
            None
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{DEPTH, Switches, expand};
    use std::ffi::OsString;

    fn words(arguments: &str, spec: &str) -> Result<String, String> {
        let arguments: Vec<OsString> = arguments.split_whitespace().map(OsString::from).collect();
        expand(spec, &Switches::new(&arguments), DEPTH).map(|words| words.join(" "))
    }

    #[test]
    fn conditions() {
        let debian = "%{!r:%{!fpie:%{!fPIE:-fno-PIE}}}";
        assert_eq!(words("-O2 a.c", debian).as_deref(), Ok("-fno-PIE"));
        assert_eq!(words("-fPIE a.c", debian).as_deref(), Ok(""));
        assert_eq!(words("-fPIE -fno-PIE a.c", debian).as_deref(), Ok("-fno-PIE"));
        assert_eq!(words("-Xlinker -r", debian).as_deref(), Ok("-fno-PIE"));
        assert_eq!(words("-a -c", "x %{a|b:y} %{a&b:z} %{b:p;c:q;:r}").as_deref(), Ok("x y q"));
        assert_eq!(words("-O1 -O3 -fx -fy", "%{O*} %{f*} %{z*}").as_deref(), Ok("-O3 -fx -fy"));
        assert!(words("", "%(link)").is_err() && words("", "%{a").is_err() && words("", "%{a:%*}").is_err());
    }
}
