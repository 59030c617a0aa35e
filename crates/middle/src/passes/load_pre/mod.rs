//! Redundant and partially redundant loads across blocks.
//!
//! A forward walk keeps, for each block's end, which addresses hold which values: from loads, and
//! from stores. Where paths meet, what all of them know is known: the same value, or a phi of the
//! values, made only when a load asks for it. A loop header keeps what the whole loop does not
//! write. (`gvn` looks through few blocks and writes only, and makes no phis.)
//!
//! **Partial redundancy.** If all predecessors but one know what a load would give, and that one
//! only jumps to the load's block, or if those that do not know it seldom come there, the load
//! moves to their edges (Knoop, Rüthing and Steffen, "Lazy Code Motion", 1992, for these shapes).
//! The block runs the load whenever it is entered: nothing before it may leave the block or write
//! there. No path gets longer, but for a jump on edges that are seldom taken ([`RARE`]).
//!
//! **Phi translation.** A load at an address that depends on phis of its block reads another place
//! on each incoming edge: the address is translated for every predecessor and compared with what
//! that one knows ([`ir::analysis::sums::translation`]). If all know, the load is a phi of the
//! values; if all but one do, and there are at least two of them or the branch stays one, the load
//! moves to the edge from that one. A run that another follows does only that, before the first
//! `if_convert`: values of two kinds that depend on a branch keep it a branch, where the index
//! would become a conditional move alone and every iteration of `if (a[j] < a[j + 1]) j++; ...
//! a[j]` would wait for the loads of the one before.
//!
//! **Back edges.** A load in a loop's header, of what the iteration before has looked at, is that
//! value, carried in a phi; before the loop it is loaded.
//!
//! Cost: blocks times [`CONTENTS_PER_BLOCK`] (kept only until the successors have read them), plus
//! memory instructions times [`CONTENTS_PER_BLOCK`]; translated loads take the latter times their
//! predecessors.
//!
//! ```text
//! b1: store p, v1; br b3                  b1: store p, v1; br b3
//! b2: br b3                        =>     b2: v3 = load p; br b3
//! b3: v2 = load p                         b3: v2 = phi [v1, b1], [v3, b2]
//!
//! b1: v1 = load p; cond_br c, b2, b3      b1: v1 = load p; cond_br c, b2, b3
//! b2: v2 = load p + 8; br b3        =>    b2: v2 = load p + 8; br b3
//! b3: v3 = phi [p, b1], [p + 8, b2]       b3: v4 = phi [v1, b1], [v2, b2]
//!     v4 = load v3
//! ```

mod borders;
mod carried;
mod translation;

use std::rc::Rc;

use cranelift_entity::SecondaryMap;
use ir::analysis::sums::Linear;
use ir::analysis::{Cfg, Frequencies, LoopTree};
use ir::{AliasTag, AliasTags, Block, Builder, Function, Inst, Opcode, Position, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::alias::{Access, AliasAnalysis, Located, locate};
use ir::analysis::memory::limits::CONTENTS_PER_BLOCK;
use ir::analysis::memory::{Content, Contents, each_write, key_of, loop_writes};
use ir::effects::{Touched, access_of, is_pure, may_write_memory};
use translation::has_translatable_load;

/// The pass.
pub const PASS: Pass = Pass::new("load_pre", run);

/// Predecessors of a block whose contents are compared.
const MAX_PREDS: usize = 8;

/// Instructions that write, of a block, that a load whose address is translated is compared with.
const MAX_WRITES: usize = 4;

/// Predecessors that do not know what the others do.
const MAX_MISSING: usize = 3;

/// An edge that is taken in so small a part of the cases in which its target is entered is split
/// for a load that the other edges do not need.
const RARE: f32 = 0.25;

/// A value that an address is known to hold.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Known {
    Value(Value),
    /// What the paths into a block bring, by number in `merges`.
    Merge(u32),
}

type Fact = Content<Known>;

struct Merge {
    block: Block,
    ty: Type,
    incoming: SmallVec<[(Block, Known); 2]>,
    value: Option<Value>,
}

/// What all predecessors but some know.
struct Partial {
    fact: Fact,
    incoming: SmallVec<[(Block, Known); 2]>,
    missing: SmallVec<[Block; 2]>,
}

