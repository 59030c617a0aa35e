//! `memcpy`, `memmove`, `memset`: small constant sizes inline, larger ones by the library, or by
//! string instructions where size is what counts: those are shorter than a call and leave most
//! registers alone.

use ir::{InstData, Linkage, Opcode, SymbolDef, Value};
use object::{Size, encode::Sse};
use platform::registers::{CLOBBERED_VARIABLES, RAX, RCX, RDI, RDX, RSI};
use smallvec::SmallVec;

use super::{address::address, call::library_call, context::Ctx};
use crate::machine::{Amode, Class, ListOperand, MInst, Op, VReg, bits};

/// Copies up to this many bytes are moved through registers (gcc: 16 pieces of 16 bytes).
const MAX_INLINE_COPY: u64 = 128;
/// Arguments up to this many bytes are copied word by word.
const MAX_COPY_BY_WORDS: u64 = 32;
/// Overlapping copies hold everything in registers at once.
const MAX_INLINE_MOVE: u64 = 64;
/// Fills up to this many bytes are stored piece by piece.
const MAX_INLINE_SET: u64 = 128;
/// With `-Os`.
const MAX_INLINE_SMALL: u64 = 32;
/// Where a global register variable has a register that the library's functions and `rep movs`
/// change.
const MAX_INLINE_RESERVED: u64 = 4096;

/// One piece of a block: offset and width (16, 8, 4, 2, 1).
pub type Piece = (i32, u32);

/// Cuts `size` bytes into pieces; the last ones may overlap the ones before instead of getting
/// smaller and smaller.
fn pieces(size: u64, widest: u64) -> SmallVec<[Piece; 16]> {
    let mut out = SmallVec::new();
    let mut at = 0u64;
    while at < size {
        let left = size - at;
        let width = match left {
            16.. if widest == 16 => 16,
            8.. => 8,
            4..=7 => 4,
            2..=3 => 2,
            _ => 1,
        };
        // 9..15 left: one overlapping piece of 16 or 8 bytes instead of several.
        let whole = left.next_power_of_two().min(widest);
        if whole > left && whole <= size && left > width {
            out.push(((size - whole) as i32, whole as u32));
            break;
        }
        out.push((at as i32, width as u32));
        at += width;
    }
    out
}

/// Bytes of the widest registers that blocks are moved through.
fn widest_piece(cx: &Ctx) -> u64 {
    if cx.features.has_sse() { 16 } else { 8 }
}

fn load_piece(cx: &mut Ctx, from: Amode, (offset, width): Piece) -> VReg {
    let at = from.offset(offset);
    if width == 16 {
        let reg = cx.out.new_vreg(Class::Xmm, 16);
        cx.xmm_load(Sse::Movups, reg, at);
        reg
    } else {
        cx.in_gpr(|cx, dst| cx.load_gpr(Size::from_bytes(width), dst, at))
    }
}

/// A block in registers.
pub fn load_pieces(cx: &mut Ctx, from: Amode, size: u64) -> SmallVec<[(Piece, VReg); 4]> {
    pieces(size, widest_piece(cx)).into_iter().map(|piece| (piece, load_piece(cx, from, piece))).collect()
}

/// Stores what [`load_pieces`] has loaded.
pub fn store_pieces(cx: &mut Ctx, to: Amode, held: &[(Piece, VReg)]) {
    held.iter().for_each(|&(piece, reg)| store_piece(cx, to, piece, reg));
}

fn store_piece(cx: &mut Ctx, to: Amode, (offset, width): Piece, reg: VReg) {
    let at = to.offset(offset);
    if width == 16 { cx.xmm_store(Sse::MovupsStore, at, reg) } else { cx.store_gpr(Size::from_bytes(width), at, reg) }
}

fn inline_limit(cx: &Ctx, limit: u64) -> u64 {
    if !cx.cx.module.reserved_registers.intersection(CLOBBERED_VARIABLES).is_empty() {
        return MAX_INLINE_RESERVED;
    }
    // As many pieces, whatever their width is.
    let limit = limit / 16 * widest_piece(cx);
    if cx.small() { limit.min(MAX_INLINE_SMALL) } else { limit }
}

/// Copies `size` bytes between two places that do not overlap.
pub fn copy_inline(cx: &mut Ctx, to: Amode, from: Amode, size: u64) {
    for piece in pieces(size, widest_piece(cx)) {
        let reg = load_piece(cx, from, piece);
        store_piece(cx, to, piece, reg);
    }
}

