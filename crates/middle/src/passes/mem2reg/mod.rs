//! Promotion of allocas to SSA values.
//!
//! **What it promotes.** An alloca of at most 64 bytes (`--max-promote-size=`) whose address is
//! used only by non-volatile loads and stores (as the address, not the stored value) of one width,
//! and by lifetime markers. Accesses of different types of one width (a union read through another
//! member) are joined by bit conversions. Allocas of any block count. In a function that calls
//! setjmp or the like, what is live across that call and set after it keeps its slot
//! ([`second_return`]).
//!
//! **How.** A single store that dominates the loads needs no phis. The others get phis on the
//! iterated dominance frontier of their stores from [`ir::ssa::Updater`].
//! Trivial phis are removed to a fixed point. The whole is repeated until nothing more is
//! promotable: `int *p = &x` frees `x` once `p` is promoted.
//!
//! **Reads before any store** give a fresh `undef` each, so do phi entries without a definition.
//!
//! **Cost.** Linear in accesses plus phis; the estimated number of phi copies of a function is
//! limited (`--max-phi-copies=`, 50,000), or to as many as there are accesses if those are more,
//! which keeps it linear: the allocas with the fewest loop-weighted accesses per copy stay in
//! memory, and a remark says so.
//!
//! **Before / after** (`tests/passes/mem2reg/`):
//! ```text
//! v1: ptr = alloca 4 align 4              b0:
//! store v1, v0 align 4                      v2: i32 = add v0, i32 1
//! v2: i32 = load v1 align 4         =>      ret v2
//! v3: i32 = add v2, i32 1
//! ret v3
//! ```

mod debug;
mod keep;
mod second_return;

use cranelift_entity::SecondaryMap;
use ir::analysis::{Cfg, DominatorTree, LoopTree};
use ir::ssa::{Scalar, Updater, convert_before, simplify_phi_webs, simplify_phis};
use ir::{Block, Function, Inst};
use platform::options::Promotion;

use crate::pass::{Changed, Pass, PassContext};

use ir::analysis::alloca_accesses::{AllocaAccesses, collect};
use second_return::SecondReturns;

/// The pass.
pub const PASS: Pass = Pass::new("mem2reg", run);

/// Largest promoted alloca in bytes, whatever the options say: the widest vector.
const MAX_PROMOTABLE_BYTES: u64 = 64;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    // Phis need a value per predecessor, and there is none along edges from nowhere.
    let removed_blocks = cx.analyses.remove_unreachable_blocks(func);
    let mut changed = cx.options.optimize_debug
        && keep::keep_variables(func, cx.options.promotion.max_size.min(MAX_PROMOTABLE_BYTES));
    loop {
        let mut candidates = collect(func, cx.options.promotion.max_size.min(MAX_PROMOTABLE_BYTES));
        if func.calls_setjmp {
            let cfg = cx.analyses.cfg(func);
            let mut calls = SecondReturns::find(func, &cfg);
            candidates.retain(|accesses| !calls.pin(func, &cfg, accesses));
        }
        if candidates.is_empty() {
            break;
        }
        changed = true;
        if !promote(func, cx, candidates) {
            break;
        }
    }
    cx.analyses.keep();
    if removed_blocks { Changed::ControlFlow } else { Changed::code_if(changed) }
}

/// Promotes the candidates; true if another run may find more.
fn promote(func: &mut Function, cx: &mut PassContext<'_>, mut candidates: Vec<AllocaAccesses>) -> bool {
    let cfg = cx.analyses.cfg(func);
    let dominators = cx.analyses.dominators(func);
    debug::describe(func, &cfg, &dominators, &mut candidates);
    let mut promoted = 0;
    let mut general: Vec<(AllocaAccesses, Scalar)> = Vec::new();
    let mut order = InstOrder::default();
    for accesses in candidates {
        if promote_single_store(func, cx, &dominators, &mut order, &accesses) {
            promoted += 1;
        } else {
            let scalar = Scalar::new(func, accesses.ty, order.sorted(func, accesses.reads_and_definitions(func)));
            general.push((accesses, scalar));
        }
    }
    let mut updater = Updater::new(func, &cfg, &dominators);
    let place = |(_, scalar): &(_, Scalar)| updater.place(scalar.defining_blocks(), scalar.reading_blocks());
    let mut placed: Vec<Vec<Block>> = general.iter().map(place).collect();
    let kept_in_memory = apply_phi_limit(func, cx, &cfg, &mut general, &mut placed);
    promoted += general.len() as u64;
    for ((accesses, scalar), placed) in general.iter().zip(&placed) {
        if scalar.reading_blocks().next().is_some() {
            let values = scalar.values(func);
            updater.begin(func, accesses.ty, values.into_iter(), placed);
        }
        debug::record_accesses(func, accesses);
        debug::record_merges(func, accesses, |block| placed.contains(&block).then(|| updater.phi_in(block)));
        updater.replace_loads(func, scalar);
        cx.statistics.add("loads eliminated", accesses.loads.len() as u64);
        erase(func, cx, accesses);
    }
    let phis = updater.into_phis();
    cx.statistics.add("phis inserted", phis.len() as u64);
    let removed = simplify_phis(func, &dominators, phis) + simplify_phi_webs(func, &dominators);
    cx.statistics.add("phis simplified", removed);
    cx.statistics.add("allocas promoted", promoted);
    promoted > 0 && !kept_in_memory
}

