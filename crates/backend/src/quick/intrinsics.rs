//! `va_start` and the operations named by [`Intrinsic`].

use ir::{Inst, Intrinsic, Type, Value};
use object::{Alu, Mem, Segment, Shift, Size};
use platform::registers::{R10, RAX, RBP, RCX, RDX, RSP, Reg, RegSet, XMM0};

use super::Quick;
use super::call::{CALL_CLOBBERS, call_with_values, define_from};
use super::frame::ARGUMENT_AREA;
use crate::abi::{SAVE_AREA_FP_OFFSET, va_list};

/// Fills the `va_list` for this function's variable arguments.
pub fn va_start(q: &mut Quick<'_>, inst: Inst) {
    let list = q.mem(q.func.operand(inst, 0));
    let (gprs, xmms) = (i32::from(q.layout.gprs), i32::from(q.layout.xmms));
    q.buf.mov_mi(Size::D, list.offset(va_list::GP_OFFSET), 8 * gprs);
    q.buf.mov_mi(Size::D, list.offset(va_list::FP_OFFSET), SAVE_AREA_FP_OFFSET as i32 + 16 * xmms);
    let temp = q.temp_gpr();
    let stack = i32::try_from(q.layout.stack_size).unwrap_or(i32::MAX / 2);
    q.buf.lea(Size::Q, temp, Mem::base(RBP, ARGUMENT_AREA + stack));
    q.buf.mov_mr(Size::Q, list.offset(va_list::OVERFLOW_ARG_AREA), temp);
    q.buf.lea(Size::Q, temp, Mem::base(RBP, q.save_area));
    q.buf.mov_mr(Size::Q, list.offset(va_list::REG_SAVE_AREA), temp);
}

fn argument(q: &Quick<'_>, inst: Inst, index: usize) -> Value {
    q.func.list(inst)[index]
}

/// One intrinsic operation.
pub fn intrinsic(q: &mut Quick<'_>, inst: Inst) {
    let intrinsic = q.func.insts[inst].intrinsic();
    match intrinsic {
        Intrinsic::Trap => q.buf.ud2(),
        Intrinsic::CleanupList => {
            let reg = q.temp_gpr();
            q.buf.lea(Size::Q, reg, Mem::base(RBP, q.cleanup_list));
            q.define(q.func.first_result(inst), reg);
        }
        Intrinsic::ArgumentRegisters => {
            let reg = q.temp_gpr();
            q.buf.lea(Size::Q, reg, Mem::base(RBP, q.argument_registers));
            q.define(q.func.first_result(inst), reg);
        }
        Intrinsic::FrameAddress | Intrinsic::ReturnAddress => frame_or_return(q, inst, intrinsic),
        Intrinsic::DwarfCfa => {
            let reg = q.temp_gpr();
            q.buf.lea(Size::Q, reg, Mem::base(RBP, ARGUMENT_AREA));
            q.define(q.func.first_result(inst), reg);
        }
        Intrinsic::SetJmp => set_jmp(q, inst),
        Intrinsic::LongJmp => long_jmp(q, inst),
        Intrinsic::EhReturn => {
            q.take_in(argument(q, inst, 0), RCX);
            let handler = q.use_reg(argument(q, inst, 1));
            let saved: Vec<(Reg, Mem)> = q.saved.iter().map(|&(reg, slot)| (reg, Mem::base(RBP, slot))).collect();
            crate::encode::leave_for_handler(q.cx, q.func, q.buf, handler, &saved);
        }
        // The prologue does it.
        Intrinsic::UnwindInit => {}
        Intrinsic::ClearCache => {
            // x86 keeps instruction and data caches coherent.
            q.consume(argument(q, inst, 0));
            q.consume(argument(q, inst, 1));
        }
        Intrinsic::ThreadPointer => {
            let reg = q.temp_gpr();
            q.buf.mov_rm(Size::Q, reg, Mem::absolute(0).with_segment(Segment::Fs));
            q.define(q.func.first_result(inst), reg);
        }
        Intrinsic::IsConstant => {
            let value = argument(q, inst, 0);
            let known = q.func.constant(value).is_some();
            q.consume(value);
            define_int(q, inst, known.into());
        }
        Intrinsic::Expect | Intrinsic::KnownBytes => expect(q, inst),
        Intrinsic::Assume => q.consume(argument(q, inst, 0)),
        Intrinsic::ObjectSize => {
            // Nothing was found: the greatest size for modes 0 and 1, the least for 2 and 3.
            let mode = q.const_int(argument(q, inst, 1)).unwrap_or(0);
            q.consume(argument(q, inst, 0));
            define_int(q, inst, if mode & 2 == 0 { -1 } else { 0 });
        }
        Intrinsic::Pause => q.buf.pause(),
        Intrinsic::Rdtsc => {
            q.claim(RAX);
            q.claim(RDX);
            q.buf.rdtsc();
            q.buf.shift_ri(Shift::Shl, Size::Q, RDX, 32);
            q.buf.alu_rr(Alu::Or, Size::Q, RAX, RDX);
            q.define(q.func.first_result(inst), RAX);
        }
        Intrinsic::Rint | Intrinsic::Floor | Intrinsic::Ceil | Intrinsic::TruncF => round(q, inst, intrinsic),
        Intrinsic::StaticChain => static_chain(q, inst),
        Intrinsic::InitTrampoline => init_trampoline(q, inst),
        Intrinsic::NonlocalGoto => nonlocal_goto(q, inst),
        Intrinsic::GetMxcsr => {
            let slot = q.scratch_slot(8);
            let mem = q.frame_mem(slot);
            q.buf.stmxcsr(mem);
            let reg = q.temp_gpr();
            q.buf.mov_rm(Size::D, reg, mem);
            q.define(q.func.first_result(inst), reg);
        }
        Intrinsic::MoveMask | Intrinsic::X86 | Intrinsic::X87Load | Intrinsic::X87Store => {
            base::bug!("{intrinsic:?} in a function that selection is for")
        }
        Intrinsic::SetMxcsr => {
            let reg = q.use_reg(argument(q, inst, 0));
            let slot = q.scratch_slot(8);
            let mem = q.frame_mem(slot);
            q.buf.mov_mr(Size::D, mem, reg);
            q.buf.ldmxcsr(mem);
        }
    }
}

