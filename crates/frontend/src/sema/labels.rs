//! Labels and `goto` (C23 6.8.2, 6.8.7.2), labels as values, `__label__` (GNU).

use base::{Symbol, warning};
use cranelift_entity::EntityRef;

use super::{Sema, lints};
use crate::tree::{DeclId, LabelId, LabelInfo, Name};

fn new_label(cx: &mut Sema<'_, '_>, name: Name) -> LabelId {
    let function = cx.fun();
    let id = LabelId::new(function.labels.len());
    function.labels.push(LabelInfo {
        name: name.symbol,
        loc: name.loc,
        address_taken: false,
        used: false,
        cleanup: None,
        nonlocal: false,
        outer: None,
    });
    function.label_defined.push(false);
    function.label_scopes.push(None);
    id
}

/// Index into [`super::FunctionState::jump_scopes`].
pub type JumpScopeId = u32;

/// A region that may not be entered by a jump.
#[derive(Clone, Copy, Debug)]
pub struct JumpScope {
    /// The region around it.
    pub parent: Option<JumpScopeId>,
    /// What it is.
    pub kind: JumpKind,
}

/// Why a region may not be entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JumpKind {
    /// The scope of an identifier with variably modified type (C23 6.8.7.2 paragraph 1, 6.8.5.3
    /// paragraph 2).
    VariablyModified,
    /// The inside of a statement expression (GNU).
    StatementExpression,
    /// What follows `_Defer` in its block (ISO/IEC TS 25755).
    Deferred,
    /// What follows the initialised declaration of an automatic variable: allowed, but
    /// `-Wjump-misses-init` tells.
    Initialized(DeclId),
}

/// From here to the end of the block no jump may enter.
pub fn begin_jump_scope(cx: &mut Sema<'_, '_>, kind: JumpKind) {
    let function = cx.fun();
    let parent = function.jump_scope;
    function.jump_scope = Some(function.jump_scopes.len() as JumpScopeId);
    function.jump_scopes.push(JumpScope { parent, kind });
}

/// `__label__ name;` at the beginning of a block. Scope ends with [`leave_block`].
pub fn declare_local(cx: &mut Sema<'_, '_>, name: Name) {
    let id = new_label(cx, name);
    cx.fun().local_labels.push((name.symbol, id));
}

/// Height of the stack of local labels, for [`leave_block`].
pub fn enter_block(cx: &mut Sema<'_, '_>) -> usize {
    cx.fun().local_labels.len()
}

/// Forgets the local labels of a block.
pub fn leave_block(cx: &mut Sema<'_, '_>, height: usize) {
    cx.fun().local_labels.truncate(height);
}

fn find(cx: &mut Sema<'_, '_>, symbol: Symbol) -> Option<LabelId> {
    let function = cx.fun();
    let local = function.local_labels.iter().rev().find(|l| l.0 == symbol).map(|l| l.1);
    local.or_else(|| function.label_names.get(&symbol).copied())
}

/// The label a `goto`, `&&` or `asm goto` names; made on first use. A nested function may name a
/// label that an enclosing function declared with `__label__`.
pub fn use_label(cx: &mut Sema<'_, '_>, name: Name) -> LabelId {
    if let Some(id) = find(cx, name.symbol) {
        return id;
    }
    let depth = cx.functions.len();
    for level in (0..depth - 1).rev() {
        let outer = &mut cx.functions[level];
        if let Some(&(_, label)) = outer.local_labels.iter().rev().find(|l| l.0 == name.symbol) {
            outer.labels[label.index()].nonlocal = true;
            outer.labels[label.index()].used = true;
            let owner = outer.decl;
            let id = new_label(cx, name);
            for function in &mut cx.functions[level + 1..] {
                function.flags.needs_static_chain = true;
            }
            let function = cx.fun();
            function.labels[id.index()].outer = Some((owner, label));
            function.label_defined[id.index()] = true;
            function.label_names.insert(name.symbol, id);
            return id;
        }
    }
    let id = new_label(cx, name);
    cx.fun().label_names.insert(name.symbol, id);
    id
}

