//! Memory operands of machine instructions.

use super::inst::VReg;
use object::Segment;

/// What the base of an address is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// None.
    None,
    /// A register.
    Reg(VReg),
    /// A frame slot ([`super::MachineFunction::slots`]).
    Slot(u32),
    /// A spill slot of the allocator.
    Spill(u32),
    /// The start of the incoming stack arguments.
    Incoming,
    /// The start of the outgoing stack arguments (`rsp`).
    Outgoing,
}

/// What the displacement is relative to, besides registers. The number is a symbol
/// (`object::SymbolRef` bits) unless it says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Nothing.
    None,
    /// `symbol(%rip)`
    Rip(u32),
    /// `symbol@GOTPCREL(%rip)`
    Got(u32),
    /// `symbol@GOTTPOFF(%rip)`
    GotTpOff(u32),
    /// Absolute 32-bit address.
    Absolute(u32),
    /// `symbol@TPOFF`
    TpOff(u32),
    /// `symbol@DTPOFF`
    DtpOff(u32),
    /// Constant number ([`super::MachineFunction::constants`]), rip-relative.
    Constant(u32),
    /// Jump table number, rip-relative.
    JumpTable(u32),
    /// Jump table number, absolute.
    JumpTableAbsolute(u32),
    /// Library routine number ([`super::MachineFunction::library_names`]), for
    /// [`super::Op::Address`].
    Library(u32),
}

impl Place {
    /// Whether the address is relative to the instruction pointer, so that no register can be
    /// added.
    pub fn is_rip(self) -> bool {
        matches!(self, Place::Rip(_) | Place::Got(_) | Place::GotTpOff(_) | Place::Constant(_) | Place::JumpTable(_))
    }
}

/// `segment:place + base + index * 2^shift + disp`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Amode {
    /// Base.
    pub base: Base,
    /// Index register.
    pub index: VReg,
    /// log2 of the index's factor.
    pub shift: u8,
    /// Segment override.
    pub segment: Segment,
    /// Symbol.
    pub place: Place,
    /// Displacement in bytes.
    pub disp: i32,
}

impl Amode {
    /// The absolute address 0.
    pub const EMPTY: Amode =
        Amode { base: Base::None, index: VReg::NONE, shift: 0, segment: Segment::None, place: Place::None, disp: 0 };

    /// `disp(base)`
    pub fn base(base: VReg, disp: i32) -> Amode {
        Amode { base: Base::Reg(base), disp, ..Amode::EMPTY }
    }

    /// A frame slot.
    pub fn slot(slot: u32, disp: i32) -> Amode {
        Amode { base: Base::Slot(slot), disp, ..Amode::EMPTY }
    }

    /// An incoming stack argument.
    pub fn incoming(disp: i32) -> Amode {
        Amode { base: Base::Incoming, disp, ..Amode::EMPTY }
    }

    /// An outgoing stack argument.
    pub fn outgoing(disp: i32) -> Amode {
        Amode { base: Base::Outgoing, disp, ..Amode::EMPTY }
    }

    /// A symbol or other place.
    pub fn place(place: Place, disp: i32) -> Amode {
        Amode { place, disp, ..Amode::EMPTY }
    }

    /// The address `bytes` further on.
    #[must_use]
    pub fn offset(self, bytes: i32) -> Amode {
        Amode { disp: self.disp.wrapping_add(bytes), ..self }
    }

    /// The same if `bytes` can be added to the displacement without leaving what an instruction can
    /// hold.
    pub fn checked_offset(self, bytes: i64) -> Option<Amode> {
        // Frame offsets are added later: keep a margin. Symbols plus large offsets may leave the 2
        // GiB that the code model promises.
        const MARGIN: i64 = 1 << 28;
        let disp = i64::from(self.disp) + bytes;
        let limit = if self.place == Place::None && matches!(self.base, Base::Reg(_) | Base::None) {
            i64::from(i32::MAX)
        } else if self.place == Place::None {
            MARGIN
        } else {
            16 << 20
        };
        (-limit..=limit).contains(&disp).then_some(Amode { disp: disp as i32, ..self })
    }
}
