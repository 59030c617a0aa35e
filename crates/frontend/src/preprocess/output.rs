//! The text of `-E`: gcc's spacing and line markers, `-P`, `-C`, and the dumps of `-d`.
//!
//! The rules are those of gcc's c-ppoutput.c. A space is printed where the source had one, and
//! where two tokens that come from different places would otherwise read as another token. Lines
//! are kept by printing newlines when the gap is small, a line marker when it is not.

use std::io::{self, Write};

use base::source_map::MarkerKind;
use base::{Loc, Symbol};

use super::headers::Header;
use super::macros::{self, MacroId};
use super::options::{DumpMacros, OutputOptions};
use super::{Preprocessor, expand, traditional};
use crate::lex::{Token, TokenFlags, TokenKind};

/// Gaps of up to this many lines are printed as newlines.
const MAX_NEWLINES: u32 = 8;
/// The text is handed on in pieces of about this size.
const FLUSH: usize = 256 << 10;

/// State of the output.
pub(super) struct Printer {
    options: OutputOptions,
    out: Vec<u8>,
    /// Presumed line and file that the output is at.
    line: u32,
    file: Symbol,
    /// Something was printed on the current line.
    printed: bool,
    previous: Option<Token>,
    /// The token whose white space the padding read last stands for: `Some(white space before it)`.
    source: Option<bool>,
    avoid_paste: bool,
    previous_system: bool,
    /// Text of pseudo files is not printed, except definitions under `-dD`.
    quiet: bool,
    in_pragma: bool,
    /// The last change of line needed a marker.
    just_marked: bool,
}

impl Printer {
    pub(super) fn new(options: OutputOptions) -> Printer {
        Printer {
            options,
            out: Vec::new(),
            line: 1,
            file: crate::lex::names::EMPTY,
            printed: false,
            previous: None,
            source: None,
            avoid_paste: false,
            previous_system: false,
            quiet: false,
            in_pragma: false,
            just_marked: false,
        }
    }

    fn end_line(&mut self) {
        if self.printed {
            self.out.push(b'\n');
            self.line = self.line.wrapping_add(1);
            self.printed = false;
        }
    }

    /// A line marker; `flags` with leading spaces. The compiler's own headers are no files: their
    /// names are of the form that programs which make dependencies of markers (perl's `make
    /// depend`, caches of objects) pass over.
    fn marker(&mut self, name: &str, line: u32, file: Symbol, flags: &str, system: bool) {
        if self.printed {
            self.out.push(b'\n');
        }
        self.printed = false;
        self.line = line;
        self.file = file;
        if self.options.no_line_markers || self.options.dump == DumpMacros::Only {
            return;
        }
        let system = if system { " 3 4" } else { "" };
        let own = name.strip_prefix(self.options.builtin_directory.as_str()).and_then(|rest| rest.strip_prefix('/'));
        let name = match own {
            Some(header) if !self.options.builtin_directory.is_empty() => format!("\"<built-in><{header}>\""),
            _ => super::builtins::quote(name),
        };
        self.out.extend_from_slice(format!("# {line} {name}{flags}{system}\n").as_bytes());
    }
}

/// Runs the whole translation unit through the printer.
pub(super) fn run(pp: &mut Preprocessor<'_>, out: &mut dyn Write) -> io::Result<()> {
    let only_macros = pp.options.output.as_ref().is_some_and(|output| output.dump == DumpMacros::Only);
    if pp.options.directives_only {
        pp.state.prevent_expansion += 1;
    }
    if pp.options.traditional {
        traditional::read(pp);
    }
    loop {
        let token = expand::get_token(pp);
        if token.is(TokenKind::Eof) {
            break;
        }
        if only_macros {
            continue;
        }
        print_token(pp, token);
        if let Some(printer) = &mut pp.printer
            && printer.out.len() > FLUSH
        {
            out.write_all(&printer.out)?;
            printer.out.clear();
        }
    }
    if only_macros {
        dump_macros(pp);
    }
    if let Some(printer) = &mut pp.printer {
        printer.end_line();
        out.write_all(&printer.out)?;
        printer.out.clear();
    }
    out.flush()
}

fn dump_macros(pp: &mut Preprocessor<'_>) {
    let mut text = Vec::new();
    for id in pp.macros.current() {
        text.extend_from_slice(b"#define ");
        text.extend_from_slice(&macros::definition_text(pp, id, false));
        text.push(b'\n');
    }
    if let Some(printer) = &mut pp.printer {
        printer.out = text;
    }
}

