//! The functions of a session, each behind a jump through a table: code that was compiled before
//! calls the newest definition, too.

use std::ffi::c_void;

/// Functions that a session may define.
const MOST: usize = 4096;
/// Bytes of a jump.
const JUMP: usize = 8;
/// Bytes of the jumps, whole pages; as many words of addresses follow.
const CODE: usize = MOST * JUMP;

/// The jumps and their table.
pub struct Functions {
    start: usize,
    used: usize,
}

impl Functions {
    /// Room for all.
    pub fn new() -> std::io::Result<Functions> {
        let size = CODE + MOST * 8;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: fresh memory; each jump reads the word that is `CODE` bytes after it.
        unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let start = libc::mmap(std::ptr::null_mut(), size, access, flags, -1, 0);
            if start == libc::MAP_FAILED {
                return Err(std::io::Error::last_os_error());
            }
            // jmp *displacement(%rip)
            let displacement = (CODE - 6) as u32;
            for index in 0..MOST {
                let jump = start.cast::<u8>().add(index * JUMP);
                jump.copy_from_nonoverlapping([0xff, 0x25].as_ptr(), 2);
                jump.add(2).copy_from_nonoverlapping(displacement.to_le_bytes().as_ptr(), 4);
            }
            if libc::mprotect(start, CODE, libc::PROT_READ | libc::PROT_EXEC) != 0 {
                return Err(std::io::Error::last_os_error());
            }
            Ok(Functions { start: start as usize, used: 0 })
        }
    }

    /// A new jump to a function; `None` when all are used.
    pub fn add(&mut self, function: usize) -> Option<usize> {
        if self.used == MOST {
            return None;
        }
        let jump = self.start + self.used * JUMP;
        self.used += 1;
        self.set(jump, function);
        Some(jump)
    }

    /// Lets a jump go to another function.
    pub fn set(&mut self, jump: usize, function: usize) {
        // SAFETY: the word belongs to a jump of this table.
        unsafe { ((jump + CODE) as *mut usize).write(function) };
    }

    /// Where a jump goes.
    pub fn target(&self, jump: usize) -> Option<usize> {
        let is_own = (self.start..self.start + self.used * JUMP).contains(&jump);
        // SAFETY: as above.
        is_own.then(|| unsafe { ((jump + CODE) as *const usize).read() })
    }
}

impl Drop for Functions {
    fn drop(&mut self) {
        // SAFETY: no code of the session runs any more.
        unsafe { libc::munmap(self.start as *mut c_void, CODE + MOST * 8) };
    }
}
