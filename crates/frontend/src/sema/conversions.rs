//! Conversions (C23 6.3): of lvalues, arrays and functions to values, promotions, usual arithmetic conversions, and those
//! of assignment, initialisation, arguments and `return` (6.5.17.2) with gcc's diagnostics. Explicit casts are in
//! `expressions::cast`.

use base::{Loc, warning};

use super::constants::fold;
use super::{Sema, decimal, implicit_changes, types};
use crate::tree::{
    BinaryOp, CastKind, Category, DeclFlags, ElementSize, Expr, ExprFlags, ExprKind, ExprRef, FloatKind, QualType,
    Quals, Ty, TypeKind, UnaryOp,
};

/// A conversion node, without folding.
pub fn cast_node<'a>(cx: &Sema<'_, 'a>, kind: CastKind, operand: ExprRef<'a>, ty: Ty) -> ExprRef<'a> {
    cx.value(ExprKind::Cast { kind, operand }, ty, operand.loc)
}

/// The value of an expression: lvalue, array and function conversion (C23 6.3.2.1).
pub fn rvalue<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> ExprRef<'a> {
    if expr.cat == Category::Rvalue && !cx.types().is_array(expr.ty.ty()) {
        // The value of an assignment is used: so is the variable.
        match expr.kind {
            ExprKind::Assign { lhs, .. } => mark_referenced(cx, lhs),
            ExprKind::Update(update) => mark_referenced(cx, update.lhs),
            _ => {}
        }
        return expr;
    }
    match cx.kind(expr.ty) {
        TypeKind::Array { .. } => decay_array(cx, expr),
        TypeKind::Function(_) => {
            let ty = cx.pointer_to(expr.ty);
            mark_referenced(cx, expr);
            let node = cast_node(cx, CastKind::FunctionToPointer, expr, ty);
            cx.with_flags(node, ExprFlags::CONSTANT)
        }
        TypeKind::Void => {
            let node = cast_node(cx, CastKind::ToVoid, expr, Ty::VOID);
            if expr.cat == Category::Rvalue { expr } else { node }
        }
        TypeKind::Error => cx.error_expr(expr.loc),
        _ if cx.types().is_incomplete(expr.ty.ty()) => {
            types::report_incomplete(cx, expr.ty, expr.loc);
            cx.error_expr(expr.loc)
        }
        _ => load(cx, expr),
    }
}

/// A load. Its flags remember parentheses and `__extension__`.
fn load<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> ExprRef<'a> {
    mark_referenced(cx, expr);
    // A `constexpr` object is a named constant (C23 6.6).
    if let ExprKind::Decl(id) | ExprKind::CompoundLiteral { decl: id, .. } = expr.kind {
        let decl = &cx.unit.decls[id];
        if decl.flags.has(DeclFlags::CONSTEXPR) && decl.flags.has(DeclFlags::STATIC_INIT_VALUE) {
            let ty = decl.ty.ty();
            let value = fold::known_value(cx, id);
            let ty = cx.types().canonical(ty);
            return fold::make(cx, value, ty, expr.loc, ExprFlags::ICE.with(ExprFlags::CONSTANT));
        }
    }
    let ty = cx.unit.types.with_native(expr.ty.ty());
    cx.arena.alloc(Expr {
        kind: ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand: expr },
        ty: ty.plain(),
        loc: expr.loc,
        cat: Category::Rvalue,
        flags: ExprFlags(expr.flags.0 & (ExprFlags::PAREN.0 | ExprFlags::EXTENSION.0)),
    })
}

/// Array to pointer to its first element.
fn decay_array<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> ExprRef<'a> {
    let elem = cx.types().array_element(expr.ty).unwrap_or(Ty::ERROR.plain());
    let ty = cx.pointer_to(elem);
    // An element's array has been here before it.
    if array_of_element(expr).is_none() {
        if let ExprKind::Decl(id) = root_object(expr).kind
            && cx.unit.decls[id].flags.has(DeclFlags::REGISTER)
            && cx.unit.decls[id].asm_name.is_none()
        {
            let name = cx.dname(id);
            cx.error(expr.loc, format!("address of register variable {name} requested"));
        }
        mark_address_taken(cx, expr);
    }
    let node = cast_node(cx, CastKind::ArrayToPointer, expr, ty);
    cx.with_flags(node, ExprFlags(expr.flags.0 & ExprFlags::PAREN.0))
}

/// The object an lvalue is part of, as far as members and parts lead.
pub fn root_object<'a>(mut expr: ExprRef<'a>) -> ExprRef<'a> {
    loop {
        expr = match expr.kind {
            ExprKind::Member { base, .. } => base,
            ExprKind::VectorElement { base, .. } => base,
            ExprKind::Unary { op: UnaryOp::Real | UnaryOp::Imag, operand } => operand,
            _ => match array_of_element(expr) {
                Some(array) => array,
                None => return expr,
            },
        };
    }
}

