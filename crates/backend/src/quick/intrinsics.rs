//! `va_start` and the operations named by [`Intrinsic`].

use ir::{Inst, Intrinsic, Value};
use object::{Mem, Size};
use platform::registers::RBP;

use super::Quick;
use super::frame::ARGUMENT_AREA;
use ir::abi::{SAVE_AREA_FP_OFFSET, va_list};

/// Fills the `va_list` for this function's variable arguments.
pub fn va_start(q: &mut Quick<'_>, inst: Inst) {
    let list = q.mem(q.func.operand(inst, 0));
    let (gprs, xmms) = (i32::from(q.layout.gprs), i32::from(q.layout.xmms));
    q.buf.mov_mi(Size::D, list.offset(va_list::GP_OFFSET), 8 * gprs);
    q.buf.mov_mi(Size::D, list.offset(va_list::FP_OFFSET), SAVE_AREA_FP_OFFSET as i32 + 16 * xmms);
    let temp = q.temp_gpr();
    let stack = i32::try_from(q.layout.stack_size).unwrap_or(i32::MAX / 2);
    q.buf.lea(Size::Q, temp, Mem::base(RBP, ARGUMENT_AREA + stack));
    q.buf.mov_mr(Size::Q, list.offset(va_list::OVERFLOW_ARG_AREA), temp);
    q.buf.lea(Size::Q, temp, Mem::base(RBP, q.save_area));
    q.buf.mov_mr(Size::Q, list.offset(va_list::REG_SAVE_AREA), temp);
}

fn argument(q: &Quick<'_>, inst: Inst, index: usize) -> Value {
    q.func.list(inst)[index]
}

/// One intrinsic operation.
pub fn intrinsic(q: &mut Quick<'_>, inst: Inst) {
    let intrinsic = q.func.insts[inst].intrinsic();
    match intrinsic {
        Intrinsic::Trap => q.buf.ud2(),
        Intrinsic::IsConstant => {
            let value = argument(q, inst, 0);
            let known = q.func.constant(value).is_some();
            q.consume(value);
            define_int(q, inst, known.into());
        }
        Intrinsic::Expect | Intrinsic::KnownBytes => {
            q.consume(argument(q, inst, 1));
            let result = q.func.first_result(inst);
            let reg = q.take_for(argument(q, inst, 0), result);
            q.define(result, reg);
        }
        Intrinsic::Assume | Intrinsic::ScopeBegin | Intrinsic::ScopeEnd => q.consume(argument(q, inst, 0)),
        Intrinsic::ObjectSize => {
            // Nothing was found: the greatest size for modes 0 and 1, the least for 2 and 3.
            let mode = q.const_int(argument(q, inst, 1)).unwrap_or(0);
            q.consume(argument(q, inst, 0));
            define_int(q, inst, if mode & 2 == 0 { -1 } else { 0 });
        }
        _ => base::bug!("{intrinsic:?} in a function that selection is for"),
    }
}

fn define_int(q: &mut Quick<'_>, inst: Inst, number: i64) {
    let reg = q.temp_gpr();
    q.buf.mov_ri(Size::Q, reg, number);
    q.define(q.func.first_result(inst), reg);
}
