//! Executes a function on terms: blocks in topological order, loops unrolled, values chosen by path
//! conditions where paths join.
//!
//! What happens outside of the function (calls, volatile accesses) is a term as well: the next
//! state of affairs is an uninterpreted function of the last one, of the arguments and of memory.
//! Slots whose addresses stay inside the function are memories of their own; that all are is
//! assumed until one leaves, and then the function is executed again.

use std::rc::Rc;
use std::time::{Duration, Instant};

use ir::analysis::cfg::Cfg;
use ir::analysis::dominators::DominatorTree;
use ir::analysis::loops::{Loop, LoopTree};
use ir::{Block, Constant, Function, Inst, InstView, Opcode, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cuts::{self, Cut};
use crate::memory::Context;
use crate::plan::Key;
use crate::slots::Slots;
use crate::state::State;
use crate::term::{BOOL, Lanes, MEMORY, Term, Var, lane_width};

/// Why an execution did not come to an end.
#[derive(Debug)]
pub enum Stop {
    /// The addresses of slots leave the function.
    Escapes(Vec<u32>),
    /// Something that is not modelled, or too much.
    Reason(String),
}

/// Iterations of a loop of which it is certain that they are executed, beyond the bound.
const CERTAIN: u32 = 64;

/// Terms of a question.
const MAX_TERMS: usize = 150_000;

/// Conditions that are too many to be compared with each other.
const MANY: usize = 24;

/// Time for one execution.
const TIME: Duration = Duration::from_secs(10);

struct Edge {
    cond: Term,
    from: Block,
    state: Rc<State>,
}

/// How a function ends.
pub struct Outcome {
    /// Where behaviour is undefined: any of these.
    pub undefined: Vec<Term>,
    /// Addresses that are accessed, and on which paths.
    pub accesses: Vec<(Term, Term)>,
    /// More iterations than the bound: any of these.
    pub beyond: Vec<Term>,
    /// It returns.
    pub returns: Term,
    /// What has happened, and memory, when it returns.
    pub trace: Term,
    /// Memory then.
    pub memory: Term,
    /// The results.
    pub results: Vec<Term>,
    /// It ends in a call that does not return.
    pub ends: Term,
    /// What has happened then.
    pub end_trace: Term,
    /// Names of functions that it calls.
    pub calls: Vec<String>,
    /// What it did at cuts of loops.
    pub(crate) cuts: Vec<Cut>,
}

/// One execution of one function.
pub struct Execution<'c, 'm> {
    pub(crate) cx: &'c mut Context<'m>,
    pub(crate) slots: &'c Slots,
    /// Whether it is the function after the pass.
    pub(crate) is_target: bool,
    /// Undefined values that both functions have.
    pub(crate) shared_undefs: &'c FxHashSet<u32>,
    pub(crate) escaped: &'c FxHashSet<u32>,
    pub(crate) escaping: FxHashSet<u32>,
    pub(crate) state: State,
    /// The condition of the path.
    pub(crate) path: Term,
    pub(crate) exits: Vec<(Term, Term, Term, Vec<Term>)>,
    pub(crate) ended: Vec<(Term, Term)>,
    pub(crate) broken: Vec<Term>,
    pub(crate) accesses: Vec<(Term, Term)>,
    pub(crate) calls: Vec<String>,
    /// How many blocks on the stack instructions have made.
    pub(crate) blocks: FxHashMap<Inst, u32>,
    /// Cuts that were reached.
    pub(crate) cuts: Vec<Cut>,
    /// Loops with cuts that are executed now, and which of the cuts that is.
    pub(crate) active: Vec<(Key, Option<usize>)>,
    visits: FxHashMap<Block, u32>,
    beyond: Vec<Term>,
    /// Paths that the other function does not follow.
    excluded: &'c [Term],
    bound: u32,
    budget: u32,
    start: Instant,
    cfg: Cfg,
    loops: LoopTree,
    live: FxHashMap<Block, Vec<Value>>,
    pending: FxHashMap<Block, Vec<Edge>>,
}

impl<'c, 'm> Execution<'c, 'm> {
    /// Of a function, with loops unrolled up to the bound.
    #[allow(clippy::new_ret_no_self)]
    pub fn run(
        cx: &'c mut Context<'m>,
        func: &Function,
        slots: &'c Slots,
        is_target: bool,
        shared_undefs: &'c FxHashSet<u32>,
        escaped: &'c FxHashSet<u32>,
        excluded: &'c [Term],
        (bound, budget): (u32, u32),
    ) -> Result<Outcome, Stop> {
        let cfg = Cfg::compute(func);
        let dominators = DominatorTree::compute(func, &cfg);
        let loops = LoopTree::compute(func, &cfg, &dominators);
        if loops.has_irreducible() {
            return Err(Stop::Reason("irreducible loop".to_string()));
        }
        let yes = cx.arena.truth(true);
        cx.arena.leak_set(Vec::new());
        let memory = cx.arena.var(Var::Memory, MEMORY);
        let trace = cx.arena.var(Var::Start, 64);
        let mut state = State { values: FxHashMap::default(), memory, slots: Vec::new(), trace, leaked: Vec::new() };
        for key in 0..slots.list.len() as u32 {
            let generation = if slots.list[key as usize].is_argument { u32::MAX } else { 0 };
            state.slots.push(cx.arena.var(Var::Contents(key, generation), MEMORY));
        }
        for (index, &param) in func.params().iter().enumerate() {
            let ty = func.value_type(param);
            let lanes = match slots.argument(index as u32) {
                Some(key) => [cx.arena.var(Var::Slot(key), 64)].into_iter().collect(),
                None => (0..ty.lanes())
                    .map(|lane| cx.arena.var(Var::Param(index as u32, lane, ty.is_ptr()), lane_width(ty)))
                    .collect(),
            };
            state.values.insert(param, lanes);
        }
        let live = live_in(func, &cfg);
        let mut execution = Execution {
            cx,
            slots,
            is_target,
            shared_undefs,
            escaped,
            escaping: FxHashSet::default(),
            state: state.clone(),
            path: yes,
            exits: Vec::new(),
            ended: Vec::new(),
            broken: Vec::new(),
            accesses: Vec::new(),
            calls: Vec::new(),
            blocks: FxHashMap::default(),
            cuts: Vec::new(),
            active: Vec::new(),
            visits: FxHashMap::default(),
            beyond: Vec::new(),
            excluded,
            bound,
            budget,
            start: Instant::now(),
            cfg,
            loops,
            live,
            pending: FxHashMap::default(),
        };
        let entry = func.entry();
        execution.pending.insert(entry, vec![Edge { cond: yes, from: entry, state: Rc::new(state) }]);
        execution.region(func, None)?;
        if !execution.escaping.is_empty() {
            let mut keys: Vec<u32> = execution.escaping.into_iter().collect();
            keys.sort_unstable();
            return Err(Stop::Escapes(keys));
        }
        Ok(execution.outcome())
    }

    fn outcome(mut self) -> Outcome {
        let no = self.cx.arena.truth(false);
        let conds: Vec<Term> = self.exits.iter().map(|exit| exit.0).collect();
        let choices = self.choices(&conds);
        let mut outcome = Outcome {
            undefined: Vec::new(),
            accesses: Vec::new(),
            beyond: std::mem::take(&mut self.beyond),
            returns: self.any(&conds),
            trace: self.cx.arena.var(Var::Start, 64),
            memory: self.cx.arena.var(Var::Memory, MEMORY),
            results: Vec::new(),
            ends: no,
            end_trace: self.cx.arena.var(Var::Start, 64),
            calls: std::mem::take(&mut self.calls),
            cuts: std::mem::take(&mut self.cuts),
        };
        if !self.exits.is_empty() {
            let exits = std::mem::take(&mut self.exits);
            outcome.trace = self.choose(&choices, exits.iter().map(|e| e.1).collect());
            outcome.memory = self.choose(&choices, exits.iter().map(|e| e.2).collect());
            let count = exits[0].3.len();
            outcome.results =
                (0..count).map(|n| self.choose(&choices, exits.iter().map(|e| e.3[n]).collect())).collect();
        }
        let conds: Vec<Term> = self.ended.iter().map(|end| end.0).collect();
        outcome.ends = self.any(&conds);
        if !conds.is_empty() {
            let choices = self.choices(&conds);
            let traces = self.ended.iter().map(|end| end.1).collect();
            outcome.end_trace = self.choose(&choices, traces);
        }
        self.broken.sort_unstable();
        self.broken.dedup();
        self.accesses.sort_unstable();
        self.accesses.dedup();
        outcome.undefined = self.broken;
        outcome.accesses = self.accesses;
        outcome
    }

    /// Undefined behaviour on this path if the condition holds.
    pub(crate) fn undefined(&mut self, cond: Term) {
        let cond = self.cx.arena.and(self.path, cond);
        if !self.cx.arena.is(cond, false) {
            self.broken.push(cond);
        }
    }

    fn any(&mut self, conds: &[Term]) -> Term {
        if conds.len() > MANY {
            return self.cx.arena.any(conds);
        }
        let no = self.cx.arena.truth(false);
        conds.iter().fold(no, |all, &cond| self.cx.arena.or(all, cond))
    }

    /// Conditions that tell paths apart, without what is true of all of them.
    fn choices(&mut self, conds: &[Term]) -> Vec<Term> {
        let sets: Vec<_> = conds.iter().map(|&cond| self.cx.arena.conjuncts(cond)).collect();
        let Some(first) = sets.first() else { return Vec::new() };
        let in_all = |t: &Term| sets.iter().all(|set| set.binary_search(t).is_ok());
        let common: Vec<Term> = first.iter().copied().filter(in_all).collect();
        let own = |set: &[Term]| set.iter().copied().filter(|t| common.binary_search(t).is_err()).collect();
        sets.iter().map(|set| self.cx.arena.all(own(set))).collect()
    }

    fn choose(&mut self, choices: &[Term], values: Vec<Term>) -> Term {
        let mut values = values.into_iter().zip(choices).rev();
        let last = values.next().expect("there is a path").0;
        values.fold(last, |rest, (value, &cond)| self.cx.arena.ite(cond, value, rest))
    }

    // ---- control flow

    /// The blocks and inner loops of a region in topological order.
    fn order(&self, func: &Function, region: Option<Loop>) -> Vec<(Block, Option<Loop>)> {
        // Loops are entered at their headers: a block's item is named by its first block.
        let item = |block: Block| -> Option<(Block, Option<Loop>)> {
            let mut at = self.loops.innermost(block);
            if at == region {
                return Some((block, None));
            }
            while let Some(inner) = at {
                if self.loops.parent(inner) == region {
                    return Some((self.loops.header(inner), Some(inner)));
                }
                at = self.loops.parent(inner);
            }
            None
        };
        let start = region.map_or(func.entry(), |l| self.loops.header(l));
        let (mut done, mut order) = (FxHashSet::default(), Vec::new());
        let mut blocks: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        for &block in self.cfg.postorder().iter() {
            if let Some((name, Some(_))) = item(block) {
                blocks.entry(name).or_default().push(block);
            }
        }
        let successors = |name: Block, inner: Option<Loop>| -> Vec<(Block, Option<Loop>)> {
            let own = [name];
            let of: &[Block] = if inner.is_some() { &blocks[&name] } else { &own };
            let mut out = Vec::new();
            for &block in of {
                for &target in self.cfg.succs(block) {
                    let leaves = region.is_some_and(|l| !self.loops.contains(l, target)) || target == start;
                    if let (false, Some(next)) = (leaves, item(target))
                        && next.0 != name
                    {
                        out.push(next);
                    }
                }
            }
            out
        };
        let first = (start, None);
        let mut stack = vec![(first, successors(start, None), 0)];
        done.insert(start);
        while let Some((at, next, index)) = stack.last_mut() {
            match next.get(*index).copied() {
                Some(item) => {
                    *index += 1;
                    if done.insert(item.0) {
                        stack.push((item, successors(item.0, item.1), 0));
                    }
                }
                None => {
                    order.push(*at);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    fn region(&mut self, func: &Function, region: Option<Loop>) -> Result<(), Stop> {
        for (block, inner) in self.order(func, region) {
            match inner {
                None => self.block(func, block)?,
                Some(inner) => self.unroll(func, inner)?,
            }
        }
        Ok(())
    }

    fn unroll(&mut self, func: &Function, inner: Loop) -> Result<(), Stop> {
        let header = self.loops.header(inner);
        if let Some(block) = self.cx.plan.cut(self.is_target, header) {
            return self.once(func, inner, block);
        }
        let (mut counted, mut certain) = (0, 0);
        let mut before = None;
        while let Some(edges) = self.pending.get(&header) {
            let conds: Vec<Term> = edges.iter().map(|edge| edge.cond).collect();
            let cond = self.any(&conds);
            if self.cx.arena.is(cond, false) {
                self.pending.remove(&header);
                break;
            }
            let is_certain = before.is_some_and(|before| self.follows(before, cond)) && certain < CERTAIN;
            if is_certain {
                certain += 1;
            } else if counted > self.bound {
                self.beyond.push(cond);
                self.pending.remove(&header);
                break;
            } else {
                counted += 1;
            }
            before = Some(cond);
            self.region(func, Some(inner))?;
        }
        Ok(())
    }

    /// Executes a loop from its cut back to it, for all iterations.
    fn once(&mut self, func: &Function, inner: Loop, cut: Block) -> Result<(), Stop> {
        let header = self.loops.header(inner);
        let visit = self.visits.entry(cut).or_insert(0);
        self.active.push(((cut, *visit), None));
        *visit += 1;
        for _ in 0..2 {
            if self.pending.contains_key(&header) {
                self.region(func, Some(inner))?;
            }
        }
        self.active.pop();
        let is_open = |edge: &Edge| !self.cx.arena.is(edge.cond, false);
        match self.pending.get(&header) {
            Some(edges) if edges.iter().any(is_open) => Err(Stop::Reason("a way around a cut".to_string())),
            _ => {
                self.pending.remove(&header);
                Ok(())
            }
        }
    }

    /// At a cut: forgets what may change, or notes what has, and goes no further.
    fn is_back(&mut self, block: Block) -> bool {
        let Some(active) = self.active.iter_mut().rev().find(|active| active.0.0 == block) else { return false };
        if let Some(index) = active.1 {
            self.cuts[index].come_back(self.path, self.state.clone());
            return true;
        }
        active.1 = Some(self.cuts.len());
        let key = active.0;
        self.cuts.push(cuts::enter(self.cx, self.is_target, key, self.path, &mut self.state));
        false
    }

    /// Whether one path condition says no more than another, but for calls that return.
    fn follows(&self, before: Term, cond: Term) -> bool {
        let arena = &self.cx.arena;
        let known = arena.conjuncts(before);
        arena.conjuncts(cond).iter().all(|t| known.contains(t) || arena.is_return(*t))
    }

    fn block(&mut self, func: &Function, block: Block) -> Result<(), Stop> {
        let edges: Vec<Edge> = self.pending.remove(&block).unwrap_or_default();
        let no = self.cx.arena.truth(false);
        let edges: Vec<Edge> = edges.into_iter().filter(|edge| edge.cond != no).collect();
        if edges.is_empty() {
            return Ok(());
        }
        self.join(func, block, &edges)?;
        if self.is_back(block) {
            return Ok(());
        }
        let mut at = func.first_non_phi(block);
        while let Some(inst) = at {
            self.budget = self.budget.saturating_sub(1);
            if self.budget == 0 || self.cx.arena.nodes.len() > MAX_TERMS || self.start.elapsed() > TIME {
                return Err(Stop::Reason("too large".to_string()));
            }
            if func.insts[inst].opcode.is_terminator() {
                return self.terminator(func, block, inst);
            }
            self.instruction(func, inst)?;
            if self.path == no {
                return Ok(());
            }
            at = func.next_inst(inst);
        }
        Ok(())
    }

    fn join(&mut self, func: &Function, block: Block, edges: &[Edge]) -> Result<(), Stop> {
        let conds: Vec<Term> = edges.iter().map(|edge| edge.cond).collect();
        self.path = self.any(&conds);
        let choices = self.choices(&conds);
        let live = self.live.get(&block).cloned().unwrap_or_default();
        let mut values = FxHashMap::default();
        for value in live {
            let of: Vec<&Lanes> = edges.iter().filter_map(|edge| edge.state.values.get(&value)).collect();
            if of.len() != edges.len() {
                continue;
            }
            let lanes = (0..of[0].len()).map(|n| self.choose(&choices, of.iter().map(|l| l[n]).collect())).collect();
            values.insert(value, lanes);
        }
        for phi in func.phis(block) {
            let mut of = Vec::new();
            for edge in edges {
                let Some(value) = func.phi_value(phi, edge.from) else {
                    return Err(Stop::Reason("phi without an entry".to_string()));
                };
                of.push(self.lanes_in(func, value, &edge.state)?);
            }
            let lanes: Lanes =
                (0..of[0].len()).map(|n| self.choose(&choices, of.iter().map(|l| l[n]).collect())).collect();
            values.insert(func.first_result(phi), lanes);
        }
        let memory = self.choose(&choices, edges.iter().map(|e| e.state.memory).collect());
        let trace = self.choose(&choices, edges.iter().map(|e| e.state.trace).collect());
        let count = edges[0].state.slots.len();
        let slots =
            (0..count).map(|n| self.choose(&choices, edges.iter().map(|e| e.state.slots[n]).collect())).collect();
        let mut leaked: Vec<u32> = edges.iter().flat_map(|edge| edge.state.leaked.iter().copied()).collect();
        leaked.sort_unstable();
        leaked.dedup();
        self.state = State { values, memory, slots, trace, leaked };
        Ok(())
    }

    fn terminator(&mut self, func: &Function, block: Block, inst: Inst) -> Result<(), Stop> {
        let mut targets: Vec<(Block, Term)> = Vec::new();
        let path = self.path;
        match func.view(inst) {
            InstView::Br { dest } => targets.push((dest, path)),
            InstView::CondBr { cond, then_dest, else_dest, .. } if then_dest != else_dest => {
                let cond = self.scalar(func, cond)?;
                let not = self.cx.arena.not(cond);
                targets.push((then_dest, self.cx.arena.and(path, cond)));
                targets.push((else_dest, self.cx.arena.and(path, not)));
            }
            InstView::CondBr { then_dest, .. } => targets.push((then_dest, path)),
            InstView::Switch { value, .. } => {
                let width = lane_width(func.value_type(value));
                let value = self.scalar(func, value)?;
                let data = func.switch(inst);
                let mut rest = path;
                for &(case, target) in &data.cases {
                    let number = self.cx.arena.number(case.into(), width);
                    let here = self.cx.arena.eq(value, number);
                    let not = self.cx.arena.not(here);
                    targets.push((target, self.cx.arena.and(path, here)));
                    rest = self.cx.arena.and(rest, not);
                }
                targets.push((data.default, rest));
            }
            InstView::IndirectBr { addr, .. } => {
                let addr = self.scalar(func, addr)?;
                let mut rest = self.cx.arena.truth(true);
                for (label, &target) in func.labels.iter().enumerate() {
                    if func.indirect_targets(inst).contains(&target) {
                        let label = self.cx.arena.var(Var::Label(label as u32), 64);
                        let here = self.cx.arena.eq(addr, label);
                        let not = self.cx.arena.not(here);
                        rest = self.cx.arena.and(rest, not);
                        targets.push((target, self.cx.arena.and(path, here)));
                    }
                }
                self.undefined(rest);
            }
            InstView::Ret { values } => {
                let mut results = Vec::new();
                for &value in func.values(values) {
                    let lanes = self.lanes(func, value)?;
                    lanes.iter().for_each(|&lane| self.leak(lane));
                    results.extend(lanes);
                }
                self.exits.push((path, self.state.trace, self.state.memory, results));
            }
            InstView::Nullary { op: Opcode::Unreachable } => {
                let yes = self.cx.arena.truth(true);
                self.undefined(yes);
            }
            _ => return Err(Stop::Reason(func.insts[inst].opcode.name().to_string())),
        }
        // One edge for each target: its phis have one entry for this block.
        let mut merged: Vec<(Block, Term)> = Vec::new();
        for (target, cond) in targets {
            match merged.iter_mut().find(|known| known.0 == target) {
                Some(known) => known.1 = self.cx.arena.or(known.1, cond),
                None => merged.push((target, cond)),
            }
        }
        let state = Rc::new(self.state.clone());
        for (target, cond) in merged {
            if self.is_excluded(cond) {
                continue;
            }
            self.pending.entry(target).or_default().push(Edge { cond, from: block, state: state.clone() });
        }
        Ok(())
    }

    /// Whether the other function goes beyond the bound on this path.
    fn is_excluded(&self, cond: Term) -> bool {
        let own = self.cx.arena.conjuncts(cond);
        let is_part = |path: &Term| self.cx.arena.conjuncts(*path).iter().all(|part| own.binary_search(part).is_ok());
        self.excluded.iter().any(is_part)
    }

    // ---- values

    /// The lanes of a value.
    pub(crate) fn lanes(&mut self, func: &Function, value: Value) -> Result<Lanes, Stop> {
        match self.state.values.get(&value) {
            Some(lanes) => Ok(lanes.clone()),
            None => self.constant(func, value),
        }
    }

    fn lanes_in(&mut self, func: &Function, value: Value, state: &State) -> Result<Lanes, Stop> {
        match state.values.get(&value) {
            Some(lanes) => Ok(lanes.clone()),
            None => self.constant(func, value),
        }
    }

    /// The only lane of a value.
    pub(crate) fn scalar(&mut self, func: &Function, value: Value) -> Result<Term, Stop> {
        Ok(self.lanes(func, value)?[0])
    }

    fn constant(&mut self, func: &Function, value: Value) -> Result<Lanes, Stop> {
        let ty = func.value_type(value);
        let width = lane_width(ty);
        let ValueDef::Const(_) = func.value_def(value) else {
            return Err(Stop::Reason("a value before it is computed".to_string()));
        };
        Ok(match func.constant(value).expect("is a constant") {
            Constant::Bits(bits) if width == BOOL => [self.cx.arena.truth(bits & 1 != 0)].into_iter().collect(),
            Constant::Bits(bits) => [self.cx.arena.number(*bits, width)].into_iter().collect(),
            &Constant::Symbol(symbol, offset) => [self.cx.symbol_address(symbol, offset)].into_iter().collect(),
            Constant::Vector(bytes) => bytes
                .chunks(ty.lane().store_size() as usize)
                .map(|lane| {
                    let bits = lane.iter().rev().fold(0u128, |bits, &byte| bits << 8 | u128::from(byte));
                    if width == BOOL { self.cx.arena.truth(bits & 1 != 0) } else { self.cx.arena.number(bits, width) }
                })
                .collect(),
        })
    }

    pub(crate) fn define(&mut self, value: Value, lanes: Lanes) {
        self.state.values.insert(value, lanes);
    }
}

/// The values that each block's code, or code after it, uses and has not computed.
fn live_in(func: &Function, cfg: &Cfg) -> FxHashMap<Block, Vec<Value>> {
    let words = func.num_values().div_ceil(64);
    let order: Vec<Block> = cfg.postorder().to_vec();
    let mut live: FxHashMap<Block, Vec<u64>> = order.iter().map(|&b| (b, vec![0; words])).collect();
    let bit = |set: &mut [u64], value: Value, on: bool| {
        let index = cranelift_entity::EntityRef::index(value);
        if on { set[index / 64] |= 1 << (index % 64) } else { set[index / 64] &= !(1 << (index % 64)) }
    };
    loop {
        let mut changed = false;
        for &block in &order {
            let mut set = vec![0u64; words];
            for succ in cfg.succs(block) {
                set.iter_mut().zip(&live[succ]).for_each(|(a, b)| *a |= b);
                for phi in func.phis(*succ) {
                    if let Some(value) = func.phi_value(phi, block).filter(|&v| !func.is_constant(v)) {
                        bit(&mut set, value, true);
                    }
                }
            }
            for inst in func.block_insts_rev(block) {
                func.results(inst).for_each(|value| bit(&mut set, value, false));
                if func.insts[inst].opcode != Opcode::Phi {
                    func.operands(inst).filter(|&v| !func.is_constant(v)).for_each(|v| bit(&mut set, v, true));
                }
            }
            let known = live.get_mut(&block).expect("is reachable");
            if *known != set {
                *known = set;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let values = |set: &Vec<u64>| -> Vec<Value> {
        func.all_values()
            .filter(|&value| {
                let index = cranelift_entity::EntityRef::index(value);
                set[index / 64] >> (index % 64) & 1 != 0
            })
            .collect()
    };
    live.iter().map(|(&block, set)| (block, values(set))).collect()
}
