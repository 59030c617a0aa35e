//! Loads, stores, and operands that are folded loads.
//!
//! Addresses are matched in [`super::address`]; a store that ends an operation on the same place is
//! [`super::read_modify_write`]'s.

use ir::analysis::alignment::is_multiple;
use ir::effects::register_variable;
use ir::{Inst, InstData, Opcode, Type, Value};
use object::{Size, encode::Sse};
use platform::options::X86Features;

use super::{
    address::address,
    constants,
    context::{Ctx, Holder, int_size},
    read_modify_write::select_read_modify_write,
    register_variables,
};
use crate::machine::{Amode, Base, Class, MInst, Op, VReg, bits};

/// A value as the rm operand of an integer instruction of `size`: a folded load, or a register.
pub enum Rm {
    /// In a register.
    Reg(VReg),
    /// In memory.
    Mem(Amode),
}

/// The value, folded from memory if it is a single-use load of exactly `size`.
pub fn rm(cx: &mut Ctx, value: Value, size: Size) -> Rm {
    match cx.fold_load(value, size) {
        Some(ptr) => Rm::Mem(address(cx, ptr)),
        None => Rm::Reg(cx.reg(value)),
    }
}

/// Completes an instruction with an rm operand.
pub fn push_rm(cx: &mut Ctx, inst: MInst, rm: Rm) {
    match rm {
        Rm::Reg(reg) => cx.push(inst.src2(reg)),
        Rm::Mem(amode) => {
            cx.push_mem(inst, amode);
        }
    }
}

/// As [`rm`] for a float or vector operand of `bytes`: folded loads, constants from the pool, or a
/// register. Packed operands (16 bytes) must be aligned in memory.
pub fn xmm_rm(cx: &mut Ctx, value: Value, bytes: u32) -> Rm {
    if cx.ty(value).store_size() == bytes
        && !constants::stays_in_loop(cx, value)
        && let Some(amode) = constants::constant_memory(cx, value)
    {
        return Rm::Mem(amode);
    }
    match folded_xmm_address(cx, value, bytes) {
        Some(ptr) => Rm::Mem(address(cx, ptr)),
        None => Rm::Reg(cx.reg(value)),
    }
}

/// The address of the load that makes `value`, if the root can do it as an operand of `bytes`.
fn folded_xmm_address(cx: &Ctx, value: Value, bytes: u32) -> Option<Value> {
    let (inst, data) = cx.foldable_load(value)?;
    let ptr = cx.arg(&data, 0);
    let fits = data.ty.store_size() == bytes
        && matches!(Ctx::holder(data.ty), Holder::Regs(Class::Xmm, ..))
        && cx.parts(data.ty) == 1;
    // AVX instructions read from any place.
    let aligned = || {
        let interposable = cx.cx.options.interposable();
        cx.func.mem_info(inst).align() >= 16 || is_multiple(cx.func, cx.cx.module, interposable, ptr, 4)
    };
    (fits && (bytes < 16 || cx.has(X86Features::AVX) || aligned())).then_some(ptr)
}

/// The operands of a vector operation, with a load that it can do second if they may be swapped.
pub fn load_second(cx: &mut Ctx, data: &InstData) -> (Value, Value) {
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let in_memory = |value: Value| folded_xmm_address(cx, value, data.ty.store_size()).is_some();
    let may_swap = data.opcode.is_commutative() && in_memory(a) && !in_memory(b);
    let swaps = may_swap && (cx.func.constant(b).is_none() || constants::outlasts_load(cx, b, a));
    if swaps { (b, a) } else { (a, b) }
}

/// Completes an SSE instruction with an rm operand.
pub fn push_xmm_rm(cx: &mut Ctx, inst: MInst, rm: Rm, packed: bool) {
    let inst = if packed { inst.with_bits(bits::NO_FOLD) } else { inst };
    push_rm(cx, inst, rm);
}

