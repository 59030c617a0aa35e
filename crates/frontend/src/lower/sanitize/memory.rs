//! Pointers: null and misaligned ones, subscripts beyond arrays, accesses beyond objects, sums that
//! wrap.

use base::Loc;
use ir::{InstView, IntCc, Intrinsic, Opcode, Type, Value, ValueDef};
use platform::options::Sanitizers;
use smallvec::{SmallVec, smallvec};

use super::{Check, Field, report_if, types};
use crate::lower::function::Fx;
use crate::lower::place::{Place, Rvalue};
use crate::lower::{expressions, statements};
use crate::tree::*;

/// What the place of an lvalue is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A load.
    Load,
    /// A store.
    Store,
    /// Its address alone.
    Address,
}

/// An access that is being lowered.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// What for.
    pub purpose: Purpose,
    /// Where it is said to happen.
    pub loc: Loc,
    /// A member or element of what is being looked at.
    pub is_part: bool,
    /// The pointer that it goes through is checked by [`catch_up`].
    pub postponed: bool,
}

/// A check of a pointer that is still to be made.
#[derive(Clone, Copy)]
pub struct Postponed {
    base: Value,
    ty: QualType,
    access: Access,
}

/// libubsan's numbers of accesses (`TypeCheckKinds`).
const LOAD: u8 = 0;
const STORE: u8 = 1;
const MEMBER: u8 = 3;

/// What is checked of places.
pub const CHECKS: Sanitizers = Sanitizers::NULL
    .with(Sanitizers::ALIGNMENT)
    .with(Sanitizers::BOUNDS)
    .with(Sanitizers::BOUNDS_STRICT)
    .with(Sanitizers::OBJECT_SIZE)
    .with(Sanitizers::POINTER_OVERFLOW);

/// Notes what the next lvalue is wanted for.
pub fn announce(fx: &mut Fx<'_, '_>, purpose: Purpose, loc: Loc) {
    if super::on(fx, CHECKS) {
        fx.access = Some(Access { purpose, loc, is_part: false, postponed: false });
    }
}

/// Lowers the left side of an assignment at `loc` before its right side. What it points to is
/// checked when both are known, as in gcc: by [`catch_up`] with the second result.
pub fn left_side<T>(fx: &mut Fx<'_, '_>, loc: Loc, lower: impl FnOnce(&mut Fx<'_, '_>) -> T) -> (T, Option<Postponed>) {
    if super::on(fx, CHECKS) {
        fx.access = Some(Access { purpose: Purpose::Store, loc, is_part: false, postponed: true });
    }
    let lvalue = lower(fx);
    (lvalue, fx.postponed_check.take())
}

/// Makes a check of [`left_side`].
pub fn catch_up(fx: &mut Fx<'_, '_>, check: Option<Postponed>) {
    if let Some(Postponed { base, ty, access }) = check {
        check_pointer(fx, base, ty, Access { postponed: false, ..access });
    }
}

/// The next lvalue is a part of what is accessed.
pub fn announce_part(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) {
    if super::on(fx, CHECKS) {
        let access =
            fx.access.unwrap_or(Access { purpose: Purpose::Load, loc: e.loc, is_part: false, postponed: false });
        fx.access = Some(Access { is_part: true, ..access });
    }
}

/// The pointer that `*pointer` (the lvalue `e`) goes through, checked.
pub fn dereference(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, pointer: ExprRef<'_>, access: Access) -> Value {
    if let Some(value) = subscript(fx, e, pointer, access) {
        return value;
    }
    let base = expressions::scalar(fx, pointer);
    check_pointer(fx, base, e.ty, access);
    base
}

