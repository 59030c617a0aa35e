//! `str*`: results on known text; copies of known length become block copies.

use ir::{Opcode, Type, Value, flags};

use super::{Answer, Calls};

/// Applies the rules of this file.
pub(super) fn fold(cx: &mut Calls<'_>, name: &str, args: &[Value]) -> Option<Answer> {
    match name {
        "strlen" => length(cx, args[0]),
        "strnlen" => bounded_length(cx, args[0], args[1]),
        "strcmp" => compare(cx, args[0], args[1], u64::MAX),
        "strncmp" => match cx.int(args[2]) {
            Some(limit) => compare(cx, args[0], args[1], limit),
            None if args[0] == args[1] => Some(cx.i32(0)),
            None => None,
        },
        "strcpy" => copy(cx, args[0], args[1], false),
        "stpcpy" if !cx.is_used() => cx.call("strcpy", args).map(|_| None),
        "stpcpy" => copy(cx, args[0], args[1], true),
        "strncpy" | "stpncpy" => bounded_copy(cx, name, args),
        "strcat" => append(cx, args[0], args[1]),
        "strncat" => bounded_append(cx, args),
        "strchr" | "index" => find_first(cx, args[0], args[1]),
        "strrchr" | "rindex" => find_last(cx, args[0], args[1]),
        "strstr" => find_text(cx, args[0], args[1]),
        "strpbrk" => find_any(cx, args[0], args[1]),
        "strspn" | "strcspn" => span(cx, args[0], args[1], name == "strspn"),
        _ => None,
    }
}

fn length(cx: &mut Calls<'_>, s: Value) -> Option<Answer> {
    if let Some(length) = cx.length(s) {
        return Some(cx.i64(length));
    }
    if cx.is_used() && cx.is_only_compared_with_zero() {
        let mut b = cx.b();
        let first = b.load(Type::I8, s, 1, ir::AliasTags::any(), 0);
        return Some(Some(b.unary(Opcode::ZExt, Type::I64, first)));
    }
    // Somewhere in a constant string that fills its object: the terminator is the last byte, or the
    // access is undefined.
    let inst = cx.func.def_with(s, Opcode::PtrAdd)?;
    let (base, offset) = (cx.func.operand(inst, 0), cx.func.operand(inst, 1));
    let text = cx.text(base)?;
    let length = text.string()?.len() as u64;
    if length + 1 != text.left() {
        return None;
    }
    let length = cx.func.iconst(Type::I64, length as i64);
    Some(Some(cx.b().binary(Opcode::Sub, length, offset)))
}

fn bounded_length(cx: &mut Calls<'_>, s: Value, limit: Value) -> Option<Answer> {
    if cx.int(limit) == Some(0) {
        return Some(cx.i64(0));
    }
    if let Some(length) = cx.length(s) {
        let length = cx.func.iconst(Type::I64, length as i64);
        return Some(Some(cx.b().binary(Opcode::UMin, length, limit)));
    }
    // No terminator before the limit.
    let limit = cx.int(limit)?;
    let text = cx.text(s)?;
    let end = limit.min(text.left());
    let found = (0..end).find(|&at| text.byte(at) == 0);
    let length = found.or((limit <= text.left()).then_some(limit))?;
    Some(cx.i64(length))
}

/// The sign of the first difference among at most `limit` characters.
fn compare(cx: &mut Calls<'_>, a: Value, b: Value, limit: u64) -> Option<Answer> {
    if a == b || limit == 0 {
        return Some(cx.i32(0));
    }
    let (x, y) = (cx.string(a), cx.string(b));
    if let (Some(x), Some(y)) = (x, y) {
        let bounded = |s: &[u8]| s.len().min(usize::try_from(limit).unwrap_or(usize::MAX));
        let order = x[..bounded(x)].cmp(&y[..bounded(y)]);
        return Some(cx.i32(order as i64));
    }
    // The first characters decide.
    if limit == 1 || x.is_some_and(<[u8]>::is_empty) || y.is_some_and(<[u8]>::is_empty) {
        let (m, n) = (cx.byte(a), cx.byte(b));
        return Some(Some(cx.b().binary_flags(Opcode::Sub, flags::NSW, m, n)));
    }
    None
}

/// `strcpy`; with `end` the result is the address of the terminator.
fn copy(cx: &mut Calls<'_>, to: Value, from: Value, end: bool) -> Option<Answer> {
    if to == from && !end {
        return Some(Some(to));
    }
    let length = cx.length(from)?;
    cx.memcpy(to, from, length + 1);
    Some(Some(if end { cx.b().ptradd_imm(to, length as i64) } else { to }))
}

