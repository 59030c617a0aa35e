//! Shared libraries: only the names that are asked for are looked up, through the hash table the
//! dynamic linker uses.

use crate::kept;
use crate::read::{Bytes, name, slice, u16_at, u32_at, u64_at};
use crate::{Declined, Outcome};
use elf_object::elf;

/// A symbol of a library.
#[derive(Clone, Copy, Debug)]
pub struct Export {
    pub name: Bytes,
    pub info: u8,
    pub visibility: u8,
    pub section: u16,
    pub value: u64,
    pub size: u64,
}

/// A shared library.
#[derive(Debug)]
pub struct Library {
    pub soname: Bytes,
    /// Sonames of the libraries it needs itself.
    pub needs: Vec<Bytes>,
    /// Whether the program refers to something in it.
    pub needed: bool,
    symbols: Bytes,
    strings: Bytes,
    versions: Option<Bytes>,
    /// Names of the versions it defines, by index.
    version_names: Vec<Bytes>,
    bloom: Bytes,
    bloom_shift: u32,
    buckets: Bytes,
    chains: Bytes,
    first: u32,
}

/// A version index whose symbol is there only for programs that were linked with it.
const HIDDEN: u16 = 0x8000;

impl Library {
    /// Read the tables of a library (System V ABI, dynamic linking; the GNU hash table; symbol
    /// versions of the LSB), which goes by the name `fallback` if it has none itself.
    pub fn parse(data: Bytes, fallback: &str) -> Outcome<Library> {
        if u16_at(data, 18)? != elf::EM_X86_64 || data[4..6] != [2, 1] {
            return Err(Declined("a library of another machine"));
        }
        let (at, count) = (u64_at(data, 32)?, u64::from(u16_at(data, 56)?));
        let headers = slice(data, at, count * 56)?;
        let mut loads = Vec::new();
        let mut dynamic = None;
        for header in crate::read::entries::<56>(headers) {
            let (offset, address, size) = (u64_at(header, 8)?, u64_at(header, 16)?, u64_at(header, 32)?);
            match u32_at(header, 0)? {
                elf::PT_LOAD => loads.push((address, size, offset)),
                elf::PT_DYNAMIC => dynamic = Some(slice(data, offset, size)?),
                _ => {}
            }
        }
        let from = |address: u64| -> Outcome<Bytes> {
            let (start, size, offset) = *loads
                .iter()
                .find(|(start, size, _)| (*start..start.saturating_add(*size)).contains(&address))
                .ok_or(Declined("a damaged file"))?;
            let skipped = address - start;
            slice(data, offset.wrapping_add(skipped), size - skipped)
        };
        let entries: Vec<(u64, u64)> = crate::read::entries::<16>(dynamic.ok_or(Declined("a library without tables"))?)
            .map(|entry| Ok((u64_at(entry, 0)?, u64_at(entry, 8)?)))
            .take_while(|entry| !matches!(entry, Ok((0, _))))
            .collect::<Outcome<_>>()?;
        let value = |tag: u32| entries.iter().find(|(t, _)| *t == u64::from(tag)).map(|(_, value)| *value);
        let required = |tag: u32| value(tag).ok_or(Declined("a library without tables"));
        let strings = from(required(elf::DT_STRTAB)?)?;
        let hash = from(required(elf::DT_GNU_HASH)?)?;
        let (bucket_count, bloom_words) = (u64::from(u32_at(hash, 0)?), u64::from(u32_at(hash, 8)?));
        if bucket_count == 0 || !bloom_words.is_power_of_two() {
            return Err(Declined("a damaged file"));
        }
        let buckets_at = 16 + bloom_words * 8;
        let chains_at = buckets_at + bucket_count * 4;
        let mut library = Library {
            soname: match value(elf::DT_SONAME) {
                Some(at) => name(strings, at as u32)?,
                None => kept::keep(fallback.as_bytes().to_vec()),
            },
            needs: Vec::new(),
            needed: false,
            symbols: from(required(elf::DT_SYMTAB)?)?,
            strings,
            versions: value(elf::DT_VERSYM).map(from).transpose()?,
            version_names: Vec::new(),
            bloom: slice(hash, 16, bloom_words * 8)?,
            bloom_shift: u32_at(hash, 12)?,
            buckets: slice(hash, buckets_at, bucket_count * 4)?,
            chains: hash.get(chains_at as usize..).unwrap_or_default(),
            first: u32_at(hash, 4)?,
        };
        for (_, needed) in entries.iter().filter(|(tag, _)| *tag == u64::from(elf::DT_NEEDED)) {
            library.needs.push(name(strings, *needed as u32)?);
        }
        if let (Some(at), Some(count)) = (value(elf::DT_VERDEF), value(elf::DT_VERDEFNUM)) {
            library.read_versions(from(at)?, count)?;
        }
        Ok(library)
    }

    fn read_versions(&mut self, table: Bytes, count: u64) -> Outcome<()> {
        let mut at = 0;
        for _ in 0..count {
            let index = usize::from(u16_at(table, at + 4)? & !HIDDEN);
            let first = at + u32_at(table, at + 12)? as usize;
            if self.version_names.len() <= index {
                self.version_names.resize(index + 1, &[]);
            }
            self.version_names[index] = name(self.strings, u32_at(table, first)?)?;
            match u32_at(table, at + 16)? {
                0 => break,
                next => at += next as usize,
            }
        }
        Ok(())
    }

