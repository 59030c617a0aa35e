//! GNU vectors: operators lane by lane, comparisons giving masks, subscripts, shuffles,
//! conversions.

use base::Loc;

use super::unary::mask_element;
use crate::sema::constants::fold;
use crate::sema::{Sema, conversions, types};
use crate::tree::{BinaryOp, CastKind, Category, ExprKind, ExprRef, Ty, TypeKind, UnaryOp};

/// Element type and number of lanes.
pub fn shape(cx: &Sema<'_, '_>, ty: Ty) -> Option<(Ty, u32)> {
    match cx.kind(ty) {
        TypeKind::Vector { elem, lanes } => Some((elem, lanes)),
        _ => None,
    }
}

/// The mask type of a comparison: signed integers as wide as the operands' elements.
pub fn mask_type(cx: &mut Sema<'_, '_>, elem: Ty, lanes: u32) -> Ty {
    let elem = mask_element(cx, elem);
    cx.unit.types.vector_of(elem, lanes)
}

/// `lhs op rhs` where at least one side is a vector; a scalar is spread over all lanes.
pub fn binary<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: ExprRef<'a>, rhs: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let Some((lhs, rhs)) = spread(cx, op, lhs, rhs, loc) else { return cx.error_expr(loc) };
    let (Some((elem, lanes)), Some((right, right_lanes))) = (shape(cx, lhs.ty.ty()), shape(cx, rhs.ty.ty())) else {
        return super::binary::invalid_operands(cx, op.spelling(), lhs, rhs, loc);
    };
    let same_size = cx.types().size_of(elem) == cx.types().size_of(right) && lanes == right_lanes;
    let both_integers = cx.types().is_integer(elem) && cx.types().is_integer(right);
    let compatible = types::compatible_unqualified(cx.types(), elem, right);
    if !same_size || !(compatible || both_integers) {
        return super::binary::invalid_operands(cx, op.spelling(), lhs, rhs, loc);
    }
    let integers_only = op.is_shift() || matches!(op, BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
    if integers_only && !cx.types().is_integer(elem) {
        return super::binary::invalid_operands(cx, op.spelling(), lhs, rhs, loc);
    }
    // Elements of different signedness: an unsigned operand wins, as for scalars. Shifts keep the
    // left type.
    let ty = lhs.ty.ty();
    let common = if compatible || op.is_shift() {
        ty
    } else if cx.types().is_signed(elem) {
        rhs.ty.ty()
    } else {
        ty
    };
    let bitcast = |cx: &mut Sema<'_, 'a>, e: ExprRef<'a>| conversions::convert(cx, e, common);
    let lhs = bitcast(cx, lhs);
    let rhs = if op.is_shift() { rhs } else { bitcast(cx, rhs) };
    let result = if op.is_comparison() { mask_type(cx, elem, lanes) } else { common };
    cx.value(ExprKind::Binary { op, lhs, rhs }, result, loc)
}

/// Spreads a scalar operand over the lanes of the other. It must convert to the element type
/// without loss.
fn spread<'a>(
    cx: &mut Sema<'_, 'a>,
    op: BinaryOp,
    lhs: ExprRef<'a>,
    rhs: ExprRef<'a>,
    loc: Loc,
) -> Option<(ExprRef<'a>, ExprRef<'a>)> {
    let (left, right) = (shape(cx, lhs.ty.ty()), shape(cx, rhs.ty.ty()));
    let (vector, scalar, elem) = match (left, right) {
        (Some((elem, _)), None) => (lhs, rhs, elem),
        (None, Some((elem, _))) => (rhs, lhs, elem),
        _ => return Some((lhs, rhs)),
    };
    let from = scalar.ty.ty();
    let fits = if cx.types().is_integer(elem) {
        cx.types().is_integer(from) && (op.is_shift() || integer_fits(cx, scalar, elem))
    } else {
        // gcc takes no integer for a decimal number.
        cx.types().is_integer(from)
            && cx.types().decimal_format(elem).is_none()
            && (scalar.int_value().is_some() || cx.types().size_of(from) <= cx.types().size_of(elem))
            || cx.types().is_floating(from)
                && (cx.types().size_of(from) <= cx.types().size_of(elem) || fold::constant_of(scalar).is_some())
    };
    if !fits {
        let (from, to) = (cx.tname(from), cx.tname(vector.ty));
        if cx.types().is_arithmetic(scalar.ty.ty()) {
            cx.error(loc, format!("conversion of scalar {from} to vector {to} involves truncation"));
        } else {
            super::binary::invalid_operands(cx, op.spelling(), lhs, rhs, loc);
        }
        return None;
    }
    let value = conversions::convert(cx, scalar, elem);
    let wide = cx.value(ExprKind::Cast { kind: CastKind::VectorSplat, operand: value }, vector.ty.ty(), loc);
    Some(if left.is_some() { (lhs, wide) } else { (wide, rhs) })
}

fn integer_fits(cx: &Sema<'_, '_>, scalar: ExprRef<'_>, elem: Ty) -> bool {
    let (Some(from), Some(to)) = (cx.types().int_info(scalar.ty.ty()), cx.types().int_info(elem)) else { return false };
    match scalar.int_value() {
        Some(value) => {
            let signed = crate::tree::IntInfo { signed: true, ..to };
            let unsigned = crate::tree::IntInfo { signed: false, ..to };
            crate::sema::constants::integers::fits(value, signed)
                || crate::sema::constants::integers::fits(value, unsigned)
        }
        None => from.bits <= to.bits,
    }
}

