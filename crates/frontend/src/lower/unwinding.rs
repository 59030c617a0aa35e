//! Cleanups during unwinding: variables with `__attribute__((cleanup))` under `-fexceptions`.
//!
//! Each activation of a function keeps a list of its armed cleanups, innermost first
//! ([`Intrinsic::CleanupList`]); a variable's scope links a node at its beginning and takes it out
//! at its end, before the function is called there. The code generator gives the function one
//! landing pad, which calls what the list holds and resumes unwinding. What is to be called thus
//! follows control flow by itself, through inlining too, and no pass has to know of edges from
//! calls to landing pads: the list is memory that calls may read.

use cranelift_entity::EntityRef;
use ir::{AliasTags, Intrinsic, Type, Value};
use rustc_hash::FxHashMap;

use super::function::Fx;
use super::place::Place;
use super::{lvalues, nested};
use crate::tree::*;

/// Offsets in a node; the code generator's landing pads know them (`docs/ir.md`).
const NEXT: i64 = 0;
const FUNCTION: i64 = 8;
const ARGUMENT: i64 = 16;
const CHAIN: i64 = 24;
const NODE_SIZE: u64 = 32;

/// The nodes of a function.
#[derive(Default)]
pub struct Nodes {
    /// The address of the list's head, once there are nodes.
    head: Option<Value>,
    /// The list on entry: not empty where the function has been inlined into a scope with a
    /// cleanup.
    on_entry: Option<Value>,
    nodes: FxHashMap<CleanupId, Value>,
}

/// Makes the nodes on entry: each knows its successor, and that it is not armed.
pub fn begin(fx: &mut Fx<'_, '_>) {
    let def = fx.def;
    let calls = |action: CleanupAction<'_>| matches!(action, CleanupAction::Call { .. });
    if !fx.options.codegen.exceptions || !def.cleanups.iter().any(|c| calls(c.action)) {
        return;
    }
    let any = AliasTags::any();
    let head = super::expressions::intrinsic(fx, Intrinsic::CleanupList, Type::PTR, &[]);
    let first = fx.load(Type::PTR, Place::new(head, 8), any);
    let on_entry = fx.alloca(8, 8);
    fx.store(first, Place::new(on_entry, 8), any);
    fx.unwinding.head = Some(head);
    fx.unwinding.on_entry = Some(on_entry);
    for (index, scope) in def.cleanups.iter().enumerate() {
        if calls(scope.action) {
            let node = fx.alloca(NODE_SIZE, 8);
            fx.unwinding.nodes.insert(CleanupId::new(index), node);
        }
    }
    let null = fx.zero(Type::PTR);
    for (index, scope) in def.cleanups.iter().enumerate() {
        let Some(&node) = fx.unwinding.nodes.get(&CleanupId::new(index)) else { continue };
        let next = enclosing(fx, scope.parent).unwrap_or(first);
        fx.store(next, Place::new(node, 8).offset(NEXT), any);
        fx.store(null, Place::new(node, 8).offset(FUNCTION), any);
    }
}

/// The node of the innermost scope from `scope` outwards that has one.
fn enclosing(fx: &Fx<'_, '_>, scope: Option<CleanupId>) -> Option<Value> {
    let mut at = scope;
    while let Some(id) = at {
        if let Some(&node) = fx.unwinding.nodes.get(&id) {
            return Some(node);
        }
        at = fx.def.cleanups[id.index()].parent;
    }
    None
}

/// The scope of a variable begins, which has its value: its cleanup is armed.
pub fn arm(fx: &mut Fx<'_, '_>, scope: CleanupId) {
    let (Some(head), Some(&node)) = (fx.unwinding.head, fx.unwinding.nodes.get(&scope)) else { return };
    let CleanupAction::Call { variable, function } = fx.def.cleanups[scope.index()].action else { return };
    if !fx.live {
        return;
    }
    let returned = fx.types().signature_of(fx.unit.decls[function].ty.ty()).map_or(Ty::VOID, |s| s.ret.ty());
    let convention = super::abi::build(&fx.unit.types, fx.options, returned, &[], 0, false, false, false);
    if convention.ret.is_memory() {
        fx.not_supported("a cleanup function that returns a large object, with '-fexceptions'");
    }
    let any = AliasTags::any();
    let place = lvalues::variable(fx, variable);
    let argument = fx.address(place);
    let (symbol, chain) = nested::call_target(fx, function);
    let code = fx.func.symbol_const(symbol, 0);
    let chain = chain.unwrap_or_else(|| fx.zero(Type::PTR));
    let at = Place::new(node, 8);
    for (value, offset) in [(code, FUNCTION), (argument, ARGUMENT), (chain, CHAIN)] {
        fx.store(value, at.offset(offset), any);
    }
    fx.store(node, Place::new(head, 8), any);
}

/// The scope is left, or its cleanup is about to be called.
pub fn disarm(fx: &mut Fx<'_, '_>, scope: CleanupId) {
    let (Some(head), Some(&node)) = (fx.unwinding.head, fx.unwinding.nodes.get(&scope)) else { return };
    let any = AliasTags::any();
    let next = fx.load(Type::PTR, Place::new(node, 8).offset(NEXT), any);
    fx.store(next, Place::new(head, 8), any);
}

/// Control may have come here from anywhere in the function (`setjmp`, computed `goto`): the list
/// is what the place says.
pub fn restore(fx: &mut Fx<'_, '_>) {
    let (Some(head), Some(on_entry)) = (fx.unwinding.head, fx.unwinding.on_entry) else { return };
    let node = match enclosing(fx, fx.cleanup) {
        Some(node) => node,
        None => fx.load(Type::PTR, Place::new(on_entry, 8), AliasTags::any()),
    };
    fx.store(node, Place::new(head, 8), AliasTags::any());
}
