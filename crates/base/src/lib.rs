//! What every room needs: source map, locations, interner, diagnostics, sets of ranges, parallel
//! copies. Knows nothing of C.
//!
//! [`Session`] ties them together. It is made once per translation unit by the driver and shared as
//! `&Session`; everything in it has interior mutability, so the preprocessor, the parser and
//! semantic analysis may hold it at the same time. A `Session` belongs to one thread; what worker
//! threads need of the source map is the plain, `Sync` [`SourceMapData`], borrowed with
//! [`SourceMap::data`].

pub mod bug;
pub mod chains;
pub mod charset;
pub mod debug_types;
pub mod diagnostics;
pub mod file_patterns;
pub mod files;
pub mod intern;
pub mod macro_log;
pub mod parallel_copy;
pub mod range_set;
pub mod source_map;
pub mod span;
pub mod spelling;
pub mod threads;
pub mod union_find;

pub use diagnostics::json;
pub use diagnostics::warnings::{self as warning, WarningId};
pub use diagnostics::{DiagnosticBuilder, Diagnostics, Severity};
pub use intern::{Interner, Symbol};
pub use source_map::{LineResolver, Presumed, SourceId, SourceMap, SourceMapData};
pub use span::{Loc, Span};

/// One translation unit's shared state: source map, interner and diagnostics sink.
pub struct Session {
    /// Every source text read and every macro expansion made, and what a [`Loc`] means.
    pub sources: SourceMap,
    /// All identifiers and literal spellings.
    pub interner: Interner,
    /// Definitions of macros, for `-g3`.
    pub macros: macro_log::MacroLog,
    /// Counters, warning flags and output of diagnostics. Emission goes through [`Session::error`]
    /// and its siblings.
    pub diag: Diagnostics,
}

impl Session {
    /// A session whose first symbols are `preinterned`, in order (`Symbol(0)` is `preinterned[0]`);
    /// a front end puts its keywords there, so that keyword lookup is an array index. The list must
    /// not contain duplicates.
    pub fn new(preinterned: &[&str]) -> Session {
        Session {
            sources: SourceMap::new(),
            interner: Interner::with_symbols(preinterned),
            macros: macro_log::MacroLog::default(),
            diag: Diagnostics::default(),
        }
    }

    /// Interns a string; short for `self.interner.intern(text)`.
    pub fn intern(&self, text: &str) -> Symbol {
        self.interner.intern(text)
    }

    /// The text of a symbol; short for `self.interner.resolve(symbol)`.
    pub fn str(&self, symbol: Symbol) -> &str {
        self.interner.resolve(symbol)
    }

    /// An error: the translation unit is rejected, but goes on to be checked.
    pub fn error(&self, loc: Loc, message: impl Into<String>) -> DiagnosticBuilder<'_> {
        DiagnosticBuilder::new(self, Severity::Error, None, loc, message.into())
    }

    /// A fatal error: nothing after it is reported, the preprocessor answers end of file from now
    /// on.
    pub fn fatal(&self, loc: Loc, message: impl Into<String>) -> DiagnosticBuilder<'_> {
        DiagnosticBuilder::new(self, Severity::Fatal, None, loc, message.into())
    }

    /// A warning under the flag `-W<name of id>`; dropped when the flag is off at `loc`.
    pub fn warn(&self, id: WarningId, loc: Loc, message: impl Into<String>) -> DiagnosticBuilder<'_> {
        DiagnosticBuilder::new(self, Severity::Warning, Some(id), loc, message.into())
    }

    /// A warning that no flag but `-w` silences.
    pub fn warn_always(&self, loc: Loc, message: impl Into<String>) -> DiagnosticBuilder<'_> {
        DiagnosticBuilder::new(self, Severity::Warning, None, loc, message.into())
    }

    /// Shows the diagnostics that wait; see [`Diagnostics::hold`].
    pub fn release_diagnostics(&self) {
        self.diag.release(&self.sources, &self.interner);
    }

    /// A diagnostic the standard demands ("pedwarn" in gcc's words): a warning under `id`, an error
    /// under `-pedantic-errors`. Use [`warning::PEDANTIC`] for what is only reported under
    /// `-pedantic`.
    pub fn pedwarn(&self, id: WarningId, loc: Loc, message: impl Into<String>) -> DiagnosticBuilder<'_> {
        let mut builder = DiagnosticBuilder::new(self, Severity::Warning, Some(id), loc, message.into());
        builder.diagnostic.pedantic = true;
        builder
    }

    /// What the standard demands to be diagnosed, under no flag: a warning, an error under
    /// `-pedantic-errors`.
    pub fn pedwarn_always(&self, loc: Loc, message: impl Into<String>) -> DiagnosticBuilder<'_> {
        let mut builder = DiagnosticBuilder::new(self, Severity::Warning, None, loc, message.into());
        builder.diagnostic.pedantic = true;
        builder
    }

    /// A note of its own, not attached to another diagnostic (`#pragma message`).
    pub fn note(&self, loc: Loc, message: impl Into<String>) -> DiagnosticBuilder<'_> {
        DiagnosticBuilder::new(self, Severity::Note, None, loc, message.into())
    }

    /// Whether a warning under `id` at `loc` would be shown. Ask before computing an expensive
    /// message.
    pub fn warning_enabled(&self, id: WarningId, loc: Loc) -> bool {
        self.diag.severity_of(&self.sources, id, loc, false).is_some()
    }
}
