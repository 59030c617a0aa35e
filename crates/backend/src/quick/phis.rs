//! Phis: a parallel copy between stack slots on each edge.
//!
//! A phi's result and the non-constant values it merges are global, so all have homes. The copies
//! of one edge must happen at once: a source that is itself a phi of the target block (lost copy,
//! swap) is first saved to a temporary. A computed goto cannot know its edge: it copies the sources
//! of every possible target to shadow slots, and the address of a target with phis is that of a
//! trampoline that moves the shadows into the phis.

use ir::{Block, Inst, Opcode, TargetsId, Type, Value};
use object::{Label, Mem};
use platform::registers::RBP;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Quick;
use super::memory::{copy, store_scalar};

/// A computed goto's target that has phis.
pub struct Trampoline {
    block: Block,
    label: Label,
    /// One per phi, in order: where computed gotos leave its next value.
    shadows: Vec<i32>,
}

/// Assigns labels to address-taken blocks: the first labels of the buffer are the function's IR
/// labels.
pub fn prepare_labels(q: &mut Quick<'_>) {
    let func = q.func;
    if func.labels.is_empty() {
        return;
    }
    let mut indirect: Vec<Block> = Vec::new();
    if q.facts.has_phis {
        for block in func.blocks() {
            let last = func.terminator(block);
            if func.insts[last].opcode == Opcode::IndirectBr {
                indirect.extend(func.indirect_targets(last));
            }
        }
    }
    let mut has_trampoline: FxHashMap<Block, ()> = FxHashMap::default();
    for block in indirect {
        if func.phis(block).next().is_some() && has_trampoline.insert(block, ()).is_none() {
            let label = q.buf.new_label();
            let shadows = func
                .phis(block)
                .map(|phi| q.frame.slot(func.value_type(func.first_result(phi)).alloc_size()))
                .collect();
            q.trampolines.push(Trampoline { block, label, shadows });
        }
    }
    for (index, &block) in func.labels.iter().enumerate() {
        let label = Label(index as u32);
        q.buf.export_label(index as u32, label);
        if has_trampoline.contains_key(&block) || q.address_labels.contains_key(&block) {
            q.late_labels.push((label, block));
        } else if func.block_in_layout(block) {
            q.address_labels.insert(block, label);
        } else {
            // A block that was removed: nothing jumps there, but its address may still be written
            // down somewhere.
            q.late_labels.push((label, func.entry()));
        }
    }
}

/// The label whose address is that of IR label `index`.
pub fn address_label(index: u32) -> Label {
    Label(index)
}

/// Emits the trampolines and binds what labels are left.
pub fn emit_trampolines(q: &mut Quick<'_>) {
    for (label, block) in std::mem::take(&mut q.late_labels) {
        q.buf.bind(label);
        if q.cx.codegen().cf_protection & 1 != 0 {
            q.buf.endbr64();
        }
        let target = match q.trampolines.iter().find(|t| t.block == block) {
            Some(trampoline) => trampoline.label,
            None => q.block_label(block),
        };
        q.buf.jmp(target);
    }
    for trampoline in std::mem::take(&mut q.trampolines) {
        q.buf.bind(trampoline.label);
        let func = q.func;
        for (phi, &shadow) in func.phis(trampoline.block).zip(&trampoline.shadows) {
            let result = func.first_result(phi);
            let to = q.home_mem(result);
            copy_slot(q, func.value_type(result), to, Mem::base(RBP, shadow));
            q.end_instruction();
        }
        let target = q.block_label(trampoline.block);
        q.buf.jmp(target);
    }
}

/// Whether the edge into `target` needs code.
pub fn edge_needs_copies(q: &Quick<'_>, target: Block) -> bool {
    q.facts.has_phis && q.func.phis(target).next().is_some()
}

/// The copies of the edge from `from` to `to`.
pub fn edge_copies(q: &mut Quick<'_>, from: Block, to: Block) {
    if !edge_needs_copies(q, to) {
        return;
    }
    let mut saved: SmallVec<[(Value, i32); 4]> = SmallVec::new();
    for_each_copy(q, from, to, |q, phi, value| {
        let is_phi_of_target = q
            .func
            .def_inst(value)
            .is_some_and(|def| q.func.insts[def].opcode == Opcode::Phi && q.func.inst_block(def) == Some(to));
        let result = q.func.first_result(phi);
        if is_phi_of_target && value != result && !saved.iter().any(|s| s.0 == value) {
            let ty = q.func.value_type(value);
            let slot = q.frame.slot(ty.alloc_size());
            let source = q.home_mem(value);
            copy_slot(q, ty, Mem::base(RBP, slot), source);
            saved.push((value, slot));
        }
    });
    for_each_copy(q, from, to, |q, phi, value| {
        let result = q.func.first_result(phi);
        if value == result {
            return;
        }
        let target = q.home_mem(result);
        match saved.iter().find(|s| s.0 == value) {
            Some(&(_, slot)) => copy_slot(q, q.func.value_type(value), target, Mem::base(RBP, slot)),
            None => copy_value(q, value, target),
        }
    });
    for (value, slot) in saved {
        q.frame.release(slot, q.func.value_type(value).alloc_size());
    }
}

fn for_each_copy(q: &mut Quick<'_>, from: Block, to: Block, mut visit: impl FnMut(&mut Quick<'_>, Inst, Value)) {
    let func = q.func;
    for phi in func.phis(to) {
        let Some(value) = func.phi_value(phi, from) else {
            base::bug!("{phi} has no entry for {from}");
        };
        visit(q, phi, value);
        q.regs.pinned = platform::registers::RegSet::EMPTY;
    }
}

/// Before a computed goto in block `from`: the next values of all phis of all targets.
pub fn fill_shadows(q: &mut Quick<'_>, from: Block, targets: TargetsId) {
    if q.trampolines.is_empty() {
        return;
    }
    let func = q.func;
    let trampolines = std::mem::take(&mut q.trampolines);
    let by_block: FxHashMap<Block, usize> = trampolines.iter().enumerate().map(|(i, t)| (t.block, i)).collect();
    for target in &func.targets[targets] {
        let Some(&index) = by_block.get(target) else { continue };
        for (phi, &shadow) in func.phis(*target).zip(&trampolines[index].shadows) {
            let Some(value) = func.phi_value(phi, from) else {
                base::bug!("{phi} has no entry for {from}");
            };
            copy_value(q, value, Mem::base(RBP, shadow));
            q.regs.pinned = platform::registers::RegSet::EMPTY;
        }
    }
    q.trampolines = trampolines;
}

/// Writes a global value or a constant to a slot, without consuming a use.
fn copy_value(q: &mut Quick<'_>, value: Value, to: Mem) {
    let ty = q.func.value_type(value);
    if q.func.constant(value).is_some() {
        store_scalar(q, value, to);
    } else {
        let reg = q.peek(value);
        if reg.is_gpr() { q.buf.mov_mr(super::regs::gpr_size(ty), to, reg) } else { q.store_xmm(ty, to, reg) }
    }
}

fn copy_slot(q: &mut Quick<'_>, ty: Type, to: Mem, from: Mem) {
    copy(q, to, from, u64::from(ty.store_size()));
    q.regs.pinned = platform::registers::RegSet::EMPTY;
}
