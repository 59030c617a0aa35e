//! Calls, returns, function entry and variable arguments, after the places of [`crate::abi`].
//!
//! Outgoing stack arguments are stored into an area at the bottom of the frame that is reserved
//! once for the largest call; `rsp` does not move. Register arguments are fixed operands of the
//! call, so that the allocator brings them there.

use ir::{Constant, FnAttrs, Inst, InstData, Opcode, Type, Value, flags};
use object::Size;
use platform::{
    options::X86Features,
    registers::{INTEGER_ARGUMENTS, R10, R11, RAX, Reg, RegSet, SSE_ARGUMENTS, ST0},
};
use smallvec::SmallVec;

use super::{
    address::address,
    context::{Ctx, Holder},
    memory::{load_value, store_xmm},
    register_variables, x87,
};
use crate::{
    context::CallForm,
    machine::{
        AddressCode, Amode, CALLER_SAVED, CallSite, Callee, Class, ListOperand, MInst, MemId, Op, VReg, X87Mem, X87Reg,
        bits,
    },
};
use ir::abi::{self, CallLayout, ParamPlace, va_list};

type Operands = SmallVec<[ListOperand; 8]>;

/// Notes that a call needs `size` bytes of stack arguments.
pub fn reserve_outgoing(cx: &mut Ctx, size: u64, align: u32) {
    cx.out.outgoing_size = cx.out.outgoing_size.max(size as u32);
    cx.out.outgoing_align = cx.out.outgoing_align.max(align);
}

/// A call of a library routine with register arguments and results.
pub fn library_call(cx: &mut Ctx, name: &'static str, args: &[(VReg, Reg)], results: &[(VReg, Reg)]) {
    let form = cx.cx.library_call_form();
    let mut operands = Operands::new();
    let callee = if form == CallForm::Register {
        let target = cx.temp_gpr();
        let mem = library_address(cx, name);
        let code = if cx.cx.position_independent() { AddressCode::FarGot } else { AddressCode::Abs64 };
        cx.push(MInst::address(code).dst(target).mem(mem));
        operands.push(ListOperand::use_reg(target));
        Callee::Register
    } else {
        Callee::Library(name, form)
    };
    operands.extend(args.iter().map(|&(vreg, reg)| ListOperand::use_fixed(vreg, reg)));
    operands.extend(results.iter().map(|&(vreg, reg)| ListOperand::def_fixed(vreg, reg)));
    push_call(cx, Op::Call, callee, MemId::NONE, &mut operands, RegSet::EMPTY);
}

fn library_address(cx: &mut Ctx, name: &'static str) -> MemId {
    let at = cx.out.library_names.iter().position(|&n| n == name).unwrap_or_else(|| {
        cx.out.library_names.push(name);
        cx.out.library_names.len() - 1
    });
    cx.mem(Amode::place(crate::machine::Place::Library(at as u32), 0))
}

/// `kept`: registers that the callee keeps besides those of the System V ABI.
fn push_call(cx: &mut Ctx, op: Op, callee: Callee, mem: MemId, operands: &mut Operands, kept: RegSet) {
    cx.out.has_calls |= op == Op::Call;
    let defined = operands.iter().filter(|o| o.role.kind == crate::machine::Kind::Def).fold(0, |set, o| {
        match o.role.constraint {
            crate::machine::Constraint::Fixed(reg) => set | 1u32 << reg.0,
            _ => set,
        }
    });
    let clobbers = if op == Op::TailCall { 0 } else { CALLER_SAVED & !defined & !(kept.0 as u32) };
    cx.out.calls.push(CallSite { callee, clobbers });
    let index = cx.out.calls.len() - 1;
    register_variables::use_all(cx, operands);
    if op == Op::Call {
        register_variables::define_all(cx, operands);
    }
    cx.push_list(MInst::new(op, Size::Q).with_index(index).mem(mem), operands);
}

