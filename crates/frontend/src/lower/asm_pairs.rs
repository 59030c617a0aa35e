//! Operands of inline assembly that need two general registers: integers, structures and complex
//! numbers of 16 bytes.
//!
//! gcc gives such an operand a register and the next one of its numbering; the template can name
//! only the first, which holds the low half. Here both are fixed registers that nothing else in the
//! statement has, the upper halves operands of their own after all others.

use ir::{AliasTags, AsmData, AsmOperand, AsmPlace, Type, Value};
use platform::registers::{R8, R9, R10, R11, R12, R13, R14, R15, RAX, RDI, RDX, RSI, Reg, RegSet};

use super::asm_constraints::Allowed;
use super::function::Fx;
use super::lvalues;
use super::place::Rvalue;
use super::shapes::{Shape, shape};
use crate::tree::*;

/// What the constraint `A` stands for.
pub const ACCUMULATOR: [Reg; 2] = [RAX, RDX];
/// The pairs for `r`.
const PAIRS: [(Reg, Reg); 6] = [(RAX, RDX), (RSI, RDI), (R8, R9), (R10, R11), (R12, R13), (R14, R15)];

/// The upper half of an operand.
pub enum Half {
    /// Of output number `of`.
    Output {
        /// The output.
        of: u8,
        /// Its second register.
        reg: Reg,
        /// Number of the IR result.
        result: u32,
        /// Written before all inputs are read.
        early_clobber: bool,
    },
    /// Of an input.
    Input {
        /// Its second register.
        reg: Reg,
        /// The upper eight bytes.
        value: Value,
    },
    /// Of an input that shares the place of output number `of`.
    Tied {
        /// The output.
        of: u8,
        /// The upper eight bytes.
        value: Value,
    },
}

/// Whether gcc keeps values of this type in two general registers.
pub fn takes_two(fx: &Fx<'_, '_>, ty: Ty) -> bool {
    let scalars = match shape(fx.types(), ty) {
        Shape::Scalar(scalar) => scalar == Type::I128,
        Shape::Complex(part) => part.bits() == 64,
        Shape::Memory => matches!(fx.types().kind(ty), TypeKind::Record(_)) && !fx.types().is_vla(ty),
        Shape::Void => false,
    };
    scalars && fx.types().size_of(ty) == Some(16)
}

/// Two registers that the constraint allows and that are not `taken`.
pub fn choose(allowed: &Allowed, taken: RegSet) -> Option<(Reg, Reg)> {
    let free = |&(low, high): &(Reg, Reg)| !taken.contains(low) && !taken.contains(high);
    let pairs = if allowed.gpr { &PAIRS[..] } else { &PAIRS[..1] };
    if !allowed.gpr && allowed.fixed != ACCUMULATOR {
        return None;
    }
    pairs.iter().copied().find(free)
}

/// The lower and the upper eight bytes of a value.
pub fn halves(fx: &mut Fx<'_, '_>, value: Rvalue, ty: Ty) -> (Value, Value) {
    let place = lvalues::spill(fx, value, ty);
    let low = fx.load(Type::I64, place, AliasTags::any());
    (low, fx.load(Type::I64, place.offset(8), AliasTags::any()))
}

/// Adds the upper halves after the operands that the template can name.
pub fn append(data: &mut AsmData, inputs: &mut Vec<Value>, halves: Vec<Half>) {
    let operand = |is_output, place| AsmOperand {
        is_output,
        early_clobber: false,
        place,
        ty: Type::I64,
        name: None,
        input: None,
        result: None,
    };
    let mut outputs = Vec::new();
    for half in &halves {
        if let &Half::Output { of, reg, result, early_clobber } = half {
            outputs.push((of, data.operands.len() as u8));
            data.operands.push(AsmOperand {
                early_clobber,
                result: Some(result),
                ..operand(true, AsmPlace::Fixed(reg))
            });
        }
    }
    for half in halves {
        let (place, value) = match half {
            Half::Output { .. } => continue,
            Half::Input { reg, value } => (AsmPlace::Fixed(reg), value),
            Half::Tied { of, value } => match outputs.iter().find(|(output, _)| *output == of) {
                Some(&(_, number)) => (AsmPlace::Tied(number), value),
                None => base::bug!("an upper half is tied to an output without one"),
            },
        };
        data.operands.push(AsmOperand { input: Some(inputs.len() as u32), ..operand(false, place) });
        inputs.push(value);
    }
}
