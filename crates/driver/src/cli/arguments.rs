//! What gcc 12's options take: the check of their arguments and `no-` forms, before any option has
//! its effect, in gcc's words.
//!
//! `gcc_options.txt` has a line `NAME CLASSES KIND` for each option but `--param`'s, sorted by
//! name, without the dash. Classes are `c` for those of all languages, `C` for those of C, `u` for
//! what gcc's manual leaves out, `i` for what gcc reads and forgets, `r` for what it has no more,
//! or `-`. A kind is `+` if there is a `no-` form, then what follows the name: nothing, `=` for a
//! joined argument, `?` for one that may be left out, `/` for one that may be the next word, each
//! with `any`, `uint`, `size` (a unit may follow), `LEAST..MOST` or `{WORDS}` with the text of the
//! error about other words; `separate` is the next word alone.

use super::quote;

const OPTIONS: &str = include_str!("gcc_options.txt");

/// The greatest value of arguments that are numbers.
const MAX: u64 = i32::MAX as u64;

/// What the table says of an option.
#[derive(PartialEq, Eq, Debug)]
pub enum Check {
    /// gcc takes it.
    Fine,
    /// No option of gcc's.
    Unknown,
    /// gcc's error.
    Wrong(String),
}

/// Checks an option of a family, given with its dash.
pub fn check(program: &str, text: &str) -> Check {
    let name = &text[1..];
    if let Some(kind) = kind(name) {
        return match kind.trim_start_matches('+').as_bytes().first() {
            Some(b'=') => Check::Wrong(format!("missing argument to {}", quote(text))),
            _ => Check::Fine,
        };
    }
    if let Some((option, kind, value)) = joined(name) {
        return argument(program, &format!("-{option}"), kind, value);
    }
    let Some(positive) = positive(name) else { return Check::Unknown };
    let negated = |option: &str| format!("-{}no-{}", &option[..1], &option[1..]);
    match (kind(&positive), joined(&positive)) {
        (Some(kind), _) if kind.starts_with("+=") => Check::Wrong(format!("missing argument to {}", quote(text))),
        (Some(kind), _) if kind.starts_with('+') => Check::Fine,
        (None, Some((option, kind, value))) if kind.starts_with('+') => {
            argument(program, &negated(option), kind, value)
        }
        (None, None) => Check::Unknown,
        _ => Check::Wrong(unknown(text)),
    }
}

/// The error about an option that does not exist.
pub fn unknown(text: &str) -> String {
    let message = format!("unrecognized command-line option {}", quote(text));
    match nearest(&text[1..]) {
        Some(near) => format!("{message}; did you mean {}?", quote(&format!("-{near}"))),
        None => message,
    }
}

/// The option closest to a text without its dash, by names and `no-` forms.
fn nearest(text: &str) -> Option<String> {
    let mut names = Vec::new();
    for line in OPTIONS.lines() {
        let Some((name, _, kind)) = columns(line) else { continue };
        names.push(name.to_owned());
        if kind.starts_with('+') && !name[1..].starts_with("no-") {
            names.push(format!("{}no-{}", &name[..1], &name[1..]));
        }
    }
    base::spelling::closest(text, names.iter().map(String::as_str)).map(str::to_owned)
}

/// `fname` for `fno-name`.
fn positive(name: &str) -> Option<String> {
    let (family, rest) = name.split_at_checked(1)?;
    rest.strip_prefix("no-").filter(|rest| !rest.is_empty()).map(|rest| format!("{family}{rest}"))
}

/// The option whose argument is at the end of the text, the longest name first.
fn joined(text: &str) -> Option<(&str, &'static str, &str)> {
    let ends = text.bytes().enumerate().filter(|(_, b)| matches!(b, b'=' | b'-')).map(|(at, _)| at + 1);
    let ends: Vec<usize> = ends.filter(|&end| end < text.len()).collect();
    ends.into_iter().rev().find_map(|end| {
        let (name, value) = text.split_at(end);
        let kind = kind(name)?;
        kind.contains(['=', '?', '/']).then_some((name, kind, value))
    })
}

/// Name, classes and kind.
fn columns(line: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = line.split_once(' ')?;
    let (classes, kind) = rest.split_once(' ')?;
    Some((name, classes, kind))
}

