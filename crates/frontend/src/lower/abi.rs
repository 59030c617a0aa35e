//! Calling convention: which IR parameters and results stand for a C argument or result (psABI
//! 3.2.3).
//!
//! [`pass_mode`] is the one place that counts registers; calls, function entries and `va_arg` all
//! go through it or through the same classification. Values in registers are cut in [`Piece`]s, one
//! per eightbyte (or per 16-byte SSE pair). Memory of odd size is never read or written beyond its
//! end: the last piece is put together from smaller accesses.

use std::cell::Cell;

use ir::{AbiParam, AliasTags, Opcode, ParamKind, SigId, Signature as IrSignature, Type, Value};
use platform::options::{Options, X86Features};
use platform::sysv::{ArgumentPlace, ArgumentRegisters, Class, Classification, SSE_ARGUMENT_REGISTERS};
use smallvec::{SmallVec, smallvec};

use super::function::Fx;
use super::ms_abi;
use super::place::{Place, Rvalue};
use super::shapes::{Shape, shape};
use crate::tree::*;

/// Part of a value that travels in one register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Type of the register's value.
    pub ty: Type,
    /// Bytes from the start of the object.
    pub offset: u32,
    /// Bytes of the object it covers.
    pub size: u32,
}

/// How an argument travels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PassMode {
    /// Not at all: an empty aggregate.
    Ignore,
    /// As one IR value of its own type (integers below 32 bits extended to i32).
    Scalar(Type),
    /// In several registers.
    Pieces(SmallVec<[Piece; 2]>),
    /// As the address of a copy, which is the callee's (Microsoft x64 convention).
    Indirect {
        /// Alignment in bytes.
        align: u32,
    },
    /// As a copy in the stack argument area.
    ByVal {
        /// Bytes.
        size: u64,
        /// Alignment in bytes.
        align: u32,
    },
}

/// How a result travels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RetMode {
    /// No result.
    Void,
    /// As one IR value.
    Scalar(Type),
    /// In up to two registers.
    Pieces(SmallVec<[Piece; 2]>),
    /// Written by the callee through a pointer, which it also returns.
    Memory,
}

impl RetMode {
    /// Written through a pointer.
    pub fn is_memory(&self) -> bool {
        matches!(self, RetMode::Memory)
    }
}

impl PassMode {
    /// Number of IR parameters.
    pub fn piece_count(&self) -> usize {
        match self {
            PassMode::Ignore => 0,
            PassMode::Scalar(_) | PassMode::Indirect { .. } | PassMode::ByVal { .. } => 1,
            PassMode::Pieces(pieces) => pieces.len(),
        }
    }
}

/// A function's whole convention.
#[derive(Clone, Debug)]
pub struct FnAbi {
    /// Takes a static chain.
    pub chain: bool,
    /// The result.
    pub ret: RetMode,
    /// Each parameter's type as passed and its way.
    pub params: Vec<(Ty, PassMode)>,
    /// Takes variable arguments, or may.
    pub variadic: bool,
    /// Microsoft x64 convention.
    pub ms_abi: bool,
}

/// The convention of a call, with the IR signature once it is known.
pub struct CallConvention {
    /// The convention.
    pub abi: FnAbi,
    /// The signature.
    pub sig: Cell<Option<SigId>>,
}

impl CallConvention {
    /// A call by this convention.
    pub fn new(abi: FnAbi) -> CallConvention {
        CallConvention { abi, sig: Cell::new(None) }
    }
}

impl FnAbi {
    /// It is for arguments of these types.
    pub fn takes(&self, types: &[Ty]) -> bool {
        self.params.iter().map(|param| param.0).eq(types.iter().copied())
    }

