//! Widening of induction variables: a narrow counter that is sign-extended in the loop becomes a
//! 64-bit counter.
//!
//! For a header phi `i` of a narrow integer type with `next = add.nsw i, step` on the only back
//! edge and an invariant step, the sign extension of `i` is itself an induction variable: no
//! iteration wraps, because a wrap would be undefined behaviour at the addition. The wide phi
//! starts at the extended start value and adds the extended step; extensions of `i`, of `next` and
//! of sums, differences and products of them with invariants use it, and signed comparisons of `i`
//! or `next` with invariants, or with what the loop computes of invariants, compare wide. What
//! remains of the narrow counter is its truncation.
//!
//! An unsigned counter that is zero-extended becomes a 64-bit one likewise, where the start and
//! what the branches on the way back say of the next value show that no addition wraps (`i < n` of
//! the next one: then there is room for one more). What is derived from it has to stay in range,
//! too.
//!
//! A phi that has the value of the iteration before of such a counter (`i` where the test has
//! computed `i + 1`) first becomes the counter less its step. At `-O3` one or two iterations run
//! before small loops in which it only does so from the second or third one on.
//!
//! ```text
//! b1: i = phi [i32 0, b0], [n, b1]         b0: m = sext v0
//!     w = sext i                           b1: w = phi [i64 0, b0], [x, b1]
//!     n = add.nsw i, i32 1           =>        x = add.nsw w, i64 1
//!     c = icmp.slt n, v0                       c = icmp.slt x, m
//! ```

use ir::analysis::sums::induction::{Follower, counter, entry_and_latch, follower, is_invariant, leader};
use ir::analysis::{Cfg, LoopRef};
use ir::ssa::{Redefinitions, RegionCopy, copyable_size, merge_copies, peel};
use ir::{Block, Builder, Function, Inst, IntCc, Opcode, Position, Type, Value, flags};
use platform::options::OptLevel;

use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::facts::Facts;
use ir::effects::is_pure;

/// Operations on the way from a counter to an extension.
const MAX_DEPTH: u32 = 4;
/// Values that a bound is computed from, or what is added: a place in an array of four dimensions.
const MAX_INVARIANT_SIZE: u32 = 48;

/// Instructions of a loop that may be peeled.
const MAX_PEELED: usize = 48;

/// Uses that are looked through for an address.
const MAX_USES: usize = 8;

/// Branches above an edge that are looked at.
const MAX_FACTS: usize = 6;

/// The pass.
pub const PASS: Pass = Pass { copies_code: true, ..Pass::new("widen_induction", run) };

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let peels = cx.options.level == OptLevel::O3 && !cx.options.optimize_size && !func.calls_setjmp;
    let peeled = peels && peel_for_followers(func, cx);
    let cfg = cx.analyses.cfg(func);
    let loops = cx.analyses.loops(func);
    let (mut widened, mut followers) = (0, 0);
    let mut store = Facts::new(cx.module, cx.options);
    for l in loops.loops().map(|l| loops.at(l)) {
        let Some((preheader, latch)) = entry_and_latch(func, &cfg, l) else { continue };
        let phis: Vec<Inst> = func.phis(l.header()).collect();
        for &phi in phis.iter().chain(&phis) {
            followers += (func.inst_block(phi).is_some() && replace_follower(func, phi, preheader, latch)) as u64;
        }
        for phi in phis {
            if func.inst_block(phi).is_none() {
                continue;
            }
            note_no_overflow(func, &cfg, phi, (preheader, latch), &mut store);
            let signed = induction_variable(func, l, phi, preheader, latch);
            let variable = match signed.filter(|v| has_extension(func, l, v)) {
                Some(variable) => Some(variable),
                None => unsigned_variable(func, &cfg, l, phi, (preheader, latch), &mut store),
            };
            if let Some(variable) = variable {
                widen(func, l, &variable, preheader, latch);
                widened += 1;
            }
        }
    }
    cx.statistics.add("induction variables widened", widened);
    if peeled { Changed::ControlFlow } else { Changed::code_if(widened + followers > 0) }
}

