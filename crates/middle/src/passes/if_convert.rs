//! If-conversion: a branch around a few cheap, harmless instructions becomes `select`s.
//!
//! Triangles (`if (c) x = a;`) and diamonds (`x = c ? a : b`) whose side blocks hold at most
//! [`MAX_SIDE`] pure instructions that cannot trap, (and a load each, if these read neighbouring
//! members of one object, so that both may run), and whose join has at most [`MAX_SELECTS`] phis
//! that differ, minima and maxima of what the condition compares aside. Branches with a likelihood
//! hint stay: they are predicted well. So do branches whose condition is a floating comparison that
//! needs two tests, selects of types without a conditional move, and what chooses the next state of
//! a state machine, for `jump_threading`, or where an interpreter finds its next instruction, or
//! where the floats are that the next iteration compares, and branches whose condition is tested
//! again where the sides meet, if the sides compute something: `jump_threading` makes one of the
//! two. So do branches around two computed values that the next iteration's condition is computed
//! from. Where a floating comparison is one of just the two values that are merged, they become
//! `fmin` or `fmax`; what is remembered besides (the index of the smallest) becomes a select. So do
//! two constants of the type that is compared, and `x = c ? x : x * k` becomes `x *= c ? 1 : k`.
//!
//! With `-Os` the result must not be longer either. Flags of speculated instructions are dropped
//! (they now run where the program did not run them). Linear.
//!
//! ```text
//! cond_br c, b1, b2                  v1 = add v0, i32 1
//! b1: v1 = add v0, i32 1        =>   v2 = select c, v1, v0
//!     br b2
//! b2: v2 = phi [v1, b1], [v0, b0]
//! ```

use std::collections::VecDeque;

use ir::{Block, Builder, FloatCc, Function, Inst, InstView, Opcode, Type, Value, flags, fold};

use crate::pass::{Changed, Pass, PassContext};
use crate::passes::jump_threading;
use ir::analysis::alias::decompose;
use ir::effects::{is_pure, may_trap};

/// The pass.
pub const PASS: Pass = Pass::new("if_convert", run);

/// Instructions that may be speculated per side: about what a mispredicted branch costs every few
/// iterations.
const MAX_SIDE: usize = 2;

/// Phis looked at to find what a merged value is for.
const MAX_WEB: usize = 8;

/// Instructions looked at to find whether a merged value leads to the target of a jump.
const MAX_PATH: usize = 32;

/// Users of one value that are looked at for those searches.
const MAX_USES: usize = 128;

/// Uses of a condition that are looked at.
const MAX_TESTS: usize = 4;

/// Selects that one conversion may make.
const MAX_SELECTS: usize = 2;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    // Threading joins what is done under the same condition. What it leaves becomes selects then.
    let threaded_later = cx.runs_later(&jump_threading::PASS);
    let mut converted = 0;
    // Inner ifs first: postorder of the layout is close enough, and what becomes possible by it is
    // found in the same sweep.
    let blocks: Vec<Block> = cx.analyses.cfg(func).postorder().to_vec();
    let preds = func.edge_counts();
    for block in blocks {
        while func.block_in_layout(block) && convert(func, block, &preds, cx.options.optimize_size, threaded_later) {
            converted += 1;
        }
    }
    cx.statistics.add("branches converted to selects", converted);
    Changed::control_flow_if(converted > 0)
}

/// Number of edges into each block.
type PredCounts = cranelift_entity::SecondaryMap<Block, u32>;

/// The shape around a conditional branch: the blocks that are dissolved, and where both ways meet.
struct Shape {
    then_side: Option<Block>,
    else_side: Option<Block>,
    join: Block,
}

fn convert(func: &mut Function, block: Block, preds: &PredCounts, size: bool, threaded_later: bool) -> bool {
    let branch = func.terminator(block);
    let InstView::CondBr { cond, then_dest: then, else_dest: otherwise, hint } = func.view(branch) else {
        return false;
    };
    if hint.is_predictable() {
        return false;
    }
    let Some(shape) = shape(func, block, then, otherwise, preds) else { return false };
    let chosen = !size && choose_factor(func, branch, cond, &shape);
    dissolve_branch(func, branch, &shape, preds, size, threaded_later) || chosen
}

