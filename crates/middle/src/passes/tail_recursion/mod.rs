//! Calls of the function itself that end it become jumps to its beginning.
//!
//! A call whose results are returned as they are needs no frame of its own: its arguments become
//! the parameters of the next iteration of a loop. Nor does a call whose result is returned times
//! something plus something (`return n * f(n - 1)`, `return fib(n - 2) + fib(n - 1)`): what is
//! added and multiplied is accumulated from iteration to iteration, and every return that stays
//! combines it with what it returns. Sums and products of integers wrap, so their order does not
//! matter. (gcc, `tree-tailcall.cc`.)
//!
//! With accumulators `a` (0 at first) and `m` (1 at first), either only if something needs it:
//!
//! ```text
//! return x + y * f(args)   =>   a += m * x;  m *= y;  params = args;  goto start
//! return r                 =>   return a + m * r
//! ```
//!
//! `form.rs` says what a call returns, `rewrite.rs` makes the loop. What a call of a narrow type
//! returns is converted on the way, again and again; once is enough where every return converts to
//! the same width ([`form::Extension`]).
//!
//! **Not done** where the frame holds something that the callee may know (an escaping local, an
//! aggregate passed by value), where the body tells activations apart (the address of the frame,
//! `setjmp`, blocks of memory made at run time), where the symbol may mean another body at run
//! time, and under `-fno-optimize-sibling-calls`. Accumulators are not made where another call is
//! returned as it is: it would cease to be a jump, and a recursion cycle would need the stack that
//! it did not.
//!
//! **Cost.** Functions that do not call themselves: one look at their calls. Others: the way from
//! each call to its return.

use ir::{FnAttrs, Function, Inst, Opcode, ParamKind, flags};

use crate::pass::{Changed, Pass, PassContext};
use ir::copying::{exact_definition, is_freely_copied};

mod form;
mod peel;
mod rewrite;

use form::{Form, find_form};

/// The pass.
pub const PASS: Pass = Pass { copies_code: true, ..Pass::new("tail_recursion", run) };

/// Attributes of functions that are left as they are.
const REFUSED: [u32; 6] = [
    FnAttrs::NOIPA,
    FnAttrs::NAKED,
    FnAttrs::OPTNONE,
    FnAttrs::INTERRUPT,
    FnAttrs::AVAILABLE_EXTERNALLY,
    // A recursive one is an error of the program, which the inliner reports.
    FnAttrs::ALWAYS_INLINE,
];

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    if !cx.options.codegen.sibling_calls {
        return Changed::Nothing;
    }
    let own: Vec<Inst> = calls(func).filter(|&call| is_own(func, call)).collect();
    if own.is_empty() || !may_be_loop(func, cx) {
        return Changed::Nothing;
    }
    let forms = chosen_forms(func, cx, &own);
    if forms.is_empty() {
        return Changed::Nothing;
    }
    let place = func.source_loc(forms[0].call);
    cx.remark(PASS.name, place, || format!("{} calls of the function itself became jumps", forms.len()));
    cx.statistics.add("tail recursive calls", forms.len() as u64);
    let accumulated = rewrite::make_loop(func, &forms);
    cx.analyses.invalidate(Changed::ControlFlow);
    cx.analyses.remove_unreachable_blocks(func);
    rewrite::finish_returns(func, &accumulated);
    if calls(func).any(|call| is_own(func, call)) && !cx.options.optimize_size {
        peel::peel_test(func, accumulated.header);
    }
    Changed::ControlFlow
}

fn calls(func: &Function) -> impl Iterator<Item = Inst> + '_ {
    func.insts_with(|opcode| opcode == Opcode::Call).into_iter()
}

/// A call of the function by its symbol and with its signature, which does not ask for anything
/// particular.
fn is_own(func: &Function, call: Inst) -> bool {
    let info = func.call_info(call);
    let particular = [FnAttrs::APART, FnAttrs::LIBRARY, FnAttrs::RETURNS_TWICE];
    func.const_symbol(func.list(call)[0]) == Some((func.symbol, 0))
        && info.sig == func.sig
        && func.list(call).len() == func.params().len() + 1
        && !func.insts[call].has(flags::MUST_TAIL)
        && !particular.iter().any(|&attr| info.attrs.has(attr))
}

/// Whether one frame may serve all activations, and the symbol is sure to mean this body.
fn may_be_loop(func: &Function, cx: &mut PassContext<'_>) -> bool {
    let attrs = cx.module.symbols[func.symbol].attrs;
    let signature = &cx.module.signatures[func.sig];
    let in_registers = |kind: ParamKind| matches!(kind, ParamKind::Direct | ParamKind::StructReturn);
    let interposable = cx.options.interposable();
    !REFUSED.iter().any(|&attr| attrs.has(attr))
        && !signature.variadic
        && signature.params.iter().all(|param| in_registers(param.kind))
        && !func.has_dynamic_alloca
        && exact_definition(cx.module, func.symbol, interposable).is_some()
        && is_freely_copied(func)
        && !frame_escapes(func, cx)
}

/// Whether something that is called may know the address of a local.
fn frame_escapes(func: &Function, cx: &mut PassContext<'_>) -> bool {
    let alias = cx.analyses.alias(func, cx.module, cx.options);
    func.insts_with(|opcode| opcode == Opcode::Alloca).into_iter().any(|alloca| !alias.is_private(alloca))
}

/// The calls that become jumps: those that need accumulators only if nothing else does without a
/// frame.
fn chosen_forms(func: &Function, cx: &PassContext<'_>, own: &[Inst]) -> Vec<Form> {
    let reads_only = form::only_reads(func, cx.module);
    let form_of = |call: Inst| find_form(func, cx.module, call, reads_only);
    let mut forms: Vec<Form> = own.iter().filter_map(|&call| form_of(call)).collect();
    let returned = |call: Inst| form_of(call).is_some_and(|form| form.is_plain());
    let others = || calls(func).filter(|call| !forms.iter().any(|form| form.call == *call));
    if others().any(|call| func.insts[call].has(flags::MUST_TAIL) || returned(call)) {
        forms.retain(Form::is_plain);
    }
    form::agree(func, &mut forms);
    forms
}