    /// Integers and pointers only: so it is whatever the processor of a function has.
    pub fn is_plain(&self) -> bool {
        let plain = |ty: Type| matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::PTR);
        let result = match self.ret {
            RetMode::Void => true,
            RetMode::Scalar(ty) => plain(ty),
            _ => false,
        };
        result && self.params.iter().all(|param| matches!(param.1, PassMode::Scalar(ty) if plain(ty)))
    }

    /// The IR signature.
    pub fn signature(&self) -> IrSignature {
        let mut out = IrSignature { variadic: self.variadic, ms_abi: self.ms_abi, ..IrSignature::default() };
        let mut param = |ty, kind| out.params.push(AbiParam { ty, kind });
        if self.chain {
            param(Type::PTR, ParamKind::StaticChain);
        }
        if self.ret.is_memory() {
            param(Type::PTR, ParamKind::StructReturn);
        }
        for (_, mode) in &self.params {
            match mode {
                PassMode::Ignore => {}
                PassMode::Scalar(ty) => param(register_type(*ty), ParamKind::Direct),
                PassMode::Indirect { .. } => param(Type::PTR, ParamKind::Direct),
                PassMode::Pieces(pieces) => pieces.iter().for_each(|p| param(p.ty, ParamKind::Direct)),
                &PassMode::ByVal { size, align } => param(Type::PTR, ParamKind::ByVal { size, align }),
            }
        }
        out.returns = self.returns();
        out
    }

    /// The IR results.
    pub fn returns(&self) -> SmallVec<[Type; 2]> {
        match &self.ret {
            RetMode::Void => SmallVec::new(),
            RetMode::Scalar(ty) => smallvec![register_type(*ty)],
            RetMode::Pieces(pieces) => pieces.iter().map(|p| p.ty).collect(),
            RetMode::Memory => smallvec![Type::PTR],
        }
    }
}

/// Integers below 32 bits travel as i32.
fn register_type(ty: Type) -> Type {
    if matches!(ty, Type::I8 | Type::I16) { Type::I32 } else { ty }
}

/// The convention of a function type, for declarations.
pub fn of_type(unit: &Unit, options: &Options, sig: &Signature) -> FnAbi {
    let types: Vec<Ty> = sig.params.iter().map(|p| p.ty()).collect();
    build(
        &unit.types,
        options,
        sig.ret.ty(),
        &types,
        types.len(),
        sig.variadic || !sig.prototype,
        false,
        ms_abi(options, sig),
    )
}

/// The convention of a definition: parameters as they arrive.
pub fn of_definition(unit: &Unit, options: &Options, def: &FunctionDef<'_>, extra: Option<&[Ty]>) -> FnAbi {
    let types = &unit.types;
    let Some(sig) = types.signature_of(unit.decls[def.decl].ty.ty()) else {
        base::bug!("a function without a function type");
    };
    let mut params: Vec<Ty> = def.params.iter().map(|&p| unit.decls[p].ty.ty()).collect();
    if def.old_style {
        // A prototype in scope says what callers pass; without one they pass promoted values.
        for (index, ty) in params.iter_mut().enumerate() {
            *ty = match sig.params.get(index) {
                Some(declared) if sig.prototype => declared.ty(),
                _ => promoted(types, *ty),
            };
        }
    }
    let named = params.len() + extra.map_or(0, <[Ty]>::len);
    params.extend(extra.unwrap_or_default());
    let variadic = sig.variadic && extra.is_none();
    let chain = super::nested::needs_chain(def);
    build(types, options, sig.ret.ty(), &params, named, variadic, chain, ms_abi(options, sig))
}

/// The default argument promotions (C23 6.5.3.3).
fn promoted(types: &Types, ty: Ty) -> Ty {
    match types.kind(ty) {
        TypeKind::Float(FloatKind::Float) => Ty::DOUBLE,
        TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_) => match types.int_info(ty) {
            Some(info) if info.bits < 32 => Ty::INT,
            _ => ty,
        },
        _ => ty,
    }
}

/// Whether a function type is of the Microsoft x64 convention.
pub fn ms_abi(options: &Options, sig: &Signature) -> bool {
    sig.abi == CallAbi::Ms || sig.abi == CallAbi::Unsaid && options.codegen.ms_abi
}

/// The convention for these argument types, of which the first `named` have parameters.
pub fn build(
    types: &Types,
    options: &Options,
    ret: Ty,
    args: &[Ty],
    named: usize,
    variadic: bool,
    chain: bool,
    ms: bool,
) -> FnAbi {
    if ms {
        return ms_abi::build(types, ret, args, named, variadic, chain);
    }
    let ret = return_mode(types, options, ret);
    // Without SSE registers, what would be in them is on the stack.
    let sse = if options.codegen.features.has_sse() { 0 } else { SSE_ARGUMENT_REGISTERS };
    let mut registers = ArgumentRegisters { integer: ret.is_memory() as u8, sse };
    let params = args.iter().enumerate().map(|(index, &ty)| {
        // As in gcc, a pointer to a copy stands for an argument of variable size.
        let ty = if types.is_vla(ty) { Ty::VOID_PTR } else { ty };
        (ty, pass_mode(types, options, ty, index < named, &mut registers))
    });
    FnAbi { chain, params: params.collect(), variadic, ret, ms_abi: false }
}

/// Whether 32-byte vectors travel in registers.
fn wide_vectors(options: &Options) -> bool {
    options.codegen.features.has(X86Features::AVX)
}

