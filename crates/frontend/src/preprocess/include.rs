//! Files: the search path, `#include` and its relatives, and what is remembered of files already read.
//!
//! Each path tried is asked for once; each file (by device and inode) is read once. A file with a guard whose macro is
//! defined, or with `#pragma once`, is not even entered again.

use std::collections::hash_map::Entry;
use std::os::unix::fs::MetadataExt;

use base::charset::Converter;
use base::source_map::SourceText;
use base::{Loc, SourceId, Symbol, warning};
use rustc_hash::FxHashMap;

use super::directives::Outcome;
use super::options::{Action, IncludePaths};
use super::{Buffer, DEFAULT_INCLUDE_DEPTH, Pending, Preprocessor, builtins, conditionals, output, predefined};
use crate::lex::lexer::{Lexer, LineComments};
use crate::lex::literals::literal_parts;
use crate::lex::{Token, TokenFlags, TokenKind, names};

/// Index of a file's record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileId(u32);

struct File {
    source: SourceId,
    once: bool,
    /// It was read at least once: `#import` leaves it alone.
    entered: bool,
    guard: Option<Symbol>,
}

/// Everything known about files.
#[derive(Default)]
pub(super) struct Files {
    files: Vec<File>,
    by_path: FxHashMap<String, Option<FileId>>,
    by_identity: FxHashMap<(u64, u64), FileId>,
}

/// One directory of the search path.
#[derive(Clone, Debug)]
struct Directory {
    path: String,
    system: bool,
    /// The directory of the headers built into the compiler.
    builtin: bool,
}

/// The directories searched, in order: those for `"..."` only, then the others.
#[derive(Clone, Debug, Default)]
pub struct SearchPaths {
    directories: Vec<Directory>,
    /// Number of directories for `#include "..."` only.
    quote: usize,
    builtin: &'static [(&'static str, &'static [u8])],
    embed: Vec<String>,
    no_current_directory: bool,
    /// What was left out and why, in gcc's words, for `-v`.
    ignored: Vec<String>,
}

impl SearchPaths {
    /// Puts the directories in order and drops those that do not exist or come twice, as gcc does: of a user's and a
    /// system directory that are the same, the user's is dropped.
    pub fn new(paths: &IncludePaths) -> SearchPaths {
        let mut search = SearchPaths {
            builtin: paths.builtin,
            embed: paths.embed.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
            no_current_directory: paths.no_current_directory,
            ..SearchPaths::default()
        };
        let mut directories = Vec::new();
        let take = |list: &[std::path::PathBuf], system: bool| -> Vec<Directory> {
            let text = |path: &std::path::PathBuf| path.to_string_lossy().into_owned();
            list.iter().map(|path| Directory { path: text(path), system, builtin: false }).collect()
        };
        let quote = take(&paths.quote, false);
        directories.extend(take(&paths.angled, false));
        directories.extend(take(&paths.system, true));
        if !paths.builtin.is_empty() {
            directories.push(Directory { path: paths.builtin_name.clone(), system: true, builtin: true });
        }
        directories.extend(take(&paths.standard, true));
        directories.extend(take(&paths.after, true));
        let quote = search.existing(quote);
        let directories = search.existing(directories);
        let system: Vec<(u64, u64)> = directories.iter().filter(|(d, _)| d.system).filter_map(|(_, id)| *id).collect();
        let mut seen = Vec::new();
        let mut kept = Vec::new();
        for (directory, id) in directories {
            if let Some(id) = id {
                let shadowed = !directory.system && system.contains(&id);
                if shadowed || seen.contains(&id) {
                    search.ignored.push(format!("ignoring duplicate directory \"{}\"", directory.path));
                    if shadowed {
                        let why = "  as it is a non-system directory that duplicates a system directory";
                        search.ignored.push(why.to_owned());
                    }
                    continue;
                }
                seen.push(id);
            }
            kept.push(directory);
        }
        search.directories = quote.into_iter().map(|(directory, _)| directory).collect();
        search.quote = search.directories.len();
        search.directories.extend(kept);
        search
    }

