//! Relocatable objects and archives of them.

use crate::read::{Bytes, LARGEST, name, slice, u16_at, u32_at, u64_at};
use crate::{Declined, Outcome};
use elf_object::elf;
use std::path::{Path, PathBuf};

/// A section of an object.
#[derive(Debug)]
pub struct Section {
    pub name: Bytes,
    /// `SHT_*`.
    pub kind: u32,
    /// `SHF_*`.
    pub flags: u64,
    pub align: u64,
    pub size: u64,
    /// Its contents, empty for `SHT_NOBITS`.
    pub data: Bytes,
    /// Its table of relocations with addends.
    pub relocations: Bytes,
    /// Whether it goes into the output.
    pub kept: bool,
    /// Whether it was left out: as another object has its group, or as nothing refers to it.
    pub dropped: bool,
    /// The output section and the offset in it, after layout.
    pub output: u32,
    pub offset: u64,
}

impl Section {
    /// Whether the program has it in memory.
    pub fn is_loaded(&self) -> bool {
        self.kept && self.flags & u64::from(elf::SHF_ALLOC) != 0
    }
}

/// A symbol of an object.
#[derive(Clone, Copy, Default, Debug)]
pub struct Symbol {
    pub name: Bytes,
    pub info: u8,
    pub visibility: u8,
    pub section: u16,
    pub value: u64,
    pub size: u64,
    /// Index in the table of global names; not set for local symbols.
    pub global: u32,
}

impl Symbol {
    /// `STT_*`.
    pub fn kind(&self) -> u8 {
        self.info & 15
    }

    /// Whether the binding is weak.
    pub fn is_weak(&self) -> bool {
        self.info >> 4 == elf::STB_WEAK
    }
}

/// How an object came to take part.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Source {
    /// It is named on the line.
    Named(PathBuf),
    /// A member of an archive that defines what was missing.
    Member,
    /// A member of an archive of which all take part.
    #[default]
    Whole,
}

/// An object that takes part in the link.
#[derive(Debug)]
pub struct Object {
    pub source: Source,
    pub sections: Vec<Section>,
    pub symbols: Vec<Symbol>,
    pub first_global: usize,
    /// Whether it has a `.note.gnu.property`.
    pub has_properties: bool,
    /// Whether it defines symbols of a kind that only GNU systems have.
    pub is_gnu: bool,
    /// Groups of which the program has one: name, sections.
    pub groups: Vec<(Bytes, Vec<u32>)>,
    /// Names whose use is worth a warning.
    pub warnings: Vec<Bytes>,
}

/// Sections whose order or merging needs rules that are not here.
const STRANGE: &[&[u8]] = &[b".jcr", b".gnu.", b".interp"];

/// Flags whose meaning is not here: compressed, ordered by another section, of the large model.
const STRANGE_FLAGS: u64 =
    (elf::SHF_COMPRESSED | elf::SHF_LINK_ORDER) as u64 | SHF_X86_64_LARGE | elf::SHF_OS_NONCONFORMING as u64;

/// Prefix of the sections whose text `ld` prints when their symbol is used.
const WARNING: &[u8] = b".gnu.warning.";

/// A section that may be anywhere in memory.
const SHF_X86_64_LARGE: u64 = 0x1000_0000;

/// Largest alignment: the size of a page.
const MAX_ALIGN: u64 = 4096;

