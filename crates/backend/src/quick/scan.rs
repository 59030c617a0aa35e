//! The one scan before emission: use counts, which values cross blocks, stack slots of allocas, and
//! register hints.
//!
//! Blocks go in layout order, each block's instructions last first, so that the wish of a use
//! ("this is the second argument of a call: rsi") can be handed on through the operation that makes
//! the value to that operation's own first operand. A value is *global* if two different blocks
//! touch it; that needs no dominators and errs on the safe side only.

use ir::{FnAttrs, Function, Inst, Opcode, Ordering, TlsModel, Type, Value, flags};
use platform::registers::{RAX, RCX};

use super::Quick;
use super::state::{NO_BLOCK, NO_HINT, Place, ValueState};
use crate::context::Context;
use ir::abi::{ParamPlace, STACK_ALIGN};

/// What the scan found about the function as a whole.
#[derive(Clone, Copy, Default, Debug)]
pub struct Facts {
    /// There is a `va_start`.
    pub va_start: bool,
    /// Some alloca exists.
    pub has_allocas: bool,
    /// Something that only selection makes.
    pub refused: bool,
}

/// Whether an operation is one that only selection makes.
#[inline]
fn is_for_selection(cx: Context<'_>, func: &Function, inst: Inst) -> bool {
    use Opcode::*;
    let data = func.insts[inst];
    match data.opcode {
        Alloca => func.alloca_info(inst).1 > STACK_ALIGN,
        AtomicStore => data.ordering() == Ordering::SeqCst,
        TlsAddr => !matches!(cx.tls_model(data.symbol()), TlsModel::LocalExec | TlsModel::InitialExec),
        // Half of the numbers are out of reach of the instruction.
        UiToFp => func.value_type(data.arg(0)) == Type::I64,
        FpToUi => data.ty == Type::I64,
        Call => func.call_info(inst).attrs.has(FnAttrs::RETURNS_TWICE) || data.has(flags::MUST_TAIL),
        Intrinsic => {
            use ir::Intrinsic::*;
            !matches!(
                data.intrinsic(),
                Trap | IsConstant | Expect | KnownBytes | Assume | ObjectSize | ScopeBegin | ScopeEnd
            )
        }
        DynAlloca | StackSave | StackRestore | AtomicRmw | CmpXchg | Fence | Prefetch => true,
        SMin | SMax | UMin | UMax | SMulHi | UMulHi => true,
        opcode if opcode.tells_overflow() => true,
        Ctlz | Cttz | Popcount | FMin | FMax | CopySign | Sqrt | Fma | Select | Phi => true,
        ExtractLane | InsertLane | Splat | Shuffle | Asm | AsmBr => true,
        _ => false,
    }
}

/// Fills in the state of every value.
pub fn scan(q: &mut Quick<'_>) -> Facts {
    let func = q.func;
    let mut facts = Facts::default();
    let mut allocas = Vec::new();
    let entry = func.entry().as_u32();
    for &param in func.params() {
        touch(q, param, entry);
    }
    for block in func.blocks() {
        let number = block.as_u32();
        for inst in func.block_insts_rev(block) {
            if is_for_selection(q.cx, func, inst) {
                facts.refused = true;
                return facts;
            }
            scan_inst(q, &mut facts, &mut allocas, inst, number);
        }
    }
    // Their uses may be in any block, so they are all known only now.
    for inst in allocas {
        alloca(q, &mut facts, inst);
    }
    facts
}

#[inline]
fn touch(q: &mut Quick<'_>, value: Value, block: u32) {
    touch_state(&mut q.values[value.as_u32() as usize], block);
}

#[inline]
fn touch_state(state: &mut ValueState, block: u32) {
    if state.block == NO_BLOCK {
        state.block = block;
    } else if state.block != block {
        make_global(state);
    }
}

/// Values of more than one block hold a use of their own: a block laid out before the definition
/// may have consumed all others by the time the definition is emitted.
fn make_global(state: &mut ValueState) {
    if !state.global {
        state.global = true;
        state.uses += 1;
    }
}

