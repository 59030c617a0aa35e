//! One translation unit from tokens to IR: parser, semantic analysis and lowering together.

use base::Session;
use bumpalo::Bump;
use ir::Module;
use platform::options::Options;

use crate::lower::module::{Sink, UnitLowering};
use crate::parse::translation_unit;
use crate::preprocess::Preprocessor;

/// Compiles the unit whose main file `preprocessor` has entered. With a sink every function is
/// handed to it as soon as it is lowered, and the module holds the rest; without one the module
/// holds the functions too. `None` when there were errors, all of which have been reported to the
/// session.
pub fn compile(
    session: &Session,
    options: &Options,
    preprocessor: &mut Preprocessor<'_>,
    sink: Option<Sink<'_>>,
) -> Option<Module> {
    let arena = Bump::new();
    let mut lowering = UnitLowering::new(sink, options);
    translation_unit(preprocessor, session, options, &arena, &mut lowering);
    if session.diag.has_errors() {
        return None;
    }
    let mut module = lowering.into_module();
    for &ident in preprocessor.idents() {
        module.idents.push(session.str(ident).trim_matches('"').into());
    }
    Some(module)
}
