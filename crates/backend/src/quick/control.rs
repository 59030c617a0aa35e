//! Jumps, switches, computed gotos and returns.

use ir::{Block, Inst, Type};
use object::{Alu, Cond, JumpTableForm, Label, Mem, RelocKind, Scale, Size};
use platform::registers::Reg;

use super::Quick;
use super::compare::{Test, condition};
use super::regs::op_size;
use crate::branches;

/// Fewest cases for which a jump table is made.
const TABLE_MIN_CASES: usize = 5;
/// A table may have this many entries per case.
const TABLE_MAX_SPARSITY: u64 = 8;
/// Up to this many cases are compared one after the other.
const LINEAR_CASES: usize = 3;

/// Assigns labels to blocks whose address is taken: the first labels of the buffer are the
/// function's IR labels.
pub fn prepare_labels(q: &mut Quick<'_>) {
    let func = q.func;
    for (index, &block) in func.labels.iter().enumerate() {
        let label = Label(index as u32);
        q.buf.export_label(index as u32, label);
        // A block that was removed: nothing jumps there, but its address may still be written down
        // somewhere.
        let target = if func.block_in_layout(block) { block } else { func.entry() };
        let first = if target == block { *q.address_labels.entry(block).or_insert(label) } else { label };
        if target != block || first != label {
            q.late_labels.push((label, target));
        }
    }
}

/// Second labels of blocks jump to the first.
pub fn place_late_labels(q: &mut Quick<'_>) {
    for (label, block) in std::mem::take(&mut q.late_labels) {
        q.buf.bind(label);
        if q.cx.codegen().cf_protection & 1 != 0 {
            q.buf.endbr64();
        }
        let target = q.block_label(block);
        q.buf.jmp(target);
    }
}

/// Unconditional jump; nothing if the target comes next.
pub fn br(q: &mut Quick<'_>, inst: Inst) {
    let target = q.func.insts[inst].dest();
    go(q, target);
}

fn go(q: &mut Quick<'_>, to: Block) {
    if q.next_block != Some(to) {
        let label = q.block_label(to);
        q.buf.jmp(label);
    }
}

/// Conditional jump.
pub fn cond_br(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let (cond, (then, otherwise)) = (data.arg(0), data.dests());
    if then == otherwise {
        q.consume(cond);
        return go(q, then);
    }
    let test = condition(q, cond);
    if let Test::Always(taken) = test {
        return go(q, if taken { then } else { otherwise });
    }
    let (then, otherwise) = (q.block_label(then), q.block_label(otherwise));
    let next = q.next_block.map(|b| q.block_label(b));
    jump_if(q, test, then, otherwise, next);
}

/// Jumps to one of two labels; `next` is the label that follows.
pub fn jump_if(q: &mut Quick<'_>, test: Test, then: Label, otherwise: Label, next: Option<Label>) {
    match test {
        Test::Always(taken) => {
            let target = if taken { then } else { otherwise };
            if next != Some(target) {
                q.buf.jmp(target);
            }
        }
        Test::One(cond) if next == Some(then) => q.buf.jcc(cond.invert(), otherwise),
        Test::One(cond) => {
            q.buf.jcc(cond, then);
            if next != Some(otherwise) {
                q.buf.jmp(otherwise);
            }
        }
        Test::Both(first, second) => {
            q.buf.jcc(first.invert(), otherwise);
            jump_if(q, Test::One(second), then, otherwise, next);
        }
        Test::Either(first, second) => {
            q.buf.jcc(first, then);
            jump_if(q, Test::One(second), then, otherwise, next);
        }
    }
}

/// The address of a label.
pub fn block_addr(q: &mut Quick<'_>, inst: Inst) {
    let result = q.func.first_result(inst);
    let label = Label(q.func.insts[inst].label());
    let reg = q.result_gpr(result);
    q.buf.lea(Size::Q, reg, Mem::rip_label(label));
    q.define(result, reg);
}

/// Computed goto.
pub fn indirect_br(q: &mut Quick<'_>, inst: Inst) {
    let reg = q.use_reg(q.func.operand(inst, 0));
    branches::jmp_r(q.cx, q.func, q.buf, reg, false);
}

// ---- switch ----

struct Switch<'a> {
    cases: &'a [(u64, Block)],
    /// The value, zero-extended to at least 32 bits.
    value: Reg,
    size: Size,
    default: Label,
    temp: Reg,
    temp2: Reg,
}

/// Multi-way branch: a tree of comparisons whose leaves are jump tables where the cases are dense.
pub fn switch(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let value = data.arg(0);
    let func = q.func;
    let table = &func.switches[data.switch_id()];
    let ty = func.value_type(value);
    if let Some(bits) = q.const_bits(value) {
        q.consume(value);
        let hit = table.cases.binary_search_by_key(&(bits as u64), |c| c.0);
        return go(q, hit.map_or(table.default, |i| table.cases[i].1));
    }
    if table.cases.is_empty() {
        q.consume(value);
        return go(q, table.default);
    }
    let reg = q.take(value);
    match ty {
        Type::I1 | Type::I8 => q.buf.movzx_rx(Size::D, Size::B, reg, reg),
        Type::I16 => q.buf.movzx_rx(Size::D, Size::W, reg, reg),
        _ => {}
    }
    let default = q.block_label(table.default);
    let (temp, temp2) = (q.temp_gpr(), q.temp_gpr());
    let switch = Switch { cases: &table.cases, value: reg, size: op_size(ty), default, temp, temp2 };
    let next = q.next_block.map(|b| q.block_label(b));
    search(q, &switch, 0, table.cases.len(), next);
}

