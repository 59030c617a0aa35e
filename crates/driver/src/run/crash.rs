//! What a program of `run` starts when it crashes (`runtime/support/crash.c`): names and lines of
//! the calls that led to the crash, on standard error, while the program waits.

use crate::repl::signal_text;
use loader::{Executable, Frame};
use std::ffi::{OsString, c_int};
use std::fmt::Write;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

/// Calls that are shown of a deep recursion, from its inner and its outer end.
const SHOWN: (usize, usize) = (16, 4);
/// Calls that the program notes (`DEPTH` in `crash.c`).
const NOTED: usize = 8000;
/// An access as near as this below the stack, or to the stack pointer, is one of the stack.
const NEAR: u64 = 1 << 20;

/// What the program says of itself, in hexadecimal digits.
struct Crash {
    process: u64,
    signal: c_int,
    /// That could not be accessed.
    address: u64,
    /// Of the instruction.
    place: u64,
    stack: u64,
}

/// A file in the program's memory.
struct Mapping {
    start: u64,
    end: u64,
    name: String,
}

/// A line of the backtrace.
struct Call {
    text: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Main,
    /// The C library's function that calls `main`.
    Starter,
    /// Without a name.
    Nameless,
    Other,
}

/// Reports a crash; the places of the calls come from standard input.
pub fn main(arguments: &[OsString]) -> ExitCode {
    let mut numbers = arguments.iter().map(|text| u64::from_str_radix(&text.to_string_lossy(), 16).unwrap_or(0));
    let mut next = || numbers.next().unwrap_or(0);
    let crash = Crash { process: next(), signal: next() as c_int, address: next(), place: next(), stack: next() };
    let mut bytes = Vec::new();
    drop(std::io::stdin().read_to_end(&mut bytes));
    let words: Vec<u64> = bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let folder = format!("/proc/{}", crash.process);
    let maps = mappings(&std::fs::read_to_string(format!("{folder}/maps")).unwrap_or_default());
    let own = std::fs::read_link(format!("{folder}/exe")).unwrap_or_default();
    let own = own.to_string_lossy().into_owned();
    let calls = Places { own: &own, folder: &folder, maps: &maps }.calls(&places(crash.place, &words));
    let program = std::fs::read(format!("{folder}/cmdline")).unwrap_or_default();
    let program = program.split(|byte| *byte == 0).next().unwrap_or_default();
    let text = format!(
        "{}: {}\n{}",
        String::from_utf8_lossy(program),
        headline(&crash, &maps),
        shown(&calls, words.len() > NOTED)
    );
    crate::report::raw(&text);
    ExitCode::SUCCESS
}

/// Addresses of instructions, the faulting one first. `words` is where the search begins, and all
/// calls, the handler's among them.
fn places(first: u64, words: &[u64]) -> Vec<u64> {
    let mut places = vec![first];
    let Some((begin, calls)) = words.split_first() else { return places };
    let Some(at) = calls.iter().position(|call| call == begin) else { return places };
    if *begin != first {
        places.push(begin.wrapping_sub(1));
    }
    // A return address belongs to the call before it.
    places.extend(calls[at + 1..].iter().map(|call| call.wrapping_sub(1)));
    places
}

/// The files of `/proc/PID/maps`.
fn mappings(text: &str) -> Vec<Mapping> {
    let line = |line: &str| {
        let mut parts = line.splitn(6, ' ');
        let (start, end) = parts.next()?.split_once('-')?;
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        let name = parts.nth(4)?.trim_start().to_string();
        Some(Mapping { start: number(start)?, end: number(end)?, name })
    };
    text.lines().filter_map(line).filter(|mapping| !mapping.name.is_empty()).collect()
}

fn headline(crash: &Crash, maps: &[Mapping]) -> String {
    let text = signal_text(crash.signal);
    if crash.signal != libc::SIGSEGV {
        return text;
    }
    let stack = maps.iter().find(|mapping| mapping.name == "[stack]");
    let is_below = stack.is_some_and(|stack| crash.address < stack.start && stack.start - crash.address < NEAR);
    match is_below || crash.address.abs_diff(crash.stack) < NEAR {
        true => "stack overflow".into(),
        false => format!("{text} at address {:#x}", crash.address),
    }
}

struct Places<'a> {
    /// The program's name among the mappings.
    own: &'a str,
    folder: &'a str,
    maps: &'a [Mapping],
}

