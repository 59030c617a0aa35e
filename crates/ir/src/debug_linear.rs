//! Linear functions of values, for records of variables whose own value is no longer computed.
//!
//! When an instruction goes whose result records name, they name its operand and what was done to
//! it instead (LLVM calls that salvaging). Sums with constants, products with constants, shifts to
//! the left, negations, complements and extensions are all `scale * extended(x) + offset`, and so
//! is what is composed of them: a record needs no list of operations. Arithmetic is modulo 2^64,
//! of which a variable has the low bits.

use crate::{Function, Inst, Opcode, Value};

/// How the low bits of a value become 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Extend {
    /// As they are: what is above the value's width does not matter.
    #[default]
    Any,
    /// This many bits, then zeros.
    Zero(u8),
    /// This many bits, then copies of the last.
    Sign(u8),
}

/// `scale * extended(x) + offset`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Linear {
    /// What is done first.
    pub extend: Extend,
    /// The factor.
    pub scale: i64,
    /// What is added.
    pub offset: i64,
}

impl Default for Linear {
    fn default() -> Linear {
        Linear::IDENTITY
    }
}

impl Linear {
    /// The value itself.
    pub const IDENTITY: Linear = Linear { extend: Extend::Any, scale: 1, offset: 0 };

    /// `x + offset`.
    pub fn sum(offset: i64) -> Linear {
        Linear { offset, ..Linear::IDENTITY }
    }

    /// `scale * x + offset`.
    pub fn scaled(scale: i64, offset: i64) -> Linear {
        Linear { scale, offset, ..Linear::IDENTITY }
    }

    /// Whether it is the value itself.
    pub fn is_identity(self) -> bool {
        self == Linear::IDENTITY
    }

    /// This function of what `inner` gives, if that is linear.
    pub fn after(self, inner: Linear) -> Option<Linear> {
        let Linear { extend, scale, offset } = self;
        match extend {
            Extend::Any => Some(Linear {
                extend: inner.extend,
                scale: scale.wrapping_mul(inner.scale),
                offset: scale.wrapping_mul(inner.offset).wrapping_add(offset),
            }),
            _ if inner.is_identity() => Some(self),
            Extend::Zero(to) => match inner {
                Linear { extend: Extend::Zero(from), scale: 1, offset: 0 } if from <= to => {
                    Some(Linear { extend: inner.extend, ..self })
                }
                _ => None,
            },
            Extend::Sign(to) => match inner {
                Linear { extend: Extend::Sign(from), scale: 1, offset: 0 } if from <= to => {
                    Some(Linear { extend: inner.extend, ..self })
                }
                Linear { extend: Extend::Zero(from), scale: 1, offset: 0 } if from < to => {
                    Some(Linear { extend: inner.extend, ..self })
                }
                _ => None,
            },
        }
    }

    /// The result for a number.
    pub fn of(self, value: i64) -> i64 {
        let extended = match self.extend {
            Extend::Any => value,
            Extend::Zero(bits) if bits < 64 => value & ((1 << bits) - 1),
            Extend::Sign(bits) if bits < 64 => value << (64 - bits) >> (64 - bits),
            _ => value,
        };
        self.scale.wrapping_mul(extended).wrapping_add(self.offset)
    }
}

impl Function {
    /// The operand of which an instruction's only result is a linear function, and that function.
    pub fn linear_step(&self, inst: Inst) -> Option<(Value, Linear)> {
        let opcode = self.insts[inst].opcode;
        // Conversions that change no low bits are for all types.
        if matches!(opcode, Opcode::Trunc | Opcode::Bitcast | Opcode::PtrToInt | Opcode::IntToPtr) {
            return Some((self.operand(inst, 0), Linear::IDENTITY));
        }
        let narrow = |value: Value| {
            let ty = self.value_type(value);
            (ty.is_int() || ty.is_ptr()) && ty.bits() <= 64
        };
        if !narrow(self.result(inst)?) || self.num_operands(inst) == 0 || !narrow(self.operand(inst, 0)) {
            return None;
        }
        let first = self.operand(inst, 0);
        let bits = self.value_type(first).bits() as u8;
        let second = (self.num_operands(inst) == 2).then(|| self.operand(inst, 1));
        let number = second.and_then(|value| self.const_i64(value));
        let (linear, operand) = match (opcode, number) {
            (Opcode::ZExt, _) => (Linear { extend: Extend::Zero(bits), ..Linear::IDENTITY }, first),
            (Opcode::SExt, _) => (Linear { extend: Extend::Sign(bits), ..Linear::IDENTITY }, first),
            (Opcode::Add | Opcode::PtrAdd, Some(number)) => (Linear::sum(number), first),
            (Opcode::Sub, Some(number)) => (Linear::sum(number.wrapping_neg()), first),
            (Opcode::Sub, None) => (Linear::scaled(-1, self.const_i64(first)?), second?),
            (Opcode::Mul, Some(number)) => (Linear::scaled(number, 0), first),
            (Opcode::Shl, Some(number)) if (0..64).contains(&number) => (Linear::scaled(1 << number, 0), first),
            (Opcode::And, Some(mask)) if mask & mask.wrapping_add(1) == 0 && mask > 0 => {
                (Linear { extend: Extend::Zero(mask.trailing_ones() as u8), ..Linear::IDENTITY }, first)
            }
            (Opcode::Xor, Some(-1)) => (Linear::scaled(-1, -1), first),
            _ => return None,
        };
        Some((operand, linear))
    }
}

#[cfg(test)]
mod tests {
    use super::{Extend, Linear};

    #[test]
    fn compositions_give_what_the_steps_give() {
        let extends = [Extend::Any, Extend::Zero(8), Extend::Sign(8), Extend::Zero(32), Extend::Sign(32)];
        let mut all = Vec::new();
        for extend in extends {
            for (scale, offset) in [(1, 0), (1, -3), (-1, 7), (12, 5), (i64::MIN, i64::MAX)] {
                all.push(Linear { extend, scale, offset });
            }
        }
        let mut composed = 0;
        for outer in &all {
            for inner in &all {
                let Some(both) = outer.after(*inner) else { continue };
                composed += 1;
                for x in [0, 1, -1, 127, 128, 255, 256, 0x7fff_ffff, 0x8000_0000, i64::MAX] {
                    assert_eq!(both.of(x), outer.of(inner.of(x)), "{outer:?} after {inner:?} of {x}");
                }
            }
        }
        assert!(composed > 150);
    }
}
