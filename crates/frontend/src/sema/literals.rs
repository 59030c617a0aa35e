//! Types and values of numeric, character and string literals (C23 6.4.4, 6.4.5).

use base::charset::INVALID;
use base::{Loc, Symbol, warning};
use platform::options::Standard;

use super::Sema;
use super::constants::{floats, fold, integers, wide};
use super::excess::{self, Excess};
use super::lints;
use crate::lex::encoding::{Encoding, Problem, ProblemSeverity};
use crate::lex::literals::{self as lex, CharConstant};
use crate::lex::numbers::{FloatConstant, FloatSuffix, IntegerConstant, Number, parse_number};
use crate::tree::types::MAX_BIT_INT;
use crate::tree::{
    ArrayLen, Bits128, Category, ExprFlags, ExprKind, ExprRef, FloatFormat, IntInfo, Quals, StringLit, Ty,
};

/// A number token.
pub fn number<'a>(cx: &mut Sema<'_, 'a>, spelling: Symbol, loc: Loc) -> ExprRef<'a> {
    let text = cx.sess.interner.resolve_bytes(spelling);
    // Most numbers in programs are small decimal integers.
    if text.len() <= 9 && text[0] != b'0' && text.iter().all(u8::is_ascii_digit) {
        let value = text.iter().fold(0i128, |v, b| v * 10 + (b - b'0') as i128);
        return cx.ice(value, Ty::INT, loc);
    }
    match parse_number(text, &dialect(cx)) {
        Ok(Number::Integer(constant)) => integer(cx, constant, text, loc),
        Ok(Number::Float(constant)) => float(cx, &constant, loc),
        Err(message) => {
            cx.error(loc, message);
            cx.error_expr(loc)
        }
    }
}

fn dialect(cx: &Sema<'_, '_>) -> crate::lex::Dialect {
    let standard = match cx.lang.standard {
        Standard::C89 => crate::lex::Standard::C89,
        Standard::C94 => crate::lex::Standard::C94,
        Standard::C99 => crate::lex::Standard::C99,
        Standard::C11 => crate::lex::Standard::C11,
        Standard::C17 => crate::lex::Standard::C17,
        Standard::C23 => crate::lex::Standard::C23,
        Standard::C2Y => crate::lex::Standard::C2Y,
    };
    crate::lex::Dialect::new(standard, cx.lang.gnu)
}

/// The first type of the list in C23 6.4.4.2 table 6 that holds the value.
fn integer<'a>(cx: &mut Sema<'_, 'a>, constant: IntegerConstant, text: &[u8], loc: Loc) -> ExprRef<'a> {
    let IntegerConstant { mut value, overflow, base, suffix } = constant;
    if overflow && suffix.bit_precise {
        return wide_integer(cx, text, base, !suffix.unsigned, loc);
    }
    if overflow {
        cx.pedwarn_always(loc, "integer constant is too large for its type");
    }
    let decimal = base == 10;
    let c99 = cx.since(Standard::C99);
    if suffix.bit_precise {
        let bits = (128 - value.leading_zeros()).max(1) + !suffix.unsigned as u32;
        let bits = bits.max(if suffix.unsigned { 1 } else { 2 });
        let ty = cx.unit.types.intern(crate::tree::TypeKind::BitInt { bits, signed: !suffix.unsigned });
        if bits > wide::NARROW_BITS {
            return wide_integer(cx, text, base, !suffix.unsigned, loc);
        }
        return cx.ice(value as i128, ty, loc);
    }
    let candidates: &[Ty] = match (suffix.unsigned, suffix.longs) {
        (false, 0) if decimal && !c99 => &[Ty::INT, Ty::LONG, Ty::ULONG],
        (false, 0) if decimal => &[Ty::INT, Ty::LONG, Ty::LONGLONG],
        (false, 0) => &[Ty::INT, Ty::UINT, Ty::LONG, Ty::ULONG],
        (true, 0) => &[Ty::UINT, Ty::ULONG],
        (false, 1) if decimal && !c99 => &[Ty::LONG, Ty::ULONG],
        (false, 1) if decimal => &[Ty::LONG, Ty::LONGLONG],
        (false, 1) => &[Ty::LONG, Ty::ULONG],
        (true, 1) => &[Ty::ULONG],
        (false, _) if decimal => &[Ty::LONGLONG],
        (false, _) => &[Ty::LONGLONG, Ty::ULONGLONG],
        (true, _) => &[Ty::ULONGLONG],
    };
    let fits =
        |ty: &&Ty| cx.types().int_info(**ty).is_some_and(|i| value <= u128::MAX >> (128 - i.bits + i.signed as u32));
    let ty = match candidates.iter().find(fits) {
        Some(&ty) => ty,
        None if value > u64::MAX as u128 => {
            if !overflow {
                cx.pedwarn_always(loc, "integer constant is too large for its type");
            }
            value &= u64::MAX as u128;
            Ty::INT128
        }
        None => {
            // Decimal beyond the signed range: gcc takes __int128, with a warning about C90.
            let message = "integer constant is so large that it is unsigned";
            if c99 {
                cx.pedwarn_always(loc, message);
            } else {
                cx.sess.warn_always(loc, message).emit();
            }
            if decimal && c99 { Ty::INT128 } else { Ty::ULONGLONG }
        }
    };
    if suffix.longs == 2 {
        cx.long_long(loc, "use of C99 long long integer constant");
    }
    if base == 2 && !cx.since(Standard::C23) {
        let prefix = &text[..2];
        let _ = prefix;
        cx.pedantic(loc, "binary constants are a C2X feature or GCC extension");
    }
    let info = cx.types().int_info(ty).unwrap_or(IntInfo { bits: 32, signed: true, rank: 32 });
    let value = integers::wrap(value as i128, info);
    if suffix.imaginary {
        cx.pedantic(loc, "imaginary constants are a GCC extension");
        let complex = cx.unit.types.complex_of(ty);
        let value = fold::Constant::Complex([0, value as u128]);
        return fold::make(cx, value, complex, loc, ExprFlags::CONSTANT);
    }
    cx.ice(value, ty, loc)
}

