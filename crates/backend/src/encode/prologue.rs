//! Prologue, epilogues, the stack protector and probes.

use object::{Alu, CfiOp, CodeBuffer, Cond, Mem, Scale, Size, encode::Sse};
use platform::options::X86Features;
use platform::registers::{
    INTEGER_ARGUMENTS, R8, R9, R10, R11, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP, Reg, RegSet, SSE_ARGUMENTS,
};

use super::Emitter;
use crate::branches;
use crate::context::Context;
use crate::guard;
use crate::machine::{Base, Stage};
use ir::abi;

/// Bytes of a frame that are allocated by pushes of any register, which are shorter than a
/// subtraction, where size is what counts.
const MOST_PUSHED: u64 = 24;
/// Distance within which the guard page below the stack must be touched.
const PROBE_INTERVAL: u64 = 4096;

/// `cld`
const CLD: [u8; 1] = [0xfc];
/// `iretq`
const IRETQ: [u8; 2] = [0x48, 0xcf];
/// `uiret`
const UIRET: [u8; 4] = [0xf3, 0x0f, 0x01, 0xec];

/// Function entry, and the prologue if it stands there.
pub fn entry(e: &mut Emitter<'_>) {
    crate::entry::begin(e.cx, e.func, e.buf);
    if super::marks_lines(e) && !e.func.loc.is_none() {
        e.buf.mark_line(e.func.loc.0);
    }
    if e.mf.naked {
        return;
    }
    crate::profile::at_entry(e.cx, e.func, e.buf);
    if e.mf.interrupt {
        // The ABI's functions find the direction flag clear.
        e.buf.put_bytes(&CLD);
    }
    if e.mf.stages.is_empty() {
        set_up(e);
    }
}

/// The prologue.
pub fn set_up(e: &mut Emitter<'_>) {
    e.framed_rules = true;
    let frame = e.frame;
    let mut cfa = 8;
    if frame.frame_pointer {
        e.buf.push_r(RBP);
        cfa += 8;
        e.buf.cfi(CfiOp::DefCfaOffset(cfa));
        e.buf.cfi(CfiOp::Offset(RBP.dwarf(), -cfa));
        e.buf.mov_rr(Size::Q, RBP, RSP);
        e.buf.cfi(CfiOp::DefCfaRegister(RBP.dwarf()));
        crate::profile::in_frame(e.cx, e.func, e.buf);
    }
    for &reg in &frame.saved {
        e.buf.push_r(reg);
        cfa += 8;
        if !frame.frame_pointer {
            e.buf.cfi(CfiOp::DefCfaOffset(cfa));
        }
        e.buf.cfi(CfiOp::Offset(reg.dwarf(), -cfa));
    }
    allocate(e, cfa);
    if let Some(align) = frame.realign {
        e.buf.alu_ri(Alu::And, Size::Q, RSP, -(align as i64) as i32);
    }
    if frame.base_register {
        e.buf.mov_rr(Size::Q, RBX, RSP);
    }
    for &(reg, offset) in &frame.saved_xmms {
        e.buf.sse_mr(Sse::MovupsStore, xmm_slot(frame, offset), reg);
    }
    if let Some(offset) = frame.guard {
        let slot = guard_slot(e, offset);
        guard::load(e.cx, e.buf, R11);
        e.buf.mov_mr(Size::Q, slot, R11);
        e.buf.zero_r(R11);
    }
    if let Some(list) = cleanup_list(e) {
        super::landing_pad::clear(e.buf, list);
    }
    if let Some(slot) = e.mf.argument_registers {
        save_argument_registers(e, slot);
    }
}

/// Where an SSE register is saved; there are no unwind rules for them, as the System V unwinder
/// knows of none.
fn xmm_slot(frame: &crate::frame::Frame, offset: i64) -> Mem {
    let (base, disp) = frame.slot(offset);
    Mem::base(base, disp as i32)
}

fn cleanup_list(e: &Emitter<'_>) -> Option<Mem> {
    let (base, disp) = e.frame.resolve(Base::Slot(e.mf.cleanup_list?));
    Some(Mem::base(base, disp as i32))
}

/// The landing pad, at the end of the function.
pub fn landing_pad(e: &mut Emitter<'_>) {
    if let Some(list) = cleanup_list(e) {
        super::landing_pad::emit(e.cx, e.func, e.buf, list);
    }
}

