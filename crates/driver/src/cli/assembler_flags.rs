//! The options of GNU `as`: what follows `-Wa,` and `-Xassembler`, and the command line when the
//! program is called `as`.
//!
//! Every option that `as --help` of binutils 2.40 lists is a row: it has an effect, cannot change
//! what is generated, or is refused.

use crate::invocation::AssemblerOptions;
use std::path::PathBuf;

/// What an option of `as` does.
#[derive(Clone, Copy)]
enum Effect {
    /// It cannot change the object.
    Hint,
    /// It would change the object, and is not there.
    Refuse,
    Flag(fn(&mut AssemblerOptions)),
    /// The argument is joined, or the next word.
    Value(fn(&mut AssemblerOptions, &str) -> Result<(), String>),
    /// `name=value` with the values that are accepted without effect.
    Only(&'static [&'static str]),
    /// `name=value`.
    Equals(fn(&mut AssemblerOptions, &str) -> Result<(), String>),
}

use Effect::{Equals, Flag, Hint, Only, Refuse, Value};

#[rustfmt::skip]
static TABLE: &[(&str, Effect)] = &[
    ("-I", Value(|o, v| { o.include_dirs.push(v.into()); Ok(()) })),
    ("--defsym", Value(define)),
    ("--alternate", Flag(|o| o.alternate = true)),
    ("--noexecstack", Flag(|o| { o.stack_note = true; o.executable_stack = false; })),
    ("--execstack", Flag(|o| { o.stack_note = true; o.executable_stack = true; })),
    ("-L", Flag(|o| o.keep_locals = true)),
    ("--keep-locals", Flag(|o| o.keep_locals = true)),
    ("--strip-local-absolute", Flag(|o| o.strip_local_absolute = true)),
    ("--elf-stt-common=", Equals(|o, v| yes_no(v).map(|on| o.stt_common = on))),
    ("-mrelax-relocations=", Equals(|o, v| yes_no(v).map(|on| o.plain_got = !on))),
    ("--size-check=", Equals(size_check)),
    ("-mnaked-reg", Flag(|o| o.naked_registers = true)),
    ("-msyntax=", Equals(syntax)),
    ("-mshared", Flag(|o| o.shared = true)),
    ("-W", Flag(|o| o.no_warnings = true)),
    ("--no-warn", Flag(|o| o.no_warnings = true)),
    ("--warn", Flag(|o| { o.no_warnings = false; o.fatal_warnings = false; })),
    ("--fatal-warnings", Flag(|o| o.fatal_warnings = true)),
    ("-g", Flag(debug)),
    ("--gen-debug", Flag(debug)),
    // Tables of assembly are DWARF 5 in any case.
    ("--gdwarf-2", Flag(debug)),
    ("--gdwarf-3", Flag(debug)),
    ("--gdwarf-4", Flag(debug)),
    ("--gdwarf-5", Flag(debug)),
    ("-gdwarf-2", Flag(debug)),
    ("-gdwarf-3", Flag(debug)),
    ("-gdwarf-4", Flag(debug)),
    ("-gdwarf-5", Flag(debug)),
    ("--version", Flag(|o| o.version = true)),
    ("--help", Flag(|o| o.help = true)),
    ("-v", Flag(|o| o.announce = true)),
    ("-V", Flag(|o| o.announce = true)),

    // No effect on the object.
    ("--64", Hint), ("-f", Hint), ("-J", Hint), ("-K", Hint), ("-k", Hint), ("-q", Hint), ("-s", Hint),
    ("-w", Hint), ("-X", Hint), ("-nocpp", Hint), ("-Qy", Hint), ("-Qn", Hint), ("--divide", Hint),
    ("--reduce-memory-overheads", Hint), ("--traditional-format", Hint), ("--hash-size=", Equals(|_, _| Ok(()))),
    ("-no-pad-sections", Hint), ("-mamd64", Hint), ("--nocompress-debug-sections", Hint),
    ("--listing-lhs-width=", Equals(|_, _| Ok(()))), ("--listing-lhs-width2=", Equals(|_, _| Ok(()))),
    ("--listing-rhs-width=", Equals(|_, _| Ok(()))), ("--listing-cont-lines=", Equals(|_, _| Ok(()))),
    // Shorter encodings of the same operations, where there are any.
    ("-O", Hint), ("-O0", Hint), ("-O1", Hint), ("-O2", Hint), ("-Os", Hint),
    // All instructions are known at any time.
    ("-march=", Equals(|_, v| processor("-march=", v))),
    ("-mtune=", Equals(|_, v| processor("-mtune=", v))),
    // Line numbers of assembly source are not recorded.
    ("--debug-prefix-map", Value(|_, _| Ok(()))),
    ("--gdwarf-cie-version=", Only(&["1"])),
    // Sections are never compressed, which only size shows.
    ("--compress-debug-sections", Hint), ("--compress-debug-sections=", Equals(|_, _| Ok(()))),
    ("--generate-missing-build-notes=", Only(&["no"])),
    ("--multibyte-handling=", Only(&["allow"])),
    ("-mmnemonic=", Only(&["att"])),
    ("-msse-check=", Only(&["none", "warning"])),
    ("-moperand-check=", Only(&["none", "warning"])),
    ("-mavxscalar=", Only(&["128"])),
    ("-mvexwig=", Only(&["0"])),
    ("-mevexlig=", Only(&["128"])),
    ("-mevexwig=", Only(&["0"])),
    ("-mevexrcig=", Only(&["rne"])),
    ("-mx86-used-note=", Only(&["no"])),
    ("-momit-lock-prefix=", Only(&["no"])),
    ("-mfence-as-lock-add=", Only(&["no"])),
    ("-malign-branch-boundary=", Only(&["0"])),
    ("-malign-branch=", Equals(|_, _| Ok(()))),
    ("-malign-branch-prefix-size=", Equals(|_, _| Ok(()))),
    ("-mlfence-after-load=", Only(&["no"])),
    ("-mlfence-before-indirect-branch=", Only(&["none"])),
    ("-mlfence-before-ret=", Only(&["none"])),

    // Not there.
    ("--32", Refuse), ("--x32", Refuse), ("-D", Refuse), ("--dump-config", Refuse), ("--gdwarf-sections", Refuse),
    ("--gsframe", Refuse), ("--gstabs", Refuse), ("--gstabs+", Refuse),
    ("-M", Refuse), ("--mri", Refuse), ("--MD", Refuse), ("-n", Refuse), ("-R", Refuse), ("-Z", Refuse),
    ("--sectname-subst", Refuse), ("--statistics", Refuse), ("--target-help", Refuse), ("-mindex-reg", Refuse),
    ("-madd-bnd-prefix", Refuse), ("-mbranches-within-32B-boundaries", Refuse), ("-mintel64", Refuse),
    ("-msse2avx", Refuse), ("-muse-unaligned-vector-move", Refuse),
];

