//! Questions about a whole expression.

pub use crate::tree::walk::{Node, has_side_effects, has_side_effects_besides, walk};
