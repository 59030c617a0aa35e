//! The `__*_chk` functions (Linux Standard Base 5, 15.2): the last size is that of the destination,
//! all ones if it is not known. Where nothing is known there is nothing to check, and what fits
//! needs no check.

use ir::{Opcode, Type, Value};

use super::output::{call_plain, max_output};
use super::{Answer, Calls};

/// Applies the rules of this file.
pub(super) fn fold(cx: &mut Calls<'_>, name: &str, args: &[Value]) -> Option<Answer> {
    match name {
        "__memcpy_chk" | "__memmove_chk" | "__mempcpy_chk" | "__memset_chk" => block(cx, name, args),
        "__strcpy_chk" | "__stpcpy_chk" => copy(cx, name, args),
        "__strncpy_chk" | "__stpncpy_chk" => bounded_copy(cx, name, args),
        "__strcat_chk" => append(cx, args),
        "__strncat_chk" => bounded_append(cx, args),
        "__sprintf_chk" | "__vsprintf_chk" => print(cx, name, args),
        "__snprintf_chk" | "__vsnprintf_chk" => print_bounded(cx, name, args),
        _ => None,
    }
}

/// At most `written` bytes are written to an object of `size` bytes: the check cannot fail.
fn fits(cx: &Calls<'_>, size: Value, written: Option<u64>) -> bool {
    let Some(size) = cx.int(size) else { return false };
    size == u64::MAX || written.is_some_and(|written| written <= size)
}

fn block(cx: &mut Calls<'_>, name: &str, args: &[Value]) -> Option<Answer> {
    let [to, from, bytes, size] = args else { return None };
    let (to, from, bytes) = (*to, *from, *bytes);
    if !fits(cx, *size, cx.max_int(bytes)) {
        return if name == "__mempcpy_chk" && !cx.is_used() {
            cx.call("__memcpy_chk", args).map(|_| None)
        } else {
            None
        };
    }
    let (opcode, source) = match name {
        "__memset_chk" => (Opcode::MemSet, cx.b().unary(Opcode::Trunc, Type::I8, from)),
        "__memmove_chk" => (Opcode::MemMove, from),
        _ => (Opcode::MemCpy, from),
    };
    let inst = cx.b().mem_op(opcode, to, source, bytes, 1, false);
    if opcode == Opcode::MemMove {
        cx.work.push(inst);
    }
    let end = name == "__mempcpy_chk";
    Some(Some(if end { cx.b().ptradd(to, bytes, ir::flags::INBOUNDS) } else { to }))
}

fn copy(cx: &mut Calls<'_>, name: &str, args: &[Value]) -> Option<Answer> {
    if name == "__strcpy_chk" && args[0] == args[1] {
        return Some(Some(args[0]));
    }
    if fits(cx, args[2], cx.max_length(args[1]).map(|n| n + 1)) {
        let plain = if name == "__strcpy_chk" { "strcpy" } else { "stpcpy" };
        return cx.call(plain, &args[..2]);
    }
    if name == "__stpcpy_chk" {
        return if cx.is_used() { None } else { cx.call("__strcpy_chk", args).map(|_| None) };
    }
    let bytes = cx.length(args[1]).filter(|_| cx.offers("__memcpy_chk"))? + 1;
    let bytes = cx.func.iconst(Type::I64, bytes as i64);
    cx.call("__memcpy_chk", &[args[0], args[1], bytes, args[2]])
}

fn bounded_copy(cx: &mut Calls<'_>, name: &str, args: &[Value]) -> Option<Answer> {
    let ends = name == "__stpncpy_chk";
    if fits(cx, args[3], cx.max_int(args[2])) {
        return cx.call(if ends { "stpncpy" } else { "strncpy" }, &args[..3]);
    }
    if ends && !cx.is_used() { cx.call("__strncpy_chk", args).map(|_| None) } else { None }
}

fn append(cx: &mut Calls<'_>, args: &[Value]) -> Option<Answer> {
    if cx.length(args[1]) == Some(0) {
        return Some(Some(args[0]));
    }
    if fits(cx, args[2], None) { cx.call("strcat", &args[..2]) } else { None }
}

fn bounded_append(cx: &mut Calls<'_>, args: &[Value]) -> Option<Answer> {
    let (limit, length) = (cx.int(args[2]), cx.length(args[1]));
    if limit == Some(0) || length == Some(0) {
        return Some(Some(args[0]));
    }
    if fits(cx, args[3], None) {
        return cx.call("strncat", &args[..3]);
    }
    if limit? >= length? { cx.call("__strcat_chk", &[args[0], args[1], args[3]]) } else { None }
}

/// With a flag the checked functions also look at the format: it must be harmless then.
fn format_needs_no_check(cx: &Calls<'_>, flag: Value, format: Value) -> bool {
    cx.int(flag) == Some(0) || cx.string(format).is_some_and(|f| f == b"%s" || !f.contains(&b'%'))
}

fn print(cx: &mut Calls<'_>, name: &str, args: &[Value]) -> Option<Answer> {
    let [to, flag, size, format] = args[..4] else { return None };
    let variadic = name == "__sprintf_chk";
    let rest = variadic.then_some(&args[4..]);
    let written = max_output(cx, format, rest).map(|n| n + 1);
    if !fits(cx, size, written) || !format_needs_no_check(cx, flag, format) {
        return None;
    }
    let mut plain = vec![to, format];
    plain.extend_from_slice(&args[4..]);
    if variadic { call_plain(cx, "sprintf", &plain) } else { cx.call("vsprintf", &plain) }
}

fn print_bounded(cx: &mut Calls<'_>, name: &str, args: &[Value]) -> Option<Answer> {
    let [to, limit, flag, size, format] = args[..5] else { return None };
    if !fits(cx, size, cx.max_int(limit)) || !format_needs_no_check(cx, flag, format) {
        return None;
    }
    let mut plain = vec![to, limit, format];
    plain.extend_from_slice(&args[5..]);
    if name == "__snprintf_chk" { call_plain(cx, "snprintf", &plain) } else { cx.call("vsnprintf", &plain) }
}