/// Where an expression begins, as far as its operands tell: gcc shows the conversion of a whole operand there. Parentheses are not seen.
pub fn start(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> Loc {
    let mut at = expr;
    let mut best = expr.loc;
    loop {
        at = match at.kind {
            ExprKind::Binary { lhs, .. }
            | ExprKind::Logical { lhs, .. }
            | ExprKind::Comma { lhs, .. }
            | ExprKind::Assign { lhs, .. } => lhs,
            ExprKind::Conditional { cond, .. } => cond,
            ExprKind::Member { base, .. } => base,
            ExprKind::PtrAdd { ptr, .. } => ptr,
            ExprKind::Call { callee, .. } => callee,
            ExprKind::Update(update) => update.lhs,
            ExprKind::Cast { operand, .. } | ExprKind::Deref(operand) => operand,
            _ => return best,
        };
        if cx.sess.sources.is_macro(at.loc) || cx.sess.sources.is_macro(best) || at.loc.is_none() {
            return best;
        }
        best = best.min(at.loc);
    }
}

/// The array that an lvalue is an element of: `a[i]` is `*(&a[0] + i)`.
fn array_of_element<'a>(expr: ExprRef<'a>) -> Option<ExprRef<'a>> {
    let ExprKind::Deref(mut pointer) = expr.kind else { return None };
    if let ExprKind::PtrAdd { ptr, .. } = pointer.kind {
        pointer = ptr;
    }
    match pointer.kind {
        ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => Some(operand),
        _ => None,
    }
}

/// Notes that the object or function is used.
pub fn mark_referenced(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>) {
    if let ExprKind::Decl(id) = root_object(expr).kind
        && cx.unevaluated == 0
    {
        cx.unit.decls[id].flags.set(DeclFlags::REFERENCED);
    }
}

/// Notes that the object's address escapes.
pub fn mark_address_taken(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>) {
    if let ExprKind::Decl(id) = root_object(expr).kind
        && cx.unevaluated == 0
    {
        cx.unit.decls[id].flags.set(DeclFlags(DeclFlags::REFERENCED.0 | DeclFlags::ADDRESS_TAKEN.0));
    }
}

/// Width of the bit-field an rvalue was loaded from, if any: as in gcc, the value of an assignment, a comma expression or a statement
/// expression is still as wide.
pub fn bit_field_width(cx: &Sema<'_, '_>, mut expr: ExprRef<'_>) -> Option<u32> {
    while let ExprKind::Comma { rhs: last, .. } | ExprKind::StmtExpr { result: Some(last), .. } = expr.kind {
        expr = last;
    }
    let operand = match expr.kind {
        ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand } => operand,
        ExprKind::Assign { lhs, .. } if lhs.cat == Category::BitField => lhs,
        ExprKind::Update(update) if update.lhs.cat == Category::BitField => update.lhs,
        _ => return None,
    };
    field_width(cx, operand)
}

/// Width of the bit-field that an lvalue names, if it does.
pub fn field_width(cx: &Sema<'_, '_>, lvalue: ExprRef<'_>) -> Option<u32> {
    match lvalue.kind {
        ExprKind::Member { record, field, .. } => cx.types().records[record].field(field).bits.map(|b| b.width),
        _ => None,
    }
}

/// The integer promotions (C23 6.3.1.1 paragraph 2) of an rvalue.
pub fn promote<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> ExprRef<'a> {
    let ty = promoted_type(cx, expr);
    convert(cx, expr, ty)
}

/// The type of an rvalue after the integer promotions.
///
/// A bit-field wider than `int` keeps its own width, as in gcc (C23 6.7.3.2 leaves the type to the implementation): arithmetic on it is
/// that of a bit-precise integer of as many bits.
pub fn promoted_type(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>) -> Ty {
    let ty = expr.ty.ty();
    let Some(info) = cx.types().int_info(ty) else { return ty };
    if matches!(cx.kind(ty), TypeKind::BitInt { .. }) {
        return ty;
    }
    if let Some(width) = bit_field_width(cx, expr) {
        if width < 32 || (width == 32 && info.signed) {
            return Ty::INT;
        }
        if width == 32 {
            return Ty::UINT;
        }
        if width < info.bits {
            return cx.unit.types.intern(TypeKind::BitInt { bits: width, signed: info.signed });
        }
        return cx.types().strip_enum(ty);
    }
    let base = cx.types().strip_enum(ty);
    if info.bits < 32 { Ty::INT } else { base }
}

/// The default argument promotions (C23 6.5.3.3 paragraph 6) of an rvalue.
pub fn promote_argument<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> ExprRef<'a> {
    match cx.types().canonical(expr.ty.ty()) {
        Ty::FLOAT => convert(cx, expr, Ty::DOUBLE),
        _ if cx.types().is_integer(expr.ty.ty()) => promote(cx, expr),
        _ => expr,
    }
}

/// Rank of a real floating type: range first, then extended, standard, interchange (C23 H.4.2). Decimal types have an order among
/// themselves only.
fn float_rank(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Float16 => 0,
        FloatKind::Float => 10,
        FloatKind::Float32 => 12,
        FloatKind::Float32x => 20,
        FloatKind::Double => 21,
        FloatKind::Float64 => 22,
        FloatKind::Float64x => 30,
        FloatKind::LongDouble => 31,
        FloatKind::Float128 => 40,
        FloatKind::Decimal32 => 50,
        FloatKind::Decimal64 => 51,
        FloatKind::Decimal128 => 52,
    }
}