/// `load`.
pub fn select_load(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let ptr = cx.arg(data, 0);
    let result = cx.func.first_result(inst);
    if let Some(reg) = register_variable(cx.func, cx.cx.module, inst) {
        return register_variables::select_read(cx, reg);
    }
    if data.ty == Type::F80 {
        return super::x87::select_load(cx, result, ptr);
    }
    let amode = address(cx, ptr);
    let dst = cx.result(result);
    let align = cx.func.mem_info(inst).align();
    if cx.held_wide(result) {
        cx.xmm_load(if align >= 32 { Sse::Movaps } else { Sse::Movups }, dst, amode);
    } else {
        load_value(cx, data.ty, dst, amode, align);
    }
    if data.ty == Type::I8 && cx.small() && only_low_byte_counts(cx, result) {
        cx.seq.iter_mut().filter(|i| i.op == Op::MovZx && i.mem.is_some()).for_each(|i| i.bits |= bits::LOW);
    }
    if data.is_volatile() {
        cx.seq.iter_mut().for_each(|i| i.bits |= bits::VOLATILE);
    }
}

/// Whether all users of a byte look at no more than a byte of its register.
fn only_low_byte_counts(cx: &Ctx, byte: Value) -> bool {
    cx.phis.class(byte).is_none()
        && cx.func.uses(byte).all(|(user, operand)| match cx.func.insts[user].opcode {
            Opcode::ICmp => true,
            Opcode::Store => operand == 1,
            _ => false,
        })
}

/// Loads a value of any register type.
pub fn load_value(cx: &mut Ctx, ty: Type, dst: VReg, amode: Amode, align: u32) {
    match Ctx::holder(ty) {
        Holder::Regs(Class::Gpr, _, 1) => cx.load_gpr(int_size(ty), dst, amode),
        Holder::Regs(Class::Gpr, ..) => {
            // The address registers may be the destination's (one phi class): the last load writes
            // the part that is read last.
            let low = overlapping_temp(cx, dst, &amode);
            cx.load_gpr(Size::Q, low, amode);
            cx.load_gpr(Size::Q, dst.part(1), amode.offset(8));
            cx.copy(dst, low);
        }
        Holder::Regs(Class::Xmm, _, parts) => {
            for part in 0..parts as usize {
                load_xmm(cx, ty, part, dst.part(part), amode, align);
            }
        }
        Holder::Slot => base::bug!("x87 values are not loaded to registers"),
    }
}

fn overlapping_temp(cx: &mut Ctx, dst: VReg, amode: &Amode) -> VReg {
    if amode.base == Base::Reg(dst) || amode.index == dst { cx.temp_gpr() } else { dst }
}

fn load_xmm(cx: &mut Ctx, ty: Type, part: usize, dst: VReg, amode: Amode, align: u32) {
    let amode = amode.offset(part as i32 * 16);
    let bytes = ty.store_size() - part as u32 * 16;
    match bytes {
        2 => {
            let bits = cx.in_gpr(|cx, dst| cx.load_gpr(Size::W, dst, amode));
            cx.gpr_to_xmm(Sse::MovToXmm, Size::D, dst, bits);
        }
        1 => {
            let bits = cx.in_gpr(|cx, dst| cx.load_gpr(Size::B, dst, amode));
            cx.gpr_to_xmm(Sse::MovToXmm, Size::D, dst, bits);
        }
        4 => cx.xmm_load(Sse::Movss, dst, amode),
        8 if ty == Type::F64 => cx.xmm_load(Sse::Movsd, dst, amode),
        8 => cx.xmm_load(Sse::Movq, dst, amode),
        _ => cx.xmm_load(if align >= 16 { Sse::Movaps } else { Sse::Movups }, dst, amode),
    }
}

/// `store`.
pub fn select_store(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (ptr, value) = (cx.arg(data, 0), cx.arg(data, 1));
    let ty = cx.ty(value);
    if let Some(reg) = register_variable(cx.func, cx.cx.module, inst) {
        return register_variables::select_write(cx, reg, value);
    }
    if ty == Type::F80 {
        return super::x87::select_store(cx, value, ptr);
    }
    let volatile = data.is_volatile();
    let nontemporal = data.has(ir::flags::NONTEMPORAL);
    if !nontemporal && select_read_modify_write(cx, inst, ptr, value, ty) {
        return;
    }
    let align = cx.func.mem_info(inst).align();
    if nontemporal && store_nontemporal(cx, ty, ptr, value, align) {
        return;
    }
    store_value(cx, ty, ptr, value, align);
    if volatile {
        cx.seq.iter_mut().for_each(|i| i.bits |= bits::VOLATILE);
    }
}

