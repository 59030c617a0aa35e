//! The lattice: bounds of a value in both orders, joined with the bits that are certainly zero.

use crate::{IntCc, Type};

/// Bounds of a scalar integer or pointer, inclusive, and bits that are zero. All of it is true, and
/// each part is narrowed by the others.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// As an unsigned number.
    pub umin: u128,
    /// As an unsigned number.
    pub umax: u128,
    /// As a signed number.
    pub smin: i128,
    /// As a signed number.
    pub smax: i128,
    /// Bits that are certainly zero.
    pub zero: u128,
}

/// Whether ranges describe values of this type.
pub fn has_range(ty: Type) -> bool {
    ty.is_scalar() && (ty.is_int() || ty.is_ptr())
}

fn signed_max(ty: Type) -> i128 {
    (ty.mask() >> 1) as i128
}

impl Range {
    /// Every value of the type.
    #[inline]
    pub fn full(ty: Type) -> Range {
        let smax = signed_max(ty);
        Range { umin: 0, umax: ty.mask(), smin: -smax - 1, smax, zero: 0 }
    }

    /// One value, given by its bits.
    pub fn constant(ty: Type, bits: u128) -> Range {
        let signed = crate::fold::sign_extend(ty, bits);
        Range { umin: bits, umax: bits, smin: signed, smax: signed, zero: !bits & ty.mask() }
    }

    /// All values between two unsigned bounds; signed ones are for [`Range::narrowed`] to find.
    #[inline]
    pub fn unsigned(ty: Type, umin: u128, umax: u128) -> Range {
        Range { umin, umax, ..Range::full(ty) }
    }

    /// All values between two signed bounds; unsigned ones are for [`Range::narrowed`] to find.
    #[inline]
    pub fn signed(ty: Type, smin: i128, smax: i128) -> Range {
        Range { smin, smax, ..Range::full(ty) }
    }

    /// What of this has these bits zero, too; bounds are for [`Range::narrowed`] to find.
    #[inline]
    pub fn with_zero(self, zero: u128) -> Range {
        Range { zero: self.zero | zero, ..self }
    }

    /// The bits of the only value left, if there is one.
    pub fn single(&self) -> Option<u128> {
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

    /// Each part narrowed by what the others say.
    pub fn narrowed(mut self, ty: Type) -> Range {
        let mask = ty.mask();
        let top = signed_max(ty) as u128;
        self.umax = self.umax.min(mask & !self.zero);
        if self.smin >= 0 || self.smax < 0 {
            // One sign: both orders agree.
            self.umin = self.umin.max(self.smin as u128 & mask);
            self.umax = self.umax.min(self.smax as u128 & mask);
        }
        if self.umax <= top || self.umin > top {
            self.smin = self.smin.max(crate::fold::sign_extend(ty, self.umin));
            self.smax = self.smax.min(crate::fold::sign_extend(ty, self.umax));
        }
        // Above the highest bit in which they differ all values have the bits of the bounds.
        let same = u128::MAX.checked_shl(128 - (self.umin ^ self.umax).leading_zeros()).unwrap_or(0);
        self.zero |= same & !self.umax & mask;
        self
    }

    /// What is in both.
    pub fn intersect(self, ty: Type, other: Range) -> Range {
        Range {
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
            zero: self.zero | other.zero,
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
            zero: self.zero & other.zero,
        }
    }

    /// What is left of this value if its comparison with `other` holds. May be empty.
    pub fn assuming(self, ty: Type, cc: IntCc, other: Range) -> Range {
        let mut r = self;
        let below = |x: u128| x.checked_sub(1);
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
                let (one, other) = (a.single(), b.single());
                let same = one.is_some() && one == other;
                let apart =
                    apart || one.is_some_and(|bits| bits & b.zero != 0) || other.is_some_and(|bits| bits & a.zero != 0);
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

#[cfg(test)]
mod tests;
