//! Loads, stores, block operations and address arithmetic.

use ir::{Inst, Opcode, TlsModel, Value};
use object::{
    Alu, Mem, RelocKind, Scale, Segment, Size,
    encode::{Sse, StringOp},
};
use platform::registers::{RCX, RDI, RSI, Reg};

use super::Quick;
use super::operands::{sign_extend, symbol_ref};
use super::regs::gpr_size;
use super::state::{Class, LazyAddress, LazyBase, Place, class_of};

/// Blocks up to this many bytes are copied and filled by straight-line code.
pub const INLINE_LIMIT: u64 = 128;

/// Loads left to the next instruction that may hang on one another, each the next one's address:
/// every one takes a register of the instruction they all end in.
const DEFERRED_LOADS: u32 = 3;

// ---- loads and stores ----

/// A load, left to the next instruction if that is its only user; an atomic one is done here.
pub fn load(q: &mut Quick<'_>, inst: Inst) {
    let result = q.func.first_result(inst);
    let data = q.func.insts[inst];
    let chain = match q.place(data.arg(0)) {
        Place::Deferred(_) => q.deferred_loads + 1,
        _ => 1,
    };
    if data.opcode == Opcode::Load && chain <= DEFERRED_LOADS && q.next_is_only_user(inst, result) {
        q.deferred_loads = chain;
        q.values[result.as_u32() as usize].place = Place::Deferred(inst);
        return;
    }
    let ty = data.ty;
    let mem = q.mem(data.arg(0));
    let reg = match class_of(ty) {
        Class::Gpr => q.result_gpr(result),
        Class::Xmm => q.result_xmm(result),
    };
    q.load(ty, reg, mem);
    q.define(result, reg);
}

/// A store; constants go to memory without a register where the encoding allows.
pub fn store(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let value = data.arg(1);
    let mem = q.mem(data.arg(0));
    store_scalar(q, value, mem);
}

/// Stores a general or SSE value to memory.
pub fn store_scalar(q: &mut Quick<'_>, value: Value, mem: Mem) {
    let ty = q.func.value_type(value);
    if let Some(bits) = q.const_bits(value) {
        let size = Size::from_bytes(ty.store_size());
        let signed = sign_extend(bits as u64, size.bits());
        q.consume(value);
        match i32::try_from(signed) {
            Ok(imm) => q.buf.mov_mi(size, mem, imm),
            Err(_) => {
                let temp = q.temp_gpr();
                q.buf.mov_ri(Size::Q, temp, signed);
                q.buf.mov_mr(Size::Q, mem, temp);
            }
        }
        return;
    }
    let reg = q.use_reg(value);
    if reg.is_gpr() { q.buf.mov_mr(gpr_size(ty), mem, reg) } else { q.store_xmm(ty, mem, reg) }
}

// ---- block operations ----

/// Before the operands of a copy of this size are computed: large copies use `rsi`, `rdi` and
/// `rcx`.
pub fn reserve_for_copy(q: &mut Quick<'_>, size: u64) {
    if size > INLINE_LIMIT {
        for reg in [RSI, RDI, RCX] {
            q.claim(reg);
        }
    }
}

/// Copies `size` bytes between memory operands that are the same or do not overlap. For large sizes
/// [`reserve_for_copy`] must have come before the operands.
pub fn copy(q: &mut Quick<'_>, to: Mem, from: Mem, size: u64) {
    if size <= INLINE_LIMIT {
        return copy_inline(q, to, from, size);
    }
    q.buf.lea(Size::Q, RSI, from);
    q.buf.lea(Size::Q, RDI, to);
    repeat(q, StringOp::Movs, size);
}

/// The string operation over `size` bytes, eight at a time; `rcx` is the counter.
pub fn repeat(q: &mut Quick<'_>, op: StringOp, size: u64) {
    q.buf.mov_ri(Size::Q, RCX, (size / 8) as i64);
    q.buf.rep(op, Size::Q);
    for (bit, width) in [(4, Size::D), (2, Size::W), (1, Size::B)] {
        if size & bit != 0 {
            q.buf.string(op, width);
        }
    }
}

