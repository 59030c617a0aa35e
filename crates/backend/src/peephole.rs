//! Improvements over machine code with physical registers, one linear pass per block.
//!
//! - `lea` that adds in place becomes `add`; `mov a, b` with `add a, x` becomes `lea a, [b + x]`
//!   (not where the flags are wanted);
//! - a comparison after the same one goes away, if nothing has changed the flags or what is
//!   compared;
//! - `test r, r` after an operation that already set the flags from `r` goes away, and so does
//!   `cmp r, -1` after `add r, -1`, whose carry says the same (`while (n--)`);
//! - with `-Os` `inc` and `dec`, stores of 0 and -1 as `and` and `or` with an immediate of one
//!   byte, `bt` for a test of one bit beyond the lowest byte, and `xor` of that byte for a mask;
//! - `setcc` plus zero extension becomes `xor` before the comparison plus `setcc`;
//! - a jump to a block that is one indirect jump becomes that jump, so that each instruction of an
//!   interpreter dispatches by itself; a target that was loaded for it alone stays in memory.

use object::{
    Cond, Size,
    encode::{Alu, Shift, Unary},
};

use crate::{
    machine::flags::{reads_flags, writes_flags},
    machine::{Amode, Base, MInst, MachineFunction, Op, Place, VReg, bits},
    shrink_wrap::touched::is_dead,
};

/// How far back a flag setter is looked for.
const WINDOW: usize = 6;

/// Runs over all blocks. With `size`, shorter instructions are used that are slower on some
/// processors; targets of jumps are in memory only where `jumps_from_memory` lets them.
pub fn run(mf: &mut MachineFunction, size: bool, jumps_from_memory: bool) {
    duplicate_dispatch(mf, jumps_from_memory);
    for number in 0..mf.blocks.len() {
        let range = mf.blocks[number].start as usize..mf.blocks[number].end as usize;
        block(mf, range.clone());
        if size {
            shorten(mf, range);
        }
    }
}

/// `add r, 1` as `inc r`, which leaves the carry alone, where that is not wanted; `mov m, 0` and
/// `mov m, -1` as `and` and `or`, whose immediate is a byte; and so on.
fn shorten(mf: &mut MachineFunction, range: std::ops::Range<usize>) {
    let end = range.end;
    for at in range {
        shorten_test(&mut mf.insts[at..end]);
        let carries = carry_is_read(&mf.insts[at..]);
        let inst = &mut mf.insts[at];
        if inst.op == Op::Store {
            shorten_store(inst);
        }
        if !matches!(inst.op, Op::Alu | Op::AluM) || inst.src2.is_some() || inst.bits & bits::LOCK != 0 || carries {
            continue;
        }
        if inst.op == Op::Alu && inst.mem.is_some() {
            continue;
        }
        let step = match inst.alu_op() {
            Alu::And if (inst.size, inst.immediate()) == (Size::Q, -256) && inst.bits & bits::FLAGS_LIVE == 0 => {
                if inst.op == Op::Alu {
                    *inst = MInst::alu(Alu::Xor, Size::B).dst(inst.dst).src1(inst.dst).src2(inst.dst);
                }
                continue;
            }
            Alu::Add => inst.immediate(),
            Alu::Sub => inst.immediate().wrapping_neg(),
            _ => continue,
        };
        let code = match step {
            1 => Unary::Inc,
            -1 => Unary::Dec,
            _ => continue,
        };
        let form = if inst.op == Op::Alu { MInst::unary(code, inst.size) } else { MInst::unary_m(code, inst.size) };
        *inst = form.with_operands(inst);
    }
}

