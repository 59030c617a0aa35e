//! `-S`: the printed text assembles to the object it was printed from.

mod common;

use assembler::{Options, assemble, listing};
use common::{Dir, PROGRAM, contents, relocations, symbols};
use object::{
    Alu, Binding, CfiOp, CodeBuffer, Cond, FunctionPlacement, JumpTableForm, Mem, ObjectBuilder, RelocKind, Scale,
    Segment, Size, SymbolId, SymbolKind, SymbolRef, TextPlacement, Visibility,
    encode::{Shift, Sse, Unary, X87Float},
};
use platform::registers::{RAX, RBP, RDI, RSP, Reg, XMM0};

fn check(name: &str, object: ObjectBuilder) {
    let dir = Dir::new(&format!("listing-{name}"));
    let text = listing::print(&object, &|_| None, None);
    std::fs::write(dir.0.join("t.s"), &text).unwrap();
    std::fs::write(dir.0.join("ours.o"), object.write().unwrap()).unwrap();
    dir.run("as", &["t.s", "-o", "theirs.o"]);
    let (ours, theirs) = (contents(&dir, "ours.o"), contents(&dir, "theirs.o"));
    for (section, bytes) in &ours {
        // Functions of several sections, assembled: the table's order is that of the source.
        if name.starts_with("gcc") && section == ".eh_frame" {
            continue;
        }
        assert_eq!(theirs.get(section), Some(bytes), "{name}: section {section} of\n{text}");
    }
    let compared = |file: &str| {
        let mut list = relocations(&dir, file);
        list.retain(|r| !(name.starts_with("gcc") && r.starts_with("[.eh_frame]")));
        list
    };
    assert_eq!(compared("theirs.o"), compared("ours.o"), "{name}: relocations of\n{text}");
    assert_eq!(symbols(&dir, "theirs.o"), symbols(&dir, "ours.o"), "{name}: symbols of\n{text}");
}

#[test]
fn assembled_compiler_output() {
    let dir = Dir::new("listing-gcc");
    std::fs::write(dir.0.join("t.c"), PROGRAM).unwrap();
    for (i, flags) in
        [&["-O0"][..], &["-O2"], &["-O3", "-fno-pie"], &["-Os", "-fPIC", "-ffunction-sections"]].iter().enumerate()
    {
        let mut args = vec!["-S", "t.c", "-o", "t.s"];
        args.extend(*flags);
        dir.run("gcc", &args);
        let source = std::fs::read_to_string(dir.0.join("t.s")).unwrap();
        check(&format!("gcc{i}"), assemble(&source, &Options::default()).unwrap());
    }
}

