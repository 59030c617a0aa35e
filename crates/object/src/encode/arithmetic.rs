//! Integer arithmetic, logic, shifts and bit operations.

use platform::registers::{RAX, Reg};

use super::{
    core::{Opcode, rex_byte_reg, rex_byte_rm, rex_of},
    moves::wide,
    operands::{Mem, Rm, Rmi, Size},
};
use crate::{
    CodeBuffer,
    relocations::{RelocKind, SymbolRef},
};

/// The two-operand operations that share one encoding scheme; the discriminant is the opcode
/// extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Alu {
    /// Addition.
    Add = 0,
    /// Inclusive or.
    Or = 1,
    /// Addition with carry.
    Adc = 2,
    /// Subtraction with borrow.
    Sbb = 3,
    /// And.
    And = 4,
    /// Subtraction.
    Sub = 5,
    /// Exclusive or.
    Xor = 6,
    /// Subtraction for the flags only.
    Cmp = 7,
}

/// Shifts and rotates; the discriminant is the opcode extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Shift {
    /// Rotate left.
    Rol = 0,
    /// Rotate right.
    Ror = 1,
    /// Rotate left through carry.
    Rcl = 2,
    /// Rotate right through carry.
    Rcr = 3,
    /// Shift left.
    Shl = 4,
    /// Logical shift right.
    Shr = 5,
    /// Arithmetic shift right.
    Sar = 7,
}

/// One-operand operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Unary {
    /// Complement.
    Not,
    /// Negation.
    Neg,
    /// `rdx:rax = rax * operand`, unsigned (`ax = al * operand` for bytes).
    Mul,
    /// The same, signed.
    Imul,
    /// Unsigned division of `rdx:rax` (`ax` for bytes).
    Div,
    /// Signed division.
    Idiv,
    /// Add one, carry unchanged.
    Inc,
    /// Subtract one, carry unchanged.
    Dec,
}

impl Unary {
    /// The multiplication of `rax`.
    pub const fn multiply(signed: bool) -> Unary {
        if signed { Unary::Imul } else { Unary::Mul }
    }

    /// The division of `rdx:rax`.
    pub const fn divide(signed: bool) -> Unary {
        if signed { Unary::Idiv } else { Unary::Div }
    }

    #[inline(always)]
    const fn opcode(self) -> (u8, u8) {
        match self {
            Unary::Not => (0xf6, 2),
            Unary::Neg => (0xf6, 3),
            Unary::Mul => (0xf6, 4),
            Unary::Imul => (0xf6, 5),
            Unary::Div => (0xf6, 6),
            Unary::Idiv => (0xf6, 7),
            Unary::Inc => (0xfe, 0),
            Unary::Dec => (0xfe, 1),
        }
    }
}

/// Bit tests; the discriminant is the opcode extension of the immediate form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum BitTest {
    /// Bit to carry.
    Bt = 4,
    /// Bit to carry, then set.
    Bts = 5,
    /// Bit to carry, then clear.
    Btr = 6,
    /// Bit to carry, then complement.
    Btc = 7,
}

/// Bytes of an immediate of this operand size.
#[inline(always)]
fn imm_len(size: Size) -> u32 {
    size.bytes().min(4)
}

/// `imm` as the operand size sees it, sign-extended.
#[inline(always)]
fn normalize(size: Size, imm: i32) -> i32 {
    match size {
        Size::B => imm as i8 as i32,
        Size::W => imm as i16 as i32,
        _ => imm,
    }
}

impl CodeBuffer {
    /// `dst = dst op src`, whatever the source is.
    #[inline]
    pub fn alu_r(&mut self, op: Alu, size: Size, dst: Reg, src: Rmi) {
        match src {
            Rmi::Reg(src) => self.alu_rr(op, size, dst, src),
            Rmi::Mem(mem) => self.alu_rm(op, size, dst, mem),
            Rmi::Imm(imm) => self.alu_ri(op, size, dst, imm),
        }
    }

    /// `dst = dst op src`
    #[inline]
    pub fn alu_rr(&mut self, op: Alu, size: Size, dst: Reg, src: Reg) {
        let rex = rex_of(size) | rex_byte_reg(size, dst) | rex_byte_reg(size, src);
        self.op_rr(Opcode::one((op as u8) << 3 | wide(size)).sized(size), rex, src.0, dst.0);
    }

