//! Expressions: dispatch over the node kinds.
//!
//! Left-deep chains (`a + b + c ...`, casts, pointer arithmetic, commas) are walked by loops, since
//! the parser builds them without recursion; everything else recurses within the parser's nesting
//! limit. In dead code nothing is lowered: the answer is a constant of the right type.

use ir::{AliasTags, Intrinsic, Opcode, Type, Value, flags};
use platform::options::Sanitizers;
use smallvec::SmallVec;

use super::function::Fx;
use super::place::{Place, Rvalue};
use super::sanitize::memory::Purpose;
use super::shapes::{Shape, shape};
use super::{
    asm, assign, atomics, bit_int, builtins, calls, complex, conditions, conversions, lvalues, operators, sanitize,
    scopes, statements, varargs, vectors,
};
use crate::tree::*;

/// The value of an expression.
pub fn rvalue(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) -> Rvalue {
    if !fx.live {
        return dummy(fx, e.ty.ty());
    }
    if !fx.descend() {
        fx.ascend();
        return dummy(fx, e.ty.ty());
    }
    let mut spine: SmallVec<[ExprRef<'_>; 16]> = SmallVec::new();
    let mut cur = e;
    while let Some(next) = spine_child(cur) {
        spine.push(cur);
        cur = next;
    }
    let outer_loc = fx.loc;
    let value_loc = fx.places.value.take();
    if !cur.loc.is_none() {
        fx.loc = cur.loc;
    }
    if let (Some(loc), true) = (value_loc, spine.is_empty()) {
        fx.loc = loc;
        if matches!(cur.kind, ExprKind::Cast { kind: CastKind::LvalueToRvalue | CastKind::ArrayToPointer, .. }) {
            fx.places.value = value_loc;
        }
    }
    let mut value = leaf(fx, cur);
    fx.places.value = None;
    while let Some(node) = spine.pop() {
        fx.loc = match value_loc {
            Some(loc) if spine.is_empty() => loc,
            _ if node.loc.is_none() => fx.loc,
            _ => node.loc,
        };
        value = apply(fx, node, value);
    }
    fx.loc = outer_loc;
    fx.ascend();
    value
}

/// The operand that is evaluated first, of the operators whose left-deep chains are walked by a
/// loop.
fn spine_child<'a>(e: ExprRef<'a>) -> Option<ExprRef<'a>> {
    match e.kind {
        ExprKind::Binary { lhs, .. } => Some(lhs),
        ExprKind::PtrAdd { ptr, .. } => Some(ptr),
        ExprKind::Unary { op: UnaryOp::Neg | UnaryOp::Not, operand } => Some(operand),
        ExprKind::Cast { kind, operand } => match kind {
            CastKind::LvalueToRvalue | CastKind::ArrayToPointer | CastKind::FunctionToPointer | CastKind::ToVoid => {
                None
            }
            CastKind::ToBool if conditions::is_condition(operand) => None,
            CastKind::NoOp if operand.is_lvalue() || operand.cat == Category::Function => None,
            _ => Some(operand),
        },
        _ => None,
    }
}

fn apply(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, value: Rvalue) -> Rvalue {
    match e.kind {
        ExprKind::Binary { op, lhs, rhs } => operators::binary(fx, e, op, lhs, value, rhs),
        ExprKind::Unary { op, operand } => operators::unary(fx, e, op, operand.ty.ty(), value),
        ExprKind::Cast { kind, operand } => {
            fx.source_is_variable = is_variable_value(operand);
            conversions::cast(fx, kind, value, operand.ty.ty(), e.ty.ty())
        }
        ExprKind::PtrAdd { index, size, negate, .. } => {
            let Rvalue::Scalar(ptr) = value else { return value };
            let mut offset = element_offset(fx, index, size);
            if negate {
                offset = fx.int_neg(offset, 0);
            }
            let loc = sanitize::place_of(fx, e);
            sanitize::memory::check_sum(fx, ptr, offset, loc);
            Rvalue::Scalar(fx.ptradd(ptr, offset))
        }
        _ => value,
    }
}

/// The value of a variable as it stands.
fn is_variable_value(e: ExprRef<'_>) -> bool {
    matches!(e.kind, ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand } if operand.decl().is_some())
}

/// `index * size` as i64.
fn element_offset(fx: &mut Fx<'_, '_>, index: ExprRef<'_>, size: ElementSize<'_>) -> Value {
    let signed = fx.types().is_signed(index.ty.ty());
    let index = scalar(fx, index);
    let index = fx.int_cast(index, Type::I64, signed);
    scaled(fx, index, size)
}

