//! Vectors in place of scalars. What has become unused is left to `dce`.

use ir::{Builder, Constant, Function, Opcode, Position, Type, Value};

use super::choice::needed;
use super::graph::{Kind, Node};
use super::seeds::{REGISTER, Seed};

/// Replaces the chosen stores.
pub fn replace(func: &mut Function, nodes: &[Node], seeds: &[Seed], roots: &[usize], chosen: &[usize]) {
    let needed = needed(nodes, roots, chosen);
    let mut values: Vec<Option<Value>> = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate().filter(|(index, _)| needed[*index]) {
        let operands: Vec<Value> = node.operands.iter().map(|&o| values[o].expect("operands come first")).collect();
        values[index] = Some(vector(func, node, &operands));
    }
    for &index in chosen {
        let (seed, value) = (&seeds[index], values[roots[index]].expect("the root is needed"));
        let loc = func.inst_locs[seed.last];
        let mut builder = Builder::new(func, Position::Before(seed.last));
        builder.loc = loc;
        match seed.target {
            Some((address, align, tag)) => {
                builder.store(value, address, align, tag, 0);
                seed.stores.iter().for_each(|&store| func.remove_inst(store));
            }
            None => {
                let halves = builder.unary(Opcode::Bitcast, Type::F64.vector(2), value);
                for half in 0..2 {
                    let number = builder.iconst(Type::I64, half);
                    let lane = builder.extract_lane(Type::F64, halves, number);
                    builder.func.set_operand(seed.last, half as usize, lane);
                }
            }
        }
    }
}

fn vector(func: &mut Function, node: &Node, operands: &[Value]) -> Value {
    let scalar = func.value_type(node.lanes[0]);
    let bytes = scalar.store_size() * node.lanes.len() as u32;
    let word = Type::int(bytes * 8).filter(|_| bytes < REGISTER);
    let ty = word.unwrap_or_else(|| scalar.vector(node.lanes.len() as u32));
    let constants: Option<Vec<u128>> = node.lanes.iter().map(|&lane| func.const_bits(lane)).collect();
    let loc = func.inst_locs[node.before];
    let mut builder = Builder::new(func, Position::Before(node.before));
    builder.loc = loc;
    match &node.kind {
        Kind::Constant => {
            let lanes = constants.expect("all lanes are constants");
            let size = scalar.store_size() as usize;
            let bytes: Vec<u8> = lanes.iter().flat_map(|lane| lane.to_le_bytes()[..size].to_vec()).collect();
            let zero = bytes.iter().all(|&b| b == 0);
            builder.func.make_const(ty, if zero { Constant::Bits(0) } else { Constant::Vector(bytes.into()) })
        }
        Kind::Splat => builder.unary(Opcode::Splat, ty, node.lanes[0]),
        Kind::Gather if scalar == Type::F64 => pair(&mut builder, node.lanes[0], node.lanes[1]),
        Kind::Gather if scalar == Type::I64 => {
            let [low, high] = [0, 1].map(|lane| builder.unary(Opcode::Bitcast, Type::F64, node.lanes[lane]));
            let both = pair(&mut builder, low, high);
            builder.unary(Opcode::Bitcast, ty, both)
        }
        Kind::Gather => {
            let low = joined(&mut builder, node.lanes[0], node.lanes[1]);
            let high = joined(&mut builder, node.lanes[2], node.lanes[3]);
            let both = pair(&mut builder, low, high);
            builder.unary(Opcode::Bitcast, ty, both)
        }
        Kind::Load(address, align, tag, _) => builder.load(ty, *address, *align, *tag, 0),
        Kind::Op(opcode, flags) => match operands {
            [a] => builder.unary_flags(*opcode, *flags, ty, *a),
            [a, b] => builder.binary_flags(*opcode, *flags, *a, *b),
            _ => unreachable!("operations have one or two operands"),
        },
    }
}

/// Two `f64` side by side.
fn pair(builder: &mut Builder<'_>, low: Value, high: Value) -> Value {
    let ty = Type::F64.vector(2);
    let both = builder.unary(Opcode::Splat, ty, low);
    if low == high {
        return both;
    }
    let one = builder.iconst(Type::I64, 1);
    builder.ternary(Opcode::InsertLane, 0, both, high, one)
}

/// Two floats or integers as one `f64`; the floats in the form that instruction selection takes for
/// one instruction.
fn joined(builder: &mut Builder<'_>, low: Value, high: Value) -> Value {
    let mut word = |lane: Value| {
        let is_float = builder.func.value_type(lane).is_float();
        let bits = if is_float { builder.unary(Opcode::Bitcast, Type::I32, lane) } else { lane };
        builder.unary(Opcode::ZExt, Type::I64, bits)
    };
    let (low, high) = (word(low), word(high));
    let by = builder.iconst(Type::I64, 32);
    let high = builder.binary(Opcode::Shl, high, by);
    let both = builder.binary(Opcode::Or, low, high);
    builder.unary(Opcode::Bitcast, Type::F64, both)
}