/// The classes of a type, with vectors the target has no registers for in memory.
pub fn classify(types: &Types, options: &Options, ty: Ty) -> Classification {
    let class = types.classify(ty);
    let eightbytes = class.classes().len();
    let limit = if wide_vectors(options) { 4 } else { 2 };
    if eightbytes > limit && class.classes().contains(&Class::SseUp) { Classification::MEMORY } else { class }
}

/// How the next argument travels.
fn pass_mode(types: &Types, options: &Options, ty: Ty, named: bool, registers: &mut ArgumentRegisters) -> PassMode {
    let shape = shape(types, ty);
    if let Shape::Scalar(scalar @ (Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::PTR)) = shape {
        // One INTEGER eightbyte, in a register while there are some: almost every argument.
        registers.place(&Classification::INTEGER);
        return PassMode::Scalar(scalar);
    }
    let mut class = classify(types, options, ty);
    if !named && class.classes().len() > 2 {
        // Unnamed 256-bit vectors are always in memory (psABI 3.2.3).
        class = Classification::MEMORY;
    }
    let size = types.size_of(ty).unwrap_or(0);
    let align = types.align_of(ty).max(8);
    match (registers.place(&class), shape) {
        (ArgumentPlace::Nothing, _) => PassMode::Ignore,
        (ArgumentPlace::Stack, _) if types.is_empty_object(ty) => PassMode::Ignore,
        (ArgumentPlace::Stack, Shape::Scalar(scalar)) if is_stack_scalar(options, scalar, &class) => {
            PassMode::Scalar(scalar)
        }
        (ArgumentPlace::Stack, _) => PassMode::ByVal { size, align },
        (ArgumentPlace::Registers { .. }, Shape::Scalar(scalar)) if !is_in_pieces(scalar, &class) => {
            PassMode::Scalar(scalar)
        }
        (ArgumentPlace::Registers { .. }, _) => PassMode::Pieces(pieces(types, ty, &class)),
    }
}

/// Whether an IR value is in other registers than those of its type, or none.
fn is_in_pieces(scalar: Type, class: &Classification) -> bool {
    scalar == Type::I128 || scalar.is_vector() && class.classes().first() != Some(&Class::Sse)
}

/// Whether an IR value on the stack is an argument of its own; others are bytes.
fn is_stack_scalar(options: &Options, ty: Type, class: &Classification) -> bool {
    !is_in_pieces(ty, class) && (options.codegen.features.has_sse() || !super::without_sse::is_sse(ty))
}

fn return_mode(types: &Types, options: &Options, ty: Ty) -> RetMode {
    let shape = shape(types, ty);
    match shape {
        Shape::Void => return RetMode::Void,
        Shape::Scalar(scalar) if scalar != Type::I128 && !scalar.is_vector() => return RetMode::Scalar(scalar),
        _ => {}
    }
    let class = classify(types, options, ty);
    match shape {
        Shape::Scalar(scalar) if !is_in_pieces(scalar, &class) => return RetMode::Scalar(scalar),
        _ => {}
    }
    if class.is_memory() {
        return RetMode::Memory;
    }
    if class.classes().is_empty() {
        return RetMode::Void;
    }
    RetMode::Pieces(pieces(types, ty, &class))
}

/// The registers of a value of known classes (not MEMORY).
pub fn pieces(types: &Types, ty: Ty, class: &Classification) -> SmallVec<[Piece; 2]> {
    let size = types.size_of(ty).unwrap_or(0) as u32;
    let classes = class.classes();
    let mut out = SmallVec::new();
    let mut index = 0;
    while index < classes.len() {
        let offset = index as u32 * 8;
        let left = size.saturating_sub(offset);
        let mut piece = |ty, size| out.push(Piece { ty, offset, size });
        match classes[index] {
            Class::Integer => {
                let bytes = left.min(8);
                let ty = match bytes {
                    8 if pointer_at(types, ty, offset as u64) => Type::PTR,
                    5..=8 => Type::I64,
                    _ => Type::I32,
                };
                piece(ty, bytes);
            }
            Class::Sse => {
                let ups = classes[index + 1..].iter().take_while(|&&c| c == Class::SseUp).count();
                index += ups;
                match (ups, left) {
                    (0, 2) => piece(Type::F16, 2),
                    (0, 4) => piece(Type::F32, 4),
                    (0, _) => piece(Type::F64, left.min(8)),
                    (1, _) if scalar_is_quad(types, ty) => piece(Type::F128, 16),
                    (1, _) => piece(Type::F64.vector(2), 16),
                    (_, _) => piece(Type::F64.vector(4), 32),
                }
            }
            Class::X87 => piece(Type::F80, 16),
            Class::ComplexX87 => {
                piece(Type::F80, 16);
                index += 1;
            }
            _ => {}
        }
        index += 1;
    }
    // An eightbyte of padding alone (an empty member) takes no register.
    out
}

