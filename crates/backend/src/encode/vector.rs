//! Instructions on SSE registers to bytes: the legacy encodings, or the VEX ones in functions that
//! may use AVX.
//!
//! Under VEX nothing is overwritten but the destination, memory operands need no alignment, and the
//! upper half of the register is cleared by 128-bit instructions. [`bits::WIDE`] asks for 256 bits.

use object::{
    Cond, Rm, Size,
    encode::{Sse, Vex, vex::VexLength},
};
use platform::options::X86Features;
use platform::registers::{RAX, Reg};

use super::{Emitter, r};
use crate::machine::{MInst, MachineFunction, Op, bits};

fn length(inst: &MInst) -> VexLength {
    match inst.bits & bits::WIDE != 0 {
        true => VexLength::L256,
        false => VexLength::L128,
    }
}

/// The blocks that may be entered with upper halves in use.
pub fn entered_wide(mf: &MachineFunction) -> Vec<bool> {
    let mut wide = vec![false; mf.blocks.len()];
    let any = mf.insts.iter().any(|inst| inst.bits & bits::WIDE != 0);
    let mut work: Vec<usize> = if any { (0..mf.blocks.len()).collect() } else { Vec::new() };
    while let Some(number) = work.pop() {
        let block = &mf.blocks[number];
        let insts = &mf.insts[block.start as usize..block.end as usize];
        if insts.iter().fold(wide[number], wide_after) {
            let entered = block.succs.iter().map(|&to| to as usize);
            work.extend(entered.filter(|&to| !std::mem::replace(&mut wide[to], true)));
        }
    }
    wide
}

/// Whether upper halves may be in use after an instruction. Functions clear them before they
/// return, unless the result fills a whole register.
pub fn wide_after(before: bool, inst: &MInst) -> bool {
    let wide = inst.bits & bits::WIDE != 0;
    if inst.op == Op::Call { wide } else { before || wide }
}

/// Before a call or a return: `vzeroupper`, unless values travel in whole registers. The lower
/// halves stay.
pub fn leave(e: &mut Emitter<'_>, inst: &MInst) {
    if e.wide && inst.bits & bits::WIDE == 0 {
        e.buf.vzeroupper();
    }
}

/// The immediate, if the instruction has one.
fn immediate(inst: &MInst) -> Option<u8> {
    inst.sse_op().has_immediate().then_some(inst.imm8())
}

fn is_move(op: Sse) -> bool {
    matches!(op, Sse::Movaps | Sse::Movss | Sse::Movsd | Sse::Movups)
}

/// One instruction.
pub fn emit(e: &mut Emitter<'_>, inst: &MInst) {
    match inst.op {
        Op::Vex | Op::VexCmp => return vex_only(e, inst),
        Op::MaskedStore => {
            let mem = e.mem(inst.mem);
            return e.buf.vex_rrx(inst.vex_op(), length(inst), r(inst.src2), Some(r(inst.src1)), mem);
        }
        Op::Fma => {
            let operand = e.mem_or(inst, inst.aux());
            return e.buf.vex_rrx(inst.vex_op(), length(inst), r(inst.dst), Some(r(inst.src2)), operand);
        }
        Op::XmmSelect => return xmm_select(e, inst),
        Op::SaveXmms => return save_xmms(e, inst),
        Op::StringCompare => {
            let start = inst.list().start;
            let (a, b) = (r(e.mf.lists[start + 1].vreg), r(e.mf.lists[start + 2].vreg));
            return match e.avx {
                true => e.buf.vex(inst.sse_op(), VexLength::L128, (a, None), b, Some(inst.imm8())),
                false => e.buf.sse(inst.sse_op(), Size::D, a, b, Some(inst.imm8())),
            };
        }
        _ => {}
    }
    let coded = !matches!(inst.op, Op::XmmZero | Op::XmmOnes | Op::XmmShift);
    if e.avx && !(coded && inst.sse_op().is_legacy_only()) { avx(e, inst) } else { legacy(e, inst) }
}

fn vex_only(e: &mut Emitter<'_>, inst: &MInst) {
    let op = inst.vex_op();
    let length = if inst.size == Size::Q { VexLength::W64 } else { length(inst) };
    let operands = match inst.op {
        Op::VexCmp => (r(inst.src1), None),
        _ => (r(inst.dst), inst.src1.is_some().then(|| r(inst.src1))),
    };
    let imm = op.has_immediate().then_some(inst.imm8());
    let from = e.rm(inst);
    if op == Vex::Vcvtps2ph || op == Vex::Vextractf128 || op == Vex::Vextracti128 {
        // The `reg` operand is the source.
        return e.buf.vex(op, length, (r(inst.src2), None), r(inst.dst), Some(inst.imm8()));
    }
    e.buf.vex(op, length, operands, from, imm);
}

