//! Types, signatures and constants as LLVM writes them.

use crate::module::{AbiParam, ParamKind, Signature};
use crate::{Constant, Function, Module, Type, Value};

use super::global_name;

/// A type.
pub fn ty(ty: Type) -> String {
    let lane = match ty.lane() {
        Type::F16 => "half",
        Type::F32 => "float",
        Type::F64 => "double",
        Type::F80 => "x86_fp80",
        Type::F128 => "fp128",
        Type::PTR => "ptr",
        Type::VOID => "void",
        int => return if ty.is_vector() { format!("<{} x {int}>", ty.lanes()) } else { int.to_string() },
    };
    if ty.is_vector() { format!("<{} x {lane}>", ty.lanes()) } else { lane.into() }
}

/// A parameter's type with its attributes.
pub fn param(param: &AbiParam) -> String {
    match param.kind {
        ParamKind::ByVal { size, align } => format!("ptr byval([{size} x i8]) align {align}"),
        ParamKind::StaticChain => "ptr nest".into(),
        ParamKind::StructReturn | ParamKind::Direct => ty(param.ty),
    }
}

/// A signature's result type: void, a type or a struct.
pub fn returns(sig: &Signature) -> String {
    match sig.returns[..] {
        [] => "void".into(),
        [only] => ty(only),
        _ => format!("{{ {} }}", sig.returns.iter().map(|&t| ty(t)).collect::<Vec<_>>().join(", ")),
    }
}

/// An operand without its type.
pub fn operand(module: &Module, func: &Function, value: Value) -> String {
    let value_type = func.value_type(value);
    match func.constant(value) {
        None => format!("%{value}"),
        Some(Constant::Symbol(symbol, 0)) => global_name(module, *symbol),
        Some(Constant::Symbol(symbol, offset)) => {
            format!("getelementptr (i8, ptr {}, i64 {offset})", global_name(module, *symbol))
        }
        Some(Constant::Bits(bits)) => scalar(value_type, *bits),
        Some(Constant::Vector(bytes)) => {
            let lane = value_type.lane();
            let lanes: Vec<String> = bytes
                .chunks(lane.store_size() as usize)
                .map(|c| c.iter().rev().fold(0u128, |bits, &b| bits << 8 | b as u128))
                .map(|bits| format!("{} {}", ty(lane), scalar(lane, bits)))
                .collect();
            format!("<{}>", lanes.join(", "))
        }
    }
}

/// A scalar constant.
fn scalar(of: Type, bits: u128) -> String {
    match of {
        Type::PTR if bits == 0 => "null".into(),
        Type::PTR => format!("inttoptr (i64 {} to ptr)", bits as i64),
        Type::F16 => format!("0xH{bits:04X}"),
        // Floats are written as the double of their value; NaN payloads move up with it.
        Type::F32 => format!("0x{:016X}", widen_f32(bits as u32)),
        Type::F64 => format!("0x{:016X}", bits as u64),
        Type::F80 => format!("0xK{bits:020X}"),
        Type::F128 => format!("0xL{:016X}{:016X}", bits as u64, (bits >> 64) as u64),
        Type::I1 => (if bits != 0 { "true" } else { "false" }).into(),
        int => crate::fold::sign_extend(int, bits).to_string(),
    }
}

/// The double with the value of a float, bit by bit (so that NaNs keep their payload and are not
/// quieted).
fn widen_f32(bits: u32) -> u64 {
    let value = f32::from_bits(bits);
    if !value.is_nan() {
        return (value as f64).to_bits();
    }
    let sign = (bits >> 31) as u64;
    sign << 63 | 0x7ff << 52 | ((bits & 0x7f_ffff) as u64) << 29
}
