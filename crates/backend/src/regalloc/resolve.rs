//! From bundles with registers to the places of all operands and the moves that connect the pieces.
//!
//! A vreg whose original bundle was never split is in one register everywhere. Otherwise the pieces
//! that have registers are listed per vreg; where there is none, the value is in its slot (or is
//! rematerialised). Moves are needed where two pieces meet inside a block, on control-flow edges,
//! and for the gap roles: fixed operands, ties and copies. All moves of one gap are parallel.
//!
//! *Stores.* A piece is *dirty* if its register may hold a value that the slot does not: it
//! contains a definition or is entered from a dirty piece. Leaving a dirty piece for the slot costs
//! a store. Where storing right after each definition is not dearer than all those stores, that is
//! done instead, once, and leaving costs nothing.

use cranelift_entity::EntityRef;

use super::bundle::{NO_REG, State};
use super::live_ranges::{NONE, Occurrence, Role};
use super::points::{EdgePlace, edge_frequency, edge_place};
use super::problem::*;
use super::recolour;
use base::range_set::Span;

/// A move to be made in parallel with all others of its place.
#[derive(Copy, Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(super) struct Request {
    /// Where.
    pub at: Where,
    /// Where it goes. Slots are numbers of spill sets.
    pub to: Allocation,
    /// Where it is; `Allocation::NONE`: compute it again.
    pub from: Allocation,
    /// Whose value it is (of `from`).
    pub vreg: u32,
    /// Bytes of it that are moved.
    pub bytes: u8,
}

/// The place of a move.
#[derive(Copy, Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(super) enum Where {
    /// The gap of a position; phase 1 follows phase 0 (edge moves before a terminator).
    Gap {
        /// The position.
        pos: u32,
        /// The phase.
        phase: u8,
    },
    /// On a critical edge.
    Edge {
        /// Block left.
        pred: u32,
        /// Block entered.
        succ: u32,
    },
}

/// A stretch of a vreg in a register.
#[derive(Copy, Clone, Debug)]
struct Piece {
    from: u32,
    to: u32,
    bundle: u32,
}

/// The pieces of vregs whose bundles were split.
pub(super) struct Locations {
    pieces: Vec<Piece>,
    spans: Vec<Span>,
}

/// A change of place of a value. Bundles, `NONE` for the slot.
#[derive(Copy, Clone, Debug)]
pub(super) struct Transition {
    at: Where,
    vreg: u32,
    pub from: u32,
    pub to: u32,
    pub frequency: f32,
}

impl Locations {
    fn build(state: &State) -> Locations {
        let mut counts = vec![0u32; state.live.vregs.len() + 1];
        let split = |b: &&super::bundle::Bundle| b.reg != NO_REG && state.sets[b.set as usize].split;
        for bundle in state.bundles.iter().filter(split) {
            bundle.ranges.of(&state.live.ranges).iter().for_each(|r| counts[r.tag as usize + 1] += 1);
        }
        for at in 1..counts.len() {
            counts[at] += counts[at - 1];
        }
        let spans: Vec<Span> = counts.windows(2).map(|w| Span { start: w[0], end: w[1] }).collect();
        let mut pieces = vec![Piece { from: 0, to: 0, bundle: NONE }; *counts.last().unwrap_or(&0) as usize];
        for (index, bundle) in state.bundles.iter().enumerate() {
            if !split(&bundle) {
                continue;
            }
            for range in bundle.ranges.of(&state.live.ranges) {
                let slot = &mut counts[range.tag as usize];
                pieces[*slot as usize] = Piece { from: range.from, to: range.to, bundle: index as u32 };
                *slot += 1;
            }
        }
        for span in &spans {
            pieces[span.indices()].sort_unstable_by_key(|p| p.from);
        }
        Locations { pieces, spans }
    }

    fn of(&self, vreg: u32) -> &[Piece] {
        self.spans[vreg as usize].of(&self.pieces)
    }

