//! SSA form of a function: the phis that variables with several definitions need, and the removal
//! of those that nothing needs.

mod phis;
mod updater;

pub use phis::{is_undef, simplify_phi_webs, simplify_phis, simplify_single_phis};
pub use updater::{Scalar, Updater, convert_before, undef_before};
