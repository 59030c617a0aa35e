//! `memcpy`, `memmove` and `memset`: code of its own for short blocks, a string instruction for
//! longer ones, the library for the rest.

use ir::{Inst, Opcode};
use object::{Size, encode::StringOp};
use platform::registers::{RAX, RCX, RDI, RDX, RSI};

use super::Quick;
use super::call::{CALL_CLOBBERS, call_library};
use super::memory::{INLINE_LIMIT, copy, fill, move_through_registers, repeat, reserve_for_copy};

/// Blocks up to this many bytes may overlap and still be moved by straight-line code: all of it
/// fits in registers.
const MOVE_LIMIT: u64 = 64;
/// Blocks up to this many bytes are handled by string instructions rather than by the library.
const STRING_LIMIT: u64 = 2048;
/// `memcpy` and `memmove`.
pub fn mem_copy(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let [to, from, len] = data.args();
    let overlaps = data.opcode == Opcode::MemMove;
    match q.const_int(len).map(|n| n as u64) {
        Some(size) if overlaps && size <= MOVE_LIMIT => {
            q.consume(len);
            let from = q.mem(from);
            let to = q.mem(to);
            move_through_registers(q, to, from, size);
        }
        Some(size) if !overlaps && size <= STRING_LIMIT => {
            q.consume(len);
            reserve_for_copy(q, size);
            let from = q.mem(from);
            let to = q.mem(to);
            copy(q, to, from, size);
        }
        _ => {
            q.spill_all(CALL_CLOBBERS);
            q.take_in(to, RDI);
            q.take_in(from, RSI);
            q.take_in(len, RDX);
            call_library(q, if overlaps { "memmove" } else { "memcpy" });
        }
    }
}

/// `memset`.
pub fn mem_set(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let [to, byte, len] = data.args();
    let pattern = q.const_int(byte).map(|b| (b as u64 & 0xff) * 0x0101_0101_0101_0101);
    match (q.const_int(len).map(|n| n as u64), pattern) {
        (Some(size), Some(pattern)) if size <= INLINE_LIMIT => {
            q.consume(byte);
            q.consume(len);
            let to = q.mem(to);
            fill(q, to, pattern, size);
        }
        (Some(size), Some(pattern)) if size <= STRING_LIMIT => {
            q.consume(byte);
            q.consume(len);
            for reg in [RDI, RCX, RAX] {
                q.claim(reg);
            }
            let to = q.mem(to);
            q.buf.lea(Size::Q, RDI, to);
            q.buf.mov_ri(Size::Q, RAX, pattern as i64);
            repeat(q, StringOp::Stos, size);
        }
        _ => {
            q.spill_all(CALL_CLOBBERS);
            q.take_in(to, RDI);
            q.take_in(byte, RSI);
            q.take_in(len, RDX);
            // The library's parameter is an int; the upper bits do not matter to it, but
            // valgrind-clean code is kinder.
            q.buf.movzx_rx(Size::D, Size::B, RSI, RSI);
            call_library(q, "memset");
        }
    }
}
