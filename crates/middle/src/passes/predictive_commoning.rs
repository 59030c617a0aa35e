//! Predictive commoning: what one iteration of a loop loads or stores where the next iteration
//! loads stays in a register.
//!
//! Addresses in an innermost loop are written as sums ([`crate::analysis::linear`]). If a load's
//! address, one iteration later, is the address of another access of this iteration (the *source*),
//! and that runs in every iteration, the load becomes a phi in the header: of a load before the
//! loop, and of the source's value along the back edge. Chains of such loads carry several
//! distances: of `a[i-1]`, `a[i]` and `a[i+1]` one load per iteration stays. A store as the source
//! makes a recurrence through memory (`a[i] = a[i-1] + ...`) one through a register. So does one at
//! an address that stays the same (`sum[j] += a[i] * b[i]`), where loads that may read the place,
//! as those of `a` here, keep `licm` from taking the store out of the loop. (O'Brien, "Predictive
//! Commoning", 1990; Callahan, Carr and Kennedy, "Improving Register Allocation for Subscripted
//! Variables", 1990.)
//!
//! **Safety.** No other write of the loop may touch the place between the source and the load one
//! iteration later: writes with the same terms are compared by distance, those that come after the
//! load and before the source are out of the way, all others ask the alias analysis, with unknown
//! extent. The load in front of the loop is one that the first iteration runs whenever the loop is
//! entered.
//!
//! **Cost.** At most [`limits::COMPARED`] accesses are looked at per loop, in pairs;
//! [`MAX_INTEGERS`] and [`MAX_FLOATS`] bound the registers taken.
//!
//! ```text
//!                                       b0: v9 = load a[0]
//! b1: v1 = phi [1, b0], [v4, b1]        b1: v1 = phi ...; v2 = phi [v9, b0], [v3, b1]
//!     v2 = load a[v1 - 1]         =>        v3 = load a[v1]
//!     v3 = load a[v1]                       store b[v1], v2 + v3
//!     store b[v1], v2 + v3
//! ```

use cranelift_entity::SecondaryMap;
use ir::analysis::sums::first_round::first_round;
use ir::analysis::sums::induction::{Counter, counter, is_invariant, preheader_and_latch};
use ir::analysis::sums::{Linear, linear};
use ir::analysis::{Cfg, DominatorTree, Loop, LoopRef};
use ir::{Block, Builder, Function, Inst, Module, Opcode, Position, Type, Value, flags};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::alias::{AliasAnalysis, Base, Located, locate};
use ir::analysis::always_executed;
use ir::analysis::memory::{limits, writes_of};
use ir::effects::{Touched, access_of};

/// The pass.
pub const PASS: Pass = Pass::new("predictive_commoning", run);

/// Values in general registers that one loop carries.
const MAX_INTEGERS: usize = 4;

/// Values in vector registers that one loop carries.
const MAX_FLOATS: usize = 8;

/// Bytes of a vector that is one register.
const REGISTER: u32 = 16;

/// Instructions that compute one address before the loop.
const MAX_ADDRESS: usize = 16;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let loops = cx.analyses.loops(func);
    if loops.is_empty() || func.calls_setjmp || loops.has_irreducible() {
        return Changed::Nothing;
    }
    let cfg = cx.analyses.cfg(func);
    let dominators = cx.analyses.dominators(func);
    let blocks = loops.blocks(&cfg);
    let mut has_inner: SecondaryMap<Loop, bool> = SecondaryMap::new();
    loops.loops().filter_map(|l| loops.parent(l)).for_each(|parent| has_inner[parent] = true);
    let mut alias = None;
    let mut carried = 0;
    for l in loops.loops().filter(|&l| !has_inner[l]) {
        let Some(found) = Candidate::of(func, cx, &cfg, loops.at(l), &blocks[l], false) else { continue };
        let alias = &*alias.get_or_insert_with(|| cx.analyses.alias(func, cx.module, cx.options));
        let count = found.carry(func, cx.module, (&cfg, &dominators, alias), loops.at(l), &blocks[l]);
        if count > 0 {
            cx.remark(PASS.name, cx.place(func, loops.at(l)), || format!("{count} loads carried over iterations"));
        }
        carried += count;
    }
    cx.statistics.add("loads carried over iterations", carried);
    Changed::code_if(carried > 0)
}