fn bounded_copy(cx: &mut Calls<'_>, name: &str, args: &[Value]) -> Option<Answer> {
    let limit = cx.int(args[2]);
    if limit == Some(0) {
        return Some(Some(args[0]));
    }
    if name == "stpncpy" {
        return if cx.is_used() { None } else { cx.call("strncpy", args).map(|_| None) };
    }
    // Without padding it is a block copy.
    let (limit, length) = (limit?, cx.length(args[1])?);
    if limit > length + 1 {
        return None;
    }
    cx.memcpy(args[0], args[1], limit);
    Some(Some(args[0]))
}

fn append(cx: &mut Calls<'_>, to: Value, from: Value) -> Option<Answer> {
    let length = cx.length(from)?;
    if length > 0 {
        let used = cx.call("strlen", &[to])??;
        let end = cx.b().ptradd(to, used, flags::INBOUNDS);
        cx.memcpy(end, from, length + 1);
    }
    Some(Some(to))
}

fn bounded_append(cx: &mut Calls<'_>, args: &[Value]) -> Option<Answer> {
    let (limit, length) = (cx.int(args[2]), cx.length(args[1]));
    if limit == Some(0) || length == Some(0) {
        return Some(Some(args[0]));
    }
    if limit? >= length? { cx.call("strcat", &args[..2]) } else { None }
}

fn find_first(cx: &mut Calls<'_>, s: Value, c: Value) -> Option<Answer> {
    let c = cx.int(c)? as u8;
    if let Some(text) = cx.string(s) {
        let at = if c == 0 { Some(text.len()) } else { text.iter().position(|&b| b == c) };
        return Some(at_or_null(cx, s, at));
    }
    if c != 0 {
        return None;
    }
    let length = cx.call("strlen", &[s])??;
    Some(Some(cx.b().ptradd(s, length, flags::INBOUNDS)))
}

fn find_last(cx: &mut Calls<'_>, s: Value, c: Value) -> Option<Answer> {
    let byte = cx.int(c)? as u8;
    match cx.string(s) {
        Some(text) if byte != 0 => {
            let at = text.iter().rposition(|&b| b == byte);
            Some(at_or_null(cx, s, at))
        }
        Some(text) => Some(at_or_null(cx, s, Some(text.len()))),
        None if byte == 0 => cx.call("strchr", &[s, c]),
        None => None,
    }
}

fn find_text(cx: &mut Calls<'_>, s: Value, part: Value) -> Option<Answer> {
    if s == part {
        return Some(Some(s));
    }
    let wanted = cx.string(part)?;
    if wanted.is_empty() {
        return Some(Some(s));
    }
    if let Some(text) = cx.string(s) {
        let at = text.windows(wanted.len()).position(|w| w == wanted);
        return Some(at_or_null(cx, s, at));
    }
    call_strchr(cx, s, wanted)
}

fn find_any(cx: &mut Calls<'_>, s: Value, set: Value) -> Option<Answer> {
    let wanted = cx.string(set)?;
    if wanted.is_empty() {
        return Some(cx.null());
    }
    if let Some(text) = cx.string(s) {
        let at = text.iter().position(|b| wanted.contains(b));
        return Some(at_or_null(cx, s, at));
    }
    call_strchr(cx, s, wanted)
}

/// `strchr` serves to find a single character.
fn call_strchr(cx: &mut Calls<'_>, s: Value, wanted: &[u8]) -> Option<Answer> {
    let &[c] = wanted else { return None };
    // `strchr` takes the character as an int and looks for it as a char.
    let c = cx.func.iconst(Type::I32, c as i64);
    cx.call("strchr", &[s, c])
}

/// `strspn` (`inside`) and `strcspn`.
fn span(cx: &mut Calls<'_>, s: Value, set: Value, inside: bool) -> Option<Answer> {
    let (text, wanted) = (cx.string(s), cx.string(set));
    if let (Some(text), Some(wanted)) = (text, wanted) {
        let length = text.iter().position(|b| wanted.contains(b) != inside).unwrap_or(text.len());
        return Some(cx.i64(length as u64));
    }
    if text.is_some_and(<[u8]>::is_empty) || (inside && wanted.is_some_and(<[u8]>::is_empty)) {
        return Some(cx.i64(0));
    }
    if wanted.is_some_and(<[u8]>::is_empty) { cx.call("strlen", &[s]) } else { None }
}

fn at_or_null(cx: &mut Calls<'_>, s: Value, at: Option<usize>) -> Answer {
    match at {
        Some(at) => Some(cx.b().ptradd_imm(s, at as i64)),
        None => cx.null(),
    }
}
