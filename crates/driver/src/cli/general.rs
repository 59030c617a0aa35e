//! Options outside the `-f`, `-m` and `-W` families.

use super::arguments::non_negative as number;
use super::preprocessor_flags as pp;
use super::spec::{Effect, Form, Spec, flag, hint, refuse, value};
use crate::invocation::{Emit, Invocation, PreprocessMode, Query, Stop, WarningFlag};
use Form::{Exact, Joined, JoinedMaybe, JoinedOrSeparate, Separate};
use platform::options::{OptLevel, Standard, StatsForm};
use std::path::PathBuf;
use std::sync::OnceLock;

/// Find the row of an option (given with its dash) and the text after the row's name. An exact name
/// wins over a prefix, a longer prefix over a shorter one.
pub fn find(text: &str) -> Option<(&'static Spec, &str)> {
    let rows = || alike(text);
    if let Some(spec) = rows().find(|s| s.name == text && s.form != Joined) {
        return Some((spec, ""));
    }
    let spec = rows()
        .filter(|s| matches!(s.form, Joined | JoinedMaybe | JoinedOrSeparate) && text.starts_with(s.name))
        .filter(|s| s.form != Joined || text.len() > s.name.len() || s.name.ends_with(['=', ',']))
        .max_by_key(|s| s.name.len())?;
    // `-fabc`, `-march=..`, `-Wx` belong to their families, `-help` is not `-h elp`.
    Some((spec, &text[spec.name.len()..]))
}

/// The rows whose first letter is that of a text, in order.
/// `-save-temps=`: `cwd` or `obj`.
fn save_temps(inv: &mut Invocation, v: &str) -> Result<(), String> {
    if !matches!(v, "cwd" | "obj") {
        let [given, option] = [format!("-save-temps={v}"), "-save-temps".into()].map(|text| super::quote(&text));
        return Err(format!("{given} is an unknown {option} option"));
    }
    inv.save_temps = Some(v == "obj");
    Ok(())
}

fn alike(text: &str) -> impl Iterator<Item = &'static Spec> {
    static BY_LETTER: OnceLock<Vec<Vec<&'static Spec>>> = OnceLock::new();
    let letter = |name: &str| usize::from(name.as_bytes().get(1).copied().unwrap_or(0) & 0x7f);
    let table = BY_LETTER.get_or_init(|| {
        let mut table = vec![Vec::new(); 0x80];
        rows().for_each(|row| table[letter(row.name)].push(row));
        table
    });
    table[letter(text)].iter().copied()
}

/// gcc's long spellings of options that have a row under their short one only; `=` takes an
/// argument.
#[rustfmt::skip]
const SPELLINGS: &[(&str, &str)] = &[
    ("--dumpbase", "-dumpbase"), ("--dumpbase-ext", "-dumpbase-ext"), ("--dumpdir", "-dumpdir"), ("--force-link", "-u"),
    ("--include-prefix", "-iprefix"), ("--include-prefix=", "-iprefix"), ("--include-with-prefix", "-iwithprefix"),
    ("--include-with-prefix=", "-iwithprefix"), ("--include-with-prefix-after", "-iwithprefix"),
    ("--include-with-prefix-after=", "-iwithprefix"), ("--include-with-prefix-before", "-iwithprefixbefore"),
    ("--include-with-prefix-before=", "-iwithprefixbefore"), ("--no-canonical-prefixes", "-no-canonical-prefixes"),
    ("--no-integrated-cpp", "-no-integrated-cpp"), ("--no-standard-libraries", "-nostdlib"), ("--prefix", "-B"),
    ("--pie", "-pie"), ("--no-pie", "-no-pie"), ("--static-pie", "-static-pie"), ("--symbolic", "-symbolic"),
    ("--time", "-time"), ("--traditional", "-traditional"), ("--for-assembler", "-Xassembler"),
];

/// The short spelling of a long option of [`SPELLINGS`], with its joined argument.
pub fn short_form(text: &str) -> Option<String> {
    let end = text.find('=').map_or(text.len(), |at| at + 1);
    let (_, short) = SPELLINGS.iter().find(|(long, _)| *long == &text[..end])?;
    Some(format!("{short}{}", &text[end..]))
}

/// The rows of all options outside the families.
pub fn rows() -> impl Iterator<Item = &'static Spec> {
    TABLE.iter().chain(pp::TABLE).chain(LONG)
}

