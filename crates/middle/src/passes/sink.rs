//! Sinking: what only some of the ways on need is computed on those ways.
//!
//! An instruction moves to the nearest common dominator of its users, or as near to it as no loop
//! is entered, if a condition stands between here and there. Pure operations move, and loads into a
//! successor where nothing before has written. An operation that needs two operands to stay alive
//! for one result stays, unless it is a division or a root.
//!
//! What only phis behind an exit of a loop read is computed on the edge there. An address that an
//! access here takes in, so that it needs no register, is computed there once more.
//!
//! Blocks in postorder, instructions backwards: users move before what they use. Linear in the
//! uses, times the depth of the dominator tree for those that move.
//!
//! ```text
//! b0: v1 = mul v0, v0                    b0: cond_br c, b1, b2
//!     cond_br c, b1, b2           =>     b1: v1 = mul v0, v0
//! b1: call @f(v1)                            call @f(v1)
//! ```

use ir::analysis::{Cfg, DominatorTree, LoopTree};
use ir::effects::{is_pure, may_write_memory};
use ir::{Block, Function, Inst, Opcode, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::pass::{Changed, Pass, PassContext};
use ir::ssa::redirect;

/// The pass.
pub const PASS: Pass = Pass::new("sink", run);

/// Users of a value that are looked at, and instructions of its new block.
const MAX_SCAN: usize = 64;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let cfg = cx.analyses.cfg(func);
    let sinking = Sinking {
        dominators: &cx.analyses.dominators(func),
        loops: &cx.analyses.loops(func),
        cfg: &cfg,
        edges: !cx.options.optimize_size,
    };
    let (mut sunk, mut on_edges) = (0, Vec::new());
    for &block in cfg.postorder() {
        if cfg.succs(block).len() < 2 {
            continue;
        }
        let mut writes = false;
        let mut next = func.prev_inst(func.terminator(block));
        while let Some(inst) = next {
            next = func.prev_inst(inst);
            let load = func.insts[inst].opcode == Opcode::Load && !func.insts[inst].is_volatile();
            writes |= may_write_memory(func, cx.module, inst);
            if !(load && !writes || is_pure(func, inst)) || func.results(inst).count() != 1 {
                continue;
            }
            if sinking.move_down(func, cx, block, inst) {
                sunk += 1;
            } else if sinking.edges && !load {
                on_edges.extend(sinking.needed_on_exits(func, block, inst).map(|edge| (edge, inst)));
            }
        }
    }
    let split = compute_on_edges(func, &on_edges);
    cx.statistics.add("instructions sunk", sunk);
    cx.statistics.add("instructions computed on edges", split);
    if split > 0 { Changed::ControlFlow } else { Changed::code_if(sunk > 0) }
}

/// An edge by its ends.
type Edge = (Block, Block);

struct Sinking<'a> {
    dominators: &'a DominatorTree,
    loops: &'a LoopTree,
    cfg: &'a Cfg,
    /// Whether edges may get blocks of their own.
    edges: bool,
}

