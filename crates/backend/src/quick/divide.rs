//! Division and remainder.

use ir::{Inst, Opcode, Type, Value};
use object::{Alu, Rm, Rmi, Shift, Size, encode::Unary};
use platform::registers::{RAX, RDX, Reg};

use super::Quick;
use super::regs::{gpr_size, op_size};

/// `sdiv`, `udiv`, `srem`, `urem`
pub fn divide(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let ty = data.ty;
    let result = q.func.first_result(inst);
    let [a, b] = data.args();
    let signed = matches!(data.opcode, Opcode::SDiv | Opcode::SRem);
    let remainder = matches!(data.opcode, Opcode::SRem | Opcode::URem);
    let size = op_size(ty);
    if !signed && let Some(power) = power_of_two(q, b) {
        q.consume(b);
        let reg = q.take_for(a, result);
        extend(q, ty, false, reg);
        divide_by_power(q, size, reg, power, remainder);
        return q.define(result, reg);
    }
    q.take_in(a, RAX);
    extend(q, ty, signed, RAX);
    q.claim(RDX);
    let narrow = size != gpr_size(ty);
    let divisor = match if narrow { Rmi::Reg(q.take(b)) } else { q.use_rmi(b) } {
        Rmi::Reg(reg) => {
            if narrow {
                extend(q, ty, signed, reg);
            }
            Rm::Reg(reg)
        }
        Rmi::Imm(imm) => {
            let reg = q.temp_gpr();
            q.buf.mov_ri(size, reg, imm.into());
            Rm::Reg(reg)
        }
        Rmi::Mem(mem) => Rm::Mem(mem),
    };
    let op = if signed {
        q.buf.sign_into_rdx(size);
        Unary::Idiv
    } else {
        q.buf.zero_r(RDX);
        Unary::Div
    };
    q.buf.unary_x(op, size, divisor);
    q.define(result, if remainder { RDX } else { RAX });
}

fn power_of_two(q: &Quick<'_>, divisor: Value) -> Option<u8> {
    let bits = q.const_bits(divisor)?;
    bits.is_power_of_two().then_some(bits.trailing_zeros() as u8)
}

fn divide_by_power(q: &mut Quick<'_>, size: Size, reg: Reg, power: u8, remainder: bool) {
    if !remainder {
        if power != 0 {
            q.buf.shift_xi(Shift::Shr, size, reg, power);
        }
        return;
    }
    let mask = (1u64 << power) - 1;
    match i32::try_from(mask) {
        Ok(mask) => q.buf.alu_ri(Alu::And, size, reg, mask),
        Err(_) => {
            let temp = q.temp_gpr();
            q.buf.mov_ri(Size::Q, temp, mask as i64);
            q.buf.alu_rr(Alu::And, size, reg, temp);
        }
    }
}

/// Makes the upper bits of a narrow value in a register right up to 32 bits.
pub fn extend(q: &mut Quick<'_>, ty: Type, signed: bool, reg: Reg) {
    let size = gpr_size(ty);
    match (size, signed) {
        (Size::B | Size::W, true) => q.buf.movsx_rx(Size::D, size, reg, reg),
        (Size::B | Size::W, false) => q.buf.movzx_rx(Size::D, size, reg, reg),
        _ => {}
    }
}
