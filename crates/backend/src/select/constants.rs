//! Constants, symbol addresses and addresses of frame slots in registers.
//!
//! They are made where they are used. Inside a loop the expensive ones (addresses, 64-bit
//! immediates, floating-point constants) are made once before the outermost loop instead; the
//! register carries a recipe, so that the allocator computes the value again where it would
//! otherwise spill it.

use cranelift_entity::EntityRef;
use ir::{Block, Constant, Inst, SymbolId, Type, Value};
use object::{
    Size,
    encode::{Sse, Vex},
};
use platform::options::X86Features;

use super::context::{Ctx, Hoisted, HoistedTable, LocalConstant};
use crate::{
    context::AddressForm,
    machine::{AddressCode, Amode, Class, MInst, Op, Place, VReg},
};

/// A constant in its register(s).
pub fn constant_reg(cx: &mut Ctx, value: Value) -> VReg {
    let ty = cx.ty(value);
    if cx.parts(ty) != 1 {
        let dst = cx.temp(ty);
        make_parts(cx, value, dst);
        return dst;
    }
    let expensive = is_expensive(cx, value);
    if expensive && let Some(reg) = hoist(cx, value).or_else(|| made_below(cx, value)) {
        return reg;
    }
    let dst = cx.temp(ty);
    make_constant(cx, value, dst);
    note_recipe(cx, dst);
    if expensive && cx.out.vregs[dst.index()].remat != u32::MAX {
        let at = cx.rev.len();
        cx.local_constants.retain(|c| c.value != value && at - c.at <= MOST_BETWEEN);
        cx.local_constants.truncate(MOST_SHARED);
        cx.local_constants.insert(0, LocalConstant { value, reg: dst, at });
    }
    dst
}

/// Instructions between two uses of a constant that share a register at most.
const MOST_BETWEEN: usize = 200;
/// Constants that are remembered.
const MOST_SHARED: usize = 16;

/// The register of a constant that was made for a later instruction of the block: it is made here
/// instead.
fn made_below(cx: &mut Ctx, value: Value) -> Option<VReg> {
    let index = cx.local_constants.iter().position(|c| c.value == value)?;
    let LocalConstant { reg, at, .. } = cx.local_constants[index];
    if at == cx.rev.len() {
        // Above in the same instruction's code, unless that branches.
        return (!cx.seq.iter().any(|inst| inst.op == Op::BlockStart)).then_some(reg);
    }
    if cx.rev.len() - at > MOST_BETWEEN {
        return None;
    }
    let made = (at..cx.rev.len()).find(|&i| cx.rev[i].dst == reg)?;
    cx.rev[made] = MInst::new(Op::Nop, Size::B);
    make_constant(cx, value, reg);
    cx.local_constants[index] = LocalConstant { value, reg, at: cx.rev.len() };
    Some(reg)
}

/// An address of the same symbol that is in a register already, and `disp` from `symbol + offset`
/// on as seen from there: the tables of one array need one register together.
pub fn near(cx: &mut Ctx, symbol: SymbolId, offset: i64, disp: i32) -> Option<(Value, i32)> {
    let place = hoist_block(cx, cx.block);
    let seen = |value: Value| {
        let (_, other) = cx.func.const_symbol(value).filter(|&(other, _)| other == symbol)?;
        let disp = i64::from(disp).checked_add(offset.checked_sub(other)?)?;
        i32::try_from(disp).ok().filter(|&disp| !cx.small() || i8::try_from(disp).is_ok()).map(|disp| (value, disp))
    };
    let Some(block) = place else { return cx.local_constants.iter().find_map(|c| seen(c.value)) };
    let hoisted = cx.hoists_in_block.get(block.index()).into_iter().flatten().rev().take(MOST_SHARED);
    hoisted.map(|&index| cx.hoisted[index as usize].value).find_map(seen)
}

/// The address of an alloca in a register.
pub fn alloca_reg(cx: &mut Ctx, value: Value, inst: Inst) -> VReg {
    hoisted_or(cx, value, |cx, dst| make_alloca(cx, inst, dst))
}

/// The address of a parameter passed by value in memory.
pub fn incoming_reg(cx: &mut Ctx, value: Value, offset: i32) -> VReg {
    hoisted_or(cx, value, |cx, dst| make_incoming(cx, offset, dst))
}

/// A value in the register where it stays, or made here.
fn hoisted_or(cx: &mut Ctx, value: Value, make: impl FnOnce(&mut Ctx, VReg)) -> VReg {
    if let Some(reg) = hoist(cx, value) {
        return reg;
    }
    let dst = cx.in_gpr(make);
    note_recipe(cx, dst);
    dst
}

fn make_incoming(cx: &mut Ctx, offset: i32, dst: VReg) {
    cx.lea(dst, Amode::incoming(offset));
}

