//! Which machine instructions read and write the condition flags.

use crate::machine::{MInst, Op};

/// Whether the instruction reads the condition flags.
pub fn reads_flags(inst: &MInst) -> bool {
    use object::Alu;
    match inst.op {
        Op::Jcc | Op::Setcc | Op::SetccZx | Op::SetccM | Op::Cmov | Op::XmmSelect => true,
        Op::Alu | Op::AluM => inst.code == Alu::Adc as u16 || inst.code == Alu::Sbb as u16,
        _ => false,
    }
}

/// Whether the instruction leaves other flags than it found (or may).
pub fn writes_flags(inst: &MInst) -> bool {
    if inst.op == Op::X87R {
        return inst.code >= crate::machine::X87Reg::UcomiPop2 as u16;
    }
    !matches!(
        inst.op,
        Op::Nop
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
            | Op::Keep
            | Op::BlockAddress
            | Op::GetSp
            | Op::GetFp
    )
}