/// Functions from code buffers: padding, unwind rules, tables, constants, tail calls, long
/// branches.
fn emitted() -> ObjectBuilder {
    let mut object = ObjectBuilder::new();
    object.keep_functions = true;
    object.source_name = Some("t.c".into());
    object.idents.push("a compiler \"quoted\"".into());
    let add = |object: &mut ObjectBuilder, name: &str, binding| {
        object.add_symbol(name, binding, Visibility::Default, SymbolKind::Func)
    };
    let symbols: Vec<SymbolId> = vec![
        add(&mut object, "first", Binding::Global),
        add(&mut object, "local", Binding::Local),
        add(&mut object, "large", Binding::Weak),
        add(&mut object, "external", Binding::Global),
        add(&mut object, "per_thread", Binding::Global),
    ];
    object.symbol_mut(symbols[4]).kind = SymbolKind::Tls;
    object.symbol_mut(symbols[3]).kind = SymbolKind::NoType;
    let placement = FunctionPlacement {
        text: object.text(),
        rodata: object.rodata(),
        symbols: &symbols,
        lines: false,
        position_independent: true,
    };
    let mut b = CodeBuffer::new();
    b.begin(SymbolRef::module(0), 16, TextPlacement::Normal, true);
    b.push_r(RBP);
    b.cfi(CfiOp::DefCfaOffset(16));
    b.cfi(CfiOp::Offset(RBP.dwarf(), -16));
    b.mov_rr(Size::Q, RBP, RSP);
    b.cfi(CfiOp::DefCfaRegister(RBP.dwarf()));
    let (head, out) = (b.new_label(), b.new_label());
    let targets: Vec<_> = (0..3).map(|_| b.new_label()).collect();
    b.align(16, 15);
    b.bind(head);
    b.alu_mi(Alu::Add, Size::D, Mem::base_index(RDI, RAX, Scale::Four, 12), 5);
    b.mov_rm(Size::Q, RAX, Mem::absolute(40).with_segment(Segment::Fs));
    b.mov_rm(Size::Q, RAX, Mem::tls_local_exec(SymbolRef::module(4), 8));
    b.shift_xi(Shift::Sar, Size::D, RAX, 1);
    b.unary_x(Unary::Idiv, Size::Q, Reg(9));
    let half = b.constant(&0.5f64.to_le_bytes(), 8);
    b.sse_rx(Sse::Mulsd, XMM0, Mem::rip_symbol(half, 0, RelocKind::Pc32));
    b.fld_m(X87Float::M80, Mem::base(RSP, 8));
    let table = b.jump_table(&targets, JumpTableForm::Relative32);
    b.lea(Size::Q, Reg(1), Mem::rip_symbol(table, 0, RelocKind::Pc32));
    b.jmp_r(RAX);
    for &target in &targets {
        b.bind(target);
        b.call_symbol(SymbolRef::module(1));
        b.call_symbol(SymbolRef::module(3));
        b.call_got(SymbolRef::module(3));
        b.mov_rm(Size::Q, RAX, Mem::rip_symbol(SymbolRef::module(3), 0, RelocKind::GotPcRel));
        b.jcc(Cond::NE, out);
    }
    b.jcc(Cond::G, head);
    b.bind(out);
    b.lea(Size::Q, RDI, Mem::rip_label(head));
    b.pop_r(RBP);
    b.cfi(CfiOp::DefCfa(7, 8));
    // A tail call that is near enough for a short jump, had it been a label.
    b.jmp_symbol(SymbolRef::module(1));
    b.jmp_symbol(SymbolRef::module(2));
    b.jmp_symbol(SymbolRef::module(0));
    object.append_function(&b.take(), &placement);

    b.begin(SymbolRef::module(1), 1, TextPlacement::Normal, true);
    b.put_data(b"data among code");
    // Longer than need be: a frame size filled in later.
    b.put_bytes(&[0x40, 0x90, 0x48, 0x81, 0xec, 0x20, 0, 0, 0]);
    b.ret();
    object.append_function(&b.take(), &placement);

    b.begin(SymbolRef::module(2), 32, TextPlacement::Normal, false);
    let labels: Vec<_> = (0..60).map(|_| b.new_label()).collect();
    for i in 0..60usize {
        if i % 7 == 0 {
            b.align(16, 10);
        }
        b.bind(labels[i]);
        b.imul_rxi(Size::Q, RAX, RDI, i as i32 * 9);
        b.jcc(Cond::ALL[i % 16], labels[(i * 37) % 60]);
    }
    b.ud2();
    object.append_function(&b.take(), &placement);

    let data = object.data();
    let at = object.append(data, 8, b"text\0\x01\x02\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0tail");
    let name = object.add_symbol("odd name$", Binding::Global, Visibility::Hidden, SymbolKind::Object);
    object.define(name, data, at, 8);
    let table = object.append_zeros(data, 8, 24);
    object.add_relocation(data, table, RelocKind::Abs64, symbols[1], 3);
    object.add_relocation(data, table + 8, RelocKind::Abs64, symbols[3], -1);
    object.add_relocation(data, table + 16, RelocKind::Pc32, symbols[3], 2);
    for offset in [0, 4] {
        let duplicate = object.add_symbol("twice", Binding::Local, Visibility::Default, SymbolKind::Object);
        object.define(duplicate, data, table + offset, 4);
    }
    let common = object.add_symbol("shared", Binding::Global, Visibility::Default, SymbolKind::Object);
    object.define_common(common, 24, 8);
    let unnamed = object.add_private_symbol("", SymbolKind::Object);
    object.define(unnamed, data, table + 8, 8);
    let pointer = object.append_zeros(data, 8, 8);
    object.add_relocation(data, pointer, RelocKind::Abs64, unnamed, 0);
    let alias = object.add_symbol("other", Binding::Weak, Visibility::Default, SymbolKind::Func);
    object.define_alias(alias, symbols[0], 0);
    object
}

#[test]
fn emitted_functions() {
    check("emitted", emitted());
}

#[test]
fn reads_like_assembly() {
    let text = listing::print(&emitted(), &|_| None, None);
    for line in [
        "\tpushq   %rbp",
        "\tmovq    %rsp, %rbp",
        "\taddl    $5, 12(%rdi,%rax,4)",
        "\tcall    external",
        "\t.cfi_startproc",
        "\t.type\tfirst, @function",
        "first:",
    ] {
        assert!(text.lines().any(|l| l.split_whitespace().eq(line.split_whitespace())), "no line {line:?} in\n{text}");
    }
}
