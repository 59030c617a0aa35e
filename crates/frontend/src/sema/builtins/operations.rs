//! Builtin operations that are neither atomic nor floating point: bits, overflow checks, `va_*`,
//! hints, frames.

use base::{Loc, Symbol, warning};

use super::{Entry, Handler, check_count, convert_args, node, signature, va_lists};
use crate::sema::constants::fold::{self, Constant};
use crate::sema::constants::{floats, integers};
use crate::sema::{Sema, conversions, types};
use crate::tree::walk::has_side_effects_besides;
use crate::tree::{
    BinaryOp, Builtin, CastKind, DeclId, ExprFlags, ExprKind, ExprRef, IntInfo, Overflow, QualType, Ty, TypeKind,
};

/// An operation whose arguments follow its prototype. Folds what gcc folds in constant expressions.
pub fn prototyped<'a>(
    cx: &mut Sema<'_, 'a>,
    builtin: Builtin,
    entry: &Entry,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> ExprRef<'a> {
    let signature = signature(cx, entry);
    let Some(args) = convert_args(cx, callee, &signature.params, signature.variadic, args, loc) else {
        return cx.error_expr(loc);
    };
    let ty = signature.ret.ty();
    if let Some(folded) = fold_operation(cx, builtin, &args, ty, loc) {
        return folded;
    }
    match builtin {
        Builtin::Alloca => {
            cx.warn(warning::ALLOCA, loc, "use of 'alloca'");
            cx.mark_allocates();
        }
        Builtin::Setjmp => {
            if let Some(function) = cx.function() {
                function.flags.calls_returns_twice = true;
            }
        }
        _ => {}
    }
    node(cx, builtin, &args, ty, loc)
}

/// The constant a call of a library function folds to.
pub fn folded<'a>(
    cx: &mut Sema<'_, 'a>,
    builtin: Builtin,
    entry: &Entry,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let signature = signature(cx, entry);
    if args.len() != signature.params.len() || args.iter().any(|&a| fold::constant_of(a).is_none()) {
        return None;
    }
    let args = convert_args(cx, callee, &signature.params, false, args, loc)?;
    fold_operation(cx, builtin, &args, signature.ret.ty(), loc)
}

impl Sema<'_, '_> {
    fn mark_allocates(&mut self) {
        if let Some(function) = self.functions.last_mut() {
            function.flags.allocates = true;
        }
    }
}

fn fold_operation<'a>(
    cx: &mut Sema<'_, 'a>,
    builtin: Builtin,
    args: &[ExprRef<'a>],
    ty: Ty,
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let flags = ExprFlags::ICE.with(ExprFlags::CONSTANT);
    if let Some(value) = args.first().and_then(|a| a.int_value()) {
        let info = cx.types().int_info(args[0].ty.ty())?;
        let strict = args[0].flags.has(ExprFlags::ICE);
        let flags = if strict { flags } else { ExprFlags::CONSTANT };
        let result = match builtin {
            Builtin::Expect | Builtin::ExpectWithProbability => value,
            Builtin::Abs => integers::binary(BinaryOp::Mul, value, if value < 0 { -1 } else { 1 }, info)?.value,
            _ => fold_bits(builtin, value, info)?,
        };
        return Some(cx.int(result, ty, loc, flags));
    }
    if let Some(Constant::Float(bits)) = args.first().and_then(|&a| fold::constant_of(a)) {
        let format = fold::format_of(cx, args[0].ty.ty())?;
        let result = match builtin {
            Builtin::Fabs => floats::abs(bits, format),
            Builtin::Copysign => {
                let Constant::Float(sign) = fold::constant_of(args[1])? else { return None };
                let magnitude = floats::abs(bits, format);
                if floats::sign_bit(sign, format) { floats::negate(magnitude, format) } else { magnitude }
            }
            _ => return None,
        };
        return Some(fold::make(cx, Constant::Float(result), ty, loc, ExprFlags::CONSTANT));
    }
    None
}

/// Bit operations on a constant; `None` where the result is undefined.
fn fold_bits(builtin: Builtin, value: i128, info: IntInfo) -> Option<i128> {
    let unsigned = IntInfo { signed: false, ..info };
    let bits = integers::wrap(value, unsigned) as u128;
    let width = info.bits;
    Some(match builtin {
        Builtin::Ffs if bits == 0 => 0,
        Builtin::Ffs => bits.trailing_zeros() as i128 + 1,
        Builtin::Clz | Builtin::Ctz if bits == 0 => return None,
        Builtin::Clz => (bits.leading_zeros() - (128 - width)) as i128,
        Builtin::Ctz => bits.trailing_zeros() as i128,
        Builtin::Clrsb => {
            let flipped = if value < 0 { integers::wrap(!value, unsigned) as u128 } else { bits };
            (flipped.leading_zeros() - (128 - width)) as i128 - 1
        }
        Builtin::Popcount => bits.count_ones() as i128,
        Builtin::Parity => (bits.count_ones() & 1) as i128,
        Builtin::Bswap => integers::wrap((bits << (128 - width)).swap_bytes() as i128, info),
        _ => return None,
    })
}

