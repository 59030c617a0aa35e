//! Tests: the classic shapes, and random SSA functions run twice, once with the semantics of phis
//! and once with one register per class and the copies of edges.

use cranelift_entity::EntityRef;
use ir::{BranchHint, Builder, FnAttrs, Position, SigId, SymbolId, Type};
use rustc_hash::FxHashMap;

use super::*;
use base::parallel_copy::sequentialize;

fn new_function(params: usize) -> Function {
    Function::new(SymbolId::new(0), SigId::new(0), vec![Type::I64; params])
}

fn blocks(func: &mut Function, count: usize) -> Vec<Block> {
    (0..count)
        .map(|_| {
            let block = func.make_block();
            func.append_block(block);
            block
        })
        .collect()
}

fn at(func: &mut Function, block: Block) -> Builder<'_> {
    Builder::new(func, Position::End(block))
}

/// The place of a value: its class's register or its own.
fn place(phis: &PhiElimination, value: Value) -> u64 {
    match phis.class(value) {
        Some(class) => class.index() as u64,
        None => 1 << 32 | value.as_u32() as u64,
    }
}

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

fn mix(a: u64, b: u64) -> u64 {
    (a ^ b.rotate_left(17)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31)
}

/// Walks random paths through the function; values are hashes. `ssa` follows the phis, `registers`
/// the classes and copies; whatever is read must agree.
fn run(func: &Function, phis: &PhiElimination, seed: u64) {
    let mut rng = Rng(seed);
    let mut ssa: FxHashMap<Value, u64> = FxHashMap::default();
    let mut registers: FxHashMap<u64, u64> = FxHashMap::default();
    let constant = |v: Value| func.constant(v).map(|_| mix(77, v.as_u32() as u64));
    let no_op = |inst: Inst| matches!(func.insts[inst].opcode, Opcode::PtrToInt | Opcode::IntToPtr);
    for &param in func.params() {
        ssa.insert(param, mix(1, param.as_u32() as u64));
        registers.insert(place(phis, param), ssa[&param]);
    }
    let mut block = func.entry();
    for _ in 0..60 {
        for inst in func.block_insts(block) {
            if func.insts[inst].opcode == Opcode::Phi {
                continue;
            }
            let mut hash = mix(inst.as_u32() as u64, rng.0);
            for value in func.operands(inst) {
                let expected = constant(value).unwrap_or_else(|| ssa[&value]);
                let found = constant(value).unwrap_or_else(|| registers[&place(phis, value)]);
                assert_eq!(expected, found, "{value} at {inst}");
                hash = if no_op(inst) { expected } else { mix(hash, expected) };
            }
            for result in func.results(inst) {
                ssa.insert(result, hash);
                registers.insert(place(phis, result), hash);
            }
        }
        let mut targets = Vec::new();
        func.for_each_target(func.terminator(block), |t| targets.push(t));
        if targets.is_empty() {
            return;
        }
        let next = targets[rng.below(targets.len())];
        let incoming: Vec<(Value, u64)> = func
            .phis(next)
            .map(|phi| {
                let value = func.phi_value(phi, block).expect("an entry per predecessor");
                (func.first_result(phi), constant(value).unwrap_or_else(|| ssa[&value]))
            })
            .collect();
        ssa.extend(incoming);
        let copies = phis.copies_at_end(block);
        assert!(copies.is_empty() || targets.len() == 1);
        let read: Vec<(u64, u64)> = copies
            .iter()
            .map(|c| (place(phis, c.phi), constant(c.src).unwrap_or_else(|| registers[&place(phis, c.src)])))
            .collect();
        registers.extend(read);
        block = next;
    }
}

/// No edge executes more copies than when every conflicting phi is saved and restored (the
/// two-phase protocol).
fn check_copy_counts(func: &Function, phis: &PhiElimination) {
    for block in func.blocks() {
        let copies = phis.copies_at_end(block);
        let pairs: Vec<(u64, u64)> = copies
            .iter()
            .filter(|c| func.constant(c.src).is_none())
            .map(|c| (place(phis, c.phi), place(phis, c.src)))
            .collect();
        let constants = copies.len() - pairs.len();
        let (sequence, temporaries) = sequentialize(&pairs);
        let mut targets = Vec::new();
        func.for_each_target(func.terminator(block), |t| targets.push(t));
        let Some(&succ) = targets.first().filter(|_| !copies.is_empty()) else { continue };
        let results: Vec<Value> = func.phis(succ).map(|p| func.first_result(p)).collect();
        let entries: Vec<(Value, Value)> = func
            .phis(succ)
            .filter_map(|p| Some((func.first_result(p), func.phi_value(p, block)?)))
            .filter(|(d, s)| d != s)
            .collect();
        let conflicting = entries.iter().filter(|(_, s)| results.contains(s)).count();
        assert!(sequence.len() + constants <= entries.len() + conflicting);
        assert!(temporaries as usize <= conflicting / 2);
    }
}

