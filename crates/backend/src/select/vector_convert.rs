//! Extensions, truncations and conversions of vectors by unpacking and packing: each step doubles
//! or halves the lanes' width. With SSE4.1 one instruction extends whatever fills a register.
//!
//! A source of less than a register fills the low part of one; a result likewise.

use ir::{Inst, InstData, Opcode, Type, Value};
use object::encode::{Sse, sse::SseShift};
use platform::options::X86Features;
use smallvec::SmallVec;

use super::{
    context::Ctx,
    float::with_mask,
    memory::{push_xmm_rm, xmm_rm},
    vector_lanes::lanes,
};
use crate::machine::{MInst, Op, VReg};
use object::Size;

/// Registers of a vector on its way.
type Registers = SmallVec<[VReg; 8]>;

/// Conditions looked through to find out that lanes are 0 or -1.
const MASK_DEPTH: u32 = 6;

/// Conversions whose operand is a vector.
pub fn select_conversion(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let a = cx.arg(data, 0);
    let from = cx.ty(a);
    let to = data.ty;
    let widths = (from.lane_bits(), to.lane_bits());
    let simple = widths.0 <= 64 && widths.1 <= 64 && from.lanes() >= 2;
    let lane_types = (from.lane(), to.lane());
    use Opcode::*;
    let possible = match data.opcode {
        Trunc | ZExt | SExt => true,
        SiToFp => matches!(lane_types, (Type::I32, Type::F32 | Type::F64)),
        FpToSi => matches!(lane_types, (Type::F32 | Type::F64, Type::I32)),
        FpExt => lane_types == (Type::F32, Type::F64),
        FpTrunc => lane_types == (Type::F64, Type::F32),
        _ => false,
    };
    if !simple || !possible {
        return lanes(cx, inst, data, &[a]);
    }
    if matches!(data.opcode, ZExt | SExt)
        && let Some(op) = extension(cx, widths.0, widths.1, data.opcode == SExt)
    {
        return extended(cx, inst, data, op);
    }
    let packs_masks = data.opcode == Trunc && is_mask(cx, a, MASK_DEPTH);
    let x = cx.reg(a);
    let source: Registers = (0..cx.parts(from)).map(|part| x.part(part)).collect();
    let parts = cx.parts(to);
    let converted = match data.opcode {
        Trunc if packs_masks => pack_masks(cx, source, widths.0, widths.1),
        Trunc => narrowed(cx, source, widths.0, widths.1),
        ZExt | SExt => widened(cx, source, widths.0, widths.1, data.opcode == SExt, parts),
        SiToFp if widths.1 == 64 => doubled(cx, &source, Sse::Cvtdq2pd, parts),
        FpExt => doubled(cx, &source, Sse::Cvtps2pd, parts),
        SiToFp => each(cx, &source, Sse::Cvtdq2ps),
        FpToSi if widths.0 == 64 => halved(cx, &source, Sse::Cvttpd2dq),
        FpTrunc => halved(cx, &source, Sse::Cvtpd2ps),
        _ => each(cx, &source, Sse::Cvttps2dq),
    };
    let dst = cx.result(cx.func.first_result(inst));
    for (part, register) in converted.into_iter().enumerate().take(parts) {
        cx.copy(dst.part(part), register);
    }
}

/// Whether all lanes are 0 or -1.
fn is_mask(cx: &Ctx, value: Value, depth: u32) -> bool {
    let Some((_, data)) = cx.def(value).filter(|_| depth > 0) else {
        return matches!(cx.func.const_bits(value), Some(0))
            || matches!(cx.func.constant(value), Some(ir::Constant::Vector(b)) if b.iter().all(|&b| b == 255));
    };
    match data.opcode {
        Opcode::ICmp | Opcode::FCmp => true,
        Opcode::And | Opcode::Or | Opcode::Xor => {
            is_mask(cx, cx.arg(&data, 0), depth - 1) && is_mask(cx, cx.arg(&data, 1), depth - 1)
        }
        Opcode::SExt | Opcode::Trunc => is_mask(cx, cx.arg(&data, 0), depth - 1),
        _ => false,
    }
}

fn each(cx: &mut Ctx, source: &[VReg], op: Sse) -> Registers {
    source.iter().map(|&x| unary(cx, op, x)).collect()
}

fn unary(cx: &mut Ctx, op: Sse, x: VReg) -> VReg {
    cx.in_xmm(|cx, dst| cx.xmm_un(op, dst, x))
}

fn shifted(cx: &mut Ctx, op: SseShift, x: VReg, by: u8) -> VReg {
    cx.in_xmm(|cx, dst| cx.xmm_shift(op, dst, x, by))
}

/// Two registers from each, by an instruction that converts the low half.
fn doubled(cx: &mut Ctx, source: &[VReg], op: Sse, parts: usize) -> Registers {
    let mut out = Registers::new();
    for &x in source {
        out.push(unary(cx, op, x));
        if out.len() < parts {
            let high = cx.in_xmm(|cx, dst| cx.xmm_un_imm(Sse::Pshufd, dst, x, 0b11_10_11_10));
            out.push(unary(cx, op, high));
        }
    }
    out
}

/// One register from each two, by an instruction that fills the low half.
fn halved(cx: &mut Ctx, source: &[VReg], op: Sse) -> Registers {
    source
        .chunks(2)
        .map(|pair| {
            let low = unary(cx, op, pair[0]);
            match pair.get(1) {
                None => low,
                Some(&second) => {
                    let high = unary(cx, op, second);
                    cx.xmm_new(Sse::Punpcklqdq, low, high)
                }
            }
        })
        .collect()
}