    /// `dst = dst op memory`
    #[inline]
    pub fn alu_rm(&mut self, op: Alu, size: Size, dst: Reg, src: Mem) {
        let rex = rex_of(size) | rex_byte_reg(size, dst);
        self.op_rm(Opcode::one((op as u8) << 3 | 2 | wide(size)).sized(size), rex, dst.0, src, 0);
    }

    /// `memory = memory op src`
    #[inline]
    pub fn alu_mr(&mut self, op: Alu, size: Size, dst: Mem, src: Reg) {
        let rex = rex_of(size) | rex_byte_reg(size, src);
        self.op_rm(Opcode::one((op as u8) << 3 | wide(size)).sized(size), rex, src.0, dst, 0);
    }

    /// `dst = dst op imm` (the immediate is sign-extended from 32 bits for `Q`).
    #[inline]
    pub fn alu_ri(&mut self, op: Alu, size: Size, dst: Reg, imm: i32) {
        let imm = normalize(size, imm);
        let rex = rex_of(size);
        if size != Size::B && imm as i8 as i32 == imm {
            self.op_rr(Opcode::one(0x83).sized(size), rex, op as u8, dst.0);
            self.imm(i64::from(imm), 1);
        } else if dst == RAX {
            self.op_none(Opcode::one((op as u8) << 3 | 4 | wide(size)).sized(size), rex);
            self.imm(i64::from(imm), imm_len(size));
        } else {
            let rex = rex | rex_byte_reg(size, dst);
            self.op_rr(Opcode::one(0x80 | wide(size)).sized(size), rex, op as u8, dst.0);
            self.imm(i64::from(imm), imm_len(size));
        }
    }

    /// `memory = memory op imm`
    #[inline]
    pub fn alu_mi(&mut self, op: Alu, size: Size, dst: Mem, imm: i32) {
        self.alu_mi_lock(op, size, dst, imm, false);
    }

    pub(super) fn alu_mi_lock(&mut self, op: Alu, size: Size, dst: Mem, imm: i32, lock: bool) {
        let imm = normalize(size, imm);
        if size != Size::B && imm as i8 as i32 == imm {
            self.op_rm_lock(Opcode::one(0x83).sized(size), rex_of(size), op as u8, dst, 1, lock);
            self.imm(i64::from(imm), 1);
        } else {
            let len = imm_len(size);
            self.op_rm_lock(Opcode::one(0x80 | wide(size)).sized(size), rex_of(size), op as u8, dst, len, lock);
            self.imm(i64::from(imm), len);
        }
    }

    /// `dst = dst op (symbol+addend)` as a 32-bit field of relocation `kind`
    /// (`Abs32S`, `TpOff32`, `DtpOff32`; for `D`-sized operations `Abs32`).
    pub fn alu_r_symbol(&mut self, op: Alu, size: Size, dst: Reg, symbol: SymbolRef, addend: i32, kind: RelocKind) {
        if dst == RAX {
            self.op_none(Opcode::one((op as u8) << 3 | 5), rex_of(size));
        } else {
            self.op_rr(Opcode::one(0x81), rex_of(size), op as u8, dst.0);
        }
        let offset = self.offset();
        self.imm(0, 4);
        self.add_reloc(offset, kind, symbol, i64::from(addend));
    }

    /// `memory op (symbol+addend)` (a comparison with an address in non-PIC code).
    pub fn alu_m_symbol(&mut self, op: Alu, size: Size, dst: Mem, symbol: SymbolRef, addend: i32) {
        self.op_rm(Opcode::one(0x81), rex_of(size), op as u8, dst, 4);
        let offset = self.offset();
        self.imm(0, 4);
        let kind = if size == Size::Q { RelocKind::Abs32S } else { RelocKind::Abs32 };
        self.add_reloc(offset, kind, symbol, i64::from(addend));
    }

    /// Flags of `a & b`.
    #[inline]
    pub fn test_rr(&mut self, size: Size, a: Reg, b: Reg) {
        let rex = rex_of(size) | rex_byte_reg(size, a) | rex_byte_reg(size, b);
        self.op_rr(Opcode::one(0x84 | wide(size)).sized(size), rex, b.0, a.0);
    }

