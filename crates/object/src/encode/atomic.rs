//! Locked read-modify-write instructions and fences.

use platform::registers::Reg;

use super::{
    arithmetic::{Alu, BitTest, Unary},
    core::{Opcode, REX_W, rex_byte_reg, rex_of},
    moves::wide,
    operands::{Mem, Size},
};
use crate::CodeBuffer;

impl CodeBuffer {
    /// `lock xadd`: memory and `reg` exchange, memory gets the sum.
    pub fn lock_xadd(&mut self, size: Size, mem: Mem, reg: Reg) {
        let rex = rex_of(size) | rex_byte_reg(size, reg);
        self.op_rm_lock(Opcode::two(0xc0 | wide(size)).sized(size), rex, reg.0, mem, 0, true);
    }

    /// `lock cmpxchg`: if memory equals `rax`, it becomes `reg` and ZF is set; else `rax` = memory.
    pub fn lock_cmpxchg(&mut self, size: Size, mem: Mem, reg: Reg) {
        let rex = rex_of(size) | rex_byte_reg(size, reg);
        self.op_rm_lock(Opcode::two(0xb0 | wide(size)).sized(size), rex, reg.0, mem, 0, true);
    }

    /// `lock cmpxchg16b`: compares with `rdx:rax`, stores `rcx:rbx`. Memory must be 16-byte
    /// aligned.
    pub fn lock_cmpxchg16b(&mut self, mem: Mem) {
        self.op_rm_lock(Opcode::two(0xc7), REX_W, 1, mem, 0, true);
    }

    /// `lock op memory, reg` (not `cmp`).
    pub fn lock_alu_mr(&mut self, op: Alu, size: Size, mem: Mem, reg: Reg) {
        debug_assert!(op != Alu::Cmp);
        let rex = rex_of(size) | rex_byte_reg(size, reg);
        self.op_rm_lock(Opcode::one((op as u8) << 3 | wide(size)).sized(size), rex, reg.0, mem, 0, true);
    }

    /// `lock op memory, imm` (not `cmp`).
    pub fn lock_alu_mi(&mut self, op: Alu, size: Size, mem: Mem, imm: i32) {
        debug_assert!(op != Alu::Cmp);
        self.alu_mi_lock(op, size, mem, imm, true);
    }

    /// `lock inc`, `dec`, `not` or `neg`.
    pub fn lock_unary_m(&mut self, op: Unary, size: Size, mem: Mem) {
        let (opcode, extension) = match op {
            Unary::Inc => (0xfe, 0),
            Unary::Dec => (0xfe, 1),
            Unary::Not => (0xf6, 2),
            Unary::Neg => (0xf6, 3),
            _ => unreachable!("{op:?} has no locked form"),
        };
        self.op_rm_lock(Opcode::one(opcode | wide(size)).sized(size), rex_of(size), extension, mem, 0, true);
    }

    /// `lock bts`, `btr` or `btc` with a constant bit number.
    pub fn lock_bit_test_mi(&mut self, op: BitTest, size: Size, mem: Mem, bit: u8) {
        self.op_rm_lock(Opcode::two(0xba).sized(size), rex_of(size), op as u8, mem, 1, true);
        self.imm(i64::from(bit), 1);
    }

    /// `mfence`
    pub fn mfence(&mut self) {
        self.put_bytes(&[0x0f, 0xae, 0xf0]);
    }

    /// `lfence`
    pub fn lfence(&mut self) {
        self.put_bytes(&[0x0f, 0xae, 0xe8]);
    }

    /// `sfence`
    pub fn sfence(&mut self) {
        self.put_bytes(&[0x0f, 0xae, 0xf8]);
    }

    /// `ldmxcsr`: loads the SSE control register.
    pub fn ldmxcsr(&mut self, mem: Mem) {
        self.op_rm(Opcode::two(0xae), 0, 2, mem, 0);
    }

    /// `stmxcsr`: stores the SSE control register.
    pub fn stmxcsr(&mut self, mem: Mem) {
        self.op_rm(Opcode::two(0xae), 0, 3, mem, 0);
    }
}
