//! gcc's command line.
//!
//! Every option is a row of a table ([`general`], [`codegen_flags`], [`machine_flags`],
//! [`warning_flags`]); the code here only finds the row and takes its argument apart. Three
//! outcomes exist besides an effect: *hint* (accepted, cannot change what a program means),
//! *refused* (would change what a program means, and is not there), *unknown* (gcc's own error).
//!
//! Two phases: `-O` and `-std=` apply first, wherever they stand, because they set defaults other
//! flags override; then everything else in order.

mod arguments;
mod assembler_flags;
mod codegen_flags;
mod completion;
mod finish;
mod general;
mod hardening_flags;
mod hints;
mod link_time;
mod machine_flags;
mod other_languages;
mod params;
mod preprocessor_flags;
mod response;
mod sanitize_flags;
mod spec;
mod specs;
mod warning_flags;

use crate::invocation::{Input, Invocation, Language, WarningFlag};
use spec::{Effect, Form, Spec};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

pub use arguments::of_class as options_of_class;
pub use assembler_flags::{help as assembler_help, parse as parse_assembler_options};
pub use completion::{completions, offers};
pub use finish::{complete_dependencies, file_beside_output, record_file};
pub use link_time::options_of_code;
pub use params::numbers as parameters;
pub use response::split as split_words;
pub use specs::dump as own_specs;

/// Errors of the command line, in gcc's words, without the `tcc-rs: error: ` before.
pub struct CommandLineErrors(pub Vec<String>);

/// Replaces `@file` arguments by what is in the files.
///
/// # Errors
/// The first thing that is wrong with one.
pub fn expand_response_files(arguments: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let mut errors = Vec::new();
    let expanded = response::expand(arguments, &mut errors);
    errors.into_iter().next().map_or(Ok(expanded), Err)
}

/// Parse the arguments after `argv[0]`.
pub fn parse(program: &str, arguments: Vec<OsString>) -> Result<Invocation, CommandLineErrors> {
    parse_into(Invocation { program: program.to_string(), ..Invocation::default() }, arguments)
}

/// The same where `CPATH`, `LIBRARY_PATH` and their like mean nothing.
pub fn parse_without_environment(program: &str, arguments: Vec<OsString>) -> Result<Invocation, CommandLineErrors> {
    parse_into(Invocation { program: program.to_string(), no_environment: true, ..Invocation::default() }, arguments)
}

fn parse_into(mut inv: Invocation, arguments: Vec<OsString>) -> Result<Invocation, CommandLineErrors> {
    let mut errors = Vec::new();
    let environment: fn(&str) -> _ = if inv.no_environment { |_| None } else { |name| std::env::var_os(name) };
    let arguments = specs::apply(response::expand(arguments, &mut errors), environment, &mut errors);
    let mut scanner = Scanner { pending: Vec::new(), language: None, errors };
    scan(&mut inv, &mut scanner, &arguments);
    finish::apply_defaults_of_level_and_standard(&mut inv);
    let Scanner { pending, mut errors, .. } = scanner;
    for p in pending {
        if let Err(message) = p.apply(&mut inv) {
            errors.push(message);
        }
    }
    inv.arguments = arguments;
    let words: Vec<String> = std::mem::take(&mut inv.assembler_arguments);
    let mut files = Vec::new();
    if let Err(message) = assembler_flags::parse(&mut inv.assembler, &words, &mut files) {
        errors.push(message);
    }
    if let Some(file) = files.first() {
        errors.push(format!("an input file for the assembler alone: {}", quote(&file.display().to_string())));
    }
    finish::check_consistency(&mut inv, &mut errors);
    if errors.is_empty() { Ok(inv) } else { Err(CommandLineErrors(errors)) }
}

/// An option found in a table, waiting for its turn.
struct Pending {
    spec: &'static Spec,
    /// False for the `no-` form.
    on: bool,
    value: String,
    /// As the user wrote it, for messages.
    text: String,
}

impl Pending {
    fn apply(&self, inv: &mut Invocation) -> Result<(), String> {
        match self.spec.effect {
            Effect::Hint => Ok(()),
            Effect::Refuse(why) if self.on => Err(format!("{} is not supported: {why}", quote(&self.text))),
            Effect::Refuse(_) => Ok(()),
            Effect::Flag(f) | Effect::Early(f) => {
                f(inv);
                Ok(())
            }
            Effect::Toggle(f) => {
                f(inv, self.on);
                Ok(())
            }
            Effect::Value(f) | Effect::EarlyValue(f) => f(inv, &self.value),
        }
    }
}

struct Scanner {
    pending: Vec<Pending>,
    /// `-x`.
    language: Option<Language>,
    errors: Vec<String>,
}