fn check(mut func: Function) -> (Function, PhiElimination) {
    let phis = eliminate_phis(&mut func, &|_| 1.0);
    for seed in 0..20 {
        run(&func, &phis, seed);
    }
    check_copy_counts(&func, &phis);
    (func, phis)
}

/// A counted loop: phi and increment share a register, the constant start is one copy.
#[test]
fn a_loop_counter_is_one_class() {
    let mut f = new_function(1);
    let b = blocks(&mut f, 3);
    let (zero, one) = (f.iconst(Type::I64, 0), f.iconst(Type::I64, 1));
    at(&mut f, b[0]).br(b[1]);
    let phi = at(&mut f, b[1]).phi(Type::I64, &[(zero, b[0])]);
    let i = f.first_result(phi);
    let next = at(&mut f, b[1]).binary(Opcode::Add, i, one);
    let limit = f.params()[0];
    let cond = at(&mut f, b[1]).icmp(ir::IntCc::Slt, next, limit);
    at(&mut f, b[1]).cond_br(cond, b[1], b[2], BranchHint::None);
    f.phi_push(phi, next, b[1]);
    at(&mut f, b[2]).ret(&[next]);
    let (_, phis) = check(f);
    assert_eq!(phis.class(i), phis.class(next));
    assert_eq!((phis.stats.copies, phis.stats.constant_copies, phis.stats.trampolines), (1, 1, 0));
}

/// The second of three blocks will be a loop, with a phi that comes from the parameter: the
/// function, its blocks, the phi and its value.
fn new_loop() -> (Function, Vec<Block>, Inst, Value) {
    let mut f = new_function(1);
    let b = blocks(&mut f, 3);
    let start = f.params()[0];
    at(&mut f, b[0]).br(b[1]);
    let phi = at(&mut f, b[1]).phi(Type::I64, &[(start, b[0])]);
    let x = f.first_result(phi);
    (f, b, phi, x)
}

/// The lost-copy problem: the phi is used after the loop, so on the back edge its next value needs
/// another register.
#[test]
fn lost_copy() {
    let (mut f, b, phi, x) = new_loop();
    let one = f.iconst(Type::I64, 1);
    let next = at(&mut f, b[1]).binary(Opcode::Add, x, one);
    let cond = at(&mut f, b[1]).icmp(ir::IntCc::Ne, next, one);
    at(&mut f, b[1]).cond_br(cond, b[1], b[2], BranchHint::None);
    f.phi_push(phi, next, b[1]);
    at(&mut f, b[2]).ret(&[x]);
    let (f, phis) = check(f);
    assert_ne!(phis.class(x), phis.class(next));
    // One copy on the back edge, which is critical; the parameter is free.
    assert_eq!((phis.stats.copies, phis.stats.trampolines, phis.stats.temporaries), (1, 1, 0));
    assert_eq!(phis.copies_at_end(phis.trampolines[0].block), [EdgeCopy { phi: x, src: next }]);
    assert_eq!(f.terminator(b[0]), f.last_inst(b[0]).unwrap());
}

/// What is live across a call that may return again shares no register, even with a phi that its
/// last use on ordinary paths feeds.
#[test]
fn second_returns() {
    for twice in [true, false] {
        let mut f = new_function(1);
        let b = blocks(&mut f, 4);
        let (five, param) = (f.iconst(Type::I64, 5), f.params()[0]);
        let first = at(&mut f, b[0]).binary(Opcode::Add, param, five);
        let attrs = FnAttrs(if twice { FnAttrs::RETURNS_TWICE } else { 0 });
        let call = at(&mut f, b[0]).call_symbol(SymbolId::new(1), SigId::new(0), attrs, &[Type::I64], &[]);
        let back = f.first_result(call);
        let cond = at(&mut f, b[0]).icmp(ir::IntCc::Ne, back, five);
        at(&mut f, b[0]).cond_br(cond, b[1], b[3], BranchHint::None);
        at(&mut f, b[1]).br(b[2]);
        let phi = at(&mut f, b[2]).phi(Type::I64, &[(first, b[1]), (five, b[2])]);
        let value = f.first_result(phi);
        let cond = at(&mut f, b[2]).icmp(ir::IntCc::Ne, value, param);
        at(&mut f, b[2]).cond_br(cond, b[2], b[3], BranchHint::None);
        at(&mut f, b[3]).phi(Type::I64, &[(first, b[0]), (param, b[2])]);
        at(&mut f, b[3]).ret(&[param]);
        let (_, phis) = check(f);
        assert_eq!(phis.class(first).is_some() && phis.class(first) == phis.class(value), !twice);
    }
}

