//! `-Wstringop-truncation`: `strncpy` and its like whose bound cuts off the terminating nul.
//!
//! As in gcc, nothing is said where the next statement stores into the destination, which is where
//! the nul is usually put. A warning therefore waits for the statement after its call. Known are
//! literals, arrays, and `strlen` of the source as written, also in comparisons before; what
//! depends on more than that is the optimiser's in gcc and not seen here.

use base::{Loc, WarningId, warning};
use platform::options::OptLevel;

use crate::sema::Sema;
use crate::sema::lints::string_lengths::{length_of, strip, was_compared};
use crate::sema::same::same_value;
use crate::tree::{ArrayLen, AttrFlags, CastKind, DeclFlags, DeclId, ExprKind, ExprRef, IntKind, RecordKind, TypeKind};

/// A warning that waits for the next statement.
pub(super) struct Pending<'a> {
    call: Loc,
    destination: ExprRef<'a>,
    message: String,
    /// The statement of the call is over.
    over: bool,
}

/// A call of the library function `id`; the arguments are as written.
pub fn check_call<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, name: &str, args: &[ExprRef<'a>], loc: Loc) {
    let &[destination, source, bound] = args else { return };
    if !matches!(name, "strncpy" | "stpncpy" | "strncat") {
        return;
    }
    if cx.never_evaluated() || cx.unevaluated > 0 || bound.is_error() || bound.int_value() == Some(0) {
        return;
    }
    // The C library's headers wrap them, and gcc names what the wrapper calls.
    let wrapped = cx.unit.decls[id].flags.has(DeclFlags::DEFINED);
    let shown = if wrapped { format!("'__builtin_{name}'") } else { format!("'{name}'") };
    if name == "strncat" {
        if !wrapped && let Some(text) = concatenation(cx, destination, source, bound) {
            cx.warn(warning::STRINGOP_OVERFLOW, loc, format!("{shown} specified bound {text}"));
        }
    } else if is_wanted(cx, warning::STRINGOP_TRUNCATION)
        && let Some(text) = copy(cx, destination, source, bound)
    {
        let message = format!("{shown} {text}");
        cx.lints.pending_copies.push(Pending { call: loc, destination, message, over: false });
    }
}

fn is_wanted(cx: &Sema<'_, '_>, id: WarningId) -> bool {
    cx.sess.diag.is_on_somewhere(id)
}

/// What is wrong with the bound of `strncat`.
fn concatenation(
    cx: &Sema<'_, '_>,
    destination: ExprRef<'_>,
    source: ExprRef<'_>,
    bound: ExprRef<'_>,
) -> Option<String> {
    let bound = u64::try_from(bound.int_value()?).ok()?;
    if size_of_object(cx, destination) == Some(bound) {
        return Some(format!("{bound} equals destination size"));
    }
    let length = lengths(cx, source)?;
    (length == (bound, bound)).then(|| format!("{bound} equals source length"))
}

/// What is wrong with a copy of at most `bound` characters.
fn copy(cx: &Sema<'_, '_>, destination: ExprRef<'_>, source: ExprRef<'_>, bound: ExprRef<'_>) -> Option<String> {
    let optimised = matches!(cx.options.level, OptLevel::O2 | OptLevel::O3) && !cx.options.optimize_size;
    let Some(value) = bound.int_value() else {
        let depends = optimised.then(|| length_of(cx, bound, source)).flatten()?;
        return Some(if depends == 0 {
            "output truncated before terminating nul copying as many bytes from a string as its length".into()
        } else {
            "specified bound depends on the length of the source argument".into()
        });
    };
    if is_without_nul(cx, strip(destination)) {
        return None;
    }
    let bound = u64::try_from(value).ok()?;
    let bytes = if bound == 1 { "byte" } else { "bytes" };
    match lengths(cx, source) {
        Some((_, most)) if most < bound => None,
        Some((least, most)) if least == most && most == bound => Some(format!(
            "output truncated before terminating nul copying {bound} {bytes} from a string of the same length"
        )),
        Some((least, most)) if least == most => {
            Some(format!("output truncated copying {bound} {bytes} from a string of length {most}"))
        }
        Some((_, most)) if optimised => {
            Some(format!("output may be truncated copying {bound} {bytes} from a string of length {most}"))
        }
        None if optimised
            && !counts_as_whole(cx, destination)
            && size_of_object(cx, destination) == Some(bound)
            && !was_compared(cx, source) =>
        {
            Some(format!("specified bound {bound} equals destination size"))
        }
        _ => None,
    }
}