/// `test r, imm` of one bit as `bt`, which gives it as the carry.
fn shorten_test(insts: &mut [MInst]) {
    let inst = insts[0];
    let mask = inst.immediate() as u32;
    let tests = inst.op == Op::Test && inst.src2.is_none() && inst.size >= Size::D && mask.is_power_of_two();
    if !tests || mask < 0x100 || inst.size == Size::Q && mask >> 31 != 0 {
        return;
    }
    let Some(last) = insts.iter().position(|inst| inst.bits & bits::FLAGS_LIVE == 0) else { return };
    let mut readers = insts[1..=last].iter_mut().filter(|inst| reads_flags(inst));
    let simple = |inst: &mut MInst| {
        matches!(inst.op, Op::Jcc | Op::Setcc | Op::SetccZx | Op::SetccM | Op::Cmov)
            && matches!(inst.cond, Cond::E | Cond::NE)
            && inst.bits & (bits::OR_PARITY | bits::AND_NO_PARITY) == 0
    };
    if !readers.all(simple) {
        return;
    }
    for reader in insts[1..=last].iter_mut().filter(|inst| reads_flags(inst)) {
        reader.cond = if reader.cond == Cond::E { Cond::AE } else { Cond::B };
    }
    insts[0] = MInst::new(Op::BitTest, Size::D).with_bits(inst.bits).src1(inst.src1).imm(mask.ilog2() as i32);
}

/// Whether something reads the carry that the first instruction may leave.
fn carry_is_read(insts: &[MInst]) -> bool {
    let reach = insts.iter().position(|inst| inst.bits & bits::FLAGS_LIVE == 0).unwrap_or(insts.len() - 1);
    insts[1..=reach].iter().filter(|inst| reads_flags(inst)).any(|inst| {
        let by_condition = matches!(inst.op, Op::Jcc | Op::Setcc | Op::SetccZx | Op::SetccM | Op::Cmov | Op::XmmSelect);
        !by_condition || matches!(inst.cond, Cond::B | Cond::AE | Cond::BE | Cond::A)
    })
}

/// A read-modify-write of memory whose result does not depend on what was there: not where the
/// access itself is what counts.
fn shorten_store(inst: &mut MInst) {
    if inst.src2.is_some() || inst.size < Size::D || inst.bits & (bits::FLAGS_LIVE | bits::VOLATILE) != 0 {
        return;
    }
    let code = match inst.immediate() {
        0 => Alu::And,
        -1 => Alu::Or,
        _ => return,
    };
    *inst = MInst::alu_m(code, inst.size).with_operands(inst).imm(inst.immediate());
}

fn block(mf: &mut MachineFunction, range: std::ops::Range<usize>) {
    for at in range.clone() {
        if is_register_move(&mf.insts[at]) && mf.insts[at].dst == mf.insts[at].src2 {
            remove(mf, at);
        }
        simplify_lea(mf, at);
        join_move(mf, range.start, at);
    }
    for at in range.clone() {
        let op = mf.insts[at].op;
        match op {
            Op::Cmp | Op::Test if drop_repeated(mf, range.start, at) => {}
            Op::Test | Op::Cmp => drop_comparison(mf, range.clone(), at),
            Op::SetccZx => early_zero(mf, range.start, at),
            _ => {}
        }
    }
}

