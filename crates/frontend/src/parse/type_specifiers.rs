//! Type specifiers (C23 6.7.3): read one by one, then added up to a type.

use base::Loc;
use platform::options::Standard;

use super::type_names::{reject_alignment, starts_type_name, written_type_name};
use super::{Parser, expressions, records};
use crate::lex::TokenKind;
use crate::sema::constants::{Strictness, require_integer};
use crate::sema::declarations::{DeclSpecs, Storage};
use crate::sema::expressions::discard;
use crate::sema::types;
use crate::tree::print::float_name;
use crate::tree::types::MAX_BIT_INT;
use crate::tree::{Category, DeclFlags, DeclId, ExprKind, ExprRef, QualType, Quals, Ty, TypeKind, VlaBound};

/// What the type specifiers seen so far add up to.
#[derive(Clone, Copy, Default)]
pub struct Accumulated {
    base: Option<Base>,
    longs: u8,
    short: bool,
    signed: bool,
    unsigned: bool,
    complex: bool,
    /// The last specifier's location.
    loc: Loc,
}

#[derive(Clone, Copy, PartialEq)]
enum Base {
    Void,
    Char,
    Int,
    Float,
    Double,
    Bool,
    Int128,
    BitInt(u32),
    /// `_FloatN` types.
    Floating(Ty),
    /// Tag, typedef name, `typeof`, `_Atomic(...)`: combines with nothing.
    Whole(QualType),
    Auto,
}

impl Accumulated {
    /// No type specifier has been seen.
    pub fn is_empty(&self) -> bool {
        self.base.is_none() && self.longs == 0 && !self.short && !self.signed && !self.unsigned && !self.complex
    }
}

/// One type specifier (C23 6.7.3). False if the token is none.
pub fn type_specifier(p: &mut Parser<'_, '_>, acc: &mut Accumulated, specs: &mut DeclSpecs) -> bool {
    use TokenKind::*;
    let loc = p.tok.loc;
    if size_or_sign(p, acc) {
        return true;
    }
    let before = acc.loc;
    acc.loc = loc;
    let base = match { p.tok.kind } {
        KwFloat16 if !p.cx.options.codegen.features.has_sse() => {
            p.cx.error(loc, "'_Float16' is not supported on this target");
            p.bump();
            return true;
        }
        kind if let Some(base) = plain_base(kind) => base,
        KwAutoType => {
            specs.infer = true;
            Base::Auto
        }
        KwDecimal32 | KwDecimal64 | KwDecimal128 => {
            if !p.cx.since(Standard::C23) {
                p.cx.pedantic(loc, "ISO C does not support decimal floating-point before C2X");
            }
            Base::Floating(match p.tok.kind {
                KwDecimal32 => Ty::DECIMAL32,
                KwDecimal64 => Ty::DECIMAL64,
                _ => Ty::DECIMAL128,
            })
        }
        KwImaginary => {
            p.cx.error(loc, "imaginary types are not supported");
            Base::Whole(Ty::ERROR.plain())
        }
        KwBitInt => {
            p.bump();
            let base = bit_int(p, loc);
            set_base(p, acc, base, loc);
            return true;
        }
        KwStruct | KwUnion => {
            let (ty, reference) = records::struct_or_union_specifier(p);
            (specs.declares_tag, specs.type_loc) = (true, loc);
            if let Some(tag) = reference {
                (specs.tag_reference, specs.tag_loc) = (true, tag.loc);
            }
            set_base(p, acc, Base::Whole(ty), loc);
            return true;
        }
        KwEnum => {
            let ty = records::enum_specifier(p);
            (specs.declares_tag, specs.type_loc) = (true, loc);
            set_base(p, acc, Base::Whole(ty), loc);
            return true;
        }
        KwTypeof | KwTypeofUnqual => {
            let ty = typeof_specifier(p);
            set_base(p, acc, Base::Whole(ty), loc);
            return true;
        }
        _ => {
            acc.loc = before;
            return false;
        }
    };
    set_base(p, acc, base, loc);
    p.bump();
    true
}

