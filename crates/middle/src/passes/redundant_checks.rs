//! Removes checks of sanitizers that an earlier one covers: what gcc's `sanopt` does.
//!
//! A check is a branch to a block that calls a report which returns (`report` on the symbol). After
//! it, control goes on either way, so that the condition is not known, but asking again is of no
//! use: the fault has been reported. On a walk over the dominator tree a branch goes whose
//! condition
//! is that of a dominating check, or follows from it: an address that is too large for a sum with a
//! greater offset is too large for one with a smaller one, and only the least limit has to be
//! asked.
//!
//! Needs `gvn` before it, which gives equal conditions one name. Linear in branches, with short
//! lists of limits per address. Leaves constant conditions to `simplify_cfg`.
//!
//! ```text
//!     cond_br v1, b1, b2            cond_br v1, b1, b2
//! b1: call @report(); br b2         b1: call @report(); br b2
//! b2: cond_br v1, b3, b4       =>   b2: cond_br i1 0, b3, b4
//! b3: call @report(); br b4
//! ```

use ir::{Block, FnAttrs, Function, Inst, InstView, IntCc, Module, Opcode, Type, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("redundant_checks", run).for_sanitizers();

/// Limits kept per address.
const MAX_LIMITS: usize = 8;

/// What the checks on the way from the entry have asked.
#[derive(Default)]
struct Asked {
    /// Conditions, with the truth value that is the fault.
    conditions: FxHashSet<(Value, bool)>,
    /// `icmp.uge value, limit` that is a fault, by value.
    limits: FxHashMap<Value, Vec<u128>>,
}

enum Step {
    Enter(Block),
    Leave(Noted),
}

/// What leaving a block takes back.
enum Noted {
    Condition((Value, bool)),
    Limit(Value),
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let dominators = cx.analyses.dominators(func);
    let mut asked = Asked::default();
    let mut work = vec![Step::Enter(func.entry())];
    let mut removed: Vec<(Inst, bool)> = Vec::new();
    while let Some(step) = work.pop() {
        let block = match step {
            Step::Leave(Noted::Condition(key)) => {
                asked.conditions.remove(&key);
                continue;
            }
            Step::Leave(Noted::Limit(value)) => {
                asked.limits.get_mut(&value).and_then(Vec::pop);
                continue;
            }
            Step::Enter(block) => block,
        };
        let branch = func.terminator(block);
        if let Some(fault) = check(func, cx.module, branch) {
            let cond = func.operand(branch, 0);
            let on_true = func.insts[branch].dests().0 == fault;
            if asked.covers(func, cond, on_true) {
                removed.push((branch, on_true));
            } else if let Some(noted) = asked.note(func, cond, on_true) {
                for note in noted {
                    work.push(Step::Leave(note));
                }
            }
        }
        work.extend(dominators.children(block).map(Step::Enter));
    }
    for &(branch, on_true) in &removed {
        let passes = func.iconst(Type::I1, i64::from(!on_true));
        func.set_operand(branch, 0, passes);
    }
    cx.statistics.add("checks removed", removed.len() as u64);
    Changed::code_if(!removed.is_empty())
}

/// The report that a branch leads to.
fn check(func: &Function, module: &Module, branch: Inst) -> Option<Block> {
    let (then, otherwise) = func.insts[branch].two_dests()?;
    [then, otherwise].into_iter().find(|&block| is_report(func, module, block))
}

/// Whether a block does nothing but report: values for the report, its call, a jump.
fn is_report(func: &Function, module: &Module, block: Block) -> bool {
    let mut reports = false;
    for inst in func.block_insts(block) {
        match func.insts[inst].opcode {
            Opcode::Call => {
                let callee = func.const_symbol(func.list(inst)[0]);
                if !callee.is_some_and(|(symbol, _)| module.symbols[symbol].attrs.has(FnAttrs::REPORT)) {
                    return false;
                }
                reports = true;
            }
            Opcode::Br | Opcode::Store => {}
            opcode if opcode.is_terminator() => return false,
            _ if ir::effects::may_write_memory(func, module, inst) => return false,
            _ => {}
        }
    }
    reports
}

impl Asked {
    fn covers(&self, func: &Function, cond: Value, on_true: bool) -> bool {
        if self.conditions.contains(&(cond, on_true)) {
            return true;
        }
        let Some((value, limit)) = limit(func, cond, on_true) else { return false };
        self.limits.get(&value).is_some_and(|known| known.iter().any(|&least| least <= limit))
    }

    fn note(&mut self, func: &Function, cond: Value, on_true: bool) -> Option<Vec<Noted>> {
        func.def_inst(cond)?;
        let mut noted = Vec::new();
        if self.conditions.insert((cond, on_true)) {
            noted.push(Noted::Condition((cond, on_true)));
        }
        if let Some((value, limit)) = limit(func, cond, on_true) {
            let known = self.limits.entry(value).or_default();
            if known.len() < MAX_LIMITS {
                known.push(limit);
                noted.push(Noted::Limit(value));
            }
        }
        Some(noted)
    }
}

/// A fault where a value is at least (unsigned) a constant.
fn limit(func: &Function, cond: Value, on_true: bool) -> Option<(Value, u128)> {
    let ValueDef::Result(inst, 0) = func.value_def(cond) else { return None };
    let InstView::ICmp { cc, a, b } = func.view(inst) else { return None };
    let limit = func.const_bits(b)?;
    match if on_true { cc } else { cc.inverse() } {
        IntCc::Uge => Some((a, limit)),
        IntCc::Ugt => Some((a, limit + 1)),
        _ => None,
    }
}
