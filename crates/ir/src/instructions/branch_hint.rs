//! What is known of how often a conditional branch goes which way.

use super::view::Field;

/// What is known about a conditional branch.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum BranchHint {
    /// Nothing.
    None,
    /// The source says that the first target is likely.
    Likely,
    /// The source says that the first target is unlikely.
    Unlikely,
    /// Earlier runs of the program were counted.
    Measured(Odds),
}

/// How much more often a counted branch went to its first target than to its second: twice the
/// logarithm to base 2, so that odds of 1 to 32,768 fit in six bits. Beyond [`Odds::MOST`] the
/// other target was never taken.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Odds(i8);

impl Odds {
    /// The largest ratio that is told from "never".
    const MOST: i8 = 30;
    /// The other target was never taken.
    const ALWAYS: i8 = 31;

    /// Of these counts; `None` if the branch never ran.
    pub fn of(then: u64, otherwise: u64) -> Option<Odds> {
        match (then, otherwise) {
            (0, 0) => None,
            (_, 0) => Some(Odds(Odds::ALWAYS)),
            (0, _) => Some(Odds(-Odds::ALWAYS)),
            _ => {
                let twice = 2.0 * (then as f64 / otherwise as f64).log2();
                Some(Odds(twice.round().clamp(-f64::from(Odds::MOST), f64::from(Odds::MOST)) as i8))
            }
        }
    }

    /// How probable the first target is.
    pub fn probability(self) -> f32 {
        match self.0 {
            Odds::ALWAYS => 1.0,
            never if never == -Odds::ALWAYS => 0.0,
            twice => 1.0 / (1.0 + (-f32::from(twice) / 2.0).exp2()),
        }
    }
}

impl BranchHint {
    /// Probability of a branch that the source marks unlikely.
    const UNLIKELY: f32 = 0.02;

    /// How probable the first target is, if anything is known.
    pub fn probability(self) -> Option<f32> {
        match self {
            BranchHint::None => None,
            BranchHint::Likely => Some(1.0 - BranchHint::UNLIKELY),
            BranchHint::Unlikely => Some(BranchHint::UNLIKELY),
            BranchHint::Measured(odds) => Some(odds.probability()),
        }
    }

    /// Whether one of the targets is so much more probable that the processor will guess it.
    pub fn is_predictable(self) -> bool {
        /// One in nine or less.
        const SELDOM: f32 = 0.115;
        self.probability().is_some_and(|p| !(SELDOM..=1.0 - SELDOM).contains(&p))
    }

    /// The same with the targets exchanged.
    #[must_use]
    pub fn inverted(self) -> BranchHint {
        match self {
            BranchHint::None => BranchHint::None,
            BranchHint::Likely => BranchHint::Unlikely,
            BranchHint::Unlikely => BranchHint::Likely,
            BranchHint::Measured(odds) => BranchHint::Measured(Odds(-odds.0)),
        }
    }

    /// For a loop's branch back to its first target: the same of a loop that does so many
    /// iterations at once, if it was counted.
    #[must_use]
    pub fn of_groups(self, iterations: u32) -> BranchHint {
        match self {
            BranchHint::Measured(Odds(odds)) if odds.abs() <= Odds::MOST => {
                let less = 2 * iterations.ilog2() as i8;
                BranchHint::Measured(Odds((odds - less).clamp(-Odds::MOST, Odds::MOST)))
            }
            BranchHint::Measured(always) => BranchHint::Measured(always),
            _ => BranchHint::None,
        }
    }

    /// As the flags of an instruction: two bits for the kind, six for the odds.
    pub(crate) fn flags(self) -> u8 {
        match self {
            BranchHint::None => 0,
            BranchHint::Likely => 1,
            BranchHint::Unlikely => 2,
            BranchHint::Measured(odds) => 3 | (odds.0 as u8) << 2,
        }
    }

    /// What the flags of an instruction say.
    pub(crate) fn of_flags(flags: u8) -> BranchHint {
        match flags & 3 {
            0 => BranchHint::None,
            1 => BranchHint::Likely,
            2 => BranchHint::Unlikely,
            _ => BranchHint::Measured(Odds(flags as i8 >> 2)),
        }
    }

    /// Its name in the textual form: `against3` for odds of one to two to the power of 3/2.
    pub fn name(self) -> String {
        match self {
            BranchHint::None => "none".into(),
            BranchHint::Likely => "likely".into(),
            BranchHint::Unlikely => "unlikely".into(),
            BranchHint::Measured(Odds(odds)) if odds < 0 => format!("against{}", -odds),
            BranchHint::Measured(Odds(odds)) => format!("odds{odds}"),
        }
    }

    /// The hint of this name.
    pub fn from_name(name: &str) -> Option<BranchHint> {
        let number = |digits: &str| digits.parse().ok().filter(|n| (0..=Odds::ALWAYS).contains(n));
        match name {
            "none" => Some(BranchHint::None),
            "likely" => Some(BranchHint::Likely),
            "unlikely" => Some(BranchHint::Unlikely),
            _ => {
                let odds = match name.strip_prefix("odds") {
                    Some(digits) => number(digits)?,
                    None => -number(name.strip_prefix("against")?)?,
                };
                Some(BranchHint::Measured(Odds(odds)))
            }
        }
    }
}

impl Field for BranchHint {
    #[inline(always)]
    fn from_bits(bits: u32) -> BranchHint {
        BranchHint::of_flags(bits as u8)
    }
    #[inline(always)]
    fn to_bits(self) -> u32 {
        u32::from(self.flags())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hint_has_a_name_and_bits_of_its_own() {
        let measured = (-Odds::ALWAYS..=Odds::ALWAYS).map(|odds| BranchHint::Measured(Odds(odds)));
        for hint in [BranchHint::None, BranchHint::Likely, BranchHint::Unlikely].into_iter().chain(measured) {
            assert_eq!(BranchHint::from_name(&hint.name()), Some(hint));
            assert_eq!(BranchHint::of_flags(hint.flags()), hint);
            assert_eq!(hint.inverted().inverted(), hint);
        }
        assert_eq!(BranchHint::from_name("odds32"), None);
    }

    #[test]
    fn odds_give_back_the_share() {
        for (then, otherwise) in [(1, 1), (3, 1), (1, 100), (1_000_000, 31), (0, 7), (7, 0)] {
            let share = then as f32 / (then + otherwise) as f32;
            let got = Odds::of(then, otherwise).expect("it ran").probability();
            assert!((got - share).abs() < 0.05, "{then} to {otherwise}: {got}");
        }
        assert_eq!(BranchHint::Measured(Odds(16)).of_groups(16), BranchHint::Measured(Odds(8)));
        assert_eq!(BranchHint::Likely.of_groups(4), BranchHint::None);
        assert_eq!(Odds::of(0, 0), None);
        assert_eq!(Odds::of(1, 0).expect("it ran").probability(), 1.0);
        assert!(Odds::of(1, u64::MAX).expect("it ran").probability() > 0.0);
    }
}
