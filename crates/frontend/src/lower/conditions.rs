//! Conditions as control flow: `&&`, `||`, `!` and comparisons become branches, never values, where
//! a branch is wanted.

use ir::{Block, BranchHint, FloatCc, InstView, IntCc, Opcode, Type, Value, ValueDef};
use smallvec::SmallVec;

use super::function::Fx;
use super::operators;
use super::place::Rvalue;
use super::{bit_int, decimal, expressions};
use crate::tree::*;

/// The truth of a condition that needs no evaluation.
pub fn constant(e: ExprRef<'_>) -> Option<bool> {
    let (e, negated) = peel(e);
    let holds = match e.kind {
        ExprKind::Int(bits) => bits.get() != 0,
        // `0 && x` and `1 || x`: the right side is not evaluated.
        ExprKind::Logical { and, lhs, .. } => match peel(lhs) {
            (Expr { kind: ExprKind::Int(bits), .. }, inner) if ((bits.get() != 0) != inner) != and => !and,
            _ => return None,
        },
        _ => return None,
    };
    Some(holds != negated)
}

/// Whether an expression is itself a truth value made of comparisons and logical operators.
pub fn is_condition(e: ExprRef<'_>) -> bool {
    match e.kind {
        ExprKind::Logical { .. } | ExprKind::Unary { op: UnaryOp::LogicalNot, .. } => true,
        ExprKind::Binary { op, .. } => op.is_comparison() && is_int(e),
        _ => false,
    }
}

/// Comparisons of vectors have vector results.
fn is_int(e: ExprRef<'_>) -> bool {
    e.ty.ty() == Ty::INT || e.ty.ty() == Ty::BOOL
}

/// What a condition is after everything that only converts truth values has been looked through.
fn peel<'a>(mut e: ExprRef<'a>) -> (ExprRef<'a>, bool) {
    let mut negated = false;
    loop {
        match e.kind {
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => {
                negated = !negated;
                e = operand;
            }
            ExprKind::Cast { kind: CastKind::ToBool, operand } => e = operand,
            // Widening keeps zero and nonzero.
            ExprKind::Cast { kind: CastKind::Integral, operand }
                if is_condition(operand) || operand.ty.ty() == Ty::BOOL =>
            {
                e = operand;
            }
            _ => return (e, negated),
        }
    }
}

/// Branches to `yes` if the condition holds, else to `no`.
pub fn branch(fx: &mut Fx<'_, '_>, cond: ExprRef<'_>, yes: Block, no: Block, hint: BranchHint) {
    if !fx.live {
        return;
    }
    if !fx.descend() {
        fx.ascend();
        return fx.br(no);
    }
    branch_inner(fx, cond, yes, no, hint);
    fx.ascend();
}

fn branch_inner(fx: &mut Fx<'_, '_>, cond: ExprRef<'_>, mut yes: Block, mut no: Block, mut hint: BranchHint) {
    let (e, negated) = peel(cond);
    if negated {
        (yes, no) = (no, yes);
        hint = hint.inverted();
    }
    match e.kind {
        ExprKind::Int(bits) => fx.br(if bits.get() != 0 { yes } else { no }),
        ExprKind::Logical { and, .. } => branch_chain(fx, e, and, yes, no),
        ExprKind::Comma { lhs, rhs } => {
            expressions::effect(fx, lhs);
            branch(fx, rhs, yes, no, hint);
        }
        ExprKind::Conditional { cond, then, els } => {
            let (first, second) = (fx.new_block(), fx.new_block());
            branch(fx, cond, first, second, BranchHint::None);
            for (block, arm) in [(first, then), (second, els)] {
                fx.start(block);
                branch_on_value(fx, arm, yes, no);
            }
        }
        ExprKind::Builtin { builtin: Builtin::Expect | Builtin::ExpectWithProbability, args } if is_constant(args) => {
            branch(fx, args[0], yes, no, expectation(args));
        }
        ExprKind::Cast { kind: CastKind::Integral, operand } => match unwrap_expect(operand) {
            Some(args) => branch(fx, args[0], yes, no, expectation(args)),
            None => branch_on_bit(fx, e, yes, no, hint),
        },
        _ => branch_on_bit(fx, e, yes, no, hint),
    }
}

