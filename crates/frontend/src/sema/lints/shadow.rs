//! `-Wshadow`: a declaration that hides another one of an outer scope (gcc's `warn_if_shadowing`).
//!
//! Parameters count in definitions only. What system headers declare is not hidden, and a function
//! only by another one or a pointer to one.

use base::warning;

use crate::sema::Sema;
use crate::sema::scope::ScopeKind;
use crate::tree::{DeclFlags, DeclId, DeclKind, TypeKind};

/// `-Wshadow=local` and `-Wshadow=compatible-local` are about what is hidden by locals of any type
/// and of the same one.
const FLAGS: [base::WarningId; 3] = [warning::SHADOW, warning::SHADOW_LOCAL, warning::SHADOW_COMPATIBLE_LOCAL];

/// Depth of file scope.
const FILE_SCOPE: u32 = 1;

/// Checks a declaration that is about to be bound in the innermost scope, or a parameter of a
/// definition.
pub fn check(cx: &mut Sema<'_, '_>, id: DeclId) {
    if cx.at_file_scope() || !FLAGS.into_iter().any(|flag| cx.sess.diag.is_on_somewhere(flag)) {
        return;
    }
    let new = cx.unit.decls[id];
    let Some(name) = new.name.filter(|_| cx.scopes.kind() != ScopeKind::Prototype) else { return };
    let callable = new.kind == DeclKind::Function
        || cx.types().pointee(new.ty.ty()).is_some_and(|pointee| matches!(cx.kind(pointee), TypeKind::Function(_)));
    let here = cx.scopes.depth() as u32;
    let hidden = cx.scopes.visible_and_hidden(name).find(|&(old, depth)| {
        let other = &cx.unit.decls[old];
        let function = other.kind == DeclKind::Function;
        old != id
            && (depth < here || depth == here && new.kind == DeclKind::Parameter)
            && !other.flags.has(DeclFlags::BUILTIN_DECL)
            && !cx.sess.sources.in_system_header(other.loc)
            && (!function || depth > FILE_SCOPE || callable)
    });
    let Some((old, depth)) = hidden else { return };
    let old = cx.unit.decls[old];
    let what = match old.kind {
        DeclKind::Parameter => "a parameter",
        _ if depth == FILE_SCOPE => "a global declaration",
        _ => "a previous local",
    };
    let flag = if depth == FILE_SCOPE && old.kind != DeclKind::Parameter
        || cx.sess.warning_enabled(warning::SHADOW, new.loc)
    {
        warning::SHADOW
    } else if crate::sema::types::compatible_unqualified(cx.types(), old.ty.ty(), new.ty.ty()) {
        warning::SHADOW_COMPATIBLE_LOCAL
    } else {
        warning::SHADOW_LOCAL
    };
    let message = format!("declaration of '{}' shadows {what}", cx.str(name));
    cx.sess.warn(flag, new.loc, message).note(old.loc, "shadowed declaration is here").emit();
}
