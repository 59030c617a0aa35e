//! A parallel copy as a sequence of plain copies, with at most one temporary per cycle.
//!
//! The register allocator takes parallel copies whole; this is for the path without one, for
//! statistics, and the reference that tests hold against the semantics of phis.

#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// A place of the sequence: one of the copy's, or the temporary (one suffices: cycles are resolved
/// one after another).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place<T> {
    /// A place of the parallel copy.
    Of(T),
    /// The temporary.
    Temporary,
}

/// Plain copies (destination, source), in order, with the effect of the parallel copy `pairs`
/// (destination, source); destinations are distinct. Self-copies vanish. The second result is how
/// many cycles needed the temporary.
pub fn sequentialize<T: Copy + Eq + Hash>(pairs: &[(T, T)]) -> (Vec<(Place<T>, Place<T>)>, u32) {
    let pairs: Vec<(T, T)> = pairs.iter().copied().filter(|(d, s)| d != s).collect();
    let writer: FxHashMap<T, usize> = pairs.iter().enumerate().map(|(i, p)| (p.0, i)).collect();
    let mut readers = vec![0u32; pairs.len()];
    for (_, src) in &pairs {
        if let Some(&w) = writer.get(src) {
            readers[w] += 1;
        }
    }
    let mut ready: Vec<usize> = (0..pairs.len()).rev().filter(|&i| readers[i] == 0).collect();
    let mut done = vec![false; pairs.len()];
    let mut copied_to: FxHashMap<T, T> = FxHashMap::default();
    let mut sequence = Vec::with_capacity(pairs.len());
    while let Some(index) = ready.pop() {
        let (dst, src) = pairs[index];
        sequence.push((Place::Of(dst), Place::Of(src)));
        done[index] = true;
        copied_to.insert(src, dst);
        if let Some(&w) = writer.get(&src) {
            readers[w] -= 1;
            if readers[w] == 0 {
                ready.push(w);
            }
        }
    }
    let mut temporaries = 0;
    for first in 0..pairs.len() {
        if done[first] {
            continue;
        }
        let mut cycle = Vec::new();
        let mut at = first;
        while !done[at] {
            done[at] = true;
            cycle.push(at);
            at = writer[&pairs[at].1];
        }
        // A value of the cycle that has been copied elsewhere already frees its place; else the
        // temporary does.
        let known = cycle.iter().position(|&i| copied_to.contains_key(&pairs[i].0));
        let saved = match known {
            Some(at) => Place::Of(copied_to[&pairs[cycle[at]].0]),
            None => {
                temporaries += 1;
                sequence.push((Place::Temporary, Place::Of(pairs[first].0)));
                Place::Temporary
            }
        };
        let start = known.unwrap_or(0);
        for k in 0..cycle.len() {
            let (dst, src) = pairs[cycle[(start + k) % cycle.len()]];
            sequence.push((Place::Of(dst), if k + 1 == cycle.len() { saved } else { Place::Of(src) }));
        }
    }
    (sequence, temporaries)
}
