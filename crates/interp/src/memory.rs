//! Simulated memory: regions with bounds, lifetime and permission. An address is the region's
//! number in the high 32 bits and the offset from 2^20 in the low 32, so that pointers a little
//! before or after an object compare and subtract as on a real machine.

use crate::Trap;

/// Offset of the first byte of every region, so that addresses before it stay in its number range.
const ORIGIN: u64 = 1 << 20;

/// Number of the first region; below are null and small integers.
const FIRST: u64 = 16;

#[derive(Debug)]
struct Region {
    bytes: Vec<u8>,
    live: bool,
    writable: bool,
    name: String,
}

/// All regions ever made; numbers are not reused, so that dangling pointers are found.
#[derive(Default, Debug)]
pub struct Memory {
    regions: Vec<Region>,
}

impl Memory {
    /// Makes a region of zeros and returns the address of its first byte.
    pub fn allocate(&mut self, name: &str, size: u64, writable: bool) -> u64 {
        let number = FIRST + self.regions.len() as u64;
        self.regions.push(Region { bytes: vec![0; size as usize], live: true, writable, name: name.into() });
        number << 32 | ORIGIN
    }

    /// Ends a region's life. The address must be that of its first byte.
    ///
    /// # Errors
    /// Not the start of a live region.
    pub fn free(&mut self, address: u64) -> Result<(), Trap> {
        let (region, offset) = self.find(address)?;
        if offset != 0 {
            return Err(Trap::Undefined(format!(
                "free of {address:#x}, which is inside {}",
                self.regions[region].name
            )));
        }
        self.regions[region].live = false;
        self.regions[region].bytes = Vec::new();
        Ok(())
    }

    /// Ends the life of the last `length` bytes of a region, which begin at the address.
    ///
    /// # Errors
    /// Not the end of a live region.
    pub fn cut(&mut self, address: u64, length: u64) -> Result<(), Trap> {
        let (region, offset) = self.find(address)?;
        let bytes = &mut self.regions[region].bytes;
        match usize::try_from(offset) {
            Ok(offset) if (offset as u64).checked_add(length) == Some(bytes.len() as u64) => {
                bytes.truncate(offset);
                Ok(())
            }
            _ => Err(Trap::Unsupported("protection of memory that other memory follows".into())),
        }
    }

    /// Size in bytes of the region that starts at the address.
    ///
    /// # Errors
    /// No live region there.
    pub fn size_at(&self, address: u64) -> Result<u64, Trap> {
        let (region, _) = self.find(address)?;
        Ok(self.regions[region].bytes.len() as u64)
    }

    /// The name of the region the address points into.
    ///
    /// # Errors
    /// No live region there.
    pub fn name_at(&self, address: u64) -> Result<&str, Trap> {
        let (region, _) = self.find(address)?;
        Ok(&self.regions[region].name)
    }

    /// `length` bytes at the address.
    ///
    /// # Errors
    /// Not inside one live region.
    pub fn read(&self, address: u64, length: u64) -> Result<&[u8], Trap> {
        if length == 0 {
            return Ok(&[]);
        }
        let (region, offset) = self.find(address)?;
        let bytes = &self.regions[region].bytes;
        let inside = offset >= 0 && (offset as u64).checked_add(length).is_some_and(|end| end <= bytes.len() as u64);
        if !inside {
            return Err(self.out_of_bounds("read", region, offset, length));
        }
        Ok(&bytes[offset as usize..(offset as u64 + length) as usize])
    }

    /// Writes bytes at the address.
    ///
    /// # Errors
    /// Not inside one live writable region.
    pub fn write(&mut self, address: u64, data: &[u8]) -> Result<(), Trap> {
        if data.is_empty() {
            return Ok(());
        }
        let (region, offset) = self.find(address)?;
        let size = self.regions[region].bytes.len() as u64;
        let inside = offset >= 0 && (offset as u64).checked_add(data.len() as u64).is_some_and(|end| end <= size);
        if !inside {
            return Err(self.out_of_bounds("write", region, offset, data.len() as u64));
        }
        if !self.regions[region].writable {
            return Err(Trap::Undefined(format!("write to constant {}", self.regions[region].name)));
        }
        self.regions[region].bytes[offset as usize..offset as usize + data.len()].copy_from_slice(data);
        Ok(())
    }

    /// Makes a region read-only (after its initialisation).
    pub fn protect(&mut self, address: u64) {
        if let Ok((region, _)) = self.find(address) {
            self.regions[region].writable = false;
        }
    }

    /// A little-endian number of `length` (at most 16) bytes.
    ///
    /// # Errors
    /// As [`Memory::read`].
    pub fn load(&self, address: u64, length: u64) -> Result<u128, Trap> {
        Ok(self.read(address, length)?.iter().rev().fold(0, |bits, &b| bits << 8 | b as u128))
    }

    /// Stores the low `length` (at most 16) bytes of a number.
    ///
    /// # Errors
    /// As [`Memory::write`].
    pub fn store(&mut self, address: u64, length: u64, bits: u128) -> Result<(), Trap> {
        self.write(address, &bits.to_le_bytes()[..length as usize])
    }

    /// The bytes up to, excluding, the first zero.
    ///
    /// # Errors
    /// No zero inside the region.
    pub fn c_string(&self, address: u64) -> Result<Vec<u8>, Trap> {
        let mut out = Vec::new();
        loop {
            match self.read(address + out.len() as u64, 1)?[0] {
                0 => return Ok(out),
                byte => out.push(byte),
            }
        }
    }

    fn find(&self, address: u64) -> Result<(usize, i64), Trap> {
        let number = address >> 32;
        if number < FIRST {
            return Err(Trap::Undefined(format!("access through the null or invalid pointer {address:#x}")));
        }
        let region = (number - FIRST) as usize;
        match self.regions.get(region) {
            Some(r) if r.live => Ok((region, (address & 0xffff_ffff) as i64 - ORIGIN as i64)),
            Some(r) => Err(Trap::Undefined(format!("access to {} after its lifetime", r.name))),
            None => Err(Trap::Undefined(format!("access through the invalid pointer {address:#x}"))),
        }
    }

    fn out_of_bounds(&self, what: &str, region: usize, offset: i64, length: u64) -> Trap {
        let r = &self.regions[region];
        Trap::Undefined(format!("{what} of {length} bytes at offset {offset} of {} ({} bytes)", r.name, r.bytes.len()))
    }
}
