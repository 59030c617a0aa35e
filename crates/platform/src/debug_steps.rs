//! Steps by which a debugger computes what a variable holds that no place holds any more: a program
//! for the stack machine of DWARF expressions (DWARF 5, 2.5), over places of any kind.

/// One step. Numbers are of 64 bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step<P> {
    /// Pushes what is in a place, of so many bytes; what is above them does not matter.
    Place(P, u8),
    /// Pushes a number.
    Number(i64),
    /// An operation of DWARF that has no operands but those on the stack.
    Operation(u8),
    /// An address becomes what memory holds there, of so many bytes, then zeros.
    Load(u8),
    /// Goes on so many steps after the next one, or before it.
    Jump {
        /// How many.
        by: i32,
        /// Only if the number on top, which goes, is not zero.
        conditional: bool,
    },
}

impl<P> Step<P> {
    /// The step with another kind of place; `None` if there is no place.
    pub fn placed<Q>(&self, place: impl FnOnce(&P) -> Option<Q>) -> Option<Step<Q>> {
        Some(match *self {
            Step::Place(ref at, bytes) => Step::Place(place(at)?, bytes),
            Step::Number(number) => Step::Number(number),
            Step::Operation(code) => Step::Operation(code),
            Step::Load(bytes) => Step::Load(bytes),
            Step::Jump { by, conditional } => Step::Jump { by, conditional },
        })
    }
}
