//! The program's allocator: free lists by size class, one set a thread, over memory that is taken
//! from the system in large steps and never given back.
//!
//! A compiler allocates small blocks without end and frees them soon, mostly on the thread that
//! made them. A class holds the blocks of one size; an allocation takes the head of a list, or the
//! next bytes of the thread's region, and a free puts the block before again, on whatever thread it
//! happens: a block belongs to no one. Compared with the C library's allocator that is a third of
//! the instructions, and the steps, but for the first bytes huge pages where the system has them,
//! save most page faults. Large and over-aligned blocks, which are few, go to the C library:
//! it joins what is freed and moves pages when a vector grows. When the system has no more, that is
//! said and the process ends with status 1: no caller could go on, and Rust's own answer is to
//! abort.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Serves Rust's allocations.
pub struct Allocator;

/// Larger blocks are the C library's.
const LARGEST: usize = 256 << 10;
/// Alignment of every block.
const ALIGN: usize = 16;
/// Up to this size classes are `ALIGN` apart; above, there are four to each doubling.
const FINE: usize = 1 << 10;
const FINE_CLASSES: usize = FINE / ALIGN;
const CLASSES: usize = FINE_CLASSES + 4 * (LARGEST / FINE).ilog2() as usize + 1;

/// Address space reserved at a time for a thread, if no limit asks for less.
const REGION: usize = 64 << 20;
/// The same under the limit there is: a small part of it.
static REGION_SIZE: AtomicUsize = AtomicUsize::new(REGION);
const REGIONS_UNDER_LIMIT: usize = 32;
/// Bytes of it made usable at a time once it is in full use: a huge page.
const STEP: usize = 2 << 20;
/// And before that: most threads need little. The compilation of a small file needs half a step: a
/// huge page is made in less time than the two hundred small ones that this would be.
const FIRST_STEP: usize = 64 << 10;

/// Blocks of the C library that are at least this large get huge pages: smaller ones would waste
/// more than a few of them.
const HUGE_FROM: usize = 4 << 20;

/// Bytes of a class's blocks; class 0 is not used.
const SIZES: [u32; CLASSES] = {
    let mut sizes = [0; CLASSES];
    let mut class = 1;
    while class < CLASSES {
        sizes[class] = if class <= FINE_CLASSES {
            class * ALIGN
        } else {
            let (doubling, quarter) = ((class - FINE_CLASSES - 1) / 4, (class - FINE_CLASSES - 1) % 4);
            (FINE + (quarter + 1) * FINE / 4) << doubling
        } as u32;
        class += 1;
    }
    sizes
};

/// The class that holds `size` bytes, of 1 to [`LARGEST`].
#[inline]
fn class_of(size: usize) -> usize {
    if size <= FINE {
        size.div_ceil(ALIGN)
    } else {
        let last = size - 1;
        let doubling = last.ilog2() - FINE.ilog2();
        let quarter = (last >> (last.ilog2() - 2)) & 3;
        FINE_CLASSES + doubling as usize * 4 + quarter + 1
    }
}

/// A free block: where the next one of its class is.
struct Free {
    next: *mut Free,
}

/// A thread's memory. It has no destructor: what a thread leaves over stays unused.
struct Heap {
    free: [*mut Free; CLASSES],
    /// The next unused byte, the end of what is usable, the borders of the region.
    at: usize,
    end: usize,
    region_start: usize,
    region_end: usize,
}

thread_local! {
    static HEAP: UnsafeCell<Heap> =
        const { UnsafeCell::new(Heap { free: [null_mut(); CLASSES], at: 0, end: 0, region_start: 0, region_end: 0 }) };
}

#[inline]
fn heap() -> *mut Heap {
    HEAP.with(|heap| heap.get())
}

#[inline]
fn is_ours(layout: &Layout) -> bool {
    layout.size() <= LARGEST && layout.align() <= ALIGN
}

