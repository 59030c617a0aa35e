//! Initialisation (C23 6.7.11): designators, brace elision, strings, arrays of unknown length,
//! flexible array members.
//!
//! The parser walks the initialiser and calls [`open`], [`close`], the designator functions and
//! [`value`] in source order; a stack of [`Level`]s follows the current object, with implicit
//! levels where braces were left out. What comes out is a flat list of stores, or, for static
//! objects, bytes and relocations written as the values arrive, so that a table of a million
//! numbers needs memory for its bytes only.

mod designators;
mod literals;
mod stores;

use base::Loc;

use self::literals::{same_array_literal, store_array_literal, store_string, string_fits};
use self::stores::{clear, store, write_value};
use super::assignment_conversions::{self, AssignContext};
use super::constants::address::StaticValue;
use super::constants::fold::{self};
use super::constants::wide;
use super::lints::{Watched, WatchedLevel};
use super::repeats::Repeat;
use super::{Sema, conversions, static_data::StaticData, types};
use crate::tree::{
    AggregateInit, ArrayLen, ExprFlags, ExprKind, ExprRef, InitItem, Initializer, QualType, RecordId, RecordKind,
    StaticInit, Ty, TypeKind,
};

pub use self::designators::{continue_designation, designate_field, designate_index, start_designation};

/// Automatic aggregates with constant values only, of at least this many bytes, are copied from
/// read-only data: below, a few stores are shorter than the copy.
const CONSTANT_COPY_SIZE: u64 = 64;

/// An initialiser under construction.
pub struct InitBuilder<'a> {
    root: QualType,
    /// The same as written.
    written: QualType,
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
    /// What warnings remember.
    watched: Watched,
}

/// An object whose parts are being initialised.
struct Level {
    ty: QualType,
    written: QualType,
    offset: u64,
    kind: LevelKind,
    /// Opened by a brace.
    explicit: bool,
    /// What warnings remember.
    watched: WatchedLevel,
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
    /// The same as written.
    written: QualType,
    offset: u64,
    bits: Option<(u64, u32)>,
    repeat: Repeat,
}

const ONCE: Repeat = Repeat::ONCE;

/// Starts the initialiser of an object of the type that was written as `written`.
pub fn begin<'a>(cx: &mut Sema<'_, '_>, written: QualType, is_static: bool, what: String) -> InitBuilder<'a> {
    InitBuilder {
        root: cx.unit.types.bare(written),
        written,
        is_static,
        what,
        stack: Vec::new(),
        items: Vec::new(),
        data: StaticData::new(),
        high_water: 0,
        length: 0,
        failed: false,
        extra_end: 0,
        watched: Watched::default(),
    }
}

fn make_level(cx: &Sema<'_, '_>, around: &[Level], slot: Slot, explicit: bool) -> Level {
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
    Level {
        ty: slot.ty,
        written: slot.written,
        offset: slot.offset,
        kind,
        explicit,
        watched: WatchedLevel::inside(around.last().map(|level| level.watched)),
        next: 0,
        range: 1,
        repeat: slot.repeat,
    }
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
            let written = cx.types().element_as_written(level.written, elem);
            Some(Slot { ty: elem, written, offset, bits: None, repeat })
        }
        LevelKind::Vector { elem, lanes } => {
            let size = cx.types().size_of(elem).unwrap_or(0);
            (level.next < lanes).then(|| Slot {
                ty: elem.plain(),
                written: elem.plain(),
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
                written: cx.types().main_variant(field.written),
                offset: level.offset + field.offset,
                bits: field.bits.map(|b| (level.offset * 8 + b.bit_offset, b.width)),
                repeat: level.repeat,
            })
        }
        LevelKind::Scalar => {
            let (ty, written) = (level.ty, level.written);
            (level.next == 0).then_some(Slot { ty, written, offset: level.offset, bits: None, repeat: level.repeat })
        }
        LevelKind::Ignore => None,
    }
}

