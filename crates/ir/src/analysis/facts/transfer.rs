//! What an operation says about its result: one rule per opcode, for whoever knows its operands.

#[cfg(test)]
mod tests;

use crate::{Function, Inst, Opcode, Type, Value, flags};
use smallvec::SmallVec;

use super::range::{Range, has_range};

/// Definitions looked at for one value: deep enough for what a few statements on one variable
/// leave, shallow enough to ask at every mask.
const MAX_DEFINITIONS: u32 = 24;

/// Values that may come back to a phi for its range to be found by induction.
const MAX_BACK: usize = 8;

/// What the definition of a scalar says about it, and the definitions of what it is computed from.
pub fn known(func: &Function, value: Value) -> Range {
    known_within(func, value, None, &mut { MAX_DEFINITIONS })
}

/// The same, also of a phi: a counter that begins at a constant.
pub fn known_phi(func: &Function, value: Value) -> Range {
    let of_phi = func.def_with(value, Opcode::Phi).and_then(|inst| phi(func, inst, |v| known(func, v)));
    of_phi.unwrap_or_else(|| known(func, value))
}

/// The same as [`known`] within a number of definitions. With a phi's value `supposed`, other phis
/// are looked through as well: they choose among what follows from it.
fn known_within(func: &Function, value: Value, supposed: Option<(Value, Range)>, left: &mut u32) -> Range {
    let ty = func.value_type(value);
    if let Some((_, range)) = supposed.filter(|supposed| supposed.0 == value) {
        return range;
    }
    if let Some(bits) = func.const_bits(value) {
        return Range::constant(ty, bits);
    }
    let Some(inst) = func.def_inst(value).filter(|_| *left > 0 && has_range(ty)) else { return Range::full(ty) };
    *left -= 1;
    let of = |operand: Value| known_within(func, operand, supposed, left);
    match func.insts[inst].opcode {
        Opcode::Phi if supposed.is_some() => {
            func.operands(inst).map(of).reduce(Range::union).unwrap_or(Range::full(ty)).narrowed(ty)
        }
        _ => transfer(func, inst, of).unwrap_or(Range::full(ty)),
    }
}

/// What an operation's result is, if its operands are what `known` says; `None` if it may be
/// anything.
pub fn transfer(func: &Function, inst: Inst, mut known: impl FnMut(Value) -> Range) -> Option<Range> {
    let data = func.insts[inst];
    let ty = data.ty;
    let mask = ty.mask();
    let operand = |index: usize| func.operand(inst, index);
    let mut of = |index: usize| known(operand(index));
    let amount = || func.const_bits(operand(1)).filter(|&c| c < u128::from(ty.bits())).map(|c| c as u32);
    let range = match data.opcode {
        Opcode::ZExt => {
            let (r, narrow) = (of(0), func.value_type(operand(0)).mask());
            Range::unsigned(ty, r.umin, r.umax).with_zero(r.zero | mask & !narrow)
        }
        Opcode::SExt => {
            let r = of(0);
            Range::signed(ty, r.smin, r.smax).with_zero(r.zero)
        }
        Opcode::Trunc if has_range(func.value_type(operand(0))) => {
            let r = of(0);
            let fits = r.umax <= mask;
            let range = if fits { Range::unsigned(ty, r.umin, r.umax) } else { Range::full(ty) };
            range.with_zero(r.zero & mask)
        }
        Opcode::And => {
            let (a, b) = (of(0), of(1));
            Range::unsigned(ty, 0, a.umax.min(b.umax)).with_zero(a.zero | b.zero)
        }
        Opcode::Or => {
            let (a, b) = (of(0), of(1));
            Range::unsigned(ty, a.umin.max(b.umin), mask).with_zero(a.zero & b.zero)
        }
        Opcode::Xor => Range::full(ty).with_zero(of(0).zero & of(1).zero),
        Opcode::LShr => {
            let by = amount()?;
            let r = of(0);
            Range::unsigned(ty, r.umin >> by, r.umax >> by).with_zero(r.zero >> by)
        }
        Opcode::AShr => {
            let by = amount()?;
            let r = of(0);
            Range::signed(ty, r.smin >> by, r.smax >> by)
        }
        Opcode::Shl => {
            let by = amount()?;
            let r = of(0);
            let zero = r.zero << by & mask | ((1 << by) - 1);
            let no_change_of_sign = by < ty.bits() - 1;
            let product = no_change_of_sign.then(|| product(ty, data.flags(), false, r, Range::constant(ty, 1 << by)));
            product.unwrap_or(Range::full(ty)).with_zero(zero)
        }
        Opcode::Rotl | Opcode::Rotr => {
            let (by, width) = (amount()?, ty.bits());
            let left = if data.opcode == Opcode::Rotl { by } else { (width - by) % width };
            let zero = of(0).zero & mask;
            Range::full(ty).with_zero((zero << left | zero.checked_shr(width - left).unwrap_or(0)) & mask)
        }
        Opcode::URem => Range::unsigned(ty, 0, of(0).umax.min(of(1).umax.saturating_sub(1))),
        Opcode::UDiv => {
            let (r, divisor) = (of(0), of(1));
            Range::unsigned(ty, r.umin / divisor.umax.max(1), r.umax / divisor.umin.max(1))
        }
        Opcode::SRem => {
            let divisor = of(1);
            divisor.single()?;
            let (r, divisor) = (of(0), divisor.smin.checked_abs()?.checked_sub(1)?);
            Range::signed(ty, if r.smin >= 0 { 0 } else { -divisor }, if r.smax <= 0 { 0 } else { divisor })
        }
        Opcode::Add => sum(ty, data.flags(), of(0), of(1)),
        Opcode::Sub => difference(ty, data.flags(), of(0), of(1)),
        Opcode::Mul => product(ty, data.flags(), operand(0) == operand(1), of(0), of(1)),
        Opcode::Select => of(1).union(of(2)),
        Opcode::UMin | Opcode::UMax | Opcode::SMin | Opcode::SMax => {
            let (a, b) = (of(0), of(1));
            let either = a.union(b);
            match data.opcode {
                Opcode::UMin => Range { umax: a.umax.min(b.umax), ..either },
                Opcode::UMax => Range { umin: a.umin.max(b.umin), ..either },
                Opcode::SMin => Range { smax: a.smax.min(b.smax), ..either },
                _ => Range { smin: a.smin.max(b.smin), ..either },
            }
        }
        Opcode::Ctlz | Opcode::Cttz | Opcode::Popcount => {
            Range::unsigned(ty, 0, u128::from(func.value_type(operand(0)).bits()))
        }
        _ => return None,
    };
    Some(range.narrowed(ty))
}

