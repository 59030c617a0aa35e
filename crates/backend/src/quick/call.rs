//! Calls.
//!
//! Order: stack arguments are written below `rsp`; an indirect callee goes to `r11`; what lives on
//! is stored to its home; then the register arguments move in parallel to their places, first those
//! that are in registers, then those that are loaded or computed from nothing but `rbp`; `al` last.

use ir::{FnAttrs, Inst, SymbolId, Type, Value, flags};
use object::{Alu, CfiOp, Mem, RelocKind, Size, SymbolRef};
use platform::registers::{R11, RAX, RBP, RSP, Reg, RegSet};
use smallvec::SmallVec;

use super::Quick;
use super::memory::{copy, reserve_for_copy, store_scalar};
use super::operands::symbol_ref;
use super::state::{GPR_POOL, LazyBase, Place, XMM_POOL};
use crate::abi::{CallLayout, ParamPlace, STACK_ALIGN};
use crate::branches;
use crate::context::CallForm;

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
    if info.attrs.has(FnAttrs::RETURNS_TWICE) && branches::tracked(q.cx) {
        q.buf.endbr64();
    }
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
    let must_tail = func.insts[inst].has(flags::MUST_TAIL);
    if must_tail && q.cx.module.signatures[func.sig].ms_abi {
        q.error(
            inst,
            "cannot tail-call: a function of the Microsoft convention keeps more registers than it may leave behind",
        );
    } else if must_tail && layout.stack_size != 0 {
        q.error(inst, "cannot tail-call: the arguments do not all fit in registers");
    }
    let stack = StackArea::reserve(q, layout);
    for (&arg, &place) in args.iter().zip(&layout.params) {
        stack_argument(q, arg, place);
    }
    let target = callee_target(q, callee);
    register_arguments(q, args, layout, target);
    if layout.variadic && q.cx.counts_vector_arguments(q.func) {
        q.buf.mov_ri(Size::D, RAX, layout.xmms.into());
    }
    if must_tail {
        tail_jump(q, target);
    } else {
        emit_call(q, target);
    }
    stack.release(q);
    q.regs.pinned = RegSet::EMPTY;
}

/// The stack argument area of a call.
struct StackArea {
    bytes: u64,
    /// Where `rsp` was saved, if the area is aligned beyond what `rsp` always has.
    saved_rsp: Option<i32>,
}

impl StackArea {
    fn reserve(q: &mut Quick<'_>, layout: &CallLayout) -> StackArea {
        let bytes = layout.stack_size.next_multiple_of(u64::from(layout.stack_align).max(q.cx.call_align()));
        let mut area = StackArea { bytes, saved_rsp: None };
        q.frame.outgoing = q.frame.outgoing.max(bytes);
        if bytes == 0 {
            return area;
        }
        if bytes > super::state::FRAME_LIMIT {
            // The frame cannot be that large; refuse the function like one with such a frame.
            q.frame.allocate(bytes, 16);
            area.bytes = 0;
            return area;
        }
        if layout.stack_align > STACK_ALIGN {
            let slot = q.frame.allocate(8, 8);
            q.buf.mov_mr(Size::Q, Mem::base(RBP, slot), RSP);
            area.saved_rsp = Some(slot);
        }
        q.buf.alu_ri(Alu::Sub, Size::Q, RSP, bytes as i32);
        if layout.stack_align > STACK_ALIGN {
            q.buf.alu_ri(Alu::And, Size::Q, RSP, (layout.stack_align as i32).wrapping_neg());
        }
        area
    }