fn scalar_is_quad(types: &Types, ty: Ty) -> bool {
    let quad = |format| matches!(format, FloatFormat::Quad | FloatFormat::Decimal(DecimalFormat::D128));
    types.float_kind(ty).is_some_and(|k| quad(k.format()))
}

/// Whether the eightbyte at `offset` is a pointer: passing it as one keeps its provenance.
fn pointer_at(types: &Types, ty: Ty, offset: u64) -> bool {
    let (mut ty, mut offset) = (ty, offset);
    loop {
        match types.kind(ty) {
            TypeKind::Pointer(_) | TypeKind::NullPtr => return offset == 0,
            TypeKind::Array { elem, len: ArrayLen::Constant(_) } => {
                let stride = types.size_of(elem).unwrap_or(0);
                if stride == 0 {
                    return false;
                }
                (ty, offset) = (elem.ty(), offset % stride);
            }
            TypeKind::Record(id) if types.records[id].kind == RecordKind::Struct => {
                let field = types.records[id].fields.iter().rev().find(|f| {
                    f.bits.is_none() && f.offset <= offset && types.size_of(f.ty).is_some_and(|s| offset < f.offset + s)
                });
                let Some(field) = field else { return false };
                (ty, offset) = (field.ty.ty(), offset - field.offset);
            }
            _ => return false,
        }
    }
}

// ---- values in and out of pieces
// ------------------------------------------------------------------------------------------

/// Cuts a value into the IR values of its pieces.
pub fn split(fx: &mut Fx<'_, '_>, value: Rvalue, pieces: &[Piece], ty: Ty) -> SmallVec<[Value; 2]> {
    match value {
        Rvalue::Scalar(v) if fx.ty(v) == Type::I128 && pieces.len() == 2 => {
            let low = fx.int_cast(v, Type::I64, false);
            let shifted = fx.int_op_imm(Opcode::LShr, 0, v, 64);
            let high = fx.int_cast(shifted, Type::I64, false);
            smallvec![low, high]
        }
        Rvalue::Complex(re, im) if pieces.len() == 2 && fx.ty(re) == pieces[0].ty => smallvec![re, im],
        Rvalue::Complex(re, im) if pieces.len() == 1 && fx.ty(re) == Type::F32 => {
            let (low, high) = (fx.bitcast(re, Type::I32), fx.bitcast(im, Type::I32));
            let (low, high) = (fx.int_cast(low, Type::I64, false), fx.int_cast(high, Type::I64, false));
            let high = fx.int_op_imm(Opcode::Shl, 0, high, 32);
            let both = fx.int_op(Opcode::Or, 0, low, high);
            smallvec![fx.bitcast(both, pieces[0].ty)]
        }
        Rvalue::Memory(place) => pieces.iter().map(|piece| load_piece(fx, place, piece)).collect(),
        _ => {
            let place = super::lvalues::spill(fx, value, ty);
            pieces.iter().map(|piece| load_piece(fx, place, piece)).collect()
        }
    }
}

/// Puts a value together from its pieces.
pub fn join(fx: &mut Fx<'_, '_>, values: &[Value], pieces: &[Piece], ty: Ty) -> Rvalue {
    match shape(fx.types(), ty) {
        Shape::Scalar(Type::I128) if values.len() == 2 => {
            let low = fx.int_cast(values[0], Type::I128, false);
            let high = fx.int_cast(values[1], Type::I128, false);
            let high = fx.int_op_imm(Opcode::Shl, 0, high, 64);
            let value = fx.int_op(Opcode::Or, 0, low, high);
            Rvalue::Scalar(super::lvalues::normalize(fx, value, ty))
        }
        Shape::Complex(part) if values.len() == 2 && part == pieces[0].ty => Rvalue::Complex(values[0], values[1]),
        Shape::Complex(Type::F32) if values.len() == 1 => {
            let both = fx.bitcast(values[0], Type::I64);
            let low = fx.int_cast(both, Type::I32, false);
            let shifted = fx.int_op_imm(Opcode::LShr, 0, both, 32);
            let high = fx.int_cast(shifted, Type::I32, false);
            Rvalue::Complex(fx.bitcast(low, Type::F32), fx.bitcast(high, Type::F32))
        }
        _ => {
            let layout = fx.types().layout(ty.into()).unwrap_or(platform::data_layout::LONG);
            let place = fx.temp(layout.size, layout.align);
            store_pieces(fx, values, pieces, place);
            super::lvalues::load(fx, place, ty.into())
        }
    }
}