fn branch_on_bit(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, yes: Block, no: Block, hint: BranchHint) {
    // A loop's condition is lowered after its body: what tests it is at its place all the same. The
    // test for zero of an operand is at the place of the operator, as in gcc.
    let outer_loc = fx.loc;
    let is_comparison = matches!(e.kind, ExprKind::Binary { op, .. } if op.is_comparison());
    fx.loc = match fx.places.operator.take() {
        Some(operator) if !is_comparison || fx.options.coverage.is_on() => operator,
        _ if e.loc.is_none() => outer_loc,
        _ => e.loc,
    };
    let bit = truth(fx, e);
    fx.cond_br(bit, yes, no, hint);
    fx.loc = outer_loc;
}

/// Branches on an operand that is not of type `_Bool` but is tested all the same.
fn branch_on_value(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, yes: Block, no: Block) {
    branch(fx, e, yes, no, BranchHint::None);
}

fn unwrap_expect<'a>(e: ExprRef<'a>) -> Option<&'a [ExprRef<'a>]> {
    match e.kind {
        ExprKind::Builtin { builtin: Builtin::Expect, args } if is_constant(args) => Some(args),
        _ => None,
    }
}

/// The expected value needs no evaluation.
fn is_constant(args: &[ExprRef<'_>]) -> bool {
    args.get(1).is_some_and(|e| e.int_value().is_some())
}

/// The hint of `__builtin_expect(value, expected)`.
fn expectation(args: &[ExprRef<'_>]) -> BranchHint {
    // Below an even chance nothing is said.
    const LIKELY: f64 = 0.75;
    if let Some(probability) = args.get(2)
        && let ExprKind::Float(bits) = probability.kind
        && f64::from_bits(bits.get() as u64) < LIKELY
    {
        return BranchHint::None;
    }
    match args.get(1).and_then(|e| e.int_value()) {
        Some(0) => BranchHint::Unlikely,
        Some(_) => BranchHint::Likely,
        None => BranchHint::None,
    }
}

/// `a && b && c`: nested to the left, walked from the innermost.
fn branch_chain(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, and: bool, yes: Block, no: Block) {
    let mut rest: SmallVec<[(ExprRef<'_>, base::Loc); 8]> = SmallVec::new();
    let mut cur = e;
    loop {
        let (inner, negated) = peel(cur);
        match inner.kind {
            ExprKind::Logical { and: same, lhs, rhs } if same == and && !negated => {
                rest.push((rhs, inner.loc));
                cur = lhs;
            }
            _ => break,
        }
    }
    while let Some((next, operator)) = rest.pop() {
        let go_on = fx.new_block();
        if and {
            branch(fx, cur, go_on, no, BranchHint::None);
        } else {
            branch(fx, cur, yes, go_on, BranchHint::None);
        }
        fx.start(go_on);
        fx.places.operator = Some(operator).filter(|loc| !loc.is_none());
        cur = next;
    }
    branch(fx, cur, yes, no, BranchHint::None);
    fx.places.operator = None;
}

/// The truth of an expression as an i1.
pub fn truth(fx: &mut Fx<'_, '_>, cond: ExprRef<'_>) -> Value {
    if !fx.live {
        return fx.iconst(Type::I1, 0);
    }
    if let Some(holds) = constant(cond) {
        return fx.iconst(Type::I1, holds as i64);
    }
    let (e, negated) = peel(cond);
    let bit = match e.kind {
        ExprKind::Binary { op, lhs, rhs } if op.is_comparison() && is_int(e) => {
            let a = expressions::rvalue(fx, lhs);
            let b = expressions::rvalue(fx, rhs);
            return operators::compare(fx, op, lhs.ty.ty(), a, b, negated);
        }
        ExprKind::Logical { .. } => logical_value(fx, e),
        ExprKind::Int(bits) => fx.iconst(Type::I1, (bits.get() != 0) as i64),
        _ => {
            let value = expressions::rvalue(fx, e);
            nonzero_of(fx, value, e.ty.ty())
        }
    };
    if negated { not(fx, bit) } else { bit }
}

/// The other truth value.
pub fn not(fx: &mut Fx<'_, '_>, bit: Value) -> Value {
    fx.int_op_imm(Opcode::Xor, 0, bit, 1)
}

/// A logical expression as a value: through a slot.
fn logical_value(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) -> Value {
    let (yes, no, end) = (fx.new_block(), fx.new_block(), fx.new_block());
    let slot = fx.temp(1, 1);
    branch(fx, e, yes, no, BranchHint::None);
    for (block, value) in [(yes, 1), (no, 0)] {
        fx.start(block);
        if fx.live {
            let value = fx.iconst(Type::I8, value);
            fx.store(value, slot, ir::AliasTags::any());
        }
        fx.br(end);
    }
    fx.start(end);
    if !fx.live {
        return fx.iconst(Type::I1, 0);
    }
    let byte = fx.load(Type::I8, slot, ir::AliasTags::any());
    fx.icmp_imm(IntCc::Ne, byte, 0)
}

/// Whether a value of type `ty` compares unequal to zero.
pub fn nonzero_of(fx: &mut Fx<'_, '_>, value: Rvalue, ty: Ty) -> Value {
    match (fx.types().decimal_format(ty), value) {
        (_, Rvalue::Memory(place)) if bit_int::is_wide(fx, ty) => bit_int::nonzero(fx, place, ty),
        // Zero has an encoding for each exponent and sign.
        (Some(format), Rvalue::Scalar(v)) => decimal::nonzero(fx, format, v),
        _ => nonzero(fx, value),
    }
}

/// Whether a value that is not decimal compares unequal to zero.
pub fn nonzero(fx: &mut Fx<'_, '_>, value: Rvalue) -> Value {
    match value {
        Rvalue::Scalar(v) => scalar_nonzero(fx, v),
        Rvalue::Complex(re, im) => {
            let (a, b) = (scalar_nonzero(fx, re), scalar_nonzero(fx, im));
            fx.int_op(Opcode::Or, 0, a, b)
        }
        Rvalue::Memory(_) => {
            fx.not_supported("the truth of a value of this type");
            fx.iconst(Type::I1, 0)
        }
        Rvalue::Void => fx.iconst(Type::I1, 0),
    }
}

fn scalar_nonzero(fx: &mut Fx<'_, '_>, value: Value) -> Value {
    let ty = fx.ty(value);
    if ty == Type::I1 {
        return value;
    }
    if ty.is_float() {
        let (value, ty) = if ty == Type::F16 { (fx.float_cast(value, Type::F32), Type::F32) } else { (value, ty) };
        let zero = fx.zero(ty);
        return fx.fcmp(FloatCc::Une, false, value, zero);
    }
    if fx.func.const_symbol(value).is_some_and(|(symbol, _)| is_never_null(fx, symbol)) {
        return fx.iconst(Type::I1, 1);
    }
    if let ValueDef::Result(inst, 0) = fx.func.value_def(value)
        && let InstView::Unary { op: Opcode::ZExt, a: source, .. } = fx.func.view(inst)
        && fx.ty(source) == Type::I1
    {
        return source;
    }
    fx.icmp_imm(IntCc::Ne, value, 0)
}

/// The address of anything but a weak symbol is not null.
fn is_never_null(fx: &Fx<'_, '_>, symbol: ir::SymbolId) -> bool {
    fx.state.module.symbols[symbol].linkage == ir::Linkage::Local
}
