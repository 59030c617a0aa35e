//! What a linker, a loader or a tool sees of an object file, as a sorted list of facts to compare.

use std::collections::BTreeMap;

use elf_object::elf;
use elf_object::read::elf::ElfFile64;
use elf_object::{
    Endianness, Object, ObjectComdat, ObjectSection, ObjectSymbol, RelocationTarget, SectionFlags, SectionIndex,
    SymbolFlags,
};

/// Facts of one compilation: what they are about, and what is said of it.
pub type Facts = BTreeMap<String, String>;

type File<'a> = ElfFile64<'a, Endianness>;

/// The same before they are told apart: several may be of one name.
type Said = Vec<(String, String)>;

/// The facts of an object.
pub fn of_object(bytes: &[u8]) -> Result<Facts, String> {
    let file = File::parse(bytes).map_err(|e| e.to_string())?;
    let mut said = Said::new();
    sections(&file, &mut said);
    symbols(&file, &mut said);
    data_relocations(&file, &mut said);
    for group in file.comdats() {
        said.push((format!("group {}", group.name().unwrap_or_default()), "comdat".into()));
    }
    Ok(numbered(said))
}

/// Block-scope variables of one name are told apart by what is said of them, not by their order,
/// which is each compiler's own.
fn numbered(mut said: Said) -> Facts {
    said.sort();
    let mut facts = Facts::new();
    for same in said.chunk_by(|a, b| a.0 == b.0) {
        for (index, (name, what)) in same.iter().enumerate() {
            let name = if index == 0 { name.clone() } else { format!("{name} ({})", index + 1) };
            facts.insert(name, what.clone());
        }
    }
    facts
}

/// Tables and notes of the file format itself, and what every assembler makes whether it is needed
/// or not.
fn is_bookkeeping(name: &str, size: u64) -> bool {
    matches!(name, "" | ".symtab" | ".strtab" | ".shstrtab" | ".symtab_shndx" | ".comment" | ".group")
        || name.starts_with(".rela")
        || name.starts_with(".debug_")
        || (size == 0 && matches!(name, ".text" | ".data" | ".bss"))
}

fn sections(file: &File<'_>, facts: &mut Said) {
    for section in file.sections() {
        let name = plain(section.name().unwrap_or_default());
        if is_bookkeeping(&name, section.size()) {
            continue;
        }
        let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
        let header = section.elf_section_header();
        let kind = header.sh_type.get(Endianness::Little);
        let entry = header.sh_entsize.get(Endianness::Little);
        // Alignment of code is a choice of the optimiser.
        let code = sh_flags & u64::from(elf::SHF_EXECINSTR) != 0;
        let align = if code { 0 } else { section.align() };
        let flags = sh_flags & !u64::from(elf::SHF_GROUP);
        facts.push((
            format!("section {name}"),
            format!("type {kind:#x} flags {flags:#x} entries {entry} align {align}"),
        ));
        if name == ".note.gnu.property" {
            let bytes = section.data().unwrap_or_default();
            facts.push(("property".into(), bytes.iter().map(|b| format!("{b:02x}")).collect()));
        }
    }
}

fn section_name(file: &File<'_>, index: Option<SectionIndex>) -> String {
    let section = index.and_then(|index| file.section_by_index(index).ok());
    section.map_or_else(String::new, |section| plain(section.name().unwrap_or_default()))
}

fn symbols(file: &File<'_>, facts: &mut Said) {
    for symbol in file.symbols() {
        let name = symbol.name().unwrap_or_default();
        let SymbolFlags::Elf { st_info, st_other } = symbol.flags() else { continue };
        let kind = st_info & 0xf;
        if name.is_empty() || name.starts_with(".L") || kind == elf::STT_FILE || kind == elf::STT_SECTION {
            continue;
        }
        let function = kind == elf::STT_FUNC || kind == elf::STT_GNU_IFUNC;
        let size = if function { 0 } else { symbol.size() };
        let section = section_name(file, symbol.section_index());
        let (binding, visibility) = (st_info >> 4, st_other & 3);
        let name = plain(name);
        if symbol.is_common() {
            facts.push((format!("common {name}"), format!("size {size} align {}", symbol.address())));
        } else if symbol.is_undefined() {
            facts.push((format!("undefined {name}"), format!("binding {binding} visibility {visibility}")));
        } else {
            let what = match (symbol.is_local(), function) {
                (true, true) => "local function",
                (true, false) => "local object",
                _ => "global",
            };
            facts.push((
                format!("{what} {name}"),
                format!("type {kind} binding {binding} visibility {visibility} size {size} in {section}"),
            ));
        }
    }
}