fn store_nontemporal(cx: &mut Ctx, ty: Type, ptr: Value, value: Value, align: u32) -> bool {
    match Ctx::holder(ty) {
        Holder::Regs(Class::Gpr, _, 1) if ty.bits() >= 32 => {
            let src = cx.reg(value);
            let amode = address(cx, ptr);
            cx.push_mem(MInst::new(Op::StoreNt, int_size(ty)).src2(src), amode);
            true
        }
        Holder::Regs(Class::Xmm, _, 1) if ty.store_size() == 16 && align >= 16 => {
            let src = cx.reg(value);
            let amode = address(cx, ptr);
            let op = if ty.lane().is_int() { Sse::MovntdqStore } else { Sse::MovntpsStore };
            cx.xmm_store(op, amode, src);
            true
        }
        _ => false,
    }
}

/// Stores a value of any register type.
pub fn store_value(cx: &mut Ctx, ty: Type, ptr: Value, value: Value, align: u32) {
    if store_lane(cx, ty, ptr, value) {
        return;
    }
    match Ctx::holder(ty) {
        Holder::Regs(Class::Gpr, _, 1) => store_int(cx, ty, ptr, value),
        Holder::Regs(Class::Gpr, ..) => {
            let amode = address(cx, ptr);
            if let Some(wide) = cx.func.const_bits(value) {
                store_imm64(cx, amode, wide as i64);
                store_imm64(cx, amode.offset(8), (wide >> 64) as i64);
                return;
            }
            let src = cx.reg(value);
            cx.store_gpr(Size::Q, amode, src);
            cx.store_gpr(Size::Q, amode.offset(8), src.part(1));
        }
        Holder::Regs(Class::Xmm, _, parts) => {
            if store_float_constant(cx, ty, ptr, value) {
                return;
            }
            if cx.held_wide(value) {
                let src = cx.wide_reg(value);
                let amode = address(cx, ptr);
                return cx.xmm_store(if align >= 32 { Sse::MovapsStore } else { Sse::MovupsStore }, amode, src);
            }
            let src = cx.reg(value);
            let amode = address(cx, ptr);
            for part in 0..parts as usize {
                store_xmm(cx, ty, part, amode, src.part(part), align);
            }
        }
        Holder::Slot => base::bug!("x87 values are not stored from registers"),
    }
}

/// The lowest lane of a register, its upper half, or any 4 bytes are stored from there.
fn store_lane(cx: &mut Ctx, ty: Type, ptr: Value, value: Value) -> bool {
    let Some((inst, data)) = cx.def_op(value, Opcode::ExtractLane) else { return false };
    let vector = cx.arg(&data, 0);
    if cx.ty(vector).store_size() != 16 || !cx.can_absorb(value, inst) {
        return false;
    }
    let op = match (cx.func.const_i64(cx.arg(&data, 1)), ty.store_size()) {
        (Some(0), 4) => Sse::MovssStore,
        (Some(0), 8) => Sse::MovqStore,
        (Some(1), 8) => Sse::MovhpdStore,
        (Some(1..4), 4) if cx.has(X86Features::SSE4_1) => Sse::Extractps,
        _ => return false,
    };
    let lane = cx.func.const_i64(cx.arg(&data, 1)).unwrap_or(0);
    let src = cx.reg(vector);
    let amode = address(cx, ptr);
    cx.push_mem(MInst::xmm_store(op).src2(src).imm(lane as i32), amode);
    true
}

fn store_imm64(cx: &mut Ctx, amode: Amode, imm: i64) {
    if let Ok(imm) = i32::try_from(imm) {
        cx.store_imm(Size::Q, amode, imm);
    } else {
        let src = cx.in_gpr(|cx, dst| cx.move_imm(Size::Q, dst, imm));
        cx.store_gpr(Size::Q, amode, src);
    }
}

