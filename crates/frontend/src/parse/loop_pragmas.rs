//! Pragmas about the loop that follows: `GCC ivdep`, `GCC unroll`, and OpenMP's `simd` under
//! `-fopenmp-simd` (OpenMP 5.1, 2.11.5).
//!
//! Of OpenMP's constructs those with `simd` in their names count, as in gcc: the loop is for one
//! thread, and all others are no more than comments. Its iterations may run side by side in the
//! lanes of vectors.

use base::{Loc, warning};

use super::Parser;
use crate::lex::{Token, TokenKind};
use crate::preprocess::PragmaKind;
use crate::tree::{DeclId, LoopPragma};

/// Copies that `#pragma GCC unroll` may not ask for.
const MAX_UNROLL: u32 = 65535;

/// Names of OpenMP constructs that `simd` may stand after.
const CONSTRUCTS: &[&str] =
    &["for", "parallel", "distribute", "teams", "target", "taskloop", "master", "masked", "loop"];

/// Clauses of `simd` constructs that say nothing about one thread's loop.
const OTHER_CLAUSES: &[&str] = &[
    "aligned",
    "allocate",
    "bind",
    "collapse",
    "copyin",
    "default",
    "defaultmap",
    "depend",
    "device",
    "dist_schedule",
    "final",
    "firstprivate",
    "grainsize",
    "if",
    "in_reduction",
    "is_device_ptr",
    "lastprivate",
    "linear",
    "map",
    "mergeable",
    "nogroup",
    "nontemporal",
    "nowait",
    "num_tasks",
    "num_teams",
    "num_threads",
    "order",
    "ordered",
    "priority",
    "proc_bind",
    "schedule",
    "shared",
    "thread_limit",
    "uniform",
    "untied",
    "use_device_ptr",
];

/// What the pragmas before a statement have said so far.
#[derive(Default)]
pub struct Pending {
    /// The last one's name, and whether a `for` alone may follow.
    name: Option<(&'static str, bool)>,
    pragma: LoopPragma,
}

impl Pending {
    /// Takes one more pragma, with the tokens after its name.
    pub fn add(&mut self, p: &mut Parser<'_, '_>, kind: PragmaKind, line: &[Token], loc: Loc) {
        match kind {
            PragmaKind::Ivdep => {
                self.name = Some(("GCC ivdep", false));
                self.pragma.hint.safe_length = u32::MAX;
            }
            PragmaKind::Unroll => {
                self.name = Some(("GCC unroll", false));
                self.unroll(p, line);
            }
            PragmaKind::Omp => self.omp(p, line, loc),
            _ => {}
        }
    }

    fn unroll(&mut self, p: &mut Parser<'_, '_>, line: &[Token]) {
        let number = line.first().filter(|t| line.len() == 1 && t.kind == TokenKind::Number);
        let Some(number) = number else { return };
        match super::pragmas::small_number(p, number).filter(|&count| count < MAX_UNROLL) {
            Some(count) => self.pragma.hint.unroll = Some(count.max(1)),
            None => {
                let message = format!(
                    "'#pragma GCC unroll' requires an assignment-expression that evaluates to a non-negative \
                     integral constant less than {MAX_UNROLL}"
                );
                p.cx.error(number.loc, message);
            }
        }
    }

    fn omp(&mut self, p: &mut Parser<'_, '_>, line: &[Token], loc: Loc) {
        let names = line.iter().take_while(|t| CONSTRUCTS.contains(&spelling(p, t))).count();
        let word = |at: usize| line.get(at).map_or("", |t| spelling(p, t));
        if word(0) == "declare" && word(1) == "simd" {
            p.cx.warn(warning::OPENMP_SIMD, loc, "no variants for vectors are made of functions");
        }
        if word(names) != "simd" {
            return;
        }
        self.name = Some(("omp simd", true));
        self.pragma.hint.simd = true;
        self.pragma.hint.safe_length = u32::MAX;
        self.clauses(p, &line[names + 1..]);
    }