/// An option handled by the scanner itself, because its position among the inputs counts.
const fn positional(name: &'static str, form: Form) -> Spec {
    hint(name, form)
}

fn link_flag(inv: &mut Invocation, text: &str) {
    inv.link.leading.push(text.into());
}

fn link_pair(inv: &mut Invocation, name: &str, v: &str) -> Result<(), String> {
    inv.link.leading.push(name.into());
    inv.link.leading.push(v.into());
    Ok(())
}

fn query(inv: &mut Invocation, q: Query) {
    inv.queries.push(q);
}

#[rustfmt::skip]
static TABLE: &[Spec] = &[
    // Stages and output.
    flag("-c", |i| i.stop = i.stop.min_stage(Stop::Object)),
    flag("-S", |i| i.stop = i.stop.min_stage(Stop::Assembly)),
    flag("-E", |i| i.stop = Stop::Preprocess),
    flag("-fsyntax-only", |i| { i.stop = i.stop.min_stage(Stop::Check); i.options.language.syntax_only = true; }),
    value("-o", JoinedOrSeparate, |i, v| { i.output = Some(PathBuf::from(v)); Ok(()) }),
    positional("-x", JoinedOrSeparate),
    hint("-pipe", Exact),
    hint("-pass-exit-codes", Exact),
    flag("-save-temps", |i| i.save_temps = Some(false)),
    value("-save-temps=", Joined, save_temps),
    flag("-v", |i| i.verbose = true),
    flag("-###", |i| { i.verbose = true; i.dry_run = true; }),
    flag("-time", |i| i.time = true),
    flag("-Q", |i| i.show_states = true), hint("-quiet", Exact),
    flag("-Qn", |i| i.options.codegen.ident = false), hint("-Qy", Exact),
    hint("-no-integrated-cpp", Exact), hint("-no-canonical-prefixes", Exact), hint("-canonical-prefixes", Exact),
    refuse("-wrapper", "there are no subprocesses to wrap"),
    // Their files have been read by `specs`.
    hint("-specs=", Joined), hint("-specs", Separate),
    hint("-dumpbase", Separate), hint("-dumpbase-ext", Separate), hint("-dumpdir", Separate),
    value("--param", Separate, super::params::set), value("--param=", Joined, super::params::set),
    refuse("-aux-info", "prototype listings are not written"),

    // Questions.
    flag("-dumpversion", |i| query(i, Query::DumpVersion)),
    flag("-dumpfullversion", |i| query(i, Query::DumpFullVersion)),
    flag("-dumpmachine", |i| query(i, Query::DumpMachine)),
    flag("-dumpspecs", |i| query(i, Query::DumpSpecs)),
    value("-print-prog-name=", Joined, |i, v| { query(i, Query::ProgName(v.into())); Ok(()) }),
    value("-print-file-name=", Joined, |i, v| { query(i, Query::FileName(v.into())); Ok(()) }),
    flag("-print-libgcc-file-name", |i| query(i, Query::LibgccFileName)),
    flag("-print-search-dirs", |i| query(i, Query::SearchDirs)),
    flag("-print-sysroot", |i| query(i, Query::Sysroot)),
    flag("-print-multi-os-directory", |i| query(i, Query::MultiOsDirectory)),
    flag("-print-multi-directory", |i| query(i, Query::MultiDirectory)),
    flag("-print-multi-lib", |i| query(i, Query::MultiLib)),
    flag("-print-multiarch", |i| query(i, Query::Multiarch)),

    // Level and language.
    Spec { name: "-O", form: JoinedMaybe, effect: Effect::EarlyValue(set_level) },
    Spec { name: "-std=", form: Joined, effect: Effect::EarlyValue(set_standard) },
    Spec { name: "-ansi", form: Exact, effect: Effect::Early(|i| { set_standard(i, "c90").ok(); }) },
    flag("-w", |i| warning(i, WarningFlag::InhibitAll)),
    flag("-pedantic", |i| named_warning(i, "pedantic")),
    flag("-pedantic-errors", |i| warning(i, WarningFlag::PedanticErrors)),

    // Debug information.
    value("-g", JoinedMaybe, set_debug),

    // Linking.
    positional("-l", JoinedOrSeparate),
    positional("-Wl,", Joined),
    positional("-Xlinker", Separate),
    value("-L", JoinedOrSeparate, |i, v| { i.link.library_dirs.push(v.into()); Ok(()) }),
    value("-B", JoinedOrSeparate, |i, v| { i.link.prefixes.push(v.into()); Ok(()) }),
    flag("-shared", |i| i.link.shared = true),
    flag("-static", |i| i.link.static_ = true),
    flag("-static-pie", |i| i.link.static_pie = true),
    flag("-pie", |i| i.link.pie = Some(true)),
    flag("-no-pie", |i| i.link.pie = Some(false)),
    flag("-nopie", |i| i.link.pie = Some(false)),
    flag("-r", |i| i.link.relocatable = true),
    flag("-nostdlib", |i| i.link.no_stdlib = true),
    flag("-nostartfiles", |i| i.link.no_startfiles = true),
    flag("-nodefaultlibs", |i| i.link.no_defaultlibs = true),
    flag("-nolibc", |i| i.link.no_libc = true),
    flag("-rdynamic", |i| i.link.export_dynamic = true),
    flag("-pthread", |i| { i.link.pthread = true; i.preprocess.reentrant = true; }),
    flag("-static-libgcc", |i| i.link.static_libgcc = Some(true)),
    flag("-shared-libgcc", |i| i.link.static_libgcc = Some(false)),
    flag("-static-libasan", |i| i.link.static_libasan = true), flag("-static-libtsan", |i| i.link.static_libtsan = true),
    hint("-static-libubsan", Exact), hint("-static-libstdc++", Exact), hint("-static-libhwasan", Exact),
    hint("-static-liblsan", Exact), hint("-static-libgfortran", Exact), hint("-static-libgo", Exact), hint("-static-libphobos", Exact),
    // gcc's driver knows them for other targets and gives them to no program of this one.
    hint("-F", JoinedOrSeparate), hint("-R", JoinedOrSeparate), hint("-h", JoinedOrSeparate),
    flag("-Z", |i| link_flag(i, "-Z")),
    flag("-s", |i| i.link.strip = true),
    flag("-t", |i| link_flag(i, "-t")),
    flag("-N", |i| link_flag(i, "-N")),
    flag("-n", |i| link_flag(i, "-n")),
    flag("-symbolic", |i| link_flag(i, "-Bsymbolic")),
    value("-T", JoinedOrSeparate, |i, v| link_pair(i, "-T", v)),
    value("-u", JoinedOrSeparate, |i, v| link_pair(i, "-u", v)),
    value("-e", JoinedOrSeparate, |i, v| link_pair(i, "-e", v)),
    value("-z", JoinedOrSeparate, |i, v| link_pair(i, "-z", v)),
    value("-fuse-ld=", Joined, set_linker),
    positional("-Wp,", Joined),
    positional("-Xpreprocessor", Separate),
    value("-Xassembler", Separate, |i, v| { i.assembler_arguments.push(v.into()); Ok(()) }),
    value("-Wa,", Joined, |i, v| { i.assembler_arguments.extend(v.split(',').filter(|v| !v.is_empty()).map(String::from)); Ok(()) }),

    // Directories.
    value("--sysroot=", Joined, |i, v| { i.sysroot = Some(v.into()); Ok(()) }),
    value("--sysroot", Separate, |i, v| { i.sysroot = Some(v.into()); Ok(()) }),

    // Not there.
    flag("-p", |i| i.profile = true), flag("-pg", |i| i.profile = true),
    refuse("-profile", "there is no profiling"),
    flag("--coverage", super::codegen_flags::cover), flag("-coverage", super::codegen_flags::cover),
    refuse("-m32", "only x86-64 code is generated"),
    refuse("-mx32", "only x86-64 code is generated"),
    refuse("-m16", "only x86-64 code is generated"),
];

