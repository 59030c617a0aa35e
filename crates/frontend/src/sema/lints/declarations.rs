//! Declarations that say nothing new, and objects that are too large.

use base::warning;

use crate::sema::Sema;
use crate::sema::declarations::previous_note;
use crate::tree::{Decl, DeclFlags, DeclId, DeclKind, Name, QualType, Ty};

/// `-Wredundant-decls`: a declaration in the scope of an equal one, neither of them a definition.
pub fn check_redundant(cx: &Sema<'_, '_>, name: Name, previous: DeclId, old: &Decl, new: &Decl, definition: bool) {
    let defines = |decl: &Decl| decl.flags.has(DeclFlags::DEFINED) || decl.flags.has(DeclFlags::TENTATIVE);
    let hidden = old.flags.has(DeclFlags::IMPLICIT) || old.flags.has(DeclFlags::BLOCK_EXTERN);
    let second = definition || new.flags.has(DeclFlags::ALIAS) || new.kind == DeclKind::Variable && defines(new);
    if second || hidden || !cx.at_file_scope() || !cx.sess.warning_enabled(warning::REDUNDANT_DECLS, name.loc) {
        return;
    }
    let message = format!("redundant redeclaration of '{}'", cx.str(name.symbol));
    let (loc, note) = previous_note(cx, previous, if defines(old) { "definition" } else { "declaration" });
    cx.sess.warn(warning::REDUNDANT_DECLS, name.loc, message).note(loc, note).emit();
}

/// `-Wlarger-than=`: an object or a parameter.
pub fn check_size(cx: &mut Sema<'_, '_>, id: DeclId) {
    let decl = cx.unit.decls[id];
    if let Some((size, limit)) = too_large(cx, decl.ty) {
        let name = if decl.name.is_some() { cx.dname(id) } else { "'({anonymous})'".to_string() };
        let message = format!("size of {name} {size} bytes exceeds maximum object size {limit}");
        cx.warn(warning::LARGER_THAN, decl.loc, message);
    }
}

/// `-Wlarger-than=`: what a function that is defined returns; gcc looks at those that get code.
pub fn check_result_size(cx: &mut Sema<'_, '_>, id: DeclId, ret: QualType) {
    if cx.unit.decls[id].flags.has(DeclFlags::INLINE) {
        return;
    }
    if let Some((size, _)) = too_large(cx, ret) {
        let message = format!("size of return value of {} is {size} bytes", cx.dname(id));
        cx.warn(warning::LARGER_THAN, cx.unit.decls[id].loc, message);
    }
}

/// The size of a type, and the limit that it is over.
fn too_large(cx: &Sema<'_, '_>, ty: QualType) -> Option<(u64, u64)> {
    if !cx.sess.diag.is_on_somewhere(warning::LARGER_THAN) || ty.ty() == Ty::VOID {
        return None;
    }
    let limit = cx.sess.diag.level(warning::LARGER_THAN);
    cx.types().size_of(ty).filter(|&size| size > limit).map(|size| (size, limit))
}
