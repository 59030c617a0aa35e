//! Addresses: as memory operands, and as values.
//!
//! An address is matched as `base + index * scale + displacement` by walking down `ptradd` and the
//! arithmetic below it; the base may be a frame slot, a symbol or a register. As a value it is what
//! `lea` or a cheaper instruction makes of the same match.

use cranelift_entity::EntityRef;
use ir::{Constant, Inst, InstData, Opcode, Type, Value};
use object::{
    Segment, Size,
    encode::{Alu, Shift},
};

use super::{
    context::Ctx,
    memory::{push_rm, rm},
    register_variables,
};
use crate::{
    context::{AddressForm, TlsModel},
    machine::{Amode, Base, MInst, Op, Place, VReg},
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
    /// The index is multiplied by `1 + (1 << n)` (3, 5 or 9) before it is scaled: elements of 24 or
    /// 40 bytes.
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
        let disp = amode.disp.wrapping_sub(offset as i32);
        let (value, disp) = super::constants::near(cx, constant, offset, disp).unwrap_or((value, disp));
        return Amode { place: Place::None, base: Base::Reg(cx.reg(value)), disp, ..amode };
    }
    let dst = cx.in_gpr(|cx, dst| cx.lea(dst, Amode::place(amode.place, amode.disp)));
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
    if register_variables::still_there(cx, value).is_some() {
        return m.base = Some(value);
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
            let symbol = data.symbol();
            if cx.cx.tls_model(symbol) == TlsModel::LocalExec {
                m.amode.place = Place::TpOff(symbol.as_u32());
                m.amode.segment = Segment::Fs;
            } else {
                m.base = Some(value);
            }
        }
        _ => m.base = Some(value),
    }
}

/// Whether an address computation used several times should be repeated inside its users' memory
/// operands.
fn worth_folding(cx: &Ctx, value: Value, data: &InstData) -> bool {
    // Beyond this many uses one `lea` is smaller and frees an index register.
    const MAX_REPEATS: u32 = 4;
    // The same where each use multiplies the index anew.
    const MAX_PRODUCTS: u32 = 2;
    let offset = cx.arg(data, 1);
    // One subtraction, instead of a negation that all of them need.
    if cx.uses[value.index()] > 1 && negated(cx, offset).is_some() {
        return false;
    }
    let multiplied = |&(_, mul): &(Inst, InstData)| {
        cx.func.const_i64(cx.arg(&mul, 1)).and_then(scale_of).is_some_and(|s| s.1.is_some())
    };
    match cx.def_op(offset, Opcode::Mul).filter(multiplied) {
        // A product for each use, and where the address itself is wanted one more.
        Some((mul, _)) => {
            cx.uses[value.index()] == 1 || cx.uses[value.index()] <= MAX_PRODUCTS && cx.can_absorb(offset, mul)
        }
        None => cx.func.const_i64(offset).is_some() || cx.uses[value.index()] <= MAX_REPEATS,
    }
}

/// A factor as the scale of an index, and what the index is multiplied by before (see
/// [`Matched::multiplied`]).
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
        Opcode::Add => {
            match_scaled_offset(cx, value, m);
            if let Some(inner) = m.index.filter(|&inner| inner != value) {
                match_index(cx, inner, m, depth + 1);
            }
        }
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
            return push_rm(cx, MInst::alu(Alu::Add, Size::Q).dst(dst).src1(src), operand);
        }
    }
    // A pointer in memory plus an offset in a register: no register for the pointer.
    if super::arith::foldable(cx, base, Size::Q)
        && cx.func.constant(offset).is_none()
        && cx.def(offset).is_none_or(|(_, d)| !matches!(d.opcode, Opcode::Shl | Opcode::Mul | Opcode::Add))
    {
        return super::arith::commutative(cx, Alu::Add, Type::I64, dst, offset, base);
    }
    if let Some((negation, x)) = negated(cx, offset)
        && cx.can_absorb(offset, negation)
        && !matches!(cx.func.constant(base), Some(Constant::Symbol(..)))
    {
        let src = cx.reg(base);
        let operand = rm(cx, x, Size::Q);
        return push_rm(cx, MInst::alu(Alu::Sub, Size::Q).dst(dst).src1(src), operand);
    }
    let amode = address_of_result(cx, base, offset);
    lea(cx, Size::Q, dst, amode);
}

/// The instruction and the `x` of `-x`.
fn negated(cx: &Ctx, value: Value) -> Option<(Inst, Value)> {
    let (inst, data) = cx.def_op(value, Opcode::Sub)?;
    (cx.func.const_i64(cx.arg(&data, 0)) == Some(0)).then(|| (inst, cx.arg(&data, 1)))
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
    cx.push_mem(MInst::new(Op::Lea, size).dst(dst), amode);
}