/// The element of an array that `e` is, if it is one: it is the array that is accessed.
fn subscript(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, pointer: ExprRef<'_>, access: Access) -> Option<Value> {
    let decayed = |e: ExprRef<'_>| matches!(e.kind, ExprKind::Cast { kind: CastKind::ArrayToPointer, .. });
    if decayed(pointer) {
        fx.access = Some(Access { is_part: true, ..access });
        return Some(expressions::scalar(fx, pointer));
    }
    let ExprKind::PtrAdd { ptr, index, size, negate: false } = pointer.kind else { return None };
    let ExprKind::Cast { kind: CastKind::ArrayToPointer, operand: array } = ptr.kind else { return None };
    // `*(a + i)` is the sum of a pointer.
    if pointer.loc != e.loc {
        return None;
    }
    fx.access = Some(Access { is_part: true, ..access });
    let base = expressions::scalar(fx, ptr);
    fx.access = None;
    if !fx.live {
        return Some(base);
    }
    let index_ty = unconverted(index).ty.ty();
    let signed = fx.types().is_signed(index.ty.ty());
    let index = expressions::scalar(fx, index);
    let index = fx.int_cast(index, Type::I64, signed);
    let past_end = access.purpose == Purpose::Address && !access.is_part;
    let bounded = check_bounds(fx, e, array, (index, index_ty), past_end);
    let offset = expressions::scaled(fx, index, size);
    if !bounded {
        check_sum(fx, base, offset, e.loc);
    }
    Some(fx.ptradd(base, offset))
}

/// An index before its conversion to 64 bits.
fn unconverted(index: ExprRef<'_>) -> ExprRef<'_> {
    match index.kind {
        ExprKind::Cast { kind: CastKind::Integral, operand } => operand,
        _ => index,
    }
}

/// `-fsanitize=bounds`: whether the array's length is known, so that the index is checked or in
/// range. `past_end`: the address one past the end may be taken.
fn check_bounds(
    fx: &mut Fx<'_, '_>,
    e: ExprRef<'_>,
    array: ExprRef<'_>,
    (index, index_ty): (Value, Ty),
    past_end: bool,
) -> bool {
    if !super::on(fx, Sanitizers::BOUNDS.with(Sanitizers::BOUNDS_STRICT)) {
        return false;
    }
    let TypeKind::Array { len, .. } = fx.types().kind(array.ty.ty()) else { return false };
    if !super::on(fx, Sanitizers::BOUNDS_STRICT) && is_flexible(fx, array) {
        return false;
    }
    let bound = match len {
        ArrayLen::Constant(n) => fx.iconst(Type::I64, n as i64),
        ArrayLen::Variable(vla) => {
            let slot = statements::vla_slot(fx, vla);
            fx.load(Type::I64, slot, ir::AliasTags::any())
        }
        ArrayLen::Incomplete | ArrayLen::Star => return false,
    };
    let beyond = fx.icmp(if past_end { IntCc::Ugt } else { IntCc::Uge }, index, bound);
    let array_ty = array.ty.ty();
    report_if(fx, Check::new(Sanitizers::BOUNDS, "out_of_bounds"), &[beyond], |fx| {
        let (array, number) = (types::array(fx, array_ty), types::value(fx, index_ty));
        (smallvec![Field::Loc(e.loc), Field::Type(array), Field::Type(number)], smallvec![index])
    });
    true
}

/// The last member of a structure that a pointer points to may be used as if it had any length.
fn is_flexible(fx: &Fx<'_, '_>, array: ExprRef<'_>) -> bool {
    let mut cur = array;
    while let ExprKind::Member { base, record, field } = cur.kind {
        let record = &fx.types().records[record];
        if record.kind == RecordKind::Struct && (field as usize + 1) < record.fields.len() {
            return false;
        }
        cur = base;
    }
    let through_pointer = match cur.kind {
        ExprKind::Deref(pointer) => {
            !matches!(pointer.kind, ExprKind::PtrAdd { ptr, .. } if is_variable(ptr)) && !is_variable(pointer)
        }
        _ => false,
    };
    !std::ptr::eq(cur, array) && through_pointer
}

/// The decayed name of a variable, or an element of one.
fn is_variable(pointer: ExprRef<'_>) -> bool {
    let ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } = pointer.kind else { return false };
    let mut cur = operand;
    loop {
        match cur.kind {
            ExprKind::Member { base, .. } => cur = base,
            ExprKind::Decl(_) => return true,
            _ => return false,
        }
    }
}

