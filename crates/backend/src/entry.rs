//! The first bytes of a function: no-ops to be patched before and after its symbol, and `endbr64`
//! between them, as in gcc 12.

use ir::Function;
use object::CodeBuffer;

use crate::branches;
use crate::context::Context;

/// The function's first bytes: no-ops before its symbol, its landing pad, the other no-ops.
pub fn begin(cx: Context<'_>, func: &Function, buf: &mut CodeBuffer) {
    let symbol = cx.symbol(func.symbol);
    let own = symbol.code.as_ref().and_then(|code| code.patchable);
    let (size, before) = own.unwrap_or(cx.codegen().entries.patchable);
    if before != 0 {
        buf.patchable_nops(before);
        buf.entry_here();
    }
    if branches::tracked_entry(cx, func) {
        buf.endbr64();
    }
    buf.patchable_nops(size - before);
}
