//! Data movement between general registers, memory and immediates.

use platform::registers::{RAX, Reg};

use super::{
    core::{Opcode, REX_W, rex_byte_reg, rex_byte_rm, rex_of},
    operands::{Cond, Mem, Rm, Size},
};
use crate::{
    CodeBuffer,
    relocations::{RelocKind, SymbolRef},
};

/// Low bit of the opcode: 0 for bytes.
#[inline(always)]
pub(super) fn wide(size: Size) -> u8 {
    u8::from(size != Size::B)
}

impl CodeBuffer {
    /// `mov dst, src` between general registers.
    #[inline]
    pub fn mov_rr(&mut self, size: Size, dst: Reg, src: Reg) {
        let rex = rex_of(size) | rex_byte_reg(size, dst) | rex_byte_reg(size, src);
        self.op_rr(Opcode::one(0x88 | wide(size)).sized(size), rex, src.0, dst.0);
    }

    /// Loads `dst` from memory (an 8- or 16-bit load keeps the rest of the register: prefer
    /// [`Self::movzx_rx`]).
    #[inline]
    pub fn mov_rm(&mut self, size: Size, dst: Reg, src: Mem) {
        let rex = rex_of(size) | rex_byte_reg(size, dst);
        self.op_rm(Opcode::one(0x8a | wide(size)).sized(size), rex, dst.0, src, 0);
    }

    /// Stores `src` to memory.
    #[inline]
    pub fn mov_mr(&mut self, size: Size, dst: Mem, src: Reg) {
        let rex = rex_of(size) | rex_byte_reg(size, src);
        self.op_rm(Opcode::one(0x88 | wide(size)).sized(size), rex, src.0, dst, 0);
    }

    /// Sets `dst` to `imm` in the shortest encoding that leaves the flags alone. For 64 bits that
    /// is `movl` for values of 32 bits unsigned, sign-extended `movq` for 32 bits signed, else
    /// `movabs`.
    #[inline]
    pub fn mov_ri(&mut self, size: Size, dst: Reg, imm: i64) {
        match size {
            Size::B => {
                self.op_plus(Opcode::one(0xb0), rex_byte_reg(size, dst), dst.0);
                self.imm(imm, 1);
            }
            Size::W => {
                self.op_plus(Opcode::one(0xb8).with_prefix(0x66), 0, dst.0);
                self.imm(imm, 2);
            }
            Size::Q if imm as u64 > u64::from(u32::MAX) => {
                if imm as i32 as i64 == imm {
                    self.op_rr(Opcode::one(0xc7), REX_W, 0, dst.0);
                    self.imm(imm, 4);
                } else {
                    self.op_plus(Opcode::one(0xb8), REX_W, dst.0);
                    self.imm(imm, 8);
                }
            }
            Size::D | Size::Q => {
                self.op_plus(Opcode::one(0xb8), 0, dst.0);
                self.imm(imm, 4);
            }
        }
    }

    /// Clears `dst` with `xorl`; destroys the flags.
    #[inline]
    pub fn zero_r(&mut self, dst: Reg) {
        self.op_rr(Opcode::one(0x31), 0, dst.0, dst.0);
    }

    /// Stores an immediate (sign-extended from 32 bits for `Q`).
    #[inline]
    pub fn mov_mi(&mut self, size: Size, dst: Mem, imm: i32) {
        let len = size.bytes().min(4);
        self.op_rm(Opcode::one(0xc6 | wide(size)).sized(size), rex_of(size), 0, dst, len);
        self.imm(i64::from(imm), len);
    }

    /// `movabs $symbol+addend, dst`: 64-bit address (large code model).
    pub fn movabs_r_symbol(&mut self, dst: Reg, symbol: SymbolRef, addend: i64, kind: RelocKind) {
        self.op_plus(Opcode::one(0xb8), REX_W, dst.0);
        let offset = self.offset();
        self.imm(0, 8);
        self.add_reloc(offset, kind, symbol, addend);
    }

    /// `movl $symbol+addend, dst`: zero-extended 32-bit address (non-PIC code).
    pub fn mov_r_symbol32(&mut self, dst: Reg, symbol: SymbolRef, addend: i32) {
        self.op_plus(Opcode::one(0xb8), 0, dst.0);
        let offset = self.offset();
        self.imm(0, 4);
        self.add_reloc(offset, RelocKind::Abs32, symbol, i64::from(addend));
    }

    /// `movq $symbol+addend, dst`: sign-extended 32-bit address (kernel code model).
    pub fn mov_r_symbol32s(&mut self, dst: Reg, symbol: SymbolRef, addend: i32) {
        self.op_rr(Opcode::one(0xc7), REX_W, 0, dst.0);
        let offset = self.offset();
        self.imm(0, 4);
        self.add_reloc(offset, RelocKind::Abs32S, symbol, i64::from(addend));
    }

    /// Stores the address `symbol+addend` (non-PIC code): `movq` sign-extends it, `movl` keeps 32
    /// bits.
    pub fn mov_m_symbol(&mut self, size: Size, dst: Mem, symbol: SymbolRef, addend: i32) {
        self.op_rm(Opcode::one(0xc7), rex_of(size), 0, dst, 4);
        let offset = self.offset();
        self.imm(0, 4);
        let kind = if size == Size::Q { RelocKind::Abs32S } else { RelocKind::Abs32 };
        self.add_reloc(offset, kind, symbol, i64::from(addend));
    }

    /// `movabs` between the accumulator and a 64-bit absolute address: a load into `rax` of `size`.
    pub fn movabs_load_rax(&mut self, size: Size, address: i64) {
        self.op_none(Opcode::one(0xa0 | wide(size)).sized(size), rex_of(size));
        self.imm(address, 8);
    }