/// A `wb` or `uwb` constant of a type wider than 128 bits: as wide as the value needs (C23 6.4.4.1
/// paragraph 5).
fn wide_integer<'a>(cx: &mut Sema<'_, 'a>, text: &[u8], base: u8, signed: bool, loc: Loc) -> ExprRef<'a> {
    let digits: Vec<u8> = text.iter().copied().filter(|&byte| byte != b'\'').collect();
    let prefix = if digits.get(1).is_some_and(|byte| byte.is_ascii_alphabetic()) { 2 } else { 0 };
    let Some(number) = wide::parse(&digits[prefix..], base, MAX_BIT_INT - u32::from(signed)) else {
        cx.error(loc, format!("integer constant is too large for a '_BitInt' of {MAX_BIT_INT} bits"));
        return cx.error_expr(loc);
    };
    let bits = wide::bit_length(&number) + u32::from(signed);
    let ty = cx.unit.types.intern(crate::tree::TypeKind::BitInt { bits, signed });
    match fold::from_number(cx, &number, ty) {
        Some((value, _)) => fold::make(cx, value, ty, loc, ExprFlags::ICE.with(ExprFlags::CONSTANT)),
        None => cx.error_expr(loc),
    }
}

fn float<'a>(cx: &mut Sema<'_, 'a>, constant: &FloatConstant, loc: Loc) -> ExprRef<'a> {
    let ty = match constant.suffix {
        FloatSuffix::None if cx.decimal_constants && !constant.hexadecimal && !constant.imaginary => Ty::DECIMAL64,
        FloatSuffix::None if cx.lang.single_precision_constant => Ty::FLOAT,
        FloatSuffix::None | FloatSuffix::D => Ty::DOUBLE,
        FloatSuffix::F => Ty::FLOAT,
        FloatSuffix::L => Ty::LONG_DOUBLE,
        FloatSuffix::W => Ty::FLOAT64X,
        FloatSuffix::F16 => Ty::FLOAT16,
        FloatSuffix::F32 => Ty::FLOAT32,
        FloatSuffix::F64 => Ty::FLOAT64,
        FloatSuffix::F128 => Ty::FLOAT128,
        FloatSuffix::F32x => Ty::FLOAT32X,
        FloatSuffix::F64x => Ty::FLOAT64X,
        FloatSuffix::Df => Ty::DECIMAL32,
        FloatSuffix::Dd => Ty::DECIMAL64,
        FloatSuffix::Dl => Ty::DECIMAL128,
    };
    if constant.suffix == FloatSuffix::None {
        cx.warn(warning::UNSUFFIXED_FLOAT_CONSTANTS, loc, "unsuffixed floating constant");
    }
    let Some(format) = fold::format_of(cx, ty) else { return cx.error_expr(loc) };
    let Some(bits) = floats::parse(&constant.text, format) else {
        cx.error(loc, "malformed floating constant");
        return cx.error_expr(loc);
    };
    let name = cx.tname(ty);
    if floats::classify(bits, format) == floats::Classified::Infinite {
        cx.warn(warning::OVERFLOW, loc, format!("floating constant exceeds range of {name}"));
    } else if floats::classify(bits, format) == floats::Classified::Zero && !constant.is_written_as_zero() {
        cx.warn(warning::OVERFLOW, loc, "floating constant truncated to zero");
    }
    if matches!(constant.suffix, FloatSuffix::Df | FloatSuffix::Dd | FloatSuffix::Dl) && !cx.since(Standard::C23) {
        cx.pedantic(loc, "decimal float constants are a C2X feature");
    }
    if constant.hexadecimal && !cx.since(Standard::C99) {
        cx.pedantic(loc, "hexadecimal floating constants are a C99 feature");
    }
    if constant.imaginary {
        cx.pedantic(loc, "imaginary constants are a GCC extension");
    }
    if cx.excess == Excess::All
        && excess::wide_type(cx, ty).is_some()
        && let Some(bits) = floats::parse(&constant.text, FloatFormat::X87)
    {
        return with_excess(cx, bits, ty, constant.imaginary, loc);
    }
    if constant.imaginary {
        let complex = cx.unit.types.complex_of(ty);
        return fold::make(cx, fold::Constant::Complex([0, bits]), complex, loc, ExprFlags::CONSTANT);
    }
    // An immediate constant: the strict flag lets a cast to an integer type be a strict constant
    // too (C23 6.6).
    fold::make(cx, fold::Constant::Float(bits), ty, loc, ExprFlags::ICE.with(ExprFlags::CONSTANT))
}