/// A loop that may load what the iteration before has loaded or stored.
pub struct Candidate {
    accesses: Accesses,
    preheader: Block,
    latch: Block,
    /// Whether only what is stored, at places that change, is carried.
    stored: bool,
}

impl Candidate {
    /// The loop, if it has two accesses that are an iteration apart; the first of them a store, if
    /// only what is `stored` shall be carried.
    pub fn of(
        func: &Function,
        cx: &PassContext<'_>,
        cfg: &Cfg,
        l: LoopRef<'_>,
        blocks: &[Block],
        stored: bool,
    ) -> Option<Candidate> {
        let (preheader, latch) = preheader_and_latch(func, cfg, l)?;
        let accesses = Accesses::collect(func, cx, cfg, l, blocks, (preheader, latch))?;
        accesses.may_have_pairs(stored).then_some(Candidate { accesses, preheader, latch, stored })
    }

    /// Makes phis of such loads; how many.
    pub fn carry(
        &self,
        func: &mut Function,
        module: &Module,
        (cfg, dominators, alias): (&Cfg, &DominatorTree, &AliasAnalysis),
        l: LoopRef<'_>,
        blocks: &[Block],
    ) -> u64 {
        let (accesses, preheader, latch) = (&self.accesses, self.preheader, self.latch);
        let always = always_executed(func, module, cfg, dominators, l, blocks);
        let each_round = blocks.iter().copied().filter(|&b| dominators.dominates(b, latch)).collect();
        let place = Place { module, alias, l, preheader, latch, always, each_round };
        let mut found = accesses.carriers(func, &place);
        found.retain(|carrier| !self.stored || accesses.entries[carrier.source].regular.as_ref().is_some_and(moves));
        let phis: Vec<_> = found.iter().map(|carrier| place.make_phi(func, accesses, carrier)).collect();
        let mut carried = 0;
        for (carrier, phi) in found.iter().zip(phis) {
            let Some(phi) = phi else { continue };
            carried += 1;
            // Phis made from these loads follow.
            for load in carrier.loads.iter().map(|&i| accesses.entries[i].inst) {
                func.replace_result(load, phi);
            }
        }
        carried
    }
}

/// Whether each iteration stores elsewhere.
fn moves(source: &Regular) -> bool {
    source.is_store && source.stride != 0
}

/// One loop.
struct Place<'a> {
    module: &'a Module,
    alias: &'a AliasAnalysis,
    l: LoopRef<'a>,
    preheader: Block,
    latch: Block,
    /// Blocks that run whenever the loop is entered.
    always: FxHashSet<Block>,
    /// Blocks that run in every iteration that comes to the back edge.
    each_round: FxHashSet<Block>,
}

/// A load, a store or a block operation of the loop.
struct Entry {
    inst: Inst,
    block: Block,
    /// Position in the loop's acyclic order.
    order: (u32, u32),
    at: Located,
    /// Whether it may write there.
    writes: bool,
    /// What is known about loads and stores of single values at a regular distance from iteration
    /// to iteration.
    regular: Option<Regular>,
}

struct Regular {
    /// Number of the stream: accesses whose addresses have the same terms.
    stream: u32,
    offset: i64,
    stride: i64,
    ty: Type,
    is_store: bool,
    volatile: bool,
}

struct Accesses {
    entries: Vec<Entry>,
}

/// Loads of one place and the access of the iteration before that has their value.
struct Carrier {
    loads: Vec<usize>,
    source: usize,
}

