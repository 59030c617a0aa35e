//! Memory from where `tcc_set_realloc` says. Each block remembers where it came from.

use crate::ReallocFunction;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Chosen;

#[global_allocator]
static ALLOCATOR: Chosen = Chosen;

/// The function, 0 for the C library's.
static FUNCTION: AtomicUsize = AtomicUsize::new(0);

/// Bytes before a block: where it came from. As much as its alignment.
const HEAD: usize = 16;

pub fn set(function: Option<ReallocFunction>) {
    FUNCTION.store(function.map_or(0, |function| function as usize), Ordering::Relaxed);
}

fn own(layout: &Layout) -> bool {
    layout.align() <= HEAD
}

/// # Safety
/// `function` is 0 or a function of the type, and `block` came from it or is null.
unsafe fn resize(function: usize, block: *mut u8, size: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    unsafe {
        match function {
            0 if size == 0 => {
                libc::free(block.cast());
                std::ptr::null_mut()
            }
            0 => libc::realloc(block.cast(), size).cast(),
            _ => {
                let function: ReallocFunction = std::mem::transmute(function);
                function(block.cast(), size as libc::c_ulong).cast()
            }
        }
    }
}

// SAFETY: blocks have a head of 16 bytes, so they are aligned as the C library's are; larger
// alignments are the system allocator's.
unsafe impl GlobalAlloc for Chosen {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !own(&layout) {
            // SAFETY: the caller's promises are the system allocator's.
            return unsafe { System.alloc(layout) };
        }
        let function = FUNCTION.load(Ordering::Relaxed);
        // SAFETY: a fresh block; the head is inside.
        unsafe {
            let block = resize(function, std::ptr::null_mut(), layout.size() + HEAD);
            if block.is_null() {
                return block;
            }
            block.cast::<usize>().write(function);
            block.add(HEAD)
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if !own(&layout) {
            // SAFETY: such a layout was given to the system allocator.
            return unsafe { System.dealloc(block, layout) };
        }
        // SAFETY: the head stands before the block.
        unsafe {
            let block = block.sub(HEAD);
            resize(block.cast::<usize>().read(), block, 0);
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !own(&layout) {
            // SAFETY: such a layout was given to the system allocator.
            return unsafe { System.realloc(block, layout, size) };
        }
        // SAFETY: the head stands before the block and moves with it.
        unsafe {
            let block = block.sub(HEAD);
            let moved = resize(block.cast::<usize>().read(), block, size + HEAD);
            if moved.is_null() { moved } else { moved.add(HEAD) }
        }
    }
}
