//! Scopes: storage of local variables, lifetime markers, and what leaving a scope does (cleanup
//! functions, freeing of variable-length arrays).
//!
//! Lifetime markers are only made when optimising or for the address sanitizer, for variables of
//! inner scopes. A jump into a scope from outside (a label or a `case` inside it) would skip the
//! start marker, so such a scope loses its markers: they are removed again when it closes. Those
//! for sanitizers stay, and the label is a start as well.

use base::Loc;
use ir::{Inst, Intrinsic, Opcode, Type, Value};
use platform::options::Sanitizers;
use rustc_hash::FxHashMap;

use super::function::{Fx, Local};
use super::place::Place;
use super::shapes::{Shape, shape};
use super::{calls, debug, nested, unwinding};
use crate::tree::*;

/// An open scope.
#[derive(Default)]
pub struct Scope {
    /// Variables with a start marker, and whether it is one for sanitizers.
    variables: Vec<(Value, bool)>,
    /// The markers of variables that are not the sanitizer's, for removal.
    markers: Vec<Inst>,
    /// A jump enters this scope, and all others down to this depth.
    entered_from: Option<usize>,
    /// Its number among the scopes of the function.
    number: u32,
}

/// What sanitizers know of jumps between scopes.
#[derive(Default)]
pub struct Jumps {
    /// How many scopes there were.
    opened: u32,
    /// By label that was passed: the open scopes there.
    passed: FxHashMap<LabelId, Vec<u32>>,
    /// By label that is still to come: variables of scopes that were open at a `goto`.
    forward: FxHashMap<LabelId, Vec<(u32, Value)>>,
}

/// What [`close`] needs of [`open`].
#[derive(Clone, Copy)]
pub struct Mark {
    cleanup: Option<CleanupId>,
    depth: usize,
    debug: u32,
}

/// Opens a scope.
pub fn open(fx: &mut Fx<'_, '_>) -> Mark {
    let debug = debug::open_scope(fx);
    let mark = Mark { cleanup: fx.cleanup, depth: fx.scopes.len(), debug };
    fx.scope_jumps.opened += 1;
    fx.scopes.push(Scope { number: fx.scope_jumps.opened, ..Scope::default() });
    mark
}

/// Whether leaving the scope runs cleanups of its own.
pub fn has_cleanups(fx: &Fx<'_, '_>, mark: &Mark) -> bool {
    fx.cleanup != mark.cleanup
}

/// Closes a scope: cleanups run on the exit, variables die.
pub fn close(fx: &mut Fx<'_, '_>, mark: Mark) {
    let end = fx.loc;
    close_marked(fx, mark, end);
}

/// The same where the ends of the variables' lives have another position than that of the scope.
pub fn close_marked(fx: &mut Fx<'_, '_>, mark: Mark, ends: Loc) {
    run_cleanups(fx, mark.cleanup);
    fx.cleanup = mark.cleanup;
    debug::close_scope(fx, mark.debug);
    let end = std::mem::replace(&mut fx.loc, ends);
    end_lifetimes(fx, mark.depth);
    fx.loc = end;
    while fx.scopes.len() > mark.depth {
        let Some(scope) = fx.scopes.pop() else { break };
        if scope.entered_from.is_some() {
            for inst in scope.markers {
                fx.func.remove_inst(inst);
            }
        }
    }
}

/// Marks the end of the lifetimes of all variables in scopes from `depth` on.
pub fn end_lifetimes(fx: &mut Fx<'_, '_>, depth: usize) {
    if !fx.live {
        return;
    }
    for index in (depth..fx.scopes.len()).rev() {
        for number in (0..fx.scopes[index].variables.len()).rev() {
            let (variable, sanitized) = fx.scopes[index].variables[number];
            if sanitized {
                fx.b().intrinsic(Intrinsic::ScopeEnd, Type::VOID, &[variable]);
            } else {
                let marker = fx.b().effect(Opcode::LifetimeEnd, variable);
                fx.scopes[index].markers.push(marker);
            }
        }
    }
}

/// Notes a label: control may enter all open scopes from `depth` on here without passing their
/// beginnings.
pub fn enter_sideways(fx: &mut Fx<'_, '_>, depth: usize) {
    let open = fx.scopes[depth..].iter().flat_map(|scope| &scope.variables);
    let sanitized: Vec<Value> = open.filter(|variable| variable.1).map(|variable| variable.0).collect();
    for variable in sanitized {
        fx.b().intrinsic(Intrinsic::ScopeBegin, Type::VOID, &[variable]);
    }
    for scope in fx.scopes[depth..].iter_mut().rev() {
        if scope.entered_from.is_some_and(|d| d <= depth) {
            break;
        }
        scope.entered_from = Some(depth);
    }
}

