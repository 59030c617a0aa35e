//! Evaluates operations on constant bits: integers of up to 128 bits, f32 and f64 in
//! iteration-to-nearest.
//!
//! `None` means "leave it to run time": undefined or unspecified results (division by zero, shifts
//! beyond the width, conversions out of range), other floating formats, vectors. The interpreter
//! and every folding pass use these functions, so that they agree.

use crate::instructions::{FloatCc, IntCc, Opcode};
use crate::{Function, Inst, Type};

/// The bits of `value` sign-extended from `ty`'s width.
pub fn sign_extend(ty: Type, value: u128) -> i128 {
    let bits = ty.lane_bits();
    ((value << (128 - bits)) as i128) >> (128 - bits)
}

/// The bits of a number that `f32` has exactly as a value of type `f32` or `f64`.
pub fn float_bits(ty: Type, number: f32) -> u128 {
    if ty == Type::F64 { u128::from(f64::from(number).to_bits()) } else { u128::from(number.to_bits()) }
}

/// Evaluates a two-operand operation on operands of type `ty`; the result bits are masked to its
/// width.
pub fn binary(opcode: Opcode, ty: Type, a: u128, b: u128) -> Option<u128> {
    if ty.is_float() {
        return float_binary(opcode, ty, a, b);
    }
    if !ty.is_int() {
        return None;
    }
    let bits = ty.bits();
    let (sa, sb) = (sign_extend(ty, a), sign_extend(ty, b));
    let min = sign_extend(ty, 1 << (bits - 1));
    let result = match opcode {
        Opcode::Add => a.wrapping_add(b),
        Opcode::Sub => a.wrapping_sub(b),
        Opcode::Mul => a.wrapping_mul(b),
        Opcode::SMulHi if bits <= 64 => ((sa * sb) >> bits) as u128,
        Opcode::UMulHi if bits <= 64 => (a * b) >> bits,
        Opcode::UMulHi if bits == 128 => upper_product(a, b),
        Opcode::SMulHi if bits == 128 => {
            let correction = |x: i128, other: u128| if x < 0 { other } else { 0 };
            upper_product(a, b).wrapping_sub(correction(sa, b)).wrapping_sub(correction(sb, a))
        }
        Opcode::SDiv if sb != 0 && !(sa == min && sb == -1) => (sa / sb) as u128,
        Opcode::SRem if sb != 0 && !(sa == min && sb == -1) => (sa % sb) as u128,
        Opcode::UDiv if b != 0 => a / b,
        Opcode::URem if b != 0 => a % b,
        Opcode::And => a & b,
        Opcode::Or => a | b,
        Opcode::Xor => a ^ b,
        Opcode::Shl if b < bits as u128 => a << b,
        Opcode::LShr if b < bits as u128 => a >> b,
        Opcode::AShr if b < bits as u128 => (sa >> b) as u128,
        Opcode::Rotl => rotate_left(a, (b % bits as u128) as u32, bits),
        Opcode::Rotr => rotate_left(a, (bits - (b % bits as u128) as u32) % bits, bits),
        Opcode::SMin => sa.min(sb) as u128,
        Opcode::SMax => sa.max(sb) as u128,
        Opcode::UMin => a.min(b),
        Opcode::UMax => a.max(b),
        _ => return None,
    };
    Some(result & ty.mask())
}

/// The upper half of the product of 256 bits.
fn upper_product(a: u128, b: u128) -> u128 {
    let (a1, a0, b1, b0) = (a >> 64, u128::from(a as u64), b >> 64, u128::from(b as u64));
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let other = a0 * b1 + u128::from(middle as u64);
    a1 * b1 + (middle >> 64) + (other >> 64)
}

fn rotate_left(a: u128, by: u32, bits: u32) -> u128 {
    if by == 0 { a } else { a << by | a >> (bits - by) }
}

/// Evaluates an `...Overflow` operation: (wrapped bits, overflowed).
pub fn overflow(opcode: Opcode, ty: Type, a: u128, b: u128) -> Option<(u128, bool)> {
    let (sa, sb) = (sign_extend(ty, a), sign_extend(ty, b));
    let fits_signed = |r: Option<i128>| r.is_none_or(|r| sign_extend(ty, r as u128 & ty.mask()) != r);
    let fits_unsigned = |r: Option<u128>| r.is_none_or(|r| r & ty.mask() != r);
    let (wrapped, overflowed) = match opcode {
        Opcode::SAddOverflow => (a.wrapping_add(b), fits_signed(sa.checked_add(sb))),
        Opcode::SSubOverflow => (a.wrapping_sub(b), fits_signed(sa.checked_sub(sb))),
        Opcode::SMulOverflow => (a.wrapping_mul(b), fits_signed(sa.checked_mul(sb))),
        Opcode::UAddOverflow => (a.wrapping_add(b), fits_unsigned(a.checked_add(b))),
        Opcode::USubOverflow => (a.wrapping_sub(b), fits_unsigned(a.checked_sub(b))),
        Opcode::UMulOverflow => (a.wrapping_mul(b), fits_unsigned(a.checked_mul(b))),
        _ => return None,
    };
    Some((wrapped & ty.mask(), overflowed))
}

