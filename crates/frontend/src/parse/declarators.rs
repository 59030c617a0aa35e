//! Declarators (C23 6.7.7), concrete and abstract.
//!
//! A declarator is read into a list of [`Piece`]s in the order in which they apply to the specifiers' type: `*a[3]` is
//! "pointer, array of 3", read outwards from the name in reverse. Suffixes and pointers are loops; only parentheses nest.

use base::{Loc, warning};
use target::options::Standard;

use super::{Parser, attributes, expressions, specifiers};
use crate::lex::TokenKind;
use crate::sema::attributes::{self as sema_attributes, Attr, AttrTarget};
use crate::sema::declarations::{self, Storage};
use crate::sema::parameter_arrays::{self, Written};
use crate::sema::scope::{ScopeKind, Tag};
use crate::sema::{conversions, deprecated, types};
use crate::tree::{
    ArrayLen, CallAbi, DeclId, ExprFlags, ExprRef, Name, QualType, Quals, Signature, Ty, TypeKind, VlaBound,
};
use base::Symbol;

/// A declarator as read.
#[derive(Default)]
pub struct Declarator<'a> {
    /// Declared name, absent in abstract declarators.
    pub name: Option<Name>,
    /// Derivations, in the order they apply.
    pub pieces: Vec<Piece<'a>>,
    /// Attributes after the name and inside parentheses.
    pub attrs: Vec<Attr>,
}

/// One derivation.
pub enum Piece<'a> {
    /// `* qualifiers`
    Pointer {
        /// Qualifiers.
        quals: Quals,
        /// Attributes after the `*`.
        attrs: Vec<Attr>,
        /// Location of the `*`.
        loc: Loc,
    },
    /// `[ ... ]`
    Array {
        /// Length.
        len: Length<'a>,
        /// Qualifiers inside the brackets: of the pointer a parameter becomes.
        quals: Quals,
        /// `static` or qualifiers were there, which only a parameter's outermost array may have.
        parameter_only: bool,
        /// `static` was there.
        is_static: bool,
        /// Where the length begins, and the closing bracket.
        text: (Loc, Loc),
        /// Location of the bracket.
        loc: Loc,
    },
    /// `( ... )`
    Function(FunctionPiece<'a>),
}

/// Length of an array declarator.
#[derive(Clone, Copy)]
pub enum Length<'a> {
    /// `[]`
    None,
    /// `[*]`
    Star,
    /// `[expression]`
    Expr(ExprRef<'a>),
}

/// A parameter list.
pub struct FunctionPiece<'a> {
    /// Parameters in order.
    pub params: Vec<DeclId>,
    /// `...`
    pub variadic: bool,
    /// A parameter type list (else: empty, or an identifier list).
    pub prototype: bool,
    /// K&R identifier list.
    pub identifiers: Vec<Name>,
    /// Everything declared between the parentheses, to be declared again in the body.
    pub declared: Vec<DeclId>,
    /// Tags declared there.
    pub tags: Vec<(Symbol, Tag)>,
    /// Bounds of variable-length types in the parameters.
    pub bounds: Vec<VlaBound<'a>>,
    /// `[*]` is among the parameters' lengths, which a definition must know.
    pub unspecified_length: bool,
    /// Location of the parenthesis.
    pub loc: Loc,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// A name must come.
    Named,
    /// No name may come.
    Abstract,
    /// Parameter: either.
    Either,
}

/// declarator
pub fn declarator<'a>(p: &mut Parser<'_, 'a>) -> Declarator<'a> {
    let mut out = Declarator::default();
    parse(p, Mode::Named, &mut out);
    hand_on_attributes(p, &mut out);
    out
}

/// abstract-declarator, possibly empty
pub fn abstract_declarator<'a>(p: &mut Parser<'_, 'a>) -> Declarator<'a> {
    let mut out = Declarator::default();
    parse(p, Mode::Abstract, &mut out);
    out
}

