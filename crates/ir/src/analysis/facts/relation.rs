//! What one comparison says about another: `x < y` excludes `x == y` and implies `x <= y`.
//!
//! A comparison is the set of ways for two values to compare for which it holds. It implies another
//! if its set lies in the other's, and excludes it if they have nothing in common.

use crate::{FloatCc, IntCc};

/// Ways in which two values may compare. Integers: equal, or one of four combinations of signed and
/// unsigned order. Floats: equal, less, greater or unordered.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Relation(u8);

impl Relation {
    const EQUAL: u8 = 1;
    /// Less in both orders; of floats, less.
    const LESS: u8 = 2;
    const SLT_UGT: u8 = 4;
    const SGT_ULT: u8 = 8;
    /// Greater in both orders; of floats, greater.
    const GREATER: u8 = 16;
    const UNORDERED: u8 = 32;

    /// All ways for integers.
    pub const ALL: Relation = Relation(31);

    /// Those for which the comparison holds.
    pub fn of(cc: IntCc) -> Relation {
        let slt = Self::LESS | Self::SLT_UGT;
        let ult = Self::LESS | Self::SGT_ULT;
        Relation(match cc {
            IntCc::Eq => Self::EQUAL,
            IntCc::Ne => 31 & !Self::EQUAL,
            IntCc::Slt => slt,
            IntCc::Sle => slt | Self::EQUAL,
            IntCc::Sgt => Self::SGT_ULT | Self::GREATER,
            IntCc::Sge => 31 & !slt,
            IntCc::Ult => ult,
            IntCc::Ule => ult | Self::EQUAL,
            IntCc::Ugt => Self::SLT_UGT | Self::GREATER,
            IntCc::Uge => 31 & !ult,
        })
    }

    /// Those for which the comparison of floats holds.
    pub fn of_floats(cc: FloatCc) -> Relation {
        let (less, equal, greater, unordered) = (Self::LESS, Self::EQUAL, Self::GREATER, Self::UNORDERED);
        Relation(match cc {
            FloatCc::Oeq => equal,
            FloatCc::Olt => less,
            FloatCc::Ole => less | equal,
            FloatCc::Ogt => greater,
            FloatCc::Oge => greater | equal,
            FloatCc::One => less | greater,
            FloatCc::Ord => less | equal | greater,
            FloatCc::Uno => unordered,
            FloatCc::Ueq => unordered | equal,
            FloatCc::Ult => unordered | less,
            FloatCc::Ule => unordered | less | equal,
            FloatCc::Ugt => unordered | greater,
            FloatCc::Uge => unordered | greater | equal,
            FloatCc::Une => unordered | less | greater,
        })
    }

    /// Those in both.
    pub fn intersect(self, other: Relation) -> Relation {
        Relation(self.0 & other.0)
    }

    /// Those in one of them.
    pub fn union(self, other: Relation) -> Relation {
        Relation(self.0 | other.0)
    }

    /// Those in one of them only.
    pub fn difference(self, other: Relation) -> Relation {
        Relation(self.0 ^ other.0)
    }

    /// The same with the two values exchanged.
    pub fn swapped(self) -> Relation {
        let moved = |from: u8, to: u8| if self.0 & from != 0 { to } else { 0 };
        Relation(
            self.0 & (Self::EQUAL | Self::UNORDERED)
                | moved(Self::LESS, Self::GREATER)
                | moved(Self::GREATER, Self::LESS)
                | moved(Self::SLT_UGT, Self::SGT_ULT)
                | moved(Self::SGT_ULT, Self::SLT_UGT),
        )
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether floats may be unordered.
    pub fn may_be_unordered(self) -> bool {
        self.0 & Self::UNORDERED != 0
    }

    /// The comparison of integers that holds for just these, if there is one.
    pub fn comparison(self) -> Option<IntCc> {
        IntCc::ALL.iter().copied().find(|&cc| Relation::of(cc) == self)
    }

    /// Whether a comparison that holds for `holds` holds in all of these, or in none. An empty set
    /// says nothing.
    pub fn decide(self, holds: Relation) -> Option<bool> {
        match self.0 {
            0 => None,
            set if set & !holds.0 == 0 => Some(true),
            set if set & holds.0 == 0 => Some(false),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