fn save_argument_registers(e: &mut Emitter<'_>, slot: u32) {
    let (base, disp) = e.frame.resolve(Base::Slot(slot));
    let at = |offset: u32| Mem::base(base, disp as i32 + offset as i32);
    for (index, &reg) in (0..).zip(INTEGER_ARGUMENTS.iter()) {
        e.buf.mov_mr(Size::Q, at(8 * index), reg);
    }
    if !e.cx.features(e.func).has_sse() {
        return;
    }
    for (index, &reg) in (0..).zip(SSE_ARGUMENTS.iter()) {
        e.buf.sse_mr(Sse::MovupsStore, at(abi::SAVE_AREA_FP_OFFSET + 16 * index), reg);
    }
}

fn guard_slot(e: &Emitter<'_>, offset: i64) -> Mem {
    // The guard is placed like a slot.
    let mut frame = e.frame.clone();
    frame.slots = vec![offset];
    let (base, disp) = frame.resolve(Base::Slot(0));
    Mem::base(base, disp as i32)
}

fn allocate(e: &mut Emitter<'_>, cfa: i32) {
    let size = e.frame.adjusted() as u64;
    if size == 0 {
        return;
    }
    if e.cx.codegen().stack_clash_protection && size > PROBE_INTERVAL {
        probe(e, size);
    } else if e.cx.options.optimize_size && size <= MOST_PUSHED {
        let mut cfa = cfa;
        for _ in 0..size / 8 {
            e.buf.push_r(RAX);
            cfa += 8;
            if !e.frame.frame_pointer {
                e.buf.cfi(CfiOp::DefCfaOffset(cfa));
            }
        }
        return;
    } else if size <= i32::MAX as u64 {
        e.buf.alu_ri(Alu::Sub, Size::Q, RSP, size as i32);
    } else {
        e.buf.mov_ri(Size::Q, R11, size as i64);
        e.buf.alu_rr(Alu::Sub, Size::Q, RSP, R11);
    }
    if !e.frame.frame_pointer {
        e.buf.cfi(CfiOp::DefCfaOffset(cfa.saturating_add(size as i32)));
    }
}

/// Moves the stack pointer down page by page, touching each.
fn probe(e: &mut Emitter<'_>, size: u64) {
    let pages = size / PROBE_INTERVAL;
    let rest = size % PROBE_INTERVAL;
    let cfa_by_rsp = !e.frame.frame_pointer;
    e.buf.mov_rr(Size::Q, R11, RSP);
    if cfa_by_rsp {
        e.buf.cfi(CfiOp::DefCfaRegister(R11.dwarf()));
    }
    if pages * PROBE_INTERVAL <= i32::MAX as u64 {
        e.buf.alu_ri(Alu::Sub, Size::Q, R11, (pages * PROBE_INTERVAL) as i32);
    }
    if cfa_by_rsp {
        let below = 8 + e.frame.pushed() + (pages * PROBE_INTERVAL) as i64;
        e.buf.cfi(CfiOp::DefCfaOffset(below as i32));
    }
    let head = e.buf.label_here();
    e.buf.alu_ri(Alu::Sub, Size::Q, RSP, PROBE_INTERVAL as i32);
    e.buf.alu_mi(Alu::Or, Size::Q, Mem::base(RSP, 0), 0);
    e.buf.alu_rr(Alu::Cmp, Size::Q, RSP, R11);
    e.buf.jcc(Cond::NE, head);
    if cfa_by_rsp {
        e.buf.cfi(CfiOp::DefCfaRegister(RSP.dwarf()));
    }
    if rest > 0 {
        e.buf.alu_ri(Alu::Sub, Size::Q, RSP, rest as i32);
        e.buf.alu_mi(Alu::Or, Size::Q, Mem::base(RSP, 0), 0);
    }
}

/// A register that holds nothing when control leaves: none of those in `live`, and none that the
/// caller may expect to be kept.
pub fn free_at_end(e: &Emitter<'_>, live: RegSet) -> Option<Reg> {
    let attrs = e.attrs();
    let ordinary = !attrs.has(ir::FnAttrs::INTERRUPT)
        && !attrs.has(ir::FnAttrs::KEEPS_REGISTERS)
        && !attrs.has(ir::FnAttrs::ZERO_REGISTERS)
        && e.mf.kept.is_empty()
        && !e.mf.eh_return
        && e.cx.module.reserved_registers.is_empty();
    if !ordinary || !e.cx.options.optimize_size {
        return None;
    }
    [RCX, RDX, RAX].into_iter().find(|&reg| !live.contains(reg))
}

/// What [`free_at_end`] may choose in some epilogue of a function with this frame.
pub fn popped_at_end(cx: Context<'_>, frame: &crate::frame::Frame) -> RegSet {
    let pops = cx.options.optimize_size && (1..=MOST_PUSHED as i64).contains(&frame.adjusted());
    if pops { RegSet::of(&[RCX, RDX, RAX]) } else { RegSet::EMPTY }
}

