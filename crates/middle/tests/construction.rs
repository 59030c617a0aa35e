//! SSA construction against an oracle: maximal SSA form (a phi for every variable at the top of
//! every block) from which dead phis and webs of one value are removed until nothing changes, as
//! tinyoptimizer builds it. `mem2reg` must promote every variable, leave no more phis than the
//! oracle keeps, and leave a program that does what it did.

use std::collections::HashMap;
use std::fmt::Write as _;

use ir::text::{module_to_string, parse_module};
use ir::{Block, Function, Module, Opcode, Value};
use platform::options::{OptLevel, Options};

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

const VARIABLES: usize = 5;
const PARAMETERS: usize = 2;

/// `f` loads, stores and jumps about at random, at most 200 jumps; `main` returns a digest of what
/// it returns.
fn program(random: &mut Random) -> String {
    let blocks = 3 + random.below(12);
    let mut text =
        String::from("symbol @main global function : () -> (i32)\nsymbol @f global function : (i32, i32) -> (i32)\n");
    text += "func @f v0, v1 : (i32, i32) -> (i32) {\nb0:\n";
    let mut next = PARAMETERS;
    let fuel = next;
    for _ in 0..=VARIABLES {
        let _ = writeln!(text, "  v{next}: ptr = alloca 4 align 4");
        next += 1;
    }
    let variable = |index: usize| fuel + 1 + index;
    let _ = writeln!(text, "  store v{fuel}, i32 200 align 4");
    for index in 0..VARIABLES {
        let _ = writeln!(text, "  store v{}, v{} align 4", variable(index), index % PARAMETERS);
    }
    text += "  br b1\n";
    for block in 1..blocks {
        let _ = writeln!(text, "b{block}:");
        for _ in 0..random.below(5) {
            let from = variable(random.below(VARIABLES));
            let to = variable(random.below(VARIABLES));
            let _ = writeln!(text, "  v{next}: i32 = load v{from} align 4");
            let mut value = next;
            next += 1;
            match random.below(4) {
                0 => {}
                1 => {
                    let _ = writeln!(
                        text,
                        "  v{next}: i32 = load v{to} align 4\n  v{}: i32 = sub v{value}, v{next}",
                        next + 1
                    );
                    value = next + 1;
                    next += 2;
                }
                _ => {
                    let _ = writeln!(text, "  v{next}: i32 = add v{value}, i32 {block}");
                    value = next;
                    next += 1;
                }
            }
            let _ = writeln!(text, "  store v{to}, v{value} align 4");
        }
        let last = variable(random.below(VARIABLES));
        let _ = writeln!(text, "  v{next}: i32 = load v{fuel} align 4\n  v{}: i32 = sub v{next}, i32 1", next + 1);
        let _ = writeln!(text, "  store v{fuel}, v{} align 4\n  v{}: i32 = load v{last} align 4", next + 1, next + 2);
        // The more fuel is left the more often it goes back; with none it falls through to the end.
        let _ = writeln!(text, "  v{}: i32 = smax v{}, i32 0", next + 3, next + 1);
        let _ = writeln!(text, "  v{}: i1 = icmp.sgt v{}, v{}", next + 4, next + 3, next + 2);
        let _ = writeln!(text, "  v{}: i1 = icmp.sgt v{}, i32 0", next + 5, next + 3);
        let _ = writeln!(text, "  v{}: i1 = and v{}, v{}", next + 6, next + 4, next + 5);
        let _ = writeln!(text, "  cond_br v{}, b{}, b{}", next + 6, 1 + random.below(blocks - 1), block + 1);
        next += 7;
    }
    let _ = writeln!(text, "b{blocks}:");
    let mut sum = String::from("i32 0");
    for index in 0..VARIABLES.min(1 + random.below(VARIABLES)) {
        let _ = writeln!(
            text,
            "  v{next}: i32 = load v{} align 4\n  v{}: i32 = mul {sum}, i32 31",
            variable(index),
            next + 1
        );
        let _ = writeln!(text, "  v{}: i32 = add v{}, v{next}", next + 2, next + 1);
        sum = format!("v{}", next + 2);
        next += 3;
    }
    let _ = writeln!(text, "  ret {sum}\n}}");
    text += "func @main : () -> (i32) {\nb0:\n  v0: i32 = call @f(i32 3, i32 -70) : (i32, i32) -> (i32)\n";
    text += "  v1: i32 = call @f(i32 190, i32 11) : (i32, i32) -> (i32)\n  v2: i32 = xor v0, v1\n";
    text += "  v3: i32 = lshr v2, i32 16\n  v4: i32 = xor v2, v3\n  v5: i32 = and v4, i32 127\n  ret v5\n}\n";
    text
}

