//! Initialisation (C23 6.7.11): designators, brace elision, strings, arrays of unknown length, flexible array members.
//!
//! The parser walks the initialiser and calls [`open`], [`close`], the designator functions and [`value`] in source order;
//! a stack of [`Level`]s follows the current object, with implicit levels where braces were left out. What comes out is a
//! flat list of stores, or, for static objects, bytes and relocations written as the values arrive, so that a table of a
//! million numbers needs memory for its bytes only.

use base::{Loc, warning};

use super::builtins::operations::has_side_effects;
use super::constants::address::{self, StaticValue};
use super::constants::fold::{self, Constant};
use super::constants::{known, wide};
use super::conversions::{self, AssignContext};
use super::repeats::Repeat;
use super::{Sema, static_data::StaticData, types};
use crate::tree::{
    AggregateInit, ArrayLen, CastKind, ExprFlags, ExprKind, ExprRef, InitItem, Initializer, Name, QualType, RecordId,
    RecordKind, StaticInit, Ty, TypeKind,
};

/// Automatic aggregates with constant values only, of at least this many bytes, are copied from read-only data: below,
/// a few stores are shorter than the copy.
const CONSTANT_COPY_SIZE: u64 = 64;

/// An initialiser under construction.
pub struct InitBuilder<'a> {
    root: QualType,
    is_static: bool,
    /// Name in quotes, for messages; may be empty.
    what: String,
    stack: Vec<Level>,
    items: Vec<InitItem<'a>>,
    data: StaticData<'a>,
    /// End of the furthest store: stores before it may override others.
    high_water: u64,
    /// Elements of an array of unknown length, or of a flexible array member.
    length: u64,
    failed: bool,
    /// Bytes a flexible array member adds.
    extra_end: u64,
    /// Places of the open braces.
    braces: Vec<Loc>,
    /// An object was begun without a brace of its own.
    lacks_braces: bool,
    /// Values so far, and whether one of them is not 0.
    values: u64,
    is_zero: bool,
}

/// An object whose parts are being initialised.
struct Level {
    ty: QualType,
    offset: u64,
    kind: LevelKind,
    /// Opened by a brace.
    explicit: bool,
    /// Next element or member index.
    next: u64,
    /// Elements the next value goes to (range designators).
    range: u64,
    /// Repetition inherited from range designators further out.
    repeat: Repeat,
}

#[derive(Clone, Copy)]
enum LevelKind {
    Array {
        elem: QualType,
        size: u64,
        len: Option<u64>,
    },
    Record {
        id: RecordId,
        is_union: bool,
    },
    Vector {
        elem: Ty,
        lanes: u64,
    },
    Scalar,
    /// Swallows what an error or an excess brace encloses.
    Ignore,
}

/// Where the next value goes.
#[derive(Clone, Copy)]
struct Slot {
    ty: QualType,
    offset: u64,
    bits: Option<(u64, u32)>,
    repeat: Repeat,
}

const ONCE: Repeat = Repeat::ONCE;

/// Starts the initialiser of an object of type `ty`.
pub fn begin<'a>(ty: QualType, is_static: bool, what: String) -> InitBuilder<'a> {
    InitBuilder {
        root: ty,
        is_static,
        what,
        stack: Vec::new(),
        items: Vec::new(),
        data: StaticData::new(),
        high_water: 0,
        length: 0,
        failed: false,
        extra_end: 0,
        braces: Vec::new(),
        lacks_braces: false,
        values: 0,
        is_zero: true,
    }
}

fn make_level(cx: &Sema<'_, '_>, slot: Slot, explicit: bool) -> Level {
    let kind = match cx.kind(slot.ty) {
        TypeKind::Array { elem, len } => {
            let size = cx.types().size_of(elem).unwrap_or(0);
            let len = match len {
                ArrayLen::Constant(n) => Some(n),
                _ => None,
            };
            LevelKind::Array { elem: elem.with(slot.ty.quals()), size, len }
        }
        TypeKind::Record(id) => LevelKind::Record { id, is_union: cx.types().records[id].kind == RecordKind::Union },
        TypeKind::Vector { elem, lanes } => LevelKind::Vector { elem, lanes: lanes as u64 },
        TypeKind::Error => LevelKind::Ignore,
        _ => LevelKind::Scalar,
    };
    Level { ty: slot.ty, offset: slot.offset, kind, explicit, next: 0, range: 1, repeat: slot.repeat }
}

/// The place of the next value at the innermost level; `None` when it is full.
fn slot(cx: &Sema<'_, '_>, level: &Level) -> Option<Slot> {
    match level.kind {
        LevelKind::Array { elem, size, len } => {
            if len.is_some_and(|len| level.next >= len) {
                return None;
            }
            let offset = level.offset + level.next * size;
            let repeat = level.repeat.within(level.range, size);
            Some(Slot { ty: elem, offset, bits: None, repeat })
        }
        LevelKind::Vector { elem, lanes } => {
            let size = cx.types().size_of(elem).unwrap_or(0);
            (level.next < lanes).then(|| Slot {
                ty: elem.plain(),
                offset: level.offset + level.next * size,
                bits: None,
                repeat: level.repeat.within(level.range, size),
            })
        }
        LevelKind::Record { id, is_union } => {
            let record = &cx.types().records[id];
            let mut index = level.next as usize;
            while index < record.fields.len() && !record.is_initialisable(index) {
                index += 1;
            }
            if index >= record.fields.len() || (is_union && level.next == u64::MAX) {
                return None;
            }
            let field = &record.fields[index];
            Some(Slot {
                ty: field.ty.with(level.ty.quals()),
                offset: level.offset + field.offset,
                bits: field.bits.map(|b| (level.offset * 8 + b.bit_offset, b.width)),
                repeat: level.repeat,
            })
        }
        LevelKind::Scalar => {
            (level.next == 0).then_some(Slot { ty: level.ty, offset: level.offset, bits: None, repeat: level.repeat })
        }
        LevelKind::Ignore => None,
    }
}

