//! Evaluates pure instructions on values. A value is its bits; vectors are up to 64 bytes of lanes.

use ir::fold;
use ir::{InstData, Opcode, Type};

use crate::{Trap, wide};

/// A scalar's bits, or a vector's lanes.
#[derive(Clone, PartialEq, Debug)]
pub enum Bits {
    /// Zero-extended to 128 bits.
    Scalar(u128),
    /// Lane by lane.
    Vector(Vec<u128>),
}

impl Bits {
    /// The scalar's bits.
    pub fn scalar(&self) -> u128 {
        match self {
            Bits::Scalar(bits) => *bits,
            Bits::Vector(_) => base::bug!("interpreter: a scalar was expected"),
        }
    }

    /// The lanes; a scalar is its own only lane.
    pub fn lanes(&self) -> Vec<u128> {
        match self {
            Bits::Scalar(bits) => vec![*bits],
            Bits::Vector(lanes) => lanes.clone(),
        }
    }

    /// From lanes, as the type wants it.
    pub fn from_lanes(ty: Type, lanes: Vec<u128>) -> Bits {
        if ty.is_vector() { Bits::Vector(lanes) } else { Bits::Scalar(lanes[0]) }
    }
}

/// Undefined bits as a value of the type has them: all or none of each lane if the shapes differ.
pub(crate) fn masked(ty: Type, bits: &Bits) -> Bits {
    let lanes = bits.lanes();
    if ty.is_vector() && lanes.len() == ty.lanes() as usize {
        return bits.clone();
    }
    let any = lanes.iter().fold(0, |all, lane| all | lane);
    match ty.is_vector() {
        true => Bits::Vector(vec![if any != 0 { ty.lane().mask() } else { 0 }; ty.lanes() as usize]),
        false => Bits::Scalar(any & ty.mask()),
    }
}

/// A two-operand operation, lane by lane.
///
/// # Errors
/// Undefined behaviour (division by zero, overflow under `nsw`) and formats that are not modelled.
pub fn binary(opcode: Opcode, flags: u8, ty: Type, a: &Bits, b: &Bits) -> Result<Bits, Trap> {
    let lane = ty.lane();
    let (x, y) = (a.lanes(), b.lanes());
    let lanes =
        x.iter().zip(&y).map(|(&x, &y)| binary_lane(opcode, flags, lane, x, y)).collect::<Result<Vec<_>, _>>()?;
    Ok(Bits::from_lanes(ty, lanes))
}

fn binary_lane(opcode: Opcode, flags: u8, ty: Type, a: u128, b: u128) -> Result<u128, Trap> {
    if breaks_promise(opcode, flags, ty, a, b) {
        return Err(Trap::Undefined(format!("{} overflows although flagged not to [signed-overflow]", opcode.name())));
    }
    if let Some(bits) = fold::binary(opcode, ty, a, b).or_else(|| wide::binary(opcode, ty, a, b)) {
        return Ok(bits);
    }
    match opcode {
        Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem => {
            Err(Trap::Undefined(format!("{} by zero or overflow [division]", opcode.name())))
        }
        // Unspecified: the machine masks the amount.
        Opcode::Shl | Opcode::LShr | Opcode::AShr => {
            let masked = b & (ty.bits().max(32) as u128 - 1);
            Ok(fold::binary(opcode, ty, a, masked).unwrap_or(0))
        }
        Opcode::SMulHi | Opcode::UMulHi => Err(Trap::Unsupported(format!("{} of {ty}", opcode.name()))),
        Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv | Opcode::FMin | Opcode::FMax => {
            float_nan(opcode, ty, a, b)
        }
        _ => Err(Trap::Unsupported(format!("{} of {ty}", opcode.name()))),
    }
}

/// Whether the operation overflows although `nsw` or `nuw` says that it does not.
fn breaks_promise(opcode: Opcode, flags: u8, ty: Type, a: u128, b: u128) -> bool {
    let (signed, unsigned) = match opcode {
        Opcode::Add => (Opcode::SAddOverflow, Opcode::UAddOverflow),
        Opcode::Sub => (Opcode::SSubOverflow, Opcode::USubOverflow),
        Opcode::Mul => (Opcode::SMulOverflow, Opcode::UMulOverflow),
        Opcode::Shl if b < u128::from(ty.bits()) && ty.is_int() => {
            let shifted = a << b & ty.mask();
            let back = fold::sign_extend(ty, shifted) >> b;
            return flags & ir::flags::NSW != 0 && back != fold::sign_extend(ty, a)
                || flags & ir::flags::NUW != 0 && shifted >> b != a;
        }
        _ => return false,
    };
    let overflows = |opcode: Opcode| fold::overflow(opcode, ty, a, b).is_some_and(|r| r.1);
    flags & ir::flags::NSW != 0 && overflows(signed) || flags & ir::flags::NUW != 0 && overflows(unsigned)
}