/// What a variable holds: a value that was stored, or the phi of a variable at the top of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Content {
    Stored(Value),
    Undefined,
    Phi(Block, Value),
}

/// The phis that the oracle keeps.
fn oracle(func: &Function) -> usize {
    let mut predecessors: HashMap<Block, Vec<Block>> = HashMap::new();
    for block in func.blocks() {
        func.for_each_target(func.terminator(block), |target| {
            let list = predecessors.entry(target).or_default();
            if !list.contains(&block) {
                list.push(block);
            }
        });
    }
    let variables: Vec<Value> = func
        .block_insts(func.entry())
        .filter(|&i| func.insts[i].opcode == Opcode::Alloca)
        .map(|i| func.first_result(i))
        .collect();
    // What a load reads stands for its result; `at_end`: of each variable at the end of each block.
    let mut read: HashMap<Value, Content> = HashMap::new();
    let mut at_end: HashMap<(Block, Value), Content> = HashMap::new();
    for block in func.blocks() {
        let top = |v: Value| if block == func.entry() { Content::Undefined } else { Content::Phi(block, v) };
        let mut now: HashMap<Value, Content> = variables.iter().map(|&v| (v, top(v))).collect();
        for inst in func.block_insts(block) {
            match func.insts[inst].opcode {
                Opcode::Load => {
                    read.insert(func.first_result(inst), now[&func.operand(inst, 0)]);
                }
                Opcode::Store => {
                    now.insert(func.operand(inst, 0), Content::Stored(func.operand(inst, 1)));
                }
                _ => {}
            }
        }
        at_end.extend(variables.iter().map(|&v| ((block, v), now[&v])));
    }
    let resolve = |mut content: Content| {
        while let Content::Stored(value) = content {
            match read.get(&value) {
                Some(&source) => content = source,
                None => break,
            }
        }
        content
    };
    let phis: Vec<(Block, Value)> =
        func.blocks().filter(|&b| b != func.entry()).flat_map(|b| variables.iter().map(move |&v| (b, v))).collect();
    let operands = |&(block, variable): &(Block, Value)| -> Vec<Content> {
        predecessors[&block].iter().map(|&p| resolve(at_end[&(p, variable)])).collect()
    };
    // Webs of one value: the coarsest partition of contents in which phis of one block are equal if
    // their operands are, by going optimistically from "a phi is whatever reaches it".
    let mut value_of: HashMap<(Block, Value), Option<Content>> = phis.iter().map(|&p| (p, None)).collect();
    loop {
        let mut changed = false;
        for phi in &phis {
            let known = |content: Content| match content {
                Content::Phi(b, v) => value_of[&(b, v)],
                other => Some(other),
            };
            let mut reaching: Vec<Content> = Vec::new();
            for content in operands(phi).into_iter().filter_map(known) {
                if !reaching.contains(&content) {
                    reaching.push(content);
                }
            }
            let meet = match reaching.as_slice() {
                [] => None,
                [one] => Some(*one),
                _ => Some(Content::Phi(phi.0, phi.1)),
            };
            if value_of[phi] != meet && value_of[phi] != Some(Content::Phi(phi.0, phi.1)) {
                value_of.insert(*phi, meet);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    // What is used: operands of instructions that are no promoted access, and of the phis that are
    // used.
    let mut used: Vec<(Block, Value)> = Vec::new();
    let mut want = |content: Content, work: &mut Vec<(Block, Value)>| {
        let content = resolve(content);
        if let Content::Phi(b, v) = content
            && let Some(Content::Phi(b, v)) = value_of[&(b, v)]
            && !used.contains(&(b, v))
        {
            used.push((b, v));
            work.push((b, v));
        }
    };
    let mut work = Vec::new();
    for inst in func.all_insts() {
        if !matches!(func.insts[inst].opcode, Opcode::Load | Opcode::Store) {
            func.operands(inst).for_each(|value| want(Content::Stored(value), &mut work));
        }
    }
    while let Some(phi) = work.pop() {
        operands(&phi).into_iter().for_each(|content| want(content, &mut work));
    }
    used.len()
}

fn count(func: &Function, opcode: Opcode) -> usize {
    func.all_insts().filter(|&i| func.insts[i].opcode == opcode).count()
}

fn promoted(mut module: Module) -> Module {
    // What was loaded only to be stored in a variable that nobody reads is no longer used: `dce`.
    let pass_list = Some(vec!["mem2reg".to_string(), "dce".to_string()]);
    middle::optimize(&mut module, &Options { level: OptLevel::O2, pass_list, verify: true, ..Options::default() });
    module
}

#[test]
fn no_more_phis_than_maximal_form_without_the_dead_ones() {
    let mut some = 0;
    for seed in 1..160u64 {
        let text = program(&mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
        let module = parse_module(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let before = interp::run(&module, &[], 1_000_000).unwrap_or_else(|t| panic!("seed {seed}: {t}\n{text}"));
        let f = module.functions.values().next().expect("f");
        let kept = oracle(f);
        let module = promoted(module);
        let f = module.functions.values().next().expect("f");
        assert_eq!(count(f, Opcode::Alloca), 0, "seed {seed}");
        let phis = count(f, Opcode::Phi);
        assert!(
            phis <= kept,
            "seed {seed}: {phis} phis, the oracle keeps {kept}\n{text}\n{}",
            module_to_string(&module)
        );
        some += kept;
        let after = interp::run(&module, &[], 1_000_000).unwrap_or_else(|t| panic!("seed {seed}: {t}"));
        assert_eq!(after.status, before.status, "seed {seed}\n{text}");
    }
    assert!(some > 500, "the programs have phis");
}

/// Blocks that dominate one another in a chain of 50,000, with a join at the end of each: neither
/// the stack nor stored frontiers.
#[test]
fn deep_dominator_trees() {
    let depth = 50_000;
    let mut text =
        String::from("func @f v0 : (i32) -> (i32) {\nb0:\n  v1: ptr = alloca 4 align 4\n  store v1, v0 align 4\n");
    let _ = writeln!(text, "  v2: i1 = icmp.eq v0, i32 0\n  cond_br v2, b1, b{depth}");
    for block in 1..depth {
        let _ = writeln!(text, "b{block}:\n  store v1, i32 {block} align 4\n  cond_br v2, b{}, b{depth}", block + 1);
    }
    let _ = writeln!(text, "b{depth}:\n  v3: i32 = load v1 align 4\n  ret v3\n}}");
    let module = promoted(parse_module(&text).expect("parses"));
    let f = module.functions.values().next().expect("f");
    assert_eq!((count(f, Opcode::Alloca), count(f, Opcode::Phi)), (0, 1));
}

/// Variables with many merges are promoted as long as the phis are no more than the accesses were:
/// the limit of phi copies grows with the function.
#[test]
fn many_merges() {
    let count_of = 40_000;
    let mut text = String::from("func @f v0 : (i32) -> (i32) {\nb0:\n  v1: ptr = alloca 4 align 4\n");
    text.push_str("  store v1, v0 align 4\n  br b1\n");
    for i in 0..count_of {
        let (block, value) = (2 * i + 1, 3 * i + 2);
        let _ = writeln!(text, "b{block}:\n  v{value}: i32 = load v1 align 4");
        let _ = writeln!(
            text,
            "  v{}: i1 = icmp.eq v{value}, i32 {i}\n  cond_br v{}, b{}, b{}",
            value + 1,
            value + 1,
            block + 1,
            block + 2
        );
        let _ = writeln!(text, "b{}:\n  v{}: i32 = add v{value}, i32 7", block + 1, value + 2);
        let _ = writeln!(text, "  store v1, v{} align 4\n  br b{}", value + 2, block + 2);
    }
    let _ = writeln!(
        text,
        "b{}:\n  v{}: i32 = load v1 align 4\n  ret v{}\n}}",
        2 * count_of + 1,
        3 * count_of + 2,
        3 * count_of + 2
    );
    let module = promoted(parse_module(&text).expect("parses"));
    let f = module.functions.values().next().expect("f");
    assert_eq!((count(f, Opcode::Alloca), count(f, Opcode::Phi)), (0, count_of));
}