fn scan(inv: &mut Invocation, scanner: &mut Scanner, arguments: &[OsString]) {
    let mut i = 0;
    let mut only_files = false;
    while i < arguments.len() {
        let raw = &arguments[i];
        i += 1;
        let bytes = raw.as_bytes();
        if only_files || bytes == b"-" || !bytes.starts_with(b"-") {
            add_file(inv, scanner, raw);
            continue;
        }
        if bytes == b"--" {
            only_files = true;
            continue;
        }
        let text = raw.to_string_lossy();
        i += scan_option(inv, scanner, &text, arguments.get(i).map(|s| s.to_string_lossy().into_owned()));
    }
}

/// Handle one option; the result is how many further arguments it consumed.
fn scan_option(inv: &mut Invocation, scanner: &mut Scanner, text: &str, next: Option<String>) -> usize {
    if let Some(languages) = other_languages::languages(text) {
        inv.diagnostics.other_languages.push((text.to_string(), languages));
        return 0;
    }
    if let Some(short) = general::short_form(text) {
        return scan_option(inv, scanner, &short, next);
    }
    let Some((spec, rest)) = general::find(text) else {
        scan_family(inv, scanner, text);
        return 0;
    };
    let (value, used) = match spec.form {
        Form::Exact => (String::new(), 0),
        Form::Joined | Form::JoinedMaybe => (rest.to_string(), 0),
        Form::Separate | Form::JoinedOrSeparate => {
            if !rest.is_empty() {
                (rest.to_string(), 0)
            } else if let Some(next) = next {
                (next, 1)
            } else {
                scanner.errors.push(format!("missing argument to {}", quote(text)));
                return 0;
            }
        }
    };
    match spec.name {
        "-x" | "--language" | "--language=" => set_language(scanner, &value),
        "-l" | "-Wl," | "-Xlinker" | "--for-linker" | "--for-linker=" => add_linker_input(inv, spec.name, &value),
        "-Xpreprocessor" | "-Wp," => {
            let parts: Vec<String> =
                if spec.name == "-Wp," { value.split(',').map(String::from).collect() } else { vec![value] };
            scan_preprocessor_arguments(inv, scanner, parts);
        }
        _ => push(inv, scanner, spec, true, value, text),
    }
    used
}

fn push(inv: &mut Invocation, scanner: &mut Scanner, spec: &'static Spec, on: bool, value: String, text: &str) {
    let pending = Pending { spec, on, value, text: text.to_string() };
    match spec.effect {
        Effect::Early(_) | Effect::EarlyValue(_) => {
            if let Err(message) = pending.apply(inv) {
                scanner.errors.push(message);
            }
        }
        _ => scanner.pending.push(pending),
    }
}

/// `-f`, `-m`, `-W`, `-g` and `-d` options.
fn scan_family(inv: &mut Invocation, scanner: &mut Scanner, written: &str) {
    let text = written;
    let known = arguments::check(&inv.program, written);
    if let arguments::Check::Wrong(message) = known {
        scanner.errors.push(message);
        return;
    }
    if let Some(name) = text.strip_prefix("-W") {
        match warning_flags::check(name, &inv.program) {
            Ok(flag) => {
                warning_flags::note_size(inv, &flag);
                inv.diagnostics.warnings.push(WarningFlag::Named(flag));
                return;
            }
            Err(warning_flags::Unknown::Silent) => return,
            Err(warning_flags::Unknown::Message(m)) => {
                scanner.errors.push(m);
                return;
            }
            Err(warning_flags::Unknown::Option) => {}
        }
    }
    // gcc's long spelling of `-fname`.
    let long = written.strip_prefix("--").map(|name| format!("-f{name}"));
    let text = long.as_deref().unwrap_or(text);
    if let Some(languages) = other_languages::languages(text) {
        inv.diagnostics.other_languages.push((text.to_string(), languages));
        return;
    }
    let table = match text.as_bytes().get(1) {
        Some(b'f') => Some((codegen_flags::TABLE, hints::F)),
        Some(b'm') => Some((machine_flags::TABLE, hints::M)),
        _ => None,
    };
    if let Some((table, hints)) = table {
        if let Some((spec, on, value)) = spec::find_in_family(table, &text[2..]) {
            push(inv, scanner, spec, on, value.to_string(), text);
            return;
        }
        if hints::contains(hints, &text[2..]) || text.as_bytes()[1] == b'f' && hints::open_ended(&text[2..]) {
            return;
        }
        if text.as_bytes()[1] == b'm' {
            // They apply in order after `-march=`, so they wait like the others.
            if let Some(spec) = machine_flags::feature(&text[2..]) {
                let value = text[2..].to_string();
                scanner.pending.push(Pending { spec, on: true, value, text: text.to_string() });
                return;
            }
        }
        if text.as_bytes()[1] == b'f' && finish::is_pass_flag(inv, &text[2..]) {
            return;
        }
    }
    match arguments::obsolete(text) {
        Some(arguments::Obsolete::Ignored) => return,
        Some(arguments::Obsolete::Removed) if arguments::is_negated(written) => return,
        Some(arguments::Obsolete::Removed) => {
            return inv.notices.push(format!("switch {} is no longer supported", quote(written)));
        }
        None => {}
    }
    scanner.errors.push(match known {
        arguments::Check::Fine => format!("{} is not supported", quote(written)),
        _ => arguments::unknown(written),
    });
}

