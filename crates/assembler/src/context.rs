//! An assembly in progress: what the statement loop and the directives share.

use std::{path::PathBuf, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{
    expression,
    instruction::Syntax,
    macros::Macro,
    state::State,
    text::{Cursor, Statement},
};

/// Statements being read.
pub(crate) struct Input {
    pub statements: Rc<[Statement]>,
    pub next: usize,
    /// Replaces the statements' own line (in macro expansions: that of the call).
    pub line: Option<(u32, Rc<str>)>,
}

/// A `.if` in progress.
#[derive(Clone, Copy)]
pub(crate) struct Conditional {
    /// Statements are assembled.
    pub active: bool,
    /// Some branch has been active.
    pub taken: bool,
    /// The whole conditional is inside an inactive one.
    pub dead: bool,
    pub else_seen: bool,
}

/// An assembly in progress with its source.
pub(crate) struct Assembler {
    pub state: State,
    pub syntax: Syntax,
    pub include_dirs: Vec<PathBuf>,
    pub inputs: Vec<Input>,
    pub conditionals: Vec<Conditional>,
    pub macros: FxHashMap<Box<str>, Macro>,
    pub alternate: bool,
    pub expansions: u64,
    pub produced: u64,
    /// `.end`
    pub ended: bool,
}

impl Assembler {
    pub fn new(state: State, syntax: Syntax) -> Assembler {
        Assembler {
            state,
            syntax,
            include_dirs: Vec::new(),
            inputs: Vec::new(),
            conditionals: Vec::new(),
            macros: FxHashMap::default(),
            alternate: false,
            expansions: 0,
            produced: 0,
            ended: false,
        }
    }
}

/// A number known now.
pub(crate) fn number(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<i64, String> {
    let value = expression::parse(&mut assembler.state, cursor)?;
    assembler.state.absolute(&value)
}