/// The processors that `-march=` and `-mtune=` of `as` know.
const PROCESSORS: &[&str] = &[
    "default",
    "push",
    "pop",
    "generic32",
    "generic64",
    "i8086",
    "i186",
    "i286",
    "i386",
    "i486",
    "i586",
    "i686",
    "pentium",
    "pentiumpro",
    "pentiumii",
    "pentiumiii",
    "pentium4",
    "prescott",
    "nocona",
    "core",
    "core2",
    "corei7",
    "iamcu",
    "k6",
    "k6_2",
    "athlon",
    "opteron",
    "k8",
    "amdfam10",
    "bdver1",
    "bdver2",
    "bdver3",
    "bdver4",
    "znver1",
    "znver2",
    "znver3",
    "znver4",
    "btver1",
    "btver2",
];

/// Reads options of `as`. Words that are no options go to `files`.
///
/// # Errors
/// What is wrong with the first bad one.
pub fn parse(options: &mut AssemblerOptions, words: &[String], files: &mut Vec<PathBuf>) -> Result<(), String> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "-" || !word.starts_with('-') {
            files.push(word.into());
            continue;
        }
        if word == "--" {
            continue;
        }
        let (effect, joined) = find(word).ok_or_else(|| not_supported(word))?;
        match effect {
            Hint => {}
            Refuse => return Err(not_supported(word)),
            Flag(f) => f(options),
            Equals(f) => f(options, joined)?,
            Only(accepted) => {
                if !accepted.contains(&joined) {
                    return Err(not_supported(word));
                }
            }
            Value(f) if !joined.is_empty() => f(options, joined)?,
            Value(f) => {
                let value =
                    words.next().ok_or_else(|| format!("option {} requires an argument", super::quote(word)))?;
                f(options, value)?;
            }
        }
    }
    Ok(())
}

