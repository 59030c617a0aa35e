//! Header names in directives, and the files that they mean.

use base::Loc;
use base::files::reason;
use std::io::ErrorKind;

use super::Preprocessor;
use super::files::{FileId, open, open_builtin};
use super::search_paths::join;
use crate::lex::literals::literal_parts;
use crate::lex::{TokenFlags, TokenKind};

/// A header's name and how it was written.
pub(super) struct Header {
    pub(super) name: String,
    pub(super) angled: bool,
    pub(super) loc: Loc,
    /// A file that the user may not read counts as absent.
    pub(super) quiet: bool,
}

/// A file found on the search path.
pub(super) struct Found {
    pub(super) id: FileId,
    pub(super) path: String,
    /// Index of the directory.
    pub(super) directory: Option<usize>,
    pub(super) system: bool,
}

/// Looks for a header. With `next` the search begins after the directory of the current file.
pub(super) fn find(pp: &mut Preprocessor<'_>, header: &Header, next: bool) -> Option<Found> {
    let name = header.name.as_str();
    if name.starts_with('/') {
        let system = pp.buf.system;
        let id = open_reporting(pp, name, header)?;
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
        if let Some(id) = open_reporting(pp, &path, header) {
            return Some(Found { id, path, directory: None, system });
        }
    }
    for index in start..pp.search.directories.len() {
        let directory = &pp.search.directories[index];
        if !directory.may_hold(name) {
            continue;
        }
        let (path, system, builtin) = (join(&directory.path, name), directory.system, directory.builtin);
        let opened = if builtin { open_builtin(pp, &path, name) } else { open_reporting(pp, &path, header) };
        if let Some(id) = opened {
            return Some(Found { id, path, directory: Some(index), system });
        }
        pp.search.directories[index].missed();
    }
    None
}

fn open_reporting(pp: &mut Preprocessor<'_>, path: &str, header: &Header) -> Option<FileId> {
    match open(pp, path) {
        Ok(id) => Some(id),
        Err(error) => {
            let is_other = match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory => true,
                ErrorKind::PermissionDenied => header.quiet,
                _ => false,
            };
            if !is_other {
                pp.session.fatal(header.loc, format!("{path}: {}", reason(&error))).emit();
            }
            None
        }
    }
}

/// Whether `__has_include` finds the header.
pub(super) fn exists(pp: &mut Preprocessor<'_>, header: &Header, next: bool) -> bool {
    let quiet = Header { name: header.name.clone(), quiet: true, ..*header };
    find(pp, &quiet, next).is_some()
}

/// Finds what `#embed` names: beside the current file for `"..."`, then in the `--embed-dir`
/// directories.
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
            plain.then_some(Header { name, angled: token.is(TokenKind::HeaderName), loc: token.loc, quiet: false })
        }
        TokenKind::Less => match rest_of_header_name(pp) {
            Some(name) => Some(Header { name, angled: true, loc: token.loc, quiet: false }),
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

/// `stdio.h>` after a `<` that came from a macro: the spellings up to `>`, with a space where a
/// token's own line has one before it. The space before a macro's name is not its expansion's, as
/// in gcc (`glue_header_name`).
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