/// `long`, `short`, `signed`, `unsigned` or `_Complex`, which stand beside a type's name.
fn size_or_sign(p: &mut Parser<'_, '_>, acc: &mut Accumulated) -> bool {
    use TokenKind::*;
    let loc = p.tok.loc;
    match { p.tok.kind } {
        KwLong => {
            acc.longs += 1;
            if acc.longs > 2 {
                p.cx.error(loc, "'long long long' is too long for GCC");
                acc.longs = 2;
            }
            if acc.longs == 2 && p.cx.extension == 0 && !p.cx.tolerates(Standard::C99, loc) {
                p.cx.long_long(loc, "ISO C90 does not support 'long long'");
            }
        }
        KwShort => {
            acc.short = true;
        }
        KwSigned => {
            acc.signed = true;
        }
        KwUnsigned => {
            acc.unsigned = true;
        }
        KwComplex => {
            p.cx.feature_of(Standard::C99, loc, "complex types");
            acc.complex = true;
        }
        _ => return false,
    }
    acc.loc = loc;
    p.bump();
    true
}

/// The type that a single keyword names.
fn plain_base(kind: TokenKind) -> Option<Base> {
    use TokenKind::*;
    Some(match kind {
        KwVoid => Base::Void,
        KwChar => Base::Char,
        KwInt => Base::Int,
        KwFloat => Base::Float,
        KwDouble => Base::Double,
        KwBool => Base::Bool,
        KwInt128 => Base::Int128,
        KwFloat16 => Base::Floating(Ty::FLOAT16),
        KwFloat32 => Base::Floating(Ty::FLOAT32),
        KwFloat64 => Base::Floating(Ty::FLOAT64),
        KwFloat128 => Base::Floating(Ty::FLOAT128),
        KwFloat32x => Base::Floating(Ty::FLOAT32X),
        KwFloat64x => Base::Floating(Ty::FLOAT64X),
        KwFloat80 => Base::Floating(Ty::FLOAT64X),
        _ => return None,
    })
}

/// Reports the name and takes it for a type: what it declares is used without further errors.
pub(super) fn unknown_type(p: &mut Parser<'_, '_>, acc: &mut Accumulated) {
    crate::sema::suggestions::unknown_type(&p.cx, p.name());
    let loc = p.tok.loc;
    p.bump();
    set_base(p, acc, Base::Whole(Ty::ERROR.plain()), loc);
}

fn set_base(p: &mut Parser<'_, '_>, acc: &mut Accumulated, base: Base, loc: Loc) {
    if acc.base.is_some() {
        p.cx.error(loc, "two or more data types in declaration specifiers");
    } else {
        acc.base = Some(base);
    }
}

/// `_Atomic (type-name)`
pub fn atomic_specifier(p: &mut Parser<'_, '_>, acc: &mut Accumulated) {
    let loc = p.tok.loc;
    p.cx.feature_of(Standard::C11, loc, "the '_Atomic' qualifier");
    p.bump();
    p.bump();
    let ty = written_type_name(p);
    reject_alignment(p, "'_Atomic'");
    p.expect(TokenKind::RightParen);
    acc.base = Some(Base::Whole(atomic_type(p, ty, loc)));
}

/// The type that a typedef name stands for.
pub fn typedef_name(p: &mut Parser<'_, '_>, id: DeclId, acc: &mut Accumulated, specs: &mut DeclSpecs) {
    // A label: `name :` at the beginning of a statement has been seen to by the caller.
    let decl = &mut p.cx.unit.decls[id];
    decl.flags.set(DeclFlags::REFERENCED);
    acc.base = Some(Base::Whole(decl.written));
    (specs.typedef_name, specs.type_loc) = (Some(id), p.tok.loc);
    specs.explicit_sign |= decl.flags.has(DeclFlags::EXPLICITLY_SIGNED);
    p.bump();
}

