//! Calls.
//!
//! Order: stack arguments are written below `rsp`; an indirect callee goes to `r11`; what lives on
//! is stored to its home; then the register arguments move in parallel to their places, first those
//! that are in registers, then those that are loaded or computed from nothing but `rbp`; `al` last.

use ir::{FnAttrs, Inst, SymbolId, Type, Value};
use object::{Alu, Mem, Size, SymbolRef};
use platform::registers::{R11, RAX, RSP, Reg, RegSet, XMM15};
use smallvec::SmallVec;

use super::Quick;
use super::memory::{copy, reserve_for_copy, store_scalar};
use super::operands::symbol_ref;
use super::state::{GPR_POOL, LazyBase, Place, XMM_POOL};
use crate::branches;
use crate::context::CallForm;
use base::parallel_copy::{self, sequentialize};
use ir::abi::{CallLayout, ParamPlace};

/// Registers that a call destroys: all that are ever handed out.
pub const CALL_CLOBBERS: RegSet = GPR_POOL.union(XMM_POOL);

/// Where a register argument comes from, once nothing else is in registers.
#[derive(Clone, Copy)]
enum Source {
    Reg(Reg),
    /// The value's home, typed as it lies there.
    Home(Mem),
    /// A constant, frame address or symbol: made in place.
    Value(Value),
}

struct Move {
    to: Reg,
    from: Source,
    ty: Type,
}

/// How control gets to the callee.
#[derive(Clone, Copy)]
enum Target {
    Symbol(SymbolRef, CallForm),
    /// The address is in `r11`.
    Register,
}

/// A call with everything around it.
pub fn call(q: &mut Quick<'_>, inst: Inst) {
    let info = q.func.call_info(inst);
    q.ensure_layout(info.sig);
    let index = q.layout_index(info.sig);
    let Some(layout) = q.layouts[index].take() else { base::bug!("signature without layout") };
    call_with(q, inst, &layout);
    results(q, inst, &layout);
    q.layouts[index] = Some(layout);
}

fn call_with(q: &mut Quick<'_>, inst: Inst, layout: &CallLayout) {
    let func = q.func;
    let list = func.list(inst);
    let (callee, args) = (list[0], &list[1..]);
    if args.len() != layout.params.len() {
        base::bug!("call with {} arguments for {} parameters", args.len(), layout.params.len());
    }
    let stack = reserve_stack(q, layout);
    for (&arg, &place) in args.iter().zip(&layout.params) {
        stack_argument(q, arg, place);
    }
    let target = callee_target(q, callee);
    register_arguments(q, args, layout, target);
    if layout.variadic && q.cx.counts_vector_arguments(q.func) {
        q.buf.mov_ri(Size::D, RAX, layout.xmms.into());
    }
    if matches!(target, Target::Register) && q.func.call_info(inst).attrs.has(FnAttrs::NOCF_CHECK) {
        branches::untracked(q.cx, q.func, q.buf);
    }
    emit_call(q, target);
    if stack != 0 {
        q.buf.alu_ri(Alu::Add, Size::Q, RSP, stack);
    }
    q.regs.pinned = RegSet::EMPTY;
}

/// Makes room for the stack arguments of a call; the bytes reserved.
fn reserve_stack(q: &mut Quick<'_>, layout: &CallLayout) -> i32 {
    let bytes = layout.stack_size.next_multiple_of(u64::from(layout.stack_align).max(q.cx.call_align()));
    q.frame.outgoing = q.frame.outgoing.max(bytes);
    if bytes > super::state::FRAME_LIMIT {
        // The frame cannot be that large; refuse the function like one with such a frame.
        q.frame.allocate(bytes, 16);
        return 0;
    }
    if bytes != 0 {
        q.buf.alu_ri(Alu::Sub, Size::Q, RSP, bytes as i32);
    }
    bytes as i32
}

fn stack_argument(q: &mut Quick<'_>, arg: Value, place: ParamPlace) {
    match place {
        ParamPlace::Reg(_) => return,
        ParamPlace::Stack { offset } => {
            let to = Mem::base(RSP, offset as i32);
            store_scalar(q, arg, to);
        }
        ParamPlace::ByVal { offset, size, .. } => {
            reserve_for_copy(q, size);
            let from = q.mem(arg);
            copy(q, Mem::base(RSP, offset as i32), from, size);
        }
    }
    q.end_instruction();
}

/// Decides how to reach the callee; an address that must be computed is put into `r11`, pinned.
fn callee_target(q: &mut Quick<'_>, callee: Value) -> Target {
    if let Some((symbol, 0)) = q.func.const_symbol(callee)
        && q.cx.symbol(symbol).tls.is_none()
    {
        let form = q.cx.call_form(symbol);
        if form != CallForm::Register {
            return Target::Symbol(symbol_ref(symbol), form);
        }
        load_callee(q, symbol);
        return Target::Register;
    }
    q.take_in(callee, R11);
    Target::Register
}

fn load_callee(q: &mut Quick<'_>, symbol: SymbolId) {
    q.claim(R11);
    q.load_symbol(symbol, 0, R11);
}