/// Names with their dash of the options in one of gcc's `--help=` classes: `common`, `c`, `joined`,
/// `separate` or `undocumented`.
pub fn of_class(class: &str) -> impl Iterator<Item = String> {
    let listed = move |classes: &str, kind: &str| match class {
        "common" => classes.contains('c'),
        "joined" => kind.contains(['=', '?', '/']),
        "separate" => kind.contains('/') || kind == "separate",
        "undocumented" => classes.contains('u'),
        _ => classes.contains('C'),
    };
    OPTIONS
        .lines()
        .filter_map(columns)
        .filter(move |(_, classes, kind)| listed(classes, kind))
        .map(|(name, ..)| format!("-{name}"))
}

/// The kind of a name.
fn kind(name: &str) -> Option<&'static str> {
    row(name).map(|(_, kind)| kind)
}

/// How gcc 12 takes an option that does nothing any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obsolete {
    /// In silence.
    Ignored,
    /// With a warning.
    Removed,
}

/// Whether the option (with its dash) or its `no-` form does nothing any more.
pub fn obsolete(text: &str) -> Option<Obsolete> {
    let name = &text[1..];
    let (classes, _) = row(name).or_else(|| row(&positive(name)?))?;
    match classes {
        _ if classes.contains('i') => Some(Obsolete::Ignored),
        _ if classes.contains('r') => Some(Obsolete::Removed),
        _ => None,
    }
}

/// Whether an option (with its dash) is the `no-` form of another.
pub fn is_negated(text: &str) -> bool {
    row(&text[1..]).is_none() && positive(&text[1..]).is_some()
}

/// Where the lines of the table begin, and its end.
static STARTS: [u32; line_count() + 1] = line_starts();

const fn line_count() -> usize {
    let (mut count, mut at) = (0, 0);
    while at < OPTIONS.len() {
        count += (OPTIONS.as_bytes()[at] == b'\n') as usize;
        at += 1;
    }
    count
}

const fn line_starts() -> [u32; line_count() + 1] {
    let mut starts = [0; line_count() + 1];
    let (mut line, mut at) = (0, 0);
    while at < OPTIONS.len() {
        at += 1;
        if OPTIONS.as_bytes()[at - 1] == b'\n' {
            line += 1;
            starts[line] = at as u32;
        }
    }
    starts
}

/// Classes and kind of a name, by bisection.
fn row(name: &str) -> Option<(&'static str, &'static str)> {
    let line = |index: usize| columns(OPTIONS[STARTS[index] as usize..STARTS[index + 1] as usize].trim_end());
    let (mut low, mut high) = (0, STARTS.len() - 1);
    while low < high {
        let middle = low + (high - low) / 2;
        let (known, classes, kind) = line(middle)?;
        match known.cmp(name) {
            std::cmp::Ordering::Equal => return Some((classes, kind)),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}

fn argument(program: &str, option: &str, kind: &'static str, value: &str) -> Check {
    let kind = kind.trim_start_matches('+').trim_start_matches(['=', '?', '/']);
    let name = quote(option);
    let wrong = |text: String| Check::Wrong(text);
    if let Some(list) = kind.strip_prefix('{') {
        let (words, about) = list.split_once('}').unwrap_or((list, ""));
        return word(program, option, words, about, value);
    }
    let number = number(value, kind == "size");
    match kind {
        "any" | "" => Check::Fine,
        "size" if number.is_none() => {
            let unit = "should be a non-negative integer optionally followed by a size unit";
            wrong(format!("argument to {name} {unit}"))
        }
        "size" => Check::Fine,
        _ => {
            let Some(number) = number else {
                return wrong(format!("argument to {name} should be a non-negative integer"));
            };
            if number > MAX {
                return wrong(format!("argument to {name} is bigger than {MAX}"));
            }
            let bounds =
                kind.split_once("..").and_then(|(l, m)| Some((l.parse::<u64>().ok()?, m.parse::<u64>().ok()?)));
            match bounds {
                Some((least, most)) if !(least..=most).contains(&number) => {
                    wrong(format!("argument to {name} is not between {least} and {most}"))
                }
                _ => Check::Fine,
            }
        }
    }
}

/// An argument that is one of a few words.
fn word(program: &str, option: &str, words: &str, about: &str, value: &str) -> Check {
    if words.split(' ').any(|word| word == value) {
        return Check::Fine;
    }
    let message = match about {
        "" => format!("unrecognized argument in option {}", quote(&format!("{option}{value}"))),
        _ => spelled(about, value),
    };
    let near = base::spelling::closest(value, words.split(' '));
    let near = near.map_or(String::new(), |near| format!("; did you mean {}?", quote(near)));
    Check::Wrong(format!("{message}\n{program}: note: valid arguments to {} are: {words}{near}", quote(option)))
}

/// The text about a wrong word: `%qs` is the word, `%<` and `%>` enclose a name.
fn spelled(about: &str, value: &str) -> String {
    let text = about.replace("%qs", &quote(value));
    let named = text.split_once("%<").and_then(|(before, rest)| Some((before, rest.split_once("%>")?)));
    match named {
        Some((before, (name, after))) => format!("{before}{}{after}", quote(name)),
        None => text,
    }
}

/// Decimal, hexadecimal after `0x`, and with a unit for sizes.
pub fn number(text: &str, unit: bool) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).map_or(text.len(), |_| 0);
    let text = &text[..end];
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u64::from_str_radix(digits, 16).ok();
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (digits, suffix) = text.split_at(digits);
    if digits.is_empty() {
        return None;
    }
    let value: u64 = digits.parse().unwrap_or(u64::MAX);
    match suffix {
        "" => Some(value),
        _ if unit => unit_of(suffix).map(|bytes| value.saturating_mul(bytes)),
        _ => None,
    }
}

