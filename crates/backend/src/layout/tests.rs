//! Tests of `layout`.

use super::*;

/// The blocks of the function in the order chosen, numbered as they are mentioned.
fn order_of(body: &str) -> Vec<u32> {
    ordered(body, false)
}

fn ordered(body: &str, size: bool) -> Vec<u32> {
    let text =
        format!("symbol @f global function : (ptr, i64) -> ()\nfunc @f v0, v1 : (ptr, i64) -> () {{\n{body}}}\n");
    let module = ir::text::parse_module(&text).expect("valid IR");
    let func = module.functions.values().next().expect("a function");
    let cfg = analysis::Cfg::compute(func);
    let dominators = analysis::DominatorTree::compute(func, &cfg);
    let loops = analysis::LoopTree::compute(func, &cfg, &dominators);
    let frequencies = Frequencies::compute(func, &cfg, &loops);
    order(func, &cfg, &loops, &frequencies, size).iter().map(|b| b.as_u32()).collect()
}

#[test]
fn what_jumps_back_stands_in_front_of_the_loop() {
    let body = "b0:\n  br b1\nb1:\n  v2: i64 = phi [i64 0, b0], [v3, b2]\n  v3: i64 = add v2, i64 1\n  v4: i1 = icmp.eq v3, v1\n  cond_br v4, b3, b2\nb2:\n  br b1\nb3:\n  ret\n";
    assert_eq!(order_of(body), [0, 2, 1, 3]);
}

#[test]
fn what_several_ways_jump_back_from_stands_in_front_of_the_loop() {
    let body = "b0:\n  br b1\nb1:\n  v2: i64 = phi [i64 0, b0], [v3, b6]\n  v3: i64 = add v2, i64 1\n  switch v3 default b5 [1, b2] [2, b3] [3, b4] [4, b7] [5, b8]\nb2:\n  store v0, v2 align 8\n  br b6\nb3:\n  store v0, v3 align 8\n  br b6\nb4:\n  store v0, v1 align 8\n  br b6\nb5:\n  ret\nb6:\n  br b1\nb7:\n  store v0, v3 align 4\n  br b6\nb8:\n  store v0, v2 align 4\n  br b6\n";
    // The same: b6 is 2.
    assert_eq!(order_of(body)[..3], [0, 2, 1]);
}

#[test]
fn the_test_at_the_end_stands_in_front_where_few_rounds_fall_into_it() {
    let body = "b0:\n  br b1\nb1:\n  v2: i64 = phi [i64 0, b0], [v4, b3]\n  v3: i1 = icmp.eq v2, v1\n  cond_br v3, b2, b3\nb2:\n  store v0, v2 align 8\n  br b3\nb3:\n  v4: i64 = add v2, i64 1\n  v5: i1 = icmp.ult v4, i64 100\n  cond_br v5, b1, b4\nb4:\n  ret\n";
    // b3 is 2, mentioned in the phi.
    assert_eq!(order_of(body), [0, 2, 1, 3, 4]);
}

#[test]
fn the_test_at_the_end_stands_in_front_of_loops_that_may_go_around_their_inner_loop() {
    let body = "b0:\n  br b1\nb1:\n  v2: i64 = phi [i64 0, b0], [v6, b3]\n  v3: i1 = icmp.eq v2, v1\n  cond_br v3, b2, b3\nb2:\n  v4: i64 = phi [v2, b1], [v5, b2]\n  store v0, v4 align 8\n  v5: i64 = add v4, v2\n  v7: i1 = icmp.ult v5, i64 100\n  cond_br v7, b2, b3\nb3:\n  v6: i64 = add v2, i64 1\n  v8: i1 = icmp.ult v6, i64 100\n  cond_br v8, b1, b4\nb4:\n  ret\n";
    // b3 is 2, mentioned in the phi; the inner loop, which numbers seldom equal, is 3.
    assert_eq!(order_of(body), [0, 2, 1, 3, 4]);
}

#[test]
fn a_pointer_is_expected_not_to_be_null() {
    let body = "b0:\n  v2: i1 = icmp.eq v0, null\n  cond_br v2, b1, b2\nb1:\n  br b3\nb2:\n  store v0, v1 align 8\n  br b3\nb3:\n  ret\n";
    assert_eq!(order_of(body), [0, 2, 3, 1]);
}

#[test]
fn what_holds_in_more_than_a_third_of_the_cases_stands_between() {
    // Equal numbers: 0.34.
    let body =
        "b0:\n  v2: i1 = icmp.eq v1, i64 7\n  cond_br v2, b1, b2\nb1:\n  store v0, v1 align 8\n  br b2\nb2:\n  ret\n";
    assert_eq!(order_of(body), [0, 1, 2]);
    let body = body.replace("cond_br", "cond_br.against4");
    assert_eq!(order_of(&body), [0, 2, 1]);
}

#[test]
fn of_two_ways_the_one_without_a_call_comes_next() {
    let body = "b0:\n  v2: i64 = load v0 align 8\n  v3: i1 = icmp.ult v2, v1\n  cond_br v3, b1, b2\nb1:\n  call @f(v0, v1) : (ptr, i64) -> ()\n  br b3\nb2:\n  store v0, v1 align 8\n  br b3\nb3:\n  ret\n";
    assert_eq!(order_of(body), [0, 2, 3, 1]);
}

#[test]
fn a_loop_that_is_left_at_its_start_begins_there() {
    let body = "b0:\n  br b1\nb1:\n  v2: i64 = phi [i64 0, b0], [v3, b4]\n  v3: i64 = add v2, i64 1\n  v4: i1 = icmp.ne v3, v1\n  cond_br v4, b2, b3\nb2:\n  store v0, v3 align 8\n  br b4\nb3:\n  ret\nb4:\n  br b1\n";
    // b4 is 2, mentioned in the phi.
    assert_eq!(order_of(body), [0, 1, 3, 2, 4]);
}

#[test]
fn for_size_both_ways_stand_before_the_place_where_they_meet() {
    let body = "b0:\n  v2: i64 = load v0 align 8\n  cond_br.unlikely v3, b1, b2\nb1:\n  call @f(v0, v1) : (ptr, i64) -> ()\n  br b3\nb2:\n  store v0, v1 align 8\n  br b3\nb3:\n  ret\n";
    let body = body.replace("  cond_br", "  v3: i1 = icmp.eq v2, v1\n  cond_br");
    assert_eq!(ordered(&body, false), [0, 2, 3, 1]);
    assert_eq!(ordered(&body, true), [0, 2, 1, 3]);
}
