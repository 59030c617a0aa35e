//! A symbolic checker for register allocations.
//!
//! It runs the allocated program over an abstract state and knows nothing of how the allocation was
//! found.
//!
//! *Lattice.* A state maps each place (register or slot) to the set of vregs whose current value it
//! certainly holds. The order is reverse inclusion per place; the meet at a join is the
//! intersection; "not reached" is the top. Sets only shrink on re-visits, so the iteration ends.
//!
//! *Transfer.* Before an instruction the inserted operations run in order:
//! - `Move from -> to`: `S'[to] = S[from]`, without vregs that are wider than the move. The first
//!   bytes of those are what a copy to a narrower vreg that follows at once needs.
//! - `Swap a, b`: exchanges `S[a]` and `S[b]`.
//! - `Rematerialize v -> to`: `S'[to] = {v}`, right because `v` has one definition and its recipe
//!   no inputs.
//!
//! A parallel copy `d1.. = s1..` then means, for every place: `S'[p] = (S[p] - {d..}) + {di : si in
//! S[p]}`. Any other instruction
//! 1. needs `v in S[place]` for every read of `v`, and every constraint met;
//! 2. for early definitions `v`: removes `v` everywhere, `S'[place] = {v}`;
//! 3. needs late reads to be untouched by that;
//! 4. clears clobbered registers;
//! 5. for late definitions as in 2.
//!
//! A read of a vreg that some path from the entry reaches without a definition is not an error: its
//! value is arbitrary.

use std::collections::BTreeMap;

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

use super::problem::*;

/// Above this many instructions the checker runs only on request: it is not linear.
pub const DEBUG_LIMIT: usize = 30_000;

/// Sorted vregs.
type Values = Vec<VReg>;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct State {
    places: BTreeMap<Allocation, Values>,
    /// What was moved in part just before a copy, with the bytes: the copy may need no more.
    in_part: Vec<(Allocation, u8, Values)>,
}

impl State {
    fn holds(&self, place: Allocation, vreg: VReg) -> bool {
        self.places.get(&place).is_some_and(|values| values.binary_search(&vreg).is_ok())
    }

    fn forget(&mut self, vreg: VReg) {
        self.places.retain(|_, values| {
            if let Ok(at) = values.binary_search(&vreg) {
                values.remove(at);
            }
            !values.is_empty()
        });
    }

    fn define(&mut self, vreg: VReg, place: Allocation) {
        self.forget(vreg);
        if !place.is_none() {
            self.places.insert(place, vec![vreg]);
        }
    }

    fn set(&mut self, place: Allocation, values: Values) {
        if values.is_empty() {
            self.places.remove(&place);
        } else {
            self.places.insert(place, values);
        }
    }

    fn get(&self, place: Allocation) -> Values {
        self.places.get(&place).cloned().unwrap_or_default()
    }

    /// Keeps what `other` agrees with. Gives whether anything was lost.
    fn meet(&mut self, other: &State) -> bool {
        let mut changed = false;
        self.places.retain(|&place, values| {
            let before = values.len();
            match other.places.get(&place) {
                Some(theirs) => values.retain(|v| theirs.binary_search(v).is_ok()),
                None => values.clear(),
            }
            changed |= values.len() != before;
            !values.is_empty()
        });
        changed
    }

    fn apply(&mut self, problem: &Problem, op: MoveOp) {
        match op {
            MoveOp::Move { from, to, bytes } => {
                let (values, wider): (Values, Values) =
                    self.get(from).into_iter().partition(|v| problem.vregs[v.index()].move_bytes <= bytes);
                self.in_part.retain(|p| p.0 != to);
                if !wider.is_empty() {
                    self.in_part.push((to, bytes, wider));
                }
                self.set(to, values);
            }
            MoveOp::Swap { a, b } => {
                let (a, b) = (Allocation::reg(a), Allocation::reg(b));
                let (in_a, in_b) = (self.get(a), self.get(b));
                self.set(a, in_b);
                self.set(b, in_a);
            }
            MoveOp::Rematerialize { vreg, to } => self.set(Allocation::reg(to), vec![vreg]),
        }
    }

