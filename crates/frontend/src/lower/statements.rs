//! Statements.

use cranelift_entity::EntityRef;
use ir::{BranchHint, Opcode, Type, Value};

use super::abi::RetMode;
use super::function::{Breakable, Fx, Local, instrument, label_block};
use super::place::Place;
use super::{
    abi, conditions, debug, expressions, initializers, loop_pragmas, lvalues, nested, sanitize, scopes, switch,
    unwinding,
};
use crate::tree::*;

/// A compound statement with its scope.
pub fn lower_block(fx: &mut Fx<'_, '_>, block: &Block<'_>) {
    let scope = scopes::open(fx);
    lower_all(fx, block.stmts);
    fx.loc = block.end;
    scopes::close(fx, scope);
}

/// Statements in order.
pub fn lower_all(fx: &mut Fx<'_, '_>, stmts: &[Stmt<'_>]) {
    for stmt in stmts {
        lower(fx, stmt);
    }
}

/// A statement. In dead code only labels and what follows them matter.
pub fn lower(fx: &mut Fx<'_, '_>, stmt: &Stmt<'_>) {
    if !fx.descend() {
        fx.ascend();
        return;
    }
    (fx.loc, fx.statement_loc) = (stmt.loc, stmt.loc);
    let temps = fx.used_temps.len();
    match stmt.kind {
        StmtKind::Empty | StmtKind::Fallthrough | StmtKind::NestedFunction(_) => {}
        StmtKind::Expr(e) => expressions::effect(fx, e),
        StmtKind::Block(block) => lower_block(fx, block),
        StmtKind::If { arms, els } => lower_if(fx, arms, els),
        StmtKind::While { cond, body } => {
            loop_pragmas::around(fx, stmt.loc, |fx| lower_loop(fx, Some(cond), None, body));
        }
        StmtKind::DoWhile { body, cond } => loop_pragmas::around(fx, stmt.loc, |fx| lower_do(fx, body, cond)),
        StmtKind::For(parts) => {
            let scope = scopes::open(fx);
            lower_all(fx, parts.init);
            loop_pragmas::around(fx, stmt.loc, |fx| lower_loop(fx, parts.cond, parts.step, parts.body));
            fx.loc = parts.end;
            // Without a brace nothing of the loop stands where its scope ends.
            let braced = matches!(parts.body.kind, StmtKind::Block(_));
            scopes::close_marked(fx, scope, if braced { parts.end } else { base::Loc::NONE });
        }
        StmtKind::Switch(parts) => switch::lower(fx, parts),
        StmtKind::Case(case) => switch::case(fx, case),
        StmtKind::Label(label) => lower_label(fx, label),
        StmtKind::Goto(label) => goto(fx, label),
        StmtKind::GotoComputed(e) => {
            let address = expressions::scalar(fx, e);
            goto_address(fx, address);
        }
        StmtKind::Break(inner) => leave(fx, inner, false),
        StmtKind::Continue(inner) => leave(fx, inner, true),
        StmtKind::Return(value) => lower_return(fx, value),
        StmtKind::Decl(decl) => lower_decl(fx, decl),
        StmtKind::Defer(cleanup) => fx.cleanup = Some(cleanup),
        // Of a type alone, which may be a structure's member: gcc checks no lengths of such.
        StmtKind::Bounds(bounds) => lower_bounds(fx, bounds),
        StmtKind::Asm(asm) => expressions::asm_statement(fx, asm),
    }
    fx.release_temps(temps);
    fx.ascend();
}

fn lower_if(fx: &mut Fx<'_, '_>, arms: &[IfArm<'_>], els: Option<&Stmt<'_>>) {
    let end = fx.new_block();
    for arm in arms {
        let (then, next) = (fx.new_block(), fx.new_block());
        fx.loc = arm.loc;
        let temps = fx.used_temps.len();
        conditions::branch(fx, arm.cond, then, next, BranchHint::None);
        fx.release_temps(temps);
        fx.start(then);
        lower(fx, arm.then);
        fx.br(end);
        fx.start(next);
    }
    if let Some(els) = els {
        lower(fx, els);
    }
    fx.br(end);
    fx.start(end);
}

/// Whether a label or case stands in a statement, so that it may be entered although nothing flows
/// into it.
fn has_label(stmt: &Stmt<'_>) -> bool {
    let mut work = vec![stmt];
    while let Some(stmt) = work.pop() {
        match stmt.kind {
            StmtKind::Label(_) | StmtKind::Case(_) => return true,
            StmtKind::Block(block) => work.extend(block.stmts),
            StmtKind::If { arms, els } => {
                work.extend(arms.iter().map(|a| a.then));
                work.extend(els);
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => work.push(body),
            StmtKind::For(parts) => work.push(parts.body),
            StmtKind::Switch(parts) => work.push(parts.body),
            _ => {}
        }
    }
    false
}

/// A dead loop can come alive through a label in its body; its back edge must exist then.
fn skip_dead_loop(fx: &mut Fx<'_, '_>, body: &Stmt<'_>) -> bool {
    if fx.live {
        return false;
    }
    if !has_label(body) {
        return true;
    }
    fx.start_suspect();
    false
}

/// `while` and `for`: the condition stands below the body, so that an iteration takes one jump.
fn lower_loop(fx: &mut Fx<'_, '_>, cond: Option<ExprRef<'_>>, step: Option<ExprRef<'_>>, body: &Stmt<'_>) {
    if skip_dead_loop(fx, body) {
        return;
    }
    let loop_loc = fx.loc;
    let constant = cond.map_or(Some(true), conditions::constant);
    if constant == Some(false) && !has_label(body) {
        return;
    }
    let (top, next, test, end) = (fx.new_block(), fx.new_block(), fx.new_block(), fx.new_block());
    let forever = constant == Some(true);
    if forever {
        fx.br(top);
    } else {
        fx.loc = loop_loc;
        fx.jump(test);
    }
    // The test below branches here; whether it really does is checked then.
    let entered = fx.has_pred[top];
    fx.has_pred[top] = true;
    fx.start(top);
    fx.has_pred[top] = entered;
    fx.breakables.push(Breakable {
        break_to: end,
        continue_to: Some(next),
        cleanup: fx.cleanup,
        scope_depth: fx.scopes.len(),
    });
    lower(fx, body);
    fx.breakables.pop();
    fx.br(next);
    fx.start(next);
    if let Some(step) = step {
        let temps = fx.used_temps.len();
        expressions::effect(fx, step);
        fx.release_temps(temps);
    }
    match cond {
        Some(cond) if !forever => {
            fx.br(test);
            fx.start(test);
            let temps = fx.used_temps.len();
            conditions::branch(fx, cond, top, end, BranchHint::None);
            fx.release_temps(temps);
            loop_pragmas::note(fx, test, top);
        }
        _ => {
            // As in gcc, whose coverage counts the brace there.
            let brace = fx.options.coverage.is_on().then(|| declaring_brace(body));
            fx.loc = brace.unwrap_or(loop_loc);
            fx.jump(top);
        }
    }
    if !fx.has_pred[top] {
        fx.sweep = true;
    }
    fx.start(end);
}

/// The brace of a body that has variables of its own.
fn declaring_brace(body: &Stmt<'_>) -> base::Loc {
    match body.kind {
        StmtKind::Block(block) if block.stmts.iter().any(|s| matches!(s.kind, StmtKind::Decl(_))) => body.loc,
        _ => base::Loc::NONE,
    }
}

fn lower_do(fx: &mut Fx<'_, '_>, body: &Stmt<'_>, cond: ExprRef<'_>) {
    if skip_dead_loop(fx, body) {
        return;
    }
    let (top, next, end) = (fx.new_block(), fx.new_block(), fx.new_block());
    fx.flow_into(top);
    fx.breakables.push(Breakable {
        break_to: end,
        continue_to: Some(next),
        cleanup: fx.cleanup,
        scope_depth: fx.scopes.len(),
    });
    lower(fx, body);
    fx.breakables.pop();
    fx.br(next);
    fx.start(next);
    let temps = fx.used_temps.len();
    conditions::branch(fx, cond, top, end, BranchHint::None);
    fx.release_temps(temps);
    loop_pragmas::note(fx, next, top);
    fx.start(end);
}

/// `break` and `continue` of the loop or switch around so many inner ones.
fn leave(fx: &mut Fx<'_, '_>, inner: u32, is_continue: bool) {
    let Some(&target) = fx.breakables.iter().rev().nth(inner as usize) else { return };
    scopes::run_cleanups(fx, target.cleanup);
    scopes::end_lifetimes(fx, target.scope_depth);
    match target.continue_to {
        Some(block) if is_continue => fx.jump(block),
        _ => fx.jump(target.break_to),
    }
}

fn lower_label(fx: &mut Fx<'_, '_>, label: LabelId) {
    let info = &fx.def.labels[label.index()];
    if !info.used && !info.address_taken && !info.nonlocal {
        fx.label_line(fx.block, true);
        return;
    }
    let block = label_block(fx, label);
    fx.label_line(block, true);
    // A `goto` further down is not known yet.
    fx.br(block);
    if !fx.has_pred[block] {
        fx.has_pred[block] = true;
        fx.sweep = true;
    }
    fx.start(block);
    if info.address_taken || info.nonlocal {
        unwinding::restore(fx);
    }
    scopes::arrive_at_label(fx, label);
    scopes::enter_sideways(fx, 0);
}

fn goto(fx: &mut Fx<'_, '_>, label: LabelId) {
    let info = &fx.def.labels[label.index()];
    if let Some((function, outer)) = info.outer {
        return nested::goto_outer(fx, function, outer);
    }
    let to = scopes::common_cleanup(fx, fx.cleanup, info.cleanup);
    scopes::run_cleanups(fx, to);
    scopes::leave_by_goto(fx, label);
    let block = label_block(fx, label);
    fx.jump(block);
}

/// Jump to an address: all of them share one indirect branch, so that the graph has one set of
/// edges.
fn goto_address(fx: &mut Fx<'_, '_>, address: Value) {
    let (block, slot) = match fx.indirect {
        Some(indirect) => indirect,
        None => {
            let indirect = (fx.new_block(), fx.alloca(8, 8));
            fx.indirect = Some(indirect);
            indirect
        }
    };
    if fx.live {
        fx.store(address, Place::new(slot, 8), ir::AliasTags::any());
    }
    fx.br(block);
}

/// `&&label`
pub fn label_address(fx: &mut Fx<'_, '_>, label: LabelId) -> Value {
    if let Some((function, outer)) = fx.def.labels[label.index()].outer
        && let Some(address) = nested::outer_label_address(fx, function, outer)
    {
        return address;
    }
    let Some(&number) = fx.label_numbers.get(&label) else {
        fx.not_supported("the address of an enclosing function's label");
        return fx.iconst(Type::PTR, 0);
    };
    fx.b().block_addr(number)
}

fn lower_return(fx: &mut Fx<'_, '_>, value: Option<ExprRef<'_>>) {
    if !fx.live {
        return;
    }
    let Some(e) = value else {
        fx.places.returned = true;
        return return_without_value(fx);
    };
    let ty = e.ty.ty();
    if e.flags.has(ExprFlags::MUST_TAIL) {
        check_tail(fx, e);
    }
    let values: smallvec::SmallVec<[Value; 2]> = match fx.ret.clone() {
        RetMode::Void => {
            fx.places.returned = true;
            expressions::effect(fx, e);
            Default::default()
        }
        RetMode::Scalar(_) => {
            let value = expressions::scalar(fx, e);
            // A `musttail` call returns by itself.
            if !fx.live {
                return;
            }
            sanitize::values::result(fx, value, e.loc);
            smallvec::smallvec![abi::widen(fx, value, ty)]
        }
        RetMode::Pieces(pieces) => {
            let value = expressions::rvalue(fx, e);
            if !fx.live {
                return;
            }
            abi::split(fx, value, &pieces, ty)
        }
        RetMode::Memory => {
            let Some(sret) = fx.sret else { base::bug!("no result address") };
            let align = fx.types().align_of(ty);
            expressions::into(fx, e, Place::new(sret, align), ty.into(), true);
            smallvec::smallvec![sret]
        }
    };
    scopes::run_cleanups(fx, None);
    instrument(fx, "__cyg_profile_func_exit");
    if fx.options.coverage.is_on() && matches!(e.kind, ExprKind::Conditional { .. }) && !e.loc.is_none() {
        // All that happens to the value is where the colon is.
        fx.loc = e.loc;
    }
    fx.ret_values(&values);
}

/// Reports what keeps a `musttail` call from being the last thing its function does.
fn check_tail(fx: &Fx<'_, '_>, e: ExprRef<'_>) {
    let reason = if fx.cleanup.is_some() {
        Some("other cleanups have to run behind the call")
    } else if fx.options.codegen.instrument_functions {
        Some("the function's end is instrumented")
    } else if fx.unit.attrs(fx.def.decl).is_some_and(|a| a.flags.has(AttrFlags::NO_CALLER_SAVED)) {
        Some("the function restores the registers of arguments")
    } else {
        None
    };
    if let Some(reason) = reason {
        fx.session.error(e.loc, format!("cannot tail-call: {reason}")).emit();
    }
}

/// `return;`, and the closing brace. `main` returns 0 (C23 5.1.2.3.4); elsewhere a missing value is
/// unspecified.
pub fn return_without_value(fx: &mut Fx<'_, '_>) {
    scopes::run_cleanups(fx, None);
    instrument(fx, "__cyg_profile_func_exit");
    if !fx.live {
        return;
    }
    let returns = fx.state.module.signatures[fx.func.sig].returns.clone();
    let is_main = fx.unit.decls[fx.def.decl].name.is_some_and(|n| fx.session.str(n) == "main");
    let mut values: smallvec::SmallVec<[Value; 2]> = smallvec::SmallVec::new();
    for ty in returns {
        values.push(match fx.sret {
            Some(sret) => sret,
            None if is_main => fx.zero(ty),
            None => fx.b().undef(ty),
        });
    }
    if is_main && fx.options.coverage.is_on() {
        // What nobody has written is on no line.
        fx.loc = base::Loc::NONE;
    }
    fx.ret_values(&values);
}

/// A local variable's declaration.
fn lower_decl(fx: &mut Fx<'_, '_>, decl: &LocalDecl<'_>) {
    declared_bounds(fx, decl.bounds);
    let info = fx.unit.decls[decl.decl];
    if fx.live {
        if fx.types().is_vla(info.ty.ty()) {
            allocate_vla(fx, decl);
        } else if let (None, Some(reg)) = (decl.init, lvalues::never_set(fx, decl.decl)) {
            fx.locals.insert(decl.decl, Local::Register(reg));
        } else {
            let place = scopes::declare(fx, decl.decl);
            match decl.init {
                Some(init) => initializers::initialize(fx, decl.decl, place, init),
                None => fill_uninitialized(fx, decl.decl, place),
            }
        }
    }
    if decl.cleanup.is_some() {
        fx.cleanup = decl.cleanup;
        decl.cleanup.iter().for_each(|&scope| unwinding::arm(fx, scope));
    }
}

/// `-ftrivial-auto-var-init=`.
fn fill_uninitialized(fx: &mut Fx<'_, '_>, decl: DeclId, place: Place) {
    let Some(byte) = fx.options.codegen.auto_var_init else { return };
    if fx.unit.attrs(decl).is_some_and(|a| a.flags.has(AttrFlags::UNINITIALIZED)) {
        return;
    }
    let size = fx.types().size_of(fx.unit.decls[decl].ty).unwrap_or(0);
    fx.fill(place, byte, size, false);
}

/// Storage of a variable-length array, freed when its scope is left.
fn allocate_vla(fx: &mut Fx<'_, '_>, decl: &LocalDecl<'_>) {
    if let Some(cleanup) = decl.cleanup
        && matches!(fx.def.cleanups[cleanup.index()].action, CleanupAction::FreeVla(_))
    {
        let slot = fx.alloca(8, 8);
        let sp = fx.b().nullary(Opcode::StackSave, Type::PTR);
        fx.store(sp, Place::new(slot, 8), ir::AliasTags::any());
        fx.saved_sp.insert(cleanup, (slot, fx.scopes.len()));
    }
    let ty = fx.unit.decls[decl.decl].ty;
    let size = type_size(fx, ty.ty());
    let align = lvalues::vla_align(fx, decl.decl);
    let storage = fx.b().dyn_alloca(size, align);
    let slot = match nested::frame_place(fx, decl.decl) {
        Some(place) => fx.address(place),
        None => fx.alloca(8, 8),
    };
    fx.store(storage, Place::new(slot, 8), ir::AliasTags::any());
    fx.locals.insert(decl.decl, Local::Indirect(slot));
    debug::variable(fx, decl.decl, Local::Indirect(slot));
    scopes::name_slot(fx, fx.unit.decls[decl.decl].name, slot);
    if let Some(Initializer::Value(value)) = decl.init {
        // A structure of variable size may have another one's value.
        expressions::into(fx, value, Place::new(storage, align), ty.without(Quals::CONST), false);
    }
    if let Some(Initializer::Aggregate(AggregateInit { zero_fill: true, .. })) = decl.init {
        // `= {}` on a variable-length array (C23).
        let zero = fx.iconst(Type::I8, 0);
        fx.b().mem_op(Opcode::MemSet, storage, zero, size, align, false);
    }
}

/// `sizeof` of a type that may be variable, as i64. Its bounds have been evaluated.
pub fn type_size(fx: &mut Fx<'_, '_>, ty: Ty) -> Value {
    let mut factors: Vec<VlaId> = Vec::new();
    let mut constant = 1u64;
    let mut ty = ty;
    while let TypeKind::Array { elem, len } = fx.types().kind(ty) {
        match len {
            ArrayLen::Constant(n) => constant = constant.wrapping_mul(n),
            ArrayLen::Variable(vla) => factors.push(vla),
            _ => {}
        }
        ty = elem.ty();
    }
    match fx.types().record_of(ty).and_then(|record| record.size_vla) {
        Some(vla) => factors.push(vla),
        None => constant = constant.wrapping_mul(fx.types().size_of(ty).unwrap_or(1)),
    }
    let mut size: Option<Value> = None;
    for vla in factors {
        let slot = vla_slot(fx, vla);
        let len = fx.load(Type::I64, slot, ir::AliasTags::any());
        size = Some(match size {
            Some(size) => fx.int_op(Opcode::Mul, 0, size, len),
            None => len,
        });
    }
    match size {
        Some(size) => expressions::scale(fx, size, constant),
        None => fx.iconst(Type::I64, constant as i64),
    }
}

/// [`lower_bounds`] of a declaration, whose lengths are checked.
fn declared_bounds(fx: &mut Fx<'_, '_>, bounds: &[VlaBound<'_>]) {
    let loc = fx.loc;
    for bound in bounds {
        match sanitize::values::array_length(fx, bound.len, loc) {
            Some(len) => {
                let slot = vla_slot(fx, bound.vla);
                fx.store(len, slot, ir::AliasTags::any());
            }
            None => lower_bounds(fx, std::slice::from_ref(bound)),
        }
    }
}

/// Evaluates bounds of variable-length types and keeps them.
pub fn lower_bounds(fx: &mut Fx<'_, '_>, bounds: &[VlaBound<'_>]) {
    for bound in bounds {
        if !fx.live {
            return;
        }
        let len = expressions::scalar(fx, bound.len);
        let len = fx.int_cast(len, Type::I64, false);
        let slot = vla_slot(fx, bound.vla);
        fx.store(len, slot, ir::AliasTags::any());
    }
}

/// Where a bound is kept.
pub fn vla_slot(fx: &mut Fx<'_, '_>, vla: VlaId) -> Place {
    if let Some(place) = nested::bound_place(fx, vla) {
        return place;
    }
    let slot = match fx.vla_lens.get(&vla) {
        Some(&slot) => slot,
        None => {
            let slot = fx.alloca(8, 8);
            scopes::name_slot(fx, None, slot);
            fx.vla_lens.insert(vla, slot);
            slot
        }
    };
    Place::new(slot, 8)
}
