//! Canonical loops: a preheader (one block outside that only jumps to the header) and dedicated
//! exits (blocks reached from one loop only).

use ir::analysis::{Cfg, DominatorTree, Loop, LoopRef};
use ir::{Block, Builder, Function, Inst, Module, Opcode, Position, Value};
use rustc_hash::FxHashSet;

use crate::pass::{Changed, PassContext};
use ir::effects::is_removable_if_unused;

/// Gives the headers of some loops preheaders, where the entering edges can be redirected. True if
/// the control flow has changed.
pub fn make_preheaders(func: &mut Function, cx: &mut PassContext<'_>, wanted: &[Loop]) -> bool {
    let (cfg, loops) = (cx.analyses.cfg(func), cx.analyses.loops(func));
    let made = wanted.iter().filter(|&&l| make_preheader(func, &cfg, loops.at(l))).count();
    if made > 0 {
        cx.analyses.invalidate(Changed::ControlFlow);
    }
    made > 0
}

fn make_preheader(func: &mut Function, cfg: &Cfg, l: LoopRef<'_>) -> bool {
    let header = l.header();
    let outside: Vec<Block> = cfg.preds(header).iter().copied().filter(|&p| !l.contains(p)).collect();
    if outside.iter().any(|&p| !cfg.is_reachable(p)) {
        return false;
    }
    let has_one = matches!(outside[..], [only] if func.insts[func.terminator(only)].opcode == Opcode::Br);
    !has_one && redirect(func, header, &outside).is_some()
}

/// Gives every exit block that is also reached from outside the loop a block of its own on the
/// exiting edges. Returns the exit blocks, each once, or `None` if an exiting edge cannot be
/// redirected.
pub fn ensure_dedicated_exits(
    func: &mut Function,
    cfg: &Cfg,
    blocks: &[Block],
    in_loop: impl Fn(Block) -> bool,
) -> Option<(Vec<Block>, bool)> {
    let mut targets: Vec<Block> = Vec::new();
    for &block in blocks {
        targets.extend(cfg.succs(block).iter().copied().filter(|&s| !in_loop(s)));
    }
    targets.sort();
    targets.dedup();
    let mut changed = false;
    let mut exits = Vec::with_capacity(targets.len());
    for target in targets {
        let inside: Vec<Block> = cfg.preds(target).iter().copied().filter(|&p| in_loop(p)).collect();
        if inside.len() == cfg.preds(target).len() {
            exits.push(target);
        } else {
            exits.push(redirect(func, target, &inside)?);
            changed = true;
        }
    }
    Some((exits, changed))
}

/// A new block between `preds` and `target`: the edges from all of them go through it, phis follow.
pub fn redirect(func: &mut Function, target: Block, preds: &[Block]) -> Option<Block> {
    let fixed = |&p: &Block| matches!(func.insts[func.terminator(p)].opcode, Opcode::IndirectBr | Opcode::AsmBr);
    if preds.iter().any(fixed) || preds.is_empty() {
        return None;
    }
    let between = func.make_block();
    func.insert_block_after(*preds.last().expect("not empty"), between);
    Builder::new(func, Position::End(between)).br(target);
    func.for_each_phi(target, |func, phi| {
        let entries: Vec<(Value, Block)> = preds.iter().map(|&pred| (func.take_phi_entry(phi, pred), pred)).collect();
        let merged = merge(func, between, phi, &entries);
        func.phi_push(phi, merged, between);
    });
    for &pred in preds {
        let terminator = func.terminator(pred);
        func.map_targets(terminator, |t| if t == target { between } else { t });
    }
    Some(between)
}

/// The value that the entries merge to at the start of `block`.
fn merge(func: &mut Function, block: Block, phi: Inst, entries: &[(Value, Block)]) -> Value {
    if let [(only, _)] = entries {
        return *only;
    }
    let ty = func.insts[phi].ty;
    let first = func.first_inst(block).expect("has a jump");
    let merged = Builder::new(func, Position::Before(first)).phi(ty, entries);
    func.first_result(merged)
}

/// The blocks of a loop that run whenever it is entered: those that dominate every exit and every
/// latch, in loops without calls that might not return.
pub fn always_executed(
    func: &Function,
    module: &Module,
    cfg: &Cfg,
    dominators: &DominatorTree,
    l: LoopRef<'_>,
    blocks: &[Block],
) -> FxHashSet<Block> {
    let mut out = FxHashSet::default();
    let may_not_return = |i: Inst| match func.insts[i].opcode {
        Opcode::Call => !is_removable_if_unused(func, module, i),
        opcode => matches!(opcode, Opcode::Asm | Opcode::AsmBr | Opcode::Intrinsic),
    };
    if blocks.iter().any(|&b| func.block_insts(b).any(may_not_return)) {
        return out;
    }
    let header = l.header();
    let leaves = |b: Block| cfg.succs(b).iter().any(|&s| s == header || !l.contains(s));
    // What dominates all ends is what dominates the deepest block that does.
    let mut common = None;
    for end in blocks.iter().copied().filter(|&b| leaves(b)) {
        let mut above = common.unwrap_or(end);
        while !dominators.dominates(above, end) {
            above = dominators.idom(above).expect("the header dominates the loop");
        }
        common = Some(above);
    }
    let chain = std::iter::successors(common, |&b| if b == header { None } else { dominators.idom(b) });
    out.extend(chain);
    out
}
