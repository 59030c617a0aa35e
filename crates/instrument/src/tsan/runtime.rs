//! The thread sanitizer's runtime as the pass knows it: libtsan 2 of gcc 12, whose functions are
//! those of compiler-rt's `tsan` of LLVM 14.
//!
//! Passes run on functions while the module is shared, so all that they may call is declared
//! beforehand.

use ir::{Builder, Inst, Module, RmwOp, Type, Value};
use platform::options::{Options, Sanitizers};
use rustc_hash::FxHashMap;

use crate::callee::Callee;

/// Sizes in bytes of accesses that have a function of their own.
pub const SIZES: [u64; 5] = [1, 2, 4, 8, 16];

/// Sizes in bytes of atomic operations that the runtime does.
pub const ATOMIC_SIZES: [u32; 4] = [1, 2, 4, 8];

/// A function of the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Helper {
    /// `__tsan_func_entry`: takes the return address, for the stacks in reports.
    Entry,
    /// `__tsan_func_exit`
    Exit,
    /// `__tsan_read4`, `__tsan_read_range` (`size` 0): an access follows, of so many bytes or of as
    /// many as the second argument says.
    Access {
        /// A store.
        write: bool,
        /// Bytes.
        size: u64,
    },
    /// `__tsan_atomic32_load`
    Load(u32),
    /// `__tsan_atomic32_store`
    Store(u32),
    /// `__tsan_atomic32_fetch_add` and its like, which return the old value.
    Rmw(RmwOp, u32),
    /// `__tsan_atomic32_compare_exchange_val`, which returns the old value.
    CompareExchange(u32),
    /// `__tsan_atomic_thread_fence`, or `..._signal_fence`.
    Fence {
        /// Between a thread and a signal handler in it.
        signal: bool,
    },
}

impl Helper {
    fn name(self) -> String {
        let way = |write: bool| if write { "write" } else { "read" };
        let atomic = |size: u32, what: &str| format!("__tsan_atomic{}_{what}", size * 8);
        match self {
            Helper::Entry => "__tsan_func_entry".into(),
            Helper::Exit => "__tsan_func_exit".into(),
            Helper::Access { write, size: 0 } => format!("__tsan_{}_range", way(write)),
            Helper::Access { write, size } => format!("__tsan_{}{size}", way(write)),
            Helper::Load(size) => atomic(size, "load"),
            Helper::Store(size) => atomic(size, "store"),
            Helper::Rmw(RmwOp::Xchg, size) => atomic(size, "exchange"),
            Helper::Rmw(op, size) => atomic(size, &format!("fetch_{}", op.name())),
            Helper::CompareExchange(size) => atomic(size, "compare_exchange_val"),
            Helper::Fence { signal } => format!("__tsan_atomic_{}_fence", if signal { "signal" } else { "thread" }),
        }
    }

    /// Parameters and result (void if there is none). Callers extend integers to 32 bits.
    fn types(self) -> (Vec<Type>, Type) {
        let number = |size: u32| if size == 8 { Type::I64 } else { Type::I32 };
        match self {
            Helper::Entry | Helper::Access { size: 1.., .. } => (vec![Type::PTR], Type::VOID),
            Helper::Exit => (vec![], Type::VOID),
            Helper::Access { .. } => (vec![Type::PTR, Type::I64], Type::VOID),
            Helper::Load(size) => (vec![Type::PTR, Type::I32], number(size)),
            Helper::Store(size) => (vec![Type::PTR, number(size), Type::I32], Type::VOID),
            Helper::Rmw(_, size) => (vec![Type::PTR, number(size), Type::I32], number(size)),
            Helper::CompareExchange(size) => {
                (vec![Type::PTR, number(size), number(size), Type::I32, Type::I32], number(size))
            }
            Helper::Fence { .. } => (vec![Type::I32], Type::VOID),
        }
    }

    fn all() -> impl Iterator<Item = Helper> {
        let accesses = [false, true]
            .into_iter()
            .flat_map(|write| [0].into_iter().chain(SIZES).map(move |size| Helper::Access { write, size }));
        let atomics = ATOMIC_SIZES.into_iter().flat_map(|size| {
            let operations = RmwOp::ALL.iter().map(move |&op| Helper::Rmw(op, size));
            [Helper::Load(size), Helper::Store(size), Helper::CompareExchange(size)].into_iter().chain(operations)
        });
        let fences = [Helper::Fence { signal: false }, Helper::Fence { signal: true }];
        [Helper::Entry, Helper::Exit].into_iter().chain(accesses).chain(atomics).chain(fences)
    }
}

/// What the pass may call.
pub struct TsanRuntime {
    helpers: FxHashMap<Helper, Callee>,
}

impl TsanRuntime {
    /// Declares the runtime's functions, and makes the constructor that starts it.
    pub fn declare(module: &mut Module, options: &Options) -> TsanRuntime {
        if options.sanitize.checks(Sanitizers::THREAD) {
            let function = ir::caller::define(module, "_sub_I_00099_0", &[("__tsan_init", &[])]);
            module.init_fini.push((true, Some(ir::caller::FIRST), function));
        }
        let mut helpers = FxHashMap::default();
        for helper in Helper::all() {
            let (params, result) = helper.types();
            helpers.insert(helper, Callee::declare(module, &helper.name(), &params, result));
        }
        TsanRuntime { helpers }
    }

    /// Calls a function of the runtime.
    pub fn call(&self, b: &mut Builder<'_>, helper: Helper, args: &[Value]) -> Inst {
        self.helpers[&helper].call(b, args)
    }
}
