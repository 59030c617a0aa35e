//! Declarations of functions.

use base::{Loc, warning};
use cranelift_entity::packed_option::PackedOption;

use super::redeclarations::{enter, inline_redefinition, returns_void};
use super::{DeclSpecs, Declared, Storage, add_attributes, add_pragmas, check_section, new_decl, previous_note};
use crate::sema::{Sema, builtins, lints};
use crate::tree::{AttrFlags, DeclFlags, DeclId, DeclKind, Linkage, Name, QualType};

pub(super) fn declare_function(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, d: Declared<'_>, ty: QualType) -> DeclId {
    let name = cx.str(d.name.symbol);
    let at_file = cx.at_file_scope();
    let nested = !at_file && (d.definition || specs.storage == Some(Storage::Auto));
    if d.initialised {
        cx.error(d.name.loc, format!("function '{name}' is initialized like a variable"));
    }
    if specs.thread {
        cx.error(d.name.loc, format!("invalid storage class for function '{name}'"));
    }
    if specs.align != 0 {
        cx.error(d.name.loc, format!("alignment specified for function '{name}'"));
    }
    match specs.storage {
        Some(Storage::Register) => cx.error(d.name.loc, format!("invalid storage class for function '{name}'")),
        Some(Storage::Auto) if at_file => {
            cx.error(d.name.loc, format!("invalid storage class for function '{name}'"));
        }
        Some(Storage::Static) if !at_file && !d.definition => {
            cx.error(d.name.loc, format!("invalid storage class for function '{name}'"));
        }
        _ => {}
    }
    let ty = if specs.has_type || !d.definition { ty } else { implicit_void(cx, d.name, ty) };
    if !nested && cx.types().signature_of(ty.ty()).is_some_and(|s| cx.types().is_variably_modified(s.ret.ty())) {
        cx.error(d.name.loc, "non-nested function with variably modified type");
    }
    let unprototyped = cx.types().signature_of(ty.ty()).is_some_and(|s| !s.prototype);
    // A definition takes over the prototype of an earlier declaration.
    let has_prototype = |id: &DeclId| cx.types().signature_of(cx.unit.decls[*id].ty.ty()).is_some_and(|s| s.prototype);
    let declared = cx.linked.get(&d.name.symbol).is_some_and(has_prototype);
    if unprototyped && d.definition && !declared && !cx.types().is_error(ty.ty()) {
        cx.warn(warning::STRICT_PROTOTYPES, d.name.loc, "function declaration isn't a prototype");
    }
    if !at_file && !nested {
        cx.warn(warning::NESTED_EXTERNS, d.name.loc, format!("nested extern declaration of '{name}'"));
    }
    let mut decl = new_decl(cx, &d, DeclKind::Function, ty.unqualified());
    if nested {
        decl.linkage = Linkage::None;
    } else if specs.storage == Some(Storage::Static) && at_file {
        decl.linkage = Linkage::Internal;
    } else {
        decl.linkage = Linkage::External;
        decl.function = PackedOption::default();
    }
    if at_file {
        decl.flags.set(DeclFlags::FILE_SCOPE);
    }
    let is_extern = specs.storage == Some(Storage::Extern);
    if specs.inline {
        decl.flags.set(DeclFlags::INLINE);
        if is_extern && d.definition {
            decl.flags.set(DeclFlags::EXTERN_WITH_INLINE);
        }
    }
    if !specs.inline || is_extern {
        decl.flags.set(DeclFlags::NOT_ONLY_INLINE);
    }
    if is_extern {
        decl.flags.set(DeclFlags::EXTERN_DECLARED);
    }
    if specs.noreturn {
        decl.flags.set(DeclFlags::NORETURN);
    }
    let attributes = &d.attrs.attributes;
    if attributes.alias.is_some() || attributes.ifunc.is_some() || attributes.weakref.is_some() {
        decl.flags.set(DeclFlags::ALIAS);
    }
    if d.name.symbol == cx.names.main && at_file {
        lints::main_declared(cx, specs, ty, d.name.loc);
    }
    let id = enter(cx, d.name, decl, d.definition);
    check_section(cx, id, d.attrs, d.name.loc);
    let given = d.attrs.attributes.flags;
    if specs.inline && given.has(AttrFlags::WEAK) && !given.has(AttrFlags::WEAKREF) {
        cx.warn(warning::ATTRIBUTES, d.name.loc, format!("inline function {} declared weak", cx.dname(id)));
        let mut rest = d.attrs.clone();
        rest.attributes.flags = given.without(AttrFlags::WEAK);
        add_attributes(cx, id, &rest);
    } else {
        add_attributes(cx, id, d.attrs);
    }
    add_pragmas(cx, id);
    check_attribute_conflicts(cx, id, d.name.loc);
    if cx.unit.decls[id].linkage == Linkage::External {
        builtins::recognise(cx, id);
    }
    id
}

/// A definition without a result type after a declaration that says `void` has the type of that
/// declaration, whatever its own parameters are (gcc's `diagnose_mismatched_decls`): callers keep
/// to what was declared.
fn implicit_void(cx: &mut Sema<'_, '_>, name: Name, ty: QualType) -> QualType {
    let Some(&previous) = cx.linked.get(&name.symbol) else { return ty };
    let old = cx.unit.decls[previous];
    let declared = !old.flags.has(DeclFlags::DEFINED) && !old.flags.has(DeclFlags::BUILTIN_DECL);
    if !declared || !returns_void(cx, old.ty) || !cx.types().is_function(ty.ty()) {
        return ty;
    }
    let (note_loc, note) = previous_note(cx, previous, "declaration");
    let message = format!("conflicting types for '{}'", cx.str(name.symbol));
    cx.sess.pedwarn_always(name.loc, message).note(note_loc, note).emit();
    old.ty
}

pub(super) fn check_attribute_conflicts(cx: &mut Sema<'_, '_>, id: DeclId, loc: Loc) {
    let Some(attrs) = cx.unit.attrs(id) else { return };
    let (alias, weak, always, never) = (
        attrs.alias.is_some() || attrs.ifunc.is_some(),
        attrs.flags.has(AttrFlags::WEAK),
        attrs.flags.has(AttrFlags::ALWAYS_INLINE),
        attrs.flags.has(AttrFlags::NOINLINE),
    );
    let decl = cx.unit.decls[id];
    if always && never {
        cx.warn(
            warning::ATTRIBUTES,
            loc,
            "ignoring attribute 'noinline' because it conflicts with attribute 'always_inline'".to_string(),
        );
    }
    let weakref = cx.unit.attrs(id).is_some_and(|a| a.flags.has(AttrFlags::WEAKREF));
    if weak && !weakref && decl.linkage != Linkage::External {
        let name = cx.dname(id);
        cx.error(loc, format!("weak declaration of {name} must be public"));
    }
    if weakref && decl.linkage == Linkage::External {
        let name = cx.dname(id);
        cx.error(loc, format!("'weakref' symbol {name} must have static linkage"));
    }
    // gcc ignores the attribute on declarations in blocks.
    if alias && cx.function().is_some() && decl.linkage == Linkage::External {
        cx.warn(warning::ATTRIBUTES, loc, "'alias' attribute ignored in a block");
        let attrs = cx.unit.attrs_mut(id);
        (attrs.alias, attrs.ifunc) = (None, None);
        return;
    }
    if alias && decl.flags.has(DeclFlags::DEFINED) && !inline_redefinition(cx, id, &decl) {
        let name = cx.dname(id);
        cx.error(loc, format!("{name} defined both normally and as 'alias' attribute"));
    }
}
