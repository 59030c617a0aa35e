//! Addresses, loads, stores, and the folding of both into other instructions.
//!
//! An address is matched as `base + index * scale + displacement` by walking down `ptradd` and the arithmetic below it; the base may be a
//! frame slot, a symbol or a register. A store whose value is an operation on what is loaded from the same address becomes one
//! read-modify-write instruction.

use cranelift_entity::EntityRef;
use ir::{Constant, Inst, InstData, Opcode, Type, Value};
use object::{
    Segment, Size,
    encode::{Alu, Shift, Sse},
};

use super::context::{Ctx, Holder, int_size};
use crate::{
    context::{AddressForm, TlsModel},
    machine::{Amode, Base, Class, MInst, Op, Place, UnaryCode, VReg, bits},
};

/// How deep an address is searched: enough for every scaled index with two offsets.
const MAX_ADDRESS_DEPTH: u32 = 6;

/// An address being matched.
#[derive(Clone, Copy)]
struct Matched {
    amode: Amode,
    /// The value that is the base register, not yet computed.
    base: Option<Value>,
    index: Option<Value>,
    /// The index is multiplied by `1 + (1 << n)` (3, 5 or 9) before it is scaled: elements of 24 or 40 bytes.
    multiplied: Option<u8>,
}

impl Matched {
    fn new(amode: Amode) -> Matched {
        Matched { amode, base: None, index: None, multiplied: None }
    }

    /// The register of the index, if there is one.
    fn index_register(&self, cx: &mut Ctx) -> Option<VReg> {
        let index = cx.reg(self.index?);
        let Some(shift) = self.multiplied else { return Some(index) };
        let product = cx.temp_gpr();
        lea(cx, Size::Q, product, Amode { index, shift, ..Amode::base(index, 0) });
        Some(product)
    }
}

/// The memory operand of the address `ptr`.
pub fn address(cx: &mut Ctx, ptr: Value) -> Amode {
    address_offset(cx, ptr, 0)
}

/// The memory operand of the address `ptr + offset`.
pub fn address_offset(cx: &mut Ctx, ptr: Value, offset: i32) -> Amode {
    let mut matched = Matched::new(Amode { disp: offset, ..Amode::EMPTY });
    match_base(cx, ptr, &mut matched, 0);
    if matched.amode.place.is_rip() && matched.index.is_some() {
        // No register can be added to a rip-relative address.
        matched.amode = symbol_to_register(cx, matched.amode);
    }
    if let Some(base) = matched.base {
        matched.amode.base = Base::Reg(cx.reg(base));
    }
    if let Some(index) = matched.index_register(cx) {
        matched.amode.index = index;
        if matched.amode.shift == 0 && matched.amode.base == Base::None && matched.amode.place == Place::None {
            matched.amode.base = Base::Reg(matched.amode.index);
            matched.amode.index = VReg::NONE;
        }
    }
    matched.amode
}

/// Moves the symbol of a rip-relative address to a base register.
fn symbol_to_register(cx: &mut Ctx, amode: Amode) -> Amode {
    let Place::Rip(symbol) = amode.place else { base::bug!("indexed address of {:?}", amode.place) };
    // Through the constant, so that it can be hoisted out of a loop.
    if let Some(value) = cx.last_symbol
        && let Some((constant, offset)) = cx.func.const_symbol(value)
        && constant.as_u32() == symbol
    {
        let base = Base::Reg(cx.reg(value));
        return Amode { place: Place::None, base, disp: amode.disp.wrapping_sub(offset as i32), ..amode };
    }
    let dst = cx.temp_gpr();
    let mem = cx.mem(Amode::place(amode.place, amode.disp));
    cx.push(MInst::new(Op::Lea, Size::Q).dst(dst).mem(mem));
    Amode { place: Place::None, base: Base::Reg(dst), disp: 0, ..amode }
}

