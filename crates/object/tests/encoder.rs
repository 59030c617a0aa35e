//! The encoder against GNU `as` (same bytes for the same text) and against iced's decoder (same
//! length, valid).
//!
//! Each case is one emitted instruction and the AT&T text it is meant to be. All
//! texts are assembled in one run of `as`.

use std::{fmt::Write as _, process::Command};

use object::{
    Alu, CodeBuffer, Cond, FunctionCode, Mem, Scale, Segment, Shift, Size, SymbolRef, TextPlacement,
    encode::{BitTest, Prefetch, Sse, SseShift, StringOp, Unary, Vex, VexLength, X87, X87Float, X87Int, X87Op},
};
use platform::registers::{RAX, RBP, RSP, Reg};

struct Cases {
    buffer: CodeBuffer,
    text: String,
    starts: Vec<(u32, String)>,
}

impl Cases {
    fn new() -> Cases {
        let mut buffer = CodeBuffer::new();
        buffer.begin(SymbolRef::module(0), 1, TextPlacement::Normal, false);
        Cases { buffer, text: String::new(), starts: Vec::new() }
    }

    fn add(&mut self, text: impl AsRef<str>, emit: impl FnOnce(&mut CodeBuffer)) {
        let text = text.as_ref();
        self.starts.push((self.buffer.offset(), text.to_string()));
        writeln!(self.text, "{text}").unwrap();
        emit(&mut self.buffer);
    }

