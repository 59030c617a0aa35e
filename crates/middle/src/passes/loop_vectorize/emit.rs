//! The body of the vector loop: one block, instructions in the order of the plan.

use ir::analysis::LoopTree;
use ir::analysis::sums::induction::is_invariant;
use ir::{
    AliasTag, AliasTags, Block, BranchHint, Builder, Constant, Function, Inst, InstView, IntCc, MemInfo, Opcode,
    Position, Type, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Body, MAX_INSTS};
use super::conditional_stores::{ConditionalStore, Pending};
use super::estimate::steady;
use super::lanes::{Lane, Lanes};
use super::masks::{Mask, Masks};
use super::nest::{InnerBlock, Part};
use super::plan::{Kind, Order, Plan};
use ir::analysis::sums::first_round::{copied, counted_up, first_round, stepped};

/// Bytes that lanes are put together in.
pub const REGISTER: u32 = 16;

/// The vector loop while it is made.
pub struct Emitter<'a> {
    /// The function.
    pub func: &'a mut Function,
    /// Its loops as they were.
    pub loops: &'a LoopTree,
    /// The scalar loop.
    pub body: &'a Body,
    /// What to make of it.
    pub plan: &'a Plan,
    /// Widths.
    pub lanes: &'a Lanes,
    /// Iterations at once.
    pub vf: u32,
    /// Where invariants are computed: before this jump.
    pub before_loop: Inst,
    /// The block that enters the vector loop.
    pub entry: Block,
    /// The header of the vector loop.
    pub block: Block,
    /// Its latch: the same block, but in nests.
    pub latch: Block,
    /// The vector loop's counter's next value: where the last part of it ends.
    pub end: Inst,
    /// The inner loop of a nest.
    pub inner: Option<InnerBlock>,
    /// Where its instructions go: before this one.
    pub at: Inst,
    /// Vectors of values, in their own lane type.
    pub vectors: FxHashMap<Value, Value>,
    /// The same, converted to other lane types.
    converted: FxHashMap<(Value, Type), Value>,
    /// Splats of invariants.
    splats: FxHashMap<(Value, Type), Value>,
    /// Conditions and blocks' masks.
    pub masks: Masks,
    /// Scalars of the first of the iterations.
    pub scalars: FxHashMap<Value, Value>,
    /// Scalars of the loop's first iteration, computed before it.
    first: FxHashMap<Value, Value>,
    /// Next values of scalar counters.
    counted: FxHashMap<Inst, Value>,
    /// What is computed before the loop.
    steady: FxHashSet<Inst>,
    /// Phis whose next value is this sum, made when all users of the phi are.
    increments: Vec<(Inst, Value)>,
    /// Stores that only some lanes run.
    pub conditional: Vec<ConditionalStore>,
    /// The last of them.
    pub pending: Option<Pending>,
}

