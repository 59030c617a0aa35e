//! Tests of the module above.

use super::*;

/// Every answer about four-bit integers agrees with trying all of them.
#[test]
fn one_comparison_decides_another() {
    let pairs = || (0..16u128).flat_map(|x| (0..16u128).map(move |y| (x, y)));
    for &known in IntCc::ALL {
        for &asked in IntCc::ALL {
            let Some(decided) = Relation::of(known).decide(Relation::of(asked)) else { continue };
            for (x, y) in pairs().filter(|&(x, y)| known.eval(x, y, 4)) {
                assert_eq!(asked.eval(x, y, 4), decided, "{x} {known:?} {y} gives {asked:?}");
            }
        }
    }
}

#[test]
fn exchanged_values_compare_the_other_way() {
    IntCc::ALL.iter().for_each(|&cc| assert_eq!(Relation::of(cc).swapped(), Relation::of(cc.swapped())));
}

#[test]
fn unordered_operands_are_a_case_of_their_own() {
    let implied = |known, asked| Relation::of_floats(known).decide(Relation::of_floats(asked));
    assert_eq!(implied(FloatCc::Oeq, FloatCc::Une), Some(false));
    assert_eq!(implied(FloatCc::Uno, FloatCc::Olt), Some(false));
    assert_eq!(implied(FloatCc::Uge, FloatCc::Oge), None);
    assert_eq!(implied(FloatCc::Olt, FloatCc::Ord), Some(true));
}
