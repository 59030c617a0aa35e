//! Where the records of variables meet: a forward flow analysis of what each variable holds.
//!
//! A block where ways with different records meet and that has none of its own gets one: the phi
//! that has exactly the values of the ways, or "unknown". As in the construction of SSA form, the
//! analysis first names what such a block begins with, and looks for the phis when it has ended.
//! Passes that copy code leave such blocks; with a record in each of them, later passes may bypass
//! blocks without asking.
//!
//! The lattice per variable (or fragment) is *unvisited*, a value, what a block begins with,
//! *unknown*. A value is forgotten where its instruction runs again: until the next record the
//! variable holds what the previous iteration has left, which is nowhere any more. A block keeps
//! what it knows, and nothing of variables that are unknown; functions in which that is more than
//! [`MAX_WORK`] lose their records.

use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::cfg::Cfg;
use super::dominators::DominatorTree;
use crate::debug_linear::Linear;
use crate::debug_values::{DebugValue, Fragment};
use crate::{Block, Function, Inst, Opcode, Value};

/// What is known where blocks end, over all visits.
const MAX_WORK: usize = 8_000_000;
/// Visits of one block after which what still changes is unknown.
const MAX_VISITS: u32 = 12;

/// What is known of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    /// It is this function of this value.
    Value(Value, Linear),
    /// It is what it was at the start of this block, where different values meet.
    Merge(Block),
    /// The predecessors looked at so far differ.
    Differs,
}

/// The variables of which something is known, by ascending number.
type Known = Vec<(u32, Held)>;

/// What events have made of a variable: something known, or nothing.
type Now = Option<Held>;

fn of(known: &[(u32, Held)], key: u32) -> Option<Held> {
    let found = known.binary_search_by_key(&key, |k| k.0).ok()?;
    Some(known[found].1)
}

/// What an instruction, or a record before it, does to a variable.
#[derive(Clone, Copy)]
enum Event {
    /// A record says what the variable is, or that nobody knows.
    Record(u32, Option<Held>),
    /// This value is computed anew: it is not what a record meant before.
    Computed(u32, Value),
}