/// What follows a designated value without a designator of its own belongs to the last element of each of its ranges.
fn leave_ranges(cx: &Sema<'_, '_>, b: &mut InitBuilder<'_>) {
    let Some(braces) = b.stack.iter().rposition(|level| level.explicit) else { return };
    for index in braces..b.stack.len() - 1 {
        let level = &mut b.stack[index];
        level.next += level.range.max(1) - 1;
        level.range = level.range.min(1);
        let Some(slot) = slot(cx, level) else { return };
        let inner = &mut b.stack[index + 1];
        (inner.offset, inner.repeat) = (slot.offset, slot.repeat);
    }
}

/// The innermost level's value has been given.
fn advance(cx: &Sema<'_, '_>, b: &mut InitBuilder<'_>) {
    let is_root = b.stack.len() == 1;
    leave_ranges(cx, b);
    let Some(level) = b.stack.last_mut() else { return };
    match level.kind {
        LevelKind::Record { is_union: true, .. } => level.next = u64::MAX,
        LevelKind::Record { id, .. } => {
            let record = &cx.types().records[id];
            let mut index = level.next as usize;
            while index < record.fields.len() && !record.is_initialisable(index) {
                index += 1;
            }
            level.next = index as u64 + 1;
        }
        LevelKind::Array { size, len, .. } => {
            level.next += level.range.max(1);
            level.range = 1;
            if len.is_none() {
                if is_root {
                    b.length = b.length.max(level.next);
                }
                b.extra_end = b.extra_end.max(level.offset + level.next * size);
            }
        }
        _ => {
            level.next += level.range.max(1);
            level.range = 1;
        }
    }
}

/// `{`
pub fn open(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, loc: Loc) {
    b.braces.push(loc);
    if b.stack.is_empty() {
        let root = Slot { ty: b.root, offset: 0, bits: None, repeat: ONCE };
        let level = make_level(cx, root, true);
        b.stack.push(level);
        return;
    }
    pop_full(cx, b);
    let Some(level) = b.stack.last() else { return };
    match slot(cx, level) {
        Some(slot) => {
            if let LevelKind::Scalar = level.kind {
                cx.pedwarn_always(loc, "braces around scalar initializer");
            }
            let size = cx.types().size_of(slot.ty).unwrap_or(0);
            if slot.offset < b.high_water && slot.bits.is_none() {
                clear(b, slot.offset, size);
            }
            let level = if slot.bits.is_some() {
                // A brace around a bit-field's value: the value itself still goes to the slot of the outer level.
                Level {
                    ty: slot.ty,
                    offset: slot.offset,
                    kind: LevelKind::Scalar,
                    explicit: true,
                    next: 0,
                    range: 1,
                    repeat: ONCE,
                }
            } else {
                make_level(cx, slot, true)
            };
            if matches!(level.kind, LevelKind::Array { len: None, .. }) {
                check_flexible(cx, b, loc);
            }
            b.stack.push(level);
        }
        None => {
            if matches!(level.kind, LevelKind::Record { .. } | LevelKind::Scalar) {
                let mut builder = cx.sess.error(loc, "extra brace group at end of initializer");
                if !b.what.is_empty() {
                    builder = builder.note(loc, format!("(near initialization for {})", b.what));
                }
                builder.emit();
                b.failed = true;
            } else if !matches!(level.kind, LevelKind::Ignore) {
                excess(cx, b, loc);
            }
            let slot = Slot { ty: Ty::ERROR.plain(), offset: 0, bits: None, repeat: ONCE };
            b.stack.push(make_level(cx, slot, true));
        }
    }
}

fn check_flexible(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, loc: Loc) {
    if !b.is_static {
        cx.error(loc, "non-static initialization of a flexible array member");
        b.failed = true;
    } else {
        cx.pedantic(loc, "initialization of a flexible array member");
    }
}

/// A flexible array member of a structure inside another: where its elements lie is not settled.
fn nested_flexible(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, loc: Loc) {
    cx.error(loc, "initialization of flexible array member in a nested context");
    b.failed = true;
}

