//! Dominators and loops against slow definitions on pseudo-random graphs, and def-use chains under
//! mutation.

use ir::analysis::{Cfg, DominatorTree, LoopTree};
use ir::{Block, Builder, Function, Module, Opcode, Position, Signature, SymbolData, Type};

/// A small deterministic generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

fn random_function(random: &mut Random, blocks: usize) -> Function {
    let mut module = Module::new();
    let symbol = module.add_symbol(SymbolData::undefined("f", true));
    let sig = module.signature(Signature::default());
    let mut func = Function::new(symbol, sig, [Type::I1]);
    let cond = func.params()[0];
    let all: Vec<Block> = (0..blocks)
        .map(|_| {
            let block = func.make_block();
            func.append_block(block);
            block
        })
        .collect();
    for &block in &all {
        let mut target = || all[1 + random.below(blocks - 1)];
        let (a, b) = (target(), target());
        let kind = random.below(8);
        let mut builder = Builder::new(&mut func, Position::End(block));
        match kind {
            0 => builder.ret(&[]),
            1..=3 => builder.br(a),
            _ => builder.cond_br(cond, a, b, ir::BranchHint::None),
        };
    }
    func
}

/// Blocks reachable from the entry when `without` is removed.
fn reachable(func: &Function, cfg: &Cfg, without: Option<Block>) -> Vec<bool> {
    let mut seen = vec![false; func.num_blocks()];
    let mut work = vec![func.entry()];
    while let Some(block) = work.pop() {
        if Some(block) == without || std::mem::replace(&mut seen[block.as_u32() as usize], true) {
            continue;
        }
        work.extend(cfg.succs(block));
    }
    seen
}

#[test]
fn dominators_match_their_definition() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..300 {
        let func = random_function(&mut random, 2 + round % 20);
        let cfg = Cfg::compute(&func);
        let tree = DominatorTree::compute(&func, &cfg);
        let from_entry = reachable(&func, &cfg, None);
        for a in func.blocks() {
            let without = reachable(&func, &cfg, Some(a));
            for b in func.blocks() {
                let (ai, bi) = (a.as_u32() as usize, b.as_u32() as usize);
                let expected = from_entry[ai] && from_entry[bi] && !without[bi];
                assert_eq!(tree.dominates(a, b), expected, "round {round}: {a} {b}");
            }
            if let Some(idom) = tree.idom(a) {
                assert!(tree.strictly_dominates(idom, a));
                assert_eq!(tree.level(a), tree.level(idom) + 1);
            }
        }
    }
}

#[test]
fn loops_match_their_definition() {
    let mut random = Random(0xdead_beef_1234_5678);
    for round in 0..300 {
        let func = random_function(&mut random, 2 + round % 16);
        let cfg = Cfg::compute(&func);
        let dominators = DominatorTree::compute(&func, &cfg);
        let loops = LoopTree::compute(&func, &cfg, &dominators);
        let headers: Vec<Block> = loops.loops().map(|l| loops.header(l)).collect();
        for header in func.blocks() {
            let mut body = vec![false; func.num_blocks()];
            let mut work: Vec<Block> =
                cfg.preds(header).iter().copied().filter(|&p| dominators.dominates(header, p)).collect();
            assert_eq!(!work.is_empty(), headers.contains(&header), "round {round}");
            if work.is_empty() {
                continue;
            }
            body[header.as_u32() as usize] = true;
            while let Some(block) = work.pop() {
                if !std::mem::replace(&mut body[block.as_u32() as usize], true) {
                    work.extend(cfg.preds(block).iter().copied().filter(|&p| cfg.is_reachable(p)));
                }
            }
            let this = loops.loops().find(|&l| loops.header(l) == header).expect("is a header");
            for block in func.blocks() {
                assert_eq!(
                    loops.contains(this, block),
                    body[block.as_u32() as usize],
                    "round {round}: {header} {block}"
                );
            }
        }
    }
}

#[test]
fn use_lists_follow_mutation() {
    let mut module = Module::new();
    let symbol = module.add_symbol(SymbolData::undefined("f", true));
    let sig = module.signature(Signature::default());
    let mut func = Function::new(symbol, sig, [Type::I32, Type::I32]);
    let (a, b) = (func.params()[0], func.params()[1]);
    let entry = func.make_block();
    func.append_block(entry);
    func.build_uses();
    let mut builder = Builder::new(&mut func, Position::End(entry));
    let sum = builder.binary(Opcode::Add, a, a);
    let product = builder.binary(Opcode::Mul, sum, b);
    let phi = builder.phi(Type::I32, &[(sum, entry)]);
    builder.ret(&[product]);
    assert_eq!(func.uses(a).count(), 2);
    assert_eq!(func.uses(sum).count(), 2);
    func.phi_push(phi, product, entry);
    func.phi_push(phi, a, entry);
    assert_eq!(func.uses(product).count(), 2);
    assert_eq!(func.uses(a).count(), 3);
    func.phi_swap_remove(phi, 0);
    assert_eq!(func.uses(sum).collect::<Vec<_>>().len(), 1);
    assert_eq!(func.phi_entries(phi).map(|e| e.0).collect::<Vec<_>>(), [a, product]);
    func.replace_all_uses(a, b);
    assert!(!func.has_uses(a));
    assert_eq!(func.uses(b).count(), 4);
    func.remove_inst(phi);
    assert!(func.has_one_use(product));
    for value in [b, sum, product] {
        for (inst, index) in func.uses(value) {
            assert_eq!(func.operand(inst, index), value);
        }
    }
}

#[test]
fn phis_filled_by_turns_take_linear_room() {
    let mut module = Module::new();
    let symbol = module.add_symbol(SymbolData::undefined("f", true));
    let sig = module.signature(Signature::default());
    let mut func = Function::new(symbol, sig, [Type::I32, Type::I32]);
    let params = [func.params()[0], func.params()[1]];
    let entry = func.make_block();
    func.append_block(entry);
    func.build_uses();
    let phis: Vec<_> = (0..3).map(|_| Builder::new(&mut func, Position::End(entry)).phi(Type::I32, &[])).collect();
    let rounds = 3000;
    for i in 0..rounds {
        for (which, &phi) in phis.iter().enumerate() {
            func.phi_push(phi, params[(i + which) % 2], entry);
        }
        if i % 7 == 0 {
            func.phi_swap_remove(phis[1], i / 2);
            func.phi_push(phis[1], params[1], entry);
        }
    }
    assert!(func.operand_pool_len() < 12 * rounds, "{} places", func.operand_pool_len());
    for (which, &phi) in phis.iter().enumerate() {
        let entries: Vec<_> = func.phi_entries(phi).map(|e| e.0).collect();
        assert_eq!(entries.len(), rounds);
        if which != 1 {
            assert!(entries.iter().enumerate().all(|(i, &v)| v == params[(i + which) % 2]));
        }
    }
    assert_eq!(params.iter().map(|&p| func.uses(p).count()).sum::<usize>(), 3 * rounds);
}
