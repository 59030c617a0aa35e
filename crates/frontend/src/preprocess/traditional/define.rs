//! `#define`: bodies are text with places for arguments.

use base::Symbol;

use super::Preprocessor;
use super::scan::starts_word;
use crate::lex::Token;
use crate::preprocess::macros::{self, Macro, MacroId, MacroKind};

/// The body of a macro.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::preprocess) struct Text {
    function: bool,
    pub(super) parameters: Vec<Symbol>,
    pieces: Vec<Piece>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(Vec<u8>),
    Argument(usize),
}

/// The body with arguments in their places: as they are, but for those in a string, which stays
/// one.
pub(super) fn substitute(text: &Text, args: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut quote = 0;
    for piece in &text.pieces {
        match piece {
            Piece::Text(text) => {
                quote = text.iter().fold((quote, false), step_quote).0;
                out.extend_from_slice(text);
            }
            Piece::Argument(index) if quote == b'"' => escape(args[*index], &mut out),
            Piece::Argument(index) => out.extend_from_slice(args[*index]),
        }
    }
    out
}

/// The quote that is open, and whether the character is escaped, after one more character.
fn step_quote((quote, escaped): (u8, bool), &c: &u8) -> (u8, bool) {
    match c {
        _ if escaped => (quote, false),
        b'\\' => (quote, true),
        b'"' | b'\'' if quote == 0 => (c, false),
        _ if c == quote => (0, false),
        _ => (quote, false),
    }
}

/// An argument inside a string: its quotes, and the backslashes of its own literals, are escaped.
fn escape(argument: &[u8], out: &mut Vec<u8>) {
    let mut state = (0, false);
    for c in argument {
        if *c == b'"' || *c == b'\\' && state.0 != 0 {
            out.push(b'\\');
        }
        out.push(*c);
        state = step_quote(state, c);
    }
}

/// The same definition but for white space, of which any amount is as good as another.
fn same(a: &Text, b: &Text) -> bool {
    let spelled = |text: &Text| {
        let names: Vec<Vec<u8>> = (0..text.parameters.len()).map(|i| format!("\u{1}{i}\u{1}").into_bytes()).collect();
        let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        let body = substitute(text, &names);
        let mut out = Vec::with_capacity(body.len());
        let mut state = (0, false);
        for c in &body {
            let blank = state.0 == 0 && c.is_ascii_whitespace();
            if !blank || out.last() != Some(&b' ') {
                out.push(if blank { b' ' } else { *c });
            }
            state = step_quote(state, c);
        }
        out
    };
    a.function == b.function && a.parameters.len() == b.parameters.len() && spelled(a) == spelled(b)
}

/// `#define`, after the directive's name.
pub(in crate::preprocess) fn define(pp: &mut Preprocessor<'_>) {
    let Some(name) = macros::macro_name(pp, "define", true) else { return };
    let keep = pp.options.output.as_ref().is_some_and(|output| output.keep_macro_comments);
    let (line, joints) = body_line(pp, keep);
    let Some(text) = parse(pp, &line, &joints) else {
        pp.session.error(name.loc, "syntax error in macro parameter list").emit();
        return;
    };
    install(pp, name, text);
}

fn install(pp: &mut Preprocessor<'_>, name: Token, text: Text) {
    if let Some(old) = pp.macros.defined(name.symbol()) {
        let before = &pp.macros.macros[old as usize];
        let same = pp.traditional.texts.get(&old).is_some_and(|old| self::same(old, &text));
        let shown = pp.session.str(name.symbol());
        let message = format!("\"{shown}\" redefined");
        if matches!(before.kind, MacroKind::Builtin(_)) {
            if pp.session.warning_enabled(base::warning::BUILTIN_MACRO_REDEFINED, name.loc) {
                pp.session.pedwarn_always(name.loc, message).emit();
            }
        } else if !same {
            let note = "this is the location of the previous definition";
            pp.session.pedwarn_always(name.loc, message).note(before.loc, note).emit();
        }
    }
    let definition = Macro {
        kind: MacroKind::Text { function: text.function },
        loc: name.loc,
        system: pp.buf.system,
        ..Macro::object(name.symbol())
    };
    let id = pp.macros.add(definition);
    pp.traditional.texts.insert(id, text);
    pp.macros.set_slot(name.symbol(), id);
    crate::preprocess::output::macro_defined(pp, id);
    crate::preprocess::macro_log::defined(pp, id);
}

