//! The cache of a function's analyses. A pass asks for what it needs; the runner drops what a pass
//! has made stale.

use std::rc::Rc;

use ir::analysis::alias::AliasAnalysis;
use ir::analysis::{Cfg, DominatorTree, LoopTree};
use ir::ssa::{Redefinitions, remove_unreachable_blocks};
use ir::{Function, Module};
use platform::options::Options;

use crate::changed::Changed;

/// Analyses computed on demand.
#[derive(Default)]
pub struct Analyses {
    cfg: Option<Rc<Cfg>>,
    dominators: Option<Rc<DominatorTree>>,
    loops: Option<Rc<LoopTree>>,
    alias: Option<Rc<AliasAnalysis>>,
    /// Whether the running pass leaves what is held true of the graph.
    is_kept: bool,
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

    /// Which accesses may touch the same byte; true until an address is used in another way.
    pub fn alias(&mut self, func: &Function, module: &Module, options: &Options) -> Rc<AliasAnalysis> {
        let strict = options.codegen.strict_aliasing;
        self.alias.get_or_insert_with(|| Rc::new(AliasAnalysis::compute(func, module, strict))).clone()
    }

    /// Whether the control-flow graph that is held, if one is, is the function's. As slow as
    /// computing it.
    pub fn is_cfg_current(&self, func: &Function) -> bool {
        self.cfg.as_ref().is_none_or(|cfg| **cfg == Cfg::compute(func))
    }

    /// Whether what is held is true of the function. As slow as computing it.
    pub fn are_current(&self, func: &Function, module: &Module, options: &Options) -> bool {
        let strict = options.codegen.strict_aliasing;
        self.is_cfg_current(func)
            && self.alias.as_ref().is_none_or(|alias| **alias == AliasAnalysis::compute(func, module, strict))
    }

    /// Removes the blocks that the entry does not reach. What is held must be true before, and is
    /// after.
    pub fn remove_unreachable_blocks(&mut self, func: &mut Function) -> bool {
        debug_assert!(self.is_cfg_current(func));
        let is_changed = remove_unreachable_blocks(func, &self.cfg(func));
        if is_changed {
            self.forget_unreachable();
        }
        is_changed
    }

    /// Gives the uses of values with several definitions the one that reaches them. What is held
    /// must be true before, and is after.
    pub fn resolve(&mut self, func: &mut Function, redefined: Redefinitions) {
        if redefined.resolve(func, &self.cfg(func), &self.dominators(func)) {
            self.forget_unreachable();
        }
    }

    /// Blocks that the entry does not reach are gone. What is known of the others stays.
    fn forget_unreachable(&mut self) {
        self.cfg.iter_mut().for_each(|cfg| Rc::make_mut(cfg).remove_unreachable());
        self.alias = None;
    }

    /// The running pass, which is about to end, has itself dropped what it made stale: the graph,
    /// dominators and loops that are held are those that it leaves.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }

    /// Drops what a pass has made stale.
    pub fn settle(&mut self, changed: Changed) {
        let kept = std::mem::take(&mut self.is_kept);
        self.invalidate(if kept { changed.min(Changed::Code) } else { changed });
    }

    /// Drops what `changed` makes stale.
    pub fn invalidate(&mut self, changed: Changed) {
        match changed {
            Changed::Nothing => {}
            Changed::Code => self.alias = None,
            Changed::ControlFlow => *self = Analyses::default(),
        }
    }
}