/// Attributes after the `*` next to the name that no type can have are the declared thing's: `char *__attribute__((cleanup(f))) p`.
fn hand_on_attributes(p: &Parser<'_, '_>, declarator: &mut Declarator<'_>) {
    let last = declarator.pieces.iter_mut().rev().find_map(|piece| match piece {
        Piece::Pointer { attrs, .. } => Some(attrs),
        _ => None,
    });
    if let Some(attrs) = last {
        let (of_type, of_declaration) = std::mem::take(attrs)
            .into_iter()
            .partition(|attr| attr.standard || sema_attributes::is_of_types(p.cx.str(attr.name)));
        *attrs = of_type;
        declarator.attrs.extend::<Vec<Attr>>(of_declaration);
    }
}

fn pointer_list<'a>(p: &mut Parser<'_, 'a>) -> Vec<Piece<'a>> {
    let mut out = Vec::new();
    while p.at(TokenKind::Star) {
        let loc = p.tok.loc;
        p.bump();
        let mut quals = Quals::NONE;
        let mut attrs = Vec::new();
        loop {
            let qual = match { p.tok.kind } {
                TokenKind::KwConst => Quals::CONST,
                TokenKind::KwVolatile => Quals::VOLATILE,
                TokenKind::KwRestrict => Quals::RESTRICT,
                TokenKind::KwAtomic => Quals::ATOMIC,
                TokenKind::KwAttribute => {
                    attributes::gnu_attribute_sequence(p, &mut attrs);
                    continue;
                }
                TokenKind::LeftBracket if attributes::at_standard(p) => {
                    attributes::attribute_specifier_sequence(p, &mut attrs);
                    continue;
                }
                _ => break,
            };
            if qual == Quals::ATOMIC {
                p.cx.feature_of(Standard::C11, p.tok.loc, "the '_Atomic' qualifier");
            }
            quals = quals.with(qual);
            p.bump();
        }
        out.push(Piece::Pointer { quals, attrs, loc });
    }
    out
}

fn parse<'a>(p: &mut Parser<'_, 'a>, mode: Mode, out: &mut Declarator<'a>) {
    parse_outwards(p, mode, out);
    out.pieces.reverse();
}

/// A declarator whose pieces come in the order in which they apply to the name, so that those in parentheses stay where they are.
fn parse_outwards<'a>(p: &mut Parser<'_, 'a>, mode: Mode, out: &mut Declarator<'a>) {
    let pointers = pointer_list(p);
    match { p.tok.kind } {
        TokenKind::Identifier if mode != Mode::Abstract => {
            out.name = Some(p.name());
            p.bump();
        }
        TokenKind::LeftParen if is_grouping(p, mode) => {
            if !p.enter() {
                return;
            }
            p.bump();
            let mut nested = Declarator::default();
            attributes::attribute_specifier_sequence(p, &mut nested.attrs);
            parse_outwards(p, mode, &mut nested);
            p.expect(TokenKind::RightParen);
            p.leave();
            out.name = nested.name;
            out.attrs.append(&mut nested.attrs);
            out.pieces = nested.pieces;
        }
        _ if mode == Mode::Named => {
            p.expected("identifier or '('");
            out.pieces.extend(pointers.into_iter().rev());
            return;
        }
        _ => {}
    }
    let first = out.pieces.len();
    loop {
        match { p.tok.kind } {
            TokenKind::LeftBracket => {
                if attributes::at_standard(p) {
                    if out.pieces.len() > first {
                        attributes::type_attributes(p, &mut out.attrs);
                    } else {
                        attributes::attribute_specifier_sequence(p, &mut out.attrs);
                    }
                    continue;
                }
                let piece = array_suffix(p);
                out.pieces.push(piece);
            }
            TokenKind::LeftParen => {
                let piece = function_suffix(p);
                out.pieces.push(Piece::Function(piece));
            }
            _ => break,
        }
        if p.panicking {
            break;
        }
    }
    out.pieces.extend(pointers.into_iter().rev());
}

/// `(` groups a declarator rather than beginning a parameter list.
fn is_grouping(p: &mut Parser<'_, '_>, mode: Mode) -> bool {
    if mode == Mode::Named {
        return true;
    }
    let next = p.peek();
    match next.kind {
        TokenKind::RightParen | TokenKind::Ellipsis => false,
        TokenKind::KwAttribute => !attribute_then_type(p),
        TokenKind::LeftBracket => !p.tokens.peek(1).is(TokenKind::LeftBracket),
        _ => !specifiers::token_starts_type_name(p, next),
    }
}

