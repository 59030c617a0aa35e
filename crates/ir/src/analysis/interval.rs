//! Comparisons of one value with constants as intervals on the ring of its 2^bits numbers, and two
//! of them as one.
//!
//! `'0' <= c && c <= '9'` is `c - '0' < 10` in unsigned arithmetic; `c == 4 || c == 6` is `(c & ~2)
//! == 4`.

use crate::{Builder, Function, IntCc, Opcode, Type, Value};

/// `value` lies among the `len` numbers from `start` on, modulo 2^bits; neither none nor all of
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// What is compared.
    pub value: Value,
    bits: u32,
    start: u128,
    len: u128,
}

/// One test that says as much as two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// It lies in this interval.
    Within(Interval),
    /// `(value & mask) == bits`
    Masked {
        /// What is tested.
        value: Value,
        /// The bits that count.
        mask: u128,
        /// What they have to be.
        bits: u128,
    },
}

impl Interval {
    /// The numbers for which the condition has the truth value `holds`.
    pub fn of(func: &Function, cond: Value, holds: bool) -> Option<Interval> {
        let compare = func.def_with(cond, Opcode::ICmp)?;
        let cc = func.insts[compare].int_cc();
        let cc = if holds { cc } else { cc.inverse() };
        let (value, constant) = (func.operand(compare, 0), func.const_bits(func.operand(compare, 1))?);
        let ty = func.value_type(value);
        if !ty.is_int() || ty.bits() > 64 || ty == Type::I1 || func.constant(value).is_some() {
            return None;
        }
        let bits = ty.bits();
        let (all, least) = (1u128 << bits, 1u128 << (bits - 1));
        let (start, len) = match cc {
            IntCc::Eq => (constant, 1),
            IntCc::Ne => (constant + 1, all - 1),
            IntCc::Ult => (0, constant),
            IntCc::Ule => (0, constant + 1),
            IntCc::Ugt => (constant + 1, all - 1 - constant),
            IntCc::Uge => (constant, all - constant),
            // With the sign bit turned over signed numbers are in the order of unsigned ones.
            IntCc::Slt => (least, constant ^ least),
            IntCc::Sle => (least, (constant ^ least) + 1),
            IntCc::Sgt => (constant + 1, all - 1 - (constant ^ least)),
            IntCc::Sge => (constant, all - (constant ^ least)),
        };
        if len == 0 || len == all {
            return None;
        }
        // x + k within what starts at s: x within what starts at s - k.
        let sum = func.def_with(value, Opcode::Add);
        if let Some(sum) = sum
            && let Some(offset) = func.const_bits(func.operand(sum, 1))
        {
            let start = (start + all - offset) % all;
            return Some(Interval { value: func.operand(sum, 0), bits, start, len });
        }
        Some(Interval { value, bits, start: start % all, len })
    }

    /// Within this or within the other, as one test.
    pub fn or(self, other: Interval) -> Option<Test> {
        if self.value != other.value || self.bits != other.bits {
            return None;
        }
        let all = 1u128 << self.bits;
        for (a, b) in [(self, other), (other, self)] {
            let distance = (b.start + all - a.start) % all;
            if distance <= a.len {
                let len = a.len.max(distance + b.len);
                return (len < all).then_some(Test::Within(Interval { len, ..a }));
            }
        }
        let differing = self.start ^ other.start;
        (self.len == 1 && other.len == 1 && differing.is_power_of_two()).then_some(Test::Masked {
            value: self.value,
            mask: (all - 1) & !differing,
            bits: self.start & !differing,
        })
    }
}

impl Test {
    /// The test as instructions.
    pub fn emit(self, b: &mut Builder<'_>) -> Value {
        match self {
            Test::Masked { value, mask, bits } => {
                let ty = b.func.value_type(value);
                let (mask, bits) = (b.func.bits_const(ty, mask), b.func.bits_const(ty, bits));
                let masked = b.binary(Opcode::And, value, mask);
                b.icmp(IntCc::Eq, masked, bits)
            }
            Test::Within(interval) => interval.emit(b),
        }
    }
}

impl Interval {
    fn emit(self, b: &mut Builder<'_>) -> Value {
        let Interval { value, bits, start, len } = self;
        let (all, least) = (1u128 << bits, 1u128 << (bits - 1));
        let end = (start + len) % all;
        let ty = b.func.value_type(value);
        let (cc, limit) = match (start, end) {
            _ if len == 1 => (IntCc::Eq, start),
            _ if len == all - 1 => (IntCc::Ne, end),
            (0, _) => (IntCc::Ult, end),
            (_, 0) => (IntCc::Uge, start),
            _ if start == least => (IntCc::Slt, end),
            _ if end == least => (IntCc::Sge, start),
            // Around the end of the ring: not what lies between.
            _ if start + len > all => return distance_test(b, value, end, IntCc::Uge, all - len),
            _ => return distance_test(b, value, start, IntCc::Ult, len),
        };
        let limit = b.func.bits_const(ty, limit);
        b.icmp(cc, value, limit)
    }
}

/// `value - start cc len`
fn distance_test(b: &mut Builder<'_>, value: Value, start: u128, cc: IntCc, len: u128) -> Value {
    let ty = b.func.value_type(value);
    let back = b.func.bits_const(ty, start.wrapping_neg() & ty.mask());
    let distance = b.binary(Opcode::Add, value, back);
    let len = b.func.bits_const(ty, len);
    b.icmp(cc, distance, len)
}

#[cfg(test)]
mod tests;