/// The row of an option, and what is joined to it.
fn find(word: &str) -> Option<(Effect, &str)> {
    let exact = TABLE.iter().find(|(name, effect)| *name == word && !matches!(effect, Equals(_) | Only(_)));
    if let Some((_, effect)) = exact {
        return Some((*effect, ""));
    }
    TABLE.iter().find_map(|(name, effect)| {
        let rest = word.strip_prefix(name)?;
        match effect {
            Equals(_) | Only(_) if name.ends_with('=') => Some((*effect, rest)),
            Value(_) if name.len() == 2 => Some((*effect, rest)),
            Value(_) => Some((*effect, rest.strip_prefix('=')?)),
            _ => None,
        }
    })
}

fn not_supported(word: &str) -> String {
    format!("{} is not supported by the assembler", super::quote(word))
}

fn yes_no(value: &str) -> Result<bool, String> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("expected yes or no, not {}", super::quote(value))),
    }
}

/// `-g`
fn debug(options: &mut AssemblerOptions) {
    options.debug = true;
}

/// `SYMBOL=VALUE`
fn define(options: &mut AssemblerOptions, value: &str) -> Result<(), String> {
    let bad = || format!("bad defsym {}; format is --defsym name=value", super::quote(value));
    let (name, number) = value.split_once('=').ok_or_else(bad)?;
    let (negative, digits) = number.strip_prefix('-').map_or((false, number), |digits| (true, digits));
    let number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16),
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    let number = number.map_err(|_| bad())? as i64;
    options.symbols.push((name.into(), if negative { number.wrapping_neg() } else { number }));
    Ok(())
}

fn size_check(options: &mut AssemblerOptions, value: &str) -> Result<(), String> {
    options.size_warnings = match value {
        "error" => false,
        "warning" => true,
        _ => return Err(format!("invalid --size-check= option: {}", super::quote(value))),
    };
    Ok(())
}

fn syntax(options: &mut AssemblerOptions, value: &str) -> Result<(), String> {
    options.intel_syntax = match value {
        "att" => false,
        "intel" => true,
        _ => return Err(format!("invalid -msyntax= option: {}", super::quote(value))),
    };
    Ok(())
}

fn processor(option: &str, value: &str) -> Result<(), String> {
    let name = value.split('+').next().unwrap_or_default();
    if PROCESSORS.contains(&name) || name.is_empty() && value.starts_with('+') {
        return Ok(());
    }
    Err(format!("invalid {option} option: {}", super::quote(value)))
}

/// The text of `--help`.
pub fn help(program: &str) -> String {
    let mut text = format!("Usage: {program} [option...] [asmfile...]\nOptions:\n  -o OBJFILE\n  @FILE\n");
    for (name, effect) in TABLE {
        match effect {
            Refuse => {}
            Value(_) => text.push_str(&format!("  {name} VALUE\n")),
            Only(values) => text.push_str(&format!("  {name}{}\n", values.join("|"))),
            Equals(_) if name.ends_with('=') => text.push_str(&format!("  {name}VALUE\n")),
            Hint | Flag(_) | Equals(_) => text.push_str(&format!("  {name}\n")),
        }
    }
    text
}
