//! The dynamic symbol table and what belongs to it: names, versions, hash table.

use crate::inputs::Inputs;
use crate::kept;
use crate::library::{hash, version_hash};
use crate::read::Bytes;
use crate::scan::Needs;
use crate::symbols::{Place, base_name};
use crate::version::Node;
use crate::{Declined, Outcome};
use elf_object::elf;

/// An entry of the dynamic symbol table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub name: Bytes,
    /// Offset of the name in the string table.
    pub name_at: u32,
    pub source: Source,
    /// The library it comes from and the version it has there.
    from: Option<(u32, Option<Bytes>)>,
    /// Whether leaving it undefined is no error.
    pub is_weak: bool,
}

/// What an entry stands for.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// A global name.
    Global(u32),
    /// Another name of a copied variable: number of the copy, type and binding, size.
    Alias { copy: u32, info: u8, size: u64 },
    /// A version that the script defines: number of its node.
    Version(u16),
}

/// The tables, complete but for addresses.
#[derive(Default, Debug)]
pub struct Tables {
    /// Without the empty first entry.
    pub entries: Vec<Entry>,
    pub strings: Vec<u8>,
    pub hash: Vec<u8>,
    pub versions: Vec<u8>,
    pub needed_versions: Vec<u8>,
    /// Versions that the library itself defines, and how many.
    pub defined_versions: Vec<u8>,
    pub defined_count: u32,
    /// Offsets of the library's own name and of the folders where libraries are looked for.
    pub soname: Option<u32>,
    pub run_path: Option<u32>,
    /// Number of libraries in `needed_versions`.
    pub versioned_libraries: u64,
    /// Offsets of the names of the libraries that are needed.
    pub libraries: Vec<u32>,
}

/// Collect them, and number the names that are in the table.
pub fn tables(inputs: &mut Inputs, needs: &Needs) -> Outcome<Tables> {
    if !inputs.options.is_dynamic() {
        return Ok(Tables::default());
    }
    let mut tables = Tables { strings: vec![0], ..Tables::default() };
    let (mut looked_up, mut findable) = (Vec::new(), Vec::new());
    for (index, global) in inputs.globals.list.iter().enumerate() {
        if !global.is_dynamic && !global.is_exported {
            continue;
        }
        let from = match global.place {
            Place::Library { library, symbol } => Some((library, inputs.libraries[library as usize].version(symbol)?)),
            _ => None,
        };
        let source = Source::Global(index as u32);
        let name = base_name(global.name);
        let entry = Entry { name, name_at: 0, source, from, is_weak: !global.is_wanted };
        let is_findable = global.is_exported || global.copy.is_some() || global.is_canonical;
        if is_findable { findable.push(entry) } else { looked_up.push(entry) }
    }
    add_aliases(inputs, needs, &mut findable)?;
    if inputs.options.shared {
        findable.extend(version_names(inputs));
    }
    // The hash table wants the names of one bucket together.
    let buckets = (findable.len() as u32 / 2).max(1);
    findable.sort_by_key(|entry| hash(entry.name) % buckets);
    let first = looked_up.len() as u32 + 1;
    tables.hash = hash_table(&findable, first, buckets);
    tables.entries = looked_up;
    tables.entries.append(&mut findable);
    for (index, entry) in tables.entries.iter_mut().enumerate() {
        entry.name_at = add(&mut tables.strings, entry.name);
        if let Source::Global(global) = entry.source {
            inputs.globals.list[global as usize].dynamic_index = index as u32 + 1;
        }
    }
    for library in inputs.libraries.iter().filter(|l| l.needed) {
        tables.libraries.push(add(&mut tables.strings, library.soname));
    }
    let options = &inputs.options;
    tables.soname = options.soname.as_ref().map(|name| add(&mut tables.strings, name.as_bytes()));
    let folders = options.run_path.join(":");
    tables.run_path = (!folders.is_empty()).then(|| add(&mut tables.strings, folders.as_bytes()));
    define_versions(inputs, &mut tables);
    add_versions(inputs, &mut tables);
    if tables.entries.len() > usize::from(u16::MAX) {
        return Err(Declined("a large table of dynamic symbols"));
    }
    Ok(tables)
}

