//! `printf` and its relatives with formats that say little: single characters, strings, whole
//! lines.
//!
//! What `puts` and the others return differs, so calls whose result is used stay; `sprintf` alone
//! has a result that is known.

use ir::{FnAttrs, Opcode, Type, Value};

use super::{Answer, Calls};

/// Applies the rules of this file.
pub(super) fn fold(cx: &mut Calls<'_>, name: &str, args: &[Value]) -> Option<Answer> {
    match name {
        "printf" => print(cx, args[0], Some(&args[1..])),
        "__printf_chk" => print(cx, args[1], Some(&args[2..])),
        "vprintf" => print(cx, args[0], None),
        "__vprintf_chk" => print(cx, args[1], None),
        "fprintf" => print_to(cx, args[0], args[1], Some(&args[2..])),
        "__fprintf_chk" => print_to(cx, args[0], args[2], Some(&args[3..])),
        "vfprintf" => print_to(cx, args[0], args[1], None),
        "__vfprintf_chk" => print_to(cx, args[0], args[2], None),
        "fputs" => put_to(cx, args[0], args[1]),
        // The others have no unlocked replacement.
        "printf_unlocked" => print_nothing(cx, args[0], &args[1..]),
        "fprintf_unlocked" => print_nothing(cx, args[1], &args[2..]),
        "fputs_unlocked" => (!cx.is_used() && cx.length(args[0]) == Some(0)).then_some(None),
        "sprintf" => print_into(cx, args[0], args[1], Some(&args[2..])),
        "vsprintf" => print_into(cx, args[0], args[1], None),
        "snprintf" => print_bounded(cx, args[0], args[1], args[2], Some(&args[3..])),
        "vsnprintf" => print_bounded(cx, args[0], args[1], args[2], None),
        _ => None,
    }
}

/// What a format comes to.
pub(super) enum Output {
    /// Text that starts at this address, of this length.
    Text(Value, u64),
    /// The string at this address.
    String(Value),
    /// The string, and a newline.
    Line(Value),
    /// One character.
    Char(Value),
}

/// Reads a format. `args` is `None` for the functions that take a `va_list`.
pub(super) fn output(cx: &Calls<'_>, format: Value, args: Option<&[Value]>) -> Option<Output> {
    let text = cx.string(format)?;
    if !text.contains(&b'%') {
        return Some(Output::Text(format, text.len() as u64));
    }
    let &arg = args?.first()?;
    let pointer = cx.func.value_type(arg) == Type::PTR;
    match text {
        b"%s" if pointer => Some(match cx.string(arg) {
            Some(string) => Output::Text(arg, string.len() as u64),
            None => Output::String(arg),
        }),
        b"%s\n" if pointer => Some(Output::Line(arg)),
        b"%c" if cx.func.value_type(arg) == Type::I32 => Some(Output::Char(arg)),
        _ => None,
    }
}

fn print(cx: &mut Calls<'_>, format: Value, args: Option<&[Value]>) -> Option<Answer> {
    if cx.is_used() {
        return None;
    }
    match output(cx, format, args)? {
        Output::Text(_, 0) => {}
        Output::Text(text, 1) => {
            let c = cx.text(text)?.byte(0);
            let c = cx.func.iconst(Type::I32, c as i64);
            cx.call("putchar", &[c])?;
        }
        Output::Text(text, _) => {
            if !cx.offers("puts") || cx.string(text)?.last() != Some(&b'\n') {
                return None;
            }
            let (symbol, offset) = cx.func.const_symbol(text)?;
            let line = cx.library.without_newline(cx.module, symbol)?;
            let line = cx.func.symbol_const(line, offset);
            cx.call("puts", &[line])?;
        }
        Output::Line(string) => {
            cx.call("puts", &[string])?;
        }
        Output::Char(c) => {
            cx.call("putchar", &[c])?;
        }
        Output::String(_) => return None,
    }
    Some(None)
}

fn print_nothing(cx: &Calls<'_>, format: Value, args: &[Value]) -> Option<Answer> {
    let nothing = !cx.is_used() && matches!(output(cx, format, Some(args))?, Output::Text(_, 0));
    nothing.then_some(None)
}