impl Accesses {
    /// The loop's accesses, or `None` if it has too many, or something that may write anything.
    fn collect(
        func: &Function,
        cx: &PassContext<'_>,
        cfg: &Cfg,
        l: LoopRef<'_>,
        blocks: &[Block],
        (preheader, latch): (Block, Block),
    ) -> Option<Accesses> {
        let counters: Vec<Counter> =
            func.phis(l.header()).filter_map(|phi| counter(func, phi, preheader, latch)).collect();
        // Loops without one run few iterations as a rule, as those that move a cursor in memory
        // over white space.
        if counters.is_empty() {
            return None;
        }
        let mut entries: Vec<Entry> = Vec::new();
        let mut streams: Vec<Linear> = Vec::new();
        for &block in blocks {
            let number = cfg.rpo_number(block)?;
            for (index, inst) in func.block_insts(block).enumerate() {
                let (at, writes) = match writes_of(func, cx.module, inst) {
                    Touched::Nothing if func.insts[inst].opcode == Opcode::Load => {
                        (locate(func, access_of(func, inst)), false)
                    }
                    Touched::Nothing => continue,
                    Touched::Bytes(at) => (at, true),
                    Touched::Visible | Touched::Anything => return None,
                };
                if entries.len() == limits::COMPARED {
                    return None;
                }
                let at = steady(func, l, at);
                let regular = regular(func, l, &counters, inst, &mut streams);
                entries.push(Entry { inst, block, order: (number, index as u32), at, writes, regular });
            }
        }
        Some(Accesses { entries })
    }

    /// A cheap look before the analyses that cost more: whether two accesses of a stream are a
    /// iteration apart.
    fn may_have_pairs(&self, stored: bool) -> bool {
        let regular = || self.entries.iter().filter_map(|e| e.regular.as_ref());
        let fits = |load, source| is_round_behind(load, source) && (!stored || moves(source));
        regular().any(|load| !load.is_store && regular().any(|source| fits(load, source)))
    }

    fn carriers(&self, func: &Function, place: &Place<'_>) -> Vec<Carrier> {
        let mut out: Vec<Carrier> = Vec::new();
        let mut taken: FxHashSet<(u32, i64)> = FxHashSet::default();
        let (mut integers, mut floats) = (0, 0);
        for load in self.entries.iter().filter_map(|e| e.regular.as_ref()).filter(|r| !r.is_store) {
            if !taken.insert((load.stream, load.offset)) {
                continue;
            }
            let Some(source) = self.source(load, place) else { continue };
            let same = |r: &Regular| {
                !r.is_store && !r.volatile && (r.stream, r.offset, r.ty) == (load.stream, load.offset, load.ty)
            };
            let loads: Vec<usize> = (0..self.entries.len())
                .filter(|&i| self.entries[i].regular.as_ref().is_some_and(same))
                .filter(|&i| self.is_undisturbed(func, place, source, i))
                .collect();
            // The load before the loop must be one that the program runs.
            if !loads.iter().any(|&i| place.always.contains(&self.entries[i].block)) {
                continue;
            }
            let (count, limit) = if load.ty.is_float() || load.ty.is_vector() {
                (&mut floats, MAX_FLOATS)
            } else {
                (&mut integers, MAX_INTEGERS)
            };
            if *count == limit {
                continue;
            }
            *count += 1;
            out.push(Carrier { loads, source });
        }
        out
    }

    /// The last access in each iteration of what `load` reads one iteration later.
    fn source(&self, load: &Regular, place: &Place<'_>) -> Option<usize> {
        let candidate = |e: &Entry| {
            place.each_round.contains(&e.block) && e.regular.as_ref().is_some_and(|r| is_round_behind(load, r))
        };
        (0..self.entries.len()).filter(|&i| candidate(&self.entries[i])).max_by_key(|&i| self.entries[i].order)
    }

    /// Whether no write comes between the source and the load one iteration later.
    fn is_undisturbed(&self, func: &Function, at: &Place<'_>, source: usize, load: usize) -> bool {
        let (source, load) = (&self.entries[source], &self.entries[load]);
        let place = source.regular.as_ref().expect("sources are regular");
        let size = place.ty.store_size() as i64;
        let touches = |write: &Regular, rounds: i64| {
            let distance = write.offset.wrapping_add(write.stride.wrapping_mul(rounds)).wrapping_sub(place.offset);
            distance > -(write.ty.store_size() as i64) && distance < size
        };
        self.entries.iter().filter(|e| e.writes).all(|write| {
            let (behind, ahead) = (write.order > source.order, write.order < load.order);
            match &write.regular {
                Some(regular) if regular.stream == place.stream => {
                    !(behind && touches(regular, 0) || ahead && touches(regular, 1))
                }
                _ => !behind && !ahead || !at.alias.true_dependence(func, at.module, &write.at, &load.at),
            }
        })
    }
}