/// The operations with rules of their own.
pub fn special<'a>(
    cx: &mut Sema<'_, 'a>,
    handler: Handler,
    entry: &Entry,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> ExprRef<'a> {
    let result = match handler {
        Handler::BitGeneric(builtin) => bit_generic(cx, builtin, callee, args, loc),
        Handler::Overflow(op) => overflow(cx, op, entry, callee, args, true, loc),
        Handler::OverflowP(op) => overflow(cx, op, entry, callee, args, false, loc),
        Handler::ConstantP => constant_p(cx, callee, args, loc),
        Handler::ClassifyType => classify_type(cx, callee, args, loc),
        Handler::Prefetch => prefetch(cx, callee, args, loc),
        Handler::AssumeAligned => assume_aligned(cx, callee, args, loc),
        Handler::ObjectSize(builtin) => super::object_size::object_size(cx, builtin, callee, args, loc),
        Handler::Level(builtin) => level(cx, builtin, callee, args, loc),
        Handler::EhReturnDataRegno => eh_regno(cx, callee, args, loc),
        Handler::AllocaWithAlign(builtin) => alloca_with_align(cx, builtin, entry, callee, args, loc),
        Handler::SpeculationSafeValue => speculation(cx, callee, args, loc),
        Handler::ClearPadding => clear_padding(cx, callee, args, loc),
        Handler::VaStart => va_lists::va_start(cx, callee, args, loc),
        Handler::NextArg => va_lists::next_arg(cx, callee, args, loc),
        Handler::VaEnd => va_lists::va_end(cx, callee, args, loc),
        Handler::VaCopy => va_lists::va_copy(cx, callee, args, loc),
        Handler::MsVaList(builtin) => va_lists::ms_va_list(cx, builtin, callee, args, loc),
        Handler::VaArgPack(builtin) => {
            cx.unit.asks_va_arg_pack = true;
            Some(node(cx, builtin, &[], Ty::INT, loc))
        }
        Handler::CpuName(builtin) => cpu_name(cx, builtin, callee, args, loc),
        Handler::SourceLocation => source_location(cx, callee, loc),
        _ => {
            let name = cx.dname(callee);
            cx.error(loc, format!("not supported: builtin function {name}"));
            None
        }
    };
    result.unwrap_or_else(|| cx.error_expr(loc))
}

fn bit_generic<'a>(
    cx: &mut Sema<'_, 'a>,
    builtin: Builtin,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let most = if matches!(builtin, Builtin::Clz | Builtin::Ctz) { 2 } else { 1 };
    if !check_count(cx, callee, args, 1, most, loc) {
        return None;
    }
    let value = conversions::rvalue(cx, args[0]);
    if !cx.types().is_integer(value.ty.ty()) {
        let name = cx.dname(callee);
        cx.error(loc, format!("argument 1 in call to function {name} does not have integral type"));
        return None;
    }
    // Narrow types: zeros are counted in their own width, so widen and subtract.
    let info = cx.types().int_info(value.ty.ty())?;
    let wide = match info.bits {
        0..=32 => Ty::UINT,
        33..=64 => Ty::ULONG,
        _ => Ty::UINT128,
    };
    let unsigned = types::with_signedness(cx.types(), value.ty.ty(), false).unwrap_or(wide);
    let narrow = conversions::convert(cx, value, unsigned);
    let signed_wide = types::with_signedness(cx.types(), wide, true).unwrap_or(Ty::INT);
    let operand = match builtin {
        Builtin::Clrsb | Builtin::Ffs => conversions::convert(cx, value, signed_wide),
        _ => conversions::convert(cx, narrow, wide),
    };
    let base = match fold_operation(cx, builtin, &[operand], Ty::INT, loc) {
        Some(folded) => folded,
        None => node(cx, builtin, &[operand], Ty::INT, loc),
    };
    let wide_bits = cx.types().int_info(wide).map_or(32, |i| i.bits);
    let count = if matches!(builtin, Builtin::Clz | Builtin::Clrsb) && wide_bits != info.bits {
        let excess = cx.ice((wide_bits - info.bits) as i128, Ty::INT, loc);
        crate::sema::expressions::binary::arithmetic(cx, BinaryOp::Sub, base, excess, loc)
    } else {
        base
    };
    if args.len() == 2 {
        let fallback = conversions::rvalue(cx, args[1]);
        let cond = conversions::truth_value(cx, value, value.loc);
        return Some(crate::sema::expressions::assign::conditional(cx, cond, Some(count), fallback, (loc, loc)));
    }
    Some(count)
}