/// Copies an argument passed by value in memory to the outgoing area. A small structure has often
/// just been stored member by member, and a load that spans several stores waits until they have
/// left the store buffer.
pub fn copy_to_outgoing(cx: &mut Ctx, offset: i32, src: Value, size: u64) {
    let to = Amode::outgoing(offset);
    if size <= MAX_COPY_BY_WORDS && size.is_multiple_of(8) && !cx.small() {
        let from = address(cx, src);
        for at in (0..size as i32).step_by(8) {
            let reg = load_piece(cx, from, (at, 8));
            store_piece(cx, to, (at, 8), reg);
        }
        return;
    }
    if size <= inline_limit(cx, MAX_INLINE_COPY) {
        let from = address(cx, src);
        return copy_inline(cx, to, from, size);
    }
    let dst = cx.in_gpr(|cx, dst| cx.lea(dst, to));
    let from = cx.reg(src);
    // The library routine would write nothing below `rsp`, but the copy is exact either way: words
    // by `rep movs`.
    rep_copy(cx, dst, from, size);
}

fn rep_copy(cx: &mut Ctx, dst: VReg, src: VReg, size: u64) {
    let count = cx.temp_gpr();
    let (unit, times) = if size.is_multiple_of(8) { (Size::Q, size / 8) } else { (Size::B, size) };
    cx.move_imm(Size::Q, count, times as i64);
    let operands =
        [ListOperand::use_fixed(dst, RDI), ListOperand::use_fixed(src, RSI), ListOperand::use_fixed(count, RCX)];
    cx.push_list(MInst::new(Op::RepMovs, unit), &operands);
}

/// `memcpy`, `memmove`, `memset`.
pub fn select_block_op(cx: &mut Ctx, data: &InstData) {
    let (dst, src, len) = (cx.arg(data, 0), cx.arg(data, 1), cx.arg(data, 2));
    let size = cx.func.const_bits(len).map(|bits| bits as u64);
    let volatile = data.is_volatile();
    if size == Some(0) {
        return;
    }
    match (data.opcode, size) {
        (Opcode::MemCpy, Some(size)) if size <= inline_limit(cx, MAX_INLINE_COPY) => {
            if let Some(bytes) = constant_bytes(cx, src, size) {
                return store_bytes(cx, dst, src, &bytes);
            }
            let (to, from) = (address(cx, dst), address(cx, src));
            copy_inline(cx, to, from, size);
        }
        (Opcode::MemMove, Some(size)) if size <= inline_limit(cx, MAX_INLINE_MOVE).min(MAX_INLINE_MOVE) => {
            let (to, from) = (address(cx, dst), address(cx, src));
            let held = load_pieces(cx, from, size);
            store_pieces(cx, to, &held);
        }
        (Opcode::MemSet, Some(size)) if size <= inline_limit(cx, MAX_INLINE_SET) => {
            set_inline(cx, dst, src, size);
            if volatile {
                cx.seq.iter_mut().for_each(|i| i.bits |= bits::VOLATILE);
            }
        }
        (Opcode::MemCpy | Opcode::MemSet, _) if cx.small() && string_registers_are_free(cx) => {
            by_string_instruction(cx, data.opcode, dst, src, len)
        }
        _ => call_library(cx, data.opcode, dst, src, len),
    }
}

/// The bytes of a literal or another constant of the unit.
fn constant_bytes(cx: &Ctx, address: Value, size: u64) -> Option<Vec<u8>> {
    let (symbol, offset) = cx.func.const_symbol(address)?;
    let data = &cx.cx.module.symbols[symbol];
    let SymbolDef::Data(id) = data.def else { return None };
    let object = &cx.cx.module.data[id];
    let start = usize::try_from(offset).ok().filter(|&start| start as u64 + size <= object.size)?;
    let fixed = object.read_only && object.relocs.is_empty() && data.linkage == Linkage::Local && data.tls.is_none();
    let bytes = object.bytes.iter().copied().chain(std::iter::repeat(0));
    fixed.then(|| bytes.skip(start).take(size as usize).collect())
}

/// Stores a constant's bytes: those of pieces of up to 4 bytes, and of 8 where they fit, are
/// immediate operands.
fn store_bytes(cx: &mut Ctx, dst: Value, src: Value, bytes: &[u8]) {
    let to = address(cx, dst);
    for piece @ (offset, width) in pieces(bytes.len() as u64, widest_piece(cx)) {
        let here = &bytes[offset as usize..][..width as usize];
        let value = here.iter().rev().fold(0i128, |value, &byte| value << 8 | i128::from(byte));
        if width <= 4 || width == 8 && i32::try_from(value as i64).is_ok() {
            cx.store_imm(Size::from_bytes(width), to.offset(offset), value as i32);
            continue;
        }
        let reg = if width == 8 && !cx.small() {
            cx.in_gpr(|cx, dst| cx.move_imm(Size::Q, dst, value as i64))
        } else {
            // Shorter than the constant.
            let from = address(cx, src);
            load_piece(cx, from, piece)
        };
        store_piece(cx, to, piece, reg);
    }
}

/// Whether the registers of string instructions hold no variables of the program.
fn string_registers_are_free(cx: &Ctx) -> bool {
    cx.cx.module.reserved_registers.intersection(CLOBBERED_VARIABLES).is_empty()
}

