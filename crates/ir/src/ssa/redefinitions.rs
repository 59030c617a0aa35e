//! Values that have several definitions since code was copied. A pass that copies blocks keeps the
//! definitions in [`Redefinitions`], while it goes on changing the graph, and has all of them
//! resolved at once at the end, by [`Updater`].

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::{Updater, remove_unreachable_blocks, simplify_phi_webs, simplify_phis, undef_before};
use crate::analysis::{Cfg, DominatorTree};
use crate::{Block, DebugValue, Function, Inst, Linear, Opcode, Type, Value};

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

    /// Gives all uses the definitions that reach them, and removes what is not reachable. Says
    /// whether there was something. Graph and dominators must be the function's.
    pub fn resolve(self, func: &mut Function, cfg: &Cfg, dominators: &DominatorTree) -> bool {
        let mut updater = Updater::new(func, cfg, dominators);
        let mut records = func.redefined_debug_values();
        records.sort_by_key(|r| r.2);
        let of = |value| &records[records.partition_point(|r| r.2 < value)..records.partition_point(|r| r.2 <= value)];
        let mut resolved = Vec::new();
        for group in &self.groups {
            for &(value, definitions) in &group.values {
                resolve_value(func, cfg, &mut updater, &group.inside, value, definitions);
                let definitions: Vec<(Block, Value)> = func.phi_entries(definitions).map(|(v, b)| (b, v)).collect();
                resolve_records(func, cfg, &mut updater, &definitions, of(value), &mut resolved);
            }
            for (value, definitions) in group.unused.iter().filter(|(value, _)| !of(*value).is_empty()) {
                updater.begin(func, Type::I64, definitions.iter().map(|&(block, value)| (block, Some(value))), &[]);
                resolve_records(func, cfg, &mut updater, definitions, of(*value), &mut resolved);
            }
        }
        func.resolve_debug_values(&resolved);
        self.groups.iter().flat_map(|group| &group.values).for_each(|&(_, phi)| func.remove_inst(phi));
        let mut phis = updater.into_phis();
        let removed_blocks = remove_unreachable_blocks(func, cfg);
        phis.extend(func.blocks().flat_map(|b| func.phis(b)).filter(|&phi| func.num_operands(phi) == 1));
        simplify_phis(func, dominators, phis);
        simplify_phi_webs(func, dominators);
        removed_blocks
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
    cfg: &Cfg,
    updater: &mut Updater<'_>,
    definitions: &[(Block, Value)],
    records: &Records,
    resolved: &mut Vec<(Inst, DebugValue, Option<(Value, Linear)>)>,
) {
    let block = |inst| func.inst_block(inst).filter(|&block| cfg.is_reachable(block));
    let reads: Vec<Option<Block>> = records.iter().map(|r| block(r.0)).collect();
    let phis = updater.place(definitions.iter().map(|d| d.0), reads.iter().copied().flatten());
    phis.into_iter().for_each(|block| updater.leave_open(block));
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