struct Walk<'a, 'b> {
    func: &'a mut Function,
    cx: &'a PassContext<'b>,
    cfg: &'a Cfg,
    loops: &'a LoopTree,
    /// Of the function as it was before edges were split, from when they are asked for.
    frequencies: Option<Frequencies>,
    alias: Rc<AliasAnalysis>,
    facts: Contents<Known>,
    partial: Vec<Partial>,
    merges: Vec<Merge>,
    /// What is known at the ends of blocks that have been walked, for those that come after them.
    at_end: SecondaryMap<Block, Contents<Known>>,
    /// The ways into the block, if addresses can be translated for them.
    ways_in: SmallVec<[Block; MAX_PREDS]>,
    /// Number of the block's first merge.
    first_merge: usize,
    /// Loads that are gone, of which what is known at the ends of blocks may still tell, with what
    /// took their places.
    replaced: FxHashMap<Value, Value>,
    /// Addresses of facts as sums.
    sums: FxHashMap<Value, Linear>,
    /// Whether loads are left alone that take no translation.
    translate_only: bool,
    eliminated: u64,
    moved: u64,
    /// Blocks on edges that were split, and where the edges come from.
    between: FxHashMap<Block, Block>,
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    // Only loads that take phi translation, and only functions that have some.
    let translate_only = cx.runs_later(&PASS);
    let loads = |b: Block| func.block_insts(b).filter(|&i| func.insts[i].opcode == Opcode::Load).count();
    let cfg = cx.analyses.cfg(func);
    if func.calls_setjmp || cfg.postorder().len() < 2 || cfg.postorder().iter().all(|&b| loads(b) == 0) {
        return Changed::Nothing;
    }
    let loops = cx.analyses.loops(func);
    if loops.has_irreducible() {
        return Changed::Nothing;
    }
    if translate_only && !cfg.postorder().iter().any(|&b| has_translatable_load(func, cx, &cfg, &loops, b)) {
        return Changed::Nothing;
    }
    let alias = cx.analyses.alias(func, cx.module, cx.options);
    let writes = loop_writes(func, cx.module, &cfg, &loops);
    let blocks = func.num_blocks();
    let mut walk = Walk {
        func,
        cx,
        cfg: &cfg,
        loops: &loops,
        frequencies: None,
        alias,
        facts: Contents::default(),
        partial: Vec::new(),
        merges: Vec::new(),
        at_end: ir::side_table(blocks),
        ways_in: SmallVec::new(),
        first_merge: 0,
        replaced: FxHashMap::default(),
        sums: FxHashMap::default(),
        translate_only,
        eliminated: 0,
        moved: 0,
        between: FxHashMap::default(),
    };
    // Successors that have yet to read a block's facts; then they are let go of.
    let mut unread: SecondaryMap<Block, u32> = ir::side_table(blocks);
    for block in cfg.reverse_postorder() {
        walk.enter(&cfg, &loops, &writes, block);
        walk.sweep(block);
        let place = cfg.rpo_number(block);
        for &pred in cfg.preds(block).iter().filter(|&&p| cfg.is_reachable(p) && cfg.rpo_number(p) < place) {
            unread[pred] = unread[pred].saturating_sub(1);
            if unread[pred] == 0 {
                walk.at_end[pred] = Contents::default();
            }
        }
        // Back edges are read when all blocks have been walked.
        let reads = cfg.succs(block).iter().filter(|&&s| cfg.rpo_number(s) > place || !translate_only);
        unread[block] = reads.count() as u32;
        if unread[block] > 0 {
            walk.at_end[block] = std::mem::take(&mut walk.facts);
        }
    }
    if !translate_only {
        walk.carry_loads(&cfg, &loops);
    }
    let (eliminated, moved, split) = (walk.eliminated, walk.moved, !walk.between.is_empty());
    cx.statistics.add("redundant loads eliminated", eliminated);
    cx.statistics.add("loads moved to one path", moved);
    if split { Changed::ControlFlow } else { Changed::code_if(eliminated + moved > 0) }
}

impl Walk<'_, '_> {
    fn sweep(&mut self, block: Block) {
        // Whether the rest of the block certainly runs.
        let mut certain = true;
        // What may have changed memory since the predecessors.
        let mut writes: SmallVec<[Inst; MAX_WRITES]> = SmallVec::new();
        let mut next = self.func.first_non_phi(block);
        while let Some(inst) = next {
            next = self.func.next_inst(inst);
            let data = self.func.insts[inst];
            let volatile = data.is_volatile();
            match data.opcode {
                Opcode::Load if !volatile => {
                    if self.is_written(&writes, inst) || !self.translated_load(inst, block, certain) {
                        self.load(inst, block, certain);
                    }
                }
                Opcode::Store if !volatile => {
                    writes.push(inst);
                    self.forget(inst);
                    let stored = self.func.operand(inst, 1);
                    let (ty, tag) = (self.func.value_type(stored), self.func.mem_info(inst).tag);
                    self.remember(inst, ty, Known::Value(stored), tag);
                }
                _ => {
                    if may_write_memory(self.func, self.cx.module, inst) {
                        writes.push(inst);
                    }
                    self.forget(inst);
                    certain &= is_pure(self.func, inst) && !volatile;
                }
            }
        }
    }