/// Writes a header phi that follows a counter by one iteration as the counter less its step. The
/// subtraction cannot overflow where the counter does not: it gives what the counter was.
fn replace_follower(func: &mut Function, phi: Inst, preheader: Block, latch: Block) -> bool {
    let follows = follower(func, phi, preheader, latch).filter(|f| f.from_the_start(func, phi, preheader));
    let Some(Follower { counter, by, flags }) = follows else { return false };
    let ty = func.insts[phi].ty;
    let top = func.first_non_phi(func.inst_block(phi).expect("placed")).expect("block is complete");
    let value = func.first_result(counter.phi);
    let mut builder = Builder::before(func, top);
    let by = builder.iconst(ty, by);
    let before = builder.binary_flags(Opcode::Add, flags, value, by);
    func.replace_result(phi, before);
    true
}

/// Runs one or two iterations before innermost loops, where variables follow a counter from then
/// on (`a[i] + a[before]` with `before = n - 1` at first, and `before = i` later), if they are part
/// of addresses.
fn peel_for_followers(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let (cfg, loops) = (cx.analyses.cfg(func), cx.analyses.loops(func));
    let mut blocks = None;
    let mut redefined = Redefinitions::default();
    let mut peeled = 0;
    for id in loops.loops() {
        let l = loops.at(id);
        let Some((entry, latch)) = entry_and_latch(func, &cfg, l) else { continue };
        let rounds = |phi: Inst| {
            let (ahead, ..) = leader(func, phi, latch).filter(|_| is_in_address(func, phi))?;
            let follows = |phi| follower(func, phi, entry, latch).is_some();
            let rounds = if follows(phi) { 1 } else { 2 };
            (rounds == 1 || follows(ahead)).then_some(rounds)
        };
        let Some(rounds) = func.phis(l.header()).filter_map(rounds).max() else { continue };
        let blocks = &blocks.get_or_insert_with(|| loops.blocks(&cfg))[id];
        let is_small = copyable_size(func, blocks, MAX_PEELED).is_some();
        if !is_small || !blocks.iter().all(|&b| l.is_innermost(b)) {
            continue;
        }
        let mut copies: Vec<RegionCopy> = Vec::new();
        for _ in 0..rounds {
            let entry = copies.last().map_or(entry, |copy| copy.blocks[&latch]);
            copies.push(peel(func, blocks, l.header(), entry, latch));
        }
        merge_copies(func, blocks, &copies, &mut redefined);
        peeled += rounds;
    }
    cx.statistics.add("iterations peeled", peeled);
    if peeled > 0 {
        cx.analyses.invalidate(Changed::ControlFlow);
        cx.analyses.resolve(func, redefined);
    }
    peeled > 0
}

/// Whether a load or a store is at an address that is computed from the value.
fn is_in_address(func: &Function, phi: Inst) -> bool {
    let mut work = vec![func.first_result(phi)];
    for _ in 0..MAX_USES {
        let Some(value) = work.pop() else { return false };
        for (user, index) in func.uses(value).take(MAX_USES) {
            match func.insts[user].opcode {
                Opcode::Load | Opcode::Store if index == 0 => return true,
                Opcode::SExt | Opcode::ZExt | Opcode::Shl | Opcode::Mul | Opcode::Add | Opcode::PtrAdd => {
                    work.push(func.first_result(user));
                }
                _ => {}
            }
        }
    }
    false
}

/// A counter: its phi, the addition on the back edge, start and step.
struct Variable {
    phi: Inst,
    next: Inst,
    start: Value,
    step: Value,
    /// Of an unsigned counter: the least and the greatest value of the phi.
    range: Option<(i64, i64)>,
}

impl Variable {
    /// What extends it.
    fn extension(&self) -> Opcode {
        if self.range.is_some() { Opcode::ZExt } else { Opcode::SExt }
    }
}

/// Says of a counter that it does not overflow, where its start and what the branches on the way
/// back say of the next value leave room for one more step: under `-fwrapv` nothing else does.
fn note_no_overflow(func: &mut Function, cfg: &Cfg, phi: Inst, (preheader, latch): (Block, Block), store: &mut Facts) {
    let counter = counter(func, phi, preheader, latch).filter(|c| !func.insts[c.next].has(flags::NSW));
    let (Some(counter), Some(header)) = (counter, func.inst_block(phi)) else { return };
    let mut range_at = |from: Block, value: Value| {
        store.undo_to(0);
        assume_way(func, cfg, store, (from, header));
        store.range(func, value)
    };
    let range = range_at(preheader, counter.start).union(range_at(latch, func.first_result(counter.next)));
    if counter.fits(func, range) {
        func.add_flags(counter.next, flags::NSW);
    }
}

