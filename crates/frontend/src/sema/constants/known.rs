//! Objects whose contents never change: what a static initialiser may read (as gcc, which folds
//! reads of `const` objects there).

use std::rc::Rc;

use crate::sema::Sema;
use crate::sema::initializers::Finished;
use crate::tree::{
    AddressBase, Bits128, Category, DeclFlags, DeclId, ExprKind, ExprRef, Field, Initializer, QualType, StaticInit,
    StaticReloc, StringLit, Ty, TypeKind,
};

use super::address::{self, StaticValue};
use super::fold::{self, Constant};
use super::{integers, wide};

/// Larger objects are not remembered: their bytes would be held twice.
const MAX_BYTES: usize = 1 << 16;

/// Initial contents of a `const` object of file or block scope.
pub struct Contents {
    size: u64,
    bytes: Box<[u8]>,
    relocs: Box<[KnownReloc]>,
}

struct KnownReloc {
    offset: u64,
    size: u8,
    target: Option<(Target, i64)>,
}

enum Target {
    Decl(DeclId),
    String { bytes: Box<[u8]>, elem: Ty, elem_size: u8 },
}

impl KnownReloc {
    fn base<'a>(&self, cx: &Sema<'_, 'a>) -> Option<(AddressBase<'a>, i64)> {
        let (target, addend) = self.target.as_ref()?;
        let base = match target {
            Target::Decl(id) => AddressBase::Decl(*id),
            Target::String { bytes, elem, elem_size } => {
                let bytes = cx.arena.alloc_slice_copy(bytes);
                AddressBase::String(cx.arena.alloc(StringLit { bytes, elem: *elem, elem_size: *elem_size }))
            }
        };
        Some((base, *addend))
    }
}

impl Contents {
    fn new(init: &StaticInit<'_>) -> Contents {
        let target = |reloc: &StaticReloc<'_>| {
            let target = match reloc.base {
                AddressBase::Decl(id) => Target::Decl(id),
                AddressBase::String(lit) => {
                    Target::String { bytes: lit.bytes.into(), elem: lit.elem, elem_size: lit.elem_size }
                }
                AddressBase::Label(_) | AddressBase::LabelDifference(..) => return None,
            };
            Some((target, reloc.addend))
        };
        let known =
            |reloc: &StaticReloc<'_>| KnownReloc { offset: reloc.offset, size: reloc.size, target: target(reloc) };
        Contents { size: init.size, bytes: init.bytes.into(), relocs: init.relocs.iter().map(known).collect() }
    }

    /// Bytes from an offset; `None` beyond the end or where an address lies.
    fn bytes(&self, offset: u64, size: usize) -> Option<u128> {
        let end = offset.checked_add(size as u64).filter(|&end| end <= self.size)?;
        if size > 16 || self.relocs.iter().any(|r| r.offset < end && offset < r.offset + u64::from(r.size)) {
            return None;
        }
        let byte = |at: u64| self.bytes.get(at as usize).copied().unwrap_or(0);
        Some((offset..end).rev().fold(0, |bits, at| bits << 8 | u128::from(byte(at))))
    }
}

/// Remembers what a `const` object begins, and so stays, as: the bytes of a static one, the value
/// of an automatic scalar.
pub fn remember<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, ty: QualType, init: &Finished<'a>) {
    let mut element = ty;
    while let Some(inner) = cx.types().array_element(element) {
        element = inner;
    }
    if !element.quals().is_const() || element.quals().is_volatile() || !element.quals().space().is_empty() {
        return;
    }
    match init {
        Finished::Static(init) if init.bytes.len() <= MAX_BYTES && !is_scalar_number(cx, ty) => {
            let contents = Rc::new(Contents::new(init));
            cx.known_contents.insert(id, contents);
        }
        Finished::Automatic(Initializer::Value(value)) if is_scalar_number(cx, ty) => {
            let value: ExprRef<'a> = value;
            let bits = match address::evaluate(cx, value) {
                Some(StaticValue::Constant(Constant::Int(v))) => v as u128,
                Some(StaticValue::Constant(Constant::Float(v))) => v,
                _ => return,
            };
            let decl = &mut cx.unit.decls[id];
            decl.value = Bits128::new(bits);
            decl.flags.set(DeclFlags::STATIC_INIT_VALUE);
        }
        _ => {}
    }
}

