//! The expansion of a logical line.
//!
//! Characters come from the innermost replacement text, or from the line; what is read is written
//! to the output, and taken back from there where it turns out to be a macro's invocation. So an
//! invocation may begin in a replacement and end in the file, and its arguments are text that is
//! not expanded before it stands in the replacement.

use base::Loc;

use super::define::substitute;
use super::{Line, at_directive, directive, line};
use crate::lex::{Token, TokenFlags, TokenKind, names};
use crate::preprocess::macros::{MacroId, MacroKind};
use crate::preprocess::{Preprocessor, builtins};

/// A function-like macro may occur so often inside its own expansions; gcc's figure.
const FUNCTION_DEPTH: usize = 20;

/// Replacement text being read.
struct Replacement {
    macro_id: MacroId,
    text: Vec<u8>,
    at: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Plain,
    /// After the name of a function-like macro.
    Name,
    /// In its arguments.
    Arguments,
    /// After `defined`.
    Defined,
    /// After `defined (`, or in the answer of an assertion.
    DefinedParenthesis,
    /// After `#` in a condition, and after the predicate.
    Predicate,
    Answer,
}

/// What becomes of comments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comments {
    Dropped,
    Kept,
    /// In directives that are read as tokens afterwards.
    Space,
}

/// An invocation being collected.
#[derive(Default)]
struct Invocation {
    macro_id: MacroId,
    /// Where its name began in the output.
    start: usize,
    /// Ends of the arguments but the last, in the output.
    commas: Vec<usize>,
}

/// Expands one line.
pub(super) struct Scanner<'p, 's> {
    pp: &'p mut Preprocessor<'s>,
    replacements: Vec<Replacement>,
    line: Vec<u8>,
    at: usize,
    /// Beginning of the current line.
    loc: Loc,
    splices: Vec<(usize, Loc)>,
    out: Vec<u8>,
    comments: Comments,
    in_directive: bool,
    /// `defined` is an operator.
    condition: bool,
    /// Only comments are of interest.
    skipping: bool,
}

impl<'p, 's> Scanner<'p, 's> {
    /// For a line of text.
    pub(super) fn text(pp: &'p mut Preprocessor<'s>, line: Line) -> Scanner<'p, 's> {
        let keep = pp.options.output.as_ref().is_some_and(|output| output.keep_comments);
        let comments = if keep { Comments::Kept } else { Comments::Dropped };
        Scanner {
            pp,
            replacements: Vec::new(),
            line: line.text,
            at: 0,
            loc: line.loc,
            splices: line.splices,
            out: Vec::new(),
            comments,
            in_directive: false,
            condition: false,
            skipping: false,
        }
    }

    /// For a line that is left out: its comments may go on over several lines.
    pub(super) fn skipped(pp: &'p mut Preprocessor<'s>, line: Line) -> Scanner<'p, 's> {
        Scanner { skipping: true, comments: Comments::Dropped, ..Scanner::text(pp, line) }
    }

    /// For the rest of a directive's line; `condition` for `#if` and `#elif`.
    pub(super) fn directive(pp: &'p mut Preprocessor<'s>, line: Line, condition: bool) -> Scanner<'p, 's> {
        Scanner { comments: Comments::Space, in_directive: true, condition, ..Scanner::text(pp, line) }
    }

    /// The expanded line.
    pub(super) fn run(mut self) -> Vec<u8> {
        let mut state = State::Plain;
        let mut quote = 0;
        let mut depth = 0u32;
        let mut call = Invocation::default();
        loop {
            let Some(c) = self.next() else {
                let open = match state {
                    _ if self.in_directive => false,
                    State::Arguments => true,
                    State::Name => !at_directive(self.pp),
                    _ => false,
                };
                if !open || !self.next_line() {
                    break;
                }
                // It goes away again, if the arguments follow.
                self.out.push(if state == State::Arguments { b' ' } else { b'\n' });
                continue;
            };
            if c == b'#' && quote == 0 && self.condition {
                state = State::Predicate;
                self.out.push(c);
                continue;
            }
            let comment = c == b'/' && self.peek() == Some(b'*');
            if !c.is_ascii_whitespace() && !comment && !self.skipping {
                self.pp.buf.mi_valid &= self.in_directive;
            }
            match c {
                b' ' | b'\t' | 0x0b | 0x0c => self.out.push(c),
                b'\\' => {
                    state = behind_name(state);
                    self.out.push(c);
                    if let Some(next @ (b'\\' | b'"' | b'\'')) = self.peek() {
                        self.next();
                        self.out.push(next);
                    }
                }
                b'"' | b'\'' => {
                    state = behind_name(state);
                    match quote {
                        0 => quote = c,
                        _ if quote == c => quote = 0,
                        _ => {}
                    }
                    self.out.push(c);
                }
                b'/' if quote == 0 && self.peek() == Some(b'*') => self.comment(),
                b'(' if quote == 0 => {
                    depth += 1;
                    state = self.parenthesis(state, &mut depth, &mut call);
                }
                b',' if quote == 0 && state == State::Arguments && depth == 1 => {
                    call.commas.push(self.out.len());
                    self.out.push(c);
                }
                b')' if quote == 0 => {
                    depth = depth.saturating_sub(1);
                    if state == State::Arguments && depth == 0 {
                        state = State::Plain;
                        self.finish_invocation(&call);
                    } else {
                        if state == State::DefinedParenthesis {
                            state = State::Plain;
                        }
                        state = behind_name(state);
                        self.out.push(c);
                    }
                }
                _ if starts_word(c) && quote == 0 && !self.skipping => {
                    let start = self.out.len();
                    self.word(c);
                    state = self.after_word(state, start, &mut call);
                }
                _ => {
                    state = behind_name(state);
                    self.out.push(c);
                }
            }
        }
        if state == State::Arguments {
            let name = self.pp.session.str(self.pp.macros.macros[call.macro_id as usize].name);
            let message = format!("unterminated argument list invoking macro \"{name}\"");
            self.pp.session.error(self.loc, message).emit();
        }
        self.out
    }

