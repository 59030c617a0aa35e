//! Whether a vector loop pays: instructions per iteration, of the scalar loop and of the vector
//! loop.

use ir::{Function, Inst, Opcode, Type, Value};
use platform::options::X86Features;
use rustc_hash::FxHashSet;

use super::body::Body;
use super::lanes::Lanes;
use super::plan::{Kind, Order, Plan};
use ir::analysis::group_dependence::Checks;
use ir::costs::{self, registers};

/// Instructions that keep a loop going.
const LOOP_CONTROL: u32 = 2;

/// Registers of one value from which on more of them are spilled than the wide loop gains.
const MAX_REGISTERS: u32 = 4;

/// Iterations of a loop that is unrolled where it stays scalar: what counters decide is known then.
const FEW: u64 = 8;

/// Pairs of address ranges that are compared before a loop at `-O2`.
const CHEAP_CHECKS: usize = 4;

/// What the vector loop computes before it begins: elements that all iterations load, which its
/// stores are known not to touch, and what depends on nothing else.
pub fn steady(func: &Function, body: &Body, plan: &Plan) -> FxHashSet<Inst> {
    let mut out = FxHashSet::default();
    if body.inner.is_some() {
        return out;
    }
    let inside = |inst: &Inst| func.inst_block(*inst).is_some_and(|b| body.blocks.contains(&b));
    for &inst in &plan.order {
        let known = match plan.kinds[&inst] {
            Kind::Load(order) => order == Order::Uniform,
            Kind::Compute => {
                let mut values = func.operands(inst).chain(func.result(inst));
                let mut above = func.operands(inst).filter_map(|v| func.def_inst(v)).filter(inside);
                values.all(|v| func.value_type(v) != Type::I1) && above.all(|def| out.contains(&def))
            }
            _ => false,
        };
        if known {
            out.insert(inst);
        }
    }
    out
}

/// Instructions of both loops.
pub struct Estimate {
    /// Per iteration of the scalar loop.
    scalar: u32,
    /// Per group of iterations of the vector loop.
    vector: u32,
    /// Before and after the vector loop.
    around: u32,
    /// Iterations at once.
    vf: u32,
}

impl Estimate {
    /// Counts for groups of `vf` iterations in registers of so many bytes, with that many pairs of
    /// ranges to check.
    pub fn of(
        func: &Function,
        body: &Body,
        plan: &Plan,
        lanes: &Lanes,
        vf: u32,
        (features, register): (X86Features, u32),
        checks: usize,
    ) -> Estimate {
        let bits = register * 8;
        let counting = Counting { func, plan, lanes, vf, features, bits };
        let decided = body.trips.known().is_some_and(|trips| trips <= FEW) && is_decided(func, body, plan);
        let control = if decided { 0 } else { LOOP_CONTROL };
        let mut estimate = Estimate { scalar: control, vector: control, around: 2 + 6 * checks as u32, vf };
        let mut widest = 0;
        let steady = steady(func, body, plan);
        let rounds = body.inner.as_ref().map_or(1, |inner| inner.rounds);
        if body.inner.is_some() {
            estimate.scalar += LOOP_CONTROL * rounds;
            estimate.vector += LOOP_CONTROL * rounds;
        }
        for &inst in &plan.order {
            let data = func.insts[inst];
            let often = if body.inner.as_ref().is_some_and(|inner| inner.holds(func, inst)) { rounds } else { 1 };
            let conditional = matches!(plan.kinds[&inst], Kind::Store(_)) && !body.is_unconditional(func, inst);
            if conditional {
                estimate.vector += counting.chosen(inst);
            }
            estimate.scalar += often
                * match plan.kinds[&inst] {
                    Kind::Induction(_) => u32::from(!decided),
                    Kind::Store(_) if conditional && decided => 1,
                    Kind::Join if decided => 0,
                    // With the branch.
                    Kind::Store(_) if conditional => 3,
                    // Several iterations' branches are no better predicted than one.
                    Kind::Join => 3,
                    _ => costs::scalar(data.opcode, data.ty),
                };
            if steady.contains(&inst) {
                estimate.around += counting.vector(inst);
                continue;
            }
            estimate.vector += often * counting.vector(inst);
            if let Some(value) = func.result(inst)
                && func.value_type(value) != Type::I1
            {
                widest = widest.max(registers(lanes.of(func, value).ty.bits(), vf, bits));
            }
        }
        if widest > MAX_REGISTERS {
            estimate.vector += estimate.vector / 2;
        }
        let addresses: u32 = plan.gathers.iter().map(|gather| gather.cost).sum();
        estimate.scalar += addresses;
        estimate.vector += addresses * vf;
        for reduction in &plan.reductions {
            estimate.around += 2 * vf.ilog2() + 2 + (func.insts[reduction.phi].ty.is_int() as u32);
        }
        if body.trips.known().is_none() {
            estimate.around += 4;
        }
        estimate
    }

