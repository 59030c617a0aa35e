//! Tests of the table of flags, with a model of the processor's for operations of eight bits.

use super::*;

/// Carry, zero, sign, overflow; parity is that of the result as after `test`.
type Flags = (bool, bool, bool, bool);

fn holds(cond: Cond, (carry, zero, sign, overflow): Flags, result: u8) -> bool {
    match cond {
        Cond::O => overflow,
        Cond::NO => !overflow,
        Cond::B => carry,
        Cond::AE => !carry,
        Cond::E => zero,
        Cond::NE => !zero,
        Cond::BE => carry || zero,
        Cond::A => !carry && !zero,
        Cond::S => sign,
        Cond::NS => !sign,
        Cond::P => result.count_ones().is_multiple_of(2),
        Cond::NP => !result.count_ones().is_multiple_of(2),
        Cond::L => sign != overflow,
        Cond::GE => sign == overflow,
        Cond::LE => zero || sign != overflow,
        Cond::G => !zero && sign == overflow,
    }
}

/// The result of an operation, with the carry and overflow that it leaves; several where the
/// manual leaves them open.
fn execute(inst: &MInst, a: u8, b: u8) -> (u8, Vec<(bool, bool)>) {
    let any = || [(false, false), (false, true), (true, false), (true, true)].to_vec();
    let sum = |carry: u8| {
        let (wide, signed) = (
            u16::from(a) + u16::from(b) + u16::from(carry),
            i16::from(a as i8) + i16::from(b as i8) + i16::from(carry),
        );
        (wide as u8, vec![(wide > 255, i8::try_from(signed).is_err())])
    };
    let difference = |borrow: u8| {
        let (wide, signed) = (
            i16::from(a) - i16::from(b) - i16::from(borrow),
            i16::from(a as i8) - i16::from(b as i8) - i16::from(borrow),
        );
        (wide as u8, vec![(wide < 0, i8::try_from(signed).is_err())])
    };
    match inst.op {
        Op::Alu => match inst.alu_op() {
            Alu::Add => sum(0),
            Alu::Adc => sum(1),
            Alu::Sub | Alu::Cmp => difference(0),
            Alu::Sbb => difference(1),
            Alu::And => (a & b, vec![(false, false)]),
            Alu::Or => (a | b, vec![(false, false)]),
            Alu::Xor => (a ^ b, vec![(false, false)]),
        },
        Op::Shift => match inst.shift_op() {
            Shift::Shl => (a << inst.immediate(), any()),
            Shift::Shr => (a >> inst.immediate(), any()),
            _ => ((a as i8 >> inst.immediate()) as u8, any()),
        },
        _ => match inst.unary_op() {
            Unary::Inc => (a.wrapping_add(1), any()),
            Unary::Dec => (a.wrapping_sub(1), any()),
            _ => (a.wrapping_neg(), any()),
        },
    }
}

/// For all operands: where a condition is kept or exchanged, it holds after the operation exactly
/// where the old one holds after `test` of the result.
#[test]
fn conditions_hold_after_the_operation_as_after_test() {
    let alu = [Alu::Add, Alu::Adc, Alu::Sub, Alu::Sbb, Alu::And, Alu::Or, Alu::Xor];
    let mut operations: Vec<MInst> = alu.into_iter().map(|op| MInst::alu(op, Size::B)).collect();
    for op in [Shift::Shl, Shift::Shr, Shift::Sar] {
        operations.extend((1..8).map(|by| MInst::shift(op, Size::B).imm(by)));
    }
    operations.extend([Unary::Inc, Unary::Dec, Unary::Neg].map(|op| MInst::unary(op, Size::B)));
    for inst in &operations {
        let sets = sets_flags_from(inst).expect("sets them from its result");
        let is_sum = inst.op == Op::Alu && matches!(inst.alu_op(), Alu::Add | Alu::Sub);
        for (a, b) in (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))) {
            let (result, rest) = execute(inst, a, b);
            let (zero, sign) = (result == 0, result > 127);
            for (carry, overflow) in rest {
                let check = |sets: &Sets| {
                    for cond in Cond::ALL {
                        let Some(new) = condition_after(sets, cond) else { continue };
                        let before = holds(cond, (false, zero, sign, false), result);
                        let after = holds(new, (carry, zero, sign, overflow), result);
                        assert_eq!(before, after, "{inst:?} {a} {b}: {cond:?} as {new:?}");
                    }
                };
                check(&sets);
                if is_sum && !overflow {
                    check(&Sets::Signed);
                }
            }
        }
    }
}

/// The carry of `add r, -1` says what `cmp r, -1` says of the sum.
#[test]
fn the_carry_of_a_step_down_stands_for_a_comparison() {
    for a in 0..=255u8 {
        let result = a.wrapping_sub(1);
        let compared = (result < 255, result == 255, result.wrapping_sub(255) > 127, false);
        let carry = a != 0;
        for cond in Cond::ALL {
            let Some(new) = condition_after(&Sets::CarryUnlessMinusOne, cond) else { continue };
            let stepped = (carry, result == 0, result > 127, a == 128);
            assert_eq!(holds(cond, compared, result), holds(new, stepped, result), "{a}: {cond:?} as {new:?}");
        }
    }
}

/// What does not set the flags from its result, or not always, is not taken for a `test`.
#[test]
fn other_operations_set_no_flags() {
    let others = [
        MInst::unary(Unary::Not, Size::D),
        MInst::shift(Shift::Rol, Size::D).imm(3),
        MInst::shift(Shift::Shl, Size::D).imm(0),
        MInst::shift(Shift::Shl, Size::D).src2(VReg::new(0)),
        MInst::new(Op::Mov, Size::D),
        MInst::new(Op::Lea, Size::D),
    ];
    assert!(others.iter().all(|inst| sets_flags_from(inst).is_none()));
}

#[test]
fn one_bit_is_tested_by_its_number() {
    let jump_after = |size: Size, mask: i32| {
        let test = MInst::new(Op::Test, size).src1(VReg(0)).imm(mask).with_bits(bits::FLAGS_LIVE);
        let insts = [test, MInst::jcc(Cond::NE, 0, 0)];
        let mut mf = MachineFunction::of_blocks([(&insts[..], 1.0, 0)]);
        run(&mut mf, true, true);
        (mf.insts[0].op, mf.insts[0].immediate(), mf.insts[1].cond)
    };
    assert_eq!(jump_after(Size::D, 0x400), (Op::BitTest, 10, Cond::B));
    assert_eq!(jump_after(Size::D, i32::MIN), (Op::BitTest, 31, Cond::B));
    // With sign, that is 33 bits; here it is a byte, or more than one bit.
    assert_eq!(jump_after(Size::Q, i32::MIN), (Op::Test, i32::MIN, Cond::NE));
    assert_eq!(jump_after(Size::D, 0x80), (Op::Test, 0x80, Cond::NE));
    assert_eq!(jump_after(Size::D, 0x600), (Op::Test, 0x600, Cond::NE));
}
