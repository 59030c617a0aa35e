//! Address constants and static initialiser values (C23 6.6 paragraphs 9 and 10).
//!
//! [`evaluate`] reduces an expression to a number, or to an object's address plus a number, or to a
//! difference of labels. It accepts what gcc accepts in static initialisers: casts between pointers
//! and integers of pointer size, arithmetic on addresses, members of constant addresses, `const`
//! objects with known values.

use cranelift_entity::EntityRef;

use crate::sema::{Sema, same};
use crate::tree::{
    AddressBase, ArrayLen, AttrFlags, CastKind, Category, DeclId, ElementSize, ExprKind, ExprRef, StorageDuration, Ty,
    TypeKind, UnaryOp,
};

use super::fold::{self, Constant};
use super::{integers, known, library};
use crate::tree::{BinaryOp, DeclKind, Linkage};

/// A value known before the program runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StaticValue<'a> {
    /// A number.
    Constant(Constant<'a>),
    /// An address (also as an integer of at least eight bytes).
    Address {
        /// What it is relative to.
        base: AddressBase<'a>,
        /// Bytes beyond it.
        offset: i64,
    },
}

/// Value of an expression in a static initialiser; `None` if it is not constant.
pub fn evaluate<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> Option<StaticValue<'a>> {
    if let Some(constant) = fold::constant_of(expr) {
        return Some(StaticValue::Constant(constant));
    }
    match expr.kind {
        ExprKind::AddrOf(operand) => address_of(cx, operand),
        // A label of an enclosing function stands for a place in a frame.
        ExprKind::LabelAddr(label) if cx.fun().labels[label.index()].outer.is_none() => {
            Some(StaticValue::Address { base: AddressBase::Label(label), offset: 0 })
        }
        ExprKind::Cast { kind, operand } => evaluate_cast(cx, expr, kind, operand),
        ExprKind::PtrAdd { ptr, index, size: ElementSize::Constant(size), negate } => {
            let base = evaluate(cx, ptr)?;
            let StaticValue::Constant(Constant::Int(index)) = evaluate(cx, index)? else { return None };
            let bytes = index.wrapping_mul(size as i128) as i64;
            add(base, if negate { bytes.wrapping_neg() } else { bytes })
        }
        ExprKind::PtrDiff { lhs, rhs, size: ElementSize::Constant(size) } => {
            let difference = match (evaluate(cx, lhs), evaluate(cx, rhs)) {
                (Some(a), Some(b)) => subtract(a, b)?,
                _ => StaticValue::Constant(Constant::Int(distance(cx, lhs, rhs)?)),
            };
            match difference {
                StaticValue::Constant(Constant::Int(v)) if size != 0 => {
                    Some(StaticValue::Constant(Constant::Int(v / size as i128)))
                }
                StaticValue::Address { .. } if size == 1 => Some(difference),
                _ => None,
            }
        }
        ExprKind::Binary { op, lhs, rhs } => evaluate_binary(cx, expr.ty.ty(), op, lhs, rhs),
        ExprKind::Logical { and, lhs, rhs } => {
            let left = truth(cx, lhs)?;
            let value = if left == and { truth(cx, rhs)? } else { left };
            Some(StaticValue::Constant(Constant::Int(value as i128)))
        }
        ExprKind::Conditional { cond, then, els } => {
            let taken = if truth(cx, cond)? { then } else { els };
            evaluate(cx, taken)
        }
        ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => {
            let value = truth(cx, operand)?;
            Some(StaticValue::Constant(Constant::Int(!value as i128)))
        }
        ExprKind::Unary { op, operand } => {
            let StaticValue::Constant(value) = evaluate(cx, operand)? else { return None };
            let operand = fold::make(cx, value, operand.ty.ty(), operand.loc, operand.flags);
            fold::unary(cx, op, operand, expr.loc).and_then(fold::constant_of).map(StaticValue::Constant)
        }
        ExprKind::Call { callee, args } => library::call(cx, callee, args, expr.ty.ty()),
        ExprKind::Comma { .. } | ExprKind::StmtExpr { .. } => None,
        ExprKind::ComplexBuild { re, im } => match (evaluate(cx, re)?, evaluate(cx, im)?) {
            (StaticValue::Constant(re), StaticValue::Constant(im)) => {
                let bits = |c| match c {
                    Constant::Int(v) => Some(v as u128),
                    Constant::Float(v) => Some(v),
                    Constant::Complex(_) | Constant::Wide(_) => None,
                };
                Some(StaticValue::Constant(Constant::Complex([bits(re)?, bits(im)?])))
            }
            _ => None,
        },
        _ => None,
    }
}

