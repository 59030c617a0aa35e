//! Every `tests/ir/*.tir` file parses, verifies where it says so, and prints back as it stands.

use std::fs;
use std::path::Path;

use ir::text::{module_to_string, parse_module};
use ir::verifier::{Strictness, verify_function};
use ir::{Block, InstView, Opcode, Type};

fn files(directory: &str) -> Vec<std::path::PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(directory);
    let mut files: Vec<_> = fs::read_dir(root)
        .expect("test directory exists")
        .map(|e| e.expect("entry is readable").path())
        .filter(|p| p.extension().is_some_and(|e| e == "tir"))
        .collect();
    files.sort();
    files
}

#[test]
fn text_round_trips() {
    for path in files("ir") {
        let source = fs::read_to_string(&path).expect("test file is readable");
        let module = parse_module(&source).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let printed = module_to_string(&module);
        assert_eq!(printed, source, "{}", path.display());
        for (_, func) in module.functions.iter() {
            if let Err(errors) = verify_function(&module, func, Strictness::Alloca) {
                panic!("{}: {}", path.display(), errors.join("\n"));
            }
        }
    }
}

/// Functions with holes in their tables read the same when the holes are closed, debug records
/// included.
#[test]
fn renumbering_changes_no_text() {
    for path in files("ir").into_iter().chain(files("passes/mem2reg")).chain(files("passes/sroa")) {
        let source = fs::read_to_string(&path).expect("test file is readable");
        let mut module = parse_module(&source).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let before = module_to_string(&module);
        for func in module.functions.values_mut() {
            func.build_uses();
            let blocks: Vec<Block> = func.blocks().collect();
            for block in blocks {
                let hole = func.make(InstView::Nullary { op: Opcode::StackSave }, Type::PTR, base::Loc::NONE);
                func.prepend_inst(block, hole);
                func.remove_inst(hole);
            }
            let placed = func.blocks().map(|block| func.block_insts(block).count()).sum::<usize>();
            func.compact();
            let kept = func.num_insts() - usize::from(func.debug.is_some());
            assert_eq!(kept, placed, "{}", path.display());
        }
        assert_eq!(module_to_string(&module), before, "{}", path.display());
        for (_, func) in module.functions.iter() {
            if let Err(errors) = verify_function(&module, func, Strictness::Alloca) {
                panic!("{}: {}", path.display(), errors.join("\n"));
            }
        }
    }
}

/// Each case is a function body that breaks one rule, and a part of the message that names it.
#[test]
fn verifier_names_violations() {
    const CASES: &[(&str, &str)] = &[
        ("b0:\n v1: i32 = add v0, v2\n v2: i32 = add v0, v0\n ret v1\n", "not defined on every path"),
        ("b0:\n br b1\nb1:\n v1: i32 = phi [v0, b0], [v0, b1]\n ret v1\n", "entries for"),
        // One entry per predecessor block, however many cases lead here.
        (
            "b0:\n switch v0 default b2 [1, b1] [2, b1]\nb1:\n v1: i32 = phi [v0, b0], [v0, b0]\n ret v1\nb2:\n ret v0\n",
            "entries for",
        ),
        ("b0:\n v1: i64 = add v0, v0\n ret v0\n", "one integer type"),
        ("b0:\n ret v0\n ret v0\n", "terminators stand at the end"),
        ("b0:\n v1: i32 = add v0, v0\n", "terminators stand at the end"),
        ("b0:\n br b0\n", "entry block has predecessors"),
        ("b0:\n ret v0\nb1:\n ret v0\n", "unreachable block"),
        ("b0:\n ret\n", "what the signature says"),
        ("b0:\n v1: i32 = load v0 align 4\n ret v1\n", "from a ptr"),
        ("b0:\n v1: i32 = select v0, v0, v0\n ret v1\n", "picks one of two"),
        ("b0:\n debug 0 \"x\" [4..12] = v0\n ret v0\n", "fewer than the 8 bytes"),
    ];
    for (body, expected) in CASES {
        let source = format!("func @f v0 : (i32) -> (i32) {{\n{body}}}\n");
        let module = parse_module(&source).unwrap_or_else(|e| panic!("{body}: {e}"));
        let func = module.functions.values().next().expect("one function");
        let errors = verify_function(&module, func, Strictness::Ssa).expect_err(body).join("\n");
        assert!(errors.contains(expected), "{body}\n{errors}");
    }
}

#[test]
fn parser_names_the_line() {
    let error =
        parse_module("symbol @a global\nfunc @f : () -> () {\nb0:\n frob\n}\n").expect_err("no such instruction");
    assert_eq!(error.line, 4);
    assert!(error.message.contains("frob"), "{error}");
    for (record, expected) in [
        ("debug 0 \"x\" = v9\n ret", "value v9 is never defined"),
        ("debug 0 \"x\" [4..4] = unknown\n ret", "a range of bytes"),
        ("debug 4000000000 \"x\" = unknown\n ret", "too large"),
        ("ret\n debug 0 \"x\" = unknown", "an instruction expected"),
        ("ret\n described 0 \"x\" in i32 0", "lives in an alloca"),
    ] {
        let source = format!("symbol @a global\nfunc @f : () -> () {{\nb0:\n {record}\n}}\n");
        let error = parse_module(&source).expect_err(record);
        assert!(error.message.contains(expected), "{record}: {error}");
    }
}

#[test]
fn nothing_is_defined_twice() {
    let definitions = ["data @a size 4 align 4", "func @a : () -> () {\nb0:\n ret\n}", "symbol @a global alias @b"];
    for first in definitions {
        for second in definitions {
            let source = format!("symbol @b global\nsymbol @a global\n{first}\n{second}\n");
            let error = parse_module(&source).expect_err(&source);
            assert!(error.message.contains("second definition"), "{source}: {error}");
        }
    }
}

#[test]
fn an_index_makes_no_table_beyond_the_text() {
    let function = |label: &str| {
        format!("symbol @f global function : () -> ()\nfunc @f : () -> () {{\nb0 label {label}:\n  ret\n}}\n")
    };
    assert!(parse_module(&function("300")).is_ok());
    for label in ["4000000000", "200000003000000040"] {
        assert!(parse_module(&function(label)).is_err(), "{label}");
    }
}

/// `tests/ir/*.tir` exported as LLVM assembly equals the `.ll` beside it; `BLESS=1` writes it.
/// `opt-19 -passes=verify` accepts these files.
#[test]
fn llvm_export_is_stable() {
    for path in files("ir") {
        let module = parse_module(&fs::read_to_string(&path).expect("readable")).expect("parses");
        let text = ir::llvm::export(&module).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let golden = path.with_extension("ll");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&golden, &text).expect("writable");
        }
        assert_eq!(fs::read_to_string(&golden).unwrap_or_default(), text, "{}", golden.display());
    }
}

/// What has no counterpart in LLVM's IR is refused with its name, not left out.
#[test]
fn llvm_export_refuses() {
    let function = |attributes: &str| {
        format!("symbol @f global function {attributes} : () -> ()\nfunc @f : () -> () {{\nb0:\n  ret\n}}\n")
    };
    let cases = [
        ("reserved \"rbp\" \"rsi\" \"rdi\" \"r12\"\n".to_string(), "reserved registers"),
        (function("interrupt"), "interrupt functions"),
        (function("keeps_registers"), "functions that keep the registers of their arguments"),
    ];
    for (text, reason) in cases {
        let module = parse_module(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(ir::llvm::export(&module).unwrap_err(), reason);
    }
}
