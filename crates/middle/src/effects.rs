//! What instructions do besides giving results.

use ir::{FnAttrs, Function, Inst, Intrinsic, Module, Opcode, ParamKind};

/// Whether the instruction may go when its results are unused: no memory writes, no control flow, no volatile access, no trap that a
/// program could rely on.
pub fn is_removable_if_unused(func: &Function, module: &Module, inst: Inst) -> bool {
    let data = func.insts[inst];
    match data.opcode {
        Opcode::Load => !data.is_volatile(),
        Opcode::Call => call_is_pure(func, module, inst),
        Opcode::Asm => !data.is_volatile() && func.result(inst).is_some(),
        Opcode::Intrinsic => intrinsic_is_pure(data.intrinsic()),
        // A dynamic alloca moves the stack pointer, but nobody can tell.
        Opcode::DynAlloca => true,
        opcode => !opcode.is_terminator() && !writes_memory_opcode(opcode),
    }
}

/// Whether the operation is a function of its operands alone, so that equal instances give equal results and it may run anywhere its
/// operands are available (division by zero aside: see [`may_trap`]).
pub fn is_pure(func: &Function, inst: Inst) -> bool {
    use Opcode::*;
    let opcode = func.insts[inst].opcode;
    match opcode {
        Intrinsic => matches!(
            func.insts[inst].intrinsic(),
            ir::Intrinsic::Rint
                | ir::Intrinsic::Floor
                | ir::Intrinsic::Ceil
                | ir::Intrinsic::TruncF
                | ir::Intrinsic::MoveMask
                | ir::Intrinsic::X86
        ),
        TlsAddr | BlockAddr | PtrAdd => true,
        _ => (opcode >= Add && opcode <= Select) || (opcode >= ExtractLane && opcode <= Shuffle),
    }
}

/// Whether executing it where the program did not may trap.
pub fn may_trap(func: &Function, inst: Inst) -> bool {
    use Opcode::*;
    match func.insts[inst].opcode {
        UDiv | URem => func.const_bits(func.operand(inst, 1)).is_none_or(|b| b == 0),
        SDiv | SRem => {
            let divisor = func.operand(inst, 1);
            !func.const_bits(divisor).is_some_and(|b| b != 0 && b != func.value_type(divisor).mask())
        }
        _ => false,
    }
}

/// Whether it may write memory that others can see (calls included).
pub fn may_write_memory(func: &Function, module: &Module, inst: Inst) -> bool {
    let data = func.insts[inst];
    match data.opcode {
        Opcode::Load => data.is_volatile(),
        Opcode::Call => {
            let attrs = call_attrs(func, module, inst);
            let pure = attrs.has(FnAttrs::CONST) || attrs.has(FnAttrs::PURE);
            !pure || func.may_return_again(inst) || returns_in_memory(func, module, inst)
        }
        Opcode::Intrinsic => !intrinsic_is_pure(data.intrinsic()),
        Opcode::Asm | Opcode::AsmBr => {
            let asm = &func.asms[data.asm_id()];
            asm.volatile || asm.clobbers_memory || asm.operands.iter().any(|o| o.is_output && o.result.is_none())
        }
        opcode => writes_memory_opcode(opcode),
    }
}

/// The attributes of a call: those at the call and those of a callee known by name.
pub fn call_attrs(func: &Function, module: &Module, inst: Inst) -> FnAttrs {
    let mut attrs = func.call_info(inst).attrs;
    if let Some((symbol, 0)) = func.const_symbol(func.list(inst)[0]) {
        attrs.set(
            module.symbols[symbol].attrs.0 & (FnAttrs::CONST | FnAttrs::PURE | FnAttrs::NORETURN | FnAttrs::NOTHROW),
        );
    }
    attrs
}

fn call_is_pure(func: &Function, module: &Module, inst: Inst) -> bool {
    let attrs = call_attrs(func, module, inst);
    let pure = attrs.has(FnAttrs::CONST) || attrs.has(FnAttrs::PURE);
    pure && !attrs.has(FnAttrs::NORETURN) && !returns_in_memory(func, module, inst)
}

/// Whether the call's result is a structure in memory: a function without effects writes that all the same.
fn returns_in_memory(func: &Function, module: &Module, call: Inst) -> bool {
    let params = &module.signatures[func.call_info(call).sig].params;
    params.iter().any(|p| matches!(p.kind, ParamKind::StructReturn))
}

/// What the results of a call that does nothing else depend on. Whether it ends is the function's promise only where the program calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallDependence {
    /// Its arguments alone: a `const` function.
    Arguments,
    /// Memory as well: a `pure` function.
    Memory,
}

/// See [`CallDependence`]. None of calls that do more than give results, or pass structures.
pub fn call_dependence(func: &Function, module: &Module, call: Inst) -> Option<CallDependence> {
    let attrs = call_attrs(func, module, call);
    let dependence = match () {
        () if attrs.has(FnAttrs::CONST) => CallDependence::Arguments,
        () if attrs.has(FnAttrs::PURE) => CallDependence::Memory,
        () => return None,
    };
    let signature = &module.signatures[func.call_info(call).sig];
    let plain = !attrs.has(FnAttrs::NORETURN)
        && !func.may_return_again(call)
        && !signature.returns.is_empty()
        && signature.params.iter().all(|p| matches!(p.kind, ParamKind::Direct));
    plain.then_some(dependence)
}

fn intrinsic_is_pure(intrinsic: Intrinsic) -> bool {
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
            | ObjectSize
            | KnownBytes
            | Rint
            | Floor
            | Ceil
            | TruncF
            | StaticChain
            | MoveMask
            | X86
            | GetMxcsr
    )
}

fn writes_memory_opcode(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Store
            | MemCpy
            | MemMove
            | MemSet
            | AtomicLoad
            | AtomicStore
            | AtomicRmw
            | CmpXchg
            | Fence
            | Prefetch
            | StackSave
            | StackRestore
            | LifetimeStart
            | LifetimeEnd
            | VaStart
    )
}
