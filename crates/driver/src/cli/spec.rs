//! The shape of a row in the option tables, and how a row is found.

use crate::invocation::Invocation;

/// How an option takes its argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// No argument.
    Exact,
    /// `-Ofoo`; the argument must not be empty.
    Joined,
    /// `-O`, `-Ofoo`.
    JoinedMaybe,
    /// `-o foo` only.
    Separate,
    /// `-ofoo` or `-o foo`.
    JoinedOrSeparate,
}

/// What an option does.
#[derive(Clone, Copy)]
pub enum Effect {
    /// Accepted: it cannot change what a program means, and this compiler has no such knob.
    Hint,
    /// Known, would change what the program means, not there: an error with this reason. Its `no-`
    /// form is accepted.
    Refuse(&'static str),
    /// No argument, no `no-` form.
    Flag(fn(&mut Invocation)),
    /// As `Flag`, before all others.
    Early(fn(&mut Invocation)),
    /// `-fname` gives true, `-fno-name` gives false.
    Toggle(fn(&mut Invocation, bool)),
    /// With an argument, which may be found wrong.
    Value(fn(&mut Invocation, &str) -> Result<(), String>),
    /// As `Value`, before all others.
    EarlyValue(fn(&mut Invocation, &str) -> Result<(), String>),
}

/// One option.
pub struct Spec {
    /// With the dash in the general table; without `-f`/`-m` in the tables of those families, where
    /// a final `=` means that a value follows.
    pub name: &'static str,
    /// Argument form.
    pub form: Form,
    /// Effect.
    pub effect: Effect,
}

/// A row without an argument.
pub const fn flag(name: &'static str, f: fn(&mut Invocation)) -> Spec {
    Spec { name, form: Form::Exact, effect: Effect::Flag(f) }
}

/// A row with `no-` form.
pub const fn toggle(name: &'static str, f: fn(&mut Invocation, bool)) -> Spec {
    Spec { name, form: Form::Exact, effect: Effect::Toggle(f) }
}

/// A row with an argument.
pub const fn value(name: &'static str, form: Form, f: fn(&mut Invocation, &str) -> Result<(), String>) -> Spec {
    Spec { name, form, effect: Effect::Value(f) }
}

/// A row of a family with `name=value`.
pub const fn equals(name: &'static str, f: fn(&mut Invocation, &str) -> Result<(), String>) -> Spec {
    value(name, Form::Joined, f)
}

/// A row that is refused; a name ending in `=` takes any value.
pub const fn refuse(name: &'static str, why: &'static str) -> Spec {
    Spec { name, form: Form::JoinedMaybe, effect: Effect::Refuse(why) }
}

/// A row that is accepted without effect.
pub const fn hint(name: &'static str, form: Form) -> Spec {
    Spec { name, form, effect: Effect::Hint }
}

/// Find `-fTEXT` or `-mTEXT` (given without those two characters): the row, whether it is the
/// positive form, its value.
pub fn find_in_family<'t>(table: &'static [Spec], text: &'t str) -> Option<(&'static Spec, bool, &'t str)> {
    let exact = |name: &str| table.iter().find(|s| s.name == name);
    if let Some(spec) = exact(text) {
        return Some((spec, true, ""));
    }
    if let Some(positive) = text.strip_prefix("no-")
        && let Some(spec) = exact(positive)
        && matches!(spec.effect, Effect::Toggle(_) | Effect::Refuse(_))
    {
        return Some((spec, false, ""));
    }
    let spec = table
        .iter()
        .filter(|s| s.name.ends_with(['=', '-']) && text.starts_with(s.name))
        .max_by_key(|s| s.name.len())?;
    Some((spec, true, &text[spec.name.len()..]))
}