    fn existing(&mut self, list: Vec<Directory>) -> Vec<(Directory, Option<(u64, u64)>)> {
        let mut kept = Vec::new();
        for directory in list {
            if directory.builtin {
                kept.push((directory, None));
                continue;
            }
            match std::fs::metadata(&directory.path) {
                Ok(metadata) if metadata.is_dir() => kept.push((directory, Some((metadata.dev(), metadata.ino())))),
                Ok(_) => self.ignored.push(format!("{}: not a directory", directory.path)),
                Err(_) => self.ignored.push(format!("ignoring nonexistent directory \"{}\"", directory.path)),
            }
        }
        kept
    }

    /// What `-v` prints about the search path, in GNU's words (scripts parse it).
    pub fn description(&self) -> String {
        let mut out = String::new();
        for line in &self.ignored {
            out.push_str(line);
            out.push('\n');
        }
        out.push_str("#include \"...\" search starts here:\n");
        for (index, directory) in self.directories.iter().enumerate() {
            if index == self.quote {
                out.push_str("#include <...> search starts here:\n");
            }
            out.push_str(&format!(" {}\n", directory.path));
        }
        if self.directories.len() == self.quote {
            out.push_str("#include <...> search starts here:\n");
        }
        out.push_str("End of search list.\n");
        out
    }
}

/// A header's name and how it was written.
pub(super) struct Header {
    pub(super) name: String,
    pub(super) angled: bool,
    pub(super) loc: Loc,
}

/// A file found on the search path.
struct Found {
    id: FileId,
    path: String,
    /// Index of the directory.
    directory: Option<usize>,
    system: bool,
}

/// Applies `-fmacro-prefix-map` and its like: the last that fits wins.
pub(super) fn map_prefix(map: &[(String, String)], path: &str) -> String {
    for (old, new) in map.iter().rev() {
        if let Some(rest) = path.strip_prefix(old.as_str()) {
            return format!("{new}{rest}");
        }
    }
    path.to_owned()
}

/// See [`Preprocessor::enter_main_file`].
pub(super) fn enter_main_file(pp: &mut Preprocessor<'_>, path: &str) -> bool {
    let (name, opened) = match path {
        "-" => ("<stdin>", read_stdin(pp)),
        _ => {
            // It is read once anyway.
            let shared = pp.shared_files.take();
            let opened = open(pp, path).map(Some);
            pp.shared_files = shared;
            (path, opened)
        }
    };
    match opened {
        Ok(Some(id)) => enter_main(pp, id, name),
        Ok(None) => false,
        Err(error) => {
            pp.session.fatal(Loc::NONE, format!("{path}: {}", reason(&error))).emit();
            false
        }
    }
}

/// See [`Preprocessor::enter_main_text`].
pub(super) fn enter_main_text(pp: &mut Preprocessor<'_>, name: &str, text: SourceText) -> bool {
    let id = add(pp, text);
    enter_main(pp, id, name)
}

fn enter_main(pp: &mut Preprocessor<'_>, id: FileId, name: &str) -> bool {
    pp.main_name = pp.session.intern(name);
    pp.dependencies.main(name);
    output::begin(pp);
    if !pp.options.preprocessed {
        builtins::define_all(pp);
    }
    let text = predefined::text(&pp.options);
    if !pp.options.preprocessed {
        output::text_entered(pp, "<built-in>");
        pp.run_text("<built-in>", text.into_bytes(), true);
    }
    output::text_entered(pp, "<command-line>");
    pp.macros.add_special(names::VA_ARGS, super::macros::MacroKind::VariadicName);
    pp.macros.add_special(names::VA_OPT, super::macros::MacroKind::VariadicName);
    let command_line = predefined::command_line(&pp.options);
    if !pp.options.preprocessed {
        pp.run_text("<command-line>", command_line.into_bytes(), false);
    }
    if !pp.options.preprocessed {
        import_macros(pp);
        pp.pending.push_back(Pending::Predefined);
        for action in pp.options.actions.clone() {
            if let Action::Include(file) = action {
                pp.pending.push_back(Pending::Include(file));
            }
        }
    }
    pp.pending.push_back(Pending::Main(id, name.to_owned()));
    // The empty text there is at first ends at once, and the pending files follow.
    true
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "No such file or directory".to_owned(),
        std::io::ErrorKind::PermissionDenied => "Permission denied".to_owned(),
        std::io::ErrorKind::IsADirectory => "Is a directory".to_owned(),
        _ => error.to_string(),
    }
}