/// The pieces of a block of `size` bytes: (offset, width), the widest first, at most `widest` wide.
fn pieces(size: u64, widest: u64) -> impl Iterator<Item = (i32, u64)> {
    let mut offset = 0;
    std::iter::from_fn(move || {
        let left = size - offset;
        if left == 0 {
            return None;
        }
        let width = if left >= widest { widest } else { 1 << left.ilog2() };
        let piece = (offset as i32, width);
        offset += width;
        Some(piece)
    })
}

fn copy_inline(q: &mut Quick<'_>, to: Mem, from: Mem, size: u64) {
    if size == 0 {
        return;
    }
    let wide = if size >= 16 { Some(q.temp_xmm()) } else { None };
    let narrow = if wide.is_none() || !size.is_multiple_of(16) { Some(q.temp_gpr()) } else { None };
    for (offset, width) in pieces(size, 16) {
        match (width, wide, narrow) {
            (16, Some(reg), _) => {
                q.buf.sse_rx(Sse::Movups, reg, from.offset(offset));
                q.buf.sse_mr(Sse::MovupsStore, to.offset(offset), reg);
            }
            (width, _, Some(reg)) => {
                let width = Size::from_bytes(width as u32);
                q.buf.mov_rm(width, reg, from.offset(offset));
                q.buf.mov_mr(width, to.offset(offset), reg);
            }
            _ => base::bug!("no register for a piece of a block"),
        }
    }
}

/// Copies a block of which all is loaded before the first store.
pub fn move_through_registers(q: &mut Quick<'_>, to: Mem, from: Mem, size: u64) {
    let parts: Vec<(i32, u64, Reg)> = pieces(size, 16)
        .map(|(offset, width)| {
            let reg = if width == 16 { q.temp_xmm() } else { q.temp_gpr() };
            let source = from.offset(offset);
            if width == 16 {
                q.buf.sse_rx(Sse::Movups, reg, source);
            } else {
                q.buf.mov_rm(Size::from_bytes(width as u32), reg, source);
            }
            (offset, width, reg)
        })
        .collect();
    for (offset, width, reg) in parts {
        let target = to.offset(offset);
        if width == 16 {
            q.buf.sse_mr(Sse::MovupsStore, target, reg);
        } else {
            q.buf.mov_mr(Size::from_bytes(width as u32), target, reg);
        }
    }
}

/// Fills `size` bytes with a repeated byte.
pub fn fill(q: &mut Quick<'_>, to: Mem, pattern: u64, size: u64) {
    let mut wide = None;
    let mut narrow = None;
    for (offset, width) in pieces(size, if pattern == 0 { 16 } else { 8 }) {
        let target = to.offset(offset);
        if width == 16 {
            let reg = match wide {
                Some(reg) => reg,
                None => {
                    let reg = q.temp_xmm();
                    q.buf.sse_rx(Sse::Xorps, reg, reg);
                    *wide.insert(reg)
                }
            };
            q.buf.sse_mr(Sse::MovupsStore, target, reg);
            continue;
        }
        let width = Size::from_bytes(width as u32);
        match i32::try_from(sign_extend(pattern, width.bits())) {
            Ok(imm) => q.buf.mov_mi(width, target, imm),
            Err(_) => {
                let reg = match narrow {
                    Some(reg) => reg,
                    None => {
                        let reg = q.temp_gpr();
                        q.buf.mov_ri(Size::Q, reg, pattern as i64);
                        *narrow.insert(reg)
                    }
                };
                q.buf.mov_mr(width, target, reg);
            }
        }
    }
}

// ---- addresses ----

