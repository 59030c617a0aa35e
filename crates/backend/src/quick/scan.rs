//! The one scan before emission: use counts, which values cross blocks, stack slots of allocas, and
//! register hints.
//!
//! Blocks go in layout order, each block's instructions last first, so that the wish of a use
//! ("this is the second argument of a call: rsi") can be handed on through the operation that makes
//! the value to that operation's own first operand. A value is *global* if two different blocks
//! touch it; that needs no dominators and errs on the safe side only.

use ir::{AsmId, AsmPlace, FnAttrs, Inst, Intrinsic, Opcode, Value};
use platform::registers::{CALLEE_SAVED, RAX, RCX, RegSet};

use super::Quick;
use super::state::{NO_BLOCK, NO_HINT, Place, ValueState};
use crate::abi::ParamPlace;

/// What the scan found about the function as a whole.
#[derive(Clone, Copy, Default, Debug)]
pub struct Facts {
    /// All argument registers are to be stored on entry.
    pub argument_registers: bool,
    /// There is a `__builtin_eh_return`.
    pub eh_return: bool,
    /// There is a list of armed cleanups.
    pub cleanup_list: bool,
    /// There is a `va_start`.
    pub va_start: bool,
    /// Callee-saved registers that are saved: those that asm writes, all where the frame must hold
    /// all.
    pub callee_saved: RegSet,
    /// Some phi exists, so edges may need copies.
    pub has_phis: bool,
    /// Some alloca exists.
    pub has_allocas: bool,
    /// Something that only selection makes.
    pub refused: bool,
    /// Trampolines of nested functions are written to the stack.
    pub trampolines: bool,
}

/// Asm statements with more operands in general registers than this also get the callee-saved ones.
const MANY_ASM_REGISTERS: usize = 5;

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
            scan_inst(q, &mut facts, &mut allocas, inst, number);
        }
    }
    // Their uses may be in any block, so they are all known only now.
    for inst in allocas {
        alloca(q, &mut facts, inst);
    }
    facts.callee_saved = facts.callee_saved.difference(q.cx.module.reserved_registers);
    facts
}

#[inline]
fn touch(q: &mut Quick<'_>, value: Value, block: u32) {
    let state = &mut q.values[value.as_u32() as usize];
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
    q.values[value.as_u32() as usize].uses += 1;
    touch(q, value, block);
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
        Opcode::Call => call_hints(q, inst),
        Opcode::Ret => {
            for (index, &value) in func.list(inst).iter().enumerate() {
                if let Some(&reg) = q.layout.returns.get(index) {
                    hint(q, value, reg.0);
                }
            }
        }
        Opcode::Alloca => allocas.push(inst),
        Opcode::Phi => phi(q, facts, inst),
        Opcode::Undef => {
            let result = func.first_result(inst);
            q.values[result.as_u32() as usize].place = Place::Zero;
        }
        Opcode::VaStart => facts.va_start = true,
        Opcode::Asm | Opcode::AsmBr => asm(q, facts, data.asm_id()),
        Opcode::Intrinsic if matches!(data.intrinsic(), Intrinsic::SetJmp | Intrinsic::UnwindInit) => {
            // The receiver may be reached with any contents of the callee-saved registers.
            keep_all(facts);
            q.frame.unshared |= data.is_intrinsic(Intrinsic::SetJmp);
        }
        Opcode::Intrinsic if data.intrinsic() == Intrinsic::EhReturn => {
            keep_all(facts);
            facts.eh_return = true;
        }
        Opcode::Intrinsic if data.intrinsic() == Intrinsic::ArgumentRegisters => facts.argument_registers = true,
        Opcode::Intrinsic if data.intrinsic() == Intrinsic::CleanupList => facts.cleanup_list = true,
        Opcode::Intrinsic if data.intrinsic() == Intrinsic::InitTrampoline => facts.trampolines = true,
        Opcode::Intrinsic if data.intrinsic() == Intrinsic::X86 => facts.refused = true,
        _ => {}
    }
}

fn keep_all(facts: &mut Facts) {
    facts.callee_saved = facts.callee_saved.union(RegSet::of(&CALLEE_SAVED));
    facts.callee_saved.remove(platform::registers::RBP);
}

fn call_hints(q: &mut Quick<'_>, inst: Inst) {
    let func = q.func;
    let info = func.call_info(inst);
    q.ensure_layout(info.sig);
    let args = &func.list(inst)[1..];
    for (index, &arg) in args.iter().enumerate() {
        if func.is_constant(arg) {
            continue;
        }
        if let Some(&ParamPlace::Reg(reg)) =
            q.layouts[q.layout_index(info.sig)].as_ref().and_then(|l| l.params.get(index))
        {
            hint(q, arg, reg.0);
        }
    }
    if info.attrs.has(FnAttrs::RETURNS_TWICE) {
        q.frame.unshared = true;
    }
}

/// Fixed allocas get their place at once; over-aligned ones are computed where they stand.
fn alloca(q: &mut Quick<'_>, facts: &mut Facts, inst: Inst) {
    let result = q.func.first_result(inst);
    let (size, align) = q.func.alloca_info(inst);
    facts.has_allocas = true;
    // A variable that nothing names has no place, but the guard that gcc gives it.
    if q.uses(result) == 0 || align > q.frame_align {
        return;
    }
    let offset = q.frame.allocate(size.max(1), align);
    q.values[result.as_u32() as usize].place = Place::FrameAddress(offset);
}

fn phi(q: &mut Quick<'_>, facts: &mut Facts, inst: Inst) {
    facts.has_phis = true;
    let func = q.func;
    for &value in func.list(inst) {
        if !func.is_constant(value) {
            make_global(&mut q.values[value.as_u32() as usize]);
        }
    }
    let result = func.first_result(inst);
    let ty = func.value_type(result);
    // Also a result that nothing uses yet may be wanted by a block laid out later.
    if q.values[result.as_u32() as usize].home == 0 {
        let home = q.frame.slot(ty.alloc_size());
        q.values[result.as_u32() as usize].home = home;
    }
    let state = &mut q.values[result.as_u32() as usize];
    make_global(state);
    state.place = Place::Home;
}

fn asm(q: &mut Quick<'_>, facts: &mut Facts, id: AsmId) {
    let asm = &q.func.asms[id];
    let callee_saved = RegSet::of(&CALLEE_SAVED);
    for &reg in &asm.clobbers {
        if callee_saved.contains(reg) {
            facts.callee_saved.insert(reg);
        }
    }
    let mut general = 0;
    for operand in &asm.operands {
        match operand.place {
            AsmPlace::Fixed(reg) if callee_saved.contains(reg) => facts.callee_saved.insert(reg),
            AsmPlace::X87(_) => facts.refused = true,
            AsmPlace::Gpr | AsmPlace::GprLegacy | AsmPlace::GprOrImmediate | AsmPlace::Memory => general += 1,
            _ => {}
        }
    }
    let reserved = asm.clobbers.iter().filter(|r| r.is_gpr()).count()
        + asm.operands.iter().filter(|o| matches!(o.place, AsmPlace::Fixed(r) if r.is_gpr())).count();
    if general + reserved > MANY_ASM_REGISTERS {
        keep_all(facts);
    }
    // `rbp` is the frame pointer: asm that clobbers it is refused when it is emitted.
    facts.callee_saved.remove(platform::registers::RBP);
}