/// Copies indirect jumps that stand alone in their block into the blocks that jump there. A target
/// that was loaded for the jump alone becomes its operand, if that may be in memory.
fn duplicate_dispatch(mf: &mut MachineFunction, from_memory: bool) {
    let alone = |mf: &MachineFunction, block: u32| -> Option<MInst> {
        let mut insts = mf.block_insts(block as usize).iter().filter(|i| i.op != Op::Nop);
        insts.next().copied().filter(|i| i.op == Op::JmpInd)
    };
    let mut changes: Vec<(usize, MInst)> = Vec::new();
    // Blocks of such jumps, and whether their registers are read after them.
    let mut dead: Vec<(u32, bool)> = Vec::new();
    for block in &mf.blocks {
        let Some(last) = block.end.checked_sub(1).map(|last| last as usize) else { continue };
        if mf.insts[last].op != Op::Jmp {
            continue;
        }
        let target = mf.insts[last].target();
        let Some(mut jump) = alone(mf, target) else { continue };
        let load = previous(mf, block.start as usize, last).filter(|&at| {
            let load = &mf.insts[at];
            let plain = load.op == Op::Mov && load.size == Size::Q && load.bits & bits::VOLATILE == 0;
            from_memory && plain && load.mem.is_some() && load.dst == jump.src2
        });
        if load.is_some() && dead.iter().all(|known| known.0 != target) {
            let end = mf.blocks[target as usize].end as usize;
            dead.push((target, is_dead(mf, target, end, jump.src2.0, &mut (2 * mf.blocks.len()))));
        }
        if let Some(at) = load.filter(|_| dead.contains(&(target, true))) {
            (jump.src2, jump.mem) = (VReg::NONE, mf.insts[at].mem);
            changes.push((at, MInst::new(Op::Nop, Size::B)));
        }
        changes.push((last, jump));
    }
    for (at, inst) in changes {
        mf.insts[at] = inst;
    }
    // Those that nothing leads to any more.
    let is_left = |mf: &MachineFunction, block: u32| {
        let mut leads = false;
        let preds = &mf.blocks[block as usize].preds;
        preds.iter().for_each(|&pred| mf.for_each_successor(pred, |to| leads |= to == block));
        !leads && !preds.is_empty() && !mf.blocks[block as usize].address_taken && alone(mf, block).is_some()
    };
    for block in (1..mf.blocks.len() as u32).filter(|&block| is_left(mf, block)).collect::<Vec<_>>() {
        let last = mf.blocks[block as usize].end as usize - 1;
        mf.insts[last] = MInst::new(Op::Unreachable, Size::D);
    }
}

/// The instruction before `at` in the block that is not a no-op.
fn previous(mf: &MachineFunction, start: usize, at: usize) -> Option<usize> {
    (start..at).rev().find(|&i| mf.insts[i].op != Op::Nop)
}

/// A move of all that is wanted of a register.
pub fn is_register_move(inst: &MInst) -> bool {
    let whole = inst.size == Size::Q || inst.size == Size::D && inst.bits & bits::EDIT != 0;
    inst.op == Op::Mov && whole && inst.src2.is_some() && !inst.mem.is_some()
}

fn remove(mf: &mut MachineFunction, at: usize) {
    let live = mf.insts[at].bits & bits::FLAGS_LIVE;
    mf.insts[at] = MInst::new(Op::Nop, Size::B).with_bits(live);
}

/// `lea r, [r + x]` as `add r, x`.
fn simplify_lea(mf: &mut MachineFunction, at: usize) {
    let inst = mf.insts[at];
    if inst.op != Op::Lea || inst.bits & bits::FLAGS_LIVE != 0 || inst.size < Size::D {
        return;
    }
    let amode = *mf.amode(inst.mem);
    if amode.place != Place::None || amode.shift != 0 {
        return;
    }
    let Base::Reg(base) = amode.base else { return };
    let add = MInst::alu(Alu::Add, inst.size).with_bits(inst.bits).dst(inst.dst).src1(inst.dst);
    if amode.index.is_none() && base == inst.dst {
        mf.insts[at] = add.imm(amode.disp);
    } else if amode.disp == 0 && amode.index.is_some() && base == inst.dst {
        mf.insts[at] = add.src2(amode.index);
    } else if amode.disp == 0 && amode.index == inst.dst {
        mf.insts[at] = add.src2(base);
    }
}

