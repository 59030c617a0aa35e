//! Why a loop stays scalar, for `-Rpass-missed=`: the first obstacle that was met, and where.

use std::cell::Cell;

use ir::{Function, Inst, Opcode};

/// The first obstacle of the loop that is being looked at.
#[derive(Default)]
pub struct Reasons(Cell<Option<(Option<Inst>, &'static str)>>);

impl Reasons {
    /// Says what is in the way, at an instruction or of the loop as a whole.
    pub fn no<T>(&self, at: Option<Inst>, what: &'static str) -> Option<T> {
        if self.0.get().is_none() {
            self.0.set(Some((at, what)));
        }
        None
    }

    /// As [`Reasons::no`], if something is in the way.
    pub fn unless(&self, fine: bool, at: Option<Inst>, what: &'static str) -> Option<()> {
        if fine { Some(()) } else { self.no(at, what) }
    }

    /// What was said, which is forgotten.
    pub fn take(&self) -> Option<(Option<Inst>, &'static str)> {
        self.0.take()
    }
}

/// What an instruction that no vector loop may hold is.
pub fn not_plain(func: &Function, inst: Inst) -> &'static str {
    match func.insts[inst].opcode {
        Opcode::Call => "a call",
        Opcode::Load | Opcode::Store => "a volatile or non-temporal access",
        Opcode::Asm => "inline assembly",
        _ => "an operation with effects",
    }
}
