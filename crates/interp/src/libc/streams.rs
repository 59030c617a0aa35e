//! Streams of `<stdio.h>` on files, for programs that are run with all checks: files are the
//! system's. What is written to standard output is kept with the machine until the program reads
//! from standard input or ends.

use std::fs::File;
use std::io::Write;

use super::format::{Source, format};
use super::scan::{self, Scanned};
use super::{Args, Returned, process};
use crate::Trap;
use crate::machine::Machine;
use crate::streams::{Handle, Stream};

/// `EOF`.
const END: u128 = u32::MAX as u128;

/// Calls the function if it is one of these and the program is run with all checks.
pub fn call(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Option<Returned> {
    if !machine.checked {
        return None;
    }
    let name = name.strip_suffix("_unlocked").unwrap_or(name);
    Some(match name {
        "fopen" | "fopen64" | "tmpfile" => open(machine, name, args),
        "fclose" => close(machine, args.address(0)),
        "fflush" => flush(machine, args.address(0)),
        "getchar" => standard_input(machine).and_then(|stream| read_byte(machine, stream)),
        "fgetc" | "getc" | "_IO_getc" => read_byte(machine, args.address(0)),
        "ungetc" if args.int(0) >= 0 => stream(machine, name, args.address(1)).map(|stream| {
            stream.put_back(args.bits(0) as u8);
            Some(args.bits(0) & 0xff)
        }),
        "fgets" => line(machine, args),
        "getline" => whole_line(machine, args),
        "fread" => read_block(machine, args),
        "fwrite" => write_block(machine, args),
        "fputs" => machine.memory.c_string(args.address(0)).and_then(|text| put(machine, args.address(1), &text)),
        "fputc" | "putc" | "_IO_putc" => {
            let written = put(machine, args.address(1), &[args.bits(0) as u8]);
            written.map(|result| Some(if result == Some(END) { END } else { args.bits(0) & 0xff }))
        }
        "fprintf" | "__fprintf_chk" | "vfprintf" | "__vfprintf_chk" => print(machine, name, args),
        "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" => scan_stream(machine, args.address(0), args, 1),
        "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => {
            standard_input(machine).and_then(|stream| scan_stream(machine, stream, args, 0))
        }
        "fseek" | "fseeko" | "ftell" | "ftello" | "rewind" | "feof" | "ferror" | "clearerr" => {
            position(machine, name, args)
        }
        "remove" | "unlink" | "rename" => files(machine, name, args),
        "perror" => complain(machine, args),
        "write" if matches!(args.int(0), 1 | 2) => write_descriptor(machine, args),
        "tmpnam" => temporary_name(machine, args.address(0)),
        _ => return None,
    })
}

/// Writes what open streams have pending: the program has ended.
pub(crate) fn finish(machine: &mut Machine<'_>) {
    for stream in machine.library.streams.values_mut() {
        stream.flush();
    }
}

/// The stream at the address.
///
/// # Errors
/// No stream there, or none any more.
fn stream<'s>(machine: &'s mut Machine<'_>, function: &str, address: u64) -> Result<&'s mut Stream, Trap> {
    if !machine.library.streams.contains_key(&address) {
        let known = match machine.memory.name_at(address)? {
            "stdin" => Stream::new(Handle::Input, true, false),
            "stdout" => Stream::new(Handle::Output, false, true),
            "stderr" => Stream::new(Handle::Errors, false, true),
            _ => return Err(Trap::Undefined(format!("{function} of a pointer to no stream [stream]"))),
        };
        machine.library.streams.insert(address, known);
    }
    let stream = machine.library.streams.get_mut(&address).expect("was found or inserted");
    if stream.handle.is_none() {
        let place = |loc| machine.memory.at(loc).map_or(String::new(), |at| format!(" at {at}"));
        let (opened, closed) = (place(stream.opened), place(stream.closed));
        return Err(Trap::Undefined(format!(
            "{function} of a stream that was opened{opened} and closed{closed} [stream]"
        )));
    }
    Ok(stream)
}

/// The address of `stdin`, whose reader has seen what the program has written.
fn standard_input(machine: &mut Machine<'_>) -> Result<u64, Trap> {
    if let Some(symbol) = machine.module.find_symbol("stdin")
        && let Some(&address) = machine.addresses.get(&symbol)
    {
        return Ok(address);
    }
    if let Some(address) = machine.library.standard_input {
        return Ok(address);
    }
    let address = machine.memory.allocate("stdin", 8, false);
    machine.library.standard_input = Some(address);
    Ok(address)
}

/// Before the program waits for input, it shows what it has written.
fn show_output(machine: &mut Machine<'_>) {
    let mut out = std::io::stdout().lock();
    // Nobody can be told of an error here.
    drop(out.write_all(&machine.output).and_then(|()| out.flush()));
    machine.output.clear();
}

/// A stream that something is read from.
fn reader<'s>(machine: &'s mut Machine<'_>, function: &str, address: u64) -> Result<&'s mut Stream, Trap> {
    let found = stream(machine, function, address)?;
    if matches!(found.handle, Some(Handle::Input)) && found.at == found.buffer.len() {
        show_output(machine);
    }
    stream(machine, function, address)
}

