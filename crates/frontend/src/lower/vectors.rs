//! GNU vector types of any size.
//!
//! Vectors of 16 bytes are IR values. All others are in memory and are worked on in pieces of 16
//! bytes (of 32 in functions with AVX, where `sroa` makes values of them), or lane by lane where a
//! piece does not fill that: every operation is written once, on an IR value that is either a whole
//! piece or one lane.

use ir::{AliasTags, Opcode, Type, Value};
use platform::options::X86Features;
use smallvec::SmallVec;

use super::function::Fx;
use super::place::{Place, Rvalue};
use super::shapes::{Shape, VECTOR_BYTES, shape};
use super::{conversions, decimal, expressions, lvalues, operators};
use crate::tree::*;

/// Element type and number of lanes.
pub fn lanes(fx: &Fx<'_, '_>, ty: Ty) -> (Ty, u32) {
    match fx.types().kind(ty) {
        TypeKind::Vector { elem, lanes } => (elem, lanes),
        _ => (ty, 1),
    }
}

/// Pieces of a vector in memory, of 16 bytes or, with AVX, of 32: (byte offset, IR type of the
/// piece).
fn pieces(fx: &Fx<'_, '_>, ty: Ty) -> Vec<(u64, Type)> {
    let (elem, count) = lanes(fx, ty);
    let lane = fx.scalar_type(elem);
    let step = lane.alloc_size() as u64;
    let total = step * count as u64;
    let per_register = VECTOR_BYTES / step.max(1);
    let native = per_register >= 2 && super::shapes::native_vector(fx.types(), elem, per_register as u32).is_some();
    let whole = 2 * VECTOR_BYTES;
    let size = match total {
        _ if !native || total < VECTOR_BYTES => return single_lanes(fx, ty),
        // A `ymm` register holds two.
        _ if total >= whole && fx.options.codegen.features.has(X86Features::AVX) => whole,
        _ => VECTOR_BYTES,
    };
    (0..total / size).map(|i| (i * size, lane.vector((size / step) as u32))).collect()
}

/// The lanes of a vector in memory as its pieces.
fn single_lanes(fx: &Fx<'_, '_>, ty: Ty) -> Vec<(u64, Type)> {
    let (elem, count) = lanes(fx, ty);
    let lane = fx.scalar_type(elem);
    (0..count as u64).map(|i| (i * lane.alloc_size() as u64, lane)).collect()
}

/// An operand in memory with its pieces.
type Source = (Place, Vec<(u64, Type)>);

/// Applies `f` to corresponding pieces of vectors with equally many lanes of equal size.
fn map(
    fx: &mut Fx<'_, '_>,
    to: Ty,
    operands: &[(Rvalue, Ty)],
    mut f: impl FnMut(&mut Fx<'_, '_>, &[Value]) -> Value,
) -> Rvalue {
    let whole: Option<SmallVec<[Value; 3]>> = operands
        .iter()
        .map(|(value, _)| match value {
            Rvalue::Scalar(v) => Some(*v),
            _ => None,
        })
        .collect();
    if let Some(values) = whole {
        return Rvalue::Scalar(f(fx, &values));
    }
    // Decimal lanes and those of `_Float16` are worked on one by one, and then so are the masks
    // that stand beside them.
    let all = || [to].into_iter().chain(operands.iter().map(|o| o.1));
    let decimal = all().any(|ty| {
        let (elem, _) = lanes(fx, ty);
        fx.types().decimal_format(elem).is_some()
    });
    let differ = all().any(|ty| pieces(fx, ty).len() != pieces(fx, to).len());
    let cut = if decimal || differ { single_lanes } else { pieces };
    let sources: SmallVec<[Source; 3]> =
        operands.iter().map(|&(value, ty)| (lvalues::spill(fx, value, ty), cut(fx, ty))).collect();
    let result = temp(fx, to);
    for (index, (offset, _)) in cut(fx, to).into_iter().enumerate() {
        let values: SmallVec<[Value; 3]> = sources
            .iter()
            .map(|(place, pieces)| {
                let (at, ty) = pieces[index];
                fx.load(ty, place.offset(at as i64), AliasTags::any())
            })
            .collect();
        let value = f(fx, &values);
        fx.store(value, result.offset(offset as i64), AliasTags::any());
    }
    // A mask may be a value although what it was made of is not.
    lvalues::load(fx, Place { any_alias: true, ..result }, to.into())
}

