//! Records of variables among machine instructions, and what instructions write: see
//! [`crate::debug_values`].

use ir::{Fragment, Linear, SymbolId, Value};
use platform::debug_steps::Step;
use platform::registers::Reg;

use super::VReg;

/// What holds a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// Nothing that is known.
    Unknown,
    /// A constant of the function.
    Constant(Value),
    /// A register, virtual until allocation.
    Register(VReg),
    /// A spill slot.
    Slot(u32),
}

/// A record before machine instruction `at`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MachineRecord {
    /// The instruction.
    pub at: u32,
    /// Number of the variable.
    pub variable: u32,
    /// Its bytes; `None` for all.
    pub fragment: Option<Fragment>,
    /// Where the value is of which they are a function.
    pub held: Held,
    /// That function, and how many bytes the value has.
    pub linear: Linear,
    /// See [`MachineRecord::linear`].
    pub bytes: u8,
    /// The value is the one that this parameter of the IR function had at entry, by index plus one;
    /// 0: it is not known to be.
    pub incoming: u16,
    /// How it is computed where nothing holds it: index in [`super::MachineFunction::computed`]
    /// plus one; 0: not at all.
    pub computed: u32,
}

/// How a debugger computes a variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Computed {
    /// The steps.
    pub steps: Vec<Step<Source>>,
    /// See [`ir::DebugSteps::reads`].
    pub reads: Vec<Option<SymbolId>>,
}

/// What a variable is computed from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// A constant of the function.
    Constant(Value),
    /// What a variable of this number holds, which the program does not have.
    Part(u32),
}

/// Where a parameter's variable is when the function is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// Number of the variable.
    pub variable: u32,
    /// Its bytes; `None` for all.
    pub fragment: Option<Fragment>,
    /// Where it comes.
    pub place: ArrivalPlace,
    /// Index of the parameter plus one.
    pub incoming: u16,
    /// Bytes of the parameter.
    pub bytes: u8,
    /// The variable is this function of it.
    pub linear: Linear,
}

/// Where an argument comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrivalPlace {
    /// Every call passes this constant.
    Constant(Value),
    /// In a register.
    Register(Reg),
    /// In the stack argument area, at this offset.
    Stack(i32),
}

/// What an instruction writes, after allocation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Writes {
    /// Registers, a bit each.
    pub regs: u32,
    /// A spill slot plus one; 0: none.
    pub slot: u32,
}

impl Writes {
    /// What is written by defining a place.
    pub fn define(&mut self, place: VReg) {
        match place.spill_slot() {
            Some(slot) => self.slot = slot + 1,
            None if place.is_some() && !place.is_virtual() => self.regs |= 1 << place.0,
            None => {}
        }
    }
}