/// General registers that a function of this unit is known to leave alone.
fn left_alone(cx: &Ctx, callee: Callee) -> RegSet {
    match callee {
        // A second return finds the registers as whoever jumped left them.
        Callee::Symbol(symbol, CallForm::Direct) if !cx.func.calls_setjmp => {
            let general = RegSet(u64::from(CALLER_SAVED)).iter().filter(|reg| reg.is_gpr()).collect::<RegSet>();
            general.difference(cx.cx.changed_by_call(symbol))
        }
        _ => RegSet::EMPTY,
    }
}

/// Whether ymm registers carry arguments.
fn wide_vectors(cx: &Ctx) -> bool {
    cx.has(X86Features::AVX)
}

/// `call`.
pub fn select_call(cx: &mut Ctx, inst: Inst) {
    let info = cx.func.call_info(inst);
    let sig = &cx.cx.module.signatures[info.sig];
    let layout = abi::layout(sig, wide_vectors(cx));
    let operands_in = cx.list(inst);
    let (callee, args) = (operands_in[0], &operands_in[1..]);
    let tail = cx.tail_call == Some(inst);
    if !tail && cx.data(inst).has(flags::MUST_TAIL) {
        cx.error(cx.func.source_loc(inst), "cannot tail-call: code was left behind the call");
    }
    if info.attrs.has(FnAttrs::RETURNS_TWICE) {
        cx.out.calls_setjmp = true;
    }
    for (index, &arg) in args.iter().enumerate() {
        if let ParamPlace::ByVal { offset, size, .. } = layout.params[index] {
            super::block_ops::copy_to_outgoing(cx, offset as i32, arg, size);
        }
    }
    for (index, &arg) in args.iter().enumerate() {
        if let ParamPlace::Stack { offset } = layout.params[index] {
            store_argument(cx, offset as i32, arg);
        }
    }
    if layout.stack_size > 0 {
        reserve_outgoing(cx, layout.stack_size, layout.stack_align);
    }
    let mut operands = Operands::new();
    let (callee, mem) = select_callee(cx, callee, tail, &mut operands);
    for (index, &arg) in args.iter().enumerate() {
        if let ParamPlace::Reg(reg) = layout.params[index] {
            let vreg = cx.in_one_register(arg);
            operands.push(ListOperand::use_fixed(vreg, reg));
        }
    }
    if layout.variadic && cx.cx.counts_vector_arguments(cx.func) {
        let count = cx.in_gpr(|cx, dst| cx.move_imm(Size::D, dst, i64::from(layout.xmms)));
        operands.push(ListOperand::use_fixed(count, RAX));
    }
    if tail {
        push_call(cx, Op::TailCall, callee, mem, &mut operands, RegSet::EMPTY);
        return mark_call(cx, info.attrs);
    }
    let copies = define_results(cx, inst, &layout, &mut operands);
    let kept = abi::kept_by_callee(sig, wide_vectors(cx)).union(left_alone(cx, callee));
    push_call(cx, Op::Call, callee, mem, &mut operands, kept);
    mark_call(cx, info.attrs);
    for (dst, src) in copies {
        cx.copy(dst, src);
    }
    store_x87_results(cx, inst, &layout);
}

/// What the call just made has to say of control-flow protection.
fn mark_call(cx: &mut Ctx, attrs: FnAttrs) {
    let marks = [(FnAttrs::RETURNS_TWICE, bits::RETURNS_TWICE), (FnAttrs::NOCF_CHECK, bits::UNTRACKED)];
    let call = cx.seq.last_mut().expect("the call");
    call.bits |= marks.iter().filter(|mark| attrs.has(mark.0)).fold(0, |bits, mark| bits | mark.1);
}

/// Adds the definitions of register results; returns copies to make afterwards.
fn define_results(
    cx: &mut Ctx,
    inst: Inst,
    layout: &CallLayout,
    operands: &mut Operands,
) -> SmallVec<[(VReg, VReg); 2]> {
    let mut copies = SmallVec::new();
    for (value, &reg) in cx.func.results(inst).zip(&layout.returns) {
        if reg >= ST0 || !cx.is_needed(value) {
            continue;
        }
        let home = cx.result(value);
        if cx.phis.class(value).is_some() {
            let temp = if cx.held_wide(value) { cx.temp_wide() } else { cx.temp(cx.ty(value)) };
            operands.push(ListOperand::def_fixed(temp, reg));
            copies.push((home, temp));
        } else {
            operands.push(ListOperand::def_fixed(home, reg));
        }
    }
    copies
}

