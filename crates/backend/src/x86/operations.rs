//! What the operations of `Intrinsic::X86` are in terms of instructions; both code generators read
//! this table.

use std::sync::OnceLock;

use ir::FloatCc;
use ir::x86::OPERATIONS;
use object::encode::sse::SseShift;
use object::encode::{Sse, Vex};
use object::{Cond, Size};
use rustc_hash::FxHashMap;

/// An instruction of either table. Those with an SSE form have the same opcode under VEX (wide
/// vectors, functions with AVX).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insn {
    /// With an SSE form.
    Sse(Sse),
    /// VEX only.
    Vex(Vex),
}

/// The shape of an operation. Operands are those of the builtin, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `(a, b)`: `op a, b`; exchanged first if `swapped`; with an immediate if there is one.
    Binary {
        /// The instruction.
        op: Insn,
        /// Operands exchanged.
        swapped: bool,
        /// Predicate.
        imm: Option<u8>,
    },
    /// `(a, b, imm)`: the immediate divided by the last field.
    BinaryImmediate(Insn, u8),
    /// `(a, imm)`
    UnaryImmediate(Insn),
    /// `(a)`: `op x, a` where `x` holds `a` as well (scalar forms keep the upper lanes).
    Unary(Insn),
    /// `(a, int)`: a shift by an immediate, and the instruction for a count that is no constant.
    Shift(SseShift, Option<Sse>),
    /// `(a, int)`: `cvtsi2ss` and `cvtsi2sd` into the lowest lane.
    FromInt(Sse),
    /// `(a) -> int`: `cvtss2si` and the like, `movmskps` and the like.
    ToInt(Sse),
    /// `(a, b) -> i32`: a scalar comparison; whether it signals on quiet NaN.
    Compare {
        /// Compares doubles.
        double: bool,
        /// Signals.
        signaling: bool,
        /// The relation.
        cc: FloatCc,
    },
    /// `(a, b) -> i32`: `ptest` and its kin, a condition of their flags.
    Test(Insn, Cond),
    /// `(a, b, mask)`: the mask in `xmm0`.
    Blend(Sse),
    /// `(a, b, imm)` or `(a, la, b, lb, imm)`: `pcmpistri`, `pcmpestri` -> i32 (the index, or a
    /// condition), `pcmp.strm` -> vector.
    StringCompare {
        /// The instruction.
        op: Sse,
        /// The condition that is the result.
        cond: Option<Cond>,
    },
    /// `(a, b, c)`: `op a, b, c` with `a` as destination (fused multiply-add, form 213).
    Fused(Vex),
    /// `(a, imm)`: `vcvtps2ph`, whose source is the `reg` operand.
    ToHalf,
    /// `(a, b)` in general registers; `swapped` if the second operand is the VEX register.
    General {
        /// The instruction.
        op: Vex,
        /// Whether `b` is the VEX register and `a` the other (`bextr`, `bzhi`).
        swapped: bool,
    },
    /// `(crc, value)`
    Crc32(Size),
    /// `(pointer) -> vector`
    Load(Sse),
}

/// The fence instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenceKind {
    /// `lfence`
    Load,
    /// `sfence`
    Store,
    /// `mfence`
    Full,
}

/// The form of an operation by its number; `None` for a number that is in no table.
pub fn form(operation: u32) -> Option<Form> {
    static FORMS: OnceLock<Vec<Option<Form>>> = OnceLock::new();
    let forms = FORMS.get_or_init(|| {
        let sse = Sse::ALL.iter().map(|&op| (format!("{op:?}").to_lowercase(), Insn::Sse(op)));
        let vex = Vex::ALL.iter().map(|&op| (format!("{op:?}").to_lowercase(), Insn::Vex(op)));
        let names: FxHashMap<String, Insn> = vex.chain(sse).collect();
        OPERATIONS.iter().map(|row| describe(&names, row.0)).collect()
    });
    forms.get(operation as usize).copied().flatten()
}

fn describe(names: &FxHashMap<String, Insn>, text: &str) -> Option<Form> {
    let mut words = text.split(' ');
    let mnemonic = words.next()?;
    let words: Vec<&str> = words.collect();
    if let Some(form) = special(mnemonic, &words) {
        return Some(form);
    }
    let op = *names.get(mnemonic)?;
    if let Some(form) = listed(mnemonic, op, &words) {
        return Some(form);
    }
    let imm = words.last().and_then(|word| word.parse().ok());
    Some(Form::Binary { op, swapped: words.contains(&"swapped"), imm })
}

/// Instructions of one vector operand.
const UNARY: &str = "
sqrtps sqrtpd sqrtss sqrtsd rcpps rcpss rsqrtps rsqrtss cvtdq2ps cvtdq2pd cvtps2dq cvttps2dq cvtpd2dq cvttpd2dq cvtpd2ps cvtps2pd
movq movshdup movsldup pabsb pabsw pabsd aesimc phminposuw vcvtph2ps
pmovsxbw pmovsxbd pmovsxbq pmovsxwd pmovsxwq pmovsxdq pmovzxbw pmovzxbd pmovzxbq pmovzxwd pmovzxwq pmovzxdq
";

/// Instructions of one vector operand and an immediate.
const UNARY_IMMEDIATE: &str = "
pshufd pshuflw pshufhw aeskeygenassist roundps roundpd vpermq vpermpd
";

/// Instructions of two vector operands and an immediate.
const BINARY_IMMEDIATE: &str = "
shufps shufpd pclmulqdq blendps blendpd pblendw dpps dppd insertps mpsadbw roundss roundsd sha1rnds4 vperm2f128 vperm2i128 vpblendd
";