/// The common type of two arithmetic types after promotion (C23 6.3.1.8). The arguments are promoted types.
pub fn common_arithmetic(cx: &mut Sema<'_, '_>, a: Ty, b: Ty) -> Ty {
    let (a, b) = (cx.types().canonical(a), cx.types().canonical(b));
    if a == b {
        return a;
    }
    let part = |ty: Ty| match cx.kind(ty) {
        TypeKind::Complex(part) => (part, true),
        _ => (ty, false),
    };
    let ((p, ca), (q, cb)) = (part(a), part(b));
    let real = match (cx.types().float_kind(p), cx.types().float_kind(q)) {
        (Some(m), Some(n)) => {
            if float_rank(m) >= float_rank(n) {
                p
            } else {
                q
            }
        }
        (Some(_), None) => p,
        (None, Some(_)) => q,
        (None, None) => common_integer(cx, p, q),
    };
    if ca || cb { cx.unit.types.complex_of(real) } else { real }
}

fn common_integer(cx: &Sema<'_, '_>, a: Ty, b: Ty) -> Ty {
    let (a, b) = (cx.types().strip_enum(a), cx.types().strip_enum(b));
    let (Some(m), Some(n)) = (cx.types().int_info(a), cx.types().int_info(b)) else { return Ty::INT };
    if a == b {
        return a;
    }
    if m.signed == n.signed {
        return if m.rank >= n.rank { a } else { b };
    }
    let ((unsigned, u), (signed, s)) = if m.signed { ((b, n), (a, m)) } else { ((a, m), (b, n)) };
    if u.rank >= s.rank {
        unsigned
    } else if s.bits > u.bits {
        signed
    } else {
        types::with_signedness(cx.types(), signed, false).unwrap_or(unsigned)
    }
}

/// Why a decimal operand does not go with the other one (C23 6.5.1 and the constraints of the operators), if so.
pub fn mixed_radix(cx: &Sema<'_, '_>, a: Ty, b: Ty) -> Option<&'static str> {
    let decimal = |ty: Ty| cx.types().decimal_format(ty).is_some();
    let other = match (decimal(a), decimal(b)) {
        (true, false) => b,
        (false, true) => a,
        _ => return None,
    };
    match cx.kind(other) {
        TypeKind::Float(_) => Some("cannot mix operands of decimal floating and other floating types"),
        TypeKind::Complex(_) => Some("cannot mix operands of decimal floating and complex types"),
        TypeKind::Vector { .. } => Some("cannot mix operands of decimal floating and vector types"),
        _ => None,
    }
}

/// The usual arithmetic conversions of two arithmetic rvalues. Real operands of a complex operation become complex. A decimal operand
/// with a binary or complex one is an error, reported at `loc`; the results are erroneous then. Comparisons have warnings of their own.
pub fn usual_arithmetic<'a>(
    cx: &mut Sema<'_, 'a>,
    a: ExprRef<'a>,
    b: ExprRef<'a>,
    comparison: bool,
    loc: Loc,
) -> (ExprRef<'a>, ExprRef<'a>, Ty) {
    let (p, q) = (promoted_type(cx, a), promoted_type(cx, b));
    if let Some(message) = mixed_radix(cx, p, q) {
        cx.error(loc, message);
        let error = cx.error_expr(loc);
        return (error, error, Ty::ERROR);
    }
    let ty = common_arithmetic(cx, p, q);
    let float = |ty: Ty| matches!(ty, Ty::FLOAT);
    if cx.unevaluated == 0
        && float(p) != float(q)
        && ty == Ty::DOUBLE
        && cx.types().is_floating(p)
        && cx.types().is_floating(q)
    {
        let message = "implicit conversion from 'float' to 'double' to match other operand of binary expression";
        cx.warn(warning::DOUBLE_PROMOTION, loc, message);
    }
    if !comparison || cx.types().is_floating(ty) {
        implicit_changes::check(cx, a, ty, None, |_| loc);
        implicit_changes::check(cx, b, ty, None, |_| loc);
    }
    (convert(cx, a, ty), convert(cx, b, ty), ty)
}

