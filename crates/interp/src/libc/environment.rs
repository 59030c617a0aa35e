//! `<fenv.h>`: the rounding mode, which arithmetic on `float` and `double` obeys, and the exception
//! for division by zero.

use ir::{Opcode, Type};
use rustc_apfloat::ieee::{Double, Single};
use rustc_apfloat::{Float, Round};

use super::Args;
use crate::Trap;
use crate::eval::{self, Bits};
use crate::machine::Floating;

/// `FE_DIVBYZERO`
const DIVISION_BY_ZERO: u32 = 4;

impl Floating {
    fn round(&self) -> Round {
        match self.mode {
            0x400 => Round::TowardNegative,
            0x800 => Round::TowardPositive,
            0xc00 => Round::TowardZero,
            _ => Round::NearestTiesToEven,
        }
    }

    /// Calls the function if the environment decides its result.
    pub fn call(&mut self, name: &str, args: &Args<'_>) -> Option<u128> {
        let which = args.bits(0) as u32;
        Some(match name {
            "fegetround" => self.mode as u128,
            "fesetround" if which & !0xc00 != 0 => 1,
            "fesetround" => {
                self.mode = which;
                0
            }
            "feclearexcept" => {
                self.exceptions.set(self.exceptions.get() & !which);
                0
            }
            "fetestexcept" => (self.exceptions.get() & which) as u128,
            "rint" | "nearbyint" => self.to_integral(Type::F64, args.bits(0)),
            "rintf" | "nearbyintf" => self.to_integral(Type::F32, args.bits(0)),
            "lrint" | "llrint" => {
                f64::from_bits(self.to_integral(Type::F64, args.bits(0)) as u64) as i64 as u64 as u128
            }
            _ => return None,
        })
    }

    /// `rint` of a float or double.
    pub fn to_integral(&self, ty: Type, bits: u128) -> u128 {
        match ty {
            Type::F32 => Single::from_bits(bits).round_to_integral(self.round()).value.to_bits(),
            _ => Double::from_bits(bits).round_to_integral(self.round()).value.to_bits(),
        }
    }

    /// A sum, difference, product or quotient of floats or doubles in the mode that is set.
    ///
    /// # Errors
    /// As [`eval::binary`].
    pub fn arithmetic(&self, opcode: Opcode, ty: Type, a: u128, b: u128) -> Result<u128, Trap> {
        let magnitude = ty.mask() >> 1;
        if opcode == Opcode::FDiv && b & magnitude == 0 && a & magnitude != 0 {
            self.exceptions.set(self.exceptions.get() | DIVISION_BY_ZERO);
        }
        if self.mode == 0 {
            return Ok(eval::binary(opcode, 0, ty, &Bits::Scalar(a), &Bits::Scalar(b))?.scalar());
        }
        Ok(match ty {
            Type::F32 => directed::<Single>(opcode, a, b, self.round()),
            _ => directed::<Double>(opcode, a, b, self.round()),
        })
    }
}

fn directed<F: Float>(opcode: Opcode, a: u128, b: u128, round: Round) -> u128 {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    let result = match opcode {
        Opcode::FAdd => x.add_r(y, round),
        Opcode::FSub => x.sub_r(y, round),
        Opcode::FMul => x.mul_r(y, round),
        _ => x.div_r(y, round),
    };
    result.value.to_bits()
}
