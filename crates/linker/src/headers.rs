//! The headers and the dynamic section: where others find what is in the file.

use crate::dynamic::Tables;
use crate::inputs::Inputs;
use crate::layout::{Layout, Segment};
use crate::names;
use crate::options::Options;
use crate::scan::Needs;
use elf_object::elf;

/// The dynamic section; `rebased` relocations only move with the program.
pub fn dynamic_section(inputs: &Inputs, tables: &Tables, layout: &Layout, needs: &Needs, rebased: u64) -> Vec<u8> {
    let options = &inputs.options;
    let address = |name: &[u8]| layout.address_of(name);
    let size = |name: &[u8]| layout.find(name).map_or(0, |section| section.size);
    let mut entries: Vec<(u32, u64)> = tables.libraries.iter().map(|&name| (elf::DT_NEEDED, u64::from(name))).collect();
    entries.extend(tables.soname.map(|name| (elf::DT_SONAME, u64::from(name))));
    let run_path = if options.old_tags { elf::DT_RPATH } else { elf::DT_RUNPATH };
    entries.extend(tables.run_path.map(|name| (run_path, u64::from(name))));
    if options.shared && options.symbolic {
        entries.push((elf::DT_SYMBOLIC, 0));
    }
    for (name, tag) in [(b".init", elf::DT_INIT), (b".fini", elf::DT_FINI)] {
        entries.extend(layout.find(name).map(|section| (tag, section.address)));
    }
    let arrays: [(&[u8], u32, u32); 3] = [
        (b".preinit_array", elf::DT_PREINIT_ARRAY, elf::DT_PREINIT_ARRAYSZ),
        (b".init_array", elf::DT_INIT_ARRAY, elf::DT_INIT_ARRAYSZ),
        (b".fini_array", elf::DT_FINI_ARRAY, elf::DT_FINI_ARRAYSZ),
    ];
    for (name, start, bytes) in arrays {
        if let Some(section) = layout.find(name) {
            entries.extend([(start, section.address), (bytes, section.size)]);
        }
    }
    entries.extend([
        (elf::DT_GNU_HASH, address(names::HASH)),
        (elf::DT_STRTAB, address(names::STRINGS)),
        (elf::DT_SYMTAB, address(names::SYMBOLS)),
        (elf::DT_STRSZ, size(names::STRINGS)),
        (elf::DT_SYMENT, 24),
    ]);
    if !options.shared {
        entries.push((elf::DT_DEBUG, 0));
    }
    entries.push((elf::DT_PLTGOT, address(names::CALL_TABLE)));
    if !needs.calls.is_empty() {
        entries.extend([
            (elf::DT_PLTRELSZ, size(names::CALL_RELOCATIONS)),
            (elf::DT_PLTREL, u64::from(elf::DT_RELA)),
            (elf::DT_JMPREL, address(names::CALL_RELOCATIONS)),
        ]);
    }
    if needs.dynamic > 0 {
        entries.extend([
            (elf::DT_RELA, address(names::RELOCATIONS)),
            (elf::DT_RELASZ, size(names::RELOCATIONS)),
            (elf::DT_RELAENT, 24),
            (elf::DT_RELACOUNT, rebased),
        ]);
    }
    if tables.defined_count > 0 {
        entries.extend([
            (elf::DT_VERDEF, address(names::DEFINED_VERSIONS)),
            (elf::DT_VERDEFNUM, u64::from(tables.defined_count)),
        ]);
    }
    if tables.versioned_libraries > 0 {
        entries.extend([
            (elf::DT_VERNEED, address(names::NEEDED_VERSIONS)),
            (elf::DT_VERNEEDNUM, tables.versioned_libraries),
        ]);
    }
    if !tables.versions.is_empty() {
        entries.push((elf::DT_VERSYM, address(names::VERSIONS)));
    }
    let (mut flags, mut flags_1) = (options.flags, options.flags_1);
    if options.shared && options.symbolic {
        flags |= elf::DF_SYMBOLIC;
    }
    if needs.static_thread {
        flags |= elf::DF_STATIC_TLS;
    }
    if !options.is_lazy() {
        flags |= elf::DF_BIND_NOW;
        flags_1 |= elf::DF_1_NOW;
    }
    if options.pie {
        flags_1 |= elf::DF_1_PIE;
    }
    for (tag, value) in [(elf::DT_FLAGS, flags), (elf::DT_FLAGS_1, flags_1)] {
        if value != 0 {
            entries.push((tag, u64::from(value)));
        }
    }
    entries.push((elf::DT_NULL, 0));
    entries.into_iter().flat_map(|(tag, value)| [u64::from(tag), value]).flat_map(u64::to_le_bytes).collect()
}

