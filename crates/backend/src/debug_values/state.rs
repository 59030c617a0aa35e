//! Where variables are at one position of machine code: for each the registers, the slot and the
//! constant that all hold it, and for each register and slot the variables that it may hold.

use ir::{Linear, Value};
use platform::registers::Reg;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::machine::CALLER_SAVED;

/// Where a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spot {
    /// Nowhere.
    Nowhere,
    /// It is this constant.
    Constant(Value),
    /// In a register.
    Register(Reg),
    /// In a spill slot.
    Slot(u32),
    /// Where it came in the stack argument area, at this offset.
    Incoming(i32),
    /// It is what this register held at entry.
    Entry(Reg),
    /// It is computed, in this way of [`MachineFunction::computed`].
    Computed(u32),
}

/// Where the value is of which a variable is a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The value's place.
    pub spot: Spot,
    /// The function.
    pub linear: Linear,
    /// Bytes of the value; 0 if the variable is the value.
    pub bytes: u8,
}

impl Found {
    /// Nowhere.
    pub const NOWHERE: Found = Found { spot: Spot::Nowhere, linear: Linear::IDENTITY, bytes: 0 };
}

/// What holds a variable: all of it does.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Set {
    /// Registers, a bit each.
    pub regs: u32,
    /// The spill slot plus one.
    pub slot: u32,
    /// The constant that it is.
    pub constant: Option<Value>,
    /// What this parameter had at entry, by index plus one.
    pub incoming: u16,
    /// Bytes of the value in these places.
    pub bytes: u8,
    /// The variable is this function of that value.
    pub linear: Linear,
    /// How it is computed if it is nowhere, plus one.
    pub computed: u32,
    /// A register that holds the value but for a number that is to be added.
    pub sum: Option<(u8, i32)>,
}

impl Set {
    /// Whether nothing does.
    pub fn is_nowhere(self) -> bool {
        self.sum.is_none()
            && self.computed == 0
            && self.regs == 0
            && self.slot == 0
            && self.constant.is_none()
            && self.incoming == 0
    }

    /// What holds it on both of two ways.
    pub fn meet(self, other: Set) -> Set {
        let computed = if self.computed == other.computed { self.computed } else { 0 };
        if self.linear != other.linear {
            return Set { computed, ..Set::default() };
        }
        Set {
            computed,
            sum: self.sum.filter(|_| self.sum == other.sum),
            linear: self.linear,
            bytes: self.bytes.min(other.bytes),
            regs: self.regs & other.regs,
            slot: if self.slot == other.slot { self.slot } else { 0 },
            constant: self.constant.filter(|_| self.constant == other.constant),
            incoming: if self.incoming == other.incoming { self.incoming } else { 0 },
        }
    }

    /// Where a debugger is to look for it.
    pub fn found(self, homes: &[Spot]) -> Found {
        let spot = self.spot(homes);
        if let (Spot::Nowhere | Spot::Entry(_), Some((reg, offset)), 1..=8) = (spot, self.sum, self.bytes)
            && let Some(linear) = self.linear.after(Linear::sum(offset.into()))
        {
            return Found { spot: Spot::Register(Reg(reg)), linear, bytes: self.bytes };
        }
        match spot {
            Spot::Nowhere | Spot::Entry(_) if self.computed != 0 => {
                Found { spot: Spot::Computed(self.computed - 1), ..Found::NOWHERE }
            }
            Spot::Nowhere => Found::NOWHERE,
            _ if self.linear.is_identity() => Found { spot, ..Found::NOWHERE },
            Spot::Register(reg) if reg.is_xmm() => Found::NOWHERE,
            _ if self.bytes == 0 || self.bytes > 8 => Found::NOWHERE,
            _ => Found { spot, linear: self.linear, bytes: self.bytes },
        }
    }

    /// The register that holds a sum, as a bit.
    pub fn sum_register(self) -> u32 {
        self.sum.map_or(0, |(reg, _)| 1 << reg)
    }

    /// Forgets what these registers hold.
    pub fn lose(&mut self, regs: u32) {
        self.regs &= !regs;
        if self.sum_register() & regs != 0 {
            self.sum = None;
        }
    }

    /// Register `to` becomes what `from` holds plus a number.
    pub fn add(&mut self, from: Reg, to: Reg, number: i32, bytes: u8) {
        let sum = match self.sum {
            _ if !(1..=bytes).contains(&self.bytes) || from == to => None,
            _ if self.regs & 1 << from.0 != 0 => number.checked_neg(),
            Some((reg, offset)) if reg == from.0 => offset.checked_sub(number),
            _ => None,
        };
        self.lose(1 << to.0);
        if let Some(offset) = sum {
            self.sum = Some((to.0, offset));
        }
    }

    /// Places that outlive calls first.
    pub fn spot(self, homes: &[Spot]) -> Spot {
        if let Some(value) = self.constant {
            return Spot::Constant(value);
        }
        let lasting = self.regs & !CALLER_SAVED;
        if lasting != 0 {
            Spot::Register(Reg(lasting.trailing_zeros() as u8))
        } else if self.slot != 0 {
            Spot::Slot(self.slot - 1)
        } else if self.regs != 0 {
            Spot::Register(Reg(self.regs.trailing_zeros() as u8))
        } else {
            homes_of(homes, self.incoming)
        }
    }
}

