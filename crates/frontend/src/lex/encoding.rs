//! Encodings of characters in literals, and what can be wrong with a literal.

use super::dialect::Standard;

/// Encoding prefix of a character constant or string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// None: `char`
    Plain,
    /// `u8`
    Utf8,
    /// `u`: `char16_t`
    Utf16,
    /// `U`: `char32_t`
    Utf32,
    /// `L`: `wchar_t`, 32 bits on this target
    Wide,
}

impl Encoding {
    /// Bytes of a code unit.
    pub fn unit_size(self) -> usize {
        match self {
            Encoding::Plain | Encoding::Utf8 => 1,
            Encoding::Utf16 => 2,
            Encoding::Utf32 | Encoding::Wide => 4,
        }
    }
}

/// A fault in a literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Byte offset in the spelling.
    pub offset: usize,
    /// How bad.
    pub severity: ProblemSeverity,
    /// What to say.
    pub message: String,
}

/// How a [`Problem`] is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemSeverity {
    /// An error.
    Error,
    /// What gcc calls a pedwarn: a warning, an error with `-pedantic-errors`.
    PedanticWarning,
    /// A plain warning.
    Warning,
    /// Only with `-pedantic`.
    Pedantic,
    /// With `-pedantic`, where the standard is an earlier one.
    PedanticBefore(Standard),
    /// Under `-Wmultichar`.
    Multichar,
}
