//! Thread-local variables of loaded code: each thread gets its copy when it first asks for one.

use crate::inputs::Inputs;
use crate::layout::Layout;
use std::alloc::Layout as Shape;
use std::ffi::{CString, c_void};

/// What the first word of a pair for `__tls_get_addr` points to.
pub enum Module {
    /// Variables of the image.
    Own { key: libc::pthread_key_t, template: Box<[u8]>, shape: Shape },
    /// A variable of the process.
    External(CString),
}

/// A thread's copy, with what is needed to free it.
struct Block {
    shape: Shape,
    bytes: *mut u8,
}

/// The module of an image with thread-local variables.
pub fn module(inputs: &Inputs<'_>, layout: &Layout) -> Option<Box<Module>> {
    if layout.thread_size == 0 {
        return None;
    }
    let shape = Shape::from_size_align(layout.thread_size, layout.thread_align.max(16)).ok()?;
    let mut key = 0;
    // SAFETY: `key` is there to be filled; the destructor has the type that is asked for.
    if unsafe { libc::pthread_key_create(&mut key, Some(free)) } != 0 {
        return None;
    }
    Some(Box::new(Module::Own { key, template: layout.thread_image(inputs).into_boxed_slice(), shape }))
}

/// The destructor of a thread's copy.
unsafe extern "C" fn free(block: *mut c_void) {
    // SAFETY: the key's values are blocks from `address`, each given to one thread.
    unsafe {
        let block = Box::from_raw(block.cast::<Block>());
        std::alloc::dealloc(block.bytes, block.shape);
    }
}

/// Stands for `__tls_get_addr`: the pair is a module and an offset.
pub extern "C" fn address(pair: *const [usize; 2]) -> *mut c_void {
    // SAFETY: the pair is one of the image's table, whose first word is a module that lives as long
    // as the image.
    unsafe {
        let [module, offset] = *pair;
        match &*(module as *const Module) {
            Module::External(name) => libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()),
            Module::Own { key, template, shape } => {
                let mut block = libc::pthread_getspecific(*key).cast::<Block>();
                if block.is_null() {
                    let bytes = std::alloc::alloc(*shape);
                    if bytes.is_null() {
                        std::alloc::handle_alloc_error(*shape);
                    }
                    bytes.copy_from_nonoverlapping(template.as_ptr(), template.len());
                    block = Box::into_raw(Box::new(Block { shape: *shape, bytes }));
                    libc::pthread_setspecific(*key, block.cast());
                }
                (*block).bytes.add(offset).cast()
            }
        }
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        let Module::Own { key, .. } = self else { return };
        // SAFETY: this thread's copy is used by no code any more; other threads, which may not run
        // the image's code either, keep theirs.
        unsafe {
            let block = libc::pthread_getspecific(*key);
            if !block.is_null() {
                free(block);
            }
            libc::pthread_key_delete(*key);
        }
    }
}