fn store_x87_results(cx: &mut Ctx, inst: Inst, layout: &CallLayout) {
    for (value, &reg) in cx.func.results(inst).zip(&layout.returns) {
        if reg >= ST0 {
            if cx.is_needed(value) {
                x87::pop_result(cx, value);
            } else {
                cx.push(MInst::x87_r(X87Reg::Fstp).imm(0));
            }
        }
    }
}

fn select_callee(cx: &mut Ctx, callee: Value, tail: bool, operands: &mut Operands) -> (Callee, MemId) {
    if let Some(&Constant::Symbol(symbol, 0)) = cx.func.constant(callee) {
        let form = cx.cx.call_form(symbol);
        if form != CallForm::Register {
            return (Callee::Symbol(symbol, form), MemId::NONE);
        }
    }
    let folds = !tail && !crate::branches::in_register(cx.cx, cx.func);
    if folds && let Some((_, load)) = cx.foldable_load(callee) {
        let amode = address(cx, cx.arg(&load, 0));
        // A frame or symbol address, or registers that the allocator keeps apart from the
        // arguments.
        let mem = cx.mem(amode);
        return (Callee::Memory, mem);
    }
    let target = cx.reg(callee);
    // After the epilogue only registers that carry no argument and are not restored are left.
    operands.push(if tail { ListOperand::use_fixed(target, R11) } else { ListOperand::use_reg(target) });
    (Callee::Register, MemId::NONE)
}

/// Stores an argument to the outgoing area.
fn store_argument(cx: &mut Ctx, offset: i32, arg: Value) {
    let ty = cx.ty(arg);
    let to = Amode::outgoing(offset);
    match Ctx::holder(ty) {
        Holder::Slot => {
            x87::push_value(cx, arg);
            x87::mem_op(cx, X87Mem::Fstp80, to);
        }
        Holder::Regs(Class::Gpr, _, parts) => {
            if let Some(imm) = cx.imm32(arg, Size::Q) {
                return cx.store_imm(Size::Q, to, imm);
            }
            let src = cx.reg(arg);
            for part in 0..parts as usize {
                cx.store_gpr(Size::Q, to.offset(part as i32 * 8), src.part(part));
            }
        }
        Holder::Regs(Class::Xmm, _, parts) => {
            let src = cx.reg(arg);
            for part in 0..parts as usize {
                store_xmm(cx, ty, part, to, src.part(part), 16);
            }
        }
    }
}

/// Whether the call right before a return can be a jump: flagged by the middle end, everything in
/// registers, results passed on unchanged.
pub fn tail_call_before(cx: &mut Ctx, ret: Inst) -> Option<Inst> {
    let call = cx.func.prev_inst(ret)?;
    let data = cx.data(call);
    if data.opcode != Opcode::Call || !data.has(flags::TAIL | flags::MUST_TAIL) {
        return None;
    }
    let info = cx.func.call_info(call);
    let layout = abi::layout(&cx.cx.module.signatures[info.sig], wide_vectors(cx));
    let returned = cx.func.list(ret);
    let same = returned.is_empty() || cx.func.results(call).eq(returned.iter().copied());
    let legal = layout.stack_size == 0
        && !cx.out.interrupt
        // The stack is as it was found before a jump.
        && cx.out.incoming_align >= cx.out.call_align
        && cx.out.kept.is_empty()
        && !cx.out.ms_abi
        && same
        && !cx.func.has_dynamic_alloca
        && !info.attrs.has(FnAttrs::RETURNS_TWICE)
        && layout.returns.iter().all(|&r| returned.is_empty() || r < ST0 || same)
        // An unused x87 result would have to be popped.
        && !(returned.is_empty() && layout.returns.iter().any(|&r| r >= ST0));
    if !legal && data.has(flags::MUST_TAIL) {
        cx.error(cx.func.source_loc(call), "cannot tail-call: arguments on the stack, or a frame of variable size");
    }
    legal.then_some(call)
}

