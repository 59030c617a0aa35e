//! Call sites for the debugger: where each call returns to, whom it calls, and what its argument
//! registers hold in terms of what the caller's frame still tells during the call (DWARF 5, 3.4).
//!
//! An argument's value is found by a walk backward through the call's block to the instruction that
//! set the register: a constant, a callee-saved register, a spill slot, an address in the frame or
//! of a symbol. At most [`MAX_STEPS`] instructions are looked at for one call.

use ir::Function;
use object::SymbolRef;
use object::function_code::{ArgumentValue, DescribedCall, Label};
use object::{Alu, Size};
use platform::registers::{INTEGER_ARGUMENTS, RBP, RSP, Reg};

use super::flow::{increment, sum_of};
use super::ranges::Emitted;
use crate::frame::Frame;
use crate::machine::{Amode, Base, CALLER_SAVED, Callee, MInst, MachineFunction, Op, Place};

/// Instructions before a call that are looked at.
const MAX_STEPS: u32 = 64;

struct Walk<'a> {
    mf: &'a MachineFunction,
    frame: &'a Frame,
    /// First instruction of the block, and the call.
    start: u32,
    call: u32,
    /// The block is entered with the function.
    entry: bool,
}

/// The calls of a function in the order of their code.
pub fn described_calls(
    func: &Function,
    mf: &MachineFunction,
    frame: &Frame,
    emitted: &Emitted,
    offset: impl Fn(Label) -> u32,
) -> Vec<DescribedCall> {
    if func.debug.is_none() || mf.writes.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::with_capacity(emitted.calls.len());
    for &(block, call, label) in &emitted.calls {
        let inst = &mf.insts[call as usize];
        let walk = Walk { mf, frame, start: mf.blocks[block as usize].start, call, entry: block == 0 };
        let callee = match mf.calls[inst.index()].callee {
            Callee::Symbol(symbol, _) => Some(symbol.as_u32()),
            _ => None,
        };
        let operands = &mf.lists[inst.src1.0 as usize..][..inst.src2.0 as usize];
        let passed = |reg: &&Reg| {
            operands.iter().any(|o| o.role.kind == crate::machine::Kind::Use && o.vreg.0 == u32::from(reg.0))
        };
        let tail = inst.op == Op::TailCall;
        let value = |reg: &Reg| Some((reg.dwarf(), walk.value(*reg, call, tail)?));
        let arguments = INTEGER_ARGUMENTS.iter().filter(passed).filter_map(value).collect();
        let target = match mf.calls[inst.index()].callee {
            Callee::Register => walk.target(operands[0].vreg.reg(), tail),
            _ => None,
        };
        out.push(DescribedCall { after: offset(label), tail, callee, target, arguments });
    }
    out
}

