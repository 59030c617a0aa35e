//! Scalars that live in memory, in registers for the duration of a loop.

use ir::ssa::{Scalar, Updater, simplify_phis};
use ir::{Block, BranchHint, Builder, Function, Inst, MemInfo, Opcode, Position, Type, Value, flags};

use super::{MANY_BLOCKS, Motion, is_dereferenceable};
use crate::pass::{Changed, PassContext};
use ir::analysis::alias::{Base, locate};
use ir::analysis::sums::induction::is_invariant;
use ir::effects::{CallDependence, access_of, block_access, call_dependence, is_pure};
use ir::ssa::ensure_dedicated_exits;

/// Promoted addresses per loop: each takes a register.
const MAX_PROMOTED: usize = 6;

/// Of those the ones that take a second one, which says whether there was a store.
const MAX_GUARDED: usize = 2;

/// Instructions before a loop among which a store is looked for.
const MAX_DISTANCE: usize = 16;

/// Promotes memory scalars, outermost loops first, so that one promotion covers the inner loops as
/// well.
///
/// All loops of one depth are done with one set of analyses: the blocks that a promotion puts on
/// the exits lie outside its loop, where nothing that the other loops of this depth ask for
/// changes. Only the loops inside have exits that may have moved.
pub(super) fn promote_memory(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let (mut promoted, mut changed) = (0, false);
    // Promotion takes address uses away and adds none but those of its own slots.
    let alias = cx.analyses.alias(func, cx.module, cx.options);
    for depth in 1.. {
        let cfg = cx.analyses.cfg(func);
        let loops = cx.analyses.loops(func);
        let dominators = cx.analyses.dominators(func);
        let mut level = loops.loops().rev().filter(|&l| loops.loop_depth(l) == depth).peekable();
        if level.peek().is_none() {
            break;
        }
        let blocks = loops.blocks(&cfg);
        let mut split = false;
        let mut promotions = Vec::new();
        for l in level {
            let blocks = &blocks[l];
            let Some(motion) = Motion::new(func, cx, &cfg, &dominators, &alias, loops.at(l), blocks) else { continue };
            let groups = motion.promotable(func, cx);
            if groups.is_empty() {
                continue;
            }
            let exits = ensure_dedicated_exits(func, &cfg, blocks, |b| loops.contains(l, b));
            // Exits before the one that cannot be had may have been split.
            split |= exits.as_ref().is_none_or(|e| e.1);
            let Some((exits, _)) = exits else { continue };
            promotions.push((motion.preheader, exits, groups));
        }
        changed |= split;
        if split {
            cx.analyses.invalidate(Changed::ControlFlow);
        }
        if promotions.is_empty() {
            continue;
        }
        promoted += promotions.iter().map(|p| p.2.len() as u64).sum::<u64>();
        let (cfg, dominators) = (cx.analyses.cfg(func), cx.analyses.dominators(func));
        let mut updater = Updater::new(func, &cfg, &dominators);
        let mut guarded = Vec::new();
        for (preheader, exits, groups) in &promotions {
            for group in groups {
                let stores = promote_group(func, &mut updater, *preheader, exits, group);
                if group.guarded {
                    guarded.extend(stores);
                }
            }
        }
        simplify_phis(func, &dominators, updater.into_phis());
        if !guarded.is_empty() {
            guarded.into_iter().for_each(|store| guard(func, store));
            cx.analyses.invalidate(Changed::ControlFlow);
        }
    }
    if promoted > 0 {
        cx.statistics.add("memory scalars promoted in loops", promoted);
    }
    changed || promoted > 0
}

/// The accesses of one promotable address.
struct Group {
    address: Value,
    ty: Type,
    info: MemInfo,
    accesses: Vec<Inst>,
    /// Whether the stores at the exits depend on whether there was one in the loop.
    guarded: bool,
}