/// After `(`: attributes followed by a type name, so that a parameter begins here.
fn attribute_then_type(p: &mut Parser<'_, '_>) -> bool {
    let mut distance = 0;
    while p.tokens.peek(distance).is(TokenKind::KwAttribute) {
        let mut level = 0u32;
        loop {
            distance += 1;
            match p.tokens.peek(distance).kind {
                TokenKind::LeftParen => level += 1,
                TokenKind::RightParen => level = level.saturating_sub(1),
                TokenKind::Eof => return false,
                _ => {}
            }
            if level == 0 {
                break;
            }
        }
        distance += 1;
    }
    let after = p.tokens.peek(distance);
    specifiers::token_starts_type_name(p, after)
}

/// `[ static? qualifiers? expression-or-star? ]`
fn array_suffix<'a>(p: &mut Parser<'_, 'a>) -> Piece<'a> {
    let loc = p.tok.loc;
    p.bump();
    let mut quals = Quals::NONE;
    let mut parameter_only = false;
    let mut is_static = false;
    loop {
        let qual = match { p.tok.kind } {
            TokenKind::KwStatic => Quals::NONE,
            TokenKind::KwConst => Quals::CONST,
            TokenKind::KwVolatile => Quals::VOLATILE,
            TokenKind::KwRestrict => Quals::RESTRICT,
            TokenKind::KwAtomic => Quals::ATOMIC,
            _ => break,
        };
        is_static |= p.at(TokenKind::KwStatic);
        if qual == Quals::ATOMIC {
            p.cx.feature_of(Standard::C11, p.tok.loc, "the '_Atomic' qualifier");
        }
        quals = quals.with(qual);
        parameter_only = true;
        p.bump();
    }
    if parameter_only {
        p.cx.feature_of(Standard::C99, loc, "'static' or type qualifiers in parameter array declarators");
    }
    let start = p.tok.loc;
    let len = match { p.tok.kind } {
        TokenKind::RightBracket if is_static => {
            p.expected("expression");
            Length::None
        }
        TokenKind::RightBracket => Length::None,
        TokenKind::Star if p.peek().is(TokenKind::RightBracket) => {
            p.cx.feature_of(Standard::C99, loc, "'[*]' array declarators");
            p.bump();
            p.unspecified_length = true;
            Length::Star
        }
        _ => {
            let expr = expressions::assignment_expression(p);
            Length::Expr(conversions::rvalue(&mut p.cx, expr))
        }
    };
    let text = (start, p.tok.loc);
    p.expect(TokenKind::RightBracket);
    Piece::Array { len, quals, parameter_only, is_static, text, loc }
}

/// `( parameter-type-list )` or `( identifier-list )`
fn function_suffix<'a>(p: &mut Parser<'_, 'a>) -> FunctionPiece<'a> {
    let mut piece = FunctionPiece {
        params: Vec::new(),
        variadic: false,
        prototype: true,
        identifiers: Vec::new(),
        declared: Vec::new(),
        tags: Vec::new(),
        bounds: Vec::new(),
        unspecified_length: false,
        loc: p.tok.loc,
    };
    if !p.enter() {
        return piece;
    }
    p.bump();
    match { p.tok.kind } {
        TokenKind::RightParen => {
            piece.prototype = p.cx.since(Standard::C23);
            p.bump();
        }
        TokenKind::Identifier if p.cx.typedef(p.tok.symbol()).is_none() => identifier_list(p, &mut piece),
        _ => {
            let bounds = p.cx.pending_bounds.len();
            p.cx.scopes.push(ScopeKind::Prototype);
            let outer = std::mem::replace(&mut p.unspecified_length, false);
            parameter_type_list(p, &mut piece);
            piece.unspecified_length = std::mem::replace(&mut p.unspecified_length, outer);
            piece.declared = p.cx.scopes.declared_here().collect();
            piece.tags = p.cx.scopes.tags_here();
            p.cx.scopes.pop();
            piece.bounds = p.cx.pending_bounds.drain(bounds..).collect();
        }
    }
    p.leave();
    piece
}