/// The swap problem: two phis exchange their values on the back edge: one parallel copy, one
/// temporary.
#[test]
fn swap() {
    let mut f = new_function(2);
    let b = blocks(&mut f, 4);
    let (p, q) = (f.params()[0], f.params()[1]);
    at(&mut f, b[0]).br(b[1]);
    let first = at(&mut f, b[1]).phi(Type::I64, &[(p, b[0])]);
    let second = at(&mut f, b[1]).phi(Type::I64, &[(q, b[0])]);
    let (x, y) = (f.first_result(first), f.first_result(second));
    let cond = at(&mut f, b[1]).icmp(ir::IntCc::Ne, x, y);
    at(&mut f, b[1]).cond_br(cond, b[2], b[3], BranchHint::None);
    at(&mut f, b[2]).br(b[1]);
    f.phi_push(first, y, b[2]);
    f.phi_push(second, x, b[2]);
    at(&mut f, b[3]).ret(&[x]);
    let (_, phis) = check(f);
    assert_eq!((phis.stats.copies, phis.stats.temporaries, phis.stats.trampolines), (2, 1, 0));
    assert_eq!(phis.copies_at_end(b[2]).len(), 2);
}

/// Both targets of a branch are one critical-edge target: the trampoline is shared by switch cases.
#[test]
fn one_trampoline_per_predecessor_and_target() {
    let mut f = new_function(2);
    let b = blocks(&mut f, 3);
    let (p, q) = (f.params()[0], f.params()[1]);
    at(&mut f, b[0]).switch(p, vec![(1, b[2]), (2, b[2]), (3, b[1])], b[1]);
    let two = f.iconst(Type::I64, 2);
    let sum = at(&mut f, b[1]).binary(Opcode::Add, p, two);
    at(&mut f, b[1]).br(b[2]);
    let phi = at(&mut f, b[2]).phi(Type::I64, &[(q, b[0]), (sum, b[1])]);
    let x = f.first_result(phi);
    let both = at(&mut f, b[2]).binary(Opcode::Add, x, q);
    at(&mut f, b[2]).ret(&[both]);
    let (f, phis) = check(f);
    assert_eq!((phis.stats.trampolines, phis.stats.copies), (1, 1));
    let mut targets = Vec::new();
    f.for_each_target(f.terminator(b[0]), |t| targets.push(t));
    assert_eq!(targets.iter().filter(|&&t| t == phis.trampolines[0].block).count(), 2);
}

/// A computed goto: labels resolve to trampolines, direct branches go straight to the block.
#[test]
fn labels_resolve_to_trampolines() {
    let mut f = new_function(2);
    let b = blocks(&mut f, 4);
    let (p, q) = (f.params()[0], f.params()[1]);
    f.labels = vec![b[2], b[3], b[2]];
    let cond = at(&mut f, b[0]).icmp(ir::IntCc::Ne, p, q);
    at(&mut f, b[0]).cond_br(cond, b[1], b[2], BranchHint::None);
    let address = at(&mut f, b[1]).block_addr(1);
    at(&mut f, b[1]).indirect_br(address, vec![b[2], b[3]]);
    let phi = at(&mut f, b[2]).phi(Type::I64, &[(p, b[0]), (q, b[1])]);
    let x = f.first_result(phi);
    let sum = at(&mut f, b[2]).binary(Opcode::Add, x, p);
    let sum = at(&mut f, b[2]).binary(Opcode::Add, sum, q);
    at(&mut f, b[2]).ret(&[sum]);
    at(&mut f, b[3]).ret(&[p]);
    let (f, phis) = check(f);
    let trampoline = phis.trampolines.iter().find(|t| t.pred == b[1]).expect("a trampoline").block;
    assert_eq!(f.labels, vec![trampoline, b[3], trampoline]);
    assert!(phis.trampolines.iter().all(|t| t.succ == b[2]));
}