    /// A parallel copy of vregs: (source, destination) pairs.
    fn copy(&mut self, problem: &Problem, pairs: &[(VReg, VReg)]) {
        for values in self.places.values_mut() {
            let mut new: Values = values.iter().copied().filter(|v| pairs.iter().all(|p| p.1 != *v)).collect();
            new.extend(pairs.iter().filter(|p| values.binary_search(&p.0).is_ok()).map(|p| p.1));
            new.sort_unstable();
            new.dedup();
            *values = new;
        }
        for (place, bytes, wider) in std::mem::take(&mut self.in_part) {
            let narrowed = |p: &&(VReg, VReg)| wider.contains(&p.0) && problem.vregs[p.1.index()].move_bytes <= bytes;
            let values = self.places.entry(place).or_default();
            values.extend(pairs.iter().filter(narrowed).map(|p| p.1));
            values.sort_unstable();
            values.dedup();
        }
        self.places.retain(|_, values| !values.is_empty());
    }
}

struct Checker<'a> {
    problem: &'a Problem,
    result: &'a Allocations,
    edge_moves: FxHashMap<(BlockIndex, BlockIndex), Vec<MoveOp>>,
    /// Start of each instruction's inserted operations.
    first_move: Vec<u32>,
}

/// Checks a result of [`super::allocate`] against its problem (whose predecessor lists are filled
/// in).
pub fn check(problem: &Problem, result: &Allocations) -> Result<(), String> {
    let mut edge_moves: FxHashMap<(BlockIndex, BlockIndex), Vec<MoveOp>> = FxHashMap::default();
    for m in &result.edge_moves {
        edge_moves.entry((m.pred, m.succ)).or_default().push(m.op);
    }
    let mut first_move = Vec::with_capacity(problem.insts.len() + 1);
    let mut at = 0;
    for inst in 0..problem.insts.len() {
        first_move.push(at);
        while result.moves.get(at as usize).is_some_and(|m| m.before.index() == inst) {
            at += 1;
        }
    }
    first_move.push(at);
    if at as usize != result.moves.len() {
        return Err("inserted moves are not in order".into());
    }
    let checker = Checker { problem, result, edge_moves, first_move };
    checker.check_moves()?;
    let mut entry: Vec<Option<State>> = vec![None; problem.blocks.len()];
    entry[0] = Some(State::default());
    let mut worklist = vec![BlockIndex::new(0)];
    let mut queued = vec![false; problem.blocks.len()];
    while let Some(block) = worklist.pop() {
        queued[block.index()] = false;
        let Some(mut state) = entry[block.index()].clone() else { continue };
        checker.run_block(block, &mut state, false)?;
        for &succ in problem.succs(block) {
            let mut out = state.clone();
            if let Some(moves) = checker.edge_moves.get(&(block, succ)) {
                moves.iter().for_each(|&op| out.apply(problem, op));
                out.in_part.clear();
            }
            let changed = match &mut entry[succ.index()] {
                Some(known) => known.meet(&out),
                none => {
                    *none = Some(out);
                    true
                }
            };
            if changed && !queued[succ.index()] {
                queued[succ.index()] = true;
                worklist.push(succ);
            }
        }
    }
    for (index, state) in entry.into_iter().enumerate() {
        if let Some(mut state) = state {
            checker.run_block(BlockIndex::new(index), &mut state, true)?;
        }
    }
    Ok(())
}

