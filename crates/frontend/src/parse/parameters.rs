//! Parameter lists of function declarators (C23 6.7.7.4): prototypes, identifier lists, GNU's
//! forward declarations.

use base::{Loc, Symbol, warning};
use platform::options::Standard;

use super::declarators::{self, Declarator, Piece};
use super::{Parser, attributes, specifiers};
use crate::lex::TokenKind;
use crate::sema::attributes::{self as sema_attributes, AttrTarget};
use crate::sema::declarations::{self, Storage};
use crate::sema::derived_types::Length;
use crate::sema::lints::{self, Brackets};
use crate::sema::scope::{ScopeKind, Tag};
use crate::sema::{suggestions, types};
use crate::tree::{DeclFlags, DeclId, Name, QualType, Quals, Ty, TypeKind, VlaBound};

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

/// `( parameter-type-list )` or `( identifier-list )`
pub fn function_suffix<'a>(p: &mut Parser<'_, 'a>) -> FunctionPiece<'a> {
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
        TokenKind::Identifier if p.cx.typedef(p.tok.symbol()).is_none() && !specifiers::at_unknown_type(p) => {
            identifier_list(p, &mut piece)
        }
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
            suggestions::unknown_type(&p.cx, *last);
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

/// `(void)` is an empty list; `void` anywhere else is an error, but (as in gcc, with a warning) for
/// the name of the only parameter of what is no definition.
fn check_void(p: &mut Parser<'_, '_>, piece: &mut FunctionPiece<'_>) {
    let is_void = |p: &Parser<'_, '_>, id: DeclId| p.cx.kind(p.cx.unit.decls[id].ty) == TypeKind::Void;
    if let [only] = piece.params[..]
        && is_void(p, only)
        && p.cx.unit.decls[only].name.is_none()
        && !piece.variadic
    {
        let decl = p.cx.unit.decls[only];
        if !decl.ty.quals().is_empty() || decl.flags.has(DeclFlags::REGISTER) {
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
            p.unknown_type();
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
    let mut declarator = declarators::parameter_declarator(p);
    attributes::attribute_specifier_sequence(p, &mut attrs);
    attrs.append(&mut declarator.attrs);
    let loc = declarator.name.map_or(start, |n| n.loc);
    let name = declarator.name;
    declarations::check_parameter_specifiers(&mut p.cx, &specs, name, loc);
    lints::specifiers_used(&mut p.cx, &specs, &attrs);
    let outer_quals = match declarator.pieces.last() {
        Some(Piece::Array { quals, .. }) => *quals,
        _ => Quals::NONE,
    };
    let brackets = written_brackets(p, specs.ty, &declarator, loc);
    let (mut ty, _) = declarators::apply_parameter(p, specs.ty, &mut declarator);
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
            p.cx.unit.decls[id].ty = p.cx.unit.types.bare(adjusted);
            p.cx.unit.decls[id].written = adjusted;
            id
        }
        None => declarations::declare_parameter(&mut p.cx, name, ty, register, &collected, loc),
    };
    if let Some(brackets) = brackets {
        lints::parameter_written(&mut p.cx, id, declared, &brackets);
    }
    piece.params.push(id);
}

/// The brackets after a parameter's name, outermost first, where declarations are compared.
fn written_brackets<'a>(
    p: &Parser<'_, 'a>,
    base: QualType,
    declarator: &Declarator<'a>,
    loc: Loc,
) -> Option<Vec<Brackets<'a>>> {
    let written = |piece: &Piece<'a>| match *piece {
        Piece::Array { len, is_static, text, .. } => {
            let length = if let Length::Expr(expr) = len { Some(expr) } else { None };
            Some(Brackets { length, star: matches!(len, Length::Star), is_static, text })
        }
        _ => None,
    };
    let is_array = match declarator.pieces.last() {
        Some(piece) => matches!(piece, Piece::Array { .. }),
        None => p.cx.types().is_array(base.ty()),
    };
    (is_array && lints::compares_parameters(&p.cx, loc))
        .then(|| declarator.pieces.iter().rev().map_while(written).collect())
}
