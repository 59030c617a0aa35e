//! Tests of `widened_loads`.

use super::*;
use ir::text::{Names, print_function};

/// The function after the pass, without its head.
fn after(body: &str) -> String {
    let text = format!("symbol @f global function : (ptr) -> (i32)\n\nfunc @f v0 : (ptr) -> (i32) {{\n{body}}}\n");
    let mut module = ir::text::parse_module(&text).expect("valid IR");
    let func = module.functions.values_mut().next().expect("a function");
    func.build_uses();
    share(func);
    let mut printed = String::new();
    let func = module.functions.values().next().expect("a function");
    print_function(&mut printed, &module, func, Names::Canonical);
    let start = printed.find("b0:").expect("a body");
    printed[start..].trim_end_matches("}\n").to_string()
}

#[test]
fn readers_of_the_byte_read_the_word() {
    let body = "b0:\n  v1: i8 = load v0 align 1\n  v2: i32 = zext v1\n  v3: i1 = icmp.eq v1, i8 7\n  \
                cond_br v3, b1, b2\nb1:\n  v4: i64 = zext v1\n  v5: i32 = trunc v4\n  ret v5\nb2:\n  ret v2\n";
    let expected = "b0:\n  v1: i8 = load v0 align 1\n  v2: i32 = zext v1\n  v3: i8 = trunc v2\n  \
                    v4: i1 = icmp.eq v3, i8 7\n  cond_br v4, b1, b2\nb1:\n  v5: i64 = zext v2\n  \
                    v6: i32 = trunc v5\n  ret v6\nb2:\n  ret v2\n";
    assert_eq!(after(body), expected);
}

#[test]
fn phis_read_it_at_the_end_of_their_predecessor() {
    let body = "b0:\n  v1: i8 = load v0 align 1\n  v2: i32 = zext v1\n  v3: i1 = icmp.eq v2, i32 7\n  \
                cond_br v3, b1, b2\nb1:\n  br b2\nb2:\n  v4: i8 = phi [v1, b0], [i8 3, b1]\n  \
                v5: i32 = sext v4\n  ret v5\n";
    let expected = "b0:\n  v1: i8 = load v0 align 1\n  v2: i32 = zext v1\n  v3: i1 = icmp.eq v2, i32 7\n  \
                    v4: i8 = trunc v2\n  cond_br v3, b1, b2\nb1:\n  br b2\nb2:\n  \
                    v5: i8 = phi [v4, b0], [i8 3, b1]\n  v6: i32 = sext v5\n  ret v6\n";
    assert_eq!(after(body), expected);
}

#[test]
fn readers_before_the_extension_and_other_sources_stay() {
    for body in [
        "b0:\n  v1: i8 = load v0 align 1\n  v2: i1 = icmp.eq v1, i8 7\n  v3: i32 = zext v1\n  \
         cond_br v2, b1, b2\nb1:\n  ret v3\nb2:\n  ret i32 0\n",
        "b0:\n  v1: i8 = ptrtoint v0\n  v2: i32 = zext v1\n  v3: i1 = icmp.eq v1, i8 7\n  \
         cond_br v3, b1, b2\nb1:\n  ret v2\nb2:\n  ret i32 0\n",
    ] {
        assert_eq!(after(body), body);
    }
}
