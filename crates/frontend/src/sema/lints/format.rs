//! `-Wformat`: calls of printf's, scanf's and strftime's relatives against their format strings
//! (C23 7.23.6.1, 7.23.6.2, 7.29.3.5; gcc's attribute `format`).
//!
//! The string is found after conversions, in both arms of `?:` and through functions with the
//! attribute `format_arg`; what is found nowhere is a matter of `-Wformat-security` and
//! `-Wformat-nonliteral`. The directives are read by [`super::format_directives`]; here their types
//! are compared with those of the arguments, as they are after the default promotions.

use base::{Loc, warning};

use super::format_directives::{Argument, Directive, Kind, Problem, Reader};
use crate::sema::library::library_name;
use crate::sema::{Sema, conversions};
use crate::tree::{CastKind, Category, DeclId, ExprKind, ExprRef, Format, FormatArchetype, QualType, Ty, TypeKind};

/// The library's functions with formats: name, archetype, number of the string's parameter and of
/// the first argument.
const LIBRARY: &[(&str, FormatArchetype, u16, u16)] = &[
    ("printf", FormatArchetype::Printf, 1, 2),
    ("fprintf", FormatArchetype::Printf, 2, 3),
    ("sprintf", FormatArchetype::Printf, 2, 3),
    ("snprintf", FormatArchetype::Printf, 3, 4),
    ("vprintf", FormatArchetype::Printf, 1, 0),
    ("vfprintf", FormatArchetype::Printf, 2, 0),
    ("vsprintf", FormatArchetype::Printf, 2, 0),
    ("vsnprintf", FormatArchetype::Printf, 3, 0),
    ("printf_unlocked", FormatArchetype::Printf, 1, 2),
    ("fprintf_unlocked", FormatArchetype::Printf, 2, 3),
    ("scanf", FormatArchetype::Scanf, 1, 2),
    ("fscanf", FormatArchetype::Scanf, 2, 3),
    ("sscanf", FormatArchetype::Scanf, 2, 3),
    ("vscanf", FormatArchetype::Scanf, 1, 0),
    ("vfscanf", FormatArchetype::Scanf, 2, 0),
    ("vsscanf", FormatArchetype::Scanf, 2, 0),
    ("strftime", FormatArchetype::Strftime, 3, 0),
];

/// The format a function's calls follow: its attribute's, or as a function of the library.
fn format_of(cx: &Sema<'_, '_>, id: DeclId) -> Option<Format> {
    if let Some(format) = cx.unit.attrs(id).and_then(|a| a.format) {
        return Some(format);
    }
    let name = library_name(cx, id)?;
    let &(_, archetype, string, first) = LIBRARY.iter().find(|entry| entry.0 == name)?;
    Some(Format { archetype, string, first })
}

/// Checks a call of a declared function; `args` are as written.
pub fn check_call<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, args: &[ExprRef<'a>], loc: Loc) {
    let Some(format) = format_of(cx, id) else { return };
    let Some(&string) = args.get(format.string as usize - 1) else { return };
    let rest = match format.first {
        0 => None,
        first => Some(args.get(first as usize - 1..).unwrap_or(&[])),
    };
    let mut literals = Vec::new();
    if !find_literals(cx, string, &mut literals, 0) {
        handed_on(cx, format, args);
        nonliteral(cx, format, string, rest, loc);
        return;
    }
    // Of `c ? "%s" : "all of it"` with an argument each is right for one of the branches.
    let (mut empty, mut extra, mut other) = (None, None, false);
    for literal in literals {
        // A null pointer uses no argument.
        if literal.int_value() == Some(0) && rest.is_none_or(|rest| !rest.is_empty()) {
            extra = extra.or(Some(literal.loc));
            continue;
        }
        let ExprKind::String(text) = literal.kind else {
            other = true;
            continue;
        };
        if text.elem_size != 1 {
            cx.warn(warning::FORMAT, literal.loc, "format is a wide character string");
            continue;
        }
        match check_literal(cx, format.archetype, literal, text.bytes, rest, format.first) {
            Checked::Empty => empty = empty.or(Some(literal.loc)),
            Checked::Extra => extra = Some(literal.loc),
            Checked::Other => other = true,
        }
    }
    if let Some(loc) = extra.filter(|_| !other) {
        cx.warn(warning::FORMAT_EXTRA_ARGS, loc, "too many arguments for format");
    }
    if let Some(loc) = empty.filter(|_| !other) {
        let name = name_of(format.archetype);
        cx.warn(warning::FORMAT_ZERO_LENGTH, loc, format!("zero-length {name} format string"));
    }
}

