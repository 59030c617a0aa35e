//! What pragmas say of loops: hints for the optimiser, and OpenMP's lists of variables.

use base::Loc;
use ir::{Block, InstView};

use super::function::Fx;
use super::lvalues;
use super::place::Place;
use crate::tree::*;

/// What pragmas say of the loops being lowered.
#[derive(Default)]
pub struct State {
    hint: ir::LoopHint,
    /// Variables that gather sums and the like, in any order.
    gathered: Vec<DeclId>,
    /// Floating arithmetic may be done in another order.
    pub any_order: bool,
}

/// Lowers a loop whose first word is at `loc`, as its pragmas say.
pub fn around(fx: &mut Fx<'_, '_>, loc: Loc, lower: impl FnOnce(&mut Fx<'_, '_>)) {
    let pragma = if fx.unit.loop_pragmas.is_empty() { None } else { fx.unit.loop_pragmas.get(&loc).cloned() };
    let outer = std::mem::take(&mut fx.loops.hint);
    let Some(LoopPragma { hint, reductions, private }) = pragma else {
        lower(fx);
        fx.loops.hint = outer;
        return;
    };
    let saved: Vec<(DeclId, Place)> = private.into_iter().map(|decl| (decl, save(fx, decl))).collect();
    let gathered = fx.loops.gathered.len();
    fx.loops.gathered.extend(reductions);
    fx.loops.hint = hint;
    lower(fx);
    fx.loops.hint = outer;
    fx.loops.gathered.truncate(gathered);
    for (decl, copy) in saved {
        let (variable, ty) = (lvalues::variable(fx, decl), fx.unit.decls[decl].ty);
        lvalues::copy(fx, variable, copy, ty, false);
    }
}

/// A copy of a variable.
fn save(fx: &mut Fx<'_, '_>, decl: DeclId) -> Place {
    let (variable, ty) = (lvalues::variable(fx, decl), fx.unit.decls[decl].ty);
    let copy = lvalues::temporary(fx, ty.ty());
    lvalues::copy(fx, copy, variable, ty, false);
    copy
}

/// Notes the hint about the loop being lowered, which begins at `top`, at the branches to there
/// from `test` and the blocks made after it.
pub fn note(fx: &mut Fx<'_, '_>, test: Block, top: Block) {
    let hint = fx.loops.hint;
    if hint == ir::LoopHint::default() {
        return;
    }
    let blocks: Vec<Block> = fx.func.blocks().skip_while(|&block| block != test).collect();
    for block in blocks {
        let Some(branch) = fx.func.last_inst(block) else { continue };
        if let InstView::CondBr { then_dest, else_dest, .. } = fx.func.view(branch)
            && (then_dest == top || else_dest == top)
        {
            let at = fx.func.source_loc(branch);
            fx.func.loop_hints.push((at, hint));
        }
    }
}

/// Whether the variable gathers a sum or the like in the loop being lowered.
pub fn gathers(fx: &Fx<'_, '_>, e: ExprRef<'_>) -> bool {
    !fx.loops.gathered.is_empty() && e.decl().is_some_and(|decl| fx.loops.gathered.contains(&decl))
}