fn temp(fx: &mut Fx<'_, '_>, ty: Ty) -> Place {
    let layout = fx.types().layout(ty.into()).unwrap_or(platform::data_layout::LONG);
    fx.temp(layout.size, layout.align)
}

/// A truth value of a comparison as the lane it becomes: all ones or zero.
fn mask_lane(fx: &mut Fx<'_, '_>, bit: Value, lane: Type) -> Value {
    if fx.ty(bit) != Type::I1 {
        return bit;
    }
    let byte = fx.int_cast(bit, lane, false);
    fx.int_neg(byte, 0)
}

/// A binary operator on vectors; a scalar operand has been splat by sema, but a shift's count may
/// have other lanes.
pub fn binary(fx: &mut Fx<'_, '_>, op: BinaryOp, to: Ty, lhs_ty: Ty, rhs_ty: Ty, a: Rvalue, b: Rvalue) -> Rvalue {
    let (elem, _) = lanes(fx, lhs_ty);
    let (to_elem, _) = lanes(fx, to);
    let lane = fx.scalar_type(to_elem);
    map(fx, to, &[(a, lhs_ty), (b, rhs_ty)], |fx, v| {
        if op.is_comparison() {
            let floating = fx.ty(v[0]).lane().is_float();
            let bit = if let Some(format) = fx.types().decimal_format(elem) {
                decimal::compare(fx, op, format, v[0], v[1], false)
            } else if floating {
                fx.fcmp(operators::float_cc(op), op.is_relational(), v[0], v[1])
            } else {
                let signed = fx.types().is_signed(elem);
                fx.icmp(operators::int_cc(op, signed), v[0], v[1])
            };
            return mask_lane(fx, bit, lane);
        }
        if fx.ty(v[0]).is_vector() {
            return vector_arithmetic(fx, op, elem, v[0], v[1]);
        }
        lane_arithmetic(fx, op, elem, v[0], v[1])
    })
}

/// Lanes narrower than `int` are not promoted, and overflow of lanes wraps.
fn lane_arithmetic(fx: &mut Fx<'_, '_>, op: BinaryOp, elem: Ty, a: Value, b: Value) -> Value {
    if fx.ty(a).is_float() {
        return operators::arithmetic(fx, op, elem, a, b);
    }
    let signed = fx.types().is_signed(elem);
    let b = if op.is_shift() {
        let ty = fx.ty(a);
        fx.int_cast(b, ty, false)
    } else {
        b
    };
    fx.int_op(int_opcode(op, signed), 0, a, b)
}

fn vector_arithmetic(fx: &mut Fx<'_, '_>, op: BinaryOp, elem: Ty, a: Value, b: Value) -> Value {
    if fx.ty(a).lane().is_float() {
        return operators::arithmetic(fx, op, elem, a, b);
    }
    let signed = fx.types().is_signed(elem);
    fx.int_op(int_opcode(op, signed), 0, a, b)
}

fn int_opcode(op: BinaryOp, signed: bool) -> Opcode {
    match op {
        BinaryOp::Add => Opcode::Add,
        BinaryOp::Sub => Opcode::Sub,
        BinaryOp::Mul => Opcode::Mul,
        BinaryOp::Div if signed => Opcode::SDiv,
        BinaryOp::Div => Opcode::UDiv,
        BinaryOp::Rem if signed => Opcode::SRem,
        BinaryOp::Rem => Opcode::URem,
        BinaryOp::Shl => Opcode::Shl,
        BinaryOp::Shr if signed => Opcode::AShr,
        BinaryOp::Shr => Opcode::LShr,
        BinaryOp::And => Opcode::And,
        BinaryOp::Or => Opcode::Or,
        BinaryOp::Xor => Opcode::Xor,
        _ => base::bug!("{} is no arithmetic operator", op.spelling()),
    }
}

/// `-v`, `~v`, `!v`.
pub fn unary(fx: &mut Fx<'_, '_>, op: UnaryOp, ty: Ty, value: Rvalue) -> Rvalue {
    let (elem, _) = lanes(fx, ty);
    map(fx, ty, &[(value, ty)], |fx, v| {
        let v = v[0];
        match op {
            UnaryOp::Neg if fx.ty(v).lane().is_float() => operators::negate(fx, v, elem),
            UnaryOp::Neg => fx.int_neg(v, 0),
            _ => {
                let ones = all_ones(fx, v);
                fx.int_op(Opcode::Xor, 0, v, ones)
            }
        }
    })
}

