//! The mapping that an image lives in.

use crate::{Outcome, error};
use std::ptr::null_mut;

/// Bytes of a page.
pub const PAGE: usize = 4096;

/// Where the parts of an image end, as distances from its start; they follow each other.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ends {
    pub code: usize,
    pub constants: usize,
    /// The table of addresses.
    pub table: usize,
}

/// Pages of this process, given back when dropped.
pub struct Mapping {
    start: usize,
    size: usize,
}

impl Mapping {
    /// Fresh pages that can be written, in the first two gigabytes if `low`.
    pub fn new(size: usize, low: bool) -> Outcome<Mapping> {
        let size = size.max(1).next_multiple_of(PAGE);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | if low { libc::MAP_32BIT } else { 0 };
        // SAFETY: a fresh mapping, wherever the system puts it.
        let start = unsafe { libc::mmap(null_mut(), size, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return error(format!("no memory for {size} bytes of code: {}", std::io::Error::last_os_error()));
        }
        Ok(Mapping { start: start as usize, size })
    }

    pub fn start(&self) -> usize {
        self.start
    }

    pub fn contains(&self, address: usize) -> bool {
        (self.start..self.start + self.size).contains(&address)
    }

    /// `len` bytes at an offset, to be written before they are protected.
    pub fn bytes(&mut self, at: usize, len: usize) -> &mut [u8] {
        assert!(at.checked_add(len).is_some_and(|end| end <= self.size), "a place outside of the image");
        // SAFETY: the range is inside this mapping, which nobody else has while it is borrowed.
        unsafe { std::slice::from_raw_parts_mut((self.start + at) as *mut u8, len) }
    }

    /// The word at an address of the image.
    pub fn word(&self, address: usize) -> &usize {
        assert!(address.is_multiple_of(8) && self.contains(address) && self.contains(address + 7));
        // SAFETY: the word is inside the mapping, aligned, and readable throughout.
        unsafe { &*(address as *const usize) }
    }

    /// Makes code executable and constants read-only; the table of addresses stays writable for
    /// what follows.
    pub fn protect(&self, ends: Ends) -> Outcome<()> {
        self.set(0, ends.code, libc::PROT_READ | libc::PROT_EXEC)?;
        self.set(ends.code, ends.constants, libc::PROT_READ)
    }

    /// The last step: the table of addresses, unless functions are to be replaced.
    pub fn seal(&self, ends: Ends, replaceable: bool) -> Outcome<()> {
        if replaceable {
            return Ok(());
        }
        self.set(ends.constants, ends.table, libc::PROT_READ)
    }

    fn set(&self, from: usize, to: usize, access: libc::c_int) -> Outcome<()> {
        if from == to {
            return Ok(());
        }
        // SAFETY: whole pages of this mapping, whose use from now on fits the access.
        if unsafe { libc::mprotect((self.start + from) as *mut libc::c_void, to - from, access) } != 0 {
            return error(format!("memory cannot be made executable: {}", std::io::Error::last_os_error()));
        }
        Ok(())
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and whoever had addresses in it is done, as the image's
        // users promise.
        unsafe { libc::munmap(self.start as *mut libc::c_void, self.size) };
    }
}
