//! `switch`: jump tables for dense ranges of cases, bit tests for few targets in a small range,
//! binary search over the rest.
//!
//! The sorted cases are cut into clusters (greedily, the longest dense prefix first), a balanced
//! tree of comparisons leads to a cluster; where the default is not reached, the last case is what
//! is left. Machine blocks made here have no IR block; they are appended as extra blocks of the
//! block being selected.

use ir::{Block, InstData, Opcode, Type, Value};
use object::{Cond, JumpTableForm, Size, encode::Alu};

use super::{
    address::lea,
    constants,
    context::{Ctx, arith_size, int_size},
};
use crate::machine::{Amode, Base, JumpTable, MInst, Op, Place, VReg};

/// Fewer cases, or ranges of cases with one target, are compared one by one or by bit tests (gcc's
/// `case_values_threshold`).
const MIN_TABLE_CASES: usize = 5;
/// A table has at most this many entries per case (gcc: 8 for speed; table entries are 4 bytes).
const MAX_TABLE_SPREAD: u64 = 8;
/// Largest table, so that a sparse giant does not fill the object.
const MAX_TABLE_ENTRIES: u64 = 1 << 20;
/// Cases in a leaf that are compared one after the other.
const MAX_LINEAR: usize = 3;

/// A run of cases treated together.
#[derive(Clone, Copy, Debug)]
enum Cluster {
    /// The values `low..=high` all go to one block.
    Range { low: u64, high: u64, target: Block },
    /// A jump table for cases `first..last` of the list.
    Table { first: usize, last: usize },
    /// Bit tests for cases `first..last`, which lie within one word.
    Bits { first: usize, last: usize },
}

struct Plan<'a> {
    cases: &'a [(u64, Block)],
    default: Block,
    /// The value is one of the cases.
    exhaustive: bool,
    value: VReg,
    size: Size,
    bits: u32,
    /// Whether the register has zeros above the value.
    upper_clear: bool,
}

/// `switch`.
pub fn select_switch(cx: &mut Ctx, data: &InstData) {
    let func = cx.func;
    let switch = &func.switches[data.switch_id()];
    let operand = cx.arg(data, 0);
    let ty = cx.ty(operand);
    if let Some(bits) = func.const_bits(operand) {
        let found = switch.cases.iter().find(|c| u128::from(c.0) == bits);
        return super::branch::jump(cx, found.map_or(switch.default, |c| c.1));
    }
    if switch.cases.is_empty() {
        return super::branch::jump(cx, switch.default);
    }
    let value = operand_register(cx, operand, ty);
    let plan = Plan {
        cases: &switch.cases,
        default: switch.default,
        exhaustive: func.first_inst(switch.default).is_some_and(|i| func.insts[i].opcode == Opcode::Unreachable),
        value,
        size: arith_size(ty),
        bits: ty.bits().min(64),
        upper_clear: ty.bits() < 32 || cx.upper_clear(operand),
    };
    if ty == Type::I128 {
        // Cases have 64 bits: anything beyond is no case.
        let high = value.part(1);
        cx.push(MInst::new(Op::Test, Size::Q).src1(high).src2(high));
        branch_and_continue(cx, Cond::NE, switch.default.as_u32());
    }
    let clusters = cluster(cx, &plan);
    let bounds =
        if plan.exhaustive { (plan.cases[0].0, plan.cases[plan.cases.len() - 1].0) } else { (0, plan_max(&plan)) };
    tree(cx, &plan, &clusters, bounds);
}

fn plan_max(plan: &Plan) -> u64 {
    if plan.bits == 64 { u64::MAX } else { (1 << plan.bits) - 1 }
}

/// The value, zero-extended to the operation size; i128 is reduced to 64 bits by sending larger
/// ones to no case.
fn operand_register(cx: &mut Ctx, operand: Value, ty: Type) -> VReg {
    let reg = cx.reg(operand);
    match int_size(ty) {
        _ if ty == Type::I1 => cx.in_gpr(|cx, dst| cx.movzx(Size::B, dst, reg)),
        from @ (Size::B | Size::W) => cx.in_gpr(|cx, dst| cx.movzx(from, dst, reg)),
        _ => reg,
    }
}

