//! A name in its scope: entered, or merged with an earlier declaration.

use platform::options::Standard;

use super::{error_with_previous, previous_note};
use crate::sema::{Sema, lints, types};
use crate::tree::{AttrFlags, Decl, DeclFlags, DeclId, DeclKind, Linkage, Name, QualType, TypeKind};

/// Enters a declaration into the current scope, merging it with an earlier one of the same entity.
pub(super) fn enter(cx: &mut Sema<'_, '_>, name: Name, decl: Decl, definition: bool) -> DeclId {
    let here = cx.scopes.lookup_here(name.symbol);
    if let Some(previous) = here {
        return redeclare(cx, name, previous, decl, definition);
    }
    if decl.linkage != Linkage::None {
        // `extern` in a block, or a first declaration at file scope after one in a block: the same
        // entity.
        let visible = cx.scopes.lookup(name.symbol).filter(|&v| {
            let v = &cx.unit.decls[v];
            v.linkage != Linkage::None && matches!(v.kind, DeclKind::Variable | DeclKind::Function)
        });
        if let Some(previous) = visible.or_else(|| cx.linked.get(&name.symbol).copied()) {
            let old = cx.unit.decls[previous];
            if old.linkage == Linkage::Internal && visible.is_none() && decl.linkage == Linkage::External {
                // Hidden by a local variable: C leaves it undefined (6.2.2); gcc errors.
                let text = cx.str(name.symbol);
                error_with_previous(
                    cx,
                    name.loc,
                    format!("variable previously declared 'static' redeclared 'extern': '{text}'"),
                    previous,
                );
            }
            let merged = redeclare(cx, name, previous, decl, definition);
            cx.scopes.bind(name.symbol, merged);
            return merged;
        }
    }
    let mut decl = decl;
    if decl.linkage != Linkage::None && !cx.at_file_scope() {
        decl.flags.set(DeclFlags::BLOCK_EXTERN);
    }
    let id = cx.unit.decls.push(decl);
    lints::declared(cx, id);
    cx.scopes.bind(name.symbol, id);
    if decl.linkage != Linkage::None {
        cx.linked.insert(name.symbol, id);
    }
    id
}

/// A further declaration of `previous`.
fn redeclare(cx: &mut Sema<'_, '_>, name: Name, previous: DeclId, new: Decl, definition: bool) -> DeclId {
    let old = cx.unit.decls[previous];
    let text = cx.str(name.symbol);
    if old.flags.has(DeclFlags::BUILTIN_DECL) && old.kind == DeclKind::Function && new.kind == DeclKind::Function {
        let builtin_ty = old.ty;
        let matches = types::compatible_unqualified(cx.types(), old.ty.ty(), new.ty.ty());
        let decl = &mut cx.unit.decls[previous];
        let flags = DeclFlags(new.flags.0 | old.flags.0 & DeclFlags::REFERENCED.0);
        *decl = Decl { flags, attrs: old.attrs, builtin: old.builtin.filter(|_| matches), ..new };
        let _ = builtin_ty;
        cx.scopes.bind(name.symbol, previous);
        return previous;
    }
    if old.kind != new.kind {
        error_with_previous(cx, name.loc, format!("'{text}' redeclared as different kind of symbol"), previous);
        return replace(cx, name, new);
    }
    if old.linkage == Linkage::None && new.linkage == Linkage::None {
        let declared_function = new.kind == DeclKind::Function && !old.flags.has(DeclFlags::DEFINED);
        if !declared_function {
            let message = match new.kind {
                _ if types::compatible(cx.types(), old.ty, new.ty) => {
                    if new.kind == DeclKind::Parameter {
                        let message = format!("redefinition of parameter '{text}'");
                        error_with_previous(cx, name.loc, message, previous);
                        return replace(cx, name, new);
                    }
                    let message = format!("redeclaration of '{text}' with no linkage");
                    if new.kind == DeclKind::Variable { message } else { format!("redefinition of '{text}'") }
                }
                _ => format!("conflicting types for '{text}'; have {}", cx.tname(new.written)),
            };
            error_with_previous(cx, name.loc, message, previous);
            return replace(cx, name, new);
        }
    }
    if (old.linkage == Linkage::None) != (new.linkage == Linkage::None) {
        let message = if new.linkage == Linkage::None {
            format!("declaration of '{text}' with no linkage follows extern declaration")
        } else {
            format!("extern declaration of '{text}' follows declaration with no linkage")
        };
        error_with_previous(cx, name.loc, message, previous);
        return replace(cx, name, new);
    }
    if !merge_types(cx, name, previous, &old, &new, definition) {
        return replace(cx, name, new);
    }
    merge_linkage(cx, name, previous, &old, &new);
    lints::redeclared(cx, name, previous, &old, &new, definition);
    if old.flags.has(DeclFlags::THREAD_KEYWORD) != new.flags.has(DeclFlags::THREAD_KEYWORD)
        && new.kind == DeclKind::Variable
    {
        let word = if new.flags.has(DeclFlags::THREAD_KEYWORD) { "thread-local" } else { "non-thread-local" };
        let other = if new.flags.has(DeclFlags::THREAD_KEYWORD) { "non-thread-local" } else { "thread-local" };
        error_with_previous(
            cx,
            name.loc,
            format!("{word} declaration of '{text}' follows {other} declaration"),
            previous,
        );
    }
    let alignment = merged_alignment(cx, &old, &new);
    let decl = &mut cx.unit.decls[previous];
    if definition
        || new.flags.has(DeclFlags::DEFINED)
        || (decl.flags.has(DeclFlags::BLOCK_EXTERN) && new.flags.has(DeclFlags::FILE_SCOPE))
    {
        decl.loc = new.loc;
    }
    decl.flags.set(new.flags);
    if definition && old.flags.has(DeclFlags::DEFINED) && !new.flags.has(DeclFlags::EXTERN_WITH_INLINE) {
        // The real definition after one for inlining takes its place.
        decl.flags.clear(DeclFlags::EXTERN_WITH_INLINE);
    }
    if new.flags.has(DeclFlags::FILE_SCOPE) {
        decl.flags.clear(DeclFlags::BLOCK_EXTERN);
    }
    if new.flags.has(DeclFlags::NOT_ONLY_INLINE) && old.flags.has(DeclFlags::IMPLICIT) {
        decl.flags.clear(DeclFlags::IMPLICIT);
    }
    decl.align = alignment;
    decl.asm_name = new.asm_name.or(decl.asm_name);
    previous
}

