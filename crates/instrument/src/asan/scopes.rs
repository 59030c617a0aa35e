//! Where the scopes of variables may have ended: forward data flow of lifetime markers.

use cranelift_entity::SecondaryMap;
use ir::analysis::Cfg;
use ir::{Block, Function, Inst, Opcode, Value};
use rustc_hash::FxHashMap;

/// A set of variables by number.
pub type Set = Vec<u64>;

/// The variables whose scope may have ended at the start of each block.
#[derive(Default)]
pub struct Scopes {
    numbers: FxHashMap<Value, usize>,
    at_start: SecondaryMap<Block, Set>,
}

impl Scopes {
    /// Looks at a function.
    pub fn compute(func: &Function, cfg: &Cfg) -> Scopes {
        let mut out = Scopes::default();
        for end in func.insts_with(|op| op == Opcode::LifetimeEnd) {
            let next = out.numbers.len();
            out.numbers.entry(func.operand(end, 0)).or_insert(next);
        }
        let mut changed = !out.numbers.is_empty();
        while changed {
            changed = false;
            for block in cfg.reverse_postorder() {
                let mut dead = out.at(block);
                func.block_insts(block).for_each(|inst| out.step(func, inst, &mut dead));
                for &next in cfg.succs(block) {
                    changed |= out.join(next, &dead);
                }
            }
        }
        out
    }

    /// Those at the start of a block.
    pub fn at(&self, block: Block) -> Set {
        let known = self.at_start[block].clone();
        if known.is_empty() { vec![0; self.numbers.len().div_ceil(64)] } else { known }
    }

    /// What an instruction does to the set.
    pub fn step(&self, func: &Function, inst: Inst, dead: &mut Set) {
        let opcode = func.insts[inst].opcode;
        if !matches!(opcode, Opcode::LifetimeStart | Opcode::LifetimeEnd) {
            return;
        }
        let Some(&number) = self.numbers.get(&func.operand(inst, 0)) else { return };
        match opcode {
            Opcode::LifetimeStart => dead[number / 64] &= !(1 << (number % 64)),
            _ => dead[number / 64] |= 1 << (number % 64),
        }
    }

    /// Whether the set has the variable at this address.
    pub fn has(&self, dead: &Set, variable: Value) -> bool {
        self.numbers.get(&variable).is_some_and(|&number| dead[number / 64] >> (number % 64) & 1 == 1)
    }

    /// Adds the set to a block's; whether that had less.
    fn join(&mut self, block: Block, dead: &Set) -> bool {
        let known = &mut self.at_start[block];
        known.resize(dead.len(), 0);
        let mut changed = false;
        for (word, &more) in known.iter_mut().zip(dead) {
            changed |= *word | more != *word;
            *word |= more;
        }
        changed
    }
}
