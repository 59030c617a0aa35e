//! Our own start object and support archive.
//!
//! The sources are in the program (`runtime/support`), one group of routines a file. Each says on
//! its first line which symbols it provides:
//!
//! ```c
//! /* Provides: __divti3 __modti3 */
//! ```
//!
//! Only the files some input needs are compiled, by this compiler, in memory, and put into an
//! archive, so that a program's own definition of such a symbol wins. Needs are what the inputs
//! leave undefined and what the chosen files need in turn; where a static link cannot lean on an
//! installed libgcc the needs of the C library's archive are unknown, and every file is taken.

use super::LinkItem;
use crate::builtin::SUPPORT;
use crate::compile;
use crate::invocation::{Invocation, LinkKind};
use crate::output::Temporaries;
use crate::report::Stopped;
use crate::toolchain::{CRASH_FILE, START_FILE, Toolchain};
use elf_object::read::archive::ArchiveFile;
use elf_object::read::{Object, ObjectSymbol};
use rustc_hash::FxHashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What [`prepare`] made.
#[derive(Default, Debug)]
pub struct Own {
    /// Between crti.o and the inputs: `__dso_handle`, and running what `atexit` registered when a
    /// shared library goes. That of `run` reports crashes, too.
    pub start_object: Option<PathBuf>,
    /// Before libgcc.
    pub archive: Option<PathBuf>,
}

/// Compile what this link needs.
pub fn prepare(
    inv: &Invocation,
    tools: &Toolchain,
    items: &[LinkItem],
    temporaries: &Temporaries,
) -> Result<Own, Stopped> {
    let kind = inv.link.kind();
    let mut own = Own::default();
    if kind == LinkKind::Relocatable {
        return Ok(own);
    }
    if !inv.link.no_stdlib && !inv.link.no_startfiles {
        let object = match &inv.link.crash_object {
            Some(object) => object.clone(),
            None => compile_support(inv, START_FILE)?,
        };
        own.start_object = Some(temporaries.hold("start.o", object));
    }
    let explicit = items.iter().any(|i| matches!(i, LinkItem::Library(n) if is_gcc_library(n)));
    if inv.link.no_stdlib && !(explicit && tools.gcc_dir.is_none()) {
        return Ok(own);
    }
    let statically = matches!(kind, LinkKind::Static | LinkKind::StaticPie);
    let all = tools.gcc_dir.is_none() && (statically || explicit);
    let needed = if all { None } else { Some(needs(items, temporaries)) };
    // A program has one unwinder: where gcc's is there, which C++ libraries use, ours would know
    // other contexts than they do.
    let has_unwinder = tools.gcc_dir.is_some() || !statically && tools.find_file(inv, "libgcc_s.so.1").is_some();
    let mut left_out = Vec::new();
    if has_unwinder {
        left_out.push(UNWINDER);
    }
    if tools.uses_libubsan(inv) {
        left_out.push(REPORTER);
    }
    let members = compile_members(inv, needed, &left_out)?;
    if !members.is_empty() {
        own.archive = Some(temporaries.hold("libsupport.a", archive(&members)));
    }
    Ok(own)
}

/// The archive of what provides these names, if anything does.
pub fn archive_for(inv: &Invocation, names: &[String]) -> Result<Option<Vec<u8>>, Stopped> {
    let needed = names.iter().map(|name| name.clone().into_bytes()).collect();
    let members = compile_members(inv, Some(needed), &[UNWINDER])?;
    Ok((!members.is_empty()).then(|| archive(&members)))
}

/// Symbols the inputs leave undefined.
fn needs(items: &[LinkItem], temporaries: &Temporaries) -> FxHashSet<Vec<u8>> {
    let (mut undefined, mut defined) = (FxHashSet::default(), FxHashSet::default());
    for item in items {
        let (LinkItem::File(path) | LinkItem::Object(path)) = item else { continue };
        if let Some(bytes) = temporaries.held(path) {
            scan(&bytes, &mut undefined, &mut defined);
        } else if let Ok(bytes) = std::fs::read(path) {
            scan(&bytes, &mut undefined, &mut defined);
        }
    }
    undefined.retain(|name| !defined.contains(name));
    undefined
}

fn scan(bytes: &[u8], undefined: &mut FxHashSet<Vec<u8>>, defined: &mut FxHashSet<Vec<u8>>) {
    if bytes.starts_with(b"!<arch>\n") {
        let Ok(file) = ArchiveFile::parse(bytes) else { return };
        for member in file.members().flatten() {
            // What an archive defines is there only if something pulls it: it does not count as
            // defined.
            if let Ok(data) = member.data(bytes) {
                scan_object(data, undefined, &mut FxHashSet::default());
            }
        }
    } else {
        scan_object(bytes, undefined, defined);
    }
}

