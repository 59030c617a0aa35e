//! Which variables may lie at one address: those that never live at the same time.
//!
//! A variable lives from a `lifetime_start` to the `lifetime_end`s that follow. Live variables are
//! found by forward flow over blocks ("may live": some way here has a start and no end after it). A
//! variable that starts while another one lives interferes with it; every other pair may share
//! memory. Greedy colouring, the largest variable first, gives the groups; a group is as large and
//! as aligned as its members need.
//!
//! A variable without markers lives all the time. So does one that is accessed where it does not
//! live according to its markers, in the sense of the flow: whatever moved the access there, or
//! lost the marker, did not mean it to be shared.
//!
//! Cost: two or three passes over the function with a bit per block and candidate; at most
//! [`MAX_CANDIDATES`], the largest.

#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use super::Cfg;
use crate::{Block, Function, Inst, Opcode, Value};

/// Variables that are looked at; the rest do not share.
const MAX_CANDIDATES: usize = 512;

/// The group that a variable shares its memory with.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Shared {
    /// Counts from one.
    pub colour: u32,
    /// Bytes.
    pub size: u64,
    /// Bytes.
    pub align: u32,
}

/// The groups of two variables or more, by alloca.
pub fn colour(func: &Function, cfg: &Cfg) -> FxHashMap<Inst, Shared> {
    let Some(candidates) = Candidates::find(func, cfg) else { return FxHashMap::default() };
    let flow = candidates.flow(func, cfg);
    let interference = candidates.interference(func, cfg, &flow);
    candidates.assign(func, &interference)
}

/// A set of candidates.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: usize) -> Bits {
        Bits(vec![0; count.div_ceil(64)])
    }

    fn has(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 != 0
    }

    fn set(&mut self, index: usize, on: bool) {
        let bit = 1 << (index % 64);
        self.0[index / 64] = if on { self.0[index / 64] | bit } else { self.0[index / 64] & !bit };
    }

    /// True if something was new.
    fn absorb(&mut self, other: &Bits) -> bool {
        let mut new = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            new |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        new
    }
}

struct Candidates {
    /// Largest first.
    allocas: Vec<Inst>,
    /// The candidate that a value is the address of, or the address of a part of.
    of_value: FxHashMap<Value, usize>,
}

/// What an instruction is to a candidate.
enum Event {
    Start(usize),
    End(usize),
    Access(usize),
}

impl Candidates {
    /// Allocas with a start, if there are two. Functions that return twice share nothing.
    fn find(func: &Function, cfg: &Cfg) -> Option<Candidates> {
        if func.calls_setjmp {
            return None;
        }
        let insts = || cfg.reverse_postorder().flat_map(|b| func.block_insts(b));
        let mut allocas: Vec<Inst> = Vec::new();
        for inst in insts().filter(|&i| func.insts[i].opcode == Opcode::LifetimeStart) {
            let alloca = func.def_with(func.operand(inst, 0), Opcode::Alloca);
            allocas.extend(alloca);
        }
        allocas.sort_unstable_by_key(|&inst| {
            let (size, align) = func.alloca_info(inst);
            (std::cmp::Reverse((size, align)), inst)
        });
        allocas.dedup();
        allocas.truncate(MAX_CANDIDATES);
        if allocas.len() < 2 {
            return None;
        }
        let mut of_value: FxHashMap<Value, usize> =
            allocas.iter().enumerate().map(|(index, &inst)| (func.first_result(inst), index)).collect();
        for inst in insts().filter(|&i| func.insts[i].opcode == Opcode::PtrAdd) {
            if let Some(&index) = of_value.get(&func.operand(inst, 0)) {
                of_value.insert(func.first_result(inst), index);
            }
        }
        Some(Candidates { allocas, of_value })
    }

    fn events(&self, func: &Function, inst: Inst, mut event: impl FnMut(Event)) {
        let opcode = func.insts[inst].opcode;
        let first = || self.of_value.get(&func.operand(inst, 0)).copied();
        match opcode {
            Opcode::LifetimeStart => first().into_iter().for_each(|index| event(Event::Start(index))),
            Opcode::LifetimeEnd => first().into_iter().for_each(|index| event(Event::End(index))),
            // Addresses are no accesses, and may be computed anywhere.
            Opcode::PtrAdd | Opcode::Phi | Opcode::Select | Opcode::ICmp | Opcode::PtrToInt => {}
            _ => func
                .operands(inst)
                .filter_map(|value| self.of_value.get(&value))
                .for_each(|&index| event(Event::Access(index))),
        }
    }

    /// What may live at the beginning of each block.
    fn flow(&self, func: &Function, cfg: &Cfg) -> FxHashMap<Block, Bits> {
        let mut at_start: FxHashMap<Block, Bits> = FxHashMap::default();
        at_start.insert(func.entry(), Bits::new(self.allocas.len()));
        let mut changed = true;
        while changed {
            changed = false;
            for block in cfg.reverse_postorder() {
                let Some(mut live) = at_start.get(&block).cloned() else { continue };
                for inst in func.block_insts(block) {
                    self.events(func, inst, |event| match event {
                        Event::Start(index) => live.set(index, true),
                        Event::End(index) => live.set(index, false),
                        Event::Access(_) => {}
                    });
                }
                for &target in cfg.succs(block) {
                    match at_start.get_mut(&target) {
                        Some(known) => changed |= known.absorb(&live),
                        None => {
                            at_start.insert(target, live.clone());
                            changed = true;
                        }
                    }
                }
            }
        }
        at_start
    }

    /// For each candidate those that live when it starts, and the other way around. One that is
    /// accessed while it does not live interferes with all.
    fn interference(&self, func: &Function, cfg: &Cfg, at_start: &FxHashMap<Block, Bits>) -> Vec<Bits> {
        let count = self.allocas.len();
        let mut conflicts = vec![Bits::new(count); count];
        let mut pinned = Bits::new(count);
        for block in cfg.reverse_postorder() {
            let mut live = at_start[&block].clone();
            for inst in func.block_insts(block) {
                self.events(func, inst, |event| match event {
                    Event::Start(index) => {
                        conflicts[index].absorb(&live);
                        live.set(index, true);
                    }
                    Event::End(index) => live.set(index, false),
                    Event::Access(index) if !live.has(index) => pinned.set(index, true),
                    Event::Access(_) => {}
                });
            }
        }
        for a in 0..count {
            for b in 0..count {
                if pinned.has(a) || pinned.has(b) || conflicts[a].has(b) {
                    conflicts[a].set(b, true);
                    conflicts[b].set(a, true);
                }
            }
        }
        conflicts
    }

    fn assign(&self, func: &Function, conflicts: &[Bits]) -> FxHashMap<Inst, Shared> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for index in 0..self.allocas.len() {
            let fits = |group: &&mut Vec<usize>| group.iter().all(|&other| !conflicts[index].has(other));
            match groups.iter_mut().find(fits) {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        let mut shared = FxHashMap::default();
        for (group, colour) in groups.iter().filter(|g| g.len() > 1).zip(1..) {
            let info = || group.iter().map(|&index| func.alloca_info(self.allocas[index]));
            let size = info().map(|i| i.0).max().unwrap_or(0);
            let align = info().map(|i| i.1).max().unwrap_or(1);
            shared.extend(group.iter().map(|&index| (self.allocas[index], Shared { colour, size, align })));
        }
        shared
    }
}