/// Double-dash spellings: gcc's aliases and this compiler's own.
#[rustfmt::skip]
static LONG: &[Spec] = &[
    flag("--help", |i| query(i, Query::Help)),
    value("--help=", Joined, set_help),
    flag("--target-help", |i| query(i, Query::HelpOf("target".into()))),
    value("--completion=", Joined, |i, v| { query(i, Query::Completion(v.into())); Ok(()) }),
    flag("--version", |i| query(i, Query::Version)),
    flag("--verbose", |i| i.verbose = true),
    flag("--print-search-dirs", |i| query(i, Query::SearchDirs)),
    flag("--print-sysroot", |i| query(i, Query::Sysroot)),
    flag("--print-libgcc-file-name", |i| query(i, Query::LibgccFileName)),
    flag("--print-multi-os-directory", |i| query(i, Query::MultiOsDirectory)),
    flag("--print-multi-directory", |i| query(i, Query::MultiDirectory)),
    flag("--print-multi-lib", |i| query(i, Query::MultiLib)),
    flag("--print-multiarch", |i| query(i, Query::Multiarch)),
    value("--print-file-name=", Joined, |i, v| { query(i, Query::FileName(v.into())); Ok(()) }),
    value("--print-prog-name=", Joined, |i, v| { query(i, Query::ProgName(v.into())); Ok(()) }),
    flag("--compile", |i| i.stop = i.stop.min_stage(Stop::Object)),
    flag("--assemble", |i| i.stop = i.stop.min_stage(Stop::Assembly)),
    flag("--preprocess", |i| i.stop = Stop::Preprocess),
    value("--output=", Joined, |i, v| { i.output = Some(PathBuf::from(v)); Ok(()) }),
    value("--output", Separate, |i, v| { i.output = Some(PathBuf::from(v)); Ok(()) }),
    positional("--language=", Joined), positional("--language", Separate),
    positional("--for-linker=", Joined), positional("--for-linker", Separate),
    value("--for-assembler=", Joined, |i, v| { i.assembler_arguments.push(v.into()); Ok(()) }),
    Spec { name: "--std=", form: Joined, effect: Effect::EarlyValue(set_standard) },
    Spec { name: "--ansi", form: Exact, effect: Effect::Early(|i| { set_standard(i, "c90").ok(); }) },
    Spec { name: "--optimize", form: Exact, effect: Effect::EarlyValue(set_level) },
    Spec { name: "--optimize=", form: Joined, effect: Effect::EarlyValue(set_level) },
    value("--debug", Exact, set_debug),
    flag("--pedantic", |i| named_warning(i, "pedantic")),
    flag("--pedantic-errors", |i| warning(i, WarningFlag::PedanticErrors)),
    flag("--no-warnings", |i| warning(i, WarningFlag::InhibitAll)),
    flag("--all-warnings", |i| named_warning(i, "all")),
    flag("--extra-warnings", |i| named_warning(i, "extra")),
    flag("--shared", |i| i.link.shared = true),
    flag("--static", |i| i.link.static_ = true),
    flag("--save-temps", |i| i.save_temps = Some(false)),
    hint("--pipe", Exact), hint("--pass-exit-codes", Exact),
    value("--library-directory=", Joined, |i, v| { i.link.library_dirs.push(v.into()); Ok(()) }),
    value("--library-directory", Separate, |i, v| { i.link.library_dirs.push(v.into()); Ok(()) }),
    value("--prefix=", Joined, |i, v| { i.link.prefixes.push(v.into()); Ok(()) }),
    value("--entry=", Joined, |i, v| link_pair(i, "-e", v)),
    value("--entry", Separate, |i, v| link_pair(i, "-e", v)),
    value("--force-link=", Joined, |i, v| link_pair(i, "-u", v)),

    // Our own.
    value("--emit=", Joined, set_emit),
    Spec { name: "--reproduce", form: Exact, effect: Effect::Flag(|i| i.reproduce = Some("tcc-rs-reproduce.txt".into())) },
    value("--reproduce=", Joined, |i, v| { i.reproduce = Some(v.into()); Ok(()) }),
    value("--passes=", Joined, set_passes),
    value("--opt-bisect-limit=", Joined, |i, v| { i.options.opt_bisect_limit = Some(number("--opt-bisect-limit=", v)?); Ok(()) }),
    value("--print-after=", Joined, set_print_after),
    value("--stop-after=", Joined, set_stop_after),
    flag("--stats", |i| i.options.stats = Some(StatsForm::Table)),
    value("--stats=", Joined, set_stats),
    value("-Rpass=", Joined, |i, v| { i.options.remarks.extend(remarks("-Rpass=", v)?); Ok(()) }),
    value("-Rpass-analysis=", Joined, |i, v| { i.options.analysis_remarks.extend(remarks("-Rpass-analysis=", v)?); Ok(()) }),
    value("-Rpass-missed=", Joined, |i, v| { i.options.missed_remarks.extend(remarks("-Rpass-missed=", v)?); Ok(()) }),
    value("--max-promote-size=", Joined, |i, v| { i.options.promotion.max_size = number("--max-promote-size=", v)?; Ok(()) }),
    value("--max-phi-copies=", Joined, |i, v| { i.options.promotion.max_phi_copies = Some(number("--max-phi-copies=", v)?); Ok(()) }),
    flag("--byval-mem2reg", |i| i.options.promotion.byval = true),
    flag("--no-byval-mem2reg", |i| i.options.promotion.byval = false),
    flag("--validate", |i| _ = i.validate.get_or_insert_default()),
    value("--validate=", Joined, set_validate),
    value("--validate-timeout=", Joined, |i, v| {
        i.validate.get_or_insert_default().seconds = Some(number("--validate-timeout=", v)?);
        Ok(())
    }),
    value("--validate-sample=", Joined, set_validate_sample),
    flag("--verify", |i| i.options.verify = true),
    flag("--verify-each", |i| i.options.verify = true),
    flag("--no-verify", |i| i.options.verify = false),
];

