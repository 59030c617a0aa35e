//! Target-specific vector operations (`Intrinsic::X86`).

use ir::Inst;

use super::Quick;

/// One operation.
pub fn operation(q: &mut Quick<'_>, inst: Inst) {
    q.error(inst, "not supported: this vector builtin");
}
