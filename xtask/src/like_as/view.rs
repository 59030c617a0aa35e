//! All that an assembler decides in an object: sections with their bytes, relocations, symbols.

use std::collections::BTreeMap;

use elf_object::read::elf::{ElfFile64, Rela as _, SectionHeader, Sym as _};
use elf_object::{Endianness, elf};

/// What is said of each section, relocation and symbol.
pub type Facts = BTreeMap<String, String>;

/// The facts of an object, and the bytes of its sections.
pub struct View {
    /// Headers of sections, relocations, symbols.
    pub facts: Facts,
    /// Contents by the section's name and its number among those of that name.
    pub bytes: BTreeMap<String, Vec<u8>>,
}

type File<'a> = ElfFile64<'a, Endianness>;
const LITTLE: Endianness = Endianness::Little;

/// Reads an object.
pub fn of_object(data: &[u8]) -> Result<View, String> {
    let file = File::parse(data).map_err(|e| e.to_string())?;
    let sections = file.elf_section_table();
    let mut view = View { facts: Facts::new(), bytes: BTreeMap::new() };
    let mut names: Vec<String> = Vec::new();
    for section in sections.iter() {
        let name = sections.section_name(LITTLE, section).unwrap_or_default();
        let name = String::from_utf8_lossy(name).into_owned();
        let count = names.iter().filter(|known| **known == name || known.starts_with(&format!("{name}#"))).count();
        names.push(if count == 0 { name } else { format!("{name}#{count}") });
    }
    for (index, section) in sections.iter().enumerate() {
        let kind = section.sh_type(LITTLE);
        if matches!(kind, elf::SHT_NULL | elf::SHT_SYMTAB | elf::SHT_STRTAB | elf::SHT_RELA) {
            continue;
        }
        let flags = section.sh_flags(LITTLE);
        let link = match flags & u64::from(elf::SHF_LINK_ORDER) {
            0 => "",
            _ => names.get(section.sh_link(LITTLE) as usize).map_or("?", |name| name),
        };
        view.facts.insert(
            format!("section {}", names[index]),
            format!(
                "type {kind:#x} flags {flags:#x} entries {} align {} size {}{link}",
                section.sh_entsize(LITTLE),
                section.sh_addralign(LITTLE),
                section.sh_size(LITTLE)
            ),
        );
        if !matches!(kind, elf::SHT_NOBITS | elf::SHT_GROUP) {
            let bytes = section.data(LITTLE, data).map_err(|e| e.to_string())?;
            view.bytes.insert(names[index].clone(), bytes.to_vec());
        }
    }
    symbols_and_relocations(&file, data, &names, &mut view)?;
    Ok(view)
}

fn symbols_and_relocations(file: &File<'_>, data: &[u8], names: &[String], view: &mut View) -> Result<(), String> {
    let symbols = file.elf_symbol_table();
    let name_of = |index: u32| -> String {
        let Ok(symbol) = symbols.symbol(elf_object::SymbolIndex(index as usize)) else { return "?".into() };
        let name = symbols.symbol_name(LITTLE, symbol).unwrap_or_default();
        let section = names.get(symbol.st_shndx(LITTLE) as usize).map_or("", |name| name);
        match (symbol.st_type(), name.is_empty()) {
            (elf::STT_SECTION, _) => format!("[{section}]"),
            (_, true) => "[nothing]".into(),
            _ => String::from_utf8_lossy(name).into_owned(),
        }
    };
    for (index, symbol) in symbols.iter().enumerate() {
        let name = name_of(index as u32);
        let kind = symbol.st_type();
        // Which sections have a symbol says nothing to a linker.
        if index == 0 || kind == elf::STT_SECTION {
            continue;
        }
        let place = match symbol.st_shndx(LITTLE) {
            elf::SHN_ABS => "absolute",
            elf::SHN_COMMON => "common",
            section => names.get(section as usize).map_or("?", |name| name),
        };
        let (binding, visibility) = (symbol.st_bind(), symbol.st_other() & 3);
        let said = format!(
            "type {kind} binding {binding} visibility {visibility} size {} at {place}+{:#x}",
            symbol.st_size(LITTLE),
            symbol.st_value(LITTLE)
        );
        let mut fact = format!("symbol {name}");
        while view.facts.contains_key(&fact) {
            fact.push('\'');
        }
        view.facts.insert(fact, said);
    }
    for section in file.elf_section_table().iter() {
        let Ok(Some((relocations, _))) = section.rela(LITTLE, data) else { continue };
        let target = names.get(section.sh_info(LITTLE) as usize).map_or("?", |name| name);
        for relocation in relocations {
            let mut fact = format!("relocation {target}+{:#x}", relocation.r_offset(LITTLE));
            while view.facts.contains_key(&fact) {
                fact.push('\'');
            }
            let symbol = name_of(relocation.r_sym(LITTLE, false));
            let (kind, addend) = (relocation.r_type(LITTLE, false), relocation.r_addend(LITTLE));
            view.facts.insert(fact, format!("type {kind} {symbol}{addend:+#x}"));
        }
    }
    Ok(())
}

/// Where two sections' bytes part, with a few of them.
pub fn first_difference(gnu: &[u8], ours: &[u8]) -> String {
    let at = gnu.iter().zip(ours).position(|(a, b)| a != b).unwrap_or(gnu.len().min(ours.len()));
    let hex = |bytes: &[u8]| -> String {
        let end = (at + 12).min(bytes.len());
        bytes[at.saturating_sub(4).min(end)..end].iter().map(|b| format!("{b:02x}")).collect()
    };
    format!("at {at:#x}: as {}, tcc-rs {}", hex(gnu), hex(ours))
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn differences() {
        assert_eq!(first_difference(&[1, 2, 3], &[1, 2, 4]), "at 0x2: as 010203, tcc-rs 010204");
        assert_eq!(first_difference(&[1], &[1, 2]), "at 0x1: as 01, tcc-rs 0102");
    }
}
