//! Store sinking: stores to one address at the ends of both ways into a block become one store
//! after them; a store that some of the successors overwrite goes after all of them
//! (`overwritten`).
//!
//! Both predecessors only jump to the block, and nothing between the store and the jump touches
//! memory or may leave. The stored value becomes a phi, which `if_convert` can make a `select` of.
//!
//! Cost: linear; at most [`MAX_DISTANCE`] instructions are passed per store.
//!
//! ```text
//! b1: store p, v1; br b3                 b1: br b3
//! b2: store p, v2; br b3           =>    b2: br b3
//!                                        b3: v3 = phi [v1, b1], [v2, b2]
//!                                            store p, v3
//! ```

mod overwritten;

use ir::{Block, Builder, Function, Inst, MemInfo, Opcode, Position, Value, flags};
use smallvec::SmallVec;

use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::sums::is_equal_sum;
use ir::effects::is_pure;

/// The pass.
pub const PASS: Pass = Pass::new("store_sink", run);

/// Instructions between a store and the end of its block.
const MAX_DISTANCE: usize = 6;

/// Stores sunk into one block.
const MAX_STORES: usize = 4;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let cfg = cx.analyses.cfg(func);
    let mut sunk = 0;
    for block in cfg.postorder() {
        sunk += (0..MAX_STORES).take_while(|_| overwritten::sink(func, cx, &cfg, *block)).count() as u64;
    }
    for block in cfg.reverse_postorder() {
        let &[a, b] = cfg.preds(block) else { continue };
        let jumps = |p: Block| cfg.is_reachable(p) && func.insts[func.terminator(p)].opcode == Opcode::Br;
        if !jumps(a) || !jumps(b) {
            continue;
        }
        // The last stores come first; they are placed after each other at the start of the block,
        // so each goes before those sunk already.
        for _ in 0..MAX_STORES {
            if !sink(func, cx, block, a, b) {
                break;
            }
            sunk += 1;
        }
    }
    cx.statistics.add("stores sunk", sunk);
    Changed::code_if(sunk > 0)
}

fn sink(func: &mut Function, cx: &PassContext<'_>, block: Block, a: Block, b: Block) -> bool {
    let (Some(x), Some(y)) = (last_store(func, a), last_store(func, b)) else { return false };
    let (value_x, value_y) = (func.operand(x, 1), func.operand(y, 1));
    let ty = func.value_type(value_x);
    if !is_equal_sum(func, func.operand(x, 0), func.operand(y, 0)) || ty != func.value_type(value_y) {
        return false;
    }
    store_behind(func, cx, block, &[(value_x, a), (value_y, b)], &[x, y]);
    true
}

/// One store at the beginning of `block`, of the value that its predecessors give, in place of
/// `stores`, which have its address, or one that is the same sum.
fn store_behind(func: &mut Function, cx: &PassContext<'_>, block: Block, values: &[(Value, Block)], stores: &[Inst]) {
    let (mut address, loc) = (func.operand(stores[0], 0), func.inst_locs[stores[0]]);
    let infos: SmallVec<[MemInfo; 4]> = stores.iter().map(|&s| func.mem_info(s)).collect();
    let align = infos.iter().map(|i| i.align()).min().expect("there is a store");
    let tag = infos[1..].iter().fold(infos[0].tag, |tag, info| cx.module.alias_tags.meet(tag, info.tag));
    let value = if values.iter().all(|v| v.0 == values[0].0) {
        values[0].0
    } else {
        let first = func.first_inst(block).expect("block is complete");
        let ty = func.value_type(values[0].0);
        // Where the value is loaded again the phi is there.
        let equal = func.phis(block).find(|&phi| values.iter().all(|v| func.phi_value(phi, v.1) == Some(v.0)));
        let phi = equal.unwrap_or_else(|| Builder::new(func, Position::Before(first)).phi(ty, values));
        func.first_result(phi)
    };
    let first = func.first_non_phi(block).expect("block is complete");
    if stores.iter().any(|&s| func.operand(s, 0) != address) {
        let copy = func.copy_inst(func.def_inst(address).expect("is a sum"), |v| v);
        func.insert_before(first, copy);
        address = func.first_result(copy);
    }
    let mut builder = Builder::new(func, Position::Before(first));
    builder.loc = loc;
    builder.store(value, address, align, tag, 0);
    stores.iter().for_each(|&s| func.remove_inst(s));
}

/// The store at the end of a block, after which there are only operations.
fn last_store(func: &Function, block: Block) -> Option<Inst> {
    let terminator = func.terminator(block);
    let mut before = func.prev_inst(terminator);
    for _ in 0..MAX_DISTANCE {
        let inst = before?;
        let data = func.insts[inst];
        if data.opcode == Opcode::Store {
            return (!data.has(flags::VOLATILE | flags::NONTEMPORAL)).then_some(inst);
        }
        if !is_pure(func, inst) {
            return None;
        }
        before = func.prev_inst(inst);
    }
    None
}
