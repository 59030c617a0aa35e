//! Statements and function definitions.

use base::{Loc, Symbol};
use cranelift_entity::entity_impl;

use super::asm::AsmStmt;
use super::decls::DeclId;
use super::expr::{ExprRef, VlaBound};
use super::init::{Initializer, StaticInit};
use super::types::QualType;

/// A label of a function; index into [`FunctionDef::labels`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(u32);
entity_impl!(LabelId, "label");

/// A `case` or `default` label of a `switch`, numbered within it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaseId(u32);
entity_impl!(CaseId, "case");

/// A scope with something to do on the exit; index into [`FunctionDef::cleanups`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CleanupId(u32);
entity_impl!(CleanupId, "cleanup");

/// A statement.
#[derive(Clone, Copy, Debug)]
pub struct Stmt<'a> {
    /// What it does.
    pub kind: StmtKind<'a>,
    /// First token.
    pub loc: Loc,
}

/// The kinds of statement. A labelled statement is its label followed by the statement.
#[derive(Clone, Copy, Debug)]
pub enum StmtKind<'a> {
    /// `;`
    Empty,
    /// `[[fallthrough]];` (C23 6.7.13.6): nothing, but said.
    Fallthrough,
    /// Expression, evaluated for its effects.
    Expr(ExprRef<'a>),
    /// `{ ... }`
    Block(&'a Block<'a>),
    /// `if (c1) s1 else if (c2) s2 ... else s`: the whole chain in one node, so that long chains do
    /// not nest.
    If {
        /// Conditions with their statements, at least one.
        arms: &'a [IfArm<'a>],
        /// The final `else`.
        els: Option<&'a Stmt<'a>>,
    },
    /// `while`
    While {
        /// Condition.
        cond: ExprRef<'a>,
        /// Body.
        body: &'a Stmt<'a>,
    },
    /// `do ... while`
    DoWhile {
        /// Body.
        body: &'a Stmt<'a>,
        /// Condition.
        cond: ExprRef<'a>,
    },
    /// `for`. Declarations in the first clause are statements of `init`; their scope is the whole
    /// statement.
    For(&'a For<'a>),
    /// `switch`
    Switch(&'a Switch<'a>),
    /// `case` and `default` of the innermost switch.
    Case(CaseId),
    /// `name:`
    Label(LabelId),
    /// `goto name`. Cleanups between here and [`LabelInfo::cleanup`] run.
    Goto(LabelId),
    /// `goto *address`. No cleanups run.
    GotoComputed(ExprRef<'a>),
    /// Leaves a loop or switch: that around so many inner ones.
    Break(u32),
    /// Next iteration of a loop: that around so many inner loops and switches.
    Continue(u32),
    /// `return`; the value has the function's result type.
    Return(Option<ExprRef<'a>>),
    /// An automatic variable comes to life here (static ones are in [`FunctionDef::statics`]).
    Decl(&'a LocalDecl<'a>),
    /// `_Defer`: the statement runs wherever the scope that begins here is left.
    Defer(CleanupId),
    /// Bounds of variable-length types of a typedef or a pointer declaration.
    Bounds(&'a [VlaBound<'a>]),
    /// `asm`
    Asm(&'a AsmStmt<'a>),
    /// A nested function (GNU) is defined here; it may refer to the enclosing function's variables
    /// and labels.
    NestedFunction(&'a FunctionDef<'a>),
}

/// A compound statement.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// Statements and declarations in order.
    pub stmts: &'a [Stmt<'a>],
    /// The closing brace.
    pub end: Loc,
}

/// Condition and statement of an `if` or `else if`.
#[derive(Clone, Copy, Debug)]
pub struct IfArm<'a> {
    /// Condition.
    pub cond: ExprRef<'a>,
    /// Run if it holds.
    pub then: &'a Stmt<'a>,
    /// Location of `if`.
    pub loc: Loc,
    /// Location of the parenthesis after it.
    pub open: Loc,
}

/// A `for` statement.
#[derive(Clone, Copy, Debug)]
pub struct For<'a> {
    /// First clause.
    pub init: &'a [Stmt<'a>],
    /// Condition; absent means true.
    pub cond: Option<ExprRef<'a>>,
    /// Run after the body.
    pub step: Option<ExprRef<'a>>,
    /// Body.
    pub body: &'a Stmt<'a>,
    /// Closing place of the scope the first clause opens.
    pub end: Loc,
}

/// A `switch` statement.
#[derive(Clone, Copy, Debug)]
pub struct Switch<'a> {
    /// Promoted controlling expression.
    pub cond: ExprRef<'a>,
    /// Case ranges in ascending order, disjoint. Empty ranges have been dropped.
    pub cases: &'a [SwitchCase],
    /// Label of `default`.
    pub default: Option<CaseId>,
    /// Body; its `Case` statements refer to the labels.
    pub body: &'a Stmt<'a>,
    /// Number of [`CaseId`]s used.
    pub case_count: u32,
    /// When `cond` is of a type wider than 128 bits: its values, limbs as in
    /// [`ExprKind::Wide`](super::ExprKind::Wide), of which the numbers in `cases` are indices.
    pub wide: &'a [&'a [u64]],
}