/// The alignment that two declarations of an object or function ask for, 0 for none: the stricter
/// one's, and the one that is written out of two equal ones (gcc's `merge_decls`).
fn merged_alignment(cx: &Sema<'_, '_>, old: &Decl, new: &Decl) -> u32 {
    let effective = |decl: &Decl| if decl.align != 0 { decl.align } else { cx.types().align_of(decl.ty) };
    match effective(old).cmp(&effective(new)) {
        _ if old.kind != DeclKind::Variable => old.align.max(new.align),
        std::cmp::Ordering::Greater if old.align != 0 || new.align != 0 => effective(old),
        std::cmp::Ordering::Greater => 0,
        std::cmp::Ordering::Equal => old.align.max(new.align),
        std::cmp::Ordering::Less => new.align,
    }
}

/// After an error the new declaration hides the old one, so that what follows is judged by it.
fn replace(cx: &mut Sema<'_, '_>, name: Name, new: Decl) -> DeclId {
    let id = cx.unit.decls.push(new);
    cx.scopes.bind(name.symbol, id);
    id
}

/// Compatible types are merged to the composite; false if they are not compatible.
fn merge_types(cx: &mut Sema<'_, '_>, name: Name, previous: DeclId, old: &Decl, new: &Decl, definition: bool) -> bool {
    let text = cx.str(name.symbol);
    let both_defined = old.flags.has(DeclFlags::DEFINED) && (definition || new.flags.has(DeclFlags::DEFINED));
    let again_inline = new.flags.has(DeclFlags::EXTERN_WITH_INLINE);
    let redefines_weakref = definition && cx.unit.attrs(previous).is_some_and(|a| a.weakref.is_some());
    if both_defined && (again_inline || !inline_redefinition(cx, previous, old)) || redefines_weakref {
        error_with_previous(cx, name.loc, format!("redefinition of '{text}'"), previous);
        return false;
    }
    if cx.types().is_error(old.ty.ty()) || cx.types().is_error(new.ty.ty()) {
        return true;
    }
    let agrees = types::compatible_unqualified(cx.types(), old.ty.ty(), new.ty.ty())
        || (definition && old_style_agrees(cx, old.ty, new.ty));
    let variadic = |ty: QualType| cx.types().signature_of(ty.ty()).is_some_and(|s| s.variadic);
    if agrees && variadic(old.ty) && cx.types().signature_of(new.ty.ty()).is_some_and(|s| !s.prototype) {
        let (note_loc, note) = previous_note(cx, previous, "declaration");
        let message = format!("'{text}' defined as variadic function without prototype");
        cx.sess.warn_always(name.loc, message).note(note_loc, note).emit();
    }
    if !agrees {
        // An implicit declaration that turned out wrong gets a warning if only the result differs
        // in `void`.
        let implicit = old.flags.has(DeclFlags::IMPLICIT);
        let have = cx.tname(new.written);
        if implicit && returns_void(cx, new.ty) && !cx.since(Standard::C23) {
            let (note_loc, note) = previous_note(cx, previous, "implicit declaration");
            let message = format!("conflicting types for '{text}'; have {have}");
            cx.sess.warn_always(name.loc, message).note(note_loc, note).emit();
            (cx.unit.decls[previous].ty, cx.unit.decls[previous].written) = (new.ty, new.written);
            return true;
        }
        if implicit {
            let (note_loc, note) = previous_note(cx, previous, "implicit declaration");
            let message = format!("conflicting types for '{text}'; have {have}");
            cx.sess.error(name.loc, message).note(note_loc, note).emit();
        } else {
            error_with_previous(cx, name.loc, format!("conflicting types for '{text}'; have {have}"), previous);
        }
        return false;
    }
    let space = |ty| types::effective_quals(cx.types(), ty);
    if space(old.ty).space() != space(new.ty).space() {
        let spaces = format!("{} vs {}", space(new.ty).space_name(), space(old.ty).space_name());
        let message = format!("conflicting named address spaces ({spaces}) for '{text}'");
        error_with_previous(cx, name.loc, message, previous);
        return false;
    }
    if old.ty.quals() != new.ty.quals() {
        let have = cx.tname(new.written);
        error_with_previous(cx, name.loc, format!("conflicting type qualifiers for '{text}'; have {have}"), previous);
        return false;
    }
    let keep_definition = old.flags.has(DeclFlags::DEFINED) && old.kind == DeclKind::Function;
    let (first, second) = if keep_definition { (old.ty, new.ty) } else { (new.ty, old.ty) };
    let merged = types::composite(&mut cx.unit.types, first, second);
    cx.unit.decls[previous].ty = QualType::new(merged.ty(), new.ty.quals());
    let (first, second) = if keep_definition { (old.written, new.written) } else { (new.written, old.written) };
    if first.ty() != second.ty() && (old.written != old.ty || new.written != new.ty) {
        let merged = types::composite(&mut cx.unit.types, first, second);
        cx.unit.decls[previous].written = QualType::new(merged.ty(), new.written.quals());
    } else {
        cx.unit.decls[previous].written = first;
    }
    true
}