fn identifier_list(p: &mut Parser<'_, '_>, piece: &mut FunctionPiece<'_>) {
    piece.prototype = false;
    while let Some(name) = p.identifier() {
        if piece.identifiers.iter().any(|n| n.symbol == name.symbol) {
            let text = p.cx.str(name.symbol);
            p.cx.error(name.loc, format!("multiple parameters named '{text}'"));
        }
        piece.identifiers.push(name);
        if !p.eat(TokenKind::Comma) {
            break;
        }
        // `f(a, int b)`: an unknown type name, most likely.
    }
    if p.at(TokenKind::Identifier) || p.tok.kind.is_keyword() {
        if let Some(last) = piece.identifiers.last()
            && !p.panicking
        {
            p.panicking = true;
            let text = p.cx.str(last.symbol);
            p.cx.error(last.loc, format!("unknown type name '{text}'"));
        }
        p.skip_to(&[TokenKind::RightParen]);
        p.eat(TokenKind::RightParen);
        p.panicking = false;
        piece.identifiers.clear();
        return;
    }
    p.expect(TokenKind::RightParen);
}

fn parameter_type_list<'a>(p: &mut Parser<'_, 'a>, piece: &mut FunctionPiece<'a>) {
    if p.at(TokenKind::Ellipsis) {
        if !p.cx.since(Standard::C23) && !p.cx.lang.parameterless_variadic {
            p.cx.error(p.tok.loc, "ISO C requires a named argument before '...'");
        }
        p.bump();
        piece.variadic = true;
        p.expect(TokenKind::RightParen);
        return;
    }
    // GNU: forward declarations of parameters, `(int n; int a[n])`.
    loop {
        parameter_declaration(p, piece);
        if p.panicking {
            p.skip_to(&[TokenKind::RightParen]);
            p.panicking = false;
        }
        if p.at(TokenKind::Semicolon) {
            forward_declarations(p, piece);
            continue;
        }
        if !p.eat(TokenKind::Comma) {
            break;
        }
        if p.eat(TokenKind::Ellipsis) {
            piece.variadic = true;
            break;
        }
    }
    if !p.at(TokenKind::RightParen) {
        p.expected("';', ',' or ')'");
        p.skip_to(&[TokenKind::RightParen]);
        p.panicking = false;
    }
    p.eat(TokenKind::RightParen);
    check_void(p, piece);
}

/// Parameters before a `;` are declared again after it.
fn forward_declarations(p: &mut Parser<'_, '_>, piece: &mut FunctionPiece<'_>) {
    p.cx.pedantic(p.tok.loc, "ISO C forbids forward parameter declarations");
    p.bump();
    for id in piece.params.drain(..) {
        p.cx.forward_parameters.push(id);
    }
}

/// `(void)` is an empty list; `void` anywhere else is an error, but (as in gcc, with a warning) for the name of the only parameter of what is no
/// definition.
fn check_void(p: &mut Parser<'_, '_>, piece: &mut FunctionPiece<'_>) {
    let is_void = |p: &Parser<'_, '_>, id: DeclId| p.cx.kind(p.cx.unit.decls[id].ty) == TypeKind::Void;
    if let [only] = piece.params[..]
        && is_void(p, only)
        && p.cx.unit.decls[only].name.is_none()
        && !piece.variadic
    {
        let decl = p.cx.unit.decls[only];
        if !decl.ty.quals().is_empty() || decl.flags.has(crate::tree::DeclFlags::REGISTER) {
            p.cx.error(decl.loc, "'void' as only parameter may not be qualified");
        }
        piece.params.clear();
        return;
    }
    for (index, &id) in piece.params.iter().enumerate() {
        if is_void(p, id) {
            let decl = p.cx.unit.decls[id];
            match decl.name {
                Some(name) => {
                    let text = p.cx.str(name);
                    let message = format!("parameter {} ('{text}') has void type", index + 1);
                    if p.at(TokenKind::LeftBrace) {
                        p.cx.error(decl.loc, message);
                    } else {
                        p.cx.sess.warn_always(decl.loc, message).emit();
                    }
                }
                None => p.cx.error(decl.loc, "'void' must be the only parameter"),
            }
            p.cx.unit.decls[id].ty = Ty::ERROR.plain();
        }
    }
}

