//! Storage classes of compound literals.

use super::Sema;
use super::declarations::{DeclSpecs, Storage};
use crate::tree::{DeclFlags, DeclId, StorageDuration};

/// Storage-class specifiers of a compound literal (C23 6.5.3.6).
#[derive(Clone, Copy, Default, Debug)]
pub struct LiteralStorage {
    /// `static`
    pub is_static: bool,
    /// `thread_local`
    pub thread: bool,
    /// `register`
    pub register: bool,
    /// `constexpr`
    pub constexpr: bool,
}

impl LiteralStorage {
    /// Those among the specifiers that a compound literal may have; reports the others.
    pub fn of(cx: &mut Sema<'_, '_>, specs: &DeclSpecs) -> LiteralStorage {
        if matches!(specs.storage, Some(Storage::Typedef | Storage::Extern | Storage::Auto))
            || specs.inline
            || specs.noreturn
        {
            cx.error(specs.loc, "compound literal with a specifier that only declarations have");
        }
        if specs.thread && specs.storage != Some(Storage::Static) && !cx.functions.is_empty() {
            cx.error(specs.loc, "compound literal implicitly auto and declared '_Thread_local'");
        }
        LiteralStorage {
            is_static: specs.storage == Some(Storage::Static) || specs.thread,
            thread: specs.thread,
            register: specs.storage == Some(Storage::Register),
            constexpr: specs.constexpr,
        }
    }

    /// Marks the literal's object.
    pub fn apply(self, cx: &mut Sema<'_, '_>, id: DeclId) {
        let decl = &mut cx.unit.decls[id];
        if self.thread {
            decl.flags.set(DeclFlags::THREAD_KEYWORD);
            decl.duration = StorageDuration::Thread;
        }
        if self.register {
            decl.flags.set(DeclFlags::REGISTER);
        }
        if self.constexpr {
            decl.flags.set(DeclFlags::CONSTEXPR);
        }
    }
}