/// Adds up the specifiers (C23 6.7.3.1 paragraph 2).
pub fn finish(p: &mut Parser<'_, '_>, acc: Accumulated, specs: &mut DeclSpecs) -> QualType {
    specs.has_type = !acc.is_empty();
    specs.explicit_sign |= acc.signed;
    if specs.infer && specs.has_type && !matches!(acc.base, Some(Base::Auto)) {
        // C23 `auto int x`: a storage class after all.
        specs.infer = false;
        if specs.storage.is_none() {
            specs.storage = Some(Storage::Auto);
        }
    }
    if acc.signed && acc.unsigned {
        p.cx.error(acc.loc, "both 'signed' and 'unsigned' in declaration specifiers");
    }
    if acc.longs > 0 && acc.short {
        p.cx.error(acc.loc, "both 'long' and 'short' in declaration specifiers");
    }
    let place = if acc.loc.is_none() { specs.loc } else { acc.loc };
    combine(p, acc, place)
}

fn combine(p: &mut Parser<'_, '_>, acc: Accumulated, loc: Loc) -> QualType {
    let modified = acc.longs > 0 || acc.short || acc.signed || acc.unsigned;
    let bad = |p: &mut Parser<'_, '_>, what: &str| {
        let word = match (acc.longs, acc.short, acc.signed) {
            (2.., ..) => "long long",
            (1, ..) => "long",
            (_, true, _) => "short",
            (_, _, true) => "signed",
            _ if acc.unsigned => "unsigned",
            _ => "complex",
        };
        p.cx.error(loc, format!("both '{word}' and '{what}' in declaration specifiers"));
        Ty::ERROR
    };
    let pick = |signed: Ty, unsigned: Ty| if acc.unsigned { unsigned } else { signed };
    let ty = match acc.base {
        Some(Base::Whole(ty)) => {
            if modified || acc.complex {
                p.cx.error(loc, "two or more data types in declaration specifiers");
            }
            return ty;
        }
        Some(Base::Void) if modified || acc.complex => bad(p, "void"),
        Some(Base::Void) => Ty::VOID,
        Some(Base::Bool) if modified || acc.complex => bad(p, "_Bool"),
        Some(Base::Bool) => Ty::BOOL,
        Some(Base::Auto) => Ty::INT,
        Some(Base::Char) if acc.longs > 0 || acc.short => bad(p, "char"),
        Some(Base::Char) if acc.signed => Ty::SCHAR,
        Some(Base::Char) => pick(Ty::CHAR, Ty::UCHAR),
        Some(Base::Int128) if acc.longs > 0 || acc.short => bad(p, "__int128"),
        Some(Base::Int128) => pick(Ty::INT128, Ty::UINT128),
        Some(Base::BitInt(_)) if acc.longs > 0 || acc.short || acc.complex => bad(p, "_BitInt"),
        Some(Base::BitInt(0)) => Ty::ERROR,
        Some(Base::BitInt(bits)) => {
            if bits == 1 && !acc.unsigned {
                p.cx.error(loc, "'signed _BitInt' argument must be at least 2");
            }
            p.cx.unit.types.intern(TypeKind::BitInt { bits, signed: !acc.unsigned })
        }
        Some(Base::Float) if modified => bad(p, "float"),
        Some(Base::Float) => Ty::FLOAT,
        Some(Base::Floating(ty)) if modified || acc.complex && p.cx.types().decimal_format(ty).is_some() => {
            let name = p.cx.types().float_kind(ty).map_or("", float_name);
            bad(p, name)
        }
        Some(Base::Floating(ty)) => ty,
        Some(Base::Double) if acc.short || acc.signed || acc.unsigned || acc.longs > 1 => bad(p, "double"),
        Some(Base::Double) if acc.longs == 1 => Ty::LONG_DOUBLE,
        Some(Base::Double) => Ty::DOUBLE,
        // `_Complex` alone is `_Complex double` (GNU).
        None if acc.complex && !modified => {
            p.cx.pedantic(loc, "ISO C does not support plain 'complex' meaning 'double complex'");
            Ty::DOUBLE
        }
        Some(Base::Int) | None => match (acc.longs, acc.short) {
            (_, true) => pick(Ty::SHORT, Ty::USHORT),
            (1, _) => pick(Ty::LONG, Ty::ULONG),
            (2.., _) => pick(Ty::LONGLONG, Ty::ULONGLONG),
            _ => pick(Ty::INT, Ty::UINT),
        },
    };
    if acc.complex && ty != Ty::ERROR {
        if !p.cx.types().is_floating(ty) {
            p.cx.pedantic(loc, "ISO C does not support complex integer types");
        }
        return p.cx.unit.types.complex_of(ty).plain();
    }
    ty.plain()
}