/// Forms that follow from the instruction's name and table.
fn listed(mnemonic: &str, op: Insn, words: &[&str]) -> Option<Form> {
    let is_in = |list: &str| list.split_ascii_whitespace().any(|name| name == mnemonic);
    let immediate = words.first() == Some(&"imm");
    Some(match op {
        _ if is_in(UNARY) => Form::Unary(op),
        _ if is_in(UNARY_IMMEDIATE) => Form::UnaryImmediate(op),
        _ if is_in(BINARY_IMMEDIATE) => Form::BinaryImmediate(op, 1),
        Insn::Sse(Sse::Cmpps | Sse::Cmppd | Sse::Cmpss | Sse::Cmpsd) if immediate => Form::BinaryImmediate(op, 1),
        Insn::Sse(sse @ (Sse::Pblendvb | Sse::Blendvps | Sse::Blendvpd | Sse::Sha256rnds2)) => Form::Blend(sse),
        Insn::Sse(Sse::Ptest) | Insn::Vex(Vex::Vtestps | Vex::Vtestpd) => Form::Test(op, flag_condition(words)?),
        Insn::Sse(sse @ (Sse::Pcmpistri | Sse::Pcmpistrm | Sse::Pcmpestri | Sse::Pcmpestrm)) => {
            Form::StringCompare { op: sse, cond: flag_condition(words) }
        }
        Insn::Vex(vex) if mnemonic.starts_with("vf") => Form::Fused(vex),
        Insn::Vex(Vex::Bextr | Vex::Bzhi) => Form::General { op: vex_of(op)?, swapped: true },
        Insn::Vex(Vex::Pdep | Vex::Pext) => Form::General { op: vex_of(op)?, swapped: false },
        Insn::Vex(Vex::Vcvtps2ph) => Form::ToHalf,
        // The indices come first in the instruction, second in the builtin.
        Insn::Vex(Vex::Vpermd | Vex::Vpermps) => Form::Binary { op, swapped: true, imm: None },
        _ => return None,
    })
}

fn vex_of(op: Insn) -> Option<Vex> {
    match op {
        Insn::Vex(vex) => Some(vex),
        Insn::Sse(_) => None,
    }
}

/// The condition that a word names: carry, zero, neither, sign, overflow.
fn flag_condition(words: &[&str]) -> Option<Cond> {
    Some(match *words.first()? {
        "c" => Cond::B,
        "z" => Cond::E,
        "a" => Cond::A,
        "s" => Cond::S,
        "o" => Cond::O,
        _ => return None,
    })
}

fn special(mnemonic: &str, words: &[&str]) -> Option<Form> {
    let relation = || {
        Some(match *words.first()? {
            "eq" => FloatCc::Oeq,
            "neq" => FloatCc::Une,
            "lt" => FloatCc::Olt,
            "le" => FloatCc::Ole,
            "gt" => FloatCc::Ogt,
            "ge" => FloatCc::Oge,
            _ => return None,
        })
    };
    let immediate = words.first() == Some(&"imm");
    Some(match mnemonic {
        "palignr" => Form::BinaryImmediate(Insn::Sse(Sse::Palignr), 8),
        "psllw" if immediate => Form::Shift(SseShift::Psllw, Some(Sse::Psllw)),
        "pslld" if immediate => Form::Shift(SseShift::Pslld, Some(Sse::Pslld)),
        "psllq" if immediate => Form::Shift(SseShift::Psllq, Some(Sse::Psllq)),
        "psrlw" if immediate => Form::Shift(SseShift::Psrlw, Some(Sse::Psrlw)),
        "psrld" if immediate => Form::Shift(SseShift::Psrld, Some(Sse::Psrld)),
        "psrlq" if immediate => Form::Shift(SseShift::Psrlq, Some(Sse::Psrlq)),
        "psraw" if immediate => Form::Shift(SseShift::Psraw, Some(Sse::Psraw)),
        "psrad" if immediate => Form::Shift(SseShift::Psrad, Some(Sse::Psrad)),
        // The builtins count bits, as gcc's do.
        "pslldq" => Form::Shift(SseShift::Pslldq, None),
        "psrldq" => Form::Shift(SseShift::Psrldq, None),
        "cvtsi2ss" => Form::FromInt(Sse::Cvtsi2ss),
        "cvtsi2sd" => Form::FromInt(Sse::Cvtsi2sd),
        "cvtss2si" => Form::ToInt(Sse::Cvtss2si),
        "cvttss2si" => Form::ToInt(Sse::Cvttss2si),
        "cvtsd2si" => Form::ToInt(Sse::Cvtsd2si),
        "cvttsd2si" => Form::ToInt(Sse::Cvttsd2si),
        "movmskps" => Form::ToInt(Sse::Movmskps),
        "movmskpd" => Form::ToInt(Sse::Movmskpd),
        "pmovmskb" => Form::ToInt(Sse::Pmovmskb),
        "comiss" | "ucomiss" | "comisd" | "ucomisd" => {
            Form::Compare { double: mnemonic.ends_with('d'), signaling: mnemonic.starts_with('c'), cc: relation()? }
        }
        "crc32b" => Form::Crc32(Size::B),
        "crc32w" => Form::Crc32(Size::W),
        "crc32l" => Form::Crc32(Size::D),
        "crc32q" => Form::Crc32(Size::Q),
        "lddqu" => Form::Load(Sse::Movdqu),
        "movntdqa" => Form::Load(Sse::Movntdqa),
        "vpermilps" if immediate => Form::UnaryImmediate(Insn::Vex(Vex::VpermilpsImm)),
        "vpermilpd" if immediate => Form::UnaryImmediate(Insn::Vex(Vex::VpermilpdImm)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
