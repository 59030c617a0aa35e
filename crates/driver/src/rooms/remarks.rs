//! Remarks of the passes in the forms that people have tools for: clang's `-Rpass=` and
//! `-fsave-optimization-record` (LLVM's "Remarks", YAML), gcc's `-fopt-info`.

use super::Job;
use crate::output::{self, Kind as FileKind};
use crate::report::Failed;
use base::Loc;
use platform::remarks::{Kind, Remark, RemarkList};
use std::fmt::Write;
use std::path::Path;

/// Where a remark is, as messages say it.
type Place = Option<(String, u32, u32)>;

/// Whether a pass is among those that an option names.
pub fn asked(list: &[String], pass: &str) -> bool {
    list.iter().any(|w| w == ".*" || pass.contains(w.as_str()))
}

/// Prints and writes what the command line asks for.
///
/// # Errors
/// A file that cannot be written.
pub fn report(job: &Job<'_>, remarks: &[Remark]) -> Result<(), Failed> {
    print(job, remarks);
    let options = job.options;
    for list in &options.remark_lists {
        print_list(job, list, remarks)?;
    }
    let Some((path, passes)) = &options.remark_record else { return Ok(()) };
    let wanted =
        |remark: &&Remark| passes.is_empty() || asked(passes, remark.pass) || asked(passes, &llvm_pass(remark));
    let text: String = remarks.iter().filter(wanted).map(|remark| document(job, remark)).collect();
    write(job, path, &text)
}

/// Prints the remarks that `-Rpass=`, `-Rpass-missed=` and `-Rpass-analysis=` ask for.
pub fn print(job: &Job<'_>, remarks: &[Remark]) {
    let options = job.options;
    for remark in remarks {
        let option = match remark.kind {
            Kind::Missed if asked(&options.missed_remarks, remark.pass) => "-Rpass-missed",
            Kind::Analysis if asked(&options.analysis_remarks, remark.pass) => "-Rpass-analysis",
            Kind::Passed | Kind::Analysis if asked(&options.remarks, remark.pass) => "-Rpass",
            _ => continue,
        };
        let Remark { function, text, pass, .. } = remark;
        let at = position(job, remark);
        job.session.diag.write_raw(&format!("{at}: remark: in '{function}': {text} [{option}={pass}]\n"));
    }
}

fn place(job: &Job<'_>, remark: &Remark) -> Place {
    let at = job.session.sources.presumed(remark.loc)?;
    Some((job.session.str(at.file).to_string(), at.line, at.column))
}

fn position(job: &Job<'_>, remark: &Remark) -> String {
    match place(job, remark) {
        Some((file, line, column)) => format!("{file}:{line}:{column}"),
        None => job.options.input_name.clone(),
    }
}

fn write(job: &Job<'_>, path: &Path, text: &str) -> Result<(), Failed> {
    output::write(path, text.as_bytes(), FileKind::Data).map_err(|error| {
        let message = format!("cannot open '{}' for writing: {error}", path.display());
        job.session.fatal(Loc::NONE, message).emit();
        Failed
    })
}

/// `-fopt-info`.
fn print_list(job: &Job<'_>, list: &RemarkList, remarks: &[Remark]) -> Result<(), Failed> {
    let kind = |kind: Kind| match kind {
        Kind::Passed => list.passed.then_some("optimized"),
        Kind::Missed => list.missed.then_some("missed"),
        Kind::Analysis => list.analysis.then_some("note"),
    };
    let mut text = String::new();
    for remark in remarks.iter().filter(|r| list.groups.is_empty() || list.groups.iter().any(|g| is_of(r.pass, g))) {
        if let Some(kind) = kind(remark.kind) {
            let _ = writeln!(text, "{}: {kind}: {}", position(job, remark), gcc_words(&remark.text));
        }
    }
    match &list.file {
        Some(path) if path.as_os_str() != "stderr" => write(job, path, &text),
        _ => {
            job.session.diag.write_raw(&text);
            Ok(())
        }
    }
}

/// Whether a pass is of one of gcc's groups.
fn is_of(pass: &str, group: &str) -> bool {
    match group {
        "inline" | "ipa" => pass == "inline",
        "vec" => pass.ends_with("_vectorize"),
        "loop" => pass.contains("loop") || pass == "licm" || pass == "predictive_commoning",
        "optall" => true,
        _ => false,
    }
}

/// What scripts look for in gcc's reports: its spelling, and its form of inlining.
fn gcc_words(text: &str) -> String {
    let text = text.replace("vectorised", "vectorized");
    let names: Vec<&str> = text.split('\'').collect();
    match names[..] {
        ["", callee, " inlined into ", caller, ""] => format!(" Inlining {callee} into {caller}."),
        ["", callee, " not inlined into ", caller, why] => {
            format!(" not inlinable: {caller} -> {callee}{}", why.replacen(": ", ", ", 1))
        }
        _ => text,
    }
}

