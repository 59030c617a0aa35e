//! Branches, calls, returns and instructions that stand alone.

use platform::registers::{RDI, Reg};

use super::{
    core::Opcode,
    operands::{Cond, Mem},
};
use crate::{
    CodeBuffer,
    code_buffer::LabelFixup,
    function_code::Label,
    relax::{self, ALWAYS},
    relocations::{RelocKind, SymbolRef},
};

impl CodeBuffer {
    /// Jump to a label of this function.
    #[inline]
    pub fn jmp(&mut self, target: Label) {
        self.branch(ALWAYS, target);
    }

    /// Conditional jump to a label of this function.
    #[inline]
    pub fn jcc(&mut self, cond: Cond, target: Label) {
        self.branch(cond as u8, target);
    }

    /// Jump to a label that always takes the 32-bit form (in text whose inner distances are fixed
    /// already).
    pub fn jmp_long(&mut self, target: Label) {
        self.op_none(Opcode::one(0xe9), 0);
        self.label_field(target);
    }

    /// Conditional jump to a label in the 32-bit form.
    pub fn jcc_long(&mut self, cond: Cond, target: Label) {
        self.op_none(Opcode::two(0x80 | cond as u8), 0);
        self.label_field(target);
    }

    /// Call of a label of this function.
    pub fn call_label(&mut self, target: Label) {
        self.op_none(Opcode::one(0xe8), 0);
        self.label_field(target);
    }

    fn label_field(&mut self, target: Label) {
        let offset = self.offset();
        self.imm(0, 4);
        self.fixups.push(LabelFixup { offset, target, addend: -4 });
    }

    /// Jump to the address in a register.
    pub fn jmp_r(&mut self, reg: Reg) {
        self.op_rr(Opcode::one(0xff), 0, 4, reg.0);
    }

    /// Jump to the address in memory.
    pub fn jmp_m(&mut self, mem: Mem) {
        self.op_rm(Opcode::one(0xff), 0, 4, mem, 0);
    }

    /// Jump to a function (a tail call), through the PLT if the linker needs one.
    pub fn jmp_symbol(&mut self, symbol: SymbolRef) {
        self.op_none(Opcode::one(0xe9), 0);
        self.symbol_field(symbol, RelocKind::Plt32);
    }

    /// Conditional jump to a function.
    pub fn jcc_symbol(&mut self, cond: Cond, symbol: SymbolRef) {
        self.op_none(Opcode::two(0x80 | cond as u8), 0);
        self.symbol_field(symbol, RelocKind::Plt32);
    }

    /// Jump through a function's GOT entry (`-fno-plt`).
    pub fn jmp_got(&mut self, symbol: SymbolRef) {
        self.jmp_m(Mem::rip_symbol(symbol, 0, RelocKind::GotPcRel));
    }

    /// Call of a function, through the PLT if the linker needs one.
    #[inline]
    pub fn call_symbol(&mut self, symbol: SymbolRef) {
        self.op_none(Opcode::one(0xe8), 0);
        self.symbol_field(symbol, RelocKind::Plt32);
    }

    /// Call through a function's GOT entry (`-fno-plt`).
    pub fn call_got(&mut self, symbol: SymbolRef) {
        self.call_m(Mem::rip_symbol(symbol, 0, RelocKind::GotPcRel));
    }

    /// Call of the address in a register.
    pub fn call_r(&mut self, reg: Reg) {
        self.op_rr(Opcode::one(0xff), 0, 2, reg.0);
    }

    /// Call of the address in memory.
    pub fn call_m(&mut self, mem: Mem) {
        self.op_rm(Opcode::one(0xff), 0, 2, mem, 0);
    }

    #[inline]
    fn symbol_field(&mut self, symbol: SymbolRef, kind: RelocKind) {
        let offset = self.offset();
        self.imm(0, 4);
        self.add_reloc(offset, kind, symbol, -4);
    }

    /// `ret`
    #[inline]
    pub fn ret(&mut self) {
        self.op_none(Opcode::one(0xc3), 0);
    }

    /// `leave`: `rsp = rbp`, pop `rbp`.
    #[inline]
    pub fn leave(&mut self) {
        self.op_none(Opcode::one(0xc9), 0);
    }

    /// General-dynamic TLS: `rax = &symbol`, in the fixed 16-byte sequence that linkers rewrite
    /// (psABI 11.1.1). `tls_get_addr` is the symbol `__tls_get_addr`; with `no_plt` it is called
    /// through the GOT.
    pub fn tls_general_dynamic(&mut self, symbol: SymbolRef, tls_get_addr: SymbolRef, no_plt: bool) {
        self.put_bytes(&[0x66]);
        self.op_rm(Opcode::one(0x8d), 0x48, RDI.0, Mem::rip_symbol(symbol, 0, RelocKind::TlsGd), 0);
        if no_plt {
            // data16 rex.W call *__tls_get_addr@GOTPCREL(%rip); GNU ld knows the sequence by this
            // relocation.
            self.put_bytes(&[0x66, 0x48, 0xff, 0x15]);
            self.symbol_field(tls_get_addr, RelocKind::GotPcRelX);
        } else {
            self.put_bytes(&[0x66, 0x66, 0x48, 0xe8]);
            self.symbol_field(tls_get_addr, RelocKind::Plt32);
        }
    }

    /// Local-dynamic TLS: `rax` = start of this module's TLS block; add `symbol@dtpoff` to it.
    pub fn tls_local_dynamic(&mut self, symbol: SymbolRef, tls_get_addr: SymbolRef, no_plt: bool) {
        self.op_rm(Opcode::one(0x8d), 0x48, RDI.0, Mem::rip_symbol(symbol, 0, RelocKind::TlsLd), 0);
        if no_plt { self.call_got(tls_get_addr) } else { self.call_symbol(tls_get_addr) }
    }

    /// `ud2`: an invalid instruction (`__builtin_trap`).
    pub fn ud2(&mut self) {
        self.op_none(Opcode::two(0x0b), 0);
    }

    /// `int3`
    pub fn int3(&mut self) {
        self.op_none(Opcode::one(0xcc), 0);
    }

    /// `len` bytes of no-op instructions.
    pub fn nop(&mut self, len: usize) {
        let mut left = len;
        while left > 0 {
            // The longest form that is usual in the middle of code.
            let now = left.min(9);
            relax::fill_nops(&mut self.window()[..now]);
            self.len += now;
            left -= now;
        }
    }

    /// `pause`
    pub fn pause(&mut self) {
        self.op_none(Opcode::one(0x90).with_prefix(0xf3), 0);
    }

    /// `endbr64` (`-fcf-protection`)
    pub fn endbr64(&mut self) {
        self.put_bytes(&[0xf3, 0x0f, 0x1e, 0xfa]);
    }

    /// `cpuid`
    pub fn cpuid(&mut self) {
        self.op_none(Opcode::two(0xa2), 0);
    }

    /// `rdtsc`
    pub fn rdtsc(&mut self) {
        self.op_none(Opcode::two(0x31), 0);
    }

    /// `cld`: string operations run upward.
    pub fn cld(&mut self) {
        self.op_none(Opcode::one(0xfc), 0);
    }

    /// `pushfq`
    pub fn pushfq(&mut self) {
        self.op_none(Opcode::one(0x9c), 0);
    }

    /// `popfq`
    pub fn popfq(&mut self) {
        self.op_none(Opcode::one(0x9d), 0);
    }
}
