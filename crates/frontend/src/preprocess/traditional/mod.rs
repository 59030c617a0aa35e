//! Traditional preprocessing (`-traditional-cpp`): GNU CPP manual, "Traditional Mode", and what
//! gcc's cpplib does.
//!
//! It works on text, not on tokens. A line of the file, with its macros expanded, is printed as it
//! is: white space stays, comments go without leaving a space, so that what was beside them becomes
//! one word. Macro bodies are text, too: a parameter's name is replaced inside quotes, `#` and `##`
//! mean nothing, and an argument is expanded only where it stands after the replacement. A
//! directive has its `#` in the first column.
//!
//! Files, conditionals and directives are the preprocessor's own: this module reads the lines
//! between the directives, gives `#define` its own meaning ([`define`]), and expands the lines of
//! `#if`, `#elif`, `#include` and `#line` before they are read as tokens. The result is text in any
//! case; the driver reads it again as preprocessed text where it is to be compiled.

mod define;
mod scan;

pub(super) use define::{Text, define, definition_text};

use base::Loc;
use base::source_map::{MarkerKind, SourceText};
use rustc_hash::FxHashMap;

use super::directives::{self, Outcome};
use super::macros::MacroId;
use super::{Preprocessor, conditionals, expand, include, output};
use crate::lex::lexer::{Lexer, LineComments};
use crate::lex::{Token, TokenFlags, TokenKind, names};
use scan::Scanner;

/// What this mode knows beside the rest of the preprocessor.
#[derive(Default)]
pub(super) struct Traditional {
    /// Bodies of the macros.
    pub(super) texts: FxHashMap<MacroId, Text>,
    /// A group to be skipped follows the directive just read.
    skip: bool,
    /// Where the line of the directive ends in the file, if the lexer reads its expansion instead.
    line_end: Option<Loc>,
}

/// Where the directive's line ends in its file.
pub(super) fn line_end(pp: &Preprocessor<'_>) -> Loc {
    pp.traditional.line_end.unwrap_or(pp.buf.lexer.loc())
}

/// Reads lines, printing what is no directive, until the end of the current file and of all those
/// that follow it.
pub(super) fn read(pp: &mut Preprocessor<'_>) {
    loop {
        if pp.session.diag.stopped() {
            pp.buf.lexer.stop();
        }
        if pp.buf.lexer.at_end() {
            if !include::leave(pp) {
                return;
            }
            continue;
        }
        if at_directive(pp) {
            directive(pp);
            continue;
        }
        text_line(pp);
    }
}

/// Expands and prints the next line.
fn text_line(pp: &mut Preprocessor<'_>) {
    let line = line(pp);
    let loc = line.loc;
    let text = Scanner::text(pp, line).run();
    output::traditional_line(pp, loc, &text);
}

/// Whether the line that begins here is a directive.
fn at_directive(pp: &Preprocessor<'_>) -> bool {
    let (text, at) = pp.buf.lexer.raw();
    text[at] == b'#'
}

/// A logical line, without its splices and its newline.
struct Line {
    text: Vec<u8>,
    /// Where it began.
    loc: Loc,
    /// Where it was spliced: the offset after, and its place in the file.
    splices: Vec<(usize, Loc)>,
}

/// Takes the next logical line.
fn line(pp: &mut Preprocessor<'_>) -> Line {
    let loc = pp.buf.lexer.loc();
    let mut splices = Vec::new();
    let (text, mut at) = pp.buf.lexer.raw();
    let end = text.len() - 1;
    let mut out = Vec::new();
    while at < end {
        let stop = memchr::memchr2(b'\n', b'\\', &text[at..end]).map_or(end, |found| at + found);
        out.extend_from_slice(&text[at..stop]);
        at = stop;
        if at == end {
            break;
        }
        if text[at] == b'\n' {
            at += 1;
            break;
        }
        let blank = text[at + 1..end].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
        if text.get(at + 1 + blank) == Some(&b'\n') {
            at += blank + 2;
            pp.buf.lexer.set_offset(at);
            splices.push((out.len(), pp.buf.lexer.loc()));
        } else {
            out.push(b'\\');
            at += 1;
        }
    }
    if out.last() == Some(&b'\r') {
        out.pop();
    }
    pp.buf.lexer.set_offset(at);
    Line { text: out, loc, splices }
}

