//! Declarations (C23 6.7): specifiers, init-declarator lists, static assertions, file-scope `asm`.

use base::{Loc, Symbol, warning};
use platform::options::Standard;

use super::declarators::{self, Declarator};
use super::parameters::FunctionPiece;
use super::unit::External;
use super::{Parser, attributes, expressions, functions, initializers, specifiers};
use crate::lex::TokenKind;
use crate::sema::attributes::{self as sema_attributes, Attr, AttrTarget};
use crate::sema::conversions;
use crate::sema::declarations::{self as sema, DeclSpecs, Declared};
use crate::sema::{lints, literals, statements, suggestions, types};
use crate::tree::{DeclId, Name, QualType, Stmt, StmtKind, Ty, TypeKind, VlaBound};

/// external-declaration
pub fn external_declaration(p: &mut Parser<'_, '_>) {
    let outer = p.cx.extension;
    while p.eat(TokenKind::KwExtension) {
        p.cx.extension = outer + 1;
    }
    match p.tok.kind {
        TokenKind::Semicolon => {
            p.cx.pedantic(p.tok.loc, "ISO C does not allow extra ';' outside of a function");
            p.bump();
        }
        TokenKind::KwAsm => file_asm(p),
        TokenKind::KwStaticAssert => static_assert_declaration(p),
        TokenKind::RightBrace => {
            p.expected("identifier or '('");
            p.bump();
            p.panicking = false;
        }
        _ => declaration(p, Vec::new(), None),
    }
    p.cx.extension = outer;
    if p.panicking {
        p.synchronise();
    }
}

/// declaration, or at file scope (`out` is `None`) a function definition. `attrs` stood before it.
pub fn declaration<'a>(p: &mut Parser<'_, 'a>, attrs: Vec<Attr>, out: Option<&mut Vec<Stmt<'a>>>) {
    if declarators_of(p, attrs, out) {
        if p.at(TokenKind::Semicolon) {
            p.bump();
        } else {
            missing_semicolon(p);
        }
    }
}

/// The declaration in the header of a selection statement, with its `;`. False if the header's `)`
/// follows instead.
pub fn header_declaration<'a>(p: &mut Parser<'_, 'a>, out: &mut Vec<Stmt<'a>>) -> bool {
    if !declarators_of(p, Vec::new(), Some(out)) {
        return true;
    }
    if p.at(TokenKind::RightParen) {
        return false;
    }
    p.expect(TokenKind::Semicolon);
    true
}

/// A declaration without its `;`. False if it is complete: it had no declarators, was a function,
/// or an error.
fn declarators_of<'a>(p: &mut Parser<'_, 'a>, attrs: Vec<Attr>, mut out: Option<&mut Vec<Stmt<'a>>>) -> bool {
    let start = p.tok.loc;
    // `[[]];` is an attribute declaration (C23 6.7.1) of no attributes.
    let attributed = attributes::at_standard(p);
    let mut specs = specifiers::declaration_specifiers(p, true);
    if !attrs.is_empty() {
        let own = std::mem::replace(&mut specs.attrs, attrs);
        specs.attrs.extend(own);
        specs.any = true;
    }
    if p.panicking {
        return false;
    }
    if p.at(TokenKind::Semicolon) {
        empty_declaration(p, &specs, start, attributed);
        let bounds: Vec<VlaBound<'a>> = p.cx.pending_bounds.drain(..).collect();
        if let Some(out) = out
            && !bounds.is_empty()
        {
            let bounds = p.cx.slice(&bounds);
            out.push(Stmt { kind: StmtKind::Bounds(bounds), loc: start });
        }
        p.bump();
        return false;
    }
    if specs.defines_tag() && another_declaration(p) {
        p.missing(Some(";"), "';', identifier or '('");
        p.panicking = false;
        return false;
    }
    if !specs.has_type && !specs.infer && !check_implicit_type(p, &specs) {
        return false;
    }
    let mut first = true;
    loop {
        let leading = if first { Vec::new() } else { prefix_attributes(p) };
        let mut declarator = declarators::declarator(p);
        if p.panicking {
            return false;
        }
        declarator.attrs.extend(leading);
        let outcome = init_declarator(p, &mut specs, declarator, first, &mut out);
        match outcome {
            Outcome::Function | Outcome::Failed => return false,
            Outcome::Declared => {}
        }
        first = false;
        if !p.eat(TokenKind::Comma) {
            break;
        }
    }
    true
}