fn read_stdin(pp: &mut Preprocessor<'_>) -> std::io::Result<Option<FileId>> {
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

fn add(pp: &mut Preprocessor<'_>, text: SourceText) -> FileId {
    let text = with_newlines(text);
    let source = pp.session.sources.add_source(text);
    pp.files.files.push(File { source, once: false, entered: false, guard: None });
    FileId(pp.files.files.len() as u32 - 1)
}

/// `-imacros`: each file is read to its end, only its macros stay.
fn import_macros(pp: &mut Preprocessor<'_>) {
    for action in pp.options.actions.clone() {
        if let Action::ImportMacros(file) = action {
            let printer = pp.printer.take();
            if enter_command_line_include(pp, &file) {
                pp.buf.return_at_end = true;
                if pp.options.traditional {
                    super::traditional::read(pp);
                } else {
                    while !super::expand::get_token(pp).is(TokenKind::Eof) {}
                }
                leave_buffer(pp);
            }
            pp.printer = printer;
        }
    }
}

/// Enters a file named on the command line: looked for in the working directory, then like `#include "..."`.
fn enter_command_line_include(pp: &mut Preprocessor<'_>, file: &str) -> bool {
    let header = Header { name: file.to_owned(), angled: false, loc: Loc::NONE };
    match find(pp, &header, false) {
        Some(found) => enter(pp, found, Loc::NONE),
        None => {
            missing(pp, &header);
            false
        }
    }
}

/// Opens a file, or finds its record. Errors other than absence are given back.
fn open(pp: &mut Preprocessor<'_>, path: &str) -> std::io::Result<FileId> {
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
            pp.files.by_identity.insert(identity, id);
            id
        }
    };
    pp.files.by_path.insert(path.to_owned(), Some(id));
    Ok(id)
}

fn open_builtin(pp: &mut Preprocessor<'_>, path: &str, name: &str) -> Option<FileId> {
    if let Some(known) = pp.files.by_path.get(path) {
        return *known;
    }
    let contents = pp.search.builtin.iter().find(|(known, _)| *known == name).map(|&(_, contents)| contents);
    let id = contents.map(|contents| add(pp, SourceText::Static(contents)));
    pp.files.by_path.insert(path.to_owned(), id);
    id
}

fn join(directory: &str, name: &str) -> String {
    match directory {
        "" => name.to_owned(),
        _ if directory.ends_with('/') => format!("{directory}{name}"),
        _ => format!("{directory}/{name}"),
    }
}

/// Looks for a header. With `next` the search begins after the directory of the current file.
fn find(pp: &mut Preprocessor<'_>, header: &Header, next: bool) -> Option<Found> {
    let name = header.name.as_str();
    if name.starts_with('/') {
        let system = pp.buf.system;
        let id = open_reporting(pp, name, header.loc)?;
        return Some(Found { id, path: name.to_owned(), directory: None, system });
    }
    let mut start = if header.angled { pp.search.quote } else { 0 };
    if next && !pp.outer.is_empty() {
        match pp.buf.found_in {
            Some(index) => start = index + 1,
            // The current file was found beside its includer: all directories come after that one.
            None if !pp.session.str(pp.buf.name).starts_with('/') => start = 0,
            None => {}
        }
    } else if !header.angled && !pp.search.no_current_directory {
        let path = join(&pp.buf.directory, name);
        let system = pp.buf.system;
        if let Some(id) = open_reporting(pp, &path, header.loc) {
            return Some(Found { id, path, directory: None, system });
        }
    }
    for index in start..pp.search.directories.len() {
        let directory = &pp.search.directories[index];
        let (path, system, builtin) = (join(&directory.path, name), directory.system, directory.builtin);
        let opened = if builtin { open_builtin(pp, &path, name) } else { open_reporting(pp, &path, header.loc) };
        if let Some(id) = opened {
            return Some(Found { id, path, directory: Some(index), system });
        }
    }
    None
}

