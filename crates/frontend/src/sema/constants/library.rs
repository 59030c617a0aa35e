//! Calls of library functions whose value is known: gcc folds them wherever it can, so that `static
//! double pi = 4 * atan(1.0);` and `static size_t n = sizeof a + strlen("abc");` are programs that
//! it accepts (as extensions: C23 6.6 paragraph 14 allows other constant expressions). What an
//! implementation would report in `errno` or by an exception other than "inexact" is not folded.

use crate::tree::FloatFormat;

use crate::sema::Sema;
use crate::tree::{AddressBase, ExprRef, Ty};

use super::address::{StaticValue, evaluate};
use super::fold::{self, Constant};
use super::{floats, integers};

/// The value of a call in a static initialiser.
pub fn call<'a>(cx: &mut Sema<'_, 'a>, callee: ExprRef<'a>, args: &[ExprRef<'a>], ty: Ty) -> Option<StaticValue<'a>> {
    let decl = callee.callee_decl()?;
    cx.unit.decls[decl].builtin.filter(|_| !cx.unit.calls_own_body(callee))?;
    let name = cx.str(cx.unit.decls[decl].name?).to_owned();
    let name = name.strip_prefix("__builtin_").unwrap_or(&name);
    match fold::format_of(cx, ty) {
        Some(format) => math(cx, name, args, format),
        None => text(cx, name, args, ty),
    }
}

/// Functions of `<math.h>` whose result is of type `float` or `double`.
fn math<'a>(cx: &mut Sema<'_, 'a>, name: &str, args: &[ExprRef<'a>], format: FloatFormat) -> Option<StaticValue<'a>> {
    let single = match format {
        FloatFormat::Single => true,
        FloatFormat::Double => false,
        _ => return None,
    };
    let name = if single { name.strip_suffix('f')? } else { name };
    let mut numbers = [0.0; 2];
    for (number, &arg) in numbers.iter_mut().zip(args) {
        let StaticValue::Constant(Constant::Float(bits)) = evaluate(cx, arg)? else { return None };
        let from = fold::format_of(cx, arg.ty.ty())?;
        *number = f64::from_bits(floats::convert(bits, from, FloatFormat::Double) as u64);
    }
    let result = match *args {
        [_] => of_one(name, numbers[0])?,
        [_, _] => of_two(name, numbers[0], numbers[1])?,
        _ => return None,
    };
    let bits = floats::convert(u128::from(result.to_bits()), FloatFormat::Double, format);
    let narrowed = f64::from_bits(floats::convert(bits, format, FloatFormat::Double) as u64);
    let smallest = if single { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
    // Overflow and underflow are for the library to report.
    let proper = narrowed.is_finite() && (narrowed == 0.0 && result == 0.0 || narrowed.abs() >= smallest);
    proper.then_some(StaticValue::Constant(Constant::Float(bits)))
}

/// Outside the domain of a function the result is no number, and the caller drops it.
fn of_one(name: &str, x: f64) -> Option<f64> {
    Some(match name {
        "acos" => x.acos(),
        "acosh" => x.acosh(),
        "asin" => x.asin(),
        "asinh" => x.asinh(),
        "atan" => x.atan(),
        "atanh" => x.atanh(),
        "cbrt" => x.cbrt(),
        "ceil" => x.ceil(),
        "cos" => x.cos(),
        "cosh" => x.cosh(),
        "exp" => unless_zero(x.exp())?,
        "exp2" => unless_zero(x.exp2())?,
        "expm1" => x.exp_m1(),
        "floor" => x.floor(),
        "log" => x.ln(),
        "log10" => x.log10(),
        "log1p" => x.ln_1p(),
        "log2" => x.log2(),
        "roundeven" => x.round_ties_even(),
        "round" => x.round(),
        "sin" => x.sin(),
        "sinh" => x.sinh(),
        "sqrt" => x.sqrt(),
        "tan" => x.tan(),
        "tanh" => x.tanh(),
        "trunc" => x.trunc(),
        _ => return None,
    })
}

