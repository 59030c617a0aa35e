//! The diagnostics sink: severities, warning flags, counting, limits, and where the output goes.
//!
//! A diagnostic is built with [`DiagnosticBuilder`], from [`Session::error`] and its siblings, and
//! does nothing before [`DiagnosticBuilder::emit`]. Text looks like gcc's (header line first), with
//! an excerpt drawn by annotate-snippets; `-fdiagnostics-format=json` gives gcc's JSON instead,
//! `sarif-stderr` the same in SARIF.

mod colour;
mod fixits;
mod functions;
pub mod json;
mod ranges;
mod render;
pub mod resolved;
mod sarif;
mod state;
mod tokens;
pub mod warnings;

use std::cell::{Cell, RefCell};
use std::io::Write;

pub use colour::ColourChoice;
pub use state::FlagOutcome;
pub(crate) use tokens::token_length;
pub use warnings::TAKING_SIZE;

use crate::{Loc, Session, SourceMap, Span, WarningId};
use state::WarningStates;

/// How bad it is; ordered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Information, usually attached to another diagnostic.
    Note,
    /// The program is accepted.
    Warning,
    /// The program is rejected.
    Error,
    /// The program is rejected and nothing further is looked at.
    Fatal,
}

impl Severity {
    /// The word of the header line.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
            Severity::Fatal => "fatal error",
        }
    }
}

/// A suggested change of the source.
#[derive(Clone, Debug)]
pub struct FixIt {
    /// What is replaced; for an insertion only `start` counts.
    pub span: Span,
    /// The new text.
    pub text: String,
    /// Whether the text is inserted before `span.start` and nothing is removed.
    pub insert: bool,
}

/// A note that belongs to a diagnostic.
#[derive(Clone, Debug)]
pub struct Note {
    /// Where it points; [`Loc::NONE`] for nowhere.
    pub loc: Loc,
    /// What it says.
    pub message: String,
}

/// One diagnostic with all that belongs to it.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Severity after promotion by flags.
    pub severity: Severity,
    /// Place of the caret.
    pub loc: Loc,
    /// Further ranges to underline.
    pub spans: Vec<Span>,
    /// What it says, without a final full stop.
    pub message: String,
    /// The flag that controls it.
    pub warning: Option<WarningId>,
    /// Notes, in order.
    pub notes: Vec<Note>,
    /// Suggested changes.
    pub fixits: Vec<FixIt>,
    /// A constraint violation: an error under `-pedantic-errors`.
    pub(crate) pedantic: bool,
    /// Whether `-Werror` made an error of a warning.
    pub(crate) promoted: bool,
    /// Shown in system headers too.
    pub(crate) in_system_headers: bool,
}

/// Collects the parts of one diagnostic.
#[must_use = "a diagnostic is reported by `emit`"]
pub struct DiagnosticBuilder<'s> {
    session: &'s Session,
    pub(crate) diagnostic: Diagnostic,
}

impl<'s> DiagnosticBuilder<'s> {
    pub(crate) fn new(
        session: &'s Session,
        severity: Severity,
        warning: Option<WarningId>,
        loc: Loc,
        message: String,
    ) -> Self {
        let diagnostic = Diagnostic {
            severity,
            loc,
            spans: Vec::new(),
            message,
            warning,
            notes: Vec::new(),
            fixits: Vec::new(),
            pedantic: false,
            promoted: false,
            in_system_headers: false,
        };
        DiagnosticBuilder { session, diagnostic }
    }

    /// Appends to the message.
    pub fn extend(mut self, text: &str) -> Self {
        self.diagnostic.message.push_str(text);
        self
    }

    /// Underlines a range beside the caret.
    pub fn span(mut self, span: impl Into<Span>) -> Self {
        self.diagnostic.spans.push(span.into());
        self
    }

    /// Attaches a note.
    pub fn note(mut self, loc: Loc, message: impl Into<String>) -> Self {
        self.diagnostic.notes.push(Note { loc, message: message.into() });
        self
    }

    /// Suggests replacing `span` by `text`.
    pub fn fixit(mut self, span: impl Into<Span>, text: impl Into<String>) -> Self {
        self.diagnostic.fixits.push(FixIt { span: span.into(), text: text.into(), insert: false });
        self
    }

