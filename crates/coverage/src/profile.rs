//! `-fprofile-use`: the counts of earlier runs, out of the `.gcda` file that gcc 12's `libgcov`
//! wrote, as what the optimiser takes for likely.
//!
//! A branch that goes one way in nine of ten cases or more has that hint, another one has none,
//! whatever the source or a guess says; a function that never ran is cold.

use ir::{Block, BranchHint, Builder, FnAttrs, FuncId, InstView, Module, Position};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Site};

/// The number that a file of counts begins with, "gcda".
const MAGIC: u32 = u32::from_be_bytes(*b"gcda");
/// Records of a function, and of its arcs' counts.
const FUNCTION: u32 = 0x0100_0000;
const ARCS: u32 = 0x01a1_0000;
/// Words before the first record: magic, version, stamp, checksum.
const HEADER: usize = 4;
/// In how many of so many cases a branch must go one way to be called likely.
const LIKELY: (u64, u64) = (9, 10);

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

/// The functions of a file by their numbers; `None` if it is no file of counts, or of another
/// version of the format. A file that ends early has what comes before.
pub fn read(bytes: &[u8]) -> Option<FxHashMap<u32, Counts>> {
    let words: Vec<u32> = bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    if *words.first()? != MAGIC || *words.get(1)? != crate::VERSION {
        return None;
    }
    let mut out: FxHashMap<u32, Counts> = FxHashMap::default();
    let mut current = None;
    let mut rest = words.get(HEADER..)?;
    while let [tag, length, after @ ..] = rest {
        // Bytes; a negative length stands for so many zeros.
        let length = *length as i32;
        let held = if length > 0 { length as usize / 4 } else { 0 };
        let Some((record, next)) = after.split_at_checked(held) else { break };
        match (*tag, record) {
            (FUNCTION, &[ident, lines, graph, ..]) => {
                out.insert(ident, Counts { lines, graph, arcs: Vec::new() });
                current = Some(ident);
            }
            (FUNCTION, _) => current = None,
            (ARCS, _) => {
                if let Some(counts) = current.and_then(|ident| out.get_mut(&ident)) {
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

/// Gives a function's branches their hints by the counts of its arcs.
pub fn apply(module: &mut Module, id: FuncId, graph: &Graph, counts: &[Vec<u64>]) {
    let mut edges: FxHashMap<(Block, Block), u64> = FxHashMap::default();
    let mut total: u64 = 0;
    for (block, counts) in graph.blocks.iter().zip(counts) {
        for (arc, &count) in block.arcs.iter().zip(counts) {
            total = total.saturating_add(count);
            if let Site::Edge(from, to) = arc.site {
                *edges.entry((from, to)).or_default() += count;
            }
        }
    }
    let func = &mut module.functions[id];
    if total == 0 {
        let symbol = func.symbol;
        if module.symbols[symbol].attrs.0 & FnAttrs::HOT == 0 {
            module.symbols[symbol].attrs.set(FnAttrs::COLD);
        }
        return;
    }
    for block in func.blocks().collect::<Vec<_>>() {
        let terminator = func.terminator(block);
        let InstView::CondBr { cond, then_dest, else_dest, hint } = func.view(terminator) else { continue };
        let count = |to: Block| edges.get(&(block, to)).copied().unwrap_or(0);
        let (then, otherwise) = (count(then_dest), count(else_dest));
        let is_most = |part: u64| {
            let (part, all) = (u128::from(part), u128::from(then) + u128::from(otherwise));
            all > 0 && part * u128::from(LIKELY.1) >= all * u128::from(LIKELY.0)
        };
        let wanted = match (is_most(then), is_most(otherwise)) {
            _ if then_dest == else_dest => hint,
            (true, _) => BranchHint::Likely,
            (_, true) => BranchHint::Unlikely,
            _ if then == 0 && otherwise == 0 => hint,
            _ => BranchHint::None,
        };
        if wanted != hint {
            let loc = func.inst_locs[terminator];
            func.remove_inst(terminator);
            let mut b = Builder::new(func, Position::End(block));
            b.loc = loc;
            b.cond_br(cond, then_dest, else_dest, wanted);
        }
    }
}
