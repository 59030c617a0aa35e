//! Which registers a compiled function changes, for its callers (see [`crate::callees`]): what it
//! writes itself, what the calls in it change as far as that is known, and what the emitter takes
//! without asking ([`TAKEN`]). Of SSE registers callers take all as changed: their upper halves are
//! nobody's.

use ir::{FnAttrs, Function};
use platform::registers::{R10, R11, RAX, RegSet};

use crate::callees::EVERYTHING;
use crate::context::Context;
use crate::frame::Frame;
use crate::machine::{Callee, MachineFunction, Op};

/// Results, static chain, and the scratch register of prologues, epilogues and addresses.
const TAKEN: RegSet = RegSet::of(&[RAX, R10, R11]);

/// The registers that a function changes. `written`: what the allocator knows of.
pub fn changed_by(cx: Context<'_>, func: &Function, mf: &MachineFunction, frame: &Frame, written: RegSet) -> RegSet {
    let attrs = cx.symbol(func.symbol).attrs;
    if attrs.has(FnAttrs::ZERO_REGISTERS)
        || attrs.has(FnAttrs::INTERRUPT)
        || mf.naked
        || mf.eh_return
        || mf.cleanup_list.is_some()
        || cx.codegen().profile.is_some()
    {
        return EVERYTHING;
    }
    let mut changed = written.union(TAKEN).union(crate::encode::prologue::popped_at_end(cx, frame));
    for inst in mf.insts.iter().filter(|inst| inst.op == Op::TailCall) {
        changed = match mf.calls[inst.index()].callee {
            Callee::Symbol(symbol, _) => changed.union(cx.changed_by_call(symbol)),
            _ => return EVERYTHING,
        };
    }
    changed
}
