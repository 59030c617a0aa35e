//! The closest surrounding member of an address, for the size questions of modes 1 and 3 (gcc
//! manual, "Object Size Checking").

use super::expr::{CastKind, ExprKind, ExprRef, UnaryOp};
use super::records::RecordKind;
use super::types::Types;

/// Size of the member, or array inside a member, that `lvalue` is. `None` where the whole object
/// counts: what is no member, flexible array members, and arrays at the end of a structure of
/// unknown size, which may be used as such.
pub fn closest_member_bytes(types: &Types, lvalue: ExprRef<'_>) -> Option<u64> {
    let lvalue = strip(lvalue);
    let is_part = match lvalue.kind {
        ExprKind::Member { .. } | ExprKind::Unary { op: UnaryOp::Real | UnaryOp::Imag, .. } => true,
        // A row of an array of arrays.
        ExprKind::Deref(_) => element_of(lvalue).is_some() && types.is_array(lvalue.ty.ty()),
        _ => false,
    };
    if !is_part || is_of_unknown_array(types, lvalue) || may_be_flexible(types, lvalue) {
        return None;
    }
    types.size_of(lvalue.ty.unqualified())
}

fn strip(mut e: ExprRef<'_>) -> ExprRef<'_> {
    while let ExprKind::Cast { kind: CastKind::NoOp, operand } = e.kind {
        e = operand;
    }
    e
}

/// The array lvalue whose element this lvalue is: `array[index]`.
fn element_of<'a>(lvalue: ExprRef<'a>) -> Option<ExprRef<'a>> {
    let ExprKind::Deref(pointer) = lvalue.kind else { return None };
    let start = match pointer.kind {
        ExprKind::PtrAdd { ptr, .. } => ptr,
        _ => pointer,
    };
    match start.kind {
        ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => Some(strip(operand)),
        _ => None,
    }
}

/// An array member at the end of what a pointer points to, unions aside.
fn may_be_flexible(types: &Types, lvalue: ExprRef<'_>) -> bool {
    if !types.is_array(lvalue.ty.ty()) {
        return false;
    }
    let at_end = is_at_end(types, lvalue);
    let mut at = outside_unions(types, strip(lvalue));
    if let ExprKind::Member { base, .. } = at.kind {
        if !at_end {
            return false;
        }
        at = outside_unions(types, strip(base));
    }
    matches!(at.kind, ExprKind::Deref(_)) && element_of(at).is_none()
}

/// What the innermost unions around the lvalue are members of, or the outermost union itself.
fn outside_unions<'a>(types: &Types, mut e: ExprRef<'a>) -> ExprRef<'a> {
    while let ExprKind::Member { base, record, .. } = e.kind
        && types.records[record].kind == RecordKind::Union
    {
        e = strip(base);
    }
    e
}

/// Part of a declared array of unknown length.
fn is_of_unknown_array(types: &Types, lvalue: ExprRef<'_>) -> bool {
    let mut at = lvalue;
    loop {
        at = match at.kind {
            ExprKind::Member { base, .. } => strip(base),
            ExprKind::Unary { operand, .. } => strip(operand),
            ExprKind::Deref(_) => match element_of(at) {
                Some(array) => array,
                None => return false,
            },
            ExprKind::Decl(_) => return types.is_incomplete(at.ty.ty()),
            _ => return false,
        };
    }
}

/// No member follows, from the array up to the object a pointer points to.
fn is_at_end(types: &Types, lvalue: ExprRef<'_>) -> bool {
    let mut at = strip(lvalue);
    loop {
        match at.kind {
            ExprKind::Member { base, record, field } => {
                let info = &types.records[record];
                if info.kind == RecordKind::Struct && field as usize + 1 != info.fields.len() {
                    return false;
                }
                at = strip(base);
            }
            ExprKind::Deref(_) => return element_of(at).is_none(),
            _ => return false,
        }
    }
}