/// Values `low..=high` jump to `case`. Values are of the promoted type of the controlling
/// expression; see also [`Switch::wide`].
#[derive(Clone, Copy, Debug)]
pub struct SwitchCase {
    /// Least value.
    pub low: i128,
    /// Greatest value, equal to `low` but for GNU ranges.
    pub high: i128,
    /// Where to go.
    pub case: CaseId,
    /// Location of `case`.
    pub loc: Loc,
}

/// An automatic variable's declaration.
#[derive(Clone, Copy, Debug)]
pub struct LocalDecl<'a> {
    /// The variable. If its type is a variable-length array its storage is allocated here.
    pub decl: DeclId,
    /// Bounds of its type, evaluated first.
    pub bounds: &'a [VlaBound<'a>],
    /// Initial value.
    pub init: Option<&'a Initializer<'a>>,
    /// What must be undone when its scope ends.
    pub cleanup: Option<CleanupId>,
}

/// A function body with everything lowering needs.
#[derive(Clone, Copy, Debug)]
pub struct FunctionDef<'a> {
    /// The function.
    pub decl: DeclId,
    /// Its parameters as variables. For a K&R definition of a `float` parameter the caller passes a
    /// `double`; see [`FunctionDef::old_style`].
    pub params: &'a [DeclId],
    /// Defined with an identifier list: arguments arrive after the default promotions and are
    /// converted on entry.
    pub old_style: bool,
    /// Bounds of variable-length types in the parameters, evaluated on entry.
    pub param_bounds: &'a [VlaBound<'a>],
    /// The body.
    pub body: &'a Block<'a>,
    /// Every automatic variable and compound literal of the body, in order of declaration,
    /// parameters excluded.
    pub locals: &'a [DeclId],
    /// Static variables of the body with their values, compound literals in their initialisers
    /// before them.
    pub statics: &'a [StaticVar<'a>],
    /// Labels, indexed by [`LabelId`].
    pub labels: &'a [LabelInfo],
    /// Scopes with cleanups, indexed by [`CleanupId`].
    pub cleanups: &'a [CleanupScope<'a>],
    /// Number of opaque values used.
    pub opaques: u32,
    /// Types that casts and the like in the body name, as written, for debug information.
    pub used_types: &'a [QualType],
    /// What the body contains.
    pub flags: FunctionFlags,
    /// The function whose scope this nested function is defined in.
    pub parent: Option<DeclId>,
    /// The function's name in its definition.
    pub loc: Loc,
}

/// A static variable of a function.
#[derive(Clone, Copy, Debug)]
pub struct StaticVar<'a> {
    /// The variable.
    pub decl: DeclId,
    /// Its value; `None` is all zeros.
    pub init: Option<&'a StaticInit<'a>>,
}

/// Facts about a function body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunctionFlags {
    /// `alloca` or a variable-length array.
    pub allocates: bool,
    /// Calls a function that returns twice.
    pub calls_returns_twice: bool,
    /// `&&label` occurs.
    pub takes_label_address: bool,
    /// `goto *` occurs.
    pub computed_goto: bool,
    /// Contains nested functions.
    pub has_nested: bool,
    /// A nested function that uses variables or labels of an enclosing one.
    pub needs_static_chain: bool,
    /// `va_start` occurs.
    pub uses_va_start: bool,
    /// `#pragma STDC FP_CONTRACT OFF` holds somewhere in it.
    pub keeps_roundings: bool,
    /// Control may reach the closing brace, as far as the statement structure tells.
    pub falls_off_end: bool,
}

/// A label.
#[derive(Clone, Copy, Debug)]
pub struct LabelInfo {
    /// Its name.
    pub name: Symbol,
    /// Its definition (or first use, while undefined).
    pub loc: Loc,
    /// `&&name` occurs.
    pub address_taken: bool,
    /// A `goto` or `asm goto` names it.
    pub used: bool,
    /// Innermost scope with a cleanup at the label.
    pub cleanup: Option<CleanupId>,
    /// A nested function jumps to it.
    pub nonlocal: bool,
    /// The label belongs to this enclosing function: the entry stands for a label of that function.
    pub outer: Option<(DeclId, LabelId)>,
}

/// A scope that begins at a declaration and ends with its block, and what leaving it does.
#[derive(Clone, Copy, Debug)]
pub struct CleanupScope<'a> {
    /// The scope around it.
    pub parent: Option<CleanupId>,
    /// What is done.
    pub action: CleanupAction<'a>,
}

/// What leaving a scope does.
#[derive(Clone, Copy, Debug)]
pub enum CleanupAction<'a> {
    /// A `_Defer` statement is run.
    Deferred(&'a Stmt<'a>),
    /// `__attribute__((cleanup(function)))`: calls `function(&variable)`.
    Call {
        /// The variable.
        variable: DeclId,
        /// The function.
        function: DeclId,
    },
    /// Frees the storage of a variable-length array: the stack pointer is set back to what it was
    /// before the declaration.
    FreeVla(DeclId),
}
