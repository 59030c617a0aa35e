//! Precompiled headers: the text of a header after preprocessing, with the definitions of its
//! macros, in a file `NAME.gch`.
//!
//! Including `NAME` first of all, on the command line or in the main file, reads that text instead
//! (gcc's manual, "Using Precompiled Headers"): no directive but definitions, line markers and
//! pragmas is in it, and nothing is expanded. The text only stands for the header where the macros
//! and the dialect are those it was made with, and where no file that it was made from has changed
//! since; else the header itself is read, and `-Winvalid-pch` says why.
//!
//! ```text
//! tcc-rs precompiled header, version 2
//! ABSOLUTE PATH OF THE HEADER
//! FINGERPRINT COUNTER FILES                          (`-` alone: no text, the header is read)
//! SIZE SECONDS NANOSECONDS SYSTEM ONCE GUARD PATH    (a line for each file, the header first)
//! TEXT
//! ```

use std::fmt::Write as _;
use std::hash::Hasher;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use base::source_map::SourceText;
use base::{Loc, Symbol, warning};
use rustc_hash::FxHasher;

use super::headers::{Found, Header, find};
use super::{Preprocessor, files, include, macros, output};

const HEAD: &str = "tcc-rs precompiled header, version 2\n";

/// A precompiled header that can be used.
struct Usable {
    counter: u64,
    files: Vec<Part>,
    text: Vec<u8>,
}

/// A file that a precompiled header was made from.
struct Part {
    size: u64,
    modified: (i64, i64),
    system: bool,
    once: bool,
    guard: Option<Symbol>,
    path: String,
}

/// What is known of a file without reading it.
#[derive(Clone, Copy)]
pub(super) struct KnownFile {
    pub(super) once: bool,
    pub(super) guard: Option<Symbol>,
}

/// What the text of a header depends on besides the files: macros, dialect, the compiler's own
/// headers.
fn fingerprint(pp: &Preprocessor<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    let mut take = |bytes: &[u8]| {
        hasher.write_usize(bytes.len());
        hasher.write(bytes);
    };
    take(env!("CARGO_PKG_VERSION").as_bytes());
    take(format!("{:?} {:?} {}", pp.options.dialect, pp.options.charsets, pp.counter).as_bytes());
    for (name, contents) in pp.search.builtin {
        take(name.as_bytes());
        take(contents);
    }
    for id in pp.macros.current() {
        take(&macros::definition_text(pp, id, false));
    }
    hasher.finish()
}

/// Where the text of a header that is being precompiled begins: behind the predefined macros and
/// those of the command line.
pub(super) fn begin(pp: &mut Preprocessor<'_>) {
    if pp.options.precompile && pp.precompiled.is_none() {
        pp.precompiled = Some(fingerprint(pp));
        output::forget(pp);
    }
}

/// Keeps a line of the header that `-E` leaves out.
pub(super) fn keep_pragma(pp: &mut Preprocessor<'_>, loc: Loc, text: &str) {
    if pp.options.precompile {
        output::kept_line(pp, loc, text);
    }
}

/// The text cannot stand for the header: what a directive does is not in it.
pub(super) fn refuse(pp: &mut Preprocessor<'_>) {
    pp.refuses_precompiling = true;
}

/// See [`Preprocessor::precompiled_head`].
pub(super) fn head(pp: &mut Preprocessor<'_>, main: &Path) -> Vec<u8> {
    let place = std::path::absolute(main).unwrap_or_else(|_| main.to_path_buf());
    let mut out = format!("{HEAD}{}\n", place.display());
    match list(pp, main) {
        Some(list) if !pp.refuses_precompiling => {
            let _ =
                writeln!(out, "{:016x} {} {}", pp.precompiled.unwrap_or_default(), pp.counter, list.lines().count());
            out.push_str(&list);
        }
        _ => out.push_str("-\n"),
    }
    out.into_bytes()
}

/// The files the header was made from, a line each; `None` if one of them cannot be found again.
fn list(pp: &mut Preprocessor<'_>, main: &Path) -> Option<String> {
    let mut paths = vec![(main.to_str()?.to_owned(), false)];
    paths.extend(pp.dependencies.files().iter().cloned());
    let mut out = String::new();
    for (path, system) in paths {
        let metadata = match std::fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) => {
                pp.session.fatal(Loc::NONE, format!("{path}: {}", base::files::reason(&error))).emit();
                return None;
            }
        };
        let id = files::open(pp, &path).ok()?;
        let file = pp.files.file(id);
        let guard = file.guard.map_or("-", |guard| pp.session.str(guard));
        if path.contains('\n') || !metadata.is_file() {
            return None;
        }
        let _ = writeln!(
            out,
            "{} {} {} {} {} {guard} {path}",
            metadata.size(),
            metadata.mtime(),
            metadata.mtime_nsec(),
            u8::from(system),
            u8::from(file.once),
        );
    }
    Some(out)
}