/// `__builtin_add_overflow(a, b, &r)`, the typed forms, and `__builtin_add_overflow_p(a, b, type)`.
fn overflow<'a>(
    cx: &mut Sema<'_, 'a>,
    op: BinaryOp,
    entry: &Entry,
    callee: DeclId,
    args: &[ExprRef<'a>],
    stores: bool,
    loc: Loc,
) -> Option<ExprRef<'a>> {
    if !check_count(cx, callee, args, 3, 3, loc) {
        return None;
    }
    let args: Vec<ExprRef<'a>> = if entry.proto.is_empty() {
        args.iter().map(|a| conversions::rvalue(cx, a)).collect()
    } else {
        let signature = signature(cx, entry);
        convert_args(cx, callee, &signature.params, false, args, loc)?
    };
    let name = cx.dname(callee);
    for (index, arg) in args[..2].iter().enumerate() {
        if arg.is_error() {
            return None;
        }
        if !cx.types().is_integer(arg.ty.ty()) {
            cx.error(loc, format!("argument {} in call to function {name} does not have integral type", index + 1));
            return None;
        }
    }
    let result_ty = if stores {
        let pointee = cx.types().pointee(args[2].ty.ty());
        let good = pointee.filter(|p| {
            cx.types().is_integer(p.ty()) && !matches!(cx.kind(p.ty()), TypeKind::Bool | TypeKind::Enum(_))
        });
        match good {
            Some(p) if p.quals().is_const() => {
                cx.error(loc, format!("argument 3 in call to function {name} has pointer to 'const' type"));
                return None;
            }
            Some(p) if p.quals().is_atomic() => {
                cx.error(loc, format!("argument 3 in call to function {name} has pointer to '_Atomic' type"));
                return None;
            }
            Some(p) => p.ty(),
            None => {
                cx.error(loc, format!("argument 3 in call to function {name} does not have pointer to integral type"));
                return None;
            }
        }
    } else {
        let ty = args[2].ty.ty();
        if !cx.types().is_integer(ty) {
            cx.error(loc, format!("argument 3 in call to function {name} does not have integral type"));
            return None;
        }
        // A bit-field's own width counts in the predicate form.
        ty
    };
    if !stores
        && let (Some(a), Some(b)) = (args[0].int_value(), args[1].int_value())
        && let Some(info) = cx.types().int_info(result_ty)
        && let Some(exact) = match op {
            BinaryOp::Add => a.checked_add(b),
            BinaryOp::Sub => a.checked_sub(b),
            _ => a.checked_mul(b),
        }
    {
        return Some(cx.ice(!integers::fits(exact, info) as i128, Ty::BOOL, loc));
    }
    let result = stores.then_some(args[2]);
    let overflow = cx.arena.alloc(Overflow { op, lhs: args[0], rhs: args[1], result, result_ty });
    let node = cx.value(ExprKind::Overflow(overflow), Ty::BOOL, loc);
    if !stores {
        // The third operand is not evaluated.
        return Some(node);
    }
    Some(node)
}

/// `__builtin_constant_p(x)`: 1 for what has been folded; a string literal counts. Inside functions
/// the optimiser may still find the answer, so other expressions stay unless they have side
/// effects.
fn constant_p<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> Option<ExprRef<'a>> {
    if !check_count(cx, callee, args, 1, 1, loc) {
        return None;
    }
    let value = conversions::rvalue(cx, args[0]);
    if value.is_error() {
        return None;
    }
    let mut inner = value;
    while let ExprKind::Cast { kind: CastKind::ArrayToPointer | CastKind::Pointer | CastKind::NoOp, operand } =
        inner.kind
    {
        inner = operand;
    }
    let known = fold::constant_of(value).is_some() || matches!(inner.kind, ExprKind::String(_));
    if known {
        return Some(cx.ice(1, Ty::INT, loc));
    }
    let optimising = cx.settled_constants == 0
        && !cx.in_static_initializer
        && cx.options.optimizing()
        && !cx.functions.is_empty()
        && cx.types().is_scalar(value.ty.ty());
    if !optimising || has_side_effects_besides(value, &|decl| cx.unit.only_computes(decl)) {
        return Some(cx.ice(0, Ty::INT, loc));
    }
    Some(node(cx, Builtin::ConstantP, &[value], Ty::INT, loc))
}