/// `-Wsuggest-attribute=format`: a string that is no literal goes to a function like `vprintf` in a
/// function that takes a string and has no such attribute. The place is, as in gcc, the beginning
/// of the call's last line.
fn handed_on(cx: &mut Sema<'_, '_>, format: Format, args: &[ExprRef<'_>]) {
    let follows = matches!(format.archetype, FormatArchetype::Printf | FormatArchetype::Scanf);
    let (Some(last), true) = (args.last(), follows && format.first == 0) else { return };
    if !cx.sess.warning_enabled(warning::SUGGEST_ATTRIBUTE_FORMAT, last.loc) {
        return;
    }
    let Some(function) = cx.functions.last() else { return };
    let own = cx.unit.attrs(function.decl).and_then(|attrs| attrs.format);
    let takes_string = function.params.iter().any(|&param| {
        let pointee = cx.types().pointee(cx.unit.decls[param].ty.ty());
        pointee.is_some_and(|ty| cx.types().canonical(ty.ty()) == Ty::CHAR)
    });
    if !takes_string || own.is_some_and(|own| own.archetype == format.archetype) {
        return;
    }
    let name = cx.unit.decls[function.decl].name.map_or("", |name| cx.str(name)).to_string();
    let before = cx.sess.sources.data().text_before(last.loc).and_then(|text| {
        let line = &text[text.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1)..];
        Some(line.len() - line.iter().position(|b| !b.is_ascii_whitespace())?)
    });
    let loc = Loc(last.loc.0 - before.unwrap_or(0) as u32);
    let what = name_of(format.archetype);
    let message = format!("function '{name}' might be a candidate for '{what}' format attribute");
    cx.warn(warning::SUGGEST_ATTRIBUTE_FORMAT, loc, message);
}

/// What a format string leaves to be said of the call as a whole.
enum Checked {
    Empty,
    /// Takes fewer arguments than there are.
    Extra,
    Other,
}

/// How far format strings are followed through `?:` and functions.
const DEPTH: u32 = 16;

/// Collects the literals an expression may be, and the constant objects and null pointers among the
/// operands of `?:` and the arguments of `format_arg` functions; false if it may be something else.
fn find_literals<'a>(cx: &Sema<'_, 'a>, expr: ExprRef<'a>, out: &mut Vec<ExprRef<'a>>, depth: u32) -> bool {
    if depth > DEPTH {
        return false;
    }
    match expr.kind {
        ExprKind::String(_) => {
            out.push(expr);
            true
        }
        ExprKind::Cast { kind, operand } => {
            !matches!(kind, CastKind::LvalueToRvalue) && find_literals(cx, operand, out, depth + 1)
        }
        ExprKind::Conditional { then, els, .. } => {
            [then, els].into_iter().all(|operand| find_operand(cx, operand, out, depth + 1))
        }
        ExprKind::Call { callee, args } => callee
            .callee_decl()
            .and_then(|id| cx.unit.attrs(id))
            .map(|a| a.format_arg as usize)
            .filter(|&n| n > 0)
            .and_then(|n| args.get(n - 1))
            .is_some_and(|arg| find_operand(cx, arg, out, depth + 1)),
        _ => false,
    }
}

/// `find_literals` of an operand of `?:`, or of the argument that a function gives back.
fn find_operand<'a>(cx: &Sema<'_, 'a>, operand: ExprRef<'a>, out: &mut Vec<ExprRef<'a>>, depth: u32) -> bool {
    // What a constant object holds is not looked into.
    let known = is_constant_object(cx, operand) || operand.int_value() == Some(0);
    out.extend(Some(operand).filter(|_| known));
    known || find_literals(cx, operand, out, depth)
}