/// Whether the current token begins a declaration after the definition of a structure that lacks
/// its semicolon. A typedef's name may be declared anew there.
fn another_declaration(p: &mut Parser<'_, '_>) -> bool {
    match p.tok.kind {
        TokenKind::Identifier => p.cx.typedef(p.tok.symbol()).is_some() && p.peek().is(TokenKind::Identifier),
        TokenKind::KwAttribute | TokenKind::KwAsm => false,
        _ => specifiers::starts_declaration(p),
    }
}

/// `int x __attribute__((a)), __attribute__((b)) y`
fn prefix_attributes(p: &mut Parser<'_, '_>) -> Vec<Attr> {
    let mut attrs = Vec::new();
    attributes::gnu_attribute_sequence(p, &mut attrs);
    attrs
}

fn missing_semicolon(p: &mut Parser<'_, '_>) {
    if p.cx.at_file_scope() {
        p.expected("'=', ',', ';', 'asm' or '__attribute__'");
    } else {
        p.missing(Some(";"), "',' or ';'");
    }
}

/// A declaration without declarators declares a tag, or nothing (C23 6.7.1 paragraph 2).
fn empty_declaration(p: &mut Parser<'_, '_>, specs: &DeclSpecs, start: Loc, attributed: bool) {
    for (is_there, word) in [(specs.inline, "inline"), (specs.noreturn, "_Noreturn")] {
        if is_there {
            p.cx.error(start, format!("'{word}' in empty declaration"));
        }
    }
    if specs.declares_tag {
        if redeclares_nothing(p, specs, start) {
            return;
        }
        if specs.qualified && !p.cx.types().is_error(specs.ty.ty()) {
            p.cx.sess.warn_always(start, "useless type qualifier in empty declaration").emit();
        }
        if specs.storage.is_some() && !p.cx.types().is_error(specs.ty.ty()) {
            p.cx.sess.warn_always(start, "useless storage class specifier in empty declaration").emit();
        }
        // Attributes after `struct s {...}` with nothing declared have been applied by the
        // specifier.
        return;
    }
    if specs.has_type {
        p.cx.sess.warn_always(start, "useless type name in empty declaration").emit();
        if !specs.inline && !specs.noreturn {
            p.cx.pedwarn_always(start, "empty declaration");
        }
    } else if specs.attrs.iter().any(|attr| attr.standard) && specs.storage.is_none() {
        attribute_declaration(p, specs);
    } else if specs.any && specs.attrs.is_empty() && (!attributed || specs.storage.is_some() || specs.qualified) {
        p.cx.pedwarn_always(start, "empty declaration");
    }
}

/// `const struct s;` with a visible `struct s` declares nothing (C99 6.7.2.3 paragraph 8, 6.7
/// paragraph 2).
fn redeclares_nothing(p: &mut Parser<'_, '_>, specs: &DeclSpecs, start: Loc) -> bool {
    let what = match (specs.storage, specs.qualified) {
        (Some(_), _) => "storage class specifier",
        (None, true) => "type qualifier",
        (None, false) => return false,
    };
    // Only a tag without a list: its declaration lies before this one.
    let declared = match p.cx.kind(specs.ty) {
        TypeKind::Record(id) => p.cx.types().records[id].loc,
        TypeKind::Enum(id) => p.cx.types().enums[id].loc,
        _ => return false,
    };
    let earlier = specs.tag_reference && declared != specs.tag_loc;
    if earlier {
        p.cx.pedwarn_always(start, format!("empty declaration with {what} does not redeclare tag"));
    }
    earlier
}

/// `[[a, b]];` outside of functions: none of the standard's attributes makes one (C23 6.7.1
/// paragraph 9).
fn attribute_declaration(p: &mut Parser<'_, '_>, specs: &DeclSpecs) {
    for attr in specs.attrs.iter().filter(|attr| attr.standard) {
        let name = p.cx.str(attr.name);
        let message = match name {
            "fallthrough" => "'fallthrough' attribute at top level".to_string(),
            _ => format!("'{name}' attribute ignored"),
        };
        p.cx.pedwarn(warning::ATTRIBUTES, attr.loc, message);
    }
}

