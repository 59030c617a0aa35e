//! Parameters that are the same constant at every call: of local functions that are only ever
//! called, and called directly, so that all calls are in sight. Inside the function the constant
//! takes the parameter's place, which resolves the sizes and switches that small units pass around
//! (what gcc's `ipa-cp` does without cloning, also for `noinline`); the calls then pass zero, so
//! that a variable whose address went there has one mention less and
//! [`ir::analysis::never_written`] may find it to be a constant.
//!
//! A parameter that is handed on unchanged is what the parameter it comes from is. That is solved
//! optimistically: nothing is known of a parameter until a call says something, two different
//! things make it unknown for good, and calls are looked at until nothing changes (Callahan,
//! Cooper, Kennedy, Torczon, "Interprocedural constant propagation", 1986, with pass-through jump
//! functions). Every parameter changes twice at most; chains of more than [`MAX_ROUNDS`] functions
//! in unlucky order are given up.
//!
//! ```text
//! func @f v0, v1 { v2 = mul v0, v1 ... }        func @f v0, v1 { v2 = mul v0, i32 8 ... }
//! call @f(v7, i32 8)                       =>   call @f(v7, i32 0)
//! call @f(v8, i32 8)                            call @f(v8, i32 0)
//! ```

use cranelift_entity::EntityRef;
use ir::{
    Constant, FnAttrs, FuncId, Function, Inst, Intrinsic, Linkage, Module, Opcode, ParamKind, RelocTarget, SymbolDef,
    SymbolId, Type, Value,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::specialise;

/// Times all calls are looked at.
const MAX_ROUNDS: u32 = 8;

/// What a call passes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Argument {
    /// Always this.
    Constant(Type, Constant),
    /// A parameter of the caller's, of this type.
    Parameter(Type, usize),
    /// Anything.
    Other,
}

/// What a function's code says about the parameters of candidates.
#[derive(Clone, Default, Debug)]
pub struct Mentions {
    /// Direct calls.
    calls: Vec<(FuncId, SmallVec<[Argument; 6]>)>,
    /// Functions that it mentions in other ways.
    escaped: Vec<FuncId>,
    /// Calls of defined functions that pass what [`specialise`] may make copies for.
    pub decisive: Vec<Inst>,
}

impl Mentions {
    /// One look at all instructions.
    pub fn of(module: &Module, func: &Function) -> Mentions {
        let mut out = Mentions::default();
        for inst in func.all_insts() {
            let opcode = func.insts[inst].opcode;
            if matches!(opcode, Opcode::Asm | Opcode::AsmBr) {
                let template = &func.asm(inst).template;
                out.escaped.extend(named_in(module, template));
            }
            let callee = if opcode == Opcode::Call { called(module, func, inst) } else { None };
            if opcode == Opcode::Call && specialise::is_decisive_call(module, func, inst) {
                out.decisive.push(inst);
            }
            for (index, value) in func.operands(inst).enumerate() {
                let named = func.const_symbol(value).and_then(|(symbol, _)| candidate(module, symbol));
                out.escaped.extend(named.filter(|_| index > 0 || callee.is_none()));
            }
            if let Some(callee) = callee {
                let passed = &module.signatures[func.call_info(inst).sig];
                let taken = &module.signatures[module.functions[callee].sig];
                let alike = passed.params.starts_with(&taken.params) && passed.ms_abi == taken.ms_abi;
                let values = func.list(inst)[1..].iter().take(if alike { taken.params.len() } else { 0 });
                out.calls.push((callee, values.map(|&value| argument(func, value)).collect()));
            }
        }
        out
    }
}

/// The function a symbol stands for, if all its calls may be known.
fn candidate(module: &Module, symbol: SymbolId) -> Option<FuncId> {
    let data = &module.symbols[symbol];
    let SymbolDef::Function(id) = data.def else { return None };
    let refused =
        [FnAttrs::NOIPA, FnAttrs::NAKED, FnAttrs::OPTNONE, FnAttrs::ALWAYS_INLINE, FnAttrs::AVAILABLE_EXTERNALLY];
    let plain = data.linkage == Linkage::Local && !data.used && !refused.iter().any(|&attr| data.attrs.has(attr));
    plain.then_some(id)
}

fn called(module: &Module, func: &Function, call: Inst) -> Option<FuncId> {
    let (symbol, 0) = func.const_symbol(func.list(call)[0])? else { return None };
    candidate(module, symbol).filter(|_| !func.call_info(call).attrs.has(FnAttrs::APART))
}

fn argument(func: &Function, value: Value) -> Argument {
    let ty = func.value_type(value);
    match func.constant(value) {
        Some(constant) => Argument::Constant(ty, constant.clone()),
        None => match func.params().iter().position(|&p| p == value) {
            Some(index) => Argument::Parameter(ty, index),
            None => Argument::Other,
        },
    }
}

/// Candidates whose names a text of assembly holds.
fn named_in<'a>(module: &'a Module, text: &'a str) -> impl Iterator<Item = FuncId> + 'a {
    let symbols = module.symbols.iter().filter(|(_, data)| text.contains(&*data.name)).map(|(symbol, _)| symbol);
    symbols.filter_map(|symbol| candidate(module, symbol))
}

/// What is known of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Known {
    /// No call seen.
    Nothing,
    /// This at all calls.
    Constant(Constant),
    /// Different things.
    Unknown,
}