pub(super) fn print_token(pp: &mut Preprocessor<'_>, token: Token) {
    let Some(mut printer) = pp.printer.take() else { return };
    if token.is(TokenKind::Padding) {
        let source = token.flags.has(TokenFlags::HAS_SOURCE).then(|| token.flags.has(TokenFlags::LEADING_SPACE));
        printer.avoid_paste = true;
        if printer.source.is_none() || printer.source == Some(false) && source.is_none() {
            printer.source = source;
        }
        pp.printer = Some(printer);
        return;
    }
    let mut marked = false;
    match token.kind {
        TokenKind::Pragma => begin_pragma(pp, &mut printer, token),
        TokenKind::PragmaEnd => end_pragma(pp, &mut printer, token),
        _ => marked = text_token(pp, &mut printer, token),
    }
    printer.avoid_paste = false;
    printer.source = None;
    printer.previous = (!token.is(TokenKind::PragmaEnd) && !marked).then_some(token);
    pp.printer = Some(printer);
}

/// Prints a token; answers whether it was put after a line marker of its own, so that nothing is
/// before it.
fn text_token(pp: &Preprocessor<'_>, printer: &mut Printer, token: Token) -> bool {
    let white = token.flags.has(TokenFlags::LEADING_SPACE);
    let (mut marked, mut system_changed) = (false, false);
    if printer.avoid_paste || white {
        let moved = !printer.in_pragma && line_moved(pp, printer, token);
        marked = moved && printer.just_marked;
        let space = moved
            || !printer.avoid_paste
            || printer.source.unwrap_or(white)
            || printer.previous.is_some_and(|previous| would_paste(previous, token, pp))
            || printer.previous.is_none() && token.is(TokenKind::Hash);
        let name_of_pragma = printer.in_pragma && printer.previous.is_some_and(|p| p.is(TokenKind::Pragma));
        if space && !name_of_pragma {
            printer.out.push(b' ');
            printer.printed = true;
        }
    }
    let adjusts = !printer.in_pragma && !printer.options.no_line_markers && !pp.options.dialect.assembler;
    if adjusts && !from_pseudo_file(pp, token) {
        let system = pp.session.sources.in_system_header(token.loc);
        if system != printer.previous_system && !marked {
            // The marker's flags are those of the token, as the token may come from a macro of
            // another file.
            let at = pp.session.sources.expansion_point(token.loc);
            go_to_line_as(pp, printer, at, system);
            printer.previous = None;
            printer.source = None;
            indent(pp, printer, at);
            printer.previous_system = system;
            system_changed = true;
        }
    }
    spell(pp, token, &mut printer.out);
    printer.printed = true;
    if token.is(TokenKind::Comment) {
        let newlines = pp.session.interner.resolve_bytes(token.symbol()).iter().filter(|&&b| b == b'\n').count();
        printer.line = printer.line.wrapping_add(newlines as u32);
    }
    system_changed
}

/// Appends a token; characters beyond ASCII in identifiers become universal character names, as in
/// gcc.
fn spell(pp: &Preprocessor<'_>, token: Token, out: &mut Vec<u8>) {
    let start = out.len();
    pp.spell(token, out);
    if token.is(TokenKind::Identifier) && !out[start..].is_ascii() {
        let text = String::from_utf8_lossy(&out[start..]).into_owned();
        out.truncate(start);
        for c in text.chars() {
            match c.is_ascii() {
                true => out.push(c as u8),
                false => out.extend_from_slice(format!("\\U{:08x}", c as u32).as_bytes()),
            }
        }
    }
}

/// Whether a token was spelled in the predefined macros or on the command line, which are in no
/// header.
fn from_pseudo_file(pp: &Preprocessor<'_>, token: Token) -> bool {
    let spelling = pp.session.sources.spelling(token.loc);
    spelling.is_none() || spelling < pp.pseudo_end
}

/// Brings the output to the line of a token in the middle of a line, when an invocation spread over
/// several lines moved it. Whether a marker or newlines were printed.
fn line_moved(pp: &Preprocessor<'_>, printer: &mut Printer, token: Token) -> bool {
    if printer.options.no_line_markers || pp.options.dialect.assembler {
        return false;
    }
    let at = pp.session.sources.expansion_point(token.loc);
    let Some(place) = pp.session.sources.presumed(at) else { return false };
    if place.line == printer.line {
        return false;
    }
    go_to_line(pp, printer, at);
    printer.previous = None;
    printer.source = None;
    indent(pp, printer, at);
    true
}