/// The variables that have a place, by ascending number.
pub type Known = Vec<(u32, Set)>;

/// Where variables are at one position, and which a register or slot may hold.
pub struct State {
    /// By number; those that are not active are nowhere.
    pub sets: Vec<Set>,
    pub active: Vec<u32>,
    pub is_active: Vec<bool>,
    /// By register: those that it holds, and some that it has held.
    pub holders: [Vec<u32>; 32],
    /// By variable: the registers among whose holders it is.
    pub listed: Vec<u32>,
    /// The same by slot plus one, and of what is computed from memory; with repetitions.
    pub in_slots: FxHashMap<u32, Vec<u32>>,
    pub from_memory: Vec<u32>,
    /// Those that have changed since this was looked at, with repetitions.
    pub changed: Vec<u32>,
}

impl State {
    /// For so many variables, all nowhere.
    pub fn new(keys: usize) -> State {
        State {
            sets: vec![Set::default(); keys],
            active: Vec::new(),
            is_active: vec![false; keys],
            holders: [const { Vec::new() }; 32],
            listed: vec![0; keys],
            in_slots: FxHashMap::default(),
            from_memory: Vec::new(),
            changed: Vec::new(),
        }
    }

    /// Makes it that of another position.
    pub fn load(&mut self, known: &[(u32, Set)]) {
        for key in self.active.drain(..) {
            self.sets[key as usize] = Set::default();
            self.is_active[key as usize] = false;
            self.listed[key as usize] = 0;
        }
        self.holders.iter_mut().for_each(Vec::clear);
        self.in_slots.clear();
        self.from_memory.clear();
        for &(key, set) in known {
            self.put(key, set);
        }
        self.changed.clear();
    }

    /// Where a variable is from here on.
    pub fn put(&mut self, key: u32, set: Set) {
        if !std::mem::replace(&mut self.is_active[key as usize], true) {
            self.active.push(key);
        }
        self.sets[key as usize] = set;
        self.changed.push(key);
        let holding = set.regs | set.sum_register();
        let mut new = holding & !self.listed[key as usize];
        self.listed[key as usize] |= holding;
        while new != 0 {
            self.holders[new.trailing_zeros() as usize].push(key);
            new &= new - 1;
        }
        if set.slot != 0 {
            self.in_slots.entry(set.slot).or_default().push(key);
        }
        if set.computed != 0 {
            self.from_memory.push(key);
        }
    }

    /// The variables that these registers hold, in some form, and those in a slot.
    pub fn held(&mut self, mut regs: u32, slot: u32) -> SmallVec<[u32; 8]> {
        let mut found: SmallVec<[u32; 8]> = SmallVec::new();
        while regs != 0 {
            let (reg, bit) = (regs.trailing_zeros() as usize, regs & regs.wrapping_neg());
            regs ^= bit;
            self.holders[reg].retain(|&key| {
                let set = &self.sets[key as usize];
                let holds = (set.regs | set.sum_register()) & bit != 0;
                self.listed[key as usize] &= if holds { u32::MAX } else { !bit };
                holds
            });
            found.extend_from_slice(&self.holders[reg]);
        }
        if slot != 0
            && let Some(list) = self.in_slots.get_mut(&slot)
        {
            list.retain(|&key| self.sets[key as usize].slot == slot);
            found.extend_from_slice(list);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Does something to what holds these variables.
    pub fn change(&mut self, keys: &[u32], change: impl Fn(&mut Set)) {
        for &key in keys {
            let before = self.sets[key as usize];
            let mut now = before;
            change(&mut now);
            if now != before {
                self.put(key, now);
            }
        }
    }

    /// The variables that are anywhere.
    pub fn known(&self) -> Known {
        let all = self.active.iter().map(|&key| (key, self.sets[key as usize]));
        let mut known: Known = all.filter(|(_, set)| !set.is_nowhere()).collect();
        known.sort_unstable_by_key(|k| k.0);
        known
    }
}

/// What is known for good of a parameter by its index plus one.
pub fn homes_of(homes: &[Spot], incoming: u16) -> Spot {
    homes.get(usize::from(incoming)).copied().unwrap_or(Spot::Nowhere)
}

/// These registers and this slot, plus one, hold something else from here on.
pub fn forget(state: &mut State, regs: u32, slot: u32) {
    if regs == 0 && slot == 0 {
        return;
    }
    let keys = state.held(regs, slot);
    state.change(&keys, |set| {
        set.lose(regs);
        if slot != 0 && set.slot == slot {
            set.slot = 0;
        }
    });
}

/// Leaves of `known` what the other way knows, too; true if that is less.
pub fn meet(known: &mut Known, other: &[(u32, Set)]) -> bool {
    let mut changed = false;
    let mut rest = other.iter().peekable();
    known.retain_mut(|(key, set)| {
        while rest.next_if(|(other, _)| other < key).is_some() {}
        let met = match rest.peek() {
            Some((other, there)) if other == key => set.meet(*there),
            _ => Set::default(),
        };
        changed |= met != *set;
        *set = met;
        !met.is_nowhere()
    });
    changed
}