/// `rep movs` and `rep stos`, four bytes at a time where the number of bytes is a constant that
/// allows it.
fn by_string_instruction(cx: &mut Ctx, opcode: Opcode, dst: Value, src: Value, len: Value) {
    let to = cx.reg(dst);
    let words = cx.func.const_bits(len).map(|bytes| bytes as u64).filter(|bytes| bytes.is_multiple_of(4));
    let (unit, count) = match words {
        Some(bytes) => {
            let count = cx.in_gpr(|cx, dst| cx.move_imm(Size::Q, dst, (bytes / 4) as i64));
            (Size::D, count)
        }
        None => (Size::B, cx.reg(len)),
    };
    let (op, from, register) = if opcode == Opcode::MemCpy {
        (Op::RepMovs, cx.reg(src), RSI)
    } else {
        (Op::RepStos, filling(cx, src, unit), RAX)
    };
    let operands =
        [ListOperand::use_fixed(to, RDI), ListOperand::use_fixed(from, register), ListOperand::use_fixed(count, RCX)];
    cx.push_list(MInst::new(op, unit), &operands);
}

/// A register with `unit` times the byte.
fn filling(cx: &mut Ctx, byte: Value, unit: Size) -> VReg {
    let filled = cx.temp_gpr();
    if let Some(bits) = cx.func.const_bits(byte) {
        let all = u32::from_ne_bytes([bits as u8; 4]);
        cx.move_imm(Size::D, filled, i64::from(all));
        return filled;
    }
    let src = super::arith::extend(cx, byte, false);
    if unit == Size::B {
        return src;
    }
    cx.push(MInst::new(Op::ImulImm, Size::D).dst(filled).src2(src).imm(0x0101_0101));
    filled
}

fn call_library(cx: &mut Ctx, opcode: Opcode, dst: Value, src: Value, len: Value) {
    let name = match opcode {
        Opcode::MemCpy => "memcpy",
        Opcode::MemMove => "memmove",
        _ => "memset",
    };
    let to = cx.reg(dst);
    let from = match cx.func.const_bits(src) {
        Some(byte) if opcode == Opcode::MemSet => cx.in_gpr(|cx, dst| cx.move_imm(Size::D, dst, i64::from(byte as u8))),
        _ if opcode == Opcode::MemSet => super::arith::extend(cx, src, false),
        _ => cx.reg(src),
    };
    let count = cx.reg(len);
    library_call(cx, name, &[(to, RDI), (from, RSI), (count, RDX)], &[]);
}

fn set_inline(cx: &mut Ctx, dst: Value, byte: Value, size: u64) {
    let to = address(cx, dst);
    let list = pieces(size, widest_piece(cx));
    if let Some(bits) = cx.func.const_bits(byte) {
        return set_constant(cx, to, bits as u8, &list);
    }
    let src = super::arith::extend(cx, byte, false);
    let wide = cx.temp_gpr();
    let (ones, product) = (cx.temp_gpr(), cx.temp_gpr());
    cx.move_imm(Size::Q, ones, 0x0101_0101_0101_0101);
    cx.push(MInst::new(Op::Imul, Size::Q).dst(product).src1(src).src2(ones));
    cx.copy(wide, product);
    let mut vector = None;
    for piece in list {
        if piece.1 == 16 {
            let reg = *vector.get_or_insert_with(|| {
                let (low, both) = (cx.temp_xmm(), cx.temp_xmm());
                cx.gpr_to_xmm(Sse::MovToXmm, Size::Q, low, wide);
                cx.xmm(Sse::Punpcklqdq, both, low, low);
                both
            });
            store_piece(cx, to, piece, reg);
        } else {
            store_piece(cx, to, piece, wide);
        }
    }
}

fn set_constant(cx: &mut Ctx, to: Amode, byte: u8, list: &[Piece]) {
    let pattern = u128::from_ne_bytes([byte; 16]);
    let mut vector = None;
    let mut word = None;
    for &piece in list {
        match piece.1 {
            16 => {
                let reg = match vector {
                    Some(reg) => reg,
                    None => {
                        let reg = cx.temp_xmm();
                        if byte == 0 {
                            cx.push(MInst::new(Op::XmmZero, Size::D).dst(reg));
                        } else {
                            let amode = super::constants::constant_amode(cx, pattern, 16);
                            cx.xmm_load(Sse::Movaps, reg, amode);
                        }
                        vector = Some(reg);
                        reg
                    }
                };
                store_piece(cx, to, piece, reg);
            }
            8 if byte != 0 && byte != 0xff => {
                let reg = match word {
                    Some(reg) => reg,
                    None => {
                        let reg = cx.in_gpr(|cx, dst| cx.move_imm(Size::Q, dst, pattern as i64));
                        word = Some(reg);
                        reg
                    }
                };
                store_piece(cx, to, piece, reg);
            }
            width => cx.store_imm(Size::from_bytes(width), to.offset(piece.0), pattern as i32),
        }
    }
}
