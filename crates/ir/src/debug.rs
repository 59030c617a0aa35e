//! What `-g` keeps of the source's variables: carried beside the code, looked at by no pass, not part of the textual form.
//!
//! A variable is where it was lowered to. Whatever a pass does, a variable whose place is gone is shown as optimised out; no pass has to
//! know of any of this, and code is the same with and without it.

use base::Loc;
use base::debug_types::{TypeIndex, TypeTable};

use crate::{Inst, SymbolId};

/// Where a variable of a function lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariablePlace {
    /// In this alloca.
    Alloca(Inst),
    /// At the address that this alloca holds (variable-length arrays).
    Indirect(Inst),
    /// In the memory in which this parameter, by index, was passed.
    Parameter(u32),
    /// In a block shared with nested functions.
    Elsewhere,
}

/// An automatic variable or a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugVariable {
    /// Its name.
    pub name: Box<str>,
    /// Its type.
    pub ty: Option<TypeIndex>,
    /// Where it is declared.
    pub loc: Loc,
    /// Index of its scope in [`FunctionDebug::scopes`].
    pub scope: u32,
    /// It is a parameter; parameters come first, in order.
    pub parameter: bool,
    /// Where it lives.
    pub place: VariablePlace,
}

/// A block of the source. Code belongs to it by the position it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DebugScope {
    /// Index of the scope around it; its own for the function's.
    pub parent: u32,
    /// The opening brace.
    pub begin: Loc,
    /// The closing brace.
    pub end: Loc,
}

/// What a debugger is told of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionDebug {
    /// Its name in the source.
    pub name: Box<str>,
    /// Type of the result.
    pub result: Option<TypeIndex>,
    /// Defined with a prototype.
    pub prototyped: bool,
    /// The function's own scope, then the blocks in it in source order.
    pub scopes: Vec<DebugScope>,
    /// Parameters, then variables.
    pub variables: Vec<DebugVariable>,
}

/// A variable of static storage duration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugGlobal {
    /// Its name in the source.
    pub name: Box<str>,
    /// Its type.
    pub ty: Option<TypeIndex>,
    /// Where it is defined.
    pub loc: Loc,
    /// Its symbol.
    pub symbol: SymbolId,
    /// The function whose body declares it.
    pub function: Option<SymbolId>,
    /// One object per thread.
    pub thread: bool,
}

/// What a debugger is told of a module besides its functions.
#[derive(Clone, Default, Debug)]
pub struct ModuleDebug {
    /// Types.
    pub types: TypeTable,
    /// Variables in order of definition.
    pub globals: Vec<DebugGlobal>,
}