/// parameter-declaration
fn parameter_declaration<'a>(p: &mut Parser<'_, 'a>, piece: &mut FunctionPiece<'a>) {
    let mut attrs = Vec::new();
    attributes::attribute_specifier_sequence(p, &mut attrs);
    let start = p.tok.loc;
    let specs = specifiers::declaration_specifiers(p, true);
    if !specs.any {
        if p.at(TokenKind::Identifier) {
            let text = p.cx.str(p.tok.symbol());
            p.syntax_error(format!("unknown type name '{text}'"));
        } else {
            p.expected("declaration specifiers or '...'");
        }
        return;
    }
    if !specs.has_type {
        p.cx.pedwarn(warning::IMPLICIT_INT, start, "type defaults to 'int' in declaration of parameter");
    }
    if specs.infer {
        p.cx.error(start, "'auto' not allowed in a parameter declaration");
    }
    attrs.extend(specs.attrs.iter().cloned());
    let mut declarator = Declarator::default();
    parse(p, Mode::Either, &mut declarator);
    hand_on_attributes(p, &mut declarator);
    attributes::attribute_specifier_sequence(p, &mut attrs);
    attrs.append(&mut declarator.attrs);
    let loc = declarator.name.map_or(start, |n| n.loc);
    let name = declarator.name;
    declarations::check_parameter_specifiers(&mut p.cx, &specs, name, loc);
    deprecated::use_specifiers(&mut p.cx, &specs, &attrs);
    let outer_quals = match declarator.pieces.last() {
        Some(Piece::Array { quals, .. }) => *quals,
        _ => Quals::NONE,
    };
    let brackets = written_brackets(p, specs.ty, &declarator, loc);
    let (mut ty, _) = apply_parameter(p, specs.ty, &mut declarator);
    let declared = ty;
    if !outer_quals.is_empty() && p.cx.types().is_array(ty.ty()) {
        ty = types::adjust_parameter(&mut p.cx.unit.types, ty, outer_quals);
    }
    let collected = sema_attributes::collect(&mut p.cx, &attrs, AttrTarget::Parameter);
    let register = specs.storage == Some(Storage::Register);
    // A parameter declared forward is declared for good here.
    let forward = name.and_then(|n| {
        let at = p.cx.forward_parameters.iter().position(|&f| p.cx.unit.decls[f].name == Some(n.symbol))?;
        Some(p.cx.forward_parameters.swap_remove(at))
    });
    let id = match forward {
        Some(id) => {
            let adjusted = types::adjust_parameter(&mut p.cx.unit.types, ty, Quals::NONE);
            p.cx.unit.decls[id].ty = adjusted;
            id
        }
        None => declarations::declare_parameter(&mut p.cx, name, ty, register, &collected, loc),
    };
    if let Some(brackets) = brackets {
        parameter_arrays::note(&mut p.cx, id, declared, &brackets);
    }
    piece.params.push(id);
}

/// The brackets behind a parameter's name, outermost first, where declarations are compared.
fn written_brackets<'a>(
    p: &Parser<'_, 'a>,
    base: QualType,
    declarator: &Declarator<'a>,
    loc: Loc,
) -> Option<Vec<Written<'a>>> {
    let written = |piece: &Piece<'a>| match *piece {
        Piece::Array { len, is_static, text, .. } => {
            let length = if let Length::Expr(expr) = len { Some(expr) } else { None };
            Some(Written { length, star: matches!(len, Length::Star), is_static, text })
        }
        _ => None,
    };
    let is_array = match declarator.pieces.last() {
        Some(piece) => matches!(piece, Piece::Array { .. }),
        None => p.cx.types().is_array(base.ty()),
    };
    (is_array && parameter_arrays::wanted(&p.cx, loc))
        .then(|| declarator.pieces.iter().rev().map_while(written).collect())
}

/// The type a declarator makes of `base`, and its outermost parameter list.
pub fn apply<'a>(
    p: &mut Parser<'_, 'a>,
    base: QualType,
    declarator: &mut Declarator<'a>,
) -> (QualType, Option<FunctionPiece<'a>>) {
    apply_pieces(p, base, declarator, false)
}

fn apply_parameter<'a>(
    p: &mut Parser<'_, 'a>,
    base: QualType,
    declarator: &mut Declarator<'a>,
) -> (QualType, Option<FunctionPiece<'a>>) {
    apply_pieces(p, base, declarator, true)
}