fn nonliteral(cx: &mut Sema<'_, '_>, format: Format, string: ExprRef<'_>, rest: Option<&[ExprRef<'_>]>, call: Loc) {
    let loc = string.loc;
    // Whether it may be null is what `nonnull` says; arguments are too many all the same.
    if string.int_value() == Some(0) {
        if rest.is_none_or(|rest| !rest.is_empty()) {
            cx.warn(warning::FORMAT_EXTRA_ARGS, call, "too many arguments for format");
        }
        return;
    }
    // An array or pointer that nothing can change holds what its initialiser says: not looked into.
    if is_constant_object(cx, string) {
        return;
    }
    match rest {
        _ if format.archetype == FormatArchetype::Strftime => {
            cx.warn(warning::FORMAT_NONLITERAL, loc, "format not a string literal, format string not checked");
        }
        Some([]) if cx.sess.warning_enabled(warning::FORMAT_SECURITY, loc) => {
            cx.warn(warning::FORMAT_SECURITY, loc, "format not a string literal and no format arguments");
        }
        Some([]) => {
            cx.warn(warning::FORMAT_NONLITERAL, loc, "format not a string literal and no format arguments");
        }
        Some(_) => {
            cx.warn(warning::FORMAT_NONLITERAL, loc, "format not a string literal, argument types not checked");
        }
        // With a `va_list` the string is most likely the caller's own parameter: gcc warns of it
        // all the same.
        None => {}
    }
}

fn is_constant_object(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> bool {
    let mut expr = expr;
    while let ExprKind::Cast { operand, .. } = expr.kind {
        expr = operand;
    }
    expr.decl().is_some_and(|id| {
        let ty = cx.unit.decls[id].ty;
        crate::sema::types::effective_quals(cx.types(), ty).is_const() && !ty.quals().is_volatile()
    })
}

/// Where byte `offset` of a literal stands, if the literal is one token without macros and escapes
/// before it.
pub fn place(cx: &Sema<'_, '_>, literal: ExprRef<'_>, bytes: &[u8], offset: usize) -> Loc {
    let data = cx.sess.sources.data();
    let Some(text) = data.text_from(literal.loc) else { return literal.loc };
    let Some(body) = text.strip_prefix(b"\"") else { return literal.loc };
    let plain = !data.is_macro(literal.loc)
        && body.get(..offset + 1).is_some_and(|b| b == &bytes[..offset + 1] && !b.contains(&b'\\'));
    if plain { Loc(literal.loc.0 + 1 + offset as u32) } else { literal.loc }
}

struct Checker<'c, 'a> {
    archetype: FormatArchetype,
    literal: ExprRef<'a>,
    bytes: &'c [u8],
    /// Arguments after the format, `None` for a `va_list`.
    args: Option<&'c [ExprRef<'a>]>,
    /// Number of the first of them in the call.
    first: u16,
    /// Next argument.
    next: usize,
    /// `%1$d` was used.
    numbered: bool,
}

/// Checks one string; whether it leaves arguments unused.
fn check_literal<'a>(
    cx: &mut Sema<'_, 'a>,
    archetype: FormatArchetype,
    literal: ExprRef<'a>,
    bytes: &[u8],
    args: Option<&[ExprRef<'a>]>,
    first: u16,
) -> Checked {
    let body = bytes.strip_suffix(b"\0").unwrap_or(bytes);
    if body.is_empty() {
        return Checked::Empty;
    }
    if let Some(at) = body.iter().position(|&b| b == 0) {
        let at = place(cx, literal, bytes, at);
        cx.warn(warning::FORMAT_CONTAINS_NUL, at, "embedded '\\0' in format");
        return Checked::Other;
    }
    let mut checker = Checker { archetype, literal, bytes, args, first, next: 0, numbered: false };
    let mut reader = Reader::new(archetype, body);
    while let Some(directive) = reader.next() {
        if !check_directive(cx, &mut checker, &directive) {
            return Checked::Other;
        }
    }
    let given = args.map_or(0, <[_]>::len);
    if !checker.numbered && checker.next < given { Checked::Extra } else { Checked::Other }
}

fn name_of(archetype: FormatArchetype) -> &'static str {
    match archetype {
        FormatArchetype::Printf => "gnu_printf",
        FormatArchetype::Scanf => "gnu_scanf",
        FormatArchetype::Strftime => "gnu_strftime",
        FormatArchetype::Strfmon => "gnu_strfmon",
    }
}

