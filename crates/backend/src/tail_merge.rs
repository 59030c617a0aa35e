//! Equal ends of blocks become one block (cross-jumping): returns of the same value, error paths
//! that report alike, edges that reload the same registers.
//!
//! Blocks that end alike are found in a tree of their instructions read backwards; each node of the
//! tree with two or more blocks in it is a common end of as many instructions as the node is deep.
//! The deepest ends are merged first. What a merged end jumps to may make more blocks equal, hence
//! a few iterations. Blocks that end in an indirect jump are left alone: each dispatch of an
//! interpreter is to be predicted by itself. So are blocks in loops, unless the whole block is a
//! copy of another one or size is what counts.
//!
//! Where size is what counts, what both ways of a branch begin with is done before it first: the
//! arguments that several calls have in common.

#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use crate::debug_values;
use crate::machine::{Base, Callee, MInst, MachineFunction, Op, Place, Stage, VReg, bits};

/// How often everything is looked through.
const ROUNDS: usize = 3;
/// Instructions at the end of a block that are compared.
const DEPTH: usize = 24;
/// Bytes of an instruction, roughly.
const INST_BYTES: u32 = 4;
/// Bytes that must be saved on paths that run about as often as the function is called: a jump more
/// on the path costs time.
const WARM_BYTES: u32 = 14;
/// The same on paths that seldom run, and everywhere with `-Os`.
const COLD_BYTES: u32 = 4;
/// Executions per call up to which a path seldom runs.
const SELDOM: f32 = 0.3;
/// Executions per call up to which a path inside a loop counts as outside.
const SELDOM_IN_LOOP: f32 = 0.03;

/// Bytes of a jump, which a return without an epilogue has not.
const JUMP_BYTES: u32 = 2;

/// What merging may assume.
#[derive(Clone, Copy)]
pub struct Aim {
    /// Size matters more than a jump.
    pub size: bool,
    /// Bytes of an epilogue, roughly.
    pub epilogue: u32,
}

/// Whether a block that another one jumps to returns after so few instructions that merging leaves
/// copies of it alone, or is no longer than the jump.
pub fn is_short_return(mf: &MachineFunction, aim: Aim, block: u32, end: u32) -> bool {
    let insts = mf.block_insts(end as usize);
    if insts.last().is_none_or(|inst| inst.op != Op::Ret) || mf.blocks[end as usize].address_taken {
        return false;
    }
    let others = insts.iter().filter(|inst| inst.op != Op::Nop).count() as u32 - 1;
    let plain =
        |inst: &MInst| matches!(inst.op, Op::Alu | Op::Lea | Op::Mov | Op::MovZx | Op::Store | Op::Nop | Op::Ret);
    let bytes = others * INST_BYTES + aim.epilogue + 1;
    let warm = !aim.size && mf.blocks[block as usize].frequency > SELDOM && bytes <= WARM_BYTES;
    insts.iter().all(plain) && (warm || bytes <= JUMP_BYTES)
}

/// Merges equal ends. `mf.order` says which blocks there are and is extended by the new ones.
pub fn run(mf: &mut MachineFunction, aim: Aim) {
    mf.zero_before.sort_unstable_by_key(|z| z.0);
    if aim.size {
        share_starts(mf);
    }
    for _ in 0..ROUNDS {
        if !round(mf, aim) {
            break;
        }
    }
}

