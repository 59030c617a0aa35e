//! Where everything goes: output sections, their order, addresses and file offsets, segments.

use super::dynamic::Tables;
use super::inputs::Inputs;
use super::object::Section;
use super::scan::Needs;
use super::symbols::{Own, Place};
use super::{Declined, Outcome, frames};
use elf_object::elf;

/// A section of the executable.
#[derive(Debug)]
pub struct Output {
    pub name: &'static [u8],
    /// `SHT_*`, `SHF_*`.
    pub kind: u32,
    pub flags: u64,
    pub align: u64,
    pub size: u64,
    pub entry_size: u64,
    pub address: u64,
    pub offset: u64,
    /// Position in the file.
    rank: u32,
    /// What it is made of: (object, section).
    pub parts: Vec<(u32, u32)>,
}

/// A stretch of memory and the bytes of the file it is filled with.
#[derive(Clone, Copy, Default, Debug)]
pub struct Segment {
    pub offset: u64,
    pub address: u64,
    pub file_size: u64,
    pub size: u64,
}

/// The whole plan.
#[derive(Debug)]
pub struct Layout {
    /// In the order of the file; the first has the index 1.
    pub sections: Vec<Output>,
    /// What is only read, executed, written before the program starts, written: empty ones have no bytes.
    pub segments: [Segment; 4],
    /// Thread-local storage: its block, with its alignment.
    pub thread: Option<(Segment, u64)>,
    pub program_headers: u64,
    /// End of the loaded bytes in the file.
    pub end: u64,
    /// Room for copies of variables, at the start of the zeros: offsets in their section.
    pub copies: Vec<u64>,
    pub functions_with_frames: u64,
    base: u64,
}

const PAGE: u64 = 4096;
/// Largest section.
pub const LARGEST: u64 = 1 << 31;
/// Where a program that is not position independent is.
const FIXED_BASE: u64 = 0x40_0000;

/// Names of what is made here.
pub mod names {
    pub const INTERPRETER: &[u8] = b".interp";
    pub const BUILD_ID: &[u8] = b".note.gnu.build-id";
    pub const HASH: &[u8] = b".gnu.hash";
    pub const SYMBOLS: &[u8] = b".dynsym";
    pub const STRINGS: &[u8] = b".dynstr";
    pub const VERSIONS: &[u8] = b".gnu.version";
    pub const NEEDED_VERSIONS: &[u8] = b".gnu.version_r";
    pub const RELOCATIONS: &[u8] = b".rela.dyn";
    pub const CALL_RELOCATIONS: &[u8] = b".rela.plt";
    pub const FRAME_TABLE: &[u8] = b".eh_frame_hdr";
    pub const CALLS: &[u8] = b".plt.got";
    pub const DYNAMIC: &[u8] = b".dynamic";
    pub const TABLE: &[u8] = b".got";
    pub const CALL_TABLE: &[u8] = b".got.plt";
    pub const ZEROS: &[u8] = b".bss";
}

/// Ranks at which another segment starts, and where what is loaded ends.
const EXECUTED: u32 = 20;
const RELOCATED: u32 = 30;
const WRITTEN: u32 = 40;
const UNLOADED: u32 = 60;

/// Bytes of an entry of the procedure linkage table: a jump through the table, and padding.
pub const CALL_SIZE: u64 = 8;
/// Entries of the table of calls that belong to the dynamic linker.
pub const RESERVED: u64 = 3;
/// Bytes of the build identifier's note.
pub const BUILD_ID_SIZE: u64 = 36;

