//! Tests of the module above.

use cranelift_entity::EntityRef;

use super::*;

fn holds(test: Test, x: u128) -> bool {
    match test {
        Test::Within(i) => (x + 16 - i.start) % 16 < i.len,
        Test::Masked { mask, bits, .. } => x & mask == bits,
    }
}

/// All pairs of intervals of four bits.
#[test]
fn unions_are_exact() {
    let value = Value::new(0);
    let every = || (0..16).flat_map(move |start| (1..16).map(move |len| Interval { value, bits: 4, start, len }));
    let mut joined = 0;
    for a in every() {
        for b in every() {
            let Some(test) = a.or(b) else { continue };
            joined += 1;
            for x in 0..16 {
                let either = holds(Test::Within(a), x) || holds(Test::Within(b), x);
                assert_eq!(holds(test, x), either, "{a:?} {b:?} {x}");
            }
        }
    }
    assert!(joined > 10_000);
}