fn case_label(q: &Quick<'_>, s: &Switch<'_>, index: usize) -> Label {
    q.block_label(s.cases[index].1)
}

/// Dispatches over cases `low..high`; the depth is the logarithm of their number. `next` is the
/// label that follows the code.
fn search(q: &mut Quick<'_>, s: &Switch<'_>, low: usize, high: usize, next: Option<Label>) {
    let count = high - low;
    if count <= LINEAR_CASES {
        for index in low..high {
            compare_case(q, s, s.cases[index].0);
            let label = case_label(q, s, index);
            q.buf.jcc(Cond::E, label);
        }
        if next != Some(s.default) {
            q.buf.jmp(s.default);
        }
        return;
    }
    let span = s.cases[high - 1].0 - s.cases[low].0;
    if branches::jump_tables(q.cx, q.func)
        && !branches::tracked_tables(q.cx)
        && count >= TABLE_MIN_CASES
        && span / TABLE_MAX_SPARSITY < count as u64
    {
        return jump_table(q, s, low, high);
    }
    let middle = low + count / 2;
    let upper = q.buf.new_label();
    compare_case(q, s, s.cases[middle].0);
    q.buf.jcc(Cond::AE, upper);
    search(q, s, low, middle, None);
    q.buf.bind(upper);
    search(q, s, middle, high, next);
}

fn compare_case(q: &mut Quick<'_>, s: &Switch<'_>, case: u64) {
    let signed = if s.size == Size::D { case as u32 as i32 as i64 } else { case as i64 };
    match i32::try_from(signed) {
        Ok(0) => q.buf.test_rr(s.size, s.value, s.value),
        Ok(imm) => q.buf.alu_ri(Alu::Cmp, s.size, s.value, imm),
        Err(_) => {
            q.buf.mov_ri(Size::Q, s.temp, signed);
            q.buf.alu_rr(Alu::Cmp, Size::Q, s.value, s.temp);
        }
    }
    // `test` clears the carry as `cmp` with 0 does: every unsigned number is above or equal.
}

fn jump_table(q: &mut Quick<'_>, s: &Switch<'_>, low: usize, high: usize) {
    let (first, last) = (s.cases[low].0, s.cases[high - 1].0);
    let mut targets = Vec::with_capacity((last - first + 1) as usize);
    for index in low..high {
        let position = (s.cases[index].0 - first) as usize;
        targets.resize(position, s.default);
        targets.push(case_label(q, s, index));
    }
    // index = value - first; in 32 bits this also clears the upper half.
    let index = s.temp;
    let signed = if s.size == Size::D { first as u32 as i32 as i64 } else { first as i64 };
    match i32::try_from(signed) {
        Ok(0) => q.buf.mov_rr(s.size, index, s.value),
        Ok(imm) if imm != i32::MIN => q.buf.lea(s.size, index, Mem::base(s.value, -imm)),
        _ => {
            q.buf.mov_ri(Size::Q, index, signed.wrapping_neg());
            q.buf.alu_rr(Alu::Add, s.size, index, s.value);
        }
    }
    q.buf.alu_ri(Alu::Cmp, s.size, index, (last - first) as i32);
    q.buf.jcc(Cond::A, s.default);
    if !q.cx.position_independent() {
        let table = q.buf.jump_table(&targets, JumpTableForm::Absolute64);
        let entry = Mem::abs_symbol(table, 0).with_index(index, Scale::Eight);
        if branches::in_register(q.cx, q.func) {
            q.buf.mov_rm(Size::Q, index, entry);
            branches::jmp_r(q.cx, q.func, q.buf, index, true);
        } else {
            branches::jmp_m(q.cx, q.func, q.buf, entry, true);
        }
        return;
    }
    let table = q.buf.jump_table(&targets, JumpTableForm::Relative32);
    let base = s.temp2;
    q.buf.lea(Size::Q, base, Mem::rip_symbol(table, 0, RelocKind::Pc32));
    q.buf.movsx_rx(Size::Q, Size::D, index, Mem::base_index(base, index, Scale::Four, 0));
    q.buf.alu_rr(Alu::Add, Size::Q, index, base);
    branches::jmp_r(q.cx, q.func, q.buf, index, true);
}

// ---- return ----

/// Puts the results into their registers and goes to the epilogue.
pub fn ret(q: &mut Quick<'_>, inst: Inst) {
    let func = q.func;
    let values = func.list(inst);
    if values.len() != q.layout.returns.len() {
        base::bug!("return of {} values, signature has {}", values.len(), q.layout.returns.len());
    }
    for (index, &value) in values.iter().enumerate() {
        let reg = q.layout.returns[index];
        q.take_in(value, reg);
    }
    q.returns = true;
    let last = q.next_block.is_none() && q.late_labels.is_empty();
    if !last {
        let label = q.return_label;
        q.buf.jmp(label);
    }
}
