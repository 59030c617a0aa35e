//! Assembly at file scope.

use base::Loc;
use object::ObjectBuilder;
use target::options::Options;

use crate::context::BackendError;

/// Assembles a file-scope `asm` into the object.
pub(super) fn assemble(builder: &mut ObjectBuilder, options: &Options, text: &str, errors: &mut Vec<BackendError>) {
    let _ = (builder, options, text);
    errors.push(BackendError { loc: Loc::NONE, message: "not supported: assembly at file scope".to_owned() });
}