/// A constant of type `ty` that is evaluated in `long double`.
fn with_excess<'a>(cx: &mut Sema<'_, 'a>, bits: u128, ty: Ty, imaginary: bool, loc: Loc) -> ExprRef<'a> {
    if imaginary {
        let value = fold::Constant::Complex([0, bits]);
        let wide = fold::make(cx, value, Ty::COMPLEX_LONG_DOUBLE, loc, ExprFlags::CONSTANT);
        let ty = cx.unit.types.complex_of(ty);
        return excess::rounded(cx, wide, ty);
    }
    let flags = ExprFlags::ICE.with(ExprFlags::CONSTANT);
    let wide = fold::make(cx, fold::Constant::Float(bits), Ty::LONG_DOUBLE, loc, flags);
    excess::rounded(cx, wide, ty)
}

/// Reports the faults of a literal's contents.
fn report(cx: &mut Sema<'_, '_>, problems: &[Problem], loc: Loc) {
    for problem in problems {
        let message = problem.message.clone();
        match problem.severity {
            ProblemSeverity::Error => cx.error(loc, message),
            ProblemSeverity::PedanticWarning => cx.pedwarn_always(loc, message),
            ProblemSeverity::Warning => {
                cx.sess.warn_always(loc, message).emit();
            }
            ProblemSeverity::PedanticBefore(standard) if dialect(cx).standard >= standard => {}
            ProblemSeverity::Pedantic | ProblemSeverity::PedanticBefore(_) => cx.pedantic(loc, message),
            ProblemSeverity::Multichar => cx.warn(warning::MULTICHAR, loc, message),
        }
    }
}

/// A character constant.
pub fn character<'a>(cx: &mut Sema<'_, 'a>, spelling: Symbol, loc: Loc) -> ExprRef<'a> {
    let text = cx.sess.interner.resolve_bytes(spelling);
    let mut problems = Vec::new();
    let (unsigned_char, short_wchar) = (!cx.lang.char_signed, cx.lang.short_wchar);
    let CharConstant { value, encoding } =
        lex::decode_char(text, unsigned_char, short_wchar, &mut cx.state.charsets, &mut problems);
    report(cx, &problems, loc);
    let ty = match encoding {
        Encoding::Plain => Ty::INT,
        Encoding::Utf8 => Ty::UCHAR,
        Encoding::Utf16 => Ty::USHORT,
        Encoding::Utf32 => Ty::UINT,
        Encoding::Wide if cx.lang.short_wchar => Ty::USHORT,
        Encoding::Wide => Ty::INT,
    };
    let info = cx.types().int_info(ty).unwrap_or(IntInfo { bits: 32, signed: true, rank: 32 });
    if value == 0 {
        lints::null_character(cx, loc);
    }
    cx.ice(integers::wrap(value as i128, info), ty, loc)
}

