//! Tests of `transfer`.

use super::*;
use crate::text::parse_module;

const TY: Type = Type::I8;

/// A function of two i8 whose first instruction is the operation.
fn operation(ty: Type, text: &str) -> crate::Module {
    let text = format!("func @f v0, v1 : (i8, i8) -> ({ty}) {{\nb0:\n  v2: {ty} = {text}\n  ret v2\n}}\n");
    parse_module(&text).expect("parses")
}

/// What an operation is said to give contains all that it gives, for all ranges of the first
/// operand and the second one in `other`, or the other way round.
fn check(name: &str, func: &Function, other: Range, others: &[u128], is_swapped: bool) {
    let inst = func.first_inst(func.entry()).expect("the operation");
    let (data, a) = (func.insts[inst], func.operand(inst, 0));
    let result = |i: u128, j: u128| {
        let (x, y) = (i128::from(i as i8), i128::from(j as i8));
        let exact = match data.opcode {
            Opcode::Add => x + y,
            Opcode::Sub => x - y,
            Opcode::Shl => x << y.clamp(0, 8),
            _ => x * y,
        };
        match data.opcode {
            Opcode::ZExt => Some(i),
            Opcode::SExt => Some(x as u16 as u128),
            _ if data.has(flags::NSW) && i8::try_from(exact).is_err() => None,
            opcode => crate::fold::binary(opcode, TY, i, j),
        }
    };
    let of = |n: u128| {
        let bits = others.iter().filter_map(|&m| if is_swapped { result(m, n) } else { result(n, m) });
        bits.map(|bits| Range::constant(data.ty, bits)).reduce(Range::union)
    };
    let results: Vec<Option<Range>> = (0..256).map(of).collect();
    let agree = |range: Range, all: Option<Range>| {
        let Some(all) = all else { return };
        let Some(said) = transfer(func, inst, |v| if (v == a) != is_swapped { range } else { other }) else { return };
        let bounds = said.umin <= all.umin && all.umax <= said.umax && said.smin <= all.smin && all.smax <= said.smax;
        assert!(bounds && said.zero & !all.zero == 0, "{name} {range:?} {other:?}: {said:?}, but {all:?}");
    };
    // All of them take ten seconds of an optimised build.
    for low in (-128..128).step_by(if cfg!(debug_assertions) { 11 } else { 1 }) {
        let mut all = None;
        for high in low..128 {
            all = [all, results[usize::from(high as u8)]].into_iter().flatten().reduce(Range::union);
            agree(Range::signed(TY, low, high).narrowed(TY), all);
        }
    }
    for zero in 0..256 {
        let all = (0..256).filter(|n| n & zero == 0).filter_map(|n| results[n as usize]).reduce(Range::union);
        agree(Range::full(TY).with_zero(zero).narrowed(TY), all);
    }
}

#[test]
fn results_lie_in_their_ranges() {
    let samples = [-128, -1, 3, 127];
    let pairs = samples.iter().flat_map(|&low| samples.iter().map(move |&high| Range::signed(TY, low, high)));
    let masks = [0x0f, 0xf1].map(|zero| Range::full(TY).with_zero(zero));
    for range in pairs.filter(|range| !range.is_empty()).chain(masks).map(|range| range.narrowed(TY)) {
        let holds = |&n: &u128| range.intersect(TY, Range::constant(TY, n)) == Range::constant(TY, n);
        let numbers: Vec<u128> = (0..256).filter(holds).collect();
        for name in "add add.nsw sub sub.nsw mul mul.nsw and or xor udiv urem srem umin umax smin smax".split(' ') {
            let module = operation(TY, &format!("{name} v0, v1"));
            let func = &module.functions[crate::FuncId::from_u32(0)];
            [false, true].into_iter().for_each(|is_swapped| check(name, func, range, &numbers, is_swapped));
        }
    }
    let constant = |ty: Type, text: &str, n: u128| {
        let module = operation(ty, text);
        check(text, &module.functions[crate::FuncId::from_u32(0)], Range::constant(TY, n), &[n], false);
    };
    for n in 0..8 {
        for name in ["shl", "shl.nsw", "lshr", "ashr", "rotl", "rotr"] {
            constant(TY, &format!("{name} v0, i8 {n}"), n);
        }
    }
    [-128i8, -7, -1, 0, 1, 10].into_iter().for_each(|d| constant(TY, &format!("srem v0, i8 {d}"), u128::from(d as u8)));
    ["zext v0", "sext v0"].into_iter().for_each(|text| constant(Type::I16, text, 0));
}

/// Shifts, masks and widening keep track of single bits.
#[test]
fn bits_are_known_to_be_zero() {
    let text = "symbol @f global function : (i8) -> (i128)\n\nfunc @f v0 : (i8) -> (i128) {\nb0:\n  \
                v1: i8 = and v0, i8 12\n  v2: i128 = zext v1\n  v3: i128 = shl v2, i32 64\n  \
                v4: i128 = add v3, v2\n  ret v4\n}\n";
    let module = parse_module(text).expect("parses");
    let func = &module.functions[crate::FuncId::from_u32(0)];
    let sum = func.prev_inst(func.terminator(func.entry())).expect("the sum");
    let range = known(func, func.first_result(sum));
    assert_eq!(range.zero & 3, 3);
    assert_eq!(range.umax, (12 << 64) + 12);
    assert!(range.is_non_negative());
}
