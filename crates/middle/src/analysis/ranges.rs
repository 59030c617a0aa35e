//! What is known of an integer or pointer, and what one comparison says about another.
//!
//! A [`Range`] holds an unsigned and a signed interval of a value of at most 64 bits; both are
//! true, and each is narrowed by the other. An [`Outcomes`] set holds which of the five ways by
//! which two values can compare are possible; a comparison is a subset of the five, so that
//! implication is inclusion.

use ir::{IntCc, Type};

/// Bounds of a value, inclusive.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// As an unsigned number.
    pub umin: u64,
    /// As an unsigned number.
    pub umax: u64,
    /// As a signed number.
    pub smin: i64,
    /// As a signed number.
    pub smax: i64,
}

/// Whether ranges describe values of this type.
pub fn has_range(ty: Type) -> bool {
    ty.is_scalar() && (ty.is_int() || ty.is_ptr()) && ty.bits() <= 64
}

fn unsigned_max(ty: Type) -> u64 {
    ty.mask() as u64
}

fn signed_max(ty: Type) -> i64 {
    (unsigned_max(ty) >> 1) as i64
}

fn signed_min(ty: Type) -> i64 {
    -signed_max(ty) - 1
}

impl Range {
    /// Every value of the type.
    pub fn full(ty: Type) -> Range {
        Range { umin: 0, umax: unsigned_max(ty), smin: signed_min(ty), smax: signed_max(ty) }
    }

    /// One value, given by its bits.
    pub fn constant(ty: Type, bits: u128) -> Range {
        let signed = ir::fold::sign_extend(ty, bits) as i64;
        Range { umin: bits as u64, umax: bits as u64, smin: signed, smax: signed }
    }

    /// All values between two unsigned bounds.
    pub fn unsigned(ty: Type, umin: u64, umax: u64) -> Range {
        Range { umin, umax, ..Range::full(ty) }.narrowed(ty)
    }

    /// All values between two signed bounds.
    pub fn signed(ty: Type, smin: i64, smax: i64) -> Range {
        Range { smin, smax, ..Range::full(ty) }.narrowed(ty)
    }

    /// The bits of the only value left, if there is one.
    pub fn single(&self) -> Option<u64> {
        (self.umin == self.umax).then_some(self.umin)
    }

    /// Whether no value is left: the code is not reached.
    pub fn is_empty(&self) -> bool {
        self.umin > self.umax || self.smin > self.smax
    }

    /// Whether the value is non-negative as a signed number.
    pub fn is_non_negative(&self) -> bool {
        self.smin >= 0
    }

    /// Each interval narrowed by what the other says.
    pub fn narrowed(mut self, ty: Type) -> Range {
        let top = signed_max(ty) as u64;
        if self.smin >= 0 || self.smax < 0 {
            // One sign: both orders agree.
            let (low, high) = (self.smin as u64 & unsigned_max(ty), self.smax as u64 & unsigned_max(ty));
            self.umin = self.umin.max(low);
            self.umax = self.umax.min(high);
        }
        if self.umax <= top || self.umin > top {
            let extend = |bits: u64| ir::fold::sign_extend(ty, bits as u128) as i64;
            self.smin = self.smin.max(extend(self.umin));
            self.smax = self.smax.min(extend(self.umax));
        }
        self
    }

    /// What is in both.
    pub fn intersect(self, ty: Type, other: Range) -> Range {
        Range {
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
        }
        .narrowed(ty)
    }

    /// What covers both.
    pub fn union(self, other: Range) -> Range {
        Range {
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
        }
    }

    /// What is left of this value if its comparison with `other` holds. May be empty.
    pub fn assuming(self, ty: Type, cc: IntCc, other: Range) -> Range {
        let mut r = self;
        let below = |x: u64| x.checked_sub(1);
        match cc {
            IntCc::Eq => return self.intersect(ty, other),
            IntCc::Ne => {
                if let Some(bits) = other.single() {
                    let signed = other.smin;
                    if r.umin == bits {
                        r.umin = r.umin.saturating_add(1);
                    } else if r.umax == bits {
                        r.umax -= 1;
                    }
                    if r.smin == signed {
                        r.smin = r.smin.saturating_add(1);
                    } else if r.smax == signed {
                        r.smax -= 1;
                    }
                }
            }
            IntCc::Ult => match below(other.umax) {
                Some(max) => r.umax = r.umax.min(max),
                None => (r.umin, r.umax) = (1, 0),
            },
            IntCc::Ule => r.umax = r.umax.min(other.umax),
            IntCc::Ugt => match other.umin.checked_add(1) {
                Some(min) => r.umin = r.umin.max(min),
                None => (r.umin, r.umax) = (1, 0),
            },
            IntCc::Uge => r.umin = r.umin.max(other.umin),
            IntCc::Slt => match other.smax.checked_sub(1) {
                Some(max) => r.smax = r.smax.min(max),
                None => (r.smin, r.smax) = (1, 0),
            },
            IntCc::Sle => r.smax = r.smax.min(other.smax),
            IntCc::Sgt => match other.smin.checked_add(1) {
                Some(min) => r.smin = r.smin.max(min),
                None => (r.smin, r.smax) = (1, 0),
            },
            IntCc::Sge => r.smin = r.smin.max(other.smin),
        }
        if r.is_empty() { r } else { r.narrowed(ty) }
    }

