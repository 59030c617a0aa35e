//! Arguments after their conversion: `-Wnonnull`, the attribute `sentinel`, `-Wrestrict`.

use base::{Loc, warning};

use crate::sema::library::{library_name, library_nonnull};
use crate::sema::{Sema, same};
use crate::tree::{AttrFlags, CastKind, DeclId, ExprKind, ExprRef, SignatureId};

/// What the callee's attributes say about the arguments.
pub fn check_attributes(cx: &mut Sema<'_, '_>, id: DeclId, args: &[ExprRef<'_>], loc: Loc) {
    let library = library_name(cx, id).map_or(0, library_nonnull);
    let (flags, nonnull, sentinel) = match cx.unit.attrs(id) {
        Some(attrs) => (attrs.flags, attrs.nonnull | library, attrs.sentinel),
        None => (AttrFlags::default(), library, 0),
    };
    if nonnull != 0 && cx.sess.warning_enabled(warning::NONNULL, loc) {
        for (index, arg) in args.iter().enumerate().take(64) {
            if nonnull >> index & 1 == 1 && cx.types().is_pointer(arg.ty.ty()) && arg.int_value() == Some(0) {
                let message = format!("argument {} null where non-null expected", index + 1);
                let note = format!("in a call to function {} declared 'nonnull'", cx.dname(id));
                cx.sess.warn(warning::NONNULL, loc, message).note(cx.unit.decls[id].loc, note).emit();
            }
        }
    }
    if flags.has(AttrFlags::SENTINEL) && cx.sess.warning_enabled(warning::FORMAT, loc) {
        let position = args.len().checked_sub(1 + sentinel as usize);
        let null = position.is_some_and(|p| args[p].int_value() == Some(0) && cx.types().is_pointer(args[p].ty.ty()));
        if !null {
            let message = if position.is_none() {
                "not enough variable arguments to fit a sentinel"
            } else {
                "missing sentinel in function call"
            };
            cx.warn(warning::FORMAT, loc, message);
        }
    }
}

/// `-Wrestrict`: the pointer for a `restrict` parameter is passed twice. What `sprintf` and
/// `snprintf` get is for `printf_overlaps`.
pub fn check_restrict(
    cx: &mut Sema<'_, '_>,
    signature: SignatureId,
    target: Option<DeclId>,
    args: &[ExprRef<'_>],
    loc: Loc,
) {
    let known = cx.types().signature(signature);
    let (mut restricts, count) = (known.restricts, known.params.len());
    if restricts == 0 || args.len() < 2 || !cx.sess.warning_enabled(warning::RESTRICT, loc) {
        return;
    }
    let name = target.and_then(|id| library_name(cx, id)).unwrap_or_default();
    if matches!(name, "sprintf" | "snprintf") {
        return;
    }
    let formats = name.ends_with("printf") || name.ends_with("scanf");
    let mut told: Vec<usize> = Vec::new();
    let compared = if formats { &args[..count.min(args.len())] } else { args };
    let nothing = |arg: &ExprRef<'_>| arg.int_value() == Some(0);
    // A library function that is told to copy nothing.
    if compared.len() == 3 && nothing(&compared[2]) && !name.is_empty() {
        return;
    }
    while restricts != 0 {
        let index = restricts.trailing_zeros() as usize;
        restricts &= restricts - 1;
        let Some(&passed) = compared.get(index) else { continue };
        let arg = behind_casts(passed);
        if nothing(&arg) || told.contains(&index) {
            continue;
        }
        let same =
            |&(at, other): &(usize, &ExprRef<'_>)| at != index && same::same_value(&cx.unit, arg, behind_casts(other));
        let others: Vec<usize> = compared.iter().enumerate().filter(same).map(|(at, _)| at).collect();
        if others.is_empty() {
            continue;
        }
        let message = format!(
            "passing argument {} to 'restrict'-qualified parameter aliases with argument{} {}",
            index + 1,
            if others.len() == 1 { "" } else { "s" },
            others.iter().map(|at| (at + 1).to_string()).collect::<Vec<_>>().join(", ")
        );
        told.extend(others);
        // Variables have no place of their own in gcc.
        let operand = match arg.kind {
            ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand } => operand,
            _ => arg,
        };
        let variable = matches!(operand.kind, ExprKind::Decl(_)) && passed.loc == operand.loc;
        cx.warn(warning::RESTRICT, if variable { loc } else { passed.loc }, message);
    }
}

/// The pointer that is converted to another type of pointer.
fn behind_casts<'a>(mut expr: ExprRef<'a>) -> ExprRef<'a> {
    while let ExprKind::Cast { operand, kind: CastKind::Pointer | CastKind::NoOp } = expr.kind {
        expr = operand;
    }
    expr
}
