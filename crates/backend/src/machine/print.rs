//! Text of machine code for dumps (`--print-after=select`, `--emit=mir`).
//!
//! One instruction a line: `dst = op.size.code src1, rm`. Virtual registers are `%n`, physical ones
//! have their names.

use std::fmt::Write;

use super::{
    AsmPlaceholder, Callee, MachineFunction,
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
            let _ = write!(out, " mb{}", inst.imm);
            return out;
        }
        Op::Jcc => {
            let _ = write!(out, ".{} mb{} else mb{}", inst.cond.suffix(), inst.imm, inst.else_block());
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
    if inst.imm != 0 || (inst.src2.is_none() && !inst.mem.is_some()) {
        match inst.op {
            Op::MulWide | Op::Div | Op::Fma | Op::Rdtsc => item(format!("aux {:?}", inst.aux())),
            _ => item(format!("{}", inst.imm)),
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
    use object::{
        Alu, Shift,
        encode::{Sse, sse::SseShift},
    };
    Some(match inst.op {
        Op::Alu | Op::AluM => {
            const NAMES: [&str; 8] = ["add", "or", "adc", "sbb", "and", "sub", "xor", "cmp"];
            let _ = Alu::Add;
            NAMES[inst.code as usize & 7].into()
        }
        Op::Shift | Op::ShiftM | Op::ShiftX => {
            const NAMES: [&str; 8] = ["rol", "ror", "rcl", "rcr", "shl", "shr", "sal", "sar"];
            let _ = Shift::Shl;
            NAMES[inst.code as usize & 7].into()
        }
        Op::Xmm | Op::XmmUn | Op::XmmStore | Op::XmmCmp | Op::GprToXmm | Op::XmmToGpr | Op::XmmInsert => {
            format!("{:?}", Sse::ALL[inst.code as usize])
        }
        Op::XmmShift => {
            let _ = SseShift::Psllq;
            format!("{:#x}", inst.code)
        }
        Op::Unary | Op::UnaryM => format!("{:?}", super::UnaryCode::from_code(inst.code)),
        Op::Scan => format!("{:?}", super::ScanCode::from_code(inst.code)),
        Op::X87M => format!("{:?}", super::X87Mem::from_code(inst.code)),
        Op::X87R => format!("{:?}", super::X87Reg::from_code(inst.code)),
        Op::MovZx | Op::MovSx => format!("from{}", 8u32 << inst.code),
        Op::MulWide | Op::Div if inst.code == 1 => "signed".into(),
        Op::DoubleShift => if inst.code & 1 == 0 { "shld" } else { "shrd" }.into(),
        _ => return None,
    })
}

fn list_text(out: &mut String, mf: &MachineFunction, inst: &MInst) {
    match inst.op {
        Op::Call | Op::TailCall => match mf.calls[inst.imm as usize].callee {
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
            for place in &mf.asms[inst.imm as usize].places {
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
    let (start, count) = (inst.src1.0 as usize, inst.src2.0 as usize);
    for operand in &mf.lists[start..start + count] {
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
