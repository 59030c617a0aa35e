//! The loops that may be vectorised: innermost, counted, left by their latch alone, without
//! anything but arithmetic, loads and stores.

use ir::analysis::sums::induction::{CountedLoop, Counter, counted_loop, counter};
use ir::analysis::sums::trip_count::{TripCount, trip_count};
use ir::analysis::{Loop, LoopRef};
use ir::{Block, Function, Inst, Opcode, Value, flags};
use rustc_hash::FxHashMap;

use ir::effects::is_pure;

use super::Surroundings;
use super::nest::Inner;
use super::reasons::not_plain;

/// Instructions of a loop.
pub const MAX_INSTS: usize = 200;

/// Blocks of a loop.
const MAX_BLOCKS: usize = 12;

/// A loop of the right shape.
pub struct Body {
    /// The loop.
    pub l: Loop,
    /// Where it starts.
    pub header: Block,
    /// Its test, and the blocks around it.
    pub counted: CountedLoop,
    /// Its blocks: each before those it leads to, but for the edge back.
    pub blocks: Vec<Block>,
    /// Its counters.
    pub counters: Vec<Counter>,
    /// How often it runs.
    pub trips: TripCount,
    /// Its instructions in order, without jumps.
    pub insts: Vec<Inst>,
    /// Blocks that every iteration runs.
    pub always: Vec<Block>,
    /// The loop inside it, of a nest.
    pub inner: Option<Inner>,
}

impl Body {
    /// The loop as a body, if it is one.
    pub fn of(func: &Function, at: &Surroundings<'_>, l: LoopRef<'_>, blocks: &[Block]) -> Option<Body> {
        let &Surroundings { cfg, dominators, reasons, .. } = at;
        let innermost = blocks.iter().all(|&b| l.is_innermost(b));
        if !innermost || blocks.iter().any(|b| func.labels.contains(b)) {
            return None;
        }
        reasons.unless(blocks.len() <= MAX_BLOCKS, None, "too many branches")?;
        let uncounted =
            || reasons.no(None, "the number of iterations is not known before it, or control leaves it early");
        let counted = counted_loop(func, cfg, l).or_else(uncounted)?;
        let header = l.header();
        let mut blocks = blocks.to_vec();
        blocks.sort_by_key(|&b| cfg.rpo_number(b));
        let mut insts = Vec::new();
        for &block in &blocks {
            let stays = block == counted.latch || stays_inside(func, l, header, block);
            reasons.unless(stays, Some(func.terminator(block)), "control leaves it early")?;
            for inst in func.block_insts(block) {
                if func.insts[inst].opcode.is_terminator() {
                    continue;
                }
                reasons.unless(is_plain(func, inst), Some(inst), not_plain(func, inst))?;
                reasons.unless(insts.len() < MAX_INSTS, None, "too many instructions")?;
                insts.push(inst);
            }
        }
        let trips = trip_count(func, cfg, &counted)
            .or_else(|| reasons.no(None, "the number of iterations is not known before it"))?;
        let counters =
            func.phis(header).filter_map(|phi| counter(func, phi, counted.preheader, counted.latch)).collect();
        let always = blocks.iter().copied().filter(|&b| dominators.dominates(b, counted.latch)).collect();
        Some(Body { l: l.id, header, counted, blocks, counters, trips, insts, always, inner: None })
    }

    /// The counters' values in the first iteration.
    pub fn starts(&self, func: &Function) -> FxHashMap<Value, Value> {
        self.counters.iter().map(|counter| (func.first_result(counter.phi), counter.start)).collect()
    }

    /// Whether every iteration runs the instruction.
    pub fn is_unconditional(&self, func: &Function, inst: Inst) -> bool {
        func.inst_block(inst).is_some_and(|b| self.always.contains(&b))
    }
}

/// Whether the block ends in a jump or a two-way branch to blocks of the loop that are not its
/// header.
fn stays_inside(func: &Function, l: LoopRef<'_>, header: Block, block: Block) -> bool {
    let end = func.terminator(block);
    let mut inside = matches!(func.insts[end].opcode, Opcode::Br | Opcode::CondBr);
    func.for_each_target(end, |t| inside &= l.contains(t) && t != header);
    inside
}

/// Whether a vectorised loop may hold the instruction.
pub fn is_plain(func: &Function, inst: Inst) -> bool {
    let data = func.insts[inst];
    match data.opcode {
        Opcode::Load | Opcode::Store => !data.has(flags::VOLATILE | flags::NONTEMPORAL),
        Opcode::Phi => true,
        _ => is_pure(func, inst),
    }
}
