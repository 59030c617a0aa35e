//! The most iterations of a loop whose start or bound depends on the counters of loops around it,
//! as in triangular nests: bounds of the two values, which are sums of such counters and constants,
//! say how far apart they can be.
//!
//! Exact numbers are signed; whatever could leave the range of its type has no bounds.

use super::induction::{CountedLoop, counted_loop, counter};
use crate::analysis::{Cfg, LoopTree};
use crate::{Function, IntCc, Opcode, Type, Value};

/// Values looked at one after the other, and loops around.
const MAX_DEPTH: u32 = 6;

/// Iterations of the loops around.
const MAX_AROUND: u64 = 64;

/// What all loops of a function need to be known for.
#[derive(Copy, Clone)]
pub struct Nests<'a> {
    /// The function.
    pub func: &'a Function,
    /// Its blocks.
    pub cfg: &'a Cfg,
    /// Its loops.
    pub loops: &'a LoopTree,
}

impl Nests<'_> {
    /// How often the loop's body runs at most, if that is known to be at most `limit`.
    pub fn most_trips(self, counted: &CountedLoop, limit: u64) -> Option<u64> {
        counted.constant_trips(self.func, limit).or_else(|| self.most_of(counted, limit, MAX_DEPTH))
    }

    fn most_of(self, counted: &CountedLoop, limit: u64, depth: u32) -> Option<u64> {
        let ty = self.func.insts[counted.counter.phi].ty;
        let step = i128::from(counted.counter.step);
        let (start, bound) = (self.bounds(counted.counter.start, depth)?, self.bounds(counted.bound, depth)?);
        let lead = if counted.tests_next { step } else { 0 };
        let unsigned_alike = start.0 >= 0 && bound.0 >= 0;
        let slack = match (counted.cc, step > 0) {
            (IntCc::Slt, true) | (IntCc::Sgt, false) => 0,
            (IntCc::Sle, true) | (IntCc::Sge, false) => 1,
            (IntCc::Ult, true) if unsigned_alike => 0,
            (IntCc::Ule, true) if unsigned_alike => 1,
            _ => return None,
        };
        let distance = if step > 0 { bound.1 - start.0 - lead } else { start.1 + lead - bound.0 } + slack;
        let holds = distance.max(0).unsigned_abs().div_ceil(step.unsigned_abs());
        // The last test must not wrap past the bound.
        let farthest = if step > 0 { bound.1.max(start.1) } else { bound.0.min(start.0) };
        within(ty, (farthest, farthest + step + lead.signum()))?;
        u64::try_from(holds + 1).ok().filter(|&trips| trips <= limit)
    }

    /// The least and the greatest number that a value is.
    fn bounds(self, value: Value, depth: u32) -> Option<(i128, i128)> {
        let func = self.func;
        if let Some(number) = func.const_i64(value) {
            return Some((i128::from(number), i128::from(number)));
        }
        let inst = func.def_inst(value)?;
        let depth = depth.checked_sub(1)?;
        let ty = func.insts[inst].ty;
        match func.insts[inst].opcode {
            Opcode::Phi => {
                let l = self.loops.headed(func.inst_block(inst)?)?;
                let around = counted_loop(func, self.cfg, l)?;
                let counter = counter(func, inst, around.preheader, around.latch)?;
                let trips = around.constant_trips(func, MAX_AROUND);
                let trips = trips.or_else(|| self.most_of(&around, MAX_AROUND, depth))?;
                let start = self.bounds(counter.start, depth)?;
                let far = i128::from(counter.step) * i128::from(trips - 1);
                within(ty, (start.0 + far.min(0), start.1 + far.max(0)))
            }
            Opcode::Add => {
                let (a, b) = (self.bounds(func.operand(inst, 0), depth)?, self.bounds(func.operand(inst, 1), 1)?);
                within(ty, (a.0 + b.0, a.1 + b.1))
            }
            Opcode::SExt | Opcode::Trunc => within(ty, self.bounds(func.operand(inst, 0), depth)?),
            Opcode::ZExt => self.bounds(func.operand(inst, 0), depth).filter(|bounds| bounds.0 >= 0),
            _ => None,
        }
    }
}

/// The bounds, if both are signed numbers of the type.
fn within(ty: Type, bounds: (i128, i128)) -> Option<(i128, i128)> {
    let fits = |number: i128| {
        ty.is_scalar() && ty.is_int() && number == crate::fold::sign_extend(ty, number as u128 & ty.mask())
    };
    (fits(bounds.0) && fits(bounds.1)).then_some(bounds)
}
