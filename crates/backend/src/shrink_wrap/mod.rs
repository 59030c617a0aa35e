//! Shrink-wrapping: paths that leave a function early do so without having set up its frame.
//!
//! The blocks of a function fall into those *inside* the frame and those *outside*. Inside is
//! whatever needs the frame (calls, slots, instructions that are not well known) and all that can
//! be reached from there; outside is the rest, which thus is entered from outside only. Where
//! control goes inside, a new block holds the prologue. Small blocks that return and are reached
//! from both are made twice.
//!
//! The allocator has no idea of this and keeps values in callee-saved registers from the first
//! instruction on. Outside, such a register is renamed to a caller-saved one, and the prologue's
//! block moves it over: to the register that it is a copy of (an argument, as a rule), or to one
//! that is not named outside at all. Stores to spill slots in the entry wait for that block, too,
//! if their registers stay as they are. Cf. Chow, "Minimizing register usage penalty at procedure
//! calls" (PLDI 1988), and gcc's `shrink-wrap.cc`.
//!
//! Functions with a frame pointer, a re-aligned or probed frame, a stack protector, and those that
//! are entered or left in other ways keep the prologue at their entry.

mod plan;
pub mod touched;
mod transform;
mod verify;

#[cfg(test)]
mod tests;

use ir::{FnAttrs, Function};

use crate::{context::Context, frame::Frame, machine::MachineFunction};

/// Frames of at most this many bytes are moved: none is probed.
const MAX_FRAME: u64 = 4096;

/// Moves the prologue off paths that do without it, where that pays. `mf.stages` says what became
/// of the blocks.
pub fn run(cx: Context<'_>, func: &Function, mf: &mut MachineFunction, frame: &Frame) {
    if cx.options.optimize_size || !is_movable(cx, func, mf, frame) {
        return;
    }
    let Some(plan) = plan::plan(mf, frame, cx.module.reserved_registers) else { return };
    transform::apply(mf, plan);
    if cx.options.verify {
        verify::check(mf, frame);
    }
}

fn is_movable(cx: Context<'_>, func: &Function, mf: &MachineFunction, frame: &Frame) -> bool {
    let nothing_to_do = frame.saved.is_empty() && frame.adjusted() == 0;
    let in_other_ways = mf.naked
        || mf.interrupt
        || !mf.kept.is_empty()
        || mf.ms_abi
        || mf.saves_all
        || mf.calls_setjmp
        || mf.has_dynamic_stack
        || mf.argument_registers.is_some()
        || mf.cleanup_list.is_some();
    let special = frame.frame_pointer
        || frame.base_register
        || frame.realign.is_some()
        || frame.guard.is_some()
        || frame.size > MAX_FRAME;
    !nothing_to_do
        && !in_other_ways
        && !special
        && !cx.symbol(func.symbol).attrs.has(FnAttrs::ZERO_REGISTERS)
        && mf.blocks.len() > 1
}
