//! `-Warray-parameter`, `-Wvla-parameter`: redeclarations of a function whose parameters are arrays
//! in one and something else in the other; and arguments smaller than such an array.
//!
//! The type of such a parameter is a pointer in both (C23 6.7.7.4 paragraph 6), so nothing is wrong
//! with the program; but the bounds say what the function expects. What is compared is the
//! declarators as they are written, the first declaration with each later one.

use std::rc::Rc;

use base::{Loc, WarningId, warning};
use rustc_hash::FxHashMap;

use crate::sema::builtins::object_size;
use crate::sema::{Sema, types};
use crate::tree::{ArrayLen, DeclId, ExprKind, ExprRef, Linkage, QualType, TypeKind, print};

/// One bound, outermost first.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Bound {
    /// `[]`
    Unspecified,
    /// `[*]`
    Star,
    Constant(u64),
    /// The value of a parameter of the same list, or another expression, and its text.
    Variable(Option<DeclId>, Box<str>),
}

/// A parameter that was declared as an array.
#[derive(Clone, Debug)]
pub struct ArrayForm {
    bounds: Vec<Bound>,
    /// `static` stands in the outermost brackets.
    is_static: bool,
    /// The elements of the innermost array.
    elem: QualType,
}

/// What is known of the declarations so far.
#[derive(Default)]
pub struct Declared {
    /// The parameters that were declared as arrays.
    forms: FxHashMap<DeclId, ArrayForm>,
    /// The parameters of each function's first declaration.
    functions: FxHashMap<DeclId, Rc<[DeclId]>>,
}

/// The length in one pair of brackets.
pub struct Written<'a> {
    /// What stands there, if it is an expression.
    pub length: Option<ExprRef<'a>>,
    /// It is `*`.
    pub star: bool,
    /// `static` stands before it.
    pub is_static: bool,
    /// Where the expression begins, and the closing bracket.
    pub text: (Loc, Loc),
}

/// Whether declarations at `loc` are to be remembered.
pub fn wanted(cx: &Sema<'_, '_>, loc: Loc) -> bool {
    let of_calls = [warning::STRINGOP_OVERFLOW, warning::STRINGOP_OVERREAD];
    of_declarations().into_iter().chain(of_calls).any(|flag| is_on(cx, flag, loc))
}

fn of_declarations() -> [WarningId; 2] {
    [warning::ARRAY_PARAMETER, warning::VLA_PARAMETER]
}

fn is_on(cx: &Sema<'_, '_>, flag: WarningId, loc: Loc) -> bool {
    cx.sess.diag.is_on_somewhere(flag) && cx.sess.warning_enabled(flag, loc)
}

/// Notes that the parameter `id` was declared with these brackets, outermost first, and has the
/// type `declared` before it becomes a pointer.
pub fn note<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, declared: QualType, brackets: &[Written<'a>]) {
    let mut bounds = Vec::new();
    let mut elem = declared;
    let mut brackets_left = brackets.iter();
    while let TypeKind::Array { elem: inner, len } = cx.kind(elem) {
        let written = brackets_left.next();
        bounds.push(match len {
            ArrayLen::Constant(n) => Bound::Constant(n),
            ArrayLen::Incomplete => Bound::Unspecified,
            ArrayLen::Star => Bound::Star,
            ArrayLen::Variable(_) => written.map_or(Bound::Star, |written| variable(cx, written)),
        });
        elem = inner;
    }
    if !bounds.is_empty() {
        let is_static = brackets.first().is_some_and(|written| written.is_static);
        cx.unit_lints.parameter_arrays.forms.insert(id, ArrayForm { bounds, is_static, elem });
    }
}

fn variable(cx: &Sema<'_, '_>, written: &Written<'_>) -> Bound {
    if written.star {
        return Bound::Star;
    }
    let mut expr = written.length;
    while let Some(ExprKind::Cast { operand: inner, .. }) = expr.map(|e| e.kind) {
        expr = Some(inner);
    }
    let parameter = expr.and_then(|e| e.decl());
    let data = cx.sess.sources.data();
    let (start, end) = (data.spelling(written.text.0), data.spelling(written.text.1));
    let length = (end.0 as usize).saturating_sub(start.0 as usize);
    let text = data.text_from(start).and_then(|text| text.get(..length)).unwrap_or_default();
    Bound::Variable(parameter, String::from_utf8_lossy(text).trim().into())
}

