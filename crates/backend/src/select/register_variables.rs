//! Global register variables: each is a virtual register of the function, which the allocator keeps
//! in the variable's register all the time ([`MachineFunction::pinned`]). Calls, assembly and
//! returns use it, and calls and assembly set it.
//!
//! What was read is in that register as long as nothing may have set the variable, and what was
//! written, too: it is an operand as it is ([`RegisterEpochs`]).
//!
//! [`MachineFunction::pinned`]: crate::machine::MachineFunction::pinned

use ir::analysis::RegisterEpochs;
use ir::effects::register_variable;
use ir::{Opcode, Value};
use platform::registers::Reg;

use super::context::Ctx;
use crate::machine::{Class, Kind, ListOperand, VReg};

/// A variable that the function accesses.
pub struct RegisterVariable {
    reg: Reg,
    vreg: VReg,
    epochs: RegisterEpochs,
}

/// Finds the variables that the function accesses.
pub fn prepare(cx: &mut Ctx) {
    let (func, module) = (cx.func, cx.cx.module);
    if module.reserved_registers.is_empty() {
        return;
    }
    let all = || func.blocks().flat_map(|block| func.block_insts(block));
    for reg in all().filter_map(|inst| register_variable(func, module, inst)) {
        if vreg_of(cx, reg).is_none() {
            let vreg = cx.out.new_vreg(Class::Gpr, 8);
            cx.out.pinned.push((vreg, reg));
            let epochs = RegisterEpochs::compute(func, module, cx.cfg, reg);
            cx.register_variables.push(RegisterVariable { reg, vreg, epochs });
        }
    }
}

/// The virtual register of a variable, if the function accesses it.
pub fn vreg_of(cx: &Ctx, reg: Reg) -> Option<VReg> {
    cx.register_variables.iter().find(|variable| variable.reg == reg).map(|variable| variable.vreg)
}

/// A variable's register instead of the value's: the variable has the value at the root, in all of
/// its 64 bits.
pub fn still_there(cx: &Ctx, value: Value) -> Option<VReg> {
    if cx.register_variables.is_empty() || cx.ty(value).bits() != 64 {
        return None;
    }
    let load = cx.def_op(value, Opcode::Load).map(|(load, _)| load);
    let read = load.and_then(|load| Some((load, register_variable(cx.func, cx.cx.module, load)?)));
    let has_it = |variable: &&RegisterVariable| {
        variable.epochs.assigned_before(cx.root) == Some(value)
            || read.is_some_and(|(load, reg)| reg == variable.reg && variable.epochs.are_same(load, cx.root))
    };
    cx.register_variables.iter().find(has_it).map(|variable| variable.vreg)
}

/// `load` of a variable.
pub fn select_read(cx: &mut Ctx, reg: Reg) {
    let (ty, dst) = (cx.data(cx.root).ty, cx.root_result());
    let Some(vreg) = vreg_of(cx, reg) else { return };
    match super::context::int_size(ty) {
        object::Size::Q => cx.copy(dst, vreg),
        size => cx.movzx(size, dst, vreg),
    }
}

/// `store` to a variable.
pub fn select_write(cx: &mut Ctx, reg: Reg, value: Value) {
    let src = cx.reg(value);
    if let Some(vreg) = vreg_of(cx, reg).filter(|&vreg| vreg != src) {
        cx.copy(vreg, src);
    }
}

/// Adds what the function's entry defines.
pub fn define_all(cx: &Ctx, operands: &mut impl Extend<ListOperand>) {
    operands.extend(cx.register_variables.iter().map(|variable| ListOperand::def_reg(variable.vreg)));
}

/// Adds what a call or a return hands on.
pub fn use_all(cx: &Ctx, operands: &mut impl Extend<ListOperand>) {
    operands.extend(cx.register_variables.iter().map(|variable| ListOperand::use_any(variable.vreg)));
}

/// Adds what assembly reads and sets, besides what its own operands say: its inputs and outputs in
/// a variable's register are the variable by now.
pub fn pass_to_asm(cx: &Ctx, clobbers: &[Reg], operands: &mut smallvec::SmallVec<[ListOperand; 8]>) {
    for &RegisterVariable { reg, vreg, .. } in &cx.register_variables {
        let has = |kind| operands.iter().any(|o| o.vreg == vreg && o.role.kind == kind);
        match (clobbers.contains(&reg), has(Kind::Use)) {
            (true, _) => operands.push(ListOperand::def_reg(vreg)),
            (false, false) => operands.push(ListOperand::use_any(vreg)),
            (false, true) => {}
        }
    }
}
