//! Random control-flow graphs, operands, constraints and pressure, from fixed seeds.

use cranelift_entity::EntityRef;
use platform::registers::{
    CALLEE_SAVED, INTEGER_ARGUMENTS, R12, RAX, RBX, RCX, RDI, RDX, RSI, RSP, SSE_ARGUMENTS, XMM0, XMM1, XMM2,
};

use super::super::*;
use super::run;

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// What a random problem looks like.
struct Shape {
    blocks: usize,
    insts: usize,
    vregs: usize,
    calls: usize,
    fixed: usize,
    few_registers: bool,
}

fn caller_saved() -> RegSet {
    let mut set = RegSet(0xffff_ffff);
    for reg in CALLEE_SAVED {
        set.remove(reg);
    }
    set.remove(RSP);
    set
}

struct Generator {
    rng: Rng,
    problem: Problem,
    /// Vregs with ordinary definitions, by class.
    plain: [Vec<VReg>; 2],
    /// Rematerialisable vregs, defined in the entry.
    remat: Vec<VReg>,
    /// Vregs that the instruction in hand defines for the first time; later ones may read them.
    fresh: Vec<(usize, VReg)>,
}

impl Generator {
    fn any_vreg(&mut self, class: usize) -> VReg {
        if class == 0 && !self.remat.is_empty() && self.rng.chance(15) {
            return self.remat[self.rng.below(self.remat.len())];
        }
        let n = self.rng.below(self.plain[class].len());
        self.plain[class][n]
    }

    fn target(&mut self, class: usize) -> VReg {
        // Sometimes a fresh vreg that is used nowhere or only nearby.
        if self.rng.chance(30) {
            let fresh = self.problem.new_vreg(CLASSES[class], [8, 16][class], None);
            if self.rng.chance(70) {
                self.fresh.push((class, fresh));
            }
            return fresh;
        }
        let n = self.rng.below(self.plain[class].len());
        self.plain[class][n]
    }

    fn class(&mut self) -> usize {
        usize::from(self.rng.chance(25))
    }

    fn inst(&mut self, shape: &Shape) {
        let class = self.class();
        match self.rng.below(100) {
            n if n < shape.calls => self.call(),
            n if n < shape.calls + shape.fixed => self.divide(),
            n if n < 30 => {
                // Two-address.
                let (a, b, d) = (self.any_vreg(class), self.any_vreg(class), self.target(class));
                let constraint = if self.rng.chance(50) { Constraint::Any } else { Constraint::Reg };
                let flags = if self.rng.chance(60) { InstFlags::COMMUTATIVE } else { InstFlags::NONE };
                // As the encoder has it, the other operand is read when the result's register has
                // been written.
                let late = b != a && b != d && self.rng.chance(50);
                let other = if late { Operand::late_use(b, constraint) } else { Operand::use_(b, constraint) };
                self.push(flags, &[Operand::use_(a, Constraint::Reg), other, Operand::def(d, Constraint::Reuse(0))]);
            }
            n if n < 45 => {
                // A parallel copy of distinct destinations.
                let mut operands: Vec<Operand> = Vec::new();
                for _ in 0..1 + self.rng.below(4) {
                    let class = self.class();
                    let (s, d) = (self.any_vreg(class), self.target(class));
                    if operands.iter().all(|o| o.vreg() != d || o.kind() == OperandKind::Use) {
                        operands.extend([Operand::use_(s, Constraint::Any), Operand::def(d, Constraint::Any)]);
                    }
                }
                self.push(InstFlags::MOVE, &operands);
            }
            n if n < 55 => {
                let v = self.rng.below(self.plain[class].len());
                let v = self.plain[class][v];
                let constraint = if self.rng.chance(50) { Constraint::Any } else { Constraint::Reg };
                self.push(InstFlags::NONE, &[Operand::use_def(v, constraint)]);
            }
            n if n < 65 => {
                // An early-clobber output and a scratch register, and a late use.
                let (a, b) = (self.any_vreg(class), self.any_vreg(class));
                let d = self.problem.new_vreg(CLASSES[class], [8, 16][class], None);
                let scratch = self.problem.new_vreg(RegClass::Gpr, 8, None);
                self.plain[class].push(d);
                self.push(
                    InstFlags::NONE,
                    &[
                        Operand::use_(a, Constraint::Any),
                        Operand::late_use(b, Constraint::Reg),
                        Operand::early_def(d, Constraint::Reg),
                        Operand::early_def(scratch, Constraint::Reg),
                    ],
                );
            }
            _ => {
                let mut operands = Vec::new();
                for _ in 0..self.rng.below(4) {
                    let class = self.class();
                    let constraint = if self.rng.chance(30) { Constraint::Any } else { Constraint::Reg };
                    operands.push(Operand::use_(self.any_vreg(class), constraint));
                }
                if self.rng.chance(75) {
                    let constraint = if self.rng.chance(20) { Constraint::Any } else { Constraint::Reg };
                    operands.push(Operand::def(self.target(class), constraint));
                }
                self.push(InstFlags::NONE, &operands);
            }
        }
    }