/// Converts an rvalue of scalar (or vector, or any identical) type to an unqualified type, without any check. Folds
/// constants.
pub fn convert<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>, to: Ty) -> ExprRef<'a> {
    let from = expr.ty.ty();
    if from == to {
        return expr;
    }
    if expr.is_error() || cx.types().is_error(to) {
        return cx.error_expr(expr.loc);
    }
    if let Some(folded) = fold::cast(cx, expr, to) {
        return folded;
    }
    if let Some(wide) = decimal::widened(cx, expr, to) {
        return wide;
    }
    let (source, target) = (cx.kind(from), cx.kind(to));
    let integral =
        |k: TypeKind| matches!(k, TypeKind::Int(_) | TypeKind::BitInt { .. } | TypeKind::Enum(_) | TypeKind::Bool);
    let kind = match (source, target) {
        (_, TypeKind::Void) => CastKind::ToVoid,
        (_, TypeKind::Bool) if !cx.types().is_vector(from) => {
            if source == TypeKind::Bool {
                CastKind::NoOp
            } else {
                return to_bool(cx, expr, to);
            }
        }
        (TypeKind::Complex(p), TypeKind::Complex(q)) => {
            if cx.types().canonical(p) == cx.types().canonical(q) {
                CastKind::NoOp
            } else {
                CastKind::Complex
            }
        }
        (TypeKind::Complex(part), _) if cx.types().is_arithmetic(to) => {
            let real = cast_node(cx, CastKind::ComplexToReal, expr, part);
            return convert(cx, real, to);
        }
        (_, TypeKind::Complex(part)) if cx.types().is_arithmetic(from) => {
            let real = convert(cx, expr, part);
            return cast_node(cx, CastKind::RealToComplex, real, to);
        }
        (TypeKind::Float(_), TypeKind::Float(_)) => CastKind::Floating,
        (TypeKind::Float(_), k) if integral(k) => CastKind::FloatToInt,
        (k, TypeKind::Float(_)) if integral(k) => CastKind::IntToFloat,
        (k, TypeKind::Pointer(_) | TypeKind::NullPtr) if integral(k) => CastKind::IntToPointer,
        (TypeKind::Pointer(_) | TypeKind::NullPtr, k) if integral(k) => CastKind::PointerToInt,
        (TypeKind::Pointer(_) | TypeKind::NullPtr, TypeKind::Pointer(_) | TypeKind::NullPtr) => CastKind::Pointer,
        (k, l) if integral(k) && integral(l) => CastKind::Integral,
        (TypeKind::Vector { .. }, _) | (_, TypeKind::Vector { .. }) => CastKind::Bitcast,
        _ => CastKind::NoOp,
    };
    let node = cast_node(cx, kind, expr, to);
    cx.with_flags(node, ExprFlags(expr.flags.0 & ExprFlags::CONSTANT.0))
}

/// Scalar to truth value of type `to` (`_Bool`).
fn to_bool<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>, to: Ty) -> ExprRef<'a> {
    cast_node(cx, CastKind::ToBool, expr, to)
}

/// An array that is no lvalue, such as a member of a function's result: in C90 it does not become a pointer (C90 6.2.2.1).
pub fn is_undecayed_array(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> bool {
    expr.cat == Category::Rvalue && !cx.since(target::options::Standard::C99) && cx.types().is_array(expr.ty.ty())
}

/// A condition: a scalar converted to `_Bool`; reports anything else.
pub fn condition<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> ExprRef<'a> {
    let assignment = matches!(expr.kind, ExprKind::Assign { .. }) && !expr.flags.has(ExprFlags::PAREN);
    if is_undecayed_array(cx, expr) {
        return truth_value(cx, expr);
    }
    let expr = rvalue(cx, expr);
    if assignment {
        cx.warn(warning::PARENTHESES, expr.loc, "suggest parentheses around assignment used as truth value");
    }
    truth_value(cx, expr)
}

/// Like [`condition`], of an rvalue.
pub fn truth_value<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> ExprRef<'a> {
    let ty = expr.ty.ty();
    match cx.kind(ty) {
        TypeKind::Error => return expr,
        _ if cx.types().is_scalar(ty) => {}
        TypeKind::Record(id) => {
            let keyword = cx.types().records[id].kind.keyword();
            cx.error(expr.loc, format!("used {keyword} type value where scalar is required"));
            return cx.error_expr(expr.loc);
        }
        TypeKind::Void => {
            cx.error(expr.loc, "void value not ignored as it ought to be");
            return cx.error_expr(expr.loc);
        }
        TypeKind::Vector { .. } => {
            cx.error(expr.loc, "used vector type where scalar is required");
            return cx.error_expr(expr.loc);
        }
        _ => {
            cx.error(expr.loc, "used array that cannot be converted to pointer where scalar is required");
            return cx.error_expr(expr.loc);
        }
    }
    warn_address_is_true(cx, expr);
    warn_number_as_truth(cx, expr);
    convert(cx, expr, Ty::BOOL)
}

/// `-Wint-in-bool-context`: what computes a number was hardly meant as a truth value.
fn warn_number_as_truth(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>) {
    let constant = |e: ExprRef<'_>| e.int_value().filter(|_| !e.flags.has(ExprFlags::TRUTH));
    let message = match expr.kind {
        ExprKind::Binary { op: BinaryOp::Mul, .. } if cx.types().is_integer(expr.ty.ty()) => {
            "'*' in boolean context, suggest '&&' instead"
        }
        ExprKind::Binary { op: BinaryOp::Shl, .. } if cx.types().is_signed(expr.ty.ty()) => {
            "'<<' in boolean context, did you mean '<'?"
        }
        ExprKind::Conditional { then, els, .. } => match (constant(then), constant(els)) {
            (Some(a), Some(b)) if a != 0 && b != 0 && (a != 1 || b != 1) => {
                "'?:' using integer constants in boolean context, the expression will always evaluate to 'true'"
            }
            (Some(a), Some(b)) if !(0..=1).contains(&a) || !(0..=1).contains(&b) => {
                "'?:' using integer constants in boolean context"
            }
            _ => return,
        },
        _ => return,
    };
    cx.warn(warning::INT_IN_BOOL_CONTEXT, expr.loc, message);
}