fn is_scalar_number(cx: &Sema<'_, '_>, ty: QualType) -> bool {
    matches!(cx.kind(ty), TypeKind::Int(_) | TypeKind::Bool | TypeKind::Enum(_) | TypeKind::Float(_))
}

/// The value an lvalue has from the beginning to the end: of a `const` object, a part of one, an
/// element of a string literal, a compound literal that stands in an initialiser itself.
pub fn object<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>) -> Option<StaticValue<'a>> {
    if operand.ty.quals().is_volatile() || !operand.ty.quals().space().is_empty() {
        return None;
    }
    if let ExprKind::CompoundLiteral { init: Initializer::Value(value), .. } = operand.kind
        && cx.types().is_scalar(operand.ty.ty())
    {
        return address::evaluate(cx, value);
    }
    if let Some(id) = operand.decl() {
        let decl = &cx.unit.decls[id];
        if decl.flags.has(DeclFlags::STATIC_INIT_VALUE) {
            return Some(StaticValue::Constant(fold::known_value(cx, id)));
        }
        if decl.flags.has(DeclFlags::ANONYMOUS) {
            let var = cx.pending_statics.iter().find(|s| s.decl == id)?;
            let contents = Contents::new(var.init?);
            return read(cx, &contents, 0, operand.ty);
        }
    }
    if operand.cat == Category::BitField {
        return bit_field(cx, operand);
    }
    let StaticValue::Address { base, offset } = address::address_of(cx, operand)? else { return None };
    match base {
        AddressBase::String(literal) => string_element(cx, literal, offset, operand.ty),
        AddressBase::Decl(id) => {
            let contents = cx.known_contents.get(&id)?.clone();
            read(cx, &contents, u64::try_from(offset).ok()?, operand.ty)
        }
        AddressBase::Label(_) | AddressBase::LabelDifference(..) => None,
    }
}

/// The bytes and addresses of a `const` structure, union or part of one that an initialiser copies.
pub fn copy<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>) -> Option<StaticInit<'a>> {
    let StaticValue::Address { base: AddressBase::Decl(id), offset } = address::address_of(cx, operand)? else {
        return None;
    };
    let size = cx.types().size_of(operand.ty)?;
    let first = u64::try_from(offset).ok()?;
    let contents = cx.known_contents.get(&id)?.clone();
    let end = first.checked_add(size).filter(|&end| end <= contents.size)?;
    let bytes = contents.bytes.get(first as usize..contents.bytes.len().min(end as usize)).unwrap_or_default();
    let mut relocs = Vec::new();
    for reloc in &contents.relocs {
        let reloc_end = reloc.offset + u64::from(reloc.size);
        if reloc.offset >= first && reloc_end <= end {
            let (base, addend) = reloc.base(cx)?;
            relocs.push(StaticReloc { offset: reloc.offset - first, size: reloc.size, base, addend, loc: operand.loc });
        } else if reloc.offset < end && first < reloc_end {
            return None;
        }
    }
    Some(StaticInit { size, bytes: cx.arena.alloc_slice_copy(bytes), relocs: cx.arena.alloc_slice_copy(&relocs) })
}

/// The scalar of a type at an offset.
fn read<'a>(cx: &mut Sema<'_, 'a>, contents: &Contents, offset: u64, ty: QualType) -> Option<StaticValue<'a>> {
    if cx.types().is_reversed(ty.ty()) {
        return None;
    }
    let size = cx.types().size_of(ty)? as usize;
    if let Some(info) = cx.types().int_info(ty.ty()).filter(|info| info.bits > wide::NARROW_BITS) {
        let limbs: Option<Vec<u64>> =
            (0..wide::limb_count(info.bits)).map(|i| Some(contents.bytes(offset + 8 * i as u64, 8)? as u64)).collect();
        let number = wide::from_wide(&limbs?, info);
        return Some(StaticValue::Constant(fold::from_number(cx, &number, ty.ty())?.0));
    }
    if size > 16 {
        return None;
    }
    if let Some(reloc) = contents.relocs.iter().find(|r| r.offset == offset && usize::from(r.size) == size) {
        if !cx.types().is_pointer(ty.ty()) {
            return None;
        }
        let (base, offset) = reloc.base(cx)?;
        return Some(StaticValue::Address { base, offset });
    }
    let bits = contents.bytes(offset, size)?;
    let value = match cx.kind(ty) {
        TypeKind::Float(_) => Constant::Float(bits),
        TypeKind::Complex(_) => {
            let half = 4 * size as u32;
            Constant::Complex([bits & ((1 << half) - 1), bits >> half])
        }
        TypeKind::Pointer(_) => Constant::Int(bits as i128),
        _ => Constant::Int(integers::wrap(bits as i128, cx.types().int_info(ty.ty())?)),
    };
    Some(StaticValue::Constant(value))
}

