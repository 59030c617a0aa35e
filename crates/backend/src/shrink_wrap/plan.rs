//! Which blocks stay outside the frame, where the prologues go, and which registers are renamed.

use platform::registers::{R8, R9, R10, RAX, RCX, RDI, RDX, RSI, Reg, RegSet};
use rustc_hash::FxHashSet;

use super::touched::{Touched, dead_at, touched, whole_move};
use crate::{
    frame::Frame,
    machine::flags::{reads_flags, writes_flags},
    machine::{Base, MInst, MachineFunction, Op, set},
    tail_merge::forwarders,
};

/// Share of the calls that must get by without the frame.
const MIN_SHARE: f32 = 0.02;
/// Blocks that return and have at most this many instructions are made twice.
const SMALL_EXIT: usize = 6;
/// Prologues at most.
const MAX_PROLOGUES: usize = 3;
/// How often blocks are moved inside because of their registers.
const ROUNDS: usize = 4;
/// Registers to which callee-saved ones are renamed, in order of preference.
const SPARE: [Reg; 8] = [RAX, RCX, RDX, RSI, RDI, R8, R9, R10];

/// What to do.
pub struct Plan {
    /// Where a jump to a block ends.
    pub forward: Vec<u32>,
    /// Blocks outside the frame.
    pub outside: Vec<u32>,
    /// Those of them that are reached from inside as well.
    pub twice: Vec<u32>,
    /// Blocks inside to which control comes from outside.
    pub targets: Vec<u32>,
    /// Callee-saved registers with what they are outside.
    pub renamed: Vec<Renamed>,
    /// Stores of the entry that wait for the frame: they are made in the prologues' blocks.
    pub delayed: Vec<usize>,
}

/// A callee-saved register that is another one outside the frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Renamed {
    /// The register inside.
    pub inside: u32,
    /// The register outside.
    pub outside: u32,
    /// Position of the move from `outside` to `inside` that is not needed any more.
    pub copy: Option<usize>,
}

/// Decides; `None` if the prologue stays where it is.
pub fn plan(mf: &MachineFunction, frame: &Frame, reserved: RegSet) -> Option<Plan> {
    let mut regions = Regions::new(mf)?;
    for _ in 0..ROUNDS {
        let mut cut = regions.cut()?;
        if cut.targets.len() > 1 {
            cut = regions.join_targets(cut)?;
        }
        let saved: Vec<u32> = frame.saved.iter().map(|r| u32::from(r.0)).collect();
        let delayed = entry_stores(mf);
        let mut names = Names::new(mf, &regions, &cut, &saved);
        let changing: Vec<u32> = delayed.iter().flat_map(|&store| names.changing(store)).collect();
        if changing.contains(&0) {
            return None;
        }
        if !changing.is_empty() {
            changing.into_iter().for_each(|b| regions.needs[b as usize] = true);
            continue;
        }
        match names.rename(reserved) {
            Ok(renamed) => {
                let added = renamed.iter().filter(|r| r.copy.is_none()).count() as f32;
                let pushes = 2.0 * frame.saved.len() as f32 + if frame.adjusted() != 0 { 2.0 } else { 0.0 };
                let stored = |r: &Renamed| delayed.iter().any(|&store| mf.insts[store].src2.0 == r.outside);
                let pays = !renamed.iter().any(stored)
                    && cut.leaving >= MIN_SHARE
                    && cut.leaving * pushes > (1.0 - cut.leaving) * added;
                let Cut { outside, twice, targets, .. } = cut;
                return pays.then_some(Plan { forward: regions.forward, outside, twice, targets, renamed, delayed });
            }
            Err(blocks) => blocks.into_iter().for_each(|b| regions.needs[b as usize] = true),
        }
    }
    None
}

/// A division of the blocks.
struct Cut {
    outside: Vec<u32>,
    twice: Vec<u32>,
    targets: Vec<u32>,
    /// Share of the calls that leave without the frame.
    leaving: f32,
}

struct Regions<'a> {
    mf: &'a MachineFunction,
    forward: Vec<u32>,
    /// By block: it cannot do without the frame.
    needs: Vec<bool>,
    /// By block: it is small, needs no frame and leaves the function.
    exit: Vec<bool>,
    /// Distinct predecessors, among the blocks that are kept.
    preds: Vec<u32>,
}

