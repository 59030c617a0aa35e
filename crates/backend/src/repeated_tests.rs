//! A comparison at the start of a block that is entered only from a block which ends with the same
//! one goes away: the flags are still there. Comparisons in three ways (less, equal, greater) are
//! like that.
//!
//! ```text
//!     cmp rax, rbx              cmp rax, rbx
//!     je b1 else b2             je b1 else b2
//! b2: mov rcx, [rsi]      =>    b2: mov rcx, [rsi]
//!     cmp rax, rbx              jl b3 else b4
//!     jl b3 else b4
//! ```
//!
//! The last pass: nothing after it may put instructions between blocks. Linear.

use object::Size;

use crate::machine::{Base, MInst, MachineFunction, Op, VReg, bits};

/// Instructions of a block that are looked at for the comparison.
const WINDOW: usize = 6;

/// Runs over all blocks.
pub fn run(mf: &mut MachineFunction) {
    // How many ways lead into each block, and the last of them.
    let mut entries = vec![(0u32, 0u32); mf.blocks.len()];
    for &block in &mf.order {
        mf.for_each_successor(block, |succ| entries[succ as usize] = (entries[succ as usize].0 + 1, block));
    }
    let order = std::mem::take(&mut mf.order);
    for &block in order.iter().skip(1) {
        if let (1, before) = entries[block as usize]
            && !mf.blocks[block as usize].address_taken
        {
            drop_test(mf, before, block);
        }
    }
    mf.order = order;
}

/// Removes the comparison of `block` if `before`, the block before it, has made it.
fn drop_test(mf: &mut MachineFunction, before: u32, block: u32) -> Option<()> {
    let (start, end) = (mf.blocks[before as usize].start as usize, mf.blocks[before as usize].end as usize);
    if mf.insts[end - 1].op != Op::Jcc {
        return None;
    }
    let first = (start..end - 1).rev().take(WINDOW).find(|&at| is_test(&mf.insts[at]))?;
    let test = mf.insts[first];
    let (from, to) = (mf.blocks[block as usize].start as usize, mf.blocks[block as usize].end as usize);
    let again = (from..to).take(WINDOW).find(|&at| is_test(&mf.insts[at]))?;
    let mut other = mf.insts[again];
    other.mem = test.mem;
    let same = other.is_same_but_bits(&test)
        && test.mem.is_some() == mf.insts[again].mem.is_some()
        && (!test.mem.is_some() || mf.amode(test.mem) == mf.amode(mf.insts[again].mem));
    let between = (first + 1..end - 1).chain(from..again);
    if !same || !between.clone().all(|at| leaves(mf, &mf.insts[at], &test)) {
        return None;
    }
    // Where a register is set to zero before the comparison, that changes the flags.
    if test.bits & bits::VOLATILE != 0 || mf.zero_before.iter().any(|zero| zero.0 as usize == again) {
        return None;
    }
    (first..end).chain(from..again).for_each(|at| mf.insts[at].bits |= bits::FLAGS_LIVE);
    let live = mf.insts[again].bits & bits::FLAGS_LIVE;
    mf.insts[again] = MInst::new(Op::Nop, Size::B).with_bits(live);
    Some(())
}

fn is_test(inst: &MInst) -> bool {
    matches!(inst.op, Op::Cmp | Op::CmpM | Op::Test | Op::TestM)
}

/// Whether an instruction leaves alone the flags that `test` has set, and what it compares.
fn leaves(mf: &MachineFunction, inst: &MInst, test: &MInst) -> bool {
    let in_memory = test.mem.is_some();
    let reads = |reg: VReg| {
        let amode = in_memory.then(|| mf.amode(test.mem));
        test.src1 == reg || test.src2 == reg || amode.is_some_and(|a| a.base == Base::Reg(reg) || a.index == reg)
    };
    match inst.op {
        Op::Nop => true,
        Op::Store => !in_memory,
        Op::Mov | Op::MovZx | Op::MovSx | Op::Lea => !reads(inst.dst),
        _ => false,
    }
}