fn all_ones(fx: &mut Fx<'_, '_>, like: Value) -> Value {
    let ty = fx.ty(like);
    if ty.is_vector() {
        let bytes = vec![0xff; ty.store_size() as usize].into_boxed_slice();
        return fx.func.make_const(ty, ir::Constant::Vector(bytes));
    }
    fx.iconst(ty, -1)
}

/// A scalar in all lanes.
pub fn splat(fx: &mut Fx<'_, '_>, v: Value, to: Ty) -> Rvalue {
    match shape(fx.types(), to) {
        Shape::Scalar(ty) => Rvalue::Scalar(splat_value(fx, v, ty)),
        _ => {
            let result = temp(fx, to);
            for (offset, ty) in pieces(fx, to) {
                let piece = if ty.is_vector() { splat_value(fx, v, ty) } else { v };
                fx.store(piece, result.offset(offset as i64), AliasTags::any());
            }
            Rvalue::Memory(result)
        }
    }
}

fn splat_value(fx: &mut Fx<'_, '_>, v: Value, ty: Type) -> Value {
    if let Some(bits) = fx.func.const_bits(v) {
        let width = ty.lane_bits() as usize / 8;
        let lane = &bits.to_le_bytes()[..width];
        let bytes: Vec<u8> = lane.iter().copied().cycle().take(ty.store_size() as usize).collect();
        return fx.func.make_const(ty, ir::Constant::Vector(bytes.into()));
    }
    fx.b().unary(Opcode::Splat, ty, v)
}

/// `v[i]` of an rvalue.
pub fn element(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, vector: ExprRef<'_>, index: ExprRef<'_>) -> Rvalue {
    let value = expressions::rvalue(fx, vector);
    let index = expressions::scalar(fx, index);
    if let (Rvalue::Scalar(v), Some(lane)) = (value, fx.const_int(index))
        && lane < fx.ty(v).lanes() as u128
    {
        return Rvalue::Scalar(extract(fx, v, lane as u32));
    }
    let place = lvalues::spill(fx, value, vector.ty.ty());
    let size = fx.types().size_of(e.ty).unwrap_or(1);
    let at = lvalues::element(fx, place, index, size);
    lvalues::load(fx, at, e.ty.unqualified())
}

/// One lane of a vector value.
pub fn extract(fx: &mut Fx<'_, '_>, v: Value, lane: u32) -> Value {
    let ty = fx.ty(v).lane();
    let index = fx.iconst(Type::I32, lane as i64);
    fx.b().extract_lane(ty, v, index)
}

/// A vector value with one lane replaced.
pub fn insert(fx: &mut Fx<'_, '_>, v: Value, lane: u32, value: Value) -> Value {
    let ty = fx.ty(v);
    let index = fx.iconst(Type::I32, lane as i64);
    fx.b().insert_lane(ty, v, value, index)
}

