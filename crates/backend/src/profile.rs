//! The calls that `-pg` puts at the beginning of functions, and what it puts before returns.
//!
//! `mcount` finds its function's caller by `rbp`, so that it is called once `rbp` points to the
//! frame, where the stack is aligned for calls; `__fentry__` (`-mfentry`) finds it right above its
//! own return address and comes first. Both keep the registers of arguments, but not the one of the
//! static chain.

use ir::{FnAttrs, Function, ParamKind};
use object::{CodeBuffer, Label, RelocKind, SectionPiece, relocations::Reloc, sections::SectionSpec};
use platform::options::{AtReturn, Profile};
use platform::registers::R10;

use crate::context::Context;

/// The no-op that has the place of a call: `nopl 0(%rax,%rax,1)`.
const NOP5: [u8; 5] = [0x0f, 0x1f, 0x44, 0x00, 0x00];

/// The function's entry, before its prologue.
pub fn at_entry(cx: Context<'_>, func: &Function, buf: &mut CodeBuffer) {
    if cx.codegen().profile == Some(Profile::Fentry) && is_profiled(cx, func) {
        call(cx, func, buf, "__fentry__");
    }
}

/// Right after the set-up of the frame pointer.
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
    call(cx, func, buf, "mcount");
    if chain {
        buf.pop_r(R10);
        buf.pop_r(R10);
    }
}

/// `-minstrument-return=`: before a return.
pub fn at_return(cx: Context<'_>, func: &Function, buf: &mut CodeBuffer) {
    let entries = &cx.codegen().entries;
    let profiled = cx.codegen().profile == Some(Profile::Fentry) && is_profiled(cx, func);
    if entries.at_return == AtReturn::None || !profiled {
        return;
    }
    let here = buf.label_here();
    if entries.at_return == AtReturn::Nop5 {
        buf.put_bytes(&NOP5);
    } else {
        let symbol = buf.named_symbol("__return__");
        buf.call_symbol(symbol);
    }
    if entries.record_return {
        record(buf, "__return_loc", here);
    }
}

/// Whether `-pg` is for this function, too.
fn is_profiled(cx: Context<'_>, func: &Function) -> bool {
    !cx.symbol(func.symbol).attrs.has(FnAttrs::NO_INSTRUMENT)
}

fn call(cx: Context<'_>, func: &Function, buf: &mut CodeBuffer, usual: &str) {
    let entries = &cx.codegen().entries;
    let own = cx.symbol(func.symbol).code.as_deref();
    let own_name = own.and_then(|code| code.fentry_name.as_deref());
    let name = own_name.or(entries.name.as_deref()).unwrap_or(usual);
    let here = buf.label_here();
    // The attribute knows a name that is none.
    if entries.nop || own_name == Some("nop") {
        buf.put_bytes(&NOP5);
    } else {
        let symbol = buf.named_symbol(name);
        match cx.position_independent() {
            true => buf.call_got(symbol),
            false => buf.call_symbol(symbol),
        }
    }
    if entries.record {
        let own_section = own.and_then(|code| code.fentry_section.as_deref());
        record(buf, own_section.or(entries.section.as_deref()).unwrap_or("__mcount_loc"), here);
    }
}

/// Puts the address of a place into a section.
fn record(buf: &mut CodeBuffer, section: &str, place: Label) {
    let symbol = buf.code_symbol(place);
    let relocs = vec![Reloc { offset: 0, kind: RelocKind::Abs64, symbol, addend: 0 }];
    let section = SectionSpec::read_only(section);
    buf.add_piece(SectionPiece { section, align: 1, bytes: vec![0; 8], relocs, unless: None });
}
