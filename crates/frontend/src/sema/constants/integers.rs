//! Integer arithmetic of the abstract machine on values of up to 128 bits.
//!
//! A value is kept as the `i128` that equals it; for `unsigned __int128` alone it is the bits.
//! Every function takes the type's width and sign, wraps the result into the type, and says whether
//! that changed it.

use std::cmp::Ordering;

use crate::tree::{BinaryOp, IntInfo};

/// `value` reduced modulo 2^bits into the type's range.
pub fn wrap(value: i128, info: IntInfo) -> i128 {
    let bits = info.bits;
    if bits >= 128 {
        return value;
    }
    let shift = 128 - bits;
    if info.signed { value << shift >> shift } else { ((value as u128) << shift >> shift) as i128 }
}

/// `value` is in the type's range.
pub fn fits(value: i128, info: IntInfo) -> bool {
    wrap(value, info) == value
}

/// Compares two values of one type.
pub fn compare(a: i128, b: i128, info: IntInfo) -> Ordering {
    if info.signed { a.cmp(&b) } else { (a as u128).cmp(&(b as u128)) }
}

/// The result of folding an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Folded {
    /// Wrapped value.
    pub value: i128,
    /// A signed operation left the range of its type.
    pub overflow: bool,
}

/// `a op b` in a type. `None` for a division by zero, and for shift counts outside `0..bits` (both
/// undefined). Shift counts are plain numbers, whatever their own type.
pub fn binary(op: BinaryOp, a: i128, b: i128, info: IntInfo) -> Option<Folded> {
    let wide = info.bits >= 128;
    let arithmetic = |(value, carried): (i128, bool)| {
        let wrapped = wrap(value, info);
        Some(Folded { value: wrapped, overflow: info.signed && (carried || wrapped != value) })
    };
    let exact = |value: i128| Some(Folded { value: wrap(value, info), overflow: false });
    let unsigned_wide = wide && !info.signed;
    match op {
        BinaryOp::Add => arithmetic(a.overflowing_add(b)),
        BinaryOp::Sub => arithmetic(a.overflowing_sub(b)),
        BinaryOp::Mul => arithmetic(a.overflowing_mul(b)),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => None,
        BinaryOp::Div if unsigned_wide => exact((a as u128 / b as u128) as i128),
        BinaryOp::Rem if unsigned_wide => exact((a as u128 % b as u128) as i128),
        BinaryOp::Div => arithmetic(a.overflowing_div(b)),
        BinaryOp::Rem => {
            // The most negative value modulo -1 overflows like the quotient does.
            let overflow = info.signed && b == -1 && wrap(a.wrapping_neg(), info) == a && a != 0;
            Some(Folded { value: a.wrapping_rem(b), overflow })
        }
        BinaryOp::Shl | BinaryOp::Shr if b < 0 || b >= info.bits as i128 => None,
        BinaryOp::Shl => exact(a.wrapping_shl(b as u32)),
        BinaryOp::Shr if unsigned_wide => exact((a as u128 >> b as u32) as i128),
        BinaryOp::Shr => exact(a >> b as u32),
        BinaryOp::And => exact(a & b),
        BinaryOp::Or => exact(a | b),
        BinaryOp::Xor => exact(a ^ b),
        _ => {
            let order = compare(a, b, info);
            Some(Folded { value: comparison(op, Some(order)) as i128, overflow: false })
        }
    }
}

/// A comparison operator's answer for operands in this order; `None` is unordered (a NaN).
pub fn comparison(op: BinaryOp, order: Option<Ordering>) -> bool {
    match op {
        BinaryOp::Lt => order == Some(Ordering::Less),
        BinaryOp::Gt => order == Some(Ordering::Greater),
        BinaryOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        BinaryOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        BinaryOp::Eq => order == Some(Ordering::Equal),
        _ => order != Some(Ordering::Equal),
    }
}

/// `-a`
pub fn negate(a: i128, info: IntInfo) -> Folded {
    let value = a.wrapping_neg();
    let wrapped = wrap(value, info);
    Folded { value: wrapped, overflow: info.signed && (wrapped != value || (a == i128::MIN)) }
}

/// The value as decimal text, for messages.
pub fn to_text(value: i128, info: IntInfo) -> String {
    if info.signed { value.to_string() } else { (value as u128).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: IntInfo = IntInfo { bits: 32, signed: true, rank: 32 };
    const U128: IntInfo = IntInfo { bits: 128, signed: false, rank: 128 };

    #[test]
    fn wraps_and_reports_overflow() {
        let max = i32::MAX as i128;
        assert_eq!(binary(BinaryOp::Add, max, 1, INT), Some(Folded { value: i32::MIN as i128, overflow: true }));
        assert_eq!(binary(BinaryOp::Div, 1, 0, INT), None);
        assert_eq!(binary(BinaryOp::Rem, i32::MIN as i128, -1, INT), Some(Folded { value: 0, overflow: true }));
        assert_eq!(binary(BinaryOp::Shr, -8, 1, INT).map(|f| f.value), Some(-4));
    }

    #[test]
    fn unsigned_128() {
        assert_eq!(binary(BinaryOp::Div, -1, 2, U128).map(|f| f.value), Some(i128::MAX));
        assert_eq!(binary(BinaryOp::Gt, -1, 1, U128).map(|f| f.value), Some(1));
    }
}
