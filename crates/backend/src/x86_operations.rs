//! What the operations of `Intrinsic::X86` are in terms of instructions; both code generators read this table.

use std::sync::OnceLock;

use ir::FloatCc;
use ir::x86::OPERATIONS;
use object::Size;
use object::encode::Sse;
use object::encode::sse::SseShift;
use rustc_hash::FxHashMap;

/// The shape of an operation. Operands are those of the builtin, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `(a, b)`: `op a, b`; exchanged first if `swapped`; with an immediate if there is one.
    Binary {
        /// The instruction.
        op: Sse,
        /// Operands exchanged.
        swapped: bool,
        /// Predicate.
        imm: Option<u8>,
    },
    /// `(a, b, imm)`: the immediate divided by the last field.
    BinaryImmediate(Sse, u8),
    /// `(a, imm)`
    UnaryImmediate(Sse),
    /// `(a)`: `op x, a` where `x` holds `a` as well (scalar forms keep the upper lanes).
    Unary(Sse),
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
    /// `(a, b) -> i32`: `ptest`, the carry flag or the zero flag.
    Test {
        /// The carry flag.
        carry: bool,
    },
    /// `(a, b, mask)`: the mask in `xmm0`.
    Blend,
    /// `(crc, value)`
    Crc32(Size),
    /// `(a, pointer)`: loads half a register.
    LoadHalf(Sse),
    /// `(pointer) -> vector`
    Load(Sse),
    /// `(pointer, vector)`
    Store(Sse),
    /// `(pointer, int)`: `movnti`
    StoreInt,
    /// `(a, mask, pointer)`: `maskmovdqu`
    MaskedStore,
    /// `(pointer)`: `clflush`
    Flush,
    /// `()`: `lfence`, `sfence`, `mfence`
    Fence(FenceKind),
    /// `(i32)`
    SetMxcsr,
    /// `() -> i32`
    GetMxcsr,
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
        let names: FxHashMap<String, Sse> = Sse::ALL.iter().map(|&op| (format!("{op:?}").to_lowercase(), op)).collect();
        OPERATIONS.iter().map(|name| describe(&names, name)).collect()
    });
    forms.get(operation as usize).copied().flatten()
}

fn describe(names: &FxHashMap<String, Sse>, text: &str) -> Option<Form> {
    let mut words = text.split(' ');
    let mnemonic = words.next()?;
    let words: Vec<&str> = words.collect();
    if let Some(form) = special(mnemonic, &words) {
        return Some(form);
    }
    let op = *names.get(mnemonic)?;
    let imm = words.last().and_then(|word| word.parse().ok());
    Some(Form::Binary { op, swapped: words.contains(&"swapped"), imm })
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
        "shufps" => Form::BinaryImmediate(Sse::Shufps, 1),
        "shufpd" => Form::BinaryImmediate(Sse::Shufpd, 1),
        "palignr" => Form::BinaryImmediate(Sse::Palignr, 8),
        "pclmulqdq" => Form::BinaryImmediate(Sse::Pclmulqdq, 1),
        "pshufd" => Form::UnaryImmediate(Sse::Pshufd),
        "pshuflw" => Form::UnaryImmediate(Sse::Pshuflw),
        "pshufhw" => Form::UnaryImmediate(Sse::Pshufhw),
        "aeskeygenassist" => Form::UnaryImmediate(Sse::Aeskeygenassist),
        "sqrtps" => Form::Unary(Sse::Sqrtps),
        "sqrtpd" => Form::Unary(Sse::Sqrtpd),
        "sqrtss" => Form::Unary(Sse::Sqrtss),
        "sqrtsd" => Form::Unary(Sse::Sqrtsd),
        "rcpps" => Form::Unary(Sse::Rcpps),
        "rcpss" => Form::Unary(Sse::Rcpss),
        "rsqrtps" => Form::Unary(Sse::Rsqrtps),
        "rsqrtss" => Form::Unary(Sse::Rsqrtss),
        "cvtdq2ps" => Form::Unary(Sse::Cvtdq2ps),
        "cvtdq2pd" => Form::Unary(Sse::Cvtdq2pd),
        "cvtps2dq" => Form::Unary(Sse::Cvtps2dq),
        "cvttps2dq" => Form::Unary(Sse::Cvttps2dq),
        "cvtpd2dq" => Form::Unary(Sse::Cvtpd2dq),
        "cvttpd2dq" => Form::Unary(Sse::Cvttpd2dq),
        "cvtpd2ps" => Form::Unary(Sse::Cvtpd2ps),
        "cvtps2pd" => Form::Unary(Sse::Cvtps2pd),
        "movq" => Form::Unary(Sse::Movq),
        "movshdup" => Form::Unary(Sse::Movshdup),
        "movsldup" => Form::Unary(Sse::Movsldup),
        "pabsb" => Form::Unary(Sse::Pabsb),
        "pabsw" => Form::Unary(Sse::Pabsw),
        "pabsd" => Form::Unary(Sse::Pabsd),
        "aesimc" => Form::Unary(Sse::Aesimc),
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
        "ptest" => Form::Test { carry: words.first() == Some(&"c") },
        "pblendvb" => Form::Blend,
        "crc32b" => Form::Crc32(Size::B),
        "crc32w" => Form::Crc32(Size::W),
        "crc32l" => Form::Crc32(Size::D),
        "crc32q" => Form::Crc32(Size::Q),
        "movhps" if words == ["load"] => Form::LoadHalf(Sse::MovhpsLoad),
        "movlps" if words == ["load"] => Form::LoadHalf(Sse::MovlpsLoad),
        "movhpd" if words == ["load"] => Form::LoadHalf(Sse::MovhpdLoad),
        "movlpd" if words == ["load"] => Form::LoadHalf(Sse::MovlpdLoad),
        "movhps" => Form::Store(Sse::MovhpsStore),
        "movlps" => Form::Store(Sse::MovlpsStore),
        "movhpd" => Form::Store(Sse::MovhpdStore),
        "movlpd" => Form::Store(Sse::MovlpdStore),
        "movntps" => Form::Store(Sse::MovntpsStore),
        "movntpd" => Form::Store(Sse::MovntpdStore),
        "movntdq" => Form::Store(Sse::MovntdqStore),
        "movnti" => Form::StoreInt,
        "lddqu" => Form::Load(Sse::Movdqu),
        "maskmovdqu" => Form::MaskedStore,
        "clflush" => Form::Flush,
        "lfence" => Form::Fence(FenceKind::Load),
        "sfence" => Form::Fence(FenceKind::Store),
        "mfence" => Form::Fence(FenceKind::Full),
        "ldmxcsr" => Form::SetMxcsr,
        "stmxcsr" => Form::GetMxcsr,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_operation_has_a_form() {
        for (number, name) in ir::x86::OPERATIONS.iter().enumerate() {
            assert!(super::form(number as u32).is_some(), "{name}");
        }
    }
}
