//! What becomes of each instruction of a loop: computed per lane, accumulated, counted, or left
//! scalar.

use ir::analysis::LoopTree;
use ir::analysis::sums::induction::is_invariant;
use ir::analysis::sums::loops::LoopSums;
use ir::{Block, Function, Inst, Opcode, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::Body;
use super::emit::REGISTER;
use super::lanes::Lanes;
use super::reasons::Reasons;
use super::reductions::{Reduction, find_reduction};
use ir::analysis::group_dependence::MemoryAccess;
use ir::costs;
use ir::effects::is_pure;
use platform::options::X86Features;

/// How the lanes of an access lie in memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// Next to each other.
    Forward,
    /// Next to each other, the last iteration first.
    Reverse,
    /// So in a loop all of whose vectors have the last iteration in their first lane.
    Mirrored,
    /// All the same.
    Uniform,
    /// Every other element: what lies between is not written, or by another store of the loop.
    EverySecond,
    /// That many bytes from one to the next: one access for each lane.
    Apart(i64),
    /// Anywhere ([`Gather`]): one load for each lane.
    Gathered,
}

/// A load whose address is computed for each lane by itself, as of `table[index[i]]`.
pub struct Gather {
    /// The load, and those that its address is computed from.
    pub loads: Vec<Inst>,
    /// Number of the loop's other accesses before it.
    pub at: usize,
    /// Instructions that compute the address, but for what is part of the load's own.
    pub cost: u32,
}

/// Instructions looked through for what a value is computed from.
pub const MAX_STEPS: usize = 12;

/// Bytes between two lanes at most, so that all offsets fit into an instruction.
const MAX_APART: u64 = 1 << 24;

/// How an instruction's value comes to be in vector form.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Changes by a constant per iteration.
    Induction(i64),
    /// A header phi of `Plan::reductions`.
    Accumulator,
    /// A phi after branches of the loop: chosen lane by lane.
    Join,
    /// A header phi with a value of the iteration before ([`super::previous`]).
    Previous,
    /// A header phi of the inner loop of a nest: each lane has its own.
    Carried,
    /// The same for all iterations of the outer loop of a nest: computed as a scalar.
    Uniform,
    /// A load.
    Load(Order),
    /// A store.
    Store(Order),
    /// The operation lane by lane.
    Compute,
}

impl Kind {
    fn mirror(&mut self) {
        if let Kind::Load(order @ Order::Reverse) | Kind::Store(order @ Order::Reverse) = self {
            *order = Order::Mirrored;
        }
    }
}

/// What becomes of a loop's instructions.
pub struct Plan {
    /// Those that have a vector form.
    pub kinds: FxHashMap<Inst, Kind>,
    /// Those in order.
    pub order: Vec<Inst>,
    /// Loads and stores, in program order.
    pub accesses: Vec<MemoryAccess>,
    /// Loads whose addresses are no sums.
    pub gathers: Vec<Gather>,
    /// Sums and the like.
    pub reductions: Vec<Reduction>,
    /// Values that code after the loop uses.
    pub live_out: Vec<Value>,
    /// Stores that fill the gaps of an earlier one to every second element, with that one: they are
    /// made together in its place.
    pub halves: FxHashMap<Inst, Inst>,
    /// Bytes of the register of which an instruction stores some lanes, if there is one.
    pub masked_bytes: Option<u32>,
}

impl Plan {
    /// Bytes of the registers that the loop's vectors fill: whole ones where all lanes have one
    /// width.
    pub fn register_bytes(&self, func: &Function, lanes: &Lanes, features: X86Features) -> u32 {
        let in_place = |inst: Inst| match self.kinds[&inst] {
            Kind::Load(Order::EverySecond) => func.insts[inst].ty.store_size() >= 4,
            Kind::Load(_) | Kind::Store(_) => true,
            Kind::Compute => match func.insts[inst].opcode {
                Opcode::SiToFp | Opcode::FpToSi => lanes.of(func, func.operand(inst, 0)).ty.bits() == lanes.narrowest,
                opcode => !matches!(opcode, Opcode::UiToFp | Opcode::FpToUi),
            },
            Kind::Carried | Kind::Uniform => false,
            Kind::Induction(_) | Kind::Accumulator | Kind::Join | Kind::Previous => true,
        };
        let of_one_width = |inst: Inst| match func.result(inst) {
            Some(value) if func.value_type(value) == Type::I1 => true,
            Some(value) => lanes.of(func, value).ty.bits() == lanes.narrowest,
            None => func.operands(inst).nth(1).is_none_or(|value| lanes.of(func, value).ty.bits() == lanes.narrowest),
        };
        if self.order.iter().all(|&inst| in_place(inst) && of_one_width(inst)) {
            costs::lanewise_bytes(features)
        } else {
            costs::register_bytes(features)
        }
    }
}

