//! Phi webs coalesced into classes.
//!
//! After Boissinot, Darte, Rastello, Dupont de Dinechin and Guillon, "Revisiting Out-of-SSA
//! Translation" (CGO 2009): a phi and an operand may share a register unless some values of their
//! classes are live at once *and* differ. Two differences from the paper:
//! - Edges are thought of as split, so no copies need to be inserted and removed again around phis:
//!   an operand is live to the end of its predecessor, a phi from the start of its block, and the
//!   copies of one edge are parallel.
//! - Classes grow large (the variables of an interpreter loop), and the paper's test walks both
//!   classes. Here a class is a set of live ranges in which those of the smaller class are looked
//!   up; a member joins in time logarithmic in the size of its class.
//!
//! A value that is live across a call that may return again (setjmp) must be found unchanged at the
//! second return, which no edge leads to: it counts as live everywhere, so that nothing else gets
//! into its register.
//!
//! Values are equal when they are conversions without effect of one value (`ptrtoint`, `inttoptr`).
//! Liveness is computed only for the values of phi webs, from their uses backward; its cost is the
//! size of the ranges.

use cranelift_entity::EntityRef;
use ir::analysis::Cfg;
use ir::{Block, Function, Inst, Opcode, Type, Value, ValueDef};

use super::NO_CLASS;
use base::range_set::{Range, RangeSet, Span};
use base::union_find::find;

/// Points of the function: two per instruction, and two each for the start and the end of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Positions {
    /// By instruction; `u32::MAX` for those made later.
    inst: Vec<u32>,
    /// By block: start and end position.
    block: Vec<(u32, u32)>,
    /// Blocks in layout order, with their start positions ascending.
    order: Vec<Block>,
}

impl Positions {
    fn new(func: &Function) -> Positions {
        let mut positions = Positions {
            inst: vec![u32::MAX; func.num_insts()],
            block: vec![(0, 0); func.num_blocks()],
            order: Vec::with_capacity(func.num_blocks()),
        };
        let mut next = 0;
        for block in func.blocks() {
            let start = next;
            next += 1;
            for inst in func.block_insts(block) {
                if func.insts[inst].opcode != Opcode::Phi {
                    positions.inst[inst.index()] = next;
                    next += 1;
                }
            }
            positions.block[block.index()] = (start, next);
            positions.order.push(block);
            next += 1;
        }
        positions
    }

    /// The position of an instruction that existed when the classes were made.
    pub fn of(&self, inst: Inst) -> Option<u32> {
        self.inst.get(inst.index()).copied().filter(|&p| p != u32::MAX)
    }
}

/// Classes with their live ranges, kept for [`super::PhiElimination::is_live_at`].
#[derive(Clone, Debug, Default)]
pub(super) struct Classes {
    /// By value.
    pub class_of: Vec<u32>,
    /// By class: what is live, tagged with value numbers.
    pub live: Vec<RangeSet>,
    /// The arena of `live`.
    pub arena: Vec<Range>,
    /// Where instructions are.
    pub positions: Positions,
}

/// The values of phi webs: phis and their operands that are not constants.
struct Web {
    values: Vec<Value>,
    /// By value: index in `values`, or `u32::MAX`.
    index_of: Vec<u32>,
}

impl Web {
    fn find(func: &Function) -> Web {
        let mut web = Web { values: Vec::new(), index_of: vec![u32::MAX; func.num_values()] };
        for block in func.blocks() {
            for phi in func.phis(block) {
                web.add(func.first_result(phi));
                for (value, _) in func.phi_entries(phi) {
                    if func.constant(value).is_none() {
                        web.add(value);
                    }
                }
            }
        }
        web
    }

    fn add(&mut self, value: Value) {
        let index = &mut self.index_of[value.index()];
        if *index == u32::MAX {
            *index = self.values.len() as u32;
            self.values.push(value);
        }
    }

    fn of(&self, value: Value) -> Option<usize> {
        let index = self.index_of[value.index()];
        (index != u32::MAX).then_some(index as usize)
    }
}

