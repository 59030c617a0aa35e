//! Prologue and epilogue.
//!
//! `push rbp; mov rbp, rsp; sub rsp, N`, where N is filled in at the end; then what must be saved:
//! callee-saved registers that asm needs, the stack protector's guard, the registers that may hold
//! variable arguments. There is one epilogue, at the end.

use crate::encode::CLEANUP_LIST_SIZE;
use ir::FnAttrs;
use object::{Alu, CfiOp, Cond, Mem, Size, StackKind, StackUse, encode::Sse};
use platform::registers::{
    EXCEPTION_DATA, INTEGER_ARGUMENTS, KEPT_BY_INTERRUPTS, MS_CALLEE_SAVED, R11, RAX, RBP, RDI, RSI, RSP, RegSet,
    SSE_ARGUMENTS,
};

use super::Quick;
use super::state::{FRAME_LIMIT, Place};
use crate::abi::{ParamPlace, SAVE_AREA_FP_OFFSET, SAVE_AREA_SIZE};
use crate::context::BackendError;

/// `subq $imm32, %rsp` without its immediate.
const SUB_RSP: [u8; 3] = [0x48, 0x81, 0xec];
/// The seven-byte no-op that replaces `sub` when there is no frame.
const NOP7: [u8; 7] = [0x0f, 0x1f, 0x80, 0, 0, 0, 0];
/// Distance within which the guard page below the stack must be touched.
const PROBE_INTERVAL: i32 = 4096;

/// Where the frame's size goes.
pub(super) enum SizeField {
    /// At this offset in the code.
    Immediate(u32),
    /// In code at the end of the function that probes each page, then jumps back.
    Probe { probe: object::Label, body: object::Label },
}

fn is_naked(q: &Quick<'_>) -> bool {
    q.cx.symbol(q.func.symbol).attrs.has(FnAttrs::NAKED)
}

/// Emits the prologue and gives the parameters their places.
pub fn prologue(q: &mut Quick<'_>) {
    let attrs = q.cx.symbol(q.func.symbol).attrs;
    crate::entry::begin(q.cx, q.func, q.buf);
    if q.cx.codegen().marks_lines() && !q.func.loc.is_none() {
        q.buf.mark_line(q.func.loc.0);
    }
    if is_naked(q) {
        // The body does everything itself; parameters are where the ABI put them.
        place_params(q);
        return;
    }
    crate::profile::at_entry(q.cx, q.func, q.buf);
    let (interrupt, keeps) = (attrs.has(FnAttrs::INTERRUPT), attrs.has(FnAttrs::KEEPS_REGISTERS));
    if interrupt {
        q.buf.put_bytes(&crate::encode::CLD);
    }
    q.buf.push_r(RBP);
    q.buf.cfi(CfiOp::DefCfaOffset(16));
    q.buf.cfi(CfiOp::Offset(RBP.dwarf(), -16));
    q.buf.mov_rr(Size::Q, RBP, RSP);
    q.buf.cfi(CfiOp::DefCfaRegister(RBP.dwarf()));
    crate::profile::in_frame(q.cx, q.func, q.buf);
    q.size_field = Some(if q.cx.codegen().stack_clash_protection && !interrupt && !keeps {
        let (probe, body) = (q.buf.new_label(), q.buf.new_label());
        q.buf.jmp_long(probe);
        q.buf.bind(body);
        SizeField::Probe { probe, body }
    } else {
        q.buf.put_bytes(&SUB_RSP);
        let field = q.buf.offset();
        q.buf.put_bytes(&[0; 4]);
        SizeField::Immediate(field)
    });
    let wanted = if q.func.has_dynamic_alloca { 16 } else { q.cx.call_align() };
    if u64::from(q.frame_align) < wanted {
        // The stack may lie anywhere.
        q.buf.alu_ri(Alu::And, Size::Q, RSP, -16);
    }
    if interrupt {
        KEPT_BY_INTERRUPTS.iter().for_each(|&reg| q.facts.callee_saved.insert(reg));
        q.facts.callee_saved = q.facts.callee_saved.difference(q.cx.module.reserved_registers);
    }
    if keeps {
        let kept = crate::abi::kept_registers(&q.cx.module.signatures[q.func.sig]);
        kept.iter().for_each(|reg| q.facts.callee_saved.insert(reg));
        q.facts.callee_saved = q.facts.callee_saved.difference(q.cx.module.reserved_registers);
    }
    let ms_abi = q.cx.module.signatures[q.func.sig].ms_abi;
    if ms_abi {
        [RDI, RSI].iter().for_each(|&reg| q.facts.callee_saved.insert(reg));
    }
    let for_handler = if q.facts.eh_return { RegSet::of(&EXCEPTION_DATA) } else { RegSet::EMPTY };
    for reg in q.facts.callee_saved.union(for_handler).iter() {
        let slot = q.frame.allocate(8, 8);
        q.buf.mov_mr(Size::Q, Mem::base(RBP, slot), reg);
        q.buf.cfi(CfiOp::Offset(reg.dwarf(), slot - 16));
        q.saved.push((reg, slot));
    }
    if ms_abi && q.features.has_sse() {
        for reg in MS_CALLEE_SAVED.iter().filter(|reg| reg.is_xmm()) {
            let slot = q.frame.allocate(16, 16);
            q.buf.sse_mr(Sse::MovupsStore, Mem::base(RBP, slot), reg);
            q.saved.push((reg, slot));
        }
    }
    if wants_guard(q, attrs) {
        crate::guard::check(q.cx, q.func, q.errors);
        let slot = q.frame.allocate(8, 8);
        crate::guard::load(q.cx, q.buf, R11);
        q.buf.mov_mr(Size::Q, Mem::base(RBP, slot), R11);
        q.guard = Some(slot);
    }
    if q.facts.cleanup_list {
        q.cleanup_list = q.frame.allocate(CLEANUP_LIST_SIZE, 8);
        crate::encode::clear_cleanups(q.buf, Mem::base(RBP, q.cleanup_list));
    }
    if q.facts.argument_registers {
        save_argument_registers(q);
    }
    if q.facts.va_start {
        save_variable_arguments(q);
    }
    place_params(q);
}