fn warning(inv: &mut Invocation, flag: WarningFlag) {
    inv.diagnostics.warnings.push(flag);
}

fn named_warning(inv: &mut Invocation, name: &str) {
    warning(inv, WarningFlag::Named(name.into()));
}

fn set_level(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let (level, size, fast) = match v {
        "0" => (OptLevel::O0, false, false),
        "" | "1" => (OptLevel::O1, false, false),
        "2" => (OptLevel::O2, false, false),
        "s" | "z" => (OptLevel::O2, true, false),
        "g" => (OptLevel::O1, false, false),
        "fast" => (OptLevel::O3, false, true),
        _ if v.bytes().all(|b| b.is_ascii_digit()) => (OptLevel::O3, false, false),
        _ => {
            let [o, g, s, z, fast] = ["-O", "g", "s", "z", "fast"].map(super::quote);
            return Err(format!("argument to {o} should be a non-negative integer, {g}, {s}, {z} or {fast}"));
        }
    };
    inv.options.level = level;
    inv.options.optimize_size = size;
    inv.options.optimize_debug = v == "g";
    super::codegen_flags::set_fast_math(inv, fast);
    inv.options.codegen.semantic_interposition = !fast;
    Ok(())
}

fn set_standard(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let (standard, gnu) = match v {
        "c89" | "c90" | "iso9899:1990" => (Standard::C89, false),
        "iso9899:199409" => (Standard::C94, false),
        "c99" | "c9x" | "iso9899:1999" | "iso9899:199x" => (Standard::C99, false),
        "c11" | "c1x" | "iso9899:2011" => (Standard::C11, false),
        "c17" | "c18" | "iso9899:2017" | "iso9899:2018" => (Standard::C17, false),
        "c23" | "c2x" | "iso9899:2024" => (Standard::C23, false),
        "c2y" => (Standard::C2Y, false),
        "gnu89" | "gnu90" => (Standard::C89, true),
        "gnu99" | "gnu9x" => (Standard::C99, true),
        "gnu11" | "gnu1x" => (Standard::C11, true),
        "gnu17" | "gnu18" => (Standard::C17, true),
        "gnu23" | "gnu2x" => (Standard::C23, true),
        "gnu2y" => (Standard::C2Y, true),
        _ => return Err(format!("unrecognized command-line option {}", super::quote(&format!("-std={v}")))),
    };
    inv.options.language.standard = standard;
    inv.options.language.gnu = gnu;
    inv.options.language.published = matches!(v, "c23" | "gnu23" | "iso9899:2024");
    Ok(())
}