/// Reads the precompiled form of a header that was found at `path` instead of it, if there is one
/// that fits. Only the first inclusion of a unit may be one (`find` is not asked for others).
pub(super) fn enter(pp: &mut Preprocessor<'_>, path: &str, include_loc: Loc) -> bool {
    if std::mem::replace(&mut pp.state.precompiled_considered, true) || !is_wanted(pp) {
        return false;
    }
    let made = format!("{path}.gch");
    let Ok(metadata) = std::fs::metadata(&made) else { return false };
    let mut candidates = vec![made.clone()];
    if metadata.is_dir() {
        // Each was made with other options.
        let entries = std::fs::read_dir(&made).into_iter().flatten().flatten();
        candidates = entries.filter_map(|entry| entry.path().to_str().map(str::to_owned)).collect();
        candidates.sort();
    }
    let mut complaints = Vec::new();
    for candidate in candidates {
        match usable(pp, &candidate) {
            Ok(Some(found)) => return read(pp, found, &candidate, path, include_loc),
            Ok(None) => return false,
            Err(why) => complaints.push(format!("{candidate}: {why}")),
        }
    }
    for complaint in complaints {
        pp.session.warn(warning::INVALID_PCH, include_loc, complaint).emit();
    }
    false
}

fn is_wanted(pp: &Preprocessor<'_>) -> bool {
    let options = &pp.options;
    options.output.is_none() && !options.preprocessed && !options.traditional && !options.dialect.assembler
}

/// The contents of a precompiled header; `None` if it has no text, an error says why it cannot be
/// used here.
fn usable(pp: &Preprocessor<'_>, path: &str) -> Result<Option<Usable>, String> {
    const DAMAGED: &str = "not compatible with this compiler version";
    let bytes = std::fs::read(path).map_err(|error| base::files::reason(&error))?;
    let mut rest = bytes.strip_prefix(HEAD.as_bytes()).ok_or(DAMAGED)?;
    let mut line = || -> Result<&str, String> {
        let end = memchr::memchr(b'\n', rest).ok_or(DAMAGED)?;
        let (line, after) = rest.split_at(end);
        rest = &after[1..];
        Ok(std::str::from_utf8(line).map_err(|_| DAMAGED)?)
    };
    line()?;
    let state = line()?;
    if state == "-" {
        return Ok(None);
    }
    let words: Vec<&str> = state.split(' ').collect();
    let [made_with, counter, count] = words[..] else { return Err(DAMAGED.into()) };
    let counter = counter.parse().map_err(|_| DAMAGED)?;
    let count: usize = count.parse().map_err(|_| DAMAGED)?;
    let mut files = Vec::new();
    for _ in 0..count {
        files.push(part(pp, line()?).ok_or(DAMAGED)?);
    }
    if made_with != format!("{:016x}", fingerprint(pp)) {
        return Err("not used because it was made with other macros or options".into());
    }
    for part in &files {
        let same = std::fs::metadata(&part.path)
            .is_ok_and(|m| m.size() == part.size && (m.mtime(), m.mtime_nsec()) == part.modified);
        if !same {
            return Err(format!("not used because `{}' has changed since", part.path));
        }
    }
    Ok(Some(Usable { counter, files, text: rest.to_vec() }))
}

fn part(pp: &Preprocessor<'_>, line: &str) -> Option<Part> {
    let mut words = line.splitn(7, ' ');
    let mut number = || words.next()?.parse::<i64>().ok();
    let size = number()?.try_into().ok()?;
    let modified = (number()?, number()?);
    let (system, once) = (number()? != 0, number()? != 0);
    let guard = Some(words.next()?).filter(|guard| *guard != "-").map(|guard| pp.session.intern(guard));
    Some(Part { size, modified, system, once, guard, path: words.next()?.to_owned() })
}

/// Goes on with the text of a precompiled header.
fn read(pp: &mut Preprocessor<'_>, found: Usable, made: &str, path: &str, include_loc: Loc) -> bool {
    pp.dependencies.file(made.strip_prefix("./").unwrap_or(made), false);
    for part in found.files {
        pp.dependencies.file(part.path.strip_prefix("./").unwrap_or(&part.path), part.system);
        if let Ok(metadata) = std::fs::metadata(&part.path) {
            let known = KnownFile { once: part.once, guard: part.guard };
            pp.files.know((metadata.dev(), metadata.ino()), known);
        }
    }
    if pp.options.show_includes {
        pp.session.diag.write_raw(&format!("! {made}\n"));
    }
    pp.counter = found.counter;
    let source = pp.session.sources.add_source(SourceText::from_vec(found.text));
    let name = pp.session.intern(path);
    if !include::push_buffer(pp, None, source, name, None, false, include_loc) {
        return false;
    }
    pp.buf.precompiled = true;
    pp.state.prevent_expansion += 1;
    true
}

/// The text of a precompiled header has ended.
pub(super) fn leave(pp: &mut Preprocessor<'_>) {
    pp.state.prevent_expansion -= 1;
}

/// The header that a precompiled one was made from, when the header itself is not found: build
/// systems put `NAME.gch` alone into a directory that is searched. What is damaged or another
/// compiler's is passed over.
pub(super) fn source_of(pp: &mut Preprocessor<'_>, header: &Header) -> Option<(String, Option<Found>)> {
    let made = Header { name: format!("{}.gch", header.name), quiet: true, ..*header };
    let found = find(pp, &made, false)?;
    let bytes = pp.session.sources.bytes(pp.files.file(found.id).source);
    let path = bytes.strip_prefix(HEAD.as_bytes()).and_then(|rest| {
        let end = memchr::memchr(b'\n', rest)?;
        std::str::from_utf8(&rest[..end]).ok().map(str::to_owned)
    });
    let Some(path) = path else {
        let message = format!("{}: not compatible with this compiler version", found.path);
        pp.session.warn(warning::INVALID_PCH, header.loc, message).emit();
        return None;
    };
    let source = find(pp, &Header { name: path, angled: false, loc: Loc::NONE, quiet: true }, false);
    Some((found.path.strip_suffix(".gch").unwrap_or(&found.path).to_owned(), source))
}
