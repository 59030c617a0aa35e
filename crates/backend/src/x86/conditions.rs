//! Condition codes.

use ir::IntCc;
use object::Cond;

/// The condition code of an integer comparison after `cmp a, b`.
pub fn int_cond(cc: IntCc) -> Cond {
    match cc {
        IntCc::Eq => Cond::E,
        IntCc::Ne => Cond::NE,
        IntCc::Slt => Cond::L,
        IntCc::Sle => Cond::LE,
        IntCc::Sgt => Cond::G,
        IntCc::Sge => Cond::GE,
        IntCc::Ult => Cond::B,
        IntCc::Ule => Cond::BE,
        IntCc::Ugt => Cond::A,
        IntCc::Uge => Cond::AE,
    }
}
