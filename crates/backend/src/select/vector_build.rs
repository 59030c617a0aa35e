//! Vectors put together from scalars: a tree of interleavings, where every lane that is set was set
//! by one chain of `insert_lane`.

use ir::{Inst, InstData, Opcode, Type, Value};
use object::{Size, encode::Sse};
use platform::options::X86Features;
use smallvec::SmallVec;

use super::{address::address, context::Ctx, float::scalar_op, memory::load_value};
use crate::machine::{MInst, Op, VReg, bits};

/// What the lanes of a vector are set to, from the lowest.
type Lanes = SmallVec<[Option<Value>; 32]>;

/// A part of the vector in the low bits of a register; `None` where it is zero.
type Part = Option<Piece>;

#[derive(Copy, Clone)]
struct Piece {
    reg: VReg,
    /// Whether all bits above the part are zero.
    alone: bool,
}

/// Selects the last of a chain of insertions that sets all lanes, or some of a vector that is zero.
/// Whether it was one.
pub fn select(cx: &mut Ctx, inst: Inst, data: &InstData) -> bool {
    if lowest_of_itself(cx, inst, data) {
        return true;
    }
    let Some((lanes, base)) = chain(cx, data) else { return false };
    let ty = data.ty;
    if lanes.iter().any(Option::is_none) && !base.is_some_and(|base| cx.is_zero(base)) {
        return false;
    }
    let lane = ty.lane();
    if let (Type::F64, &[Some(low), Some(high)]) = (lane, &lanes[..]) {
        pair_of_doubles(cx, low, high, inst);
        return true;
    }
    let registers = lanes.chunks((16 / lane.store_size()) as usize);
    let registers: SmallVec<[Part; 2]> = registers.map(|lanes| register(cx, lane, lanes)).collect();
    let dst = cx.result(cx.func.first_result(inst));
    for (number, part) in registers.into_iter().enumerate() {
        let dst = dst.part(number);
        match part {
            Some(piece) => cx.copy(dst, piece.reg),
            None => cx.push(MInst::new(Op::XmmZero, Size::D).dst(dst)),
        }
    }
    true
}

/// The lanes of one register.
fn register(cx: &mut Ctx, lane: Type, lanes: &[Option<Value>]) -> Part {
    let some_zero = lanes.iter().any(Option::is_none);
    let mut bytes = lane.store_size();
    let mut parts: SmallVec<[Part; 16]> = if bytes == 4 {
        bytes = 8;
        lanes.chunks(2).map(|pair| pair_of_words(cx, lane, pair[0], pair[1])).collect()
    } else {
        lanes.iter().map(|&value| value.map(|value| scalar(cx, lane, value, some_zero))).collect()
    };
    while parts.len() > 1 {
        parts = parts.chunks(2).map(|pair| join(cx, lane, bytes, pair[0], pair[1])).collect();
        bytes *= 2;
    }
    parts[0]
}

/// `insert_lane v, (extract_lane v, 0) op x, 0`: the scalar instruction leaves the other lanes.
fn lowest_of_itself(cx: &mut Ctx, inst: Inst, data: &InstData) -> bool {
    let (vector, scalar) = (cx.arg(data, 0), cx.arg(data, 1));
    let lane = data.ty.lane();
    if data.ty.store_size() != 16
        || !matches!(lane, Type::F32 | Type::F64)
        || cx.func.const_i64(cx.arg(data, 2)) != Some(0)
    {
        return false;
    }
    let Some((operation, op)) = cx.def(scalar) else { return false };
    let is_arithmetic = matches!(op.opcode, Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv);
    if !is_arithmetic || !cx.can_absorb(scalar, operation) {
        return false;
    }
    let left = cx.arg(&op, 0);
    let Some((_, extraction)) = cx.def_op(left, Opcode::ExtractLane) else { return false };
    if cx.arg(&extraction, 0) != vector || cx.func.const_i64(cx.arg(&extraction, 1)) != Some(0) {
        return false;
    }
    let sse = scalar_op(op.opcode, lane == Type::F64);
    let (whole, right) = (cx.reg(vector), cx.reg(cx.arg(&op, 1)));
    let dst = cx.result(cx.func.first_result(inst));
    cx.push(MInst::xmm(sse).with_bits(bits::WHOLE).dst(dst).src1(whole).src2(right));
    true
}

/// The lanes that the chain ending in `data` sets, and the vector that it begins with where that
/// matters.
fn chain(cx: &Ctx, data: &InstData) -> Option<(Lanes, Option<Value>)> {
    let ty = data.ty;
    if !matches!(ty.store_size(), 16 | 32) || ty.lane().bits() > 64 || ty.lane() == Type::F16 {
        return None;
    }
    let mut lanes: Lanes = SmallVec::from_elem(None, ty.lanes() as usize);
    let mut data = *data;
    loop {
        let lane = lanes.get_mut(usize::try_from(cx.func.const_i64(cx.arg(&data, 2))?).ok()?)?;
        lane.get_or_insert(cx.arg(&data, 1));
        let base = cx.arg(&data, 0);
        if lanes.iter().all(Option::is_some) {
            return Some((lanes, None));
        }
        let below = cx.def(base).filter(|&(inst, _)| cx.single_use(base) && cx.can_sink(inst));
        match below {
            Some((_, below)) if below.opcode == Opcode::InsertLane => data = below,
            Some((_, below)) if below.opcode == Opcode::Splat => {
                let repeated = cx.arg(&below, 0);
                lanes.iter_mut().for_each(|lane| *lane = lane.or(Some(repeated)));
                return Some((lanes, None));
            }
            _ => return Some((lanes, Some(base))),
        }
    }
}

