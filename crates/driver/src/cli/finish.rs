//! What follows from the level and the standard, and the checks on the whole command line.

use crate::cli::preprocessor_flags::quote_for_make;
use crate::invocation::{Input, Invocation, Language, Stop};
use platform::options::{CodeModel, FpContract, OptLevel, PicLevel, Profile, Standard};
use std::path::{Path, PathBuf};

/// Defaults that `-O` and `-std=` imply; every explicit flag is applied after this.
pub fn apply_defaults_of_level_and_standard(inv: &mut Invocation) {
    let level = inv.options.level;
    let code = &mut inv.options.codegen;
    code.omit_frame_pointer = level >= OptLevel::O1;
    code.strict_aliasing = level >= OptLevel::O2;
    code.sibling_calls = level >= OptLevel::O2;
    let language = &mut inv.options.language;
    language.gnu_keywords = language.gnu;
    language.trigraphs = !language.gnu && language.standard < Standard::C23;
    language.gnu89_inline = language.standard < Standard::C99;
    if !language.gnu {
        code.float.contract = FpContract::Off;
    }
    code.float.int_builtin_inexact = language.standard < Standard::C23;
    if cfg!(debug_assertions) {
        inv.options.verify = true;
    }
}

/// `-fgvn`, `-fno-gvn`: a pass of the middle end by name, without `-f`.
pub fn is_pass_flag(inv: &mut Invocation, text: &str) -> bool {
    let (name, on) = match text.strip_prefix("no-") {
        Some(name) => (name, false),
        None => (text, true),
    };
    let known = middle::pipeline::find(name).is_some();
    if known {
        inv.options.passes.push((name.to_string(), on));
    }
    known
}

/// Contradictions, in gcc's words.
pub fn check_consistency(inv: &mut Invocation, errors: &mut Vec<String>) {
    if !inv.queries.is_empty() {
        return;
    }
    let files = || {
        inv.inputs
            .iter()
            .filter_map(|i| if let Input::File { path, language } = i { Some((path, *language)) } else { None })
    };
    let language = &inv.options.language;
    if language.standard < Standard::C99 && !language.gnu89_inline {
        let option = super::quote("-fno-gnu89-inline");
        errors.push(format!("{option} is only supported in GNU99 or C99 mode"));
    }
    if inv.preprocess.only_traditional && inv.stop != Stop::Preprocess {
        errors.push("GNU C no longer supports -traditional without -E".into());
    }
    if inv.split_dwarf && inv.options.codegen.dwarf_version < 5 {
        inv.notices.push("-gsplit-dwarf: debug information stays in the object file before DWARF 5".into());
    }
    let compiled = files().filter(|(_, l)| *l != Language::LinkerInput).count();
    if inv.output.is_some() && inv.stop != Stop::Link && compiled > 1 {
        errors.push(format!(
            "cannot specify {} with {}, {} or {} with multiple files",
            super::quote("-o"),
            super::quote("-c"),
            super::quote("-S"),
            super::quote("-E")
        ));
    }
    for (path, language) in files() {
        if path.as_os_str() == "-" && language == Language::LinkerInput && inv.stop != Stop::Preprocess {
            errors.push("-E or -x required when input is from standard input".into());
        }
        if is_foreign_source(path) && language == Language::LinkerInput {
            errors.push(format!("{}: only C and assembly are compiled here", path.display()));
        }
        // A device is no file that would be lost: `-x c /dev/null -o /dev/null` is how options are
        // tried.
        let same = inv.output.as_deref() == Some(path) && path.as_os_str() != "-" && !crate::output::is_special(path);
        if language != Language::LinkerInput && same {
            errors.push(format!("input file {} is the same as output file", super::quote(&path.display().to_string())));
        }
    }
    if inv.options.codegen.compress_debug && inv.stop == Stop::Link {
        inv.link.leading.push("--compress-debug-sections=zlib".into());
    }
    check_dependencies(inv, errors);
    inv.options.codegen.unwind_tables |= inv.synchronous_unwind_tables;
    inv.options.codegen.recorded_switches = inv.record_switches.then(|| recorded_switches(inv));
    if inv.tracks_variables && inv.options.codegen.debug_level == 0 {
        inv.notices.push("variable tracking requested, but useless unless producing debug info".into());
    }
    let code = &inv.options.codegen;
    if code.float.associative && (code.float.signed_zeros || code.float.trapping_math) {
        inv.options.codegen.float.associative = false;
        let option = super::quote("-fassociative-math");
        inv.notices.push(format!("{option} disabled; other options take precedence"));
    }
    if inv.options.codegen.code_model == CodeModel::Kernel && inv.options.codegen.pic != PicLevel::None {
        errors.push("code model kernel does not support PIC mode".into());
    }
    if inv.profile {
        let code = &mut inv.options.codegen;
        code.profile = Some(if inv.fentry { Profile::Fentry } else { Profile::Mcount });
        code.omit_frame_pointer &= inv.fentry;
        if code.code_model == CodeModel::Large {
            errors.push("-pg is not supported with -mcmodel=large".into());
        }
    }
    if inv.options.codegen.entries.nop && inv.options.codegen.pic != PicLevel::None {
        errors.push(format!("{} is not implemented for {}", super::quote("-mnop-mcount"), super::quote("-fPIC")));
    }
    super::sanitize_flags::choose_address_checks(inv);
    super::sanitize_flags::check(inv, errors);
    inv.options.codegen.cf_protection &= 3;
    let variables: &[_] = if inv.no_environment { &[] } else { &[("CPATH", true), ("C_INCLUDE_PATH", false)] };
    for pair in variables {
        add_environment_dirs(inv, pair.0, pair.1);
    }
}