/// Cuts the cases into clusters.
fn cluster(cx: &Ctx, plan: &Plan) -> Vec<Cluster> {
    let cases = plan.cases;
    let mut out = Vec::new();
    let mut at = 0;
    while at < cases.len() {
        if let Some(last) = bit_run(plan, at) {
            out.push(Cluster::Bits { first: at, last });
            at = last;
            continue;
        }
        if crate::branches::jump_tables(cx.cx, cx.func)
            && let Some(last) = dense_run(cases, at)
        {
            out.push(Cluster::Table { first: at, last });
            at = last;
            continue;
        }
        let end = equal_run(cases, at);
        out.push(Cluster::Range { low: cases[at].0, high: cases[end - 1].0, target: cases[at].1 });
        at = end;
    }
    out
}

/// The end of the run of consecutive values with one target.
fn equal_run(cases: &[(u64, Block)], first: usize) -> usize {
    let mut end = first + 1;
    while end < cases.len() && cases[end].1 == cases[first].1 && cases[end].0 == cases[end - 1].0 + 1 {
        end += 1;
    }
    end
}

/// The end of the longest dense run from `first` on, if it is worth a table. Looks a bounded way
/// ahead of the last dense point.
fn dense_run(cases: &[(u64, Block)], first: usize) -> Option<usize> {
    const LOOKAHEAD: usize = 64;
    let mut best = None;
    let mut targets = 1usize;
    for last in first + 1..cases.len() {
        let span = cases[last].0 - cases[first].0;
        if cases[last].1 != cases[last - 1].1 || cases[last].0 != cases[last - 1].0 + 1 {
            targets += 1;
        }
        let count = (last - first + 1) as u64;
        if span < MAX_TABLE_ENTRIES && span < count * MAX_TABLE_SPREAD {
            if last - first + 1 >= MIN_TABLE_CASES && targets >= MIN_TABLE_CASES {
                best = Some(last + 1);
            }
        } else if last > best.unwrap_or(first) + LOOKAHEAD {
            break;
        }
    }
    best
}

/// The end of a run of at least three ranges within 64 values that go to at most two targets, from
/// `first` on.
fn bit_run(plan: &Plan, first: usize) -> Option<usize> {
    const MAX_TARGETS: usize = 2;
    const MIN_RANGES: usize = 3;
    let cases = plan.cases;
    let mut targets: smallvec::SmallVec<[Block; 3]> = smallvec::SmallVec::new();
    let (mut last, mut ranges) = (first, 0);
    while last < cases.len() && cases[last].0 - cases[first].0 < 64 {
        if !targets.contains(&cases[last].1) {
            if targets.len() == MAX_TARGETS {
                break;
            }
            targets.push(cases[last].1);
        }
        ranges +=
            usize::from(last == first || cases[last].0 != cases[last - 1].0 + 1 || cases[last].1 != cases[last - 1].1);
        last += 1;
    }
    // Only if this takes all cases in reach: otherwise a table is better.
    let complete = last == cases.len() || cases[last].0 - cases[first].0 >= 64;
    (complete && ranges >= MIN_RANGES * targets.len().max(1) && ranges >= MIN_RANGES).then_some(last)
}

fn low_of(plan: &Plan, cluster: &Cluster) -> u64 {
    match *cluster {
        Cluster::Range { low, .. } => low,
        Cluster::Table { first, .. } | Cluster::Bits { first, .. } => plan.cases[first].0,
    }
}

/// Compares the switch value with a constant.
fn compare(cx: &mut Ctx, plan: &Plan, value: u64) {
    let signed = if plan.size == Size::D { i64::from(value as u32 as i32) } else { value as i64 };
    match i32::try_from(signed) {
        Ok(imm) => cx.cmp_imm(plan.size, plan.value, imm),
        Err(_) => {
            let reg = cx.in_gpr(|cx, dst| cx.move_imm(Size::Q, dst, signed));
            cx.cmp(plan.size, plan.value, reg);
        }
    }
}

/// A conditional jump out of the current machine block; what follows is a new one.
fn branch_and_continue(cx: &mut Ctx, cond: Cond, target: u32) {
    let next = cx.new_extra_block();
    branch_to(cx, cond, target, next);
    cx.begin_extra_block(next);
}

