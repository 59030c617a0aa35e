//! Range designators (GNU `[first ... last]`) around a value: the places that get it.

/// Range designators inside each other; those that fill their array completely count as one with
/// the next.
pub const MAX_RANGES: usize = 4;

/// How often, and how far apart, a value is stored: counts and strides in bytes, innermost range
/// first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repeat([(u64, u64); MAX_RANGES]);

impl Repeat {
    /// One place.
    pub const ONCE: Repeat = Repeat([(1, 0); MAX_RANGES]);

    /// The places of a range of `count` elements of `stride` bytes inside each of these places. The
    /// same places if there are too many ranges already; see [`Repeat::is_full`].
    pub fn within(mut self, count: u64, stride: u64) -> Repeat {
        if count <= 1 || self.is_full() {
            return self;
        }
        let (outer, outer_stride) = self.0[0];
        if outer > 1 && count.checked_mul(stride) == Some(outer_stride) {
            self.0[0] = (count * outer, stride);
            return self;
        }
        if outer > 1 {
            self.0.copy_within(0..MAX_RANGES - 1, 1);
        }
        self.0[0] = (count, stride);
        self
    }

    /// No range can be added.
    pub fn is_full(self) -> bool {
        self.0[MAX_RANGES - 1].0 > 1
    }

    /// Count and stride of the innermost range.
    pub fn innermost(self) -> (u64, u64) {
        self.0[0]
    }

    /// Bytes from the first place to the last.
    pub fn reach(self) -> u64 {
        self.0.iter().map(|&(count, stride)| (count - 1) * stride).sum()
    }

    /// Offsets of the first places of the innermost range.
    pub fn rows(self) -> impl Iterator<Item = u64> {
        Repeat::walk(self.0, 1)
    }

    /// Offsets of all places.
    pub fn offsets(self) -> impl Iterator<Item = u64> {
        Repeat::walk(self.0, 0)
    }

    fn walk(dimensions: [(u64, u64); MAX_RANGES], first: usize) -> impl Iterator<Item = u64> {
        let total: u64 = dimensions[first..].iter().map(|d| d.0).product();
        (0..total).map(move |mut index| {
            let mut offset = 0;
            for &(count, stride) in &dimensions[first..] {
                offset += index % count * stride;
                index /= count;
            }
            offset
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_rows_are_one_range() {
        assert_eq!(Repeat::ONCE.within(2, 12).within(3, 4).innermost(), (6, 4));
    }

    #[test]
    fn rows_with_gaps() {
        let places = Repeat::ONCE.within(2, 12).within(2, 4);
        assert_eq!(places.offsets().collect::<Vec<_>>(), [0, 4, 12, 16]);
        assert_eq!(places.rows().collect::<Vec<_>>(), [0, 12]);
        assert_eq!(places.reach(), 16);
    }
}