fn register_arguments(q: &mut Quick<'_>, args: &[Value], layout: &CallLayout, target: Target) {
    let callee = match target {
        Target::Register => RegSet::of(&[R11]),
        Target::Symbol(..) => RegSet::EMPTY,
    };
    q.regs.pinned = callee;
    for (&arg, place) in args.iter().zip(&layout.params) {
        if matches!(place, ParamPlace::Reg(_)) && needs_registers(q, arg) {
            q.peek(arg);
            q.regs.pinned = callee;
        }
    }
    let mut moves: SmallVec<[Move; 8]> = SmallVec::new();
    for (&arg, place) in args.iter().zip(&layout.params) {
        if let &ParamPlace::Reg(to) = place {
            let from = source(q, arg);
            moves.push(Move { to, from, ty: q.func.value_type(arg) });
        }
    }
    for (&arg, place) in args.iter().zip(&layout.params) {
        if matches!(place, ParamPlace::Reg(_)) {
            q.consume(arg);
        }
    }
    q.spill_all(CALL_CLOBBERS);
    q.regs.pinned = callee;
    for m in &moves {
        q.regs.pinned.insert(m.to);
    }
    parallel_moves(q, &moves);
    for m in &moves {
        match m.from {
            Source::Reg(_) => {}
            Source::Home(mem) if m.to.is_gpr() => q.load_gpr(m.ty, m.to, mem),
            Source::Home(mem) => q.load_xmm(m.ty, m.to, mem),
            Source::Value(value) => q.load_into(value, m.to),
        }
    }
}

/// Whether computing the value needs other values in registers, so that it must come before they
/// are overwritten.
fn needs_registers(q: &Quick<'_>, value: Value) -> bool {
    if q.func.constant(value).is_some() {
        return false;
    }
    match q.place(value) {
        Place::Lazy(index) => {
            let lazy = &q.lazies[index as usize];
            lazy.index.is_some() || matches!(lazy.base, LazyBase::Value(_))
        }
        Place::Deferred(_) | Place::Scaled(..) => true,
        _ => false,
    }
}

fn source(q: &mut Quick<'_>, value: Value) -> Source {
    if q.func.constant(value).is_some() {
        return Source::Value(value);
    }
    match q.place(value) {
        Place::Reg(reg) => Source::Reg(reg),
        Place::Home | Place::None => Source::Home(q.home_mem(value)),
        _ => Source::Value(value),
    }
}

/// Does the register-to-register moves at once, as if all sources were read before any target is
/// written. Nothing else is in registers, and `rax` and `xmm15` are no target: when cycles are left
/// they hold nothing.
fn parallel_moves(q: &mut Quick<'_>, moves: &[Move]) {
    let in_registers = moves.iter().filter_map(|m| match m.from {
        Source::Reg(from) if from != m.to => Some((m.to, from, m.ty)),
        _ => None,
    });
    let in_registers: SmallVec<[(Reg, Reg, Type); 8]> = in_registers.collect();
    let sources: RegSet = in_registers.iter().map(|m| m.1).collect();
    if !in_registers.iter().any(|m| sources.contains(m.0)) {
        return in_registers.into_iter().for_each(|(to, from, ty)| q.move_reg(ty, to, from));
    }
    let pairs: SmallVec<[(Reg, Reg); 8]> = in_registers.iter().map(|m| (m.0, m.1)).collect();
    for (to, from) in sequentialize(&pairs).0 {
        let is_gpr = [to, from].iter().any(|place| matches!(place, parallel_copy::Place::Of(reg) if reg.is_gpr()));
        let (ty, free) = if is_gpr { (Type::I64, RAX) } else { (Type::F64, XMM15) };
        let [to, from] = [to, from].map(|place| match place {
            parallel_copy::Place::Of(reg) => reg,
            parallel_copy::Place::Temporary => free,
        });
        q.move_reg(ty, to, from);
    }
}

fn emit_call(q: &mut Quick<'_>, target: Target) {
    match target {
        Target::Symbol(symbol, CallForm::Direct) => q.buf.call_symbol(symbol),
        Target::Symbol(symbol, _) => branches::call_got(q.cx, q.func, q.buf, symbol),
        Target::Register => branches::call_r(q.cx, q.func, q.buf, R11),
    }
}

fn results(q: &mut Quick<'_>, inst: Inst, layout: &CallLayout) {
    let regs: SmallVec<[Reg; 2]> = layout.returns.clone();
    for &reg in &regs {
        q.regs.pinned.insert(reg);
    }
    for (result, &reg) in q.func.results(inst).zip(&regs) {
        q.define(result, reg);
    }
}

/// Calls a library routine whose arguments are in their registers already. Everything in registers
/// is lost; results are in `rax`, `rdx`, `xmm0`, to be pinned by the caller before it allocates
/// anything.
pub fn call_library(q: &mut Quick<'_>, name: &str) {
    q.spill_all(CALL_CLOBBERS);
    let symbol = q.buf.named_symbol(&q.cx.module.assembler_name(name));
    emit_call(q, Target::Symbol(symbol, q.cx.library_call_form()));
    q.regs.pinned = RegSet::EMPTY;
}

/// Defines `result` as what a library call left in `reg`.
pub fn define_from(q: &mut Quick<'_>, result: Value, reg: Reg) {
    q.regs.pinned.insert(reg);
    q.define(result, reg);
}
