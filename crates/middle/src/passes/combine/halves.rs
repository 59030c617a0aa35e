//! Words that two halves were joined to: `zext low | zext high << half`. Structures of two small
//! members travel through calls and returns as such words; where the calls have been inlined, what
//! takes the halves out again is given them directly.
//!
//! A phi of such words becomes two phis of halves with a join after them, which is dead where only
//! halves are read. The halves are floats if floats are what was joined: they then stay in SSE
//! registers around a loop.
//!
//! ```text
//! v1: i64 = phi [i64 0, b0], [v5, b1]            v1: f32 = phi [f32 0, b0], [v3, b1]
//! v2: i32 = trunc v1                             v2: f32 = phi [f32 0, b0], [v4, b1]
//! ...                                      =>    ...
//! v5: i64 = or (zext (bitcast v3)), (shl (zext (bitcast v4)), 32)
//! ```

use ir::{Block, Builder, Inst, Opcode, Type, Value};
use smallvec::SmallVec;

use super::{Combiner, Rewrite};

/// Entries of a phi that is split.
const MAX_ENTRIES: usize = 8;

/// The low and the high half of `whole`, values of half its width, if it joins two values or one
/// and a constant.
pub(super) fn halves(cx: &mut Combiner<'_>, whole: Value) -> Option<(Value, Value)> {
    let (a, b) = cx.binary(whole, Opcode::Or)?;
    let half = half_type(cx.ty(whole))?;
    match (low_half(cx, a, half), high_half(cx, b, half)) {
        (Some(low), Some(high)) => Some((low, high)),
        _ => Some((low_half(cx, b, half)?, high_half(cx, a, half)?)),
    }
}

fn half_type(ty: Type) -> Option<Type> {
    if !ty.is_int() || ty.is_vector() || ty.bits() < 16 { None } else { Type::int(ty.bits() / 2) }
}

/// What `value` holds in its low half, if the upper one is zero.
fn low_half(cx: &mut Combiner<'_>, value: Value, half: Type) -> Option<Value> {
    match cx.bits(value) {
        Some(bits) => (bits >> half.bits() == 0).then(|| cx.func.bits_const(half, bits)),
        None => cx.unary(value, Opcode::ZExt).filter(|&x| cx.ty(x) == half),
    }
}

/// What `value` holds in its upper half, if the low one is zero.
fn high_half(cx: &mut Combiner<'_>, value: Value, half: Type) -> Option<Value> {
    let bits = half.bits();
    if let Some(constant) = cx.bits(value) {
        return (constant & half.mask() == 0).then(|| cx.func.bits_const(half, constant >> bits));
    }
    let (x, _) = cx.binary_const(value, Opcode::Shl).filter(|&(_, c)| c == bits as u128)?;
    cx.unary(x, Opcode::ZExt).filter(|&x| cx.ty(x) == half)
}

/// `joined >> c`.
pub(super) fn shifted_right(cx: &mut Combiner<'_>, inst: Inst, a: Value, c: u128) -> Option<Rewrite> {
    let ty = cx.ty(a);
    if c != ty.bits() as u128 / 2 {
        return None;
    }
    let (_, high) = halves(cx, a)?;
    let extension = if cx.func.insts[inst].opcode == Opcode::AShr { Opcode::SExt } else { Opcode::ZExt };
    cx.become_unary(inst, extension, high)
}

