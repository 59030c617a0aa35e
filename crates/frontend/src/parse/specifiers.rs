//! Declaration specifiers (C23 6.7.1 to 6.7.6), type names (6.7.8).

use base::{Loc, warning};
use target::options::Standard;

use super::{Parser, attributes, declarators, expressions, records};
use crate::lex::TokenKind;
use crate::sema::attributes::{self as sema_attributes, AttrTarget};
use crate::sema::declarations::{DeclSpecs, Storage};
use crate::sema::literal_storage::LiteralStorage;
use crate::sema::{constants, deprecated, types};
use crate::tree::types::MAX_BIT_INT;
use crate::tree::{DeclFlags, QualType, Quals, Ty, TypeKind};

/// What the type specifiers seen so far add up to.
#[derive(Clone, Copy, Default)]
struct Accumulated {
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
    fn is_empty(&self) -> bool {
        self.base.is_none() && self.longs == 0 && !self.short && !self.signed && !self.unsigned && !self.complex
    }
}

/// The token begins declaration specifiers (or specifiers and qualifiers).
pub fn starts_declaration(p: &mut Parser<'_, '_>) -> bool {
    match { p.tok.kind } {
        TokenKind::Identifier => p.cx.typedef(p.tok.symbol()).is_some(),
        kind => is_specifier_keyword(kind) || attributes::at_standard(p),
    }
}

/// The token begins a type name.
pub fn starts_type_name(p: &mut Parser<'_, '_>) -> bool {
    let tok = p.tok;
    token_starts_type_name(p, tok)
}

/// `tok` begins a type name: `sizeof (`, a cast, a compound literal.
pub fn token_starts_type_name(p: &Parser<'_, '_>, tok: crate::lex::Token) -> bool {
    match tok.kind {
        TokenKind::Identifier => p.cx.typedef(tok.symbol()).is_some(),
        TokenKind::KwExtension => false,
        kind => is_specifier_keyword(kind),
    }
}

fn is_specifier_keyword(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        KwAuto
            | KwChar
            | KwConst
            | KwDouble
            | KwEnum
            | KwExtern
            | KwFloat
            | KwInline
            | KwInt
            | KwLong
            | KwRegister
            | KwRestrict
            | KwShort
            | KwSigned
            | KwStatic
            | KwStruct
            | KwTypedef
            | KwUnion
            | KwUnsigned
            | KwVoid
            | KwVolatile
            | KwAlignas
            | KwAtomic
            | KwBool
            | KwComplex
            | KwNoreturn
            | KwThreadLocal
            | KwConstexpr
            | KwTypeof
            | KwTypeofUnqual
            | KwBitInt
            | KwDecimal32
            | KwDecimal64
            | KwDecimal128
            | KwFloat16
            | KwFloat32
            | KwFloat64
            | KwFloat128
            | KwFloat32x
            | KwFloat64x
            | KwFloat80
            | KwInt128
            | KwAttribute
            | KwAutoType
            | KwThread
            | KwImaginary
    )
}