/// The address of an object or function is never null: `-Waddress`.
fn warn_address_is_true(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>) {
    let decl = match expr.kind {
        ExprKind::Cast { kind: CastKind::FunctionToPointer, operand } => operand.decl(),
        ExprKind::AddrOf(operand) => operand.decl(),
        ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => operand.decl(),
        _ => None,
    };
    if let Some(id) = decl
        && !cx.unit.attrs(id).is_some_and(|a| a.flags.has(crate::tree::AttrFlags::WEAK))
    {
        let name = cx.dname(id);
        cx.warn(warning::ADDRESS, expr.loc, format!("the address of {name} will always evaluate as 'true'"));
    }
}

/// A null pointer constant (C23 6.3.2.3 paragraph 3): an integer constant expression 0, that cast to `void *`, `nullptr`.
pub fn is_null_pointer_constant(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> bool {
    if expr.flags.has(ExprFlags::NULL) {
        return true;
    }
    match cx.kind(expr.ty) {
        TypeKind::NullPtr => true,
        TypeKind::Int(_) | TypeKind::Bool | TypeKind::Enum(_) | TypeKind::BitInt { .. } => {
            expr.int_value() == Some(0) && expr.flags.has(ExprFlags::ICE)
        }
        _ => false,
    }
}

/// Why a value is converted as if by assignment, for the wording.
#[derive(Clone, Copy, Debug)]
pub enum AssignContext<'c> {
    /// `=`
    Assign,
    /// Initialisation.
    Init,
    /// `return`
    Return,
    /// Argument `number` (from 1) of the function described by `callee`.
    Argument {
        /// From 1.
        number: usize,
        /// The callee in quotes.
        callee: &'c str,
    },
}

impl AssignContext<'_> {
    /// `what` is "makes pointer from integer without a cast" or the like.
    fn makes(self, to: &str, from: &str, what: &str) -> String {
        match self {
            AssignContext::Assign => format!("assignment to {to} from {from} {what}"),
            AssignContext::Init => format!("initialization of {to} from {from} {what}"),
            AssignContext::Return => format!("returning {from} from a function with return type {to} {what}"),
            AssignContext::Argument { number, callee } => format!("passing argument {number} of {callee} {what}"),
        }
    }

    fn incompatible_pointer(self, to: &str, from: &str) -> String {
        match self {
            AssignContext::Assign => format!("assignment to {to} from incompatible pointer type {from}"),
            AssignContext::Init => format!("initialization of {to} from incompatible pointer type {from}"),
            AssignContext::Return => {
                format!("returning {from} from a function with incompatible return type {to}")
            }
            AssignContext::Argument { number, callee } => {
                format!("passing argument {number} of {callee} from incompatible pointer type")
            }
        }
    }

    fn signedness(self, to: &str, from: &str) -> String {
        match self {
            AssignContext::Assign => {
                format!("pointer targets in assignment from {from} to {to} differ in signedness")
            }
            AssignContext::Init => {
                format!("pointer targets in initialization of {to} from {from} differ in signedness")
            }
            AssignContext::Return => format!(
                "pointer targets in returning {from} from a function with return type {to} differ in signedness"
            ),
            AssignContext::Argument { number, callee } => {
                format!("pointer targets in passing argument {number} of {callee} differ in signedness")
            }
        }
    }

    fn incompatible(self, to: &str, from: &str) -> String {
        match self {
            AssignContext::Assign => format!("incompatible types when assigning to type {to} from type {from}"),
            AssignContext::Init => format!("incompatible types when initializing type {to} using type {from}"),
            AssignContext::Return => {
                format!("incompatible types when returning type {from} but {to} was expected")
            }
            AssignContext::Argument { number, callee } => {
                format!("incompatible type for argument {number} of {callee}")
            }
        }
    }

    /// "assignment", "passing argument 1 of 'f'"...
    fn noun(self) -> String {
        match self {
            AssignContext::Assign => "assignment".into(),
            AssignContext::Init => "initialization".into(),
            AssignContext::Return => "return".into(),
            AssignContext::Argument { number, callee } => format!("passing argument {number} of {callee}"),
        }
    }
}

/// Converts `expr` as if by assignment to an object of type `to` (C23 6.5.17.2); the result has the unqualified type.
/// `param_loc` points to the parameter for the note on arguments.
pub fn assign_convert<'a>(
    cx: &mut Sema<'_, 'a>,
    expr: ExprRef<'a>,
    to: QualType,
    context: AssignContext<'_>,
    loc: Loc,
) -> ExprRef<'a> {
    let mut expr = expr;
    if cx.types().is_arithmetic(expr.ty.ty()) && cx.types().is_arithmetic(to.ty()) {
        expr = rvalue(cx, expr);
        implicit_changes::check(cx, expr, to.ty(), None, |cx| start(cx, expr));
    }
    assign_convert_unwatched(cx, expr, to, context, loc)
}

