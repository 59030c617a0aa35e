//! Removal of heap objects that nobody reads: the call of `malloc` and its kin, all stores into the
//! object and the `free` of it. As gcc and clang do, an allocation that goes is one that succeeds;
//! where the program asks whether it did, the object stays.
//!
//! Cost: linear, at most [`MAX_USES`] for an object.
//!
//! ```text
//! v1: ptr = call @malloc(i64 64)
//! v2: ptr = ptradd v1, v0
//! store v2, i32 1                    =>     (nothing)
//! call @free(v1)
//! ```

use ir::{Function, Inst, Module, Opcode, Value};
use smallvec::{SmallVec, smallvec};

use crate::library;
use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("dead_allocations", run);

/// Uses of one object that are looked at.
const MAX_USES: usize = 200;

/// The functions of the C library that return an object and have no other effect.
const ALLOCATING: &[&str] = &["malloc", "calloc", "aligned_alloc", "strdup", "strndup"];

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let mut removed = 0;
    for call in func.insts_with(|opcode| opcode == Opcode::Call) {
        // It may be the `free` of one that went.
        if func.inst_block(call).is_some()
            && is_call_of(func, cx.module, call, ALLOCATING)
            && let Some(object) = func.result(call)
            && let Some(insts) = never_read(func, cx.module, object)
        {
            insts.into_iter().rev().for_each(|inst| func.remove_inst(inst));
            func.remove_inst(call);
            removed += 1;
        }
    }
    cx.statistics.add("dead allocations removed", removed);
    Changed::code_if(removed > 0)
}

fn is_call_of(func: &Function, module: &Module, inst: Inst, names: &[&str]) -> bool {
    library::is_call(func, inst) && module.name_of_callee(func, inst).is_some_and(|name| names.contains(&name))
}

/// What computes addresses in an object, writes to them and frees it, if nothing else uses them.
fn never_read(func: &Function, module: &Module, object: Value) -> Option<SmallVec<[Inst; 8]>> {
    let mut addresses: SmallVec<[Value; 8]> = smallvec![object];
    let mut insts: SmallVec<[Inst; 8]> = SmallVec::new();
    let mut next = 0;
    while let Some(&address) = addresses.get(next) {
        next += 1;
        for (user, index) in func.uses(address) {
            let data = func.insts[user];
            match data.opcode {
                Opcode::PtrAdd if index == 0 => addresses.push(func.first_result(user)),
                Opcode::Store | Opcode::MemSet | Opcode::MemCpy | Opcode::MemMove
                    if index == 0 && !data.is_volatile() => {}
                Opcode::Call if index == 1 && is_call_of(func, module, user, &["free"]) => {}
                _ => return None,
            }
            insts.push(user);
            if insts.len() > MAX_USES {
                return None;
            }
        }
    }
    Some(insts)
}
