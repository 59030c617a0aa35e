//! What the rest of the preprocessor tells the record of macros ([`base::macro_log`]). All of these
//! do nothing where none is kept.

use base::macro_log::MacroEvent;
use base::source_map::MarkerKind;
use base::{Loc, Symbol};

use super::macros::{self, MacroId, MacroKind};
use super::{Preprocessor, Token};

/// A position, unless it is in the predefined macros or those of the command line.
fn in_file(pp: &Preprocessor<'_>, at: Loc) -> Loc {
    let of_no_file = match pp.options.preprocessed {
        true => pp.session.sources.presumed(at).is_some_and(|at| pp.session.str(at.file).starts_with('<')),
        false => pp.buf.file.is_none(),
    };
    if of_no_file { Loc::NONE } else { at }
}

/// The main file; what the command line includes is included there.
pub(super) fn main_entered(pp: &Preprocessor<'_>) {
    pp.session.macros.push(MacroEvent::Enter { at: Loc::NONE, file: pp.main_name });
}

/// Another file was entered; it is the current one.
pub(super) fn file_entered(pp: &Preprocessor<'_>, file: Symbol, at: Loc) {
    pp.session.macros.push(MacroEvent::Enter { at, file });
}

/// A file has ended.
pub(super) fn file_left(pp: &Preprocessor<'_>) {
    pp.session.macros.push(MacroEvent::Leave);
}

/// A line marker of a preprocessed file; `at` is after it.
pub(super) fn file_renamed(pp: &Preprocessor<'_>, at: Loc, file: Symbol, kind: MarkerKind) {
    match kind {
        MarkerKind::Enter if file != pp.main_name => file_entered(pp, file, at),
        MarkerKind::Return => file_left(pp),
        _ => {}
    }
}

/// A macro was defined.
pub(super) fn defined(pp: &Preprocessor<'_>, id: MacroId) {
    if pp.session.macros.is_on() {
        let at = in_file(pp, pp.macros.macros[id as usize].loc);
        let text = macros::definition_text(pp, id, false).into();
        pp.session.macros.push(MacroEvent::Define { at, text });
    }
}

/// `#undef`, of a macro or not.
pub(super) fn undefined(pp: &Preprocessor<'_>, name: Token) {
    pp.session.macros.push(MacroEvent::Undefine { at: in_file(pp, name.loc), name: name.symbol() });
}

/// `#pragma pop_macro` at a position: the macro is what it was before, or none.
pub(super) fn restored(pp: &Preprocessor<'_>, name: Symbol, at: Loc) {
    if !pp.session.macros.is_on() {
        return;
    }
    pp.session.macros.push(MacroEvent::Undefine { at, name });
    if let Some(id) = pp.macros.defined(name)
        && !matches!(pp.macros.macros[id as usize].kind, MacroKind::Builtin(_))
    {
        let text = macros::definition_text(pp, id, false).into();
        pp.session.macros.push(MacroEvent::Define { at, text });
    }
}