impl<'a> Regions<'a> {
    fn new(mf: &'a MachineFunction) -> Option<Regions<'a>> {
        let mut needs = vec![false; mf.blocks.len()];
        needs[0] = block_needs(mf, 0);
        if needs[0] {
            return None;
        }
        let forward = forwarders(mf);
        let mut exit = vec![false; mf.blocks.len()];
        let mut preds = vec![0; mf.blocks.len()];
        for &block in mf.order.iter().filter(|&&b| b == 0 || forward[b as usize] == b) {
            let data = &mf.blocks[block as usize];
            needs[block as usize] = block_needs(mf, block);
            let last = mf.insts[data.end as usize - 1].op;
            exit[block as usize] = !needs[block as usize]
                && !data.address_taken
                && !data.loop_header
                && matches!(last, Op::Ret | Op::TailCall)
                // Its labels are there once.
                && mf.block_insts(block as usize).iter().all(|i| i.op != Op::Asm)
                && mf.block_insts(block as usize).iter().filter(|i| i.op != Op::Nop).count() <= SMALL_EXIT;
            mf.for_each_successor(block, |s| preds[forward[s as usize] as usize] += 1);
        }
        (preds[0] == 0).then_some(Regions { mf, forward, needs, exit, preds })
    }

    /// Blocks that a block may go to.
    fn successors(&self, block: u32, mut visit: impl FnMut(u32)) {
        self.mf.for_each_successor(block, |s| visit(self.forward[s as usize]));
    }

    /// Divides the blocks by what needs the frame.
    fn cut(&self) -> Option<Cut> {
        let count = self.mf.blocks.len();
        let (mut inside, mut from_inside) = (vec![false; count], vec![false; count]);
        let mut work: Vec<u32> = Vec::new();
        for &block in self.mf.order.iter().filter(|&&b| self.needs[b as usize]) {
            inside[block as usize] = true;
            work.push(block);
        }
        while let Some(block) = work.pop() {
            self.successors(block, |s| {
                from_inside[s as usize] = true;
                if !self.exit[s as usize] && !std::mem::replace(&mut inside[s as usize], true) {
                    work.push(s);
                }
            });
        }
        if inside[0] {
            return None;
        }
        let mut seen = inside.clone();
        seen[0] = true;
        let mut outside = vec![0];
        let (mut targets, mut ways, mut exits) = (Vec::new(), Vec::new(), false);
        let mut at = 0;
        while let Some(&block) = outside.get(at) {
            at += 1;
            let last = &self.mf.insts[self.mf.blocks[block as usize].end as usize - 1];
            exits |= matches!(last.op, Op::Ret | Op::TailCall);
            self.successors(block, |s| {
                if inside[s as usize] {
                    let frequency = self.edge_frequency(block, s);
                    match targets.iter().position(|&t| t == s) {
                        Some(known) => ways[known] += frequency,
                        None => {
                            targets.push(s);
                            ways.push(frequency);
                        }
                    }
                } else if !std::mem::replace(&mut seen[s as usize], true) {
                    outside.push(s);
                }
            });
        }
        // The prologue changes the flags.
        if !exits || targets.is_empty() || targets.iter().any(|&t| self.takes_flags(t)) {
            return None;
        }
        // What is known of an edge is rough; a block runs at least as often as it is entered.
        let frequency = |b: u32| self.mf.blocks[b as usize].frequency;
        let entering: f32 = targets.iter().zip(&ways).map(|(&t, way)| frequency(t).min(*way)).sum();
        let twice = outside.iter().copied().filter(|&b| from_inside[b as usize]).collect();
        Some(Cut { outside, twice, targets, leaving: 1.0 - entering.min(1.0) })
    }

    /// Whether a block uses flags that its predecessors leave: a merged end may begin with the user
    /// of a comparison before it.
    fn takes_flags(&self, block: u32) -> bool {
        let (mut seen, mut work) = (FxHashSet::default(), vec![block]);
        while let Some(block) = work.pop() {
            if !seen.insert(block) {
                continue;
            }
            let insts = self.mf.block_insts(block as usize);
            match insts.iter().find(|inst| reads_flags(inst) || writes_flags(inst)) {
                Some(inst) if reads_flags(inst) => return true,
                Some(_) => {}
                None => self.successors(block, |s| work.push(s)),
            }
        }
        false
    }

    /// Executions of an edge per call, roughly.
    fn edge_frequency(&self, from: u32, to: u32) -> f32 {
        let frequency = |b: u32| self.mf.blocks[b as usize].frequency;
        let (mut count, mut others, mut exact) = (0, 0.0, true);
        self.successors(from, |s| {
            count += 1;
            if s != to {
                others += frequency(s);
                exact &= self.preds[s as usize] == 1;
            }
        });
        if count == 1 {
            frequency(from)
        } else if self.preds[to as usize] == 1 {
            frequency(to)
        } else if exact {
            (frequency(from) - others).max(0.0)
        } else {
            frequency(from) / count as f32
        }
    }

    /// With several ways inside: one prologue at the block from which all of them go, if enough
    /// calls still leave before it, else a few prologues.
    fn join_targets(&mut self, cut: Cut) -> Option<Cut> {
        let common = self.common_dominator(&cut);
        let few = cut.targets.len() <= MAX_PROLOGUES;
        let before = std::mem::replace(&mut self.needs[common as usize], true);
        match self.cut() {
            Some(joined) if joined.targets.len() == 1 && (!few || 2.0 * joined.leaving >= cut.leaving) => Some(joined),
            _ => {
                self.needs[common as usize] = before;
                few.then_some(cut)
            }
        }
    }

    /// The last block outside through which every way inside goes.
    fn common_dominator(&self, cut: &Cut) -> u32 {
        const NONE: usize = usize::MAX;
        let order = self.postorder(cut);
        let mut number = vec![NONE; self.mf.blocks.len()];
        order.iter().enumerate().for_each(|(at, &b)| number[b as usize] = at);
        let meet = |dominator: &[usize], mut a: usize, mut b: usize| {
            while a != b {
                if a < b { a = dominator[a] } else { b = dominator[b] }
            }
            a
        };
        // Cooper, Harvey and Kennedy's iteration; numbers grow towards the entry.
        let mut dominator = vec![NONE; order.len()];
        let root = order.len() - 1;
        dominator[root] = root;
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..order.len()).rev() {
                self.successors(order[at], |s| {
                    let to = number[s as usize];
                    if to == NONE || to == root {
                        return;
                    }
                    let new = if dominator[to] == NONE { at } else { meet(&dominator, dominator[to], at) };
                    changed |= std::mem::replace(&mut dominator[to], new) != new;
                });
            }
        }
        let mut common = NONE;
        for (at, &block) in order.iter().enumerate() {
            let mut enters = false;
            self.successors(block, |s| enters |= cut.targets.contains(&s));
            if enters {
                common = if common == NONE { at } else { meet(&dominator, common, at) };
            }
        }
        order[common]
    }

    /// The blocks outside, the entry last.
    fn postorder(&self, cut: &Cut) -> Vec<u32> {
        let mut open = vec![false; self.mf.blocks.len()];
        cut.outside.iter().for_each(|&b| open[b as usize] = true);
        let mut order = Vec::with_capacity(cut.outside.len());
        open[0] = false;
        let mut stack = vec![(0, false)];
        while let Some((block, done)) = stack.pop() {
            if done {
                order.push(block);
                continue;
            }
            stack.push((block, true));
            self.successors(block, |s| {
                if std::mem::replace(&mut open[s as usize], false) {
                    stack.push((s, false));
                }
            });
        }
        order
    }
}

