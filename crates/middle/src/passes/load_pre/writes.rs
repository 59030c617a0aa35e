//! What loops write.

use cranelift_entity::SecondaryMap;
use ir::Function;
use ir::analysis::{Cfg, Loop, LoopTree};

use crate::analysis::alias::{Located, locate};
use crate::pass::PassContext;
use ir::effects::{Touched, written};

/// Writes kept per loop; a loop with more writes anything.
const MAX_WRITES: usize = 32;

/// What a loop writes.
#[derive(Clone, Default)]
pub(super) struct LoopWrites {
    pub(super) list: Vec<Located>,
    /// What is visible outside the function.
    pub(super) visible: bool,
    pub(super) anything: bool,
}

/// What each loop writes.
pub(super) fn loop_writes(
    func: &Function,
    cx: &PassContext<'_>,
    cfg: &Cfg,
    loops: &LoopTree,
) -> SecondaryMap<Loop, LoopWrites> {
    let mut out: SecondaryMap<Loop, LoopWrites> = SecondaryMap::new();
    for block in cfg.reverse_postorder() {
        let Some(innermost) = loops.innermost(block) else { continue };
        for inst in func.block_insts(block) {
            let touched = written(func, cx.module, inst);
            if matches!(touched, Touched::Nothing) {
                continue;
            }
            let touched = touched.map(|access| locate(func, access));
            let mut at = Some(innermost);
            while let Some(l) = at {
                let writes = &mut out[l];
                match touched {
                    Touched::Nothing => {}
                    Touched::Bytes(_) if writes.list.len() == MAX_WRITES => writes.anything = true,
                    Touched::Bytes(access) => writes.list.push(access),
                    Touched::Visible => writes.visible = true,
                    Touched::Anything => writes.anything = true,
                }
                at = loops.parent(l);
            }
        }
    }
    out
}