/// `}`
pub fn close(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, loc: Loc) {
    leave_implicit(cx, b);
    // `{0}` initialises anything.
    let universal = b.values == 1 && b.is_zero;
    if let Some(brace) = b.braces.pop()
        && b.lacks_braces
        && !universal
    {
        b.lacks_braces = false;
        cx.warn(warning::MISSING_BRACES, brace, "missing braces around initializer");
    }
    let Some(level) = b.stack.pop() else { return };
    if matches!(level.kind, LevelKind::Array { len: None, .. }) && b.stack.len() > 1 && level.next > 0 {
        nested_flexible(cx, b, loc);
    }
    if let (LevelKind::Scalar, 0) = (level.kind, level.next)
        && !cx.since(target::options::Standard::C23)
    {
        cx.error(loc, "empty scalar initializer");
        b.failed = true;
    }
    warn_missing(cx, b, &level, loc);
    if !matches!(level.kind, LevelKind::Ignore) && !b.stack.is_empty() {
        if let Some(top) = b.stack.last()
            && let Some(slot) = slot(cx, top)
            && slot.bits.is_none()
        {
            let size = cx.types().size_of(slot.ty).unwrap_or(0);
            b.high_water = b.high_water.max(slot.offset + size + slot.repeat.reach());
        }
        advance(cx, b);
    }
}

/// `-Wmissing-field-initializers`
fn warn_missing(cx: &mut Sema<'_, '_>, b: &InitBuilder<'_>, level: &Level, loc: Loc) {
    if let LevelKind::Record { id, is_union: false } = level.kind
        && level.next != 0
        && !b.designated(level)
        && let Some(field) = cx.types().records[id].fields.get(level.next as usize)
        && let Some(name) = field.name
        && cx.sess.warning_enabled(warning::MISSING_FIELD_INITIALIZERS, loc)
    {
        let (name, ty) = (cx.str(name), cx.tname(level.ty.unqualified()));
        let message = format!("missing initializer for field '{name}' of {ty}");
        cx.warn(warning::MISSING_FIELD_INITIALIZERS, loc, message);
    }
}

impl InitBuilder<'_> {
    /// Designators were used at this level, or it is initialised by the universal `{0}`.
    fn designated(&self, level: &Level) -> bool {
        level.range == 0 || (self.items.len() <= 1 && level.next <= 1)
    }

    /// An array is among the objects around the current one. A string for a flexible array member is refused there; gcc takes it in
    /// structures and unions.
    fn in_array(&self) -> bool {
        let around = &self.stack[..self.stack.len().saturating_sub(1)];
        let flexible = matches!(self.stack.last().map(|l| l.kind), Some(LevelKind::Array { .. }));
        let around = if flexible { around } else { &self.stack[..] };
        around.iter().any(|level| matches!(level.kind, LevelKind::Array { .. }))
    }

    /// The object has an error; its value is unknown.
    pub fn fail(&mut self) {
        self.failed = true;
    }
}

fn excess(cx: &mut Sema<'_, '_>, b: &InitBuilder<'_>, loc: Loc) {
    let kind = match b.stack.last().map(|l| l.kind) {
        Some(LevelKind::Array { .. }) => "array",
        Some(LevelKind::Record { is_union: true, .. }) => "union",
        Some(LevelKind::Record { .. }) => "struct",
        Some(LevelKind::Vector { .. }) => "vector",
        _ => "scalar",
    };
    let mut builder = cx.sess.pedwarn_always(loc, format!("excess elements in {kind} initializer"));
    if !b.what.is_empty() {
        builder = builder.note(loc, format!("(near initialization for {})", b.what));
    }
    builder.emit();
}

/// Leaves implicit levels that are full.
fn pop_full(cx: &Sema<'_, '_>, b: &mut InitBuilder<'_>) {
    while b.stack.last().is_some_and(|l| !l.explicit && slot(cx, l).is_none()) {
        b.stack.pop();
        advance(cx, b);
    }
}

/// Back to the level of the enclosing braces. An object begun without braces counts as given, so that it takes part in
/// the length of an array of unknown length.
fn leave_implicit(cx: &Sema<'_, '_>, b: &mut InitBuilder<'_>) {
    while let Some(level) = b.stack.pop_if(|level| !level.explicit) {
        if level.next != 0 {
            advance(cx, b);
        }
    }
}

/// The first designator of a list: back to the level of the enclosing braces.
pub fn start_designation(cx: &Sema<'_, '_>, b: &mut InitBuilder<'_>) {
    leave_implicit(cx, b);
}

/// A further designator: goes into the object designated so far.
pub fn continue_designation(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>) {
    let Some(level) = b.stack.last() else { return };
    if let Some(slot) = slot(cx, level) {
        let level = make_level(cx, slot, false);
        b.stack.push(level);
    }
}

/// `.name`
pub fn designate_field(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, name: Name) {
    let Some(level) = b.stack.last_mut() else { return };
    let LevelKind::Record { id, .. } = level.kind else {
        if !matches!(level.kind, LevelKind::Ignore) {
            cx.error(name.loc, "field name not in record or union initializer");
            b.failed = true;
        }
        return;
    };
    let Some(path) = cx.types().find_field(id, name.symbol) else {
        let (ty, text) = (cx.tname(level.ty.unqualified()), cx.str(name.symbol));
        cx.error(name.loc, format!("{ty} has no member named '{text}'"));
        b.failed = true;
        return;
    };
    for (step, &index) in path.iter().enumerate() {
        if step > 0 {
            continue_designation(cx, b);
        }
        if let Some(level) = b.stack.last_mut() {
            level.next = index as u64;
        }
    }
}

