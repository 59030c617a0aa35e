//! Correlated values: comparisons, branches and divisions that a dominating condition has decided.
//!
//! A walk over the dominator tree keeps, for the block at hand, the range of each value (from its
//! definition and from the branches passed) and the ways by which pairs of values can compare.
//! Entering a block by the only edge from a conditional branch or switch adds what the edge says;
//! leaving the subtree takes it back (an undo log). With them
//!
//! - comparisons that can only come out one way become constants;
//! - values that a condition leaves one number become that number after it: the counters of loops
//!   of one iteration;
//! - signed divisions, remainders and right shifts of values that are not negative become unsigned
//!   ones;
//! - a pointer that has been accessed is not null afterwards (unless
//!   `-fno-delete-null-pointer-checks`).
//!
//! A value has one range for all its uses below an edge, since SSA values do not change (a use
//! below the edge sees the execution of the definition that the edge saw). Counters that start at a
//! constant and step without signed overflow keep to one side of it.
//!
//! Cost: linear in instructions and edges.
//!
//! ```text
//! b0: v1 = icmp.slt v0, i32 10             b0: v1 = icmp.slt v0, i32 10
//!     cond_br v1, b1, b2                       cond_br v1, b1, b2
//! b1: v2 = icmp.slt v0, i32 20       =>    b1: cond_br i1 1, b3, b4
//!     cond_br v2, b3, b4
//! ```

use cranelift_entity::SecondaryMap;
use ir::analysis::{Cfg, DominatorTree};
use ir::{Block, Function, Inst, InstView, IntCc, Opcode, Type, Value, ValueDef, flags};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analysis::alias::{Base, decompose};
use crate::analysis::ranges::{Outcomes, Range, has_range};
use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass { name: "correlate", run };

/// Conditions joined by `and` and `or` that are taken apart per branch.
const MAX_CONJUNCTS: usize = 8;

/// Cases of a switch that may share a target for its range to be looked at.
const MAX_CASES: usize = 16;

/// Uses of a resolved value that are looked at: a chain of comparisons with one number after the
/// other resolves a value in each.
const MAX_USES: usize = 256;

/// What can be undone.
enum Undo {
    Range(Value, Option<Range>),
    Pair((Value, Value), Option<Outcomes>),
}

struct Walk<'a, 'b> {
    func: &'a mut Function,
    cx: &'a mut PassContext<'b>,
    ranges: SecondaryMap<Value, Option<Range>>,
    pairs: FxHashMap<(Value, Value), Outcomes>,
    undo: Vec<Undo>,
    decided: u64,
    unsigned: u64,
    settled: u64,
}

enum Step {
    Enter(Block),
    Leave(usize),
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let cfg = cx.analyses.cfg(func);
    let dominators = cx.analyses.dominators(func);
    let mut walk = Walk {
        ranges: SecondaryMap::with_capacity(func.num_values()),
        pairs: FxHashMap::default(),
        undo: Vec::new(),
        decided: 0,
        unsigned: 0,
        settled: 0,
        func,
        cx,
    };
    let mut work = vec![Step::Enter(walk.func.entry())];
    while let Some(step) = work.pop() {
        match step {
            Step::Leave(mark) => walk.leave(mark),
            Step::Enter(block) => {
                work.push(Step::Leave(walk.undo.len()));
                let mark = walk.undo.len();
                walk.use_edge(&cfg, &dominators, block);
                walk.use_settled(&dominators, block, mark);
                walk.visit_block(block);
                work.extend(dominators.children(block).map(Step::Enter));
            }
        }
    }
    let (decided, unsigned, settled) = (walk.decided, walk.unsigned, walk.settled);
    cx.statistics.add("conditions decided by others", decided);
    cx.statistics.add("values settled by conditions", settled);
    cx.statistics.add("signed operations made unsigned", unsigned);
    Changed::code_if(decided + unsigned + settled > 0)
}

