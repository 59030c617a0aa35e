//! `<stdlib.h>`, `<signal.h>`, `<pthread.h>`, `errno`.

use ir::Type;

use super::strings::write_string;
use super::{Args, Returned};
use crate::Trap;
use crate::eval::Bits;
use crate::machine::{Library, Machine};
use crate::memory::{MAX_SIZE, Memory};

/// The number of every child process.
pub const CHILD: u32 = 1000;

/// `vfork`: the child runs in the parent's memory until it ends, then the call returns again.
impl Library {
    /// Begins a child; the address of a buffer for the place to return to.
    ///
    /// # Errors
    /// A child runs already.
    pub(crate) fn fork(&mut self, memory: &mut Memory<'_>) -> Result<u64, Trap> {
        if self.parent.is_some() {
            return Err(Trap::Unsupported("a child of a child".into()));
        }
        Ok(*self.parent.insert(memory.allocate("vfork", 8, true)))
    }

    /// The program ends: the buffer of the parent if it is a child that does.
    pub(crate) fn end_of_child(&mut self, status: i32) -> Option<u64> {
        let parent = self.parent.take()?;
        (self.child_status, self.quick_exit) = (status, false);
        Some(parent)
    }
}

/// `_SC_PAGESIZE`.
const PAGE_SIZE_NAME: u64 = 30;

/// `SIGABRT`.
const ABORT: u32 = 6;

