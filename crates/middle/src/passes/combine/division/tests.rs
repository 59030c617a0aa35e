//! Tests of the module above.

use super::*;

/// Pseudo-random numbers (Marsaglia's xorshift).
fn generator(mut seed: u64) -> impl FnMut() -> u64 {
    move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    }
}

/// Evaluates the multiplication sequences on edge and pseudo-random dividends.
#[test]
fn multipliers_divide_exactly() {
    let mut random = generator(0x1234_5678_9abc_def1);
    for round in 0..3000 {
        for bits in [32u32, 64] {
            let mask = (1u128 << bits) - 1;
            let d = if round < 600 { round + 3 } else { (random() as u128 & mask) >> (random() % (bits as u64 - 2)) };
            let d = d.max(3) & mask;
            let mut dividends = vec![0, 1, d - 1, d, d + 1, mask, mask - 1, mask >> 1, (mask >> 1) + 1, d * 2 - 1];
            dividends.extend((0..20).map(|_| random() as u128 & mask));
            dividends.extend((0..5).map(|_| ((random() as u128 & mask) / d * d).wrapping_sub(1) & mask));
            check_unsigned(bits, d, &dividends);
            check_signed(bits, d, &dividends);
        }
    }
}

/// All divisors of 8 and 16 bits. The sequences are monotone in the dividend (products, halves,
/// sums and shifts are), so they are exact if they are around every multiple of the divisor.
#[test]
fn all_narrow_divisors_divide_exactly() {
    for d in 3..256u128 {
        let all: Vec<u128> = (0..256).collect();
        check_unsigned(8, d, &all);
        check_signed(8, d, &all);
    }
    for d in 3..65536u128 {
        let mut dividends = vec![0, 0x7fff, 0x8000, 0xffff];
        for multiple in (d..65536).step_by(d as usize) {
            dividends.extend([multiple - 1, multiple]);
        }
        check_unsigned(16, d, &dividends);
        let negative: Vec<u128> = dividends.iter().map(|n| n.wrapping_neg()).collect();
        check_signed(16, d, &dividends);
        check_signed(16, d, &negative);
    }
}

#[test]
fn odd_numbers_have_inverses() {
    let mut random = generator(0x2545_f491_4f6c_dd1d);
    for _ in 0..1000 {
        let odd = (u128::from(random()) << 64 | u128::from(random())) | 1;
        assert_eq!(odd.wrapping_mul(inverse(odd)), 1, "{odd:#x}");
    }
}

/// Upper half of a product of 256 bits.
fn wide_high(a: u128, b: u128) -> u128 {
    let (a1, a0, b1, b0) = (a >> 64, a as u64 as u128, b >> 64, b as u64 as u128);
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let other = a0 * b1 + (middle as u64 as u128);
    a1 * b1 + (middle >> 64) + (other >> 64)
}

/// As [`wide_quotient`] computes.
fn wide(n: u128, d: u64, halved: bool) -> u128 {
    let zeros = d.trailing_zeros();
    if zeros > 0 {
        return wide(n >> zeros, d >> zeros, true);
    }
    let WideMultiplier { multiplier, post, exact, doubled } = wide_multiplier(d);
    if exact || halved {
        return wide_high(n, multiplier) >> post;
    }
    let high = wide_high(n, doubled);
    (((n - high) >> 1) + high) >> post
}

#[test]
fn wide_multipliers_divide_exactly() {
    let mut random = generator(0x9876_5432_1abc_def1);
    for round in 0..6000u64 {
        let d = match round {
            0..2000 => round + 3,
            2000..2064 => u64::MAX - (round - 2000),
            2064..2184 => (1 << (2 + (round - 2064) / 2)) + 2 * ((round - 2064) % 2) - 1,
            _ => random() >> (random() % 62),
        };
        let d = d.max(3);
        if d.is_power_of_two() {
            continue;
        }
        let wide_d = u128::from(d);
        let top = u128::MAX / wide_d * wide_d;
        let half = (1u128 << 127) / wide_d * wide_d;
        let mut dividends = vec![0, 1, wide_d - 1, wide_d, wide_d + 1, u128::MAX, top, top - 1, half, half - 1];
        dividends.extend([1 << 127, (1 << 127) - 1, 1 << 64, (1 << 64) - 1]);
        for _ in 0..20 {
            let n = (u128::from(random()) << 64 | u128::from(random())) >> (random() % 128);
            dividends.extend([n, n / wide_d * wide_d, (n / wide_d * wide_d).wrapping_sub(1)]);
        }
        for n in dividends {
            assert_eq!(wide(n, d, false), n / wide_d, "{n} / {d}");
            if n <= 1 << 127 {
                assert_eq!(wide(n, d, true), n / wide_d, "{n} / {d}");
            }
        }
    }
}

fn high(a: u128, b: u128, bits: u32) -> u128 {
    // Both fit 64 bits, so the product fits 128.
    (a * b) >> bits
}

fn check_unsigned(bits: u32, d: u128, dividends: &[u128]) {
    if d.is_power_of_two() {
        return;
    }
    let mask = (1u128 << bits) - 1;
    let l = 128 - (d - 1).leading_zeros();
    for &n in dividends {
        let n = n & mask;
        let got = if let Some((m, post)) = short_multiplier(bits, d, l) {
            high(n, m, bits) >> post
        } else if d.is_multiple_of(2) {
            let zeros = d.trailing_zeros();
            let odd = d >> zeros;
            let (m, post) = multiplier_for(bits, odd, 128 - (odd - 1).leading_zeros(), bits - zeros);
            assert!(m >> bits == 0, "{bits} {d}");
            high(n >> zeros, m, bits) >> post
        } else {
            let m = (((1u128 << l) - d) << bits) / d + 1;
            let t = high(n, m & mask, bits);
            ((((n - t) & mask) >> 1) + t) >> (l - 1)
        };
        assert_eq!(got, n / d, "{bits}: {n} / {d}");
    }
}

fn check_signed(bits: u32, d: u128, dividends: &[u128]) {
    let d = d & ((1u128 << (bits - 1)) - 1);
    if d < 3 || d.is_power_of_two() {
        return;
    }
    let (m, post) = signed_multiplier(bits, d);
    let signed = |x: u128| ((x << (128 - bits)) as i128) >> (128 - bits);
    for &n in dividends {
        let n = signed(n);
        let mut h = (n * signed(m)) >> bits;
        if m >> (bits - 1) & 1 == 1 {
            h += n;
        }
        let got = (h >> post) + (n < 0) as i128;
        assert_eq!(got, n / d as i128, "{bits}: {n} / {d}");
    }
}
