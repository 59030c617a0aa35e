//! The relocatable ELF64 file.
//!
//! Three steps: settle symbols (aliases, versions) and relocations (what can be
//! resolved here is patched and dropped; references to local symbols become
//! section plus offset where the psABI allows it, as GNU `as` does); choose and
//! order the symbol table; lay out and write. Sections keep their order, each
//! followed by its relocations.

use elf_object::{
    Endianness,
    write::StringId,
    write::elf::{FileHeader, Rel, SectionHeader, SectionIndex, Sym, SymbolIndex, Writer},
};

use crate::{
    builder::{ObjectBuilder, StackNote},
    relocations::RelocKind,
    sections::{Relocation, SectionData, SectionId, SectionSpec, section_flags, section_type},
    symbols::{Binding, Place, PlainName, SymbolId, SymbolKind, Visibility},
    unwind,
};

const SHN_ABS: u16 = 0xfff1;
const SHN_COMMON: u16 = 0xfff2;
/// COMMON objects that may be far away (psABI 4.2).
const SHN_X86_64_LCOMMON: u16 = 0xff02;
/// Size of a relocation record.
const RELA_SIZE: usize = 24;

/// Aliases of aliases further than this are reported as a cycle.
const MAX_ALIAS_CHAIN: usize = 1000;

/// A symbol's position after aliases are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Settled {
    Section(SectionId, u64),
    Absolute(u64),
    Common,
    /// Undefined; an alias of an undefined symbol means that symbol plus an offset.
    Undefined(SymbolId, i64),
}

/// A relocation ready to be written, but for the symbol's final number.
#[derive(Clone, Copy)]
struct FinalReloc {
    offset: u64,
    /// `None` is symbol number 0.
    symbol: Option<SymbolId>,
    kind: RelocKind,
    addend: i64,
}

impl ObjectBuilder {
    /// Ends the object and gives the file's bytes.
    ///
    /// # Errors
    /// A message for what an assembly programmer can get wrong: a relative
    /// field that does not reach its target, a cycle of aliases.
    pub fn write(mut self) -> Result<Vec<u8>, String> {
        if let Some(&(number, _)) = self.awaited.first() {
            self.errors.push(crate::builder::undefined_numbered(number, 'f'));
        }
        if !self.errors.is_empty() {
            return Err(self.errors.join("; "));
        }
        self.fold_subsections();
        unwind::write_frames(&mut self);
        write_notes(&mut self);
        apply_versions(&mut self);
        let groups = collect_groups(&mut self);
        let settled = settle_symbols(&self)?;
        for i in 0..self.symbols.len() {
            inherit_alias_properties(&mut self, SymbolId(i as u32));
        }
        let mut relocs = Vec::with_capacity(self.sections.len());
        for index in 0..self.sections.len() {
            relocs.push(settle_relocations(&mut self, &settled, SectionId(index as u32))?);
        }
        if self.compress_debug {
            self.sections.iter_mut().for_each(compress);
        }
        let order = order_symbols(&self, &settled, &relocs);
        write_file(&self, &settled, &relocs, &order, &groups)
    }
}

/// Compresses a debug section's bytes after an `Elf64_Chdr` (ELF gABI, "Section Compression"), if
/// that makes it smaller. Offsets of relocations stay those of the uncompressed bytes.
fn compress(section: &mut SectionData) {
    const ELFCOMPRESS_ZLIB: u64 = 1;
    let spec = &mut section.spec;
    if !spec.name.starts_with(".debug_") || spec.flags & section_flags::ALLOC != 0 || section.zeros != 0 {
        return;
    }
    let mut bytes = Vec::new();
    for word in [ELFCOMPRESS_ZLIB, section.bytes.len() as u64, section.align] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(miniz_oxide::deflate::compress_to_vec_zlib(&section.bytes, 6));
    if bytes.len() < section.bytes.len() {
        section.bytes = bytes;
        section.align = 8;
        spec.flags |= section_flags::COMPRESSED;
    }
}

