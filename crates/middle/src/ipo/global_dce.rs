//! Removes local functions and data objects that nothing reaches any more, and bodies that exist
//! only to be inlined.
//!
//! Roots are what others may see: global and weak definitions, `used` symbols, constructors and
//! destructors, names that file-scope assembly mentions. Reachability runs over code operands,
//! relocations, aliases. Linear; explicit worklist.

use ir::{FnAttrs, Linkage, Module, Opcode, RelocTarget, SymbolDef, SymbolId};

/// Drops the bodies of unreachable functions (their symbols become undefined and unreferenced) and
/// unreachable data. Returns how many.
pub fn run(module: &mut Module) -> u64 {
    let reached = reach(module);
    let mut removed = 0;
    let symbols: Vec<SymbolId> = module.symbols.keys().collect();
    for symbol in symbols {
        let index = symbol.as_u32() as usize;
        let available_only = module.symbols[symbol].attrs.has(FnAttrs::AVAILABLE_EXTERNALLY);
        if reached[index] && !available_only {
            continue;
        }
        match module.symbols[symbol].def {
            SymbolDef::Function(id) => {
                module.debug.keep_description(&mut module.functions[id]);
                let sig = module.functions[id].sig;
                module.functions[id] = ir::Function::new(symbol, sig, []);
            }
            SymbolDef::Data(_) if !reached[index] => {}
            _ => continue,
        }
        let data = &mut module.symbols[symbol];
        data.def = SymbolDef::Undefined;
        data.referenced = reached[index];
        removed += 1;
    }
    removed
}

fn reach(module: &Module) -> Vec<bool> {
    let mut reached = vec![false; module.symbols.len()];
    let mut work: Vec<SymbolId> = Vec::new();
    for (id, data) in module.symbols.iter() {
        let in_asm = || module.file_asm.iter().any(|text| mentions(text, &data.name));
        let root = data.is_defined()
            && (data.used
                || (data.linkage != Linkage::Local && !data.attrs.has(FnAttrs::AVAILABLE_EXTERNALLY))
                || in_asm());
        if root || (data.section.is_some() && matches!(data.def, SymbolDef::Data(_))) {
            work.push(id);
        }
    }
    work.extend(module.init_fini.iter().map(|f| f.2));
    while let Some(symbol) = work.pop() {
        if std::mem::replace(&mut reached[symbol.as_u32() as usize], true) {
            continue;
        }
        match module.symbols[symbol].def {
            SymbolDef::Function(id) if !module.symbols[symbol].attrs.has(FnAttrs::AVAILABLE_EXTERNALLY) => {
                mentioned_in_code(module, id, &mut work);
            }
            SymbolDef::Data(id) => work.extend(module.data[id].relocs.iter().map(|r| match r.target {
                RelocTarget::Symbol(symbol) => symbol,
                RelocTarget::Label { function, .. } | RelocTarget::LabelDifference { function, .. } => function,
            })),
            SymbolDef::Alias(target) | SymbolDef::Ifunc(target) => work.push(target),
            _ => {}
        }
    }
    reached
}

fn mentioned_in_code(module: &Module, id: ir::FuncId, work: &mut Vec<SymbolId>) {
    let func = &module.functions[id];
    for inst in func.all_insts() {
        work.extend(func.operands(inst).filter_map(|v| func.const_symbol(v)).map(|(symbol, _)| symbol));
        match func.insts[inst].opcode {
            Opcode::TlsAddr => work.push(func.insts[inst].symbol()),
            Opcode::Asm | Opcode::AsmBr => {
                let template = &func.asm(inst).template;
                work.extend(
                    module
                        .symbols
                        .iter()
                        .filter(|(_, d)| d.is_defined() && mentions(template, &d.name))
                        .map(|(s, _)| s),
                );
            }
            _ => {}
        }
    }
}

/// Whether assembly text names the symbol: as a whole word, and not in a comment.
fn mentions(text: &str, name: &str) -> bool {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    // `$name` is the symbol's address.
    let starts = |before: &str| before.chars().next_back().is_none_or(|c| c == '$' || !in_name(c));
    let ends = |after: &str| after.chars().next().is_none_or(|c| !in_name(c));
    name.len() > 1
        && text.contains(name)
        && text
            .lines()
            .map(without_comment)
            .any(|line| line.match_indices(name).any(|(at, _)| starts(&line[..at]) && ends(&line[at + name.len()..])))
}

/// A line of assembly up to the `#` that begins a comment.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let end = line.find(|c| {
        quoted ^= c == '"';
        c == '#' && !quoted
    });
    &line[..end.unwrap_or(line.len())]
}