fn open_reporting(pp: &mut Preprocessor<'_>, path: &str, loc: Loc) -> Option<FileId> {
    match open(pp, path) {
        Ok(id) => Some(id),
        Err(error) => {
            let absent =
                [std::io::ErrorKind::NotFound, std::io::ErrorKind::NotADirectory, std::io::ErrorKind::IsADirectory];
            if !absent.contains(&error.kind()) && !loc.is_none() {
                pp.session.fatal(loc, format!("{path}: {}", reason(&error))).emit();
            }
            None
        }
    }
}

/// Whether `__has_include` finds the header.
pub(super) fn exists(pp: &mut Preprocessor<'_>, header: &Header, next: bool) -> bool {
    let quiet = Header { name: header.name.clone(), angled: header.angled, loc: Loc::NONE };
    find(pp, &quiet, next).is_some()
}

/// Finds what `#embed` names: beside the current file for `"..."`, then in the `--embed-dir` directories.
pub(super) fn find_resource(pp: &Preprocessor<'_>, header: &Header) -> Option<String> {
    let name = header.name.as_str();
    let exists = |path: &String| std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_dir());
    if name.starts_with('/') {
        return Some(name.to_owned()).filter(exists);
    }
    let here = (!header.angled).then(|| join(&pp.buf.directory, name));
    here.into_iter().chain(pp.search.embed.iter().map(|directory| join(directory, name))).find(exists)
}

/// Reads a header name in a directive or `__has_include`: as written, or from macros.
pub(super) fn header(pp: &mut Preprocessor<'_>, directive: &str, loc: Loc) -> Option<Header> {
    pp.buf.lexer.header_names = true;
    let wants = std::mem::replace(&mut pp.state.directive_wants_padding, true);
    let token = pp.expanded_token();
    pp.buf.lexer.header_names = false;
    let header = match token.kind {
        TokenKind::String | TokenKind::HeaderName => {
            let spelling = pp.session.interner.resolve_bytes(token.symbol());
            let plain = token.is(TokenKind::HeaderName) || literal_parts(spelling).2.start == 1;
            let name = String::from_utf8_lossy(&spelling[1..spelling.len() - 1]).into_owned();
            plain.then_some(Header { name, angled: token.is(TokenKind::HeaderName), loc: token.loc })
        }
        TokenKind::Less => match rest_of_header_name(pp) {
            Some(name) => Some(Header { name, angled: true, loc: token.loc }),
            None => {
                pp.session.error(token.loc, "missing terminating > character").emit();
                pp.state.directive_wants_padding = wants;
                return None;
            }
        },
        _ => None,
    };
    pp.state.directive_wants_padding = wants;
    match header {
        Some(header) if header.name.is_empty() => {
            pp.session.error(header.loc, format!("empty filename in #{directive}")).emit();
            None
        }
        Some(header) => Some(header),
        None => {
            let message = if directive.starts_with("__") {
                format!("operator \"{directive}\" requires a header-name")
            } else {
                format!("#{directive} expects \"FILENAME\" or <FILENAME>")
            };
            let at = if token.loc.is_none() { loc } else { token.loc };
            pp.session.error(at, message).emit();
            None
        }
    }
}

/// `stdio.h>` after a `<` that came from a macro: the spellings up to `>`, with a space where a token's own line has one before it. The
/// space before a macro's name is not its expansion's, as in gcc (`glue_header_name`).
fn rest_of_header_name(pp: &mut Preprocessor<'_>) -> Option<String> {
    let mut name = Vec::new();
    loop {
        let token = super::expand::get_token(pp);
        match token.kind {
            TokenKind::Greater => return Some(String::from_utf8_lossy(&name).into_owned()),
            TokenKind::EndOfDirective | TokenKind::Eof => return None,
            TokenKind::Padding => continue,
            _ => {}
        }
        if token.flags.has(TokenFlags::LEADING_SPACE) {
            name.push(b' ');
        }
        pp.spell(token, &mut name);
    }
}