/// `-g` and everything that begins with it.
fn set_debug(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let g = &mut inv.options.codegen;
    let raise = |level: u8| level.max(2);
    match v {
        "" | "gdb" | "dwarf" | "nu" => g.debug_level = raise(g.debug_level),
        "0" | "gdb0" => g.debug_level = 0,
        "1" | "gdb1" => g.debug_level = 1,
        "2" | "gdb2" => g.debug_level = 2,
        "3" | "gdb3" => g.debug_level = 3,
        "dwarf-2" | "dwarf-3" | "dwarf-4" | "dwarf-5" => {
            g.dwarf_version = v.as_bytes()[6] - b'0';
            g.debug_level = raise(g.debug_level);
        }
        "split-dwarf" => {
            g.debug_level = raise(g.debug_level);
            inv.split_dwarf = true;
        }
        "coff" => inv.notices.push(format!("switch {} is no longer supported", super::quote("-gcoff"))),
        "ctf0" | "stabs0" | "stabs+0" => g.debug_level = 0,
        "stabs" | "stabs+" | "btf" | "ctf" | "ctf1" | "ctf2" | "stabs1" | "stabs2" | "stabs3" => {
            g.debug_level = raise(g.debug_level);
            inv.notices.push(format!("-g{v}: debug information is written as DWARF"));
        }
        "toggle" => g.debug_level = if g.debug_level == 0 { 2 } else { 0 },
        "dwarf32"
        | "strict-dwarf"
        | "no-strict-dwarf"
        | "column-info"
        | "no-column-info"
        | "gnu-pubnames"
        | "pubnames"
        | "no-pubnames"
        | "record-gcc-switches"
        | "no-record-gcc-switches"
        | "statement-frontiers"
        | "no-statement-frontiers"
        | "variable-location-views"
        | "no-variable-location-views"
        | "inline-points"
        | "no-inline-points"
        | "as-loc-support"
        | "no-as-loc-support"
        | "as-locview-support"
        | "no-as-locview-support"
        | "internal-reset-location-views"
        | "no-internal-reset-location-views"
        | "describe-dies"
        | "no-describe-dies" => {}
        "no-split-dwarf" => inv.split_dwarf = false,
        "z" | "z=zlib" => inv.options.codegen.compress_debug = true,
        "z=none" => inv.options.codegen.compress_debug = false,
        "z=zlib-gnu" => {
            return Err(format!("{} is not supported: use {}", super::quote("-gz=zlib-gnu"), super::quote("-gz=zlib")));
        }
        _ => return Err(bad_debug(v)),
    }
    Ok(())
}

