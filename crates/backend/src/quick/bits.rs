//! Counting bits and reversing bytes, without BMI.

use ir::{Inst, InstData, Opcode, Type, flags};
use object::{Alu, Cond, Shift, Size};
use platform::options::X86Features;
use platform::registers::{RAX, RDI, Reg};

use super::Quick;
use super::call::{call_library, define_from};
use super::divide::extend;
use super::regs::{gpr_size, op_size};

/// `ctlz`, `cttz`, `popcount`, `bswap`
pub fn bit_op(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let ty = data.ty;
    let result = q.func.first_result(inst);
    let a = data.arg(0);
    if data.opcode == Opcode::Popcount && !q.has(X86Features::POPCNT) {
        q.take_in(a, RDI);
        zero_extend(q, ty, RDI);
        call_library(q, "__popcountdi2");
        return define_from(q, result, RAX);
    }
    let reg = q.take_for(a, result);
    scalar(q, data, ty, reg);
    q.define(result, reg);
}

/// Clears what lies above the type in a 64-bit register.
pub fn zero_extend(q: &mut Quick<'_>, ty: Type, reg: Reg) {
    match gpr_size(ty) {
        Size::Q => {}
        Size::D => q.buf.mov_rr(Size::D, reg, reg),
        size => q.buf.movzx_rr(Size::D, size, reg, reg),
    }
}

/// The operation on a register in place (popcount only with POPCNT).
pub fn scalar(q: &mut Quick<'_>, data: InstData, ty: Type, reg: Reg) {
    let size = op_size(ty);
    let width = ty.bits() as i32;
    let zero_matters = !data.has(flags::ZERO_UNDEF);
    match data.opcode {
        Opcode::Ctlz => {
            extend(q, ty, false, reg);
            let temp = q.temp_gpr();
            if zero_matters {
                // bsr leaves this for zero: (2 * width - 1) ^ (width - 1) = width.
                q.buf.mov_ri(Size::D, temp, (2 * width - 1).into());
            }
            q.buf.bsr_rr(size, reg, reg);
            if zero_matters {
                q.buf.cmov_rr(Cond::E, size, reg, temp);
            }
            q.buf.alu_ri(Alu::Xor, Size::D, reg, width - 1);
        }
        Opcode::Cttz => {
            extend(q, ty, false, reg);
            let temp = q.temp_gpr();
            if zero_matters {
                q.buf.mov_ri(Size::D, temp, width.into());
            }
            q.buf.bsf_rr(size, reg, reg);
            if zero_matters {
                q.buf.cmov_rr(Cond::E, size, reg, temp);
            }
        }
        Opcode::Popcount => {
            extend(q, ty, false, reg);
            q.buf.popcnt_rr(size, reg, reg);
        }
        _ => match gpr_size(ty) {
            Size::B => {}
            Size::W => q.buf.shift_ri(Shift::Rol, Size::W, reg, 8),
            size => q.buf.bswap(size, reg),
        },
    }
}
