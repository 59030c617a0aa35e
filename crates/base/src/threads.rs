//! When work on many functions goes to several threads.

use std::sync::Once;

/// Fewer functions than this stay on one thread, however large they are.
const FEWEST: usize = 8;

/// Instructions of the IR that stay on one thread, unless several are asked for. Another one, with
/// a stack and a heap of its own and what two threads disturb of each other, takes about a
/// millisecond, as much as two hundred instructions at `-O2`. Programs are built of many files at a
/// time; that of one by itself gets shorter where there is much to do.
const SMALL: usize = 6_000;

/// Whether work on so many functions with so many instructions together is shared out, where
/// `threads` are asked for (0: as many as there are processors).
pub fn share(threads: usize, functions: usize, instructions: usize) -> bool {
    let shared = threads != 1 && functions >= FEWEST && (threads > 1 || instructions >= SMALL);
    if shared {
        start();
    }
    shared
}

/// Starts rayon's threads: this one is among them, where it would otherwise wait for them, and a
/// processor had two.
fn start() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        // An error says that the program we are part of has started them.
        let _ = rayon::ThreadPoolBuilder::new().use_current_thread().build_global();
    });
}
