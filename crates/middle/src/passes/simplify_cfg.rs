//! Simplification of the control-flow graph, to a fixed point.
//!
//! - unreachable blocks are removed;
//! - branches on constants, and multi-way branches to one place, become jumps;
//! - cases that a `switch`'s value cannot be go, and its default where they are all it can be;
//! - a block is merged into its only predecessor if that has no other successor;
//! - a block that only jumps on is skipped by its predecessors (phis permitting);
//! - conditional branches on a negated condition lose the negation;
//! - branches whose sides come to the same (`if (x == 0) return 0; return x;`) become jumps;
//! - once ranges have been used, branches of which one side is nowhere ([`ASSUMPTIONS`]) go.
//!
//! Worklist-driven; linear per iteration, and each iteration removes something. Blocks whose
//! address is taken stay.
//!
//! ```text
//! b0: cond_br i1 1, b1, b2     =>   b0: (b1's code)
//! ```

use cranelift_entity::SecondaryMap;
use ir::analysis::Cfg;
use ir::ssa::{equal_sides, remove_dropped, remove_phi_entries};
use ir::{Block, Builder, Function, Inst, IntCc, Opcode, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Analyses;
use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::facts;

/// The pass.
pub const PASS: Pass = Pass { required: true, ..Pass::new("simplify_cfg", run) };

/// What only says what the program assumes goes: `if (!c) __builtin_unreachable();`. Whoever can
/// make use of that must have run.
pub const ASSUMPTIONS: Pass = Pass::new("simplify_cfg", drop_assumptions);

fn drop_assumptions(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let nowhere = |func: &Function, block: Block| {
        func.first_inst(block).is_some_and(|first| func.insts[first].opcode == Opcode::Unreachable)
    };
    let blocks: Vec<Block> = func.blocks().collect();
    let mut dropped = false;
    for block in blocks {
        let data = func.insts[func.terminator(block)];
        if data.opcode != Opcode::CondBr {
            continue;
        }
        let (then, otherwise) = data.dests();
        let taken = match () {
            () if nowhere(func, otherwise) => then,
            () if nowhere(func, then) => otherwise,
            () => continue,
        };
        func.replace_terminator(block, |b| b.br(taken));
        dropped = true;
    }
    if dropped {
        cx.analyses.invalidate(Changed::ControlFlow);
        run(func, cx);
    }
    Changed::control_flow_if(dropped)
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let before = func.blocks().count();
    let mut changed = cx.analyses.remove_unreachable_blocks(func);
    loop {
        let blocks: Vec<Block> = func.blocks().collect();
        let mut round = simplify_terminators(func, &blocks);
        if round {
            cx.analyses.invalidate(Changed::ControlFlow);
            cx.analyses.remove_unreachable_blocks(func);
        }
        let cfg = cx.analyses.cfg(func);
        if merge_and_skip(func, &cfg) {
            cx.analyses.invalidate(Changed::ControlFlow);
            round = true;
        }
        if !round {
            break;
        }
        changed = true;
    }
    let after = func.blocks().count();
    cx.analyses.keep();
    cx.statistics.add("blocks removed", before.saturating_sub(after) as u64);
    Changed::control_flow_if(changed)
}

/// Phis with more entries lose those of dropped edges together: looking for them one by one is
/// quadratic.
const FEW_ENTRIES: usize = 16;

/// Drops the edge from `pred` to `block`, now or, where the phis are large, with those of `later`.
fn drop_edge(func: &mut Function, later: &mut Vec<(Block, Block)>, block: Block, pred: Block) {
    if func.phis(block).any(|phi| func.num_operands(phi) > FEW_ENTRIES) {
        later.push((block, pred));
    } else {
        remove_phi_entries(func, block, |b| b == pred);
    }
}

/// Turns branches whose outcome is known into jumps.
fn simplify_terminators(func: &mut Function, blocks: &[Block]) -> bool {
    let mut later = Vec::new();
    let decided = blocks.iter().filter(|&&block| simplify_terminator(func, &mut later, block)).count() > 0;
    remove_dropped(func, later);
    decided
}

fn simplify_terminator(func: &mut Function, later: &mut Vec<(Block, Block)>, block: Block) -> bool {
    let terminator = func.terminator(block);
    let data = func.insts[terminator];
    match data.opcode {
        Opcode::CondBr => {
            let (then, otherwise) = data.dests();
            let cond = func.operand(terminator, 0);
            if then == otherwise {
                func.replace_terminator(block, |b| b.br(then));
                return true;
            }
            if let Some(bits) = func.const_bits(cond) {
                let (taken, dropped) = if bits != 0 { (then, otherwise) } else { (otherwise, then) };
                drop_edge(func, later, dropped, block);
                func.replace_terminator(block, |b| b.br(taken));
                return true;
            }
            if let Some(inner) = negated(func, cond) {
                let hint = data.branch_hint().inverted();
                func.remove_inst(terminator);
                Builder::new(func, ir::Position::End(block)).cond_br(inner, otherwise, then, hint);
                return true;
            }
            let Some((kept, dropped)) = equal_sides(func, block) else { return false };
            drop_edge(func, later, dropped, block);
            func.replace_terminator(block, |b| b.br(kept));
            true
        }
        Opcode::Switch => simplify_switch(func, later, block, terminator),
        Opcode::IndirectBr => {
            if let &[only] = func.indirect_targets(terminator) {
                func.replace_terminator(block, |b| b.br(only));
                return true;
            }
            false
        }
        _ => false,
    }
}

/// The condition that `cond` negates: `xor x, 1`, `icmp.eq x, 0` on i1.
fn negated(func: &Function, cond: Value) -> Option<Value> {
    let inst = func.def_inst(cond)?;
    let data = func.insts[inst];
    let is_negation = match data.opcode {
        Opcode::Xor => func.const_bits(func.operand(inst, 1)) == Some(1),
        Opcode::ICmp => {
            data.int_cc() == IntCc::Eq
                && func.value_type(func.operand(inst, 0)) == Type::I1
                && func.const_bits(func.operand(inst, 1)) == Some(0)
        }
        _ => false,
    };
    is_negation.then(|| func.operand(inst, 0))
}

fn simplify_switch(func: &mut Function, later: &mut Vec<(Block, Block)>, block: Block, terminator: Inst) -> bool {
    let id = func.insts[terminator].switch_id();
    let switch = func.switches[id].clone();
    if let Some(bits) = func.const_bits(func.operand(terminator, 0)) {
        let taken = match switch.cases.binary_search_by_key(&(bits as u64), |c| c.0) {
            Ok(index) => switch.cases[index].1,
            Err(_) => switch.default,
        };
        drop_other_targets(func, later, block, taken);
        func.replace_terminator(block, |b| b.br(taken));
        return true;
    }
    if switch.cases.iter().all(|c| c.1 == switch.default) {
        let default = switch.default;
        func.replace_terminator(block, |b| b.br(default));
        return true;
    }
    // Cases that go where the default goes say nothing.
    if switch.cases.iter().any(|c| c.1 == switch.default) {
        func.switches[id].retain(|_, to| to != switch.default);
        return true;
    }
    drop_impossible_cases(func, later, block, terminator)
}

/// Drops the cases that the value cannot be, and the default where the cases are all it can be.
fn drop_impossible_cases(func: &mut Function, later: &mut Vec<(Block, Block)>, block: Block, terminator: Inst) -> bool {
    let (id, range) = (func.insts[terminator].switch_id(), facts::known(func, func.operand(terminator, 0)));
    let possible = |number: u64| range.umin <= u128::from(number) && u128::from(number) <= range.umax;
    let switch = &func.switches[id];
    let left = switch.cases.iter().filter(|case| possible(case.0)).count();
    let others = range.umax.saturating_sub(range.umin) >= left as u128;
    let nothing_else = others || func.insts[func.terminator(switch.default)].opcode == Opcode::Unreachable;
    if left == switch.cases.len() && nothing_else {
        return false;
    }
    let before = func.targets(block);
    func.switches[id].retain(|number, _| possible(number));
    if !others {
        let nowhere = func.make_block();
        func.append_block(nowhere);
        Builder::new(func, ir::Position::End(nowhere)).unreachable();
        func.switches[id].default = nowhere;
    }
    let after = func.targets(block);
    before.into_iter().filter(|target| !after.contains(target)).for_each(|to| drop_edge(func, later, to, block));
    true
}

fn drop_other_targets(func: &mut Function, later: &mut Vec<(Block, Block)>, block: Block, taken: Block) {
    let others = func.targets(block).into_iter().filter(|&target| target != taken);
    others.for_each(|target| drop_edge(func, later, target, block));
}

/// Decides known branches and merges straight-line chains. Blocks that only jump, such as loops'
/// preheaders, stay.
pub fn merge_chains(func: &mut Function, analyses: &mut Analyses) -> bool {
    let blocks: Vec<Block> = func.blocks().collect();
    let decided = simplify_terminators(func, &blocks);
    if decided {
        analyses.invalidate(Changed::ControlFlow);
        analyses.remove_unreachable_blocks(func);
    }
    let cfg = analyses.cfg(func);
    let mut label_taken: SecondaryMap<Block, bool> = SecondaryMap::new();
    func.labels.iter().for_each(|&b| label_taken[b] = true);
    let mut edges = Edges::new(&cfg);
    let mut changed = decided;
    for block in cfg.reverse_postorder() {
        if func.block_in_layout(block) {
            changed |= merge_successors(func, &mut edges, &label_taken, block);
        }
    }
    if changed {
        analyses.invalidate(Changed::ControlFlow);
    }
    changed
}

/// Merges straight-line chains, then skips blocks that only jump, each in one sweep.
fn merge_and_skip(func: &mut Function, cfg: &Cfg) -> bool {
    let mut label_taken: SecondaryMap<Block, bool> = SecondaryMap::new();
    func.labels.iter().for_each(|&b| label_taken[b] = true);
    let mut edges = Edges::new(cfg);
    let mut changed = false;
    // From the top, so that each instruction of a long chain moves once.
    for block in cfg.reverse_postorder() {
        if func.block_in_layout(block) {
            changed |= merge_successors(func, &mut edges, &label_taken, block);
        }
    }
    // From the bottom, so that a block at the end of a chain of jumps is skipped before those that
    // would lead to it.
    let mut skipped = Skipped::default();
    for &block in cfg.postorder() {
        if func.block_in_layout(block) && !label_taken[block] {
            changed |= skip_block(func, &mut edges, &mut skipped, block);
        }
    }
    skipped.retarget_switches(func);
    changed
}

/// The blocks that were skipped. Switches learn of them when all are known: going through the cases
/// for each would be quadratic.
#[derive(Default)]
struct Skipped {
    /// Where each leads.
    targets: FxHashMap<Block, Block>,
    /// Blocks that end in a switch to one of them; some more than once.
    switches: Vec<Block>,
}

impl Skipped {
    fn retarget_switches(mut self, func: &mut Function) {
        self.switches.sort_unstable();
        self.switches.dedup();
        for block in std::mem::take(&mut self.switches) {
            let terminator = func.terminator(block);
            func.map_targets(terminator, |target| self.destination(target));
        }
    }

    /// Where a jump to `block` ends. What was found is kept, so that a chain of skipped blocks is
    /// walked once.
    fn destination(&mut self, block: Block) -> Block {
        let mut end = block;
        while let Some(&next) = self.targets.get(&end) {
            end = next;
        }
        let mut at = block;
        while at != end {
            at = self.targets.insert(at, end).unwrap_or(end);
        }
        end
    }
}

/// The predecessors of blocks while edges are moved: the CFG's until a block is asked for, its own
/// list from then on.
struct Edges<'c> {
    cfg: &'c Cfg,
    /// Where the end of a merged block went.
    merged: FxHashMap<Block, Block>,
    lists: FxHashMap<Block, Vec<Block>>,
    /// The edges into the blocks of `lists`.
    known: FxHashSet<(Block, Block)>,
}

