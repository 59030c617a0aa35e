//! Jump threading: an edge into a block whose branch is already decided along that edge goes straight to where the branch goes.
//!
//! Along the edge from `p` into `b`, the phis of `b` have `p`'s values, and what the branches at `p` and above it (through single
//! predecessors) decided is known. If with this the condition of `b` folds, or is a comparison that a known one implies, a copy of `b`
//! that only jumps to the chosen target takes over the edge. Blocks of more than [`MAX_COPY`] instructions, with calls, or that head a loop are
//! not copied: a copied header would make a loop with two entries. Values that now have two definitions get phis through mem2reg.
//!
//! Several edges into a block that choose one target share a copy. A function grows by at most [`MAX_GROWTH`] instructions and a quarter.
//!
//! Cost: linear in edges times [`MAX_COPY`], at most [`MAX_ROUNDS`] rounds.
//!
//! ```text
//! b1: br b3                                    b1: br b4
//! b2: br b3                             =>     b2: br b5
//! b3: v1 = phi [i1 1, b1], [i1 0, b2]
//!     cond_br v1, b4, b5
//! ```

use cranelift_entity::SecondaryMap;
use ir::analysis::{Cfg, LoopTree};
use ir::{Block, Builder, Function, Inst, IntCc, Opcode, Position, SwitchId, Type, Value};
use smallvec::SmallVec;

use crate::analysis::ranges::{Outcomes, Range, has_range};
use crate::effects::is_pure;
use crate::pass::{Changed, Pass, PassContext};
use crate::passes::fold::fold_with;
use crate::passes::mem2reg;
use crate::passes::sccp::chosen_target;
use crate::passes::simplify_cfg::remove_unreachable_blocks;
use crate::ssa_repair::{copy_inst, merge_definitions};

/// The pass.
pub const PASS: Pass = Pass { name: "jump_threading", run };

/// Instructions of a block that are copied, its phis and branch aside: about what a jump and a compare saved are worth.
const MAX_COPY: usize = 6;

/// Instructions by which any function may grow; beyond it, a quarter of its size.
const MAX_GROWTH: usize = 48;

/// Threading may make more edges threadable.
const MAX_ROUNDS: usize = 3;

/// Branches above an edge that are looked at.
const MAX_FACTS: usize = 6;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    if func.calls_setjmp {
        return Changed::Nothing;
    }
    let size: usize = func.blocks().map(|b| func.block_insts(b).count()).sum();
    let mut budget = MAX_GROWTH + size / 4;
    let mut threaded = 0;
    for _ in 0..MAX_ROUNDS {
        let before = threaded;
        threaded += round(func, cx, &mut budget);
        if threaded == before {
            break;
        }
        cx.analyses.invalidate(Changed::ControlFlow);
        remove_unreachable_blocks(func);
        (mem2reg::PASS.run)(func, cx);
    }
    cx.statistics.add("jumps threaded", threaded);
    if threaded > 0 {
        cx.remark(PASS.name, || format!("{threaded} jumps threaded"));
    }
    Changed::control_flow_if(threaded > 0)
}

fn round(func: &mut Function, cx: &mut PassContext<'_>, budget: &mut usize) -> u64 {
    let cfg = cx.analyses.cfg(func);
    let blocks: Vec<Block> =
        cfg.reverse_postorder().filter(|&b| cfg.preds(b).len() > 1 && is_candidate(func, b)).collect();
    if blocks.is_empty() {
        return 0;
    }
    let loops = cx.analyses.loops(func);
    if loops.has_irreducible() {
        return 0;
    }
    let mut touched: SecondaryMap<Block, bool> = SecondaryMap::with_capacity(func.num_blocks());
    let mut threaded = 0;
    for block in blocks {
        if loops.innermost(block).is_some_and(|l| loops.header(l) == block) || touched[block] {
            continue;
        }
        let decided = decided_edges(func, &cfg, &loops, &touched, block);
        let size = func.block_insts(block).count();
        let mut copies = Vec::new();
        for (target, preds) in group(decided) {
            if size > *budget {
                break;
            }
            *budget -= size;
            copies.push(thread(func, block, target, &preds));
            threaded += preds.len() as u64;
            touched[block] = true;
            touched[target] = true;
            preds.into_iter().for_each(|p| touched[p] = true);
        }
        merge_copies(func, block, &copies);
    }
    threaded
}

fn is_candidate(func: &Function, block: Block) -> bool {
    let terminator = func.terminator(block);
    if !matches!(func.insts[terminator].opcode, Opcode::CondBr | Opcode::Switch)
        || func.constant(func.operand(terminator, 0)).is_some()
        || block == func.entry()
        || func.labels.contains(&block)
    {
        return false;
    }
    let mut count = 0;
    func.block_insts(block).all(|inst| {
        let opcode = func.insts[inst].opcode;
        if opcode == Opcode::Phi || inst == terminator {
            return true;
        }
        count += 1;
        let copyable = is_pure(func, inst) || matches!(opcode, Opcode::Load | Opcode::Store);
        count <= MAX_COPY && copyable
    })
}