fn induction_variable(func: &Function, l: LoopRef<'_>, phi: Inst, preheader: Block, latch: Block) -> Option<Variable> {
    if !matches!(func.insts[phi].ty, Type::I32 | Type::I16) {
        return None;
    }
    let start = func.phi_value(phi, preheader)?;
    let next = func.def_inst(func.phi_value(phi, latch)?)?;
    let data = func.insts[next];
    let value = func.first_result(phi);
    if data.opcode != Opcode::Add || !data.has(flags::NSW) || func.operand(next, 0) != value {
        return None;
    }
    let step = func.operand(next, 1);
    is_invariant(func, l, step).then_some(Variable { phi, next, start, step, range: None })
}

/// An unsigned counter of constant step that is extended, if it cannot wrap.
fn unsigned_variable(
    func: &Function,
    cfg: &Cfg,
    l: LoopRef<'_>,
    phi: Inst,
    (preheader, latch): (Block, Block),
    store: &mut Facts<'_>,
) -> Option<Variable> {
    if func.insts[phi].ty != Type::I32 {
        return None;
    }
    let start = func.phi_value(phi, preheader)?;
    let next_value = func.phi_value(phi, latch)?;
    let next = func.def_inst(next_value)?;
    let value = func.first_result(phi);
    if func.insts[next].opcode != Opcode::Add || func.operand(next, 0) != value {
        return None;
    }
    let step = func.operand(next, 1);
    let by = func.const_i64(step)?;
    let extended = |narrow: Value| {
        func.uses(narrow).any(|(user, _)| {
            is_extension(func, user, Opcode::ZExt)
                || func.insts[user].opcode == Opcode::Add
                    && func.uses(func.first_result(user)).any(|(above, _)| is_extension(func, above, Opcode::ZExt))
        })
    };
    if !extended(value) && !extended(next_value) {
        return None;
    }
    let mut range_at = |from: Block, to: Block, value: Value| {
        store.undo_to(0);
        assume_way(func, cfg, store, (from, to));
        range_of(func, store, value)
    };
    let (first, again) = (range_at(preheader, l.header(), start), range_at(latch, l.header(), next_value));
    let range = (first.0.min(again.0), first.1.max(again.1));
    fits(range, by)?;
    Some(Variable { phi, next, start, step, range: Some(range) })
}

/// Learns what the branches at an edge and above it say, as far as each block has one predecessor.
fn assume_way(func: &Function, cfg: &Cfg, store: &mut Facts<'_>, (mut from, mut to): (Block, Block)) {
    for _ in 0..MAX_FACTS {
        store.assume_edge(func, from, to);
        let &[above] = cfg.preds(from) else { break };
        (from, to) = (above, from);
    }
}

/// What an unsigned value of at most 32 bits may be, by what is known of it and of what it is a sum
/// or an extension of.
fn range_of(func: &Function, store: &Facts<'_>, value: Value) -> (i64, i64) {
    let known = |value: Value| {
        let range = store.range(func, value);
        (range.umin as i64, range.umax as i64)
    };
    let own = known(value);
    let Some(inst) = func.def_inst(value) else { return own };
    let computed = match func.insts[inst].opcode {
        Opcode::Add => func.const_i64(func.operand(inst, 1)).and_then(|by| fits(known(func.operand(inst, 0)), by)),
        Opcode::ZExt => Some(known(func.operand(inst, 0))),
        _ => None,
    };
    computed.map_or(own, |(low, high)| (own.0.max(low), own.1.min(high)))
}

/// The range of an unsigned sum with a constant, if it cannot wrap.
fn fits(range: (i64, i64), by: i64) -> Option<(i64, i64)> {
    let (low, high) = (range.0.checked_add(by)?, range.1.checked_add(by)?);
    (low >= 0 && high <= i64::from(u32::MAX)).then_some((low, high))
}

/// Whether anything in sight extends the counter, so that widening pays.
fn has_extension(func: &Function, l: LoopRef<'_>, v: &Variable) -> bool {
    let derived = [func.first_result(v.phi), func.first_result(v.next)];
    derived.into_iter().any(|value| leads_to_extension(func, l, value, MAX_DEPTH))
}

fn is_extension(func: &Function, inst: Inst, opcode: Opcode) -> bool {
    func.insts[inst].opcode == opcode && func.insts[inst].ty == Type::I64
}