/// declaration-specifiers. With `storage` false only specifiers and qualifiers are allowed (members, type names).
pub fn declaration_specifiers(p: &mut Parser<'_, '_>, storage: bool) -> DeclSpecs {
    let mut specs = DeclSpecs {
        explicit_sign: false,
        ty: Ty::INT.plain(),
        storage: None,
        thread: false,
        constexpr: false,
        inline: false,
        noreturn: false,
        infer: false,
        align: 0,
        attrs: Vec::new(),
        has_type: false,
        typedef_name: None,
        type_loc: Loc::NONE,
        qualified: false,
        any: false,
        declares_tag: false,
        tag_reference: false,
        tag_loc: Loc::NONE,
        loc: p.tok.loc,
    };
    let mut acc = Accumulated::default();
    let mut quals = Quals::NONE;
    let mut spelled_out = Quals::NONE;
    loop {
        let loc = p.tok.loc;
        let kind = p.tok.kind;
        use TokenKind::*;
        match kind {
            Identifier => {
                if !acc.is_empty() {
                    break;
                }
                let Some(id) = p.cx.typedef(p.tok.symbol()) else { break };
                // A label: `name :` at the beginning of a statement has been seen to by the caller.
                let ty = p.cx.unit.decls[id].ty;
                p.cx.unit.decls[id].flags.set(DeclFlags::REFERENCED);
                acc.base = Some(Base::Whole(ty));
                (specs.typedef_name, specs.type_loc) = (Some(id), loc);
                specs.explicit_sign |= p.cx.unit.decls[id].flags.has(DeclFlags::EXPLICITLY_SIGNED);
                p.bump();
            }
            KwConst | KwVolatile | KwRestrict => {
                let qual = match kind {
                    KwConst => Quals::CONST,
                    KwVolatile => Quals::VOLATILE,
                    _ => Quals::RESTRICT,
                };
                let written = !p.cx.sess.sources.is_macro(loc);
                if spelled_out.has(qual) && (written || p.cx.lang.standard < Standard::C99) {
                    duplicate_qualifier(p, qual, loc);
                }
                // What a macro says may be said again.
                if written || p.cx.lang.standard < Standard::C99 {
                    spelled_out = spelled_out.with(qual);
                }
                quals = quals.with(qual);
                p.bump();
            }
            KwTypedef | KwExtern | KwStatic | KwRegister if storage => {
                let class = match kind {
                    KwTypedef => Storage::Typedef,
                    KwExtern => Storage::Extern,
                    KwStatic => Storage::Static,
                    _ => Storage::Register,
                };
                warn_late_storage(p, &acc, quals, class.keyword(), specs.loc);
                let start = specs.loc;
                add_storage(p, &mut specs, class, start);
                p.bump();
            }
            KwAuto if storage => {
                warn_late_storage(p, &acc, quals, "auto", specs.loc);
                p.bump();
                // C23: `auto` with no type specifier infers the type.
                if p.cx.since(Standard::C23) {
                    specs.infer = true;
                } else {
                    add_storage(p, &mut specs, Storage::Auto, loc);
                }
            }
            KwThreadLocal | KwThread if storage => {
                if specs.thread {
                    p.cx.error(loc, "duplicate '_Thread_local'");
                }
                specs.thread = true;
                if kind == KwThreadLocal {
                    p.cx.feature_of(Standard::C11, loc, "'_Thread_local'");
                }
                p.bump();
            }
            KwInline if storage => {
                warn_late_storage(p, &acc, quals, "inline", specs.loc);
                specs.inline = true;
                p.bump();
            }
            KwNoreturn if storage => {
                p.cx.feature_of(Standard::C11, loc, "'_Noreturn'");
                specs.noreturn = true;
                p.bump();
            }
            KwConstexpr if storage => {
                specs.constexpr = true;
                p.bump();
            }
            KwAlignas => {
                let align = alignment_specifier(p);
                specs.align = specs.align.max(align);
            }
            KwAttribute => attributes::gnu_attribute_sequence(p, &mut specs.attrs),
            LeftBracket if !specs.any && attributes::at_standard(p) => {
                attributes::attribute_specifier_sequence(p, &mut specs.attrs);
            }
            LeftBracket if specs.any && attributes::at_standard(p) => {
                // Appertains to the type just specified.
                attributes::type_attributes(p, &mut specs.attrs);
            }
            KwExtension => {
                // Only between specifiers: `typedef __extension__ struct ...`.
                p.bump();
            }
            KwAtomic if p.peek().is(LeftParen) && acc.is_empty() => {
                p.cx.feature_of(Standard::C11, loc, "the '_Atomic' qualifier");
                p.bump();
                p.bump();
                let ty = unaligned_type_name(p, "'_Atomic'");
                p.expect(RightParen);
                acc.base = Some(Base::Whole(atomic_type(p, ty, loc)));
            }
            KwAtomic => {
                p.cx.feature_of(Standard::C11, loc, "the '_Atomic' qualifier");
                quals = quals.with(Quals::ATOMIC);
                p.bump();
            }
            _ => {
                if !type_specifier(p, &mut acc, &mut specs) {
                    break;
                }
            }
        }
        specs.any = true;
        if p.panicking {
            break;
        }
    }
    finish_specifiers(p, &mut specs, acc, quals);
    specs
}

const QUALIFIERS: [(Quals, &str); 3] =
    [(Quals::CONST, "const"), (Quals::VOLATILE, "volatile"), (Quals::RESTRICT, "restrict")];

