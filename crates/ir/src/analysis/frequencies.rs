//! How often each block of a function runs, and how probable each edge is.
//!
//! Where earlier runs of the program were counted (`-fprofile-use`), branches say what they did,
//! and a loop runs as often as that makes it. The rest are static estimates in the manner of Ball
//! and Larus ("Branch prediction for free", 1993): branch hints, paths that end in a call that does
//! not return, loop exits, tests for equality and sign, calls; a loop runs [`TRIPS`] times.
//! `cargo xtask bench --predictors` says how often each is right. Probabilities are propagated once
//! in reverse postorder, loop headers scaled by the trip count.

use cranelift_entity::{EntityRef, SecondaryMap};

use super::{Cfg, Loop, LoopTree};
use crate::{Block, FnAttrs, Function, IntCc, Opcode, Value};

/// Assumed iterations of a loop.
const TRIPS: f32 = 9.0;
/// Probability that a loop is left at an exit test.
pub const EXIT: f32 = 1.0 / (TRIPS + 1.0);
/// Probability that two pointers are equal, or one is null.
const SAME_POINTER: f32 = 0.3;
/// Probability that two numbers are equal, neither of which is the constant 0 (gcc's opcode
/// heuristic).
const SAME_NUMBER: f32 = 0.34;
/// Probability of a block with a call that control can as well go around (gcc's call heuristic).
const CALL: f32 = 0.33;
/// Probability of a way that begins with a call where the other one does not.
const CALLING: f32 = 0.45;
/// Probability that `asm goto` jumps: most are checks, of flags or of patched jumps.
const JUMP_OF_ASM: f32 = 0.1;
/// Probability that a signed number is negative.
const NEGATIVE: f32 = 0.2;
/// Probability that checked arithmetic overflows (gcc's expansion of the builtins says "very
/// unlikely").
const OVERFLOW: f32 = 0.01;
/// Probability of a path that ends without returning.
const COLD: f32 = 0.001;
/// Bounds that keep products of many loops or branches in range.
const MIN_FREQUENCY: f32 = 1e-6;
/// See [`MIN_FREQUENCY`].
const MAX_FREQUENCY: f32 = 1e9;
/// A counted loop that is hardly ever left runs this often.
const MOST_TRIPS: f32 = 1e5;

/// What ran at least so often in earlier runs, compared with what ran most, is hot.
const HOT: f32 = 0.002;
/// What ran less often than this is cold (gcc's `--param hot-bb-count-fraction=`).
const WARM: f32 = 0.0001;

/// How much of the time of earlier runs was spent somewhere.
#[derive(Copy, Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Heat {
    /// Next to nothing.
    Cold,
    /// Some of it.
    Warm,
    /// So much that code may grow for it.
    Hot,
}

/// Frequencies of blocks and probabilities of edges.
pub struct Frequencies {
    /// Executions per call, by block.
    blocks: Vec<f32>,
    /// Whether control surely reaches a call from there that does not return or is marked cold.
    cold: Vec<bool>,
    edges: Edges,
    /// How often each loop's header runs for each time that the loop is entered.
    trips: SecondaryMap<Loop, f32>,
}

impl Frequencies {
    /// Estimates them.
    pub fn compute(func: &Function, cfg: &Cfg, loops: &LoopTree) -> Frequencies {
        let cold = cold_blocks(func, cfg);
        let edges = Edges::compute(func, cfg, loops, &cold);
        let trips = SecondaryMap::with_default(TRIPS + 1.0);
        let mut out = Frequencies { blocks: vec![0.0; func.num_blocks()], cold, edges, trips };
        let mut inflow = vec![0.0f32; func.num_blocks()];
        if func.counted.is_some() {
            let members = loops.blocks(cfg);
            for l in loops.loops() {
                out.trips[l] = 1.0;
                let back = out.propagate(cfg, loops, &mut inflow, &members[l]);
                out.trips[l] = 1.0 / (1.0 - back).max(1.0 / MOST_TRIPS);
            }
        }
        let all: Vec<Block> = cfg.reverse_postorder().collect();
        out.propagate(cfg, loops, &mut inflow, &all);
        out
    }