/// `mov a, b; add a, x` as `lea a, [b + x]`.
fn join_move(mf: &mut MachineFunction, start: usize, at: usize) {
    let inst = mf.insts[at];
    let arithmetic =
        matches!(inst.op, Op::Alu | Op::Shift) && inst.size >= Size::D && inst.bits & bits::FLAGS_LIVE == 0;
    if !arithmetic || inst.mem.is_some() || inst.dst != inst.src1 {
        return;
    }
    let Some(before) = previous(mf, start, at) else { return };
    let prior = mf.insts[before];
    let carries = is_register_move(&prior) && prior.size >= inst.size;
    if !carries || prior.dst != inst.dst || inst.src2 == inst.dst || prior.src2.spill_slot().is_some() {
        return;
    }
    let from = prior.src2;
    let amode = if inst.op == Op::Shift {
        if inst.shift_op() != Shift::Shl || inst.src2.is_some() || inst.immediate() != 1 {
            return;
        }
        Amode { index: from, ..Amode::base(from, 0) }
    } else if inst.alu_op() == Alu::Add {
        match inst.src2.is_some() {
            true => Amode { index: inst.src2, ..Amode::base(from, 0) },
            false => Amode::base(from, inst.immediate()),
        }
    } else if inst.alu_op() == Alu::Sub && inst.src2.is_none() && inst.immediate() != i32::MIN {
        Amode::base(from, -inst.immediate())
    } else {
        return;
    };
    if from.0 == 4 && amode.index == from {
        return;
    }
    let mem = mf.new_mem(amode);
    mf.insts[at] = MInst::new(Op::Lea, inst.size).with_bits(inst.bits).dst(inst.dst).mem(mem);
    remove(mf, before);
}

/// How much of the flags an operation sets from its result.
#[derive(PartialEq, Eq)]
enum Sets {
    /// ZF and SF.
    ZeroSign,
    /// ZF and SF, and OF is clear.
    Signed,
    /// ZF and SF, and CF and OF are clear, as after `test`.
    All,
    /// CF is clear where the result is -1, and nowhere else: what `cmp r, -1` says otherwise.
    CarryUnlessMinusOne,
}

fn sets_flags_from(inst: &MInst) -> Option<Sets> {
    match inst.op {
        Op::Alu => {
            let logic = matches!(inst.alu_op(), Alu::And | Alu::Or | Alu::Xor);
            Some(if logic { Sets::All } else { Sets::ZeroSign })
        }
        Op::Shift if inst.src2.is_none() && inst.immediate() != 0 => {
            let shifts = matches!(inst.shift_op(), Shift::Shl | Shift::Shr | Shift::Sar);
            shifts.then_some(Sets::ZeroSign)
        }
        Op::Unary if inst.unary_op() != Unary::Not => Some(Sets::ZeroSign),
        _ => None,
    }
}

/// Removes a comparison of registers that has been made already: selects with one condition are
/// selected one by one.
fn drop_repeated(mf: &mut MachineFunction, start: usize, at: usize) -> bool {
    let inst = mf.insts[at];
    if inst.mem.is_some() {
        return false;
    }
    let same = |prior: &MInst| prior.is_same_but_bits(&inst);
    let mut first = None;
    for i in (start..at).rev().filter(|&i| mf.insts[i].op != Op::Nop).take(WINDOW) {
        let prior = &mf.insts[i];
        if same(prior) {
            first = Some(i);
            break;
        }
        let changes = prior.dst.is_some() && (prior.dst == inst.src1 || prior.dst == inst.src2);
        if changes || writes_flags(prior) {
            break;
        }
    }
    let Some(first) = first else { return false };
    for i in first..at {
        mf.insts[i].bits |= bits::FLAGS_LIVE;
    }
    remove(mf, at);
    true
}

/// Removes a comparison with 0, or with -1 after a step down, whose outcome the flags already say.
fn drop_comparison(mf: &mut MachineFunction, range: std::ops::Range<usize>, at: usize) {
    let test = mf.insts[at];
    let with_minus_one = |inst: &MInst| inst.src2.is_none() && !inst.mem.is_some() && inst.immediate() == -1;
    let counts = test.op == Op::Cmp && with_minus_one(&test);
    if !counts && (test.op == Op::Cmp || test.src1 != test.src2) {
        return;
    }
    let reg = test.src1;
    // The setter of the register, with nothing in between that changes flags or register.
    let mut setter = None;
    for i in (range.start..at).rev().filter(|&i| mf.insts[i].op != Op::Nop).take(WINDOW) {
        let inst = &mf.insts[i];
        if inst.dst == reg && inst.size == test.size {
            setter = sets_flags_from(inst).map(|sets| (i, sets));
            let is_sum = inst.op == Op::Alu && matches!(inst.alu_op(), Alu::Add | Alu::Sub);
            if counts {
                let steps = is_sum && inst.alu_op() == Alu::Add && with_minus_one(inst);
                setter = steps.then_some((i, Sets::CarryUnlessMinusOne));
            } else if is_sum && test.bits & bits::NO_OVERFLOW != 0 {
                setter = Some((i, Sets::Signed));
            }
            break;
        }
        if inst.dst == reg || writes_flags(inst) || inst.op == Op::Swap {
            break;
        }
    }
    let Some((from, sets)) = setter else { return };
    if !adapt_consumers(mf, range, at, &sets) {
        return;
    }
    for i in from..at {
        mf.insts[i].bits |= bits::FLAGS_LIVE;
    }
    remove(mf, at);
}

