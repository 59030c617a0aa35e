//! Parallel moves made sequential.
//!
//! The moves of one gap read all their sources before any writes. A move is emitted once nobody
//! needs its destination's old value any more; what remains are cycles. A cycle is broken at a
//! value that has been copied elsewhere already, or through a free register, or by `xchg` (general
//! registers), or through a slot of its own. Moves from slot to slot go through a free register of
//! either class; where there is none, a register is saved around them.

#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::problem::*;

/// One move of a parallel group. `from` is `Allocation::NONE` for a value to be computed again.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Move {
    /// Where the value goes.
    pub to: Allocation,
    /// Where it is.
    pub from: Allocation,
    /// Whose it is.
    pub vreg: VReg,
    /// Bytes that are moved.
    pub bytes: u8,
}

/// What resolving needs to know and counts.
pub(super) struct Resolver<'a> {
    vregs: &'a [VRegData],
    /// All registers that may be handed out.
    allocatable: u32,
    /// Bytes of an SSE register that any value may need: 16, or 32.
    widest: u8,
    /// Slots, to which temporary ones are added.
    pub slots: &'a mut Vec<SlotData>,
    /// Temporary slots made so far: for values in cycles and for saved registers, by log2 of the
    /// size.
    temporary: [[Option<u32>; 3]; 2],
    /// Counts.
    pub stats: &'a mut Stats,
}

/// Index into `Resolver::temporary`: a value of a cycle, a saved register.
const CYCLE: usize = 0;
const VICTIM: usize = 1;

