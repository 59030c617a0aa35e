//! Bit-precise integers wider than 128 bits: limbs in memory, and calls of the functions in
//! `runtime/unit/bit_int.c`.
//!
//! A value is [`Rvalue::Memory`] as a structure's is, and travels as one (psABI 3.2.3: class
//! MEMORY). Every operator writes its result to a temporary of its own, so that results never
//! overlap operands. The unused bits of the last limb are in order in what is written here, and
//! nothing relies on that where something is read: the psABI leaves them to whoever wrote them.

use ir::{AbiParam, AliasTags, FnAttrs, IntCc, ParamKind, Signature as IrSignature, Type, Value};

use super::function::Fx;
use super::lvalues::normalize;
use super::operators;
use super::place::{Place, Rvalue};
use super::shapes::{Shape, shape};
use crate::tree::*;

/// The widest integers that are IR values.
const NARROW_BITS: u32 = 128;

/// An integer in memory: where its limbs are, and how many bits of them count. A negative precision
/// is a signed number's.
#[derive(Clone, Copy)]
struct Number {
    place: Place,
    precision: i64,
}

impl Number {
    fn is_signed(self) -> bool {
        self.precision < 0
    }
    /// Bits that a signed type needs to hold it.
    fn signed_bits(self) -> i64 {
        if self.is_signed() { -self.precision } else { self.precision + 1 }
    }
}

/// An integer type whose values are in memory.
pub fn is_wide(fx: &Fx<'_, '_>, ty: Ty) -> bool {
    wide_info(fx, ty).is_some()
}

fn wide_info(fx: &Fx<'_, '_>, ty: Ty) -> Option<IntInfo> {
    fx.types().int_info(ty).filter(|info| info.bits > NARROW_BITS)
}

fn precision_of(info: IntInfo) -> i64 {
    if info.signed { -i64::from(info.bits) } else { i64::from(info.bits) }
}

/// Calls a function of `runtime/unit/bit_int.c`; its parameters have the types of `args`.
fn helper(fx: &mut Fx<'_, '_>, name: &str, args: &[Value], returns: &[Type]) -> Option<Value> {
    if !fx.live {
        return returns.first().map(|&ty| fx.zero(ty));
    }
    let Some(&decl) = fx.unit.helpers.get(name) else { base::bug!("there is no function {name}") };
    let mut sig = IrSignature { returns: returns.iter().copied().collect(), ..IrSignature::default() };
    sig.params.extend(args.iter().map(|&arg| AbiParam { ty: fx.ty(arg), kind: ParamKind::Direct }));
    let symbol = fx.symbol(decl);
    let sig = fx.state.module.signature(sig);
    let inst = fx.b().call_symbol(symbol, sig, FnAttrs::default(), returns, args);
    fx.func.results(inst).next()
}

fn precision(fx: &mut Fx<'_, '_>, number: Number) -> Value {
    fx.iconst(Type::I32, number.precision)
}

/// Memory for a number.
fn temporary(fx: &mut Fx<'_, '_>, precision: i64) -> Number {
    let bytes = precision.unsigned_abs().div_ceil(64) * 8;
    Number { place: fx.temp(bytes, 8), precision }
}

/// A helper that writes a number of this precision; `args` come after its address, the precision
/// itself at the end.
fn compute(fx: &mut Fx<'_, '_>, name: &str, args: &[Value], precision: i64) -> Number {
    let result = temporary(fx, precision);
    let mut list: smallvec::SmallVec<[Value; 5]> = smallvec::smallvec![fx.address(result.place)];
    list.extend_from_slice(args);
    list.push(fx.iconst(Type::I32, precision));
    helper(fx, name, &list, &[]);
    result
}

