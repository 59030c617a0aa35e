//! Functions of `<stdlib.h>`, `<string.h>`, `<time.h>` and `<unistd.h>` beyond those that compiled
//! code calls by itself.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::format::{Source, format};
use super::strings::{prefix, write_string};
use super::{Args, Returned, order, process, streams};
use crate::Trap;
use crate::machine::Machine;
use crate::random::Random;

/// Calls the function if it is one of these.
pub fn call(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Option<Returned> {
    if let Some(result) = words(machine, name, args) {
        return Some(result);
    }
    let (first, second) = (args.address(0), args.address(1));
    Some(match name {
        "rand" | "random" => Ok(Some(machine.library.random.get_or_insert_with(|| Random::new(1)).next() as u128)),
        "srand" | "srandom" => {
            machine.library.random = Some(Random::new(first as u32));
            Ok(None)
        }
        "reallocarray" => process::realloc(machine, first, second.saturating_mul(args.address(2))).map(Some),
        "posix_memalign" => {
            let block = machine.allocate_block(name, args.address(2));
            machine.memory.store(first, 8, block as u128).map(|()| Some(if block == 0 { 12 } else { 0 }))
        }
        "div" => divided(args).map(|[quotient, rest]| Some(quotient & 0xffff_ffff | (rest & 0xffff_ffff) << 32)),
        "strerror" => text(machine, &streams::message(args.int(0))),
        "setlocale" if first == 0 => text(machine, "C"),
        "setlocale" => match machine.memory.c_string(first.max(second)) {
            Ok(name) if matches!(&name[..], b"" | b"C" | b"POSIX") => text(machine, "C"),
            Ok(_) => Ok(Some(0)),
            Err(trap) => Err(trap),
        },
        "asprintf" | "vasprintf" => allocated_text(machine, name, args),
        "isatty" => Ok(Some(0)),
        "difftime" => Ok(Some(((first as i64 - second as i64) as f64).to_bits() as u128)),
        "time" | "clock" if machine.checked => clock(machine, name, first),
        "sleep" | "usleep" if machine.checked => {
            let unit = if name == "sleep" { 1_000_000 } else { 1 };
            std::thread::sleep(Duration::from_micros(u64::from(first as u32) * unit));
            Ok(Some(0))
        }
        "getpid" if machine.checked => Ok(Some(std::process::id() as u128)),
        _ => return None,
    })
}

/// `<string.h>` and `<strings.h>`.
fn words(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Option<Returned> {
    let (first, second, third) = (args.address(0), args.address(1), args.address(2));
    let result = match name {
        "strcoll" => pair(machine, first, second).map(|(a, b)| order(a.cmp(&b))),
        "strncasecmp" => {
            let lower = |at| prefix(machine, at, third as usize).map(|text| text.to_ascii_lowercase());
            lower(first).and_then(|a| Ok(order(a.cmp(&lower(second)?))))
        }
        "strcasestr" => pair(machine, first, second).map(|(text, part)| {
            let (text, part) = (text.to_ascii_lowercase(), part.to_ascii_lowercase());
            let found = (0..=text.len()).find(|&i| text[i..].starts_with(&part));
            found.map_or(0, |index| (first + index as u64) as u128)
        }),
        "memrchr" => machine.memory.read_defined(first, third).map(|bytes| {
            let found = bytes.iter().rposition(|&byte| byte == second as u8);
            found.map_or(0, |index| (first + index as u64) as u128)
        }),
        "memmem" => memory_in_memory(machine, args),
        "strtok_r" | "__strtok_r" => next_token(machine, args),
        "strsep" => next_field(machine, first, second),
        _ => return None,
    };
    Some(result.map(Some))
}

fn pair(machine: &Machine<'_>, a: u64, b: u64) -> Result<(Vec<u8>, Vec<u8>), Trap> {
    Ok((machine.memory.c_string(a)?, machine.memory.c_string(b)?))
}

fn memory_in_memory(machine: &Machine<'_>, args: &Args<'_>) -> Result<u128, Trap> {
    let text = machine.memory.read_defined(args.address(0), args.address(1))?;
    let part = machine.memory.read_defined(args.address(2), args.address(3))?;
    let found = (0..=text.len()).find(|&i| text[i..].starts_with(part));
    Ok(found.map_or(0, |index| (args.address(0) + index as u64) as u128))
}

fn next_token(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<u128, Trap> {
    let (set, save) = (machine.memory.c_string(args.address(1))?, args.address(2));
    let from = match args.address(0) {
        0 => machine.memory.load(save, 8)? as u64,
        from => from,
    };
    if from == 0 {
        return Ok(0);
    }
    let text = machine.memory.c_string(from)?;
    let start = text.iter().take_while(|byte| set.contains(byte)).count();
    let length = text[start..].iter().take_while(|byte| !set.contains(byte)).count();
    let end = from + (start + length) as u64;
    let more = start + length < text.len();
    if more {
        machine.memory.write(end, &[0])?;
    }
    machine.memory.store(save, 8, (end + u64::from(more)) as u128)?;
    Ok(if length == 0 { 0 } else { (from + start as u64) as u128 })
}

fn next_field(machine: &mut Machine<'_>, at: u64, set: u64) -> Result<u128, Trap> {
    let (from, set) = (machine.memory.load(at, 8)? as u64, machine.memory.c_string(set)?);
    if from == 0 {
        return Ok(0);
    }
    let text = machine.memory.c_string(from)?;
    let rest = match text.iter().position(|byte| set.contains(byte)) {
        Some(end) => {
            machine.memory.write(from + end as u64, &[0])?;
            from + end as u64 + 1
        }
        None => 0,
    };
    machine.memory.store(at, 8, rest as u128)?;
    Ok(from as u128)
}

/// A text that belongs to the library.
fn text(machine: &mut Machine<'_>, text: &str) -> Returned {
    let copy = machine.memory.allocate("a text of the library", text.len() as u64 + 1, true);
    write_string(machine, copy, text.as_bytes())?;
    Ok(Some(copy as u128))
}

fn allocated_text(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Returned {
    let source = match name {
        "vasprintf" => Source::List(machine.memory.load(args.address(2) + 8, 8)? as u64),
        _ => Source::Call(args.from(2).iter()),
    };
    let text = format(machine, args.address(1), source)?;
    let block = machine.allocate_block(name, text.len() as u64 + 1);
    write_string(machine, block, &text)?;
    machine.memory.store(args.address(0), 8, block as u128)?;
    Ok(Some(text.len() as u128))
}

/// Quotient and remainder of `div` and its like.
///
/// # Errors
/// Division by zero and a quotient that does not fit.
pub fn divided(args: &Args<'_>) -> Result<[u128; 2], Trap> {
    let bits = args.from(0).first().map_or(64, |a| a.0.bits());
    let number = |index: usize| if bits == 32 { i64::from(args.int(index)) } else { args.address(index) as i64 };
    let (a, b) = (number(0), number(1));
    match (a.checked_div(b), a.checked_rem(b)) {
        (Some(quotient), Some(rest)) if bits == 64 || i32::try_from(quotient).is_ok() => {
            Ok([quotient as u64 as u128, rest as u64 as u128])
        }
        _ => Err(Trap::Undefined(format!("division of {a} by {b} [division]"))),
    }
}

/// Seconds since 1970, or microseconds since the program began.
fn clock(machine: &mut Machine<'_>, name: &str, to: u64) -> Returned {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    if name == "clock" {
        let began = *machine.library.began.get_or_insert(now);
        return Ok(Some(now.saturating_sub(began).as_micros()));
    }
    if to != 0 {
        machine.memory.store(to, 8, now.as_secs() as u128)?;
    }
    Ok(Some(now.as_secs() as u128))
}
