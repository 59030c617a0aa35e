//! What lies on the stack at the borders of blocks.

use rustc_hash::{FxHashMap, FxHashSet};

use super::operations::{Action, Code};
use crate::{
    machine::{MachineFunction, Op},
    rewrite::edge_block,
};
use base::union_find::find;

/// Registers of the stack.
pub const DEPTH: usize = 8;
/// Visits of blocks that liveness and loops may take per function; larger functions stay as they
/// are.
const MAX_WORK: usize = 1 << 20;
const NONE: u32 = u32::MAX;

/// A variable on the stack where blocks meet, and whether its slot holds it as well.
pub type Layout = Vec<(u32, bool)>;

/// The plan of a function.
#[derive(Clone)]
pub struct Plan {
    /// Variables live at the start of each block.
    pub live_in: Vec<Vec<u32>>,
    /// The bundle of each block's start (even) and end (odd).
    bundles: Vec<u32>,
    /// The stack in each bundle, from the bottom.
    pub layouts: Vec<Layout>,
}

impl Plan {
    /// The stack at a block's start.
    pub fn entry(&self, block: usize) -> &Layout {
        &self.layouts[self.bundles[2 * block] as usize]
    }

    /// The stack at a block's end.
    pub fn exit(&self, block: usize) -> &Layout {
        &self.layouts[self.bundles[2 * block + 1] as usize]
    }

    /// The same with the variables of each bundle in the order in which its most frequent block
    /// leaves them.
    pub fn reordered(&self, mf: &MachineFunction, natural: &[Vec<u32>]) -> Plan {
        let mut leader: Vec<Option<usize>> = vec![None; self.layouts.len()];
        for block in 0..mf.blocks.len() {
            let leader = &mut leader[self.bundles[2 * block + 1] as usize];
            if leader.is_none_or(|l| mf.blocks[l].frequency < mf.blocks[block].frequency) {
                *leader = Some(block);
            }
        }
        let mut next = self.clone();
        for (layout, leader) in next.layouts.iter_mut().zip(leader) {
            if let Some(leader) = leader {
                let place = |v: u32| natural[leader].iter().position(|&n| n == v).unwrap_or(usize::MAX);
                layout.sort_by_key(|&(v, _)| place(v));
            }
        }
        next
    }

    /// Makes blocks for the edges whose ends disagree. Gives whether there were any.
    pub fn split_edges(&mut self, mf: &mut MachineFunction) -> bool {
        let before = mf.blocks.len();
        let mut behind: FxHashMap<u32, u32> = FxHashMap::default();
        for pred in 0..before {
            for succ in mf.blocks[pred].succs.clone() {
                let (from, to) = (self.bundles[2 * pred + 1], self.bundles[2 * succ as usize]);
                let (a, b) = (&self.layouts[from as usize], &self.layouts[to as usize]);
                if from == to || (a.is_empty() && b.is_empty()) {
                    continue;
                }
                let start = mf.insts.len() as u32;
                let number = edge_block(mf, pred as u32, succ, start);
                self.live_in.push(self.live_in[succ as usize].clone());
                self.bundles.extend([from, to]);
                let at = mf.order.iter().position(|&b| b == pred as u32);
                let falls = at.is_some_and(|at| mf.order.get(at + 1) == Some(&succ));
                if falls {
                    behind.insert(pred as u32, number);
                } else {
                    mf.order.push(number);
                }
            }
        }
        let order = std::mem::take(&mut mf.order);
        mf.order = order.into_iter().flat_map(|b| std::iter::once(b).chain(behind.get(&b).copied())).collect();
        mf.blocks.len() > before
    }
}

/// Makes the plan; `None` if the function is too large.
pub fn plan(mf: &MachineFunction, code: &Code) -> Option<Plan> {
    let mut work = MAX_WORK;
    let live_in = liveness(mf, code, &mut work)?;
    let regions = regions(mf, code, &live_in, &mut work)?;
    let (bundles, count) = bundles(mf, &regions);
    let mut plan = Plan { live_in, bundles, layouts: vec![Layout::new(); count] };
    if regions.iter().any(|&r| r != NONE) {
        choose(mf, code, &regions, &mut plan);
    }
    Some(plan)
}