/// Bytes of a unit of sizes (gcc's manual, "Warning Options"), in capitals or not.
pub fn unit_of(name: &str) -> Option<u64> {
    const UNITS: &[(&str, u64)] = &[
        ("kb", 1000),
        ("kib", 1 << 10),
        ("mb", 1_000_000),
        ("mib", 1 << 20),
        ("gb", 1_000_000_000),
        ("gib", 1 << 30),
        ("tb", 1_000_000_000_000),
        ("tib", 1 << 40),
        ("pb", 1_000_000_000_000_000),
        ("pib", 1 << 50),
        ("eb", 1_000_000_000_000_000_000),
        ("eib", 1 << 60),
    ];
    UNITS.iter().find(|unit| unit.0.eq_ignore_ascii_case(name)).map(|unit| unit.1)
}

/// A non-negative integer argument.
pub(super) fn non_negative(option: &str, text: &str) -> Result<u64, String> {
    let number = number(text, false);
    number.ok_or_else(|| format!("argument to {} should be a non-negative integer", quote(option)))
}

#[cfg(test)]
mod tests {
    use super::{Check, Obsolete, check, kind, number, obsolete};

    #[test]
    fn every_line_is_found() {
        for line in super::OPTIONS.lines() {
            let (name, _, expected) = super::columns(line).expect("a name, classes and a kind");
            assert_eq!(kind(name), Some(expected), "{name}");
        }
        assert_eq!(kind("fno-such-option"), None);
    }

    #[test]
    fn arguments() {
        let says = |text: &str, start: &str| match check("p", text) {
            Check::Wrong(message) => assert!(message.starts_with(start), "{message}"),
            other => panic!("{text}: {other:?}"),
        };
        says("-fabi-version=", "missing argument to ");
        says("-mbranch-cost=6", "argument to ");
        says("-fvisibility=x", "unrecognized visibility value ");
        says("-fno-visibility=", "unrecognized command-line option ");
        assert_eq!(check("p", "-mbranch-cost=5"), Check::Fine);
        assert_eq!(check("p", "-fno-inline"), Check::Fine);
        assert_eq!(check("p", "-fgvn"), Check::Unknown);
        assert_eq!(obsolete("-fno-zee"), Some(Obsolete::Ignored));
        assert_eq!(obsolete("-fmudflap"), Some(Obsolete::Removed));
        assert_eq!(obsolete("-finline"), None);
    }

    #[test]
    fn numbers() {
        assert_eq!(number("0x10", false), Some(16));
        assert_eq!(number("4KiB", true), Some(4096));
        assert_eq!(number("16k", false), None);
        assert_eq!(number("-1", true), None);
        assert_eq!(number("", false), None);
    }
}
