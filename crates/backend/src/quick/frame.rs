//! Prologue and epilogue.
//!
//! `push rbp; mov rbp, rsp; sub rsp, N`, where N is filled in at the end; then the guard of the
//! stack protector and the registers that may hold variable arguments. There is one epilogue, at
//! the end.

use object::{CfiOp, Cond, Mem, Size, StackKind, StackUse, encode::Sse};
use platform::registers::{INTEGER_ARGUMENTS, R11, RAX, RBP, RSP, RegSet, SSE_ARGUMENTS};

use super::Quick;
use super::state::{FRAME_LIMIT, Place};
use crate::context::BackendError;
use ir::abi::{ParamPlace, SAVE_AREA_FP_OFFSET};

/// `subq $imm32, %rsp` without its immediate.
const SUB_RSP: [u8; 3] = [0x48, 0x81, 0xec];
/// The seven-byte no-op that replaces `sub` when there is no frame.
const NOP7: [u8; 7] = [0x0f, 0x1f, 0x80, 0, 0, 0, 0];

/// Emits the prologue and gives the parameters their places.
pub fn prologue(q: &mut Quick<'_>) {
    crate::entry::begin(q.cx, q.func, q.buf);
    if q.cx.codegen().marks_lines() && !q.func.loc.is_none() {
        q.buf.mark_line(q.func.loc.0);
    }
    crate::profile::at_entry(q.cx, q.func, q.buf);
    q.buf.push_r(RBP);
    q.buf.cfi(CfiOp::DefCfaOffset(16));
    q.buf.cfi(CfiOp::Offset(RBP.dwarf(), -16));
    q.buf.mov_rr(Size::Q, RBP, RSP);
    q.buf.cfi(CfiOp::DefCfaRegister(RBP.dwarf()));
    crate::profile::in_frame(q.cx, q.func, q.buf);
    q.buf.put_bytes(&SUB_RSP);
    q.size_field = q.buf.offset();
    q.buf.put_bytes(&[0; 4]);
    if crate::guard::is_wanted(q.cx, q.func, true, q.facts.has_allocas) {
        crate::guard::check(q.cx, q.func, q.errors);
        let slot = q.frame.allocate(8, 8);
        crate::guard::load(q.cx, q.buf, R11);
        q.buf.mov_mr(Size::Q, Mem::base(RBP, slot), R11);
        q.guard = Some(slot);
    }
    if q.facts.va_start {
        save_variable_arguments(q);
    }
    place_params(q);
}

/// The register save area of psABI figure 3.33: the registers after the named parameters' ones.
fn save_variable_arguments(q: &mut Quick<'_>) {
    let (size, align) = ir::abi::save_area(true);
    q.save_area = q.frame.allocate(size, align);
    let (gprs, xmms) = (q.layout.gprs as usize, q.layout.xmms as usize);
    for (index, &reg) in INTEGER_ARGUMENTS.iter().enumerate().skip(gprs) {
        q.buf.mov_mr(Size::Q, Mem::base(RBP, q.save_area + 8 * index as i32), reg);
    }
    if xmms == SSE_ARGUMENTS.len() {
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
    if q.frame.size > FRAME_LIMIT {
        frame_too_large(q);
    }
    let size = q.frame.size.min(FRAME_LIMIT).next_multiple_of(16) as i32;
    let field = q.size_field;
    match size {
        0 => q.buf.patch(field - SUB_RSP.len() as u32, &NOP7),
        size => q.buf.patch(field, &size.to_le_bytes()),
    }
    if !q.returns {
        return;
    }
    let label = q.return_label;
    q.buf.bind(label);
    if let Some(slot) = q.guard {
        check_guard(q, slot);
    }
    q.buf.leave();
    q.buf.cfi(CfiOp::Restore(RBP.dwarf()));
    q.buf.cfi(CfiOp::DefCfa(RSP.dwarf(), 8));
    // What the cache of registers has held is not noted.
    crate::encode::zero_registers(q.cx, q.func, RegSet(u64::MAX), q.buf);
    crate::encode::return_from(q.cx, q.func, q.buf);
}

/// What the function takes from the stack, once all of it is emitted.
pub fn stack_use(q: &Quick<'_>) -> StackUse {
    let locals = q.frame.size.next_multiple_of(16);
    let kind = if q.frame.outgoing == 0 { StackKind::Static } else { StackKind::Bounded };
    StackUse { locals, total: ARGUMENT_AREA as u64 + locals + q.frame.outgoing, kind }
}

fn check_guard(q: &mut Quick<'_>, slot: i32) {
    let intact = q.buf.new_label();
    crate::guard::compare(q.cx, q.buf, Mem::base(RBP, slot), R11);
    q.buf.jcc(Cond::E, intact);
    super::call::call_library(q, "__stack_chk_fail");
    q.buf.bind(intact);
}

fn frame_too_large(q: &mut Quick<'_>) {
    let name = &q.cx.symbol(q.func.symbol).name;
    let message = format!("the stack frame of '{name}' is larger than {FRAME_LIMIT} bytes");
    q.errors.push(BackendError { loc: q.func.loc, message, note: None });
}