/// The instruction that extends the lowest lanes of a register.
fn extension(cx: &Ctx, from: u32, to: u32, signed: bool) -> Option<Sse> {
    let pick = |sign: Sse, zero: Sse| cx.has(X86Features::SSE4_1).then_some(if signed { sign } else { zero });
    match (from, to) {
        (8, 16) => pick(Sse::Pmovsxbw, Sse::Pmovzxbw),
        (8, 32) => pick(Sse::Pmovsxbd, Sse::Pmovzxbd),
        (8, 64) => pick(Sse::Pmovsxbq, Sse::Pmovzxbq),
        (16, 32) => pick(Sse::Pmovsxwd, Sse::Pmovzxwd),
        (16, 64) => pick(Sse::Pmovsxwq, Sse::Pmovzxwq),
        (32, 64) => pick(Sse::Pmovsxdq, Sse::Pmovzxdq),
        _ => None,
    }
}

/// Each register of the result from the lanes that belong into it, brought to the low end.
fn extended(cx: &mut Ctx, inst: Inst, data: &InstData, op: Sse) {
    let a = cx.arg(data, 0);
    let (from, parts) = (cx.ty(a), cx.parts(data.ty));
    let value = cx.func.first_result(inst);
    if parts == 1 && data.ty.store_size() >= 16 {
        let operand = xmm_rm(cx, a, from.store_size());
        let dst = cx.result(value);
        return push_xmm_rm(cx, MInst::xmm_un(op).dst(dst), operand, true);
    }
    let x = cx.reg(a);
    let dst = cx.result(value);
    for part in 0..parts {
        let at = part as u32 * 16 * from.lane_bits() / data.ty.lane_bits();
        let x = x.part(at as usize / 16);
        let low = if at.is_multiple_of(16) { x } else { shifted(cx, SseShift::Psrldq, x, (at % 16) as u8) };
        cx.xmm_un(op, dst.part(part), low);
    }
}

/// `parts` registers of wider lanes.
fn widened(cx: &mut Ctx, source: Registers, from: u32, to: u32, signed: bool, parts: usize) -> Registers {
    let mut source = source;
    let mut bits = from;
    while bits < to {
        let (low, high) = match bits {
            8 => (Sse::Punpcklbw, Sse::Punpckhbw),
            16 => (Sse::Punpcklwd, Sse::Punpckhwd),
            _ => (Sse::Punpckldq, Sse::Punpckhdq),
        };
        bits *= 2;
        // Registers after this step, if all of the result's are wanted.
        let wanted = (parts as u32 * bits).div_ceil(to) as usize;
        let zero = cx.temp_xmm();
        if !signed || bits != 64 {
            cx.push(MInst::new(Op::XmmZero, Size::D).dst(zero));
        }
        let mut out = Registers::new();
        for &x in &source {
            let above = match (signed, bits) {
                (false, _) => zero,
                (true, 16) => cx.xmm_new(Sse::Pcmpgtb, zero, x),
                (true, 32) => cx.xmm_new(Sse::Pcmpgtw, zero, x),
                (true, _) => shifted(cx, SseShift::Psrad, x, 31),
            };
            out.push(cx.xmm_new(low, x, above));
            if out.len() < wanted {
                out.push(cx.xmm_new(high, x, above));
            }
        }
        source = out;
    }
    source
}

/// Registers packed two by two; a single one fills a half.
fn packed(cx: &mut Ctx, source: &[VReg], op: Sse) -> Registers {
    source.chunks(2).map(|pair| cx.xmm_new(op, pair[0], *pair.get(1).unwrap_or(&pair[0]))).collect()
}

fn narrowed(cx: &mut Ctx, source: Registers, from: u32, to: u32) -> Registers {
    let mut source = source;
    let mut bits = from;
    if bits == 64 {
        source = low_dwords(cx, &source);
        bits = 32;
    }
    if to == 8 {
        // Values of 0 to 255 survive both packings.
        let mask = if bits == 32 { 0x0000_00ff_0000_00ff_0000_00ff_0000_00ff } else { LOW_BYTES };
        for x in &mut source {
            let low = cx.temp_xmm();
            with_mask(cx, Sse::Pand, low, *x, mask);
            *x = low;
        }
        if bits == 32 {
            source = packed(cx, &source, Sse::Packssdw);
        }
        return packed(cx, &source, Sse::Packuswb);
    }
    if to == 16 {
        for x in &mut source {
            let up = shifted(cx, SseShift::Pslld, *x, 16);
            *x = shifted(cx, SseShift::Psrad, up, 16);
        }
        return packed(cx, &source, Sse::Packssdw);
    }
    source
}

const LOW_BYTES: u128 = 0x00ff_00ff_00ff_00ff_00ff_00ff_00ff_00ff;

fn low_dwords(cx: &mut Ctx, source: &[VReg]) -> Registers {
    source
        .chunks(2)
        .map(|pair| {
            let second = *pair.get(1).unwrap_or(&pair[0]);
            cx.in_xmm(|cx, dst| cx.xmm_imm(Sse::Shufps, dst, pair[0], second, 0b10_00_10_00))
        })
        .collect()
}

/// Lanes of 0 and -1 stay that when packed with signed saturation.
fn pack_masks(cx: &mut Ctx, source: Registers, from: u32, to: u32) -> Registers {
    let mut source = source;
    let mut bits = from;
    while bits > to {
        source = match bits {
            64 => low_dwords(cx, &source),
            32 => packed(cx, &source, Sse::Packssdw),
            _ => packed(cx, &source, Sse::Packsswb),
        };
        bits /= 2;
    }
    source
}
