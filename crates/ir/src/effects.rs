//! What instructions do besides giving results: what they read and write, whether they may go, move
//! or be repeated.
//!
//! Every pass and the back end ask here. The tables of opcodes and intrinsics answer for most
//! ([`Traits`]); loads, calls and inline assembly are looked at: their flags, attributes and
//! places.

use platform::registers::Reg;

use crate::abi::va_list;
use crate::instructions::{InstView, Intrinsic, Opcode, Traits};
use crate::{AliasTag, AliasTags, FnAttrs, Function, Inst, Module, ParamKind, Type, Value};

/// One access: address, size in bytes (`None`: unknown extent from the address on, in both
/// directions) and alias class.
#[derive(Copy, Clone, Debug)]
pub struct Access {
    /// The address.
    pub address: Value,
    /// Bytes touched from there.
    pub size: Option<u64>,
    /// Type-based class.
    pub tag: AliasTag,
}

/// What an instruction may touch; places are given as `A`.
#[derive(Copy, Clone, Debug)]
pub enum Touched<A = Access> {
    /// No memory.
    Nothing,
    /// These bytes.
    Bytes(A),
    /// What is visible outside of the function.
    Visible,
    /// Anything, private memory included.
    Anything,
}

impl<A> Touched<A> {
    /// The same with its place in another form.
    pub fn map<B>(self, to: impl FnOnce(A) -> B) -> Touched<B> {
        match self {
            Touched::Nothing => Touched::Nothing,
            Touched::Bytes(place) => Touched::Bytes(to(place)),
            Touched::Visible => Touched::Visible,
            Touched::Anything => Touched::Anything,
        }
    }
}

/// The bytes that a load or store accesses.
pub fn access_of(func: &Function, inst: Inst) -> Access {
    let data = func.insts[inst];
    let ty = if data.opcode == Opcode::Store { func.value_type(func.operand(inst, 1)) } else { data.ty };
    plain_access(func.operand(inst, 0), ty, data.mem_info().tag)
}

/// The bytes that a block operation accesses through an address operand.
pub fn block_access(func: &Function, inst: Inst, operand: usize) -> Access {
    let size = func.const_i64(func.operand(inst, 2)).and_then(|n| u64::try_from(n).ok());
    Access { address: func.operand(inst, operand), size, tag: AliasTags::any() }
}

fn plain_access(address: Value, ty: Type, tag: AliasTag) -> Access {
    Access { address, size: Some(u64::from(ty.store_size())), tag }
}

/// The register that a load or store of a global register variable reads or writes. Such an access
/// is volatile for all that would make another of it; it touches no memory but the variable.
pub fn register_variable(func: &Function, module: &Module, inst: Inst) -> Option<Reg> {
    let data = func.insts[inst];
    if !data.is_volatile() || !matches!(data.opcode, Opcode::Load | Opcode::Store) {
        return None;
    }
    let (symbol, 0) = func.const_symbol(func.operand(inst, 0))? else { return None };
    module.symbols[symbol].register
}

/// What an instruction may write.
pub fn written(func: &Function, module: &Module, inst: Inst) -> Touched {
    let data = func.insts[inst];
    match data.opcode {
        Opcode::Load if !may_write_memory(func, module, inst) => Touched::Nothing,
        // Volatile memory may change by itself; no other memory does (C17 6.7.3p7).
        Opcode::Load | Opcode::Store => Touched::Bytes(access_of(func, inst)),
        Opcode::MemCpy | Opcode::MemMove | Opcode::MemSet => Touched::Bytes(block_access(func, inst, 0)),
        Opcode::LifetimeStart | Opcode::LifetimeEnd => {
            Touched::Bytes(Access { address: func.operand(inst, 0), size: None, tag: AliasTags::any() })
        }
        Opcode::VaStart => {
            Touched::Bytes(Access { address: func.operand(inst, 0), size: Some(va_list::SIZE), tag: AliasTags::any() })
        }
        Opcode::Intrinsic if data.is_intrinsic(Intrinsic::MaskedStore) => {
            let ty = func.value_type(func.operand(inst, 2));
            Touched::Bytes(plain_access(func.operand(inst, 0), ty, AliasTags::any()))
        }
        Opcode::Call if !may_write_memory(func, module, inst) => Touched::Nothing,
        Opcode::Call if func.may_return_again(inst) => Touched::Anything,
        Opcode::Call => Touched::Visible,
        _ if may_write_memory(func, module, inst) => Touched::Anything,
        _ => Touched::Nothing,
    }
}