/// Moves what both ways of a branch begin with before the branch, inner branches first.
fn share_starts(mf: &mut MachineFunction) {
    let mut entered = vec![0; mf.blocks.len()];
    mf.order.first().iter().for_each(|&&entry| entered[entry as usize] += 1);
    for &block in &mf.order {
        mf.for_each_successor(block, |to| entered[to as usize] += 1);
    }
    let forward: Vec<u32> = (0..mf.blocks.len() as u32).collect();
    for at in (0..mf.order.len()).rev() {
        let block = mf.order[at];
        let (from, end) = (mf.blocks[block as usize].start as usize, mf.blocks[block as usize].end as usize);
        let Some(last) = (from..end).last().filter(|&last| mf.insts[last].op == Op::Jcc) else { continue };
        let jump = mf.insts[last];
        let ways = [jump.target(), jump.else_block()];
        if ways.iter().any(|&b| entered[b as usize] != 1 || mf.blocks[b as usize].address_taken) {
            continue;
        }
        let [first, second] = ways.map(|b| {
            let range = mf.blocks[b as usize].start as usize..mf.blocks[b as usize].end as usize;
            range.filter(|&i| mf.insts[i].op != Op::Nop).collect::<smallvec::SmallVec<[usize; 16]>>()
        });
        let same = |&(a, b): &(usize, usize)| {
            keeps_flags(&mf.insts[a])
                && mf.zero_before.binary_search_by_key(&(a as u32), |z| z.0).is_err()
                && meaning(mf, a, &forward) == meaning(mf, b, &forward)
        };
        let common: Vec<_> = first.into_iter().zip(second).take_while(same).collect();
        if common.is_empty() {
            continue;
        }
        let start = mf.insts.len();
        let moved = (from..last).chain(common.iter().map(|pair| pair.0)).chain([last]);
        for i in moved {
            mf.insts.push(mf.insts[i]);
            mf.locs.push(mf.locs[i]);
            if !mf.writes.is_empty() {
                mf.writes.push(mf.writes[i]);
            }
        }
        let new = |i: u32| (i as usize - from + start) as u32;
        let inside = |i: u32| (from..=last).contains(&(i as usize));
        let zeros: Vec<_> = mf.zero_before.iter().filter(|z| inside(z.0)).map(|z| (new(z.0), z.1)).collect();
        mf.zero_before.extend(zeros);
        mf.debug_values.iter_mut().filter(|r| inside(r.at)).for_each(|r| r.at = new(r.at));
        for inst in &mut mf.insts[start + last - from..][..common.len()] {
            inst.bits |= bits::FLAGS_LIVE;
        }
        (mf.blocks[block as usize].start, mf.blocks[block as usize].end) = (start as u32, mf.insts.len() as u32);
        for i in common.into_iter().flat_map(|pair| [pair.0, pair.1]) {
            mf.insts[i] = MInst::new(Op::Nop, object::Size::B).with_bits(mf.insts[i].bits & bits::FLAGS_LIVE);
            mf.writes.get_mut(i).map(std::mem::take);
        }
    }
}

/// Whether an instruction does nothing to the flags, nor depends on them, and is as short where
/// they matter.
fn keeps_flags(inst: &MInst) -> bool {
    matches!(inst.op, Op::Mov | Op::MovZx | Op::MovSx | Op::Lea | Op::Store | Op::XmmUn | Op::XmmStore)
        && (inst.op != Op::Mov || inst.mem.is_some() || inst.src2.is_some() || !matches!(inst.immediate(), -1..=0))
        && inst.bits & bits::VOLATILE == 0
}

/// A block under consideration: its number, and its instructions from the last one on, each as the
/// number of its hash.
struct Candidate {
    block: u32,
    hashes: Vec<u32>,
}

fn round(mf: &mut MachineFunction, aim: Aim) -> bool {
    let forward = forwarders(mf);
    // Numbers in the order of appearance: the result must not depend on how the hashes compare.
    let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
    // Most blocks end as no other does: only those that share their last instruction are looked at.
    let mut endings: Vec<(u32, u32, u32)> = Vec::new();
    let mut shared: Vec<bool> = Vec::new();
    for &block in mf.order.iter().filter(|&&block| forward[block as usize] == block) {
        let Some(at) = last_inst(mf, block).filter(|&at| ends(&mf.insts[at as usize])) else { continue };
        let number = number(mf, at, &forward, &mut numbers);
        match shared.get_mut(number as usize) {
            Some(shared) => *shared = true,
            None => shared.push(false),
        }
        endings.push((block, at, number));
    }
    endings.retain(|ending| shared[ending.2 as usize]);
    let candidate = |&(block, at, first): &(u32, u32, u32)| Candidate {
        block,
        hashes: hashes(mf, (block, at), first, &forward, &mut numbers),
    };
    let candidates: Vec<Candidate> = endings.iter().map(candidate).collect();
    // Blocks with equal ends stand side by side; among them, those placed earlier come first.
    let mut sorted: Vec<usize> = (0..candidates.len()).collect();
    sorted.sort_by(|&a, &b| candidates[a].hashes.cmp(&candidates[b].hashes).then(a.cmp(&b)));
    let mut merger =
        Merger { mf, aim, forward: &forward, candidates: &candidates, cuts: FxHashMap::default(), changed: false };
    let mut start = 0;
    while start < sorted.len() {
        let first = candidates[sorted[start]].hashes[0];
        let count = sorted[start..].iter().take_while(|&&c| candidates[c].hashes[0] == first).count();
        if count > 1 {
            merger.node(&sorted[start..start + count], 1);
        }
        start += count;
    }
    let Merger { cuts, changed, .. } = merger;
    place_cuts(mf, &cuts);
    changed
}

