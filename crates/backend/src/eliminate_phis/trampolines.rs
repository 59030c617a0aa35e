//! The copies of each edge, and blocks for those that have no place of their own.
//!
//! Copies go to the end of a predecessor that ends in a plain `br`. On any other edge they get a
//! trampoline, one per (predecessor, successor): the terminator is retargeted and the phis are
//! told. The address of a label is a target of indirect branches, so it too resolves to the
//! trampoline between the indirect branch and the labelled block; direct branches to the block do
//! not pass through it. That needs a single indirect branch per label, so several are merged into
//! one first. Their edges are always split when they are critical, because the register allocator
//! cannot put moves there later.

use cranelift_entity::EntityRef;
use ir::analysis::Cfg;
use ir::{Block, Builder, Function, Inst, Opcode, Position, Type, Value};
use rustc_hash::FxHashMap;

use super::classes::Classes;
use super::{EdgeCopy, NO_CLASS, PhiElimination, Trampoline};
use base::parallel_copy::sequentialize;

/// Makes one indirect branch of several, in a block of its own, with a phi for the address.
pub(super) fn merge_indirect_branches(func: &mut Function) {
    let branches: Vec<(Block, Inst)> = func
        .blocks()
        .map(|b| (b, func.terminator(b)))
        .filter(|&(_, i)| func.insts[i].opcode == Opcode::IndirectBr)
        .collect();
    if branches.len() < 2 {
        return;
    }
    let mut targets: Vec<Block> = Vec::new();
    for &(_, inst) in &branches {
        func.for_each_target(inst, |t| targets.push(t));
    }
    targets.sort_unstable();
    targets.dedup();
    let dispatch = func.make_block();
    func.insert_block_after(branches[branches.len() - 1].0, dispatch);
    // Phis of the targets: what came from the old blocks comes from a phi in the new one; blocks
    // that did not branch there give undef.
    let position: FxHashMap<Block, usize> = branches.iter().enumerate().map(|(i, b)| (b.0, i)).collect();
    for &target in &targets {
        let phis: Vec<Inst> = func.phis(target).collect();
        for phi in phis {
            let ty = func.insts[phi].ty;
            let mut incoming: Vec<Option<Value>> = vec![None; branches.len()];
            for index in (0..func.num_operands(phi)).rev() {
                if let Some(&at) = position.get(&func.phi_block(phi, index)) {
                    incoming[at] = Some(func.operand(phi, index));
                    func.phi_swap_remove(phi, index);
                }
            }
            let entries: Vec<(Value, Block)> = branches
                .iter()
                .zip(incoming)
                .map(|(&(block, inst), value)| (value.unwrap_or_else(|| Builder::before(func, inst).undef(ty)), block))
                .collect();
            let merged = Builder::new(func, Position::End(dispatch)).phi(ty, &entries);
            let merged = func.first_result(merged);
            func.phi_push(phi, merged, dispatch);
        }
    }
    let addresses: Vec<(Value, Block)> = branches.iter().map(|&(b, i)| (func.operand(i, 0), b)).collect();
    for &(block, inst) in &branches {
        let loc = func.inst_locs[inst];
        func.remove_inst(inst);
        let mut builder = Builder::new(func, Position::End(block));
        builder.loc = loc;
        builder.br(dispatch);
    }
    let mut builder = Builder::new(func, Position::End(dispatch));
    let address = builder.phi(Type::PTR, &addresses);
    let address = builder.func.first_result(address);
    builder.indirect_br(address, targets);
}

/// How often operands are taken out of classes again; see [`separate_crossing`].
const SEPARATION_ROUNDS: u32 = 8;

/// Coalescing can make two copies of an edge cross that did not: `d1 = s1, d2 = s2` with `s1` in
/// the class of `d2` and the other way around is a cycle and needs a temporary. No edge is to
/// execute more copies than when every phi had a register of its own, so such operands leave their
/// classes. Gives whether any did.
fn separate_crossing(func: &Function, edges: &[Edge], classes: &mut Classes, result: &PhiElimination) -> bool {
    let mut changed = false;
    for edge in edges {
        let cost = EdgeCost::of(func, classes, result, edge);
        if cost.temporaries == 0 || !cost.is_above_two_phase() {
            continue;
        }
        let copies = &result.copies[edge.copies.clone()];
        let pairs = register_pairs(func, classes, copies);
        let written: Vec<(u32, u32)> = pairs.iter().map(|p| p.0).collect();
        let crossing = copies.iter().map(|c| c.src).find(|&src| {
            func.constant(src).is_none() && !is_phi_of(func, src, edge.succ) && written.contains(&place(classes, src))
        });
        if let Some(value) = crossing {
            separate(func, classes, value);
            changed = true;
        }
    }
    changed
}

