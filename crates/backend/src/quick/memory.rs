//! Allocas, loads, stores, block operations and address arithmetic.

use ir::{Inst, InstView, Opcode, TlsModel, Value};
use object::{
    Alu, Anchor, Cond, Mem, RelocKind, Scale, Segment, Size,
    encode::{Prefetch, Sse, StringOp},
};
use platform::options::X86Features;
use platform::registers::{RAX, RBP, RCX, RDI, RDX, RSI, RSP, Reg};

use super::Quick;
use super::call::call_library;
use super::operands::{sign_extend, symbol_ref};
use super::regs::gpr_size;
use super::state::{Class, GPR_POOL, LazyAddress, LazyBase, Place, XMM_POOL, class_of};

/// Blocks up to this many bytes are copied and filled by straight-line code.
const INLINE_LIMIT: u64 = 128;
/// Blocks up to this many bytes may overlap and still be moved by straight-line code: all of it
/// fits in registers.
const MOVE_LIMIT: u64 = 64;
/// Blocks up to this many bytes are handled by string instructions rather than by the library.
const STRING_LIMIT: u64 = 2048;
/// Loads left to the next instruction that may hang on one another, each the next one's address:
/// every one takes a register of the instruction they all end in.
const DEFERRED_LOADS: u32 = 3;

// ---- stack blocks ----

/// The scan gave ordinary allocas their place; over-aligned ones are cut out of a larger area here.
pub fn alloca(q: &mut Quick<'_>, inst: Inst) {
    let result = q.func.first_result(inst);
    let (size, align) = q.func.alloca_info(inst);
    if q.uses(result) == 0 || align <= q.frame_align {
        return;
    }
    let area = q.frame.allocate(size.max(1).saturating_add(u64::from(align)), 16);
    let reg = q.result_gpr(result);
    q.buf.lea(Size::Q, reg, Mem::base(RBP, area).offset(align as i32 - 1));
    q.buf.alu_ri(Alu::And, Size::Q, reg, (align as i32).wrapping_neg());
    q.define(result, reg);
}

/// `rsp` goes down by the size, rounded up so that it stays 16-byte aligned.
pub fn dyn_alloca(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let size = data.arg(0);
    let align = 1i32.wrapping_shl(data.dyn_align_log2());
    let extra = if align > 16 { align - 16 } else { 0 };
    let reg = q.take(size);
    // Round to 16 before adding what alignment may skip, which is a multiple of 16 as well.
    q.buf.alu_ri(Alu::Add, Size::Q, reg, 15 + extra);
    q.buf.alu_ri(Alu::And, Size::Q, reg, -16);
    if q.cx.codegen().stack_clash_protection {
        probe_down(q, reg);
    }
    q.buf.alu_rr(Alu::Sub, Size::Q, RSP, reg);
    let result = q.func.first_result(inst);
    if extra == 0 {
        q.buf.mov_rr(Size::Q, reg, RSP);
    } else {
        q.buf.lea(Size::Q, reg, Mem::base(RSP, align - 1));
        q.buf.alu_ri(Alu::And, Size::Q, reg, -align);
    }
    q.define(result, reg);
}

/// Moves `rsp` down page by page, touching each, until less than a page is left in `reg`.
fn probe_down(q: &mut Quick<'_>, reg: Reg) {
    const PAGE: i32 = 4096;
    let (again, done) = (q.buf.label_here(), q.buf.new_label());
    q.buf.alu_ri(Alu::Cmp, Size::Q, reg, PAGE);
    q.buf.jcc(Cond::B, done);
    q.buf.alu_ri(Alu::Sub, Size::Q, RSP, PAGE);
    q.buf.alu_mi(Alu::Or, Size::Q, Mem::base(RSP, 0), 0);
    q.buf.alu_ri(Alu::Sub, Size::Q, reg, PAGE);
    q.buf.jmp(again);
    q.buf.bind(done);
}

