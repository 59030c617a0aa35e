//! `-D -U -I -include -M...`: the preprocessor's options.

use super::arguments::non_negative as number;
use super::spec::{Form, Spec, flag, hint, value};
use crate::invocation::{Dump, Invocation, MacroAction, PreprocessMode, Stop};
use Form::{Exact, Joined, JoinedOrSeparate, Separate};
use base::charset::Converter;
use std::path::PathBuf;

/// A directory argument: a leading `=` or `$SYSROOT` stands for the sysroot.
fn dir(inv: &Invocation, v: &str) -> PathBuf {
    let root = || inv.header_sysroot.clone().or(inv.sysroot.clone()).unwrap_or_default();
    match v.strip_prefix('=').or_else(|| v.strip_prefix("$SYSROOT")) {
        Some(rest) => {
            let mut path = root().into_os_string();
            path.push(rest);
            path.into()
        }
        None => PathBuf::from(v),
    }
}

fn define(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.preprocess.macros.push(MacroAction::Define(v.to_string()));
    Ok(())
}

fn undefine(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.preprocess.macros.push(MacroAction::Undefine(v.to_string()));
    Ok(())
}

fn include(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.preprocess.includes.push(v.into());
    Ok(())
}

fn imacros(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.preprocess.imacros.push(v.into());
    Ok(())
}

fn user_dir(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let d = dir(inv, v);
    inv.include.user.push(d);
    Ok(())
}

fn after_dir(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let d = dir(inv, v);
    inv.include.after.push(d);
    Ok(())
}

fn prefixed(inv: &Invocation, v: &str) -> PathBuf {
    PathBuf::from(format!("{}{v}", inv.include.prefix))
}

fn rule(inv: &mut Invocation, skip_system: bool) {
    inv.stop = Stop::Preprocess;
    inv.preprocess.mode = PreprocessMode::Rule;
    inv.preprocess.dependencies.wanted = true;
    inv.preprocess.dependencies.skip_system = skip_system;
}

fn rule_beside(inv: &mut Invocation, skip_system: bool) {
    inv.dependency_file_from_output = true;
    inv.preprocess.dependencies.wanted = true;
    inv.preprocess.dependencies.skip_system = skip_system;
}

fn dump(inv: &mut Invocation, letters: &str) -> Result<(), String> {
    for letter in letters.chars() {
        match letter {
            'M' => inv.preprocess.dump = Dump::MacrosOnly,
            'D' => inv.preprocess.dump = Dump::Definitions,
            'N' => inv.preprocess.dump = Dump::Names,
            'I' => inv.preprocess.dump = Dump::Includes,
            'U' => inv.preprocess.dump = Dump::Used,
            // Debugging dumps of gcc's passes and annotated assembly: nothing of ours has them.
            'p' | 'A' | 'P' | 'H' | 'a' | 'r' | 'x' => {}
            _ => inv.notices.push(format!("unrecognized gcc debugging option: {letter}")),
        }
    }
    Ok(())
}