/// Results that are NaN, as SSE gives them: the first NaN operand quieted, else the default NaN.
fn float_nan(opcode: Opcode, ty: Type, a: u128, b: u128) -> Result<u128, Trap> {
    let (quiet, default, exponent, fraction) = match ty {
        Type::F32 => (1u128 << 22, 0xffc0_0000u128, 0x7f80_0000u128, 0x7f_ffffu128),
        Type::F64 => (1 << 51, 0xfff8_0000_0000_0000, 0x7ff0_0000_0000_0000, 0xf_ffff_ffff_ffff),
        _ => return Err(Trap::Unsupported(format!("{} of {ty}", opcode.name()))),
    };
    let is_nan = |x: u128| x & exponent == exponent && x & fraction != 0;
    if is_nan(a) {
        Ok(a | quiet)
    } else if is_nan(b) {
        Ok(b | quiet)
    } else {
        Ok(default)
    }
}

/// A one-operand operation or conversion, lane by lane.
///
/// # Errors
/// Formats that are not modelled.
pub fn unary(opcode: Opcode, from: Type, to: Type, a: &Bits) -> Result<Bits, Trap> {
    if opcode == Opcode::Bitcast {
        return Ok(bitcast(from, to, a));
    }
    let lanes =
        a.lanes().iter().map(|&x| unary_lane(opcode, from.lane(), to.lane(), x)).collect::<Result<Vec<_>, _>>()?;
    Ok(Bits::from_lanes(to, lanes))
}

fn unary_lane(opcode: Opcode, from: Type, to: Type, a: u128) -> Result<u128, Trap> {
    if let Some(bits) = fold::unary(opcode, from, to, a).or_else(|| wide::unary(opcode, from, to, a)) {
        return Ok(bits);
    }
    match opcode {
        // Out of range or NaN: the machine's "integer indefinite".
        Opcode::FpToSi | Opcode::FpToUi if matches!(from, Type::F32 | Type::F64) => {
            let wide = if to.bits() > 32 { 1u128 << 63 } else { 1 << 31 };
            Ok(wide & to.mask())
        }
        Opcode::FpExt if from == Type::F32 && to == Type::F64 => {
            let sign = a >> 31 & 1;
            Ok(sign << 63 | 0x7ff8_0000_0000_0000 | (a & 0x3f_ffff) << 29)
        }
        Opcode::FpTrunc if from == Type::F64 && to == Type::F32 => {
            let sign = a >> 63 & 1;
            Ok(sign << 31 | 0x7fc0_0000 | (a >> 29 & 0x3f_ffff))
        }
        Opcode::Sqrt if matches!(from, Type::F32 | Type::F64) => float_nan(opcode, from, a, a),
        _ => Err(Trap::Unsupported(format!("{} from {from} to {to}", opcode.name()))),
    }
}

fn bitcast(from: Type, to: Type, a: &Bits) -> Bits {
    let mut bytes = Vec::new();
    for lane in a.lanes() {
        bytes.extend_from_slice(&lane.to_le_bytes()[..from.lane().store_size() as usize]);
    }
    let lanes = bytes
        .chunks(to.lane().store_size() as usize)
        .map(|c| c.iter().rev().fold(0u128, |bits, &b| bits << 8 | b as u128))
        .collect();
    Bits::from_lanes(to, lanes)
}

/// A comparison; vectors give 0 or all-ones lanes.
///
/// # Errors
/// Formats that are not modelled.
pub fn compare(data: InstData, operand: Type, result: Type, a: &Bits, b: &Bits) -> Result<Bits, Trap> {
    let lane = operand.lane();
    let mut lanes = Vec::new();
    for (&x, &y) in a.lanes().iter().zip(&b.lanes()) {
        let holds = if data.opcode == Opcode::ICmp {
            Some(data.int_cc().eval(x, y, lane.bits()))
        } else {
            let condition = data.float_cc();
            fold::fcmp(condition, lane, x, y).or_else(|| wide::compare(condition, lane, x, y))
        };
        let holds = holds.ok_or_else(|| Trap::Unsupported(format!("comparison of {operand}")))?;
        lanes.push(if holds { result.lane().mask() } else { 0 });
    }
    Ok(Bits::from_lanes(result, lanes))
}