    /// Frequencies of these blocks, in reverse postorder, of which the first is entered once; how
    /// much of that jumps back to it.
    fn propagate(&mut self, cfg: &Cfg, loops: &LoopTree, inflow: &mut [f32], blocks: &[Block]) -> f32 {
        blocks.iter().for_each(|block| inflow[block.index()] = 0.0);
        let mut back = 0.0;
        for (index, &block) in blocks.iter().enumerate() {
            let mut own = if index == 0 { 1.0 } else { inflow[block.index()] };
            if let Some(l) = loops.headed(block) {
                own *= self.trips[l.id];
            }
            let own = own.clamp(MIN_FREQUENCY, MAX_FREQUENCY);
            self.blocks[block.index()] = own;
            for (&succ, &probability) in cfg.succs(block).iter().zip(self.edges.of(cfg, block)) {
                // Back edges of inner loops are accounted for by their trip counts.
                if cfg.rpo_number(succ) > cfg.rpo_number(block) {
                    inflow[succ.index()] += own * probability;
                } else if succ == blocks[0] {
                    back += own * probability;
                }
            }
        }
        back
    }

    /// Executions per call.
    pub fn of(&self, block: Block) -> f32 {
        self.blocks[block.index()]
    }

    /// The same of a function that earlier runs counted.
    pub fn counted(func: &Function, cfg: &Cfg, loops: &LoopTree) -> Option<Frequencies> {
        func.counted.is_some().then(|| Frequencies::compute(func, cfg, loops))
    }

    /// How much time earlier runs spent in a block, if they were counted.
    pub fn heat(&self, func: &Function, block: Block) -> Option<Heat> {
        let counted = func.counted?;
        let share = self.of(block) * counted.entered as f32 / counted.highest.max(1) as f32;
        Some(match share {
            HOT.. => Heat::Hot,
            WARM.. => Heat::Warm,
            _ => Heat::Cold,
        })
    }

    /// How often a loop's header runs for each time that the loop is entered.
    pub fn trips(&self, l: Loop) -> f32 {
        self.trips[l]
    }

    /// Executions per call of all blocks, by number.
    pub fn blocks(&self) -> &[f32] {
        &self.blocks
    }

    /// Whether control surely reaches a call from there that does not return or is marked cold.
    pub fn is_cold(&self, block: Block) -> bool {
        self.cold[block.index()]
    }

    /// What the static estimate of a conditional branch would be, without hint and counts.
    pub fn guess(&self, func: &Function, cfg: &Cfg, loops: &LoopTree, block: Block) -> Guess {
        guess(func, cfg, loops, &self.cold, block)
    }

    /// The probabilities of the edges to the successors, in the order of `cfg.succs`.
    pub fn edges(&self, cfg: &Cfg, block: Block) -> &[f32] {
        self.edges.of(cfg, block)
    }

    /// The probability of the one edge between two blocks; 0 if there is none.
    pub fn between(&self, cfg: &Cfg, from: Block, to: Block) -> f32 {
        cfg.succs(from).iter().position(|&s| s == to).map_or(0.0, |at| self.edges.of(cfg, from)[at])
    }
}

/// Blocks from which control surely reaches a call that does not return (or is marked cold).
fn cold_blocks(func: &Function, cfg: &Cfg) -> Vec<bool> {
    let mut cold = vec![false; func.num_blocks()];
    for &block in cfg.postorder() {
        let terminator = func.terminator(block);
        let ends = func.insts[terminator].opcode == Opcode::Unreachable;
        let succs = cfg.succs(block);
        let leads = !succs.is_empty() && succs.iter().all(|s| cold[s.index()]);
        let calls_cold = || {
            func.block_insts(block)
                .any(|i| func.insts[i].opcode == Opcode::Call && func.call_info(i).attrs.has(FnAttrs::COLD))
        };
        cold[block.index()] = ends || leads || calls_cold();
    }
    cold
}