    fn release(self, q: &mut Quick<'_>) {
        match self.saved_rsp {
            Some(slot) => q.buf.mov_rm(Size::Q, RSP, Mem::base(RBP, slot)),
            None if self.bytes != 0 => q.buf.alu_ri(Alu::Add, Size::Q, RSP, self.bytes as i32),
            None => {}
        }
    }
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
    parallel_moves(q, &mut moves);
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
/// written.
fn parallel_moves(q: &mut Quick<'_>, moves: &mut [Move]) {
    let mut pending: SmallVec<[(Reg, Reg, Type); 8]> = moves
        .iter()
        .filter_map(|m| match m.from {
            Source::Reg(from) if from != m.to => Some((m.to, from, m.ty)),
            _ => None,
        })
        .collect();
    while !pending.is_empty() {
        let sources: RegSet = pending.iter().map(|p| p.1).collect();
        let before = pending.len();
        let mut ready: SmallVec<[(Reg, Reg, Type); 8]> = SmallVec::new();
        pending.retain(|p| {
            let blocked = sources.contains(p.0);
            if !blocked {
                ready.push(*p);
            }
            blocked
        });
        for (to, from, ty) in ready {
            q.move_reg(ty, to, from);
        }
        if pending.len() == before {
            break_cycle(q, &mut pending);
        }
    }
}

/// Every target is still wanted as a source: exchanges one pair (general registers) or parks one
/// value (SSE).
fn break_cycle(q: &mut Quick<'_>, pending: &mut SmallVec<[(Reg, Reg, Type); 8]>) {
    let (to, from, ty) = pending[0];
    if to.is_gpr() {
        q.buf.xchg_rr(Size::Q, to, from);
        pending.remove(0);
        for p in pending.iter_mut() {
            // What was in `to` is in `from` now, and the other way around.
            p.1 = if p.1 == to {
                from
            } else if p.1 == from {
                to
            } else {
                p.1
            };
        }
        pending.retain(|p| p.0 != p.1);
    } else {
        let busy: RegSet = pending.iter().flat_map(|p| [p.0, p.1]).collect();
        let Some(free) = XMM_POOL.difference(busy).difference(q.regs.pinned).iter().next() else {
            base::bug!("no SSE register to break a cycle of moves")
        };
        q.move_reg(ty, free, to);
        for p in pending.iter_mut().filter(|p| p.1 == to) {
            p.1 = free;
        }
    }
}

fn emit_call(q: &mut Quick<'_>, target: Target) {
    match target {
        Target::Symbol(symbol, CallForm::Direct) => q.buf.call_symbol(symbol),
        Target::Symbol(symbol, _) => branches::call_got(q.cx, q.func, q.buf, symbol),
        Target::Register => branches::call_r(q.cx, q.func, q.buf, R11),
    }
}

/// `musttail`: the frame goes before the jump.
fn tail_jump(q: &mut Quick<'_>, target: Target) {
    q.buf.cfi(CfiOp::RememberState);
    for index in 0..q.saved.len() {
        let (reg, slot) = q.saved[index];
        q.buf.mov_rm(Size::Q, reg, Mem::base(RBP, slot));
    }
    q.buf.leave();
    q.buf.cfi(CfiOp::DefCfa(RSP.dwarf(), 8));
    match target {
        Target::Symbol(symbol, CallForm::Direct) => q.buf.jmp_symbol(symbol),
        Target::Symbol(symbol, _) => branches::jmp_got(q.cx, q.func, q.buf, symbol),
        Target::Register => branches::jmp_r(q.cx, q.func, q.buf, R11, false),
    }
    q.buf.cfi(CfiOp::RestoreState);
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
    match q.cx.library_call_form() {
        CallForm::Direct => q.buf.call_symbol(symbol),
        CallForm::Got => branches::call_got(q.cx, q.func, q.buf, symbol),
        CallForm::Register => {
            if q.cx.position_independent() {
                // `r11` = address of the GOT entry, as a distance from the label after the `lea`.
                let here = q.buf.new_label();
                q.buf.lea(Size::Q, RAX, Mem::rip_label(here));
                q.buf.bind(here);
                q.buf.movabs_r_symbol(R11, symbol, 2, RelocKind::GotPcRel64);
                q.buf.alu_rr(Alu::Add, Size::Q, R11, RAX);
                if branches::in_register(q.cx, q.func) {
                    q.buf.mov_rm(Size::Q, R11, Mem::base(R11, 0));
                    branches::call_r(q.cx, q.func, q.buf, R11);
                } else {
                    q.buf.call_m(Mem::base(R11, 0));
                }
            } else {
                q.buf.movabs_r_symbol(R11, symbol, 0, RelocKind::Abs64);
                branches::call_r(q.cx, q.func, q.buf, R11);
            }
        }
    }
    q.regs.pinned = RegSet::EMPTY;
}

/// Calls `name` with scalar arguments in the given registers; all operands are consumed.
pub fn call_with_values(q: &mut Quick<'_>, name: &str, args: &[(Value, Reg)]) {
    for &(arg, _) in args {
        if needs_registers(q, arg) {
            q.peek(arg);
            q.regs.pinned = RegSet::EMPTY;
        }
    }
    q.spill_all(CALL_CLOBBERS);
    for &(arg, reg) in args {
        q.take_in(arg, reg);
    }
    call_library(q, name);
}

/// Defines `result` as what a library call left in `reg`.
pub fn define_from(q: &mut Quick<'_>, result: Value, reg: Reg) {
    q.regs.pinned.insert(reg);
    q.define(result, reg);
}