/// Stores pieces to an object.
pub fn store_pieces(fx: &mut Fx<'_, '_>, values: &[Value], pieces: &[Piece], place: Place) {
    for (piece, &value) in pieces.iter().zip(values) {
        store_piece(fx, place.offset(piece.offset as i64), piece, value);
    }
}

/// Powers of two that add up to `size`, largest first: (offset, bytes).
fn chunks(size: u32) -> impl Iterator<Item = (u32, u32)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let left = size - at;
        if left == 0 {
            return None;
        }
        let bytes = 1 << (31 - left.leading_zeros());
        at += bytes;
        Some((at - bytes, bytes))
    })
}

fn is_whole(piece: &Piece) -> bool {
    piece.ty == Type::F80 || piece.ty.store_size() == piece.size
}

fn load_piece(fx: &mut Fx<'_, '_>, place: Place, piece: &Piece) -> Value {
    let at = place.offset(piece.offset as i64);
    if is_whole(piece) {
        return fx.load(piece.ty, at, AliasTags::any());
    }
    let int = if piece.size > 4 { Type::I64 } else { Type::I32 };
    let mut value = fx.iconst(int, 0);
    for (offset, bytes) in chunks(piece.size) {
        let Some(ty) = Type::int(bytes * 8) else { continue };
        let part = fx.load(ty, at.offset(offset as i64), AliasTags::any());
        let part = fx.int_cast(part, int, false);
        let part = fx.int_op_imm(Opcode::Shl, 0, part, offset as i64 * 8);
        value = if offset == 0 { part } else { fx.int_op(Opcode::Or, 0, value, part) };
    }
    if piece.ty.is_float() && fx.ty(value).bits() < piece.ty.bits() {
        value = fx.int_cast(value, Type::I64, false);
    }
    fx.bitcast(value, piece.ty)
}

fn store_piece(fx: &mut Fx<'_, '_>, at: Place, piece: &Piece, value: Value) {
    if is_whole(piece) {
        return fx.store(value, at, AliasTags::any());
    }
    let int = Type::int(piece.ty.bits()).unwrap_or(Type::I64);
    let bits = fx.bitcast(value, int);
    for (offset, bytes) in chunks(piece.size) {
        let Some(ty) = Type::int(bytes * 8) else { continue };
        let part = fx.int_op_imm(Opcode::LShr, 0, bits, offset as i64 * 8);
        let part = fx.int_cast(part, ty, false);
        fx.store(part, at.offset(offset as i64), AliasTags::any());
    }
}

/// A parameter's value on entry.
pub fn receive(fx: &mut Fx<'_, '_>, mode: &PassMode, ty: Ty, incoming: &[Value]) -> Rvalue {
    match mode {
        PassMode::Ignore => Rvalue::Memory(fx.temp(0, 1)),
        PassMode::Scalar(scalar) => Rvalue::Scalar(narrow(fx, incoming[0], *scalar)),
        PassMode::Pieces(pieces) => join(fx, incoming, pieces, ty),
        PassMode::ByVal { align, .. } | PassMode::Indirect { align } => {
            super::lvalues::load(fx, Place::new(incoming[0], *align), ty.into())
        }
    }
}

/// A parameter's value on entry, stored to its variable.
pub fn receive_into(fx: &mut Fx<'_, '_>, mode: &PassMode, ty: Ty, incoming: &[Value], place: Place) {
    match mode {
        PassMode::Pieces(pieces) if matches!(shape(fx.types(), ty), Shape::Memory) => {
            store_pieces(fx, incoming, pieces, place);
        }
        _ => {
            let value = receive(fx, mode, ty, incoming);
            super::lvalues::store(fx, place, ty.into(), value);
        }
    }
}

/// A result or parameter as its own type again.
pub fn narrow(fx: &mut Fx<'_, '_>, value: Value, ty: Type) -> Value {
    if ty.is_int() { fx.int_cast(value, ty, false) } else { value }
}

/// A small integer as it travels: extended to i32.
pub fn widen(fx: &mut Fx<'_, '_>, value: Value, ty: Ty) -> Value {
    let signed = fx.types().is_signed(ty);
    let to = register_type(fx.ty(value));
    if to == fx.ty(value) { value } else { fx.int_cast(value, to, signed) }
}
