//! Lvalues: where they are, reading and writing them.

use ir::{FnAttrs, Opcode, Type, Value, flags};

use platform::registers::Reg;

use super::function::{Fx, Local};
use super::place::{Lvalue, Place, Rvalue};
use super::sanitize::memory::{Access, Purpose};
use super::shapes::{Shape, odd_width, scalar_type, shape};
use super::{
    alias_tags, atomics, bit_int, bitfields, expressions, global_registers, initializers, nested, sanitize, segments,
    statements,
};
use crate::tree::*;

/// What an lvalue expression designates. Rvalues of record type are accepted too: they are in
/// memory.
pub fn lower(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) -> Lvalue {
    if let ExprKind::Member { base, record, field } = strip(e).kind
        && let Some(bits) = fx.types().records[record].field(field).bits
    {
        sanitize::memory::announce_part(fx, e);
        let place = place(fx, base);
        let place = variable_offset(fx, place, record, field);
        return Lvalue::Bits(union_member(fx, place, record), bits);
    }
    if let ExprKind::Decl(decl) = strip(e).kind
        && let Some(reg) = global_registers::register_of(fx, decl)
    {
        return Lvalue::Register(reg);
    }
    Lvalue::Memory(place(fx, e))
}

/// Looks through conversions that change nothing.
pub fn strip(mut e: ExprRef<'_>) -> ExprRef<'_> {
    while let ExprKind::Cast { kind: CastKind::NoOp, operand } = e.kind {
        e = operand;
    }
    e
}

fn union_member(fx: &Fx<'_, '_>, place: Place, record: RecordId) -> Place {
    let any = place.any_alias || fx.types().records[record].kind == RecordKind::Union;
    Place { any_alias: any, ..place }
}

/// The run-time part of a member's offset.
fn variable_offset(fx: &mut Fx<'_, '_>, place: Place, record: RecordId, field: u32) -> Place {
    let field = *fx.types().records[record].field(field);
    let Some(vla) = field.offset_vla else { return place };
    let align = if field.packed || field.bits.is_some() { 1 } else { fx.types().align_of(field.ty) };
    let slot = statements::vla_slot(fx, vla);
    let offset = fx.load(Type::I64, slot, ir::AliasTags::any());
    let base = fx.pointer(place);
    let base = fx.ptradd(base, offset);
    Place { base, offset: 0, base_align: place.align().min(align.max(1)), neighbours: 0, path: None, ..place }
}

/// The place of an lvalue that has an address (elements of vectors and parts of complex objects in
/// memory included).
pub fn place(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) -> Place {
    let access =
        fx.access.take().unwrap_or(Access { purpose: Purpose::Load, loc: e.loc, is_part: false, postponed: false });
    // Members and elements are peeled off first, so that long chains cost no recursion.
    let mut spine: smallvec::SmallVec<[ExprRef<'_>; 8]> = smallvec::SmallVec::new();
    let mut cur = e;
    loop {
        match cur.kind {
            ExprKind::Member { base, .. } => {
                spine.push(cur);
                cur = base;
            }
            ExprKind::VectorElement { base, .. } if cur.is_lvalue() => {
                spine.push(cur);
                cur = base;
            }
            ExprKind::Unary { op: UnaryOp::Real | UnaryOp::Imag, operand } if cur.is_lvalue() => {
                spine.push(cur);
                cur = operand;
            }
            ExprKind::Cast { kind: CastKind::NoOp, operand }
                if operand.is_lvalue() || fx.types().is_record(operand.ty.ty()) =>
            {
                cur = operand;
            }
            _ => break,
        }
    }
    let is_part = access.is_part || !spine.is_empty();
    let mut place = root_place(fx, cur, Access { is_part, ..access });
    place.segment = segments::of(fx, cur.ty).or(place.segment);
    let (root, through_pointer) = (place.base, matches!(cur.kind, ExprKind::Deref(_)));
    while let Some(node) = spine.pop() {
        place = match node.kind {
            ExprKind::Member { record, field, .. } => {
                let place = union_member(fx, place, record);
                let place = variable_offset(fx, place, record, field);
                let place = place.offset(fx.types().records[record].field(field).offset as i64);
                Place { neighbours: neighbours(fx, record, field), ..place }
            }
            ExprKind::VectorElement { index, .. } => {
                let size = fx.types().size_of(node.ty).unwrap_or(1);
                let index = expressions::scalar(fx, index);
                element(fx, place, index, size)
            }
            ExprKind::Unary { op: UnaryOp::Imag, .. } => place.offset(fx.types().size_of(node.ty).unwrap_or(0) as i64),
            _ => place,
        };
    }
    if sanitize::on(fx, sanitize::memory::CHECKS) {
        if through_pointer && place.base == root {
            sanitize::memory::check_member(fx, root, place.offset, access.loc);
        }
        if !access.is_part {
            sanitize::memory::check_size(fx, place, e.ty, access);
        }
    }
    Place { path: alias_tags::path(fx, e), ..place }
}

/// Whether a member of a structure, a pointer or integer, has neighbours of its size: who reads it
/// reads an object that holds them too. (gcc relies on that in `-fhoist-adjacent-loads`.)
fn neighbours(fx: &Fx<'_, '_>, record: RecordId, index: u32) -> u8 {
    let types = fx.types();
    let record = &types.records[record];
    let size_of = |field: &Field| {
        let ty = field.ty.ty();
        let movable =
            (types.is_pointer(ty) || types.is_integer(ty)) && field.bits.is_none() && field.offset_vla.is_none();
        types.size_of(field.ty).filter(|size| movable && matches!(size, 4 | 8))
    };
    let field = record.field(index);
    if !fx.optimizing() || record.kind == RecordKind::Union {
        return 0;
    }
    let Some(size) = size_of(field) else { return 0 };
    let is_at = |other: Option<&Field>, offset: Option<u64>| {
        other.is_some_and(|other| Some(other.offset) == offset && size_of(other) == Some(size))
    };
    let previous = (index as usize).checked_sub(1).and_then(|i| record.fields.get(i));
    let next = record.fields.get(index as usize + 1);
    let mut found = 0;
    if is_at(previous, field.offset.checked_sub(size)) {
        found |= flags::WITH_PREVIOUS;
    }
    if is_at(next, field.offset.checked_add(size)) {
        found |= flags::WITH_NEXT;
    }
    found
}

/// The element number `index` (i64) of `size` bytes.
pub fn element(fx: &mut Fx<'_, '_>, place: Place, index: Value, size: u64) -> Place {
    if let Some(index) = fx.const_int(index) {
        return place.offset((index as i64).wrapping_mul(size as i64));
    }
    let offset = expressions::scale(fx, index, size);
    let base = fx.pointer(place);
    let base = fx.ptradd(base, offset);
    let align = place.align().min(1 << size.trailing_zeros().min(16));
    Place { base, offset: 0, base_align: align, neighbours: 0, path: None, ..place }
}

fn root_place(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, access: Access) -> Place {
    fx.loc = match fx.places.value.take() {
        Some(loc) => loc,
        None if e.loc.is_none() => fx.loc,
        None => e.loc,
    };
    match e.kind {
        ExprKind::Decl(decl) => {
            let place = variable(fx, decl);
            sanitize::memory::note_size(fx, place.base, decl);
            place
        }
        ExprKind::String(literal) => {
            let symbol = fx.state.string(fx.options, literal.bytes, literal.elem_size);
            Place::new(fx.func.symbol_const(symbol, 0), literal.elem_size as u32)
        }
        ExprKind::Deref(pointer) => {
            // What is dereferenced at once, nobody asks the size of.
            super::bounds::check(fx, pointer);
            let outer = std::mem::replace(&mut fx.unnoted, true);
            let base = if sanitize::on(fx, sanitize::memory::CHECKS) {
                sanitize::memory::dereference(fx, e, pointer, access)
            } else {
                expressions::scalar(fx, pointer)
            };
            fx.unnoted = outer;
            let place = pointee(fx, base, e.ty);
            let Around { align, in_union } = around(fx, pointer);
            Place { base_align: place.base_align.min(align), any_alias: place.any_alias || in_union, ..place }
        }
        ExprKind::CompoundLiteral { decl, init } => {
            let place = variable(fx, decl);
            super::scopes::declare_literal(fx, decl, place);
            initializers::initialize(fx, decl, place, init);
            place
        }
        ExprKind::WithBounds { bounds, value } => {
            statements::lower_bounds(fx, bounds);
            fx.access = Some(access);
            place(fx, value)
        }
        ExprKind::Comma { lhs, rhs } if e.is_lvalue() => {
            expressions::effect(fx, lhs);
            fx.access = Some(access);
            place(fx, rhs)
        }
        _ => {
            let value = expressions::rvalue(fx, e);
            match value {
                Rvalue::Memory(place) => place,
                other => spill(fx, other, e.ty.ty()),
            }
        }
    }
}

/// How far the objects around a nested access are looked at.
const MAX_STEPS_AROUND: u32 = 64;

/// What the objects tell that an array lies in.
struct Around {
    /// The alignment that the declarations guarantee: in a packed structure less than the element
    /// type's.
    align: u32,
    /// Whether the array is in a union: its elements share their memory with other members.
    in_union: bool,
}

/// The objects around the array that a pointer leads into. Without an array there is no limit; of
/// more than [`MAX_STEPS_AROUND`] nested accesses, whose enclosing ones ask again, nothing is
/// known.
fn around(fx: &Fx<'_, '_>, pointer: ExprRef<'_>) -> Around {
    let types = fx.types();
    let (mut limit, mut in_union, mut cur) = (1 << 16, false, pointer);
    let known = |limit: u32, multiple: u64| {
        if multiple == 0 { limit } else { limit.min(1 << multiple.trailing_zeros().min(16)) }
    };
    for _ in 0..MAX_STEPS_AROUND {
        match cur.kind {
            ExprKind::PtrAdd { ptr, size, .. } => {
                if let ElementSize::Constant(size) = size {
                    limit = known(limit, size);
                }
                cur = ptr;
            }
            ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => {
                let mut lvalue = operand;
                while let ExprKind::Member { base, record, field } = lvalue.kind {
                    let record = &types.records[record];
                    limit = known(limit, record.field(field).offset);
                    in_union |= record.kind == RecordKind::Union;
                    lvalue = base;
                }
                limit = limit.min(types.align_of(lvalue.ty).max(1));
                let ExprKind::Deref(pointer) = lvalue.kind else { return Around { align: limit, in_union } };
                cur = pointer;
            }
            _ => return Around { align: limit, in_union },
        }
    }
    Around { align: 1, in_union: true }
}

/// The object of type `ty` that `base` points to.
pub fn pointee(fx: &Fx<'_, '_>, base: Value, ty: QualType) -> Place {
    let any_alias = fx.types().may_alias(ty.ty());
    Place { any_alias, segment: segments::of(fx, ty), ..Place::new(base, fx.types().align_of(ty)) }
}

/// A copy of the stack pointer, for a variable that is bound to it. Nothing assigns to one.
fn stack_pointer(fx: &mut Fx<'_, '_>) -> Place {
    let value = fx.b().nullary(Opcode::StackSave, Type::PTR);
    let place = fx.temp(8, 8);
    fx.store(value, place, ir::AliasTags::any());
    Place { any_alias: true, ..place }
}

/// The general register of a local register variable without initialiser that nothing sets: gcc
/// promises nothing of one but as an operand of `asm`, yet what its programs read is the register.
pub fn never_set(fx: &Fx<'_, '_>, decl: DeclId) -> Option<Reg> {
    let info = &fx.unit.decls[decl];
    let flags = info.flags;
    let changed = [DeclFlags::SET, DeclFlags::ADDRESS_TAKEN, DeclFlags::CAPTURED].iter().any(|&flag| flags.has(flag));
    let name = info.asm_name.filter(|_| flags.has(DeclFlags::REGISTER) && !changed)?;
    let local = info.kind == DeclKind::Variable && info.duration == StorageDuration::Automatic;
    let word =
        matches!(scalar_type(fx.types(), info.ty.ty()), Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::PTR);
    super::asm::named_register(fx.session.str(name)).filter(|reg| local && word && reg.is_gpr())
}

/// A copy of what a register holds.
fn register_content(fx: &mut Fx<'_, '_>, reg: Reg, decl: DeclId) -> Place {
    let ty = fx.unit.decls[decl].ty;
    let value = super::global_registers::read(fx, reg, ty.ty());
    let place = fx.temp(8, 8);
    fx.store(value, place, ir::AliasTags::any());
    Place { any_alias: true, ..place }
}

/// The place of a variable.
pub fn variable(fx: &mut Fx<'_, '_>, decl: DeclId) -> Place {
    if fx.unit.decls[decl].flags.has(DeclFlags::REGISTER)
        && let Some(name) = fx.unit.decls[decl].asm_name
        && super::asm::named_register(fx.session.str(name)) == Some(platform::registers::RSP)
    {
        return stack_pointer(fx);
    }
    match fx.locals.get(&decl) {
        Some(&Local::At(place)) => return place,
        Some(&Local::Indirect(slot)) => {
            let slot = Place::new(slot, 8);
            let base = fx.load(Type::PTR, slot, ir::AliasTags::any());
            return Place::new(base, vla_align(fx, decl));
        }
        Some(&Local::Register(reg)) => return register_content(fx, reg, decl),
        None => {}
    }
    let info = fx.unit.decls[decl];
    match info.duration {
        StorageDuration::Automatic => {
            if let Some(place) = nested::outer_variable(fx, decl) {
                return place;
            }
            if info.function.expand().is_some_and(|f| f != fx.def.decl) {
                fx.not_supported("this use of an enclosing function's variable");
            }
            // A variable whose declaration was not passed: jumped over, or used in its own bounds.
            let place = super::scopes::allocate(fx, decl);
            fx.locals.insert(decl, Local::At(place));
            place
        }
        duration => {
            if info.flags.has(DeclFlags::REGISTER) && info.flags.has(DeclFlags::FILE_SCOPE) {
                fx.not_supported("this use of a global register variable");
            }
            let symbol = fx.symbol(decl);
            let align = super::data_alignment::assumed(fx.unit, fx.options, decl);
            let base = if duration == StorageDuration::Thread {
                fx.b().tls_addr(symbol)
            } else {
                fx.func.symbol_const(symbol, 0)
            };
            Place::new(base, align)
        }
    }
}

/// Alignment of a variable-length array's storage.
pub fn vla_align(fx: &Fx<'_, '_>, decl: DeclId) -> u32 {
    let info = &fx.unit.decls[decl];
    fx.object_align(info.ty).max(info.align).max(16)
}

fn access_flags(ty: QualType) -> u8 {
    if ty.quals().is_volatile() { flags::VOLATILE } else { 0 }
}

/// Reads an lvalue of type `ty`.
pub fn read(fx: &mut Fx<'_, '_>, lvalue: Lvalue, ty: QualType) -> Rvalue {
    match lvalue {
        Lvalue::Memory(place) => load(fx, place, ty),
        Lvalue::Bits(place, bits) if bit_int::is_wide(fx, ty.ty()) => bit_int::load_field(fx, place, bits, ty),
        Lvalue::Bits(place, bits) => Rvalue::Scalar(bitfields::load(fx, place, bits, ty)),
        Lvalue::Register(reg) => Rvalue::Scalar(global_registers::read(fx, reg, ty.ty())),
    }
}

/// Writes an lvalue of type `ty`; the answer is the value it has then.
pub fn write(fx: &mut Fx<'_, '_>, lvalue: Lvalue, ty: QualType, value: Rvalue) -> Rvalue {
    match (lvalue, value) {
        (Lvalue::Memory(place), _) => {
            store(fx, place, ty, value);
            value
        }
        (Lvalue::Bits(place, bits), Rvalue::Scalar(value)) => {
            Rvalue::Scalar(bitfields::store(fx, place, bits, ty, value))
        }
        (Lvalue::Bits(place, bits), Rvalue::Memory(from)) if bit_int::is_wide(fx, ty.ty()) => {
            bit_int::store_field(fx, place, bits, from);
            bit_int::load_field(fx, place, bits, ty)
        }
        (Lvalue::Register(reg), Rvalue::Scalar(scalar)) => {
            global_registers::write(fx, reg, scalar);
            value
        }
        (Lvalue::Bits(..) | Lvalue::Register(_), _) => value,
    }
}

/// Reads an object.
pub fn load(fx: &mut Fx<'_, '_>, place: Place, ty: QualType) -> Rvalue {
    if ty.quals().is_atomic() {
        refuse_reversed_atomic(fx, ty.ty());
        return atomics::load(fx, place, ty.ty(), ir::Ordering::SeqCst);
    }
    match shape(fx.types(), ty.ty()) {
        Shape::Void => Rvalue::Void,
        Shape::Scalar(scalar) => {
            let tag = alias_tags::of_access(fx, place, ty.ty());
            let value = fx.load_flags(scalar, place, tag, access_flags(ty) | place.neighbours);
            let value = in_storage_order(fx, value, ty.ty());
            Rvalue::Scalar(normalize(fx, value, ty.ty()))
        }
        Shape::Complex(part) => {
            let tag = alias_tags::of_access(fx, place, ty.ty());
            let re = fx.load_flags(part, place, tag, access_flags(ty));
            let im = fx.load_flags(part, place.offset(part.alloc_size() as i64), tag, access_flags(ty));
            let re = in_storage_order(fx, re, ty.ty());
            Rvalue::Complex(re, in_storage_order(fx, im, ty.ty()))
        }
        Shape::Memory if ty.quals().is_volatile() || place.segment.is_some() => {
            let Some(layout) = fx.types().layout(ty) else { return Rvalue::Memory(place) };
            let temp = fx.temp(layout.size, layout.align);
            fx.copy(temp, place, layout.size, true);
            Rvalue::Memory(temp)
        }
        Shape::Memory => Rvalue::Memory(place),
    }
}

/// Writes an object.
pub fn store(fx: &mut Fx<'_, '_>, place: Place, ty: QualType, value: Rvalue) {
    if ty.quals().is_atomic() {
        refuse_reversed_atomic(fx, ty.ty());
        return atomics::store(fx, place, ty.ty(), value, ir::Ordering::SeqCst);
    }
    match value {
        Rvalue::Void => {}
        Rvalue::Scalar(v) => {
            let tag = alias_tags::of_access(fx, place, ty.ty());
            let v = in_storage_order(fx, v, ty.ty());
            fx.store_flags(v, place, tag, access_flags(ty));
        }
        Rvalue::Complex(re, im) => {
            let tag = alias_tags::of_access(fx, place, ty.ty());
            let size = fx.ty(re).alloc_size() as i64;
            let (re, im) = (in_storage_order(fx, re, ty.ty()), in_storage_order(fx, im, ty.ty()));
            fx.store_flags(re, place, tag, access_flags(ty));
            fx.store_flags(im, place.offset(size), tag, access_flags(ty));
        }
        Rvalue::Memory(from) => {
            copy(fx, place, from, ty, ty.quals().is_volatile());
        }
    }
}

/// Atomic members in the foreign storage order are not there.
fn refuse_reversed_atomic(fx: &mut Fx<'_, '_>, ty: Ty) {
    if fx.types().is_reversed(ty) {
        fx.not_supported("an atomic object in reverse storage order");
    }
}

/// Swaps the bytes of a scalar, or of a part of a complex value, between register and memory when
/// its type `ty` has the foreign storage order. gcc has no such x87 numbers either.
fn in_storage_order(fx: &mut Fx<'_, '_>, value: Value, ty: Ty) -> Value {
    if !fx.types().is_reversed(ty) {
        return value;
    }
    let scalar = fx.ty(value);
    if scalar == Type::F80 {
        fx.not_supported("reverse storage order of 'long double'");
        return value;
    }
    if scalar.bits() <= 8 {
        return value;
    }
    let bits = Type::int(scalar.bits()).unwrap_or(scalar);
    let raw = if bits == scalar { value } else { fx.b().unary(Opcode::Bitcast, bits, value) };
    let swapped = fx.b().unary(Opcode::Bswap, bits, raw);
    if bits == scalar { swapped } else { fx.b().unary(Opcode::Bitcast, scalar, swapped) }
}

/// Copies a whole object, whose size may be known at run time only.
pub fn copy(fx: &mut Fx<'_, '_>, to: Place, from: Place, ty: QualType, volatile: bool) {
    if !fx.types().is_vla(ty.ty()) {
        let size = fx.types().size_of(ty).unwrap_or(0);
        if to.path.or(from.path).is_some() && !volatile && to.segment.or(from.segment).is_none() {
            return copy_union(fx, to, from, size);
        }
        return fx.copy(to, from, size, volatile);
    }
    if to.segment.or(from.segment).is_some() {
        fx.not_supported("variable-length arrays in named address spaces");
    }
    let align = to.align().min(from.align());
    let (dst, src) = (fx.address(to), fx.address(from));
    let size = statements::type_size(fx, ty.ty());
    fx.b().mem_op(Opcode::MemMove, dst, src, size, align, volatile);
}

/// Copies a union that has a place with a path: by one load and store, which say of the records
/// around what a block copy cannot, if it is as long as an integer.
fn copy_union(fx: &mut Fx<'_, '_>, to: Place, from: Place, size: u64) {
    let word = match size {
        1 => Type::I8,
        2 => Type::I16,
        4 => Type::I32,
        8 => Type::I64,
        _ => return fx.copy(to, from, size, false),
    };
    let any = ir::AliasTags::any();
    let tags = [from, to].map(|place| place.path.map_or(any, |path| fx.state.module.alias_tags.member(any, path)));
    let value = fx.load(word, from, tags[0]);
    fx.store(value, to, tags[1]);
}

/// Memory for a value of the type, for the rest of the full expression; of variable size, for the
/// rest of the function.
pub fn temporary(fx: &mut Fx<'_, '_>, ty: Ty) -> Place {
    if fx.types().is_vla(ty) {
        let size = statements::type_size(fx, ty);
        let align = fx.types().align_of(ty).max(16);
        return Place::new(fx.b().dyn_alloca(size, align), align);
    }
    let layout = fx.types().layout(ty.into()).unwrap_or(platform::data_layout::LONG);
    fx.temp(layout.size, layout.align)
}

/// A value in memory of its own, for the rest of the full expression.
pub fn spill(fx: &mut Fx<'_, '_>, value: Rvalue, ty: Ty) -> Place {
    if let Rvalue::Memory(place) = value {
        return place;
    }
    let temp = temporary(fx, ty);
    store(fx, temp, ty.into(), value);
    temp
}

/// A copy of a value that later side effects do not change.
pub fn stable(fx: &mut Fx<'_, '_>, value: Rvalue, ty: Ty) -> Rvalue {
    let Rvalue::Memory(place) = value else { return value };
    if fx.types().layout(ty.into()).is_none() && !fx.types().is_vla(ty) {
        return value;
    }
    let temp = temporary(fx, ty);
    copy(fx, temp, place, ty.into(), false);
    Rvalue::Memory(temp)
}

/// Extends the value bits of a `_BitInt` over its container.
pub fn normalize(fx: &mut Fx<'_, '_>, value: Value, ty: Ty) -> Value {
    let Some((bits, signed)) = odd_width(fx.types(), ty) else { return value };
    extend_in_register(fx, value, bits, signed)
}

/// The low `bits` of an integer, extended to its width.
pub fn extend_in_register(fx: &mut Fx<'_, '_>, value: Value, bits: u32, signed: bool) -> Value {
    let ty = fx.ty(value);
    if bits >= ty.bits() {
        return value;
    }
    if signed {
        let by = (ty.bits() - bits) as i64;
        let up = fx.int_op_imm(Opcode::Shl, 0, value, by);
        fx.int_op_imm(Opcode::AShr, 0, up, by)
    } else {
        let mask = fx.func.bits_const(ty, (1u128 << bits) - 1);
        fx.int_op(Opcode::And, 0, value, mask)
    }
}

/// The address of a function designator.
pub fn function_address(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) -> Value {
    match strip(e).kind {
        ExprKind::Decl(decl) => nested::function_pointer(fx, decl),
        ExprKind::Deref(pointer) => expressions::scalar(fx, pointer),
        ExprKind::Cast { kind: CastKind::FunctionToPointer, operand } => function_address(fx, operand),
        _ => expressions::scalar(fx, e),
    }
}

impl Fx<'_, '_> {
    /// The symbol of a variable or function, referenced from now on.
    pub fn symbol(&mut self, decl: DeclId) -> ir::SymbolId {
        if !self.live {
            return self.state.symbol(self.unit, self.session, self.options, decl);
        }
        self.state.reference(self.unit, self.session, self.options, decl)
    }

    /// What callers of `decl` may rely on.
    pub fn function_attrs(&self, decl: DeclId) -> FnAttrs {
        super::attributes::function_attrs(self.unit, self.session, decl)
    }

    /// The IR type of a scalar C type.
    pub fn scalar_type(&self, ty: Ty) -> Type {
        scalar_type(&self.unit.types, ty)
    }
}