    /// The bundle that holds a split vreg at a point, or `NONE`.
    fn bundle_at(&self, vreg: u32, point: u32) -> u32 {
        let pieces = self.of(vreg);
        let at = pieces.partition_point(|p| p.to <= point);
        pieces.get(at).filter(|p| p.from <= point).map_or(NONE, |p| p.bundle)
    }

    /// Up to where a vreg stays where it is at `point`, as far as its range reaches.
    pub fn stretch_end(&self, state: &State, vreg: u32, point: u32) -> u32 {
        if !state.sets[state.set_of[vreg as usize] as usize].split {
            return u32::MAX;
        }
        let pieces = self.of(vreg);
        let at = pieces.partition_point(|p| p.to <= point);
        pieces.get(at).map_or(u32::MAX, |p| if p.from <= point { p.to } else { p.from })
    }

    /// Where a vreg is at a point where it is live; slots are numbers of spill sets,
    /// `Allocation::NONE` means that it is rematerialised.
    pub fn place_at(&self, state: &State, vreg: u32, point: u32) -> Allocation {
        let set = state.set_of[vreg as usize];
        let data = &state.sets[set as usize];
        let bundle = if data.split { self.bundle_at(vreg, point) } else { data.root };
        place_of(state, set, bundle)
    }
}

/// The place of a piece (`NONE`: of the slot).
fn place_of(state: &State, set: u32, bundle: u32) -> Allocation {
    if bundle != NONE {
        let reg = state.bundles[bundle as usize].reg;
        if reg == NO_REG {
            base::bug!("a live bundle has no place");
        }
        return Allocation::reg(Reg(reg));
    }
    if state.sets[set as usize].remat != NONE { Allocation::NONE } else { Allocation::slot(set) }
}

/// Fills in the places of operands and lists all moves.
pub(super) fn resolve(state: &mut State) -> (Vec<Request>, Locations) {
    let locations = Locations::build(state);
    let transitions = find_transitions(state, &locations);
    recolour::recolour(state, &transitions);
    place_operands(state);
    let mut requests = Vec::new();
    emit_transitions(state, &locations, &transitions, &mut requests);
    terminator_definitions(state, &locations, &mut requests);
    gap_operands(state, &locations, &mut requests);
    for request in &requests {
        for place in [request.from, request.to] {
            if let Some(set) = place.as_slot() {
                state.sets[set as usize].uses_slot = true;
            }
        }
    }
    (requests, locations)
}

/// Operands of bundles with registers are there.
fn place_operands(state: &mut State) {
    for bundle in 0..state.bundles.len() {
        let data = state.bundles[bundle];
        if data.reg == NO_REG {
            continue;
        }
        for at in data.occurrences.indices() {
            let op = state.live.occurrences[at].op as usize;
            if !matches!(state.live.ops[op].role, Role::DefFixed | Role::ModFixed)
                && !state.live.ops[op].role.reads_in_gap()
            {
                state.places[op] = Allocation::reg(Reg(data.reg));
            }
        }
    }
}

/// All changes of place inside blocks and on edges.
fn find_transitions(state: &State, locations: &Locations) -> Vec<Transition> {
    let mut transitions = Vec::new();
    for vreg in 0..state.live.vregs.len() as u32 {
        let set = state.set_of[vreg as usize];
        if set != NONE && state.sets[set as usize].split && !locations.of(vreg).is_empty() {
            transitions_in_blocks(state, locations, vreg, &mut transitions);
            transitions_on_edges(state, locations, vreg, &mut transitions);
        }
    }
    transitions
}