/// Compares the parameters of a declaration of `function` with those of the first one.
pub fn compare(cx: &mut Sema<'_, '_>, function: DeclId, params: &[DeclId]) {
    if params.is_empty() || !wanted(cx, cx.unit.decls[params[0]].loc) {
        return;
    }
    let Some(earlier) = cx.unit_lints.parameter_arrays.functions.get(&function).cloned() else {
        cx.unit_lints.parameter_arrays.functions.insert(function, params.into());
        return;
    };
    let loc = cx.unit.decls[params[0]].loc;
    if earlier.len() != params.len() || !of_declarations().into_iter().any(|flag| is_on(cx, flag, loc)) {
        return;
    }
    for index in 0..params.len() {
        let old = Parameter { id: earlier[index], list: &earlier };
        let new = Parameter { id: params[index], list: params };
        if old.id != new.id && (old.form(cx).is_some() || new.form(cx).is_some()) {
            compare_one(cx, index + 1, &old, &new);
        }
    }
}

/// `-Wstringop-overflow`, `-Wstringop-overread`: an argument of a call at `loc` points into an
/// object that has fewer bytes than the array that the first declaration says the parameter is.
pub fn check_call(cx: &mut Sema<'_, '_>, function: DeclId, args: &[ExprRef<'_>], loc: Loc) {
    // What is inlined is no call any more where gcc looks.
    let inlined = cx.options.optimizing() && cx.unit.decls[function].linkage != Linkage::External;
    if inlined || cx.never_evaluated() {
        return;
    }
    let Some(params) = cx.unit_lints.parameter_arrays.functions.get(&function).cloned() else { return };
    for (index, (&id, &arg)) in params.iter().zip(args).enumerate() {
        let parameter = Parameter { id, list: &params };
        let Some(form) = parameter.form(cx) else { continue };
        let lengths = form.bounds.iter().map(|bound| if let Bound::Constant(n) = bound { Some(*n) } else { None });
        let elements = lengths.into_iter().try_fold(1u64, |product, n| product.checked_mul(n?));
        let size = elements.zip(cx.types().size_of(form.elem.ty())).and_then(|(n, size)| n.checked_mul(size));
        let reads = form.bounds.len() == 1 && types::effective_quals(cx.types(), form.elem).is_const();
        let Some((size, left)) = size.zip(object_size::bytes_left(cx, arg)).filter(|(size, left)| left < size) else {
            continue;
        };
        let (flag, does) = match reads {
            true => (warning::STRINGOP_OVERREAD, ("reading", "from")),
            false => (warning::STRINGOP_OVERFLOW, ("accessing", "in")),
        };
        let (name, (verb, place), text) = (cx.dname(function), does, parameter.text(cx));
        let bytes = if size == 1 { "1 byte".to_string() } else { format!("{size} bytes") };
        let text = text.replacen("[static ", "[", 1);
        cx.sess
            .warn(flag, loc, format!("{name} {verb} {bytes} {place} a region of size {left}"))
            .note(loc, format!("referencing argument {} of type {text}", index + 1))
            .note(cx.unit.decls[function].loc, format!("in a call to function {name}"))
            .emit();
    }
}

/// A parameter in its list.
struct Parameter<'l> {
    id: DeclId,
    list: &'l [DeclId],
}

impl Parameter<'_> {
    fn form<'x>(&self, cx: &'x Sema<'_, '_>) -> Option<&'x ArrayForm> {
        cx.unit_lints.parameter_arrays.forms.get(&self.id)
    }

    /// As it was written.
    fn text(&self, cx: &Sema<'_, '_>) -> String {
        let Some(form) = self.form(cx) else { return cx.tname(cx.unit.decls[self.id].ty.unqualified()) };
        let mut brackets = String::new();
        for (index, bound) in form.bounds.iter().enumerate() {
            let before = if index == 0 && form.is_static { "static " } else { "" };
            match bound {
                Bound::Unspecified => brackets.push_str("[]"),
                Bound::Star => brackets.push_str("[*]"),
                Bound::Constant(n) => brackets.push_str(&format!("[{before}{n}]")),
                Bound::Variable(_, text) => brackets.push_str(&format!("[{before}{text}]")),
            }
        }
        format!("'{}'", print::declare(&cx.unit.types, &cx.sess.interner, form.elem, brackets))
    }

    fn is_variable(&self, cx: &Sema<'_, '_>) -> bool {
        self.bounds(cx).iter().any(|bound| matches!(bound, Bound::Star | Bound::Variable(..)))
    }

    fn bounds<'x>(&self, cx: &'x Sema<'_, '_>) -> &'x [Bound] {
        self.form(cx).map_or(&[], |form| &form.bounds)
    }

    /// Number (from 1) of the parameter that a bound names.
    fn number(&self, bound: &Bound) -> Option<usize> {
        let Bound::Variable(parameter, _) = bound else { return None };
        parameter.and_then(|id| self.list.iter().position(|&p| p == id)).map(|index| index + 1)
    }

    fn kind(&self, cx: &Sema<'_, '_>) -> &'static str {
        match self.form(cx) {
            None => "a pointer",
            Some(_) if self.is_variable(cx) => "a variable length array",
            Some(_) => "an ordinary array",
        }
    }
}