/// Whether `source` accesses in one iteration what `load` reads in the next. At an address that
/// stays the same only a store is a source: loads alone are invariant, which is no business of this
/// pass. Of vectors only a store is one: that saves the way through memory, where a load saved is
/// paid for by a move.
fn is_round_behind(load: &Regular, source: &Regular) -> bool {
    load.stream == source.stream
        && load.ty == source.ty
        && ((load.stride != 0 && !load.ty.is_vector()) || source.is_store)
        && !load.volatile
        && !source.volatile
        && load.offset.wrapping_add(load.stride) == source.offset
}

/// An access as something that holds in every iteration: distances from a base that changes mean
/// nothing.
fn steady(func: &Function, l: LoopRef<'_>, at: Located) -> Located {
    match at.base {
        Base::Value(base) if !is_invariant(func, l, base) => Located { offset: None, place: None, ..at },
        _ => Located { place: None, ..at },
    }
}

fn regular(
    func: &Function,
    l: LoopRef<'_>,
    counters: &[Counter],
    inst: Inst,
    streams: &mut Vec<Linear>,
) -> Option<Regular> {
    let data = func.insts[inst];
    let is_store = data.opcode == Opcode::Store;
    if !is_store && data.opcode != Opcode::Load {
        return None;
    }
    let ty = if is_store { func.value_type(func.operand(inst, 1)) } else { data.ty };
    let mut sum = linear(func, func.operand(inst, 0));
    let stride = sum.stride(func, l, counters)?;
    let offset = std::mem::take(&mut sum.constant);
    let stream = streams.iter().position(|s| *s == sum).unwrap_or_else(|| {
        streams.push(sum);
        streams.len() - 1
    });
    let volatile = data.has(flags::VOLATILE | flags::NONTEMPORAL) || (ty.is_vector() && ty.store_size() != REGISTER);
    Some(Regular { stream: stream as u32, offset, stride, ty, is_store, volatile })
}

impl Place<'_> {
    /// The phi that has the value of a carrier's loads; `None` if the first iteration's address
    /// cannot be had before the loop.
    fn make_phi(&self, func: &mut Function, accesses: &Accesses, carrier: &Carrier) -> Option<Value> {
        let mut loads = carrier.loads.iter().map(|&i| &accesses.entries[i]);
        let first = loads.find(|e| self.always.contains(&e.block)).expect("one runs whenever the loop is entered").inst;
        let address = self.address_in_front(func, func.operand(first, 0))?;
        let (ty, info) = (func.insts[first].ty, func.mem_info(first));
        let source = accesses.entries[carrier.source].inst;
        let end = func.terminator(self.preheader);
        let mut builder = Builder::before(func, end);
        builder.loc = builder.func.inst_locs[first];
        let start = builder.load(ty, address, info.align(), info.tag, 0);
        let value = match func.insts[source].opcode {
            Opcode::Store => func.operand(source, 1),
            _ => func.first_result(source),
        };
        let top = func.first_inst(self.l.header()).expect("block is complete");
        let phi = Builder::new(func, Position::Before(top)).phi(ty, &[(start, self.preheader), (value, self.latch)]);
        Some(func.first_result(phi))
    }

    /// The address of the first iteration, computed before the loop.
    fn address_in_front(&self, func: &mut Function, address: Value) -> Option<Value> {
        let phis = func.phis(self.l.header());
        let starts = phis.filter_map(|phi| Some((func.first_result(phi), func.phi_value(phi, self.preheader)?)));
        let mut known: FxHashMap<Value, Value> = starts.collect();
        let end = func.terminator(self.preheader);
        first_round(func, self.l, &mut known, address, end, MAX_ADDRESS)
    }
}
