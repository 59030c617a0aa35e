//! Inline definitions of functions with external linkage (C23 6.7.5 paragraphs 3 and 7). Another
//! unit may have a definition of its own, so that what they name must be the same everywhere: they
//! define no modifiable object with static storage duration and refer to nothing with internal
//! linkage. Which definitions are of that kind is known at the end of the unit only: a later
//! `extern` changes it.

use base::Loc;

use crate::sema::{Sema, types};
use crate::tree::{AttrFlags, Decl, DeclFlags, DeclId, DeclKind, Emission, Linkage};

/// Something static in the body of an `inline` function.
pub struct StaticInInline {
    function: DeclId,
    object: DeclId,
    loc: Loc,
    /// The object is defined there, rather than referred to.
    declared: bool,
}

/// The function being parsed, if it may turn out to be such a definition.
fn inline_function(cx: &Sema<'_, '_>) -> Option<DeclId> {
    let function = cx.functions.last()?.decl;
    let decl = &cx.unit.decls[function];
    (decl.flags.has(DeclFlags::INLINE) && decl.linkage == Linkage::External).then_some(function)
}

/// An identifier with internal linkage is referred to.
pub fn note_reference(cx: &mut Sema<'_, '_>, id: DeclId, loc: Loc) {
    if let Some(function) = inline_function(cx) {
        cx.unit_lints.statics_in_inline.push(StaticInInline { function, object: id, loc, declared: false });
    }
}

/// A `static` variable of a block is declared.
pub fn note_static_local(cx: &mut Sema<'_, '_>, id: DeclId) {
    let decl = cx.unit.decls[id];
    if let Some(function) = inline_function(cx)
        && !types::effective_quals(cx.types(), decl.ty).is_const()
    {
        cx.unit_lints.statics_in_inline.push(StaticInInline { function, object: id, loc: decl.loc, declared: true });
    }
}

/// The end of the unit.
pub fn check_unit(cx: &mut Sema<'_, '_>) {
    for offence in std::mem::take(&mut cx.unit_lints.statics_in_inline) {
        if cx.unit.emission(offence.function) != Emission::AvailableExternally {
            continue;
        }
        let (object, function) = (cx.dname(offence.object), cx.dname(offence.function));
        let what = if offence.declared { "declared" } else { "used" };
        let message = format!("{object} is static but {what} in inline function {function} which is not static");
        cx.pedwarn_always(offence.loc, message);
    }
    if cx.unit.gnu89_inline {
        return;
    }
    let undefined = |cx: &Sema<'_, '_>, id: DeclId, decl: &Decl| {
        decl.kind == DeclKind::Function
            && decl.flags.has(DeclFlags::INLINE)
            && !decl.flags.has(DeclFlags::DEFINED)
            && decl.linkage == Linkage::External
            // In a hosted environment it is never inline, which is reported.
            && !(cx.lang.hosted && decl.name == Some(cx.names.main))
            && cx.unit.attrs(id).is_none_or(|a| !a.flags.has(AttrFlags::GNU_INLINE) && a.alias.is_none())
    };
    let undefined: Vec<DeclId> =
        cx.unit.decls.iter().filter(|&(id, decl)| undefined(cx, id, decl)).map(|(id, _)| id).collect();
    for id in undefined {
        let message = format!("inline function {} declared but never defined", cx.dname(id));
        cx.pedwarn_always(cx.unit.decls[id].loc, message);
    }
}
