//! The accesses of a function in order, but for those that are certainly within an object whose
//! memory is not poisoned while it can be named: at a constant offset in a variable of the function
//! or in one of static storage duration that this unit defines.

use ir::analysis::Cfg;
use ir::{Function, InstView, Linkage, Module, SymbolDef, Value};
use platform::options::Options;
use rustc_hash::FxHashSet;

use super::scopes::Scopes;
use crate::accesses::{self, Access, Size, is_within};

/// All accesses that need a check, in the order of blocks and instructions, and the variables among
/// them that are named where their scope may have ended.
pub fn find(func: &Function, module: &Module, cfg: &Cfg, options: &Options) -> (Vec<Access>, FxHashSet<Value>) {
    let wanted = &options.sanitize.address;
    let poisons = options.sanitize.poisons_scopes();
    let scopes = if poisons { Scopes::compute(func, cfg) } else { Scopes::default() };
    let (mut out, mut gone) = (Vec::new(), FxHashSet::default());
    for block in func.blocks() {
        let mut dead = scopes.at(block);
        for inst in func.block_insts(block) {
            scopes.step(func, inst, &mut dead);
            for access in accesses::of(func, module, inst).into_iter().flatten() {
                let asked_for = if access.write { wanted.writes } else { wanted.reads };
                if !asked_for || access.size == Size::Fixed(0) {
                    continue;
                }
                let root = accesses::root(func, func.operand(inst, access.operand));
                if scopes.has(&dead, root.0) {
                    gone.insert(root.0);
                } else if is_safe(func, module, access.size, root) {
                    continue;
                }
                out.push(access);
            }
        }
    }
    (out, gone)
}

/// Whether the access is certainly within an object of the program's.
fn is_safe(func: &Function, module: &Module, size: Size, (root, offset): (Value, i64)) -> bool {
    if let Some((symbol, addend)) = func.const_symbol(root) {
        let data = &module.symbols[symbol];
        let SymbolDef::Data(id) = data.def else { return false };
        let fixed = data.linkage != Linkage::Weak;
        return fixed && is_within(size, offset.wrapping_add(addend), module.data[id].size);
    }
    let Some(inst) = func.def_inst(root) else { return false };
    match func.view(inst) {
        InstView::Alloca { size: limit, .. } => is_within(size, offset, limit),
        // Nothing is poisoned around variables of threads.
        InstView::TlsAddr { .. } => true,
        _ => false,
    }
}
