//! Which machine instructions read and write the condition flags.

use object::encode::Vex;

use super::{MInst, Op};

/// Whether the instruction reads the condition flags.
pub fn reads_flags(inst: &MInst) -> bool {
    use object::Alu;
    match inst.op {
        Op::Jcc | Op::Setcc | Op::SetccZx | Op::SetccM | Op::CarryMask | Op::Cmov | Op::XmmSelect => true,
        Op::Alu | Op::AluM => matches!(inst.alu_op(), Alu::Adc | Alu::Sbb),
        _ => false,
    }
}

/// Whether the instruction leaves other flags than it found (or may).
pub fn writes_flags(inst: &MInst) -> bool {
    match inst.op {
        Op::X87R => return inst.x87_reg().is_compare(),
        Op::Vex if matches!(inst.vex_op(), Vex::Andn | Vex::Bextr | Vex::Bzhi) => return true,
        _ => {}
    }
    !matches!(
        inst.op,
        Op::Nop
            | Op::Keep
            | Op::Copy
            | Op::ParallelCopy
            | Op::Mov
            | Op::MovAbs
            | Op::MovZx
            | Op::MovSx
            | Op::Lea
            | Op::Address
            | Op::Store
            | Op::StoreNt
            | Op::LoadSwapped
            | Op::StoreSwapped
            | Op::ShiftX
            | Op::RorX
            | Op::Setcc
            | Op::SetccZx
            | Op::SetccM
            | Op::Cmov
            | Op::Bswap
            | Op::Xmm
            | Op::XmmUn
            | Op::XmmStore
            | Op::MaskedStore
            | Op::XmmZero
            | Op::XmmOnes
            | Op::XmmShift
            | Op::GprToXmm
            | Op::XmmToGpr
            | Op::XmmInsert
            | Op::XmmSelect
            | Op::Fma
            | Op::Vex
            | Op::X87M
            | Op::X87
            | Op::Jmp
            | Op::Jcc
            | Op::Args
            | Op::BlockAddress
            | Op::GetSp
            | Op::GetFp
    )
}
