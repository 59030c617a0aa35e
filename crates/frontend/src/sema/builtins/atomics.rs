//! `__sync_*` and `__atomic_*`: overloaded on the pointer's target type.
//!
//! The generic forms, which pass values through memory, are rewritten to the value forms on an
//! integer of the object's size; objects of other sizes become calls of libatomic's generic
//! functions.

use base::{Loc, warning};

use super::{AtomicKind, blank_decl, check_count};
use crate::sema::expressions;
use crate::sema::{Sema, calls, conversions, types};
use crate::tree::{
    Atomic, AtomicOp, CallAbi, DeclFlags, DeclId, DeclKind, ExprKind, ExprRef, Linkage, MemoryOrder, QualType,
    Signature, Ty, TypeKind,
};

/// A pointer argument: the rvalue and what it points to.
fn pointer_arg<'a>(
    cx: &mut Sema<'_, 'a>,
    callee: DeclId,
    arg: ExprRef<'a>,
    number: usize,
) -> Option<(ExprRef<'a>, QualType)> {
    if conversions::is_undecayed_array(cx, arg) {
        let (name, what) = (cx.dname(callee), if number == 1 { "non-void pointer" } else { "pointer" });
        cx.error(arg.loc, format!("argument {number} of {name} must be a {what} type"));
        return None;
    }
    let value = conversions::rvalue(cx, arg);
    if value.is_error() {
        return None;
    }
    match cx.types().pointee(value.ty.ty()) {
        Some(pointee) if !crate::sema::types::effective_quals(cx.types(), pointee).space().is_empty() => {
            cx.error(arg.loc, "not supported: atomic operations in named address spaces");
            None
        }
        Some(pointee) if !cx.types().is_incomplete(pointee.ty()) && !cx.types().is_function(pointee.ty()) => {
            Some((value, pointee))
        }
        _ => {
            let name = cx.dname(callee);
            let message = if number == 1 {
                let ty = cx.tname(value.ty);
                format!("operand type {ty} is incompatible with argument 1 of {name}")
            } else {
                format!("argument {number} of {name} must be a pointer type")
            };
            cx.error(arg.loc, message);
            None
        }
    }
}

/// The object's type if it is an integer or pointer that an instruction can handle.
fn scalar_object(cx: &mut Sema<'_, '_>, callee: DeclId, pointee: QualType, loc: Loc) -> Option<Ty> {
    let ty = pointee.ty();
    let scalar = cx.types().is_integer(ty) || cx.types().is_pointer(ty);
    let size = cx.types().size_of(ty).unwrap_or(0);
    if scalar && matches!(size, 1 | 2 | 4 | 8 | 16) {
        return Some(ty);
    }
    let pointer = cx.pointer_to(pointee);
    let (name, ty) = (cx.dname(callee), cx.tname(pointer));
    cx.error(loc, format!("operand type {ty} is incompatible with argument 1 of {name}"));
    None
}

/// Memory order argument: a constant, or anything (then sequentially consistent).
fn order_arg<'a>(cx: &mut Sema<'_, 'a>, arg: ExprRef<'a>) -> Option<MemoryOrder> {
    let value = conversions::rvalue(cx, arg);
    if value.is_error() {
        return None;
    }
    if !cx.types().is_integer(value.ty.ty()) {
        cx.error(arg.loc, "non-integer memory model argument");
        return None;
    }
    // The bits above 16 are hints for hardware lock elision.
    Some(match value.int_value().map(|v| v & 0xffff) {
        Some(0) => MemoryOrder::Relaxed,
        Some(1) => MemoryOrder::Consume,
        Some(2) => MemoryOrder::Acquire,
        Some(3) => MemoryOrder::Release,
        Some(4) => MemoryOrder::AcqRel,
        Some(5) | None => MemoryOrder::SeqCst,
        Some(_) => {
            cx.warn(warning::INVALID_MEMORY_MODEL, arg.loc, "invalid memory model argument");
            MemoryOrder::SeqCst
        }
    })
}

/// An integer or pointer operand converted to the object's type without the diagnostics of
/// assignment.
fn value_arg<'a>(cx: &mut Sema<'_, 'a>, arg: ExprRef<'a>, ty: Ty) -> Option<ExprRef<'a>> {
    let value = conversions::rvalue(cx, arg);
    if value.is_error() {
        return None;
    }
    if !cx.types().is_scalar(value.ty.ty()) {
        cx.error(arg.loc, "aggregate value used where an integer was expected");
        return None;
    }
    Some(conversions::convert(cx, value, ty))
}

