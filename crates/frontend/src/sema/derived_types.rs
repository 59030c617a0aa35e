//! The array and function types that declarators make (C23 6.7.7.3, 6.7.7.4), with their
//! constraints.

use base::{Loc, warning};
use platform::options::Standard;

use super::{Sema, constants, conversions, declarations};
use crate::tree::walk::has_side_effects;
use crate::tree::{
    ArrayLen, CallAbi, DeclId, ExprFlags, ExprKind, ExprRef, Name, QualType, Quals, Signature, Ty, TypeKind, VlaBound,
};

/// Length of an array declarator.
#[derive(Clone, Copy)]
pub enum Length<'a> {
    /// `[]`
    None,
    /// `[*]`
    Star,
    /// `[expression]`
    Expr(ExprRef<'a>),
}

/// `elem [len]`, `loc` that of the bracket, with the constraints of C23 6.7.7.3.
pub fn array_type<'a>(
    cx: &mut Sema<'_, 'a>,
    elem: QualType,
    len: Length<'a>,
    name: Option<Name>,
    parameter: bool,
    outermost: bool,
    loc: Loc,
) -> QualType {
    let what = quoted(cx, name);
    let at = name.map_or(loc, |n| n.loc);
    let elem = match cx.kind(elem) {
        TypeKind::Error => return elem,
        TypeKind::Function(_) => {
            cx.error(at, format!("declaration of {what} as array of functions"));
            return Ty::ERROR.plain();
        }
        TypeKind::Void => {
            cx.error(at, format!("declaration of {what} as array of voids"));
            return Ty::ERROR.plain();
        }
        _ if cx.types().is_incomplete(elem.ty()) => {
            let ty = cx.tname(elem);
            cx.error(at, format!("array type has incomplete element type {ty}"));
            return Ty::ERROR.plain();
        }
        TypeKind::Record(id) if cx.types().records[id].has_flexible_array => {
            cx.pedantic(at, "invalid use of structure with flexible array member");
            elem
        }
        _ => elem,
    };
    if let Some(align) = cx.types().declared_align(elem.ty())
        && cx.types().size_of(elem).is_some_and(|size| size != 0 && !size.is_multiple_of(align as u64))
    {
        let less = cx.types().size_of(elem).is_some_and(|size| size < align as u64);
        let problem = if less {
            "alignment of array elements is greater than element size"
        } else {
            "size of array element is not a multiple of its alignment"
        };
        cx.error(at, problem);
        return Ty::ERROR.plain();
    }
    let len = match len {
        Length::None => ArrayLen::Incomplete,
        Length::Star => {
            if !parameter && !declarations::in_prototype(cx) {
                cx.error(at, "'[*]' not allowed in other than function prototype scope");
            }
            ArrayLen::Star
        }
        Length::Expr(expr) => array_length(cx, expr, elem, &what, parameter && outermost, at),
    };
    cx.unit.types.array_of(elem, len).plain()
}

/// `ret (params)`, `loc` that of the parenthesis, with the constraints of C23 6.7.7.4.
pub fn function_type(
    cx: &mut Sema<'_, '_>,
    ret: QualType,
    params: &[DeclId],
    variadic: bool,
    prototype: bool,
    name: Option<Name>,
    loc: Loc,
) -> QualType {
    let what = quoted(cx, name);
    let at = name.map_or(loc, |n| n.loc);
    let ret = match cx.kind(ret) {
        TypeKind::Function(_) => {
            cx.error(at, format!("{what} declared as function returning a function"));
            Ty::ERROR.plain()
        }
        TypeKind::Array { .. } => {
            cx.error(at, format!("{what} declared as function returning an array"));
            Ty::ERROR.plain()
        }
        _ => {
            if !ret.quals().is_empty() {
                cx.warn(warning::IGNORED_QUALIFIERS, at, "type qualifiers ignored on function return type");
            }
            ret.unqualified()
        }
    };
    let mut restricts = 0;
    for (index, &id) in params.iter().enumerate().take(64) {
        let ty = cx.unit.decls[id].ty;
        if ty.quals().has(Quals::RESTRICT)
            && cx.types().pointee(ty.ty()).is_some_and(|pointee| !pointee.quals().has(Quals::CONST))
        {
            restricts |= 1 << index;
        }
    }
    let params = params.iter().map(|&id| cx.unit.written(id).unqualified()).collect();
    cx.unit
        .types
        .function(Signature {
            ret,
            params,
            variadic,
            prototype,
            noreturn: false,
            restricts,
            abi: CallAbi::Unsaid,
            nocf_check: false,
        })
        .plain()
}

fn array_length<'a>(
    cx: &mut Sema<'_, 'a>,
    expr: ExprRef<'a>,
    elem: QualType,
    what: &Quoted<'_>,
    decays: bool,
    at: Loc,
) -> ArrayLen {
    if expr.is_error() {
        return ArrayLen::Constant(1);
    }
    if !cx.types().is_integer(expr.ty.ty()) {
        cx.error(at, format!("size of array {what} has non-integer type"));
        return ArrayLen::Constant(1);
    }
    let value = constants::fold::integer_value(cx, expr);
    match value {
        None | Some(0x1_0000_0000_0000_0000..) if value.is_some() || matches!(expr.kind, ExprKind::Wide(_)) => {
            cx.error(at, format!("size of array {what} is too large"));
            ArrayLen::Constant(1)
        }
        Some(n) if n < 0 && cx.types().is_signed(expr.ty.ty()) => {
            cx.error(at, format!("size of array {what} is negative"));
            ArrayLen::Constant(1)
        }
        Some(n) => {
            let n = n as u64;
            if n == 0 {
                cx.pedantic(at, format!("ISO C forbids zero-size array {what}"));
            }
            if !expr.flags.has(ExprFlags::ICE) {
                if cx.at_file_scope() {
                    cx.sess.pedwarn(warning::PEDANTIC, at, format!("variably modified {what} at file scope")).emit();
                } else {
                    cx.pedantic(at, format!("ISO C90 forbids array {what} whose size cannot be evaluated"));
                }
            }
            let size = cx.types().size_of(elem).unwrap_or(1);
            if n.checked_mul(size.max(1)).is_none_or(|s| s > platform::data_layout::MAX_OBJECT_SIZE) {
                cx.error(at, format!("size of array {what} is too large"));
                return ArrayLen::Constant(1);
            }
            ArrayLen::Constant(n)
        }
        None => {
            let message = || format!("ISO C90 forbids variable length array {what}");
            if cx.sess.diag.is_on_somewhere(warning::VLA) || cx.sess.diag.is_on_somewhere(warning::C90_C99_COMPAT) {
                cx.named_before(Standard::C99, warning::VLA, at, message());
            }
            // The outermost length of a parameter does not matter to its type, but its effects
            // happen.
            let vla = cx.unit.types.new_vla();
            let len = conversions::convert(cx, expr, Ty::SIZE);
            if !decays || has_side_effects(expr) {
                cx.pending_bounds.push(VlaBound { vla, len });
            }
            ArrayLen::Variable(vla)
        }
    }
}

/// What is declared, for messages: written out only in one.
struct Quoted<'x>(Option<&'x str>);

impl std::fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(name) => write!(f, "'{name}'"),
            None => f.write_str("type name"),
        }
    }
}

fn quoted<'x>(cx: &Sema<'x, '_>, name: Option<Name>) -> Quoted<'x> {
    Quoted(name.map(|name| cx.str(name.symbol)))
}
