//! Where the records of variables meet: a forward flow analysis of what each variable holds.
//!
//! A block where ways with different records meet and that has none of its own gets one: the phi
//! that has exactly the values of the ways, or "unknown". Passes that copy code leave such blocks;
//! with a record in each of them, later passes may bypass blocks without asking.
//!
//! The lattice per variable (or fragment) is *unvisited*, a value, *unknown*. A value is forgotten
//! where its instruction runs again: until the next record the variable holds what the previous
//! iteration has left, which is nowhere any more. Linear in blocks times variables for each of the
//! few iterations; functions beyond [`MAX_WORK`] lose their records instead.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

use super::cfg::Cfg;
use super::dominators::DominatorTree;
use crate::debug_linear::{Extend, Linear};
use crate::debug_values::{DebugValue, Fragment};
use crate::{Block, Function, Inst, Opcode, Value};

/// Blocks times variables.
const MAX_WORK: usize = 8_000_000;
/// Visits of one block after which what still changes is unknown.
const MAX_VISITS: u32 = 8;

/// Stands for functions that differ.
const MIXED: Linear = Linear { extend: Extend::Zero(0), scale: 0, offset: 0 };

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unvisited,
    Known(Value, Linear),
    Unknown,
}

struct Flow<'a> {
    func: &'a Function,
    keys: Vec<(u32, Option<Fragment>)>,
    numbers: FxHashMap<(u32, Option<Fragment>), usize>,
    /// For each key, the others that share bytes with it.
    overlaps: Vec<Vec<usize>>,
    /// Values that records name, as they are now, with the variables.
    named: FxHashMap<Value, Vec<usize>>,
    ends: SecondaryMap<Block, Vec<State>>,
}

/// For passes that have copied code: records whose values do not dominate them any more become
/// unknown for good, whatever replaces those values later, and blocks where different records meet
/// get one of their own.
pub fn settle_debug_values(func: &mut Function, cfg: &Cfg, dominators: &DominatorTree) {
    if !func.has_debug_values() {
        return;
    }
    drop_undominated(func, cfg, dominators);
    let mut flow = Flow::new(func);
    if flow.keys.len().saturating_mul(func.num_blocks()) > MAX_WORK {
        func.discard_debug_values();
        return;
    }
    flow.solve(cfg);
    let mut new: Vec<(Inst, DebugValue)> = Vec::new();
    for &block in cfg.postorder() {
        if cfg.preds(block).len() < 2 {
            continue;
        }
        let Some(first) = func.first_non_phi(block) else { continue };
        let there = func.debug_values(first);
        for (key, &(variable, fragment)) in flow.keys.iter().enumerate() {
            let differs = cfg.preds(block).windows(2).any(|p| flow.end(p[0], key) != flow.end(p[1], key));
            if differs && !there.iter().any(|r| (r.variable, r.fragment) == (variable, fragment)) {
                let known = match flow.meet(cfg, block, key) {
                    State::Known(value, linear) => Some((value, linear)),
                    _ => None,
                };
                new.push((first, DebugValue::new(variable, fragment, None).with(known)));
            }
        }
    }
    func.prepend_debug_values(new);
}

fn drop_undominated(func: &mut Function, cfg: &Cfg, dominators: &DominatorTree) {
    let mut position: SecondaryMap<Inst, u32> = SecondaryMap::new();
    for &block in cfg.postorder() {
        for (index, inst) in func.block_insts(block).enumerate() {
            position[inst] = index as u32;
        }
    }
    func.retain_known_debug_values(|func, value, at| {
        let Some(definition) = func.def_inst(value) else { return true };
        match (func.inst_block(definition), func.inst_block(at)) {
            (Some(from), Some(to)) if from == to => position[definition] < position[at],
            (Some(from), Some(to)) => cfg.is_reachable(to) && dominators.dominates(from, to),
            _ => false,
        }
    });
}