    /// Suggests inserting `text` before the token at `loc`.
    pub fn fixit_insert(mut self, loc: Loc, text: impl Into<String>) -> Self {
        self.diagnostic.fixits.push(FixIt { span: loc.into(), text: text.into(), insert: true });
        self
    }

    /// Shows a warning in system headers too.
    pub fn even_in_system_headers(mut self) -> Self {
        self.diagnostic.in_system_headers = true;
        self
    }

    /// Reports it. Answers whether anything was shown (a disabled warning is not).
    pub fn emit(self) -> bool {
        self.session.diag.emit(&self.session.sources, &self.session.interner, self.diagnostic)
    }
}

/// `-fdiagnostics-format=`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Text on the terminal.
    #[default]
    Text,
    /// One JSON array on standard error at the end.
    Json,
    /// One SARIF log at the end.
    Sarif,
}

/// What the command line says about the look and the limits of diagnostics.
#[derive(Clone, Debug)]
pub struct DiagnosticOptions {
    /// `-fdiagnostics-format=`
    pub format: Format,
    /// `json-file`, `sarif-file`: what is written at the end is kept for
    /// [`Diagnostics::take_report`].
    pub to_file: bool,
    /// `-fdiagnostics-color=`
    pub colour: ColourChoice,
    /// `-f[no-]diagnostics-show-caret`
    pub show_caret: bool,
    /// `-f[no-]diagnostics-show-option`
    pub show_option: bool,
    /// `-f[no-]show-column`
    pub show_column: bool,
    /// `-fmax-errors=`, 0 for no limit. Without the option [`MANY_ERRORS`]: more are of one cause,
    /// and printing them takes minutes.
    pub max_errors: u32,
    /// `-Wfatal-errors`
    pub fatal_errors: bool,
    /// `-ftabstop=`, for columns
    pub tab_stop: u32,
    /// `-fmacro-backtrace-limit=`, 0 for no limit
    pub macro_backtrace_limit: u32,
    /// `-ftrack-macro-expansion=0` is true: everything in an expansion is at the macro's name.
    pub untracked_expansion: bool,
    /// `-fdiagnostics-parseable-fixits`
    pub parseable_fixits: bool,
    /// `-fdiagnostics-generate-patch`
    pub generate_patch: bool,
}

/// Errors after which compilation ends unless `-fmax-errors=` says otherwise.
pub const MANY_ERRORS: u32 = 10_000;

impl Default for DiagnosticOptions {
    fn default() -> Self {
        DiagnosticOptions {
            format: Format::Text,
            to_file: false,
            colour: ColourChoice::Auto,
            show_caret: true,
            show_option: true,
            show_column: true,
            max_errors: MANY_ERRORS,
            fatal_errors: false,
            tab_stop: 8,
            macro_backtrace_limit: 0,
            untracked_expansion: false,
            parseable_fixits: false,
            generate_patch: false,
        }
    }
}

/// The sink. All methods take `&self`.
#[derive(Default)]
pub struct Diagnostics {
    states: RefCell<WarningStates>,
    options: RefCell<DiagnosticOptions>,
    palette: RefCell<Option<colour::Palette>>,
    errors: Cell<u32>,
    warnings: Cell<u32>,
    promoted: Cell<bool>,
    stopped: Cell<bool>,
    /// Whether diagnostics wait in `held`.
    holding: Cell<bool>,
    held: RefCell<Vec<Diagnostic>>,
    /// Steps of include chains that were printed: place of the `#include` and distance from the
    /// main file.
    chains_seen: RefCell<rustc_hash::FxHashSet<(crate::Symbol, u32, usize)>>,
    /// Output when it is captured instead of going to standard error.
    captured: RefCell<Option<Vec<u8>>>,
    json: RefCell<Vec<String>>,
    sarif: RefCell<sarif::Log>,
    /// What is to be written into a file.
    report: RefCell<Option<String>>,
    /// Functions of the unit, for "In function".
    functions: RefCell<functions::Functions>,
    ranges: ranges::Ranges,
    /// For `-fdiagnostics-generate-patch`.
    patch: RefCell<fixits::Patch>,
    /// Diagnostics as values, when they are collected.
    collected: RefCell<Option<Vec<resolved::Resolved>>>,
}

