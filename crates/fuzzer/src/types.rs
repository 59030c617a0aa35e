//! Integer types of C and the ranges of values that a program is known to keep.

use std::fmt;

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    /// Bits of its values, the sign's included.
    pub bits: u16,
    /// Whether it has negative values.
    pub signed: bool,
    /// How it is spelt and promoted.
    pub kind: Kind,
}

/// Families of integer types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `char` to `__int128`.
    Standard,
    /// `_Bool`.
    Bool,
    /// `_BitInt(N)`, which is never promoted (C23 6.3.1.1).
    BitInt,
}

const fn standard(bits: u16, signed: bool) -> Int {
    Int { bits, signed, kind: Kind::Standard }
}

/// `int`.
pub const INT: Int = standard(32, true);
/// `unsigned`.
pub const UNSIGNED: Int = standard(32, false);
/// `long`.
pub const LONG: Int = standard(64, true);
/// `unsigned long`.
pub const UNSIGNED_LONG: Int = standard(64, false);
/// `unsigned char`.
pub const BYTE: Int = standard(8, false);
/// `_Bool`.
pub const BOOL: Int = Int { bits: 1, signed: false, kind: Kind::Bool };
/// The types of 8 to 64 bits.
pub const STANDARD: [Int; 8] =
    [standard(8, true), BYTE, standard(16, true), standard(16, false), INT, UNSIGNED, LONG, UNSIGNED_LONG];
/// The types of 128 bits.
pub const HUGE: [Int; 2] = [standard(128, true), standard(128, false)];

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.signed, self.bits) {
            (Kind::Bool, ..) => f.write_str("_Bool"),
            (Kind::BitInt, true, bits) => write!(f, "_BitInt({bits})"),
            (Kind::BitInt, false, bits) => write!(f, "unsigned _BitInt({bits})"),
            (_, true, 8) => f.write_str("signed char"),
            (_, true, 16) => f.write_str("short"),
            (_, true, 32) => f.write_str("int"),
            (_, true, 64) => f.write_str("long"),
            (_, true, _) => f.write_str("__int128"),
            (_, false, 8) => f.write_str("unsigned char"),
            (_, false, 16) => f.write_str("unsigned short"),
            (_, false, 32) => f.write_str("unsigned"),
            (_, false, 64) => f.write_str("unsigned long"),
            (_, false, _) => f.write_str("unsigned __int128"),
        }
    }
}

impl Int {
    /// `_BitInt(bits)` or `unsigned _BitInt(bits)`.
    pub fn bit_int(bits: u16, signed: bool) -> Int {
        Int { bits, signed, kind: Kind::BitInt }
    }

    /// The type after the integer promotions (C17 6.3.1.1).
    pub fn promoted(self) -> Int {
        if self.kind != Kind::BitInt && self.bits < 32 { INT } else { self }
    }

    /// The type of an operation on both (C17 6.3.1.8, C23 for `_BitInt`).
    pub fn common(self, other: Int) -> Int {
        let (a, b) = (self.promoted(), other.promoted());
        let rank = |t: Int| (t.bits, t.kind == Kind::Standard);
        if a.signed == b.signed {
            return if rank(a) >= rank(b) { a } else { b };
        }
        let (unsigned, signed) = if a.signed { (b, a) } else { (a, b) };
        if rank(unsigned) >= rank(signed) {
            unsigned
        } else if signed.bits > unsigned.bits {
            signed
        } else {
            signed.unsigned()
        }
    }

    /// The unsigned type of the same width.
    pub fn unsigned(self) -> Int {
        Int { signed: false, ..self }
    }

    /// All its values.
    pub fn full(self) -> Range {
        match (self.signed, self.bits) {
            (true, 128..) => Range { low: i128::MIN, high: i128::MAX },
            (true, bits) => Range { low: -(1 << (bits - 1)), high: (1 << (bits - 1)) - 1 },
            (false, 127..) => Range { low: 0, high: i128::MAX },
            (false, bits) => Range { low: 0, high: (1 << bits) - 1 },
        }
    }

    /// A value as a constant expression of exactly this type.
    pub fn literal(self, value: i128) -> String {
        match (self.kind, self.bits, self.signed) {
            (Kind::Standard, 32, true) if value == i128::from(i32::MIN) => "(-2147483647 - 1)".to_string(),
            (Kind::Standard, 32, true) if value < 0 => format!("({value})"),
            (Kind::Standard, 32, true) => value.to_string(),
            (Kind::Standard, 32, false) => format!("{value}u"),
            (Kind::Standard, 64, true) if value == i128::from(i64::MIN) => "(-9223372036854775807L - 1)".to_string(),
            (Kind::Standard, 64, true) if value < 0 => format!("({value}L)"),
            (Kind::Standard, 64, true) => format!("{value}L"),
            (Kind::Standard, 64, false) => format!("{value}UL"),
            _ if (0..=i128::from(i32::MAX)).contains(&value) => format!("({self}){value}"),
            _ if (-i128::from(i32::MAX)..0).contains(&value) => format!("({self})({value})"),
            _ if (0..=i128::from(u64::MAX)).contains(&value) => format!("({self}){value}UL"),
            _ => {
                let (high, low) = ((value >> 64) as u64, value as u64);
                format!("({self})(__int128)((unsigned __int128){high}UL << 64 | {low}UL)")
            }
        }
    }
}

