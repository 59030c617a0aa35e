//! If-conversion: a branch around a few cheap, harmless instructions becomes `select`s.
//!
//! Triangles (`if (c) x = a;`) and diamonds (`x = c ? a : b`) whose side blocks hold at most [`MAX_SIDE`] pure instructions that cannot trap,
//! and whose join has at most [`MAX_SELECTS`] phis that differ. Branches with a likelihood hint stay: they are predicted well. So do
//! branches whose condition is a floating comparison that needs two tests, and selects of types without a conditional move.
//!
//! Flags of speculated instructions are dropped (they now run where the program did not run them). Linear.
//!
//! ```text
//! cond_br c, b1, b2                  v1 = add v0, i32 1
//! b1: v1 = add v0, i32 1        =>   v2 = select c, v1, v0
//!     br b2
//! b2: v2 = phi [v1, b1], [v0, b0]
//! ```

use ir::{Block, BranchHint, Builder, Function, Inst, Opcode, Type, Value};

use crate::effects::{is_pure, may_trap};
use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass { name: "if_convert", run };

/// Instructions that may be speculated per side: about what a mispredicted branch costs every few rounds.
const MAX_SIDE: usize = 2;

/// Selects that one conversion may make.
const MAX_SELECTS: usize = 2;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let mut converted = 0;
    // Inner ifs first: postorder of the layout is close enough, and what becomes possible by it is found in the same sweep.
    let blocks: Vec<Block> = cx.analyses.cfg(func).postorder().to_vec();
    let mut preds = PredCounts::compute(func);
    for block in blocks {
        while func.block_in_layout(block) && convert(func, block, &mut preds) {
            converted += 1;
        }
    }
    cx.statistics.add("branches converted to selects", converted);
    Changed::control_flow_if(converted > 0)
}

/// Number of edges into each block.
struct PredCounts(cranelift_entity::SecondaryMap<Block, u32>);

impl PredCounts {
    fn compute(func: &Function) -> PredCounts {
        let mut counts = PredCounts(cranelift_entity::SecondaryMap::new());
        for block in func.blocks() {
            func.for_each_target(func.terminator(block), |t| counts.0[t] += 1);
        }
        func.labels.iter().for_each(|&b| counts.0[b] += 2);
        counts
    }
}

/// The shape around a conditional branch: the blocks that are dissolved, and where both ways meet.
struct Shape {
    then_side: Option<Block>,
    else_side: Option<Block>,
    join: Block,
}

fn convert(func: &mut Function, block: Block, preds: &mut PredCounts) -> bool {
    let branch = func.terminator(block);
    let data = func.insts[branch];
    if data.opcode != Opcode::CondBr || data.flags != BranchHint::None as u8 {
        return false;
    }
    let cond = func.operand(branch, 0);
    let (then, otherwise) = (Block::from_u32(data.b), Block::from_u32(data.c));
    let Some(shape) = shape(func, block, then, otherwise, preds) else { return false };
    if needs_two_tests(func, cond) || !sides_are_cheap(func, &shape) {
        return false;
    }
    let Some(selects) = selects_needed(func, block, &shape) else { return false };
    for side in [shape.then_side, shape.else_side].into_iter().flatten() {
        dissolve(func, side, block);
    }
    for (phi, a, b) in selects {
        let branch = func.terminator(block);
        let value = if a == b { a } else { Builder::before(func, branch).select(cond, a, b) };
        let mut index = 0;
        while index < func.num_operands(phi) {
            let from = func.phi_block(phi, index);
            if from == block || Some(from) == shape.then_side || Some(from) == shape.else_side {
                func.phi_swap_remove(phi, index);
            } else {
                index += 1;
            }
        }
        func.phi_push(phi, value, block);
    }
    let branch = func.terminator(block);
    func.remove_inst(branch);
    Builder::new(func, ir::Position::End(block)).br(shape.join);
    preds.0[shape.join] -= 1;
    for side in [shape.then_side, shape.else_side].into_iter().flatten() {
        func.remove_block(side);
    }
    true
}