/// What an instruction may read. Aggregates that a call passes by value are not named: their
/// addresses are operands.
pub fn read(func: &Function, module: &Module, inst: Inst) -> Touched {
    let data = func.insts[inst];
    match data.opcode {
        Opcode::Load => Touched::Bytes(access_of(func, inst)),
        Opcode::MemCpy | Opcode::MemMove => Touched::Bytes(block_access(func, inst, 1)),
        Opcode::Call if func.may_return_again(inst) => Touched::Anything,
        Opcode::Call if call_attrs(func, module, inst).has(FnAttrs::CONST) => Touched::Nothing,
        Opcode::Call | Opcode::Ret => Touched::Visible,
        Opcode::Intrinsic if !data.intrinsic().traits().has(Traits::READS) => Touched::Nothing,
        opcode if !opcode.traits().has(Traits::READS) => Touched::Nothing,
        _ => Touched::Anything,
    }
}

/// Whether [`written`] is anything but nothing.
pub fn may_write_memory(func: &Function, module: &Module, inst: Inst) -> bool {
    let data = func.insts[inst];
    match data.opcode {
        Opcode::Load => data.is_volatile() && register_variable(func, module, inst).is_none(),
        Opcode::Call => {
            let attrs = call_attrs(func, module, inst);
            let pure = attrs.has(FnAttrs::CONST) || attrs.has(FnAttrs::PURE) || attrs.has(FnAttrs::REPORT);
            !pure || func.may_return_again(inst) || returns_in_memory(func, module, inst)
        }
        Opcode::Intrinsic => data.intrinsic().traits().has(Traits::WRITES),
        Opcode::Asm | Opcode::AsmBr => {
            let asm = func.asm(inst);
            asm.volatile || asm.clobbers_memory || asm.operands.iter().any(|o| o.is_output && o.result.is_none())
        }
        opcode => opcode.traits().has(Traits::WRITES),
    }
}

/// Whether the instruction may go when its results are unused: no memory writes, no control flow,
/// no volatile access, no trap that a program could rely on.
pub fn is_removable_if_unused(func: &Function, module: &Module, inst: Inst) -> bool {
    let data = func.insts[inst];
    match data.opcode {
        Opcode::Load => !may_write_memory(func, module, inst),
        Opcode::Call => call_is_pure(func, module, inst),
        Opcode::Asm => !data.is_volatile() && func.result(inst).is_some(),
        Opcode::Intrinsic => !data.intrinsic().traits().has(Traits::KEPT),
        opcode => !opcode.traits().has(Traits::KEPT),
    }
}

/// Whether the operation is a function of its operands alone, so that equal instances give equal
/// results and it may run anywhere its operands are available (division by zero aside: see
/// [`may_trap`]).
#[inline]
pub fn is_pure(func: &Function, inst: Inst) -> bool {
    match func.view(inst) {
        InstView::Intrinsic { intrinsic, .. } => intrinsic.traits().has(Traits::PURE),
        _ => func.insts[inst].opcode.traits().has(Traits::PURE),
    }
}

/// Whether executing it where the program did not may trap.
pub fn may_trap(func: &Function, inst: Inst) -> bool {
    if !func.insts[inst].opcode.traits().has(Traits::TRAPS) {
        return false;
    }
    let divisor = func.operand(inst, 1);
    let signed = matches!(func.insts[inst].opcode, Opcode::SDiv | Opcode::SRem);
    !func.const_bits(divisor).is_some_and(|b| b != 0 && !(signed && b == func.value_type(divisor).mask()))
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

/// Whether the call's result is a structure in memory: a function without effects writes that all
/// the same.
fn returns_in_memory(func: &Function, module: &Module, call: Inst) -> bool {
    let params = &module.signatures[func.call_info(call).sig].params;
    params.iter().any(|p| matches!(p.kind, ParamKind::StructReturn))
}

/// What the results of a call that does nothing else depend on. Whether it ends is the function's
/// promise only where the program calls it.
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
