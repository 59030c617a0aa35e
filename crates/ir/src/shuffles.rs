//! What the masks of shuffles do that have instructions of their own.

/// How the lanes of a vector are picked from two of its type, which are laid end to end.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Lanes {
    /// Next to each other, from that lane on, of both.
    Window(u32),
    /// Those of the first vector, the last one first.
    Reverse,
    /// Every second one: of the first vector from the first number (0 or 1) on, then of the second
    /// from the other one on.
    EverySecond(u8, u8),
    /// One of each in turn: of the lower or the upper halves.
    InTurn {
        /// Whether it is the upper halves.
        upper: bool,
    },
}

impl Lanes {
    /// What the mask picks, if it is one of those.
    pub fn of(mask: &[u32]) -> Option<Lanes> {
        let count = mask.len() as u32;
        let is = |wanted: &dyn Fn(u32) -> u32| (0..count).zip(mask).all(|(lane, &pick)| pick == wanted(lane));
        let start = *mask.first().filter(|_| count > 1)?;
        let half = count / 2;
        if (1..count).contains(&start) && is(&|lane| start + lane) {
            return Some(Lanes::Window(start));
        }
        let seconds = |x: u8, y: u8| is(&|lane| 2 * lane + u32::from(if lane < half { x } else { y }));
        let second = mask[half as usize].wrapping_sub(count);
        let offsets = (start < 2 && second < 2).then_some((start as u8, second as u8));
        match offsets.filter(|&(x, y)| seconds(x, y)) {
            Some((x, y)) => Some(Lanes::EverySecond(x, y)),
            None if is(&|lane| count - 1 - lane) => Some(Lanes::Reverse),
            None if is(&|lane| start + lane / 2 + lane % 2 * count) && (start == 0 || start == half) => {
                Some(Lanes::InTurn { upper: start > 0 })
            }
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lanes;

    #[test]
    fn masks_are_told_apart() {
        assert_eq!(Lanes::of(&[3, 4, 5, 6]), Some(Lanes::Window(3)));
        assert_eq!(Lanes::of(&[3, 2, 1, 0]), Some(Lanes::Reverse));
        assert_eq!(Lanes::of(&[0, 2, 5, 7]), Some(Lanes::EverySecond(0, 1)));
        assert_eq!(Lanes::of(&[1, 3, 4, 6]), Some(Lanes::EverySecond(1, 0)));
        assert_eq!(Lanes::of(&[0, 4, 1, 5]), Some(Lanes::InTurn { upper: false }));
        assert_eq!(Lanes::of(&[2, 6, 3, 7]), Some(Lanes::InTurn { upper: true }));
        for other in [[0, 1, 2, 3], [4, 5, 6, 7], [1, 5, 2, 6], [0, 2, 4, u32::MAX]] {
            assert_eq!(Lanes::of(&other), None);
        }
    }
}
