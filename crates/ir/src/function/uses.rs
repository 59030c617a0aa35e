//! Def-use chains.

use cranelift_entity::EntityRef;

use super::{Function, TAG_CONST};
use crate::instructions::Format;
use crate::{Inst, Value};

/// A slot that holds a value operand: bit 31 set = value-pool index, clear = instruction * 3 +
/// field.
pub(super) type Slot = u32;
pub(super) const POOL_SLOT: u32 = 1 << 31;
const NO_SLOT: u32 = u32::MAX;

#[derive(Copy, Clone, Debug)]
struct UseNode {
    prev: Slot,
    next: Slot,
}

impl Default for UseNode {
    fn default() -> UseNode {
        UseNode { prev: NO_SLOT, next: NO_SLOT }
    }
}

/// The chains of all values.
#[derive(Clone, Default, Debug)]
pub(super) struct UseLists {
    pub(super) valid: bool,
    /// First slot of each value's chain, plus one (0: none).
    heads: Vec<u32>,
    inline: Vec<UseNode>,
    pool: Vec<UseNode>,
    pool_owner: Vec<u32>,
}

impl Function {
    /// Builds the def-use chains; from here on every method keeps them true.
    pub fn build_uses(&mut self) {
        self.uses = UseLists { valid: true, ..UseLists::default() };
        let mut block = self.first_block.expand();
        while let Some(b) = block {
            let mut inst = self.first_inst(b);
            while let Some(i) = inst {
                self.link_operands(i);
                inst = self.next_inst(i);
            }
            block = self.next_block(b);
        }
    }

    /// Whether the chains exist.
    pub fn has_use_lists(&self) -> bool {
        self.uses.valid
    }

    /// The uses of a value as (instruction, operand index). Constants have none.
    pub fn uses(&self, value: Value) -> impl Iterator<Item = (Inst, usize)> + '_ {
        debug_assert!(self.uses.valid);
        let first = self.use_head(value);
        std::iter::successors((first != NO_SLOT).then_some(first), |&slot| {
            let next = self.use_node(slot).next;
            (next != NO_SLOT).then_some(next)
        })
        .map(|slot| self.slot_use(slot))
    }

    /// Whether any instruction uses the value (constants: never known, false).
    pub fn has_uses(&self, value: Value) -> bool {
        self.use_head(value) != NO_SLOT
    }

    /// Whether exactly one operand uses the value.
    pub fn has_one_use(&self, value: Value) -> bool {
        let first = self.use_head(value);
        first != NO_SLOT && self.use_node(first).next == NO_SLOT
    }

    /// Replaces every use of `old` (not a constant) by `new`.
    pub fn replace_all_uses(&mut self, old: Value, new: Value) {
        debug_assert!(self.uses.valid && old != new && self.constant(old).is_none());
        if self.debug.is_some() {
            self.forward_debug_values(old, new);
        }
        loop {
            let slot = self.use_head(old);
            if slot == NO_SLOT {
                return;
            }
            let (inst, _) = self.slot_use(slot);
            self.unlink_use(slot);
            self.write_slot(slot, new);
            self.link_use(slot, new, inst);
        }
    }

    pub(super) fn slot(&self, inst: Inst, index: usize) -> Slot {
        let data = &self.insts[inst];
        if data.opcode.format() == Format::List {
            POOL_SLOT | (data.a + index as u32)
        } else {
            inst.as_u32() * 3 + index as u32
        }
    }

    fn slot_use(&self, slot: Slot) -> (Inst, usize) {
        if slot & POOL_SLOT != 0 {
            let at = slot & !POOL_SLOT;
            let inst = Inst::from_u32(self.uses.pool_owner[at as usize]);
            (inst, (at - self.insts[inst].a) as usize)
        } else {
            (Inst::from_u32(slot / 3), (slot % 3) as usize)
        }
    }

    fn read_slot(&self, slot: Slot) -> Value {
        if slot & POOL_SLOT != 0 {
            return self.value_pool[(slot & !POOL_SLOT) as usize];
        }
        let data = &self.insts[Inst::from_u32(slot / 3)];
        Value::from_u32([data.a, data.b, data.c][(slot % 3) as usize])
    }

    pub(super) fn write_slot(&mut self, slot: Slot, value: Value) {
        if slot & POOL_SLOT != 0 {
            self.value_pool[(slot & !POOL_SLOT) as usize] = value;
            return;
        }
        let data = &mut self.insts.0[Inst::from_u32(slot / 3)];
        match slot % 3 {
            0 => data.a = value.as_u32(),
            1 => data.b = value.as_u32(),
            _ => data.c = value.as_u32(),
        }
    }

    fn use_head(&self, value: Value) -> Slot {
        self.uses.heads.get(value.index()).map_or(NO_SLOT, |&h| h.wrapping_sub(1))
    }

    fn use_node(&self, slot: Slot) -> UseNode {
        if slot & POOL_SLOT != 0 {
            self.uses.pool[(slot & !POOL_SLOT) as usize]
        } else {
            self.uses.inline[slot as usize]
        }
    }

    fn use_node_mut(&mut self, slot: Slot) -> &mut UseNode {
        let (table, at) = if slot & POOL_SLOT != 0 {
            (&mut self.uses.pool, (slot & !POOL_SLOT) as usize)
        } else {
            (&mut self.uses.inline, slot as usize)
        };
        if at >= table.len() {
            table.resize(at + 1, UseNode::default());
        }
        &mut table[at]
    }

    pub(super) fn link_use(&mut self, slot: Slot, value: Value, inst: Inst) {
        if self.values[value].tag == TAG_CONST {
            return;
        }
        if slot & POOL_SLOT != 0 {
            let at = (slot & !POOL_SLOT) as usize;
            if at >= self.uses.pool_owner.len() {
                self.uses.pool_owner.resize(at + 1, u32::MAX);
            }
            self.uses.pool_owner[at] = inst.as_u32();
        }
        if value.index() >= self.uses.heads.len() {
            self.uses.heads.resize(self.values.len(), 0);
        }
        let head = self.use_head(value);
        *self.use_node_mut(slot) = UseNode { prev: NO_SLOT, next: head };
        if head != NO_SLOT {
            self.use_node_mut(head).prev = slot;
        }
        self.uses.heads[value.index()] = slot.wrapping_add(1);
    }

    pub(super) fn unlink_use(&mut self, slot: Slot) {
        let value = self.read_slot(slot);
        if self.values[value].tag == TAG_CONST {
            return;
        }
        let node = self.use_node(slot);
        if node.prev == NO_SLOT {
            self.uses.heads[value.index()] = node.next.wrapping_add(1);
        } else {
            self.use_node_mut(node.prev).next = node.next;
        }
        if node.next != NO_SLOT {
            self.use_node_mut(node.next).prev = node.prev;
        }
    }

    pub(super) fn link_operands(&mut self, inst: Inst) {
        for index in 0..self.num_operands(inst) {
            let slot = self.slot(inst, index);
            let value = self.read_slot(slot);
            self.link_use(slot, value, inst);
        }
    }

    pub(super) fn unlink_operands(&mut self, inst: Inst) {
        for index in 0..self.num_operands(inst) {
            let slot = self.slot(inst, index);
            self.unlink_use(slot);
        }
    }
}