impl Diagnostics {
    /// Sets look and limits; before the first diagnostic.
    pub fn set_options(&self, options: DiagnosticOptions) {
        *self.options.borrow_mut() = options;
        *self.palette.borrow_mut() = None;
    }

    /// The body of a function begins at `loc`.
    pub fn enter_function(&self, name: crate::Symbol, loc: Loc) {
        self.functions.borrow_mut().enter(name, loc);
    }

    /// The body of the innermost function ends at `loc`.
    pub fn leave_function(&self, loc: Loc) {
        self.functions.borrow_mut().leave(loc);
    }

    /// Diagnostics at the operator at `at` underline its operands.
    #[inline]
    pub fn note_operands(&self, at: Loc, left: Span, right: Span) {
        self.ranges.operands(at, left, right);
    }

    /// Diagnostics at the expression whose node is at `at` underline the whole of it.
    #[inline]
    pub fn note_expression(&self, at: Loc, range: Span) {
        self.ranges.expression(at, range);
    }

    /// Whether `-ftrack-macro-expansion=0` was given.
    pub fn untracked_expansion(&self) -> bool {
        self.options.borrow().untracked_expansion
    }

    /// Applies a `-W` option of the command line, given without `-W` (`all`, `no-unused`,
    /// `error=format`). Options must be given in order.
    pub fn warning_flag(&self, option: &str) -> FlagOutcome {
        if let Some(on) = option.strip_prefix("fatal-errors").map(|_| true) {
            self.options.borrow_mut().fatal_errors = on;
        }
        self.states.borrow_mut().command_line(option)
    }

    /// `-w`: no warnings at all, nor what `-Werror` and `-pedantic-errors` would make errors of (as
    /// in gcc).
    pub fn inhibit_warnings(&self) {
        self.states.borrow_mut().inhibit_all = true;
    }

    /// `-pedantic-errors`: what the standard demands to be diagnosed is an error. Implies the
    /// pedantic group.
    pub fn pedantic_errors(&self) {
        let mut states = self.states.borrow_mut();
        states.command_line("pedantic");
        states.pedantic_errors = true;
    }

    /// `#pragma GCC diagnostic push`.
    pub fn pragma_push(&self) {
        self.states.borrow_mut().push();
    }

    /// `#pragma GCC diagnostic pop` at `loc`.
    pub fn pragma_pop(&self, sources: &SourceMap, loc: Loc) {
        self.states.borrow_mut().pop(sources, loc);
    }

    /// `#pragma GCC diagnostic`: from `loc` on the flag has this severity, `None` for ignored.
    pub fn pragma_set(&self, sources: &SourceMap, loc: Loc, id: WarningId, severity: Option<Severity>) {
        self.states.borrow_mut().set(sources, loc, id, severity);
    }

    /// To be called when a file is entered (with its first position) and when its includer
    /// continues.
    pub fn switch_file(&self, sources: &SourceMap, loc: Loc) {
        self.states.borrow_mut().switch_file(sources, loc);
    }

    /// The severity a warning under `id` has at `loc`; `None` when it is off. `pedantic` for what
    /// the standard demands.
    pub fn severity_of(&self, sources: &SourceMap, id: WarningId, loc: Loc, pedantic: bool) -> Option<Severity> {
        // Most questions are about warnings that are off everywhere; places are looked up for the
        // others alone.
        if !self.is_on_somewhere(id) || sources.in_system_header(loc) && !self.states.borrow().system_headers {
            return None;
        }
        self.severity_by_flags(sources, id, loc, pedantic)
    }

    fn severity_by_flags(&self, sources: &SourceMap, id: WarningId, loc: Loc, pedantic: bool) -> Option<Severity> {
        let states = self.states.borrow();
        let setting = states.setting(sources, id, loc);
        if !setting.on || states.inhibit_all {
            return None;
        }
        let error = setting.error.unwrap_or(states.errors || pedantic && states.pedantic_errors);
        Some(if error { Severity::Error } else { Severity::Warning })
    }

    /// Whether the warning is on anywhere in what has been read so far.
    #[inline]
    pub fn is_on_somewhere(&self, id: WarningId) -> bool {
        self.states.borrow().is_on_somewhere(id)
    }