/// A `goto` ends the scopes that the label is not in. Where the label is further down they end
/// there.
pub fn leave_by_goto(fx: &mut Fx<'_, '_>, label: LabelId) {
    if !fx.live {
        return;
    }
    let sanitized = |scope: &Scope| {
        let number = scope.number;
        scope.variables.iter().filter(|v| v.1).map(move |v| (number, v.0)).collect::<Vec<_>>()
    };
    let open: Vec<(u32, Value)> = fx.scopes.iter().flat_map(sanitized).collect();
    if open.is_empty() {
        return;
    }
    match fx.scope_jumps.passed.get(&label) {
        Some(there) => {
            let ended: Vec<Value> = open.iter().filter(|v| !there.contains(&v.0)).map(|v| v.1).collect();
            end_sanitized(fx, &ended);
        }
        None => fx.scope_jumps.forward.entry(label).or_default().extend(open),
    }
}

/// Control arrives at a label by any `goto` or from above: scopes that were open at a `goto` only
/// have ended.
pub fn arrive_at_label(fx: &mut Fx<'_, '_>, label: LabelId) {
    if !fx.options.sanitize.poisons_scopes() {
        return;
    }
    let here: Vec<u32> = fx.scopes.iter().map(|scope| scope.number).collect();
    let mut ended: Vec<Value> = Vec::new();
    for (scope, variable) in fx.scope_jumps.forward.remove(&label).unwrap_or_default() {
        if !here.contains(&scope) && !ended.contains(&variable) {
            ended.push(variable);
        }
    }
    end_sanitized(fx, &ended);
    fx.scope_jumps.passed.insert(label, here);
}

fn end_sanitized(fx: &mut Fx<'_, '_>, variables: &[Value]) {
    for &variable in variables {
        fx.b().intrinsic(Intrinsic::ScopeEnd, Type::VOID, &[variable]);
    }
}

/// Storage for a local variable of constant size. Its name goes to the function's table.
pub fn allocate(fx: &mut Fx<'_, '_>, decl: DeclId) -> Place {
    let info = fx.unit.decls[decl];
    let size = fx.types().size_of(info.ty).unwrap_or(0);
    let align = fx.object_align(info.ty).max(info.align);
    let slot = fx.alloca(size, align);
    note_character_array(fx, decl);
    name_variable(fx, decl, slot);
    Place::new(slot, align)
}

/// Notes for `-fstack-protector` that the function has the variable.
fn note_character_array(fx: &mut Fx<'_, '_>, decl: DeclId) {
    let buffer = u64::from(fx.options.codegen.stack_protector_buffer);
    if fx.options.codegen.stack_protector > 0 && !fx.func.has_character_array {
        fx.func.has_character_array = holds_character_array(fx.types(), fx.unit.decls[decl].ty.ty(), buffer);
    }
}

/// Whether a variable of the type is or has an array of at least that many characters (gcc's
/// `stack_protect_classify_type`). Arrays are not looked into, as there.
fn holds_character_array(types: &Types, ty: Ty, buffer: u64) -> bool {
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        if let TypeKind::Array { elem, .. } = types.kind(ty) {
            let is_character =
                matches!(types.kind(elem.ty()), TypeKind::Int(IntKind::Char | IntKind::SChar | IntKind::UChar));
            if is_character && types.size_of(ty).is_some_and(|size| size >= buffer) {
                return true;
            }
        } else if let Some(record) = types.record_of(ty) {
            pending.extend(record.fields.iter().map(|field| field.ty.ty()));
        }
    }
    false
}

fn name_variable(fx: &mut Fx<'_, '_>, decl: DeclId, slot: Value) {
    if let (Some(name), Some(alloca)) = (fx.unit.decls[decl].name, fx.func.def_inst(slot)) {
        let info = fx.unit.decls[decl];
        let scalar = matches!(shape(&fx.unit.types, info.ty.ty()), Shape::Scalar(_));
        let checked =
            info.kind == DeclKind::Variable && scalar && !info.ty.quals().is_volatile() && info.asm_name.is_none();
        let name = fx.session.str(name).into();
        let named = fx.options.sanitize.checks(Sanitizers::ANY_ADDRESS);
        let sources = &fx.session.sources;
        let place = named.then(|| sources.presumed(sources.expansion_point(info.loc))).flatten();
        let line = place.map_or(0, |place| place.line);
        fx.func.variables.push(ir::function::VariableName { alloca, name, declared: info.loc, line, checked });
    }
}

/// Storage for the address or a bound of an array of variable length counts as a variable for those
/// who ask what a debugger shows (`-Og`).
pub fn name_slot(fx: &mut Fx<'_, '_>, name: Option<base::Symbol>, slot: Value) {
    if let Some(alloca) = fx.func.def_inst(slot).filter(|&inst| fx.func.insts[inst].opcode == Opcode::Alloca) {
        let name = name.map_or("", |name| fx.session.str(name)).into();
        let declared = fx.loc;
        fx.func.variables.push(ir::function::VariableName { alloca, name, declared, line: 0, checked: false });
    }
}