/// Computes the classes. `frequency` weighs the copies that coalescing saves.
pub(super) fn coalesce(func: &Function, cfg: &Cfg, frequency: &dyn Fn(Block) -> f32) -> Classes {
    let web = Web::find(func);
    let positions = Positions::new(func);
    let mut arena: Vec<Range> = Vec::new();
    let numbers: Vec<u32> = web.values.iter().map(|&v| value_number(func, v)).collect();
    let spans = live_ranges(func, cfg, &web, &positions, &numbers, &mut arena);
    let mut sets: Vec<RangeSet> = spans.iter().map(|&span| RangeSet::from_run(span)).collect();
    let mut parent: Vec<u32> = (0..web.values.len() as u32).collect();
    let equal_values = {
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        sorted.windows(2).any(|w| w[0] == w[1])
    };
    let mut affinities: Vec<(u32, u32, u32, u32)> = Vec::new();
    for &block in cfg.postorder() {
        for phi in func.phis(block) {
            let result = func.first_result(phi);
            for (value, pred) in func.phi_entries(phi) {
                if value == result {
                    continue;
                }
                if let (Some(phi), Some(operand)) = (web.of(result), web.of(value)) {
                    let weight = edge_frequency(cfg, pred, block, frequency);
                    let number = affinities.len() as u32;
                    affinities.push((!weight.max(0.0).to_bits(), number, phi as u32, operand as u32));
                }
            }
        }
    }
    affinities.sort_unstable();
    for (_, _, phi, operand) in affinities {
        let (a, b) = (find(&mut parent, phi), find(&mut parent, operand));
        if a == b || sets[a as usize].overlaps(&sets[b as usize], &arena, equal_values) {
            continue;
        }
        let (small, large) = if sets[a as usize].len() <= sets[b as usize].len() { (a, b) } else { (b, a) };
        let absorbed = std::mem::take(&mut sets[small as usize]);
        sets[large as usize].absorb(absorbed, &mut arena);
        parent[small as usize] = large;
    }
    let mut classes = Classes { class_of: vec![NO_CLASS; func.num_values()], arena, positions, ..Classes::default() };
    // Classes in order of their first phis; operands that joined none have none.
    let mut class_of_root = vec![NO_CLASS; web.values.len()];
    for block in func.blocks() {
        for phi in func.phis(block) {
            let Some(index) = web.of(func.first_result(phi)) else { continue };
            let root = find(&mut parent, index as u32) as usize;
            if class_of_root[root] == NO_CLASS {
                class_of_root[root] = classes.live.len() as u32;
                classes.live.push(std::mem::take(&mut sets[root]));
            }
        }
    }
    for value in (0..func.num_values()).map(Value::new) {
        let Some(index) = web.of(value) else { continue };
        let class = class_of_root[find(&mut parent, index as u32) as usize];
        if class != NO_CLASS {
            classes.class_of[value.index()] = class;
        }
    }
    classes
}

/// The estimated number of executions of an edge.
fn edge_frequency(cfg: &Cfg, pred: Block, succ: Block, frequency: &dyn Fn(Block) -> f32) -> f32 {
    if cfg.succs(pred).len() == 1 { frequency(pred) } else { frequency(pred).min(frequency(succ)) }
}

/// Values with equal numbers are equal: conversions between pointers and integers of 64 bits are
/// looked through.
pub(super) fn value_number(func: &Function, mut value: Value) -> u32 {
    while let ValueDef::Result(inst, _) = func.value_def(value) {
        let data = func.insts[inst];
        if !matches!(data.opcode, Opcode::PtrToInt | Opcode::IntToPtr) {
            break;
        }
        let operand = func.operand(inst, 0);
        let wide = |ty: Type| ty == Type::PTR || ty == Type::I64;
        if !wide(data.ty) || !wide(func.value_type(operand)) || func.constant(operand).is_some() {
            break;
        }
        value = operand;
    }
    value.as_u32()
}

/// A read of a web value: (web index, block, position).
#[derive(Copy, Clone)]
struct Use {
    value: u32,
    block: Block,
    pos: u32,
}