/// [`assign_convert`] without a look at what is no constant and may change.
pub fn assign_convert_unwatched<'a>(
    cx: &mut Sema<'_, 'a>,
    expr: ExprRef<'a>,
    to: QualType,
    context: AssignContext<'_>,
    loc: Loc,
) -> ExprRef<'a> {
    if is_undecayed_array(cx, expr) {
        cx.error(expr.loc, "invalid use of non-lvalue array");
        return cx.error_expr(expr.loc);
    }
    let expr = rvalue(cx, expr);
    let target = cx.unit.types.with_native(to.ty());
    let to = QualType::new(target, to.quals());
    let source = expr.ty.ty();
    if expr.is_error() || cx.types().is_error(target) {
        return cx.error_expr(expr.loc);
    }
    if source == target && !cx.types().is_incomplete(target) {
        return expr;
    }
    let (s, t) = (cx.kind(source), cx.kind(target));
    if s == TypeKind::Void {
        let message = match context {
            AssignContext::Argument { .. } => "invalid use of void expression",
            _ => "void value not ignored as it ought to be",
        };
        cx.error(expr.loc, message);
        return cx.error_expr(expr.loc);
    }
    let canonical = cx.types().canonical(target);
    match (s, t) {
        _ if cx.types().is_arithmetic(source) && cx.types().is_arithmetic(target) => {
            implicit_changes::check_constant(cx, expr, target, start(cx, expr));
            warn_enum_mismatch(cx, source, target, loc);
            convert(cx, expr, target)
        }
        (_, TypeKind::Bool) if cx.types().is_scalar(source) => convert(cx, expr, target),
        (TypeKind::Pointer(from), TypeKind::Pointer(to_pointee)) => {
            let (expr, from) = unnamed_base(cx, expr, from, to_pointee, loc);
            check_pointers(cx, expr, from, to_pointee, to, context, loc);
            convert(cx, expr, target)
        }
        (TypeKind::NullPtr, TypeKind::Pointer(_) | TypeKind::NullPtr) => convert(cx, expr, target),
        (_, TypeKind::Pointer(_) | TypeKind::NullPtr) if cx.types().is_integer(source) => {
            if !is_null_pointer_constant(cx, expr) {
                if t == TypeKind::NullPtr {
                    return incompatible(cx, expr, to, context, loc);
                }
                let (to, from) = (cx.tname(to.unqualified()), cx.tname(expr.ty));
                let message = context.makes(&to, &from, "makes pointer from integer without a cast");
                emit_conversion(cx, warning::INT_CONVERSION, loc, message, context, &to, &from);
            }
            let node = convert(cx, expr, target);
            cx.without_flags(node, ExprFlags::NULL)
        }
        (TypeKind::Pointer(_), _) if cx.types().is_integer(target) => {
            let (to, from) = (cx.tname(to.unqualified()), cx.tname(expr.ty));
            let message = context.makes(&to, &from, "makes integer from pointer without a cast");
            emit_conversion(cx, warning::INT_CONVERSION, loc, message, context, &to, &from);
            convert(cx, expr, target)
        }
        (TypeKind::Vector { .. }, TypeKind::Vector { .. }) => {
            let same_size = cx.types().size_of(source) == cx.types().size_of(target);
            let compatible = types::compatible_unqualified(cx.types(), source, target);
            let lanes = same_size && same_lanes(cx, s, t);
            if compatible || lanes || (same_size && (is_opaque(expr) || lax_vectors(cx, context, loc))) {
                convert(cx, expr, target)
            } else {
                incompatible(cx, expr, to, context, loc)
            }
        }
        (_, TypeKind::Record(id)) if cx.types().records[id].transparent => {
            transparent_union(cx, expr, to, context, loc)
        }
        _ if types::compatible_unqualified(cx.types(), source, canonical)
            && (cx.types().is_record(source) || s == t) =>
        {
            if cx.types().is_incomplete(target) {
                types::report_incomplete(cx, to, loc);
                return cx.error_expr(loc);
            }
            convert(cx, expr, target)
        }
        _ => incompatible(cx, expr, to, context, loc),
    }
}

/// Made of comparisons of vectors only: converts to any vector of its size (gcc's opaque vectors).
fn is_opaque(expr: ExprRef<'_>) -> bool {
    // What is nested deeper than anybody writes it is not.
    let (mut work, mut left) = (vec![expr], 64);
    while let Some(expr) = work.pop() {
        left -= 1;
        match expr.kind {
            _ if left == 0 => return false,
            ExprKind::Binary { op, .. } if op.is_comparison() => {}
            ExprKind::Binary { lhs, rhs, .. } => work.extend([lhs, rhs]),
            ExprKind::Unary { operand, .. } => work.push(operand),
            _ => return false,
        }
    }
    true
}

/// Vectors of one size convert into each other under `-flax-vector-conversions`, in system headers and as operands of builtin functions.
fn lax_vectors(cx: &Sema<'_, '_>, context: AssignContext<'_>, loc: Loc) -> bool {
    let builtin = matches!(context, AssignContext::Argument { callee, .. } if callee.starts_with("'__builtin_"));
    cx.lang.lax_vector_conversions || builtin || cx.sess.sources.in_system_header(loc)
}

