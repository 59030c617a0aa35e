//! `-Wformat-overflow` and `-Wformat-truncation` (level 1): what `sprintf` and `snprintf` write
//! into an object of known size.
//!
//! As gcc does it, each directive writes between a least and a largest number of bytes, and a
//! likely one: numbers that are not known count as one digit, strings as empty, but what comes from
//! an array of characters may fill it, unless the function has put a text there that gcc may know.
//! The first directive whose likely output does not fit is reported. What is not understood (wide
//! characters, numbered arguments, `%a`) ends the check.

use base::{Loc, WarningId, warning};

use super::value_ranges;
use crate::sema::Sema;
use crate::sema::builtins::object_size;
use crate::sema::constants::fold;
use crate::tree::{CastKind, DeclId, ExprKind, ExprRef, Ty};

/// Bytes written; `max` is `None` where nothing bounds them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Length {
    pub(super) min: u64,
    likely: u64,
    pub(super) max: Option<u64>,
}

impl Length {
    pub(super) fn exact(n: u64) -> Length {
        Length { min: n, likely: n, max: Some(n) }
    }

    pub(super) fn plus(self, other: Length) -> Length {
        let max = self.max.zip(other.max).map(|(a, b)| a.saturating_add(b));
        Length { min: self.min.saturating_add(other.min), likely: self.likely.saturating_add(other.likely), max }
    }

    fn at_least(self, n: u64) -> Length {
        Length { min: self.min.max(n), likely: self.likely.max(n), max: self.max.map(|max| max.max(n)) }
    }
}

/// A piece of the format: plain text, a directive, or the null after all of it.
pub(super) struct Piece<'f> {
    start: usize,
    text: &'f [u8],
    pub(super) length: Length,
    /// The call's argument that `%s` prints.
    pub(super) string: Option<usize>,
}

/// A warning that depends on the call's value being dropped.
pub struct Pending {
    call: Loc,
    loc: Loc,
    message: String,
    note: String,
}

/// Checks a call of the library function `name` with `args` as written.
pub fn check_call<'a>(cx: &mut Sema<'_, 'a>, name: &str, args: &[ExprRef<'a>], loc: Loc) {
    let (bounded, format) = match name {
        "sprintf" => (false, 1),
        "snprintf" => (true, 2),
        "strcpy" | "stpcpy" | "strcat" | "strncpy" | "strncat" | "memcpy" | "memset" => {
            note_text(cx, args);
            return;
        }
        _ => return,
    };
    check_lengths(cx, name, args, bounded, format, loc);
    note_text(cx, args);
}

/// The object that the first argument points into holds a text now whose length gcc may work out.
fn note_text(cx: &mut Sema<'_, '_>, args: &[ExprRef<'_>]) {
    if let Some(id) = args.first().and_then(|target| object_of(target)) {
        cx.lints.texts.insert(id);
    }
}

/// The variable that an address or array belongs to, directly or through a pointer of that name.
fn object_of(expr: ExprRef<'_>) -> Option<DeclId> {
    let mut at = expr;
    loop {
        at = match at.kind {
            ExprKind::Decl(id) => return Some(id),
            ExprKind::Cast { operand, .. } | ExprKind::AddrOf(operand) | ExprKind::Deref(operand) => operand,
            ExprKind::PtrAdd { ptr, .. } => ptr,
            ExprKind::Member { base, .. } => base,
            _ => return None,
        }
    }
}

fn check_lengths<'a>(cx: &mut Sema<'_, 'a>, name: &str, args: &[ExprRef<'a>], bounded: bool, format: usize, loc: Loc) {
    let flag = if bounded { warning::FORMAT_TRUNCATION } else { warning::FORMAT_OVERFLOW };
    if cx.never_evaluated() || args.len() <= format || !cx.sess.warning_enabled(flag, loc) {
        return;
    }
    let size = if bounded {
        args[1].int_value().and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0 && n < i64::MAX as u64)
    } else {
        object_size::bytes_left(cx, args[0])
    };
    let (Some(size), Some((literal, bytes))) = (size, format_of(args[format])) else { return };
    let Some(pieces) = pieces(cx, &bytes[..bytes.len() - 1], args, format + 1) else { return };
    report(cx, Call { name, bounded, flag, size, loc, literal }, &pieces, bytes);
}

/// The literal that a format is, and its text with the null.
fn format_of(arg: ExprRef<'_>) -> Option<(ExprRef<'_>, &[u8])> {
    let literal = literal_of(arg)?;
    let ExprKind::String(string) = literal.kind else { return None };
    let body = string.bytes.strip_suffix(b"\0").filter(|b| string.elem_size == 1 && !b.contains(&0));
    body.is_some().then_some((literal, string.bytes))
}

