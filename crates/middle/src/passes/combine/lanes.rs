//! Lanes of vectors: what is put in is what is taken out, constants are put together, and a vector
//! of lanes that all came from two others is a shuffle.
//!
//! ```text
//! v3 = insert_lane v2, v1, i32 2
//! v4 = extract_lane v3, i32 2          =>   (v4 is v1)
//! v5 = extract_lane v3, i32 0          =>   v5 = extract_lane v2, i32 0
//! v6 = insert_lane 0, i32 7, i32 1     =>   (v6 is <0, 7, 0, 0>)
//! ```

use ir::{Constant, Inst, Opcode, Type, Value};
use smallvec::SmallVec;

use super::{Combiner, Rewrite};

/// Vectors that are looked through for one lane.
const MAX_STEPS: u32 = 64;

/// The lanes that a shuffle picks.
type Mask = SmallVec<[u32; 32]>;

/// Where what a lane holds comes from.
#[derive(Copy, Clone, PartialEq)]
enum Source {
    Scalar(Value),
    Lane(Value, u32),
    /// Undefined.
    Any,
}

/// `extract_lane`, `insert_lane`, `splat` and `bitcast` of vectors.
pub(super) fn visit(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    match data.opcode {
        Opcode::ExtractLane => extract(cx, inst),
        Opcode::InsertLane => insert(cx, inst),
        Opcode::Shuffle => shuffled(cx, inst),
        Opcode::Splat => {
            let bits = cx.bits(cx.func.operand(inst, 0))?;
            let width = data.ty.lane().store_size() as usize;
            let bytes = bits.to_le_bytes()[..width].repeat(data.ty.lanes() as usize);
            Some(Rewrite::Value(constant(cx, data.ty, bytes)))
        }
        Opcode::Bitcast => {
            let from = cx.func.operand(inst, 0);
            let bytes = constant_bytes(cx, from).filter(|bytes| bytes.len() == data.ty.store_size() as usize);
            if let Some(bytes) = bytes {
                return Some(Rewrite::Value(constant(cx, data.ty, bytes)));
            }
            let origin = cx.unary(from, Opcode::Bitcast)?;
            if cx.ty(origin) == data.ty {
                return Some(Rewrite::Value(origin));
            }
            cx.ty(origin).is_vector().then(|| cx.become_unary(inst, Opcode::Bitcast, origin))?
        }
        _ => None,
    }
}

/// The bytes of a constant vector.
fn constant_bytes(cx: &Combiner<'_>, value: Value) -> Option<Vec<u8>> {
    let ty = cx.ty(value);
    let size = ty.store_size() as usize;
    match cx.func.constant(value)? {
        Constant::Vector(bytes) => Some(bytes.to_vec()),
        Constant::Bits(0) if ty.is_vector() => Some(vec![0; size]),
        _ => None,
    }
}

fn constant(cx: &mut Combiner<'_>, ty: Type, bytes: Vec<u8>) -> Value {
    let zero = bytes.iter().all(|&byte| byte == 0);
    cx.func.make_const(ty, if zero { Constant::Bits(0) } else { Constant::Vector(bytes.into()) })
}

/// The constant number of a lane of `vector`.
fn number(cx: &Combiner<'_>, vector: Value, index: Value) -> Option<u32> {
    let number = cx.func.const_i64(index)?;
    u32::try_from(number).ok().filter(|&number| number < cx.ty(vector).lanes())
}

/// Looks for a lane in what the vector was made from.
fn source(cx: &mut Combiner<'_>, mut vector: Value, mut lane: u32) -> Source {
    let ty = cx.ty(vector).lane();
    for _ in 0..MAX_STEPS {
        if let Some(bytes) = constant_bytes(cx, vector) {
            let width = ty.store_size() as usize;
            let mut bits = [0; 16];
            bits[..width].copy_from_slice(&bytes[lane as usize * width..][..width]);
            return Source::Scalar(cx.func.bits_const(ty, u128::from_le_bytes(bits)));
        }
        let Some(inst) = cx.func.def_inst(vector) else { break };
        match cx.func.insts[inst].opcode {
            Opcode::InsertLane => {
                let (below, scalar, at) =
                    (cx.func.operand(inst, 0), cx.func.operand(inst, 1), cx.func.operand(inst, 2));
                match number(cx, vector, at) {
                    Some(at) if at == lane => return Source::Scalar(scalar),
                    Some(_) => vector = below,
                    None => break,
                }
            }
            Opcode::Splat => return Source::Scalar(cx.func.operand(inst, 0)),
            Opcode::Shuffle => {
                let (a, b) = (cx.func.operand(inst, 0), cx.func.operand(inst, 1));
                let (pick, lanes) = (cx.func.shuffle_mask(inst)[lane as usize], cx.ty(a).lanes());
                if pick == u32::MAX {
                    return Source::Any;
                }
                (vector, lane) = if pick < lanes { (a, pick) } else { (b, pick - lanes) };
            }
            Opcode::Undef => return Source::Any,
            _ => break,
        }
    }
    Source::Lane(vector, lane)
}

