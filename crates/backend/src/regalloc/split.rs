//! Splitting: around regions of segments, then around the uses in a block, at last around single
//! uses.
//!
//! *Regions.* A bundle that no register can hold everywhere is looked at segment by segment
//! (blocks, cut at calls, long ones also in between). For a register the segments where it is free
//! form a graph; being in the register saves the memory accesses of a segment's operands, and an
//! edge of the control-flow graph on which the value changes between register and slot costs one.
//! Starting from all free segments, those whose removal is cheaper are taken out until nothing
//! changes; connected components that do not pay go as well. What is left lives in that register at
//! once; the rest of the bundle waits for its turn again. So a value stays in a register in the hot
//! loop and in memory around a cold call, or gives its register up just for a hot loop that does
//! not use it.
//!
//! *Loops.* A bundle that is used much in a loop and long elsewhere weighs little as a whole, and
//! loses its register in the loop to lighter ones. When regions leave the hot part out, the loops
//! at the depth that gives the most weight become bundles of their own, which may evict again.
//!
//! *Runs.* When no region pays, the bundle goes to its slot. Within each block, neighbouring
//! operands between which some register is free share one reload; they become small bundles of
//! their own. Single operands that may be in memory are.

use super::assign::{Queue, take};
use super::bundle::{Stage, State, weight};
use super::live_ranges::{NONE, Need, Occurrence, Role};
use super::problem::*;
use base::range_set::{Range, Span};
use cranelift_entity::EntityRef;
use smallvec::SmallVec;

/// How often one bundle is split around regions before it goes to memory.
const MAX_REGION_SPLITS: u8 = 6;

/// Bundles of this many points take much of the budget: regions are looked for if they have at
/// least [`MIN_COST`].
const LONG: u32 = 2000;

/// Executed memory accesses, where the function's entry counts as one.
const MIN_COST: f32 = 1.0;

/// This many bundles, those that are accessed most, have a budget of their own: an interpreter's
/// program counter is evicted in one case after the other, and must not be without a register in
/// all of them because less important values have used the budget up.
const HOT_BUNDLES: usize = 4;

/// The least cost of such a bundle.
const HOT_COST: f32 = 8.0;

/// [`MAX_REGION_SPLITS`] of such bundles.
const MAX_HOT_SPLITS: u8 = 60;

/// Registers for which regions are tried in full, the most promising by the memory accesses in
/// their free segments.
const CANDIDATES: usize = 3;

/// What part of the memory accesses a region must save at least. Below that, the register is tried
/// which is taken least often while the value lives on. Free segments are those between calls, and
/// all registers look alike there; a value across many calls wants one that they keep.
const POOR: f32 = 0.25;

/// [`POOR`] for the bundles that are accessed most: they may be split often enough to do without
/// the places where others evict them.
const POOR_HOT: f32 = 0.6;

/// How much heavier than its bundle a loop's part must be to become a bundle of its own.
const HOT_RATIO: f32 = 2.0;

/// Cost of entering or leaving a region, relative to a memory access, for rematerialised values:
/// entering costs a cheap instruction, leaving nothing.
const REMAT_EDGE: f32 = 0.3;

/// The cost from which on a bundle is one of the few that are accessed most.
pub(super) fn hot_cost(state: &State) -> f32 {
    let mut costs: Vec<f32> = state.bundles.iter().filter(|b| b.size >= LONG).map(|b| b.cost).collect();
    costs.sort_unstable_by(|a, b| b.total_cmp(a));
    costs.get(HOT_BUNDLES - 1).copied().unwrap_or(0.0).max(HOT_COST)
}

/// A segment in which the bundle is live.
#[derive(Copy, Clone, Debug)]
struct Node {
    segment: u32,
    taken: u32,
    /// Points in which the bundle is live.
    size: u32,
    cost: f32,
    live_in: bool,
    live_out: bool,
}

/// The segments of a bundle and, once it is connected, the edges between them along which it is
/// live.
struct Graph {
    nodes: Vec<Node>,
    /// Neighbours of node `n`: `neighbours[starts[n]..starts[n + 1]]`, with the edge's cost. Empty
    /// until [`connect`] has been called.
    starts: Vec<u32>,
    neighbours: Vec<(u32, f32)>,
}

