//! `-Wsuggest-attribute=const`, `pure`, `malloc` and `cold`: functions of which such an attribute
//! would be true although nothing declares it.
//!
//! A copy of each function is brought into SSA form. Bottom-up over the call graph, it is known of
//! each what it reads and writes (through which arguments, or elsewhere), whether it certainly ends
//! ([`endless`](super::endless)), whether its result is new memory ([`results`](super::results)),
//! and whether every way through it comes by a cold call ([`cold`](super::cold)).
//!
//! The rules are gcc's (its passes `local-pure-const`, `modref` and `profile`): a call that does
//! not return, as that of `abort`, makes a function `pure` on condition that it returns; functions
//! that no other unit sees are named on that condition only, for gcc finds out the rest by itself.
//!
//! **Cost.** Nothing unless one of the warnings is on; then a copy of each function and its
//! promotion, and one look at its instructions.

use base::Loc;
use ir::analysis::alias::{Base, locate};
use ir::analysis::call_graph::{Mentions, bottom_up_components};
use ir::copying::exact_definition;
use ir::effects::{Access, Touched, call_attrs, may_write_memory, read, written};
use ir::{
    AliasTags, FnAttrs, FuncId, Function, Inst, Intrinsic, Linkage, Module, Opcode, ParamKind, SymbolDef, SymbolId,
    Value, ValueDef,
};
use middle::library::Library;
use middle::pass::PassContext;
use middle::passes::{combine, mem2reg, simplify_cfg, sroa, tail_recursion};
use platform::options::{OptLevel, Options};
use rustc_hash::FxHashSet;

use crate::{cold, endings, endless, results};

/// What may be said of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attribute {
    /// `const`
    Const,
    /// `pure`
    Pure,
    /// `malloc`
    Malloc,
    /// `cold`
    Cold,
}

/// An attribute that a function might have.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The function's name.
    pub loc: Loc,
    /// The attribute.
    pub attribute: Attribute,
    /// Whether it is true without the condition that the function returns.
    pub certain: bool,
}

/// What is known of a function.
#[derive(Clone, Copy, Default)]
struct Effects {
    /// Memory through none of the arguments.
    reads: bool,
    writes: bool,
    /// Memory through arguments, one bit each.
    argument_reads: u64,
    argument_writes: u64,
    may_not_end: bool,
    new_memory: bool,
    cold: bool,
}

impl Effects {
    /// What could be anything.
    const UNKNOWN: Effects = Effects {
        reads: true,
        writes: true,
        argument_reads: 0,
        argument_writes: 0,
        may_not_end: true,
        new_memory: false,
        cold: false,
    };
}

/// What is known of the functions that come before in bottom-up order.
struct Known<'a> {
    module: &'a Module,
    options: &'a Options,
    ending: FxHashSet<SymbolId>,
    effects: Vec<Option<Effects>>,
}

impl Known<'_> {
    /// The function that a call calls, if its body is known to be the one that runs.
    fn callee(&self, func: &Function, call: Inst) -> Option<FuncId> {
        let (symbol, 0) = func.const_symbol(func.list(call)[0])? else { return None };
        exact_definition(self.module, symbol, self.options.interposable())
    }

    /// What is known of what a call calls; nothing of a function of the same cycle.
    fn called(&self, func: &Function, call: Inst) -> Option<Effects> {
        self.effects[self.callee(func, call)?.as_u32() as usize]
    }

    /// Whether control does not come back from a call.
    fn ends(&self, func: &Function, call: Inst) -> bool {
        let ending = |(symbol, at)| at == 0 && self.ending.contains(&symbol);
        call_attrs(func, self.module, call).has(FnAttrs::NORETURN)
            || func.const_symbol(func.list(call)[0]).is_some_and(ending)
    }
}