/// `-fsanitize=null` and `alignment` of an access to an object of type `ty` at `base`.
fn check_pointer(fx: &mut Fx<'_, '_>, base: Value, ty: QualType, access: Access) {
    let checks = Sanitizers::NULL.with(Sanitizers::ALIGNMENT);
    let is_record = fx.types().is_record(ty.ty());
    if !super::on(fx, checks)
        || access.purpose == Purpose::Address && !access.is_part
        || crate::lower::segments::of(fx, ty).is_some()
        || matches!(fx.types().kind(ty.ty()), TypeKind::Function(_) | TypeKind::Void)
    {
        return;
    }
    if access.postponed {
        fx.postponed_check = Some(Postponed { base, ty, access });
        return;
    }
    let (mut bad, mut groups): (SmallVec<[Value; 2]>, _) = (SmallVec::new(), Sanitizers::NONE);
    if super::on(fx, Sanitizers::NULL) && !is_object(fx, base) {
        bad.push(fx.icmp_imm(IntCc::Eq, base, 0));
        groups = groups.with(Sanitizers::NULL);
    }
    let align = fx.types().align_of(ty).max(1);
    let checked_align = if super::on(fx, Sanitizers::ALIGNMENT) { align } else { 1 };
    if checked_align > 1 && known_align(fx, base) < align {
        let number = fx.ptr_to_int(base);
        let low = fx.int_op_imm(Opcode::And, 0, number, align as i64 - 1);
        bad.push(fx.icmp_imm(IntCc::Ne, low, 0));
        groups = groups.with(Sanitizers::ALIGNMENT);
    }
    let kind = match access.purpose {
        _ if access.is_part && is_record => MEMBER,
        Purpose::Store => STORE,
        _ => LOAD,
    };
    report_if(fx, Check::new(groups, "type_mismatch_v1"), &bad, |fx| {
        let descriptor = types::pointee(fx, ty);
        let log_align = checked_align.trailing_zeros() as u8;
        let fields = [Field::Loc(access.loc), Field::Type(descriptor), Field::Byte(log_align), Field::Byte(kind)];
        (SmallVec::from_slice(&fields), smallvec![base])
    });
}

/// The address of an object of the program's, not what some pointer holds.
fn is_object(fx: &Fx<'_, '_>, base: Value) -> bool {
    let root = root(fx, base);
    fx.func.const_symbol(root).is_some() || matches!(defined_by(fx, root), Some(InstView::Alloca { .. }))
}

fn known_align(fx: &Fx<'_, '_>, base: Value) -> u32 {
    match defined_by(fx, base) {
        Some(InstView::Alloca { align_log2, .. }) => 1 << align_log2,
        _ => 1,
    }
}

fn defined_by(fx: &Fx<'_, '_>, value: Value) -> Option<InstView> {
    match fx.func.value_def(value) {
        ValueDef::Result(inst, 0) => Some(fx.func.view(inst)),
        _ => None,
    }
}

/// What sums of a pointer begin with.
fn root(fx: &Fx<'_, '_>, mut value: Value) -> Value {
    while let Some(InstView::Binary { op: Opcode::PtrAdd, a, .. }) = defined_by(fx, value) {
        value = a;
    }
    value
}

/// `-fsanitize=pointer-overflow`: `base + offset` does not wrap. gcc says nothing of a null pointer
/// that something is added to.
pub fn check_sum(fx: &mut Fx<'_, '_>, base: Value, offset: Value, loc: Loc) {
    if !super::on(fx, Sanitizers::POINTER_OVERFLOW) || fx.const_int(offset) == Some(0) {
        return;
    }
    let number = fx.ptr_to_int(base);
    let bad = match fx.const_int(offset).map(|bits| bits as i64) {
        Some(offset) => {
            let limit = offset.wrapping_neg();
            fx.icmp_imm(if offset < 0 { IntCc::Ult } else { IntCc::Uge }, number, limit)
        }
        None => {
            let sum = fx.int_op(Opcode::Add, 0, number, offset);
            let wraps = fx.icmp(IntCc::Ult, sum, number);
            let backwards = fx.icmp_imm(IntCc::Slt, offset, 0);
            fx.int_op(Opcode::Xor, 0, wraps, backwards)
        }
    };
    report_if(fx, Check::new(Sanitizers::POINTER_OVERFLOW, "pointer_overflow"), &[bad], |fx| {
        let sum = fx.int_op(Opcode::Add, 0, number, offset);
        let (base, sum) = (fx.int_to_ptr(number), fx.int_to_ptr(sum));
        (smallvec![Field::Loc(loc)], smallvec![base, sum])
    });
}