/// Checks one directive; false ends the check of the string.
fn check_directive<'a>(cx: &mut Sema<'_, 'a>, c: &mut Checker<'_, 'a>, d: &Directive) -> bool {
    let at = place(cx, c.literal, c.bytes, d.end - 1);
    match d.problem {
        Some(Problem::Spurious) => {
            cx.warn(warning::FORMAT, at, "spurious trailing '%' in format");
            return false;
        }
        Some(Problem::LacksType) => {
            cx.warn(warning::FORMAT, at, "conversion lacks type at end of format");
            return false;
        }
        Some(Problem::Unknown(byte)) => {
            let shown = if byte.is_ascii_graphic() { format!("'{}'", byte as char) } else { format!("0x{byte:x}") };
            cx.warn(warning::FORMAT, at, format!("unknown conversion type character {shown} in format"));
            // Without arguments to keep in step the rest can be checked.
            return c.args.is_none_or(<[_]>::is_empty);
        }
        Some(Problem::NoClosingBracket) => {
            cx.warn(warning::FORMAT, at, "no closing ']' for '%[' format");
            return false;
        }
        Some(Problem::Length(length, byte)) => {
            let message = format!(
                "use of '{length}' length modifier with '{}' type character has either no effect or undefined behavior",
                byte as char
            );
            cx.warn(warning::FORMAT, at, message);
            // Whatever it means, it takes an argument.
            c.next += 1;
        }
        None => {}
    }
    c.numbered |= d.numbered;
    if d.numbered || c.args.is_none() {
        return true;
    }
    for argument in &d.arguments {
        if !take_argument(cx, c, d, argument, at) {
            return false;
        }
    }
    true
}

/// Checks the next argument against what a directive wants; false if there is none.
fn take_argument<'a>(cx: &mut Sema<'_, 'a>, c: &mut Checker<'_, 'a>, d: &Directive, want: &Argument, at: Loc) -> bool {
    let args = c.args.unwrap_or(&[]);
    let index = c.next;
    c.next += 1;
    let spelling = String::from_utf8_lossy(&c.bytes[d.start..d.end]).into_owned();
    let what = match want.kind {
        Kind::Value => format!("format '{spelling}' expects"),
        Kind::Width => "field width specifier '*' expects".to_string(),
        Kind::Precision => "field precision specifier '.*' expects".to_string(),
    };
    let ty = if want.kind == Kind::Value { want.ty } else { Ty::INT };
    let wanted = pointed(cx, ty, if want.kind == Kind::Value { want.depth } else { 0 });
    let Some(&arg) = args.get(index) else {
        let name = cx.tname(wanted);
        cx.warn(warning::FORMAT, at, format!("{what} a matching {name} argument"));
        return false;
    };
    if arg.is_error() {
        return true;
    }
    let have = value_type(cx, arg);
    // A bit-field wider than `int` has a type of its own, which no conversion takes.
    if agrees(cx, c.archetype, want, wanted, have, arg) && wide_field(cx, have, arg).is_none() {
        return true;
    }
    let (wanted_name, have_name) = (cx.tname(wanted), shown_type(cx, have, arg));
    let number = c.first as usize + index;
    let message = format!("{what} argument of type {wanted_name}, but argument {number} has type {have_name}");
    let mut builder = cx.sess.warn(warning::FORMAT, at, message);
    if want.kind == Kind::Value
        && let Some(better) = d.fitting(cx, c.archetype, have)
    {
        builder = builder.note(arg.loc, format!("'{better}' is for an argument of this type"));
    }
    builder.emit();
    true
}

fn pointed(cx: &mut Sema<'_, '_>, ty: Ty, depth: u8) -> QualType {
    let mut ty = ty.plain();
    for _ in 0..depth {
        ty = cx.pointer_to(ty).plain();
    }
    ty
}

/// The type of an argument as it is passed, as written.
fn value_type<'a>(cx: &mut Sema<'_, 'a>, arg: ExprRef<'a>) -> QualType {
    match cx.kind(arg.ty) {
        TypeKind::Array { .. } => {
            let elem = cx.types().array_element(arg.written).unwrap_or(arg.ty);
            cx.pointer_to(elem).plain()
        }
        TypeKind::Function(_) => cx.pointer_to(arg.written).plain(),
        _ if cx.types().canonical(arg.ty.ty()) == Ty::FLOAT => Ty::DOUBLE.plain(),
        _ if cx.types().is_integer(arg.ty.ty()) => match conversions::promoted_type(cx, arg) {
            _ if arg.cat == Category::BitField => bit_field_type(cx, arg),
            // Nothing was promoted: the name it was declared with says more.
            promoted if promoted == cx.types().canonical(arg.ty.ty()) => arg.written.unqualified(),
            promoted => promoted.plain(),
        },
        _ => arg.written.unqualified(),
    }
}

