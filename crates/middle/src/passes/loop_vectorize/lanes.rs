//! How wide the lanes of each value are. C computes with at least 32 bits; a value of which only
//! the low bits matter, or that provably fits in fewer, is computed with fewer, so that more lanes
//! fit in a register.
//!
//! Two facts per integer: the interval it lies in (as a signed number), going forward, and how many
//! low bits its users ask for, going backward. Lanes of w bits do if w covers what is asked for, or
//! if the whole interval fits: then the value can be extended again.

use ir::{Function, Inst, Opcode, Type, Value};
use rustc_hash::FxHashMap;

use super::plan::{Kind, Plan};

/// A value's lanes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// What is computed with.
    pub ty: Type,
    /// Whether extending the lane with its sign, rather than with zeros, gives the value.
    pub signed: bool,
}

/// Lane types of all values of a plan but masks.
pub struct Lanes {
    of: FxHashMap<Value, Lane>,
    intervals: FxHashMap<Value, (i128, i128)>,
    /// Bits of the narrowest.
    pub narrowest: u32,
}

impl Lanes {
    /// Decides for every value of the plan.
    pub fn compute(func: &Function, plan: &Plan) -> Lanes {
        let mut lanes = Lanes { of: FxHashMap::default(), intervals: FxHashMap::default(), narrowest: 64 };
        for &inst in &plan.order {
            if let Some(value) = func.result(inst)
                && func.value_type(value).is_int()
            {
                let interval = lanes.interval_of(func, plan, inst);
                lanes.intervals.insert(value, interval);
            }
        }
        let demands = demands(func, plan);
        for &inst in &plan.order {
            match func.result(inst) {
                Some(value) if func.value_type(value) != Type::I1 => {
                    let lane = lanes.choose(func, plan, inst, value, &demands);
                    lanes.narrowest = lanes.narrowest.min(lane.ty.bits());
                    lanes.of.insert(value, lane);
                }
                Some(_) => {}
                None => lanes.narrowest = lanes.narrowest.min(func.value_type(func.operand(inst, 1)).bits()),
            }
        }
        lanes
    }

    /// A value's lanes; those of values from outside the loop are their own type's.
    pub fn of(&self, func: &Function, value: Value) -> Lane {
        let natural = || {
            let ty = func.value_type(value);
            Lane { ty, signed: true }
        };
        self.of.get(&value).copied().unwrap_or_else(natural)
    }

    /// The type in which an operation that needs its operands' exact values runs.
    pub fn exact_type(&self, func: &Function, operands: &[Value], at_least: u32) -> Type {
        let natural = func.value_type(operands[0]);
        if !natural.is_int() {
            return natural;
        }
        let bits = operands.iter().map(|&v| signed_bits(self.interval(func, v))).max().unwrap_or(64);
        Type::int(bits.max(at_least).min(natural.bits())).expect("a power of two from 8 on")
    }

    /// Whether the value is not below zero as a signed number.
    pub fn is_non_negative(&self, func: &Function, value: Value) -> bool {
        func.value_type(value).is_int() && self.interval(func, value).0 >= 0
    }

    /// Whether the value is a number from 0 to 255.
    pub fn is_byte(&self, func: &Function, value: Value) -> bool {
        let (low, high) = self.interval(func, value);
        low >= 0 && high <= 255
    }

    fn interval(&self, func: &Function, value: Value) -> (i128, i128) {
        if let Some(&known) = self.intervals.get(&value) {
            return known;
        }
        let ty = func.value_type(value);
        match func.const_bits(value) {
            Some(bits) if ty.is_int() => {
                let signed = ir::fold::sign_extend(ty, bits);
                (signed, signed)
            }
            _ => full(ty),
        }
    }

