//! `-specs=FILE`: spec files that add options to the command line (gcc's manual, "Spec Files"), as
//! distributions and musl-gcc use them.
//!
//! There are no subprocesses whose lines a spec would make: what a file says of the compiler
//! becomes options, what it says of the linker `-Wl,` arguments, and a directory of start files a
//! `-B`. Read are `*name:` with a text or `+ text`, `%rename`, and in texts `%{S}`, `%{S*}`,
//! `%{S:X}`, `%{!S:X}`, `|` and `&` between switches, `%{S:X;T:Y;:Z}`, `%(name)`, `%s`, `%%`, `\C`
//! for a character as it is, and the functions `%:getenv(NAME TEXT)`, `%:if-exists(FILE)`,
//! `%:if-exists-else(FILE X)` and `%:if-exists-then-else(FILE X Y)`. Any other construct is an
//! error that names it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::quote;

/// Braces in braces, and specs in specs.
const MAX_DEPTH: u32 = 100;

/// Specs of the compiler, whose switches are added to the command line.
const OF_COMPILER: &[&str] = &["self_spec", "cpp", "cpp_options", "cpp_unique_options", "cc1", "cc1_options"];
/// Specs of what is linked, whose words are arguments of the linker.
const OF_LINKER: &[&str] = &["link", "link_libgcc"];
/// Specs of the files around a program.
const OF_START: &[&str] = &["startfile", "endfile"];
/// Specs of gcc's own parts, whose duties this compiler's support has, and of nothing.
const WITHOUT_DUTY: &[&str] =
    &["libgcc", "lib", "cross_compile", "multilib", "version", "esp_link", "esp_options", "esp_cpp_options"];

/// What `-dumpspecs` prints, in the form of a spec file that `-specs=` reads. What the compiler
/// does without a spec is not in it: most texts are empty.
const OWN: &[(&str, &str)] = &[
    ("self_spec", ""),
    ("cpp", ""),
    ("cpp_options", ""),
    ("cpp_unique_options", ""),
    ("cc1", ""),
    ("cc1_options", ""),
    ("link", "%{!r:%{!shared:%{!static:%{!static-pie:-dynamic-linker LOADER}}}}"),
    ("link_libgcc", ""),
    ("lib", "-lc"),
    ("libgcc", "-lgcc"),
    ("startfile", "%{!shared:Scrt1.o%s} crti.o%s crtbeginS.o%s"),
    ("endfile", "crtendS.o%s crtn.o%s"),
    ("cross_compile", "0"),
    ("multilib", ". ;"),
    ("version", "VERSION"),
];

/// The text of `-dumpspecs`, for the dynamic linker and version given.
pub fn dump(loader: &str, version: &str) -> String {
    let spec = |&(name, text): &(&str, &str)| {
        format!("*{name}:\n{}\n\n", text.replace("LOADER", loader).replace("VERSION", version))
    };
    OWN.iter().map(spec).collect()
}

/// The arguments with what the spec files among them add. `environment` is where `getenv` looks.
pub fn apply(
    arguments: Vec<OsString>,
    environment: fn(&str) -> Option<OsString>,
    errors: &mut Vec<String>,
) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut files = Vec::new();
    let mut list = arguments.into_iter();
    while let Some(argument) = list.next() {
        let text = argument.to_string_lossy().into_owned();
        let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-')).unwrap_or_default();
        match name.strip_prefix("specs") {
            Some("") => match list.next() {
                Some(file) => files.push(file.to_string_lossy().into_owned()),
                None => errors.push(format!("missing argument to {}", quote(&text))),
            },
            Some(rest) if rest.starts_with('=') => files.push(rest[1..].to_owned()),
            _ => kept.push(argument),
        }
    }
    if files.is_empty() {
        return kept;
    }
    let mut specs = Specs::default();
    for file in &files {
        if let Err(message) = specs.read(file) {
            errors.push(message);
        }
    }
    let switches: Vec<String> = kept.iter().map(|a| a.to_string_lossy().into_owned()).collect();
    match specs.added(switches, environment) {
        Ok((words, linker)) => {
            // What the command line says to the linker comes after it, and counts.
            kept.splice(0..0, linker.into_iter().flat_map(|word| ["-Xlinker".into(), word.into()]));
            kept.extend(words.into_iter().map(OsString::from));
        }
        Err(message) => errors.push(message),
    }
    kept
}

/// The specs of the files by name. gcc's own are empty: their work is done without them.
#[derive(Default)]
struct Specs(BTreeMap<String, String>);