/// Puts new blocks after those that they were cut from.
fn place_cuts(mf: &mut MachineFunction, cuts: &FxHashMap<u32, u32>) {
    if cuts.is_empty() {
        return;
    }
    let old = std::mem::take(&mut mf.order);
    for block in old {
        let chain = std::iter::successors(Some(block), |b| cuts.get(b).copied());
        mf.order.extend(chain);
    }
}

/// Numbers of the hashes of a block's last instructions, from that at `end` on, whose number is
/// `first`.
fn hashes(
    mf: &MachineFunction,
    (block, end): (u32, u32),
    first: u32,
    forward: &[u32],
    numbers: &mut FxHashMap<u64, u32>,
) -> Vec<u32> {
    let start = mf.blocks[block as usize].start;
    let insts = (start..end).rev().filter(|&at| mf.insts[at as usize].op != Op::Nop).take(DEPTH - 1);
    let mergeable = insts.take_while(|&at| is_mergeable(&mf.insts[at as usize]));
    std::iter::once(first).chain(mergeable.map(|at| number(mf, at, forward, numbers))).collect()
}

/// The number of the hash of an instruction: the next one for a new hash.
fn number(mf: &MachineFunction, at: u32, forward: &[u32], numbers: &mut FxHashMap<u64, u32>) -> u32 {
    let mut hasher = FxHasher::default();
    meaning(mf, at as usize, forward).hash(&mut hasher);
    let next = numbers.len() as u32;
    *numbers.entry(hasher.finish()).or_insert(next)
}

/// The last instruction of a block.
fn last_inst(mf: &MachineFunction, block: u32) -> Option<u32> {
    let data = &mf.blocks[block as usize];
    (data.start..data.end).rev().find(|&at| mf.insts[at as usize].op != Op::Nop)
}

/// Whether blocks that end so are merged.
fn ends(inst: &MInst) -> bool {
    matches!(inst.op, Op::Jmp | Op::Jcc | Op::Ret | Op::TailCall | Op::Unreachable)
}

/// Whether everything that an instruction means is in what is compared.
fn is_mergeable(inst: &MInst) -> bool {
    !matches!(
        inst.op,
        Op::Args | Op::Asm | Op::AsmGoto | Op::Fork | Op::JmpInd | Op::ClobberAll | Op::SaveXmms | Op::BlockAddress
    )
}

/// What two instructions have in common when they do the same: fields with tables and blocks after
/// them put into words.
#[derive(PartialEq, Eq, Hash)]
struct Meaning {
    op: Op,
    size: u8,
    cond: u8,
    bits: u16,
    code: u16,
    registers: [u32; 3],
    extra: u32,
    zero: u32,
    memory: Option<(Address, u128)>,
    callee: Option<Callee>,
    list: Vec<u32>,
}

/// Base, index, shift, segment, place and displacement.
type Address = ((u8, u32), u32, u8, u8, (u8, u32), i32);

fn meaning(mf: &MachineFunction, at: usize, forward: &[u32]) -> Meaning {
    let inst = &mf.insts[at];
    let zero =
        mf.zero_before.binary_search_by_key(&(at as u32), |z| z.0).map_or(u32::MAX, |found| mf.zero_before[found].1.0);
    let mut out = Meaning {
        op: inst.op,
        size: inst.size as u8,
        cond: inst.cond as u8,
        bits: inst.bits & !(bits::EDIT | bits::NO_FOLD | bits::NO_OVERFLOW | bits::PHI_COPY | bits::VEX),
        code: inst.code_number(),
        registers: [inst.dst.0, inst.src1.0, inst.src2.0],
        extra: inst.extra_number(),
        zero,
        memory: None,
        callee: None,
        list: Vec::new(),
    };
    match inst.op {
        Op::Jmp => out.extra = forward[inst.target() as usize],
        Op::Jcc => {
            out.extra = forward[inst.target() as usize];
            out.registers[2] = forward[inst.else_block() as usize];
        }
        _ => {}
    }
    if crate::machine::operands::has_list(inst.op) {
        out.registers = [u32::MAX; 3];
        let operands = &mf.lists[inst.list()];
        match inst.op {
            Op::Ret => {}
            Op::Call | Op::TailCall => {
                let callee = mf.calls[inst.index()].callee;
                out.extra = 0;
                if callee == Callee::Register || inst.op == Op::TailCall {
                    out.list.extend(operands.first().map(|o| o.vreg.0));
                }
                out.callee = Some(callee);
            }
            _ => out.list.extend(operands.iter().map(|o| o.vreg.0)),
        }
    }
    if inst.mem.is_some() {
        out.memory = Some(address(mf, inst));
    }
    out
}

