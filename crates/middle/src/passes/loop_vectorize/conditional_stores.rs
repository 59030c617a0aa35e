//! Stores that only some iterations run, which must not write for the others: not even what is
//! there, since another thread may write it, or nobody.
//!
//! The vector is stored as a whole where all lanes store, and not at all where none does; otherwise
//! its elements are stored one by one, from a copy of the vector on the stack. A group of
//! iterations mispredicts about as many branches as one iteration of the scalar loop. With AVX, one
//! instruction stores elements of 4 or 8 bytes by a mask, but slowly on some processors: the
//! branches stay.
//!
//! ```text
//! block:  bits = movemask mask; cond_br bits != 0, some, rest
//! some:   cond_br bits == all, whole, mixed
//! whole:  store vector; br rest
//! mixed:  masked_store mask, vector; br rest         or
//! mixed:  store vector to the stack; br lanes
//! lanes:  left = phi [bits, mixed], [left & (left - 1), lanes]
//!         copy the element at cttz(left); cond_br more, lanes, rest
//! rest:   ...
//! ```

use ir::{
    AliasTags, Block, BranchHint, Builder, Function, Inst, IntCc, Intrinsic, MemInfo, Odds, Opcode, Position, Type,
    Value, flags,
};

use super::emit::{Emitter, REGISTER};

/// A store of a register, for some of its lanes.
pub struct ConditionalStore {
    /// The store, in the vector loop.
    store: Inst,
    /// The lanes that store have all bits set.
    mask: Value,
    /// The scalar loop's store.
    scalar: Inst,
    /// Whether an instruction stores some of the lanes.
    masked: bool,
}

/// The last conditional store in the order of the program, as it is before it is cut into parts.
pub struct Pending {
    /// The scalar loop's store.
    scalar: Inst,
    /// What all lanes would store.
    vector: Value,
    /// Which of them do.
    mask: Value,
    /// Where its parts begin among the stores.
    first: usize,
}

impl Emitter<'_> {
    /// Stores the lanes that run the scalar loop's store `inst`; each part of a register by itself.
    pub fn store_where(&mut self, inst: Inst, vector: Value, address: Value) {
        let block = self.func.inst_block(inst).expect("placed");
        let Some(mask) = self.block_mask(block) else { base::bug!("a store that all iterations run") };
        let lane = self.func.value_type(vector).lane();
        let positive = self.positive(mask);
        let mask = self.resized(positive, Type::int(lane.bits()).expect("a lane"), true);
        let (vector, mask) = self.with_pending(inst, vector, mask);
        self.pending = Some(Pending { scalar: inst, vector, mask, first: self.conditional.len() });
        let MemInfo { align_log2, tag } = self.func.mem_info(inst);
        let masked = self.plan.masked_bytes.filter(|_| lane.store_size() >= 4);
        let each = (masked.unwrap_or(REGISTER) / lane.store_size()).min(self.vf);
        for first in (0..self.vf).step_by(each as usize) {
            let lanes: Vec<u32> = (first..first + each).collect();
            let whole = self.vf == each;
            let mut b = self.builder();
            let part = if whole { vector } else { b.shuffle(vector, vector, &lanes) };
            let mask = if whole { mask } else { b.shuffle(mask, mask, &lanes) };
            let place = b.ptradd_imm(address, i64::from(first * lane.store_size()));
            let store = b.store(part, place, 1 << align_log2, tag, 0);
            self.conditional.push(ConditionalStore { store, mask, scalar: inst, masked: masked.is_some() });
        }
    }

    /// What one store has to store, and for which lanes, where the one right before it goes to the
    /// same place, as on the two sides of a branch: the earlier one is removed.
    fn with_pending(&mut self, inst: Inst, vector: Value, mask: Value) -> (Value, Value) {
        let Some(pending) = self.pending.take() else { return (vector, mask) };
        let access =
            |inst: Inst| self.plan.accesses.iter().position(|a| a.inst == inst).expect("an access of the loop");
        let (early, late) = (access(pending.scalar), access(inst));
        let [x, y] = [early, late].map(|index| &self.plan.accesses[index]);
        let same_type = self.func.value_type(pending.vector) == self.func.value_type(vector);
        let same_tag = self.func.mem_info(pending.scalar).tag == self.func.mem_info(inst).tag;
        if late != early + 1 || !same_type || !same_tag || x.address.distance_to(&y.address) != Some(0) {
            return (vector, mask);
        }
        for earlier in self.conditional.drain(pending.first..) {
            self.func.remove_inst(earlier.store);
        }
        let mut b = self.builder();
        (b.select(mask, vector, pending.vector), b.binary(Opcode::Or, mask, pending.mask))
    }
}