    fn interval_of(&self, func: &Function, plan: &Plan, inst: Inst) -> (i128, i128) {
        use Opcode::*;
        let data = func.insts[inst];
        let all = full(data.ty);
        if plan.kinds[&inst] != Kind::Compute || plan.reductions.iter().any(|r| r.phi == inst) {
            return all;
        }
        let within = |low: i128, high: i128| if low >= all.0 && high <= all.1 { (low, high) } else { all };
        let operand = |index: usize| self.interval(func, func.operand(inst, index));
        let amount =
            || func.const_bits(func.operand(inst, 1)).filter(|&c| c < data.ty.bits() as u128).map(|c| c as u32);
        match data.opcode {
            ZExt => {
                let from = func.value_type(func.operand(inst, 0));
                let (low, high) = if from == Type::I1 { (0, 1) } else { operand(0) };
                if low >= 0 { (low, high) } else { (0, from.mask() as i128) }
            }
            SExt if func.value_type(func.operand(inst, 0)) == Type::I1 => (-1, 0),
            SExt => operand(0),
            Trunc => {
                let (low, high) = operand(0);
                within(low, high)
            }
            Add => within(operand(0).0 + operand(1).0, operand(0).1 + operand(1).1),
            Sub => within(operand(0).0 - operand(1).1, operand(0).1 - operand(1).0),
            Mul => {
                let ((a, b), (c, d)) = (operand(0), operand(1));
                let corners = [a * c, a * d, b * c, b * d];
                within(*corners.iter().min().expect("four"), *corners.iter().max().expect("four"))
            }
            Shl => match amount() {
                Some(by) => within(operand(0).0 << by, operand(0).1 << by),
                None => all,
            },
            LShr | AShr => match (amount(), operand(0)) {
                (Some(by), (low, high)) if low >= 0 || data.opcode == AShr => (low >> by, high >> by),
                _ => all,
            },
            And => match (operand(0), operand(1)) {
                ((_, _), (c, d)) if c >= 0 => (0, d),
                ((a, b), _) if a >= 0 => (0, b),
                _ => all,
            },
            Or | Xor => {
                let ((a, b), (c, d)) = (operand(0), operand(1));
                if a >= 0 && c >= 0 { (0, (b.max(d) as u128 + 1).next_power_of_two() as i128 - 1) } else { all }
            }
            Select => (operand(1).0.min(operand(2).0), operand(1).1.max(operand(2).1)),
            SMin => (operand(0).0.min(operand(1).0), operand(0).1.min(operand(1).1)),
            SMax => (operand(0).0.max(operand(1).0), operand(0).1.max(operand(1).1)),
            UMin | UMax if operand(0).0 >= 0 && operand(1).0 >= 0 => {
                (operand(0).0.min(operand(1).0), operand(0).1.max(operand(1).1))
            }
            _ => all,
        }
    }

    fn choose(&self, func: &Function, plan: &Plan, inst: Inst, value: Value, demands: &FxHashMap<Value, u32>) -> Lane {
        use Opcode::*;
        let ty = func.value_type(value);
        let kind = plan.kinds[&inst];
        let natural = Lane { ty, signed: true };
        if !ty.is_int()
            || matches!(kind, Kind::Load(_) | Kind::Accumulator | Kind::Previous | Kind::Carried | Kind::Uniform)
            || is_share(plan, func, value)
        {
            return natural;
        }
        let interval = self.interval(func, value);
        let signed = interval.0 < 0;
        let opcode = func.insts[inst].opcode;
        let exact = if signed { signed_bits(interval) } else { unsigned_bits(interval) };
        let wanted = demands.get(&value).copied().unwrap_or(ty.bits()).max(1).next_power_of_two().max(8);
        let bits = wanted.min(exact).min(ty.bits());
        let operand_type = |at_least: u32| self.exact_type(func, &[func.operand(inst, 0)], at_least);
        let bits = match opcode {
            _ if matches!(kind, Kind::Induction(_)) => bits,
            Mul if bits < 16 => ty.bits().min(16),
            Shl => match func.const_bits(func.operand(inst, 1)) {
                Some(by) if by < u128::from(bits.max(16)) => bits.max(16).min(ty.bits()),
                _ => ty.bits(),
            },
            // Bits come down from above: the lane must hold those, or be exact.
            LShr | AShr => {
                let from = self.interval(func, func.operand(inst, 0));
                let by = func.const_bits(func.operand(inst, 1)).map(|c| c as u32);
                let moved = by.map(|by| (by + demands.get(&value).copied().unwrap_or(ty.bits())).next_power_of_two());
                let whole = if opcode == AShr || from.0 < 0 { signed_bits(from) } else { unsigned_bits(from) };
                let whole = if opcode == LShr && from.0 < 0 { ty.bits() } else { whole };
                match (by, moved) {
                    (Some(by), Some(moved)) if by < moved.min(whole).max(16) => moved.min(whole).max(16).min(ty.bits()),
                    _ => ty.bits(),
                }
            }
            SMin | SMax | UMin | UMax => {
                let operands = [func.operand(inst, 0), func.operand(inst, 1)];
                let unsigned = matches!(opcode, UMin | UMax) && operands.iter().any(|&v| self.interval(func, v).0 < 0);
                if operands.iter().all(|&v| self.is_byte(func, v)) {
                    8
                } else if unsigned {
                    ty.bits()
                } else {
                    self.exact_type(func, &operands, 16).bits()
                }
            }
            SMulHi | UMulHi | Rotl | Rotr => ty.bits(),
            FpToSi | FpToUi => ty.bits().max(32),
            _ if kind == Kind::Compute && operation_is_modular(opcode) => bits,
            ZExt | SExt | Trunc | Select => bits,
            _ if kind == Kind::Join => bits,
            _ => operand_type(8).bits().max(ty.bits()),
        };
        Lane { ty: Type::int(bits).expect("a power of two from 8 on"), signed }
    }
}

