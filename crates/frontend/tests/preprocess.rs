//! Golden tests of the preprocessor: each `tests/preprocess/NAME.c` is preprocessed with the
//! options in its first line (`// flags: ...`), and output and diagnostics are compared with
//! `NAME.expected`.
//!
//! `UPDATE_GOLDENFILES=1` writes the expected files anew instead of comparing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use frontend::lex::{Dialect, new_session};
use frontend::preprocess::{Action, DumpMacros, IncludePaths, Options, OutputOptions, Preprocessor};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/preprocess");
    // Names of files are part of the output: all tests run in their directory.
    std::env::set_current_dir(&directory).expect("the test directory exists");
    let mut cases: Vec<PathBuf> = std::fs::read_dir(".")
        .expect("the test directory can be read")
        .filter_map(|entry| entry.ok().map(|entry| PathBuf::from(entry.file_name())))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    cases.sort();
    let trials = cases.into_iter().map(|path| {
        Trial::test(path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), move || check(&path))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn check(path: &Path) -> Result<(), Failed> {
    let actual = preprocess(path)?;
    let golden = path.with_extension("expected");
    if std::env::var_os("UPDATE_GOLDENFILES").is_some() {
        std::fs::write(&golden, &actual)?;
        return Ok(());
    }
    let expected = std::fs::read_to_string(&golden).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    Err(Failed::from(difference(&expected, &actual)))
}

fn difference(expected: &str, actual: &str) -> String {
    let mut text = String::from("output differs:\n");
    let (mut left, mut right) = (expected.lines(), actual.lines());
    loop {
        match (left.next(), right.next()) {
            (None, None) => return text,
            (a, b) if a == b => {}
            (a, b) => {
                let _ = writeln!(text, "- {}\n+ {}", a.unwrap_or("<end>"), b.unwrap_or("<end>"));
            }
        }
    }
}

fn preprocess(path: &Path) -> Result<String, Failed> {
    let source = std::fs::read(path)?;
    let first = String::from_utf8_lossy(source.split(|&b| b == b'\n').next().unwrap_or_default()).into_owned();
    let session = new_session();
    session.diag.capture();
    let mut options = Options::default();
    let mut paths = IncludePaths::default();
    let mut output = OutputOptions::default();
    options.source_date_epoch = Some(0);
    let mut flags = first.strip_prefix("// flags:").unwrap_or("").split_whitespace();
    while let Some(flag) = flags.next() {
        let mut argument = || flags.next().unwrap_or_default().to_owned();
        match flag {
            "-P" => output.no_line_markers = true,
            "-C" => output.keep_comments = true,
            "-dM" => output.dump = DumpMacros::Only,
            "-dD" => output.dump = DumpMacros::Definitions,
            "-undef" => options.undef = true,
            "-nostdinc" => {}
            "-fpreprocessed" => options.preprocessed = true,
            "-traditional-cpp" => options.traditional = true,
            "-x" => options.dialect.assembler = argument() == "assembler-with-cpp",
            "-include" => options.actions.push(Action::Include(argument())),
            "-imacros" => options.actions.push(Action::ImportMacros(argument())),
            _ => {
                if let Some(standard) = flag.strip_prefix("-std=") {
                    options.dialect = Dialect::from_option(standard).ok_or("unknown standard")?;
                } else if let Some(tokens) = flag.strip_prefix("-fmax-macro-tokens=") {
                    options.max_macro_tokens = tokens.parse().expect("a number of tokens");
                } else if let Some(depth) = flag.strip_prefix("-fmax-include-depth=") {
                    options.max_include_depth = depth.parse()?;
                } else if let Some(directory) = flag.strip_prefix("-I") {
                    paths.angled.push(directory.into());
                } else if let Some(definition) = flag.strip_prefix("-D") {
                    options.actions.push(Action::Define(definition.to_owned()));
                } else if let Some(name) = flag.strip_prefix("-U") {
                    options.actions.push(Action::Undefine(name.to_owned()));
                } else if let Some(warning) = flag.strip_prefix("-W") {
                    session.diag.warning_flag(warning);
                } else {
                    return Err(Failed::from(format!("unknown flag {flag}")));
                }
            }
        }
    }
    options.output = Some(output);
    let mut pp = Preprocessor::new(&session, options, paths);
    let mut out = Vec::new();
    if pp.enter_main_file(&path.to_string_lossy()) {
        pp.write_preprocessed(&mut out)?;
    }
    let mut text = String::from_utf8_lossy(&out).into_owned();
    let diagnostics = session.diag.take_captured();
    if !diagnostics.is_empty() {
        text.push_str("=== diagnostics\n");
        text.push_str(&diagnostics);
    }
    Ok(text)
}