/// Writes a constant to given registers.
pub fn make_constant(cx: &mut Ctx, value: Value, dst: VReg) {
    let (ty, wide) = (cx.ty(value), cx.out.vregs[dst.index()].size == 32);
    if cx.parts(ty) != 1 && !wide {
        return make_parts(cx, value, dst);
    }
    match cx.func.constant(value) {
        Some(&Constant::Symbol(symbol, offset)) => symbol_address(cx, symbol, offset, dst),
        Some(Constant::Bits(bits)) => {
            let bits = *bits;
            match Ctx::holder(ty) {
                super::context::Holder::Regs(Class::Gpr, ..) => {
                    let imm = cx.func.const_i64(value).unwrap_or(bits as i64);
                    // i1 true is 1, not -1.
                    let imm = if ty == Type::I1 { bits as i64 } else { imm };
                    cx.move_imm(super::context::int_size(ty), dst, imm);
                }
                _ => make_xmm(cx, bits, ty, dst),
            }
        }
        Some(Constant::Vector(bytes)) => {
            let (low, high) = (padded(bytes), padded(&bytes[bytes.len().min(16)..]));
            if wide && low | high != 0 { make_wide(cx, value, (low, high), dst) } else { make_xmm(cx, low, ty, dst) }
        }
        None => base::bug!("{value} is no constant"),
    }
}

/// A constant of 32 bytes, not all zero, in one register.
fn make_wide(cx: &mut Ctx, value: Value, (low, high): (u128, u128), dst: VReg) {
    match low {
        u128::MAX if high == low && cx.has(X86Features::AVX2) => cx.push(MInst::new(Op::XmmOnes, Size::D).dst(dst)),
        _ if high == low => repeated(cx, dst, low),
        _ => {
            let whole = std::mem::replace(&mut cx.whole, false);
            let parts = cx.temp(cx.ty(value));
            make_parts(cx, value, parts);
            cx.join(dst, parts);
            cx.whole = whole;
        }
    }
}

/// 16 bytes in both halves of a `ymm` register.
pub fn repeated(cx: &mut Ctx, dst: VReg, half: u128) {
    let amode = constant_amode(cx, half, 16);
    cx.push_mem(MInst::vex(Vex::Vbroadcastf128, Size::D).dst(dst), amode);
}

fn make_parts(cx: &mut Ctx, value: Value, dst: VReg) {
    let ty = cx.ty(value);
    if ty == Type::I128 {
        let bits = cx.func.const_bits(value).unwrap_or(0);
        cx.move_imm(Size::Q, dst, bits as i64);
        cx.move_imm(Size::Q, dst.part(1), (bits >> 64) as i64);
        return;
    }
    let bytes: Vec<u8> = match cx.func.constant(value) {
        Some(Constant::Vector(bytes)) => bytes.to_vec(),
        // A vector given by bits is all zeros or at most 16 bytes wide.
        Some(Constant::Bits(bits)) => bits.to_le_bytes().to_vec(),
        _ => base::bug!("vector constant of a strange kind"),
    };
    for part in 0..cx.parts(ty) {
        let bits = padded(&bytes[(part * 16).min(bytes.len())..]);
        make_xmm(cx, bits, Type::I64.vector(2), dst.part(part));
    }
}

/// The first 16 bytes, or all with zeros after them.
fn padded(bytes: &[u8]) -> u128 {
    bytes.iter().take(16).rfold(0, |bits, &byte| bits << 8 | u128::from(byte))
}

fn make_xmm(cx: &mut Ctx, bits: u128, ty: Type, dst: VReg) {
    if bits == 0 {
        cx.push(MInst::new(Op::XmmZero, Size::D).dst(dst));
        return;
    }
    if ty.is_vector() && ty.store_size() >= 16 && bits == u128::MAX {
        cx.push(MInst::new(Op::XmmOnes, Size::D).dst(dst));
        return;
    }
    let bytes = ty.store_size().max(4).next_power_of_two() as u8;
    let amode = constant_amode(cx, bits, bytes);
    let op = match bytes {
        4 => Sse::Movss,
        8 if ty.is_vector() => Sse::Movq,
        8 => Sse::Movsd,
        _ => Sse::Movaps,
    };
    cx.xmm_load(op, dst, amode);
}

/// The address of a read-only constant of `size` bytes (a power of two up to 16).
pub fn constant_amode(cx: &mut Ctx, bits: u128, size: u8) -> Amode {
    // Few per function: a scan is cheaper than a map.
    const RECENT: usize = 32;
    let from = cx.out.constants.len().saturating_sub(RECENT);
    let found = cx.out.constants[from..].iter().position(|&c| c == (bits, size)).map(|at| from + at);
    let index = found.unwrap_or_else(|| {
        cx.out.constants.push((bits, size));
        cx.out.constants.len() - 1
    });
    Amode::place(Place::Constant(index as u32), 0)
}