fn write_notes(object: &mut ObjectBuilder) {
    let text = section_flags::MERGE | section_flags::STRINGS;
    if let Some(switches) = object.switches.take() {
        let spec = SectionSpec { entsize: 1, ..SectionSpec::new(".GCC.command.line", section_type::PROGBITS, text) };
        let section = object.section(&spec);
        object.append(section, 1, switches.as_bytes());
        object.append(section, 1, &[0]);
    }
    let idents = std::mem::take(&mut object.idents);
    if !idents.is_empty() {
        let spec = SectionSpec { entsize: 1, ..SectionSpec::new(".comment", section_type::PROGBITS, text) };
        let section = object.section(&spec);
        if object.section_data(section).bytes.is_empty() {
            object.append(section, 1, &[0]);
        }
        for ident in idents {
            object.append(section, 1, ident.as_bytes());
            object.append(section, 1, &[0]);
        }
    }
    if object.stack_note != StackNote::Absent && object.section_named(".note.GNU-stack").is_none() {
        let flags = if object.stack_note == StackNote::Executable { section_flags::EXECINSTR } else { 0 };
        object.section(&SectionSpec::new(".note.GNU-stack", section_type::PROGBITS, flags));
    }
}

/// A group: its signature and its sections.
struct Group {
    /// Of groups with one signature the linker keeps one.
    comdat: bool,
    signature: SymbolId,
    members: Vec<SectionId>,
}

fn collect_groups(object: &mut ObjectBuilder) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut by_name: rustc_hash::FxHashMap<Box<str>, usize> = Default::default();
    for index in 0..object.sections.len() {
        let Some(name) = object.sections[index].spec.group.clone() else { continue };
        let member = SectionId(index as u32);
        if let Some(&group) = by_name.get(&name) {
            groups[group].members.push(member);
            continue;
        }
        let signature = match object.find_symbol(&name) {
            Some(symbol) if object.symbol(symbol).place != Place::Undefined => symbol,
            // A name that nothing defines is a name only.
            _ => {
                let symbol = object.add_private_symbol(&name, SymbolKind::NoType);
                object.symbol_mut(symbol).place = Place::Absolute(0);
                symbol
            }
        };
        by_name.insert(name, groups.len());
        let comdat = !object.sections[index].spec.group_stays;
        groups.push(Group { comdat, signature, members: vec![member] });
    }
    groups
}

/// `.symver`: a defined symbol gets a second, versioned name; an undefined one is renamed.
fn apply_versions(object: &mut ObjectBuilder) {
    for (symbol, versioned, plain_name) in std::mem::take(&mut object.versions) {
        let defined = object.symbol(symbol).place != Place::Undefined;
        let name = match versioned.split_once("@@@") {
            Some((base, version)) => format!("{base}{}{version}", if defined { "@@" } else { "@" }),
            None => versioned.to_string(),
        };
        if !defined || plain_name == PlainName::Removed || versioned.contains("@@@") {
            let start = object.names.len() as u32;
            object.names.push_str(&name);
            object.symbol_mut(symbol).name = (start, name.len() as u32);
        } else {
            let entry = object.symbol(symbol).clone();
            let alias = object.add_symbol(&name, Binding::Global, entry.visibility, entry.kind);
            object.define_alias(alias, symbol, 0);
            if entry.binding == Binding::Weak {
                object.symbol_mut(alias).binding = Binding::Weak;
            }
        }
        match plain_name {
            PlainName::Local => object.symbol_mut(symbol).binding = Binding::Local,
            PlainName::Hidden => object.symbol_mut(symbol).visibility = Visibility::Hidden,
            PlainName::Kept | PlainName::Removed => {}
        }
    }
}

fn settle_symbols(object: &ObjectBuilder) -> Result<Vec<Settled>, String> {
    let mut settled = Vec::with_capacity(object.symbols.len());
    for index in 0..object.symbols.len() as u32 {
        settled.push(settle(object, SymbolId(index))?);
    }
    Ok(settled)
}

