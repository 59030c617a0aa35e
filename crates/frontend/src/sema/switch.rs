//! `switch`, `case` and `default` (C23 6.8.5.3).
//!
//! Case values are kept as they come and sorted at the end; ranges (GNU) cost one entry. Duplicates
//! are found by comparing neighbours in the sorted list.

use std::cmp::Ordering;

use base::{Loc, warning};
use cranelift_entity::EntityRef;

use super::constants::{self, Strictness, fold, integers, wide};
use super::labels::{JumpKind, JumpScopeId};
use super::{Sema, conversions, lints};
use crate::tree::{
    CaseId, CastKind, EnumId, ExprFlags, ExprKind, ExprRef, IntInfo, QualType, Stmt, StmtKind, Switch, SwitchCase, Ty,
    TypeKind,
};

/// A `switch` whose body is being parsed.
pub struct SwitchState {
    /// Promoted type of the controlling expression.
    ty: Ty,
    /// Its type before promotion, if an enumeration.
    pub enumeration: Option<EnumId>,
    /// The same as written.
    pub written: QualType,
    /// Facts of the type before promotion, for out-of-range warnings.
    pub original: IntInfo,
    /// The controlling expression is a truth value.
    pub boolean: bool,
    /// Labels; sorted at the end.
    pub cases: Vec<SwitchCase>,
    /// Case values of a type wider than 128 bits; the numbers in `cases` are their indices then.
    wide: Vec<Box<[u64]>>,
    /// `default:`, and where it stands.
    pub default: Option<(CaseId, Loc)>,
    count: u32,
    jump_scope: Option<JumpScopeId>,
    /// Where `switch` stands.
    pub loc: Loc,
    /// `-Wimplicit-fallthrough` has nothing to say of the labels that follow.
    pub fallthrough_searched: bool,
    /// There was an error.
    pub failed: bool,
}

/// `switch (condition)`: answers the promoted condition.
pub fn begin<'a>(
    cx: &mut Sema<'_, 'a>,
    cond: ExprRef<'a>,
    names: smallvec::SmallVec<[base::Symbol; 1]>,
    loc: Loc,
) -> ExprRef<'a> {
    let value = conversions::rvalue(cx, cond);
    let failed = value.is_error() || !cx.types().is_integer(value.ty.ty());
    if failed && !value.is_error() {
        cx.error(value.loc, "switch quantity not an integer");
    }
    let written = value.written;
    let enumeration = match cx.kind(value.ty) {
        TypeKind::Enum(id) => Some(id),
        _ => None,
    };
    let boolean = cx.kind(value.ty) == TypeKind::Bool
        || value.flags.has(ExprFlags::TRUTH) && !matches!(value.kind, ExprKind::Cast { kind: CastKind::NoOp, .. });
    let original = cx.types().int_info(value.ty.ty()).unwrap_or(IntInfo { bits: 32, signed: true, rank: 32 });
    let value = if failed { cx.error_expr(loc) } else { conversions::promote(cx, value) };
    let ty = if failed { Ty::INT } else { value.ty.ty() };
    let jump_scope = cx.fun().jump_scope;
    cx.fun().switches.push(SwitchState {
        ty,
        enumeration,
        written,
        original,
        boolean,
        cases: Vec::new(),
        wide: Vec::new(),
        default: None,
        count: 0,
        jump_scope,
        loc,
        fallthrough_searched: false,
        failed,
    });
    cx.fun().breakables.push(super::statements::Breakable { is_loop: false, names });
    value
}

impl SwitchState {
    /// The order of two case values.
    fn order(&self, a: i128, b: i128, info: IntInfo) -> Ordering {
        if info.bits <= wide::NARROW_BITS {
            return integers::compare(a, b, info);
        }
        let number = |index: i128| wide::from_wide(&self.wide[index as usize], info);
        wide::compare(&number(a), &number(b))
    }
}

fn new_case(state: &mut SwitchState) -> CaseId {
    state.count += 1;
    CaseId::new(state.count as usize - 1)
}

/// `case low:`, `case low ... high:`
pub fn case<'a>(cx: &mut Sema<'_, 'a>, low: ExprRef<'a>, high: Option<ExprRef<'a>>, loc: Loc) -> Option<Stmt<'a>> {
    if cx.fun().switches.is_empty() {
        cx.error(loc, "case label not within a switch statement");
        return None;
    }
    check_scope(cx, loc);
    let low = case_value(cx, low, loc);
    if high.is_some() {
        cx.pedantic(loc, "range expressions in switch statements are non-standard");
    }
    let high = match high {
        Some(high) => case_value(cx, high, loc),
        None => low,
    };
    let (Some(low), Some(high)) = (low, high) else {
        let state = cx.fun().switches.last_mut()?;
        state.failed = true;
        let case = new_case(state);
        return Some(Stmt { kind: StmtKind::Case(case), loc });
    };
    let ty = cx.fun().switches.last()?.ty;
    let info = cx.types().int_info(ty)?;
    let order = cx.fun().switches.last()?.order(low, high, info);
    if order.is_gt() {
        cx.sess.warn_always(loc, "empty range specified").emit();
    }
    let state = cx.fun().switches.last_mut()?;
    let case = new_case(state);
    if order.is_le() {
        state.cases.push(SwitchCase { low, high, case, loc });
    }
    Some(Stmt { kind: StmtKind::Case(case), loc })
}