/// Bits below the lowest that may be set in either.
fn low_zeros(a: Range, b: Range) -> u128 {
    (1u128 << (a.zero & b.zero).trailing_ones().min(127)) - 1
}

/// The range of what lies between the corners in signed order: an exact number, or what overflows
/// 128 bits. With `nsw` the result is a number of the type.
fn between(ty: Type, bits: u8, corners: &[(i128, bool)]) -> Range {
    let full = Range::full(ty);
    let exact = corners.iter().all(|&(_, overflows)| !overflows);
    let low = corners.iter().map(|c| c.0).min().unwrap_or(full.smin);
    let high = corners.iter().map(|c| c.0).max().unwrap_or(full.smax);
    if exact && low >= full.smin && high <= full.smax {
        Range { smin: low, smax: high, ..full }
    } else if bits & flags::NSW != 0 && low <= full.smax && high >= full.smin {
        Range { smin: low.max(full.smin), smax: high.min(full.smax), ..full }
    } else {
        full
    }
}

fn sum(ty: Type, bits: u8, a: Range, b: Range) -> Range {
    let corner = |x: i128, y: i128| (x.saturating_add(y), x.checked_add(y).is_none());
    let mut sum = between(ty, bits, &[corner(a.smin, b.smin), corner(a.smax, b.smax)]);
    if let Some(high) = a.umax.checked_add(b.umax).filter(|&high| high <= ty.mask()) {
        (sum.umin, sum.umax) = (a.umin + b.umin, high);
    }
    sum.with_zero(low_zeros(a, b) & ty.mask())
}

fn difference(ty: Type, bits: u8, a: Range, b: Range) -> Range {
    let corner = |x: i128, y: i128| (x.saturating_sub(y), x.checked_sub(y).is_none());
    let mut difference = between(ty, bits, &[corner(a.smin, b.smax), corner(a.smax, b.smin)]);
    if a.umin >= b.umax {
        (difference.umin, difference.umax) = (a.umin - b.umax, a.umax - b.umin);
    }
    difference.with_zero(low_zeros(a, b) & ty.mask())
}

/// What a value was that is in `range` after the constant was added to it, which may have wrapped.
pub fn before_step(ty: Type, range: Range, step: u128, known: Range) -> Range {
    difference(ty, 0, range, Range::constant(ty, step)).narrowed(ty).intersect(ty, known)
}