fn match_base(cx: &mut Ctx, value: Value, m: &mut Matched, depth: u32) {
    if let Some(constant) = cx.func.constant(value) {
        match *constant {
            Constant::Symbol(symbol, offset) if m.amode.place == Place::None && m.amode.base == Base::None => {
                let place = match cx.cx.address_form(symbol) {
                    AddressForm::Rip => Place::Rip(symbol.as_u32()),
                    AddressForm::Absolute32 | AddressForm::Absolute32Signed => Place::Absolute(symbol.as_u32()),
                    _ => return m.base = Some(value),
                };
                if let Some(amode) = (Amode { place, ..m.amode }).checked_offset(offset) {
                    m.amode = amode;
                    cx.last_symbol = Some(value);
                    return;
                }
            }
            Constant::Bits(_) => {
                if let Some(offset) = cx.func.const_i64(value)
                    && let Some(amode) = m.amode.checked_offset(offset)
                {
                    m.amode = amode;
                    return;
                }
            }
            _ => {}
        }
        m.base = Some(value);
        return;
    }
    let Some((inst, data)) = cx.def(value) else {
        match super::call::byval_offset(cx, value) {
            Some(offset) if m.amode.base == Base::None => match m.amode.checked_offset(i64::from(offset)) {
                Some(amode) => m.amode = Amode { base: Base::Incoming, ..amode },
                None => m.base = Some(value),
            },
            _ => m.base = Some(value),
        }
        return;
    };
    match data.opcode {
        Opcode::Alloca if m.amode.base == Base::None => {
            let slot = cx.alloca_slot(inst);
            m.amode.base = Base::Slot(slot);
        }
        Opcode::PtrAdd | Opcode::Add
            if depth < MAX_ADDRESS_DEPTH
                && data.ty.bits() == 64
                && cx.can_sink(inst)
                && worth_folding(cx, value, &data) =>
        {
            let (base, offset) = (cx.arg(&data, 0), cx.arg(&data, 1));
            if let Some(imm) = cx.func.const_i64(offset)
                && let Some(amode) = m.amode.checked_offset(imm)
            {
                m.amode = amode;
                return match_base(cx, base, m, depth + 1);
            }
            if m.index.is_some() || m.amode.place.is_rip() {
                return m.base = Some(value);
            }
            match_index(cx, offset, m, depth + 1);
            match_base(cx, base, m, depth + 1);
        }
        Opcode::IntToPtr | Opcode::PtrToInt
            if depth < MAX_ADDRESS_DEPTH && cx.can_sink(inst) && data.ty.bits() == 64 =>
        {
            let from = cx.arg(&data, 0);
            if cx.ty(from).bits() == 64 { match_base(cx, from, m, depth + 1) } else { m.base = Some(value) }
        }
        Opcode::TlsAddr if m.amode.base == Base::None && m.index.is_none() && m.amode.place == Place::None => {
            let symbol = ir::SymbolId::from_u32(data.c);
            if cx.cx.tls_model(symbol) == TlsModel::LocalExec {
                m.amode.place = Place::TpOff(data.c);
                m.amode.segment = Segment::Fs;
            } else {
                m.base = Some(value);
            }
        }
        _ => m.base = Some(value),
    }
}

/// Whether an address computation used several times should be repeated inside its users' memory operands.
fn worth_folding(cx: &Ctx, value: Value, data: &InstData) -> bool {
    // Beyond this many uses one `lea` is smaller and frees an index register.
    const MAX_REPEATS: u32 = 4;
    // The same where each use multiplies the index anew.
    const MAX_PRODUCTS: u32 = 2;
    let offset = cx.arg(data, 1);
    let product = cx.def_op(offset, Opcode::Mul).and_then(|(_, mul)| cx.func.const_i64(cx.arg(&mul, 1)));
    let limit =
        if product.is_some_and(|f| scale_of(f).is_some_and(|s| s.1.is_some())) { MAX_PRODUCTS } else { MAX_REPEATS };
    cx.func.const_i64(offset).is_some() || cx.uses[value.index()] <= limit
}

/// A factor as the scale of an index, and what the index is multiplied by before (see [`Matched::multiplied`]).
fn scale_of(factor: i64) -> Option<(u8, Option<u8>)> {
    let shift = factor.trailing_zeros();
    let odd = if factor > 0 { factor >> shift } else { return None };
    match odd {
        _ if !(1..=3).contains(&shift) => None,
        1 => Some((shift as u8, None)),
        3 | 5 | 9 => Some((shift as u8, Some((odd - 1).trailing_zeros() as u8))),
        _ => None,
    }
}