impl<'c> Edges<'c> {
    fn new(cfg: &'c Cfg) -> Edges<'c> {
        Edges { cfg, merged: FxHashMap::default(), lists: FxHashMap::default(), known: FxHashSet::default() }
    }

    /// The list of a block; may name blocks that are gone.
    fn list(&mut self, block: Block) -> &mut Vec<Block> {
        self.lists.entry(block).or_insert_with(|| {
            let preds = self.cfg.preds(block).iter().map(|p| self.merged.get(p).copied().unwrap_or(*p));
            let preds: Vec<Block> = preds.collect();
            self.known.extend(preds.iter().map(|&p| (p, block)));
            preds
        })
    }

    fn preds(&mut self, func: &Function, block: Block) -> Vec<Block> {
        self.list(block).iter().copied().filter(|&p| func.block_in_layout(p)).collect()
    }

    fn has(&mut self, from: Block, to: Block) -> bool {
        self.list(to);
        self.known.contains(&(from, to))
    }

    fn add(&mut self, from: Block, to: Block) {
        if !self.has(from, to) {
            self.known.insert((from, to));
            self.list(to).push(from);
        }
    }
}

/// Appends the only successor to `block` while it has no other predecessor.
fn merge_successors(
    func: &mut Function,
    edges: &mut Edges<'_>,
    label_taken: &SecondaryMap<Block, bool>,
    block: Block,
) -> bool {
    let mut last = block;
    loop {
        let terminator = func.terminator(block);
        if func.insts[terminator].opcode != Opcode::Br {
            break;
        }
        let succ = func.insts[terminator].dest();
        if succ == block || label_taken[succ] || edges.cfg.preds(succ) != [last] {
            break;
        }
        func.for_each_phi(succ, Function::replace_if_single);
        func.remove_inst(terminator);
        if let Some(first) = func.first_inst(succ) {
            func.split_insts(first, block);
        }
        func.remove_block(succ);
        last = succ;
    }
    if last == block {
        return false;
    }
    func.replace_pred_in_targets(last, block);
    edges.merged.insert(last, block);
    true
}

/// Makes the predecessors of a block that holds only a jump branch to its target.
fn skip_block(func: &mut Function, edges: &mut Edges<'_>, skipped: &mut Skipped, block: Block) -> bool {
    if block == func.entry() || func.insts[func.terminator(block)].opcode != Opcode::Br {
        return false;
    }
    if func.first_inst(block) != func.last_inst(block) {
        return false;
    }
    let target = func.insts[func.terminator(block)].dest();
    if target == block {
        return false;
    }
    let preds = edges.preds(func, block);
    let has_phis = func.phis(target).next().is_some();
    let fixed = |&p: &Block| matches!(func.insts[func.terminator(p)].opcode, Opcode::IndirectBr | Opcode::AsmBr);
    // A block that gathers several entries into a header with phis saves copies on each of them.
    if preds.iter().any(fixed) || has_phis && preds.len() > 1 {
        return false;
    }
    if has_phis && preds.iter().any(|&p| edges.has(p, target)) {
        return false;
    }
    func.for_each_phi(target, |func, phi| {
        let value = func.take_phi_entry(phi, block);
        preds.iter().for_each(|&p| func.phi_push(phi, value, p));
    });
    for &pred in &preds {
        let terminator = func.terminator(pred);
        if func.insts[terminator].opcode == Opcode::Switch {
            skipped.switches.push(pred);
        } else {
            func.map_targets(terminator, |t| if t == block { target } else { t });
        }
        edges.add(pred, target);
    }
    skipped.targets.insert(block, target);
    func.hoist_debug_values(block, &preds);
    func.forget_debug_values(&[block], target);
    func.remove_block(block);
    true
}
