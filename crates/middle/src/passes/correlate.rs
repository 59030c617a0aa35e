//! Correlated values: comparisons, branches and divisions that a dominating condition has decided.
//!
//! A walk over the dominator tree keeps [`Facts`] for the block at hand: from definitions and from
//! the branches passed. Entering a block by the only edge from a conditional branch or switch adds
//! what the edge says; leaving the subtree takes it back. With them
//!
//! - comparisons that can only come out one way become constants;
//! - values that a condition leaves one number become that number after it: the counters of loops
//!   of one iteration;
//! - signed divisions, remainders and right shifts of values that are not negative become unsigned
//!   ones;
//! - divisions and remainders whose quotient is at most 1 become comparisons, as of a place in a
//!   ring that has moved on by one;
//! - a pointer that has been accessed is not null afterwards (unless
//!   `-fno-delete-null-pointer-checks`).
//!
//! Counters that start at a constant and step without signed overflow keep to one side of it.
//!
//! Cost: linear in instructions and edges.
//!
//! ```text
//! b0: v1 = icmp.slt v0, i32 10             b0: v1 = icmp.slt v0, i32 10
//!     cond_br v1, b1, b2                       cond_br v1, b1, b2
//! b1: v2 = icmp.slt v0, i32 20       =>    b1: cond_br i1 1, b3, b4
//!     cond_br v2, b3, b4
//! ```

use ir::analysis::{Cfg, DominatorTree};
use ir::ssa::replace_dominated_uses;
use ir::{Block, Builder, Function, Inst, InstView, IntCc, Opcode, Type, Value, flags};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::facts::{Facts, Range, case_ranges, has_range};

/// The pass.
pub const PASS: Pass = Pass::new("correlate", run);

/// Uses of a resolved value that are looked at: a chain of comparisons with one number after the
/// other resolves a value in each.
const MAX_USES: usize = 256;

struct Walk<'a> {
    func: &'a mut Function,
    facts: Facts<'a>,
    /// By block that ends in a switch: what is learnt on its edges.
    cases: FxHashMap<Block, FxHashMap<Block, Range>>,
    decided: u64,
    unsigned: u64,
    compared: u64,
    settled: u64,
}

enum Step {
    Enter(Block),
    Leave(usize),
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let cfg = cx.analyses.cfg(func);
    let dominators = cx.analyses.dominators(func);
    let facts = Facts::new(cx.module, cx.options);
    let mut walk = Walk { func, facts, cases: FxHashMap::default(), decided: 0, unsigned: 0, compared: 0, settled: 0 };
    let mut work = vec![Step::Enter(walk.func.entry())];
    while let Some(step) = work.pop() {
        match step {
            Step::Leave(mark) => walk.facts.undo_to(mark),
            Step::Enter(block) => {
                let mark = walk.facts.mark();
                work.push(Step::Leave(mark));
                walk.use_edge(&cfg, &dominators, block);
                walk.use_settled(&dominators, block, mark);
                walk.visit_block(block);
                work.extend(dominators.children(block).map(Step::Enter));
            }
        }
    }
    let Walk { decided, unsigned, compared, settled, .. } = walk;
    cx.statistics.add("conditions decided by others", decided);
    cx.statistics.add("values settled by conditions", settled);
    cx.statistics.add("signed operations made unsigned", unsigned);
    cx.statistics.add("divisions made comparisons", compared);
    Changed::code_if(decided + unsigned + compared + settled > 0)
}

