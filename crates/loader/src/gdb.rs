//! gdb's interface for code that is made at run time ("JIT Compilation Interface" in its manual): a
//! list of object files in memory, and a function with a breakpoint that says that it changed.

use crate::inputs::Object;
use std::ffi::c_char;
use std::ptr::null_mut;
use std::sync::Mutex;

/// An object that the debugger knows while this lives.
pub struct Registration {
    entry: *mut Entry,
    /// What the entry points to.
    _object: Box<[u8]>,
}

// SAFETY: the entry is only touched under the lock.
unsafe impl Send for Registration {}
// SAFETY: nothing can be done through a shared reference.
unsafe impl Sync for Registration {}

/// `struct jit_code_entry`
#[repr(C)]
struct Entry {
    next: *mut Entry,
    previous: *mut Entry,
    object: *const c_char,
    size: u64,
}

/// `struct jit_descriptor`
#[repr(C)]
pub struct Descriptor {
    version: u32,
    action: u32,
    relevant: *mut Entry,
    first: *mut Entry,
}

const REGISTER: u32 = 1;
const UNREGISTER: u32 = 2;

/// The names are the debugger's; the list belongs to the process, as the interface wants it.
#[unsafe(no_mangle)]
#[used]
#[allow(non_upper_case_globals)]
pub static mut __jit_debug_descriptor: Descriptor =
    Descriptor { version: 1, action: 0, relevant: null_mut(), first: null_mut() };

static LOCK: Mutex<()> = Mutex::new(());

/// Where the debugger has its breakpoint.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn __jit_debug_register_code() {
    std::hint::black_box(&raw const __jit_debug_descriptor);
}

/// Shows an object whose sections are where `address` says.
pub fn register(object: &Object<'_>, address: impl Fn(usize) -> Option<usize>) -> Registration {
    let mut bytes = object.bytes.to_vec().into_boxed_slice();
    for index in 0..object.sections.len() {
        // `sh_addr` is the fourth field of `Elf64_Shdr`, at 16 of 64 bytes. The table was read
        // before, so it is inside the file.
        let at = object.section_table as usize + index * 64 + 16;
        if let Some(address) = address(index) {
            bytes[at..at + 8].copy_from_slice(&(address as u64).to_le_bytes());
        }
    }
    let size = bytes.len() as u64;
    let entry = Entry { next: null_mut(), previous: null_mut(), object: bytes.as_ptr().cast(), size };
    let entry = Box::into_raw(Box::new(entry));
    let _guard = LOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    // SAFETY: under the lock the list is ours; its entries live until they are taken out.
    unsafe {
        let descriptor = &raw mut __jit_debug_descriptor;
        (*entry).next = (*descriptor).first;
        if !(*entry).next.is_null() {
            (*(*entry).next).previous = entry;
        }
        (*descriptor).first = entry;
        announce(descriptor, entry, REGISTER);
    }
    Registration { entry, _object: bytes }
}

/// # Safety
/// The lock is held and the entry is in the list or just taken out.
unsafe fn announce(descriptor: *mut Descriptor, entry: *mut Entry, action: u32) {
    // SAFETY: as the caller promises.
    unsafe {
        (*descriptor).relevant = entry;
        (*descriptor).action = action;
        __jit_debug_register_code();
        (*descriptor).action = 0;
        (*descriptor).relevant = null_mut();
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let _guard = LOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // SAFETY: as above; the entry is in the list and ours.
        unsafe {
            let descriptor = &raw mut __jit_debug_descriptor;
            let Entry { next, previous, .. } = *self.entry;
            if previous.is_null() {
                (*descriptor).first = next;
            } else {
                (*previous).next = next;
            }
            if !next.is_null() {
                (*next).previous = previous;
            }
            announce(descriptor, self.entry, UNREGISTER);
            drop(Box::from_raw(self.entry));
        }
    }
}