fn base_atomic<'a>(op: AtomicOp, value_ty: Ty, ptr: Option<ExprRef<'a>>, order: MemoryOrder) -> Atomic<'a> {
    Atomic { op, value_ty, ptr, value: None, expected: None, order, failure_order: MemoryOrder::SeqCst }
}

fn make<'a>(cx: &mut Sema<'_, 'a>, atomic: Atomic<'a>, ty: Ty, loc: Loc) -> ExprRef<'a> {
    let atomic = cx.arena.alloc(atomic);
    cx.value(ExprKind::Atomic(atomic), ty, loc)
}

/// A call of a `__sync` builtin. Further arguments (the protected variables) are ignored, as in
/// gcc.
pub fn sync<'a>(
    cx: &mut Sema<'_, 'a>,
    kind: AtomicKind,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> ExprRef<'a> {
    match sync_node(cx, kind, callee, args, loc) {
        Some(expr) => expr,
        None => cx.error_expr(loc),
    }
}

fn sync_node<'a>(
    cx: &mut Sema<'_, 'a>,
    kind: AtomicKind,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let order = MemoryOrder::SeqCst;
    if kind == AtomicKind::Fence {
        return Some(make(cx, base_atomic(AtomicOp::ThreadFence, Ty::VOID, None, order), Ty::VOID, loc));
    }
    let least = match kind {
        AtomicKind::LockRelease => 1,
        AtomicKind::BoolCompareAndSwap | AtomicKind::ValCompareAndSwap => 3,
        _ => 2,
    };
    if !check_count(cx, callee, args, least, usize::MAX, loc) {
        return None;
    }
    let (ptr, pointee) = pointer_arg(cx, callee, args[0], 1)?;
    let ty = scalar_object(cx, callee, pointee, loc)?;
    if matches!(kind, AtomicKind::FetchOp(_) | AtomicKind::OpFetch(_)) && cx.kind(ty) == TypeKind::Bool {
        let pointer = cx.pointer_to(pointee);
        let (name, pointer) = (cx.dname(callee), cx.tname(pointer));
        cx.error(loc, format!("operand type {pointer} is incompatible with argument 1 of {name}"));
        return None;
    }
    let value = |cx: &mut Sema<'_, 'a>, index: usize| value_arg(cx, args[index], ty);
    let op = match kind {
        AtomicKind::FetchOp(op) => AtomicOp::FetchOp(op),
        AtomicKind::OpFetch(op) => AtomicOp::OpFetch(op),
        AtomicKind::LockTestAndSet => AtomicOp::Exchange,
        AtomicKind::LockRelease => AtomicOp::Store,
        AtomicKind::BoolCompareAndSwap => AtomicOp::SyncBoolCompareAndSwap,
        _ => AtomicOp::SyncValCompareAndSwap,
    };
    let mut atomic = base_atomic(op, ty, Some(ptr), order);
    let mut result = ty;
    match kind {
        AtomicKind::LockRelease => {
            let zero = cx.ice(0, Ty::INT, loc);
            atomic.value = Some(conversions::convert(cx, zero, ty));
            atomic.order = MemoryOrder::Release;
            result = Ty::VOID;
        }
        AtomicKind::LockTestAndSet => {
            atomic.value = Some(value(cx, 1)?);
            atomic.order = MemoryOrder::Acquire;
        }
        AtomicKind::BoolCompareAndSwap | AtomicKind::ValCompareAndSwap => {
            atomic.expected = Some(value(cx, 1)?);
            atomic.value = Some(value(cx, 2)?);
            if kind == AtomicKind::BoolCompareAndSwap {
                result = Ty::BOOL;
            }
        }
        _ => atomic.value = Some(value(cx, 1)?),
    }
    Some(make(cx, atomic, result, loc))
}

/// A call of an `__atomic` builtin.
pub fn atomic<'a>(
    cx: &mut Sema<'_, 'a>,
    kind: AtomicKind,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> ExprRef<'a> {
    match atomic_node(cx, kind, callee, args, loc) {
        Some(expr) => expr,
        None => cx.error_expr(loc),
    }
}