/// The same qualifier twice in a row of specifiers: forbidden in C90, which later standards mend (C90 6.5.3, C23 6.7.4.1 paragraph 5).
fn duplicate_qualifier(p: &mut Parser<'_, '_>, qual: Quals, loc: Loc) {
    let word = QUALIFIERS.iter().find(|q| q.0 == qual).map_or("const", |q| q.1);
    if p.cx.lang.standard < Standard::C99 {
        p.cx.pedantic_before(Standard::C99, loc, || format!("duplicate '{word}'"));
    } else {
        let message = format!("duplicate '{word}' declaration specifier");
        p.cx.warn(warning::DUPLICATE_DECL_SPECIFIER, loc, message);
    }
}

/// `int static x`: obsolescent (C23 6.11.6 paragraph 1).
fn warn_late_storage(p: &mut Parser<'_, '_>, acc: &Accumulated, quals: Quals, word: &str, loc: Loc) {
    if !acc.is_empty() || !quals.is_empty() {
        let message = format!("'{word}' is not at beginning of declaration");
        p.cx.warn(warning::OLD_STYLE_DECLARATION, loc, message);
    }
}

fn add_storage(p: &mut Parser<'_, '_>, specs: &mut DeclSpecs, class: Storage, loc: Loc) {
    match specs.storage {
        Some(previous) if previous == class => {
            p.cx.error(loc, format!("duplicate '{}'", class.keyword()));
        }
        Some(_) => p.cx.error(loc, "multiple storage classes in declaration specifiers"),
        None => specs.storage = Some(class),
    }
}

fn atomic_type(p: &mut Parser<'_, '_>, ty: QualType, loc: Loc) -> QualType {
    match p.cx.kind(ty) {
        TypeKind::Array { .. } => p.cx.error(loc, "'_Atomic'-qualified array type"),
        TypeKind::Function(_) => p.cx.error(loc, "'_Atomic'-qualified function type"),
        _ if !ty.quals().is_empty() => p.cx.error(loc, "'_Atomic' applied to a qualified type"),
        _ => return ty.with(Quals::ATOMIC),
    }
    ty
}

/// One type specifier (C23 6.7.3). False if the token is none.
fn type_specifier(p: &mut Parser<'_, '_>, acc: &mut Accumulated, specs: &mut DeclSpecs) -> bool {
    use TokenKind::*;
    let loc = p.tok.loc;
    let before = acc.loc;
    acc.loc = loc;
    let base = match { p.tok.kind } {
        KwLong => {
            acc.longs += 1;
            if acc.longs > 2 {
                p.cx.error(loc, "'long long long' is too long for GCC");
                acc.longs = 2;
            }
            if acc.longs == 2
                && p.cx.lang.standard < Standard::C99
                && p.cx.extension == 0
                && !p.cx.tolerates(Standard::C99, loc)
            {
                p.cx.sess.pedwarn(warning::LONG_LONG, loc, "ISO C90 does not support 'long long'").emit();
            }
            p.bump();
            return true;
        }
        KwShort => {
            acc.short = true;
            p.bump();
            return true;
        }
        KwSigned => {
            acc.signed = true;
            p.bump();
            return true;
        }
        KwUnsigned => {
            acc.unsigned = true;
            p.bump();
            return true;
        }
        KwComplex => {
            p.cx.feature_of(Standard::C99, loc, "complex types");
            acc.complex = true;
            p.bump();
            return true;
        }
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

fn set_base(p: &mut Parser<'_, '_>, acc: &mut Accumulated, base: Base, loc: Loc) {
    if acc.base.is_some() {
        p.cx.error(loc, "two or more data types in declaration specifiers");
    } else {
        acc.base = Some(base);
    }
}

/// `_BitInt (constant)`; no bits after an error.
fn bit_int(p: &mut Parser<'_, '_>, loc: Loc) -> Base {
    p.expect(TokenKind::LeftParen);
    let width = expressions::constant_expression(p);
    p.expect(TokenKind::RightParen);
    let message = "'_BitInt' argument is not an integer constant expression";
    let value = constants::require_integer(&mut p.cx, width, constants::Strictness::Folded, message, message);
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
        unaligned_type_name(p, "'typeof'")
    } else {
        let bounds = p.cx.pending_bounds.len();
        let expr = expressions::expression(p);
        if !p.cx.types().is_variably_modified(expr.ty.ty()) {
            p.cx.pending_bounds.truncate(bounds);
        } else if !matches!(expr.kind, crate::tree::ExprKind::Decl(_)) && !expr.is_error() {
            // An operand of variably modified type is evaluated (C23 6.7.3.6 paragraph 4), where the type's bounds are.
            evaluate_for_type(p, expr);
        }
        if expr.cat == crate::tree::Category::BitField {
            p.cx.error(expr.loc, "'typeof' applied to a bit-field");
        }
        if expr.is_error() {
            Ty::ERROR.plain()
        } else {
            QualType::new(p.cx.unit.types.with_native(expr.ty.ty()), expr.ty.quals())
        }
    };
    p.cx.unevaluated -= 1;
    p.expect(TokenKind::RightParen);
    if unqual { types::unqualified_deep(&mut p.cx.unit.types, ty) } else { ty }
}

/// Evaluates an operand of `typeof` for its effects: as a bound that nothing reads.
fn evaluate_for_type<'a>(p: &mut Parser<'_, 'a>, expr: crate::tree::ExprRef<'a>) {
    let effect = crate::sema::expressions::discard(&mut p.cx, expr);
    let zero = p.cx.ice(0, Ty::SIZE, expr.loc);
    let len = p.cx.value(crate::tree::ExprKind::Comma { lhs: effect, rhs: zero }, Ty::SIZE, expr.loc);
    let vla = p.cx.unit.types.new_vla();
    p.cx.pending_bounds.push(crate::tree::VlaBound { vla, len });
}

