//! What is known of the lengths of strings where a call stands, as much of it as gcc's optimiser
//! knows: which variables hold the result of `strlen`, and which lengths were compared. Used by
//! `-Wstringop-truncation`.

use crate::sema::Sema;
use crate::sema::library::library_name;
use crate::sema::same::same_value;
use crate::tree::{AttrFlags, BinaryOp, CastKind, DeclId, ExprKind, ExprRef, Linkage};
use rustc_hash::FxHashSet;

/// Library functions that change no string.
const READERS: [&str; 9] = ["strlen", "strcmp", "strncmp", "strchr", "strrchr", "strstr", "memchr", "memcmp", "malloc"];

/// What warnings remember of strings in a function.
#[derive(Default)]
pub struct StringLengths<'a> {
    /// Strings whose lengths were compared with constants.
    compared: Vec<ExprRef<'a>>,
    /// Variables that have the lengths of strings.
    measured: Vec<Measured<'a>>,
    /// The strings of the calls of `strlen` after the last change of memory: to gcc a second call
    /// is the first one's result.
    read: Vec<ExprRef<'a>>,
    /// Variables that may hold a literal: gcc follows the ways on which they do separately.
    literals: FxHashSet<DeclId>,
    /// Memory was allocated, and no function called since.
    allocated: bool,
    /// Branches and loops around the statement.
    depth: u32,
}

/// `variable = strlen(text) + added`
struct Measured<'a> {
    variable: DeclId,
    text: ExprRef<'a>,
    added: i128,
    /// Memory may have changed since.
    stale: bool,
    depth: u32,
}

impl StringLengths<'_> {
    /// Any string may be another one from here on.
    fn memory_changes(&mut self) {
        self.measured.iter_mut().for_each(|measured| measured.stale = true);
        self.read.clear();
    }
}

/// An order of numbers: strings are kept whose `strlen` is compared with a constant.
pub fn compared<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: ExprRef<'a>, rhs: ExprRef<'a>) {
    let length = match (lhs.int_value(), rhs.int_value()) {
        (None, Some(_)) => lhs,
        (Some(_), None) => rhs,
        _ => return,
    };
    if op.is_relational()
        && let Some(Length { text, added: 0, .. }) = string_of(cx, length)
    {
        cx.lints.strings.compared.push(text);
    }
}

/// The variable `id` is given a value: the length of a string is remembered.
pub fn measured<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, value: ExprRef<'a>) {
    if matches!(strip(value).kind, ExprKind::String(_)) {
        cx.lints.strings.literals.insert(id);
    } else if let Some(Length { text, added, stale }) = string_of(cx, value)
        && matches!(strip(text).kind, ExprKind::Decl(text) if !cx.lints.strings.literals.contains(&text))
    {
        let strings = &mut cx.lints.strings;
        let depth = strings.depth;
        strings.measured.push(Measured { variable: id, text, added, stale: stale.unwrap_or(false), depth });
    }
}

/// A variable is changed: what was known of it is true no more.
#[inline]
pub fn changed(cx: &mut Sema<'_, '_>, lvalue: ExprRef<'_>) {
    if cx.lints.strings.measured.is_empty() {
        return;
    }
    if let ExprKind::Decl(id) = lvalue.kind {
        let is_other = |text: ExprRef<'_>| !matches!(strip(text).kind, ExprKind::Decl(text) if text == id);
        cx.lints.strings.measured.retain(|measured| measured.variable != id && is_other(measured.text));
    }
}

/// A store to what is no automatic variable.
pub fn stored(cx: &mut Sema<'_, '_>, lvalue: ExprRef<'_>) {
    let automatic = matches!(lvalue.kind, ExprKind::Decl(id) if cx.unit.decls[id].linkage == Linkage::None);
    if !automatic {
        cx.lints.strings.memory_changes();
    }
}

/// A call of a library function; the arguments are as written.
pub fn library_call<'a>(cx: &mut Sema<'_, 'a>, name: &str, args: &[ExprRef<'a>]) {
    if let ("strlen", &[text]) = (name, args) {
        cx.lints.strings.read.push(text);
    }
}