/// `__builtin_classify_type(x)`: gcc's `type_class` numbers.
fn classify_type<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> Option<ExprRef<'a>> {
    if !check_count(cx, callee, args, 1, 1, loc) {
        return None;
    }
    let value = conversions::rvalue(cx, args[0]);
    let class = match cx.kind(value.ty) {
        TypeKind::Void => 0,
        TypeKind::Int(_) | TypeKind::Bool | TypeKind::Enum(_) => 1,
        TypeKind::Pointer(_) | TypeKind::NullPtr => 5,
        TypeKind::Float(_) => 8,
        TypeKind::Complex(_) => 9,
        TypeKind::Function(_) => 10,
        TypeKind::Record(id) => match cx.types().records[id].kind {
            crate::tree::RecordKind::Struct => 12,
            crate::tree::RecordKind::Union => 13,
        },
        TypeKind::Array { .. } => 14,
        TypeKind::BitInt { .. } => 18,
        TypeKind::Vector { .. } => 19,
        TypeKind::Error => return None,
    };
    Some(cx.ice(class, Ty::INT, loc))
}

/// A constant argument in a range; reports and answers the default otherwise.
fn constant_arg<'a>(
    cx: &mut Sema<'_, 'a>,
    arg: Option<ExprRef<'a>>,
    default: i128,
    range: std::ops::RangeInclusive<i128>,
    what: &str,
) -> i128 {
    let Some(arg) = arg else { return default };
    let value = conversions::rvalue(cx, arg);
    match value.int_value() {
        Some(v) if range.contains(&v) => v,
        Some(_) => {
            cx.sess.warn_always(arg.loc, format!("invalid {what}; using zero")).emit();
            0
        }
        None => {
            cx.error(arg.loc, format!("{what} must be a constant"));
            0
        }
    }
}

fn prefetch<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> Option<ExprRef<'a>> {
    if !check_count(cx, callee, args, 1, 3, loc) {
        return None;
    }
    let address = convert_args(cx, callee, &[Ty::CONST_VOID_PTR.plain()], false, &args[..1], loc)?[0];
    let what = "second argument to '__builtin_prefetch'";
    let rw = constant_arg(cx, args.get(1).copied(), 0, 0..=1, what);
    let what = "third argument to '__builtin_prefetch'";
    let locality = constant_arg(cx, args.get(2).copied(), 3, 0..=3, what);
    let (rw, locality) = (cx.ice(rw, Ty::INT, loc), cx.ice(locality, Ty::INT, loc));
    Some(node(cx, Builtin::Prefetch, &[address, rw, locality], Ty::VOID, loc))
}

fn assume_aligned<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> Option<ExprRef<'a>> {
    if !check_count(cx, callee, args, 2, 3, loc) {
        return None;
    }
    let params = [Ty::CONST_VOID_PTR.plain(), Ty::SIZE.plain(), Ty::SIZE.plain()];
    let mut args = convert_args(cx, callee, &params[..args.len()], false, args, loc)?;
    if args.len() == 2 {
        args.push(cx.ice(0, Ty::SIZE, loc));
    }
    Some(node(cx, Builtin::AssumeAligned, &args, Ty::VOID_PTR, loc))
}

fn level<'a>(
    cx: &mut Sema<'_, 'a>,
    builtin: Builtin,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let args = convert_args(cx, callee, &[Ty::UINT.plain()], false, args, loc)?;
    match args[0].int_value() {
        Some(level) => {
            if level > 0 {
                let name = cx.dname(callee);
                let message = format!("calling {name} with a nonzero argument is unsafe");
                cx.warn(warning::FRAME_ADDRESS, loc, message);
            }
            Some(node(cx, builtin, &args, Ty::VOID_PTR, loc))
        }
        None => {
            let name = cx.dname(callee);
            cx.error(loc, format!("invalid argument to {name}"));
            None
        }
    }
}

/// rax and rdx carry exception data (DWARF registers 0 and 1).
fn eh_regno<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> Option<ExprRef<'a>> {
    let args = convert_args(cx, callee, &[Ty::INT.plain()], false, args, loc)?;
    let value = args[0].int_value().unwrap_or(-1);
    Some(cx.ice(value, Ty::INT, loc))
}

