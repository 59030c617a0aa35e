//! Tests of `slot_colours`.

use super::*;

/// The groups of `v1`, `v2`, ... in a function of this body.
fn groups(body: &str) -> Vec<u32> {
    let text = format!("symbol @use global function : (ptr) -> ()\nfunc @f v0 : (i1) -> () {{\n{body}}}\n");
    let module = crate::text::parse_module(&text).expect("valid IR");
    let func = module.functions.values().next().expect("a function");
    let shared = colour(func, &Cfg::compute(func));
    let allocas = func.all_insts().filter(|&i| func.insts[i].opcode == Opcode::Alloca);
    allocas.map(|inst| shared.get(&inst).map_or(0, |s| s.colour)).collect()
}

const TWO: &str = "b0:\n  v1: ptr = alloca 64 align 8\n  v2: ptr = alloca 32 align 16\n";

fn one_life(value: &str) -> String {
    format!("  lifetime_start {value}\n  call @use({value}) : (ptr) -> ()\n  lifetime_end {value}\n")
}

#[test]
fn one_behind_the_other() {
    assert_eq!(groups(&format!("{TWO}{}{}  ret\n", one_life("v1"), one_life("v2"))), [1, 1]);
}

#[test]
fn one_within_the_other() {
    let body = format!(
        "{TWO}  lifetime_start v1\n{}  call @use(v1) : (ptr) -> ()\n  lifetime_end v1\n  ret\n",
        one_life("v2")
    );
    assert_eq!(groups(&body), [0, 0]);
}

#[test]
fn on_the_two_ways_of_a_branch() {
    let body = format!(
        "{TWO}  cond_br v0, b1, b2\nb1:\n{}  br b3\nb2:\n{}  br b3\nb3:\n  ret\n",
        one_life("v1"),
        one_life("v2")
    );
    assert_eq!(groups(&body), [1, 1]);
}

#[test]
fn around_a_loop() {
    // v1 has no end in the loop: it lives when v2 starts in the next iteration.
    let body = format!(
        "{TWO}  br b1\nb1:\n{}  lifetime_start v1\n  call @use(v1) : (ptr) -> ()\n  cond_br v0, b1, b2\nb2:\n  ret\n",
        one_life("v2")
    );
    assert_eq!(groups(&body), [0, 0]);
}

#[test]
fn an_access_outside_of_the_lifetime_pins() {
    let body = format!("{TWO}  store v1, i32 1 align 4\n{}{}  ret\n", one_life("v1"), one_life("v2"));
    assert_eq!(groups(&body), [0, 0]);
    let body = format!(
        "{TWO}{}{}  v3: ptr = ptradd v2, i64 4\n  store v3, i32 1 align 4\n  ret\n",
        one_life("v1"),
        one_life("v2")
    );
    assert_eq!(groups(&body), [0, 0]);
}

#[test]
fn no_markers_no_sharing() {
    assert_eq!(groups(&format!("{TWO}  call @use(v2) : (ptr) -> ()\n{}  ret\n", one_life("v1"))), [0, 0]);
}
