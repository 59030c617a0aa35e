//! Numbers, names and tables in the bytes of an input. Nothing here trusts a file: what lies
//! outside of it is declined.

use crate::{Declined, Outcome};
use std::ffi::CStr;

/// Largest section.
pub const LARGEST: u64 = 1 << 31;

/// Bytes of an input. They live as long as the link ([`crate::kept`]).
pub type Bytes = &'static [u8];

const DAMAGED: Declined = Declined("a damaged file");

/// `len` bytes at `at`.
pub fn slice(data: Bytes, at: u64, len: u64) -> Outcome<Bytes> {
    let end = at.checked_add(len).and_then(|end| usize::try_from(end).ok()).ok_or(DAMAGED)?;
    data.get(at as usize..end).ok_or(DAMAGED)
}

fn array<const N: usize>(data: &[u8], at: usize) -> Outcome<[u8; N]> {
    let bytes = data.get(at..).and_then(|rest| rest.first_chunk::<N>());
    bytes.copied().ok_or(DAMAGED)
}

/// A little-endian number.
pub fn u16_at(data: &[u8], at: usize) -> Outcome<u16> {
    array(data, at).map(u16::from_le_bytes)
}

/// A little-endian number.
pub fn u32_at(data: &[u8], at: usize) -> Outcome<u32> {
    array(data, at).map(u32::from_le_bytes)
}

/// A little-endian number.
pub fn u64_at(data: &[u8], at: usize) -> Outcome<u64> {
    array(data, at).map(u64::from_le_bytes)
}

/// The string at `at`, which ends in a zero byte.
pub fn name(strings: Bytes, at: u32) -> Outcome<Bytes> {
    let rest = strings.get(at as usize..).ok_or(DAMAGED)?;
    Ok(CStr::from_bytes_until_nul(rest).map_err(|_| DAMAGED)?.to_bytes())
}

/// The entries of a table of `SIZE` bytes each.
pub fn entries<const SIZE: usize>(table: Bytes) -> impl Iterator<Item = &'static [u8; SIZE]> + Clone {
    table.as_chunks::<SIZE>().0.iter()
}

/// One relocation with addend (ELF64 `Elf64_Rela`).
#[derive(Clone, Copy, Debug)]
pub struct Relocation {
    /// Where, in its section.
    pub offset: u64,
    /// `R_X86_64_*`.
    pub kind: u32,
    /// Index in the object's symbol table.
    pub symbol: u32,
    /// What is added to the symbol's value.
    pub addend: i64,
}

/// The relocations of a section's table.
pub fn relocations(table: Bytes) -> impl Iterator<Item = Relocation> {
    entries::<24>(table).map(|entry| {
        let word = |at: usize| u64::from_le_bytes(*entry[at..].first_chunk().expect("the entry has 24 bytes"));
        let info = word(8);
        Relocation { offset: word(0), kind: info as u32, symbol: (info >> 32) as u32, addend: word(16) as i64 }
    })
}