/// Floating constants whose bits fit an immediate are stored as integers.
fn store_float_constant(cx: &mut Ctx, ty: Type, ptr: Value, value: Value) -> bool {
    let Some(pattern) = cx.func.const_bits(value) else { return false };
    match ty {
        Type::F16 => {
            let amode = address(cx, ptr);
            cx.store_imm(Size::W, amode, pattern as i16 as i32);
        }
        Type::F32 => {
            let amode = address(cx, ptr);
            cx.store_imm(Size::D, amode, pattern as i32);
        }
        Type::F64 if i32::try_from(pattern as i64).is_ok() => {
            let amode = address(cx, ptr);
            cx.store_imm(Size::Q, amode, pattern as i32);
        }
        _ => return false,
    }
    true
}

/// Stores part `part` of an SSE-held value.
pub fn store_xmm(cx: &mut Ctx, ty: Type, part: usize, amode: Amode, src: VReg, align: u32) {
    let amode = amode.offset(part as i32 * 16);
    match ty.store_size() - part as u32 * 16 {
        bytes @ (1 | 2) => {
            let word = cx.in_gpr(|cx, dst| cx.xmm_to_gpr(Sse::MovFromXmm, Size::D, dst, src));
            cx.store_gpr(Size::from_bytes(bytes), amode, word);
        }
        4 => cx.xmm_store(Sse::MovssStore, amode, src),
        8 if ty == Type::F64 => cx.xmm_store(Sse::MovsdStore, amode, src),
        8 => cx.xmm_store(Sse::MovqStore, amode, src),
        _ => cx.xmm_store(if align >= 16 { Sse::MovapsStore } else { Sse::MovupsStore }, amode, src),
    }
}

fn store_int(cx: &mut Ctx, ty: Type, ptr: Value, value: Value) {
    let size = int_size(ty);
    if let Some(imm) = cx.imm32(value, size) {
        let amode = address(cx, ptr);
        return cx.store_imm(size, amode, imm);
    }
    if size == Size::B && store_condition(cx, ptr, value) {
        return;
    }
    if store_swapped(cx, size, ptr, value) {
        return;
    }
    let src = cx.reg(value);
    let amode = address(cx, ptr);
    cx.store_gpr(size, amode, src);
}

/// `store (zext i1 to i8)` writes the flag directly.
fn store_condition(cx: &mut Ctx, ptr: Value, value: Value) -> bool {
    let Some((inst, data)) = cx.def(value) else { return false };
    if !matches!(data.opcode, Opcode::ZExt | Opcode::Trunc) || !cx.can_absorb(value, inst) {
        return false;
    }
    let mut cond = cx.arg(&data, 0);
    if data.opcode == Opcode::Trunc {
        // trunc (zext i1 to i32) to i8
        match cx.def_op(cond, Opcode::ZExt) {
            Some((inner, inner_data)) if cx.can_absorb(cond, inner) => cond = cx.arg(&inner_data, 0),
            _ => return false,
        }
    }
    if cx.ty(cond) != Type::I1 {
        return false;
    }
    // The address first: computing it may change the flags.
    let amode = address(cx, ptr);
    let flags = super::compare::condition(cx, cond);
    if flags.parity == 0 {
        cx.push_mem(MInst::new(Op::SetccM, Size::B).cond(flags.cond), amode);
    } else {
        let byte = cx.in_gpr(|cx, dst| super::compare::set_value(cx, flags, dst));
        cx.push_mem(MInst::new(Op::Store, Size::B).src2(byte), amode);
    }
    true
}

fn store_swapped(cx: &mut Ctx, size: Size, ptr: Value, value: Value) -> bool {
    if !cx.has(platform::options::X86Features::MOVBE) || size == Size::B {
        return false;
    }
    let Some((inst, data)) = cx.def_op(value, Opcode::Bswap) else { return false };
    if !cx.can_absorb(value, inst) {
        return false;
    }
    let src = cx.reg(cx.arg(&data, 0));
    let amode = address(cx, ptr);
    cx.push_mem(MInst::new(Op::StoreSwapped, size).src2(src), amode);
    true
}
