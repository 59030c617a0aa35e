//! The link of an ordinary program: objects, archives and shared libraries to a dynamically linked executable, position
//! independent or not.
//!
//! General linkers read all names of every library, which for a small program is most of the work of compiling it. Here only
//! what is missing is looked up, through the tables the dynamic linker uses. What is not ordinary is *declined*, with a reason,
//! before anything is written, and goes to the linkers that do everything: an option, a kind of file, section, symbol or
//! relocation that has rules of its own, and every error, so that the messages are theirs.
//!
//! [`inputs`] reads the line and finds who defines each name ([`symbols`], [`object`], [`library`], [`read`]); [`scan`] finds
//! what the relocations need; [`dynamic`] makes the tables for the dynamic linker; [`layout`] gives everything its place;
//! [`write`] and [`headers`] fill the file. The tables' forms are those of the System V ABI, its x86-64 supplement and the LSB.

mod dynamic;
mod frames;
mod headers;
mod inputs;
mod layout;
mod library;
mod object;
mod read;
mod scan;
mod sha1;
mod symbols;
mod write;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Why a link is left to other linkers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declined(pub &'static str);

type Outcome<T> = Result<T, Declined>;

/// The executable's bytes. `held` knows the files of the line that exist only in this process.
pub fn link(arguments: &[OsString], held: &dyn Fn(&Path) -> Option<&'static [u8]>) -> Result<Vec<u8>, Declined> {
    // A damaged file that gets past the checks is no reason to stop: others word its errors.
    catch_unwind(AssertUnwindSafe(|| run(arguments, held))).unwrap_or(Err(Declined("a damaged file")))
}

fn run(arguments: &[OsString], held: &dyn Fn(&Path) -> Option<&'static [u8]>) -> Outcome<Vec<u8>> {
    let mut inputs = inputs::read(arguments, held)?;
    let needs = scan::scan(&mut inputs)?;
    let tables = dynamic::tables(&mut inputs, &needs)?;
    let frames = frames::count(&mut inputs.objects)?;
    let layout = layout::layout(&mut inputs, &needs, &tables, frames)?;
    write::write(&inputs, &needs, &tables, &layout)
}
