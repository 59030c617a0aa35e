//! Truth values that are computed with as numbers: `(c >= '0') & (c <= '9')`.

use ir::{Inst, Opcode, Type, Value};

use super::{Combiner, Rewrite};

/// `and`, `or` and `xor` of two widened truth values is done on the truth values, where `merge_conditions` sees the comparisons side by side.
pub(super) fn widened(cx: &mut Combiner<'_>, inst: Inst, a: Value, b: Value) -> Option<Rewrite> {
    let opcode = cx.func.insts[inst].opcode;
    let truth = |value: Value| cx.unary(value, Opcode::ZExt).filter(|&x| cx.ty(x) == Type::I1 && cx.one_use(value));
    let (x, y) = (truth(a)?, truth(b)?);
    let both = cx.builder(inst).binary(opcode, x, y);
    cx.become_unary(inst, Opcode::ZExt, both)
}

/// The same with the constants 0 and 1, which are the only ones that keep it a truth value.
pub(super) fn widened_with_constant(cx: &mut Combiner<'_>, inst: Inst, a: Value, c: u128) -> Option<Rewrite> {
    let opcode = cx.func.insts[inst].opcode;
    let x = cx.unary(a, Opcode::ZExt).filter(|&x| cx.ty(x) == Type::I1 && cx.one_use(a))?;
    if c != 1 || opcode != Opcode::Xor {
        return None;
    }
    let one = cx.func.iconst(Type::I1, 1);
    let inverse = cx.builder(inst).binary(Opcode::Xor, x, one);
    cx.become_unary(inst, Opcode::ZExt, inverse)
}
