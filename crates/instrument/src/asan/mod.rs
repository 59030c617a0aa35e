//! `-fsanitize=address`: accesses are checked against shadow memory, and the function's variables
//! lie in one frame with red zones between them.
//!
//! A byte of shadow memory at `(address >> 3) + 0x7fff8000` (`-fasan-shadow-offset=` has another
//! number) says how many of eight bytes may be accessed: 0 for all, 1 to 7 for as many, anything
//! negative for none (Serebryany, Bruening, Potapenko, Vyukov: "AddressSanitizer: A Fast Address
//! Sanity Checker", 2012). The layout of frames and the calls are those of gcc 12's libasan.
//!
//! | file | what |
//! |---|---|
//! | `candidates` | the accesses of the function, but for those that need no check |
//! | `available` | checks that earlier ones cover |
//! | `checks` | the code of a check |
//! | `frame` | variables with red zones |
//! | `dynamic` | `alloca` and arrays of variable length |
//! | `scopes` | where variables' scopes may have ended |
//! | `globals` | variables of static storage duration with red zones |
//! | `runtime` | what the runtime has to be called |
//!
//! Runs when nothing but tail calls is still to be found: accesses that were removed cost no check.
//! Needs no other pass. Linear, but for the checks available per block (at most 1,024).
//!
//! ```text
//!     v2: i32 = load.4 v1           v2: i64 = ptrtoint v1; v3: i64 = lshr v2, i64 3
//!                                   v4: ptr = inttoptr v3; v5: ptr = ptradd v4, i64 0x7fff8000
//!                                   v6: i8 = load.1 v5; v7: i1 = icmp.ne v6, i8 0
//!                                   cond_br.unlikely v7, b2, b1
//!                          =>   b1: v8: i32 = load.4 v1
//!                               b2: v9: i8 = trunc v2; v10: i8 = and v9, i8 7
//!                                   v11: i8 = add v10, i8 3; v12: i1 = icmp.sge v11, v6
//!                                   cond_br.unlikely v12, b3, b1
//!                               b3: call @__asan_report_load4(v1); unreachable
//! ```

mod available;
mod candidates;
mod checks;
mod dynamic;
mod frame;
pub mod globals;
pub mod runtime;
mod scopes;

use ir::analysis::Cfg;
use ir::{Builder, FnAttrs, Function, Inst, InstView, Intrinsic, Module, Opcode};
use platform::options::Options;

use runtime::{AsanRuntime, Helper};

/// What was done to a function.
#[derive(Default)]
pub struct Done {
    /// Accesses that are checked.
    pub checked: u64,
    /// Accesses that earlier checks cover.
    pub covered: u64,
    /// Variables with red zones.
    pub protected: u64,
    /// Whether the function changed.
    pub changed: bool,
}

/// Checks a function's accesses and protects its variables. `may_free` says of an instruction
/// whether an address may be bad after it that was good before.
pub fn run(
    func: &mut Function,
    module: &Module,
    options: &Options,
    runtime: &AsanRuntime,
    cfg: &Cfg,
    may_free: impl Fn(&Function, Inst) -> bool,
) -> Done {
    if crate::is_left_alone(func, module) {
        return Done::default();
    }
    let (accesses, gone) = candidates::find(func, module, cfg, options);
    let (checked, covered) = available::uncovered(func, cfg, |inst| may_free(func, inst), accesses);
    let leaving = func.insts_with(|op| matches!(op, Opcode::Call | Opcode::Intrinsic));
    let leaving: Vec<Inst> = leaving.into_iter().filter(|&inst| leaves(func, module, inst)).collect();
    for &inst in &leaving {
        runtime.call(&mut Builder::before(func, inst), Helper::HandleNoReturn, &[]);
    }
    let allocas = options.sanitize.address.allocas;
    let dynamic = if allocas { dynamic::protect(func, runtime) } else { 0 };
    let protected = dynamic + frame::protect(func, module, options, runtime, &gone);
    let by_call = checked.len() as u64 >= u64::from(options.sanitize.address.call_threshold);
    // The last first: what follows an access moves to another block, and should move once.
    for access in checked.iter().rev() {
        checks::check(func, runtime, access, by_call);
    }
    let changed = !checked.is_empty() || !leaving.is_empty() || protected > 0;
    Done { checked: checked.len() as u64, covered, protected, changed }
}

/// The sanitizer's marks of scopes, which passes look at as accesses of unknown code, as ordinary
/// ones; whether there were any.
pub fn plain_markers(func: &mut Function) -> bool {
    let marks = func.insts_with(|op| op == Opcode::Intrinsic);
    let mut changed = false;
    for mark in marks {
        let opcode = match func.insts[mark].intrinsic() {
            Intrinsic::ScopeBegin => Opcode::LifetimeStart,
            Intrinsic::ScopeEnd => Opcode::LifetimeEnd,
            _ => continue,
        };
        let variable = func.operand(mark, 0);
        if func.def_with(variable, Opcode::Alloca).is_some() {
            Builder::before(func, mark).effect(opcode, variable);
        }
        func.remove_inst(mark);
        changed = true;
    }
    changed
}

/// Whether control does not come back from here, so that frames are left without their returns.
fn leaves(func: &Function, module: &Module, inst: Inst) -> bool {
    match func.view(inst) {
        InstView::Intrinsic { intrinsic, .. } => matches!(intrinsic, Intrinsic::LongJmp | Intrinsic::NonlocalGoto),
        _ => {
            let reports = |(symbol, _)| module.symbols[symbol].name.starts_with("__ubsan_");
            ir::effects::call_attrs(func, module, inst).has(FnAttrs::NORETURN)
                && !func.const_symbol(func.list(inst)[0]).is_some_and(reports)
        }
    }
}
