//! The stack guard of `-fstack-protector`: where it is (gcc's `-mstack-protector-guard` options),
//! and which functions check it.

use ir::{FnAttrs, Function};
use object::{Alu, CodeBuffer, Mem, RelocKind, Segment, Size};
use platform::options::{CodeModel, PicLevel, SegmentRegister};
use platform::registers::Reg;

use crate::context::{BackendError, Context};

/// Whether `-fstack-protector*` applies to a function with such variables in memory: `arrays_left`,
/// those of characters may be among them. It errs on the side of protection: variables that are
/// left in memory are known by their size only.
pub fn is_wanted(cx: Context<'_>, func: &Function, arrays_left: bool, has_variables: bool) -> bool {
    let symbol = cx.symbol(func.symbol);
    let asked = symbol.code.as_ref().is_some_and(|code| code.stack_protect);
    match cx.codegen().stack_protector {
        _ if symbol.attrs.has(FnAttrs::NO_STACK_PROTECTOR) => false,
        1.. if asked => true,
        1 => func.has_character_array && arrays_left || func.has_dynamic_alloca,
        2 => has_variables || func.has_dynamic_alloca,
        3 => true,
        _ => false,
    }
}

/// `register = guard`, on entry and before [`compare`]'s subtraction.
pub fn load(cx: Context<'_>, buf: &mut CodeBuffer, register: Reg) {
    let guard = operand(cx, buf, register);
    buf.mov_rm(Size::Q, register, guard);
}

/// Sets the flags: equal if the copy at `slot` is the guard. `register` is left with their
/// difference or the guard.
pub fn compare(cx: Context<'_>, buf: &mut CodeBuffer, slot: Mem, register: Reg) {
    if needs_address(cx) {
        load(cx, buf, register);
        buf.alu_rm(Alu::Sub, Size::Q, register, slot);
    } else {
        buf.mov_rm(Size::Q, register, slot);
        let guard = operand(cx, buf, register);
        buf.alu_rm(Alu::Sub, Size::Q, register, guard);
    }
}

/// The symbol that is the guard, if it is one.
fn symbol_name<'a>(cx: Context<'a>) -> Option<&'a str> {
    let guard = &cx.codegen().stack_guard;
    if guard.global { Some("__stack_chk_guard") } else { guard.symbol.as_deref() }
}

/// Whether a register holds the symbol's address first.
fn needs_address(cx: Context<'_>) -> bool {
    symbol_name(cx).is_some() && (cx.codegen().pic == PicLevel::Pic || cx.large_model())
}

/// The guard as a memory operand; `register` may be changed.
fn operand(cx: Context<'_>, buf: &mut CodeBuffer, register: Reg) -> Mem {
    let guard = &cx.codegen().stack_guard;
    let segment = match guard.segment {
        _ if guard.global => Segment::None,
        Some(SegmentRegister::Fs) => Segment::Fs,
        Some(SegmentRegister::Gs) => Segment::Gs,
        None if cx.codegen().code_model == CodeModel::Kernel => Segment::Gs,
        None => Segment::Fs,
    };
    let mem = match symbol_name(cx) {
        None => Mem::absolute(guard.offset),
        Some(name) => {
            let symbol = buf.named_symbol(&cx.module.assembler_name(name));
            if cx.large_model() {
                // Position-independent code of this model is refused before it gets here.
                buf.movabs_r_symbol(register, symbol, 0, RelocKind::Abs64);
                Mem::base(register, 0)
            } else if needs_address(cx) {
                buf.mov_rm(Size::Q, register, Mem::rip_symbol(symbol, 0, RelocKind::GotPcRel));
                Mem::base(register, 0)
            } else {
                Mem::rip_symbol(symbol, 0, RelocKind::Pc32)
            }
        }
    };
    mem.with_segment(segment)
}

/// What is wrong with a guarded function under these options.
pub fn check(cx: Context<'_>, func: &Function, errors: &mut Vec<BackendError>) {
    if symbol_name(cx).is_some() && cx.large_model() && cx.position_independent() {
        let message =
            "not supported: a stack guard that is a symbol in position-independent code with '-mcmodel=large'";
        errors.push(BackendError { loc: func.loc, message: message.into(), note: None });
    }
}