/// An i64 index times the size of an element.
pub fn scaled(fx: &mut Fx<'_, '_>, index: Value, size: ElementSize<'_>) -> Value {
    match size {
        ElementSize::Constant(size) => scale(fx, index, size),
        ElementSize::Variable(size) => {
            let size = scalar(fx, size);
            fx.int_op(Opcode::Mul, 0, index, size)
        }
    }
}

/// `index * size`, a shift for powers of two.
pub fn scale(fx: &mut Fx<'_, '_>, index: Value, size: u64) -> Value {
    let wraps = fx.options.codegen.wrapv_pointer || sanitize::on(fx, platform::options::Sanitizers::POINTER_OVERFLOW);
    let flags = if wraps { 0 } else { flags::NSW };
    if size.is_power_of_two() {
        return fx.int_op_imm(Opcode::Shl, flags, index, size.trailing_zeros() as i64);
    }
    fx.int_op_imm(Opcode::Mul, flags, index, size as i64)
}

/// The value of an expression of scalar type.
pub fn scalar(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) -> Value {
    match rvalue(fx, e) {
        Rvalue::Scalar(value) => value,
        Rvalue::Memory(_) if bit_int::is_wide(fx, e.ty.ty()) => {
            fx.not_supported("a '_BitInt' of more than 128 bits in this place");
            fx.iconst(Type::I64, 0)
        }
        Rvalue::Memory(place) => fx.address(place),
        Rvalue::Complex(re, _) => re,
        Rvalue::Void => fx.iconst(Type::I64, 0),
    }
}

/// A value for code that never runs.
pub fn dummy(fx: &mut Fx<'_, '_>, ty: Ty) -> Rvalue {
    match shape(fx.types(), ty) {
        Shape::Void => Rvalue::Void,
        Shape::Scalar(ty) => Rvalue::Scalar(fx.zero(ty)),
        Shape::Complex(ty) => {
            let zero = fx.zero(ty);
            Rvalue::Complex(zero, zero)
        }
        Shape::Memory => Rvalue::Memory(Place::new(fx.iconst(Type::PTR, 0), 1)),
    }
}

