//! Section descriptions: name, ELF type, flags.

use crate::ids::SymbolId;

pub use crate::ids::SectionId;

/// ELF section types (`sh_type`) used in relocatable objects.
pub mod section_type {
    /// Contents in the file.
    pub const PROGBITS: u32 = 1;
    /// Notes.
    pub const NOTE: u32 = 7;
    /// Zero-filled, no contents.
    pub const NOBITS: u32 = 8;
    /// Pointers to constructors.
    pub const INIT_ARRAY: u32 = 14;
    /// Pointers to destructors.
    pub const FINI_ARRAY: u32 = 15;
    /// Pointers to functions run before constructors.
    pub const PREINIT_ARRAY: u32 = 16;
    /// x86-64 unwind tables (`@unwind`).
    pub const X86_64_UNWIND: u32 = 0x7000_0001;
}

/// ELF section flags (`sh_flags`).
pub mod section_flags {
    /// `w`: writable.
    pub const WRITE: u64 = 1;
    /// `a`: occupies memory at run time.
    pub const ALLOC: u64 = 2;
    /// `x`: executable.
    pub const EXECINSTR: u64 = 4;
    /// `M`: equal entries may be merged.
    pub const MERGE: u64 = 0x10;
    /// `S`: zero-terminated strings.
    pub const STRINGS: u64 = 0x20;
    /// `o`: ordered with the section it links to.
    pub const LINK_ORDER: u64 = 0x80;
    /// `G`: member of a group.
    pub const GROUP: u64 = 0x200;
    /// The bytes begin with an `Elf64_Chdr` and are compressed.
    pub const COMPRESSED: u64 = 0x800;
    /// `T`: thread-local.
    pub const TLS: u64 = 0x400;
    /// `R`: kept by garbage collection.
    pub const GNU_RETAIN: u64 = 0x20_0000;
    /// `l`: large code model data.
    pub const LARGE: u64 = 0x1000_0000;
    /// `e`: left out of executables.
    pub const EXCLUDE: u64 = 0x8000_0000;
}

/// What identifies a section: sections with equal specifications are one.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct SectionSpec {
    /// Name, as `.text` or `.data.rel.ro`.
    pub name: Box<str>,
    /// `sh_type`, see [`section_type`].
    pub kind: u32,
    /// `sh_flags`, see [`section_flags`].
    pub flags: u64,
    /// Size of an entry for mergeable sections, else 0.
    pub entsize: u64,
    /// Name of the section linked to, with [`section_flags::LINK_ORDER`].
    pub link: Option<Box<str>>,
    /// Signature of the COMDAT group it is a member of: of groups with one signature the linker
    /// keeps one.
    pub group: Option<Box<str>>,
    /// The group is not COMDAT: its sections are kept or dropped together, and those of other
    /// objects stay as well.
    pub group_stays: bool,
    /// A subsection other than 0 (`.subsection`): it becomes a part of the section of the same
    /// name, in the order of these numbers, when the object is written.
    pub subsection: i64,
}

impl SectionSpec {
    /// A section with contents.
    pub fn new(name: &str, kind: u32, flags: u64) -> SectionSpec {
        SectionSpec {
            name: name.into(),
            kind,
            flags,
            entsize: 0,
            link: None,
            group: None,
            group_stays: false,
            subsection: 0,
        }
    }

    /// A code section.
    pub fn text(name: &str) -> SectionSpec {
        SectionSpec::new(name, section_type::PROGBITS, section_flags::ALLOC | section_flags::EXECINSTR)
    }

    /// A read-only data section.
    pub fn read_only(name: &str) -> SectionSpec {
        SectionSpec::new(name, section_type::PROGBITS, section_flags::ALLOC)
    }

    /// A writable data section.
    pub fn data(name: &str) -> SectionSpec {
        SectionSpec::new(name, section_type::PROGBITS, section_flags::ALLOC | section_flags::WRITE)
    }

    /// A zero-filled section.
    pub fn bss(name: &str) -> SectionSpec {
        SectionSpec::new(name, section_type::NOBITS, section_flags::ALLOC | section_flags::WRITE)
    }

    /// A mergeable section of entries of `entsize` bytes.
    pub fn mergeable(name: &str, entsize: u64, strings: bool) -> SectionSpec {
        let flags = section_flags::ALLOC | section_flags::MERGE | if strings { section_flags::STRINGS } else { 0 };
        SectionSpec { entsize, ..SectionSpec::new(name, section_type::PROGBITS, flags) }
    }

    /// The section of that name with the type and flags that the name alone has in GNU `as`, or
    /// `None` if it has none.
    pub fn by_name(name: &str) -> Option<SectionSpec> {
        let &(_, _, kind, flags) = special(name)?;
        Some(SectionSpec { entsize: entry_size(kind), ..SectionSpec::new(name, kind, flags) })
    }

    /// The section that `.section name, "flags", @kind` makes in GNU `as`: what the name implies is
    /// added, unless the flags contradict it.
    pub fn with_attributes(name: &str, kind: Option<u32>, flags: u64) -> SectionSpec {
        const GENERIC: u64 = 0xf_ffff;
        let Some(&(_, _, own_kind, own_flags)) = special(name) else {
            return SectionSpec::new(name, kind.unwrap_or(section_type::PROGBITS), flags);
        };
        let note = own_kind == section_type::NOTE && matches!(flags, section_flags::ALLOC | section_flags::EXECINSTR);
        let contradicts = flags & GENERIC & !own_flags != 0 && !note;
        let flags = if contradicts { flags } else { flags | own_flags };
        let array =
            matches!(own_kind, section_type::INIT_ARRAY | section_type::FINI_ARRAY | section_type::PREINIT_ARRAY);
        let kind = if array { own_kind } else { kind.unwrap_or(own_kind) };
        SectionSpec { entsize: entry_size(kind), ..SectionSpec::new(name, kind, flags) }
    }

