//! Builtin operations ([`ExprKind::Builtin`](crate::tree::ExprKind::Builtin)) and library functions
//! with a direct translation.

mod apply;
pub mod bits;
pub mod cpu;
pub mod floats;
pub mod library;
pub mod objects;
pub mod overflow;
mod rounding;
pub mod x86;

use ir::{FloatCc, Intrinsic, Opcode, Type, Value, flags};

use super::function::Fx;
use super::place::{Place, Rvalue};
use super::walk::has_side_effects_besides;
use super::{bit_int, calls, expressions, nested, sanitize, unwinding, va_pack, vectors};
use crate::tree::*;

/// Lowers a builtin operation.
pub fn lower(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, builtin: Builtin, args: &[ExprRef<'_>]) -> Rvalue {
    match builtin {
        Builtin::Ffs
        | Builtin::Clz
        | Builtin::Ctz
        | Builtin::Clrsb
        | Builtin::Popcount
        | Builtin::Parity
        | Builtin::Bswap => bits::lower(fx, e, builtin, args[0]),
        Builtin::IsNan
        | Builtin::IsInf
        | Builtin::IsInfSign
        | Builtin::IsFinite
        | Builtin::IsNormal
        | Builtin::IsSignaling
        | Builtin::SignBit
        | Builtin::Fpclassify => floats::classify(fx, builtin, args),
        Builtin::IsGreater => floats::quiet(fx, FloatCc::Ogt, args),
        Builtin::IsGreaterEqual => floats::quiet(fx, FloatCc::Oge, args),
        Builtin::IsLess => floats::quiet(fx, FloatCc::Olt, args),
        Builtin::IsLessEqual => floats::quiet(fx, FloatCc::Ole, args),
        Builtin::IsLessGreater => floats::quiet(fx, FloatCc::One, args),
        Builtin::IsUnordered => floats::quiet(fx, FloatCc::Uno, args),
        Builtin::ObjectSize | Builtin::DynamicObjectSize => {
            objects::object_size(fx, e, builtin == Builtin::DynamicObjectSize, args)
        }
        Builtin::Clear => objects::clear_padding(fx, args[0]),
        Builtin::X86(index) => x86::lower(fx, e, index as usize, args),
        Builtin::VaStart
        | Builtin::NextArg
        | Builtin::VaEnd
        | Builtin::VaCopy
        | Builtin::MsVaStart
        | Builtin::MsVaCopy
        | Builtin::VaArgPackLen
        | Builtin::VaArgPack => variable_arguments(fx, builtin, args),
        Builtin::Alloca
        | Builtin::AllocaWithAlign
        | Builtin::AllocaWithAlignAndMax
        | Builtin::StackSave
        | Builtin::StackRestore
        | Builtin::FrameAddress
        | Builtin::ReturnAddress
        | Builtin::DwarfCfa => frame(fx, builtin, args),
        Builtin::Expect | Builtin::ExpectWithProbability | Builtin::SpeculationSafeValue => {
            let value = expressions::rvalue(fx, args[0]);
            args[1..].iter().for_each(|a| expressions::effect(fx, a));
            value
        }
        Builtin::AssumeAligned | Builtin::ExtractReturnAddr => {
            let value = expressions::rvalue(fx, args[0]);
            args[1..].iter().for_each(|a| expressions::effect(fx, a));
            value
        }
        Builtin::AssocBarrier => floats::assoc_barrier(fx, args[0]),
        Builtin::CallWithStaticChain => {
            let chain = expressions::scalar(fx, args[1]);
            match args[0].kind {
                ExprKind::Call { callee, args: list } => {
                    calls::call_with_chain(fx, args[0], callee, list, Some(chain), None)
                }
                _ => base::bug!("a static chain for what is no call"),
            }
        }
        Builtin::ConstantP => constant_p(fx, e, args[0]),
        Builtin::VectorShuffle => vectors::shuffle_variable(fx, e, args),
        Builtin::Fabs | Builtin::Copysign => floats::sign_operation(fx, builtin, args),
        _ => match library::lower(fx, e, builtin, args) {
            Some(value) => value,
            None => control(fx, e, builtin, args),
        },
    }
}

fn scalars(fx: &mut Fx<'_, '_>, args: &[ExprRef<'_>]) -> Vec<Value> {
    args.iter().map(|a| expressions::scalar(fx, a)).collect()
}

/// A truth value as the node's type.
pub fn truth(fx: &mut Fx<'_, '_>, bit: Value) -> Rvalue {
    Rvalue::Scalar(fx.int_cast(bit, Type::I32, false))
}

fn control(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, builtin: Builtin, args: &[ExprRef<'_>]) -> Rvalue {
    match builtin {
        Builtin::Unreachable => {
            sanitize::values::unreachable(fx);
            fx.unreachable();
            Rvalue::Void
        }
        Builtin::Trap => {
            fx.b().intrinsic(Intrinsic::Trap, Type::VOID, &[]);
            fx.unreachable();
            Rvalue::Void
        }
        Builtin::UnwindInit => {
            fx.b().intrinsic(Intrinsic::UnwindInit, Type::VOID, &[]);
            Rvalue::Void
        }
        Builtin::EhReturn => {
            let args = scalars(fx, args);
            fx.b().intrinsic(Intrinsic::EhReturn, Type::VOID, &args);
            fx.unreachable();
            Rvalue::Void
        }
        Builtin::ApplyArgs => apply::args(fx),
        Builtin::Apply => apply::apply(fx, args),
        Builtin::ApplyReturn => apply::apply_return(fx, args[0]),
        Builtin::Prefetch => {
            let address = expressions::scalar(fx, args[0]);
            let constant = |i: usize, default: i128| args.get(i).and_then(|a| a.int_value()).unwrap_or(default) as u32;
            let (write, locality) = (constant(1, 0), constant(2, 3));
            fx.b().prefetch(address, write != 0, locality);
            Rvalue::Void
        }
        Builtin::Setjmp => {
            let buffer = expressions::scalar(fx, args[0]);
            let value = nested::set_jump(fx, buffer);
            unwinding::restore(fx);
            Rvalue::Scalar(value)
        }
        Builtin::Longjmp => {
            let args = scalars(fx, args);
            fx.b().intrinsic(Intrinsic::LongJmp, Type::VOID, &args[..1]);
            fx.unreachable();
            Rvalue::Void
        }
        Builtin::ClearCache => {
            let args = scalars(fx, args);
            fx.b().intrinsic(Intrinsic::ClearCache, Type::VOID, &args);
            Rvalue::Void
        }
        Builtin::ThreadPointer => Rvalue::Scalar(expressions::intrinsic(fx, Intrinsic::ThreadPointer, Type::PTR, &[])),
        Builtin::Rdtsc => Rvalue::Scalar(expressions::intrinsic(fx, Intrinsic::Rdtsc, Type::I64, &[])),
        Builtin::Pause => {
            fx.b().intrinsic(Intrinsic::Pause, Type::VOID, &[]);
            Rvalue::Void
        }
        Builtin::CpuInit => cpu::init(fx),
        Builtin::CpuSupports => cpu::supports(fx, args[0]),
        Builtin::CpuIs => cpu::is(fx, args[0]),
        _ => {
            fx.not_supported(&format!("builtin {builtin:?}"));
            expressions::dummy(fx, e.ty.ty())
        }
    }
}

fn variable_arguments(fx: &mut Fx<'_, '_>, builtin: Builtin, args: &[ExprRef<'_>]) -> Rvalue {
    match builtin {
        Builtin::VaStart => {
            let list = expressions::scalar(fx, args[0]);
            fx.b().effect(Opcode::VaStart, list);
        }
        Builtin::NextArg => {
            // The second word of a `va_list` (System V ABI, 3.5.7).
            let list = fx.temp(24, 8);
            let address = fx.address(list);
            fx.b().effect(Opcode::VaStart, address);
            return Rvalue::Scalar(fx.load(Type::PTR, list.offset(8), ir::AliasTags::any()));
        }
        Builtin::MsVaStart => super::ms_abi::va_start(fx, args[0]),
        Builtin::MsVaCopy => {
            let args = scalars(fx, args);
            fx.store(args[1], Place::new(args[0], 8), ir::AliasTags::any());
        }
        Builtin::VaEnd => {
            fx.line_without_code();
            args.iter().for_each(|a| expressions::effect(fx, a));
        }
        Builtin::VaCopy => {
            let args = scalars(fx, args);
            fx.copy(Place::new(args[0], 8), Place::new(args[1], 8), ir::abi::va_list::SIZE, false);
        }
        Builtin::VaArgPackLen => return va_pack::len(fx),
        _ => {
            fx.session.error(fx.loc, "'__builtin_va_arg_pack ()' must be the last argument of a variadic call").emit();
        }
    }
    Rvalue::Void
}

fn frame(fx: &mut Fx<'_, '_>, builtin: Builtin, args: &[ExprRef<'_>]) -> Rvalue {
    match builtin {
        Builtin::Alloca | Builtin::AllocaWithAlign | Builtin::AllocaWithAlignAndMax => {
            let size = expressions::scalar(fx, args[0]);
            let size = fx.int_cast(size, Type::I64, false);
            let bits = args.get(1).and_then(|a| a.int_value()).unwrap_or(128);
            let align = ((bits / 8).clamp(1, 1 << 28) as u32).max(16).next_power_of_two();
            crate::lower::scopes::keep_stack(fx);
            Rvalue::Scalar(fx.b().dyn_alloca(size, align))
        }
        Builtin::StackSave => Rvalue::Scalar(fx.b().nullary(Opcode::StackSave, Type::PTR)),
        Builtin::StackRestore => {
            let sp = expressions::scalar(fx, args[0]);
            fx.b().effect(Opcode::StackRestore, sp);
            Rvalue::Void
        }
        Builtin::DwarfCfa => Rvalue::Scalar(expressions::intrinsic(fx, Intrinsic::DwarfCfa, Type::PTR, &[])),
        _ => {
            let level = args.first().and_then(|a| a.int_value()).unwrap_or(0);
            let level = fx.iconst(Type::I32, level as i64);
            let which =
                if builtin == Builtin::FrameAddress { Intrinsic::FrameAddress } else { Intrinsic::ReturnAddress };
            Rvalue::Scalar(expressions::intrinsic(fx, which, Type::PTR, &[level]))
        }
    }
}

/// `__builtin_constant_p` of something that is not constant yet: the optimiser decides, and without
/// one it is not.
fn constant_p(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, arg: ExprRef<'_>) -> Rvalue {
    let to = fx.scalar_type(e.ty.ty());
    let integer = fx.types().is_integer(arg.ty.ty()) || fx.types().is_floating(arg.ty.ty());
    let wide = bit_int::is_wide(fx, arg.ty.ty());
    if !fx.optimizing() || !integer || wide || has_side_effects_besides(arg, &|decl| fx.unit.only_computes(decl)) {
        return Rvalue::Scalar(fx.iconst(to, 0));
    }
    let value = expressions::scalar(fx, arg);
    if fx.func.const_bits(value).is_some() {
        return Rvalue::Scalar(fx.iconst(to, 1));
    }
    let bit = expressions::intrinsic(fx, Intrinsic::IsConstant, Type::I1, &[value]);
    Rvalue::Scalar(fx.int_cast(bit, to, false))
}

/// Flag for `ctlz` and `cttz` of values that are not zero.
pub const NOT_ZERO: u8 = flags::ZERO_UNDEF;