    /// Whether the flag was switched off by its own name (`-Wno-vla`).
    pub fn is_switched_off(&self, sources: &SourceMap, id: WarningId, loc: Loc) -> bool {
        let setting = self.states.borrow().setting(sources, id, loc);
        setting.explicit && !setting.on
    }

    /// Whether the flag was set by its own name rather than by a group or by default.
    pub fn is_explicit(&self, sources: &SourceMap, id: WarningId, loc: Loc) -> bool {
        let setting = self.states.borrow().setting(sources, id, loc);
        setting.explicit && setting.on
    }

    /// The number that the command line gives with the flag (`-Wshift-overflow=2`); 1 without one.
    pub fn level(&self, id: WarningId) -> u64 {
        self.states.borrow().level(id)
    }

    /// Number of errors so far.
    pub fn error_count(&self) -> u32 {
        self.errors.get()
    }

    /// Number of warnings so far.
    pub fn warning_count(&self) -> u32 {
        self.warnings.get()
    }

    /// Whether there was an error.
    pub fn has_errors(&self) -> bool {
        self.errors.get() != 0
    }

    /// Whether a fatal error occurred or the limit of errors was reached: producers should come to
    /// an end.
    pub fn stopped(&self) -> bool {
        self.stopped.get()
    }

    /// Whether diagnostics are to wait from now on, because somebody reads ahead. Those that wait
    /// are shown by [`crate::Session::release_diagnostics`] alone.
    pub fn hold(&self, on: bool) {
        self.holding.set(on);
    }

    /// Whether there are diagnostics that wait.
    #[inline]
    pub fn has_held(&self) -> bool {
        !self.held.borrow().is_empty()
    }

    /// Collects output in memory from now on, for tests; see [`Diagnostics::take_captured`].
    pub fn capture(&self) {
        *self.captured.borrow_mut() = Some(Vec::new());
    }