/// Two vector types that an initialiser converts into each other whole.
pub fn are_lax_vectors(cx: &Sema<'_, '_>, from: Ty, to: Ty, loc: Loc) -> bool {
    cx.types().is_vector(from)
        && cx.types().is_vector(to)
        && cx.types().size_of(from) == cx.types().size_of(to)
        && lax_vectors(cx, AssignContext::Init, loc)
}

/// Vectors of as many integers of the same size: gcc lets a comparison's result, whose elements are signed, become any of them.
fn same_lanes(cx: &Sema<'_, '_>, a: TypeKind, b: TypeKind) -> bool {
    match (a, b) {
        (TypeKind::Vector { elem: p, lanes: m }, TypeKind::Vector { elem: q, lanes: n }) => {
            m == n && cx.types().is_integer(p) && cx.types().is_integer(q)
        }
        _ => false,
    }
}

fn incompatible<'a>(
    cx: &mut Sema<'_, 'a>,
    expr: ExprRef<'a>,
    to: QualType,
    context: AssignContext<'_>,
    loc: Loc,
) -> ExprRef<'a> {
    let aggregate = cx.types().is_record(to.ty()) || cx.types().is_array(to.ty());
    let (to, from) = (cx.tname(to.unqualified()), cx.tname(expr.ty));
    let (message, loc) = match context {
        AssignContext::Init if aggregate => ("invalid initializer".to_string(), loc),
        AssignContext::Assign => (context.incompatible(&to, &from), expr.loc),
        _ => (context.incompatible(&to, &from), loc),
    };
    let mut builder = cx.sess.error(loc, message);
    if let AssignContext::Argument { .. } = context {
        builder = builder.note(Loc::NONE, format!("expected {to} but argument is of type {from}"));
    }
    builder.emit();
    cx.error_expr(expr.loc)
}

fn emit_conversion(
    cx: &mut Sema<'_, '_>,
    id: base::WarningId,
    loc: Loc,
    message: String,
    context: AssignContext<'_>,
    to: &str,
    from: &str,
) {
    let mut builder = cx.sess.pedwarn(id, loc, message);
    if let AssignContext::Argument { .. } = context {
        builder = builder.note(Loc::NONE, format!("expected {to} but argument is of type {from}"));
    }
    builder.emit();
}

/// `-fplan9-extensions`: a pointer to a structure becomes one to its unnamed member of the type wanted.
fn unnamed_base<'a>(
    cx: &mut Sema<'_, 'a>,
    expr: ExprRef<'a>,
    from: QualType,
    to: QualType,
    loc: Loc,
) -> (ExprRef<'a>, QualType) {
    if let (TypeKind::Record(record), TypeKind::Record(wanted)) = (cx.kind(from), cx.kind(to))
        && cx.lang.plan9_extensions
        && record != wanted
        && let Some(path) = cx.types().find_unnamed(record, wanted)
    {
        let (mut offset, mut inside) = (0, from);
        for field in path {
            let TypeKind::Record(id) = cx.kind(inside) else { break };
            let field = cx.types().records[id].field(field);
            (offset, inside) = (offset + field.offset, field.ty.with(inside.quals()));
        }
        let index = cx.int(offset.into(), Ty::LONG, loc, ExprFlags::default());
        let (size, ty) = (ElementSize::Constant(1), expr.ty.ty());
        return (cx.value(ExprKind::PtrAdd { ptr: expr, index, size, negate: false }, ty, loc), inside);
    }
    (expr, from)
}

/// The constraints on assigning one pointer to another.
fn check_pointers(
    cx: &mut Sema<'_, '_>,
    expr: ExprRef<'_>,
    from: QualType,
    to: QualType,
    target: QualType,
    context: AssignContext<'_>,
    loc: Loc,
) {
    if from == to {
        return;
    }
    let from_void = cx.kind(from) == TypeKind::Void;
    let to_void = cx.kind(to) == TypeKind::Void;
    if from_void || to_void {
        let function = cx.types().is_function(if from_void { to.ty() } else { from.ty() });
        if function && !(from_void && is_null_pointer_constant(cx, expr)) {
            let noun = context.noun();
            cx.pedantic(loc, format!("ISO C forbids {noun} between function pointer and 'void *'"));
            return;
        }
    } else if !compatible_targets(cx, from, to) {
        let (to_name, from_name) = (cx.tname(target.unqualified()), cx.tname(expr.ty));
        if differ_in_sign_only(cx, from.ty(), to.ty()) {
            let message = context.signedness(&to_name, &from_name);
            if !cx.sess.warning_enabled(warning::POINTER_SIGN, loc) {
                check_discarded(cx, expr, from, to, context, loc);
                return;
            }
            emit_conversion(cx, warning::POINTER_SIGN, loc, message, context, &to_name, &from_name);
        } else {
            let message = context.incompatible_pointer(&to_name, &from_name);
            emit_conversion(cx, warning::INCOMPATIBLE_POINTER_TYPES, loc, message, context, &to_name, &from_name);
            return;
        }
    }
    check_discarded(cx, expr, from, to, context, loc);
}

fn compatible_targets(cx: &mut Sema<'_, '_>, from: QualType, to: QualType) -> bool {
    let (from, to) = (unqualified_target(cx, from), unqualified_target(cx, to));
    types::compatible_unqualified(cx.types(), from, to)
}

