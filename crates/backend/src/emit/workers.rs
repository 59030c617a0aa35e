//! Work on several threads whose results are wanted in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Does `work` for 0, 1, ... up to `count` on `threads` threads (0: as many as rayon has, usually
/// one a processor; see [`base::threads`]) and gives the results to `consume` in that order. This
/// thread works too and consumes between its pieces of work; `init` makes what a thread keeps from
/// one to the next.
///
/// # Panics
/// When `work` does, with its panic, after the other threads have ended.
pub fn in_order<S, R: Send>(
    threads: usize,
    count: usize,
    init: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> R + Sync,
    mut consume: impl FnMut(R),
) {
    if threads == 1 {
        let mut state = init();
        (0..count).for_each(|index| consume(work(&mut state, index)));
        return;
    }
    // Asking for the number starts the threads. They are the same each time, and so is the memory
    // they have.
    let usual = rayon::current_num_threads();
    let threads = if threads == 0 { usual } else { threads };
    let more = (threads > usual).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads - 1).build());
    let queue = Queue { next: AtomicUsize::new(0), count, state: Mutex::default(), progress: Condvar::new() };
    let help = || {
        let _sign = PanicSign(&queue);
        let mut state = init();
        while let Some(index) = queue.claim() {
            queue.put(index, work(&mut state, index));
        }
    };
    in_scope(more.and_then(Result::ok).as_ref(), |scope| {
        (1..threads).for_each(|_| scope.spawn(|_| help()));
        let mut state = init();
        let mut consumed = 0;
        while let Some(index) = queue.claim() {
            queue.put(index, work(&mut state, index));
            while let Some(result) = queue.take(consumed) {
                consume(result);
                consumed += 1;
            }
        }
        while let Some(result) = queue.wait(consumed) {
            consume(result);
            consumed += 1;
        }
    });
}

/// What `operation` spawns runs in the pool, or in rayon's own.
fn in_scope<'scope>(pool: Option<&rayon::ThreadPool>, operation: impl FnOnce(&rayon::Scope<'scope>)) {
    match pool {
        Some(pool) => pool.in_place_scope(operation),
        None => rayon::in_place_scope(operation),
    }
}

/// Pieces of work and their results.
struct Queue<R> {
    next: AtomicUsize,
    count: usize,
    state: Mutex<State<R>>,
    progress: Condvar,
}

struct State<R> {
    results: Vec<Option<R>>,
    /// The result that the consumer sleeps for.
    awaited: Option<usize>,
    panicked: bool,
}

impl<R> Default for State<R> {
    fn default() -> State<R> {
        State { results: Vec::new(), awaited: None, panicked: false }
    }
}

impl<R> Queue<R> {
    /// The next piece that no one works on.
    fn claim(&self) -> Option<usize> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        (index < self.count).then_some(index)
    }

    fn put(&self, index: usize, result: R) {
        let mut state = self.lock();
        if state.results.len() <= index {
            state.results.resize_with(index + 1, || None);
        }
        state.results[index] = Some(result);
        let is_awaited = state.awaited == Some(index);
        drop(state);
        if is_awaited {
            self.progress.notify_one();
        }
    }

    /// The result of a piece, if it is there.
    fn take(&self, index: usize) -> Option<R> {
        self.lock().results.get_mut(index)?.take()
    }

    /// The result of a piece, when it is there; nothing after the last one and when a worker has
    /// panicked.
    fn wait(&self, index: usize) -> Option<R> {
        if index == self.count {
            return None;
        }
        let mut state = self.lock();
        loop {
            if let Some(result) = state.results.get_mut(index).and_then(Option::take) {
                return Some(result);
            }
            if state.panicked {
                return None;
            }
            state.awaited = Some(index);
            state = self.progress.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells the thread that waits for results when this one has none to give any more.
struct PanicSign<'a, R>(&'a Queue<R>);

impl<R> Drop for PanicSign<'_, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().panicked = true;
            self.0.progress.notify_one();
        }
    }
}

#[cfg(test)]
mod tests;
