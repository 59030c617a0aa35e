//! Inline asm in emitted functions, linked with the system's linker and run.

use std::process::Command;

use assembler::{CODE_LABEL_PREFIX, Syntax, assemble_inline};
use object::{
    Binding, CodeBuffer, FunctionCode, FunctionPlacement, Mem, ObjectBuilder, RelocKind, SectionSpec, Size, SymbolId,
    SymbolKind, SymbolRef, TextPlacement, Visibility,
};
use platform::registers::{RAX, RDI, Reg};

/// A program whose `main` is emitted by `emit` (module symbol 0 is `main`, 1 the int `counter`).
fn exit_status(name: &str, emit: impl Fn(&mut CodeBuffer)) -> i32 {
    let mut object = ObjectBuilder::new();
    let global = |object: &mut ObjectBuilder, name: &str, kind| {
        object.add_symbol(name, Binding::Global, Visibility::Default, kind)
    };
    let symbols: [SymbolId; 2] =
        [global(&mut object, "main", SymbolKind::Func), global(&mut object, "counter", SymbolKind::Object)];
    let data = object.data();
    let at = object.append(data, 4, &7i32.to_le_bytes());
    object.define(symbols[1], data, at, 4);
    let placement = FunctionPlacement {
        text: object.text(),
        rodata: object.rodata(),
        symbols: &symbols,
        lines: false,
        position_independent: true,
    };
    let mut buffer = CodeBuffer::new();
    buffer.begin(SymbolRef::module(0), 16, TextPlacement::Normal, true);
    emit(&mut buffer);
    let mut code = FunctionCode::default();
    buffer.finish(&mut code);
    object.append_function(&code, &placement);
    let dir = std::env::temp_dir().join(format!("tcc-rs-inline-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("t.o"), object.write().unwrap()).unwrap();
    let linked = Command::new("gcc").args(["t.o", "-o", "t"]).current_dir(&dir).output().unwrap();
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    let status = Command::new(dir.join("t")).status().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    status.code().unwrap_or(-1)
}

fn resolve(name: &str) -> Option<SymbolRef> {
    match name {
        "main" => Some(SymbolRef::module(0)),
        "counter" => Some(SymbolRef::module(1)),
        _ => None,
    }
}

fn asm(buffer: &mut CodeBuffer, text: &str) {
    assemble_inline(text, Syntax::Att, &SectionSpec::text(".text"), buffer, &mut resolve).unwrap();
}

#[test]
fn loops_and_symbols() {
    let status = exit_status("loop", |b| {
        asm(b, "movl counter(%rip), %ecx\n\txorl %eax, %eax\n1:\taddl $3, %eax\n\tdecl %ecx\n\tjnz 1b");
        asm(b, "jmp 2f; ud2; 2: incl %eax");
        b.ret();
    });
    assert_eq!(status, 22);
}

#[test]
fn asm_goto() {
    let status = exit_status("goto", |b| {
        let taken = b.new_label();
        b.mov_ri(Size::D, RAX, 1);
        asm(b, &format!("cmpl $1, %eax\n\tje {CODE_LABEL_PREFIX}{}", taken.0));
        b.ud2();
        b.bind(taken);
        b.mov_ri(Size::D, RAX, 33);
        b.ret();
    });
    assert_eq!(status, 33);
}

#[test]
fn other_sections() {
    // A table of (place, value) pairs; the sum of the values whose place holds a no-op.
    let status = exit_status("table", |b| {
        for value in [5, 6] {
            asm(
                b,
                &format!(
                    ".pushsection mytable,\"a\"\n.balign 8\n.quad 771f - .\n.long {value}\n.long 0\n\
                     .popsection\n771: nop"
                ),
            );
        }
        let (start, stop) = (b.named_symbol("__start_mytable"), b.named_symbol("__stop_mytable"));
        b.lea(Size::Q, RDI, Mem::rip_symbol(start, 0, RelocKind::Pc32));
        b.lea(Size::Q, Reg(6), Mem::rip_symbol(stop, 0, RelocKind::Pc32));
        let walk = "xorl %eax, %eax\n1:\tmovq (%rdi), %rdx\n\taddq %rdi, %rdx\n\tcmpb $0x90, (%rdx)\n\tjne 2f\n\
                    \taddl 8(%rdi), %eax\n2:\taddq $16, %rdi\n\tcmpq %rsi, %rdi\n\tjb 1b";
        asm(b, walk);
        b.ret();
    });
    assert_eq!(status, 11);
}

#[test]
fn alternatives() {
    // Padding computed from the lengths of two code sequences, one of them in another section.
    let text = "661:\n\tmovl $4, %eax\n662:\n\
                .skip -(((6641f-6631f)-(662b-661b)) > 0) * ((6641f-6631f)-(662b-661b)),0x90\n663:\n\
                .pushsection .altinstructions,\"a\"\n\
                .long 661b - .\n.long 6631f - .\n.byte 663b-661b\n.byte 6641f-6631f\n.popsection\n\
                .pushsection .altinstr_replacement,\"ax\"\n6631:\n\tmovabsq $0x1122334455667788, %rax\n6641:\n.popsection";
    let mut buffer = CodeBuffer::new();
    buffer.begin(SymbolRef::module(0), 16, TextPlacement::Normal, false);
    asm(&mut buffer, text);
    let code = buffer.take();
    assert_eq!(code.code.len(), 10);
    assert_eq!(&code.code[5..], [0x90; 5]);
    assert_eq!(&code.pieces[0].bytes[8..], [10, 10]);
    assert_eq!(code.pieces[1].bytes.len(), 10);
}

#[test]
fn names_and_their_properties() {
    let status = exit_status("names", |b| {
        // A function in the middle of another, and a weak reference that stays undefined.
        asm(
            b,
            "jmp 1f\n.globl inner\n.hidden inner\n.type inner, @function\ninner: movl $9, %eax\n\tret\n.size inner, .-inner\n1:",
        );
        asm(b, ".weak nobody\n\tmovq nobody@GOTPCREL(%rip), %rcx\n\tcall inner\n\taddl %ecx, %eax");
        b.ret();
    });
    assert_eq!(status, 9);
}

#[test]
fn errors_are_reported() {
    for (text, message) in [
        ("frobnicate %eax", "no such instruction"),
        ("movl %eax, %bl", "mismatch"),
        ("movq $1, %rax, %rbx, %rcx, %rdx, %rsi", "mismatch"),
        (".endr", "without"),
        ("addl $1, (%rax", "expected"),
        ("incb (%rax", "expected"),
        (".code32; ret", "code64"),
        (".code32; movq %rax, %rbx; .code64", "register name"),
        (".code16; data16 ret; .code64", "redundant"),
        ("tdpbssd %tmm1, %tmm1, %tmm2", "distinct"),
        ("vfmulcph %zmm0, %zmm1, %zmm0", "distinct"),
        ("vaddpd (%rax){1to16}, %zmm1, %zmm2", "mismatch"),
    ] {
        let mut buffer = CodeBuffer::new();
        buffer.begin(SymbolRef::module(0), 1, TextPlacement::Normal, false);
        let errors =
            assemble_inline(text, Syntax::Att, &SectionSpec::text(".text"), &mut buffer, &mut resolve).expect_err(text);
        assert!(errors[0].message.contains(message), "{text}: {}", errors[0].message);
    }
}

#[test]
fn intel_syntax() {
    let status = exit_status("intel", |b| {
        let syntax = Syntax::Intel { naked_registers: true };
        let text =
            "mov ecx, dword ptr counter[rip]\nlea eax, [rcx+rcx*4+2]\nmov qword ptr [rsp-8], 5\nadd rax, [rsp - 8]";
        assemble_inline(text, syntax, &SectionSpec::text(".text"), b, &mut resolve).unwrap();
        b.ret();
    });
    assert_eq!(status, 42);
}