/// `_Alignas (type-name or constant)`: bytes.
pub fn alignment_specifier(p: &mut Parser<'_, '_>) -> u32 {
    let loc = p.tok.loc;
    p.cx.feature_of(Standard::C11, loc, "'_Alignas'");
    p.bump();
    if !p.expect(TokenKind::LeftParen) {
        return 0;
    }
    let align = if starts_type_name(p) {
        let ty = unaligned_type_name(p, "'_Alignas'");
        if p.cx.types().is_error(ty.ty()) || !types::require_complete(&mut p.cx, ty, loc) {
            0
        } else {
            p.cx.types().align_of(ty)
        }
    } else {
        let expr = expressions::constant_expression(p);
        let message = "requested alignment is not an integer constant";
        match constants::require_integer(&mut p.cx, expr, constants::Strictness::Folded, message, message) {
            Some((n, _)) => sema_attributes::check_align(&mut p.cx, n, loc),
            None => 0,
        }
    };
    p.expect(TokenKind::RightParen);
    align
}

/// Adds up the specifiers (C23 6.7.3.1 paragraph 2).
fn finish_specifiers(p: &mut Parser<'_, '_>, specs: &mut DeclSpecs, acc: Accumulated, quals: Quals) {
    specs.has_type = !acc.is_empty();
    specs.qualified = !quals.is_empty();
    let loc = specs.loc;
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
    let place = if acc.loc.is_none() { loc } else { acc.loc };
    let ty = combine(p, acc, place);
    if p.cx.lang.standard < Standard::C99 && !quals.is_empty() {
        duplicate_qualifiers(p, types::effective_quals(p.cx.types(), ty), quals, loc);
    }
    let ty = types::qualify(&mut p.cx.unit.types, ty, quals);
    if quals.has(Quals::RESTRICT) && !p.cx.types().is_error(ty.ty()) && !restrict_allowed(p, ty) {
        p.cx.error(loc, "invalid use of 'restrict'");
    }
    if quals.is_atomic() {
        match p.cx.kind(ty) {
            TypeKind::Array { .. } => p.cx.error(loc, "'_Atomic'-qualified array type"),
            TypeKind::Function(_) => p.cx.error(loc, "'_Atomic'-qualified function type"),
            _ => {}
        }
    }
    specs.ty = ty;
    if specs.constexpr && (specs.thread || matches!(specs.storage, Some(Storage::Extern | Storage::Typedef))) {
        p.cx.error(loc, "'constexpr' used with a conflicting storage class");
    }
}