fn branch_to(cx: &mut Ctx, cond: Cond, target: u32, otherwise: u32) {
    cx.push(MInst::jcc(cond, target, otherwise));
}

/// Selects the comparisons for clusters whose values lie in `bounds` (what is known about the value
/// already).
fn tree(cx: &mut Ctx, plan: &Plan, clusters: &[Cluster], bounds: (u64, u64)) {
    // Depth is logarithmic in the number of clusters.
    if clusters.len() <= MAX_LINEAR - usize::from(plan.exhaustive) {
        return leaf(cx, plan, clusters, bounds);
    }
    let middle = clusters.len() / 2;
    let (below, above) = clusters.split_at(middle);
    let pivot = low_of(plan, &above[0]);
    let (left, right) = (cx.new_extra_block(), cx.new_extra_block());
    compare(cx, plan, pivot);
    // One comparison tells three ways apart where the pivot is a case of its own.
    let (above, start) = match above {
        [Cluster::Range { low, high, target }, rest @ ..] if low == high => {
            branch_and_continue(cx, Cond::E, target.as_u32());
            (rest, pivot + 1)
        }
        _ => (above, pivot),
    };
    branch_to(cx, Cond::B, left, right);
    cx.begin_extra_block(right);
    tree(cx, plan, above, (start, bounds.1));
    cx.begin_extra_block(left);
    tree(cx, plan, below, (bounds.0, pivot - 1));
}

fn leaf(cx: &mut Ctx, plan: &Plan, clusters: &[Cluster], bounds: (u64, u64)) {
    for (index, cluster) in clusters.iter().enumerate() {
        match *cluster {
            Cluster::Range { target, .. } if plan.exhaustive && index + 1 == clusters.len() => {
                return super::branch::jump(cx, target);
            }
            Cluster::Range { low, high, target } => range(cx, plan, low, high, target, bounds),
            Cluster::Table { first, last } => {
                let miss = if clusters.len() == 1 { None } else { Some(cx.new_extra_block()) };
                table(cx, plan, first, last, bounds, miss.unwrap_or(plan.default.as_u32()));
                match miss {
                    Some(block) => cx.begin_extra_block(block),
                    None => return,
                }
            }
            Cluster::Bits { first, last } => bit_tests(cx, plan, first, last, bounds),
        }
    }
    super::branch::jump(cx, plan.default);
}

fn range(cx: &mut Ctx, plan: &Plan, low: u64, high: u64, target: Block, bounds: (u64, u64)) {
    if low == high {
        compare(cx, plan, low);
        branch_and_continue(cx, Cond::E, target.as_u32());
    } else if low == bounds.0 {
        compare(cx, plan, high);
        branch_and_continue(cx, Cond::BE, target.as_u32());
    } else if high == bounds.1 {
        compare(cx, plan, low);
        branch_and_continue(cx, Cond::AE, target.as_u32());
    } else {
        let (offset, _) = rebased(cx, plan, low);
        let span = (high - low) as i64;
        compare_reg(cx, plan.size, offset, span);
        branch_and_continue(cx, Cond::BE, target.as_u32());
    }
}

fn compare_reg(cx: &mut Ctx, size: Size, reg: VReg, value: i64) {
    match i32::try_from(value) {
        Ok(imm) => cx.push(MInst::new(Op::Cmp, size).src1(reg).imm(imm)),
        Err(_) => {
            let limit = cx.in_gpr(|cx, dst| cx.move_imm(Size::Q, dst, value));
            cx.cmp(size, reg, limit);
        }
    }
}

/// The value minus `low`, in the operation size.
fn rebased(cx: &mut Ctx, plan: &Plan, low: u64) -> (VReg, bool) {
    if low == 0 {
        return (plan.value, false);
    }
    let dst = cx.temp_gpr();
    let negated = (low as i64).wrapping_neg();
    let negated = if plan.size == Size::D { i64::from(negated as i32) } else { negated };
    match i32::try_from(negated) {
        Ok(imm) => lea(cx, plan.size, dst, Amode::base(plan.value, imm)),
        Err(_) => {
            let imm = cx.in_gpr(|cx, dst| cx.move_imm(Size::Q, dst, negated));
            cx.alu(Alu::Add, plan.size, dst, plan.value, imm);
        }
    }
    (dst, true)
}

