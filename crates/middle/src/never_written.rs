//! Static variables that the program never writes: they keep the value they begin with, so that they are constants for every pass, and
//! go where constants go. C programs are full of them: tables without `const`, switches for debugging that are never on.
//!
//! Every mention of such a variable must be plain: its address is loaded from, copied from or compared, perhaps after steps within the
//! object, and never stored, passed on or written through. (gcc's `ipa_discover_variable_flags` asks the same of its references.)
//! Variables that others may know stay out: by linkage, the attribute `used`, a section of the program's choice (which may be walked
//! through by its bounds), a thread's own, an alias, a name in assembly.
//!
//! Linear in the size of the module.

use cranelift_entity::EntityRef;
use ir::{AsmId, Function, Inst, Linkage, Module, Opcode, RelocTarget, SymbolDef, SymbolId, Value, flags};
use rustc_hash::FxHashSet;

/// Uses looked at for one mention; an address that goes further counts as given away.
const MAX_USES: usize = 256;

/// Bytes of a variable without an initialiser: constants take room in the file, zeros do not.
const MAX_ZEROS: u64 = 4096;

/// Variables that would be constants if nothing wrote them.
fn is_candidate(module: &Module, symbol: SymbolId) -> bool {
    let data = &module.symbols[symbol];
    let SymbolDef::Data(object) = data.def else { return false };
    let private = data.linkage == Linkage::Local && data.tls.is_none() && data.section.is_none() && !data.used;
    let object = &module.data[object];
    let takes_no_room = object.bytes.is_empty() && object.relocs.is_empty();
    private && !object.read_only && !(takes_no_room && object.size > MAX_ZEROS)
}

/// Candidates that a function may write or give away. It must be in SSA form for that not to be nearly all.
pub fn touched(module: &Module, func: &Function) -> Vec<SymbolId> {
    let mut out = Vec::new();
    for inst in func.blocks().flat_map(|block| func.block_insts(block)) {
        for (index, value) in func.operands(inst).enumerate() {
            let Some((symbol, _)) = func.const_symbol(value) else { continue };
            if is_candidate(module, symbol) && !is_read_only(func, inst, index) {
                out.push(symbol);
            }
        }
        if matches!(func.insts[inst].opcode, Opcode::Asm | Opcode::AsmBr) {
            let template = &func.asms[AsmId::from_u32(func.insts[inst].c)].template;
            out.extend(named_in(module, template));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Candidates whose names a text of assembly holds.
fn named_in<'a>(module: &'a Module, text: &'a str) -> impl Iterator<Item = SymbolId> + 'a {
    let symbols = module.symbols.iter().filter(|(_, data)| text.contains(&*data.name)).map(|(symbol, _)| symbol);
    symbols.filter(|&symbol| is_candidate(module, symbol))
}

/// Whether operand `index` of an instruction, an address in a variable, and all that is computed of it are only read through.
fn is_read_only(func: &Function, inst: Inst, index: usize) -> bool {
    let mut followed: FxHashSet<Value> = FxHashSet::default();
    let mut work = vec![(inst, index)];
    let mut looked_at = 0;
    while let Some((inst, index)) = work.pop() {
        looked_at += 1;
        if looked_at > MAX_USES {
            return false;
        }
        let data = &func.insts[inst];
        let volatile = data.flags & flags::VOLATILE != 0;
        match data.opcode {
            Opcode::Load if !volatile => {}
            Opcode::MemCpy | Opcode::MemMove if index == 1 && !volatile => {}
            Opcode::ICmp => {}
            Opcode::PtrAdd if index == 0 => {}
            Opcode::Select if index > 0 => {}
            Opcode::Phi => {}
            _ => return false,
        }
        if matches!(data.opcode, Opcode::PtrAdd | Opcode::Select | Opcode::Phi) {
            let result = func.first_result(inst);
            if followed.insert(result) {
                work.extend(func.uses(result));
            }
        }
    }
    true
}

/// Makes constants of the candidates that no function has touched, and gives their number.
pub fn mark(module: &mut Module, touched: impl IntoIterator<Item = SymbolId>) -> u64 {
    let mut written = vec![false; module.symbols.len()];
    touched.into_iter().for_each(|symbol| written[symbol.index()] = true);
    for object in module.data.values() {
        for reloc in &object.relocs {
            if let RelocTarget::Symbol(symbol) = reloc.target {
                written[symbol.index()] = true;
            }
        }
    }
    for data in module.symbols.values() {
        if let SymbolDef::Alias(target) | SymbolDef::Ifunc(target) = data.def {
            written[target.index()] = true;
        }
    }
    let named: Vec<SymbolId> = module.file_asm.iter().flat_map(|text| named_in(module, text)).collect();
    named.into_iter().for_each(|symbol| written[symbol.index()] = true);
    let symbols: Vec<SymbolId> =
        module.symbols.keys().filter(|&symbol| !written[symbol.index()] && is_candidate(module, symbol)).collect();
    for &symbol in &symbols {
        if let SymbolDef::Data(object) = module.symbols[symbol].def {
            module.data[object].read_only = true;
        }
    }
    symbols.len() as u64
}