/// `goto name;`
pub fn goto(cx: &mut Sema<'_, '_>, name: Name) -> LabelId {
    let id = use_label(cx, name);
    let function = cx.fun();
    function.labels[id.index()].used = true;
    function.gotos.push((id, function.jump_scope, name.loc));
    id
}

/// A jump names the statement after the label.
pub fn mark_used(cx: &mut Sema<'_, '_>, symbol: Symbol) {
    if let Some(id) = find(cx, symbol) {
        cx.fun().labels[id.index()].used = true;
    }
}

/// `name:`
pub fn define(cx: &mut Sema<'_, '_>, name: Name, unused: bool) -> LabelId {
    let existing = find(cx, name.symbol);
    if let Some(id) = existing
        && cx.fun().label_defined[id.index()]
    {
        let first = cx.fun().labels[id.index()].loc;
        let text = cx.str(name.symbol);
        cx.sess
            .error(name.loc, format!("duplicate label '{text}'"))
            .note(first, format!("previous definition of '{text}' was here"))
            .emit();
        return id;
    }
    let id = match existing {
        Some(id) => id,
        None => {
            let id = new_label(cx, name);
            cx.fun().label_names.insert(name.symbol, id);
            id
        }
    };
    let function = cx.fun();
    function.label_defined[id.index()] = true;
    let cleanup = function.cleanup;
    function.label_scopes[id.index()] = function.jump_scope;
    let label = &mut function.labels[id.index()];
    label.loc = name.loc;
    label.cleanup = cleanup;
    label.used |= unused;
    id
}

/// At the end of the function: every label used must be defined, and no jump may enter the scope of
/// an identifier with variably modified type (C23 6.8.7.2 paragraph 1) or a statement expression.
pub fn check_all(cx: &mut Sema<'_, '_>) {
    let count = cx.fun().labels.len();
    for index in 0..count {
        let function = cx.fun();
        let (label, defined) = (function.labels[index], function.label_defined[index]);
        let name = cx.str(label.name);
        if !defined {
            if label.used || label.address_taken {
                cx.error(label.loc, format!("label '{name}' used but not defined"));
            } else {
                cx.error(label.loc, format!("label '{name}' declared but not defined"));
            }
        } else if !label.used && !label.address_taken {
            lints::label_unused(cx, name, label.loc);
        }
    }
    for (label, from, loc) in std::mem::take(&mut cx.fun().gotos) {
        let function = cx.fun();
        let (to, label) = (function.label_scopes[label.index()], function.labels[label.index()]);
        let Some(kind) = entered(cx, from, to) else { continue };
        let name = cx.str(label.name);
        let message = match kind {
            JumpKind::VariablyModified => "jump into scope of identifier with variably modified type",
            JumpKind::StatementExpression => "jump into statement expression",
            JumpKind::Deferred => "jump over a deferred statement into its scope",
            JumpKind::Initialized(variable) => {
                let declared = (cx.unit.decls[variable].loc, format!("{} declared here", cx.dname(variable)));
                cx.sess
                    .warn(warning::JUMP_MISSES_INIT, loc, "jump skips variable initialization")
                    .note(label.loc, format!("label '{name}' defined here"))
                    .note(declared.0, declared.1)
                    .emit();
                continue;
            }
        };
        cx.sess.error(loc, message).note(label.loc, format!("label '{name}' defined here")).emit();
    }
}

/// What a jump from region `from` to region `to` enters that it must not.
pub fn entered(cx: &mut Sema<'_, '_>, from: Option<JumpScopeId>, to: Option<JumpScopeId>) -> Option<JumpKind> {
    if from == to {
        return None;
    }
    let scopes = &cx.fun().jump_scopes;
    let mut around = Vec::new();
    let mut at = from;
    while let Some(id) = at {
        around.push(id);
        at = scopes[id as usize].parent;
    }
    // A region's number is higher than those around it.
    let enters = |id: &JumpScopeId| around.binary_search_by(|probe| id.cmp(probe)).is_err();
    let mut found = None;
    let mut at = to.filter(enters);
    while let Some(id) = at {
        let scope = scopes[id as usize];
        if !matches!(scope.kind, JumpKind::Initialized(_)) {
            return Some(scope.kind);
        }
        found = found.or(Some(scope.kind));
        at = scope.parent.filter(enters);
    }
    found
}
