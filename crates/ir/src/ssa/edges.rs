//! New blocks on edges: for several edges into one block, and for the edges that leave a loop.

use crate::analysis::Cfg;
use crate::{Block, Builder, Function, Inst, Opcode, Position, Value};

/// Gives a loop dedicated exits, reached from it only: every exit block that is also reached from
/// outside the loop gets a block of its own on the exiting edges. Returns the exit blocks, each
/// once, or `None` if an exiting edge cannot be redirected.
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