/// The values that an expression may have: `low..=high`. At the ends of `i128` it stands for
/// everything beyond, too (types of 128 bits and more).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least.
    pub low: i128,
    /// The greatest.
    pub high: i128,
}

impl Range {
    /// `low..=high`.
    pub fn new(low: i128, high: i128) -> Range {
        Range { low, high }
    }

    /// Whether both ends are what they say.
    pub fn bounded(self) -> bool {
        self.low > i128::MIN && self.high < i128::MAX
    }

    /// Whether all values are among the other's.
    pub fn within(self, other: Range) -> bool {
        self.low >= other.low && self.high <= other.high
    }

    /// Whether a value is possible.
    pub fn has(self, value: i128) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The values of either.
    pub fn union(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Range after a conversion to a type.
    pub fn converted(self, to: Int) -> Range {
        if to.kind == Kind::Bool {
            return Range::new(0, 1);
        }
        if self.bounded() && self.within(to.full()) { self } else { to.full() }
    }

    /// Greatest distance from zero.
    fn magnitude(self) -> i128 {
        self.high.max(self.low.checked_neg().unwrap_or(i128::MAX))
    }

    /// Range of an operation `+ - * / % & | ^ << >>` on operands that are converted already, as if
    /// there were no greatest value; `None` where nothing is known. Divisors exclude zero, shift
    /// amounts lie within the width.
    pub fn apply(self, operation: &str, other: Range) -> Option<Range> {
        match operation {
            "&" if other.low >= 0 && other.bounded() => return Some(Range::new(0, other.high)),
            "&" if self.low >= 0 && self.bounded() => return Some(Range::new(0, self.high)),
            "%" if self.low >= 0 && other.low > 0 && other.bounded() => return Some(Range::new(0, other.high - 1)),
            _ if !self.bounded() || !other.bounded() => return None,
            _ => {}
        }
        let corners = |f: fn(i128, i128) -> Option<i128>| {
            let (a, b) = (f(self.low, other.low)?, f(self.low, other.high)?);
            let (c, d) = (f(self.high, other.low)?, f(self.high, other.high)?);
            Some(Range::new(a.min(b).min(c).min(d), a.max(b).max(c).max(d)))
        };
        match operation {
            "+" => Some(Range::new(self.low.checked_add(other.low)?, self.high.checked_add(other.high)?)),
            "-" => Some(Range::new(self.low.checked_sub(other.high)?, self.high.checked_sub(other.low)?)),
            "*" => corners(i128::checked_mul),
            "/" if other.low > 0 => corners(i128::checked_div),
            "/" => Some(Range::new(-self.magnitude(), self.magnitude())),
            "%" => {
                let most = other.magnitude() - 1;
                let low = if self.low < 0 { -most.min(-self.low) } else { 0 };
                Some(Range::new(low, if self.high > 0 { most.min(self.high) } else { 0 }))
            }
            "&" | "|" | "^" => {
                let most = self.union(other).bits_of_all();
                Some(if self.low >= 0 && other.low >= 0 { Range::new(0, most) } else { Range::new(-most - 1, most) })
            }
            "<<" => corners(|a, b| a.checked_mul(1i128.checked_shl(b as u32).filter(|&p| p > 0)?)),
            ">>" => corners(|a, b| Some(a >> b.clamp(0, 127))),
            _ => None,
        }
    }

    /// The least 2^n - 1 that no value's magnitude (of negative ones, the complement) is above.
    fn bits_of_all(self) -> i128 {
        let most = self.high.max(!self.low) as u128;
        ((1u128 << (128 - most.leading_zeros())) - 1) as i128
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_operations_have_all_results() {
        let apply = |operation: &str, a: i128, b: i128| match operation {
            "+" => a + b,
            "-" => a - b,
            "*" => a * b,
            "/" => a / b,
            "%" => a % b,
            "&" => a & b,
            "|" => a | b,
            "^" => a ^ b,
            "<<" => a << b,
            _ => a >> b,
        };
        let ends = [(-9, -2), (-5, 6), (0, 7), (3, 12), (-1, -1)];
        for operation in ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"] {
            for (a, b) in ends {
                for (c, d) in ends {
                    let shift = operation == "<<" || operation == ">>";
                    if shift && c < 0 {
                        continue;
                    }
                    let found = Range::new(a, b).apply(operation, Range::new(c, d)).expect("small ranges");
                    for (x, y) in (a..=b).flat_map(|x| (c..=d).map(move |y| (x, y))) {
                        if y != 0 || !matches!(operation, "/" | "%") {
                            assert!(found.has(apply(operation, x, y)), "{x} {operation} {y} is not in {found:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn conversions_follow_the_standard() {
        assert_eq!(UNSIGNED.common(LONG), LONG);
        assert_eq!(UNSIGNED_LONG.common(LONG), UNSIGNED_LONG);
        assert_eq!(BYTE.common(BOOL), INT);
        assert_eq!(Int::bit_int(32, true).common(INT), INT);
        assert_eq!(Int::bit_int(33, false).common(INT), Int::bit_int(33, false));
        assert_eq!(Int::bit_int(32, false).common(INT), UNSIGNED);
    }
}
