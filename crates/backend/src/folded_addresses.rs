//! Addresses that loads and stores fold are computed again where else they are wanted.
//!
//! `*(p + 1)` takes no register for `p + 1`: the instruction adds. Where another block wants
//! `p + 1` as a value, it would be computed here and kept until there. Each such block gets a sum
//! of its own instead, and `p` lives on in its place; with the index of an element (`&p[i]`) so do
//! its multiples, which addresses fold as well. Runs on SSA form before phi elimination;
//! linear in the uses of such sums.
//!
//! ```text
//! b0: v1 = ptradd v0, i64 1            b0: v1 = ptradd v0, i64 1
//!     v2 = load v1                         v2 = load v1
//!     cond_br v2, b1, b2         =>        cond_br v2, b1, b2
//! b1: call @f(v1)                      b1: v3 = ptradd v0, i64 1
//!                                          call @f(v3)
//! ```

use ir::analysis::Frequencies;
use ir::{Block, Builder, Function, Inst, Opcode, Position, Value};
use smallvec::SmallVec;

/// Blocks that get a sum of their own.
const MAX_BLOCKS: usize = 8;

/// Of those, blocks that want it as a value.
const MAX_VALUES: usize = 4;

/// Blocks, and whether they want the sum as a value.
type Users = SmallVec<[(Block, bool); MAX_BLOCKS]>;

/// Gives blocks their own sums.
pub fn split(func: &mut Function, frequencies: &Frequencies) {
    for sum in func.insts_with(|opcode| opcode == Opcode::PtrAdd) {
        if let Some(elsewhere) = wanted_elsewhere(func, frequencies, sum) {
            elsewhere.into_iter().for_each(|user| compute_again(func, sum, user));
        }
    }
}

/// The block in which a use reads its value.
fn block_of(func: &Function, user: Inst, index: usize) -> Option<Block> {
    if func.insts[user].opcode == Opcode::Phi { Some(func.phi_block(user, index)) } else { func.inst_block(user) }
}

/// Whether an access adds the sum itself.
fn folds(func: &Function, user: Inst, index: usize) -> bool {
    matches!(func.insts[user].opcode, Opcode::Load | Opcode::Store) && index == 0
}

/// The blocks that want the sum and do not run more often, if its own block only has it folded.
fn wanted_elsewhere(func: &Function, frequencies: &Frequencies, sum: Inst) -> Option<Users> {
    let own = func.inst_block(sum)?;
    let offset = func.const_i64(func.operand(sum, 1)).unwrap_or(0);
    let base = func.operand(sum, 0);
    let is_fixed = func.constant(base).is_some() || func.def_with(base, Opcode::Alloca).is_some();
    if i32::try_from(offset).is_err() || is_fixed && element(func, sum).is_none() {
        return None;
    }
    let mut folded = false;
    let mut elsewhere = Users::new();
    for (user, index) in func.uses(func.first_result(sum)) {
        let (block, as_value) = (block_of(func, user, index)?, !folds(func, user, index));
        if block == own {
            folded = !as_value;
            if !folded {
                return None;
            }
        } else if let Some(known) = elsewhere.iter_mut().find(|known| known.0 == block) {
            known.1 |= as_value;
        } else if elsewhere.len() < MAX_BLOCKS && frequencies.of(block) <= frequencies.of(own) {
            elsewhere.push((block, as_value));
        } else {
            return None;
        }
    }
    let values = elsewhere.iter().filter(|known| known.1).count();
    (folded && !elsewhere.is_empty() && values <= MAX_VALUES).then_some(elsewhere)
}

/// The index of an element of 2, 4 or 8 bytes that is added, and what it is shifted by.
fn element(func: &Function, sum: Inst) -> Option<(Value, Value)> {
    let shift = func.def_with(func.operand(sum, 1), Opcode::Shl)?;
    let amount = func.operand(shift, 1);
    matches!(func.const_i64(amount), Some(1..=3)).then(|| (func.operand(shift, 0), amount))
}

/// Gives a block the sum where it is wanted; as a value, if it is wanted as one.
fn compute_again(func: &mut Function, sum: Inst, (block, as_value): (Block, bool)) {
    let here = |&(user, index): &(Inst, usize)| {
        block_of(func, user, index) == Some(block) && !(as_value && folds(func, user, index))
    };
    let uses: SmallVec<[(Inst, usize); 4]> = func.uses(func.first_result(sum)).filter(here).collect();
    let mut users = uses.iter().map(|&(user, _)| user).filter(|&user| func.insts[user].opcode != Opcode::Phi);
    let at = match (users.next(), users.next()) {
        (None, _) => before_test(func, block),
        (Some(only), None) => only,
        _ => func.first_non_phi(block).expect("block is complete"),
    };
    let (base, offset, flags) = (func.operand(sum, 0), func.operand(sum, 1), func.insts[sum].flags());
    let element = element(func, sum);
    let mut builder = Builder::new(func, Position::Before(at));
    builder.loc = builder.func.inst_locs[sum];
    let offset = element.map_or(offset, |(index, amount)| builder.binary(Opcode::Shl, index, amount));
    let own = builder.ptradd(base, offset, flags);
    uses.into_iter().for_each(|(user, index)| func.set_operand(user, index, own));
}

/// The end of a block; or before the step of a counter that it tests, as the flags are the step's.
fn before_test(func: &Function, block: Block) -> Inst {
    let branch = func.terminator(block);
    let step = || {
        let test = func.prev_inst(branch)?;
        let step = func.prev_inst(test)?;
        let tests = func.insts[branch].opcode == Opcode::CondBr
            && func.insts[test].opcode == Opcode::ICmp
            && func.result(test) == Some(func.operand(branch, 0))
            && matches!(func.insts[step].opcode, Opcode::Add | Opcode::Sub)
            && func.result(step) == Some(func.operand(test, 0));
        tests.then_some(step)
    };
    step().unwrap_or(branch)
}
