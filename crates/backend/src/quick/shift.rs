//! Shifts and rotates.

use ir::{Inst, Opcode, Type};
use object::{Shift, Size};
use platform::registers::{RCX, Reg};

use super::Quick;
use super::arith::defer_scale;
use super::regs::{gpr_size, op_size};

/// `shl`, `lshr`, `ashr`, `rotl`, `rotr`
pub fn shift(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let ty = data.ty;
    let result = q.func.first_result(inst);
    let [a, amount] = data.args();
    let op = match data.opcode {
        Opcode::Shl => Shift::Shl,
        Opcode::LShr => Shift::Shr,
        Opcode::AShr => Shift::Sar,
        Opcode::Rotl => Shift::Rol,
        _ => Shift::Ror,
    };
    // Rotation depends on the exact width; the other shifts are done in 32 bits.
    let size = if matches!(op, Shift::Rol | Shift::Ror) { gpr_size(ty) } else { op_size(ty) };
    if let Some(count) = q.const_int(amount) {
        q.consume(amount);
        let count = count as u64 & u64::from(size.bits() - 1);
        if op == Shift::Shl && count < 4 && defer_scale(q, inst, a, 1 << count) {
            return;
        }
        let reg = q.take_for(a, result);
        extend(q, ty, op, reg);
        if count != 0 {
            q.buf.shift_xi(op, size, reg, count as u8);
        }
        return q.define(result, reg);
    }
    q.take_in(amount, RCX);
    let reg = q.take_for(a, result);
    extend(q, ty, op, reg);
    q.buf.shift_xcl(op, size, reg);
    q.define(result, reg);
}

/// `bswap`
pub fn reverse_bytes(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let result = q.func.first_result(inst);
    let reg = q.take_for(data.arg(0), result);
    match gpr_size(data.ty) {
        Size::B => {}
        Size::W => q.buf.shift_xi(Shift::Rol, Size::W, reg, 8),
        size => q.buf.bswap(size, reg),
    }
    q.define(result, reg);
}

/// A right shift of a narrow type brings in its upper bits: they must be right.
fn extend(q: &mut Quick<'_>, ty: Type, op: Shift, reg: Reg) {
    let size = gpr_size(ty);
    if matches!(size, Size::B | Size::W) {
        match op {
            Shift::Shr => q.buf.movzx_rx(Size::D, size, reg, reg),
            Shift::Sar => q.buf.movsx_rx(Size::D, size, reg, reg),
            _ => {}
        }
    }
}