    /// Assembles the texts and compares instruction by instruction.
    fn check(mut self, name: &str) {
        let mut code = FunctionCode::default();
        self.buffer.finish(&mut code);
        let dir = std::env::temp_dir().join(format!("tcc-rs-encoder-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        // Each instruction between labels, so that lengths are known.
        let mut source = String::new();
        for (i, (_, text)) in self.starts.iter().enumerate() {
            writeln!(source, ".byte 0xcc, {}, {}, 0xcc\n{text}", i & 255, i >> 8).unwrap();
        }
        std::fs::write(dir.join("t.s"), source).unwrap();
        let run = |program: &str, args: &[&str]| {
            let output = Command::new(program).args(args).current_dir(&dir).output().expect(program);
            assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        };
        run("as", &["t.s", "-o", "t.o"]);
        run("objcopy", &["-O", "binary", "-j", ".text", "t.o", "t.bin"]);
        let expected = std::fs::read(dir.join("t.bin")).unwrap();
        std::fs::remove_dir_all(&dir).unwrap();
        let mut at = 0;
        let mut wrong = String::new();
        for (i, (start, text)) in self.starts.iter().enumerate() {
            let end = self.starts.get(i + 1).map_or(code.code.len(), |s| s.0 as usize);
            let ours = &code.code[*start as usize..end];
            let separator = [0xcc, i as u8, (i >> 8) as u8, 0xcc];
            let next = [0xcc, (i + 1) as u8, ((i + 1) >> 8) as u8, 0xcc];
            assert_eq!(expected[at..at + 4], separator);
            at += 4;
            let len = expected[at..].windows(4).position(|w| w == next).unwrap_or(expected.len() - at);
            let theirs = &expected[at..at + len];
            at += len;
            if ours != theirs {
                writeln!(wrong, "{text}: ours {ours:02x?}, as {theirs:02x?}").unwrap();
            }
            let mut decoder = iced_x86::Decoder::new(64, ours, iced_x86::DecoderOptions::NONE);
            let instruction = decoder.decode();
            if instruction.is_invalid() || instruction.len() != ours.len() {
                writeln!(wrong, "{text}: {ours:02x?} does not decode as one instruction").unwrap();
            }
        }
        assert!(wrong.is_empty(), "{} cases, differences:\n{wrong}", self.starts.len());
    }
}

fn suffix(size: Size) -> &'static str {
    ["b", "w", "l", "q"][size as usize]
}

fn r(reg: Reg, size: Size) -> String {
    format!("%{}", reg.name(size.bytes()))
}

const SIZES: [Size; 4] = [Size::B, Size::W, Size::D, Size::Q];
const WIDE: [Size; 3] = [Size::W, Size::D, Size::Q];

fn some_gprs() -> [Reg; 7] {
    [Reg(0), Reg(1), Reg(4), Reg(6), Reg(8), Reg(12), Reg(13)]
}

fn mems() -> Vec<(Mem, String)> {
    let mut out = vec![
        (Mem::absolute(0x1234), "0x1234".to_string()),
        (Mem::absolute(0x28).with_segment(Segment::Fs), "%fs:0x28".to_string()),
        (Mem::base(Reg(3), 8).with_segment(Segment::Gs), "%gs:8(%rbx)".to_string()),
        (Mem::index(Reg(9), Scale::Eight, 64), "64(,%r9,8)".to_string()),
        (Mem::index(Reg(0), Scale::One, -4), "-4(,%rax,1)".to_string()),
    ];
    for base in [Reg(0), RSP, RBP, Reg(12), Reg(13), Reg(7), Reg(15)] {
        for disp in [0, 1, 127, 128, -128, -129, 0x12345] {
            out.push((Mem::base(base, disp), format!("{disp}(%{})", base.name(8))));
        }
        for (index, scale) in [(Reg(1), Scale::Two), (RBP, Scale::Four), (Reg(12), Scale::Eight), (Reg(13), Scale::One)]
        {
            for disp in [0, -8, 1000] {
                let text = format!("{disp}(%{},%{},{})", base.name(8), index.name(8), scale.factor());
                out.push((Mem::base_index(base, index, scale, disp), text));
            }
        }
    }
    out
}

#[test]
fn memory_operands() {
    let mut cases = Cases::new();
    for (mem, text) in mems() {
        for size in SIZES {
            for reg in [Reg(0), Reg(5), Reg(14)] {
                // The absolute accumulator forms are a different instruction to `as`.
                if mem.base.is_none() && mem.index.is_none() && reg == RAX {
                    continue;
                }
                cases.add(format!("mov{} {text}, {}", suffix(size), r(reg, size)), |b| b.mov_rm(size, reg, mem));
                cases.add(format!("mov{} {}, {text}", suffix(size), r(reg, size)), |b| b.mov_mr(size, mem, reg));
            }
        }
        cases.add(format!("lea {text}, %r11"), |b| b.lea(Size::Q, Reg(11), mem));
        cases.add(format!("movaps {text}, %xmm9"), |b| b.sse_rx(Sse::Movaps, Reg::xmm(9), mem));
        cases.add(format!("vaddps {text}, %ymm3, %ymm9"), |b| {
            b.vex_rrx(Vex::Vaddps, VexLength::L256, Reg::xmm(9), Some(Reg::xmm(3)), mem);
        });
    }
    cases.check("memory");
}

#[test]
fn moves() {
    let mut cases = Cases::new();
    let mem = Mem::base(Reg(3), 16);
    for size in SIZES {
        let s = suffix(size);
        for a in some_gprs() {
            for b in some_gprs() {
                cases.add(format!("mov{s} {}, {}", r(b, size), r(a, size)), |x| x.mov_rr(size, a, b));
                cases.add(format!("xchg{s} {}, {}", r(b, size), r(a, size)), |x| x.xchg_rr(size, a, b));
            }
            cases.add(format!("mov{s} $17, 16(%rbx)"), |x| x.mov_mi(size, mem, 17));
            cases.add(format!("xchg{s} {}, 16(%rbx)", r(a, size)), |x| x.xchg_mr(size, mem, a));
            for cond in Cond::ALL {
                let cc = cond.suffix();
                if size == Size::B {
                    cases.add(format!("set{cc} {}", r(a, size)), |x| x.setcc_x(cond, a));
                    cases.add(format!("set{cc} 16(%rbx)"), |x| x.setcc_x(cond, mem));
                } else {
                    cases.add(format!("cmov{cc}{s} %{}, {}", Reg(9).name(size.bytes()), r(a, size)), |x| {
                        x.cmov_rx(cond, size, a, Reg(9));
                    });
                    cases.add(format!("cmov{cc}{s} 16(%rbx), {}", r(a, size)), |x| x.cmov_rx(cond, size, a, mem));
                }
            }
        }
    }
    for a in some_gprs() {
        cases.add(format!("movb $200, {}", r(a, Size::B)), |x| x.mov_ri(Size::B, a, 200));
        cases.add(format!("movw $-2, {}", r(a, Size::W)), |x| x.mov_ri(Size::W, a, -2));
        cases.add(format!("movl $-2, {}", r(a, Size::D)), |x| x.mov_ri(Size::D, a, -2));
        cases.add(format!("movl $0x80000000, {}", r(a, Size::D)), |x| x.mov_ri(Size::Q, a, 0x8000_0000));
        cases.add(format!("movq $-2, {}", r(a, Size::Q)), |x| x.mov_ri(Size::Q, a, -2));
        cases.add(format!("movabs $0x123456789a, {}", r(a, Size::Q)), |x| x.mov_ri(Size::Q, a, 0x12_3456_789a));
        cases.add(format!("push {}", r(a, Size::Q)), |x| x.push_r(a));
        cases.add(format!("pop {}", r(a, Size::Q)), |x| x.pop_r(a));
        cases.add(format!("xorl {0}, {0}", r(a, Size::D)), |x| x.zero_r(a));
        for size in [Size::D, Size::Q] {
            cases.add(format!("bswap {}", r(a, size)), |x| x.bswap(size, a));
        }
        for (from, to) in [
            (Size::B, Size::W),
            (Size::B, Size::D),
            (Size::B, Size::Q),
            (Size::W, Size::D),
            (Size::W, Size::Q),
            (Size::D, Size::Q),
        ] {
            let (f, t) = (suffix(from), suffix(to));
            for b in some_gprs() {
                cases.add(format!("movs{f}{t} {}, {}", r(b, from), r(a, to)), |x| x.movsx_rx(to, from, a, b));
                if from != Size::D {
                    cases.add(format!("movz{f}{t} {}, {}", r(b, from), r(a, to)), |x| x.movzx_rx(to, from, a, b));
                }
            }
            cases.add(format!("movs{f}{t} 16(%rbx), {}", r(a, to)), |x| x.movsx_rx(to, from, a, mem));
            if from != Size::D {
                cases.add(format!("movz{f}{t} 16(%rbx), {}", r(a, to)), |x| x.movzx_rx(to, from, a, mem));
            }
        }
    }
    cases.add("push $5", |x| x.push_i(5));
    cases.add("push $500", |x| x.push_i(500));
    cases.add("pushq 16(%rbx)", |x| x.push_m(mem));
    cases.add("popq 16(%rbx)", |x| x.pop_m(mem));
    cases.check("moves");
}

#[test]
fn arithmetic() {
    let mut cases = Cases::new();
    let mem = Mem::base(Reg(9), 16);
    let m = "16(%r9)";
    let alu = [Alu::Add, Alu::Or, Alu::Adc, Alu::Sbb, Alu::And, Alu::Sub, Alu::Xor, Alu::Cmp];
    let shifts = [Shift::Rol, Shift::Ror, Shift::Rcl, Shift::Rcr, Shift::Shl, Shift::Shr, Shift::Sar];
    let unary = [Unary::Not, Unary::Neg, Unary::Mul, Unary::Imul, Unary::Div, Unary::Idiv, Unary::Inc, Unary::Dec];
    for size in SIZES {
        let s = suffix(size);
        for a in some_gprs() {
            let ra = r(a, size);
            for op in alu {
                let n = format!("{op:?}").to_lowercase();
                for b in some_gprs() {
                    cases.add(format!("{n}{s} {}, {ra}", r(b, size)), |x| x.alu_rr(op, size, a, b));
                }
                for imm in [0, 1, 127, 128, -128, -129, 0x7f00] {
                    if size == Size::B && !(-128..=127).contains(&imm) {
                        continue;
                    }
                    cases.add(format!("{n}{s} ${imm}, {ra}"), |x| x.alu_ri(op, size, a, imm));
                    cases.add(format!("{n}{s} ${imm}, {m}"), |x| x.alu_mi(op, size, mem, imm));
                    if op != Alu::Cmp {
                        cases.add(format!("lock {n}{s} ${imm}, {m}"), |x| x.lock_alu_mi(op, size, mem, imm));
                    }
                }
                cases.add(format!("{n}{s} {m}, {ra}"), |x| x.alu_rm(op, size, a, mem));
                cases.add(format!("{n}{s} {ra}, {m}"), |x| x.alu_mr(op, size, mem, a));
                if op != Alu::Cmp {
                    cases.add(format!("lock {n}{s} {ra}, {m}"), |x| x.lock_alu_mr(op, size, mem, a));
                }
            }
            for op in shifts {
                let n = format!("{op:?}").to_lowercase();
                cases.add(format!("{n}{s} $1, {ra}"), |x| x.shift_xi(op, size, a, 1));
                cases.add(format!("{n}{s} $7, {ra}"), |x| x.shift_xi(op, size, a, 7));
                cases.add(format!("{n}{s} %cl, {ra}"), |x| x.shift_xcl(op, size, a));
                cases.add(format!("{n}{s} $1, {m}"), |x| x.shift_xi(op, size, mem, 1));
                cases.add(format!("{n}{s} $3, {m}"), |x| x.shift_xi(op, size, mem, 3));
                cases.add(format!("{n}{s} %cl, {m}"), |x| x.shift_xcl(op, size, mem));
            }
            for op in unary {
                let n = format!("{op:?}").to_lowercase();
                cases.add(format!("{n}{s} {ra}"), |x| x.unary_x(op, size, a));
                cases.add(format!("{n}{s} {m}"), |x| x.unary_x(op, size, mem));
            }
            cases.add(format!("test{s} {}, {ra}", r(Reg(6), size)), |x| x.test_rr(size, a, Reg(6)));
            cases.add(format!("test{s} {ra}, {m}"), |x| x.test_mr(size, mem, a));
            cases.add(format!("test{s} $9, {ra}"), |x| x.test_ri(size, a, 9));
            cases.add(format!("test{s} $9, {m}"), |x| x.test_mi(size, mem, 9));
            cases.add(format!("lock xadd{s} {ra}, {m}"), |x| x.lock_xadd(size, mem, a));
            cases.add(format!("lock cmpxchg{s} {ra}, {m}"), |x| x.lock_cmpxchg(size, mem, a));
        }
        for op in [Unary::Inc, Unary::Dec, Unary::Neg, Unary::Not] {
            let n = format!("{op:?}").to_lowercase();
            cases.add(format!("lock {n}{s} {m}"), |x| x.lock_unary_m(op, size, mem));
        }
    }
    for size in WIDE {
        let s = suffix(size);
        for a in some_gprs() {
            let (ra, rb) = (r(a, size), r(Reg(10), size));
            let b = Reg(10);
            cases.add(format!("imul{s} {rb}, {ra}"), |x| x.imul_rx(size, a, b));
            cases.add(format!("imul{s} {m}, {ra}"), |x| x.imul_rx(size, a, mem));
            cases.add(format!("imul{s} $5, {rb}, {ra}"), |x| x.imul_rxi(size, a, b, 5));
            cases.add(format!("imul{s} $500, {rb}, {ra}"), |x| x.imul_rxi(size, a, b, 500));
            cases.add(format!("imul{s} $500, {m}, {ra}"), |x| x.imul_rxi(size, a, mem, 500));
            cases.add(format!("shld{s} $5, {rb}, {ra}"), |x| x.shld_rri(size, a, b, 5));
            cases.add(format!("shld{s} %cl, {rb}, {ra}"), |x| x.shld_rrcl(size, a, b));
            cases.add(format!("shrd{s} $5, {rb}, {ra}"), |x| x.shrd_rri(size, a, b, 5));
            cases.add(format!("shrd{s} %cl, {rb}, {ra}"), |x| x.shrd_rrcl(size, a, b));
            for op in [BitTest::Bt, BitTest::Bts, BitTest::Btr, BitTest::Btc] {
                let n = format!("{op:?}").to_lowercase();
                cases.add(format!("{n}{s} {rb}, {ra}"), |x| x.bit_test_rr(op, size, a, b));
                cases.add(format!("{n}{s} $5, {ra}"), |x| x.bit_test_xi(op, size, a, 5));
                cases.add(format!("{n}{s} $5, {m}"), |x| x.bit_test_xi(op, size, mem, 5));
                if op != BitTest::Bt {
                    cases.add(format!("lock {n}{s} $5, {m}"), |x| x.lock_bit_test_mi(op, size, mem, 5));
                }
            }
            cases.add(format!("bsf{s} {rb}, {ra}"), |x| x.bsf_rx(size, a, b));
            cases.add(format!("bsr{s} {m}, {ra}"), |x| x.bsr_rx(size, a, mem));
            cases.add(format!("tzcnt{s} {rb}, {ra}"), |x| x.tzcnt_rr(size, a, b));
            cases.add(format!("lzcnt{s} {rb}, {ra}"), |x| x.lzcnt_rr(size, a, b));
            cases.add(format!("popcnt{s} {rb}, {ra}"), |x| x.popcnt_rr(size, a, b));
        }
    }
    cases.add("cbtw", |x| x.cbw());
    cases.add("cwtl", |x| x.cwde());
    cases.add("cltq", |x| x.cdqe());
    cases.add("cwtd", |x| x.sign_into_rdx(Size::W));
    cases.add("cltd", |x| x.sign_into_rdx(Size::D));
    cases.add("cqto", |x| x.sign_into_rdx(Size::Q));
    cases.add("lock cmpxchg16b 16(%r9)", |x| x.lock_cmpxchg16b(mem));
    cases.check("arithmetic");
}

#[test]
fn control_and_system() {
    let mut cases = Cases::new();
    let mem = Mem::base(Reg(11), 0x100);
    for a in some_gprs() {
        let n = r(a, Size::Q);
        cases.add(format!("jmp *{n}"), |x| x.jmp_r(a));
        cases.add(format!("call *{n}"), |x| x.call_r(a));
    }
    cases.add("jmp *0x100(%r11)", |x| x.jmp_m(mem));
    cases.add("call *0x100(%r11)", |x| x.call_m(mem));
    for (text, emit) in [
        ("ret", CodeBuffer::ret as fn(&mut CodeBuffer)),
        ("leave", CodeBuffer::leave),
        ("ud2", CodeBuffer::ud2),
        ("int3", CodeBuffer::int3),
        ("pause", CodeBuffer::pause),
        ("endbr64", CodeBuffer::endbr64),
        ("cpuid", CodeBuffer::cpuid),
        ("rdtsc", CodeBuffer::rdtsc),
        ("cld", CodeBuffer::cld),
        ("pushfq", CodeBuffer::pushfq),
        ("popfq", CodeBuffer::popfq),
        ("mfence", CodeBuffer::mfence),
        ("lfence", CodeBuffer::lfence),
        ("sfence", CodeBuffer::sfence),
        ("vzeroupper", CodeBuffer::vzeroupper),
        ("emms", CodeBuffer::emms),
    ] {
        cases.add(text, emit);
    }
    for size in SIZES {
        let s = suffix(size);
        for (n, op) in [
            ("movs", StringOp::Movs),
            ("stos", StringOp::Stos),
            ("cmps", StringOp::Cmps),
            ("scas", StringOp::Scas),
            ("lods", StringOp::Lods),
        ] {
            cases.add(format!("{n}{s}"), |x| x.string(op, size));
            cases.add(format!("rep {n}{s}"), |x| x.rep(op, size));
            if matches!(op, StringOp::Cmps | StringOp::Scas) {
                cases.add(format!("repne {n}{s}"), |x| x.repne(op, size));
            }
        }
    }
    for (n, hint) in
        [("nta", Prefetch::Nta), ("t0", Prefetch::T0), ("t1", Prefetch::T1), ("t2", Prefetch::T2), ("w", Prefetch::W)]
    {
        cases.add(format!("prefetch{n} 0x100(%r11)"), |x| x.prefetch(hint, mem));
    }
    cases.add("ldmxcsr 0x100(%r11)", |x| x.ldmxcsr(mem));
    cases.add("stmxcsr 0x100(%r11)", |x| x.stmxcsr(mem));
    cases.add("movntil %ecx, 0x100(%r11)", |x| x.movnti(Size::D, mem, Reg(1)));
    cases.add("movntiq %rcx, 0x100(%r11)", |x| x.movnti(Size::Q, mem, Reg(1)));
    cases.add("movbel 0x100(%r11), %ecx", |x| x.movbe_rm(Size::D, Reg(1), mem));
    cases.add("movbeq %rcx, 0x100(%r11)", |x| x.movbe_mr(Size::Q, mem, Reg(1)));
    for size in SIZES {
        cases.add(format!("crc32{} {}, %ecx", suffix(size).replace('q', "l"), r(Reg(6), size.min(Size::D))), |x| {
            x.crc32_rr(size.min(Size::D), Reg(1), Reg(6));
        });
    }
    cases.check("control");
}

#[test]
fn x87() {
    let mut cases = Cases::new();
    let mem = Mem::base(RBP, -16);
    let m = "-16(%rbp)";
    for (s, width) in [("s", X87Float::M32), ("l", X87Float::M64), ("t", X87Float::M80)] {
        cases.add(format!("fld{s} {m}"), |x| x.fld_m(width, mem));
        cases.add(format!("fstp{s} {m}"), |x| x.fstp_m(width, mem));
        if width != X87Float::M80 {
            cases.add(format!("fst{s} {m}"), |x| x.fst_m(width, mem));
            for (n, op) in [
                ("fadd", X87Op::Add),
                ("fmul", X87Op::Mul),
                ("fsub", X87Op::Sub),
                ("fsubr", X87Op::SubReverse),
                ("fdiv", X87Op::Div),
                ("fdivr", X87Op::DivReverse),
            ] {
                cases.add(format!("{n}{s} {m}"), |x| x.x87_op_m(op, width, mem));
            }
        }
    }
    for (s, width) in [("s", X87Int::M16), ("l", X87Int::M32), ("q", X87Int::M64)] {
        cases.add(format!("fild{s} {m}"), |x| x.fild(width, mem));
        cases.add(format!("fistp{s} {m}"), |x| x.fistp(width, mem));
        cases.add(format!("fisttp{s} {m}"), |x| x.fisttp(width, mem));
    }
    for i in 0..8 {
        for (n, op) in [
            ("fadd", X87Op::Add),
            ("fmul", X87Op::Mul),
            ("fsub", X87Op::Sub),
            ("fsubr", X87Op::SubReverse),
            ("fdiv", X87Op::Div),
            ("fdivr", X87Op::DivReverse),
        ] {
            cases.add(format!("{n} %st({i}), %st"), |x| x.x87_op_st0(op, i));
        }
        // In Intel syntax, where names mean what they say: st(i) = st(i) op st(0).
        for (n, op) in [
            ("faddp", X87Op::Add),
            ("fmulp", X87Op::Mul),
            ("fsubp", X87Op::Sub),
            ("fsubrp", X87Op::SubReverse),
            ("fdivp", X87Op::Div),
            ("fdivrp", X87Op::DivReverse),
        ] {
            let text = format!(".intel_syntax noprefix\n{n} st({i}), st\n.att_syntax prefix");
            cases.add(text, |x| x.x87_op_pop(op, i));
        }
        cases.add(format!("fld %st({i})"), |x| x.fld_st(i));
        cases.add(format!("fstp %st({i})"), |x| x.fstp_st(i));
        cases.add(format!("fxch %st({i})"), |x| x.fxch(i));
        cases.add(format!("ffree %st({i})"), |x| x.ffree(i));
        cases.add(format!("fucomi %st({i}), %st"), |x| x.fucomi(i));
        cases.add(format!("fucomip %st({i}), %st"), |x| x.fucomip(i));
        cases.add(format!("fcomi %st({i}), %st"), |x| x.fcomi(i));
        cases.add(format!("fcomip %st({i}), %st"), |x| x.fcomip(i));
        for (row, n) in ["b", "e", "be", "u"].iter().enumerate() {
            cases.add(format!("fcmov{n} %st({i}), %st"), |x| x.fcmov(false, row as u8, i));
            cases.add(format!("fcmovn{n} %st({i}), %st"), |x| x.fcmov(true, row as u8, i));
        }
    }
    for op in [
        X87::Fchs,
        X87::Fabs,
        X87::Ftst,
        X87::Fxam,
        X87::Fld1,
        X87::Fldl2t,
        X87::Fldl2e,
        X87::Fldpi,
        X87::Fldlg2,
        X87::Fldln2,
        X87::Fldz,
        X87::F2xm1,
        X87::Fyl2x,
        X87::Fptan,
        X87::Fpatan,
        X87::Fxtract,
        X87::Fprem1,
        X87::Fdecstp,
        X87::Fincstp,
        X87::Fprem,
        X87::Fyl2xp1,
        X87::Fsqrt,
        X87::Fsincos,
        X87::Frndint,
        X87::Fscale,
        X87::Fsin,
        X87::Fcos,
        X87::Fnclex,
        X87::Fninit,
        X87::Fucompp,
        X87::Fcompp,
    ] {
        cases.add(format!("{op:?}").to_lowercase(), |x| x.x87(op));
    }
    cases.add("fnstsw %ax", |x| x.x87(X87::FnstswAx));
    cases.add(format!("fnstcw {m}"), |x| x.fnstcw(mem));
    cases.add(format!("fldcw {m}"), |x| x.fldcw(mem));
    cases.add(format!("fnstsw {m}"), |x| x.fnstsw_m(mem));
    cases.add(format!("fnstenv {m}"), |x| x.fnstenv(mem));
    cases.add(format!("fldenv {m}"), |x| x.fldenv(mem));
    cases.check("x87");
}

/// How an SSE variant is written and which operand forms it has.
fn sse_mnemonic(op: Sse) -> String {
    let name = format!("{op:?}");
    name.strip_suffix("Store").or(name.strip_suffix("Load")).unwrap_or(&name).to_lowercase()
}

#[test]
fn sse() {
    use Sse::*;
    let mut cases = Cases::new();
    let mem = Mem::base_index(Reg(12), Reg(9), Scale::Four, 40);
    let m = "40(%r12,%r9,4)";
    let pairs = [(Reg::xmm(0), Reg::xmm(1)), (Reg::xmm(8), Reg::xmm(3)), (Reg::xmm(2), Reg::xmm(15))];
    for &op in Sse::ALL {
        let n = sse_mnemonic(op);
        for (a, b) in pairs {
            let (ra, rb) = (r(a, Size::Q), r(b, Size::Q));
            match op {
                MovToXmm => {
                    cases.add(format!("movd %ecx, {ra}"), |x| x.sse(op, Size::D, a, Reg(1), None));
                    cases.add(format!("movq %r9, {ra}"), |x| x.sse(op, Size::Q, a, Reg(9), None));
                    cases.add(format!("movd {m}, {ra}"), |x| x.sse(op, Size::D, a, mem, None));
                }
                MovFromXmm => {
                    cases.add(format!("movd {ra}, %ecx"), |x| x.sse(op, Size::D, Reg(1), a, None));
                    cases.add(format!("movq {ra}, %r9"), |x| x.sse(op, Size::Q, Reg(9), a, None));
                    cases.add(format!("movd {ra}, {m}"), |x| x.sse_mr_sized(op, Size::D, mem, a));
                }
                Cvtsi2ss | Cvtsi2sd => {
                    cases.add(format!("{n}l %ecx, {ra}"), |x| x.sse(op, Size::D, a, Reg(1), None));
                    cases.add(format!("{n}q %r9, {ra}"), |x| x.sse(op, Size::Q, a, Reg(9), None));
                    cases.add(format!("{n}q {m}, {ra}"), |x| x.sse(op, Size::Q, a, mem, None));
                }
                Cvttss2si | Cvttsd2si | Cvtss2si | Cvtsd2si => {
                    cases.add(format!("{n} {ra}, %ecx"), |x| x.sse(op, Size::D, Reg(1), a, None));
                    cases.add(format!("{n} {ra}, %r9"), |x| x.sse(op, Size::Q, Reg(9), a, None));
                    cases.add(format!("{n} {m}, %r9"), |x| x.sse(op, Size::Q, Reg(9), mem, None));
                }
                Movmskps | Movmskpd | Pmovmskb => {
                    cases.add(format!("{n} {ra}, %r9d"), |x| x.sse_rx(op, Reg(9), a));
                }
                Pinsrw | Pinsrb => {
                    cases.add(format!("{n} $1, %r9d, {ra}"), |x| x.sse(op, Size::D, a, Reg(9), Some(1)));
                    cases.add(format!("{n} $1, {m}, {ra}"), |x| x.sse(op, Size::D, a, mem, Some(1)));
                }
                Pinsr => {
                    cases.add(format!("pinsrd $1, %r9d, {ra}"), |x| x.sse(op, Size::D, a, Reg(9), Some(1)));
                    cases.add(format!("pinsrq $1, %r9, {ra}"), |x| x.sse(op, Size::Q, a, Reg(9), Some(1)));
                    cases.add(format!("pinsrq $1, {m}, {ra}"), |x| x.sse(op, Size::Q, a, mem, Some(1)));
                }
                Pextrw => cases.add(format!("{n} $1, {ra}, %r9d"), |x| x.sse(op, Size::D, Reg(9), a, Some(1))),
                PextrbStore | PextrwStore => {
                    cases.add(format!("{n} $1, {ra}, {m}"), |x| x.sse_mri(op, Size::D, mem, a, 1));
                }
                PextrStore => {
                    cases.add(format!("pextrd $1, {ra}, %r9d"), |x| x.sse(op, Size::D, Reg(9), a, Some(1)));
                    cases.add(format!("pextrq $1, {ra}, %r9"), |x| x.sse(op, Size::Q, Reg(9), a, Some(1)));
                    cases.add(format!("pextrq $1, {ra}, {m}"), |x| x.sse_mri(op, Size::Q, mem, a, 1));
                }
                Extractps => {
                    cases.add(format!("{n} $1, {ra}, %r9d"), |x| x.sse(op, Size::D, Reg(9), a, Some(1)));
                    cases.add(format!("{n} $1, {ra}, {m}"), |x| x.sse_mri(op, Size::D, mem, a, 1));
                }
                Movhlps | Movlhps | Maskmovdqu => cases.add(format!("{n} {rb}, {ra}"), |x| x.sse_rx(op, a, b)),
                Lddqu | Movntdqa | MovlpsLoad | MovlpdLoad | MovhpsLoad | MovhpdLoad => {
                    cases.add(format!("{n} {m}, {ra}"), |x| x.sse_rx(op, a, mem));
                }
                _ if op.is_store() => cases.add(format!("{n} {ra}, {m}"), |x| x.sse_mr(op, mem, a)),
                _ if op.has_immediate() => {
                    cases.add(format!("{n} $3, {rb}, {ra}"), |x| x.sse(op, Size::D, a, b, Some(3)));
                    cases.add(format!("{n} $3, {m}, {ra}"), |x| x.sse(op, Size::D, a, mem, Some(3)));
                }
                _ => {
                    cases.add(format!("{n} {rb}, {ra}"), |x| x.sse_rx(op, a, b));
                    cases.add(format!("{n} {m}, {ra}"), |x| x.sse_rx(op, a, mem));
                }
            }
        }
    }
    for op in [
        SseShift::Psrlw,
        SseShift::Psraw,
        SseShift::Psllw,
        SseShift::Psrld,
        SseShift::Psrad,
        SseShift::Pslld,
        SseShift::Psrlq,
        SseShift::Psrldq,
        SseShift::Psllq,
        SseShift::Pslldq,
    ] {
        let n = format!("{op:?}").to_lowercase();
        cases.add(format!("{n} $3, %xmm4"), |x| x.sse_shift(op, Reg::xmm(4), 3));
        cases.add(format!("{n} $3, %xmm12"), |x| x.sse_shift(op, Reg::xmm(12), 3));
    }
    cases.check("sse");
}

#[test]
fn vex() {
    let mut cases = Cases::new();
    let mem = Mem::base(Reg(9), 32);
    for &op in Vex::ALL {
        let n = format!("{op:?}").to_lowercase();
        let three = (n.starts_with("vf")
            || n.starts_with("vp")
                && !n.contains("broadcast")
                && !n.contains("shuf")
                && !n.contains("vpt")
                && !n.contains("perm"))
            && !["vpmovmskb", "vperm2i128", "vpermq", "vpalignr", "vpblendd", "vpblendvb"].contains(&n.as_str())
            || ["vadd", "vsub", "vmul", "vdiv", "vmin", "vmax", "vand", "vor", "vxor", "vunpck"]
                .iter()
                .any(|p| n.starts_with(p))
            || n == "vpshufb";
        if three {
            for (a, b, c) in [(0, 1, 2), (8, 3, 4), (5, 9, 6), (10, 11, 12)] {
                // `as` exchanges the sources of commutative operations to save a byte.
                if c >= 8 && (b < 8 || a < 8) {
                    continue;
                }
                let (a, b, c) = (Reg::xmm(a), Reg::xmm(b), Reg::xmm(c));
                let text = format!("{n} {}, {}, {}", r(c, Size::Q), r(b, Size::Q), r(a, Size::Q));
                cases.add(text, |x| x.vex_rrx(op, VexLength::L128, a, Some(b), c));
                cases.add(format!("{n} 32(%r9), {}, {}", r(b, Size::Q), r(a, Size::Q)), |x| {
                    x.vex_rrx(op, VexLength::L128, a, Some(b), mem);
                });
            }
        }
    }
    for (op, n) in [(Vex::Andn, "andn"), (Vex::Pdep, "pdep"), (Vex::Pext, "pext"), (Vex::Mulx, "mulx")] {
        cases.add(format!("{n} %ecx, %r9d, %esi"), |x| {
            x.vex_rrx(op, VexLength::L128, Reg(6), Some(Reg(9)), Reg(1));
        });
        cases.add(format!("{n} %rcx, %r9, %rsi"), |x| x.vex_rrx(op, VexLength::W64, Reg(6), Some(Reg(9)), Reg(1)));
    }
    for (op, n) in
        [(Vex::Shlx, "shlx"), (Vex::Sarx, "sarx"), (Vex::Shrx, "shrx"), (Vex::Bextr, "bextr"), (Vex::Bzhi, "bzhi")]
    {
        cases.add(format!("{n} %ecx, %r9d, %esi"), |x| {
            x.vex_rrx(op, VexLength::L128, Reg(6), Some(Reg(1)), Reg(9));
        });
    }
    for (extension, n) in [(1, "blsr"), (2, "blsmsk"), (3, "blsi")] {
        cases.add(format!("{n} %r9, %rsi"), |x| x.vex_bls(extension, Size::Q, Reg(6), Reg(9)));
        cases.add(format!("{n} %ecx, %esi"), |x| x.vex_bls(extension, Size::D, Reg(6), Reg(1)));
    }
    cases.add("rorx $3, %r9, %rsi", |x| x.vex(Vex::Rorx, VexLength::W64, (Reg(6), None), Reg(9), Some(3)));
    cases.add("vmovdqu 32(%r9), %ymm3", |x| x.vex_rrx(Vex::Vmovdqu, VexLength::L256, Reg::xmm(3), None, mem));
    cases.add("vmovdqu %ymm3, 32(%r9)", |x| {
        x.vex_rrx(Vex::VmovdquStore, VexLength::L256, Reg::xmm(3), None, mem);
    });
    cases.check("vex");
}