fn pair_of_doubles(cx: &mut Ctx, low: Value, high: Value, inst: Inst) {
    let load = cx.foldable_load(high).map(|(_, load)| cx.arg(&load, 0));
    let low = cx.reg(low);
    let dst = cx.result(cx.func.first_result(inst));
    if let Some(from) = load {
        let amode = address(cx, from);
        return cx.push_mem(MInst::xmm(Sse::MovhpdLoad).dst(dst).src1(low), amode);
    }
    let high = cx.reg(high);
    cx.xmm(Sse::Unpcklpd, dst, low, high);
}

/// Two lanes of four bytes; the second may come from memory right into its place.
fn pair_of_words(cx: &mut Ctx, lane: Type, low: Option<Value>, high: Option<Value>) -> Part {
    let load = high.filter(|_| cx.has(X86Features::SSE4_1)).and_then(|high| cx.foldable_load(high));
    let low = low.map(|value| scalar(cx, lane, value, false));
    if let (Some(low), Some((_, load))) = (low, load) {
        let amode = address(cx, cx.arg(&load, 0));
        let reg = cx.temp_xmm();
        cx.push_mem(MInst::xmm(Sse::Insertps).imm(0x10).dst(reg).src1(low.reg), amode);
        return Some(Piece { reg, alone: low.alone });
    }
    let high = high.map(|value| scalar(cx, lane, value, false));
    join(cx, lane, 4, low, high)
}

/// A scalar in the low lane of a register of its own.
fn scalar(cx: &mut Ctx, lane: Type, value: Value, some_zero: bool) -> Piece {
    let float = match lane {
        Type::F32 | Type::I32 => Some(Type::F32),
        Type::F64 | Type::I64 | Type::PTR => Some(Type::F64),
        _ => None,
    };
    if let Some(float) = float
        && let Some((_, load)) = cx.foldable_load(value)
    {
        // A load of four or eight bytes clears the others.
        let amode = address(cx, cx.arg(&load, 0));
        let reg = cx.temp_xmm();
        load_value(cx, float, reg, amode, 1);
        return Piece { reg, alone: true };
    }
    let reg = cx.reg(value);
    if lane.is_float() {
        return Piece { reg, alone: false };
    }
    let narrow = lane.store_size() < 4;
    let size = if lane.store_size() == 8 { Size::Q } else { Size::D };
    let reg = if narrow && some_zero {
        cx.in_gpr(|cx, dst| cx.movzx(if lane == Type::I8 { Size::B } else { Size::W }, dst, reg))
    } else {
        reg
    };
    let moved = cx.in_xmm(|cx, dst| cx.gpr_to_xmm(Sse::MovToXmm, size, dst, reg));
    Piece { reg: moved, alone: !narrow || some_zero }
}

/// Two neighbouring parts of `bytes` bytes each.
fn join(cx: &mut Ctx, lane: Type, bytes: u32, low: Part, high: Part) -> Part {
    if low.is_none() && high.is_none() {
        return None;
    }
    if let (Some(low), None) = (low, high)
        && low.alone
    {
        return Some(low);
    }
    if let (Some(low), None, 8) = (low, high, bytes) {
        let reg = cx.in_xmm(|cx, dst| cx.xmm_un(Sse::Movq, dst, low.reg));
        return Some(Piece { reg, alone: true });
    }
    if let (Some(low), None, Type::F32, 4) = (low, high, lane, bytes) {
        let zero = zero(cx);
        return Some(Piece { reg: cx.xmm_new(Sse::Movss, zero, low.reg), alone: true });
    }
    let op = match bytes {
        1 => Sse::Punpcklbw,
        2 => Sse::Punpcklwd,
        4 if lane == Type::F32 => Sse::Unpcklps,
        4 => Sse::Punpckldq,
        _ if lane == Type::F32 => Sse::Movlhps,
        _ if lane == Type::F64 => Sse::Unpcklpd,
        _ => Sse::Punpcklqdq,
    };
    let alone = low.is_none_or(|low| low.alone) && high.is_none_or(|high| high.alone);
    let [low, high] = [low, high].map(|part| part.map(|piece| piece.reg));
    let low = low.unwrap_or_else(|| zero(cx));
    let high = high.unwrap_or_else(|| zero(cx));
    Some(Piece { reg: cx.xmm_new(op, low, high), alone })
}

fn zero(cx: &mut Ctx) -> VReg {
    cx.in_xmm(|cx, dst| cx.push(MInst::new(Op::XmmZero, Size::D).dst(dst)))
}