/// Matches `value` as the index, with its scale.
fn match_index(cx: &mut Ctx, value: Value, m: &mut Matched, depth: u32) {
    m.index = Some(value);
    m.amode.shift = 0;
    if depth >= MAX_ADDRESS_DEPTH {
        return;
    }
    let Some((inst, data)) = cx.def(value) else { return };
    if !cx.can_sink(inst) {
        return;
    }
    match data.opcode {
        Opcode::Shl => {
            let (inner, amount) = (cx.arg(&data, 0), cx.arg(&data, 1));
            if let Some(shift @ 1..=3) = cx.func.const_i64(amount) {
                m.index = Some(inner);
                m.amode.shift = shift as u8;
                match_scaled_offset(cx, inner, m);
            }
        }
        Opcode::Mul => {
            let (inner, factor) = (cx.arg(&data, 0), cx.arg(&data, 1));
            if let Some((shift, multiplied)) = cx.func.const_i64(factor).and_then(scale_of)
                && (multiplied.is_none() || cx.can_absorb(value, inst))
            {
                m.index = Some(inner);
                m.amode.shift = shift;
                m.multiplied = multiplied;
                match_scaled_offset(cx, inner, m);
            }
        }
        Opcode::Add => match_scaled_offset(cx, value, m),
        _ => {}
    }
}

/// `(x + c) * scale` gives the index `x` and the displacement `c * scale`.
fn match_scaled_offset(cx: &mut Ctx, value: Value, m: &mut Matched) {
    if let Some((inst, data)) = cx.def_op(value, Opcode::Add)
        && data.ty == Type::I64
        && cx.can_sink(inst)
        && let Some(imm) = cx.func.const_i64(cx.arg(&data, 1))
        && let Some(scaled) = imm.checked_mul(m.multiplied.map_or(1, |n| 1 + (1 << n)) << m.amode.shift)
        && let Some(amode) = m.amode.checked_offset(scaled)
    {
        m.index = Some(cx.arg(&data, 0));
        m.amode = amode;
    }
}

/// A value as the rm operand of an integer instruction of `size`: a folded load, or a register.
pub enum Rm {
    /// In a register.
    Reg(VReg),
    /// In memory.
    Mem(Amode),
}

/// The value, folded from memory if it is a single-use load of exactly `size`.
pub fn rm(cx: &mut Ctx, value: Value, size: Size) -> Rm {
    if let Some((_, data)) = cx.foldable_load(value)
        && data.ty.store_size() == size.bytes()
        && matches!(Ctx::holder(data.ty), Holder::Regs(Class::Gpr, _, 1))
    {
        return Rm::Mem(address(cx, cx.arg(&data, 0)));
    }
    Rm::Reg(cx.reg(value))
}

/// Completes an instruction with an rm operand.
pub fn push_rm(cx: &mut Ctx, inst: MInst, rm: Rm) {
    match rm {
        Rm::Reg(reg) => cx.push(inst.src2(reg)),
        Rm::Mem(amode) => {
            let mem = cx.mem(amode);
            cx.push(inst.mem(mem));
        }
    }
}

/// As [`rm`] for a float or vector operand of `bytes`: folded loads, constants from the pool, or a register. Packed operands
/// (16 bytes) must be aligned in memory.
pub fn xmm_rm(cx: &mut Ctx, value: Value, bytes: u32) -> Rm {
    if let Some(amode) = constant_operand(cx, value, bytes) {
        return Rm::Mem(amode);
    }
    if let Some((inst, data)) = cx.foldable_load(value)
        && data.ty.store_size() == bytes
        && matches!(Ctx::holder(data.ty), Holder::Regs(Class::Xmm, _, 1))
        && (bytes < 16 || cx.func.mem_info(inst).align() >= 16)
    {
        return Rm::Mem(address(cx, cx.arg(&data, 0)));
    }
    Rm::Reg(cx.reg(value))
}

