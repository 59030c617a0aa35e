//! `va_arg`, expanded in place (psABI 3.5.7): a register save area filled by the callee, an
//! overflow area on the stack.

use ir::abi::{SAVE_AREA_FP_OFFSET, SAVE_AREA_SIZE, va_list};
use ir::{AliasTags, BranchHint, IntCc, Opcode, Type, Value};
use platform::sysv::Class;
use smallvec::SmallVec;

use super::abi::{self, Piece};
use super::expressions;
use super::function::Fx;
use super::lvalues;
use super::place::{Place, Rvalue};
use crate::tree::*;

/// Bytes of an SSE register in the save area.
const SSE_SLOT: i64 = 16;

/// Reads the next argument of type `ty` from the `__va_list_tag` at `ap`.
pub fn va_arg(fx: &mut Fx<'_, '_>, ap: ExprRef<'_>, ty: Ty) -> Rvalue {
    let list = fx.types().pointee(ap.ty.ty());
    if list.is_some_and(|list| list.ty() == fx.unit.ms_va_list) {
        return super::ms_abi::va_arg(fx, ap, ty);
    }
    let ap = expressions::scalar(fx, ap);
    if !fx.live {
        return expressions::dummy(fx, ty);
    }
    let ap = Place::new(ap, 8);
    if fx.types().is_vla(ty) {
        // As in gcc, a pointer to a copy was passed.
        let Rvalue::Scalar(copy) = from_list(fx, ap, Ty::VOID_PTR) else { base::bug!("a pointer in memory") };
        let align = fx.types().align_of(ty);
        return lvalues::load(fx, Place::new(copy, align), ty.into());
    }
    from_list(fx, ap, ty)
}

/// The next argument, whose type has a constant size.
fn from_list(fx: &mut Fx<'_, '_>, ap: Place, ty: Ty) -> Rvalue {
    let class = abi::classify(&fx.unit.types, fx.options, ty);
    if class.classes().is_empty() {
        return lvalues::load(fx, Place::new(ap.base, 1), ty.into());
    }
    let (integers, floats) = class.register_demand();
    if floats > 0 && !fx.options.codegen.features.has_sse() {
        fx.state.error_once(fx.session, fx.loc, super::without_sse::ARGUMENT);
    }
    let address = if class.is_stack_argument() || class.classes().len() > 2 {
        overflow_address(fx, ap, ty)
    } else {
        let pieces = abi::pieces(&fx.unit.types, ty, &class);
        from_either(fx, ap, ty, class.classes(), &pieces, integers as i64, floats as i64)
    };
    // General registers lie 8-aligned in the save area, whatever the type wants.
    let align = fx.types().align_of(ty).min(if integers > 0 { 8 } else { 16 });
    let place = Place { any_alias: true, ..Place::new(address, align) };
    lvalues::load(fx, place, ty.into())
}