fn settle(object: &ObjectBuilder, start: SymbolId) -> Result<Settled, String> {
    let (mut symbol, mut offset) = (start, 0i64);
    for _ in 0..MAX_ALIAS_CHAIN {
        return Ok(match object.symbol(symbol).place {
            Place::Undefined => Settled::Undefined(symbol, offset),
            Place::Section(section, at) => Settled::Section(section, at.wrapping_add_signed(offset)),
            Place::Absolute(value) => Settled::Absolute(value.wrapping_add_signed(offset)),
            Place::Common { .. } => Settled::Common,
            Place::Alias(target, more) => {
                symbol = target;
                offset = offset.wrapping_add(more);
                continue;
            }
        });
    }
    Err(format!("symbol definition loop encountered at '{}'", object.symbol_name(start)))
}

/// An alias without a type or size of its own has its target's.
fn inherit_alias_properties(object: &mut ObjectBuilder, symbol: SymbolId) {
    let mut target = symbol;
    while let Place::Alias(next, _) = object.symbol(target).place {
        target = next;
    }
    if target == symbol {
        return;
    }
    let (kind, size) = (object.symbol(target).kind, object.symbol(target).size);
    let entry = object.symbol_mut(symbol);
    if entry.kind == SymbolKind::NoType && kind != SymbolKind::Section {
        entry.kind = kind;
    }
    if entry.size == 0 {
        entry.size = size;
    }
}

fn settle_relocations(
    object: &mut ObjectBuilder,
    settled: &[Settled],
    section: SectionId,
) -> Result<Vec<FinalReloc>, String> {
    let mut pending = std::mem::take(&mut object.sections[section.index()].relocs);
    if !pending.is_sorted_by_key(|r| r.offset) {
        pending.sort_by_key(|r| r.offset);
    }
    let size = object.sections[section.index()].size();
    if let Some(last) = pending.last().filter(|r| r.offset + u64::from(r.kind.size()) > size) {
        let name = &object.sections[section.index()].spec.name;
        base::bug!("relocation at {:#x} beyond the end of {name} ({size:#x} bytes)", last.offset);
    }
    let mut out = Vec::with_capacity(pending.len());
    for reloc in pending {
        if let Some(kept) = settle_relocation(object, settled, section, reloc)? {
            out.push(kept);
        }
    }
    Ok(out)
}

fn settle_relocation(
    object: &mut ObjectBuilder,
    settled: &[Settled],
    section: SectionId,
    reloc: Relocation,
) -> Result<Option<FinalReloc>, String> {
    let Relocation { offset, symbol, mut kind, addend } = reloc;
    if kind.is_tls() && object.symbol(symbol).kind == SymbolKind::NoType {
        // The linker insists that both sides agree on what is thread-local.
        object.symbol_mut(symbol).kind = SymbolKind::Tls;
    }
    if object.output.plain_got && matches!(kind, RelocKind::GotPcRelX | RelocKind::RexGotPcRelX) {
        kind = RelocKind::GotPcRel;
    }
    let keep = |symbol, kind, addend| Ok(Some(FinalReloc { offset, symbol, kind, addend }));
    let entry = object.symbol(symbol);
    let (local, ifunc) = (entry.binding == Binding::Local, entry.kind == SymbolKind::IFunc);
    match settled[symbol.index()] {
        // The alias itself is not written when its target is elsewhere.
        Settled::Undefined(base, more) => keep(Some(base), kind, addend + more),
        Settled::Absolute(value) if local && !kind.needs_symbol() => {
            let value = addend.wrapping_add(value as i64);
            if kind.is_pc_relative() {
                return keep(None, kind, value);
            }
            patch(object, section, offset, kind, value)?;
            Ok(None)
        }
        Settled::Section(target, at) if local && !ifunc && !kind.needs_symbol() => {
            if kind == RelocKind::Plt32 {
                kind = RelocKind::Pc32;
            }
            let value = (at as i64).wrapping_add(addend);
            if target == section && kind.is_pc_relative() {
                patch(object, section, offset, kind, value.wrapping_sub(offset as i64))?;
                return Ok(None);
            }
            // Merging moves entries: with an addend the linker could not tell which one is meant.
            let mergeable = object.sections[target.index()].is_mergeable();
            let exact = addend == 0 && !kind.is_pc_relative();
            if mergeable && !exact && object.symbol(symbol).kind != SymbolKind::Section {
                return keep(Some(symbol), kind, addend);
            }
            let start = object.section_symbol(target);
            keep(Some(start), kind, value)
        }
        _ => keep(Some(symbol), kind, addend),
    }
}

