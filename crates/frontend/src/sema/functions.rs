//! Function definitions (C23 6.9.2): the state of the body being parsed, parameters, the finished
//! tree.

use base::{Loc, Symbol, warning};
use platform::options::Standard;
use rustc_hash::FxHashMap;

use super::expressions::primary::note_captures_of_bounds;
use super::labels::{JumpScope, JumpScopeId};
use super::switch::SwitchState;
use super::{Sema, labels, types};
use crate::tree::{
    Block, CastKind, CleanupId, CleanupScope, DeclFlags, DeclId, DeclKind, ExprKind, ExprRef, FunctionDef,
    FunctionFlags, Initializer, LabelId, LabelInfo, Linkage, QualType, Stmt, StmtKind, Ty, TypeKind, UnaryOp, VlaBound,
};

/// A function whose body is being parsed.
pub struct FunctionState<'a> {
    /// The function.
    pub decl: DeclId,
    /// Its result type.
    pub ret: QualType,
    /// Its parameters.
    pub params: Vec<DeclId>,
    /// Defined with an identifier list.
    pub old_style: bool,
    /// Bounds in parameter types.
    pub param_bounds: &'a [VlaBound<'a>],
    /// Labels, indexed by `LabelId`.
    pub labels: Vec<LabelInfo>,
    /// Which of them are defined.
    pub label_defined: Vec<bool>,
    /// Labels of the whole function by name.
    pub label_names: FxHashMap<Symbol, LabelId>,
    /// `__label__` declarations of open blocks, innermost last.
    pub local_labels: Vec<(Symbol, LabelId)>,
    /// Automatic variables.
    pub locals: Vec<DeclId>,
    /// Scopes with cleanups.
    pub cleanups: Vec<CleanupScope<'a>>,
    /// Innermost open one.
    pub cleanup: Option<CleanupId>,
    /// Facts about the body.
    pub flags: FunctionFlags,
    /// Open `switch` statements.
    pub switches: Vec<SwitchState>,
    /// Enclosing loops and switches, outermost first: what `break` can leave.
    pub breakables: Vec<super::statements::Breakable>,
    /// Inside a deferred statement.
    pub deferring: bool,
    /// Some `break` or `continue` names its statement.
    pub named_jumps: bool,
    /// `__func__` and its synonyms once used.
    pub func_names: Vec<(String, DeclId)>,
    /// Where in the queue of static variables this function's begin.
    pub first_static: usize,
    /// `return` with a value occurred.
    pub returns_value: bool,
    /// Scope depth outside the function.
    pub outer_depth: usize,
    /// The names reported as undeclared around a nested function.
    pub outer_undeclared: FxHashMap<Symbol, ()>,
    /// Gotos: where the jump stands, for the check that it enters no scope it must not.
    pub gotos: Vec<(LabelId, Option<JumpScopeId>, Loc)>,
    /// Scopes that no jump may enter.
    pub jump_scopes: Vec<JumpScope>,
    /// Innermost open one.
    pub jump_scope: Option<JumpScopeId>,
    /// The one each label stands in, by `LabelId`.
    pub label_scopes: Vec<Option<JumpScopeId>>,
}

/// Parameters and old-style facts of the declarator of a function definition.
pub struct DefinitionParams<'a> {
    /// Parameters in order.
    pub params: Vec<DeclId>,
    /// Identifier list.
    pub old_style: bool,
    /// Bounds in their types.
    pub bounds: &'a [VlaBound<'a>],
}