impl Places<'_> {
    /// The calls up to `main`, or all.
    fn calls(&self, places: &[u64]) -> Vec<Call> {
        let mut files: Vec<(&str, Vec<u8>)> = Vec::new();
        for place in places {
            if let Some(mapping) = self.mapping(*place)
                && files.iter().all(|(name, _)| *name != mapping.name)
            {
                let path = if mapping.name == self.own { format!("{}/exe", self.folder) } else { mapping.name.clone() };
                files.push((&mapping.name, std::fs::read(path).unwrap_or_default()));
            }
        }
        let read: Vec<(&str, Executable<'_>)> =
            files.iter().filter_map(|(name, bytes)| Some((*name, Executable::read(bytes)?))).collect();
        let mut calls = Vec::new();
        for place in places {
            let mapping = self.mapping(*place);
            let file = mapping.and_then(|mapping| read.iter().find(|(name, _)| *name == mapping.name));
            let frames = match (mapping, file) {
                (Some(mapping), Some((_, file))) => {
                    let start = self.maps.iter().find(|m| m.name == mapping.name).map_or(0, |first| first.start);
                    file.frames(place.wrapping_sub(start).wrapping_add(file.base()))
                }
                _ => Vec::new(),
            };
            let is_own = mapping.is_some_and(|mapping| mapping.name == self.own);
            let library = mapping.filter(|_| !is_own).map(|mapping| &*mapping.name);
            if frames.is_empty() {
                let text = described(&format!("{place:#x}"), None, library);
                calls.push(Call { text, kind: Kind::Nameless });
            }
            for Frame { function, line } in frames {
                let kind = match function.as_deref() {
                    Some("main") if is_own => Kind::Main,
                    Some("__libc_start_main") => Kind::Starter,
                    _ => Kind::Other,
                };
                let name = function.unwrap_or_else(|| format!("{place:#x}"));
                let line = line.map(|line| format!("{}:{}", line.file, line.line));
                calls.push(Call { text: described(&name, line, library), kind });
            }
        }
        cut_start(&mut calls);
        calls
    }

    fn mapping(&self, place: u64) -> Option<&Mapping> {
        self.maps.iter().find(|mapping| (mapping.start..mapping.end).contains(&place))
    }
}

/// Takes away what called `main`, which is itself not there if it ended in a jump.
fn cut_start(calls: &mut Vec<Call>) {
    if let Some(main) = calls.iter().rposition(|call| call.kind == Kind::Main) {
        calls.truncate(main + 1);
    } else if let Some(starter) = calls.iter().rposition(|call| call.kind == Kind::Starter) {
        calls.truncate(starter);
        calls.pop_if(|call| call.kind == Kind::Nameless);
    }
}

fn described(name: &str, line: Option<String>, library: Option<&str>) -> String {
    let file = library.and_then(|path| Path::new(path).file_name()).map(|name| name.to_string_lossy().into_owned());
    match (line, file) {
        (Some(line), _) => format!("{name} at {line}"),
        (None, Some(file)) => format!("{name} in {file}"),
        (None, None) => name.to_string(),
    }
}

/// The backtrace; `is_cut` where there are more calls than were noted, so that the outer end is
/// missing.
fn shown(calls: &[Call], is_cut: bool) -> String {
    let line = |text: &mut String, (number, call): (usize, &Call)| {
        writeln!(text, "#{number:<3} {}", call.text).ok();
    };
    let mut text = String::new();
    let left_out = calls.len().saturating_sub(SHOWN.0 + SHOWN.1);
    let inner = if left_out > 1 { SHOWN.0 } else { calls.len() };
    let mut all = calls.iter().enumerate();
    all.by_ref().take(inner).for_each(|call| line(&mut text, call));
    if is_cut {
        writeln!(text, "     ... more than {} calls", calls.len() - inner).ok();
    } else if left_out > 1 {
        writeln!(text, "     ... {left_out} calls").ok();
        all.skip(left_out).for_each(|call| line(&mut text, call));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Call, Kind, cut_start, places, shown};

    #[test]
    fn the_handler_is_no_call() {
        assert_eq!(places(50, &[50, 7, 8, 50, 61, 71]), [50, 60, 70]);
        // A call of what is no code: the search begins at the caller.
        assert_eq!(places(0, &[61, 7, 61, 71]), [0, 60, 70]);
        assert_eq!(places(50, &[]), [50]);
        assert_eq!(places(50, &[50]), [50]);
    }

    #[test]
    fn what_calls_main_is_left_out() {
        let cut = |kinds: &[Kind]| {
            let mut calls: Vec<Call> = kinds.iter().map(|kind| Call { text: String::new(), kind: *kind }).collect();
            cut_start(&mut calls);
            calls.len()
        };
        use Kind::{Main, Nameless, Other, Starter};
        assert_eq!(cut(&[Other, Main, Nameless, Starter, Other]), 2);
        assert_eq!(cut(&[Nameless, Other, Nameless, Starter, Other]), 2);
        assert_eq!(cut(&[Nameless, Other]), 2);
    }

    #[test]
    fn both_ends_of_a_recursion_are_shown() {
        let calls = |count: usize| -> Vec<Call> {
            (0..count).map(|number| Call { text: format!("f{number}"), kind: Kind::Other }).collect()
        };
        assert_eq!(shown(&calls(21), false).lines().count(), 21);
        assert!(shown(&calls(100), true).ends_with("#15  f15\n     ... more than 84 calls\n"));
        let text = shown(&calls(100), false);
        assert!(text.contains("#15  f15\n     ... 80 calls\n#96  f96\n"), "{text}");
    }
}