impl Checker<'_> {
    /// No operation is memory to memory; slots exist and are wide enough; no register is written
    /// that may not be.
    fn check_moves(&self) -> Result<(), String> {
        let config = &self.problem.config;
        let allowed: u64 = config.order.iter().fold(config.reserved.0, |mask, r| mask | 1 << r.0);
        let saved = self.problem.config.callee_saved.0 & !self.result.used_callee_saved.0;
        let writable = |reg: Reg| allowed >> reg.0 & 1 != 0 && saved >> reg.0 & 1 == 0;
        let all = self.result.moves.iter().map(|m| m.op).chain(self.result.edge_moves.iter().map(|m| m.op));
        for op in all {
            let fits = |place: Allocation, bytes: u8| match place.as_slot() {
                Some(slot) => self.result.slots.get(slot as usize).is_some_and(|s| s.bytes >= bytes),
                None => place.as_reg().is_some_and(|r| matches!(bytes, 4 | 8) || r.is_xmm()),
            };
            let fine = match op {
                MoveOp::Move { from, to, bytes } => {
                    (from.as_reg().is_some() || to.as_reg().is_some())
                        && fits(from, bytes)
                        && fits(to, bytes)
                        && to.as_reg().is_none_or(writable)
                }
                MoveOp::Swap { a, b } => a.is_gpr() && b.is_gpr() && writable(a) && writable(b),
                MoveOp::Rematerialize { vreg, to } => {
                    let data = &self.problem.vregs[vreg.index()];
                    data.remat_recipe().is_some() && data.class == RegClass::of(to) && writable(to)
                }
            };
            if !fine {
                return Err(format!("bad operation {op:?}"));
            }
        }
        for (operand, place) in self.problem.operands.iter().zip(&self.result.operands) {
            let fixed = matches!(operand.constraint(), Constraint::Fixed(_));
            if let Some(reg) = place.as_reg()
                && operand.writes()
                && (saved >> reg.0 & 1 != 0 || (!fixed && allowed >> reg.0 & 1 == 0))
            {
                return Err(format!("{operand:?} writes {reg:?}, which is not saved"));
            }
        }
        Ok(())
    }

    fn run_block(&self, block: BlockIndex, state: &mut State, verify: bool) -> Result<(), String> {
        let data = &self.problem.blocks[block.index()];
        for inst in data.first..data.end {
            let inst = InstIndex::new(inst as usize);
            let moves = self.first_move[inst.index()] as usize..self.first_move[inst.index() + 1] as usize;
            self.result.moves[moves].iter().for_each(|m| state.apply(self.problem, m.op));
            self.run_inst(block, inst, state, verify)
                .map_err(|error| format!("{inst} in {block}: {error}; state {:?}", state.places))?;
        }
        Ok(())
    }

    fn run_inst(&self, block: BlockIndex, inst: InstIndex, state: &mut State, verify: bool) -> Result<(), String> {
        let range = self.problem.operand_range(inst);
        let operands = &self.problem.operands[range.clone()];
        let places = &self.result.operands[range];
        let facts = &self.problem.insts[inst.index()];
        if facts.flags.contains(InstFlags::MOVE) {
            let pairs: Vec<(VReg, VReg)> = operands.chunks_exact(2).map(|p| (p[0].vreg(), p[1].vreg())).collect();
            state.copy(self.problem, &pairs);
            return Ok(());
        }
        state.in_part.clear();
        // A commutative instruction may read its first two uses the other way around.
        let mut vregs: Vec<VReg> = operands.iter().map(|o| o.vreg()).collect();
        if facts.flags.contains(InstFlags::COMMUTATIVE) && verify {
            let tied = operands.iter().find_map(|o| match o.constraint() {
                Constraint::Reuse(k) => Some(k as usize),
                _ => None,
            });
            if let Some(k) = tied
                && !(state.holds(places[k], vregs[k]) && state.holds(places[k + 1], vregs[k + 1]))
            {
                vregs.swap(k, k + 1);
            }
        }
        if verify {
            self.check_constraints(operands, places)?;
            for (at, operand) in operands.iter().enumerate() {
                if operand.reads()
                    && !state.holds(places[at], vregs[at])
                    && !self.maybe_undefined(block, inst, vregs[at])
                {
                    return Err(format!("{operand:?} reads {:?}", places[at]));
                }
            }
            self.check_overlap(operands, places, facts.clobbers)?;
        }
        for (operand, &place) in operands.iter().zip(places) {
            if operand.kind() == OperandKind::Def && operand.pos() == OperandPos::Early {
                state.define(operand.vreg(), place);
            }
        }
        for reg in 0..32 {
            if facts.clobbers >> reg & 1 != 0 {
                state.set(Allocation::reg(Reg(reg)), Values::new());
            }
        }
        for (operand, &place) in operands.iter().zip(places) {
            let late = operand.kind() == OperandKind::Def && operand.pos() == OperandPos::Late;
            if late || operand.kind() == OperandKind::UseDef {
                state.define(operand.vreg(), place);
            }
        }
        Ok(())
    }

    fn check_constraints(&self, operands: &[Operand], places: &[Allocation]) -> Result<(), String> {
        for (operand, &place) in operands.iter().zip(places) {
            let vreg = &self.problem.vregs[operand.vreg().index()];
            let in_class = place.as_reg().is_some_and(|r| RegClass::of(r) == vreg.class);
            let in_slot = place
                .as_slot()
                .is_some_and(|s| self.result.slots.get(s as usize).is_some_and(|s| s.bytes >= vreg.spill_bytes));
            let skipped = place.is_none() && operand.kind() == OperandKind::Def && vreg.remat_recipe().is_some();
            let met = match operand.constraint() {
                Constraint::Reg => in_class || skipped,
                Constraint::Any => in_class || in_slot || skipped,
                Constraint::Fixed(reg) => place == Allocation::reg(reg),
                Constraint::Reuse(k) => in_class && places[k as usize] == place,
                Constraint::Stack => in_slot,
            };
            if !met {
                return Err(format!("{operand:?} is in {place:?}"));
            }
        }
        Ok(())
    }

    /// Definitions differ from one another, early ones from uses, late ones from late uses, and
    /// none is clobbered.
    fn check_overlap(&self, operands: &[Operand], places: &[Allocation], clobbers: u32) -> Result<(), String> {
        for (i, a) in operands.iter().enumerate().filter(|(i, a)| a.writes() && !places[*i].is_none()) {
            if let Some(reg) = places[i].as_reg()
                && clobbers >> reg.0 & 1 != 0
            {
                return Err(format!("{a:?} is clobbered in {reg:?}"));
            }
            let tied = match a.constraint() {
                Constraint::Reuse(k) => Some(k as usize),
                _ => None,
            };
            for (j, b) in operands.iter().enumerate() {
                if i == j || places[i] != places[j] || tied == Some(j) {
                    continue;
                }
                let early = a.pos() == OperandPos::Early || a.kind() == OperandKind::UseDef || tied.is_some();
                let same_value = tied.is_some_and(|k| operands[k].vreg() == b.vreg());
                let clash = b.writes() || (!same_value && (early || b.pos() == OperandPos::Late));
                if clash && !(b.kind() == OperandKind::Use && a.kind() == OperandKind::UseDef && a.vreg() == b.vreg()) {
                    return Err(format!("{a:?} and {b:?} are both in {:?}", places[i]));
                }
            }
        }
        // A late use must not be clobbered either.
        for (operand, place) in operands.iter().zip(places) {
            if let Some(reg) = place.as_reg()
                && operand.kind() == OperandKind::Use
                && operand.pos() == OperandPos::Late
                && clobbers >> reg.0 & 1 != 0
            {
                return Err(format!("{operand:?} is clobbered in {reg:?}"));
            }
        }
        Ok(())
    }

    /// Whether some path from the entry reaches the instruction without a definition of the vreg.
    fn maybe_undefined(&self, block: BlockIndex, inst: InstIndex, vreg: VReg) -> bool {
        let defines = |from: u32, to: u32| {
            (from..to).any(|i| {
                let range = self.problem.operand_range(InstIndex::new(i as usize));
                self.problem.operands[range].iter().any(|o| o.vreg() == vreg && o.writes())
            })
        };
        if defines(self.problem.blocks[block.index()].first, inst.index() as u32) {
            return false;
        }
        let mut seen = vec![false; self.problem.blocks.len()];
        let mut stack = vec![block];
        while let Some(at) = stack.pop() {
            if at.index() == 0 {
                return true;
            }
            for &pred in self.problem.preds(at) {
                let data = &self.problem.blocks[pred.index()];
                if !std::mem::replace(&mut seen[pred.index()], true) && !defines(data.first, data.end) {
                    stack.push(pred);
                }
            }
        }
        false
    }
}
