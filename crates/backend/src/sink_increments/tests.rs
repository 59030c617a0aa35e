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

/// The comparison that the loop's branch tests after the pass: its operands.
fn tested(body: &str) -> (Opcode, Option<i64>) {
    let text =
        format!("symbol @f global function : (ptr, i32) -> ()\nfunc @f v0, v1 : (ptr, i32) -> () {{\n{body}}}\n");
    let module = ir::text::parse_module(&text).expect("valid IR");
    let mut func = module.functions.values().next().expect("a function").clone();
    sink_increments(&mut func);
    let block = func.blocks().nth(1).expect("the loop");
    let compare = func.def_inst(func.operand(func.terminator(block), 0)).expect("a comparison");
    let source = func.def_inst(func.operand(compare, 0)).expect("an instruction");
    (func.insts[source].opcode, func.const_i64(func.operand(compare, 1)))
}

fn counting(step: &str, compare: &str) -> String {
    format!(
        "b0:\n  br b1\nb1:\n  v2: i32 = phi [v1, b0], [v3, b1]\n  v4: i1 = {compare}\n  v3: i32 = {step}\n  \
         store v0, v2 align 4\n  cond_br v4, b1, b2\nb2:\n  ret\n"
    )
}

#[test]
fn the_new_value_is_tested() {
    let ne = counting("add v2, i32 -1", "icmp.ne v2, i32 0");
    assert_eq!(tested(&ne), (Opcode::Add, Some(-1)));
    let ne = counting("sub v2, i32 2", "icmp.ne v2, i32 0");
    assert_eq!(tested(&ne), (Opcode::Sub, Some(-2)));
    let sgt = counting("add.nsw v2, i32 -1", "icmp.sgt v2, i32 0");
    assert_eq!(tested(&sgt), (Opcode::Add, Some(-1)));
}

#[test]
fn the_old_value_is_tested_where_the_new_one_may_wrap() {
    let sgt = counting("add v2, i32 -1", "icmp.sgt v2, i32 0");
    assert_eq!(tested(&sgt), (Opcode::Phi, Some(0)));
    let lowest = counting("add.nsw v2, i32 -1", "icmp.sgt v2, i32 -2147483648");
    assert_eq!(tested(&lowest), (Opcode::Phi, Some(-2_147_483_648)));
    let unsigned = counting("add.nsw v2, i32 -1", "icmp.ugt v2, i32 3");
    assert_eq!(tested(&unsigned), (Opcode::Phi, Some(3)));
}

#[test]
fn not_past_a_use_of_the_new_value() {
    let body = "b0:\n  br b1\nb1:\n  v2: ptr = phi [v0, b0], [v3, b1]\n  v3: ptr = ptradd v2, i64 8\n  v4: i64 = load v3 align 8\n  store v2, v4 align 8\n  v5: i1 = icmp.eq v4, v1\n  cond_br v5, b2, b1\nb2:\n  ret\n";
    assert_eq!(order(body), ["br", "phi", "ptradd", "load", "store", "icmp", "cond_br", "ret"]);
}