/// What an edge executes.
struct EdgeCost {
    /// Copies, without those through temporaries.
    copies: usize,
    /// Temporaries, each of which is one more copy.
    temporaries: usize,
    /// Copies that the edge would execute if every phi had a register of its own.
    entries: usize,
    /// Of these, copies from phis of the same block: the two-phase protocol saves and restores
    /// them.
    conflicts: usize,
}

impl EdgeCost {
    fn of(func: &Function, classes: &Classes, result: &PhiElimination, edge: &Edge) -> EdgeCost {
        let copies = &result.copies[edge.copies.clone()];
        let pairs = register_pairs(func, classes, copies);
        let temporaries = if pairs.len() > 1 { sequentialize(&pairs).1 as usize } else { 0 };
        let (mut entries, mut conflicts, mut near) = (0, 0, 0);
        for phi in func.phis(edge.succ) {
            let result = func.first_result(phi);
            if let Some(value) = func.phi_value_near(phi, edge.pred, &mut near).filter(|&v| v != result) {
                entries += 1;
                conflicts += usize::from(is_phi_of(func, value, edge.succ));
            }
        }
        EdgeCost { copies: copies.len(), temporaries, entries, conflicts }
    }

    fn is_above_two_phase(&self) -> bool {
        self.copies + self.temporaries > self.entries + self.conflicts || self.temporaries > self.conflicts / 2
    }
}

/// Takes a value out of its class. A phi gets a class of its own.
fn separate(func: &Function, classes: &mut Classes, value: Value) {
    let is_phi = func.def_with(value, Opcode::Phi).is_some();
    classes.class_of[value.index()] = if is_phi { classes.live.len() as u32 } else { NO_CLASS };
    if is_phi {
        classes.live.push(Default::default());
    }
}

fn is_phi_of(func: &Function, value: Value, block: Block) -> bool {
    func.def_inst(value).is_some_and(|i| func.insts[i].opcode == Opcode::Phi && func.inst_block(i) == Some(block))
}

/// The place of a value: its class or, apart from those, itself.
fn place(classes: &Classes, value: Value) -> (u32, u32) {
    match classes.class_of.get(value.index()) {
        Some(&class) if class != NO_CLASS => (0, class),
        _ => (1, value.as_u32()),
    }
}

/// Destinations and sources of the copies that are not of constants.
fn register_pairs(func: &Function, classes: &Classes, copies: &[EdgeCopy]) -> Vec<((u32, u32), (u32, u32))> {
    let values = copies.iter().filter(|c| func.constant(c.src).is_none());
    values.map(|c| (place(classes, c.phi), place(classes, c.src))).collect()
}

/// The copies of one edge.
struct Edge {
    pred: Block,
    succ: Block,
    copies: std::ops::Range<usize>,
}

/// Finds the copies that the classes leave over, inserts trampolines and fills in the result.
pub(super) fn place_copies(func: &mut Function, cfg: &Cfg, classes: &mut Classes, result: &mut PhiElimination) {
    let mut edges = collect_edges(func, cfg, classes, result);
    for _ in 0..SEPARATION_ROUNDS {
        if !separate_crossing(func, &edges, classes, result) {
            break;
        }
        result.stats = super::Stats::default();
        result.copies.clear();
        edges = collect_edges(func, cfg, classes, result);
    }
    for edge in &edges {
        let cost = EdgeCost::of(func, classes, result, edge);
        result.stats.two_phase_copies += (cost.entries + cost.conflicts) as u32;
        result.stats.edges_above_two_phase += u32::from(cost.is_above_two_phase());
    }
    add_empty_indirect_edges(func, cfg, &mut edges);
    edges.sort_by_key(|e| (cfg.rpo_number(e.pred), cfg.rpo_number(e.succ)));
    let mut trampolines: FxHashMap<(Block, Block), Block> = FxHashMap::default();
    let mut ranges: Vec<(Block, std::ops::Range<usize>)> = Vec::new();
    for edge in &edges {
        let terminator = func.terminator(edge.pred);
        if func.insts[terminator].opcode == Opcode::Br {
            ranges.push((edge.pred, edge.copies.clone()));
            continue;
        }
        let block = func.make_block();
        func.insert_block_after(edge.pred, block);
        let mut builder = Builder::new(func, Position::End(block));
        builder.loc = builder.func.inst_locs[terminator];
        builder.br(edge.succ);
        trampolines.insert((edge.pred, edge.succ), block);
        result.trampolines.push(Trampoline { block, pred: edge.pred, succ: edge.succ });
        ranges.push((block, edge.copies.clone()));
    }
    result.stats.trampolines = result.trampolines.len() as u32;
    result.copy_ranges = vec![(0, 0); func.num_blocks()];
    for (block, copies) in ranges {
        result.copy_ranges[block.index()] = (copies.start as u32, copies.end as u32);
    }
    retarget(func, &trampolines, &result.trampolines);
}

