//! Structure, union and enumeration specifiers (C23 6.7.3.2, 6.7.3.3).

use base::{Loc, Symbol};
use platform::options::Standard;

use super::declarators::{self, Declarator};
use super::{Parser, attributes, expressions, specifiers, type_names};
use crate::lex::TokenKind;
use crate::sema::attributes::{self as sema_attributes, Attr, AttrTarget};
use crate::sema::declarations::DeclSpecs;
use crate::sema::lints::{self, Marked};
use crate::sema::records::{self, Member, RecordAttributes};
use crate::sema::{constants, enums};
use crate::tree::{AttrFlags, ExprRef, Name, QualType, RecordId, RecordKind, Ty, TypeKind};

/// struct-or-union-specifier. Also the tag, if it is one without a member list.
pub fn struct_or_union_specifier(p: &mut Parser<'_, '_>) -> (QualType, Option<Name>) {
    let kind = if p.at(TokenKind::KwStruct) { RecordKind::Struct } else { RecordKind::Union };
    let keyword_loc = p.tok.loc;
    p.bump();
    let mut attrs = Vec::new();
    attributes::attribute_specifier_sequence(p, &mut attrs);
    let mut tag: Option<Name> = None;
    if p.at(TokenKind::Identifier) {
        tag = Some(p.name());
        p.bump();
    }
    if p.at(TokenKind::LeftBrace) {
        let ty = definition(p, kind, tag, attrs, keyword_loc);
        return (ty.plain(), None);
    }
    let Some(tag) = tag else {
        p.expected("'{'");
        return (Ty::ERROR.plain(), None);
    };
    // `struct tag;` alone declares the tag in this scope (C23 6.7.3.4 paragraph 8).
    let declares = p.at(TokenKind::Semicolon);
    let ty = records::reference(&mut p.cx, kind, tag.symbol, declares, tag.loc);
    (ty.plain(), Some(tag))
}

fn definition(p: &mut Parser<'_, '_>, kind: RecordKind, tag: Option<Name>, attrs: Vec<Attr>, loc: Loc) -> Ty {
    let place = tag.map_or(loc, |t| t.loc);
    let (id, earlier) = records::begin(&mut p.cx, kind, tag.map(|t| t.symbol), place);
    if !p.enter() {
        return Ty::ERROR;
    }
    p.bump();
    // Names of functions in members' types and so on are not in scope of a statement's cleanup;
    // bounds do not escape.
    let mut members: Vec<Member> = Vec::new();
    while !p.at(TokenKind::RightBrace) && !p.at(TokenKind::Eof) {
        member_declaration(p, id, &mut members);
        if p.panicking {
            p.synchronise_member();
        }
    }
    p.leave();
    p.expect(TokenKind::RightBrace);
    let mut attrs = attrs;
    attributes::attribute_specifier_sequence(p, &mut attrs);
    let collected = sema_attributes::collect(&mut p.cx, &attrs, AttrTarget::Record);
    lints::attributes_given(&mut p.cx, Marked::Record(id), &collected.attributes, place);
    if let Some(mode) = collected.mode {
        let text = p.cx.str(mode);
        p.cx.error(p.previous, format!("mode '{text}' applied to inappropriate type"));
    }
    let record_attrs = RecordAttributes {
        packed: collected.packed,
        align: collected.align,
        transparent: collected.transparent,
        may_alias: collected.may_alias,
        ms_layout: collected.ms_layout.unwrap_or(p.cx.lang.ms_bitfields),
        reversed: collected.reversed.unwrap_or(p.cx.reversed_storage),
    };
    records::finish(&mut p.cx, id, earlier, &mut members, record_attrs, place)
}

impl Parser<'_, '_> {
    /// After an error among members: past the `;`, or to the closing brace.
    fn synchronise_member(&mut self) {
        self.skip_to(&[TokenKind::Semicolon, TokenKind::RightBrace]);
        // Brackets that nothing opened stop the search; no member begins with one.
        while matches!(self.tok.kind, TokenKind::RightParen | TokenKind::RightBracket) {
            self.bump();
            self.skip_to(&[TokenKind::Semicolon, TokenKind::RightBrace]);
        }
        self.eat(TokenKind::Semicolon);
        self.panicking = false;
    }
}

/// member-declaration
fn member_declaration(p: &mut Parser<'_, '_>, record: RecordId, members: &mut Vec<Member>) {
    let outer = p.cx.extension;
    while p.eat(TokenKind::KwExtension) {
        p.cx.extension = outer + 1;
    }
    plain_member_declaration(p, record, members);
    p.cx.extension = outer;
}

