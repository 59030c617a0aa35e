//! Opcodes and the 16-byte instruction record.
//!
//! An instruction holds its opcode, flags, result type and three 32-bit fields. The record is
//! private to this crate: everybody else reads it as an [`InstView`] (or by the accessors of
//! [`InstData`]) and writes it through [`crate::Function`] and [`crate::Builder`]. Value operands
//! beyond three, blocks of phis, switch cases and inline assembly live in the function's pools.
//! Every operand slot that holds a [`Value`](crate::Value) is reached by
//! [`Function::operands`](crate::Function::operands).

mod branch_hint;
mod codes;
mod data;
mod key;
mod opcode;
mod view;

pub use branch_hint::{BranchHint, Odds};
pub use codes::*;
pub use data::{InstData, MemInfo};
pub use key::InstKey;
pub use opcode::{Opcode, Traits};
pub(crate) use view::Shape;
pub use view::{InstView, ValueList};

/// Where the value operands of an instruction are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Format {
    /// There are none.
    Nullary,
    /// One.
    Unary,
    /// Two.
    Binary,
    /// Three.
    Ternary,
    /// Any number, in the function's pool.
    List,
}

/// Bits of [`InstData::flags`]; which apply depends on the opcode.
pub mod flags {
    /// Integer arithmetic: signed overflow is undefined behaviour here.
    pub const NSW: u8 = 1;
    /// Integer arithmetic: unsigned overflow is undefined behaviour here.
    pub const NUW: u8 = 2;
    /// Right shifts and divisions: no bits or remainder are lost.
    pub const EXACT: u8 = 4;
    /// `ptradd`: the result stays inside (or one past) the object.
    pub const INBOUNDS: u8 = 8;
    /// `ctlz`/`cttz`: the result for zero is unspecified.
    pub const ZERO_UNDEF: u8 = 1;

    /// Loads, stores, block operations, asm: volatile.
    pub const VOLATILE: u8 = 0x80;
    /// Loads and stores: non-temporal.
    pub const NONTEMPORAL: u8 = 0x40;
    /// Loads of members: the object holds as many bytes as are read before them as well ...
    pub const WITH_PREVIOUS: u8 = 0x20;
    /// ... or after them: a load of the neighbour may run whenever this one does.
    pub const WITH_NEXT: u8 = 0x10;
    /// Block operations: low five bits hold the log2 alignment common to all pointers.
    pub const BLOCK_ALIGN_MASK: u8 = 0x1f;

    /// The log2 alignment of a block operation's flags.
    pub fn mem_align_log2(flags: u8) -> u8 {
        flags & BLOCK_ALIGN_MASK
    }

    /// All flags of float arithmetic.
    pub const FLOAT: u8 = 0xf0;
    /// Float arithmetic: may be contracted into fma.
    pub const CONTRACT: u8 = 0x10;
    /// Float arithmetic: may be reassociated.
    pub const REASSOC: u8 = 0x20;
    /// Float arithmetic: no NaN or infinity occurs.
    pub const FINITE: u8 = 0x40;
    /// Float arithmetic: the sign of zero does not matter; reciprocals allowed.
    pub const NO_SIGNED_ZERO: u8 = 0x80;

    /// `fcmp`: a signalling comparison (`<`, `<=`, ... raise "invalid" on quiet NaN), as C's
    /// relational operators do.
    pub const SIGNALING: u8 = 0x80;
    /// `cmpxchg`: may fail although the values are equal.
    pub const WEAK: u8 = 0x40;

    /// Calls: low bits; the call is in tail position and may reuse the frame.
    pub const TAIL: u8 = 1;
    /// Calls: a `musttail` call.
    pub const MUST_TAIL: u8 = 2;
}
