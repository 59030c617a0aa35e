//! Folding against definitions that are computed otherwise.

use ir::{Opcode, Type, fold};

/// The product of 256 bits by digits of 32: its upper half.
fn upper_half(a: u128, b: u128) -> u128 {
    let digit = |n: u128, at: usize| n >> (32 * at) & 0xffff_ffff;
    let mut digits = [0u128; 9];
    for i in 0..4 {
        for j in 0..4 {
            let product = digit(a, i) * digit(b, j);
            digits[i + j] += product & 0xffff_ffff;
            digits[i + j + 1] += product >> 32;
        }
    }
    for at in 0..8 {
        digits[at + 1] += digits[at] >> 32;
        digits[at] &= 0xffff_ffff;
    }
    (4..8).map(|at| digits[at] << (32 * (at - 4))).sum()
}

#[test]
fn upper_halves_of_products_are_exact() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut numbers = vec![0, 1, 2, u128::MAX, u128::MAX - 1, 1 << 127, (1 << 127) - 1, 1 << 64, (1 << 64) - 1];
    numbers.extend((0..60).map(|_| (u128::from(random()) << 64 | u128::from(random())) >> (random() % 128)));
    for &a in &numbers {
        for &b in &numbers {
            let unsigned = upper_half(a, b);
            assert_eq!(fold::binary(Opcode::UMulHi, Type::I128, a, b), Some(unsigned), "{a:x} {b:x}");
            // A negative number is its bits less 2^128.
            let less = |x: u128, y: u128| if x >> 127 == 1 { y } else { 0 };
            let signed = unsigned.wrapping_sub(less(a, b)).wrapping_sub(less(b, a));
            assert_eq!(fold::binary(Opcode::SMulHi, Type::I128, a, b), Some(signed), "{a:x} {b:x}");
        }
    }
}

#[test]
fn upper_halves_of_bytes_are_exact() {
    for a in 0..256u128 {
        for b in 0..256u128 {
            let signed = (i32::from(a as i8) * i32::from(b as i8)) >> 8;
            assert_eq!(fold::binary(Opcode::UMulHi, Type::I8, a, b), Some((a * b) >> 8));
            assert_eq!(fold::binary(Opcode::SMulHi, Type::I8, a, b), Some(signed as u8 as u128));
        }
    }
}

#[test]
fn extended_numbers_keep_their_value() {
    let folded = |x: f64| fold::unary(Opcode::FpExt, Type::F64, Type::F80, u128::from(x.to_bits()));
    // Sign and exponent, significand with its first bit.
    let expected = |head: u128, significand: u128| Some(head << 64 | significand);
    assert_eq!(folded(0.0), expected(0, 0));
    assert_eq!(folded(-0.0), expected(0x8000, 0));
    assert_eq!(folded(1.0), expected(0x3fff, 1 << 63));
    assert_eq!(folded(-2.5), expected(0xc000, 5 << 61));
    assert_eq!(folded(f64::INFINITY), expected(0x7fff, 1 << 63));
    assert_eq!(folded(f64::MAX), expected(0x3fff + 1023, ((1 << 53) - 1) << 11));
    // The least number is 2^-1074, the largest below the normal ones 2^-1022 less that.
    assert_eq!(folded(f64::from_bits(1)), expected(0x3fff - 1074, 1 << 63));
    assert_eq!(folded(f64::from_bits((1 << 52) - 1)), expected(0x3fff - 1023, ((1 << 52) - 1) << 12));
    assert_eq!(folded(f64::NAN), None);
    let single = fold::unary(Opcode::FpExt, Type::F32, Type::F80, u128::from(1.5f32.to_bits()));
    assert_eq!(single, expected(0x3fff, 3 << 62));
}
