//! Instructions read by name and rewritten in place, and copies of instructions.

use super::{Function, SwitchData};
use crate::asm::AsmData;
use crate::instructions::{Format, InstData, InstView, IntCc, Opcode, ValueList, flags};
use crate::{Block, Inst, TargetsId, Type, Value};

impl Function {
    /// The instruction with its fields by name.
    #[inline(always)]
    pub fn view(&self, inst: Inst) -> InstView {
        self.insts[inst].view()
    }

    /// The values of a list of operands.
    pub fn values(&self, list: ValueList) -> &[Value] {
        &self.value_pool[list.start as usize..(list.start + list.len) as usize]
    }

    /// The cases of a `switch`.
    pub fn switch(&self, inst: Inst) -> &SwitchData {
        &self.switches[self.insts[inst].switch_id()]
    }

    /// The possible targets of an `indirect_br`.
    pub fn indirect_targets(&self, inst: Inst) -> &[Block] {
        &self.targets[self.insts[inst].targets_id()]
    }

    /// How often earlier runs took each target of a `switch` or `indirect_br`, in the order of
    /// [`Function::for_each_target`]; empty if that is not known.
    pub fn weights(&self, terminator: Inst) -> &[u32] {
        match self.insts[terminator].opcode {
            Opcode::Switch => &self.switch(terminator).weights,
            Opcode::IndirectBr => &self.target_weights[self.insts[terminator].targets_id()],
            _ => &[],
        }
    }

    /// Sets the weights of a `switch` or `indirect_br`, one a target.
    pub fn set_weights(&mut self, terminator: Inst, weights: Vec<u32>) {
        let data = self.insts[terminator];
        match data.opcode {
            Opcode::Switch => self.switches[data.switch_id()].weights = weights,
            Opcode::IndirectBr => self.target_weights[data.targets_id()] = weights,
            _ => {}
        }
    }

    /// A new list of targets of an `indirect_br`.
    pub(crate) fn push_targets(&mut self, targets: Vec<Block>, weights: Vec<u32>) -> TargetsId {
        let id = self.targets.push(targets);
        if !weights.is_empty() {
            self.target_weights[id] = weights;
        }
        id
    }

    /// The statement of an `asm` or `asm_br`.
    pub fn asm(&self, inst: Inst) -> &AsmData {
        &self.asms[self.insts[inst].asm_id()]
    }

    /// The lane numbers of a `shuffle`; see [`Function::shuffle_masks`].
    pub fn shuffle_mask(&self, inst: Inst) -> &[u32] {
        &self.shuffle_masks[self.insts[inst].mask_index()]
    }

    /// Turns an instruction into another operation in place. Its results stay and must have the
    /// types the new operation gives.
    pub fn replace_with(&mut self, inst: Inst, new: InstView) {
        self.replace_inst(inst, new.encode(self.insts[inst].ty));
    }

    /// Makes an instruction with one result of type `ty` (none if void), not yet placed.
    pub fn make(&mut self, new: InstView, ty: Type, loc: base::Loc) -> Inst {
        self.make_inst(new.encode(ty), loc)
    }

    /// Makes a phi, not yet placed; `preds[i]` brings `values[i]`.
    pub fn make_phi(&mut self, ty: Type, values: &[Value], preds: &[Block], loc: base::Loc) -> Inst {
        debug_assert!(values.len() == preds.len());
        let list = ValueList { start: self.push_list(values), len: values.len() as u32 };
        let blocks = self.push_block_list(preds);
        self.make(InstView::Phi { values: list, blocks }, ty, loc)
    }

    /// Changes only the opcode, to one of the same shape.
    pub fn set_opcode(&mut self, inst: Inst, opcode: Opcode) {
        let data = &mut self.insts.0[inst];
        debug_assert!(data.opcode.shape() == opcode.shape());
        data.opcode = opcode;
    }

    /// Adds flags.
    pub fn add_flags(&mut self, inst: Inst, bits: u8) {
        debug_assert!(!self.insts[inst].holds_code());
        self.insts.0[inst].flags |= bits;
    }

    /// Keeps only those flags that are in `bits` as well.
    pub fn keep_flags(&mut self, inst: Inst, bits: u8) {
        debug_assert!(!self.insts[inst].holds_code());
        self.insts.0[inst].flags &= bits;
    }

    /// Forgets what is known of an operation, which runs where it did not. A condition or memory
    /// order is no promise and stays.
    pub fn clear_flags(&mut self, inst: Inst) {
        if !self.insts[inst].holds_code() {
            self.insts.0[inst].flags = 0;
        }
    }