/// `[low]`, `[low ... high]`
pub fn designate_index(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, low: i128, high: i128, loc: Loc) {
    let Some(level) = b.stack.last_mut() else { return };
    let len = match level.kind {
        LevelKind::Array { len, .. } => len,
        LevelKind::Vector { lanes, .. } => Some(lanes),
        LevelKind::Ignore => return,
        _ => {
            cx.error(loc, "array index in non-array initializer");
            b.failed = true;
            return;
        }
    };
    let limit = len.map_or(i64::MAX as i128, |n| n as i128);
    if low < 0 || low >= limit || high >= limit {
        cx.error(loc, "array index in initializer exceeds array bounds");
        b.failed = true;
        return;
    }
    if high < low {
        cx.error(loc, "empty index range in initializer");
        b.failed = true;
        return;
    }
    level.next = low as u64;
    if high > low && level.repeat.is_full() {
        cx.error(loc, "not supported: range designators nested this deep");
        b.failed = true;
        return;
    }
    level.range = (high - low + 1) as u64;
}

/// A string literal that initialises an array of this element type (C23 6.7.11 paragraphs 15, 16).
fn string_fits(cx: &Sema<'_, '_>, elem: QualType, expr: ExprRef<'_>) -> bool {
    let ExprKind::String(lit) = expr.kind else { return false };
    let elem = cx.types().strip_enum(elem.ty());
    if lit.elem_size == 1 {
        return matches!(elem, Ty::CHAR | Ty::SCHAR | Ty::UCHAR);
    }
    types::compatible_unqualified(cx.types(), elem, lit.elem)
}

/// An expression in the list.
pub fn value<'a>(cx: &mut Sema<'_, 'a>, b: &mut InitBuilder<'a>, expr: ExprRef<'a>, loc: Loc) {
    if expr.is_error() {
        b.failed = true;
    }
    b.values += 1;
    b.is_zero &= expr.int_value() == Some(0);
    // `char s[] = {"text"}`
    if let Some(level) = b.stack.last()
        && let LevelKind::Array { elem, .. } = level.kind
        && level.explicit
        && level.next == 0
        && level.range == 1
        && string_fits(cx, elem, expr)
    {
        let nested = matches!(level.kind, LevelKind::Array { len: None, .. }) && b.in_array();
        let whole = Slot { ty: level.ty, offset: level.offset, bits: None, repeat: level.repeat };
        if nested {
            nested_flexible(cx, b, loc);
        }
        store_string(cx, b, whole, expr, loc);
        // The braces are full, and what they enclose has been given.
        if let Some(level) = b.stack.last_mut() {
            level.next = 1;
            level.kind = LevelKind::Scalar;
        }
        return;
    }
    let mut typed = None;
    loop {
        let Some(level) = b.stack.last() else { return };
        let Some(slot) = slot(cx, level) else {
            if !level.explicit {
                b.stack.pop();
                advance(cx, b);
                continue;
            }
            if !matches!(level.kind, LevelKind::Ignore) {
                excess(cx, b, loc);
            }
            return;
        };
        match cx.kind(slot.ty) {
            TypeKind::Array { elem, len } => {
                if string_fits(cx, elem, expr) {
                    if len == ArrayLen::Incomplete {
                        check_flexible(cx, b, loc);
                        if b.in_array() {
                            nested_flexible(cx, b, loc);
                        }
                    }
                    store_string(cx, b, slot, expr, loc);
                    advance(cx, b);
                    return;
                }
                if len == ArrayLen::Incomplete {
                    check_flexible(cx, b, loc);
                }
                // An array element given as a compound literal of that type (GNU C90).
                if same_array_literal(cx, slot, expr) {
                    store_array_literal(cx, b, slot, expr, loc);
                    advance(cx, b);
                    return;
                }
            }
            TypeKind::Record(_) | TypeKind::Vector { .. } => {
                let value = *typed.get_or_insert_with(|| conversions::rvalue(cx, expr));
                let lax = conversions::are_lax_vectors(cx, value.ty.ty(), slot.ty.ty(), loc);
                if lax || types::compatible_unqualified(cx.types(), value.ty.ty(), slot.ty.ty()) || value.is_error() {
                    store(cx, b, slot, expr, loc);
                    advance(cx, b);
                    return;
                }
            }
            TypeKind::Error => return,
            _ => {
                store(cx, b, slot, typed.unwrap_or(expr), loc);
                advance(cx, b);
                return;
            }
        }
        b.lacks_braces = true;
        let level = make_level(cx, slot, false);
        let is_empty = self::slot(cx, &level).is_none();
        b.stack.push(level);
        if is_empty {
            // An object without members takes one value, and has no place for it, as in gcc.
            excess(cx, b, loc);
            b.stack.pop();
            advance(cx, b);
            return;
        }
    }
}

/// The value is an integer constant for an integer element of a static array: written without a node. True if it was.
pub fn fast_integer(cx: &Sema<'_, '_>, b: &mut InitBuilder<'_>, value: i128) -> bool {
    if !b.is_static {
        return false;
    }
    let Some(level) = b.stack.last() else { return false };
    let LevelKind::Array { elem, size, len } = level.kind else { return false };
    if level.range != 1 || level.repeat != ONCE || len.is_some_and(|len| level.next >= len) {
        return false;
    }
    let Some(info) = cx.types().int_info(elem.ty()) else { return false };
    if info.bits == 1
        || info.bits > wide::NARROW_BITS
        || cx.types().is_reversed(elem.ty())
        || !super::constants::integers::fits(value, info)
    {
        return false;
    }
    let offset = level.offset + level.next * size;
    if offset < b.high_water {
        return false;
    }
    b.data.write(offset, &(value as u128).to_le_bytes()[..size as usize]);
    b.high_water = offset + size;
    b.values += 1;
    b.is_zero &= value == 0;
    advance(cx, b);
    true
}