/// Checks (and where possible changes) the conditions of the users of a `test`'s flags so that ZF
/// and SF suffice.
fn adapt_consumers(mf: &mut MachineFunction, range: std::ops::Range<usize>, at: usize, sets: &Sets) -> bool {
    let mut users = Vec::new();
    if mf.insts[at].bits & bits::FLAGS_LIVE != 0 {
        for i in at + 1..range.end {
            let inst = &mf.insts[i];
            if reads_flags(inst) {
                if !matches!(inst.op, Op::Jcc | Op::Setcc | Op::SetccZx | Op::SetccM | Op::Cmov | Op::XmmSelect) {
                    return false;
                }
                users.push(i);
            }
            if inst.bits & bits::FLAGS_LIVE == 0 {
                break;
            }
        }
    }
    if users.iter().any(|&i| condition_after(sets, mf.insts[i].cond).is_none()) {
        return false;
    }
    for i in users {
        let inst = &mut mf.insts[i];
        inst.cond = condition_after(sets, inst.cond).unwrap_or(inst.cond);
    }
    true
}

/// The condition that says after the operation what this one says after `test`, if there is one.
fn condition_after(sets: &Sets, cond: Cond) -> Option<Cond> {
    match cond {
        _ if *sets == Sets::All => Some(cond),
        Cond::E | Cond::AE if *sets == Sets::CarryUnlessMinusOne => Some(Cond::AE),
        Cond::NE | Cond::B if *sets == Sets::CarryUnlessMinusOne => Some(Cond::B),
        _ if *sets == Sets::CarryUnlessMinusOne => None,
        Cond::E | Cond::NE | Cond::S | Cond::NS => Some(cond),
        Cond::L | Cond::GE | Cond::LE | Cond::G if *sets == Sets::Signed => Some(cond),
        // With OF clear, as after `test`: less is negative. After the operation OF may be set, so
        // only the sign is right.
        Cond::L => Some(Cond::S),
        Cond::GE => Some(Cond::NS),
        _ => None,
    }
}

/// `cmp; setcc r; movzx r, r` as `xor r, r; cmp; setcc r`.
fn early_zero(mf: &mut MachineFunction, start: usize, at: usize) {
    let set = mf.insts[at];
    let Some(before) = previous(mf, start, at) else { return };
    let compare = mf.insts[before];
    if !matches!(compare.op, Op::Cmp | Op::CmpM | Op::Test | Op::TestM | Op::XmmCmp | Op::BitTest | Op::Alu)
        || reads(mf, &compare, set.dst)
    {
        return;
    }
    if before > start && mf.insts[before - 1].bits & bits::FLAGS_LIVE != 0 {
        return;
    }
    // Emission zeroes the register before the comparison.
    mf.zero_before.push((before as u32, set.dst));
    mf.insts[at] = MInst::new(Op::Setcc, set.size).cond(set.cond).with_operands(&set);
}

fn reads(mf: &MachineFunction, inst: &MInst, reg: VReg) -> bool {
    if inst.src1 == reg || inst.src2 == reg {
        return true;
    }
    inst.mem.is_some() && {
        let amode = mf.amode(inst.mem);
        amode.base == Base::Reg(reg) || amode.index == reg
    }
}

#[cfg(test)]
mod tests;
