//! Inlines recursive functions into themselves: small ones save most of their calls that way.
//!
//! Each step puts the *original* body in the place of every call of the function itself, so that
//! one call does the work of several levels of recursion. It ends when the function would grow
//! beyond [`LIMIT`], or when the levels together would keep more values across a call than
//! [`KEPT`]: what is spilled then costs more than the calls saved.

use ir::analysis::Cfg;
use ir::{Block, FnAttrs, FuncId, Function, Inst, Module, Opcode, Type, Value};
use platform::options::{OptLevel, Options};
use rustc_hash::FxHashMap;

use super::{clone, signatures_match, size};
use crate::statistics::Statistics;
use ir::copying::{Copying, copying, exact_definition};

/// Size up to which a body is worth copying into itself.
const BODY: u32 = 40;
/// Size up to which the function may grow.
const LIMIT: u32 = 160;
/// The same at `-O3`.
const LIMIT_O3: u32 = 400;
/// Levels of recursion at most.
const ROUNDS: u32 = 3;
/// Values that the levels together may keep across a call: twice the registers that calls preserve.
/// Those of the outer levels change seldom, and are spilled.
const KEPT: usize = 12;

/// Inlines `func` (taken out of the module) into itself. True if it changed. The caller has use
/// lists.
pub fn run(module: &Module, func: &mut Function, id: FuncId, options: &Options, statistics: &mut Statistics) -> bool {
    let attrs = module.symbols[func.symbol].attrs;
    let refused = [FnAttrs::NOINLINE, FnAttrs::NOIPA, FnAttrs::NAKED, FnAttrs::OPTNONE, FnAttrs::COLD];
    if options.level < OptLevel::O2
        || options.optimize_size
        || refused.iter().any(|&a| attrs.has(a))
        || func.has_dynamic_alloca
        || func.blocks().any(|b| func.block_insts(b).any(|i| func.insts[i].opcode == Opcode::Alloca))
    {
        return false;
    }
    let body = size(func);
    let own = self_calls(module, func, id, options);
    if own.is_empty() || body > BODY || copying(func) != Copying::Free {
        return false;
    }
    let limit = if options.level >= OptLevel::O3 { LIMIT_O3 } else { LIMIT };
    let (shared, kept) = kept_across(func, &own);
    let original = func.clone();
    let mut calls = own;
    let (mut grown, mut inlined) = (body, 0);
    for levels in 2..2 + ROUNDS as usize {
        if calls.is_empty() || grown + body * calls.len() as u32 > limit || shared + levels * kept > KEPT {
            break;
        }
        for &call in calls.iter().rev() {
            clone::inline_call(module, func, call, &original);
        }
        grown += body * calls.len() as u32;
        inlined += calls.len() as u64;
        calls = self_calls(module, func, id, options);
    }
    statistics.add("recursive calls inlined", inlined);
    inlined > 0
}

/// Values in general registers that live across the calls of the function itself: those that all
/// levels share, since each passes on what it was given, and the most that a call adds to them.
fn kept_across(func: &Function, calls: &[Inst]) -> (usize, usize) {
    let passed_on =
        |index: usize, param: Value| calls.iter().all(|&call| func.list(call).get(index + 1) == Some(&param));
    let shared: Vec<Value> =
        func.params().iter().enumerate().filter(|&(index, &param)| passed_on(index, param)).map(|(_, &v)| v).collect();
    let cfg = Cfg::compute(func);
    let mut kept: FxHashMap<Inst, Vec<Value>> = calls.iter().map(|&call| (call, Vec::new())).collect();
    let results = func.all_insts().filter_map(|i| func.result(i));
    let values: Vec<Value> = func.params().iter().copied().chain(results).collect();
    for value in values {
        let ty = func.value_type(value);
        if (ty.is_int() || ty.is_ptr()) && ty != Type::I1 && !shared.contains(&value) {
            calls_crossed(func, &cfg, value, |call| {
                if let Some(list) = kept.get_mut(&call)
                    && list.last() != Some(&value)
                {
                    list.push(value);
                }
            });
        }
    }
    (shared.len(), kept.values().map(Vec::len).max().unwrap_or(0))
}

/// Tells of each call that a value lives across: backwards from its uses to its definition. A call
/// may be told of more than once.
fn calls_crossed(func: &Function, cfg: &Cfg, value: Value, mut tell: impl FnMut(Inst)) {
    let def = func.def_inst(value);
    let mut work: Vec<(Block, Option<Inst>)> = Vec::new();
    let mut seen: Vec<Block> = Vec::new();
    for (user, index) in func.uses(value) {
        let at = match func.insts[user].opcode {
            Opcode::Phi => Some((func.phi_block(user, index), None)),
            _ => func.inst_block(user).map(|b| (b, Some(user))),
        };
        work.extend(at);
    }
    while let Some((block, before)) = work.pop() {
        let mut next = match before {
            Some(inst) => func.prev_inst(inst),
            None => func.block_insts_rev(block).next(),
        };
        let mut found = false;
        while let Some(inst) = next {
            if Some(inst) == def {
                found = true;
                break;
            }
            if func.insts[inst].opcode == Opcode::Call {
                tell(inst);
            }
            next = func.prev_inst(inst);
        }
        if !found {
            for pred in cfg.preds(block).iter().copied() {
                if !seen.contains(&pred) {
                    seen.push(pred);
                    work.push((pred, None));
                }
            }
        }
    }
}

/// The calls of the function itself, as far as they are sure to reach this very body.
fn self_calls(module: &Module, func: &Function, id: FuncId, options: &Options) -> Vec<Inst> {
    let interposable = options.interposable();
    let is_own = |call: Inst| {
        let Some((symbol, 0)) = func.const_symbol(func.list(call)[0]) else { return false };
        symbol == func.symbol
            && !super::is_kept(func, call)
            && exact_definition(module, symbol, interposable) == Some(id)
            && signatures_match(module, func, call, func.sig)
    };
    let mut calls = func.insts_with(|opcode| opcode == Opcode::Call);
    calls.retain(|&call| is_own(call));
    calls
}
