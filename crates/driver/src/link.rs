//! Linking: the arguments a linker gets ([`line`]), our own support objects ([`support`]), objects
//! optimised together ([`lto`]), and the linkers: our own (the crate [`linker`]), and the system's
//! for what ours declines ([`program`]).

mod line;
mod lto;
mod program;
mod support;

pub use support::archive_for as support_archive;

use crate::invocation::{Input, Invocation, Language, LinkKind};
use crate::output::{self, Temporaries};
use crate::report::{self, Stopped};
use crate::toolchain::Toolchain;
use base::files::may_be_file;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One thing to link, in command-line order.
#[derive(Clone, Debug)]
pub enum LinkItem {
    /// A file the user named.
    File(PathBuf),
    /// An object made from a source in this run.
    Object(PathBuf),
    /// `-lNAME`.
    Library(OsString),
    /// Text for the linker.
    Argument(OsString),
}

impl LinkItem {
    /// What the linker gets of an input; sources are objects by then.
    pub fn of(input: &Input) -> Option<LinkItem> {
        Some(match input {
            Input::File { path, language: Language::LinkerInput } => LinkItem::File(path.clone()),
            Input::File { .. } => return None,
            Input::Library(name) => LinkItem::Library(name.clone()),
            Input::LinkerArgument(text) => LinkItem::Argument(text.clone()),
        })
    }
}

/// What `-fuse-ld=` calls our own linker; chosen by name, it says why it declines.
const PLAIN: &str = "plain";

/// Link into `output`.
pub fn link(inv: &Invocation, items: &[LinkItem], output: &Path, temporaries: &Temporaries) -> Result<(), Stopped> {
    let tools = Toolchain::discover(inv);
    let own = if inv.dry_run { support::Own::default() } else { support::prepare(inv, &tools, items, temporaries)? };
    let mut shown = line::arguments(inv, &tools, items, &own, output)?;
    let mut optimised = None;
    if inv.lto && !inv.dry_run && inv.link.kind() != LinkKind::Relocatable {
        optimised = lto::optimised(inv, items, &shown, temporaries)?;
    }
    if let Some(items) = &optimised {
        shown = line::arguments(inv, &tools, items, &own, output)?;
    }
    let items = optimised.as_deref().unwrap_or(items);
    if inv.verbose {
        print_line(inv, &tools, &shown);
    }
    if inv.dry_run {
        return Ok(());
    }
    let cannot_write = |e| report::fatal(&inv.program, &format!("cannot write {}: {e}", output.display()));
    if matches!(inv.link.use_ld.as_deref(), None | Some(PLAIN)) {
        match linker::link(&shown, &|path| temporaries.held(path)) {
            Ok(bytes) => return Ok(output::write(output, &bytes, output::Kind::Executable).map_err(cannot_write)?),
            Err(linker::Declined(reason)) if inv.link.use_ld.is_some() => {
                return Err(report::error(&inv.program, &format!("this link needs another linker: {reason}")).into());
            }
            Err(_) => {}
        }
    }
    let temporary = output::temporary_beside(output);
    let mut arguments = line::arguments(inv, &tools, items, &own, &temporary)?;
    for argument in arguments.iter_mut().filter(|a| temporaries.held(Path::new(a)).is_some()) {
        *argument = temporaries.written(Path::new(argument))?.into();
    }
    let result = program::run(inv, arguments);
    if result.is_err() {
        drop(std::fs::remove_file(&temporary));
        return Err(Stopped::Failed);
    }
    // `-Wl,--version` and the like succeed without a file.
    if may_be_file(&temporary) {
        output::publish(&temporary, output).map_err(cannot_write)?;
    }
    Ok(())
}

/// `-v`: search directories and the linker's line as CMake, libtool and autoconf parse them.
fn print_line(inv: &Invocation, tools: &Toolchain, arguments: &[OsString]) {
    let dirs: Vec<String> = tools.search_dirs(inv).iter().map(|d| format!("{}/", d.display())).collect();
    report::raw(&format!("COMPILER_PATH=/usr/bin/\nLIBRARY_PATH={}\n", dirs.join(":")));
    let ld = program::find(inv).unwrap_or_else(|| PathBuf::from("ld"));
    let text: Vec<String> = arguments.iter().map(|a| quote_word(&a.to_string_lossy())).collect();
    report::raw(&format!(" {} {}\n", ld.display(), text.join(" ")));
}

fn quote_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("\"{}\"", word.replace('"', "\\\""))
    }
}
