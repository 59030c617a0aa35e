//! `rand` as in glibc.

/// glibc's `random`: additive feedback over 31 words.
pub(crate) struct Random {
    words: [u32; 31],
    at: usize,
}

impl Random {
    /// The state after `srand`.
    pub(crate) fn new(seed: u32) -> Random {
        let mut words = [seed.max(1); 31];
        for i in 1..words.len() {
            let previous = i64::from(words[i - 1] as i32);
            words[i] = (16807 * previous).rem_euclid(0x7fff_ffff) as u32;
        }
        let mut random = Random { words, at: 3 };
        // As glibc does, 310 results are thrown away.
        for _ in 0..310 {
            random.next();
        }
        random
    }

    /// The next result.
    pub(crate) fn next(&mut self) -> u32 {
        let at = self.at;
        self.words[at] = self.words[at].wrapping_add(self.words[(at + 28) % 31]);
        self.at = (at + 1) % 31;
        self.words[at] >> 1
    }
}
