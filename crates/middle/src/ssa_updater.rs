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
use ir::{Block, Builder, Function, Inst, Opcode, Position, Type, Value, side_table};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::analysis::frontier::Frontier;
use crate::pass::PassContext;
use crate::passes::phis::{simplify_phi_webs, simplify_phis};
use crate::passes::simplify_cfg::remove_unreachable_blocks;

/// A value per block, true for the variable that is numbered with it.
type Marked = SecondaryMap<Block, (u32, PackedOption<Value>)>;

/// Places phis for variables with several definitions.
pub struct Updater<'a> {
    cfg: &'a Cfg,
    dominators: &'a DominatorTree,
    frontier: Frontier,
    /// Number and type of the current variable.
    variable: (u32, Type),
    at_start: Marked,
    at_end: Marked,
    phis: Vec<Inst>,
}

impl<'a> Updater<'a> {
    /// An updater for a function with this graph.
    pub fn new(func: &Function, cfg: &'a Cfg, dominators: &'a DominatorTree) -> Updater<'a> {
        let map = || side_table(func.num_blocks());
        let (frontier, at_start, at_end) = (Frontier::new(func), map(), map());
        Updater { cfg, dominators, frontier, variable: (0, Type::VOID), at_start, at_end, phis: Vec::new() }
    }

    /// Begins with another variable: its values at the end of the blocks that define it, and the
    /// blocks at whose start it is asked for.
    pub fn begin(
        &mut self,
        func: &mut Function,
        ty: Type,
        definitions: impl Iterator<Item = (Block, Value)> + Clone,
        reads: impl Iterator<Item = Block>,
    ) {
        self.variable = (self.variable.0 + 1, ty);
        self.frontier.begin(self.cfg, definitions.clone().map(|d| d.0));
        definitions.for_each(|(block, value)| self.at_end[block] = self.mark(value));
        reads.for_each(|block| self.frontier.read(self.cfg, block));
        let blocks = self.frontier.phi_blocks(self.cfg, self.dominators, true);
        let first = self.phis.len();
        for &block in &blocks {
            let position = Position::Before(func.first_inst(block).expect("block is complete"));
            let phi = Builder::new(func, position).phi(ty, &[]);
            self.at_start[block] = self.mark(func.first_result(phi));
            self.phis.push(phi);
        }
        for (index, block) in blocks.into_iter().enumerate() {
            for &pred in self.cfg.preds(block).iter().filter(|&&p| self.cfg.is_reachable(p)) {
                let value = self.at_end(func, pred);
                func.phi_push(self.phis[first + index], value, pred);
            }
        }
    }

    /// The value of the current variable at the end of a reachable block.
    pub fn at_end(&mut self, func: &mut Function, block: Block) -> Value {
        self.marked(self.at_end[block]).unwrap_or_else(|| self.at_start(func, block))
    }

    /// The value of the current variable at the start of a block that was said to read it.
    pub fn at_start(&mut self, func: &mut Function, block: Block) -> Value {
        let mut passed: SmallVec<[Block; 16]> = SmallVec::new();
        let mut at = block;
        let value = loop {
            if let Some(value) = self.marked(self.at_start[at]) {
                break value;
            }
            passed.push(at);
            let Some(above) = self.dominators.idom(at) else {
                let first = func.first_inst(at).expect("block is complete");
                break Builder::before(func, first).undef(self.variable.1);
            };
            if let Some(value) = self.marked(self.at_end[above]) {
                break value;
            }
            at = above;
        };
        passed.into_iter().for_each(|block| self.at_start[block] = self.mark(value));
        value
    }

    /// The phis placed for all variables.
    pub fn into_phis(self) -> Vec<Inst> {
        self.phis
    }

    fn mark(&self, value: Value) -> (u32, PackedOption<Value>) {
        (self.variable.0, value.into())
    }

    fn marked(&self, (number, value): (u32, PackedOption<Value>)) -> Option<Value> {
        value.expand().filter(|_| number == self.variable.0)
    }
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
}

impl Redefinitions {
    /// Begins with values that have definitions in some of these blocks; the uses in them are right
    /// as they are.
    pub fn begin(&mut self, inside: FxHashSet<Block>) {
        self.groups.push(Group { inside, values: Vec::new() });
    }

    /// A value of the blocks last begun with has these definitions (one is itself), one at the end
    /// of each block named.
    pub fn add(&mut self, func: &mut Function, value: Value, definitions: impl Iterator<Item = (Block, Value)>) {
        let group = self.groups.last_mut().expect("blocks were named");
        let is_outside = |(user, index)| use_block(func, user, index).is_some_and(|b| !group.inside.contains(&b));
        if func.uses(value).any(is_outside) {
            let (blocks, values): (Vec<Block>, Vec<Value>) = definitions.unzip();
            let phi = func.make_phi(func.value_type(value), &values, &blocks, base::Loc::NONE);
            group.values.push((value, phi));
        }
    }

    /// Gives all uses the definitions that reach them, and removes what is not reachable. What is
    /// cached of the function must be true.
    pub fn resolve(self, func: &mut Function, cx: &mut PassContext<'_>) {
        let (cfg, dominators) = (cx.analyses.cfg(func), cx.analyses.dominators(func));
        let mut updater = Updater::new(func, &cfg, &dominators);
        for group in &self.groups {
            for &(value, definitions) in &group.values {
                resolve_value(func, &cfg, &mut updater, &group.inside, value, definitions);
            }
        }
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
    let definitions: SmallVec<[(Block, Value); 4]> =
        func.phi_entries(definitions).map(|(value, block)| (block, value)).collect();
    updater.begin(func, func.value_type(value), definitions.iter().copied(), uses.iter().map(|u| u.2));
    for (user, index, block) in uses {
        let new = updater.at_start(func, block);
        func.set_operand(user, index, new);
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