impl Motion<'_> {
    fn promotable(&self, func: &Function, cx: &PassContext<'_>) -> Vec<Group> {
        if self.writes.places().is_none_or(|places| places.is_empty()) {
            return Vec::new();
        }
        let mut groups: Vec<Group> = Vec::new();
        let all: Vec<Inst> = self
            .blocks
            .iter()
            .flat_map(|&b| func.block_insts(b))
            .filter(|&i| {
                matches!(
                    func.insts[i].opcode,
                    Opcode::Load | Opcode::Store | Opcode::MemCpy | Opcode::MemMove | Opcode::MemSet
                )
            })
            .collect();
        let calls_read = self.calls_read(func, cx);
        for &inst in all.iter().filter(|&&i| func.insts[i].opcode == Opcode::Store) {
            let address = func.operand(inst, 0);
            let runs = func.inst_block(inst).is_some_and(|block| self.always.contains(&block));
            let candidate = (runs || self.blocks.len() <= MANY_BLOCKS && !cx.options.optimize_size)
                && !(calls_read && self.alias.is_visible_outside(&locate(func, access_of(func, inst))))
                && !func.insts[inst].has(flags::VOLATILE | flags::NONTEMPORAL)
                && is_invariant(func, self.l, address)
                && !groups.iter().any(|g| g.address == address);
            if !candidate || groups.len() == MAX_PROMOTED {
                continue;
            }
            if let Some(accesses) = self.exclusive(func, cx, inst, &all)
                && let Some(guarded) = self.guarded(func, cx, inst, &accesses)
                && !(guarded && groups.iter().filter(|g| g.guarded).count() == MAX_GUARDED)
            {
                let ty = func.value_type(func.operand(inst, 1));
                let info = func.mem_info(inst);
                let tags = accesses.iter().map(|&access| func.mem_info(access).tag);
                let tag = tags.fold(info.tag, |a, b| cx.module.alias_tags.meet(a, b));
                groups.push(Group { address, ty, info: MemInfo { tag, ..info }, accesses, guarded });
            }
        }
        groups
    }

    /// Whether the stores at the exits have to be guarded; `None` if the memory stays where it is.
    fn guarded(&self, func: &Function, cx: &PassContext<'_>, store: Inst, accesses: &[Inst]) -> Option<bool> {
        let runs = |&i: &Inst| func.inst_block(i).is_some_and(|block| self.always.contains(&block));
        let is_store = |i: &Inst| func.insts[*i].opcode == Opcode::Store;
        if accesses.iter().any(|i| is_store(i) && runs(i)) {
            return Some(false);
        }
        // Only stores: they cost less than what would say that there was one.
        let place = locate(func, access_of(func, store));
        let is_safe = accesses.iter().any(runs) || is_dereferenceable(func, cx, store);
        if accesses.iter().all(is_store) || !is_safe {
            return None;
        }
        let is_private = matches!(place.base, Base::Alloca(_)) && !self.alias.is_visible_outside(&place);
        Some(!is_private && !self.is_stored_before(func, place.address))
    }

    /// Whether the function stores to the address just before the loop, so that another thread
    /// cannot tell one store more.
    fn is_stored_before(&self, func: &Function, address: Value) -> bool {
        // After what is ordered or unknown, another thread may have the memory.
        let passes = |&i: &Inst| {
            is_pure(func, i)
                || matches!(func.insts[i].opcode, Opcode::Load | Opcode::Store | Opcode::Br | Opcode::CondBr)
        };
        let before = self.before.iter().flat_map(|&b| func.block_insts_rev(b)).take(MAX_DISTANCE);
        let mut stores = before.take_while(passes);
        stores.any(|i| {
            let data = func.insts[i];
            data.opcode == Opcode::Store && func.operand(i, 0) == address && !data.is_volatile()
        })
    }

    /// Whether a call in the loop may read memory: one of a `pure` function, as others write it.
    fn calls_read(&self, func: &Function, cx: &PassContext<'_>) -> bool {
        let reads = |i: Inst| {
            func.insts[i].opcode == Opcode::Call
                && call_dependence(func, cx.module, i) != Some(CallDependence::Arguments)
        };
        self.blocks.iter().flat_map(|&b| func.block_insts(b)).any(reads)
    }

    /// All accesses of the store's address in the loop, if no other access may touch it.
    fn exclusive(&self, func: &Function, cx: &PassContext<'_>, store: Inst, all: &[Inst]) -> Option<Vec<Inst>> {
        let mut wanted = locate(func, access_of(func, store));
        // A read is apart from all that is stored there if it is from what has the classes of all.
        let accesses = |i: &&Inst| matches!(func.insts[**i].opcode, Opcode::Load | Opcode::Store);
        for &same in all.iter().filter(accesses).filter(|&&i| func.operand(i, 0) == wanted.address) {
            wanted.tag = cx.module.alias_tags.meet(wanted.tag, func.mem_info(same).tag);
        }
        let ty = func.value_type(func.operand(store, 1));
        let mut out = Vec::new();
        for &inst in all {
            let data = func.insts[inst];
            let its_type = match data.opcode {
                Opcode::Load => data.ty,
                Opcode::Store => func.value_type(func.operand(inst, 1)),
                copies => {
                    let count = if copies == Opcode::MemSet { 1 } else { 2 };
                    let mut places = (0..count).map(|operand| locate(func, block_access(func, inst, operand)));
                    if places.any(|place| self.alias.may_overlap(func, cx.module, &wanted, &place)) {
                        return None;
                    }
                    continue;
                }
            };
            let access = access_of(func, inst);
            if access.address == wanted.address {
                if its_type != ty || data.is_volatile() {
                    return None;
                }
                out.push(inst);
            } else if self.alias.must_follow(func, cx.module, &wanted, (inst, &locate(func, access))) {
                return None;
            }
        }
        Some(out)
    }
}