/// `ret`.
pub fn select_return(cx: &mut Ctx, inst: Inst) {
    if let Some(call) = tail_call_before(cx, inst) {
        cx.tail_call = Some(call);
        return;
    }
    let values = cx.list(inst);
    let types: SmallVec<[Type; 2]> = values.iter().map(|&v| cx.ty(v)).collect();
    let regs = abi::return_registers(&types);
    let mut operands = Operands::new();
    for (&value, &reg) in values.iter().zip(&regs) {
        if reg < ST0 {
            let vreg = cx.in_one_register(value);
            operands.push(ListOperand::use_fixed(vreg, reg));
        }
    }
    // The second one lies below the first on the stack.
    for (&value, &reg) in values.iter().zip(&regs).rev() {
        if reg >= ST0 {
            x87::push_value(cx, value);
        }
    }
    register_variables::use_all(cx, &mut operands);
    cx.push_list(MInst::new(Op::Ret, Size::Q), &operands);
}

/// The incoming place of a parameter whose value is the address of a memory copy.
pub fn byval_offset(cx: &Ctx, value: Value) -> Option<i32> {
    match cx.func.value_def(value) {
        ir::ValueDef::Param(index) => match cx.layout.params.get(index as usize) {
            Some(&ParamPlace::ByVal { offset, .. }) => Some(offset as i32),
            _ => None,
        },
        _ => None,
    }
}

/// Everything at function entry: parameters to their registers, the register save area.
pub fn select_entry(cx: &mut Ctx) {
    let layout = cx.layout.clone();
    let mut operands = Operands::new();
    let mut taken = 0u32;
    for (index, &value) in cx.func.params().iter().enumerate() {
        if cx.phis.class(value).is_some() {
            cx.need(value);
        }
        let ParamPlace::Reg(reg) = layout.params[index] else { continue };
        if !cx.is_needed(value) {
            continue;
        }
        let home = cx.result(value);
        taken |= 1 << reg.0;
        operands.push(ListOperand::def_fixed(home, reg));
    }
    if let Some(chain) = cx.static_chain
        && taken & 1 << R10.0 == 0
    {
        operands.push(ListOperand::def_fixed(chain, R10));
    }
    register_variables::define_all(cx, &mut operands);
    let save = cx.out.save_area.map(|slot| prepare_save_area(cx, slot, &layout, &mut operands));
    if !operands.is_empty() {
        cx.push_list(MInst::new(Op::Args, Size::Q), &operands);
    }
    if let Some(saves) = save {
        for inst in saves {
            cx.seq.push(inst);
        }
    }
    for (index, &value) in cx.func.params().iter().enumerate() {
        match layout.params[index] {
            ParamPlace::Stack { offset } if cx.is_needed(value) => load_parameter(cx, value, offset as i32),
            // The address itself flows into a phi.
            ParamPlace::ByVal { offset, .. } if cx.phis.class(value).is_some() => {
                let home = cx.result(value);
                cx.lea(home, Amode::incoming(offset as i32));
            }
            _ => {}
        }
    }
}

fn load_parameter(cx: &mut Ctx, value: Value, offset: i32) {
    let ty = cx.ty(value);
    let from = Amode::incoming(offset);
    if x87::is_x87(ty) {
        x87::mem_op(cx, X87Mem::Fld80, from);
        return x87::pop_result(cx, value);
    }
    let dst = cx.result(value);
    load_value(cx, ty, dst, from, 16);
}

