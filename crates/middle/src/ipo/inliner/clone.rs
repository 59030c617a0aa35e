//! Puts a copy of a function's body in the place of a call.

use super::debug::Description;
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use ir::function::VariableName;
use ir::{Block, Builder, Function, Inst, Module, Opcode, ParamKind, Position, Type, Value, ValueDef, side_table};
use smallvec::SmallVec;

/// Replaces `call` in `caller` by the body of `callee`. The argument list matches the callee's
/// signature (checked by the caller). Gives the slots that the callee's variables have now.
pub fn inline_call(module: &Module, caller: &mut Function, call: Inst, callee: &Function) -> Vec<Inst> {
    let mut cloner = Cloner {
        description: Description::new(caller, call, callee),
        module,
        callee,
        call,
        values: side_table(callee.num_values()),
        blocks: side_table(callee.num_blocks()),
        returns: Vec::new(),
        patches: Vec::new(),
    };
    caller.has_dynamic_alloca |= callee.has_dynamic_alloca;
    caller.has_character_array |= callee.has_character_array;
    caller.add_loop_hints(&callee.loop_hints);
    cloner.run(caller)
}

struct Cloner<'a> {
    description: Description<'a>,
    module: &'a Module,
    callee: &'a Function,
    call: Inst,
    values: SecondaryMap<Value, PackedOption<Value>>,
    blocks: SecondaryMap<Block, PackedOption<Block>>,
    /// (copy of the block that returned, the callee's values returned)
    returns: Vec<(Block, Vec<Value>)>,
    /// Operands that were used before their definition was cloned: (instruction, operand, callee
    /// value).
    patches: Vec<(Inst, usize, Value)>,
}