/// Plan the file.
pub fn layout(inputs: &mut Inputs, needs: &Needs, tables: &Tables, functions: u64) -> Outcome<Layout> {
    let mut layout = Layout {
        sections: Vec::new(),
        segments: Default::default(),
        thread: None,
        program_headers: 0,
        end: 0,
        copies: Vec::new(),
        functions_with_frames: functions,
        base: if inputs.pie { 0 } else { FIXED_BASE },
    };
    layout.add_made(inputs, needs, tables);
    layout.add_zeros(inputs, needs);
    layout.add_inputs(inputs)?;
    layout.sections.sort_by_key(|section| section.rank);
    let (objects, sections) = (&mut inputs.objects, &mut layout.sections);
    for (index, section) in sections.iter_mut().enumerate() {
        for &(object, part) in &section.parts {
            let part = &mut objects[object as usize].sections[part as usize];
            part.output = index as u32;
            section.size = section.size.next_multiple_of(part.align);
            part.offset = section.size;
            section.size = section.size.checked_add(part.size).ok_or(Declined("a damaged file"))?;
            if section.size > LARGEST {
                return Err(Declined("a large section"));
            }
        }
    }
    layout.place()?;
    Ok(layout)
}

impl Layout {
    fn add_made(&mut self, inputs: &Inputs, needs: &Needs, tables: &Tables) {
        use names::*;
        let alloc = elf::SHF_ALLOC;
        let writable = elf::SHF_ALLOC | elf::SHF_WRITE;
        let executable = elf::SHF_ALLOC | elf::SHF_EXECINSTR;
        let symbols = (tables.entries.len() as u64 + 1) * 24;
        let calls = needs.calls.len() as u64;
        let frame_table = 12 + 8 * self.functions_with_frames;
        let made: [(&[u8], u32, u32, u64, u64, u64, u32); 14] = [
            (INTERPRETER, elf::SHT_PROGBITS, alloc, 1, inputs.interpreter.len() as u64 + 1, 0, 0),
            (BUILD_ID, elf::SHT_NOTE, alloc, 4, BUILD_ID_SIZE, 0, 1),
            (HASH, elf::SHT_GNU_HASH, alloc, 8, tables.hash.len() as u64, 0, 2),
            (SYMBOLS, elf::SHT_DYNSYM, alloc, 8, symbols, 24, 3),
            (STRINGS, elf::SHT_STRTAB, alloc, 1, tables.strings.len() as u64, 0, 4),
            (VERSIONS, elf::SHT_GNU_VERSYM, alloc, 2, tables.versions.len() as u64, 2, 5),
            (NEEDED_VERSIONS, elf::SHT_GNU_VERNEED, alloc, 8, tables.needed_versions.len() as u64, 0, 6),
            (RELOCATIONS, elf::SHT_RELA, alloc, 8, needs.dynamic * 24, 24, 7),
            (CALL_RELOCATIONS, elf::SHT_RELA, alloc | elf::SHF_INFO_LINK, 8, calls * 24, 24, 8),
            (FRAME_TABLE, elf::SHT_PROGBITS, alloc, 4, frame_table, 0, 12),
            (CALLS, elf::SHT_PROGBITS, executable, 8, calls * CALL_SIZE, CALL_SIZE, 21),
            (DYNAMIC, elf::SHT_DYNAMIC, writable, 8, 0, 16, 35),
            (TABLE, elf::SHT_PROGBITS, writable, 8, needs.slots.len() as u64 * 8, 8, 36),
            (CALL_TABLE, elf::SHT_PROGBITS, writable, 8, (RESERVED + calls) * 8, 8, 37),
        ];
        for (name, kind, flags, align, size, entry_size, rank) in made {
            if size > 0 || name == DYNAMIC {
                let flags = u64::from(flags);
                let (address, offset, parts) = (0, 0, Vec::new());
                self.sections.push(Output { name, kind, flags, align, size, entry_size, address, offset, rank, parts });
            }
        }
        // Its entries are known by what else there is, most of which comes from the inputs.
        let has =
            |name: &[u8]| inputs.objects.iter().flat_map(|o| &o.sections).any(|s| s.is_loaded() && s.name == name);
        let optional = [b".init".as_slice(), b".fini"].iter().filter(|name| has(name)).count()
            + 2 * [b".init_array".as_slice(), b".fini_array"].iter().filter(|name| has(name)).count();
        let entries = tables.libraries.len()
            + optional
            + if needs.calls.is_empty() { 0 } else { 3 }
            + if needs.dynamic == 0 { 0 } else { 4 }
            + if tables.versions.is_empty() { 0 } else { 3 };
        // Hash, strings, symbols and their sizes, the debugger's word, the table of calls, two words of flags, the end.
        let size = (entries + 10) as u64 * 16;
        self.find_mut(names::DYNAMIC).expect("was just added").size = size;
    }