/// The probability of each distinct successor, in `cfg.succs` order.
fn edge_probabilities(func: &Function, cfg: &Cfg, loops: &LoopTree, cold: &[bool], block: Block, out: &mut Vec<f32>) {
    let succs = cfg.succs(block);
    out.clear();
    let even = 1.0 / succs.len().max(1) as f32;
    out.resize(succs.len(), even);
    if succs.len() < 2 {
        return;
    }
    let data = &func.insts[func.terminator(block)];
    if succs.len() == 2 && data.opcode == Opcode::CondBr {
        let first_is_then = succs[0] == data.dests().0;
        let then = match data.branch_hint().probability() {
            Some(known) => known,
            None => guess(func, cfg, loops, cold, block).then,
        };
        out[0] = if first_is_then { then } else { 1.0 - then };
        out[1] = 1.0 - out[0];
        return;
    }
    let weights = func.weights(func.terminator(block));
    let sum: f32 = weights.iter().map(|&weight| weight as f32).sum();
    if sum > 0.0 {
        out.fill(0.0);
        let mut weights = weights.iter();
        func.for_each_target(func.terminator(block), |target| {
            let share = weights.next().map_or(0.0, |&weight| weight as f32 / sum);
            out[succs.iter().position(|&succ| succ == target).expect("a successor")] += share;
        });
        return;
    }
    if data.opcode == Opcode::AsmBr {
        let onwards = func.asm(func.terminator(block)).fallthrough;
        let likely = |succ: &Block| onwards == Some(*succ);
        if succs.iter().any(likely) {
            let rest = JUMP_OF_ASM / (succs.len() - 1) as f32;
            out.iter_mut()
                .zip(succs)
                .for_each(|(share, succ)| *share = if likely(succ) { 1.0 - JUMP_OF_ASM } else { rest });
            return;
        }
    }
    // Switches and computed jumps: even among the warm ones.
    let warm = succs.iter().filter(|s| !cold[s.index()]).count();
    if warm > 0 && warm < succs.len() {
        let share = (1.0 - COLD) / warm as f32;
        let rest = COLD / (succs.len() - warm) as f32;
        for (slot, succ) in out.iter_mut().zip(succs) {
            *slot = if cold[succ.index()] { rest } else { share };
        }
    }
}

/// What can be said of a branch without knowing how often it was taken.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Guess {
    /// The predictor: what it goes by.
    pub by: &'static str,
    /// The probability of the first target.
    pub then: f32,
}

/// A guess at the conditional branch that ends `block`, whatever its hint says.
fn guess(func: &Function, cfg: &Cfg, loops: &LoopTree, cold: &[bool], block: Block) -> Guess {
    let branch = func.terminator(block);
    let (t, e) = func.insts[branch].dests();
    let innermost = loops.innermost(block);
    let leaves = |succ: Block| innermost.is_some_and(|l| !loops.contains(l, succ));
    let (by, then) = match (cold[t.index()], cold[e.index()], leaves(t), leaves(e)) {
        (true, false, ..) => ("way that does not return", COLD),
        (false, true, ..) => ("way that does not return", 1.0 - COLD),
        (_, _, true, false) => ("loop exit", EXIT),
        (_, _, false, true) => ("loop exit", 1.0 - EXIT),
        _ => {
            let (comparison, compared) = comparison(func, func.operand(branch, 0));
            let called = call_on_the_way(func, cfg, block, t, e);
            let by = match (compared == 0.5, called == 0.5) {
                (true, true) => "nothing",
                (true, false) => "call",
                (false, true) => comparison,
                (false, false) => "comparison and call",
            };
            (by, together(compared, called))
        }
    };
    Guess { by, then }
}

/// Two independent estimates of one probability (Dempster and Shafer's rule, as Wu and Larus,
/// "Static branch frequency and program profile analysis", 1994, use it).
fn together(a: f32, b: f32) -> f32 {
    a * b / (a * b + (1.0 - a) * (1.0 - b))
}

/// What a comparison says: its name as a predictor, and the probability that it holds (Ball and
/// Larus's pointer and opcode heuristics).
fn comparison(func: &Function, condition: Value) -> (&'static str, f32) {
    if func.def_inst(condition).is_some_and(|inst| func.insts[inst].opcode.tells_overflow()) {
        return ("overflow", OVERFLOW);
    }
    let Some(compare) = func.def_with(condition, Opcode::ICmp) else { return ("comparison", 0.5) };
    let (ty, right) = (func.value_type(func.operand(compare, 0)), func.const_i64(func.operand(compare, 1)));
    let same = if ty.is_ptr() {
        SAME_POINTER
    } else if right == Some(0) {
        0.5
    } else {
        SAME_NUMBER
    };
    match (func.insts[compare].int_cc(), right) {
        (IntCc::Eq, _) => ("equality", same),
        (IntCc::Ne, _) => ("equality", 1.0 - same),
        (IntCc::Slt, Some(0)) | (IntCc::Sle, Some(-1)) => ("sign", NEGATIVE),
        (IntCc::Sge, Some(0)) | (IntCc::Sgt, Some(-1)) => ("sign", 1.0 - NEGATIVE),
        _ => ("comparison", 0.5),
    }
}

