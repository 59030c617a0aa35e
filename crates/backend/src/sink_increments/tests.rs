//! Tests of `sink_increments`.

use super::*;

/// The function's opcodes in order after the pass.
fn order(body: &str) -> Vec<&'static str> {
    let text =
        format!("symbol @f global function : (ptr, i64) -> ()\nfunc @f v0, v1 : (ptr, i64) -> () {{\n{body}}}\n");
    let module = ir::text::parse_module(&text).expect("valid IR");
    let mut func = module.functions.values().next().expect("a function").clone();
    sink_increments(&mut func);
    let blocks: Vec<Block> = func.blocks().collect();
    blocks.iter().flat_map(|&b| func.block_insts(b)).map(|i| func.insts[i].opcode.name()).collect()
}

#[test]
fn behind_the_last_use_of_the_old_value() {
    let body = "b0:\n  br b1\nb1:\n  v2: ptr = phi [v0, b0], [v3, b1]\n  v3: ptr = ptradd v2, i64 8\n  v4: i64 = load v2 align 8\n  v5: i1 = icmp.eq v4, v1\n  cond_br v5, b2, b1\nb2:\n  ret\n";
    assert_eq!(order(body), ["br", "phi", "load", "icmp", "ptradd", "cond_br", "ret"]);
}

#[test]
fn behind_what_the_old_value_is_folded_into() {
    let body = "b0:\n  br b1\nb1:\n  v2: i64 = phi [i64 0, b0], [v5, b1]\n  v3: i64 = shl v2, i64 3\n  v4: ptr = ptradd v0, v3\n  v5: i64 = add v2, i64 1\n  store v4, v1 align 8\n  v6: i1 = icmp.eq v5, v1\n  cond_br v6, b2, b1\nb2:\n  ret\n";
    assert_eq!(order(body), ["br", "phi", "shl", "ptradd", "store", "add", "icmp", "cond_br", "ret"]);
}

#[test]
fn not_past_a_use_of_the_new_value() {
    let body = "b0:\n  br b1\nb1:\n  v2: ptr = phi [v0, b0], [v3, b1]\n  v3: ptr = ptradd v2, i64 8\n  v4: i64 = load v3 align 8\n  store v2, v4 align 8\n  v5: i1 = icmp.eq v4, v1\n  cond_br v5, b2, b1\nb2:\n  ret\n";
    assert_eq!(order(body), ["br", "phi", "ptradd", "load", "store", "icmp", "cond_br", "ret"]);
}