/// Where a plan is made.
pub struct Planner<'a> {
    /// The function.
    pub func: &'a Function,
    /// Its loops.
    pub loops: &'a LoopTree,
    /// The loop.
    pub body: &'a Body,
    /// Addresses in it.
    pub sums: LoopSums<'a>,
    /// What the target can do.
    pub features: X86Features,
    /// As [`Plan::masked_bytes`].
    pub masked_bytes: Option<u32>,
    /// What is in the way.
    pub reasons: &'a Reasons,
    /// Whether floating operations must not run where the program does not run them.
    pub trapping_math: bool,
}

impl Plan {
    /// Whether some accesses are made lane by lane.
    pub fn has_lanes_apart(&self) -> bool {
        let apart = |order: Order| matches!(order, Order::Apart(_) | Order::Gathered);
        self.kinds.values().any(|k| matches!(k, Kind::Load(order) | Kind::Store(order) if apart(*order)))
    }

    /// Whether that many iterations at once fill registers with what only some of them store.
    pub fn suits_conditional_stores(&self, func: &Function, body: &Body, vf: u32) -> bool {
        let fills = |inst: Inst| (func.value_type(func.operand(inst, 1)).store_size() * vf).is_multiple_of(REGISTER);
        self.accesses.iter().all(|a| !a.writes || body.is_unconditional(func, a.inst) || fills(a.inst))
    }

    /// Whether the store is one of two that fill each other's gaps.
    pub fn is_half(&self, store: Inst) -> bool {
        self.halves.iter().any(|(&late, &early)| late == store || early == store)
    }

    /// Whether lanes of less than 4 bytes would have to be stored one by one.
    pub fn has_gaps_in_narrow_stores(&self, func: &Function) -> bool {
        self.kinds.iter().any(|(&inst, &kind)| {
            kind == Kind::Store(Order::EverySecond)
                && func.value_type(func.operand(inst, 1)).store_size() < 4
                && !self.is_half(inst)
        })
    }
}