/// The VEX encodings.
fn avx(e: &mut Emitter<'_>, inst: &MInst) {
    let length = length(inst);
    match inst.op {
        Op::XmmZero => {
            let dst = r(inst.dst);
            e.buf.vex_rrx(Sse::Pxor, VexLength::L128, dst, Some(dst), dst);
        }
        Op::XmmOnes => {
            let dst = r(inst.dst);
            if length == VexLength::L128 || e.cx.features(e.func).has(X86Features::AVX2) {
                e.buf.vex_rrx(Sse::Pcmpeqd, length, dst, Some(dst), dst);
            } else {
                // "True" as a predicate.
                e.buf.vex(Sse::Cmpps, length, (dst, Some(dst)), dst, Some(0xf));
            }
        }
        Op::XmmShift => e.buf.vex_shift(inst.sse_shift_op(), length, r(inst.dst), r(inst.src1), inst.imm8()),
        Op::Blend => {
            let mask = r(inst.aux()).encoding() << 4;
            e.buf.vex(inst.sse_op(), length, (r(inst.dst), Some(r(inst.src1))), r(inst.src2), Some(mask));
        }
        Op::XmmStore => {
            let (mem, op) = (e.mem(inst.mem), inst.sse_op());
            e.buf.vex(op, length, (r(inst.src2), None), mem, op.has_immediate().then_some(inst.imm8()));
        }
        Op::XmmCmp => {
            let from = e.rm(inst);
            e.buf.vex_rrx(inst.sse_op(), length, r(inst.src1), None, from);
        }
        Op::GprToXmm => avx_gpr_to_xmm(e, inst),
        Op::XmmToGpr => avx_xmm_to_gpr(e, inst),
        Op::XmmInsert => {
            let operands = (r(inst.dst), Some(r(inst.src1)));
            let from = e.rm(inst);
            e.buf.vex(inst.sse_op(), VexLength::from(inst.size), operands, from, immediate(inst));
        }
        _ => avx_operation(e, inst, length),
    }
}

fn avx_operation(e: &mut Emitter<'_>, inst: &MInst, length: VexLength) {
    let (op, dst, imm) = (inst.sse_op(), r(inst.dst), immediate(inst));
    if inst.op == Op::Xmm {
        let src1 = (!op.has_one_source()).then(|| r(inst.src1));
        let from = e.rm(inst);
        return e.buf.vex(op, length, (dst, src1), from, imm);
    }
    let is_move = is_move(op);
    if is_move && !inst.mem.is_some() {
        // Plain moves between registers copy the whole register.
        let src = r(inst.src2);
        if dst != src {
            e.buf.vex_rrx(Sse::Movaps, length, dst, None, src);
        }
        return;
    }
    // Scalar conversions and roots take their upper part from another register: the source itself,
    // so that nothing else is waited for.
    let merges = !op.has_one_source() && !is_move;
    let src1 = match (merges, inst.mem.is_some()) {
        (false, _) => None,
        (true, false) => Some(r(inst.src2)),
        (true, true) => {
            e.buf.vex_rrx(Sse::Xorps, VexLength::L128, dst, Some(dst), dst);
            Some(dst)
        }
    };
    let from = e.rm(inst);
    e.buf.vex(op, length, (dst, src1), from, imm);
}

fn avx_gpr_to_xmm(e: &mut Emitter<'_>, inst: &MInst) {
    let (op, dst) = (inst.sse_op(), r(inst.dst));
    let converts = matches!(op, Sse::Cvtsi2sd | Sse::Cvtsi2ss);
    if converts {
        e.buf.vex_rrx(Sse::Xorps, VexLength::L128, dst, Some(dst), dst);
    }
    let from = e.rm(inst);
    e.buf.vex(op, VexLength::from(inst.size), (dst, converts.then_some(dst)), from, None);
}

fn avx_xmm_to_gpr(e: &mut Emitter<'_>, inst: &MInst) {
    let (op, dst) = (inst.sse_op(), r(inst.dst));
    let length = match inst.bits & bits::WIDE != 0 {
        true => VexLength::L256,
        false if matches!(op, Sse::Movmskps | Sse::Movmskpd | Sse::Pmovmskb) => VexLength::L128,
        false => VexLength::from(inst.size),
    };
    if op.is_store() {
        // The `reg` operand is the source.
        return e.buf.vex(op, length, (r(inst.src2), None), dst, immediate(inst));
    }
    let from = e.rm(inst);
    e.buf.vex(op, length, (dst, None), from, immediate(inst));
}