fn address(mf: &MachineFunction, inst: &MInst) -> (Address, u128) {
    let amode = mf.amode(inst.mem);
    let base = match amode.base {
        Base::None => (0, 0),
        Base::Reg(reg) => (1, reg.0),
        Base::Slot(slot) => (2, slot),
        Base::Spill(slot) => (3, slot),
        Base::Incoming => (4, 0),
        Base::Outgoing => (5, 0),
    };
    let mut contents = 0;
    let place = match amode.place {
        Place::None => (0, 0),
        Place::Rip(n) => (1, n),
        Place::Got(n) => (2, n),
        Place::GotTpOff(n) => (3, n),
        Place::Absolute(n) => (4, n),
        Place::TpOff(n) => (5, n),
        Place::DtpOff(n) => (6, n),
        Place::Constant(n) => {
            let (value, size) = mf.constants[n as usize];
            contents = value;
            (7, u32::from(size))
        }
        Place::JumpTable(n) => (8, n),
        Place::JumpTableAbsolute(n) => (9, n),
        Place::Library(n) => (10, n),
    };
    ((base, amode.index.0, amode.shift, amode.segment as u8, place, amode.disp), contents)
}

struct Merger<'a> {
    mf: &'a mut MachineFunction,
    aim: Aim,
    forward: &'a [u32],
    candidates: &'a [Candidate],
    /// Blocks that were cut, with their ends.
    cuts: FxHashMap<u32, u32>,
    changed: bool,
}