fn transitions_in_blocks(state: &State, locations: &Locations, vreg: u32, transitions: &mut Vec<Transition>) {
    let pieces = locations.of(vreg);
    let mut next = 0;
    for range in state.live.range_spans[vreg as usize].of(&state.live.ranges) {
        let mut at = range.from;
        // The stretch before: its bundle, its beginning, and the bundle before it if it begins in a
        // gap.
        let mut before: Option<(u32, u32, u32)> = None;
        while at < range.to {
            while next < pieces.len() && pieces[next].to <= at {
                next += 1;
            }
            let (bundle, end) = match pieces.get(next) {
                Some(piece) if piece.from <= at => (piece.bundle, piece.to.min(range.to)),
                Some(piece) => (NONE, piece.from.min(range.to)),
                None => (NONE, range.to),
            };
            if let Some((previous, began, earlier)) = before
                && previous != bundle
                && !state.points.is_block_start(at)
                && !state.live.defined_at(vreg, at)
            {
                let pos = at / 2;
                let frequency = state.frequency(pos);
                if at & 1 == 0 {
                    let at = Where::Gap { pos, phase: 0 };
                    transitions.push(Transition { at, vreg, from: previous, to: bundle, frequency });
                } else if bundle != NONE {
                    base::bug!("a live range is split inside an instruction");
                } else if earlier != NONE {
                    // A piece without definitions, entered from a register, that ends with a use:
                    // there is no gap after it, so the slot is filled on the incoming edge.
                    let at = Where::Gap { pos: began / 2, phase: 0 };
                    transitions.push(Transition { at, vreg, from: earlier, to: NONE, frequency });
                }
            }
            let earlier = match before {
                Some((previous, ..)) if at & 1 == 0 => previous,
                _ => NONE,
            };
            before = Some((bundle, at, earlier));
            at = end;
        }
    }
}

fn transitions_on_edges(state: &State, locations: &Locations, vreg: u32, transitions: &mut Vec<Transition>) {
    let (problem, points) = (state.problem, state.points);
    for range in state.live.range_spans[vreg as usize].of(&state.live.ranges) {
        let mut block = points.block_of(range.from / 2);
        if points.block_start(block) < range.from {
            block += 1;
        }
        while (block as usize) < problem.blocks.len() && points.block_start(block) < range.to {
            let to = locations.bundle_at(vreg, points.block_start(block));
            let succ = BlockIndex::new(block as usize);
            for &pred in problem.preds(succ) {
                let end = points.block_end(pred.as_u32()) - 1;
                if state.live.range_at(vreg, end).is_none() {
                    // Defined by the terminator in a fixed register, or undefined on this path.
                    continue;
                }
                let from = locations.bundle_at(vreg, end);
                if from != to {
                    let frequency = edge_frequency(problem, pred, succ);
                    let at = place_of_edge(state, pred, succ);
                    transitions.push(Transition { at, vreg, from, to, frequency });
                }
            }
            block += 1;
        }
    }
}

fn place_of_edge(state: &State, pred: BlockIndex, succ: BlockIndex) -> Where {
    match edge_place(state.problem, pred, succ) {
        EdgePlace::EndOfPred => Where::Gap { pos: state.points.terminator(pred.as_u32()), phase: 1 },
        EdgePlace::StartOfSucc => Where::Gap { pos: state.points.header(succ.as_u32()), phase: 0 },
        EdgePlace::Critical => Where::Edge { pred: pred.as_u32(), succ: succ.as_u32() },
    }
}

