//! What is known when control passes an edge, and where a branch at the end of the path after it
//! then goes.

use ir::analysis::Cfg;
use ir::{Block, Function, Inst, InstView, Opcode, Type, Value};
use smallvec::SmallVec;

use super::Touched;
use crate::passes::fold::{fold_with, rounds};
use crate::passes::sccp::chosen_target;
use ir::analysis::facts::{Facts, Range, has_range, known, transfer};
use ir::effects::is_pure;

/// Branches above an edge that are looked at.
const MAX_FACTS: usize = 6;

/// Operations of a path that are gone back through for a range.
const MAX_STEPS: usize = 2;

/// Values that a phi chooses from whose ranges are looked at.
const MAX_CHOICES: usize = 4;

/// What the branches at and above an edge have decided.
pub struct EdgeFacts<'a, 'b>(&'b mut Facts<'a>);

/// What the values of a path's blocks are when the path is taken: a value from before it, or
/// something new.
type Known = SmallVec<[(Value, Option<Value>); 8]>;

impl<'a, 'b> EdgeFacts<'a, 'b> {
    /// The facts on the edge from `pred` to `block`, in a store that holds no others: what branches
    /// say, and that pointers that the edge brings are not null where they have been accessed.
    pub fn new(
        store: &'b mut Facts<'a>,
        func: &Function,
        cfg: &Cfg,
        touched: &Touched,
        (pred, block): (Block, Block),
    ) -> EdgeFacts<'a, 'b> {
        store.undo_to(0);
        let (mut from, mut to) = (pred, block);
        let mut way: SmallVec<[Block; MAX_FACTS]> = SmallVec::new();
        for _ in 0..MAX_FACTS {
            way.push(from);
            store.assume_edge(func, from, to);
            let &[above] = cfg.preds(from) else { break };
            // A touched block may have got another predecessor.
            if touched[from] || above == block || above == from {
                break;
            }
            (from, to) = (above, from);
        }
        store.assume_accessed(func, block, pred, &way);
        EdgeFacts(store)
    }

    /// Where the branch of the path's last block goes when the path is entered from `pred`.
    ///
    /// The path may lead around a loop: a name that a block of the path defines means the value of
    /// this iteration after its definition, and in what `pred` brings or the facts say that of the
    /// iteration before. `near` is where the phis of the path's first block had their entries for
    /// the predecessor before, and becomes where they are for this one.
    pub fn decide(&self, func: &mut Function, pred: Block, path: &[Block], near: &mut usize) -> Option<Block> {
        let mut known: Known = SmallVec::new();
        let mut from = pred;
        for &block in path {
            // A test on the way may be decided as well: then the rest of the path is not what
            // follows.
            if from != pred && self.choice(func, &known, from).is_some_and(|next| next != block) {
                return None;
            }
            let near = if from == pred { &mut *near } else { &mut 0 };
            self.enter(func, &mut known, path, (from, block), near)?;
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
    fn enter(
        &self,
        func: &mut Function,
        known: &mut Known,
        path: &[Block],
        (from, block): (Block, Block),
        near: &mut usize,
    ) -> Option<()> {
        let phis: SmallVec<[Inst; 8]> = func.phis(block).collect();
        let mut new: Known = SmallVec::new();
        for phi in phis {
            let value = func.phi_value_near(phi, from, near)?;
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
                } else if value.is_none() {
                    value = self.implied_by_ranges(func, known, inst);
                }
            }
            known.extend(results.into_iter().map(|result| (result, value)));
        }
    }

    /// The constant that a branch above says a value is.
    fn replace_by_fact(&self, func: &mut Function, value: Value) -> Value {
        let ty = func.value_type(value);
        if func.constant(value).is_some() || !has_range(ty) {
            return value;
        }
        self.0.range(func, value).single().map_or(value, |bits| func.bits_const(ty, bits))
    }

    /// The outcome of a comparison that branches above have decided, or what its operands are
    /// computed from.
    fn implied(&self, func: &mut Function, inst: Inst, operands: &[Value]) -> Option<Value> {
        let &[a, b] = operands else { return None };
        let by_definitions = || match func.view(inst) {
            InstView::ICmp { cc, .. } if has_range(func.value_type(a)) => defined(func, a).decide(cc, defined(func, b)),
            _ => None,
        };
        let outcome = self.0.outcome(func, inst, a, b).or_else(by_definitions)?;
        Some(func.iconst(Type::I1, outcome as i64))
    }

    /// The outcome of a comparison of what the path computes anew, by ranges.
    fn implied_by_ranges(&self, func: &mut Function, known: &Known, inst: Inst) -> Option<Value> {
        let InstView::ICmp { cc, a, b } = func.view(inst) else { return None };
        let [a, b] = [a, b].map(|operand| self.range(func, known, operand, MAX_STEPS));
        let outcome = a?.decide(cc, b?)?;
        Some(func.iconst(Type::I1, outcome as i64))
    }

    /// The range of a value where the path has come to.
    fn range(&self, func: &Function, known: &Known, value: Value, steps: usize) -> Option<Range> {
        let ty = func.value_type(value);
        match known.iter().find(|k| k.0 == value) {
            _ if !has_range(ty) => None,
            None => Some(self.0.range(func, value)),
            Some(&(_, Some(old))) => Some(self.0.range(func, old).intersect(ty, defined(func, old))),
            Some((_, None)) => {
                let inst = func.def_inst(value).filter(|_| steps > 0)?;
                let of_operand = |v| {
                    let range = self.range(func, known, v, steps - 1);
                    range.unwrap_or_else(|| Range::full(func.value_type(v)))
                };
                transfer(func, inst, of_operand)
            }
        }
    }
}

/// What the definition of a value says of it, and of a phi, those of what it chooses from.
fn defined(func: &Function, value: Value) -> Range {
    match func.def_with(value, Opcode::Phi).filter(|&phi| func.num_operands(phi) <= MAX_CHOICES) {
        Some(phi) => {
            let range = func.operands(phi).map(|choice| known(func, choice)).reduce(Range::union);
            range.map_or_else(|| Range::full(func.value_type(value)), |range| range.narrowed(func.value_type(value)))
        }
        None => known(func, value),
    }
}