/// Where initialised data points: by the symbol that holds the field, which is independent of the
/// order of objects.
fn data_relocations(file: &File<'_>, facts: &mut Said) {
    for section in file.sections() {
        let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
        let wanted = u64::from(elf::SHF_ALLOC);
        let name = section.name().unwrap_or_default();
        if sh_flags & (wanted | u64::from(elf::SHF_EXECINSTR)) != wanted || name == ".eh_frame" {
            continue;
        }
        let mut holders: Vec<(u64, u64, String)> = file
            .symbols()
            .filter(|s| s.section_index() == Some(section.index()) && s.size() > 0)
            .map(|s| (s.address(), s.size(), plain(s.name().unwrap_or_default())))
            .collect();
        holders.sort();
        for (at, relocation) in section.relocations() {
            let Some((start, _, holder)) = holders.iter().rev().find(|h| h.0 <= at && at < h.0 + h.1) else { continue };
            let RelocationTarget::Symbol(index) = relocation.target() else { continue };
            let Ok(symbol) = file.symbol_by_index(index) else { continue };
            let (target, addend) = target_name(file, &symbol, relocation.addend());
            // Where a label is in a function depends on its code.
            let code = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
            let label = addend != 0 && code.is_some_and(|s| s.kind() == elf_object::SectionKind::Text);
            let place = if label { "label".to_owned() } else { addend.to_string() };
            facts.push((format!("pointer {holder}+{}", at - start), format!("{target}+{place}")));
        }
    }
}

/// The symbol that a field points to. References by section are resolved to the object there;
/// constants have no name.
fn target_name<'a>(file: &File<'a>, symbol: &impl ObjectSymbol<'a>, addend: i64) -> (String, i64) {
    let name = symbol.name().unwrap_or_default();
    if !name.is_empty() && !name.starts_with(".L") && symbol.kind() != elf_object::SymbolKind::Section {
        return (plain(name), addend);
    }
    let address = symbol.address().wrapping_add_signed(addend);
    let found = file.symbols().find(|s| {
        let named = !s.name().unwrap_or_default().is_empty() && !s.name().unwrap_or_default().starts_with(".L");
        let inside = s.address() <= address && address < s.address() + s.size().max(1);
        named && inside && s.section_index() == symbol.section_index() && s.kind() != elf_object::SymbolKind::Section
    });
    match found {
        Some(s) => (plain(s.name().unwrap_or_default()), address.wrapping_sub(s.address()) as i64),
        None => {
            let section = section_name(file, symbol.section_index());
            // Which of the sections of constants has a string depends on who uses it as well.
            let constant = section.starts_with(".rodata");
            (if constant { "a constant".to_owned() } else { section }, 0)
        }
    }
}

/// A name without the number that tells block-scope variables and copies of functions apart.
fn plain(name: &str) -> String {
    let mut name = name;
    while let Some((rest, number)) = name.rsplit_once('.') {
        if rest.is_empty() || number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) || rest.contains(".str")
        {
            break;
        }
        name = rest;
    }
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn one_name_several_times() {
        let said = [("x", "2"), ("y", "3"), ("x", "1")].map(|(name, what)| (name.to_string(), what.to_string()));
        let facts: Vec<String> = numbered(said.to_vec()).into_iter().map(|(k, v)| format!("{k}: {v}")).collect();
        assert_eq!(facts, ["x: 1", "x (2): 2", "y: 3"]);
    }
}