/// A use of a class member must not sink below the definition of another.
#[test]
fn sinking_stops_at_redefinitions() {
    let (mut f, b, phi, x) = new_loop();
    let one = f.iconst(Type::I64, 1);
    let doubled = at(&mut f, b[1]).binary(Opcode::Mul, x, one);
    let next = at(&mut f, b[1]).binary(Opcode::Add, x, one);
    let sum = at(&mut f, b[1]).binary(Opcode::Xor, next, doubled);
    at(&mut f, b[1]).cond_br(sum, b[1], b[2], BranchHint::None);
    f.phi_push(phi, next, b[1]);
    at(&mut f, b[2]).ret(&[sum]);
    let (f, phis) = check(f);
    assert_eq!(phis.class(x), phis.class(next));
    let inst = |v: Value| f.def_inst(v).unwrap();
    assert!(phis.is_live_at(&f, x, inst(next)));
    assert!(!phis.is_live_at(&f, x, inst(sum)));
}

/// Conversions without effect may overlap their operand in one class.
#[test]
fn equal_values_share_a_class() {
    let (mut f, b, phi, x) = new_loop();
    let pointer = at(&mut f, b[1]).unary(Opcode::IntToPtr, Type::PTR, x);
    let back = at(&mut f, b[1]).unary(Opcode::PtrToInt, Type::I64, pointer);
    let cond = at(&mut f, b[1]).icmp(ir::IntCc::Ne, back, x);
    at(&mut f, b[1]).cond_br(cond, b[1], b[2], BranchHint::None);
    f.phi_push(phi, back, b[1]);
    at(&mut f, b[2]).ret(&[x]);
    let (_, phis) = check(f);
    assert_eq!(phis.class(x), phis.class(back));
    assert_eq!(phis.stats.copies, 0);
}

/// Maximal SSA form over a few variables: every block has a phi for each, instructions redefine
/// variables, assignments between variables only change names (which is what makes swaps and lost
/// copies).
fn random_function(seed: u64) -> Function {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 3);
    let variables = 1 + rng.below(5);
    let count = 2 + rng.below(10);
    let mut f = new_function(variables);
    let b = blocks(&mut f, count);
    let mut phis: Vec<Vec<Inst>> = vec![Vec::new(); count];
    let mut at_end: Vec<Vec<Value>> = Vec::new();
    for block in 0..count {
        let mut current: Vec<Value> = if block == 0 {
            f.params().to_vec()
        } else {
            phis[block] = (0..variables).map(|_| at(&mut f, b[block]).phi(Type::I64, &[])).collect();
            phis[block].iter().map(|&p| f.first_result(p)).collect()
        };
        for _ in 0..rng.below(6) {
            let (d, s, t) = (rng.below(variables), rng.below(variables), rng.below(variables));
            match rng.below(8) {
                0 | 1 => current[d] = current[s],
                2 => current.swap(d, s),
                3 => current[d] = f.iconst(Type::I64, rng.below(3) as i64),
                4 if f.constant(current[s]).is_none() => {
                    let pointer = at(&mut f, b[block]).unary(Opcode::IntToPtr, Type::PTR, current[s]);
                    current[d] = at(&mut f, b[block]).unary(Opcode::PtrToInt, Type::I64, pointer);
                }
                _ => current[d] = at(&mut f, b[block]).binary(Opcode::Add, current[s], current[t]),
            }
        }
        let condition = current[rng.below(variables)];
        at_end.push(current);
        if block + 1 == count {
            let values = at_end[block].clone();
            at(&mut f, b[block]).ret(&values[..1]);
            break;
        }
        let any = |rng: &mut Rng| b[1 + rng.below(count - 1)];
        let next = b[block + 1];
        match rng.below(8) {
            0 | 1 => drop(at(&mut f, b[block]).br(next)),
            2 => {
                let cases = (0..rng.below(4)).map(|i| (i as u64, any(&mut rng))).collect();
                at(&mut f, b[block]).switch(condition, cases, next);
            }
            3 => {
                let mut targets = vec![next, any(&mut rng), any(&mut rng)];
                targets.sort_unstable();
                targets.dedup();
                f.labels.extend(&targets);
                at(&mut f, b[block]).indirect_br(condition, targets);
            }
            _ => {
                let other = any(&mut rng);
                at(&mut f, b[block]).cond_br(condition, next, other, BranchHint::None);
            }
        }
    }
    let cfg = Cfg::compute(&f);
    for block in 1..count {
        for &pred in cfg.preds(b[block]) {
            for (variable, &phi) in phis[block].iter().enumerate() {
                f.phi_push(phi, at_end[pred.index()][variable], pred);
            }
        }
    }
    f
}

#[test]
fn random_functions_behave_the_same() {
    for seed in 0..1500 {
        let f = random_function(seed);
        let result = std::panic::catch_unwind(|| check(f));
        if let Err(error) = result {
            eprintln!("seed {seed}");
            std::panic::resume_unwind(error);
        }
    }
}
