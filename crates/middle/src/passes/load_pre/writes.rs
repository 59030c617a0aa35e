//! What instructions and loops write.

use cranelift_entity::SecondaryMap;
use ir::analysis::{Cfg, Loop, LoopTree};
use ir::{AliasTags, Function, Inst, Opcode};

use crate::analysis::alias::{Access, Located, locate};
use crate::effects::may_write_memory;
use crate::pass::PassContext;

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
        for inst in func.block_insts(block).filter(|&i| may_write_memory(func, cx.module, i)) {
            let effect = effect(func, inst);
            let mut at = Some(innermost);
            while let Some(l) = at {
                let writes = &mut out[l];
                match effect {
                    Effect::Write(_) if writes.list.len() == MAX_WRITES => writes.anything = true,
                    Effect::Write(access) => writes.list.push(access),
                    Effect::Visible => writes.visible = true,
                    Effect::Anything => writes.anything = true,
                }
                at = loops.parent(l);
            }
        }
    }
    out
}

/// What an instruction that writes memory may write.
pub(super) enum Effect {
    Write(Located),
    /// What is visible outside the function.
    Visible,
    Anything,
}

/// The effect of an instruction that writes memory.
pub(super) fn effect(func: &Function, inst: Inst) -> Effect {
    let endless = |size| Access { address: func.operand(inst, 0), size, tag: AliasTags::any() };
    match func.insts[inst].opcode {
        Opcode::Store => Effect::Write(locate(func, access_of(func, inst))),
        Opcode::MemCpy | Opcode::MemMove | Opcode::MemSet => {
            let size = func.const_i64(func.operand(inst, 2)).and_then(|n| u64::try_from(n).ok());
            Effect::Write(locate(func, endless(size)))
        }
        Opcode::LifetimeStart | Opcode::LifetimeEnd => Effect::Write(locate(func, endless(None))),
        Opcode::Call => Effect::Visible,
        _ => Effect::Anything,
    }
}

/// The place that a load or store accesses.
pub(super) fn access_of(func: &Function, inst: Inst) -> Access {
    let ty = match func.insts[inst].opcode {
        Opcode::Store => func.value_type(func.operand(inst, 1)),
        _ => func.insts[inst].ty,
    };
    let tag = func.mem_info(inst).tag;
    Access { address: func.operand(inst, 0), size: Some(ty.store_size() as u64), tag }
}
