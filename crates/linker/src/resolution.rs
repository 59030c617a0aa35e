//! Which objects a link consists of, and what their names are to each other: what a compiler asks
//! that makes one object of several (link-time optimisation).

use crate::object::{Object, Source};
use crate::symbols::{Globals, Place};
use crate::{Declined, Outcome, inputs, kept};
use elf_object::elf;
use rustc_hash::FxHashSet;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An object that takes part.
#[derive(Debug)]
pub struct Part {
    /// The file, if the line names it.
    pub file: Option<PathBuf>,
    /// Whether it stays away when the line does not name it and another object that comes first
    /// defines what it is wanted for.
    pub is_replaceable: bool,
    /// Contents of the section asked for; none if there is not exactly one.
    pub section: Option<Vec<u8>>,
    /// How many source files it says it was made of (`STT_FILE`).
    pub files: usize,
    /// Its global names, each once.
    pub names: Vec<Name>,
}

/// A global name in an object.
#[derive(Debug)]
pub struct Name {
    /// As in the object, without a version.
    pub text: String,
    /// Whether the object defines it.
    pub is_defined: bool,
    /// Whether this definition is the program's.
    pub is_final: bool,
    /// Whether the line or a shared library asks for it, or other modules see it.
    pub is_kept: bool,
}

/// The objects of the link that `arguments` describe, in order; `section` names the section whose
/// contents are wanted.
///
/// # Errors
/// Why our linker leaves this link to others.
pub fn resolve(
    arguments: &[OsString],
    held: &dyn Fn(&Path) -> Option<Arc<[u8]>>,
    section: &str,
) -> Result<Vec<Part>, Declined> {
    let work = || {
        catch_unwind(AssertUnwindSafe(|| {
            let held = |path: &Path| held(path).map(kept::share);
            let inputs = inputs::read(arguments, &held)?;
            if !inputs.options.wrapped.is_empty() {
                return Err(Declined("names that mean others"));
            }
            let options = &inputs.options;
            let mut kept: FxHashSet<&[u8]> = FxHashSet::from_iter([&b"_start"[..], b"_init", b"_fini"]);
            kept.extend(options.undefined.iter().chain(&options.entry).copied());
            kept.extend(options.definitions.iter().flat_map(|d| [Some(d.name), d.base]).flatten());
            let objects = inputs.objects.iter().enumerate();
            objects.map(|(at, object)| part(at, object, &inputs.globals, &kept, section.as_bytes())).collect()
        }))
    };
    kept::during(work).unwrap_or(Err(Declined("a damaged file")))
}

fn part(at: usize, object: &Object, globals: &Globals, kept: &FxHashSet<&[u8]>, wanted: &[u8]) -> Outcome<Part> {
    let mut sections = object.sections.iter().filter(|section| section.name == wanted);
    let section = sections.next().filter(|_| sections.next().is_none());
    let files = object.symbols.iter().filter(|symbol| symbol.kind() == elf::STT_FILE).count();
    let mut names = Vec::new();
    for (index, symbol) in object.symbols.iter().enumerate().filter(|(_, symbol)| symbol.global != u32::MAX) {
        let global = &globals.list[symbol.global as usize];
        let is_final = match global.place {
            Place::Object { object, symbol, .. } => (object as usize, symbol as usize) == (at, index),
            Place::Common { .. } => symbol.section == elf::SHN_COMMON,
            _ => false,
        };
        names.push(Name {
            text: String::from_utf8(symbol.name.to_vec()).map_err(|_| Declined("a name that is not UTF-8"))?,
            is_defined: symbol.section != elf::SHN_UNDEF,
            is_final,
            is_kept: global.is_exported || global.version.is_some() || kept.contains(global.name),
        });
    }
    Ok(Part {
        file: if let Source::Named(path) = &object.source { Some(path.clone()) } else { None },
        is_replaceable: object.source != Source::Whole,
        section: section.map(|section| section.data.to_vec()),
        files,
        names,
    })
}