/// Calls the function if it is one of these.
pub fn call(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Option<Returned> {
    let (first, second) = (args.address(0), args.address(1));
    Some(match name {
        "malloc" | "calloc" | "aligned_alloc" | "memalign" => {
            let size = if name == "malloc" { first } else { second };
            let size = if name == "calloc" { first.saturating_mul(second) } else { size };
            Ok(Some(machine.allocate_block(name, size) as u128))
        }
        "realloc" => realloc(machine, first, second).map(Some),
        "free" => (if first == 0 { Ok(()) } else { machine.free_block(first) }).map(|()| None),
        "sysconf" if first == PAGE_SIZE_NAME => Ok(Some(4096)),
        // Anonymous memory only.
        "mmap" if args.int(4) == -1 && second > MAX_SIZE => Ok(Some(u64::MAX as u128)),
        "mmap" if args.int(4) == -1 => Ok(Some(machine.memory.allocate(name, second, true) as u128)),
        // Pages at the end that may not be touched any more.
        "mprotect" if args.int(2) == 0 => machine.memory.cut(first, second).map(|()| Some(0)),
        "munmap" => machine.memory.free(first).map(|()| Some(0)),
        "__cpu_indicator_init" => Ok(Some(0)),
        "exit" => Err(Trap::Exit(args.int(0))),
        "_exit" | "_Exit" | "quick_exit" => {
            machine.library.quick_exit = true;
            Err(Trap::Exit(args.int(0)))
        }
        "atexit" => {
            machine.library.at_exit.push(first);
            Ok(Some(0))
        }
        "waitpid" if second != 0 => {
            let status = (machine.library.child_status & 0xff) << 8;
            machine.memory.store(second, 4, status as u128).map(|()| Some(args.bits(0)))
        }
        "abort" => abort(machine),
        "__assert_fail" => assertion_failed(machine, args),
        "signal" => {
            let old = machine.library.handlers.insert(first as u32, second);
            Ok(Some(old.unwrap_or(0) as u128))
        }
        "raise" => raise(machine, first as u32).map(|()| Some(0)),
        "qsort" => sort(machine, args).map(|()| None),
        "bsearch" => search(machine, args).map(Some),
        "abs" | "labs" | "llabs" => {
            let ty = args.from(0).first().map_or(Type::I32, |a| a.0);
            Ok(Some(ir::fold::sign_extend(ty, args.bits(0)).unsigned_abs() & ty.mask()))
        }
        "atoi" | "atol" | "atoll" | "strtol" | "strtoul" | "strtoll" | "strtoull" | "__isoc99_strtol" => {
            number(machine, name, args).map(Some)
        }
        "atof" | "strtod" => float(machine, args).map(Some),
        "getenv" => machine
            .memory
            .c_string(first)
            .map(|text| Some(machine.library.environment.get(&text).copied().unwrap_or(0) as u128)),
        "setenv" => set_environment(machine, args).map(|()| Some(0)),
        "unsetenv" => machine.memory.c_string(first).map(|text| {
            machine.library.environment.remove(&text);
            Some(0)
        }),
        "__errno_location" => Ok(Some(errno(machine) as u128)),
        "pthread_create" => {
            let result = machine.call_as_thread(args.address(2), &[(Type::PTR, Bits::Scalar(args.bits(3)))]);
            result.and_then(|r| {
                machine.library.threads.push(r.first().map_or(0, Bits::scalar));
                let number = machine.library.threads.len() as u128;
                machine.memory.store(first, 8, number).map(|()| Some(0))
            })
        }
        "pthread_join" => {
            let index = (first as usize).wrapping_sub(1);
            let result = machine.library.threads.get(index).copied();
            match (result, second) {
                (None, _) => Err(Trap::Undefined("pthread_join of no thread".into())),
                (Some(_), 0) => Ok(Some(0)),
                (Some(value), at) => machine.memory.store(at, 8, value).map(|()| Some(0)),
            }
        }
        "pthread_mutex_lock" | "pthread_mutex_unlock" | "pthread_mutex_init" | "pthread_mutex_destroy" => Ok(Some(0)),
        "clock" | "time" if !machine.checked => {
            Err(Trap::Unsupported(format!("library function {name}, which depends on the moment")))
        }
        _ => return two_part_result(machine, name, args),
    })
}

/// Functions of mathematics that store a part of their result.
fn two_part_result(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Option<Returned> {
    Some(match name {
        "sincos" => {
            let (sine, cosine) = args.double(0).sin_cos();
            two_results(machine, args, 8, [sine.to_bits() as u128, cosine.to_bits() as u128])
        }
        "sincosf" => {
            let (sine, cosine) = (args.float(0) as f64).sin_cos();
            two_results(machine, args, 4, [sine, cosine].map(|x| (x as f32).to_bits() as u128))
        }
        "frexp" => {
            let (fraction, exponent) = split(args.double(0));
            machine.memory.store(args.address(1), 4, exponent as u32 as u128).map(|()| Some(fraction.to_bits() as u128))
        }
        "lgamma_r" => {
            let (value, negative) = super::math::log_gamma(args.double(0));
            let sign = if negative { -1i32 } else { 1 };
            machine.memory.store(args.address(1), 4, sign as u32 as u128).map(|()| Some(value.to_bits() as u128))
        }
        "modf" => {
            let value = args.double(0);
            let part = if value.is_infinite() { 0f64.copysign(value) } else { (value - value.trunc()).copysign(value) };
            let whole = value.trunc().to_bits() as u128;
            machine.memory.store(args.address(1), 8, whole).map(|()| Some(part.to_bits() as u128))
        }
        _ => return None,
    })
}

/// The address of `errno`.
pub fn errno(machine: &mut Machine<'_>) -> u64 {
    let known = machine.library.errno;
    let address = known.unwrap_or_else(|| machine.memory.allocate("errno", 4, true));
    machine.library.errno = Some(address);
    address
}

/// Sets `errno`.
///
/// # Errors
/// None: its memory lives as long as the program.
pub fn set_errno(machine: &mut Machine<'_>, error: i32) -> Result<(), Trap> {
    let address = errno(machine);
    machine.memory.store(address, 4, error as u32 as u128)
}

/// Stores what the function gives where its second and third argument point.
fn two_results(machine: &mut Machine<'_>, args: &Args<'_>, size: u64, bits: [u128; 2]) -> Result<Option<u128>, Trap> {
    machine.memory.store(args.address(1), size, bits[0])?;
    machine.memory.store(args.address(2), size, bits[1])?;
    Ok(None)
}

/// `frexp`: a fraction in [1/2, 1) and a power of two.
fn split(value: f64) -> (f64, i32) {
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    // Subnormal numbers are scaled into the normal range first.
    let (scaled, offset) = if value.is_normal() { (value, 0) } else { (value * 2f64.powi(64), -64) };
    let bits = scaled.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1022;
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent + offset)
}

/// A program that is run with all checks says what has failed, as with glibc.
fn assertion_failed(machine: &mut Machine<'_>, args: &Args<'_>) -> Returned {
    if machine.checked {
        let [what, file, function] = [0, 1, 3].map(|index| machine.memory.c_string(args.address(index)));
        let text = |bytes: Result<Vec<u8>, Trap>| String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
        let (file, function, what) = (text(file), text(function), text(what));
        eprintln!("{file}:{}: {function}: Assertion `{what}' failed.", args.int(2));
    }
    abort(machine)
}

fn abort(machine: &mut Machine<'_>) -> Returned {
    raise(machine, ABORT)?;
    machine.library.quick_exit = true;
    Err(Trap::Exit(128 + ABORT as i32))
}

/// Runs a signal's handler; without one the signal ends the program.
fn raise(machine: &mut Machine<'_>, signal: u32) -> Result<(), Trap> {
    match machine.library.handlers.get(&signal).copied() {
        Some(1) => Ok(()),
        None | Some(0) => {
            machine.library.quick_exit = true;
            Err(Trap::Exit(128 + signal as i32))
        }
        Some(handler) => machine.call_address(handler, &[(Type::I32, Bits::Scalar(signal as u128))]).map(drop),
    }
}

/// `realloc`
///
/// # Errors
/// What is no block.
pub fn realloc(machine: &mut Machine<'_>, old: u64, size: u64) -> Result<u128, Trap> {
    let new = machine.allocate_block("realloc", size);
    if old != 0 && new != 0 {
        let kept = machine.memory.size_at(old)?.min(size);
        machine.memory.copy(new, old, kept)?;
        machine.free_block(old)?;
    }
    Ok(new as u128)
}

/// The order of two elements by the program's function.
fn compare(machine: &mut Machine<'_>, function: u64, a: u64, b: u64) -> Result<i32, Trap> {
    let args = [(Type::PTR, Bits::Scalar(a as u128)), (Type::PTR, Bits::Scalar(b as u128))];
    let results = machine.call_address(function, &args)?;
    Ok(results.first().map_or(0, |r| r.scalar() as u32 as i32))
}

/// A merge sort, as glibc's: stable.
fn sort(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<(), Trap> {
    let (base, count, size, function) = (args.address(0), args.address(1), args.address(2), args.address(3));
    machine.memory.read(base, count.saturating_mul(size))?;
    let mut order: Vec<u64> = (0..count).collect();
    let mut width = 1;
    while width < order.len() {
        let mut merged = Vec::with_capacity(order.len());
        for pair in order.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let ([a, rest_left @ ..], [b, rest_right @ ..]) = (left, right) {
                if compare(machine, function, base + a * size, base + b * size)? <= 0 {
                    merged.push(*a);
                    left = rest_left;
                } else {
                    merged.push(*b);
                    right = rest_right;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        order = merged;
        width *= 2;
    }
    let old = machine.memory.allocate("qsort", count * size, true);
    machine.memory.copy(old, base, count * size)?;
    for (to, from) in order.into_iter().enumerate() {
        machine.memory.copy(base + to as u64 * size, old + from * size, size)?;
    }
    machine.memory.free(old)
}

fn search(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<u128, Trap> {
    let (key, base, size, function) = (args.address(0), args.address(1), args.address(3), args.address(4));
    machine.memory.read(base, args.address(2).saturating_mul(size))?;
    let (mut low, mut high) = (0, args.address(2));
    while low < high {
        let middle = (low + high) / 2;
        let at = base + middle * size;
        match compare(machine, function, key, at)? {
            0 => return Ok(at as u128),
            less if less < 0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(0)
}

/// `strtol` and its like; results saturate at 64 bits.
fn number(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Result<u128, Trap> {
    let text = machine.memory.c_string(args.address(0))?;
    let given = if name.starts_with("ato") { 10 } else { args.int(2) };
    let (value, end) = integer_prefix(&text, given as u32);
    if !name.starts_with("ato") && args.address(1) != 0 {
        machine.memory.store(args.address(1), 8, (args.address(0) + end as u64) as u128)?;
    }
    let bits = if name.contains("tou") {
        value.clamp(-(u64::MAX as i128), u64::MAX as i128) as u64
    } else {
        value.clamp(i64::MIN as i128, i64::MAX as i128) as i64 as u64
    };
    Ok(if name == "atoi" { bits as u32 as u128 } else { bits as u128 })
}

/// The integer that the text begins with, after white space, in this base (0: as in C), at most
/// 2^100 in magnitude; and the length of all that, 0 if there is none.
pub fn integer_prefix(text: &[u8], base: u32) -> (i128, usize) {
    let mut at = text.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let negative = text.get(at) == Some(&b'-');
    at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
    let rest = &text[at..];
    let hexadecimal = rest.len() > 2 && rest[0] == b'0' && rest[1] | 32 == b'x' && rest[2].is_ascii_hexdigit();
    let base = match base {
        0 if hexadecimal => 16,
        0 if rest.first() == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    at += if base == 16 && hexadecimal { 2 } else { 0 };
    let start = at;
    let mut value: i128 = 0;
    while let Some(digit) = text.get(at).and_then(|&b| (b as char).to_digit(36)).filter(|&d| d < base) {
        value = (value * base as i128 + digit as i128).min(1 << 100);
        at += 1;
    }
    (if negative { -value } else { value }, if at == start { 0 } else { at })
}

fn float(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<u128, Trap> {
    let text = machine.memory.c_string(args.address(0))?;
    let (value, end) = float_prefix(&text).unwrap_or_default();
    if args.0.len() > 1 && args.address(1) != 0 {
        machine.memory.store(args.address(1), 8, (args.address(0) + end as u64) as u128)?;
    }
    Ok(value.to_bits() as u128)
}

/// The decimal floating-point number that the text begins with, after white space, and the length
/// of both.
pub fn float_prefix(text: &[u8]) -> Option<(f64, usize)> {
    let skipped = text.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let text = String::from_utf8_lossy(&text[skipped..]);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let most = text.find(|c| !is_part(c)).unwrap_or(text.len());
    (1..=most).rev().find_map(|end| Some((text.get(..end)?.parse::<f64>().ok()?, skipped + end)))
}

fn set_environment(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<(), Trap> {
    let (name, value) = (machine.memory.c_string(args.address(0))?, machine.memory.c_string(args.address(1))?);
    if args.int(2) == 0 && machine.library.environment.contains_key(&name) {
        return Ok(());
    }
    let copy = machine.memory.allocate("environment value", value.len() as u64 + 1, true);
    write_string(machine, copy, &value)?;
    machine.library.environment.insert(name, copy);
    Ok(())
}