/// Decides about stores and turns transitions into moves.
fn emit_transitions(state: &State, locations: &Locations, transitions: &[Transition], requests: &mut Vec<Request>) {
    if !state.sets.iter().any(|s| s.split) {
        return;
    }
    let dirty = dirty_bundles(state, locations, transitions);
    let at_definitions = sets_stored_at_definitions(state, locations, transitions, &dirty);
    for transition in transitions {
        let set = state.set_of[transition.vreg as usize];
        let (from, to) = (place_of(state, set, transition.from), place_of(state, set, transition.to));
        let needed = if to.as_reg().is_some() {
            from != to
        } else {
            !to.is_none() && dirty[transition.from as usize] && !at_definitions[set as usize]
        };
        if needed {
            requests.push(Request {
                at: transition.at,
                to,
                from,
                vreg: transition.vreg,
                bytes: state.live.move_bytes(transition.vreg),
            });
        }
    }
    for (index, bundle) in state.bundles.iter().enumerate() {
        if bundle.reg != NO_REG && at_definitions[bundle.set as usize] {
            store_definitions(state, index as u32, requests);
        }
    }
    for &occurrence in &state.live.fixed {
        let op = occurrence;
        let set = state.set_of[op.vreg as usize];
        if at_definitions[set as usize] && lands_in(state, locations, occurrence).is_some() {
            let (from, to) = (Allocation::reg(Reg(op.reg)), Allocation::slot(set));
            let at = Where::Gap { pos: occurrence.pos + 1, phase: 0 };
            requests.push(Request { at, to, from, vreg: op.vreg, bytes: state.live.move_bytes(op.vreg) });
        }
    }
}

/// The bundle into whose register the value of a definition in a fixed register is moved after the
/// instruction.
fn lands_in(state: &State, locations: &Locations, occurrence: Occurrence) -> Option<u32> {
    let op = &occurrence;
    let behind = 2 * occurrence.pos + 2;
    let alive = op.role.writes()
        && occurrence.pos != state.points.terminator(state.points.block_of(occurrence.pos))
        && state.live.range_at(op.vreg, behind).is_some_and(|r| r.from == behind)
        && !written_in_gap(state, op.vreg, occurrence.pos + 1);
    if !alive || !state.sets[state.set_of[op.vreg as usize] as usize].split {
        return None;
    }
    Some(locations.bundle_at(op.vreg, behind)).filter(|&bundle| bundle != NONE)
}

/// Which bundles may hold a value that their slot does not.
fn dirty_bundles(state: &State, locations: &Locations, transitions: &[Transition]) -> Vec<bool> {
    let mut dirty = vec![false; state.bundles.len()];
    let mut worklist = Vec::new();
    for (index, bundle) in state.bundles.iter().enumerate() {
        if bundle.reg == NO_REG || !state.sets[bundle.set as usize].split {
            continue;
        }
        let occurrences = bundle.occurrences.of(&state.live.occurrences);
        if occurrences.iter().any(writes_itself) {
            dirty[index] = true;
            worklist.push(index as u32);
        }
    }
    for &occurrence in &state.live.fixed {
        if let Some(bundle) = lands_in(state, locations, occurrence)
            && !dirty[bundle as usize]
        {
            dirty[bundle as usize] = true;
            worklist.push(bundle);
        }
    }
    let mut flows: Vec<(u32, u32)> =
        transitions.iter().filter(|t| t.from != NONE && t.to != NONE).map(|t| (t.from, t.to)).collect();
    // Definitions by terminators enter pieces on edges.
    for occurrence in &state.live.fixed {
        let op = occurrence;
        if op.role.writes() && state.points.terminator(state.points.block_of(occurrence.pos)) == occurrence.pos {
            let set = state.set_of[op.vreg as usize];
            for (index, bundle) in state.bundles.iter().enumerate() {
                if bundle.set == set && !dirty[index] {
                    dirty[index] = true;
                    worklist.push(index as u32);
                }
            }
        }
    }
    flows.sort_unstable();
    while let Some(bundle) = worklist.pop() {
        let first = flows.partition_point(|f| f.0 < bundle);
        for &(_, to) in flows[first..].iter().take_while(|f| f.0 == bundle) {
            if !dirty[to as usize] {
                dirty[to as usize] = true;
                worklist.push(to);
            }
        }
    }
    dirty
}