/// The `{` of a function body has been reached; the innermost scope holds the parameters.
pub fn begin<'a>(cx: &mut Sema<'_, 'a>, decl: DeclId, definition: DefinitionParams<'a>, outer_depth: usize) {
    let info = cx.unit.decls[decl];
    cx.unit.decls[decl].flags.set(DeclFlags::DEFINED);
    let ret = cx.types().signature_of(info.ty.ty()).map_or(Ty::INT.plain(), |s| s.ret);
    if cx.kind(ret) != TypeKind::Void && cx.types().is_incomplete(ret.ty()) {
        cx.error(info.loc, "return type is an incomplete type");
    }
    if cx.types().is_record(ret.ty()) {
        cx.warn(warning::AGGREGATE_RETURN, info.loc, "function returns an aggregate");
    }
    warn_missing_prototype(cx, decl);
    check_interrupt(cx, decl);
    check_kept_registers(cx, decl);
    let nested = !cx.functions.is_empty();
    if nested {
        cx.pedantic(info.loc, "ISO C forbids nested functions");
        cx.fun().flags.has_nested = true;
    }
    for &param in &definition.params {
        let p = cx.unit.decls[param];
        cx.unit.decls[param].function = decl.into();
        super::shadow::check(cx, param);
        if cx.kind(p.ty) != TypeKind::Error && cx.types().is_incomplete(p.ty.ty()) {
            let name = cx.dname(param);
            let position = definition.params.iter().position(|&q| q == param).unwrap_or(0) + 1;
            let message = match p.name {
                Some(_) => format!("parameter {position} ({name}) has incomplete type"),
                None => format!("parameter {position} has incomplete type"),
            };
            cx.error(p.loc, message);
            cx.unit.decls[param].ty = Ty::ERROR.plain();
        }
        if p.name.is_none() && !cx.since(Standard::C23) {
            cx.pedantic(info.loc, "ISO C does not support omitting parameter names in function definitions before C2X");
        }
    }
    let undeclared = std::mem::take(&mut cx.undeclared);
    let first_static = cx.pending_statics.len();
    cx.functions.push(FunctionState {
        decl,
        ret,
        params: definition.params,
        old_style: definition.old_style,
        param_bounds: definition.bounds,
        labels: Vec::new(),
        label_defined: Vec::new(),
        label_names: FxHashMap::default(),
        local_labels: Vec::new(),
        locals: Vec::new(),
        cleanups: Vec::new(),
        cleanup: None,
        flags: FunctionFlags::default(),
        switches: Vec::new(),
        breakables: Vec::new(),
        deferring: false,
        named_jumps: false,
        func_names: Vec::new(),
        first_static,
        returns_value: false,
        outer_depth,
        outer_undeclared: undeclared,
        gotos: Vec::new(),
        jump_scopes: Vec::new(),
        jump_scope: None,
        label_scopes: Vec::new(),
    });
    if let Some(name) = info.name {
        cx.sess.diag.enter_function(name, info.loc);
    }
    super::excess::update(cx);
    if cx.functions.len() > 1 {
        note_captures_of_bounds(cx, definition.bounds);
    }
}

fn warn_missing_prototype(cx: &mut Sema<'_, '_>, decl: DeclId) {
    let info = cx.unit.decls[decl];
    if info.linkage == Linkage::External && !info.flags.has(DeclFlags::INLINE) && info.name != Some(cx.names.main) {
        let before = cx.declared_before.get(&decl).copied();
        let name = cx.dname(decl);
        let prototype = cx.types().signature_of(info.ty.ty()).is_some_and(|s| s.prototype);
        // gcc gives the first of its three warnings that fits.
        if before != Some(true) && !prototype && cx.sess.warning_enabled(warning::STRICT_PROTOTYPES, info.loc) {
            return;
        }
        if before != Some(true) && cx.sess.warning_enabled(warning::MISSING_PROTOTYPES, info.loc) {
            cx.warn(warning::MISSING_PROTOTYPES, info.loc, format!("no previous prototype for {name}"));
        } else if before.is_none() {
            cx.warn(warning::MISSING_DECLARATIONS, info.loc, format!("no previous declaration for {name}"));
        }
    }
}

/// The body is complete: checks labels, warns, and answers the finished function. Leaves its scope.
pub fn finish<'a>(cx: &mut Sema<'_, 'a>, body: &'a Block<'a>) -> &'a FunctionDef<'a> {
    labels::check_all(cx);
    super::truncations::flush(cx);
    let falls_off = statements_fall_through(cx, body.stmts);
    let info = {
        let function = cx.fun();
        function.flags.falls_off_end = falls_off;
        (function.decl, function.ret, function.returns_value)
    };
    check_return(cx, info.0, info.1, falls_off, body.end);
    super::unused::check_function(cx);
    let Some(mut state) = cx.functions.pop() else { base::bug!("end of a function that was not begun") };
    if cx.unit.decls[state.decl].name.is_some() {
        cx.sess.diag.leave_function(body.end);
    }
    super::excess::update(cx);
    // Offsets and sizes of an enclosing function's structures of variable size are in its frame.
    state.flags.needs_static_chain |= cx.unit.types.has_variable_records && !cx.functions.is_empty();
    let depth = state.outer_depth;
    cx.scopes.pop_to(depth);
    cx.undeclared = state.outer_undeclared;
    let statics: Vec<_> = cx.pending_statics.drain(state.first_static..).collect();
    let def = FunctionDef {
        decl: state.decl,
        params: cx.slice(&state.params),
        old_style: state.old_style,
        param_bounds: state.param_bounds,
        body,
        locals: cx.slice(&state.locals),
        statics: cx.slice(&statics),
        labels: cx.slice(&state.labels),
        cleanups: cx.slice(&state.cleanups),
        opaques: cx.opaques,
        flags: state.flags,
        parent: cx.functions.last().map(|f| f.decl),
        loc: cx.unit.decls[state.decl].loc,
    };
    if let Some(outer) = cx.functions.last_mut()
        && def.flags.needs_static_chain
    {
        outer.flags.has_nested = true;
    }
    cx.arena.alloc(def)
}