    /// An opening parenthesis, which is at `depth`; the state after it.
    fn parenthesis(&mut self, state: State, depth: &mut u32, call: &mut Invocation) -> State {
        match state {
            State::Name if self.recursive(call.macro_id) => {
                self.report_recursion(call.macro_id);
                self.out.push(b'(');
                State::Plain
            }
            State::Name => {
                *depth = 1;
                self.out.truncate(call.start);
                call.commas.clear();
                State::Arguments
            }
            State::Defined | State::Answer => {
                self.out.push(b'(');
                State::DefinedParenthesis
            }
            _ => {
                self.out.push(b'(');
                state
            }
        }
    }

    /// The next character of the innermost text; `None` at the end of the line.
    fn next(&mut self) -> Option<u8> {
        while let Some(top) = self.replacements.last_mut() {
            if let Some(&c) = top.text.get(top.at) {
                top.at += 1;
                return Some(c);
            }
            self.replacements.pop();
        }
        let c = self.line.get(self.at).copied();
        self.at += usize::from(c.is_some());
        c
    }

    /// The character after the one just read, in the same text.
    fn peek(&self) -> Option<u8> {
        match self.replacements.last() {
            Some(top) => top.text.get(top.at).copied(),
            None => self.line.get(self.at).copied(),
        }
    }

    /// Goes on to the next line of the file, past directives; `false` at its end.
    fn next_line(&mut self) -> bool {
        let depth = self.pp.outer.len();
        loop {
            if self.pp.buf.lexer.at_end() {
                return false;
            }
            if !at_directive(self.pp) {
                break;
            }
            directive(self.pp);
            if self.pp.outer.len() != depth {
                return false;
            }
        }
        self.take_line();
        true
    }

    fn take_line(&mut self) {
        let line = line(self.pp);
        (self.line, self.at, self.loc, self.splices) = (line.text, 0, line.loc, line.splices);
    }

    /// The rest of a word whose first character was read.
    fn word(&mut self, first: u8) {
        self.out.push(first);
        while let Some(c) = self.peek().filter(|&c| starts_word(c) || c.is_ascii_digit()) {
            self.next();
            self.out.push(c);
        }
    }

    /// Looks at the word that begins at `start` of the output.
    fn after_word(&mut self, state: State, start: usize, call: &mut Invocation) -> State {
        if !matches!(state, State::Plain | State::Name) {
            return match state {
                State::Defined | State::Answer => State::Plain,
                State::Predicate => State::Answer,
                _ => state,
            };
        }
        let name = self.pp.session.interner.intern_bytes(&self.out[start..]);
        if self.condition && name == names::DEFINED {
            return State::Defined;
        }
        let id = self.pp.macros.slot(name);
        if id == 0 {
            return State::Plain;
        }
        match self.pp.macros.macros[id as usize].kind {
            MacroKind::Text { function: true } => {
                (call.macro_id, call.start) = (id, start);
                return State::Name;
            }
            MacroKind::Text { function: false } => {
                if self.recursive(id) {
                    self.report_recursion(id);
                    return State::Plain;
                }
                self.out.truncate(start);
                let text = substitute(&self.pp.traditional.texts[&id], &[]);
                self.push(id, text);
            }
            MacroKind::Builtin(builtin) => {
                // The operators with parentheses are for the lexer of the condition.
                let token = Token { loc: self.physical_line(), ..self.name_token(name) };
                if !builtin.is_operator()
                    && let builtins::Expansion::Token(token) = builtins::expand(self.pp, builtin, token)
                {
                    self.out.truncate(start);
                    self.pp.spell(token, &mut self.out);
                }
            }
            _ => {
                crate::preprocess::expand::reject_special_name(self.pp, self.name_token(name));
            }
        }
        State::Plain
    }

