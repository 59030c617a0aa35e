//! What is true at a point of an execution.

use ir::Value;
use rustc_hash::FxHashMap;

use crate::term::{Lanes, Term};

/// What a path has come to.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) values: FxHashMap<Value, Lanes>,
    pub(crate) memory: Term,
    /// The contents of slots, by key.
    pub(crate) slots: Vec<Term>,
    pub(crate) trace: Term,
    /// Slots whose address code outside may know.
    pub(crate) leaked: Vec<u32>,
}