/// The member at `offset` bytes from a pointer.
pub fn check_member(fx: &mut Fx<'_, '_>, base: Value, offset: i64, loc: Loc) {
    if offset != 0 && super::on(fx, Sanitizers::POINTER_OVERFLOW) && !is_object(fx, base) {
        let offset = fx.iconst(Type::I64, offset);
        check_sum(fx, base, offset, loc);
    }
}

/// `-fsanitize=pointer-compare` and `pointer-subtract`: the runtime of the address sanitizer says
/// whether two pointers are into one object.
pub fn check_pair(fx: &mut Fx<'_, '_>, which: Sanitizers, a: Rvalue, b: Rvalue) {
    let (Rvalue::Scalar(a), Rvalue::Scalar(b)) = (a, b) else { return };
    if !super::on(fx, which) || !super::on(fx, Sanitizers::ANY_ADDRESS) {
        return;
    }
    let name = if which == Sanitizers::POINTER_COMPARE { "__sanitizer_ptr_cmp" } else { "__sanitizer_ptr_sub" };
    super::call(fx, name, &[a, b], true);
}

/// Notes that `base` is an object of this declaration, for [`check_size`]. What nested functions
/// use lies in one object with other variables.
pub fn note_size(fx: &mut Fx<'_, '_>, base: Value, decl: DeclId) {
    if super::on(fx, Sanitizers::OBJECT_SIZE) && !fx.unit.decls[decl].flags.has(DeclFlags::CAPTURED) {
        let ty = fx.unit.decls[decl].ty;
        let exact = !fx.types().record_of(ty.ty()).is_some_and(|record| record.has_flexible_array);
        if let Some(size) = fx.types().size_of(ty).filter(|_| exact) {
            fx.object_sizes.insert(base, size);
        }
    }
}

/// `-fsanitize=object-size`: an access to an object of type `ty` at `place` stays within the object
/// that the address is of.
pub fn check_size(fx: &mut Fx<'_, '_>, place: Place, ty: QualType, access: Access) {
    if !super::on(fx, Sanitizers::OBJECT_SIZE) || access.purpose == Purpose::Address || place.segment.is_some() {
        return;
    }
    let Some(size) = fx.types().size_of(ty).filter(|&size| size > 0) else { return };
    let root = root(fx, place.base);
    let object = fx.func.const_symbol(root).map_or(root, |(symbol, _)| fx.func.symbol_const(symbol, 0));
    let known = fx.object_sizes.get(&object).copied().or_else(|| match defined_by(fx, root) {
        Some(InstView::Alloca { size, .. }) => Some(size),
        _ => None,
    });
    if known.is_none() && !fx.optimizing() || known.is_some() && root == place.base && place.offset >= 0 {
        let end = place.offset as u64 + size;
        let inside = fx.func.const_symbol(root).is_none_or(|(_, addend)| addend >= 0);
        if known.is_none_or(|known| inside && end <= known) {
            return;
        }
    }
    let address = fx.pointer(place);
    let (number, start) = (fx.ptr_to_int(address), fx.ptr_to_int(object));
    let before = fx.int_op(Opcode::Sub, 0, number, start);
    let end = fx.int_op_imm(Opcode::Add, 0, before, size as i64);
    let bytes = match known {
        Some(known) => fx.iconst(Type::I64, known as i64),
        None => {
            let mode = fx.iconst(Type::I64, 4 | 8);
            expressions::intrinsic(fx, Intrinsic::ObjectSize, Type::I64, &[object, mode])
        }
    };
    // gcc says nothing of accesses before the object.
    let beyond = fx.icmp(IntCc::Ugt, end, bytes);
    let forwards = fx.icmp_imm(IntCc::Sge, end, 0);
    let bad = fx.int_op(Opcode::And, 0, beyond, forwards);
    let kind = if access.purpose == Purpose::Store { STORE } else { LOAD };
    report_if(fx, Check::new(Sanitizers::OBJECT_SIZE, "type_mismatch_v1"), &[bad], |fx| {
        let descriptor = types::pointee(fx, ty);
        let fields = [Field::Loc(access.loc), Field::Type(descriptor), Field::Byte(0), Field::Byte(kind)];
        (SmallVec::from_slice(&fields), smallvec![address])
    });
}