/// No type specifier: `int` in the old modes (gcc 12 warns from C99 on, C23 makes it an error).
/// False if it looks like an unknown type name.
fn check_implicit_type(p: &mut Parser<'_, '_>, specs: &DeclSpecs) -> bool {
    if p.at(TokenKind::Identifier) {
        let next = p.peek();
        let looks_like_type = matches!(next.kind, TokenKind::Identifier | TokenKind::Star)
            || (next.kind.is_keyword() && !matches!(next.kind, TokenKind::KwAttribute | TokenKind::KwAsm));
        if looks_like_type {
            suggestions::unknown_type(&p.cx, Name { symbol: p.tok.symbol(), loc: p.tok.loc });
            // Take it for a type: what follows is most likely right.
            p.bump();
            p.panicking = true;
            p.synchronise();
            return false;
        }
    } else if !specs.any && !p.at(TokenKind::Star) && !p.at(TokenKind::LeftParen) {
        p.expected("identifier or '('");
        return false;
    }
    true
}

enum Outcome {
    Declared,
    Function,
    Failed,
}

/// init-declarator, or the rest of a function definition.
fn init_declarator<'a>(
    p: &mut Parser<'_, 'a>,
    specs: &mut DeclSpecs,
    declarator: Declarator<'a>,
    first: bool,
    out: &mut Option<&mut Vec<Stmt<'a>>>,
) -> Outcome {
    let mut declarator = declarator;
    let Some(name) = declarator.name else { return Outcome::Failed };
    let asm_name = asm_label(p);
    let mut attrs = specs.attrs.clone();
    let attributed = p.at(TokenKind::KwAttribute);
    attributes::attribute_specifier_sequence(p, &mut attrs);
    attrs.append(&mut declarator.attrs);
    let (ty, function) = declarators::apply(p, specs.ty, &mut declarator);
    let is_function = p.cx.types().is_function(ty.ty());
    let definition = is_function && first && begins_body(p, function.as_ref());
    if attributed && definition && p.at(TokenKind::LeftBrace) {
        let message = "attributes should be specified before the declarator in a function definition";
        p.cx.error(specs.loc, message);
    }
    implicit_int(p, specs, name, definition);
    lints::specifiers_used(&mut p.cx, specs, &attrs);
    if specs.infer && !is_function {
        return inferred(p, specs, name, ty, attrs, asm_name, out);
    }
    let target = if is_function { AttrTarget::Function } else { AttrTarget::Variable };
    let target = if specs.storage == Some(sema::Storage::Typedef) { AttrTarget::Typedef } else { target };
    let collected = sema_attributes::collect(&mut p.cx, &attrs, target);
    if definition {
        let Some(function) = function else {
            // The parameter list must be the declarator's own (6.9.2 paragraph 2).
            p.expected("'=', ',', ';', 'asm' or '__attribute__'");
            return Outcome::Failed;
        };
        functions::function_definition(p, specs, name, ty, &collected, asm_name, function, out);
        return Outcome::Function;
    }
    if let Some(function) = &function
        && !function.identifiers.is_empty()
    {
        p.cx.sess
            .pedwarn(warning::PEDANTIC, name.loc, "parameter names (without types) in function declaration")
            .emit();
    }
    let initialised = p.at(TokenKind::Equal);
    let declared = Declared { name, ty, asm_name, attrs: &collected, initialised, definition: false };
    let id = sema::declare(&mut p.cx, specs, declared);
    if let Some(function) = function
        && p.cx.unit.decls[id].kind == crate::tree::DeclKind::Function
    {
        lints::parameters_declared(&mut p.cx, id, &function.params);
    }
    finish_declarator(p, id, initialised, out);
    if p.panicking { Outcome::Failed } else { Outcome::Declared }
}

