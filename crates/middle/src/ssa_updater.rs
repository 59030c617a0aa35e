//! SSA form for values that have several definitions since code was copied or memory promoted.
//!
//! [`Updater`] gives one variable after the other phis on the pruned iterated dominance frontier of
//! its definitions ([`Frontier`]) and says what it is at the start or end of a block; one dominator
//! tree serves all of them. A pass that copies blocks keeps the definitions in [`Redefinitions`],
//! while it goes on changing the graph, and has all of them resolved at once at the end.
//!
//! Cost: linear in the live ranges of the variables outside the blocks that define them.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use ir::analysis::{Cfg, DominatorTree};
use ir::{Block, Builder, DebugValue, Function, Inst, Linear, Opcode, Position, Type, Value, side_table};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::pass::PassContext;
use crate::phis::{simplify_phi_webs, simplify_phis};
use crate::unreachable_blocks::remove_unreachable_blocks;
use ir::analysis::Frontier;

/// A value per block, true for the variable that is numbered with it.
type Marked = SecondaryMap<Block, (u32, PackedOption<Value>)>;

/// Places phis for variables with several definitions.
pub struct Updater<'a> {
    cfg: &'a Cfg,
    dominators: &'a DominatorTree,
    frontier: Frontier,
    /// Number of the current variable.
    variable: u32,
    at_start: Marked,
    at_end: Marked,
    phis: Vec<Inst>,
}

impl<'a> Updater<'a> {
    /// An updater for a function with this graph.
    pub fn new(func: &Function, cfg: &'a Cfg, dominators: &'a DominatorTree) -> Updater<'a> {
        let map = || side_table(func.num_blocks());
        let (frontier, at_start, at_end) = (Frontier::new(func), map(), map());
        Updater { cfg, dominators, frontier, variable: 0, at_start, at_end, phis: Vec::new() }
    }

    /// The blocks that need phis for a variable that has definitions in some blocks and is read at
    /// the start of others.
    pub fn place(
        &mut self,
        definitions: impl Iterator<Item = Block>,
        reads: impl Iterator<Item = Block>,
    ) -> Vec<Block> {
        let mut reads = reads.peekable();
        if reads.peek().is_none() {
            return Vec::new();
        }
        self.frontier.begin(self.cfg, definitions);
        reads.for_each(|block| self.frontier.read(self.cfg, block));
        self.frontier.phi_blocks(self.cfg, self.dominators, true)
    }

    /// Begins with another variable: its values at the end of the blocks that define it (`None`:
    /// undefined), and the blocks where it needs phis.
    pub fn begin(
        &mut self,
        func: &mut Function,
        ty: Type,
        definitions: impl Iterator<Item = (Block, Option<Value>)>,
        placed: &[Block],
    ) {
        self.variable += 1;
        definitions.for_each(|(block, value)| self.at_end[block] = self.mark(value));
        let first = self.phis.len();
        for &block in placed {
            let position = Position::Before(func.first_inst(block).expect("block is complete"));
            let phi = Builder::new(func, position).phi(ty, &[]);
            self.at_start[block] = self.mark(func.result(phi));
            self.phis.push(phi);
        }
        for (index, &block) in placed.iter().enumerate() {
            for &pred in self.cfg.preds(block).iter().filter(|&&p| self.cfg.is_reachable(p)) {
                let value = self.at_end(pred);
                let value = value.unwrap_or_else(|| undef_before(func, func.terminator(pred), ty));
                func.phi_push(self.phis[first + index], value, pred);
            }
        }
    }

    /// The value of the current variable at the end of a reachable block.
    fn at_end(&mut self, block: Block) -> Option<Value> {
        self.marked(self.at_end[block]).unwrap_or_else(|| self.at_start(block))
    }

    /// The value of the current variable at the start of a block that was said to read it; `None`
    /// if it is undefined there.
    pub fn at_start(&mut self, block: Block) -> Option<Value> {
        let mut passed: SmallVec<[Block; 16]> = SmallVec::new();
        let mut at = block;
        let value = loop {
            if let Some(value) = self.marked(self.at_start[at]) {
                break value;
            }
            passed.push(at);
            let Some(above) = self.dominators.idom(at) else { break None };
            if let Some(value) = self.marked(self.at_end[above]) {
                break value;
            }
            at = above;
        };
        passed.into_iter().for_each(|block| self.at_start[block] = self.mark(value));
        value
    }

    /// The phi that the current variable got in a block.
    pub fn phi_in(&self, block: Block) -> Value {
        self.marked(self.at_start[block]).flatten().expect("a block that was said to need one")
    }

    /// Puts what was stored, or comes into the block, in the place of what is loaded. The scalar is
    /// the current variable; its loads stay without uses.
    pub fn replace_loads(&mut self, func: &mut Function, scalar: &Scalar) {
        // What is stored may have been loaded, by an instruction that is replaced.
        let mut replaced: FxHashMap<Value, Value> = FxHashMap::default();
        for &(load, block, store) in &scalar.loads {
            let value = match store {
                Some(inst) => stored_value(func, inst),
                None => self.at_start(block),
            };
            let mut value = value.unwrap_or_else(|| undef_before(func, load, func.insts[load].ty));
            while let Some(&newer) = replaced.get(&value) {
                value = newer;
            }
            let value = convert_before(func, load, value, func.insts[load].ty);
            let result = func.first_result(load);
            func.replace_all_uses(result, value);
            replaced.insert(result, value);
        }
    }

    /// The phis placed for all variables.
    pub fn into_phis(self) -> Vec<Inst> {
        self.phis
    }

    fn mark(&self, value: Option<Value>) -> (u32, PackedOption<Value>) {
        (self.variable, value.into())
    }

    fn marked(&self, (number, value): (u32, PackedOption<Value>)) -> Option<Option<Value>> {
        (number == self.variable).then(|| value.expand())
    }
}