fn leaf(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) -> Rvalue {
    match e.kind {
        ExprKind::Error => base::bug!("an expression with an error reached lowering"),
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Complex(_) => constant(fx, e),
        ExprKind::Wide(limbs) => bit_int::constant(fx, limbs),
        ExprKind::Opaque(id) => match fx.opaques[cranelift_entity::EntityRef::index(id)] {
            Some(value) => value,
            None => base::bug!("an opaque value is used outside its binding"),
        },
        ExprKind::Cast { kind, operand } => leaf_cast(fx, e, kind, operand),
        ExprKind::AddrOf(operand) if operand.cat == Category::Function => {
            Rvalue::Scalar(lvalues::function_address(fx, operand))
        }
        ExprKind::AddrOf(operand) => {
            sanitize::memory::announce(fx, Purpose::Address, e.loc);
            let place = lvalues::place(fx, operand);
            let address = fx.pointer(place);
            Rvalue::Scalar(builtins::objects::noted_address(fx, operand, address))
        }
        ExprKind::LabelAddr(label) => Rvalue::Scalar(statements::label_address(fx, label)),
        ExprKind::PtrDiff { lhs, rhs, size } => Rvalue::Scalar(pointer_difference(fx, lhs, rhs, size)),
        ExprKind::Unary { op: UnaryOp::LogicalNot, .. } | ExprKind::Logical { .. } => {
            let bit = conditions::truth(fx, e);
            let ty = fx.scalar_type(e.ty.ty());
            Rvalue::Scalar(fx.int_cast(bit, ty, false))
        }
        ExprKind::Unary { op, operand } => complex_part(fx, e, op, operand),
        ExprKind::Conditional { cond, then, els } => conditional(fx, e, cond, then, els),
        ExprKind::ConditionalOmitted { common, opaque, cond, then, els } => {
            let value = rvalue(fx, common);
            bind(fx, opaque, value);
            conditional(fx, e, cond, then, els)
        }
        ExprKind::Assign { lhs, rhs } => assign::assign(fx, lhs, rhs),
        ExprKind::Update(update) => assign::update(fx, update),
        ExprKind::Comma { .. } => comma(fx, e),
        ExprKind::Call { callee, args } => calls::call(fx, e, callee, args, None),
        ExprKind::Builtin { builtin, args } => builtins::lower(fx, e, builtin, args),
        ExprKind::Atomic(atomic) => atomics::lower(fx, e, atomic),
        ExprKind::Overflow(overflow) => builtins::overflow::lower(fx, overflow),
        ExprKind::VaArg { ap } => varargs::va_arg(fx, ap, e.ty.ty()),
        ExprKind::VectorElement { base, index } if !e.is_lvalue() => vectors::element(fx, e, base, index),
        ExprKind::Shuffle { a, b, mask } => vectors::shuffle(fx, e, a, b, mask),
        ExprKind::VectorBuild(lanes) => vectors::build(fx, e, lanes),
        ExprKind::ComplexBuild { re, im } => {
            let re = scalar(fx, re);
            let im = scalar(fx, im);
            Rvalue::Complex(re, im)
        }
        ExprKind::StmtExpr { body, result } => statement_expression(fx, e, body, result),
        ExprKind::WithBounds { bounds, value } => {
            statements::lower_bounds(fx, bounds);
            rvalue(fx, value)
        }
        ExprKind::VlaLen(vla) => Rvalue::Scalar(vla_len(fx, vla)),
        ExprKind::Decl(decl) if fx.unit.decls[decl].kind == DeclKind::EnumConstant => {
            let ty = fx.scalar_type(e.ty.ty());
            Rvalue::Scalar(fx.func.bits_const(ty, fx.unit.decls[decl].value.get()))
        }
        ExprKind::Decl(_) | ExprKind::Deref(_) if e.cat == Category::Function => {
            Rvalue::Scalar(lvalues::function_address(fx, e))
        }
        // The member's own type says its storage order.
        ExprKind::Member { record, field, .. } => {
            let reversed = fx.types().is_reversed(fx.types().records[record].field(field).ty.ty());
            let ty = if reversed { fx.types().records[record].field(field).ty.with(e.ty.quals()) } else { e.ty };
            let lvalue = lvalues::lower(fx, e);
            lvalues::read(fx, lvalue, ty)
        }
        // Members of rvalues, and lvalues that stand for their object's value.
        ExprKind::String(_)
        | ExprKind::Decl(_)
        | ExprKind::Deref(_)
        | ExprKind::VectorElement { .. }
        | ExprKind::CompoundLiteral { .. } => {
            let lvalue = lvalues::lower(fx, e);
            lvalues::read(fx, lvalue, e.ty)
        }
        ExprKind::Binary { .. } | ExprKind::PtrAdd { .. } => base::bug!("operators are lowered along the spine"),
    }
}

fn constant(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) -> Rvalue {
    let bits_of = |fx: &mut Fx<'_, '_>, ty: Type, bits: Bits128| fx.func.bits_const(ty, bits.get());
    match (e.kind, shape(fx.types(), e.ty.ty())) {
        (ExprKind::Int(bits) | ExprKind::Float(bits), Shape::Scalar(ty)) => Rvalue::Scalar(bits_of(fx, ty, bits)),
        (ExprKind::Complex(parts), Shape::Complex(ty)) => {
            let re = bits_of(fx, ty, parts[0]);
            Rvalue::Complex(re, bits_of(fx, ty, parts[1]))
        }
        (_, Shape::Memory) => {
            fx.not_supported("constants of this type");
            dummy(fx, e.ty.ty())
        }
        _ => Rvalue::Void,
    }
}

fn leaf_cast(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, kind: CastKind, operand: ExprRef<'_>) -> Rvalue {
    match kind {
        CastKind::LvalueToRvalue => {
            let loc = sanitize::values::access_place(fx, e, operand);
            sanitize::memory::announce(fx, Purpose::Load, loc);
            let lvalue = lvalues::lower(fx, operand);
            let value = lvalues::read(fx, lvalue, operand.ty);
            sanitize::values::truth_value(fx, e, operand, value);
            value
        }
        CastKind::ArrayToPointer => {
            if fx.access.is_none() {
                sanitize::memory::announce(fx, Purpose::Address, e.loc);
            }
            let place = lvalues::place(fx, operand);
            let address = fx.pointer(place);
            Rvalue::Scalar(builtins::objects::noted_address(fx, operand, address))
        }
        CastKind::FunctionToPointer => Rvalue::Scalar(lvalues::function_address(fx, operand)),
        CastKind::ToVoid => {
            effect(fx, operand);
            Rvalue::Void
        }
        CastKind::ToBool => {
            let bit = conditions::truth(fx, operand);
            Rvalue::Scalar(fx.int_cast(bit, Type::I8, false))
        }
        // A change of qualifiers on an lvalue.
        _ => {
            let lvalue = lvalues::lower(fx, operand);
            lvalues::read(fx, lvalue, e.ty)
        }
    }
}