/// Evaluates a one-operand operation or conversion from `from` to `to`.
pub fn unary(opcode: Opcode, from: Type, to: Type, a: u128) -> Option<u128> {
    if from.is_vector() || to.is_vector() {
        return None;
    }
    let bits = from.bits();
    let result = match opcode {
        Opcode::Trunc | Opcode::ZExt | Opcode::PtrToInt | Opcode::IntToPtr => a,
        Opcode::SExt => sign_extend(from, a) as u128,
        Opcode::Bitcast => a,
        Opcode::Ctlz => (a << (128 - bits)).leading_zeros().min(bits) as u128,
        Opcode::Cttz => a.trailing_zeros().min(bits) as u128,
        Opcode::Popcount => a.count_ones() as u128,
        Opcode::Bswap if bits >= 16 => a.swap_bytes() >> (128 - bits),
        Opcode::FNeg if from.is_float() => a ^ 1 << (bits - 1),
        Opcode::FAbs if from.is_float() => a & !(1 << (bits - 1)),
        Opcode::Sqrt if from == Type::F64 => f64_bits(f64_of(a).sqrt())?,
        Opcode::Sqrt if from == Type::F32 => f32_bits(f32_of(a).sqrt())?,
        Opcode::FpTrunc if from == Type::F64 && to == Type::F32 => f32_bits(f64_of(a) as f32)?,
        Opcode::FpExt if from == Type::F32 && to == Type::F64 => f64_bits(f32_of(a) as f64)?,
        Opcode::FpExt if from == Type::F32 && to == Type::F80 => extended(f32_of(a) as f64)?,
        Opcode::FpExt if from == Type::F64 && to == Type::F80 => extended(f64_of(a))?,
        Opcode::FpTrunc if from == Type::F80 => exactly_narrowed(a, to)?,
        Opcode::SiToFp if to == Type::F64 => f64_bits(sign_extend(from, a) as f64)?,
        Opcode::UiToFp if to == Type::F64 => f64_bits(a as f64)?,
        Opcode::SiToFp if to == Type::F32 => f32_bits(sign_extend(from, a) as f32)?,
        Opcode::UiToFp if to == Type::F32 => f32_bits(a as f32)?,
        Opcode::FpToSi | Opcode::FpToUi => return float_to_int(opcode, from, to, a),
        _ => return None,
    };
    Some(result & to.mask())
}

const X87_BIAS: i32 = 16383;
const X87_INTEGER: u64 = 1 << 63;

/// A number, not a NaN, in the x87 format: sign, 15 bits of exponent, 64 of significand whose first
/// is explicit.
fn extended(value: f64) -> Option<u128> {
    let bits = value.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (exponent, significand) = match exponent {
        _ if value.is_nan() => return None,
        0 if fraction == 0 => (-X87_BIAS, 0),
        0 => (63 - 1074 - fraction.leading_zeros() as i32, fraction << fraction.leading_zeros()),
        0x7ff => (X87_BIAS + 1, X87_INTEGER),
        _ => (exponent - 1023, X87_INTEGER | fraction << 11),
    };
    let sign = u128::from(value.is_sign_negative()) << 79;
    Some(sign | ((exponent + X87_BIAS) as u128) << 64 | u128::from(significand))
}

/// A number of the x87 format in `F32` or `F64`, if it is one of their zeros, normal numbers and
/// infinities.
pub fn exactly_narrowed(bits: u128, to: Type) -> Option<u128> {
    let (exponent_bits, fraction_bits) = match to {
        Type::F32 => (8, 23),
        Type::F64 => (11, 52),
        _ => return None,
    };
    let bias = (1 << (exponent_bits - 1)) - 1;
    let (exponent, significand) = ((bits >> 64 & 0x7fff) as i32 - X87_BIAS, bits as u64);
    let magnitude = match (exponent, significand) {
        (e, 0) if e == -X87_BIAS => 0,
        (e, X87_INTEGER) if e == X87_BIAS + 1 => ((1 << exponent_bits) - 1) << fraction_bits,
        (e, s) if s & X87_INTEGER != 0 && e > -bias && e <= bias && s.trailing_zeros() >= 63 - fraction_bits => {
            ((e + bias) as u128) << fraction_bits | u128::from((s & !X87_INTEGER) >> (63 - fraction_bits))
        }
        _ => return None,
    };
    Some((bits >> 79 & 1) << (exponent_bits + fraction_bits) | magnitude)
}

/// Truncating conversion; `None` where the result does not fit.
fn float_to_int(opcode: Opcode, from: Type, to: Type, a: u128) -> Option<u128> {
    let value = match from {
        Type::F32 => f32_of(a) as f64,
        Type::F64 => f64_of(a),
        _ => return None,
    };
    let truncated = value.trunc();
    let width = to.bits() as i32;
    let two = 2f64;
    let (low, high) =
        if opcode == Opcode::FpToSi { (-two.powi(width - 1), two.powi(width - 1)) } else { (0.0, two.powi(width)) };
    if !(truncated >= low && truncated < high) {
        return None;
    }
    let bits = if truncated < 0.0 { truncated as i128 as u128 } else { truncated as u128 };
    Some(bits & to.mask())
}

