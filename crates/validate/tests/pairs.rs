//! Pairs of functions in textual IR: of each file of `wrong/` the second is refuted, of each file
//! of `right/` it is proved, of each file of `open/` neither.

use std::path::{Path, PathBuf};

use ir::{Function, Module, SymbolDef};
use validate::observer::on_large_stack;
use validate::{Limits, Verdict, is_installed, refines};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    let symbol = module.find_symbol(name).unwrap_or_else(|| panic!("no function {name}"));
    let SymbolDef::Function(id) = module.symbols[symbol].def else { panic!("{name} has no body") };
    &module.functions[id]
}

/// The verdicts on all pairs of a folder; none without a solver.
fn verdicts(folder: &str) -> Vec<(String, Verdict)> {
    if !is_installed() {
        println!("skipped: z3 is not installed");
        return Vec::new();
    }
    let verdict = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).unwrap();
        let module = ir::text::parse_module(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let limits = Limits { time: std::time::Duration::from_secs(60), ..Limits::default() };
        let (before, after) = (function(&module, "before"), function(&module, "after"));
        let verdict = on_large_stack(|| refines(&module, before, after, &limits)).unwrap();
        (file.file_stem().unwrap().to_string_lossy().into_owned(), verdict)
    };
    files(folder).into_iter().map(verdict).collect()
}

#[test]
fn wrong_passes_are_refuted() {
    for (name, verdict) in verdicts("wrong") {
        println!("{name}: {verdict:?}");
        let Verdict::Refuted(example) = verdict else { panic!("{name}: {verdict:?}") };
        // What has numbers only and calls nothing runs in the interpreter.
        let runs = [
            "swapped_compare",
            "kept_flag",
            "hoisted_division",
            "off_by_one",
            "wrong_shift",
            "swapped_phi",
            "missing_sign_extension",
            "loop_not_entered",
            "swapped_back",
            "address_in_variable",
        ];
        assert_eq!(example.is_confirmed, runs.contains(&&*name), "{name}");
    }
}

#[test]
fn right_passes_are_proved() {
    for (name, verdict) in verdicts("right") {
        println!("{name}: {verdict:?}");
        // A loop that begins at another block than before; one that is wrong after many iterations.
        let expected =
            if ["rotated_loop", "wrapping_counter"].contains(&&*name) { Verdict::Bounded(4) } else { Verdict::Proved };
        assert_eq!(verdict, expected, "{name}");
    }
}

#[test]
fn what_the_model_leaves_open_is_not_decided() {
    let reasons = [
        ("endless", "no path within the bound"),
        ("library_call", "calls of the library"),
        ("reassociated_floats", "uninterpreted operations"),
    ];
    for ((name, verdict), expected) in verdicts("open").into_iter().zip(reasons) {
        assert_eq!((&*name, verdict), (expected.0, Verdict::Undecided(expected.1.to_string())));
    }
}