fn compare_one(cx: &mut Sema<'_, '_>, number: usize, old: &Parameter<'_>, new: &Parameter<'_>) {
    let (old_varies, new_varies) = (old.is_variable(cx), new.is_variable(cx));
    if old_varies && new_varies {
        return compare_variable(cx, number, old, new);
    }
    let (old_text, new_text) = (old.text(cx), new.text(cx));
    if old_varies || new_varies {
        let what = format!("argument {number} of type {new_text} declared as {}", new.kind(cx));
        let note = format!("previously declared as {} {old_text}", old.kind(cx));
        return warn(cx, warning::VLA_PARAMETER, (new.id, what), (old.id, note));
    }
    let (outer_old, outer_new) = (old.bounds(cx).first(), new.bounds(cx).first());
    let mismatch = format!("argument {number} of type {new_text} with mismatched bound");
    match (outer_old, outer_new) {
        (Some(Bound::Constant(_)), None) => {
            let what = format!("argument {number} of type {new_text} declared as a pointer");
            let note = format!("previously declared as an array {old_text}");
            warn(cx, warning::ARRAY_PARAMETER, (new.id, what), (old.id, note));
        }
        (None, Some(Bound::Constant(_))) | (Some(_), Some(_)) if outer_old != outer_new => {
            let note = format!("previously declared as {old_text}");
            warn(cx, warning::ARRAY_PARAMETER, (new.id, mismatch), (old.id, note));
        }
        _ => {}
    }
}

/// Two variable length arrays: as many unspecified bounds, and the others of the same values.
fn compare_variable(cx: &mut Sema<'_, '_>, number: usize, old: &Parameter<'_>, new: &Parameter<'_>) {
    let stars = |p: &Parameter<'_>| p.bounds(cx).iter().filter(|&bound| *bound == Bound::Star).count();
    let (old_stars, new_stars) = (stars(old), stars(new));
    let count = |n: usize| format!("{n} unspecified variable bound{}", if n == 1 { "" } else { "s" });
    let (old_text, new_text) = (old.text(cx), new.text(cx));
    if old_stars != new_stars {
        // The one that says less is the one to be completed.
        let (first, second) = if old_stars > new_stars { (old, new) } else { (new, old) };
        let (texts, counts, when) = match old_stars > new_stars {
            true => ((old_text, new_text), (old_stars, new_stars), "subsequently"),
            false => ((new_text, old_text), (new_stars, old_stars), "previously"),
        };
        let what = format!("argument {number} of type {} declared with {}", texts.0, count(counts.0));
        let note = format!("{when} declared as {} with {}", texts.1, count(counts.1));
        return warn(cx, warning::VLA_PARAMETER, (first.id, what), (second.id, note));
    }
    let pairs: Vec<(Bound, Bound)> = old.bounds(cx).iter().cloned().zip(new.bounds(cx).iter().cloned()).collect();
    for (a, b) in pairs {
        let (Bound::Variable(_, a_text), Bound::Variable(_, b_text)) = (&a, &b) else { continue };
        let (a_number, b_number) = (old.number(&a), new.number(&b));
        if a_number == b_number && (a_number.is_some() || a_text == b_text) {
            continue;
        }
        let named = |number: Option<usize>, text: &str| match number {
            Some(number) => format!("argument {number}"),
            None => format!("'{text}'"),
        };
        let bound = named(b_number, b_text);
        let what = format!("argument {number} of type {new_text} declared with mismatched bound {bound}");
        let note = format!("previously declared as {old_text} with bound {}", named(a_number, a_text));
        warn(cx, warning::VLA_PARAMETER, (new.id, what), (old.id, note));
    }
}

fn warn(cx: &mut Sema<'_, '_>, flag: WarningId, (at, what): (DeclId, String), (noted, note): (DeclId, String)) {
    let (loc, note_loc) = (cx.unit.decls[at].loc, cx.unit.decls[noted].loc);
    cx.sess.warn(flag, loc, what).note(note_loc, note).emit();
}
