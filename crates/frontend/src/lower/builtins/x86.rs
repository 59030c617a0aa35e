//! Vector builtins of the target.

use crate::lower::expressions;
use crate::lower::function::Fx;
use crate::lower::place::Rvalue;
use crate::tree::*;

/// Lowers the builtin with this number.
pub fn lower(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, index: u16, args: &[ExprRef<'_>]) -> Rvalue {
    args.iter().for_each(|a| expressions::effect(fx, a));
    fx.not_supported(&format!("vector builtin number {index}"));
    expressions::dummy(fx, e.ty.ty())
}
