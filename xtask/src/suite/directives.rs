//! DejaGnu's directives in comments of gcc's tests: `{ dg-do run { target lp64 } }` and the like
//! (gcc's internals manual, "Directives used within DejaGnu tests"), read for x86-64 Linux.
//!
//! Effective targets that do not hold here stand in a list; others are taken to hold. What gcc
//! itself then fails is not held against another compiler.

/// What the directives of one file say.
#[derive(Clone, Default, Debug)]
pub struct Directives {
    /// `dg-do`: `run`, `compile`, `link`, ...
    pub action: Option<String>,
    /// `dg-options` (the last one that holds), then `dg-additional-options`.
    pub options: Vec<String>,
    /// Whether there is `dg-options`: without it gcc.dg has options of its own.
    pub has_options: bool,
    /// Why the test is not for this system.
    pub skip: Option<String>,
    /// `dg-skip-if`: patterns of options with which it is not run, and of those with which it is
    /// all the same.
    pub skipped_with: Vec<(Vec<String>, Vec<String>)>,
    /// Lines with `dg-error`, from 1.
    pub error_lines: Vec<usize>,
    /// `dg-set-target-env-var`: names and values of variables for the program.
    pub environment: Vec<(String, String)>,
}

/// A word or list of TCL.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    Word(String),
    List(Vec<Item>),
}

use Item::{List, Word};

/// Deeper lists are cut off.
const MAX_DEPTH: usize = 20;

/// Effective targets (gcc's internals manual, "Keywords describing target attributes") that do not
/// hold on x86-64 Linux with gcc's defaults, or want what is not tested here.
const FALSE_TARGETS: &[&str] = &[
    "ia32",
    "ilp32",
    "freestanding",
    "newlib_nano_io",
    "short_enums",
    "int16",
    "avr_tiny",
    "x32",
    "llp64",
    "double32",
    "R_flag_in_section",
    "unwrapped",
    "non_strict_align_false",
    "run_expensive_tests",
    "fgraphite",
    "default_packed",
    "keeps_null_pointer_checks",
    "no_trampolines",
    "vect_cmdline_needed",
    "tiny",
    "offload_nvptx",
    "lra_false",
    "exceptions_disabled",
    "size16",
    "strict_align",
];

/// Beginnings of the names of other processors' effective targets.
const OTHER_PROCESSORS: &[&str] = &[
    "arm",
    "aarch64",
    "powerpc",
    "powerpc64",
    "ppc",
    "mips",
    "sparc",
    "s390",
    "avr",
    "nvptx",
    "riscv",
    "bpf",
    "hppa",
    "sh",
];

const TRIPLE: &str = "x86_64-pc-linux-gnu";

/// Reads the directives of a file.
pub fn read(text: &str) -> Directives {
    let mut out = Directives::default();
    let mut additional = Vec::new();
    for (line, list) in lists(text) {
        let Some(Word(name)) = list.first() else { continue };
        let rest = &list[1..];
        let target = rest.iter().find_map(|item| match item {
            List(items) if items.first() == Some(&Word("target".to_string())) => Some(&items[1..]),
            _ => None,
        });
        let holds = target.is_none_or(|t| selector(t, 0));
        match name.as_str() {
            "dg-do" => {
                if let Some(Word(action)) = rest.first() {
                    out.action = Some(action.clone());
                }
                if !holds {
                    out.skip = Some("for other targets".to_string());
                }
            }
            "dg-options" => {
                out.has_options = true;
                if holds {
                    out.options = rest.first().map(words).unwrap_or_default();
                }
            }
            "dg-additional-options" if holds => additional.extend(rest.first().map(words).unwrap_or_default()),
            "dg-require-effective-target" => {
                if let Some(wanted) = rest.first()
                    && !selector(std::slice::from_ref(wanted), 0)
                {
                    out.skip = Some(format!("wants {}", words(wanted).join(" ")));
                }
            }
            "dg-skip-if" if rest.len() > 1 && selector(&rest[1..2], 0) => {
                let any = || vec!["*".to_string()];
                let with = rest.get(2).map(words).filter(|w| !w.is_empty()).unwrap_or_else(any);
                out.skipped_with.push((with, rest.get(3).map(words).unwrap_or_default()));
            }
            "dg-set-target-env-var" if rest.len() > 1 => {
                out.environment.push((words(&rest[0]).join(" "), words(&rest[1]).join(" ")));
            }
            "dg-error" => out.error_lines.push(line),
            "dg-require-dll" | "dg-require-profiling" => out.skip = Some(name.clone()),
            _ => {}
        }
    }
    out.options.extend(additional);
    out
}

