//! Inline assembly.

use ir::Inst;

use super::Quick;

/// An asm statement.
pub fn asm(q: &mut Quick<'_>, inst: Inst) {
    q.error(inst, "not supported: inline assembly");
}

/// `asm goto`
pub fn asm_br(q: &mut Quick<'_>, inst: Inst) {
    q.error(inst, "not supported: inline assembly");
}