/// Writes a resolved value into its field.
fn patch(
    object: &mut ObjectBuilder,
    section: SectionId,
    offset: u64,
    kind: RelocKind,
    value: i64,
) -> Result<(), String> {
    let bits = kind.size() * 8;
    let fits = match kind {
        RelocKind::Abs64 | RelocKind::Pc64 | RelocKind::None => true,
        // Absolute narrow fields may be meant signed or unsigned.
        RelocKind::Abs8 | RelocKind::Abs16 | RelocKind::Abs32 => value >> (bits - 1) == -1 || value >> bits == 0,
        _ => value >> (bits - 1) == 0 || value >> (bits - 1) == -1,
    };
    let data = &mut object.sections[section.index()];
    if !fits {
        return Err(format!(
            "value {value:#x} does not fit in {} bytes at {}+{offset:#x}",
            kind.size(),
            data.spec.name
        ));
    }
    let (at, size) = (offset as usize, kind.size() as usize);
    data.bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
    Ok(())
}

/// The symbol table's order, without the null symbol.
struct SymbolOrder {
    symbols: Vec<SymbolId>,
    /// Number of each symbol; 0 for those not written. Grows beyond the resolved symbols by section
    /// symbols.
    numbers: Vec<u32>,
    /// Local symbols including the null symbol and the file symbol.
    locals: u32,
    has_file: bool,
}

fn order_symbols(object: &ObjectBuilder, settled: &[Settled], relocs: &[Vec<FinalReloc>]) -> SymbolOrder {
    let count = object.symbols.len();
    let mut referenced = vec![false; count];
    for reloc in relocs.iter().flatten() {
        if let Some(symbol) = reloc.symbol {
            referenced[symbol.index()] = true;
        }
    }
    // A global name for what is elsewhere is not written, but asks for the other.
    for (index, place) in settled.iter().enumerate() {
        if let Settled::Undefined(base, _) = place
            && base.index() != index
            && object.symbols[index].binding != Binding::Local
        {
            referenced[base.index()] = true;
        }
    }
    let is_local = |index: usize| {
        let undefined = matches!(settled.get(index), Some(Settled::Undefined(..)));
        object.symbols[index].binding == Binding::Local && !undefined
    };
    let written = |index: usize| {
        let entry = &object.symbols[index];
        if referenced[index] {
            return true;
        }
        if entry.kind == SymbolKind::Section {
            return false;
        }
        match settled[index] {
            Settled::Undefined(base, _) => entry.keep && base.index() == index,
            _ if entry.binding == Binding::Local => {
                let name = object.symbol_name(SymbolId(index as u32));
                let stripped = matches!(settled[index], Settled::Absolute(_)) && object.output.strip_local_absolute;
                (!name.starts_with(".L") || object.output.keep_locals) && !name.is_empty() && !stripped
            }
            _ => true,
        }
    };
    let mut symbols = Vec::new();
    // Section symbols first among the locals, as binutils does.
    for (_, section) in object.sections() {
        if let Some(symbol) = section.symbol.filter(|s| referenced[s.index()]) {
            symbols.push(symbol);
        }
    }
    let others = |local: bool| {
        (0..count)
            .filter(move |&i| object.symbols[i].kind != SymbolKind::Section && is_local(i) == local && written(i))
            .map(|i| SymbolId(i as u32))
    };
    symbols.extend(others(true));
    let has_file = object.source_name.is_some();
    let first = 1 + u32::from(has_file);
    let locals = first + symbols.len() as u32;
    symbols.extend(others(false));
    let mut numbers = vec![0; count];
    for (i, symbol) in symbols.iter().enumerate() {
        numbers[symbol.index()] = first + i as u32;
    }
    SymbolOrder { symbols, numbers, locals, has_file }
}