fn apply_pieces<'a>(
    p: &mut Parser<'_, 'a>,
    base: QualType,
    declarator: &mut Declarator<'a>,
    parameter: bool,
) -> (QualType, Option<FunctionPiece<'a>>) {
    let mut ty = base;
    let mut last_function = None;
    let count = declarator.pieces.len();
    let name = declarator.name;
    for (index, piece) in std::mem::take(&mut declarator.pieces).into_iter().enumerate() {
        let outermost = index + 1 == count;
        last_function = None;
        match piece {
            Piece::Pointer { quals, attrs, loc } => {
                ty = p.cx.pointer_to(ty).plain();
                if quals.has(Quals::RESTRICT) && !specifiers::restrict_allowed(p, ty) {
                    p.cx.error(loc, "invalid use of 'restrict'");
                }
                ty = ty.with(quals);
                if !attrs.is_empty() {
                    let collected = sema_attributes::collect(&mut p.cx, &attrs, AttrTarget::Type);
                    ty = sema_attributes::apply_to_type(&mut p.cx, ty, &collected, AttrTarget::Type, loc);
                }
            }
            Piece::Array { len, parameter_only, loc, .. } => {
                if parameter_only && !(parameter && outermost) {
                    p.cx.error(loc, "static or type qualifiers in non-parameter array declarator");
                }
                ty = array_type(p, ty, len, name, parameter, outermost, loc);
            }
            Piece::Function(piece) => {
                ty = function_type(p, ty, &piece, name);
                last_function = Some(piece);
            }
        }
    }
    (ty, last_function)
}

/// What is declared, for messages: written out only in one.
struct Quoted<'x>(Option<&'x str>);

impl std::fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(name) => write!(f, "'{name}'"),
            None => f.write_str("type name"),
        }
    }
}

fn quoted<'x>(p: &Parser<'x, '_>, name: Option<Name>) -> Quoted<'x> {
    Quoted(name.map(|name| p.cx.str(name.symbol)))
}

/// `elem [len]` with the constraints of C23 6.7.7.3.
fn array_type<'a>(
    p: &mut Parser<'_, 'a>,
    elem: QualType,
    len: Length<'a>,
    name: Option<Name>,
    parameter: bool,
    outermost: bool,
    loc: Loc,
) -> QualType {
    let what = quoted(p, name);
    let at = name.map_or(loc, |n| n.loc);
    let elem = match p.cx.kind(elem) {
        TypeKind::Error => return elem,
        TypeKind::Function(_) => {
            p.cx.error(at, format!("declaration of {what} as array of functions"));
            return Ty::ERROR.plain();
        }
        TypeKind::Void => {
            p.cx.error(at, format!("declaration of {what} as array of voids"));
            return Ty::ERROR.plain();
        }
        _ if p.cx.types().is_incomplete(elem.ty()) => {
            let ty = p.cx.tname(elem);
            p.cx.error(at, format!("array type has incomplete element type {ty}"));
            return Ty::ERROR.plain();
        }
        TypeKind::Record(id) if p.cx.types().records[id].has_flexible_array => {
            p.cx.pedantic(at, "invalid use of structure with flexible array member");
            elem
        }
        _ => elem,
    };
    if let Some(align) = p.cx.types().declared_align(elem.ty())
        && p.cx.types().size_of(elem).is_some_and(|size| size != 0 && !size.is_multiple_of(align as u64))
    {
        let less = p.cx.types().size_of(elem).is_some_and(|size| size < align as u64);
        let problem = if less {
            "alignment of array elements is greater than element size"
        } else {
            "size of array element is not a multiple of its alignment"
        };
        p.cx.error(at, problem);
        return Ty::ERROR.plain();
    }
    let len = match len {
        Length::None => ArrayLen::Incomplete,
        Length::Star => {
            if !parameter && !declarations::in_prototype(&p.cx) {
                p.cx.error(at, "'[*]' not allowed in other than function prototype scope");
            }
            ArrayLen::Star
        }
        Length::Expr(expr) => array_length(p, expr, elem, &what, parameter && outermost, at),
    };
    p.cx.unit.types.array_of(elem, len).plain()
}