/// The sets whose values are better stored once, after each definition.
fn sets_stored_at_definitions(
    state: &State,
    locations: &Locations,
    transitions: &[Transition],
    dirty: &[bool],
) -> Vec<bool> {
    let mut leaving = vec![0.0f32; state.sets.len()];
    let mut defining = vec![0.0f32; state.sets.len()];
    for transition in transitions {
        if transition.from != NONE && transition.to == NONE && dirty[transition.from as usize] {
            leaving[state.set_of[transition.vreg as usize] as usize] += transition.frequency;
        }
    }
    for bundle in &state.bundles {
        if bundle.reg == NO_REG || leaving[bundle.set as usize] == 0.0 {
            continue;
        }
        for occurrence in bundle.occurrences.of(&state.live.occurrences) {
            if writes_itself(occurrence) {
                let terminator = state.points.terminator(state.points.block_of(occurrence.pos));
                defining[bundle.set as usize] +=
                    if occurrence.pos == terminator { f32::INFINITY } else { occurrence.frequency };
            }
        }
    }
    for &occurrence in &state.live.fixed {
        let op = &occurrence;
        if op.role.writes() && occurrence.pos == state.points.terminator(state.points.block_of(occurrence.pos)) {
            defining[state.set_of[op.vreg as usize] as usize] = f32::INFINITY;
        } else if lands_in(state, locations, occurrence).is_some() {
            defining[state.set_of[op.vreg as usize] as usize] += occurrence.frequency;
        }
    }
    let remat = |set: usize| state.sets[set].remat != NONE;
    (0..state.sets.len()).map(|set| leaving[set] > 0.0 && defining[set] <= leaving[set] && !remat(set)).collect()
}

/// Whether an operand writes its vreg's own place (definitions in fixed registers reach it by a
/// move).
fn writes_itself(occurrence: &Occurrence) -> bool {
    let role = occurrence.role;
    role.writes() && !matches!(role, Role::DefFixed | Role::ModFixed)
}

/// Whether a copy or tie writes the vreg in the gap of a position.
fn written_in_gap(state: &State, vreg: u32, pos: u32) -> bool {
    let occurrences = state.live.occurrences_of(vreg);
    let first = occurrences.partition_point(|o| o.pos < pos);
    occurrences[first..]
        .iter()
        .take_while(|o| o.pos == pos)
        .any(|o| matches!(o.role, Role::DefCopy | Role::DefTied | Role::DefEarly))
}

/// Stores what a bundle's operands define, right after them.
fn store_definitions(state: &State, bundle: u32, requests: &mut Vec<Request>) {
    for &occurrence in state.occurrences(bundle) {
        let op = occurrence;
        let behind = 2 * occurrence.pos + 2;
        let alive = state.live.range_at(op.vreg, behind).is_some_and(|r| r.from < behind);
        if !writes_itself(&occurrence) || !alive {
            continue;
        }
        let from = state.places[occurrence.op as usize];
        let at = Where::Gap { pos: occurrence.pos + 1, phase: 0 };
        requests.push(Request {
            at,
            to: Allocation::slot(state.bundles[bundle as usize].set),
            from,
            vreg: op.vreg,
            bytes: state.live.move_bytes(op.vreg),
        });
    }
}

/// Definitions by terminators in fixed registers reach their vregs' places on the edges.
fn terminator_definitions(state: &State, locations: &Locations, requests: &mut Vec<Request>) {
    for occurrence in &state.live.fixed {
        let op = occurrence;
        let block = state.points.block_of(occurrence.pos);
        if !op.role.writes() || state.points.terminator(block) != occurrence.pos {
            continue;
        }
        let pred = BlockIndex::new(block as usize);
        for &succ in state.problem.succs(pred) {
            let start = state.points.block_start(succ.as_u32());
            if state.live.range_at(op.vreg, start).is_some() {
                let to = locations.place_at(state, op.vreg, start);
                let from = Allocation::reg(Reg(op.reg));
                requests.push(Request {
                    at: place_of_edge(state, pred, succ),
                    to,
                    from,
                    vreg: op.vreg,
                    bytes: state.live.move_bytes(op.vreg),
                });
            }
        }
    }
}

