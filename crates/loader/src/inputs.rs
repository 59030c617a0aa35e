//! Objects and members of archives, and who defines each name.

use crate::{Error, Outcome, Request, error};
use elf_object::LittleEndian as Le;
use elf_object::elf;
use elf_object::read::archive::ArchiveFile;
use elf_object::read::elf::{FileHeader, SectionHeader, Sym};
use rustc_hash::{FxHashMap, FxHashSet};

type Header = elf::FileHeader64<Le>;
pub type Rela = elf::Rela64<Le>;

/// A section of an object.
pub struct Section<'a> {
    pub name: &'a [u8],
    /// `SHT_*`.
    pub kind: u32,
    /// `SHF_*`.
    pub flags: u64,
    pub size: u64,
    pub align: u64,
    /// Its bytes; empty for `SHT_NOBITS`.
    pub data: &'a [u8],
    pub relocations: &'a [Rela],
    /// Part of a group that another object has, too.
    pub dropped: bool,
}

impl Section<'_> {
    /// Whether the program has it in memory.
    pub fn is_loaded(&self) -> bool {
        !self.dropped && self.flags & u64::from(elf::SHF_ALLOC) != 0
    }
}

/// A symbol of an object.
pub struct Symbol<'a> {
    pub name: &'a [u8],
    /// `STT_*`.
    pub kind: u8,
    /// `STB_*`.
    pub binding: u8,
    /// Section index or `SHN_*`.
    pub section: u32,
    pub value: u64,
    pub size: u64,
}

/// An object that takes part.
pub struct Object<'a> {
    /// The whole file.
    pub bytes: &'a [u8],
    pub sections: Vec<Section<'a>>,
    pub symbols: Vec<Symbol<'a>>,
    /// Where its table of sections begins.
    pub section_table: u64,
}

/// Everything that is loaded.
pub struct Inputs<'a> {
    pub objects: Vec<Object<'a>>,
    /// Object and symbol of each global name that is defined.
    pub globals: FxHashMap<&'a [u8], (usize, usize)>,
}

const COMMON: u32 = elf::SHN_COMMON as u32;
const ABSOLUTE: u32 = elf::SHN_ABS as u32;

impl<'a> Inputs<'a> {
    pub fn read(request: &Request<'a>) -> Outcome<Inputs<'a>> {
        let mut inputs = Inputs { objects: Vec::new(), globals: FxHashMap::default() };
        let mut groups = FxHashSet::default();
        for bytes in &request.objects {
            inputs.add(parse(bytes, &mut groups)?)?;
        }
        if !request.archives.is_empty() {
            inputs.pull(&request.archives, &mut groups)?;
        }
        Ok(inputs)
    }

    fn add(&mut self, object: Object<'a>) -> Outcome<()> {
        let index = self.objects.len();
        for (number, symbol) in object.symbols.iter().enumerate() {
            if symbol.binding == elf::STB_LOCAL || symbol.section == 0 || symbol.name.is_empty() {
                continue;
            }
            if object.sections.get(symbol.section as usize).is_some_and(|section| section.dropped) {
                continue;
            }
            let Some(&(other, known)) = self.globals.get(symbol.name) else {
                self.globals.insert(symbol.name, (index, number));
                continue;
            };
            let known = if other == index { &object.symbols[known] } else { &self.objects[other].symbols[known] };
            // A definition of its own goes before a common one, and that before a weak one.
            let rank = |symbol: &Symbol<'_>| match symbol {
                _ if symbol.binding == elf::STB_WEAK => 0,
                _ if symbol.section == COMMON => 1,
                _ => 2,
            };
            match (rank(known), rank(symbol)) {
                (2, 2) => return error(format!("multiple definition of '{}'", String::from_utf8_lossy(symbol.name))),
                (1, 1) if symbol.size <= known.size => {}
                (before, now) if now < before || (before, now) == (0, 0) => {}
                _ => drop(self.globals.insert(symbol.name, (index, number))),
            }
        }
        self.objects.push(object);
        Ok(())
    }

    /// Members of archives that define what is missing, until nothing changes.
    fn pull(&mut self, archives: &[&'a [u8]], groups: &mut FxHashSet<&'a [u8]>) -> Outcome<()> {
        let mut members: FxHashMap<&[u8], &'a [u8]> = FxHashMap::default();
        for archive in archives {
            let damaged = |e: elf_object::read::Error| Error(format!("a damaged archive: {e}"));
            let file = ArchiveFile::parse(*archive).map_err(damaged)?;
            for symbol in file.symbols().map_err(damaged)?.into_iter().flatten() {
                let symbol = symbol.map_err(damaged)?;
                if members.contains_key(symbol.name()) {
                    continue;
                }
                let member = file.member(symbol.offset()).and_then(|m| m.data(*archive)).map_err(damaged)?;
                members.insert(symbol.name(), member);
            }
        }
        loop {
            let wanted = self.undefined().find_map(|name| members.get(name).copied());
            let Some(member) = wanted else { return Ok(()) };
            let before = self.globals.len();
            self.add(parse(member, groups)?)?;
            if self.globals.len() == before {
                return error("an archive whose index names what its members do not define");
            }
        }
    }

    /// Names that are referred to, not only weakly, and not defined; some several times.
    pub fn undefined(&self) -> impl Iterator<Item = &'a [u8]> {
        let symbols = self.objects.iter().flat_map(|object| &object.symbols);
        symbols
            .filter(|s| s.section == 0 && s.binding == elf::STB_GLOBAL && !self.globals.contains_key(s.name))
            .map(|s| s.name)
    }