/// The value of a member of arithmetic type of a `constexpr` structure, union or compound literal,
/// which is a named constant as well: the `.` operator, applied any number of times (C23 6.6
/// paragraph 7).
pub fn named_constant_member<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> Option<Constant<'a>> {
    let ExprKind::Member { base, record, field } = expr.kind else { return None };
    let mut object = base;
    while let ExprKind::Member { base, .. } = object.kind {
        object = base;
    }
    let (ExprKind::Decl(id) | ExprKind::CompoundLiteral { decl: id, .. }) = object.kind else { return None };
    if !cx.unit.decls[id].flags.has(DeclFlags::CONSTEXPR) {
        return None;
    }
    let arithmetic = matches!(cx.kind(expr.ty), TypeKind::BitInt { .. } | TypeKind::Complex(_));
    if !(arithmetic || is_scalar_number(cx, expr.ty)) || expr.ty.quals().is_volatile() {
        return None;
    }
    let member = *cx.types().records[record].field(field);
    let mut offset = if member.bits.is_some() { 0 } else { member.offset };
    let mut object = base;
    while let ExprKind::Member { base, record, field } = object.kind {
        offset += cx.types().records[record].field(field).offset;
        object = base;
    }
    let contents = cx.known_contents.get(&id)?.clone();
    let value = match member.bits {
        Some(_) => read_bit_field(cx, &contents, offset, base.ty.ty(), &member)?,
        None => read(cx, &contents, offset, expr.ty)?,
    };
    match value {
        StaticValue::Constant(value) => Some(value),
        StaticValue::Address { .. } => None,
    }
}

/// A bit-field of a known object.
fn bit_field<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>) -> Option<StaticValue<'a>> {
    let ExprKind::Member { base, record, field } = operand.kind else { return None };
    let field = *cx.types().records[record].field(field);
    let StaticValue::Address { base: AddressBase::Decl(id), offset } = address::address_of(cx, base)? else {
        return None;
    };
    let contents = cx.known_contents.get(&id)?.clone();
    read_bit_field(cx, &contents, u64::try_from(offset).ok()?, base.ty.ty(), &field)
}

/// The bit-field of a record that begins at an offset.
fn read_bit_field<'a>(
    cx: &Sema<'_, 'a>,
    contents: &Contents,
    offset: u64,
    record_ty: Ty,
    field: &Field,
) -> Option<StaticValue<'a>> {
    let bits = field.bits.filter(|_| field.offset_vla.is_none())?;
    if cx.types().is_reversed(record_ty) || cx.types().is_reversed(field.ty.ty()) {
        return None;
    }
    let first = offset + bits.bit_offset / 8;
    let shift = (bits.bit_offset % 8) as u32;
    let size = (shift + bits.width).div_ceil(8) as usize;
    if bits.width > 64 || size > 16 {
        return None;
    }
    let raw = (contents.bytes(first, size)? >> shift) as i128;
    let info = cx.types().int_info(field.ty.ty())?;
    let value = integers::wrap(raw, crate::tree::IntInfo { bits: bits.width, ..info });
    if info.bits > wide::NARROW_BITS {
        let number = wide::from_narrow(value, crate::tree::IntInfo { bits: 128, ..info });
        return Some(StaticValue::Constant(fold::from_number(cx, &number, field.ty.ty())?.0));
    }
    Some(StaticValue::Constant(Constant::Int(value)))
}

/// An element of a string literal, as in `"abc"[1]`.
fn string_element<'a>(
    cx: &Sema<'_, 'a>,
    literal: &StringLit<'_>,
    offset: i64,
    ty: QualType,
) -> Option<StaticValue<'a>> {
    let size = usize::from(literal.elem_size);
    let at = usize::try_from(offset).ok().filter(|at| at % size == 0)?;
    let info = cx.types().int_info(ty.ty()).filter(|_| cx.types().size_of(ty) == Some(size as u64))?;
    let bytes = literal.bytes.get(at..at + size)?;
    let bits = bytes.iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
    Some(StaticValue::Constant(Constant::Int(integers::wrap(i128::from(bits), info))))
}