/// C90 forbids to say a qualifier twice, also by way of a typedef name (C90 6.5.3).
fn duplicate_qualifiers(p: &mut Parser<'_, '_>, have: Quals, added: Quals, loc: Loc) {
    for (qual, word) in QUALIFIERS {
        if have.has(qual) && added.has(qual) {
            p.cx.pedantic(loc, format!("duplicate '{word}'"));
        }
    }
}

/// `restrict` qualifies pointers to objects only (C23 6.7.4.1 paragraph 2).
pub fn restrict_allowed(p: &Parser<'_, '_>, ty: QualType) -> bool {
    match p.cx.kind(ty) {
        TypeKind::Pointer(pointee) => !p.cx.types().is_function(pointee.ty()),
        TypeKind::Array { elem, .. } => restrict_allowed(p, elem),
        TypeKind::Error => true,
        _ => false,
    }
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
            let name = p.cx.types().float_kind(ty).map_or("", crate::tree::print::float_name);
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

/// type-name where no alignment may be specified (C23 6.7.6 paragraph 2); `place` is gcc's word for where.
pub fn unaligned_type_name(p: &mut Parser<'_, '_>, place: &str) -> QualType {
    let ty = type_name(p);
    reject_alignment(p, place);
    ty
}

/// Reports an alignment in the type name just read.
pub fn reject_alignment(p: &mut Parser<'_, '_>, place: &str) {
    let (align, loc) = std::mem::take(&mut p.cx.type_name_align);
    if align != 0 {
        p.cx.error(loc, format!("alignment specified for type name in {place}"));
    }
}

/// type-name (C23 6.7.8). Bounds of variable-length arrays in it are left pending.
pub fn type_name(p: &mut Parser<'_, '_>) -> QualType {
    type_name_of(p, false)
}

/// The type name behind a parenthesis that may belong to a compound literal: it may have storage-class specifiers (C23 6.5.3.6), which
/// [`Sema::type_name_storage`](crate::sema::Sema::type_name_storage) takes.
pub fn literal_type_name(p: &mut Parser<'_, '_>) -> QualType {
    use TokenKind::*;
    let storage = matches!(p.tok.kind, KwStatic | KwRegister | KwThreadLocal | KwThread | KwConstexpr);
    if storage {
        let loc = p.tok.loc;
        p.cx.feature_of(Standard::C23, loc, "storage class specifiers in compound literals");
    }
    type_name_of(p, storage)
}

fn type_name_of(p: &mut Parser<'_, '_>, storage: bool) -> QualType {
    let specs = declaration_specifiers(p, storage);
    if storage {
        p.cx.type_name_storage = LiteralStorage::of(&mut p.cx, &specs);
    }
    p.cx.type_name_align = (specs.align, specs.loc);
    if !specs.has_type {
        if !specs.any {
            p.expected("type name");
            return Ty::ERROR.plain();
        }
        p.cx.pedwarn(warning::IMPLICIT_INT, specs.loc, "type defaults to 'int' in type name");
    }
    deprecated::use_specifiers(&mut p.cx, &specs, &[]);
    let collected = sema_attributes::collect(&mut p.cx, &specs.attrs, AttrTarget::Type);
    let mut ty = sema_attributes::apply_to_type(&mut p.cx, specs.ty, &collected, AttrTarget::Type, specs.loc);
    // An array of a type that is aligned so could not be: the array is meant.
    let array = p.at(TokenKind::LeftBracket);
    if collected.align != 0 && !array {
        ty = QualType::new(p.cx.unit.types.with_align(ty.ty(), collected.align), ty.quals());
    }
    if p.at(TokenKind::RightParen) {
        return ty;
    }
    let mut declarator = declarators::abstract_declarator(p);
    let attrs = std::mem::take(&mut declarator.attrs);
    let mut ty = declarators::apply(p, ty, &mut declarator).0;
    if collected.align != 0 && array {
        ty = QualType::new(p.cx.unit.types.with_align(ty.ty(), collected.align), ty.quals());
    }
    if attrs.is_empty() {
        return ty;
    }
    // Those in parentheses: `(void (__attribute__((ms_abi)) *)(int))p`.
    let collected = sema_attributes::collect(&mut p.cx, &attrs, AttrTarget::Type);
    sema_attributes::apply_to_type(&mut p.cx, ty, &collected, AttrTarget::Type, specs.loc)
}