fn fail(machine: &mut Machine<'_>, error: &std::io::Error, result: u128) -> Returned {
    process::set_errno(machine, error.raw_os_error().unwrap_or(0))?;
    Ok(Some(result))
}

fn path(machine: &Machine<'_>, address: u64) -> Result<std::path::PathBuf, Trap> {
    use std::os::unix::ffi::OsStringExt;
    Ok(std::ffi::OsString::from_vec(machine.memory.c_string(address)?).into())
}

fn open(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Returned {
    let (opened, mode) = match name {
        "tmpfile" => (temporary_file(), b"w+".to_vec()),
        _ => {
            let (path, mode) = (path(machine, args.address(0))?, machine.memory.c_string(args.address(1))?);
            let mut options = File::options();
            let (update, exclusive) = (mode.contains(&b'+'), mode.contains(&b'x'));
            match mode.first() {
                Some(b'r') => options.read(true).write(update),
                Some(b'w') => options.write(true).read(update).create(true).truncate(!exclusive).create_new(exclusive),
                Some(b'a') => options.append(true).read(update).create(true),
                _ => return Err(Trap::Undefined("fopen: the mode begins with none of r, w, a [library]".into())),
            };
            (options.open(path), mode)
        }
    };
    let file = match opened {
        Ok(file) => file,
        Err(error) => return fail(machine, &error, 0),
    };
    let update = mode.contains(&b'+');
    let mut stream = Stream::new(Handle::File(file), update || mode[0] == b'r', update || mode[0] != b'r');
    stream.append = mode[0] == b'a';
    stream.opened = machine.loc();
    let address = machine.memory.allocate("stream", 8, false);
    machine.library.streams.insert(address, stream);
    Ok(Some(address as u128))
}

/// A file that has lost its name already.
fn temporary_file() -> std::io::Result<File> {
    let path = std::env::temp_dir().join(format!("tcc-rs-interpret-{}", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(path)?;
    Ok(file)
}

fn close(machine: &mut Machine<'_>, address: u64) -> Returned {
    let loc = machine.loc();
    let stream = stream(machine, "fclose", address)?;
    let done = stream.flush();
    (stream.handle, stream.closed, stream.buffer) = (None, loc, Vec::new());
    Ok(Some(if done { 0 } else { END }))
}

fn flush(machine: &mut Machine<'_>, address: u64) -> Returned {
    if address == 0 {
        finish(machine);
        return Ok(Some(0));
    }
    let done = stream(machine, "fflush", address)?.flush();
    Ok(Some(if done { 0 } else { END }))
}

fn read_byte(machine: &mut Machine<'_>, address: u64) -> Returned {
    Ok(Some(reader(machine, "getc", address)?.byte().map_or(END, u128::from)))
}

/// Bytes up to and with the end of the line, at most `limit`.
fn read_line(machine: &mut Machine<'_>, function: &str, address: u64, limit: usize) -> Result<Vec<u8>, Trap> {
    let stream = reader(machine, function, address)?;
    let mut out = Vec::new();
    while out.len() < limit && !out.ends_with(b"\n") {
        match stream.byte() {
            Some(byte) => out.push(byte),
            None => break,
        }
    }
    Ok(out)
}

fn line(machine: &mut Machine<'_>, args: &Args<'_>) -> Returned {
    let Some(limit) = usize::try_from(args.int(1)).ok().and_then(|size| size.checked_sub(1)) else {
        return Err(Trap::Undefined("fgets: the size is not positive [library]".into()));
    };
    let text = read_line(machine, "fgets", args.address(2), limit)?;
    if text.is_empty() {
        return Ok(Some(0));
    }
    super::strings::write_string(machine, args.address(0), &text)?;
    Ok(Some(args.bits(0)))
}

fn whole_line(machine: &mut Machine<'_>, args: &Args<'_>) -> Returned {
    let text = read_line(machine, "getline", args.address(2), usize::MAX)?;
    if text.is_empty() {
        return Ok(Some(u64::MAX as u128));
    }
    let (mut block, room) = (machine.memory.load(args.address(0), 8)?, machine.memory.load(args.address(1), 8)?);
    if block == 0 || room <= text.len() as u128 {
        let size = (text.len() as u64 + 1).max(120);
        if block != 0 {
            machine.free_block(block as u64)?;
        }
        block = machine.allocate_block("getline", size) as u128;
        machine.memory.store(args.address(0), 8, block)?;
        machine.memory.store(args.address(1), 8, size as u128)?;
    }
    super::strings::write_string(machine, block as u64, &text)?;
    Ok(Some(text.len() as u128))
}

fn read_block(machine: &mut Machine<'_>, args: &Args<'_>) -> Returned {
    let (size, count) = (args.address(1), args.address(2));
    let wanted = size.saturating_mul(count);
    let stream = reader(machine, "fread", args.address(3))?;
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < wanted {
        match stream.byte() {
            Some(byte) => bytes.push(byte),
            None => break,
        }
    }
    machine.memory.write(args.address(0), &bytes)?;
    Ok(Some((bytes.len() as u64).checked_div(size).unwrap_or(0) as u128))
}

fn write_block(machine: &mut Machine<'_>, args: &Args<'_>) -> Returned {
    let length = args.address(1).saturating_mul(args.address(2));
    let bytes = machine.memory.read_defined(args.address(0), length)?.to_vec();
    let written = put(machine, args.address(3), &bytes)?;
    Ok(Some(if written == Some(END) { 0 } else { args.bits(2) }))
}

/// Writes to a stream; 1 or `EOF`.
fn put(machine: &mut Machine<'_>, address: u64, bytes: &[u8]) -> Returned {
    let stream = stream(machine, "a write", address)?;
    if matches!(stream.handle, Some(Handle::Output)) {
        machine.output.extend_from_slice(bytes);
        return Ok(Some(1));
    }
    Ok(Some(if stream.write(bytes) { 1 } else { END }))
}

fn print(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Returned {
    let at = 1 + usize::from(name.ends_with("_chk"));
    let source = match name.contains("vf") {
        true => Source::List(machine.memory.load(args.address(at + 1) + 8, 8)? as u64),
        false => Source::Call(args.from(at + 1).iter()),
    };
    let text = format(machine, args.address(at), source)?;
    let written = put(machine, args.address(0), &text)?;
    Ok(Some(if written == Some(END) { END } else { text.len() as u128 }))
}

/// `fscanf`: as much more is read as the format needs.
fn scan_stream(machine: &mut Machine<'_>, address: u64, args: &Args<'_>, format: usize) -> Returned {
    reader(machine, "fscanf", address)?;
    loop {
        let text = stream(machine, "fscanf", address)?;
        let text = text.buffer[text.at..].to_vec();
        let Scanned { stored, read } = scan::scan_text(machine, &text, args, format)?;
        let stream = stream(machine, "fscanf", address)?;
        // A number or word at the end of what is known may go on.
        if read == text.len() && stream.fill() {
            continue;
        }
        stream.at += read;
        return Ok(Some(stored));
    }
}

fn position(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Returned {
    let stream = stream(machine, name, args.address(0))?;
    Ok(match name {
        "fseek" | "fseeko" => Some(if stream.seek(args.address(1) as i64, args.int(2)) { 0 } else { END }),
        "ftell" | "ftello" => Some(stream.tell().unwrap_or(u64::MAX) as u128),
        "feof" => Some(stream.ended as u128),
        "ferror" => Some(stream.failed as u128),
        "rewind" => {
            stream.seek(0, 0);
            stream.failed = false;
            None
        }
        _ => {
            (stream.ended, stream.failed) = (false, false);
            None
        }
    })
}

fn files(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Returned {
    let first = path(machine, args.address(0))?;
    let done = match name {
        "rename" => std::fs::rename(first, path(machine, args.address(1))?),
        _ => std::fs::remove_file(first),
    };
    match done {
        Ok(()) => Ok(Some(0)),
        Err(error) => fail(machine, &error, END),
    }
}

/// The message of an error number.
pub fn message(error: i32) -> String {
    let text = std::io::Error::from_raw_os_error(error).to_string();
    text.split(" (os error").next().unwrap_or_default().to_string()
}

fn complain(machine: &mut Machine<'_>, args: &Args<'_>) -> Returned {
    let error = process::errno(machine);
    let error = machine.memory.load(error, 4)? as u32 as i32;
    let mut text = match args.address(0) {
        0 => Vec::new(),
        address => machine.memory.c_string(address)?,
    };
    if !text.is_empty() {
        text.extend_from_slice(b": ");
    }
    text.extend_from_slice(message(error).as_bytes());
    text.push(b'\n');
    drop(std::io::stderr().write_all(&text));
    Ok(None)
}

/// `write` to standard output or error.
fn write_descriptor(machine: &mut Machine<'_>, args: &Args<'_>) -> Returned {
    let bytes = machine.memory.read_defined(args.address(1), args.address(2))?.to_vec();
    let done = match args.int(0) {
        1 => {
            machine.output.extend_from_slice(&bytes);
            Ok(())
        }
        _ => std::io::stderr().write_all(&bytes),
    };
    match done {
        Ok(()) => Ok(Some(bytes.len() as u128)),
        Err(error) => fail(machine, &error, u64::MAX as u128),
    }
}

/// A name that no file has.
fn temporary_name(machine: &mut Machine<'_>, to: u64) -> Returned {
    let folder = std::env::temp_dir();
    let free = (0..).map(|n| folder.join(format!("tcc-rs-{}-{n}", std::process::id()))).find(|path| !path.exists());
    let name = free.unwrap_or_default().display().to_string();
    let to = if to == 0 { machine.memory.allocate("a text of the library", name.len() as u64 + 1, true) } else { to };
    super::strings::write_string(machine, to, name.as_bytes())?;
    Ok(Some(to as u128))
}
