//! Physical registers of x86-64 and their assembly names.
//!
//! A [`Reg`] is one byte: 0..16 are the general-purpose registers in hardware
//! order, 16..32 the SSE registers, 32..40 the x87 stack, 40..48 the MMX
//! registers. The low bits are therefore the encoding in a ModRM byte (with its
//! REX extension), and a [`RegSet`] over everything an allocator may hand out
//! fits in a `u64`.

use std::fmt;

/// A physical register, independent of the width it is used at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(pub u8);

/// The register file a [`Reg`] belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum RegClass {
    /// `rax` to `r15`.
    Gpr,
    /// `xmm0` to `xmm15` (and the `ymm` registers that contain them).
    Xmm,
    /// `st(0)` to `st(7)`.
    X87,
    /// `mm0` to `mm7`.
    Mmx,
}

macro_rules! registers {
    ($($name:ident = $number:expr;)*) => {
        $(#[doc = concat!("The register `", stringify!($name), "`.")]
        pub const $name: Reg = Reg($number);)*
    };
}

registers! {
    RAX = 0; RCX = 1; RDX = 2; RBX = 3; RSP = 4; RBP = 5; RSI = 6; RDI = 7;
    R8 = 8; R9 = 9; R10 = 10; R11 = 11; R12 = 12; R13 = 13; R14 = 14; R15 = 15;
    XMM0 = 16; XMM1 = 17; XMM2 = 18; XMM3 = 19; XMM4 = 20; XMM5 = 21; XMM6 = 22; XMM7 = 23;
    XMM8 = 24; XMM9 = 25; XMM10 = 26; XMM11 = 27; XMM12 = 28; XMM13 = 29; XMM14 = 30; XMM15 = 31;
    ST0 = 32; ST1 = 33; ST2 = 34; ST3 = 35; ST4 = 36; ST5 = 37; ST6 = 38; ST7 = 39;
    MM0 = 40; MM1 = 41; MM2 = 42; MM3 = 43; MM4 = 44; MM5 = 45; MM6 = 46; MM7 = 47;
}

/// How many registers an allocator distinguishes: the GPRs and the SSE registers.
pub const ALLOCATABLE_FILE: usize = 32;

/// Integer and pointer arguments in the order System V passes them (psABI 3.2.3).
pub const INTEGER_ARGUMENTS: [Reg; 6] = [RDI, RSI, RDX, RCX, R8, R9];

/// Floating-point arguments in order (psABI 3.2.3).
pub const SSE_ARGUMENTS: [Reg; 8] = [XMM0, XMM1, XMM2, XMM3, XMM4, XMM5, XMM6, XMM7];

/// Registers a callee must preserve, apart from `rsp` (psABI 3.2.1).
pub const CALLEE_SAVED: [Reg; 6] = [RBX, RBP, R12, R13, R14, R15];
/// General registers that carry the first four arguments of the Microsoft x64 convention, by
/// position.
pub const MS_INTEGER_ARGUMENTS: [Reg; 4] = [RCX, RDX, R8, R9];
/// What a function of the Microsoft x64 convention keeps besides [`CALLEE_SAVED`]. Of the SSE
/// registers that is the low 16 bytes.
pub const MS_CALLEE_SAVED: RegSet =
    RegSet::of(&[RDI, RSI, XMM6, XMM7, XMM8, XMM9, XMM10, XMM11, XMM12, XMM13, XMM14, XMM15]);

/// Registers that a program may keep for itself, as global register variables or with `-ffixed-`:
/// those that neither instructions nor the calling convention nor the frame need.
pub const RESERVABLE: RegSet = RegSet::of(&[RBX, R12, R13, R14, R15]);

/// Registers that global register variables may have: also the frame pointer, in functions that can
/// do without one, and those of the first arguments, which calls change.
pub const GLOBAL_VARIABLES: RegSet = RegSet::of(&[RBX, RBP, RSI, RDI, R12, R13, R14, R15]);

/// Those of [`GLOBAL_VARIABLES`] that calls change.
pub const CLOBBERED_VARIABLES: RegSet = RegSet::of(&[RSI, RDI]);

