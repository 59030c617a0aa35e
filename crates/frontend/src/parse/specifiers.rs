//! Declaration specifiers (C23 6.7.1 to 6.7.6): storage classes, qualifiers, alignment, attributes,
//! and between them type specifiers.

use base::{Loc, warning};
use platform::options::Standard;

use super::type_names::{starts_type_name, unaligned_type_name};
use super::type_specifiers::{self, Accumulated, atomic_specifier, type_specifier, typedef_name, unknown_type};
use super::{Parser, attributes, expressions};
use crate::lex::TokenKind;
use crate::sema::attributes as sema_attributes;
use crate::sema::declarations::{DeclSpecs, Storage};
use crate::sema::{constants, types};
use crate::tree::{QualType, Quals, Ty, TypeKind};

/// The token begins declaration specifiers (or specifiers and qualifiers).
pub fn starts_declaration(p: &mut Parser<'_, '_>) -> bool {
    match { p.tok.kind } {
        TokenKind::Identifier => p.cx.typedef(p.tok.symbol()).is_some(),
        kind => is_specifier_keyword(kind) || attributes::at_standard(p),
    }
}

/// The keyword is one of declaration specifiers.
pub fn is_specifier_keyword(kind: TokenKind) -> bool {
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
            | KwSegFs
            | KwSegGs
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

/// declaration-specifiers. With `storage` false only specifiers and qualifiers are allowed
/// (members, type names).
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
    let mut quals = Qualifiers::default();
    loop {
        use TokenKind::*;
        match { p.tok.kind } {
            Identifier => {
                if !acc.is_empty() {
                    break;
                }
                match p.cx.typedef(p.tok.symbol()) {
                    Some(id) => typedef_name(p, id, &mut acc, &mut specs),
                    None if at_unknown_type(p) => unknown_type(p, &mut acc),
                    None => break,
                }
            }
            KwAtomic if p.peek().is(LeftParen) && acc.is_empty() => atomic_specifier(p, &mut acc),
            KwConst | KwVolatile | KwRestrict | KwAtomic | KwSegFs | KwSegGs => type_qualifier(p, &mut quals),
            KwTypedef | KwExtern | KwStatic | KwRegister | KwAuto | KwThreadLocal | KwThread | KwConstexpr
                if storage =>
            {
                let late = !acc.is_empty() || !quals.all.is_empty();
                storage_class_specifier(p, &mut specs, late);
            }
            KwInline | KwNoreturn if storage => {
                let late = !acc.is_empty() || !quals.all.is_empty();
                function_specifier(p, &mut specs, late);
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
            // Only between specifiers: `typedef __extension__ struct ...`.
            KwExtension => p.bump(),
            // The semicolon after a structure is missing; the caller says so.
            _ if specs.defines_tag() && starts_declaration(p) => break,
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
    finish_specifiers(p, &mut specs, acc, quals.all);
    specs
}

/// `foo bar`, `foo *bar` with an undeclared `foo`: a declaration with an unknown type.
pub fn at_unknown_type(p: &mut Parser<'_, '_>) -> bool {
    if !p.at(TokenKind::Identifier) {
        return false;
    }
    let next = p.peek();
    let declarator =
        next.is(TokenKind::Identifier) || (next.is(TokenKind::Star) && p.tokens.peek(1).is(TokenKind::Identifier));
    declarator && p.cx.scopes.lookup(p.tok.symbol()).is_none()
}

/// The type qualifiers seen so far.
#[derive(Default)]
struct Qualifiers {
    all: Quals,
    /// Those that must not be said again: what a macro says may be.
    spelled_out: Quals,
}

/// type-qualifier
fn type_qualifier(p: &mut Parser<'_, '_>, quals: &mut Qualifiers) {
    let loc = p.tok.loc;
    let qual = match p.tok.kind {
        TokenKind::KwConst => Quals::CONST,
        TokenKind::KwVolatile => Quals::VOLATILE,
        TokenKind::KwRestrict => Quals::RESTRICT,
        TokenKind::KwSegFs => Quals::SEG_FS,
        TokenKind::KwSegGs => Quals::SEG_GS,
        _ => Quals::ATOMIC,
    };
    quals.all = add_qualifier(p, quals.all, qual, loc);
    if !qual.space().is_empty() {
        // It may be repeated.
    } else if qual.is_atomic() {
        p.cx.feature_of(Standard::C11, loc, "the '_Atomic' qualifier");
    } else if !p.cx.sess.sources.is_macro(loc) || p.cx.lang.standard < Standard::C99 {
        if quals.spelled_out.has(qual) {
            duplicate_qualifier(p, qual, loc);
        }
        quals.spelled_out = quals.spelled_out.with(qual);
    }
    p.bump();
}

/// `quals` with one more; there is one address space.
pub fn add_qualifier(p: &mut Parser<'_, '_>, quals: Quals, qual: Quals, loc: Loc) -> Quals {
    if !qual.space().is_empty() && !quals.without(qual).space().is_empty() {
        let (new, old) = (qual.space_name(), quals.space_name());
        p.cx.error(loc, format!("incompatible address space qualifiers '{new}' and '{old}'"));
        return quals;
    }
    quals.with(qual)
}

/// storage-class-specifier; `late` where something else came before.
fn storage_class_specifier(p: &mut Parser<'_, '_>, specs: &mut DeclSpecs, late: bool) {
    use TokenKind::*;
    let (kind, loc, start) = (p.tok.kind, p.tok.loc, specs.loc);
    match kind {
        KwThreadLocal | KwThread => {
            if specs.thread {
                p.cx.error(loc, "duplicate '_Thread_local'");
            }
            specs.thread = true;
            if kind == KwThreadLocal {
                p.cx.feature_of(Standard::C11, loc, "'_Thread_local'");
            }
        }
        KwConstexpr => specs.constexpr = true,
        KwAuto => {
            warn_late_storage(p, late, "auto", start);
            // C23: `auto` with no type specifier infers the type.
            if p.cx.since(Standard::C23) {
                specs.infer = true;
            } else {
                add_storage(p, specs, Storage::Auto, loc);
            }
        }
        _ => {
            let class = match kind {
                KwTypedef => Storage::Typedef,
                KwExtern => Storage::Extern,
                KwStatic => Storage::Static,
                _ => Storage::Register,
            };
            warn_late_storage(p, late, class.keyword(), start);
            add_storage(p, specs, class, start);
        }
    }
    p.bump();
}

/// function-specifier; `late` where something else came before.
fn function_specifier(p: &mut Parser<'_, '_>, specs: &mut DeclSpecs, late: bool) {
    if p.at(TokenKind::KwInline) {
        warn_late_storage(p, late, "inline", specs.loc);
        specs.inline = true;
    } else {
        p.cx.feature_of(Standard::C11, p.tok.loc, "'_Noreturn'");
        specs.noreturn = true;
    }
    p.bump();
}

const QUALIFIERS: [(Quals, &str); 3] =
    [(Quals::CONST, "const"), (Quals::VOLATILE, "volatile"), (Quals::RESTRICT, "restrict")];

/// The same qualifier twice in a row of specifiers: forbidden in C90, which later standards mend
/// (C90 6.5.3, C23 6.7.4.1 paragraph 5).
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
fn warn_late_storage(p: &mut Parser<'_, '_>, late: bool, word: &str, loc: Loc) {
    if late {
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

/// The type of all specifiers and qualifiers together.
fn finish_specifiers(p: &mut Parser<'_, '_>, specs: &mut DeclSpecs, acc: Accumulated, quals: Quals) {
    let loc = specs.loc;
    specs.qualified = !quals.is_empty();
    let ty = type_specifiers::finish(p, acc, specs);
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