/// One store: every load it dominates has its value. Loads that it does not dominate read undef if
/// they come before it on every path; a constant or parameter may stand for those too, because
/// undef is ours to choose.
fn promote_single_store(
    func: &mut Function,
    cx: &mut PassContext<'_>,
    dominators: &DominatorTree,
    order: &mut InstOrder,
    accesses: &AllocaAccesses,
) -> bool {
    let &[store] = &accesses.stores[..] else { return false };
    let value = func.operand(store, 1);
    let anywhere = func.def_inst(value).is_none();
    if !anywhere && !accesses.loads.iter().all(|&load| dominates(func, dominators, order, store, load)) {
        return false;
    }
    if accesses.loads.iter().any(|&load| func.result(load) == Some(value)) {
        return false;
    }
    for &load in &accesses.loads {
        let value = convert_before(func, load, value, func.insts[load].ty);
        func.replace_all_uses(func.first_result(load), value);
    }
    cx.statistics.add("loads eliminated", accesses.loads.len() as u64);
    debug::record_accesses(func, accesses);
    debug::record_merges(func, accesses, |_| None);
    erase(func, cx, accesses);
    true
}

fn dominates(func: &Function, dominators: &DominatorTree, order: &mut InstOrder, a: Inst, b: Inst) -> bool {
    let (block_a, block_b) = (func.inst_block(a).expect("placed"), func.inst_block(b).expect("placed"));
    if block_a == block_b { order.before(func, a, b) } else { dominators.dominates(block_a, block_b) }
}

/// Removes the stores, lifetime markers, replaced loads and the alloca itself.
fn erase(func: &mut Function, cx: &mut PassContext<'_>, accesses: &AllocaAccesses) {
    cx.statistics.add("stores eliminated", accesses.stores.len() as u64);
    for &inst in accesses.stores.iter().chain(&accesses.loads).chain(&accesses.markers) {
        func.remove_inst(inst);
    }
    func.remove_inst(accesses.alloca);
}

/// Keeps the estimated phi copies of all promotions together below the limit. True if something was
/// given up.
fn apply_phi_limit(
    func: &Function,
    cx: &mut PassContext<'_>,
    cfg: &Cfg,
    general: &mut Vec<(AllocaAccesses, Scalar)>,
    placed: &mut Vec<Vec<Block>>,
) -> bool {
    let limit = cx.options.promotion.max_phi_copies.unwrap_or_else(|| {
        let accesses = general.iter().map(|(a, _)| (a.loads.len() + a.stores.len()) as u64).sum();
        Promotion::PHI_COPIES.max(accesses)
    });
    let copies = |blocks: &[Block]| blocks.iter().map(|&b| cfg.preds(b).len() as u64).sum::<u64>();
    let mut total: u64 = placed.iter().map(|blocks| copies(blocks)).sum();
    if total <= limit {
        return false;
    }
    let loops = cx.analyses.loops(func);
    let mut order: Vec<usize> = (0..general.len()).filter(|&i| !placed[i].is_empty()).collect();
    // Least benefit per copy first; ties by position. Cross-multiplied to stay in integers.
    let benefit: Vec<u64> = general.iter().map(|(a, _)| weighted_accesses(func, &loops, a)).collect();
    order.sort_by(|&x, &y| {
        let (bx, by) =
            (benefit[x] as u128 * copies(&placed[y]) as u128, benefit[y] as u128 * copies(&placed[x]) as u128);
        bx.cmp(&by).then(x.cmp(&y))
    });
    let mut give_up = vec![false; general.len()];
    for index in order {
        if total <= limit {
            break;
        }
        total -= copies(&placed[index]);
        give_up[index] = true;
    }
    let count = give_up.iter().filter(|&&g| g).count();
    cx.note(PASS.name, || format!("{count} variables stay in memory: more than {limit} phi copies"));
    cx.statistics.add("allocas kept by the phi limit", count as u64);
    let mut keep = give_up.iter().map(|&g| !g);
    general.retain(|_| keep.next().unwrap_or(true));
    let mut keep = give_up.iter().map(|&g| !g);
    placed.retain(|_| keep.next().unwrap_or(true));
    true
}

/// Accesses, each counted eightfold per loop around it (up to four loops).
fn weighted_accesses(func: &Function, loops: &LoopTree, accesses: &AllocaAccesses) -> u64 {
    accesses
        .loads
        .iter()
        .chain(&accesses.stores)
        .map(|&i| 1u64 << (3 * loops.depth(func.inst_block(i).expect("placed")).min(4)))
        .sum()
}

/// Positions of instructions in their blocks, numbered block by block on demand. Insertions between
/// numbered instructions do not matter: only accesses that existed at numbering are compared.
#[derive(Default)]
struct InstOrder {
    position: SecondaryMap<Inst, u32>,
}

impl InstOrder {
    fn number(&mut self, func: &Function, block: Block) {
        let numbered = func.first_inst(block).is_some_and(|first| self.position[first] != 0);
        if numbered {
            return;
        }
        self.position.resize(func.num_insts());
        for (index, inst) in func.block_insts(block).enumerate() {
            self.position[inst] = index as u32 + 1;
        }
    }

    /// The instructions block by block, in the order of each block.
    fn sorted(&mut self, func: &Function, insts: impl Iterator<Item = Inst>) -> impl Iterator<Item = Inst> {
        let place = |inst| {
            let block = func.inst_block(inst).expect("placed");
            self.number(func, block);
            (block, self.position[inst], inst)
        };
        let mut all: Vec<(Block, u32, Inst)> = insts.map(place).collect();
        all.sort_unstable();
        all.into_iter().map(|a| a.2)
    }

    fn before(&mut self, func: &Function, a: Inst, b: Inst) -> bool {
        self.number(func, func.inst_block(a).expect("placed"));
        self.position[a] < self.position[b]
    }
}
