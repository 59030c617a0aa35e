//! Address arithmetic: constants gather at the outside of a chain, where they become displacements.

use ir::{Inst, Opcode, flags};

use super::{Combiner, Rewrite};

/// Applies the rules of this file.
pub(super) fn visit(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let (base, offset) = (cx.func.operand(inst, 0), cx.func.operand(inst, 1));
    let inbounds = cx.func.insts[inst].flags() & flags::INBOUNDS;
    if let Some(c) = cx.bits(offset) {
        if c == 0 {
            return Some(Rewrite::Value(base));
        }
        let (inner_base, inner_offset) = cx.binary(base, Opcode::PtrAdd)?;
        let inner = cx.bits(inner_offset)?;
        let inner_flags = cx.func.insts[cx.func.def_inst(base)?].flags();
        let sum = cx.constant(offset, inner.wrapping_add(c));
        return cx.become_binary(inst, Opcode::PtrAdd, inbounds & inner_flags, inner_base, sum);
    }
    // p + (i + c)
    if let Some((i, c)) = cx.binary_const(offset, Opcode::Add)
        && cx.one_use(offset)
    {
        let inner = cx.builder(inst).ptradd(base, i, 0);
        let c = cx.constant(offset, c);
        return cx.become_binary(inst, Opcode::PtrAdd, 0, inner, c);
    }
    // (p + c) + i
    let (inner_base, inner_offset) = cx.binary(base, Opcode::PtrAdd)?;
    let c = cx.bits(inner_offset)?;
    if !cx.one_use(base) {
        return None;
    }
    let inner = cx.builder(inst).ptradd(inner_base, offset, 0);
    let c = cx.constant(offset, c);
    cx.become_binary(inst, Opcode::PtrAdd, 0, inner, c)
}