/// Whether the value or what is derived from it in the loop is extended.
fn leads_to_extension(func: &Function, l: LoopRef<'_>, value: Value, depth: u32) -> bool {
    func.uses(value).any(|(user, _)| {
        is_extension(func, user, Opcode::SExt)
            || depth > 0
                && func.insts[user].opcode != Opcode::Phi
                && derives(func, l, user, value)
                && leads_to_extension(func, l, func.first_result(user), depth - 1)
    })
}

/// Whether `user`, in the loop, is a sum, difference or product of `value` and an invariant (or
/// what the loop computes of invariants) without signed overflow, or a shift to the left by a
/// constant: its extension is that of the extended operands.
fn derives(func: &Function, l: LoopRef<'_>, user: Inst, value: Value) -> bool {
    let data = func.insts[user];
    if !matches!(data.opcode, Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl)
        || !data.has(flags::NSW)
        || !l.holds(func, user)
    {
        return false;
    }
    let (a, b) = (func.operand(user, 0), func.operand(user, 1));
    if data.opcode == Opcode::Shl {
        return a == value && func.const_i64(b).is_some_and(|c| (0..i64::from(data.ty.bits())).contains(&c));
    }
    will_be_invariant(func, l, if a == value { b } else { a }, &mut { MAX_INVARIANT_SIZE })
}

/// Computes what is derived from a narrow value and extended from the wide one, too. The counter's
/// own step aside.
fn widen_derived(
    func: &mut Function,
    l: LoopRef<'_>,
    v: &Variable,
    (narrow, wide): (Value, Value),
    end: Inst,
    depth: u32,
) {
    let users: Vec<Inst> = func.uses(narrow).map(|u| u.0).filter(|&u| derives(func, l, u, narrow)).collect();
    for user in users.into_iter().filter(|&u| u != v.next) {
        let result = func.first_result(user);
        if !leads_to_extension(func, l, result, depth - 1) {
            continue;
        }
        let (a, b) = (func.operand(user, 0), func.operand(user, 1));
        let other = if a == narrow { b } else { a };
        let at = if is_invariant(func, l, other) { end } else { user };
        let invariant = extended(func, at, other, Opcode::SExt);
        let (a, b) = if a == narrow { (wide, invariant) } else { (invariant, wide) };
        let opcode = func.insts[user].opcode;
        let wide_result = Builder::before(func, user).binary_flags(opcode, flags::NSW, a, b);
        replace_extensions(func, result, wide_result, Opcode::SExt);
        if depth > 1 {
            widen_derived(func, l, v, (result, wide_result), end, depth - 1);
        }
    }
}

fn widen(func: &mut Function, l: LoopRef<'_>, v: &Variable, preheader: Block, latch: Block) {
    let end = func.terminator(preheader);
    let extension = v.extension();
    let start = extended(func, end, v.start, extension);
    // A constant, where the counter is unsigned.
    let step = extended(func, end, v.step, Opcode::SExt);
    let wide_phi = Builder::before(func, v.phi).phi(Type::I64, &[]);
    let wide = func.first_result(wide_phi);
    let wide_next = {
        let mut b = Builder::before(func, v.next);
        b.binary_flags(Opcode::Add, flags::NSW, wide, step)
    };
    func.phi_push(wide_phi, start, preheader);
    func.phi_push(wide_phi, wide_next, latch);
    let (value, next) = (func.first_result(v.phi), func.first_result(v.next));
    for (narrow, replacement) in [(value, wide), (next, wide_next)] {
        replace_extensions(func, narrow, replacement, extension);
        replace_comparisons(func, l, (narrow, replacement), end, extension);
        if v.range.is_none() {
            widen_derived(func, l, v, (narrow, replacement), end, MAX_DEPTH);
        }
    }
    if let Some(range) = v.range {
        widen_sums(func, v, range, wide);
    }
    truncate_rest(func, v, wide, wide_next);
}

/// Computes sums of an unsigned counter and constants that are extended from the wide one.
fn widen_sums(func: &mut Function, v: &Variable, range: (i64, i64), wide: Value) {
    let value = func.first_result(v.phi);
    let users: Vec<Inst> = func.uses(value).map(|u| u.0).filter(|&u| u != v.next).collect();
    for user in users {
        let sums = func.insts[user].opcode == Opcode::Add && func.operand(user, 0) == value;
        let Some(by) = sums.then(|| func.const_i64(func.operand(user, 1))).flatten() else { continue };
        let result = func.first_result(user);
        let extends = func.uses(result).any(|(above, _)| is_extension(func, above, Opcode::ZExt));
        if extends && fits(range, by).is_some() {
            let by = func.iconst(Type::I64, by);
            let sum = Builder::before(func, user).binary_flags(Opcode::Add, flags::NSW, wide, by);
            replace_extensions(func, result, sum, Opcode::ZExt);
        }
    }
}