impl Specs {
    fn read(&mut self, file: &str) -> Result<(), String> {
        let text =
            find(file).ok_or_else(|| format!("cannot read spec file {}: No such file or directory", quote(file)))?;
        let text = std::fs::read_to_string(text).map_err(|e| format!("cannot read spec file {}: {e}", quote(file)))?;
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(rest) = line.strip_prefix("%rename ") {
                let mut names = rest.split_whitespace();
                let (Some(old), Some(new)) = (names.next(), names.next()) else {
                    return Err(format!("specs {} syntax malformed", quote("%rename")));
                };
                let spec = self.0.remove(old).unwrap_or_default();
                self.0.insert(new.into(), spec);
                continue;
            }
            let Some(name) = line.strip_prefix('*').and_then(|rest| rest.strip_suffix(':')) else {
                return Err(format!("specs file malformed: {} in {}", quote(line), quote(file)));
            };
            // The text goes on to an empty line.
            let mut body = String::new();
            while let Some(more) = lines.next_if(|more| !more.trim().is_empty()) {
                body.push_str(more);
                body.push(' ');
            }
            let spec = self.0.entry(name.into()).or_default();
            match body.strip_prefix('+') {
                Some(more) => {
                    spec.push(' ');
                    spec.push_str(more);
                }
                None => *spec = body,
            }
        }
        Ok(())
    }

    /// The options that all specs add to these, and the words for the linker.
    fn added(
        &self,
        switches: Vec<String>,
        environment: fn(&str) -> Option<OsString>,
    ) -> Result<(Vec<String>, Vec<String>), String> {
        let (mut out, mut linker) = (Vec::new(), Vec::new());
        // Where nothing is linked, what the linker's specs lack is no error.
        let is_linked = !switches.iter().any(|switch| ends_before_linking(switch));
        let mut state = Expansion { specs: self, switches, environment, depth: 0 };
        for name in OF_COMPILER {
            let words = state.named(name)?;
            state.switches.extend(words.iter().cloned());
            out.extend(words);
        }
        for name in OF_LINKER.iter().filter(|_| is_linked) {
            let mut words = state.named(name)?.into_iter();
            while let Some(word) = words.next() {
                match word.as_str() {
                    "-L" => out.extend(words.next().filter(|dir| dir != ".").map(|dir| format!("-L{dir}"))),
                    _ => linker.push(word),
                }
            }
        }
        for name in OF_START.iter().filter(|_| is_linked) {
            for word in state.named(name)? {
                out.extend(start_file(&word)?);
            }
        }
        let known =
            |name: &str| [OF_COMPILER, OF_LINKER, OF_START, WITHOUT_DUTY].iter().any(|list| list.contains(&name));
        let used = |name: &str| self.0.values().any(|text| text.contains(&format!("%({name})")));
        match self.0.keys().find(|name| !known(name) && !used(name)) {
            Some(name) => Err(format!("spec {} is not supported", quote(name))),
            None => Ok((out, linker)),
        }
    }
}

/// Where a start file is: its directory is searched first. Those of gcc itself are not needed.
fn start_file(word: &str) -> Result<Option<String>, String> {
    let path = Path::new(word);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if name.starts_with("crtbegin") || name.starts_with("crtend") {
        return Ok(None);
    }
    let known = ["crt1.o", "Scrt1.o", "rcrt1.o", "gcrt1.o", "grcrt1.o", "crti.o", "crtn.o"].contains(&name.as_str());
    if !known {
        return Err(format!("start file {} of a spec file is not supported", quote(word)));
    }
    Ok(path.parent().filter(|dir| !dir.as_os_str().is_empty()).map(|dir| format!("-B{}/", dir.display())))
}

/// A spec file by its path, or among the files of gcc and of the C library.
fn find(file: &str) -> Option<PathBuf> {
    let path = PathBuf::from(file);
    if path.is_file() || file.contains('/') {
        return path.is_file().then_some(path);
    }
    let inv = crate::invocation::Invocation::default();
    crate::toolchain::Toolchain::discover(&inv).find_file(&inv, file)
}

/// Whether the driver comes to no link with this option.
fn ends_before_linking(switch: &str) -> bool {
    const LAST_STEPS: &[&str] = &["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"];
    const QUESTIONS: &[&str] =
        &["--version", "--help", "--target-help", "-dumpversion", "-dumpfullversion", "-dumpmachine", "-dumpspecs"];
    LAST_STEPS.contains(&switch) || QUESTIONS.contains(&switch) || switch.starts_with("-print-")
}

