//! `<stdio.h>`: all streams but standard output swallow what is written to them.

use super::format::{Source, format};
use super::scan::scan;
use super::strings::write_string;
use super::{Args, Returned};
use crate::Trap;
use crate::machine::Machine;

/// Calls the function if it is one of these.
pub fn call(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Option<Returned> {
    let name = name.strip_suffix("_unlocked").unwrap_or(name);
    Some(match name {
        "putchar" => put(machine, None, vec![args.bits(0) as u8]).map(|_| Some(args.bits(0) & 0xff)),
        "putc" | "fputc" | "_IO_putc" => {
            put(machine, Some(args.address(1)), vec![args.bits(0) as u8]).map(|_| Some(args.bits(0) & 0xff))
        }
        "puts" => machine.memory.c_string(args.address(0)).and_then(|mut text| {
            text.push(b'\n');
            put(machine, None, text)
        }),
        "fputs" => machine
            .memory
            .c_string(args.address(0))
            .and_then(|text| put(machine, Some(args.address(1)), text))
            .map(|_| Some(1)),
        "fwrite" => {
            let bytes = machine.memory.read_defined(args.address(0), args.address(1).saturating_mul(args.address(2)));
            bytes.map(<[u8]>::to_vec).and_then(|b| put(machine, Some(args.address(3)), b)).map(|_| Some(args.bits(2)))
        }
        "printf" | "__printf_chk" | "vprintf" | "fprintf" | "__fprintf_chk" | "vfprintf" | "sprintf" | "vsprintf"
        | "snprintf" | "vsnprintf" => formatted(machine, name, args),
        "sscanf" | "__isoc99_sscanf" | "__isoc23_sscanf" => scan(machine, args).map(Some),
        "wprintf" => wide_formatted(machine, args),
        "fflush" | "setvbuf" | "fclose" | "fileno" => Ok(Some(0)),
        "setbuf" => Ok(None),
        _ => return None,
    })
}

/// Writes to standard output (`None`) or the stream; the number of bytes.
fn put(machine: &mut Machine<'_>, stream: Option<u64>, bytes: Vec<u8>) -> Returned {
    let count = bytes.len() as u128;
    let visible = match stream {
        None => true,
        Some(stream) => machine.memory.name_at(stream)? == "stdout",
    };
    if visible {
        machine.output.extend(bytes);
    }
    Ok(Some(count))
}

/// `wprintf`, of characters that are the same in every encoding.
fn wide_formatted(machine: &mut Machine<'_>, args: &Args<'_>) -> Returned {
    let mut narrow = Vec::new();
    loop {
        match machine.memory.load(args.address(0) + narrow.len() as u64 * 4, 4)? {
            character @ 0..0x80 => narrow.push(character as u8),
            _ => return Err(Trap::Unsupported("wprintf of characters beyond ASCII".into())),
        }
        if narrow.ends_with(&[0]) {
            break;
        }
    }
    let copy = machine.memory.allocate("wide format", narrow.len() as u64, true);
    machine.memory.write(copy, &narrow)?;
    let text = format(machine, copy, Source::Call(args.from(1).iter()))?;
    machine.memory.free(copy)?;
    put(machine, None, text)
}

fn formatted(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Returned {
    let checked = name.starts_with("__");
    let plain = name.trim_start_matches("__").trim_end_matches("_chk");
    let list = plain.starts_with('v');
    let kind = plain.trim_start_matches('v');
    // The format stands after stream, buffer and size, and after the flag of the checked forms.
    let at = match kind {
        "printf" => 0,
        "snprintf" => 2,
        _ => 1,
    } + usize::from(checked);
    let source = if list {
        // System V ABI, figure 3.34: the third field is the overflow area, where the interpreter
        // puts all arguments.
        Source::List(machine.memory.load(args.address(at + 1) + 8, 8)? as u64)
    } else {
        Source::Call(args.from(at + 1).iter())
    };
    let text = format(machine, args.address(at), source)?;
    let length = text.len() as u128;
    match kind {
        "printf" => put(machine, None, text),
        "fprintf" => put(machine, Some(args.address(0)), text),
        "sprintf" => write_string(machine, args.address(0), &text).map(|()| Some(length)),
        "snprintf" => {
            if args.address(1) > 0 {
                let kept = text.len().min(args.address(1) as usize - 1);
                write_string(machine, args.address(0), &text[..kept])?;
            }
            Ok(Some(length))
        }
        _ => Err(Trap::Unsupported(name.into())),
    }
}
