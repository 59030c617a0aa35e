//! Canonical loops: a preheader, one block outside that only jumps to the header.

use ir::analysis::{Cfg, Loop, LoopRef};
use ir::ssa::redirect;
use ir::{Block, Function, Opcode};

use crate::pass::{Changed, PassContext};

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
