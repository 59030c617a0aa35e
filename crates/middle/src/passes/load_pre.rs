//! Redundant and partially redundant loads across blocks.
//!
//! A forward walk keeps, for each block's end, which addresses hold which values: from loads, and from stores. Where paths meet, what all of
//! them know is known: the same value, or a phi of the values, made only when a load asks for it. A loop header keeps what the whole loop
//! does not write. (`gvn` looks through few blocks and writes only, and makes no phis.)
//!
//! **Partial redundancy.** If all predecessors but one know what a load would give, and that one only jumps to the load's block, the load moves
//! there (Knoop, Rüthing and Steffen, "Lazy Code Motion", 1992, for this one shape). The block runs the load whenever it is entered: nothing before it may
//! leave the block or write there. No path gets longer.
//!
//! **Phi translation.** A load at an address that depends on phis of its block reads another place on each way in: the address is translated for
//! every predecessor and compared with what that one knows ([`crate::analysis::phi_translation`]). If all know, the load is a phi of the values; if
//! all but one do, and there are at least two of them, the load moves to the edge from that one. This also runs on its own in front of the first
//! `if_convert` ([`TRANSLATE`]): values of two kinds that depend on a branch keep it a branch, where the index alone would become a conditional move and
//! every round of `if (a[j] < a[j + 1]) j++; ... a[j]` would wait for the loads of the one before.
//!
//! Cost: blocks times [`MAX_FACTS`] (kept only until the successors have read them), plus memory instructions times [`MAX_FACTS`]; translated loads
//! take the latter times their predecessors.
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

use cranelift_entity::SecondaryMap;
use ir::analysis::{Cfg, Loop, LoopTree};
use ir::{AliasTag, AliasTags, Block, Builder, Function, Inst, MemInfo, Opcode, Position, Type, Value, flags};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analysis::alias::{Access, AliasAnalysis, Located, locate};
use crate::analysis::phi_translation::{
    Address, Edge, address, compute_on_edge, is_computable_on_edge, translated_address,
};
use crate::effects::{is_pure, may_write_memory};
use crate::loop_utils::redirect;
use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass { name: "load_pre", run: run_all };

/// Only loads that take phi translation, and only functions that have some.
pub const TRANSLATE: Pass = Pass { name: PASS.name, run: run_translation };

/// Known contents per block; the oldest is forgotten first.
const MAX_FACTS: usize = 24;

/// Predecessors of a block whose contents are compared.
const MAX_PREDS: usize = 8;

/// Writes kept per loop; a loop with more writes anything.
const MAX_WRITES: usize = 32;

/// A value that an address is known to hold.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Known {
    Value(Value),
    /// What the paths into a block bring, by number in `merges`.
    Merge(u32),
}

#[derive(Copy, Clone)]
struct Fact {
    address: Value,
    ty: Type,
    at: Located,
    known: Known,
    /// Time of the last access.
    stamp: u32,
}

impl Fact {
    fn key(&self) -> (Value, u16) {
        (self.address, self.ty.bits_repr())
    }
}

struct Merge {
    block: Block,
    ty: Type,
    incoming: SmallVec<[(Block, Known); 2]>,
    value: Option<Value>,
}

/// What all predecessors but one know.
struct Partial {
    fact: Fact,
    incoming: SmallVec<[(Block, Known); 2]>,
    missing: Block,
}

/// What a loop writes.
#[derive(Clone, Default)]
struct LoopWrites {
    list: Vec<Located>,
    visible: bool,
    anything: bool,
}

struct Walk<'a, 'b> {
    func: &'a mut Function,
    cx: &'a PassContext<'b>,
    alias: AliasAnalysis,
    facts: Vec<Fact>,
    partial: Vec<Partial>,
    merges: Vec<Merge>,
    clock: u32,
    /// What is known at the ends of blocks that have been walked, for those that come after them.
    at_end: SecondaryMap<Block, Vec<Fact>>,
    /// The ways into the block, if addresses can be translated for them.
    ways_in: SmallVec<[Block; MAX_PREDS]>,
    /// Number of the block's first merge.
    first_merge: usize,
    /// Addresses of facts as sums.
    sums: FxHashMap<Value, Address>,
    /// Whether loads are left alone that take no translation.
    translate_only: bool,
    eliminated: u64,
    moved: u64,
    split: bool,
}

