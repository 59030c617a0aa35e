//! Locations. A [`Loc`] is a position in one global 32-bit space in which every inclusion of a file
//! and every macro expansion owns a range, after clang's `SourceManager`; [`crate::SourceMap`] says
//! what a position means.

/// A handle to a source position, 4 bytes. Order is order of allocation, not of the source text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Loc(pub u32);

impl Loc {
    /// No position: the diagnostic belongs to the command line or to the compiler itself.
    pub const NONE: Loc = Loc(0);

    /// Positions from here on are no source text: each function numbers those of code that it has
    /// from other functions (`ir::debug::FunctionDebug::inlined`).
    pub const FIRST_INLINED: Loc = Loc(0xf800_0000);

    /// Number `index` of the positions of inlined code; `None` if there are no more.
    pub fn inlined(index: usize) -> Option<Loc> {
        let index = u32::try_from(index).ok()?;
        Loc::FIRST_INLINED.0.checked_add(index).map(Loc)
    }

    /// The number that [`Loc::inlined`] was given.
    pub fn inlined_index(self) -> Option<usize> {
        self.0.checked_sub(Loc::FIRST_INLINED.0).map(|index| index as usize)
    }

    /// Whether this is [`Loc::NONE`].
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The position `bytes` further on in the same range.
    pub fn offset(self, bytes: u32) -> Loc {
        Loc(self.0 + bytes)
    }
}

impl std::fmt::Debug for Loc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Loc({})", self.0)
    }
}

/// A range of source text from the beginning of the token at `start` to the end of the token that
/// begins at `end` (both inclusive, as tokens do not carry their length).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Span {
    /// Beginning of the first token.
    pub start: Loc,
    /// Beginning of the last token.
    pub end: Loc,
}

impl Span {
    /// The span from the token at `start` to the token at `end`.
    pub fn new(start: Loc, end: Loc) -> Span {
        Span { start, end }
    }

    /// The smallest span holding both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }
}

impl From<Loc> for Span {
    fn from(loc: Loc) -> Span {
        Span { start: loc, end: loc }
    }
}
