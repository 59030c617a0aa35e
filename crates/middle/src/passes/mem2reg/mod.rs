//! Promotion of allocas to SSA values.
//!
//! **What it promotes.** An alloca of at most 64 bytes (`--max-promote-size=`) whose address is
//! used only by non-volatile loads and stores (as the address, not the stored value) of one width,
//! and by lifetime markers. Accesses of different types of one width (a union read through another
//! member) are joined by bit conversions. Allocas of any block count. In a function that calls
//! setjmp or the like, what is live across that call and set after it keeps its slot
//! ([`second_return`]).
//!
//! **How.** Fast paths first: no loads; a single store that dominates the loads; few accesses, all
//! in one block. The others go through the classic construction (Cytron et al. 1991): phis on the
//! iterated dominance frontier of the stores ([`Frontier`]: Sreedhar and Gao's level-keyed queue,
//! no stored frontier sets), pruned by liveness, then renaming in a walk over the dominator tree
//! with an undo log and an explicit worklist ([`rename`]). Trivial phis are removed to a fixed
//! point. The whole is repeated until nothing more is promotable: `int *p = &x` frees `x` once `p`
//! is promoted.
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

mod accesses;
mod debug;
mod keep;
mod rename;
mod second_return;

use cranelift_entity::SecondaryMap;
use ir::analysis::{Cfg, DominatorTree, LoopTree};
use ir::{Block, Function, Inst, Opcode, Type, Value};
use platform::options::Promotion;

use crate::analysis::frontier::Frontier;
use crate::pass::{Changed, Pass, PassContext};
use crate::passes::phis::{simplify_phi_webs, simplify_phis};
use crate::passes::simplify_cfg::remove_unreachable_blocks;

use accesses::{AllocaAccesses, collect};
use second_return::SecondReturns;

/// The pass.
pub const PASS: Pass = Pass::new("mem2reg", run);

/// Largest promoted alloca in bytes, whatever the options say: the widest vector.
const MAX_PROMOTABLE_BYTES: u64 = 64;

/// So many accesses in one block are replaced alone. Variables with more are renamed together: a
/// walk along the block for each of many variables costs more, and misses the caches, in very long
/// blocks.
const FEW: usize = 32;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    // Phis need a value per predecessor, and there is none along edges from nowhere.
    let removed_blocks = remove_unreachable_blocks(func, &mut cx.analyses);
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
    let (mut general, mut swept) = (Vec::new(), Vec::new());
    let mut order = InstOrder::default();
    for accesses in candidates {
        let done =
            promote_unread(func, cx, &accesses) || promote_single_store(func, cx, &dominators, &mut order, &accesses);
        if done {
            promoted += 1;
        } else if !defined_first_in_single_block(func, &mut order, &accesses) {
            general.push(accesses);
        } else if accesses.loads.len() + accesses.stores.len() > FEW {
            swept.push(accesses);
        } else {
            promote_single_block(func, cx, &order, &accesses);
            promoted += 1;
        }
    }
    let mut placed: Vec<Vec<Block>> = Vec::with_capacity(general.len());
    {
        let mut frontier = Frontier::new(func);
        for accesses in &general {
            frontier.begin(&cfg, accesses.defining_blocks(func));
            accesses.mark_reads(func, &cfg, &mut frontier);
            placed.push(frontier.phi_blocks(&cfg, &dominators, true));
        }
    }
    let kept_in_memory = apply_phi_limit(func, cx, &cfg, &mut general, &mut placed);
    general.append(&mut swept);
    placed.resize(general.len(), Vec::new());
    promoted += general.len() as u64;
    let phis = rename::rename(func, &cfg, &dominators, &mut cx.statistics, &general, &placed);
    cx.statistics.add("phis inserted", phis.len() as u64);
    let removed = simplify_phis(func, &dominators, phis) + simplify_phi_webs(func, &dominators);
    cx.statistics.add("phis simplified", removed);
    cx.statistics.add("allocas promoted", promoted);
    promoted > 0 && !kept_in_memory
}

