//! `-Wenum-compare`, `-Wenum-conversion`: enumerations of different types together. Enumerators,
//! whose type is `int`, count as values of their enumeration (gcc's `original_type`), and so do
//! conditionals that choose between two of them.

use base::{Loc, warning};

use crate::sema::{Sema, types};
use crate::tree::{DeclId, EnumId, ExprKind, ExprRef, Ty, TypeKind};

/// How many enumerators are remembered: those of one expression, or of the arguments of one call.
const REMEMBERED: usize = 16;

/// Depth of conditionals that are looked through.
const MAX_DEPTH: u32 = 16;

/// Enumerators named of late, by where they stand: an operator's result stands elsewhere.
pub struct Named {
    entries: [(Loc, Option<DeclId>); REMEMBERED],
    next: usize,
}

impl Default for Named {
    fn default() -> Self {
        Named { entries: [(Loc::NONE, None); REMEMBERED], next: 0 }
    }
}

/// Notes that an enumerator is named at `loc`.
#[inline]
pub fn note(cx: &mut Sema<'_, '_>, id: DeclId, loc: Loc) {
    let named = &mut cx.lints.enumerators;
    named.entries[named.next] = (loc, Some(id));
    named.next = (named.next + 1) % REMEMBERED;
}

/// The enumeration whose definition declares an enumerator. Ranges end in rising order; one inside
/// another comes first.
fn owner(cx: &Sema<'_, '_>, id: DeclId) -> Option<EnumId> {
    let start = cx.unit_lints.enumerator_ranges.partition_point(|range| range.1 < id);
    cx.unit_lints.enumerator_ranges[start..].iter().find(|range| range.0 <= id).map(|range| range.2)
}

/// The enumeration of a value, or of the enumerators that it is one of.
pub fn named(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>) -> Option<Ty> {
    enumeration(cx, expr, MAX_DEPTH)
}

/// The enumeration that a value is of, as it was written.
fn enumeration(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>, depth: u32) -> Option<Ty> {
    if matches!(cx.kind(expr.ty), TypeKind::Enum(_)) {
        return Some(expr.written.ty());
    }
    match expr.kind {
        ExprKind::Int(_) => {
            let id = cx.lints.enumerators.entries.iter().find(|entry| entry.0 == expr.loc)?.1?;
            let owner = owner(cx, id)?;
            Some(cx.unit.types.intern(TypeKind::Enum(owner)))
        }
        ExprKind::Comma { rhs, .. } if depth > 0 => enumeration(cx, rhs, depth - 1),
        ExprKind::Conditional { then, els, .. } if depth > 0 => {
            let (then, els) = (enumeration(cx, then, depth - 1)?, enumeration(cx, els, depth - 1)?);
            types::compatible_unqualified(cx.types(), then, els).then_some(then)
        }
        // The promotion of a conditional's operand stands where the operand does, a cast does not.
        ExprKind::Cast { operand, .. } if depth > 0 && operand.loc == expr.loc => enumeration(cx, operand, depth - 1),
        _ => None,
    }
}

/// Checks the operands of a comparison.
pub fn check_comparison(cx: &mut Sema<'_, '_>, lhs: ExprRef<'_>, rhs: ExprRef<'_>, loc: Loc) {
    if !cx.sess.diag.is_on_somewhere(warning::ENUM_COMPARE) {
        return;
    }
    let (Some(a), Some(b)) = (enumeration(cx, lhs, MAX_DEPTH), enumeration(cx, rhs, MAX_DEPTH)) else { return };
    if !types::compatible_unqualified(cx.types(), a, b) {
        let (a, b) = (cx.tname(a), cx.tname(b));
        cx.warn(warning::ENUM_COMPARE, loc, format!("comparison between {a} and {b}"));
    }
}

/// Checks the conversion of a value to the type of what it is assigned to.
pub fn check_conversion(cx: &mut Sema<'_, '_>, value: ExprRef<'_>, to: Ty, loc: Loc) {
    if !matches!(cx.kind(to), TypeKind::Enum(_)) || !cx.sess.diag.is_on_somewhere(warning::ENUM_CONVERSION) {
        return;
    }
    let Some(from) = enumeration(cx, value, MAX_DEPTH) else { return };
    if !types::compatible_unqualified(cx.types(), from, to) {
        let (from, to) = (cx.tname(from), cx.tname(to));
        cx.warn(warning::ENUM_CONVERSION, loc, format!("implicit conversion from {from} to {to}"));
    }
}
