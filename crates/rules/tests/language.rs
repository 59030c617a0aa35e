//! What the language takes and refuses, what decisions look like, and that wrong rules are refuted.

use std::io::Write as _;
use std::process::{Command, Stdio};

use rules::typed::Rule;
use rules::{check, parse, rust, smt, tir};

fn read(text: &str) -> Result<Vec<Rule>, String> {
    let mut rules = Vec::new();
    for entry in parse::parse(text)? {
        rules.extend(check::rules(&entry)?);
    }
    Ok(rules)
}

fn one(text: &str) -> Rule {
    read(text).unwrap_or_else(|error| panic!("{error}")).remove(0)
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let cases = [
        ("rule a\n  add(x, 0) => ", "2: expected a name, found the end"),
        ("rule a\n  add(x) => x", "1: rule a: 'add' has 2 operands"),
        ("; text\nrule a\n  ad(x, 0) => x", "2: rule a: 'ad' is no operation"),
        ("rule a add(x, 0) => y", "1: rule a: 'y' is not in the pattern"),
        (
            "rule a zext(x) => x",
            "1: rule a: the result or a condition takes types for the same that the pattern does not",
        ),
        ("rule a add(x, C) where C < => x", "1: expected a name, found '=>'"),
        ("rule a add(C, C) => 0", "1: rule a: 'C' is bound twice; ask for equality in a condition"),
        ("rule a zext(x: i8): i1 where iN < i8 => x", "1: rule a: no part of the pattern is of type 'iN'"),
        ("rule a x => x", "1: rule a: the pattern is no operation"),
        ("rule a add(x, y) where odd(x) => x", "1: rule a: 'odd' is no condition"),
        (
            "rule a select(c, K, 0) => zext(c)",
            "1: rule a: what the result computes with may be an address: 'is_int' is missing",
        ),
        ("rule a add(x, $) => x", "1: '$' begins nothing"),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text).err().as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn families_are_spelled_out() {
    let rules = read("; Doc.\n; More.\nrule zero for op in add, sub\n  op(a, 0)\n  => a\n").expect("reads");
    let names: Vec<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["zero.add", "zero.sub"]);
    assert_eq!(rules[1].text, "sub(a, 0) => a");
    assert_eq!(rules[1].written, "op(a, 0) => a");
    assert_eq!(rules[1].doc, "Doc. More.");
}

/// Rules that ask the same are asked together, and the order of those that match the same is kept.
#[test]
fn decisions_are_shared() {
    let rules = read(
        "rule a mul(x, 1) => x\nrule b mul(mul(x, K), C) => mul(x, K * C)\nrule c mul(add(x, K), C) => mul(x, C)\nrule d \
         mul(x, C) where pow2(C) => shl(x, log2(C))\n",
    );
    let code = rust::generate(&rules.expect("reads")).expect("generates");
    assert_eq!(code.matches("cx.bits(v1)").count(), 1, "{code}");
    assert_eq!(code.matches("cx.definition(v0)").count(), 1, "{code}");
    let place = |name: &str| code.find(name).unwrap_or_else(|| panic!("no {name} in {code}"));
    assert!(place("cx.fires(0)") < place("cx.fires(1)") && place("cx.fires(2)") < place("cx.fires(3)"), "{code}");
}

/// Both orders of an operation marked `~`.
#[test]
fn operands_stand_in_either_order() {
    let code = rust::generate(&[one("rule a add~(x, sub(0, z)) => sub(x, z)")]).expect("generates");
    assert!(code.contains("Opcode::Sub, 0, v0, v11") && code.contains("Opcode::Sub, 0, v1, v01"), "{code}");
}