/// The same once the shape is known.
fn dissolve_branch(
    func: &mut Function,
    branch: Inst,
    shape: &Shape,
    preds: &PredCounts,
    size: bool,
    threaded_later: bool,
) -> bool {
    let (cond, block) = (func.operand(branch, 0), func.inst_block(branch).expect("placed"));
    if !sides_are_cheap(func, shape) {
        return false;
    }
    let Some(merges) = merged_values(func, block, shape) else { return false };
    let extremes: Vec<_> = merges.iter().map(|merge| float_extreme(func, cond, merge)).collect();
    let selects: Vec<_> =
        merges.iter().zip(&extremes).filter(|(m, e)| e.is_none() && m.1 != m.2).map(|(m, _)| *m).collect();
    if !selects.is_empty() && (needs_two_tests(func, cond) || !can_select(func, cond, &selects)) {
        return false;
    }
    if selects.iter().any(|m| finds_compared_floats(func, cond, m.0)) {
        return false;
    }
    if selects.len() > 1 && computes_each(func, shape, &selects) && waits_for_itself(func, cond, &selects) {
        return false;
    }
    if size && !is_shorter(func, shape, &selects) {
        return false;
    }
    let is_decided = || {
        let computes = computes(func, shape);
        computes && is_tested_again(func, cond, &merges, shape.join) || is_decided_before(func, branch, preds, computes)
    };
    if threaded_later && is_decided() {
        return false;
    }
    for side in [shape.then_side, shape.else_side].into_iter().flatten() {
        dissolve(func, side, block);
    }
    let mut places = (0, 0);
    for ((phi, a, b), extreme) in merges.into_iter().zip(extremes) {
        let branch = func.terminator(block);
        let mut builder = Builder::before(func, branch);
        let value = match extreme {
            _ if a == b => a,
            Some((opcode, x, y)) => builder.binary(opcode, x, y),
            None => builder.select(cond, a, b),
        };
        let (at, other) = entries(func, phi, block, shape, places).expect("the values came from there");
        places = (at, other);
        // The last entry takes the place of the one removed.
        func.phi_swap_remove(phi, at.min(other));
        let second = if at.max(other) == func.num_operands(phi) { at.min(other) } else { at.max(other) };
        func.phi_swap_remove(phi, second);
        func.phi_push(phi, value, block);
    }
    let branch = func.terminator(block);
    func.remove_inst(branch);
    Builder::new(func, ir::Position::End(block)).br(shape.join);
    for side in [shape.then_side, shape.else_side].into_iter().flatten() {
        func.forget_debug_values(&[side], shape.join);
        func.remove_block(side);
    }
    true
}

/// Of `x = c ? x : x * k`, the factor is chosen instead, 1 or `k`, before the branch, which is left
/// around nothing: no operation runs that could raise an exception the program does not raise.
fn choose_factor(func: &mut Function, branch: Inst, cond: Value, shape: &Shape) -> bool {
    let ((Some(side), None) | (None, Some(side))) = (shape.then_side, shape.else_side) else { return false };
    let (product, block) =
        (func.block_insts(side).next().expect("a terminator"), func.inst_block(branch).expect("placed"));
    let data = func.insts[product];
    let alone = func.next_inst(product) == Some(func.terminator(side));
    if !alone || data.opcode != Opcode::FMul || !compares_floats(func, cond, data.ty) {
        return false;
    }
    let (x, factor, result) = (func.operand(product, 0), func.operand(product, 1), func.first_result(product));
    let Some(merges) = merged_values(func, block, shape) else { return false };
    let mut different = merges.iter().filter(|m| m.1 != m.2);
    let (Some(&merge), None) = (different.next(), different.next()) else { return false };
    let (multiplied, kept) = if shape.then_side.is_some() { (merge.1, merge.2) } else { (merge.2, merge.1) };
    if (multiplied, kept) != (result, x) || func.const_bits(factor).is_none() || waits_for_itself(func, cond, &[merge])
    {
        return false;
    }
    let one = func.bits_const(data.ty, fold::float_bits(data.ty, 1.0));
    let (a, b) = if shape.then_side.is_some() { (factor, one) } else { (one, factor) };
    let chosen = Builder::before(func, branch).select(cond, a, b);
    func.set_operand(product, 1, chosen);
    func.hoist_inst(branch, product);
    func.clear_flags(product);
    let entry = func.phi_index_near(merge.0, block, 0).expect("the value came from there");
    func.set_operand(merge.0, entry, result);
    true
}