struct Flow<'a> {
    func: &'a Function,
    keys: Vec<(u32, Option<Fragment>)>,
    /// For each key, the others that share bytes with it.
    overlaps: Vec<Vec<u32>>,
    /// Those events that are not without effect, in order.
    events: Vec<Event>,
    /// Which of them are a block's: the first, and the end.
    of_block: SecondaryMap<Block, (u32, u32)>,
    /// What is known at the end of each block; `None` before its first visit.
    ends: SecondaryMap<Block, Option<Known>>,
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
    if !flow.solve(cfg) {
        func.discard_debug_values();
        return;
    }
    let mut new: Vec<(Inst, DebugValue)> = Vec::new();
    let mut merged: FxHashMap<(Block, u32), (Value, Linear)> = FxHashMap::default();
    for block in cfg.reverse_postorder() {
        if cfg.preds(block).len() < 2 {
            continue;
        }
        let Some(first) = func.first_non_phi(block) else { continue };
        let there = func.debug_values(first);
        let keys = flow.differing(cfg, block);
        let start = if keys.is_empty() { Known::new() } else { flow.start(cfg, block, |_| true) };
        for key in keys {
            let (variable, fragment) = flow.keys[key as usize];
            let known = match of(&start, key) {
                Some(Held::Value(value, linear)) => Some((value, linear)),
                Some(Held::Merge(of)) if of != block => merged.get(&(of, key)).copied(),
                Some(Held::Merge(_)) => flow.matching_phi(cfg, block, key, &merged),
                Some(Held::Differs) | None => None,
            };
            if let Some(known) = known {
                merged.insert((block, key), known);
            }
            let lost = known.is_none() && func.is_fixed(variable);
            if !lost && !there.iter().any(|r| (r.variable, r.fragment) == (variable, fragment)) {
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
            overlaps: Vec::new(),
            events: Vec::new(),
            of_block: SecondaryMap::with_capacity(func.num_blocks()),
            ends: SecondaryMap::with_capacity(func.num_blocks()),
        };
        let mut numbers: FxHashMap<(u32, Option<Fragment>), u32> = FxHashMap::default();
        // Values that records name, with the variables.
        let mut named: FxHashMap<Value, SmallVec<[u32; 4]>> = FxHashMap::default();
        let mut records: Vec<(Inst, Event)> = Vec::new();
        for inst in func.all_insts() {
            for record in func.debug_values(inst) {
                let key = (record.variable, record.fragment);
                let number = *numbers.entry(key).or_insert_with(|| {
                    flow.keys.push(key);
                    flow.keys.len() as u32 - 1
                });
                let known = func.traced_debug_value(record);
                for value in known.into_iter().flat_map(|(value, _)| sources(func, value)) {
                    let keys = named.entry(value).or_default();
                    if keys.last() != Some(&number) {
                        keys.push(number);
                    }
                }
                let known = known.map(|(value, linear)| Held::Value(value, linear));
                records.push((inst, Event::Record(number, known)));
            }
        }
        let mut is_named: EntitySet<Value> = EntitySet::new();
        named.keys().for_each(|&value| _ = is_named.insert(value));
        let mut records = records.into_iter().peekable();
        for block in func.blocks() {
            let first = flow.events.len() as u32;
            for inst in func.block_insts(block) {
                while let Some((_, record)) = records.next_if(|next| next.0 == inst) {
                    flow.events.push(record);
                }
                if func.insts[inst].opcode == Opcode::Phi {
                    continue;
                }
                for result in func.results(inst).filter(|&result| is_named.contains(result)) {
                    flow.events.extend(named[&result].iter().map(|&key| Event::Computed(key, result)));
                }
            }
            flow.of_block[block] = (first, flow.events.len() as u32);
        }
        flow.overlaps = overlaps(&flow.keys);
        flow
    }

    /// False if that is too much work.
    fn solve(&mut self, cfg: &Cfg) -> bool {
        let order: Vec<Block> = cfg.reverse_postorder().collect();
        let mut visits: SecondaryMap<Block, u32> = SecondaryMap::new();
        let mut dirty: SecondaryMap<Block, bool> = SecondaryMap::with_default(true);
        // With what loops are entered.
        let mut entered: SecondaryMap<Block, Option<Known>> = SecondaryMap::new();
        let mut scratch: Vec<Option<Now>> = vec![None; self.keys.len()];
        let mut work = 0;
        loop {
            let mut any = false;
            for &block in &order {
                if !std::mem::replace(&mut dirty[block], false) {
                    continue;
                }
                any = true;
                let back = |pred: &&Block| cfg.rpo_number(**pred) >= cfg.rpo_number(block);
                if cfg.preds(block).iter().any(|pred| back(&pred)) {
                    let first = self.start(cfg, block, |pred| cfg.rpo_number(pred) < cfg.rpo_number(block));
                    if entered[block].as_ref() != Some(&first) {
                        // What came around the loop is of what it was entered with before.
                        for &pred in cfg.preds(block).iter().filter(back) {
                            self.ends[pred] = None;
                            dirty[pred] = true;
                        }
                        entered[block] = Some(first);
                    }
                }
                let start = self.start(cfg, block, |_| true);
                let mut end = self.through(block, start, &mut scratch);
                visits[block] += 1;
                if visits[block] > MAX_VISITS
                    && let Some(before) = &self.ends[block]
                {
                    end.retain(|known| {
                        before.binary_search_by_key(&known.0, |k| k.0).is_ok_and(|i| before[i] == *known)
                    });
                }
                work += end.len();
                if work > MAX_WORK {
                    return false;
                }
                if self.ends[block].as_ref() != Some(&end) {
                    self.ends[block] = Some(end);
                    cfg.succs(block).iter().for_each(|&succ| dirty[succ] = true);
                }
            }
            if !any {
                return true;
            }
        }
    }

    /// What is known at the start of a block, after its phis: in all predecessors wanted that have
    /// been visited so far, or what it begins with itself.
    fn start(&self, cfg: &Cfg, block: Block, wanted: impl Fn(Block) -> bool) -> Known {
        let preds = cfg.preds(block).iter().filter(|&&pred| wanted(pred));
        let mut ends = preds.filter_map(|&pred| self.ends[pred].as_deref());
        let Some(first) = ends.next() else { return Known::new() };
        // What comes around a loop unchanged says nothing.
        let here = Held::Merge(block);
        let mut met = first.to_vec();
        let has_phis = self.func.phis(block).next().is_some();
        if cfg.preds(block).len() < 2 && !has_phis {
            return met;
        }
        for end in ends {
            let mut end = end.iter().peekable();
            met.retain_mut(|(key, met)| {
                while end.next_if(|k| k.0 < *key).is_some() {}
                let Some(&(_, held)) = end.next_if(|k| k.0 == *key) else { return false };
                if held != here && *met != held {
                    *met = if *met == here { held } else { Held::Differs };
                }
                true
            });
        }
        met.retain_mut(|(_, met)| {
            match *met {
                held if held == here => return false,
                Held::Differs => *met = here,
                // What a phi of this block held before it runs again is gone, unless it goes on
                // holding it.
                Held::Value(value, _)
                    if has_phis
                        && sources(self.func, value)
                            .iter()
                            .any(|&value| self.func.def_inst(value).is_some_and(|d| self.is_phi_of(d, block))) =>
                {
                    *met = here;
                }
                _ => {}
            }
            true
        });
        met
    }

    /// The variables that are not the same at the ends of all predecessors, by ascending number.
    fn differing(&self, cfg: &Cfg, block: Block) -> Vec<u32> {
        let mut keys = Vec::new();
        for pair in cfg.preds(block).windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|pred| self.ends[pred].as_deref().unwrap_or_default());
            let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
            while let (Some(&&(left, held)), Some(&&(right, other))) = (a.peek(), b.peek()) {
                if left != right || held != other {
                    keys.push(left.min(right));
                }
                a.next_if(|_| left <= right);
                b.next_if(|_| right <= left);
            }
            keys.extend(a.chain(b).map(|k| k.0));
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    fn is_phi_of(&self, inst: Inst, block: Block) -> bool {
        self.func.insts[inst].opcode == Opcode::Phi && self.func.inst_block(inst) == Some(block)
    }

    /// A phi whose operands are what the variable holds in the predecessors, each by one function.
    fn matching_phi(
        &self,
        cfg: &Cfg,
        block: Block,
        key: u32,
        merged: &FxHashMap<(Block, u32), (Value, Linear)>,
    ) -> Option<(Value, Linear)> {
        let func = self.func;
        // By predecessor: `None` for the phi itself.
        let mut ends: Vec<(Block, Option<Value>)> = Vec::new();
        let mut function = None;
        for &pred in cfg.preds(block) {
            let Some(known) = &self.ends[pred] else { continue };
            let (value, linear) = match of(known, key)? {
                Held::Value(value, linear) => (value, linear),
                Held::Merge(of) if of == block => {
                    ends.push((pred, None));
                    continue;
                }
                Held::Merge(of) => *merged.get(&(of, key))?,
                Held::Differs => return None,
            };
            if *function.get_or_insert(linear) != linear {
                return None;
            }
            ends.push((pred, Some(value)));
        }
        let fits = |phi: &Inst| {
            let result = func.first_result(*phi);
            ends.iter().all(|&(pred, end)| func.phi_value(*phi, pred) == Some(end.unwrap_or(result)))
        };
        func.phis(block).find(fits).map(|phi| (func.first_result(phi), function.unwrap_or_default()))
    }

    /// What is known at the end of a block; `now` is empty before and afterwards.
    fn through(&self, block: Block, start: Known, now: &mut [Option<Now>]) -> Known {
        let (first, behind) = self.of_block[block];
        let events = &self.events[first as usize..behind as usize];
        if events.is_empty() {
            return start;
        }
        let mut touched: SmallVec<[u32; 16]> = SmallVec::new();
        let mut set = |now: &mut [Option<Now>], key: u32, held: Now| {
            if now[key as usize].replace(held).is_none() {
                touched.push(key);
            }
        };
        for &event in events {
            match event {
                Event::Record(key, held) => {
                    self.overlaps[key as usize].iter().for_each(|&other| set(now, other, None));
                    set(now, key, held);
                }
                Event::Computed(key, result) => {
                    let held = now[key as usize].unwrap_or_else(|| of(&start, key));
                    if matches!(held, Some(Held::Value(value, _)) if sources(self.func, value).contains(&result)) {
                        set(now, key, None);
                    }
                }
            }
        }
        touched.sort_unstable();
        let mut end = Known::with_capacity(start.len() + touched.len());
        let mut rest = &start[..];
        for key in touched {
            let before = rest.partition_point(|k| k.0 < key);
            end.extend_from_slice(&rest[..before]);
            rest = &rest[before..];
            if rest.first().is_some_and(|k| k.0 == key) {
                rest = &rest[1..];
            }
            end.extend(now[key as usize].take().flatten().map(|held| (key, held)));
        }
        end.extend_from_slice(rest);
        end
    }
}

/// The values with definitions of which a value is made.
fn sources(func: &Function, value: Value) -> SmallVec<[Value; 4]> {
    func.debug_sources(value, |_| true).unwrap_or_default()
}

/// For each of the variables and fragments, the others that share bytes with it.
fn overlaps(keys: &[(u32, Option<Fragment>)]) -> Vec<Vec<u32>> {
    let record = |key: u32| DebugValue::new(keys[key as usize].0, keys[key as usize].1, None);
    let mut of_variable: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (index, key) in keys.iter().enumerate() {
        of_variable.entry(key.0).or_default().push(index as u32);
    }
    let others = |key: u32| {
        let same = of_variable[&keys[key as usize].0].iter().copied();
        same.filter(|&other| other != key && record(other).overlaps(&record(key))).collect()
    };
    (0..keys.len() as u32).map(others).collect()
}
