//! `mem*` and the old BSD names. Copies and fills with these names are instructions already when
//! they come from the front end.

use ir::{AliasTags, IntCc, Opcode, Type, Value};

use super::{Answer, Calls};

/// Applies the rules of this file.
pub(super) fn fold(cx: &mut Calls<'_>, name: &str, args: &[Value]) -> Option<Answer> {
    match name {
        "memcmp" | "bcmp" => compare(cx, args),
        "memchr" => find(cx, args),
        "bcopy" => {
            cx.b().mem_op(Opcode::MemMove, args[1], args[0], args[2], 1, false);
            Some(None)
        }
        _ => None,
    }
}

/// Constant memory does not overlap what is written: a move from there is a copy.
pub(super) fn from_constant(cx: &mut Calls<'_>) -> Option<Answer> {
    let data = cx.func.insts[cx.at];
    let [to, from, bytes] = [0, 1, 2].map(|i| cx.func.operand(cx.at, i));
    cx.constant_object(from)?;
    cx.b().mem_op(Opcode::MemCpy, to, from, bytes, 1 << data.block_align_log2(), data.is_volatile());
    Some(None)
}

fn compare(cx: &mut Calls<'_>, args: &[Value]) -> Option<Answer> {
    let [a, b] = [args[0], args[1]];
    if a == b {
        return Some(cx.i32(0));
    }
    let bytes = cx.int(args[2])?;
    if bytes == 0 {
        return Some(cx.i32(0));
    }
    if let (Some(x), Some(y)) = (cx.text(a), cx.text(b))
        && bytes <= x.left().min(y.left())
    {
        let order = (0..bytes).map(|at| x.byte(at)).cmp((0..bytes).map(|at| y.byte(at)));
        return Some(cx.i32(order as i64));
    }
    let ty = match bytes {
        1 => {
            let (m, n) = (cx.byte(a), cx.byte(b));
            return Some(Some(cx.b().binary_flags(Opcode::Sub, ir::flags::NSW, m, n)));
        }
        2 | 3 => Type::I16,
        4..=7 => Type::I32,
        8..=16 => Type::I64,
        _ => return None,
    };
    let width = u64::from(ty.bits() / 8);
    if !cx.is_only_compared_with_zero() || (bytes != width && cx.size) {
        return None;
    }
    // What one word does not hold is in a second one, which may overlap it.
    let mut pieces = |at: u64| {
        let (mut x, mut y) = (a, b);
        if at > 0 {
            (x, y) = (cx.b().ptradd_imm(a, at as i64), cx.b().ptradd_imm(b, at as i64));
        }
        let mut builder = cx.b();
        (builder.load(ty, x, 1, AliasTags::any(), 0), builder.load(ty, y, 1, AliasTags::any(), 0))
    };
    let (mut m, mut n) = pieces(0);
    if bytes != width {
        let (x, y) = pieces(bytes - width);
        let mut builder = cx.b();
        let (first, second) = (builder.binary(Opcode::Xor, m, n), builder.binary(Opcode::Xor, x, y));
        m = builder.binary(Opcode::Or, first, second);
        n = builder.iconst(ty, 0);
    }
    let mut builder = cx.b();
    let differ = builder.icmp(IntCc::Ne, m, n);
    Some(Some(builder.unary(Opcode::ZExt, Type::I32, differ)))
}

fn find(cx: &mut Calls<'_>, args: &[Value]) -> Option<Answer> {
    let bytes = cx.int(args[2])?;
    if bytes == 0 {
        return Some(cx.null());
    }
    let wanted = cx.int(args[1])? as u8;
    let text = cx.text(args[0])?;
    match (0..bytes.min(text.left())).find(|&at| text.byte(at) == wanted) {
        Some(at) => Some(Some(cx.b().ptradd_imm(args[0], at as i64))),
        None if bytes <= text.left() => Some(cx.null()),
        None => None,
    }
}