    /// Flags of `memory & b`.
    #[inline]
    pub fn test_mr(&mut self, size: Size, a: Mem, b: Reg) {
        let rex = rex_of(size) | rex_byte_reg(size, b);
        self.op_rm(Opcode::one(0x84 | wide(size)).sized(size), rex, b.0, a, 0);
    }

    /// Flags of `a & imm`.
    #[inline]
    pub fn test_ri(&mut self, size: Size, a: Reg, imm: i32) {
        if a == RAX {
            self.op_none(Opcode::one(0xa8 | wide(size)).sized(size), rex_of(size));
        } else {
            let rex = rex_of(size) | rex_byte_reg(size, a);
            self.op_rr(Opcode::one(0xf6 | wide(size)).sized(size), rex, 0, a.0);
        }
        self.imm(i64::from(imm), imm_len(size));
    }

    /// Flags of `memory & imm`.
    #[inline]
    pub fn test_mi(&mut self, size: Size, a: Mem, imm: i32) {
        let len = imm_len(size);
        self.op_rm(Opcode::one(0xf6 | wide(size)).sized(size), rex_of(size), 0, a, len);
        self.imm(i64::from(imm), len);
    }

    /// `dst = dst * src`, low half (not for `B`).
    #[inline]
    pub fn imul_rx(&mut self, size: Size, dst: Reg, src: impl Into<Rm>) {
        self.op_rx(Opcode::two(0xaf).sized(size), rex_of(size), dst.0, src.into(), 0);
    }

    /// `dst = src * imm`, low half (not for `B`).
    #[inline]
    pub fn imul_rxi(&mut self, size: Size, dst: Reg, src: impl Into<Rm>, imm: i32) {
        let imm = normalize(size, imm);
        let short = imm as i8 as i32 == imm;
        let len = if short { 1 } else { imm_len(size) };
        self.op_rx(Opcode::one(if short { 0x6b } else { 0x69 }).sized(size), rex_of(size), dst.0, src.into(), len);
        self.imm(i64::from(imm), len);
    }

    /// A one-operand operation.
    #[inline]
    pub fn unary_x(&mut self, op: Unary, size: Size, operand: impl Into<Rm>) {
        let (operand, (opcode, extension)) = (operand.into(), op.opcode());
        let rex = rex_of(size) | rex_byte_rm(size, operand);
        self.op_rx(Opcode::one(opcode | wide(size)).sized(size), rex, extension, operand, 0);
    }

    /// Shift or rotate by a constant.
    #[inline]
    pub fn shift_xi(&mut self, op: Shift, size: Size, operand: impl Into<Rm>, count: u8) {
        let operand = operand.into();
        let rex = rex_of(size) | rex_byte_rm(size, operand);
        if count == 1 {
            self.op_rx(Opcode::one(0xd0 | wide(size)).sized(size), rex, op as u8, operand, 0);
        } else {
            self.op_rx(Opcode::one(0xc0 | wide(size)).sized(size), rex, op as u8, operand, 1);
            self.imm(i64::from(count), 1);
        }
    }

    /// Shift or rotate by `cl`.
    #[inline]
    pub fn shift_xcl(&mut self, op: Shift, size: Size, operand: impl Into<Rm>) {
        let operand = operand.into();
        let rex = rex_of(size) | rex_byte_rm(size, operand);
        self.op_rx(Opcode::one(0xd2 | wide(size)).sized(size), rex, op as u8, operand, 0);
    }

    /// `shld`: shifts `dst` left, filling from the top of `src`.
    pub fn shld_rri(&mut self, size: Size, dst: Reg, src: Reg, count: u8) {
        self.op_rr(Opcode::two(0xa4).sized(size), rex_of(size), src.0, dst.0);
        self.imm(i64::from(count), 1);
    }

    /// `shld` by `cl`.
    pub fn shld_rrcl(&mut self, size: Size, dst: Reg, src: Reg) {
        self.op_rr(Opcode::two(0xa5).sized(size), rex_of(size), src.0, dst.0);
    }

