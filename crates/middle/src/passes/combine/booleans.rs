//! Truth values that are computed with as numbers: `(c >= '0') & (c <= '9')`, `(a > b) - (a < b)`;
//! joins of comparisons of the same values.

use ir::{Inst, Opcode, Type, Value};

use super::{Combiner, Rewrite};
use crate::analysis::facts::Relation;

/// `and`, `or` and `xor` of two comparisons of the same values is one comparison, or known.
pub(super) fn comparisons(cx: &mut Combiner<'_>, inst: Inst, a: Value, b: Value) -> Option<Rewrite> {
    let (first, second) = (cx.def(a, Opcode::ICmp)?, cx.def(b, Opcode::ICmp)?);
    let operands = |compare: Inst| (cx.func.operand(compare, 0), cx.func.operand(compare, 1));
    let ((x, y), other) = (operands(first.0), operands(second.0));
    let second_cc = match other {
        same if same == (x, y) => second.1.int_cc(),
        turned if turned == (y, x) => second.1.int_cc().swapped(),
        _ => return None,
    };
    if cx.ty(x).is_vector() {
        return None;
    }
    let (p, q) = (Relation::of(first.1.int_cc()), Relation::of(second_cc));
    let joined = match cx.func.insts[inst].opcode {
        Opcode::And => p.intersect(q),
        Opcode::Or => p.union(q),
        _ => p.difference(q),
    };
    if joined.is_empty() || joined == Relation::ALL {
        return Some(Rewrite::Value(cx.func.iconst(Type::I1, i64::from(!joined.is_empty()))));
    }
    let cc = joined.comparison()?;
    cx.become_icmp(inst, cc, x, y)
}

/// The truth values of `(x ? 1 : 0) - (y ? 1 : 0)`.
pub(super) fn difference(cx: &Combiner<'_>, value: Value) -> Option<(Value, Value)> {
    let (a, b) = cx.binary(value, Opcode::Sub)?;
    let truth = |value: Value| cx.unary(value, Opcode::ZExt).filter(|&x| cx.ty(x) == Type::I1);
    Some((truth(a)?, truth(b)?))
}

/// `and`, `or` and `xor` of two widened truth values is done on the truth values, where
/// `merge_conditions` sees the comparisons side by side.
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