fn same_array_literal(cx: &Sema<'_, '_>, slot: Slot, expr: ExprRef<'_>) -> bool {
    let literal = match expr.kind {
        ExprKind::CompoundLiteral { .. } => true,
        ExprKind::Decl(id) => cx.unit.decls[id].flags.has(crate::tree::DeclFlags::ANONYMOUS),
        _ => false,
    };
    literal && types::compatible_unqualified(cx.types(), slot.ty.ty(), expr.ty.ty())
}

fn store_array_literal<'a>(cx: &mut Sema<'_, 'a>, b: &mut InitBuilder<'a>, slot: Slot, expr: ExprRef<'a>, loc: Loc) {
    cx.pedantic(loc, "initialization of an array from a compound literal");
    if let ExprKind::Decl(id) = expr.kind {
        copy_static_object(cx, b, slot, id, loc);
    } else if let ExprKind::CompoundLiteral { init, .. } = expr.kind {
        inline_literal(cx, b, slot, init, loc);
    }
}

/// The stores of a compound literal's initialiser, moved to `slot`.
fn inline_literal<'a>(cx: &mut Sema<'_, 'a>, b: &mut InitBuilder<'a>, slot: Slot, init: &Initializer<'a>, loc: Loc) {
    match init {
        Initializer::Aggregate(list) => {
            if slot.repeat != ONCE && list.items.iter().any(|item| has_side_effects(item.value)) {
                cx.error(loc, "not supported: side effects in a compound literal for a range of elements");
                b.failed = true;
                return;
            }
            for start in slot.repeat.offsets() {
                let start = slot.offset + start;
                for item in list.items {
                    let bits = item.bits.map(|(at, width)| (at + start * 8, width));
                    b.items.push(InitItem { offset: item.offset + start, bits, ..*item });
                }
            }
            let size = cx.types().size_of(slot.ty).unwrap_or(0);
            b.high_water = b.high_water.max(slot.offset + size + slot.repeat.reach());
        }
        _ => {
            cx.error(loc, "not supported: initialization of an array from this compound literal");
            b.failed = true;
        }
    }
}

/// Copies a static anonymous object's initial value into the data being built.
fn copy_static_object<'a>(
    cx: &mut Sema<'_, 'a>,
    b: &mut InitBuilder<'a>,
    slot: Slot,
    id: crate::tree::DeclId,
    loc: Loc,
) {
    let found = cx.pending_statics.iter().find(|s| s.decl == id).copied();
    match found {
        Some(var) if b.is_static => {
            if let Some(init) = var.init {
                copy_contents(cx, b, slot, init);
            }
        }
        _ => {
            cx.error(loc, "initializer element is not constant");
            b.failed = true;
        }
    }
}

/// Writes the bytes and addresses of another object's initial value.
fn copy_contents<'a>(cx: &Sema<'_, 'a>, b: &mut InitBuilder<'a>, slot: Slot, init: &StaticInit<'a>) {
    for at in slot.repeat.offsets() {
        let at = slot.offset + at;
        b.data.write(at, init.bytes);
        for reloc in init.relocs {
            b.data.add_reloc(crate::tree::StaticReloc { offset: at + reloc.offset, ..*reloc });
        }
    }
    let size = cx.types().size_of(slot.ty).unwrap_or(0);
    b.high_water = b.high_water.max(slot.offset + size + slot.repeat.reach());
}

/// Copies a string's elements into a character array, cut or filled with zeros.
fn store_string<'a>(cx: &mut Sema<'_, 'a>, b: &mut InitBuilder<'a>, slot: Slot, expr: ExprRef<'a>, loc: Loc) {
    let ExprKind::String(lit) = expr.kind else { return };
    let TypeKind::Array { len, elem } = cx.kind(slot.ty) else { return };
    let (expr, lit) = match cx.types().is_reversed(elem.ty()) {
        true => reversed_literal(cx, expr, lit),
        false => (expr, lit),
    };
    let count = lit.bytes.len() as u64 / lit.elem_size as u64;
    let size = match len {
        ArrayLen::Constant(n) => {
            if count - 1 > n {
                let ty = cx.tname(slot.ty.unqualified());
                let message = format!("initializer-string for array of {} is too long", element_name(cx, slot.ty));
                let _ = ty;
                cx.pedwarn_always(loc, message);
            }
            n * lit.elem_size as u64
        }
        _ => {
            if b.stack.len() <= 1 {
                b.length = b.length.max(count);
            }
            b.extra_end = b.extra_end.max(slot.offset + lit.bytes.len() as u64);
            lit.bytes.len() as u64
        }
    };
    let bytes = &lit.bytes[..lit.bytes.len().min(size as usize)];
    if b.is_static {
        if slot.offset < b.high_water {
            clear(b, slot.offset, size);
        }
        for at in slot.repeat.offsets() {
            b.data.write(slot.offset + at, bytes);
        }
    } else {
        if slot.offset < b.high_water {
            clear(b, slot.offset, size);
        }
        push_items(cx, b, slot, expr);
    }
    b.high_water = b.high_water.max(slot.offset + size + slot.repeat.reach());
}