// SAFETY: blocks of a class have its size, which is at least the layout's, are aligned to `ALIGN`,
// and stand on a free list or are in use, never both; a heap is only reached by its own thread, and
// no code of others runs while it is borrowed.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !is_ours(&layout) {
            // SAFETY: the caller's promises are the system allocator's.
            return unsafe { large(System.alloc(layout), layout.size()) };
        }
        let class = class_of(layout.size());
        // SAFETY: this thread's heap; what is on a free list is a block no one uses, whose first
        // word is the link.
        unsafe {
            let heap = &mut *heap();
            let block = heap.free[class];
            if !block.is_null() {
                heap.free[class] = (*block).next;
                return block.cast();
            }
            let (at, size) = (heap.at, SIZES[class] as usize);
            if heap.end - at >= size {
                heap.at = at + size;
                return at as *mut u8;
            }
            more(heap, size)
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if !is_ours(&layout) {
            // SAFETY: such a layout was given to the system allocator.
            return unsafe { System.dealloc(block, layout) };
        }
        let class = class_of(layout.size());
        // SAFETY: the block came from `alloc` with this layout, so it has the class's size, and its
        // user is done with it.
        unsafe {
            let heap = &mut *heap();
            let block: *mut Free = block.cast();
            (*block).next = heap.free[class];
            heap.free[class] = block;
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !is_ours(&layout) {
            // SAFETY: the caller's promises are the system allocator's.
            return unsafe { large(System.alloc_zeroed(layout), layout.size()) };
        }
        // SAFETY: as above; the block has at least the layout's size. What was never used is zero.
        unsafe {
            let (class, heap) = (class_of(layout.size()), &mut *heap());
            let (at, size) = (heap.at, SIZES[class] as usize);
            if heap.free[class].is_null() && heap.end - at >= size {
                heap.at = at + size;
                return at as *mut u8;
            }
            let block = self.alloc(layout);
            if !block.is_null() {
                block.write_bytes(0, layout.size());
            }
            block
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.align() > ALIGN || layout.size() > LARGEST && size > LARGEST {
            // SAFETY: both the old and the new block are the system allocator's.
            return unsafe { large(System.realloc(block, layout, size), size) };
        }
        if layout.size() <= LARGEST && size <= LARGEST {
            let (old, new) = (class_of(layout.size()), class_of(size));
            if old == new {
                return block;
            }
            // SAFETY: this thread's heap. A block that ends where the unused bytes begin can grow
            // into them, and give some back, which have to be as new.
            unsafe {
                let heap = &mut *heap();
                let end = block as usize + SIZES[new] as usize;
                if block as usize + SIZES[old] as usize == heap.at && end <= heap.end {
                    (end as *mut u8).write_bytes(0, heap.at.saturating_sub(end));
                    heap.at = end;
                    return block;
                }
            }
        }
        // SAFETY: both layouts are valid, and the smaller size is within both blocks.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

/// What the first thread starts with. A program that `run` has kept needs no region.
const FIRST: usize = 16 << 10;

#[repr(align(16))]
struct FirstBytes(UnsafeCell<[u8; FIRST]>);

// SAFETY: `FIRST_TAKEN` gives the bytes to one thread's heap.
unsafe impl Sync for FirstBytes {}

static FIRST_BYTES: FirstBytes = FirstBytes(UnsafeCell::new([0; FIRST]));
static FIRST_TAKEN: AtomicBool = AtomicBool::new(false);

/// The C library's allocator, which serves few blocks, is to have one set of lists for all threads:
/// a second one reserves address space and gives most of it back, at the start of every
/// compilation. It gets its first memory here, where it can be said that there is none: what that
/// library needs for itself, as for destructors of a thread's variables, ends the process.
pub fn one_arena() {
    if let Some(limit) = address_limit() {
        let size = (limit / REGIONS_UNDER_LIMIT).clamp(STEP, REGION).next_multiple_of(STEP);
        REGION_SIZE.store(size, Ordering::Relaxed);
    }
    // SAFETY: no other thread runs yet, and a parameter that is not known is ignored.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
    // SAFETY: a block that is given back at once, which the optimiser is not to know.
    unsafe {
        let block = std::hint::black_box(libc::malloc(ALIGN));
        if block.is_null() {
            out_of_memory(ALIGN);
        }
        libc::free(block);
    }
}

/// The limit on address space (`ulimit -v`), if there is one.
pub fn address_limit() -> Option<usize> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the structure is there to be filled.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) } == 0;
    (known && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur as usize)
}

/// Ends the process: what is to be said is put together without an allocation.
#[cold]
#[inline(never)]
fn out_of_memory(size: usize) -> ! {
    let mut digits = [0u8; 20];
    let (mut at, mut rest) = (digits.len(), size);
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    for part in [b"tcc-rs: fatal error: out of memory allocating ", &digits[at..], b" bytes\ncompilation terminated.\n"]
    {
        // SAFETY: the bytes are there.
        unsafe { libc::write(2, part.as_ptr().cast(), part.len()) };
    }
    // SAFETY: nothing of the process is needed any more; output files appear by rename only.
    unsafe { libc::_exit(1) }
}

/// A block of `size` bytes from memory that becomes usable now.
#[cold]
#[inline(never)]
fn more(heap: &mut Heap, size: usize) -> *mut u8 {
    if heap.region_end == 0 && !FIRST_TAKEN.swap(true, Ordering::Relaxed) {
        let start = FIRST_BYTES.0.get() as usize;
        (heap.at, heap.end, heap.region_start, heap.region_end) = (start, start + FIRST, start, start + FIRST);
    }
    while heap.end - heap.at < size {
        if heap.region_end == heap.end {
            // What is left of the old region is less than the block.
            let (start, end) = reserve(size);
            (heap.at, heap.end, heap.region_start, heap.region_end) = (start, start, start, end);
        }
        let used = heap.end - heap.region_start;
        let step = if used < FIRST_STEP { FIRST_STEP } else { STEP };
        let step = step.min(heap.region_end - heap.end);
        // A block larger than the step may stay unused for the most part, and so may the first
        // large step where the system has no huge pages.
        if size <= step && used != FIRST_STEP {
            advise(heap.end, step, libc::MADV_POPULATE_WRITE);
        }
        heap.end += step;
    }
    let at = heap.at;
    heap.at = at + size;
    at as *mut u8
}

