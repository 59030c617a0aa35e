//! What an instruction does besides computing its results: what must be selected even if nobody uses it, what memory loads may not pass.

use ir::{FnAttrs, Function, Inst, Intrinsic, Opcode};

/// Whether a load may not be moved from above this instruction to below it (or the other way round).
pub fn writes_memory(func: &Function, inst: Inst) -> bool {
    use Opcode::*;
    let data = &func.insts[inst];
    match data.opcode {
        Store | MemCpy | MemMove | MemSet | AtomicLoad | AtomicStore | AtomicRmw | CmpXchg | Fence | StackRestore
        | LifetimeStart | LifetimeEnd | Asm | AsmBr | VaStart | DynAlloca => true,
        Load => data.is_volatile(),
        Call => !func.call_info(inst).attrs.has(FnAttrs::CONST),
        Intrinsic => !is_pure_intrinsic(data.intrinsic()) || func.results(inst).len() == 0,
        _ => false,
    }
}

/// Whether the instruction must be selected although its results are unused.
pub fn has_side_effects(func: &Function, inst: Inst) -> bool {
    use Opcode::*;
    let data = &func.insts[inst];
    match data.opcode {
        Store | MemCpy | MemMove | MemSet | AtomicLoad | AtomicStore | AtomicRmw | CmpXchg | Fence | Prefetch
        | StackRestore | DynAlloca | VaStart => true,
        Load => data.is_volatile(),
        Asm => data.is_volatile() || func.results(inst).len() == 0,
        Call => true,
        Intrinsic => {
            let intrinsic = data.intrinsic();
            has_intrinsic_effect(intrinsic) || (intrinsic == ir::Intrinsic::X86 && func.results(inst).len() == 0)
        }
        opcode => opcode.is_terminator(),
    }
}

fn is_pure_intrinsic(intrinsic: Intrinsic) -> bool {
    use Intrinsic::*;
    matches!(
        intrinsic,
        FrameAddress
            | ReturnAddress
            | DwarfCfa
            | ArgumentRegisters
            | CleanupList
            | ThreadPointer
            | IsConstant
            | Expect
            | Assume
            | ObjectSize
            | KnownBytes
            | Pause
            | Rint
            | Floor
            | Ceil
            | TruncF
            | StaticChain
            | MoveMask
            | X86
    )
}

fn has_intrinsic_effect(intrinsic: Intrinsic) -> bool {
    use Intrinsic::*;
    matches!(
        intrinsic,
        Trap | SetJmp
            | LongJmp
            | EhReturn
            | ClearCache
            | UnwindInit
            | Pause
            | Rdtsc
            | InitTrampoline
            | NonlocalGoto
            | GetMxcsr
            | SetMxcsr
    )
}
