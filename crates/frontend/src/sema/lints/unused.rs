//! Warnings about what is not used: variables, functions, values, results.

use base::{Loc, Symbol, warning};
use rustc_hash::FxHashSet;

use crate::sema::Sema;
use crate::sema::constants::fold::constant_of;
use crate::tree::walk;
use crate::tree::{AttrFlags, CastKind, DeclFlags, DeclId, DeclKind, ExprKind, ExprRef, Linkage, TypeKind, UnaryOp};

/// `-Wunused-value` of a statement, which begins at `loc`.
pub fn warn_unused_statement(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>, loc: Loc) {
    let loc = if matches!(expr.kind, ExprKind::Comma { .. }) { loc } else { expr.loc };
    warn_unused_value(cx, expr, loc, Place::Statement);
}

/// The same of what is left of a comma at `loc`.
pub fn warn_unused_left(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>, loc: Loc) {
    warn_unused_value(cx, expr, loc, Place::LeftOfComma);
}

/// Where an expression stands whose value is not used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Statement,
    LeftOfComma,
}

/// gcc's three cases: nothing happens at all; only the last operand of a comma does nothing;
/// something happens, but the outermost operation's value is lost.
fn warn_unused_value(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>, loc: Loc, place: Place) {
    let ordinary = matches!(expr.kind, ExprKind::Call { .. } | ExprKind::Assign { .. } | ExprKind::Update(_));
    if ordinary || cx.kind(expr.ty) == TypeKind::Void || expr.ty.quals().is_volatile() {
        return;
    }
    if !has_effect(expr) {
        let message = match place {
            Place::Statement => "statement with no effect",
            Place::LeftOfComma => "left-hand operand of comma expression has no effect",
        };
        cx.warn(warning::UNUSED_VALUE, loc, message);
        return;
    }
    let (mut last, mut comma) = (expr, expr.loc);
    while let ExprKind::Comma { rhs, .. } = last.kind {
        (last, comma) = (rhs, last.loc);
    }
    if !std::ptr::eq(last, expr) {
        if !has_effect(last) && !is_conversion(last) {
            cx.warn(warning::UNUSED_VALUE, comma, "right-hand operand of comma expression has no effect");
        }
    } else if let Some(loc) = lost_value(cx, expr, place) {
        cx.warn(warning::UNUSED_VALUE, loc, "value computed is not used");
    }
}

/// Whether anything happens. Operators with names (`__builtin_expect`) count: macros end in them.
fn has_effect(expr: ExprRef<'_>) -> bool {
    let mut builtin = false;
    walk::walk([walk::Node::Expr(expr)], |node| {
        builtin |= matches!(node, walk::Node::Expr(e) if matches!(e.kind, ExprKind::Builtin { .. }));
        !builtin
    });
    builtin || walk::has_side_effects(expr)
}

fn is_conversion(expr: ExprRef<'_>) -> bool {
    let read = |kind| matches!(kind, CastKind::LvalueToRvalue | CastKind::ArrayToPointer | CastKind::FunctionToPointer);
    matches!(expr.kind, ExprKind::Cast { kind, .. } if !read(kind))
}

/// The outermost operation of an expression with effects, if it computes a value.
fn lost_value(cx: &Sema<'_, '_>, mut expr: ExprRef<'_>, place: Place) -> Option<Loc> {
    loop {
        expr = match expr.kind {
            ExprKind::Cast { kind: CastKind::ToVoid, .. } => return None,
            ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand } if operand.ty.quals().is_volatile() => {
                return None;
            }
            ExprKind::Cast { operand, .. } => operand,
            // The right operand is compared with zero, unless it is a truth value already.
            ExprKind::Logical { rhs, .. } => match rhs.kind {
                ExprKind::Cast { operand, .. } if is_truth_value(operand) => operand,
                ExprKind::Cast { operand, .. } if cx.kind(operand.ty) != TypeKind::Bool => {
                    return (place == Place::LeftOfComma || !ends_in_number(operand)).then_some(expr.loc);
                }
                ExprKind::Logical { .. } => rhs,
                _ if cx.kind(rhs.ty) == TypeKind::Bool && rhs.int_value().is_none() => rhs,
                _ => return Some(expr.loc),
            },
            // `(f(), 0)` is a common way to write a value that may be dropped.
            ExprKind::Comma { .. } if ends_in_number(expr) => return None,
            ExprKind::Comma { rhs, .. } => rhs,
            _ if becomes_conditional(expr) => return None,
            ExprKind::Int(_)
            | ExprKind::Wide(_)
            | ExprKind::Float(_)
            | ExprKind::Complex(_)
            | ExprKind::String(_)
            | ExprKind::Decl(_)
            | ExprKind::Unary { .. }
            | ExprKind::AddrOf(_)
            | ExprKind::Member { .. }
            | ExprKind::Deref(_)
            | ExprKind::Binary { .. }
            | ExprKind::PtrAdd { .. } => return Some(expr.loc),
            _ => return None,
        };
    }
}

