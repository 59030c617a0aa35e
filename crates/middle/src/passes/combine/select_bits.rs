//! Joins of masked values: common masks are applied once, and choosing bits by a mask and its
//! complement takes three operations.

use ir::{Inst, Opcode, Value};

use super::{Combiner, Rewrite};

/// `(x & y) ^ (x & z)` to `x & (y ^ z)`, likewise for `|` over `&` and `&` over `|`; `(x & y) | (~x
/// & z)` to `((y ^ z) & x) ^ z`, also with `^` and `+`.
pub(super) fn visit(cx: &mut Combiner<'_>, inst: Inst, a: Value, b: Value) -> Option<Rewrite> {
    let outer = cx.func.insts[inst].opcode;
    let inner = if outer == Opcode::And { Opcode::Or } else { Opcode::And };
    let ((a0, a1), (b0, b1)) = (cx.binary(a, inner)?, cx.binary(b, inner)?);
    if a == b || !cx.one_use(a) || !cx.one_use(b) {
        return None;
    }
    for ((x, y), (w, z)) in [((a0, a1), (b0, b1)), ((a0, a1), (b1, b0)), ((a1, a0), (b0, b1)), ((a1, a0), (b1, b0))] {
        if x == w && outer != Opcode::Add {
            let rest = cx.builder(inst).binary(outer, y, z);
            return cx.become_binary(inst, inner, 0, x, rest);
        }
        if inner != Opcode::And {
            continue;
        }
        // What the mask takes, and what its complement takes.
        let (mask, chosen, other) = if is_complement(cx, w, x) {
            (x, y, z)
        } else if is_complement(cx, x, w) {
            (w, z, y)
        } else {
            continue;
        };
        let mut builder = cx.builder(inst);
        let differing = builder.binary(Opcode::Xor, chosen, other);
        let taken = builder.binary(Opcode::And, differing, mask);
        return cx.become_binary(inst, Opcode::Xor, 0, taken, other);
    }
    None
}

/// Whether `value` is computed as `~of`.
fn is_complement(cx: &Combiner<'_>, value: Value, of: Value) -> bool {
    let ones = cx.ty(value).mask();
    cx.func.constant(of).is_none() && cx.binary_const(value, Opcode::Xor) == Some((of, ones))
}
