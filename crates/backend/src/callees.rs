//! Which registers the functions of the unit change, for their callers within the unit: what a call
//! of one of them does not change stays where it is instead of in a callee-saved register or in
//! memory (interprocedural register allocation, as gcc's `-fipa-ra`; the idea is Chow's,
//! "Minimizing register usage penalty at procedure calls", PLDI 1988).
//!
//! Functions are compiled callees first. A caller asks about those that stand before it in that
//! order only (calls in a recursion cycle know nothing of each other), and waits for one that
//! another thread still works on: the answer is the same for any number of threads, and as work is
//! begun in that order, the first one under way waits for nobody.
//!
//! What a function changes is found by [`crate::changed_registers`]. Nothing is said about a
//! function that may be another one when the program runs, or that must not be looked into
//! (`noipa`): [`crate::context::Context::changed_by_call`].

use std::sync::OnceLock;

use ir::{Constant, Function, Module, Opcode, SymbolId};
use platform::registers::RegSet;
use rustc_hash::FxHashMap;

/// What a function changes of which nothing is known.
pub const EVERYTHING: RegSet = RegSet(u64::MAX);

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

    /// Says what the function at a place in the order changes when it goes out of scope, come what
    /// may: others wait for that.
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

impl Known<'_> {
    /// The registers that a call of `symbol` changes, if it is this unit's function.
    pub fn changed(self, symbol: SymbolId) -> RegSet {
        match self.callees.position.get(&symbol) {
            Some(&position) if position < self.own => *self.callees.changed[position as usize].wait(),
            _ => EVERYTHING,
        }
    }
}

/// The order in which functions are compiled: callees before their callers, otherwise as they
/// stand.
pub fn callees_first(functions: &[Function]) -> Vec<usize> {
    let index: FxHashMap<SymbolId, usize> = functions.iter().enumerate().map(|(at, f)| (f.symbol, at)).collect();
    let called = |func: &Function| -> Vec<usize> {
        let calls = func.all_insts().filter(|&i| func.insts[i].opcode == Opcode::Call);
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
pub fn is_wanted(module: &Module, options: &platform::options::Options) -> bool {
    options.optimize_size && module.reserved_registers.is_empty()
}