/// An operation that gcc does in the arms of its operand `a ? b : c`: the other operand is a
/// number.
fn becomes_conditional(mut expr: ExprRef<'_>) -> bool {
    let number = |expr| constant_of(expr).is_some();
    loop {
        expr = match expr.kind {
            ExprKind::Conditional { .. } => return true,
            ExprKind::Cast { operand, .. } | ExprKind::Unary { op: UnaryOp::Neg | UnaryOp::Not, operand } => operand,
            ExprKind::Binary { op, lhs, rhs } if !op.is_comparison() && number(rhs) => lhs,
            ExprKind::Binary { op, lhs, rhs } if !op.is_comparison() && number(lhs) => rhs,
            ExprKind::PtrAdd { ptr, index, .. } if index.int_value().is_some() => ptr,
            _ => return false,
        }
    }
}

/// `a == b`, `!a`, `a && b`.
fn is_truth_value(expr: ExprRef<'_>) -> bool {
    match expr.kind {
        ExprKind::Logical { .. } => true,
        ExprKind::Unary { op, .. } => op == UnaryOp::LogicalNot,
        ExprKind::Binary { op, .. } => op.is_comparison(),
        _ => false,
    }
}

/// `(f(), 0)`.
fn ends_in_number(expr: ExprRef<'_>) -> bool {
    matches!(expr.kind, ExprKind::Comma { rhs, .. } if rhs.int_value().is_some())
}