/// The elements of an array of characters whose size can be trusted: the last member may be used
/// as a flexible array when it has one element.
fn array_length(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> Option<u64> {
    let TypeKind::Array { elem, len: ArrayLen::Constant(len) } = cx.kind(expr.ty) else { return None };
    let character = matches!(cx.kind(elem), TypeKind::Int(IntKind::Char | IntKind::SChar | IntKind::UChar));
    let flexible = matches!(expr.kind, ExprKind::Member { .. }) && len <= 1;
    (character && !flexible).then_some(len)
}

/// Bytes from where the pointer points to the end of an array.
fn size_of_object(cx: &Sema<'_, '_>, pointer: ExprRef<'_>) -> Option<u64> {
    let object = strip(pointer);
    match object.kind {
        ExprKind::PtrAdd { ptr, index, negate: false, .. } => {
            let skipped = u64::try_from(index.int_value()?).ok()?;
            array_length(cx, strip(ptr))?.checked_sub(skipped)
        }
        _ if is_without_nul(cx, object) => None,
        _ => array_length(cx, object),
    }
}

/// Whether gcc takes the object that a member is in for the destination: a member of a union, or a
/// place inside of a member.
fn counts_as_whole(cx: &Sema<'_, '_>, pointer: ExprRef<'_>) -> bool {
    match strip(pointer).kind {
        ExprKind::PtrAdd { ptr, .. } => matches!(strip(ptr).kind, ExprKind::Member { .. }),
        ExprKind::Member { record, .. } => cx.types().records[record].kind == RecordKind::Union,
        _ => false,
    }
}

/// `nonstring`
fn is_without_nul(cx: &Sema<'_, '_>, object: ExprRef<'_>) -> bool {
    match object.kind {
        ExprKind::Decl(id) => cx.unit.attrs(id).is_some_and(|attrs| attrs.flags.has(AttrFlags::NONSTRING)),
        ExprKind::Member { record, field, .. } => {
            cx.types().records[record].fields.get(field as usize).is_some_and(|field| field.nonstring)
        }
        _ => false,
    }
}

/// Shortest and longest string that `source` may be.
fn lengths(cx: &Sema<'_, '_>, source: ExprRef<'_>) -> Option<(u64, u64)> {
    let object = strip(source);
    match object.kind {
        ExprKind::String(literal) if literal.elem_size == 1 => {
            let length = literal.bytes.iter().position(|&b| b == 0).unwrap_or(literal.bytes.len()) as u64;
            Some((length, length))
        }
        ExprKind::Conditional { then, els, .. } => {
            let known = |expr: ExprRef<'_>| match strip(expr).kind {
                ExprKind::Conditional { .. } => None,
                _ => lengths(cx, expr),
            };
            let (a, b) = (known(then)?, known(els)?);
            Some((a.0.min(b.0), a.1.max(b.1)))
        }
        // A constant array has a length of its own.
        ExprKind::Decl(_) if cx.types().array_element(object.ty).is_some_and(|elem| elem.quals().is_const()) => None,
        ExprKind::Decl(_) | ExprKind::Member { .. } => {
            array_length(cx, object).filter(|&length| length > 0).map(|length| (0, length - 1))
        }
        _ => None,
    }
}

/// `lhs = ...`: a store into the destination of the call before says that the nul is thought of.
pub fn store(cx: &mut Sema<'_, '_>, lhs: ExprRef<'_>) {
    if cx.lints.pending_copies.is_empty() {
        return;
    }
    let ExprKind::Deref(pointer) = lhs.kind else { return };
    let base = |pointer| match strip(pointer).kind {
        ExprKind::PtrAdd { ptr, .. } => strip(ptr),
        _ => strip(pointer),
    };
    let stored = base(pointer);
    let mut pending = std::mem::take(&mut cx.lints.pending_copies);
    pending.retain(|copy| !same_value(&cx.unit, stored, base(copy.destination)));
    cx.lints.pending_copies = pending;
}

/// An expression statement ends.
pub fn statement_ends(cx: &mut Sema<'_, '_>) {
    if !cx.lints.pending_copies.is_empty() {
        report_over(cx);
        cx.lints.pending_copies.iter_mut().for_each(|copy| copy.over = true);
    }
}

/// A statement begins that is no expression.
#[inline]
pub fn other_statement(cx: &mut Sema<'_, '_>) {
    if !cx.lints.pending_copies.is_empty() {
        report_over(cx);
    }
}

fn report_over(cx: &mut Sema<'_, '_>) {
    let (over, rest) = std::mem::take(&mut cx.lints.pending_copies).into_iter().partition(|copy| copy.over);
    report(cx, over);
    cx.lints.pending_copies = rest;
}

/// Nothing comes after the calls.
pub fn flush(cx: &mut Sema<'_, '_>) {
    let pending = std::mem::take(&mut cx.lints.pending_copies);
    report(cx, pending);
}

fn report(cx: &mut Sema<'_, '_>, copies: Vec<Pending<'_>>) {
    for copy in copies {
        cx.warn(warning::STRINGOP_TRUNCATION, copy.call, copy.message);
    }
}