/// The literal for an array in reversed storage order.
fn reversed_literal<'a>(
    cx: &Sema<'_, 'a>,
    expr: ExprRef<'a>,
    lit: &crate::tree::StringLit<'a>,
) -> (ExprRef<'a>, &'a crate::tree::StringLit<'a>) {
    let bytes = cx.arena.alloc_slice_copy(lit.bytes);
    bytes.chunks_exact_mut(lit.elem_size as usize).for_each(<[u8]>::reverse);
    let lit = cx.arena.alloc(crate::tree::StringLit { bytes, ..*lit });
    (cx.arena.alloc(crate::tree::Expr { kind: ExprKind::String(lit), ..*expr }), lit)
}

fn element_name(cx: &Sema<'_, '_>, ty: QualType) -> String {
    match cx.kind(ty) {
        TypeKind::Array { elem, .. } => cx.tname(elem.unqualified()),
        _ => cx.tname(ty),
    }
}

/// The stores of a value: one item for each row of its innermost range, or for each bit-field.
fn push_items<'a>(cx: &mut Sema<'_, 'a>, b: &mut InitBuilder<'a>, slot: Slot, value: ExprRef<'a>) {
    let (count, stride) = slot.repeat.innermost();
    let mut starts = slot.repeat.rows();
    let single = InitItem { offset: slot.offset, bits: slot.bits, ty: slot.ty, value, count, stride };
    if slot.bits.is_none() && starts.by_ref().nth(1).is_none() {
        b.items.push(single);
        return;
    }
    if slot.repeat != ONCE && has_side_effects(value) {
        // The value would be computed again for each of them.
        cx.error(value.loc, "not supported: side effects in a value for several ranges of elements or bit-fields");
        b.failed = true;
        return;
    }
    if slot.bits.is_none() {
        b.items.extend(slot.repeat.rows().map(|at| InitItem { offset: slot.offset + at, ..single }));
        return;
    }
    b.items.extend(slot.repeat.offsets().map(|at| InitItem {
        offset: slot.offset + at,
        bits: slot.bits.map(|(bit, width)| (bit + at * 8, width)),
        count: 1,
        stride: 0,
        ..single
    }));
}

/// Stores a scalar, or a whole record or vector.
fn store<'a>(cx: &mut Sema<'_, 'a>, b: &mut InitBuilder<'a>, slot: Slot, expr: ExprRef<'a>, loc: Loc) {
    if b.is_static
        && let ExprKind::Decl(id) = expr.kind
        && cx.unit.decls[id].flags.has(crate::tree::DeclFlags::ANONYMOUS)
        && cx.types().is_record(slot.ty.ty())
    {
        return copy_static_object(cx, b, slot, id, loc);
    }
    let value = conversions::assign_convert(cx, expr, slot.ty, AssignContext::Init, loc);
    if value.is_error() {
        b.failed = true;
        return;
    }
    warn_bit_field(cx, slot, value, loc);
    let size = cx.types().size_of(slot.ty).unwrap_or(0);
    let end = match slot.bits {
        Some((at, width)) => (at + width as u64).div_ceil(8),
        None => slot.offset + size,
    };
    if b.is_static {
        if !store_static(cx, b, slot, value, size, loc) {
            b.failed = true;
        }
    } else {
        if slot.offset < b.high_water {
            override_items(cx, b, slot, size, loc);
        }
        push_items(cx, b, slot, value);
    }
    b.high_water = b.high_water.max(end + slot.repeat.reach());
}

fn warn_bit_field(cx: &mut Sema<'_, '_>, slot: Slot, value: ExprRef<'_>, loc: Loc) {
    if let (Some((_, width)), Some(v)) = (slot.bits, value.int_value())
        && let Some(info) = cx.types().int_info(slot.ty.ty())
        && cx.kind(slot.ty) != TypeKind::Bool
    {
        let narrow = crate::tree::IntInfo { bits: width, ..info };
        let result = super::constants::integers::wrap(v, narrow);
        let either = crate::tree::IntInfo { signed: !narrow.signed, ..narrow };
        if result != v && super::constants::integers::wrap(v, either) != v {
            let ty = cx.tname(value.ty);
            let kind = if info.signed { "overflow in conversion" } else { "unsigned conversion" };
            let target = format!("'{}:{width}'", cx.tname(slot.ty.unqualified()).trim_matches('\''));
            let message = format!("{kind} from {ty} to {target} changes value from '{v}' to '{result}'");
            cx.warn(warning::OVERFLOW, loc, message);
        }
    }
}

/// An automatic object's store replaces earlier ones of the same place.
fn override_items(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, slot: Slot, size: u64, loc: Loc) {
    let before = b.items.len();
    let end = slot.offset + size;
    b.items.retain(|i| {
        let same = match (i.bits, slot.bits) {
            (Some(a), Some(b)) => a == b,
            (None, None) => {
                let covered = i.offset >= slot.offset && i.offset < end && i.count == 1;
                // A single character does not replace the string it is part of.
                covered && (!matches!(i.value.kind, ExprKind::String(_)) || cx.types().size_of(i.ty) <= Some(size))
            }
            _ => false,
        };
        !same
    });
    if b.items.len() != before {
        cx.warn(warning::OVERRIDE_INIT, loc, "initialized field overwritten");
    }
}

