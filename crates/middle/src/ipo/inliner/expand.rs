//! `always_inline` at `-O0`, where functions are emitted as they come and nothing else is inlined.
//!
//! The front end puts the bodies of `always_inline` functions into the module and hands the other
//! functions on; [`Expander::accept`] puts the bodies into their callers. A body is expanded itself
//! once, callees before callers (explicit stack), and kept. A caller that calls what has no body
//! yet waits for the end of the unit. Then bodies that are needed as functions of their own (their
//! address is taken, they are visible to others) are emitted too, and what is still missing is an
//! error.
//!
//! Constant arguments are put in place of parameters that nothing else is stored to, what becomes
//! constant by that is folded, and branches that cannot be taken are removed: an `asm` operand that
//! has to be constant is one by then. Functions without such calls cost one look at their
//! constants.
//!
//! A long body of which nothing tells whether it was copied is called instead ([`Body::Called`]):
//! templates that are instantiated by inlining would multiply the code, and the time it takes,
//! where no optimisation makes them smaller again.

use std::collections::hash_map::Entry;

use base::Loc;
use cranelift_entity::EntitySet;
use ir::verifier::{Strictness, verify_function};
use ir::{
    AsmData, AsmPlace, FnAttrs, FuncId, Function, Inst, Linkage, Module, Opcode, RelocTarget, SymbolDef, SymbolId,
};
use platform::options::Options;
use rustc_hash::FxHashMap;

use super::{RECURSIVE, TARGET_MISMATCH, clone, failure, features_fit, forced_symbol, missing_body, signatures_match};
use crate::library::Library;
use crate::pass::PassContext;
use crate::passes::{fold, simplify_cfg};
use ir::copying::{Copying, copying};

/// The calls of one unit.
pub struct Expander<'o> {
    options: &'o Options,
    bodies: FxHashMap<SymbolId, Body>,
    waiting: Vec<Function>,
    /// `always_inline` functions that emitted code mentions.
    mentioned: EntitySet<SymbolId>,
    /// Assembly in emitted code, which may name functions.
    templates: Vec<String>,
    errors: Vec<(Loc, String)>,
}

/// Puts the bodies of `always_inline` functions into the functions of a whole module, so that each
/// copy is counted on its own (`-fprofile-generate`). What cannot be copied is left for the inliner
/// to report.
pub fn expand_module(module: &mut Module, options: &Options) {
    let mut expander = Expander::new(options);
    let mut done = Vec::new();
    for (id, func) in &module.functions {
        if forced_constants(module, func).next().is_some() {
            let mut func = func.clone();
            expander.prepare_bodies(module, &func);
            expander.replace_calls(module, &mut func);
            expander.prune(module, &mut func);
            done.push((id, func));
        }
    }
    done.into_iter().for_each(|(id, func)| module.functions[id] = func);
}

enum Body {
    /// Its callees are being expanded.
    Open,
    /// Nothing in it is left to expand.
    Expanded(Box<Function>),
    /// As well, and it is a function of its own.
    Called(Box<Function>),
    /// It leads back to itself.
    Endless(Box<Function>),
}

