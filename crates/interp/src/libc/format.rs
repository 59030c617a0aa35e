//! `printf` formats.

use ir::Type;

use crate::Trap;
use crate::eval::Bits;
use crate::libc::strings::prefix;
use crate::machine::Machine;

/// Where a format's arguments come from.
pub enum Source<'a> {
    /// The call's own.
    Call(std::slice::Iter<'a, (Type, Bits)>),
    /// A `va_list`: the address of the next argument in memory.
    List(u64),
}

impl Source<'_> {
    fn next(&mut self, machine: &Machine<'_>, long_double: bool) -> Result<u128, Trap> {
        match self {
            Source::Call(args) => {
                let next = args.next().ok_or_else(|| Trap::Undefined("printf with too few arguments".into()))?;
                Ok(next.1.scalar())
            }
            Source::List(at) => {
                let size = if long_double { 16 } else { 8 };
                let from = at.next_multiple_of(size);
                *at = from + size;
                machine.memory.load(from, if long_double { 10 } else { 8 })
            }
        }
    }
}

/// One conversion of a format string.
#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    long: u8,
    short: u8,
    long_double: bool,
}

impl Spec {
    /// The integer type that the length modifiers name.
    fn integer(&self) -> Type {
        match (self.long, self.short) {
            (1.., _) => Type::I64,
            (_, 1) => Type::I16,
            (_, 2..) => Type::I8,
            _ => Type::I32,
        }
    }
}

/// What `printf` writes for this format and these arguments.
///
/// # Errors
/// Conversions that are not modelled, too few arguments, bad addresses.
pub fn format(machine: &mut Machine<'_>, format: u64, mut args: Source<'_>) -> Result<Vec<u8>, Trap> {
    let text = machine.memory.c_string(format)?;
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'%' {
            out.push(text[at]);
            at += 1;
            continue;
        }
        at += 1;
        let (spec, conversion) = parse_spec(&text, &mut at, &mut || args.next(machine, false))?;
        if conversion == b'%' {
            out.push(b'%');
            continue;
        }
        let value = args.next(machine, spec.long_double)?;
        if conversion == b'n' {
            machine.memory.store(value as u64, spec.integer().store_size() as u64, out.len() as u128)?;
            continue;
        }
        out.extend(convert(machine, &spec, conversion, value)?);
    }
    Ok(out)
}

fn parse_spec(text: &[u8], at: &mut usize, next: &mut impl FnMut() -> Result<u128, Trap>) -> Result<(Spec, u8), Trap> {
    let mut spec = Spec::default();
    loop {
        match text.get(*at) {
            Some(b'-') => spec.left = true,
            Some(b'+') => spec.plus = true,
            Some(b' ') => spec.space = true,
            Some(b'#') => spec.alternate = true,
            Some(b'0') => spec.zero = true,
            _ => break,
        }
        *at += 1;
    }
    let mut number = |at: &mut usize| -> Result<i64, Trap> {
        if text.get(*at) == Some(&b'*') {
            *at += 1;
            return Ok(next()? as u32 as i32 as i64);
        }
        let mut value = 0;
        while let Some(digit) = text.get(*at).filter(|b| b.is_ascii_digit()) {
            value = value * 10 + (digit - b'0') as i64;
            *at += 1;
        }
        Ok(value)
    };
    let width = number(at)?;
    spec.left |= width < 0;
    spec.width = width.unsigned_abs() as usize;
    if text.get(*at) == Some(&b'.') {
        *at += 1;
        spec.precision = usize::try_from(number(at)?).ok();
    }
    while let Some(&modifier) = text.get(*at) {
        match modifier {
            b'l' => spec.long += 1,
            b'z' | b'j' | b't' => spec.long = 1,
            b'h' => spec.short += 1,
            b'L' => spec.long_double = true,
            _ => break,
        }
        *at += 1;
    }
    let conversion =
        text.get(*at).copied().ok_or_else(|| Trap::Undefined("format ends in the middle of a conversion".into()))?;
    *at += 1;
    Ok((spec, conversion))
}

fn convert(machine: &Machine<'_>, spec: &Spec, conversion: u8, value: u128) -> Result<Vec<u8>, Trap> {
    let ty = spec.integer();
    let unsigned = value & ty.mask();
    let (sign, digits) = match conversion {
        b'd' | b'i' => {
            let signed = ir::fold::sign_extend(ty, unsigned);
            (sign_of(spec, signed < 0), signed.unsigned_abs().to_string())
        }
        b'u' => (String::new(), unsigned.to_string()),
        b'x' | b'p' if conversion == b'p' || spec.alternate && unsigned != 0 => {
            let all = if conversion == b'p' { value & Type::I64.mask() } else { unsigned };
            ("0x".into(), format!("{all:x}"))
        }
        b'x' => (String::new(), format!("{unsigned:x}")),
        b'X' => ((if spec.alternate && unsigned != 0 { "0X" } else { "" }).into(), format!("{unsigned:X}")),
        b'o' => ((if spec.alternate && unsigned != 0 { "0" } else { "" }).into(), format!("{unsigned:o}")),
        b'c' => return Ok(pad(spec, vec![value as u8])),
        b's' => {
            let text = match spec.precision {
                Some(limit) => prefix(machine, value as u64, limit)?,
                None => machine.memory.c_string(value as u64)?,
            };
            return Ok(pad(spec, text));
        }
        b'f' | b'F' | b'e' | b'g' | b'E' | b'G' | b'a' | b'A' => return Ok(float(spec, conversion, value)),
        other => return Err(Trap::Unsupported(format!("conversion %{}", other as char))),
    };
    let mut digits = digits;
    if let Some(precision) = spec.precision {
        if precision == 0 && unsigned == 0 {
            digits.clear();
        }
        digits = format!("{digits:0>precision$}");
    } else if spec.zero && !spec.left {
        let width = spec.width.saturating_sub(sign.len());
        digits = format!("{digits:0>width$}");
    }
    Ok(pad(spec, (sign + &digits).into_bytes()))
}