    /// Copies and common symbols, before the objects' zeros.
    fn add_zeros(&mut self, inputs: &mut Inputs, needs: &Needs) {
        let (mut size, mut align) = (0u64, 1);
        let mut room = |bytes: u64, alignment: u64| {
            let at = size.next_multiple_of(alignment);
            // Each is at most `LARGEST`; where the sum is more, the section is declined later.
            size = at + bytes;
            align = align.max(alignment);
            at
        };
        self.copies = needs.copies.iter().map(|copy| room(copy.size, copy.align)).collect();
        for global in &mut inputs.globals.list {
            if let Place::Common { size, align, offset } = &mut global.place {
                *offset = room(*size, *align);
            }
        }
        self.sections.push(Output {
            name: names::ZEROS,
            kind: elf::SHT_NOBITS,
            flags: u64::from(elf::SHF_ALLOC | elf::SHF_WRITE),
            align,
            size,
            entry_size: 0,
            address: 0,
            offset: 0,
            rank: 50,
            parts: Vec::new(),
        });
    }

    /// The output sections of the inputs' sections.
    fn add_inputs(&mut self, inputs: &mut Inputs) -> Outcome<()> {
        let mut comments: Vec<&[u8]> = Vec::new();
        let made = self.sections.len();
        for (object, sections) in inputs.objects.iter_mut().map(|o| &mut o.sections).enumerate() {
            for (index, section) in sections.iter_mut().enumerate().filter(|(_, s)| s.kept) {
                if section.name == b".comment" {
                    if comments.contains(&section.data) {
                        section.kept = false;
                        continue;
                    }
                    comments.push(section.data);
                }
                let name = output_name(section);
                let flags = section.flags & !u64::from(elf::SHF_MERGE | elf::SHF_STRINGS);
                let at = self.sections.iter().position(|output| output.name == name).unwrap_or_else(|| {
                    self.sections.push(Output {
                        name,
                        kind: section.kind,
                        flags,
                        align: 1,
                        size: 0,
                        entry_size: 0,
                        address: 0,
                        offset: 0,
                        rank: rank(name, section),
                        parts: Vec::new(),
                    });
                    self.sections.len() - 1
                });
                if at < made && name != names::ZEROS {
                    return Err(Declined("a section of a name that is made here"));
                }
                let output = &mut self.sections[at];
                if output.flags != flags && section.size > 0 {
                    if !output.parts.is_empty() || output.size > 0 {
                        output.flags |= merged_flags(output.flags, flags)?;
                    } else {
                        output.flags = flags;
                    }
                }
                if output.kind == elf::SHT_NOBITS && section.kind != elf::SHT_NOBITS && section.size > 0 {
                    return Err(Declined("contents in a section of zeros"));
                }
                output.align = output.align.max(section.align);
                output.parts.push((object as u32, index as u32));
            }
        }
        for output in self.sections.iter_mut().filter(|output| output.name == b".text") {
            output.parts.sort_by_key(|&(object, part)| {
                let name = inputs.objects[object as usize].sections[part as usize].name;
                let groups: [&[u8]; 4] = [b".text.unlikely", b".text.exit", b".text.startup", b".text.hot"];
                groups.iter().position(|group| name.starts_with(group)).unwrap_or(groups.len())
            });
        }
        Ok(())
    }