    /// What was reported since [`Diagnostics::capture`] or the last call.
    pub fn take_captured(&self) -> String {
        let mut captured = self.captured.borrow_mut();
        let bytes = captured.as_mut().map(std::mem::take).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Keeps diagnostics as values from now on, and what is written beside them; nothing goes to
    /// standard error.
    pub fn collect(&self) {
        *self.collected.borrow_mut() = Some(Vec::new());
        self.capture();
    }

    /// Whether diagnostics are kept as values.
    pub fn is_collecting(&self) -> bool {
        self.collected.borrow().is_some()
    }

    /// The diagnostics since [`Diagnostics::collect`] or the last call.
    pub fn take_collected(&self) -> Vec<resolved::Resolved> {
        self.collected.borrow_mut().as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Writes text on the diagnostic output as it is.
    pub fn write_raw(&self, text: &str) {
        match &mut *self.captured.borrow_mut() {
            Some(buffer) => buffer.extend_from_slice(text.as_bytes()),
            // Nothing can be done, and nobody told, when standard error is gone.
            None => drop(std::io::stderr().write_all(text.as_bytes())),
        }
    }

    /// The end: the closing remarks of gcc and the patch, or the JSON array or SARIF log. `program`
    /// is the name that remarks begin with.
    pub fn finish(&self, program: &str) {
        let format = self.options.borrow().format;
        let report = match format {
            _ if self.is_collecting() => None,
            Format::Text => None,
            Format::Json => Some(format!("[{}]\n", self.json.take().join(", "))),
            Format::Sarif => Some(self.sarif.borrow_mut().take()),
        };
        if let Some(report) = report {
            match self.options.borrow().to_file {
                true => *self.report.borrow_mut() = Some(report),
                false => self.write_raw(&report),
            }
        } else if self.promoted.get() {
            let some = if self.states.borrow().errors { "all" } else { "some" };
            self.write_raw(&format!("{program}: {some} warnings being treated as errors\n"));
        }
        self.write_raw(&self.patch.take().unified());
    }

    /// What belongs into a file, after [`Diagnostics::finish`].
    pub fn take_report(&self) -> Option<String> {
        self.report.take()
    }

    fn emit(&self, sources: &SourceMap, interner: &crate::Interner, mut diagnostic: Diagnostic) -> bool {
        if self.stopped.get() || !self.decide(sources, &mut diagnostic) {
            return false;
        }
        match self.holding.get() {
            true => self.held.borrow_mut().push(diagnostic),
            false => self.show(sources, interner, diagnostic),
        }
        true
    }

    pub(crate) fn release(&self, sources: &SourceMap, interner: &crate::Interner) {
        for diagnostic in self.held.take() {
            if !self.stopped.get() {
                self.show(sources, interner, diagnostic);
            }
        }
    }

    fn show(&self, sources: &SourceMap, interner: &crate::Interner, mut diagnostic: Diagnostic) {
        match diagnostic.severity {
            Severity::Error | Severity::Fatal => self.errors.set(self.errors.get() + 1),
            Severity::Warning => self.warnings.set(self.warnings.get() + 1),
            Severity::Note => {}
        }
        let options = self.options.borrow().clone();
        if diagnostic.spans.is_empty() && options.format != Format::Json {
            diagnostic.spans = self.ranges.around(diagnostic.loc);
        }
        if let Some(collected) = &mut *self.collected.borrow_mut() {
            let text = render::render(self, &options, sources, interner, &diagnostic);
            collected.push(resolved::resolve(&options, sources, interner, &diagnostic, text));
            self.stopped.set(self.limit_reached(&options, diagnostic.severity).is_some());
            return;
        }
        match options.format {
            Format::Text => {
                let text = render::render(self, &options, sources, interner, &diagnostic);
                self.write_raw(&text);
                if options.generate_patch {
                    self.patch.borrow_mut().add(&sources.data(), interner, &diagnostic.fixits);
                }
            }
            Format::Json => {
                let text = json::render(&options, sources, interner, &diagnostic);
                self.json.borrow_mut().push(text);
            }
            Format::Sarif => {
                let function = self.functions.borrow().now(sources.data().expansion_point(diagnostic.loc));
                self.sarif.borrow_mut().add(sources, interner, &diagnostic, function);
            }
        }
        self.limit(&options, diagnostic.severity);
    }

    /// Applies flags; answers whether the diagnostic is shown at all.
    fn decide(&self, sources: &SourceMap, diagnostic: &mut Diagnostic) -> bool {
        if diagnostic.severity != Severity::Warning {
            return true;
        }
        let severity = match diagnostic.warning {
            Some(id) if diagnostic.in_system_headers => {
                self.severity_by_flags(sources, id, diagnostic.loc, diagnostic.pedantic)
            }
            Some(id) => self.severity_of(sources, id, diagnostic.loc, diagnostic.pedantic),
            None => {
                let states = self.states.borrow();
                let hidden = sources.in_system_header(diagnostic.loc) && !states.system_headers;
                if states.inhibit_all || hidden && !diagnostic.in_system_headers {
                    return false;
                }
                let error = states.errors || diagnostic.pedantic && states.pedantic_errors;
                Some(if error { Severity::Error } else { Severity::Warning })
            }
        };
        let Some(severity) = severity else { return false };
        let pedantic_error = diagnostic.pedantic && self.states.borrow().pedantic_errors;
        diagnostic.promoted = severity == Severity::Error && !pedantic_error;
        if diagnostic.promoted {
            self.promoted.set(true);
        }
        diagnostic.severity = severity;
        true
    }

    /// Why nothing more is to be reported, in gcc's words.
    fn limit_reached(&self, options: &DiagnosticOptions, severity: Severity) -> Option<String> {
        if severity < Severity::Error {
            return None;
        }
        Some(if severity == Severity::Fatal {
            "compilation terminated.\n".to_owned()
        } else if options.fatal_errors {
            "compilation terminated due to -Wfatal-errors.\n".to_owned()
        } else if options.max_errors != 0 && self.errors.get() >= options.max_errors {
            format!("compilation terminated due to -fmax-errors={}.\n", options.max_errors)
        } else {
            return None;
        })
    }

    fn limit(&self, options: &DiagnosticOptions, severity: Severity) {
        let Some(reason) = self.limit_reached(options, severity) else { return };
        self.stopped.set(true);
        if options.format == Format::Text {
            self.write_raw(&reason);
        }
    }

    fn palette(&self, choice: ColourChoice) -> colour::Palette {
        self.palette.borrow_mut().get_or_insert_with(|| colour::Palette::new(choice)).clone()
    }
}
