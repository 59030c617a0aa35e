//! Sums, products, minima and the like over all iterations of a loop: a header phi whose value goes
//! through operations of one associative and commutative kind only, so that each lane may gather
//! its own share; and the last counter for which a condition held, which is the greatest one.

use ir::analysis::LoopTree;
use ir::analysis::sums::induction::is_invariant;
use ir::{Function, Inst, IntCc, Opcode, Type, Value, flags};
use rustc_hash::FxHashSet;

use super::body::Body;
use ir::analysis::facts::known;

/// Values that are looked at between the phi and its next value.
const MAX_CHAIN: usize = 64;

/// A value gathered over all iterations.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The header phi.
    pub phi: Inst,
    /// Its value before the first iteration.
    pub start: Value,
    /// What it is after a iteration.
    pub last: Value,
    /// The operation that joins two shares.
    pub joins: Opcode,
    /// The phi and everything between it and `last`.
    pub values: FxHashSet<Value>,
}

/// The phi as a reduction, if it is one.
pub fn find_reduction(func: &Function, loops: &LoopTree, body: &Body, phi: Inst) -> Option<Reduction> {
    let start = func.phi_value(phi, body.counted.preheader)?;
    let last = func.phi_value(phi, body.counted.latch)?;
    let mut chain = Chain {
        func,
        loops,
        body,
        phi: func.first_result(phi),
        joins: None,
        index: None,
        values: FxHashSet::default(),
        asked: 0,
    };
    if last == chain.phi || !chain.follows(last) {
        return None;
    }
    let joins = chain.joins?;
    // Nothing else may see a share.
    for &value in &chain.values {
        for (user, index) in func.uses(value) {
            if func.result(user).is_some_and(|r| !func.has_uses(r)) && func.insts[user].opcode != Opcode::Phi {
                continue;
            }
            let inside = func.inst_block(user).is_some_and(|b| loops.contains(body.l, b));
            let part = if user == phi {
                value == last
            } else if inside {
                func.result(user).is_some_and(|r| chain.values.contains(&r)) && chain.continues_at(user, index)
            } else {
                value == last
            };
            if !part {
                return None;
            }
        }
    }
    Some(Reduction { phi, start, last, joins, values: chain.values })
}

struct Chain<'a> {
    func: &'a Function,
    loops: &'a LoopTree,
    body: &'a Body,
    phi: Value,
    joins: Option<Opcode>,
    /// The counter that it takes the values of, if it is no calculation.
    index: Option<Inst>,
    values: FxHashSet<Value>,
    /// How often it was asked whether a value belongs to it.
    asked: usize,
}

impl Chain<'_> {
    /// Whether the value is made of the phi by operations of one kind.
    fn follows(&mut self, value: Value) -> bool {
        if value == self.phi || self.values.contains(&value) {
            self.values.insert(value);
            return true;
        }
        self.asked += 1;
        if self.asked > MAX_CHAIN || is_invariant(self.func, self.loops.at(self.body.l), value) {
            return false;
        }
        let Some(inst) = self.func.def_inst(value) else { return false };
        let data = self.func.insts[inst];
        let operands: Vec<Value> = self.func.operands(inst).collect();
        let follows = match data.opcode {
            // Not of the header, and not of a loop inside, whose phis depend on themselves.
            Opcode::Phi => {
                let block = self.func.inst_block(inst).filter(|&b| b != self.body.header);
                block.is_some_and(|b| self.loops.innermost(b) == Some(self.body.l))
                    && operands.iter().all(|&v| self.takes_index(v) || self.follows(v))
            }
            Opcode::Select => {
                self.func.value_type(operands[0]) == Type::I1
                    && operands[1..].iter().all(|&v| self.takes_index(v) || self.follows(v))
            }
            opcode => match joining(opcode, data.float_flags()) {
                Some(joins) if self.index.is_none() && self.joins.is_none_or(|j| j == joins) => {
                    self.joins = Some(joins);
                    let second = opcode.is_commutative() || matches!(opcode, Opcode::FMin | Opcode::FMax);
                    self.follows(operands[0]) || (second && self.follows(operands[1]))
                }
                _ => false,
            },
        };
        if follows {
            self.values.insert(value);
        }
        follows
    }

    /// Whether the value is a counter that only grows, from the chain's start or above it: of its
    /// values the chain has the last one that was taken, or the start.
    fn takes_index(&mut self, value: Value) -> bool {
        let func = self.func;
        let whole = func.def_with(value, Opcode::Trunc).map_or(value, |trunc| func.operand(trunc, 0));
        let Some(counter) = self.body.counters.iter().find(|c| func.first_result(c.phi) == whole) else { return false };
        let ty = func.value_type(value);
        let start = func.def_inst(self.phi).and_then(|phi| func.phi_value(phi, self.body.counted.preheader));
        let least = start.and_then(|start| func.const_i64(start));
        let first = func.const_i64(counter.start);
        let grows = counter.step > 0 && func.insts[counter.next].has(flags::NSW);
        let other = self.joins.is_some() && self.index != Some(counter.phi);
        if ty != Type::I32 || !grows || other || least.zip(first).is_none_or(|(least, first)| least > first) {
            return false;
        }
        let counted = &self.body.counted;
        // Below the bound, which fits.
        let fits = whole == value
            || counted.counter.phi == counter.phi
                && counted.tests_next
                && counted.cc == IntCc::Slt
                && known(func, counted.bound).smax <= i128::from(i32::MAX)
                && first.is_some_and(|first| i32::try_from(first).is_ok());
        if fits {
            (self.joins, self.index) = (Some(Opcode::SMax), Some(counter.phi));
        }
        fits
    }

    /// Whether the chain goes through this operand: not a condition, not the other operand.
    fn continues_at(&self, user: Inst, index: usize) -> bool {
        let func = self.func;
        let in_chain = |i: usize| self.values.contains(&func.operand(user, i));
        match func.insts[user].opcode {
            Opcode::Phi => true,
            Opcode::Select => index != 0,
            Opcode::Sub | Opcode::FSub => index == 0 && !in_chain(1),
            _ => in_chain(0) != in_chain(1),
        }
    }
}

/// The operation that joins shares gathered by `opcode`.
fn joining(opcode: Opcode, flagged: u8) -> Option<Opcode> {
    use Opcode::*;
    let free = flagged & flags::REASSOC != 0;
    match opcode {
        Add | Sub => Some(Add),
        Mul | And | Or | Xor | SMin | SMax | UMin | UMax => Some(opcode),
        FAdd | FSub if free => Some(FAdd),
        FMul if free => Some(FMul),
        FMin | FMax if flagged & (flags::FINITE | flags::NO_SIGNED_ZERO) == flags::FINITE | flags::NO_SIGNED_ZERO => {
            Some(opcode)
        }
        _ => None,
    }
}