/// The body of a function definition follows: `{`, or the declarations of an identifier list's
/// parameters.
fn begins_body(p: &mut Parser<'_, '_>, function: Option<&FunctionPiece<'_>>) -> bool {
    if p.at(TokenKind::LeftBrace) {
        return true;
    }
    let old_style = function.is_some_and(|f| !f.identifiers.is_empty());
    old_style && specifiers::starts_declaration(p) && !p.at(TokenKind::KwAttribute)
}

/// The warnings for a declaration without a type specifier.
fn implicit_int(p: &mut Parser<'_, '_>, specs: &DeclSpecs, name: Name, definition: bool) {
    if specs.has_type || specs.infer {
        return;
    }
    let text = p.cx.str(name.symbol);
    if !specs.any && !definition {
        p.cx.pedwarn_always(name.loc, "data definition has no type or storage class");
    }
    let message = if definition {
        "return type defaults to 'int'".to_string()
    } else {
        format!("type defaults to 'int' in declaration of '{text}'")
    };
    if p.cx.since(Standard::C23) {
        p.cx.error(name.loc, message);
    } else if p.cx.since(Standard::C99) {
        p.cx.sess.pedwarn(warning::IMPLICIT_INT, name.loc, message).emit();
    } else if definition && p.cx.sess.warning_enabled(warning::RETURN_TYPE, name.loc) {
        p.cx.warn(warning::RETURN_TYPE, name.loc, message);
    }
}

/// Initialiser, and the statement or external definition that results.
fn finish_declarator<'a>(p: &mut Parser<'_, 'a>, id: DeclId, initialised: bool, out: &mut Option<&mut Vec<Stmt<'a>>>) {
    let bounds: Vec<VlaBound<'a>> = p.cx.pending_bounds.drain(..).collect();
    let bounds = p.cx.slice(&bounds);
    let mut init = None;
    if initialised {
        p.bump();
        let empty = p.at(TokenKind::LeftBrace) && p.peek().is(TokenKind::RightBrace);
        let (is_static, ty) = sema::begin_initializer(&mut p.cx, id, empty);
        let what = p.cx.dname(id);
        let (ty, value) = if p.cx.types().is_vla(ty.ty()) {
            (ty, Some(initializers::empty(p)))
        } else {
            initializers::initializer(p, ty, is_static, &what)
        };
        init = value;
        sema::finish_initializer(&mut p.cx, id, ty, init.as_ref());
    } else {
        sema::check_uninitialised(&mut p.cx, id);
    }
    match out {
        Some(out) => {
            if let Some(stmt) = sema::local_statement(&mut p.cx, id, bounds, init) {
                out.push(stmt);
            }
        }
        None => {
            p.flush_statics();
            if let Some(crate::sema::initializers::Finished::Static(value)) = init {
                p.finished.push(External::Variable(id, value));
            }
        }
    }
}

impl Parser<'_, '_> {
    /// Anonymous static objects of file scope are defined before what refers to them.
    pub fn flush_statics(&mut self) {
        if self.cx.functions.is_empty() {
            for var in std::mem::take(&mut self.cx.pending_statics) {
                if let Some(init) = var.init {
                    self.finished.push(External::Variable(var.decl, *init));
                }
            }
        }
    }
}

