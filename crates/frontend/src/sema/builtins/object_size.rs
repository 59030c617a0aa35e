//! `__builtin_object_size` and `__builtin_dynamic_object_size`, as far as they can be answered
//! without data flow: objects and their members at constant offsets. The rest is the optimiser's;
//! see `analysis/object_size` in the middle end.

use base::Loc;

use super::{convert_args, node};
use crate::sema::Sema;
use crate::tree::walk::has_side_effects;
use crate::tree::{
    Builtin, CastKind, DeclId, DeclKind, ElementSize, ExprFlags, ExprKind, ExprRef, Ty, UnaryOp, closest_member_bytes,
};

/// The call as a constant or a node.
pub fn object_size<'a>(
    cx: &mut Sema<'_, 'a>,
    builtin: Builtin,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let args = convert_args(cx, callee, &[Ty::CONST_VOID_PTR.plain(), Ty::INT.plain()], false, args, loc)?;
    let Some(kind @ 0..=3) = args[1].int_value() else {
        cx.error(loc, format!("last argument of {} is not integer constant between 0 and 3", cx.dname(callee)));
        return None;
    };
    let unknown = if kind < 2 { u64::MAX } else { 0 };
    if has_side_effects(args[0]) {
        return Some(cx.int(unknown as i128, Ty::SIZE, loc, ExprFlags::CONSTANT));
    }
    let closest = kind & 1 != 0;
    if let Some(extent) = pointer_extent(cx, args[0], closest) {
        return Some(cx.int(extent.left as i128, Ty::SIZE, loc, ExprFlags::CONSTANT));
    }
    cx.unit.asks_object_size = true;
    cx.unit.asks_closest_size |= closest;
    Some(node(cx, builtin, &args, Ty::SIZE, loc))
}

/// Bytes that the object, or its member, has from where `target` points to on, if the expression
/// says so: for warnings. A member that is last in its structure may be meant to go on after it.
pub fn bytes_left(cx: &Sema<'_, '_>, target: ExprRef<'_>) -> Option<u64> {
    let lvalue = match target.kind {
        _ if cx.types().is_array(target.ty.ty()) => Some(target),
        ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => Some(operand),
        _ => None,
    };
    let extent = match lvalue {
        Some(lvalue) => lvalue_extent(cx, lvalue, true),
        None => pointer_extent(cx, target, true),
    };
    if let Some(extent) = extent {
        return Some(extent.left);
    }
    let lvalue = lvalue?;
    let ExprKind::Member { record, field, .. } = lvalue.kind else { return None };
    let inner = cx.types().records[record].fields.len() > 1
        && cx.types().records[record]
            .fields
            .last()
            .is_some_and(|last| last.offset > cx.types().records[record].field(field).offset);
    cx.types().size_of(lvalue.ty.ty()).filter(|&size| inner && size > 1)
}

/// Bytes from a pointer on, and bytes of the object it points into.
#[derive(Clone, Copy)]
struct Extent {
    left: u64,
    whole: u64,
}

impl Extent {
    /// The extent `by` bytes on: nothing before the start of the object and after its end.
    fn moved(self, by: i128) -> Option<Extent> {
        let start = (self.whole - self.left) as i128;
        let left = u64::try_from(start.checked_add(by)?).map_or(0, |at| self.whole.saturating_sub(at));
        Some(Extent { left, ..self })
    }
}

fn pointer_extent(cx: &Sema<'_, '_>, mut pointer: ExprRef<'_>, closest: bool) -> Option<Extent> {
    let mut by = 0i128;
    loop {
        match pointer.kind {
            ExprKind::Cast { kind: CastKind::Pointer | CastKind::NoOp, operand } => pointer = operand,
            ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } | ExprKind::AddrOf(operand) => {
                return lvalue_extent(cx, operand, closest)?.moved(by);
            }
            ExprKind::PtrAdd { ptr, index, size: ElementSize::Constant(size), negate } => {
                let step = index.int_value()?.checked_mul(size as i128)?;
                by += if negate { -step } else { step };
                pointer = ptr;
            }
            _ => return None,
        }
    }
}

fn lvalue_extent(cx: &Sema<'_, '_>, lvalue: ExprRef<'_>, closest: bool) -> Option<Extent> {
    let outer = whole_extent(cx, lvalue)?;
    let member = if closest { closest_member_bytes(cx.types(), lvalue) } else { None };
    Some(match member {
        // A member ends no later than what it is part of.
        Some(bytes) => Extent { left: outer.left.min(bytes), whole: bytes },
        None => outer,
    })
}

/// What is after the lvalue of the object that is declared, whatever members are named on the way.
fn whole_extent(cx: &Sema<'_, '_>, lvalue: ExprRef<'_>) -> Option<Extent> {
    let (mut at, mut by) = (lvalue, 0i128);
    let object = |size: u64| Some(Extent { left: size, whole: size });
    let extent = loop {
        match at.kind {
            ExprKind::Decl(id) | ExprKind::CompoundLiteral { decl: id, .. } => {
                let decl = &cx.unit.decls[id];
                let flexible = cx.types().record_of(decl.ty.ty()).is_some_and(|r| r.has_flexible_array);
                // (A parameter of array type is a pointer by now.)
                if decl.kind == DeclKind::Function {
                    return None;
                }
                let declared = if flexible { None } else { cx.types().size_of(decl.ty) };
                break object(cx.flexible_sizes.get(&id).copied().or(declared)?);
            }
            ExprKind::String(literal) => break object(literal.bytes.len() as u64),
            ExprKind::Member { base, record, field } => {
                if cx.types().records[record].field(field).offset_vla.is_some() {
                    return None;
                }
                by += cx.types().records[record].field(field).offset as i128;
                at = base;
            }
            ExprKind::Unary { op: UnaryOp::Real, operand } => at = operand,
            ExprKind::Unary { op: UnaryOp::Imag, operand } => {
                by += cx.types().size_of(operand.ty)? as i128 / 2;
                at = operand;
            }
            ExprKind::Cast { kind: CastKind::NoOp, operand } => at = operand,
            ExprKind::Deref(pointer) => break pointer_extent(cx, pointer, false),
            _ => return None,
        }
    };
    extent?.moved(by)
}