fn sign_of(spec: &Spec, negative: bool) -> String {
    match (negative, spec.plus, spec.space) {
        (true, _, _) => "-".into(),
        (_, true, _) => "+".into(),
        (_, _, true) => " ".into(),
        _ => String::new(),
    }
}

/// A floating-point number taken apart: `mantissa * 2^exponent`.
struct Number {
    negative: bool,
    class: std::num::FpCategory,
    mantissa: u64,
    exponent: i32,
}

impl Number {
    fn of_double(bits: u64) -> Number {
        let value = f64::from_bits(bits);
        let (raw, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let (mantissa, exponent) = if raw == 0 { (fraction, -1074) } else { (fraction | 1 << 52, raw - 1075) };
        Number { negative: value.is_sign_negative(), class: value.classify(), mantissa, exponent }
    }

    fn of_long_double(bits: u128) -> Number {
        use std::num::FpCategory::*;
        let (raw, mantissa) = ((bits >> 64 & 0x7fff) as i32, bits as u64);
        let class = match (raw, mantissa) {
            (0x7fff, 0x8000_0000_0000_0000) => Infinite,
            (0x7fff, _) => Nan,
            (_, 0) => Zero,
            _ => Normal,
        };
        Number { negative: bits >> 79 & 1 != 0, class, mantissa, exponent: raw.max(1) - 16446 }
    }

    /// All decimal digits and how many of them stand before the point (it may be negative).
    fn decimal(&self) -> (Vec<u8>, i32) {
        if self.mantissa == 0 {
            return (vec![0], 1);
        }
        // m * 2^-k is m * 5^k / 10^k.
        let mut big = vec![self.mantissa as u32, (self.mantissa >> 32) as u32];
        for _ in 0..self.exponent.unsigned_abs() {
            multiply(&mut big, if self.exponent < 0 { 5 } else { 2 });
        }
        let mut digits = Vec::new();
        while big.iter().any(|&word| word != 0) {
            let mut rest = divide(&mut big, 1_000_000_000);
            for _ in 0..9 {
                digits.push((rest % 10) as u8);
                rest /= 10;
            }
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        digits.reverse();
        let point = digits.len() as i32 + self.exponent.min(0);
        (digits, point)
    }
}

fn multiply(big: &mut Vec<u32>, by: u32) {
    let mut carry = 0u64;
    for word in big.iter_mut() {
        carry += *word as u64 * by as u64;
        *word = carry as u32;
        carry >>= 32;
    }
    if carry != 0 {
        big.push(carry as u32);
    }
}

/// Divides in place; the remainder.
fn divide(big: &mut Vec<u32>, by: u32) -> u32 {
    let mut rest = 0u64;
    for word in big.iter_mut().rev() {
        let all = rest << 32 | *word as u64;
        *word = (all / by as u64) as u32;
        rest = all % by as u64;
    }
    while big.last() == Some(&0) {
        big.pop();
    }
    rest as u32
}

/// Keeps `count` digits, rounded half to even; gives the digits and the new point.
fn round(digits: &[u8], point: i32, count: i32) -> (Vec<u8>, i32) {
    if count >= digits.len() as i32 {
        return (digits.to_vec(), point);
    }
    if count < 0 {
        return (Vec::new(), point);
    }
    let count = count as usize;
    let (mut kept, rest) = (digits[..count].to_vec(), &digits[count..]);
    let tie = rest[0] == 5 && rest[1..].iter().all(|&d| d == 0);
    let up = if tie { kept.last().is_some_and(|d| d % 2 == 1) } else { rest[0] >= 5 };
    if up {
        for at in (0..count).rev() {
            if kept[at] < 9 {
                kept[at] += 1;
                return (kept, point);
            }
            kept[at] = 0;
        }
        kept.insert(0, 1);
        return (kept, point + 1);
    }
    (kept, point)
}

fn text_of(digits: impl IntoIterator<Item = u8>) -> String {
    digits.into_iter().map(|d| (b'0' + d) as char).collect()
}

/// `%f`
fn fixed(number: &Number, precision: usize) -> String {
    let (digits, point) = number.decimal();
    let (digits, point) = round(&digits, point, point + precision as i32);
    let digit = |at: i32| if at < 0 { 0 } else { digits.get(at as usize).copied().unwrap_or(0) };
    let whole = if point <= 0 { "0".to_string() } else { text_of((0..point).map(digit)) };
    let part = text_of((point..point + precision as i32).map(digit));
    if precision == 0 { whole } else { format!("{whole}.{part}") }
}

/// `%e`
fn exponential(number: &Number, precision: usize) -> String {
    let (digits, point) = number.decimal();
    let (mut digits, point) = round(&digits, point, precision as i32 + 1);
    digits.resize(precision + 1, 0);
    let exponent = if number.mantissa == 0 { 0 } else { point - 1 };
    let dot = if precision == 0 { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}{dot}{}e{sign}{:02}", digits[0], text_of(digits[1..].iter().copied()), exponent.abs())
}

/// `%g`
fn general(number: &Number, precision: usize, keep_zeros: bool) -> String {
    let scientific = exponential(number, precision - 1);
    let exponent: i32 = scientific.split_once('e').and_then(|s| s.1.parse().ok()).unwrap_or(0);
    let strip = |text: String| {
        if keep_zeros || !text.contains('.') {
            text
        } else {
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        }
    };
    if exponent < -4 || exponent >= precision as i32 {
        let (mantissa, exponent) = scientific.split_once('e').expect("exponential form has an exponent");
        return format!("{}e{exponent}", strip(mantissa.to_string()));
    }
    strip(fixed(number, (precision as i32 - 1 - exponent).max(0) as usize))
}

/// `%a`: one hexadecimal digit before the point, 1 for double, the mantissa's upper four bits for
/// long double (glibc).
fn hexadecimal(number: &Number, precision: Option<usize>, long_double: bool) -> String {
    let width = if long_double { 60 } else { 52 };
    let mut mantissa = number.mantissa as u128;
    let mut exponent = if mantissa == 0 { 0 } else { number.exponent + width };
    if let Some(digits) = precision.filter(|&p| p < width as usize / 4) {
        let cut = width as usize - 4 * digits;
        let (rest, half) = (mantissa & ((1 << cut) - 1), 1u128 << (cut - 1));
        mantissa >>= cut;
        mantissa += u128::from(rest > half || rest == half && mantissa & 1 == 1);
        mantissa <<= cut;
        if long_double && mantissa >> 64 != 0 {
            mantissa >>= 4;
            exponent += 4;
        }
    }
    let fraction = mantissa & ((1 << width) - 1);
    let mut part = format!("{fraction:0width$x}", width = width as usize / 4);
    match precision {
        Some(digits) => part = format!("{part:0<digits$}")[..digits].to_string(),
        None => part.truncate(part.trim_end_matches('0').len()),
    }
    let dot = if part.is_empty() { "" } else { "." };
    format!("0x{:x}{dot}{part}p{}{}", mantissa >> width, if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn float(spec: &Spec, conversion: u8, bits: u128) -> Vec<u8> {
    let number = if spec.long_double { Number::of_long_double(bits) } else { Number::of_double(bits as u64) };
    let precision = spec.precision.unwrap_or(6);
    let finite = !matches!(number.class, std::num::FpCategory::Nan | std::num::FpCategory::Infinite);
    let digits = match conversion.to_ascii_lowercase() {
        _ if number.class == std::num::FpCategory::Nan => "nan".to_string(),
        _ if !finite => "inf".to_string(),
        b'f' => fixed(&number, precision),
        b'e' => exponential(&number, precision),
        b'a' => hexadecimal(&number, spec.precision, spec.long_double),
        _ => general(&number, precision.max(1), spec.alternate),
    };
    let digits = if spec.alternate && finite && !digits.contains('.') { with_point(&digits) } else { digits };
    let sign = sign_of(spec, number.negative);
    let mut text = if spec.zero && !spec.left && finite {
        let (base, digits) = digits.strip_prefix("0x").map_or(("", &*digits), |rest| ("0x", rest));
        let width = spec.width.saturating_sub(sign.len() + base.len());
        format!("{sign}{base}{digits:0>width$}")
    } else {
        sign + &digits
    };
    if conversion.is_ascii_uppercase() {
        text.make_ascii_uppercase();
    }
    pad(spec, text.into_bytes())
}

/// `#`: a point even if nothing follows it.
fn with_point(digits: &str) -> String {
    match digits.split_once(['e', 'p']) {
        Some((mantissa, exponent)) => {
            format!("{mantissa}.{}{exponent}", if digits.contains('p') { 'p' } else { 'e' })
        }
        None => format!("{digits}."),
    }
}

fn pad(spec: &Spec, text: Vec<u8>) -> Vec<u8> {
    let fill = spec.width.saturating_sub(text.len());
    let mut out = Vec::with_capacity(text.len() + fill);
    if !spec.left {
        out.resize(fill, b' ');
    }
    out.extend(text);
    if spec.left {
        out.resize(out.len() + fill, b' ');
    }
    out
}
