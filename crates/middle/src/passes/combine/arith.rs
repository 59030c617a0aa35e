//! Integer arithmetic and bit operations on scalars.

use ir::{Inst, Opcode, Type, Value, flags};

use super::{Combiner, Rewrite, booleans, halves, select_bits};

/// Applies the rules of this file.
pub(super) fn visit(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    if data.ty.is_vector() {
        return None;
    }
    let (a, b) = (cx.func.operand(inst, 0), cx.func.operand(inst, 1));
    if data.opcode.is_commutative() && cx.func.constant(a).is_some() && cx.func.constant(b).is_none() {
        return cx.become_binary(inst, data.opcode, data.flags(), b, a);
    }
    if a == b
        && let Some(rewrite) = same_operands(cx, data.opcode, a)
    {
        return Some(rewrite);
    }
    if let Some(c) = cx.bits(b) {
        return with_constant(cx, inst, a, c);
    }
    // Shifted in any way, nothing but equal bits stays what it is.
    if let Some(bits) = cx.bits(a)
        && match data.opcode {
            Opcode::Shl | Opcode::LShr => bits == 0,
            Opcode::AShr | Opcode::Rotl | Opcode::Rotr => bits == 0 || bits == data.ty.mask(),
            _ => false,
        }
    {
        return Some(Rewrite::Value(a));
    }
    match data.opcode {
        Opcode::Add => add(cx, inst, a, b).or_else(|| select_bits::visit(cx, inst, a, b)),
        Opcode::Sub => sub(cx, inst, a, b),
        Opcode::Or | Opcode::Xor => rotate_idiom(cx, inst, a, b)
            .or_else(|| select_bits::visit(cx, inst, a, b))
            .or_else(|| booleans::widened(cx, inst, a, b))
            .or_else(|| booleans::comparisons(cx, inst, a, b)),
        Opcode::And => select_bits::visit(cx, inst, a, b)
            .or_else(|| booleans::widened(cx, inst, a, b))
            .or_else(|| booleans::comparisons(cx, inst, a, b)),
        _ => None,
    }
}

fn same_operands(cx: &mut Combiner<'_>, opcode: Opcode, a: Value) -> Option<Rewrite> {
    match opcode {
        Opcode::Sub | Opcode::Xor => Some(Rewrite::Value(cx.constant(a, 0))),
        Opcode::And | Opcode::Or | Opcode::SMin | Opcode::SMax | Opcode::UMin | Opcode::UMax => Some(Rewrite::Value(a)),
        _ => None,
    }
}

fn with_constant(cx: &mut Combiner<'_>, inst: Inst, a: Value, c: u128) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    let ty = data.ty;
    let ones = ty.mask();
    match (data.opcode, c) {
        (
            Opcode::Add
            | Opcode::Sub
            | Opcode::Or
            | Opcode::Xor
            | Opcode::Shl
            | Opcode::LShr
            | Opcode::AShr
            | Opcode::Rotl
            | Opcode::Rotr,
            0,
        ) => return Some(Rewrite::Value(a)),
        (Opcode::Mul, 1) => return Some(Rewrite::Value(a)),
        (Opcode::Mul | Opcode::And, 0) => return Some(Rewrite::Value(cx.constant(a, 0))),
        (Opcode::And, c) if c == ones => return Some(Rewrite::Value(a)),
        (Opcode::Or, c) if c == ones => return Some(Rewrite::Value(cx.constant(a, ones))),
        (Opcode::Sub, c) => {
            let negated = cx.constant(a, c.wrapping_neg());
            // x - MIN has no signed-overflow-free counterpart.
            let keep = if c == 1 << (ty.bits() - 1) { 0 } else { data.flags() & flags::NSW };
            return cx.become_binary(inst, Opcode::Add, keep, a, negated);
        }
        _ => {}
    }
    match data.opcode {
        Opcode::Add => add_constant(cx, inst, a, c),
        Opcode::Mul => mul_constant(cx, inst, a, c),
        Opcode::And => and_constant(cx, inst, a, c),
        Opcode::Or => or_constant(cx, inst, a, c),
        Opcode::Xor => xor_constant(cx, inst, a, c),
        Opcode::Shl | Opcode::LShr | Opcode::AShr => shift_constant(cx, inst, a, c),
        _ => None,
    }
}