/// Puts a token that begins a line of output into its column; one space, printed with the token
/// itself, is left out.
fn indent(pp: &Preprocessor<'_>, printer: &mut Printer, loc: Loc) {
    // A tab counts as one column, in gcc too.
    let column = pp.session.sources.presumed(loc).map_or(0, |place| place.column as usize - 1);
    printer.out.extend(std::iter::repeat_n(b' ', column.saturating_sub(1)));
    printer.printed = true;
}

/// Ends the line of text and goes on to the line of `loc`, by newlines or by a marker.
fn go_to_line(pp: &Preprocessor<'_>, printer: &mut Printer, loc: Loc) {
    if let Some(place) = pp.session.sources.presumed(loc) {
        go_to_line_as(pp, printer, loc, place.system);
    }
}

/// The same, with the system flag given.
fn go_to_line_as(pp: &Preprocessor<'_>, printer: &mut Printer, loc: Loc, system: bool) {
    let Some(place) = pp.session.sources.presumed(loc) else { return };
    printer.end_line();
    printer.just_marked = false;
    let near = place.line >= printer.line && place.line < printer.line.saturating_add(MAX_NEWLINES);
    if place.file == printer.file && near {
        while place.line > printer.line {
            if !printer.options.no_line_markers {
                printer.out.push(b'\n');
            }
            printer.line += 1;
        }
    } else {
        let name = pp.session.str(place.file);
        printer.marker(name, place.line, place.file, "", system);
        printer.just_marked = true;
    }
}

fn begin_pragma(pp: &Preprocessor<'_>, printer: &mut Printer, token: Token) {
    let at = pp.session.sources.expansion_point(token.loc);
    if token.flags.has(TokenFlags::PRAGMA_OPERATOR) {
        // Text before it on the line has to end, and what follows begins anew.
        printer.end_line();
        if let Some(place) = pp.session.sources.presumed(at) {
            printer.marker(pp.session.str(place.file), place.line, place.file, "", place.system);
        }
    } else {
        go_to_line(pp, printer, at);
    }
    printer.out.extend_from_slice(b"#pragma ");
    printer.printed = true;
    printer.in_pragma = true;
    printer.avoid_paste = false;
}

fn end_pragma(pp: &Preprocessor<'_>, printer: &mut Printer, end: Token) {
    printer.end_line();
    printer.in_pragma = false;
    printer.previous = None;
    if end.flags.has(TokenFlags::PRAGMA_OPERATOR) {
        // The line of text goes on.
        let at = pp.session.sources.expansion_point(end.loc);
        if let Some(place) = pp.session.sources.presumed(at) {
            printer.marker(pp.session.str(place.file), place.line, place.file, "", place.system);
        }
    }
}

/// Whether the two tokens side by side would read as another token, or begin a comment.
fn would_paste(a: Token, b: Token, pp: &Preprocessor<'_>) -> bool {
    use TokenKind::*;
    let mut text = Vec::new();
    let first = match b.kind {
        Identifier | Number | Char | String | Other | Embed | HeaderName | Comment => 0,
        _ => {
            pp.spell(b, &mut text);
            text.first().copied().unwrap_or(0)
        }
    };
    let takes_equal = matches!(
        a.kind,
        Equal
            | Bang
            | Greater
            | Less
            | Plus
            | Minus
            | Star
            | Slash
            | Percent
            | Amp
            | Pipe
            | Caret
            | GreaterGreater
            | LessLess
    );
    if takes_equal && first == b'=' {
        return true;
    }
    match a.kind {
        Greater => first == b'>',
        Less => matches!(first, b'<' | b'%' | b':'),
        Plus => first == b'+',
        Minus => matches!(first, b'-' | b'>'),
        Slash => matches!(first, b'/' | b'*'),
        Percent => matches!(first, b':' | b'%'),
        Amp => first == b'&',
        Pipe => first == b'|',
        Colon => matches!(first, b':' | b'>'),
        Dot => matches!(first, b'.' | b'%') || b.is(Number),
        Hash => matches!(first, b'#' | b'%'),
        Identifier | Pragma => {
            let word = |token: Token| {
                let text = pp.session.interner.resolve_bytes(token.symbol());
                text.first().is_some_and(|b| b.is_ascii_alphanumeric())
            };
            b.is(Identifier) || matches!(b.kind, Char | String) || b.is(Number) && word(b)
        }
        Number | Embed => matches!(b.kind, Number | Embed | Identifier | Char) || matches!(first, b'.' | b'+' | b'-'),
        Other => b.is(Identifier) && pp.session.interner.resolve_bytes(a.symbol()) == b"\\",
        _ => false,
    }
}