/// Read an object's tables.
pub fn parse(data: Bytes) -> Outcome<Object> {
    if u16_at(data, 16)? != elf::ET_REL || u16_at(data, 18)? != elf::EM_X86_64 || data[4..6] != [2, 1] {
        return Err(Declined("no object of this machine"));
    }
    let (table, count, names) = (u64_at(data, 40)?, u16_at(data, 60)?, u16_at(data, 62)?);
    if count == 0 || names >= count {
        return Err(Declined("an object with very many sections"));
    }
    let header = |index: u64| slice(data, table.wrapping_add(index * 64), 64);
    let contents = |header: Bytes| slice(data, u64_at(header, 24)?, u64_at(header, 32)?);
    let names = contents(header(u64::from(names))?)?;
    let mut object = Object {
        source: Source::default(),
        sections: Vec::new(),
        symbols: Vec::new(),
        first_global: 0,
        has_properties: false,
        is_gnu: false,
        groups: Vec::new(),
        warnings: Vec::new(),
    };
    let (mut relocations, mut symbols, mut stack_note, mut groups) = (Vec::new(), None, false, Vec::new());
    object.sections.reserve(usize::from(count));
    for index in 0..u64::from(count) {
        let header = header(index)?;
        let kind = u32_at(header, 4)?;
        let mut section = Section {
            name: name(names, u32_at(header, 0)?)?,
            kind,
            flags: u64_at(header, 8)?,
            align: u64_at(header, 48)?.max(1),
            size: u64_at(header, 32)?,
            data: &[],
            relocations: &[],
            kept: false,
            dropped: false,
            output: u32::MAX,
            offset: 0,
        };
        match kind {
            elf::SHT_NULL | elf::SHT_STRTAB | SHT_LLVM_ADDRSIG => {}
            elf::SHT_SYMTAB => symbols = Some(header),
            elf::SHT_RELA => relocations.push((u32_at(header, 44)?, contents(header)?)),
            elf::SHT_NOBITS => section.kept = true,
            elf::SHT_PROGBITS
            | elf::SHT_NOTE
            | elf::SHT_INIT_ARRAY
            | elf::SHT_FINI_ARRAY
            | elf::SHT_PREINIT_ARRAY
            | elf::SHT_X86_64_UNWIND => {
                section.data = contents(header)?;
                section.kept = section.flags & u64::from(elf::SHF_EXCLUDE) == 0;
            }
            elf::SHT_GROUP => groups.push((u32_at(header, 44)?, contents(header)?)),
            _ => return Err(Declined("a kind of section")),
        }
        check(&mut section, &mut stack_note, &mut object)?;
        object.sections.push(section);
    }
    if !stack_note {
        return Err(Declined("an object that does not say what stack it needs"));
    }
    for (target, table) in relocations {
        let target = object.sections.get_mut(target as usize).ok_or(Declined("a damaged file"))?;
        if !target.relocations.is_empty() || target.kind == elf::SHT_NOBITS && !table.is_empty() {
            return Err(Declined("relocations in two tables, or of nothing"));
        }
        target.relocations = table;
    }
    if let Some(header) = symbols {
        let strings = u32_at(header, 40)?;
        let strings = contents(slice(data, table + u64::from(strings) * 64, 64)?)?;
        object.first_global = u32_at(header, 44)? as usize;
        read_symbols(contents(header)?, strings, &mut object)?;
    }
    for (symbol, members) in groups {
        read_group(symbol, members, &mut object)?;
    }
    Ok(object)
}

const SHT_LLVM_ADDRSIG: u32 = 0x6fff_4c03;

/// A group with `GRP_COMDAT`; others only belong together.
fn read_group(symbol: u32, members: Bytes, object: &mut Object) -> Outcome<()> {
    if u32_at(members, 0)? & elf::GRP_COMDAT == 0 {
        return Ok(());
    }
    let signature = object.symbols.get(symbol as usize).ok_or(Declined("a damaged file"))?;
    let mut name = signature.name;
    if name.is_empty() && signature.kind() == elf::STT_SECTION {
        name = object.sections.get(usize::from(signature.section)).ok_or(Declined("a damaged file"))?.name;
    }
    let members: Vec<u32> = crate::read::entries::<4>(&members[4..]).map(|bytes| u32::from_le_bytes(*bytes)).collect();
    if members.iter().any(|&at| at as usize >= object.sections.len()) {
        return Err(Declined("a damaged file"));
    }
    object.groups.push((name, members));
    Ok(())
}

fn check(section: &mut Section, stack_note: &mut bool, object: &mut Object) -> Outcome<()> {
    if !section.kept {
        return Ok(());
    }
    if section.name == b".note.GNU-stack" {
        if section.flags & u64::from(elf::SHF_EXECINSTR) != 0 {
            return Err(Declined("an executable stack"));
        }
        (*stack_note, section.kept) = (true, false);
        return Ok(());
    }
    if section.name == b".note.gnu.property" {
        (object.has_properties, section.kept) = (true, false);
        return Ok(());
    }
    if let Some(symbol) = section.name.strip_prefix(WARNING) {
        object.warnings.push(symbol);
        section.kept = false;
        return Ok(());
    }
    if STRANGE.iter().any(|prefix| section.name.starts_with(prefix)) || section.flags & STRANGE_FLAGS != 0 {
        return Err(Declined("a section with rules of its own"));
    }
    if section.align > MAX_ALIGN || !section.align.is_power_of_two() {
        return Err(Declined("a large alignment"));
    }
    Ok(())
}

fn read_symbols(table: Bytes, strings: Bytes, object: &mut Object) -> Outcome<()> {
    object.symbols.reserve(table.len() / 24);
    for entry in crate::read::entries::<24>(table) {
        let symbol = Symbol {
            name: name(strings, u32_at(entry, 0)?)?,
            info: entry[4],
            visibility: entry[5] & 3,
            section: u16_at(entry, 6)?,
            value: u64_at(entry, 8)?,
            size: u64_at(entry, 16)?,
            global: u32::MAX,
        };
        let ordinary = match symbol.section {
            elf::SHN_UNDEF | elf::SHN_ABS | elf::SHN_COMMON => true,
            index => usize::from(index) < object.sections.len(),
        };
        let global = object.symbols.len() >= object.first_global;
        let is_odd = !symbol.value.max(1).is_power_of_two() || symbol.value > MAX_ALIGN || symbol.size > LARGEST;
        if symbol.section == elf::SHN_COMMON && is_odd {
            return Err(Declined("a common symbol of unusual size or alignment"));
        }
        let binding = symbol.info >> 4;
        if !ordinary
            || global != (binding != elf::STB_LOCAL)
            || !matches!(binding, elf::STB_LOCAL | elf::STB_GLOBAL | elf::STB_WEAK | elf::STB_GNU_UNIQUE)
            || symbol.kind() == elf::STT_TLS && symbol.section == elf::SHN_COMMON
        {
            return Err(Declined("a kind of symbol"));
        }
        object.is_gnu |= binding == elf::STB_GNU_UNIQUE || symbol.kind() == elf::STT_GNU_IFUNC;
        object.symbols.push(symbol);
    }
    Ok(())
}

