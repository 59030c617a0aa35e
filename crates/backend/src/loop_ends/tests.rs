//! Tests of `loop_ends`.

use super::*;
use crate::machine::VReg;
use object::{Cond, Size};

const SPEED: Aim = Aim { size: false, epilogue: 0 };

fn branch(then: u32, otherwise: u32) -> MInst {
    MInst::jcc(Cond::E, then, otherwise)
}

fn jump(to: u32) -> MInst {
    MInst::jmp(to)
}

fn test(reg: u32) -> MInst {
    MInst::new(Op::Test, Size::D).src1(VReg(reg)).src2(VReg(reg))
}

/// A loop of b0 (header), b1 and b2 (its end), and b3, which is reached from b0 and jumps to
/// the end; b4 is after it.
fn loop_with_arm(arm: f32) -> MachineFunction {
    let code: [(&[MInst], f32, u16); 5] = [
        (&[test(1), branch(3, 1)], 9.0, 1),
        (&[test(2), jump(2)], 9.0 - arm, 1),
        (&[test(3), branch(0, 4)], 9.0, 1),
        (&[test(4), jump(2)], arm, 1),
        (&[MInst::new(Op::Ret, Size::Q).with_list(0, 0)], 1.0, 0),
    ];
    let mut mf = MachineFunction::of_blocks(code);
    mf.blocks[0].loop_header = true;
    mf
}

#[test]
fn an_end_is_repeated_behind_the_arm_that_jumps_to_it() {
    let mut mf = loop_with_arm(4.0);
    run(&mut mf, SPEED);
    assert_eq!(mf.order, [0, 1, 2, 3, 5, 4]);
    assert_eq!(mf.block_insts(3).last().expect("a jump").target(), 5);
    assert_eq!(mf.block_insts(5), mf.block_insts(2));
}

#[test]
fn arms_that_seldom_run_jump() {
    let mut mf = loop_with_arm(0.1);
    run(&mut mf, SPEED);
    assert_eq!(mf.order, [0, 1, 2, 3, 4]);
}

#[test]
fn an_end_that_every_jump_has_a_copy_of_goes() {
    let mut mf = loop_with_arm(4.0);
    mf.order = vec![0, 1, 3, 4, 2];
    run(&mut mf, SPEED);
    assert_eq!(mf.order, [0, 1, 5, 3, 6, 4]);
    assert_eq!(mf.block_insts(1).last().expect("a jump").target(), 5);
    assert_eq!(mf.block_insts(3).last().expect("a jump").target(), 6);
}

/// Two ways to a block that returns after some steps; the first one jumps.
fn with_return(steps: usize, way: f32) -> MachineFunction {
    let mut end = vec![MInst::new(Op::Mov, Size::D).dst(VReg(0)).imm(7); steps];
    end.push(MInst::new(Op::Ret, Size::Q).with_list(0, 0));
    let code: [(&[MInst], f32, u16); 4] = [
        (&[test(1), branch(2, 1)], 1.0, 0),
        (&[test(2), jump(3)], way, 0),
        (&[test(3), jump(3)], 1.0 - way, 0),
        (&end, 1.0, 0),
    ];
    MachineFunction::of_blocks(code)
}

#[test]
fn short_returns_are_repeated() {
    let repeated = |steps, way, aim| {
        let mut mf = with_return(steps, way);
        run(&mut mf, aim);
        mf.order == [0, 1, 4, 2, 3]
    };
    let size = Aim { size: true, epilogue: 0 };
    assert!(repeated(0, 0.01, SPEED) && repeated(0, 0.01, size));
    assert!(repeated(2, 0.5, SPEED) && !repeated(2, 0.5, size) && !repeated(2, 0.1, SPEED));
    assert!(!repeated(6, 0.5, SPEED) && !repeated(2, 0.5, Aim { epilogue: 12, ..SPEED }));
}