/// Puts branches around the stores, which the vector loop runs for all lanes so far.
pub fn branch_around(func: &mut Function, stores: &[ConditionalStore]) {
    if stores.is_empty() {
        return;
    }
    let entry = func.entry();
    let first = func.first_inst(entry).expect("ends in a jump");
    let by_lanes = stores.iter().any(|store| !store.masked);
    let copy = by_lanes.then(|| Builder::before(func, first).alloca(u64::from(REGISTER), REGISTER));
    for store in stores {
        store.branch_around(func, copy);
    }
}

impl ConditionalStore {
    fn branch_around(&self, func: &mut Function, copy: Option<Value>) {
        let (place, vector) = (func.operand(self.store, 0), func.operand(self.store, 1));
        let ty = func.value_type(vector);
        // Of each lane a bit, or the lowest of its bytes' bits, which stands where its byte does.
        let step = if self.masked { 1 } else { ty.lane().store_size() };
        let all = (0..ty.lanes()).fold(0, |bits, lane| bits | 1 << (lane * step));
        let mut b = Builder::before(func, self.store);
        let signs =
            if self.masked { self.mask } else { b.unary(Opcode::Bitcast, Type::I8.vector(REGISTER), self.mask) };
        let movemask = b.intrinsic(Intrinsic::MoveMask, Type::I32, &[signs]);
        let mut bits = b.func.first_result(movemask);
        let (none, whole) = (b.iconst(Type::I32, 0), b.iconst(Type::I32, all));
        if step > 1 {
            bits = b.binary(Opcode::And, bits, whole);
        }
        let any = b.icmp(IntCc::Ne, bits, none);
        let every = b.icmp(IntCc::Eq, bits, whole);

        let block = func.inst_block(self.store).expect("placed");
        let behind = func.next_inst(self.store).expect("ends in a jump");
        let rest = func.split_block(behind);
        let mut last = block;
        let mut next = |func: &mut Function| {
            let made = func.make_block();
            func.insert_block_after(last, made);
            last = made;
            made
        };
        let (some, in_one, mixed) = (next(func), next(func), next(func));
        func.split_insts(self.store, in_one);
        // Where a mask is slow, the other way may as well take a jump more.
        let often = Odds::of(2, 1).filter(|_| self.masked).map_or(BranchHint::None, BranchHint::Measured);
        Builder::new(func, Position::End(block)).cond_br(any, some, rest, BranchHint::None);
        Builder::new(func, Position::End(some)).cond_br(every, in_one, mixed, often);
        Builder::new(func, Position::End(in_one)).br(rest);
        let mut b = Builder::new(func, Position::End(mixed));
        match copy.filter(|_| !self.masked) {
            None => {
                b.intrinsic(Intrinsic::MaskedStore, Type::VOID, &[place, self.mask, vector]);
                b.br(rest);
            }
            Some(copy) => {
                b.store(vector, copy, REGISTER, AliasTags::any(), 0);
                let lanes = next(b.func);
                b.br(lanes);
                self.store_elements(func, (bits, mixed), (copy, place), (lanes, rest));
            }
        }
    }

    /// The loop over the lanes whose bits are set.
    fn store_elements(
        &self,
        func: &mut Function,
        (bits, mixed): (Value, Block),
        (copy, place): (Value, Value),
        (lanes, rest): (Block, Block),
    ) {
        let element = func.value_type(func.operand(self.scalar, 1));
        let MemInfo { align_log2, tag } = func.mem_info(self.scalar);
        let mut b = Builder::new(func, Position::End(lanes));
        let phi = b.phi(Type::I32, &[(bits, mixed)]);
        let left = b.func.first_result(phi);
        let lowest = b.unary_flags(Opcode::Cttz, flags::ZERO_UNDEF, Type::I32, left);
        let offset = b.unary(Opcode::ZExt, Type::I64, lowest);
        let from = b.ptradd(copy, offset, 0);
        let value = b.load(element, from, element.store_size(), AliasTags::any(), 0);
        let to = b.ptradd(place, offset, 0);
        b.store(value, to, 1 << align_log2, tag, 0);
        let less_one = b.iconst(Type::I32, -1);
        let below = b.binary(Opcode::Add, left, less_one);
        let after = b.binary(Opcode::And, left, below);
        let none = b.iconst(Type::I32, 0);
        let more = b.icmp(IntCc::Ne, after, none);
        b.cond_br(more, lanes, rest, BranchHint::None);
        func.phi_push(phi, after, lanes);
    }
}
