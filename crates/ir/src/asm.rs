//! Inline assembly as the IR carries it: constraints are already chosen, so that each operand has
//! one kind of place.

use platform::registers::Reg;

use crate::{Block, Type};

/// Where an operand of inline assembly lives.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AsmPlace {
    /// Any general register.
    Gpr,
    /// Any general register with a legacy byte form (`q`, `Q`: a, b, c, d only for `Q`).
    GprLegacy,
    /// Any SSE register.
    Xmm,
    /// One particular general or SSE register.
    Fixed(Reg),
    /// x87 stack top plus this number (`t` = 0, `u` = 1; `f` is given one by lowering).
    X87(u8),
    /// In memory: the IR operand is the address.
    Memory,
    /// A constant or symbol address; an error if it is none after optimisation.
    Immediate,
    /// An immediate if it is constant after optimisation and fits, else a general register.
    GprOrImmediate,
    /// The same place as output operand number `0` (template numbering). Without an input, only the
    /// name of the place of operand `0`, which may be an input, too.
    Tied(u8),
    /// A condition code output (`=@cc`): the x86 condition number 0..=15; the result is i8 0 or 1.
    Flags(u8),
}

/// One operand, in template numbering: outputs, then inputs. An in-out operand `+` is an output and
/// a tied input of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmOperand {
    /// Whether it is written.
    pub is_output: bool,
    /// An output written before all inputs are read (`&`).
    pub early_clobber: bool,
    /// Its place.
    pub place: AsmPlace,
    /// The value's type (for memory operands, the type or size of what is addressed as an integer
    /// type, or void).
    pub ty: Type,
    /// The name in `[name]`, if any.
    pub name: Option<Box<str>>,
    /// Index of the IR operand that feeds it (inputs, and memory outputs' addresses).
    pub input: Option<u32>,
    /// Index of the IR result it defines (register and flag outputs).
    pub result: Option<u32>,
}

/// One inline assembly statement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AsmData {
    /// The template as written; dialect alternatives and `%` escapes unresolved.
    pub template: Box<str>,
    /// A basic asm statement: the template has no `%` escapes.
    pub basic: bool,
    /// Must not be removed, duplicated or moved across other volatile accesses.
    pub volatile: bool,
    /// Operands in template numbering.
    pub operands: Vec<AsmOperand>,
    /// Clobbered registers.
    pub clobbers: Vec<Reg>,
    /// Clobbers memory.
    pub clobbers_memory: bool,
    /// Clobbers the flags (always assumed on x86).
    pub clobbers_flags: bool,
    /// Clobbers or uses x87 registers.
    pub clobbers_x87: bool,
    /// `asm goto`: where control goes when no label is taken.
    pub fallthrough: Option<Block>,
    /// `asm goto`: the labels, in template numbering after the operands.
    pub labels: Vec<Block>,
    /// `asm goto`: the labels' names for `%l[name]`.
    pub label_names: Vec<Box<str>>,
}

impl AsmData {
    /// Whether the statement has no instructions but those that do nothing: it only tells the
    /// compiler what not to assume.
    pub fn is_idle(&self) -> bool {
        self.template.split(['\n', ';']).all(|line| matches!(line.trim(), "" | "nop"))
    }
}
