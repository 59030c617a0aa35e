//! What is known when control passes an edge, and where a branch at the end of the path after it
//! then goes.

use ir::analysis::Cfg;
use ir::{Block, Function, Inst, InstView, Opcode, Type, Value};
use smallvec::SmallVec;

use super::Touched;
use crate::analysis::ranges::{Outcomes, Range, has_range};
use crate::passes::fold::{fold_with, rounds};
use crate::passes::sccp::chosen_target;
use ir::effects::is_pure;

/// Branches above an edge that are looked at.
const MAX_FACTS: usize = 6;

/// What the branches at and above an edge have decided.
pub struct Facts {
    /// Conditions that were true or false.
    conditions: SmallVec<[(Value, bool); 4]>,
    /// Values of switches passed.
    equal: SmallVec<[(Value, u64); 2]>,
}

/// What the values of a path's blocks are when the path is taken: a value from before it, or
/// something new.
type Known = SmallVec<[(Value, Option<Value>); 8]>;

impl Facts {
    /// The facts on the edge from `pred` to `block`.
    pub fn new(func: &Function, cfg: &Cfg, touched: &Touched, pred: Block, block: Block) -> Facts {
        let mut facts = Facts { conditions: SmallVec::new(), equal: SmallVec::new() };
        let (mut from, mut to) = (pred, block);
        for _ in 0..MAX_FACTS {
            facts.add_branch(func, from, to);
            let &[above] = cfg.preds(from) else { break };
            // A touched block may have got another predecessor.
            if touched[from] || above == block || above == from {
                break;
            }
            (from, to) = (above, from);
        }
        facts
    }

    fn add_branch(&mut self, func: &Function, from: Block, to: Block) {
        let terminator = func.terminator(from);
        match func.view(terminator) {
            InstView::CondBr { cond, then_dest, else_dest, .. } if then_dest != else_dest => {
                self.conditions.push((cond, then_dest == to));
            }
            InstView::Switch { value, cases } => {
                let switch = &func.switches[cases];
                let mut cases = switch.cases.iter().filter(|c| c.1 == to);
                if let (Some(case), None) = (cases.next(), cases.next())
                    && switch.default != to
                {
                    self.equal.push((value, case.0));
                }
            }
            _ => {}
        }
    }

    /// Where the branch of the path's last block goes when the path is entered from `pred`.
    ///
    /// The path may lead around a loop: a name that a block of the path defines means the value of
    /// this iteration after its definition, and in what `pred` brings or the facts say that of the
    /// iteration before.
    pub fn decide(&self, func: &mut Function, pred: Block, path: &[Block]) -> Option<Block> {
        let mut known: Known = SmallVec::new();
        let mut from = pred;
        for &block in path {
            // A test on the way may be decided as well: then the rest of the path is not what
            // follows.
            if from != pred && self.choice(func, &known, from).is_some_and(|next| next != block) {
                return None;
            }
            self.enter(func, &mut known, path, from, block)?;
            self.pass(func, &mut known, block);
            from = block;
        }
        self.choice(func, &known, from)
    }

    /// Where the branch at the end of a block goes, if what is known decides it.
    fn choice(&self, func: &mut Function, known: &Known, block: Block) -> Option<Block> {
        let terminator = func.terminator(block);
        if !matches!(func.insts[terminator].opcode, Opcode::CondBr | Opcode::Switch) {
            return None;
        }
        let cond = func.operand(terminator, 0);
        let cond = match known.iter().find(|k| k.0 == cond) {
            Some(&(_, value)) => value?,
            None => self.replace_by_fact(func, cond),
        };
        let bits = func.const_bits(cond)?;
        Some(chosen_target(func, terminator, bits))
    }

