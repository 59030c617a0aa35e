//! Operands as parsed, common to both syntaxes.

use iced_x86::{Register, RoundingControl};

use crate::expression::Expr;

/// A memory operand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Memory {
    pub segment: Register,
    pub base: Register,
    pub index: Register,
    pub scale: u32,
    pub displacement: Option<Expr>,
    /// Size in bytes from an Intel `... ptr`, 0 if not given.
    pub size: u32,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory {
            segment: Register::None,
            base: Register::None,
            index: Register::None,
            scale: 1,
            displacement: None,
            size: 0,
        }
    }
}

impl Memory {
    /// Whether it is a bare expression: an absolute address or a branch target.
    pub fn is_bare(&self) -> bool {
        self.base == Register::None && self.index == Register::None && self.segment == Register::None && self.size == 0
    }
}

/// One operand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    Register(Register),
    Immediate(Expr),
    Memory(Memory),
}

/// `dword bcst`: a broadcast to as many elements as there are.
pub(crate) const ANY_BROADCAST: u32 = u32::MAX;

/// A parsed instruction; operands in Intel order (destination first).
#[derive(Clone, Debug, Default)]
pub(crate) struct Parsed {
    pub operands: Vec<Operand>,
    /// `*`: an indirect jump or call.
    pub indirect: bool,
    /// `{%k1}`
    pub mask: Option<Register>,
    /// `{z}`
    pub zeroing: bool,
    /// `{1to8}`: how many elements, 0 for none.
    pub broadcast: u32,
    /// `{rn-sae}` and the like.
    pub rounding: Option<RoundingControl>,
    /// `{sae}`
    pub sae: bool,
    /// Prefixes of the same statement, in order.
    pub prefixes: Vec<Prefix>,
    /// `{vex}`, `{evex}`, `{disp32}`, ...
    pub encoding: EncodingHint,
}

impl Parsed {
    /// All registers in the operands.
    pub fn registers(&self) -> impl Iterator<Item = Register> {
        self.operands.iter().flat_map(|operand| match operand {
            Operand::Register(register) => [*register, Register::None],
            Operand::Memory(memory) => [memory.base, memory.index],
            Operand::Immediate(_) => [Register::None; 2],
        })
    }
}

impl Parsed {
    /// Whether a prefix gives the operand size.
    pub fn has_size_prefix(&self) -> bool {
        self.prefixes.iter().any(|prefix| match prefix {
            Prefix::Data16 => true,
            Prefix::Rex(byte) => byte & 8 != 0,
            _ => false,
        })
    }
}

/// A prefix written before the mnemonic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    Lock,
    Rep,
    Repne,
    Data16,
    Addr32,
    Rex(u8),
    Segment(u8),
    Notrack,
}

impl Prefix {
    pub fn from_name(name: &str) -> Option<Prefix> {
        Some(match name {
            "lock" => Prefix::Lock,
            "rep" | "repe" | "repz" | "xrelease" => Prefix::Rep,
            "repne" | "repnz" | "bnd" | "xacquire" => Prefix::Repne,
            "data16" | "data32" => Prefix::Data16,
            "addr32" | "addr16" => Prefix::Addr32,
            "rex" => Prefix::Rex(0x40),
            "rex64" => Prefix::Rex(0x48),
            _ if name.starts_with("rex.") => {
                // `rex.wrxb`: any of the four letters, in this order.
                let mut byte = 0x40;
                let mut letters = name[4..].bytes().peekable();
                for (letter, bit) in [(b'w', 8), (b'r', 4), (b'x', 2), (b'b', 1)] {
                    byte |= letters.next_if_eq(&letter).map_or(0, |_| bit);
                }
                return letters.next().is_none().then_some(Prefix::Rex(byte));
            }
            "es" => Prefix::Segment(0x26),
            "cs" => Prefix::Segment(0x2e),
            "ss" => Prefix::Segment(0x36),
            "ds" => Prefix::Segment(0x3e),
            "fs" => Prefix::Segment(0x64),
            "gs" => Prefix::Segment(0x65),
            "notrack" => Prefix::Notrack,
            _ => return None,
        })
    }

    /// The prefix as a byte of its own (a statement that is only prefixes).
    pub fn byte(self) -> u8 {
        match self {
            Prefix::Lock => 0xf0,
            Prefix::Rep => 0xf3,
            Prefix::Repne => 0xf2,
            Prefix::Data16 => 0x66,
            Prefix::Addr32 => 0x67,
            Prefix::Rex(byte) | Prefix::Segment(byte) => byte,
            Prefix::Notrack => 0x3e,
        }
    }
}

/// What `{...}` before a mnemonic asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EncodingHint {
    pub vex: bool,
    pub evex: bool,
    pub load: bool,
    pub store: bool,
    pub disp32: bool,
    pub disp8: bool,
    /// `.s`: the other one of two encodings.
    pub swapped: bool,
    /// The VEX prefix of three bytes.
    pub vex3: bool,
    /// A REX prefix, needed or not.
    pub rex: bool,
}

impl EncodingHint {
    /// Applies the hint of that name; returns whether there is one.
    pub fn set(&mut self, name: &str) -> bool {
        match name.to_ascii_lowercase().as_str() {
            "vex" | "vex2" => self.vex = true,
            "vex3" => (self.vex, self.vex3) = (true, true),
            "evex" => self.evex = true,
            "load" => self.load = true,
            "store" => self.store = true,
            "disp32" | "disp16" => self.disp32 = true,
            "disp8" => self.disp8 = true,
            "rex" => self.rex = true,
            "nooptimize" => {}
            _ => return false,
        }
        true
    }
}

/// The register of that name (without `%`).
pub(crate) fn register(name: &str) -> Option<Register> {
    use std::sync::LazyLock;
    static TABLE: LazyLock<rustc_hash::FxHashMap<String, Register>> = LazyLock::new(|| {
        let mut table = rustc_hash::FxHashMap::default();
        for register in Register::values() {
            let name = format!("{register:?}").to_ascii_lowercase();
            if register != Register::None && !name.starts_with("dontuse") {
                table.insert(name, register);
            }
        }
        table.insert("st".into(), Register::ST0);
        for n in 0..16 {
            // Both names of control and debug registers, and the byte registers' other names.
            table.insert(format!("db{n}"), register_from(Register::DR0, n));
        }
        for n in 0..4 {
            // Register numbers 0 to 3 in the order of the machine.
            table.insert(["axl", "cxl", "dxl", "bxl"][n as usize].into(), register_from(Register::AL, n));
        }
        for n in 8..16 {
            table.insert(format!("r{n}b"), register_from(Register::R8L, n - 8));
        }
        table
    });
    match TABLE.get(name) {
        Some(&register) => Some(register),
        None if name.bytes().any(|b| b.is_ascii_uppercase()) => TABLE.get(&name.to_ascii_lowercase()).copied(),
        None => None,
    }
}

fn register_from(first: Register, n: u32) -> Register {
    Register::try_from(first as usize + n as usize).unwrap_or(Register::None)
}