/// The memory operand that holds a floating-point or vector constant of at most 16 bytes.
pub fn constant_memory(cx: &mut Ctx, value: Value) -> Option<Amode> {
    let ty = cx.ty(value);
    let size = ty.store_size().max(4).next_power_of_two() as u8;
    match cx.func.constant(value)? {
        &Constant::Bits(bits) if bits != 0 && size <= 16 => Some(constant_amode(cx, bits, size)),
        Constant::Vector(bytes) if bytes.len() <= 16 => Some(constant_amode(cx, padded(bytes), size)),
        _ => None,
    }
}

/// `dst = &symbol + offset`.
pub fn symbol_address(cx: &mut Ctx, symbol: SymbolId, offset: i64, dst: VReg) {
    let reference = symbol.as_u32();
    let form = cx.cx.address_form(symbol);
    // Offsets that the relocation of a small code model may not be able to hold are added
    // separately.
    let near = (-(16 << 20)..=16 << 20).contains(&offset);
    let (now, later) = match form {
        AddressForm::Got | AddressForm::FarGot => (0, offset),
        AddressForm::Absolute64 | AddressForm::Far => (offset, 0),
        _ if near => (offset, 0),
        _ => (0, offset),
    };
    let target = if later == 0 { dst } else { cx.temp_gpr() };
    let far = |cx: &mut Ctx, code: AddressCode| {
        cx.push_mem(MInst::address(code).dst(target), Amode::place(Place::Absolute(reference), now as i32));
    };
    match form {
        AddressForm::Rip => {
            cx.lea(target, Amode::place(Place::Rip(reference), now as i32));
        }
        AddressForm::Got => {
            cx.push_mem(MInst::new(Op::Mov, Size::Q).dst(target), Amode::place(Place::Got(reference), 0));
        }
        AddressForm::Absolute32 => far(cx, AddressCode::Abs32),
        AddressForm::Absolute32Signed => far(cx, AddressCode::Abs32S),
        AddressForm::Absolute64 => far(cx, AddressCode::Abs64),
        AddressForm::Far => far(cx, AddressCode::Far),
        AddressForm::FarGot => far(cx, AddressCode::FarGot),
    }
    if later != 0 {
        add_offset(cx, dst, target, later);
    }
}

fn add_offset(cx: &mut Ctx, dst: VReg, base: VReg, offset: i64) {
    match i32::try_from(offset) {
        Ok(disp) => {
            cx.lea(dst, Amode::base(base, disp));
        }
        Err(_) => {
            let imm = cx.in_gpr(|cx, dst| cx.move_imm(Size::Q, dst, offset));
            cx.alu(object::encode::Alu::Add, Size::Q, dst, base, imm);
        }
    }
}

fn make_alloca(cx: &mut Ctx, inst: Inst, dst: VReg) {
    let slot = cx.alloca_slot(inst);
    cx.lea(dst, Amode::slot(slot, 0));
}

/// Whether making the constant costs more than a short move.
fn is_expensive(cx: &Ctx, value: Value) -> bool {
    match cx.func.constant(value) {
        Some(Constant::Symbol(..)) => true,
        Some(Constant::Vector(_)) => true,
        Some(Constant::Bits(bits)) => {
            let ty = cx.ty(value);
            if ty.is_float() || ty.is_vector() {
                *bits != 0 || !cx.small() && matches!(ty, Type::F32 | Type::F64)
            } else {
                cx.func.const_i64(value).is_some_and(|x| i32::try_from(x).is_err() && u32::try_from(x).is_err())
            }
        }
        None => false,
    }
}

/// The block before the outermost loop around `block` in which hoisted constants are made, if there
/// is one.
fn hoist_block(cx: &mut Ctx, block: Block) -> Option<Block> {
    let mut current = cx.loops.innermost(block)?;
    while let Some(parent) = cx.loops.parent(current) {
        current = parent;
    }
    // Asked for every constant, and a loop may have thousands of back edges.
    if let Some(&known) = cx.hoist_places.get(&current) {
        return known;
    }
    let place = only_way_in(cx, current);
    cx.hoist_places.insert(current, place);
    place
}

/// The only block from which a loop is entered.
fn only_way_in(cx: &Ctx, current: ir::analysis::Loop) -> Option<Block> {
    let header = cx.loops.header(current);
    let mut outside = cx.cfg.preds(header).iter().copied().filter(|&p| !cx.loops.contains(current, p));
    let (first, second) = (outside.next()?, outside.next());
    // Several entries would need a place that dominates them all: leave the constant in the loop.
    (second.is_none() && cx.cfg.is_reachable(first)).then_some(first)
}

