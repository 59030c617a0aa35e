//! The landing pad of a function with cleanups that unwinding has to run (Itanium C++ ABI,
//! Exception Handling, level I).
//!
//! The function's list of armed cleanups is a slot of two words: the list's head, and room for the
//! exception. The unwinder comes with the exception in `rax` and everything a call preserves as it
//! was at the call. Nodes hold, at 0, 8, 16 and 24: the next node, the function or null, its
//! argument, its static chain.

use object::{Cond, Mem, Size};
use platform::options::Sanitizers;
use platform::registers::{R10, R11, RAX, RCX, RDI};

use crate::branches;
use crate::context::{CallForm, Context};

/// Size of the list's slot.
pub const LIST_SIZE: u64 = 16;

/// Empties the list; belongs in the prologue.
pub fn clear(buf: &mut object::CodeBuffer, list: Mem) {
    buf.mov_mi(Size::Q, list, 0);
}

/// The pad, after the function's code. All calls before its last one unwind into it, those of
/// cleanups too.
pub fn emit(cx: Context<'_>, func: &ir::Function, buf: &mut object::CodeBuffer, list: Mem) {
    let exception = list.offset(8);
    let pad = buf.label_here();
    if branches::tracked(cx) {
        buf.endbr64();
    }
    buf.mov_mr(Size::Q, exception, RAX);
    if cx.options.sanitize.checks(Sanitizers::ADDRESS) {
        // The frames that were left have not taken their red zones away.
        call_library(cx, func, buf, "__asan_handle_no_return");
    }
    let (again, done) = (buf.label_here(), buf.new_label());
    buf.mov_rm(Size::Q, RCX, list);
    buf.test_rr(Size::Q, RCX, RCX);
    buf.jcc(Cond::E, done);
    buf.mov_rm(Size::Q, RAX, Mem::base(RCX, 0));
    buf.mov_mr(Size::Q, list, RAX);
    buf.mov_rm(Size::Q, R11, Mem::base(RCX, 8));
    buf.test_rr(Size::Q, R11, R11);
    buf.jcc(Cond::E, again);
    buf.mov_rm(Size::Q, RDI, Mem::base(RCX, 16));
    buf.mov_rm(Size::Q, R10, Mem::base(RCX, 24));
    buf.zero_r(RAX);
    branches::call_r(cx, func, buf, R11);
    buf.jmp(again);
    buf.bind(done);
    buf.mov_rm(Size::Q, RDI, exception);
    buf.call_site(0, pad);
    call_library(cx, func, buf, "_Unwind_Resume");
}

fn call_library(cx: Context<'_>, func: &ir::Function, buf: &mut object::CodeBuffer, name: &str) {
    let symbol = buf.named_symbol(&cx.module.assembler_name(name));
    match cx.library_call_form() {
        CallForm::Got => branches::call_got(cx, func, buf, symbol),
        CallForm::Direct | CallForm::Register => buf.call_symbol(symbol),
    }
}
