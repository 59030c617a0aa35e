//! Redundant and partially redundant loads across blocks.
//!
//! A forward walk keeps, for each block's end, which addresses hold which values: from loads, and from stores. Where paths meet, what all of
//! them know is known: the same value, or a phi of the values, made only when a load asks for it. A loop header keeps what the whole loop
//! does not write. (`gvn` forgets everything where any path to a block writes memory.)
//!
//! **Partial redundancy.** If all predecessors but one know what a load would give, and that one only jumps to the load's block, the load moves
//! there (Knoop, Rüthing and Steffen, "Lazy Code Motion", 1992, for this one shape). The block runs the load whenever it is entered: nothing before it may
//! leave the block or write there. No path gets longer.
//!
//! Cost: blocks times [`MAX_FACTS`] (kept only until the successors have read them), plus memory instructions times [`MAX_FACTS`].
//!
//! ```text
//! b1: store p, v1; br b3                  b1: store p, v1; br b3
//! b2: br b3                        =>     b2: v3 = load p; br b3
//! b3: v2 = load p                         b3: v2 = phi [v1, b1], [v3, b2]
//! ```

use cranelift_entity::SecondaryMap;
use ir::analysis::{Cfg, Loop, LoopTree};
use ir::{AliasTags, Block, Builder, Function, Inst, MemInfo, Opcode, Position, Type, Value, flags};
use smallvec::SmallVec;

use crate::analysis::alias::{Access, AliasAnalysis, Located, locate};
use crate::effects::{is_pure, may_write_memory};
use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass { name: "load_pre", run };

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
    eliminated: u64,
    moved: u64,
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let loads = |b: Block| func.block_insts(b).filter(|&i| func.insts[i].opcode == Opcode::Load).count();
    let cfg = cx.analyses.cfg(func);
    if func.calls_setjmp || cfg.postorder().len() < 2 || cfg.postorder().iter().all(|&b| loads(b) == 0) {
        return Changed::Nothing;
    }
    let loops = cx.analyses.loops(func);
    if loops.has_irreducible() {
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
        eliminated: 0,
        moved: 0,
    };
    let mut at_end: SecondaryMap<Block, Vec<Fact>> = SecondaryMap::new();
    // Successors that have yet to read a block's facts; then they are let go of.
    let mut unread: SecondaryMap<Block, u32> = SecondaryMap::new();
    for block in cfg.reverse_postorder() {
        walk.enter(&cfg, &loops, &writes, &at_end, block);
        let place = cfg.rpo_number(block);
        for &pred in cfg.preds(block).iter().filter(|&&p| cfg.is_reachable(p) && cfg.rpo_number(p) < place) {
            unread[pred] = unread[pred].saturating_sub(1);
            if unread[pred] == 0 {
                at_end[pred] = Vec::new();
            }
        }
        walk.sweep(block);
        unread[block] = cfg.succs(block).iter().filter(|&&s| cfg.rpo_number(s) > place).count() as u32;
        if unread[block] > 0 {
            at_end[block] = std::mem::take(&mut walk.facts);
        }
    }
    let (eliminated, moved) = (walk.eliminated, walk.moved);
    cx.statistics.add("redundant loads eliminated", eliminated);
    cx.statistics.add("loads moved to one path", moved);
    Changed::code_if(eliminated + moved > 0)
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
    fn enter(
        &mut self,
        cfg: &Cfg,
        loops: &LoopTree,
        writes: &SecondaryMap<Loop, LoopWrites>,
        at_end: &SecondaryMap<Block, Vec<Fact>>,
        block: Block,
    ) {
        self.facts.clear();
        self.partial.clear();
        let header = loops.innermost(block).filter(|&l| loops.header(l) == block);
        let outside = |&p: &Block| header.is_none_or(|l| !loops.contains(l, p));
        let preds: SmallVec<[Block; MAX_PREDS]> =
            cfg.preds(block).iter().copied().filter(outside).filter(|&p| cfg.is_reachable(p)).collect();
        match preds[..] {
            [] => return,
            [only] => self.facts.extend_from_slice(&at_end[only]),
            // A phi of the header would have to include the back edges.
            _ if header.is_some() || preds.len() > MAX_PREDS => self.keep_equal(at_end, &preds),
            _ => self.join(at_end, &preds, block),
        }
        if let Some(l) = header {
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
        let mut next = self.func.first_non_phi(block);
        while let Some(inst) = next {
            next = self.func.next_inst(inst);
            let data = self.func.insts[inst];
            let volatile = data.flags & flags::VOLATILE != 0;
            match data.opcode {
                Opcode::Load if !volatile => self.load(inst, block, certain),
                Opcode::Store if !volatile => {
                    self.forget(inst);
                    let stored = self.func.operand(inst, 1);
                    self.remember(inst, self.func.value_type(stored), Known::Value(stored));
                }
                _ => {
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
            let known = self.facts[index].known;
            let value = self.materialise(known);
            self.facts[index].known = Known::Value(value);
            self.replace(inst, value);
            self.eliminated += 1;
            return;
        }
        if certain
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
            self.remember(inst, ty, Known::Value(value));
            self.replace(inst, value);
            self.moved += 1;
            return;
        }
        self.remember(inst, ty, Known::Value(self.func.first_result(inst)));
    }

    fn replace(&mut self, load: Inst, value: Value) {
        self.func.replace_all_uses(self.func.first_result(load), value);
        self.func.remove_inst(load);
    }

    fn remember(&mut self, access: Inst, ty: Type, known: Known) {
        self.clock += 1;
        let at = locate(self.func, access_of(self.func, access));
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