/// The rest of the line, without its comments, and where they were: they end words. They may go on
/// over several lines.
fn body_line(pp: &mut Preprocessor<'_>, keep_comments: bool) -> (Vec<u8>, Vec<usize>) {
    let super::Line { text: mut line, loc, .. } = super::line(pp);
    let (mut out, mut joints) = (Vec::new(), Vec::new());
    let (mut at, mut quote) = (0, 0);
    while at < line.len() {
        let c = line[at];
        match c {
            b'\\' if matches!(line.get(at + 1), Some(b'\\' | b'"' | b'\'')) => {
                out.extend_from_slice(&line[at..at + 2]);
                at += 2;
                continue;
            }
            b'"' | b'\'' if quote == 0 => quote = c,
            b'"' | b'\'' if quote == c => quote = 0,
            b'/' if quote == 0 && line.get(at + 1) == Some(&b'*') => {
                let start = at;
                at += 2;
                loop {
                    match memchr::memmem::find(&line[at..], b"*/") {
                        Some(found) => {
                            at += found + 2;
                            break;
                        }
                        None if pp.buf.lexer.at_end() => {
                            pp.session.error(loc, "unterminated comment").emit();
                            at = line.len();
                            break;
                        }
                        None => {
                            at = line.len() + 1;
                            line.push(b' ');
                            line.extend(super::line(pp).text);
                        }
                    }
                }
                let in_parameters = out.first() == Some(&b'(') && !out.contains(&b')');
                if keep_comments && !in_parameters {
                    out.extend_from_slice(&line[start..at]);
                }
                joints.push(out.len());
                continue;
            }
            _ => {}
        }
        out.push(c);
        at += 1;
    }
    let (file, at) = pp.buf.lexer.raw();
    if at > 0 && file[at - 1] == b'\n' {
        pp.buf.lexer.set_offset(at - 1);
    }
    (out, joints)
}

/// Parameters and body; `None` if the parameters are ill-formed.
fn parse(pp: &Preprocessor<'_>, line: &[u8], joints: &[usize]) -> Option<Text> {
    let mut parameters = Vec::new();
    let mut rest = line;
    // A comment between the name and the parenthesis keeps them apart.
    let function = line.first() == Some(&b'(') && !joints.contains(&0);
    if function {
        let close = line.iter().position(|&c| c == b')')?;
        let list = line[1..close].trim_ascii();
        rest = &line[close + 1..];
        if !list.is_empty() {
            for name in list.split(|&c| c == b',') {
                let name = name.trim_ascii();
                let word = |c: &u8| starts_word(*c) || c.is_ascii_digit();
                if !name.first().is_some_and(|&c| starts_word(c)) || !name.iter().all(word) {
                    return None;
                }
                let name = pp.session.interner.intern_bytes(name);
                if parameters.contains(&name) {
                    return None;
                }
                parameters.push(name);
            }
        }
    }
    let body = rest.trim_ascii_start();
    // Where the body is in the line, for the joints.
    let offset = line.len() - body.len();
    let body = body.trim_ascii_end();
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut at = 0;
    while at < body.len() {
        let length = match body[at] {
            c if starts_word(c) => {
                let length = body[at..].iter().take_while(|&&c| starts_word(c) || c.is_ascii_digit()).count();
                let joint = joints.iter().find(|&&j| j > offset + at && j < offset + at + length);
                joint.map_or(length, |j| j - offset - at)
            }
            _ => 1,
        };
        let word = &body[at..at + length];
        match parameters.iter().position(|&p| pp.session.interner.resolve_bytes(p) == word) {
            Some(index) => {
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(Piece::Argument(index));
            }
            None => text.extend_from_slice(word),
        }
        at += length;
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Some(Text { function, parameters, pieces })
}

/// A definition as `-dD` and `-dM` print it, from the macro's name on.
pub(in crate::preprocess) fn definition_text(pp: &Preprocessor<'_>, id: MacroId) -> Vec<u8> {
    let mut out = pp.session.interner.resolve_bytes(pp.macros.macros[id as usize].name).to_vec();
    let Some(text) = pp.traditional.texts.get(&id) else { return out };
    let names: Vec<&[u8]> = text.parameters.iter().map(|&p| pp.session.interner.resolve_bytes(p)).collect();
    if text.function {
        out.push(b'(');
        out.extend(names.join(&b','));
        out.push(b')');
    }
    out.push(b' ');
    for piece in &text.pieces {
        match piece {
            Piece::Text(text) => out.extend_from_slice(text),
            Piece::Argument(index) => out.extend_from_slice(names[*index]),
        }
    }
    out
}