impl Walk<'_, '_> {
    fn leave(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop().expect("not empty") {
                Undo::Range(value, old) => self.ranges[value] = old,
                Undo::Pair(key, Some(old)) => {
                    self.pairs.insert(key, old);
                }
                Undo::Pair(key, None) => {
                    self.pairs.remove(&key);
                }
            }
        }
    }

    fn range(&self, value: Value) -> Range {
        let ty = self.func.value_type(value);
        if let Some(bits) = self.func.const_bits(value) {
            return Range::constant(ty, bits);
        }
        if let Some(range) = self.ranges[value] {
            return range;
        }
        let never_null = self.cx.options.codegen.delete_null_pointer_checks && ty.is_ptr() && self.is_object(value);
        if never_null { Range::unsigned(ty, 1, u64::MAX) } else { Range::full(ty) }
    }

    /// Whether the pointer is the address of a local or of a defined, strong symbol.
    fn is_object(&self, value: Value) -> bool {
        match self.func.value_def(value) {
            ValueDef::Result(inst, _) => self.func.insts[inst].opcode == Opcode::Alloca,
            ValueDef::Const(_) => self.func.const_symbol(value).is_some_and(|(symbol, offset)| {
                let data = &self.cx.module.symbols[symbol];
                offset >= 0 && data.linkage != ir::Linkage::Weak && !matches!(data.def, ir::SymbolDef::Undefined)
            }),
            ValueDef::Param(_) => false,
        }
    }

    fn narrow(&mut self, value: Value, range: Range) {
        if self.func.constant(value).is_some() || range.is_empty() || range == self.range(value) {
            return;
        }
        self.undo.push(Undo::Range(value, self.ranges[value]));
        self.ranges[value] = Some(range);
    }

    // ---- what edges say
    // -----------------------------------------------------------------------------------------------------

    /// What the only edge into a block says; edges back into a loop's header do not count, since
    /// what the edge into the loop compares is computed before it.
    fn use_edge(&mut self, cfg: &Cfg, dominators: &DominatorTree, block: Block) {
        let mut entering = cfg.preds(block).iter().copied().filter(|&p| !dominators.dominates(block, p));
        let (Some(pred), None) = (entering.next(), entering.next()) else { return };
        let terminator = self.func.terminator(pred);
        match self.func.view(terminator) {
            InstView::CondBr { cond, then_dest, else_dest, .. } if then_dest != else_dest => {
                self.assume(cond, then_dest == block);
            }
            InstView::Switch { .. } => self.use_cases(terminator, block),
            _ => {}
        }
    }

    /// Values that an edge has left one number: after it that number takes their place. The counter
    /// of a loop of one iteration is such a value.
    fn use_settled(&mut self, dominators: &DominatorTree, block: Block, mark: usize) {
        let narrowed: SmallVec<[Value; 4]> = self.undo[mark..]
            .iter()
            .filter_map(|undo| if let Undo::Range(value, _) = undo { Some(*value) } else { None })
            .filter(|&value| self.func.value_type(value).is_int() && self.func.value_type(value) != Type::I1)
            .collect();
        for value in narrowed {
            let Some(bits) = self.range(value).single() else { continue };
            let constant = self.func.bits_const(self.func.value_type(value), bits as u128);
            let uses: SmallVec<[(Inst, usize); 8]> = self
                .func
                .uses(value)
                .take(MAX_USES)
                .filter(|&(user, index)| {
                    let at = match self.func.insts[user].opcode {
                        Opcode::Phi => Some(self.func.phi_block(user, index)),
                        _ => self.func.inst_block(user),
                    };
                    at.is_some_and(|at| dominators.dominates(block, at))
                })
                .collect();
            self.settled += uses.len() as u64;
            uses.into_iter().for_each(|(user, index)| self.func.set_operand(user, index, constant));
        }
    }

    fn use_cases(&mut self, terminator: Inst, block: Block) {
        let switch = self.func.switch(terminator);
        let value = self.func.operand(terminator, 0);
        let ty = self.func.value_type(value);
        if switch.default == block || !has_range(ty) {
            return;
        }
        let mut union: Option<Range> = None;
        for (count, case) in switch.cases.iter().filter(|c| c.1 == block).enumerate() {
            if count == MAX_CASES {
                return;
            }
            let one = Range::constant(ty, case.0 as u128);
            union = Some(union.map_or(one, |u| u.union(one)));
        }
        if let Some(union) = union {
            let range = self.range(value).intersect(ty, union);
            self.narrow(value, range);
        }
    }

    /// Takes a condition for true or false from here on.
    fn assume(&mut self, cond: Value, truth: bool) {
        let mut work = vec![(cond, truth)];
        let mut count = 0;
        while let Some((cond, truth)) = work.pop() {
            count += 1;
            let Some(inst) = self.func.def_inst(cond).filter(|_| count <= MAX_CONJUNCTS) else { continue };
            self.narrow(cond, Range::constant(Type::I1, truth as u128));
            let (a, b) = match self.func.num_operands(inst) {
                2 => (self.func.operand(inst, 0), self.func.operand(inst, 1)),
                _ => continue,
            };
            match self.func.insts[inst].opcode {
                Opcode::ICmp if has_range(self.func.value_type(a)) => {
                    let cc = self.func.insts[inst].int_cc();
                    self.assume_compare(if truth { cc } else { cc.inverse() }, a, b);
                }
                Opcode::And if truth => work.extend([(a, true), (b, true)]),
                Opcode::Or if !truth => work.extend([(a, false), (b, false)]),
                Opcode::Xor if self.func.const_bits(b) == Some(1) => work.push((a, !truth)),
                _ => {}
            }
        }
    }

    fn assume_compare(&mut self, cc: IntCc, a: Value, b: Value) {
        let ty = self.func.value_type(a);
        let (range_a, range_b) = (self.range(a), self.range(b));
        self.narrow_through(a, range_a.assuming(ty, cc, range_b));
        self.narrow_through(b, range_b.assuming(ty, cc.swapped(), range_a));
        if self.func.constant(b).is_none() {
            let (key, cc) = if a < b { ((a, b), cc) } else { ((b, a), cc.swapped()) };
            let old = self.pairs.get(&key).copied();
            self.undo.push(Undo::Pair(key, old));
            self.pairs.insert(key, old.unwrap_or(Outcomes::ALL).intersect(Outcomes::of(cc)));
        }
    }

    /// Narrows a value and, if it is another widened, that one too.
    fn narrow_through(&mut self, value: Value, range: Range) {
        self.narrow(value, range);
        let Some(inst) = self.func.def_inst(value) else { return };
        let inner = match self.func.insts[inst].opcode {
            Opcode::ZExt | Opcode::SExt => self.func.operand(inst, 0),
            _ => return,
        };
        let ty = self.func.value_type(inner);
        if range.is_empty() || !has_range(ty) {
            return;
        }
        let known = self.range(inner);
        let limits = if self.func.insts[inst].opcode == Opcode::ZExt {
            Range { umin: range.umin.max(known.umin), umax: range.umax.min(known.umax), ..known }
        } else {
            Range { smin: range.smin.max(known.smin), smax: range.smax.min(known.smax), ..known }
        };
        if !limits.is_empty() {
            self.narrow(inner, limits.narrowed(ty));
        }
    }

    // ---- what instructions say
    // ------------------------------------------------------------------------------------------------

    fn visit_block(&mut self, block: Block) {
        let mut next = self.func.first_inst(block);
        while let Some(inst) = next {
            next = self.func.next_inst(inst);
            match self.func.insts[inst].opcode {
                Opcode::ICmp => {
                    if self.decide(inst) {
                        continue;
                    }
                }
                Opcode::SDiv | Opcode::SRem | Opcode::AShr => self.make_unsigned(inst),
                Opcode::Select | Opcode::CondBr => self.use_known_condition(inst),
                Opcode::Load | Opcode::Store => self.note_access(inst),
                _ => {}
            }
            self.note_definition(inst);
        }
    }

    /// Replaces a comparison with one possible outcome.
    fn decide(&mut self, inst: Inst) -> bool {
        let (a, b) = (self.func.operand(inst, 0), self.func.operand(inst, 1));
        if !has_range(self.func.value_type(a)) {
            return false;
        }
        let cc = self.func.insts[inst].int_cc();
        let by_pair = || {
            let (key, cc) = if a < b { ((a, b), cc) } else { ((b, a), cc.swapped()) };
            self.pairs.get(&key).and_then(|outcomes| outcomes.decide(cc))
        };
        let Some(outcome) = self.range(a).decide(cc, self.range(b)).or_else(by_pair) else { return false };
        let constant = self.func.iconst(Type::I1, outcome as i64);
        self.func.replace_all_uses(self.func.first_result(inst), constant);
        self.func.remove_inst(inst);
        self.decided += 1;
        true
    }

    fn use_known_condition(&mut self, inst: Inst) {
        let cond = self.func.operand(inst, 0);
        if self.func.value_type(cond) != Type::I1 || self.func.constant(cond).is_some() {
            return;
        }
        if let Some(bit) = self.range(cond).single() {
            let constant = self.func.iconst(Type::I1, bit as i64);
            self.func.set_operand(inst, 0, constant);
            self.decided += 1;
        }
    }

    fn make_unsigned(&mut self, inst: Inst) {
        let data = self.func.insts[inst];
        let operands = [self.func.operand(inst, 0), self.func.operand(inst, 1)];
        if !has_range(data.ty) || !operands.iter().all(|&v| self.range(v).is_non_negative()) {
            return;
        }
        let unsigned = match data.opcode {
            Opcode::SDiv => Opcode::UDiv,
            Opcode::SRem => Opcode::URem,
            _ => Opcode::LShr,
        };
        self.func.set_opcode(inst, unsigned);
        self.func.keep_flags(inst, flags::EXACT);
        self.unsigned += 1;
    }

    /// An accessed address is not null, nor is what it was computed from by a small step.
    fn note_access(&mut self, inst: Inst) {
        let volatile = self.func.insts[inst].is_volatile();
        if volatile || !self.cx.options.codegen.delete_null_pointer_checks {
            return;
        }
        if let (Base::Value(base), Some(0..4096)) = decompose(self.func, self.func.operand(inst, 0))
            && self.func.value_type(base).is_ptr()
        {
            let range = self.range(base);
            if range.umin == 0 {
                self.narrow(base, Range { umin: 1, ..range }.narrowed(Type::PTR));
            }
        }
    }

    fn note_definition(&mut self, inst: Inst) {
        let data = self.func.insts[inst];
        if !has_range(data.ty) || self.func.results(inst).len() != 1 {
            return;
        }
        let result = self.func.first_result(inst);
        let range = if data.opcode == Opcode::Phi { self.phi_range(inst) } else { self.definition_range(inst) };
        if let Some(range) = range
            && range != Range::full(data.ty)
            && !range.is_empty()
        {
            self.ranges[result] = Some(range.narrowed(data.ty));
        }
    }

    /// The union of what comes in; for a counter, one side of its start.
    fn phi_range(&self, phi: Inst) -> Option<Range> {
        let ty = self.func.insts[phi].ty;
        let result = self.func.first_result(phi);
        let mut union: Option<Range> = None;
        let (mut up, mut down) = (false, false);
        for value in self.func.operands(phi) {
            if value == result {
                continue;
            }
            match self.step_of(value, result) {
                Some(step) if step >= 0 => up = true,
                Some(_) => down = true,
                None => {
                    let range = self.range(value);
                    union = Some(union.map_or(range, |u| u.union(range)));
                }
            }
        }
        let start = union?;
        match (up, down) {
            (false, false) => Some(start),
            (true, false) => Some(Range::signed(ty, start.smin, i64::MAX).intersect(ty, Range::full(ty))),
            (false, true) => Some(Range::signed(ty, i64::MIN, start.smax).intersect(ty, Range::full(ty))),
            (true, true) => None,
        }
    }

    /// The constant that `value` is the counter plus, if that addition cannot wrap.
    fn step_of(&self, value: Value, counter: Value) -> Option<i64> {
        let inst = self.func.def_inst(value)?;
        let data = self.func.insts[inst];
        let adds = data.opcode == Opcode::Add && data.has(flags::NSW) && self.func.operand(inst, 0) == counter;
        adds.then(|| self.func.const_i64(self.func.operand(inst, 1))).flatten()
    }

    fn definition_range(&self, inst: Inst) -> Option<Range> {
        let data = self.func.insts[inst];
        let ty = data.ty;
        let operand = |index: usize| self.func.operand(inst, index);
        let known = |index: usize| {
            let value = operand(index);
            has_range(self.func.value_type(value)).then(|| self.range(value))
        };
        let amount = || self.func.const_bits(operand(1)).filter(|&c| c < ty.bits() as u128).map(|c| c as u32);
        match data.opcode {
            Opcode::ZExt => known(0).map(|r| Range::unsigned(ty, r.umin, r.umax)),
            Opcode::SExt => known(0).map(|r| Range::signed(ty, r.smin, r.smax)),
            Opcode::Trunc => {
                let r = known(0)?;
                (r.umax <= ty.mask() as u64).then(|| Range::unsigned(ty, r.umin, r.umax))
            }
            Opcode::And => Some(Range::unsigned(ty, 0, known(0)?.umax.min(known(1)?.umax))),
            Opcode::Or => {
                let (a, b) = (known(0)?, known(1)?);
                let high = (a.umax | b.umax).checked_ilog2().map_or(0, |bit| u64::MAX >> (63 - bit));
                Some(Range::unsigned(ty, a.umin.max(b.umin), high.min(ty.mask() as u64)))
            }
            Opcode::LShr => {
                let (r, by) = (known(0)?, amount()?);
                Some(Range::unsigned(ty, r.umin >> by, r.umax >> by))
            }
            Opcode::AShr => {
                let (r, by) = (known(0)?, amount()?);
                Some(Range::signed(ty, r.smin >> by, r.smax >> by))
            }
            Opcode::URem => {
                let divisor = known(1)?;
                Some(Range::unsigned(ty, 0, known(0)?.umax.min(divisor.umax.saturating_sub(1))))
            }
            Opcode::UDiv => {
                let (r, divisor) = (known(0)?, known(1)?);
                Some(Range::unsigned(ty, r.umin / divisor.umax.max(1), r.umax / divisor.umin.max(1)))
            }
            Opcode::SRem => {
                let (r, divisor) = (known(0)?, known(1)?);
                divisor.single()?;
                let divisor = divisor.smin.checked_abs()?.checked_sub(1)?;
                Some(Range::signed(ty, if r.smin >= 0 { 0 } else { -divisor }, if r.smax <= 0 { 0 } else { divisor }))
            }
            Opcode::Add => self.sum_range(ty, data.flags(), known(0)?, known(1)?),
            Opcode::Sub => difference_range(ty, data.flags(), known(0)?, known(1)?),
            Opcode::Mul => product_range(ty, data.flags(), operand(0) == operand(1), known(0)?, known(1)?),
            Opcode::Shl => {
                let by = amount().filter(|&by| by < ty.bits() - 1)?;
                product_range(ty, data.flags(), false, known(0)?, Range::constant(ty, 1 << by))
            }
            Opcode::Select => Some(known(1)?.union(known(2)?)),
            Opcode::UMin => Some(Range::unsigned(ty, 0, known(0)?.umax.min(known(1)?.umax))),
            Opcode::UMax => Some(Range::unsigned(ty, known(0)?.umin.max(known(1)?.umin), ty.mask() as u64)),
            Opcode::SMin => Some(Range { smax: known(0)?.smax.min(known(1)?.smax), ..Range::full(ty) }),
            Opcode::SMax => Some(Range { smin: known(0)?.smin.max(known(1)?.smin), ..Range::full(ty) }),
            Opcode::Ctlz | Opcode::Cttz | Opcode::Popcount => {
                Some(Range::unsigned(ty, 0, self.func.value_type(operand(0)).bits() as u64))
            }
            Opcode::PtrAdd => {
                let steps_inside = data.has(flags::INBOUNDS) && self.cx.options.codegen.delete_null_pointer_checks;
                (steps_inside && known(0)?.umin > 0).then(|| Range::unsigned(ty, 1, u64::MAX))
            }
            _ => None,
        }
    }

    fn sum_range(&self, ty: Type, bits: u8, a: Range, b: Range) -> Option<Range> {
        let full = Range::full(ty);
        let mut sum = full;
        let inside_unsigned = |x: u64| x <= full.umax;
        if let (Some(low), Some(high)) = (a.umin.checked_add(b.umin), a.umax.checked_add(b.umax))
            && inside_unsigned(high)
        {
            (sum.umin, sum.umax) = (low, high);
        }
        let (low, high) = (a.smin as i128 + b.smin as i128, a.smax as i128 + b.smax as i128);
        let (min, max) = (full.smin as i128, full.smax as i128);
        if low >= min && high <= max {
            (sum.smin, sum.smax) = (low as i64, high as i64);
        } else if bits & flags::NSW != 0 && low <= max && high >= min {
            (sum.smin, sum.smax) = (low.max(min) as i64, high.min(max) as i64);
        }
        (sum != full).then_some(sum)
    }
}

