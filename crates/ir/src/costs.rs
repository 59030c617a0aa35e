//! What operations cost lane by lane, in instructions of the target; which have a vector form at
//! all. The vectorisers decide by it; a test of the back end (`crates/backend/tests/costs.rs`)
//! holds it against what selection makes.

use crate::{FloatCc, Format, Function, Inst, IntCc, Opcode, Type};
use platform::options::X86Features;

/// Bytes of a vector register that every vector operation has.
pub fn register_bytes(_features: X86Features) -> u32 {
    16
}

/// Bytes of a register for lane-wise operations: those that keep each lane in its place and its
/// width.
pub fn lanewise_bytes(features: X86Features) -> u32 {
    if features.has(X86Features::AVX2) && !features.has(X86Features::HALF_VECTORS) {
        32
    } else {
        register_bytes(features)
    }
}

/// Whether vectors may have lanes of this type.
pub fn is_lane(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::F32 | Type::F64 | Type::PTR)
}

/// Whether the operation may raise a floating-point exception.
pub fn may_raise(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        FAdd | FSub | FMul | FDiv | Sqrt | FMin | FMax | FCmp | FpTrunc | FpToSi | FpToUi | SiToFp | UiToFp
    )
}

/// Whether the operation, whose operands have one, has a vector form.
pub fn has_vector_form(func: &Function, inst: Inst, features: X86Features) -> bool {
    use Opcode::*;
    let data = func.insts[inst];
    let from = if data.opcode.format() == Format::Nullary { data.ty } else { func.value_type(func.operand(inst, 0)) };
    let small = |ty: Type| ty.is_int() && ty.bits() <= 32;
    match data.opcode {
        And | Or | Xor if data.ty == Type::I1 => true,
        ZExt | SExt if from == Type::I1 => is_lane(data.ty),
        Trunc => data.ty != Type::I1,
        ZExt | SExt | FpTrunc | FpExt => is_lane(from),
        SiToFp => small(from) && from != Type::I1,
        UiToFp => small(from) && !matches!(from, Type::I32 | Type::I1),
        FpToSi => small(data.ty),
        FpToUi => small(data.ty) && data.ty != Type::I32,
        ICmp => {
            let cc = data.int_cc();
            small(from) || matches!(cc, IntCc::Eq | IntCc::Ne) || features.has(X86Features::SSE4_2)
        }
        FCmp => true,
        Select => is_lane(data.ty),
        opcode => operation(
            opcode,
            data.ty,
            func.operands(inst).len() > 1 && func.const_bits(func.operand(inst, 1)).is_some(),
            features,
        )
        .is_some(),
    }
}

/// Instructions per register of an operation on lanes of one type.
pub fn operation(opcode: Opcode, lane: Type, by_constant: bool, features: X86Features) -> Option<u32> {
    use Opcode::*;
    let sse41 = features.has(X86Features::SSE4_1);
    let bits = lane.bits();
    let int = lane.is_int();
    Some(match opcode {
        Add | Sub | And | Or | Xor if int => 1,
        Mul if int => match bits {
            8 => 6,
            16 => 1,
            32 => {
                if sse41 {
                    2
                } else {
                    6
                }
            }
            // Three products of halves, and copies of what they overwrite.
            _ if !features.has(X86Features::AVX) => 11,
            _ => 8,
        },
        UMulHi if int && bits == 16 => 1,
        SMulHi if int && bits == 16 => 1,
        UMulHi if int && bits == 32 => 6,
        SMulHi if int && bits == 32 => 10,
        Shl | LShr | AShr if int => match (opcode, bits) {
            (AShr, 64) => return None,
            (AShr, 8) => 4,
            (_, 8) => 2,
            _ => 1,
        },
        Rotl | Rotr if by_constant && bits >= 16 => 3,
        SMin | SMax if int => match bits {
            16 => 1,
            64 => return None,
            _ => {
                if sse41 {
                    1
                } else {
                    4
                }
            }
        },
        UMin | UMax if int => match bits {
            8 => 1,
            64 => return None,
            _ => {
                if sse41 {
                    1
                } else {
                    6
                }
            }
        },
        FAdd | FSub | FMul | FMin | FMax if !int => 1,
        FNeg | FAbs if !int => 1,
        FDiv if !int => {
            if bits == 64 {
                8
            } else {
                6
            }
        }
        Sqrt if !int => {
            if bits == 64 {
                10
            } else {
                7
            }
        }
        _ => return None,
    })
}

/// Instructions per register of a comparison.
pub fn int_comparison(cc: IntCc, lane: Type) -> u32 {
    let wide = if lane.bits() == 64 { 2 } else { 0 };
    wide + match cc {
        IntCc::Eq | IntCc::Sgt | IntCc::Slt => 1,
        IntCc::Ne | IntCc::Sge | IntCc::Sle => 2,
        IntCc::Ugt | IntCc::Ult => 3,
        IntCc::Uge | IntCc::Ule => 4,
    }
}

/// The same of a floating comparison.
pub fn float_comparison(cc: FloatCc) -> u32 {
    if matches!(cc, FloatCc::One | FloatCc::Ueq) { 3 } else { 1 }
}

/// Instructions of a conversion of `lanes` lanes between two widths in bits: each halving or
/// doubling is one per register of the wider type.
pub fn resize(from: u32, to: u32, lanes: u32, register_bits: u32) -> u32 {
    let (mut narrow, wide) = (from.min(to), from.max(to));
    let mut total = 0;
    while narrow < wide {
        narrow *= 2;
        // Truncation has to clear the upper halves first.
        total += registers(narrow, lanes, register_bits) * if to < from { 2 } else { 1 };
    }
    total
}

/// Registers that hold `lanes` lanes.
pub fn registers(lane_bits: u32, lanes: u32, register_bits: u32) -> u32 {
    (lane_bits * lanes).div_ceil(register_bits)
}

/// Instructions that one iteration of the scalar loop spends on an operation.
pub fn scalar(opcode: Opcode, ty: Type) -> u32 {
    use Opcode::*;
    match opcode {
        Phi | Trunc | ZExt | SExt | PtrAdd | Bitcast => 0,
        FDiv => {
            if ty == Type::F64 {
                8
            } else {
                6
            }
        }
        Sqrt => {
            if ty == Type::F64 {
                10
            } else {
                7
            }
        }
        Mul | SMulHi | UMulHi => 2,
        Select | SMin | SMax | UMin | UMax => 2,
        _ => 1,
    }
}