impl Directives {
    /// Whether the test is not run with these flags.
    pub fn is_skipped_with(&self, flags: &[&str]) -> bool {
        let hit = |patterns: &[String]| patterns.iter().any(|p| p == "*" || flags.iter().any(|f| glob(p, f)));
        self.skipped_with.iter().any(|(with, without)| hit(with) && !hit(without))
    }
}

/// Line number and items of every `{ dg-... }`.
fn lists(text: &str) -> Vec<(usize, Vec<Item>)> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut at, mut line, mut counted) = (0, 1, 0);
    while let Some(found) = text[at..].find("dg-") {
        let name = at + found;
        at = name + 3;
        let Some(brace) = text[..name].trim_end().strip_suffix('{').map(str::len) else { continue };
        line += bytes[counted..name].iter().filter(|&&b| b == b'\n').count();
        counted = name;
        out.push((line, list(text, brace + 1, 0).0));
    }
    out
}

/// The items from `at` to the closing brace, and the place behind it.
fn list(text: &str, mut at: usize, depth: usize) -> (Vec<Item>, usize) {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'}' => return (out, at + 1),
            b'{' if depth < MAX_DEPTH => {
                let (items, end) = list(text, at + 1, depth + 1);
                out.push(List(items));
                at = end;
            }
            b'"' => {
                let end = skip_string(bytes, at + 1);
                out.push(Word(text.get(at + 1..end).unwrap_or_default().to_string()));
                at = end + 1;
            }
            _ if byte.is_ascii_whitespace() || byte == b'{' => at += 1,
            _ => {
                let is_end = |b: &u8| b.is_ascii_whitespace() || *b == b'{' || *b == b'}';
                let end = bytes[at..].iter().position(is_end).map_or(bytes.len(), |n| at + n);
                out.push(Word(text.get(at..end).unwrap_or_default().to_string()));
                at = end;
            }
        }
    }
    (out, at)
}

/// The place of the quote that ends a string, or the end of the text.
fn skip_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

/// The words of an item, without TCL's backslashes.
fn words(item: &Item) -> Vec<String> {
    match item {
        List(items) => items.iter().flat_map(words).collect(),
        Word(text) => text.replace('\\', "").split_whitespace().map(|w| w.trim_matches('"').to_string()).collect(),
    }
}

/// Whether a target selector holds: names, `!`, `&&`, `||`, from left to right; names without an
/// operator between them are alternatives.
fn selector(items: &[Item], depth: usize) -> bool {
    let (mut result, mut negated, mut conjunction) = (None, false, false);
    for item in items {
        let value = match item {
            Word(word) if word == "!" => {
                negated = !negated;
                continue;
            }
            Word(word) if word == "&&" || word == "||" => {
                conjunction = word == "&&";
                continue;
            }
            Word(word) if word == "target" || word == "xfail" => continue,
            Word(word) if word.contains(char::is_whitespace) && depth < MAX_DEPTH => {
                selector(&list(word, 0, depth + 1).0, depth + 1)
            }
            Word(word) => match word.strip_prefix('!') {
                Some(name) => !target(name),
                None => target(word),
            },
            List(items) => selector(items, depth + 1),
        };
        let value = value != negated;
        negated = false;
        result = Some(match result {
            None => value,
            Some(before) if conjunction => before && value,
            Some(before) => before || value,
        });
        conjunction = false;
    }
    result.unwrap_or(true)
}

