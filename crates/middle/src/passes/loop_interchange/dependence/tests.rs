//! Tests of the module above.

use super::{Range, has_solution};

#[test]
fn solutions_are_those_of_trying() {
    let ranges: [Range; 4] = [(1, 5), (-5, -1), (0, 0), (-3, 3)];
    for a in -9..=9i128 {
        for b in -9..=9i128 {
            for (xs, ys) in ranges.iter().flat_map(|&xs| ranges.iter().map(move |&ys| (xs, ys))) {
                for low in -20..20 {
                    let between = (low, low + 4);
                    let sum = |x: i128, y: i128| x * a + y * b;
                    let mut all = (xs.0..=xs.1).flat_map(|x| (ys.0..=ys.1).map(move |y| (x, y)));
                    let tried = all.any(|(x, y)| between.0 < sum(x, y) && sum(x, y) < between.1);
                    assert_eq!(has_solution((a, xs), (b, ys), between), tried, "{a} {b} {xs:?} {ys:?} {between:?}");
                }
            }
        }
    }
}