/// `warn_unused_result` and `[[nodiscard]]`: the calls whose results are lost with the value of
/// `expr`. A cast to `void` silences only the second, as in gcc.
pub fn warn_unused_result(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>) {
    let mut pending = smallvec::SmallVec::<[(ExprRef<'_>, bool); 4]>::new();
    pending.push((expr, false));
    while let Some((expr, cast)) = pending.pop() {
        match expr.kind {
            ExprKind::Call { callee, .. } => unused_call(cx, expr, callee, cast),
            ExprKind::Cast { kind: CastKind::ToVoid, operand } => pending.push((operand, true)),
            ExprKind::Cast { operand, .. } => pending.push((operand, cast)),
            // The left operand was looked at when the comma was read.
            ExprKind::Comma { rhs, .. } => pending.push((rhs, cast)),
            ExprKind::StmtExpr { result: Some(result), .. } => pending.push((result, cast)),
            _ => {}
        }
    }
}

fn unused_call(cx: &mut Sema<'_, '_>, call: ExprRef<'_>, callee: ExprRef<'_>, cast: bool) {
    super::format_lengths::dropped(cx, call.loc);
    let Some(id) = callee.callee_decl() else { return };
    let Some(attrs) = cx.unit.attrs(id) else { return };
    if cx.kind(call.ty) == TypeKind::Void {
        return;
    }
    let name = cx.dname(id);
    let message = if attrs.flags.has(AttrFlags::WARN_UNUSED_RESULT) {
        format!("ignoring return value of {name} declared with attribute 'warn_unused_result'")
    } else if attrs.flags.has(AttrFlags::NODISCARD) && !cast {
        let reason = attrs.message.map_or(String::new(), |reason| format!(": \"{}\"", cx.str(reason)));
        format!("ignoring return value of {name}, declared with attribute 'nodiscard'{reason}")
    } else {
        return;
    };
    let declared = cx.unit.decls[id].loc;
    cx.sess.warn(warning::UNUSED_RESULT, call.loc, message).note(declared, "declared here").emit();
}

/// At the end of a function: parameters that are never read.
pub fn check_function(cx: &mut Sema<'_, '_>) {
    let params = cx.fun().params.clone();
    for id in params {
        let decl = cx.unit.decls[id];
        if decl.name.is_none() || has_unused_attribute(cx, id) {
            continue;
        }
        if !decl.flags.is_named() {
            let name = cx.dname(id);
            if decl.flags.has(DeclFlags::SET) {
                let message = format!("parameter {name} set but not used");
                cx.warn(warning::UNUSED_BUT_SET_PARAMETER, decl.loc, message);
            } else {
                cx.warn(warning::UNUSED_PARAMETER, decl.loc, format!("unused parameter {name}"));
            }
        }
    }
}

fn has_unused_attribute(cx: &Sema<'_, '_>, id: DeclId) -> bool {
    cx.unit
        .attrs(id)
        .is_some_and(|a| a.flags.has(AttrFlags::UNUSED) || a.flags.has(AttrFlags::USED) || a.cleanup.is_some())
}

/// At the end of the scope of a local variable or typedef.
#[inline]
pub fn check_local(cx: &mut Sema<'_, '_>, id: DeclId) {
    let decl = &cx.unit.decls[id];
    if !decl.flags.is_named() && decl.linkage == Linkage::None && !has_unused_attribute(cx, id) {
        report_local(cx, id);
    }
}

fn report_local(cx: &mut Sema<'_, '_>, id: DeclId) {
    let decl = cx.unit.decls[id];
    match decl.kind {
        DeclKind::Variable if !cx.types().is_error(decl.ty.ty()) && !decl.flags.has(DeclFlags::FUNC_NAME) => {
            let name = cx.dname(id);
            if decl.flags.has(DeclFlags::SET) {
                let message = format!("variable {name} set but not used");
                cx.warn(warning::UNUSED_BUT_SET_VARIABLE, decl.loc, message);
            } else {
                cx.warn(warning::UNUSED_VARIABLE, decl.loc, format!("unused variable {name}"));
            }
        }
        DeclKind::Typedef => {
            let name = cx.dname(id);
            let message = format!("typedef {name} locally defined but not used");
            cx.warn(warning::UNUSED_LOCAL_TYPEDEFS, decl.loc, message);
        }
        _ => {}
    }
}

/// At the end of the unit: variables with internal linkage that nothing names. Those that cannot
/// change are reported in the main file only.
fn check_static_variables(cx: &mut Sema<'_, '_>, targets: &FxHashSet<Option<Symbol>>) {
    for id in std::mem::take(&mut cx.unit_lints.static_variables) {
        let decl = cx.unit.decls[id];
        let quals = crate::sema::types::effective_quals(cx.types(), decl.ty);
        let attributes = cx.unit.attrs(id).is_some_and(|a| a.alias.is_some() || a.weakref.is_some());
        // Setting it is a use, as is another name for it.
        if decl.flags.is_named()
            || decl.flags.has(DeclFlags::SET)
            || decl.linkage != Linkage::Internal
            || quals.is_volatile()
            || attributes
            || targets.contains(&decl.asm_name.or(decl.name))
            || has_unused_attribute(cx, id)
            || cx.types().is_error(decl.ty.ty())
        {
            continue;
        }
        let message = format!("{} defined but not used", cx.dname(id));
        if !quals.is_const() {
            cx.warn(warning::UNUSED_VARIABLE, decl.loc, message);
        } else if in_main_file(cx, decl.loc) {
            cx.warn(warning::UNUSED_CONST_VARIABLE, decl.loc, message);
        }
    }
}

/// The place is in the file that is compiled, as its lines say (`#line`).
fn in_main_file(cx: &Sema<'_, '_>, loc: Loc) -> bool {
    let presumed = cx.sess.sources.presumed(loc);
    presumed.is_some_and(|place| cx.str(place.file) == cx.options.input_name)
}

/// At the end of the unit: internal functions that are not used, or used and not defined.
pub fn check_unit(cx: &mut Sema<'_, '_>) {
    // Symbols that `alias` and `ifunc` name: another name for a definition uses it.
    let targets: FxHashSet<Option<Symbol>> =
        cx.unit.attributes.values().flat_map(|a| [a.alias, a.ifunc]).filter(Option::is_some).collect();
    // As in gcc, definitions are not looked at under `-fsyntax-only`.
    if !cx.lang.syntax_only {
        check_static_variables(cx, &targets);
    }
    for id in std::mem::take(&mut cx.unit_lints.static_functions) {
        let decl = cx.unit.decls[id];
        if decl.linkage != Linkage::Internal {
            continue;
        }
        let used = decl.flags.has(DeclFlags::REFERENCED);
        if decl.flags.is_named() && decl.flags.has(DeclFlags::DEFINED) {
            continue;
        }
        let name = cx.dname(id);
        let aliased = cx.unit.attrs(id).is_some_and(|a| {
            a.alias.is_some()
                || a.ifunc.is_some()
                || a.weakref.is_some()
                || a.flags.has(AttrFlags::WEAKREF)
                || a.constructor.is_some()
                || a.destructor.is_some()
        });
        if !decl.flags.has(DeclFlags::DEFINED) {
            if used && !aliased {
                let message = format!("{name} used but never defined");
                cx.pedwarn_always(decl.loc, message);
            } else if !used && !aliased {
                cx.warn(warning::UNUSED_FUNCTION, decl.loc, format!("{name} declared 'static' but never defined"));
            }
        } else if cx.lang.syntax_only || targets.contains(&decl.asm_name.or(decl.name)) {
            continue;
        } else if !used && !aliased && !has_unused_attribute(cx, id) && !decl.flags.has(DeclFlags::INLINE) {
            cx.warn(warning::UNUSED_FUNCTION, decl.loc, format!("{name} defined but not used"));
        }
    }
}
