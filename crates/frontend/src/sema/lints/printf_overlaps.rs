//! `-Wrestrict` of `sprintf` and `snprintf`: a string that is printed overlaps what is written
//! (gcc's `maybe_warn_overlap`).
//!
//! Destination and string are compared where both lead to the same object, or start from the same
//! pointer, by their distances from there and by the least and largest lengths of the string and of
//! all output. Pointers in local variables and parameters are followed from `-O1` on, as in gcc.

use base::{Loc, warning};
use platform::options::OptLevel;

use super::format_lengths::{Length, pieces_of};
use crate::sema::Sema;
use crate::tree::{CastKind, DeclId, DeclKind, ElementSize, ExprKind, ExprRef, Linkage};

/// Where a pointer leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    /// The object, or the variable that holds the pointer.
    origin: DeclId,
    /// The member of the object.
    member: Option<u32>,
    /// Bytes from the object's or pointer's start, if they are known.
    offset: Option<i64>,
}

/// Checks a call of the library function `name` with `args` as written.
pub fn check_call<'a>(cx: &Sema<'_, 'a>, name: &str, args: &[ExprRef<'a>], loc: Loc) {
    let format = match name {
        "sprintf" => 1,
        "snprintf" => 2,
        _ => return,
    };
    if cx.never_evaluated() || !cx.sess.warning_enabled(warning::RESTRICT, loc) {
        return;
    }
    let Some(pieces) = pieces_of(cx, args, format) else { return };
    let Some(target) = place_of(cx, args[0]) else { return };
    let all = pieces.iter().fold(Length::exact(0), |sum, piece| sum.plus(piece.length));
    let (mut certain, mut possible) = (Vec::new(), Vec::new());
    for piece in &pieces {
        let Some(index) = piece.string.filter(|_| piece.length.max != Some(0)) else { continue };
        match place_of(cx, args[index]).and_then(|string| overlap(target, string, piece.length, all)) {
            Some(true) => certain.push((index + 1).to_string()),
            Some(false) => possible.push((index + 1).to_string()),
            None => {}
        }
    }
    let (list, verb) = match (certain.len(), possible.len()) {
        (0, 0) => return,
        (_, 0) => (certain.join(", "), if certain.len() == 1 { "overlaps" } else { "overlap" }),
        (0, _) => (possible.join(", "), "may overlap"),
        _ => (format!("{} and maybe {}", certain.join(", "), possible.join(", ")), "overlap"),
    };
    let plural = if certain.len() + possible.len() == 1 { "" } else { "s" };
    let object = cx.dname(target.origin);
    let message = format!("'{name}' argument{plural} {list} {verb} destination object {object}");
    let note = "destination object referenced by 'restrict'-qualified argument 1 was declared here";
    cx.sess.warn(warning::RESTRICT, loc, message).note(cx.unit.decls[target.origin].loc, note).emit();
}

/// Whether a string of this length overlaps what is written: `false` if it only may.
fn overlap(target: Place, string: Place, length: Length, all: Length) -> Option<bool> {
    if target.origin != string.origin || target.member != string.member {
        return None;
    }
    let (Some(to), Some(from)) = (target.offset, string.offset) else { return Some(false) };
    if to == from {
        return Some(true);
    }
    let end = |start: i64, bytes: Option<u64>| {
        start.saturating_add(bytes.and_then(|bytes| i64::try_from(bytes).ok()).unwrap_or(i64::MAX))
    };
    let (read, written) = (end(from, Some(length.min)), end(to, Some(all.min - 1)));
    if from <= to && read > to || from >= to && from < written {
        return Some(true);
    }
    let (read, written) = (end(from, length.max), end(to, all.max.map(|max| max - 1)));
    ((to..=written).contains(&from) || (to..=written).contains(&read)).then_some(false)
}

/// What the value of a pointer, or an array that becomes one, says.
fn place_of(cx: &Sema<'_, '_>, pointer: ExprRef<'_>) -> Option<Place> {
    let mut at = pointer;
    while let ExprKind::Cast { kind: CastKind::Pointer | CastKind::NoOp, operand } = at.kind {
        at = operand;
    }
    let loaded = cx.types().is_pointer(at.ty.ty());
    if loaded && matches!(at.kind, ExprKind::Member { .. } | ExprKind::Deref(_)) {
        return None;
    }
    let place = |at: ExprRef<'_>, member, offset| match at.kind {
        ExprKind::Decl(origin) if cx.types().is_pointer(at.ty.ty()) => {
            variable_is_followed(cx, origin, member).then_some(Place { origin, member, offset })
        }
        ExprKind::Decl(origin) => Some(Place { origin, member, offset }),
        _ => None,
    };
    let mut offset = Some(0_i64);
    let mut member = None;
    loop {
        at = match at.kind {
            ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand } => return place(operand, member, offset),
            ExprKind::Cast { kind: CastKind::Pointer | CastKind::NoOp | CastKind::ArrayToPointer, operand } => operand,
            ExprKind::AddrOf(operand) | ExprKind::Deref(operand) => operand,
            ExprKind::PtrAdd { ptr, index, size, negate } => {
                let bytes = match (index.int_value(), size) {
                    (Some(index), ElementSize::Constant(size)) => i64::try_from(index * i128::from(size)).ok(),
                    _ => None,
                };
                let bytes = bytes.map(|bytes| if negate { -bytes } else { bytes });
                offset = offset.zip(bytes).and_then(|(offset, bytes)| offset.checked_add(bytes));
                ptr
            }
            ExprKind::Member { base, field, .. } => {
                member = member.or(Some(field));
                base
            }
            _ => return place(at, member, offset),
        };
    }
}

/// Whether gcc knows, and can name, what a variable's pointer is.
fn variable_is_followed(cx: &Sema<'_, '_>, id: DeclId, member: Option<u32>) -> bool {
    let decl = &cx.unit.decls[id];
    let global = decl.linkage != Linkage::None;
    let kept = global || decl.kind == DeclKind::Parameter && cx.options.level != OptLevel::O0;
    (kept || member.is_some()) && !decl.ty.quals().is_volatile()
}