/// Start and end of a fresh region for a block of `size` bytes: smaller ones are tried before there
/// is no memory.
fn reserve(size: usize) -> (usize, usize) {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let mut region = REGION_SIZE.load(Ordering::Relaxed);
    loop {
        let slack = if region > STEP { STEP } else { 0 };
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a fresh mapping, wherever the system puts it.
        let start = unsafe { libc::mmap(null_mut(), region + slack, access, flags, -1, 0) };
        if start != libc::MAP_FAILED && slack == 0 {
            return (start as usize, start as usize + region);
        }
        if start != libc::MAP_FAILED {
            let aligned = (start as usize).next_multiple_of(STEP);
            advise(aligned + STEP, region - STEP, libc::MADV_HUGEPAGE);
            return (aligned + STEP - FIRST_STEP, aligned + region);
        }
        if region <= LARGEST {
            out_of_memory(size);
        }
        region = (region / 2).max(LARGEST);
    }
}

/// Gives the system advice about memory of ours. One that does not know it, or has too little
/// memory for it now, goes on giving page by page what is touched.
fn advise(start: usize, length: usize, advice: libc::c_int) {
    // SAFETY: the range is part of a mapping of ours, and the advice changes no byte of it.
    unsafe { libc::madvise(start as *mut libc::c_void, length, advice) };
}

/// A block of the C library, which must be there. The whole huge pages inside it, if there are any,
/// are to be such.
fn large(block: *mut u8, size: usize) -> *mut u8 {
    if block.is_null() {
        out_of_memory(size);
    }
    let (start, end) = ((block as usize).next_multiple_of(STEP), (block as usize + size) & !(STEP - 1));
    if size >= HUGE_FROM && start < end {
        advise(start, end - start, libc::MADV_HUGEPAGE);
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_their_sizes_and_waste_at_most_a_quarter() {
        for size in 1..=LARGEST {
            let class = class_of(size);
            let held = SIZES[class] as usize;
            assert!(held >= size && held.is_multiple_of(ALIGN), "{size} in {held}");
            assert!(SIZES[class - 1] < size as u32, "{size} fits a smaller class");
            assert!(held - size < ALIGN || held - size <= size / 4, "{size} in {held}");
        }
    }

    #[test]
    fn blocks_keep_their_bytes_while_others_come_and_go() {
        let fill = |block: *mut u8, size: usize, byte: u8| {
            // SAFETY: the block has that size.
            unsafe { block.write_bytes(byte, size) };
        };
        let mut live: Vec<(*mut u8, Layout, u8)> = Vec::new();
        let mut seed = 1u64;
        for round in 0..20_000u32 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let pick = (seed >> 33) as usize;
            let size = 1 + pick % if round % 16 == 0 { 80_000 } else { 600 };
            match live.get_mut(pick % 64) {
                None => {
                    let layout = Layout::from_size_align(size, 1 << (pick % 8)).unwrap();
                    // SAFETY: the size is not 0.
                    let block = unsafe { Allocator.alloc(layout) };
                    assert!(!block.is_null() && (block as usize).is_multiple_of(layout.align()));
                    fill(block, size, pick as u8);
                    live.push((block, layout, pick as u8));
                }
                Some((block, layout, byte)) => {
                    let kept = layout.size().min(size);
                    // SAFETY: the block is live with this layout.
                    *block = unsafe { Allocator.realloc(*block, *layout, size) };
                    *layout = Layout::from_size_align(size, layout.align()).unwrap();
                    // SAFETY: `kept` bytes were filled before and are within the block.
                    let bytes = unsafe { std::slice::from_raw_parts(*block, kept) };
                    assert!(bytes.iter().all(|b| b == byte));
                    fill(*block, size, *byte);
                }
            }
        }
        for (block, layout, _) in live {
            // SAFETY: the block is live with this layout.
            unsafe { Allocator.dealloc(block, layout) };
        }
    }

    #[test]
    fn zeroed_blocks_are_zero_where_others_were_cut() {
        for size in [24, 600, 9_000] {
            let (long, short) = (Layout::from_size_align(size, 8).unwrap(), Layout::from_size_align(8, 8).unwrap());
            // SAFETY: the sizes are not 0, and the blocks are live with these layouts.
            unsafe {
                // Until the last block of the region is cut.
                for _ in 0..100 {
                    let block = Allocator.alloc(long);
                    block.write_bytes(0xff, size);
                    let cut = Allocator.realloc(block, long, short.size());
                    let zeroed = Allocator.alloc_zeroed(long);
                    assert!(std::slice::from_raw_parts(zeroed, size).iter().all(|&byte| byte == 0), "{size}");
                    Allocator.dealloc(cut, short);
                    zeroed.write_bytes(0xff, size);
                }
            }
        }
    }
}
