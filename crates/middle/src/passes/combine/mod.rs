//! Instruction combining: replaces instructions by simpler or canonical ones, to a fixed point.
//!
//! Rules live by subject: [`arith`] (integer arithmetic and bits, with what is known of them),
//! [`booleans`] (truth values as numbers), [`select_bits`] (joins of masked values), [`halves`]
//! (joins of two halves), [`compare`] (comparisons and selects), [`casts`], [`address`], [`float`],
//! [`division`] (division by constants), [`memory`] (block operations, loads of constants). A rule
//! either names an existing value that the result equals, or turns the instruction into another in
//! place, possibly with new instructions before it.
//!
//! Canonical forms that later passes and instruction selection rely on: constants on the right;
//! `sub x, c` as `add x, -c`; multiplications by powers of two as shifts; `ptradd` chains with the
//! constant outermost; comparisons with constants as `<`/`>` rather than `<=`/`>=`.
//!
//! Flags: rules that reassociate drop `nsw`/`nuw`. Every rule makes progress towards fewer
//! instructions or the canonical form, so the worklist empties; linear in practice.

mod address;
mod arith;
mod booleans;
mod casts;
mod compare;
mod compare_sums;
mod division;
mod float;
mod halves;
mod memory;
mod select_bits;

use cranelift_entity::{EntityRef, SecondaryMap};
use ir::{Builder, Function, Inst, InstData, InstView, IntCc, Module, Opcode, Type, Value};
use platform::options::Options;

use crate::analysis::facts::{Range, known};
use crate::pass::{Changed, Pass, PassContext};
use crate::passes::correlate;
use crate::passes::fold::{fold_value, rounds};
use ir::effects::is_removable_if_unused;

/// The pass.
pub const PASS: Pass = Pass::new("combine", run);

/// What a rule found.
enum Rewrite {
    /// The result equals this value.
    Value(Value),
    /// The instruction has been changed in place (its operands' users may now combine).
    InPlace,
    /// The instruction (without results) is not needed.
    Remove,
}

/// What rules see.
struct Combiner<'a> {
    func: &'a mut Function,
    module: &'a Module,
    options: &'a Options,
    /// Signed divisions by constants stay as they are: `correlate` may find them unsigned, which
    /// are shorter when expanded.
    keep_signed_divisions: bool,
    work: Vec<Inst>,
    queued: SecondaryMap<Inst, bool>,
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let mut all: Vec<Inst> = func.blocks().flat_map(|b| func.block_insts(b)).collect();
    all.reverse();
    let mut queued = SecondaryMap::with_capacity(func.num_insts());
    all.iter().for_each(|&i| queued[i] = true);
    let keep_signed_divisions = cx.runs_later(&correlate::PASS);
    let mut combiner =
        Combiner { func, module: cx.module, options: cx.options, keep_signed_divisions, work: all, queued };
    let combined = combiner.run();
    cx.statistics.add("instructions combined", combined);
    Changed::code_if(combined > 0)
}

