//! Declarations that say nothing new, and objects that are too large.

use base::warning;

use crate::sema::Sema;
use crate::sema::declarations::previous_note;
use crate::tree::{Decl, DeclFlags, DeclId, DeclKind, Name};

/// `-Wredundant-decls`: a declaration in the scope of an equal one, neither of them a definition.
pub fn check_redundant(cx: &Sema<'_, '_>, name: Name, previous: DeclId, old: &Decl, new: &Decl, definition: bool) {
    let defines = |decl: &Decl| decl.flags.has(DeclFlags::DEFINED) || decl.flags.has(DeclFlags::TENTATIVE);
    let hidden = old.flags.has(DeclFlags::IMPLICIT) || old.flags.has(DeclFlags::BLOCK_EXTERN);
    let second = definition || new.kind == DeclKind::Variable && defines(new);
    if second || hidden || !cx.at_file_scope() || !cx.sess.warning_enabled(warning::REDUNDANT_DECLS, name.loc) {
        return;
    }
    let message = format!("redundant redeclaration of '{}'", cx.str(name.symbol));
    let (loc, note) = previous_note(cx, previous, if defines(old) { "definition" } else { "declaration" });
    cx.sess.warn(warning::REDUNDANT_DECLS, name.loc, message).note(loc, note).emit();
}

/// `-Wlarger-than=`
pub fn check_size(cx: &mut Sema<'_, '_>, id: DeclId) {
    if !cx.sess.diag.is_on_somewhere(warning::LARGER_THAN) {
        return;
    }
    let decl = cx.unit.decls[id];
    let limit = cx.sess.diag.level(warning::LARGER_THAN);
    if let Some(size) = cx.types().size_of(decl.ty).filter(|&size| size > limit) {
        let name = cx.dname(id);
        let message = format!("size of {name} {size} bytes exceeds maximum object size {limit}");
        cx.warn(warning::LARGER_THAN, decl.loc, message);
    }
}
