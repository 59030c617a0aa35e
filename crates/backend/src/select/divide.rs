//! Division and remainder of scalars. `div` and `idiv` give both at once: a quotient and a
//! remainder of the same operands in one block are selected as one instruction, at the place of the
//! first of them.

use ir::{Inst, InstData, Opcode, Type};
use object::{Size, encode::Unary};

use super::{
    arith::extend,
    context::{Ctx, int_size},
    memory::{push_rm, rm},
};
use crate::machine::MInst;

/// `sdiv`, `udiv`, `srem`, `urem`.
pub fn select_division(cx: &mut Ctx, inst: Inst, data: &InstData) {
    if data.ty == Type::I128 {
        return super::int128::select_division(cx, inst, data);
    }
    if let Some(earlier) = find_partner(cx, inst, data) {
        // The earlier one will define both results. A register that others share holds something
        // else until here.
        let own = cx.func.first_result(inst);
        let mut place = cx.result(own);
        if cx.phis.class(own).is_some() {
            let dst = std::mem::replace(&mut place, cx.temp_gpr());
            cx.copy(dst, place);
        }
        cx.paired.push((earlier, place));
        let result = cx.func.first_result(earlier);
        cx.need(result);
        return;
    }
    let later = cx.paired.iter().position(|pair| pair.0 == inst).map(|at| cx.paired.swap_remove(at).1);
    let signed = matches!(data.opcode, Opcode::SDiv | Opcode::SRem);
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let size = int_size(data.ty).max(Size::D);
    let dividend = extend(cx, a, signed);
    let (quotient, remainder) = (cx.temp_gpr(), cx.temp_gpr());
    let inst_out = MInst::div(Unary::divide(signed), size).dst(quotient).src1(dividend).with_aux(remainder);
    if int_size(data.ty) < Size::D {
        let divisor = extend(cx, b, signed);
        let divisor = distinct(cx, divisor, dividend);
        cx.push(inst_out.src2(divisor));
    } else {
        let operand = rm(cx, b, size);
        let operand = match operand {
            super::memory::Rm::Reg(reg) => super::memory::Rm::Reg(distinct(cx, reg, dividend)),
            other => other,
        };
        push_rm(cx, inst_out, operand);
    }
    let is_quotient = matches!(data.opcode, Opcode::SDiv | Opcode::UDiv);
    let (own, other) = if is_quotient { (quotient, remainder) } else { (remainder, quotient) };
    let dst = cx.result(cx.func.first_result(inst));
    cx.copy(dst, own);
    if let Some(place) = later {
        cx.copy(place, other);
    }
}

/// The divisor in a register of its own if it is the dividend's.
fn distinct(cx: &mut Ctx, divisor: crate::machine::VReg, dividend: crate::machine::VReg) -> crate::machine::VReg {
    if divisor != dividend {
        return divisor;
    }
    cx.in_gpr(|cx, dst| cx.copy(dst, divisor))
}

/// An earlier division in the same block with the same operands and signedness that computes the
/// other result.
fn find_partner(cx: &Ctx, inst: Inst, data: &InstData) -> Option<Inst> {
    // A short way back only: the pair normally stands together.
    const MAX_DISTANCE: usize = 12;
    let want = match data.opcode {
        Opcode::SDiv => Opcode::SRem,
        Opcode::UDiv => Opcode::URem,
        Opcode::SRem => Opcode::SDiv,
        _ => Opcode::UDiv,
    };
    if cx.paired.iter().any(|pair| pair.0 == inst) {
        return None;
    }
    let mut at = cx.func.prev_inst(inst);
    for _ in 0..MAX_DISTANCE {
        let candidate = at?;
        let other = cx.data(candidate);
        if other.opcode == want && other.ty == data.ty && other.args::<2>() == data.args() {
            return Some(candidate);
        }
        at = cx.func.prev_inst(candidate);
    }
    None
}
