//! Contraction: a product and a sum in one operation that rounds once, where both allow it
//! (`-ffp-contract=fast`) and the target has it. Scalar sums that a loop carries stay as they are.

use ir::{Inst, InstData, Opcode, Type, Value, flags};
use object::encode::Vex;
use platform::options::X86Features;

use super::constants::outlasts_load;
use super::context::Ctx;
use super::memory::{Rm, xmm_rm};
use crate::machine::{MInst, VReg};

/// What becomes of the product and the other summand.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Signs {
    /// `x * y + z`
    Add,
    /// `x * y - z`
    Sub,
    /// `z - x * y`
    NegatedAdd,
}

/// The product that is summed, and the other summand.
struct Fused {
    x: Value,
    y: Value,
    z: Value,
    signs: Signs,
}

/// Selects an `fadd` or `fsub` of a product that only such operations use. False: it is none.
pub fn select(cx: &mut Ctx, inst: Inst, data: &InstData) -> bool {
    if !is_sum(cx, inst) || !matches!(data.ty.lane(), Type::F32 | Type::F64) || !cx.has(X86Features::FMA) {
        return false;
    }
    let Some(Fused { mut x, mut y, z, signs }) = fused(cx, data) else { return false };
    let result = cx.func.first_result(inst);
    let same_register =
        |cx: &Ctx, v: Value| cx.phis.class(result).is_some() && cx.phis.class(result) == cx.phis.class(v);
    // A sum that is carried around a loop waits for its additions in each iteration, which take
    // less time than fused operations; the products are not waited for.
    if !data.ty.is_vector() && is_carried(cx, z) {
        return false;
    }
    let rather_x = memory(cx, x, data.ty) && (!memory(cx, y, data.ty) || outlasts_load(cx, y, x));
    if same_register(cx, y) || rather_x {
        (x, y) = (y, x);
    }
    // In the place of the summand, which an accumulator is, or in that of a factor.
    let summand_stays = memory(cx, z, data.ty) || !cx.single_use(z);
    let onto_factor = same_register(cx, x) || (!same_register(cx, z) && !memory(cx, y, data.ty) && summand_stays);
    let from = if onto_factor { z } else { y };
    let folds = memory(cx, from, data.ty);
    let (first, second) = if onto_factor { (x, y) } else { (z, x) };
    let (a, b) = (cx.reg(first), cx.reg(second));
    let from = if folds { xmm_rm(cx, from, data.ty.store_size()) } else { Rm::Reg(cx.reg(from)) };
    let dst = cx.result(result);
    let op = operation(signs, data.ty, onto_factor);
    let c = match from {
        Rm::Reg(c) => c,
        Rm::Mem(amode) => {
            cx.push_mem(MInst::fma(op).dst(dst).src1(a).src2(b).with_aux(VReg::NONE), amode);
            return true;
        }
    };
    for part in 0..cx.parts(data.ty) {
        cx.push(MInst::fma(op).dst(dst.part(part)).src1(a.part(part)).src2(b.part(part)).with_aux(c.part(part)));
    }
    true
}

fn is_sum(cx: &Ctx, inst: Inst) -> bool {
    let data = &cx.func.insts[inst];
    matches!(data.opcode, Opcode::FAdd | Opcode::FSub) && data.has(flags::CONTRACT)
}

/// Sums of one iteration that are looked at.
const MAX_SUMS: usize = 8;

/// Whether a summand is what the loop's iteration before has left, or a sum that begins with it.
fn is_carried(cx: &Ctx, mut summand: Value) -> bool {
    let header = cx.loops.innermost(cx.block).map(|l| cx.loops.header(l));
    for _ in 0..MAX_SUMS {
        let Some((inst, data)) = cx.def(summand) else { return false };
        match data.opcode {
            Opcode::Phi => return cx.func.inst_block(inst) == header,
            Opcode::FAdd | Opcode::FSub if cx.single_use(summand) => summand = cx.arg(&data, 0),
            _ => return false,
        }
    }
    false
}

fn fused(cx: &Ctx, data: &InstData) -> Option<Fused> {
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let product = |value: Value| {
        let (inst, product) = cx.def_op(value, Opcode::FMul)?;
        let allowed = product.has(flags::CONTRACT) && cx.can_absorb_in(value, inst, |user| is_sum(cx, user));
        allowed.then(|| (cx.arg(&product, 0), cx.arg(&product, 1)))
    };
    let subtracts = data.opcode == Opcode::FSub;
    // The later product of two.
    if let Some((x, y)) = product(b) {
        return Some(Fused { x, y, z: a, signs: if subtracts { Signs::NegatedAdd } else { Signs::Add } });
    }
    let (x, y) = product(a)?;
    Some(Fused { x, y, z: b, signs: if subtracts { Signs::Sub } else { Signs::Add } })
}

/// Whether the value is a load that the operation may do itself, or a constant.
fn memory(cx: &Ctx, value: Value, ty: Type) -> bool {
    let constant = ty.store_size() < 32 && cx.func.constant(value).is_some();
    cx.parts(ty) == 1 && (constant || cx.foldable_load(value).is_some())
}

/// `onto_factor`: `dst = dst * second + third`; else `dst = second * third + dst`.
fn operation(signs: Signs, ty: Type, onto_factor: bool) -> Vex {
    use Vex::*;
    let forms = match (signs, onto_factor) {
        (Signs::Add, true) => [Vfmadd213ss, Vfmadd213sd, Vfmadd213ps, Vfmadd213pd],
        (Signs::Add, false) => [Vfmadd231ss, Vfmadd231sd, Vfmadd231ps, Vfmadd231pd],
        (Signs::Sub, true) => [Vfmsub213ss, Vfmsub213sd, Vfmsub213ps, Vfmsub213pd],
        (Signs::Sub, false) => [Vfmsub231ss, Vfmsub231sd, Vfmsub231ps, Vfmsub231pd],
        (Signs::NegatedAdd, true) => [Vfnmadd213ss, Vfnmadd213sd, Vfnmadd213ps, Vfnmadd213pd],
        (Signs::NegatedAdd, false) => [Vfnmadd231ss, Vfnmadd231sd, Vfnmadd231ps, Vfnmadd231pd],
    };
    forms[usize::from(ty.is_vector()) * 2 + usize::from(ty.lane_bits() == 64)]
}