    /// Zero-extends `src` of size `from` (`B` or `W`) into `dst` of size `to`.
    #[inline]
    pub fn movzx_rx(&mut self, to: Size, from: Size, dst: Reg, src: impl Into<Rm>) {
        let src = src.into();
        let rex = rex_of(to) | rex_byte_rm(from, src);
        self.op_rx(Opcode::two(0xb6 | wide(from)).sized(to), rex, dst.0, src, 0);
    }

    /// Sign-extends `src` of size `from` (`B`, `W` or `D`) into `dst` of size `to`.
    #[inline]
    pub fn movsx_rx(&mut self, to: Size, from: Size, dst: Reg, src: impl Into<Rm>) {
        let src = src.into();
        let rex = rex_of(to) | rex_byte_rm(from, src);
        self.op_rx(sign_extension(from).sized(to), rex, dst.0, src, 0);
    }

    /// Address computation. `size` is `D` or `Q` (or `W`).
    #[inline]
    pub fn lea(&mut self, size: Size, dst: Reg, address: Mem) {
        debug_assert!(size != Size::B);
        self.op_rm(Opcode::one(0x8d).sized(size), rex_of(size), dst.0, address, 0);
    }

    /// Moves if `cond` holds; `size` is not `B`. (A 32-bit move clears the upper half in either
    /// case, and memory is read in either case.)
    #[inline]
    pub fn cmov_rx(&mut self, cond: Cond, size: Size, dst: Reg, src: impl Into<Rm>) {
        debug_assert!(size != Size::B);
        self.op_rx(Opcode::two(0x40 | cond as u8).sized(size), rex_of(size), dst.0, src.into(), 0);
    }

    /// Sets the low byte of a register, or a byte of memory, to 1 or 0.
    #[inline]
    pub fn setcc_x(&mut self, cond: Cond, dst: impl Into<Rm>) {
        let dst = dst.into();
        self.op_rx(Opcode::two(0x90 | cond as u8), rex_byte_rm(Size::B, dst), 0, dst, 0);
    }

    /// Pushes a 64-bit register.
    #[inline]
    pub fn push_r(&mut self, reg: Reg) {
        self.op_plus(Opcode::one(0x50), 0, reg.0);
    }

    /// Pops a 64-bit register.
    #[inline]
    pub fn pop_r(&mut self, reg: Reg) {
        self.op_plus(Opcode::one(0x58), 0, reg.0);
    }

    /// Pushes an immediate, sign-extended to 64 bits.
    pub fn push_i(&mut self, imm: i32) {
        if imm as i8 as i32 == imm {
            self.op_none(Opcode::one(0x6a), 0);
            self.imm(i64::from(imm), 1);
        } else {
            self.op_none(Opcode::one(0x68), 0);
            self.imm(i64::from(imm), 4);
        }
    }

    /// Pushes 8 bytes of memory.
    pub fn push_m(&mut self, mem: Mem) {
        self.op_rm(Opcode::one(0xff), 0, 6, mem, 0);
    }

    /// Pops 8 bytes into memory.
    pub fn pop_m(&mut self, mem: Mem) {
        self.op_rm(Opcode::one(0x8f), 0, 0, mem, 0);
    }

    /// Exchanges two registers.
    pub fn xchg_rr(&mut self, size: Size, a: Reg, b: Reg) {
        let short = size != Size::B && (a == RAX || b == RAX) && !(size == Size::D && a == b);
        if short && a == b && size == Size::Q {
            self.op_none(Opcode::one(0x90), 0);
        } else if short {
            let other = if a == RAX { b } else { a };
            self.op_plus(Opcode::one(0x90).sized(size), rex_of(size), other.0);
        } else {
            let rex = rex_of(size) | rex_byte_reg(size, a) | rex_byte_reg(size, b);
            self.op_rr(Opcode::one(0x86 | wide(size)).sized(size), rex, b.0, a.0);
        }
    }

    /// Exchanges register and memory, atomically.
    pub fn xchg_mr(&mut self, size: Size, mem: Mem, reg: Reg) {
        let rex = rex_of(size) | rex_byte_reg(size, reg);
        self.op_rm(Opcode::one(0x86 | wide(size)).sized(size), rex, reg.0, mem, 0);
    }

    /// Reverses the bytes of a 32- or 64-bit register.
    #[inline]
    pub fn bswap(&mut self, size: Size, reg: Reg) {
        debug_assert!(size >= Size::D);
        self.op_plus(Opcode::two(0xc8), rex_of(size), reg.0);
    }

    /// `movbe dst, mem`: byte-reversing load (needs the MOVBE feature).
    pub fn movbe_rm(&mut self, size: Size, dst: Reg, src: Mem) {
        self.op_rm(Opcode::sse(0, 2, 0xf0).sized(size), rex_of(size), dst.0, src, 0);
    }

    /// `movbe mem, src`: byte-reversing store (needs the MOVBE feature).
    pub fn movbe_mr(&mut self, size: Size, dst: Mem, src: Reg) {
        self.op_rm(Opcode::sse(0, 2, 0xf1).sized(size), rex_of(size), src.0, dst, 0);
    }

    /// `movnti`: a store that bypasses the caches.
    pub fn movnti(&mut self, size: Size, dst: Mem, src: Reg) {
        self.op_rm(Opcode::two(0xc3), rex_of(size), src.0, dst, 0);
    }
}

#[inline(always)]
fn sign_extension(from: Size) -> Opcode {
    match from {
        Size::B => Opcode::two(0xbe),
        Size::W => Opcode::two(0xbf),
        _ => Opcode::one(0x63),
    }
}