/// A pointed-to type for the compatibility check: qualifiers of arrays sit on their elements and are compared apart.
fn unqualified_target(cx: &mut Sema<'_, '_>, ty: QualType) -> Ty {
    match cx.kind(ty) {
        TypeKind::Array { .. } => types::unqualified_deep(&mut cx.state.unit.types, ty).ty(),
        _ => ty.ty(),
    }
}

fn check_discarded(
    cx: &mut Sema<'_, '_>,
    expr: ExprRef<'_>,
    from: QualType,
    to: QualType,
    context: AssignContext<'_>,
    loc: Loc,
) {
    let have = types::effective_quals(cx.types(), from).without(Quals::ATOMIC);
    let want = types::effective_quals(cx.types(), to);
    let lost = have.without(want);
    if lost.is_empty() || cx.types().is_function(from.ty()) {
        return;
    }
    let names: Vec<&str> = [(Quals::CONST, "const"), (Quals::VOLATILE, "volatile"), (Quals::RESTRICT, "restrict")]
        .into_iter()
        .filter(|(q, _)| lost.has(*q))
        .map(|(_, n)| n)
        .collect();
    let names = names.join(" ");
    let plural = if names.contains(' ') { "qualifiers" } else { "qualifier" };
    let message = format!("{} discards '{names}' {plural} from pointer target type", context.noun());
    let pointer = cx.pointer_to(to);
    let (to, from) = (cx.tname(pointer), cx.tname(expr.ty));
    emit_conversion(cx, warning::DISCARDED_QUALIFIERS, loc, message, context, &to, &from);
}

/// The pointed-to types are integers of one size and different sign (`char` counts as different from both).
fn differ_in_sign_only(cx: &mut Sema<'_, '_>, a: Ty, b: Ty) -> bool {
    match (cx.kind(a), cx.kind(b)) {
        (TypeKind::Pointer(p), TypeKind::Pointer(q)) => {
            p.quals() == q.quals() && differ_in_sign_only(cx, p.ty(), q.ty())
        }
        _ => {
            let (a, b) = (cx.types().strip_enum(a), cx.types().strip_enum(b));
            a != Ty::BOOL
                && b != Ty::BOOL
                && types::with_signedness(cx.types(), a, true)
                    .is_some_and(|a| Some(a) == types::with_signedness(cx.types(), b, true))
        }
    }
}

/// An argument for a transparent union: a value of any member's type, passed as the first member would be.
fn transparent_union<'a>(
    cx: &mut Sema<'_, 'a>,
    expr: ExprRef<'a>,
    to: QualType,
    context: AssignContext<'_>,
    loc: Loc,
) -> ExprRef<'a> {
    let target = to.ty();
    if types::compatible_unqualified(cx.types(), expr.ty.ty(), target) {
        return convert(cx, expr, target);
    }
    let members: Vec<QualType> =
        cx.types().record_of(target).map(|r| r.fields.iter().map(|f| f.ty).collect()).unwrap_or_default();
    for (index, &member) in members.iter().enumerate() {
        let ty = member.ty();
        let matches = types::compatible_unqualified(cx.types(), expr.ty.ty(), ty)
            || match (cx.kind(expr.ty), cx.kind(ty)) {
                (TypeKind::Pointer(p), TypeKind::Pointer(q)) => {
                    cx.kind(p) == TypeKind::Void
                        || cx.kind(q) == TypeKind::Void
                        || types::compatible_unqualified(cx.types(), p.ty(), q.ty())
                }
                (_, TypeKind::Pointer(_)) => is_null_pointer_constant(cx, expr),
                _ => false,
            };
        if matches {
            let value = convert(cx, expr, ty);
            return cast_node(cx, CastKind::ToUnion(index as u32), value, target);
        }
    }
    incompatible(cx, expr, to, context, loc)
}

fn warn_enum_mismatch(cx: &mut Sema<'_, '_>, from: Ty, to: Ty, loc: Loc) {
    if let (TypeKind::Enum(a), TypeKind::Enum(b)) = (cx.kind(from), cx.kind(to))
        && a != b
        && !types::compatible_unqualified(cx.types(), from, to)
    {
        let (from, to) = (cx.tname(from), cx.tname(to));
        cx.warn(warning::ENUM_CONVERSION, loc, format!("implicit conversion from {from} to {to}"));
    }
}

/// `lhs op rhs` as a plain node, for helpers that build size computations.
pub fn size_product<'a>(cx: &mut Sema<'_, 'a>, a: ExprRef<'a>, b: ExprRef<'a>) -> ExprRef<'a> {
    let (a, b) = (convert(cx, a, Ty::SIZE), convert(cx, b, Ty::SIZE));
    match (a.int_value(), b.int_value()) {
        (Some(1), _) => b,
        (_, Some(1)) => a,
        (Some(m), Some(n)) => {
            let product = (m as u64).wrapping_mul(n as u64);
            cx.ice(product as i128, Ty::SIZE, a.loc)
        }
        _ => cx.value(ExprKind::Binary { op: BinaryOp::Mul, lhs: a, rhs: b }, Ty::SIZE, a.loc),
    }
}