impl<'a> Emitter<'a> {
    /// Makes the vector loop's block with its own test: it is entered from `entry` and leaves to
    /// `exit` after `trips` iterations, a multiple of `vf`.
    #[expect(clippy::too_many_arguments, reason = "what a loop consists of")]
    pub fn new(
        func: &'a mut Function,
        loops: &'a LoopTree,
        body: &'a Body,
        plan: &'a Plan,
        lanes: &'a Lanes,
        vf: u32,
        entry: Block,
        exit: Block,
        trips: Value,
    ) -> Emitter<'a> {
        let steady = steady(func, body, plan);
        let before_loop = func.terminator(entry);
        let block = func.make_block();
        func.insert_block_after(entry, block);
        let counter = body.counted.counter;
        let ty = func.insts[counter.phi].ty;
        let latch = func.terminator(body.counted.latch);
        let loc = func.inst_locs[latch];
        let InstView::CondBr { cond, then_dest, else_dest, hint } = func.view(latch) else {
            base::bug!("the latch of a counted loop ends in no branch")
        };
        let back = if Some(then_dest) == func.inst_block(counter.phi) { hint } else { hint.inverted() };
        // What is left for the scalar loop was not counted.
        if back.of_groups(vf) != BranchHint::None {
            func.replace_with(latch, InstView::CondBr { cond, then_dest, else_dest, hint: BranchHint::None });
        }
        let end = counted_up(func, before_loop, counter.start, ty, trips, counter.step);
        let mut b = Builder::new(func, Position::End(block));
        b.loc = loc;
        let phi = b.phi(ty, &[(counter.start, entry)]);
        let value = b.func.first_result(phi);
        let next = stepped(&mut b, value, ty, counter.step.wrapping_mul(vf as i64));
        let test = b.icmp(IntCc::Ne, next, end);
        b.cond_br(test, block, exit, back.of_groups(vf));
        func.phi_push(phi, next, block);
        let at = func.def_inst(next).expect("an addition");
        let mut scalars = FxHashMap::default();
        scalars.insert(func.first_result(counter.phi), value);
        let mut counted = FxHashMap::default();
        counted.insert(counter.phi, next);
        let (latch, inner) = match &body.inner {
            Some(_) => InnerBlock::split(func, block, at),
            None => (block, None),
        };
        let end = at;
        let first = body.starts(func);
        Emitter {
            func,
            loops,
            body,
            plan,
            lanes,
            vf,
            before_loop,
            entry,
            block,
            latch,
            end,
            inner,
            at,
            vectors: FxHashMap::default(),
            converted: FxHashMap::default(),
            splats: FxHashMap::default(),
            masks: Masks::default(),
            scalars,
            first,
            counted,
            steady,
            increments: Vec::new(),
            conditional: Vec::new(),
            pending: None,
        }
    }

    /// Fills the block.
    pub fn emit(&mut self) {
        for reduction in &self.plan.reductions {
            if self.plan.kinds.contains_key(&reduction.phi) {
                let value = self.func.first_result(reduction.phi);
                let start = self.identity(reduction.joins, reduction.start, self.func.value_type(value));
                let phi = self.phi(start);
                self.vectors.insert(value, self.func.first_result(phi));
            }
        }
        let plan = self.plan;
        let phis = plan.order.iter().copied().filter(|i| plan.kinds[i] == Kind::Previous);
        let previous: Vec<(Inst, Inst)> = phis.map(|inst| (inst, self.group_before(inst))).collect();
        self.enter_part(Part::Before);
        for &inst in &plan.order {
            self.enter_part(self.part_of(inst));
            let at = self.at;
            if self.steady.contains(&inst) {
                self.at = self.before_loop;
            }
            match plan.kinds[&inst] {
                Kind::Accumulator | Kind::Carried | Kind::Previous => {}
                Kind::Store(order) => self.store(inst, order),
                kind => {
                    let result = self.func.first_result(inst);
                    if self.func.value_type(result) == Type::I1 {
                        self.condition(inst);
                    } else {
                        let vector = self.value(inst, kind);
                        self.vectors.insert(result, vector);
                    }
                }
            }
            if self.steady.contains(&inst) {
                self.at = at;
            }
            if plan.kinds[&inst] != Kind::Previous {
                self.move_up(inst, &previous);
            }
        }
        self.enter_part(Part::Behind);
        for (phi, ahead) in std::mem::take(&mut self.increments) {
            let vector = self.func.first_result(phi);
            let next = self.builder().binary(Opcode::Add, vector, ahead);
            self.func.phi_push(phi, next, self.latch);
        }
        for reduction in &self.plan.reductions {
            if self.plan.kinds.contains_key(&reduction.phi) {
                let phi = self.func.def_inst(self.vectors[&self.func.first_result(reduction.phi)]).expect("a phi");
                let last = self.own(reduction.last);
                self.func.phi_push(phi, last, self.latch);
            }
        }
        for (inst, phi) in previous {
            let next = self.for_next(inst);
            self.func.phi_push(phi, next, self.latch);
        }
    }

    /// A builder at the end of what is made so far.
    pub fn builder(&mut self) -> Builder<'_> {
        Builder::before(self.func, self.at)
    }

    /// The type of a vector of these lanes.
    pub fn vector_type(&self, lane: Type) -> Type {
        lane.vector(self.vf)
    }

    /// The lanes that a value has.
    pub fn lane(&self, value: Value) -> Lane {
        self.lanes.of(self.func, value)
    }

    /// Whether the value is the same in all iterations.
    pub fn is_invariant(&self, value: Value) -> bool {
        is_invariant(self.func, self.loops.at(self.body.l), value)
    }

    /// A phi of the vector loop that starts with this value and has no entry from the loop yet.
    pub fn phi(&mut self, start: Value) -> Inst {
        let ty = self.func.value_type(start);
        let first = self.func.first_inst(self.block).expect("has a test");
        Builder::before(self.func, first).phi(ty, &[(start, self.entry)])
    }

    fn value(&mut self, inst: Inst, kind: Kind) -> Value {
        match kind {
            Kind::Induction(step) => self.induction(inst, step),
            Kind::Load(order) => self.load(inst, order),
            Kind::Join => self.join(inst),
            Kind::Uniform => {
                let scalar = self.scalar(self.func.first_result(inst));
                let ty = self.vector_type(self.func.value_type(scalar));
                self.builder().unary(Opcode::Splat, ty, scalar)
            }
            _ => self.compute(inst),
        }
    }

    // ---- vectors of values

    /// A value in its own lane type.
    pub fn own(&mut self, value: Value) -> Value {
        let lane = self.lane(value).ty;
        self.vector(value, lane)
    }

    /// A value with lanes of a given type.
    pub fn vector(&mut self, value: Value, lane: Type) -> Value {
        if self.is_invariant(value) {
            return self.splat(value, lane);
        }
        let have = self.lane(value);
        let vector = self.vectors[&value];
        if have.ty == lane {
            return vector;
        }
        if let Some(&known) = self.converted.get(&(value, lane)) {
            return known;
        }
        let at = self.at;
        if let Some(inst) = self.func.def_inst(value).filter(|&inst| self.part_of(inst) == Part::Before) {
            self.at = if self.steady.contains(&inst) { self.before_loop } else { self.place_of(inst) };
        }
        let converted = self.resized(vector, lane, have.signed);
        self.at = at;
        self.converted.insert((value, lane), converted);
        converted
    }

    /// A vector of integers with lanes of another width.
    pub fn resized(&mut self, vector: Value, lane: Type, signed: bool) -> Value {
        let have = self.func.value_type(vector).lane();
        let ty = self.vector_type(lane);
        let opcode = match have.bits().cmp(&lane.bits()) {
            std::cmp::Ordering::Equal => return vector,
            std::cmp::Ordering::Greater => Opcode::Trunc,
            std::cmp::Ordering::Less if signed => Opcode::SExt,
            std::cmp::Ordering::Less => Opcode::ZExt,
        };
        self.builder().unary(opcode, ty, vector)
    }

    /// An invariant in all lanes.
    pub fn splat(&mut self, value: Value, lane: Type) -> Value {
        if let Some(&known) = self.splats.get(&(value, lane)) {
            return known;
        }
        let ty = self.vector_type(lane);
        let splat = match self.func.const_bits(value) {
            Some(bits) => {
                let lane_values = vec![bits; self.vf as usize];
                self.constant(lane, &lane_values)
            }
            None => {
                let mut b = Builder::before(self.func, self.before_loop);
                let scalar = if b.func.value_type(value) == lane { value } else { b.unary(Opcode::Trunc, lane, value) };
                b.unary(Opcode::Splat, ty, scalar)
            }
        };
        self.splats.insert((value, lane), splat);
        splat
    }

    /// A constant vector.
    pub fn constant(&mut self, lane: Type, values: &[u128]) -> Value {
        let bytes = lane.store_size() as usize;
        let all: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()[..bytes].to_vec()).collect();
        let ty = lane.vector(values.len() as u32);
        let constant = if all.iter().all(|&b| b == 0) { Constant::Bits(0) } else { Constant::Vector(all.into()) };
        self.func.make_const(ty, constant)
    }

    /// What the lanes of an accumulator start with: nothing, if that can be had, or the start in
    /// all lanes if gathering it twice does no harm.
    fn identity(&mut self, joins: Opcode, start: Value, ty: Type) -> Value {
        use Opcode::*;
        let neutral = match joins {
            Add | Or | Xor => 0,
            Mul => 1,
            FAdd => 1 << (ty.bits() - 1),
            FMul => ir::fold::float_bits(ty, 1.0),
            _ => return self.splat(start, ty),
        };
        let lane_values = vec![neutral; self.vf as usize];
        self.constant(ty, &lane_values)
    }

    fn induction(&mut self, inst: Inst, step: i64) -> Value {
        let value = self.func.first_result(inst);
        let lane = self.lane(value).ty;
        let start = self.first_round(value);
        let splat = self.splat(start, lane);
        let offsets: Vec<u128> = (0..i128::from(self.vf)).map(|i| (i * i128::from(step)) as u128).collect();
        let offsets = self.constant(lane, &offsets);
        let zero = self.func.const_bits(start) == Some(0);
        let before = self.before_loop;
        let first = if zero { offsets } else { Builder::before(self.func, before).binary(Opcode::Add, splat, offsets) };
        let phi = self.phi(first);
        let vector = self.func.first_result(phi);
        let ahead = vec![(i128::from(self.vf) * i128::from(step)) as u128; self.vf as usize];
        let ahead = self.constant(lane, &ahead);
        self.increments.push((phi, ahead));
        vector
    }

    // ---- scalars

    /// The value in the first of the iterations that the vector loop runs at once.
    pub fn scalar(&mut self, value: Value) -> Value {
        if let Some(&known) = self.scalars.get(&value) {
            return known;
        }
        if self.is_invariant(value) {
            return value;
        }
        let inst = self.func.def_inst(value).expect("defined in the loop");
        let result = match self.body.counters.iter().find(|c| c.phi == inst).copied() {
            None if self.is_inner_counter(inst) => return self.inner_counter(value),
            Some(counter) => {
                let phi = self.phi(counter.start);
                let result = self.func.first_result(phi);
                let ty = self.func.value_type(result);
                let by = counter.step.wrapping_mul(i64::from(self.vf));
                // After the loop's own counter, which comes after all users.
                let test = self.func.next_inst(self.end).expect("a comparison");
                let next = stepped(&mut Builder::before(self.func, test), result, ty, by);
                self.func.phi_push(phi, next, self.latch);
                self.counted.insert(inst, next);
                result
            }
            None => {
                let operands: Vec<Value> = self.func.operands(inst).collect();
                let copies: Vec<Value> = operands.iter().map(|&v| self.scalar(v)).collect();
                let copy = self.copied(inst, &operands, &copies, self.place_of(inst));
                if !self.body.is_unconditional(self.func, inst) {
                    let copied = self.func.def_inst(copy).expect("a copy");
                    self.func.clear_flags(copied);
                }
                copy
            }
        };
        self.scalars.insert(value, result);
        result
    }

    fn copied(&mut self, inst: Inst, operands: &[Value], copies: &[Value], before: Inst) -> Value {
        copied(self.func, inst, operands, copies, before)
    }

    /// The value in the loop's first iteration, computed before it. For values that are sums and
    /// multiples of counters.
    pub fn first_round(&mut self, value: Value) -> Value {
        let (l, before) = (self.loops.at(self.body.l), self.before_loop);
        first_round(self.func, l, &mut self.first, value, before, MAX_INSTS).expect("a sum of counters")
    }

    /// What a counter is after the vector loop, if the loop keeps it as a scalar.
    pub fn counted(&self, phi: Inst) -> Option<Value> {
        self.counted.get(&phi).copied()
    }

    /// What [`super::plan::Gather`] looks through, in one of the iterations.
    fn scalar_of(&mut self, value: Value, index: u32) -> Value {
        if self.is_invariant(value) {
            return value;
        }
        let inst = self.func.def_inst(value).expect("defined in the loop");
        let ty = self.func.value_type(value);
        if let Some(counter) = self.body.counters.iter().find(|c| c.phi == inst) {
            let first = self.scalar(value);
            return stepped(&mut self.builder(), first, ty, counter.step.wrapping_mul(index.into()));
        }
        let operands: Vec<Value> = self.func.operands(inst).collect();
        let copies = match self.plan.accesses.iter().find(|a| a.inst == inst) {
            Some(access) => {
                let first = self.scalar(operands[0]);
                vec![self.lane_place(first, access.address.step, index)]
            }
            None => operands.iter().map(|&operand| self.scalar_of(operand, index)).collect(),
        };
        self.copied(inst, &operands, &copies, self.at)
    }

    // ---- memory

    fn address(&mut self, inst: Inst, order: Order, lane: Type) -> Value {
        let address = self.func.operand(inst, 0);
        let address = self.scalar(address);
        if matches!(order, Order::Reverse | Order::Mirrored) {
            let back = -(i64::from(self.vf) - 1) * i64::from(lane.store_size());
            let by = self.func.iconst(Type::I64, back);
            return self.builder().ptradd(address, by, 0);
        }
        address
    }

    fn reversed(&mut self, vector: Value) -> Value {
        let mask: Vec<u32> = (0..self.vf).rev().collect();
        self.builder().shuffle(vector, vector, &mask)
    }

    fn load(&mut self, inst: Inst, order: Order) -> Value {
        let lane = self.func.insts[inst].ty;
        let MemInfo { align_log2, tag } = self.func.mem_info(inst);
        let ty = self.vector_type(lane);
        if order == Order::Uniform && self.inner.is_none() {
            // The loop's stores are known, or have been checked, to be elsewhere.
            let address = self.func.operand(inst, 0);
            let address = self.first_round(address);
            let mut b = Builder::before(self.func, self.before_loop);
            let scalar = b.load(lane, address, 1 << align_log2, tag, 0);
            return b.unary(Opcode::Splat, ty, scalar);
        }
        if order == Order::Gathered {
            let address = self.func.operand(inst, 0);
            let places: Vec<Value> = (0..self.vf).map(|index| self.scalar_of(address, index)).collect();
            return self.load_lanes(&places, lane, 1 << align_log2, tag);
        }
        let address = self.address(inst, order, lane);
        let mut b = self.builder();
        match order {
            Order::EverySecond => self.load_every_second(address, lane, 1 << align_log2, tag),
            Order::Uniform => {
                let scalar = b.load(lane, address, 1 << align_log2, tag, 0);
                b.unary(Opcode::Splat, ty, scalar)
            }
            Order::Forward | Order::Mirrored => b.load(ty, address, 1 << align_log2, tag, 0),
            Order::Apart(step) => {
                let places: Vec<Value> = (0..self.vf).map(|index| self.lane_place(address, step, index)).collect();
                self.load_lanes(&places, lane, 1 << align_log2, tag)
            }
            Order::Gathered => base::bug!("one address for loads from anywhere"),
            Order::Reverse => {
                let loaded = b.load(ty, address, 1 << align_log2, tag, 0);
                self.reversed(loaded)
            }
        }
    }

    /// The second of two loads ends with the last element that the loop reads: nothing after that
    /// is touched, and what lies between two elements is on a page with one of them.
    fn load_every_second(&mut self, address: Value, lane: Type, align: u32, tag: AliasTag) -> Value {
        let vf = self.vf;
        // Narrow elements are the lower halves of lanes of twice their width, or the upper ones
        // that come down.
        let wide = if lane.store_size() < 4 { Type::int(2 * lane.bits()) } else { None };
        let loaded = wide.map_or(self.vector_type(lane), |wide| wide.vector(vf / 2));
        let mut b = self.builder();
        let low = b.load(loaded, address, align, tag, 0);
        let by = b.iconst(Type::I64, i64::from((vf - 1) * lane.store_size()));
        let behind = b.ptradd(address, by, 0);
        let high = b.load(loaded, behind, align, tag, 0);
        let Some(wide) = wide else {
            let lanes: Vec<u32> = (0..vf).map(|i| if 2 * i < vf { 2 * i } else { vf + 2 * i - (vf - 1) }).collect();
            return b.shuffle(low, high, &lanes);
        };
        let bits = vec![u128::from(lane.bits()); vf as usize / 2];
        let bits = self.constant(wide, &bits);
        let all: Vec<u32> = (0..vf).collect();
        let ty = self.vector_type(lane);
        let mut b = self.builder();
        let high = b.binary(Opcode::LShr, high, bits);
        let both = b.shuffle(low, high, &all);
        b.unary(Opcode::Trunc, ty, both)
    }

    fn store(&mut self, inst: Inst, order: Order) {
        if self.plan.halves.values().any(|&early| early == inst) {
            return;
        }
        if let Some(&early) = self.plan.halves.get(&inst) {
            return self.store_both(early, inst);
        }
        let value = self.func.operand(inst, 1);
        let lane = self.func.value_type(value);
        let mut vector = self.vector(value, lane);
        if order == Order::Reverse {
            vector = self.reversed(vector);
        }
        let address = self.address(inst, order, lane);
        if !self.body.is_unconditional(self.func, inst) {
            return self.store_where(inst, vector, address);
        }
        let MemInfo { align_log2, tag } = self.func.mem_info(inst);
        let apart = match order {
            Order::EverySecond => Some(2 * i64::from(lane.store_size())),
            Order::Apart(step) => Some(step),
            _ => None,
        };
        if let Some(step) = apart {
            self.store_lanes(vector, address, step, 1 << align_log2, tag);
            return;
        }
        self.builder().store(vector, address, 1 << align_log2, tag, 0);
    }

    /// Two stores to every second element that fill each other's gaps.
    fn store_both(&mut self, early: Inst, late: Inst) {
        let lane = self.func.value_type(self.func.operand(late, 1));
        let offset = |e: &Self, inst: Inst| {
            e.plan.accesses.iter().find(|a| a.inst == inst).map(|a| a.address.constant).expect("an access of the loop")
        };
        let late_is_first = offset(self, late).wrapping_sub(offset(self, early)) < 0;
        let (first, second) = if late_is_first { (late, early) } else { (early, late) };
        let [x, y] = [first, second].map(|inst| self.vector(self.func.operand(inst, 1), lane));
        let address = self.address(first, Order::EverySecond, lane);
        let MemInfo { align_log2, tag } = self.func.mem_info(first);
        let tag = if self.func.mem_info(second).tag == tag { tag } else { AliasTags::any() };
        let vf = self.vf;
        for half in 0..2 {
            let lanes: Vec<u32> = (0..vf).map(|i| half * vf / 2 + i / 2 + if i % 2 == 0 { 0 } else { vf }).collect();
            let mut b = self.builder();
            let mixed = b.shuffle(x, y, &lanes);
            let by = b.iconst(Type::I64, i64::from(half * vf * lane.store_size()));
            let place = if half == 0 { address } else { b.ptradd(address, by, 0) };
            b.store(mixed, place, 1 << align_log2, tag, 0);
        }
    }

    /// The type that lanes have while they are moved one by one: those of floats are loaded to and
    /// stored from where they are.
    fn moved_as(lane: Type) -> Type {
        match lane.store_size() {
            4 => Type::F32,
            8 => Type::F64,
            _ => lane,
        }
    }

    /// Loads each lane by itself, and puts them together register by register.
    fn load_lanes(&mut self, places: &[Value], lane: Type, align: u32, tag: AliasTag) -> Value {
        let loaded = Self::moved_as(lane);
        let per_register = (REGISTER / lane.store_size()).min(self.vf);
        let mut parts: Vec<Value> = Vec::new();
        for first in (0..self.vf).step_by(per_register as usize) {
            let places = &places[first as usize..(first + per_register) as usize];
            let scalars: Vec<Value> =
                places.iter().map(|&place| self.builder().load(loaded, place, align, tag, 0)).collect();
            let mut b = self.builder();
            let mut part = b.unary(Opcode::Splat, loaded.vector(per_register), scalars[0]);
            for (index, &scalar) in scalars.iter().enumerate().skip(1) {
                let number = b.iconst(Type::I32, index as i64);
                part = b.insert_lane(loaded.vector(per_register), part, scalar, number);
            }
            parts.push(part);
        }
        let mut lanes = per_register;
        while let [_, _, ..] = parts[..] {
            let all: Vec<u32> = (0..2 * lanes).collect();
            let mut b = self.builder();
            parts = parts.chunks(2).map(|pair| b.shuffle(pair[0], pair[1], &all)).collect();
            lanes *= 2;
        }
        let ty = self.vector_type(lane);
        if loaded == lane { parts[0] } else { self.builder().unary(Opcode::Bitcast, ty, parts[0]) }
    }

    /// Stores each lane by itself, of 32 bytes one half after the other.
    fn store_lanes(&mut self, vector: Value, address: Value, step: i64, align: u32, tag: AliasTag) {
        let lane = self.func.value_type(vector).lane();
        let stored = Self::moved_as(lane);
        let ty = self.vector_type(stored);
        let vector = if stored == lane { vector } else { self.builder().unary(Opcode::Bitcast, ty, vector) };
        let (vf, mut half) = (self.vf, vector);
        let per_half = if ty.store_size() == 2 * REGISTER { vf / 2 } else { vf };
        for index in 0..vf {
            let mut b = self.builder();
            if per_half < vf && index % per_half == 0 {
                half = b.shuffle(vector, vector, &(index..index + per_half).collect::<Vec<u32>>());
            }
            let number = b.iconst(Type::I32, i64::from(index % per_half));
            let taken = b.extract_lane(stored, half, number);
            let place = self.lane_place(address, step, index);
            self.builder().store(taken, place, align, tag, 0);
        }
    }

    fn lane_place(&mut self, address: Value, step: i64, index: u32) -> Value {
        if index == 0 {
            return address;
        }
        let by = self.func.iconst(Type::I64, step * i64::from(index));
        self.builder().ptradd(address, by, 0)
    }

    // ---- operations

    fn compute(&mut self, inst: Inst) -> Value {
        use Opcode::*;
        let data = self.func.insts[inst];
        let operands: Vec<Value> = self.func.operands(inst).collect();
        let lane = self.lane(self.func.first_result(inst)).ty;
        let ty = self.vector_type(lane);
        let float_flags = data.float_flags();
        match data.opcode {
            Trunc => self.vector(operands[0], lane),
            ZExt | SExt if self.func.value_type(operands[0]) == Type::I1 => {
                let mask = self.mask_of(operands[0], lane.bits());
                if data.opcode == SExt {
                    return mask;
                }
                let ones = vec![1; self.vf as usize];
                let ones = self.constant(lane, &ones);
                self.builder().binary(And, mask, ones)
            }
            ZExt | SExt => self.extended(operands[0], lane, data.opcode == SExt),
            And if self.func.const_bits(operands[1]).is_some_and(|mask| mask & lane.mask() == lane.mask()) => {
                self.vector(operands[0], lane)
            }
            Shl | LShr | AShr => {
                let x = self.vector(operands[0], lane);
                let amount = self.splat(operands[1], lane);
                self.builder().binary(data.opcode, x, amount)
            }
            Rotl | Rotr => self.rotated(data.opcode, operands[0], operands[1], lane),
            SMin | SMax if lane == Type::I8 && data.ty != Type::I8 => {
                let (x, y) = (self.vector(operands[0], lane), self.vector(operands[1], lane));
                self.builder().binary(if data.opcode == SMin { UMin } else { UMax }, x, y)
            }
            UMin | UMax if lane != data.ty && lane != Type::I8 => {
                // Both are non-negative.
                let (x, y) = (self.vector(operands[0], lane), self.vector(operands[1], lane));
                self.builder().binary(if data.opcode == UMin { SMin } else { SMax }, x, y)
            }
            SiToFp | UiToFp => {
                let x = self.extended(operands[0], Type::I32, data.opcode == SiToFp);
                self.builder().unary(SiToFp, ty, x)
            }
            FpToSi | FpToUi => {
                let x = self.own(operands[0]);
                let wide = self.vector_type(Type::I32);
                let converted = self.builder().unary(FpToSi, wide, x);
                self.resized(converted, lane, true)
            }
            FpTrunc | FpExt => {
                let x = self.own(operands[0]);
                self.builder().unary_flags(data.opcode, float_flags, ty, x)
            }
            FNeg | FAbs | Sqrt => {
                let x = self.own(operands[0]);
                self.builder().unary_flags(data.opcode, float_flags, ty, x)
            }
            Select => {
                let mask = self.mask(operands[0], lane.bits());
                let (x, y) = (self.vector(operands[1], lane), self.vector(operands[2], lane));
                let (x, y) = if mask.negated { (y, x) } else { (x, y) };
                self.builder().select(mask.value, x, y)
            }
            _ => {
                let (x, y) = (self.vector(operands[0], lane), self.vector(operands[1], lane));
                // Integer flags hold for what the program computes, not for narrower lanes or
                // speculated ones.
                let kept = if data.ty.is_float() { float_flags } else { 0 };
                self.builder().binary_flags(data.opcode, kept, x, y)
            }
        }
    }

    /// An integer extended from its own type to lanes of any width.
    fn extended(&mut self, value: Value, lane: Type, signed: bool) -> Value {
        let from = self.func.value_type(value);
        if lane.bits() <= from.bits() {
            return self.vector(value, lane);
        }
        let exact = self.vector(value, from);
        self.resized(exact, lane, signed)
    }

    fn rotated(&mut self, opcode: Opcode, value: Value, amount: Value, lane: Type) -> Value {
        let bits = u128::from(lane.bits());
        let by = self.func.const_bits(amount).expect("checked by the plan") % bits;
        let left = if opcode == Opcode::Rotl { by } else { (bits - by) % bits };
        let x = self.vector(value, lane);
        if left == 0 {
            return x;
        }
        let up = vec![left; self.vf as usize];
        let down = vec![bits - left; self.vf as usize];
        let (up, down) = (self.constant(lane, &up), self.constant(lane, &down));
        let mut b = self.builder();
        let high = b.binary(Opcode::Shl, x, up);
        let low = b.binary(Opcode::LShr, x, down);
        b.binary(Opcode::Or, high, low)
    }

    fn join(&mut self, phi: Inst) -> Value {
        let lane = self.lane(self.func.first_result(phi)).ty;
        let block = self.func.inst_block(phi).expect("placed");
        let entries: Vec<(Value, Block)> = self.func.phi_entries(phi).collect();
        // What comes along the last edge needs no mask: best one that would have to be negated.
        let edges: Vec<Option<Mask>> = entries.iter().map(|&(_, from)| self.edge_mask(from, block)).collect();
        let last = edges.iter().position(|m| m.is_none_or(|m| m.negated)).unwrap_or(entries.len() - 1);
        let mut result = self.vector(entries[last].0, lane);
        for (index, &(value, _)) in entries.iter().enumerate() {
            if index == last {
                continue;
            }
            let vector = self.vector(value, lane);
            let Some(mask) = edges[index] else { continue };
            let condition = self.resized(mask.value, Type::int(lane.bits()).expect("a lane"), true);
            let (x, y) = if mask.negated { (result, vector) } else { (vector, result) };
            result = self.builder().select(condition, x, y);
        }
        result
    }

    /// A comparison or a combination of conditions.
    fn condition(&mut self, inst: Inst) {
        let data = self.func.insts[inst];
        let result = self.func.first_result(inst);
        let operands: Vec<Value> = self.func.operands(inst).collect();
        let mut negated = false;
        let mask = match data.opcode {
            Opcode::ICmp => {
                let lane = self.lanes.exact_type(self.func, &operands, 8);
                let (x, y) = (self.vector(operands[0], lane), self.vector(operands[1], lane));
                let mut cc = data.int_cc();
                if operands.iter().all(|&v| self.lanes.is_non_negative(self.func, v)) {
                    cc = cc.signed();
                }
                // There are instructions for "equal" and "greater".
                negated = matches!(cc, IntCc::Ne | IntCc::Sle | IntCc::Sge | IntCc::Ule | IntCc::Uge);
                self.builder().icmp(if negated { cc.inverse() } else { cc }, x, y)
            }
            Opcode::FCmp => {
                let (x, y) = (self.own(operands[0]), self.own(operands[1]));
                let signaling = data.is_signaling();
                self.builder().fcmp(data.float_cc(), signaling, x, y)
            }
            opcode => {
                let bits = operands.iter().find_map(|&v| self.masks.natural_bits(v)).unwrap_or(32);
                let (x, y) = (self.mask_of(operands[0], bits), self.mask_of(operands[1], bits));
                self.builder().binary(opcode, x, y)
            }
        };
        let bits = self.func.value_type(mask).lane_bits();
        self.masks.define(result, bits, Mask { value: mask, negated });
    }
}
