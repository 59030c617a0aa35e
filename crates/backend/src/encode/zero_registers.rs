//! Clearing call-used registers before a return (`-fzero-call-used-regs=`, attribute
//! `zero_call_used_regs`; gcc's manual, "Common Function Attributes").
//!
//! The registers of the result stay. A tail call passes its arguments in such registers: nothing is
//! cleared there, as in gcc.

use ir::{FnAttrs, Function, Type};
use object::{CodeBuffer, encode::Sse, encode::VexLength};
use platform::options::X86Features;
use platform::registers::*;

use crate::context::Context;

/// General registers that a callee may change (psABI 3.2.1), in the order they are cleared.
const GENERAL: [Reg; 9] = [RAX, RDX, RCX, RSI, RDI, R8, R9, R10, R11];
/// General registers that pass arguments: the six, and the number of SSE registers of a variable
/// argument list.
const GENERAL_ARGUMENTS: [Reg; 7] = [RAX, RDX, RCX, RSI, RDI, R8, R9];

/// Emits the instructions that clear what the attributes of `func` ask for. `used`: the registers
/// that it uses, as far as they are known; more than that is cleared where they are not.
pub fn zero_registers(cx: Context<'_>, func: &Function, used: RegSet, buf: &mut CodeBuffer) {
    let attrs = cx.symbol(func.symbol).attrs;
    if !attrs.has(FnAttrs::ZERO_REGISTERS)
        || attrs.has(FnAttrs::NAKED)
        || attrs.has(FnAttrs::INTERRUPT)
        || attrs.has(FnAttrs::KEEPS_REGISTERS)
    {
        return;
    }
    let features = cx.features(func);
    let layout = ir::abi::layout(&cx.module.signatures[func.sig], features.has(X86Features::AVX));
    let results: RegSet = layout.returns.iter().copied().collect();
    let only_used = attrs.has(FnAttrs::ZERO_USED);
    let ms_abi = cx.module.signatures[func.sig].ms_abi;
    let kept = if ms_abi { platform::registers::MS_CALLEE_SAVED } else { RegSet::EMPTY };
    let results = results.union(kept).union(cx.module.reserved_registers);
    let wanted = |reg: Reg| !results.contains(reg) && (!only_used || used.contains(reg));
    let arguments = attrs.has(FnAttrs::ZERO_ARGUMENTS);
    if !attrs.has(FnAttrs::ZERO_GENERAL) {
        if !arguments
            && cx.codegen().x87
            && (!only_used || func.all_values().any(|value| func.value_type(value) == Type::F80))
        {
            clear_x87(buf, layout.returns.iter().filter(|r| r.class() == RegClass::X87).count());
        }
        let count = if arguments { SSE_ARGUMENTS.len() as u8 } else { 16 };
        let count = if features.has_sse() { count } else { 0 };
        for reg in (0..count).map(Reg::xmm).filter(|&reg| wanted(reg)) {
            if features.has(X86Features::AVX) {
                // Upper half included.
                buf.vex_rrx(Sse::Pxor, VexLength::L128, reg, Some(reg), reg);
            } else {
                buf.sse_rx(Sse::Pxor, reg, reg);
            }
        }
    }
    let general: &[Reg] = if arguments { &GENERAL_ARGUMENTS } else { &GENERAL };
    general.iter().copied().filter(|&reg| wanted(reg)).for_each(|reg| buf.zero_r(reg));
}

/// Overwrites the stack registers that hold no result, and leaves them empty.
fn clear_x87(buf: &mut CodeBuffer, results: usize) {
    const FLDZ: [u8; 2] = [0xd9, 0xee];
    (results..8).for_each(|_| buf.put_bytes(&FLDZ));
    (results..8).for_each(|_| buf.fstp_st(0));
}