/// Registers an `interrupt` function pushes before it does anything: all general ones but `rsp` and
/// the frame pointer, gcc's order.
pub const KEPT_BY_INTERRUPTS: [Reg; 14] = [R15, R14, R13, R12, R11, R10, R9, R8, RDI, RSI, RBX, RCX, RDX, RAX];

/// Registers in which an exception and its kind reach the handler: those of
/// `__builtin_eh_return_data_regno (0)` and `(1)`.
pub const EXCEPTION_DATA: [Reg; 2] = [RAX, RDX];

const GPR64: [&str; 16] =
    ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];
const GPR32: [&str; 16] = [
    "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d",
    "r15d",
];
const GPR16: [&str; 16] =
    ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"];
const GPR8: [&str; 16] =
    ["al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"];
const GPR8_HIGH: [&str; 4] = ["ah", "ch", "dh", "bh"];
const XMM: [&str; 16] = [
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
    "xmm14", "xmm15",
];
const YMM: [&str; 16] = [
    "ymm0", "ymm1", "ymm2", "ymm3", "ymm4", "ymm5", "ymm6", "ymm7", "ymm8", "ymm9", "ymm10", "ymm11", "ymm12", "ymm13",
    "ymm14", "ymm15",
];
const X87: [&str; 8] = ["st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)"];
const MMX: [&str; 8] = ["mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7"];

impl Reg {
    /// The general-purpose register with hardware number `n` (0..16).
    pub const fn gpr(n: u8) -> Reg {
        assert!(n < 16);
        Reg(n)
    }

    /// `xmm` register number `n` (0..16).
    pub const fn xmm(n: u8) -> Reg {
        assert!(n < 16);
        Reg(16 + n)
    }

    /// x87 stack register `st(n)` (0..8).
    pub const fn st(n: u8) -> Reg {
        assert!(n < 8);
        Reg(32 + n)
    }

    /// The hardware number inside the register's file: four bits for GPRs and
    /// SSE registers (bit 3 goes to REX), three for the others.
    #[inline]
    pub const fn encoding(self) -> u8 {
        if self.0 < 32 { self.0 & 15 } else { self.0 & 7 }
    }

    /// The register file.
    #[inline]
    pub const fn class(self) -> RegClass {
        match self.0 {
            0..16 => RegClass::Gpr,
            16..32 => RegClass::Xmm,
            32..40 => RegClass::X87,
            _ => RegClass::Mmx,
        }
    }

    /// Whether this is a general-purpose register.
    #[inline]
    pub const fn is_gpr(self) -> bool {
        self.0 < 16
    }

    /// Whether this is an SSE register.
    #[inline]
    pub const fn is_xmm(self) -> bool {
        self.0 >= 16 && self.0 < 32
    }