impl Graph {
    fn neighbours(&self, node: usize) -> &[(u32, f32)] {
        &self.neighbours[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

/// A way to give part of a bundle a register.
struct Plan {
    /// Executed memory accesses that it saves.
    value: f32,
    reg: u8,
    /// Per node the number of its component, `NONE` for those outside.
    components: Vec<u32>,
}

impl Plan {
    fn is_whole(&self) -> bool {
        self.components.iter().all(|&c| c != NONE)
    }
}

/// Tries to give part of the bundle a register. Gives false if nothing pays.
pub(super) fn split_regions(state: &mut State, queue: &mut Queue, bundle: u32) -> bool {
    let Some(mut graph) = segments_to_split(state, bundle) else { return false };
    let plan = plan_regions(state, bundle, &mut graph);
    if split_hot_loops(state, queue, bundle, &mut graph, plan.as_ref()) {
        return true;
    }
    let Some(plan) = plan else { return false };
    if plan.is_whole() {
        take(state, bundle, plan.reg);
    } else {
        apply_regions(state, queue, bundle, &graph, &plan.components, Some(plan.reg));
    }
    true
}

/// Makes bundles of the parts in hot loops, unless the plan has a register for them.
fn split_hot_loops(state: &mut State, queue: &mut Queue, bundle: u32, graph: &mut Graph, plan: Option<&Plan>) -> bool {
    let nodes = &graph.nodes;
    if !pay(state, bundle) {
        return false;
    }
    let data = state.bundles[bundle as usize];
    let Some((depth, weight)) = hottest_depth(state, nodes) else { return false };
    if weight < HOT_RATIO * data.weight {
        return false;
    }
    let hot: Vec<bool> = nodes.iter().map(|n| depth_of(state, n) >= depth).collect();
    if plan.is_some_and(|p| (0..nodes.len()).all(|n| !hot[n] || nodes[n].cost == 0.0 || p.components[n] != NONE)) {
        return false;
    }
    connect(state, graph, state.sets[data.set as usize].remat != NONE);
    let components = components(graph, &hot);
    apply_regions(state, queue, bundle, graph, &components, None);
    true
}

fn depth_of(state: &State, node: &Node) -> u32 {
    let block = state.segments[node.segment as usize].block;
    u32::from(state.problem.blocks[block as usize].loop_depth)
}

/// The loop depth from which on the nodes weigh most together, and that weight. `None` if all are
/// at one depth.
fn hottest_depth(state: &State, nodes: &[Node]) -> Option<(u32, f32)> {
    let least = nodes.iter().map(|n| depth_of(state, n)).min()?;
    let most = nodes.iter().map(|n| depth_of(state, n)).max()?;
    let mut best: Option<(u32, f32)> = None;
    for depth in least + 1..=most {
        let deep = nodes.iter().filter(|n| depth_of(state, n) >= depth);
        let (cost, size) = deep.fold((0.0, 0), |(cost, size), n| (cost + n.cost, size + n.size));
        let weight = weight(cost, size);
        if best.is_none_or(|(_, w)| weight > w) {
            best = Some((depth, weight));
        }
    }
    best
}

/// The connected components of the chosen nodes: per node the number of its component's first node,
/// `NONE` for those not chosen.
fn components(graph: &Graph, chosen: &[bool]) -> Vec<u32> {
    let mut components = vec![NONE; chosen.len()];
    let mut stack = Vec::new();
    for root in 0..chosen.len() as u32 {
        if !chosen[root as usize] || components[root as usize] != NONE {
            continue;
        }
        components[root as usize] = root;
        stack.push(root);
        while let Some(node) = stack.pop() {
            for &(other, _) in graph.neighbours(node as usize) {
                if chosen[other as usize] && components[other as usize] == NONE {
                    components[other as usize] = root;
                    stack.push(other);
                }
            }
        }
    }
    components
}

/// Splits a bundle if that costs less than `limit` executed memory accesses.
pub(super) fn split_cheaply(state: &mut State, queue: &mut Queue, bundle: u32, limit: f32) -> bool {
    let cost = state.bundles[bundle as usize].cost;
    let Some(mut graph) = segments_to_split(state, bundle) else { return false };
    match plan_regions(state, bundle, &mut graph) {
        Some(plan) if !plan.is_whole() && cost - plan.value < limit => {
            apply_regions(state, queue, bundle, &graph, &plan.components, Some(plan.reg));
            true
        }
        _ => false,
    }
}

/// The segments of a bundle that may still be split, paid for from the budget.
fn segments_to_split(state: &mut State, bundle: u32) -> Option<Graph> {
    pay(state, bundle).then(|| {
        state.ensure_segments();
        Graph { nodes: segments_of(state, bundle), starts: Vec::new(), neighbours: Vec::new() }
    })
}

/// Takes what looking at a bundle's segments costs from the budget. Gives false if nothing is left
/// for it, or it is not worth that.
fn pay(state: &mut State, bundle: u32) -> bool {
    let data = state.bundles[bundle as usize];
    let work = data.size as u64 / 16 + 64;
    let pays = data.cost >= MIN_COST || data.size < LONG;
    let hot = data.cost >= state.hot_cost;
    let most = if hot { MAX_HOT_SPLITS } else { MAX_REGION_SPLITS };
    let budget = if hot { &mut state.hot_budget } else { &mut state.budget };
    if data.splits >= most || data.occurrences.is_empty() || *budget < work || !pays {
        return false;
    }
    *budget -= work;
    true
}

/// Finds the best regions for the most promising registers.
fn plan_regions(state: &mut State, bundle: u32, graph: &mut Graph) -> Option<Plan> {
    let data = state.bundles[bundle as usize];
    if graph.nodes.len() < 2 {
        return None;
    }
    if data.cost < state.hot_cost {
        state.budget = state.budget.saturating_sub(graph.nodes.len() as u64 * 4);
    }
    let promising = promising_registers(state, bundle, &graph.nodes);
    if promising.is_empty() {
        return None;
    }
    connect(state, graph, state.sets[data.set as usize].remat != NONE);
    let mut best: Option<Plan> = None;
    for &(bound, reg) in promising.iter().take(CANDIDATES) {
        if best.as_ref().is_some_and(|b| b.value >= bound) {
            break;
        }
        try_register(state, graph, reg, &mut best);
    }
    let enough = if data.cost < state.hot_cost { POOR } else { POOR_HOT };
    let value = best.as_ref().map_or(0.0, |b| b.value);
    if value < enough * promising[0].0
        && let Some(reg) = least_interrupted(state, &graph.nodes, &promising[CANDIDATES.min(promising.len())..], value)
    {
        try_register(state, graph, reg, &mut best);
    }
    best
}

/// Takes the best region for a register if it is better than what there is.
fn try_register(state: &State, graph: &Graph, reg: u8, best: &mut Option<Plan>) {
    let (value, components) = grow_region(graph, reg);
    let value = value - entry_fee(state, reg);
    if value > 0.0 && best.as_ref().is_none_or(|b| value > b.value) {
        *best = Some(Plan { value, reg, components });
    }
}

/// Of registers with the most that they can save, the one that promises most, and more than
/// `value`, if every segment counts as an access in which it is taken while the value lives on.
fn least_interrupted(state: &State, nodes: &[Node], registers: &[(f32, u8)], value: f32) -> Option<u8> {
    let candidates = registers.iter().filter(|r| r.0 > value).fold(0, |mask, r| mask | 1 << r.1);
    let mut lost = [0.0; 32];
    for node in nodes.iter().filter(|n| n.taken & candidates != 0 && n.cost == 0.0 && n.live_in && n.live_out) {
        let block = state.segments[node.segment as usize].block;
        let mut taken = candidates & node.taken;
        while taken != 0 {
            lost[taken.trailing_zeros() as usize] += state.problem.blocks[block as usize].frequency;
            taken &= taken - 1;
        }
    }
    let promises = registers.iter().map(|&(bound, reg)| (bound - lost[usize::from(reg)], reg));
    // Among equals the first.
    let best = promises.rev().max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > value).then_some(best.1)
}

/// What it costs to have a register for the first time: a push and a pop are shorter, and cheaper,
/// than two accesses to a spill slot.
pub(super) fn entry_fee(state: &State, reg: u8) -> f32 {
    let unpaid = state.callee_saved & !state.paid_for;
    if unpaid >> reg & 1 != 0 { 1.0 } else { 0.0 }
}

/// The registers for which a region may pay, with the most that it can save: the memory accesses in
/// their free segments. The best first.
fn promising_registers(state: &State, bundle: u32, nodes: &[Node]) -> SmallVec<[(f32, u8); 32]> {
    let candidates = state.candidates(bundle);
    let mut saved = [0.0; 32];
    for node in nodes.iter().filter(|n| n.cost != 0.0) {
        let mut free = candidates & !node.taken;
        while free != 0 {
            saved[free.trailing_zeros() as usize] += node.cost;
            free &= free - 1;
        }
    }
    let order = state.problem.config.order.iter().filter(|r| candidates >> r.0 & 1 != 0);
    let with_fees = order.map(|&Reg(reg)| (saved[usize::from(reg)] - entry_fee(state, reg), reg));
    let mut promising: SmallVec<[(f32, u8); 32]> = with_fees.filter(|&(saved, _)| saved > 0.0).collect();
    // Stable: among equals the preferred register stays first.
    promising.sort_by(|a, b| b.0.total_cmp(&a.0));
    promising
}

/// The segments in which a bundle is live, in order, with what is taken there and what its operands
/// there cost in memory.
fn segments_of(state: &mut State, bundle: u32) -> Vec<Node> {
    let mut node_of_segment = std::mem::take(&mut state.node_of_segment);
    let segments_in =
        |range: &Range| state.segment_of[(range.to as usize - 1) / 2] - state.segment_of[range.from as usize / 2];
    let most: u32 = state.ranges(bundle).iter().map(|range| segments_in(range) + 1).sum();
    let mut nodes: Vec<Node> = Vec::with_capacity(most as usize);
    for range in state.ranges(bundle) {
        let (first, last) = (state.segment_of[range.from as usize / 2], state.segment_of[(range.to as usize - 1) / 2]);
        for segment in first..=last {
            let data = &state.segments[segment as usize];
            let (start, end) = (2 * data.start, 2 * data.end);
            let (from, to) = (range.from.max(start), range.to.min(end));
            let enters_block = data.start == state.points.header(data.block);
            let ends_block = data.end == state.points.terminator(data.block) + 1;
            let live_in = from == start && (segment > first || enters_block);
            let live_out = to == end && (segment < last || ends_block);
            let taken = state.occupancy.taken(from, to).any();
            match nodes.last_mut() {
                Some(node) if node.segment == segment => {
                    node.taken |= taken;
                    node.size += to - from;
                    node.live_in |= live_in;
                    node.live_out |= live_out;
                }
                _ => {
                    node_of_segment[segment as usize] = nodes.len() as u32;
                    nodes.push(Node { segment, taken, size: to - from, cost: 0.0, live_in, live_out });
                }
            }
        }
    }
    state.node_of_segment = node_of_segment;
    let scale = if state.sets[state.bundles[bundle as usize].set as usize].remat != NONE { 0.4 } else { 1.0 };
    for &occurrence in state.occurrences(bundle) {
        if let Some(node) = node_of(state, &nodes, occurrence) {
            nodes[node].cost += scale * state.memory_cost(occurrence);
        }
    }
    nodes
}

/// The node that an occurrence belongs to.
fn node_of(state: &State, nodes: &[Node], occurrence: Occurrence) -> Option<usize> {
    let home = occurrence.role.home(occurrence.pos);
    node_at(state, nodes, *state.segment_of.get(home as usize)?)
}

/// The node of a segment. The table holds what other bundles have left as well (Briggs and Torczon,
/// "An Efficient Representation for Sparse Sets", 1993): only entries that the nodes confirm count.
fn node_at(state: &State, nodes: &[Node], segment: u32) -> Option<usize> {
    let node = state.node_of_segment[segment as usize] as usize;
    nodes.get(node).is_some_and(|n| n.segment == segment).then_some(node)
}

/// Finds the edges along which the bundle is live.
fn connect(state: &State, graph: &mut Graph, remat: bool) {
    if !graph.starts.is_empty() {
        return;
    }
    let nodes = &graph.nodes;
    let scale = if remat { REMAT_EDGE } else { 1.0 };
    let mut edges: Vec<(u32, u32, f32)> = Vec::with_capacity(nodes.len() * 2);
    for (index, node) in nodes.iter().enumerate() {
        if !node.live_out {
            continue;
        }
        let segment = &state.segments[node.segment as usize];
        let block = BlockIndex::new(segment.block as usize);
        if segment.end != state.points.terminator(segment.block) + 1 {
            if nodes.get(index + 1).is_some_and(|n| n.segment == node.segment + 1 && n.live_in) {
                edges.push((index as u32, index as u32 + 1, scale * state.problem.blocks[block.index()].frequency));
            }
            continue;
        }
        for &succ in state.problem.succs(block) {
            let first = state.segment_of[state.points.header(succ.as_u32()) as usize];
            if let Some(other) = node_at(state, nodes, first)
                && nodes[other].live_in
                && other != index
            {
                let frequency = super::points::edge_frequency(state.problem, block, succ);
                edges.push((index as u32, other as u32, scale * frequency));
            }
        }
    }
    let mut starts = vec![0u32; nodes.len() + 1];
    for &(a, b, _) in &edges {
        starts[a as usize + 1] += 1;
        starts[b as usize + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut next = starts.clone();
    let mut neighbours = vec![(0, 0.0); edges.len() * 2];
    for &(a, b, cost) in &edges {
        for (from, to) in [(a, b), (b, a)] {
            neighbours[next[from as usize] as usize] = (to, cost);
            next[from as usize] += 1;
        }
    }
    (graph.starts, graph.neighbours) = (starts, neighbours);
}

/// The best region for a register: what it saves, and per node the number of its component (`NONE`:
/// not in the region).
fn grow_region(graph: &Graph, reg: u8) -> (f32, Vec<u32>) {
    let count = graph.nodes.len();
    let mut inside: Vec<bool> = graph.nodes.iter().map(|n| n.taken >> reg & 1 == 0).collect();
    let mut worklist: Vec<u32> = (0..count as u32).rev().collect();
    while let Some(node) = worklist.pop() {
        let at = node as usize;
        if !inside[at] {
            continue;
        }
        // What leaving this segment out would save (edges to segments outside) and cost.
        let mut gain = -graph.nodes[at].cost;
        for &(other, cost) in graph.neighbours(at) {
            gain += if inside[other as usize] { -cost } else { cost };
        }
        if gain > 0.0 || (gain == 0.0 && graph.nodes[at].cost == 0.0) {
            inside[at] = false;
            worklist.extend(graph.neighbours(at).iter().map(|n| n.0).filter(|&n| inside[n as usize]));
        }
    }
    let mut components = vec![NONE; count];
    // What the first worklist took is enough for every walk.
    let (mut total, mut stack, mut members) = (0.0, worklist, Vec::with_capacity(count));
    for root in 0..count as u32 {
        if !inside[root as usize] || components[root as usize] != NONE {
            continue;
        }
        let mut value = 0.0;
        members.clear();
        stack.push(root);
        components[root as usize] = root;
        while let Some(node) = stack.pop() {
            members.push(node);
            value += graph.nodes[node as usize].cost;
            for &(other, cost) in graph.neighbours(node as usize) {
                if !inside[other as usize] {
                    value -= cost;
                } else if components[other as usize] == NONE {
                    components[other as usize] = root;
                    stack.push(other);
                }
            }
        }
        if value > 0.0 {
            total += value;
        } else {
            for &node in &members {
                components[node as usize] = NONE;
                inside[node as usize] = false;
            }
        }
    }
    (total, components)
}

/// Splits a bundle: each component gets the register, if there is one; the rest goes back to the
/// queue.
fn apply_regions(
    state: &mut State,
    queue: &mut Queue,
    bundle: u32,
    graph: &Graph,
    components: &[u32],
    reg: Option<u8>,
) {
    let data = state.bundles[bundle as usize];
    state.sets[data.set as usize].split = true;
    // Number the components 1.. in order of their first segments; 0 is the rest.
    let mut number = vec![0u32; components.len()];
    let mut pieces: Vec<(Vec<Range>, Vec<Occurrence>)> = vec![(Vec::new(), Vec::new())];
    for &component in components.iter().filter(|&&c| c != NONE) {
        if number[component as usize] == 0 {
            number[component as usize] = pieces.len() as u32;
            pieces.push((Vec::new(), Vec::new()));
        }
    }
    let piece_of = |node: usize| if components[node] == NONE { 0 } else { number[components[node] as usize] as usize };
    let mut node = 0;
    for &range in state.ranges(bundle) {
        let last = state.segment_of[(range.to as usize - 1) / 2];
        let mut segment = state.segment_of[range.from as usize / 2];
        let mut open: Option<(usize, Range)> = None;
        while segment <= last {
            while graph.nodes[node].segment < segment {
                node += 1;
            }
            let bounds = &state.segments[segment as usize];
            let part =
                Range { from: range.from.max(2 * bounds.start), to: range.to.min(2 * bounds.end), tag: range.tag };
            let piece = piece_of(node);
            open = match open {
                Some((p, before)) if p == piece => Some((p, Range { to: part.to, ..before })),
                other => {
                    if let Some((p, before)) = other {
                        pieces[p].0.push(before);
                    }
                    Some((piece, part))
                }
            };
            segment += 1;
        }
        if let Some((p, range)) = open {
            pieces[p].0.push(range);
        }
    }
    for &occurrence in state.occurrences(bundle) {
        let piece = node_of(state, &graph.nodes, occurrence).map_or(0, piece_of);
        pieces[piece].1.push(occurrence);
    }
    for (index, (ranges, occurrences)) in pieces.into_iter().enumerate() {
        if ranges.is_empty() || (index == 0 && occurrences.is_empty()) {
            continue;
        }
        let piece = add_piece(state, data.set, &ranges, &occurrences, Stage::Global);
        state.bundles[piece as usize].splits = data.splits + 1;
        match reg {
            Some(reg) if index > 0 => take(state, piece, reg),
            _ => queue.push(state, piece),
        }
    }
}

/// Makes a bundle of a piece.
fn add_piece(state: &mut State, set: u32, ranges: &[Range], occurrences: &[Occurrence], stage: Stage) -> u32 {
    let start = state.live.ranges.len();
    state.live.ranges.extend_from_slice(ranges);
    let range_span = Span::new(start, state.live.ranges.len());
    let start = state.live.occurrences.len();
    state.live.occurrences.extend_from_slice(occurrences);
    let occurrence_span = Span::new(start, state.live.occurrences.len());
    state.make_bundle(range_span, occurrence_span, set, stage)
}

/// Neighbouring operands of one live range in one block that could share a register.
struct Run {
    /// The live range that they are in.
    within: Range,
    /// From the first to the last of them.
    from: u32,
    to: u32,
    /// Registers free over all of it.
    free: u32,
    block: u32,
    occurrences: SmallVec<[Occurrence; 8]>,
}

/// Puts a bundle into its slot (or has it computed again at its uses); operands that need a
/// register or share one get small bundles.
pub(super) fn spill(state: &mut State, queue: &mut Queue, bundle: u32) {
    let data = state.bundles[bundle as usize];
    state.sets[data.set as usize].split = true;
    let candidates = state.candidates(bundle);
    let mut run: Option<Run> = None;
    let mut cursor = data.ranges.start;
    for at in data.occurrences.indices() {
        let occurrence = state.live.occurrences[at];
        let op = occurrence;
        let (from, to) = op.role.occupies(occurrence.pos);
        // The live range: for gap reads the one that ends in the gap or later.
        let point = if op.role.reads_in_gap() && op.role != Role::ModFixed { from - 1 } else { from };
        while cursor < data.ranges.end && state.live.ranges[cursor as usize].to <= point {
            cursor += 1;
        }
        // Ranges of different vregs interleave at one position, so look around the cursor.
        let within = (cursor.saturating_sub(4).max(data.ranges.start)..(cursor + 4).min(data.ranges.end))
            .map(|r| state.live.ranges[r as usize])
            .find(|r| r.tag == op.vreg && r.from <= point && point < r.to);
        let Some(within) = within else {
            // A definition that nobody reads, or half of a fixed operand whose other half is
            // elsewhere.
            serve_alone(state, queue, data.set, &[occurrence]);
            continue;
        };
        let extended = match &mut run {
            Some(run) if op.need != Need::Stack => extend(state, run, within, occurrence, to, data.stage),
            _ => false,
        };
        if extended {
            continue;
        }
        if let Some(run) = run.take() {
            finish_run(state, queue, data.set, run);
        }
        if op.role.reads_in_gap() || op.need == Need::Stack {
            serve_alone(state, queue, data.set, &[occurrence]);
            continue;
        }
        let free = candidates & !state.occupancy.taken(from, to.max(from + 1)).any();
        let block = state.points.block_of(occurrence.pos);
        run = Some(Run { within, from, to, free, block, occurrences: SmallVec::from_slice(&[occurrence]) });
    }
    if let Some(run) = run {
        finish_run(state, queue, data.set, run);
    }
}

/// Adds an operand to a run if it is in the same live range and block and some register is free all
/// the way. Operands of one instruction always stay together: a value is in one place at a time.
fn extend(state: &State, run: &mut Run, within: Range, occurrence: Occurrence, to: u32, stage: Stage) -> bool {
    let same_instruction = run.occurrences.last().is_some_and(|o| o.pos == occurrence.pos);
    if run.within != within
        || run.block != state.points.block_of(occurrence.pos)
        || !(same_instruction || stage == Stage::Global)
    {
        return false;
    }
    if to > run.to {
        let free = run.free & !state.occupancy.taken(run.to, to).any();
        if free == 0 && !same_instruction {
            return false;
        }
        run.free = free;
        run.to = to;
    }
    run.occurrences.push(occurrence);
    true
}

/// Makes a run a small bundle if that saves memory accesses, else serves its operands one by one.
fn finish_run(state: &mut State, queue: &mut Queue, set: u32, run: Run) {
    let remat = state.sets[set as usize].remat != NONE;
    let frequency = state.problem.blocks[run.block as usize].frequency;
    let role = |o: &Occurrence| o.role;
    let defines = run.occurrences.iter().any(|o| role(o).writes());
    let starts_with_def = role(&run.occurrences[0]).writes() && role(&run.occurrences[0]) != Role::Mod;
    let in_memory: f32 = run.occurrences.iter().map(|&o| state.memory_cost(o)).sum();
    let mut in_register = if starts_with_def { 0.0 } else { frequency };
    if defines && !remat {
        in_register += frequency;
    }
    let several = run.occurrences.iter().any(|o| o.pos != run.occurrences[0].pos);
    if !several || in_memory <= in_register {
        let groups: SmallVec<[SmallVec<[Occurrence; 4]>; 4]> =
            run.occurrences.chunk_by(|a, b| a.pos == b.pos).map(SmallVec::from_slice).collect();
        for group in groups {
            serve_alone(state, queue, set, &group);
        }
        return;
    }
    // A value that changes, or that may come from another register, must be stored in a gap: the
    // piece ends before one.
    let mut to = run.to;
    if defines || run.from == run.within.from {
        to = (to + (to & 1)).min(run.within.to);
    }
    let piece =
        add_piece(state, set, &[Range { from: run.from, to, tag: run.within.tag }], &run.occurrences, Stage::Local);
    queue.push(state, piece);
}

/// Serves operands of one vreg at one instruction: from memory where that is allowed, else in a
/// register of their own.
fn serve_alone(state: &mut State, queue: &mut Queue, set: u32, group: &[Occurrence]) {
    let remat = state.sets[set as usize].remat != NONE;
    let mut piece: Option<Range> = None;
    let mut in_piece: SmallVec<[Occurrence; 4]> = SmallVec::new();
    let needs_register = |op: &Occurrence| match op.role {
        Role::UseEarly | Role::UseLate | Role::Mod => op.need == Need::Reg || remat,
        Role::Def | Role::DefEarly => op.need == Need::Reg && !remat,
        Role::DefTied => true,
        _ => false,
    };
    let any = group.iter().any(&needs_register);
    for &occurrence in group {
        let op = occurrence;
        let (from, to) = op.role.occupies(occurrence.pos);
        let direct = matches!(op.role, Role::UseEarly | Role::UseLate | Role::Mod | Role::Def | Role::DefEarly);
        // The temporary of an added copy is written in the gap and read at once: one place for
        // both.
        let together = matches!(op.role, Role::UseEarly | Role::DefCopy);
        if needs_register(&op) || (any && together && op.need == Need::Any) {
            piece = Some(piece.map_or(Range { from, to, tag: op.vreg }, |p| Range {
                from: p.from.min(from),
                to: p.to.max(to),
                tag: op.vreg,
            }));
            in_piece.push(occurrence);
        } else if direct || op.role == Role::DefCopy {
            if remat {
                state.places[occurrence.op as usize] = Allocation::NONE;
            } else {
                state.places[occurrence.op as usize] = Allocation::slot(set);
                state.sets[set as usize].uses_slot = true;
            }
        }
    }
    if let Some(range) = piece {
        let piece = add_piece(state, set, &[range], &in_piece, Stage::Minimal);
        queue.push(state, piece);
    }
}
