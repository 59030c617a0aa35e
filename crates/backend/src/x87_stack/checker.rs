//! The new code against the old: each block is run with symbols in place of numbers, once as
//! postfix code over slots and once on a stack of eight registers; what is stored, compared and
//! returned must be the same, in the same place among the other instructions.
//!
//! The plan is checked where the blocks rely on it: edges join equal layouts, and what a block may
//! read is in the live variables of its start. Symbols are numbered by what they are computed from,
//! so that equal numbers mean equal values.

use object::encode::{X87, X87Op};
use rustc_hash::FxHashMap;

use super::{
    Made,
    operations::{Action, Code},
    plan::{DEPTH, Plan},
};
use crate::machine::{MInst, MachineFunction, MemId, Op, X87Form, X87Mem, X87Reg};

/// What a value is computed from. `era` counts what may change memory, rounding or exceptions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Term {
    /// A variable's value at the block's start.
    Start(u32),
    /// What was read from memory.
    Memory(X87Mem, MemId, u32),
    Constant(X87),
    /// What a call left, counted from the bottom.
    Result(u32, u32),
    Unary(X87, u32, u32),
    Binary(X87Op, u32, u32, u32),
    /// Nothing that may be read.
    Garbage,
}

/// What a block does to the world besides its registers.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Effect {
    Store(X87Mem, MemId, u32),
    Compare(bool, u32, u32),
    /// An instruction that is not touched, by its index, with the operands that it finds.
    Other(u32, Vec<u32>),
}

#[derive(Default)]
struct Terms {
    numbers: FxHashMap<Term, u32>,
}

impl Terms {
    fn number(&mut self, term: Term) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(term).or_insert(next)
    }
}

/// Panics if a block's new code does something else than its old code.
pub fn check(mf: &MachineFunction, code: &Code, plan: &Plan, blocks: &[Vec<Made>]) {
    for (number, made) in blocks.iter().enumerate() {
        for &succ in &mf.blocks[number].succs {
            if plan.exit(number) != plan.entry(succ as usize) {
                base::bug!("x87 stack: blocks {number} and {succ} disagree");
            }
        }
        if let Err(what) = check_block(mf, code, plan, number, made) {
            base::bug!("x87 stack: block {number}: {what}");
        }
    }
}

/// A run of one block.
#[derive(Default)]
struct Run {
    stack: Vec<u32>,
    slots: FxHashMap<u32, u32>,
    effects: Vec<Effect>,
    era: u32,
}

impl Run {
    fn top(&mut self, index: usize) -> Result<&mut u32, String> {
        let at = self.stack.len().checked_sub(1 + index).ok_or("empty register")?;
        Ok(&mut self.stack[at])
    }

    fn pop(&mut self) -> Result<u32, String> {
        self.stack.pop().ok_or_else(|| "stack underflow".to_string())
    }
}

fn check_block(mf: &MachineFunction, code: &Code, plan: &Plan, number: usize, made: &[Made]) -> Result<(), String> {
    let data = &mf.blocks[number];
    let mut terms = Terms::default();
    let mut old = Run::default();
    let mut reads: Vec<u32> = Vec::new();
    for at in data.start..data.end {
        let inst = &mf.insts[at as usize];
        match code.actions[at as usize] {
            Action::LoadVariable(v) if !old.slots.contains_key(&v) => {
                reads.push(v);
                let start = terms.number(Term::Start(v));
                old.slots.insert(v, start);
                old.stack.push(start);
            }
            Action::LoadVariable(v) => old.stack.push(old.slots[&v]),
            Action::StoreVariable(v) => {
                let value = old.pop()?;
                old.slots.insert(v, value);
            }
            action => step(&mut terms, &mut old, code, inst, at, action)?,
        }
    }
    let live_in = &plan.live_in[number];
    let live_out = |v: &u32| data.succs.iter().any(|&s| plan.live_in[s as usize].contains(v));
    if let Some(v) = reads.iter().find(|v| !live_in.contains(v) && !code.is_constant(**v)) {
        return Err(format!("variable {v} is not live"));
    }
    let mut new = Run::default();
    for &(v, in_slot) in plan.entry(number) {
        let start = terms.number(if live_in.contains(&v) { Term::Start(v) } else { Term::Garbage });
        new.stack.push(start);
        new.slots.insert(v, if in_slot { start } else { terms.number(Term::Garbage) });
    }
    for item in made {
        match (item.variable, (item.inst.op == Op::X87M).then(|| item.inst.x87_mem())) {
            (Some(v), Some(X87Mem::Fld80)) => {
                let start = terms.number(Term::Start(v));
                new.stack.push(*new.slots.get(&v).unwrap_or(&start));
            }
            (Some(v), Some(X87Mem::Fstp80)) => {
                let value = new.pop()?;
                new.slots.insert(v, value);
            }
            _ => {
                let action = if item.inst == mf.insts[item.old as usize] {
                    code.actions[item.old as usize]
                } else {
                    Action::Other
                };
                step(&mut terms, &mut new, code, &item.inst, item.old, action)?;
            }
        }
        if new.stack.len() > DEPTH {
            return Err("stack overflow".to_string());
        }
    }
    if old.effects != new.effects {
        return Err(format!("different effects: {:?}, {:?}", old.effects, new.effects));
    }
    check_end(&mut terms, plan, number, &old, &new, &|v| live_out(&v), data.succs.is_empty())
}

