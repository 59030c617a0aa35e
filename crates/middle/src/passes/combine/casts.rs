//! Truncations that need more than a pattern.

use ir::{Inst, Opcode, Value};

use super::{Combiner, Rewrite, halves};

/// The low half of two that were joined.
pub(super) fn trunc_of_joined(cx: &mut Combiner<'_>, inst: Inst, a: Value) -> Option<Rewrite> {
    let to = cx.func.insts[inst].ty;
    let (low, _) = halves::halves(cx, a)?;
    if to.bits() > cx.ty(low).bits() {
        return None;
    }
    if cx.ty(low) == to { Some(Rewrite::Value(low)) } else { cx.become_unary(inst, Opcode::Trunc, low) }
}
