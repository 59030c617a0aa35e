//! How fast the register allocator is: synthetic functions of growing size, in instructions per
//! second.
//!
//! `cargo run --release -p tcc-rs-backend --example regalloc_speed [row]`

use backend::regalloc::{
    BlockIndex, Config, Constraint, InstFlags, Operand, OperandKind, OperandPos, Problem, RegClass, RegSet, VReg,
    allocate,
};
use cranelift_entity::EntityRef;
use platform::registers::{CALLEE_SAVED, RAX, RDI, RSI, RSP};

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A function that looks like compiled code: mostly short-lived values, `long` long-lived ones, a
/// call in every `call_every`th block.
fn function(blocks: usize, per_block: usize, long: usize, call_every: usize) -> Problem {
    let mut rng = Rng(42);
    let mut p = Problem::new(Config::sysv(false));
    let mut clobbers = RegSet(0xffff_ffff);
    CALLEE_SAVED.iter().for_each(|&r| clobbers.remove(r));
    clobbers.remove(RSP);
    clobbers.remove(RAX);
    let variables: Vec<VReg> = (0..long).map(|_| p.new_vreg(RegClass::Gpr, 8, None)).collect();
    for block in 0..blocks {
        let depth = block % 7 / 3;
        p.begin_block([1.0, 8.0, 64.0][depth], depth as u16);
        // A long-lived variable begins in "its" block; eight of them live to the end.
        let group = |block: usize| (block * long / blocks + 1).clamp(8.min(long), long);
        let begin = if block == 0 { 0 } else { group(block) };
        for &v in &variables[begin..group(block + 1)] {
            p.push_inst(InstFlags::NONE, RegSet::EMPTY, &[def(v, Constraint::Any)]);
        }
        let mut temporaries: Vec<VReg> = Vec::new();
        for _ in 0..per_block {
            // They are used in the neighbourhood of their blocks.
            let near = (block * long / blocks).saturating_sub(rng.below(6));
            let pick = |rng: &mut Rng, t: &[VReg]| {
                if t.is_empty() || rng.below(4) == 0 {
                    variables[near]
                } else {
                    t[t.len() - 1 - rng.below(t.len().min(4))]
                }
            };
            let (a, b) = (pick(&mut rng, &temporaries), pick(&mut rng, &temporaries));
            let d = p.new_vreg(RegClass::Gpr, 8, None);
            match rng.below(3) {
                0 => p.push_inst(
                    InstFlags::COMMUTATIVE,
                    RegSet::EMPTY,
                    &[use_(a, Constraint::Reg), use_(b, Constraint::Any), def(d, Constraint::Reuse(0))],
                ),
                1 => p.push_inst(InstFlags::NONE, RegSet::EMPTY, &[use_(a, Constraint::Reg), def(d, Constraint::Reg)]),
                _ => p.push_inst(
                    InstFlags::NONE,
                    RegSet::EMPTY,
                    &[use_(a, Constraint::Reg), use_(b, Constraint::Reg), def(d, Constraint::Reg)],
                ),
            };
            temporaries.push(d);
        }
        if block % call_every == 1 {
            let argument = temporaries[temporaries.len() - 1];
            let result = p.new_vreg(RegClass::Gpr, 8, None);
            p.push_inst(
                InstFlags::NONE,
                clobbers,
                &[
                    use_(argument, Constraint::Fixed(RDI)),
                    use_(variables[block * long / blocks], Constraint::Fixed(RSI)),
                    def(result, Constraint::Fixed(RAX)),
                ],
            );
            temporaries.push(result);
        }
        let last = temporaries[temporaries.len() - 1];
        if block + 1 == blocks {
            let mut operands = vec![use_(last, Constraint::Fixed(RAX))];
            operands.extend(variables.iter().take(8).map(|&v| use_(v, Constraint::Any)));
            p.push_inst(InstFlags::NONE, RegSet::EMPTY, &operands);
            p.end_block(&[]);
            continue;
        }
        p.push_inst(InstFlags::NONE, RegSet::EMPTY, &[use_(last, Constraint::Reg)]);
        let other = match rng.below(3) {
            // Never past a block that begins a variable: everything is defined before it is read.
            0 => {
                let next =
                    (block + 1..blocks).find(|b| b * long / blocks != block * long / blocks).unwrap_or(blocks - 1);
                (block + 1 + rng.below(4)).min((next - 1).max(block + 1))
            }
            1 => block.saturating_sub(rng.below(5)).max(1),
            _ => block + 1,
        };
        p.end_block(&[BlockIndex::new(block + 1), BlockIndex::new(other)]);
    }
    p
}

/// CPU time of this process, which other processes do not disturb.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux's scheduler statistics");
    text.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).expect("a number") * 1e-9
}

fn main() {
    println!(
        "{:>9} {:>9} {:>8} {:>9} {:>11} {:>8} {:>8} {:>8} {:>8}",
        "blocks", "insts", "long", "ms", "insts/s", "moves", "stores", "reloads", "remats"
    );
    let only: Option<usize> = std::env::args().nth(1).and_then(|n| n.parse().ok());
    let shapes = [
        (10, 8, 10, 5, 1000),
        (100, 8, 20, 5, 100),
        (1_000, 8, 40, 5, 20),
        (3_000, 6, 200, 3, 10),
        (10_000, 8, 400, 5, 3),
        (100_000, 8, 4_000, 5, 1),
        (100_000, 2, 10, 50, 1),
        (1, 10_000, 50, 2, 3),
        (1, 300_000, 20_000, 2, 1),
    ];
    for (row, (blocks, per_block, long, call_every, repeat)) in shapes.into_iter().enumerate() {
        if only.is_some_and(|n| n != row) {
            continue;
        }
        let problem = function(blocks, per_block, long, call_every);
        let mut stats = Default::default();
        let mut copy = problem.clone();
        let start = cpu_seconds();
        for _ in 0..repeat {
            stats = allocate(&mut copy).stats;
        }
        let best = (cpu_seconds() - start) / repeat as f64;
        let insts = problem.insts.len();
        println!(
            "{blocks:>9} {insts:>9} {long:>8} {:>9.3} {:>11.0} {:>8} {:>8} {:>8} {:>8}",
            best * 1e3,
            insts as f64 / best,
            stats.moves,
            stats.stores,
            stats.reloads,
            stats.remats
        );
    }
}

fn use_(vreg: VReg, constraint: Constraint) -> Operand {
    Operand::new(vreg, OperandKind::Use, OperandPos::Early, constraint)
}

fn def(vreg: VReg, constraint: Constraint) -> Operand {
    Operand::new(vreg, OperandKind::Def, OperandPos::Late, constraint)
}
