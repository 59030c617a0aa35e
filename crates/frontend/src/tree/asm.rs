//! `asm` statements with their operands typed.

use base::{Loc, Symbol};

use super::expr::ExprRef;
use super::stmt::LabelId;

/// An `asm` statement.
#[derive(Clone, Copy, Debug)]
pub struct AsmStmt<'a> {
    /// The template's bytes, after string concatenation.
    pub template: &'a [u8],
    /// No operand part at all: `%` is an ordinary character.
    pub basic: bool,
    /// `volatile`, or implied (basic, `goto`, no outputs).
    pub volatile: bool,
    /// `inline`: counts as small for the inliner.
    pub inline: bool,
    /// Output operands; `expr` is a modifiable lvalue.
    pub outputs: &'a [AsmOperand<'a>],
    /// Input operands; `expr` is an lvalue if the constraint allows memory only, an rvalue
    /// otherwise.
    pub inputs: &'a [AsmOperand<'a>],
    /// Clobbers: register names without `%`, `memory`, `cc`.
    pub clobbers: &'a [&'a [u8]],
    /// Jump targets of `asm goto`, in order; their operand numbers follow the inputs'.
    pub labels: &'a [AsmLabel],
    /// Location of the template.
    pub loc: Loc,
}

/// An operand.
#[derive(Clone, Copy, Debug)]
pub struct AsmOperand<'a> {
    /// `[name]`
    pub name: Option<Symbol>,
    /// The constraint string, modifiers included (`=`, `+`, `&`, `%`).
    pub constraint: &'a [u8],
    /// The operand.
    pub expr: ExprRef<'a>,
}

/// A jump target of `asm goto`.
#[derive(Clone, Copy, Debug)]
pub struct AsmLabel {
    /// Its name in the template (`%l[name]`).
    pub name: Symbol,
    /// The label.
    pub label: LabelId,
}