    fn load(&mut self, inst: Inst, block: Block, certain: bool) {
        let ty = self.func.insts[inst].ty;
        let (key, tag, module) = (key_of(self.func, inst), self.func.mem_info(inst).tag, self.cx.module);
        if let Some(&Fact { value: known, .. }) = self.facts.get(key).filter(|fact| fact.serves(module, tag)) {
            if self.translate_only {
                return;
            }
            let value = self.materialise(known);
            self.facts.set(key, Known::Value(value));
            self.func.replace_result(inst, value);
            self.eliminated += 1;
            return;
        }
        if certain
            && !self.translate_only
            && let Some(index) = self.partial.iter().position(|p| p.fact.key() == key && p.fact.serves(module, tag))
            && let mut incoming = self.partial[index].incoming.clone()
            && self.load_on_edges(inst, block, &self.partial[index].missing.clone(), false, &mut incoming).is_some()
        {
            self.partial.swap_remove(index);
            let known = self.new_merge(block, ty, incoming);
            let value = self.materialise(known);
            self.remember(inst, ty, Known::Value(value), tag);
            self.func.replace_result(inst, value);
            return;
        }
        self.remember(inst, ty, Known::Value(self.func.first_result(inst)), tag);
    }

    fn remember(&mut self, access: Inst, ty: Type, known: Known, tag: AliasTag) {
        let at = locate(self.func, Access { tag, ..access_of(self.func, access) });
        self.facts.remember(at, ty, known, CONTENTS_PER_BLOCK);
    }

    /// Whether one of some instructions, or of too many to ask, may overwrite what a load reads.
    fn is_written(&self, writes: &[Inst], load: Inst) -> bool {
        let (func, module) = (&*self.func, self.cx.module);
        let (place, mut found) = (locate(func, access_of(func, load)), writes.len() > MAX_WRITES);
        for &write in writes.iter().take(MAX_WRITES) {
            each_write(func, module, write, |w| found |= self.alias.changes(func, module, &w, &place));
        }
        found
    }

    /// Drops what an instruction may overwrite.
    fn forget(&mut self, inst: Inst) {
        let (alias, func, module) = (&self.alias, &*self.func, self.cx.module);
        each_write(func, module, inst, |written| {
            if !matches!(written, Touched::Nothing) {
                self.facts.forget(func, module, alias, &written);
                let untyped = |p: &Partial| Located { tag: AliasTags::any(), ..p.fact.at };
                self.partial.retain(|p| !alias.changes(func, module, &written, &untyped(p)));
            }
        });
    }

    fn new_merge(&mut self, block: Block, ty: Type, incoming: SmallVec<[(Block, Known); 2]>) -> Known {
        self.merges.push(Merge { block, ty, incoming, value: None });
        Known::Merge(self.merges.len() as u32 - 1)
    }

    /// The value that is known; makes the phis it takes. Merges refer to earlier blocks only.
    fn materialise(&mut self, known: Known) -> Value {
        let top = match known {
            Known::Value(value) => return self.current(value),
            Known::Merge(top) => top,
        };
        let mut work = vec![top];
        while let Some(&number) = work.last() {
            let merge = &self.merges[number as usize];
            if merge.value.is_some() {
                work.pop();
                continue;
            }
            let value_of = |known: Known| match known {
                Known::Value(value) => Some(self.current(value)),
                Known::Merge(inner) => self.merges[inner as usize].value.map(|value| self.current(value)),
            };
            let open = merge.incoming.iter().find_map(|&(_, k)| match k {
                Known::Merge(inner) if value_of(k).is_none() => Some(inner),
                _ => None,
            });
            if let Some(inner) = open {
                work.push(inner);
                continue;
            }
            let entries: Vec<(Value, Block)> =
                merge.incoming.iter().map(|&(b, k)| (value_of(k).expect("made before"), b)).collect();
            let (block, ty) = (merge.block, merge.ty);
            let value = if entries.iter().all(|e| e.0 == entries[0].0) {
                entries[0].0
            } else {
                let first = self.func.first_inst(block).expect("block is complete");
                let phi = Builder::new(self.func, Position::Before(first)).phi(ty, &entries);
                self.func.first_result(phi)
            };
            self.merges[number as usize].value = Some(value);
        }
        self.current(self.merges[top as usize].value.expect("made last"))
    }

    /// The value, or what has taken its place.
    fn current(&self, value: Value) -> Value {
        *self.replaced.get(&value).unwrap_or(&value)
    }
}