fn atomic_node<'a>(
    cx: &mut Sema<'_, 'a>,
    kind: AtomicKind,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let count = match kind {
        AtomicKind::Fence | AtomicKind::SignalFence => 1,
        AtomicKind::LoadN | AtomicKind::TestAndSet | AtomicKind::Clear => 2,
        AtomicKind::AlwaysLockFree | AtomicKind::IsLockFree => 2,
        AtomicKind::Exchange => 4,
        AtomicKind::CompareExchange | AtomicKind::CompareExchangeN => 6,
        _ => 3,
    };
    if !check_count(cx, callee, args, count, count, loc) {
        return None;
    }
    match kind {
        AtomicKind::Fence | AtomicKind::SignalFence => {
            let order = order_arg(cx, args[0])?;
            let op = if kind == AtomicKind::Fence { AtomicOp::ThreadFence } else { AtomicOp::SignalFence };
            Some(make(cx, base_atomic(op, Ty::VOID, None, order), Ty::VOID, loc))
        }
        AtomicKind::TestAndSet | AtomicKind::Clear => {
            let (ptr, _) = byte_pointer(cx, args[0])?;
            let order = order_arg(cx, args[1])?;
            let set = kind == AtomicKind::TestAndSet;
            let (op, ty) = if set { (AtomicOp::TestAndSet, Ty::BOOL) } else { (AtomicOp::Clear, Ty::VOID) };
            Some(make(cx, base_atomic(op, Ty::UCHAR, Some(ptr), order), ty, loc))
        }
        AtomicKind::AlwaysLockFree | AtomicKind::IsLockFree => lock_free(cx, kind, args, loc),
        AtomicKind::Load | AtomicKind::Store | AtomicKind::Exchange | AtomicKind::CompareExchange => {
            generic(cx, kind, callee, args, loc)
        }
        _ => {
            let (ptr, pointee) = pointer_arg(cx, callee, args[0], 1)?;
            let ty = scalar_object(cx, callee, pointee, loc)?;
            if matches!(kind, AtomicKind::FetchOp(_) | AtomicKind::OpFetch(_)) && cx.kind(ty) == TypeKind::Bool {
                let name = cx.dname(callee);
                cx.error(loc, format!("operand type '_Bool *' is incompatible with argument 1 of {name}"));
                return None;
            }
            sized(cx, kind, callee, ptr, ty, args, loc)
        }
    }
}

/// Any pointer to an object, as the address of a byte.
fn byte_pointer<'a>(cx: &mut Sema<'_, 'a>, arg: ExprRef<'a>) -> Option<(ExprRef<'a>, Ty)> {
    let value = conversions::rvalue(cx, arg);
    if value.is_error() {
        return None;
    }
    if !cx.types().is_pointer(value.ty.ty()) {
        cx.error(arg.loc, "argument 1 must be a pointer type");
        return None;
    }
    if cx.types().pointee(value.ty.ty()).is_some_and(|p| !p.quals().space().is_empty()) {
        cx.error(arg.loc, "not supported: atomic operations in named address spaces");
        return None;
    }
    let ty = cx.pointer_to(Ty::UCHAR);
    Some((conversions::convert(cx, value, ty), ty))
}

/// The forms with values.
fn sized<'a>(
    cx: &mut Sema<'_, 'a>,
    kind: AtomicKind,
    callee: DeclId,
    ptr: ExprRef<'a>,
    ty: Ty,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let last = args.len() - 1;
    let op = match kind {
        AtomicKind::LoadN => AtomicOp::Load,
        AtomicKind::StoreN => AtomicOp::Store,
        AtomicKind::ExchangeN => AtomicOp::Exchange,
        AtomicKind::FetchOp(op) => AtomicOp::FetchOp(op),
        AtomicKind::OpFetch(op) => AtomicOp::OpFetch(op),
        _ => {
            let weak = conversions::rvalue(cx, args[3]).int_value().is_some_and(|v| v != 0);
            AtomicOp::CompareExchange { weak }
        }
    };
    let mut atomic = base_atomic(op, ty, Some(ptr), MemoryOrder::SeqCst);
    atomic.order = order_arg(cx, args[last])?;
    let mut result = ty;
    match kind {
        AtomicKind::LoadN => {
            if matches!(atomic.order, MemoryOrder::Release | MemoryOrder::AcqRel) {
                invalid_order(cx, callee, loc);
                atomic.order = MemoryOrder::SeqCst;
            }
        }
        AtomicKind::StoreN => {
            if matches!(atomic.order, MemoryOrder::Acquire | MemoryOrder::Consume | MemoryOrder::AcqRel) {
                invalid_order(cx, callee, loc);
                atomic.order = MemoryOrder::SeqCst;
            }
            atomic.value = Some(value_arg(cx, args[1], ty)?);
            result = Ty::VOID;
        }
        AtomicKind::CompareExchangeN => {
            let (expected, _) = pointer_arg(cx, callee, args[1], 2)?;
            let pointer = cx.pointer_to(ty);
            atomic.expected = Some(conversions::convert(cx, expected, pointer));
            atomic.value = Some(value_arg(cx, args[2], ty)?);
            atomic.failure_order = atomic.order;
            atomic.order = order_arg(cx, args[4])?;
            result = Ty::BOOL;
        }
        _ => atomic.value = Some(pointer_scaled(cx, args[1], ty)?),
    }
    Some(make(cx, atomic, result, loc))
}

