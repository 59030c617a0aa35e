//! Conversions (C23 6.3): of lvalues, arrays and functions to values, promotions, usual arithmetic
//! conversions, and to truth values. Those of assignment, initialisation, arguments and `return`
//! are in `assignment_conversions`, explicit casts in `expressions::cast`.

use base::Loc;
use platform::options::Sanitizers;

use super::constants::{fold, known};
use super::{Sema, decimal, excess, lints, types};
use crate::tree::{
    BinaryOp, CastKind, Category, DeclFlags, Expr, ExprFlags, ExprKind, ExprRef, FloatKind, Ty, TypeKind, UnaryOp,
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
        TypeKind::Int(_) | TypeKind::Pointer(_) => load(cx, expr),
        TypeKind::Array { .. } => decay_array(cx, expr),
        TypeKind::Function(_) => {
            let (ty, written) = (cx.pointer_to(expr.ty), cx.pointer_to(expr.written).plain());
            mark_referenced(cx, expr);
            let kind = ExprKind::Cast { kind: CastKind::FunctionToPointer, operand: expr };
            let node = cx.value_written(kind, ty, written, expr.loc);
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
    if let Some(value) = known::named_constant_member(cx, expr) {
        let ty = cx.types().canonical(expr.ty.ty());
        return fold::make(cx, value, ty, expr.loc, ExprFlags::ICE.with(ExprFlags::CONSTANT));
    }
    let ty = cx.unit.types.with_native(expr.ty.ty());
    cx.arena.alloc(Expr {
        kind: ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand: expr },
        ty: ty.plain(),
        written: if ty == expr.ty.ty() { expr.written.unqualified() } else { ty.plain() },
        loc: expr.loc,
        cat: Category::Rvalue,
        flags: ExprFlags(expr.flags.0 & (ExprFlags::PAREN.0 | ExprFlags::EXTENSION.0)),
    })
}

/// Array to pointer to its first element.
fn decay_array<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> ExprRef<'a> {
    let elem = cx.types().array_element(expr.ty).unwrap_or(Ty::ERROR.plain());
    let ty = cx.pointer_to(elem);
    let elem = cx.types().array_element(expr.written).unwrap_or(elem);
    let written = cx.pointer_to(elem).plain();
    // `((T *)constant)->array`: offsetof written by hand, with a subscript after it.
    if let Some(offset) = super::expressions::pointer::constant_offset(cx, expr) {
        return cx.int(offset as i128, ty, expr.loc, ExprFlags::CONSTANT);
    }
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
    let kind = ExprKind::Cast { kind: CastKind::ArrayToPointer, operand: expr };
    let node = cx.value_written(kind, ty, written, expr.loc);
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

/// Where an expression begins, as far as its operands tell: gcc shows the conversion of a whole
/// operand there. Parentheses are not seen.
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
    let root = root_object(expr);
    let literal = match root.kind {
        // Their scopes are those of the address sanitizer only.
        ExprKind::CompoundLiteral { decl, .. } if cx.checks(Sanitizers::ANY_ADDRESS) => Some(decl),
        _ => None,
    };
    if let Some(id) = root.decl().or(literal)
        && cx.unevaluated == 0
    {
        cx.unit.decls[id].flags.set(DeclFlags(DeclFlags::REFERENCED.0 | DeclFlags::ADDRESS_TAKEN.0));
    }
}

/// Width of the bit-field an rvalue was loaded from, if any: as in gcc, the value of an assignment,
/// a comma expression or a statement expression is still as wide.
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
/// A bit-field wider than `int` keeps its own width, as in gcc (C23 6.7.3.2 leaves the type to the
/// implementation): arithmetic on it is that of a bit-precise integer of as many bits.
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

/// Rank of a real floating type: range first, then extended, standard, interchange (C23 H.4.2).
/// Decimal types have an order among themselves only.
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

/// The common type of two arithmetic types after promotion (C23 6.3.1.8). The arguments are
/// promoted types.
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

/// Why a decimal operand does not go with the other one (C23 6.5.1 and the constraints of the
/// operators), if so.
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

/// The usual arithmetic conversions of two arithmetic rvalues. Real operands of a complex operation
/// become complex. A decimal operand with a binary or complex one is an error, reported at `loc`;
/// the results are erroneous then. Comparisons have warnings of their own.
pub fn usual_arithmetic<'a>(
    cx: &mut Sema<'_, 'a>,
    a: ExprRef<'a>,
    b: ExprRef<'a>,
    comparison: bool,
    loc: Loc,
) -> (ExprRef<'a>, ExprRef<'a>, Ty) {
    match common_type(cx, a, b, comparison, loc) {
        Some(ty) => (convert(cx, a, ty), convert(cx, b, ty), ty),
        None => erroneous(cx, loc),
    }
}