impl<'a> Resolver<'a> {
    /// A resolver that may add to `slots`.
    pub fn new(
        vregs: &'a [VRegData],
        allocatable: u32,
        slots: &'a mut Vec<SlotData>,
        stats: &'a mut Stats,
    ) -> Resolver<'a> {
        let widest = vregs.iter().filter(|v| v.class == RegClass::Xmm).map(|v| v.spill_bytes).fold(16, u8::max);
        Resolver { vregs, allocatable, widest, slots, temporary: [[None; 3]; 2], stats }
    }

    fn bytes(&self, vreg: VReg) -> u8 {
        self.vregs[vreg.as_u32() as usize].spill_bytes
    }

    fn temporary_slot(&mut self, purpose: usize, bytes: u8) -> Allocation {
        let size = (bytes.trailing_zeros() - 3) as usize;
        let slot = *self.temporary[purpose][size].get_or_insert_with(|| {
            self.slots.push(SlotData { bytes });
            self.slots.len() as u32 - 1
        });
        Allocation::slot(slot)
    }

    fn push(&mut self, from: Allocation, to: Allocation, bytes: u8, emit: &mut dyn FnMut(MoveOp)) {
        if to.as_slot().is_some() {
            self.stats.stores += 1;
        } else if from.as_slot().is_some() {
            self.stats.reloads += 1;
        } else {
            self.stats.moves += 1;
        }
        emit(MoveOp::Move { from, to, bytes });
    }

    /// Emits one move whose destination is free to be written. `free` are registers with nothing in
    /// them.
    fn emit_one(&mut self, m: Move, free: u32, emit: &mut dyn FnMut(MoveOp)) {
        let data = self.vregs[m.vreg.as_u32() as usize];
        let bytes = m.bytes;
        if !m.from.is_none() && (m.from.as_reg().is_some() || m.to.as_reg().is_some()) {
            return self.push(m.from, m.to, bytes, emit);
        }
        let compute = |resolver: &mut Self, to: Reg, emit: &mut dyn FnMut(MoveOp)| {
            if m.from.is_none() {
                resolver.stats.remats += 1;
                emit(MoveOp::Rematerialize { vreg: m.vreg, to });
            } else {
                resolver.push(m.from, Allocation::reg(to), bytes, emit);
            }
        };
        if let Some(to) = m.to.as_reg() {
            return compute(self, to, emit);
        }
        // Slot to slot, or a computed value to a slot.
        let own = data.class.mask();
        let usable = if m.from.is_none() || bytes > 8 { own } else { u32::MAX };
        let mut scratch = free & usable & own;
        if scratch == 0 {
            scratch = free & usable;
        }
        if scratch != 0 {
            let reg = Reg(scratch.trailing_zeros() as u8);
            compute(self, reg, emit);
            self.push(Allocation::reg(reg), m.to, bytes, emit);
            return;
        }
        let victim = Reg((self.allocatable & own).trailing_zeros() as u8);
        let saved_bytes = if data.class == RegClass::Xmm { self.widest } else { 8 };
        let saved = self.temporary_slot(VICTIM, saved_bytes);
        self.push(Allocation::reg(victim), saved, saved_bytes, emit);
        compute(self, victim, emit);
        self.push(Allocation::reg(victim), m.to, bytes, emit);
        self.push(saved, Allocation::reg(victim), saved_bytes, emit);
    }

    /// Emits a parallel group. `free` are registers that hold nothing in this gap, before or after.
    pub fn resolve(&mut self, group: &mut Vec<Move>, free: u32, emit: &mut dyn FnMut(MoveOp)) {
        group.retain(|m| m.from != m.to);
        if let [only] = group[..] {
            return self.emit_one(only, free & !mask(only.from) & !mask(only.to), emit);
        }
        // Equal moves may be asked for twice (a copy and a store at a definition): the wider one
        // does for both.
        if group.len() <= 8 {
            let mut seen: SmallVec<[Move; 8]> = SmallVec::new();
            for m in group.iter() {
                match seen.iter_mut().find(|s| s.to == m.to && s.from == m.from) {
                    Some(same) if same.bytes < m.bytes => *same = *m,
                    Some(_) => {}
                    None => seen.push(*m),
                }
            }
            group.clear();
            group.extend_from_slice(&seen);
        } else {
            group.sort_by_key(|m| (m.to, m.from, std::cmp::Reverse(m.bytes)));
            group.dedup_by_key(|m| (m.to, m.from));
        }
        let free = group.iter().fold(free, |free, m| free & !mask(m.from) & !mask(m.to));
        let (moves, computed): (SmallVec<[Move; 8]>, SmallVec<[Move; 8]>) =
            group.iter().copied().partition(|m| !m.from.is_none());
        self.resolve_moves(&moves, free, emit);
        for m in computed {
            self.emit_one(m, free, emit);
        }
    }

    fn resolve_moves(&mut self, moves: &[Move], free: u32, emit: &mut dyn FnMut(MoveOp)) {
        let writers = Writers::new(moves);
        // How many pending moves read each move's destination.
        let mut readers: SmallVec<[u32; 8]> = SmallVec::from_elem(0, moves.len());
        for m in moves {
            if let Some(writer) = writers.of(moves, m.from) {
                readers[writer] += 1;
            }
        }
        let mut ready: SmallVec<[usize; 8]> = (0..moves.len()).rev().filter(|&i| readers[i] == 0).collect();
        let mut done: SmallVec<[bool; 8]> = SmallVec::from_elem(false, moves.len());
        // Where a value that is still pending to be overwritten has been copied to.
        let mut copied: SmallVec<[(Allocation, Allocation); 8]> = SmallVec::new();
        while let Some(index) = ready.pop() {
            let m = moves[index];
            self.emit_one(m, free, emit);
            done[index] = true;
            copied.push((m.from, m.to));
            if let Some(writer) = writers.of(moves, m.from) {
                readers[writer] -= 1;
                if readers[writer] == 0 {
                    ready.push(writer);
                }
            }
        }
        for first in 0..moves.len() {
            if !done[first] {
                let mut cycle: SmallVec<[usize; 8]> = SmallVec::new();
                let mut at = first;
                while !done[at] {
                    done[at] = true;
                    cycle.push(at);
                    at = writers.of(moves, moves[at].from).unwrap_or(first);
                }
                self.break_cycle(moves, &cycle, &copied, free, emit);
            }
        }
    }

    /// `cycle[k]` reads what `cycle[k + 1]` overwrites, the last one what the first one does.
    fn break_cycle(
        &mut self,
        moves: &[Move],
        cycle: &[usize],
        copied: &[(Allocation, Allocation)],
        free: u32,
        emit: &mut dyn FnMut(MoveOp),
    ) {
        // A value of the cycle that exists elsewhere in a register already: start by overwriting
        // its place.
        let elsewhere = cycle.iter().enumerate().find_map(|(at, &index)| {
            let place = moves[index].to;
            copied.iter().find(|c| c.0 == place && c.1.as_reg().is_some()).map(|c| (at, c.1))
        });
        let (start, copy) = match elsewhere {
            Some((at, copy)) => (at, copy),
            None => {
                let m = moves[cycle[0]];
                let last = moves[cycle[cycle.len() - 1]];
                let (class, bytes) = (self.vregs[last.vreg.as_u32() as usize].class, self.bytes(last.vreg));
                let scratch = free & class.mask();
                let registers = cycle.iter().all(|&i| moves[i].to.as_reg().is_some_and(|r| r.is_gpr()));
                let copy = if scratch != 0 {
                    Allocation::reg(Reg(scratch.trailing_zeros() as u8))
                } else if registers {
                    for pair in cycle.windows(2) {
                        let (Some(a), Some(b)) = (moves[pair[0]].to.as_reg(), moves[pair[1]].to.as_reg()) else {
                            continue;
                        };
                        self.stats.swaps += 1;
                        emit(MoveOp::Swap { a, b });
                    }
                    return;
                } else {
                    self.temporary_slot(CYCLE, bytes)
                };
                let save = Move { from: m.to, to: copy, vreg: last.vreg, bytes: last.bytes };
                self.emit_one(save, free & !mask(copy), emit);
                (0, copy)
            }
        };
        for k in 0..cycle.len() {
            let m = moves[cycle[(start + k) % cycle.len()]];
            let from = if k + 1 == cycle.len() { copy } else { m.from };
            self.emit_one(Move { from, ..m }, free & !mask(copy), emit);
        }
    }
}

/// The bit of a register.
fn mask(place: Allocation) -> u32 {
    place.as_reg().map_or(0, |r| 1 << r.0)
}

/// Finds the move that writes a place.
enum Writers {
    /// Few moves: look.
    Few,
    /// Many moves: a table.
    Many(FxHashMap<Allocation, usize>),
}

impl Writers {
    fn new(moves: &[Move]) -> Writers {
        for pair in moves.windows(2) {
            if pair[0].to == pair[1].to {
                base::bug!("two values for one place in a parallel move: {pair:?}");
            }
        }
        if moves.len() <= 8 {
            Writers::Few
        } else {
            Writers::Many(moves.iter().enumerate().map(|(i, m)| (m.to, i)).collect())
        }
    }

    fn of(&self, moves: &[Move], place: Allocation) -> Option<usize> {
        match self {
            Writers::Few => moves.iter().position(|m| m.to == place),
            Writers::Many(table) => table.get(&place).copied(),
        }
    }
}