/// An archive; the members of a thin one are files beside it.
#[derive(Clone, Copy, Debug)]
pub struct Archive {
    data: Bytes,
    long_names: Bytes,
    is_thin: bool,
}

/// What a member is.
pub enum Member {
    Inside(Bytes),
    Beside(PathBuf),
}

const DAMAGED: Declined = Declined("a damaged file");
const MAGIC: usize = 8;
const HEADER: u64 = 60;

impl Archive {
    /// The archive that `data` is.
    pub fn parse(data: Bytes) -> Option<Archive> {
        let is_thin = data.starts_with(b"!<thin>\n");
        (is_thin || data.starts_with(b"!<arch>\n")).then_some(Archive { data, long_names: b"", is_thin })
    }

    /// The symbol index: (name, offset of the member's header).
    pub fn index(&mut self) -> Outcome<Vec<(Bytes, u64)>> {
        if self.data.len() == MAGIC {
            return Ok(Vec::new());
        }
        let (head, index, next) = self.header(MAGIC as u64)?;
        if !head.starts_with(b"/ ") {
            return Err(Declined("an archive without an index"));
        }
        self.find_long_names(next)?;
        let big = |at: usize| u32_at(index, at).map(u32::swap_bytes);
        let count = big(0)? as usize;
        let mut names = index.get(4 + 4 * count..).ok_or(DAMAGED)?;
        let mut found = Vec::with_capacity(count);
        for i in 0..count {
            let symbol = name(names, 0)?;
            names = &names[symbol.len() + 1..];
            found.push((symbol, u64::from(big(4 + 4 * i)?)));
        }
        Ok(found)
    }

    fn find_long_names(&mut self, at: u64) -> Outcome<()> {
        if at < self.data.len() as u64 {
            let (head, names, _) = self.header(at)?;
            if head.starts_with(b"//") {
                self.long_names = names;
            }
        }
        Ok(())
    }

    /// Offsets of the members' headers, without the tables.
    pub fn members(&mut self) -> Outcome<Vec<u64>> {
        let (mut at, mut found) = (MAGIC as u64, Vec::new());
        while at < self.data.len() as u64 {
            let (head, contents, next) = self.header(at)?;
            if head.starts_with(b"//") {
                self.long_names = contents;
            } else if !head.starts_with(b"/ ") && !head.starts_with(b"/SYM64/") {
                found.push(at);
            }
            at = next;
        }
        Ok(found)
    }

    /// Name field, contents if they are in the archive, offset of the next header, which is always
    /// further on.
    fn header(&self, at: u64) -> Outcome<(Bytes, Bytes, u64)> {
        let header = slice(self.data, at, HEADER)?;
        let size = std::str::from_utf8(&header[48..58]).ok().and_then(|text| text.trim_end().parse::<u64>().ok());
        let name = &header[..16];
        let is_inside = !self.is_thin || name.starts_with(b"/ ") || name.starts_with(b"//");
        let size = if is_inside { size.ok_or(DAMAGED)? } else { 0 };
        let contents = slice(self.data, at + HEADER, size)?;
        Ok((name, contents, (at + HEADER + size).next_multiple_of(2)))
    }

    /// The member whose header is at `at`, of the archive in the file `path`.
    pub fn member(&self, at: u64, path: &Path) -> Outcome<Member> {
        let (name, contents, _) = self.header(at)?;
        if !self.is_thin {
            return Ok(Member::Inside(contents));
        }
        let number = name.strip_prefix(b"/").and_then(|n| std::str::from_utf8(n).ok()).map(str::trim_end);
        let start = number.and_then(|n| n.parse::<usize>().ok()).ok_or(DAMAGED)?;
        let rest = self.long_names.get(start..).ok_or(DAMAGED)?;
        let end = rest.windows(2).position(|pair| pair == b"/\n").ok_or(DAMAGED)?;
        let file = std::str::from_utf8(&rest[..end]).map_err(|_| DAMAGED)?;
        Ok(Member::Beside(path.parent().unwrap_or(Path::new("")).join(file)))
    }
}
