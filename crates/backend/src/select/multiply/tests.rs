//! Tests of the module above.

use super::Steps;

fn product(steps: Steps, a: i32) -> i32 {
    let scaled = |n: u8| a + (a << n);
    match steps {
        Steps::ScaledShift(first, second) => scaled(first) << second,
        Steps::ScaledTwice(first, second) => scaled(first) + (scaled(first) << second),
        Steps::ScaledPlus(first, second) => a + (scaled(first) << second),
        Steps::ShiftAdd(n) => (a << n) + a,
        Steps::ShiftSub(n) => (a << n) - a,
    }
}

#[test]
fn steps_multiply() {
    for factor in 6..=1 << 20 {
        if let Some(steps) = Steps::of(factor) {
            assert_eq!(product(steps, 7), 7 * factor, "{steps:?}");
        }
    }
    assert_eq!(Steps::of(31), Some(Steps::ShiftSub(5)));
    assert_eq!(Steps::of(33), Some(Steps::ShiftAdd(5)));
    assert_eq!(Steps::of(i32::MAX), Some(Steps::ShiftSub(31)));
    assert_eq!(Steps::of(100), None);
    assert_eq!(Steps::of(-31), None);
}