    fn clauses(&mut self, p: &mut Parser<'_, '_>, mut rest: &[Token]) {
        while let [name, after @ ..] = rest {
            let (arguments, next) = parenthesised(after);
            rest = next;
            match spelling(p, name) {
                "," => {}
                "safelen" | "simdlen" => match arguments {
                    [number] if super::pragmas::small_number(p, number).is_some_and(|n| n > 0) => {
                        if spelling(p, name) == "safelen" {
                            let length = super::pragmas::small_number(p, number).unwrap_or(1);
                            self.pragma.hint.safe_length = length;
                        }
                    }
                    _ => {
                        let message = "clause expression must be positive constant integer expression";
                        let at = arguments.first().unwrap_or(name).loc;
                        p.cx.error(at, format!("'{}' {message}", spelling(p, name)));
                    }
                },
                "reduction" => {
                    let list = arguments.iter().position(|t| t.is(TokenKind::Colon)).map_or(0, |at| at + 1);
                    let decls = variables(p, &arguments[list..]);
                    self.pragma.reductions.extend(decls);
                }
                "private" => {
                    let decls = variables(p, arguments);
                    self.pragma.private.extend(decls);
                }
                other if OTHER_CLAUSES.contains(&other) => {}
                _ => {
                    let message = format!("expected '#pragma omp' clause before '{}'", spelling(p, name));
                    return p.cx.error(name.loc, message);
                }
            }
        }
    }

    /// All pragmas were read: the current token begins the statement they are about.
    pub fn end(self, p: &mut Parser<'_, '_>) {
        let Some((name, for_alone)) = self.name else { return };
        let fits = match p.tok.kind {
            TokenKind::KwFor => true,
            TokenKind::KwWhile | TokenKind::KwDo => !for_alone,
            _ => false,
        };
        if !fits {
            let loops = if for_alone { "for statement" } else { "for, while or do statement" };
            let message = format!("{loops} expected {}", p.describe_token());
            p.cx.error(p.tok.loc, message);
        }
        p.loop_pragma = Some(name).filter(|_| p.tok.kind == TokenKind::KwFor);
        p.cx.unit.loop_pragmas.insert(p.tok.loc, self.pragma);
    }
}

/// The text of a word or punctuator.
fn spelling<'t>(p: &'t Parser<'_, '_>, token: &Token) -> &'t str {
    match token.kind {
        TokenKind::Comma => ",",
        kind if kind == TokenKind::Identifier || kind.is_keyword() => p.cx.str(token.symbol()),
        _ => "",
    }
}

/// The tokens in the parentheses that the line begins with, if it does, and those after them.
fn parenthesised(line: &[Token]) -> (&[Token], &[Token]) {
    if !line.first().is_some_and(|t| t.is(TokenKind::LeftParen)) {
        return (&[], line);
    }
    let mut depth = 0;
    for (at, token) in line.iter().enumerate() {
        match token.kind {
            TokenKind::LeftParen => depth += 1,
            TokenKind::RightParen if depth == 1 => return (&line[1..at], &line[at + 1..]),
            TokenKind::RightParen => depth -= 1,
            _ => {}
        }
    }
    (&line[1..], &[])
}

/// The variables of a list; parts of arrays go by the array's name.
fn variables(p: &mut Parser<'_, '_>, list: &[Token]) -> Vec<DeclId> {
    let mut out = Vec::new();
    let mut depth = 0;
    for token in list {
        match token.kind {
            TokenKind::LeftBracket => depth += 1,
            TokenKind::RightBracket => depth -= 1,
            TokenKind::Identifier if depth == 0 => match p.cx.scopes.lookup(token.symbol()) {
                Some(decl) => out.push(decl),
                None => {
                    let message = format!("'{}' undeclared (first use in this function)", p.cx.str(token.symbol()));
                    p.cx.error(token.loc, message);
                }
            },
            _ => {}
        }
    }
    out
}