/// The attributes that functions of the module might have, in the order of their places.
pub fn check(module: &Module, options: &Options) -> Vec<Candidate> {
    let promoted = module.functions.values().map(|func| promoted(module, func, options));
    let (copies, endless): (Vec<Function>, Vec<bool>) = promoted.unzip();
    let mentions: Vec<Mentions> = copies.iter().map(|func| Mentions::of(module, func)).collect();
    let callees: Vec<&[FuncId]> = mentions.iter().map(|mentions| &*mentions.callees).collect();
    let ending = endings::that_never_return(module, options);
    let mut known = Known { module, options, ending, effects: vec![None; copies.len()] };
    for component in bottom_up_components(&callees) {
        let mut sum = Effects::default();
        for &id in &component {
            let mut found = effects_of(&known, &component, &copies[id.as_u32() as usize]);
            found.may_not_end |= endless[id.as_u32() as usize];
            known.effects[id.as_u32() as usize] = (component.len() == 1).then_some(found);
            sum = union(sum, found);
        }
        if component.len() > 1 || callees[component[0].as_u32() as usize].contains(&component[0]) {
            // The arguments of inner calls are not those of the outermost one.
            sum.reads |= sum.argument_reads != 0;
            sum.writes |= sum.argument_writes != 0;
            component.iter().for_each(|id| known.effects[id.as_u32() as usize] = Some(sum));
        }
    }
    let used = used(module, &mentions);
    let of_function = |(id, func): (FuncId, &Function)| {
        let effects = known.effects[id.as_u32() as usize].filter(|_| used.contains(&id));
        effects.map(|effects| candidates(&known, func, effects)).unwrap_or_default()
    };
    let mut found: Vec<Candidate> = module.functions.iter().flat_map(of_function).collect();
    found.sort_by_key(|candidate| candidate.loc);
    found
}

/// A copy in SSA form, and whether one of its loops may have no end. Those that tail recursion
/// becomes are taken for finite, as gcc does.
fn promoted(module: &Module, func: &Function, options: &Options) -> (Function, bool) {
    let mut copy = func.clone();
    copy.build_uses();
    if copy.calls_setjmp || copy.blocks().next().is_none() {
        return (copy, false);
    }
    let library = Library::default();
    let mut cx = PassContext::new(module, options, &library);
    for pass in [simplify_cfg::PASS, sroa::PASS, mem2reg::PASS, combine::PASS, simplify_cfg::PASS] {
        (pass.run)(&mut copy, &mut cx);
    }
    let endless = endless::may_be(&copy);
    if options.level >= OptLevel::O2 {
        (tail_recursion::PASS.run)(&mut copy, &mut cx);
    }
    (copy, endless)
}

/// The functions that other units see or that something names, themselves aside.
fn used(module: &Module, mentions: &[Mentions]) -> FxHashSet<FuncId> {
    let named = mentions.iter().enumerate().flat_map(|(caller, mentions)| {
        mentions.operands.iter().copied().filter(move |callee| callee.as_u32() as usize != caller)
    });
    let in_data = module.data.values().flat_map(|object| &object.relocs).filter_map(|reloc| match reloc.target {
        ir::RelocTarget::Symbol(symbol) => match module.symbols[symbol].def {
            SymbolDef::Function(id) => Some(id),
            _ => None,
        },
        _ => None,
    });
    let seen = |&(_, func): &(FuncId, &Function)| {
        let symbol = &module.symbols[func.symbol];
        symbol.linkage != Linkage::Local || symbol.used
    };
    let visible = module.functions.iter().filter(seen).map(|(id, _)| id);
    visible.chain(named).chain(in_data).collect()
}

fn union(a: Effects, b: Effects) -> Effects {
    Effects {
        reads: a.reads | b.reads,
        writes: a.writes | b.writes,
        argument_reads: a.argument_reads | b.argument_reads,
        argument_writes: a.argument_writes | b.argument_writes,
        may_not_end: a.may_not_end | b.may_not_end,
        new_memory: false,
        cold: false,
    }
}