fn solve(script: &str) -> Option<String> {
    let mut child =
        Command::new("z3").args(["-smt2", "-in", "-T:60"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    child.stdin.take()?.write_all(script.as_bytes()).ok()?;
    Some(String::from_utf8_lossy(&child.wait_with_output().ok()?.stdout).trim().to_string())
}

/// The solver's answers for the cases of a rule up to 16 bits; `None` without a solver.
fn answers(rule: &Rule) -> Option<Vec<String>> {
    let cases = smt::cases(rule).into_iter().filter(|case| case.widest() <= 16 || rule.text.contains("ptr"));
    cases
        .map(|case| {
            let query = smt::query(rule, &case).expect("no function makes the result");
            let ask = |claim: &str| solve(&format!("{}{claim}(check-sat)\n", smt::declare_conversions(claim)));
            let strong = ask(&query.strong)?;
            match &query.weak {
                Some(weak) if strong == "sat" => ask(weak),
                _ => Some(strong),
            }
        })
        .collect()
}

/// Each of these is wrong in one way: a dropped condition, a flag too many, an amount beyond the
/// width, a sign.
#[test]
fn wrong_rules_are_refuted() {
    let wrong = [
        "rule a add.nsw(add(x, K), C) => add[nsw](x, K + C)",
        "rule a mul(x, C) where pow2(C) => shl[nsw: nsw(root)](x, log2(C))",
        "rule a udiv(mul(x, K), C) where K == C => x",
        "rule a sdiv(shl.nsw(x, K), C) where K u< width && 1 << K == C => x",
        "rule a shl(shl(x, K), C) => shl(x, K + C)",
        "rule a lshr(ashr(x, K), C) where K u< width && C u< width && K + C u< width => ashr(x, K + C)",
        "rule a icmp[cc](sext(x: iN), sext(y: iN)) => icmp[unsigned(cc)](x, y)",
        "rule a icmp[slt](add(x, K), C) => icmp[slt](x, C - K)",
        "rule a icmp[ult](ptradd(p, J), ptradd(p, K)) => eval[slt](J, K)",
        "rule a trunc(sext(x: iN)): iT where iN < iT => zext(x)",
        "rule a and(a, C) where zero(a) & C == 0 => 0",
        "rule a select(icmp[slt](a: iT, b), a, b) where is_int(iT) => smax(a, b)",
        "rule a ptradd(ptradd(p, K), C) => ptradd[inbounds: inbounds(root)](p, K + C)",
        "rule a xor(shl(x, n), lshr(x, sub(K, n))) where K == width => rotr(x, n)",
        "rule a and(u@undef(), C) where one_use(u) => 1",
    ];
    for text in wrong {
        // Without z3 there is nothing to ask.
        let Some(answers) = answers(&one(text)) else { return };
        assert!(answers.iter().any(|answer| answer == "sat"), "{text}: {answers:?}");
    }
}

#[test]
fn right_rules_are_proved() {
    let right = [
        "rule a add.nsw(add.nsw(x, K), C) where K >= 0 && C >= 0 && !sadd_overflows(K, C) => add[nsw](x, K + C)",
        "rule a shl(x, n) where !const(n) => shl(x, n)",
        "rule a or(shl(x, n), lshr(x, sub(K, n))) where K == width => rotl(x, n)",
        "rule a and(u@undef(), C) where one_use(u) => 0",
        "rule a uitofp(x) where nonneg(x) => sitofp(x)",
        "rule a icmp[ult](ptradd.inbounds(p, J), ptradd.inbounds(p, K)) => eval[slt](J, K)",
    ];
    for text in right {
        let Some(answers) = answers(&one(text)) else { return };
        assert!(!answers.is_empty() && answers.iter().all(|answer| answer == "unsat"), "{text}: {answers:?}");
    }
}

/// A counterexample is a program of both.
#[test]
fn counterexamples_are_programs() {
    let rule = one("rule a icmp[slt](s@add(x: iN, K), C) where one_use(s) => icmp[slt](x, C - K)");
    let case = smt::cases(&rule).into_iter().find(|case| case.widest() == 8).expect("i8");
    let mut model = tir::Model { constants: vec![246], ..tir::Model::default() };
    for (name, value) in [("v00", 127), ("v01", 10), ("v1", 0)] {
        model.inputs.insert(name.to_string(), value);
    }
    let program = tir::program(&rule, &case, &model).expect("integers");
    let expected = "func @before v0 : (i8) -> (i1) {\nb0:\n  v1: i8 = add v0, i8 10\n  v2: i1 = icmp.slt v1, i8 0\n  ret v2\n}\n\n\
                    func @after v0 : (i8) -> (i1) {\nb0:\n  v1: i1 = icmp.slt v0, i8 -10\n  ret v1\n}\n";
    assert!(program.contains(expected), "{program}");
    assert!(program.contains("call @before(i8 127)"), "{program}");
}