    fn name_token(&self, name: base::Symbol) -> Token {
        Token { kind: TokenKind::Identifier, flags: TokenFlags::NONE, loc: self.loc, payload: name.0 }
    }

    /// In the physical line that is being read: `__LINE__` is its number.
    fn physical_line(&self) -> Loc {
        self.splices.iter().rev().find(|splice| splice.0 < self.at).map_or(self.loc, |splice| splice.1)
    }

    /// Lets the replacement of a macro be read next.
    fn push(&mut self, id: MacroId, text: Vec<u8>) {
        self.pp.buf.mi_valid = false;
        let first = !std::mem::replace(&mut self.pp.macros.macros[id as usize].used, true);
        if first {
            crate::preprocess::output::macro_used(self.pp, id);
        }
        self.replacements.push(Replacement { macro_id: id, text, at: 0 });
    }

    /// Whether a macro must not be expanded here, as its own expansion led here.
    fn recursive(&self, id: MacroId) -> bool {
        let inside = self.replacements.iter().filter(|r| r.macro_id == id && r.at < r.text.len() + 1).count();
        match self.pp.macros.macros[id as usize].kind {
            MacroKind::Text { function: true } => inside > FUNCTION_DEPTH,
            _ => inside > 0,
        }
    }

    fn report_recursion(&self, id: MacroId) {
        let name = self.pp.session.str(self.pp.macros.macros[id as usize].name);
        let message = format!("detected recursion whilst expanding macro \"{name}\"");
        self.pp.session.error(self.loc, message).emit();
    }

    /// At the parenthesis that ends the arguments: puts the replacement in the place of the
    /// invocation.
    fn finish_invocation(&mut self, call: &Invocation) {
        let text = &self.pp.traditional.texts[&call.macro_id];
        let mut args = Vec::with_capacity(call.commas.len() + 1);
        let mut start = call.start;
        for &comma in &call.commas {
            args.push(&self.out[start..comma]);
            start = comma + 1;
        }
        args.push(&self.out[start..]);
        if text.parameters.is_empty() && args.len() == 1 && args[0].is_empty() {
            args.clear();
        }
        let (wanted, given) = (text.parameters.len(), args.len());
        if wanted == given {
            let text = substitute(text, &args);
            self.out.truncate(call.start);
            self.push(call.macro_id, text);
            return;
        }
        let definition = &self.pp.macros.macros[call.macro_id as usize];
        let name = self.pp.session.str(definition.name);
        let message = if given < wanted {
            format!("macro \"{name}\" requires {wanted} arguments, but only {given} given")
        } else {
            format!("macro \"{name}\" passed {given} arguments, but takes just {wanted}")
        };
        let note = format!("macro \"{name}\" defined here");
        self.pp.session.error(self.loc, message).note(definition.loc, note).emit();
        self.out.push(b')');
    }

    /// A comment whose slash was read: to its end, in later lines if need be.
    fn comment(&mut self) {
        let began = self.loc;
        let mut text = b"/*".to_vec();
        self.next();
        let in_replacement = !self.replacements.is_empty();
        loop {
            match self.peek() {
                Some(c) => {
                    self.next();
                    text.push(c);
                    if c == b'/' && text.len() > 3 && text[text.len() - 2] == b'*' {
                        break;
                    }
                    if c == b'*' && text[text.len() - 2] == b'/' && text.len() > 3 && self.peek() != Some(b'/') {
                        let message = "\"/*\" within comment";
                        self.pp.session.warn(base::warning::COMMENT, self.loc, message).emit();
                    }
                }
                None if in_replacement || self.pp.buf.lexer.at_end() => {
                    self.pp.session.error(began, "unterminated comment").emit();
                    break;
                }
                None => {
                    text.push(b'\n');
                    self.take_line();
                }
            }
        }
        match self.comments {
            Comments::Dropped => {}
            Comments::Kept => self.out.extend_from_slice(&text),
            Comments::Space => self.out.push(b' '),
        }
    }
}

/// A character that is neither white space nor a parenthesis ends the wait for one.
fn behind_name(state: State) -> State {
    if state == State::Name { State::Plain } else { state }
}

/// Whether a word may begin with the character.
pub(super) fn starts_word(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_' || c == b'$' || c >= 0x80
}
