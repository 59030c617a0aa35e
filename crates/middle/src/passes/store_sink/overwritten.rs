//! Stores that some of the successors overwrite.
//!
//! A block ends in a store and a branch; up to [`MAX_BLOCKS`] blocks after it, each with one
//! predecessor, compute and store to the same address or do not, and all of them lead to one block.
//! What memory holds there is known on each way, so one store of it there does for all: clamped
//! elements (`c[i] = x; if (c[i] > 1) c[i] = 1;`) need no branch then. gcc's cselim does the same
//! for one conditional store.
//!
//! ```text
//! b0: store p, v0; cond_br v1, b1, b2      b0: cond_br v1, b1, b2
//! b1: store p, v2; br b2             =>    b1: br b2
//! b2:                                      b2: v3 = phi [v0, b0], [v2, b1]
//!                                              store p, v3
//! ```

use ir::analysis::Cfg;
use ir::{Block, Function, Inst, Opcode, Value};
use smallvec::{SmallVec, smallvec};

use super::{last_store, store_behind};
use crate::pass::PassContext;
use ir::effects::is_pure;

/// Blocks between a store and the one that all lead to.
const MAX_BLOCKS: usize = 6;

/// Instructions in each of them.
const MAX_LENGTH: usize = 16;

/// What the ways from a block lead to.
struct Ways {
    join: Block,
    /// What memory holds at the end of each predecessor of `join`.
    values: SmallVec<[(Value, Block); 4]>,
    /// The stores on the ways, the one before them first.
    stores: SmallVec<[Inst; 4]>,
}

/// Sinks the store at the end of `block` after the successors. Gives false if there is none that
/// can be.
pub(super) fn sink(func: &mut Function, cx: &PassContext<'_>, cfg: &Cfg, block: Block) -> bool {
    if func.insts[func.terminator(block)].opcode != Opcode::CondBr {
        return false;
    }
    let Some(store) = last_store(func, block) else { return false };
    let Some(ways) = ways(func, cfg, block, store) else { return false };
    store_behind(func, cx, ways.join, &ways.values, &ways.stores);
    true
}

/// The ways from `block`, if they meet in a block that has no other predecessors and some of them
/// overwrite the store.
fn ways(func: &Function, cfg: &Cfg, block: Block, store: Inst) -> Option<Ways> {
    let mut join = None;
    let mut values = SmallVec::new();
    let mut stores: SmallVec<[Inst; 4]> = smallvec![store];
    let mut worklist: SmallVec<[(Block, Value); 8]> = smallvec![(block, func.operand(store, 1))];
    let mut blocks = 0;
    while let Some((from, value)) = worklist.pop() {
        for &to in cfg.succs(from) {
            if cfg.preds(to).len() > 1 {
                if *join.get_or_insert(to) != to {
                    return None;
                }
                values.push((value, from));
                continue;
            }
            blocks += 1;
            if blocks > MAX_BLOCKS {
                return None;
            }
            let over = stores_only_to(func, to, store)?;
            stores.extend(over);
            worklist.push((to, over.map_or(value, |s| func.operand(s, 1))));
        }
    }
    let join = join?;
    (join != block && stores.len() > 1 && cfg.preds(join).len() == values.len()).then_some(Ways {
        join,
        values,
        stores,
    })
}

/// Whether a block computes, stores at most once, to where `store` does, and branches on; the inner
/// `Some` has its store.
fn stores_only_to(func: &Function, block: Block, store: Inst) -> Option<Option<Inst>> {
    if !matches!(func.insts[func.terminator(block)].opcode, Opcode::Br | Opcode::CondBr) {
        return None;
    }
    let mut found = None;
    for inst in func.block_insts(block).take(MAX_LENGTH + 1).enumerate().map(|(n, i)| (n < MAX_LENGTH).then_some(i)) {
        let inst = inst?;
        if inst == func.terminator(block) || is_pure(func, inst) {
            continue;
        }
        if found.is_some() || !overwrites(func, inst, store) {
            return None;
        }
        found = Some(inst);
    }
    Some(found)
}

/// Whether `inst` is a plain store of the same type to the same address.
fn overwrites(func: &Function, inst: Inst, store: Inst) -> bool {
    let data = func.insts[inst];
    data.opcode == Opcode::Store
        && !data.has(ir::flags::VOLATILE | ir::flags::NONTEMPORAL)
        && func.operand(inst, 0) == func.operand(store, 0)
        && func.value_type(func.operand(inst, 1)) == func.value_type(func.operand(store, 1))
}