/// Whether `-fstack-protector*` applies.
fn wants_guard(q: &Quick<'_>, attrs: FnAttrs) -> bool {
    if attrs.has(FnAttrs::NO_STACK_PROTECTOR) {
        return false;
    }
    let asked = q.cx.symbol(q.func.symbol).code.as_ref().is_some_and(|code| code.stack_protect);
    match q.cx.codegen().stack_protector {
        1.. if asked => true,
        1 => q.func.has_character_array || q.func.has_dynamic_alloca,
        2 => q.facts.has_allocas || q.func.has_dynamic_alloca,
        3 => true,
        _ => false,
    }
}

/// The register save area of psABI figure 3.33: the registers after the named parameters' ones.
fn save_variable_arguments(q: &mut Quick<'_>) {
    let (size, align) = crate::abi::save_area(q.features.has_sse());
    q.save_area = q.frame.allocate(size, align);
    let (gprs, xmms) = (q.layout.gprs as usize, q.layout.xmms as usize);
    for (index, &reg) in INTEGER_ARGUMENTS.iter().enumerate().skip(gprs) {
        q.buf.mov_mr(Size::Q, Mem::base(RBP, q.save_area + 8 * index as i32), reg);
    }
    if !q.features.has_sse() || xmms == SSE_ARGUMENTS.len() {
        return;
    }
    let none = q.buf.new_label();
    q.buf.test_rr(Size::B, RAX, RAX);
    q.buf.jcc(Cond::E, none);
    for (index, &reg) in SSE_ARGUMENTS.iter().enumerate().skip(xmms) {
        let offset = SAVE_AREA_FP_OFFSET as i32 + 16 * index as i32;
        q.buf.sse_mr(Sse::MovupsStore, Mem::base(RBP, q.save_area + offset), reg);
    }
    q.buf.bind(none);
}

/// All argument registers, for `__builtin_apply_args`.
fn save_argument_registers(q: &mut Quick<'_>) {
    q.argument_registers = q.frame.allocate(u64::from(SAVE_AREA_SIZE), 16);
    for (index, &reg) in (0..).zip(INTEGER_ARGUMENTS.iter()) {
        q.buf.mov_mr(Size::Q, Mem::base(RBP, q.argument_registers + 8 * index), reg);
    }
    if !q.features.has_sse() {
        return;
    }
    for (index, &reg) in (0..).zip(SSE_ARGUMENTS.iter()) {
        let offset = SAVE_AREA_FP_OFFSET as i32 + 16 * index;
        q.buf.sse_mr(Sse::MovupsStore, Mem::base(RBP, q.argument_registers + offset), reg);
    }
}

/// Bytes from `rbp` to the stack argument area: the saved `rbp` and the return address.
pub const ARGUMENT_AREA: i32 = 16;

fn place_params(q: &mut Quick<'_>) {
    for index in 0..q.func.params().len() {
        let param = q.func.params()[index];
        let place = q.layout.params[index];
        let state = q.values[param.as_u32() as usize];
        if state.uses == 0 {
            continue;
        }
        match place {
            ParamPlace::Reg(reg) => super::call::define_from(q, param, reg),
            ParamPlace::Stack { offset } => {
                let home = argument_offset(q, offset);
                let state = &mut q.values[param.as_u32() as usize];
                state.home = home;
                state.place = Place::Home;
            }
            ParamPlace::ByVal { offset, .. } => {
                let home = argument_offset(q, offset);
                q.values[param.as_u32() as usize].place = Place::FrameAddress(home);
            }
        }
    }
    q.end_instruction();
}