/// Whether a block needs the frame whatever registers it uses.
fn block_needs(mf: &MachineFunction, block: u32) -> bool {
    let insts = mf.block_insts(block as usize);
    insts.iter().any(|inst| touched(mf, inst).is_none_or(|t| t.frame && !(block == 0 && is_spill(mf, inst))))
}

/// Whether the instruction does no more than to keep a register's value in the frame.
fn is_spill(mf: &MachineFunction, inst: &MInst) -> bool {
    matches!(inst.op, Op::Store | Op::XmmStore)
        && inst.src2.is_some()
        && matches!(mf.amode(inst.mem).base, Base::Spill(_))
}

/// The stores to spill slots in the entry.
fn entry_stores(mf: &MachineFunction) -> Vec<usize> {
    let range = mf.blocks[0].start as usize..mf.blocks[0].end as usize;
    range.filter(|&at| is_spill(mf, &mf.insts[at])).collect()
}

/// The registers that are named outside.
struct Names<'a> {
    mf: &'a MachineFunction,
    cut: &'a Cut,
    /// Callee-saved registers of the frame, as bits.
    saved: u32,
    /// Of each instruction outside: its position and what it touches.
    insts: Vec<(usize, u32, Touched)>,
    /// Everything named.
    all: Touched,
}

impl<'a> Names<'a> {
    fn new(mf: &'a MachineFunction, regions: &Regions<'_>, cut: &'a Cut, saved: &[u32]) -> Names<'a> {
        debug_assert!(cut.outside.iter().all(|&b| !regions.needs[b as usize]));
        let mut names = Names {
            mf,
            cut,
            saved: saved.iter().fold(0, |bits, r| bits | 1 << r),
            insts: Vec::new(),
            all: Touched::default(),
        };
        for &block in &cut.outside {
            let data = &mf.blocks[block as usize];
            for at in data.start as usize..data.end as usize {
                let mut touched = touched(mf, &mf.insts[at]).unwrap_or_default();
                let first = mf.zero_before.partition_point(|z| (z.0 as usize) < at);
                for zero in mf.zero_before[first..].iter().take_while(|z| z.0 as usize == at) {
                    touched.regs |= 1 << zero.1.0;
                    touched.written |= 1 << zero.1.0;
                }
                names.all.regs |= touched.regs;
                names.all.fixed |= touched.fixed;
                names.insts.push((at, block, touched));
            }
        }
        names
    }

    /// Blocks that change the register of a store after it.
    fn changing(&self, store: usize) -> impl Iterator<Item = u32> + '_ {
        let reg = 1 << self.mf.insts[store].src2.0;
        let later = self.insts.iter().filter(move |&&(at, _, touched)| at > store && touched.written & reg != 0);
        later.map(|&(_, block, _)| block)
    }

