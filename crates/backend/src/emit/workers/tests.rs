//! Tests of the module above.

use super::in_order;

#[test]
fn results_come_in_order_for_any_number_of_threads() {
    for threads in [0, 1, 2, 5] {
        let mut seen = Vec::new();
        let slow_in_front = |_: &mut (), index: usize| {
            (0..(40 - index) * 1000).for_each(|n| assert!(std::hint::black_box(n) < 40_000));
            index
        };
        in_order(threads, 40, || (), slow_in_front, |index| seen.push(index));
        assert_eq!(seen, (0..40).collect::<Vec<_>>());
    }
}

#[test]
fn a_panic_of_any_worker_comes_through() {
    for threads in [1, 2, 3] {
        let work = |_: &mut (), index: usize| assert!(index != 7, "seven");
        let run = || in_order(threads, 40, || (), work, |()| {});
        let payload = std::panic::catch_unwind(run).expect_err("the work panics");
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"seven"));
    }
}