/// A jump through a table; values outside go to `miss`.
fn table(cx: &mut Ctx, plan: &Plan, first: usize, last: usize, bounds: (u64, u64), miss: u32) {
    let (mut low, high) = (plan.cases[first].0, plan.cases[last - 1].0);
    // A few entries more spare the subtraction.
    const FREE_ENTRIES: u64 = 8;
    if low <= FREE_ENTRIES {
        low = 0;
    }
    let mut targets = vec![plan.default.as_u32(); (high - low + 1) as usize];
    for &(value, block) in &plan.cases[first..last] {
        targets[(value - low) as usize] = block.as_u32();
    }
    let (index, fresh) = rebased(cx, plan, low);
    if bounds.0 < low || bounds.1 > high {
        compare_reg(cx, plan.size, index, (high - low) as i64);
        branch_and_continue(cx, Cond::A, miss);
    }
    // A 32-bit value may have garbage above.
    let index = if plan.size == Size::D && !fresh && !plan.upper_clear {
        cx.in_gpr(|cx, dst| cx.movzx(Size::D, dst, index))
    } else {
        index
    };
    let mut distinct = targets.clone();
    distinct.sort_unstable();
    distinct.dedup();
    cx.out.jump_targets.push(distinct);
    cx.out.list_tables.push(Some(cx.out.jump_tables.len() as u32));
    let list = cx.out.jump_targets.len() - 1;
    let number = cx.out.jump_tables.len() as u32;
    let relative = cx.cx.position_independent() || cx.cx.large_model();
    let form = if relative { JumpTableForm::Relative32 } else { JumpTableForm::Absolute64 };
    cx.out.jump_tables.push(JumpTable { targets, form });
    if !relative {
        let mem = cx.mem(Amode { index, shift: 3, ..Amode::place(Place::JumpTableAbsolute(number), 0) });
        if crate::branches::in_register(cx.cx, cx.func) {
            let target = cx.in_gpr(|cx, dst| cx.push(MInst::new(Op::Mov, Size::Q).dst(dst).mem(mem)));
            return cx.push(MInst::new(Op::JmpInd, Size::Q).src2(target).with_index(list));
        }
        return cx.push(MInst::new(Op::JmpInd, Size::Q).mem(mem).with_index(list));
    }
    let (offset, target) = (cx.temp_gpr(), cx.temp_gpr());
    let base = constants::table_reg(cx, number);
    cx.push_mem(
        MInst::mov_sx(Size::D, Size::Q).dst(offset),
        Amode { base: Base::Reg(base), index, shift: 2, ..Amode::EMPTY },
    );
    cx.alu(Alu::Add, Size::Q, target, offset, base);
    cx.push(MInst::new(Op::JmpInd, Size::Q).src2(target).with_index(list));
}

/// `(mask >> (value - low)) & 1` for each of the targets.
fn bit_tests(cx: &mut Ctx, plan: &Plan, first: usize, last: usize, bounds: (u64, u64)) {
    let cases = &plan.cases[first..last];
    let (mut low, high) = (cases[0].0, cases[cases.len() - 1].0);
    if high < 64 {
        low = 0;
    }
    let (index, _) = rebased(cx, plan, low);
    let miss = cx.new_extra_block();
    if bounds.0 < low || bounds.1 > high {
        compare_reg(cx, plan.size, index, (high - low) as i64);
        branch_and_continue(cx, Cond::A, miss);
    }
    let mut done: smallvec::SmallVec<[Block; 2]> = smallvec::SmallVec::new();
    for &(_, target) in cases {
        if done.contains(&target) {
            continue;
        }
        done.push(target);
        let mask = cases.iter().filter(|c| c.1 == target).fold(0u64, |m, c| m | 1 << (c.0 - low));
        let size = if mask <= u64::from(u32::MAX) && high - low < 32 { Size::D } else { Size::Q };
        let reg = cx.in_gpr(|cx, dst| cx.move_imm(Size::Q, dst, mask as i64));
        cx.push(MInst::new(Op::BitTest, size).src1(reg).src2(index));
        branch_and_continue(cx, Cond::B, target.as_u32());
    }
    super::branch::jump_to(cx, miss);
    cx.begin_extra_block(miss);
}