/// An integer of any type, pointers included, as a number in memory.
fn number(fx: &mut Fx<'_, '_>, value: Rvalue, ty: Ty) -> Number {
    match value {
        Rvalue::Memory(place) => {
            let precision = wide_info(fx, ty).map_or(64, precision_of);
            Number { place, precision }
        }
        Rvalue::Scalar(v) => {
            // As gcc documents it, a pointer converted to a wider integer is sign-extended.
            let is_pointer = fx.ty(v) == Type::PTR;
            let signed = is_pointer || fx.types().is_signed(ty);
            let v = if is_pointer { fx.ptr_to_int(v) } else { v };
            let v = fx.int_cast(v, Type::I128, signed);
            let bits = i64::from(NARROW_BITS);
            let number = temporary(fx, if signed { -bits } else { bits });
            fx.store(v, number.place, AliasTags::any());
            number
        }
        Rvalue::Complex(..) | Rvalue::Void => temporary(fx, 64),
    }
}

/// The number in another type.
fn extended(fx: &mut Fx<'_, '_>, from: Number, precision: i64) -> Number {
    let to = temporary(fx, precision);
    let (dst, src) = (fx.address(to.place), fx.address(from.place));
    let (to_precision, from_precision) = (self::precision(fx, to), self::precision(fx, from));
    helper(fx, "__bit_int_convert", &[dst, to_precision, src, from_precision], &[]);
    to
}

/// A constant's limbs.
pub fn constant(fx: &mut Fx<'_, '_>, limbs: &[u64]) -> Rvalue {
    let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    let symbol = fx.state.constant(&bytes, 8, 0);
    Rvalue::Memory(Place::new(fx.func.symbol_const(symbol, 0), 8))
}

/// The low 64 bits, an i64.
pub fn low(fx: &mut Fx<'_, '_>, value: Rvalue) -> Value {
    match value {
        Rvalue::Memory(place) => fx.load(Type::I64, place, AliasTags::any()),
        Rvalue::Scalar(v) => fx.int_cast(v, Type::I64, false),
        Rvalue::Complex(..) | Rvalue::Void => fx.iconst(Type::I64, 0),
    }
}

/// `a op b` of a wide type, no comparison; the right operand of a shift has a type of its own.
pub fn binary(fx: &mut Fx<'_, '_>, op: BinaryOp, ty: Ty, a: Rvalue, b: Rvalue, right: Ty) -> Rvalue {
    let x = number(fx, a, ty);
    if op.is_shift() {
        let count = low(fx, b);
        let name = if op == BinaryOp::Shl { "__bit_int_shl" } else { "__bit_int_shr" };
        let address = fx.address(x.place);
        return Rvalue::Memory(compute(fx, name, &[address, count], x.precision).place);
    }
    let y = number(fx, b, right);
    if fx.options.codegen.trapv && x.is_signed() && matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) {
        let (value, overflowed) = checked(fx, op, x, y, x.precision);
        operators::trap_if(fx, overflowed);
        return Rvalue::Memory(value.place);
    }
    Rvalue::Memory(arithmetic(fx, op, x, y).place)
}

/// `x op y` of numbers of one precision.
fn arithmetic(fx: &mut Fx<'_, '_>, op: BinaryOp, x: Number, y: Number) -> Number {
    let (a, b) = (fx.address(x.place), fx.address(y.place));
    let name = match op {
        BinaryOp::Add => "__bit_int_add",
        BinaryOp::Sub => "__bit_int_sub",
        BinaryOp::Mul => "__bit_int_mul",
        BinaryOp::And => "__bit_int_and",
        BinaryOp::Or => "__bit_int_or",
        BinaryOp::Xor => "__bit_int_xor",
        BinaryOp::Div | BinaryOp::Rem => {
            let remainder = temporary(fx, x.precision);
            let address = fx.address(remainder.place);
            let quotient = compute(fx, "__bit_int_divide", &[address, a, b], x.precision);
            return if op == BinaryOp::Div { quotient } else { remainder };
        }
        _ => base::bug!("{} has a result of another type", op.spelling()),
    };
    compute(fx, name, &[a, b], x.precision)
}

