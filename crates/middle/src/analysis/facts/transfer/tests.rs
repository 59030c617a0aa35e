//! Tests of `transfer`.

use super::*;
use ir::text::parse_module;

const SAMPLES: [i128; 9] = [-128, -127, -3, -1, 0, 1, 5, 126, 127];

/// A function of two i8 whose second instruction is the operation.
fn operation(name: &str) -> ir::Module {
    let text = format!(
        "symbol @f global function : (i8, i8) -> (i8)\n\nfunc @f v0, v1 : (i8, i8) -> (i8) {{\nb0:\n  \
         v2: i8 = {name} v0, v1\n  ret v2\n}}\n"
    );
    parse_module(&text).expect("parses")
}

/// What an operation is said to give contains what it gives, for operands from all ranges
/// between samples; wrapped sums are left out where flags forbid them.
#[test]
fn results_lie_in_their_ranges() {
    let ty = Type::I8;
    let ranges = || {
        let from = |low: i128| SAMPLES.iter().filter(move |&&high| high >= low).map(move |&high| (low, high));
        SAMPLES.iter().flat_map(move |&low| from(low)).map(|(low, high)| Range::signed(ty, low, high).narrowed(ty))
    };
    for name in
        ["add", "add.nsw", "sub", "sub.nsw", "mul", "mul.nsw", "and", "or", "xor", "udiv", "urem", "umin", "smax"]
    {
        let module = operation(name);
        let func = &module.functions[ir::FuncId::from_u32(0)];
        let inst = func.first_inst(func.entry()).expect("the operation");
        let (a, opcode) = (func.operand(inst, 0), func.insts[inst].opcode);
        for (x, y) in ranges().flat_map(|x| ranges().map(move |y| (x, y))) {
            let Some(result) = transfer(func, inst, |v| if v == a { x } else { y }) else { continue };
            for (i, j) in SAMPLES.iter().flat_map(|&i| SAMPLES.iter().map(move |&j| (i, j))) {
                let within = x.smin <= i && i <= x.smax && y.smin <= j && j <= y.smax;
                let exact = match opcode {
                    Opcode::Add => i + j,
                    Opcode::Sub => i - j,
                    _ => i * j,
                };
                let wraps = func.insts[inst].has(flags::NSW) && !(-128..=127).contains(&exact);
                let bits = ir::fold::binary(opcode, ty, i as u8 as u128, j as u8 as u128);
                if let Some(bits) =
                    bits.filter(|_| within && !(matches!(opcode, Opcode::Add | Opcode::Sub | Opcode::Mul) && wraps))
                {
                    let signed = ir::fold::sign_extend(ty, bits);
                    let holds = result.umin <= bits && bits <= result.umax && bits & result.zero == 0;
                    assert!(holds && result.smin <= signed && signed <= result.smax, "{name} {i} {j}: {result:?}");
                }
            }
        }
    }
}

/// Shifts, masks and widening keep track of single bits.
#[test]
fn bits_are_known_to_be_zero() {
    let text = "symbol @f global function : (i8) -> (i128)\n\nfunc @f v0 : (i8) -> (i128) {\nb0:\n  \
                v1: i8 = and v0, i8 12\n  v2: i128 = zext v1\n  v3: i128 = shl v2, i32 64\n  \
                v4: i128 = add v3, v2\n  ret v4\n}\n";
    let module = parse_module(text).expect("parses");
    let func = &module.functions[ir::FuncId::from_u32(0)];
    let sum = func.prev_inst(func.terminator(func.entry())).expect("the sum");
    let range = known(func, func.first_result(sum));
    assert_eq!(range.zero & 3, 3);
    assert_eq!(range.umax, (12 << 64) + 12);
    assert!(range.is_non_negative());
}
