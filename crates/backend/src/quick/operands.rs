//! Operands: turning a value, wherever it is, into a register, a memory operand or an immediate.
//!
//! Every `use_*`, `take*` and `mem*` method consumes one use of the value and must be called
//! exactly once per operand. What they return stays valid until the instruction ends. Lazy
//! addresses fold into memory operands here.

use ir::{Constant, Inst, Opcode, SymbolId, Type, Value};
use object::{Mem, RelocKind, Rm, Rmi, Scale, Segment, Size, SymbolRef, encode::Sse};
use platform::registers::{RBP, Reg};

use super::Quick;
use super::regs::{gpr_size, op_size};
use super::state::{Class, LazyAddress, LazyBase, Place, class_of};
use crate::context::AddressForm;

/// Offsets from a symbol beyond this are added separately: the small code model promises only that
/// symbols themselves are in reach (gcc uses the same bound).
const SYMBOL_OFFSET_LIMIT: i64 = 16 << 20;

/// The reference of an IR symbol in code.
#[inline]
pub fn symbol_ref(symbol: SymbolId) -> SymbolRef {
    SymbolRef::module(symbol.as_u32())
}

impl Quick<'_> {
    // ---- constants ----

    /// The bits of a scalar constant (undef is zero), at most 64 significant ones.
    pub fn const_bits(&self, value: Value) -> Option<u128> {
        match self.func.const_bits(value) {
            Some(bits) => Some(bits),
            None if self.place(value) == Place::Zero => Some(0),
            None => None,
        }
    }

    /// An integer constant, sign-extended from its type (an i1 is 0 or 1).
    #[inline]
    pub fn const_int(&self, value: Value) -> Option<i64> {
        let bits = self.const_bits(value)?;
        let ty = self.func.value_type(value);
        if class_of(ty) != Class::Gpr {
            return None;
        }
        Some(sign_extend(bits as u64, if ty == Type::I1 { 64 } else { ty.bits() }))
    }

    /// An integer constant that fits a sign-extended 32-bit immediate.
    #[inline]
    pub fn const_i32(&self, value: Value) -> Option<i32> {
        self.const_int(value).and_then(|x| i32::try_from(x).ok())
    }

    /// Where a value is (constants: [`Place::None`]).
    #[inline]
    pub fn place(&self, value: Value) -> Place {
        self.values[value.as_u32() as usize].place
    }

    fn hint(&self, value: Value) -> u8 {
        self.values[value.as_u32() as usize].hint
    }

    // ---- registers ----

    /// Puts a value into a register and keeps it there, without consuming a use.
    pub fn peek(&mut self, value: Value) -> Reg {
        match self.place(value) {
            Place::Reg(reg) => {
                self.regs.pinned.insert(reg);
                reg
            }
            _ => {
                let ty = self.func.value_type(value);
                let reg = self.alloc_class(ty, self.hint(value));
                self.load_into(value, reg);
                // Constants and frame addresses are cheaper to make again than to keep.
                let keeps = self.func.constant(value).is_none()
                    && !matches!(self.place(value), Place::FrameAddress(_) | Place::Zero);
                if keeps {
                    self.leave_lazy(value);
                    self.own(reg, value);
                }
                reg
            }
        }
    }

    /// What a lazy value held is released: the value itself has been computed.
    pub(super) fn leave_lazy(&mut self, value: Value) {
        match self.place(value) {
            Place::Lazy(index) => {
                let lazy = self.lazies[index as usize];
                if let LazyBase::Value(base) = lazy.base {
                    self.consume(base);
                }
                if let Some((index, _)) = lazy.index {
                    self.consume(index);
                }
            }
            Place::Scaled(inner, _) => self.consume(inner),
            _ => {}
        }
    }

    /// The value in a register that must not be changed.
    #[inline]
    pub fn use_reg(&mut self, value: Value) -> Reg {
        let reg = self.peek(value);
        self.consume(value);
        reg
    }

    /// The value in a register that the instruction may overwrite (pinned, without owner).
    #[inline]
    pub fn take(&mut self, value: Value) -> Reg {
        let hint = self.hint(value);
        self.take_hinted(value, hint)
    }

    /// As [`Self::take`], into a register that suits `result`.
    #[inline]
    pub fn take_for(&mut self, value: Value, result: Value) -> Reg {
        let hint = self.hint(result);
        self.take_hinted(value, hint)
    }

    fn take_hinted(&mut self, value: Value, hint: u8) -> Reg {
        if let Place::Reg(reg) = self.place(value) {
            self.regs.pinned.insert(reg);
            let state = self.values[value.as_u32() as usize];
            if state.uses == 1 {
                self.consume(value);
                return reg;
            }
            if state.global && state.uses == 2 {
                // Nothing more is to come in this block or after it in the layout; other blocks
                // read the home.
                self.disown(reg);
                self.values[value.as_u32() as usize].place = Place::Home;
                self.consume(value);
                return reg;
            }
            let ty = self.func.value_type(value);
            let to = self.alloc_class(ty, hint);
            self.move_reg(ty, to, reg);
            self.consume(value);
            return to;
        }
        let ty = self.func.value_type(value);
        let reg = self.alloc_class(ty, hint);
        self.load_into(value, reg);
        self.consume(value);
        reg
    }

    /// The value in a particular register that the instruction may overwrite. Other owners make
    /// room; operands taken earlier in the same instruction must not be in that register.
    pub fn take_in(&mut self, value: Value, reg: Reg) {
        if self.place(value) == Place::Reg(reg) {
            self.regs.pinned.insert(reg);
            if self.uses(value) > 1 {
                // The value lives on elsewhere; its bits stay in the register as well.
                self.claim(reg);
            }
            self.consume(value);
            return;
        }
        self.claim(reg);
        self.load_into(value, reg);
        self.consume(value);
    }

    /// Writes a value into `reg` (not owned by anything else), wherever it is. The value's place
    /// does not change.
    pub fn load_into(&mut self, value: Value, reg: Reg) {
        let ty = self.func.value_type(value);
        if let Some(constant) = self.func.constant(value) {
            match constant {
                Constant::Bits(bits) => self.load_bits(ty, *bits, reg),
                &Constant::Symbol(symbol, offset) => self.load_symbol(symbol, offset, reg),
                Constant::Vector(_) => base::bug!("a vector constant has no register"),
            }
            return;
        }
        match self.place(value) {
            Place::Reg(from) => self.move_reg(ty, reg, from),
            // A global value whose definition comes later in the layout has its home already.
            Place::Home | Place::None => {
                let mem = self.home_mem(value);
                self.load(ty, reg, mem);
            }
            Place::FrameAddress(offset) => self.buf.lea(Size::Q, reg, Mem::base(RBP, offset)),
            Place::Zero => self.load_bits(ty, 0, reg),
            Place::Lazy(index) => {
                let lazy = self.lazies[index as usize];
                self.compute_address(lazy, reg);
            }
            Place::Scaled(inner, scale) => {
                let inner = self.peek(inner);
                self.move_reg(Type::I64, reg, inner);
                self.buf.shift_xi(object::Shift::Shl, Size::Q, reg, scale as u8);
            }
            Place::Deferred(inst) => self.run_deferred(inst, reg),
        }
    }

    /// Loads a value from memory of its type's size.
    pub fn load(&mut self, ty: Type, reg: Reg, mem: Mem) {
        if reg.is_gpr() { self.load_gpr(ty, reg, mem) } else { self.load_xmm(ty, reg, mem) }
    }

    /// Loads a general-register value from memory of its type's size.
    #[inline]
    pub fn load_gpr(&mut self, ty: Type, reg: Reg, mem: Mem) {
        match gpr_size(ty) {
            size @ (Size::B | Size::W) => self.buf.movzx_rx(Size::D, size, reg, mem),
            size => self.buf.mov_rm(size, reg, mem),
        }
    }

    /// The memory operand of a value's home. A global value that is used earlier in the layout than
    /// it is defined gets its home here.
    #[inline]
    pub fn home_mem(&mut self, value: Value) -> Mem {
        let state = self.values[value.as_u32() as usize];
        if state.home != 0 {
            return Mem::base(RBP, state.home);
        }
        if !state.global {
            base::bug!("{value} is used before it is defined");
        }
        let home = self.frame.home(self.func.value_type(value).alloc_size(), true);
        let state = &mut self.values[value.as_u32() as usize];
        state.home = home;
        Mem::base(RBP, home)
    }

    /// Sets a register to constant bits. The flags stay as they are.
    pub fn load_bits(&mut self, ty: Type, bits: u128, reg: Reg) {
        if reg.is_gpr() {
            let size = op_size(ty);
            self.buf.mov_ri(size, reg, if size == Size::D { (bits as u32).into() } else { bits as u64 as i64 });
        } else if bits == 0 {
            self.buf.sse_rx(Sse::Xorps, reg, reg);
        } else {
            let mem = self.constant_mem(&bits.to_le_bytes()[..ty.store_size() as usize]);
            self.load_xmm(ty, reg, mem);
        }
    }

    /// A read-only constant as a memory operand, aligned to its size (at most 16).
    pub fn constant_mem(&mut self, bytes: &[u8]) -> Mem {
        let align = (bytes.len() as u32).next_power_of_two().min(16);
        Mem::rip_symbol(self.buf.constant(bytes, align), 0, RelocKind::Pc32)
    }

    // ---- symbols ----

    /// Sets a register to `symbol + offset`. The flags stay as they are.
    pub fn load_symbol(&mut self, symbol: SymbolId, offset: i64, reg: Reg) {
        let form = self.cx.address_form(symbol);
        let target = symbol_ref(symbol);
        if offset.abs() >= SYMBOL_OFFSET_LIMIT {
            self.load_symbol(symbol, 0, reg);
            return self.add_large(reg, offset);
        }
        let small = offset as i32;
        match form {
            AddressForm::Rip => self.buf.lea(Size::Q, reg, Mem::rip_symbol(target, small, RelocKind::Pc32)),
            AddressForm::Absolute32 => self.buf.mov_r_symbol32(reg, target, small),
            AddressForm::Absolute32Signed => self.buf.mov_r_symbol32s(reg, target, small),
            AddressForm::Got => {
                self.buf.mov_rm(Size::Q, reg, Mem::rip_symbol(target, 0, RelocKind::GotPcRel));
                self.add_small(reg, small);
            }
            AddressForm::Absolute64 | AddressForm::Far | AddressForm::FarGot => {
                base::bug!("the large code model is for selection")
            }
        }
    }

    fn add_small(&mut self, reg: Reg, offset: i32) {
        if offset != 0 {
            self.buf.lea(Size::Q, reg, Mem::base(reg, offset));
        }
    }

    /// Adds any 64-bit constant without touching the flags.
    pub fn add_large(&mut self, reg: Reg, offset: i64) {
        match i32::try_from(offset) {
            Ok(small) => self.add_small(reg, small),
            Err(_) => {
                let temp = self.temp_gpr();
                self.buf.mov_ri(Size::Q, temp, offset);
                self.buf.lea(Size::Q, reg, Mem::base_index(reg, temp, Scale::One, 0));
            }
        }
    }

    /// A memory operand for `symbol + offset`.
    fn symbol_mem(&mut self, symbol: SymbolId, offset: i64) -> Mem {
        let form = self.cx.address_form(symbol);
        let target = symbol_ref(symbol);
        if offset.abs() < SYMBOL_OFFSET_LIMIT {
            match form {
                AddressForm::Rip | AddressForm::Absolute32 | AddressForm::Absolute32Signed => {
                    return Mem::rip_symbol(target, offset as i32, RelocKind::Pc32);
                }
                AddressForm::Got => {
                    let reg = self.temp_gpr();
                    self.buf.mov_rm(Size::Q, reg, Mem::rip_symbol(target, 0, RelocKind::GotPcRel));
                    return Mem::base(reg, offset as i32);
                }
                _ => {}
            }
        }
        let reg = self.temp_gpr();
        self.load_symbol(symbol, offset, reg);
        Mem::base(reg, 0)
    }

    // ---- memory operands ----

    /// The memory at the address `pointer`.
    pub fn mem(&mut self, pointer: Value) -> Mem {
        let mem = self.peek_mem(pointer);
        self.consume(pointer);
        mem
    }

    /// As [`Self::mem`], without consuming a use.
    pub fn peek_mem(&mut self, pointer: Value) -> Mem {
        if let Some((symbol, offset)) = self.func.const_symbol(pointer) {
            return self.symbol_mem(symbol, offset);
        }
        match self.place(pointer) {
            Place::FrameAddress(offset) => Mem::base(RBP, offset),
            Place::Lazy(index) => {
                let lazy = self.lazies[index as usize];
                self.lazy_mem(lazy)
            }
            _ => match self.const_i32(pointer) {
                Some(address) if address >= 0 => Mem::absolute(address),
                _ => Mem::base(self.peek(pointer), 0),
            },
        }
    }

    fn lazy_mem(&mut self, lazy: LazyAddress) -> Mem {
        let index = lazy.index.map(|(value, scale)| (self.peek(value), scale));
        let mem = match lazy.base {
            LazyBase::Frame => Mem::base(RBP, lazy.disp),
            LazyBase::Value(base) => Mem::base(self.peek(base), lazy.disp),
            LazyBase::ThreadLocal(symbol) => Mem::tls_local_exec(symbol_ref(symbol), lazy.disp),
            LazyBase::Symbol(symbol) => match self.cx.address_form(symbol) {
                AddressForm::Absolute32 | AddressForm::Absolute32Signed => {
                    Mem::abs_symbol(symbol_ref(symbol), lazy.disp)
                }
                _ if index.is_none() => self.symbol_mem(symbol, lazy.disp.into()),
                _ => {
                    let reg = self.temp_gpr();
                    self.load_symbol(symbol, 0, reg);
                    Mem::base(reg, lazy.disp)
                }
            },
        };
        match index {
            Some((reg, scale)) => mem.with_index(reg, scale),
            None => mem,
        }
    }

    fn compute_address(&mut self, lazy: LazyAddress, reg: Reg) {
        let mem = match lazy.base {
            LazyBase::ThreadLocal(_) => {
                let mut mem = self.lazy_mem(lazy);
                self.buf.mov_rm(Size::Q, reg, Mem::absolute(0).with_segment(Segment::Fs));
                mem.segment = Segment::None;
                mem.with_base(reg)
            }
            LazyBase::Symbol(symbol) if lazy.index.is_none() => {
                return self.load_symbol(symbol, lazy.disp.into(), reg);
            }
            _ => self.lazy_mem(lazy),
        };
        match mem {
            Mem { base: Some(base), index: None, disp: 0, anchor: object::Anchor::None, .. } => {
                self.move_reg(Type::PTR, reg, base);
            }
            mem => self.buf.lea(Size::Q, reg, mem),
        }
    }

    /// Makes `result` a lazy address, or computes it at once if it must have a home. The caller has
    /// accounted for the uses that the address holds.
    pub fn define_lazy(&mut self, result: Value, lazy: LazyAddress) {
        let state = self.values[result.as_u32() as usize];
        if let (LazyBase::Frame, None, 0) = (lazy.base, lazy.index, state.home) {
            self.values[result.as_u32() as usize].place = Place::FrameAddress(lazy.disp);
            return;
        }
        let index = self.lazies.len() as u32;
        self.lazies.push(lazy);
        self.values[result.as_u32() as usize].place = Place::Lazy(index);
        // Uses of a global value may stand in blocks laid out, and so counted down, before this
        // one.
        if state.global {
            let reg = self.peek(result);
            self.store_home(result, reg);
        } else if state.uses == 0 {
            self.leave_lazy(result);
        }
    }

    // ---- combined operands ----

    /// An integer operand in the form that is at hand: an immediate, the memory it lies in, or a
    /// register. Operands narrower than 32 bits are never memory, so that arithmetic can be done on
    /// 32 bits.
    pub fn use_rmi(&mut self, value: Value) -> Rmi {
        let ty = self.func.value_type(value);
        if matches!(gpr_size(ty), Size::B | Size::W) && self.const_i32(value).is_none() {
            return Rmi::Reg(self.use_reg(value));
        }
        self.use_rmi_exact(value)
    }

    /// As [`Self::use_rmi`], for instructions whose operand size is exactly the type's.
    pub fn use_rmi_exact(&mut self, value: Value) -> Rmi {
        if let Some(imm) = self.const_i32(value) {
            self.consume(value);
            return Rmi::Imm(imm);
        }
        if let Some(mem) = self.at_hand_in_memory(value) {
            self.consume(value);
            return Rmi::Mem(mem);
        }
        Rmi::Reg(self.use_reg(value))
    }

    /// A scalar float operand as a register or as memory of its size.
    pub fn use_rm(&mut self, value: Value) -> Rm {
        if let Some(mem) = self.at_hand_in_memory(value) {
            self.consume(value);
            return Rm::Mem(mem);
        }
        if let Some(bits) = self.const_bits(value)
            && bits != 0
        {
            self.consume(value);
            let size = self.func.value_type(value).store_size();
            return Rm::Mem(self.constant_mem(&bits.to_le_bytes()[..size as usize]));
        }
        Rm::Reg(self.use_reg(value))
    }

    /// The memory a value lies in, if it is there and nowhere better: a deferred load, or its home
    /// with no other use to come.
    pub fn at_hand_in_memory(&mut self, value: Value) -> Option<Mem> {
        if self.func.constant(value).is_some() {
            return None;
        }
        match self.place(value) {
            Place::Home if self.is_last_use(value) => Some(self.home_mem(value)),
            Place::Deferred(inst) if self.func.insts[inst].opcode == Opcode::Load => Some(self.deferred_load_mem(inst)),
            _ => None,
        }
    }

    /// Whether one use is left (the one that global values hold themselves not counted).
    fn is_last_use(&self, value: Value) -> bool {
        let state = &self.values[value.as_u32() as usize];
        state.uses == 1 + u32::from(state.global)
    }

    // ---- deferred instructions ----

    /// The memory operand of a deferred load. Its only user consumes the load's result itself.
    fn deferred_load_mem(&mut self, inst: Inst) -> Mem {
        let pointer = self.func.insts[inst].arg(0);
        self.mem(pointer)
    }

    fn run_deferred(&mut self, inst: Inst, reg: Reg) {
        let data = self.func.insts[inst];
        if data.opcode == Opcode::Load {
            let mem = self.deferred_load_mem(inst);
            self.load(data.ty, reg, mem);
        } else {
            super::compare::materialize(self, inst, reg);
        }
    }

    /// A general register for `result`, or any.
    pub fn result_gpr(&mut self, result: Value) -> Reg {
        let hint = self.hint(result);
        self.alloc_gpr(hint)
    }

    /// An SSE register for `result`, or any.
    pub fn result_xmm(&mut self, result: Value) -> Reg {
        let hint = self.hint(result);
        self.alloc_xmm(hint)
    }

    /// Whether the instruction after `inst` is the only user of `inst`'s (local) result.
    pub fn next_is_only_user(&self, inst: Inst, result: Value) -> bool {
        let state = &self.values[result.as_u32() as usize];
        if state.uses != 1 || state.global {
            return false;
        }
        match self.func.next_inst(inst) {
            Some(next) => self.func.operands(next).any(|v| v == result),
            None => false,
        }
    }
}

/// The low `bits` of `x`, sign-extended.
#[inline]
pub fn sign_extend(x: u64, bits: u32) -> i64 {
    let shift = 64 - bits;
    ((x << shift) as i64) >> shift
}
