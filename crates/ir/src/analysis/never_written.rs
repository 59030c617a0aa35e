//! Static variables that the program never writes, and those whose address goes nowhere.
//!
//! What is never written keeps the value it begins with, so that it is a constant for every pass,
//! and goes where constants go. C programs are full of such variables: tables without `const`,
//! switches for debugging that are never on.
//!
//! Every mention of them must be plain: its address is loaded from, copied from or
//! compared, perhaps after steps within the object, and never stored or written through. (gcc's
//! `ipa_discover_variable_flags` asks the same of its references.) It may be passed to a local
//! function that does no more with its parameter, or passes it on to such functions (as gcc's
//! `ipa-modref` has it): helpers that read a table they are given. Variables that others may know
//! stay out: by linkage, the attribute `used`, a section of the program's choice (which may be
//! walked through by its bounds), a thread's own, an alias, a name in assembly.
//!
//! Linear in the size of the module.

use crate::analysis::alias::escapes_through;
use crate::{
    FnAttrs, FuncId, Function, Inst, Linkage, Module, Opcode, ParamKind, RelocTarget, SymbolDef, SymbolId, Value,
};
use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Uses looked at for one mention; an address that goes further counts as given away.
const MAX_USES: usize = 256;

/// Bytes of a variable without an initialiser: constants take room in the file, zeros do not.
const MAX_ZEROS: u64 = 4096;

/// Variables that only the code of the module knows.
fn is_private(module: &Module, symbol: SymbolId) -> bool {
    let data = &module.symbols[symbol];
    let private = data.linkage == Linkage::Local && data.tls.is_none() && data.section.is_none() && !data.used;
    private && matches!(data.def, SymbolDef::Data(_))
}

/// Variables that would be constants if nothing wrote them.
fn is_candidate(module: &Module, symbol: SymbolId) -> bool {
    let SymbolDef::Data(object) = module.symbols[symbol].def else { return false };
    let object = &module.data[object];
    let takes_no_room = object.bytes.is_empty() && object.relocs.is_empty();
    is_private(module, symbol) && !object.read_only && !(takes_no_room && object.size > MAX_ZEROS)
}

/// A parameter of a function of the module.
type Parameter = (FuncId, usize);

/// What a function does to addresses of candidates and to its parameters.
#[derive(Clone, Default)]
pub struct Touched {
    /// Candidates that it may write or give away.
    written: Vec<SymbolId>,
    /// Private variables whose address it does more with than to access them.
    escaping: Vec<SymbolId>,
    /// Candidates that it passes to parameters.
    passed: Vec<(SymbolId, Parameter)>,
    /// Its own parameters that it may write through or give away.
    written_parameters: SmallVec<[usize; 4]>,
    /// Its own parameters that it passes on.
    passed_parameters: Vec<(usize, Parameter)>,
}

/// One look at a function. It must be in SSA form for the answer not to be that nearly all is
/// written.
pub fn touched(module: &Module, func: &Function) -> Touched {
    let mut out = Touched::default();
    for inst in func.all_insts() {
        for (index, value) in func.operands(inst).enumerate() {
            let Some((symbol, _)) = func.const_symbol(value) else { continue };
            if is_private(module, symbol) && escapes_through(func, vec![(inst, index)]) {
                out.escaping.push(symbol);
            }
            if is_candidate(module, symbol) {
                match readers(module, func, vec![(inst, index)]) {
                    Some(readers) => out.passed.extend(readers.into_iter().map(|reader| (symbol, reader))),
                    None => out.written.push(symbol),
                }
            }
        }
        if matches!(func.insts[inst].opcode, Opcode::Asm | Opcode::AsmBr) {
            let named: Vec<SymbolId> = named_in(module, &func.asm(inst).template).collect();
            out.written.extend(&named);
            out.escaping.extend(named);
        }
    }
    for list in [&mut out.written, &mut out.escaping] {
        list.sort_unstable();
        list.dedup();
    }
    if is_reader(module, func.symbol).is_some() {
        for (index, &param) in func.params().iter().enumerate().filter(|(_, p)| func.value_type(**p).is_ptr()) {
            match readers(module, func, func.uses(param).collect()) {
                Some(readers) => out.passed_parameters.extend(readers.into_iter().map(|reader| (index, reader))),
                None => out.written_parameters.push(index),
            }
        }
    }
    out
}

/// The function a symbol stands for, if what its code does with its parameters is all that happens
/// to them.
fn is_reader(module: &Module, symbol: SymbolId) -> Option<FuncId> {
    let data = &module.symbols[symbol];
    let SymbolDef::Function(id) = data.def else { return None };
    let refused = [FnAttrs::NOIPA, FnAttrs::NAKED].iter().any(|&attr| data.attrs.has(attr));
    (data.linkage == Linkage::Local && !refused).then_some(id)
}

