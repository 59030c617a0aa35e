//! `_Defer` (ISO/IEC TS 25755): a statement that runs when the block around it is left.

use base::Loc;

use super::statements::Breakable;
use super::{Sema, declarations, labels};
use crate::tree::{CleanupAction, Stmt, StmtKind};

/// What is restored after the deferred statement.
pub struct Outer {
    breakables: Vec<Breakable>,
    deferring: bool,
}

/// A deferred statement begins: no jump leaves it, so that nothing around it can be left or
/// continued.
pub fn begin(cx: &mut Sema<'_, '_>) -> Outer {
    let function = cx.fun();
    let breakables = std::mem::take(&mut function.breakables);
    Outer { breakables, deferring: std::mem::replace(&mut function.deferring, true) }
}

/// The deferred statement is complete; from here on leaving the block runs it.
pub fn finish<'a>(cx: &mut Sema<'_, 'a>, outer: Outer, body: &'a Stmt<'a>, loc: Loc) -> Stmt<'a> {
    let function = cx.fun();
    (function.breakables, function.deferring) = (outer.breakables, outer.deferring);
    let cleanup = declarations::push_cleanup(cx, CleanupAction::Deferred(body));
    labels::begin_jump_scope(cx, labels::JumpKind::Deferred);
    Stmt { kind: StmtKind::Defer(cleanup), loc }
}

/// `goto` and `return` would leave a deferred statement.
pub fn check_jump(cx: &mut Sema<'_, '_>, loc: Loc, what: &str) {
    if cx.fun().deferring {
        cx.error(loc, format!("'{what}' in a deferred statement"));
    }
}

/// A deferred statement has a copy for every exit of its block.
pub fn check_label(cx: &mut Sema<'_, '_>, loc: Loc) {
    if cx.fun().deferring {
        cx.error(loc, "not supported: label in a deferred statement");
    }
}
