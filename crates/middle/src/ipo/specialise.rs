//! Copies of functions for calls that pass what their loops depend on: the function that a loop
//! calls (the comparison of a sort, the visitor of a walk), and how often a loop goes around, where
//! that is a small number and, at `-O2`, the call is in a loop. The calls go to the copy, all of
//! whose calls pass the same; so [`super::constant_parameters`] puts the constant in the
//! parameter's place, and the function is inlined, or the loop unrolled (gcc's `ipa-cp-clone`,
//! LLVM's `FunctionSpecialization`). What a copy hands on to other functions leads to copies of
//! those.
//!
//! ```text
//! func @sort v0, v1 { ... call v1(v7) ... }    the same, and
//! call @sort(v4, @less)                     => func @sort.constprop.0 v0, v1 { ... call v1(v7) }
//!                                              call @sort.constprop.0(v4, @less)
//! ```
//!
//! A function is looked at once, its loops are found once; copies together are at most half as
//! large as the unit, or [`GROWTH`].

use ir::analysis::{Cfg, DominatorTree, LoopTree};
use ir::{
    Constant, FnAttrs, FuncId, Function, Inst, Linkage, Module, Opcode, ParamKind, SymbolData, SymbolDef, SymbolId,
};
use ir::{Value, Visibility};
use platform::options::{OptLevel, Options};
use rustc_hash::FxHashMap;

use super::inliner::{is_kept, signatures_match};
use ir::copying::{Copying, copying, exact_definition};

/// Instructions of a function that is copied for the function it calls.
const CALLS: usize = 2000;
/// Instructions of one that is copied for the bound of a loop.
const BOUNDED: usize = 400;
/// Instructions that all copies of a small unit may have together.
const GROWTH: usize = 2000;
/// The largest bound of a loop that is worth a copy: such loops are unrolled.
const BOUND: u128 = 16;
/// Functions that hand a parameter on to each other.
const DEPTH: u32 = 4;

type Known = Vec<(usize, Constant)>;

/// What a parameter decides in a loop.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
struct Decides {
    callee: bool,
    bound: bool,
}

/// Whether a call passes a defined function what may be worth a copy of it.
pub fn is_decisive_call(module: &Module, func: &Function, call: Inst) -> bool {
    let is_defined = |symbol: SymbolId| matches!(module.symbols[symbol].def, SymbolDef::Function(_));
    let mut values = func.list(call).iter().map(|&value| func.constant(value));
    let Some(Some(&Constant::Symbol(callee, 0))) = values.next() else { return false };
    is_defined(callee) && values.flatten().any(|constant| is_decisive(module, constant))
}

/// Whether a constant argument may be worth a copy of the function that it is passed to.
fn is_decisive(module: &Module, constant: &Constant) -> bool {
    match constant {
        Constant::Symbol(symbol, 0) => matches!(module.symbols[*symbol].def, SymbolDef::Function(_)),
        Constant::Bits(bits) => (1..=BOUND).contains(bits),
        _ => false,
    }
}

/// Makes copies for the calls `seeds`, (caller, call), and what the copies hand on; the functions
/// that changed or are new.
pub fn run(module: &mut Module, seeds: Vec<(FuncId, Inst)>, options: &Options) -> Vec<FuncId> {
    if seeds.is_empty() || options.optimize_size || options.codegen.ipa_cp_clone == Some(false) {
        return Vec::new();
    }
    let size: usize = module.functions.values().map(|func| func.num_insts()).sum();
    let room = GROWTH.max(size / 2);
    let (decides, made) = (FxHashMap::default(), FxHashMap::default());
    let mut copies = Copies { module, options, decides, made, room, changed: Vec::new() };
    let mut work: Vec<(FuncId, Inst, Known)> = seeds.into_iter().rev().map(|(f, call)| (f, call, vec![])).collect();
    while let Some((caller, call, known)) = work.pop() {
        let Some((callee, key)) = copies.wanted(caller, call, &known) else { continue };
        let Some((symbol, new)) = copies.copy(callee, &key) else { continue };
        if let Some(new) = new {
            let func = &copies.module.functions[new];
            let calls = func.insts_with(|opcode| opcode == Opcode::Call);
            let is_known = |value: &Value| key.iter().any(|(index, _)| func.params()[*index] == *value);
            let concerned =
                |&call: &Inst| func.list(call)[1..].iter().any(is_known) || is_decisive_call(copies.module, func, call);
            work.extend(calls.into_iter().filter(concerned).map(|call| (new, call, key.clone())));
        }
        let func = &mut copies.module.functions[caller];
        let callee = func.symbol_const(symbol, 0);
        func.set_operand(call, 0, callee);
        copies.changed.push(caller);
    }
    let mut changed = copies.changed;
    changed.sort_unstable();
    changed.dedup();
    changed
}