/// The table of segments.
pub fn program_headers(options: &Options, layout: &Layout, file: &mut [u8]) {
    let mut bytes = Vec::with_capacity(56 * layout.program_headers as usize);
    let mut push = |kind: u32, flags: u32, s: Segment, align: u64| {
        bytes.extend(kind.to_le_bytes());
        bytes.extend(flags.to_le_bytes());
        for number in [s.offset, s.address, s.address, s.file_size, s.size, align] {
            bytes.extend(number.to_le_bytes());
        }
    };
    let of = |name: &[u8]| {
        layout.find(name).map_or(Segment::default(), |s| Segment {
            offset: s.offset,
            address: s.address,
            file_size: s.size,
            size: s.size,
        })
    };
    let size = 56 * layout.program_headers;
    let base = layout.segments[0].address;
    if !options.interpreter.is_empty() {
        push(elf::PT_PHDR, elf::PF_R, Segment { offset: 64, address: base + 64, file_size: size, size }, 8);
        push(elf::PT_INTERP, elf::PF_R, of(names::INTERPRETER), 1);
    }
    let flags = [elf::PF_R, elf::PF_R | elf::PF_X, elf::PF_R | elf::PF_W, elf::PF_R | elf::PF_W];
    for ((segment, flags), _) in layout.segments.into_iter().zip(flags).zip(layout.present).filter(|(_, there)| *there)
    {
        push(elf::PT_LOAD, flags, segment, 4096);
    }
    if options.is_dynamic() {
        push(elf::PT_DYNAMIC, elf::PF_R | elf::PF_W, of(names::DYNAMIC), 8);
    }
    for row in layout.notes() {
        let (first, last) = (&layout.sections[row.start], &layout.sections[row.end - 1]);
        let size = last.address + last.size - first.address;
        let note = Segment { offset: first.offset, address: first.address, file_size: size, size };
        push(elf::PT_NOTE, elf::PF_R, note, first.align);
    }
    if let Some((block, align)) = layout.thread {
        push(elf::PT_TLS, elf::PF_R, block, align);
    }
    if layout.find(names::FRAME_TABLE).is_some() {
        push(elf::PT_GNU_EH_FRAME, elf::PF_R, of(names::FRAME_TABLE), 4);
    }
    let executable = if options.exec_stack { elf::PF_X } else { 0 };
    let stack = Segment { size: options.stack_size, ..Segment::default() };
    push(elf::PT_GNU_STACK, elf::PF_R | elf::PF_W | executable, stack, 16);
    if options.relro && layout.present[2] {
        push(elf::PT_GNU_RELRO, elf::PF_R, layout.segments[2], 1);
    }
    debug_assert_eq!(bytes.len() as u64, size);
    file[64..64 + bytes.len()].copy_from_slice(&bytes);
}

/// The table of section headers and the names in it.
struct Headers {
    names: Vec<u8>,
    table: Vec<u8>,
}

impl Headers {
    /// `place` is address, offset, size; `links` are what the section refers to.
    fn push(
        &mut self,
        name: &[u8],
        kind: u32,
        flags: u64,
        place: [u64; 3],
        links: [u32; 2],
        align: u64,
        entry_size: u64,
    ) {
        self.table.extend((self.names.len() as u32).to_le_bytes());
        self.names.extend_from_slice(name);
        self.names.push(0);
        self.table.extend(kind.to_le_bytes());
        self.table.extend(flags.to_le_bytes());
        self.table.extend(place.into_iter().flat_map(u64::to_le_bytes));
        self.table.extend(links.into_iter().flat_map(u32::to_le_bytes));
        self.table.extend(align.to_le_bytes());
        self.table.extend(entry_size.to_le_bytes());
    }
}

/// The symbol table, the sections' names and headers after everything, and the file's header.
pub fn finish_file(
    inputs: &Inputs,
    layout: &Layout,
    file: &mut Vec<u8>,
    symbols: Option<(Vec<u8>, u32, Vec<u8>)>,
    entry: u64,
    tables: &Tables,
) {
    let mut headers = Headers { names: vec![0], table: vec![0; 64] };
    for section in &layout.sections {
        let links = match section.name {
            names::HASH | names::RELOCATIONS => [layout.index(names::SYMBOLS), 0],
            names::CALL_RELOCATIONS => [layout.index(names::SYMBOLS), layout.index(names::CALL_TABLE)],
            names::VERSIONS => [layout.index(names::SYMBOLS), 0],
            names::SYMBOLS => [layout.index(names::STRINGS), 1],
            names::NEEDED_VERSIONS => [layout.index(names::STRINGS), tables.versioned_libraries as u32],
            names::DEFINED_VERSIONS => [layout.index(names::STRINGS), tables.defined_count],
            names::DYNAMIC => [layout.index(names::STRINGS), 0],
            _ => [0, 0],
        };
        let place = [section.address, section.offset, section.size];
        headers.push(section.name, section.kind, section.flags, place, links, section.align, section.entry_size);
    }
    let mut count = layout.sections.len() as u32 + 1;
    if let Some((table, locals, names)) = symbols {
        file.resize(file.len().next_multiple_of(8), 0);
        let place = [0, file.len() as u64, table.len() as u64];
        headers.push(b".symtab", elf::SHT_SYMTAB, 0, place, [count + 1, locals], 8, 24);
        file.extend(table);
        headers.push(b".strtab", elf::SHT_STRTAB, 0, [0, file.len() as u64, names.len() as u64], [0, 0], 1, 0);
        file.extend(names);
        count += 2;
    }
    let offset = file.len() as u64;
    let length = headers.names.len() as u64 + b".shstrtab\0".len() as u64;
    headers.push(b".shstrtab", elf::SHT_STRTAB, 0, [0, offset, length], [0, 0], 1, 0);
    file.extend(&headers.names);
    file.resize(file.len().next_multiple_of(8), 0);
    let table = file.len() as u64;
    file.extend(&headers.table);
    let kind = if inputs.options.is_pic() { elf::ET_DYN } else { elf::ET_EXEC };
    let system = if inputs.objects.iter().any(|object| object.is_gnu) { elf::ELFOSABI_GNU } else { elf::ELFOSABI_NONE };
    let mut header = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, system];
    header.resize(16, 0);
    header.extend(kind.to_le_bytes());
    header.extend(elf::EM_X86_64.to_le_bytes());
    header.extend(1u32.to_le_bytes());
    for number in [entry, 64, table] {
        header.extend(number.to_le_bytes());
    }
    header.extend(0u32.to_le_bytes());
    for number in [64, 56, layout.program_headers as u16, 64, count as u16 + 1, count as u16] {
        header.extend(number.to_le_bytes());
    }
    file[..64].copy_from_slice(&header);
}
