//! What passes say about the program: done, not done, found out.

use base::Loc;
use std::path::PathBuf;

/// Which of the three a remark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A pass changed something.
    Passed,
    /// It did not, for the reason that the text gives.
    Missed,
    /// Facts and counts.
    Analysis,
}

/// One remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The function, once it is known.
    pub function: Box<str>,
    /// The pass; `inline` for inlining.
    pub pass: &'static str,
    /// What it is.
    pub kind: Kind,
    /// Where, or [`Loc::NONE`].
    pub loc: Loc,
    /// In words: names in single quotes, numbers in digits.
    pub text: String,
}

impl Remark {
    /// A remark about a function that is filled in later.
    pub fn new(pass: &'static str, kind: Kind, loc: Loc, text: String) -> Remark {
        Remark { function: Box::default(), pass, kind, loc, text }
    }
}

/// `-fopt-info-KINDS=FILE`: which remarks go where.
#[derive(Clone, Debug, Default)]
pub struct RemarkList {
    /// `optimized`.
    pub passed: bool,
    /// `missed`.
    pub missed: bool,
    /// `note`.
    pub analysis: bool,
    /// Groups of passes: `inline`, `ipa`, `loop`, `vec`; none are all.
    pub groups: Vec<String>,
    /// The file; standard error without one.
    pub file: Option<PathBuf>,
}