/// Parameters that are constants.
#[derive(Default, Debug)]
pub struct ConstantParameters {
    of: FxHashMap<FuncId, Vec<(usize, Constant)>>,
}

/// Decides for the whole module; `mentions` is by function.
pub fn find(module: &Module, mentions: &[&Mentions]) -> ConstantParameters {
    if mentions.iter().all(|m| m.calls.is_empty()) {
        return ConstantParameters::default();
    }
    let mut known: Vec<Vec<Known>> = module.functions.values().map(|func| at_first(module, func)).collect();
    let mut give_up = |id: FuncId| known[id.index()].iter_mut().for_each(|k| *k = Known::Unknown);
    mentions.iter().flat_map(|m| &m.escaped).for_each(|&id| give_up(id));
    mentioned_elsewhere(module).into_iter().for_each(&mut give_up);
    for round in 0.. {
        let mut changed = false;
        for (caller, mentions) in mentions.iter().enumerate() {
            for (callee, arguments) in &mentions.calls {
                let callee = callee.index();
                for index in 0..known[callee].len() {
                    if known[callee][index] == Known::Unknown {
                        continue;
                    }
                    let body = &module.functions[FuncId::new(callee)];
                    let ty = body.value_type(body.params()[index]);
                    let passed = match arguments.get(index) {
                        Some(Argument::Constant(have, constant)) if *have == ty => Known::Constant(constant.clone()),
                        Some(Argument::Parameter(have, from)) if *have == ty => known[caller][*from].clone(),
                        _ => Known::Unknown,
                    };
                    let joined = match (&known[callee][index], passed) {
                        (_, Known::Nothing) => continue,
                        (Known::Nothing, passed) => passed,
                        (before, passed) if *before == passed => continue,
                        _ => Known::Unknown,
                    };
                    known[callee][index] = joined;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
        if round == MAX_ROUNDS {
            return ConstantParameters::default();
        }
    }
    let constants = |(id, params): (usize, Vec<Known>)| {
        let func = &module.functions[FuncId::new(id)];
        // Not what has had its constant already.
        let is_new = |i: usize, constant: &Constant| *constant != Constant::Bits(0) || func.has_uses(func.params()[i]);
        let of_params = params.into_iter().enumerate().filter_map(|(i, known)| match known {
            Known::Constant(constant) if is_new(i, &constant) => Some((i, constant)),
            _ => None,
        });
        (FuncId::new(id), of_params.collect::<Vec<_>>())
    };
    let by_function = known.into_iter().enumerate().map(constants);
    ConstantParameters { of: by_function.filter(|(_, constants)| !constants.is_empty()).collect() }
}

/// What is known of a function's parameters before any call.
fn at_first(module: &Module, func: &Function) -> Vec<Known> {
    let signature = &module.signatures[func.sig];
    let takes_all = func.all_insts().any(|inst| match func.insts[inst].opcode {
        Opcode::VaStart => true,
        Opcode::Intrinsic => func.insts[inst].intrinsic() == Intrinsic::ArgumentRegisters,
        _ => false,
    });
    let plain = candidate(module, func.symbol).is_some() && !signature.variadic && !takes_all;
    (0..func.params().len())
        .map(|index| match signature.params.get(index) {
            Some(param) if plain && param.kind == ParamKind::Direct => Known::Nothing,
            _ => Known::Unknown,
        })
        .collect()
}

/// Functions that others than the module's code may call.
fn mentioned_elsewhere(module: &Module) -> Vec<FuncId> {
    let in_data = module.data.values().flat_map(|data| &data.relocs).filter_map(|reloc| match reloc.target {
        RelocTarget::Symbol(symbol) => Some(symbol),
        _ => None,
    });
    let aliased = module.symbols.values().filter_map(|data| match data.def {
        SymbolDef::Alias(target) | SymbolDef::Ifunc(target) => Some(target),
        _ => None,
    });
    let symbols = in_data.chain(aliased).chain(module.init_fini.iter().map(|f| f.2));
    let in_assembly = module.file_asm.iter().flat_map(|text| named_in(module, text));
    symbols.filter_map(|symbol| candidate(module, symbol)).chain(in_assembly).collect()
}

impl ConstantParameters {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.of.values().map(Vec::len).sum()
    }

    /// Whether the function has any.
    pub fn any_of(&self, id: FuncId) -> bool {
        self.of.contains_key(&id)
    }

    /// Whether the function calls one that has any.
    pub fn any_called(&self, mentions: &Mentions) -> bool {
        mentions.calls.iter().any(|(callee, _)| self.of.contains_key(callee))
    }

    /// Puts the constants in a function's code, in place of its parameters, and zeros in its calls.
    /// It has use lists.
    pub fn apply(&self, module: &Module, id: FuncId, func: &mut Function) {
        for (index, constant) in self.of.get(&id).into_iter().flatten() {
            let param = func.params()[*index];
            let constant = func.make_const(func.value_type(param), constant.clone());
            func.replace_all_uses(param, constant);
        }
        for call in func.insts_with(|opcode| opcode == Opcode::Call) {
            let Some(callee) = called(module, func, call) else { continue };
            for (index, _) in self.of.get(&callee).into_iter().flatten() {
                let ty = func.value_type(func.list(call)[index + 1]);
                let zero = func.bits_const(ty, 0);
                func.set_operand(call, index + 1, zero);
            }
        }
    }
}