/// At the end every live variable is where the plan says.
fn check_end(
    terms: &mut Terms,
    plan: &Plan,
    number: usize,
    old: &Run,
    new: &Run,
    live_out: &dyn Fn(u32) -> bool,
    last: bool,
) -> Result<(), String> {
    let exit = plan.exit(number);
    if !last && exit.len() != new.stack.len() {
        return Err("stack of another depth than planned".to_string());
    }
    let mut value = |run: &Run, v: u32| *run.slots.get(&v).unwrap_or(&terms.number(Term::Start(v)));
    for (&(v, in_slot), &found) in exit.iter().zip(&new.stack) {
        let wanted = value(old, v);
        if live_out(v) && (found != wanted || (in_slot && value(new, v) != wanted)) {
            return Err(format!("variable {v} is not on the stack at the end"));
        }
    }
    let touched = old.slots.keys().chain(new.slots.keys()).chain(&plan.live_in[number]);
    for &v in touched.filter(|&&v| live_out(v) && exit.iter().all(|l| l.0 != v)) {
        if value(old, v) != value(new, v) {
            return Err(format!("variable {v} is not in its slot at the end"));
        }
    }
    Ok(())
}

/// One instruction that accesses no variable.
fn step(terms: &mut Terms, run: &mut Run, code: &Code, inst: &MInst, at: u32, action: Action) -> Result<(), String> {
    let era = run.era;
    match inst.op {
        Op::X87M => memory(terms, run, inst, at),
        Op::X87R => register(terms, run, inst),
        Op::X87 if action == Action::Constant || inst.x87_op() == X87::Fldz => {
            run.stack.push(terms.number(Term::Constant(inst.x87_op())));
            Ok(())
        }
        Op::X87 => {
            let top = run.top(0)?;
            *top = terms.number(Term::Unary(inst.x87_op(), *top, era));
            Ok(())
        }
        _ => {
            run.era += 1;
            if inst.is_terminator() && action == Action::Other {
                run.effects.push(Effect::Other(at, Vec::new()));
                return Ok(());
            }
            let found = if matches!(action, Action::Return | Action::Barrier) {
                std::mem::take(&mut run.stack)
            } else {
                Vec::new()
            };
            run.effects.push(Effect::Other(at, found));
            for result in 0..code.results.get(&at).copied().unwrap_or(0) {
                run.stack.push(terms.number(Term::Result(at, result)));
            }
            Ok(())
        }
    }
}

fn memory(terms: &mut Terms, run: &mut Run, inst: &MInst, at: u32) -> Result<(), String> {
    let code = inst.x87_mem();
    let era = run.era;
    if let Some((op, wide)) = code.as_arithmetic() {
        let load = if wide { X87Mem::Fld64 } else { X87Mem::Fld32 };
        let operand = terms.number(Term::Memory(load, inst.mem, era));
        let top = run.top(0)?;
        *top = binary(terms, op, *top, operand, era);
        return Ok(());
    }
    if code.pushes() {
        run.stack.push(terms.number(Term::Memory(code, inst.mem, era)));
        return Ok(());
    }
    run.era += 1;
    if code.pops() {
        let value = run.pop()?;
        run.effects.push(Effect::Store(code, inst.mem, value));
    } else if matches!(code, X87Mem::Fst32 | X87Mem::Fst64) {
        let value = *run.top(0)?;
        let popping = if code == X87Mem::Fst32 { X87Mem::Fstp32 } else { X87Mem::Fstp64 };
        run.effects.push(Effect::Store(popping, inst.mem, value));
    } else {
        run.effects.push(Effect::Other(at, Vec::new()));
    }
    Ok(())
}

/// The number of an operation, whichever way around it is written.
fn binary(terms: &mut Terms, op: X87Op, a: u32, b: u32, era: u32) -> u32 {
    let (op, a, b) = match op {
        X87Op::SubReverse => (X87Op::Sub, b, a),
        X87Op::DivReverse => (X87Op::Div, b, a),
        X87Op::Add | X87Op::Mul => (op, a.min(b), a.max(b)),
        _ => (op, a, b),
    };
    terms.number(Term::Binary(op, a, b, era))
}

fn register(terms: &mut Terms, run: &mut Run, inst: &MInst) -> Result<(), String> {
    let code = inst.x87_reg();
    let index = inst.index();
    let (top, other) = (*run.top(0)?, *run.top(index)?);
    if let Some((op, form)) = code.as_arithmetic() {
        let (a, b) = if form == X87Form::ToTop { (top, other) } else { (other, top) };
        let result = binary(terms, op, a, b, run.era);
        *run.top(if form == X87Form::ToTop { 0 } else { index })? = result;
        if form == X87Form::AndPop {
            run.pop()?;
        }
        return Ok(());
    }
    match code {
        X87Reg::Fld => run.stack.push(other),
        X87Reg::Fxch => (*run.top(0)?, *run.top(index)?) = (other, top),
        X87Reg::Fstp => {
            *run.top(index)? = top;
            run.pop()?;
        }
        _ => {
            use X87Reg::*;
            let signaling = matches!(code, Comi | ComiPop | ComiPop2);
            run.effects.push(Effect::Compare(signaling, top, other));
            let pops =
                usize::from(matches!(code, UcomiPop | ComiPop)) + 2 * usize::from(matches!(code, UcomiPop2 | ComiPop2));
            run.stack.truncate(run.stack.len().checked_sub(pops).ok_or("stack underflow")?);
        }
    }
    Ok(())
}