/// Bounds of a difference.
fn difference_range(ty: Type, bits: u8, a: Range, b: Range) -> Option<Range> {
    let full = Range::full(ty);
    let mut difference = full;
    if a.umin >= b.umax {
        (difference.umin, difference.umax) = (a.umin - b.umax, a.umax - b.umin);
    }
    let (low, high) = (a.smin as i128 - b.smax as i128, a.smax as i128 - b.smin as i128);
    let (min, max) = (full.smin as i128, full.smax as i128);
    if low >= min && high <= max {
        (difference.smin, difference.smax) = (low as i64, high as i64);
    } else if bits & flags::NSW != 0 && low <= max && high >= min {
        (difference.smin, difference.smax) = (low.max(min) as i64, high.min(max) as i64);
    }
    (difference != full).then_some(difference)
}

/// Bounds of a product (of a value with itself, if `square`).
fn product_range(ty: Type, bits: u8, square: bool, a: Range, b: Range) -> Option<Range> {
    let full = Range::full(ty);
    let mut product = full;
    if let Some(high) = a.umax.checked_mul(b.umax)
        && high <= full.umax
    {
        (product.umin, product.umax) = (a.umin * b.umin, high);
    }
    let corner = |x: i64, y: i64| x as i128 * y as i128;
    let corners = [corner(a.smin, b.smin), corner(a.smin, b.smax), corner(a.smax, b.smin), corner(a.smax, b.smax)];
    let mut low = corners.into_iter().min()?;
    let high = corners.into_iter().max()?;
    if square {
        low = low.max(0);
    }
    let (min, max) = (full.smin as i128, full.smax as i128);
    if low >= min && high <= max {
        (product.smin, product.smax) = (low as i64, high as i64);
    } else if bits & flags::NSW != 0 && low <= max && high >= min {
        (product.smin, product.smax) = (low.max(min) as i64, high.min(max) as i64);
    }
    (product != full).then_some(product)
}