    fn find_mut(&mut self, name: &[u8]) -> Option<&mut Output> {
        self.sections.iter_mut().find(|section| section.name == name)
    }

    /// A section by its name.
    pub fn find(&self, name: &[u8]) -> Option<&Output> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// The index of a section in the file's table.
    pub fn index(&self, name: &[u8]) -> u32 {
        self.sections.iter().position(|section| section.name == name).map_or(0, |at| at as u32 + 1)
    }

    fn place(&mut self) -> Outcome<()> {
        let classes = self.sections.iter().filter(|s| s.rank < UNLOADED).map(|s| segment(s.rank));
        let mut present = [false; 4];
        classes.for_each(|class| present[class] = true);
        let is_thread = |s: &Output| s.flags & u64::from(elf::SHF_TLS) != 0;
        let notes = self.notes().len() as u64;
        // The table itself, the interpreter, the dynamic section, the stack, what is protected after relocation.
        self.program_headers = 5 + present.iter().filter(|p| **p).count() as u64 + notes;
        self.program_headers +=
            u64::from(self.sections.iter().any(is_thread)) + u64::from(self.functions_with_frames > 0);
        // The block of thread-local storage starts where its strictest part may.
        let align = self.sections.iter().filter(|s| is_thread(s)).map(|s| s.align).max().unwrap_or(1);
        if let Some(first) = self.sections.iter_mut().find(|s| is_thread(s)) {
            first.align = align;
        }
        let mut offset = 64 + 56 * self.program_headers;
        let mut address = self.base + offset;
        let mut class = 0;
        self.segments[0] = Segment { offset: 0, address: self.base, file_size: offset, size: offset };
        for section in self.sections.iter_mut().filter(|s| s.rank < UNLOADED) {
            let thread_zeros = section.kind == elf::SHT_NOBITS && is_thread(section);
            if segment(section.rank) != class {
                class = segment(section.rank);
                offset = offset.next_multiple_of(section.align);
                address = address.next_multiple_of(PAGE) + offset % PAGE;
                self.segments[class] = Segment { offset, address, file_size: 0, size: 0 };
            }
            let padding = address.next_multiple_of(section.align) - address;
            if section.kind != elf::SHT_NOBITS {
                offset += padding;
            }
            (section.address, section.offset) = (address + padding, offset);
            if is_thread(section) {
                let end = section.address + section.size;
                let (block, align) = self.thread.get_or_insert((
                    Segment { offset, address: section.address, file_size: 0, size: 0 },
                    section.align,
                ));
                *align = (*align).max(section.align);
                block.size = end - block.address;
                if !thread_zeros {
                    block.file_size = block.size;
                }
            }
            if thread_zeros {
                // Threads have it, the program's image does not.
                continue;
            }
            address += padding + section.size;
            let segment = &mut self.segments[class];
            if section.kind != elf::SHT_NOBITS {
                offset += section.size;
                segment.file_size = offset - segment.offset;
            }
            segment.size = address - segment.address;
            if address - self.base > 1 << 31 {
                return Err(Declined("a large program"));
            }
        }
        if self.segments[1].size == 0 || self.segments[3].size == 0 {
            return Err(Declined("a program without code or data"));
        }
        let relocated = &mut self.segments[2];
        relocated.size = (relocated.address + relocated.size).next_multiple_of(PAGE) - relocated.address;
        self.end = offset;
        for section in self.sections.iter_mut().filter(|s| s.rank >= UNLOADED) {
            offset = offset.next_multiple_of(section.align);
            section.offset = offset;
            offset += section.size;
        }
        self.end = offset;
        Ok(())
    }

    /// Rows of notes: indices of the sections of each, which are alike in alignment and beside each other.
    pub fn notes(&self) -> Vec<std::ops::Range<usize>> {
        let mut rows: Vec<std::ops::Range<usize>> = Vec::new();
        for (at, section) in self.sections.iter().enumerate() {
            if section.kind != elf::SHT_NOTE || section.rank >= UNLOADED {
                continue;
            }
            match rows.last_mut() {
                Some(row) if row.end == at && self.sections[row.start].align == section.align => row.end = at + 1,
                _ => rows.push(at..at + 1),
            }
        }
        rows
    }