/// The form of an `interrupt` function (GCC manual, x86 function attributes): no result, a pointer
/// to what the processor pushed and, where there is one, the error code. Only the general registers
/// are saved.
fn check_interrupt(cx: &mut Sema<'_, '_>, decl: DeclId) {
    let info = cx.unit.decls[decl];
    if !cx.unit.attrs(decl).is_some_and(|a| a.flags.has(crate::tree::AttrFlags::INTERRUPT)) {
        return;
    }
    let Some(signature) = cx.types().signature_of(info.ty.ty()).cloned() else { return };
    let params = &signature.params;
    let message = if cx.kind(signature.ret) != TypeKind::Void {
        "interrupt service routine must return 'void'"
    } else if params.is_empty() || !cx.types().is_pointer(params[0].ty()) {
        "interrupt service routine should have a pointer as the first argument"
    } else if params.len() > 2 || signature.variadic {
        "interrupt service routine can only have a pointer argument and an optional integer argument"
    } else if params.get(1).is_some_and(|p| ![Ty::ULONG, Ty::ULONGLONG].contains(&cx.types().canonical(p.ty()))) {
        "interrupt service routine should have 'unsigned long int' as the second argument"
    } else if !cx.options.codegen.general_regs_only {
        "SSE instructions aren't allowed in an interrupt service routine"
    } else {
        return;
    };
    cx.error(info.loc, message);
}

/// A function with the attribute `no_caller_saved_registers` saves general registers only.
fn check_kept_registers(cx: &mut Sema<'_, '_>, decl: DeclId) {
    let flag = crate::tree::AttrFlags::NO_CALLER_SAVED;
    if !cx.options.codegen.general_regs_only && cx.unit.attrs(decl).is_some_and(|a| a.flags.has(flag)) {
        let message = "SSE instructions aren't allowed in a function with the 'no_caller_saved_registers' attribute";
        cx.error(cx.unit.decls[decl].loc, message);
    }
}

fn check_return(cx: &mut Sema<'_, '_>, decl: DeclId, ret: QualType, falls_off: bool, end: Loc) {
    let info = cx.unit.decls[decl];
    if info.flags.has(DeclFlags::NORETURN) {
        if falls_off {
            cx.sess.warn_always(end, "'noreturn' function does return").emit();
        }
        return;
    }
    let is_main = info.name == Some(cx.names.main) && cx.since(Standard::C99);
    let naked = cx.unit.attrs(decl).is_some_and(|a| a.flags.has(crate::tree::AttrFlags::NAKED));
    if !falls_off || cx.kind(ret) == TypeKind::Void || is_main || naked || cx.types().is_error(ret.ty()) {
        return;
    }
    cx.warn(warning::RETURN_TYPE, end, "control reaches end of non-void function");
}