fn extract(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let (vector, index) = (cx.func.operand(inst, 0), cx.func.operand(inst, 1));
    let lane = number(cx, vector, index)?;
    // A part of a wide vector is taken out once for all of its lanes.
    match source(cx, vector, lane) {
        Source::Scalar(scalar) => Some(Rewrite::Value(scalar)),
        Source::Any => None,
        Source::Lane(from, _) if from == vector || cx.ty(from).store_size() > cx.ty(vector).store_size().max(16) => {
            None
        }
        Source::Lane(from, lane) => {
            let index = cx.func.bits_const(Type::I32, u128::from(lane));
            cx.func.set_operand(inst, 0, from);
            cx.func.set_operand(inst, 1, index);
            Some(Rewrite::InPlace)
        }
    }
}

fn insert(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let (below, scalar, index) = (cx.func.operand(inst, 0), cx.func.operand(inst, 1), cx.func.operand(inst, 2));
    let (result, ty) = (cx.func.first_result(inst), cx.func.insts[inst].ty);
    let lane = number(cx, result, index)?;
    if let (Some(mut bytes), Some(bits)) = (constant_bytes(cx, below), cx.bits(scalar)) {
        let width = ty.lane().store_size() as usize;
        bytes[lane as usize * width..][..width].copy_from_slice(&bits.to_le_bytes()[..width]);
        return Some(Rewrite::Value(constant(cx, ty, bytes)));
    }
    // Two writes of one lane.
    if let Some((earlier, _)) = cx.def(below, Opcode::InsertLane)
        && cx.func.operand(earlier, 2) == index
    {
        let below = cx.func.operand(earlier, 0);
        cx.func.set_operand(inst, 0, below);
        return Some(Rewrite::InPlace);
    }
    let is_last =
        !cx.func.uses(result).any(|(user, operand)| operand == 0 && cx.func.insts[user].opcode == Opcode::InsertLane);
    if is_last { whole(cx, inst, result, ty) } else { None }
}

/// The last of a chain of insertions: what all lanes hold is known.
fn whole(cx: &mut Combiner<'_>, inst: Inst, result: Value, ty: Type) -> Option<Rewrite> {
    let sources: SmallVec<[Source; 16]> = (0..ty.lanes()).map(|lane| source(cx, result, lane)).collect();
    let scalars: Option<SmallVec<[Value; 16]>> = sources
        .iter()
        .map(|source| match source {
            Source::Scalar(value) => Some(*value),
            Source::Lane(..) | Source::Any => None,
        })
        .collect();
    match scalars {
        Some(scalars) if scalars.iter().all(|&value| value == scalars[0]) => {
            cx.become_unary(inst, Opcode::Splat, scalars[0])
        }
        scalars => scalars
            .and_then(|scalars| constants_first(cx, inst, ty, &scalars))
            .or_else(|| shuffle(cx, inst, ty, &sources)),
    }
}

/// A chain that inserts constants begins with a vector that has them.
fn constants_first(cx: &mut Combiner<'_>, inst: Inst, ty: Type, scalars: &[Value]) -> Option<Rewrite> {
    let mut chained = cx.func.first_result(inst);
    let mut inserts_constant = false;
    while let Some((link, _)) = cx.def(chained, Opcode::InsertLane) {
        inserts_constant |= cx.func.is_constant(cx.func.operand(link, 1));
        chained = cx.func.operand(link, 0);
    }
    if !inserts_constant {
        return None;
    }
    let width = ty.lane().store_size() as usize;
    let mut bytes = vec![0; ty.store_size() as usize];
    for (lane, &scalar) in scalars.iter().enumerate() {
        if let Some(bits) = cx.bits(scalar) {
            bytes[lane * width..][..width].copy_from_slice(&bits.to_le_bytes()[..width]);
        } else if cx.func.is_constant(scalar) {
            return None;
        }
    }
    let mut vector = constant(cx, ty, bytes);
    for (lane, &scalar) in scalars.iter().enumerate() {
        if !cx.func.is_constant(scalar) {
            let index = cx.func.bits_const(Type::I32, lane as u128);
            vector = cx.builder(inst).insert_lane(ty, vector, scalar, index);
        }
    }
    Some(Rewrite::Value(vector))
}

/// All lanes are lanes of at most two vectors of the same type.
fn shuffle(cx: &mut Combiner<'_>, inst: Inst, ty: Type, sources: &[Source]) -> Option<Rewrite> {
    // Of narrower lanes few shuffles are one instruction.
    if ty.lane().store_size() < 4 {
        return None;
    }
    let (from, mask) = of_two(cx, sources)?;
    if from.iter().any(|&vector| cx.ty(vector) != ty || vector == cx.func.first_result(inst)) {
        return None;
    }
    if let [only] = from[..]
        && is_identity(&mask)
    {
        return Some(Rewrite::Value(only));
    }
    let (first, second) = (*from.first()?, *from.last()?);
    Some(Rewrite::Value(cx.builder(inst).shuffle(first, second, &mask)))
}