/// `auto x = e;`, `__auto_type x = e;`: the name is not in scope in its own initialiser.
fn inferred<'a>(
    p: &mut Parser<'_, 'a>,
    specs: &mut DeclSpecs,
    name: Name,
    ty: QualType,
    attrs: Vec<Attr>,
    asm_name: Option<Symbol>,
    out: &mut Option<&mut Vec<Stmt<'a>>>,
) -> Outcome {
    let text = p.cx.str(name.symbol);
    if !p.at(TokenKind::Equal) {
        p.cx.error(name.loc, format!("declaration of '{text}' with '__auto_type' lacks an initializer"));
        return Outcome::Failed;
    }
    if p.cx.types().is_pointer(ty.ty()) || p.cx.types().is_array(ty.ty()) {
        p.cx.error(name.loc, "'__auto_type' declared with something other than a plain identifier");
    }
    p.bump();
    if p.at(TokenKind::LeftBrace) {
        p.expected("expression");
        return Outcome::Failed;
    }
    let loc = p.tok.loc;
    let is_file = out.is_none() || specs.storage == Some(sema::Storage::Static) || specs.constexpr;
    let outer = std::mem::replace(&mut p.cx.in_static_initializer, is_file);
    let value = expressions::assignment_expression(p);
    p.cx.in_static_initializer = outer;
    let inferred = if value.is_error() {
        Ty::ERROR.plain()
    } else {
        let ty = sema::inferred_type(&mut p.cx, value, specs.ty.quals());
        types::require_complete(&mut p.cx, ty, loc);
        ty
    };
    let collected = sema_attributes::collect(&mut p.cx, &attrs, AttrTarget::Variable);
    let declared = Declared { name, ty: inferred, asm_name, attrs: &collected, initialised: true, definition: false };
    let id = sema::declare(&mut p.cx, specs, declared);
    let bounds: Vec<VlaBound<'a>> = p.cx.pending_bounds.drain(..).collect();
    let bounds = p.cx.slice(&bounds);
    let (is_static, _) = sema::begin_initializer(&mut p.cx, id, false);
    let what = p.cx.dname(id);
    let value = conversions::rvalue(&mut p.cx, value);
    let (ty, init) = crate::sema::initializers::from_expression(&mut p.cx, inferred, is_static, &what, value, loc);
    sema::finish_initializer(&mut p.cx, id, ty, init.as_ref());
    match out {
        Some(out) => {
            if let Some(stmt) = sema::local_statement(&mut p.cx, id, bounds, init) {
                out.push(stmt);
            }
        }
        None => {
            p.flush_statics();
            if let Some(crate::sema::initializers::Finished::Static(value)) = init {
                p.finished.push(External::Variable(id, value));
            }
        }
    }
    Outcome::Declared
}

/// `asm ("name")` after a declarator
pub fn asm_label(p: &mut Parser<'_, '_>) -> Option<Symbol> {
    if !p.at(TokenKind::KwAsm) {
        return None;
    }
    p.bump();
    p.expect(TokenKind::LeftParen);
    let tokens = p.string_tokens();
    if tokens.is_empty() {
        p.expected("string literal");
    }
    let bytes = literals::narrow_string(&mut p.cx, &tokens);
    let symbol = p.cx.sess.interner.intern_bytes(bytes);
    p.expect(TokenKind::RightParen);
    (!tokens.is_empty()).then_some(symbol)
}

/// `asm ("...");` at file scope
fn file_asm(p: &mut Parser<'_, '_>) {
    let loc = p.tok.loc;
    p.bump();
    while matches!(p.tok.kind, TokenKind::KwVolatile | TokenKind::KwInline) {
        p.cx.sess.warn_always(p.tok.loc, "asm qualifier ignored outside of function").emit();
        p.bump();
    }
    p.expect(TokenKind::LeftParen);
    let tokens = p.string_tokens();
    if tokens.is_empty() {
        p.expected("string literal");
        return;
    }
    let text = literals::narrow_string(&mut p.cx, &tokens);
    p.expect(TokenKind::RightParen);
    p.expect(TokenKind::Semicolon);
    p.finished.push(External::Asm(text, loc));
}

/// static_assert-declaration
pub fn static_assert_declaration(p: &mut Parser<'_, '_>) {
    let loc = p.tok.loc;
    p.cx.pedantic_before(Standard::C11, loc, || "ISO C99 does not support '_Static_assert'".to_string());
    p.bump();
    p.expect(TokenKind::LeftParen);
    let cond = expressions::constant_expression(p);
    let mut message = None;
    if p.eat(TokenKind::Comma) {
        let tokens = p.string_tokens();
        if tokens.is_empty() {
            p.expected("string literal");
        } else {
            let lit = literals::string_contents(&mut p.cx, &tokens);
            message = Some(&lit.bytes[..lit.bytes.len() - lit.elem_size as usize]);
        }
    } else {
        p.cx.pedantic_before(Standard::C23, loc, || {
            "ISO C11 does not support omitting the string in '_Static_assert'".to_string()
        });
    }
    p.expect(TokenKind::RightParen);
    p.expect(TokenKind::Semicolon);
    if !p.panicking {
        statements::static_assert(&mut p.cx, cond, message, loc);
    }
}