/// Takes the argument from registers if all of it is there, else from the stack; its address.
fn from_either(
    fx: &mut Fx<'_, '_>,
    ap: Place,
    ty: Ty,
    classes: &[Class],
    pieces: &[Piece],
    integers: i64,
    floats: i64,
) -> Value {
    let any = AliasTags::any();
    let (in_registers, second, on_stack, end) = (fx.new_block(), fx.new_block(), fx.new_block(), fx.new_block());
    let slot = fx.temp(8, 8);
    let gp = (integers > 0).then(|| fx.load(Type::I32, ap.offset(va_list::GP_OFFSET.into()), any));
    if let Some(gp) = gp {
        let fits = fx.icmp_imm(IntCc::Ule, gp, i64::from(SAVE_AREA_FP_OFFSET) - 8 * integers);
        fx.cond_br(fits, second, on_stack, BranchHint::None);
        fx.start(second);
    }
    let fp = (floats > 0).then(|| fx.load(Type::I32, ap.offset(va_list::FP_OFFSET.into()), any));
    match fp {
        Some(fp) => {
            let fits = fx.icmp_imm(IntCc::Ule, fp, i64::from(SAVE_AREA_SIZE) - SSE_SLOT * floats);
            fx.cond_br(fits, in_registers, on_stack, BranchHint::None);
        }
        None => fx.br(in_registers),
    }
    fx.start(in_registers);
    let area = fx.load(Type::PTR, ap.offset(va_list::REG_SAVE_AREA.into()), any);
    let register_address = |fx: &mut Fx<'_, '_>, offset: Option<Value>| {
        let offset = offset.unwrap_or_else(|| fx.iconst(Type::I32, 0));
        let offset = fx.int_cast(offset, Type::I64, false);
        fx.ptradd(area, offset)
    };
    let gp_address = integers > 0 && floats == 0;
    let address = if gp_address {
        register_address(fx, gp)
    } else if integers == 0 && floats == 1 {
        register_address(fx, fp)
    } else {
        let gp_base = (integers > 0).then(|| register_address(fx, gp));
        let fp_base = register_address(fx, fp);
        gather(fx, ty, classes, pieces, gp_base, fp_base)
    };
    if let Some(gp) = gp {
        let next = fx.int_op_imm(Opcode::Add, 0, gp, 8 * integers);
        fx.store(next, ap.offset(va_list::GP_OFFSET.into()), any);
    }
    if let Some(fp) = fp {
        let next = fx.int_op_imm(Opcode::Add, 0, fp, SSE_SLOT * floats);
        fx.store(next, ap.offset(va_list::FP_OFFSET.into()), any);
    }
    fx.store(address, slot, any);
    fx.br(end);
    fx.start(on_stack);
    let address = overflow_address(fx, ap, ty);
    fx.store(address, slot, any);
    fx.br(end);
    fx.start(end);
    fx.load(Type::PTR, slot, any)
}

/// Puts an argument whose eightbytes are not adjacent in the save area together in a temporary.
fn gather(fx: &mut Fx<'_, '_>, ty: Ty, classes: &[Class], pieces: &[Piece], gp: Option<Value>, fp: Value) -> Value {
    let layout = fx.types().layout(ty.into()).unwrap_or(platform::data_layout::LONG);
    let temp = fx.temp(layout.size, layout.align);
    let (mut gp_at, mut fp_at) = (0, 0);
    let mut values: SmallVec<[Value; 2]> = SmallVec::new();
    for piece in pieces {
        let integer = classes[piece.offset as usize / 8] == Class::Integer;
        let from = match (integer, gp) {
            (true, Some(gp)) => {
                gp_at += 8;
                Place::new(gp, 8).offset(gp_at - 8)
            }
            _ => {
                fp_at += SSE_SLOT;
                Place::new(fp, 16).offset(fp_at - SSE_SLOT)
            }
        };
        values.push(fx.load(piece.ty, from, AliasTags::any()));
    }
    abi::store_pieces(fx, &values, pieces, temp);
    fx.address(temp)
}

/// The address of the next argument on the stack; the area's pointer moves past it.
fn overflow_address(fx: &mut Fx<'_, '_>, ap: Place, ty: Ty) -> Value {
    let any = AliasTags::any();
    let layout = fx.types().layout(ty.into()).unwrap_or(platform::data_layout::LONG);
    let at = ap.offset(va_list::OVERFLOW_ARG_AREA.into());
    let mut address = fx.load(Type::PTR, at, any);
    if layout.align > 8 {
        let bits = fx.ptr_to_int(address);
        let up = fx.int_op_imm(Opcode::Add, 0, bits, layout.align as i64 - 1);
        let down = fx.int_op_imm(Opcode::And, 0, up, -(layout.align as i64));
        address = fx.int_to_ptr(down);
    }
    let size = if fx.types().is_empty_object(ty) { 0 } else { layout.size.next_multiple_of(8) };
    let next = fx.address(Place::new(address, 8).offset(size as i64));
    fx.store(next, at, any);
    address
}