/// The parameter that an argument becomes: one that travels as it is.
fn parameter(module: &Module, func: &Function, call: Inst, index: usize) -> Option<Parameter> {
    let (symbol, 0) = func.const_symbol(func.list(call)[0])? else { return None };
    let reader = is_reader(module, symbol)?;
    let index = index.checked_sub(1)?;
    let passed = &module.signatures[func.call_info(call).sig];
    let taken = &module.signatures[module.functions[reader].sig];
    let same = passed.params.get(index) == taken.params.get(index) && passed.ms_abi == taken.ms_abi;
    // Before it other arguments might travel in other ways.
    let alike = passed.params.get(..index) == taken.params.get(..index) && !taken.variadic;
    let direct = taken.params.get(index).is_some_and(|p| p.kind == ParamKind::Direct);
    (same && alike && direct).then_some((reader, index))
}

/// Private variables whose names a text of assembly holds.
fn named_in<'a>(module: &'a Module, text: &'a str) -> impl Iterator<Item = SymbolId> + 'a {
    let symbols = module.symbols.iter().filter(|(_, data)| text.contains(&*data.name)).map(|(symbol, _)| symbol);
    symbols.filter(|&symbol| is_private(module, symbol))
}

/// What is done at these operands, which are addresses in a variable, and with all that is computed
/// of them: `None` unless they are only read through, but for the parameters of other functions
/// that they go to.
fn readers(module: &Module, func: &Function, mut work: Vec<(Inst, usize)>) -> Option<SmallVec<[Parameter; 4]>> {
    let mut out = SmallVec::new();
    let mut followed: FxHashSet<Value> = FxHashSet::default();
    let mut looked_at = 0;
    while let Some((inst, index)) = work.pop() {
        looked_at += 1;
        if looked_at > MAX_USES {
            return None;
        }
        let data = &func.insts[inst];
        let volatile = data.is_volatile();
        match data.opcode {
            Opcode::Load if !volatile => {}
            Opcode::MemCpy | Opcode::MemMove if index == 1 && !volatile => {}
            Opcode::ICmp => {}
            Opcode::PtrAdd if index == 0 => {}
            Opcode::Select if index > 0 => {}
            Opcode::Phi => {}
            Opcode::Call => out.push(parameter(module, func, inst, index)?),
            _ => return None,
        }
        if matches!(data.opcode, Opcode::PtrAdd | Opcode::Select | Opcode::Phi) {
            let result = func.first_result(inst);
            if followed.insert(result) {
                work.extend(func.uses(result));
            }
        }
    }
    Some(out)
}

/// Parameters that are written through or given away, there or in a function they are passed on to.
/// What a function does is by function.
fn written_parameters(functions: &[&Touched]) -> FxHashSet<Parameter> {
    let mut passed_by: FxHashMap<Parameter, Vec<Parameter>> = FxHashMap::default();
    let mut work: Vec<Parameter> = Vec::new();
    for (id, touched) in functions.iter().enumerate() {
        let id = FuncId::new(id);
        work.extend(touched.written_parameters.iter().map(|&index| (id, index)));
        for &(index, to) in &touched.passed_parameters {
            passed_by.entry(to).or_default().push((id, index));
        }
    }
    let mut written = FxHashSet::default();
    while let Some(parameter) = work.pop() {
        if written.insert(parameter) {
            work.extend(passed_by.get(&parameter).into_iter().flatten());
        }
    }
    written
}

/// Makes constants of the candidates that no function has touched, and gives their number; notes
/// what escapes nowhere. What a function does is by function.
pub fn mark(module: &mut Module, functions: &[&Touched]) -> u64 {
    let mut known: FxHashSet<SymbolId> = FxHashSet::default();
    for reloc in module.data.values().flat_map(|object| &object.relocs) {
        if let RelocTarget::Symbol(symbol) = reloc.target {
            known.insert(symbol);
        }
    }
    for data in module.symbols.values() {
        if let SymbolDef::Alias(target) | SymbolDef::Ifunc(target) = data.def {
            known.insert(target);
        }
    }
    known.extend(module.file_asm.iter().flat_map(|text| named_in(module, text)));
    let mut written = known.clone();
    let written_parameters = written_parameters(functions);
    for touched in functions {
        known.extend(&touched.escaping);
        written.extend(&touched.written);
        let passed = touched.passed.iter().filter(|(_, parameter)| written_parameters.contains(parameter));
        written.extend(passed.map(|(symbol, _)| symbol));
    }
    let unaliased = module.symbols.keys().filter(|&symbol| !known.contains(&symbol) && is_private(module, symbol));
    module.unaliased = unaliased.collect();
    let symbols: Vec<SymbolId> =
        module.symbols.keys().filter(|&symbol| !written.contains(&symbol) && is_candidate(module, symbol)).collect();
    for &symbol in &symbols {
        if let SymbolDef::Data(object) = module.symbols[symbol].def {
            module.data[object].read_only = true;
        }
    }
    symbols.len() as u64
}