/// The promoted type of a bit-field: `int` and `unsigned` up to 32 bits, as wide as `long` above.
fn bit_field_type(cx: &mut Sema<'_, '_>, field: ExprRef<'_>) -> QualType {
    let info = cx.types().int_info(field.ty.ty());
    let (Some(width), Some(info)) = (conversions::field_width(cx, field), info) else {
        return field.written.unqualified();
    };
    match width {
        ..=31 => Ty::INT.plain(),
        32 if info.signed => Ty::INT.plain(),
        32 => Ty::UINT.plain(),
        _ if width == info.bits => field.written.unqualified(),
        _ if info.signed => Ty::LONG.plain(),
        _ => Ty::ULONG.plain(),
    }
}

/// The width of a bit-field that is wider than `int` and narrower than its type.
fn wide_field(cx: &Sema<'_, '_>, have: QualType, arg: ExprRef<'_>) -> Option<u32> {
    let bits = cx.types().int_info(have.ty())?.bits;
    conversions::field_width(cx, arg).filter(|width| (33..bits).contains(width))
}

/// The type of an argument in a message: that of a bit-field wider than `int` with its width.
fn shown_type(cx: &Sema<'_, '_>, have: QualType, arg: ExprRef<'_>) -> String {
    match wide_field(cx, have, arg) {
        Some(width) => format!("'{}:{width}'", cx.type_text(have)),
        None => cx.tname(have),
    }
}

/// The argument is what the directive wants, up to the sign of integers; character types do for
/// each other where pointers point to them, and any pointer for `%p`.
fn agrees(
    cx: &Sema<'_, '_>,
    archetype: FormatArchetype,
    want: &Argument,
    wanted: QualType,
    have: QualType,
    arg: ExprRef<'_>,
) -> bool {
    let (mut want_ty, mut have_ty) = (wanted, have);
    if want.kind != Kind::Value {
        return same_integer(cx, Ty::INT, have.ty());
    }
    let mut depth = want.depth;
    // A null pointer constant of pointer type fits every pointer.
    if depth > 0
        && arg.int_value() == Some(0)
        && cx.types().is_pointer(have.ty())
        && archetype == FormatArchetype::Printf
    {
        return true;
    }
    while depth > 0 {
        let (Some(w), Some(h)) = (cx.types().pointee(want_ty.ty()), cx.types().pointee(have_ty.ty())) else {
            return false;
        };
        (want_ty, have_ty) = (w, h);
        depth -= 1;
    }
    let (w, h) = (cx.types().canonical(want_ty.ty()), cx.types().strip_enum(have_ty.ty()));
    if w == Ty::VOID && want.depth > 0 {
        return true;
    }
    if want.depth > 0 && have_ty.quals().is_const() && archetype == FormatArchetype::Scanf {
        return false;
    }
    let narrow = |ty: Ty| matches!(ty, Ty::CHAR | Ty::SCHAR | Ty::UCHAR);
    if want.depth > 0 && narrow(w) && narrow(h) {
        return true;
    }
    // Without a pointer `hh` and `h` say what the promoted value is cut to.
    let w = if want.depth == 0 && cx.types().int_info(w).is_some_and(|i| i.bits < 32) { Ty::INT } else { w };
    if cx.types().is_integer(w) {
        same_integer(cx, w, h)
    } else {
        crate::sema::types::compatible_unqualified(cx.types(), w, h)
    }
}

/// The same integer type, or its counterpart of the other sign.
fn same_integer(cx: &Sema<'_, '_>, a: Ty, b: Ty) -> bool {
    let b = cx.types().strip_enum(b);
    let signed = |ty: Ty| crate::sema::types::with_signedness(cx.types(), ty, true).unwrap_or(ty);
    cx.types().is_integer(b) && cx.types().canonical(signed(a)) == cx.types().canonical(signed(b))
}
