//! Branches on phis of conditions: where a path only brings the outcome of a comparison to a block
//! that branches on it, the path branches itself. Inlined functions that return truth values end so
//! (LLVM's jump threading duplicates such branches, too).
//!
//! Between the phi and the branch there may be operations on it with constants; two runs of them,
//! for false and for true, tell which target each outcome means. Headers of loops stay the only way
//! in.
//!
//! Cost: linear.
//!
//! ```text
//! b1: v1 = icmp.eq v0, i32 3                   b1: v1 = icmp.eq v0, i32 3
//!     v2 = zext v1                                 cond_br v1, b4, b5
//!     br b3                              =>
//! b3: v3 = phi [v2, b1], [v9, b2]              b3: v4 = icmp.ne v9, i32 0
//!     v4 = icmp.ne v3, i32 0                       cond_br v4, b4, b5
//!     cond_br v4, b4, b5
//! ```

use ir::ssa::Redefinitions;
use ir::{Block, Function, Inst, Opcode, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::fold::fold_with;
use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("branch_on_phi", run);

/// Operations between the phi and the branch.
const MAX_BETWEEN: usize = 4;

/// Paths that get a branch of their own, per block.
const MAX_PATHS: usize = 12;

/// A block that now branches on its own phi is looked at again.
const MAX_REPEATS: usize = 3;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let moved: u64 = (0..MAX_REPEATS).map(|_| move_all(func, cx)).take_while(|&moved| moved > 0).sum();
    cx.statistics.add("branches on conditions moved to their paths", moved);
    if moved > 0 { Changed::ControlFlow } else { Changed::Nothing }
}

/// Looks at all blocks once. Returns how many paths branch themselves now.
fn move_all(func: &mut Function, cx: &mut PassContext<'_>) -> u64 {
    let (cfg, loops) = (cx.analyses.cfg(func), cx.analyses.loops(func));
    let (mut moved, mut redefined) = (0, Redefinitions::default());
    for block in cfg.reverse_postorder() {
        let heads = loops.innermost(block).is_some_and(|l| loops.header(l) == block);
        if heads || cfg.preds(block).len() < 2 || func.insts[func.terminator(block)].opcode != Opcode::CondBr {
            continue;
        }
        let Some(test) = Test::of(func, block) else { continue };
        let paths = cfg.preds(block).iter().filter_map(|&pred| test.path(func, pred)).take(MAX_PATHS);
        let paths: SmallVec<[(Block, Value); 4]> = paths.collect();
        if paths.is_empty() {
            continue;
        }
        let copies: Vec<Copies> = paths.iter().map(|&(pred, cond)| test.move_to(func, pred, cond)).collect();
        func.redefine_debug_values([block].into_iter());
        redefined.begin(paths.iter().map(|path| path.0).chain([block]).collect());
        for (number, &(value, _)) in copies[0].iter().enumerate() {
            let copied = paths.iter().zip(&copies).map(|(path, copies)| (path.0, copies[number].1));
            redefined.add(func, value, [(block, value)].into_iter().chain(copied));
        }
        moved += paths.len() as u64;
    }
    if moved > 0 {
        cx.analyses.invalidate(Changed::ControlFlow);
        cx.analyses.resolve(func, redefined);
    }
    moved
}

/// The values of a block with what they are on a path around it.
type Copies = Vec<(Value, Value)>;

/// A block that does nothing but branch on what one of its phis says.
struct Test {
    block: Block,
    phi: Inst,
    /// The targets for a condition that holds, and for one that does not.
    targets: (Block, Block),
}