fn add_constant(cx: &mut Combiner<'_>, inst: Inst, a: Value, c: u128) -> Option<Rewrite> {
    // (x + c1) + c2
    if let Some((x, c1)) = cx.binary_const(a, Opcode::Add) {
        let inner = cx.func.insts[cx.func.def_inst(a)?];
        let ty = cx.ty(a);
        let both_nsw = inner.flags() & cx.func.insts[inst].flags() & flags::NSW;
        let (_, overflows) = ir::fold::overflow(Opcode::SAddOverflow, ty, c1, c)?;
        let same_sign = (ir::fold::sign_extend(ty, c1) < 0) == (ir::fold::sign_extend(ty, c) < 0);
        let keep = if !overflows && same_sign { both_nsw } else { 0 };
        let sum = cx.constant(a, c1.wrapping_add(c));
        return cx.become_binary(inst, Opcode::Add, keep, x, sum);
    }
    // (c1 - x) + c2
    if let Some((k, x)) = cx.binary(a, Opcode::Sub)
        && let Some(c1) = cx.bits(k)
    {
        let sum = cx.constant(a, c1.wrapping_add(c));
        return cx.become_binary(inst, Opcode::Sub, 0, sum, x);
    }
    None
}

fn mul_constant(cx: &mut Combiner<'_>, inst: Inst, a: Value, c: u128) -> Option<Rewrite> {
    let ty = cx.ty(a);
    if c == ty.mask() {
        let zero = cx.constant(a, 0);
        return cx.become_binary(inst, Opcode::Sub, cx.func.insts[inst].flags() & flags::NSW, zero, a);
    }
    if c.is_power_of_two() {
        let top = c == 1 << (ty.bits() - 1);
        let keep = if top { 0 } else { cx.func.insts[inst].flags() & (flags::NSW | flags::NUW) };
        let amount = cx.constant(a, c.trailing_zeros() as u128);
        return cx.become_binary(inst, Opcode::Shl, keep, a, amount);
    }
    if let Some((x, c1)) = cx.binary_const(a, Opcode::Mul) {
        let product = cx.constant(a, c1.wrapping_mul(c));
        return cx.become_binary(inst, Opcode::Mul, 0, x, product);
    }
    if let Some((x, k)) = cx.binary_const(a, Opcode::Shl)
        && k < ty.bits() as u128
    {
        let product = cx.constant(a, c << k);
        return cx.become_binary(inst, Opcode::Mul, 0, x, product);
    }
    distribute_over_add(cx, inst, a, Opcode::Mul, c)
}

/// `(x + c1) op c` as `(x op c) + (c1 op c)` for multiplication and left shift, so that constants
/// gather at the outside.
fn distribute_over_add(cx: &mut Combiner<'_>, inst: Inst, a: Value, opcode: Opcode, c: u128) -> Option<Rewrite> {
    let (x, c1) = cx.binary_const(a, Opcode::Add)?;
    if !cx.one_use(a) {
        return None;
    }
    let ty = cx.ty(a);
    let by = cx.constant(a, c);
    let scaled = cx.builder(inst).binary(opcode, x, by);
    let constant = ir::fold::binary(opcode, ty, c1, c)?;
    let constant = cx.constant(a, constant);
    cx.become_binary(inst, Opcode::Add, 0, scaled, constant)
}

fn and_constant(cx: &mut Combiner<'_>, inst: Inst, a: Value, c: u128) -> Option<Rewrite> {
    if let Some((x, c1)) = cx.binary_const(a, Opcode::And) {
        let both = cx.constant(a, c1 & c);
        return cx.become_binary(inst, Opcode::And, 0, x, both);
    }
    // The unknown value may as well be 0, if nobody else sees it.
    if cx.func.def_inst(a).is_some_and(|i| cx.func.insts[i].opcode == Opcode::Undef) && cx.one_use(a) {
        return Some(Rewrite::Value(cx.constant(a, 0)));
    }
    // The mask keeps every bit that can be set.
    let zero = cx.known(a).zero;
    if zero | c == cx.ty(a).mask() {
        return Some(Rewrite::Value(a));
    }
    if zero & c == c {
        return Some(Rewrite::Value(cx.constant(a, 0)));
    }
    // A sign extension whose copies are masked off is a zero extension.
    if let Some(x) = cx.unary(a, Opcode::SExt)
        && c & !cx.ty(x).mask() == 0
        && cx.one_use(a)
    {
        let ty = cx.ty(a);
        let wide = cx.builder(inst).unary(Opcode::ZExt, ty, x);
        let mask = cx.constant(a, c);
        return cx.become_binary(inst, Opcode::And, 0, wide, mask);
    }
    None
}

