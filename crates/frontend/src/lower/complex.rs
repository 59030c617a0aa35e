//! `_Complex` arithmetic (C23 Annex G): sums in place, products and quotients through the support
//! library, or by the plain formulas under `-fcx-limited-range`.

use ir::{AliasTags, BranchHint, FloatCc, IntCc, Opcode, Type, Value};

use super::function::Fx;
use super::place::{Place, Rvalue};
use super::{calls, operators};
use crate::tree::*;

/// The type of the parts of a complex type; the type itself if it is real.
pub fn part_type(fx: &Fx<'_, '_>, ty: Ty) -> Ty {
    match fx.types().kind(ty) {
        TypeKind::Complex(part) => part,
        _ => ty,
    }
}

/// `__real__`, `__imag__` of a value.
pub fn part(fx: &mut Fx<'_, '_>, value: Rvalue, imaginary: bool) -> Rvalue {
    match value {
        Rvalue::Complex(re, im) => Rvalue::Scalar(if imaginary { im } else { re }),
        Rvalue::Scalar(v) if imaginary => {
            let ty = fx.ty(v);
            Rvalue::Scalar(fx.zero(ty))
        }
        other => other,
    }
}

/// Equality of two complex values, an i1.
pub fn equal(fx: &mut Fx<'_, '_>, a: Rvalue, b: Rvalue) -> Value {
    let (Rvalue::Complex(ar, ai), Rvalue::Complex(br, bi)) = (a, b) else {
        return fx.iconst(Type::I1, 0);
    };
    let re = equal_parts(fx, ar, br);
    let im = equal_parts(fx, ai, bi);
    fx.int_op(Opcode::And, 0, re, im)
}

fn equal_parts(fx: &mut Fx<'_, '_>, a: Value, b: Value) -> Value {
    if fx.ty(a).is_float() {
        let (a, b) = operators::widen_half(fx, a, b);
        return fx.fcmp(FloatCc::Oeq, false, a, b);
    }
    fx.icmp(IntCc::Eq, a, b)
}

/// Whether an operand is a real value that only the other operand made complex.
pub fn was_real(e: ExprRef<'_>) -> bool {
    matches!(e.kind, ExprKind::Cast { kind: CastKind::RealToComplex, .. })
}

/// `+ - * /` of a complex and a real value, as `real` says of both: the real one has no imaginary
/// part, which is not the same as one that is zero (C23 G.5.1 paragraph 2). `None` for other
/// operands, and for a real number divided by a complex one.
pub fn mixed(
    fx: &mut Fx<'_, '_>,
    op: BinaryOp,
    ty: Ty,
    (a, b): (Rvalue, Rvalue),
    real: (bool, bool),
) -> Option<Rvalue> {
    let part = part_type(fx, ty);
    let (Rvalue::Complex(ar, ai), Rvalue::Complex(br, bi)) = (a, b) else { return None };
    let divides = op == BinaryOp::Div;
    if real.0 == real.1 || divides && real.0 || !fx.ty(ar).is_float() {
        return None;
    }
    let im = match op {
        BinaryOp::Mul | BinaryOp::Div if real.1 => operators::arithmetic(fx, op, part, ai, br),
        BinaryOp::Mul => operators::arithmetic(fx, op, part, ar, bi),
        BinaryOp::Add | BinaryOp::Sub if real.1 => ai,
        BinaryOp::Add => bi,
        BinaryOp::Sub => operators::negate(fx, bi, part),
        _ => return None,
    };
    Some(Rvalue::Complex(operators::arithmetic(fx, op, part, ar, br), im))
}

/// `+ - * /` on values of the complex type `ty`.
pub fn binary(fx: &mut Fx<'_, '_>, op: BinaryOp, ty: Ty, a: Rvalue, b: Rvalue) -> Rvalue {
    let part = part_type(fx, ty);
    let (Rvalue::Complex(ar, ai), Rvalue::Complex(br, bi)) = (a, b) else { return a };
    let model = &fx.options.codegen.float;
    let plain = model.cx_limited_range || model.is_fast_math() || !fx.ty(ar).is_float();
    match op {
        BinaryOp::Add | BinaryOp::Sub => {
            let re = operators::arithmetic(fx, op, part, ar, br);
            Rvalue::Complex(re, operators::arithmetic(fx, op, part, ai, bi))
        }
        BinaryOp::Mul if plain => product(fx, part, (ar, ai), (br, bi)),
        BinaryOp::Div if plain => quotient(fx, part, (ar, ai), (br, bi)),
        BinaryOp::Mul if fx.optimizing() && matches!(fx.ty(ar), Type::F32 | Type::F64) => {
            checked_product(fx, part, [ar, ai, br, bi])
        }
        BinaryOp::Mul => library(fx, "__mul", [ar, ai, br, bi]),
        BinaryOp::Div => library(fx, "__div", [ar, ai, br, bi]),
        _ => base::bug!("operator {} on complex operands", op.spelling()),
    }
}