/// A variable comes to life: storage, start of its lifetime.
pub fn declare(fx: &mut Fx<'_, '_>, decl: DeclId) -> Place {
    if let Some(place) = nested::frame_place(fx, decl) {
        note_character_array(fx, decl);
        fx.locals.insert(decl, Local::At(place));
        debug::variable(fx, decl, Local::At(place));
        return place;
    }
    let place = match fx.locals.get(&decl) {
        Some(&Local::At(place)) => place,
        _ => {
            let place = allocate(fx, decl);
            fx.locals.insert(decl, Local::At(place));
            place
        }
    };
    debug::variable(fx, decl, Local::At(place));
    begin_lifetime(fx, decl, place);
    place
}

/// A compound literal comes to life where it is evaluated, until the end of the block.
pub fn declare_literal(fx: &mut Fx<'_, '_>, decl: DeclId, place: Place) {
    let info = fx.unit.decls[decl];
    let automatic = info.duration == StorageDuration::Automatic && info.flags.has(DeclFlags::ADDRESS_TAKEN);
    let known = fx.scopes.last().is_some_and(|scope| scope.variables.iter().any(|v| v.0 == place.base));
    if automatic && fx.options.sanitize.poisons_scopes() && !known && nested::frame_place(fx, decl).is_none() {
        begin_lifetime(fx, decl, place);
    }
}

/// Marks the start of a variable's lifetime.
fn begin_lifetime(fx: &mut Fx<'_, '_>, decl: DeclId, place: Place) {
    let inner = fx.scopes.len() > 1;
    // Through their address variables may be accessed when their scope has ended.
    let sanitized = fx.options.sanitize.poisons_scopes() && fx.unit.decls[decl].flags.has(DeclFlags::ADDRESS_TAKEN);
    if inner && fx.live && (fx.optimizing() || sanitized) && !fx.def.flags.calls_returns_twice {
        let marker = match sanitized {
            true => {
                fx.b().intrinsic(Intrinsic::ScopeBegin, Type::VOID, &[place.base]);
                None
            }
            false => Some(fx.b().effect(Opcode::LifetimeStart, place.base)),
        };
        if let Some(scope) = fx.scopes.last_mut() {
            scope.variables.push((place.base, sanitized));
            scope.markers.extend(marker);
        }
    }
}

/// Runs the cleanups of the scopes between here and `to`, innermost first. The current cleanup
/// stays what it is: other paths still have to pass it.
pub fn run_cleanups(fx: &mut Fx<'_, '_>, to: Option<CleanupId>) {
    let here = fx.cleanup;
    let def = fx.def;
    while fx.live && fx.cleanup != to {
        let Some(id) = fx.cleanup else { break };
        let scope = &def.cleanups[cranelift_entity::EntityRef::index(id)];
        fx.cleanup = scope.parent;
        match scope.action {
            CleanupAction::Call { variable, function } => {
                unwinding::disarm(fx, id);
                let place = super::lvalues::variable(fx, variable);
                let address = fx.address(place);
                calls::call_cleanup(fx, function, address);
            }
            CleanupAction::Deferred(body) => super::statements::lower(fx, body),
            CleanupAction::FreeVla(_) => {
                if let Some(&(slot, _)) = fx.saved_sp.get(&id) {
                    let sp = fx.load(Type::PTR, Place::new(slot, 8), ir::AliasTags::any());
                    fx.b().effect(Opcode::StackRestore, sp);
                }
            }
        }
    }
    fx.cleanup = here;
}

/// `alloca` was called: its memory lasts until the function returns, so the arrays of the scope it
/// is called in are not freed either at the scope's end (as in gcc).
pub fn keep_stack(fx: &mut Fx<'_, '_>) {
    let Some(id) = fx.cleanup else { return };
    let depth = fx.scopes.len();
    if fx.saved_sp.get(&id).is_some_and(|saved| saved.1 == depth) {
        fx.saved_sp.remove(&id);
    }
}

/// The innermost scope with a cleanup that contains both places.
pub fn common_cleanup(fx: &Fx<'_, '_>, a: Option<CleanupId>, b: Option<CleanupId>) -> Option<CleanupId> {
    if a.is_none() || b.is_none() {
        return None;
    }
    let parent = |id: CleanupId| fx.def.cleanups[cranelift_entity::EntityRef::index(id)].parent;
    let mut around = rustc_hash::FxHashSet::default();
    let mut at = a;
    while let Some(id) = at {
        around.insert(id);
        at = parent(id);
    }
    let mut at = b;
    while let Some(id) = at {
        if around.contains(&id) {
            return at;
        }
        at = parent(id);
    }
    None
}
