//! Global names: who defines each, and what references to it need.

use crate::kept;
use crate::library::{self, Library};
use crate::object::Object;
use crate::options::Options;
use crate::read::Bytes;
use crate::{Declined, Outcome, names};
use elf_object::elf;
use rustc_hash::FxHashMap;

/// What code for thread-local storage calls.
pub const THREAD_FUNCTION: &[u8] = b"__tls_get_addr";

/// Where a name is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Nowhere so far. A weak reference may stay so, and is null.
    Undefined,
    /// In an object.
    Object { object: u32, symbol: u32, weak: bool },
    /// In no section: room of its own among the zeros.
    Common { size: u64, align: u64, offset: u64 },
    /// In a shared library.
    Library { library: u32, symbol: u32 },
    /// By the linker: the position is known after layout.
    Own(Own),
}

/// Positions a program may ask for by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Own {
    /// The first byte of the file's image.
    Start,
    /// What the line defines: index in its list.
    Defined(u32),
    /// The end of what may be executed.
    TextEnd,
    /// The end of the initialised data, where the zeros start.
    DataEnd,
    /// The end of everything.
    End,
    /// The global offset table.
    Table,
    /// The dynamic section.
    Dynamic,
    /// The start or end of a section, of which this is the name; null if it is not there.
    SectionStart(&'static [u8]),
    SectionEnd(&'static [u8]),
}

/// A global name.
#[derive(Debug)]
pub struct Global {
    pub name: Bytes,
    pub place: Place,
    /// Whether an object refers to it, by a reference that is not weak: leaving it undefined would
    /// be an error.
    pub is_wanted: bool,
    /// The strictest visibility of those given (`STV_*`).
    pub visibility: u8,
    /// Its entry in the procedure linkage table.
    pub call_slot: Option<u32>,
    /// The copy of a library's variable.
    pub copy: Option<u32>,
    /// Whether its address in this program is that of its entry in the procedure linkage table.
    pub is_canonical: bool,
    /// Whether other modules see it.
    pub is_exported: bool,
    /// Whether the line says that others do not see it.
    pub is_hidden: bool,
    /// The version an object gave it, and whether references without a version mean it.
    pub version: Option<(Bytes, bool)>,
    /// The version that the script gives it: index among the nodes.
    pub node: Option<u16>,
    /// Whether it has an entry in the dynamic symbol table, and which.
    pub is_dynamic: bool,
    pub dynamic_index: u32,
}

/// All global names.
#[derive(Default, Debug)]
pub struct Globals {
    pub list: Vec<Global>,
    by_name: FxHashMap<Bytes, u32>,
}

impl Globals {
    /// Enter an object's symbols; `objects` are those before it.
    pub fn add_object(&mut self, object: &mut Object, objects: &[Object], options: &Options) -> Outcome<()> {
        for index in object.first_global.min(object.symbols.len())..object.symbols.len() {
            let symbol = object.symbols[index];
            let is_undefined = symbol.section == elf::SHN_UNDEF;
            let name = if is_undefined { wrapped(symbol.name, options) } else { symbol.name };
            let (name, version) = split_version(name, is_undefined);
            let global = self.enter(name);
            object.symbols[index].global = global;
            let global = &mut self.list[global as usize];
            if symbol.visibility != elf::STV_DEFAULT
                && (global.visibility == elf::STV_DEFAULT || symbol.visibility < global.visibility)
            {
                global.visibility = symbol.visibility;
            }
            if is_undefined {
                global.is_wanted |= !symbol.is_weak();
                continue;
            }
            if object.sections.get(usize::from(symbol.section)).is_some_and(|section| section.dropped) {
                // The group that stays defines it.
                continue;
            }
            if version.is_some() && !options.shared {
                return Err(Declined("a version of a symbol in a program"));
            }
            global.version = version;
            let place = match symbol.section {
                elf::SHN_COMMON => Place::Common { size: symbol.size, align: symbol.value.max(1), offset: 0 },
                _ => Place::Object { object: objects.len() as u32, symbol: index as u32, weak: symbol.is_weak() },
            };
            global.place = combine(global.place, place)?;
        }
        Ok(())
    }

    /// A name, entered if it is new: its index.
    pub fn enter(&mut self, name: Bytes) -> u32 {
        let next = self.list.len() as u32;
        let index = *self.by_name.entry(name).or_insert(next);
        if index == next {
            self.list.push(Global {
                name,
                place: Place::Undefined,
                is_wanted: false,
                visibility: elf::STV_DEFAULT,
                call_slot: None,
                copy: None,
                is_canonical: false,
                is_exported: false,
                is_hidden: false,
                version: None,
                node: None,
                is_dynamic: false,
                dynamic_index: 0,
            });
        }
        index
    }

    /// The index of a name that some object has.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// Whether a member of an archive that defines `name` is to be taken.
    pub fn is_missing(&self, name: &[u8]) -> bool {
        self.find(name).is_some_and(|index| {
            let global = &self.list[index as usize];
            global.place == Place::Undefined && global.is_wanted
        })
    }

    /// Whether any name is still to be found in a library: not those that are always the linker's.
    pub fn are_missing(&self) -> bool {
        self.list.iter().any(|g| g.place == Place::Undefined && g.is_wanted && g.name != b"_GLOBAL_OFFSET_TABLE_")
    }

    /// Whether a library may change what any name is.
    pub fn are_open(&self) -> bool {
        self.are_missing() || self.list.iter().any(|global| matches!(global.place, Place::Common { .. }))
    }

    /// Whether a name only has room reserved for it.
    pub fn is_common(&self, name: &[u8]) -> bool {
        self.find(name).is_some_and(|index| matches!(self.list[index as usize].place, Place::Common { .. }))
    }

    /// Names the linker defines if nobody else does.
    pub fn define_own(&mut self, options: &Options, has_section: impl Fn(&[u8]) -> bool) {
        for global in &mut self.list {
            if global.place != Place::Undefined {
                continue;
            }
            let own = match global.name {
                b"__executable_start" | b"__ehdr_start" => Own::Start,
                b"etext" | b"_etext" | b"__etext" => Own::TextEnd,
                b"edata" | b"_edata" | b"__bss_start" => Own::DataEnd,
                b"end" | b"_end" => Own::End,
                b"_GLOBAL_OFFSET_TABLE_" => Own::Table,
                b"_DYNAMIC" if options.is_dynamic() => Own::Dynamic,
                b"__rela_iplt_start" if !options.is_dynamic() => Own::SectionStart(names::CALL_RELOCATIONS),
                b"__rela_iplt_end" if !options.is_dynamic() => Own::SectionEnd(names::CALL_RELOCATIONS),
                b"__preinit_array_start" => Own::SectionStart(b".preinit_array"),
                b"__preinit_array_end" => Own::SectionEnd(b".preinit_array"),
                b"__init_array_start" => Own::SectionStart(b".init_array"),
                b"__init_array_end" => Own::SectionEnd(b".init_array"),
                b"__fini_array_start" => Own::SectionStart(b".fini_array"),
                b"__fini_array_end" => Own::SectionEnd(b".fini_array"),
                name => match (name.strip_prefix(b"__start_"), name.strip_prefix(b"__stop_")) {
                    (Some(section), _) if has_section(section) => Own::SectionStart(section),
                    (_, Some(section)) if has_section(section) => Own::SectionEnd(section),
                    _ => continue,
                },
            };
            global.place = Place::Own(own);
        }
    }

    /// Marks what a library that will be loaded must see: what it defines as well, and what it
    /// leaves undefined.
    pub fn export_to(&mut self, library: &Library) -> Outcome<()> {
        let undefined = library.undefined()?;
        for global in &mut self.list {
            let ours = matches!(global.place, Place::Object { .. } | Place::Common { .. });
            if !ours
                || global.is_exported
                || global.is_hidden
                || !matches!(global.visibility, elf::STV_DEFAULT | elf::STV_PROTECTED)
            {
                continue;
            }
            global.is_exported =
                undefined.contains(&global.name) || library.find(global.name, library::hash(global.name))?.is_some();
        }
        Ok(())
    }
}

/// `--wrap=NAME`: references to NAME mean `__wrap_NAME`, those to `__real_NAME` mean NAME.
fn wrapped(name: Bytes, options: &Options) -> Bytes {
    if options.wrapped.is_empty() {
        return name;
    }
    if options.wrapped.contains(name) {
        return kept::keep([b"__wrap_", name].concat());
    }
    name.strip_prefix(b"__real_").filter(|real| options.wrapped.contains(real)).unwrap_or(name)
}

/// `NAME@VERSION` and `NAME@@VERSION`, the version of NAME without one. A name that only its
/// version reaches keeps it.
fn split_version(name: Bytes, is_undefined: bool) -> (Bytes, Option<(Bytes, bool)>) {
    let Some(at) = name.iter().position(|&c| c == b'@') else { return (name, None) };
    let is_default = name.get(at + 1) == Some(&b'@');
    let version = &name[at + 1 + usize::from(is_default)..];
    match (is_undefined, is_default) {
        (true, true) => (kept::keep([&name[..at], b"@", version].concat()), None),
        (true, false) => (name, None),
        (false, _) => (if is_default { &name[..at] } else { name }, Some((version, is_default))),
    }
}

/// A name without its version.
pub fn base_name(name: Bytes) -> Bytes {
    name.split(|&c| c == b'@').next().unwrap_or(name)
}

/// What a name is after another definition was seen.
fn combine(old: Place, new: Place) -> Outcome<Place> {
    Ok(match (old, new) {
        (Place::Undefined | Place::Library { .. } | Place::Own(_), new) => new,
        (Place::Common { size, align, .. }, Place::Common { size: other, align: stricter, .. }) => {
            Place::Common { size: size.max(other), align: align.max(stricter), offset: 0 }
        }
        (Place::Common { .. }, new @ Place::Object { weak: false, .. }) => new,
        (old @ Place::Object { weak: false, .. }, Place::Common { .. }) => old,
        (Place::Object { weak: true, .. }, new @ Place::Object { weak: false, .. }) => new,
        (old @ Place::Object { .. }, Place::Object { weak: true, .. }) => old,
        _ => return Err(Declined("a symbol with several definitions")),
    })
}
