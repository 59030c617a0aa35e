//! SSA form of a function: the phis that variables with several definitions need, the removal of
//! those that nothing needs, copies of regions of blocks, blocks on edges, and the removal of
//! blocks.

mod edges;
mod equal_sides;
mod phis;
mod redefinitions;
mod region;
mod unreachable_blocks;
mod updater;

pub use edges::{ensure_dedicated_exits, redirect};
pub use equal_sides::{equal_sides, returned_through};
pub use phis::{is_undef, simplify_phi_webs, simplify_phis, simplify_single_phis};
pub use redefinitions::{Redefinitions, replace_dominated_uses};
pub use region::{RegionCopy, copy_region, copyable_size, merge_copies, peel, set_only_entry};
pub use unreachable_blocks::{remove_dropped, remove_phi_entries, remove_unreachable_blocks};
pub use updater::{Scalar, Updater, convert_before, undef_before};