/// Defines the remaining argument registers and makes the stores that save them all.
fn prepare_save_area(cx: &mut Ctx, slot: u32, layout: &CallLayout, operands: &mut Operands) -> Vec<MInst> {
    let mut stores = Vec::new();
    for (number, &reg) in INTEGER_ARGUMENTS.iter().enumerate().skip(layout.gprs as usize) {
        let vreg = cx.temp_gpr();
        operands.push(ListOperand::def_fixed(vreg, reg));
        let mem = cx.mem(Amode::slot(slot, number as i32 * 8));
        stores.push(MInst::new(Op::Store, Size::Q).mem(mem).src2(vreg));
    }
    if !saves_xmms(cx, slot) {
        return stores;
    }
    let mut list = Operands::new();
    let al = cx.temp_gpr();
    operands.push(ListOperand::def_fixed(al, RAX));
    list.push(ListOperand::use_fixed(al, RAX));
    for &reg in SSE_ARGUMENTS.iter().skip(layout.xmms as usize) {
        let vreg = cx.temp_xmm();
        operands.push(ListOperand::def_fixed(vreg, reg));
        list.push(ListOperand::use_fixed(vreg, reg));
    }
    if list.len() > 1 {
        let start = cx.out.lists.len();
        cx.out.lists.extend_from_slice(&list);
        let mem = cx.mem(Amode::slot(slot, abi::SAVE_AREA_FP_OFFSET as i32));
        stores.insert(0, MInst::new(Op::SaveXmms, Size::Q).mem(mem).with_list(start, list.len()));
    }
    stores
}

/// `va_start`.
pub fn select_va_start(cx: &mut Ctx, data: &InstData) {
    let layout = cx.layout.clone();
    let slot = save_area(cx);
    let list = address(cx, cx.arg(data, 0));
    cx.store_imm(Size::D, list.offset(va_list::GP_OFFSET), i32::from(layout.gprs) * 8);
    let fp_offset = abi::SAVE_AREA_FP_OFFSET as i32 + i32::from(layout.xmms) * 16;
    if saves_xmms(cx, slot) {
        cx.store_imm(Size::D, list.offset(va_list::FP_OFFSET), fp_offset);
    }
    let pointer = |cx: &mut Ctx, amode: Amode| cx.in_gpr(|cx, dst| cx.lea(dst, amode));
    let overflow = pointer(cx, Amode::incoming(layout.stack_size as i32));
    cx.store_gpr(Size::Q, list.offset(va_list::OVERFLOW_ARG_AREA), overflow);
    let saved = pointer(cx, Amode::slot(slot, 0));
    cx.store_gpr(Size::Q, list.offset(va_list::REG_SAVE_AREA), saved);
}

fn save_area(cx: &mut Ctx) -> u32 {
    match cx.out.save_area {
        Some(slot) => slot,
        None => {
            let starts = cx.func.insts_with(|opcode| opcode == Opcode::VaStart);
            let floats = starts.into_iter().any(|start| may_read_floats(cx.func, cx.func.operand(start, 0)));
            let (size, align) = abi::save_area(cx.features.has_sse() && floats);
            let slot = cx.out.new_slot(size, align);
            cx.out.save_area = Some(slot);
            slot
        }
    }
}

/// Whether the save area has a part for SSE registers.
fn saves_xmms(cx: &Ctx, slot: u32) -> bool {
    cx.out.slots[slot as usize].size > u64::from(abi::SAVE_AREA_FP_OFFSET)
}

/// Whether anybody may read from a list where its next floating-point argument is: not if all that
/// is done with it are accesses to its other fields, as `va_arg` of integers makes them.
fn may_read_floats(func: &ir::Function, list: Value) -> bool {
    let mut work = vec![(list, 0i64)];
    while let Some((address, at)) = work.pop() {
        for (user, index) in func.uses(address) {
            let data = func.insts[user];
            match data.opcode {
                Opcode::PtrAdd if index == 0 && func.const_i64(func.operand(user, 1)).is_some_and(|n| n >> 16 == 0) => {
                    let offset = func.const_i64(func.operand(user, 1)).unwrap_or(0);
                    work.push((func.first_result(user), at + offset));
                }
                Opcode::Load => {
                    let field = i64::from(va_list::FP_OFFSET);
                    if at < field + 4 && field < at + i64::from(data.ty.store_size()) {
                        return true;
                    }
                }
                Opcode::Store if index == 0 => {}
                Opcode::VaStart | Opcode::LifetimeStart | Opcode::LifetimeEnd => {}
                _ => return true,
            }
        }
    }
    func.def_with(list, Opcode::Alloca).is_none()
}
