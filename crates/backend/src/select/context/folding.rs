//! When a computation may be done where its user stands instead of where it stands itself.
//!
//! Folding moves a computation down to its user, past whatever lies between. Three things can
//! forbid that:
//! - memory: a load may not pass a write. Each instruction has a *colour*, the number of writes
//!   before it in its block;
//! - phi classes: values of one class share a virtual register, so an operand's register may be
//!   overwritten between. For each instruction [`Facts::clobber`] is the first position at which a
//!   register of its operands is redefined;
//! - double evaluation: a load must be folded into exactly one place ([`Ctx::fold_loads`] is off
//!   where a user is selected twice).

use cranelift_entity::EntityRef;
use ir::effects::register_variable;
use ir::{Block, Inst, InstData, Opcode, Value};

use object::Size;

use super::{Ctx, Holder};
use crate::machine::Class;

/// Per-instruction facts for folding, valid for the block being selected.
#[derive(Clone, Copy, Default, Debug)]
pub struct Facts {
    /// Position in the block.
    pub position: u32,
    /// Memory writes before it in the block.
    pub colour: u32,
    /// The first later position in the block where the register of an operand is overwritten by
    /// another member of its phi class.
    pub clobber: u32,
    /// It has been selected, at a root after it.
    pub delayed: bool,
}