    /// Whether the vector loop is quicker for this many iterations. Where their number is not
    /// known, a tenth of the time has to be gained: the loop may be too short for the vectors.
    pub fn pays(&self, trips: Option<u64>) -> bool {
        let (scalar, vector, vf) = (u64::from(self.scalar), u64::from(self.vector), u64::from(self.vf));
        match trips {
            Some(trips) => {
                let rounds = trips.min(1 << 20);
                let left = rounds % vf;
                vector * (rounds / vf) + u64::from(self.around) + left * scalar < scalar * rounds
            }
            None => 10 * vector <= 9 * scalar * vf,
        }
    }

    /// Whether the gain is worth comparing addresses and a second loop at `-O2`. Loops that only
    /// copy are mostly short where `memcpy` was not called; those over floats are mostly long.
    pub fn is_worth_checks(&self, checks: &Checks, copies: bool, floats: bool) -> bool {
        // In halves.
        let gain = match (copies, floats) {
            (true, _) => 6,
            (false, false) => 4,
            (false, true) => 3,
        };
        checks.pairs.len() <= CHEAP_CHECKS && gain * self.vector <= 2 * self.scalar * self.vf
    }

    /// Whether the gain is large enough for a loop whose lanes are loaded or stored one by one:
    /// how much of that hides behind the rest is hard to say.
    pub fn is_worth_lanes(&self) -> bool {
        5 * self.vector <= 4 * self.scalar * self.vf
    }

    /// Whether much is gained over a scalar loop that goes around once for so many iterations.
    pub fn is_worth_rerolling(&self, copies: u32) -> bool {
        let scalar = (self.scalar - LOOP_CONTROL) * copies + LOOP_CONTROL;
        5 * self.vector * copies <= 4 * scalar * self.vf
    }

    /// Whether an iteration costs less than in the other.
    pub fn is_better_than(&self, other: &Estimate) -> bool {
        self.vector * other.vf < other.vector * self.vf
    }

    /// Iterations from which on the detour pays.
    pub fn least_trips(&self) -> u64 {
        let gain = u64::from(self.scalar * self.vf).saturating_sub(u64::from(self.vector)).max(1);
        let groups = u64::from(self.around).div_ceil(gain).clamp(1, 16);
        groups * u64::from(self.vf)
    }
}

/// Whether there are branches in the loop, and all compare counters and values from before it.
fn is_decided(func: &Function, body: &Body, plan: &Plan) -> bool {
    let inside = |inst: &Inst| func.inst_block(*inst).is_some_and(|b| body.blocks.contains(&b));
    let varies = |inst: Inst| !matches!(plan.kinds.get(&inst), Some(Kind::Induction(_)));
    let is_counted = |value: Value| !func.def_inst(value).filter(inside).is_some_and(varies);
    let mut ends = body.blocks.iter().filter(|&&block| block != body.counted.latch).map(|&b| func.terminator(b));
    let counts = |condition| func.def_with(condition, Opcode::ICmp).is_some_and(|i| func.operands(i).all(is_counted));
    body.inner.is_none() && body.always.len() < body.blocks.len() && ends.all(|end| func.operands(end).all(counts))
}

struct Counting<'a> {
    func: &'a Function,
    plan: &'a Plan,
    lanes: &'a Lanes,
    vf: u32,
    features: X86Features,
    bits: u32,
}

