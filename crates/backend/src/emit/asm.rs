//! Assembly at file scope.

use base::Loc;
use object::ObjectBuilder;
use target::options::Options;

use crate::context::BackendError;

/// Assembles a file-scope `asm` into the object.
pub(super) fn assemble(builder: &mut ObjectBuilder, options: &Options, text: &str, errors: &mut Vec<BackendError>) {
    let syntax = if options.codegen.intel_syntax {
        assembler::Syntax::Intel { naked_registers: true }
    } else {
        assembler::Syntax::Att
    };
    assemble_as(builder, syntax, text, errors);
}

/// As [`assemble`], of text of our own, which is in AT&T syntax.
pub(super) fn assemble_att(builder: &mut ObjectBuilder, text: &str, errors: &mut Vec<BackendError>) {
    assemble_as(builder, assembler::Syntax::Att, text, errors);
}

fn assemble_as(builder: &mut ObjectBuilder, syntax: assembler::Syntax, text: &str, errors: &mut Vec<BackendError>) {
    let options = assembler::Options { syntax, ..assembler::Options::default() };
    if let Err(found) = assembler::assemble_into(builder, text, &options) {
        for error in found {
            let message = format!("in asm text, line {}: {}", error.line, error.message);
            errors.push(BackendError { loc: Loc::NONE, message, note: None });
        }
    }
}
