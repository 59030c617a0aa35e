//! What rules of integer arithmetic ask.

use ir::{Value, fold};

use super::Combiner;

/// Whether a mask of the type of `like` that fits an instruction is not replaced by one that does
/// not.
pub(super) fn stays_immediate(cx: &Combiner<'_>, like: Value, before: u128, after: u128) -> bool {
    let ty = cx.ty(like);
    let fits = |bits: u128| i32::try_from(fold::sign_extend(ty, bits)).is_ok();
    ty.bits() <= 32 || fits(after) || !fits(before)
}
