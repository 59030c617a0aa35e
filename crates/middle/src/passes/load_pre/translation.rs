//! Loads at addresses that depend on phis of their block, or are computed there, looked up where
//! each incoming edge comes from.

use ir::analysis::sums::translation::{Edge, compute_on_edge, is_computable_on_edge, translated_address};
use ir::analysis::sums::{Linear, linear};
use ir::analysis::{Cfg, Frequencies, LoopTree};
use ir::{AliasTag, Block, Builder, Function, Inst, Opcode, Type, Value};
use smallvec::SmallVec;

use super::{Fact, Known, MAX_PREDS, RARE, Walk};
use crate::pass::PassContext;
use ir::analysis::memory::key_of;
use ir::effects::may_write_memory;
use ir::ssa::redirect;

/// Whether a block of a loop where paths meet loads, before it writes anything, from an address
/// that depends on the incoming edge, and one of the blocks in front accesses the same type.
/// Elsewhere it matters little whether a branch stays one.
pub(super) fn has_translatable_load(
    func: &Function,
    cx: &PassContext<'_>,
    cfg: &Cfg,
    loops: &LoopTree,
    block: Block,
) -> bool {
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
            .filter(|&load| translated_address(func, func.operand(load, 0), edge, false).is_some())
            .any(|load| ways.iter().any(|&b| accesses(b, func.insts[load].ty)))
}

/// The predecessors of a block, if there are several and all come before it.
pub(super) fn ways_in(cfg: &Cfg, loops: &LoopTree, block: Block) -> SmallVec<[Block; MAX_PREDS]> {
    let preds = cfg.preds(block);
    let is_header = loops.innermost(block).is_some_and(|l| loops.header(l) == block);
    if is_header || !(2..=MAX_PREDS).contains(&preds.len()) || !preds.iter().all(|&p| cfg.is_reachable(p)) {
        return SmallVec::new();
    }
    preds.iter().copied().collect()
}

impl Walk<'_, '_> {
    /// Replaces a load at an address that depends on phis of its block by a phi of what the
    /// predecessors know, or all but one of them.
    pub(super) fn translated_load(&mut self, inst: Inst, block: Block, certain: bool) -> bool {
        let (ty, pointer) = (self.func.insts[inst].ty, self.func.operand(inst, 0));
        if self.facts.get(key_of(self.func, inst)).is_some() {
            return false;
        }
        let mut tag = self.func.mem_info(inst).tag;
        let mut incoming: SmallVec<[(Block, Known); 2]> = SmallVec::new();
        let mut missing = None;
        for from in self.ways_in.clone() {
            // Equal addresses that several blocks compute are different values.
            let sum = translated_address(self.func, pointer, Edge { to: block, from }, !self.translate_only);
            let Some(sum) = sum else { return false };
            match self.known_at_end(from, inst, &sum) {
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
                let worth = certain && (incoming.len() >= 2 || self.branch_stays());
                if !worth || self.load_on_edges(inst, block, &[from], true, &mut incoming).is_none() {
                    return false;
                }
            }
        }
        let known = self.new_merge(block, ty, incoming);
        let value = self.materialise(known);
        self.remember(inst, ty, Known::Value(value), tag);
        self.func.replace_result(inst, value);
        true
    }

    /// Whether the branch before a block will not be turned into a select of the address, because
    /// one of its sides writes.
    fn branch_stays(&self) -> bool {
        let (func, module) = (&*self.func, self.cx.module);
        let is_side = |&&b: &&Block| func.insts[func.terminator(b)].opcode == Opcode::Br;
        self.ways_in.iter().filter(is_side).any(|&b| func.block_insts(b).any(|i| may_write_memory(func, module, i)))
    }

    /// What the end of a block knows of the place that a sum is the address of, and the class of
    /// what is known.
    pub(super) fn known_at_end(&mut self, block: Block, load: Inst, place: &Linear) -> Option<(Known, AliasTag)> {
        let (func, sums, module) = (&*self.func, &mut self.sums, self.cx.module);
        let (ty, tag) = (func.insts[load].ty, func.mem_info(load).tag);
        let mut same = |f: &&Fact| {
            f.ty == ty
                && f.serves(module, tag)
                && sums.entry(f.at.address).or_insert_with(|| linear(func, f.at.address)) == place
        };
        self.at_end[block].iter().find(|f| same(f)).map(|f| (f.value, f.at.tag))
    }

    /// Loads on the edges from some blocks into one what a load there would load: at the end of
    /// those that only jump, else in new blocks between, if the edges may be `split` or are taken
    /// seldom together.
    pub(super) fn load_on_edges(
        &mut self,
        load: Inst,
        block: Block,
        from: &[Block],
        split: bool,
        incoming: &mut SmallVec<[(Block, Known); 2]>,
    ) -> Option<()> {
        let end = |walk: &Self, block: Block| walk.func.insts[walk.func.terminator(block)].opcode;
        if !is_computable_on_edge(self.func, self.func.operand(load, 0), block) {
            return None;
        }
        if from.len() > 1 || end(self, from[0]) != Opcode::Br {
            let fixed = |&from: &Block| matches!(end(self, from), Opcode::IndirectBr | Opcode::AsmBr);
            if self.cx.options.optimize_size || from.iter().any(fixed) || !(split || self.are_rare(from, block)) {
                return None;
            }
        }
        for &old in from {
            let mut way = old;
            if end(self, old) != Opcode::Br {
                way = redirect(self.func, block, &[old])?;
                self.between.insert(way, old);
                self.at_end[way] = self.at_end[old].clone();
                self.rename_way(block, old, way, incoming);
            }
            incoming.push((way, Known::Value(self.load_on_edge(load, Edge { to: block, from: way }))));
        }
        self.moved += 1;
        Some(())
    }

    /// Whether a block is entered from some others so seldom that a load and a jump there cost less
    /// than a load that the other ways do not need.
    fn are_rare(&mut self, from: &[Block], block: Block) -> bool {
        if self.frequencies.is_none() && self.between.is_empty() {
            self.frequencies = Some(Frequencies::compute(self.func, self.cfg, self.loops));
        }
        let Some(known) = &self.frequencies else { return false };
        let old = |&b: &Block| *self.between.get(&b).unwrap_or(&b);
        let entered = |b: Block| known.of(b) * known.between(self.cfg, b, block);
        from.iter().map(|b| entered(old(b))).sum::<f32>() < RARE * known.of(block)
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
        self.partial.iter_mut().flat_map(|p| &mut p.missing).for_each(rename);
        let merges = self.merges[self.first_merge..].iter_mut().filter(|m| m.block == block);
        merges.flat_map(|m| &mut m.incoming).for_each(|i| rename(&mut i.0));
    }

    /// Loads at the end of `edge.from` what `load` would load.
    pub(super) fn load_on_edge(&mut self, load: Inst, edge: Edge) -> Value {
        let info = self.func.mem_info(load);
        let (ty, pointer) = (self.func.insts[load].ty, self.func.operand(load, 0));
        let pointer = compute_on_edge(self.func, pointer, edge).expect("computable");
        let end = self.func.terminator(edge.from);
        let mut b = Builder::before(self.func, end);
        b.loc = b.func.inst_locs[load];
        b.load(ty, pointer, info.align(), info.tag, 0)
    }
}