/// gcc's error about what follows `-g`.
fn bad_debug(v: &str) -> String {
    use super::quote;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if let Some(version) = v.strip_prefix("dwarf-").filter(|text| is_number(text)) {
        return format!("dwarf version {version} is not supported");
    }
    if let Some(n) = v.strip_prefix("dwarf").filter(|text| is_number(text)) {
        let [option, version, plain, level] = ["-gdwarf", "-gdwarf-", "-gdwarf", "-g"];
        let [option, version, level] = [option, version, level].map(|name| quote(&format!("{name}{n}")));
        return format!(
            "{option} is ambiguous; use {version} for DWARF version or {} {level} for debug level",
            quote(plain)
        );
    }
    if v.starts_with("no-") || v.starts_with("z") {
        return super::arguments::unknown(&format!("-g{v}"));
    }
    let formats = ["gdb", "stabs+", "stabs", "vms", "xcoff", "ctf", "btf"];
    let (format, level) = formats.iter().find_map(|f| Some((*f, v.strip_prefix(f)?))).unwrap_or(("", v));
    match level {
        _ if is_number(level) && level.parse().is_ok_and(|n: u64| n > 3) => {
            format!("debug output level {} is too high", quote(level))
        }
        _ if matches!(format, "vms" | "xcoff") && (level.is_empty() || is_number(level)) => {
            format!("target system does not support the {} debug format", quote(format))
        }
        _ => format!("unrecognized debug output level {}", quote(level)),
    }
}

fn set_linker(inv: &mut Invocation, v: &str) -> Result<(), String> {
    match v {
        "bfd" | "gold" | "lld" | "mold" | "plain" | "ld" => {
            inv.link.use_ld = Some(v.to_string());
            Ok(())
        }
        _ => Err(format!("unrecognized command-line option {}", super::quote(&format!("-fuse-ld={v}")))),
    }
}

/// The pass must exist: a misspelt one would let the whole pipeline run.
fn set_passes(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let names: Vec<String> = v.split(',').filter(|p| !p.is_empty()).map(String::from).collect();
    if let Some(bad) = names.iter().find(|name| middle::pipeline::find(name).is_none()) {
        return Err(format!("unknown pass {} for --passes=", super::quote(bad)));
    }
    inv.options.pass_list = Some(names);
    Ok(())
}