fn array_length<'a>(
    p: &mut Parser<'_, 'a>,
    expr: ExprRef<'a>,
    elem: QualType,
    what: &Quoted<'_>,
    decays: bool,
    at: Loc,
) -> ArrayLen {
    if expr.is_error() {
        return ArrayLen::Constant(1);
    }
    if !p.cx.types().is_integer(expr.ty.ty()) {
        p.cx.error(at, format!("size of array {what} has non-integer type"));
        return ArrayLen::Constant(1);
    }
    let value = crate::sema::constants::fold::integer_value(&p.cx, expr);
    match value {
        None | Some(0x1_0000_0000_0000_0000..)
            if value.is_some() || matches!(expr.kind, crate::tree::ExprKind::Wide(_)) =>
        {
            p.cx.error(at, format!("size of array {what} is too large"));
            ArrayLen::Constant(1)
        }
        Some(n) if n < 0 && p.cx.types().is_signed(expr.ty.ty()) => {
            p.cx.error(at, format!("size of array {what} is negative"));
            ArrayLen::Constant(1)
        }
        Some(n) => {
            let n = n as u64;
            if n == 0 {
                p.cx.pedantic(at, format!("ISO C forbids zero-size array {what}"));
            }
            if !expr.flags.has(ExprFlags::ICE) {
                if p.cx.at_file_scope() {
                    p.cx.sess.pedwarn(warning::PEDANTIC, at, format!("variably modified {what} at file scope")).emit();
                } else {
                    p.cx.pedantic(at, format!("ISO C90 forbids array {what} whose size cannot be evaluated"));
                }
            }
            let size = p.cx.types().size_of(elem).unwrap_or(1);
            if n.checked_mul(size.max(1)).is_none_or(|s| s > target::data_layout::MAX_OBJECT_SIZE) {
                p.cx.error(at, format!("size of array {what} is too large"));
                return ArrayLen::Constant(1);
            }
            ArrayLen::Constant(n)
        }
        None => {
            if !p.cx.sess.diag.is_switched_off(&p.cx.sess.sources, warning::VLA, at) {
                p.cx.pedantic_before(Standard::C99, at, || format!("ISO C90 forbids variable length array {what}"));
            }
            p.cx.warn(warning::VLA, at, format!("ISO C90 forbids variable length array {what}"));
            // The outermost length of a parameter does not matter to its type, but its effects happen.
            let vla = p.cx.unit.types.new_vla();
            let len = conversions::convert(&mut p.cx, expr, Ty::SIZE);
            if !decays || crate::sema::builtins::operations::has_side_effects(expr) {
                p.cx.pending_bounds.push(VlaBound { vla, len });
            }
            ArrayLen::Variable(vla)
        }
    }
}

/// `ret (params)` with the constraints of C23 6.7.7.4.
fn function_type<'a>(p: &mut Parser<'_, 'a>, ret: QualType, piece: &FunctionPiece<'a>, name: Option<Name>) -> QualType {
    let what = quoted(p, name);
    let at = name.map_or(piece.loc, |n| n.loc);
    let ret = match p.cx.kind(ret) {
        TypeKind::Function(_) => {
            p.cx.error(at, format!("{what} declared as function returning a function"));
            Ty::ERROR.plain()
        }
        TypeKind::Array { .. } => {
            p.cx.error(at, format!("{what} declared as function returning an array"));
            Ty::ERROR.plain()
        }
        _ => {
            if !ret.quals().is_empty() {
                p.cx.warn(warning::IGNORED_QUALIFIERS, at, "type qualifiers ignored on function return type");
            }
            ret.unqualified()
        }
    };
    let (variadic, prototype) = (piece.variadic, piece.prototype);
    let mut restricts = 0;
    for (index, &id) in piece.params.iter().enumerate().take(64) {
        let ty = p.cx.unit.decls[id].ty;
        if ty.quals().has(Quals::RESTRICT)
            && p.cx.types().pointee(ty.ty()).is_some_and(|pointee| !pointee.quals().has(Quals::CONST))
        {
            restricts |= 1 << index;
        }
    }
    let params = piece.params.iter().map(|&id| p.cx.unit.decls[id].ty.unqualified()).collect();
    p.cx.unit
        .types
        .function(Signature { ret, params, variadic, prototype, noreturn: false, restricts, abi: CallAbi::Unsaid })
        .plain()
}