    /// Position in an array indexed by register (0..[`ALLOCATABLE_FILE`] for GPRs and SSE
    /// registers).
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Name without `%` when used at `bytes` wide. General-purpose registers
    /// have names for 1, 2, 4 and 8 bytes; an SSE register is `ymmN` at 32 bytes
    /// and `xmmN` at any other width; x87 and MMX registers have one name.
    pub fn name(self, bytes: u32) -> &'static str {
        let n = self.encoding() as usize;
        match (self.class(), bytes) {
            (RegClass::Gpr, 1) => GPR8[n],
            (RegClass::Gpr, 2) => GPR16[n],
            (RegClass::Gpr, 4) => GPR32[n],
            (RegClass::Gpr, _) => GPR64[n],
            (RegClass::Xmm, 32) => YMM[n],
            (RegClass::Xmm, _) => XMM[n],
            (RegClass::X87, _) => X87[n],
            (RegClass::Mmx, _) => MMX[n],
        }
    }

    /// `ah`, `ch`, `dh` or `bh`, for the registers that have a second byte of their own.
    pub fn high_byte_name(self) -> Option<&'static str> {
        GPR8_HIGH.get(self.0 as usize).copied()
    }

    /// The register an assembly name stands for at any width (`"rax"`, `"eax"`,
    /// `"%al"`, `"xmm3"`, `"st(1)"`), as used in `register` variables and clobber
    /// lists. A leading `%` is allowed. High-byte names mean their register.
    pub fn from_name(name: &str) -> Option<Reg> {
        let name = name.strip_prefix('%').unwrap_or(name);
        let find = |table: &[&str], first: u8| table.iter().position(|&n| n == name).map(|i| Reg(first + i as u8));
        [&GPR64, &GPR32, &GPR16, &GPR8]
            .into_iter()
            .find_map(|table| find(table, 0))
            .or_else(|| find(&GPR8_HIGH, 0))
            .or_else(|| find(&XMM, 16).or_else(|| find(&YMM, 16)))
            .or_else(|| find(&X87, 32).or_else(|| find(&MMX, 40)))
            .or(match name {
                "st(0)" => Some(ST0),
                _ => None,
            })
    }

    /// DWARF register number (psABI figure 3.36), as used in CFI and location lists.
    pub fn dwarf(self) -> u16 {
        const GPR_DWARF: [u16; 16] = [0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15];
        match self.class() {
            RegClass::Gpr => GPR_DWARF[self.0 as usize],
            RegClass::Xmm => 17 + u16::from(self.0 - 16),
            RegClass::X87 => 33 + u16::from(self.0 - 32),
            RegClass::Mmx => 41 + u16::from(self.0 - 40),
        }
    }
}

impl fmt::Debug for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 < 48 { self.name(8) } else { "no-register" })
    }
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{self:?}")
    }
}

/// A set of registers, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct RegSet(pub u64);

impl RegSet {
    /// The empty set.
    pub const EMPTY: RegSet = RegSet(0);

    /// The set of the given registers.
    pub const fn of(regs: &[Reg]) -> RegSet {
        let mut bits = 0;
        let mut i = 0;
        while i < regs.len() {
            bits |= 1 << regs[i].0;
            i += 1;
        }
        RegSet(bits)
    }

    /// Whether `reg` is in the set.
    #[inline]
    pub const fn contains(self, reg: Reg) -> bool {
        self.0 >> reg.0 & 1 != 0
    }

    /// Adds `reg`.
    #[inline]
    pub fn insert(&mut self, reg: Reg) {
        self.0 |= 1 << reg.0;
    }

    /// Removes `reg`.
    #[inline]
    pub fn remove(&mut self, reg: Reg) {
        self.0 &= !(1 << reg.0);
    }

    /// Registers in either set.
    #[inline]
    pub const fn union(self, other: RegSet) -> RegSet {
        RegSet(self.0 | other.0)
    }

    /// Registers in both sets.
    #[inline]
    pub const fn intersection(self, other: RegSet) -> RegSet {
        RegSet(self.0 & other.0)
    }

    /// Registers of this set that are not in `other`.
    #[inline]
    pub const fn difference(self, other: RegSet) -> RegSet {
        RegSet(self.0 & !other.0)
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many registers there are.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The registers in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Reg> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            (bits != 0).then(|| {
                let n = bits.trailing_zeros() as u8;
                bits &= bits - 1;
                Reg(n)
            })
        })
    }
}

impl FromIterator<Reg> for RegSet {
    fn from_iter<I: IntoIterator<Item = Reg>>(regs: I) -> RegSet {
        let mut set = RegSet::EMPTY;
        for reg in regs {
            set.insert(reg);
        }
        set
    }
}

impl fmt::Debug for RegSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for n in 0..48 {
            for bytes in [1, 2, 4, 8, 16, 32] {
                assert_eq!(Reg::from_name(Reg(n).name(bytes)), Some(Reg(n)));
            }
        }
        assert_eq!(Reg::from_name("%ah"), Some(RAX));
        assert_eq!(Reg::from_name("cr0"), None);
    }

    #[test]
    fn sets_iterate_in_order() {
        let set = RegSet::of(&[R15, RAX, XMM3]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [RAX, R15, XMM3]);
        assert_eq!(set.len(), 3);
    }
}
