//! Global names: who defines each, and what references to it need.

use super::inputs::Inputs;
use super::library::{self, Library};
use super::object::{Object, Symbol};
use super::read::Bytes;
use super::{Declined, Outcome};
use elf_object::elf;
use rustc_hash::FxHashMap;

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
    /// Whether an object refers to it, by a reference that is not weak: leaving it undefined would be an error.
    pub is_wanted: bool,
    /// The strictest visibility of those given (`STV_*`).
    pub visibility: u8,
    /// Its entry in the procedure linkage table.
    pub call_slot: Option<u32>,
    /// The copy of a library's variable.
    pub copy: Option<u32>,
    /// Whether its address in this program is that of its entry in the procedure linkage table.
    pub is_canonical: bool,
    /// Whether libraries must see it.
    pub is_exported: bool,
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
    pub fn add_object(&mut self, object: &mut Object, objects: &[Object]) -> Outcome<()> {
        for index in object.first_global.min(object.symbols.len())..object.symbols.len() {
            let symbol = object.symbols[index];
            let global = self.enter(symbol.name);
            object.symbols[index].global = global;
            let global = &mut self.list[global as usize];
            if symbol.visibility != elf::STV_DEFAULT
                && (global.visibility == elf::STV_DEFAULT || symbol.visibility < global.visibility)
            {
                global.visibility = symbol.visibility;
            }
            if symbol.section == elf::SHN_UNDEF {
                global.is_wanted |= !symbol.is_weak();
                continue;
            }
            let place = match symbol.section {
                elf::SHN_COMMON => Place::Common { size: symbol.size, align: symbol.value.max(1), offset: 0 },
                _ => Place::Object { object: objects.len() as u32, symbol: index as u32, weak: symbol.is_weak() },
            };
            global.place = combine(global.place, place)?;
        }
        Ok(())
    }

    fn enter(&mut self, name: Bytes) -> u32 {
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

    /// Whether a name only has room reserved for it.
    pub fn is_common(&self, name: &[u8]) -> bool {
        self.find(name).is_some_and(|index| matches!(self.list[index as usize].place, Place::Common { .. }))
    }

    /// Names the linker defines if nobody else does.
    pub fn define_own(&mut self, has_section: impl Fn(&[u8]) -> bool) {
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
                b"_DYNAMIC" => Own::Dynamic,
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

    /// Marks what a library that will be loaded must see: what it defines as well, and what it leaves undefined.
    pub fn export_to(&mut self, library: &Library) -> Outcome<()> {
        let undefined = library.undefined()?;
        for global in &mut self.list {
            let ours = matches!(global.place, Place::Object { .. } | Place::Common { .. });
            if !ours || global.is_exported || !matches!(global.visibility, elf::STV_DEFAULT | elf::STV_PROTECTED) {
                continue;
            }
            global.is_exported =
                undefined.contains(&global.name) || library.find(global.name, library::hash(global.name))?.is_some();
        }
        Ok(())
    }
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

/// What a relocation's symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A place in this program.
    Here,
    /// A place relative to the start of the program's thread-local storage.
    ThreadLocal,
    /// A number.
    Number,
    /// A function or variable of a shared library.
    Function,
    Variable,
    /// A weak reference to nothing.
    Null,
}

/// Classify the symbol of an object.
pub fn target(object: &Object, symbol: &Symbol, inputs: &Inputs) -> Outcome<Target> {
    let of = |object: &Object, symbol: &Symbol| {
        let is_declared = symbol.kind() == elf::STT_TLS;
        match symbol.section {
            elf::SHN_UNDEF | elf::SHN_ABS => Ok(Target::Number),
            section if !object.sections[usize::from(section)].kept => Err(Declined("a dropped section's symbol")),
            section => {
                let flags = object.sections[usize::from(section)].flags;
                let is_thread_local = is_declared || flags & u64::from(elf::SHF_TLS) != 0;
                Ok(if is_thread_local { Target::ThreadLocal } else { Target::Here })
            }
        }
    };
    let Inputs { globals, objects, libraries, .. } = inputs;
    if symbol.global == u32::MAX {
        return of(object, symbol);
    }
    match globals.list[symbol.global as usize].place {
        Place::Undefined => Ok(Target::Null),
        Place::Object { object, symbol, .. } => {
            let object = &objects[object as usize];
            of(object, &object.symbols[symbol as usize])
        }
        Place::Common { .. } | Place::Own(_) => Ok(Target::Here),
        Place::Library { library, symbol } => match libraries[library as usize].export(symbol)?.info & 15 {
            elf::STT_FUNC | elf::STT_GNU_IFUNC => Ok(Target::Function),
            elf::STT_OBJECT => Ok(Target::Variable),
            _ => Err(Declined("a kind of symbol in a library")),
        },
    }
}