/// `-Wp,-MD,file` and the like: the arguments are the preprocessor's own, in which `-MD` and `-MMD`
/// take a file.
fn scan_preprocessor_arguments(inv: &mut Invocation, scanner: &mut Scanner, parts: Vec<String>) {
    let mut i = 0;
    while i < parts.len() {
        let text = parts[i].as_str();
        let next = parts.get(i + 1).cloned();
        i += 1;
        if let ("-MD" | "-MMD", Some(file)) = (text, &next) {
            scan_option(inv, scanner, text, None);
            scan_option(inv, scanner, "-MF", Some(file.clone()));
            i += 1;
        } else if !text.is_empty() {
            i += scan_option(inv, scanner, text, next);
        }
    }
}

fn add_linker_input(inv: &mut Invocation, name: &str, value: &str) {
    match name {
        "-l" => inv.inputs.push(Input::Library(value.into())),
        "-Wl," => {
            let arguments = value.split(',').filter(|v| !v.is_empty());
            inv.inputs.extend(arguments.map(|v| Input::LinkerArgument(v.into())));
        }
        _ => inv.inputs.push(Input::LinkerArgument(value.into())),
    }
}

fn set_language(scanner: &mut Scanner, name: &str) {
    scanner.language = match name {
        "none" => None,
        "c" => Some(Language::C),
        "cpp-output" | "c-cpp-output" => Some(Language::PreprocessedC),
        "c-header" => Some(Language::Header),
        "assembler" => Some(Language::Assembler),
        "assembler-with-cpp" => Some(Language::AssemblerWithCpp),
        "ir" => Some(Language::Ir),
        _ => {
            scanner.errors.push(format!("language {name} not recognized"));
            None
        }
    };
}

fn add_file(inv: &mut Invocation, scanner: &mut Scanner, path: &OsStr) {
    let language = scanner.language.unwrap_or_else(|| language_of_suffix(path));
    inv.inputs.push(Input::File { path: PathBuf::from(path), language });
}

/// Options whose argument may be the next word; it is no file to compile.
const SEPARATE: &[&str] = &[
    "-o",
    "-x",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-B",
    "-T",
    "-u",
    "-e",
    "-z",
    "--sysroot",
    "--param",
];

/// Places of the arguments that are neither options nor their arguments: files, and `-` for
/// standard input.
pub fn operands(arguments: &[OsString]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut is_argument = false;
    for (at, argument) in arguments.iter().enumerate() {
        let text = argument.to_string_lossy();
        let is_option = text.starts_with(['-', '@']) && text != "-";
        if !is_argument && !is_option {
            places.push(at);
        }
        is_argument = !is_argument && SEPARATE.contains(&&*text);
    }
    places
}

/// What a file holds, by its name.
pub fn language_of_suffix(path: &OsStr) -> Language {
    match std::path::Path::new(path).extension().and_then(OsStr::to_str) {
        Some("c") => Language::C,
        Some("i") => Language::PreprocessedC,
        Some("h") => Language::Header,
        Some("s") => Language::Assembler,
        Some("S" | "sx") => Language::AssemblerWithCpp,
        Some("tir") => Language::Ir,
        _ => Language::LinkerInput,
    }
}

/// Whether an option with a `no-` form is in force: giving it changes nothing.
pub fn is_on(inv: &Invocation, option: &str) -> Option<bool> {
    let table = match option.as_bytes().get(1) {
        Some(b'f') => codegen_flags::TABLE,
        Some(b'm') => machine_flags::TABLE,
        _ => return None,
    };
    let spec = table.iter().find(|spec| spec.name == &option[2..])?;
    let Effect::Toggle(set) = spec.effect else { return None };
    let mut other = Invocation { options: inv.options.clone(), ..Invocation::default() };
    let before = format!("{:?}", other.options);
    set(&mut other, true);
    Some(format!("{:?}", other.options) == before)
}

/// Names after `-f` that tune gcc and have no effect here.
pub fn tuning_names() -> impl Iterator<Item = &'static str> {
    hints::F.split_ascii_whitespace()
}

/// gcc's quotation marks: ‘x’ in a UTF-8 locale, 'x' elsewhere.
pub fn quote(text: &str) -> String {
    if utf8_locale() { format!("‘{text}’") } else { format!("'{text}'") }
}

/// Whether messages may use characters beyond ASCII.
pub fn utf8_locale() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
    let value = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default();
    let value = value.to_ascii_lowercase();
    value.contains("utf-8") || value.contains("utf8")
}
