//! An instruction's results, operands, phi entries and lists.

use cranelift_entity::packed_option::ReservedValue;

use super::uses::POOL_SLOT;
use super::{CallInfo, Function};
use crate::instructions::{Format, Intrinsic, MemInfo, Opcode};
use crate::{Block, FnAttrs, Inst, Value};

impl Function {
    /// The first result, if it has one.
    pub fn result(&self, inst: Inst) -> Option<Value> {
        self.results[inst].0.expand()
    }

    /// The first result of an instruction that has one.
    pub fn first_result(&self, inst: Inst) -> Value {
        self.results[inst].0.expand().unwrap_or_else(|| panic!("{inst} has no result"))
    }

    /// All results (contiguous values).
    pub fn results(&self, inst: Inst) -> impl ExactSizeIterator<Item = Value> + use<> {
        let (first, count) = self.results[inst];
        let start = first.expand().map_or(0, |v| v.as_u32());
        (0..count as u32).map(move |i| Value::from_u32(start + i))
    }

    /// The value operands, in order. For phis these are the incoming values; for calls the callee
    /// comes first.
    pub fn operands(&self, inst: Inst) -> impl ExactSizeIterator<Item = Value> + '_ {
        let count = self.num_operands(inst);
        (0..count).map(move |i| self.operand(inst, i))
    }

    /// How many value operands.
    pub fn num_operands(&self, inst: Inst) -> usize {
        let data = &self.insts[inst];
        match data.opcode.format() {
            Format::Nullary => 0,
            Format::Unary => 1,
            Format::Binary => 2,
            Format::Ternary => 3,
            Format::List => data.b as usize,
        }
    }

    /// Value operand number `index`.
    pub fn operand(&self, inst: Inst, index: usize) -> Value {
        let data = &self.insts[inst];
        if data.opcode.format() == Format::List {
            debug_assert!(index < data.b as usize);
            return self.value_pool[data.a as usize + index];
        }
        Value::from_u32([data.a, data.b, data.c][index])
    }

    /// The operands of a list-format instruction as a slice.
    pub fn list(&self, inst: Inst) -> &[Value] {
        let data = &self.insts[inst];
        debug_assert!(data.opcode.format() == Format::List);
        &self.value_pool[data.a as usize..(data.a + data.b) as usize]
    }

    /// Replaces value operand number `index`.
    pub fn set_operand(&mut self, inst: Inst, index: usize, value: Value) {
        let slot = self.slot(inst, index);
        if self.uses.valid {
            self.unlink_use(slot);
        }
        self.write_slot(slot, value);
        if self.uses.valid {
            self.link_use(slot, value, inst);
        }
    }

    /// The memory operand of a load or store.
    pub fn mem_info(&self, inst: Inst) -> MemInfo {
        debug_assert!(matches!(self.insts[inst].opcode, Opcode::Load | Opcode::Store));
        MemInfo::unpack(self.insts[inst].c)
    }

    /// Size in bytes and alignment in bytes of an alloca.
    pub fn alloca_info(&self, inst: Inst) -> (u64, u32) {
        let data = &self.insts[inst];
        debug_assert!(data.opcode == Opcode::Alloca);
        (data.b as u64 | (data.c as u64) << 32, 1 << data.a)
    }

    /// The incoming (value, predecessor) pairs of a phi.
    pub fn phi_entries(&self, inst: Inst) -> impl ExactSizeIterator<Item = (Value, Block)> + '_ {
        let data = &self.insts[inst];
        debug_assert!(data.opcode == Opcode::Phi);
        let (start, count, blocks) = (data.a as usize, data.b as usize, data.c as usize);
        (0..count).map(move |i| (self.value_pool[start + i], self.block_pool[blocks + i]))
    }

    /// The predecessor block of phi entry `index`.
    pub fn phi_block(&self, inst: Inst, index: usize) -> Block {
        self.block_pool[self.insts[inst].c as usize + index]
    }

    /// Renames the predecessor block of phi entry `index`.
    pub fn set_phi_block(&mut self, inst: Inst, index: usize, block: Block) {
        let at = self.insts[inst].c as usize + index;
        self.block_pool[at] = block;
    }

    /// The incoming value of a phi from `pred`, if there is an entry.
    pub fn phi_value(&self, inst: Inst, pred: Block) -> Option<Value> {
        self.phi_index(inst, pred).map(|index| self.operand(inst, index))
    }

    /// Adds an entry to a phi. A list that has to move takes room for as many entries again with
    /// it, so that filling phis by turns is linear; free places hold the reserved value.
    pub fn phi_push(&mut self, inst: Inst, value: Value, pred: Block) {
        let data = self.insts[inst];
        let (start, count, blocks) = (data.a as usize, data.b as usize, data.c as usize);
        let is_free = self.value_pool.get(start + count).is_some_and(|v| v.is_reserved_value())
            && self.block_pool.get(blocks + count).is_some_and(|b| b.is_reserved_value());
        if is_free {
            self.value_pool[start + count] = value;
            self.block_pool[blocks + count] = pred;
            self.insts.0[inst].b += 1;
            if self.uses.valid {
                self.link_use(POOL_SLOT | (start + count) as u32, value, inst);
            }
            return;
        }
        let at_end = start + count == self.value_pool.len() && blocks + count == self.block_pool.len();
        if !at_end {
            let new_start = self.value_pool.len();
            let new_blocks = self.block_pool.len();
            for i in 0..count {
                let v = self.value_pool[start + i];
                if self.uses.valid {
                    self.unlink_use(POOL_SLOT | (start + i) as u32);
                }
                self.value_pool.push(v);
                if self.uses.valid {
                    self.link_use(POOL_SLOT | (new_start + i) as u32, v, inst);
                }
                self.block_pool.push(self.block_pool[blocks + i]);
            }
            self.insts.0[inst].a = new_start as u32;
            self.insts.0[inst].c = new_blocks as u32;
        }
        self.value_pool.push(value);
        self.block_pool.push(pred);
        self.insts.0[inst].b += 1;
        if self.uses.valid {
            self.link_use(POOL_SLOT | (self.value_pool.len() - 1) as u32, value, inst);
        }
        if !at_end {
            self.value_pool.extend(std::iter::repeat_n(Value::reserved_value(), count));
            self.block_pool.extend(std::iter::repeat_n(Block::reserved_value(), count));
        }
    }

    /// Places in the pool of operand lists, free ones included.
    pub fn operand_pool_len(&self) -> usize {
        self.value_pool.len()
    }

    /// Removes phi entry `index` (the last entry takes its place).
    pub fn phi_swap_remove(&mut self, inst: Inst, index: usize) {
        let data = self.insts[inst];
        let last = data.b as usize - 1;
        let last_value = self.value_pool[data.a as usize + last];
        let last_block = self.block_pool[data.c as usize + last];
        self.set_operand(inst, index, last_value);
        self.set_phi_block(inst, index, last_block);
        if self.uses.valid {
            self.unlink_use(POOL_SLOT | (data.a as usize + last) as u32);
        }
        self.value_pool[data.a as usize + last] = Value::reserved_value();
        self.block_pool[data.c as usize + last] = Block::reserved_value();
        self.insts.0[inst].b -= 1;
    }

    /// Whether it is a call that may return more than once: setjmp, vfork, `__builtin_setjmp`. What
    /// a variable holds at the second return is not what it held at the first, even if nothing else
    /// knows its address.
    pub fn may_return_again(&self, inst: Inst) -> bool {
        match self.insts[inst].opcode {
            Opcode::Call => self.call_info(inst).attrs.has(FnAttrs::RETURNS_TWICE),
            Opcode::Intrinsic => Intrinsic::from_index(self.insts[inst].c) == Intrinsic::SetJmp,
            _ => false,
        }
    }

    /// Says what a call is to be diagnosed with; see [`CallInfo::note`].
    pub fn set_call_note(&mut self, inst: Inst, note: u32) {
        let index = self.insts[inst].c as usize;
        self.calls[index].note = note;
    }

    /// The facts of a call.
    pub fn call_info(&self, inst: Inst) -> CallInfo {
        debug_assert!(self.insts[inst].opcode == Opcode::Call);
        self.calls[self.insts[inst].c as usize]
    }

    /// Appends values to the pool and returns the start, for list-format instruction records.
    pub(crate) fn push_list(&mut self, values: &[Value]) -> u32 {
        let start = self.value_pool.len() as u32;
        self.value_pool.extend_from_slice(values);
        start
    }

    /// Appends blocks to the block pool (phi predecessors) and returns the start.
    pub(crate) fn push_block_list(&mut self, blocks: &[Block]) -> u32 {
        let start = self.block_pool.len() as u32;
        self.block_pool.extend_from_slice(blocks);
        start
    }
}