/// An old-style definition after a prototype: only the results are compared here, the parameters
/// once they are declared.
fn old_style_agrees(cx: &Sema<'_, '_>, old: QualType, new: QualType) -> bool {
    match (cx.types().signature_of(old.ty()), cx.types().signature_of(new.ty())) {
        (Some(old), Some(new)) if old.prototype && !new.prototype => {
            types::compatible_unqualified(cx.types(), old.ret.ty(), new.ret.ty())
        }
        _ => false,
    }
}

pub(super) fn returns_void(cx: &Sema<'_, '_>, ty: QualType) -> bool {
    cx.types().signature_of(ty.ty()).is_some_and(|s| cx.kind(s.ret) == TypeKind::Void)
}

/// GNU: an `extern inline` definition may be followed by the real one.
pub(super) fn inline_redefinition(cx: &Sema<'_, '_>, id: DeclId, old: &Decl) -> bool {
    let gnu = cx.unit.gnu89_inline || cx.unit.attrs(id).is_some_and(|a| a.flags.has(AttrFlags::GNU_INLINE));
    gnu && old.flags.has(DeclFlags::EXTERN_WITH_INLINE)
}

fn merge_linkage(cx: &mut Sema<'_, '_>, name: Name, previous: DeclId, old: &Decl, new: &Decl) {
    let text = cx.str(name.symbol);
    match (old.linkage, new.linkage) {
        (Linkage::External, Linkage::Internal) if inline_redefinition(cx, previous, old) => {
            cx.unit.decls[previous].linkage = Linkage::Internal;
        }
        (Linkage::External, Linkage::Internal) => {
            if old.flags.has(DeclFlags::IMPLICIT) {
                // gcc takes `static` after an implicit declaration with a warning only.
                let (note_loc, note) = previous_note(cx, previous, "implicit declaration");
                let message = format!("static declaration of '{text}' follows non-static declaration");
                cx.sess.error(name.loc, message).note(note_loc, note).emit();
            } else {
                let message = format!("static declaration of '{text}' follows non-static declaration");
                error_with_previous(cx, name.loc, message, previous);
            }
            cx.unit.decls[previous].linkage = Linkage::Internal;
        }
        // A function, or an explicit `extern`, keeps the earlier internal linkage.
        (Linkage::Internal, Linkage::External)
            if new.kind == DeclKind::Variable && !new.flags.has(DeclFlags::EXTERN_DECLARED) =>
        {
            let message = format!("non-static declaration of '{text}' follows static declaration");
            error_with_previous(cx, name.loc, message, previous);
        }
        _ => {}
    }
}