fn define_int(q: &mut Quick<'_>, inst: Inst, number: i64) {
    let reg = q.temp_gpr();
    q.buf.mov_ri(Size::Q, reg, number);
    q.define(q.func.first_result(inst), reg);
}

fn expect(q: &mut Quick<'_>, inst: Inst) {
    let value = argument(q, inst, 0);
    q.consume(argument(q, inst, 1));
    let result = q.func.first_result(inst);
    let reg = q.take_for(value, result);
    q.define(result, reg);
}

/// Follows the chain of frame pointers `level` times.
fn frame_or_return(q: &mut Quick<'_>, inst: Inst, intrinsic: Intrinsic) {
    let level = argument(q, inst, 0);
    let count = q.const_int(level).unwrap_or(0);
    q.consume(level);
    let reg = q.temp_gpr();
    let mut frame = RBP;
    for _ in 0..count {
        q.buf.mov_rm(Size::Q, reg, Mem::base(frame, 0));
        frame = reg;
    }
    if intrinsic == Intrinsic::ReturnAddress {
        q.buf.mov_rm(Size::Q, reg, Mem::base(frame, 8));
    } else {
        q.move_reg(Type::PTR, reg, frame);
    }
    q.define(q.func.first_result(inst), reg);
}

/// Rounding is a library call (`roundsd` is SSE4.1).
fn round(q: &mut Quick<'_>, inst: Inst, intrinsic: Intrinsic) {
    let result = q.func.first_result(inst);
    let name = match intrinsic {
        Intrinsic::Rint => "rint",
        Intrinsic::Floor => "floor",
        Intrinsic::Ceil => "ceil",
        _ => "trunc",
    };
    let suffix = if q.func.value_type(result) == Type::F32 { "f" } else { "" };
    call_with_values(q, &format!("{name}{suffix}"), &[(argument(q, inst, 0), XMM0)]);
    define_from(q, result, XMM0);
}

// ---- non-local control ----