fn print_to(cx: &mut Calls<'_>, stream: Value, format: Value, args: Option<&[Value]>) -> Option<Answer> {
    if cx.is_used() {
        return None;
    }
    match output(cx, format, args)? {
        Output::Text(text, length) => put_text(cx, text, length, stream)?,
        Output::String(string) => {
            cx.call("fputs", &[string, stream])?;
        }
        Output::Char(c) => {
            cx.call("fputc", &[c, stream])?;
        }
        Output::Line(_) => return None,
    }
    Some(None)
}

fn put_to(cx: &mut Calls<'_>, string: Value, stream: Value) -> Option<Answer> {
    if cx.is_used() {
        return None;
    }
    let length = cx.length(string)?;
    put_text(cx, string, length, stream)?;
    Some(None)
}

fn put_text(cx: &mut Calls<'_>, text: Value, length: u64, stream: Value) -> Option<()> {
    match length {
        0 => {}
        1 => {
            if !cx.offers("fputc") {
                return None;
            }
            let c = match cx.text(text) {
                Some(text) => text.byte(0),
                None => return put_block(cx, text, length, stream),
            };
            let c = cx.func.iconst(Type::I32, c as i64);
            cx.call("fputc", &[c, stream])?;
        }
        _ => put_block(cx, text, length, stream)?,
    }
    Some(())
}

fn put_block(cx: &mut Calls<'_>, text: Value, length: u64, stream: Value) -> Option<()> {
    let (one, length) = (cx.func.iconst(Type::I64, 1), cx.func.iconst(Type::I64, length as i64));
    cx.call("fwrite", &[text, one, length, stream]).map(|_| ())
}

fn print_into(cx: &mut Calls<'_>, to: Value, format: Value, args: Option<&[Value]>) -> Option<Answer> {
    match output(cx, format, args)? {
        // Arguments that the format does not ask for are evaluated and ignored.
        Output::Text(text, length) => {
            let result = i32::try_from(length).ok()?;
            cx.memcpy(to, text, length + 1);
            Some(cx.i32(result as i64))
        }
        Output::String(string) => {
            let length = cx.length(string);
            if let Some(length) = length {
                let result = i32::try_from(length).ok()?;
                cx.memcpy(to, string, length + 1);
                return Some(cx.i32(result as i64));
            }
            if cx.is_used() {
                return None;
            }
            cx.call("strcpy", &[to, string]).map(|_| None)
        }
        Output::Char(c) => {
            let mut b = cx.b();
            let byte = b.unary(Opcode::Trunc, Type::I8, c);
            b.store(byte, to, 1, ir::AliasTags::any(), 0);
            let zero = b.iconst(Type::I8, 0);
            let end = b.ptradd_imm(to, 1);
            b.store(zero, end, 1, ir::AliasTags::any(), 0);
            Some(cx.i32(1))
        }
        Output::Line(_) => None,
    }
}

fn print_bounded(cx: &mut Calls<'_>, to: Value, limit: Value, format: Value, args: Option<&[Value]>) -> Option<Answer> {
    let limit = cx.int(limit)?;
    let (text, length) = match output(cx, format, args)? {
        Output::Text(text, length) => (text, length),
        Output::String(string) => (string, cx.length(string)?),
        _ => return None,
    };
    let result = i32::try_from(length).ok()?;
    if limit <= length {
        return None;
    }
    cx.memcpy(to, text, length + 1);
    Some(cx.i32(result as i64))
}

/// The characters that a checked `sprintf` writes at most, without the terminator.
pub(super) fn max_output(cx: &Calls<'_>, format: Value, args: Option<&[Value]>) -> Option<u64> {
    match output(cx, format, args)? {
        Output::Text(_, length) => Some(length),
        Output::String(string) => cx.max_length(string),
        Output::Line(string) => cx.max_length(string).map(|n| n + 1),
        Output::Char(_) => Some(1),
    }
}

/// A variadic call without its checking arguments: `sprintf` for `__sprintf_chk`.
pub(super) fn call_plain(cx: &mut Calls<'_>, name: &str, args: &[Value]) -> Option<Answer> {
    if !cx.offers(name) {
        return None;
    }
    let (symbol, _) = cx.library.function(name)?;
    let sig = cx.library.unchecked(cx.func.call_info(cx.at).sig)?;
    debug_assert!(cx.func.call_info(cx.at).attrs.has(FnAttrs::LIBRARY));
    Some(cx.call_symbol(symbol, sig, args))
}