fn argument_offset(q: &mut Quick<'_>, offset: u64) -> i32 {
    if offset > FRAME_LIMIT {
        // Refused; the code goes on with any offset.
        frame_too_large(q);
        return ARGUMENT_AREA;
    }
    ARGUMENT_AREA + offset as i32
}

/// Emits the epilogue (if control gets there) and fills in the frame's size.
pub fn epilogue(q: &mut Quick<'_>) {
    if is_naked(q) {
        if q.returns {
            let label = q.return_label;
            q.buf.bind(label);
        }
        return;
    }
    if q.frame.size > FRAME_LIMIT {
        frame_too_large(q);
    }
    let size = q.frame.size.min(FRAME_LIMIT).next_multiple_of(16) as i32;
    match q.size_field.take() {
        Some(SizeField::Immediate(field)) if size == 0 => {
            q.buf.patch(field - SUB_RSP.len() as u32, &NOP7);
        }
        Some(SizeField::Immediate(field)) => q.buf.patch(field, &size.to_le_bytes()),
        Some(SizeField::Probe { probe, body }) => probe_frame(q, probe, body, size),
        None => base::bug!("prologue without frame"),
    }
    if !q.returns {
        return;
    }
    let label = q.return_label;
    q.buf.bind(label);
    if q.facts.cleanup_list {
        // The landing pad follows.
        q.buf.cfi(CfiOp::RememberState);
    }
    if let Some(slot) = q.guard {
        check_guard(q, slot);
    }
    for index in 0..q.saved.len() {
        let (reg, slot) = q.saved[index];
        if q.facts.eh_return && EXCEPTION_DATA.contains(&reg) {
            continue;
        }
        if reg.is_xmm() {
            q.buf.sse_rm(Sse::Movups, reg, Mem::base(RBP, slot));
            continue;
        }
        q.buf.mov_rm(Size::Q, reg, Mem::base(RBP, slot));
        q.buf.cfi(CfiOp::Restore(reg.dwarf()));
    }
    q.buf.leave();
    q.buf.cfi(CfiOp::Restore(RBP.dwarf()));
    q.buf.cfi(CfiOp::DefCfa(RSP.dwarf(), 8));
    // What the cache of registers has held is not noted.
    crate::encode::zero_registers(q.cx, q.func, RegSet(u64::MAX), q.buf);
    crate::encode::return_from(q.cx, q.func, q.buf);
    if q.facts.cleanup_list {
        q.buf.cfi(CfiOp::RestoreState);
    }
}

/// What the function takes from the stack, once all of it is emitted.
pub fn stack_use(q: &Quick<'_>) -> StackUse {
    if is_naked(q) {
        return StackUse { total: 8, ..StackUse::default() };
    }
    let locals = q.frame.size.next_multiple_of(16);
    let kind = match (q.func.has_dynamic_alloca, q.frame.outgoing) {
        (true, _) => StackKind::Dynamic,
        (false, 0) => StackKind::Static,
        (false, _) => StackKind::Bounded,
    };
    StackUse { locals, total: ARGUMENT_AREA as u64 + locals + q.frame.outgoing, kind }
}

fn check_guard(q: &mut Quick<'_>, slot: i32) {
    let intact = q.buf.new_label();
    crate::guard::compare(q.cx, q.buf, Mem::base(RBP, slot), R11);
    q.buf.jcc(Cond::E, intact);
    super::call::call_library(q, "__stack_chk_fail");
    q.buf.bind(intact);
}

/// `-fstack-clash-protection`: touches every page on the way down.
fn probe_frame(q: &mut Quick<'_>, probe: object::Label, body: object::Label, size: i32) {
    if q.returns {
        // The last block may have fallen through to the epilogue.
        let label = q.return_label;
        q.buf.jmp(label);
    }
    q.buf.bind(probe);
    let whole = size / PROBE_INTERVAL * PROBE_INTERVAL;
    if whole != 0 {
        let again = q.buf.new_label();
        q.buf.lea(Size::Q, R11, Mem::base(RSP, -whole));
        q.buf.bind(again);
        q.buf.alu_ri(Alu::Sub, Size::Q, RSP, PROBE_INTERVAL);
        q.buf.alu_mi(Alu::Or, Size::Q, Mem::base(RSP, 0), 0);
        q.buf.alu_rr(Alu::Cmp, Size::Q, RSP, R11);
        q.buf.jcc(Cond::NE, again);
    }
    if size != whole {
        q.buf.alu_ri(Alu::Sub, Size::Q, RSP, size - whole);
    }
    q.buf.jmp(body);
}

fn frame_too_large(q: &mut Quick<'_>) {
    let name = &q.cx.symbol(q.func.symbol).name;
    let message = format!("the stack frame of '{name}' is larger than {FRAME_LIMIT} bytes");
    q.errors.push(BackendError { loc: q.func.loc, message, note: None });
}