/// Parts of names of passes, or `.*` for all.
fn remarks(option: &str, v: &str) -> Result<Vec<String>, String> {
    let others = ["inline", crate::rooms::predictors::NAME];
    let known =
        |part: &str| part == ".*" || others.into_iter().chain(middle::pipeline::names()).any(|n| n.contains(part));
    let parts: Vec<&str> = v.split(['|', ',']).collect();
    match parts.iter().find(|part| part.is_empty() || !known(part)) {
        Some(part) => Err(format!("unknown pass {} for {option}", super::quote(part))),
        None => Ok(parts.into_iter().map(String::from).collect()),
    }
}

/// Names of passes, and of stages of the back end, or `all`.
fn set_print_after(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let known = |name: &str| {
        name == "all"
            || middle::pipeline::find(name).is_some()
            || backend::full::stage_names().any(|stage| stage == name)
    };
    match v.split(',').find(|name| !known(name)) {
        Some(bad) => Err(format!("unknown pass {} for --print-after=", super::quote(bad))),
        None => {
            inv.options.print_after.extend(v.split(',').map(String::from));
            Ok(())
        }
    }
}

fn set_stop_after(inv: &mut Invocation, v: &str) -> Result<(), String> {
    if v != "inline" && middle::pipeline::find(v).is_none() {
        return Err(format!("unknown pass {} for --stop-after=", super::quote(v)));
    }
    inv.options.stop_after = Some(v.into());
    Ok(())
}

/// `N` or `N:SEED`.
fn set_validate_sample(inv: &mut Invocation, value: &str) -> Result<(), String> {
    let (every, seed) = value.split_once(':').unwrap_or((value, "0"));
    let every = number("--validate-sample=", every)?;
    let seed = number("--validate-sample=", seed)?;
    inv.validate.get_or_insert_default().sample = Some((every, seed));
    Ok(())
}

fn set_validate(inv: &mut Invocation, v: &str) -> Result<(), String> {
    if middle::pipeline::find(v).is_none() {
        return Err(format!("unknown pass {} for --validate=", super::quote(v)));
    }
    inv.validate.get_or_insert_default().pass = Some(v.into());
    Ok(())
}

fn set_stats(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.stats = Some(match v {
        "table" => StatsForm::Table,
        "json" => StatsForm::Json,
        _ => return Err(format!("unknown form {} for --stats= (table, json)", super::quote(v))),
    });
    Ok(())
}

fn set_emit(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.emit = match v {
        "ir" => Emit::Ir,
        "ir0" => Emit::IrBeforePasses,
        "llvm" => Emit::Llvm,
        "dot" => Emit::Dot,
        "dot-dominators" => Emit::DotDominators,
        "svg" => Emit::Svg,
        "svg-dominators" => Emit::SvgDominators,
        "trace" => Emit::Trace,
        "asm" | "obj" | "preprocessed" => Emit::Normal,
        _ => {
            return Err(format!(
                "unknown form {} for --emit= (ir, ir0, llvm, dot, dot-dominators, svg, svg-dominators, trace, asm, obj, preprocessed)",
                super::quote(v)
            ));
        }
    };
    match v {
        "asm" => inv.stop = inv.stop.min_stage(Stop::Assembly),
        "obj" => inv.stop = inv.stop.min_stage(Stop::Object),
        "preprocessed" => {
            inv.stop = Stop::Preprocess;
            inv.preprocess.mode = PreprocessMode::Text;
        }
        _ => inv.stop = inv.stop.min_stage(Stop::Assembly),
    }
    Ok(())
}

/// The classes of gcc 12's manual ("Overall Options") that have lists here; the others list what
/// `--help` shows.
const LISTED: &[&str] = &["target", "optimizers", "warnings", "params"];
const OTHERS: &[&str] = &["manual", "common", "c", "C", "undocumented", "joined", "separate"];

/// `--help=`: words between commas.
fn set_help(inv: &mut Invocation, classes: &str) -> Result<(), String> {
    let known = |word: &str| LISTED.contains(&word) || OTHERS.contains(&word);
    match classes.split(',').find(|word| !known(word.trim_start_matches('^'))) {
        Some(word) => {
            Err(format!("unrecognized argument to {} option: {}", super::quote("--help="), super::quote(word)))
        }
        None => {
            query(inv, Query::HelpOf(classes.into()));
            Ok(())
        }
    }
}
