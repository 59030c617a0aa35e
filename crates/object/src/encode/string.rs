//! String instructions and prefetches.

use super::{
    core::{Opcode, rex_of},
    moves::wide,
    operands::{Mem, Size},
};
use crate::CodeBuffer;

/// String operations on `(rsi)`, `(rdi)`, the accumulator; count in `rcx` when repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum StringOp {
    /// Copy `(rsi)` to `(rdi)`.
    Movs = 0xa4,
    /// Compare `(rsi)` with `(rdi)`.
    Cmps = 0xa6,
    /// Store the accumulator to `(rdi)`.
    Stos = 0xaa,
    /// Load the accumulator from `(rsi)`.
    Lods = 0xac,
    /// Compare the accumulator with `(rdi)`.
    Scas = 0xae,
}

/// Prefetch instructions, as (second opcode byte, extension).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Prefetch {
    /// `prefetchnta`
    Nta,
    /// `prefetcht0`
    T0,
    /// `prefetcht1`
    T1,
    /// `prefetcht2`
    T2,
    /// `prefetchw`: with intent to write (PRFCHW).
    W,
}

impl CodeBuffer {
    /// A string operation without repetition.
    pub fn string(&mut self, op: StringOp, size: Size) {
        self.op_none(Opcode::one(op as u8 | wide(size)).sized(size), rex_of(size));
    }

    /// `rep` (for `cmps` and `scas`: `repe`) and a string operation.
    pub fn rep(&mut self, op: StringOp, size: Size) {
        self.repeat(0xf3, op, size);
    }

    /// `repne` and a string operation.
    pub fn repne(&mut self, op: StringOp, size: Size) {
        self.repeat(0xf2, op, size);
    }

    fn repeat(&mut self, prefix: u8, op: StringOp, size: Size) {
        if size == Size::W {
            // `as` writes a `rep` of the same line after the operand size.
            self.put_bytes(&[0x66]);
        }
        self.op_none(Opcode::one(op as u8 | wide(size)).with_prefix(prefix), rex_of(size));
    }

    /// `clflush`: writes the cache line at `mem` back and drops it.
    pub fn clflush(&mut self, mem: Mem) {
        self.op_rm(Opcode::two(0xae), 0, 7, mem, 0);
    }

    /// A prefetch of the cache line at `mem`.
    pub fn prefetch(&mut self, hint: Prefetch, mem: Mem) {
        let (op, extension) = match hint {
            Prefetch::Nta => (0x18, 0),
            Prefetch::T0 => (0x18, 1),
            Prefetch::T1 => (0x18, 2),
            Prefetch::T2 => (0x18, 3),
            Prefetch::W => (0x0d, 1),
        };
        self.op_rm(Opcode::two(op), 0, extension, mem, 0);
    }
}
