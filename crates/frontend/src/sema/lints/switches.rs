//! `switch`: labels that are missing, cannot be reached or belong to something else.

use base::warning;

use crate::sema::Sema;
use crate::sema::constants::integers;
use crate::sema::switch::SwitchState;
use crate::tree::walk;
use crate::tree::{IntInfo, Stmt, StmtKind};

/// The body is complete and its labels are sorted; `info` tells of the type they have.
pub fn check(cx: &mut Sema<'_, '_>, state: &SwitchState, info: IntInfo) {
    if !state.failed {
        check_outside_range(cx, state, info);
        check_boolean(cx, state);
        check_enumerators(cx, state, info);
    }
    if state.default.is_none() {
        cx.warn(warning::SWITCH_DEFAULT, state.loc, "switch missing default case");
    }
}

/// `-Wswitch-unreachable`: what stands before the first label. Loops are left alone, as a label may
/// lead into them.
pub fn check_unreachable(cx: &mut Sema<'_, '_>, body: &Stmt<'_>) {
    let mut work = vec![body];
    while let Some(stmt) = work.pop() {
        match stmt.kind {
            StmtKind::Block(block) => work.extend(block.stmts.iter().rev()),
            StmtKind::Decl(local) if local.init.is_none() => {}
            StmtKind::Empty | StmtKind::Bounds(_) => {}
            // `(void)0` leaves nothing that could run.
            StmtKind::Expr(expr) if !walk::has_side_effects(expr) => {}
            StmtKind::Decl(_) | StmtKind::Expr(_) | StmtKind::If { .. } | StmtKind::Return(_) => {
                let loc = if let StmtKind::Expr(expr) = stmt.kind { expr.loc } else { stmt.loc };
                cx.warn(warning::SWITCH_UNREACHABLE, loc, "statement will never be executed");
                return;
            }
            _ => return,
        }
    }
}

/// `-Wswitch`: enumerators without a case, cases that are no enumerator.
fn check_enumerators(cx: &mut Sema<'_, '_>, state: &SwitchState, info: IntInfo) {
    let Some(id) = state.enumeration else { return };
    let flag = if state.default.is_some() { warning::SWITCH_ENUM } else { warning::SWITCH };
    let covered = |value: i128| {
        let value = integers::wrap(value, info);
        let at = state.cases.partition_point(|c| integers::compare(c.high, value, info).is_lt());
        state.cases.get(at).is_some_and(|c| integers::compare(c.low, value, info).is_le())
    };
    if cx.sess.warning_enabled(flag, state.loc) {
        let missing: Vec<_> = cx.types().enums[id].constants.iter().filter(|c| !covered(c.1)).map(|c| c.0).collect();
        for name in missing {
            let name = cx.str(name);
            cx.warn(flag, state.loc, format!("enumeration value '{name}' not handled in switch"));
        }
    }
    if cx.sess.warning_enabled(warning::SWITCH, state.loc) {
        let values: rustc_hash::FxHashSet<i128> =
            cx.types().enums[id].constants.iter().map(|c| integers::wrap(c.1, info)).collect();
        let info = &cx.types().enums[id];
        let named = info.tag.is_some() || info.typedef_name.is_some();
        let ty = if named { format!(" {}", cx.tname(state.written)) } else { String::new() };
        for case in &state.cases {
            for value in [case.low, case.high].into_iter().take(1 + usize::from(case.low != case.high)) {
                if !values.contains(&value) {
                    let message = format!("case value '{value}' not in enumerated type{ty}");
                    cx.warn(warning::SWITCH, case.loc, message);
                }
            }
        }
    }
}

/// `-Wswitch-outside-range`: labels that a value of the type before promotion cannot reach, in the
/// order of their values.
fn check_outside_range(cx: &mut Sema<'_, '_>, state: &SwitchState, info: IntInfo) {
    let original = state.original;
    if original.bits >= info.bits {
        return;
    }
    let least = if original.signed { -(1 << (original.bits - 1)) } else { 0 };
    let most = (1i128 << (original.bits - original.signed as u32)) - 1;
    for case in &state.cases {
        let message = if case.high < least {
            "case label value is less than minimum value for type"
        } else if case.low > most {
            "case label value exceeds maximum value for type"
        } else if case.low < least {
            "lower value in case label range less than minimum value for type"
        } else if case.high > most {
            "upper value in case label range exceeds maximum value for type"
        } else {
            continue;
        };
        cx.warn(warning::SWITCH_OUTSIDE_RANGE, case.loc, message);
    }
}

/// `-Wswitch-bool`: a truth value with labels beyond 0 and 1, or with both of them and `default`.
fn check_boolean(cx: &mut Sema<'_, '_>, state: &SwitchState) {
    let (Some(first), Some(last)) = (state.cases.first(), state.cases.last()) else { return };
    let outside = first.low < 0 || last.high > 1;
    let superfluous = state.default.is_some() && (first.low, last.high) == (0, 1);
    if state.boolean && (outside || superfluous) {
        cx.warn(warning::SWITCH_BOOL, state.loc, "switch condition has boolean value");
    }
}