/// A vector from one scalar per lane; missing ones are zero.
pub fn build(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, items: &[ExprRef<'_>]) -> Rvalue {
    let ty = e.ty.ty();
    let values: Vec<Value> = items.iter().map(|&item| expressions::scalar(fx, item)).collect();
    from_lanes(fx, ty, &values)
}

/// A vector of type `ty` from lane values.
pub fn from_lanes(fx: &mut Fx<'_, '_>, ty: Ty, values: &[Value]) -> Rvalue {
    let (elem, count) = lanes(fx, ty);
    let lane = fx.scalar_type(elem);
    let zero = fx.zero(lane);
    let lane_value = |i: usize| values.get(i).copied().unwrap_or(zero);
    if let Shape::Scalar(vector) = shape(fx.types(), ty) {
        let width = lane.store_size() as usize;
        let constant: Option<Vec<u8>> = (0..count as usize)
            .map(|i| fx.func.const_bits(lane_value(i)).map(|bits| bits.to_le_bytes()[..width].to_vec()))
            .collect::<Option<Vec<_>>>()
            .map(|lanes| lanes.concat());
        if let Some(bytes) = constant {
            return Rvalue::Scalar(fx.func.make_const(vector, ir::Constant::Vector(bytes.into())));
        }
        let mut result = fx.zero(vector);
        for i in 0..count {
            result = insert(fx, result, i, lane_value(i as usize));
        }
        return Rvalue::Scalar(result);
    }
    let result = temp(fx, ty);
    for i in 0..count as usize {
        let at = result.offset(i as i64 * lane.alloc_size() as i64);
        fx.store(lane_value(i), at, AliasTags::any());
    }
    Rvalue::Memory(result)
}

/// The lanes of a vector value.
pub fn to_lanes(fx: &mut Fx<'_, '_>, value: Rvalue, ty: Ty) -> Vec<Value> {
    let (elem, count) = lanes(fx, ty);
    match value {
        Rvalue::Scalar(v) if fx.ty(v).is_vector() => (0..count).map(|i| extract(fx, v, i)).collect(),
        Rvalue::Scalar(v) => vec![v],
        _ => {
            let place = lvalues::spill(fx, value, ty);
            let lane = fx.scalar_type(elem);
            let step = lane.alloc_size() as i64;
            (0..count as i64).map(|i| fx.load(lane, place.offset(i * step), AliasTags::any())).collect()
        }
    }
}

/// `__builtin_convertvector`: lane by lane.
pub fn convert(fx: &mut Fx<'_, '_>, value: Rvalue, from: Ty, to: Ty) -> Rvalue {
    let ((from_elem, _), (to_elem, _)) = (lanes(fx, from), lanes(fx, to));
    let values = to_lanes(fx, value, from);
    let values: Vec<Value> = values.into_iter().map(|v| conversions::real(fx, v, from_elem, to_elem)).collect();
    from_lanes(fx, to, &values)
}

/// Shuffle with a constant mask.
pub fn shuffle(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, a: ExprRef<'_>, b: ExprRef<'_>, mask: &[i32]) -> Rvalue {
    let ty = a.ty.ty();
    let (x, y) = (expressions::rvalue(fx, a), expressions::rvalue(fx, b));
    if let (Rvalue::Scalar(x), Rvalue::Scalar(y), Shape::Scalar(to)) = (x, y, shape(fx.types(), e.ty.ty()))
        && to.is_vector()
        && fx.func.value_type(x) == fx.func.value_type(y)
    {
        let mask: Vec<u32> = mask.iter().map(|&i| if i < 0 { u32::MAX } else { i as u32 }).collect();
        return Rvalue::Scalar(fx.b().shuffle(x, y, &mask));
    }
    let mut all = to_lanes(fx, x, ty);
    all.extend(to_lanes(fx, y, b.ty.ty()));
    let picked: Vec<Value> = mask.iter().map(|&i| all[i.max(0) as usize % all.len()]).collect();
    from_lanes(fx, e.ty.ty(), &picked)
}

/// `__builtin_shuffle` with a mask known at run time: through memory, lane numbers modulo the
/// number of lanes.
pub fn shuffle_variable(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, args: &[ExprRef<'_>]) -> Rvalue {
    let Some((&mask, sources)) = args.split_last() else { return Rvalue::Void };
    let ty = e.ty.ty();
    let Some(layout) = fx.types().layout(ty.into()) else { return Rvalue::Void };
    let table = fx.temp(layout.size * sources.len() as u64, layout.align);
    for (index, &source) in sources.iter().enumerate() {
        let value = expressions::rvalue(fx, source);
        lvalues::store(fx, table.offset((index as u64 * layout.size) as i64), ty.into(), value);
    }
    let mask_value = expressions::rvalue(fx, mask);
    let indices = to_lanes(fx, mask_value, mask.ty.ty());
    let (elem, count) = lanes(fx, ty);
    let lane = fx.scalar_type(elem);
    let limit = count as i64 * sources.len() as i64 - 1;
    let mut picked = Vec::with_capacity(indices.len());
    for index in indices {
        let index = fx.int_cast(index, Type::I64, false);
        let index = fx.int_op_imm(Opcode::And, 0, index, limit);
        let at = lvalues::element(fx, table, index, lane.alloc_size() as u64);
        picked.push(fx.load(lane, at, AliasTags::any()));
    }
    from_lanes(fx, ty, &picked)
}