fn run_all(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    run(func, cx, false)
}

fn run_translation(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    run(func, cx, true)
}

fn run(func: &mut Function, cx: &mut PassContext<'_>, translate_only: bool) -> Changed {
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
    let alias = AliasAnalysis::compute(func, cx.module, cx.options.codegen.strict_aliasing);
    let writes = loop_writes(func, cx, &cfg, &loops);
    let mut walk = Walk {
        func,
        cx,
        alias,
        facts: Vec::new(),
        partial: Vec::new(),
        merges: Vec::new(),
        clock: 0,
        at_end: SecondaryMap::new(),
        ways_in: SmallVec::new(),
        first_merge: 0,
        sums: FxHashMap::default(),
        translate_only,
        eliminated: 0,
        moved: 0,
        split: false,
    };
    // Successors that have yet to read a block's facts; then they are let go of.
    let mut unread: SecondaryMap<Block, u32> = SecondaryMap::new();
    for block in cfg.reverse_postorder() {
        walk.enter(&cfg, &loops, &writes, block);
        walk.sweep(block);
        let place = cfg.rpo_number(block);
        for &pred in cfg.preds(block).iter().filter(|&&p| cfg.is_reachable(p) && cfg.rpo_number(p) < place) {
            unread[pred] = unread[pred].saturating_sub(1);
            if unread[pred] == 0 {
                walk.at_end[pred] = Vec::new();
            }
        }
        unread[block] = cfg.succs(block).iter().filter(|&&s| cfg.rpo_number(s) > place).count() as u32;
        if unread[block] > 0 {
            walk.at_end[block] = std::mem::take(&mut walk.facts);
        }
    }
    let (eliminated, moved, split) = (walk.eliminated, walk.moved, walk.split);
    cx.statistics.add("redundant loads eliminated", eliminated);
    cx.statistics.add("loads moved to one path", moved);
    if split { Changed::ControlFlow } else { Changed::code_if(eliminated + moved > 0) }
}

/// Whether a block of a loop where paths meet loads, before it writes anything, from an address that depends on the way in, and one of the blocks in
/// front accesses the same type. Elsewhere it matters little whether a branch stays one.
fn has_translatable_load(func: &Function, cx: &PassContext<'_>, cfg: &Cfg, loops: &LoopTree, block: Block) -> bool {
    let ways = ways_in(cfg, loops, block);
    let Some(&from) = ways.first().filter(|_| loops.innermost(block).is_some()) else { return false };
    let accesses = |b: Block, ty: Type| {
        func.block_insts(b).any(|i| match func.insts[i].opcode {
            Opcode::Load => func.insts[i].ty == ty,
            Opcode::Store => func.value_type(func.operand(i, 1)) == ty,
            _ => false,
        })
    };
    let edge = Edge { to: block, from };
    func.phis(block).next().is_some()
        && func
            .block_insts(block)
            .take_while(|&i| !may_write_memory(func, cx.module, i))
            .filter(|&i| func.insts[i].opcode == Opcode::Load)
            .filter(|&load| translated_address(func, func.operand(load, 0), edge).is_some())
            .any(|load| ways.iter().any(|&b| accesses(b, func.insts[load].ty)))
}

/// The predecessors of a block, if there are several and all come before it.
fn ways_in(cfg: &Cfg, loops: &LoopTree, block: Block) -> SmallVec<[Block; MAX_PREDS]> {
    let preds = cfg.preds(block);
    let is_header = loops.innermost(block).is_some_and(|l| loops.header(l) == block);
    if is_header || !(2..=MAX_PREDS).contains(&preds.len()) || !preds.iter().all(|&p| cfg.is_reachable(p)) {
        return SmallVec::new();
    }
    preds.iter().copied().collect()
}

