//! The library functions that interpreted programs may call: `malloc` and its family, `mem*` and `str*`, `printf` and its family to standard
//! output or a buffer, `putchar`, `puts`, `exit`, `abort`, `qsort`-free integer helpers. Everything else is [`Trap::Unsupported`].

use ir::Type;

use crate::Trap;
use crate::eval::Bits;
use crate::exec::Machine;

/// Calls the function of this name with arguments in order. Returns its result's bits, if it has one.
///
/// # Errors
/// Not in the list, undefined behaviour, or `exit`.
pub fn call(machine: &mut Machine<'_>, name: &str, args: &[(Type, Bits)]) -> Result<Option<u128>, Trap> {
    let arg = |index: usize| args.get(index).map_or(0, |a| a.1.scalar());
    let address = |index: usize| arg(index) as u64;
    let result = match name {
        "malloc" => machine.memory.allocate("malloc", address(0), true) as u128,
        "calloc" => machine.memory.allocate("calloc", address(0).saturating_mul(address(1)), true) as u128,
        "realloc" => return realloc(machine, address(0), address(1)).map(Some),
        "free" => {
            if address(0) != 0 {
                machine.memory.free(address(0))?;
            }
            return Ok(None);
        }
        "exit" | "_exit" | "_Exit" => return Err(Trap::Exit(arg(0) as u32 as i32)),
        "abort" => return Err(Trap::Exit(134)),
        "memcpy" | "memmove" | "mempcpy" => {
            let bytes = machine.memory.read(address(1), address(2))?.to_vec();
            machine.memory.write(address(0), &bytes)?;
            arg(0) + if name == "mempcpy" { arg(2) } else { 0 }
        }
        "memset" => {
            machine.memory.write(address(0), &vec![arg(1) as u8; address(2) as usize])?;
            arg(0)
        }
        "memcmp" => {
            let (a, b) = (machine.memory.read(address(0), address(2))?, machine.memory.read(address(1), address(2))?);
            order(a.cmp(b))
        }
        "strlen" => machine.memory.c_string(address(0))?.len() as u128,
        "strcmp" => order(machine.memory.c_string(address(0))?.cmp(&machine.memory.c_string(address(1))?)),
        "strncmp" => {
            let limit = address(2) as usize;
            let cut = |mut s: Vec<u8>| {
                s.truncate(limit);
                s
            };
            order(cut(prefix(machine, address(0), limit)?).cmp(&cut(prefix(machine, address(1), limit)?)))
        }
        "strcpy" | "strcat" => {
            let text = machine.memory.c_string(address(1))?;
            let at = if name == "strcat" {
                address(0) + machine.memory.c_string(address(0))?.len() as u64
            } else {
                address(0)
            };
            write_string(machine, at, &text)?;
            arg(0)
        }
        "strchr" | "strrchr" => {
            let mut text = machine.memory.c_string(address(0))?;
            text.push(0);
            let wanted = |&b: &u8| b == arg(1) as u8;
            let found = if name == "strchr" { text.iter().position(wanted) } else { text.iter().rposition(wanted) };
            found.map_or(0, |i| arg(0) + i as u128)
        }
        "abs" | "labs" | "llabs" => {
            let ty = args.first().map_or(Type::I32, |a| a.0);
            ir::fold::sign_extend(ty, arg(0)).unsigned_abs() & ty.mask()
        }
        "putchar" | "putchar_unlocked" => {
            machine.output.push(arg(0) as u8);
            arg(0) & 0xff
        }
        "puts" => {
            let text = machine.memory.c_string(address(0))?;
            machine.output.extend(text);
            machine.output.push(b'\n');
            1
        }
        "printf" => {
            let text = format(machine, address(0), &args[1..])?;
            machine.output.extend(&text);
            text.len() as u128
        }
        "sprintf" => {
            let text = format(machine, address(1), &args[2..])?;
            write_string(machine, address(0), &text)?;
            text.len() as u128
        }
        "snprintf" => {
            let text = format(machine, address(2), &args[3..])?;
            if address(1) > 0 {
                let kept = text.len().min(address(1) as usize - 1);
                write_string(machine, address(0), &text[..kept])?;
            }
            text.len() as u128
        }
        "fflush" => 0,
        _ => return Err(Trap::Unsupported(format!("library function {name}"))),
    };
    Ok(Some(result))
}

