//! AT&T and Intel assembly text to machine code.
//!
//! [`assemble`] takes a whole source file, [`assemble_into`] file-scope asm of a
//! C unit, [`assemble_inline`] the text of one inline asm statement. They share
//! the statement loop ([`assembler`]), the directives of GNU `as`
//! ([`directives`], [`cfi`], [`macros`]), the instruction matcher over iced-x86's
//! tables ([`instruction`]) and layout with branch relaxation ([`layout`]).

mod assembler;
mod cfi;
mod context;
mod debug_info;
mod directives;
mod expression;
mod finish;
mod inline;
mod instruction;
mod layout;
mod line_records;
mod lines;
pub mod listing;
mod macros;
mod mode;
mod state;
pub mod template;
mod text;

use std::path::PathBuf;

use object::{ObjectBuilder, SectionSpec, StackNote};

pub use inline::{CODE_LABEL_PREFIX, SYMBOL_PREFIX, SymbolResolver, assemble_inline};
pub use instruction::Syntax;

use crate::{context::Assembler, state::State};

/// An error in assembly text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmError {
    /// Line, from 1.
    pub line: u32,
    /// File, from line markers or [`Options::file`].
    pub file: String,
    /// What is wrong.
    pub message: String,
}

/// What the assembler says besides errors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AsmNote {
    /// A warning.
    Warning(AsmError),
    /// The text of `.print`, for standard output.
    Print(String),
}

/// What debug information says besides lines (`-g`).
#[derive(Clone, Debug, Default)]
pub struct Debug {
    /// The working directory.
    pub directory: String,
    /// Who makes the object.
    pub producer: String,
}

/// How to read assembly source.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Name of the file in messages.
    pub file: String,
    /// The syntax to begin with (`.intel_syntax` changes it).
    pub syntax: Syntax,
    /// Where `.include` and `.incbin` look besides the working directory.
    pub include_dirs: Vec<PathBuf>,
    /// Symbols defined on the command line (`-Wa,--defsym`): name and value.
    pub symbols: Vec<(String, i64)>,
    /// `.altmacro` from the start.
    pub alternate: bool,
    /// In AT&T syntax, registers are known without `%` as well.
    pub naked_registers: bool,
    /// Jumps to global symbols are left to the linker (`-mshared`).
    pub shared: bool,
    /// A `.size` that is not known is a warning, not an error.
    pub size_warnings: bool,
    /// Debug information is made unless the source has its own.
    pub debug: Option<Debug>,
}

/// Assembles a source file into an object of its own.
///
/// # Errors
/// Every error found, in order.
pub fn assemble(source: &str, options: &Options) -> Result<ObjectBuilder, Vec<AsmError>> {
    assemble_noting(source, options, &mut Vec::new())
}

/// As [`assemble`]; warnings and printed texts go to `notes`.
///
/// # Errors
/// Every error found, in order.
pub fn assemble_noting(
    source: &str,
    options: &Options,
    notes: &mut Vec<AsmNote>,
) -> Result<ObjectBuilder, Vec<AsmError>> {
    let mut object = ObjectBuilder::new();
    object.stack_note = StackNote::Absent;
    // The three sections that every object of `as` has, in its order.
    object.text();
    object.data();
    object.bss();
    into_noting(&mut object, source, options, false, notes)?;
    Ok(object)
}

/// Assembles text into an object: sections are appended to, symbols of the same name are the same.
///
/// # Errors
/// Every error found; the object is unchanged then.
pub fn assemble_into(object: &mut ObjectBuilder, source: &str, options: &Options) -> Result<(), Vec<AsmError>> {
    into_noting(object, source, options, true, &mut Vec::new())
}

fn into_noting(
    object: &mut ObjectBuilder,
    source: &str,
    options: &Options,
    is_part: bool,
    notes: &mut Vec<AsmNote>,
) -> Result<(), Vec<AsmError>> {
    let state = State::new(SectionSpec::text(".text"));
    let mut assembler = Assembler::new(state, options.syntax);
    assembler.include_dirs.clone_from(&options.include_dirs);
    assembler.alternate = options.alternate;
    assembler.state.naked_att = options.naked_registers;
    assembler.state.shared = options.shared;
    assembler.state.size_warnings = options.size_warnings;
    for (name, value) in &options.symbols {
        let symbol = assembler.state.symbol_of(name);
        let value = Box::new(expression::Expr::Number(*value));
        assembler.state.symbol_mut(symbol).definition = state::Definition::Equate(value);
    }
    assembler.state.marks_lines = options.debug.is_some();
    assembler.run(source, &options.file, 1);
    if let Some(debug) = options.debug.as_ref().filter(|_| assembler.state.marks_lines) {
        assembler.state.marks_lines = false;
        debug_info::add(&mut assembler, &options.file, debug);
    }
    let mut state = assembler.state;
    if is_part && !state.mode.is_64() {
        state.error("not supported: file-scope asm that does not return to .code64");
    }
    if state.source_name.is_some() {
        object.source_name = state.source_name.take();
    }
    if state.errors.is_empty()
        && let Err(message) = finish::into_object(&mut state, object)
    {
        state.error(message);
    }
    notes.append(&mut state.notes);
    if state.errors.is_empty() { Ok(()) } else { Err(state.errors) }
}
