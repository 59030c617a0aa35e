//! Conversions between integers and pointers.

use ir::{Inst, Opcode, Type, Value};

use super::{Combiner, Rewrite, halves};

/// Applies the rules of this file.
pub(super) fn visit(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    if data.ty.is_vector() {
        return None;
    }
    let a = cx.func.operand(inst, 0);
    match data.opcode {
        Opcode::Trunc => trunc(cx, inst, a, data.ty),
        Opcode::ZExt => zext(cx, inst, a, data.ty),
        Opcode::SExt => sext(cx, inst, a),
        Opcode::Bitcast => {
            if cx.ty(a) == data.ty {
                return Some(Rewrite::Value(a));
            }
            let x = cx.unary(a, Opcode::Bitcast)?;
            if cx.ty(x) == data.ty { Some(Rewrite::Value(x)) } else { cx.become_unary(inst, Opcode::Bitcast, x) }
        }
        // Signed conversions are one instruction, unsigned ones of 64 bits several.
        Opcode::UiToFp if is_non_negative(cx, a) => cx.become_unary(inst, Opcode::SiToFp, a),
        Opcode::PtrToInt => cx.unary(a, Opcode::IntToPtr).map(Rewrite::Value),
        Opcode::IntToPtr => cx.unary(a, Opcode::PtrToInt).map(Rewrite::Value),
        _ => None,
    }
}

/// Whether the sign bit is certainly zero.
fn is_non_negative(cx: &Combiner<'_>, value: Value) -> bool {
    let ty = cx.ty(value);
    !ty.is_vector() && cx.known(value).is_non_negative()
}

fn trunc(cx: &mut Combiner<'_>, inst: Inst, a: Value, to: Type) -> Option<Rewrite> {
    if let Some(x) = cx.unary(a, Opcode::Trunc) {
        return cx.become_unary(inst, Opcode::Trunc, x);
    }
    for extension in [Opcode::ZExt, Opcode::SExt] {
        if let Some(x) = cx.unary(a, extension) {
            let from = cx.ty(x);
            return match from.bits().cmp(&to.bits()) {
                std::cmp::Ordering::Equal => Some(Rewrite::Value(x)),
                std::cmp::Ordering::Less => cx.become_unary(inst, extension, x),
                std::cmp::Ordering::Greater => cx.become_unary(inst, Opcode::Trunc, x),
            };
        }
    }
    if let Some((low, _)) = halves::halves(cx, a)
        && to.bits() <= cx.ty(low).bits()
    {
        return if cx.ty(low) == to { Some(Rewrite::Value(low)) } else { cx.become_unary(inst, Opcode::Trunc, low) };
    }
    narrow_operation(cx, inst, a, to)
}

/// Low bits of a sum, difference, product or bit operation need only the low bits of its operands.
fn narrow_operation(cx: &mut Combiner<'_>, inst: Inst, a: Value, to: Type) -> Option<Rewrite> {
    if !cx.one_use(a) || to == Type::I1 {
        return None;
    }
    let def = cx.func.def_inst(a)?;
    let opcode = cx.func.insts[def].opcode;
    if !matches!(opcode, Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::And | Opcode::Or | Opcode::Xor) {
        return None;
    }
    let operands = [cx.func.operand(def, 0), cx.func.operand(def, 1)];
    let is_free = |cx: &Combiner<'_>, v: Value| {
        cx.bits(v).is_some()
            || cx.unary(v, Opcode::ZExt).or(cx.unary(v, Opcode::SExt)).is_some_and(|x| cx.ty(x).bits() <= to.bits())
    };
    // Narrowing pays if it undoes a widening on both sides; one-sided it just moves the truncation.
    if !operands.iter().all(|&v| is_free(cx, v)) {
        return None;
    }
    let mut narrow = operands;
    for value in &mut narrow {
        *value = match cx.bits(*value) {
            Some(bits) => cx.func.bits_const(to, bits),
            None => cx.builder(inst).unary(Opcode::Trunc, to, *value),
        };
    }
    cx.become_binary(inst, opcode, 0, narrow[0], narrow[1])
}

fn zext(cx: &mut Combiner<'_>, inst: Inst, a: Value, to: Type) -> Option<Rewrite> {
    if let Some(x) = cx.unary(a, Opcode::ZExt) {
        return cx.become_unary(inst, Opcode::ZExt, x);
    }
    // Truncated and widened again: a mask.
    if let Some(x) = cx.unary(a, Opcode::Trunc)
        && cx.ty(x) == to
    {
        let mask = cx.func.bits_const(to, cx.ty(a).mask());
        return cx.become_binary(inst, Opcode::And, 0, x, mask);
    }
    // Bit operations with constants are done wide, where what they leave zero shows.
    if cx.one_use(a) && to.bits() <= 64 {
        for opcode in [Opcode::And, Opcode::Or, Opcode::Xor] {
            if let Some((x, c)) = cx.binary_const(a, opcode)
                && cx.ty(x) != Type::I1
            {
                let wide = cx.builder(inst).unary(Opcode::ZExt, to, x);
                let c = cx.func.bits_const(to, c);
                return cx.become_binary(inst, opcode, 0, wide, c);
            }
        }
    }
    None
}

fn sext(cx: &mut Combiner<'_>, inst: Inst, a: Value) -> Option<Rewrite> {
    if let Some(x) = cx.unary(a, Opcode::SExt) {
        return cx.become_unary(inst, Opcode::SExt, x);
    }
    // The sign bit of a zero extension is zero.
    if let Some(x) = cx.unary(a, Opcode::ZExt) {
        return cx.become_unary(inst, Opcode::ZExt, x);
    }
    if is_non_negative(cx, a) {
        return cx.become_unary(inst, Opcode::ZExt, a);
    }
    // sext(x + c) without signed overflow is sext(x) + c: the constant can then join an address.
    if let Some((add, data)) = cx.def(a, Opcode::Add)
        && data.has(ir::flags::NSW)
        && cx.one_use(a)
        && let Some(c) = cx.bits(cx.func.operand(add, 1))
    {
        let x = cx.func.operand(add, 0);
        let to = cx.func.insts[inst].ty;
        let from = cx.ty(a);
        let wide = cx.builder(inst).unary(Opcode::SExt, to, x);
        let c = cx.func.bits_const(to, ir::fold::sign_extend(from, c) as u128);
        return cx.become_binary(inst, Opcode::Add, ir::flags::NSW, wide, c);
    }
    None
}