/// A `case` label may not lead into the scope of an identifier with variably modified type, nor
/// into a statement expression.
fn check_scope(cx: &mut Sema<'_, '_>, loc: Loc) {
    let function = cx.fun();
    let (from, to) = (function.switches.last().and_then(|s| s.jump_scope), function.jump_scope);
    let start = function.switches.last().map_or(loc, |s| s.loc);
    let message = match super::labels::entered(cx, from, to) {
        None => return,
        Some(JumpKind::VariablyModified) => "switch jumps into scope of identifier with variably modified type",
        Some(JumpKind::StatementExpression) => "switch jumps into statement expression",
        Some(JumpKind::Deferred) => "switch jumps over a deferred statement into its scope",
        Some(JumpKind::Initialized(variable)) => {
            let declared = (cx.unit.decls[variable].loc, format!("{} declared here", cx.dname(variable)));
            cx.sess
                .warn(warning::JUMP_MISSES_INIT, loc, "switch jumps over variable initialization")
                .note(start, "switch starts here")
                .note(declared.0, declared.1)
                .emit();
            return;
        }
    };
    cx.sess.error(loc, message).note(start, "switch starts here").emit();
}

fn case_value<'a>(cx: &mut Sema<'_, 'a>, value: ExprRef<'a>, loc: Loc) -> Option<i128> {
    if value.is_error() {
        return None;
    }
    if cx.types().is_pointer(value.ty.ty()) {
        cx.error(value.loc, "pointers are not permitted as case values");
        return None;
    }
    let state = cx.fun().switches.last()?;
    let (ty, failed) = (state.ty, state.failed);
    let info = cx.types().int_info(ty)?;
    if !failed && (info.bits > wide::NARROW_BITS || matches!(value.kind, ExprKind::Wide(_))) {
        return wide_case_value(cx, value, info);
    }
    if constants::integer_value(cx, value).is_none() {
        cx.error(loc, "case label does not reduce to an integer constant");
        return None;
    }
    let (v, _) = constants::require_integer(
        cx,
        value,
        Strictness::Folded,
        "case label does not reduce to an integer constant",
        "case label is not an integer constant expression",
    )?;
    if failed {
        return None;
    }
    lints::constant_converted(cx, value, ty, loc);
    let converted = integers::wrap(v, info);
    Some(converted)
}

/// The same where the type of the condition or of the label is wider than 128 bits.
fn wide_case_value(cx: &mut Sema<'_, '_>, value: ExprRef<'_>, info: IntInfo) -> Option<i128> {
    let constant = fold::constant_of(value).and_then(|constant| fold::number_of(cx, constant, value.ty.ty()));
    let Some(number) = constant else {
        cx.error(value.loc, "case label does not reduce to an integer constant");
        return None;
    };
    if !value.flags.has(ExprFlags::ICE) {
        cx.pedantic(value.loc, "case label is not an integer constant expression");
    }
    let (limbs, fits) = wide::wrap(&number, info);
    if !fits && (info.signed || wide::compare(&number, &[0]).is_ge()) {
        let (old, new) = (wide::to_text(&number), wide::to_text(&wide::from_wide(&limbs, info)));
        let message = format!("overflow in conversion changes case label value from '{old}' to '{new}'");
        cx.warn(warning::OVERFLOW, value.loc, message);
    }
    if info.bits <= wide::NARROW_BITS {
        return Some(wide::to_narrow(&number, info).0);
    }
    let table = &mut cx.fun().switches.last_mut()?.wide;
    table.push(limbs.into());
    Some(table.len() as i128 - 1)
}

/// `default:`
pub fn default<'a>(cx: &mut Sema<'_, 'a>, loc: Loc) -> Option<Stmt<'a>> {
    if cx.fun().switches.is_empty() {
        cx.error(loc, "'default' label not within a switch statement");
        return None;
    }
    check_scope(cx, loc);
    let state = cx.fun().switches.last_mut()?;
    let case = new_case(state);
    match state.default {
        Some((_, first)) => {
            cx.sess
                .error(loc, "multiple default labels in one switch")
                .note(first, "this is the first default label")
                .emit();
        }
        None => state.default = Some((case, loc)),
    }
    Some(Stmt { kind: StmtKind::Case(case), loc })
}

/// The body is complete.
pub fn finish<'a>(cx: &mut Sema<'_, 'a>, cond: ExprRef<'a>, body: &'a Stmt<'a>) -> StmtKind<'a> {
    cx.fun().breakables.pop();
    let Some(mut state) = cx.fun().switches.pop() else { base::bug!("end of a switch that was not begun") };
    let info = cx.types().int_info(state.ty).unwrap_or(IntInfo { bits: 32, signed: true, rank: 32 });
    let mut cases = std::mem::take(&mut state.cases);
    cases.sort_by(|a, b| state.order(a.low, b.low, info).then(a.case.cmp(&b.case)));
    state.cases = cases;
    let mut duplicates: Vec<(SwitchCase, SwitchCase)> = Vec::new();
    for pair in state.cases.windows(2) {
        if state.order(pair[1].low, pair[0].high, info).is_le() {
            let (later, earlier) = if pair[0].case < pair[1].case { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
            duplicates.push((later, earlier));
        }
    }
    for (later, earlier) in duplicates {
        let single = state.order(later.low, later.high, info).is_eq();
        let message = if single { "duplicate case value" } else { "duplicate (or overlapping) case value" };
        let note = if single { "previously used here" } else { "this is the first entry overlapping that value" };
        cx.sess.error(later.loc, message).note(earlier.loc, note).emit();
        state.cases.retain(|case| case.case != later.case);
    }
    lints::switch_finished(cx, &state, info);
    let cases = cx.slice(&state.cases);
    let default = state.default.map(|d| d.0);
    let wide: Vec<&'a [u64]> = state.wide.iter().map(|limbs| &*cx.arena.alloc_slice_copy(limbs)).collect();
    let wide = cx.slice(&wide);
    let switch = cx.arena.alloc(Switch { cond, cases, default, body, case_count: state.count, wide });
    StmtKind::Switch(switch)
}
