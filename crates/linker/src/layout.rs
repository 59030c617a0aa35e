//! Where everything goes: output sections, their order, addresses and file offsets, segments.

use crate::dynamic::Tables;
use crate::inputs::Inputs;
use crate::object::Section;
use crate::options::Options;
use crate::read::LARGEST;
use crate::scan::Needs;
use crate::symbols::{Own, Place};
use crate::{Declined, Outcome, arrays, frames, names};
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
    /// What is only read, executed, written before the program starts, written.
    pub segments: [Segment; 4],
    /// Which of them there are.
    pub present: [bool; 4],
    /// Thread-local storage: its block, with its alignment.
    pub thread: Option<(Segment, u64)>,
    pub program_headers: u64,
    /// End of the loaded bytes in the file.
    pub end: u64,
    /// Room for copies of variables, at the start of the zeros: offsets in their section.
    pub copies: Vec<u64>,
    pub functions_with_frames: u64,
    /// Sizes of the entries of the procedure linkage table, and of what is before them.
    pub call_size: u64,
    pub first_call: u64,
    base: u64,
}

/// Flags that say what a linker may do with a section.
const INPUT_FLAGS: u32 = elf::SHF_MERGE | elf::SHF_STRINGS | elf::SHF_GROUP | elf::SHF_GNU_RETAIN;

const PAGE: u64 = 4096;
/// Where a program that is not position independent is.
const FIXED_BASE: u64 = 0x40_0000;

/// Ranks at which another segment starts, and where what is loaded ends.
const EXECUTED: u32 = 20;
const RELOCATED: u32 = 30;
const WRITTEN: u32 = 40;
const UNLOADED: u32 = 60;

/// Bytes of an entry of the procedure linkage table: a jump through the table, and padding.
const CALL_SIZE: u64 = 8;
/// Bytes of an entry that asks the dynamic linker at its first use, and of the entry before all,
/// which does that.
const LAZY_CALL_SIZE: u64 = 16;
/// Entries of the table of calls that belong to the dynamic linker.
pub const RESERVED: u64 = 3;
/// Bytes of the build identifier's note.
pub const BUILD_ID_SIZE: u64 = 36;

