//! What is known at the start of a block: what all predecessors know, and what all but one do.

use cranelift_entity::SecondaryMap;
use ir::analysis::{Cfg, Loop, LoopTree};
use ir::{Block, Opcode};
use smallvec::SmallVec;

use super::translation::ways_in;
use super::writes::LoopWrites;
use super::{Fact, Known, MAX_PREDS, Partial, Walk, lookup};
use crate::analysis::alias::Located;

impl Walk<'_, '_> {
    /// Sets `facts` and `partial` to what is known at the start of a block.
    pub(super) fn enter(&mut self, cfg: &Cfg, loops: &LoopTree, writes: &SecondaryMap<Loop, LoopWrites>, block: Block) {
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
}
