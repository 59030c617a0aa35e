//! What `#pragma GCC optimize` does to the predefined macros: `__FAST_MATH__`, `__OPTIMIZE__` and
//! their like follow the options it names, as in gcc. `push_options`, `pop_options` and
//! `reset_options` save and restore them.

use base::Symbol;

use super::Preprocessor;
use super::options::TargetMacros;
use super::target_macros::set;
use crate::lex::literals::literal_parts;
use crate::lex::{Token, TokenKind, names};

/// The options in force here.
#[derive(Default)]
pub(super) struct OptimizeOptions {
    /// `None`: no pragma yet, the command line's.
    current: Option<Switches>,
    saved: Vec<Switches>,
}

/// What macros speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Switches {
    optimize: bool,
    size: bool,
    fast: bool,
    finite: bool,
    no_errno: bool,
    no_signed_zeros: bool,
    reciprocal: bool,
    no_trapping: bool,
    associative: bool,
    rounding: bool,
    /// `-Ofast` by a pragma.
    fast_level: bool,
}

/// A `#pragma GCC` line whose second word is `name`: `optimize`, or one of those that save and
/// restore.
pub(super) fn pragma(pp: &mut Preprocessor<'_>, name: Symbol, line: &[Token]) {
    let before = current(pp);
    let mut after = before;
    match name {
        names::OPTIMIZE => {
            let mut options = Vec::new();
            for token in line.iter().filter(|t| t.is(TokenKind::String) || t.is(TokenKind::Number)) {
                let spelling = pp.session.interner.resolve_bytes(token.symbol());
                let text = match token.kind {
                    TokenKind::Number => [b"O", spelling].concat(),
                    _ => spelling[literal_parts(spelling).2].to_vec(),
                };
                options.extend(String::from_utf8_lossy(&text).split(',').map(|option| option.trim().to_owned()));
            }
            if let Some(level) = options.iter().rev().find_map(|option| level(option)) {
                after.fast_level = level == "fast";
            }
            after.begin(&pp.options.target);
            options.iter().for_each(|option| after.apply(option));
        }
        names::PUSH_OPTIONS => pp.optimize_options.saved.push(before),
        names::POP_OPTIONS => after = pp.optimize_options.saved.pop().unwrap_or(before),
        names::RESET_OPTIONS => after = Switches::new(&pp.options.target),
        _ => return,
    }
    if after != before {
        change(pp, before, after);
        pp.optimize_options.current = Some(after);
    }
}

fn current(pp: &Preprocessor<'_>) -> Switches {
    pp.optimize_options.current.unwrap_or_else(|| Switches::new(&pp.options.target))
}

fn change(pp: &mut Preprocessor<'_>, before: Switches, after: Switches) {
    for ((name, was), (_, is)) in before.macros().into_iter().zip(after.macros()) {
        // One of them is 0 where the others are not defined.
        let counts = name == "__FINITE_MATH_ONLY__";
        if was != is {
            let (name, value) = (pp.session.intern(name), pp.session.intern(if is { "1" } else { "0" }));
            set(&mut pp.macros, name, (is || counts).then_some(value));
        }
    }
}

/// The level that an option sets.
fn level(option: &str) -> Option<&str> {
    option.strip_prefix('-').unwrap_or(option).strip_prefix('O')
}

impl Switches {
    fn new(target: &TargetMacros) -> Switches {
        let fast = target.fast_math;
        Switches {
            optimize: target.optimize > 0 || target.optimize_size,
            size: target.optimize_size,
            fast,
            finite: fast || target.finite_math_only,
            no_errno: fast || target.no_math_errno,
            no_signed_zeros: fast || target.no_signed_zeros,
            reciprocal: fast || target.reciprocal_math,
            no_trapping: fast || target.no_trapping_math,
            associative: fast || target.associative_math && target.no_signed_zeros && target.no_trapping_math,
            rounding: target.rounding_math,
            fast_level: false,
        }
    }

    /// Every pragma begins with what the command line says of floating-point arithmetic, as in gcc;
    /// the level stays, and with it, if the command line has none, what `-Ofast` sets.
    fn begin(&mut self, target: &TargetMacros) {
        let line = Switches::new(target);
        let Switches { optimize, size, rounding, fast_level, .. } = *self;
        *self = Switches { optimize, size, rounding: rounding && !line.fast, fast_level, ..line };
        if fast_level && !line.optimize {
            self.set_fast(true);
        }
    }

    fn macros(&self) -> [(&'static str, bool); 10] {
        [
            ("__OPTIMIZE__", self.optimize),
            ("__OPTIMIZE_SIZE__", self.size),
            ("__FAST_MATH__", self.fast),
            ("__FINITE_MATH_ONLY__", self.finite),
            ("__NO_MATH_ERRNO__", self.no_errno),
            ("__NO_SIGNED_ZEROS__", self.no_signed_zeros),
            ("__RECIPROCAL_MATH__", self.reciprocal),
            ("__NO_TRAPPING_MATH__", self.no_trapping),
            ("__ASSOCIATIVE_MATH__", self.associative),
            ("__ROUNDING_MATH__", self.rounding),
        ]
    }

    /// One option: `-O2`, `O2`, `-ffast-math`, `fast-math`, `no-trapping-math`. Those without a
    /// macro change nothing.
    fn apply(&mut self, option: &str) {
        if let Some(level) = level(option) {
            self.optimize = level != "0";
            self.size = matches!(level, "s" | "z");
            if level == "fast" {
                self.set_fast(true);
            }
            return;
        }
        let name = option.strip_prefix("-f").unwrap_or(option);
        let (on, name) = match name.strip_prefix("no-") {
            Some(name) => (false, name),
            None => (true, name),
        };
        match name {
            "fast-math" => return self.set_fast(on),
            "unsafe-math-optimizations" => self.set_unsafe(on),
            "finite-math-only" => self.finite = on,
            "math-errno" => self.no_errno = !on,
            "signed-zeros" => self.no_signed_zeros = !on,
            "reciprocal-math" => self.reciprocal = on,
            "trapping-math" => self.no_trapping = !on,
            "associative-math" => self.associative = on,
            "rounding-math" => self.rounding = on,
            _ => return,
        }
        self.fast &= self.finite && self.no_errno && self.no_signed_zeros && self.no_trapping;
    }

    fn set_unsafe(&mut self, on: bool) {
        (self.no_signed_zeros, self.reciprocal, self.no_trapping, self.associative) = (on, on, on, on);
    }

    fn set_fast(&mut self, on: bool) {
        self.set_unsafe(on);
        (self.fast, self.finite, self.no_errno) = (on, on, on);
        self.rounding &= !on;
    }
}