/// What an epilogue may do with registers.
#[derive(Clone, Copy)]
pub struct Leaving {
    /// Results, or what a tail call needs.
    pub live: RegSet,
    /// A register that may be changed to save bytes, if one is known ([`free_at_end`]).
    pub free: Option<Reg>,
}

/// Where the stack guard is compared: no live register, and none that the caller may expect to be
/// kept.
fn guard_register(e: &mut Emitter<'_>, live: RegSet) -> Reg {
    let found = GUARD_REGISTERS.into_iter().find(|&reg| !live.contains(reg));
    found.unwrap_or_else(|| {
        let message = "cannot tail-call: the arguments leave no register to check the stack guard with".into();
        e.errors.push(crate::context::BackendError { loc: e.func.loc, message, note: None });
        R11
    })
}

/// Registers that every call changes, those that no argument uses first.
const GUARD_REGISTERS: [Reg; 9] = [R11, RAX, R10, R9, R8, RCX, RDX, RSI, RDI];

/// Everything before `ret` or a tail call's jump.
fn epilogue(e: &mut Emitter<'_>, leaving: Leaving) {
    if e.mf.naked {
        return;
    }
    let frame = e.frame;
    if let Some(offset) = frame.guard {
        let slot = guard_slot(e, offset);
        let register = guard_register(e, leaving.live);
        guard::compare(e.cx, e.buf, slot, register);
        let failure = match e.guard_failure {
            Some(label) => label,
            None => {
                let label = e.buf.new_label();
                e.guard_failure = Some(label);
                label
            }
        };
        e.buf.jcc(Cond::NE, failure);
    }
    for &(reg, offset) in &frame.saved_xmms {
        e.buf.sse_rx(Sse::Movups, reg, xmm_slot(frame, offset));
    }
    if frame.frame_pointer {
        let popped = frame.popped();
        let moved = frame.adjusted() != 0
            || e.mf.has_dynamic_stack
            || frame.realign.is_some()
            || popped.len() != frame.saved.len();
        if moved && popped.is_empty() {
            e.buf.leave();
            e.buf.cfi(CfiOp::DefCfa(RSP.dwarf(), 8));
            return;
        }
        if moved {
            e.buf.lea(Size::Q, RSP, Mem::base(RBP, -8 * popped.len() as i32));
        }
        for &reg in popped.iter().rev() {
            e.buf.pop_r(reg);
        }
        e.buf.pop_r(RBP);
        e.buf.cfi(CfiOp::DefCfa(RSP.dwarf(), 8));
        return;
    }
    let mut cfa = 8 + frame.pushed() as i32;
    if let Some(register) = leaving.free.filter(|_| frame.adjusted() as u64 <= MOST_PUSHED) {
        let mut offset = cfa + frame.adjusted() as i32;
        for _ in 0..frame.adjusted() / 8 {
            e.buf.pop_r(register);
            offset -= 8;
            e.buf.cfi(CfiOp::DefCfaOffset(offset));
        }
    } else if frame.adjusted() != 0 {
        if let Ok(size) = i32::try_from(frame.adjusted()) {
            e.buf.alu_ri(Alu::Add, Size::Q, RSP, size);
        } else {
            let register = guard_register(e, leaving.live);
            e.buf.mov_ri(Size::Q, register, frame.adjusted());
            e.buf.alu_rr(Alu::Add, Size::Q, RSP, register);
        }
        e.buf.cfi(CfiOp::DefCfaOffset(cfa));
    }
    for &reg in frame.saved.iter().rev() {
        e.buf.pop_r(reg);
        cfa -= 8;
        e.buf.cfi(CfiOp::DefCfaOffset(cfa));
    }
}