/// An alloca that is never loaded: its stores go.
fn promote_unread(func: &mut Function, cx: &mut PassContext<'_>, accesses: &AllocaAccesses) -> bool {
    if !accesses.loads.is_empty() {
        return false;
    }
    erase(func, cx, accesses);
    true
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
        replace_load(func, load, value);
    }
    cx.statistics.add("loads eliminated", accesses.loads.len() as u64);
    erase(func, cx, accesses);
    true
}

fn dominates(func: &Function, dominators: &DominatorTree, order: &mut InstOrder, a: Inst, b: Inst) -> bool {
    let (block_a, block_b) = (func.inst_block(a).expect("placed"), func.inst_block(b).expect("placed"));
    if block_a == block_b { order.before(func, a, b) } else { dominators.dominates(block_a, block_b) }
}

/// All accesses are in one block, and nothing reads what an earlier iteration of a loop may have
/// stored: no phi is needed.
fn defined_first_in_single_block(func: &Function, order: &mut InstOrder, accesses: &AllocaAccesses) -> bool {
    let block = func.inst_block(accesses.loads[0]);
    let all = accesses.loads.iter().chain(&accesses.stores);
    if all.clone().any(|&i| func.inst_block(i) != block) {
        return false;
    }
    order.number(func, block.expect("placed"));
    let first = all.min_by_key(|&&i| order.position[i]).expect("there are loads");
    accesses.stores.is_empty() || func.insts[*first].opcode == Opcode::Store
}

/// Such accesses, if they are few: one after the other.
fn promote_single_block(func: &mut Function, cx: &mut PassContext<'_>, order: &InstOrder, accesses: &AllocaAccesses) {
    let mut all: Vec<Inst> = accesses.loads.iter().chain(&accesses.stores).copied().collect();
    all.sort_by_key(|&i| order.position[i]);
    let mut current: Option<Value> = None;
    for &inst in &all {
        if func.insts[inst].opcode == Opcode::Store {
            current = Some(func.operand(inst, 1));
        } else {
            let value = match current {
                Some(value) => value,
                None => undef_before(func, inst, func.insts[inst].ty),
            };
            replace_load(func, inst, value);
        }
    }
    cx.statistics.add("loads eliminated", accesses.loads.len() as u64);
    erase(func, cx, accesses);
}

/// Removes the stores, lifetime markers, replaced loads and the alloca itself.
fn erase(func: &mut Function, cx: &mut PassContext<'_>, accesses: &AllocaAccesses) {
    cx.statistics.add("stores eliminated", accesses.stores.len() as u64);
    debug::record_accesses(func, accesses);
    debug::record_merges(func, accesses, |_| None);
    for &inst in accesses.stores.iter().chain(&accesses.loads).chain(&accesses.markers) {
        func.remove_inst(inst);
    }
    func.remove_inst(accesses.alloca);
}

/// Makes every use of a load's result use `value`, converted if the types differ. The load itself
/// stays for [`erase`].
fn replace_load(func: &mut Function, load: Inst, value: Value) {
    let result = func.first_result(load);
    let ty = func.insts[load].ty;
    let value = convert_before(func, load, value, ty);
    func.replace_all_uses(result, value);
}

/// `value` as type `ty` of the same width, by conversions placed before `inst`.
fn convert_before(func: &mut Function, inst: Inst, value: Value, ty: Type) -> Value {
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
    let mut builder = ir::Builder::before(func, inst);
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
    ir::Builder::before(func, inst).undef(ty)
}

/// Keeps the estimated phi copies of all promotions together below the limit. True if something was
/// given up.
fn apply_phi_limit(
    func: &Function,
    cx: &mut PassContext<'_>,
    cfg: &Cfg,
    general: &mut Vec<AllocaAccesses>,
    placed: &mut Vec<Vec<Block>>,
) -> bool {
    let limit = cx.options.promotion.max_phi_copies.unwrap_or_else(|| {
        let accesses = general.iter().map(|a| (a.loads.len() + a.stores.len()) as u64).sum();
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
    let benefit: Vec<u64> = general.iter().map(|a| weighted_accesses(func, &loops, a)).collect();
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
    cx.remarks.push((PASS.name, format!("{count} variables stay in memory: more than {limit} phi copies")));
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

    fn before(&mut self, func: &Function, a: Inst, b: Inst) -> bool {
        self.number(func, func.inst_block(a).expect("placed"));
        self.position[a] < self.position[b]
    }
}
