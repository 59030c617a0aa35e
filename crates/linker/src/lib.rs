//! A linker: objects, archives and shared libraries to a program or a shared library, with GNU ld's
//! options and meaning. It knows nothing of C.
//!
//! General linkers read all names of every library, which for a small program is most of the work
//! of compiling it. Here only what is missing is looked up, through the tables the dynamic linker
//! uses. What is not ordinary is *declined*, with a reason, before anything is written, and goes to
//! the system's linker: an option, a kind of file, section, symbol or relocation that has rules of
//! its own, and every error, so that the messages are `ld`'s.
//!
//! [`options`] and [`version`] read the line and its scripts; [`inputs`] finds which files take
//! part and who defines each name ([`symbols`], [`object`], [`library`], [`read`]); [`gc`] leaves
//! out what nothing refers to; [`arrays`] and [`frames`] prepare constructors and unwind tables;
//! [`scan`] finds what the relocations need ([`target`], [`action`]), with [`thread`] for
//! thread-local storage; [`dynamic`] makes the tables for the dynamic linker; [`layout`] gives
//! everything its place; [`write`] and [`headers`] fill the file. [`resolution`] tells a compiler
//! that optimises whole programs what takes part. The tables' forms are those of
//! the System V ABI, its x86-64 supplement and the LSB.
//!
//! A damaged file never stops or hangs it: offsets are checked where they are read ([`read`]), and
//! every loop over an input moves on in it.

mod action;
mod arrays;
mod dynamic;
mod frames;
mod gc;
mod headers;
mod inputs;
mod kept;
mod layout;
mod library;
mod names;
mod object;
mod options;
mod read;
mod resolution;
mod scan;
mod sha1;
mod symbols;
mod target;
mod thread;
mod version;
mod write;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// Why a link is left to other linkers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declined(pub &'static str);

pub use resolution::{Name, Part, resolve};

type Outcome<T> = Result<T, Declined>;

/// The executable's bytes. `held` knows the files of the line that exist only in this process.
pub fn link(arguments: &[OsString], held: &dyn Fn(&Path) -> Option<Arc<[u8]>>) -> Result<Vec<u8>, Declined> {
    // A damaged file that gets past the checks is no reason to stop: others word its errors.
    let work = || catch_unwind(AssertUnwindSafe(|| run(arguments, &|path| held(path).map(kept::share))));
    kept::during(work).unwrap_or(Err(Declined("a damaged file")))
}

fn run(arguments: &[OsString], held: &dyn Fn(&Path) -> Option<&'static [u8]>) -> Outcome<Vec<u8>> {
    let mut inputs = inputs::read(arguments, held)?;
    if inputs.options.strip != options::Strip::Nothing {
        inputs.strip();
    }
    if inputs.options.gc_sections {
        gc::sweep(&mut inputs)?;
    }
    frames::prune(&mut inputs.objects)?;
    arrays::turn(&mut inputs.objects)?;
    let needs = scan::scan(&mut inputs)?;
    let tables = dynamic::tables(&mut inputs, &needs)?;
    let frames = frames::count(&mut inputs.objects)?;
    let mut layout = layout::layout(&mut inputs, &needs, &tables, frames)?;
    if inputs.options.is_dynamic() {
        // How many entries it has does not depend on addresses.
        layout.set_dynamic_size(headers::dynamic_section(&inputs, &tables, &layout, &needs, 0).len() as u64);
    }
    layout.place(&inputs.options)?;
    write::write(&inputs, &needs, &tables, &layout)
}