/// `#include`, `#include_next` and `#import`, after the name.
pub(super) fn directive(pp: &mut Preprocessor<'_>, hash: Token, name: Token) -> Outcome {
    let directive = pp.session.str(name.symbol());
    if name.symbol() == names::IMPORT {
        let message = "#import is a deprecated GCC extension";
        pp.session.warn(warning::DEPRECATED, name.loc, message).emit();
    }
    let Some(header) = header(pp, directive, name.loc) else { return Outcome::Done };
    // Tokens of a macro that are left would otherwise come in the included file.
    while !pp.contexts.is_empty() && !pp.expanded_token().is(TokenKind::EndOfDirective) {}
    super::directives::expect_end(pp, directive);
    let mut next = name.symbol() == names::INCLUDE_NEXT;
    if next && pp.outer.is_empty() {
        pp.session.warn_always(name.loc, "#include_next in primary source file").emit();
        next = false;
    }
    let limit = match pp.options.max_include_depth {
        0 => DEFAULT_INCLUDE_DEPTH,
        limit => limit,
    };
    // The main file is at depth 1.
    if pp.outer.len() as u32 + 1 >= limit {
        let message = format!(
            "#include nested depth {} exceeds maximum of {limit} (use -fmax-include-depth=DEPTH to increase the maximum)",
            pp.outer.len() + 1
        );
        pp.session.error(header.loc, message).emit();
        return Outcome::Done;
    }
    output::include_directive(pp, name, &header);
    let Some(found) = find(pp, &header, next) else {
        missing(pp, &header);
        return Outcome::Done;
    };
    if name.symbol() == names::IMPORT {
        let id = found.id;
        let file = &mut pp.files.files[id.0 as usize];
        if file.once || file.entered {
            file.once = true;
            return Outcome::Done;
        }
        let outcome = enter_after_directive(pp, found, hash.loc);
        pp.files.files[id.0 as usize].once = true;
        return outcome;
    }
    if is_guarded(pp, found.id) {
        note_dependency(pp, &found);
        return Outcome::Done;
    }
    enter_after_directive(pp, found, hash.loc)
}

fn note_dependency(pp: &mut Preprocessor<'_>, found: &Found) {
    // The compiler's own headers are inside it: make would not find them.
    if found.directory.is_some_and(|index| pp.search.directories[index].builtin) {
        return;
    }
    let path = found.path.strip_prefix("./").unwrap_or(&found.path);
    pp.dependencies.file(path, found.system);
}

fn enter_after_directive(pp: &mut Preprocessor<'_>, found: Found, loc: Loc) -> Outcome {
    pp.state.in_directive = false;
    pp.buf.lexer.end_directive();
    pp.files.files[found.id.0 as usize].entered = true;
    enter(pp, found, loc);
    Outcome::Entered
}

fn is_guarded(pp: &Preprocessor<'_>, id: FileId) -> bool {
    let file = &pp.files.files[id.0 as usize];
    file.once || file.guard.is_some_and(|guard| pp.macros.defined(guard).is_some())
}

fn missing(pp: &mut Preprocessor<'_>, header: &Header) {
    let dependencies = &pp.options.dependencies;
    if dependencies.enabled && dependencies.missing_are_generated {
        let system = header.angled;
        let name = header.name.clone();
        if !(dependencies.user_only && system) {
            pp.dependencies.file(&name, system);
        }
        return;
    }
    if pp.search.directories.len() <= if header.angled { pp.search.quote } else { 0 } && header.angled {
        let message = format!("no include path in which to search for {}", header.name);
        pp.session.error(header.loc, message).emit();
        return;
    }
    let message = format!("{}: No such file or directory", header.name);
    pp.session.fatal(header.loc, message).emit();
}

/// Begins reading a file. `false` if it is guarded, or the location space is full.
fn enter(pp: &mut Preprocessor<'_>, found: Found, include_loc: Loc) -> bool {
    note_dependency(pp, &found);
    if is_guarded(pp, found.id) {
        return false;
    }
    // Like gcc, silent about the header it reads of its own accord.
    if pp.options.show_includes && !(include_loc.is_none() && found.path.ends_with("/stdc-predef.h")) {
        let depth = pp.outer.len() + 1;
        pp.session.diag.write_raw(&format!("{} {}\n", ".".repeat(depth), found.path));
    }
    let name = pp.session.intern(&found.path);
    let source = pp.files.files[found.id.0 as usize].source;
    push_buffer(pp, Some(found.id), source, name, found.directory, found.system, include_loc)
}