/// The probability of the first successor as far as calls tell: a block with one that only this
/// branch leads to, and from which control comes to the other successor, is gone around more often
/// than not; of two ways that only this branch leads to, the one without a call is likelier.
fn call_on_the_way(func: &Function, cfg: &Cfg, block: Block, then: Block, other: Block) -> f32 {
    let own = |way: Block| cfg.preds(way) == [block];
    let calls = |way: Block| own(way) && func.block_insts(way).any(|inst| func.insts[inst].opcode == Opcode::Call);
    let is_detour = |way: Block, around: Block| cfg.succs(way).contains(&around);
    match (calls(then), calls(other)) {
        (true, false) if is_detour(then, other) => CALL,
        (false, true) if is_detour(other, then) => 1.0 - CALL,
        (true, false) if own(other) => CALLING,
        (false, true) if own(then) => 1.0 - CALLING,
        _ => 0.5,
    }
}

/// The estimated probability of every edge.
struct Edges {
    /// Where each block's successors begin, by the block's number.
    first: Vec<u32>,
    /// In the order of `cfg.succs`.
    probability: Vec<f32>,
}

impl Edges {
    fn compute(func: &Function, cfg: &Cfg, loops: &LoopTree, cold: &[bool]) -> Edges {
        let mut edges = Edges { first: vec![0; func.num_blocks()], probability: Vec::new() };
        let mut of_block = Vec::new();
        for block in cfg.reverse_postorder() {
            edge_probabilities(func, cfg, loops, cold, block, &mut of_block);
            edges.first[block.index()] = edges.probability.len() as u32;
            edges.probability.extend_from_slice(&of_block);
        }
        edges
    }

    fn of(&self, cfg: &Cfg, block: Block) -> &[f32] {
        &self.probability[self.first[block.index()] as usize..][..cfg.succs(block).len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::DominatorTree;

    /// A loop of two blocks in a loop, then a switch.
    const BODY: &str = "b0:\n  br b1\nb1:\n  br b2\nb2:\n  cond_br.odds6 v1, b3, b4\nb3:\n  br b2\nb4:\n  cond_br.odds4 v1, b1, b5\nb5:\n  switch v0 default b6 [1, b7] [2, b6] weights 30 5 5\nb6:\n  ret\nb7:\n  ret\n";

    fn with(counted: &str, check: impl FnOnce(&Function, &LoopTree, &[Block], Frequencies)) {
        let text = format!(
            "symbol @f global function : (i32, i1) -> ()\nfunc @f {counted} v0, v1 : (i32, i1) -> () {{\n{BODY}}}\n"
        );
        let module = crate::text::parse_module(&text).expect("valid IR");
        let func = module.functions.values().next().expect("a function");
        let cfg = Cfg::compute(func);
        let loops = LoopTree::compute(func, &cfg, &DominatorTree::compute(func, &cfg));
        let blocks: Vec<Block> = func.blocks().collect();
        check(func, &loops, &blocks, Frequencies::compute(func, &cfg, &loops));
    }

    #[test]
    fn loops_run_as_often_as_their_counted_exits_say() {
        with("entered 10 of 10000", |func, loops, blocks, frequencies| {
            let near = |block: usize, wanted: f32| (frequencies.of(blocks[block]) - wanted).abs() < wanted * 0.01;
            // Odds of 4 for the outer loop, 8 for the inner one.
            assert!(near(1, 5.0) && near(2, 45.0) && near(3, 40.0) && near(4, 5.0) && near(5, 1.0));
            assert!(near(6, 0.25) && near(7, 0.75));
            let inner = loops.innermost(blocks[2]).expect("a loop");
            assert!((frequencies.trips(inner) - 9.0).abs() < 0.1);
            assert_eq!(frequencies.heat(func, blocks[2]), Some(Heat::Hot));
            assert_eq!(frequencies.heat(func, blocks[7]), Some(Heat::Warm));
        });
    }

    #[test]
    fn without_counts_of_the_function_loops_run_ten_times() {
        with("", |func, loops, blocks, frequencies| {
            let inner = loops.innermost(blocks[2]).expect("a loop");
            assert_eq!(frequencies.trips(inner), TRIPS + 1.0);
            assert_eq!(frequencies.heat(func, blocks[2]), None);
        });
        with("entered 1 of 100000000", |func, _, blocks, frequencies| {
            assert_eq!(frequencies.heat(func, blocks[2]), Some(Heat::Cold));
        });
    }
}