/// The 64-bit extension of an invariant, placed before `end`.
fn extended(func: &mut Function, end: Inst, value: Value, extension: Opcode) -> Value {
    match func.const_i64(value) {
        Some(constant) if extension == Opcode::ZExt => func.iconst(Type::I64, i64::from(constant as u32)),
        Some(constant) => func.iconst(Type::I64, constant),
        None => Builder::before(func, end).unary(extension, Type::I64, value),
    }
}

fn replace_extensions(func: &mut Function, narrow: Value, wide: Value, extension: Opcode) {
    let extensions: Vec<Inst> = func.uses(narrow).map(|u| u.0).filter(|&u| is_extension(func, u, extension)).collect();
    for inst in extensions {
        func.replace_result(inst, wide);
    }
}

/// Comparisons of its signedness, and of equality, with invariants compare the wide counter. Only
/// those in the loop: what a comparison after it is with need not be known before it.
fn replace_comparisons(
    func: &mut Function,
    l: LoopRef<'_>,
    (narrow, wide): (Value, Value),
    end: Inst,
    extension: Opcode,
) {
    let compares: Vec<(Inst, usize)> =
        func.uses(narrow).filter(|&(u, _)| func.insts[u].opcode == Opcode::ICmp).collect();
    for (compare, index) in compares {
        if !l.holds(func, compare) {
            continue;
        }
        let cc = func.insts[compare].int_cc();
        let other = func.operand(compare, 1 - index);
        if cc.is_signed() != (extension == Opcode::SExt) && !matches!(cc, IntCc::Eq | IntCc::Ne) {
            continue;
        }
        // What will be taken out of the loop is extended where it still stands.
        let at = match is_invariant(func, l, other) {
            true => end,
            false if will_be_invariant(func, l, other, &mut { MAX_INVARIANT_SIZE }) => compare,
            false => continue,
        };
        let other = extended(func, at, other, extension);
        func.set_operand(compare, index, wide);
        func.set_operand(compare, 1 - index, other);
    }
}

/// Whether a value is computed in the loop from invariants and what is loaded, which may be taken
/// out of it, too.
fn will_be_invariant(func: &Function, l: LoopRef<'_>, value: Value, left: &mut u32) -> bool {
    if is_invariant(func, l, value) {
        return true;
    }
    *left = left.saturating_sub(1);
    let Some(inst) = func.def_inst(value).filter(|_| *left > 0) else { return false };
    let data = &func.insts[inst];
    data.opcode != Opcode::Phi
        && (is_pure(func, inst) || data.opcode == Opcode::Load && !data.is_volatile())
        && func.operands(inst).all(|v| will_be_invariant(func, l, v, left))
}

/// The narrow counter, where it is still used, is the truncated wide one.
fn truncate_rest(func: &mut Function, v: &Variable, wide: Value, wide_next: Value) {
    let ty = func.insts[v.phi].ty;
    let (value, next) = (func.first_result(v.phi), func.first_result(v.next));
    func.forward_debug_values(value, wide);
    func.forward_debug_values(next, wide_next);
    let next_is_used = func.uses(next).any(|(u, _)| u != v.phi);
    let value_is_used = func.uses(value).any(|(u, _)| u != v.next);
    if next_is_used {
        let narrow = Builder::new(func, Position::Before(v.next)).unary(Opcode::Trunc, ty, wide_next);
        let uses: Vec<(Inst, usize)> = func.uses(next).filter(|&(u, _)| u != v.phi).collect();
        uses.into_iter().for_each(|(user, index)| func.set_operand(user, index, narrow));
    }
    if value_is_used {
        let block = func.inst_block(v.phi).expect("placed");
        let first = func.first_non_phi(block).expect("block is complete");
        let narrow = Builder::new(func, Position::Before(first)).unary(Opcode::Trunc, ty, wide);
        let uses: Vec<(Inst, usize)> = func.uses(value).filter(|&(u, _)| u != v.next).collect();
        uses.into_iter().for_each(|(user, index)| func.set_operand(user, index, narrow));
    }
}