    /// Finds another name for each callee-saved register; else the blocks that name those for which
    /// there is none.
    fn rename(&mut self, reserved: RegSet) -> Result<Vec<Renamed>, Vec<u32>> {
        let mut taken = self.all.regs | reserved.0 as u32;
        // Registers that something was renamed to, and those of them that are written by that.
        let (mut shared, mut shared_written) = (0u32, 0u32);
        let mut out = Vec::new();
        let mut homeless = 0u32;
        let named = self.all.regs & self.saved;
        for reg in (0..16).filter(|r| named >> r & 1 != 0) {
            if self.all.fixed >> reg & 1 != 0 {
                homeless |= 1 << reg;
                continue;
            }
            if let Some((copy, source, written)) = self.copy_of(reg, shared, shared_written) {
                shared |= 1 << source;
                shared_written |= u32::from(written) << source;
                out.push(Renamed { inside: reg, outside: source, copy: Some(copy) });
                continue;
            }
            match SPARE.iter().find(|r| taken >> r.0 & 1 == 0) {
                Some(spare) => {
                    taken |= 1 << spare.0;
                    out.push(Renamed { inside: reg, outside: u32::from(spare.0), copy: None });
                }
                None => homeless |= 1 << reg,
            }
        }
        if homeless == 0 {
            return Ok(out);
        }
        let mut blocks: Vec<u32> = self.insts.iter().filter(|i| i.2.regs & homeless != 0).map(|i| i.1).collect();
        blocks.dedup();
        // The entry last: the registers of the others may do for it.
        if blocks.iter().any(|&b| b != 0) {
            blocks.retain(|&b| b != 0);
        }
        Err(blocks)
    }

    /// If the register is a copy of a caller-saved one made at the entry, and can be that one
    /// outside: the copy's position, the other one, and whether it is then written.
    fn copy_of(&self, reg: u32, shared: u32, shared_written: u32) -> Option<(usize, u32, bool)> {
        let bit = 1 << reg;
        let first = self.insts.iter().position(|i| i.2.regs & bit != 0)?;
        let (at, block, _) = self.insts[first];
        let (source, target) = whole_move(&self.mf.insts[at])?;
        let source_bit = 1u32 << source.0;
        if block != 0 || target.0 != reg || source_bit & set(&SPARE) == 0 || shared_written & source_bit != 0 {
            return None;
        }
        let mut later = Touched { regs: shared & source_bit, ..Touched::default() };
        for (_, _, touched) in &self.insts[first + 1..] {
            later.regs |= touched.regs;
            later.written |= touched.written;
        }
        if later.written & (bit | source_bit) == 0 {
            return Some((at, source.0, false));
        }
        // It takes the other register over, if nothing else wants the value there.
        let unused = later.regs & source_bit == 0;
        let dead = || self.cut.targets.iter().all(|&t| dead_at(self.mf, t, source.0));
        (unused && dead()).then_some((at, source.0, true))
    }
}
