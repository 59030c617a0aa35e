//! The registers and frame slots of values: which a type takes, which a value was given, and asking
//! for one.
//!
//! A value's register is handed out when it is first asked for; asking by [`Ctx::reg`] also has its
//! definition selected.

use cranelift_entity::EntityRef;
use ir::{Inst, Intrinsic, Opcode, Type, Value, ValueDef};
use object::encode::{Sse, Vex};
use platform::options::X86Features;

use super::Ctx;
use crate::{
    machine::{Class, MInst, Op, VReg},
    select::{call, constants, register_variables},
};

/// How values of a type are held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// In this many registers.
    Regs(Class, u8, u8),
    /// In a 16-byte frame slot (x87 values).
    Slot,
}

/// Whether a vector of the type fills a `ymm` register.
pub fn is_wide_type(ty: Type) -> bool {
    ty.is_vector() && ty.store_size() == 32
}

impl Ctx<'_> {
    /// How values of a type are held.
    pub fn holder(ty: Type) -> Holder {
        if ty == Type::F80 {
            return Holder::Slot;
        }
        if ty == Type::I128 {
            return Holder::Regs(Class::Gpr, 8, 2);
        }
        if ty.is_vector() {
            let bytes = ty.store_size();
            return if bytes <= 8 {
                Holder::Regs(Class::Xmm, 8, 1)
            } else {
                Holder::Regs(Class::Xmm, 16, bytes.div_ceil(16) as u8)
            };
        }
        match ty {
            Type::F16 | Type::F32 | Type::F64 => Holder::Regs(Class::Xmm, 8, 1),
            Type::F128 => Holder::Regs(Class::Xmm, 16, 1),
            _ => Holder::Regs(Class::Gpr, 8, 1),
        }
    }

    /// How many registers hold a value of the type.
    pub fn parts(&self, ty: Type) -> usize {
        match Ctx::holder(ty) {
            _ if self.whole && is_wide_type(ty) => 1,
            Holder::Regs(_, _, parts) => parts as usize,
            Holder::Slot => 0,
        }
    }

    /// New registers for a value of the type; the first is returned, others follow consecutively.
    pub fn temp(&mut self, ty: Type) -> VReg {
        if self.whole && is_wide_type(ty) {
            return self.temp_wide();
        }
        match Ctx::holder(ty) {
            Holder::Regs(class, size, parts) => {
                let first = self.out.new_vreg(class, size);
                for _ in 1..parts {
                    self.out.new_vreg(class, size);
                }
                self.out.vregs[first.index()].narrow = ty.is_int() && ty.bits() <= 32;
                first
            }
            Holder::Slot => {
                let slot = self.out.new_slot(16, 16);
                self.out.x87_values.push(slot);
                VReg(slot)
            }
        }
    }

    /// A new general register.
    pub fn temp_gpr(&mut self) -> VReg {
        self.out.new_vreg(Class::Gpr, 8)
    }

    /// A new SSE register of 16 bytes, or of 32 while whole `ymm` registers are worked on.
    pub fn temp_xmm(&mut self) -> VReg {
        self.out.new_vreg(Class::Xmm, if self.whole { 32 } else { 16 })
    }

    fn home(&mut self, value: Value) -> VReg {
        if let Some(class) = self.phis.class(value) {
            if self.class_regs[class.index()].is_none() {
                let reg = if self.held_wide(value) { self.temp_wide() } else { self.temp(self.ty(value)) };
                self.class_regs[class.index()] = reg;
            }
            return self.class_regs[class.index()];
        }
        if self.regs[value.index()].is_none() {
            let reg = if self.held_wide(value) { self.temp_wide() } else { self.temp(self.ty(value)) };
            self.regs[value.index()] = reg;
        }
        self.regs[value.index()]
    }

    /// Whether the value is a vector that fills a `ymm` register of the function's.
    pub fn is_wide(&self, value: Value) -> bool {
        is_wide_type(self.ty(value)) && self.has(X86Features::AVX)
    }

    /// Whether the value is a 32-byte vector held in one `ymm` register: all are in functions with
    /// AVX, but for constants and parameters in memory.
    pub fn held_wide(&self, value: Value) -> bool {
        match self.func.value_def(value) {
            _ if !self.is_wide(value) => false,
            _ if self.phis.class(value).is_some() => true,
            ValueDef::Const(_) => false,
            ValueDef::Param(index) => matches!(self.layout.params[index as usize], ir::abi::ParamPlace::Reg(_)),
            ValueDef::Result(..) => true,
        }
    }

    /// The register with the value, a 32-byte vector in one.
    pub fn in_one_register(&mut self, value: Value) -> VReg {
        if self.is_wide(value) { self.wide_reg(value) } else { self.reg(value) }
    }

    /// Whether the value is a constant without a bit set.
    pub fn is_zero(&self, value: Value) -> bool {
        match self.func.constant(value) {
            Some(ir::Constant::Bits(bits)) => *bits == 0,
            Some(ir::Constant::Vector(bytes)) => bytes.iter().all(|&byte| byte == 0),
            _ => false,
        }
    }

    /// A new `ymm` register.
    pub fn temp_wide(&mut self) -> VReg {
        self.out.new_vreg(Class::Xmm, 32)
    }

    /// A 32-byte vector in one `ymm` register, computed before the root.
    pub fn wide_reg(&mut self, value: Value) -> VReg {
        if self.held_wide(value) {
            self.need(value);
            return self.home(value);
        }
        if self.func.constant(value).is_some() {
            let whole = std::mem::replace(&mut self.whole, true);
            let reg = constants::constant_reg(self, value);
            self.whole = whole;
            return reg;
        }
        let whole = std::mem::replace(&mut self.whole, false);
        let (dst, parts) = (self.temp_wide(), self.reg(value));
        self.join(dst, parts);
        self.whole = whole;
        dst
    }

    /// Part `number` of a vector; of a `ymm` register only that half is taken out.
    pub fn part_of(&mut self, value: Value, number: usize) -> VReg {
        if !self.held_wide(value) {
            return self.reg(value).part(number);
        }
        let (whole, part) = (self.wide_reg(value), self.out.new_vreg(Class::Xmm, 16));
        match number {
            0 => self.copy(part, whole),
            _ => self.vex(Vex::Vextractf128, part, VReg::NONE, whole, 1),
        }
        part
    }

    /// `dst` (`ymm`) = the two parts from `parts` on.
    pub fn join(&mut self, dst: VReg, parts: VReg) {
        self.vex(Vex::Vinsertf128, dst, parts, parts.part(1), 1);
    }

    /// The two parts from `dst` on = `src` (`ymm`).
    pub fn split(&mut self, dst: VReg, src: VReg) {
        self.xmm_un(Sse::Movaps, dst, src);
        self.vex(Vex::Vextractf128, dst.part(1), VReg::NONE, src, 1);
    }

    /// The register(s) to write a result to.
    pub fn result(&mut self, value: Value) -> VReg {
        if let Some(parts) = self.apart
            && self.held_wide(value)
        {
            let parts = if parts.is_none() { self.temp(self.ty(value)) } else { parts };
            self.apart = Some(parts);
            return parts;
        }
        self.home(value)
    }

    /// The result register of the root's only result.
    pub fn root_result(&mut self) -> VReg {
        self.result(self.func.first_result(self.root))
    }

    /// Whether someone asked for the value.
    pub fn is_needed(&self, value: Value) -> bool {
        self.needed[value.index()]
    }

    /// Marks a value as asked for.
    pub fn need(&mut self, value: Value) {
        self.needed[value.index()] = true;
    }

    /// The x87 value's frame slot, asked for.
    pub fn slot_of(&mut self, value: Value) -> u32 {
        self.need(value);
        self.home(value).0
    }

    /// The x87 result's frame slot.
    pub fn result_slot(&mut self, value: Value) -> u32 {
        self.home(value).0
    }

    /// The value in its register(s), computed before the root. Constants are materialised here.
    pub fn reg(&mut self, value: Value) -> VReg {
        if self.whole && is_wide_type(self.ty(value)) {
            return self.wide_reg(value);
        }
        if self.func.constant(value).is_some() {
            return constants::constant_reg(self, value);
        }
        if let Some(reg) = register_variables::still_there(self, value) {
            return reg;
        }
        if let Some((inst, data)) = self.def(value) {
            match data.opcode {
                Opcode::Alloca => return constants::alloca_reg(self, value, inst),
                Opcode::BlockAddr => {
                    let dst = self.temp_gpr();
                    let target = self.func.labels[data.label() as usize].as_u32();
                    self.push(MInst::to_block(Op::BlockAddress, target).dst(dst));
                    return dst;
                }
                // No machine instruction: the same register with fewer bits looked at.
                Opcode::Trunc if data.ty != Type::I1 && !data.ty.is_vector() => {
                    let src = self.arg(&data, 0);
                    if self.can_sink(inst) {
                        // Of the upper half of 128 bits.
                        if let Some((shift, halves)) = self.def_op(src, Opcode::LShr)
                            && self.func.const_bits(self.arg(&halves, 1)) == Some(64)
                            && halves.ty == Type::I128
                            && self.can_sink(shift)
                        {
                            let whole = self.arg(&halves, 0);
                            return self.reg(whole).part(1);
                        }
                        return self.reg(src);
                    }
                }
                Opcode::PtrToInt | Opcode::IntToPtr => {
                    let src = self.arg(&data, 0);
                    if self.can_sink(inst) {
                        return self.reg(src);
                    }
                }
                Opcode::ZExt if data.ty != Type::I128 && !data.ty.is_vector() => {
                    let src = self.arg(&data, 0);
                    // What a phi takes is in a register of its own anyway.
                    let own = self.is_needed(value) || self.phis.class(value).is_some();
                    if !own && self.can_sink(inst) && self.upper_clear(src) {
                        return self.reg(src);
                    }
                }
                _ => {}
            }
        }
        if let Some(offset) = call::byval_offset(self, value) {
            return constants::incoming_reg(self, value, offset);
        }
        if self.held_wide(value) {
            self.need(value);
            let (whole, parts) = (self.home(value), self.temp(self.ty(value)));
            self.split(parts, whole);
            return parts;
        }
        self.need(value);
        self.home(value)
    }

    /// Whether the register of a value has zeros above the value's width: its definition is a
    /// 32-bit machine operation or an extending load.
    pub fn upper_clear(&self, value: Value) -> bool {
        use Opcode::*;
        let ty = self.ty(value);
        let Some((_, data)) = self.def(value) else { return false };
        if matches!(ty, Type::I8 | Type::I16) {
            return data.opcode == Load;
        }
        // A division's shift is one with its multiplication, of 64 bits.
        if data.opcode == AShr && self.def_op(self.arg(&data, 0), SMulHi).is_some() {
            return false;
        }
        let opcode = data.opcode;
        let other = matches!(
            opcode,
            Add | Sub | Mul | Rotl | Rotr | Load | ZExt | SExt | UDiv | URem | SDiv | SRem | Bswap | Select
        );
        ty == Type::I32 && (other || opcode.is_bitwise() || opcode.is_min_max())
    }

    /// Notes where objects lie that debug information describes, or points to.
    pub fn keep_variable_slots(&mut self) {
        if self.func.debug.is_some() {
            let slots = self.alloca_slots.iter().zip(0..).filter(|(slot, _)| **slot != u32::MAX);
            self.out.variable_slots = slots.map(|(&slot, inst)| (Inst::from_u32(inst), slot)).collect();
        }
    }

    /// Whether a value is the same address in the frame all the time.
    pub fn is_frame_address(&self, value: Value) -> bool {
        let Some(inst) = self.func.def_inst(value) else { return false };
        match self.func.insts[inst].opcode {
            Opcode::Alloca => self.alloca_slots.get(inst.index()).is_some_and(|slot| *slot != u32::MAX),
            Opcode::Intrinsic => self.func.insts[inst].intrinsic() == Intrinsic::DwarfCfa,
            _ => false,
        }
    }

    /// The register that a value was given, if one was asked for; of a phi class, the class's.
    pub fn register_given(&self, value: Value) -> Option<VReg> {
        let reg = match self.phis.class(value) {
            Some(class) => self.class_regs[class.index()],
            None if self.is_needed(value) => self.regs[value.index()],
            None => VReg::NONE,
        };
        reg.is_virtual().then_some(reg)
    }

    /// The frame slot of an alloca.
    pub fn alloca_slot(&mut self, inst: Inst) -> u32 {
        let at = inst.index();
        if self.alloca_slots[at] == u32::MAX {
            let (size, align) = self.func.alloca_info(inst);
            let shared = self.shared_slots.get(&inst).copied();
            let slot = match shared {
                Some(shared) => self.out.new_slot(shared.size.max(1), shared.align),
                None => self.out.new_slot(size.max(1), align),
            };
            self.out.slots[slot as usize].colour = shared.map_or(0, |s| s.colour);
            self.alloca_slots[at] = slot;
        }
        self.alloca_slots[at]
    }
}
