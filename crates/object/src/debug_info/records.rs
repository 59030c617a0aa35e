//! What the debugger is told of the variables and blocks of a function.

use base::debug_types::TypeIndex;
use smallvec::SmallVec;

use super::DebugPosition;
use crate::function_code::{ValuePiece, ValueRange, VariableLocation};
use crate::symbols::SymbolId;

/// Where a variable is found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DebugPlace {
    /// In the frame of its function.
    Frame(VariableLocation),
    /// At a symbol.
    Symbol(SymbolId),
    /// In different places while different code of its function runs; addresses name symbols of the
    /// object.
    Ranges(Vec<ValueRange>),
    /// In the same places wherever its block has code.
    Always(SmallVec<[ValuePiece; 1]>),
    /// Nowhere: it has been optimised out.
    Nowhere,
}

/// A variable or parameter for the debugger.
#[derive(Clone, Debug)]
pub struct DebugVariable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Option<TypeIndex>,
    /// Where it is declared.
    pub position: Option<DebugPosition>,
    /// Index of its block; 0 is the function.
    pub scope: u32,
    /// It is a parameter.
    pub parameter: bool,
    /// Visible outside the unit.
    pub external: bool,
    /// Where it lies.
    pub place: DebugPlace,
    /// It is defined elsewhere.
    pub declaration: bool,
    /// Its place is that of its address.
    pub by_address: bool,
    /// It keeps the length of variable-length arrays: the number of their bound in the types.
    pub bound: Option<u32>,
    /// It is a variable of a function of which there are inlined copies: index of that function in
    /// [`super::DebugUnit::origins`], and of the variable there.
    pub origin: Option<(u32, u32)>,
}

/// A function that is referred to and defined elsewhere.
#[derive(Clone, Debug)]
pub struct DebugCallee {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Its name in the source.
    pub name: String,
    /// Its type.
    pub ty: Option<TypeIndex>,
    /// Where it is declared.
    pub position: Option<DebugPosition>,
}

/// A block of a function, or a function inlined in it.
#[derive(Clone, Debug, Default)]
pub struct DebugBlock {
    /// Index of the block around it, a lower one.
    pub parent: u32,
    /// Its code: first byte and one past the last, from the start of the function, ascending.
    pub ranges: Vec<(u32, u32)>,
    /// Whose block it is, if there are inlined copies: index in [`super::DebugUnit::origins`], and
    /// of the block there.
    pub origin: Option<(u32, u32)>,
    /// The inlined function that it is the whole of.
    pub inlined: Option<DebugInline>,
}

/// A function of which there are inlined copies.
#[derive(Clone, Debug)]
pub struct DebugOrigin {
    /// Its name in the source.
    pub name: String,
    /// Its symbol's name, if that is another.
    pub linkage_name: Option<String>,
    /// Where it is declared.
    pub position: Option<DebugPosition>,
    /// Visible outside the unit.
    pub external: bool,
    /// Declared `inline`.
    pub declared_inline: bool,
    /// Type of the result.
    pub result: Option<TypeIndex>,
    /// Defined with a prototype.
    pub prototyped: bool,
    /// `...` follows the parameters.
    pub variadic: bool,
    /// The function itself, then the blocks in it: the index of the block around each.
    pub blocks: Vec<u32>,
    /// Parameters and variables. Those of static storage duration have their place here.
    pub variables: Vec<DebugVariable>,
}

/// A copy of a function in another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DebugInline {
    /// Index of the function in [`super::DebugUnit::origins`].
    pub origin: u32,
    /// The call in whose place it is.
    pub call: Option<DebugPosition>,
    /// Its first instruction: bytes from the start of the function around it.
    pub entry: u32,
}