/// Whether the name of a target or effective target holds.
fn target(name: &str) -> bool {
    if name.contains(['-', '*']) {
        return glob(name, TRIPLE);
    }
    let is_other = OTHER_PROCESSORS.iter().any(|p| {
        let rest = name.strip_prefix(p);
        rest.is_some_and(|r| r.is_empty() || r.starts_with(|c: char| c == '_' || c.is_ascii_digit()))
    });
    !is_other && !name.starts_with("c++") && !FALSE_TARGETS.contains(&name)
}

/// A shell's pattern with `*`, `?` and sets in brackets.
pub fn glob(pattern: &str, text: &str) -> bool {
    let (p, t): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    // Where the last star was met, and how much of the text it has taken.
    let mut star: Option<(usize, usize)> = None;
    let (mut i, mut j) = (0, 0);
    while j < t.len() {
        let step = match p.get(i) {
            Some('*') => {
                star = Some((i, j));
                i += 1;
                continue;
            }
            Some('?') => Some(1),
            Some('[') => set(&p[i..], t[j]),
            Some(&c) if c == t[j] => Some(1),
            _ => None,
        };
        match (step, star) {
            (Some(length), _) => (i, j) = (i + length, j + 1),
            (None, Some((at, taken))) => {
                star = Some((at, taken + 1));
                (i, j) = (at + 1, taken + 1);
            }
            (None, None) => return false,
        }
    }
    p[i..].iter().all(|&c| c == '*')
}

/// The length of the set that a pattern begins with, if the character is in it.
fn set(pattern: &[char], c: char) -> Option<usize> {
    let end = pattern.iter().position(|&p| p == ']')?;
    let inside = &pattern[1..end];
    let in_range = inside.windows(3).any(|w| w[1] == '-' && w[0] <= c && c <= w[2]);
    (inside.contains(&c) || in_range).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::{glob, read};

    #[test]
    fn globs() {
        assert!(glob("x86_64-*-*", "x86_64-pc-linux-gnu") && glob("i?86-*", "i686-linux") && glob("*-*-*", "a-b-c"));
        assert!(glob("-O[01s]", "-O1") && glob("-O[0-2]", "-O1") && !glob("-O[23]", "-O1") && !glob("a*b", "ac"));
    }

    #[test]
    fn actions_and_options() {
        let text = "/* { dg-do run { target { ! ia32 } } } */\n/* { dg-options \"-O2 -fno-inline\" } */\n\
                    /* { dg-additional-options \"-msse2\" { target i?86-*-* x86_64-*-* } } */\n\
                    /* { dg-additional-options \"-mfloat-abi=hard\" { target arm*-*-* } } */\nint x = \"a\"; /* { dg-error \"in\\{it\" } */\n";
        let read = read(text);
        assert_eq!(read.action.as_deref(), Some("run"));
        assert_eq!(read.options, ["-O2", "-fno-inline", "-msse2"]);
        assert_eq!((read.skip, read.error_lines, read.has_options), (None, vec![5], true));
    }

    #[test]
    fn other_targets() {
        let skipped = |text| read(text).skip.is_some();
        assert!(
            skipped("/* { dg-do run { target arm*-*-* } } */") && skipped("// { dg-require-effective-target ilp32 }")
        );
        assert!(skipped("/* { dg-do run { target { lp64 && aarch64_sve } } } */"));
        assert!(skipped("/* { dg-require-effective-target arm_neon } */"));
        assert!(!skipped("/* { dg-require-effective-target sharing } */") && !skipped("/* { dg-do compile } */"));
    }

    #[test]
    fn skipped_with_flags() {
        let read = read("/* { dg-skip-if \"slow\" { *-*-* } { \"-O0\" } { \"-flto\" } } */");
        assert!(
            read.is_skipped_with(&["-O0"])
                && !read.is_skipped_with(&["-O2"])
                && !read.is_skipped_with(&["-O0", "-flto"])
        );
    }
}