fn order(ordering: std::cmp::Ordering) -> u128 {
    ordering as i32 as u32 as u128
}

/// At most `limit` bytes of a string that need not end within them.
fn prefix(machine: &Machine<'_>, address: u64, limit: usize) -> Result<Vec<u8>, Trap> {
    let mut out = Vec::new();
    while out.len() < limit {
        match machine.memory.read(address + out.len() as u64, 1)?[0] {
            0 => break,
            byte => out.push(byte),
        }
    }
    Ok(out)
}

fn write_string(machine: &mut Machine<'_>, at: u64, text: &[u8]) -> Result<(), Trap> {
    machine.memory.write(at, text)?;
    machine.memory.write(at + text.len() as u64, &[0])
}

fn realloc(machine: &mut Machine<'_>, old: u64, size: u64) -> Result<u128, Trap> {
    let new = machine.memory.allocate("realloc", size, true);
    if old != 0 {
        let kept = machine.memory.size_at(old)?.min(size);
        let bytes = machine.memory.read(old, kept)?.to_vec();
        machine.memory.write(new, &bytes)?;
        machine.memory.free(old)?;
    }
    Ok(new as u128)
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
}

/// What `printf` writes for this format and these arguments.
fn format(machine: &Machine<'_>, format: u64, args: &[(Type, Bits)]) -> Result<Vec<u8>, Trap> {
    let text = machine.memory.c_string(format)?;
    let mut out = Vec::new();
    let mut args = args.iter().map(|a| a.1.scalar());
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'%' {
            out.push(text[at]);
            at += 1;
            continue;
        }
        at += 1;
        let mut next = || args.next().ok_or_else(|| Trap::Undefined("printf with too few arguments".into()));
        let (spec, conversion) = parse_spec(&text, &mut at, &mut next)?;
        if conversion == b'%' {
            out.push(b'%');
            continue;
        }
        let value = next()?;
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
    let ty = match (spec.long, spec.short) {
        (1.., _) => Type::I64,
        (_, 1) => Type::I16,
        (_, 2..) => Type::I8,
        _ => Type::I32,
    };
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
        b'o' => (String::new(), format!("{unsigned:o}")),
        b'c' => return Ok(pad(spec, vec![value as u8])),
        b's' => {
            let text = match spec.precision {
                Some(limit) => prefix(machine, value as u64, limit)?,
                None => machine.memory.c_string(value as u64)?,
            };
            return Ok(pad(spec, text));
        }
        b'f' | b'F' | b'e' | b'g' | b'E' | b'G' => return float(spec, conversion, f64::from_bits(value as u64)),
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

fn float(spec: &Spec, conversion: u8, value: f64) -> Result<Vec<u8>, Trap> {
    let precision = spec.precision.unwrap_or(6);
    let magnitude = value.abs();
    let digits = if !value.is_finite() {
        (if value.is_nan() { "nan" } else { "inf" }).to_string()
    } else {
        match conversion.to_ascii_lowercase() {
            b'f' => format!("{magnitude:.precision$}"),
            b'e' => exponential(magnitude, precision),
            _ => general(magnitude, precision.max(1), spec.alternate),
        }
    };
    let sign = sign_of(spec, value.is_sign_negative());
    let mut text = if spec.zero && !spec.left && value.is_finite() {
        let width = spec.width.saturating_sub(sign.len());
        format!("{sign}{digits:0>width$}")
    } else {
        sign + &digits
    };
    if conversion.is_ascii_uppercase() {
        text.make_ascii_uppercase();
    }
    Ok(pad(spec, text.into_bytes()))
}

fn exponential(magnitude: f64, precision: usize) -> String {
    let text = format!("{magnitude:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').expect("exponential form has an exponent");
    let exponent: i32 = exponent.parse().expect("exponent is a number");
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn general(magnitude: f64, precision: usize, keep_zeros: bool) -> String {
    let scientific = exponential(magnitude, precision - 1);
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
    let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
    strip(format!("{magnitude:.decimals$}"))
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