/// Splits a phi of words of which at least one is joined, if all are, or if a half of the phi is
/// asked for.
pub(super) fn split_phi(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let ty = cx.func.insts[inst].ty;
    if ty != Type::I64 || cx.func.num_operands(inst) > MAX_ENTRIES {
        return None;
    }
    let result = cx.func.first_result(inst);
    if !cx.func.operands(inst).any(|value| cx.def(value, Opcode::Or).is_some()) {
        return None;
    }
    let entries: SmallVec<[(Value, Block); MAX_ENTRIES]> = cx.func.phi_entries(inst).collect();
    let mut parts: SmallVec<[Option<(Value, Value)>; MAX_ENTRIES]> = SmallVec::new();
    let (mut joined, mut unknown) = (false, false);
    for &(value, pred) in &entries {
        let part = match cx.bits(value) {
            Some(bits) => Some((cx.func.bits_const(Type::I32, bits), cx.func.bits_const(Type::I32, bits >> 32))),
            None => halves(cx, value),
        };
        let known = part.is_some();
        joined |= known && cx.bits(value).is_none();
        unknown |= !known && value != result;
        if !known && value != result && cx.func.def_inst(value) == Some(cx.func.terminator(pred)) {
            return None;
        }
        parts.push(part);
    }
    if !joined || unknown && !half_is_read(cx, result) {
        return None;
    }
    let low = phi_of_halves(cx, inst, &entries, parts.iter().map(|p| p.map(|p| p.0)), 0);
    let high = phi_of_halves(cx, inst, &entries, parts.iter().map(|p| p.map(|p| p.1)), 32);
    let block = cx.func.inst_block(inst).expect("phi is placed");
    let behind = cx.func.first_non_phi(block).expect("block has a terminator");
    let mut builder = cx.builder(behind);
    let mut word = |half: Value| {
        let bits = if builder.func.value_type(half) == Type::F32 {
            builder.unary(Opcode::Bitcast, Type::I32, half)
        } else {
            half
        };
        builder.unary(Opcode::ZExt, ty, bits)
    };
    let (low, high) = (word(low), word(high));
    let amount = builder.iconst(ty, 32);
    let high = builder.binary(Opcode::Shl, high, amount);
    Some(Rewrite::Value(builder.binary(Opcode::Or, low, high)))
}

/// Whether something takes one half only out of a word.
fn half_is_read(cx: &Combiner<'_>, word: Value) -> bool {
    cx.func.uses(word).any(|(user, _)| {
        let data = cx.func.insts[user];
        match data.opcode {
            Opcode::Trunc => true,
            Opcode::LShr => cx.bits(cx.func.operand(user, 1)).is_some_and(|c| c >= 32),
            _ => false,
        }
    })
}

/// The phi of the halves from bit `shift` on of what the phi `inst` merges. Entries without a part
/// are taken apart at the end of their predecessor, unless they are the phi itself.
fn phi_of_halves(
    cx: &mut Combiner<'_>,
    inst: Inst,
    entries: &[(Value, Block)],
    parts: impl Iterator<Item = Option<Value>> + Clone,
    shift: i64,
) -> Value {
    let result = cx.func.first_result(inst);
    let float = |cx: &Combiner<'_>, part: Value| cx.unary(part, Opcode::Bitcast).filter(|&x| cx.ty(x) == Type::F32);
    let mut values = parts.clone().flatten().filter(|&part| cx.bits(part).is_none()).peekable();
    let ty =
        if values.peek().is_some() && values.all(|part| float(cx, part).is_some()) { Type::F32 } else { Type::I32 };
    let phi = cx.builder(inst).phi(ty, &[]);
    let itself = cx.func.first_result(phi);
    for (&(value, pred), part) in entries.iter().zip(parts) {
        let half = match part {
            Some(part) => match cx.bits(part) {
                Some(bits) => cx.func.bits_const(ty, bits),
                None if ty == Type::F32 => float(cx, part).expect("parts are floats"),
                None => part,
            },
            None if value == result => itself,
            None => {
                let end = cx.func.terminator(pred);
                take_half(&mut cx.builder(end), value, shift, ty)
            }
        };
        cx.func.phi_push(phi, half, pred);
    }
    itself
}

fn take_half(builder: &mut Builder<'_>, word: Value, shift: i64, ty: Type) -> Value {
    let mut bits = word;
    if shift != 0 {
        let amount = builder.iconst(Type::I64, shift);
        bits = builder.binary(Opcode::LShr, word, amount);
    }
    let half = builder.unary(Opcode::Trunc, Type::I32, bits);
    if ty == Type::F32 { builder.unary(Opcode::Bitcast, ty, half) } else { half }
}