/// Words of `__builtin_setjmp`'s buffer, as gcc lays it out: frame pointer, resume address, stack
/// pointer.
const JMP_FRAME: i32 = 0;
const JMP_LABEL: i32 = 8;
const JMP_STACK: i32 = 16;

/// Fills the buffer and gives 0; `__builtin_longjmp` comes back to the label and gives 1.
/// Everything lives in the frame at both points, found through `rbp`.
fn set_jmp(q: &mut Quick<'_>, inst: Inst) {
    let buffer = argument(q, inst, 0);
    q.spill_all(CALL_CLOBBERS);
    let mem = q.mem(buffer);
    let temp = q.temp_gpr();
    let (receiver, done) = (q.buf.new_label(), q.buf.new_label());
    q.buf.mov_mr(Size::Q, mem.offset(JMP_FRAME), RBP);
    q.buf.lea(Size::Q, temp, Mem::rip_label(receiver));
    q.buf.mov_mr(Size::Q, mem.offset(JMP_LABEL), temp);
    q.buf.mov_mr(Size::Q, mem.offset(JMP_STACK), RSP);
    // What was loaded for the address must not be believed after the second return.
    q.spill_all(CALL_CLOBBERS);
    q.regs.pinned = RegSet::EMPTY;
    q.regs.pinned.insert(RAX);
    q.buf.mov_ri(Size::D, RAX, 0);
    q.buf.jmp(done);
    q.buf.bind(receiver);
    if q.cx.codegen().cf_protection & 1 != 0 {
        q.buf.endbr64();
    }
    q.buf.mov_ri(Size::D, RAX, 1);
    q.buf.bind(done);
    q.define(q.func.first_result(inst), RAX);
}

fn long_jmp(q: &mut Quick<'_>, inst: Inst) {
    let buffer = q.take(argument(q, inst, 0));
    let label = q.temp_gpr();
    q.buf.mov_rm(Size::Q, label, Mem::base(buffer, JMP_LABEL));
    q.buf.mov_rm(Size::Q, RSP, Mem::base(buffer, JMP_STACK));
    q.buf.mov_rm(Size::Q, RBP, Mem::base(buffer, JMP_FRAME));
    crate::branches::jmp_r(q.cx, q.func, q.buf, label, false);
}

/// A goto out of a nested function: the enclosing frame is made current, then the jump is made.
fn nonlocal_goto(q: &mut Quick<'_>, inst: Inst) {
    let frame = q.take(argument(q, inst, 0));
    let stack = q.use_reg(argument(q, inst, 1));
    let label = q.use_reg(argument(q, inst, 2));
    q.buf.mov_rr(Size::Q, RSP, stack);
    q.buf.mov_rr(Size::Q, RBP, frame);
    crate::branches::jmp_r(q.cx, q.func, q.buf, label, false);
}

/// The static chain: the parameter that came in `r10`. It must be asked for before anything
/// overwrites the register.
fn static_chain(q: &mut Quick<'_>, inst: Inst) {
    if let Some(&chain) = q.func.list(inst).first() {
        // The form with an operand only names the chain for the analysis; nothing happens here.
        return q.consume(chain);
    }
    let result = q.func.first_result(inst);
    q.claim(R10);
    q.define(result, R10);
}

/// `movabs function, r11; movabs chain, r10; jmp *r11`, written to the (executable) stack; 23
/// bytes, as gcc has it.
fn init_trampoline(q: &mut Quick<'_>, inst: Inst) {
    const MOVABS_R11: i32 = 0xbb49;
    const MOVABS_R10: i32 = 0xba49;
    /// `jmp *%r11` and the no-op that fills the word.
    const JMP_R11: i32 = 0x90e3_ff49u32 as i32;
    let block = q.use_reg(argument(q, inst, 0));
    let function = q.use_reg(argument(q, inst, 1));
    let chain = q.use_reg(argument(q, inst, 2));
    let at = |offset| Mem::base(block, offset);
    q.buf.mov_mi(Size::W, at(0), MOVABS_R11);
    q.buf.mov_mr(Size::Q, at(2), function);
    q.buf.mov_mi(Size::W, at(10), MOVABS_R10);
    q.buf.mov_mr(Size::Q, at(12), chain);
    q.buf.mov_mi(Size::D, at(20), JMP_R11);
}
