//! Looks for a way from the entry to a read that passes no store and contradicts itself nowhere.

use std::collections::VecDeque;

use cranelift_entity::{EntitySet, SecondaryMap};
use ir::analysis::Cfg;
use ir::{Block, Function, Inst, InstView, IntCc, Opcode, Type, Value};
use rustc_hash::FxHashMap;

use super::facts::{Code, Facts, Outcome, Term, TermId, Terms};
use super::{Reads, is_whole};

/// Instructions evaluated for one read, over all ways tried. Ways that are worth a warning are
/// found in a few hundred.
pub const MAX_STEPS: usize = 20_000;
/// Instructions evaluated for all reads of a function.
const MAX_TOTAL_STEPS: usize = 1_000_000;
/// How often a way may come through one block.
const MAX_ROUNDS: usize = 12;

/// A way that was found.
pub struct Way {
    /// Nothing had to be assumed: the program always takes it.
    pub unconditional: bool,
}

/// Evaluates a function along ways.
pub struct Evaluator<'a> {
    func: &'a Function,
    cfg: &'a Cfg,
    /// Allocas.
    allocas: EntitySet<Value>,
    /// Those of them with which something else is done than to load and store them as a whole.
    given_away: EntitySet<Value>,
    /// Values that are used in other blocks than their own.
    global: EntitySet<Value>,
    terms: Terms,
    total: usize,
}

/// How far a way has come.
#[derive(Clone, Default)]
struct State {
    /// What plain allocas hold.
    memory: FxHashMap<Value, TermId>,
    /// What was stored last to other addresses.
    elsewhere: FxHashMap<TermId, (Type, TermId)>,
    values: FxHashMap<Value, TermId>,
    facts: Facts,
    rounds: FxHashMap<Block, usize>,
    unconditional: bool,
}