impl<'o> Expander<'o> {
    /// For one unit.
    pub fn new(options: &'o Options) -> Expander<'o> {
        Expander {
            options,
            bodies: FxHashMap::default(),
            waiting: Vec::new(),
            mentioned: EntitySet::new(),
            templates: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// The function with its calls expanded, or `None` if it has to wait.
    pub fn accept(&mut self, module: &Module, mut func: Function) -> Option<Function> {
        if forced_constants(module, &func).next().is_none() {
            self.note_asm(&func);
            return Some(func);
        }
        if self.misses_bodies(module, &func) {
            self.waiting.push(func);
            return None;
        }
        self.expand(module, &mut func);
        self.note_mentions(module, &func);
        Some(func)
    }

    /// At the end of the unit: the functions that waited, in order, and every message, (where,
    /// what). The module keeps those bodies that are functions of their own, expanded.
    pub fn finish(mut self, module: &mut Module) -> (Vec<Function>, Vec<(Loc, String)>) {
        let mut done = std::mem::take(&mut self.waiting);
        for func in &mut done {
            self.expand(module, func);
            self.note_mentions(module, func);
        }
        self.settle_bodies(module);
        (done, self.errors)
    }

    /// Whether a function that has to be inlined here, directly or through others, is not defined
    /// yet.
    fn misses_bodies(&self, module: &Module, func: &Function) -> bool {
        let mut seen: EntitySet<SymbolId> = EntitySet::new();
        let mut work: Vec<SymbolId> = forced_constants(module, func).collect();
        while let Some(symbol) = work.pop() {
            let expanded = matches!(self.bodies.get(&symbol), Some(Body::Expanded(_) | Body::Called(_)));
            if expanded || !seen.insert(symbol) {
                continue;
            }
            match module.symbols[symbol].def {
                SymbolDef::Function(id) => work.extend(forced_constants(module, &module.functions[id])),
                SymbolDef::Undefined | SymbolDef::StreamedFunction => return true,
                _ => {}
            }
        }
        false
    }

    fn expand(&mut self, module: &Module, func: &mut Function) {
        self.prepare_bodies(module, func);
        if self.replace_calls(module, func) {
            self.report_endless(module, func);
        }
        self.prune(module, func);
    }

    /// Removes what constants have made unreachable.
    fn prune(&self, module: &Module, func: &mut Function) {
        let library = Library::default();
        let mut cx = PassContext::new(module, self.options, &library);
        cx.execute(func, &simplify_cfg::PASS, |_, _, _| {});
        if cfg!(debug_assertions)
            && let Err(errors) = verify_function(module, func, Strictness::Ssa)
        {
            base::bug!("the verifier rejects the function after expanding calls:\n{}", errors.join("\n"));
        }
    }

    /// Expands the bodies that a function needs, callees first.
    fn prepare_bodies(&mut self, module: &Module, func: &Function) {
        let mut stack: Vec<(Option<(SymbolId, FuncId)>, Vec<SymbolId>)> = vec![(None, callees(module, func))];
        while let Some((owner, open)) = stack.last_mut() {
            if let Some(symbol) = open.pop() {
                let SymbolDef::Function(id) = module.symbols[symbol].def else { continue };
                if let Entry::Vacant(entry) = self.bodies.entry(symbol) {
                    entry.insert(Body::Open);
                    stack.push((Some((symbol, id)), callees(module, &module.functions[id])));
                }
                continue;
            }
            if let Some((symbol, id)) = *owner {
                let mut body = Box::new(module.functions[id].clone());
                let endless = self.replace_calls(module, &mut body);
                let body = match endless {
                    true => Body::Endless(body),
                    false if may_be_called(module, symbol, &body) => Body::Called(body),
                    false => Body::Expanded(body),
                };
                self.bodies.insert(symbol, body);
            }
            stack.pop();
        }
    }

    /// Puts bodies in the place of calls, and constants in the place of parameters. True if a call
    /// was left because its callee leads back to itself; other failures are reported.
    fn replace_calls(&mut self, module: &Module, func: &mut Function) -> bool {
        if !func.has_use_lists() {
            func.build_uses();
        }
        let mut endless = false;
        let calls = may_call(module, func);
        // Last first: what follows a call in its block moves to another one, and should move once.
        for (call, symbol) in forced_calls(module, func).into_iter().rev() {
            let reason = match self.bodies.get(&symbol) {
                Some(Body::Called(body)) if calls && !self.options.coverage.copies() => {
                    (!features_fit(func, body, self.options)).then_some(TARGET_MISMATCH)
                }
                Some(Body::Called(body) | Body::Expanded(body)) => match copying(body) {
                    Copying::Impossible(reason) => Some(reason),
                    Copying::Refused => None,
                    _ if !features_fit(func, body, self.options) => Some(TARGET_MISMATCH),
                    _ if module.symbols[symbol].linkage == Linkage::Weak => missing_body(module, symbol),
                    _ => {
                        let SymbolDef::Function(id) = module.symbols[symbol].def else { continue };
                        if signatures_match(module, func, call, module.functions[id].sig) {
                            let slots = clone::inline_call(module, func, call, body);
                            propagate_constants(func, &slots);
                        }
                        None
                    }
                },
                Some(Body::Open | Body::Endless(_)) => {
                    endless = true;
                    None
                }
                None => missing_body(module, symbol),
            };
            if let Some(reason) = reason {
                self.errors.push((func.source_loc(call), failure(module, symbol, reason)));
            }
        }
        endless
    }

    fn report_endless(&mut self, module: &Module, func: &Function) {
        for (call, symbol) in forced_calls(module, func) {
            if matches!(self.bodies.get(&symbol), Some(Body::Endless(_))) {
                self.errors.push((func.source_loc(call), failure(module, symbol, RECURSIVE)));
            }
        }
    }

    fn note_mentions(&mut self, module: &Module, func: &Function) {
        self.note_asm(func);
        if forced_constants(module, func).next().is_none() {
            return;
        }
        for inst in func.all_insts() {
            for (symbol, _) in func.operands(inst).filter_map(|v| func.const_symbol(v)) {
                if module.symbols[symbol].attrs.has(FnAttrs::ALWAYS_INLINE) {
                    self.mentioned.insert(symbol);
                }
            }
        }
    }

    fn note_asm(&mut self, func: &Function) {
        self.templates.extend(func.asms.values().filter(|a| !a.template.is_empty()).map(|a| a.template.to_string()));
    }

    /// Leaves those bodies in the module that something needs as functions.
    fn settle_bodies(&mut self, module: &mut Module) {
        let mut reached: EntitySet<SymbolId> = EntitySet::new();
        let mut work = self.roots(module);
        while let Some(symbol) = work.pop() {
            let SymbolDef::Function(id) = module.symbols[symbol].def else { continue };
            if !reached.insert(symbol) || module.symbols[symbol].attrs.has(FnAttrs::AVAILABLE_EXTERNALLY) {
                continue;
            }
            let func = match self.bodies.remove(&symbol) {
                Some(Body::Expanded(mut body) | Body::Called(mut body) | Body::Endless(mut body)) => {
                    self.prune(module, &mut body);
                    *body
                }
                _ => {
                    let mut body = module.functions[id].clone();
                    self.expand(module, &mut body);
                    body
                }
            };
            self.mentioned.clear();
            self.note_mentions(module, &func);
            work.extend(self.mentioned.iter());
            module.functions[id] = func;
        }
        let ids: Vec<FuncId> = module.functions.keys().collect();
        for id in ids {
            let symbol = module.functions[id].symbol;
            if !reached.contains(symbol) || module.symbols[symbol].attrs.has(FnAttrs::AVAILABLE_EXTERNALLY) {
                module.debug.keep_description(&mut module.functions[id]);
                module.functions[id] = Function::new(symbol, module.functions[id].sig, []);
                module.symbols[symbol].def = SymbolDef::Undefined;
                module.symbols[symbol].referenced = reached.contains(symbol);
            }
        }
    }

    /// What is seen from outside, or mentioned by emitted code, by data, by another name or by
    /// assembly.
    fn roots(&self, module: &Module) -> Vec<SymbolId> {
        let mut out: Vec<SymbolId> = self.mentioned.iter().collect();
        for func in module.functions.values() {
            let data = &module.symbols[func.symbol];
            let named = |text: &str| text.contains(&*data.name);
            if data.used
                || (data.linkage != Linkage::Local && !data.attrs.has(FnAttrs::AVAILABLE_EXTERNALLY))
                || module.file_asm.iter().any(|text| named(text))
                || self.templates.iter().any(|text| named(text))
            {
                out.push(func.symbol);
            }
        }
        out.extend(module.init_fini.iter().map(|f| f.2));
        for reloc in module.data.values().flat_map(|d| &d.relocs) {
            out.push(match reloc.target {
                RelocTarget::Symbol(symbol) => symbol,
                RelocTarget::Label { function, .. } | RelocTarget::LabelDifference { function, .. } => function,
            });
        }
        out.extend(module.symbols.values().filter_map(|data| match data.def {
            SymbolDef::Alias(target) | SymbolDef::Ifunc(target) => Some(target),
            _ => None,
        }));
        out
    }
}

/// Instructions of a body in alloca form that is copied in any case; with fewer, the copy is hardly
/// longer than the call.
const COPIED: usize = 64;

/// Whether a call of this body, in which nothing is left to expand, does what a copy of it would
/// do: a local function that has no assembly that depends on its place, makes no room that its
/// caller must keep, looks at no frame, and passes no vectors, whose registers depend on the
/// instruction sets of caller and callee.
fn may_be_called(module: &Module, symbol: SymbolId, body: &Function) -> bool {
    let data = &module.symbols[symbol];
    let attrs = FnAttrs::AVAILABLE_EXTERNALLY | FnAttrs::NO_STACK_PROTECTOR | FnAttrs::NO_INSTRUMENT;
    let sig = &module.signatures[body.sig];
    let plain =
        data.linkage == Linkage::Local && data.attrs.0 & attrs == 0 && !sig.variadic && !body.has_dynamic_alloca;
    let passes_vectors = sig.returns.iter().any(|ty| ty.is_vector()) || sig.params.iter().any(|p| p.ty.is_vector());
    let insts = || body.blocks().flat_map(|b| body.block_insts(b));
    plain
        && !passes_vectors
        && insts().nth(COPIED).is_some()
        && copying(body) == Copying::Free
        && !insts().any(|inst| body.insts[inst].opcode == Opcode::AsmBr)
        && !body.asms.values().any(depends_on_place)
}

/// Whether assembly may do something else in a copy: an operand may be constant there only, and
/// what touches the stack is about that of the caller.
fn depends_on_place(asm: &AsmData) -> bool {
    let of_the_stack = ["sp", "bp", "push", "pop", "call", "ret", "enter", "leave"];
    asm.operands.iter().any(|operand| operand.place == AsmPlace::Immediate)
        || of_the_stack.iter().any(|word| asm.template.contains(word))
}

/// Whether a function may call what asks to be part of it: not if it keeps registers that its
/// callees change, or if it runs before what its callees need is there.
fn may_call(module: &Module, caller: &Function) -> bool {
    let attrs = FnAttrs::INTERRUPT | FnAttrs::KEEPS_REGISTERS | FnAttrs::NAKED | FnAttrs::NO_STACK_PROTECTOR;
    module.symbols[caller.symbol].attrs.0 & attrs == 0
}

/// The `always_inline` symbols among a function's constants, whether or not they are still used.
fn forced_constants<'a>(module: &'a Module, func: &'a Function) -> impl Iterator<Item = SymbolId> + 'a {
    func.all_values().filter_map(move |value| {
        let (symbol, _) = func.const_symbol(value)?;
        module.symbols[symbol].attrs.has(FnAttrs::ALWAYS_INLINE).then_some(symbol)
    })
}

fn forced_calls(module: &Module, func: &Function) -> Vec<(Inst, SymbolId)> {
    let calls = func.insts_with(|opcode| opcode == Opcode::Call).into_iter();
    calls.filter_map(|call| Some((call, forced_symbol(module, func, call)?))).collect()
}

fn callees(module: &Module, func: &Function) -> Vec<SymbolId> {
    forced_calls(module, func).into_iter().rev().map(|c| c.1).collect()
}

/// Replaces loads of slots whose only store is of a constant, folding what follows from it.
fn propagate_constants(func: &mut Function, slots: &[Inst]) {
    let mut work: Vec<Inst> = Vec::new();
    for &slot in slots {
        let address = func.first_result(slot);
        work.extend(func.uses(address).map(|u| u.0).filter(|&i| func.insts[i].opcode == Opcode::Store));
    }
    let mut candidates: EntitySet<Inst> = EntitySet::new();
    candidates.extend(slots.iter().copied());
    // What a parameter is converted to before it is stored.
    let conversions: Vec<Inst> = work.iter().filter_map(|&store| func.def_inst(func.operand(store, 1))).collect();
    work.extend(conversions);
    while let Some(inst) = work.pop() {
        if func.inst_block(inst).is_none() {
            continue;
        }
        if func.insts[inst].opcode == Opcode::Store {
            let slot = func.def_inst(func.operand(inst, 0)).filter(|&slot| candidates.contains(slot));
            if let Some(slot) = slot
                && let Some(loads) = loads_of_constant(func, slot, inst)
            {
                for load in loads {
                    let (result, constant) = (func.first_result(load), func.operand(inst, 1));
                    work.extend(func.uses(result).map(|u| u.0));
                    func.replace_all_uses(result, constant);
                    func.remove_inst(load);
                }
            }
        } else if let Some(value) = fold::fold_value(func, inst) {
            let result = func.first_result(inst);
            work.extend(func.uses(result).map(|u| u.0));
            func.replace_result(inst, value);
        }
    }
}

/// The loads of a slot into which `store`, of a constant, is all that is ever stored; `None` if
/// anything else is done with it.
fn loads_of_constant(func: &Function, slot: Inst, store: Inst) -> Option<Vec<Inst>> {
    let value = func.operand(store, 1);
    func.constant(value)?;
    let mut loads = Vec::new();
    for (user, index) in func.uses(func.first_result(slot)) {
        let data = func.insts[user];
        match data.opcode {
            Opcode::Load if !data.is_volatile() && data.ty == func.value_type(value) => loads.push(user),
            Opcode::Store if user == store && index == 0 && !data.is_volatile() => {}
            Opcode::LifetimeStart | Opcode::LifetimeEnd => {}
            _ => return None,
        }
    }
    Some(loads)
}
