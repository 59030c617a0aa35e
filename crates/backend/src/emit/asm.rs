//! Assembly at file scope.

use base::Loc;
use object::{ObjectBuilder, builder::ListedAsm};
use platform::options::Options;

use crate::context::BackendError;

/// Assembles a file-scope `asm` into the object.
pub(super) fn assemble(builder: &mut ObjectBuilder, options: &Options, text: &str, errors: &mut Vec<BackendError>) {
    let syntax = if options.codegen.intel_syntax {
        assembler::Syntax::Intel { naked_registers: true }
    } else {
        assembler::Syntax::Att
    };
    if !options.emit_text {
        return assemble_as(builder, syntax, text, errors);
    }
    // The text is printed as it is, even if it is not assembly at all.
    let before: Vec<u64> = builder.sections().map(|(_, section)| section.size()).collect();
    let mut ignored = Vec::new();
    assemble_as(builder, syntax, text, &mut ignored);
    let sizes = builder.sections().map(|(id, section)| (id, section.size()));
    let ranges = sizes.map(|(id, size)| (id, before.get(id.index()).copied().unwrap_or(0), size));
    let ranges = ranges.filter(|(_, start, end)| start < end).collect();
    let (text, intel) = (text.into(), syntax != assembler::Syntax::Att);
    builder.listed_asm.push(ListedAsm { text, intel, ranges, assembled: ignored.is_empty() });
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