/// A product (of a value with itself, if `square`).
fn product(ty: Type, bits: u8, square: bool, a: Range, b: Range) -> Range {
    let corner = |x: i128, y: i128| (x.saturating_mul(y), x.checked_mul(y).is_none());
    let mut corners = [corner(a.smin, b.smin), corner(a.smin, b.smax), corner(a.smax, b.smin), corner(a.smax, b.smax)];
    if square {
        corners.iter_mut().for_each(|c| c.0 = c.0.max(0));
    }
    let mut product = between(ty, bits, &corners);
    if let Some(high) = a.umax.checked_mul(b.umax).filter(|&high| high <= ty.mask()) {
        (product.umin, product.umax) = (a.umin * b.umin, high);
    }
    let low = (a.zero.trailing_ones() + b.zero.trailing_ones()).min(127);
    product.with_zero(((1u128 << low) - 1) & ty.mask())
}

/// The range of a phi whose other operands are known: the union of what comes in; for a counter
/// that cannot wrap, one side of its start; where what comes back is not known, what holds by
/// induction: numbers that begin non-negative stay so if each is computed from another in a way
/// that leaves them so, and are then in the range of what that computes.
pub fn phi(func: &Function, inst: Inst, mut known: impl FnMut(Value) -> Range) -> Option<Range> {
    let ty = func.insts[inst].ty;
    let result = func.first_result(inst);
    let mut union: Option<Range> = None;
    let (mut up, mut down) = (false, false);
    for value in func.operands(inst).filter(|&v| v != result) {
        match step_of(func, value, result) {
            Some(step) if step >= 0 => up = true,
            Some(_) => down = true,
            None => {
                let range = known(value);
                union = Some(union.map_or(range, |u| u.union(range)));
            }
        }
    }
    let (start, full) = (union?, Range::full(ty));
    match (up, down) {
        (false, false) if start == full => by_induction(func, inst, known),
        (false, false) => Some(start.narrowed(ty)),
        (true, false) => Some(Range::signed(ty, start.smin, full.smax).narrowed(ty)),
        (false, true) => Some(Range::signed(ty, full.smin, start.smax).narrowed(ty)),
        (true, true) => None,
    }
}

/// The range of a phi that is never negative because none of its values leads to a negative one.
fn by_induction(func: &Function, inst: Inst, mut known: impl FnMut(Value) -> Range) -> Option<Range> {
    let (ty, result) = (func.insts[inst].ty, func.first_result(inst));
    let full = Range::full(ty);
    let mut start: Option<Range> = None;
    let mut back: SmallVec<[Value; MAX_BACK]> = SmallVec::new();
    let mut values: SmallVec<[Value; MAX_BACK]> = func.operands(inst).collect();
    let mut next = 0;
    while let Some(&value) = values.get(next) {
        next += 1;
        match known(value) {
            _ if value == result => {}
            range if range != full => start = Some(start.map_or(range, |s| s.union(range))),
            _ if values.len() > MAX_BACK => return None,
            _ => match func.def_with(value, Opcode::Phi) {
                // One of what comes into a phi in the loop.
                Some(phi) => values.extend(func.operands(phi).filter(|v| !values.contains(v)).collect::<Vec<_>>()),
                None => back.push(value),
            },
        }
    }
    let start = start.filter(Range::is_non_negative)?;
    let mut hypothesis = Range::signed(ty, 0, full.smax).narrowed(ty);
    for _ in 0..2 {
        let mut left = MAX_DEFINITIONS;
        let computed = back.iter().map(|&value| known_within(func, value, Some((result, hypothesis)), &mut left));
        let next = computed.fold(start, Range::union);
        if !next.is_non_negative() {
            return None;
        }
        hypothesis = next.narrowed(ty);
    }
    Some(hypothesis)
}

/// The constant that `value` is the counter plus, if that addition cannot wrap.
fn step_of(func: &Function, value: Value, counter: Value) -> Option<i64> {
    let mut inst = func.def_inst(value)?;
    if func.insts[inst].opcode == Opcode::Phi {
        // Left over where blocks were copied: one value from everywhere.
        let only = func.operands(inst).next().filter(|&first| func.operands(inst).all(|v| v == first))?;
        inst = func.def_inst(only)?;
    }
    let data = func.insts[inst];
    let adds = data.opcode == Opcode::Add && data.has(flags::NSW) && func.operand(inst, 0) == counter;
    adds.then(|| func.const_i64(func.operand(inst, 1))).flatten()
}