/// The vectors that lanes come from, of one type and two at most, and the lanes' numbers in the two
/// together.
fn of_two(cx: &mut Combiner<'_>, sources: &[Source]) -> Option<(SmallVec<[Value; 2]>, Mask)> {
    let mut from: SmallVec<[Value; 2]> = SmallVec::new();
    let mut mask = Mask::new();
    for &source in sources {
        let (vector, lane) = match source {
            Source::Lane(vector, lane) => (vector, lane),
            Source::Any => {
                mask.push(u32::MAX);
                continue;
            }
            Source::Scalar(scalar) => {
                let (extraction, _) = cx.def(scalar, Opcode::ExtractLane)?;
                let vector = cx.func.operand(extraction, 0);
                (vector, number(cx, vector, cx.func.operand(extraction, 1))?)
            }
        };
        let ty = cx.ty(vector);
        let side = from.iter().position(|&known| known == vector).unwrap_or(from.len());
        if side == from.len() {
            from.push(vector);
        }
        if side > 1 || cx.ty(from[0]) != ty {
            return None;
        }
        mask.push(side as u32 * ty.lanes() + lane);
    }
    Some((from, mask))
}

fn is_identity(mask: &[u32]) -> bool {
    mask.iter().enumerate().all(|(at, &pick)| pick == u32::MAX || pick == at as u32)
}

/// A shuffle of what other shuffles, insertions and constants gave.
fn shuffled(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let (result, ty) = (cx.func.first_result(inst), cx.func.insts[inst].ty);
    let sources: SmallVec<[Source; 32]> = (0..ty.lanes()).map(|lane| source(cx, result, lane)).collect();
    let mut scalars = sources.iter().filter_map(|source| match source {
        Source::Scalar(value) => Some(*value),
        _ => None,
    });
    if let Some(first) = scalars.clone().next()
        && sources.iter().all(|source| !matches!(source, Source::Lane(..)))
    {
        if scalars.clone().all(|scalar| scalar == first) {
            let splat = cx.builder(inst).unary(Opcode::Splat, ty, first);
            return Some(Rewrite::Value(splat));
        }
        if scalars.all(|scalar| cx.bits(scalar).is_some()) {
            let width = ty.lane().store_size() as usize;
            let mut bytes = Vec::with_capacity(ty.store_size() as usize);
            for source in &sources {
                let bits = if let Source::Scalar(scalar) = source { cx.bits(*scalar)? } else { 0 };
                bytes.extend_from_slice(&bits.to_le_bytes()[..width]);
            }
            return Some(Rewrite::Value(constant(cx, ty, bytes)));
        }
        return None;
    }
    if let Some(rewrite) = of_other_lanes(cx, inst, ty) {
        return Some(rewrite);
    }
    let (a, b) = (cx.func.operand(inst, 0), cx.func.operand(inst, 1));
    if sources.iter().any(|source| matches!(source, Source::Scalar(_))) {
        return None;
    }
    let (from, mask) = of_two(cx, &sources)?;
    let (first, second) = (*from.first()?, *from.last()?);
    if from.len() == 1 && cx.ty(first) == ty && is_identity(&mask) {
        return Some(Rewrite::Value(first));
    }
    // The same operands, or those of a shuffle that others use, too.
    let same = [first, second].iter().all(|&vector| vector == a || vector == b);
    let single = [a, b].iter().any(|&vector| cx.def(vector, Opcode::Shuffle).is_some_and(|_| cx.one_use(vector)));
    let narrow = ty.lane().store_size() < 4 && !(ty.store_size() == 32 || cx.ty(first).store_size() == 32);
    if same || !single || narrow {
        return None;
    }
    Some(Rewrite::Value(cx.builder(inst).shuffle(first, second, &mask)))
}

/// Halves that are put together or taken out as lanes of another width: the conversion comes after.
fn of_other_lanes(cx: &mut Combiner<'_>, inst: Inst, ty: Type) -> Option<Rewrite> {
    let (a, b) = (cx.func.operand(inst, 0), cx.func.operand(inst, 1));
    let (x, y) = (cx.unary(a, Opcode::Bitcast)?, cx.unary(b, Opcode::Bitcast)?);
    let (from, of) = (cx.ty(x), cx.ty(a));
    if from != cx.ty(y) || !from.is_vector() || !from.lane().bits().is_power_of_two() {
        return None;
    }
    let mask = cx.func.shuffle_mask(inst);
    let start = *mask.first()?;
    let consecutive = mask.iter().enumerate().all(|(at, &pick)| pick == start.wrapping_add(at as u32));
    // In bytes: the two operands' place, and what is taken of them.
    let (size, first, width) = (ty.store_size(), start * of.lane().store_size(), from.lane().store_size());
    let aligned = first.is_multiple_of(size) && size.is_multiple_of(width);
    if !consecutive || !aligned || ty.lanes() != mask.len() as u32 {
        return None;
    }
    let mask: Mask = (first / width..(first + size) / width).collect();
    let moved = cx.builder(inst).shuffle(x, y, &mask);
    cx.become_unary(inst, Opcode::Bitcast, moved)
}
