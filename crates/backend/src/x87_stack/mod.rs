//! `long double` values on the x87 stack, within blocks and around loops.
//!
//! Selection leaves every `long double` value in a frame slot of its own and evaluates expressions
//! in postfix form on an otherwise empty stack: `fldt slot`, operation, `fstpt slot`. A store and a
//! load of ten bytes cost a dozen operations and more than that in latency, once per iteration for
//! a sum. This pass reads that postfix code as what it computes and writes it anew with values kept
//! on the stack:
//!
//! - [`plan`]: which slots are nothing but values (*variables*, constants of ten bytes among them),
//!   where they are live, and which of them lie on the stack at the borders of blocks. Outside of
//!   loops the stack is empty there. A loop without calls (the outermost such loop of a nest) keeps
//!   the most used of its variables there, the same ones in the same order on all edges that meet
//!   (edges are bundled by the blocks at their ends); edges into and out of the loop that cannot do
//!   the change at the end of a block or the start of another get blocks.
//! - [`stack`]: one block, from its entry's layout to its exit's: a variable that is loaded becomes
//!   an operand where it lies, the last use takes it, storing one renames the operand; operations
//!   take the form that leaves on the stack what is used later; `fxch` brings up what must be on
//!   top. A ninth entry evicts the one used last; calls find an empty stack.
//! - [`checker`]: the old and the new code of each block, run with symbols side by side, must
//!   store, compare and return the same.
//!
//! Layouts start with the most used variables on top and are then taken from what the blocks leave
//! over, a few times; the cheapest is kept. No operation moves against another, so that exceptions
//! and rounding modes stay as they were; ten bytes hold a register exactly.
//!
//! The method is that of gcc's `reg-stack.c` and of LLVM's `X86FloatingPoint` (virtual registers
//! onto a stack block by block, edges in bundles of one layout), with the assignment of registers
//! done here too.

mod checker;
mod operations;
mod plan;
mod stack;

use crate::machine::{Base, MInst, MachineFunction, Writes};
use operations::Code;
use plan::Plan;

/// How often layouts are taken from what blocks leave.
const ROUNDS: usize = 4;

/// An instruction of the new code.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Made {
    /// Index of the old instruction that it stands for, or stands before.
    old: u32,
    inst: MInst,
    /// The variable whose slot it accesses; `mem` is made at the end.
    variable: Option<u32>,
}

/// Rewrites a function after register allocation. With `verify` the result is checked.
pub fn run(mf: &mut MachineFunction, verify: bool) {
    if mf.x87_values.is_empty() || mf.calls_setjmp {
        return;
    }
    let Some(code) = operations::read(mf) else { return };
    let Some(mut plan) = plan::plan(mf, &code) else { return };
    let code = if plan.split_edges(mf) { operations::read(mf).expect("as before") } else { code };
    let mut best: Option<(f64, Vec<Vec<Made>>, Plan)> = None;
    for _ in 0..ROUNDS {
        let (cost, blocks, natural) = write_blocks(mf, &code, &plan);
        let better = best.as_ref().is_none_or(|b| cost < b.0);
        let next = plan.reordered(mf, &natural);
        let stop = next.layouts == plan.layouts;
        let tried = std::mem::replace(&mut plan, next);
        if better {
            best = Some((cost, blocks, tried));
        }
        if stop {
            break;
        }
    }
    let (_, blocks, plan) = best.expect("a round was made");
    if verify || cfg!(debug_assertions) {
        checker::check(mf, &code, &plan, &blocks);
    }
    replace(mf, &code, blocks);
}

/// New code of all blocks: its cost, the instructions, and the variables on the stack at the end of
/// each block before they are put in order.
fn write_blocks(mf: &MachineFunction, code: &Code, plan: &Plan) -> (f64, Vec<Vec<Made>>, Vec<Vec<u32>>) {
    let mut cost = 0.0;
    let (mut blocks, mut natural) = (Vec::new(), Vec::new());
    let mut scratch = stack::Scratch::new(code.homes.len());
    for number in 0..mf.blocks.len() {
        let (made, order) = stack::block(mf, code, plan, number, &mut scratch);
        cost += f64::from(mf.blocks[number].frequency) * made.len() as f64;
        blocks.push(made);
        natural.push(order);
    }
    (cost, blocks, natural)
}

/// Puts the new code in the place of the old.
fn replace(mf: &mut MachineFunction, code: &Code, blocks: Vec<Vec<Made>>) {
    let old_locs = std::mem::take(&mut mf.locs);
    let old_writes = std::mem::take(&mut mf.writes);
    let old_insts = std::mem::take(&mut mf.insts);
    let mut moved = vec![0u32; old_insts.len() + 1];
    let mut used = vec![false; mf.slots.len()];
    for (number, made) in blocks.into_iter().enumerate() {
        let start = mf.insts.len() as u32;
        let mut from = mf.blocks[number].start;
        for item in made {
            while from <= item.old {
                moved[from as usize] = mf.insts.len() as u32;
                from += 1;
            }
            let mut inst = item.inst;
            if let Some(variable) = item.variable {
                let home = code.homes[variable as usize];
                if let Base::Slot(slot) = home.base {
                    used[slot as usize] = true;
                }
                inst.mem = mf.new_mem(home);
            }
            if !old_writes.is_empty() {
                let same = inst == old_insts[item.old as usize];
                mf.writes.push(if same { old_writes[item.old as usize] } else { Writes::default() });
            }
            mf.insts.push(inst);
            mf.locs.push(old_locs[item.old as usize]);
        }
        mf.blocks[number].start = start;
        mf.blocks[number].end = mf.insts.len() as u32;
    }
    for record in &mut mf.debug_values {
        record.at = moved[record.at as usize];
    }
    for home in &code.homes {
        if let Base::Slot(slot) = home.base
            && !used[slot as usize]
        {
            (mf.slots[slot as usize].size, mf.slots[slot as usize].align) = (0, 1);
        }
    }
}