/// Obeys the directive at the beginning of a line.
fn directive(pp: &mut Preprocessor<'_>) {
    let (_, at) = pp.buf.lexer.raw();
    let hash = Token::new(TokenKind::Hash, TokenFlags::START_OF_LINE, pp.buf.lexer.loc());
    pp.buf.lexer.set_offset(at + 1);
    if !directives::handle(pp, hash) {
        // In assembler text any line may begin so.
        pp.lookahead.clear();
        pp.buf.lexer.set_offset(at);
        text_line(pp);
    }
    // A pragma leaves its tokens to be printed.
    while !pp.contexts.is_empty() {
        let token = expand::get_token(pp);
        output::print_token(pp, token);
    }
    if std::mem::take(&mut pp.traditional.skip) {
        skip(pp);
    }
}

/// Says that the group after the directive just read is left out.
pub(super) fn skip_later(pp: &mut Preprocessor<'_>) {
    pp.traditional.skip = true;
}

/// Passes over a group that is left out, and over the directive that ends it.
fn skip(pp: &mut Preprocessor<'_>) {
    while !pp.buf.lexer.at_end() {
        if !at_directive(pp) {
            let line = line(pp);
            Scanner::skipped(pp, line).run();
            continue;
        }
        let (_, at) = pp.buf.lexer.raw();
        pp.buf.lexer.set_offset(at + 1);
        pp.buf.lexer.in_directive = true;
        pp.state.in_directive = true;
        let name = pp.buf.lexer.next();
        let expanded =
            name.is(TokenKind::Identifier) && name.symbol() == names::ELIF && conditionals::awaits_condition(pp);
        let saved = expanded.then(|| enter_expanded_line(pp, name));
        let skipping = conditionals::directive_in_skipped_group(pp, name);
        if let Some(saved) = saved {
            pp.traditional.line_end = None;
            pp.buf.lexer = saved;
        }
        expand::discard(pp);
        pp.state.in_directive = false;
        pp.buf.lexer.end_directive();
        if !skipping {
            return;
        }
    }
}

/// Whether macros are expanded in the rest of the directive's line before it is read.
pub(super) fn expands(pp: &Preprocessor<'_>, name: Token) -> bool {
    match name.symbol() {
        names::IF | names::LINE => true,
        // A header's name that is written out is left alone.
        names::INCLUDE | names::INCLUDE_NEXT | names::IMPORT => {
            let (text, at) = pp.buf.lexer.raw();
            let first = text[at..].iter().find(|b| !matches!(b, b' ' | b'\t'));
            !matches!(first, Some(b'<' | b'"'))
        }
        _ => false,
    }
}

/// Reads a directive whose line has its macros expanded first.
pub(super) fn expanded_directive(
    pp: &mut Preprocessor<'_>,
    name: Token,
    read: impl FnOnce(&mut Preprocessor<'_>) -> Outcome,
) -> Outcome {
    let depth = pp.outer.len();
    let saved = enter_expanded_line(pp, name);
    let outcome = read(pp);
    pp.traditional.line_end = None;
    // An included file is the current one now.
    let entered = pp.outer.len() > depth;
    let buffer = if entered { pp.outer.last_mut() } else { Some(&mut pp.buf) };
    if let Some(buffer) = buffer {
        buffer.lexer = saved;
        if entered {
            buffer.lexer.end_directive();
        }
    }
    outcome
}

/// Expands the rest of the line and lets the lexer read the result; gives the file's lexer back, at
/// the end of the line.
fn enter_expanded_line<'s>(pp: &mut Preprocessor<'s>, name: Token) -> Lexer<'s> {
    let line = line(pp);
    let loc = line.loc;
    let mut text = Scanner::directive(pp, line, matches!(name.symbol(), names::IF | names::ELIF)).run();
    let (file, at) = pp.buf.lexer.raw();
    if at > 0 && file[at - 1] == b'\n' {
        pp.buf.lexer.set_offset(at - 1);
    }
    // The line is the second of its text, as a mark says of the next one where it is.
    text.insert(0, b'\n');
    text.push(b'\n');
    let place = pp.session.sources.presumed(loc);
    let source = pp.session.sources.add_source(SourceText::from_vec(text));
    let file = place.map_or(pp.buf.name, |place| place.file);
    let base = pp.session.sources.include(source, file, Loc::NONE, pp.buf.system).unwrap_or(Loc::NONE);
    if let Some(place) = place {
        pp.session.sources.mark_line(base, place.line, file, pp.buf.system, MarkerKind::Rename);
    }
    let mut lexer = Lexer::new(pp.session, pp.session.sources.bytes(source), base, pp.switches);
    lexer.set_offset(1);
    lexer.in_directive = true;
    lexer.line_comments = LineComments::Never;
    pp.traditional.line_end = Some(pp.buf.lexer.loc());
    std::mem::replace(&mut pp.buf.lexer, lexer)
}