fn loop_writes(func: &Function, cx: &PassContext<'_>, cfg: &Cfg, loops: &LoopTree) -> SecondaryMap<Loop, LoopWrites> {
    let mut out: SecondaryMap<Loop, LoopWrites> = SecondaryMap::new();
    for block in cfg.reverse_postorder() {
        let Some(innermost) = loops.innermost(block) else { continue };
        for inst in func.block_insts(block).filter(|&i| may_write_memory(func, cx.module, i)) {
            let effect = effect(func, inst);
            let mut at = Some(innermost);
            while let Some(l) = at {
                let writes = &mut out[l];
                match effect {
                    Effect::Write(_) if writes.list.len() == MAX_WRITES => writes.anything = true,
                    Effect::Write(access) => writes.list.push(access),
                    Effect::Visible => writes.visible = true,
                    Effect::Anything => writes.anything = true,
                }
                at = loops.parent(l);
            }
        }
    }
    out
}

/// What an instruction that writes memory may write.
enum Effect {
    Write(Located),
    Visible,
    Anything,
}

fn effect(func: &Function, inst: Inst) -> Effect {
    let endless = |size| Access { address: func.operand(inst, 0), size, tag: AliasTags::any() };
    match func.insts[inst].opcode {
        Opcode::Store => Effect::Write(locate(func, access_of(func, inst))),
        Opcode::MemCpy | Opcode::MemMove | Opcode::MemSet => {
            let size = func.const_i64(func.operand(inst, 2)).and_then(|n| u64::try_from(n).ok());
            Effect::Write(locate(func, endless(size)))
        }
        Opcode::LifetimeStart | Opcode::LifetimeEnd => Effect::Write(locate(func, endless(None))),
        Opcode::Call => Effect::Visible,
        _ => Effect::Anything,
    }
}

fn access_of(func: &Function, inst: Inst) -> Access {
    let ty = match func.insts[inst].opcode {
        Opcode::Store => func.value_type(func.operand(inst, 1)),
        _ => func.insts[inst].ty,
    };
    let tag = MemInfo::unpack(func.insts[inst].c).tag;
    Access { address: func.operand(inst, 0), size: Some(ty.store_size() as u64), tag }
}

impl Walk<'_, '_> {
    // ---- block borders ------------------------------------------------------------------------------------------------------

    /// Sets `facts` and `partial` to what is known at the start of a block.
    fn enter(&mut self, cfg: &Cfg, loops: &LoopTree, writes: &SecondaryMap<Loop, LoopWrites>, block: Block) {
        self.facts.clear();
        self.partial.clear();
        self.ways_in = ways_in(cfg, loops, block);
        self.first_merge = self.merges.len();
        let at_end = std::mem::take(&mut self.at_end);
        self.meet(cfg, loops, &at_end, block);
        self.at_end = at_end;
        if let Some(l) = loops.innermost(block).filter(|&l| loops.header(l) == block) {
            let writes = &writes[l];
            let (alias, func, module) = (&self.alias, &*self.func, self.cx.module);
            let may_write = |at: &Located| {
                writes.anything
                    || (writes.visible && alias.is_visible_outside(at))
                    || writes.list.iter().any(|w| alias.may_overlap(func, module, w, at))
            };
            self.facts.retain(|f| !may_write(&f.at));
        }
    }

    /// What the paths into a block know together.
    fn meet(&mut self, cfg: &Cfg, loops: &LoopTree, at_end: &SecondaryMap<Block, Vec<Fact>>, block: Block) {
        let header = loops.innermost(block).filter(|&l| loops.header(l) == block);
        let outside = |&p: &Block| header.is_none_or(|l| !loops.contains(l, p));
        let preds: SmallVec<[Block; MAX_PREDS]> =
            cfg.preds(block).iter().copied().filter(outside).filter(|&p| cfg.is_reachable(p)).collect();
        match preds[..] {
            [] => {}
            [only] => self.facts.extend_from_slice(&at_end[only]),
            // A phi of the header would have to include the back edges.
            _ if header.is_some() || preds.len() > MAX_PREDS => self.keep_equal(at_end, &preds),
            _ => self.join(at_end, &preds, block),
        }
    }