/// Whether an operation reads this constant from a register, as it is a vector in a loop: a load
/// per iteration may be one too many.
pub fn stays_in_loop(cx: &mut Ctx, value: Value) -> bool {
    cx.ty(value).is_vector() && !cx.is_zero(value) && !cx.small() && hoist_block(cx, cx.block).is_some()
}

/// Whether an operation in a loop does the load, with the constant in a register from before it.
pub fn outlasts_load(cx: &mut Ctx, constant: Value, load: Value) -> bool {
    let suits = cx.func.constant(constant).is_some() && cx.foldable_load(load).is_some();
    suits && cx.has(X86Features::AVX) && !cx.small() && hoist_block(cx, cx.block).is_some()
}

/// A register that holds `value` from before the outermost loop on, if the block being selected is
/// in one.
fn hoist(cx: &mut Ctx, value: Value) -> Option<VReg> {
    let block = hoist_block(cx, cx.block)?;
    if let Some(found) = cx.hoist_lookup(value, block) {
        return Some(found);
    }
    let reg = cx.temp(cx.ty(value));
    cx.hoist_insert(Hoisted { value, reg, block });
    Some(reg)
}

/// Makes the constants hoisted to the end of the block being selected. Runs after the terminator
/// has been selected.
pub fn make_hoisted(cx: &mut Ctx) {
    for entry in cx.take_hoisted(cx.block) {
        match cx.def(entry.value) {
            Some((inst, _)) => make_alloca(cx, inst, entry.reg),
            None => match super::call::byval_offset(cx, entry.value) {
                Some(offset) => make_incoming(cx, offset, entry.reg),
                None => make_constant(cx, entry.value, entry.reg),
            },
        }
        note_recipe(cx, entry.reg);
    }
    let mut at = 0;
    while let Some(&HoistedTable { table, reg, block }) = cx.hoisted_tables.get(at) {
        if block != cx.block {
            at += 1;
            continue;
        }
        cx.hoisted_tables.remove(at);
        make_table_address(cx, table, reg);
        note_recipe(cx, reg);
    }
}

/// A register with the address of a jump table that the block being selected jumps by: made before
/// the outermost loop around the block, if there is one, otherwise here.
pub fn table_reg(cx: &mut Ctx, table: u32) -> VReg {
    let reg = cx.temp_gpr();
    match hoist_block(cx, cx.block) {
        Some(block) => cx.hoisted_tables.push(HoistedTable { table, reg, block }),
        None => make_table_address(cx, table, reg),
    }
    reg
}

fn make_table_address(cx: &mut Ctx, table: u32, dst: VReg) {
    cx.lea(dst, Amode::place(Place::JumpTable(table), 0));
}

/// Gives the register the instruction just made as a recipe, if that is one instruction without
/// operands.
fn note_recipe(cx: &mut Ctx, reg: VReg) {
    let Some(&inst) = cx.seq.last() else { return };
    if inst.dst != reg || cx.seq.iter().filter(|i| i.dst == reg).count() != 1 {
        return;
    }
    let plain = match inst.op {
        Op::Address => !inst.address_form().is_far(),
        Op::MovAbs | Op::Lea | Op::XmmZero | Op::XmmOnes => true,
        Op::Mov | Op::XmmUn | Op::Vex => inst.src1.is_none() && inst.src2.is_none(),
        _ => false,
    };
    let mem_plain = !inst.mem.is_some() || {
        let amode = cx.out.amode(inst.mem);
        !matches!(amode.base, crate::machine::Base::Reg(_)) && amode.index.is_none()
    };
    if plain && mem_plain {
        let index = cx.out.remats.len() as u32;
        cx.out.remats.push(inst);
        cx.out.vregs[reg.index()].remat = index;
    }
}

impl Ctx<'_> {
    fn hoist_lookup(&self, value: Value, block: Block) -> Option<VReg> {
        let at = *self.hoist_of.get(value.index())?;
        let entry = self.hoisted.get(at as usize)?;
        (entry.value == value && entry.block == block).then_some(entry.reg)
    }

    fn hoist_insert(&mut self, entry: Hoisted) {
        if self.hoist_of.is_empty() {
            self.hoist_of = vec![u32::MAX; self.func.num_values()];
            self.hoists_in_block = vec![Vec::new(); self.func.num_blocks()];
        }
        self.hoist_of[entry.value.index()] = self.hoisted.len() as u32;
        self.hoists_in_block[entry.block.index()].push(self.hoisted.len() as u32);
        self.hoisted.push(entry);
    }

    fn take_hoisted(&mut self, block: Block) -> Vec<Hoisted> {
        if self.hoists_in_block.is_empty() {
            return Vec::new();
        }
        let list = std::mem::take(&mut self.hoists_in_block[block.index()]);
        list.into_iter().map(|at| self.hoisted[at as usize]).collect()
    }
}
