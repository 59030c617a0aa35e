//! Entering and leaving files: the main file, `#include` and its relatives, the files of the
//! command line.
//!
//! A file with a guard whose macro is defined, or with `#pragma once`, is not even entered again.

use std::time::Instant;

use base::source_map::SourceText;
use base::{Loc, SourceId, Symbol, warning};

use super::directives::Outcome;
use super::files::{self, FileId};
use super::headers::{Found, Header, find, header};
use super::options::Action;
use super::{
    Buffer, DEFAULT_INCLUDE_DEPTH, Pending, Preprocessor, builtins, conditionals, macro_log, output, predefined,
};
use crate::lex::lexer::{Lexer, LineComments};
use crate::lex::{Token, TokenKind, names};

/// See [`Preprocessor::enter_main_file`].
pub(super) fn enter_main_file(pp: &mut Preprocessor<'_>, path: &str) -> bool {
    let (name, opened) = match path {
        "-" => ("<stdin>", files::read_stdin(pp)),
        _ => {
            // It is read once anyway.
            let shared = pp.shared_files.take();
            let opened = files::open(pp, path).map(Some);
            pp.shared_files = shared;
            (path, opened)
        }
    };
    match opened {
        Ok(Some(id)) => enter_main(pp, id, name),
        Ok(None) => false,
        Err(error) => {
            pp.session.fatal(Loc::NONE, format!("{path}: {}", base::files::reason(&error))).emit();
            false
        }
    }
}

/// See [`Preprocessor::enter_main_text`].
pub(super) fn enter_main_text(pp: &mut Preprocessor<'_>, name: &str, text: SourceText) -> bool {
    let id = files::add(pp, text);
    enter_main(pp, id, name)
}