/// Where a value is just before the gap of a position.
fn place_before_gap(state: &State, locations: &Locations, vreg: u32, pos: u32) -> Allocation {
    if state.live.range_at(vreg, 2 * pos - 1).is_some() {
        return locations.place_at(state, vreg, 2 * pos - 1);
    }
    // Defined by the instruction before in a fixed register: it reaches its vreg's place only in
    // this gap.
    let occurrences = state.live.occurrences_of(vreg);
    let first = occurrences.partition_point(|o| o.pos + 1 < pos);
    let fixed = occurrences[first..].iter().take_while(|o| o.pos < pos).find_map(|o| {
        let op = o;
        matches!(op.role, Role::DefFixed | Role::ModFixed).then_some(op.reg)
    });
    match fixed {
        Some(reg) => Allocation::reg(Reg(reg)),
        None => base::bug!("{} is read where it is not live", VReg::new(vreg as usize)),
    }
}

/// Moves for operands that are read or written in gaps; fills in their places.
fn gap_operands(state: &mut State, locations: &Locations, requests: &mut Vec<Request>) {
    for index in 0..state.live.fixed.len() {
        let occurrence = state.live.fixed[index];
        let op = occurrence;
        let reg = Allocation::reg(Reg(op.reg));
        state.places[occurrence.op as usize] = reg;
        if op.role.reads_in_gap() {
            let from = place_before_gap(state, locations, op.vreg, occurrence.pos);
            let at = Where::Gap { pos: occurrence.pos, phase: 0 };
            requests.push(Request { at, to: reg, from, vreg: op.vreg, bytes: state.live.move_bytes(op.vreg) });
        }
        let behind = 2 * occurrence.pos + 2;
        let range = state.live.range_at(op.vreg, behind);
        if let Some(range) = range
            && op.role.writes()
            && occurrence.pos != state.points.terminator(state.points.block_of(occurrence.pos))
            && range.from == behind
            && !written_in_gap(state, op.vreg, occurrence.pos + 1)
        {
            let to = locations.place_at(state, op.vreg, behind);
            let at = Where::Gap { pos: occurrence.pos + 1, phase: 0 };
            requests.push(Request { at, to, from: reg, vreg: op.vreg, bytes: state.live.move_bytes(op.vreg) });
            // A piece without definitions may end with its use, inside an instruction: the slot is
            // filled on the incoming edge.
            let end = locations.stretch_end(state, op.vreg, behind);
            if to.as_reg().is_some() && end & 1 == 1 && end < range.to {
                let slot = Allocation::slot(state.set_of[op.vreg as usize]);
                requests.push(Request {
                    at,
                    to: slot,
                    from: reg,
                    vreg: op.vreg,
                    bytes: state.live.move_bytes(op.vreg),
                });
            }
        }
    }
    for index in 0..state.live.copies.len() {
        let copy = state.live.copies[index];
        let vreg = state.live.ops[copy.src as usize].vreg;
        let from = place_before_gap(state, locations, vreg, copy.pos);
        let to = state.places[copy.dst as usize];
        if to.is_none() {
            continue;
        }
        state.places[copy.src as usize] =
            if state.live.ops[copy.src as usize].role == Role::GapTied { to } else { from };
        let (own, narrowed) =
            (state.live.move_bytes(vreg), state.live.move_bytes(state.live.ops[copy.dst as usize].vreg));
        // The slot of a scalar has no room for the vector that it is the first lane of.
        let bytes = if to.as_slot().is_some() { own.min(narrowed) } else { own };
        requests.push(Request { at: Where::Gap { pos: copy.pos, phase: 0 }, to, from, vreg, bytes });
    }
    // Further uses that read a tied register.
    for op in 0..state.live.ops.len() {
        let data = state.live.ops[op];
        if data.role == Role::GapTied {
            state.places[op] = state.places[data.partner as usize];
        }
    }
}