/// The result of an operation on numbers of any precisions wrapped to `precision`, and whether that
/// changed it, an i1.
fn checked(fx: &mut Fx<'_, '_>, op: BinaryOp, x: Number, y: Number, precision: i64) -> (Number, Value) {
    let (a, b) = (x.signed_bits(), y.signed_bits());
    let exact = if op == BinaryOp::Mul { a + b } else { a.max(b) + 1 };
    let exact = -exact.max(precision.abs() + 1);
    let (x, y) = (extended(fx, x, exact), extended(fx, y, exact));
    let result = arithmetic(fx, op, x, y);
    let wrapped = extended(fx, result, precision);
    let back = extended(fx, wrapped, exact);
    let order = order(fx, result, back);
    (wrapped, fx.icmp_imm(IntCc::Ne, order, 0))
}

/// `__builtin_add_overflow` and its relatives where a type is wide: the wrapped result and whether
/// it overflowed, an i1.
pub fn overflow(
    fx: &mut Fx<'_, '_>,
    op: BinaryOp,
    (a, lhs): (Rvalue, Ty),
    (b, rhs): (Rvalue, Ty),
    to: Ty,
) -> (Rvalue, Value) {
    let (x, y) = (number(fx, a, lhs), number(fx, b, rhs));
    let precision = fx.types().int_info(to).map_or(64, precision_of);
    let (value, overflowed) = checked(fx, op, x, y, precision);
    (narrowed(fx, value, to), overflowed)
}

/// A number of type `ty`, as values of that type are.
fn narrowed(fx: &mut Fx<'_, '_>, number: Number, ty: Ty) -> Rvalue {
    let Shape::Scalar(scalar) = shape(fx.types(), ty) else { return Rvalue::Memory(number.place) };
    let two_limbs = number.precision.abs() > 64 && scalar == Type::I128;
    let loaded = fx.load(if two_limbs { Type::I128 } else { Type::I64 }, number.place, AliasTags::any());
    if scalar == Type::PTR {
        return Rvalue::Scalar(fx.int_to_ptr(loaded));
    }
    let value = fx.int_cast(loaded, scalar, number.is_signed());
    Rvalue::Scalar(normalize(fx, value, ty))
}

fn order(fx: &mut Fx<'_, '_>, x: Number, y: Number) -> Value {
    let (a, b) = (fx.address(x.place), fx.address(y.place));
    let precision = precision(fx, x);
    match helper(fx, "__bit_int_compare", &[a, b, precision], &[Type::I32]) {
        Some(order) => order,
        None => base::bug!("a comparison has a result"),
    }
}

/// A comparison of values of a wide type as an i1; `negated` asks for the opposite.
pub fn compare(fx: &mut Fx<'_, '_>, op: BinaryOp, ty: Ty, a: Rvalue, b: Rvalue, negated: bool) -> Value {
    let (x, y) = (number(fx, a, ty), number(fx, b, ty));
    let order = order(fx, x, y);
    let cc = operators::int_cc(op, true);
    fx.icmp_imm(if negated { cc.inverse() } else { cc }, order, 0)
}

/// Whether a value of a wide type is not zero, an i1.
pub fn nonzero(fx: &mut Fx<'_, '_>, place: Place, ty: Ty) -> Value {
    let x = number(fx, Rvalue::Memory(place), ty);
    let (address, precision) = (fx.address(x.place), precision(fx, x));
    match helper(fx, "__bit_int_nonzero", &[address, precision], &[Type::I32]) {
        Some(any) => fx.icmp_imm(IntCc::Ne, any, 0),
        None => base::bug!("a test has a result"),
    }
}

/// `-x`, `~x` of a wide type.
pub fn unary(fx: &mut Fx<'_, '_>, op: UnaryOp, ty: Ty, value: Rvalue) -> Rvalue {
    let x = number(fx, value, ty);
    if op == UnaryOp::Neg && x.is_signed() && fx.options.codegen.trapv {
        let zero = fx.iconst(Type::I64, 0);
        let zero = number(fx, Rvalue::Scalar(zero), Ty::LONG);
        let (value, overflowed) = checked(fx, BinaryOp::Sub, zero, x, x.precision);
        operators::trap_if(fx, overflowed);
        return Rvalue::Memory(value.place);
    }
    let address = fx.address(x.place);
    let name = if op == UnaryOp::Neg { "__bit_int_neg" } else { "__bit_int_not" };
    Rvalue::Memory(compute(fx, name, &[address], x.precision).place)
}