    /// Defined global symbols in sections: name, (object, section), value.
    pub fn definitions(&self) -> impl Iterator<Item = (&'a [u8], (usize, usize), u64)> {
        self.globals.iter().filter_map(|(name, (object, symbol))| {
            let symbol = &self.objects[*object].symbols[*symbol];
            let is_placed = !matches!(symbol.section, COMMON | ABSOLUTE) && symbol.kind != elf::STT_TLS;
            is_placed.then_some((*name, (*object, symbol.section as usize), symbol.value))
        })
    }

    /// Functions of all objects: name, (object, section), value, size.
    pub fn functions(&self) -> impl Iterator<Item = (&'a [u8], (usize, usize), u64, u64)> {
        self.objects.iter().enumerate().flat_map(|(index, object)| {
            object.symbols.iter().filter_map(move |s| {
                let section = object.sections.get(s.section as usize)?;
                let is_one = s.kind == elf::STT_FUNC && s.section != 0 && section.is_loaded();
                is_one.then_some((s.name, (index, s.section as usize), s.value, s.size))
            })
        })
    }
}

fn parse<'a>(bytes: &'a [u8], groups: &mut FxHashSet<&'a [u8]>) -> Outcome<Object<'a>> {
    let damaged = |e: elf_object::read::Error| Error(format!("a damaged object: {e}"));
    let header = Header::parse(bytes).map_err(damaged)?;
    let endian = Le;
    if header.e_type(endian) != elf::ET_REL || header.e_machine(endian) != elf::EM_X86_64 {
        return error("an input that is no relocatable object of this machine");
    }
    let table = header.sections(endian, bytes).map_err(damaged)?;
    let mut sections = Vec::with_capacity(table.len());
    for section in table.iter() {
        sections.push(Section {
            name: table.section_name(endian, section).map_err(damaged)?,
            kind: section.sh_type(endian),
            flags: section.sh_flags(endian),
            size: section.sh_size(endian),
            align: section.sh_addralign(endian).max(1),
            data: section.data(endian, bytes).map_err(damaged)?,
            relocations: &[],
            dropped: false,
        });
        let section = sections.last().expect("was just pushed");
        if !section.align.is_power_of_two() || section.align > 1 << 20 || section.size > 1 << 31 {
            return error("a damaged object: a section's size or alignment");
        }
    }
    let symtab = table.symbols(endian, bytes, elf::SHT_SYMTAB).map_err(damaged)?;
    let mut symbols = Vec::with_capacity(symtab.len());
    for (index, symbol) in symtab.enumerate() {
        let number = match symbol.st_shndx(endian) {
            elf::SHN_XINDEX => symtab.shndx(endian, index).unwrap_or(0),
            other => u32::from(other),
        };
        symbols.push(Symbol {
            name: symtab.symbol_name(endian, symbol).map_err(damaged)?,
            kind: symbol.st_type(),
            binding: symbol.st_bind(),
            section: number,
            value: symbol.st_value(endian),
            size: symbol.st_size(endian),
        });
        let outside = number as usize >= sections.len() && !matches!(number, COMMON | ABSOLUTE);
        if outside || number == COMMON && (symbol.st_size(endian) > 1 << 31 || symbol.st_value(endian) > 1 << 20) {
            return error("a damaged object: a symbol's section or size");
        }
    }
    for section in table.iter() {
        if let Some((relocations, _)) = section.rela(endian, bytes).map_err(damaged)?
            && let Some(target) = sections.get_mut(section.sh_info(endian) as usize)
        {
            target.relocations = relocations;
        }
        let Some((_, members)) = section.group(endian, bytes).map_err(damaged)? else { continue };
        let signature = symbols.get(section.sh_info(endian) as usize).map_or(&b""[..], |s| s.name);
        if groups.insert(signature) {
            continue;
        }
        for member in members {
            if let Some(section) = sections.get_mut(member.get(endian) as usize) {
                section.dropped = true;
            }
        }
    }
    Ok(Object { bytes, sections, symbols, section_table: header.e_shoff(endian) })
}
