//! Address constants and static initialiser values (C23 6.6 paragraphs 9 and 10).
//!
//! [`evaluate`] reduces an expression to a number, or to an object's address plus a number, or to a difference of labels.
//! It accepts what gcc accepts in static initialisers: casts between pointers and integers of pointer size, arithmetic on
//! addresses, members of constant addresses, `const` objects with known values.

use cranelift_entity::EntityRef;

use crate::sema::Sema;
use crate::tree::{
    AddressBase, ArrayLen, AttrFlags, CastKind, Category, DeclFlags, DeclId, ElementSize, ExprKind, ExprRef,
    StorageDuration, Ty, TypeKind, UnaryOp,
};

use super::fold::{self, Constant};
use super::integers;
use crate::tree::{BinaryOp, DeclKind, Linkage};

/// A value known before the program runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StaticValue<'a> {
    /// A number.
    Constant(Constant),
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
            let difference = subtract(evaluate(cx, lhs)?, evaluate(cx, rhs)?)?;
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
        ExprKind::Comma { .. } | ExprKind::StmtExpr { .. } => None,
        ExprKind::ComplexBuild { re, im } => match (evaluate(cx, re)?, evaluate(cx, im)?) {
            (StaticValue::Constant(re), StaticValue::Constant(im)) => {
                let bits = |c| match c {
                    Constant::Int(v) => Some(v as u128),
                    Constant::Float(v) => Some(v),
                    Constant::Complex(_) => None,
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
        CastKind::LvalueToRvalue => return known_object(cx, operand),
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
                // A narrower integer is no place for an address; who writes it says so.
                let _ = base;
                Some(address)
            }
            _ => None,
        },
    }
}

/// The value of a `const` object whose initialiser the folder kept.
fn known_object<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>) -> Option<StaticValue<'a>> {
    if let ExprKind::Deref(_) = operand.kind {
        return string_element(cx, operand);
    }
    let decl = &cx.unit.decls[operand.decl()?];
    if !decl.flags.has(DeclFlags::STATIC_INIT_VALUE) {
        return None;
    }
    let bits = decl.value.get();
    let value = match cx.kind(decl.ty) {
        TypeKind::Float(_) => Constant::Float(bits),
        _ => Constant::Int(bits as i128),
    };
    Some(StaticValue::Constant(value))
}

/// An element of a string literal, as in `"abc"[1]`.
fn string_element<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>) -> Option<StaticValue<'a>> {
    let StaticValue::Address { base: AddressBase::String(literal), offset } = address_of(cx, operand)? else {
        return None;
    };
    let size = usize::from(literal.elem_size);
    let at = usize::try_from(offset).ok().filter(|at| at % size == 0)?;
    let info = cx.types().int_info(operand.ty.ty()).filter(|_| cx.types().size_of(operand.ty) == Some(size as u64))?;
    let bytes = literal.bytes.get(at..at + size)?;
    let bits = bytes.iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
    let unused = 64 - 8 * size as u32;
    let value = if info.signed { i128::from((bits << unused) as i64 >> unused) } else { i128::from(bits) };
    Some(StaticValue::Constant(Constant::Int(value)))
}

/// Whether two declarations certainly are two objects or functions at run time: neither is weak or another name of something.
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
            _ => None,
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
            _ => None,
        },
        _ => None,
    }
}

/// Whether a type's values can carry an address: what the check of initialisers in [`evaluate`] relies on.
pub fn holds_address(cx: &Sema<'_, '_>, ty: Ty) -> bool {
    match cx.kind(ty) {
        TypeKind::Pointer(_) => true,
        TypeKind::Array { len: ArrayLen::Constant(_), .. } => false,
        _ => cx.types().int_info(ty).is_some_and(|i| i.bits == 64),
    }
}