/// Arithmetic on atomic pointers is in bytes: no scaling, as in gcc.
fn pointer_scaled<'a>(cx: &mut Sema<'_, 'a>, arg: ExprRef<'a>, ty: Ty) -> Option<ExprRef<'a>> {
    value_arg(cx, arg, ty)
}

fn invalid_order(cx: &mut Sema<'_, '_>, callee: DeclId, loc: Loc) {
    let name = cx.dname(callee);
    cx.warn(warning::INVALID_MEMORY_MODEL, loc, format!("invalid memory model for {name}"));
}

/// The forms that pass values through memory.
fn generic<'a>(
    cx: &mut Sema<'_, 'a>,
    kind: AtomicKind,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let (ptr, pointee) = pointer_arg(cx, callee, args[0], 1)?;
    let Some(size) = cx.types().size_of(pointee) else {
        let name = cx.dname(callee);
        cx.error(loc, format!("argument 1 of {name} must be a pointer to a constant size type"));
        return None;
    };
    let pointers = match kind {
        AtomicKind::Load | AtomicKind::Store => 1,
        _ => 2,
    };
    let mut others = Vec::new();
    for index in 1..=pointers {
        let (value, target) = pointer_arg(cx, callee, args[index], index + 1)?;
        if cx.types().size_of(target) != Some(size) {
            let name = cx.dname(callee);
            cx.error(loc, format!("size mismatch in argument {} of {name}", index + 1));
            return None;
        }
        others.push(value);
    }
    match types::int_of_size(size, false) {
        Some(ty) => generic_sized(cx, kind, callee, ptr, ty, &others, args, loc),
        None => library(cx, kind, ptr, size, &others, args, loc),
    }
}

/// Rewrites to integers of the object's size.
#[allow(clippy::too_many_arguments)]
fn generic_sized<'a>(
    cx: &mut Sema<'_, 'a>,
    kind: AtomicKind,
    callee: DeclId,
    ptr: ExprRef<'a>,
    ty: Ty,
    others: &[ExprRef<'a>],
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let aliasing = cx.unit.types.with_may_alias(ty);
    let pointer = cx.pointer_to(aliasing);
    let ptr = conversions::convert(cx, ptr, pointer);
    let object = |cx: &mut Sema<'_, 'a>, address: ExprRef<'a>| {
        let address = conversions::convert(cx, address, pointer);
        expressions::deref_node(cx, address, aliasing.plain(), loc)
    };
    let order = args[args.len() - 1];
    Some(match kind {
        AtomicKind::Load => {
            let load = sized(cx, AtomicKind::LoadN, callee, ptr, ty, &[ptr, order], loc)?;
            let target = object(cx, others[0]);
            let assign = cx.value(ExprKind::Assign { lhs: target, rhs: load }, ty, loc);
            expressions::to_void(cx, assign, loc)
        }
        AtomicKind::Store => {
            let source = object(cx, others[0]);
            let value = conversions::rvalue(cx, source);
            sized(cx, AtomicKind::StoreN, callee, ptr, ty, &[ptr, value, order], loc)?
        }
        AtomicKind::Exchange => {
            let source = object(cx, others[0]);
            let value = conversions::rvalue(cx, source);
            let old = sized(cx, AtomicKind::ExchangeN, callee, ptr, ty, &[ptr, value, order], loc)?;
            let target = object(cx, others[1]);
            let assign = cx.value(ExprKind::Assign { lhs: target, rhs: old }, ty, loc);
            expressions::to_void(cx, assign, loc)
        }
        _ => {
            let source = object(cx, others[1]);
            let value = conversions::rvalue(cx, source);
            let args = [ptr, others[0], value, args[3], args[4], args[5]];
            sized(cx, AtomicKind::CompareExchangeN, callee, ptr, ty, &args, loc)?
        }
    })
}