/// `_BitInt (constant)`; no bits after an error.
fn bit_int(p: &mut Parser<'_, '_>, loc: Loc) -> Base {
    p.expect(TokenKind::LeftParen);
    let width = expressions::constant_expression(p);
    p.expect(TokenKind::RightParen);
    let message = "'_BitInt' argument is not an integer constant expression";
    let value = require_integer(&mut p.cx, width, Strictness::Folded, message, message);
    match value {
        Some((n, _)) if (1..=i128::from(MAX_BIT_INT)).contains(&n) => Base::BitInt(n as u32),
        Some((n, _)) if n > 0 => {
            p.cx.error(loc, format!("'_BitInt' argument '{n}' is larger than 'BITINT_MAXWIDTH' '{MAX_BIT_INT}'"));
            Base::BitInt(0)
        }
        Some(_) => {
            p.cx.error(loc, "'_BitInt' argument must be a positive integer");
            Base::BitInt(0)
        }
        None => Base::BitInt(0),
    }
}

/// `typeof (expression or type-name)`
fn typeof_specifier(p: &mut Parser<'_, '_>) -> QualType {
    let unqual = p.at(TokenKind::KwTypeofUnqual);
    p.bump();
    if !p.expect(TokenKind::LeftParen) {
        return Ty::ERROR.plain();
    }
    p.cx.unevaluated += 1;
    let ty = if starts_type_name(p) {
        let ty = written_type_name(p);
        reject_alignment(p, "'typeof'");
        ty
    } else {
        let bounds = p.cx.pending_bounds.len();
        let expr = expressions::expression(p);
        if !p.cx.types().is_variably_modified(expr.ty.ty()) {
            p.cx.pending_bounds.truncate(bounds);
        } else if !matches!(expr.kind, ExprKind::Decl(_)) && !expr.is_error() {
            // An operand of variably modified type is evaluated (C23 6.7.3.6 paragraph 4), where
            // the type's bounds are.
            evaluate_for_type(p, expr);
        }
        if expr.cat == Category::BitField {
            p.cx.error(expr.loc, "'typeof' applied to a bit-field");
        }
        if expr.is_error() {
            Ty::ERROR.plain()
        } else {
            let native = QualType::new(p.cx.unit.types.with_native(expr.ty.ty()), expr.ty.quals());
            p.cx.types().written_as(expr.written, native)
        }
    };
    p.cx.unevaluated -= 1;
    p.expect(TokenKind::RightParen);
    if unqual { types::unqualified_deep(&mut p.cx.unit.types, ty) } else { ty }
}

/// Evaluates an operand of `typeof` for its effects: as a bound that nothing reads.
fn evaluate_for_type<'a>(p: &mut Parser<'_, 'a>, expr: ExprRef<'a>) {
    let effect = discard(&mut p.cx, expr);
    let zero = p.cx.ice(0, Ty::SIZE, expr.loc);
    let len = p.cx.value(ExprKind::Comma { lhs: effect, rhs: zero }, Ty::SIZE, expr.loc);
    let vla = p.cx.unit.types.new_vla();
    p.cx.pending_bounds.push(VlaBound { vla, len });
}

/// `_Atomic (type-name)` of the type name `ty`.
fn atomic_type(p: &mut Parser<'_, '_>, ty: QualType, loc: Loc) -> QualType {
    match p.cx.kind(ty) {
        TypeKind::Array { .. } => p.cx.error(loc, "'_Atomic'-qualified array type"),
        TypeKind::Function(_) => p.cx.error(loc, "'_Atomic'-qualified function type"),
        _ if !ty.quals().is_empty() => p.cx.error(loc, "'_Atomic' applied to a qualified type"),
        _ => return ty.with(Quals::ATOMIC),
    }
    ty
}