/// The pieces of the format that the argument numbered `format` is, if they are understood.
pub(super) fn pieces_of<'a>(cx: &Sema<'_, 'a>, args: &[ExprRef<'a>], format: usize) -> Option<Vec<Piece<'a>>> {
    let (_, bytes) = format_of(args.get(format)?)?;
    pieces(cx, &bytes[..bytes.len() - 1], args, format + 1)
}

/// What a report needs to know of the call.
struct Call<'n, 'a> {
    name: &'n str,
    bounded: bool,
    flag: WarningId,
    size: u64,
    loc: Loc,
    literal: ExprRef<'a>,
}

fn report(cx: &mut Sema<'_, '_>, call: Call<'_, '_>, pieces: &[Piece<'_>], bytes: &[u8]) {
    let size = call.size;
    let mut written = Length::exact(0);
    let mut found = None;
    for piece in pieces {
        let length = piece.length;
        let left = |written: u64| size.saturating_sub(written);
        // What is left when as much as possible, as is likely, and as little as possible was
        // written so far.
        let (least, likely, most) = (written.max.map_or(0, left), left(written.likely), left(written.min));
        let fits = length.max.is_some_and(|max| max <= least) || length.likely <= likely;
        if !fits && found.is_none() {
            let maybe = length.min <= most;
            found = Some((piece, wording(&call, piece, (least, most), maybe), maybe, most));
        }
        written = written.plus(length);
    }
    let Some((piece, message, maybe, most)) = found else { return };
    // Of plain text, the first character that surely does not fit, if there is one.
    let plain = piece.text.first().is_some_and(|&b| b != b'%');
    let past = usize::try_from(most).ok().filter(|&most| plain && most < piece.text.len());
    let at = piece.start + past.unwrap_or(0);
    // The null stands where the closing quote does.
    let before = usize::from(piece.text.is_empty() && at > 0);
    let mut loc = super::format::place(cx, call.literal, bytes, at - before);
    if before > 0 && loc != call.literal.loc {
        loc = Loc(loc.0 + 1);
    }
    let total = |n: u64| if n == 1 { "1 byte".to_string() } else { format!("{n} bytes") };
    let amount = match written.max {
        Some(max) if max == written.min => total(max),
        Some(max) => format!("between {} and {}", written.min, total(max)),
        None if written.likely > written.min => {
            format!("{} or more bytes (assuming {})", written.min, written.likely)
        }
        None => format!("{} or more bytes", written.min),
    };
    let note = format!("'{}' output {amount} into a destination of size {size}", call.name);
    if call.bounded && maybe {
        // Whoever looks at the result knows that something is missing.
        cx.lints.pending_truncation = Some(Pending { call: call.loc, loc, message, note });
    } else {
        cx.sess.warn(call.flag, loc, message).note(call.loc, note).emit();
    }
}

/// The value of the call at `loc` is not used.
pub fn dropped(cx: &mut Sema<'_, '_>, loc: Loc) {
    if let Some(pending) = cx.lints.pending_truncation.take_if(|pending| pending.call == loc) {
        cx.sess.warn(warning::FORMAT_TRUNCATION, pending.loc, pending.message).note(pending.call, pending.note).emit();
    }
}

/// gcc's words for a piece that does not fit in what is left.
fn wording(call: &Call<'_, '_>, piece: &Piece<'_>, (least, most): (u64, u64), maybe: bool) -> String {
    let name = call.name;
    if piece.text.is_empty() {
        return match (call.bounded, maybe) {
            (true, true) => format!("'{name}' output may be truncated before the last format character"),
            (true, false) => format!("'{name}' output truncated before the last format character"),
            (false, true) => format!("'{name}' may write a terminating nul past the end of the destination"),
            (false, false) => format!("'{name}' writing a terminating nul past the end of the destination"),
        };
    }
    let directive = String::from_utf8_lossy(piece.text);
    let does = match (call.bounded, maybe) {
        (true, true) => "output may be truncated writing",
        (true, false) => "output truncated writing",
        (false, _) => "writing",
    };
    let Length { min, likely, max } = piece.length;
    let amount = match max {
        Some(1) if min == 1 => "1 byte".to_string(),
        Some(max) if max == min => format!("{max} bytes"),
        Some(max) if min == 0 => format!("up to {max} bytes"),
        Some(max) => format!("between {min} and {max} bytes"),
        None if likely > min => format!("likely {likely} or more bytes"),
        None => format!("{min} or more bytes"),
    };
    let region = if least == most { format!("{most}") } else { format!("between {least} and {most}") };
    format!("'{directive}' directive {does} {amount} into a region of size {region}")
}

fn literal_of(expr: ExprRef<'_>) -> Option<ExprRef<'_>> {
    match expr.kind {
        ExprKind::String(_) => Some(expr),
        ExprKind::Cast { kind: CastKind::ArrayToPointer | CastKind::Pointer | CastKind::NoOp, operand } => {
            matches!(operand.kind, ExprKind::String(_)).then_some(operand)
        }
        _ => None,
    }
}

/// Takes a format apart whose values are the call's arguments from `first` on; `None` where a
/// directive is not understood.
fn pieces<'f, 'a>(cx: &Sema<'_, 'a>, body: &'f [u8], args: &[ExprRef<'a>], first: usize) -> Option<Vec<Piece<'f>>> {
    let mut out = Vec::new();
    let args = &args[first..];
    let (mut at, mut next) = (0, 0);
    while at < body.len() {
        let start = at;
        if body[at] != b'%' {
            at += body[at..].iter().position(|&b| b == b'%').unwrap_or(body.len() - at);
            out.push(Piece { start, text: &body[start..at], length: Length::exact((at - start) as u64), string: None });
            continue;
        }
        let mut directive = Directive::default();
        at = directive.read(body, at + 1, args, &mut next)?;
        let length = directive.length(cx, args, &mut next)?;
        let string = (directive.conversion == b's').then(|| first + next - 1);
        out.push(Piece { start, text: &body[start..at], length, string });
    }
    out.push(Piece { start: body.len(), text: &[], length: Length::exact(1), string: None });
    Some(out)
}