struct SectionLayout {
    index: SectionIndex,
    name: StringId,
    offset: usize,
    rela: Option<(SectionIndex, StringId, usize)>,
}

/// What has been given a place in the file before anything is written.
struct Reserved {
    layout: Vec<SectionLayout>,
    /// The name of the sections that are groups, if there are any.
    group_name: Option<StringId>,
    /// By group: where its section is, and how many entries it has.
    groups: Vec<(usize, usize)>,
    file_name: Option<StringId>,
    /// By symbol in order.
    names: Vec<Option<StringId>>,
    symtab: SectionIndex,
}

fn write_file(
    object: &ObjectBuilder,
    settled: &[Settled],
    relocs: &[Vec<FinalReloc>],
    order: &SymbolOrder,
    groups: &[Group],
) -> Result<Vec<u8>, String> {
    let rela_names: Vec<String> = object.sections.iter().map(|s| format!(".rela{}", s.spec.name)).collect();
    let mut file = Vec::new();
    let mut writer = Writer::new(Endianness::Little, true, &mut file);
    let reserved = reserve(&mut writer, object, settled, relocs, &rela_names, order, groups);
    let header =
        FileHeader { os_abi: os_abi(object), abi_version: 0, e_type: 1, e_machine: 62, e_entry: 0, e_flags: 0 };
    writer.write_file_header(&header).map_err(|error| error.to_string())?;
    for section in object.sections.iter().filter(|s| !s.is_zero_filled()) {
        writer.write_align(section.align as usize);
        writer.write(&section.bytes);
    }
    write_groups(&mut writer, groups, &reserved.layout);
    write_symbols(&mut writer, object, settled, order, &reserved);
    write_relocations(&mut writer, relocs, order);
    writer.write_shstrtab();
    writer.write_null_section_header();
    for (group, &(offset, count)) in groups.iter().zip(&reserved.groups) {
        let signature = SymbolIndex(order.numbers[group.signature.index()]);
        let name = reserved.group_name.expect("there are groups");
        writer.write_comdat_section_header(name, reserved.symtab, signature, offset, count);
    }
    write_headers(&mut writer, object, relocs, &reserved.layout, reserved.symtab, order.locals);
    Ok(file)
}

/// Gives everything its place, in the order in which it is written.
fn reserve<'a>(
    writer: &mut Writer<'a>,
    object: &'a ObjectBuilder,
    settled: &[Settled],
    relocs: &[Vec<FinalReloc>],
    rela_names: &'a [String],
    order: &SymbolOrder,
    groups: &[Group],
) -> Reserved {
    writer.reserve_file_header();
    // Groups come before their members.
    let group_name = (!groups.is_empty()).then(|| writer.add_section_name(b".group"));
    for _ in groups {
        writer.reserve_section_index();
    }
    let mut layout = reserve_sections(writer, object, relocs, rela_names);
    let file_name = object.source_name.as_deref().map(|name| {
        let id = writer.add_string(name.as_bytes());
        writer.reserve_symbol_index(None);
        id
    });
    let mut names = Vec::with_capacity(order.symbols.len());
    for &symbol in &order.symbols {
        let name = object.symbol_name(symbol);
        names.push((!name.is_empty()).then(|| writer.add_string(name.as_bytes())));
        writer.reserve_symbol_index(place_section(object, settled, symbol).map(|s| layout[s.index()].index));
    }
    if order.symbols.is_empty() && !order.has_file {
        writer.reserve_null_symbol_index();
    }
    let symtab = writer.reserve_symtab_section_index();
    if writer.symtab_shndx_needed() {
        writer.reserve_symtab_shndx_section_index();
    }
    writer.reserve_strtab_section_index();
    writer.reserve_shstrtab_section_index();
    for (section, place) in object.sections.iter().zip(&mut layout) {
        if !section.is_zero_filled() {
            place.offset = writer.reserve(section.bytes.len(), section.align as usize);
        }
    }
    let groups = groups
        .iter()
        .map(|group| {
            let count = group_entries(group, &layout).count();
            (writer.reserve_comdat(count), count)
        })
        .collect();
    writer.reserve_symtab();
    writer.reserve_symtab_shndx();
    writer.reserve_strtab();
    for (place, relocs) in layout.iter_mut().zip(relocs) {
        if let Some(rela) = &mut place.rela {
            rela.2 = writer.reserve_relocations(relocs.len(), true);
        }
    }
    writer.reserve_shstrtab();
    writer.reserve_section_headers();
    Reserved { layout, group_name, groups, file_name, names, symtab }
}