impl Cloner<'_> {
    fn run(&mut self, caller: &mut Function) -> Vec<Inst> {
        let home = caller.inst_block(self.call).expect("call is placed");
        let after = split_after(caller, self.call);
        self.make_blocks(caller, home);
        self.map_params(caller);
        let saved = self.save_stack(caller);
        let mut copied_allocas = Vec::new();
        for block in self.callee.blocks() {
            self.clone_block(caller, block, after, &mut copied_allocas);
        }
        for (inst, index, value) in std::mem::take(&mut self.patches) {
            let new = self.values[value].expand().unwrap_or_else(|| base::bug!("inliner: {value} has no copy"));
            caller.set_operand(inst, index, new);
        }
        self.mark_lifetimes(caller, after, &copied_allocas);
        let entry = self.blocks[self.callee.entry()].expect("entry has a copy");
        self.copy_variables(caller);
        self.describe(caller, entry);
        self.finish_returns(caller, after, saved);
        caller.remove_inst(self.call);
        Builder::new(caller, Position::End(home)).br(entry);
        copied_allocas.into_iter().map(|(_, new)| new).collect()
    }

    fn make_blocks(&mut self, caller: &mut Function, home: Block) {
        let mut last = home;
        for block in self.callee.blocks() {
            let copy = caller.make_block();
            caller.insert_block_after(last, copy);
            self.blocks[block] = copy.into();
            last = copy;
        }
    }

    /// Parameters become arguments; a by-value aggregate becomes a private copy.
    fn map_params(&mut self, caller: &mut Function) {
        let sig = &self.module.signatures[self.callee.sig];
        for (index, &param) in self.callee.params().iter().enumerate() {
            let arg = caller.list(self.call)[index + 1];
            let value = match sig.params[index].kind {
                ParamKind::ByVal { size, align } => {
                    let slot = entry_alloca(caller, size, align);
                    let mut b = Builder::before(caller, self.call);
                    let length = b.iconst(Type::I64, size as i64);
                    b.mem_op(Opcode::MemCpy, slot, arg, length, 1, false);
                    slot
                }
                _ => arg,
            };
            self.values[param] = value.into();
        }
    }

    /// Dynamic allocas of the callee end with it.
    fn save_stack(&self, caller: &mut Function) -> Option<Value> {
        self.callee.has_dynamic_alloca.then(|| Builder::before(caller, self.call).nullary(Opcode::StackSave, Type::PTR))
    }

    fn clone_block(&mut self, caller: &mut Function, block: Block, after: Block, allocas: &mut Vec<(Inst, Inst)>) {
        let copy = self.blocks[block].expect("block has a copy");
        for inst in self.callee.block_insts(block) {
            let data = self.callee.insts[inst];
            if data.opcode == Opcode::Ret {
                let values = self.callee.list(inst).to_vec();
                Builder::new(caller, Position::End(copy)).br(after);
                self.description.copied(caller, inst, caller.terminator(copy));
                self.returns.push((copy, values));
                continue;
            }
            if data.opcode == Opcode::Alloca {
                let (size, align) = self.callee.alloca_info(inst);
                let slot = entry_alloca(caller, size, align);
                self.values[self.callee.first_result(inst)] = slot.into();
                self.description.skip(inst);
                allocas.push((inst, caller.def_inst(slot).expect("is an alloca")));
                continue;
            }
            let new = self.clone_inst(caller, inst);
            caller.append_inst(copy, new);
            self.description.copied(caller, inst, new);
            for (old, new) in self.callee.results(inst).zip(caller.results(new)) {
                self.values[old] = new.into();
            }
        }
    }

    fn map_value(&mut self, caller: &mut Function, value: Value) -> Option<Value> {
        if let Some(new) = self.values[value].expand() {
            return Some(new);
        }
        if let ValueDef::Const(_) = self.callee.value_def(value) {
            let constant = self.callee.constant(value).expect("is a constant").clone();
            let new = caller.make_const(self.callee.value_type(value), constant);
            self.values[value] = new.into();
            return Some(new);
        }
        None
    }

    fn clone_inst(&mut self, caller: &mut Function, inst: Inst) -> Inst {
        let mut late = Vec::new();
        let mut operands: SmallVec<[Value; 8]> = SmallVec::new();
        for (index, value) in self.callee.operands(inst).enumerate() {
            match self.map_value(caller, value) {
                Some(new) => operands.push(new),
                None => {
                    late.push((index, value));
                    operands.push(caller.iconst(Type::I1, 0));
                }
            }
        }
        let new = caller.import_inst(self.callee, inst, &operands, |block| self.target(block));
        self.patches.extend(late.into_iter().map(|(index, value)| (new, index, value)));
        new
    }

    fn target(&self, block: Block) -> Block {
        self.blocks[block].expect("target is in the layout")
    }

    /// Slots of the callee begin undefined at each call and end with it: without markers of their
    /// own they get a start before the body, so that no value seems to flow around a loop in the
    /// caller, and an end after it, so that slots of other calls can share memory.
    fn mark_lifetimes(&self, caller: &mut Function, after: Block, allocas: &[(Inst, Inst)]) {
        for &(old, new) in allocas {
            let address = self.callee.first_result(old);
            let marked = self.callee.has_use_lists()
                && self.callee.uses(address).any(|(user, _)| self.callee.insts[user].opcode == Opcode::LifetimeStart);
            if !marked {
                let address = caller.first_result(new);
                Builder::before(caller, self.call).effect(Opcode::LifetimeStart, address);
                if let Some(first) = caller.first_inst(after).filter(|_| !self.returns.is_empty()) {
                    Builder::before(caller, first).effect(Opcode::LifetimeEnd, address);
                }
            }
        }
    }

    fn copy_variables(&self, caller: &mut Function) {
        for variable in &self.callee.variables {
            let Some(old) = self.callee.result(variable.alloca) else { continue };
            if let Some(alloca) = self.values[old].expand().and_then(|v| caller.def_inst(v)) {
                caller.variables.push(VariableName { alloca, ..variable.clone() });
            }
        }
    }

    /// What `-g` says of the copy.
    fn describe(&mut self, caller: &mut Function, entry: Block) {
        let Some(first) = caller.first_non_phi(entry) else { return };
        let (callee, values) = (self.callee, &self.values);
        self.description.finish(caller, first, &mut |caller, value| match callee.constant(value) {
            Some(constant) => Some(caller.make_const(callee.value_type(value), constant.clone())),
            None => values[value].expand(),
        });
    }

    /// The call's results become what the returns return.
    fn finish_returns(&mut self, caller: &mut Function, after: Block, saved: Option<Value>) {
        let results: Vec<Value> = caller.results(self.call).collect();
        if let Some(first) = caller.first_inst(after)
            && let Some(saved) = saved
            && !self.returns.is_empty()
        {
            Builder::before(caller, first).effect(Opcode::StackRestore, saved);
        }
        for (number, &result) in results.iter().enumerate() {
            let ty = caller.value_type(result);
            let returns = std::mem::take(&mut self.returns);
            let values: Vec<(Value, Block)> =
                returns.iter().map(|(b, v)| (self.map_value(caller, v[number]).expect("all is cloned"), *b)).collect();
            self.returns = returns;
            let first = caller.first_inst(after).expect("the rest of the block has a terminator");
            let value = match values[..] {
                [] => Builder::before(caller, first).undef(ty),
                [(only, _)] => only,
                _ => {
                    let phi = Builder::new(caller, Position::Before(first)).phi(ty, &values);
                    caller.first_result(phi)
                }
            };
            caller.replace_all_uses(result, value);
        }
    }
}

/// Ends a call's block after it. What followed is a block that nothing reaches.
pub fn end_after(func: &mut Function, call: Inst) {
    let home = func.inst_block(call).expect("call is placed");
    split_after(func, call);
    Builder::new(func, Position::End(home)).unreachable();
}

/// Moves everything after `call` to a new block, which takes over the successors.
fn split_after(caller: &mut Function, call: Inst) -> Block {
    let first = caller.next_inst(call).expect("a call is no terminator");
    caller.split_block(first)
}

/// A new slot at the start of the entry block.
fn entry_alloca(caller: &mut Function, size: u64, align: u32) -> Value {
    let first = caller.first_inst(caller.entry()).expect("entry block is complete");
    Builder::new(caller, Position::Before(first)).alloca(size, align)
}