/// LLVM's name of a pass.
fn llvm_pass(remark: &Remark) -> String {
    match remark.pass {
        "slp_vectorize" => "slp-vectorizer".to_string(),
        "tail_recursion" => "tailcallelim".to_string(),
        "combine" => "instcombine".to_string(),
        pass => pass.replace('_', "-"),
    }
}

/// The name of a remark, and the keys of the numbers in its text.
fn keys(remark: &Remark) -> (&'static str, &'static [&'static str]) {
    let text = &remark.text;
    match (remark.pass, remark.kind) {
        ("inline", Kind::Passed) => ("Inlined", &[]),
        ("inline", _) if text.ends_with("definition is not available") => ("NoDefinition", &[]),
        ("inline", _) if text.contains("costs more") => ("TooCostly", &[]),
        ("inline", _) => ("NotInlined", &[]),
        ("loop_vectorize", Kind::Passed) => ("Vectorized", &["VectorizationFactor"]),
        ("loop_vectorize", Kind::Missed) => ("MissedDetails", &[]),
        ("slp_vectorize", _) => ("StoresVectorized", &["Vectors"]),
        ("loop_unroll", _) if text.ends_with("times") => ("PartialUnrolled", &["UnrollCount"]),
        ("loop_unroll", _) => ("FullyUnrolled", &["UnrollCount"]),
        ("loop_interchange", _) => ("Interchanged", &["OuterCount", "InnerCount"]),
        ("loop_idiom", _) => ("ProcessLoop", &[]),
        ("loop_unswitch", _) => ("Unswitched", &["Blocks"]),
        ("loop_delete", _) => ("Invariant", &[]),
        ("tail_recursion", _) => ("tailcall-recursion", &["Calls"]),
        ("jump_threading", _) => ("Threaded", &["Jumps"]),
        ("predictive_commoning", _) => ("Carried", &["Loads"]),
        ("mem2reg", _) => ("PhiLimit", &["Variables", "Limit"]),
        (_, Kind::Passed) => ("Passed", &["Count"]),
        (_, Kind::Missed) => ("Missed", &["Count"]),
        (_, Kind::Analysis) => ("Analysis", &["Count"]),
    }
}

/// One YAML document.
fn document(job: &Job<'_>, remark: &Remark) -> String {
    let kind = match remark.kind {
        Kind::Passed => "Passed",
        Kind::Missed => "Missed",
        Kind::Analysis => "Analysis",
    };
    let (name, numbers) = keys(remark);
    let mut out = format!("--- !{kind}\nPass:            {}\nName:            {name}\n", llvm_pass(remark));
    if let Some((file, line, column)) = place(job, remark) {
        let _ = writeln!(out, "DebugLoc:        {{ File: {}, Line: {line}, Column: {column} }}", scalar(&file));
    }
    let _ = writeln!(out, "Function:        {}\nArgs:", scalar(&remark.function));
    for (key, value) in arguments(remark, numbers) {
        let padded = format!("{key}:");
        let _ = writeln!(out, "  - {padded:<16} {}", scalar(&value));
    }
    out + "...\n"
}

/// The text in pieces: names and numbers have keys of their own.
fn arguments(remark: &Remark, numbers: &[&'static str]) -> Vec<(&'static str, String)> {
    let mut out: Vec<(&'static str, String)> = Vec::new();
    let mut numbers = numbers.iter();
    let mut names = if remark.pass == "inline" { ["Callee", "Caller"].iter() } else { [].iter() };
    for (index, part) in remark.text.split('\'').enumerate() {
        if index > 0 {
            plain(&mut out, "'");
        }
        if index % 2 == 1
            && let Some(key) = names.next()
        {
            out.push((key, part.to_string()));
            continue;
        }
        for word in part.split_inclusive(' ') {
            let digits = word.trim_end();
            let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            match is_number.then(|| numbers.next()).flatten() {
                Some(key) => {
                    out.push((key, digits.to_string()));
                    plain(&mut out, &word[digits.len()..]);
                }
                None => plain(&mut out, word),
            }
        }
    }
    out
}

/// Adds text that has no key.
fn plain(out: &mut Vec<(&'static str, String)>, text: &str) {
    match out.last_mut() {
        _ if text.is_empty() => {}
        Some(("String", before)) => before.push_str(text),
        _ => out.push(("String", text.to_string())),
    }
}

/// A YAML scalar: in single quotes unless it is a plain name. Control characters need double ones.
fn scalar(text: &str) -> String {
    let first = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '/');
    if first && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'/' | b'-')) {
        text.to_string()
    } else if text.chars().any(char::is_control) {
        base::json::quote(text)
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}
