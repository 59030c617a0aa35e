//! Small functions whose prologues move, and one whose stays.

use object::{Cond, Size};
use platform::registers::{R12, RAX, RBX, RDI, RSI, Reg, RegSet};

use super::{plan::plan, transform::apply, verify::check};
use crate::{
    context::CallForm,
    frame::Frame,
    machine::{CALLER_SAVED, CallSite, Callee, MInst, MachineFunction, Op, Stage, VReg, bits},
};

fn function(blocks: &[&[MInst]]) -> MachineFunction {
    let frequency = |index| if index == 0 { 1.0 } else { 0.5 };
    let mut mf =
        MachineFunction::of_blocks(blocks.iter().enumerate().map(|(index, &insts)| (insts, frequency(index), 0)));
    mf.calls.push(CallSite { callee: Callee::Library("f", CallForm::Direct), clobbers: CALLER_SAVED });
    mf
}

fn copy(to: Reg, from: Reg) -> MInst {
    MInst::new(Op::Mov, Size::Q).dst(VReg::physical(to)).src2(VReg::physical(from))
}

fn test(reg: Reg) -> MInst {
    let reg = VReg::physical(reg);
    MInst::new(Op::Test, Size::Q).src1(reg).src2(reg).with_bits(bits::FLAGS_LIVE)
}

fn branch(then: u32, otherwise: u32) -> MInst {
    MInst::jcc(Cond::E, then, otherwise)
}

fn set(reg: Reg, imm: i32) -> MInst {
    MInst::new(Op::Mov, Size::Q).dst(VReg::physical(reg)).imm(imm)
}

fn call() -> MInst {
    MInst::new(Op::Call, Size::Q).with_list(0, 0)
}

fn ret() -> MInst {
    MInst::new(Op::Ret, Size::Q).with_list(0, 0)
}

fn jump(to: u32) -> MInst {
    MInst::jmp(to)
}

fn wrapped(mf: &mut MachineFunction, saved: &[Reg]) -> bool {
    let frame = Frame { saved: saved.to_vec(), size: 8, ..Frame::default() };
    let Some(plan) = plan(mf, &frame, RegSet::EMPTY) else { return false };
    apply(mf, plan);
    check(mf, &frame);
    true
}

#[test]
fn a_copy_of_an_argument_moves_to_the_prologue() {
    let mut mf = function(&[
        &[copy(RBX, RDI), test(RBX), branch(2, 1)],
        &[copy(RDI, RBX), call(), copy(RAX, RBX), ret()],
        &[set(RAX, 1), ret()],
    ]);
    assert!(wrapped(&mut mf, &[RBX]));
    assert_eq!(mf.block_insts(0)[0].op, Op::Nop);
    assert_eq!(mf.block_insts(0)[1].src1, VReg::physical(RDI));
    // Before what needs the frame, where control fell through; the way back to the argument's
    // register is gone.
    assert_eq!(mf.order, [0, 3, 1, 2]);
    assert_eq!(mf.stage(3), Stage::Prologue);
    assert_eq!(mf.block_insts(3)[0].dst, VReg::physical(RBX));
    assert_eq!(mf.block_insts(1)[0].op, Op::Nop);
}

#[test]
fn an_exit_for_both_is_made_twice_and_other_values_get_spare_registers() {
    let mut mf =
        function(&[&[set(R12, 7), test(RSI), branch(2, 1)], &[call(), copy(RSI, R12), jump(2)], &[set(RAX, 1), ret()]]);
    assert!(wrapped(&mut mf, &[R12]));
    assert_eq!(mf.block_insts(0)[0].dst, VReg::physical(platform::registers::RCX));
    assert_eq!(mf.blocks.len(), 5);
    assert_eq!(mf.order, [0, 4, 1, 2, 3]);
    assert_eq!((mf.stage(2), mf.stage(3)), (Stage::Framed, Stage::Unframed));
}

#[test]
fn nothing_moves_where_no_path_leaves_early() {
    let mut mf = function(&[&[test(RSI), branch(2, 1)], &[set(RDI, 2), jump(2)], &[call(), ret()]]);
    assert!(!wrapped(&mut mf, &[RBX]));
    assert!(mf.stages.is_empty());
}