    fn push(&mut self, flags: InstFlags, operands: &[Operand]) {
        self.problem.push_inst(flags, RegSet::EMPTY, operands);
    }

    fn call(&mut self) {
        let mut operands = Vec::new();
        let mut clobbers = caller_saved();
        for reg in INTEGER_ARGUMENTS.iter().take(self.rng.below(5)) {
            operands.push(Operand::use_(self.any_vreg(0), Constraint::Fixed(*reg)));
        }
        for reg in SSE_ARGUMENTS.iter().take(self.rng.below(3)) {
            operands.push(Operand::use_(self.any_vreg(1), Constraint::Fixed(*reg)));
        }
        if self.rng.chance(20) {
            operands.push(Operand::use_(self.any_vreg(0), Constraint::Any));
        }
        if self.rng.chance(70) {
            let class = self.class();
            let reg = [RAX, XMM0][class];
            clobbers.remove(reg);
            operands.push(Operand::def(self.target(class), Constraint::Fixed(reg)));
        }
        self.problem.push_inst(InstFlags::NONE, clobbers, &operands);
    }

    fn divide(&mut self) {
        if self.rng.chance(40) {
            // A shift by cl.
            let (a, b, d) = (self.any_vreg(0), self.any_vreg(0), self.target(0));
            self.push(
                InstFlags::NONE,
                &[
                    Operand::use_(a, Constraint::Reg),
                    Operand::use_(b, Constraint::Fixed(RCX)),
                    Operand::def(d, Constraint::Reuse(0)),
                ],
            );
            return;
        }
        let (a, b, q) = (self.any_vreg(0), self.any_vreg(0), self.target(0));
        let high = self.problem.new_vreg(RegClass::Gpr, 8, None);
        self.push(
            InstFlags::NONE,
            &[Operand::use_(a, Constraint::Fixed(RAX)), Operand::def(high, Constraint::Fixed(RDX))],
        );
        let constraint = if self.rng.chance(50) { Constraint::Any } else { Constraint::Reg };
        let mut operands = vec![
            Operand::use_(a, Constraint::Fixed(RAX)),
            Operand::use_(high, Constraint::Fixed(RDX)),
            Operand::use_(b, constraint),
            Operand::def(q, Constraint::Fixed(RAX)),
        ];
        if self.rng.chance(30) {
            let r = self.problem.new_vreg(RegClass::Gpr, 8, None);
            self.plain[0].push(r);
            operands.push(Operand::def(r, Constraint::Fixed(RDX)));
            self.push(InstFlags::NONE, &operands);
        } else {
            self.problem.push_inst(InstFlags::NONE, RegSet::of(&[RDX]), &operands);
        }
    }
}

const CLASSES: [RegClass; 2] = [RegClass::Gpr, RegClass::Xmm];

/// A problem in which every vreg is defined in the entry, so that every read is of a defined value.
fn random_problem(seed: u64, shape: &Shape) -> Problem {
    let mut config = Config::sysv(seed.is_multiple_of(3));
    if shape.few_registers {
        config.order.retain(|r| [RAX, RCX, RDX, RBX, RSI, RDI, R12, XMM0, XMM1, XMM2].contains(r));
    }
    let mut g = Generator {
        rng: Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1),
        problem: Problem::new(config),
        plain: [Vec::new(), Vec::new()],
        remat: Vec::new(),
        fresh: Vec::new(),
    };
    let depth: Vec<u16> = (0..shape.blocks).map(|_| g.rng.below(3) as u16).collect();
    for block in 0..shape.blocks {
        let frequency = if block == 0 { 1.0 } else { [0.1, 1.0, 10.0, 100.0][g.rng.below(2) + depth[block] as usize] };
        g.problem.begin_block(frequency, depth[block]);
        if block == 0 {
            let mut parameters = Vec::new();
            for at in 0..shape.vregs {
                let class = usize::from(at % 4 == 3);
                let vreg = g.problem.new_vreg(CLASSES[class], [8, 16][class], None);
                g.plain[class].push(vreg);
                if at < 6 {
                    let reg = if class == 0 { INTEGER_ARGUMENTS[at % 6] } else { SSE_ARGUMENTS[at] };
                    parameters.push(Operand::def(vreg, Constraint::Fixed(reg)));
                }
            }
            g.push(InstFlags::NONE, &parameters);
            for vreg in g.plain.concat() {
                if parameters.iter().all(|p| p.vreg() != vreg) {
                    let constraint = if g.rng.chance(50) { Constraint::Any } else { Constraint::Reg };
                    g.push(InstFlags::NONE, &[Operand::def(vreg, constraint)]);
                }
            }
            for recipe in 0..g.rng.below(4) {
                let vreg = g.problem.new_vreg(RegClass::Gpr, 8, Some(recipe as u32));
                g.remat.push(vreg);
                g.push(InstFlags::NONE, &[Operand::def(vreg, Constraint::Reg)]);
            }
        }
        let locals = (g.plain[0].len(), g.plain[1].len());
        for _ in 0..g.rng.below(shape.insts + 1) {
            g.inst(shape);
            for (class, vreg) in std::mem::take(&mut g.fresh) {
                g.plain[class].push(vreg);
            }
        }
        finish_block(&mut g, block, shape);
        // Vregs made in this block are defined only here.
        g.plain[0].truncate(locals.0);
        g.plain[1].truncate(locals.1);
    }
    g.problem
}