impl Ctx<'_> {
    /// Whether the (pure) instruction may be computed at the root instead of where it stands: its
    /// operands still have their values.
    pub fn can_sink(&self, inst: Inst) -> bool {
        if self.func.inst_block(inst) == Some(self.block) {
            return self.facts[inst.index()].clobber >= self.facts[self.root.index()].position;
        }
        // From a dominating block: fine if no operand's register is ever written twice, or it is
        // still live here.
        self.func.operands(inst).all(|v| self.phis.class(v).is_none() || self.phis.is_live_at(self.func, v, self.root))
    }

    /// Whether a pure single-use computation may be sunk into the root, taking its own folded loads
    /// along.
    pub fn can_absorb(&self, value: Value, inst: Inst) -> bool {
        self.can_absorb_in(value, inst, |_| false)
    }

    /// As [`Self::can_absorb`], also where all users in the block are such that absorb it.
    pub fn can_absorb_in(&self, value: Value, inst: Inst, absorbs: impl Fn(Inst) -> bool) -> bool {
        let all = || {
            let here = |user| self.func.inst_block(user) == Some(self.block);
            self.func.has_use_lists() && self.func.uses(value).all(|(user, _)| here(user) && absorbs(user))
        };
        (self.single_use(value) || all())
            && self.func.inst_block(inst) == Some(self.block)
            && self.facts[inst.index()].clobber >= self.facts[self.root.index()].position
    }

    /// Whether the instruction of a block that makes `sum` may be done at the root instead, once
    /// and for all its users: they come after that, or are a comparison with `term` that only the
    /// root wants, or the root itself, which chooses or adds when the flags are there, or a sum
    /// that it absorbs.
    pub fn can_delay(&self, inst: Inst, sum: Value, term: Value) -> bool {
        let root = self.facts[self.root.index()].position;
        let facts = self.facts[inst.index()];
        if !self.fold_loads || self.func.inst_block(inst) != Some(self.block) || !self.func.has_use_lists() {
            return false;
        }
        // What shares the register of the sum is not changed while that is live.
        let class = self.phis.class(sum);
        let stays = |v: Value| self.phis.class(v).is_none() || self.phis.class(v) == class;
        let late = matches!(self.func.insts[self.root].opcode, Opcode::Select | Opcode::Add | Opcode::Sub);
        let mut comparisons = 0;
        (facts.clobber >= root || self.func.operands(inst).all(stays))
            && self.func.uses(sum).all(|(user, _)| {
                let data = &self.func.insts[user];
                let elsewhere = self.func.inst_block(user) != Some(self.block) || data.opcode == Opcode::Phi;
                let absorbed = || {
                    let result = self.func.first_result(user);
                    !self.is_needed(result) && self.func.uses(result).all(|(user, _)| user == self.root)
                };
                if elsewhere || self.facts[user.index()].position > root || late && user == self.root {
                    return true;
                }
                if late && data.opcode == Opcode::Add && absorbed() {
                    return true;
                }
                comparisons += 1;
                comparisons == 1 && data.opcode == Opcode::ICmp && data.args::<2>().contains(&term)
            })
    }

    /// What a value is apart from casts between pointers and integers of their width that only it
    /// goes through.
    fn behind_pointer_casts(&self, mut value: Value) -> Value {
        while let Some((_, data)) = self.def(value)
            && matches!(data.opcode, Opcode::PtrToInt | Opcode::IntToPtr)
            && data.ty.bits() == 64
        {
            let inner = self.arg(&data, 0);
            if self.ty(inner).bits() != 64 || !self.single_use(inner) {
                break;
            }
            value = inner;
        }
        value
    }

    /// The load that makes `value`, if it can be folded into the root as a memory operand.
    pub fn foldable_load(&self, value: Value) -> Option<(Inst, InstData)> {
        self.any_foldable_load(value).filter(|(_, data)| !data.is_volatile())
    }

    /// As [`Self::foldable_load`], also a volatile load, if there is no other such access and no
    /// write between it and the root.
    pub fn any_foldable_load(&self, value: Value) -> Option<(Inst, InstData)> {
        // The lanes of one vector are both operands of a shuffle.
        let root = self.func.insts[self.root];
        let twice = root.opcode == Opcode::Shuffle && root.args::<2>() == [value; 2];
        if !self.fold_loads || self.uses[value.index()] != 1 + u32::from(twice) {
            return None;
        }
        let value = self.behind_pointer_casts(value);
        let (inst, data) = self.def_op(value, Opcode::Load)?;
        if self.func.inst_block(inst) != Some(self.block)
            || register_variable(self.func, self.cx.module, inst).is_some()
        {
            return None;
        }
        let (load, root) = (self.facts[inst.index()], self.facts[self.root.index()]);
        // A volatile load counts as a write. If a copy of its user wants its register, it is made.
        let same = load.colour + u32::from(data.is_volatile()) == root.colour;
        let is_made = data.is_volatile() && self.is_needed(self.func.first_result(inst));
        (same && !is_made && load.clobber >= root.position).then_some((inst, data))
    }

    /// The address of the integer load that makes `value`, which the root does as a memory operand
    /// of `size`, exactly once, if it can: a volatile load is not selected by itself then.
    pub fn fold_load(&mut self, value: Value, size: Size) -> Option<Value> {
        let (inst, data) = self.any_foldable_load(value)?;
        if data.ty.store_size() != size.bytes() || !matches!(Ctx::holder(data.ty), Holder::Regs(Class::Gpr, _, 1)) {
            return None;
        }
        if data.is_volatile() {
            self.folded = Some(inst);
        }
        Some(self.arg(&data, 0))
    }

    /// Computes [`Facts`] for a block.
    pub fn scan_block(&mut self, block: Block) {
        let func = self.func;
        let (mut position, mut colour) = (0, 0);
        for inst in func.block_insts(block) {
            self.facts[inst.index()] = Facts { position, colour, clobber: u32::MAX, delayed: false };
            position += 1;
            colour += u32::from(ir::effects::may_write_memory(func, self.cx.module, inst));
        }
        if self.phis.num_classes() == 0 {
            return;
        }
        let stamp = block.as_u32();
        for inst in func.block_insts_rev(block) {
            // An instruction may overwrite its own operand's register: then its value cannot be
            // computed again later.
            for v in func.results(inst) {
                if let Some(class) = self.phis.class(v) {
                    let at = self.facts[inst.index()].position;
                    self.scratch_next_def[class.index()] = (stamp, at);
                    // A member that shares the phi's register is read by the edge without a copy.
                    self.needed[v.index()] = true;
                }
            }
            if func.insts[inst].opcode == Opcode::Phi {
                continue;
            }
            let mut clobber = u32::MAX;
            for v in func.operands(inst) {
                if let Some(class) = self.phis.class(v) {
                    let (seen, at) = self.scratch_next_def[class.index()];
                    if seen == stamp {
                        clobber = clobber.min(at);
                    }
                }
            }
            self.facts[inst.index()].clobber = clobber;
        }
    }
}