    /// `shrd`: shifts `dst` right, filling from the bottom of `src`.
    pub fn shrd_rri(&mut self, size: Size, dst: Reg, src: Reg, count: u8) {
        self.op_rr(Opcode::two(0xac).sized(size), rex_of(size), src.0, dst.0);
        self.imm(i64::from(count), 1);
    }

    /// `shrd` by `cl`.
    pub fn shrd_rrcl(&mut self, size: Size, dst: Reg, src: Reg) {
        self.op_rr(Opcode::two(0xad).sized(size), rex_of(size), src.0, dst.0);
    }

    /// Bit test with a constant bit number (not for `B`).
    pub fn bit_test_xi(&mut self, op: BitTest, size: Size, operand: impl Into<Rm>, bit: u8) {
        self.op_rx(Opcode::two(0xba).sized(size), rex_of(size), op as u8, operand.into(), 1);
        self.imm(i64::from(bit), 1);
    }

    /// Bit test with the bit number in a register, modulo the size (not for `B`).
    pub fn bit_test_rr(&mut self, op: BitTest, size: Size, reg: Reg, bit: Reg) {
        self.op_rr(Opcode::two(0x83 | (op as u8) << 3).sized(size), rex_of(size), bit.0, reg.0);
    }

    /// Bit scan forward (undefined for 0).
    pub fn bsf_rx(&mut self, size: Size, dst: Reg, src: impl Into<Rm>) {
        self.op_rx(Opcode::two(0xbc).sized(size), rex_of(size), dst.0, src.into(), 0);
    }

    /// Bit scan reverse (undefined for 0).
    pub fn bsr_rx(&mut self, size: Size, dst: Reg, src: impl Into<Rm>) {
        self.op_rx(Opcode::two(0xbd).sized(size), rex_of(size), dst.0, src.into(), 0);
    }

    /// Trailing zeros (BMI1; on older processors this is `bsf`).
    pub fn tzcnt_rr(&mut self, size: Size, dst: Reg, src: Reg) {
        self.count_rr(0xbc, size, dst, src);
    }

    /// Leading zeros (LZCNT; on older processors this is `bsr`).
    pub fn lzcnt_rr(&mut self, size: Size, dst: Reg, src: Reg) {
        self.count_rr(0xbd, size, dst, src);
    }

    /// Number of set bits (POPCNT).
    pub fn popcnt_rr(&mut self, size: Size, dst: Reg, src: Reg) {
        self.count_rr(0xb8, size, dst, src);
    }

    fn count_rr(&mut self, op: u8, size: Size, dst: Reg, src: Reg) {
        if size == Size::W {
            // Both prefixes: the operand size first, as `as` orders them.
            self.put_bytes(&[0x66]);
        }
        self.op_rr(Opcode::sse(0xf3, 1, op), rex_of(size), dst.0, src.0);
    }

    /// `crc32 dst, src` (SSE4.2): `src` of `size` into a 32-bit (64-bit for `Q`) accumulator.
    pub fn crc32_rr(&mut self, size: Size, dst: Reg, src: Reg) {
        if size == Size::W {
            self.put_bytes(&[0x66]);
        }
        let rex = rex_of(size) | rex_byte_reg(size, src);
        self.op_rr(Opcode::sse(0xf2, 2, 0xf0 | wide(size)), rex, dst.0, src.0);
    }

    /// `al` to `ax`, sign-extended.
    pub fn cbw(&mut self) {
        self.op_none(Opcode::one(0x98).with_prefix(0x66), 0);
    }

    /// `ax` to `eax`, sign-extended.
    pub fn cwde(&mut self) {
        self.op_none(Opcode::one(0x98), 0);
    }

    /// `eax` to `rax`, sign-extended.
    pub fn cdqe(&mut self) {
        self.op_none(Opcode::one(0x98), super::core::REX_W);
    }

    /// Fills `dx`, `edx` or `rdx` with the accumulator's sign (`cwd`, `cdq`, `cqo`), as signed
    /// division needs.
    #[inline]
    pub fn sign_into_rdx(&mut self, size: Size) {
        debug_assert!(size != Size::B);
        self.op_none(Opcode::one(0x99).sized(size), rex_of(size));
    }
}