impl Counting<'_> {
    fn registers(&self, ty: Type) -> u32 {
        registers(ty.bits(), self.vf, self.bits)
    }

    fn vector(&self, inst: Inst) -> u32 {
        let func = self.func;
        let moved = |ty: Type, order: Order| match order {
            Order::Forward | Order::Mirrored => self.registers(ty),
            Order::Reverse => 2 * self.registers(ty),
            Order::Uniform => 2,
            Order::EverySecond if ty.store_size() < 4 => 6,
            Order::EverySecond => 3,
            // Each lane by itself, and into its register.
            Order::Apart(_) | Order::Gathered => 2 * self.vf - self.registers(ty),
        };
        match self.plan.kinds[&inst] {
            Kind::Accumulator | Kind::Carried => 0,
            Kind::Previous => 3 * self.registers(func.insts[inst].ty),
            Kind::Uniform => 2,
            Kind::Induction(_) => self.registers(self.lanes.of(func, func.first_result(inst)).ty),
            Kind::Load(order) => moved(func.insts[inst].ty, order),
            // Each lane is taken out and stored by itself, unless another store fills the gaps.
            Kind::Store(Order::EverySecond) => {
                let value = func.operand(inst, 1);
                let moved = if self.plan.is_half(inst) { 2 } else { 2 * self.vf - 1 };
                moved + self.resize(self.lanes.of(func, value).ty, func.value_type(value))
            }
            Kind::Store(order) => {
                let value = func.operand(inst, 1);
                let ty = func.value_type(value);
                moved(ty, order) + self.resize(self.lanes.of(func, value).ty, ty)
            }
            Kind::Join => 4 * self.registers(self.lanes.of(func, func.first_result(inst)).ty),
            Kind::Compute => self.computed(inst),
        }
    }

    /// What finds out which lanes store, and stores some by themselves, where a store is
    /// conditional.
    fn chosen(&self, store: Inst) -> u32 {
        let ty = self.func.value_type(self.func.operand(store, 1));
        let by_mask = self.plan.masked_bytes.is_some() && ty.store_size() >= 4;
        6 * self.registers(ty) + if by_mask { 0 } else { self.vf }
    }

    fn resize(&self, from: Type, to: Type) -> u32 {
        if from.is_int() && to.is_int() { costs::resize(from.bits(), to.bits(), self.vf, self.bits) } else { 0 }
    }

    fn computed(&self, inst: Inst) -> u32 {
        use Opcode::*;
        let func = self.func;
        let data = func.insts[inst];
        let first = func.operand(inst, 0);
        if data.ty == Type::I1 {
            let operands = [first, func.operand(inst, 1)];
            return match data.opcode {
                ICmp => {
                    let lane = self.lanes.exact_type(func, &operands, 8);
                    let resized: u32 = operands.iter().map(|&v| self.resize(self.lanes.of(func, v).ty, lane)).sum();
                    costs::int_comparison(data.int_cc(), lane) * self.registers(lane) + resized
                }
                FCmp => costs::float_comparison(data.float_cc()) * self.registers(func.value_type(first)),
                _ => self.registers(Type::I32),
            };
        }
        let lane = self.lanes.of(func, func.first_result(inst)).ty;
        let own = self.registers(lane);
        let from = self.lanes.of(func, first).ty;
        match data.opcode {
            ZExt | SExt | Trunc if func.value_type(first) == Type::I1 => 2 * own,
            ZExt | SExt | Trunc => self.resize(from, lane),
            SiToFp | UiToFp => self.resize(from, Type::I32) + if data.ty == Type::F64 { own + own / 2 } else { own },
            FpToSi | FpToUi => self.resize(Type::I32, lane) + 2 * self.registers(func.value_type(first)),
            FpTrunc | FpExt => own.max(self.registers(from)) * 2,
            Select => 3 * own,
            opcode => {
                let by_constant = func.num_operands(inst) > 1 && func.const_bits(func.operand(inst, 1)).is_some();
                let each = costs::operation(opcode, lane, by_constant, self.features).unwrap_or(20);
                let resized: u32 = func.operands(inst).map(|v| self.resize(self.lanes.of(func, v).ty, lane)).sum();
                each * own + if matches!(opcode, Shl | LShr | AShr) { self.resize(from, lane) } else { resized }
            }
        }
    }
}