/// The SSE encodings.
fn legacy(e: &mut Emitter<'_>, inst: &MInst) {
    match inst.op {
        Op::Xmm | Op::XmmUn => {
            let (op, dst) = (inst.sse_op(), r(inst.dst));
            let is_move = inst.op == Op::XmmUn && is_move(op);
            match e.rm(inst) {
                // Plain moves between registers copy the whole register.
                Rm::Reg(src) if is_move => {
                    if dst != src {
                        e.buf.sse_rx(Sse::Movaps, dst, src);
                    }
                }
                from => {
                    if inst.mem.is_some() {
                        break_dependency(e, inst, op, dst);
                    }
                    e.buf.sse(op, Size::D, dst, from, immediate(inst));
                }
            }
        }
        Op::XmmStore => {
            let (mem, op) = (e.mem(inst.mem), inst.sse_op());
            match op.has_immediate() {
                true => e.buf.sse_mri(op, Size::D, mem, r(inst.src2), inst.imm8()),
                false => e.buf.sse_mr(op, mem, r(inst.src2)),
            }
        }
        Op::XmmCmp => {
            let from = e.rm(inst);
            e.buf.sse_rx(inst.sse_op(), r(inst.src1), from);
        }
        Op::XmmZero => e.buf.sse_rx(Sse::Pxor, r(inst.dst), r(inst.dst)),
        Op::XmmOnes => e.buf.sse_rx(Sse::Pcmpeqd, r(inst.dst), r(inst.dst)),
        Op::XmmShift => e.buf.sse_shift(inst.sse_shift_op(), r(inst.dst), inst.imm8()),
        Op::GprToXmm | Op::XmmToGpr | Op::XmmInsert => {
            let (op, dst) = (inst.sse_op(), r(inst.dst));
            if matches!(op, Sse::Cvtsi2sd | Sse::Cvtsi2ss) {
                // The conversion leaves the upper part alone; clearing it breaks the dependency on
                // the register's last value.
                e.buf.sse_rx(Sse::Pxor, dst, dst);
            }
            let from = e.rm(inst);
            e.buf.sse(op, inst.size, dst, from, immediate(inst));
        }
        _ => {
            let (op, dst, src) = (inst.sse_op(), r(inst.dst), r(inst.src2));
            e.buf.sse_rx(op, dst, src);
        }
    }
}

/// Scalar conversions and roots keep the upper part of their destination: clear it where the source
/// is in memory, so that they need not wait for its last writer.
fn break_dependency(e: &mut Emitter<'_>, inst: &MInst, op: Sse, dst: Reg) {
    let partial = matches!(op, Sse::Cvtss2sd | Sse::Cvtsd2ss | Sse::Sqrtsd | Sse::Sqrtss);
    if partial && inst.op == Op::XmmUn && !e.cx.options.optimize_size {
        e.buf.sse_rx(Sse::Pxor, dst, dst);
    }
}

/// `dst = condition ? src2 : dst`.
fn xmm_select(e: &mut Emitter<'_>, inst: &MInst) {
    let skip = e.buf.new_label();
    if inst.bits & bits::OR_PARITY != 0 {
        let take = e.buf.new_label();
        e.buf.jcc(Cond::P, take);
        e.buf.jcc(inst.cond.invert(), skip);
        e.buf.bind(take);
    } else {
        if inst.bits & bits::AND_NO_PARITY != 0 {
            e.buf.jcc(Cond::P, skip);
        }
        e.buf.jcc(inst.cond.invert(), skip);
    }
    match e.avx {
        true => e.buf.vex_rrx(Sse::Movaps, length(inst), r(inst.dst), None, r(inst.src2)),
        false => e.buf.sse_rx(Sse::Movaps, r(inst.dst), r(inst.src2)),
    }
    e.buf.bind(skip);
}

fn save_xmms(e: &mut Emitter<'_>, inst: &MInst) {
    let skip = e.buf.new_label();
    e.buf.test_rr(Size::B, RAX, RAX);
    e.buf.jcc(Cond::E, skip);
    let area = e.mem(inst.mem);
    for at in inst.list().skip(1) {
        let reg = r(e.mf.lists[at].vreg);
        let place = area.offset(i32::from(reg.encoding()) * 16);
        match e.avx {
            true => e.buf.vex_rrx(Sse::MovapsStore, VexLength::L128, reg, None, place),
            false => e.buf.sse_mr(Sse::MovapsStore, place, reg),
        }
    }
    e.buf.bind(skip);
}