// What the rest of the preprocessor tells the printer. All of these do nothing without one.

/// A token that begins a line of the file was read.
pub(super) fn line_change(pp: &mut Preprocessor<'_>, token: Token) {
    if pp.state.parsing_args != 0 || token.is(TokenKind::Eof) {
        return;
    }
    let Some(mut printer) = pp.printer.take() else { return };
    if printer.options.dump != DumpMacros::Only {
        go_to_line(pp, &mut printer, token.loc);
        printer.previous = None;
        printer.source = None;
        indent(pp, &mut printer, token.loc);
        printer.avoid_paste = false;
    }
    pp.printer = Some(printer);
}

/// A line of text under `-traditional-cpp`, which began at `loc`.
pub(super) fn traditional_line(pp: &mut Preprocessor<'_>, loc: Loc, text: &[u8]) {
    let Some(mut printer) = pp.printer.take() else { return };
    if printer.options.dump != DumpMacros::Only {
        go_to_line(pp, &mut printer, loc);
        printer.out.extend_from_slice(text);
        let newlines = text.iter().filter(|&&b| b == b'\n').count();
        printer.line = printer.line.wrapping_add(newlines as u32);
        printer.printed = true;
        printer.previous = None;
    }
    pp.printer = Some(printer);
}

/// A pragma whose line is macro-expanded: gcc prints its line in two steps.
pub(super) fn expanded_pragma(pp: &mut Preprocessor<'_>, name: Token) {
    line_change(pp, name);
    if let Some(printer) = &mut pp.printer {
        printer.out.push(b' ');
    }
}

/// Before everything: the markers gcc begins with.
pub(super) fn begin(pp: &mut Preprocessor<'_>) {
    if pp.options.preprocessed {
        return;
    }
    let (name, symbol) = (pp.session.str(pp.main_name), pp.main_name);
    if let Some(printer) = &mut pp.printer {
        printer.marker(name, 0, symbol, "", false);
        if let Some(directory) = printer.options.working_directory.clone() {
            printer.marker(&format!("{directory}//"), 0, symbol, "", false);
        }
    }
}

/// A pseudo file is about to be read.
pub(super) fn text_entered(pp: &mut Preprocessor<'_>, name: &str) {
    if pp.options.preprocessed {
        return;
    }
    let symbol = pp.session.intern(name);
    if let Some(printer) = &mut pp.printer {
        printer.marker(name, 0, symbol, "", false);
        printer.quiet = true;
    }
}

/// Nothing that was printed so far is wanted.
pub(super) fn forget(pp: &mut Preprocessor<'_>) {
    if let Some(printer) = &mut pp.printer {
        printer.out.clear();
        printer.printed = false;
    }
}

/// A line of the source that is not text.
pub(super) fn kept_line(pp: &mut Preprocessor<'_>, loc: Loc, text: &str) {
    print_line(pp, loc, text.as_bytes());
}

/// The main file is about to be entered.
pub(super) fn main_entered(pp: &mut Preprocessor<'_>) {
    if let Some(printer) = &mut pp.printer {
        printer.quiet = false;
    }
}

/// A file was entered; it is the current one.
pub(super) fn file_entered(pp: &mut Preprocessor<'_>, name: Symbol, system: bool, include_loc: Loc) {
    let Some(mut printer) = pp.printer.take() else { return };
    if printer.options.dump != DumpMacros::Only {
        if !include_loc.is_none() {
            go_to_line(pp, &mut printer, include_loc);
        }
        let main = name == pp.main_name && include_loc.is_none();
        if !(main && pp.options.preprocessed) {
            printer.marker(pp.session.str(name), 1, name, if main { "" } else { " 1" }, system);
        }
        printer.previous = None;
    }
    pp.printer = Some(printer);
}