/// member-declaration without `__extension__`
fn plain_member_declaration(p: &mut Parser<'_, '_>, record: RecordId, members: &mut Vec<Member>) {
    match { p.tok.kind } {
        TokenKind::Semicolon => {
            p.cx.pedantic(p.tok.loc, "extra semicolon in struct or union specified");
            p.bump();
            return;
        }
        TokenKind::KwStaticAssert => {
            super::declarations::static_assert_declaration(p);
            return;
        }
        _ => {}
    }
    let specs = specifiers::declaration_specifiers(p, false);
    if !specs.any {
        if p.at(TokenKind::Identifier) {
            p.unknown_type();
        } else {
            p.expected("specifier-qualifier-list");
        }
        return;
    }
    if p.at(TokenKind::Semicolon) {
        anonymous_member(p, &specs, members);
        p.bump();
        return;
    }
    if p.at(TokenKind::RightBrace) && !p.panicking {
        anonymous_member(p, &specs, members);
        p.cx.pedantic(p.tok.loc, "no semicolon at end of struct or union");
        return;
    }
    loop {
        member_declarator(p, record, &specs, members);
        if !p.eat(TokenKind::Comma) {
            break;
        }
        attributes::attribute_specifier_sequence(p, &mut Vec::new());
    }
    if p.at(TokenKind::RightBrace) && !p.panicking {
        p.cx.pedantic(p.tok.loc, "no semicolon at end of struct or union");
        return;
    }
    p.expect(TokenKind::Semicolon);
}

/// member-declarator
fn member_declarator(p: &mut Parser<'_, '_>, record: RecordId, specs: &DeclSpecs, members: &mut Vec<Member>) {
    let mut declarator = Declarator::default();
    let mut width = None;
    let loc;
    if p.at(TokenKind::Colon) {
        loc = p.tok.loc;
    } else {
        declarator = declarators::declarator(p);
        loc = declarator.name.map_or(p.tok.loc, |n| n.loc);
    }
    if p.eat(TokenKind::Colon) {
        if specs.align != 0 {
            let text = declarator.name.map_or("<anonymous>", |n| p.cx.str(n.symbol));
            p.cx.error(loc, format!("alignment specified for bit-field '{text}'"));
        }
        width = Some(expressions::constant_expression(p));
    }
    let mut attrs = specs.attrs.clone();
    attributes::attribute_specifier_sequence(p, &mut attrs);
    attrs.append(&mut declarator.attrs);
    let name = declarator.name.map(|n| n.symbol);
    let bounds = p.cx.pending_bounds.len();
    let (ty, _) = declarators::apply(p, specs.ty, &mut declarator);
    if !p.cx.types().is_variably_modified(ty.ty()) {
        p.cx.pending_bounds.truncate(bounds);
    }
    lints::specifiers_used(&mut p.cx, specs, &attrs);
    let collected = sema_attributes::collect(&mut p.cx, &attrs, AttrTarget::Field);
    if let Some(name) = name {
        lints::attributes_given(&mut p.cx, Marked::Member(record, name), &collected.attributes, loc);
    }
    let ty = sema_attributes::apply_to_type(&mut p.cx, ty, &collected, AttrTarget::Field, loc);
    sema_attributes::checks::against_type(&mut p.cx, &collected.later, ty, AttrTarget::Field, loc);
    let unsigned = width.is_some() && p.cx.lang.unsigned_bitfields && !specs.explicit_sign;
    let written = if unsigned { crate::sema::types::without_sign(&p.cx, ty) } else { ty };
    let ty = p.cx.unit.types.bare(written);
    let align = collected.align.max(specs.align);
    if collected.packed && width.is_none() {
        lints::member_packed(&mut p.cx, written, loc);
    }
    let nonstring = collected.attributes.flags.has(AttrFlags::NONSTRING);
    let mut member = Member { name, ty, written, width: None, align, packed: collected.packed, nonstring, loc };
    match width {
        Some(expr) => {
            member.width = bit_field_width(p, &member, expr);
            if member.width.is_some() {
                members.push(member);
            }
        }
        None => {
            records::check_member(&mut p.cx, record, &mut member);
            members.push(member);
        }
    }
}

/// The width of a bit-field; none after an error.
fn bit_field_width<'a>(p: &mut Parser<'_, 'a>, member: &Member, expr: ExprRef<'a>) -> Option<u32> {
    if expr.is_error() {
        return None;
    }
    let text = member.name.map_or("<anonymous>", |n| p.cx.str(n));
    let message = format!("bit-field '{text}' width not an integer constant");
    let pedantic = format!("bit-field '{text}' width not an integer constant expression");
    let strict = constants::Strictness::Folded;
    let (value, _) = constants::require_integer(&mut p.cx, expr, strict, &message, &pedantic)?;
    records::check_bit_field(&mut p.cx, member.name, member.ty, Some(value), member.loc)
}