/// The sections of a group, each with its relocations.
fn group_entries(group: &Group, layout: &[SectionLayout]) -> impl Iterator<Item = SectionIndex> {
    group.members.iter().flat_map(|member| {
        let place = &layout[member.index()];
        [Some(place.index), place.rela.map(|r| r.0)].into_iter().flatten()
    })
}

fn reserve_sections<'a>(
    writer: &mut Writer<'a>,
    object: &'a ObjectBuilder,
    relocs: &[Vec<FinalReloc>],
    rela_names: &'a [String],
) -> Vec<SectionLayout> {
    let mut layout = Vec::with_capacity(object.sections.len());
    for ((section, relocs), rela_name) in object.sections.iter().zip(relocs).zip(rela_names) {
        let name = writer.add_section_name(section.spec.name.as_bytes());
        let index = writer.reserve_section_index();
        let rela = (!relocs.is_empty()).then(|| {
            let name = writer.add_section_name(rela_name.as_bytes());
            (writer.reserve_section_index(), name, 0)
        });
        layout.push(SectionLayout { index, name, offset: 0, rela });
    }
    layout
}

fn write_groups(writer: &mut Writer<'_>, groups: &[Group], layout: &[SectionLayout]) {
    for group in groups {
        match group.comdat {
            true => writer.write_comdat_header(),
            false => {
                writer.write_align(4);
                writer.write(&[0; 4]);
            }
        }
        for entry in group_entries(group, layout) {
            writer.write_comdat_entry(entry);
        }
    }
}

fn write_symbols(
    writer: &mut Writer<'_>,
    object: &ObjectBuilder,
    settled: &[Settled],
    order: &SymbolOrder,
    reserved: &Reserved,
) {
    writer.write_null_symbol();
    if let Some(name) = reserved.file_name {
        writer.write_symbol(&Sym {
            name: Some(name),
            section: None,
            st_info: SymbolKind::File as u8,
            st_other: 0,
            st_shndx: SHN_ABS,
            st_value: 0,
            st_size: 0,
        });
    }
    for (&symbol, &name) in order.symbols.iter().zip(&reserved.names) {
        writer.write_symbol(&symbol_record(object, settled, symbol, name, &reserved.layout));
    }
    writer.write_symtab_shndx();
    writer.write_strtab();
}

fn write_relocations(writer: &mut Writer<'_>, relocs: &[Vec<FinalReloc>], order: &SymbolOrder) {
    for relocs in relocs.iter().filter(|r| !r.is_empty()) {
        writer.write_align_relocation();
        for reloc in relocs {
            writer.write_relocation(
                true,
                &Rel {
                    r_offset: reloc.offset,
                    r_sym: reloc.symbol.map_or(0, |s| order.numbers[s.index()]),
                    r_type: reloc.kind.elf(),
                    r_addend: reloc.addend,
                },
            );
        }
    }
}

/// The section that an ordered section follows: that of the symbol of this name, as `as` has it, or
/// the one of this name.
fn linked_section(object: &ObjectBuilder, name: &str) -> Option<SectionId> {
    let of_symbol = object.find_symbol(name).and_then(|symbol| match object.symbol(symbol).place {
        Place::Section(section, _) => Some(section),
        _ => None,
    });
    of_symbol.or_else(|| object.section_named(name))
}