fn complex_part(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, op: UnaryOp, operand: ExprRef<'_>) -> Rvalue {
    if e.is_lvalue() {
        let lvalue = lvalues::lower(fx, e);
        return lvalues::read(fx, lvalue, e.ty);
    }
    let value = rvalue(fx, operand);
    complex::part(fx, value, op == UnaryOp::Imag)
}

/// Names a value for use inside the binding node.
pub fn bind(fx: &mut Fx<'_, '_>, id: OpaqueId, value: Rvalue) {
    // (Bounds in parameter declarations are numbered before the function's own count begins.)
    let index = cranelift_entity::EntityRef::index(id);
    if index >= fx.opaques.len() {
        fx.opaques.resize(index + 1, None);
    }
    fx.opaques[index] = Some(value);
}

fn pointer_difference(fx: &mut Fx<'_, '_>, lhs: ExprRef<'_>, rhs: ExprRef<'_>, size: ElementSize<'_>) -> Value {
    let (a, b) = (scalar(fx, lhs), scalar(fx, rhs));
    sanitize::memory::check_pair(fx, Sanitizers::POINTER_SUBTRACT, Rvalue::Scalar(a), Rvalue::Scalar(b));
    let (a, b) = (fx.ptr_to_int(a), fx.ptr_to_int(b));
    let bytes = fx.int_op(Opcode::Sub, 0, a, b);
    match size {
        ElementSize::Constant(0) => bytes,
        ElementSize::Constant(size) if size.is_power_of_two() => {
            fx.int_op_imm(Opcode::AShr, flags::EXACT, bytes, size.trailing_zeros() as i64)
        }
        ElementSize::Constant(size) => fx.int_op_imm(Opcode::SDiv, flags::EXACT, bytes, size as i64),
        ElementSize::Variable(size) => {
            let size = scalar(fx, size);
            fx.int_op(Opcode::SDiv, flags::EXACT, bytes, size)
        }
    }
}

/// The count of a variable-length array: in its slot, or in an enclosing function's frame.
fn vla_len(fx: &mut Fx<'_, '_>, vla: VlaId) -> Value {
    let place = statements::vla_slot(fx, vla);
    fx.load(Type::I64, place, AliasTags::any())
}

