//! Simulated memory: regions with bounds, lifetime and permission. An address is the region's
//! number in the high 32 bits and the offset from 2^20 in the low 32, so that pointers a little
//! before or after an object compare and subtract as on a real machine.

use std::sync::Arc;

use base::Loc;

use crate::Trap;

/// Says what a location is in the source: `prog.c:8:5`.
pub type Locate<'m> = dyn Fn(Loc) -> Option<String> + 'm;

/// Offset of the first byte of every region, so that addresses before it stay in its number range.
const ORIGIN: u64 = 1 << 20;

/// The largest block that a program gets.
pub(crate) const MAX_SIZE: u64 = 1 << 30;

/// Number of the first region; below are null and small integers.
const FIRST: u64 = 16;

/// What a region is to the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A variable of a function, or memory of `alloca`.
    Stack,
    /// Memory of `malloc` and its like.
    Heap,
    /// An object of static storage duration.
    Global,
    /// What the interpreter itself has made.
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Life {
    Live,
    /// Its scope has ended and may begin again.
    OutOfScope,
    Returned,
    Freed,
}

pub(crate) struct Region {
    pub(crate) bytes: Vec<u8>,
    life: Life,
    writable: bool,
    pub(crate) name: Arc<str>,
    pub(crate) kind: Kind,
    /// Where it is declared or allocated.
    pub(crate) loc: Loc,
    /// Where it was freed.
    freed: Loc,
    /// Its size when it lived.
    size: u64,
    /// The bits that no one has written, byte by byte; empty if all are defined.
    undefined: Vec<u8>,
    /// The alias class of the last store, byte by byte; empty if there was none.
    types: Vec<u8>,
}

/// All regions ever made; numbers are not reused, so that dangling pointers are found.
#[derive(Default)]
pub struct Memory<'m> {
    regions: Vec<Region>,
    /// Memory begins undefined, and reports name places in the source.
    pub(crate) locate: Option<Box<Locate<'m>>>,
}

impl<'m> Memory<'m> {
    /// Makes a region of zeros and returns the address of its first byte.
    pub fn allocate(&mut self, name: &str, size: u64, writable: bool) -> u64 {
        self.make(name.into(), size, writable, Kind::Other, Loc::NONE)
    }

    /// As [`Memory::allocate`], of a kind and with the place of its declaration or allocation.
    pub fn make(&mut self, name: Arc<str>, size: u64, writable: bool, kind: Kind, loc: Loc) -> u64 {
        let number = FIRST + self.regions.len() as u64;
        let undefined = match self.locate.is_some() && matches!(kind, Kind::Stack | Kind::Heap) {
            true => vec![0xff; size as usize],
            false => Vec::new(),
        };
        self.regions.push(Region {
            bytes: vec![0; size as usize],
            life: Life::Live,
            writable,
            name,
            kind,
            loc,
            freed: Loc::NONE,
            size,
            undefined,
            types: Vec::new(),
        });
        number << 32 | ORIGIN
    }

    /// Ends a region's life. The address must be that of its first byte.
    ///
    /// # Errors
    /// Not the start of a live region.
    pub fn free(&mut self, address: u64) -> Result<(), Trap> {
        let (region, offset) = self.find(address)?;
        if offset != 0 {
            let what = self.describe(region);
            return Err(Trap::Undefined(format!("free of a pointer {offset} bytes into {what} [bad-free]")));
        }
        self.end(region, Life::Returned, Loc::NONE);
        Ok(())
    }

    fn end(&mut self, region: usize, life: Life, loc: Loc) {
        let region = &mut self.regions[region];
        (region.life, region.freed) = (life, loc);
        (region.bytes, region.undefined, region.types) = (Vec::new(), Vec::new(), Vec::new());
    }

    /// `free`: only what `malloc` and its like have given may be freed, once.
    ///
    /// # Errors
    /// Anything else.
    pub fn free_block(&mut self, address: u64, loc: Loc) -> Result<(), Trap> {
        let number = (address >> 32).checked_sub(FIRST).map(|n| n as usize);
        let Some(region) = number.filter(|&n| n < self.regions.len()) else {
            return Err(Trap::Undefined(format!("free of the invalid pointer {address:#x} [bad-free]")));
        };
        let r = &self.regions[region];
        let what = self.describe(region);
        if r.kind != Kind::Heap {
            return Err(Trap::Undefined(format!("free of {what}, which no allocation function has given [bad-free]")));
        }
        let offset = (address & 0xffff_ffff) as i64 - ORIGIN as i64;
        if r.life != Life::Live {
            let before = self.at(r.freed).map_or(String::new(), |at| format!(", already freed at {at}"));
            return Err(Trap::Undefined(format!("second free of {what}{before} [bad-free]")));
        }
        if offset != 0 {
            return Err(Trap::Undefined(format!("free of a pointer {offset} bytes into {what} [bad-free]")));
        }
        self.end(region, Life::Freed, loc);
        Ok(())
    }

