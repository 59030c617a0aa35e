//! What is known at the start of a block: what all predecessors know, and what all but one do.

use cranelift_entity::SecondaryMap;
use ir::Block;
use ir::analysis::{Cfg, Loop, LoopTree};
use smallvec::SmallVec;

use super::translation::ways_in;
use super::{Fact, Known, MAX_PREDS, Partial, Walk};
use ir::analysis::memory::{Contents, Writes};

impl Walk<'_, '_> {
    /// Sets `facts` and `partial` to what is known at the start of a block.
    pub(super) fn enter(&mut self, cfg: &Cfg, loops: &LoopTree, writes: &SecondaryMap<Loop, Writes>, block: Block) {
        self.facts.clear();
        self.partial.clear();
        self.ways_in = ways_in(cfg, loops, block);
        self.first_merge = self.merges.len();
        let at_end = std::mem::take(&mut self.at_end);
        self.meet(cfg, loops, &at_end, block);
        self.at_end = at_end;
        if let Some(l) = loops.innermost(block).filter(|&l| loops.header(l) == block) {
            let (alias, func, module) = (&self.alias, &*self.func, self.cx.module);
            self.facts.forget_where(|at| writes[l].may_change(func, module, alias, at));
        }
    }

    /// What the paths into a block know together.
    fn meet(&mut self, cfg: &Cfg, loops: &LoopTree, at_end: &SecondaryMap<Block, Contents<Known>>, block: Block) {
        let header = loops.innermost(block).filter(|&l| loops.header(l) == block);
        let outside = |&p: &Block| header.is_none_or(|l| !loops.contains(l, p));
        let preds: SmallVec<[Block; MAX_PREDS]> =
            cfg.preds(block).iter().copied().filter(outside).filter(|&p| cfg.is_reachable(p)).collect();
        match preds[..] {
            [] => {}
            [only] => self.facts.clone_from(&at_end[only]),
            // A phi of the header would have to include the back edges.
            _ if header.is_some() || preds.len() > MAX_PREDS => self.keep_equal(at_end, &preds),
            _ => self.join(at_end, &preds, block),
        }
    }

    fn keep_equal(&mut self, at_end: &SecondaryMap<Block, Contents<Known>>, preds: &[Block]) {
        for fact in at_end[preds[0]].iter() {
            let same = |p: &Block| at_end[*p].get(fact.key()).is_some_and(|f| f.value == fact.value && joins(f, fact));
            if preds[1..].iter().all(same) {
                let mut fact = *fact;
                for pred in &preds[1..] {
                    let other = at_end[*pred].get(fact.key()).expect("just found");
                    fact.at.tag = self.cx.module.alias_tags.meet(fact.at.tag, other.at.tag);
                    fact.by_types |= other.by_types;
                }
                self.facts.push(fact);
            }
        }
    }

    fn join(&mut self, at_end: &SecondaryMap<Block, Contents<Known>>, preds: &[Block], block: Block) {
        // Keys that the first does not know can still be known by all others.
        for (index, &from) in preds[..2].iter().enumerate() {
            for fact in at_end[from].iter() {
                if index == 1 && at_end[preds[0]].get(fact.key()).is_some() {
                    continue;
                }
                let mut merged = *fact;
                let mut incoming: SmallVec<[(Block, Known); 2]> = SmallVec::new();
                let mut missing: SmallVec<[Block; 2]> = SmallVec::new();
                for &pred in preds {
                    match at_end[pred].get(fact.key()) {
                        Some(other) if joins(other, &merged) => {
                            merged.at.tag = self.cx.module.alias_tags.meet(merged.at.tag, other.at.tag);
                            merged.by_types |= other.by_types;
                            incoming.push((pred, other.value));
                        }
                        _ => missing.push(pred),
                    }
                }
                match missing[..] {
                    [] => {
                        if incoming.iter().any(|i| i.1 != incoming[0].1) {
                            merged.value = self.new_merge(block, fact.ty, incoming);
                        }
                        self.facts.push(merged);
                    }
                    [missing] => {
                        self.partial.push(Partial { fact: merged, incoming, missing });
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Whether what two paths know has one class, if either needs it.
fn joins(a: &Fact, b: &Fact) -> bool {
    a.at.tag == b.at.tag || !a.by_types && !b.by_types
}
