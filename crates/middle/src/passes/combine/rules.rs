//! The decisions that `crates/middle/rules` become: see `crates/rules`, and `docs/rules.md` for
//! what the rules are.

#![allow(clippy::all, irrefutable_let_patterns, unused_parens, unused_variables)]

use ir::fold::{self, sign_extend};
use ir::{Inst, InstData, InstView, IntCc, Opcode, Type, flags};

use super::{Combiner, Rewrite};

/// The condition that says of unsigned numbers what this says of signed ones.
fn unsigned(cc: IntCc) -> IntCc {
    cc.unsigned()
}

/// Shifted to the left, with zero for what is not below the width, as SMT-LIB has it.
fn shl(bits: u128, by: u128) -> u128 {
    if by < 128 { bits << by } else { 0 }
}

/// The same to the right.
fn lshr(bits: u128, by: u128) -> u128 {
    if by < 128 { bits >> by } else { 0 }
}

include!(concat!(env!("OUT_DIR"), "/combine_rules.rs"));