/// Options of dependency rules without a rule.
fn check_dependencies(inv: &Invocation, errors: &mut Vec<String>) {
    let asked = &inv.preprocess.dependencies;
    if asked.wanted {
        return;
    }
    let [rule, own_rule] = ["-M", "-MM"].map(super::quote);
    if asked.missing_generated || asked.phony || !asked.targets.is_empty() || asked.file.is_some() {
        errors.push(format!("to generate dependencies you must specify either {rule} or {own_rule}"));
    }
    if asked.missing_generated {
        errors.push(format!("{} may only be used with {rule} or {own_rule}", super::quote("-MG")));
    }
}

/// What `-frecord-gcc-switches` leaves in the object: the compiler and the options that concern
/// the code.
fn recorded_switches(inv: &Invocation) -> String {
    let of_code = |word: &String| {
        ["-f", "-m", "-O", "-g", "-std="].iter().any(|family| word.starts_with(family))
            && !word.contains("-prefix-map=")
            && word != "-frecord-gcc-switches"
    };
    let words = inv.arguments.iter().map(|word| word.to_string_lossy().into_owned()).filter(of_code);
    std::iter::once(concat!("GNU C17 12.2.0 (tcc-rs ", env!("CARGO_PKG_VERSION"), ")").to_owned())
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Sources of languages gcc compiles and this compiler does not.
fn is_foreign_source(path: &Path) -> bool {
    const SUFFIXES: &[&str] = &[
        "cc", "cp", "cxx", "cpp", "c++", "C", "CPP", "ii", "m", "mi", "mm", "M", "f", "for", "f90", "f95", "ads",
        "adb", "d", "go", "hpp", "hh",
    ];
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| SUFFIXES.contains(&e))
}

/// `CPATH` follows `-I`, `C_INCLUDE_PATH` follows `-isystem`; an empty element is the current
/// directory.
fn add_environment_dirs(inv: &mut Invocation, variable: &str, user: bool) {
    let Some(value) = std::env::var_os(variable).filter(|v| !v.is_empty()) else { return };
    let dirs = std::env::split_paths(&value).map(|p| if p.as_os_str().is_empty() { PathBuf::from(".") } else { p });
    if user { inv.include.user.extend(dirs) } else { inv.include.system.extend(dirs) }
}

/// The dependency rule's targets and file for one source, where the command line did not give them.
pub fn complete_dependencies(inv: &Invocation, source: &Path) -> crate::invocation::Dependencies {
    let mut d = inv.preprocess.dependencies.clone();
    if !d.wanted {
        return d;
    }
    let own_output = own_output(inv);
    if d.targets.is_empty() {
        let target = own_output.cloned().unwrap_or_else(|| stem(source).with_extension("o"));
        d.targets.push(quote_for_make(&target.to_string_lossy()));
    }
    if inv.dependency_file_from_output && d.file.is_none() {
        d.file = Some(file_beside_output(inv, source, "d"));
    }
    d
}

/// The output, if it belongs to one source alone and is not preprocessed text: it names the targets
/// of dependency rules, and the files beside it.
fn own_output(inv: &Invocation) -> Option<&PathBuf> {
    let is_source = |i: &&Input| matches!(i, Input::File { language, .. } if *language != Language::LinkerInput);
    let compiled = inv.inputs.iter().filter(is_source).count();
    inv.output.as_ref().filter(|o| inv.stop != Stop::Preprocess && compiled == 1 && o.as_os_str() != "-")
}

fn stem(source: &Path) -> PathBuf {
    PathBuf::from(source.file_stem().unwrap_or(source.as_os_str()))
}

/// The file of remarks about a source: named after its own output, else after the source, as clang
/// does.
pub fn record_file(inv: &Invocation, source: &Path) -> PathBuf {
    let own = own_output(inv).filter(|_| inv.stop != Stop::Link);
    own.cloned().unwrap_or_else(|| stem(source)).with_extension("opt.yaml")
}

/// A file of a source that is named after the output, or after the source: `.d`, `.su`. What is
/// compiled and linked in one go has both names, unless they are one, as in gcc.
pub fn file_beside_output(inv: &Invocation, source: &Path, extension: &str) -> PathBuf {
    let stem = stem(source);
    let prefixed = |prefix: &str| PathBuf::from(format!("{prefix}-{}.{extension}", stem.display()));
    match (own_output(inv), &inv.output, inv.stop) {
        (_, None, Stop::Link) => prefixed("a"),
        (own, Some(output), Stop::Link) if own.is_none() || extension != "d" => {
            let output = if output.as_os_str() == "a.out" || output.extension().is_some_and(|e| e == "exe") {
                output.with_extension("")
            } else {
                output.clone()
            };
            match output.file_name() == Some(stem.as_os_str()) {
                true => PathBuf::from(format!("{}.{extension}", output.display())),
                false => prefixed(&output.to_string_lossy()),
            }
        }
        (Some(output), ..) => output.with_extension(extension),
        _ => stem.with_extension(extension),
    }
}