    fn keep_equal(&mut self, at_end: &SecondaryMap<Block, Vec<Fact>>, preds: &[Block]) {
        for fact in &at_end[preds[0]] {
            let same = |p: &Block| lookup(&at_end[*p], fact.key()).is_some_and(|f| f.known == fact.known);
            if preds[1..].iter().all(same) {
                let mut fact = *fact;
                for pred in &preds[1..] {
                    let other = lookup(&at_end[*pred], fact.key()).expect("just found");
                    fact.at.tag = self.cx.module.alias_tags.meet(fact.at.tag, other.at.tag);
                }
                self.facts.push(fact);
            }
        }
    }

    fn join(&mut self, at_end: &SecondaryMap<Block, Vec<Fact>>, preds: &[Block], block: Block) {
        // Keys that the first does not know can still be known by all others.
        for (index, &from) in preds[..2].iter().enumerate() {
            for fact in &at_end[from] {
                if index == 1 && lookup(&at_end[preds[0]], fact.key()).is_some() {
                    continue;
                }
                let mut merged = *fact;
                let mut incoming: SmallVec<[(Block, Known); 2]> = SmallVec::new();
                let mut missing: SmallVec<[Block; 2]> = SmallVec::new();
                for &pred in preds {
                    match lookup(&at_end[pred], fact.key()) {
                        Some(other) => {
                            merged.at.tag = self.cx.module.alias_tags.meet(merged.at.tag, other.at.tag);
                            incoming.push((pred, other.known));
                        }
                        None => missing.push(pred),
                    }
                }
                match missing[..] {
                    [] => {
                        if incoming.iter().any(|i| i.1 != incoming[0].1) {
                            merged.known = self.new_merge(block, fact.ty, incoming);
                        }
                        self.facts.push(merged);
                    }
                    [missing] if self.func.insts[self.func.terminator(missing)].opcode == Opcode::Br => {
                        self.partial.push(Partial { fact: merged, incoming, missing });
                    }
                    _ => {}
                }
            }
        }
    }

    fn new_merge(&mut self, block: Block, ty: Type, incoming: SmallVec<[(Block, Known); 2]>) -> Known {
        self.merges.push(Merge { block, ty, incoming, value: None });
        Known::Merge(self.merges.len() as u32 - 1)
    }

    // ---- within a block -------------------------------------------------------------------------------------------------------

    fn sweep(&mut self, block: Block) {
        // Whether the rest of the block certainly runs.
        let mut certain = true;
        // Whether memory is as the predecessors left it.
        let mut unwritten = true;
        let mut next = self.func.first_non_phi(block);
        while let Some(inst) = next {
            next = self.func.next_inst(inst);
            let data = self.func.insts[inst];
            let volatile = data.flags & flags::VOLATILE != 0;
            match data.opcode {
                Opcode::Load if !volatile => {
                    if !unwritten || !self.translated_load(inst, block, certain) {
                        self.load(inst, block, certain);
                    }
                }
                Opcode::Store if !volatile => {
                    unwritten = false;
                    self.forget(inst);
                    let stored = self.func.operand(inst, 1);
                    self.remember(
                        inst,
                        self.func.value_type(stored),
                        Known::Value(stored),
                        self.func.mem_info(inst).tag,
                    );
                }
                _ => {
                    unwritten &= !may_write_memory(self.func, self.cx.module, inst);
                    self.forget(inst);
                    certain &= is_pure(self.func, inst) && !volatile;
                }
            }
        }
    }