/// A result that is never zero but by underflow.
fn unless_zero(result: f64) -> Option<f64> {
    (result != 0.0).then_some(result)
}

fn of_two(name: &str, x: f64, y: f64) -> Option<f64> {
    Some(match name {
        "atan2" => x.atan2(y),
        "fdim" => (x - y).max(0.0),
        "fmax" => x.max(y),
        "fmin" => x.min(y),
        "fmod" => x % y,
        "hypot" => x.hypot(y),
        "pow" if x == 0.0 => x.powf(y),
        "pow" => unless_zero(x.powf(y))?,
        _ => return None,
    })
}

/// Functions of `<string.h>` on string literals.
fn text<'a>(cx: &mut Sema<'_, 'a>, name: &str, args: &[ExprRef<'a>], ty: Ty) -> Option<StaticValue<'a>> {
    let place = evaluate(cx, *args.first()?)?;
    let first = characters(place)?;
    let number = |cx: &mut Sema<'_, 'a>, index: usize| match evaluate(cx, *args.get(index)?)? {
        StaticValue::Constant(Constant::Int(value)) => Some(value),
        _ => None,
    };
    let found = match name {
        "strlen" => integer(cx, first.len() as i128, ty)?,
        "strchr" | "index" | "strrchr" | "rindex" => {
            let wanted = number(cx, 1)? as u8;
            let at = match (name, wanted) {
                (_, 0) => Some(first.len()),
                ("strchr" | "index", _) => memchr::memchr(wanted, first),
                _ => memchr::memrchr(wanted, first),
            };
            return Some(behind(place, at));
        }
        _ => {
            let other = evaluate(cx, *args.get(1)?)?;
            let second = characters(other)?;
            match name {
                "strcmp" => integer(cx, sign(first.cmp(second)), ty)?,
                "strncmp" => {
                    let limit = usize::try_from(number(cx, 2)?).unwrap_or(usize::MAX);
                    let cut = |text: &'a [u8]| &text[..text.len().min(limit)];
                    integer(cx, sign(cut(first).cmp(cut(second))), ty)?
                }
                "strspn" => integer(cx, first.iter().take_while(|b| second.contains(b)).count() as i128, ty)?,
                "strcspn" => integer(cx, first.iter().take_while(|b| !second.contains(b)).count() as i128, ty)?,
                "strstr" => return Some(behind(place, memchr::memmem::find(first, second))),
                "strpbrk" => return Some(behind(place, first.iter().position(|b| second.contains(b)))),
                _ => return None,
            }
        }
    };
    Some(found)
}

/// -1, 0 or 1, as gcc's folding gives.
fn sign(order: std::cmp::Ordering) -> i128 {
    order as i128
}

fn integer<'a>(cx: &Sema<'_, 'a>, value: i128, ty: Ty) -> Option<StaticValue<'a>> {
    Some(StaticValue::Constant(Constant::Int(integers::wrap(value, cx.types().int_info(ty)?))))
}

/// The characters of a string literal from an address in it to the first null character.
fn characters(place: StaticValue<'_>) -> Option<&[u8]> {
    let StaticValue::Address { base: AddressBase::String(literal), offset } = place else { return None };
    if literal.elem_size != 1 {
        return None;
    }
    let rest = literal.bytes.get(usize::try_from(offset).ok()?..)?;
    Some(&rest[..memchr::memchr(0, rest).unwrap_or(rest.len())])
}

/// The address so many bytes further, or the null pointer.
fn behind<'a>(place: StaticValue<'a>, at: Option<usize>) -> StaticValue<'a> {
    match (place, at) {
        (StaticValue::Address { base, offset }, Some(at)) => StaticValue::Address { base, offset: offset + at as i64 },
        _ => StaticValue::Constant(Constant::Int(0)),
    }
}
