//! Operand types of the encoder: sizes, condition codes, memory addresses.

use platform::registers::Reg;

use crate::{
    function_code::Label,
    relocations::{RelocKind, SymbolRef},
};

/// Operand size of an integer instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Size {
    /// 8 bits.
    B,
    /// 16 bits.
    W,
    /// 32 bits; writing a register clears its upper half.
    D,
    /// 64 bits.
    Q,
}

impl Size {
    /// The size of `bytes` (1, 2, 4 or 8).
    ///
    /// # Panics
    /// On any other width.
    pub const fn from_bytes(bytes: u32) -> Size {
        match bytes {
            1 => Size::B,
            2 => Size::W,
            4 => Size::D,
            8 => Size::Q,
            _ => panic!("no operand size of that width"),
        }
    }

    /// Width in bytes.
    pub const fn bytes(self) -> u32 {
        1 << self as u32
    }

    /// Width in bits.
    pub const fn bits(self) -> u32 {
        8 << self as u32
    }
}

/// A register or memory operand (the ModRM byte's `rm`).
#[derive(Clone, Copy, Debug)]
pub enum Rm {
    /// A register.
    Reg(Reg),
    /// Memory.
    Mem(Mem),
}

impl From<Reg> for Rm {
    #[inline(always)]
    fn from(reg: Reg) -> Rm {
        Rm::Reg(reg)
    }
}

impl From<Mem> for Rm {
    #[inline(always)]
    fn from(mem: Mem) -> Rm {
        Rm::Mem(mem)
    }
}

/// A source operand of an integer instruction.
#[derive(Clone, Copy, Debug)]
pub enum Rmi {
    /// A register.
    Reg(Reg),
    /// Memory.
    Mem(Mem),
    /// An immediate, sign-extended from the operand size.
    Imm(i32),
}

/// A condition code; the discriminant is the low nibble of `jcc`, `setcc` and `cmovcc`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Cond {
    /// Overflow.
    O = 0,
    /// No overflow.
    NO = 1,
    /// Below (unsigned <, carry).
    B = 2,
    /// Above or equal (unsigned >=, no carry).
    AE = 3,
    /// Equal (zero).
    E = 4,
    /// Not equal.
    NE = 5,
    /// Below or equal (unsigned <=).
    BE = 6,
    /// Above (unsigned >).
    A = 7,
    /// Negative (sign).
    S = 8,
    /// Not negative.
    NS = 9,
    /// Parity even; after `ucomis`: unordered.
    P = 10,
    /// Parity odd; after `ucomis`: ordered.
    NP = 11,
    /// Less (signed <).
    L = 12,
    /// Greater or equal (signed >=).
    GE = 13,
    /// Less or equal (signed <=).
    LE = 14,
    /// Greater (signed >).
    G = 15,
}

impl Cond {
    /// The condition codes by number.
    pub const ALL: [Cond; 16] = [
        Cond::O,
        Cond::NO,
        Cond::B,
        Cond::AE,
        Cond::E,
        Cond::NE,
        Cond::BE,
        Cond::A,
        Cond::S,
        Cond::NS,
        Cond::P,
        Cond::NP,
        Cond::L,
        Cond::GE,
        Cond::LE,
        Cond::G,
    ];

    /// The condition that holds exactly when this one does not.
    pub const fn invert(self) -> Cond {
        Self::ALL[self as usize ^ 1]
    }

    /// The condition to use when the operands of the comparison are exchanged.
    pub const fn swap_operands(self) -> Cond {
        match self {
            Cond::B => Cond::A,
            Cond::A => Cond::B,
            Cond::AE => Cond::BE,
            Cond::BE => Cond::AE,
            Cond::L => Cond::G,
            Cond::G => Cond::L,
            Cond::LE => Cond::GE,
            Cond::GE => Cond::LE,
            other => other,
        }
    }

    /// The suffix in assembly (`e`, `ne`, `ae`, ...).
    pub const fn suffix(self) -> &'static str {
        ["o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"][self as usize]
    }

    /// The condition with that suffix, aliases included (`z`, `c`, `nae`, `pe`, ...).
    pub fn from_suffix(suffix: &str) -> Option<Cond> {
        Some(match suffix {
            "o" => Cond::O,
            "no" => Cond::NO,
            "b" | "c" | "nae" => Cond::B,
            "ae" | "nb" | "nc" => Cond::AE,
            "e" | "z" => Cond::E,
            "ne" | "nz" => Cond::NE,
            "be" | "na" => Cond::BE,
            "a" | "nbe" => Cond::A,
            "s" => Cond::S,
            "ns" => Cond::NS,
            "p" | "pe" => Cond::P,
            "np" | "po" => Cond::NP,
            "l" | "nge" => Cond::L,
            "ge" | "nl" => Cond::GE,
            "le" | "ng" => Cond::LE,
            "g" | "nle" => Cond::G,
            _ => return None,
        })
    }
}

/// The factor of an index register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Scale {
    /// 1
    One = 0,
    /// 2
    Two = 1,
    /// 4
    Four = 2,
    /// 8
    Eight = 3,
}