/// Texts are expanded to words between spaces; a space or backslash in a word has a backslash
/// before it.
struct Expansion<'s> {
    specs: &'s Specs,
    /// The options given, with their dash.
    switches: Vec<String>,
    environment: fn(&str) -> Option<OsString>,
    depth: u32,
}

impl Expansion<'_> {
    fn named(&mut self, name: &str) -> Result<Vec<String>, String> {
        let text = self.specs.0.get(name).cloned().unwrap_or_default();
        Ok(words(&self.expand(&text)?))
    }

    fn expand(&mut self, text: &str) -> Result<String, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("specs contain each other too deeply".into());
        }
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['%', '\\']) {
            out.push_str(&rest[..at]);
            let is_quoted = rest[at..].starts_with('\\');
            rest = &rest[at + 1..];
            match rest.chars().next() {
                Some(quoted) if is_quoted => {
                    push_escaped(&mut out, quoted);
                    rest = &rest[quoted.len_utf8()..];
                }
                Some('%') => {
                    out.push('%');
                    rest = &rest[1..];
                }
                Some('s') => {
                    rest = &rest[1..];
                    find_suffix(&mut out);
                }
                Some('(') => {
                    let (name, after) = rest[1..].split_once(')').ok_or("spec '%(' without ')'")?;
                    let inner = self.specs.0.get(name).cloned().unwrap_or_default();
                    out.push_str(&self.expand(&inner)?);
                    rest = after;
                }
                Some('{') => {
                    let end = closing(&rest[1..], '{', '}')
                        .ok_or_else(|| format!("braced spec {} is invalid", quote(rest)))?;
                    out.push_str(&self.braced(&rest[1..1 + end])?);
                    rest = &rest[end + 2..];
                }
                Some(':') => {
                    let (value, after) = self.function(&rest[1..])?;
                    out.push_str(&value);
                    rest = after;
                }
                other => {
                    let name: String = other.into_iter().collect();
                    return Err(format!("spec sequence {} is not supported", quote(&format!("%{name}"))));
                }
            }
        }
        out.push_str(rest);
        self.depth -= 1;
        Ok(out)
    }

    /// A call of a function, after its colon: what its value expands to, and the text after it.
    fn function<'t>(&mut self, text: &'t str) -> Result<(String, &'t str), String> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let (name, rest) = text.split_once('(').ok_or("malformed spec function name")?;
        if !name.chars().all(is_part) {
            return Err("malformed spec function name".into());
        }
        let end = closing(rest, '(', ')').ok_or("malformed spec function arguments")?;
        let arguments = words(&self.expand(&rest[..end])?);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let exists = |file: &str| file.starts_with('/') && Path::new(file).exists();
        let value = match (name, &arguments[..]) {
            ("getenv", [variable, text]) => {
                let value = (self.environment)(variable);
                let value = value.ok_or_else(|| format!("environment variable {} not defined", quote(variable)))?;
                let mut escaped = String::new();
                value.to_string_lossy().chars().for_each(|c| escaped.extend(['\\', c]));
                escaped + text
            }
            ("if-exists", [file]) if exists(file) => (*file).to_owned(),
            ("if-exists-else", [file, other]) => if exists(file) { *file } else { other }.to_owned(),
            ("if-exists-then-else", [file, then, rest @ ..]) if rest.len() < 2 => {
                if exists(file) { then } else { rest.first().unwrap_or(&"") }.to_string()
            }
            ("if-exists", [_]) => String::new(),
            ("getenv" | "if-exists" | "if-exists-else" | "if-exists-then-else", _) => {
                return Err(format!("spec function {} has wrong arguments", quote(name)));
            }
            _ => return Err(format!("spec function {} is not supported", quote(name))),
        };
        Ok((self.expand(&value)?, &rest[end + 1..]))
    }

    /// The inside of `%{...}`: clauses between semicolons, the first that holds counts.
    fn braced(&mut self, text: &str) -> Result<String, String> {
        for clause in split(text, ';') {
            let Some((condition, body)) = clause.split_once(':').map(|(c, b)| (c.trim(), b)) else {
                return Ok(self.matching(clause.trim()));
            };
            if self.holds(condition) {
                return self.expand(body);
            }
        }
        Ok(String::new())
    }

    /// Switches that are passed on: `S`, or `S*` for all that begin so.
    fn matching(&self, pattern: &str) -> String {
        let mut out = String::new();
        for (number, switch) in self.switches.iter().filter(|switch| is_switch(switch, pattern)).enumerate() {
            out.push_str(if number > 0 { " " } else { "" });
            switch.chars().for_each(|c| push_escaped(&mut out, c));
        }
        out
    }

    /// `S`, `!S`, `S|T`, `S&T`, and nothing for "else".
    fn holds(&self, condition: &str) -> bool {
        let one = |term: &str| match term.trim().strip_prefix('!') {
            Some(term) => !self.switches.iter().any(|switch| is_switch(switch, term)),
            None => self.switches.iter().any(|switch| is_switch(switch, term.trim())),
        };
        condition.is_empty() || condition.split('|').any(|terms| terms.split('&').all(one))
    }
}