/// `a, b, c`: nested to the left.
fn comma(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) -> Rvalue {
    let mut rest: SmallVec<[ExprRef<'_>; 8]> = SmallVec::new();
    let mut cur = e;
    while let ExprKind::Comma { lhs, rhs } = cur.kind {
        rest.push(rhs);
        cur = lhs;
    }
    while let Some(next) = rest.pop() {
        effect(fx, cur);
        cur = next;
    }
    rvalue(fx, cur)
}

/// `cond ? then : els` through a slot; a constant condition picks its arm.
fn conditional(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, cond: ExprRef<'_>, then: ExprRef<'_>, els: ExprRef<'_>) -> Rvalue {
    if let Some(holds) = conditions::constant(cond) {
        return rvalue(fx, if holds { then } else { els });
    }
    let (yes, no, end) = (fx.new_block(), fx.new_block(), fx.new_block());
    let ty = e.ty.ty();
    let place = match fx.types().layout(ty.into()) {
        Some(layout) if shape(fx.types(), ty) != Shape::Void => Some(fx.temp(layout.size, layout.align)),
        _ => None,
    };
    if fx.options.coverage.is_on() {
        fx.places.operator = Some(e.loc).filter(|loc| !loc.is_none());
    }
    conditions::branch(fx, cond, yes, no, ir::BranchHint::None);
    fx.places.operator = None;
    for (block, arm) in [(yes, then), (no, els)] {
        fx.start(block);
        match place {
            Some(place) => {
                if !matches!(arm.kind, ExprKind::Call { .. }) {
                    value_is_at(fx, e.loc, arm);
                }
                let at = sanitize::assigned_at(true, e.loc, arm);
                sanitize::whole_value(fx, at, arm, |fx| into(fx, arm, place, ty.into(), true));
            }
            None => effect(fx, arm),
        }
        fx.places.value = None;
        fx.br(end);
    }
    fx.start(end);
    match place {
        Some(place) => lvalues::load(fx, place, ty.into()),
        None => Rvalue::Void,
    }
}

/// For coverage the value of `e`, the next to be lowered, is computed at `loc`: in gcc it is part
/// of the statement there.
pub fn value_is_at(fx: &mut Fx<'_, '_>, loc: base::Loc, e: ExprRef<'_>) {
    let is_part = fx.options.coverage.is_on() && !matches!(e.kind, ExprKind::Cast { kind: CastKind::NoOp, .. });
    fx.places.value = Some(loc).filter(|loc| is_part && !loc.is_none());
}

/// Runs an expression for its side effects.
pub fn effect(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) {
    if !fx.live {
        return;
    }
    let outer_loc = fx.loc;
    if !e.loc.is_none() {
        fx.loc = e.loc;
    }
    match e.kind {
        ExprKind::Int(_)
        | ExprKind::Wide(_)
        | ExprKind::Float(_)
        | ExprKind::Complex(_)
        | ExprKind::String(_)
        | ExprKind::Decl(_) => {}
        ExprKind::Cast { kind: CastKind::ToVoid | CastKind::NoOp, operand } if !needs_read(operand) => {
            if fx.descend() {
                effect(fx, operand);
            }
            fx.ascend();
        }
        ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand } if !needs_read(operand) => {
            // The value is not wanted, but the lvalue may have side effects.
            let _ = lvalues::lower(fx, operand);
        }
        ExprKind::Comma { .. } => {
            let mut rest: SmallVec<[ExprRef<'_>; 8]> = SmallVec::new();
            let mut cur = e;
            while let ExprKind::Comma { lhs, rhs } = cur.kind {
                rest.push(rhs);
                cur = lhs;
            }
            effect(fx, cur);
            while let Some(next) = rest.pop() {
                effect(fx, next);
            }
        }
        ExprKind::Conditional { cond, then, els } if conditions::constant(cond).is_none() => {
            let (yes, no, end) = (fx.new_block(), fx.new_block(), fx.new_block());
            conditions::branch(fx, cond, yes, no, ir::BranchHint::None);
            for (block, arm) in [(yes, then), (no, els)] {
                fx.start(block);
                if fx.descend() {
                    effect(fx, arm);
                }
                fx.ascend();
                fx.br(end);
            }
            fx.start(end);
        }
        ExprKind::Logical { and, lhs, rhs } => {
            let (go_on, end) = (fx.new_block(), fx.new_block());
            let (yes, no) = if and { (go_on, end) } else { (end, go_on) };
            conditions::branch(fx, lhs, yes, no, ir::BranchHint::None);
            fx.start(go_on);
            effect(fx, rhs);
            fx.br(end);
            fx.start(end);
        }
        ExprKind::Call { callee, args } => calls::discard(fx, e, callee, args),
        ExprKind::Binary { op, lhs, rhs } if sanitize::arithmetic::division_only_checked(fx, op, lhs) => {
            let a = scalar(fx, lhs);
            let b = scalar(fx, rhs);
            sanitize::arithmetic::binary(fx, e, op, (lhs.ty.ty(), rhs.ty.ty()), a, b);
        }
        _ => {
            rvalue(fx, e);
        }
    }
    fx.loc = outer_loc;
}

/// Reading the lvalue is a side effect.
fn needs_read(e: ExprRef<'_>) -> bool {
    e.is_lvalue() && e.ty.quals().is_volatile()
}

/// Evaluates an expression into an object of type `ty`. `fresh`: nothing else can see the object
/// yet, so that a call may write its result there directly.
pub fn into(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, place: Place, ty: QualType, fresh: bool) {
    if !fx.live {
        return;
    }
    let plain = !ty.quals().is_atomic() && !ty.quals().is_volatile();
    if plain && shape(fx.types(), ty.ty()) == Shape::Memory {
        match e.kind {
            ExprKind::Call { callee, args } if fresh => {
                calls::call(fx, e, callee, args, Some(place));
                return;
            }
            ExprKind::Conditional { cond, then, els } => {
                return into_conditional(fx, cond, then, els, place, ty, fresh);
            }
            ExprKind::Comma { lhs, rhs } => {
                effect(fx, lhs);
                return into(fx, rhs, place, ty, fresh);
            }
            ExprKind::Cast { kind: CastKind::NoOp, operand } => return into(fx, operand, place, ty, fresh),
            ExprKind::StmtExpr { body, result: Some(result) } if fx.types().layout(e.ty).is_some() => {
                return statement_expression_into(fx, body, result, place, ty, fresh);
            }
            _ => {}
        }
    }
    let value = rvalue(fx, e);
    match value {
        Rvalue::Memory(from) if fx.live => {
            if ty.quals().is_atomic() {
                lvalues::store(fx, place, ty, value);
            } else {
                lvalues::copy(fx, place, from, e.ty.unqualified(), ty.quals().is_volatile());
            }
        }
        _ => lvalues::store(fx, place, ty, value),
    }
}

fn into_conditional(
    fx: &mut Fx<'_, '_>,
    cond: ExprRef<'_>,
    then: ExprRef<'_>,
    els: ExprRef<'_>,
    place: Place,
    ty: QualType,
    fresh: bool,
) {
    if let Some(holds) = conditions::constant(cond) {
        return into(fx, if holds { then } else { els }, place, ty, fresh);
    }
    let (yes, no, end) = (fx.new_block(), fx.new_block(), fx.new_block());
    conditions::branch(fx, cond, yes, no, ir::BranchHint::None);
    for (block, arm) in [(yes, then), (no, els)] {
        fx.start(block);
        if fx.descend() {
            into(fx, arm, place, ty, fresh);
        }
        fx.ascend();
        fx.br(end);
    }
    fx.start(end);
}

/// `({ ...; result; })` of fixed size into an object. Where cleanups follow, which may look at the
/// object, the result is copied twice.
fn statement_expression_into(
    fx: &mut Fx<'_, '_>,
    body: &[Stmt<'_>],
    result: ExprRef<'_>,
    place: Place,
    ty: QualType,
    fresh: bool,
) {
    let scope = scopes::open(fx);
    statements::lower_all(fx, body);
    if !scopes::has_cleanups(fx, &scope) {
        into(fx, result, place, ty, fresh);
        return scopes::close(fx, scope);
    }
    let value = rvalue(fx, result);
    let value = if fx.live { lvalues::stable(fx, value, ty.ty()) } else { value };
    scopes::close(fx, scope);
    match value {
        Rvalue::Memory(from) if fx.live => lvalues::copy(fx, place, from, ty.unqualified(), false),
        _ => {}
    }
}

/// `({ ... })`. An aggregate result is copied out before the scope's variables die.
fn statement_expression(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, body: &[Stmt<'_>], result: Option<ExprRef<'_>>) -> Rvalue {
    let scope = scopes::open(fx);
    statements::lower_all(fx, body);
    let value = match result {
        Some(result) => {
            let value = rvalue(fx, result);
            if fx.live { lvalues::stable(fx, value, e.ty.ty()) } else { value }
        }
        None => Rvalue::Void,
    };
    if matches!(value, Rvalue::Memory(_)) && fx.types().layout(e.ty).is_none() {
        // A structure of variable size: its memory outlives the scope.
        scopes::keep_stack(fx);
    }
    scopes::close(fx, scope);
    if fx.live { value } else { dummy(fx, e.ty.ty()) }
}

/// Arithmetic conversion of a value between arithmetic types, as an assignment does it.
pub fn convert(fx: &mut Fx<'_, '_>, value: Rvalue, from: Ty, to: Ty) -> Rvalue {
    let kind = {
        let types = fx.types();
        match (types.is_floating(from), types.is_floating(to)) {
            _ if types.canonical(from) == types.canonical(to) => return value,
            (true, true) => CastKind::Floating,
            (true, false) if types.kind(to) == TypeKind::Bool => CastKind::ToBool,
            (true, false) => CastKind::FloatToInt,
            (false, true) => CastKind::IntToFloat,
            _ if types.kind(to) == TypeKind::Bool => CastKind::ToBool,
            _ if types.is_integer(from) && types.is_integer(to) => CastKind::Integral,
            _ => CastKind::NoOp,
        }
    };
    conversions::cast(fx, kind, value, from, to)
}

/// An intrinsic with one result.
pub fn intrinsic(fx: &mut Fx<'_, '_>, which: Intrinsic, ty: Type, args: &[Value]) -> Value {
    let inst = fx.b().intrinsic(which, ty, args);
    fx.result(inst)
}

/// Lowers an `asm` statement; here so that statement expressions and statements share it.
pub fn asm_statement(fx: &mut Fx<'_, '_>, statement: &AsmStmt<'_>) {
    if fx.live {
        asm::lower(fx, statement);
    }
}