    fn load(&mut self, inst: Inst, block: Block, certain: bool) {
        let ty = self.func.insts[inst].ty;
        let key = (self.func.operand(inst, 0), ty.bits_repr());
        if let Ok(index) = self.facts.binary_search_by_key(&key, Fact::key) {
            if self.translate_only {
                return;
            }
            let known = self.facts[index].known;
            let value = self.materialise(known);
            self.facts[index].known = Known::Value(value);
            self.replace(inst, value);
            self.eliminated += 1;
            return;
        }
        if certain
            && !self.translate_only
            && let Some(index) = self.partial.iter().position(|p| p.fact.key() == key)
            && self.func.def_inst(key.0).is_none_or(|def| self.func.inst_block(def) != Some(block))
        {
            let Partial { mut incoming, missing, .. } = self.partial.swap_remove(index);
            let info = MemInfo::unpack(self.func.insts[inst].c);
            let end = self.func.terminator(missing);
            let mut b = Builder::before(self.func, end);
            let moved = b.load(ty, key.0, info.align(), info.tag, 0);
            incoming.push((missing, Known::Value(moved)));
            let known = self.new_merge(block, ty, incoming);
            let value = self.materialise(known);
            self.remember(inst, ty, Known::Value(value), info.tag);
            self.replace(inst, value);
            self.moved += 1;
            return;
        }
        self.remember(inst, ty, Known::Value(self.func.first_result(inst)), self.func.mem_info(inst).tag);
    }

    // ---- phi translation ------------------------------------------------------------------------------------------------------

    /// Replaces a load at an address that depends on phis of its block by a phi of what the predecessors know, or all but one of them.
    fn translated_load(&mut self, inst: Inst, block: Block, certain: bool) -> bool {
        let (ty, pointer) = (self.func.insts[inst].ty, self.func.operand(inst, 0));
        if lookup(&self.facts, (pointer, ty.bits_repr())).is_some() {
            return false;
        }
        let mut tag = MemInfo::unpack(self.func.insts[inst].c).tag;
        let mut incoming: SmallVec<[(Block, Known); 2]> = SmallVec::new();
        let mut missing = None;
        for from in self.ways_in.clone() {
            let Some(sum) = translated_address(self.func, pointer, Edge { to: block, from }) else { return false };
            match self.known_at_end(from, ty, &sum) {
                Some((known, other)) => {
                    tag = self.cx.module.alias_tags.meet(tag, other);
                    incoming.push((from, known));
                }
                None if missing.is_none() => missing = Some(from),
                None => return false,
            }
        }
        match missing {
            None if incoming.is_empty() => return false,
            None => self.eliminated += 1,
            Some(from) => {
                // Of two ways one that knows nothing is left alone: the address may be better as a select.
                let Some(edge) =
                    (certain && incoming.len() >= 2).then(|| self.edge_for_load(pointer, block, from)).flatten()
                else {
                    return false;
                };
                self.rename_way(block, from, edge.from, &mut incoming);
                incoming.push((edge.from, Known::Value(self.load_on_edge(inst, edge))));
                self.moved += 1;
            }
        }
        let known = self.new_merge(block, ty, incoming);
        let value = self.materialise(known);
        self.remember(inst, ty, Known::Value(value), tag);
        self.replace(inst, value);
        true
    }

    /// What the end of a block knows of the place that a sum is the address of, and the class of what is known.
    fn known_at_end(&mut self, block: Block, ty: Type, place: &Address) -> Option<(Known, AliasTag)> {
        let (func, sums) = (&*self.func, &mut self.sums);
        let mut same =
            |f: &&Fact| f.ty == ty && sums.entry(f.address).or_insert_with(|| address(func, f.address)) == place;
        self.at_end[block].iter().find(|f| same(f)).map(|f| (f.known, f.at.tag))
    }