#[inline]
fn use_of(q: &mut Quick<'_>, value: Value, block: u32) {
    if q.func.is_constant(value) {
        return;
    }
    let state = &mut q.values[value.as_u32() as usize];
    state.uses += 1;
    touch_state(state, block);
}

#[inline]
fn hint(q: &mut Quick<'_>, value: Value, reg: u8) {
    let state = &mut q.values[value.as_u32() as usize];
    if state.hint == NO_HINT {
        state.hint = reg;
    }
}

fn scan_inst(q: &mut Quick<'_>, facts: &mut Facts, allocas: &mut Vec<Inst>, inst: Inst, block: u32) {
    use ir::instructions::Format;
    let func = q.func;
    let data = func.insts[inst];
    let result_hint = match func.result(inst) {
        None => NO_HINT,
        Some(first) => {
            for result in func.results(inst) {
                touch(q, result, block);
            }
            q.values[first.as_u32() as usize].hint
        }
    };
    match data.opcode.format() {
        Format::Nullary => {}
        Format::Unary => use_of(q, data.arg(0), block),
        Format::Binary => data.args::<2>().into_iter().for_each(|value| use_of(q, value, block)),
        Format::Ternary => data.args::<3>().into_iter().for_each(|value| use_of(q, value, block)),
        Format::List => func.list(inst).iter().for_each(|&value| use_of(q, value, block)),
    }
    match data.opcode {
        Opcode::Add
        | Opcode::Sub
        | Opcode::Mul
        | Opcode::And
        | Opcode::Or
        | Opcode::Xor
        | Opcode::FAdd
        | Opcode::FSub
        | Opcode::FMul
        | Opcode::FDiv
        | Opcode::Trunc
        | Opcode::ZExt
        | Opcode::SExt
        | Opcode::PtrToInt
        | Opcode::IntToPtr => hint(q, data.arg(0), result_hint),
        Opcode::Shl | Opcode::LShr | Opcode::AShr | Opcode::Rotl | Opcode::Rotr => {
            hint(q, data.arg(0), result_hint);
            hint(q, data.arg(1), RCX.0);
        }
        Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem => {
            hint(q, data.arg(0), RAX.0);
            // The divisor must stay out of the way of the dividend.
            hint(q, data.arg(1), RCX.0);
        }
        Opcode::Call => call_hints(q, facts, inst),
        Opcode::Ret => {
            for (index, &value) in func.list(inst).iter().enumerate() {
                if let Some(&reg) = q.layout.returns.get(index) {
                    hint(q, value, reg.0);
                }
            }
        }
        Opcode::Alloca => allocas.push(inst),
        Opcode::Undef => {
            let result = func.first_result(inst);
            q.values[result.as_u32() as usize].place = Place::Zero;
        }
        Opcode::VaStart => facts.va_start = true,
        _ => {}
    }
}

fn call_hints(q: &mut Quick<'_>, facts: &mut Facts, inst: Inst) {
    let func = q.func;
    let info = func.call_info(inst);
    q.ensure_layout(info.sig);
    let Some(layout) = &q.layouts[q.layout_index(info.sig)] else { base::bug!("signature without layout") };
    facts.refused |= layout.stack_align > STACK_ALIGN;
    for (&arg, &place) in func.list(inst)[1..].iter().zip(&layout.params) {
        if let ParamPlace::Reg(reg) = place
            && !func.is_constant(arg)
        {
            let state = &mut q.values[arg.as_u32() as usize];
            if state.hint == NO_HINT {
                state.hint = reg.0;
            }
        }
    }
}

/// An alloca gets its place at once.
fn alloca(q: &mut Quick<'_>, facts: &mut Facts, inst: Inst) {
    let result = q.func.first_result(inst);
    let (size, align) = q.func.alloca_info(inst);
    facts.has_allocas = true;
    // A variable that nothing names has no place, but the guard that gcc gives it.
    if q.uses(result) == 0 {
        return;
    }
    let offset = q.frame.allocate(size.max(1), align);
    q.values[result.as_u32() as usize].place = Place::FrameAddress(offset);
}
