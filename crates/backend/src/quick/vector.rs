//! Vectors: SSE2 on pieces of up to 16 bytes where it has the operation; all else lane by lane
//! ([`super::vector_lanes`]).
//!
//! A vector value always lies in memory, so that any size works: wider vectors are several pieces,
//! narrower ones part of one.

use ir::{Constant, FloatCc, Inst, IntCc, Opcode, Type, Value};
use object::encode::vex::{Vex, VexLength};
use object::{Mem, Size, encode::Sse, encode::sse::SseShift};
use target::registers::Reg;

use super::Quick;
use super::float::{magnitude_mask, sign_mask};
use super::vector_lanes as lanes;

/// Bytes of an SSE register.
pub const PIECE: u32 = 16;

/// Loads a vector of up to 16 bytes (32: into the `ymm` register) that travels in a register.
pub fn load_vector(q: &mut Quick<'_>, ty: Type, reg: Reg, mem: Mem) {
    match ty.store_size() {
        size @ (1 | 2 | 4 | 8 | 16) => load_piece(q, size, reg, mem),
        32 => q.buf.vex_rrm(Vex::Vmovups, VexLength::L256, reg, None, mem),
        _ => base::bug!("{ty} does not fit a register"),
    }
}

/// Stores what [`load_vector`] loads.
pub fn store_vector(q: &mut Quick<'_>, ty: Type, mem: Mem, reg: Reg) {
    match ty.store_size() {
        size @ (1 | 2 | 4 | 8 | 16) => store_piece(q, size, mem, reg),
        32 => q.buf.vex_rrm(Vex::VmovupsStore, VexLength::L256, reg, None, mem),
        _ => base::bug!("{ty} does not fit a register"),
    }
}

/// Loads 1, 2, 4, 8 or 16 bytes; the rest of the register is zero.
fn load_piece(q: &mut Quick<'_>, size: u32, reg: Reg, mem: Mem) {
    match size {
        16 => q.buf.sse_rm(Sse::Movups, reg, mem),
        8 => q.buf.sse_rm(Sse::Movq, reg, mem),
        4 => q.buf.sse_rm(Sse::Movss, reg, mem),
        _ => {
            let temp = q.temp_gpr();
            q.buf.movzx_rm(Size::D, Size::from_bytes(size), temp, mem);
            q.buf.sse_rr_sized(Sse::MovToXmm, Size::D, reg, temp);
        }
    }
}

fn store_piece(q: &mut Quick<'_>, size: u32, mem: Mem, reg: Reg) {
    match size {
        16 => q.buf.sse_mr(Sse::MovupsStore, mem, reg),
        8 => q.buf.sse_mr(Sse::MovqStore, mem, reg),
        4 => q.buf.sse_mr(Sse::MovssStore, mem, reg),
        _ => {
            let temp = q.temp_gpr();
            q.buf.sse_rr_sized(Sse::MovFromXmm, Size::D, temp, reg);
            q.buf.mov_mr(Size::from_bytes(size), mem, temp);
        }
    }
}

