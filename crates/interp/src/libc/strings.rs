//! `<string.h>` and `<ctype.h>`.

use super::{Args, Returned, order};
use crate::Trap;
use crate::machine::Machine;

/// Calls the function if it is one of these.
pub fn call(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Option<Returned> {
    let result = match name {
        "memcpy" | "memmove" | "mempcpy" | "memset" | "memcmp" | "bcmp" | "memchr" | "bzero" | "explicit_bzero" => {
            blocks(machine, name, args)
        }
        "strlen" | "strnlen" | "strcmp" | "strncmp" | "strcpy" | "stpcpy" | "strncpy" | "strcat" | "strncat"
        | "strchr" | "strrchr" | "strchrnul" | "strstr" | "strspn" | "strcspn" | "strpbrk" | "strdup" | "strndup"
        | "strcasecmp" => texts(machine, name, args),
        "strtok" => tokens(machine, args),
        "__ctype_b_loc" | "__ctype_tolower_loc" | "__ctype_toupper_loc" => tables(machine, name),
        _ => return character(name, args.int(0)).map(|value| Ok(Some(value as u32 as u128))),
    };
    Some(result.map(Some))
}

fn blocks(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Result<u128, Trap> {
    let (to, count) = (args.address(0), args.address(2));
    Ok(match name {
        "memset" => {
            machine.memory.fill(to, args.bits(1) as u8, count)?;
            args.bits(0)
        }
        "bzero" | "explicit_bzero" => {
            machine.memory.fill(to, 0, args.address(1))?;
            0
        }
        "memcmp" | "bcmp" => {
            let (a, b) =
                (machine.memory.read_defined(to, count)?, machine.memory.read_defined(args.address(1), count)?);
            order(a.cmp(b))
        }
        "memchr" => {
            // It may stop before the end that was given.
            let mut found = 0;
            for at in 0..count {
                if machine.memory.read(to.wrapping_add(at), 1)?[0] == args.bits(1) as u8 {
                    found = args.bits(0) + at as u128;
                    break;
                }
            }
            found
        }
        _ => {
            if name != "memmove" && to != args.address(1) && to.abs_diff(args.address(1)) < count {
                return Err(Trap::Undefined(format!("{name} of overlapping ranges [library]")));
            }
            machine.memory.copy(to, args.address(1), count)?;
            args.bits(0) + if name == "mempcpy" { args.bits(2) } else { 0 }
        }
    })
}

fn texts(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Result<u128, Trap> {
    let (first, second) = (args.address(0), args.address(1));
    let limit = args.address(2) as usize;
    let read = |machine: &Machine<'_>, at: u64| machine.memory.c_string(at);
    Ok(match name {
        "strlen" => read(machine, first)?.len() as u128,
        "strnlen" => prefix(machine, first, args.address(1) as usize)?.len() as u128,
        "strcmp" => order(read(machine, first)?.cmp(&read(machine, second)?)),
        "strcasecmp" => {
            let lower = |at: u64| read(machine, at).map(|t| t.to_ascii_lowercase());
            order(lower(first)?.cmp(&lower(second)?))
        }
        "strncmp" => order(prefix(machine, first, limit)?.cmp(&prefix(machine, second, limit)?)),
        "strcpy" | "stpcpy" => {
            let text = read(machine, second)?;
            if machine.checked && first.abs_diff(second) <= text.len() as u64 {
                return Err(Trap::Undefined(format!("{name} of overlapping strings [library]")));
            }
            write_string(machine, first, &text)?;
            args.bits(0) + if name == "stpcpy" { text.len() as u128 } else { 0 }
        }
        "strncpy" => {
            let text = prefix(machine, second, limit)?;
            machine.memory.read(first, limit as u64)?;
            machine.memory.write(first, &text)?;
            machine.memory.fill(first + text.len() as u64, 0, (limit - text.len()) as u64)?;
            args.bits(0)
        }
        "strcat" | "strncat" => {
            let text = if name == "strcat" { read(machine, second)? } else { prefix(machine, second, limit)? };
            let end = first + read(machine, first)?.len() as u64;
            write_string(machine, end, &text)?;
            args.bits(0)
        }
        "strchr" | "strrchr" | "strchrnul" => {
            let mut text = read(machine, first)?;
            text.push(0);
            let wanted = |&b: &u8| b == args.bits(1) as u8;
            let found = if name == "strrchr" { text.iter().rposition(wanted) } else { text.iter().position(wanted) };
            match found {
                Some(index) => args.bits(0) + index as u128,
                None if name == "strchrnul" => args.bits(0) + text.len() as u128 - 1,
                None => 0,
            }
        }
        "strstr" => {
            let (text, part) = (read(machine, first)?, read(machine, second)?);
            let found = (0..=text.len()).find(|&i| text[i..].starts_with(&part));
            found.map_or(0, |index| args.bits(0) + index as u128)
        }
        "strspn" | "strcspn" | "strpbrk" => {
            let (text, set) = (read(machine, first)?, read(machine, second)?);
            let inside = name == "strspn";
            let length = text.iter().take_while(|b| set.contains(b) == inside).count();
            match name {
                "strpbrk" if length == text.len() => 0,
                "strpbrk" => args.bits(0) + length as u128,
                _ => length as u128,
            }
        }
        _ => {
            let limit = if name == "strndup" { args.address(1) as usize } else { usize::MAX };
            let text = prefix(machine, first, limit)?;
            let copy = machine.allocate_block("strdup", text.len() as u64 + 1);
            write_string(machine, copy, &text)?;
            copy as u128
        }
    })
}

fn tokens(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<u128, Trap> {
    let mut at = if args.address(0) != 0 { args.address(0) } else { machine.library.text };
    let set = machine.memory.c_string(args.address(1))?;
    let byte = |machine: &Machine<'_>, at: u64| machine.memory.read(at, 1).map(|b| b[0]);
    while byte(machine, at)? != 0 && set.contains(&byte(machine, at)?) {
        at += 1;
    }
    let start = at;
    while byte(machine, at)? != 0 && !set.contains(&byte(machine, at)?) {
        at += 1;
    }
    if byte(machine, at)? != 0 {
        machine.memory.write(at, &[0])?;
        machine.library.text = at + 1;
    } else {
        machine.library.text = at;
    }
    Ok(if start == at { 0 } else { start as u128 })
}

/// At most `limit` bytes of a string that need not end within them.
///
/// # Errors
/// A bad address.
pub fn prefix(machine: &Machine<'_>, address: u64, limit: usize) -> Result<Vec<u8>, Trap> {
    let mut out = Vec::new();
    while out.len() < limit {
        match machine.memory.read_defined(address.wrapping_add(out.len() as u64), 1)?[0] {
            0 => break,
            byte => out.push(byte),
        }
    }
    Ok(out)
}

/// Writes a string and its zero.
///
/// # Errors
/// A bad address.
pub fn write_string(machine: &mut Machine<'_>, at: u64, text: &[u8]) -> Result<(), Trap> {
    machine.memory.write(at, text)?;
    machine.memory.write(at.wrapping_add(text.len() as u64), &[0])
}

/// The tables of glibc's `<ctype.h>` in the C locale: 384 entries from -128 on.
fn tables(machine: &mut Machine<'_>, name: &str) -> Result<u128, Trap> {
    let (key, size): (&'static str, u64) = match name {
        "__ctype_b_loc" => ("class", 2),
        "__ctype_tolower_loc" => ("tolower", 4),
        _ => ("toupper", 4),
    };
    if let Some(&known) = machine.library.character_tables.get(key) {
        return Ok(known as u128);
    }
    let table = machine.memory.allocate("character table", 384 * size, true);
    for index in 0..384u64 {
        let value = index as i32 - 128;
        let entry =
            if size == 2 { class(value) as u128 } else { character(key, value).unwrap_or(value) as u32 as u128 };
        machine.memory.store(table + index * size, size, entry)?;
    }
    let pointer = machine.memory.allocate("character table's address", 8, true);
    machine.memory.store(pointer, 8, (table + 128 * size) as u128)?;
    machine.library.character_tables.insert(key, pointer);
    Ok(pointer as u128)
}

/// The bits of a character: those of `<bits/ctype.h>` on little-endian machines.
fn class(value: i32) -> u16 {
    const CLASSES: [&str; 12] = [
        "isupper", "islower", "isalpha", "isdigit", "isxdigit", "isspace", "isprint", "isgraph", "isblank", "iscntrl",
        "ispunct", "isalnum",
    ];
    let bit = |number: usize| if number < 8 { 1u16 << (number + 8) } else { 1 << (number - 8) };
    (0..CLASSES.len()).filter(|&i| character(CLASSES[i], value).is_some_and(|r| r != 0)).map(bit).sum()
}

/// The functions of `<ctype.h>`.
fn character(name: &str, value: i32) -> Option<i32> {
    let c = u8::try_from(value).ok().filter(u8::is_ascii).unwrap_or(0xff);
    let is = |holds: bool| Some(holds as i32);
    match name {
        "isupper" => is(c.is_ascii_uppercase()),
        "islower" => is(c.is_ascii_lowercase()),
        "isalpha" => is(c.is_ascii_alphabetic()),
        "isdigit" => is(c.is_ascii_digit()),
        "isxdigit" => is(c.is_ascii_hexdigit()),
        "isspace" => is(matches!(c, b' ' | 9..=13)),
        "isprint" => is(matches!(c, 32..=126)),
        "isgraph" => is(c.is_ascii_graphic()),
        "isblank" => is(matches!(c, b' ' | b'\t')),
        "iscntrl" => is(c.is_ascii_control()),
        "ispunct" => is(c.is_ascii_punctuation()),
        "isalnum" => is(c.is_ascii_alphanumeric()),
        "tolower" => Some(if c.is_ascii_uppercase() { value + 32 } else { value }),
        "toupper" => Some(if c.is_ascii_lowercase() { value - 32 } else { value }),
        _ => None,
    }
}
