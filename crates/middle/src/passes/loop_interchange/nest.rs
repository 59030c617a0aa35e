//! The nests that are looked at: a loop with one loop in it, without branches, of trip counts that
//! do not change; and what the values in them depend on.

use ir::analysis::sums::induction::{CountedLoop, Counter, counted_loop, counter, entry_and_latch, is_invariant};
use ir::analysis::sums::loops::LoopSums;
use ir::analysis::sums::trip_count::trip_count;
use ir::analysis::sums::{Linear, Term};
use ir::analysis::{Cfg, Loop, LoopRef, LoopTree};
use ir::{Block, Function, Inst, Opcode, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::passes::loop_vectorize::is_plain;
use ir::analysis::nest_chain;
use ir::effects::is_pure;

/// Instructions of a nest, jumps and phis aside.
const MAX_INSTS: usize = 120;

/// Blocks of a nest.
const MAX_BLOCKS: usize = 12;

/// What a value is computed of: a set of these.
pub type Depends = u8;
/// Counters of the outer loop.
pub const OUTER: Depends = 1;
/// Counters of the inner loop.
pub const INNER: Depends = 2;
/// Memory, or what the inner loop carries.
pub const MEMORY: Depends = 4;

/// One of the two loops.
pub struct Level {
    /// Where it starts.
    pub header: Block,
    /// Its test.
    pub counted: CountedLoop,
    /// Its counters.
    pub counters: Vec<Counter>,
    /// How often it runs, at least once, if that is a constant.
    pub trips: Option<i64>,
}

/// More iterations than a loop can have that touches something else in each.
const MANY_ROUNDS: i64 = 1 << 48;

impl Level {
    /// It does not run more often.
    pub fn most_rounds(&self) -> i64 {
        self.trips.unwrap_or(MANY_ROUNDS)
    }
}

/// A value that the inner loop carries, and the place in memory that keeps it after the loop.
pub struct Carried {
    /// The phi.
    pub phi: Inst,
    /// What it is in the first iteration.
    pub start: Value,
    /// What it is in the next iteration, and after the loop.
    pub next: Value,
    /// A store after the inner loop, at an address of the outer counters alone: memory that can
    /// hold the value while the loop runs.
    pub home: Inst,
    /// The load of the same place, before the inner loop, that the start is.
    pub loaded: Option<Inst>,
}

/// Two loops.
pub struct Nest {
    /// The outer loop.
    pub outer: Level,
    /// The inner loop.
    pub inner: Level,
    /// The outer loop in the tree.
    pub l: Loop,
    /// All blocks, from the outer header to the outer latch.
    pub blocks: Vec<Block>,
    /// Instructions before the inner loop.
    pub before: Vec<Inst>,
    /// Those in it.
    pub inside: Vec<Inst>,
    /// Those after it.
    pub behind: Vec<Inst>,
    /// What the inner loop carries.
    pub carried: Vec<Carried>,
    depends: FxHashMap<Value, Depends>,
    inner_phis: Vec<Inst>,
}

impl Nest {
    /// The nest of the loop, if it is one. What the inner loop carries has its homes, if it has
    /// any.
    pub fn of(func: &Function, cfg: &Cfg, l: LoopRef<'_>, blocks: &[Block]) -> Option<Nest> {
        if blocks.len() > MAX_BLOCKS || blocks.iter().any(|b| func.labels.contains(b)) {
            return None;
        }
        let inner_loop = l.tree.at(l.only_inner(blocks)??);
        let (_, inner_latch) = entry_and_latch(func, cfg, inner_loop)?;
        let inner_header = inner_loop.header();
        let counted = counted_loop(func, cfg, l)?;
        let header = l.header();
        let ends = (inner_header, inner_latch);
        let chain = nest_chain(func, l, header, ends, counted.latch, blocks.len())?;
        if chain.len() != blocks.len() || header == inner_header {
            return None;
        }
        let outer = level(func, cfg, l, header, counted)?;
        let inner = level(func, cfg, l, inner_header, counted_loop(func, cfg, inner_loop)?)?;
        let carries = |phi: &Inst| inner.counters.iter().all(|c| c.phi != *phi);
        let carried: Vec<Inst> = func.phis(inner_header).filter(carries).collect();
        if outer.counters.len() != func.phis(header).count() {
            return None;
        }
        let [before, inside, behind] = parts(func, &chain, inner_header, inner_latch)?;
        let inner_phis = inner.counters.iter().map(|c| c.phi).collect();
        let depends = FxHashMap::default();
        let mut nest = Nest {
            outer,
            inner,
            l: l.id,
            blocks: chain,
            before,
            inside,
            behind,
            carried: Vec::new(),
            depends,
            inner_phis,
        };
        nest.find_dependences(func, &carried);
        nest.stays_inside(func, inner_loop, &carried).then_some(())?;
        nest.carried = carried.iter().map(|&phi| nest.home(func, l.tree, phi)).collect::<Option<_>>()?;
        let homes: FxHashSet<Inst> = nest.carried.iter().map(|c| c.home).collect();
        (homes.len() == nest.carried.len()).then_some(nest)
    }

    /// What the value is computed of.
    pub fn depends(&self, value: Value) -> Depends {
        self.depends.get(&value).copied().unwrap_or(0)
    }

    /// Whether the instruction gives a result of the counters in `allowed` and of nothing else that
    /// changes.
    pub fn is_computed_of(&self, func: &Function, inst: Inst, allowed: Depends) -> bool {
        func.result(inst).is_some_and(|v| self.depends(v) & !allowed == 0) && is_pure(func, inst)
    }

    /// An address as a sum over the iterations of both loops: as one of the outer loop, and what a
    /// iteration of the inner one adds.
    pub fn address(&self, func: &Function, loops: &LoopTree, address: Value) -> Option<(Linear, i64)> {
        let Level { counted, counters, .. } = &self.outer;
        let mut sum =
            LoopSums { l: loops.at(self.l), counters, counted, uniform: &self.inner_phis }.of(func, address)?;
        let mut stride = 0i64;
        for c in &self.inner.counters {
            let term = Term::Value(func.first_result(c.phi));
            let Some(at) = sum.terms.iter().position(|t| t.0 == term) else { continue };
            let factor = sum.terms[at].1;
            stride = stride.checked_add(factor.checked_mul(c.step)?)?;
            if let Some(start) = func.const_i64(c.start) {
                sum.constant = sum.constant.wrapping_add(start.wrapping_mul(factor));
                sum.terms.remove(at);
            }
        }
        Some((sum, stride))
    }

    fn find_dependences(&mut self, func: &Function, carried: &[Inst]) {
        let of = |level: &Level, what: Depends| -> Vec<(Value, Depends)> {
            level.counters.iter().map(|c| (func.first_result(c.phi), what)).collect()
        };
        self.depends.extend(of(&self.outer, OUTER));
        self.depends.extend(of(&self.inner, INNER));
        self.depends.extend(carried.iter().map(|&phi| (func.first_result(phi), OUTER | INNER | MEMORY)));
        // Whatever it is computed of: it is in its home after the inner loop.
        let last = self.last_values(func, carried);
        for &inst in self.before.iter().chain(&self.inside).chain(&self.behind) {
            let Some(value) = func.result(inst) else { continue };
            let of_operands = func.operands(inst).fold(0, |set, v| set | self.depends(v));
            let is_kept = func.insts[inst].opcode == Opcode::Load || last.contains(&value);
            self.depends.insert(value, if is_kept { of_operands | MEMORY } else { of_operands });
        }
    }

    /// What the inner loop carries, after it.
    fn last_values(&self, func: &Function, carried: &[Inst]) -> FxHashSet<Value> {
        let latch = self.inner.counted.latch;
        carried.iter().filter_map(|&phi| func.phi_value(phi, latch)).collect()
    }

    /// Whether nothing after the nest uses a value of it, and nothing after the inner loop one of
    /// that but what it carries.
    fn stays_inside(&self, func: &Function, inner: LoopRef<'_>, carried: &[Inst]) -> bool {
        let last = self.last_values(func, carried);
        self.depends.keys().all(|&value| {
            let is_inside = func.def_inst(value).is_some_and(|inst| inner.holds(func, inst)) && !last.contains(&value);
            let scope = if is_inside { inner } else { inner.tree.at(self.l) };
            func.uses(value).all(|(user, _)| scope.holds(func, user))
        })
    }

    /// What the inner loop carries with this phi, if there is a place for it in memory.
    fn home(&self, func: &Function, loops: &LoopTree, phi: Inst) -> Option<Carried> {
        let latch = self.inner.counted.latch;
        let next = func.phi_value(phi, latch)?;
        let start = func.phi_entries(phi).find(|e| e.1 != latch)?.0;
        let computed = func.def_inst(next).filter(|i| self.inside.contains(i))?;
        debug_assert_ne!(func.insts[computed].opcode, Opcode::Phi);
        let fits = |&&store: &&Inst| {
            func.insts[store].opcode == Opcode::Store
                && func.value_type(func.operand(store, 1)) == func.insts[phi].ty
                && self.depends(func.operand(store, 0)) == OUTER
        };
        let stores_it = |store: &&Inst| fits(store) && func.operand(**store, 1) == next;
        let home = *self.behind.iter().find(stores_it).or_else(|| self.behind.iter().find(fits))?;
        let loaded = func.def_inst(start).filter(|load| {
            let (place, address) = (func.operand(home, 0), func.operand(*load, 0));
            func.insts[*load].opcode == Opcode::Load && self.before.contains(load) && func.has_one_use(start) && {
                let same = |(a, b): (&(Linear, i64), &(Linear, i64))| a == b;
                let (a, b) = (self.address(func, loops, place), self.address(func, loops, address));
                place == address || a.as_ref().zip(b.as_ref()).is_some_and(same)
            }
        });
        Some(Carried { phi, start, next, home, loaded })
    }
}

/// A loop whose trip count does not change in the nest, and its counters that start with something
/// that does not.
fn level(func: &Function, cfg: &Cfg, nest: LoopRef<'_>, header: Block, counted: CountedLoop) -> Option<Level> {
    let trips = match trip_count(func, cfg, &counted)?.known() {
        Some(trips) => Some(i64::try_from(trips).ok().filter(|&t| t < MANY_ROUNDS)?),
        None => None,
    };
    let counters: Vec<Counter> = func
        .phis(header)
        .filter_map(|phi| counter(func, phi, counted.preheader, counted.latch))
        .filter(|c| is_invariant(func, nest, c.start))
        .collect();
    let is_fixed = is_invariant(func, nest, counted.bound);
    (is_fixed && counters.iter().any(|c| c.phi == counted.counter.phi)).then_some(())?;
    Some(Level { header, counted, counters, trips })
}

/// The instructions before the inner loop, in it and after it.
fn parts(func: &Function, chain: &[Block], inner_header: Block, inner_latch: Block) -> Option<[Vec<Inst>; 3]> {
    let mut parts = [Vec::new(), Vec::new(), Vec::new()];
    let (mut part, mut count) = (0, 0);
    for (index, &block) in chain.iter().enumerate() {
        if block == inner_header {
            part = 1;
        }
        for inst in func.block_insts(block).filter(|&i| !func.insts[i].opcode.is_terminator()) {
            let is_phi = func.insts[inst].opcode == Opcode::Phi;
            let is_header = index == 0 || block == inner_header;
            count += 1;
            if !is_plain(func, inst) || count > MAX_INSTS || (is_phi && !is_header) {
                return None;
            }
            if !is_phi {
                parts[part].push(inst);
            }
        }
        if block == inner_latch {
            part = 2;
        }
    }
    Some(parts)
}