/// libatomic's entry points for any size: `__atomic_load(size, ptr, ret, order)` and relatives.
fn library<'a>(
    cx: &mut Sema<'_, 'a>,
    kind: AtomicKind,
    ptr: ExprRef<'a>,
    size: u64,
    others: &[ExprRef<'a>],
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let (name, ret) = match kind {
        AtomicKind::Load => ("__atomic_load", Ty::VOID),
        AtomicKind::Store => ("__atomic_store", Ty::VOID),
        AtomicKind::Exchange => ("__atomic_exchange", Ty::VOID),
        _ => ("__atomic_compare_exchange", Ty::BOOL),
    };
    let size = cx.ice(size as i128, Ty::SIZE, loc);
    let mut all = vec![size, conversions::convert(cx, ptr, Ty::VOID_PTR)];
    for &other in others {
        all.push(conversions::convert(cx, other, Ty::VOID_PTR));
    }
    let orders = if kind == AtomicKind::CompareExchange { &args[4..] } else { &args[args.len() - 1..] };
    for &order in orders {
        let order = conversions::rvalue(cx, order);
        all.push(conversions::convert(cx, order, Ty::INT));
    }
    let params: Vec<QualType> = all.iter().map(|a| a.ty).collect();
    Some(call_runtime(cx, name, ret, &params, &all, loc))
}

/// A call of a function of the runtime library that the program need not declare.
pub fn call_runtime<'a>(
    cx: &mut Sema<'_, 'a>,
    name: &str,
    ret: Ty,
    params: &[QualType],
    args: &[ExprRef<'a>],
    loc: Loc,
) -> ExprRef<'a> {
    let symbol = cx.sess.intern(&format!("{name} (runtime)"));
    let id = match cx.linked.get(&symbol) {
        Some(&id) => id,
        None => {
            let signature = Signature {
                ret: ret.plain(),
                params: params.into(),
                variadic: false,
                prototype: true,
                noreturn: false,
                restricts: 0,
                abi: CallAbi::Unsaid,
                nocf_check: false,
            };
            let ty = cx.unit.types.function(signature).plain();
            let link_name = cx.sess.intern(name);
            let mut decl = blank_decl(Some(link_name), DeclKind::Function, ty, loc);
            decl.linkage = Linkage::External;
            decl.flags = DeclFlags(DeclFlags::NOT_ONLY_INLINE.0 | DeclFlags::REFERENCED.0);
            let id = cx.unit.decls.push(decl);
            cx.linked.insert(symbol, id);
            id
        }
    };
    let callee = expressions::primary::decl_ref(cx, id, loc);
    calls::plain_call(cx, callee, args, loc)
}

fn lock_free<'a>(cx: &mut Sema<'_, 'a>, kind: AtomicKind, args: &[ExprRef<'a>], loc: Loc) -> Option<ExprRef<'a>> {
    let size = conversions::rvalue(cx, args[0]);
    match size.int_value() {
        Some(size) => {
            // Sixteen bytes only with cmpxchg16b.
            let wide = cx.options.codegen.features.has(platform::options::X86Features::CX16);
            let free = matches!(size, 1 | 2 | 4 | 8) || (size == 16 && wide && kind == AtomicKind::IsLockFree);
            Some(cx.ice(free as i128, Ty::BOOL, loc))
        }
        None if kind == AtomicKind::AlwaysLockFree => {
            cx.error(loc, "non-constant argument 1 to '__atomic_always_lock_free'");
            None
        }
        None => {
            let size = conversions::convert(cx, size, Ty::SIZE);
            let pointer = conversions::rvalue(cx, args[1]);
            let pointer = conversions::convert(cx, pointer, Ty::CONST_VOID_PTR);
            let params = [Ty::SIZE.plain(), Ty::CONST_VOID_PTR.plain()];
            Some(call_runtime(cx, "__atomic_is_lock_free", Ty::BOOL, &params, &[size, pointer], loc))
        }
    }
}