fn push_buffer(
    pp: &mut Preprocessor<'_>,
    file: Option<FileId>,
    source: SourceId,
    name: Symbol,
    found_in: Option<usize>,
    system: bool,
    include_loc: Loc,
) -> bool {
    let Some(base) = pp.session.sources.include(source, name, include_loc, system) else {
        pp.session.fatal(include_loc, "too much source text: the space of locations is exhausted").emit();
        return false;
    };
    let mut lexer = Lexer::new(pp.session, pp.session.sources.bytes(source), base, pp.switches);
    let output = pp.options.output.as_ref();
    lexer.keep_comments = output.is_some_and(|output| output.keep_comments || output.keep_macro_comments);
    lexer.line_comments = match pp.options.traditional {
        true => LineComments::Never,
        false => LineComments::new(&pp.options.dialect, system),
    };
    let path = pp.session.str(name);
    let directory = path.rfind('/').map_or("", |slash| &path[..slash.max(1)]).to_owned();
    let buffer = Buffer {
        lexer,
        file,
        name,
        directory,
        found_in,
        system,
        conditional_base: pp.conditionals.len(),
        mi_valid: true,
        mi_guard: None,
        return_at_end: false,
    };
    let before = std::mem::replace(&mut pp.buf, buffer);
    pp.outer.push(before);
    pp.session.diag.switch_file(&pp.session.sources, base);
    output::file_entered(pp, name, system, include_loc);
    true
}

/// At the end of the current file: goes back to its includer, or on to the next pending file. `false` at the very end, and
/// for texts whose reader waits for their end.
pub(super) fn leave(pp: &mut Preprocessor<'_>) -> bool {
    if pp.session.diag.stopped() {
        return false;
    }
    if pp.buf.file.is_some() {
        conditionals::close_all(pp);
    }
    if pp.outer.is_empty() {
        // The empty text at the bottom.
        if pp.pending.is_empty() || pp.buf.file.is_some() {
            if pp.buf.file.is_some() && !std::mem::replace(&mut pp.state.finished, true) {
                super::macros::warn_unused(pp);
            }
            return false;
        }
        return enter_pending(pp);
    }
    if pp.buf.return_at_end {
        return false;
    }
    leave_buffer(pp);
    true
}

fn leave_buffer(pp: &mut Preprocessor<'_>) {
    let Some(outer) = pp.outer.pop() else { return };
    let inner = std::mem::replace(&mut pp.buf, outer);
    if let Some(id) = inner.file
        && inner.mi_valid
        && inner.mi_guard.is_some()
    {
        pp.files.files[id.0 as usize].guard = inner.mi_guard;
    }
    let resumed = pp.buf.lexer.loc();
    pp.session.diag.switch_file(&pp.session.sources, resumed);
    output::file_left(pp);
}

fn enter_pending(pp: &mut Preprocessor<'_>) -> bool {
    match pp.pending.pop_front() {
        None => false,
        Some(Pending::Predefined) => {
            let header = Header { name: "stdc-predef.h".to_owned(), angled: true, loc: Loc::NONE };
            if !pp.options.undef
                && !pp.options.dialect.freestanding
                && let Some(found) = find(pp, &header, false)
            {
                enter(pp, found, Loc::NONE);
            }
            true
        }
        Some(Pending::Include(file)) => {
            enter_command_line_include(pp, &file);
            true
        }
        Some(Pending::Main(id, name)) => {
            let name = pp.session.intern(&name);
            let source = pp.files.files[id.0 as usize].source;
            output::main_entered(pp);
            let entered = push_buffer(pp, Some(id), source, name, None, false, Loc::NONE);
            // The main file is the bottom: `__INCLUDE_LEVEL__` is 0 in it.
            pp.outer.clear();
            entered
        }
    }
}

/// `#pragma once` in the current file.
pub(super) fn mark_once(pp: &mut Preprocessor<'_>, loc: Loc) {
    if pp.outer.is_empty() {
        pp.session.warn_always(loc, "#pragma once in main file").emit();
    }
    if let Some(id) = pp.buf.file {
        pp.files.files[id.0 as usize].once = true;
    }
}