/// What follows a designated value without a designator of its own belongs to the last element of
/// each of its ranges.
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
    b.watched.part_given(&mut level.watched);
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
    b.watched.brace_opened(loc);
    if b.stack.is_empty() {
        let root = Slot { ty: b.root, written: b.written, offset: 0, bits: None, repeat: ONCE };
        let level = make_level(cx, &b.stack, root, true);
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
                if b.is_static {
                    b.watched.begun_anew(cx, slot.offset..slot.offset + size, b.high_water, loc);
                }
                clear(b, slot.offset, size);
            }
            let level = if slot.bits.is_some() {
                // A brace around a bit-field's value: the value itself still goes to the slot of
                // the outer level.
                Level { kind: LevelKind::Scalar, repeat: ONCE, ..make_level(cx, &b.stack, slot, true) }
            } else {
                make_level(cx, &b.stack, slot, true)
            };
            if matches!(level.kind, LevelKind::Array { len: None, .. }) {
                check_flexible(cx, b, loc);
            }
            b.stack.push(level);
        }
        None => {
            if matches!(level.kind, LevelKind::Record { .. }) {
                let mut builder = cx.sess.error(loc, "extra brace group at end of initializer");
                if !b.what.is_empty() {
                    builder = builder.note(loc, format!("(near initialization for {})", b.what));
                }
                builder.emit();
                b.failed = true;
            } else if !matches!(level.kind, LevelKind::Ignore) {
                excess(cx, b, loc);
            }
            let ty = Ty::ERROR.plain();
            let slot = Slot { ty, written: ty, offset: 0, bits: None, repeat: ONCE };
            b.stack.push(make_level(cx, &b.stack, slot, true));
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

/// A flexible array member of a structure inside another: where its elements lie is not resolved.
fn nested_flexible(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, loc: Loc) {
    cx.error(loc, "initialization of flexible array member in a nested context");
    b.failed = true;
}

/// `}`
pub fn close(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, loc: Loc) {
    leave_implicit(cx, b, loc);
    b.watched.brace_closed(cx);
    let Some(level) = b.stack.pop() else { return };
    if matches!(level.kind, LevelKind::Array { len: None, .. }) && b.stack.len() > 1 && level.next > 0 {
        nested_flexible(cx, b, loc);
    }
    if let (LevelKind::Scalar, 0) = (level.kind, level.next)
        && !cx.since(platform::options::Standard::C23)
    {
        cx.error(loc, "empty scalar initializer");
        b.failed = true;
    }
    level_finished(cx, b, &level, loc);
    if !matches!(level.kind, LevelKind::Ignore) && !b.stack.is_empty() {
        if let Some(top) = b.stack.last()
            && let Some(slot) = slot(cx, top)
            && slot.bits.is_none()
        {
            let size = cx.types().size_of(slot.ty).unwrap_or(0);
            let end = slot.offset + size + slot.repeat.reach();
            b.note_gap(cx, end);
            b.high_water = b.high_water.max(end);
        }
        advance(cx, b);
    }
}

/// An object is left, with its parts given or not.
fn level_finished(cx: &mut Sema<'_, '_>, b: &InitBuilder<'_>, level: &Level, loc: Loc) {
    if let LevelKind::Record { id, is_union: false } = level.kind
        && !b.failed
    {
        level.watched.record_finished(cx, id, level.next, level.written, loc);
    }
}

impl InitBuilder<'_> {
    /// What follows goes to `start`, beyond what has been given.
    fn note_gap(&mut self, cx: &Sema<'_, '_>, start: u64) {
        if self.is_static {
            self.watched.note_gap(cx, start, self.high_water);
        }
    }

    /// An array is among the objects around the current one. A string for a flexible array member
    /// is refused there; gcc takes it in structures and unions.
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
    while let Some(level) = b.stack.pop_if(|l| !l.explicit && slot(cx, l).is_none()) {
        b.watched.leave(level.watched);
        advance(cx, b);
    }
}

/// Back to the level of the enclosing braces. An object begun without braces counts as given, so
/// that it takes part in the length of an array of unknown length.
fn leave_implicit(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, loc: Loc) {
    while let Some(level) = b.stack.pop_if(|level| !level.explicit) {
        level_finished(cx, b, &level, loc);
        if level.next != 0 {
            b.watched.leave(level.watched);
            advance(cx, b);
        }
    }
}

/// An expression in the list.
pub fn value<'a>(cx: &mut Sema<'_, 'a>, b: &mut InitBuilder<'a>, expr: ExprRef<'a>, loc: Loc) {
    if expr.is_error() {
        b.failed = true;
    }
    b.watched.value(expr.int_value() == Some(0));
    // `char s[] = {"text"}`
    if let Some(level) = b.stack.last()
        && let LevelKind::Array { elem, .. } = level.kind
        && level.explicit
        && level.next == 0
        && level.range == 1
        && string_fits(cx, elem, expr)
    {
        let nested = matches!(level.kind, LevelKind::Array { len: None, .. }) && b.in_array();
        let (ty, written) = (level.ty, level.written);
        let whole = Slot { ty, written, offset: level.offset, bits: None, repeat: level.repeat };
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
                let lax = assignment_conversions::are_lax_vectors(cx, value.ty.ty(), slot.ty.ty(), loc);
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
        b.watched.begun_without_brace();
        let level = make_level(cx, &b.stack, slot, false);
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

/// The value is an integer constant for an integer element of a static array: written without a
/// node. True if it was.
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
    b.note_gap(cx, offset);
    b.data.write(offset, &(value as u128).to_le_bytes()[..size as usize]);
    b.high_water = offset + size;
    b.watched.value(value == 0);
    advance(cx, b);
    true
}

/// A finished initialiser.
pub enum Finished<'a> {
    /// Of an automatic object.
    Automatic(&'a Initializer<'a>),
    /// Of a static object.
    Static(StaticInit<'a>),
}

/// Completes the object's type if it was an array of unknown length; the value is `None` after an
/// error.
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
    written: QualType,
    is_static: bool,
    what: &str,
    expr: ExprRef<'a>,
    loc: Loc,
) -> (QualType, Option<Finished<'a>>) {
    let mut b = begin(cx, written, is_static, what.to_string());
    let ty = b.root;
    let whole = Slot { ty, written, offset: 0, bits: None, repeat: ONCE };
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
        let value = assignment_conversions::assign_convert(cx, expr, written, AssignContext::Init { field: None }, loc);
        if value.is_error() {
            return (ty, None);
        }
        return (ty, Some(Finished::Automatic(cx.arena.alloc(Initializer::Value(value)))));
    }
    store(cx, &mut b, whole, expr, loc);
    finish(cx, b, loc)
}