fn truth<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> Option<bool> {
    match evaluate(cx, expr)? {
        StaticValue::Constant(Constant::Int(v)) => Some(v != 0),
        StaticValue::Constant(Constant::Wide(limbs)) => Some(!super::wide::is_zero(limbs)),
        StaticValue::Constant(Constant::Float(v)) => {
            Some(super::floats::is_nonzero(v, fold::format_of(cx, expr.ty.ty())?))
        }
        // No object lies at address zero, unless it is weak.
        StaticValue::Address { base: AddressBase::Decl(decl), .. } => {
            let weak = cx.unit.attrs(decl).is_some_and(|a| a.flags.has(crate::tree::AttrFlags::WEAK));
            (!weak).then_some(true)
        }
        StaticValue::Address { base: AddressBase::String(_), .. } => Some(true),
        _ => None,
    }
}

fn add(value: StaticValue<'_>, bytes: i64) -> Option<StaticValue<'_>> {
    Some(match value {
        StaticValue::Constant(Constant::Int(v)) => {
            StaticValue::Constant(Constant::Int((v as i64).wrapping_add(bytes) as u64 as i128))
        }
        StaticValue::Address { base, offset } => StaticValue::Address { base, offset: offset.wrapping_add(bytes) },
        StaticValue::Constant(_) => return None,
    })
}

/// Bytes from one place after a pointer that is not constant to another: `(p + 2) - (p - 1)`.
fn distance<'a>(cx: &mut Sema<'_, 'a>, a: ExprRef<'a>, b: ExprRef<'a>) -> Option<i128> {
    let (a, m) = without_offset(cx, a);
    let (b, n) = without_offset(cx, b);
    same::same_value(&cx.unit, a, b).then(|| i128::from(m.wrapping_sub(n)))
}

/// A pointer without the constant bytes added to it.
fn without_offset<'a>(cx: &mut Sema<'_, 'a>, mut pointer: ExprRef<'a>) -> (ExprRef<'a>, i64) {
    let mut offset = 0i64;
    while let ExprKind::PtrAdd { ptr, index, size: ElementSize::Constant(size), negate } = pointer.kind
        && let Some(StaticValue::Constant(Constant::Int(index))) = evaluate(cx, index)
    {
        let bytes = index.wrapping_mul(size as i128) as i64;
        offset = offset.wrapping_add(if negate { bytes.wrapping_neg() } else { bytes });
        pointer = ptr;
    }
    (pointer, offset)
}

/// The sum of two differences of labels that share one: `(a - b) + (b - c)`.
fn add_differences<'a>(x: StaticValue<'a>, y: StaticValue<'a>) -> Option<StaticValue<'a>> {
    let (
        StaticValue::Address { base: AddressBase::LabelDifference(a, b), offset: m },
        StaticValue::Address { base: AddressBase::LabelDifference(c, d), offset: n },
    ) = (x, y)
    else {
        return None;
    };
    let offset = m.wrapping_add(n);
    let (first, second) = match (b == c, a == d) {
        (true, true) => return Some(StaticValue::Constant(Constant::Int(i128::from(offset)))),
        (true, false) => (a, d),
        (false, true) => (c, b),
        (false, false) => return None,
    };
    Some(StaticValue::Address { base: AddressBase::LabelDifference(first, second), offset })
}

