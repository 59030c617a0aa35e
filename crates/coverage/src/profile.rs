//! `-fprofile-use`: the counts of earlier runs, out of the `.gcda` file that gcc 12's `libgcov`
//! wrote, as what the optimiser knows of branches and functions: how often each was taken or
//! called. What the source says of a branch that ran does not count then; a function that never ran
//! is cold.

use ir::{Block, BranchHint, Counted, FnAttrs, FuncId, Function, Inst, InstView, Module, Odds, Opcode};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Site};

/// The number that a file of counts begins with, "gcda".
const MAGIC: u32 = u32::from_be_bytes(*b"gcda");
/// Records of a function, and of its arcs' counts.
const FUNCTION: u32 = 0x0100_0000;
const ARCS: u32 = 0x01a1_0000;
/// The record of all runs: how many, and the largest counter of the whole program.
const SUMMARY: u32 = 0xa100_0000;
/// Words before the first record: magic, version, stamp, checksum.
const HEADER: usize = 4;

/// What ran at least once in so many times that the most frequent code of the program did is hot.
const HOT: u64 = 1000;

/// What a file says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The functions by their numbers.
    pub functions: FxHashMap<u32, Counts>,
    /// The largest counter of the whole program.
    pub highest: u64,
}

/// What a file says of a function.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Checksum of its place in the source.
    pub lines: u32,
    /// Checksum of its graph.
    pub graph: u32,
    /// Counters of arcs, in order.
    pub arcs: Vec<u64>,
}

/// What a file says; `None` if it is no file of counts, or of another version of the format. A file
/// that ends early has what comes before.
pub fn read(bytes: &[u8]) -> Option<Profile> {
    let words: Vec<u32> = bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    if *words.first()? != MAGIC || *words.get(1)? != crate::VERSION {
        return None;
    }
    let mut out = Profile::default();
    let mut current = None;
    let mut rest = words.get(HEADER..)?;
    while let [tag, length, after @ ..] = rest {
        // Bytes; a negative length stands for so many zeros.
        let length = *length as i32;
        let held = if length > 0 { length as usize / 4 } else { 0 };
        let Some((record, next)) = after.split_at_checked(held) else { break };
        match (*tag, record) {
            (FUNCTION, &[ident, lines, graph, ..]) => {
                out.functions.insert(ident, Counts { lines, graph, arcs: Vec::new() });
                current = Some(ident);
            }
            (FUNCTION, _) => current = None,
            (SUMMARY, &[_, highest, ..]) => out.highest = u64::from(highest),
            (ARCS, _) => {
                if let Some(counts) = current.and_then(|ident| out.functions.get_mut(&ident)) {
                    let wide = |pair: &[u32]| u64::from(pair[0]) | u64::from(pair[1]) << 32;
                    counts.arcs = record.chunks_exact(2).map(wide).collect();
                    // More zeros than a function can have arcs are a damaged file.
                    let zeros = length.unsigned_abs() as usize / 8;
                    if length < 0 && zeros <= bytes.len().max(1 << 20) {
                        counts.arcs = vec![0; zeros];
                    }
                }
            }
            _ => {}
        }
        rest = next;
    }
    // It has 32 bits in the file.
    let counters = out.functions.values().flat_map(|counts| &counts.arcs);
    out.highest = counters.copied().fold(out.highest, u64::max);
    Some(out)
}

/// Counts of all arcs of the graph, by block and arc, from those of the arcs that are counted: what
/// enters a block leaves it. `None` if they contradict each other, or are not as many.
pub fn solve(graph: &Graph, counters: &[u64]) -> Option<Vec<Vec<u64>>> {
    let mut counters = counters.iter();
    // (from, to, count): the arcs in order, then the one that closes the circle.
    let mut arcs: Vec<(usize, usize, Option<i64>)> = Vec::new();
    for (from, block) in graph.blocks.iter().enumerate() {
        for arc in &block.arcs {
            let count = match () {
                () if arc.is_counted() => Some(i64::try_from(*counters.next()?).ok()?),
                () if arc.is_ignored() => Some(0),
                () => None,
            };
            arcs.push((from, arc.to, count));
        }
    }
    if counters.next().is_some() {
        return None;
    }
    arcs.push((Graph::EXIT, Graph::ENTRY, None));
    let mut unknown = vec![Vec::new(); graph.blocks.len()];
    let mut balance = vec![0i64; graph.blocks.len()];
    for (index, &(from, to, count)) in arcs.iter().enumerate() {
        match count {
            Some(count) => {
                balance[from] = balance[from].checked_sub(count)?;
                balance[to] = balance[to].checked_add(count)?;
            }
            None => [from, to].into_iter().for_each(|block| unknown[block].push(index)),
        }
    }
    let mut work: Vec<usize> = (0..unknown.len()).filter(|&block| unknown[block].len() == 1).collect();
    while let Some(block) = work.pop() {
        let Some(index) = unknown[block].pop() else { continue };
        let (from, to, _) = arcs[index];
        let count = if from == block { balance[block] } else { -balance[block] };
        if count < 0 {
            return None;
        }
        arcs[index].2 = Some(count);
        balance[from] = balance[from].checked_sub(count)?;
        balance[to] = balance[to].checked_add(count)?;
        let other = if from == block { to } else { from };
        unknown[other].retain(|&arc| arc != index);
        if unknown[other].len() == 1 {
            work.push(other);
        }
    }
    let all = arcs.iter().map(|arc| arc.2.map(|count| count as u64)).collect::<Option<Vec<u64>>>()?;
    let mut all = all.into_iter();
    Some(graph.blocks.iter().map(|block| all.by_ref().take(block.arcs.len()).collect()).collect())
}

