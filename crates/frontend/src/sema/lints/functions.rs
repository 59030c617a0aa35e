//! Definitions of functions: missing prototypes, ends that are reached, the form of `main`.

use base::{Loc, warning};
use platform::options::Standard;

use crate::sema::Sema;
use crate::sema::declarations::{DeclSpecs, Storage};
use crate::tree::{AttrFlags, DeclFlags, DeclId, Linkage, Name, QualType, Ty, TypeKind};

/// `-Wmissing-prototypes` asks whether a declaration came before.
pub fn note_earlier_declaration(cx: &mut Sema<'_, '_>, name: Name) {
    if let Some(&id) = cx.linked.get(&name.symbol) {
        let decl = cx.unit.decls[id];
        let hidden = DeclFlags::IMPLICIT.0 | DeclFlags::BUILTIN_DECL.0 | DeclFlags::BLOCK_EXTERN.0;
        if decl.flags.0 & hidden == 0 {
            let prototype = cx.types().signature_of(decl.ty.ty()).is_some_and(|s| s.prototype);
            cx.unit_lints.declared_before.insert(id, prototype);
        }
    }
}

pub fn check_missing_prototype(cx: &mut Sema<'_, '_>, decl: DeclId) {
    let info = cx.unit.decls[decl];
    if info.linkage == Linkage::External && !info.flags.has(DeclFlags::INLINE) && info.name != Some(cx.names.main) {
        let before = cx.unit_lints.declared_before.get(&decl).copied();
        let name = cx.dname(decl);
        let prototype = cx.types().signature_of(info.ty.ty()).is_some_and(|s| s.prototype);
        // gcc gives the first of its three warnings that fits.
        if before != Some(true) && !prototype && cx.sess.warning_enabled(warning::STRICT_PROTOTYPES, info.loc) {
            return;
        }
        if before != Some(true) && cx.sess.warning_enabled(warning::MISSING_PROTOTYPES, info.loc) {
            cx.warn(warning::MISSING_PROTOTYPES, info.loc, format!("no previous prototype for {name}"));
        } else if before.is_none() {
            cx.warn(warning::MISSING_DECLARATIONS, info.loc, format!("no previous declaration for {name}"));
        }
    }
}

/// `-Wreturn-type` at the end of the body.
pub fn check_return(cx: &mut Sema<'_, '_>, decl: DeclId, ret: QualType, falls_off: bool, end: Loc) {
    let info = cx.unit.decls[decl];
    if info.flags.has(DeclFlags::NORETURN) {
        if falls_off {
            cx.sess.warn_always(end, "'noreturn' function does return").emit();
        }
        return;
    }
    let is_main = info.name == Some(cx.names.main) && cx.since(Standard::C99);
    let naked = cx.unit.attrs(decl).is_some_and(|a| a.flags.has(AttrFlags::NAKED));
    if !falls_off || cx.kind(ret) == TypeKind::Void || is_main || naked || cx.types().is_error(ret.ty()) {
        return;
    }
    cx.warn(warning::RETURN_TYPE, end, "control reaches end of non-void function");
}

/// The form of `main` (C23 5.1.2.3.2).
pub fn check_main(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, ty: QualType, loc: Loc) {
    if specs.inline && cx.lang.hosted {
        cx.pedantic(loc, "cannot inline function 'main'");
    }
    let Some(signature) = cx.types().signature_of(ty.ty()).cloned() else { return };
    if !cx.lang.hosted {
        return;
    }
    if cx.types().canonical(signature.ret.ty()) != Ty::INT {
        cx.pedwarn(warning::MAIN, loc, "return type of 'main' is not 'int'");
    }
    if specs.noreturn {
        cx.pedantic(loc, "'main' declared '_Noreturn'");
    }
    if specs.storage == Some(Storage::Static) {
        cx.pedwarn(warning::MAIN, loc, "'main' is normally a non-static function");
    }
    if !cx.sess.warning_enabled(warning::MAIN, loc) || !signature.prototype {
        return;
    }
    let count = signature.params.len();
    if let Some(&first) = signature.params.first()
        && cx.types().canonical(first.ty()) != Ty::INT
    {
        cx.pedwarn(warning::MAIN, loc, "first argument of 'main' should be 'int'");
    }
    for (index, &ty) in signature.params.iter().enumerate().skip(1).take(2) {
        let strings = cx.types().pointee(ty.ty()).and_then(|p| cx.types().pointee(p.ty()));
        if strings.is_none_or(|c| cx.types().canonical(c.ty()) != Ty::CHAR) {
            let which = if index == 1 { "second" } else { "third" };
            cx.pedwarn(warning::MAIN, loc, format!("{which} argument of 'main' should be 'char **'"));
        }
    }
    if count > 3 || count == 1 {
        cx.pedwarn(warning::MAIN, loc, "'main' takes only zero or two arguments");
    }
}