/// A file has ended; its includer is the current one.
pub(super) fn file_left(pp: &mut Preprocessor<'_>) {
    let Some(mut printer) = pp.printer.take() else { return };
    if printer.options.dump != DumpMacros::Only {
        match pp.session.sources.presumed(pp.buf.lexer.loc()) {
            Some(place) if pp.buf.file.is_some() => {
                printer.marker(pp.session.str(place.file), place.line, place.file, " 2", place.system);
            }
            _ => {
                let name = pp.session.intern("<command-line>");
                printer.marker("<command-line>", 0, name, " 2", false);
            }
        }
        printer.previous = None;
    }
    pp.printer = Some(printer);
}

/// `#line` or a line marker.
pub(super) fn file_renamed(pp: &mut Preprocessor<'_>, line: u32, file: Symbol, system: bool, kind: MarkerKind) {
    let flags = match kind {
        MarkerKind::Rename => "",
        MarkerKind::Enter => " 1",
        MarkerKind::Return => " 2",
    };
    let name = pp.session.str(file);
    if let Some(printer) = &mut pp.printer {
        printer.marker(name, line, file, flags, system);
    }
}

/// `#pragma GCC system_header`
pub(super) fn became_system(pp: &mut Preprocessor<'_>) {
    let Some(place) = pp.session.sources.presumed(pp.buf.lexer.loc()) else { return };
    let name = pp.session.str(place.file);
    if let Some(printer) = &mut pp.printer {
        printer.marker(name, place.line + 1, place.file, "", true);
    }
}

/// `#ident "text"`
pub(super) fn ident(pp: &mut Preprocessor<'_>, loc: Loc, text: Token) {
    let Some(mut printer) = pp.printer.take() else { return };
    if printer.options.dump != DumpMacros::Only {
        go_to_line(pp, &mut printer, loc);
        printer.out.extend_from_slice(b"#ident ");
        pp.spell(text, &mut printer.out);
        printer.printed = true;
        printer.end_line();
    }
    pp.printer = Some(printer);
}

fn dump(pp: &Preprocessor<'_>) -> DumpMacros {
    pp.printer.as_ref().map_or(DumpMacros::No, |printer| printer.options.dump)
}

fn print_line(pp: &mut Preprocessor<'_>, loc: Loc, text: &[u8]) {
    let Some(mut printer) = pp.printer.take() else { return };
    go_to_line(pp, &mut printer, loc);
    printer.out.extend_from_slice(text);
    printer.printed = true;
    printer.end_line();
    pp.printer = Some(printer);
}

/// A macro was defined.
pub(super) fn macro_defined(pp: &mut Preprocessor<'_>, id: MacroId) {
    let name_only = match dump(pp) {
        DumpMacros::Definitions => false,
        DumpMacros::Names => true,
        _ if pp.options.directives_only && pp.printer.is_some() => false,
        _ => return,
    };
    let mut text = b"#define ".to_vec();
    text.extend_from_slice(&macros::definition_text(pp, id, name_only));
    let loc = pp.macros.macros[id as usize].loc;
    print_line(pp, loc, &text);
}

/// `#undef`, of a macro or not.
pub(super) fn macro_undefined(pp: &mut Preprocessor<'_>, name: Token) {
    if matches!(dump(pp), DumpMacros::Definitions | DumpMacros::Names) {
        let text = format!("#undef {}", pp.session.str(name.symbol()));
        print_line(pp, name.loc, text.as_bytes());
    }
}

/// A macro was used for the first time.
pub(super) fn macro_used(pp: &mut Preprocessor<'_>, id: MacroId) {
    if dump(pp) == DumpMacros::Used {
        let definition = &pp.macros.macros[id as usize];
        if matches!(definition.kind, macros::MacroKind::Builtin(_)) {
            return;
        }
        let mut text = b"#define ".to_vec();
        text.extend_from_slice(&macros::definition_text(pp, id, false));
        let loc = pp.buf.lexer.loc();
        print_line(pp, loc, &text);
    }
}

/// `#include` and its relatives, before the file is entered.
pub(super) fn include_directive(pp: &mut Preprocessor<'_>, name: Token, header: &Header) {
    if !pp.printer.as_ref().is_some_and(|printer| printer.options.dump_includes) {
        return;
    }
    let directive = pp.session.str(name.symbol());
    let text = match header.angled {
        true => format!("#{directive} <{}>", header.name),
        false => format!("#{directive} \"{}\"", header.name),
    };
    print_line(pp, name.loc, text.as_bytes());
}
