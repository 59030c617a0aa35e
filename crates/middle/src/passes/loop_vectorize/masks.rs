//! Conditions as vectors of 0 and -1, and which lanes run which blocks of the loop.

use ir::{Block, Opcode, Type, Value};
use rustc_hash::FxHashMap;

use super::emit::Emitter;

/// Lanes for which something holds.
#[derive(Copy, Clone, Debug)]
pub struct Mask {
    /// A vector of 0 and -1.
    pub value: Value,
    /// Whether it holds where the vector has 0.
    pub negated: bool,
}

/// What is known of conditions.
#[derive(Default)]
pub struct Masks {
    /// Conditions in the width they were computed in.
    natural: FxHashMap<Value, (u32, Mask)>,
    /// The same in other widths.
    converted: FxHashMap<(Value, u32), Value>,
    /// Blocks that only some lanes run.
    blocks: FxHashMap<Block, Option<Mask>>,
}

impl Masks {
    /// The lane width that a condition was computed in.
    pub fn natural_bits(&self, condition: Value) -> Option<u32> {
        self.natural.get(&condition).map(|m| m.0)
    }

    /// Says what a condition is, in which width.
    pub fn define(&mut self, condition: Value, bits: u32, mask: Mask) {
        self.natural.insert(condition, (bits, mask));
    }
}

impl Emitter<'_> {
    /// A condition as lanes of this width, set where it holds.
    pub fn mask_of(&mut self, condition: Value, bits: u32) -> Value {
        let mask = self.mask(condition, bits);
        self.positive(mask)
    }

    /// A condition as lanes of this width.
    pub fn mask(&mut self, condition: Value, bits: u32) -> Mask {
        let lane = Type::int(bits).expect("a lane width");
        if let Some(constant) = self.func.const_bits(condition) {
            let all = if constant != 0 { u128::MAX } else { 0 };
            let lane_values = vec![all; self.vf as usize];
            return Mask { value: self.constant(lane, &lane_values), negated: false };
        }
        let (natural, mask) = self.masks.natural[&condition];
        if natural == bits {
            return mask;
        }
        let value = match self.masks.converted.get(&(condition, bits)) {
            Some(&known) => known,
            None => self.resized(mask.value, lane, true),
        };
        self.masks.converted.insert((condition, bits), value);
        Mask { value, ..mask }
    }

    /// The lanes that go from one block of the loop to the next; `None`: all that matter.
    pub fn edge_mask(&mut self, from: Block, to: Block) -> Option<Mask> {
        let outer = self.block_mask(from);
        let end = self.func.terminator(from);
        let Some((then, _)) = self.func.insts[end].two_dests() else { return outer };
        let condition = self.func.operand(end, 0);
        let bits = self.masks.natural_bits(condition).unwrap_or(32);
        let own = self.mask(condition, bits);
        let own = Mask { negated: own.negated != (then != to), ..own };
        match outer {
            None => Some(own),
            Some(outer) => Some(self.joined(Opcode::And, outer, own)),
        }
    }

    /// The lanes that run a block; `None`: all.
    pub fn block_mask(&mut self, block: Block) -> Option<Mask> {
        if block == self.body.header {
            return None;
        }
        if let Some(&known) = self.masks.blocks.get(&block) {
            return known;
        }
        let preds: Vec<Block> = self
            .body
            .blocks
            .iter()
            .copied()
            .filter(|&b| {
                let mut leads = false;
                self.func.for_each_target(self.func.terminator(b), |t| leads |= t == block);
                leads
            })
            .collect();
        let mask = if self.body.always.contains(&block) {
            None
        } else {
            let mut all: Option<Mask> = None;
            for (index, &pred) in preds.iter().enumerate() {
                let edge = self.edge_mask(pred, block);
                all = match (index, all, edge) {
                    (0, _, edge) => edge,
                    (_, Some(all), Some(edge)) => Some(self.joined(Opcode::Or, all, edge)),
                    _ => None,
                };
                if all.is_none() {
                    break;
                }
            }
            all
        };
        self.masks.blocks.insert(block, mask);
        mask
    }

    /// Two masks together, in the width of the first.
    fn joined(&mut self, opcode: Opcode, a: Mask, b: Mask) -> Mask {
        let x = self.positive(a);
        let y = self.positive(b);
        let lane = self.func.value_type(x).lane();
        let y = self.resized(y, lane, true);
        Mask { value: self.builder().binary(opcode, x, y), negated: false }
    }

    /// The lanes for which it holds, set.
    pub fn positive(&mut self, mask: Mask) -> Value {
        if !mask.negated {
            return mask.value;
        }
        let ty = self.func.value_type(mask.value);
        let ones = vec![u128::MAX; self.vf as usize];
        let ones = self.constant(ty.lane(), &ones);
        self.builder().binary(Opcode::Xor, mask.value, ones)
    }
}
