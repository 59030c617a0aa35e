//! What pieces of code write.

use crate::analysis::{Cfg, Loop, LoopTree};
use crate::effects::Touched;
use crate::{Block, Function, Module};
use cranelift_entity::SecondaryMap;

use super::{each_write, limits};
use crate::analysis::alias::{AliasAnalysis, Located};

/// What a piece of code writes.
#[derive(Clone, Default)]
pub struct Writes {
    list: Vec<Located>,
    /// What is visible outside the function.
    visible: bool,
    anything: bool,
}

impl Writes {
    /// What some blocks write.
    pub fn of(func: &Function, module: &Module, blocks: &[Block]) -> Writes {
        let mut writes = Writes::default();
        for inst in blocks.iter().flat_map(|&b| func.block_insts(b)) {
            each_write(func, module, inst, |touched| writes.add(&touched));
            if writes.anything {
                break;
            }
        }
        writes
    }

    fn add(&mut self, touched: &Touched<Located>) {
        match *touched {
            Touched::Nothing => {}
            Touched::Bytes(_) if self.list.len() == limits::WRITES => self.anything = true,
            Touched::Bytes(place) => self.list.push(place),
            Touched::Visible => self.visible = true,
            Touched::Anything => self.anything = true,
        }
    }

    /// The places written, if they are all that is.
    pub fn places(&self) -> Option<&[Located]> {
        (!self.visible && !self.anything).then_some(&self.list)
    }

    /// Whether a read of a place may get what has been written.
    pub fn may_change(&self, func: &Function, module: &Module, alias: &AliasAnalysis, at: &Located) -> bool {
        self.anything
            || (self.visible && alias.is_visible_outside(at))
            || self.list.iter().any(|write| alias.true_dependence(func, module, write, at))
    }
}

/// What each loop writes.
pub fn loop_writes(func: &Function, module: &Module, cfg: &Cfg, loops: &LoopTree) -> SecondaryMap<Loop, Writes> {
    let mut out: SecondaryMap<Loop, Writes> = SecondaryMap::new();
    for block in cfg.reverse_postorder().filter(|&b| loops.innermost(b).is_some()) {
        for inst in func.block_insts(block) {
            each_write(func, module, inst, |touched| {
                if !matches!(touched, Touched::Nothing) {
                    let around = std::iter::successors(loops.innermost(block), |&l| loops.parent(l));
                    around.for_each(|l| out[l].add(&touched));
                }
            });
        }
    }
    out
}