fn alloca_with_align<'a>(
    cx: &mut Sema<'_, 'a>,
    builtin: Builtin,
    entry: &Entry,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let signature = signature(cx, entry);
    let args = convert_args(cx, callee, &signature.params, false, args, loc)?;
    let good = args[1].int_value().is_some_and(|a| a >= 8 && (a as u128).is_power_of_two() && a <= 1 << 31);
    if !good {
        let name = cx.dname(callee);
        let message = format!(
            "second argument to function {name} must be a constant integer power of 2 between '8' and '2147483648' bits"
        );
        cx.error(loc, message);
        return None;
    }
    cx.mark_allocates();
    Some(node(cx, builtin, &args, Ty::VOID_PTR, loc))
}

fn speculation<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> Option<ExprRef<'a>> {
    if !check_count(cx, callee, args, 1, 2, loc) {
        return None;
    }
    let value = conversions::rvalue(cx, args[0]);
    Some(node(cx, Builtin::SpeculationSafeValue, &[value], value.ty.ty(), loc))
}

fn clear_padding<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> Option<ExprRef<'a>> {
    if !check_count(cx, callee, args, 1, 1, loc) {
        return None;
    }
    let value = conversions::rvalue(cx, args[0]);
    if cx.types().pointee(value.ty.ty()).is_none() {
        let name = cx.dname(callee);
        cx.error(loc, format!("argument 1 in call to function {name} does not have pointer type"));
        return None;
    }
    let pointee = cx.types().pointee(value.ty.ty()).unwrap_or(Ty::ERROR.plain());
    if let Some(member) = inner_flexible_array(cx, pointee) {
        let (name, member) = (cx.dname(callee), member.map_or("", |m| cx.str(m)));
        let what = format!("flexible array member '{member}' does not have well defined padding bits for {name}");
        cx.error(loc, what);
        return None;
    }
    Some(node(cx, Builtin::Clear, &[value], Ty::VOID, loc))
}

/// A flexible array member of a record inside this one: what follows it may be another member or
/// padding.
fn inner_flexible_array(cx: &Sema<'_, '_>, ty: QualType) -> Option<Option<Symbol>> {
    let record = cx.types().record_of(ty.ty())?;
    record.fields.iter().find_map(|field| {
        let inner = cx.types().record_of(field.ty.ty())?;
        let last = inner
            .fields
            .last()
            .filter(|last| matches!(cx.kind(last.ty), TypeKind::Array { len: crate::tree::ArrayLen::Incomplete, .. }));
        last.map(|last| last.name).or_else(|| inner_flexible_array(cx, field.ty))
    })
}

fn cpu_name<'a>(
    cx: &mut Sema<'_, 'a>,
    builtin: Builtin,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<ExprRef<'a>> {
    if !check_count(cx, callee, args, 1, 1, loc) {
        return None;
    }
    if !matches!(args[0].kind, ExprKind::String(_)) {
        cx.error(loc, "parameter to builtin must be a string constant or literal");
        return None;
    }
    Some(node(cx, builtin, args, Ty::INT, loc))
}

/// `__builtin_LINE()`, `__builtin_FILE()`, `__builtin_FUNCTION()`
fn source_location<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, loc: Loc) -> Option<ExprRef<'a>> {
    let name = cx.unit.decls[callee].name.map_or("", |n| cx.str(n));
    let presumed = cx.sess.sources.presumed(loc);
    match name {
        "__builtin_LINE" => {
            let line = presumed.map_or(0, |p| p.line);
            Some(cx.ice(line as i128, Ty::INT, loc))
        }
        "__builtin_FILE" => {
            let file = presumed.map(|p| p.file).unwrap_or(cx.names.empty);
            Some(string_constant(cx, cx.sess.interner.resolve_bytes(file), loc))
        }
        _ => {
            let function = cx.functions.last().and_then(|f| cx.unit.decls[f.decl].name).unwrap_or(cx.names.empty);
            Some(string_constant(cx, cx.sess.interner.resolve_bytes(function), loc))
        }
    }
}

fn string_constant<'a>(cx: &mut Sema<'_, 'a>, text: &[u8], loc: Loc) -> ExprRef<'a> {
    let mut bytes = text.to_vec();
    bytes.push(0);
    let bytes = cx.arena.alloc_slice_copy(&bytes);
    let lit = cx.arena.alloc(crate::tree::StringLit { bytes, elem: Ty::CHAR, elem_size: 1 });
    let literal = crate::sema::literals::string_expr(cx, lit, loc);
    let pointer = conversions::rvalue(cx, literal);
    conversions::convert(cx, pointer, Ty::CONST_CHAR_PTR)
}