fn add(strings: &mut Vec<u8>, name: &[u8]) -> u32 {
    let at = strings.len() as u32;
    strings.extend_from_slice(name);
    strings.push(0);
    at
}

/// Every version is a symbol, too, absolute and zero, as GNU ld has it.
fn version_names(inputs: &Inputs<'_>) -> Vec<Entry> {
    let nodes = inputs.options.versions.iter().enumerate().filter(|(_, node)| !node.name.is_empty());
    let entry = |(number, node): (usize, &Node)| Entry {
        name: kept::keep(node.name.clone()),
        name_at: 0,
        source: Source::Version(number as u16),
        from: None,
        is_weak: false,
    };
    nodes.map(entry).collect()
}

/// The library reaches a copied variable by any of its names, so the copy has them all.
fn add_aliases(inputs: &mut Inputs, needs: &Needs, findable: &mut Vec<Entry>) -> Outcome<()> {
    for (number, copy) in needs.copies.iter().enumerate() {
        let library = &inputs.libraries[copy.library as usize];
        for symbol in library.objects_at(copy.value)? {
            let export = library.export(symbol)?;
            if let Some(global) = inputs.globals.find(export.name) {
                let global = &mut inputs.globals.list[global as usize];
                match global.place {
                    Place::Library { library, .. } if library == copy.library && global.is_dynamic => {
                        if global.copy.is_some() {
                            continue;
                        }
                        return Err(Declined("a copied variable that is also reached by another name"));
                    }
                    Place::Library { library, .. } if library == copy.library => {}
                    _ => return Err(Declined("another definition of a copied variable's name")),
                }
            }
            findable.push(Entry {
                name: export.name,
                name_at: 0,
                source: Source::Alias { copy: number as u32, info: export.info, size: export.size },
                from: Some((copy.library, library.version(symbol)?)),
                is_weak: false,
            });
        }
    }
    Ok(())
}

/// `.gnu.hash` of `entries`, sorted by bucket, of which the first has the index `first`.
fn hash_table(entries: &[Entry], first: u32, buckets: u32) -> Vec<u8> {
    const SHIFT: u32 = 26;
    let words = (entries.len() as u64 / 4).max(1).next_power_of_two();
    let mut bloom = vec![0u64; words as usize];
    let mut heads = vec![0u32; buckets as usize];
    let mut chains = Vec::with_capacity(entries.len());
    for (i, entry) in entries.iter().enumerate() {
        let value = hash(entry.name);
        bloom[((u64::from(value) / 64) & (words - 1)) as usize] |= (1 << (value % 64)) | (1 << ((value >> SHIFT) % 64));
        let bucket = value % buckets;
        if heads[bucket as usize] == 0 {
            heads[bucket as usize] = first + i as u32;
        }
        let is_last = entries.get(i + 1).is_none_or(|next| hash(next.name) % buckets != bucket);
        chains.push(value & !1 | u32::from(is_last));
    }
    let mut bytes = Vec::new();
    for number in [buckets, first, words as u32, SHIFT] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(bloom.into_iter().flat_map(u64::to_le_bytes));
    bytes.extend(heads.into_iter().chain(chains).flat_map(u32::to_le_bytes));
    bytes
}

