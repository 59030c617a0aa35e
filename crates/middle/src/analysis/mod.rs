//! The cache of a function's analyses. A pass asks for what it needs; the runner drops what a pass has made stale.

pub mod affine;
pub mod alias;
pub mod implied;
pub mod induction;
pub mod interval;
pub mod known_bits;
pub mod linear;
pub mod object_size;
pub mod phi_translation;
pub mod ranges;
pub mod trip_count;

use std::rc::Rc;

use ir::Function;
use ir::analysis::{Cfg, DominatorTree, LoopTree};

use crate::changed::Changed;

/// Analyses computed on demand.
#[derive(Default)]
pub struct Analyses {
    cfg: Option<Rc<Cfg>>,
    dominators: Option<Rc<DominatorTree>>,
    loops: Option<Rc<LoopTree>>,
}

impl Analyses {
    /// The control-flow graph.
    pub fn cfg(&mut self, func: &Function) -> Rc<Cfg> {
        self.cfg.get_or_insert_with(|| Rc::new(Cfg::compute(func))).clone()
    }

    /// The dominator tree.
    pub fn dominators(&mut self, func: &Function) -> Rc<DominatorTree> {
        let cfg = self.cfg(func);
        self.dominators.get_or_insert_with(|| Rc::new(DominatorTree::compute(func, &cfg))).clone()
    }

    /// The loops.
    pub fn loops(&mut self, func: &Function) -> Rc<LoopTree> {
        let cfg = self.cfg(func);
        let dominators = self.dominators(func);
        self.loops.get_or_insert_with(|| Rc::new(LoopTree::compute(func, &cfg, &dominators))).clone()
    }

    /// Whether what is held is true of the function. As slow as computing the graph.
    pub fn are_current(&self, func: &Function) -> bool {
        self.cfg.as_ref().is_none_or(|cfg| **cfg == Cfg::compute(func))
    }

    /// Drops what `changed` makes stale.
    pub fn invalidate(&mut self, changed: Changed) {
        if changed == Changed::ControlFlow {
            *self = Analyses::default();
        }
    }
}