fn candidates(known: &Known<'_>, func: &Function, effects: Effects) -> Vec<Candidate> {
    let module = known.module;
    let symbol = &module.symbols[func.symbol];
    let ends = known.ending.contains(&func.symbol) && !known.options.interposable();
    if symbol.attrs.has(FnAttrs::NORETURN) || symbol.attrs.has(FnAttrs::NAKED) {
        return Vec::new();
    }
    let is_hidden = symbol.linkage == Linkage::Local || symbol.attrs.has(FnAttrs::INLINE_HINT);
    let mut found = Vec::new();
    let mut add = |attribute, certain| found.push(Candidate { loc: func.loc, attribute, certain });
    let is_const = !effects.reads && effects.argument_reads == 0;
    let writes = effects.writes || effects.argument_writes != 0;
    if !writes && !ends && gives_a_value(module, func) && (!is_hidden || effects.may_not_end) {
        let declared = |attribute| symbol.attrs.has(attribute);
        match is_const {
            true if !declared(FnAttrs::CONST) => add(Attribute::Const, !effects.may_not_end),
            false if !declared(FnAttrs::CONST) && !declared(FnAttrs::PURE) => {
                add(Attribute::Pure, !effects.may_not_end);
            }
            _ => {}
        }
    }
    if effects.new_memory && !is_hidden && !symbol.attrs.has(FnAttrs::MALLOC) {
        add(Attribute::Malloc, true);
    }
    if effects.cold && !is_hidden && !symbol.attrs.has(FnAttrs::COLD) {
        add(Attribute::Cold, true);
    }
    found
}

fn gives_a_value(module: &Module, func: &Function) -> bool {
    let signature = &module.signatures[func.sig];
    !signature.returns.is_empty() || signature.params.iter().any(|p| matches!(p.kind, ParamKind::StructReturn))
}

fn effects_of(known: &Known<'_>, component: &[FuncId], func: &Function) -> Effects {
    if func.calls_setjmp || func.blocks().next().is_none() {
        return Effects::UNKNOWN;
    }
    let mut collector = Collector { known, component, func, effects: Effects::default() };
    func.all_insts().for_each(|inst| collector.instruction(inst));
    let mut effects = collector.effects;
    let called = |call| known.called(func, call).unwrap_or_default();
    effects.new_memory = results::are_new_memory(known.module, func, &|call| called(call).new_memory);
    effects.cold = cold::is_cold(known.module, func, &|call| called(call).cold);
    effects
}

struct Collector<'a> {
    known: &'a Known<'a>,
    component: &'a [FuncId],
    func: &'a Function,
    effects: Effects,
}