impl Planner<'_> {
    /// The plan, if every instruction that matters has a vector form.
    pub fn plan(&self) -> Option<Plan> {
        let (func, body) = (self.func, self.body);
        let (accesses, gathers) = self.accesses()?;
        let mut plan = Plan {
            kinds: FxHashMap::default(),
            order: Vec::new(),
            accesses,
            gathers,
            reductions: Vec::new(),
            live_out: self.live_out(),
            halves: FxHashMap::default(),
            masked_bytes: self.masked_bytes,
        };
        for phi in func.phis(body.header) {
            if body.counters.iter().any(|c| c.phi == phi) {
                continue;
            }
            if body.inner.is_some() {
                return None;
            }
            if let Some(reduction) = find_reduction(func, self.loops, body, phi) {
                plan.reductions.push(reduction);
            }
        }
        let mut wanted: Vec<Value> = Vec::new();
        for &inst in body.insts.iter().filter(|&&i| func.insts[i].opcode == Opcode::Store) {
            let order = self.order(&plan, inst, func.value_type(func.operand(inst, 1)))?;
            self.unless(order != Order::Uniform, inst, "all iterations store to one place")?;
            if !body.is_unconditional(func, inst) {
                self.unless(order == Order::Forward, inst, "a store at a distance that some iterations do not run")?;
                self.want_conditions(&mut wanted, func.inst_block(inst)?);
            }
            plan.kinds.insert(inst, Kind::Store(order));
            wanted.push(func.operand(inst, 1));
        }
        for &value in &plan.live_out {
            let is_mask = func.value_type(value) == Type::I1;
            self.reasons.unless(!is_mask, func.def_inst(value), "a condition that is used after the loop")?;
            if !self.is_counter(value) {
                wanted.push(value);
            }
        }
        if wanted.is_empty() {
            return None;
        }
        while let Some(value) = wanted.pop() {
            self.want(&mut plan, value, &mut wanted)?;
        }
        plan.order = body.insts.iter().copied().filter(|i| plan.kinds.contains_key(i)).collect();
        let come_first = self.previous_come_first(&plan);
        self.reasons.unless(come_first, None, "an iteration needs a value of the one before it")?;
        if self.suits_mirrors(&plan) {
            plan.kinds.values_mut().for_each(Kind::mirror);
        }
        let narrow = |a: &&MemoryAccess| {
            a.size < 4
                && matches!(plan.kinds.get(&a.inst), Some(Kind::Load(Order::Reverse) | Kind::Store(Order::Reverse)))
        };
        match plan.accesses.iter().find(narrow) {
            Some(access) => self.reasons.no(Some(access.inst), "narrow elements in reverse"),
            None => Some(plan),
        }
    }

    /// Whether it does not matter which lane is which iteration, and all that is accessed lies in
    /// reverse.
    fn suits_mirrors(&self, plan: &Plan) -> bool {
        let gathered = |value: &Value| self.is_counter(*value) || plan.reductions.iter().any(|r| r.last == *value);
        let suits = |kind: &Kind| match kind {
            Kind::Load(order) | Kind::Store(order) => matches!(order, Order::Reverse | Order::Uniform),
            Kind::Accumulator | Kind::Join | Kind::Compute => true,
            Kind::Induction(_) | Kind::Previous | Kind::Carried | Kind::Uniform => false,
        };
        plan.kinds.values().all(suits) && plan.live_out.iter().all(gathered)
    }

    /// Whether that many iterations at once suit the accesses to every second element, and what is
    /// needed of the iteration before: their lanes fill one register.
    pub fn suits_every_second(&self, plan: &Plan, vf: u32) -> bool {
        let func = self.func;
        plan.kinds.iter().all(|(&inst, &kind)| {
            let ty = match kind {
                Kind::Load(Order::EverySecond) | Kind::Previous => func.insts[inst].ty,
                Kind::Store(Order::EverySecond) => func.value_type(func.operand(inst, 1)),
                _ => return true,
            };
            let bytes = ty.store_size() * vf;
            let wide = kind == Kind::Previous || ty.store_size() >= 4;
            bytes == costs::register_bytes(self.features) || wide && bytes == costs::lanewise_bytes(self.features)
        })
    }

    /// Whether the scalar loop can go on where a vector loop has left off.
    pub fn all_phis_resume(&self, plan: &Plan) -> bool {
        self.func.phis(self.body.header).all(|phi| {
            plan.kinds.get(&phi) == Some(&Kind::Previous)
                || self.body.counters.iter().any(|c| c.phi == phi)
                || plan.reductions.iter().any(|r| r.phi == phi)
        })
    }

    fn unless(&self, fine: bool, inst: Inst, what: &'static str) -> Option<()> {
        self.reasons.unless(fine, Some(inst), what)
    }

    fn is_counter(&self, value: Value) -> bool {
        self.func.def_inst(value).is_some_and(|inst| self.body.counters.iter().any(|c| c.phi == inst || c.next == inst))
    }

    /// Whether the value is the same in all iterations.
    pub fn is_invariant(&self, value: Value) -> bool {
        is_invariant(self.func, self.loops.at(self.body.l), value)
    }

    fn accesses(&self) -> Option<(Vec<MemoryAccess>, Vec<Gather>)> {
        let func = self.func;
        let (mut out, mut gathers) = (Vec::new(), Vec::new());
        for &inst in &self.body.insts {
            let opcode = func.insts[inst].opcode;
            let ty = match opcode {
                Opcode::Load => func.insts[inst].ty,
                Opcode::Store => func.value_type(func.operand(inst, 1)),
                _ => continue,
            };
            self.unless(costs::is_lane(ty), inst, "an access of a type without vectors")?;
            let address = self.sums.of(func, func.operand(inst, 0));
            if address.is_none()
                && let Some(gather) = self.gather(inst, ty, out.len())
            {
                gathers.push(gather);
                continue;
            }
            self.unless(address.is_some(), inst, "an address that changes from iteration to iteration by no constant")?;
            out.push(MemoryAccess {
                inst,
                address: address?,
                size: ty.store_size() as i64,
                writes: opcode == Opcode::Store,
                unconditional: self.body.is_unconditional(func, inst),
            });
        }
        Some((out, gathers))
    }

    /// A load whose address every iteration computes from counters and from loads at such.
    fn gather(&self, inst: Inst, ty: Type, at: usize) -> Option<Gather> {
        let (func, body) = (self.func, self.body);
        let runs = |inst: Inst| body.is_unconditional(func, inst);
        if func.insts[inst].opcode != Opcode::Load || !runs(inst) || ty.store_size() < 4 || body.inner.is_some() {
            return None;
        }
        let mut gather = Gather { loads: vec![inst], at, cost: 0 };
        let mut wanted = vec![func.operand(inst, 0)];
        for _ in 0..MAX_STEPS {
            let Some(value) = wanted.pop() else { return Some(gather) };
            if self.is_invariant(value) {
                continue;
            }
            let inst = func.def_inst(value)?;
            match func.insts[inst].opcode {
                Opcode::Phi if self.is_counter(value) => continue,
                Opcode::Load if runs(inst) && self.sums.of(func, func.operand(inst, 0)).is_some() => {
                    gather.loads.push(inst);
                    gather.cost += 1;
                    continue;
                }
                Opcode::PtrAdd | Opcode::Shl | Opcode::SExt | Opcode::ZExt => {}
                _ => gather.cost += 1,
            }
            if !runs(inst) || !is_pure(func, inst) || func.insts[inst].opcode == Opcode::Phi {
                return None;
            }
            wanted.extend(func.operands(inst));
        }
        None
    }

    fn order(&self, plan: &Plan, inst: Inst, ty: Type) -> Option<Order> {
        if plan.gathers.iter().any(|gather| gather.loads[0] == inst) {
            return Some(Order::Gathered);
        }
        let step = plan.accesses.iter().find(|a| a.inst == inst)?.address.step;
        let inside = self.body.inner.as_ref().is_some_and(|inner| inner.holds(self.func, inst));
        match step {
            0 => Some(Order::Uniform),
            s if s == ty.store_size() as i64 => Some(Order::Forward),
            s if s == -(ty.store_size() as i64) => Some(Order::Reverse),
            s if s == 2 * ty.store_size() as i64 && self.body.inner.is_none() => Some(Order::EverySecond),
            s if ty.store_size() >= 4 && !inside && s.unsigned_abs() <= MAX_APART => Some(Order::Apart(s)),
            _ => self.reasons.no(Some(inst), "elements at a distance without a vector form"),
        }
    }

    /// Values of the loop that are used outside it.
    fn live_out(&self) -> Vec<Value> {
        let func = self.func;
        let inside: FxHashSet<Block> = self.body.blocks.iter().copied().collect();
        let used_outside = |value: Value| {
            func.uses(value).any(|(user, index)| {
                let block = match func.insts[user].opcode {
                    // The edge from the latch is the exit, wherever the phi stands.
                    Opcode::Phi if func.inst_block(user).is_some_and(|b| inside.contains(&b)) => {
                        Some(func.phi_block(user, index))
                    }
                    _ => func.inst_block(user),
                };
                block.is_some_and(|b| !inside.contains(&b))
            })
        };
        self.body.insts.iter().filter_map(|&i| func.result(i)).filter(|&v| used_outside(v)).collect()
    }

    /// Gives the value's instruction a vector form; what it needs goes to `wanted`.
    fn want(&self, plan: &mut Plan, value: Value, wanted: &mut Vec<Value>) -> Option<()> {
        let func = self.func;
        let ty = func.value_type(value);
        if self.is_invariant(value) {
            // Masks that are the same in all iterations are left to unswitching.
            return self.reasons.unless(
                costs::is_lane(ty),
                None,
                "a condition or a type without vectors from before it",
            );
        }
        let inst = func.def_inst(value)?;
        if plan.kinds.contains_key(&inst) {
            return Some(());
        }
        let data = func.insts[inst];
        self.unless(ty == Type::I1 || costs::is_lane(ty), inst, "a type without vectors")?;
        let inner = self.body.inner.as_ref();
        let kind = match data.opcode {
            _ if ty != Type::I1 && inner.is_some_and(|i| i.uniform.contains(&value)) => Kind::Uniform,
            Opcode::Phi if inner.is_some_and(|i| func.inst_block(inst) == Some(i.header)) => {
                wanted.extend(func.operands(inst));
                (ty != Type::I1).then_some(Kind::Carried)?
            }
            Opcode::Phi if func.inst_block(inst) == Some(self.body.header) => {
                if plan.reductions.iter().any(|r| r.phi == inst) {
                    let last = plan.reductions.iter().find(|r| r.phi == inst).map(|r| r.last)?;
                    wanted.push(last);
                    Kind::Accumulator
                } else {
                    match (self.sums.stride(func, value), func.phi_value(inst, self.body.counted.latch)?) {
                        (Some(stride), _) => Kind::Induction(stride),
                        (None, next) => {
                            let is_other = ty != Type::I1 && inner.is_none() && !self.is_invariant(next);
                            self.unless(is_other, inst, "an iteration needs a value of the one before it")?;
                            wanted.push(next);
                            Kind::Previous
                        }
                    }
                }
            }
            _ if self.sums.stride(func, value).is_some() => Kind::Induction(self.sums.stride(func, value)?),
            Opcode::Phi => {
                if ty == Type::I1 || inner.is_some() {
                    return None;
                }
                wanted.extend(func.operands(inst));
                self.want_conditions(wanted, func.inst_block(inst)?);
                Kind::Join
            }
            Opcode::Load => Kind::Load(self.order(plan, inst, ty)?),
            Opcode::Store => return None,
            opcode => {
                let speculated = !self.body.is_unconditional(func, inst) && self.trapping_math;
                let what = "a floating-point operation that some iterations do not run (-fno-trapping-math)";
                self.unless(!(speculated && costs::may_raise(opcode)), inst, what)?;
                self.want_operands(inst, wanted)?;
                Kind::Compute
            }
        };
        plan.kinds.insert(inst, kind);
        Some(())
    }

    fn want_operands(&self, inst: Inst, wanted: &mut Vec<Value>) -> Option<()> {
        let func = self.func;
        let data = func.insts[inst];
        self.unless(costs::has_vector_form(func, inst, self.features), inst, "an operation without a vector form")?;
        let amount_is_scalar =
            matches!(data.opcode, Opcode::Shl | Opcode::LShr | Opcode::AShr | Opcode::Rotl | Opcode::Rotr);
        if amount_is_scalar {
            self.unless(self.is_invariant(func.operand(inst, 1)), inst, "a shift by an amount that changes")?;
            wanted.push(func.operand(inst, 0));
            return Some(());
        }
        for value in func.operands(inst) {
            let is_mask = func.value_type(value) == Type::I1;
            let outer = is_mask && self.is_invariant(value) && func.const_bits(value).is_none();
            self.unless(!outer, inst, "a condition from before it")?;
            if !(is_mask && func.const_bits(value).is_some()) {
                wanted.push(value);
            }
        }
        Some(())
    }

    /// The conditions of all branches on the way from the header to the block.
    fn want_conditions(&self, wanted: &mut Vec<Value>, block: Block) {
        let func = self.func;
        for &b in self.body.blocks.iter().take_while(|&&b| b != block) {
            let end = func.terminator(b);
            if func.insts[end].opcode == Opcode::CondBr {
                wanted.push(func.operand(end, 0));
            }
        }
    }
}
