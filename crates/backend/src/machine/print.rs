//! Text of machine code for dumps (`--print-after=select`, `--emit=mir`).
//!
//! One instruction a line: `dst = op.size.code src1, rm`. Virtual registers are `%n`, physical ones
//! have their names.

use std::fmt::Write;

use object::encode::Unary;

use super::{
    AsmPlaceholder, Callee, DoubleShift, MachineFunction,
    amode::{Amode, Base, Place},
    inst::{MInst, VReg, bits},
    op::Op,
    operands::{Constraint, has_list},
};

/// The whole function.
pub fn function_text(mf: &MachineFunction, name: &str) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "machine function {name}:");
    for (index, slot) in mf.slots.iter().enumerate() {
        let _ = writeln!(out, "  slot{index}: {} bytes, align {}, colour {}", slot.size, slot.align, slot.colour);
    }
    for (index, block) in mf.blocks.iter().enumerate() {
        let _ = write!(out, "mb{index}:");
        if let Some(ir) = block.ir_block {
            let _ = write!(out, " ; {ir}");
        }
        let _ = writeln!(out, " freq {:.3} depth {} preds {:?}", block.frequency, block.loop_depth, &block.preds[..]);
        for inst in mf.block_insts(index) {
            let _ = writeln!(out, "    {}", inst_text(mf, inst));
        }
    }
    out
}

/// One instruction.
pub fn inst_text(mf: &MachineFunction, inst: &MInst) -> String {
    let mut out = String::new();
    if inst.dst.is_some() {
        let _ = write!(out, "{:?} = ", inst.dst);
    }
    let _ = write!(out, "{:?}.{:?}", inst.op, inst.size);
    if let Some(code) = code_text(inst) {
        let _ = write!(out, ".{code}");
    }
    match inst.op {
        Op::Jmp => {
            let _ = write!(out, " mb{}", inst.target());
            return out;
        }
        Op::Jcc => {
            let _ = write!(out, ".{} mb{} else mb{}", inst.cond.suffix(), inst.target(), inst.else_block());
            flag_text(&mut out, inst);
            return out;
        }
        Op::MovAbs => {
            let _ = write!(out, " {:#x}", inst.imm64());
            return out;
        }
        _ => {}
    }
    if matches!(inst.op, Op::Setcc | Op::SetccZx | Op::SetccM | Op::Cmov | Op::XmmSelect) {
        let _ = write!(out, ".{}", inst.cond.suffix());
    }
    if has_list(inst.op) {
        list_text(&mut out, mf, inst);
        return out;
    }
    let mut separator = " ";
    let mut item = |text: String| {
        out.push_str(separator);
        out.push_str(&text);
        separator = ", ";
    };
    if inst.src1.is_some() {
        item(format!("{:?}", inst.src1));
    }
    if inst.mem.is_some() {
        item(amode_text(mf.amode(inst.mem)));
    }
    if inst.src2.is_some() {
        item(format!("{:?}", inst.src2));
    }
    if inst.immediate() != 0 || (inst.src2.is_none() && !inst.mem.is_some()) {
        match inst.op {
            Op::MulWide | Op::Div | Op::Fma | Op::Rdtsc => item(format!("aux {:?}", inst.aux())),
            _ => item(format!("{}", inst.immediate())),
        }
    }
    flag_text(&mut out, inst);
    out
}

fn flag_text(out: &mut String, inst: &MInst) {
    for (bit, name) in [
        (bits::FLAGS_LIVE, "flags_live"),
        (bits::LOCK, "lock"),
        (bits::OR_PARITY, "or_parity"),
        (bits::AND_NO_PARITY, "and_no_parity"),
        (bits::EDIT, "edit"),
    ] {
        if inst.bits & bit != 0 {
            let _ = write!(out, " !{name}");
        }
    }
}

fn code_text(inst: &MInst) -> Option<String> {
    Some(match inst.op {
        Op::Alu | Op::AluM => format!("{:?}", inst.alu_op()).to_lowercase(),
        Op::Shift | Op::ShiftM | Op::ShiftX => format!("{:?}", inst.shift_op()).to_lowercase(),
        Op::Xmm | Op::XmmUn | Op::XmmStore | Op::XmmCmp | Op::GprToXmm | Op::XmmToGpr | Op::XmmInsert => {
            format!("{:?}", inst.sse_op())
        }
        Op::XmmShift => format!("{:?}", inst.sse_shift_op()),
        Op::Unary | Op::UnaryM => format!("{:?}", inst.unary_op()),
        Op::Scan => format!("{:?}", inst.scan_op()),
        Op::X87M => format!("{:?}", inst.x87_mem()),
        Op::X87R => format!("{:?}", inst.x87_reg()),
        Op::MovZx | Op::MovSx => format!("from{}", inst.from_size().bits()),
        Op::MulWide | Op::Div if matches!(inst.unary_op(), Unary::Imul | Unary::Idiv) => "signed".into(),
        Op::DoubleShift => match inst.double_shift_op() {
            DoubleShift::Left | DoubleShift::LeftBy => "shld".into(),
            DoubleShift::Right | DoubleShift::RightBy => "shrd".into(),
        },
        _ => return None,
    })
}

fn list_text(out: &mut String, mf: &MachineFunction, inst: &MInst) {
    match inst.op {
        Op::Call | Op::TailCall => match mf.calls[inst.index()].callee {
            Callee::Symbol(symbol, _) => {
                let _ = write!(out, " {symbol}");
            }
            Callee::Library(name, _) => {
                let _ = write!(out, " {name}");
            }
            Callee::Register => out.push_str(" *reg"),
            Callee::Memory => {
                let _ = write!(out, " *{}", amode_text(mf.amode(inst.mem)));
            }
        },
        Op::Asm | Op::AsmGoto => {
            for place in &mf.asms[inst.index()].places {
                match place {
                    AsmPlaceholder::Memory(mem) => {
                        let _ = write!(out, " {}", amode_text(mf.amode(*mem)));
                    }
                    other => {
                        let _ = write!(out, " {other:?}");
                    }
                }
            }
        }
        _ => {}
    }
    let range = inst.list();
    for operand in &mf.lists[range] {
        let _ = write!(out, " {:?}:{:?}", operand.role.kind, operand.vreg);
        match operand.role.constraint {
            Constraint::Fixed(reg) => {
                let _ = write!(out, "@{reg:?}");
            }
            Constraint::Reuse(index) => {
                let _ = write!(out, "@op{index}");
            }
            _ => {}
        }
    }
}

/// A memory operand.
pub fn amode_text(amode: &Amode) -> String {
    let mut parts = Vec::new();
    match amode.place {
        Place::None => {}
        place => parts.push(format!("{place:?}")),
    }
    match amode.base {
        Base::None => {}
        Base::Reg(reg) => parts.push(format!("{reg:?}")),
        Base::Slot(slot) => parts.push(format!("slot{slot}")),
        Base::Spill(slot) => parts.push(format!("spill{slot}")),
        Base::Incoming => parts.push("incoming".into()),
        Base::Outgoing => parts.push("outgoing".into()),
    }
    if amode.index != VReg::NONE {
        parts.push(format!("{:?}*{}", amode.index, 1 << amode.shift));
    }
    if amode.disp != 0 || parts.is_empty() {
        parts.push(amode.disp.to_string());
    }
    format!("[{}]", parts.join(" + "))
}