/// The live ranges of the web's values, tagged with `numbers`, one sorted run each.
fn live_ranges(
    func: &Function,
    cfg: &Cfg,
    web: &Web,
    positions: &Positions,
    numbers: &[u32],
    arena: &mut Vec<Range>,
) -> Vec<Span> {
    let count = web.values.len();
    let (uses, starts) = uses_by_value(func, web, positions);
    let blocks = func.num_blocks();
    let (mut live_in, mut live_out) = (vec![0u32; blocks], vec![0u32; blocks]);
    let mut worklist: Vec<Block> = Vec::new();
    let mut touched: Vec<(u32, Block)> = Vec::new();
    let mut spans = Vec::with_capacity(count);
    let second_returns = second_returns(func, positions);
    let everywhere = 2 * positions.block.iter().map(|b| b.1).max().unwrap_or(0) + 2;
    for value in 0..count {
        let stamp = value as u32 + 1;
        let (def_block, from) = definition(func, positions, web.values[value]);
        let own = &uses[starts[value] as usize..starts[value + 1] as usize];
        touched.clear();
        touched.push((positions.block[def_block.index()].0, def_block));
        for u in own {
            if u.block != def_block && live_in[u.block.index()] != stamp {
                live_in[u.block.index()] = stamp;
                touched.push((positions.block[u.block.index()].0, u.block));
                worklist.push(u.block);
            }
        }
        while let Some(block) = worklist.pop() {
            for &pred in cfg.preds(block) {
                live_out[pred.index()] = stamp;
                if pred != def_block && live_in[pred.index()] != stamp {
                    live_in[pred.index()] = stamp;
                    touched.push((positions.block[pred.index()].0, pred));
                    worklist.push(pred);
                }
            }
        }
        touched.sort_unstable_by_key(|t| t.0);
        let first = arena.len();
        let mut next = 0;
        for &(start, block) in &touched {
            let begin = if block == def_block { from } else { 2 * start };
            let end_pos = positions.block[block.index()].1;
            let mut end = begin + 1;
            // Uses are in order of position.
            while next < own.len() && own[next].pos <= end_pos {
                end = end.max(2 * own[next].pos + 1);
                next += 1;
            }
            if live_out[block.index()] == stamp {
                end = 2 * end_pos + 2;
            }
            match arena[first..].last_mut() {
                Some(last) if last.to == begin => last.to = end,
                _ => arena.push(Range { from: begin, to: end, tag: numbers[value] }),
            }
        }
        if arena[first..].iter().any(|&range| is_inside(&second_returns, range)) {
            arena.truncate(first);
            arena.push(Range { from: 0, to: everywhere, tag: numbers[value] });
        }
        spans.push(Span::new(first, arena.len()));
    }
    spans
}

/// The points just after the calls that may return again, ascending.
fn second_returns(func: &Function, positions: &Positions) -> Vec<u32> {
    if !func.calls_setjmp {
        return Vec::new();
    }
    let insts = func.all_insts();
    insts.filter(|&i| func.may_return_again(i)).map(|i| 2 * positions.inst[i.index()] + 1).collect()
}

/// Whether a range begins before one of the points and ends after it.
fn is_inside(points: &[u32], range: Range) -> bool {
    let next = points.partition_point(|&p| p <= range.from);
    points.get(next).is_some_and(|&p| p < range.to)
}

/// All reads of web values, grouped by value, in order of position. A phi reads at the end of its
/// predecessors.
fn uses_by_value(func: &Function, web: &Web, positions: &Positions) -> (Vec<Use>, Vec<u32>) {
    let mut raw: Vec<Use> = Vec::new();
    // What phis read at the end of each block comes from elsewhere; collected first.
    let mut at_ends: Vec<Use> = Vec::new();
    for &block in &positions.order {
        for phi in func.phis(block) {
            for (value, pred) in func.phi_entries(phi) {
                if let Some(value) = web.of(value) {
                    at_ends.push(Use { value: value as u32, block: pred, pos: positions.block[pred.index()].1 });
                }
            }
        }
        let mut at = func.first_non_phi(block);
        while let Some(inst) = at {
            for value in func.operands(inst) {
                if let Some(value) = web.of(value) {
                    raw.push(Use { value: value as u32, block, pos: positions.inst[inst.index()] });
                }
            }
            at = func.next_inst(inst);
        }
    }
    raw.append(&mut at_ends);
    let mut starts = vec![0u32; web.values.len() + 1];
    for u in &raw {
        starts[u.value as usize + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut next = starts.clone();
    let mut uses = raw.clone();
    for u in &raw {
        let slot = &mut next[u.value as usize];
        uses[*slot as usize] = *u;
        *slot += 1;
    }
    for pair in starts.windows(2) {
        uses[pair[0] as usize..pair[1] as usize].sort_unstable_by_key(|u| u.pos);
    }
    (uses, starts)
}

/// The block and point at which a value begins.
fn definition(func: &Function, positions: &Positions, value: Value) -> (Block, u32) {
    match func.value_def(value) {
        ValueDef::Result(inst, _) => {
            let Some(block) = func.inst_block(inst) else { base::bug!("{value} is used but not placed") };
            if func.insts[inst].opcode == Opcode::Phi {
                (block, 2 * positions.block[block.index()].0)
            } else {
                (block, 2 * positions.inst[inst.index()] + 1)
            }
        }
        _ => (func.entry(), 2 * positions.block[func.entry().index()].0),
    }
}
