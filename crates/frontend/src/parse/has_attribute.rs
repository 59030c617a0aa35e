//! `__builtin_has_attribute (operand, attribute)`: whether a type, an expression's type or a named
//! entity was given an attribute.

use crate::lex::TokenKind;
use crate::sema::attributes::{self as sema_attributes, Attr, AttrArg, AttrTarget, Collected};
use crate::tree::{AttrFlags, DeclFlags, DeclId, ExprKind, ExprRef, Field, Ty, TypeKind};

use super::{Parser, attributes, expressions, type_names};

/// What is asked about.
enum Operand {
    Type(Ty),
    Decl(DeclId),
    Field(Field),
}

/// The current token is `__builtin_has_attribute`.
pub fn has_attribute<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let loc = p.tok.loc;
    p.bump();
    p.expect(TokenKind::LeftParen);
    p.cx.unevaluated += 1;
    let operand = operand(p);
    p.cx.unevaluated -= 1;
    p.expect(TokenKind::Comma);
    let mut list = Vec::new();
    attributes::attribute(p, false, &mut list);
    p.expect(TokenKind::RightParen);
    let has = match list.first() {
        Some(attr) => is_set(p, &operand, attr),
        None => false,
    };
    p.cx.ice(has as i128, Ty::BOOL, loc)
}

fn operand(p: &mut Parser<'_, '_>) -> Operand {
    if type_names::starts_type_name(p) {
        // Nothing is evaluated, bounds of arrays neither.
        let bounds = p.cx.pending_bounds.len();
        let ty = type_names::type_name(p).ty();
        p.cx.pending_bounds.truncate(bounds);
        return Operand::Type(ty);
    }
    let expr = expressions::assignment_expression(p);
    match expr.kind {
        ExprKind::Decl(id) => Operand::Decl(id),
        ExprKind::Member { record, field, .. } => Operand::Field(*p.cx.types().records[record].field(field)),
        _ => Operand::Type(expr.ty.ty()),
    }
}

fn is_set(p: &mut Parser<'_, '_>, operand: &Operand, attr: &Attr) -> bool {
    let name = p.cx.str(attr.name).to_string();
    let ty = match *operand {
        Operand::Type(ty) => ty,
        Operand::Decl(id) => p.cx.unit.decls[id].ty.ty(),
        Operand::Field(field) => field.ty.ty(),
    };
    match name.as_str() {
        "aligned" => {
            let declared = match *operand {
                Operand::Decl(id) => p.cx.unit.decls[id].align,
                Operand::Field(field) => field.declared_align,
                Operand::Type(_) => 0,
            };
            let declared = if declared == 0 { type_alignment(p, ty) } else { declared };
            declared != 0 && first_number(attr).is_none_or(|wanted| wanted == i128::from(declared))
        }
        "packed" => {
            let field = matches!(operand, Operand::Field(field) if field.packed);
            field || p.cx.types().record_of(ty).is_some_and(|record| record.packed)
        }
        "vector_size" => match p.cx.types().size_of(ty) {
            Some(size) if p.cx.types().is_vector(ty) => {
                first_number(attr).is_none_or(|wanted| wanted == i128::from(size))
            }
            _ => false,
        },
        "may_alias" => p.cx.types().may_alias(ty),
        "transparent_union" => p.cx.types().record_of(ty).is_some_and(|record| record.transparent),
        _ => match *operand {
            Operand::Decl(id) => is_declared(p, id, attr, &name),
            Operand::Type(_) | Operand::Field(_) => {
                let signature = p.cx.types().signature_of(ty);
                name == "noreturn" && signature.is_some_and(|signature| signature.noreturn)
            }
        },
    }
}

fn first_number(attr: &Attr) -> Option<i128> {
    match attr.args.first() {
        Some(&AttrArg::Int(value)) => Some(value),
        _ => None,
    }
}

/// The alignment an attribute gave a type, its elements or its structure; 0 for none.
fn type_alignment(p: &Parser<'_, '_>, mut ty: Ty) -> u32 {
    loop {
        if let Some(align) = p.cx.types().declared_align(ty) {
            return align;
        }
        match p.cx.kind(ty) {
            TypeKind::Array { elem, .. } => ty = elem.ty(),
            TypeKind::Record(id) => return p.cx.types().records[id].declared_align,
            _ => return 0,
        }
    }
}

/// Whether a declaration has an attribute: with arguments if these are given, with any if not.
fn is_declared(p: &mut Parser<'_, '_>, id: DeclId, attr: &Attr, name: &str) -> bool {
    if name == "noreturn" && p.cx.unit.decls[id].flags.has(DeclFlags::NORETURN) {
        return true;
    }
    let Some(declared) = p.cx.unit.attrs(id).cloned() else { return false };
    if !attr.has_args {
        let flag = AttrFlags::TABLE.iter().find(|(spelling, _)| *spelling == name);
        return match name {
            "section" => declared.section.is_some(),
            "nonnull" => declared.nonnull == u64::MAX,
            "alias" => declared.alias.is_some(),
            "ifunc" => declared.ifunc.is_some(),
            "visibility" => declared.visibility.is_some(),
            "constructor" => declared.constructor.is_some(),
            "destructor" => declared.destructor.is_some(),
            "cleanup" => declared.cleanup.is_some(),
            "tls_model" => declared.tls_model.is_some(),
            "target" => declared.target.is_some(),
            "optimize" => declared.optimize.is_some(),
            "error" => declared.error.is_some(),
            "warning" => declared.warning.is_some(),
            "symver" => declared.symver.is_some(),
            "alloc_size" => declared.alloc_size != (0, 0),
            "alloc_align" => declared.alloc_align != 0,
            "assume_aligned" => declared.assume_aligned.is_some(),
            "format" => declared.format.is_some(),
            "format_arg" => declared.format_arg != 0,
            "warn_unused" | "maybe_unused" => declared.flags.has(AttrFlags::UNUSED),
            _ => flag.is_some_and(|&(_, flag)| declared.flags.has(flag)),
        };
    }
    let function = p.cx.types().is_function(p.cx.unit.decls[id].ty.ty());
    let target = if function { AttrTarget::Function } else { AttrTarget::Variable };
    let Collected { attributes, .. } = sema_attributes::collect(&mut p.cx, std::slice::from_ref(attr), target);
    // An attribute that is there already adds nothing. Of `alloc_size` the first argument may be
    // given alone.
    let mut merged = declared.clone();
    merged.merge(&attributes);
    if merged.alloc_size == (declared.alloc_size.0, 0) {
        merged.alloc_size = declared.alloc_size;
    }
    attributes != Default::default() && merged == declared
}
