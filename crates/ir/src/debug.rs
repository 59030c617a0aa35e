//! What `-g` keeps of the source's variables: carried beside the code; code is the same with and
//! without it.
//!
//! A variable is where it was lowered to, until promotion takes it out of memory: then the records
//! of [`crate::debug_values`] say what it holds. Where neither does, it is shown as optimised out.
//!
//! Code that comes from another function says so by its location: one that the function numbers
//! itself ([`Loc::inlined`]) stands for a position in the source and an [`InlineSite`], the call in
//! whose place it is. So every pass carries both by carrying locations. Variables of inlined
//! functions belong to their site, too.

use std::sync::Arc;

use base::Loc;
use base::debug_types::{TypeIndex, TypeTable};
use rustc_hash::FxHashMap;

use crate::debug_values::{DebugValues, Fragment};
use crate::{Inst, SymbolId};

/// Where a variable of a function lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariablePlace {
    /// In this alloca.
    Alloca(Inst),
    /// In this alloca, this many bytes after its start.
    Within(Inst, u32),
    /// In the memory in which this parameter, by index, was passed.
    Parameter(u32),
    /// In a block shared with nested functions.
    Elsewhere,
}

/// An automatic variable or a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugVariable {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Option<TypeIndex>,
    /// Where it is declared.
    pub loc: Loc,
    /// Index of its scope in [`FunctionDebug::scopes`] of the function that declares it.
    pub scope: u32,
    /// It is a parameter; parameters come first, in order.
    pub parameter: bool,
    /// Where it lives.
    pub place: VariablePlace,
    /// The copy of another function that it belongs to.
    pub inlined: Option<InlinedVariable>,
    /// Its place, and what is recorded of it, is its address (variable-length arrays).
    pub by_address: bool,
    /// It is no variable of the source but keeps the length of variable-length arrays: the number
    /// of their bound in the types.
    pub bound: Option<u32>,
}

/// Which variable of an inlined function a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlinedVariable {
    /// Index in [`FunctionDebug::sites`].
    pub site: u32,
    /// Index among the variables of the function called there.
    pub origin: u32,
    /// It is a parameter that is never changed: it holds the argument wherever the copy has code.
    pub fixed: bool,
}

/// A call in whose place a copy of the callee's code is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlineSite {
    /// The function called.
    pub callee: SymbolId,
    /// The position of the call in the source.
    pub call: Loc,
    /// The site whose callee made the call; `None` for the function itself.
    pub parent: Option<u32>,
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
    /// `...` follows the parameters.
    pub variadic: bool,
    /// The function's own scope, then the blocks in it in source order.
    pub scopes: Vec<DebugScope>,
    /// Parameters, then variables, then those of inlined functions.
    pub variables: Vec<DebugVariable>,
    /// Calls whose callees' code is here; a parent comes before its children.
    pub sites: Vec<InlineSite>,
    /// What the locations of inlined code stand for: position and site.
    pub inlined: Vec<(Loc, u32)>,
    /// The numbers of [`FunctionDebug::inlined`].
    pub numbers: FxHashMap<(Loc, u32), Loc>,
    /// Slots of parts of variables.
    pub parts: Vec<DebugPart>,
    /// What variables hold that are in no slot.
    pub values: DebugValues,
}

impl FunctionDebug {
    /// The position in the source that a location stands for, and the site of the copy that its
    /// code is part of.
    pub fn position(&self, loc: Loc) -> (Loc, Option<u32>) {
        match loc.inlined_index().and_then(|index| self.inlined.get(index)) {
            Some(&(position, site)) => (position, Some(site)),
            None => (loc, None),
        }
    }

    /// Frees what only passes and code generation need.
    pub fn close(&mut self) {
        self.values = DebugValues::default();
        self.numbers = FxHashMap::default();
        self.parts = Vec::new();
        self.variables.shrink_to_fit();
        self.sites.shrink_to_fit();
    }

    /// The location of code at a source position in the copy at a site.
    pub fn location(&mut self, position: Loc, site: u32) -> Loc {
        if let Some(&known) = self.numbers.get(&(position, site)) {
            return known;
        }
        let Some(new) = Loc::inlined(self.inlined.len()) else { return position };
        self.inlined.push((position, site));
        self.numbers.insert((position, site), new);
        new
    }

    /// Adds a site for a call at a location.
    pub fn add_site(&mut self, callee: SymbolId, call: Loc) -> u32 {
        let (call, parent) = self.position(call);
        self.sites.push(InlineSite { callee, call, parent });
        self.sites.len() as u32 - 1
    }

    /// The function's own variables.
    pub fn own_variables(&self) -> &[DebugVariable] {
        let count = self.variables.iter().position(|v| v.inlined.is_some()).unwrap_or(self.variables.len());
        &self.variables[..count]
    }

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
    /// It is defined elsewhere.
    pub declaration: bool,
}

/// A function that is referred to and defined elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugCallee {
    /// Its name in the source.
    pub name: Box<str>,
    /// Its type.
    pub ty: Option<TypeIndex>,
    /// Where it is declared.
    pub loc: Loc,
    /// Its symbol.
    pub symbol: SymbolId,
}

/// What a debugger is told of a module besides its functions.
#[derive(Clone, Default, Debug)]
pub struct ModuleDebug {
    /// Types.
    pub types: TypeTable,
    /// Variables in order of definition.
    pub globals: Vec<DebugGlobal>,
    /// Functions of other units, in order of first reference.
    pub callees: Vec<DebugCallee>,
    /// Functions whose code is left in others only.
    pub removed: Vec<RemovedFunction>,
}

/// A function without code of its own.
#[derive(Clone, Debug)]
pub struct RemovedFunction {
    /// Its symbol.
    pub symbol: SymbolId,
    /// What is known of it.
    pub debug: Box<FunctionDebug>,
}

impl ModuleDebug {
    /// A function is about to be removed from its module.
    pub fn keep_description(&mut self, func: &mut crate::Function) {
        if let Some(mut debug) = func.debug.take() {
            debug.close();
            self.removed.push(RemovedFunction { symbol: func.symbol, debug });
        }
    }
}