    /// A variable's scope begins: its contents are undefined if it had ended before.
    pub fn begin_scope(&mut self, address: u64) {
        let Some(region) = self.regions.get_mut(((address >> 32) - FIRST) as usize) else { return };
        if region.life == Life::OutOfScope {
            region.life = Life::Live;
            region.undefined = vec![0xff; region.bytes.len()];
            region.types = Vec::new();
        }
    }

    /// A variable's scope ends.
    pub fn end_scope(&mut self, address: u64) {
        if let Some(region) = self.regions.get_mut(((address >> 32) - FIRST) as usize)
            && region.life == Life::Live
        {
            region.life = Life::OutOfScope;
        }
    }

    /// Ends the life of a function's variable.
    pub(crate) fn end_variable(&mut self, address: u64) {
        self.end(((address >> 32) - FIRST) as usize, Life::Returned, Loc::NONE);
    }

    /// A place in the source.
    pub(crate) fn at(&self, loc: Loc) -> Option<String> {
        self.locate.as_ref().and_then(|locate| locate(loc))
    }

    /// What a region is, in a report's words.
    fn describe(&self, region: usize) -> String {
        let r = &self.regions[region];
        let (size, name) = (r.size, &r.name);
        let at = self.at(r.loc);
        match (r.kind, at) {
            (Kind::Heap, Some(at)) => format!("a block of {size} bytes that {name} allocated at {at}"),
            (Kind::Heap, None) => format!("a block of {size} bytes that {name} allocated"),
            (Kind::Stack | Kind::Global, Some(at)) => format!("{name} ({size} bytes, declared at {at})"),
            _ => format!("{name} ({size} bytes)"),
        }
    }

    /// What the region at the address is; what a live address points into.
    pub(crate) fn describe_at(&self, address: u64) -> String {
        match self.find(address) {
            Ok((region, _)) => self.describe(region),
            Err(_) => "memory".into(),
        }
    }

    /// The bits of `length` bytes that are undefined, if there is one.
    pub fn undefined(&self, address: u64, length: u64) -> Option<&[u8]> {
        let (region, offset) = self.find(address).ok()?;
        let range = offset as usize..(offset as u64 + length) as usize;
        self.regions[region].undefined.get(range).filter(|bits| bits.iter().any(|&b| b != 0))
    }

    /// Says that a region's bytes are all defined.
    pub(crate) fn define(&mut self, address: u64) {
        if let Ok((region, _)) = self.find(address) {
            self.regions[region].undefined = Vec::new();
        }
    }

    /// Says that bits of the bytes at the address are undefined.
    pub fn set_undefined(&mut self, address: u64, bits: &[u8]) {
        let Ok((region, offset)) = self.find(address) else { return };
        let region = &mut self.regions[region];
        region.undefined.resize(region.bytes.len(), 0);
        if let Some(place) = region.undefined.get_mut(offset as usize..offset as usize + bits.len()) {
            place.copy_from_slice(bits);
        }
    }

    /// Notes the class of a store. Class 0 forgets what was there.
    pub fn set_type(&mut self, address: u64, length: u64, class: u8) {
        let Ok((region, offset)) = self.find(address) else { return };
        let region = &mut self.regions[region];
        if region.types.is_empty() {
            if class == 0 {
                return;
            }
            region.types = vec![0; region.bytes.len()];
        }
        if let Some(place) = region.types.get_mut(offset as usize..(offset as u64 + length) as usize) {
            place.fill(class);
        }
    }

    /// The classes of the last stores to `length` bytes; empty if there was none.
    pub fn types(&self, address: u64, length: u64) -> &[u8] {
        let Ok((region, offset)) = self.find(address) else { return &[] };
        self.regions[region].types.get(offset as usize..(offset as u64 + length) as usize).unwrap_or_default()
    }

    /// Copies bytes as they are, defined or not.
    ///
    /// # Errors
    /// As [`Memory::read`] and [`Memory::write`].
    pub fn copy(&mut self, to: u64, from: u64, length: u64) -> Result<(), Trap> {
        let bytes = self.read(from, length)?.to_vec();
        let undefined = self.undefined(from, length).map(<[u8]>::to_vec);
        // C23 6.5.1: only an object without a declared type takes the type of what is copied to it.
        let declared = self.kind_at(to) != Some(Kind::Heap);
        let types = if declared { Vec::new() } else { self.types(from, length).to_vec() };
        self.write(to, &bytes)?;
        if let Some(undefined) = undefined {
            self.set_undefined(to, &undefined);
        }
        self.set_type(to, length, 0);
        for (i, &class) in types.iter().enumerate().filter(|(_, c)| **c != 0) {
            self.set_type(to + i as u64, 1, class);
        }
        Ok(())
    }