/// A deferred load is done now: its value will be looked at later than by the next instruction.
pub fn settle(q: &mut Quick<'_>, value: Value) {
    if q.func.constant(value).is_none() && matches!(q.place(value), Place::Deferred(_)) {
        q.peek(value);
    }
}

/// Address plus offset: stays symbolic as long as it has the form of a memory operand.
pub fn ptradd(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let result = q.func.first_result(inst);
    let [base, offset] = data.args();
    if let Some(distance) = q.const_int(offset) {
        q.consume(offset);
        let disp = symbolic_disp(q, base).checked_add(distance).and_then(|d| i32::try_from(d).ok());
        match disp {
            Some(disp) => {
                let lazy = LazyAddress { disp, ..symbolic(q, base) };
                q.define_lazy(result, lazy);
            }
            None => {
                let reg = q.take_for(base, result);
                q.add_large(reg, distance);
                q.define(result, reg);
            }
        }
        return;
    }
    settle(q, offset);
    if has_index(q, base) {
        q.peek(base);
    }
    let index = match q.place(offset) {
        Place::Scaled(inner, scale) => {
            q.hold(inner);
            q.consume(offset);
            (inner, scale)
        }
        // The use of the offset passes to the address.
        _ => (offset, Scale::One),
    };
    let lazy = LazyAddress { index: Some(index), ..symbolic(q, base) };
    q.define_lazy(result, lazy);
}

fn has_index(q: &Quick<'_>, base: Value) -> bool {
    match q.place(base) {
        Place::Lazy(index) => q.lazies[index as usize].index.is_some(),
        _ => false,
    }
}

/// The constant part of an address as [`symbolic`] will give it.
fn symbolic_disp(q: &Quick<'_>, base: Value) -> i64 {
    match (q.func.const_symbol(base), q.place(base)) {
        (Some((_, offset)), _) => offset,
        (None, Place::FrameAddress(offset)) => offset.into(),
        (None, Place::Lazy(index)) => q.lazies[index as usize].disp.into(),
        _ => 0,
    }
}

/// `base` as the start of a lazy address. Its use passes to the address, or is exchanged for uses
/// of what it consists of.
fn symbolic(q: &mut Quick<'_>, base: Value) -> LazyAddress {
    let plain = LazyAddress { base: LazyBase::Value(base), index: None, disp: 0 };
    if let Some((symbol, offset)) = q.func.const_symbol(base) {
        return match i32::try_from(offset) {
            Ok(disp) => LazyAddress { base: LazyBase::Symbol(symbol), index: None, disp },
            Err(_) => plain,
        };
    }
    match q.place(base) {
        Place::FrameAddress(disp) => {
            q.consume(base);
            LazyAddress { base: LazyBase::Frame, index: None, disp }
        }
        Place::Lazy(index) => {
            let lazy = q.lazies[index as usize];
            if let LazyBase::Value(inner) = lazy.base {
                q.hold(inner);
            }
            if let Some((inner, _)) = lazy.index {
                q.hold(inner);
            }
            q.consume(base);
            lazy
        }
        _ => {
            settle(q, base);
            plain
        }
    }
}

/// The address of a thread-local variable of the program itself, by the symbol's access model (ELF
/// TLS ABI, psABI 11): local or initial exec.
pub fn tls_addr(q: &mut Quick<'_>, inst: Inst) {
    let symbol = q.func.insts[inst].symbol();
    let result = q.func.first_result(inst);
    if q.cx.tls_model(symbol) == TlsModel::LocalExec {
        return q.define_lazy(result, LazyAddress { base: LazyBase::ThreadLocal(symbol), index: None, disp: 0 });
    }
    let reg = q.result_gpr(result);
    q.buf.mov_rm(Size::Q, reg, Mem::rip_symbol(symbol_ref(symbol), 0, RelocKind::GotTpOff));
    q.buf.alu_rm(Alu::Add, Size::Q, reg, Mem::absolute(0).with_segment(Segment::Fs));
    q.define(result, reg);
}