impl Merger<'_> {
    /// Merges what agrees in at least `depth` instructions; the blocks that still end in those.
    /// `members` agree in as many and are sorted.
    fn node(&mut self, members: &[usize], depth: usize) -> Vec<u32> {
        // Straight stretches of the tree are walked down at once.
        let mut common = depth;
        let (first, last) = (members[0], members[members.len() - 1]);
        let (a, b) = (&self.candidates[first].hashes, &self.candidates[last].hashes);
        while common < a.len().min(b.len()) && a[common] == b[common] {
            common += 1;
        }
        let mut blocks = Vec::new();
        let mut at = 0;
        while at < members.len() {
            let hashes = &self.candidates[members[at]].hashes;
            let count = match hashes.get(common) {
                None => 1,
                Some(next) => {
                    members[at..].iter().take_while(|&&m| self.candidates[m].hashes.get(common) == Some(next)).count()
                }
            };
            if count > 1 {
                blocks.extend(self.node(&members[at..at + count], common + 1));
            } else {
                blocks.push(self.candidates[members[at]].block);
            }
            at += count;
        }
        self.merge(&blocks, common)
    }

    /// Makes the last `depth` instructions of these blocks one, where that pays; the blocks that
    /// still end in them.
    fn merge(&mut self, blocks: &[u32], depth: usize) -> Vec<u32> {
        let whole = |mf: &MachineFunction, block: u32| self.length(mf, block) == depth;
        let terminator = self.mf.insts[self.mf.blocks[blocks[0] as usize].end as usize - 1].op;
        let mut bytes = (depth as u32 - 1) * INST_BYTES + if terminator == Op::Jcc { INST_BYTES } else { 1 };
        if matches!(terminator, Op::Ret | Op::TailCall) {
            bytes += self.aim.epilogue;
        }
        let pays = |mf: &MachineFunction, block: u32| {
            let data = &mf.blocks[block as usize];
            let hot = data.loop_depth > 0 && data.frequency > SELDOM_IN_LOOP;
            let limit = if self.aim.size || data.frequency <= SELDOM { COLD_BYTES } else { WARM_BYTES };
            (!hot || self.aim.size) && (bytes > limit || (whole(mf, block) && depth > 1))
        };
        let (mut taken, mut left): (Vec<u32>, Vec<u32>) = blocks.iter().partition(|&&b| pays(self.mf, b));
        if taken.len() < 2 {
            return blocks.to_vec();
        }
        // Hashes are equal; is the code?
        let model = taken[0];
        let (same, other): (Vec<u32>, Vec<u32>) = taken.iter().partition(|&&b| self.equal(model, b, depth));
        left.extend(other);
        taken = same;
        if taken.len() < 2 {
            return blocks.to_vec();
        }
        // One that is nothing else stays; else the one that runs most is cut, and nothing jumps
        // there.
        let frequency = |b: u32| self.mf.blocks[b as usize].frequency;
        let keeper = taken
            .iter()
            .copied()
            .filter(|&b| whole(self.mf, b) && b != 0)
            .reduce(|a, b| if frequency(b) > frequency(a) { b } else { a });
        let target = match keeper {
            Some(block) => block,
            None => {
                let most = taken.iter().copied().reduce(|a, b| if frequency(b) > frequency(a) { b } else { a });
                let most = most.expect("blocks to merge");
                taken.retain(|&b| b != most);
                self.cut(most, depth)
            }
        };
        for block in taken {
            if block != target {
                self.divert(block, depth, target);
            }
        }
        self.changed = true;
        left.push(target);
        left
    }

    /// Instructions of a block.
    fn length(&self, mf: &MachineFunction, block: u32) -> usize {
        mf.block_insts(block as usize).iter().filter(|i| i.op != Op::Nop).count()
    }

    fn positions(&self, block: u32) -> impl Iterator<Item = usize> + '_ {
        let data = &self.mf.blocks[block as usize];
        (data.start as usize..data.end as usize).rev().filter(|&at| self.mf.insts[at].op != Op::Nop)
    }

    fn equal(&self, a: u32, b: u32, depth: usize) -> bool {
        let meaning = |at: usize| meaning(self.mf, at, self.forward);
        self.positions(a).zip(self.positions(b)).take(depth).all(|(a, b)| meaning(a) == meaning(b))
    }

    /// Moves the last instructions of a block into a new one after it.
    fn cut(&mut self, block: u32, depth: usize) -> u32 {
        let from = self.positions(block).nth(depth - 1).expect("as many instructions");
        let data = self.mf.blocks[block as usize].clone();
        let number = self.mf.blocks.len() as u32;
        let start = self.mf.insts.len();
        self.mf.insts.extend_from_within(from..data.end as usize);
        self.mf.locs.extend_from_within(from..data.end as usize);
        if !self.mf.writes.is_empty() {
            self.mf.writes.extend_from_within(from..data.end as usize);
        }
        let zeros = &self.mf.zero_before;
        let first = zeros.partition_point(|z| (z.0 as usize) < from);
        let moved: Vec<(u32, VReg)> = zeros[first..].iter().take_while(|z| z.0 < data.end).copied().collect();
        self.mf.zero_before.extend(moved.iter().map(|&(at, reg)| ((at as usize - from + start) as u32, reg)));
        let end = self.mf.insts.len() as u32;
        self.mf.blocks.push(crate::machine::MBlock {
            start: start as u32,
            end,
            loop_header: false,
            address_taken: false,
            ir_block: None,
            ..data
        });
        self.cuts.insert(block, number);
        self.divert(block, depth, number);
        number
    }

    /// Replaces the last instructions of a block by a jump.
    fn divert(&mut self, block: u32, depth: usize, target: u32) {
        let from = self.positions(block).nth(depth - 1).expect("as many instructions");
        // What is cut off may begin with the user of a comparison before it.
        let before = (self.mf.blocks[block as usize].start as usize..from).next_back();
        let flags = before.map_or(0, |at| self.mf.insts[at].bits & bits::FLAGS_LIVE);
        let zeroed = self.mf.zero_before.binary_search_by_key(&(from as u32), |z| z.0).is_ok();
        debug_values::shared_end(self.mf, from as u32, self.mf.blocks[block as usize].end, target);
        self.mf.insts[from] = MInst::new(Op::Nop, object::Size::B);
        // A register zeroed before a comparison is zeroed at the target.
        let at = from + usize::from(zeroed);
        self.mf.insts[at] = MInst::jmp(target).with_bits(flags);
        self.mf.blocks[block as usize].end = at as u32 + 1;
        self.mf.blocks[block as usize].succs = smallvec::smallvec![target];
    }
}

/// For each block, the block that a jump to it ends up in: blocks that only jump are passed
/// through.
pub fn forwarders(mf: &MachineFunction) -> Vec<u32> {
    let only_jumps = |block: u32| -> Option<u32> {
        let mut insts = mf.block_insts(block as usize).iter().filter(|i| i.op != Op::Nop);
        let first = insts.next()?;
        (first.op == Op::Jmp && !mf.blocks[block as usize].address_taken && mf.stage(block) != Stage::Prologue)
            .then(|| first.target())
    };
    // Chains are short; a cycle of empty blocks ends after this many steps.
    const MAX_STEPS: usize = 32;
    (0..mf.blocks.len() as u32)
        .map(|block| {
            let mut at = block;
            for _ in 0..MAX_STEPS {
                match only_jumps(at) {
                    Some(next) if next != at => at = next,
                    _ => return at,
                }
            }
            block
        })
        .collect()
}
