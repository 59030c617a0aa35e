//! Section descriptions: name, ELF type, flags.

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
    /// Signature of the COMDAT group it is a member of: of groups with one signature the linker keeps one.
    pub group: Option<Box<str>>,
    /// The group is not COMDAT: its sections are kept or dropped together, and those of other objects stay as well.
    pub group_stays: bool,
    /// A subsection other than 0 (`.subsection`): it becomes a part of the section of the same name,
    /// in the order of these numbers, when the object is written.
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

    /// The section of that name with the type and flags that the name implies to GNU `as` and `gcc`
    /// (`.text.*` is code, `.bss.*` zero-filled, `.tdata` thread-local, ...), or `None` if it implies none.
    pub fn by_name(name: &str) -> Option<SectionSpec> {
        use section_flags::*;
        use section_type::*;
        // Prefixes match whole dotted components; longer ones first.
        const KNOWN: &[(&str, u32, u64)] = &[
            (".text", PROGBITS, ALLOC | EXECINSTR),
            (".init_array", INIT_ARRAY, ALLOC | WRITE),
            (".fini_array", FINI_ARRAY, ALLOC | WRITE),
            (".preinit_array", PREINIT_ARRAY, ALLOC | WRITE),
            (".init", PROGBITS, ALLOC | EXECINSTR),
            (".fini", PROGBITS, ALLOC | EXECINSTR),
            (".plt", PROGBITS, ALLOC | EXECINSTR),
            (".data.rel.ro", PROGBITS, ALLOC | WRITE),
            (".data", PROGBITS, ALLOC | WRITE),
            (".data1", PROGBITS, ALLOC | WRITE),
            (".bss", NOBITS, ALLOC | WRITE),
            (".rodata", PROGBITS, ALLOC),
            (".rodata1", PROGBITS, ALLOC),
            (".tdata", PROGBITS, ALLOC | WRITE | TLS),
            (".tbss", NOBITS, ALLOC | WRITE | TLS),
            (".ldata", PROGBITS, ALLOC | WRITE | LARGE),
            (".lbss", NOBITS, ALLOC | WRITE | LARGE),
            (".lrodata", PROGBITS, ALLOC | LARGE),
            (".eh_frame", PROGBITS, ALLOC),
            (".gcc_except_table", PROGBITS, ALLOC),
            (".ctors", PROGBITS, ALLOC | WRITE),
            (".dtors", PROGBITS, ALLOC | WRITE),
            (".note", NOTE, 0),
            (".note.GNU-stack", PROGBITS, 0),
            (".comment", PROGBITS, MERGE | STRINGS),
            (".debug", PROGBITS, 0),
            (".debug_str", PROGBITS, MERGE | STRINGS),
            (".debug_line_str", PROGBITS, MERGE | STRINGS),
        ];
        let matches = |known: &str| {
            name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                || (known == ".debug" && name.starts_with(".debug_"))
        };
        let &(_, kind, flags) =
            KNOWN.iter().filter(|(known, ..)| matches(known)).max_by_key(|(known, ..)| known.len())?;
        let entsize = u64::from(flags & MERGE != 0);
        Some(SectionSpec { entsize, ..SectionSpec::new(name, kind, flags) })
    }
}

/// A section of the object being built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct SectionId(pub u32);

impl SectionId {
    /// Position in the list of sections.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A relocation of a section of the object being built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// Byte offset of the field in the section.
    pub offset: u64,
    /// The symbol referred to.
    pub symbol: crate::symbols::SymbolId,
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
    pub(crate) symbol: Option<crate::symbols::SymbolId>,
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
