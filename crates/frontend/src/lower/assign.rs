//! Assignment, compound assignment, increment and decrement.

use super::function::Fx;
use super::place::{Lvalue, Rvalue};
use super::sanitize::memory::{Purpose, announce, catch_up, left_side};
use super::shapes::{Shape, shape};
use super::{atomics, expressions, loop_pragmas, lvalues, sanitize};
use crate::tree::*;

/// `lhs = rhs`.
pub fn assign(fx: &mut Fx<'_, '_>, lhs: ExprRef<'_>, rhs: ExprRef<'_>) -> Rvalue {
    let (ty, loc) = (lhs.ty, fx.loc);
    if shape(fx.types(), ty.ty()) == Shape::Memory && lhs.cat != Category::BitField {
        announce(fx, Purpose::Store, loc);
        let place = lvalues::place(fx, lhs);
        if ty.quals().is_atomic() {
            let value = expressions::rvalue(fx, rhs);
            lvalues::store(fx, place, ty, value);
            return value;
        }
        let fresh = is_private(fx, lhs);
        expressions::into(fx, rhs, place, ty, fresh);
        return Rvalue::Memory(place);
    }
    // The left side first, as in gcc, unless neither order can be told from the other.
    if !is_simple(lhs) && !is_simple(rhs) {
        let (lvalue, check) = left_side(fx, loc, |fx| lvalues::lower(fx, lhs));
        let value = expressions::rvalue(fx, rhs);
        catch_up(fx, check);
        return lvalues::write(fx, lvalue, ty, value);
    }
    let register = sanitize::values::is_register(fx, lhs);
    let value =
        sanitize::whole_value(fx, sanitize::assigned_at(register, loc, rhs), rhs, |fx| expressions::rvalue(fx, rhs));
    announce(fx, Purpose::Store, loc);
    let lvalue = lvalues::lower(fx, lhs);
    lvalues::write(fx, lvalue, ty, value)
}

/// A constant, or a named variable or its value: evaluating it has no effect and takes no register.
fn is_simple(e: ExprRef<'_>) -> bool {
    match e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Decl(_) => true,
        ExprKind::Cast { operand, .. } => matches!(operand.kind, ExprKind::Decl(_) | ExprKind::Int(_)),
        _ => false,
    }
}

/// A local variable whose address nobody has: a callee cannot see it, so it may write its result
/// there. (An argument passed by address is a copy, made before the call.)
fn is_private(fx: &Fx<'_, '_>, e: ExprRef<'_>) -> bool {
    e.decl().is_some_and(|decl| {
        let info = &fx.unit.decls[decl];
        info.duration == StorageDuration::Automatic
            && !info.flags.has(DeclFlags::ADDRESS_TAKEN)
            && !info.flags.has(DeclFlags::CAPTURED)
    })
}

/// `lhs op= rhs`, `++lhs`, `lhs++`.
pub fn update(fx: &mut Fx<'_, '_>, update: &Update<'_>) -> Rvalue {
    let (ty, loc) = (update.lhs.ty, fx.loc);
    announce(fx, Purpose::Load, loc);
    let lvalue = lvalues::lower(fx, update.lhs);
    if let Some((id, rhs)) = update.rhs {
        let value = expressions::rvalue(fx, rhs);
        expressions::bind(fx, id, value);
    }
    if let (true, Lvalue::Memory(place)) = (ty.quals().is_atomic(), lvalue) {
        return atomics::update(fx, update, place);
    }
    let old = lvalues::read(fx, lvalue, ty);
    let old = if update.post { lvalues::stable(fx, old, ty.ty()) } else { old };
    expressions::bind(fx, update.old, old);
    let gathers = loop_pragmas::gathers(fx, update.lhs);
    let outer = std::mem::replace(&mut fx.loops.any_order, gathers);
    let value = expressions::rvalue(fx, update.value);
    fx.loops.any_order = outer;
    let new = lvalues::write(fx, lvalue, ty, value);
    if update.post { old } else { new }
}
