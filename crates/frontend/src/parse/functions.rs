//! Function definitions (C23 6.9.2), old-style ones and nested ones (GNU) included.

use base::Symbol;

use super::declarators;
use super::parameters::FunctionPiece;
use super::unit::External;
use super::{Parser, attributes, specifiers, statements};
use crate::lex::TokenKind;
use crate::sema::attributes::{self as sema_attributes, AttrTarget, Collected};
use crate::sema::declarations::{self as sema, DeclSpecs, Declared, Storage};
use crate::sema::functions::{self, DefinitionParams};
use crate::sema::lints;
use crate::sema::scope::ScopeKind;
use crate::tree::{Block, DeclId, Name, QualType, Stmt, StmtKind};

/// The rest of a function definition after its declarator.
#[allow(clippy::too_many_arguments)]
pub fn function_definition<'a>(
    p: &mut Parser<'_, 'a>,
    specs: &DeclSpecs,
    name: Name,
    ty: QualType,
    attrs: &Collected,
    asm_name: Option<Symbol>,
    piece: FunctionPiece<'a>,
    out: &mut Option<&mut Vec<Stmt<'a>>>,
) {
    if specs.storage == Some(Storage::Typedef) {
        p.cx.error(name.loc, "function definition declared 'typedef'");
    }
    lints::definition_begins(&mut p.cx, name);
    let declared = Declared { name, ty, asm_name, attrs, initialised: false, definition: true };
    let id = sema::declare(&mut p.cx, specs, declared);
    let outer_depth = p.cx.scopes.depth();
    p.cx.scopes.push(ScopeKind::Function);
    for &(symbol, tag) in &piece.tags {
        p.cx.scopes.bind_tag(symbol, tag);
    }
    for &decl in &piece.declared {
        if let Some(symbol) = p.cx.unit.decls[decl].name {
            p.cx.scopes.bind(symbol, decl);
        }
    }
    let mut params = piece.params;
    lints::parameters_declared(&mut p.cx, id, &params);
    let old_style = !piece.prototype;
    if old_style {
        params = old_style_parameters(p, &piece.identifiers);
        functions::finish_old_style(&mut p.cx, id, &params);
    }
    let mut bounds = piece.bounds;
    bounds.append(&mut p.cx.pending_bounds);
    let bounds = p.cx.slice(&bounds);
    if piece.unspecified_length {
        p.cx.error(name.loc, "'[*]' not allowed in other than function prototype scope");
    }
    if !p.at(TokenKind::LeftBrace) {
        p.expected("declaration specifiers");
        p.cx.scopes.pop_to(outer_depth);
        return;
    }
    // With a prototype in scope callers pass what it says, and so the function takes it.
    let prototype = p.cx.types().signature_of(p.cx.unit.decls[id].ty.ty()).is_some_and(|s| s.prototype);
    let old_style = old_style && !prototype;
    functions::begin(&mut p.cx, id, DefinitionParams { params, old_style, bounds }, outer_depth);
    let body = function_body(p);
    let def = functions::finish(&mut p.cx, body);
    match out {
        Some(out) => out.push(Stmt { kind: StmtKind::NestedFunction(def), loc: name.loc }),
        None => p.finished.push(External::Function(def)),
    }
}

/// function-body: a compound statement in the scope of the parameters.
fn function_body<'a>(p: &mut Parser<'_, 'a>) -> &'a Block<'a> {
    // Set before the brace is left: a pragma may follow it.
    let (decimal_constants, contraction_off) = (p.cx.decimal_constants, p.cx.contraction_off);
    let outer = std::mem::replace(&mut p.cx.contraction_ends, contraction_off);
    let brace = p.tok.loc;
    p.enter();
    p.bump();
    let mut stmts = Vec::new();
    statements::block_items(p, &mut stmts, false);
    p.leave();
    let end = p.tok.loc;
    if !p.at(TokenKind::RightBrace) {
        p.unclosed(brace);
    }
    crate::sema::statements::leave_scope(&mut p.cx);
    let stmts = p.cx.slice(&stmts);
    let block = p.cx.arena.alloc(Block { stmts, end });
    p.panicking = false;
    (p.cx.decimal_constants, p.cx.contraction_off) = (decimal_constants, contraction_off);
    p.cx.fun().flags.keeps_roundings = p.cx.contraction_ends;
    p.cx.contraction_ends |= outer;
    p.eat(TokenKind::RightBrace);
    block
}

/// The declarations between an identifier list and the body; identifiers without one are `int`.
fn old_style_parameters<'a>(p: &mut Parser<'_, 'a>, identifiers: &[Name]) -> Vec<DeclId> {
    while !p.at(TokenKind::LeftBrace) && !p.at(TokenKind::Eof) {
        if !specifiers::starts_declaration(p) {
            p.expected("declaration specifiers");
            p.skip_to(&[TokenKind::LeftBrace]);
            p.panicking = false;
            if p.at(TokenKind::Semicolon) {
                p.bump();
                continue;
            }
            break;
        }
        let specs = specifiers::declaration_specifiers(p, true);
        if p.at(TokenKind::Semicolon) && !specs.declares_tag {
            p.cx.pedwarn_always(specs.loc, "empty declaration");
        }
        while !p.at(TokenKind::Semicolon) && !p.panicking {
            let mut declarator = declarators::declarator(p);
            let mut attrs = specs.attrs.clone();
            attributes::attribute_specifier_sequence(p, &mut attrs);
            attrs.append(&mut declarator.attrs);
            let Some(name) = declarator.name else { break };
            let (ty, _) = declarators::apply(p, specs.ty, &mut declarator);
            sema::check_parameter_specifiers(&mut p.cx, &specs, Some(name), name.loc);
            lints::specifiers_used(&mut p.cx, &specs, &attrs);
            let text = p.cx.str(name.symbol);
            if p.at(TokenKind::Equal) {
                p.cx.error(name.loc, format!("parameter '{text}' is initialized"));
                p.skip_to(&[TokenKind::Semicolon]);
            }
            if identifiers.iter().any(|n| n.symbol == name.symbol) {
                let collected = sema_attributes::collect(&mut p.cx, &attrs, AttrTarget::Parameter);
                let register = specs.storage == Some(Storage::Register);
                sema::declare_parameter(&mut p.cx, Some(name), ty, register, &collected, name.loc);
            } else {
                p.cx.error(name.loc, format!("declaration for parameter '{text}' but no such parameter"));
            }
            if !p.eat(TokenKind::Comma) {
                break;
            }
        }
        if p.panicking {
            p.skip_to(&[TokenKind::LeftBrace]);
            p.panicking = false;
            p.eat(TokenKind::Semicolon);
            continue;
        }
        p.expect(TokenKind::Semicolon);
    }
    identifiers
        .iter()
        .map(|&name| match p.cx.scopes.lookup_here(name.symbol) {
            Some(id) => id,
            None => functions::default_parameter(&mut p.cx, name),
        })
        .collect()
}
