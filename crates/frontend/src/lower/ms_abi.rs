//! The Microsoft x64 calling convention (attribute `ms_abi`, `-mabi=ms`), as gcc has it: "x64
//! calling convention" of Microsoft's documentation, and gcc's `function_arg_ms_64` and
//! `function_value_ms_64` for the types that it does not speak of.
//!
//! Every argument has a position. What has 1, 2, 4 or 8 bytes is passed itself, `float` and
//! `double` in the SSE register of the position and all else in the general one; anything else is
//! passed as the address of a copy.

use ir::{AliasTags, Intrinsic, Type, Value};
use smallvec::smallvec;

use super::abi::{FnAbi, PassMode, Piece, RetMode};
use super::function::Fx;
use super::place::{Place, Rvalue};
use super::shapes::{Shape, shape};
use super::{expressions, lvalues};
use crate::tree::*;

/// Positions that have registers, and the bytes of stack that stand after them.
const REGISTERS: usize = 4;
/// Bytes of a position.
const SLOT: i64 = 8;

/// The convention for these argument types, of which the first `named` have parameters.
pub fn build(types: &Types, ret: Ty, args: &[Ty], named: usize, variadic: bool, chain: bool) -> FnAbi {
    let params = args.iter().enumerate().map(|(index, &ty)| {
        let ty = if types.is_vla(ty) { Ty::VOID_PTR } else { ty };
        // Anonymous floating arguments are read from where general registers are saved.
        (ty, pass_mode(types, ty, index < named || !variadic))
    });
    FnAbi { chain, ret: return_mode(types, ret), params: params.collect(), variadic, ms_abi: true }
}

/// Whether a value is passed and returned itself.
fn is_direct(size: u64) -> bool {
    matches!(size, 1 | 2 | 4 | 8)
}

fn pass_mode(types: &Types, ty: Ty, named: bool) -> PassMode {
    let size = types.size_of(ty).unwrap_or(0);
    if !is_direct(size) {
        return PassMode::Indirect { align: types.align_of(ty) };
    }
    match itself(types, ty) {
        Some(scalar) if named || !scalar.is_float() => PassMode::Scalar(scalar),
        _ => PassMode::Pieces(smallvec![in_general_register(size)]),
    }
}

/// Integers, pointers, `float` and `double`. Other values of such sizes travel as the bits they
/// are.
fn itself(types: &Types, ty: Ty) -> Option<Type> {
    match shape(types, ty) {
        Shape::Scalar(scalar) if types.decimal_format(ty).is_none() => {
            (scalar.is_ptr() || scalar.is_int() || matches!(scalar, Type::F32 | Type::F64)).then_some(scalar)
        }
        _ => None,
    }
}

fn in_general_register(size: u64) -> Piece {
    Piece { ty: if size == 8 { Type::I64 } else { Type::I32 }, offset: 0, size: size as u32 }
}

fn return_mode(types: &Types, ty: Ty) -> RetMode {
    let size = types.size_of(ty).unwrap_or(0);
    match shape(types, ty) {
        Shape::Void => return RetMode::Void,
        // Vectors and integers of 16 bytes come in xmm0.
        Shape::Scalar(vector) if vector.is_vector() && size == 16 => return RetMode::Scalar(vector),
        Shape::Scalar(Type::I128) => return in_xmm0(),
        _ => {}
    }
    if let TypeKind::Vector { elem, lanes } = types.kind(ty)
        && size == 16
        && types.decimal_format(elem).is_none()
        && (lanes > 1 || types.is_integer(elem))
    {
        return in_xmm0();
    }
    if !is_direct(size) {
        return RetMode::Memory;
    }
    match itself(types, ty) {
        Some(scalar) => RetMode::Scalar(scalar),
        None => RetMode::Pieces(smallvec![in_general_register(size)]),
    }
}

fn in_xmm0() -> RetMode {
    RetMode::Pieces(smallvec![Piece { ty: Type::F64.vector(2), offset: 0, size: 16 }])
}

/// The types of the parameters that a variadic function has besides its named ones: the registers
/// that may hold anonymous arguments.
pub fn saved_registers(abi: &FnAbi) -> usize {
    if abi.ms_abi && abi.variadic { REGISTERS.saturating_sub(positions(abi)) } else { 0 }
}

/// Positions that the result's address and the named parameters take.
fn positions(abi: &FnAbi) -> usize {
    abi.ret.is_memory() as usize + abi.params.iter().map(|(_, mode)| mode.piece_count()).sum::<usize>()
}

/// On entry: stores the registers of anonymous arguments to their places on the stack. Remembers
/// where the first one is.
pub fn save_registers(fx: &mut Fx<'_, '_>, abi: &FnAbi, registers: &[Value]) {
    if !(abi.ms_abi && abi.variadic) {
        return;
    }
    let first = positions(abi);
    fx.ms_anonymous = first as i64 * SLOT;
    let area = stack_arguments(fx);
    for (index, &value) in registers.iter().enumerate() {
        fx.store(value, area.offset((first + index) as i64 * SLOT), AliasTags::any());
    }
}

/// The stack argument area of this function.
fn stack_arguments(fx: &mut Fx<'_, '_>) -> Place {
    let area = expressions::intrinsic(fx, Intrinsic::DwarfCfa, Type::PTR, &[]);
    Place::new(area, 8)
}

/// `__builtin_ms_va_start`: a list is the address of the next argument.
pub fn va_start(fx: &mut Fx<'_, '_>, list: ExprRef<'_>) {
    let list = expressions::scalar(fx, list);
    let at = fx.ms_anonymous;
    let first = stack_arguments(fx).offset(at);
    let first = fx.address(first);
    fx.store(first, Place::new(list, 8), AliasTags::any());
}

/// Reads the next argument of type `ty`; `list` is the address of the list.
pub fn va_arg(fx: &mut Fx<'_, '_>, list: ExprRef<'_>, ty: Ty) -> Rvalue {
    let list = expressions::scalar(fx, list);
    if !fx.live {
        return expressions::dummy(fx, ty);
    }
    let list = Place::new(list, 8);
    let at = fx.load(Type::PTR, list, AliasTags::any());
    let argument = Place::new(at, 8);
    let next = fx.address(argument.offset(SLOT));
    fx.store(next, list, AliasTags::any());
    let size = fx.types().size_of(ty).unwrap_or(0);
    let place = if is_direct(size) && !fx.types().is_vla(ty) {
        argument
    } else {
        let align = fx.types().align_of(ty);
        Place::new(fx.load(Type::PTR, argument, AliasTags::any()), align)
    };
    lvalues::load(fx, Place { any_alias: true, ..place }, ty.into())
}
