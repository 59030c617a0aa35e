//! Member access (C23 6.5.3.4) and `offsetof`.

use base::Loc;

use crate::sema::{Sema, conversions, lints, suggestions, types};
use crate::tree::{
    ArrayLen, Category, DeclKind, Expr, ExprFlags, ExprKind, ExprRef, FieldPath, Name, QualType, Quals, RecordId, Ty,
    TypeKind,
};

/// `-fplan9-extensions`: a typedef's name stands for the unnamed member of its type.
fn by_typedef(cx: &Sema<'_, '_>, record: RecordId, name: Name) -> Option<FieldPath> {
    let decl = cx.scopes.lookup(name.symbol).filter(|_| cx.lang.plan9_extensions)?;
    let decl = &cx.unit.decls[decl];
    match cx.kind(decl.ty) {
        TypeKind::Record(wanted) if decl.kind == DeclKind::Typedef => cx.types().find_unnamed(record, wanted),
        _ => None,
    }
}

/// `base.name`
pub fn member<'a>(cx: &mut Sema<'_, 'a>, base: ExprRef<'a>, name: Name, loc: Loc) -> ExprRef<'a> {
    if base.is_error() {
        return base;
    }
    let TypeKind::Record(record) = cx.kind(base.ty) else {
        let text = cx.str(name.symbol);
        let pointer_to_record = cx.types().pointee(base.ty.ty()).is_some_and(|p| cx.types().is_record(p.ty()));
        if pointer_to_record {
            let what = super::describe::text(cx, base);
            cx.sess.error(loc, format!("'{what}' is a pointer; did you mean to use '->'?")).fixit(loc, "->").emit();
        } else {
            cx.error(loc, format!("request for member '{text}' in something not a structure or union"));
        }
        return cx.error_expr(loc);
    };
    if !cx.types().records[record].complete {
        types::report_incomplete(cx, base.ty, loc);
        return cx.error_expr(loc);
    }
    let found = cx.types().find_field(record, name.symbol).or_else(|| by_typedef(cx, record, name));
    let Some(path) = found else {
        suggestions::no_member(cx, record, &cx.tname(base.written), name, loc);
        return cx.error_expr(loc);
    };
    let mut expr = base;
    for field in path {
        expr = step(cx, expr, field, loc);
    }
    expr
}

/// `pointer->name`
pub fn arrow<'a>(cx: &mut Sema<'_, 'a>, pointer: ExprRef<'a>, name: Name, loc: Loc) -> ExprRef<'a> {
    let pointer = conversions::rvalue(cx, pointer);
    if pointer.is_error() {
        return pointer;
    }
    let Some(pointee) = cx.types().pointee(pointer.ty.ty()) else {
        let ty = cx.tname(pointer.written);
        let message = format!("invalid type argument of '->' (have {ty})");
        if cx.types().is_record(pointer.ty.ty()) {
            cx.sess.error(loc, message + "; did you mean to use '.'?").fixit(loc, ".").emit();
        } else {
            cx.error(loc, message);
        }
        return cx.error_expr(loc);
    };
    if let TypeKind::Record(id) = cx.kind(pointee)
        && !cx.types().records[id].complete
    {
        let ty = cx.tname(pointee.unqualified());
        cx.error(loc, format!("invalid use of undefined type {ty}"));
        return cx.error_expr(loc);
    }
    let base = super::pointer::dereference(cx, pointer, loc);
    member(cx, base, name, loc)
}

/// One step to member `field` of a complete record.
pub fn step<'a>(cx: &mut Sema<'_, 'a>, base: ExprRef<'a>, field: u32, loc: Loc) -> ExprRef<'a> {
    let TypeKind::Record(record) = cx.kind(base.ty) else { return cx.error_expr(loc) };
    let info = cx.types().records[record].field(field);
    let (ty, written, bits, name) = (info.ty, info.written, info.bits, info.name);
    lints::member_named(cx, record, name, loc);
    // Members inherit const, volatile and _Atomic's absence: an atomic record's members are
    // accessed plainly.
    let inherited = base.ty.quals().without(Quals::ATOMIC.with(Quals::RESTRICT));
    let (ty, cat) = if base.is_lvalue() {
        let ty = qualify_field(ty, inherited);
        let written = qualify_field(written, inherited);
        ((ty, written), if bits.is_some() { Category::BitField } else { Category::Lvalue })
    } else {
        let native = if cx.types().is_reversed(ty.ty()) { cx.unit.types.with_native(ty.ty()) } else { ty.ty() };
        ((native.plain(), written.unqualified()), Category::Rvalue)
    };
    cx.expr_written(ExprKind::Member { base, record, field }, ty, cat, loc)
}

/// Qualifiers of the whole added to a member's type. An array's are kept on the array;
/// `array_element` pushes them down.
fn qualify_field(ty: QualType, quals: Quals) -> QualType {
    ty.with(quals)
}