/// The rows.
#[rustfmt::skip]
pub static TABLE: &[Spec] = &[
    value("-D", JoinedOrSeparate, define),
    value("-U", JoinedOrSeparate, undefine),
    flag("-undef", |i| i.preprocess.undef = true),
    value("-I", JoinedOrSeparate, user_dir),
    value("-iquote", JoinedOrSeparate, |i, v| { let d = dir(i, v); i.preprocess.quote_dirs.push(d); Ok(()) }),
    value("-isystem", JoinedOrSeparate, |i, v| { let d = dir(i, v); i.include.system.push(d); Ok(()) }),
    value("-idirafter", JoinedOrSeparate, after_dir),
    value("-iprefix", JoinedOrSeparate, |i, v| { i.include.prefix = v.into(); Ok(()) }),
    value("-iwithprefix", JoinedOrSeparate, |i, v| { let d = prefixed(i, v); i.include.after.push(d); Ok(()) }),
    value("-iwithprefixbefore", JoinedOrSeparate, |i, v| { let d = prefixed(i, v); i.include.user.push(d); Ok(()) }),
    value("-isysroot", JoinedOrSeparate, |i, v| { i.header_sysroot = Some(v.into()); Ok(()) }),
    hint("-imultilib", Separate), hint("-imultiarch", Separate),
    flag("-nostdinc", |i| i.include.no_standard = true),
    value("-include", JoinedOrSeparate, include),
    value("-imacros", JoinedOrSeparate, imacros),
    flag("-M", |i| rule(i, false)),
    flag("-MM", |i| rule(i, true)),
    flag("-MD", |i| rule_beside(i, false)),
    flag("-MMD", |i| rule_beside(i, true)),
    flag("-MP", |i| i.preprocess.dependencies.phony = true),
    flag("-MG", |i| i.preprocess.dependencies.missing_generated = true),
    value("-MF", JoinedOrSeparate, |i, v| { i.preprocess.dependencies.file = Some(v.into()); Ok(()) }),
    value("-MT", JoinedOrSeparate, |i, v| { i.preprocess.dependencies.targets.push(v.into()); Ok(()) }),
    value("-MQ", JoinedOrSeparate, |i, v| { i.preprocess.dependencies.targets.push(quote_for_make(v)); Ok(()) }),
    flag("-P", |i| i.preprocess.no_line_markers = true),
    flag("-C", |i| i.preprocess.keep_comments = true),
    flag("-CC", |i| { i.preprocess.keep_comments = true; i.preprocess.keep_macro_comments = true; }),
    flag("-H", |i| i.preprocess.show_includes = true),
    value("-d", Joined, dump), value("--dump=", Joined, dump), value("--dump", Separate, dump),
    flag("-trigraphs", |i| i.options.language.trigraphs = true),
    hint("-remap", Exact), hint("-lang-asm", Exact),
    flag("-traditional-cpp", |i| i.preprocess.traditional = true),
    flag("--traditional-cpp", |i| i.preprocess.traditional = true),
    flag("-traditional", |i| { i.preprocess.traditional = true; i.preprocess.only_traditional = true; }),
    value("-A", JoinedOrSeparate, |_, v| if v.starts_with('-') { Ok(()) } else { Err("assertions (-A) are not supported".into()) }),
    flag("-fpreprocessed", |i| i.preprocess.preprocessed = true),
    flag("-fno-preprocessed", |i| i.preprocess.preprocessed = false),
    flag("-fdirectives-only", |i| i.preprocess.directives_only = true),
    flag("-fno-directives-only", |i| i.preprocess.directives_only = false),
    value("--embed-dir=", Joined, |i, v| { i.preprocess.embed_dirs.push(v.into()); Ok(()) }),
    value("-ftabstop=", Joined, |i, v| { let n = number("-ftabstop=", v)?.clamp(1, 100) as u32; i.preprocess.tab_stop = n; i.diagnostics.look.tab_stop = n; Ok(()) }),
    value("-fmax-macro-tokens=", Joined, |i, v| { i.preprocess.max_macro_tokens = number("-fmax-macro-tokens=", v)?; Ok(()) }),
    value("-fmax-include-depth=", Joined, |i, v| { i.preprocess.max_include_depth = number("-fmax-include-depth=", v)? as u32; Ok(()) }),
    flag("-ftrack-macro-expansion", |i| i.diagnostics.look.untracked_expansion = false),
    value("-ftrack-macro-expansion=", Joined, |i, v| { i.diagnostics.look.untracked_expansion = number("-ftrack-macro-expansion=", v)? == 0; Ok(()) }),
    flag("-fno-track-macro-expansion", |i| i.diagnostics.look.untracked_expansion = true),
    flag("-fworking-directory", |i| i.preprocess.working_directory = true),
    flag("-fno-working-directory", |i| i.preprocess.working_directory = false),
    value("-finput-charset=", Joined, |i, v| { i.options.language.charsets.input = charset("-finput-charset=", v)?; Ok(()) }),
    value("-fexec-charset=", Joined, |i, v| {
        let sets = &mut i.options.language.charsets;
        sets.narrow = charset("-fexec-charset=", v)?;
        sets.no_ascii = sets.narrow.as_ref().is_some_and(|name| !keeps_ascii(name));
        Ok(())
    }),
    value("-fwide-exec-charset=", Joined, |i, v| {
        i.options.language.charsets.wide = charset("-fwide-exec-charset=", v)?;
        Ok(())
    }),

    value("--define-macro=", Joined, define), value("--define-macro", Separate, define),
    value("--undefine-macro=", Joined, undefine), value("--undefine-macro", Separate, undefine),
    value("--include-directory=", Joined, user_dir), value("--include-directory", Separate, user_dir),
    value("--include-directory-after=", Joined, after_dir), value("--include-directory-after", Separate, after_dir),
    value("--include=", Joined, include), value("--include", Separate, include),
    value("--imacros=", Joined, imacros), value("--imacros", Separate, imacros),
    flag("--no-standard-includes", |i| i.include.no_standard = true),
    flag("--no-line-commands", |i| i.preprocess.no_line_markers = true),
    flag("--comments", |i| i.preprocess.keep_comments = true),
    flag("--comments-in-macros", |i| { i.preprocess.keep_comments = true; i.preprocess.keep_macro_comments = true; }),
    flag("--trace-includes", |i| i.preprocess.show_includes = true),
    flag("--trigraphs", |i| i.options.language.trigraphs = true),
    flag("--dependencies", |i| rule(i, false)),
    flag("--user-dependencies", |i| rule(i, true)),
    flag("--write-dependencies", |i| rule_beside(i, false)),
    flag("--write-user-dependencies", |i| rule_beside(i, true)),
    flag("--print-missing-file-dependencies", |i| i.preprocess.dependencies.missing_generated = true),
];

/// The name of a character set that the C library can convert to UTF-8, which the option for input
/// wants, or from it; `None` for UTF-8 itself.
fn charset(option: &str, name: &str) -> Result<Option<String>, String> {
    if name.is_empty() {
        return Err(format!("missing argument to {}", super::quote(option)));
    }
    let of_input = option == "-finput-charset=";
    if matches!(name.to_ascii_uppercase().as_str(), "UTF-8" | "UTF8") {
        return Ok(None);
    }
    let (to, from) = if of_input { ("UTF-8", name) } else { (name, "UTF-8") };
    let opened = Converter::open(to, from);
    match opened {
        Some(_) => Ok(Some(name.to_string())),
        None if of_input => Err(format!("conversion from {name} to UTF-8 not supported by iconv")),
        None => Err(format!("conversion from UTF-8 to {name} not supported by iconv")),
    }
}

/// The characters of ASCII have their codes in this character set, too.
fn keeps_ascii(name: &str) -> bool {
    let ascii: Vec<u8> = (0x20..0x7f).collect();
    let mut converted = Vec::new();
    Converter::open(name, "UTF-8").is_some_and(|mut to| to.convert(&ascii, &mut converted).is_ok())
        && converted == ascii
}

/// Quote a target for make as `-MQ` does: `$` doubles, blanks and `#` get a backslash, backslashes
/// before a blank double.
pub fn quote_for_make(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut backslashes = 0;
    for c in name.chars() {
        match c {
            ' ' | '\t' => out.extend(std::iter::repeat_n('\\', backslashes + 1)),
            '#' => out.push('\\'),
            '$' => out.push('$'),
            _ => {}
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        out.push(c);
    }
    out
}
