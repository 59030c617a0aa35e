//! Code that watches the program while it runs: the address and the thread sanitizer, repeated
//! conditions, and calls that tell a fuzzer where the program is.
//!
//! It knows the IR and nothing of the passes. Where it needs to know what a call or an address may
//! do, the caller passes a question (`may_free`, `is_private`); the middle end has the answers, and
//! decides when each of these runs (`middle/src/pipeline.rs`).
//!
//! | module | what |
//! |---|---|
//! | [`asan`] | `-fsanitize=address`: checks of accesses, red zones around variables |
//! | [`tsan`] | `-fsanitize=thread`: accesses and atomic operations that the runtime is told of |
//! | [`trace_coverage`] | `-fsanitize-coverage=` |
//! | [`harden_conditionals`] | `-fharden-compares`, `-fharden-conditional-branches` |
//! | `accesses` | what an instruction reads and writes, for both sanitizers |
//! | `callee` | functions of a runtime: declarations and calls |

mod accesses;
pub mod asan;
mod callee;
pub mod harden_conditionals;
pub mod trace_coverage;
pub mod tsan;

use ir::{FnAttrs, Function, Inst, Module, Opcode, flags};

/// Whether the sanitizers leave a function alone: an attribute says so, or it has no frame.
fn is_left_alone(func: &Function, module: &Module) -> bool {
    let refused = FnAttrs::NO_SANITIZE_ACCESSES | FnAttrs::NAKED;
    module.symbols[func.symbol].attrs.0 & refused != 0
}

/// Returns, or the calls before them that must be jumps.
fn exits(func: &Function) -> Vec<Inst> {
    let is_jump = |inst: &Inst| func.insts[*inst].opcode == Opcode::Call && func.insts[*inst].has(flags::MUST_TAIL);
    let returns = func.insts_with(|op| op == Opcode::Ret);
    returns.into_iter().map(|ret| func.prev_inst(ret).filter(is_jump).unwrap_or(ret)).collect()
}
