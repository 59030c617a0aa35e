//! What is left of a loop's iterations when their counters are constants.

use ir::analysis::sums::induction::{CountedLoop, is_invariant};
use ir::analysis::{Cfg, LoopRef};
use ir::{Block, Function, Inst, Opcode, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::passes::fold::{fold_with, rounds};
use crate::passes::sccp::chosen_target;

/// How many instructions are constants once the counter is one, or become part of an address.
pub fn folding(func: &Function, l: LoopRef<'_>, blocks: &[Block], counter: Inst) -> usize {
    use Opcode::*;
    let mut known: FxHashSet<Value> = FxHashSet::default();
    known.insert(func.first_result(counter));
    let mut count = 0;
    for inst in blocks.iter().flat_map(|&b| func.block_insts(b)) {
        let is_known = |v: Value| func.constant(v).is_some() || known.contains(&v);
        let folds = match func.insts[inst].opcode {
            Add | Sub | Mul | Shl | LShr | AShr | And | Or | Xor | SExt | ZExt | Trunc | ICmp | CondBr => {
                func.operands(inst).all(is_known)
            }
            PtrAdd => {
                let base = func.operand(inst, 0);
                (is_invariant(func, l, base) || is_known(base)) && is_known(func.operand(inst, 1))
            }
            Br => true,
            _ => false,
        };
        if folds {
            count += 1;
            known.extend(func.results(inst));
        }
    }
    count
}

/// Whether a branch of the loop but the latch's, or a switch, tests the counter directly or by a
/// comparison with a constant: what each iteration runs of the loop is then known, and worth
/// [`rounds_left`].
pub fn branches_on_counter(func: &Function, blocks: &[Block], counted: &CountedLoop) -> bool {
    let counter = func.first_result(counted.counter.phi);
    blocks.iter().filter(|&&b| b != counted.latch).any(|&b| {
        let branch = func.terminator(b);
        if !matches!(func.insts[branch].opcode, Opcode::CondBr | Opcode::Switch) {
            return false;
        }
        let tested = func.operand(branch, 0);
        let of_counter = |inst: Inst| func.operands(inst).any(|v| v == counter);
        tested == counter || func.def_inst(tested).is_some_and(|i| func.insts[i].opcode != Opcode::Phi && of_counter(i))
    })
}

/// Instructions of all iterations together that are left when constants are carried from iteration
/// to iteration and branches that they decide go one way only; `None` if they are more than
/// `limit`.
///
/// Each iteration visits the loop's blocks in reverse postorder, those that an edge of the
/// iteration leads to: exact in an innermost loop, whose only edges back go to the header. Cost:
/// what is visited, so iterations times the size of the loop.
pub fn rounds_left(
    func: &mut Function,
    cfg: &Cfg,
    l: LoopRef<'_>,
    blocks: &[Block],
    counted: &CountedLoop,
    trips: u64,
    limit: usize,
) -> Option<usize> {
    let header = l.header();
    let mut order = blocks.to_vec();
    order.sort_by_key(|&b| cfg.rpo_number(b));
    let mut left = 0;
    let mut from = counted.preheader;
    let mut before: FxHashMap<Value, Value> = FxHashMap::default();
    for _ in 0..trips {
        let mut round = Round::default();
        round.reached.insert(header);
        for phi in func.phis(header) {
            let entry = func.phi_value(phi, from)?;
            let constant = if func.constant(entry).is_some() { Some(entry) } else { before.get(&entry).copied() };
            if let Some(constant) = constant {
                round.known.insert(func.first_result(phi), constant);
            }
        }
        for &block in &order {
            left += round.visit(func, l, block);
            if left > limit {
                return None;
            }
        }
        before = round.known;
        from = counted.latch;
    }
    Some(left)
}

/// What is known in one iteration.
#[derive(Default)]
struct Round {
    /// Values that are constants.
    known: FxHashMap<Value, Value>,
    /// Edges that may be taken.
    edges: FxHashSet<(Block, Block)>,
    /// Where they lead.
    reached: FxHashSet<Block>,
}

impl Round {
    /// Instructions of the block that remain.
    fn visit(&mut self, func: &mut Function, l: LoopRef<'_>, block: Block) -> usize {
        let header = l.header();
        if !self.reached.contains(&block) {
            return 0;
        }
        let insts: Vec<Inst> = func.block_insts(block).collect();
        let mut left = 0;
        for inst in insts {
            let data = func.insts[inst];
            match data.opcode {
                Opcode::Phi if block == header => {}
                Opcode::Phi => self.join(func, inst, block),
                Opcode::Br => self.go(func, inst, block),
                Opcode::CondBr | Opcode::Switch => {
                    let tested = self.constant(func, func.operand(inst, 0)).and_then(|v| func.const_bits(v));
                    match tested {
                        Some(bits) => self.take(block, chosen_target(func, inst, bits)),
                        None => {
                            self.go(func, inst, block);
                            left += 1;
                        }
                    }
                }
                _ => left += !self.folds(func, l, inst) as usize,
            }
        }
        left
    }

    fn constant(&self, func: &Function, value: Value) -> Option<Value> {
        if func.constant(value).is_some() { Some(value) } else { self.known.get(&value).copied() }
    }

    fn go(&mut self, func: &Function, inst: Inst, block: Block) {
        func.for_each_target(inst, |to| self.take(block, to));
    }

    fn take(&mut self, from: Block, to: Block) {
        self.edges.insert((from, to));
        self.reached.insert(to);
    }

    /// A phi after branches: what comes along the edges that may be taken, if it is one constant.
    fn join(&mut self, func: &Function, phi: Inst, block: Block) {
        let mut taken = func.phi_entries(phi).filter(|e| self.edges.contains(&(e.1, block)));
        let Some(first) = taken.next().and_then(|e| self.constant(func, e.0)) else { return };
        if taken.all(|e| self.constant(func, e.0) == Some(first)) {
            self.known.insert(func.first_result(phi), first);
        }
    }

    /// Whether the instruction is a constant, or becomes part of an address.
    fn folds(&mut self, func: &mut Function, l: LoopRef<'_>, inst: Inst) -> bool {
        let operands: SmallVec<[Value; 3]> = func.operands(inst).filter_map(|v| self.constant(func, v)).collect();
        if operands.len() == func.num_operands(inst)
            && !operands.is_empty()
            && !rounds(func, inst)
            && let Some(value) = fold_with(func, inst, &operands)
        {
            self.known.insert(func.first_result(inst), value);
            return true;
        }
        func.insts[inst].opcode == Opcode::PtrAdd
            && is_invariant(func, l, func.operand(inst, 0))
            && self.constant(func, func.operand(inst, 1)).is_some()
    }
}