/// Whether the switch is `-S`, or begins so for `S*`.
fn is_switch(switch: &str, pattern: &str) -> bool {
    let Some(name) = switch.strip_prefix('-') else { return false };
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    }
}

/// `%s`: the last word is a file that is searched for.
fn find_suffix(out: &mut String) {
    let at = out.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let word = out[at..].to_owned();
    let found =
        if word == "include" { Some(PathBuf::from(crate::toolchain::BUILTIN_INCLUDE_DIR)) } else { find(&word) };
    if let Some(path) = found {
        out.truncate(at);
        path.display().to_string().chars().for_each(|c| push_escaped(out, c));
    }
}

/// A character of a word.
fn push_escaped(out: &mut String, c: char) {
    if c.is_whitespace() || c == '\\' {
        out.push('\\');
    }
    out.push(c);
}

/// The words of an expanded text, as they are.
fn words(text: &str) -> Vec<String> {
    let (mut out, mut word) = (Vec::new(), None::<String>);
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => word.get_or_insert_default().extend(characters.next()),
            c if c.is_whitespace() => out.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    out
}

/// The bracket that closes the one before the text.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            c if c == open => depth += 1,
            c if c == close && depth == 0 => return Some(at),
            c if c == close => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Parts between separators that are in no braces.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ if c == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::{Expansion, Specs, words};

    fn expanded(text: &str, switches: &[&str]) -> Result<String, String> {
        let mut specs = Specs::default();
        specs.0.insert("inner".into(), "-Dinner".into());
        let switches = switches.iter().map(|s| s.to_string()).collect();
        let environment = |name: &str| (name == "DIR").then(|| "C:\\%d e".into());
        Expansion { specs: &specs, switches, environment, depth: 0 }.expand(text)
    }

    #[test]
    fn functions() {
        let words = |text: &str| expanded(text, &["-DX=a b"]).map(|text| words(&text));
        assert_eq!(words(r"-I%:getenv(DIR /x) \1 %{D*}").unwrap(), [r"-IC:\%d e/x", "1", "-DX=a b"]);
        // The value of a call in a call is read once more.
        assert_eq!(words("%:getenv(DIR %:getenv(DIR /x))").unwrap(), [r"C:\%d eC:%d", "e/x"]);
        assert_eq!(words("%:if-exists-else(/ a) %:if-exists-else(/none b)").unwrap(), ["/", "b"]);
        assert_eq!(words("%:if-exists-then-else(/ a b) %:if-exists-then-else(/none a)").unwrap(), ["a"]);
        assert!(words("%:getenv(ABSENT x)").unwrap_err().ends_with("not defined"));
        for wrong in ["%:getenv(DIR)", "%:getenv(DIR x", "%:getenv DIR", "%:absent()", "\\"] {
            assert!(words(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn conditions() {
        let hardened = "%{!r:%{!fpie:%{!fPIE:-fPIE}}}";
        assert_eq!(expanded(hardened, &["-O2"]).as_deref(), Ok("-fPIE"));
        assert_eq!(expanded(hardened, &["-fpie"]).as_deref(), Ok(""));
        assert_eq!(expanded("%{a|b:x}%{a&b:y}", &["-b"]).as_deref(), Ok("x"));
        assert_eq!(expanded("%{a:1;b:2;:3}", &["-b"]).as_deref(), Ok("2"));
        assert_eq!(expanded("%{a:1;b:2;:3}", &[]).as_deref(), Ok("3"));
        assert_eq!(expanded("%{O*} %(inner) 100%%", &["-O2"]).as_deref(), Ok("-O2 -Dinner 100%"));
        assert!(expanded("%{open", &[]).is_err() && expanded("%q", &[]).is_err());
    }
}