    /// The address of a part.
    pub fn address(&self, section: &Section) -> u64 {
        self.sections[section.output as usize].address + section.offset
    }

    /// The address of a section made here, 0 if there is none.
    pub fn address_of(&self, name: &[u8]) -> u64 {
        self.find(name).map_or(0, |section| section.address)
    }

    /// A position the program asks for by name.
    pub fn own(&self, own: Own) -> u64 {
        let end = |at: usize| self.segments[at].address + self.segments[at].size;
        match own {
            Own::Start => self.base,
            Own::TextEnd => end(1),
            Own::DataEnd => self.segments[3].address + self.segments[3].file_size,
            Own::End => end(3),
            Own::Table => self.address_of(names::CALL_TABLE),
            Own::Dynamic => self.address_of(names::DYNAMIC),
            Own::SectionStart(name) => self.find(name).map_or(self.base, |s| s.address),
            Own::SectionEnd(name) => self.find(name).map_or(self.base, |s| s.address + s.size),
        }
    }

    /// The distance of the thread pointer from the start of the block of thread-local storage, which lies below it.
    pub fn thread_pointer(&self) -> u64 {
        self.thread.map_or(0, |(block, align)| block.address + block.size.next_multiple_of(align))
    }
}

fn segment(rank: u32) -> usize {
    match rank {
        0..EXECUTED => 0,
        EXECUTED..RELOCATED => 1,
        RELOCATED..WRITTEN => 2,
        _ => 3,
    }
}

/// Sections of functions and variables go together with the plain ones.
fn output_name(section: &Section) -> &'static [u8] {
    const FAMILIES: &[(&[u8], &[u8])] = &[
        (b".text", b".text."),
        (b".rodata", b".rodata."),
        (b".data.rel.ro", b".data.rel.ro."),
        (b".data", b".data."),
        (b".bss", b".bss."),
        (b".tdata", b".tdata."),
        (b".tbss", b".tbss."),
    ];
    let is_loaded = section.flags & u64::from(elf::SHF_ALLOC) != 0;
    let family = FAMILIES.iter().find(|(_, prefix)| is_loaded && section.name.starts_with(prefix));
    match family {
        Some((b".data", _)) if section.name == b".data.rel.ro" => section.name,
        Some((name, _)) => name,
        None => section.name,
    }
}

fn rank(name: &[u8], section: &Section) -> u32 {
    let has = |flag: u32| section.flags & u64::from(flag) != 0;
    match name {
        _ if !has(elf::SHF_ALLOC) => UNLOADED,
        b".init" => EXECUTED,
        b".text" => 22,
        b".fini" => 24,
        _ if has(elf::SHF_EXECINSTR) => 23,
        _ if has(elf::SHF_TLS) => {
            if section.kind == elf::SHT_NOBITS {
                31
            } else {
                RELOCATED
            }
        }
        b".init_array" => 32,
        b".fini_array" => 33,
        b".data.rel.ro" => 34,
        b".data" => WRITTEN,
        _ if has(elf::SHF_WRITE) => {
            if section.kind == elf::SHT_NOBITS {
                51
            } else {
                41
            }
        }
        _ if section.kind == elf::SHT_NOTE => 1,
        frames::NAME => 13,
        _ => 10,
    }
}

/// Sections of one name may differ in whether they can be written, if their place allows it.
fn merged_flags(old: u64, new: u64) -> Outcome<u64> {
    if (old ^ new) & u64::from(elf::SHF_ALLOC | elf::SHF_WRITE | elf::SHF_EXECINSTR | elf::SHF_TLS) != 0 {
        return Err(Declined("sections of one name that differ"));
    }
    Ok(new)
}
