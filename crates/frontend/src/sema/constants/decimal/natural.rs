//! Natural numbers of any size: what exact decimal arithmetic needs before it rounds.
//!
//! Little-endian limbs of 32 bits without leading zeros; zero has none. Schoolbook multiplication,
//! and Knuth's algorithm D (The Art of Computer Programming 4.3.1) for division. The largest
//! numbers come from binary128's least exponent: some 40,000 bits.

use std::cmp::Ordering;

/// A natural number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Natural(Vec<u32>);

impl From<u128> for Natural {
    fn from(mut value: u128) -> Natural {
        let mut limbs = Vec::with_capacity(4);
        while value != 0 {
            limbs.push(value as u32);
            value >>= 32;
        }
        Natural(limbs)
    }
}

impl Natural {
    /// The value, if it has at most 128 bits.
    pub fn to_u128(&self) -> Option<u128> {
        (self.0.len() <= 4).then(|| self.0.iter().rev().fold(0, |value, &limb| value << 32 | u128::from(limb)))
    }

    /// It is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn trim(mut self) -> Natural {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    fn bits(&self) -> u32 {
        self.0.last().map_or(0, |top| self.0.len() as u32 * 32 - top.leading_zeros())
    }

    /// Number of decimal digits; 0 for zero.
    pub fn digits(&self) -> u32 {
        if self.is_zero() {
            return 0;
        }
        // 10^floor((bits - 1) * log10 2) is at most the number; the next power decides.
        let below = (f64::from(self.bits() - 1) * std::f64::consts::LOG10_2) as u32;
        let mut digits = below.max(1);
        while self.compare(&Natural::power_of_ten(digits)) != Ordering::Less {
            digits += 1;
        }
        digits
    }

    /// The order of two numbers.
    pub fn compare(&self, other: &Natural) -> Ordering {
        let by_length = self.0.len().cmp(&other.0.len());
        by_length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// `base` to the power of `exponent`, for a base of one limb.
    pub fn power(base: u32, exponent: u32) -> Natural {
        let mut result = Natural::from(1);
        let mut square = Natural::from(u128::from(base));
        let mut left = exponent;
        while left != 0 {
            if left & 1 != 0 {
                result = result.times(&square);
            }
            left >>= 1;
            if left != 0 {
                square = square.times(&square);
            }
        }
        result
    }

    /// 10 to the power of `exponent`.
    pub fn power_of_ten(exponent: u32) -> Natural {
        match 10u128.checked_pow(exponent) {
            Some(value) => Natural::from(value),
            None => Natural::power(10, exponent),
        }
    }

    /// The product.
    pub fn times(&self, other: &Natural) -> Natural {
        let mut out = vec![0u32; self.0.len() + other.0.len()];
        for (i, &a) in self.0.iter().enumerate() {
            let mut carry = 0u64;
            for (j, &b) in other.0.iter().enumerate() {
                let wide = u64::from(a) * u64::from(b) + u64::from(out[i + j]) + carry;
                out[i + j] = wide as u32;
                carry = wide >> 32;
            }
            out[i + other.0.len()] = carry as u32;
        }
        Natural(out).trim()
    }

    /// The sum.
    pub fn plus(&self, other: &Natural) -> Natural {
        let (long, short) = if self.0.len() >= other.0.len() { (self, other) } else { (other, self) };
        let mut out = Vec::with_capacity(long.0.len() + 1);
        let mut carry = 0u64;
        for (i, &a) in long.0.iter().enumerate() {
            let wide = u64::from(a) + u64::from(short.0.get(i).copied().unwrap_or(0)) + carry;
            out.push(wide as u32);
            carry = wide >> 32;
        }
        out.push(carry as u32);
        Natural(out).trim()
    }

    /// The difference; `other` is at most `self`.
    pub fn minus(&self, other: &Natural) -> Natural {
        let mut out = Vec::with_capacity(self.0.len());
        let mut borrow = 0i64;
        for (i, &a) in self.0.iter().enumerate() {
            let wide = i64::from(a) - i64::from(other.0.get(i).copied().unwrap_or(0)) - borrow;
            out.push(wide as u32);
            borrow = i64::from(wide < 0);
        }
        Natural(out).trim()
    }

    /// `self << count`
    pub fn shifted_left(&self, count: u32) -> Natural {
        let mut out = vec![0u32; count as usize / 32];
        let bits = count % 32;
        let mut carry = 0u32;
        for &limb in &self.0 {
            out.push(limb << bits | carry);
            carry = if bits == 0 { 0 } else { limb >> (32 - bits) };
        }
        out.push(carry);
        Natural(out).trim()
    }

    fn shifted_right_below_limb(mut self, bits: u32) -> Natural {
        if bits != 0 {
            let mut high = 0u32;
            for limb in self.0.iter_mut().rev() {
                let low = *limb;
                *limb = low >> bits | high;
                high = low << (32 - bits);
            }
        }
        self.trim()
    }

    fn divide_by_limb(&self, divisor: u32) -> (Natural, Natural) {
        let mut rest = 0u64;
        let mut out = vec![0u32; self.0.len()];
        for (i, &limb) in self.0.iter().enumerate().rev() {
            let wide = rest << 32 | u64::from(limb);
            out[i] = (wide / u64::from(divisor)) as u32;
            rest = wide % u64::from(divisor);
        }
        (Natural(out).trim(), Natural::from(u128::from(rest)))
    }

    /// Quotient and remainder; the divisor is not 0.
    pub fn divide(&self, divisor: &Natural) -> (Natural, Natural) {
        if self.compare(divisor) == Ordering::Less {
            return (Natural::default(), self.clone());
        }
        if let [single] = divisor.0[..] {
            return self.divide_by_limb(single);
        }
        // Normalised: the divisor's top bit is set, so that a digit is estimated at most two too
        // large.
        let shift = divisor.0.last().map_or(0, |top| top.leading_zeros());
        let v = divisor.shifted_left(shift).0;
        let mut u = self.shifted_left(shift).0;
        u.resize(self.0.len() + 1, 0);
        let n = v.len();
        let mut quotient = vec![0u32; u.len() - n];
        for j in (0..quotient.len()).rev() {
            let top = u64::from(u[j + n]) << 32 | u64::from(u[j + n - 1]);
            let mut digit = top / u64::from(v[n - 1]);
            let mut rest = top % u64::from(v[n - 1]);
            while digit >> 32 != 0 || digit * u64::from(v[n - 2]) > (rest << 32 | u64::from(u[j + n - 2])) {
                digit -= 1;
                rest += u64::from(v[n - 1]);
                if rest >> 32 != 0 {
                    break;
                }
            }
            let (mut carry, mut borrow) = (0u64, 0i64);
            for i in 0..n {
                let product = digit * u64::from(v[i]) + carry;
                carry = product >> 32;
                let wide = i64::from(u[i + j]) - i64::from(product as u32) - borrow;
                u[i + j] = wide as u32;
                borrow = i64::from(wide < 0);
            }
            let wide = i64::from(u[j + n]) - carry as i64 - borrow;
            u[j + n] = wide as u32;
            if wide < 0 {
                digit -= 1;
                let mut carry = 0u64;
                for i in 0..n {
                    let wide = u64::from(u[i + j]) + u64::from(v[i]) + carry;
                    u[i + j] = wide as u32;
                    carry = wide >> 32;
                }
                u[j + n] = u[j + n].wrapping_add(carry as u32);
            }
            quotient[j] = digit as u32;
        }
        u.truncate(n);
        (Natural(quotient).trim(), Natural(u).trim().shifted_right_below_limb(shift))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_undoes_multiplication() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as u32
        };
        for round in 0..2000 {
            let mut number = |limbs: u32| {
                // Runs of ones and zeros reach the corrections of the estimate.
                let limb = |v: u32| match v % 3 {
                    0 => 0,
                    1 => u32::MAX,
                    _ => v,
                };
                Natural((0..limbs).map(|_| limb(next())).collect()).trim()
            };
            let (a, b) = (number(1 + round % 9), number(1 + round % 5).plus(&Natural::from(1)));
            let (q, r) = a.divide(&b);
            assert_eq!(r.compare(&b), Ordering::Less);
            assert_eq!(q.times(&b).plus(&r), a);
        }
    }

    #[test]
    fn counts_digits() {
        for n in 0..60 {
            let power = Natural::power_of_ten(n);
            assert_eq!(power.digits(), n + 1);
            assert_eq!(power.minus(&Natural::from(1)).digits(), n);
        }
    }
}
