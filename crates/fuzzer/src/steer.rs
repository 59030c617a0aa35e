//! Which programs to make next. Features are drawn at random; sets that made the compiler do what
//! it rarely does (a rule that seldom applies, a pass that seldom finds work) are drawn again, with
//! a few features changed.

use crate::generate::{Feature, Recipe};
use crate::random::Random;
use std::collections::BTreeMap;

/// Most sets of features that are remembered.
const POOL: usize = 400;

/// What has been seen so far.
pub struct Steering {
    random: Random,
    next_seed: u64,
    /// How many of the programs looked at made a counter move.
    seen: BTreeMap<String, u64>,
    /// Programs looked at.
    looked_at: u64,
    pool: Vec<u32>,
}

impl Steering {
    /// Programs from a seed on.
    pub fn new(first_seed: u64) -> Steering {
        let random = Random::new(first_seed ^ 0x5eed);
        Steering { random, next_seed: first_seed, seen: BTreeMap::new(), looked_at: 0, pool: Vec::new() }
    }

    /// The next program.
    pub fn next(&mut self) -> Recipe {
        let seed = self.next_seed;
        self.next_seed += 1;
        let features = if !self.pool.is_empty() && self.random.chance(40) {
            let mut features = *self.random.pick(&self.pool);
            for _ in 0..self.random.below(4) {
                features ^= 1 << self.random.below(Feature::COUNT as usize);
            }
            features
        } else {
            // A quarter, a half or three quarters of all.
            let (a, b) = (self.random.bits() as u32, self.random.bits() as u32);
            match self.random.below(4) {
                0 | 1 => a & b,
                2 => a,
                _ => a | b,
            }
        };
        Recipe { seed, features }
    }

    /// Counters that a program moved.
    pub fn learn(&mut self, features: u32, counters: &[String]) {
        self.looked_at += 1;
        let mut rare = false;
        for name in counters {
            let count = self.seen.entry(name.clone()).or_insert(0);
            *count += 1;
            rare |= *count * 200 <= self.looked_at.max(200);
        }
        if rare {
            if self.pool.len() == POOL {
                let index = self.random.below(POOL);
                self.pool.swap_remove(index);
            }
            self.pool.push(features);
        }
    }

    /// Counters with how many programs moved them, and how many programs were looked at.
    pub fn counters(&self) -> (&BTreeMap<String, u64>, u64) {
        (&self.seen, self.looked_at)
    }
}

/// Names of counters above zero in what `--stats=json` prints.
pub fn moved(json: &str) -> Vec<String> {
    let inner = json.trim().trim_start_matches('{').trim_end_matches('}');
    let counters = inner.split(", \"").filter_map(|member| {
        let (name, value) = member.trim_start_matches('"').split_once("\": ")?;
        (value != "0").then(|| name.to_string())
    });
    counters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_above_zero_are_read() {
        assert_eq!(moved("{\"spills\": 0, \"rule a.b\": 3, \"moves\": 12}\n"), ["rule a.b", "moves"]);
        assert!(moved("").is_empty());
    }

    #[test]
    fn programs_are_a_matter_of_the_seed() {
        let (mut a, mut b) = (Steering::new(7), Steering::new(7));
        assert!((0..50).all(|_| a.next() == b.next()));
    }
}