    /// The comparison's outcome, if it is the same for all values.
    pub fn decide(self, cc: IntCc, other: Range) -> Option<bool> {
        let (a, b) = (self, other);
        let less = |always: bool, never: bool| if always { Some(true) } else { never.then_some(false) };
        match cc {
            IntCc::Eq | IntCc::Ne => {
                let apart = a.umax < b.umin || b.umax < a.umin || a.smax < b.smin || b.smax < a.smin;
                let same = a.single().is_some() && a.single() == b.single();
                less(same, apart).map(|equal| equal == (cc == IntCc::Eq))
            }
            IntCc::Ult => less(a.umax < b.umin, a.umin >= b.umax),
            IntCc::Ule => less(a.umax <= b.umin, a.umin > b.umax),
            IntCc::Ugt => less(a.umin > b.umax, a.umax <= b.umin),
            IntCc::Uge => less(a.umin >= b.umax, a.umax < b.umin),
            IntCc::Slt => less(a.smax < b.smin, a.smin >= b.smax),
            IntCc::Sle => less(a.smax <= b.smin, a.smin > b.smax),
            IntCc::Sgt => less(a.smin > b.smax, a.smax <= b.smin),
            IntCc::Sge => less(a.smin >= b.smax, a.smax < b.smin),
        }
    }
}

/// Ways in which two values may compare: equal, or one of four combinations of signed and unsigned
/// order.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Outcomes(u8);

impl Outcomes {
    const EQUAL: u8 = 1;
    const SLT_ULT: u8 = 2;
    const SLT_UGT: u8 = 4;
    const SGT_ULT: u8 = 8;
    const SGT_UGT: u8 = 16;

    /// All of them.
    pub const ALL: Outcomes = Outcomes(31);

    /// Those for which the comparison holds.
    pub fn of(cc: IntCc) -> Outcomes {
        let slt = Self::SLT_ULT | Self::SLT_UGT;
        let ult = Self::SLT_ULT | Self::SGT_ULT;
        Outcomes(match cc {
            IntCc::Eq => Self::EQUAL,
            IntCc::Ne => 31 & !Self::EQUAL,
            IntCc::Slt => slt,
            IntCc::Sle => slt | Self::EQUAL,
            IntCc::Sgt => Self::SGT_ULT | Self::SGT_UGT,
            IntCc::Sge => 31 & !slt,
            IntCc::Ult => ult,
            IntCc::Ule => ult | Self::EQUAL,
            IntCc::Ugt => Self::SLT_UGT | Self::SGT_UGT,
            IntCc::Uge => 31 & !ult,
        })
    }

    /// Those in both.
    pub fn intersect(self, other: Outcomes) -> Outcomes {
        Outcomes(self.0 & other.0)
    }

    /// Those in one of them.
    pub fn union(self, other: Outcomes) -> Outcomes {
        Outcomes(self.0 | other.0)
    }

    /// Those in one of them only.
    pub fn difference(self, other: Outcomes) -> Outcomes {
        Outcomes(self.0 ^ other.0)
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The comparison that holds for just these, if there is one.
    pub fn comparison(self) -> Option<IntCc> {
        IntCc::ALL.iter().copied().find(|&cc| Outcomes::of(cc).0 == self.0)
    }

    /// Whether the comparison holds in all of them, or in none. An empty set says nothing.
    pub fn decide(self, cc: IntCc) -> Option<bool> {
        let holds = Outcomes::of(cc).0;
        match self.0 {
            0 => None,
            set if set & !holds == 0 => Some(true),
            set if set & holds == 0 => Some(false),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All claims about i8-sized samples, by trying the values.
    #[test]
    fn assumptions_and_decisions_hold_for_every_value() {
        let samples = [-128i64, -127, -3, -1, 0, 1, 2, 5, 126, 127];
        for &low in &samples {
            for &high in samples.iter().filter(|&&h| h >= low) {
                let range = Range::signed(Type::I8, low, high);
                for &c in &samples {
                    let constant = Range::constant(Type::I8, c as u8 as u128);
                    for &cc in IntCc::ALL {
                        let kept = range.assuming(Type::I8, cc, constant);
                        for x in low..=high {
                            let holds = cc.eval(x as u8 as u128, c as u8 as u128, 8);
                            if holds {
                                assert!(kept.smin <= x && x <= kept.smax, "{x} {cc:?} {c} in {range:?}: {kept:?}");
                                let u = x as u8 as u64;
                                assert!(kept.umin <= u && u <= kept.umax, "{x} {cc:?} {c} in {range:?}: {kept:?}");
                            }
                            if let Some(decided) = range.decide(cc, constant) {
                                assert_eq!(decided, holds, "{x} {cc:?} {c} in {range:?}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn one_comparison_decides_another() {
        for &known in IntCc::ALL {
            for &asked in IntCc::ALL {
                let Some(decided) = Outcomes::of(known).decide(asked) else { continue };
                for a in [-2i64, -1, 0, 1, 2] {
                    for b in [-2i64, -1, 0, 1, 2] {
                        let (x, y) = (a as u8 as u128, b as u8 as u128);
                        if known.eval(x, y, 8) {
                            assert_eq!(asked.eval(x, y, 8), decided, "{a} {known:?} {b} gives {asked:?}");
                        }
                    }
                }
            }
        }
    }
}
