//! Bytes that live as long as a link: files and what is made of them.
//!
//! All parts of a link point into the same bytes, in every direction; they have one lifetime, which
//! ends when [`during`] does.

use crate::read::Bytes;
use std::cell::RefCell;
use std::sync::Arc;

enum Kept {
    Own(#[allow(dead_code)] Box<[u8]>),
    Shared(#[allow(dead_code)] Arc<[u8]>),
    Mapped(#[allow(dead_code)] memmap2::Mmap),
}

thread_local! {
    static KEPT: RefCell<Vec<Kept>> = const { RefCell::new(Vec::new()) };
}

/// Does a link, and frees what it kept. `link` gives back nothing that points into it.
pub fn during<R: 'static>(link: impl FnOnce() -> R) -> R {
    let before = KEPT.take();
    let result = link();
    drop(KEPT.replace(before));
    result
}

fn hold(bytes: &[u8], owner: Kept) -> Bytes {
    let (start, len) = (bytes.as_ptr(), bytes.len());
    KEPT.with_borrow_mut(|kept| kept.push(owner));
    // SAFETY: the bytes are on the heap or mapped, so they stay where they are until the owner is
    // dropped, at the end of the link that alone has seen them.
    unsafe { std::slice::from_raw_parts(start, len) }
}

/// Keeps bytes that were read or made.
pub fn keep(bytes: Vec<u8>) -> Bytes {
    let own = bytes.into_boxed_slice();
    let bytes: *const [u8] = &*own;
    // SAFETY: moving the box does not move the bytes.
    hold(unsafe { &*bytes }, Kept::Own(own))
}

/// Keeps bytes of the caller's.
pub fn share(bytes: Arc<[u8]>) -> Bytes {
    hold(&bytes.clone(), Kept::Shared(bytes))
}

/// Keeps a mapped file.
pub fn map(map: memmap2::Mmap) -> Bytes {
    let bytes: *const [u8] = &*map;
    // SAFETY: moving the handle does not move the mapping.
    hold(unsafe { &*bytes }, Kept::Mapped(map))
}