impl<'a> Evaluator<'a> {
    /// An evaluator for one function.
    pub fn new(func: &'a Function, cfg: &'a Cfg) -> Evaluator<'a> {
        let mut allocas = EntitySet::new();
        let mut global = EntitySet::new();
        let mut given_away = EntitySet::new();
        let mut home: SecondaryMap<Value, u32> = SecondaryMap::new();
        for block in func.blocks() {
            for inst in func.block_insts(block) {
                if func.insts[inst].opcode == Opcode::Alloca {
                    allocas.insert(func.first_result(inst));
                }
                func.results(inst).for_each(|value| home[value] = block.as_u32() + 1);
            }
        }
        for block in func.blocks() {
            for inst in func.block_insts(block) {
                let data = func.insts[inst];
                for (at, value) in func.operands(inst).enumerate() {
                    if home[value] != block.as_u32() + 1 {
                        global.insert(value);
                    }
                    let Some(alloca) = func.def_with(value, Opcode::Alloca) else {
                        continue;
                    };
                    let size = func.alloca_info(alloca).0;
                    let whole = match data.opcode {
                        Opcode::Load => !data.is_volatile() && is_whole(data.ty, size),
                        Opcode::Store if at == 0 => {
                            let ty = func.value_type(func.operand(inst, 1));
                            !data.is_volatile() && is_whole(ty, size)
                        }
                        Opcode::LifetimeStart | Opcode::LifetimeEnd => true,
                        _ => false,
                    };
                    if !whole {
                        given_away.insert(value);
                    }
                }
            }
        }
        Evaluator { func, cfg, allocas, given_away, global, terms: Terms::default(), total: 0 }
    }

    /// A possible way to `load` in `target`, if one is found.
    pub fn find_way(&mut self, reads: &Reads, target: Block, load: Inst) -> Option<Way> {
        let distance = self.distances(reads, target);
        let mut steps = 0;
        let mut work = vec![(self.func.entry(), State { unconditional: true, ..State::default() })];
        while let Some((block, mut state)) = work.pop() {
            let rounds = state.rounds.entry(block).or_default();
            *rounds += 1;
            if *rounds > MAX_ROUNDS {
                continue;
            }
            let stop = (block == target).then_some(load);
            let used = self.run_block(&mut state, block, stop) + (state.memory.len() + state.elsewhere.len()) / 4;
            steps += used;
            self.total += used;
            if steps > MAX_STEPS || self.total > MAX_TOTAL_STEPS {
                return None;
            }
            if block == target {
                return Some(Way { unconditional: state.unconditional });
            }
            if reads.setting.contains(block) {
                continue;
            }
            let mut next = self.branch(&state, block);
            next.retain(|(to, _)| distance.contains_key(to));
            // The nearest is tried first.
            next.sort_by_key(|(to, _)| std::cmp::Reverse(distance[to]));
            work.extend(next);
        }
        None
    }

    /// Edges to the target along ways without a store.
    fn distances(&self, reads: &Reads, target: Block) -> FxHashMap<Block, usize> {
        let mut distance = FxHashMap::default();
        distance.insert(target, 0);
        let mut queue = VecDeque::from([target]);
        while let Some(block) = queue.pop_front() {
            let next = distance[&block] + 1;
            for &pred in self.cfg.preds(block) {
                if reads.on_the_way.contains(pred) && !reads.setting.contains(pred) && !distance.contains_key(&pred) {
                    distance.insert(pred, next);
                    queue.push_back(pred);
                }
            }
        }
        distance
    }

    /// Evaluates a block up to `stop`; the number of instructions.
    fn run_block(&mut self, state: &mut State, block: Block, stop: Option<Inst>) -> usize {
        let mut count = 1;
        for inst in self.func.block_insts(block) {
            if Some(inst) == stop {
                break;
            }
            count += 1;
            let data = self.func.insts[inst];
            if data.opcode == Opcode::Store && self.is_plain(self.func.operand(inst, 0)) {
                let value = self.term(state, self.func.operand(inst, 1));
                state.memory.insert(self.func.operand(inst, 0), value);
            } else if data.opcode == Opcode::Store {
                let (address, value) = (self.func.operand(inst, 0), self.func.operand(inst, 1));
                let (address, ty) = (self.term(state, address), self.func.value_type(value));
                let value = self.term(state, value);
                state.elsewhere.insert(address, (ty, value));
            } else if let Some(result) = self.func.result(inst)
                && data.opcode != Opcode::Alloca
            {
                let term = self.evaluate(state, inst);
                state.values.insert(result, term);
            }
        }
        count
    }

    /// An alloca of which all is known.
    fn is_plain(&self, address: Value) -> bool {
        self.allocas.contains(address) && !self.given_away.contains(address)
    }

    fn term(&mut self, state: &State, value: Value) -> TermId {
        if let Some(bits) = self.func.const_bits(value) {
            return self.terms.intern(Term::Constant(self.func.value_type(value), bits));
        }
        match state.values.get(&value) {
            Some(&term) => term,
            None => self.terms.intern(Term::Opaque(value)),
        }
    }

    fn evaluate(&mut self, state: &mut State, inst: Inst) -> TermId {
        let func = self.func;
        let data = func.insts[inst];
        if data.opcode == Opcode::Load
            && let Some(&term) = state.memory.get(&func.operand(inst, 0))
        {
            return term;
        }
        let several = func.results(inst).len() > 1;
        let opaque = matches!(
            data.opcode,
            Opcode::Undef | Opcode::Asm | Opcode::Phi | Opcode::DynAlloca | Opcode::StackSave | Opcode::AtomicRmw
        );
        if several || opaque || func.num_operands(inst) == 0 {
            return self.terms.intern(Term::Opaque(func.first_result(inst)));
        }
        let operands: Vec<TermId> = func.operands(inst).map(|o| self.term(state, o)).collect();
        if data.opcode == Opcode::Load
            && let Some(&(ty, value)) = state.elsewhere.get(&operands[0])
            && ty == data.ty
        {
            // Unless something has changed it meanwhile.
            state.unconditional = false;
            return value;
        }
        let from = func.value_type(func.operand(inst, 0));
        let code = match data.view() {
            InstView::ICmp { cc, .. } => Code::Int(cc),
            InstView::FCmp { cc, .. } => Code::Float(cc),
            InstView::Intrinsic { intrinsic, .. } => Code::Intrinsic(intrinsic),
            InstView::Shuffle { mask, .. } => Code::Mask(mask),
            _ => Code::None,
        };
        self.terms.operation(data.opcode, data.ty, from, code, operands)
    }

    /// The successors of the end of a block.
    fn branch(&mut self, state: &State, block: Block) -> Vec<(Block, State)> {
        let func = self.func;
        let terminator = func.terminator(block);
        let data = func.insts[terminator];
        let mut out = Vec::new();
        match data.opcode {
            Opcode::CondBr => {
                let condition = self.term(state, func.operand(terminator, 0));
                let (then, els) = data.dests();
                for (to, outcome) in [(els, false), (then, true)] {
                    let mut next = state.clone();
                    let result = next.facts.assume(&mut self.terms, condition, outcome);
                    self.go(&mut out, next, to, result);
                }
            }
            Opcode::Switch => {
                let value = func.operand(terminator, 0);
                let (term, ty) = (self.term(state, value), func.value_type(value));
                let cases = func.switch(terminator).clone();
                let mut default = state.clone();
                let mut last = Outcome::Known;
                for &(case, to) in &cases.cases {
                    let case = u128::from(case) & ty.mask();
                    let mut next = state.clone();
                    let result = next.facts.compare(&mut self.terms, term, ty, IntCc::Eq, case);
                    self.go(&mut out, next, to, result);
                    if last != Outcome::Doubtful {
                        match default.facts.compare(&mut self.terms, term, ty, IntCc::Ne, case) {
                            Outcome::Known => {}
                            other => last = other,
                        }
                    }
                }
                self.go(&mut out, default, cases.default, last);
            }
            Opcode::Br => {
                let next = state.clone();
                self.go(&mut out, next, data.dest(), Outcome::Known);
            }
            // Where computed jumps and the jumps of assembly go is not known.
            _ => {}
        }
        out
    }

    fn go(&self, out: &mut Vec<(Block, State)>, mut state: State, to: Block, outcome: Outcome) {
        if outcome == Outcome::Doubtful {
            return;
        }
        state.unconditional &= outcome == Outcome::Known;
        state.values.retain(|&value, _| self.global.contains(value));
        out.push((to, state));
    }
}
