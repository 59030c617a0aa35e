//! Files: their texts, each read once, and what is remembered of them.
//!
//! Each path tried is asked for once; each file (by device and inode) is read once.

use std::collections::hash_map::Entry;
use std::os::unix::fs::MetadataExt;

use base::charset::Converter;
use base::source_map::SourceText;
use base::{Loc, SourceId, Symbol};
use rustc_hash::FxHashMap;

use super::Preprocessor;
use super::precompiled::KnownFile;

/// Index of a file's record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileId(u32);

/// What is remembered of a file.
pub(super) struct File {
    pub(super) source: SourceId,
    /// `#pragma once` or `#import`: not to be entered again.
    pub(super) once: bool,
    /// It was read at least once: `#import` leaves it alone.
    pub(super) entered: bool,
    /// The macro whose definition makes the whole file empty.
    pub(super) guard: Option<Symbol>,
}

/// Everything known about files.
#[derive(Default)]
pub(super) struct Files {
    files: Vec<File>,
    by_path: FxHashMap<String, Option<FileId>>,
    by_identity: FxHashMap<(u64, u64), FileId>,
    /// Files that are in a precompiled header.
    known: FxHashMap<(u64, u64), KnownFile>,
}

impl Files {
    /// The record of a file.
    pub(super) fn file(&self, id: FileId) -> &File {
        &self.files[id.0 as usize]
    }

    /// A file was read when a header was precompiled.
    pub(super) fn know(&mut self, identity: (u64, u64), known: KnownFile) {
        if let Some(&id) = self.by_identity.get(&identity) {
            let file = self.file_mut(id);
            file.once |= known.once;
            file.guard = file.guard.or(known.guard);
            file.entered = true;
        }
        self.known.insert(identity, known);
    }

    /// The record of a file.
    pub(super) fn file_mut(&mut self, id: FileId) -> &mut File {
        &mut self.files[id.0 as usize]
    }
}

/// Opens a file, or finds its record. Errors other than absence are given back.
pub(super) fn open(pp: &mut Preprocessor<'_>, path: &str) -> std::io::Result<FileId> {
    if let Some(known) = pp.files.by_path.get(path) {
        return known.ok_or_else(|| std::io::Error::from(std::io::ErrorKind::NotFound));
    }
    let opened = match &pp.shared_files {
        Some(shared) => shared.find(path).map(|identity| (identity, None)),
        None => std::fs::File::open(path).and_then(|file| {
            let metadata = file.metadata()?;
            Ok(((metadata.dev(), metadata.ino()), Some((file, metadata))))
        }),
    };
    let (identity, opened) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            pp.files.by_path.insert(path.to_owned(), None);
            return Err(error);
        }
    };
    let id = match pp.files.by_identity.entry(identity) {
        Entry::Occupied(known) => *known.get(),
        Entry::Vacant(_) => {
            let text = match opened {
                Some((file, metadata)) => SourceText::read_opened(file, &metadata)?,
                None => {
                    let shared = pp.shared_files.as_ref().and_then(|shared| shared.text(identity));
                    shared.ok_or(std::io::ErrorKind::NotFound)?
                }
            };
            let text = converted(pp, text, path);
            let id = add(pp, text);
            if let Some(&known) = pp.files.known.get(&identity) {
                let file = pp.files.file_mut(id);
                (file.once, file.guard, file.entered) = (known.once, known.guard, true);
            }
            pp.files.by_identity.insert(identity, id);
            id
        }
    };
    pp.files.by_path.insert(path.to_owned(), Some(id));
    Ok(id)
}

/// The record of a header built into the compiler.
pub(super) fn open_builtin(pp: &mut Preprocessor<'_>, path: &str, name: &str) -> Option<FileId> {
    if let Some(known) = pp.files.by_path.get(path) {
        return *known;
    }
    let contents = pp.search.builtin.iter().find(|(known, _)| *known == name).map(|&(_, contents)| contents);
    let id = contents.map(|contents| add(pp, SourceText::Static(contents)));
    pp.files.by_path.insert(path.to_owned(), id);
    id
}

/// Reads the standard input.
pub(super) fn read_stdin(pp: &mut Preprocessor<'_>) -> std::io::Result<Option<FileId>> {
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes)?;
    let text = converted(pp, SourceText::from_vec(bytes), "<stdin>");
    Ok(Some(add(pp, text)))
}

/// The text of a file in UTF-8 (`-finput-charset=`).
fn converted(pp: &Preprocessor<'_>, text: SourceText, path: &str) -> SourceText {
    let Some(name) = &pp.options.charsets.input else { return text };
    let bytes = text.bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let done =
        Converter::open("UTF-8", name).is_some_and(|mut c| c.convert(&bytes[..bytes.len() - 1], &mut out).is_ok());
    if !done {
        pp.session.error(Loc::NONE, format!("{path}: failure to convert {name} to UTF-8")).emit();
    }
    SourceText::from_vec(out)
}

/// A carriage return without a newline ends a line, too, as in texts of old Macintoshes.
fn with_newlines(text: SourceText) -> SourceText {
    let bytes = text.bytes();
    let lone = |at: &usize| bytes[at + 1] != b'\n';
    if !memchr::memchr_iter(b'\r', bytes).any(|at| lone(&at)) {
        return text;
    }
    let mut out = bytes[..bytes.len() - 1].to_vec();
    for at in memchr::memchr_iter(b'\r', bytes).filter(lone) {
        out[at] = b'\n';
    }
    SourceText::from_vec(out)
}

/// Makes a record of a text.
pub(super) fn add(pp: &mut Preprocessor<'_>, text: SourceText) -> FileId {
    let text = with_newlines(text);
    let source = pp.session.sources.add_source(text);
    pp.files.files.push(File { source, once: false, entered: false, guard: None });
    FileId(pp.files.files.len() as u32 - 1)
}