/// Variables live at the start of each block, ascending: from each block that uses one before it
/// writes it, backwards to the writes. Constants, which can be had anywhere, are live within loops
/// only.
fn liveness(mf: &MachineFunction, code: &Code, work: &mut usize) -> Option<Vec<Vec<u32>>> {
    let mut seen = vec![NONE; code.homes.len()];
    let mut writes: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut list = Vec::new();
    for (number, block) in mf.blocks.iter().enumerate() {
        for action in &code.actions[block.start as usize..block.end as usize] {
            let (Action::LoadVariable(v) | Action::StoreVariable(v)) = *action else { continue };
            if matches!(action, Action::StoreVariable(_)) {
                writes.insert((number as u32, v));
            } else if seen[v as usize] != number as u32 {
                list.push((number as u32, v));
            }
            seen[v as usize] = number as u32;
        }
    }
    let mut live: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut live_in = vec![Vec::new(); mf.blocks.len()];
    while let Some((block, v)) = list.pop() {
        if (code.is_constant(v) && mf.blocks[block as usize].loop_depth == 0) || !live.insert((block, v)) {
            continue;
        }
        *work = work.checked_sub(1)?;
        live_in[block as usize].push(v);
        let preds = mf.blocks[block as usize].preds.iter();
        list.extend(preds.filter(|&&p| !writes.contains(&(p, v))).map(|&p| (p, v)));
    }
    live_in.iter_mut().for_each(|list| list.sort_unstable());
    Some(live_in)
}

/// By block: the number of the loop that keeps variables on the stack.
fn regions(mf: &MachineFunction, code: &Code, live_in: &[Vec<u32>], work: &mut usize) -> Option<Vec<u32>> {
    let mut loops = Vec::new();
    for (header, latches) in back_edges(mf) {
        if !live_in[header as usize].is_empty()
            && let Some(body) = loop_body(mf, code, header, &latches, work)?
        {
            loops.push(body);
        }
    }
    // The outermost first; a loop within one that was taken has a block of it.
    loops.sort_by_key(|body: &Vec<u32>| (std::cmp::Reverse(body.len()), body[0]));
    let mut regions = vec![NONE; mf.blocks.len()];
    for (number, body) in loops.iter().enumerate() {
        if body.iter().all(|&b| regions[b as usize] == NONE) {
            body.iter().for_each(|&b| regions[b as usize] = number as u32);
        }
    }
    Some(regions)
}

/// Headers with the blocks that jump back to them.
fn back_edges(mf: &MachineFunction) -> Vec<(u32, Vec<u32>)> {
    let mut found: Vec<(u32, Vec<u32>)> = Vec::new();
    // 0: not seen, 1: on the path, 2: done.
    let mut state = vec![0u8; mf.blocks.len()];
    let mut path = vec![(0u32, 0usize)];
    state[0] = 1;
    while let Some((block, next)) = path.last_mut() {
        let Some(&succ) = mf.blocks[*block as usize].succs.get(*next) else {
            state[*block as usize] = 2;
            path.pop();
            continue;
        };
        *next += 1;
        match state[succ as usize] {
            0 => {
                state[succ as usize] = 1;
                path.push((succ, 0));
            }
            1 => match found.iter_mut().find(|f| f.0 == succ) {
                Some((_, latches)) => latches.push(*block),
                None => found.push((succ, vec![*block])),
            },
            _ => {}
        }
    }
    found
}

/// The blocks of a loop, the header first; `Some(None)` if one of them needs the stack empty or
/// cannot have its edges split.
fn loop_body(
    mf: &MachineFunction,
    code: &Code,
    header: u32,
    latches: &[u32],
    work: &mut usize,
) -> Option<Option<Vec<u32>>> {
    let fits = |block: u32, work: &mut usize| {
        let data = &mf.blocks[block as usize];
        let actions = &code.actions[data.start as usize..data.end as usize];
        *work = work.checked_sub(1 + actions.len() / 16)?;
        let splits = |p: &u32| {
            let last = mf.insts[mf.blocks[*p as usize].end as usize - 1].op;
            matches!(last, Op::Jmp | Op::Jcc)
        };
        Some(block != 0 && !data.address_taken && !actions.contains(&Action::Barrier) && data.preds.iter().all(splits))
    };
    let mut body = vec![header];
    let mut inside: FxHashSet<u32> = FxHashSet::default();
    inside.insert(header);
    if !fits(header, work)? {
        return Some(None);
    }
    let mut list = latches.to_vec();
    while let Some(block) = list.pop() {
        if !inside.insert(block) {
            continue;
        }
        if !fits(block, work)? {
            return Some(None);
        }
        body.push(block);
        list.extend_from_slice(&mf.blocks[block as usize].preds);
    }
    Some(Some(body))
}