/// `rsp` as a value.
pub fn stack_save(q: &mut Quick<'_>, inst: Inst) {
    let result = q.func.first_result(inst);
    let reg = q.result_gpr(result);
    q.buf.mov_rr(Size::Q, reg, RSP);
    q.define(result, reg);
}

/// Back to a saved `rsp`.
pub fn stack_restore(q: &mut Quick<'_>, inst: Inst) {
    let reg = q.use_reg(q.func.operand(inst, 0));
    q.buf.mov_rr(Size::Q, RSP, reg);
}

// ---- loads and stores ----

/// A load; left to the next instruction if that is its only user.
pub fn load(q: &mut Quick<'_>, inst: Inst) {
    let result = q.func.first_result(inst);
    let data = q.func.insts[inst];
    let chain = match q.place(data.arg(0)) {
        Place::Deferred(_) => q.deferred_loads + 1,
        _ => 1,
    };
    if chain <= DEFERRED_LOADS && q.next_is_only_user(inst, result) {
        q.deferred_loads = chain;
        q.values[result.as_u32() as usize].place = Place::Deferred(inst);
        return;
    }
    let ty = data.ty;
    match class_of(ty) {
        Class::Gpr => {
            let mem = q.mem(data.arg(0));
            let reg = q.result_gpr(result);
            q.load_gpr(ty, reg, mem);
            q.define(result, reg);
        }
        Class::Xmm => {
            let mem = q.mem(data.arg(0));
            let reg = q.result_xmm(result);
            q.load_xmm(ty, reg, mem);
            q.define(result, reg);
        }
    }
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
fn repeat(q: &mut Quick<'_>, op: StringOp, size: u64) {
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

fn widest_piece(q: &Quick<'_>) -> u64 {
    if q.features.has_sse() { 16 } else { 8 }
}

fn copy_inline(q: &mut Quick<'_>, to: Mem, from: Mem, size: u64) {
    if size == 0 {
        return;
    }
    let widest = widest_piece(q);
    let wide = if widest == 16 && size >= 16 { Some(q.temp_xmm()) } else { None };
    let narrow = if wide.is_none() || !size.is_multiple_of(16) { Some(q.temp_gpr()) } else { None };
    for (offset, width) in pieces(size, widest) {
        match (width, wide, narrow) {
            (16, Some(reg), _) => {
                q.buf.sse_rm(Sse::Movups, reg, from.offset(offset));
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

/// `memcpy` and `memmove`.
pub fn mem_copy(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let [to, from, len] = data.args();
    let overlaps = data.opcode == Opcode::MemMove;
    match q.const_int(len).map(|n| n as u64) {
        Some(size) if overlaps && size <= MOVE_LIMIT && widest_piece(q) == 16 => {
            q.consume(len);
            let from = q.mem(from);
            let to = q.mem(to);
            move_through_registers(q, to, from, size);
        }
        Some(size) if !overlaps && size <= STRING_LIMIT => {
            q.consume(len);
            reserve_for_copy(q, size);
            let from = q.mem(from);
            let to = q.mem(to);
            copy(q, to, from, size);
        }
        _ => {
            q.spill_all(GPR_POOL.union(XMM_POOL));
            q.take_in(to, RDI);
            q.take_in(from, RSI);
            q.take_in(len, RDX);
            call_library(q, if overlaps { "memmove" } else { "memcpy" });
        }
    }
}

/// Loads the whole block before the first store.
fn move_through_registers(q: &mut Quick<'_>, to: Mem, from: Mem, size: u64) {
    let parts: Vec<(i32, u64, Reg)> = pieces(size, 16)
        .map(|(offset, width)| {
            let reg = if width == 16 { q.temp_xmm() } else { q.temp_gpr() };
            let source = from.offset(offset);
            if width == 16 {
                q.buf.sse_rm(Sse::Movups, reg, source);
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

/// `memset`.
pub fn mem_set(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let [to, byte, len] = data.args();
    let pattern = q.const_int(byte).map(|b| (b as u64 & 0xff) * 0x0101_0101_0101_0101);
    match (q.const_int(len).map(|n| n as u64), pattern) {
        (Some(size), Some(pattern)) if size <= INLINE_LIMIT => {
            q.consume(byte);
            q.consume(len);
            let to = q.mem(to);
            fill(q, to, pattern, size);
        }
        (Some(size), Some(pattern)) if size <= STRING_LIMIT => {
            q.consume(byte);
            q.consume(len);
            for reg in [RDI, RCX, RAX] {
                q.claim(reg);
            }
            let to = q.mem(to);
            q.buf.lea(Size::Q, RDI, to);
            q.buf.mov_ri(Size::Q, RAX, pattern as i64);
            repeat(q, StringOp::Stos, size);
        }
        _ => {
            q.spill_all(GPR_POOL.union(XMM_POOL));
            q.take_in(to, RDI);
            q.take_in(byte, RSI);
            q.take_in(len, RDX);
            // The library's parameter is an int; the upper bits do not matter to it, but
            // valgrind-clean code is kinder.
            q.buf.movzx_rr(Size::D, Size::B, RSI, RSI);
            call_library(q, "memset");
        }
    }
}

/// Fills `size` bytes with a repeated byte.
pub fn fill(q: &mut Quick<'_>, to: Mem, pattern: u64, size: u64) {
    let mut wide = None;
    let mut narrow = None;
    for (offset, width) in pieces(size, if pattern == 0 { widest_piece(q) } else { 8 }) {
        let target = to.offset(offset);
        if width == 16 {
            let reg = match wide {
                Some(reg) => reg,
                None => {
                    let reg = q.temp_xmm();
                    q.buf.sse_rr(Sse::Xorps, reg, reg);
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

/// A cache hint.
pub fn prefetch(q: &mut Quick<'_>, inst: Inst) {
    let InstView::Prefetch { addr, write, locality } = q.func.view(inst) else { return };
    let mem = q.mem(addr);
    let write = write && q.has(X86Features::PRFCHW);
    let hint = match locality {
        _ if write => Prefetch::W,
        0 => Prefetch::Nta,
        1 => Prefetch::T2,
        2 => Prefetch::T1,
        _ => Prefetch::T0,
    };
    q.buf.prefetch(hint, mem);
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

/// The address of a thread-local variable, by the symbol's access model (ELF TLS ABI, psABI 11).
pub fn tls_addr(q: &mut Quick<'_>, inst: Inst) {
    let symbol = q.func.insts[inst].symbol();
    let result = q.func.first_result(inst);
    let target = symbol_ref(symbol);
    match q.cx.tls_model(symbol) {
        TlsModel::LocalExec => {
            q.define_lazy(result, LazyAddress { base: LazyBase::ThreadLocal(symbol), index: None, disp: 0 });
        }
        TlsModel::InitialExec => {
            let reg = q.result_gpr(result);
            q.buf.mov_rm(Size::Q, reg, Mem::rip_symbol(target, 0, RelocKind::GotTpOff));
            q.buf.alu_rm(Alu::Add, Size::Q, reg, Mem::absolute(0).with_segment(Segment::Fs));
            q.define(result, reg);
        }
        model => {
            q.spill_all(GPR_POOL.union(XMM_POOL));
            let get_addr = q.buf.named_symbol(&q.cx.module.assembler_name("__tls_get_addr"));
            let no_plt = !q.cx.codegen().plt;
            if model == TlsModel::GlobalDynamic {
                q.buf.tls_general_dynamic(target, get_addr, no_plt);
            } else {
                q.buf.tls_local_dynamic(target, get_addr, no_plt);
                let distance = Mem { anchor: Anchor::Absolute(target, RelocKind::DtpOff32), ..Mem::base(RAX, 0) };
                q.buf.lea(Size::Q, RAX, distance);
            }
            q.regs.pinned.insert(RAX);
            q.define(result, RAX);
        }
    }
}