#[derive(Default)]
struct Directive {
    sign: bool,
    alternate: bool,
    width: Option<u64>,
    /// `*` of a value that is not known.
    any_width: bool,
    precision: Option<u64>,
    any_precision: bool,
    /// `h`, `l`, `L` ... as often as they stand there.
    modifiers: [u8; 2],
    conversion: u8,
}

impl Directive {
    /// Reads from after the `%`; answers the place after the conversion.
    fn read(&mut self, body: &[u8], mut at: usize, args: &[ExprRef<'_>], next: &mut usize) -> Option<usize> {
        while let Some(b'-' | b'+' | b' ' | b'#' | b'0') = body.get(at) {
            self.sign |= matches!(body[at], b'+' | b' ');
            self.alternate |= body[at] == b'#';
            at += 1;
        }
        (self.width, self.any_width) = number(body, &mut at, args, next)?;
        if body.get(at) == Some(&b'.') {
            at += 1;
            (self.precision, self.any_precision) = number(body, &mut at, args, next)?;
            if !self.any_precision {
                self.precision = Some(self.precision.unwrap_or(0));
            }
        }
        let mut count = 0;
        while let Some(&modifier @ (b'h' | b'l' | b'j' | b'z' | b't')) = body.get(at) {
            *self.modifiers.get_mut(count)? = modifier;
            count += 1;
            at += 1;
        }
        self.conversion = *body.get(at)?;
        Some(at + 1)
    }

    /// The bytes it writes.
    fn length(&self, cx: &Sema<'_, '_>, args: &[ExprRef<'_>], next: &mut usize) -> Option<Length> {
        if self.conversion == b'%' {
            return Some(Length::exact(1));
        }
        let arg = *args.get(*next)?;
        *next += 1;
        let length = match (self.conversion, self.modifiers) {
            (b'c', [0, 0]) => Length::exact(1),
            (b's', [0, 0]) => self.string(cx, arg),
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', _) => self.integer(cx, arg)?,
            (b'f' | b'F', [0, 0] | [b'l', 0]) => self.floating(cx, arg)?,
            (b'p', [0, 0]) => Length { min: 1, likely: 1, max: None },
            _ => return None,
        };
        let length = length.at_least(self.width.unwrap_or(0));
        Some(if self.any_width { Length { max: None, ..length } } else { length })
    }

    fn string(&self, cx: &Sema<'_, '_>, arg: ExprRef<'_>) -> Length {
        let mut length = Length { min: 0, likely: 0, max: None };
        let array = match arg.kind {
            ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => operand,
            _ => arg,
        };
        if let Some(ExprKind::String(text)) = literal_of(arg).map(|literal| literal.kind) {
            let count = text.bytes.iter().position(|&b| b == 0).unwrap_or(text.bytes.len());
            length = Length::exact(count as u64);
        } else if let Some(elem) = cx.types().array_element(array.ty)
            && let Some(size @ 2..) = cx.types().size_of(array.ty.ty())
        {
            let known = crate::sema::types::effective_quals(cx.types(), elem).is_const()
                || object_of(array).is_some_and(|id| cx.lints.texts.contains(&id));
            length = Length { min: 0, likely: if known { 0 } else { size - 1 }, max: Some(size - 1) };
        }
        match self.precision {
            Some(precision) => Length {
                min: length.min.min(precision),
                likely: length.likely.min(precision),
                max: Some(length.max.map_or(precision, |max| max.min(precision))),
            },
            None if self.any_precision => Length { min: 0, likely: 0, max: length.max },
            None => length,
        }
    }

    fn integer(&self, cx: &Sema<'_, '_>, arg: ExprRef<'_>) -> Option<Length> {
        let bits = match self.modifiers {
            [0, 0] => 32,
            [b'h', 0] => 16,
            [b'h', b'h'] => 8,
            _ => 64,
        };
        if !cx.types().is_integer(arg.ty.ty()) || self.any_precision {
            return None;
        }
        let signed = matches!(self.conversion, b'd' | b'i');
        let cut = |value: i128| {
            let masked = value & ((1i128 << bits) - 1);
            if signed && masked >> (bits - 1) != 0 { masked - (1i128 << bits) } else { masked }
        };
        let digits = |value: i128| {
            let text = match self.conversion {
                b'x' | b'X' => format!("{value:x}"),
                b'o' => format!("{value:o}"),
                _ => value.unsigned_abs().to_string(),
            };
            let mut count = (text.len() as u64).max(self.precision.unwrap_or(1));
            if value == 0 && self.precision == Some(0) {
                count = 0;
            }
            let prefix = match self.conversion {
                b'x' | b'X' if self.alternate && value != 0 => 2,
                b'o' if self.alternate && value != 0 => 1,
                _ => 0,
            };
            count + prefix + u64::from(signed && (self.sign || value < 0))
        };
        if let Some(value) = arg.int_value() {
            return Some(Length::exact(digits(cut(value))));
        }
        let ends = if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
        let range = value_ranges::of_expression(cx, arg).filter(|&(low, high)| low >= ends.0 && high <= ends.1);
        let (low, high) = range.unwrap_or(ends);
        let (at_low, at_high) = (digits(cut(low)), digits(cut(high)));
        // The number with the fewest digits is the one nearest to zero, which has no prefix.
        let min = if low > 0 {
            at_low
        } else if high < 0 {
            at_high
        } else {
            digits(0)
        };
        let max = at_low.max(at_high);
        // Of what is known to be less than all values of its type, the longest is expected.
        let known = range.is_some_and(|range| range != ends) && !self.any_width;
        let likely = if known { max } else { min.max(digits(1).min(min.max(1))) };
        Some(Length { min, likely, max: Some(max) })
    }

    fn floating(&self, cx: &Sema<'_, '_>, arg: ExprRef<'_>) -> Option<Length> {
        let ty = cx.types().canonical(arg.ty.ty());
        if !matches!(ty, Ty::DOUBLE | Ty::FLOAT) || self.any_precision || self.alternate {
            return None;
        }
        let precision = self.precision.unwrap_or(6);
        let fraction = if precision == 0 { 0 } else { precision.saturating_add(1) };
        let sign = u64::from(self.sign);
        if let (Some(fold::Constant::Float(bits)), true) = (fold::constant_of(arg), precision < 400) {
            let value =
                if ty == Ty::FLOAT { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) };
            if value.is_finite() {
                let text = format!("{value:.0$}", precision as usize);
                let sign = u64::from(self.sign && !value.is_sign_negative());
                return Some(Length::exact(text.len() as u64 + sign));
            }
        }
        let likely = 1 + fraction + sign;
        Some(Length { min: likely.min(3 + sign), likely, max: Some(310 + fraction) })
    }
}

/// A number, or `*` with the value of its argument: the number if it is known, and whether it is
/// one that is not.
fn number(body: &[u8], at: &mut usize, args: &[ExprRef<'_>], next: &mut usize) -> Option<(Option<u64>, bool)> {
    if body.get(*at) == Some(&b'*') {
        *at += 1;
        let arg = *args.get(*next)?;
        *next += 1;
        let value = arg.int_value();
        // A negative width is one to the left, a negative precision none.
        return match value {
            Some(value) if value >= 0 => Some((u64::try_from(value).ok(), false)),
            _ => Some((None, true)),
        };
    }
    let start = *at;
    while body.get(*at).is_some_and(u8::is_ascii_digit) {
        *at += 1;
    }
    // `%1$d`
    if body.get(*at) == Some(&b'$') {
        return None;
    }
    Some((std::str::from_utf8(&body[start..*at]).ok()?.parse().ok(), false))
}