fn or_constant(cx: &mut Combiner<'_>, inst: Inst, a: Value, c: u128) -> Option<Rewrite> {
    if let Some((x, c1)) = cx.binary_const(a, Opcode::Or) {
        let both = cx.constant(a, c1 | c);
        return cx.become_binary(inst, Opcode::Or, 0, x, both);
    }
    // Bits that are zero are set as they are changed.
    if let Some((x, c1)) = cx.binary_const(a, Opcode::Xor)
        && c1 & c == 0
        && cx.one_use(a)
        && cx.known(x).zero & c == c
    {
        let both = cx.constant(a, c1 | c);
        return cx.become_binary(inst, Opcode::Xor, 0, x, both);
    }
    None
}

fn xor_constant(cx: &mut Combiner<'_>, inst: Inst, a: Value, c: u128) -> Option<Rewrite> {
    if let Some((x, c1)) = cx.binary_const(a, Opcode::Xor) {
        let both = cx.constant(a, c1 ^ c);
        return cx.become_binary(inst, Opcode::Xor, 0, x, both);
    }
    if let Some(rewrite) = booleans::widened_with_constant(cx, inst, a, c) {
        return Some(rewrite);
    }
    // not (a < b)
    if cx.ty(a) == Type::I1
        && c == 1
        && let Some((compare, data)) = cx.def(a, Opcode::ICmp)
        && cx.one_use(a)
    {
        let cc = data.int_cc().inverse();
        let (x, y) = (cx.func.operand(compare, 0), cx.func.operand(compare, 1));
        return cx.become_icmp(inst, cc, x, y);
    }
    None
}

fn shift_constant(cx: &mut Combiner<'_>, inst: Inst, a: Value, c: u128) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    let bits = data.ty.bits() as u128;
    if c >= bits {
        return None;
    }
    // (x op c1) op c
    if let Some((x, c1)) = cx.binary_const(a, data.opcode)
        && c1 < bits
    {
        let total = c1 + c;
        if total >= bits {
            if data.opcode == Opcode::AShr {
                let amount = cx.constant(a, bits - 1);
                return cx.become_binary(inst, Opcode::AShr, 0, x, amount);
            }
            return Some(Rewrite::Value(cx.constant(a, 0)));
        }
        let amount = cx.constant(a, total);
        return cx.become_binary(inst, data.opcode, 0, x, amount);
    }
    if matches!(data.opcode, Opcode::LShr | Opcode::AShr)
        && let Some(rewrite) = halves::shifted_right(cx, inst, a, c)
    {
        return Some(rewrite);
    }
    if let Some(rewrite) = shift_of_constant_bits(cx, inst, a, c) {
        return Some(rewrite);
    }
    match data.opcode {
        // (x << c) >> c keeps the low bits
        Opcode::LShr => {
            let (x, c1) = cx.binary_const(a, Opcode::Shl)?;
            if c1 != c {
                return None;
            }
            let mask = cx.constant(a, data.ty.mask() >> c);
            cx.become_binary(inst, Opcode::And, 0, x, mask)
        }
        // (x >> c) << c clears the low bits
        Opcode::Shl => {
            for shift in [Opcode::LShr, Opcode::AShr] {
                if let Some((x, c1)) = cx.binary_const(a, shift)
                    && c1 == c
                {
                    let mask = cx.constant(a, data.ty.mask() << c);
                    return cx.become_binary(inst, Opcode::And, 0, x, mask);
                }
            }
            distribute_over_add(cx, inst, a, Opcode::Shl, c)
        }
        _ => None,
    }
}

/// `(x op c1) >> c` as `(x >> c) op (c1 >> c)` for bit operations: constants gather at the outside,
/// where the bits that the shift made zero show.
fn shift_of_constant_bits(cx: &mut Combiner<'_>, inst: Inst, a: Value, c: u128) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    if !matches!(data.opcode, Opcode::LShr | Opcode::AShr) || !cx.one_use(a) {
        return None;
    }
    let (opcode, (x, c1)) =
        [Opcode::And, Opcode::Or, Opcode::Xor].into_iter().find_map(|o| Some((o, cx.binary_const(a, o)?)))?;
    let shifted = ir::fold::binary(data.opcode, data.ty, c1, c)?;
    // A mask that fits an instruction must not become one that does not.
    let fits = |bits: u128| i32::try_from(ir::fold::sign_extend(data.ty, bits)).is_ok();
    if data.ty.bits() > 32 && !fits(shifted) && fits(c1) {
        return None;
    }
    let amount = cx.constant(a, c);
    let x = cx.builder(inst).binary(data.opcode, x, amount);
    let bits = cx.constant(a, shifted);
    cx.become_binary(inst, opcode, 0, x, bits)
}

