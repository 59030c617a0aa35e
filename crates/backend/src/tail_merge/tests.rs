//! Tests of `tail_merge`.

use super::*;
use object::{Cond, Size};

/// Blocks of instructions, in order, all outside loops.
fn function(blocks: &[&[MInst]]) -> MachineFunction {
    MachineFunction::of_blocks(blocks.iter().map(|&insts| (insts, 0.1, 0)))
}

fn load(reg: u32, imm: i32) -> MInst {
    MInst::new(Op::Mov, Size::D).dst(VReg(reg)).imm(imm)
}

fn branch(then: u32, otherwise: u32) -> MInst {
    MInst::jcc(Cond::E, then, otherwise)
}

fn test(reg: u32) -> MInst {
    MInst::new(Op::Test, Size::D).src1(VReg(reg)).src2(VReg(reg)).with_bits(bits::FLAGS_LIVE)
}

fn ret() -> MInst {
    MInst::new(Op::Ret, Size::Q).with_list(0, 0)
}

const AIM: Aim = Aim { size: false, epilogue: 8 };

#[test]
fn equal_blocks_become_one() {
    let mut mf = function(&[
        &[test(7), branch(3, 1)],
        &[test(6), branch(4, 2)],
        &[load(0, 1), ret()],
        &[load(0, 2), ret()],
        &[load(0, 2), ret()],
    ]);
    run(&mut mf, Aim { size: false, epilogue: 0 });
    let forward = forwarders(&mf);
    assert_eq!((forward[3], forward[4]), (3, 3));
    assert_eq!(forward[2], 2);
}

#[test]
fn equal_ends_are_cut_off_and_shared() {
    let tail = [load(1, 5), load(2, 6), load(3, 7), ret()];
    let with = |imm: i32| [&[load(0, imm)], &tail[..]].concat();
    let mut mf = function(&[&[test(7), branch(1, 2)], &with(1), &with(2)]);
    run(&mut mf, AIM);
    assert_eq!(mf.blocks.len(), 4);
    // The new block stands after the one that it was cut from.
    assert_eq!(mf.order, [0, 1, 3, 2]);
    assert_eq!(mf.block_insts(3), &tail);
    for block in [1, 2] {
        let insts = mf.block_insts(block);
        assert_eq!((insts.len(), insts[1]), (2, MInst::jmp(3)));
    }
}

#[test]
fn what_differs_stays() {
    let mut zeroed = function(&[
        &[test(7), branch(1, 2)],
        &[load(0, 1), test(6), MInst::new(Op::Setcc, Size::B).cond(Cond::E).dst(VReg(0)), ret()],
        &[load(0, 1), test(6), MInst::new(Op::Setcc, Size::B).cond(Cond::E).dst(VReg(0)), ret()],
    ]);
    // One of the comparisons has a register cleared before it: only what follows is the same.
    zeroed.zero_before.push((3, VReg(1)));
    run(&mut zeroed, AIM);
    assert_eq!(zeroed.block_insts(1).len(), 3);
    assert_eq!(zeroed.block_insts(1)[1].op, Op::Test);

    let mut hot = function(&[&[test(7), branch(1, 2)], &[load(0, 1), ret()], &[load(0, 2), ret()]]);
    hot.blocks.iter_mut().for_each(|b| (b.loop_depth, b.frequency) = (1, 10.0));
    run(&mut hot, AIM);
    assert_eq!(hot.blocks.len(), 3);
}

#[test]
fn both_ways_begin_before_the_branch() {
    let size = Aim { size: true, epilogue: 0 };
    let zero = load(4, 0);
    // Inner branches first; what may become an instruction that writes flags stays.
    let mut mf = function(&[
        &[test(7), branch(1, 2)],
        &[load(1, 5), load(2, 6), load(0, 1), ret()],
        &[load(3, 9), test(6), branch(3, 4)],
        &[load(1, 5), zero, load(0, 2), ret()],
        &[load(1, 5), zero, load(0, 3), ret()],
    ]);
    run(&mut mf, size);
    assert_eq!(mf.block_insts(0), [test(7), branch(1, 2)]);
    let hoisted = load(1, 5).with_bits(bits::FLAGS_LIVE);
    assert_eq!(mf.block_insts(2), [load(3, 9), test(6), hoisted, branch(3, 4)]);
    assert_eq!(mf.block_insts(3)[0].op, Op::Nop);
    assert_eq!(mf.block_insts(3)[1], zero);

    // A way that another branch takes, too, does not begin so for that one.
    let mut entered = function(&[
        &[test(7), branch(1, 2)],
        &[load(1, 5), load(0, 1), ret()],
        &[load(1, 5), test(6), branch(1, 3)],
        &[load(0, 2), ret()],
    ]);
    run(&mut entered, size);
    assert_eq!(entered.block_insts(0), [test(7), branch(1, 2)]);
}
