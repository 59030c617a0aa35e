//! The costs by which the middle end vectorises (`ir::costs`) against what selection makes: the
//! instructions that one more operation of a kind adds to a function.

use backend::ModuleEmitter;
use ir::{Opcode, Type, costs};
use platform::options::{OptLevel, Options, X86Features};

/// Machine instructions selected for a function of two vectors, which returns the last of a chain
/// of `times` operations.
fn selected(opcode: Opcode, lane: Type, times: u32, features: X86Features) -> i64 {
    let vector = format!("<{} x {lane}>", 128 / lane.bits());
    let mut text = format!("symbol @f global function : ({vector}, {vector}) -> ({vector})\n\n");
    text += &format!("func @f v0, v1 : ({vector}, {vector}) -> ({vector}) {{\nb0:\n");
    for number in 2..2 + times {
        let left = if number == 2 { 0 } else { number - 1 };
        let right = match opcode {
            _ if opcode.format() == ir::Format::Unary => String::new(),
            // The vectorisers take shifts of all lanes by one number only.
            Opcode::Shl | Opcode::LShr | Opcode::AShr => format!(", {vector} 0x{}", three_in_lanes(lane)),
            _ => ", v1".to_string(),
        };
        text += &format!("  v{number}: {vector} = {} v{left}{right}\n", opcode.name());
    }
    text += &format!("  ret v{}\n}}\n", 1 + times);
    let mut module = ir::text::parse_module(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    module.functions.values_mut().for_each(|func| func.build_uses());
    let mut options = Options { level: OptLevel::O2, ..Options::default() };
    options.codegen.features = features;
    let mut emitter = ModuleEmitter::new(&options);
    emitter.functions(&module);
    let rows = emitter.statistics();
    rows.iter().find(|row| row.0 == "machine instructions").expect("it is counted").1 as i64
}

/// The bytes of a register of threes, in order.
fn three_in_lanes(lane: Type) -> String {
    let bytes = lane.bits() as usize / 8;
    (0..16).map(|byte| if byte % bytes == 0 { "03" } else { "00" }).collect()
}

/// What one more operation adds to a chain of them.
fn added(opcode: Opcode, lane: Type, features: X86Features) -> i64 {
    selected(opcode, lane, 3, features) - selected(opcode, lane, 2, features)
}

/// Whether the cost of an operation is how long it takes, not how many instructions it is:
/// divisions, roots, `pmulld`, which is two multiplications, and the three of 64-bit lanes.
fn is_slow(opcode: Opcode, lane: Type, features: X86Features) -> bool {
    matches!(opcode, Opcode::FDiv | Opcode::Sqrt)
        || (opcode, lane) == (Opcode::Mul, Type::I32) && features.has(X86Features::SSE4_1)
        || (opcode, lane) == (Opcode::Mul, Type::I64)
}

#[test]
fn operations_cost_what_selection_makes_of_them() {
    use Opcode::*;
    let opcodes = [
        Add, Sub, And, Or, Xor, Mul, UMulHi, SMulHi, Shl, LShr, AShr, SMin, SMax, UMin, UMax, FAdd, FSub, FMul, FDiv,
        FMin, FMax, FNeg, FAbs, Sqrt,
    ];
    let mut wrong = Vec::new();
    let mut sse41 = X86Features::default();
    sse41.insert(X86Features::SSE4_1);
    for (name, features) in [("x86-64", X86Features::default()), ("sse4.1", sse41)] {
        for lane in [Type::I8, Type::I16, Type::I32, Type::I64, Type::F32, Type::F64] {
            for opcode in opcodes.into_iter().filter(|&opcode| !is_slow(opcode, lane, features)) {
                let Some(cost) = costs::operation(opcode, lane, false, features) else { continue };
                let (made, cost) = (added(opcode, lane, features), i64::from(cost));
                // Copies of operands, most of which the allocator makes none of, are no cost.
                if made < cost || 2 * made > 3 * cost {
                    wrong.push(format!("{} {lane}, {name}: {made} instructions, {cost} in the table", opcode.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
