//! Which registers the functions of the unit change, for their callers within the unit: what a call of one of them does not change stays where it is
//! instead of in a callee-saved register or in memory (interprocedural register allocation, as gcc's `-fipa-ra`; the idea is Chow's, "Minimizing
//! register usage penalty at procedure calls", PLDI 1988).
//!
//! Functions are compiled callees first. A caller asks about those that stand before it in that order only (calls in a circle know nothing of each
//! other), and waits for one that another thread still works on: the answer is the same for any number of threads, and as work is
//! begun in that order, the first one under way waits for nobody.
//!
//! A function changes what it writes itself, what the calls in it change as far as that is known, and what the emitter takes without asking
//! ([`TAKEN`]). Of SSE registers all count as changed: their upper halves are nobody's. Nothing is said about a function that may be
//! another one when the program runs, or that must not be looked into (`noipa`).

use std::sync::OnceLock;

use ir::{Constant, FnAttrs, Function, Linkage, Module, Opcode, SymbolId};
use rustc_hash::FxHashMap;
use target::registers::{R10, R11, RAX, RegSet};

use crate::context::Context;
use crate::frame::Frame;
use crate::machine::{CALLER_SAVED, Callee, MachineFunction, Op};

/// Results, static chain, and the scratch register of prologues, epilogues and addresses.
const TAKEN: RegSet = RegSet::of(&[RAX, R10, R11]);
/// What a function changes of which nothing is known.
const EVERYTHING: RegSet = RegSet(CALLER_SAVED as u64);

/// What is known of the functions of a unit.
pub struct Callees {
    /// Place of each function in the order of compilation.
    position: FxHashMap<SymbolId, u32>,
    changed: Vec<OnceLock<RegSet>>,
}

/// The same, as the function at some place in the order may ask for it.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    callees: &'a Callees,
    own: u32,
}

impl Callees {
    /// Of functions that are compiled in this order.
    pub fn new(symbols: impl Iterator<Item = SymbolId>) -> Callees {
        let position: FxHashMap<SymbolId, u32> = symbols.zip(0..).collect();
        let changed = position.iter().map(|_| OnceLock::new()).collect();
        Callees { position, changed }
    }

    /// What the function at this place in the order may know.
    pub fn known_to(&self, own: usize) -> Known<'_> {
        Known { callees: self, own: own as u32 }
    }

    /// Says what the function at a place in the order changes when it goes out of scope, come what may: others wait for that.
    pub fn publish(&self, own: usize) -> Publication<'_> {
        Publication { place: &self.changed[own], changed: EVERYTHING }
    }
}

/// See [`Callees::publish`].
pub struct Publication<'a> {
    place: &'a OnceLock<RegSet>,
    /// What will be said.
    pub changed: RegSet,
}

impl Drop for Publication<'_> {
    fn drop(&mut self) {
        let _ = self.place.set(self.changed);
    }
}

/// The registers that a call of `symbol` changes.
pub fn changed_by_call(cx: Context<'_>, symbol: SymbolId) -> RegSet {
    let data = cx.symbol(symbol);
    let certain =
        cx.binds_locally(symbol) && data.linkage != Linkage::Weak && !data.attrs.has(FnAttrs::NOIPA | FnAttrs::NAKED);
    let Some(known) = cx.known.filter(|_| certain) else { return EVERYTHING };
    match known.callees.position.get(&symbol) {
        Some(&position) if position < known.own => *known.callees.changed[position as usize].wait(),
        _ => EVERYTHING,
    }
}

/// The registers that a compiled function changes. `written`: what the allocator knows of.
pub fn changed_by(cx: Context<'_>, func: &Function, mf: &MachineFunction, frame: &Frame, written: RegSet) -> RegSet {
    let attrs = cx.symbol(func.symbol).attrs;
    if attrs.has(FnAttrs::ZERO_REGISTERS)
        || attrs.has(FnAttrs::INTERRUPT)
        || mf.naked
        || mf.eh_return
        || mf.cleanup_list.is_some()
        || cx.codegen().profile.is_some()
    {
        return EVERYTHING;
    }
    let mut changed = written.union(TAKEN).union(crate::encode::prologue::popped_at_end(cx, frame));
    for inst in mf.insts.iter().filter(|inst| inst.op == Op::TailCall) {
        changed = match mf.calls[inst.imm as usize].callee {
            Callee::Symbol(symbol, _) => changed.union(changed_by_call(cx, symbol)),
            _ => return EVERYTHING,
        };
    }
    changed
}

/// The order in which functions are compiled: callees before their callers, otherwise as they stand.
pub fn callees_first(functions: &[Function]) -> Vec<usize> {
    let index: FxHashMap<SymbolId, usize> = functions.iter().enumerate().map(|(at, f)| (f.symbol, at)).collect();
    let called = |func: &Function| -> Vec<usize> {
        let calls = func.blocks().flat_map(|b| func.block_insts(b)).filter(|&i| func.insts[i].opcode == Opcode::Call);
        let callees = calls.filter_map(|call| match func.constant(func.operands(call).next()?) {
            Some(&Constant::Symbol(symbol, 0)) => index.get(&symbol).copied(),
            _ => None,
        });
        callees.collect()
    };
    let mut seen = vec![false; functions.len()];
    let mut order = Vec::with_capacity(functions.len());
    let mut stack: Vec<(usize, Vec<usize>)> = Vec::new();
    for root in 0..functions.len() {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        stack.push((root, called(&functions[root])));
        while let Some((at, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) if !seen[next] => {
                    seen[next] = true;
                    stack.push((next, called(&functions[next])));
                }
                Some(_) => {}
                None => {
                    order.push(*at);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// Whether it is done: where size is what counts.
pub fn is_wanted(module: &Module, options: &target::options::Options) -> bool {
    options.optimize_size && !options.quick_backend && module.reserved_registers.is_empty()
}