/// A member declaration without declarator: an anonymous structure or union (C11), or with
/// `-fms-extensions` one with a tag.
fn anonymous_member(p: &mut Parser<'_, '_>, specs: &DeclSpecs, members: &mut Vec<Member>) {
    let loc = specs.loc;
    let TypeKind::Record(id) = p.cx.kind(specs.ty) else {
        if !p.cx.types().is_error(specs.ty.ty()) {
            p.cx.pedwarn_always(loc, "declaration does not declare anything");
        }
        return;
    };
    let record = &p.cx.types().records[id];
    let (tagged, complete) = (record.tag.is_some(), record.complete);
    let allowed = (!tagged && specs.typedef_name.is_none()) || p.cx.lang.ms_extensions || p.cx.lang.plan9_extensions;
    if !allowed || !complete {
        p.cx.pedwarn_always(loc, "declaration does not declare anything");
        return;
    }
    let lang = if p.cx.since(Standard::C99) { "C99" } else { "C90" };
    p.cx.pedantic_before(Standard::C11, p.tok.loc, || format!("ISO {lang} doesn't support unnamed structs/unions"));
    let collected = sema_attributes::collect(&mut p.cx, &specs.attrs, AttrTarget::Field);
    let align = collected.align.max(specs.align);
    let (ty, written) = (p.cx.unit.types.bare(specs.ty), specs.ty);
    let packed = collected.packed;
    members.push(Member { name: None, ty, written, width: None, align, packed, nonstring: false, loc });
}

/// enum-specifier
pub fn enum_specifier(p: &mut Parser<'_, '_>) -> QualType {
    let loc = p.tok.loc;
    p.bump();
    let mut attrs = Vec::new();
    attributes::attribute_specifier_sequence(p, &mut attrs);
    let mut tag: Option<Name> = None;
    if p.at(TokenKind::Identifier) {
        tag = Some(p.name());
        p.bump();
    }
    // `enum E : type`; in a bit-field's declaration the colon belongs to the width.
    let mut fixed = None;
    if p.at(TokenKind::Colon) {
        let next = p.peek();
        if type_names::token_starts_type_name(p, next) {
            p.bump();
            let specs = specifiers::declaration_specifiers(p, false);
            p.cx.pedantic_before(Standard::C23, loc, || {
                "ISO C does not support specifying 'enum' underlying types before C2X".to_string()
            });
            fixed = Some(p.cx.types().canonical(specs.ty.ty()));
        }
    }
    if p.at(TokenKind::LeftBrace) {
        return enumerator_list(p, tag, fixed, attrs).plain();
    }
    let Some(tag) = tag else {
        p.expected("'{'");
        return Ty::ERROR.plain();
    };
    let declares = p.at(TokenKind::Semicolon);
    enums::reference(&mut p.cx, tag.symbol, fixed, declares, tag.loc).plain()
}

fn enumerator_list(p: &mut Parser<'_, '_>, tag: Option<Name>, fixed: Option<Ty>, attrs: Vec<Attr>) -> Ty {
    let place = tag.map_or(p.tok.loc, |t| t.loc);
    let mut builder = enums::begin(&mut p.cx, tag.map(|t| t.symbol), fixed, place);
    p.bump();
    while !p.at(TokenKind::RightBrace) && !p.at(TokenKind::Eof) {
        let Some(name) = p.identifier() else {
            p.skip_to(&[TokenKind::RightBrace]);
            p.panicking = false;
            if !p.at(TokenKind::RightBrace) {
                p.eat(TokenKind::Semicolon);
            }
            break;
        };
        let mut enumerator_attrs = Vec::new();
        attributes::attribute_specifier_sequence(p, &mut enumerator_attrs);
        let mut value = None;
        let mut valid = true;
        if p.eat(TokenKind::Equal) {
            let expr = expressions::constant_expression(p);
            let text: Symbol = name.symbol;
            let message = format!("enumerator value for '{}' is not an integer constant", p.cx.str(text));
            let pedantic = format!("enumerator value for '{}' is not an integer constant expression", p.cx.str(text));
            if constants::integer_value(&mut p.cx, expr).is_none() && !expr.is_error() {
                p.cx.error(name.loc, message);
            } else {
                let strict = constants::Strictness::Folded;
                value = constants::require_integer(&mut p.cx, expr, strict, &message, &pedantic);
            }
            valid = value.is_some();
        }
        let value = if valid { value } else { Some((0, Ty::INT)) };
        enums::add(&mut p.cx, &mut builder, name.symbol, value, name.loc);
        if !enumerator_attrs.is_empty() {
            let collected = sema_attributes::collect(&mut p.cx, &enumerator_attrs, AttrTarget::Enumerator);
            if let Some(id) = p.cx.scopes.lookup(name.symbol) {
                crate::sema::declarations::add_attributes(&mut p.cx, id, &collected);
            }
        }
        if !p.eat(TokenKind::Comma) {
            break;
        }
        if p.at(TokenKind::RightBrace) {
            p.cx.pedantic_before(Standard::C99, p.tok.loc, || "comma at end of enumerator list".to_string());
        }
    }
    if !p.at(TokenKind::RightBrace) {
        p.expected("',' or '}'");
        p.skip_to(&[TokenKind::RightBrace]);
    }
    p.eat(TokenKind::RightBrace);
    let mut attrs = attrs;
    attributes::attribute_specifier_sequence(p, &mut attrs);
    let collected = sema_attributes::collect(&mut p.cx, &attrs, AttrTarget::Enum);
    lints::attributes_given(&mut p.cx, Marked::Enum(builder.id), &collected.attributes, place);
    enums::finish(&mut p.cx, builder, collected.packed, collected.mode, place)
}