/// The bundle of each block's start and end, and their number: ends of an edge are in one bundle if
/// both lie in one loop, if the edge is the only one out of a block before a loop, or if the block
/// after a loop is entered from that loop alone.
fn bundles(mf: &MachineFunction, regions: &[u32]) -> (Vec<u32>, usize) {
    let mut parent: Vec<u32> = (0..2 * mf.blocks.len() as u32).collect();
    for (number, block) in mf.blocks.iter().enumerate() {
        let region = regions[number];
        for &succ in &block.succs {
            let to = regions[succ as usize];
            let joined = if region != NONE {
                let behind = &mf.blocks[succ as usize];
                let own = || behind.preds.iter().all(|&p| regions[p as usize] == region) && !behind.address_taken;
                to == region || (to == NONE && own())
            } else {
                to != NONE && block.succs.len() == 1
            };
            if joined {
                let a = find(&mut parent, 2 * number as u32 + 1);
                let b = find(&mut parent, 2 * succ);
                parent[a as usize] = b;
            }
        }
    }
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let bundles: Vec<u32> = (0..parent.len() as u32)
        .map(|x| {
            let root = find(&mut parent, x);
            let next = numbers.len() as u32;
            *numbers.entry(root).or_insert(next)
        })
        .collect();
    (bundles, numbers.len())
}

/// How many operands that are not variables a block has at most.
fn temporaries(actions: &[Action]) -> usize {
    let mut operands: Vec<bool> = Vec::new();
    let mut most = 0;
    for &action in actions {
        let (popped, pushed) = action.effect();
        operands.truncate(operands.len().saturating_sub(popped as usize));
        operands.extend((0..pushed).map(|_| !matches!(action, Action::LoadVariable(_))));
        most = most.max(operands.iter().filter(|&&o| o).count());
    }
    most
}

/// Chooses the variables of each bundle: the most used of a loop first, as long as there is room in
/// every bundle where they are live.
fn choose(mf: &MachineFunction, code: &Code, regions: &[u32], plan: &mut Plan) {
    let mut room = vec![DEPTH; plan.layouts.len()];
    // (region, variable): accesses, whether written, bundles.
    let mut uses: FxHashMap<(u32, u32), (f64, bool, Vec<u32>)> = FxHashMap::default();
    for (number, block) in mf.blocks.iter().enumerate() {
        let region = regions[number];
        let actions = &code.actions[block.start as usize..block.end as usize];
        let left = DEPTH.saturating_sub(temporaries(actions).max(1)).max(1);
        for bundle in [plan.bundles[2 * number], plan.bundles[2 * number + 1]] {
            room[bundle as usize] = room[bundle as usize].min(left);
        }
        if region == NONE {
            continue;
        }
        for action in actions {
            if let Action::LoadVariable(v) | Action::StoreVariable(v) = *action {
                let entry = uses.entry((region, v)).or_default();
                // Nothing waits for a constant.
                entry.0 += f64::from(block.frequency) * if code.is_constant(v) { 0.25 } else { 1.0 };
                entry.1 |= matches!(action, Action::StoreVariable(_));
            }
        }
        for &v in &plan.live_in[number] {
            uses.entry((region, v)).or_default().2.push(plan.bundles[2 * number]);
        }
    }
    // After a loop what was on the stack in it is still there.
    for number in (0..mf.blocks.len()).filter(|&n| regions[n] == NONE) {
        let from = mf.blocks[number].preds.first().map(|&p| (regions[p as usize], plan.bundles[2 * p as usize + 1]));
        if let Some((region, bundle)) = from
            && region != NONE
            && bundle == plan.bundles[2 * number]
        {
            for &v in &plan.live_in[number] {
                uses.entry((region, v)).or_default().2.push(bundle);
            }
        }
    }
    let mut sorted: Vec<_> = uses.into_iter().filter(|(_, u)| u.0 > 0.0 && !u.2.is_empty()).collect();
    sorted.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then(a.0.cmp(&b.0)));
    for ((_, v), (_, written, mut bundles)) in sorted {
        bundles.sort_unstable();
        bundles.dedup();
        if bundles.iter().all(|&b| plan.layouts[b as usize].len() < room[b as usize]) {
            bundles.iter().for_each(|&b| plan.layouts[b as usize].push((v, !written)));
        }
    }
    plan.layouts.iter_mut().for_each(|layout| layout.reverse());
}
