//! Bits that are certainly zero, by a bounded look at how a value is made.

use ir::{Function, Opcode, Value};

/// Definitions looked at for one value: deep enough for what a few statements on one variable
/// leave, shallow enough to ask at every mask.
const MAX_DEFINITIONS: u32 = 24;

/// The bits of `value`, a scalar, that are certainly zero.
pub fn known_zero(func: &Function, value: Value) -> u128 {
    known_zero_within(func, value, &mut { MAX_DEFINITIONS })
}

fn known_zero_within(func: &Function, value: Value, left: &mut u32) -> u128 {
    let ty = func.value_type(value);
    let mask = ty.mask();
    if let Some(bits) = func.const_bits(value) {
        return !bits & mask;
    }
    let Some(inst) = func.def_inst(value) else { return 0 };
    if *left == 0 || !(ty.is_int() || ty.is_ptr()) {
        return 0;
    }
    *left -= 1;
    let data = func.insts[inst];
    let mut of = |index: usize| known_zero_within(func, func.operand(inst, index), left);
    match data.opcode {
        Opcode::ZExt => {
            let narrow = func.value_type(func.operand(inst, 0)).mask();
            mask & !narrow | of(0) & narrow
        }
        Opcode::Trunc => of(0) & mask,
        Opcode::And => of(0) | of(1),
        Opcode::Or | Opcode::Xor | Opcode::UMin | Opcode::UMax => of(0) & of(1),
        Opcode::Select if !func.value_type(func.operand(inst, 0)).is_vector() => of(1) & of(2),
        Opcode::Add => sum(of(0), of(1), mask),
        Opcode::LShr | Opcode::Shl => {
            let Some(amount) = func.const_bits(func.operand(inst, 1)).filter(|&c| c < u128::from(ty.bits())) else {
                return 0;
            };
            let zero = of(0);
            match data.opcode {
                Opcode::LShr => zero >> amount | mask & !(mask >> amount),
                _ => zero << amount & mask | ((1 << amount) - 1),
            }
        }
        _ => 0,
    }
}

/// What is zero in both terms below the lowest bit that may be set is zero in the sum; above the
/// highest one the sum carries by one bit at most.
fn sum(a: u128, b: u128, mask: u128) -> u128 {
    let both = a & b;
    let low = (1u128 << both.trailing_ones().min(127)) - 1;
    let possible = !both & mask;
    let highest = 128 - possible.leading_zeros();
    let above = if highest >= 127 { 0 } else { mask & !((1u128 << (highest + 1)) - 1) };
    low & mask | above
}
