//! Constants by hand: what gcc's library computes for the same operands.

use super::*;
use DecimalFormat::{D32, D64, D128};

fn d64(text: &str) -> u128 {
    match text.strip_prefix('-') {
        Some(rest) => parse(rest, D64).unwrap() | 1 << 63,
        None => parse(text, D64).unwrap(),
    }
}

#[test]
fn keeps_the_exponent_of_the_text() {
    assert_eq!(parse("1.00", D64), Some(((398 - 2) << 53) | 100));
    assert_eq!(parse("0e-398", D64), Some(0));
    assert_eq!(parse("0e-999999999999999999999", D64), Some(0));
    assert_eq!(parse("9.999999e96", D32), Some(0x77f8_967f));
    assert_eq!(parse("1e97", D32), Some(infinity(D32)));
    assert_eq!(parse("1e90", D32), Some((191 << 23) | 1));
    assert_eq!(parse("1e92", D32), Some((191 << 23) | 100));
    assert_eq!(parse("12345675", D32), parse("1234568e1", D32));
    assert_eq!(parse("12345665", D32), parse("1234566e1", D32));
    assert_eq!(parse("12345665.00000000000000000000000000000000000000000000001", D32), parse("1234567e1", D32));
    assert_eq!(parse("5e-102", D32), Some(0));
    assert_eq!(parse("15e-102", D32), Some(2));
    for malformed in ["0x1p3", "1e", "", ".", "1.2.3", "1e5x"] {
        assert_eq!(parse(malformed, D128), None, "{malformed}");
    }
}

#[test]
fn arithmetic_prefers_exponents() {
    let op = |op, a: &str, b: &str| binary(op, d64(a), d64(b), D64).unwrap();
    assert_eq!(op(BinaryOp::Add, "1.10", "2.2"), d64("3.30"));
    assert_eq!(op(BinaryOp::Sub, "1.10", "1.1"), d64("0.00"));
    assert_eq!(op(BinaryOp::Mul, "1.20", "0.30"), d64("0.3600"));
    assert_eq!(op(BinaryOp::Div, "1.20", "0.3"), d64("4.0"));
    assert_eq!(op(BinaryOp::Div, "1", "3"), d64("0.3333333333333333"));
    assert_eq!(op(BinaryOp::Div, "1", "8"), d64("0.125"));
    assert_eq!(op(BinaryOp::Add, "1e300", "1e-300"), d64("1.000000000000000e300"));
    assert_eq!(op(BinaryOp::Div, "1", "0"), infinity(D64));
    assert_eq!(op(BinaryOp::Div, "0", "0"), nan(D64, 0, false));
    assert_eq!(op(BinaryOp::Mul, "9e384", "-10"), infinity(D64) | 1 << 63);
    assert_eq!(op(BinaryOp::Sub, "-0", "0"), d64("-0"));
}

#[test]
fn orders_values_not_encodings() {
    assert_eq!(compare(d64("1.0"), d64("1.00"), D64), Some(Ordering::Equal));
    assert_eq!(compare(d64("-0"), d64("0e10"), D64), Some(Ordering::Equal));
    assert_eq!(compare(d64("-1e300"), d64("1e-300"), D64), Some(Ordering::Less));
    assert_eq!(compare(infinity(D64), d64("9e384"), D64), Some(Ordering::Greater));
    assert_eq!(compare(nan(D64, 0, false), d64("1"), D64), None);
}

#[test]
fn converts() {
    let int = IntInfo { bits: 32, signed: true, rank: 64 };
    assert_eq!(to_int(d64("-2.9"), D64, int), (-2, true));
    assert_eq!(to_int(d64("2147483648"), D64, int), (i128::from(i32::MAX), false));
    assert_eq!(to_int(d64("1e-300"), D64, int), (0, true));
    assert_eq!(to_int(d64("1e300"), D64, int), (i128::from(i32::MAX), false));
    assert_eq!(from_int(-5, int, D64), d64("-5"));
    assert_eq!(convert(d64("1.2345675"), D64, D32), parse("1.234568", D32).unwrap());
    // A quarter, and the double nearest to a tenth.
    assert_eq!(from_binary(false, 1, -2, D64), d64("0.25"));
    let tenth = 0.1f64.to_bits();
    let significand = u128::from(tenth & ((1 << 52) - 1) | 1 << 52);
    let exact = "0.1000000000000000055511151231257827";
    assert_eq!(from_binary(false, significand, -56, D128), parse(exact, D128).unwrap());
}

#[test]
fn counts_what_is_not_canonical_as_zero() {
    // A coefficient above 10^34 - 1, and a payload above its limit.
    assert_eq!(classify(10u128.pow(34) | 0x3040 << 112, D128), Classified::Zero);
    let nan = decode(0x7c0f_ffff, D32);
    assert_eq!(nan.magnitude, Magnitude::Nan { signaling: false, payload: 0 });
}