/// Adjacent string literals, joined (C23 6.4.5 paragraph 5): all prefixes agree but for missing
/// ones.
pub fn string<'a>(cx: &mut Sema<'_, 'a>, spellings: &[(Symbol, Loc)]) -> ExprRef<'a> {
    let loc = spellings.first().map_or(Loc::NONE, |s| s.1);
    let lit = string_contents(cx, spellings);
    string_expr(cx, lit, loc)
}

/// An expression for a string literal.
pub fn string_expr<'a>(cx: &mut Sema<'_, 'a>, lit: &'a StringLit<'a>, loc: Loc) -> ExprRef<'a> {
    let len = lit.bytes.len() as u64 / lit.elem_size as u64;
    let mut elem = lit.elem.plain();
    if cx.sess.warning_enabled(warning::WRITE_STRINGS, loc) {
        elem = elem.with(Quals::CONST);
    }
    let ty = cx.unit.types.array_of(elem, ArrayLen::Constant(len)).plain();
    cx.expr(ExprKind::String(lit), ty, Category::Lvalue, loc)
}

/// The contents of joined string literals.
pub fn string_contents<'a>(cx: &mut Sema<'_, 'a>, spellings: &[(Symbol, Loc)]) -> &'a StringLit<'a> {
    contents(cx, spellings, true)
}

/// The same, left in UTF-8 unless they are `translated` to the execution character set.
fn contents<'a>(cx: &mut Sema<'_, 'a>, spellings: &[(Symbol, Loc)], translated: bool) -> &'a StringLit<'a> {
    let mut encoding = Encoding::Plain;
    for &(spelling, loc) in spellings {
        let (own, _, _) = lex::literal_parts(cx.sess.interner.resolve_bytes(spelling));
        if own != Encoding::Plain {
            if encoding != Encoding::Plain && own != encoding {
                cx.error(loc, "unsupported non-standard concatenation of string literals");
            } else {
                encoding = own;
            }
        }
    }
    let short = encoding == Encoding::Wide && cx.lang.short_wchar;
    let target = if short { Encoding::Utf16 } else { encoding };
    let mut bytes = Vec::new();
    let mut problems = Vec::new();
    for &(spelling, loc) in spellings {
        let text = cx.sess.interner.resolve_bytes(spelling);
        let converter = if translated { cx.state.charsets.of(encoding) } else { None };
        lex::decode_string(text, target, converter, &mut bytes, &mut problems);
        if !problems.is_empty() {
            report(cx, &problems, loc);
            problems.clear();
        }
    }
    let elem_size = target.unit_size() as u8;
    let elem = match encoding {
        Encoding::Plain => Ty::CHAR,
        Encoding::Utf8 if cx.since(Standard::C23) => Ty::UCHAR,
        Encoding::Utf8 => Ty::CHAR,
        Encoding::Utf16 => Ty::USHORT,
        Encoding::Utf32 => Ty::UINT,
        Encoding::Wide if short => Ty::USHORT,
        Encoding::Wide => Ty::INT,
    };
    bytes.extend(std::iter::repeat_n(0, elem_size as usize));
    let bytes = cx.arena.alloc_slice_copy(&bytes);
    cx.arena.alloc(StringLit { bytes, elem, elem_size })
}

/// Text of the source in the narrow execution character set.
pub fn narrow_text(cx: &mut Sema<'_, '_>, text: &[u8], loc: Loc) -> Vec<u8> {
    let Some(converter) = cx.state.charsets.of(Encoding::Plain) else { return text.to_vec() };
    let mut out = Vec::new();
    if converter.convert(text, &mut out).is_err() {
        cx.error(loc, format!("converting to execution character set: {INVALID}"));
    }
    out
}

/// The bytes of a string in an attribute, `asm` or `_Static_assert`: narrow, without the
/// terminating zero, in UTF-8.
pub fn narrow_string<'a>(cx: &mut Sema<'_, 'a>, spellings: &[(Symbol, Loc)]) -> &'a [u8] {
    let lit = contents(cx, spellings, false);
    if lit.elem_size != 1 {
        let loc = spellings.first().map_or(Loc::NONE, |s| s.1);
        cx.error(loc, "wide string literal where a narrow one is required");
        return b"";
    }
    &lit.bytes[..lit.bytes.len() - 1]
}

/// Bits of the value zero of a scalar type: all clear in every format.
pub const ZERO: Bits128 = Bits128::new(0);