fn enter_main(pp: &mut Preprocessor<'_>, id: FileId, name: &str) -> bool {
    pp.main_name = pp.session.intern(name);
    pp.dependencies.main(name);
    output::begin(pp);
    if !pp.options.preprocessed || pp.options.directives_only {
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
    macro_log::main_entered(pp);
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

/// See [`Preprocessor::original_names`]; gcc's `read_original_filename` and
/// `read_original_directory`.
pub(super) fn original_names(pp: &Preprocessor<'_>) -> (Option<String>, Option<String>) {
    let main = pp.pending.iter().find_map(|pending| match pending {
        Pending::Main(id, _) => Some(*id),
        _ => None,
    });
    let Some(id) = main else { return (None, None) };
    let mut lines = pp.session.sources.bytes(pp.files.file(id).source).split(|&byte| byte == b'\n');
    let name = lines.next().and_then(marked_name);
    let directory = match name {
        Some(_) => lines.next().and_then(marked_name),
        None => None,
    };
    (name, directory.and_then(|name| name.strip_suffix("//").filter(|d| !d.is_empty()).map(str::to_owned)))
}

/// The name in a line marker.
fn marked_name(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?.strip_prefix("# ")?;
    let name = line.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(" \"")?;
    let mut out = String::new();
    let mut chars = name.chars();
    loop {
        match chars.next()? {
            '"' => return Some(out),
            '\\' => out.push(chars.next()?),
            c => out.push(c),
        }
    }
}

/// `-imacros`: each file is read to its end, only its macros stay.
fn import_macros(pp: &mut Preprocessor<'_>) {
    for action in pp.options.actions.clone() {
        if let Action::ImportMacros(file) = action {
            let printer = pp.printer.take();
            if enter_command_line_include(pp, &file, false) {
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

/// Enters a file named on the command line: looked for in the working directory, then like
/// `#include "..."`. It may be there in precompiled form only.
fn enter_command_line_include(pp: &mut Preprocessor<'_>, file: &str, precompiled: bool) -> bool {
    let header = Header { name: file.to_owned(), angled: false, loc: Loc::NONE, quiet: false };
    if let Some(found) = find(pp, &header, false) {
        return precompiled && super::precompiled::enter(pp, &found.path, Loc::NONE) || enter(pp, found, Loc::NONE);
    }
    let Some((made, source)) = super::precompiled::source_of(pp, &header) else {
        missing(pp, &header);
        return false;
    };
    if precompiled && super::precompiled::enter(pp, &made, Loc::NONE) {
        return true;
    }
    match source {
        Some(found) => enter(pp, found, Loc::NONE),
        None => {
            missing(pp, &header);
            false
        }
    }
}

/// `#include`, `#include_next` and `#import`, after the name.
///
/// `first` says that nothing was before it in its file.
pub(super) fn directive(pp: &mut Preprocessor<'_>, hash: Token, name: Token, first: bool) -> Outcome {
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
        let file = pp.files.file_mut(id);
        if file.once || file.entered {
            file.once = true;
            return Outcome::Done;
        }
        let outcome = enter_after_directive(pp, found, hash.loc);
        pp.files.file_mut(id).once = true;
        return outcome;
    }
    if is_guarded(pp, found.id) {
        note_dependency(pp, &found);
        return Outcome::Done;
    }
    if first && pp.outer.is_empty() {
        // The lexer is where the next line begins before another one is put in its place.
        pp.state.in_directive = false;
        pp.buf.lexer.end_directive();
        if super::precompiled::enter(pp, &found.path, hash.loc) {
            return Outcome::Entered;
        }
        pp.files.file_mut(found.id).entered = true;
        enter(pp, found, hash.loc);
        return Outcome::Entered;
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
    pp.files.file_mut(found.id).entered = true;
    enter(pp, found, loc);
    Outcome::Entered
}

fn is_guarded(pp: &Preprocessor<'_>, id: FileId) -> bool {
    let file = pp.files.file(id);
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
    let source = pp.files.file(found.id).source;
    push_buffer(pp, Some(found.id), source, name, found.directory, found.system, include_loc)
}

pub(super) fn push_buffer(
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
        precompiled: false,
        entered: pp.options.timeline.is_some().then(Instant::now),
    };
    let before = std::mem::replace(&mut pp.buf, buffer);
    pp.outer.push(before);
    pp.session.diag.switch_file(&pp.session.sources, base);
    output::file_entered(pp, name, system, include_loc);
    if name != pp.main_name || !include_loc.is_none() {
        macro_log::file_entered(pp, name, include_loc);
    }
    true
}

/// At the end of the current file: goes back to its includer, or on to the next pending file.
/// `false` at the very end, and for texts whose reader waits for their end.
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
    if inner.precompiled {
        super::precompiled::leave(pp);
    }
    // The name is clang's.
    if let (Some(timeline), Some(start)) = (&pp.options.timeline, inner.entered) {
        timeline.add("Source", pp.session.str(inner.name), start);
    }
    if let Some(id) = inner.file
        && inner.mi_valid
        && inner.mi_guard.is_some()
    {
        pp.files.file_mut(id).guard = inner.mi_guard;
    }
    let resumed = pp.buf.lexer.loc();
    pp.session.diag.switch_file(&pp.session.sources, resumed);
    output::file_left(pp);
    macro_log::file_left(pp);
}

fn enter_pending(pp: &mut Preprocessor<'_>) -> bool {
    match pp.pending.pop_front() {
        None => false,
        Some(Pending::Predefined) => {
            let header = Header { name: "stdc-predef.h".to_owned(), angled: true, loc: Loc::NONE, quiet: false };
            if !pp.options.dialect.freestanding
                && let Some(found) = find(pp, &header, false)
            {
                enter(pp, found, Loc::NONE);
            }
            true
        }
        Some(Pending::Include(file)) => {
            super::precompiled::begin(pp);
            enter_command_line_include(pp, &file, true);
            true
        }
        Some(Pending::Main(id, name)) => {
            let name = pp.session.intern(&name);
            let source = pp.files.file(id).source;
            super::precompiled::begin(pp);
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
        pp.files.file_mut(id).once = true;
    }
}
