//! Random numbers: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
//! 2014), the same on every machine.

/// A stream of random numbers that its seed decides.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A number of an inclusive range of less than 2^64 numbers.
    pub fn within(&mut self, low: i128, high: i128) -> i128 {
        let span = high.wrapping_sub(low) as u128;
        let offset = if span >= u128::from(u64::MAX) {
            (u128::from(self.bits()) << 64 | u128::from(self.bits())) % (span.saturating_add(1))
        } else {
            (u128::from(self.bits()) * (span + 1)) >> 64
        };
        low.wrapping_add(offset as i128)
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of a list that is not empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// An index by weights, of which one is not zero.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut left = self.below(weights.iter().sum::<u32>() as usize) as u32;
        for (index, &weight) in weights.iter().enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        unreachable!("the sum of the weights is above the number")
    }
}
