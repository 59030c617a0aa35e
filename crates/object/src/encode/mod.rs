//! The x86-64 encoder: methods on [`crate::CodeBuffer`] that append one instruction each.
//!
//! Hand-made because it is on the path of every instruction compiled: typed
//! operands, no instruction objects, no allocation. Where the architecture has
//! several encodings of one instruction, the one that GNU `as` picks for the
//! plain mnemonic is chosen (`89` for a register move, `83` for small
//! immediates, the accumulator forms, two-byte VEX), so that the text of `-S`
//! assembles to the same bytes.
//!
//! Naming: `mnemonic_operands`, operands in Intel order (destination first):
//! `r` register, `m` memory, `x` either of these ([`Rm`]), `i` immediate; `mov_rm` loads, `mov_mr`
//! stores.

mod arithmetic;
mod atomic;
mod control;
mod core;
mod moves;
mod operands;
pub mod sse;
mod string;
pub mod vex;
pub mod x87;

pub use arithmetic::{Alu, BitTest, Shift, Unary};
pub use operands::{Anchor, Cond, Mem, Rm, Rmi, Scale, Segment, Size};
pub use sse::{Sse, SseShift};
pub use string::{Prefetch, StringOp};
pub use vex::{Vex, VexLength};
pub use x87::{X87, X87Float, X87Int, X87Op};