    /// The names that exist in every object with these properties, whatever the program says of
    /// them.
    pub fn predefined(name: &str) -> Option<SectionSpec> {
        matches!(name, ".text" | ".data" | ".bss").then(|| SectionSpec::by_name(name)).flatten()
    }
}

/// How a name is compared with one in [`SPECIAL`].
#[derive(Clone, Copy, PartialEq)]
enum Suffix {
    /// Equal.
    None,
    /// Equal, or a dot follows.
    Dotted,
    /// Anything may follow.
    Any,
}

/// The names that GNU `as` knows (BFD's `special_sections`); the first that fits counts.
#[rustfmt::skip]
const SPECIAL: &[(&str, Suffix, u32, u64)] = {
    use section_flags::*;
    use section_type::*;
    use Suffix::*;
    &[
        (".text", Dotted, PROGBITS, ALLOC | EXECINSTR),
        (".data", Dotted, PROGBITS, ALLOC | WRITE),
        (".data1", None, PROGBITS, ALLOC | WRITE),
        (".bss", Dotted, NOBITS, ALLOC | WRITE),
        (".rodata", Dotted, PROGBITS, ALLOC),
        (".rodata1", None, PROGBITS, ALLOC),
        (".tdata", Dotted, PROGBITS, ALLOC | WRITE | TLS),
        (".tbss", Dotted, NOBITS, ALLOC | WRITE | TLS),
        (".init_array", Dotted, INIT_ARRAY, ALLOC | WRITE),
        (".fini_array", Dotted, FINI_ARRAY, ALLOC | WRITE),
        (".preinit_array", Dotted, PREINIT_ARRAY, ALLOC | WRITE),
        (".init", None, PROGBITS, ALLOC | EXECINSTR),
        (".fini", None, PROGBITS, ALLOC | EXECINSTR),
        (".plt", None, PROGBITS, ALLOC | EXECINSTR),
        (".got", None, PROGBITS, ALLOC | WRITE),
        (".note.GNU-stack", None, PROGBITS, 0),
        (".note", Any, NOTE, 0),
        (".noinit", Dotted, NOBITS, ALLOC | WRITE),
        (".persistent.bss", None, NOBITS, ALLOC | WRITE),
        (".persistent", Dotted, PROGBITS, ALLOC | WRITE),
        (".gnu.linkonce.b", Dotted, NOBITS, ALLOC | WRITE),
        (".gnu.linkonce.n", Dotted, NOBITS, ALLOC | WRITE),
        (".gnu.linkonce.p", Dotted, PROGBITS, ALLOC | WRITE),
        (".gnu.linkonce.lb", Dotted, NOBITS, ALLOC | WRITE | LARGE),
        (".gnu.linkonce.lr", Dotted, PROGBITS, ALLOC | LARGE),
        (".gnu.linkonce.lt", Dotted, PROGBITS, ALLOC | EXECINSTR | LARGE),
        (".lbss", Dotted, NOBITS, ALLOC | WRITE | LARGE),
        (".ldata", Dotted, PROGBITS, ALLOC | WRITE | LARGE),
        (".lrodata", Dotted, PROGBITS, ALLOC | LARGE),
        (".gnu.lto_", Any, PROGBITS, EXCLUDE),
    ]
};

fn special(name: &str) -> Option<&'static (&'static str, Suffix, u32, u64)> {
    SPECIAL.iter().find(|(known, suffix, ..)| {
        name.strip_prefix(known).is_some_and(|rest| {
            rest.is_empty() || *suffix == Suffix::Any || (*suffix == Suffix::Dotted && rest.starts_with('.'))
        })
    })
}

/// `sh_entsize` of sections whose entries have a size by their type.
fn entry_size(kind: u32) -> u64 {
    match kind {
        section_type::INIT_ARRAY | section_type::FINI_ARRAY | section_type::PREINIT_ARRAY => 8,
        _ => 0,
    }
}

/// A relocation of a section of the object being built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// Byte offset of the field in the section.
    pub offset: u64,
    /// The symbol referred to.
    pub symbol: SymbolId,
    /// What kind of field it is.
    pub kind: crate::relocations::RelocKind,
    /// ELF addend.
    pub addend: i64,
}

/// A section's contents so far.
#[derive(Clone, Debug)]
pub struct SectionData {
    /// Name, type, flags.
    pub spec: SectionSpec,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// The bytes (empty for zero-filled sections).
    pub bytes: Vec<u8>,
    /// Size of a zero-filled section.
    pub zeros: u64,
    /// Fields to relocate.
    pub relocs: Vec<Relocation>,
    /// The section's symbol, once something refers to it.
    pub(crate) symbol: Option<SymbolId>,
}

impl SectionData {
    /// An empty section.
    pub(crate) fn new(spec: SectionSpec) -> SectionData {
        SectionData { spec, align: 1, bytes: Vec::new(), zeros: 0, relocs: Vec::new(), symbol: None }
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        if self.is_zero_filled() { self.zeros } else { self.bytes.len() as u64 }
    }

    /// Whether it has no contents in the file.
    pub fn is_zero_filled(&self) -> bool {
        self.spec.kind == section_type::NOBITS
    }

    /// Whether the linker may merge its entries.
    pub fn is_mergeable(&self) -> bool {
        self.spec.flags & section_flags::MERGE != 0
    }

    /// Whether it holds code.
    pub fn is_code(&self) -> bool {
        self.spec.flags & section_flags::EXECINSTR != 0
    }
}
