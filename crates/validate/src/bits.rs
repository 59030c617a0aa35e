//! Construction of bitwise terms, shifts, conversions and divisions.

use crate::term::{Arena, BOOL, Op, Term, mask, signed};

/// Two-operand operations that fold by [`ir::fold`].
const FOLDED: &[(Op, ir::Opcode)] = &[
    (Op::UDiv, ir::Opcode::UDiv),
    (Op::URem, ir::Opcode::URem),
    (Op::SDiv, ir::Opcode::SDiv),
    (Op::SRem, ir::Opcode::SRem),
    (Op::And, ir::Opcode::And),
    (Op::Or, ir::Opcode::Or),
    (Op::Xor, ir::Opcode::Xor),
    (Op::Shl, ir::Opcode::Shl),
    (Op::LShr, ir::Opcode::LShr),
    (Op::AShr, ir::Opcode::AShr),
    (Op::Rotl, ir::Opcode::Rotl),
    (Op::High(true), ir::Opcode::SMulHi),
    (Op::High(false), ir::Opcode::UMulHi),
];

impl Arena {
    /// A two-operand operation on bits.
    pub fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (x, y) = (self.value(a), self.value(b));
        if let (Some(x), Some(y)) = (x, y)
            && let Some((_, opcode)) = FOLDED.iter().find(|f| f.0 == op)
            && let Some(ty) = ir::Type::int(width)
            && let Some(value) = ir::fold::binary(*opcode, ty, x, y)
        {
            return self.number(value, width);
        }
        let commutes = matches!(op, Op::And | Op::Or | Op::Xor | Op::High(_));
        let (a, b) = if commutes && (x.is_some() || y.is_none() && b < a) { (b, a) } else { (a, b) };
        let ones = mask(width);
        match (&op, self.value(b)) {
            (Op::And, Some(0)) | (Op::Or | Op::Xor | Op::Shl | Op::LShr | Op::AShr | Op::Rotl, Some(0)) => {
                return if op == Op::And { b } else { a };
            }
            (Op::And, Some(value)) if value == ones => return a,
            (Op::Or, Some(value)) if value == ones => return b,
            (Op::Xor, Some(value)) if value == ones => {
                // ~a = -a - 1
                let all = self.number(ones, width);
                return self.sub(all, a);
            }
            (Op::And, Some(value)) if (value + 1).is_power_of_two() => {
                let low = self.extract(a, 0, value.trailing_ones());
                return self.zext(low, width);
            }
            (Op::And | Op::Or | Op::Xor, Some(value)) => {
                // (x op c) op d
                if self.node(a).op == op
                    && let Some(inner) = self.value(self.node(a).args[1])
                {
                    let both = match op {
                        Op::And => inner & value,
                        Op::Or => inner | value,
                        _ => inner ^ value,
                    };
                    let (x, both) = (self.node(a).args[0], self.number(both, width));
                    return self.binary(op, x, both);
                }
            }
            (Op::UDiv | Op::SDiv, Some(1)) => return a,
            (Op::URem | Op::SRem, Some(1)) => return self.number(0, width),
            (Op::UDiv, Some(value)) if value.is_power_of_two() => {
                let by = self.number(value.trailing_zeros().into(), width);
                return self.binary(Op::LShr, a, by);
            }
            (Op::URem, Some(value)) if value.is_power_of_two() => {
                let bits = self.number(value - 1, width);
                return self.binary(Op::And, a, bits);
            }
            (Op::Shl, Some(by)) if by < width.into() => {
                let times = self.number(1 << by, width);
                return self.mul(a, times);
            }
            (Op::LShr, Some(by)) if by < width.into() => {
                let high = self.extract(a, by as u32, width - by as u32);
                return self.zext(high, width);
            }
            (Op::AShr, Some(by)) if by < width.into() => {
                let high = self.extract(a, by as u32, width - by as u32);
                return self.sext(high, width);
            }
            _ => {}
        }
        if a == b {
            match op {
                Op::And | Op::Or => return a,
                Op::Xor => return self.number(0, width),
                _ => {}
            }
        }
        self.raw(op, &[a, b], width)
    }

    /// A truth value as bits.
    pub fn bits_of(&mut self, a: Term, width: u32) -> Term {
        let (one, zero) = (self.number(1, width), self.number(0, width));
        self.ite(a, one, zero)
    }

    /// Zero extension, or the same.
    pub fn zext(&mut self, a: Term, width: u32) -> Term {
        let from = self.width(a);
        if from == BOOL {
            return self.bits_of(a, width);
        }
        if from == width {
            return a;
        }
        if let Some(value) = self.value(a) {
            return self.number(value, width);
        }
        match self.node(a).op {
            Op::ZExt => {
                let inner = self.node(a).args[0];
                self.zext(inner, width)
            }
            _ => self.raw(Op::ZExt, &[a], width),
        }
    }

    /// Sign extension, or the same.
    pub fn sext(&mut self, a: Term, width: u32) -> Term {
        let from = self.width(a);
        if from == BOOL {
            let (ones, zero) = (self.number(mask(width), width), self.number(0, width));
            return self.ite(a, ones, zero);
        }
        if from == width {
            return a;
        }
        if let Some(value) = self.value(a) {
            return self.number(signed(value, from) as u128, width);
        }
        let node = self.node(a).clone();
        match node.op {
            Op::ZExt => self.zext(node.args[0], width),
            Op::SExt => self.sext(node.args[0], width),
            _ => self.raw(Op::SExt, &[a], width),
        }
    }

    /// `width` bits from bit `low` on.
    pub fn extract(&mut self, a: Term, low: u32, width: u32) -> Term {
        let from = self.width(a);
        if low == 0 && width == from {
            return a;
        }
        if let Some(value) = self.value(a) {
            return self.number(value >> low, width);
        }
        let key = (a, low, width);
        if let Some(&known) = self.extracts.get(&key) {
            return known;
        }
        let term = self.part(a, low, width);
        self.extracts.insert(key, term);
        term
    }

    fn part(&mut self, a: Term, low: u32, width: u32) -> Term {
        let node = self.node(a).clone();
        match node.op {
            Op::Extract(start) => self.extract(node.args[0], start + low, width),
            Op::Concat => {
                let split = self.width(node.args[1]);
                if low >= split {
                    return self.extract(node.args[0], low - split, width);
                }
                if low + width <= split {
                    return self.extract(node.args[1], low, width);
                }
                let lower = self.extract(node.args[1], low, split - low);
                let upper = self.extract(node.args[0], 0, low + width - split);
                self.concat(upper, lower)
            }
            Op::ZExt | Op::SExt => {
                let inner = self.width(node.args[0]);
                if low + width <= inner {
                    return self.extract(node.args[0], low, width);
                }
                if node.op == Op::ZExt {
                    if low >= inner {
                        return self.number(0, width);
                    }
                    let part = self.extract(node.args[0], low, inner - low);
                    return self.zext(part, width);
                }
                if low < inner {
                    let part = self.extract(node.args[0], low, inner - low);
                    return self.sext(part, width);
                }
                self.raw(Op::Extract(low), &[a], width)
            }
            Op::Sum(coefficients, constant) if low == 0 => {
                let mut sum = self.number(constant, width);
                for (&arg, &coefficient) in node.args.iter().zip(coefficients.iter()) {
                    let (part, times) = (self.extract(arg, 0, width), self.number(coefficient, width));
                    let product = self.mul(part, times);
                    sum = self.add(sum, product);
                }
                sum
            }
            Op::PtrAdd if low == 0 => {
                let (x, y) = (self.extract(node.args[0], 0, width), self.extract(node.args[1], 0, width));
                self.add(x, y)
            }
            Op::Mul if low == 0 => {
                let (x, y) = (self.extract(node.args[0], 0, width), self.extract(node.args[1], 0, width));
                self.mul(x, y)
            }
            Op::And | Op::Or | Op::Xor => {
                let (x, y) = (self.extract(node.args[0], low, width), self.extract(node.args[1], low, width));
                self.binary(node.op, x, y)
            }
            Op::Ite => {
                let (x, y) = (self.extract(node.args[1], low, width), self.extract(node.args[2], low, width));
                self.ite(node.args[0], x, y)
            }
            _ => self.raw(Op::Extract(low), &[a], width),
        }
    }

    pub(crate) fn join(&mut self, high: Term, low: Term) -> Term {
        let (upper, lower) = (self.width(high), self.width(low));
        let width = upper + lower;
        if let (Some(x), Some(y)) = (self.value(high), self.value(low)) {
            return self.number(x << lower | y, width);
        }
        if self.value(high) == Some(0) {
            return self.zext(low, width);
        }
        let (x, y) = (self.node(high).clone(), self.node(low).clone());
        match (&x.op, &y.op) {
            // Neighbouring parts of one value.
            (&Op::Extract(a), &Op::Extract(b)) if x.args == y.args && a == b + lower => {
                return self.extract(x.args[0], b, width);
            }
            (&Op::Extract(a), _) if a == lower && x.args[0] == low => return self.extract(low, 0, width),
            (&Op::Extract(a), _) if a == lower && self.extract(x.args[0], 0, lower) == low => {
                return self.extract(x.args[0], 0, width);
            }
            (Op::Ite, Op::Ite) if x.args[0] == y.args[0] => {
                let (a, b) = (self.concat(x.args[1], y.args[1]), self.concat(x.args[2], y.args[2]));
                return self.ite(x.args[0], a, b);
            }
            (Op::ZExt, _) => {
                let inner = self.concat(x.args[0], low);
                return self.zext(inner, width);
            }
            (Op::SExt, _) => {
                let inner = self.concat(x.args[0], low);
                return self.sext(inner, width);
            }
            (_, Op::Concat) => {
                // To the left, so that neighbours meet.
                let upper = self.concat(high, y.args[0]);
                return match self.node(upper).op {
                    Op::Concat => self.raw(Op::Concat, &[upper, y.args[1]], width),
                    _ => self.concat(upper, y.args[1]),
                };
            }
            _ => {}
        }
        self.raw(Op::Concat, &[high, low], width)
    }
}