/// Control may reach the end of a list of statements. Approximate in the direction of "may not":
/// calls of functions that do not return, infinite loops without `break` and jumps end a list; a
/// label makes what follows reachable again.
pub fn statements_fall_through(cx: &Sema<'_, '_>, stmts: &[Stmt<'_>]) -> bool {
    list_falls_through(cx, stmts, true)
}

/// The same where control may reach the beginning or not.
fn list_falls_through(cx: &Sema<'_, '_>, stmts: &[Stmt<'_>], reachable: bool) -> bool {
    let mut reachable = reachable;
    for stmt in stmts {
        match stmt.kind {
            StmtKind::Label(_) | StmtKind::Case(_) => reachable = true,
            _ if !reachable && !contains_target(stmt) => {}
            StmtKind::If { arms, els } if !reachable => {
                // Only labels lead into it.
                let mut inside = arms.iter().map(|arm| arm.then).chain(els).filter(|arm| contains_target(arm));
                reachable = inside.any(|arm| falls_through(cx, arm));
            }
            _ => reachable = falls_through(cx, stmt),
        }
    }
    reachable
}

/// A label inside the statement can be jumped to.
fn contains_target(stmt: &Stmt<'_>) -> bool {
    match stmt.kind {
        StmtKind::Label(_) | StmtKind::Case(_) => true,
        StmtKind::Block(block) => block.stmts.iter().any(contains_target),
        StmtKind::If { arms, els } => arms.iter().any(|a| contains_target(a.then)) || els.is_some_and(contains_target),
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => contains_target(body),
        StmtKind::For(f) => contains_target(f.body),
        StmtKind::Switch(s) => contains_target(s.body),
        _ => false,
    }
}

fn falls_through(cx: &Sema<'_, '_>, stmt: &Stmt<'_>) -> bool {
    match stmt.kind {
        StmtKind::Return(_)
        | StmtKind::Goto(_)
        | StmtKind::GotoComputed(_)
        | StmtKind::Break(_)
        | StmtKind::Continue(_) => false,
        StmtKind::Expr(expr) => !never_returns(cx, expr),
        StmtKind::Decl(local) => match local.init {
            Some(&Initializer::Value(value)) => !never_returns(cx, value),
            _ => true,
        },
        StmtKind::Fallthrough => !cx.fallthrough_ends,
        StmtKind::Block(block) => statements_fall_through(cx, block.stmts),
        StmtKind::If { arms, els } => {
            let mut any = false;
            for arm in arms {
                match constant_condition(cx, arm.cond, CONDITION_DEPTH) {
                    Some(false) => any |= contains_target(arm.then) && falls_through(cx, arm.then),
                    Some(_) => return any || falls_through(cx, arm.then),
                    None => any |= falls_through(cx, arm.then),
                }
            }
            any || els.is_none_or(|e| falls_through(cx, e))
        }
        StmtKind::While { cond, body } => !is_always_true(cx, cond) || has_break(cx, body),
        StmtKind::DoWhile { body, cond } => {
            has_break(cx, body) || (!is_always_true(cx, cond) && (falls_through(cx, body) || has_continue(cx, body)))
        }
        StmtKind::For(f) => f.cond.is_some_and(|cond| !is_always_true(cx, cond)) || has_break(cx, f.body),
        StmtKind::Switch(s) => {
            let body = std::slice::from_ref(s.body);
            let body = if let StmtKind::Block(block) = s.body.kind { block.stmts } else { body };
            s.default.is_none() && !covers_all(cx, s) || has_break(cx, s.body) || list_falls_through(cx, body, false)
        }
        StmtKind::Asm(asm) => asm.labels.is_empty() || !asm.template.is_empty(),
        _ => true,
    }
}

/// Operators that are looked through for the value of a condition.
const CONDITION_DEPTH: u32 = 64;

fn is_always_true(cx: &Sema<'_, '_>, cond: ExprRef<'_>) -> bool {
    constant_condition(cx, cond, CONDITION_DEPTH) == Some(true)
}

/// The value of a condition if it is the same always: also `x && 0` and the address of an object.
fn constant_condition(cx: &Sema<'_, '_>, cond: ExprRef<'_>, depth: u32) -> Option<bool> {
    if depth == 0 {
        return None;
    }
    let sub = |expr| constant_condition(cx, expr, depth - 1);
    match cond.kind {
        ExprKind::Cast { kind: CastKind::ToBool | CastKind::NoOp | CastKind::Pointer, operand } => sub(operand),
        ExprKind::Cast { kind: CastKind::ArrayToPointer | CastKind::FunctionToPointer, operand }
        | ExprKind::AddrOf(operand) => match operand.kind {
            ExprKind::String(_) => Some(true),
            ExprKind::Decl(id) => {
                (!cx.unit.attrs(id).is_some_and(|a| a.flags.has(crate::tree::AttrFlags::WEAK))).then_some(true)
            }
            _ => None,
        },
        ExprKind::Logical { and, lhs, rhs } => match (sub(lhs), sub(rhs)) {
            (Some(a), _) | (_, Some(a)) if a != and => Some(a),
            (Some(_), Some(_)) => Some(and),
            _ => None,
        },
        ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => sub(operand).map(|value| !value),
        _ => super::constants::fold::truth(cond, cx),
    }
}

/// The labels cover every value of the controlling expression, or the one it always has.
fn covers_all(cx: &Sema<'_, '_>, switch: &crate::tree::Switch<'_>) -> bool {
    let mut cond = switch.cond;
    if let Some(value) = cond.int_value() {
        return switch.cases.iter().any(|case| (case.low..=case.high).contains(&value));
    }
    while let ExprKind::Cast { kind: CastKind::Integral, operand } = cond.kind {
        cond = operand;
    }
    let Some(info) = cx.types().int_info(cond.ty.ty()).filter(|info| info.bits <= 64) else { return false };
    let most = (1i128 << (info.bits - u32::from(info.signed))) - 1;
    let mut next = if info.signed { -most - 1 } else { 0 };
    for case in switch.cases {
        if case.low > next {
            return false;
        }
        next = next.max(case.high + 1);
    }
    next > most
}

fn never_returns(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> bool {
    expression_ends(cx, expr, true)
}

/// Whether control does not leave the expression; `statements` to look into statement expressions.
fn expression_ends(cx: &Sema<'_, '_>, expr: ExprRef<'_>, statements: bool) -> bool {
    use crate::tree::Builtin;
    let never_returns = |cx, expr| expression_ends(cx, expr, statements);
    match expr.kind {
        ExprKind::Call { callee, args } => {
            super::calls::is_noreturn(cx, callee) || args.iter().any(|arg| never_returns(cx, arg))
        }
        ExprKind::Assign { rhs, .. } => never_returns(cx, rhs),
        ExprKind::Unary { operand, .. } => never_returns(cx, operand),
        ExprKind::Builtin { builtin, .. } => {
            matches!(builtin, Builtin::Unreachable | Builtin::Trap | Builtin::Longjmp | Builtin::EhReturn)
        }
        ExprKind::Cast { operand, .. } => never_returns(cx, operand),
        ExprKind::Comma { lhs, rhs } => never_returns(cx, lhs) || never_returns(cx, rhs),
        ExprKind::StmtExpr { body, result } if statements => {
            !statements_fall_through(cx, body) || result.is_some_and(|r| never_returns(cx, r))
        }
        ExprKind::Conditional { cond, then, els } => match cond.int_value() {
            Some(0) => never_returns(cx, els),
            Some(_) => never_returns(cx, then),
            None => never_returns(cx, cond) || (never_returns(cx, then) && never_returns(cx, els)),
        },
        _ => false,
    }
}

/// Whether a `break` or `continue` inside the statement is one of the loop or switch around it and
/// `inner` others. Only named ones pass over inner loops. One after a statement that obviously ends
/// is not reached.
fn jumps_out(cx: &Sema<'_, '_>, stmt: &Stmt<'_>, inner: u32, named: bool, is_continue: bool) -> bool {
    let sub = |stmt: &Stmt<'_>, inner: u32| jumps_out(cx, stmt, inner, named, is_continue);
    match stmt.kind {
        StmtKind::Block(block) => {
            let mut reachable = true;
            block.stmts.iter().any(|s| {
                reachable = reachable || contains_target(s);
                let jumps = reachable && sub(s, inner);
                reachable &= !obviously_ends(cx, s);
                jumps
            })
        }
        StmtKind::If { arms, els } => {
            let dead = |arm: &crate::tree::IfArm<'_>| {
                constant_condition(cx, arm.cond, CONDITION_DEPTH) == Some(false) && !contains_target(arm.then)
            };
            arms.iter().any(|a| !dead(a) && sub(a.then, inner)) || els.is_some_and(|e| sub(e, inner))
        }
        StmtKind::Switch(s) => (named || is_continue) && sub(s.body, inner + 1),
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => named && sub(body, inner + 1),
        StmtKind::For(f) => named && sub(f.body, inner + 1),
        StmtKind::Break(over) => !is_continue && over == inner,
        StmtKind::Continue(over) => is_continue && over == inner,
        _ => false,
    }
}

/// The opposite of [`falls_through`], for statements that are not nested deeply.
fn obviously_ends(cx: &Sema<'_, '_>, stmt: &Stmt<'_>) -> bool {
    match stmt.kind {
        StmtKind::Expr(expr) => expression_ends(cx, expr, false),
        _ => is_shallow(stmt, MAX_NESTING) && !falls_through(cx, stmt),
    }
}

/// Statements nested deeper than this are not looked through for a `break` that is not reached:
/// each level of loops doubles the work.
const MAX_NESTING: u32 = 8;

/// Whether statements stand in each other at most `levels` deep.
fn is_shallow(stmt: &Stmt<'_>, levels: u32) -> bool {
    let sub = |stmt: &Stmt<'_>| levels > 0 && is_shallow(stmt, levels - 1);
    match stmt.kind {
        StmtKind::Block(block) => block.stmts.iter().all(sub),
        StmtKind::If { arms, els } => arms.iter().all(|a| sub(a.then)) && els.is_none_or(sub),
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => sub(body),
        StmtKind::For(f) => sub(f.body),
        StmtKind::Switch(s) => sub(s.body),
        _ => true,
    }
}

fn has_break(cx: &Sema<'_, '_>, body: &Stmt<'_>) -> bool {
    jumps_out(cx, body, 0, cx.functions.last().is_some_and(|f| f.named_jumps), false)
}

fn has_continue(cx: &Sema<'_, '_>, body: &Stmt<'_>) -> bool {
    jumps_out(cx, body, 0, cx.functions.last().is_some_and(|f| f.named_jumps), true)
}

/// Declares the parameter an identifier list names but no declaration gave a type: `int`.
pub fn default_parameter(cx: &mut Sema<'_, '_>, name: crate::tree::Name) -> DeclId {
    let text = cx.str(name.symbol);
    if cx.since(Standard::C99) {
        cx.pedwarn(warning::IMPLICIT_INT, name.loc, format!("type of '{text}' defaults to 'int'"));
    } else {
        cx.warn(warning::MISSING_PARAMETER_TYPE, name.loc, format!("type of '{text}' defaults to 'int'"));
    }
    let attrs = super::attributes::Collected::default();
    super::declarations::declare_parameter(cx, Some(name), Ty::INT.plain(), false, &attrs, name.loc)
}

/// Completes a K&R definition: the parameters' types are remembered for calls; a prototype seen
/// before must agree with them after promotion.
pub fn finish_old_style(cx: &mut Sema<'_, '_>, decl: DeclId, params: &[DeclId]) {
    let declared: Vec<QualType> = params.iter().map(|&p| cx.unit.decls[p].ty.unqualified()).collect();
    cx.unit.decls[decl].flags.set(DeclFlags::KNR_DEFINITION);
    let loc = cx.unit.decls[decl].loc;
    if !params.is_empty() && cx.since(Standard::C23) {
        cx.pedwarn(warning::OLD_STYLE_DEFINITION, loc, "old-style function definition");
    } else {
        cx.warn(warning::OLD_STYLE_DEFINITION, loc, "old-style function definition");
    }
    if let Some(signature) = cx.types().signature_of(cx.unit.decls[decl].ty.ty()).cloned()
        && signature.prototype
    {
        if signature.params.len() != declared.len() {
            cx.error(loc, "number of arguments doesn't match prototype");
        } else {
            for (&want, (&have, &param)) in signature.params.iter().zip(declared.iter().zip(params)) {
                let promoted = promoted(cx, have);
                if types::compatible_unqualified(cx.types(), want.ty(), promoted) {
                    continue;
                }
                let (p, loc) = (cx.dname(param), cx.unit.decls[param].loc);
                if types::compatible_unqualified(cx.types(), want.ty(), have.ty()) {
                    cx.pedantic(loc, format!("promoted argument {p} doesn't match prototype"));
                } else {
                    cx.error(loc, format!("argument {p} doesn't match prototype"));
                }
            }
        }
    }
    cx.old_style_parameters.insert(decl, declared);
}

fn promoted(cx: &Sema<'_, '_>, ty: QualType) -> Ty {
    match cx.types().canonical(ty.ty()) {
        Ty::FLOAT => Ty::DOUBLE,
        t if types::changes_under_promotion(cx.types(), t) => Ty::INT,
        t => t,
    }
}

/// Whether the definition must be kept until the end of the unit because nothing may refer to it.
pub fn is_deferrable(cx: &Sema<'_, '_>, decl: DeclId) -> bool {
    let info = cx.unit.decls[decl];
    let always = cx.unit.attrs(decl).is_some_and(|a| a.flags.has(crate::tree::AttrFlags::ALWAYS_INLINE));
    let unused = info.linkage == Linkage::Internal && !info.flags.has(DeclFlags::REFERENCED);
    info.kind == DeclKind::Function && (info.flags.has(DeclFlags::INLINE) || always || unused)
}
