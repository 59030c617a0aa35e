//! Bytes and relocations of a static object while its initialiser is read.

use bumpalo::Bump;

use crate::tree::{StaticInit, StaticReloc};

/// Contents of a static object; bytes beyond the written ones are zero.
pub struct StaticData<'a> {
    bytes: Vec<u8>,
    relocs: Vec<StaticReloc<'a>>,
    sorted: bool,
    too_large: bool,
}

/// Bytes of an object that an initialiser may reach: what the small code model addresses.
const MAX_BYTES: u64 = 1 << 31;

impl Default for StaticData<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> StaticData<'a> {
    /// All zeros.
    pub fn new() -> StaticData<'a> {
        StaticData { bytes: Vec::new(), relocs: Vec::new(), sorted: true, too_large: false }
    }

    /// Writes bytes at an offset. Trailing zeros are not stored.
    #[inline]
    pub fn write(&mut self, offset: u64, bytes: &[u8]) {
        let zeros_behind = || bytes.iter().all(|&b| b == 0);
        if offset >= self.bytes.len() as u64 && zeros_behind() || self.is_beyond(offset, bytes.len() as u64) {
            return;
        }
        let (start, end) = (offset as usize, offset as usize + bytes.len());
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[start..end].copy_from_slice(bytes);
    }

    /// Writes the low `width` bits of `value` at a bit position (little-endian bit order).
    pub fn write_bits(&mut self, at: u64, width: u32, value: u128) {
        if self.is_beyond(at / 8, width as u64 / 8 + 2) {
            return;
        }
        let end = (at + width as u64).div_ceil(8) as usize;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        for bit in 0..width as u64 {
            let (byte, shift) = (((at + bit) / 8) as usize, (at + bit) % 8);
            let set = (value >> bit & 1) as u8;
            self.bytes[byte] = self.bytes[byte] & !(1 << shift) | set << shift;
        }
    }

    /// Writes the low `width` bits of `value` at a bit position, most significant bit first and
    /// counted from the most significant bit of each byte on (bit-fields in reversed storage
    /// order).
    pub fn write_bits_reversed(&mut self, at: u64, width: u32, value: u128) {
        for bit in 0..width as u64 {
            let position = at + bit;
            self.write_bits(position / 8 * 8 + 7 - position % 8, 1, value >> (width as u64 - 1 - bit) & 1);
        }
    }

    /// Whether the initialiser reached beyond what can be emitted, and lost something by it.
    pub fn is_too_large(&self) -> bool {
        self.too_large
    }

    fn is_beyond(&mut self, offset: u64, size: u64) -> bool {
        let beyond = offset.saturating_add(size) > MAX_BYTES;
        self.too_large |= beyond;
        beyond
    }

    /// Adds an address.
    pub fn add_reloc(&mut self, reloc: StaticReloc<'a>) {
        if self.is_beyond(reloc.offset, reloc.size as u64) {
            return;
        }
        self.clear_bytes(reloc.offset, reloc.size as u64);
        if self.relocs.last().is_some_and(|last| last.offset >= reloc.offset) {
            self.sorted = false;
            self.drop_relocs(reloc.offset, reloc.size as u64);
        }
        self.relocs.push(reloc);
    }

    /// Forgets addresses that begin in a range.
    pub fn drop_relocs(&mut self, offset: u64, size: u64) {
        if self.relocs.last().is_some_and(|r| r.offset >= offset) || !self.sorted {
            self.relocs.retain(|r| r.offset < offset || r.offset >= offset + size);
        }
    }

    fn clear_bytes(&mut self, offset: u64, size: u64) {
        let end = self.bytes.len().min((offset + size) as usize);
        if (offset as usize) < end {
            self.bytes[offset as usize..end].fill(0);
        }
    }

    /// Makes a range zero again.
    pub fn clear(&mut self, offset: u64, size: u64) {
        self.clear_bytes(offset, size);
        self.relocs.retain(|r| r.offset < offset || r.offset >= offset + size);
    }

    /// The finished contents of an object of `size` bytes.
    pub fn finish(mut self, arena: &'a Bump, size: u64) -> StaticInit<'a> {
        if !self.sorted {
            self.relocs.sort_by_key(|r| r.offset);
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes.truncate(size as usize);
        StaticInit {
            size: size.max(self.bytes.len() as u64),
            bytes: arena.alloc_slice_copy(&self.bytes),
            relocs: arena.alloc_slice_copy(&self.relocs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_bytes() {
        let arena = Bump::new();
        let mut data = StaticData::new();
        data.write(0, &[1, 2, 3, 4]);
        data.write_bits(4, 5, 0b11111);
        data.write(8, &[0, 0]);
        data.write_bits_reversed(82, 4, 0b1011);
        let init = data.finish(&arena, 12);
        assert_eq!(init.bytes, [0xf1, 3, 3, 4, 0, 0, 0, 0, 0, 0, 0x2c]);
        assert_eq!(init.size, 12);
    }
}