/// The object at `offset..offset+size` is initialised anew: what was stored there is gone.
fn clear(b: &mut InitBuilder<'_>, offset: u64, size: u64) {
    let end = offset + size;
    b.items.retain(|i| !(i.offset >= offset && i.offset < end && i.count == 1));
    b.data.clear(offset, size);
}

fn store_static<'a>(
    cx: &mut Sema<'_, 'a>,
    b: &mut InitBuilder<'a>,
    slot: Slot,
    value: ExprRef<'a>,
    size: u64,
    loc: Loc,
) -> bool {
    if let ExprKind::VectorBuild(_) = value.kind {
        cx.error(loc, "initializer element is not constant");
        return false;
    }
    if let Some(id) = static_record_source(cx, value) {
        copy_static_object(cx, b, slot, id, loc);
        return true;
    }
    if let ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand } = value.kind
        && cx.types().is_record(value.ty.ty())
        && let Some(init) = known::copy(cx, operand)
    {
        copy_contents(cx, b, slot, &init);
        return true;
    }
    let Some(constant) = address::evaluate(cx, value) else {
        cx.error(loc, "initializer element is not constant");
        return false;
    };
    if !value.flags.has(ExprFlags::CONSTANT) && fold::constant_of(value).is_some() {
        cx.pedantic(loc, "initializer element is not a constant expression");
    }
    super::constants::report_overflow(cx, value);
    for distance in slot.repeat.offsets() {
        let at = slot.offset + distance;
        if at < b.high_water && slot.bits.is_none() {
            b.data.drop_relocs(at, size);
        }
        let bits = slot.bits.map(|(bit, width)| (bit + distance * 8, width));
        if !write_value(cx, &mut b.data, at, bits, slot.ty, constant, loc) {
            return false;
        }
    }
    true
}

/// A record value that is a compound literal's object: `static struct s x = (struct s){...}`.
fn static_record_source(cx: &Sema<'_, '_>, value: ExprRef<'_>) -> Option<crate::tree::DeclId> {
    let ExprKind::Cast { operand, .. } = value.kind else { return None };
    let aggregate = cx.types().is_record(value.ty.ty()) || cx.types().is_vector(value.ty.ty());
    if !aggregate {
        return None;
    }
    match operand.kind {
        ExprKind::Decl(id) if cx.unit.decls[id].flags.has(crate::tree::DeclFlags::ANONYMOUS) => Some(id),
        ExprKind::Cast { .. } => static_record_source(cx, operand),
        _ => None,
    }
}

/// Writes a constant of type `ty` to static data.
fn write_value<'a>(
    cx: &mut Sema<'_, 'a>,
    data: &mut StaticData<'a>,
    offset: u64,
    bits: Option<(u64, u32)>,
    ty: QualType,
    value: StaticValue<'a>,
    loc: Loc,
) -> bool {
    let size = cx.types().size_of(ty).unwrap_or(0) as usize;
    let reversed = cx.types().is_reversed(ty.ty());
    let write = |data: &mut StaticData<'a>, offset: u64, value: u128, size: usize| {
        let mut bytes = value.to_le_bytes();
        let bytes = &mut bytes[..size.min(16)];
        if reversed {
            bytes.reverse();
        }
        data.write(offset, bytes);
    };
    match value {
        StaticValue::Constant(Constant::Int(v)) => match bits {
            Some((at, width)) if reversed => data.write_bits_reversed(at, width, v as u128),
            Some((at, width)) => data.write_bits(at, width, v as u128),
            None => write(data, offset, v as u128, size),
        },
        StaticValue::Constant(Constant::Wide(limbs)) => match bits {
            _ if reversed => {
                let name = cx.tname(ty);
                cx.error(loc, format!("not supported: {name} in reverse storage order"));
                return false;
            }
            Some((at, width)) => {
                for (index, &limb) in limbs.iter().enumerate().take_while(|(index, _)| *index as u32 * 64 < width) {
                    let below = index as u32 * 64;
                    data.write_bits(at + u64::from(below), (width - below).min(64), u128::from(limb));
                }
            }
            None => {
                let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
                data.write(offset, &bytes);
            }
        },
        StaticValue::Constant(Constant::Float(v)) => write(data, offset, v, size),
        StaticValue::Constant(Constant::Complex([re, im])) => {
            let half = size / 2;
            write(data, offset, re, half);
            write(data, offset + half as u64, im, half);
        }
        StaticValue::Address { base, offset: addend } => {
            // A difference of labels is eight bytes without a sign where it stands in an integer of sixteen.
            let difference = matches!(base, crate::tree::AddressBase::LabelDifference(..));
            if reversed || bits.is_some() || (size != 8 && !difference) {
                cx.error(loc, "initializer element is not computable at load time");
                return false;
            }
            data.add_reloc(crate::tree::StaticReloc { offset, size: size.min(8) as u8, base, addend, loc });
        }
    }
    true
}

/// A finished initialiser.
pub enum Finished<'a> {
    /// Of an automatic object.
    Automatic(&'a Initializer<'a>),
    /// Of a static object.
    Static(StaticInit<'a>),
}