fn shape(func: &Function, block: Block, then: Block, otherwise: Block, preds: &PredCounts) -> Option<Shape> {
    if then == otherwise {
        return None;
    }
    let side_target = |side: Block| {
        let terminator = func.terminator(side);
        let jumps = func.insts[terminator].opcode == Opcode::Br && preds.0[side] == 1 && side != block;
        jumps.then(|| Block::from_u32(func.insts[terminator].c))
    };
    let (t, e) = (side_target(then), side_target(otherwise));
    let shape = match (t, e) {
        (Some(x), Some(y)) if x == y => Shape { then_side: Some(then), else_side: Some(otherwise), join: x },
        (Some(x), _) if x == otherwise => Shape { then_side: Some(then), else_side: None, join: otherwise },
        (_, Some(y)) if y == then => Shape { then_side: None, else_side: Some(otherwise), join: then },
        _ => return None,
    };
    // A join that is the block itself would be a loop.
    (shape.join != block).then_some(shape)
}

/// Conditions that take two conditional moves: unordered equality of floats, or none at all (not a comparison is a test, fine).
fn needs_two_tests(func: &Function, cond: Value) -> bool {
    func.def_inst(cond).is_some_and(|i| func.insts[i].opcode == Opcode::FCmp)
}

fn sides_are_cheap(func: &Function, shape: &Shape) -> bool {
    [shape.then_side, shape.else_side].into_iter().flatten().all(|side| {
        let last = func.terminator(side);
        let mut count = 0;
        func.block_insts(side).take_while(|&i| i != last).all(|inst| {
            count += 1;
            count <= MAX_SIDE && is_pure(func, inst) && !may_trap(func, inst) && is_cheap(func, inst)
        })
    })
}

fn is_cheap(func: &Function, inst: Inst) -> bool {
    use Opcode::*;
    let ty = func.insts[inst].ty;
    matches!(
        func.insts[inst].opcode,
        Add | Sub
            | And
            | Or
            | Xor
            | Shl
            | LShr
            | AShr
            | ICmp
            | Trunc
            | ZExt
            | SExt
            | PtrAdd
            | PtrToInt
            | IntToPtr
            | Select
            | SMin
            | SMax
            | UMin
            | UMax
    ) && (ty.is_int() || ty.is_ptr())
        && ty.bits() <= 64
}

/// The join's phis with the values from the then side and from the else side, or `None` if there are too many or a type cannot be selected.
fn selects_needed(func: &Function, block: Block, shape: &Shape) -> Option<Vec<(Inst, Value, Value)>> {
    let then_pred = shape.then_side.unwrap_or(block);
    let else_pred = shape.else_side.unwrap_or(block);
    let mut out = Vec::new();
    for phi in func.phis(shape.join) {
        let (a, b) = (func.phi_value(phi, then_pred)?, func.phi_value(phi, else_pred)?);
        out.push((phi, a, b));
    }
    let differing: Vec<Type> = out.iter().filter(|s| s.1 != s.2).map(|s| func.value_type(s.1)).collect();
    let movable = |ty: &Type| (ty.is_int() || ty.is_ptr()) && ty.bits() <= 64;
    (differing.len() <= MAX_SELECTS && differing.iter().all(movable)).then_some(out)
}

/// Moves a side's instructions to the end of `block`, before its branch.
fn dissolve(func: &mut Function, side: Block, block: Block) {
    let last = func.terminator(side);
    let insts: Vec<Inst> = func.block_insts(side).take_while(|&i| i != last).collect();
    for inst in insts {
        let branch = func.terminator(block);
        func.unplace_inst(inst);
        func.insert_before(branch, inst);
        if !matches!(func.insts[inst].opcode, Opcode::ICmp) {
            func.insts[inst].flags = 0;
        }
    }
}