/// A terminator and successors: at least the next block, so that everything can be reached.
fn finish_block(g: &mut Generator, block: usize, shape: &Shape) {
    if block + 1 == shape.blocks {
        let v = g.any_vreg(0);
        g.push(InstFlags::NONE, &[Operand::use_(v, Constraint::Fixed(RAX))]);
        g.problem.end_block(&[]);
        return;
    }
    let mut succs = vec![BlockIndex::new(block + 1)];
    match g.rng.below(10) {
        0..4 => g.push(InstFlags::NONE, &[]),
        4..8 => {
            succs.push(BlockIndex::new(1 + g.rng.below(shape.blocks - 1)));
            let (a, b) = (g.any_vreg(0), g.any_vreg(0));
            g.push(InstFlags::NONE, &[Operand::use_(a, Constraint::Reg), Operand::use_(b, Constraint::Any)]);
        }
        8 => {
            for _ in 0..g.rng.below(6) {
                succs.push(BlockIndex::new(1 + g.rng.below(shape.blocks - 1)));
            }
            let a = g.any_vreg(0);
            g.push(InstFlags::NONE, &[Operand::use_(a, Constraint::Reg)]);
        }
        _ => {
            // A terminator with results, as of `asm goto`, or a lone jump that reads a register.
            succs.push(BlockIndex::new(1 + g.rng.below(shape.blocks - 1)));
            let (a, d, e) = (g.any_vreg(0), g.rng.below(g.plain[0].len()), g.rng.below(g.plain[0].len()));
            let (d, e) = (g.plain[0][d], g.plain[0][e]);
            let mut operands = vec![Operand::use_(a, Constraint::Reg), Operand::def(d, Constraint::Fixed(RCX))];
            if d != e {
                operands.push(Operand::def(e, Constraint::Reg));
            }
            g.push(InstFlags::NONE, &operands);
        }
    }
    g.problem.end_block(&succs);
}

fn many(seeds: std::ops::Range<u64>, shape: Shape) {
    for seed in seeds {
        let problem = random_problem(seed, &shape);
        let result = std::panic::catch_unwind(|| run(problem));
        if let Err(error) = result {
            eprintln!("seed {seed}");
            if let Some(bug) = error.downcast_ref::<base::bug::Bug>() {
                panic!("seed {seed}: {bug}");
            }
            std::panic::resume_unwind(error);
        }
    }
}

/// How many times more cases than usual: the environment variable `REGALLOC_CASES`.
fn scale() -> u64 {
    std::env::var("REGALLOC_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

#[test]
fn straight_lines() {
    many(0..600 * scale(), Shape { blocks: 1, insts: 30, vregs: 8, calls: 5, fixed: 5, few_registers: false });
}

#[test]
fn small_graphs() {
    many(
        10_000..10_000 + 1000 * scale(),
        Shape { blocks: 6, insts: 8, vregs: 8, calls: 5, fixed: 5, few_registers: false },
    );
}

#[test]
fn few_registers() {
    many(
        200_000..200_000 + 800 * scale(),
        Shape { blocks: 6, insts: 8, vregs: 12, calls: 5, fixed: 5, few_registers: true },
    );
}

#[test]
fn high_pressure() {
    many(
        300_000..300_000 + 300 * scale(),
        Shape { blocks: 8, insts: 12, vregs: 40, calls: 4, fixed: 6, few_registers: false },
    );
}

#[test]
fn many_calls() {
    many(
        400_000..400_000 + 300 * scale(),
        Shape { blocks: 10, insts: 10, vregs: 20, calls: 25, fixed: 4, few_registers: false },
    );
}

#[test]
fn large_graphs() {
    many(
        500_000..500_000 + 15 * scale(),
        Shape { blocks: 80, insts: 10, vregs: 40, calls: 5, fixed: 5, few_registers: false },
    );
}