/// Completes the object's type if it was an array of unknown length; the value is `None` after an error.
pub fn finish<'a>(cx: &mut Sema<'_, 'a>, b: InitBuilder<'a>, loc: Loc) -> (QualType, Option<Finished<'a>>) {
    let ty = complete_type(cx, b.root, b.length);
    if b.failed {
        return (ty, None);
    }
    let size = cx.types().size_of(ty).unwrap_or(0).max(b.extra_end);
    if size == 0 && cx.types().is_incomplete(ty.ty()) {
        return (ty, None);
    }
    if b.is_static {
        if b.data.is_too_large() {
            cx.error(loc, "initialized object is too large");
        }
        return (ty, Some(Finished::Static(b.data.finish(cx.arena, size))));
    }
    let init = automatic(cx, &b, ty, size, loc);
    (ty, Some(Finished::Automatic(cx.arena.alloc(init))))
}

fn complete_type(cx: &mut Sema<'_, '_>, ty: QualType, length: u64) -> QualType {
    match cx.kind(ty) {
        TypeKind::Array { elem, len: ArrayLen::Incomplete } => {
            let array = cx.unit.types.array_of(elem, ArrayLen::Constant(length));
            let array = match cx.types().declared_align(ty.ty()) {
                Some(align) => cx.unit.types.with_align(array, align),
                None => array,
            };
            QualType::new(array, ty.quals())
        }
        _ => ty,
    }
}

/// Chooses the form for an automatic aggregate.
fn automatic<'a>(cx: &mut Sema<'_, 'a>, b: &InitBuilder<'a>, ty: QualType, size: u64, loc: Loc) -> Initializer<'a> {
    let scalar = !matches!(cx.kind(ty), TypeKind::Array { .. } | TypeKind::Record(_) | TypeKind::Vector { .. });
    if scalar {
        return match b.items.last() {
            Some(item) => Initializer::Value(item.value),
            None => {
                let zero = cx.ice(0, Ty::INT, loc);
                Initializer::Value(conversions::convert(cx, zero, ty.ty()))
            }
        };
    }
    let constant =
        |i: &InitItem<'a>| matches!(i.value.kind, ExprKind::String(_)) || fold::constant_of(i.value).is_some();
    // Mostly-zero objects are cheaper to clear and patch.
    let dense = b.items.len() as u64 * 16 >= size || b.items.len() > 32;
    if size >= CONSTANT_COPY_SIZE && dense && b.items.iter().all(constant) {
        let mut data = StaticData::new();
        for item in &b.items {
            for n in 0..item.count {
                let at = item.offset + n * item.stride;
                match item.value.kind {
                    ExprKind::String(lit) => {
                        let room = cx.types().size_of(item.ty).unwrap_or(lit.bytes.len() as u64) as usize;
                        data.write(at, &lit.bytes[..lit.bytes.len().min(room)]);
                    }
                    _ => {
                        if let Some(value) = fold::constant_of(item.value) {
                            write_value(cx, &mut data, at, item.bits, item.ty, StaticValue::Constant(value), loc);
                        }
                    }
                }
            }
        }
        if data.is_too_large() {
            cx.error(loc, "initialized object is too large");
        }
        return Initializer::Constant(data.finish(cx.arena, size));
    }
    let covered: u64 = b
        .items
        .iter()
        .map(|i| match (i.bits, i.value.kind) {
            (Some(_), _) => 0,
            (None, ExprKind::String(lit)) => cx.types().size_of(i.ty).unwrap_or(0).min(lit.bytes.len() as u64),
            _ => cx.types().size_of(i.ty).unwrap_or(0) * i.count,
        })
        .sum();
    Initializer::Aggregate(AggregateInit { zero_fill: covered < size, items: cx.slice(&b.items) })
}

/// Initialisation by one expression without braces (C23 6.7.11 paragraphs 12, 14, 15).
pub fn from_expression<'a>(
    cx: &mut Sema<'_, 'a>,
    ty: QualType,
    is_static: bool,
    what: &str,
    expr: ExprRef<'a>,
    loc: Loc,
) -> (QualType, Option<Finished<'a>>) {
    let mut b = begin(ty, is_static, what.to_string());
    let whole = Slot { ty, offset: 0, bits: None, repeat: ONCE };
    if let TypeKind::Array { elem, .. } = cx.kind(ty) {
        if expr.is_error() {
            return (ty, None);
        }
        if string_fits(cx, elem, expr) {
            if expr.flags.has(ExprFlags::PAREN) {
                cx.pedantic(loc, "array initialized from parenthesized string constant");
            }
            store_string(cx, &mut b, whole, expr, loc);
            return finish(cx, b, loc);
        }
        if matches!(expr.kind, ExprKind::String(_)) {
            let (want, have) = (cx.tname(elem), cx.tname(cx.types().array_element(expr.ty).unwrap_or(expr.ty)));
            let message = format!("cannot initialize array of {want} from a string literal with type array of {have}");
            cx.error(loc, message);
        } else if same_array_literal(cx, whole, expr) {
            if let TypeKind::Array { len: ArrayLen::Constant(n), .. } = cx.kind(expr.ty) {
                b.length = n;
            }
            store_array_literal(cx, &mut b, whole, expr, loc);
            return finish(cx, b, loc);
        } else {
            cx.error(loc, "invalid initializer");
        }
        return (ty, None);
    }
    if !is_static {
        let value = conversions::assign_convert(cx, expr, ty, AssignContext::Init, loc);
        if value.is_error() {
            return (ty, None);
        }
        return (ty, Some(Finished::Automatic(cx.arena.alloc(Initializer::Value(value)))));
    }
    store(cx, &mut b, whole, expr, loc);
    finish(cx, b, loc)
}