fn float_binary(opcode: Opcode, ty: Type, a: u128, b: u128) -> Option<u128> {
    if opcode == Opcode::CopySign {
        let sign = 1u128 << (ty.lane_bits() - 1);
        return Some(a & !sign | b & sign);
    }
    match ty {
        Type::F64 => {
            let (x, y) = (f64_of(a), f64_of(b));
            f64_bits(match opcode {
                Opcode::FAdd => x + y,
                Opcode::FSub => x - y,
                Opcode::FMul => x * y,
                Opcode::FDiv => x / y,
                Opcode::FMin => return Some(if x < y { a } else { b }),
                Opcode::FMax => return Some(if x > y { a } else { b }),
                _ => return None,
            })
        }
        Type::F32 => {
            let (x, y) = (f32_of(a), f32_of(b));
            f32_bits(match opcode {
                Opcode::FAdd => x + y,
                Opcode::FSub => x - y,
                Opcode::FMul => x * y,
                Opcode::FDiv => x / y,
                Opcode::FMin => return Some(if x < y { a } else { b }),
                Opcode::FMax => return Some(if x > y { a } else { b }),
                _ => return None,
            })
        }
        _ => None,
    }
}

/// Evaluates an integer or pointer comparison.
pub fn icmp(cc: IntCc, ty: Type, a: u128, b: u128) -> Option<bool> {
    (!ty.is_vector()).then(|| cc.eval(a, b, ty.bits()))
}

/// Compares two addresses in one object, which does not reach around the end of memory.
fn compared_addresses(func: &Function, inst: Inst) -> Option<bool> {
    let symbol = |index: usize| func.const_symbol(func.operand(inst, index));
    let ((first, a), (second, b)) = (symbol(0)?, symbol(1)?);
    let cc = IntCc::from_index((func.insts[inst].flags & 0xf) as u32);
    let inside = |offset: i64| (0..1 << 31).contains(&offset);
    let known = match cc {
        IntCc::Eq | IntCc::Ne => true,
        IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge => inside(a) && inside(b),
        _ => false,
    };
    (first == second && known).then(|| cc.eval(a as u64 as u128, b as u64 as u128, 64))
}

/// Evaluates a floating comparison.
pub fn fcmp(cc: FloatCc, ty: Type, a: u128, b: u128) -> Option<bool> {
    let (x, y) = match ty {
        Type::F32 => (f32_of(a) as f64, f32_of(b) as f64),
        Type::F64 => (f64_of(a), f64_of(b)),
        _ => return None,
    };
    let unordered = x.is_nan() || y.is_nan();
    Some(match cc {
        FloatCc::Oeq => x == y,
        FloatCc::Olt => x < y,
        FloatCc::Ole => x <= y,
        FloatCc::Ogt => x > y,
        FloatCc::Oge => x >= y,
        FloatCc::One => !unordered && x != y,
        FloatCc::Ord => !unordered,
        FloatCc::Uno => unordered,
        FloatCc::Ueq => unordered || x == y,
        FloatCc::Ult => unordered || x < y,
        FloatCc::Ule => unordered || x <= y,
        FloatCc::Ugt => unordered || x > y,
        FloatCc::Uge => unordered || x >= y,
        FloatCc::Une => x != y,
    })
}

/// The constant bits of a one-result instruction whose operands are all constant bits.
pub fn instruction(func: &Function, inst: Inst) -> Option<u128> {
    let data = func.insts[inst];
    let operand = |index: usize| func.const_bits(func.operand(inst, index));
    match func.num_operands(inst) {
        1 => unary(data.opcode, func.value_type(func.operand(inst, 0)), data.ty, operand(0)?),
        2 => {
            if data.opcode == Opcode::ICmp
                && let Some(known) = compared_addresses(func, inst)
            {
                return Some(known.into());
            }
            let (a, b) = (operand(0)?, operand(1)?);
            let ty = func.value_type(func.operand(inst, 0));
            match data.opcode {
                Opcode::ICmp => icmp(IntCc::from_index((data.flags & 0xf) as u32), ty, a, b).map(u128::from),
                Opcode::FCmp => fcmp(FloatCc::from_index((data.flags & 0xf) as u32), ty, a, b).map(u128::from),
                opcode => binary(opcode, ty, a, b),
            }
        }
        3 if data.opcode == Opcode::Select && func.value_type(func.operand(inst, 0)) == Type::I1 => {
            operand(if operand(0)? != 0 { 1 } else { 2 })
        }
        _ => None,
    }
}

fn f64_of(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

fn f32_of(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

/// NaN results are not folded: their sign and payload are the machine's.
fn f64_bits(value: f64) -> Option<u128> {
    (!value.is_nan()).then(|| value.to_bits() as u128)
}

fn f32_bits(value: f32) -> Option<u128> {
    (!value.is_nan()).then(|| value.to_bits() as u128)
}