fn write_headers(
    writer: &mut Writer<'_>,
    object: &ObjectBuilder,
    relocs: &[Vec<FinalReloc>],
    layout: &[SectionLayout],
    symtab: SectionIndex,
    locals: u32,
) {
    for ((section, relocs), place) in object.sections.iter().zip(relocs).zip(layout) {
        let link = section.spec.link.as_deref().and_then(|name| linked_section(object, name));
        writer.write_section_header(&SectionHeader {
            name: Some(place.name),
            sh_type: section.spec.kind,
            sh_flags: section.spec.flags,
            sh_addr: 0,
            sh_offset: place.offset as u64,
            sh_size: section.size(),
            sh_link: link.map_or(0, |s| layout[s.index()].index.0),
            sh_info: 0,
            sh_addralign: section.align,
            sh_entsize: section.spec.entsize,
        });
        if let Some((_, name, offset)) = place.rela {
            // Link information, and membership in the group of what they relocate.
            const SHF_INFO_LINK: u64 = 0x40;
            writer.write_section_header(&SectionHeader {
                name: Some(name),
                sh_type: 4,
                sh_flags: SHF_INFO_LINK | section.spec.flags & section_flags::GROUP,
                sh_addr: 0,
                sh_offset: offset as u64,
                sh_size: (relocs.len() * RELA_SIZE) as u64,
                sh_link: symtab.0,
                sh_info: place.index.0,
                sh_addralign: 8,
                sh_entsize: RELA_SIZE as u64,
            });
        }
    }
    writer.write_symtab_section_header(locals);
    writer.write_symtab_shndx_section_header();
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
}

fn place_section(object: &ObjectBuilder, settled: &[Settled], symbol: SymbolId) -> Option<SectionId> {
    match settled.get(symbol.index()) {
        Some(Settled::Section(section, _)) => Some(*section),
        Some(_) => None,
        // A section symbol made while relocations were resolved.
        None => match object.symbol(symbol).place {
            Place::Section(section, _) => Some(section),
            _ => None,
        },
    }
}

fn symbol_record(
    object: &ObjectBuilder,
    settled: &[Settled],
    symbol: SymbolId,
    name: Option<StringId>,
    layout: &[SectionLayout],
) -> Sym {
    let entry = object.symbol(symbol);
    let place = settled.get(symbol.index()).copied().unwrap_or(match entry.place {
        Place::Section(section, at) => Settled::Section(section, at),
        _ => Settled::Absolute(0),
    });
    let (section, st_shndx, st_value) = match place {
        Settled::Section(section, at) => (Some(layout[section.index()].index), 0, at),
        Settled::Absolute(value) => (None, SHN_ABS, value),
        Settled::Undefined(..) => (None, 0, 0),
        Settled::Common => {
            let (align, large) = match entry.place {
                Place::Common { align, large } => (align, large),
                _ => (1, false),
            };
            (None, if large { SHN_X86_64_LCOMMON } else { SHN_COMMON }, u64::from(align))
        }
    };
    let undefined = matches!(place, Settled::Undefined(..));
    let binding = match entry.binding {
        // A reference that nothing here defines is for the linker.
        Binding::Local if undefined => 1,
        Binding::Local => 0,
        Binding::Global => 1,
        Binding::Weak => 2,
    };
    let kind = match entry.kind {
        // What an undefined symbol is, only its definition says; TLS must agree, though.
        SymbolKind::Tls | SymbolKind::Section => entry.kind,
        _ if undefined => SymbolKind::NoType,
        SymbolKind::Object if place == Settled::Common && object.output.stt_common => SymbolKind::Common,
        kind => kind,
    };
    let visibility = if binding == 0 { Visibility::Default } else { entry.visibility };
    Sym {
        name,
        section,
        st_info: (binding << 4) | kind as u8,
        st_other: visibility as u8,
        st_shndx,
        st_value,
        st_size: if undefined { 0 } else { entry.size },
    }
}

/// Files that use GNU extensions of the symbol or section types say so in the header.
fn os_abi(object: &ObjectBuilder) -> u8 {
    const ELFOSABI_GNU: u8 = 3;
    let gnu = object.symbols.iter().any(|s| s.kind == SymbolKind::IFunc)
        || object.sections.iter().any(|s| s.spec.flags & section_flags::GNU_RETAIN != 0);
    if gnu { ELFOSABI_GNU } else { 0 }
}