/// `__builtin_eh_return`: returns to a handler, whose address is in `rax`. The offset in `rcx`
/// becomes the stack pointer: the handler's address goes where the return address of the frame to
/// return to lies, all saved registers are loaded, and a return is made there (gcc's
/// `ix86_expand_epilogue`, style 2).
pub fn eh_return(e: &mut Emitter<'_>) {
    let frame = e.frame;
    let pushed = frame.saved.iter().zip(1..).map(|(&reg, index)| (reg, Mem::base(RBP, -8 * index)));
    let in_slots = frame.saved_xmms.iter().map(|&(reg, offset)| (reg, xmm_slot(frame, offset)));
    let saved: Vec<(Reg, Mem)> = pushed.chain(in_slots).collect();
    let buf = &mut *e.buf;
    buf.mov_mr(Size::Q, Mem::base_index(RBP, RCX, Scale::One, 8), RAX);
    for &(reg, mem) in saved.iter().filter(|(reg, _)| *reg != RCX) {
        if reg.is_xmm() {
            buf.sse_rx(Sse::Movups, reg, mem);
        } else {
            buf.mov_rm(Size::Q, reg, mem);
        }
    }
    buf.lea(Size::Q, RCX, Mem::base_index(RBP, RCX, Scale::One, 8));
    buf.mov_rm(Size::Q, RBP, Mem::base(RBP, 0));
    // From here on the frame is the one to return to.
    buf.cfi(CfiOp::RememberState);
    buf.cfi(CfiOp::DefCfa(RCX.dwarf(), 8));
    buf.cfi(CfiOp::Restore(RBP.dwarf()));
    saved.iter().filter(|(reg, _)| reg.is_gpr()).for_each(|(reg, _)| buf.cfi(CfiOp::Restore(reg.dwarf())));
    buf.mov_rr(Size::Q, RSP, RCX);
    buf.cfi(CfiOp::DefCfa(RSP.dwarf(), 8));
    branches::ret(e.cx, e.func, buf);
    buf.cfi(CfiOp::RestoreState);
}

/// Whether an epilogue changes unwind rules.
fn has_rules(e: &Emitter<'_>) -> bool {
    e.frame.frame_pointer || !e.frame.saved.is_empty() || e.frame.adjusted() != 0
}

/// An epilogue with what leaves the function after it; the unwind rules are as before afterwards.
/// `leaving` as for [`epilogue`].
pub fn leave_function(e: &mut Emitter<'_>, leaving: Leaving, last: impl FnOnce(&mut Emitter<'_>)) {
    if e.stage == Stage::Unframed {
        return last(e);
    }
    if e.next_stage != Stage::Framed {
        epilogue(e, leaving);
        last(e);
        return entry_rules(e);
    }
    let nothing_follows =
        e.last_block && e.guard_failure.is_none() && e.frame.guard.is_none() && e.mf.cleanup_list.is_none();
    let restore = has_rules(e) && !e.mf.naked && !nothing_follows;
    if restore {
        e.buf.cfi(CfiOp::RememberState);
    }
    epilogue(e, leaving);
    last(e);
    if restore {
        e.buf.cfi(CfiOp::RestoreState);
    }
}

/// Brings the unwind rules to what holds at the start of a block.
pub fn adapt_rules(e: &mut Emitter<'_>) {
    let framed = e.stage == Stage::Framed;
    if e.mf.stages.is_empty() || framed == e.framed_rules {
        return;
    }
    if !framed {
        return entry_rules(e);
    }
    e.framed_rules = true;
    debug_assert!(!e.frame.frame_pointer);
    let mut cfa = 8;
    for &reg in &e.frame.saved {
        cfa += 8;
        e.buf.cfi(CfiOp::Offset(reg.dwarf(), -cfa));
    }
    e.buf.cfi(CfiOp::DefCfaOffset(cfa + e.frame.adjusted() as i32));
}

/// The unwind rules of the function's entry again.
fn entry_rules(e: &mut Emitter<'_>) {
    e.framed_rules = false;
    e.buf.cfi(CfiOp::DefCfaOffset(8));
    for &reg in &e.frame.saved {
        e.buf.cfi(CfiOp::Restore(reg.dwarf()));
    }
}

/// The instruction that ends the function. A handler of user interrupts, with `-muintr`, goes back
/// as such.
pub fn return_from(cx: Context<'_>, func: &ir::Function, buf: &mut CodeBuffer) {
    let attrs = cx.symbol(func.symbol).attrs;
    if !attrs.has(ir::FnAttrs::INTERRUPT) {
        return branches::ret(cx, func, buf);
    }
    if attrs.has(ir::FnAttrs::ERROR_CODE) {
        buf.alu_ri(Alu::Add, Size::Q, RSP, 8);
    }
    if cx.features(func).has(X86Features::UINTR) {
        return buf.put_bytes(&UIRET);
    }
    buf.put_bytes(&IRETQ);
}

/// The call that reports a smashed stack, at the end of the function.
pub fn guard_failure(e: &mut Emitter<'_>) {
    if let Some(label) = e.guard_failure {
        e.buf.bind(label);
        let symbol = e.buf.named_symbol(&e.cx.module.assembler_name("__stack_chk_fail"));
        e.buf.call_symbol(symbol);
    }
}
