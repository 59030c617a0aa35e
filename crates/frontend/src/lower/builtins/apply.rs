//! `__builtin_apply_args`, `__builtin_apply`, `__builtin_return` (GCC manual, "Constructing
//! Function Calls").
//!
//! The block of `__builtin_apply_args` holds two addresses: that of the stack arguments and that of
//! the argument registers, which the function stores on entry in the layout of a register save area
//! (psABI figure 3.33). `__builtin_apply` is a variadic call with all of these registers and a copy
//! of the stack arguments, which leaves every register that may hold a result in a block of its
//! own; `__builtin_return` takes from there what its function's type wants.

use ir::{AbiParam, AliasTags, FnAttrs, Intrinsic, ParamKind, Signature, Type, Value};
use smallvec::SmallVec;

use crate::lower::function::Fx;
use crate::lower::place::{Place, Rvalue};
use crate::lower::{expressions, scopes};
use crate::tree::*;

/// Offsets in the block of `__builtin_apply_args`.
const STACK_ARGUMENTS: i64 = 0;
const REGISTERS: i64 = 8;
const ARGS_SIZE: u64 = 16;
/// General registers, then SSE registers of 16 bytes.
const GENERAL: i64 = 6;
const SSE: i64 = 8;
/// Offsets in the block of `__builtin_apply`: rax, rdx; xmm0, xmm1; st0, st1.
const INTEGER_RESULTS: i64 = 0;
const SSE_RESULTS: i64 = 16;
const X87_RESULTS: i64 = 48;
const RESULTS_SIZE: u64 = 80;

/// `__builtin_apply_args()`
pub fn args(fx: &mut Fx<'_, '_>) -> Rvalue {
    let block = fx.alloca(ARGS_SIZE, 8);
    let stack = expressions::intrinsic(fx, Intrinsic::DwarfCfa, Type::PTR, &[]);
    let registers = expressions::intrinsic(fx, Intrinsic::ArgumentRegisters, Type::PTR, &[]);
    let place = Place::new(block, 8);
    fx.store(stack, place.offset(STACK_ARGUMENTS), AliasTags::any());
    fx.store(registers, place.offset(REGISTERS), AliasTags::any());
    Rvalue::Scalar(block)
}

/// `__builtin_apply(function, args, bytes of stack arguments)`
pub fn apply(fx: &mut Fx<'_, '_>, args: &[ExprRef<'_>]) -> Rvalue {
    let any = AliasTags::any();
    let Some(size) = args[2].int_value().and_then(|n| u64::try_from(n).ok()).filter(|&n| n < 1 << 30) else {
        fx.not_supported("'__builtin_apply' with a size that is no constant, or above 1 GB,");
        return expressions::dummy(fx, Ty::VOID_PTR);
    };
    let callee = expressions::scalar(fx, args[0]);
    let block = Place::new(expressions::scalar(fx, args[1]), 8);
    let vector = Type::F64.vector(2);
    let with_sse = fx.options.codegen.features.has_sse();
    let registers = Place::new(fx.load(Type::PTR, block.offset(REGISTERS), any), 8);
    let mut signature = Signature { variadic: true, ..Signature::default() };
    let mut list: SmallVec<[Value; 16]> = SmallVec::new();
    let places = (0..GENERAL).map(|n| (Type::I64, 8 * n));
    let sse_places = (0..if with_sse { SSE } else { 0 }).map(|n| (vector, 8 * GENERAL + 16 * n));
    for (ty, offset) in places.chain(sse_places) {
        signature.params.push(AbiParam { ty, kind: ParamKind::Direct });
        list.push(fx.load(ty, registers.offset(offset), any));
    }
    if size > 0 {
        let kind = ParamKind::ByVal { size: size.next_multiple_of(8), align: 8 };
        signature.params.push(AbiParam { ty: Type::PTR, kind });
        list.push(fx.load(Type::PTR, block.offset(STACK_ARGUMENTS), any));
    }
    let mut places: SmallVec<[(Type, i64); 6]> = SmallVec::new();
    places.extend([(Type::I64, INTEGER_RESULTS), (Type::I64, INTEGER_RESULTS + 8)]);
    if with_sse {
        places.extend([(vector, SSE_RESULTS), (vector, SSE_RESULTS + 16)]);
        places.extend([(Type::F80, X87_RESULTS), (Type::F80, X87_RESULTS + 16)]);
    }
    signature.returns = places.iter().map(|p| p.0).collect();
    let returns = signature.returns.clone();
    let signature = fx.state.module.signature(signature);
    let results = Place::new(fx.alloca(RESULTS_SIZE, 16), 16);
    let call = fx.b().call(signature, FnAttrs::default(), &returns, callee, &list);
    let values: SmallVec<[Value; 6]> = fx.func.results(call).collect();
    for (&value, (_, offset)) in values.iter().zip(places) {
        fx.store(value, results.offset(offset), any);
    }
    Rvalue::Scalar(results.base)
}

/// `__builtin_return(block of __builtin_apply)`
pub fn apply_return(fx: &mut Fx<'_, '_>, arg: ExprRef<'_>) -> Rvalue {
    let block = Place::new(expressions::scalar(fx, arg), 8);
    let (mut integers, mut sse, mut x87) = (INTEGER_RESULTS, SSE_RESULTS, X87_RESULTS);
    let returns = fx.state.module.signatures[fx.func.sig].returns.clone();
    let mut values: SmallVec<[Value; 2]> = SmallVec::new();
    for ty in returns {
        let (next, bytes) = match ty {
            Type::F80 => (&mut x87, 16),
            _ if ty.is_vector() || ty.is_float() => (&mut sse, 16),
            _ => (&mut integers, 8),
        };
        if ty.store_size() > 16 {
            fx.not_supported("'__builtin_return' of a vector of more than 16 bytes");
        }
        let offset = *next;
        *next += bytes;
        values.push(fx.load(ty, block.offset(offset), AliasTags::any()));
    }
    scopes::run_cleanups(fx, None);
    fx.ret_values(&values);
    Rvalue::Void
}