impl Combiner<'_> {
    fn run(&mut self) -> u64 {
        let mut combined = 0;
        while let Some(inst) = self.work.pop() {
            self.queued[inst] = false;
            if self.func.inst_block(inst).is_none() {
                continue;
            }
            if self.remove_if_dead(inst) {
                combined += 1;
                continue;
            }
            let before = self.func.num_insts();
            let rewrite = self.visit(inst);
            for index in before..self.func.num_insts() {
                self.push(Inst::new(index));
            }
            match rewrite {
                None => continue,
                Some(Rewrite::Value(value)) => self.replace(inst, value),
                Some(Rewrite::InPlace) => {
                    self.push_users(inst);
                    self.push(inst);
                }
                Some(Rewrite::Remove) => {
                    self.push_operands(inst);
                    self.func.remove_inst(inst);
                }
            }
            combined += 1;
        }
        combined
    }

    fn visit(&mut self, inst: Inst) -> Option<Rewrite> {
        let rounded_at_run_time = self.options.codegen.float.rounding_math && rounds(self.func, inst);
        if !rounded_at_run_time && let Some(value) = fold_value(self.func, inst) {
            return Some(Rewrite::Value(value));
        }
        use Opcode::*;
        match self.func.insts[inst].opcode {
            Add | Sub | Mul | And | Or | Xor | Shl | LShr | AShr | Rotl | Rotr | SMin | SMax | UMin | UMax => {
                arith::visit(self, inst)
            }
            SDiv | UDiv | SRem | URem => division::visit(self, inst),
            ICmp | FCmp => compare::visit_compare(self, inst),
            Select => compare::visit_select(self, inst),
            Trunc | ZExt | SExt | Bitcast | PtrToInt | IntToPtr | UiToFp => casts::visit(self, inst),
            PtrAdd => address::visit(self, inst),
            FAdd | FSub | FMul | FDiv | FNeg | FpTrunc => float::visit(self, inst),
            Load | MemCpy | MemMove | MemSet => memory::visit(self, inst),
            Phi => self.visit_phi(inst),
            _ => None,
        }
    }

    /// A phi whose entries are all one value or itself.
    fn visit_phi(&mut self, inst: Inst) -> Option<Rewrite> {
        let result = self.func.first_result(inst);
        let mut only = None;
        let mut several = false;
        for value in self.func.operands(inst).filter(|&v| v != result) {
            several |= only.is_some_and(|o| o != value);
            only = Some(value);
        }
        if several { halves::split_phi(self, inst) } else { only.map(Rewrite::Value) }
    }

    fn remove_if_dead(&mut self, inst: Inst) -> bool {
        let unused = !self.func.results(inst).any(|r| self.func.has_uses(r));
        if !unused || !is_removable_if_unused(self.func, self.module, inst) {
            return false;
        }
        self.push_operands(inst);
        self.func.remove_inst(inst);
        true
    }

    fn replace(&mut self, inst: Inst, value: Value) {
        let result = self.func.first_result(inst);
        self.push_users(inst);
        self.push_operands(inst);
        if result != value {
            self.func.replace_all_uses(result, value);
        }
        self.func.remove_inst(inst);
        if let Some(def) = self.func.def_inst(value) {
            self.push(def);
        }
    }

    fn push(&mut self, inst: Inst) {
        if !std::mem::replace(&mut self.queued[inst], true) {
            self.work.push(inst);
        }
    }

    fn push_users(&mut self, inst: Inst) {
        let users: Vec<Inst> =
            self.func.results(inst).flat_map(|r| self.func.uses(r).map(|u| u.0).collect::<Vec<_>>()).collect();
        users.into_iter().for_each(|user| self.push(user));
    }

    fn push_operands(&mut self, inst: Inst) {
        let defs: Vec<Inst> = self.func.operands(inst).filter_map(|v| self.func.def_inst(v)).collect();
        defs.into_iter().for_each(|def| self.push(def));
    }

    // ---- what rules are written with

    fn ty(&self, value: Value) -> Type {
        self.func.value_type(value)
    }

    /// The constant bits of a scalar operand.
    fn bits(&self, value: Value) -> Option<u128> {
        self.func.const_bits(value)
    }

    /// The defining instruction's record, if it has this opcode.
    fn def(&self, value: Value, opcode: Opcode) -> Option<(Inst, InstData)> {
        let inst = self.func.def_inst(value)?;
        let data = self.func.insts[inst];
        (data.opcode == opcode).then_some((inst, data))
    }

    /// The operands of `value` if a two-operand `opcode` defines it.
    fn binary(&self, value: Value, opcode: Opcode) -> Option<(Value, Value)> {
        let (inst, _) = self.def(value, opcode)?;
        Some((self.func.operand(inst, 0), self.func.operand(inst, 1)))
    }

    /// The operands of `value` if `opcode` defines it with a constant on the right.
    fn binary_const(&self, value: Value, opcode: Opcode) -> Option<(Value, u128)> {
        let (a, b) = self.binary(value, opcode)?;
        Some((a, self.bits(b)?))
    }

    /// The operand of `value` if a one-operand `opcode` defines it.
    fn unary(&self, value: Value, opcode: Opcode) -> Option<Value> {
        let (inst, _) = self.def(value, opcode)?;
        Some(self.func.operand(inst, 0))
    }

    /// What the definition of a scalar says about it.
    fn known(&self, value: Value) -> Range {
        known(self.func, value)
    }

    fn one_use(&self, value: Value) -> bool {
        self.func.has_one_use(value)
    }

    /// A constant of the type of `like`.
    fn constant(&mut self, like: Value, bits: u128) -> Value {
        let ty = self.ty(like);
        self.func.bits_const(ty, bits)
    }

    fn builder(&mut self, before: Inst) -> Builder<'_> {
        Builder::before(self.func, before)
    }

    /// Turns `inst` into a two-operand operation of the same result type.
    fn become_binary(&mut self, inst: Inst, opcode: Opcode, flags: u8, a: Value, b: Value) -> Option<Rewrite> {
        self.become_view(inst, InstView::Binary { op: opcode, a, b, flags })
    }

    /// Turns `inst` into an integer comparison.
    fn become_icmp(&mut self, inst: Inst, cc: IntCc, a: Value, b: Value) -> Option<Rewrite> {
        self.become_view(inst, InstView::ICmp { cc, a, b })
    }

    /// Turns `inst` into another operation of the same result type.
    fn become_view(&mut self, inst: Inst, new: InstView) -> Option<Rewrite> {
        self.func.replace_with(inst, new);
        Some(Rewrite::InPlace)
    }

    /// Turns `inst` into a one-operand operation of the same result type.
    fn become_unary(&mut self, inst: Inst, opcode: Opcode, a: Value) -> Option<Rewrite> {
        self.become_view(inst, InstView::Unary { op: opcode, a, flags: 0 })
    }
}