    /// The edge that takes a load from `from`: the end of that block if it only jumps to `block`, else that of a new one between them.
    fn edge_for_load(&mut self, pointer: Value, block: Block, from: Block) -> Option<Edge> {
        if !is_computable_on_edge(self.func, pointer, block) {
            return None;
        }
        if self.func.insts[self.func.terminator(from)].opcode == Opcode::Br {
            return Some(Edge { to: block, from });
        }
        if self.cx.options.optimize_size {
            return None;
        }
        let between = redirect(self.func, block, &[from])?;
        self.split = true;
        self.at_end[between] = self.at_end[from].clone();
        Some(Edge { to: block, from: between })
    }

    /// The way into a block from `old` leads through `new` now.
    fn rename_way(&mut self, block: Block, old: Block, new: Block, incoming: &mut [(Block, Known)]) {
        let rename = |b: &mut Block| {
            if *b == old {
                *b = new;
            }
        };
        self.ways_in.iter_mut().for_each(rename);
        incoming.iter_mut().for_each(|i| rename(&mut i.0));
        self.partial.iter_mut().flat_map(|p| &mut p.incoming).for_each(|i| rename(&mut i.0));
        let merges = self.merges[self.first_merge..].iter_mut().filter(|m| m.block == block);
        merges.flat_map(|m| &mut m.incoming).for_each(|i| rename(&mut i.0));
    }

    /// Loads at the end of `edge.from` what `load` would load.
    fn load_on_edge(&mut self, load: Inst, edge: Edge) -> Value {
        let info = MemInfo::unpack(self.func.insts[load].c);
        let (ty, pointer) = (self.func.insts[load].ty, self.func.operand(load, 0));
        let pointer = compute_on_edge(self.func, pointer, edge).expect("computable");
        let end = self.func.terminator(edge.from);
        let mut b = Builder::before(self.func, end);
        b.loc = b.func.inst_locs[load];
        b.load(ty, pointer, info.align(), info.tag, 0)
    }

    // ---- facts ----------------------------------------------------------------------------------------------------------------

    fn replace(&mut self, load: Inst, value: Value) {
        self.func.replace_all_uses(self.func.first_result(load), value);
        self.func.remove_inst(load);
    }

    fn remember(&mut self, access: Inst, ty: Type, known: Known, tag: AliasTag) {
        self.clock += 1;
        let at = locate(self.func, Access { tag, ..access_of(self.func, access) });
        let fact = Fact { address: self.func.operand(access, 0), ty, at, known, stamp: self.clock };
        match self.facts.binary_search_by_key(&fact.key(), Fact::key) {
            Ok(index) => self.facts[index] = fact,
            Err(_) => {
                if self.facts.len() >= MAX_FACTS {
                    let oldest = (0..self.facts.len()).min_by_key(|&i| self.facts[i].stamp).expect("not empty");
                    self.facts.remove(oldest);
                }
                let index = self.facts.partition_point(|f| f.key() < fact.key());
                self.facts.insert(index, fact);
            }
        }
    }

    /// Drops what an instruction may overwrite.
    fn forget(&mut self, inst: Inst) {
        if !may_write_memory(self.func, self.cx.module, inst) {
            return;
        }
        let (alias, func, module) = (&self.alias, &*self.func, self.cx.module);
        let effect = effect(func, inst);
        let survives = |at: &Located| match &effect {
            Effect::Write(access) => !alias.may_overlap(func, module, access, at),
            Effect::Visible => !alias.is_visible_outside(at),
            Effect::Anything => false,
        };
        self.facts.retain(|f| survives(&f.at));
        self.partial.retain(|p| survives(&p.fact.at));
    }

    /// The value that is known; makes the phis it takes. Merges refer to earlier blocks only.
    fn materialise(&mut self, known: Known) -> Value {
        let top = match known {
            Known::Value(value) => return value,
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
                Known::Value(value) => Some(value),
                Known::Merge(inner) => self.merges[inner as usize].value,
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
        self.merges[top as usize].value.expect("made last")
    }
}

fn lookup(facts: &[Fact], key: (Value, u16)) -> Option<&Fact> {
    facts.binary_search_by_key(&key, Fact::key).ok().map(|index| &facts[index])
}