/// A variable in memory of one type, or of types of one width, that is to become values.
pub struct Scalar {
    ty: Type,
    /// Blocks that define it, each with the last instruction that does.
    definitions: Vec<(Block, Inst)>,
    /// Loads, each with the definition before it in its block, if there is one.
    loads: Vec<(Inst, Block, Option<Inst>)>,
}

impl Scalar {
    /// From loads, stores and starts of lifetimes: block by block, in the order of each block.
    pub fn new(func: &Function, ty: Type, accesses: impl Iterator<Item = Inst>) -> Scalar {
        let mut scalar = Scalar { ty, definitions: Vec::new(), loads: Vec::new() };
        for inst in accesses {
            let block = func.inst_block(inst).expect("placed");
            let last = scalar.definitions.last_mut().filter(|d| d.0 == block);
            match (func.insts[inst].opcode, last) {
                (Opcode::Load, last) => scalar.loads.push((inst, block, last.map(|d| d.1))),
                (_, Some(last)) => last.1 = inst,
                _ => scalar.definitions.push((block, inst)),
            }
        }
        scalar
    }

    /// The blocks that define it.
    pub fn defining_blocks(&self) -> impl Iterator<Item = Block> {
        self.definitions.iter().map(|d| d.0)
    }

    /// The blocks at whose start it is read.
    pub fn reading_blocks(&self) -> impl Iterator<Item = Block> {
        self.loads.iter().filter(|l| l.2.is_none()).map(|l| l.1)
    }

    /// What it is at the ends of the blocks that define it.
    pub fn values(&self, func: &mut Function) -> Vec<(Block, Option<Value>)> {
        let value = |func: &mut Function, inst| Some(convert_before(func, inst, stored_value(func, inst)?, self.ty));
        self.definitions.iter().map(|&(block, inst)| (block, value(func, inst))).collect()
    }
}

/// What a store, or a start of the lifetime, leaves in a variable.
fn stored_value(func: &Function, inst: Inst) -> Option<Value> {
    (func.insts[inst].opcode == Opcode::Store).then(|| func.operand(inst, 1))
}