impl Sinking<'_> {
    /// Moves an instruction to where it is needed, if that is not always.
    fn move_down(&self, func: &mut Function, cx: &PassContext<'_>, block: Block, inst: Inst) -> bool {
        use Opcode::*;
        let Some(mut target) = self.place(func, block, inst) else { return false };
        let load = func.insts[inst].opcode == Load;
        while load && self.cfg.preds(target) != [block] {
            let Some(above) = self.dominators.idom(target).filter(|&b| b != block) else { return false };
            target = above;
        }
        let slow = matches!(func.insts[inst].opcode, SDiv | UDiv | SRem | URem | FDiv | Sqrt);
        if !load && !slow && self.lengthens_lives(func, block, inst) {
            return false;
        }
        let result = func.first_result(inst);
        let mut before = func.first_non_phi(target).expect("block is complete");
        for _ in 0..MAX_SCAN {
            let reads = func.operands(before).any(|v| v == result);
            if reads || before == func.terminator(target) || load && may_write_memory(func, cx.module, before) {
                break;
            }
            before = func.next_inst(before).expect("a terminator is the last");
        }
        func.unplace_inst(inst);
        func.insert_before(before, inst);
        true
    }

    /// The block that an instruction may move to: all users are dominated by it, it is in no loop
    /// that `block` is not in, and not every way from `block` leads there.
    fn place(&self, func: &Function, block: Block, inst: Inst) -> Option<Block> {
        let mut common: Option<Block> = None;
        for (number, (user, index)) in func.uses(func.first_result(inst)).enumerate() {
            let at = place_of_use(func, user, index)?;
            if at == block || number == MAX_SCAN || !self.cfg.is_reachable(at) {
                return None;
            }
            common = Some(common.map_or(at, |other| self.dominators.common_dominator(other, at)));
        }
        let mut target = common.filter(|&b| b != block && self.dominators.dominates(block, b))?;
        while !self.is_no_deeper(target, block) {
            target = self.dominators.idom(target).filter(|&b| b != block)?;
        }
        // A block that only one edge of a branch leads to, from here to there.
        let mut way = target;
        while !matches!(self.cfg.preds(way), &[pred] if self.cfg.succs(pred).len() > 1) {
            way = self.dominators.idom(way).filter(|&b| b != block)?;
        }
        Some(target)
    }

    /// Whether `target` is in no loop that `block` is not in.
    fn is_no_deeper(&self, target: Block, block: Block) -> bool {
        self.loops.innermost(target).is_none_or(|inner| self.loops.contains(inner, block))
    }

    /// Whether more than one value would have to stay alive in place of the result: operands that
    /// nothing in other blocks reads (of many readers, one is taken to be elsewhere).
    fn lengthens_lives(&self, func: &Function, block: Block, inst: Inst) -> bool {
        let ends_here = |value: Value| {
            let elsewhere = |(user, index)| user != inst && place_of_use(func, user, index) != Some(block);
            func.constant(value).is_none()
                && !func.uses(value).take(MAX_SCAN).any(elsewhere)
                && func.uses(value).nth(MAX_SCAN).is_none()
        };
        let mut ending: SmallVec<[Value; 4]> = func.operands(inst).filter(|&v| ends_here(v)).collect();
        ending.dedup();
        ending.len() > 1
    }

    /// The edges out of a loop on which alone a value is needed as an operand of phis, but for
    /// accesses in its block that take it in as their address.
    fn needed_on_exits(&self, func: &Function, block: Block, inst: Inst) -> impl Iterator<Item = Edge> + use<> {
        let mut edges: SmallVec<[Edge; 2]> = SmallVec::new();
        let inner = self.loops.innermost(block);
        for (number, (user, index)) in func.uses(func.first_result(inst)).enumerate() {
            let to = func.inst_block(user).expect("user is placed");
            let exit = func.insts[user].opcode == Opcode::Phi
                && func.phi_block(user, index) == block
                && inner.is_some_and(|l| !self.loops.contains(l, to))
                && self.cfg.succs(block).iter().filter(|&&s| s == to).count() == 1;
            if exit {
                edges.push((block, to));
            } else if number == MAX_SCAN || !is_folded(func, inst, user, index) {
                return SmallVec::<[Edge; 2]>::new().into_iter();
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges.into_iter()
    }
}

/// Where a use needs the value: the end of the predecessor, if it is a phi's.
fn place_of_use(func: &Function, user: Inst, index: usize) -> Option<Block> {
    if func.insts[user].opcode == Opcode::Phi {
        return Some(func.phi_block(user, index));
    }
    func.inst_block(user)
}

/// Whether `user` is an access that takes in `inst`, a sum of an address and a constant.
fn is_folded(func: &Function, inst: Inst, user: Inst, index: usize) -> bool {
    let sum = func.insts[inst].opcode == Opcode::PtrAdd && func.constant(func.operand(inst, 1)).is_some();
    sum && index == 0 && matches!(func.insts[user].opcode, Opcode::Load | Opcode::Store)
}

/// Computes instructions on edges, which get a block for it. Returns how many there were.
fn compute_on_edges(func: &mut Function, wanted: &[(Edge, Inst)]) -> u64 {
    let mut blocks: FxHashMap<Edge, Option<Block>> = FxHashMap::default();
    let mut computed = 0;
    // Those further up come first: others may need them.
    for &((from, to), inst) in wanted.iter().rev() {
        let Some(between) = *blocks.entry((from, to)).or_insert_with(|| redirect(func, to, &[from])) else { continue };
        let copy = func.copy_inst(inst, |value| value);
        let terminator = func.terminator(between);
        func.insert_before(terminator, copy);
        let (old, new) = (func.first_result(inst), func.first_result(copy));
        let phis: Vec<(Inst, usize)> = func
            .uses(old)
            .filter(|&(user, index)| func.insts[user].opcode == Opcode::Phi && func.phi_block(user, index) == between)
            .collect();
        for (phi, index) in phis {
            func.set_operand(phi, index, new);
        }
        if !func.has_uses(old) {
            func.remove_inst(inst);
        }
        computed += 1;
    }
    computed
}