fn scan_object(bytes: &[u8], undefined: &mut FxHashSet<Vec<u8>>, defined: &mut FxHashSet<Vec<u8>>) {
    let Ok(file) = elf_object::read::elf::ElfFile64::<elf_object::Endianness>::parse(bytes) else { return };
    for symbol in file.symbols().filter(|s| s.is_global()) {
        let Ok(name) = symbol.name_bytes() else { continue };
        if symbol.is_undefined() {
            undefined.insert(name.to_vec());
        } else {
            defined.insert(name.to_vec());
        }
    }
}

const UNWINDER: &str = "unwind.c";
/// Reports of undefined behaviour.
const REPORTER: &str = "ubsan.c";

/// A compiled routine file.
struct Member {
    name: String,
    object: Vec<u8>,
}

/// Names on a file's first line.
fn provides(text: &'static [u8]) -> impl Iterator<Item = &'static str> {
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let first = std::str::from_utf8(first).unwrap_or_default();
    let list = first.strip_prefix("/* Provides:").and_then(|l| l.strip_suffix("*/")).unwrap_or_default();
    list.split_ascii_whitespace()
}

/// Compile the files that provide something needed, and what they need; `None` needs everything.
fn compile_members(
    inv: &Invocation,
    needed: Option<FxHashSet<Vec<u8>>>,
    left_out: &[&str],
) -> Result<Vec<Member>, Stopped> {
    let mut members: Vec<Member> = Vec::new();
    let (mut wanted, all) = (needed.clone().unwrap_or_default(), needed.is_none());
    loop {
        let mut grown = false;
        for (name, text) in
            SUPPORT.iter().filter(|(name, _)| name.ends_with(".c") && ![START_FILE, CRASH_FILE].contains(name))
        {
            let is_wanted = all || provides(text).any(|symbol| wanted.contains(symbol.as_bytes()));
            if !is_wanted || left_out.contains(name) || members.iter().any(|m| m.name == *name) {
                continue;
            }
            let object = compile_support(inv, name)?;
            scan_object(&object, &mut wanted, &mut FxHashSet::default());
            members.push(Member { name: name.to_string(), object });
            grown = true;
        }
        if !grown {
            members.sort_by(|a, b| a.name.cmp(&b.name));
            return Ok(members);
        }
    }
}

/// Compile one support file: optimised, position independent, hidden, whatever the program's own
/// flags are.
fn compile_support(inv: &Invocation, name: &str) -> Result<Vec<u8>, Stopped> {
    compile::support_source(inv, name)
}

/// An `ar` archive in GNU's format with a symbol index. Times, owners and modes are zero: the bytes
/// depend on the members only.
fn archive(members: &[Member]) -> Vec<u8> {
    let names: Vec<String> =
        members.iter().map(|m| Path::new(&m.name).with_extension("o").display().to_string() + "/").collect();
    let mut symbols: Vec<(usize, Vec<u8>)> = Vec::new();
    for (i, member) in members.iter().enumerate() {
        let (mut undefined, mut defined) = (FxHashSet::default(), FxHashSet::default());
        scan_object(&member.object, &mut undefined, &mut defined);
        let mut defined: Vec<Vec<u8>> = defined.into_iter().collect();
        defined.sort();
        symbols.extend(defined.into_iter().map(|d| (i, d)));
    }
    let index_size = 4 + 4 * symbols.len() + symbols.iter().map(|(_, n)| n.len() + 1).sum::<usize>();
    let even = |n: usize| n + n % 2;
    let mut offset = 8 + 60 + even(index_size);
    let mut offsets = Vec::new();
    for member in members {
        offsets.push(offset as u32);
        offset += 60 + even(member.object.len());
    }
    let mut out = b"!<arch>\n".to_vec();
    let mut index = (symbols.len() as u32).to_be_bytes().to_vec();
    for (i, _) in &symbols {
        index.extend(offsets[*i].to_be_bytes());
    }
    for (_, name) in &symbols {
        index.extend(name);
        index.push(0);
    }
    append_member(&mut out, "/", &index);
    for (member, name) in members.iter().zip(&names) {
        append_member(&mut out, name, &member.object);
    }
    out
}

fn append_member(out: &mut Vec<u8>, name: &str, data: &[u8]) {
    debug_assert!(name.len() <= 16, "the long-name table is not written: support files have short names");
    out.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, "644", data.len()).into_bytes());
    out.extend(data);
    if data.len() % 2 == 1 {
        out.push(b'\n');
    }
}

/// Libraries that come with gcc and that `runtime/support` stands in for.
pub fn is_gcc_library(name: &OsString) -> bool {
    name == "gcc" || name == "gcc_s" || name == "gcc_eh"
}
