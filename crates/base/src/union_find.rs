//! Disjoint sets of numbers, each named by one of them (Tarjan, "Efficiency of a Good But Not
//! Linear Set Union Algorithm", 1975, with paths halved).

/// The number that names the set of `at`. `parent` leads there; those that name a set are their own
/// parents.
pub fn find(parent: &mut [u32], mut at: u32) -> u32 {
    while parent[at as usize] != at {
        let up = parent[at as usize];
        parent[at as usize] = parent[up as usize];
        at = up;
    }
    at
}
