//! Terminators other than returns, and the phi copies before them.

use cranelift_entity::EntityRef;
use ir::{Block, Inst, InstData, Opcode, Value};
use object::Size;
use smallvec::SmallVec;

use super::{compare::condition, constants, context::Ctx, read_modify_write::flags_of_stored, x87};
use crate::machine::{ListOperand, MInst, Op, bits};

/// The terminator of a block.
pub fn select_terminator(cx: &mut Ctx, inst: Inst, data: &InstData) {
    match data.opcode {
        Opcode::Br => {
            phi_copies(cx);
            jump(cx, data.dest());
        }
        Opcode::CondBr => conditional(cx, data),
        Opcode::Switch => super::switch::select_switch(cx, data),
        Opcode::IndirectBr => {
            let list = cx.func.indirect_targets(inst).iter().map(|b| b.as_u32()).collect();
            indirect(cx, cx.arg(data, 0), list);
        }
        Opcode::AsmBr => super::asm::select_asm(cx, inst),
        Opcode::Ret => super::call::select_return(cx, inst),
        Opcode::Unreachable => cx.push(MInst::new(Op::Unreachable, Size::D)),
        other => base::bug!("{} ends no block", other.name()),
    }
}

/// A jump to an IR block.
pub fn jump(cx: &mut Ctx, target: Block) {
    jump_to(cx, target.as_u32());
}

/// A jump to a machine block.
pub fn jump_to(cx: &mut Ctx, target: u32) {
    cx.push(MInst::jmp(target));
}

fn conditional(cx: &mut Ctx, data: &InstData) {
    let (then, otherwise) = data.dests();
    let cond = cx.arg(data, 0);
    if then == otherwise {
        return jump(cx, then);
    }
    if let Some(bits) = cx.func.const_bits(cond) {
        return jump(cx, if bits != 0 { then } else { otherwise });
    }
    if let Some(cond) = flags_of_stored(cx, cond) {
        return cx.push(MInst::jcc(cond, then.as_u32(), otherwise.as_u32()));
    }
    let flags = condition(cx, cond);
    cx.push(MInst::jcc(flags.cond, then.as_u32(), otherwise.as_u32()).with_bits(flags.parity));
}

fn indirect(cx: &mut Ctx, address: Value, targets: Vec<u32>) {
    cx.out.jump_targets.push(targets);
    cx.out.list_tables.push(None);
    let index = cx.out.jump_targets.len() - 1;
    if !crate::branches::in_register(cx.cx, cx.func)
        && let Some((_, load)) = cx.foldable_load(address)
    {
        let amode = super::address::address(cx, cx.arg(&load, 0));
        return cx.push_mem(MInst::new(Op::JmpInd, Size::Q).with_index(index), amode);
    }
    let target = cx.reg(address);
    cx.push(MInst::new(Op::JmpInd, Size::Q).src2(target).with_index(index));
}

/// The copies of the block's outgoing edge: registers in parallel, x87 slots, then constants.
fn phi_copies(cx: &mut Ctx) {
    let copies = cx.phis.copies_at_end(cx.block);
    if copies.is_empty() {
        return;
    }
    let mut pairs: SmallVec<[ListOperand; 8]> = SmallVec::new();
    let mut slots: SmallVec<[(Value, Value); 4]> = SmallVec::new();
    let mut constants_: SmallVec<[(Value, Value); 4]> = SmallVec::new();
    for copy in copies {
        let (phi, src) = (copy.phi, copy.src);
        let ty = cx.ty(phi);
        if x87::is_x87(ty) {
            slots.push((phi, src));
        } else if cx.func.constant(src).is_some() {
            constants_.push((phi, src));
        } else {
            let to = cx.result(phi);
            if cx.held_wide(phi) {
                let from = cx.wide_reg(src);
                pairs.extend(ListOperand::copy(to, from));
                continue;
            }
            let from = cx.reg(src);
            for part in 0..cx.parts(ty) {
                pairs.extend(ListOperand::copy(to.part(part), from.part(part)));
            }
        }
    }
    if !slots.is_empty() {
        x87::parallel_copy(cx, &slots);
    }
    match pairs.len() {
        0 => {}
        2 => {
            let (src, dst) = (pairs[0].vreg, pairs[1].vreg);
            if dst != src {
                cx.push(MInst::new(Op::Copy, Size::Q).dst(dst).src2(src).with_bits(bits::PHI_COPY));
            }
        }
        _ => cx.push_list(MInst::new(Op::ParallelCopy, Size::Q), &pairs),
    }
    for (phi, src) in constants_ {
        let to = cx.result(phi);
        if cx.held_wide(phi) {
            let from = cx.wide_reg(src);
            cx.copy(to, from);
        } else {
            constants::make_constant(cx, src, to);
        }
    }
    debug_assert!(cx.block.index() < cx.func.num_blocks());
}