/// Puts the value that is in memory when the loop is entered, and those that are stored, in the
/// place of what is loaded, and stores what is left at the exits. Returns these stores: what a
/// guarded one stores is a `select` of the condition, for [`guard`].
fn promote_group(
    func: &mut Function,
    updater: &mut Updater<'_>,
    preheader: Block,
    exits: &[Block],
    group: &Group,
) -> Vec<Inst> {
    let Group { address, ty, info, .. } = *group;
    let end = func.terminator(preheader);
    let first = Builder::before(func, end).load(ty, address, info.align(), info.tag, 0);
    // Accesses stand in the order of their blocks.
    let scalar = Scalar::new(func, ty, group.accesses.iter().copied());
    let mut conditions = Vec::new();
    if group.guarded {
        let mut truth = |value| Some(func.iconst(Type::I1, value));
        let stored: Vec<_> = scalar.defining_blocks().map(|block| (block, truth(1))).collect();
        let values = stored.into_iter().chain([(preheader, truth(0))]);
        let placed = updater.place(scalar.defining_blocks().chain([preheader]), exits.iter().copied());
        updater.begin(func, Type::I1, values, &placed);
        conditions = exits.iter().map(|&exit| updater.at_start(exit).expect("defined before the loop")).collect();
    }
    let reads = scalar.reading_blocks().chain(exits.iter().copied());
    let placed = updater.place(scalar.defining_blocks().chain([preheader]), reads);
    let values = scalar.values(func).into_iter().chain([(preheader, Some(first))]);
    updater.begin(func, ty, values, &placed);
    let mut stores = Vec::new();
    for (index, &exit) in exits.iter().enumerate() {
        let mut value = updater.at_start(exit).expect("defined before the loop");
        let first = func.first_non_phi(exit).expect("block is complete");
        let mut builder = Builder::before(func, first);
        if let Some(&condition) = conditions.get(index) {
            value = builder.select(condition, value, value);
        }
        stores.push(builder.store(value, address, info.align(), info.tag, 0));
    }
    updater.replace_loads(func, &scalar);
    group.accesses.iter().for_each(|&inst| func.remove_inst(inst));
    stores
}

/// Gives a store of a `select` a block of its own that runs if the condition holds.
fn guard(func: &mut Function, store: Inst) {
    let select = func.def_inst(func.operand(store, 1)).expect("a select");
    let (condition, value) = (func.operand(select, 0), func.operand(select, 1));
    let block = func.inst_block(store).expect("placed");
    let rest = func.split_block(func.next_inst(store).expect("not a terminator"));
    let stores = func.make_block();
    func.insert_block_after(block, stores);
    func.split_insts(store, stores);
    func.replace_all_uses(func.first_result(select), value);
    func.remove_inst(select);
    Builder::new(func, Position::End(stores)).br(rest);
    Builder::new(func, Position::End(block)).cond_br(condition, stores, rest, BranchHint::None);
}