    /// The phis of a block of the path.
    fn enter(&self, func: &mut Function, known: &mut Known, path: &[Block], from: Block, block: Block) -> Option<()> {
        let phis: SmallVec<[Inst; 8]> = func.phis(block).collect();
        let mut new: Known = SmallVec::new();
        for phi in phis {
            let value = func.phi_value(phi, from)?;
            let value = match known.iter().find(|k| k.0 == value) {
                Some(&(_, value)) => value,
                None => {
                    let value = self.replace_by_fact(func, value);
                    let defined_at = func.def_inst(value).and_then(|i| func.inst_block(i));
                    // The value of the iteration before must not be taken for this iteration's.
                    (!defined_at.is_some_and(|b| path.contains(&b))).then_some(value)
                }
            };
            new.push((func.first_result(phi), value));
        }
        known.extend(new);
        Some(())
    }

    /// The operations of a block of the path.
    fn pass(&self, func: &mut Function, known: &mut Known, block: Block) {
        let terminator = func.terminator(block);
        let insts: SmallVec<[Inst; 16]> =
            func.block_insts(block).filter(|&i| i != terminator && func.insts[i].opcode != Opcode::Phi).collect();
        for inst in insts {
            let results: SmallVec<[Value; 2]> = func.results(inst).collect();
            let mut value = None;
            if let [_] = results[..]
                && is_pure(func, inst)
            {
                let operands: SmallVec<[Value; 3]> = func.operands(inst).collect();
                let mut all_old = true;
                let operands: SmallVec<[Value; 3]> = operands
                    .into_iter()
                    .map(|v| match known.iter().find(|k| k.0 == v) {
                        Some(&(_, Some(old))) => self.replace_by_fact(func, old),
                        Some(&(_, None)) => {
                            all_old = false;
                            v
                        }
                        None => self.replace_by_fact(func, v),
                    })
                    .collect();
                value = if rounds(func, inst) { None } else { fold_with(func, inst, &operands) };
                if value.is_none() && all_old {
                    value = self.implied(func, inst, &operands);
                }
            }
            known.extend(results.into_iter().map(|result| (result, value)));
        }
    }

    /// The constant that a branch above says a value is.
    fn replace_by_fact(&self, func: &mut Function, value: Value) -> Value {
        if func.constant(value).is_some() {
            return value;
        }
        if let Some(&(_, truth)) = self.conditions.iter().find(|c| c.0 == value) {
            return func.iconst(Type::I1, truth as i64);
        }
        if let Some(&(_, bits)) = self.equal.iter().find(|e| e.0 == value) {
            let ty = func.value_type(value);
            return func.bits_const(ty, bits as u128);
        }
        value
    }

    /// The outcome of a comparison that comparisons of the same values have decided.
    fn implied(&self, func: &mut Function, inst: Inst, operands: &[Value]) -> Option<Value> {
        let data = func.insts[inst];
        let &[a, b] = operands else { return None };
        let ty = func.value_type(a);
        if data.opcode != Opcode::ICmp || !has_range(ty) {
            return None;
        }
        let cc = data.int_cc();
        let range_of = |func: &Function, v: Value| match func.const_bits(v) {
            Some(bits) => Range::constant(ty, bits),
            None => Range::full(ty),
        };
        let mut range = range_of(func, a);
        let mut outcomes = Outcomes::ALL;
        for &(cond, truth) in &self.conditions {
            let Some(compare) = func.def_inst(cond).filter(|&i| func.insts[i].opcode == Opcode::ICmp) else { continue };
            let fact = func.insts[compare].int_cc();
            let fact = if truth { fact } else { fact.inverse() };
            let (x, y) = (func.operand(compare, 0), func.operand(compare, 1));
            if (x, y) == (a, b) {
                outcomes = outcomes.intersect(Outcomes::of(fact));
            } else if (x, y) == (b, a) {
                outcomes = outcomes.intersect(Outcomes::of(fact.swapped()));
            } else if x == a && func.const_bits(y).is_some() {
                range = range.assuming(ty, fact, range_of(func, y));
            }
        }
        let decided = outcomes
            .decide(cc)
            .or_else(|| if range.is_empty() { None } else { range.decide(cc, range_of(func, b)) })?;
        Some(func.iconst(Type::I1, decided as i64))
    }
}