fn add(cx: &mut Combiner<'_>, inst: Inst, a: Value, b: Value) -> Option<Rewrite> {
    for (x, y) in [(a, b), (b, a)] {
        // x + (0 - z), x + (z - x)
        if let Some((m, z)) = cx.binary(y, Opcode::Sub) {
            if cx.bits(m) == Some(0) {
                return cx.become_binary(inst, Opcode::Sub, 0, x, z);
            }
            if z == x {
                return Some(Rewrite::Value(m));
            }
        }
        // x + (z + c): the constant goes outside
        if let Some((z, c)) = cx.binary_const(y, Opcode::Add)
            && cx.one_use(y)
            && cx.func.constant(x).is_none()
        {
            let sum = cx.builder(inst).binary(Opcode::Add, x, z);
            let c = cx.constant(y, c);
            return cx.become_binary(inst, Opcode::Add, 0, sum, c);
        }
    }
    None
}

fn sub(cx: &mut Combiner<'_>, inst: Inst, a: Value, b: Value) -> Option<Rewrite> {
    // (x + y) - x
    if let Some((x, y)) = cx.binary(a, Opcode::Add) {
        if x == b {
            return Some(Rewrite::Value(y));
        }
        if y == b {
            return Some(Rewrite::Value(x));
        }
    }
    // x - (0 - y)
    if let Some((m, y)) = cx.binary(b, Opcode::Sub)
        && cx.bits(m) == Some(0)
    {
        return cx.become_binary(inst, Opcode::Add, 0, a, y);
    }
    // x - (y + c)
    if let Some((y, c)) = cx.binary_const(b, Opcode::Add)
        && cx.one_use(b)
    {
        let difference = cx.builder(inst).binary(Opcode::Sub, a, y);
        let c = cx.constant(b, c.wrapping_neg());
        return cx.become_binary(inst, Opcode::Add, 0, difference, c);
    }
    // ptrtoint(p + i) - ptrtoint(p)
    let (x, y) = (cx.unary(a, Opcode::PtrToInt)?, cx.unary(b, Opcode::PtrToInt)?);
    let (base, offset) = cx.binary(x, Opcode::PtrAdd)?;
    (base == y).then_some(Rewrite::Value(offset))
}

/// `x << n | x >> (width - n)` with constants or with the amount masked as C programs write it.
fn rotate_idiom(cx: &mut Combiner<'_>, inst: Inst, a: Value, b: Value) -> Option<Rewrite> {
    let bits = cx.ty(a).bits() as u128;
    for (left, right) in [(a, b), (b, a)] {
        let (Some((x, n)), Some((y, m))) = (cx.binary(left, Opcode::Shl), cx.binary(right, Opcode::LShr)) else {
            continue;
        };
        if x != y {
            continue;
        }
        if let (Some(n), Some(m)) = (cx.bits(n), cx.bits(m)) {
            if n + m == bits && n != 0 && m != 0 {
                let amount = cx.constant(x, n);
                return cx.become_binary(inst, Opcode::Rotl, 0, x, amount);
            }
            continue;
        }
        // With amounts of the width or more the shifts were unspecified, so these are rotations for
        // every defined amount.
        if is_complement(cx, n, m, bits) {
            return cx.become_binary(inst, Opcode::Rotl, 0, x, n);
        }
        if is_complement(cx, m, n, bits) {
            return cx.become_binary(inst, Opcode::Rotr, 0, x, m);
        }
    }
    None
}

/// Whether `m` is `bits - n`, or `(bits - n) & (bits - 1)`, or `-n & (bits - 1)`.
fn is_complement(cx: &Combiner<'_>, n: Value, m: Value, bits: u128) -> bool {
    let strip = |v: Value| match cx.binary_const(v, Opcode::And) {
        Some((x, c)) if c == bits - 1 => (x, true),
        _ => (v, false),
    };
    let (inner, masked) = strip(m);
    let Some((k, x)) = cx.binary(inner, Opcode::Sub) else { return false };
    let Some(k) = cx.bits(k) else { return false };
    let same = x == n || strip(n).0 == x || strip(x).0 == n;
    same && (k == bits || (masked && k % bits == 0))
}