    /// The symbol a program linked now gets for `wanted`, which may name its version:
    /// `NAME@VERSION`.
    pub fn find_versioned(&self, wanted: &[u8]) -> Outcome<Option<u32>> {
        match wanted.iter().position(|&c| c == b'@') {
            None => self.find(wanted, hash(wanted)),
            Some(at) => {
                let version = &wanted[at + 1..];
                self.search(&wanted[..at], hash(&wanted[..at]), |index| Ok(self.version(index)? == Some(version)))
            }
        }
    }

    /// The symbol for `wanted`, whose [`hash`] is given, in its default version: its index.
    pub fn find(&self, wanted: &[u8], hash: u32) -> Outcome<Option<u32>> {
        self.search(wanted, hash, |index| Ok(self.version_index(index)? & HIDDEN == 0))
    }

    /// Whether it defines `wanted` in any version.
    pub fn find_any(&self, wanted: &[u8], hash: u32) -> Outcome<bool> {
        Ok(self.search(wanted, hash, |_| Ok(true))?.is_some())
    }

    fn search(&self, wanted: &[u8], hash: u32, is_right: impl Fn(u32) -> Outcome<bool>) -> Outcome<Option<u32>> {
        let words = self.bloom.len() / 8;
        let word = u64_at(self.bloom, ((hash as usize / 64) & (words - 1)) * 8)?;
        let second = hash.checked_shr(self.bloom_shift).unwrap_or(0);
        if word >> (hash % 64) & word >> (second % 64) & 1 == 0 {
            return Ok(None);
        }
        let bucket = hash as usize % (self.buckets.len() / 4);
        let mut index = u32_at(self.buckets, bucket * 4)?;
        if index < self.first {
            return Ok(None);
        }
        loop {
            let chain = u32_at(self.chains, (index - self.first) as usize * 4)?;
            if chain | 1 == hash | 1 {
                let export = self.export(index)?;
                if export.name == wanted && export.section != elf::SHN_UNDEF && is_right(index)? {
                    return Ok(Some(index));
                }
            }
            if chain & 1 != 0 {
                return Ok(None);
            }
            index += 1;
        }
    }

    /// A symbol by its index.
    pub fn export(&self, index: u32) -> Outcome<Export> {
        let at = index as usize * 24;
        let name = name(self.strings, u32_at(self.symbols, at)?)?;
        let entry = &self.symbols[at..];
        Ok(Export {
            name,
            info: u16_at(entry, 4)? as u8,
            visibility: (u16_at(entry, 4)? >> 8) as u8 & 3,
            section: u16_at(entry, 6)?,
            value: u64_at(entry, 8)?,
            size: u64_at(entry, 16)?,
        })
    }

    fn version_index(&self, index: u32) -> Outcome<u16> {
        self.versions.map_or(Ok(1), |table| u16_at(table, index as usize * 2))
    }

    /// The name of a symbol's version.
    pub fn version(&self, index: u32) -> Outcome<Option<Bytes>> {
        let version = usize::from(self.version_index(index)? & !HIDDEN);
        Ok(if version < 2 { None } else { self.version_names.get(version).copied().filter(|name| !name.is_empty()) })
    }

    /// Names it leaves undefined. They stand before those of the hash table.
    pub fn undefined(&self) -> Outcome<Vec<Bytes>> {
        let exports = (1..self.first).map(|index| self.export(index));
        exports.filter(|e| !matches!(e, Ok(e) if e.section != elf::SHN_UNDEF)).map(|e| e.map(|e| e.name)).collect()
    }

    /// Names it leaves undefined that must be somewhere: not those of weak references.
    pub fn wanted(&self) -> Outcome<Vec<Bytes>> {
        let exports = (1..self.first).map(|index| self.export(index));
        let is_open = |e: &Export| e.section == elf::SHN_UNDEF && e.info >> 4 != elf::STB_WEAK;
        exports.filter(|e| e.as_ref().map_or(true, is_open)).map(|e| e.map(|e| e.name)).collect()
    }

    /// Indices of the objects at `value`: several names of one variable.
    pub fn objects_at(&self, value: u64) -> Outcome<Vec<u32>> {
        let mut last = 0;
        for bucket in 0..self.buckets.len() / 4 {
            last = last.max(u32_at(self.buckets, bucket * 4)?);
        }
        let mut found = Vec::new();
        for index in self.first.. {
            let at = index as usize * 24;
            let info = u16_at(self.symbols, at + 4)? as u8;
            if u64_at(self.symbols, at + 8)? == value
                && info & 15 == elf::STT_OBJECT
                && u16_at(self.symbols, at + 6)? != elf::SHN_UNDEF
                && self.version_index(index)? & HIDDEN == 0
            {
                found.push(index);
            }
            if index >= last && u32_at(self.chains, (index - self.first) as usize * 4)? & 1 != 0 {
                break;
            }
        }
        Ok(found)
    }
}

/// The hash of the GNU hash table.
pub fn hash(name: &[u8]) -> u32 {
    name.iter().fold(5381, |hash: u32, &byte| hash.wrapping_mul(33).wrapping_add(u32::from(byte)))
}

/// The hash of the System V ABI, which names of versions have.
pub fn version_hash(name: &[u8]) -> u32 {
    name.iter().fold(0, |hash: u32, &byte| {
        let hash = (hash << 4).wrapping_add(u32::from(byte));
        let high = hash & 0xf000_0000;
        (hash ^ high >> 24) & !high
    })
}