/// `.gnu.version_d`: the file's own name, then the versions of the script.
fn define_versions(inputs: &Inputs, tables: &mut Tables) {
    let options = &inputs.options;
    let nodes: Vec<_> = options.versions.iter().filter(|node| !node.name.is_empty()).collect();
    if !options.shared || nodes.is_empty() {
        return;
    }
    let file = options.output.rsplit('/').next().unwrap_or_default();
    let own = options.soname.as_deref().unwrap_or(file).as_bytes();
    let mut rows: Vec<(u16, Vec<&[u8]>)> = vec![(elf::VER_FLG_BASE, vec![own])];
    for node in nodes {
        let names = std::iter::once(&node.name).chain(&node.parent);
        rows.push((0, names.map(Vec::as_slice).collect()));
    }
    let mut bytes = Vec::new();
    for (index, (flags, names)) in rows.iter().enumerate() {
        let next = if index + 1 == rows.len() { 0 } else { 20 + 8 * names.len() as u32 };
        for number in [1, *flags, index as u16 + 1, names.len() as u16] {
            bytes.extend(number.to_le_bytes());
        }
        for number in [version_hash(names[0]), 20, next] {
            bytes.extend(number.to_le_bytes());
        }
        for (i, name) in names.iter().enumerate() {
            bytes.extend(add(&mut tables.strings, name).to_le_bytes());
            bytes.extend((if i + 1 == names.len() { 0u32 } else { 8 }).to_le_bytes());
        }
    }
    tables.defined_versions = bytes;
    tables.defined_count = rows.len() as u32;
}

/// The version of a name that is defined here: index, and whether only programs that name it get
/// it.
fn own_version(inputs: &Inputs, source: Source) -> u16 {
    const HIDDEN: u16 = 0x8000;
    let index = match source {
        Source::Global(index) => index,
        Source::Version(node) => return node + 2,
        Source::Alias { .. } => return 1,
    };
    let global = &inputs.globals.list[index as usize];
    let hidden = if matches!(global.version, Some((_, false))) { HIDDEN } else { 0 };
    match (global.place, global.node) {
        (Place::Undefined, _) => 0,
        (_, Some(node)) => (node + 2) | hidden,
        _ => 1,
    }
}

/// `.gnu.version` and `.gnu.version_r`.
fn add_versions(inputs: &Inputs, tables: &mut Tables) {
    // Per library the versions used: name, index, whether by weak references only.
    let mut used: Vec<(u32, Vec<(Bytes, u16, bool)>)> = Vec::new();
    // The first two mean what is not exported and what has no version; those of the library itself
    // follow.
    let mut next = (tables.defined_count as u16 + 1).max(2);
    let mut indices = vec![0u16];
    for entry in &tables.entries {
        let index = match entry.from {
            Some((library, Some(version))) => {
                let at = used.iter().position(|(l, _)| *l == library).unwrap_or_else(|| {
                    used.push((library, Vec::new()));
                    used.len() - 1
                });
                let versions = &mut used[at].1;
                match versions.iter_mut().find(|(name, ..)| *name == version) {
                    Some((_, index, weak)) => {
                        *weak &= entry.is_weak;
                        *index
                    }
                    None => {
                        versions.push((version, next, entry.is_weak));
                        next += 1;
                        next - 1
                    }
                }
            }
            _ if entry.from.is_some() => 1,
            _ => own_version(inputs, entry.source),
        };
        indices.push(index);
    }
    if used.is_empty() && tables.defined_count == 0 {
        return;
    }
    tables.versions = indices.into_iter().flat_map(u16::to_le_bytes).collect();
    tables.versioned_libraries = used.len() as u64;
    let mut bytes = Vec::new();
    for (at, (library, versions)) in used.iter().enumerate() {
        let soname = inputs.libraries[*library as usize].soname;
        let file = tables.libraries[inputs.libraries[..*library as usize].iter().filter(|l| l.needed).count()];
        debug_assert!(tables.strings[file as usize..].starts_with(soname));
        let is_last = at + 1 == used.len();
        bytes.extend(1u16.to_le_bytes());
        bytes.extend((versions.len() as u16).to_le_bytes());
        for number in [file, 16, if is_last { 0 } else { 16 + 16 * versions.len() as u32 }] {
            bytes.extend(number.to_le_bytes());
        }
        for (i, &(name, index, is_weak)) in versions.iter().enumerate() {
            bytes.extend(version_hash(name).to_le_bytes());
            bytes.extend((if is_weak { elf::VER_FLG_WEAK } else { 0 }).to_le_bytes());
            bytes.extend(index.to_le_bytes());
            bytes.extend(add(&mut tables.strings, name).to_le_bytes());
            bytes.extend((if i + 1 == versions.len() { 0u32 } else { 16 }).to_le_bytes());
        }
    }
    tables.needed_versions = bytes;
}
