//! Joins of comparisons of the same values.

use ir::{Inst, Opcode, Type, Value};

use super::{Combiner, Rewrite};
use ir::analysis::facts::Relation;

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