fn product(fx: &mut Fx<'_, '_>, ty: Ty, a: (Value, Value), b: (Value, Value)) -> Rvalue {
    let mul = |fx: &mut Fx<'_, '_>, x, y| operators::arithmetic(fx, BinaryOp::Mul, ty, x, y);
    let (rr, ii) = (mul(fx, a.0, b.0), mul(fx, a.1, b.1));
    let (ri, ir) = (mul(fx, a.0, b.1), mul(fx, a.1, b.0));
    let re = operators::arithmetic(fx, BinaryOp::Sub, ty, rr, ii);
    Rvalue::Complex(re, operators::arithmetic(fx, BinaryOp::Add, ty, ri, ir))
}

/// The product by the formula; the library's function, which looks after infinities (C17 G.5.1),
/// only if that gave a NaN.
fn checked_product(fx: &mut Fx<'_, '_>, ty: Ty, parts: [Value; 4]) -> Rvalue {
    let plain = product(fx, ty, (parts[0], parts[1]), (parts[2], parts[3]));
    let Rvalue::Complex(re, im) = plain else { return plain };
    let part = fx.ty(re);
    let size = u64::from(part.store_size());
    let temp = fx.temp(2 * size, size as u32);
    let imaginary = Place::offset(temp, size as i64);
    let put = |fx: &mut Fx<'_, '_>, re, im| {
        fx.store(re, temp, AliasTags::any());
        fx.store(im, imaginary, AliasTags::any());
    };
    put(fx, re, im);
    let unordered = fx.fcmp(FloatCc::Uno, false, re, im);
    let (again, done) = (fx.new_block(), fx.new_block());
    fx.cond_br(unordered, again, done, BranchHint::Unlikely);
    fx.start(again);
    if let Rvalue::Complex(re, im) = library(fx, "__mul", parts) {
        put(fx, re, im);
    }
    fx.flow_into(done);
    let re = fx.load(part, temp, AliasTags::any());
    Rvalue::Complex(re, fx.load(part, imaginary, AliasTags::any()))
}

/// (a + bi) / (c + di) = ((ac + bd) + (bc - ad)i) / (cc + dd).
fn quotient(fx: &mut Fx<'_, '_>, ty: Ty, a: (Value, Value), b: (Value, Value)) -> Rvalue {
    let op = |fx: &mut Fx<'_, '_>, op, x, y| operators::arithmetic(fx, op, ty, x, y);
    let (cc, dd) = (op(fx, BinaryOp::Mul, b.0, b.0), op(fx, BinaryOp::Mul, b.1, b.1));
    let norm = op(fx, BinaryOp::Add, cc, dd);
    let (ac, bd) = (op(fx, BinaryOp::Mul, a.0, b.0), op(fx, BinaryOp::Mul, a.1, b.1));
    let (bc, ad) = (op(fx, BinaryOp::Mul, a.1, b.0), op(fx, BinaryOp::Mul, a.0, b.1));
    let (re, im) = (op(fx, BinaryOp::Add, ac, bd), op(fx, BinaryOp::Sub, bc, ad));
    let re = op(fx, BinaryOp::Div, re, norm);
    Rvalue::Complex(re, op(fx, BinaryOp::Div, im, norm))
}

/// `__mulsc3` and its relatives: four parts in, a complex value out as the ABI returns it.
fn library(fx: &mut Fx<'_, '_>, name: &str, parts: [Value; 4]) -> Rvalue {
    let ty = fx.ty(parts[0]);
    let (suffix, ty) = match ty {
        Type::F16 => {
            let wide = parts.map(|p| fx.float_cast(p, Type::F32));
            let Rvalue::Complex(re, im) = library(fx, name, wide) else { return Rvalue::Void };
            let re = fx.float_cast(re, Type::F16);
            return Rvalue::Complex(re, fx.float_cast(im, Type::F16));
        }
        Type::F32 => ("sc3", Type::F32),
        Type::F64 => ("dc3", Type::F64),
        Type::F80 => ("xc3", Type::F80),
        _ => ("tc3", Type::F128),
    };
    let name = format!("{name}{suffix}");
    match ty {
        Type::F32 => {
            let packed = calls::library_value(fx, &name, &parts, Type::F64);
            let both = fx.bitcast(packed, Type::I64);
            let low = fx.int_cast(both, Type::I32, false);
            let high = fx.int_op_imm(Opcode::LShr, 0, both, 32);
            let high = fx.int_cast(high, Type::I32, false);
            Rvalue::Complex(fx.bitcast(low, Type::F32), fx.bitcast(high, Type::F32))
        }
        Type::F128 => {
            // Two binary128 parts are class MEMORY: the result comes through a pointer.
            let temp = fx.temp(32, 16);
            let result = fx.address(temp);
            calls::library_struct_return(fx, &name, result, &parts);
            let re = fx.load(ty, temp, AliasTags::any());
            Rvalue::Complex(re, fx.load(ty, Place::offset(temp, 16), AliasTags::any()))
        }
        _ => {
            let results = calls::library_call(fx, &name, &parts, &[ty, ty]);
            Rvalue::Complex(results[0], results[1])
        }
    }
}