/// A call is complete.
pub fn called(cx: &mut Sema<'_, '_>, target: Option<DeclId>) {
    let attributes = target.and_then(|id| cx.unit.attrs(id)).map_or(AttrFlags::default(), |attrs| attrs.flags);
    let name = target.and_then(|id| library_name(cx, id));
    if attributes.has(AttrFlags::PURE) || attributes.has(AttrFlags::CONST) {
        return;
    }
    let strings = &mut cx.lints.strings;
    match name {
        Some("malloc") => strings.allocated = true,
        Some(name) if READERS.contains(&name) => {}
        _ => {
            strings.memory_changes();
            strings.allocated = false;
        }
    }
}

/// A statement begins that runs on some ways only.
pub fn branch_begins(cx: &mut Sema<'_, '_>) {
    cx.lints.strings.depth += 1;
}

/// It ends: where ways meet, a variable that was set on one of them may hold anything.
pub fn branch_ends(cx: &mut Sema<'_, '_>) {
    let strings = &mut cx.lints.strings;
    strings.depth -= 1;
    strings.measured.retain(|measured| measured.depth <= strings.depth);
}

/// What the body of a loop changes is changed when it begins again.
pub fn loop_begins(cx: &mut Sema<'_, '_>) {
    cx.lints.strings.memory_changes();
}

/// Whether the length of the string was compared before, or is in a variable: gcc knows which way
/// was taken, and says nothing of a bound that is the destination's size.
pub fn was_compared(cx: &Sema<'_, '_>, source: ExprRef<'_>) -> bool {
    let strings = &cx.lints.strings;
    let mut known = strings.compared.iter().chain(strings.measured.iter().map(|measured| &measured.text));
    known.any(|text| same_value(&cx.unit, strip(text), strip(source)))
}

/// The constant that is added to `strlen(source)` in `bound`, if gcc sees that it is so.
pub fn length_of(cx: &Sema<'_, '_>, bound: ExprRef<'_>, source: ExprRef<'_>) -> Option<i128> {
    let Length { text, added, stale } = string_of(cx, bound)?;
    let same = |text: &ExprRef<'_>| same_value(&cx.unit, strip(text), strip(source));
    let strings = &cx.lints.strings;
    let hidden = match stale {
        None => strings.read.iter().filter(|text| same(text)).count() > 1,
        Some(stale) => stale && added != 0,
    };
    (same(&text) && !hidden && (added == 0 || !strings.allocated)).then_some(added)
}

/// The sum of the length of `text` and a constant.
struct Length<'a> {
    text: ExprRef<'a>,
    added: i128,
    /// Of a variable that holds the length: memory may have changed since.
    stale: Option<bool>,
}

fn string_of<'a>(cx: &Sema<'_, 'a>, sum: ExprRef<'a>) -> Option<Length<'a>> {
    let mut expr = sum;
    let mut added = 0;
    loop {
        match expr.kind {
            ExprKind::Cast { kind: CastKind::Integral | CastKind::LvalueToRvalue, operand } => expr = operand,
            ExprKind::Decl(id) => {
                let known = cx.lints.strings.measured.iter().rev().find(|known| known.variable == id)?;
                return Some(Length { text: known.text, added: added + known.added, stale: Some(known.stale) });
            }
            ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } if rhs.int_value().is_some() => {
                added += rhs.int_value()?;
                expr = lhs;
            }
            ExprKind::Binary { op: BinaryOp::Sub, lhs, rhs } if rhs.int_value().is_some() => {
                added -= rhs.int_value()?;
                expr = lhs;
            }
            ExprKind::Call { callee, args, .. } => {
                let id = callee.callee_decl()?;
                let &[text] = args else { return None };
                return (library_name(cx, id) == Some("strlen")).then_some(Length { text, added, stale: None });
            }
            _ => return None,
        }
    }
}

/// Without conversions between pointers and parentheses.
pub fn strip(mut expr: ExprRef<'_>) -> ExprRef<'_> {
    while let ExprKind::Cast {
        kind: CastKind::Pointer | CastKind::ArrayToPointer | CastKind::LvalueToRvalue,
        operand,
    } = expr.kind
    {
        expr = operand;
    }
    expr
}