/// Plan the file, but for addresses: [`Layout::place`] gives them.
pub fn layout(inputs: &mut Inputs, needs: &Needs, tables: &Tables, functions: u64) -> Outcome<Layout> {
    let is_lazy = inputs.options.is_lazy();
    let mut layout = Layout {
        sections: Vec::new(),
        segments: Default::default(),
        present: [false; 4],
        call_size: if is_lazy { LAZY_CALL_SIZE } else { CALL_SIZE },
        first_call: if is_lazy { LAZY_CALL_SIZE } else { 0 },
        thread: None,
        program_headers: 0,
        end: 0,
        copies: Vec::new(),
        functions_with_frames: functions,
        base: if inputs.options.is_pic() { 0 } else { FIXED_BASE },
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
    Ok(layout)
}

impl Layout {
    fn add_made(&mut self, inputs: &Inputs, needs: &Needs, tables: &Tables) {
        use crate::names::*;
        let alloc = elf::SHF_ALLOC;
        let writable = elf::SHF_ALLOC | elf::SHF_WRITE;
        let executable = elf::SHF_ALLOC | elf::SHF_EXECINSTR;
        let options = &inputs.options;
        let is_dynamic = options.is_dynamic();
        let only_if = |condition: bool, size: u64| if condition { size } else { 0 };
        let symbols = only_if(is_dynamic, (tables.entries.len() as u64 + 1) * 24);
        let calls = needs.calls.len() as u64;
        let frame_table = only_if(options.frame_table, 12 + 8 * self.functions_with_frames);
        let interpreter = inputs.options.interpreter.len() as u64;
        let interpreter = only_if(interpreter > 0, interpreter + 1);
        let code = only_if(calls > 0, self.first_call + calls * self.call_size);
        let table_rank = if options.is_lazy() { WRITTEN } else { 37 };
        let made: [(&[u8], u32, u32, u64, u64, u64, u32); 15] = [
            (INTERPRETER, elf::SHT_PROGBITS, alloc, 1, interpreter, 0, 0),
            (BUILD_ID, elf::SHT_NOTE, alloc, 4, only_if(options.build_id, BUILD_ID_SIZE), 0, 1),
            (HASH, elf::SHT_GNU_HASH, alloc, 8, tables.hash.len() as u64, 0, 2),
            (SYMBOLS, elf::SHT_DYNSYM, alloc, 8, symbols, 24, 3),
            (STRINGS, elf::SHT_STRTAB, alloc, 1, tables.strings.len() as u64, 0, 4),
            (VERSIONS, elf::SHT_GNU_VERSYM, alloc, 2, tables.versions.len() as u64, 2, 5),
            (DEFINED_VERSIONS, elf::SHT_GNU_VERDEF, alloc, 8, tables.defined_versions.len() as u64, 0, 6),
            (NEEDED_VERSIONS, elf::SHT_GNU_VERNEED, alloc, 8, tables.needed_versions.len() as u64, 0, 6),
            (RELOCATIONS, elf::SHT_RELA, alloc, 8, needs.dynamic * 24, 24, 7),
            (CALL_RELOCATIONS, elf::SHT_RELA, alloc | elf::SHF_INFO_LINK, 8, calls * 24, 24, 8),
            (FRAME_TABLE, elf::SHT_PROGBITS, alloc, 4, frame_table, 0, 12),
            (CALLS, elf::SHT_PROGBITS, executable, 16, code, self.call_size, 21),
            (DYNAMIC, elf::SHT_DYNAMIC, writable, 8, 0, 16, 35),
            (TABLE, elf::SHT_PROGBITS, writable, 8, needs.words * 8, 8, 36),
            (CALL_TABLE, elf::SHT_PROGBITS, writable, 8, (RESERVED + calls) * 8, 8, table_rank),
        ];
        for (name, kind, flags, align, size, entry_size, rank) in made {
            if size > 0 || name == DYNAMIC && is_dynamic {
                let flags = u64::from(flags);
                let (address, offset, parts) = (0, 0, Vec::new());
                self.sections.push(Output { name, kind, flags, align, size, entry_size, address, offset, rank, parts });
            }
        }
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
                let name = output_name(section)?;
                let flags = section.flags & !u64::from(INPUT_FLAGS);
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
        for output in self.sections.iter_mut().filter(|output| ARRAYS.contains(&output.name)) {
            output.parts.sort_by_key(|&(object, part)| {
                let name = inputs.objects[object as usize].sections[part as usize].name;
                arrays::part(name).ok().flatten().map(|(_, place)| place)
            });
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

    /// The dynamic section's size, which is known when everything else is planned.
    pub fn set_dynamic_size(&mut self, size: u64) {
        if let Some(section) = self.find_mut(names::DYNAMIC) {
            section.size = size;
        }
    }

    /// Gives everything its address and its place in the file.
    pub fn place(&mut self, options: &Options) -> Outcome<()> {
        let is_thread = |s: &Output| s.flags & u64::from(elf::SHF_TLS) != 0;
        self.present[0] = true;
        for section in self.sections.iter().filter(|s| s.rank < UNLOADED && s.size > 0) {
            if section.kind != elf::SHT_NOBITS || !is_thread(section) {
                self.present[segment(section.rank)] = true;
            }
        }
        // The table itself with the interpreter, the dynamic section, the stack, what is protected
        // after relocation.
        let optional = [
            !options.interpreter.is_empty(),
            !options.interpreter.is_empty(),
            options.is_dynamic(),
            true,
            options.relro && self.present[2],
            self.sections.iter().any(is_thread),
            self.find(names::FRAME_TABLE).is_some(),
        ];
        let count = |flags: &[bool]| flags.iter().filter(|flag| **flag).count() as u64;
        self.program_headers = count(&optional) + count(&self.present) + self.notes().len() as u64;
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

    /// Rows of notes: indices of the sections of each, which are alike in alignment and beside each
    /// other.
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
        let end = |at: usize| {
            let last = (0..=at).rev().find(|&at| self.present[at]).unwrap_or(0);
            self.segments[last].address + self.segments[last].size
        };
        match own {
            Own::Start => self.base,
            Own::TextEnd => end(1),
            Own::DataEnd if self.present[3] => self.segments[3].address + self.segments[3].file_size,
            Own::DataEnd => end(2),
            // Where the line says.
            Own::Defined(_) => 0,
            Own::End => end(3),
            Own::Table => self.address_of(names::CALL_TABLE),
            Own::Dynamic => self.address_of(names::DYNAMIC),
            Own::SectionStart(name) => self.find(name).map_or(self.base, |s| s.address),
            Own::SectionEnd(name) => self.find(name).map_or(self.base, |s| s.address + s.size),
        }
    }

    /// The distance of the thread pointer from the start of the block of thread-local storage,
    /// which lies below it.
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
fn output_name(section: &Section) -> Outcome<&'static [u8]> {
    const FAMILIES: &[(&[u8], &[u8])] = &[
        (b".text", b".text."),
        (b".rodata", b".rodata."),
        (b".data.rel.ro", b".data.rel.ro."),
        (b".data", b".data."),
        (b".bss", b".bss."),
        (b".gcc_except_table", b".gcc_except_table."),
        (b".tdata", b".tdata."),
        (b".tbss", b".tbss."),
    ];
    let is_loaded = section.flags & u64::from(elf::SHF_ALLOC) != 0;
    if let (true, Some((array, _))) = (is_loaded, arrays::part(section.name)?) {
        return Ok(array);
    }
    let family = FAMILIES.iter().find(|(_, prefix)| is_loaded && section.name.starts_with(prefix));
    Ok(match family {
        Some((b".data", _)) if section.name == b".data.rel.ro" => section.name,
        Some((name, _)) => name,
        None => section.name,
    })
}

/// Sections of which the order of the parts is given by priorities.
const ARRAYS: [&[u8]; 2] = [b".init_array", b".fini_array"];

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
        b".preinit_array" | b".init_array" => 32,
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