/// Whether [`convert`] does a conversion.
pub fn takes_part(fx: &Fx<'_, '_>, kind: CastKind, from: Ty, to: Ty) -> bool {
    let by_value = matches!(
        kind,
        CastKind::Integral
            | CastKind::IntToFloat
            | CastKind::FloatToInt
            | CastKind::PointerToInt
            | CastKind::IntToPointer
    );
    by_value && (is_wide(fx, from) || is_wide(fx, to))
}

/// A conversion from or to a wide type.
pub fn convert(fx: &mut Fx<'_, '_>, value: Rvalue, from: Ty, to: Ty) -> Rvalue {
    if fx.types().is_floating(from) {
        let Rvalue::Scalar(v) = value else { return value };
        return Rvalue::Memory(from_float(fx, v, from, to).place);
    }
    let x = number(fx, value, from);
    if fx.types().is_floating(to) {
        return Rvalue::Scalar(to_float(fx, x, to));
    }
    match wide_info(fx, to) {
        Some(info) => Rvalue::Memory(extended(fx, x, precision_of(info)).place),
        None => narrowed(fx, x, to),
    }
}

fn from_float(fx: &mut Fx<'_, '_>, v: Value, from: Ty, to: Ty) -> Number {
    if fx.types().decimal_format(from).is_some() {
        fx.not_supported("conversion of a decimal floating type to a '_BitInt' of more than 128 bits");
    }
    let precision = wide_info(fx, to).map_or(64, precision_of);
    let result = temporary(fx, precision);
    // Every value of the other formats is one of the extended format.
    let (name, v) = match fx.ty(v) {
        Type::F128 => ("__bit_int_from_quad", v),
        _ => ("__bit_int_from_extended", fx.float_cast(v, Type::F80)),
    };
    let address = fx.address(result.place);
    let precision = self::precision(fx, result);
    helper(fx, name, &[address, precision, v], &[]);
    result
}

fn to_float(fx: &mut Fx<'_, '_>, x: Number, to: Ty) -> Value {
    if fx.types().decimal_format(to).is_some() {
        fx.not_supported("conversion of a '_BitInt' of more than 128 bits to a decimal floating type");
    }
    let ty = fx.scalar_type(to);
    // Integers that binary32 has to round are beyond the range of binary16.
    let (name, result) = match ty {
        Type::F16 | Type::F32 => ("__bit_int_to_float", Type::F32),
        Type::F64 => ("__bit_int_to_double", Type::F64),
        Type::F80 => ("__bit_int_to_extended", Type::F80),
        _ => ("__bit_int_to_quad", Type::F128),
    };
    let (address, precision) = (fx.address(x.place), precision(fx, x));
    match helper(fx, name, &[address, precision], &[result]) {
        Some(value) => fx.float_cast(value, ty),
        None => base::bug!("a conversion has a result"),
    }
}

/// Address of a bit-field's record, and the field's first bit from there.
fn field_position(fx: &mut Fx<'_, '_>, record: Place, bits: BitField) -> [Value; 3] {
    let address = fx.address(record);
    let at = fx.iconst(Type::I64, bits.bit_offset as i64);
    [address, at, fx.iconst(Type::I32, i64::from(bits.width))]
}

/// Reads a bit-field of a wide type; the value has the type as it was declared.
pub fn load_field(fx: &mut Fx<'_, '_>, record: Place, bits: BitField, ty: QualType) -> Rvalue {
    let precision = wide_info(fx, ty.ty()).map_or(64, precision_of);
    let result = temporary(fx, precision);
    let [address, at, width] = field_position(fx, record, bits);
    let (to, precision) = (fx.address(result.place), self::precision(fx, result));
    helper(fx, "__bit_int_field", &[to, precision, address, at, width], &[]);
    Rvalue::Memory(result.place)
}

/// Writes the low bits of a number to a bit-field of a wide type.
pub fn store_field(fx: &mut Fx<'_, '_>, record: Place, bits: BitField, from: Place) {
    let [address, at, width] = field_position(fx, record, bits);
    let from = fx.address(from);
    helper(fx, "__bit_int_set_field", &[address, at, width, from], &[]);
}