/// `offsetof(type, designator)` under construction: type reached, bytes so far, and a run-time
/// part.
pub struct Offset<'a> {
    /// Type of the member reached.
    pub ty: QualType,
    /// Constant part.
    pub bytes: u64,
    /// Sum of the parts that are not constant, `size_t`.
    pub variable: Option<ExprRef<'a>>,
}

/// `.name` in an `offsetof` designator.
pub fn offset_member<'a>(cx: &mut Sema<'_, 'a>, at: &mut Offset<'a>, name: Name) {
    if cx.types().is_error(at.ty.ty()) {
        return;
    }
    let TypeKind::Record(record) = cx.kind(at.ty) else {
        let text = cx.str(name.symbol);
        cx.error(name.loc, format!("request for member '{text}' in something not a structure or union"));
        at.ty = Ty::ERROR.plain();
        return;
    };
    if !require_record(cx, record, at.ty, name.loc) {
        at.ty = Ty::ERROR.plain();
        return;
    }
    let Some(path) = cx.types().find_field(record, name.symbol) else {
        suggestions::no_member(cx, record, &cx.tname(at.ty.unqualified()), name, name.loc);
        at.ty = Ty::ERROR.plain();
        return;
    };
    let mut record = record;
    for index in path {
        let field = *cx.types().records[record].field(index);
        if field.bits.is_some() {
            let text = cx.str(name.symbol);
            cx.error(name.loc, format!("attempt to take address of bit-field structure member '{text}'"));
        }
        at.bytes += field.offset;
        if let Some(vla) = field.offset_vla {
            let part = cx.value(ExprKind::VlaLen(vla), Ty::SIZE, name.loc);
            at.variable = Some(match at.variable {
                None => part,
                Some(lhs) => {
                    cx.value(ExprKind::Binary { op: crate::tree::BinaryOp::Add, lhs, rhs: part }, Ty::SIZE, name.loc)
                }
            });
        }
        at.ty = field.ty;
        if let TypeKind::Record(inner) = cx.kind(field.ty) {
            record = inner;
        }
    }
}

fn require_record(cx: &mut Sema<'_, '_>, record: RecordId, ty: QualType, loc: Loc) -> bool {
    if !cx.types().records[record].complete {
        types::report_incomplete(cx, ty, loc);
        return false;
    }
    true
}

/// `[index]` in an `offsetof` designator.
pub fn offset_subscript<'a>(cx: &mut Sema<'_, 'a>, at: &mut Offset<'a>, index: ExprRef<'a>, loc: Loc) {
    if cx.types().is_error(at.ty.ty()) || index.is_error() {
        at.ty = Ty::ERROR.plain();
        return;
    }
    let TypeKind::Array { elem, len } = cx.kind(at.ty) else {
        cx.error(loc, "subscripted value is neither array nor pointer");
        at.ty = Ty::ERROR.plain();
        return;
    };
    let index = conversions::rvalue(cx, index);
    if !cx.types().is_integer(index.ty.ty()) {
        cx.error(loc, "array subscript is not an integer");
        at.ty = Ty::ERROR.plain();
        return;
    }
    let size = cx.types().size_of(elem);
    match (index.int_value(), size) {
        (Some(n), Some(size)) => {
            if let ArrayLen::Constant(len) = len
                && n > len as i128
            {
                let message = format!("index '{n}' denotes an offset greater than size of {}", cx.tname(at.ty));
                cx.sess.warn_always(loc, message).emit();
            }
            at.bytes = at.bytes.wrapping_add((n as u64).wrapping_mul(size));
        }
        _ => {
            let size = super::sizes::size_expr(cx, elem, loc);
            let part = conversions::size_product(cx, index, size);
            at.variable = Some(match at.variable {
                None => part,
                Some(sum) => {
                    let kind = ExprKind::Binary { op: crate::tree::BinaryOp::Add, lhs: sum, rhs: part };
                    cx.value(kind, Ty::SIZE, loc)
                }
            });
        }
    }
    at.ty = elem;
}

/// The value of `offsetof`.
pub fn offset_value<'a>(cx: &mut Sema<'_, 'a>, at: Offset<'a>, loc: Loc) -> ExprRef<'a> {
    if cx.types().is_error(at.ty.ty()) {
        return cx.error_expr(loc);
    }
    let constant = cx.ice(at.bytes as i128, Ty::SIZE, loc);
    match at.variable {
        None => constant,
        Some(lhs) => {
            let kind = ExprKind::Binary { op: crate::tree::BinaryOp::Add, lhs, rhs: constant };
            let sum = cx.value(kind, Ty::SIZE, loc);
            cx.arena.alloc(Expr { flags: ExprFlags::NONE, ..*sum })
        }
    }
}