impl<'a> Flow<'a> {
    fn new(func: &'a Function) -> Flow<'a> {
        let mut flow = Flow {
            func,
            keys: Vec::new(),
            numbers: FxHashMap::default(),
            overlaps: Vec::new(),
            named: FxHashMap::default(),
            ends: SecondaryMap::new(),
        };
        for inst in func.blocks().flat_map(|b| func.block_insts(b)) {
            for record in func.debug_values(inst) {
                let next = flow.keys.len();
                let key = (record.variable, record.fragment);
                if *flow.numbers.entry(key).or_insert(next) == next && next == flow.keys.len() {
                    flow.keys.push(key);
                }
                if let Some((value, _)) = func.known_debug_value(record) {
                    let keys = flow.named.entry(value).or_default();
                    let number = flow.numbers[&key];
                    if keys.last() != Some(&number) {
                        keys.push(number);
                    }
                }
            }
        }
        let record = |key: (u32, Option<Fragment>)| DebugValue::new(key.0, key.1, None);
        let mut of_variable: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (index, key) in flow.keys.iter().enumerate() {
            of_variable.entry(key.0).or_default().push(index);
        }
        flow.overlaps = flow
            .keys
            .iter()
            .enumerate()
            .map(|(index, &key)| {
                let others = of_variable[&key.0].iter().copied();
                others.filter(|&o| o != index && record(flow.keys[o]).overlaps(&record(key))).collect()
            })
            .collect();
        flow
    }

    fn end(&self, block: Block, key: usize) -> State {
        self.ends[block].get(key).copied().unwrap_or(State::Unvisited)
    }

    fn solve(&mut self, cfg: &Cfg) {
        let order: Vec<Block> = cfg.reverse_postorder().collect();
        let mut visits: SecondaryMap<Block, u32> = SecondaryMap::new();
        let mut dirty: SecondaryMap<Block, bool> = SecondaryMap::with_default(true);
        loop {
            let mut any = false;
            for &block in &order {
                if !std::mem::replace(&mut dirty[block], false) {
                    continue;
                }
                any = true;
                let start = self.start(cfg, block);
                let mut end = self.through(block, start);
                visits[block] += 1;
                let before = &self.ends[block];
                if visits[block] > MAX_VISITS {
                    for (now, before) in end.iter_mut().zip(before) {
                        if now != before {
                            *now = State::Unknown;
                        }
                    }
                }
                if *before != end {
                    self.ends[block] = end;
                    cfg.succs(block).iter().for_each(|&succ| dirty[succ] = true);
                }
            }
            if !any {
                return;
            }
        }
    }

    fn start(&self, cfg: &Cfg, block: Block) -> Vec<State> {
        if cfg.preds(block).is_empty() {
            return vec![State::Unknown; self.keys.len()];
        }
        (0..self.keys.len()).map(|key| self.meet(cfg, block, key)).collect()
    }

    /// What a variable holds at the start of a block, after its phis.
    fn meet(&self, cfg: &Cfg, block: Block, key: usize) -> State {
        let func = self.func;
        let mut all = State::Unvisited;
        for &pred in cfg.preds(block) {
            match (all, self.end(pred, key)) {
                (_, State::Unvisited) => {}
                (State::Unvisited, state) => all = state,
                (all, state) if all == state => {}
                _ => return self.matching_phi(cfg, block, key),
            }
        }
        match all {
            // What a phi of this block held before it runs again is gone, unless it goes on holding
            // it.
            State::Known(value, _) if func.def_inst(value).is_some_and(|d| self.is_phi_of(d, block)) => {
                self.matching_phi(cfg, block, key)
            }
            _ => all,
        }
    }

    fn is_phi_of(&self, inst: Inst, block: Block) -> bool {
        self.func.insts[inst].opcode == Opcode::Phi && self.func.inst_block(inst) == Some(block)
    }

    fn matching_phi(&self, cfg: &Cfg, block: Block, key: usize) -> State {
        let func = self.func;
        if cfg.preds(block).iter().any(|&p| self.end(p, key) == State::Unknown) {
            return State::Unknown;
        }
        // All ways have the same function of the phi's operands.
        let functions = cfg.preds(block).iter().filter_map(|&p| match self.end(p, key) {
            State::Known(_, linear) => Some(linear),
            _ => None,
        });
        let Some(linear) = functions.reduce(|a, b| if a == b { a } else { MIXED }).filter(|&l| l != MIXED) else {
            return State::Unknown;
        };
        let fits = |phi: &Inst| {
            func.phi_entries(*phi).all(|(value, pred)| match self.end(pred, key) {
                State::Unvisited => true,
                State::Known(known, _) => known == value,
                State::Unknown => false,
            })
        };
        func.phis(block).find(fits).map_or(State::Unknown, |phi| State::Known(func.first_result(phi), linear))
    }

    fn through(&self, block: Block, mut state: Vec<State>) -> Vec<State> {
        let func = self.func;
        for inst in func.block_insts(block) {
            for record in func.debug_values(inst) {
                let key = self.numbers[&(record.variable, record.fragment)];
                self.overlaps[key].iter().for_each(|&other| state[other] = State::Unknown);
                state[key] = func.known_debug_value(record).map_or(State::Unknown, |(v, l)| State::Known(v, l));
            }
            if func.insts[inst].opcode == Opcode::Phi {
                continue;
            }
            for result in func.results(inst) {
                for &key in self.named.get(&result).into_iter().flatten() {
                    if matches!(state[key], State::Known(value, _) if value == result) {
                        state[key] = State::Unknown;
                    }
                }
            }
        }
        state
    }
}
