//! Sine and cosine of one angle: one call of `sincos`, which takes little longer than either.
//!
//! Of the calls of `sin` and `cos` with one argument, the first becomes the call if it dominates
//! one of the other function; the results come through two slots. glibc and musl have `sincos`, as
//! gcc supposes for Linux (`tree-ssa-math-opts.cc`, pass "sincos"). Calls that depend on more than
//! their argument (`-frounding-math`) stay. Late: the separate calls can be hoisted out of loops
//! and be dropped, a call that writes memory cannot.
//!
//! Cost: linear, but for calls of one angle that do not dominate each other, which are looked at
//! once for each leader.
//!
//! ```text
//!                                    v8 = alloca 8; v9 = alloca 8
//! v1 = call @sin(v0)                 call @sincos(v0, v8, v9)
//! v2 = call @cos(v0)            =>   v1 = load v8; v2 = load v9
//! ```

use ir::{AliasTags, Block, Builder, FnAttrs, Function, Inst, Position, SigId, SymbolDef, SymbolId, Value};
use rustc_hash::FxHashMap;

use crate::library;
use crate::pass::{Changed, Pass, PassContext};
use ir::effects::{CallDependence, call_dependence};

/// The pass.
pub const PASS: Pass = Pass { calls_library: true, ..Pass::new("sincos", run) };

/// A call of one of the functions.
#[derive(Copy, Clone)]
struct Call {
    inst: Inst,
    block: Block,
    sine: bool,
    angle: Value,
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let mut joined = 0;
    for (sin, cos, both) in [("sin", "cos", "sincos"), ("sinf", "cosf", "sincosf"), ("sinl", "cosl", "sincosl")] {
        let Some((symbol, sig)) = cx.library.function(both) else { continue };
        // A program's own function of the name, which ISO C does not reserve, may do something
        // else.
        if !matches!(cx.module.symbols[symbol].def, SymbolDef::Undefined) || symbol == func.symbol {
            continue;
        }
        let dominators = cx.analyses.dominators(func);
        for mut calls in by_angle(calls(func, cx, sin, cos)) {
            while let Some(leader) = calls.first().copied() {
                let follows = |call: &Call| dominators.dominates(leader.block, call.block);
                let (group, others) = calls.into_iter().partition(follows);
                calls = others;
                joined += join(func, &group, symbol, sig);
            }
        }
    }
    cx.statistics.add("sines joined with cosines", joined);
    Changed::code_if(joined > 0)
}

/// The calls that depend on their argument alone, in reverse postorder.
fn calls(func: &Function, cx: &mut PassContext<'_>, sin: &str, cos: &str) -> Vec<Call> {
    let cfg = cx.analyses.cfg(func);
    let mut out = Vec::new();
    for block in cfg.reverse_postorder() {
        for inst in func.block_insts(block).filter(|&i| library::is_call(func, i)) {
            let Some(name) = cx.module.name_of_callee(func, inst).filter(|&n| n == sin || n == cos) else { continue };
            let alone = call_dependence(func, cx.module, inst) == Some(CallDependence::Arguments);
            if alone && library::has_expected_types(func, inst, name) {
                out.push(Call { inst, block, sine: name == sin, angle: func.list(inst)[1] });
            }
        }
    }
    out
}

/// The calls of each angle, in the order of the first of each.
fn by_angle(calls: Vec<Call>) -> Vec<Vec<Call>> {
    let mut places: FxHashMap<Value, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<Call>> = Vec::new();
    for call in calls {
        let place = *places.entry(call.angle).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(call);
    }
    groups
}

/// Makes one call of a group whose first call dominates the others; gives 1 if both functions are
/// among them.
fn join(func: &mut Function, group: &[Call], symbol: SymbolId, sig: SigId) -> u64 {
    if group.iter().all(|c| c.sine == group[0].sine) {
        return 0;
    }
    let leader = group[0];
    let ty = func.value_type(func.first_result(leader.inst));
    let size = u64::from(ty.bits().next_power_of_two() / 8);
    let entry = func.first_inst(func.entry()).expect("the entry block is complete");
    let mut b = Builder::new(func, Position::Before(entry));
    let (sine, cosine) = (b.alloca(size, size as u32), b.alloca(size, size as u32));
    let attrs = FnAttrs(func.call_info(leader.inst).attrs.0 & (FnAttrs::LIBRARY | FnAttrs::NOTHROW));
    let mut b = Builder::before(func, leader.inst);
    b.call_symbol(symbol, sig, attrs, &[], &[leader.angle, sine, cosine]);
    let results = [sine, cosine].map(|slot| b.load(ty, slot, size as u32, AliasTags::any(), 0));
    for call in group {
        let result = func.first_result(call.inst);
        func.replace_all_uses(result, results[usize::from(!call.sine)]);
        func.remove_inst(call.inst);
    }
    1
}