impl Collector<'_> {
    fn instruction(&mut self, inst: Inst) {
        let (func, module) = (self.func, self.known.module);
        let data = func.insts[inst];
        match data.opcode {
            Opcode::Ret | Opcode::LifetimeStart | Opcode::LifetimeEnd => return,
            Opcode::Call => return self.call(inst),
            Opcode::Intrinsic if data.intrinsic() == Intrinsic::Trap => return self.end(),
            Opcode::VaStart => return self.effects.writes = true,
            Opcode::Asm | Opcode::AsmBr => {
                let changes = func.asm(inst).volatile || may_write_memory(func, module, inst);
                return self.effects.writes |= changes;
            }
            Opcode::Load | Opcode::Store | Opcode::MemCpy | Opcode::MemMove | Opcode::MemSet if data.is_volatile() => {
                return self.effects.writes = true;
            }
            _ => {}
        }
        match written(func, module, inst) {
            Touched::Nothing => {}
            Touched::Bytes(access) => self.write(access),
            Touched::Visible | Touched::Anything => self.effects.writes = true,
        }
        match read(func, module, inst) {
            Touched::Nothing => {}
            Touched::Bytes(access) => self.read(access),
            Touched::Visible | Touched::Anything => self.effects.reads = true,
        }
    }

    /// Control does not come back: what happened before may be forgotten only if it does.
    fn end(&mut self) {
        self.effects.reads = true;
        self.effects.may_not_end = true;
    }

    fn write(&mut self, access: Access) {
        match self.outside(access) {
            Some(Outside::Elsewhere | Outside::Constant) => self.effects.writes = true,
            Some(Outside::Argument(bit)) => self.effects.argument_writes |= bit,
            None => {}
        }
    }

    fn read(&mut self, access: Access) {
        match self.outside(access) {
            Some(Outside::Elsewhere) => self.effects.reads = true,
            Some(Outside::Argument(bit)) => self.effects.argument_reads |= bit,
            Some(Outside::Constant) | None => {}
        }
    }

    /// Where an access goes that other functions may see.
    fn outside(&self, access: Access) -> Option<Outside> {
        match locate(self.func, access).base {
            Base::Alloca(_) => None,
            Base::Symbol(symbol) => {
                let data = &self.known.module.symbols[symbol];
                let constant = matches!(data.def, SymbolDef::Data(id) if self.known.module.data[id].read_only);
                Some(if constant { Outside::Constant } else { Outside::Elsewhere })
            }
            Base::Value(value) => match self.func.value_def(value) {
                ValueDef::Param(index) => {
                    let params = &self.known.module.signatures[self.func.sig].params;
                    match params.get(index as usize).map(|p| p.kind) {
                        Some(ParamKind::ByVal { .. } | ParamKind::StructReturn) => None,
                        _ if index < u64::BITS => Some(Outside::Argument(1 << index)),
                        _ => Some(Outside::Elsewhere),
                    }
                }
                _ => Some(Outside::Elsewhere),
            },
            Base::Visible => Some(Outside::Elsewhere),
        }
    }

    fn is_recursive(&self, call: Inst) -> bool {
        self.func.const_symbol(self.func.list(call)[0]) == Some((self.func.symbol, 0))
            || self.known.callee(self.func, call).is_some_and(|id| self.component.contains(&id))
    }

    fn call(&mut self, call: Inst) {
        let (func, known) = (self.func, self.known);
        let arguments: Vec<Value> = func.list(call)[1..].to_vec();
        let signature = &known.module.signatures[func.call_info(call).sig];
        for (param, &address) in signature.params.iter().zip(&arguments) {
            match param.kind {
                ParamKind::ByVal { .. } => self.read(behind(address)),
                ParamKind::StructReturn => self.write(behind(address)),
                _ => {}
            }
        }
        let attrs = call_attrs(func, known.module, call);
        if func.may_return_again(call) {
            self.effects.writes = true;
        } else if attrs.has(FnAttrs::CONST) || attrs.has(FnAttrs::PURE) {
            self.effects.reads |= !attrs.has(FnAttrs::CONST);
        } else if known.ends(func, call) {
            self.end();
        } else if self.is_recursive(call) {
            self.effects.may_not_end = true;
        } else if let Some(callee) = known.called(func, call) {
            self.effects.reads |= callee.reads;
            self.effects.writes |= callee.writes;
            self.effects.may_not_end |= callee.may_not_end;
            for (index, &address) in arguments.iter().enumerate().take(u64::BITS as usize) {
                if callee.argument_reads >> index & 1 != 0 {
                    self.read(behind(address));
                }
                if callee.argument_writes >> index & 1 != 0 {
                    self.write(behind(address));
                }
            }
        } else {
            self.effects.writes = true;
        }
    }
}

fn behind(address: Value) -> Access {
    Access { address, size: None, tag: AliasTags::any() }
}

/// Memory that outlives a call.
enum Outside {
    /// What an argument points to: its bit.
    Argument(u64),
    /// An object that is only read.
    Constant,
    /// Anything else.
    Elsewhere,
}
