//! Properties of functions that both code generators need: alignment, unwind entries, place in the
//! text.

use ir::{FnAttrs, Function};
use object::TextPlacement;
use platform::options::OptLevel;

use crate::context::Context;

/// Alignment of functions from `-O2` on, as gcc's generic tuning has it.
const OPTIMIZED_ALIGN: u32 = 16;

/// Alignment of a function's first byte. Cold functions are optimised for size, as in gcc.
pub fn function_align(cx: Context<'_>, func: &Function) -> u32 {
    let cold = cx.options.optimizing() && cx.symbol(func.symbol).attrs.has(FnAttrs::COLD);
    let default = if cx.options.level >= OptLevel::O2 && !cx.options.optimize_size { OPTIMIZED_ALIGN } else { 1 };
    let chosen = match cx.codegen().align_functions {
        _ if cold => 1,
        0 => default,
        align => align.next_power_of_two(),
    };
    chosen.max(cx.symbol(func.symbol).align.max(1).next_power_of_two())
}

/// Whether a function gets an entry in `.eh_frame`.
pub fn has_unwind(cx: Context<'_>, _func: &Function) -> bool {
    cx.codegen().unwind_tables || cx.codegen().exceptions
}

/// Which part of the text a function belongs to; without optimisation all of them stay together, as
/// in gcc.
pub fn placement(cx: Context<'_>, func: &Function) -> TextPlacement {
    let symbol = cx.symbol(func.symbol);
    let own = symbol.code.as_ref().and_then(|code| code.placed);
    if !own.unwrap_or(cx.options.reorders_functions()) {
        return TextPlacement::Normal;
    }
    let listed = |constructor| cx.module.init_fini.iter().any(|i| i.0 == constructor && i.2 == func.symbol);
    if symbol.attrs.has(FnAttrs::COLD) {
        TextPlacement::Unlikely
    } else if symbol.attrs.has(FnAttrs::HOT) {
        TextPlacement::Hot
    } else if cx.module.source_name(func.symbol) == "main" || listed(true) {
        TextPlacement::Startup
    } else if listed(false) {
        TextPlacement::Exit
    } else {
        TextPlacement::Normal
    }
}
