//! Dead store elimination within blocks, and of stores to locals that nobody reads before the function returns.
//!
//! Each block is walked backwards with the set of byte ranges that are certainly overwritten before anything may read them. A store into such a
//! range is dead. A read removes the ranges it may touch; a call removes those that other code can name. Where the function returns, every
//! private local is as good as overwritten. Volatile and atomic accesses are never touched, and act as reads of everything.
//!
//! Cost: instructions times [`MAX_RANGES`].
//!
//! ```text
//! store p, v1                 
//! store q, v2            =>   store q, v2      (q cannot alias p)
//! store p, v3                 store p, v3
//! ```

use ir::{AliasTags, Block, Function, Inst, MemInfo, Opcode, flags};

use crate::analysis::alias::{Access, AliasAnalysis, Base, decompose};
use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass { name: "dse", run };

/// Ranges kept at a time.
const MAX_RANGES: usize = 32;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    if func.calls_setjmp {
        return Changed::Nothing;
    }
    let alias = AliasAnalysis::compute(func, cx.options.codegen.strict_aliasing);
    let mut removed = 0;
    let blocks: Vec<Block> = func.blocks().collect();
    for block in blocks {
        removed += sweep(func, cx, &alias, block);
    }
    cx.statistics.add("dead stores removed", removed);
    Changed::code_if(removed > 0)
}

fn sweep(func: &mut Function, cx: &PassContext<'_>, alias: &AliasAnalysis, block: Block) -> u64 {
    let mut overwritten: Vec<Access> = Vec::new();
    let mut returns = false;
    let mut removed = 0;
    let mut next = func.last_inst(block);
    while let Some(inst) = next {
        next = func.prev_inst(inst);
        let data = func.insts[inst];
        let volatile = data.flags & flags::VOLATILE != 0;
        match data.opcode {
            Opcode::Ret => returns = true,
            Opcode::Store if !volatile => {
                let access = store_access(func, inst);
                let private = matches!(decompose(func, access.address).0, Base::Alloca(a) if alias.is_private(a));
                if (returns && private) || overwritten.iter().any(|o| covers(func, *o, access)) {
                    func.remove_inst(inst);
                    removed += 1;
                } else if overwritten.len() < MAX_RANGES {
                    overwritten.push(access);
                }
            }
            Opcode::Load if !volatile => {
                let access = Access {
                    address: func.operand(inst, 0),
                    size: Some(data.ty.store_size() as u64),
                    tag: MemInfo::unpack(data.c).tag,
                };
                returns &= !matches!(decompose(func, access.address).0, Base::Alloca(_));
                overwritten.retain(|o| !alias.may_alias(func, cx.module, *o, access));
            }
            Opcode::MemSet if !volatile => {}
            Opcode::MemCpy | Opcode::MemMove if !volatile => {
                let size = func.const_i64(func.operand(inst, 2)).and_then(|n| u64::try_from(n).ok());
                let access = Access { address: func.operand(inst, 1), size, tag: AliasTags::any() };
                returns &= !matches!(decompose(func, access.address).0, Base::Alloca(_));
                overwritten.retain(|o| !alias.may_alias(func, cx.module, *o, access));
            }
            opcode if reads_nothing(func, inst, opcode) => {}
            Opcode::Call => {
                // By-value arguments read private locals too.
                let passes_local = func.operands(inst).any(|v| matches!(decompose(func, v).0, Base::Alloca(_)));
                if passes_local {
                    overwritten.clear();
                    returns = false;
                }
                overwritten.retain(|o| !alias.visible_outside(func, *o));
            }
            _ => {
                overwritten.clear();
                returns = false;
            }
        }
    }
    removed
}

fn store_access(func: &Function, inst: Inst) -> Access {
    let ty = func.value_type(func.operand(inst, 1));
    Access {
        address: func.operand(inst, 0),
        size: Some(ty.store_size() as u64),
        tag: MemInfo::unpack(func.insts[inst].c).tag,
    }
}

/// Whether every byte of `inner` is in `outer`.
fn covers(func: &Function, outer: Access, inner: Access) -> bool {
    if outer.address == inner.address {
        return outer.size >= inner.size;
    }
    let ((base_o, start_o), (base_i, start_i)) = (decompose(func, outer.address), decompose(func, inner.address));
    match (start_o, start_i, outer.size, inner.size) {
        (Some(so), Some(si), Some(no), Some(ni)) if base_o == base_i => {
            so <= si && si.saturating_add_unsigned(ni) <= so.saturating_add_unsigned(no)
        }
        _ => false,
    }
}

fn reads_nothing(func: &Function, inst: Inst, opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Br | Opcode::CondBr | Opcode::Switch | Opcode::Phi | Opcode::Undef | Opcode::Alloca)
        || crate::effects::is_pure(func, inst)
}