struct Copies<'a> {
    module: &'a mut Module,
    options: &'a Options,
    /// By function and parameter.
    decides: FxHashMap<FuncId, Vec<Decides>>,
    made: FxHashMap<(FuncId, Known), SymbolId>,
    /// Instructions that copies may still have.
    room: usize,
    changed: Vec<FuncId>,
}

impl Copies<'_> {
    /// The function that a call in `caller` should reach a copy of, and for what; `known` are the
    /// caller's parameters that are constants.
    fn wanted(&mut self, caller: FuncId, call: Inst, known: &Known) -> Option<(FuncId, Known)> {
        let callee = self.callee(&self.module.functions[caller], call)?;
        self.look_at(callee, DEPTH);
        let func = &self.module.functions[caller];
        let constant = |value: Value| {
            let param = known.iter().find(|(index, _)| func.params()[*index] == value).map(|(_, constant)| constant);
            param.or_else(|| func.constant(value)).filter(|constant| is_decisive(self.module, constant)).cloned()
        };
        let mut key = Known::new();
        for (index, decides) in self.decides.get(&callee)?.iter().enumerate() {
            match constant(func.list(call)[index + 1]) {
                Some(Constant::Symbol(symbol, offset)) if decides.callee => {
                    key.push((index, Constant::Symbol(symbol, offset)));
                }
                Some(Constant::Bits(bits)) if decides.bound => key.push((index, Constant::Bits(bits))),
                _ => {}
            }
        }
        let everywhere = self.options.level >= OptLevel::O3 || self.options.codegen.ipa_cp_clone == Some(true);
        if !everywhere && known.is_empty() && key.iter().any(|(_, c)| matches!(c, Constant::Bits(_))) {
            let cfg = Cfg::compute(func);
            let loops = LoopTree::compute(func, &cfg, &DominatorTree::compute(func, &cfg));
            if func.inst_block(call).is_none_or(|block| loops.innermost(block).is_none()) {
                key.retain(|(_, constant)| !matches!(constant, Constant::Bits(_)));
            }
        }
        (!key.is_empty()).then_some((callee, key))
    }

    /// The function that a call certainly reaches, if it may be copied.
    fn callee(&self, func: &Function, call: Inst) -> Option<FuncId> {
        let (symbol, 0) = func.const_symbol(func.list(call)[0])? else { return None };
        let callee = exact_definition(self.module, symbol, self.options.interposable())?;
        let body = &self.module.functions[callee];
        let attrs = self.module.symbols[symbol].attrs;
        let refused = [FnAttrs::NOIPA, FnAttrs::NAKED, FnAttrs::OPTNONE, FnAttrs::ALWAYS_INLINE, FnAttrs::COLD];
        let fits = !refused.iter().any(|&attr| attrs.has(attr))
            && !is_kept(func, call)
            && body.has_use_lists()
            && signatures_match(self.module, func, call, body.sig);
        fits.then_some(callee)
    }

    /// Finds out what the parameters of a function decide, and of those that it hands them on to.
    fn look_at(&mut self, id: FuncId, depth: u32) {
        let func = &self.module.functions[id];
        if self.decides.contains_key(&id) {
            return;
        }
        let mut decides = vec![Decides::default(); func.params().len()];
        self.decides.insert(id, decides.clone()); // for those that hand it back
        if func.params().is_empty() || func.num_insts() > CALLS || copying(func) != Copying::Free {
            return;
        }
        let cfg = Cfg::compute(func);
        let loops = LoopTree::compute(func, &cfg, &DominatorTree::compute(func, &cfg));
        let mut handed: Vec<(usize, FuncId, usize)> = Vec::new();
        let for_bounds = self.options.codegen.ipa_cp_clone.unwrap_or(self.options.level >= OptLevel::O2)
            && func.num_insts() <= BOUNDED;
        let kinds = &self.module.signatures[func.sig].params;
        for (index, &param) in func.params().iter().enumerate().filter(|(i, _)| kinds[*i].kind == ParamKind::Direct) {
            for (user, operand) in func.uses(param) {
                let inside = func.inst_block(user).is_some_and(|block| loops.innermost(block).is_some());
                match func.insts[user].opcode {
                    Opcode::Call if operand == 0 => decides[index].callee |= inside,
                    Opcode::Call if depth > 0 => {
                        handed.extend(self.callee(func, user).map(|callee| (index, callee, operand - 1)));
                    }
                    _ => {}
                }
            }
            decides[index].bound = for_bounds && bounds(func, &cfg, &loops, param);
        }
        for (index, callee, parameter) in handed {
            self.look_at(callee, depth - 1);
            let there = self.decides[&callee].get(parameter).copied().unwrap_or_default();
            decides[index].callee |= there.callee;
            decides[index].bound |= there.bound;
        }
        self.decides.insert(id, decides);
    }

    /// The copy of a function for the constants; the second result is there if it is new.
    fn copy(&mut self, id: FuncId, key: &Known) -> Option<(SymbolId, Option<FuncId>)> {
        let made = (id, key.clone());
        if let Some(&symbol) = self.made.get(&made) {
            return Some((symbol, None));
        }
        let original = &self.module.functions[id];
        self.room = self.room.checked_sub(original.num_insts())?;
        let mut copy = original.clone();
        let data = &self.module.symbols[original.symbol];
        let names = (0..).map(|number| format!("{}.constprop.{number}", data.name));
        let name = names.into_iter().find(|name| self.module.find_symbol(name).is_none())?.into();
        let (linkage, visibility) = (Linkage::Local, Visibility::Default);
        let data = SymbolData { name, linkage, visibility, used: false, retain: false, symver: None, ..data.clone() };
        copy.symbol = self.module.add_symbol(data);
        let symbol = copy.symbol;
        let new = self.module.define_function(copy);
        self.made.insert(made, symbol);
        self.changed.push(new);
        Some((symbol, Some(new)))
    }
}

/// Whether a number, widened or changed by a constant, is compared with where a loop is left.
fn bounds(func: &Function, cfg: &Cfg, loops: &LoopTree, param: Value) -> bool {
    let mut values = vec![param];
    let mut next = 0;
    while let Some(&value) = values.get(next) {
        next += 1;
        for (user, _) in func.uses(value) {
            match func.insts[user].opcode {
                Opcode::ICmp => {
                    let Some(block) = func.inst_block(user) else { continue };
                    let Some(inner) = loops.innermost(block) else { continue };
                    let leaves = cfg.succs(block).iter().any(|&next| !loops.contains(inner, next));
                    if leaves && loops.loops().all(|other| loops.parent(other) != Some(inner)) {
                        return true;
                    }
                }
                Opcode::SExt | Opcode::ZExt | Opcode::Add | Opcode::Sub if values.len() < 4 => {
                    let other = func.operands(user).find(|&other| other != value);
                    if other.is_none_or(|other| func.constant(other).is_some()) {
                        values.extend(func.result(user));
                    }
                }
                _ => {}
            }
        }
    }
    false
}
