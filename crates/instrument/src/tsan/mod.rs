//! `-fsanitize=thread`: the runtime is told of every access that another thread may see, before it
//! happens, does the atomic operations itself, and follows calls and returns for its reports
//! (Serebryany, Iskhodzhanov: "ThreadSanitizer: data race detection in practice", 2009). The calls
//! are those of gcc 12's `tsan.cc`.
//!
//! Left alone: variables of the function whose address nobody else has, constants, and functions
//! that neither access memory nor call anything.
//!
//! Runs when all inlining is done and before anything may execute a load where the program does
//! not: that would be a race of ours. Needs no other pass. Linear.
//!
//! ```text
//!     v2: i32 = load v1 align 4                    v2: ptr = intrinsic return_address i32 0
//!     v3: i32 = atomic_rmw.seq_cst add v1, v2  =>  call @__tsan_func_entry(v2)
//!     ret v3                                       call @__tsan_read4(v1)
//!                                                  v3: i32 = load v1 align 4
//!                                                  v4: i32 = call @__tsan_atomic32_fetch_add(..)
//!                                                  call @__tsan_func_exit()
//!                                                  ret v4
//! ```

mod atomics;
pub mod runtime;

use ir::{Builder, Function, Inst, Intrinsic, Module, Opcode, SymbolDef, Type, Value};

use crate::accesses::{self, Access, Size};
use crate::exits;
use runtime::{Helper, SIZES, TsanRuntime};

/// What was done to a function.
#[derive(Default)]
pub struct Done {
    /// Accesses that the runtime is told of.
    pub told: u64,
    /// Atomic operations that it does.
    pub atomic: u64,
    /// Whether the function changed.
    pub changed: bool,
}

/// Tells the runtime of a function's accesses. `is_private` says of a variable of the function that
/// nobody else has its address.
pub fn run(func: &mut Function, module: &Module, runtime: &TsanRuntime, is_private: impl Fn(Inst) -> bool) -> Done {
    if crate::is_left_alone(func, module) {
        return Done::default();
    }
    let all: Vec<Inst> = func.all_insts().collect();
    let (mut told, mut atomic, mut calls) = (0, 0, false);
    for inst in all {
        calls |= matches!(func.insts[inst].opcode, Opcode::Call);
        if atomics::replace(func, runtime, inst) {
            atomic += 1;
            continue;
        }
        // A copy reads before it writes.
        for access in accesses::of(func, module, inst).into_iter().rev().flatten() {
            if may_race(func, module, &is_private, &access) {
                tell(func, runtime, &access);
                told += 1;
            }
        }
    }
    let changed = told > 0 || atomic > 0 || calls;
    if changed {
        enter(func, runtime);
        for exit in exits(func) {
            runtime.call(&mut Builder::before(func, exit), Helper::Exit, &[]);
        }
    }
    Done { told, atomic, changed }
}

/// Whether another thread may write there, or see what is written.
fn may_race(func: &Function, module: &Module, is_private: impl Fn(Inst) -> bool, access: &Access) -> bool {
    if access.size == Size::Fixed(0) {
        return false;
    }
    let (root, _) = accesses::root(func, func.operand(access.inst, access.operand));
    if let Some((symbol, _)) = func.const_symbol(root) {
        let SymbolDef::Data(id) = module.symbols[symbol].def else { return true };
        return !module.data[id].read_only;
    }
    let alloca = func.def_with(root, Opcode::Alloca);
    !alloca.is_some_and(is_private)
}

/// Tells the runtime of an access that follows.
fn tell(func: &mut Function, runtime: &TsanRuntime, access: &Access) {
    let write = access.write;
    let address = func.operand(access.inst, access.operand);
    let aligned = |size: u64| 1u64 << access.align_log2.min(4) >= size.min(8);
    let (exact, len) = match access.size {
        Size::Fixed(size) if SIZES.contains(&size) && aligned(size) => (size, None),
        Size::Fixed(size) => (0, Some(func.bits_const(Type::I64, u128::from(size)))),
        Size::Variable(operand) => (0, Some(func.operand(access.inst, operand))),
    };
    let args: Vec<Value> = [address].into_iter().chain(len).collect();
    runtime.call(&mut Builder::before(func, access.inst), Helper::Access { write, size: exact }, &args);
}

/// Tells the runtime that the function is entered, and from where.
fn enter(func: &mut Function, runtime: &TsanRuntime) {
    let entry = func.entry();
    let first = func.block_insts(entry).find(|&inst| func.insts[inst].opcode != Opcode::Alloca);
    let loc = func.loc;
    let mut b = Builder::before(func, first.expect("a block ends in a terminator"));
    b.loc = loc;
    let level = b.iconst(Type::I32, 0);
    let inst = b.intrinsic(Intrinsic::ReturnAddress, Type::PTR, &[level]);
    let caller = b.func.first_result(inst);
    runtime.call(&mut b, Helper::Entry, &[caller]);
}