fn subtract<'a>(a: StaticValue<'a>, b: StaticValue<'a>) -> Option<StaticValue<'a>> {
    match (a, b) {
        (StaticValue::Constant(Constant::Int(a)), StaticValue::Constant(Constant::Int(b))) => {
            Some(StaticValue::Constant(Constant::Int((a as i64).wrapping_sub(b as i64) as i128)))
        }
        (StaticValue::Address { .. }, StaticValue::Constant(Constant::Int(b))) => add(a, (b as i64).wrapping_neg()),
        (StaticValue::Address { base: a, offset: m }, StaticValue::Address { base: b, offset: n }) => {
            let offset = m.wrapping_sub(n);
            match (a, b) {
                _ if a == b => Some(StaticValue::Constant(Constant::Int(offset as i128))),
                (AddressBase::Label(a), AddressBase::Label(b)) => {
                    Some(StaticValue::Address { base: AddressBase::LabelDifference(a, b), offset })
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn evaluate_cast<'a>(
    cx: &mut Sema<'_, 'a>,
    expr: ExprRef<'a>,
    kind: CastKind,
    operand: ExprRef<'a>,
) -> Option<StaticValue<'a>> {
    match kind {
        CastKind::ArrayToPointer | CastKind::FunctionToPointer => return address_of(cx, operand),
        CastKind::LvalueToRvalue => return known::object(cx, operand),
        CastKind::ToBool => {
            let value = truth(cx, operand)?;
            return Some(StaticValue::Constant(Constant::Int(value as i128)));
        }
        _ => {}
    }
    let to = expr.ty.ty();
    match evaluate(cx, operand)? {
        StaticValue::Constant(value) => match kind {
            CastKind::NoOp | CastKind::Pointer => Some(StaticValue::Constant(value)),
            _ => fold::convert(cx, value, operand.ty.ty(), to).map(|(c, _)| StaticValue::Constant(c)),
        },
        address @ StaticValue::Address { base, .. } => match kind {
            CastKind::NoOp | CastKind::Pointer | CastKind::IntToPointer => Some(address),
            CastKind::PointerToInt | CastKind::Integral => {
                // A narrower integer is no place for an address, a wider one for a difference of
                // labels without a sign; who writes it says so.
                let wide = cx.types().size_of(to).is_some_and(|size| size > 8);
                let signed = cx.types().int_info(operand.ty.ty()).is_none_or(|info| info.signed);
                let difference = matches!(base, AddressBase::LabelDifference(..));
                (!wide || difference && !signed).then_some(address)
            }
            _ => None,
        },
    }
}

/// Whether two declarations certainly are two objects or functions at run time: neither is weak or
/// another name of something.
fn are_distinct(cx: &Sema<'_, '_>, a: DeclId, b: DeclId) -> bool {
    let own = |id: DeclId| {
        let decl = &cx.unit.decls[id];
        decl.asm_name.is_none()
            && cx.unit.attrs(id).is_none_or(|a| {
                !a.flags.has(AttrFlags::WEAK) && a.alias.is_none() && a.ifunc.is_none() && a.weakref.is_none()
            })
    };
    a != b && own(a) && own(b)
}

/// Address of an lvalue or function.
pub fn address_of<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>) -> Option<StaticValue<'a>> {
    match operand.kind {
        ExprKind::Decl(id) => {
            let decl = &cx.unit.decls[id];
            // A nested function's address is that of a trampoline, made at run time.
            let nested = decl.kind == DeclKind::Function && decl.linkage == Linkage::None;
            let fixed = (decl.kind == DeclKind::Function && !nested) || decl.duration == StorageDuration::Static;
            fixed.then_some(StaticValue::Address { base: AddressBase::Decl(id), offset: 0 })
        }
        ExprKind::String(lit) => Some(StaticValue::Address { base: AddressBase::String(lit), offset: 0 }),
        ExprKind::Deref(pointer) => evaluate(cx, pointer),
        ExprKind::Member { base, record, field } if operand.cat != Category::BitField => {
            if cx.types().records[record].field(field).offset_vla.is_some() {
                return None;
            }
            let offset = cx.types().records[record].field(field).offset as i64;
            let base = address_of(cx, base)?;
            add(base, offset)
        }
        ExprKind::Unary { op: UnaryOp::Imag, operand } => {
            let size = cx.types().size_of(operand.ty).unwrap_or(0) / 2;
            let base = address_of(cx, operand)?;
            add(base, size as i64)
        }
        ExprKind::Unary { op: UnaryOp::Real, operand } => address_of(cx, operand),
        _ => None,
    }
}

fn evaluate_binary<'a>(
    cx: &mut Sema<'_, 'a>,
    ty: Ty,
    op: BinaryOp,
    lhs: ExprRef<'a>,
    rhs: ExprRef<'a>,
) -> Option<StaticValue<'a>> {
    let operand_ty = lhs.ty.ty();
    let (a, b) = (evaluate(cx, lhs)?, evaluate(cx, rhs)?);
    if let (StaticValue::Constant(a), StaticValue::Constant(b)) = (a, b) {
        let lhs = fold::make(cx, a, operand_ty, lhs.loc, lhs.flags);
        let rhs = fold::make(cx, b, rhs.ty.ty(), rhs.loc, rhs.flags);
        return fold::binary(cx, op, lhs, rhs, ty, lhs.loc).and_then(fold::constant_of).map(StaticValue::Constant);
    }
    let integer = |v: StaticValue<'a>| match v {
        StaticValue::Constant(Constant::Int(v)) => Some(v as i64),
        _ => None,
    };
    match op {
        BinaryOp::Add => match (integer(a), integer(b)) {
            (None, Some(b)) => add(a, b),
            (Some(a), None) => add(b, a),
            _ => add_differences(a, b),
        },
        BinaryOp::Sub => subtract(a, b),
        // Comparing the addresses of one object, or an address with null.
        _ if op.is_comparison() => match subtract(a, b) {
            Some(StaticValue::Constant(Constant::Int(difference))) => {
                let order = difference.cmp(&0);
                Some(StaticValue::Constant(Constant::Int(integers::comparison(op, Some(order)) as i128)))
            }
            _ if let (
                StaticValue::Address { base: AddressBase::Decl(a), offset: 0 },
                StaticValue::Address { base: AddressBase::Decl(b), offset: 0 },
            ) = (a, b)
                && op.is_equality()
                && are_distinct(cx, a, b) =>
            {
                Some(StaticValue::Constant(Constant::Int((op == BinaryOp::Ne) as i128)))
            }
            _ if op.is_equality() && (integer(a) == Some(0) || integer(b) == Some(0)) => {
                Some(StaticValue::Constant(Constant::Int((op == BinaryOp::Ne) as i128)))
            }
            // Above null lies every object.
            _ if integer(b) == Some(0) && is_object(cx, a) => {
                let above = matches!(op, BinaryOp::Gt | BinaryOp::Ge);
                Some(StaticValue::Constant(Constant::Int(i128::from(above))))
            }
            _ if integer(a) == Some(0) && is_object(cx, b) => {
                let below = matches!(op, BinaryOp::Lt | BinaryOp::Le);
                Some(StaticValue::Constant(Constant::Int(i128::from(below))))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The first byte of an object or function that certainly exists.
fn is_object(cx: &Sema<'_, '_>, value: StaticValue<'_>) -> bool {
    match value {
        StaticValue::Address { base: AddressBase::Decl(decl), offset: 0 } => {
            cx.unit.attrs(decl).is_none_or(|a| !a.flags.has(AttrFlags::WEAK) && a.weakref.is_none())
        }
        _ => false,
    }
}

/// Whether a type's values can carry an address: what the check of initialisers in [`evaluate`]
/// relies on.
pub fn holds_address(cx: &Sema<'_, '_>, ty: Ty) -> bool {
    match cx.kind(ty) {
        TypeKind::Pointer(_) => true,
        TypeKind::Array { len: ArrayLen::Constant(_), .. } => false,
        _ => cx.types().int_info(ty).is_some_and(|i| i.bits == 64),
    }
}
