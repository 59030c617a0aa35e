//! Named counters, printed by `--stats` as a table or JSON.

/// Counters in order of first use. Few and hot, so a flat list with pointer-equal fast path beats a
/// map.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Statistics {
    counters: Vec<(&'static str, u64)>,
}

impl Statistics {
    /// Adds to the counter of this name.
    pub fn add(&mut self, name: &'static str, amount: u64) {
        if amount == 0 {
            return;
        }
        match self.counters.iter_mut().find(|c| c.0 == name) {
            Some(counter) => counter.1 += amount,
            None => self.counters.push((name, amount)),
        }
    }

    /// The value of a counter; 0 if it was never used.
    pub fn get(&self, name: &str) -> u64 {
        self.counters.iter().find(|c| c.0 == name).map_or(0, |c| c.1)
    }

    /// Adds all counters of another set.
    pub fn merge(&mut self, other: &Statistics) {
        other.counters.iter().for_each(|&(name, amount)| self.add(name, amount));
    }

    /// The counters by name.
    pub fn sorted(&self) -> Vec<(&'static str, u64)> {
        let mut out = self.counters.clone();
        out.sort();
        out
    }
}