/// `value` as type `ty` of the same width, by conversions placed before `inst`.
pub fn convert_before(func: &mut Function, inst: Inst, value: Value, ty: Type) -> Value {
    let from = func.value_type(value);
    if from == ty {
        return value;
    }
    if let Some(bits) = func.const_bits(value)
        && !ty.is_vector()
        && (!ty.is_ptr() || bits == 0)
    {
        return func.bits_const(ty, bits);
    }
    let mut builder = Builder::before(func, inst);
    let as_int = if from.is_ptr() { builder.unary(Opcode::PtrToInt, Type::I64, value) } else { value };
    let from = builder.func.value_type(as_int);
    if ty == from {
        return as_int;
    }
    if !ty.is_ptr() {
        return builder.unary(Opcode::Bitcast, ty, as_int);
    }
    let as_i64 = if from == Type::I64 { as_int } else { builder.unary(Opcode::Bitcast, Type::I64, as_int) };
    builder.unary(Opcode::IntToPtr, Type::PTR, as_i64)
}

fn undef_before(func: &mut Function, inst: Inst, ty: Type) -> Value {
    Builder::before(func, inst).undef(ty)
}

/// Values that copying has given more definitions, and which are not in SSA form until
/// [`Redefinitions::resolve`]. Until then a use of such a value means the definition that reaches
/// it. That stays right while other code is copied, or the graph changed, as long as the new paths
/// pass copies of what the old ones passed.
#[derive(Default)]
pub struct Redefinitions {
    groups: Vec<Group>,
}

/// Values defined in the same blocks.
struct Group {
    /// Blocks where the value or copy used is the one that is meant.
    inside: FxHashSet<Block>,
    /// Each value with a phi of its definitions, by the blocks at whose ends they hold. It stands
    /// nowhere, and lets other values' changes reach the definitions.
    values: Vec<(Value, Inst)>,
    /// Values that only records of variables may name, with their definitions.
    unused: Vec<(Value, Vec<(Block, Value)>)>,
}

/// Records that a value with several definitions has left without one.
type Records = [(Inst, DebugValue, Value, Linear)];

impl Redefinitions {
    /// Begins with values that have definitions in some of these blocks; the uses in them are right
    /// as they are.
    pub fn begin(&mut self, inside: FxHashSet<Block>) {
        self.groups.push(Group { inside, values: Vec::new(), unused: Vec::new() });
    }

    /// A value of the blocks last begun with has these definitions (one is itself), one at the end
    /// of each block named.
    pub fn add(&mut self, func: &mut Function, value: Value, definitions: impl Iterator<Item = (Block, Value)>) {
        let group = self.groups.last().expect("blocks were named");
        let is_outside = |(user, index)| use_block(func, user, index).is_some_and(|b| !group.inside.contains(&b));
        if func.uses(value).any(is_outside) {
            self.add_unused(func, value, definitions);
        } else if func.has_debug_values() {
            self.groups.last_mut().expect("blocks were named").unused.push((value, definitions.collect()));
        }
    }

    /// The same where the value may have no uses yet: those of other values' definitions, which are
    /// still to be added, count as well.
    pub fn add_unused(&mut self, func: &mut Function, value: Value, definitions: impl Iterator<Item = (Block, Value)>) {
        let group = self.groups.last_mut().expect("blocks were named");
        let (blocks, values): (Vec<Block>, Vec<Value>) = definitions.unzip();
        let phi = func.make_phi(func.value_type(value), &values, &blocks, base::Loc::NONE);
        group.values.push((value, phi));
    }