fn erroneous<'a>(cx: &mut Sema<'_, 'a>, loc: Loc) -> (ExprRef<'a>, ExprRef<'a>, Ty) {
    let error = cx.error_expr(loc);
    (error, error, Ty::ERROR)
}

/// The same of the operands of an operator, which may be of a wider type than the one that is
/// returned: see [`excess`].
pub fn operands<'a>(
    cx: &mut Sema<'_, 'a>,
    a: ExprRef<'a>,
    b: ExprRef<'a>,
    comparison: bool,
    loc: Loc,
) -> (ExprRef<'a>, ExprRef<'a>, Ty) {
    match common_type(cx, a, b, comparison, loc) {
        Some(ty) => {
            let wide = excess::operation_type(cx, a, b, ty);
            (operand(cx, a, b, wide), operand(cx, b, a, wide), ty)
        }
        None => erroneous(cx, loc),
    }
}

/// An operand in the type of the operation. A real constant beside a complex value stays real
/// inside, as other real operands do.
fn operand<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>, other: ExprRef<'a>, to: Ty) -> ExprRef<'a> {
    if let TypeKind::Complex(part) = cx.kind(to)
        && !cx.types().is_complex(expr.ty.ty())
        && cx.types().is_floating(part)
        && fold::constant_of(other).is_none()
    {
        let real = convert(cx, expr, part);
        return cast_node(cx, CastKind::RealToComplex, real, to);
    }
    convert(cx, expr, to)
}

/// The type that the usual arithmetic conversions bring two operands to, with their warnings.
/// `None` after an error.
fn common_type<'a>(cx: &mut Sema<'_, 'a>, a: ExprRef<'a>, b: ExprRef<'a>, comparison: bool, loc: Loc) -> Option<Ty> {
    let (p, q) = (promoted_type(cx, a), promoted_type(cx, b));
    if let Some(message) = mixed_radix(cx, p, q) {
        cx.error(loc, message);
        return None;
    }
    let ty = common_arithmetic(cx, p, q);
    lints::usual_conversions(cx, [a, b], [p, q], ty, comparison, loc);
    Some(ty)
}

/// Converts an rvalue of scalar (or vector, or any identical) type to an unqualified type, without
/// any check. Folds constants.
pub fn convert<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>, to: Ty) -> ExprRef<'a> {
    if let Some(wide) = excess::unrounded(expr) {
        return convert(cx, wide, to);
    }
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

/// An array that is no lvalue, such as a member of a function's result: in C90 it does not become a
/// pointer (C90 6.2.2.1).
pub fn is_undecayed_array(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> bool {
    expr.cat == Category::Rvalue && !cx.since(platform::options::Standard::C99) && cx.types().is_array(expr.ty.ty())
}

/// A condition: a scalar converted to `_Bool`; reports anything else.
pub fn condition<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> ExprRef<'a> {
    let loc = start(cx, expr);
    condition_at(cx, expr, loc)
}

/// The same, with the place that warnings of the whole condition name.
pub fn condition_at<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    if is_undecayed_array(cx, expr) {
        return truth_value(cx, expr, loc);
    }
    let value = rvalue(cx, expr);
    lints::condition(cx, expr, value);
    truth_value(cx, value, loc)
}

/// Like [`condition`], of an rvalue; `loc` is where an address that is never null is reported.
pub fn truth_value<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let ty = expr.ty.ty();
    match cx.kind(ty) {
        TypeKind::Error => return expr,
        _ if cx.types().is_scalar(ty) => {}
        TypeKind::Record(id) => {
            let keyword = cx.types().records[id].kind.keyword();
            cx.error(loc, format!("used {keyword} type value where scalar is required"));
            return cx.error_expr(loc);
        }
        TypeKind::Void => {
            cx.error(loc, "void value not ignored as it ought to be");
            return cx.error_expr(loc);
        }
        TypeKind::Vector { .. } => {
            cx.error(loc, "used vector type where scalar is required");
            return cx.error_expr(loc);
        }
        _ => {
            cx.error(loc, "used array that cannot be converted to pointer where scalar is required");
            return cx.error_expr(loc);
        }
    }
    lints::truth_value(cx, expr, loc);
    convert(cx, expr, Ty::BOOL)
}

/// A null pointer constant (C23 6.3.2.3 paragraph 3): an integer constant expression 0, that cast
/// to `void *`, `nullptr`.
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
