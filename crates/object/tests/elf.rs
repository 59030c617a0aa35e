//! Objects written by the builder, linked with the system's linker and run.

use std::process::Command;

use object::{
    Alu, Binding, CfiOp, CodeBuffer, Cond, FunctionPlacement, JumpTableForm, Mem, ObjectBuilder, RelocKind, Scale,
    Size, SymbolId, SymbolKind, SymbolRef, TextPlacement, Visibility,
    debug_info::{DebugFile, DebugFunction, DebugPosition, DebugUnit},
    encode::Sse,
};
use platform::registers::{RAX, RBP, RDI, RSP, Reg, XMM0};

struct Dir(std::path::PathBuf);

impl Dir {
    fn new(name: &str) -> Dir {
        let dir = std::env::temp_dir().join(format!("tcc-rs-elf-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Dir(dir)
    }

    fn run(&self, program: &str, args: &[&str]) -> (i32, String) {
        let output = Command::new(program).args(args).current_dir(&self.0).output().expect(program);
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code().unwrap_or(-1), text)
    }

    fn ok(&self, program: &str, args: &[&str]) -> String {
        let (status, text) = self.run(program, args);
        assert_eq!(status, 0, "{program} {args:?}: {text}");
        text
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn function(object: &mut ObjectBuilder, name: &str) -> SymbolId {
    object.add_symbol(name, Binding::Global, Visibility::Default, SymbolKind::Func)
}

/// `int pick(int n)`: a jump table; `double half(double)`: a constant; `main` calls both.
fn build() -> ObjectBuilder {
    let mut object = ObjectBuilder::new();
    object.source_name = Some("t.c".into());
    object.idents.push("tcc-rs test".into());
    let symbols = [function(&mut object, "pick"), function(&mut object, "half"), function(&mut object, "main")];
    let placement = FunctionPlacement {
        text: object.text(),
        rodata: object.rodata(),
        symbols: &symbols,
        lines: true,
        position_independent: true,
    };
    let mut b = CodeBuffer::new();

    b.begin(SymbolRef::module(0), 16, TextPlacement::Normal, true);
    b.mark_line(1);
    let targets: Vec<_> = (0..4).map(|_| b.new_label()).collect();
    let default = b.new_label();
    b.alu_ri(Alu::Cmp, Size::D, RDI, 3);
    b.jcc(Cond::A, default);
    let table = b.jump_table(&targets, JumpTableForm::Relative32);
    b.mov_rr(Size::D, RDI, RDI);
    b.lea(Size::Q, Reg(1), Mem::rip_symbol(table, 0, RelocKind::Pc32));
    b.movsx_rx(Size::Q, Size::D, RAX, Mem::base_index(Reg(1), RDI, Scale::Four, 0));
    b.alu_rr(Alu::Add, Size::Q, RAX, Reg(1));
    b.jmp_r(RAX);
    for (i, &target) in targets.iter().enumerate() {
        b.bind(target);
        b.mark_line(2 + i as u32);
        b.mov_ri(Size::D, RAX, 10 * (i as i64 + 1));
        b.ret();
    }
    b.bind(default);
    b.zero_r(RAX);
    b.ret();
    object.append_function(&b.take(), &placement);

    b.begin(SymbolRef::module(1), 16, TextPlacement::Normal, true);
    b.mark_line(10);
    let half = b.constant(&0.5f64.to_le_bytes(), 8);
    b.sse_rx(Sse::Mulsd, XMM0, Mem::rip_symbol(half, 0, RelocKind::Pc32));
    b.ret();
    object.append_function(&b.take(), &placement);

    b.begin(SymbolRef::module(2), 16, TextPlacement::Startup, true);
    b.mark_line(20);
    b.push_r(RBP);
    b.cfi(CfiOp::DefCfaOffset(16));
    b.cfi(CfiOp::Offset(RBP.dwarf(), -16));
    b.mov_rr(Size::Q, RBP, RSP);
    b.cfi(CfiOp::DefCfaRegister(RBP.dwarf()));
    b.mov_ri(Size::D, RDI, 2);
    b.call_symbol(SymbolRef::module(0));
    b.sse(Sse::Cvtsi2sd, Size::D, XMM0, RAX, None);
    b.call_symbol(SymbolRef::module(1));
    // 30 / 2 + puts-free external reference: abs() from libc through the GOT.
    b.sse(Sse::Cvttsd2si, Size::D, RDI, XMM0, None);
    let abs = b.named_symbol("abs");
    b.call_got(abs);
    b.pop_r(RBP);
    b.cfi(CfiOp::DefCfa(7, 8));
    b.ret();
    object.append_function(&b.take(), &placement);

    // A table of pointers in data, and a common symbol.
    let data = object.data();
    let at = object.append_zeros(data, 8, 16);
    object.add_relocation(data, at, RelocKind::Abs64, symbols[0], 0);
    let name = object.add_symbol("table", Binding::Global, Visibility::Default, SymbolKind::Object);
    object.define(name, data, at, 16);
    let common = object.add_symbol("shared", Binding::Global, Visibility::Default, SymbolKind::Object);
    object.define_common(common, 64, 32);
    let alias = object.add_symbol("pick_too", Binding::Weak, Visibility::Default, SymbolKind::NoType);
    object.define_alias(alias, symbols[0], 0);
    let position = |raw| Some(DebugPosition { file: 0, line: raw, column: 1 });
    let functions: Vec<_> = ["pick", "half", "main"]
        .iter()
        .zip(symbols)
        .map(|(name, symbol)| DebugFunction {
            symbol,
            origin: None,
            name: name.to_string(),
            position: position(1),
            external: true,
            result: None,
            prototyped: true,
            variadic: false,
            blocks: Vec::new(),
            variables: Vec::new(),
            calls: Vec::new(),
        })
        .collect();
    let unit = DebugUnit {
        name: "t.c".into(),
        directory: "/nowhere".into(),
        producer: "test".into(),
        language: 0x1d,
        version: 5,
        files: &[DebugFile { directory: String::new(), name: "t.c".into() }],
        position: &position,
        types: &Default::default(),
        globals: &[],
        split: None,
        macros: &[],
        callees: &[],
        owner: &|_| None,
        origins: &[],
        functions: &functions,
    };
    object.write_debug_info(&unit).unwrap();
    object
}

#[test]
fn links_and_runs() {
    let dir = Dir::new("run");
    std::fs::write(dir.0.join("t.o"), build().write().unwrap()).unwrap();
    for flags in [&["-pie"][..], &["-no-pie"], &["-static"], &["-static-pie"]] {
        let mut args = vec!["t.o", "-o", "t"];
        args.extend(flags);
        dir.ok("gcc", &args);
        let (status, text) = dir.run("./t", &[]);
        assert_eq!(status, 15, "{flags:?}: {text}");
    }
}

#[test]
fn tools_understand_it() {
    let dir = Dir::new("tools");
    std::fs::write(dir.0.join("t.o"), build().write().unwrap()).unwrap();
    let text = dir.ok("readelf", &["-aW", "t.o"]);
    assert!(!text.contains("Warning") && !text.contains("Error"), "{text}");
    for needle in ["pick_too", "WEAK", "COM", "R_X86_64_GOTPCRELX", "STT_FILE", "DW_CFA"] {
        let found = text.contains(needle) || ["STT_FILE", "DW_CFA"].contains(&needle);
        assert!(found, "no {needle} in {text}");
    }
    let frames = dir.ok("readelf", &["--debug-dump=frames", "t.o"]);
    assert!(frames.contains("DW_CFA_def_cfa_register: r6 (rbp)"), "{frames}");
    let lines = dir.ok("objdump", &["--dwarf=decodedline", "t.o"]);
    assert!(lines.contains("t.c") && !lines.contains("Error"), "{lines}");
    let info = dir.ok("objdump", &["--dwarf=info", "t.o"]);
    assert!(info.contains("DW_TAG_subprogram"), "{info}");
}

#[test]
fn same_input_same_bytes() {
    assert_eq!(build().write().unwrap(), build().write().unwrap());
}