/// The edges into a block along which its branch is decided, with the target.
fn decided_edges(
    func: &mut Function,
    cfg: &Cfg,
    loops: &LoopTree,
    touched: &SecondaryMap<Block, bool>,
    block: Block,
) -> Vec<(Block, Block)> {
    let mut out = Vec::new();
    for &pred in cfg.preds(block) {
        let redirectable =
            matches!(func.insts[func.terminator(pred)].opcode, Opcode::Br | Opcode::CondBr | Opcode::Switch);
        if touched[pred] || !redirectable || !cfg.is_reachable(pred) {
            continue;
        }
        let Some(target) = Edge::new(func, cfg, touched, pred, block).decide(func) else { continue };
        // A second latch would keep the loop from being rotated.
        let is_latch = loops.innermost(target).is_some_and(|l| loops.header(l) == target && loops.contains(l, block));
        if target != block && !touched[target] && !is_latch {
            out.push((pred, target));
        }
    }
    out
}

fn group(decided: Vec<(Block, Block)>) -> Vec<(Block, Vec<Block>)> {
    let mut groups: Vec<(Block, Vec<Block>)> = Vec::new();
    for (pred, target) in decided {
        match groups.iter_mut().find(|g| g.0 == target) {
            Some(group) => group.1.push(pred),
            None => groups.push((target, vec![pred])),
        }
    }
    groups
}

/// What is known when control passes one edge.
struct Edge {
    pred: Block,
    block: Block,
    /// Conditions that were true or false.
    conditions: SmallVec<[(Value, bool); 4]>,
    /// Values of switches passed.
    equal: SmallVec<[(Value, u64); 2]>,
}

impl Edge {
    fn new(func: &Function, cfg: &Cfg, touched: &SecondaryMap<Block, bool>, pred: Block, block: Block) -> Edge {
        let mut edge = Edge { pred, block, conditions: SmallVec::new(), equal: SmallVec::new() };
        let (mut from, mut to) = (pred, block);
        for _ in 0..MAX_FACTS {
            edge.add_branch(func, from, to);
            let &[above] = cfg.preds(from) else { break };
            // A touched block may have got another predecessor.
            if touched[from] || above == block || above == from {
                break;
            }
            (from, to) = (above, from);
        }
        edge
    }

    fn add_branch(&mut self, func: &Function, from: Block, to: Block) {
        let terminator = func.terminator(from);
        let data = func.insts[terminator];
        match data.opcode {
            Opcode::CondBr if data.b != data.c => {
                self.conditions.push((func.operand(terminator, 0), Block::from_u32(data.b) == to));
            }
            Opcode::Switch => {
                let switch = &func.switches[SwitchId::from_u32(data.c)];
                let mut cases = switch.cases.iter().filter(|c| c.1 == to);
                if let (Some(case), None) = (cases.next(), cases.next())
                    && switch.default != to
                {
                    self.equal.push((func.operand(terminator, 0), case.0));
                }
            }
            _ => {}
        }
    }

    /// Where the block's branch goes when it is entered along this edge.
    fn decide(&self, func: &mut Function) -> Option<Block> {
        let terminator = func.terminator(self.block);
        let mut known: SmallVec<[(Value, Value); 8]> = SmallVec::new();
        let insts: SmallVec<[Inst; 16]> = func.block_insts(self.block).filter(|&i| i != terminator).collect();
        for inst in insts {
            let Some(result) = func.result(inst) else { continue };
            if func.insts[inst].opcode == Opcode::Phi {
                let value = func.phi_value(inst, self.pred)?;
                known.push((result, self.replace_by_fact(func, value)));
                continue;
            }
            if !is_pure(func, inst) {
                continue;
            }
            let operands: SmallVec<[Value; 3]> = func
                .operands(inst)
                .map(|v| known.iter().find(|k| k.0 == v).map_or(v, |k| k.1))
                .collect::<SmallVec<[Value; 3]>>()
                .into_iter()
                .map(|v| self.replace_by_fact(func, v))
                .collect();
            let value = fold_with(func, inst, &operands).or_else(|| self.implied(func, inst, &operands));
            if let Some(value) = value {
                known.push((result, value));
            }
        }
        let cond = func.operand(terminator, 0);
        let cond = known.iter().find(|k| k.0 == cond).map_or(cond, |k| k.1);
        let cond = self.replace_by_fact(func, cond);
        let bits = func.const_bits(cond)?;
        Some(chosen_target(func, terminator, bits))
    }

    /// The constant that a branch above says a value is.
    fn replace_by_fact(&self, func: &mut Function, value: Value) -> Value {
        if func.constant(value).is_some() {
            return value;
        }
        if let Some(&(_, truth)) = self.conditions.iter().find(|c| c.0 == value) {
            return func.iconst(Type::I1, truth as i64);
        }
        if let Some(&(_, bits)) = self.equal.iter().find(|e| e.0 == value) {
            let ty = func.value_type(value);
            return func.bits_const(ty, bits as u128);
        }
        value
    }

