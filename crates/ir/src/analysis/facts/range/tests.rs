//! Tests of the module above.

use super::*;

/// All claims about i8-sized samples, by trying the values.
#[test]
fn assumptions_and_decisions_hold_for_every_value() {
    let samples = [-128i128, -127, -3, -1, 0, 1, 2, 5, 126, 127];
    for &low in &samples {
        for &high in samples.iter().filter(|&&h| h >= low) {
            let range = Range::signed(Type::I8, low, high).narrowed(Type::I8);
            for &c in &samples {
                let constant = Range::constant(Type::I8, c as u8 as u128);
                for &cc in IntCc::ALL {
                    let kept = range.assuming(Type::I8, cc, constant);
                    for x in low..=high {
                        let holds = cc.eval(x as u8 as u128, c as u8 as u128, 8);
                        if holds {
                            assert!(kept.smin <= x && x <= kept.smax, "{x} {cc:?} {c} in {range:?}: {kept:?}");
                            let u = x as u8 as u128;
                            assert!(kept.umin <= u && u <= kept.umax, "{x} {cc:?} {c} in {range:?}: {kept:?}");
                        }
                        if let Some(decided) = range.decide(cc, constant) {
                            assert_eq!(decided, holds, "{x} {cc:?} {c} in {range:?}");
                        }
                    }
                }
            }
        }
    }
}