/// Runs `compute` on every piece of two operands: it finds the first in the first register and
/// leaves the result there.
fn pieces(
    q: &mut Quick<'_>,
    result: Value,
    operands: [Mem; 2],
    ty: Type,
    mut compute: impl FnMut(&mut Quick<'_>, Reg, Reg),
) {
    let home = q.define_home(result);
    let to = q.frame_mem(home);
    let total = ty.store_size();
    let (x, y) = (q.temp_xmm(), q.temp_xmm());
    let outer = q.regs.pinned;
    for offset in (0..total).step_by(PIECE as usize) {
        let size = (total - offset).min(PIECE);
        load_piece(q, size, x, operands[0].offset(offset as i32));
        load_piece(q, size, y, operands[1].offset(offset as i32));
        compute(q, x, y);
        store_piece(q, size, to.offset(offset as i32), x);
        q.regs.pinned = outer;
    }
}

/// The SSE2 instruction of a lane-wise operation.
fn packed(opcode: Opcode, ty: Type) -> Option<Sse> {
    use Opcode::*;
    let lane = if ty.lane() == Type::PTR { Type::I64 } else { ty.lane() };
    Some(match (opcode, lane) {
        (Add, Type::I8) => Sse::Paddb,
        (Add, Type::I16) => Sse::Paddw,
        (Add, Type::I32) => Sse::Paddd,
        (Add, Type::I64) => Sse::Paddq,
        (Sub, Type::I8) => Sse::Psubb,
        (Sub, Type::I16) => Sse::Psubw,
        (Sub, Type::I32) => Sse::Psubd,
        (Sub, Type::I64) => Sse::Psubq,
        (Mul, Type::I16) => Sse::Pmullw,
        (SMulHi, Type::I16) => Sse::Pmulhw,
        (UMulHi, Type::I16) => Sse::Pmulhuw,
        (SMin, Type::I16) => Sse::Pminsw,
        (SMax, Type::I16) => Sse::Pmaxsw,
        (UMin, Type::I8) => Sse::Pminub,
        (UMax, Type::I8) => Sse::Pmaxub,
        (And, _) => Sse::Pand,
        (Or, _) => Sse::Por,
        (Xor, _) => Sse::Pxor,
        (FAdd, Type::F32) => Sse::Addps,
        (FAdd, Type::F64) => Sse::Addpd,
        (FSub, Type::F32) => Sse::Subps,
        (FSub, Type::F64) => Sse::Subpd,
        (FMul, Type::F32) => Sse::Mulps,
        (FMul, Type::F64) => Sse::Mulpd,
        // Zeros beyond a short vector would raise "invalid" when divided.
        (FDiv, Type::F32) if ty.store_size() >= PIECE => Sse::Divps,
        (FDiv, Type::F64) if ty.store_size() >= PIECE => Sse::Divpd,
        (FMin, Type::F32) => Sse::Minps,
        (FMin, Type::F64) => Sse::Minpd,
        (FMax, Type::F32) => Sse::Maxps,
        (FMax, Type::F64) => Sse::Maxpd,
        _ => return None,
    })
}

/// A lane-wise operation on two vectors.
pub fn binary(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let [a, b] = data.args();
    let result = q.func.first_result(inst);
    if data.opcode == Opcode::CopySign && matches!(data.ty.lane(), Type::F32 | Type::F64 | Type::F16) {
        let operands = [q.stable(a), q.stable(b)];
        let (sign, magnitude) = (q.constant_mem(&sign_mask(data.ty)), q.constant_mem(&magnitude_mask(data.ty)));
        return pieces(q, result, operands, data.ty, |q, x, y| {
            q.buf.sse_rm(Sse::Andps, x, magnitude);
            q.buf.sse_rm(Sse::Andps, y, sign);
            q.buf.sse_rr(Sse::Orps, x, y);
        });
    }
    let Some(op) = packed(data.opcode, data.ty) else { return lanes::binary(q, inst) };
    let operands = [q.stable(a), q.stable(b)];
    pieces(q, result, operands, data.ty, |q, x, y| q.buf.sse_rr(op, x, y));
}

/// `fneg`, `fabs`, `sqrt` on vectors.
pub fn unary(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let result = q.func.first_result(inst);
    let a = data.arg(0);
    let lane = data.ty.lane();
    let bits = matches!(data.opcode, Opcode::FNeg | Opcode::FAbs) && lane != Type::F80;
    let root = data.opcode == Opcode::Sqrt && matches!(lane, Type::F32 | Type::F64);
    if !bits && !root {
        return lanes::unary(q, inst);
    }
    let from = q.stable(a);
    let (op, mask) = match data.opcode {
        Opcode::FNeg => (Sse::Xorps, Some(sign_mask(data.ty))),
        Opcode::FAbs => (Sse::Andps, Some(magnitude_mask(data.ty))),
        _ if lane == Type::F32 => (Sse::Sqrtps, None),
        _ => (Sse::Sqrtpd, None),
    };
    let mask = mask.map(|mask| q.constant_mem(&mask));
    pieces(q, result, [from, from], data.ty, |q, x, _| match mask {
        Some(mask) => q.buf.sse_rm(op, x, mask),
        None => q.buf.sse_rr(op, x, x),
    });
}

// ---- comparison and selection ----

/// Lane-wise comparison to 0 or -1.
pub fn compare(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let [a, b] = data.args();
    let result = q.func.first_result(inst);
    let ty = q.func.value_type(a);
    if data.opcode == Opcode::FCmp {
        let cc = data.float_cc();
        // cmpps signals for the ordering predicates and not for the others, as C wants it.
        let Some((op, predicate, swap)) = packed_float_compare(ty.lane(), cc) else {
            return lanes::compare(q, inst);
        };
        let mut operands = [q.stable(a), q.stable(b)];
        if swap {
            operands.reverse();
        }
        return pieces(q, result, operands, ty, |q, x, y| q.buf.sse_rri(op, x, y, predicate));
    }
    let cc = data.int_cc();
    let Some((equal, greater)) = packed_int_compare(ty.lane()) else { return lanes::compare(q, inst) };
    let mut operands = [q.stable(a), q.stable(b)];
    // Everything is equality or signed "greater", exchanged or inverted.
    let (op, swap, invert) = match cc {
        IntCc::Eq => (equal, false, false),
        IntCc::Ne => (equal, false, true),
        IntCc::Sgt | IntCc::Ugt => (greater, false, false),
        IntCc::Slt | IntCc::Ult => (greater, true, false),
        IntCc::Sge | IntCc::Uge => (greater, true, true),
        IntCc::Sle | IntCc::Ule => (greater, false, true),
    };
    if swap {
        operands.reverse();
    }
    let unsigned = matches!(cc, IntCc::Ugt | IntCc::Ult | IntCc::Uge | IntCc::Ule);
    let bias = unsigned.then(|| q.constant_mem(&sign_mask(ty)));
    let ones = q.temp_xmm();
    pieces(q, result, operands, ty, |q, x, y| {
        if let Some(bias) = bias {
            q.buf.sse_rm(Sse::Pxor, x, bias);
            q.buf.sse_rm(Sse::Pxor, y, bias);
        }
        q.buf.sse_rr(op, x, y);
        if invert {
            q.buf.sse_rr(Sse::Pcmpeqd, ones, ones);
            q.buf.sse_rr(Sse::Pxor, x, ones);
        }
    });
}

fn packed_int_compare(lane: Type) -> Option<(Sse, Sse)> {
    match lane {
        Type::I8 => Some((Sse::Pcmpeqb, Sse::Pcmpgtb)),
        Type::I16 => Some((Sse::Pcmpeqw, Sse::Pcmpgtw)),
        Type::I32 => Some((Sse::Pcmpeqd, Sse::Pcmpgtd)),
        _ => None,
    }
}

/// Instruction, predicate, and whether the operands are exchanged.
fn packed_float_compare(lane: Type, cc: FloatCc) -> Option<(Sse, u8, bool)> {
    let op = match lane {
        Type::F32 => Sse::Cmpps,
        Type::F64 => Sse::Cmppd,
        _ => return None,
    };
    let (predicate, swap) = match cc {
        FloatCc::Oeq => (0, false),
        FloatCc::Olt => (1, false),
        FloatCc::Ole => (2, false),
        FloatCc::Ogt => (1, true),
        FloatCc::Oge => (2, true),
        FloatCc::Uno => (3, false),
        FloatCc::Une => (4, false),
        FloatCc::Uge => (5, false),
        FloatCc::Ugt => (6, false),
        FloatCc::Ule => (5, true),
        FloatCc::Ult => (6, true),
        FloatCc::Ord => (7, false),
        FloatCc::One | FloatCc::Ueq => return None,
    };
    Some((op, predicate, swap))
}

/// Lane-wise selection by a mask: `(mask & a) | (~mask & b)`.
pub fn select(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let result = q.func.first_result(inst);
    let mask = q.stable(data.arg(0));
    let operands = [q.stable(data.arg(1)), q.stable(data.arg(2))];
    let total = data.ty.store_size();
    let home = q.define_home(result);
    let to = q.frame_mem(home);
    let (m, x, y) = (q.temp_xmm(), q.temp_xmm(), q.temp_xmm());
    let outer = q.regs.pinned;
    for offset in (0..total).step_by(PIECE as usize) {
        let size = (total - offset).min(PIECE);
        load_piece(q, size, m, mask.offset(offset as i32));
        load_piece(q, size, x, operands[0].offset(offset as i32));
        load_piece(q, size, y, operands[1].offset(offset as i32));
        q.buf.sse_rr(Sse::Pand, x, m);
        q.buf.sse_rr(Sse::Pandn, m, y);
        q.buf.sse_rr(Sse::Por, x, m);
        store_piece(q, size, to.offset(offset as i32), x);
        q.regs.pinned = outer;
    }
}

// ---- shifts ----

/// The same shift count in every lane of a constant.
fn uniform_count(q: &Quick<'_>, value: Value, lane: Type) -> Option<u64> {
    let Some(Constant::Vector(bytes)) = q.func.constant(value) else { return None };
    let size = lane.store_size() as usize;
    let first = &bytes[..size];
    if size > 8 || !bytes.chunks(size).all(|chunk| chunk == first) {
        return None;
    }
    let mut count = [0; 8];
    count[..size].copy_from_slice(first);
    Some(u64::from_le_bytes(count))
}

/// Lane-wise shifts: SSE2 has those by one count for all lanes.
pub fn shift(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let [a, amount] = data.args();
    let lane = data.ty.lane();
    let op = match (data.opcode, lane) {
        (Opcode::Shl, Type::I16) => SseShift::Psllw,
        (Opcode::Shl, Type::I32) => SseShift::Pslld,
        (Opcode::Shl, Type::I64) => SseShift::Psllq,
        (Opcode::LShr, Type::I16) => SseShift::Psrlw,
        (Opcode::LShr, Type::I32) => SseShift::Psrld,
        (Opcode::LShr, Type::I64) => SseShift::Psrlq,
        (Opcode::AShr, Type::I16) => SseShift::Psraw,
        (Opcode::AShr, Type::I32) => SseShift::Psrad,
        _ => return lanes::binary(q, inst),
    };
    let Some(count) = uniform_count(q, amount, lane) else { return lanes::binary(q, inst) };
    q.consume(amount);
    let result = q.func.first_result(inst);
    let from = q.stable(a);
    let count = count.min(255) as u8;
    pieces(q, result, [from, from], data.ty, |q, x, _| q.buf.sse_shift(op, x, count));
}