fn constant_operand(cx: &mut Ctx, value: Value, bytes: u32) -> Option<Amode> {
    let ty = cx.ty(value);
    if ty.store_size() != bytes || cx.func.constant(value).is_none() {
        return None;
    }
    super::constants::constant_memory(cx, value)
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
    if data.flags & ir::flags::VOLATILE != 0 {
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
            // The address registers may be the destination's (one phi class): the last load writes the part that is read last.
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
            let bits = cx.temp_gpr();
            cx.load_gpr(Size::W, bits, amode);
            cx.gpr_to_xmm(Sse::MovToXmm, Size::D, dst, bits);
        }
        1 => {
            let bits = cx.temp_gpr();
            cx.load_gpr(Size::B, bits, amode);
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
    if ty == Type::F80 {
        return super::x87::select_store(cx, value, ptr);
    }
    let volatile = data.flags & ir::flags::VOLATILE != 0;
    let nontemporal = data.flags & ir::flags::NONTEMPORAL != 0;
    if !volatile && !nontemporal && select_read_modify_write(cx, inst, ptr, value, ty) {
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
            let mem = cx.mem(amode);
            cx.push(MInst::new(Op::StoreNt, int_size(ty)).mem(mem).src2(src));
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

fn store_imm64(cx: &mut Ctx, amode: Amode, imm: i64) {
    if let Ok(imm) = i32::try_from(imm) {
        cx.store_imm(Size::Q, amode, imm);
    } else {
        let src = cx.temp_gpr();
        cx.move_imm(Size::Q, src, imm);
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
            let word = cx.temp_gpr();
            cx.xmm_to_gpr(Sse::MovFromXmm, Size::D, word, src);
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
    if cx.ty(cond) != Type::I1 || !super::compare::is_simple_condition(cx, cond) {
        return false;
    }
    // The address first: computing it may change the flags.
    let amode = address(cx, ptr);
    let flags = super::compare::condition(cx, cond);
    let mem = cx.mem(amode);
    cx.push(MInst::new(Op::SetccM, Size::B).cond(flags.cond).mem(mem));
    true
}

fn store_swapped(cx: &mut Ctx, size: Size, ptr: Value, value: Value) -> bool {
    if !cx.has(target::options::X86Features::MOVBE) || size == Size::B {
        return false;
    }
    let Some((inst, data)) = cx.def_op(value, Opcode::Bswap) else { return false };
    if !cx.can_absorb(value, inst) {
        return false;
    }
    let src = cx.reg(cx.arg(&data, 0));
    let amode = address(cx, ptr);
    let mem = cx.mem(amode);
    cx.push(MInst::new(Op::StoreSwapped, size).mem(mem).src2(src));
    true
}

/// What a read-modify-write store does.
enum Rmw {
    Alu(Alu, Value),
    Unary(UnaryCode),
    Shift(Shift, Value),
}

/// Turns `store (op (load p), x), p` into one instruction.
fn select_read_modify_write(cx: &mut Ctx, store: Inst, ptr: Value, value: Value, ty: Type) -> bool {
    if !matches!(Ctx::holder(ty), Holder::Regs(Class::Gpr, _, 1)) || ty == Type::I1 {
        return false;
    }
    let Some((inst, data)) = cx.def(value) else { return false };
    // Narrow arithmetic is often done wide and truncated.
    let (inst, data, value) = if data.opcode == Opcode::Trunc && cx.can_absorb(value, inst) {
        let inner = cx.arg(&data, 0);
        match cx.def(inner) {
            Some((inner_inst, inner_data)) => (inner_inst, inner_data, inner),
            None => return false,
        }
    } else {
        (inst, data, value)
    };
    if !cx.can_absorb(value, inst) {
        return false;
    }
    let Some((load_operand, rmw)) = classify_rmw(cx, &data, ptr, ty, store) else { return false };
    let _ = load_operand;
    let size = int_size(ty);
    match rmw {
        Rmw::Alu(op, operand) => {
            if let Some(imm) = cx.imm32(operand, size) {
                let amode = address(cx, ptr);
                let mem = cx.mem(amode);
                cx.push(MInst::new(Op::AluM, size).code(op as u16).mem(mem).imm(imm));
            } else {
                let src = narrow_reg(cx, operand);
                let amode = address(cx, ptr);
                let mem = cx.mem(amode);
                cx.push(MInst::new(Op::AluM, size).code(op as u16).mem(mem).src2(src));
            }
        }
        Rmw::Unary(code) => {
            let amode = address(cx, ptr);
            let mem = cx.mem(amode);
            cx.push(MInst::new(Op::UnaryM, size).code(code as u16).mem(mem));
        }
        Rmw::Shift(op, amount) => {
            let count = cx.func.const_i64(amount).unwrap_or(0) as i32;
            let amode = address(cx, ptr);
            let mem = cx.mem(amode);
            cx.push(MInst::new(Op::ShiftM, size).code(op as u16).mem(mem).imm(count));
        }
    }
    true
}

/// A register whose low bits are those of `value`; extensions of narrower values are looked through by the caller's size.
fn narrow_reg(cx: &mut Ctx, value: Value) -> VReg {
    cx.reg(value)
}

fn classify_rmw(cx: &mut Ctx, data: &InstData, ptr: Value, ty: Type, store: Inst) -> Option<(Value, Rmw)> {
    use Opcode::*;
    let first = cx.arg(data, 0);
    match data.opcode {
        Add | PtrAdd | Sub | And | Or | Xor => {
            let second = cx.arg(data, 1);
            let op = match data.opcode {
                Add | PtrAdd => Alu::Add,
                Sub => Alu::Sub,
                And => Alu::And,
                Or => Alu::Or,
                _ => Alu::Xor,
            };
            if is_load_of(cx, first, ptr, ty, store) {
                if data.opcode == Xor && cx.func.const_i64(second) == Some(-1) {
                    return Some((first, Rmw::Unary(UnaryCode::Not)));
                }
                if data.opcode == Sub && cx.func.const_i64(first) == Some(0) {
                    return Some((first, Rmw::Unary(UnaryCode::Neg)));
                }
                if let Some(Constant::Bits(_)) = cx.func.constant(second)
                    && cx.imm32(second, int_size(cx.ty(second))).is_none()
                {
                    return None;
                }
                return Some((first, Rmw::Alu(op, second)));
            }
            if data.opcode == Sub {
                return (cx.func.const_i64(first) == Some(0) && is_load_of(cx, second, ptr, ty, store))
                    .then_some((second, Rmw::Unary(UnaryCode::Neg)));
            }
            is_load_of(cx, second, ptr, ty, store).then_some((second, Rmw::Alu(op, first)))
        }
        Shl if cx.func.const_i64(cx.arg(data, 1)).is_some() => {
            // The upper bits of a wider computation are dropped, so the amount must stay below the stored width.
            let amount = cx.arg(data, 1);
            let small = cx.func.const_i64(amount).is_some_and(|n| (0..i64::from(ty.bits())).contains(&n));
            (small && is_load_of(cx, first, ptr, ty, store)).then_some((first, Rmw::Shift(Shift::Shl, amount)))
        }
        LShr | AShr if data.ty == ty && cx.func.const_i64(cx.arg(data, 1)).is_some() => {
            let op = if data.opcode == LShr { Shift::Shr } else { Shift::Sar };
            is_load_of(cx, first, ptr, ty, store).then_some((first, Rmw::Shift(op, cx.arg(data, 1))))
        }
        _ => None,
    }
}

/// Whether `value` is a foldable load of `ty` (or an extension of one) from exactly the address `ptr`, with nothing written in between.
fn is_load_of(cx: &Ctx, value: Value, ptr: Value, ty: Type, store: Inst) -> bool {
    debug_assert!(store == cx.root);
    if let Some((inst, data)) = cx.def(value)
        && matches!(data.opcode, Opcode::ZExt | Opcode::SExt)
        && cx.can_absorb(value, inst)
    {
        let inner = cx.arg(&data, 0);
        return cx.ty(inner) == ty && is_plain_load_of(cx, inner, ptr, ty);
    }
    cx.ty(value) == ty && is_plain_load_of(cx, value, ptr, ty)
}

fn is_plain_load_of(cx: &Ctx, value: Value, ptr: Value, ty: Type) -> bool {
    let Some((_, data)) = cx.foldable_load(value) else { return false };
    data.ty == ty && same_address(cx, cx.arg(&data, 0), ptr)
}

/// Whether two address values are the same, constant offsets included.
fn same_address(cx: &Ctx, a: Value, b: Value) -> bool {
    if a == b {
        return true;
    }
    match (cx.def_op(a, Opcode::PtrAdd), cx.def_op(b, Opcode::PtrAdd)) {
        (Some((_, x)), Some((_, y))) => x.a == y.a && x.b == y.b,
        _ => false,
    }
}

/// `ptradd` (and 64-bit additions that look like addresses) as a value.
pub fn select_ptradd(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let result = cx.func.first_result(inst);
    let dst = cx.result(result);
    let (base, offset) = (cx.arg(data, 0), cx.arg(data, 1));
    // The next member of a phi class: `add reg, x` in place.
    if cx.phis.class(result).is_some()
        && cx.phis.class(result) == cx.phis.class(base)
        && cx.def(base).is_none_or(|(_, d)| d.opcode != Opcode::Alloca)
    {
        if let Some(imm) = cx.imm32(offset, Size::Q) {
            let src = cx.reg(base);
            return cx.alu_imm(Alu::Add, Size::Q, dst, src, imm);
        }
        if cx.def(offset).is_none_or(|(_, d)| d.opcode != Opcode::Shl) {
            let src = cx.reg(base);
            let operand = rm(cx, offset, Size::Q);
            return push_rm(cx, MInst::new(Op::Alu, Size::Q).code(Alu::Add as u16).dst(dst).src1(src), operand);
        }
    }
    // A pointer in memory plus an offset in a register: no register for the pointer.
    if super::arith::foldable(cx, base, Size::Q)
        && cx.func.constant(offset).is_none()
        && cx.def(offset).is_none_or(|(_, d)| !matches!(d.opcode, Opcode::Shl | Opcode::Mul | Opcode::Add))
    {
        return super::arith::commutative(cx, Alu::Add, Type::I64, dst, offset, base);
    }
    if let Some((negation, negated)) = cx.def_op(offset, Opcode::Sub)
        && cx.func.const_i64(cx.arg(&negated, 0)) == Some(0)
        && cx.can_absorb(offset, negation)
        && !matches!(cx.func.constant(base), Some(Constant::Symbol(..)))
    {
        let src = cx.reg(base);
        let operand = rm(cx, cx.arg(&negated, 1), Size::Q);
        return push_rm(cx, MInst::new(Op::Alu, Size::Q).code(Alu::Sub as u16).dst(dst).src1(src), operand);
    }
    let amode = address_of_result(cx, base, offset);
    lea(cx, Size::Q, dst, amode);
}

fn address_of_result(cx: &mut Ctx, base: Value, offset: Value) -> Amode {
    let mut matched = Matched::new(Amode::EMPTY);
    if let Some(imm) = cx.func.const_i64(offset)
        && let Some(amode) = matched.amode.checked_offset(imm)
    {
        matched.amode = amode;
    } else {
        match_index(cx, offset, &mut matched, 1);
    }
    match_base(cx, base, &mut matched, 1);
    if matched.amode.place.is_rip() && matched.index.is_some() {
        matched.amode = symbol_to_register(cx, matched.amode);
    }
    if matched.amode.segment != Segment::None {
        // `lea` knows no segments.
        let dst = cx.temp_gpr();
        super::tls::thread_pointer(cx, dst);
        matched.amode.segment = Segment::None;
        matched.amode.base = Base::Reg(dst);
    }
    if let Some(base) = matched.base {
        matched.amode.base = Base::Reg(cx.reg(base));
    }
    if let Some(index) = matched.index_register(cx) {
        matched.amode.index = index;
    }
    matched.amode
}

/// `dst = &amode`, by the cheapest instruction.
pub fn lea(cx: &mut Ctx, size: Size, dst: VReg, amode: Amode) {
    match (amode.base, amode.index.is_some(), amode.disp, amode.place) {
        (Base::Reg(base), false, 0, Place::None) => return cx.copy(dst, base),
        (Base::None, true, 0, Place::None) => return cx.shift_imm(Shift::Shl, size, dst, amode.index, amode.shift),
        (Base::None, false, disp, Place::None) => return cx.move_imm(size, dst, i64::from(disp)),
        _ => {}
    }
    let mem = cx.mem(amode);
    cx.push(MInst::new(Op::Lea, size).dst(dst).mem(mem));
}