    /// Gives all uses the definitions that reach them, and removes what is not reachable. What is
    /// cached of the function must be true.
    pub fn resolve(self, func: &mut Function, cx: &mut PassContext<'_>) {
        let (cfg, dominators) = (cx.analyses.cfg(func), cx.analyses.dominators(func));
        let mut updater = Updater::new(func, &cfg, &dominators);
        let mut records = func.redefined_debug_values();
        records.sort_by_key(|r| r.2);
        let of = |value| &records[records.partition_point(|r| r.2 < value)..records.partition_point(|r| r.2 <= value)];
        let mut resolved = Vec::new();
        for group in &self.groups {
            for &(value, definitions) in &group.values {
                resolve_value(func, &cfg, &mut updater, &group.inside, value, definitions);
                let definitions: Vec<(Block, Value)> = func.phi_entries(definitions).map(|(v, b)| (b, v)).collect();
                resolve_records(func, &mut updater, &definitions, of(value), &mut resolved);
            }
            for (value, definitions) in group.unused.iter().filter(|(value, _)| !of(*value).is_empty()) {
                updater.begin(func, Type::I64, definitions.iter().map(|&(block, value)| (block, Some(value))), &[]);
                resolve_records(func, &mut updater, definitions, of(*value), &mut resolved);
            }
        }
        func.resolve_debug_values(&resolved);
        self.groups.iter().flat_map(|group| &group.values).for_each(|&(_, phi)| func.remove_inst(phi));
        let mut phis = updater.into_phis();
        drop(cfg);
        remove_unreachable_blocks(func, &mut cx.analyses);
        phis.extend(func.blocks().flat_map(|b| func.phis(b)).filter(|&phi| func.num_operands(phi) == 1));
        simplify_phis(func, &dominators, phis);
        simplify_phi_webs(func, &dominators);
    }
}

fn resolve_value(
    func: &mut Function,
    cfg: &Cfg,
    updater: &mut Updater<'_>,
    inside: &FxHashSet<Block>,
    value: Value,
    definitions: Inst,
) {
    let is_concerned = |block: Block| !inside.contains(&block) && cfg.is_reachable(block);
    let uses: Vec<(Inst, usize, Block)> = func
        .uses(value)
        .filter_map(|(user, index)| Some((user, index, use_block(func, user, index).filter(|&b| is_concerned(b))?)))
        .collect();
    let definitions: SmallVec<[(Block, Option<Value>); 4]> =
        func.phi_entries(definitions).map(|(value, block)| (block, Some(value))).collect();
    let ty = func.value_type(value);
    let placed = updater.place(definitions.iter().map(|d| d.0), uses.iter().map(|u| u.2));
    updater.begin(func, ty, definitions.into_iter(), &placed);
    for (user, index, block) in uses {
        let new = updater.at_start(block);
        let new = new.unwrap_or_else(|| undef_before(func, func.first_inst(func.entry()).expect("complete"), ty));
        func.set_operand(user, index, new);
    }
}

/// Gives records the definition that reaches them, as far as the phis that there are tell.
fn resolve_records(
    func: &Function,
    updater: &mut Updater<'_>,
    definitions: &[(Block, Value)],
    records: &Records,
    resolved: &mut Vec<(Inst, DebugValue, Option<(Value, Linear)>)>,
) {
    let block = |inst| func.inst_block(inst).filter(|&block| updater.cfg.is_reachable(block));
    let reads: Vec<Option<Block>> = records.iter().map(|r| block(r.0)).collect();
    let phis = updater.place(definitions.iter().map(|d| d.0), reads.iter().copied().flatten());
    for block in phis {
        if updater.marked(updater.at_start[block]).is_none() {
            updater.at_start[block] = updater.mark(None);
        }
    }
    for (&(inst, record, _, linear), block) in records.iter().zip(reads) {
        let known = block.and_then(|block| updater.at_start(block)).map(|value| (value, linear));
        resolved.push((inst, record, known));
    }
}

/// The block where a use reads its value: that of the user, or the one that a phi entry comes from.
fn use_block(func: &Function, user: Inst, index: usize) -> Option<Block> {
    match func.insts[user].opcode {
        Opcode::Phi => Some(func.phi_block(user, index)),
        _ => func.inst_block(user),
    }
}

/// Puts another value in the place of one in uses that `block` dominates, out of the first `limit`
/// uses. Returns how many that were.
pub fn replace_dominated_uses(
    func: &mut Function,
    dominators: &DominatorTree,
    block: Block,
    (old, new): (Value, Value),
    limit: usize,
) -> u64 {
    let is_below =
        |&(user, index): &(Inst, usize)| use_block(func, user, index).is_some_and(|at| dominators.dominates(block, at));
    let uses: SmallVec<[(Inst, usize); 8]> = func.uses(old).take(limit).filter(is_below).collect();
    uses.iter().for_each(|&(user, index)| func.set_operand(user, index, new));
    uses.len() as u64
}
