//! What one comparison says about another: `x < y` excludes `x == y`, `x > 5` implies `x > 3`.
//!
//! A condition is the set of cases in which it holds; it implies another if its set lies in the
//! other's, and excludes it if they have nothing in common. For the same two operands the cases are
//! less, equal, greater (and unordered); for an operand and constants they are the values
//! themselves, as intervals in unsigned order.

use ir::{FloatCc, IntCc};

/// The outcome of `x query y`, given that `x known y` holds. Signed and unsigned orders share
/// equality only.
pub fn integers(known: IntCc, query: IntCc) -> Option<bool> {
    let in_order = |cc: IntCc| !matches!(cc, IntCc::Eq | IntCc::Ne);
    if in_order(known) && in_order(query) && known.is_signed() != query.is_signed() {
        return None;
    }
    decide(int_cases(known), int_cases(query))
}

/// The same for floating comparisons.
pub fn floats(known: FloatCc, query: FloatCc) -> Option<bool> {
    decide(float_cases(known), float_cases(query))
}

/// Whether `cc` holds if the operands are unordered.
pub fn holds_unordered(cc: FloatCc) -> bool {
    float_cases(cc) & UNORDERED != 0
}

/// The outcome of `x query d`, given that `x known c` holds, for integers of `bits` bits.
pub fn constants(known: IntCc, c: u128, query: IntCc, d: u128, bits: u32) -> Option<bool> {
    let (a, b) = (values(known, c, bits), values(query, d, bits));
    let inside = |x: Interval| b.iter().flatten().any(|y| y.0 <= x.0 && x.1 <= y.1);
    let apart = |x: Interval| b.iter().flatten().all(|y| x.1 < y.0 || y.1 < x.0);
    if a.iter().flatten().all(|&x| inside(x)) {
        return Some(true);
    }
    a.iter().flatten().all(|&x| apart(x)).then_some(false)
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const UNORDERED: u8 = 8;

fn decide(known: u8, query: u8) -> Option<bool> {
    if known & !query == 0 {
        return Some(true);
    }
    (known & query == 0).then_some(false)
}

fn int_cases(cc: IntCc) -> u8 {
    match cc {
        IntCc::Eq => EQUAL,
        IntCc::Ne => LESS | GREATER,
        IntCc::Slt | IntCc::Ult => LESS,
        IntCc::Sle | IntCc::Ule => LESS | EQUAL,
        IntCc::Sgt | IntCc::Ugt => GREATER,
        IntCc::Sge | IntCc::Uge => GREATER | EQUAL,
    }
}

fn float_cases(cc: FloatCc) -> u8 {
    match cc {
        FloatCc::Oeq => EQUAL,
        FloatCc::Olt => LESS,
        FloatCc::Ole => LESS | EQUAL,
        FloatCc::Ogt => GREATER,
        FloatCc::Oge => GREATER | EQUAL,
        FloatCc::One => LESS | GREATER,
        FloatCc::Ord => LESS | EQUAL | GREATER,
        FloatCc::Uno => UNORDERED,
        FloatCc::Ueq => UNORDERED | EQUAL,
        FloatCc::Ult => UNORDERED | LESS,
        FloatCc::Ule => UNORDERED | LESS | EQUAL,
        FloatCc::Ugt => UNORDERED | GREATER,
        FloatCc::Uge => UNORDERED | GREATER | EQUAL,
        FloatCc::Une => UNORDERED | LESS | GREATER,
    }
}

/// From, to; both belong to it.
type Interval = (u128, u128);

/// The values for which `x cc c` holds, in unsigned order; adjoining intervals are one.
fn values(cc: IntCc, c: u128, bits: u32) -> [Option<Interval>; 2] {
    let ones = u128::MAX >> (128 - bits);
    let sign = 1u128 << (bits - 1);
    let interval = |from: u128, to: u128| (from <= to).then_some((from, to));
    let below = |c: u128| c.checked_sub(1).and_then(|end| interval(0, end));
    let above = |c: u128| if c == ones { None } else { Some((c + 1, ones)) };
    match cc {
        IntCc::Eq => [Some((c, c)), None],
        IntCc::Ne => [below(c), above(c)],
        IntCc::Ult => [below(c), None],
        IntCc::Ule => [Some((0, c)), None],
        IntCc::Ugt => [above(c), None],
        IntCc::Uge => [Some((c, ones)), None],
        // Negative numbers come last in unsigned order.
        IntCc::Slt if c >= sign => [c.checked_sub(1).and_then(|end| interval(sign, end)), None],
        IntCc::Slt => [below(c), Some((sign, ones))],
        IntCc::Sle if c >= sign => [Some((sign, c)), None],
        IntCc::Sle if c == sign - 1 => [Some((0, ones)), None],
        IntCc::Sle => [Some((0, c)), Some((sign, ones))],
        IntCc::Sgt if c >= sign => [Some((0, sign - 1)), above(c)],
        IntCc::Sgt => [interval(c + 1, sign - 1), None],
        IntCc::Sge if c == sign => [Some((0, ones)), None],
        IntCc::Sge if c >= sign => [Some((0, sign - 1)), Some((c, ones))],
        IntCc::Sge => [Some((c, sign - 1)), None],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [IntCc; 10] = [
        IntCc::Eq,
        IntCc::Ne,
        IntCc::Slt,
        IntCc::Sle,
        IntCc::Sgt,
        IntCc::Sge,
        IntCc::Ult,
        IntCc::Ule,
        IntCc::Ugt,
        IntCc::Uge,
    ];

    /// Every answer about four-bit integers agrees with trying all of them.
    #[test]
    fn answers_are_true_of_small_integers() {
        for known in ALL {
            for query in ALL {
                let pairs = (0..16).flat_map(|x| (0..16).map(move |y| (x, y)));
                let outcomes = |holds: &dyn Fn(u128, u128) -> bool| {
                    let mut seen = pairs.clone().filter(|&(x, y)| known.eval(x, y, 4)).map(|(x, y)| holds(x, y));
                    let first = seen.next()?;
                    seen.all(|s| s == first).then_some(first)
                };
                if let Some(answer) = integers(known, query) {
                    assert_eq!(Some(answer), outcomes(&|x, y| query.eval(x, y, 4)), "{known:?} {query:?}");
                }
            }
        }
    }

    /// About constants the answers are also complete.
    #[test]
    fn answers_about_constants_are_complete() {
        for known in ALL {
            for query in ALL {
                for c in 0..16 {
                    for d in 0..16 {
                        let mut holds = (0..16).filter(|&x| known.eval(x, c, 4)).map(|x| query.eval(x, d, 4));
                        let Some(first) = holds.next() else { continue };
                        let expected = holds.all(|h| h == first).then_some(first);
                        assert_eq!(constants(known, c, query, d, 4), expected, "{known:?} {c} {query:?} {d}");
                    }
                }
            }
        }
    }

    #[test]
    fn unordered_operands_are_a_case_of_their_own() {
        assert_eq!(floats(FloatCc::Oeq, FloatCc::Une), Some(false));
        assert_eq!(floats(FloatCc::Uno, FloatCc::Olt), Some(false));
        assert_eq!(floats(FloatCc::Uge, FloatCc::Oge), None);
        assert_eq!(floats(FloatCc::Olt, FloatCc::Ord), Some(true));
    }
}