impl Walk<'_> {
    /// What the only edge into a block says; edges back into a loop's header do not count, since
    /// what the edge into the loop compares is computed before it.
    fn use_edge(&mut self, cfg: &Cfg, dominators: &DominatorTree, block: Block) {
        let mut entering = cfg.preds(block).iter().copied().filter(|&p| !dominators.dominates(block, p));
        if let (Some(pred), None) = (entering.next(), entering.next()) {
            let InstView::Switch { value, cases } = self.func.view(self.func.terminator(pred)) else {
                return self.facts.assume_edge(self.func, pred, block);
            };
            let ranges = self.cases.entry(pred).or_insert_with(|| case_ranges(self.func, value, cases));
            if let Some(&range) = ranges.get(&block) {
                self.facts.assume_in(self.func, value, range);
            }
        }
    }

    /// Values that an edge has left one number: after it that number takes their place. The counter
    /// of a loop of one iteration is such a value.
    fn use_settled(&mut self, dominators: &DominatorTree, block: Block, mark: usize) {
        let is_number = |value: &Value| {
            let ty = self.func.value_type(*value);
            ty.is_int() && ty != Type::I1
        };
        let narrowed: SmallVec<[Value; 4]> = self.facts.narrowed_since(mark).filter(is_number).collect();
        for value in narrowed {
            let Some(bits) = self.facts.range(self.func, value).single() else { continue };
            let constant = self.func.bits_const(self.func.value_type(value), bits);
            self.settled += replace_dominated_uses(self.func, dominators, block, (value, constant), MAX_USES);
        }
    }

    fn visit_block(&mut self, block: Block) {
        let mut next = self.func.first_inst(block);
        while let Some(inst) = next {
            next = self.func.next_inst(inst);
            match self.func.view(inst) {
                InstView::ICmp { a, b, .. } | InstView::FCmp { a, b, .. } => {
                    if self.decide(inst, a, b) {
                        continue;
                    }
                }
                InstView::Binary { op: Opcode::SDiv | Opcode::SRem | Opcode::AShr, .. } => self.make_unsigned(inst),
                InstView::Select { cond, .. } | InstView::CondBr { cond, .. } => self.use_known_condition(inst, cond),
                InstView::Unary { op: Opcode::ZExt, a, .. } => {
                    if let Some(bit) = self.facts.tested_bit(self.func, a, self.func.insts[inst].ty) {
                        self.func.replace_result(inst, bit);
                        self.decided += 1;
                        continue;
                    }
                }
                InstView::Load { .. } | InstView::Store { .. } => self.facts.assume_access(self.func, inst),
                _ => {}
            }
            if matches!(self.func.insts[inst].opcode, Opcode::UDiv | Opcode::URem) && self.compare_instead(inst) {
                continue;
            }
            self.facts.define(self.func, inst);
        }
    }

    /// Replaces a comparison with one possible outcome.
    fn decide(&mut self, inst: Inst, a: Value, b: Value) -> bool {
        let Some(outcome) = self.facts.outcome(self.func, inst, a, b) else { return false };
        let constant = self.func.iconst(Type::I1, outcome as i64);
        self.func.replace_result(inst, constant);
        self.decided += 1;
        true
    }

    fn use_known_condition(&mut self, inst: Inst, cond: Value) {
        if self.func.value_type(cond) != Type::I1 || self.func.constant(cond).is_some() {
            return;
        }
        if let Some(bit) = self.facts.range(self.func, cond).single() {
            let constant = self.func.iconst(Type::I1, bit as i64);
            self.func.set_operand(inst, 0, constant);
            self.decided += 1;
        }
    }

    /// Replaces an unsigned division or remainder whose quotient is 0 or 1.
    fn compare_instead(&mut self, inst: Inst) -> bool {
        let (data, x, divisor) = (self.func.insts[inst], self.func.operand(inst, 0), self.func.operand(inst, 1));
        if !has_range(data.ty) {
            return false;
        }
        let (largest, least) = (self.facts.range(self.func, x).umax, self.facts.range(self.func, divisor).umin);
        if least == 0 || largest / least > 1 {
            return false;
        }
        let mut builder = Builder::before(self.func, inst);
        let value = match data.opcode {
            Opcode::URem if largest < least => x,
            Opcode::URem => {
                let is_less = builder.icmp(IntCc::Ult, x, divisor);
                let rest = builder.binary(Opcode::Sub, x, divisor);
                builder.select(is_less, x, rest)
            }
            _ if largest < least => builder.func.iconst(data.ty, 0),
            _ => {
                let reaches = builder.icmp(IntCc::Uge, x, divisor);
                builder.unary(Opcode::ZExt, data.ty, reaches)
            }
        };
        self.func.replace_result(inst, value);
        self.compared += 1;
        true
    }

    fn make_unsigned(&mut self, inst: Inst) {
        let data = self.func.insts[inst];
        let is_positive = |value: Value| self.facts.range(self.func, value).is_non_negative();
        if !has_range(data.ty) || !self.func.operands(inst).all(is_positive) {
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
}