/// The counts of a function's edges.
struct Edges {
    between: FxHashMap<(Block, Block), u64>,
    /// How often an instruction is come to that begins a block of the graph.
    before: FxHashMap<Inst, u64>,
}

impl Edges {
    fn of(graph: &Graph, counts: &[Vec<u64>]) -> Edges {
        let mut edges = Edges { between: FxHashMap::default(), before: FxHashMap::default() };
        let add = |to: &mut u64, count: u64| *to = to.saturating_add(count);
        for (block, counts) in graph.blocks.iter().zip(counts) {
            for (arc, &count) in block.arcs.iter().zip(counts) {
                match arc.site {
                    Site::Edge(from, to) => add(edges.between.entry((from, to)).or_default(), count),
                    Site::Before(inst) => add(edges.before.entry(inst).or_default(), count),
                    Site::None => {}
                }
            }
        }
        edges
    }

    /// Counts of a terminator's targets, in the order of `for_each_target`. What several cases lead
    /// to is divided among them. Of a computed jump nothing is known but how often each label was
    /// come to.
    fn of_targets(&self, func: &Function, block: Block) -> Vec<u64> {
        let terminator = func.terminator(block);
        let mut targets = Vec::new();
        func.for_each_target(terminator, |target| targets.push(target));
        if func.insts[terminator].opcode == Opcode::IndirectBr {
            let came = |target: &Block| func.first_inst(*target).and_then(|inst| self.before.get(&inst));
            return targets.iter().map(|target| came(target).copied().unwrap_or(0)).collect();
        }
        let mut same: FxHashMap<Block, u64> = FxHashMap::default();
        targets.iter().for_each(|&target| *same.entry(target).or_default() += 1);
        targets.iter().map(|&to| self.between.get(&(block, to)).copied().unwrap_or(0).div_ceil(same[&to])).collect()
    }
}

/// Gives a function the counts of its arcs: how often it was called, the odds of its branches, the
/// weights of its switches and computed jumps. `highest` is the largest count of the program.
pub fn apply(module: &mut Module, id: FuncId, graph: &Graph, counts: &[Vec<u64>], highest: u64) {
    let func = &mut module.functions[id];
    let entered = counts[Graph::ENTRY].first().copied().unwrap_or(0);
    func.counted = Some(Counted { entered, highest });
    let most = counts.iter().flatten().copied().max().unwrap_or(0);
    let attrs = &mut module.symbols[func.symbol].attrs;
    if attrs.0 & (FnAttrs::HOT | FnAttrs::COLD) == 0 {
        match most {
            0 => attrs.set(FnAttrs::COLD),
            _ if most >= highest / HOT => attrs.set(FnAttrs::HOT),
            _ => {}
        }
    }
    let edges = Edges::of(graph, counts);
    for block in func.blocks().collect::<Vec<_>>() {
        let terminator = func.terminator(block);
        let counts = edges.of_targets(func, block);
        match func.view(terminator) {
            InstView::CondBr { cond, then_dest, else_dest, .. } if then_dest != else_dest => {
                if let Some(odds) = Odds::of(counts[0], counts[1]) {
                    let hint = BranchHint::Measured(odds);
                    func.replace_with(terminator, InstView::CondBr { cond, then_dest, else_dest, hint });
                }
            }
            InstView::Switch { .. } | InstView::IndirectBr { .. } => {
                // As many bits as a weight has; what ever happened keeps one.
                let most = counts.iter().copied().max().unwrap_or(0);
                let shift = u32::BITS.saturating_sub(most.leading_zeros());
                let weight = |&count: &u64| (count >> shift).max(u64::from(count > 0)) as u32;
                if most > 0 {
                    func.set_weights(terminator, counts.iter().map(weight).collect());
                }
            }
            _ => {}
        }
    }
}
