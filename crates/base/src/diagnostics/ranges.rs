//! Source ranges of the expressions read last: a diagnostic at an operator underlines its operands,
//! one at an expression underlines the whole of it. The parser notes them as it goes, as typed
//! nodes only keep one position.

use std::cell::Cell;

use crate::{Loc, Span};

/// Expressions that are remembered: the arguments of a call are read before any is converted.
const KEPT: usize = 16;

/// What was read last.
#[derive(Default)]
pub(super) struct Ranges {
    operator: Cell<(Loc, Span, Span)>,
    expressions: [Cell<(Loc, Span)>; KEPT],
    next: Cell<usize>,
}

impl Ranges {
    /// The operator at `at` has these operands.
    #[inline]
    pub fn operands(&self, at: Loc, left: Span, right: Span) {
        self.operator.set((at, left, right));
    }

    /// The expression whose node is at `at` spans `range`.
    #[inline]
    pub fn expression(&self, at: Loc, range: Span) {
        let next = self.next.get();
        self.expressions[next].set((at, range));
        self.next.set((next + 1) % KEPT);
    }

    /// What a diagnostic at `at` underlines.
    pub fn around(&self, at: Loc) -> Vec<Span> {
        let (operator, left, right) = self.operator.get();
        if at.is_none() {
            return Vec::new();
        }
        if operator == at {
            return vec![left, right];
        }
        self.expressions.iter().map(Cell::get).find(|&(loc, _)| loc == at).map(|(_, range)| range).into_iter().collect()
    }
}
