//! Floating-point operations: signs and comparisons are exact on the bits, constants fold, the rest
//! are functions of which nothing else is known.

use ir::{FloatCc, Opcode, Type};

use crate::term::{Arena, Op, Term, UfKind, mask};

/// Where the bits of an IEEE format are: width, fraction bits.
fn format(ty: Type) -> Option<(u32, u32)> {
    Some(match ty {
        Type::F16 => (16, 10),
        Type::F32 => (32, 23),
        Type::F64 => (64, 52),
        Type::F128 => (128, 112),
        _ => return None,
    })
}

impl Arena {
    /// An operation of which nothing is known but that it is a function.
    pub fn opaque(&mut self, name: &str, args: &[Term], width: u32) -> Term {
        self.call(UfKind::Operation, name, args, width)
    }

    fn is_nan(&mut self, ty: Type, a: Term) -> Term {
        let Some((width, fraction)) = format(ty) else { return self.opaque(&format!("nan_{ty}"), &[a], 0) };
        let magnitude = self.extract(a, 0, width - 1);
        let infinity = self.number(mask(width - 1) >> fraction << fraction, width - 1);
        self.ult(infinity, magnitude)
    }

    fn both_zero(&mut self, a: Term, b: Term, width: u32) -> Term {
        let (x, y) = (self.extract(a, 0, width - 1), self.extract(b, 0, width - 1));
        let zero = self.number(0, width - 1);
        let (x, y) = (self.eq(x, zero), self.eq(y, zero));
        self.and(x, y)
    }

    /// Equal or less than, of numbers that are no NaN.
    fn float_order(&mut self, ty: Type, a: Term, b: Term) -> (Term, Term) {
        let Some((width, _)) = format(ty) else {
            let (x, y) = if a < b { (a, b) } else { (b, a) };
            let equal = self.opaque(&format!("feq_{ty}"), &[x, y], 0);
            return (equal, self.opaque(&format!("flt_{ty}"), &[a, b], 0));
        };
        let (same, zeros) = (self.eq(a, b), self.both_zero(a, b, width));
        let equal = self.or(same, zeros);
        let zero = self.number(0, width);
        let (negative_a, negative_b) = (self.slt(a, zero), self.slt(b, zero));
        let (below, above) = (self.ult(a, b), self.ult(b, a));
        // Of two negative numbers the one of the larger magnitude is less.
        let always = self.truth(true);
        let negative = self.ite(negative_b, above, always);
        let not_b = self.not(negative_b);
        let positive = self.and(not_b, below);
        let less = self.ite(negative_a, negative, positive);
        let not_zeros = self.not(zeros);
        (equal, self.and(less, not_zeros))
    }

    /// A floating-point comparison.
    pub fn fcmp(&mut self, cc: FloatCc, ty: Type, a: Term, b: Term) -> Term {
        if let (Some(x), Some(y)) = (self.value(a), self.value(b))
            && let Some(holds) = ir::fold::fcmp(cc, ty, x, y)
        {
            return self.truth(holds);
        }
        use FloatCc::*;
        // The inverse has the other answer for NaN.
        if matches!(cc, Une | Uge | Ugt | Ule | Ult | Ueq | Uno) {
            let inverse = self.fcmp(cc.inverse(), ty, a, b);
            return self.not(inverse);
        }
        let (nan_a, nan_b) = (self.is_nan(ty, a), self.is_nan(ty, b));
        let unordered = self.or(nan_a, nan_b);
        let ordered = self.not(unordered);
        let (equal, less) = self.float_order(ty, a, b);
        let holds = match cc {
            Oeq => equal,
            Olt => less,
            Ole => self.or(less, equal),
            Ogt => self.float_order(ty, b, a).1,
            Oge => {
                let greater = self.float_order(ty, b, a).1;
                self.or(greater, equal)
            }
            One => self.not(equal),
            _ => self.truth(true),
        };
        self.and(ordered, holds)
    }

    /// A two-operand operation of floats.
    pub fn float_binary(&mut self, opcode: Opcode, ty: Type, a: Term, b: Term) -> Term {
        let width = ty.bits();
        if let (Some(x), Some(y)) = (self.value(a), self.value(b))
            && let Some(value) = ir::fold::binary(opcode, ty, x, y)
        {
            return self.number(value, width);
        }
        let swapped = opcode.is_commutative() && b < a;
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        match opcode {
            Opcode::FMin => {
                let less = self.fcmp(FloatCc::Olt, ty, a, b);
                self.ite(less, a, b)
            }
            Opcode::FMax => {
                let greater = self.fcmp(FloatCc::Ogt, ty, a, b);
                self.ite(greater, a, b)
            }
            Opcode::CopySign => {
                let (magnitude, sign) = (self.extract(a, 0, width - 1), self.extract(b, width - 1, 1));
                self.concat(sign, magnitude)
            }
            _ => self.opaque(&format!("{}_{ty}", opcode.name()), &[a, b], width),
        }
    }

    /// A one-operand operation or conversion that has floats on one side.
    pub fn float_unary(&mut self, opcode: Opcode, from: Type, to: Type, a: Term) -> Term {
        let width = to.bits();
        if let Some(x) = self.value(a)
            && let Some(value) = ir::fold::unary(opcode, from, to, x)
        {
            return self.number(value, width);
        }
        match opcode {
            Opcode::FNeg => {
                let sign = self.number(1 << (width - 1), width);
                self.binary(Op::Xor, a, sign)
            }
            Opcode::FAbs => {
                let rest = self.number(mask(width - 1), width);
                self.binary(Op::And, a, rest)
            }
            // The number that is converted decides, whatever type it had.
            Opcode::SiToFp => {
                let wide = self.sext(a, 128);
                self.opaque(&format!("from_int_{to}"), &[wide], width)
            }
            Opcode::UiToFp if from != Type::I128 => {
                let wide = self.zext(a, 128);
                self.opaque(&format!("from_int_{to}"), &[wide], width)
            }
            _ => self.opaque(&format!("{}_{from}_{to}", opcode.name()), &[a], width),
        }
    }
}