/// `vector[index]`
pub fn subscript<'a>(cx: &mut Sema<'_, 'a>, base: ExprRef<'a>, index: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let Some((elem, lanes)) = shape(cx, base.ty.ty()) else { return cx.error_expr(loc) };
    let index = conversions::rvalue(cx, index);
    if index.is_error() {
        return index;
    }
    if !cx.types().is_integer(index.ty.ty()) {
        cx.error(loc, "array subscript is not an integer");
        return cx.error_expr(loc);
    }
    if let Some(n) = index.int_value()
        && (n < 0 || n >= lanes as i128)
    {
        cx.warn(base::warning::ARRAY_BOUNDS, loc, "index value is out of bound");
    }
    let index = conversions::convert(cx, index, Ty::PTRDIFF);
    if base.is_lvalue() {
        let ty = elem.plain().with(base.ty.quals());
        cx.expr(ExprKind::VectorElement { base, index }, ty, Category::Element, loc)
    } else {
        cx.value(ExprKind::VectorElement { base, index }, elem, loc)
    }
}

/// `__builtin_shuffle(a, mask)` and `(a, b, mask)`.
pub fn shuffle<'a>(cx: &mut Sema<'_, 'a>, args: &[ExprRef<'a>], loc: Loc) -> ExprRef<'a> {
    let args: Vec<ExprRef<'a>> = args.iter().map(|a| conversions::rvalue(cx, a)).collect();
    if args.iter().any(|a| a.is_error()) {
        return cx.error_expr(loc);
    }
    let (a, b, mask) = match args[..] {
        [a, mask] => (a, a, mask),
        [a, b, mask] => (a, b, mask),
        _ => {
            cx.error(loc, "wrong number of arguments to '__builtin_shuffle'");
            return cx.error_expr(loc);
        }
    };
    let (Some((elem, lanes)), Some((mask_elem, mask_lanes))) = (shape(cx, a.ty.ty()), shape(cx, mask.ty.ty())) else {
        cx.error(loc, "'__builtin_shuffle' arguments must be vectors");
        return cx.error_expr(loc);
    };
    if !types::compatible_unqualified(cx.types(), a.ty.ty(), b.ty.ty()) {
        cx.error(loc, "'__builtin_shuffle' argument vectors must be of the same type");
        return cx.error_expr(loc);
    }
    if !cx.types().is_integer(mask_elem)
        || mask_lanes != lanes
        || cx.types().size_of(elem) != cx.types().size_of(mask_elem)
    {
        cx.error(loc, "'__builtin_shuffle' last argument must be an integer vector");
        return cx.error_expr(loc);
    }
    let args = if args.len() == 2 { cx.slice(&[a, mask]) } else { cx.slice(&[a, b, mask]) };
    cx.value(ExprKind::Builtin { builtin: crate::tree::Builtin::VectorShuffle, args }, a.ty.ty(), loc)
}

/// `__builtin_shufflevector(a, b, index...)`
pub fn shuffle_vector<'a>(cx: &mut Sema<'_, 'a>, args: &[ExprRef<'a>], loc: Loc) -> ExprRef<'a> {
    if args.len() < 3 {
        cx.error(loc, "too few arguments to function '__builtin_shufflevector'");
        return cx.error_expr(loc);
    }
    let (a, b) = (conversions::rvalue(cx, args[0]), conversions::rvalue(cx, args[1]));
    let (Some((elem, m)), Some((other, n))) = (shape(cx, a.ty.ty()), shape(cx, b.ty.ty())) else {
        cx.error(loc, "'__builtin_shufflevector' arguments must be vectors");
        return cx.error_expr(loc);
    };
    if !types::compatible_unqualified(cx.types(), elem, other) {
        cx.error(loc, "'__builtin_shufflevector' argument vectors must have the same element type");
        return cx.error_expr(loc);
    }
    let mut mask = Vec::new();
    for &index in &args[2..] {
        match index.int_value() {
            Some(v) if (-1..(m + n) as i128).contains(&v) => mask.push(v as i32),
            _ => {
                cx.error(index.loc, "invalid element index to '__builtin_shufflevector'");
                return cx.error_expr(loc);
            }
        }
    }
    if !mask.len().is_power_of_two() {
        cx.error(loc, "'__builtin_shufflevector' must specify a result with a power of two number of elements");
        return cx.error_expr(loc);
    }
    let ty = cx.unit.types.vector_of(elem, mask.len() as u32);
    let mask = cx.slice(&mask);
    cx.value(ExprKind::Shuffle { a, b, mask }, ty, loc)
}

/// `__builtin_convertvector(vector, type)`
pub fn convert_vector<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>, to: Ty, loc: Loc) -> ExprRef<'a> {
    let operand = conversions::rvalue(cx, operand);
    if operand.is_error() {
        return operand;
    }
    let (Some((_, m)), Some((_, n))) = (shape(cx, operand.ty.ty()), shape(cx, to)) else {
        cx.error(loc, "'__builtin_convertvector' first argument must be an integer or floating vector");
        return cx.error_expr(loc);
    };
    if m != n {
        cx.error(loc, "'__builtin_convertvector' number of elements of the first argument vector and the second argument vector type should be the same");
        return cx.error_expr(loc);
    }
    cx.value(ExprKind::Cast { kind: CastKind::VectorConvert, operand }, to, loc)
}

/// Lane-wise negation, used by unary minus on vectors.
pub fn negate<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    cx.value(ExprKind::Unary { op: UnaryOp::Neg, operand }, operand.ty.ty(), loc)
}
