//! `switch` (C23 6.8.5.3), with GNU case ranges.

use cranelift_entity::EntityRef;
use ir::{Block, BranchHint, IntCc, Opcode, Type, Value};

use super::function::{Breakable, Fx};
use super::place::Rvalue;
use super::{bit_int, expressions, scopes, statements};
use crate::tree::{BinaryOp, CaseId, Switch, SwitchCase};

/// Ranges of at most this many values become single cases; larger ones are compared.
const MAX_EXPANDED_RANGE: i128 = 64;

/// A switch around the current statement.
pub struct SwitchCx {
    /// Block of each case label.
    blocks: Vec<Block>,
    /// Scopes open outside.
    depth: usize,
}

/// Lowers a switch.
pub fn lower(fx: &mut Fx<'_, '_>, parts: &Switch<'_>) {
    let temps = fx.used_temps.len();
    let ty = parts.cond.ty.ty();
    let wide = bit_int::is_wide(fx, ty);
    let value = expressions::rvalue(fx, parts.cond);
    let signed = fx.types().is_signed(ty);
    let blocks: Vec<Block> = (0..parts.case_count).map(|_| fx.new_block()).collect();
    let end = fx.new_block();
    let block_of = |case: CaseId| blocks[case.index()];
    let default = parts.default.map_or(end, block_of);
    match value {
        _ if !fx.live => {}
        _ if wide => {
            dispatch_wide(fx, value, parts, &block_of);
            fx.br(default);
        }
        Rvalue::Scalar(value) => dispatch(fx, value, signed, parts.cases, &block_of, default),
        _ => fx.br(default),
    }
    fx.release_temps(temps);
    fx.breakables.push(Breakable {
        break_to: end,
        continue_to: None,
        cleanup: fx.cleanup,
        scope_depth: fx.scopes.len(),
    });
    let depth = fx.scopes.len();
    fx.switches.push(SwitchCx { blocks, depth });
    statements::lower(fx, parts.body);
    fx.switches.pop();
    fx.breakables.pop();
    fx.br(end);
    fx.start(end);
}

/// `case` and `default` labels.
pub fn case(fx: &mut Fx<'_, '_>, case: CaseId) {
    let Some(switch) = fx.switches.last() else { return };
    let (block, depth) = (switch.blocks[case.index()], switch.depth);
    if fx.func.block_in_layout(block) {
        return;
    }
    fx.label_line(block, false);
    fx.br(block);
    fx.start(block);
    if fx.live {
        scopes::enter_sideways(fx, depth);
    }
}

/// Jumps to the case that a value of more than 128 bits is in: one comparison after the other.
fn dispatch_wide(fx: &mut Fx<'_, '_>, value: Rvalue, parts: &Switch<'_>, block_of: &dyn Fn(CaseId) -> Block) {
    let ty = parts.cond.ty.ty();
    for case in parts.cases {
        let bounds = [(BinaryOp::Ge, case.low), (BinaryOp::Le, case.high)];
        let (bounds, equal) = if case.low == case.high { (&bounds[..1], true) } else { (&bounds[..], false) };
        let next = fx.new_block();
        for (index, &(op, bound)) in bounds.iter().enumerate() {
            let bound = bit_int::constant(fx, parts.wide[bound as usize]);
            let op = if equal { BinaryOp::Eq } else { op };
            let hit = bit_int::compare(fx, op, ty, value, bound, false);
            let last = index + 1 == bounds.len();
            let on = if last { block_of(case.case) } else { fx.new_block() };
            fx.cond_br(hit, on, next, BranchHint::None);
            if !last {
                fx.start(on);
            }
        }
        fx.start(next);
    }
}

fn dispatch(
    fx: &mut Fx<'_, '_>,
    value: Value,
    signed: bool,
    cases: &[SwitchCase],
    block_of: &dyn Fn(CaseId) -> Block,
    default: Block,
) {
    let ty = fx.ty(value);
    if let Some(bits) = fx.const_int(value) {
        let known = if signed { super::emit::sign_extend(bits, ty.bits()) as i128 } else { bits as i128 };
        // `unsigned __int128` values above the signed range are kept as their bits on both sides.
        let hit = cases.iter().find(|c| c.low <= known && known <= c.high);
        return fx.br(hit.map_or(default, |c| block_of(c.case)));
    }
    let mut table: Vec<(u64, Block)> = Vec::with_capacity(cases.len());
    for case in cases {
        let block = block_of(case.case);
        let count = case.high.wrapping_sub(case.low);
        if ty == Type::I128 || !(0..MAX_EXPANDED_RANGE).contains(&count) {
            compare(fx, value, case, block);
            continue;
        }
        let mask = ty.mask() as u64;
        table.extend((0..=count).map(|step| ((case.low + step) as u64 & mask, block)));
    }
    if table.is_empty() {
        return fx.br(default);
    }
    if let [(only, block)] = table[..] {
        let only = fx.iconst(ty, only as i64);
        let hit = fx.icmp(IntCc::Eq, value, only);
        return fx.cond_br(hit, block, default, BranchHint::None);
    }
    fx.mark_targets(table.iter().map(|c| c.1).chain([default]).collect::<Vec<_>>());
    fx.b().switch(value, table, default);
    fx.live = false;
}

/// `low <= value <= high`, by one unsigned comparison.
fn compare(fx: &mut Fx<'_, '_>, value: Value, case: &SwitchCase, block: Block) {
    let ty = fx.ty(value);
    let next = fx.new_block();
    let low = fx.func.bits_const(ty, case.low as u128);
    let hit = if case.low == case.high {
        fx.icmp(IntCc::Eq, value, low)
    } else {
        let from_low = fx.int_op(Opcode::Sub, 0, value, low);
        let width = fx.func.bits_const(ty, case.high.wrapping_sub(case.low) as u128);
        fx.icmp(IntCc::Ule, from_low, width)
    };
    fx.cond_br(hit, block, next, BranchHint::None);
    fx.start(next);
}