    /// The outcome of a comparison that comparisons of the same values have decided.
    fn implied(&self, func: &mut Function, inst: Inst, operands: &[Value]) -> Option<Value> {
        let data = func.insts[inst];
        let &[a, b] = operands else { return None };
        let ty = func.value_type(a);
        if data.opcode != Opcode::ICmp || !has_range(ty) {
            return None;
        }
        let cc = IntCc::from_index((data.flags & 0xf) as u32);
        let range_of = |func: &Function, v: Value| match func.const_bits(v) {
            Some(bits) => Range::constant(ty, bits),
            None => Range::full(ty),
        };
        let mut range = range_of(func, a);
        let mut outcomes = Outcomes::ALL;
        for &(cond, truth) in &self.conditions {
            let Some(compare) = func.def_inst(cond).filter(|&i| func.insts[i].opcode == Opcode::ICmp) else { continue };
            let fact = IntCc::from_index((func.insts[compare].flags & 0xf) as u32);
            let fact = if truth { fact } else { fact.inverse() };
            let (x, y) = (func.operand(compare, 0), func.operand(compare, 1));
            if (x, y) == (a, b) {
                outcomes = outcomes.intersect(Outcomes::of(fact));
            } else if (x, y) == (b, a) {
                outcomes = outcomes.intersect(Outcomes::of(fact.swapped()));
            } else if x == a && func.const_bits(y).is_some() {
                range = range.assuming(ty, fact, range_of(func, y));
            }
        }
        let decided = outcomes
            .decide(cc)
            .or_else(|| if range.is_empty() { None } else { range.decide(cc, range_of(func, b)) })?;
        Some(func.iconst(Type::I1, decided as i64))
    }
}

/// A copy of a block, with what the block's values are in it.
struct Copy {
    block: Block,
    values: Vec<(Value, Value)>,
}

/// Gives the values of a block and of its copies phis where they meet.
fn merge_copies(func: &mut Function, block: Block, copies: &[Copy]) {
    let Some(first) = copies.first() else { return };
    for (number, &(value, _)) in first.values.iter().enumerate() {
        let mut definitions = vec![(block, value)];
        definitions.extend(copies.iter().map(|c| (c.block, c.values[number].1)));
        merge_definitions(func, value, &definitions);
    }
}

/// Makes the edges from `preds` go through a copy of `block` that jumps to `target`.
fn thread(func: &mut Function, block: Block, target: Block, preds: &[Block]) -> Copy {
    let copy = func.make_block();
    func.insert_block_after(*preds.last().expect("not empty"), copy);
    let terminator = func.terminator(block);
    let loc = func.inst_locs[terminator];
    let insts: Vec<Inst> = func.block_insts(block).filter(|&i| i != terminator).collect();
    let mut map: Vec<(Value, Value)> = Vec::new();
    for &inst in &insts {
        if func.insts[inst].opcode == Opcode::Phi {
            let value = take_entries(func, inst, copy, preds);
            map.push((func.first_result(inst), value));
            continue;
        }
        let new = copy_inst(func, inst, |v| map.iter().find(|m| m.0 == v).map_or(v, |m| m.1));
        func.append_inst(copy, new);
        map.extend(func.results(inst).zip(func.results(new)));
    }
    let mut builder = Builder::new(func, Position::End(copy));
    builder.loc = loc;
    builder.br(target);
    let phis: Vec<Inst> = func.phis(target).collect();
    for phi in phis {
        let value = func.phi_value(phi, block).expect("one entry per predecessor");
        let value = map.iter().find(|m| m.0 == value).map_or(value, |m| m.1);
        func.phi_push(phi, value, copy);
    }
    for &pred in preds {
        let terminator = func.terminator(pred);
        func.map_targets(terminator, |t| if t == block { copy } else { t });
    }
    Copy { block: copy, values: map }
}

/// Moves the entries of a phi for `preds` to `copy`; returns the value there.
fn take_entries(func: &mut Function, phi: Inst, copy: Block, preds: &[Block]) -> Value {
    let mut entries: Vec<(Value, Block)> = Vec::with_capacity(preds.len());
    for &pred in preds {
        let index =
            (0..func.num_operands(phi)).find(|&i| func.phi_block(phi, i) == pred).expect("one entry per predecessor");
        entries.push((func.operand(phi, index), pred));
        func.phi_swap_remove(phi, index);
    }
    if entries.iter().all(|e| e.0 == entries[0].0) {
        return entries[0].0;
    }
    let ty = func.insts[phi].ty;
    // Phis come first: this copy is made before any other instruction of the block's copy.
    let merged = Builder::new(func, Position::End(copy)).phi(ty, &entries);
    func.first_result(merged)
}