impl Test {
    fn of(func: &mut Function, block: Block) -> Option<Test> {
        let branch = func.terminator(block);
        let (then, otherwise) = func.insts[branch].two_dests().filter(|dests| dests.0 != dests.1)?;
        let between: SmallVec<[Inst; 8]> =
            func.block_insts(block).filter(|&i| func.insts[i].opcode != Opcode::Phi && i != branch).collect();
        if between.len() > MAX_BETWEEN || [then, otherwise].contains(&block) {
            return None;
        }
        let asked = between.iter().flat_map(|&inst| func.operands(inst)).chain([func.operand(branch, 0)]);
        let phis: SmallVec<[Inst; 4]> = asked.filter_map(|v| func.def_with(v, Opcode::Phi)).collect();
        let mut own = phis.into_iter().filter(|&phi| func.inst_block(phi) == Some(block));
        let phi = own.next().filter(|&phi| own.all(|other| other == phi))?;
        let ty = func.value_type(func.first_result(phi));
        if !ty.is_int() {
            return None;
        }
        let decided = [0, 1].map(|bit| {
            let value = func.iconst(ty, bit);
            outcome(func, (phi, value), &between, branch)
        });
        match decided {
            [Some(false), Some(true)] => Some(Test { block, phi, targets: (then, otherwise) }),
            [Some(true), Some(false)] => Some(Test { block, phi, targets: (otherwise, then) }),
            _ => None,
        }
    }

    /// A path that only comes from `pred` with a condition, and the condition.
    fn path(&self, func: &Function, pred: Block) -> Option<(Block, Value)> {
        if func.insts[func.terminator(pred)].opcode != Opcode::Br {
            return None;
        }
        let value = func.phi_value(self.phi, pred)?;
        let cond = match func.def_with(value, Opcode::ZExt) {
            Some(extension) => func.operand(extension, 0),
            None => value,
        };
        (func.value_type(cond) == Type::I1 && func.constant(cond).is_none()).then_some((pred, cond))
    }

    /// The path branches itself. What is computed between is computed there, too, for whoever asks
    /// for it.
    fn move_to(&self, func: &mut Function, pred: Block, cond: Value) -> Copies {
        let branch = func.terminator(self.block);
        let (then, otherwise) = self.targets;
        let hint = func.insts[branch].branch_hint();
        let hint = if func.insts[branch].dests().0 == then { hint } else { hint.inverted() };
        let insts: SmallVec<[Inst; 8]> = func.block_insts(self.block).collect();
        let mut copies = Copies::new();
        func.replace_terminator(pred, |b| b.cond_br(cond, then, otherwise, hint));
        let end = func.terminator(pred);
        for &inst in &insts {
            if func.insts[inst].opcode == Opcode::Phi {
                copies.push((func.first_result(inst), func.phi_value(inst, pred).expect("one entry per predecessor")));
                continue;
            }
            let here = |v: Value| copies.iter().find(|copy| copy.0 == v).map_or(v, |copy| copy.1);
            if inst == branch {
                func.copy_debug_values(inst, end, here);
                continue;
            }
            let new = func.copy_inst(inst, here);
            func.insert_before(end, new);
            func.copy_debug_values(inst, new, here);
            copies.push((func.first_result(inst), func.first_result(new)));
        }
        let here = |v: Value| copies.iter().find(|copy| copy.0 == v).map_or(v, |copy| copy.1);
        for target in [then, otherwise] {
            func.add_pred(target, self.block, pred, |_, value| here(value));
        }
        func.drop_pred(self.block, pred);
        copies
    }
}

/// What the branch does if the phi has this value.
fn outcome(func: &mut Function, (phi, value): (Inst, Value), between: &[Inst], branch: Inst) -> Option<bool> {
    let mut known: FxHashMap<Value, Value> = FxHashMap::default();
    known.insert(func.first_result(phi), value);
    for &inst in between {
        let operands: SmallVec<[Value; 4]> = func.operands(inst).map(|v| *known.get(&v).unwrap_or(&v)).collect();
        let folded = fold_with(func, inst, &operands)?;
        known.insert(func.first_result(inst), folded);
    }
    let cond = func.operand(branch, 0);
    Some(func.const_bits(*known.get(&cond)?)? != 0)
}