/// Whether a condition compares floats of a type: where these choose among constants, it becomes a
/// mask.
fn compares_floats(func: &Function, cond: Value, ty: Type) -> bool {
    let compared = func.def_with(cond, Opcode::FCmp).map(|compare| func.value_type(func.operand(compare, 0)));
    matches!(ty, Type::F32 | Type::F64) && compared == Some(ty)
}

fn shape(func: &Function, block: Block, then: Block, otherwise: Block, preds: &PredCounts) -> Option<Shape> {
    if then == otherwise {
        return None;
    }
    let side_target = |side: Block| {
        let terminator = func.terminator(side);
        match func.view(terminator) {
            InstView::Br { dest } if preds[side] == 1 && side != block => Some(dest),
            _ => None,
        }
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

/// Conditions that take two conditional moves: equality of floats, which also looks at the parity
/// flag.
fn needs_two_tests(func: &Function, cond: Value) -> bool {
    func.def_with(cond, Opcode::FCmp).is_some_and(|i| {
        let is_scalar = matches!(func.value_type(func.operand(i, 0)), Type::F32 | Type::F64);
        let cc = func.insts[i].float_cc();
        !is_scalar || matches!(cc, FloatCc::Oeq | FloatCc::Une)
    })
}

fn sides_are_cheap(func: &Function, shape: &Shape) -> bool {
    let loads = neighbouring_loads(func, shape);
    [shape.then_side, shape.else_side].into_iter().flatten().all(|side| {
        let last = func.terminator(side);
        let mut count = 0;
        func.block_insts(side).take_while(|&i| i != last).all(|inst| {
            if loads.is_some_and(|loads| loads.contains(&inst)) {
                return true;
            }
            count += 1;
            count <= MAX_SIDE && is_pure(func, inst) && !may_trap(func, inst) && is_cheap(func, inst)
        })
    })
}

/// Whether the selects take less room than the branch: a conditional move is twice as long as the
/// jump around a move, and what is speculated needs a register of its own. A diamond saves a second
/// jump. Masks that choose floats are longer still.
fn is_shorter(func: &Function, shape: &Shape, selects: &[(Inst, Value, Value)]) -> bool {
    let sides = [shape.then_side, shape.else_side].into_iter().flatten();
    let speculated: usize = sides.clone().map(|side| func.block_insts(side).count() - 1).sum();
    let masks = selects.iter().any(|m| func.value_type(m.1).is_float());
    selects.len() + speculated <= sides.count() && !masks
}

/// The only loads of the two sides, if they read neighbours in one object: then both may run, as in
/// `n = key < n->key ? n->left : n->right`. gcc does this too (`-fhoist-adjacent-loads`): the way
/// down a search tree is not predicted well.
fn neighbouring_loads(func: &Function, shape: &Shape) -> Option<[Inst; 2]> {
    let only_load = |side: Block| {
        let mut loads = func.block_insts(side).filter(|&i| func.insts[i].opcode == Opcode::Load);
        let load = loads.next()?;
        loads.next().is_none().then_some(load)
    };
    let (a, b) = (only_load(shape.then_side?)?, only_load(shape.else_side?)?);
    let ty = func.insts[a].ty;
    let movable = ty == func.insts[b].ty && (ty.is_ptr() || matches!(ty, Type::I32 | Type::I64));
    let at = |load: Inst| decompose(func, func.operand(load, 0));
    let ((base_a, Some(start_a)), (base_b, Some(start_b))) = (at(a), at(b)) else { return None };
    let (low, high) = if start_a < start_b { (a, b) } else { (b, a) };
    let neighbours = start_a.abs_diff(start_b) == u64::from(ty.store_size());
    // Nothing else may be special about them.
    let plain = |load: Inst| !func.insts[load].has(!(flags::WITH_PREVIOUS | flags::WITH_NEXT));
    let known = |load: Inst, neighbour: u8| plain(load) && func.insts[load].has(neighbour);
    let both = known(low, flags::WITH_NEXT) && known(high, flags::WITH_PREVIOUS);
    (movable && base_a == base_b && neighbours && both).then_some([a, b])
}

/// Whether the sides do anything but choose among values.
fn computes(func: &Function, shape: &Shape) -> bool {
    let sides = [shape.then_side, shape.else_side].into_iter().flatten();
    sides.into_iter().any(|side| func.block_insts(side).next() != Some(func.terminator(side)))
}

/// Whether the branch where both sides meet is decided by the way there: it is on the same
/// condition, or on constants that the sides leave for it, or compares with the same constant again
/// where one side leaves what was compared.
fn is_tested_again(func: &Function, cond: Value, merges: &[(Inst, Value, Value)], join: Block) -> bool {
    let branch = func.terminator(join);
    if func.insts[branch].opcode != Opcode::CondBr {
        return false;
    }
    let again = func.operand(branch, 0);
    let tested = what_is_tested(func, again);
    let constant = |value| func.const_bits(value).is_some();
    let limit = |cond| func.const_bits(func.operand(func.def_with(cond, Opcode::ICmp)?, 1));
    let compared = limit(cond).filter(|_| limit(again) == limit(cond)).map(|_| what_is_tested(func, cond));
    let is_decided = |a, b| constant(a) && constant(b) || compared == Some(a) || compared == Some(b);
    again == cond || merges.iter().any(|&(phi, a, b)| func.first_result(phi) == tested && is_decided(a, b))
}

/// Whether a branch is decided by the way to its block: an edge of a branch on the same condition,
/// which will stay one, leads there; or, if its sides compute something, the sides of a branch on
/// the same condition meet there, or what it tests is one of several constants.
fn is_decided_before(func: &Function, branch: Inst, preds: &PredCounts, computes: bool) -> bool {
    let (cond, block) = (func.operand(branch, 0), func.inst_block(branch));
    let phi = func.def_with(what_is_tested(func, cond), Opcode::Phi).filter(|_| computes);
    if phi.is_some_and(|phi| func.inst_block(phi) == block && func.operands(phi).all(|v| func.const_bits(v).is_some()))
    {
        return true;
    }
    func.uses(cond).take(MAX_TESTS).any(|(user, _)| {
        let InstView::CondBr { then_dest, else_dest, .. } = func.view(user) else { return false };
        let Some(from) = func.inst_block(user).filter(|_| user != branch) else { return false };
        match shape(func, from, then_dest, else_dest, preds) {
            Some(shape) => computes && Some(shape.join) == block,
            None => [then_dest, else_dest].map(Some).contains(&block),
        }
    })
}

/// What a condition compares with a constant, or the condition itself.
fn what_is_tested(func: &Function, cond: Value) -> Value {
    let compared = func.def_with(cond, Opcode::ICmp);
    match compared {
        Some(compare) if func.const_bits(func.operand(compare, 1)).is_some() => func.operand(compare, 0),
        _ => cond,
    }
}

fn is_cheap(func: &Function, inst: Inst) -> bool {
    use Opcode::*;
    let (opcode, ty) = (func.insts[inst].opcode, func.insts[inst].ty);
    let simple = matches!(opcode, Add | Sub | ICmp | Trunc | ZExt | SExt | PtrAdd | PtrToInt | IntToPtr | Select);
    (simple || opcode.is_bitwise() || opcode.is_min_max()) && (ty.is_int() || ty.is_ptr()) && ty.bits() <= 64
}

/// The join's phis with the values from the then side and from the else side.
fn merged_values(func: &Function, block: Block, shape: &Shape) -> Option<Vec<(Inst, Value, Value)>> {
    let mut places = (0, 0);
    func.phis(shape.join)
        .map(|phi| {
            places = entries(func, phi, block, shape, places)?;
            Some((phi, func.operand(phi, places.0), func.operand(phi, places.1)))
        })
        .collect()
}

/// Which entries of a phi of the join are those from the then side and from the else side; `guess`
/// is which they were in another phi.
fn entries(func: &Function, phi: Inst, block: Block, shape: &Shape, guess: (usize, usize)) -> Option<(usize, usize)> {
    let then = func.phi_index_near(phi, shape.then_side.unwrap_or(block), guess.0)?;
    let otherwise = func.phi_index_near(phi, shape.else_side.unwrap_or(block), guess.1)?;
    Some((then, otherwise))
}

/// Whether selects can take the phis' place: few enough, of types that can be moved conditionally.
/// The smaller or larger of what the condition compares is not counted, as among floats: what goes
/// with it (the index, the key) is.
fn can_select(func: &Function, cond: Value, selects: &[(Inst, Value, Value)]) -> bool {
    let movable = |&(_, a, b): &(Inst, Value, Value)| {
        let ty = func.value_type(a);
        let masked = || [a, b].iter().all(|&v| func.const_bits(v).is_some()) && compares_floats(func, cond, ty);
        (ty.is_int() || ty.is_ptr()) && ty.bits() <= 64 || masked()
    };
    let others: Vec<_> = selects.iter().filter(|m| !is_integer_extreme(func, cond, m)).collect();
    others.len() <= MAX_SELECTS
        && others.iter().all(|m| !is_state(func, m))
        && selects.iter().all(|m| movable(m) && !finds_target(func, m.0))
}

/// Whether what is merged says where the target of the next dispatch is loaded from, as in `ip +=
/// condition ? 1 : offset; goto *labels[*ip]`. A branch is predicted, and so is the jump after it;
/// a conditional move makes both wait for the condition.
fn finds_target(func: &Function, phi: Inst) -> bool {
    use Opcode::*;
    leads_to(func, phi, |user, operand, loaded| match func.insts[user].opcode {
        IndirectBr | Switch if loaded => Step::Arrive,
        Load if operand == 0 => Step::Go(true),
        PtrAdd | SExt | ZExt | Trunc | Shl | Mul | Phi => Step::Go(loaded),
        And | LShr if loaded => Step::Go(loaded),
        _ => Step::Stop,
    })
}

/// Whether what is merged says where the floats are loaded from that the same condition compares in
/// the next iteration, as on the way down a heap: `if (a[j] < a[j + 1]) j++; ... j *= 2`. A branch
/// that is predicted half of the time lets loads run ahead, which a conditional move makes wait for
/// each other and for the comparison; that of integers is quick enough to do without the branch.
fn finds_compared_floats(func: &Function, cond: Value, phi: Inst) -> bool {
    use Opcode::*;
    let Some(compare) = func.def_inst(cond).filter(|&i| func.insts[i].opcode == FCmp) else { return false };
    leads_to(func, phi, |user, operand, loaded| match func.insts[user].opcode {
        FCmp if loaded && user == compare => Step::Arrive,
        Load if operand == 0 => Step::Go(true),
        Phi => Step::Go(loaded),
        PtrAdd | SExt | ZExt | Trunc | Shl | Mul | Add | Sub if !loaded => Step::Go(false),
        FAdd | FSub | FMul | FpExt | SiToFp if loaded => Step::Go(true),
        _ => Step::Stop,
    })
}

/// What a user of a value means to a walk along uses.
enum Step {
    /// What was looked for.
    Arrive,
    /// Its result is the next value; whether one of the values so far was an address that was
    /// loaded from.
    Go(bool),
    Stop,
}

/// Whether a walk along the uses of a phi, and of what is computed from it, arrives somewhere.
/// `step` is asked of each user, with the operand and whether a load is after. Looks at no more
/// than [`MAX_PATH`] instructions, those after loads first.
fn leads_to(func: &Function, phi: Inst, step: impl Fn(Inst, usize, bool) -> Step) -> bool {
    let mut work = VecDeque::from([(phi, false)]);
    let mut seen = vec![(phi, false)];
    while let Some((inst, loaded)) = work.pop_front() {
        for (user, operand) in func.uses(func.first_result(inst)).take(MAX_USES) {
            let next = match step(user, operand, loaded) {
                Step::Arrive => return true,
                Step::Go(loaded) => (user, loaded),
                Step::Stop => continue,
            };
            if seen.contains(&next) {
                continue;
            }
            if seen.len() == MAX_PATH {
                return false;
            }
            seen.push(next);
            if next.1 {
                work.push_front(next);
            } else {
                work.push_back(next);
            }
        }
    }
    false
}

/// Whether there is one side, on which a value is computed for each of the merged ones.
fn computes_each(func: &Function, shape: &Shape, selects: &[(Inst, Value, Value)]) -> bool {
    let ((Some(side), None) | (None, Some(side))) = (shape.then_side, shape.else_side) else { return false };
    let on_side = |v: Value| func.def_inst(v).is_some_and(|i| func.inst_block(i) == Some(side));
    selects.iter().all(|&(_, a, b)| on_side(a) || on_side(b))
}

/// Whether a condition is computed, without loads, from what it chose in the iteration before, as
/// where numbers are divided bit by bit: conditional moves make a chain of all of it, a branch that
/// is predicted only of what is chosen. gcc keeps the branch. (Where loads lie between, as in a
/// merge or search, the data decide, which nobody predicts.)
fn waits_for_itself(func: &Function, cond: Value, selects: &[(Inst, Value, Value)]) -> bool {
    let chosen = |v: Value| selects.iter().any(|&(phi, ..)| func.first_result(phi) == v);
    let block = func.def_inst(cond).map(|inst| func.inst_block(inst));
    let mut work = vec![cond];
    let (mut seen, mut found) = (0, false);
    while let Some(value) = work.pop() {
        let Some(inst) = func.def_inst(value) else { continue };
        seen += 1;
        match func.insts[inst].opcode {
            Opcode::Phi => found |= func.operands(inst).any(chosen),
            _ if Some(func.inst_block(inst)) != block => {}
            _ if seen <= MAX_PATH && is_pure(func, inst) => work.extend(func.operands(inst)),
            _ => return false,
        }
    }
    found
}

/// A state that is chosen among constants for a state machine's switch: threading jumps by it is
/// worth more than a branch less.
fn is_state(func: &Function, &(phi, a, b): &(Inst, Value, Value)) -> bool {
    if func.const_bits(a).is_none() && func.const_bits(b).is_none() {
        return false;
    }
    let mut web = vec![phi];
    let mut seen = 0;
    while seen < web.len() && web.len() <= MAX_WEB {
        for (user, _) in func.uses(func.first_result(web[seen])).take(MAX_USES) {
            match func.insts[user].opcode {
                Opcode::Switch => return true,
                Opcode::Phi if !web.contains(&user) => web.push(user),
                _ => {}
            }
        }
        seen += 1;
    }
    false
}

/// The smaller or larger of two floats, if the condition compares just the values that are merged.
/// `fmin x, y` is `x < y ? x : y`, NaN and zeros included.
fn float_extreme(func: &Function, cond: Value, merge: &(Inst, Value, Value)) -> Option<(Opcode, Value, Value)> {
    let compare = func.def_with(cond, Opcode::FCmp)?;
    let (x, y) = (func.operand(compare, 0), func.operand(compare, 1));
    let (_, mut a, mut b) = *merge;
    // The instruction raises "invalid" for NaN, as the operators of C do.
    let signals = func.insts[compare].is_signaling();
    let is_scalar = matches!(func.value_type(x), Type::F32 | Type::F64);
    if !signals || !is_scalar || ((a, b) != (x, y) && (a, b) != (y, x)) {
        return None;
    }
    // Not (x > y), or unordered: the other way around.
    let (cc, inverted) = match func.insts[compare].float_cc() {
        FloatCc::Ule => (FloatCc::Ogt, true),
        FloatCc::Uge => (FloatCc::Olt, true),
        cc => (cc, false),
    };
    if inverted {
        std::mem::swap(&mut a, &mut b);
    }
    match cc {
        FloatCc::Olt if a == x => Some((Opcode::FMin, x, y)),
        FloatCc::Olt => Some((Opcode::FMax, y, x)),
        FloatCc::Ogt if a == x => Some((Opcode::FMax, x, y)),
        FloatCc::Ogt => Some((Opcode::FMin, y, x)),
        _ => None,
    }
}

/// Whether what is merged is just what the condition compares.
fn is_integer_extreme(func: &Function, cond: Value, &(_, a, b): &(Inst, Value, Value)) -> bool {
    func.def_with(cond, Opcode::ICmp).is_some_and(|compare| {
        let (x, y) = (func.operand(compare, 0), func.operand(compare, 1));
        (a, b) == (x, y) || (a, b) == (y, x)
    })
}

/// Moves a side's instructions to the end of `block`, before its branch.
fn dissolve(func: &mut Function, side: Block, block: Block) {
    let last = func.terminator(side);
    let insts: Vec<Inst> = func.block_insts(side).take_while(|&i| i != last).collect();
    for inst in insts {
        let branch = func.terminator(block);
        func.hoist_inst(branch, inst);
        func.clear_flags(inst);
    }
}
