//! Where single values are live, for who asks of few.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Cfg;
use crate::{Block, Function, Inst, Opcode, Value};

/// Blocks that may be looked at in one function.
const MAX_WORK: usize = 1_000_000;

/// Where values are live, found from their uses when asked for.
#[derive(Default)]
pub struct Liveness {
    /// Blocks at whose start a value is live.
    live_in: FxHashMap<Value, FxHashSet<Block>>,
    work: usize,
}

impl Liveness {
    /// Whether a value is defined before an instruction and used at it or later.
    pub fn is_live(&mut self, func: &Function, cfg: &Cfg, value: Value, at: Inst) -> bool {
        if !func.has_use_lists() || self.work > MAX_WORK {
            return false;
        }
        let block = func.inst_block(at).expect("placed");
        let definition = func.def_inst(value);
        let defined_here = definition.is_some_and(|d| func.inst_block(d) == Some(block));
        if !self.live_in.contains_key(&value) {
            let blocks = self.compute(func, cfg, value);
            self.live_in.insert(value, blocks);
        }
        let live_in = &self.live_in[&value];
        if definition.is_none() && block == func.entry() {
            // A parameter.
        } else if defined_here {
            // After the definition?
            let mut before = func.prev_inst(at);
            while before.is_some() && before != definition {
                before = before.and_then(|i| func.prev_inst(i));
            }
            if before.is_none() {
                return false;
            }
        } else if !live_in.contains(&block) {
            return false;
        }
        let mut next = Some(at);
        while let Some(inst) = next {
            if func.insts[inst].opcode != Opcode::Phi && func.operands(inst).any(|v| v == value) {
                return true;
            }
            next = func.next_inst(inst);
        }
        let mut live_out = false;
        func.for_each_target(func.terminator(block), |target| {
            live_out |= live_in.contains(&target) || func.phis(target).any(|p| func.phi_value(p, block) == Some(value));
        });
        live_out
    }

    fn compute(&mut self, func: &Function, cfg: &Cfg, value: Value) -> FxHashSet<Block> {
        let mut live: FxHashSet<Block> = FxHashSet::default();
        let home = func.def_inst(value).and_then(|d| func.inst_block(d)).unwrap_or(func.entry());
        let mut work: Vec<Block> = Vec::new();
        for (user, index) in func.uses(value) {
            let block = match func.insts[user].opcode {
                Opcode::Phi => Some(func.phi_block(user, index)),
                _ => func.inst_block(user),
            };
            work.extend(block.filter(|&b| func.block_in_layout(b)));
        }
        while let Some(block) = work.pop() {
            if block == home || self.work > MAX_WORK || !live.insert(block) {
                continue;
            }
            self.work += 1;
            work.extend(cfg.preds(block));
        }
        live
    }
}