fn operation_is_modular(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, Add | Sub | Mul | And | Or | Xor | Shl)
}

/// Whether the value is a link of a reduction's chain: its lanes are the phi's.
fn is_share(plan: &Plan, func: &Function, value: Value) -> bool {
    plan.reductions.iter().any(|r| r.values.contains(&value)) && func.value_type(value).is_int()
}

/// How many low bits of each integer its users need.
fn demands(func: &Function, plan: &Plan) -> FxHashMap<Value, u32> {
    use Opcode::*;
    let mut out: FxHashMap<Value, u32> = FxHashMap::default();
    let ask = |out: &mut FxHashMap<Value, u32>, value: Value, bits: u32| {
        let bits = bits.min(func.value_type(value).lane_bits());
        let known = out.entry(value).or_insert(0);
        *known = (*known).max(bits);
    };
    for &value in &plan.live_out {
        ask(&mut out, value, 128);
    }
    // Their users come before some of what they take.
    for &phi in plan.order.iter().filter(|i| matches!(plan.kinds[i], Kind::Carried | Kind::Previous)) {
        func.operands(phi).for_each(|v| ask(&mut out, v, 128));
    }
    for &inst in plan.order.iter().rev() {
        let data = func.insts[inst];
        let own = func.result(inst).and_then(|r| out.get(&r).copied()).unwrap_or(0);
        let operands: Vec<Value> = func.operands(inst).collect();
        let share = func.result(inst).is_some_and(|r| is_share(plan, func, r));
        match (plan.kinds[&inst], data.opcode) {
            (Kind::Induction(_) | Kind::Load(_) | Kind::Previous | Kind::Carried | Kind::Uniform, _) => {}
            (Kind::Store(_), _) => ask(&mut out, operands[1], 128),
            _ if share => operands.iter().for_each(|&v| ask(&mut out, v, 128)),
            (Kind::Join, _) => operands.iter().for_each(|&v| ask(&mut out, v, own)),
            (_, Trunc) => ask(&mut out, operands[0], own.min(data.ty.bits())),
            (_, ZExt | SExt) => ask(&mut out, operands[0], own),
            (_, And) => match func.const_bits(operands[1]) {
                Some(mask) => ask(&mut out, operands[0], own.min(128 - mask.leading_zeros())),
                None => operands.iter().for_each(|&v| ask(&mut out, v, own)),
            },
            (_, Select) => operands[1..].iter().for_each(|&v| ask(&mut out, v, own)),
            (_, Shl) => ask(&mut out, operands[0], own),
            (_, LShr | AShr) => match func.const_bits(operands[1]) {
                Some(by) => ask(&mut out, operands[0], own.saturating_add(by.min(128) as u32)),
                None => ask(&mut out, operands[0], 128),
            },
            (_, opcode) if operation_is_modular(opcode) => operands.iter().for_each(|&v| ask(&mut out, v, own)),
            _ => operands.iter().for_each(|&v| ask(&mut out, v, 128)),
        }
    }
    out
}

fn full(ty: Type) -> (i128, i128) {
    if !ty.is_int() || ty.bits() > 64 {
        return (i128::from(i64::MIN), i128::from(i64::MAX));
    }
    let half = 1i128 << (ty.bits() - 1);
    (-half, half - 1)
}

/// Bits of the narrowest lane that holds the interval as signed numbers.
fn signed_bits((low, high): (i128, i128)) -> u32 {
    [8, 16, 32].into_iter().find(|&b| low >= -(1 << (b - 1)) && high < 1 << (b - 1)).unwrap_or(64)
}

/// The same as unsigned numbers, which they must be.
fn unsigned_bits((_, high): (i128, i128)) -> u32 {
    [8, 16, 32].into_iter().find(|&b| high < 1 << b).unwrap_or(64)
}