    fn kind_at(&self, address: u64) -> Option<Kind> {
        self.find(address).ok().map(|(region, _)| self.regions[region].kind)
    }

    /// Bytes that the program shows or decides by.
    ///
    /// # Errors
    /// As [`Memory::read`], and bytes that no one has written.
    pub fn read_defined(&self, address: u64, length: u64) -> Result<&[u8], Trap> {
        let bytes = self.read(address, length)?;
        if let Some(bits) = self.undefined(address, length) {
            let first = bits.iter().position(|&b| b != 0).unwrap_or(0);
            let (region, offset) = self.find(address)?;
            let (at, what) = (offset + first as i64, self.describe(region));
            return Err(Trap::Undefined(format!(
                "the byte at offset {at} of {what} is read, and no one has written it [uninitialised]"
            )));
        }
        Ok(bytes)
    }

    /// Blocks of the heap that live and that no pointer leads to any more, as (size, function,
    /// place).
    pub(crate) fn leaks(&self) -> Vec<(u64, Arc<str>, Loc)> {
        let live = |r: &Region| r.life == Life::Live;
        let mut reached: Vec<bool> = self.regions.iter().map(|r| r.kind != Kind::Heap && live(r)).collect();
        let mut work: Vec<usize> = (0..reached.len()).filter(|&i| reached[i]).collect();
        while let Some(index) = work.pop() {
            for word in self.regions[index].bytes.chunks_exact(8) {
                let pointer = u64::from_le_bytes(word.try_into().unwrap_or_default());
                let Some(target) = (pointer >> 32).checked_sub(FIRST).map(|t| t as usize) else { continue };
                if self.regions.get(target).is_some_and(live) && !reached[target] {
                    reached[target] = true;
                    work.push(target);
                }
            }
        }
        let lost = self.regions.iter().zip(&reached).filter(|(r, reached)| live(r) && !**reached);
        lost.map(|(r, _)| (r.size, r.name.clone(), r.loc)).collect()
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
            let what = self.describe(region);
            return Err(Trap::Undefined(format!("write to constant {what} [constant]")));
        }
        let region = &mut self.regions[region];
        let range = offset as usize..offset as usize + data.len();
        if !region.undefined.is_empty() {
            region.undefined[range.clone()].fill(0);
        }
        // A store by the program says its type after this; the library's have none.
        if !region.types.is_empty() {
            region.types[range.clone()].fill(0);
        }
        region.bytes[range].copy_from_slice(data);
        Ok(())
    }

    /// Writes the same byte `length` times.
    ///
    /// # Errors
    /// As [`Memory::write`].
    pub fn fill(&mut self, address: u64, byte: u8, length: u64) -> Result<(), Trap> {
        // What is too long for the region is not made.
        self.read(address, length)?;
        self.write(address, &vec![byte; length as usize])
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
            match self.read_defined(address.wrapping_add(out.len() as u64), 1)?[0] {
                0 => return Ok(out),
                byte => out.push(byte),
            }
        }
    }

    fn find(&self, address: u64) -> Result<(usize, i64), Trap> {
        let number = address >> 32;
        if number < FIRST {
            let what = if address == 0 { "null pointer" } else { "invalid pointer" };
            return Err(Trap::Undefined(format!("access through the {what} {address:#x} [pointer]")));
        }
        let region = (number - FIRST) as usize;
        match self.regions.get(region) {
            Some(r) if r.life == Life::Live => Ok((region, (address & 0xffff_ffff) as i64 - ORIGIN as i64)),
            Some(r) => Err(self.dead(region, r)),
            None => Err(Trap::Undefined(format!("access through the invalid pointer {address:#x} [pointer]"))),
        }
    }

    fn dead(&self, region: usize, r: &Region) -> Trap {
        let what = self.describe(region);
        Trap::Undefined(match r.life {
            Life::Freed => {
                let at = self.at(r.freed).map_or(String::new(), |at| format!(" and that was freed at {at}"));
                format!("access to {what}{at} [use-after-free]")
            }
            Life::OutOfScope => format!("access to {what} after its scope has ended [use-after-scope]"),
            _ => format!("access to {what} after its lifetime: its function has returned [use-after-return]"),
        })
    }

    fn out_of_bounds(&self, what: &str, region: usize, offset: i64, length: u64) -> Trap {
        let r = &self.regions[region];
        let object = self.describe(region);
        let class = match r.kind {
            _ if offset < 0 => "underflow",
            Kind::Stack => "stack-overflow",
            Kind::Heap => "heap-overflow",
            Kind::Global => "global-overflow",
            Kind::Other => "overflow",
        };
        let place = if offset < 0 { "before" } else { "beyond" };
        Trap::Undefined(format!("{what} of {length} bytes at offset {offset}, {place} {object} [{class}]"))
    }
}