    /// Changes the condition of an integer comparison.
    pub fn set_int_cc(&mut self, inst: Inst, cc: IntCc) {
        debug_assert!(self.insts[inst].opcode == Opcode::ICmp);
        self.insts.0[inst].flags = cc as u8;
    }

    /// Changes size and alignment (a power of two) of an alloca.
    pub fn set_alloca_info(&mut self, inst: Inst, size: u64, align: u32) {
        self.replace_with(inst, InstView::Alloca { align_log2: align.trailing_zeros(), size });
    }

    /// A copy of an instruction with mapped operands, not yet placed. Phis, inline assembly and
    /// computed gotos are not copied.
    pub fn copy_inst(&mut self, inst: Inst, map: impl Fn(Value) -> Value) -> Inst {
        let mut data = self.insts[inst];
        debug_assert!(!matches!(
            data.opcode,
            Opcode::Phi | Opcode::Asm | Opcode::AsmBr | Opcode::IndirectBr | Opcode::Alloca
        ));
        let operands: Vec<Value> = self.operands(inst).map(map).collect();
        self.put_operands(&mut data, &operands);
        match data.opcode {
            Opcode::Call => {
                let info = self.call_info(inst);
                self.calls.push(info);
                data.c = self.calls.len() as u32 - 1;
            }
            Opcode::Switch => {
                let table = self.switch(inst).clone();
                data.c = self.switches.push(table).as_u32();
            }
            _ => {}
        }
        let types: Vec<Type> = self.results(inst).map(|r| self.value_type(r)).collect();
        let loc = self.inst_locs[inst];
        self.make_inst_multi(data, &types, loc)
    }

    /// A copy of another function's instruction, not yet placed: with these operands, its blocks
    /// mapped, its side tables copied. A call loses its place as a tail call.
    pub fn import_inst(
        &mut self,
        from: &Function,
        inst: Inst,
        operands: &[Value],
        target: impl Fn(Block) -> Block,
    ) -> Inst {
        let mut data = from.insts[inst];
        self.put_operands(&mut data, operands);
        match data.opcode {
            Opcode::Phi => {
                let blocks: Vec<Block> = from.phi_entries(inst).map(|(_, b)| target(b)).collect();
                data.c = self.push_block_list(&blocks);
            }
            Opcode::Call => {
                data.flags &= !(flags::TAIL | flags::MUST_TAIL);
                self.calls.push(from.call_info(inst));
                data.c = self.calls.len() as u32 - 1;
            }
            Opcode::Shuffle => {
                self.shuffle_masks.push(from.shuffle_mask(inst).into());
                data.c = self.shuffle_masks.len() as u32 - 1;
            }
            Opcode::Switch => {
                let old = from.switch(inst);
                let cases = old.cases.iter().map(|&(v, b)| (v, target(b))).collect();
                let new = SwitchData { cases, default: target(old.default), weights: old.weights.clone() };
                data.c = self.switches.push(new).as_u32();
            }
            Opcode::IndirectBr => {
                let targets = from.indirect_targets(inst).iter().map(|&b| target(b)).collect();
                let weights = from.target_weights[from.insts[inst].targets_id()].clone();
                data.c = self.push_targets(targets, weights).as_u32();
            }
            Opcode::Asm | Opcode::AsmBr => {
                let mut asm = from.asm(inst).clone();
                asm.fallthrough = asm.fallthrough.map(&target);
                asm.labels.iter_mut().for_each(|b| *b = target(*b));
                data.c = self.asms.push(asm).as_u32();
            }
            // Each copy has a label of its own.
            Opcode::BlockAddr => {
                self.labels.push(target(from.labels[data.label() as usize]));
                data.c = self.labels.len() as u32 - 1;
            }
            Opcode::Br => data.c = target(data.dest()).as_u32(),
            Opcode::CondBr => {
                let (then, otherwise) = data.dests();
                (data.b, data.c) = (target(then).as_u32(), target(otherwise).as_u32());
            }
            _ => {}
        }
        let types: Vec<Type> = from.results(inst).map(|r| from.value_type(r)).collect();
        self.make_inst_multi(data, &types, from.inst_locs[inst])
    }

    /// Writes all value operands of a record that is not yet in the function.
    fn put_operands(&mut self, data: &mut InstData, operands: &[Value]) {
        match data.opcode.format() {
            Format::List => data.a = self.push_list(operands),
            _ => {
                for (field, value) in [&mut data.a, &mut data.b, &mut data.c].into_iter().zip(operands) {
                    *field = value.as_u32();
                }
            }
        }
    }
}