/// All edges with copies. The copies go to `result.copies`.
fn collect_edges(func: &Function, cfg: &Cfg, classes: &Classes, result: &mut PhiElimination) -> Vec<Edge> {
    let class = |value: Value| classes.class_of.get(value.index()).copied().unwrap_or(NO_CLASS);
    let mut edges = Vec::new();
    let mut entries: Vec<(Block, u32, EdgeCopy)> = Vec::new();
    for succ in cfg.reverse_postorder() {
        entries.clear();
        for (order, phi) in func.phis(succ).enumerate() {
            let value = func.first_result(phi);
            for (src, pred) in func.phi_entries(phi) {
                let shared = class(src) != NO_CLASS && class(src) == class(value);
                result.stats.entries += u32::from(src != value);
                if shared {
                    result.stats.coalesced += u32::from(src != value);
                } else {
                    entries.push((pred, order as u32, EdgeCopy { phi: value, src }));
                }
            }
        }
        entries.sort_unstable_by_key(|e| (e.0, e.1));
        for same in entries.chunk_by(|a, b| a.0 == b.0) {
            let start = result.copies.len();
            result.copies.extend(same.iter().map(|e| e.2));
            let constants = same.iter().filter(|e| func.constant(e.2.src).is_some()).count();
            result.stats.copies += same.len() as u32;
            result.stats.constant_copies += constants as u32;
            let pairs = register_pairs(func, classes, &result.copies[start..]);
            if pairs.len() > 1 {
                result.stats.temporaries += sequentialize(&pairs).1;
            }
            edges.push(Edge { pred: same[0].0, succ, copies: start..result.copies.len() });
        }
    }
    edges
}

/// Critical edges of the indirect branch get trampolines even without copies.
fn add_empty_indirect_edges(func: &Function, cfg: &Cfg, edges: &mut Vec<Edge>) {
    for &pred in cfg.postorder() {
        if func.insts[func.terminator(pred)].opcode != Opcode::IndirectBr {
            continue;
        }
        let known: FxHashMap<Block, ()> = edges.iter().filter(|e| e.pred == pred).map(|e| (e.succ, ())).collect();
        for &succ in cfg.succs(pred) {
            if cfg.preds(succ).len() > 1 && !known.contains_key(&succ) {
                edges.push(Edge { pred, succ, copies: 0..0 });
            }
        }
    }
}

/// Makes terminators, phis and labels name the trampolines.
fn retarget(func: &mut Function, trampolines: &FxHashMap<(Block, Block), Block>, list: &[Trampoline]) {
    // Trampolines are in order of their predecessors: each terminator is rewritten once.
    for same in list.chunk_by(|a, b| a.pred == b.pred) {
        let pred = same[0].pred;
        let terminator = func.terminator(pred);
        func.map_targets(terminator, |target| trampolines.get(&(pred, target)).copied().unwrap_or(target));
        if func.insts[terminator].opcode == Opcode::IndirectBr {
            for label in 0..func.labels.len() {
                if let Some(&block) = trampolines.get(&(pred, func.labels[label])) {
                    func.labels[label] = block;
                }
            }
        }
    }
    let mut succs: Vec<Block> = list.iter().map(|t| t.succ).collect();
    succs.sort_unstable();
    succs.dedup();
    for succ in succs {
        func.for_each_phi(succ, |func, phi| {
            for index in 0..func.num_operands(phi) {
                if let Some(&block) = trampolines.get(&(func.phi_block(phi, index), succ)) {
                    func.set_phi_block(phi, index, block);
                }
            }
        });
    }
}