impl Walk<'_> {
    /// What a register holds before instruction `before`. After a tail call the frame is gone.
    fn value(&self, reg: Reg, before: u32, tail: bool) -> Option<ArgumentValue> {
        let mut reg = reg;
        let mut at = before;
        // What has been added since, and whether only 32 bits of the sum count.
        let mut sum = Sum { offset: 0, low: false };
        let first = self.start.max(self.call.saturating_sub(MAX_STEPS));
        while at > first {
            at -= 1;
            let inst = &self.mf.insts[at as usize];
            let zeroed = self.mf.zero_before.binary_search_by_key(&at, |z| z.0);
            if zeroed.is_ok_and(|found| self.mf.zero_before[found].1.0 == u32::from(reg.0)) {
                return None;
            }
            if inst.op == Op::Nop || inst.op == Op::Args || self.mf.writes[at as usize].regs & 1 << reg.0 == 0 {
                continue;
            }
            if inst.dst.0 != u32::from(reg.0) {
                return None;
            }
            if let Some((_, offset)) = increment(inst) {
                sum = sum.after(offset, inst.size)?;
                continue;
            }
            let plain = |value: ArgumentValue| (sum.offset == 0).then_some(value);
            match source(inst) {
                Source::Register(from) => {
                    sum = sum.after(0, if sum.offset == 0 { Size::Q } else { inst.size })?;
                    if !tail && self.kept(from) && self.unchanged(from, at) {
                        return Some(sum.of(from));
                    }
                    reg = from;
                }
                Source::Integer(value) => return Some(ArgumentValue::Integer(sum.of_number(value))),
                Source::Load(mem) => return self.loaded(self.mf.amode(mem), at).filter(|_| !tail).and_then(plain),
                Source::Address(mem) => match (inst.size, sum_of(self.mf.amode(mem))) {
                    (size, Some((base, offset))) => {
                        sum = sum.after(offset.into(), size)?;
                        if !tail && self.kept(base) && self.unchanged(base, at) {
                            return Some(sum.of(base));
                        }
                        reg = base;
                    }
                    (Size::Q, None) => return self.address(self.mf.amode(mem), tail).and_then(plain),
                    _ => return None,
                },
                Source::Other => return None,
            }
        }
        let entry = self.entry && at == self.start && sum.offset == 0;
        entry.then_some(ArgumentValue::Entry(reg.dwarf()))
    }

    /// The address that is called, in a register.
    fn target(&self, reg: Reg, tail: bool) -> Option<ArgumentValue> {
        if self.kept(reg) && !tail {
            Some(ArgumentValue::Sum(reg.dwarf(), 0))
        } else {
            self.value(reg, self.call, tail)
        }
    }

    /// A register that callees keep.
    fn kept(&self, reg: Reg) -> bool {
        reg.is_gpr() && CALLER_SAVED & 1 << reg.0 == 0 && reg != RSP && (reg != RBP || !self.frame.frame_pointer)
    }

    /// Whether a register is not written after instruction `at` before the call.
    fn unchanged(&self, reg: Reg, at: u32) -> bool {
        (at + 1..self.call).all(|i| self.mf.writes[i as usize].regs & 1 << reg.0 == 0)
    }

    /// A load from a spill slot that is not written until the call: nothing else writes it.
    fn loaded(&self, amode: &Amode, at: u32) -> Option<ArgumentValue> {
        let Base::Spill(slot) = amode.base else { return None };
        let kept = (at + 1..self.call).all(|i| self.mf.writes[i as usize].slot != slot + 1);
        let (reg, offset) = self.frame.resolve(amode.base);
        let offset = i32::try_from(offset).ok()?.checked_add(amode.disp)?;
        kept.then_some(ArgumentValue::Deref(reg.dwarf(), offset))
    }

    fn address(&self, amode: &Amode, tail: bool) -> Option<ArgumentValue> {
        if amode.index.is_some() {
            return None;
        }
        match (amode.place, amode.base) {
            (Place::Rip(symbol) | Place::Absolute(symbol), Base::None) => {
                Some(ArgumentValue::Address(SymbolRef(symbol).module_index()?, amode.disp.into()))
            }
            (Place::None, Base::Slot(_) | Base::Spill(_) | Base::Incoming) if !tail => {
                let (reg, offset) = self.frame.resolve(amode.base);
                Some(ArgumentValue::Sum(reg.dwarf(), i32::try_from(offset).ok()?.checked_add(amode.disp)?))
            }
            _ => None,
        }
    }
}

/// A number added to a register; of the low 32 bits, zeros follow.
#[derive(Clone, Copy)]
struct Sum {
    offset: i64,
    low: bool,
}

impl Sum {
    /// With what an earlier instruction of a size adds.
    fn after(self, offset: i64, size: Size) -> Option<Sum> {
        // A later addition of 64 bits would carry out of the low ones.
        let carries = size == Size::D && !self.low && self.offset != 0;
        let offset = self.offset.checked_add(offset).filter(|&o| i32::try_from(o).is_ok())?;
        (!carries).then_some(Sum { offset, low: self.low || size == Size::D })
    }

    fn of(self, reg: Reg) -> ArgumentValue {
        let offset = self.offset as i32;
        if self.low { ArgumentValue::Low(reg.dwarf(), offset) } else { ArgumentValue::Sum(reg.dwarf(), offset) }
    }

    fn of_number(self, number: i64) -> i64 {
        let sum = number.wrapping_add(self.offset);
        if self.low { (sum as u32).into() } else { sum }
    }
}

/// What an instruction that sets its destination sets it to.
enum Source {
    Register(Reg),
    Integer(i64),
    Load(crate::machine::MemId),
    Address(crate::machine::MemId),
    Other,
}

fn source(inst: &MInst) -> Source {
    let wide = inst.size == Size::Q || inst.size == Size::D;
    match inst.op {
        Op::Mov if wide && inst.mem.is_some() => Source::Load(inst.mem),
        Op::Mov if wide && inst.src2.is_some() && inst.src2.spill_slot().is_none() && !inst.src2.is_virtual() => {
            Source::Register(inst.src2.reg())
        }
        Op::Mov if inst.src2.is_some() => Source::Other,
        Op::Mov if inst.size == Size::Q => Source::Integer(inst.immediate().into()),
        Op::Mov if inst.size == Size::D => Source::Integer((inst.immediate() as u32).into()),
        Op::MovAbs => Source::Integer(inst.imm64()),
        Op::Alu if inst.alu_op() == Alu::Xor && inst.src1 == inst.src2 && !inst.mem.is_some() => Source::Integer(0),
        Op::Lea if wide => Source::Address(inst.mem),
        Op::Address => Source::Address(inst.mem),
        _ => Source::Other,
    }
}
