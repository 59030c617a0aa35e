//! What `-g` keeps of the source's variables: carried beside the code; code is the same with and
//! without it.
//!
//! A variable is where it was lowered to, until promotion takes it out of memory: then the records
//! of [`crate::debug_values`] say what it holds. Where neither does, it is shown as optimised out.

use base::Loc;
use base::debug_types::{TypeIndex, TypeTable};

use crate::debug_values::{DebugValues, Fragment};
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

/// A slot that holds some bytes of a variable whose own alloca was split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DebugPart {
    /// The slot.
    pub alloca: Inst,
    /// Index in [`FunctionDebug::variables`].
    pub variable: u32,
    /// The bytes.
    pub fragment: Fragment,
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
    /// Slots of parts of variables.
    pub parts: Vec<DebugPart>,
    /// What variables hold that are in no slot.
    pub values: DebugValues,
}

impl FunctionDebug {
    /// The variables, and parts of variables, that lie in allocas: alloca, variable, bytes (`None`:
    /// all).
    pub fn in_allocas(&self) -> impl Iterator<Item = (Inst, u32, Option<Fragment>)> + '_ {
        let whole = self.variables.iter().enumerate().filter_map(|(index, v)| match v.place {
            VariablePlace::Alloca(inst) => Some((inst, index as u32, None)),
            _ => None,
        });
        whole.chain(self.parts.iter().map(|p| (p.alloca, p.variable, Some(p.fragment))))
    }

    /// An alloca was split into others: (alloca, offset in it, size).
    pub fn split(&mut self, alloca: Inst, pieces: &[(Inst, u64, u64)]) {
        let found: Vec<(u32, u32)> = self
            .in_allocas()
            .filter(|place| place.0 == alloca)
            .map(|(_, variable, fragment)| (variable, fragment.map_or(0, |f| f.offset)))
            .collect();
        for (variable, base) in found {
            for &(piece, offset, size) in pieces {
                let fragment = Fragment { offset: base + offset as u32, size: size as u32 };
                self.parts.push(DebugPart { alloca: piece, variable, fragment });
            }
        }
        self.parts.retain(|p| p.alloca != alloca);
    }
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
