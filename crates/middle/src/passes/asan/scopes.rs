//! Where the scopes of variables may have ended: forward data flow of lifetime markers.

use cranelift_entity::SecondaryMap;
use ir::analysis::Cfg;
use ir::{Block, Function, Inst, Opcode, Value};
use rustc_hash::FxHashSet;

/// The variables whose scope may have ended at the start of each block.
#[derive(Default)]
pub struct Scopes(SecondaryMap<Block, FxHashSet<Value>>);

impl Scopes {
    /// Looks at a function.
    pub fn compute(func: &Function, cfg: &Cfg) -> Scopes {
        let mut out = Scopes::default();
        if func.insts_with(|op| op == Opcode::LifetimeEnd).is_empty() {
            return out;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in cfg.reverse_postorder() {
                let mut dead = out.at(block);
                func.block_insts(block).for_each(|inst| step(func, inst, &mut dead));
                for &next in cfg.succs(block) {
                    let before = out.0[next].len();
                    out.0[next].extend(dead.iter().copied());
                    changed |= out.0[next].len() != before;
                }
            }
        }
        out
    }

    /// Those at the start of a block.
    pub fn at(&self, block: Block) -> FxHashSet<Value> {
        self.0[block].clone()
    }
}

/// What an instruction does to the set.
pub fn step(func: &Function, inst: Inst, dead: &mut FxHashSet<Value>) {
    match func.insts[inst].opcode {
        Opcode::LifetimeStart => {
            dead.remove(&func.operand(inst, 0));
        }
        Opcode::LifetimeEnd => {
            dead.insert(func.operand(inst, 0));
        }
        _ => {}
    }
}