impl Scale {
    /// The scale that multiplies by `factor`, if there is one.
    pub const fn from_factor(factor: u64) -> Option<Scale> {
        Some(match factor {
            1 => Scale::One,
            2 => Scale::Two,
            4 => Scale::Four,
            8 => Scale::Eight,
            _ => return None,
        })
    }

    /// 1, 2, 4 or 8.
    pub const fn factor(self) -> u32 {
        1 << self as u32
    }
}

/// A segment override.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Segment {
    /// The default segment.
    #[default]
    None,
    /// `%fs:`, the thread pointer in user space.
    Fs,
    /// `%gs:`
    Gs,
}

/// What a memory operand's displacement is relative to, besides its registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Anchor {
    /// Nothing.
    None,
    /// `symbol+disp(%rip)` with a PC-relative relocation; no registers.
    Rip(SymbolRef, RelocKind),
    /// `label+disp(%rip)`; no registers.
    RipLabel(Label),
    /// `symbol+disp(base, index)` with an absolute, TPOFF32 or DTPOFF32 relocation.
    Absolute(SymbolRef, RelocKind),
}

/// A memory operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Mem {
    /// Base register.
    pub base: Option<Reg>,
    /// Index register (any but `rsp`) and its factor.
    pub index: Option<(Reg, Scale)>,
    /// Displacement in bytes (with an anchor: the addend).
    pub disp: i32,
    /// Symbol or label.
    pub anchor: Anchor,
    /// Segment override.
    pub segment: Segment,
}

impl Mem {
    const EMPTY: Mem = Mem { base: None, index: None, disp: 0, anchor: Anchor::None, segment: Segment::None };

    /// `disp(base)`
    #[inline]
    pub const fn base(base: Reg, disp: i32) -> Mem {
        Mem { base: Some(base), disp, ..Mem::EMPTY }
    }

    /// The register whose value is the address, if it is just that.
    pub fn as_register(&self) -> Option<Reg> {
        self.base.filter(|&base| *self == Mem::base(base, 0))
    }

    /// `disp(base, index, scale)`
    #[inline]
    pub const fn base_index(base: Reg, index: Reg, scale: Scale, disp: i32) -> Mem {
        Mem { base: Some(base), index: Some((index, scale)), disp, ..Mem::EMPTY }
    }

    /// `disp(, index, scale)`
    #[inline]
    pub const fn index(index: Reg, scale: Scale, disp: i32) -> Mem {
        Mem { index: Some((index, scale)), disp, ..Mem::EMPTY }
    }

    /// The absolute address `disp` (sign-extended).
    #[inline]
    pub const fn absolute(disp: i32) -> Mem {
        Mem { disp, ..Mem::EMPTY }
    }

    /// `symbol+addend(%rip)` with relocation `kind`: [`RelocKind::Pc32`] for the
    /// symbol itself, [`RelocKind::GotPcRel`] for its GOT entry (the relaxable
    /// variants are chosen by the instruction), [`RelocKind::GotTpOff`] and so on.
    #[inline]
    pub const fn rip_symbol(symbol: SymbolRef, addend: i32, kind: RelocKind) -> Mem {
        Mem { disp: addend, anchor: Anchor::Rip(symbol, kind), ..Mem::EMPTY }
    }

    /// `label(%rip)`
    #[inline]
    pub const fn rip_label(label: Label) -> Mem {
        Mem { anchor: Anchor::RipLabel(label), ..Mem::EMPTY }
    }

    /// `symbol+addend` as an absolute 32-bit sign-extended address (non-PIC code).
    #[inline]
    pub const fn abs_symbol(symbol: SymbolRef, addend: i32) -> Mem {
        Mem { disp: addend, anchor: Anchor::Absolute(symbol, RelocKind::Abs32S), ..Mem::EMPTY }
    }

    /// `%fs:symbol@tpoff+addend`: a thread-local variable, local-exec model.
    #[inline]
    pub const fn tls_local_exec(symbol: SymbolRef, addend: i32) -> Mem {
        Mem { disp: addend, anchor: Anchor::Absolute(symbol, RelocKind::TpOff32), segment: Segment::Fs, ..Mem::EMPTY }
    }

    /// The same address with a base register added (the address must not be RIP-relative).
    #[inline]
    pub const fn with_base(self, base: Reg) -> Mem {
        Mem { base: Some(base), ..self }
    }

    /// The same address with an index added (the address must not be RIP-relative).
    #[inline]
    pub const fn with_index(self, index: Reg, scale: Scale) -> Mem {
        Mem { index: Some((index, scale)), ..self }
    }

    /// The same address in another segment.
    #[inline]
    pub const fn with_segment(self, segment: Segment) -> Mem {
        Mem { segment, ..self }
    }

    /// The address `bytes` further on.
    #[inline]
    pub const fn offset(self, bytes: i32) -> Mem {
        Mem { disp: self.disp + bytes, ..self }
    }
}
