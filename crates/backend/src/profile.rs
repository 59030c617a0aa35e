//! The calls that `-pg` puts at the beginning of functions.
//!
//! `mcount` finds its function's caller by `rbp`, so that it is called once `rbp` points to the frame, where the stack is aligned for calls;
//! `__fentry__` (`-mfentry`) finds it right above its own return address and comes first. Both keep the registers of arguments, but not the one
//! of the static chain.

use ir::{FnAttrs, Function, ParamKind};
use object::CodeBuffer;
use target::options::Profile;
use target::registers::R10;

use crate::context::Context;

/// The function's entry, in front of its prologue.
pub fn at_entry(cx: Context<'_>, func: &Function, buf: &mut CodeBuffer) {
    if cx.codegen().profile == Some(Profile::Fentry) && is_profiled(cx, func) {
        call(cx, buf, "__fentry__");
    }
}

/// Right behind the set-up of the frame pointer.
pub fn in_frame(cx: Context<'_>, func: &Function, buf: &mut CodeBuffer) {
    if cx.codegen().profile != Some(Profile::Mcount) || !is_profiled(cx, func) {
        return;
    }
    let params = &cx.module.signatures[func.sig].params;
    let chain = params.iter().any(|param| param.kind == ParamKind::StaticChain);
    if chain {
        // Twice, so that the stack stays aligned.
        buf.push_r(R10);
        buf.push_r(R10);
    }
    call(cx, buf, "mcount");
    if chain {
        buf.pop_r(R10);
        buf.pop_r(R10);
    }
}

fn is_profiled(cx: Context<'_>, func: &Function) -> bool {
    !cx.symbol(func.symbol).attrs.has(FnAttrs::NO_INSTRUMENT)
}

fn call(cx: Context<'_>, buf: &mut CodeBuffer, name: &str) {
    let symbol = buf.named_symbol(name);
    match cx.position_independent() {
        true => buf.call_got(symbol),
        false => buf.call_symbol(symbol),
    }
}
