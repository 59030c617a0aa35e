//! Marks calls in tail position, which the back end may turn into jumps.
//!
//! A call is in tail position if it is followed by a return of exactly its results (through one
//! jump and a phi at most, which is followed by copying the return), the frame holds nothing that
//! the callee might be handed (no escaping local, no by-value copy among the arguments), and the
//! function neither calls setjmp nor allocates dynamically nor returns to an unwinder's handler.

use ir::ssa::{remove_phi_entries, returned_through};
use ir::{FnAttrs, Function, Inst, Intrinsic, Opcode, ParamKind, Value, flags};

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("tail_call", run);

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    if func.calls_setjmp || func.has_dynamic_alloca || !cx.options.codegen.sibling_calls {
        return Changed::Nothing;
    }
    let alias = cx.analyses.alias(func, cx.module, cx.options);
    let escapes = func.all_insts().any(|i| func.insts[i].opcode == Opcode::Alloca && !alias.is_private(i));
    if escapes || returns_to_handler(func) {
        return Changed::Nothing;
    }
    let copied = !cx.options.optimize_size && copy_returns(func, cx);
    let calls: Vec<Inst> = func
        .blocks()
        .filter_map(|b| func.prev_inst(func.terminator(b)))
        .filter(|&i| func.insts[i].opcode == Opcode::Call)
        .collect();
    let mut marked = 0;
    for call in calls {
        if is_tail(func, cx, call) {
            func.add_flags(call, flags::TAIL);
            marked += 1;
        }
    }
    cx.statistics.add("tail calls", marked);
    if copied { Changed::ControlFlow } else { Changed::code_if(marked > 0) }
}

/// Copies returns to calls that only jump to them, and whose results they return.
fn copy_returns(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let mut copied = false;
    for block in func.blocks().collect::<Vec<_>>() {
        let branch = func.terminator(block);
        let call = func.prev_inst(branch).filter(|&i| func.insts[i].opcode == Opcode::Call);
        if let (Some(call), Some(values)) = (call, returned_through(func, block))
            && may_end(func, cx, call, &values)
        {
            remove_phi_entries(func, func.insts[branch].dest(), |pred| pred == block);
            func.replace_terminator(block, |b| b.ret(&values));
            copied = true;
        }
    }
    if copied {
        cx.analyses.invalidate(Changed::ControlFlow);
        cx.analyses.remove_unreachable_blocks(func);
    }
    copied
}

/// Whether the frame holds registers that whoever unwinds changes: their addresses are passed to
/// functions that are called.
fn returns_to_handler(func: &Function) -> bool {
    let eh_return = |i: Inst| func.insts[i].is_intrinsic(Intrinsic::EhReturn);
    func.all_insts().any(eh_return)
}

fn is_tail(func: &Function, cx: &PassContext<'_>, call: Inst) -> bool {
    func.next_inst(call).is_some_and(|i| func.insts[i].opcode == Opcode::Ret && may_end(func, cx, call, func.list(i)))
}

/// Whether a call may end a function that returns `values` after it: nothing, or exactly what was
/// called for.
fn may_end(func: &Function, cx: &PassContext<'_>, call: Inst, values: &[Value]) -> bool {
    let info = func.call_info(call);
    let by_value = cx.module.signatures[info.sig].params.iter().any(|p| matches!(p.kind, ParamKind::ByVal { .. }));
    (values.is_empty() || func.results(call).eq(values.iter().copied()))
        && !by_value
        && !info.attrs.has(FnAttrs::RETURNS_TWICE)
}
