//! Builtin functions: finding them by name, declaring them, checking their calls.
//!
//! `__builtin_memcpy` and, unless `-fno-builtin` says otherwise, `memcpy` are the library function;
//! a call stays a call of the declared function. Operations (`__builtin_ctz`, `__atomic_load_n`,
//! ...) become nodes of their own. The table is in [`table`]; [`atomics`], [`floats`] and
//! [`operations`] check what a prototype cannot express; [`x86`] lists the vector builtins of the
//! target.

pub mod atomics;
pub mod floats;
mod names;
pub mod object_size;
pub mod operations;
pub mod table;
pub mod tgmath;
pub mod va_lists;
pub mod x86;

use base::{Loc, Session, Symbol, warning};
use cranelift_entity::packed_option::PackedOption;
use platform::options::Standard;
use rustc_hash::FxHashMap;

use super::assignment_conversions::{self, AssignContext};
use super::expressions::primary;
use super::suggestions::{self, Wanted};
use super::{Sema, State, conversions};
use crate::tree::{
    ArrayLen, AttrFlags, BinaryOp, Bits128, Builtin, CallAbi, Decl, DeclFlags, DeclId, DeclKind, ExprFlags, ExprKind,
    ExprRef, FetchOp, Field, Linkage, Name, QualType, Quals, RecordId, RecordKind, Signature, StorageDuration, Ty,
    TypeKind, Typedef, Types, UnaryOp,
};
use table::Props;

/// How a call of a builtin is treated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Handler {
    /// An ordinary call of the library function of this name.
    Library(Builtin),
    /// A function of the support library under its assembler name.
    Support(Builtin, &'static str),
    /// A library function that is always expanded: a node, but also a function whose address can be
    /// taken.
    Inline(Builtin),
    /// A node; arguments are converted to the prototype.
    Operation(Builtin),
    /// Bit operation for any integer type (gcc 14).
    BitGeneric(Builtin),
    /// Real, imaginary part, conjugate.
    ComplexPart(UnaryOp),
    /// Infinity of the result type.
    Infinity,
    /// NaN of the result type.
    Nan {
        /// Signalling.
        signaling: bool,
    },
    /// What the math function of this name gives, as an integer: `__builtin_lceil`.
    Rounded(&'static str),
    /// Predicate of one floating value of any type.
    Fp(Builtin),
    /// Comparison of two floating values of any type.
    FpCompare(Builtin),
    /// `__builtin_fpclassify`
    Fpclassify,
    /// Arithmetic with a check, result through a pointer.
    Overflow(BinaryOp),
    /// The check alone.
    OverflowP(BinaryOp),
    /// `__builtin_constant_p`
    ConstantP,
    /// `__builtin_classify_type`
    ClassifyType,
    /// `__builtin_prefetch`
    Prefetch,
    /// `__builtin_assume_aligned`
    AssumeAligned,
    /// `__builtin_object_size`
    ObjectSize(Builtin),
    /// One constant level.
    Level(Builtin),
    /// `__builtin_eh_return_data_regno`
    EhReturnDataRegno,
    /// `__builtin_alloca_with_align`
    AllocaWithAlign(Builtin),
    /// `__builtin_speculation_safe_value`
    SpeculationSafeValue,
    /// `__builtin_clear_padding`
    ClearPadding,
    /// `va_start`
    VaStart,
    /// `va_end`
    VaEnd,
    /// `va_copy`
    VaCopy,
    /// `__builtin_ms_va_start`, `__builtin_ms_va_end`, `__builtin_ms_va_copy`
    MsVaList(Builtin),
    /// `__builtin_va_arg_pack`
    VaArgPack(Builtin),
    /// A CPU or feature name as a string literal.
    CpuName(Builtin),
    /// `__builtin_LINE` and relatives.
    SourceLocation,
    /// `__sync_*`
    Sync(AtomicKind),
    /// `__atomic_*`
    Atomic(AtomicKind),
    /// A vector builtin of the target.
    X86(u16),
    /// A vector builtin of the target that is an operator on vectors.
    VectorOperator(BinaryOp),
    /// `__builtin_next_arg`
    NextArg,
    /// Known, and refused.
    Unsupported,
}

/// The atomic builtins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum AtomicKind {
    Load,
    LoadN,
    Store,
    StoreN,
    Exchange,
    ExchangeN,
    CompareExchange,
    CompareExchangeN,
    FetchOp(FetchOp),
    OpFetch(FetchOp),
    BoolCompareAndSwap,
    ValCompareAndSwap,
    LockTestAndSet,
    LockRelease,
    TestAndSet,
    Clear,
    Fence,
    SignalFence,
    AlwaysLockFree,
    IsLockFree,
}

/// A known builtin function.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What a call becomes.
    pub handler: Handler,
    /// See [`table`].
    pub proto: &'static str,
    /// What `R` means in the prototype.
    pub real: Ty,
    /// Properties.
    pub props: Props,
}

/// The builtin functions a program has named. All that there are, by name, are in [`names`].
#[derive(Default)]
pub struct Builtins {
    /// The entry a compiler-made declaration stands for.
    decls: FxHashMap<DeclId, u32>,
    /// The declaration made for an entry.
    made: FxHashMap<u32, DeclId>,
}

/// `struct __va_list_tag` and `__builtin_va_list` (psABI 3.5.7).
pub fn declare_va_list(types: &mut Types, sess: &Session) -> (RecordId, Ty) {
    let field = |name: &str, ty: Ty, offset| Field {
        name: Some(sess.intern(name)),
        ty: ty.plain(),
        written: ty.plain(),
        offset,
        offset_vla: None,
        bits: None,
        declared_align: 0,
        packed: false,
        nonstring: false,
        loc: Loc::NONE,
    };
    let fields = vec![
        field("gp_offset", Ty::UINT, 0),
        field("fp_offset", Ty::UINT, 4),
        field("overflow_arg_area", Ty::VOID_PTR, 8),
        field("reg_save_area", Ty::VOID_PTR, 16),
    ];
    let id = types.records.push(crate::tree::Record {
        tag: Some(sess.intern("__va_list_tag")),
        kind: RecordKind::Struct,
        complete: true,
        being_defined: false,
        fields,
        size: 24,
        align: 8,
        size_vla: None,
        has_flexible_array: false,
        has_const_member: false,
        has_volatile_member: false,
        transparent: false,
        packed: false,
        declared_align: 0,
        same_as: None,
        loc: Loc::NONE,
        function: None,
        typedef_name: None,
    });
    let tag = types.intern(TypeKind::Record(id));
    let list = types.array_of(tag.plain(), ArrayLen::Constant(1));
    (id, list)
}

/// Type names the compiler knows without a declaration.
pub fn declare_typedefs(state: &mut State<'_>) {
    let (va_list, ms_va_list) = (state.unit.va_list, state.unit.ms_va_list);
    let mut declare = |name: &str, ty: Ty, is_named: bool| {
        let symbol = state.sess.intern(name);
        let decl = blank_decl(Some(symbol), DeclKind::Typedef, ty.plain(), Loc::NONE);
        let typedef = Typedef { name: symbol, ty: ty.plain(), loc: Loc::NONE, function: None };
        let written = if is_named { state.unit.types.new_typedef(typedef) } else { ty.plain() };
        let id = state.unit.decls.push(Decl { flags: DeclFlags::BUILTIN_DECL, written, ..decl });
        state.scopes.bind(symbol, id);
    };
    declare("__builtin_va_list", va_list, true);
    declare("__builtin_ms_va_list", ms_va_list, true);
    // As in gcc, these are no other names for messages and debuggers.
    declare("__int128_t", Ty::INT128, false);
    declare("__uint128_t", Ty::UINT128, false);
}

/// A declaration with nothing set.
pub fn blank_decl(name: Option<Symbol>, kind: DeclKind, ty: QualType, loc: Loc) -> Decl {
    Decl {
        name,
        kind,
        ty,
        written: ty,
        loc,
        linkage: Linkage::None,
        duration: StorageDuration::None,
        flags: DeclFlags::default(),
        align: 0,
        attrs: PackedOption::default(),
        asm_name: None,
        builtin: None,
        value: Bits128::default(),
        function: PackedOption::default(),
    }
}

/// Reads one type of a prototype string.
fn parse_type(cx: &mut State<'_>, text: &mut std::iter::Peekable<std::str::Chars<'_>>, real: Ty) -> Option<QualType> {
    let (mut unsigned, mut complex, mut constant) = (false, false, false);
    let mut ty = loop {
        break match text.next()? {
            'U' => {
                unsigned = true;
                continue;
            }
            'X' => {
                complex = true;
                continue;
            }
            'C' => {
                constant = true;
                continue;
            }
            'v' => Ty::VOID,
            'b' => Ty::BOOL,
            'c' if unsigned => Ty::UCHAR,
            'c' => Ty::CHAR,
            's' if unsigned => Ty::USHORT,
            's' => Ty::SHORT,
            'i' if unsigned => Ty::UINT,
            'i' => Ty::INT,
            'l' if unsigned => Ty::ULONG,
            'l' => Ty::LONG,
            'x' if unsigned => Ty::ULONGLONG,
            'x' => Ty::LONGLONG,
            'n' if unsigned => Ty::UINT128,
            'n' => Ty::INT128,
            'z' => Ty::SIZE,
            't' | 'm' => Ty::LONG,
            'w' => Ty::INT,
            'W' => Ty::UINT,
            'h' => Ty::FLOAT16,
            'f' => Ty::FLOAT,
            'd' => Ty::DOUBLE,
            'e' => Ty::LONG_DOUBLE,
            'q' => Ty::FLOAT128,
            'R' => real,
            'p' | 'F' => Ty::VOID_PTR,
            'P' => Ty::CONST_VOID_PTR,
            'S' => Ty::CHAR_PTR,
            'K' => Ty::CONST_CHAR_PTR,
            'a' => {
                let tag = cx.unit.types.intern(TypeKind::Record(cx.unit.va_list_tag));
                cx.pointer_to(tag)
            }
            'V' => x86::vector_type(cx, text)?,
            other => base::bug!("letter {other} in a builtin's prototype"),
        };
    };
    if complex {
        ty = cx.unit.types.complex_of(ty);
    }
    let mut ty = ty.plain();
    if constant {
        ty = ty.with(Quals::CONST);
    }
    while text.peek() == Some(&'*') {
        text.next();
        ty = cx.pointer_to(ty).plain();
    }
    Some(ty)
}

/// The signature a prototype string describes.
pub fn signature(cx: &mut State<'_>, entry: &Entry) -> Signature {
    let mut text = entry.proto.chars().peekable();
    let ret = parse_type(cx, &mut text, entry.real).unwrap_or(Ty::INT.plain());
    let mut params = Vec::new();
    let mut variadic = false;
    while let Some(&next) = text.peek() {
        if next == '.' {
            variadic = true;
            break;
        }
        if let Some(ty) = parse_type(cx, &mut text, entry.real) {
            params.push(ty);
        }
    }
    let noreturn = entry.props == table::NORETURN;
    Signature {
        ret,
        params: params.into(),
        variadic,
        prototype: true,
        noreturn,
        restricts: 0,
        abi: CallAbi::Unsaid,
        nocf_check: false,
    }
}

/// The library function an entry stands for.
pub fn library_builtin(handler: Handler) -> Option<Builtin> {
    match handler {
        Handler::Library(b) | Handler::Inline(b) | Handler::Support(b, _) => Some(b),
        Handler::ComplexPart(_) | Handler::Nan { signaling: false } => Some(Builtin::Library),
        _ => None,
    }
}

/// An undeclared name that is a builtin function. A library function without its prefix is declared
/// implicitly, with gcc's two warnings.
pub fn reference<'a>(cx: &mut Sema<'_, 'a>, name: Name, called: bool) -> Option<ExprRef<'a>> {
    let text = cx.str(name.symbol);
    let index = names::find(text)?;
    let entry = names::entry(index);
    let prefixed = text.starts_with("__builtin_") || text.starts_with("__sync_") || text.starts_with("__atomic_");
    let library = library_builtin(entry.handler).is_some();
    if !prefixed {
        let enabled = library && called && cx.lang.is_builtin_enabled(text) && !cx.since(Standard::C23);
        if !enabled || matches!(entry.handler, Handler::Support(..)) || is_declared(cx, name.symbol) {
            return None;
        }
        // alloca, ffs and friends are not reserved in ISO modes.
        if !cx.lang.gnu && matches!(text, "alloca" | "ffs" | "index" | "rindex" | "bzero" | "bcopy" | "bcmp") {
            return None;
        }
        let shown = primary::warn_implicit(cx, name, text);
        let sig = signature(cx, &entry);
        let implicit = sig.ret == Ty::INT.plain();
        if !implicit
            || sig.params.iter().any(|&p| super::types::changes_under_promotion(cx.types(), p.ty()))
            || sig.variadic
        {
            let message = format!("incompatible implicit declaration of built-in function '{text}'");
            let builder = cx.sess.warn(warning::BUILTIN_DECLARATION_MISMATCH, name.loc, message);
            if shown { builder } else { suggestions::add(cx, builder, name, Wanted::Function) }.emit();
        }
        let id = library_decl(cx, index, name.loc);
        cx.scopes.bind(name.symbol, id);
        cx.unit.decls[id].flags.set(DeclFlags::IMPLICIT);
        return Some(primary::decl_ref(cx, id, name.loc));
    }
    // The prefixed name of `nan` gives constant expressions, the plain one none.
    let own = !library || matches!(entry.handler, Handler::Nan { .. });
    let id = if own { operation_decl(cx, index, name) } else { library_decl(cx, index, name.loc) };
    let reference = primary::decl_ref(cx, id, name.loc);
    Some(cx.with_flags(reference, ExprFlags::BUILTIN_NAME))
}

/// Whether the program has declared an external function or object, explicitly or by calling it; a
/// prefixed builtin does not.
fn is_declared(cx: &Sema<'_, '_>, name: Symbol) -> bool {
    cx.linked.get(&name).is_some_and(|&id| {
        let flags = cx.unit.decls[id].flags;
        !flags.has(DeclFlags::BUILTIN_DECL) || flags.has(DeclFlags::IMPLICIT)
    })
}

/// The declaration of a library function, made by the compiler if the program has none.
pub fn library_decl(cx: &mut Sema<'_, '_>, index: u32, loc: Loc) -> DeclId {
    let entry = names::entry(index);
    let name = cx.sess.intern(&names::name(index));
    let existing = cx.linked.get(&name).copied();
    if let Some(id) = existing.filter(|&id| cx.unit.decls[id].kind == DeclKind::Function)
        && (cx.unit.decls[id].builtin.is_some() || cx.unit.decls[id].flags.has(DeclFlags::BUILTIN_DECL))
    {
        return id;
    }
    if let Some(&id) = cx.builtins.made.get(&index) {
        return id;
    }
    let signature = signature(cx, &entry);
    let ty = cx.unit.types.function(signature).plain();
    let mut decl = blank_decl(Some(name), DeclKind::Function, ty, loc);
    decl.linkage = Linkage::External;
    decl.flags = DeclFlags(DeclFlags::BUILTIN_DECL.0 | DeclFlags::NOT_ONLY_INLINE.0);
    decl.builtin = library_builtin(entry.handler);
    decl.asm_name = match entry.handler {
        Handler::Support(_, name) => Some(cx.sess.intern(name)),
        _ => cx.extnames.get(&name).copied(),
    };
    let id = cx.unit.decls.push(decl);
    apply_props(cx, id, entry.props);
    cx.builtins.decls.insert(id, index);
    cx.builtins.made.insert(index, id);
    // An unrelated entity of the same name (a static function, say) keeps the name; the library's
    // is reached by symbol.
    if existing.is_none() && !matches!(entry.handler, Handler::Support(..)) {
        cx.linked.insert(name, id);
    }
    id
}

/// What the table says about a function as attributes.
fn apply_props(cx: &mut Sema<'_, '_>, id: DeclId, props: Props) {
    let float = &cx.options.codegen.float;
    let flags = match props {
        table::MATH_CONST if !float.rounding_math => AttrFlags::CONST,
        table::MATH_ERRNO if !float.rounding_math && !float.math_errno => AttrFlags::CONST,
        table::NORETURN => AttrFlags::NORETURN,
        table::CONST => AttrFlags::CONST,
        table::PURE => AttrFlags::PURE,
        table::MALLOC => AttrFlags::MALLOC,
        table::TWICE => AttrFlags::RETURNS_TWICE,
        _ => return,
    };
    let attrs = cx.unit.attrs_mut(id);
    attrs.flags = attrs.flags.with(flags).with(AttrFlags::NOTHROW);
    if props == table::NORETURN {
        cx.unit.decls[id].flags.set(DeclFlags::NORETURN);
    }
}

/// The placeholder declaration of an operation.
fn operation_decl(cx: &mut Sema<'_, '_>, index: u32, name: Name) -> DeclId {
    if let Some(&id) = cx.builtins.made.get(&index) {
        return id;
    }
    let entry = names::entry(index);
    let signature = if entry.proto.is_empty() {
        let ret = Ty::INT.plain();
        Signature {
            ret,
            params: Box::new([]),
            variadic: false,
            prototype: false,
            noreturn: false,
            restricts: 0,
            abi: CallAbi::Unsaid,
            nocf_check: false,
        }
    } else {
        signature(cx, &entry)
    };
    let ty = cx.unit.types.function(signature).plain();
    let mut decl = blank_decl(Some(name.symbol), DeclKind::Function, ty, name.loc);
    decl.flags = DeclFlags::BUILTIN_DECL;
    let id = cx.unit.decls.push(decl);
    cx.builtins.decls.insert(id, index);
    cx.builtins.made.insert(index, id);
    id
}

/// A function of the C library that a builtin calls: the program's declaration, or one made here.
pub fn library_function(cx: &mut Sema<'_, '_>, name: &str, ret: Ty, params: &[Ty], loc: Loc) -> DeclId {
    let name = cx.sess.intern(name);
    let params: Box<[QualType]> = params.iter().map(|ty| ty.plain()).collect();
    let signature = Signature {
        ret: ret.plain(),
        params,
        variadic: false,
        prototype: true,
        noreturn: false,
        restricts: 0,
        abi: CallAbi::Unsaid,
        nocf_check: false,
    };
    let ty = cx.unit.types.function(signature).plain();
    let declared = cx.linked.get(&name).copied();
    if let Some(id) = declared.filter(|&id| super::types::compatible(cx.types(), cx.unit.decls[id].ty, ty)) {
        return id;
    }
    let mut decl = blank_decl(Some(name), DeclKind::Function, ty, loc);
    decl.linkage = Linkage::External;
    decl.flags = DeclFlags(DeclFlags::BUILTIN_DECL.0 | DeclFlags::NOT_ONLY_INLINE.0);
    let id = cx.unit.decls.push(decl);
    if declared.is_none() {
        cx.linked.insert(name, id);
    }
    id
}

/// A program's declaration of an external function: is it the known library function? Sets
/// `Decl::builtin` if the type agrees.
pub fn recognise(cx: &mut Sema<'_, '_>, id: DeclId) {
    let decl = cx.unit.decls[id];
    let Some(name) = decl.name else { return };
    let text = cx.str(name);
    let Some(entry) = names::find(text).map(names::entry) else { return };
    if let Handler::Fp(Builtin::SignBit) = entry.handler {
        // glibc has macros for these and no functions.
        let is_sign_bit = matches!(text, "signbit" | "signbitf" | "signbitl") && takes_one_real(cx, decl.ty);
        if is_sign_bit && cx.lang.is_builtin_enabled(text) && decl.linkage == Linkage::External {
            cx.unit.decls[id].builtin = Some(Builtin::SignBit);
        }
        return;
    }
    let Some(builtin) = library_builtin(entry.handler) else { return };
    // What only exists with the prefix leaves the plain name to the program.
    if matches!(entry.handler, Handler::Support(..)) {
        return;
    }
    if text.starts_with("__builtin_") || !cx.lang.is_builtin_enabled(text) || decl.linkage != Linkage::External {
        return;
    }
    let expected = signature(cx, &entry);
    let TypeKind::Function(declared) = cx.kind(decl.ty) else { return };
    let declared = cx.types().signature(declared).clone();
    let same = |cx: &Sema<'_, '_>, a: QualType, b: QualType| {
        let pointer = |ty: QualType| cx.types().is_pointer(ty.ty());
        // FILE * and struct tm * are pointers to something: any will do.
        (pointer(a) && pointer(b))
            || super::types::compatible_unqualified(cx.types(), a.ty(), b.ty())
            || same_representation(cx, a, b)
    };
    let matches = same(cx, declared.ret, expected.ret)
        && (!declared.prototype
            || declared.variadic == expected.variadic
                && declared.params.len() == expected.params.len()
                && declared.params.iter().zip(&expected.params).all(|(&a, &b)| same(cx, a, b)));
    if !matches {
        if decl.flags.has(DeclFlags::BUILTIN_DECL) {
            cx.unit.decls[id].flags.clear(DeclFlags::BUILTIN_DECL);
        }
        cx.unit.decls[id].builtin = None;
        let ty = cx.unit.types.function(expected);
        let expected = cx.tname(ty);
        cx.warn(
            warning::BUILTIN_DECLARATION_MISMATCH,
            decl.loc,
            format!("conflicting types for built-in function '{text}'; expected {expected}"),
        );
        return;
    }
    cx.unit.decls[id].builtin = Some(builtin);
    apply_props(cx, id, entry.props);
}

/// `int f(real floating type)`
fn takes_one_real(cx: &Sema<'_, '_>, ty: QualType) -> bool {
    cx.types().signature_of(ty.ty()).is_some_and(|s| {
        s.ret == Ty::INT.plain() && s.params.len() == 1 && !s.variadic && cx.types().is_floating(s.params[0].ty())
    })
}

fn same_representation(cx: &Sema<'_, '_>, a: QualType, b: QualType) -> bool {
    let integers = cx.types().is_integer(a.ty()) && cx.types().is_integer(b.ty());
    integers && cx.types().int_info(a.ty()).map(|i| i.bits) == cx.types().int_info(b.ty()).map(|i| i.bits)
}

/// A call of a builtin operation, or of an always-expanded library function; `None` if `callee` is
/// neither.
pub fn call<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> Option<ExprRef<'a>> {
    let decl = cx.unit.decls[callee];
    let entry = match cx.builtins.decls.get(&callee) {
        Some(&index) => names::entry(index),
        None if decl.builtin.is_some() => names::entry(names::find(cx.str(decl.name?))?),
        None => return None,
    };
    let handler = entry.handler;
    if let Some(&bad) = args.iter().find(|a| a.is_error()) {
        return match handler {
            Handler::Library(_) | Handler::Support(..) => None,
            _ => Some(cx.error_expr(bad.loc)),
        };
    }
    Some(match handler {
        Handler::Library(_) | Handler::Support(..) => return None,
        // A call does, and lowering knows the instruction; what is constant is folded.
        Handler::Inline(builtin @ (Builtin::Abs | Builtin::Fabs | Builtin::Copysign)) => {
            return operations::folded(cx, builtin, &entry, callee, args, loc);
        }
        // Without a prototype any number of arguments may be given, and the function is called.
        Handler::Inline(_) if is_loose(cx, callee) && !takes(cx, &entry, args.len()) => return None,
        Handler::Inline(builtin) | Handler::Operation(builtin) => {
            operations::prototyped(cx, builtin, &entry, callee, args, loc)
        }
        Handler::VectorOperator(op) => x86::operator(cx, op, &entry, callee, args, loc),
        Handler::X86(index) => operations::prototyped(cx, Builtin::X86(index), &entry, callee, args, loc),
        Handler::Rounded(function) => floats::rounded(cx, function, &entry, callee, args, loc),
        Handler::Fp(builtin) => floats::predicate(cx, builtin, callee, args, loc),
        Handler::FpCompare(builtin) => floats::compare(cx, builtin, callee, args, loc),
        Handler::Fpclassify => floats::fpclassify(cx, callee, args, loc),
        Handler::Infinity => floats::infinity(cx, entry.real, loc),
        Handler::Nan { signaling } => floats::nan(cx, entry.real, signaling, callee, args, loc),
        Handler::ComplexPart(op) => floats::complex_part(cx, op, &entry, callee, args, loc),
        Handler::Sync(kind) => atomics::sync(cx, kind, callee, args, loc),
        Handler::Atomic(kind) => atomics::atomic(cx, kind, callee, args, loc),
        _ => operations::special(cx, handler, &entry, callee, args, loc),
    })
}

/// A library function that the program declared without a prototype, or not at all.
pub fn is_loose(cx: &Sema<'_, '_>, id: DeclId) -> bool {
    let decl = &cx.unit.decls[id];
    let implicit = decl.flags.has(DeclFlags::BUILTIN_DECL) && decl.flags.has(DeclFlags::IMPLICIT);
    implicit || cx.types().signature_of(decl.ty.ty()).is_some_and(|s| !s.prototype)
}

fn takes(cx: &mut Sema<'_, '_>, entry: &Entry, count: usize) -> bool {
    let signature = signature(cx, entry);
    count == signature.params.len() || signature.variadic && count > signature.params.len()
}

/// Whether a declaration is a placeholder for an operation, which has no address.
pub fn is_operation(cx: &Sema<'_, '_>, id: DeclId) -> bool {
    cx.unit.decls[id].flags.has(DeclFlags::BUILTIN_DECL) && cx.unit.decls[id].linkage == Linkage::None
}

/// Converts arguments to a prototype, with gcc's messages about their number and types.
pub fn convert_args<'a>(
    cx: &mut Sema<'_, 'a>,
    callee: DeclId,
    params: &[QualType],
    variadic: bool,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<Vec<ExprRef<'a>>> {
    let name = cx.dname(callee);
    if !check_count(cx, callee, args, params.len(), if variadic { usize::MAX } else { params.len() }, loc) {
        return None;
    }
    let mut out = Vec::with_capacity(args.len());
    for (index, &arg) in args.iter().enumerate() {
        let value = match params.get(index) {
            Some(&ty) => {
                let context = AssignContext::Argument { number: index + 1, callee: &name, declared: Loc::NONE };
                assignment_conversions::assign_convert(cx, arg, ty, context, arg.loc)
            }
            None => {
                let value = conversions::rvalue(cx, arg);
                conversions::promote_argument(cx, value)
            }
        };
        if value.is_error() {
            return None;
        }
        out.push(value);
    }
    Some(out)
}

/// Checks the number of arguments of an operation.
pub fn check_count(
    cx: &mut Sema<'_, '_>,
    callee: DeclId,
    args: &[ExprRef<'_>],
    least: usize,
    most: usize,
    loc: Loc,
) -> bool {
    let name = cx.dname(callee);
    if args.len() < least {
        cx.error(loc, format!("too few arguments to function {name}"));
        return false;
    }
    if args.len() > most {
        cx.error(loc, format!("too many arguments to function {name}"));
        return false;
    }
    true
}

/// A builtin node.
pub fn node<'a>(cx: &mut Sema<'_, 'a>, builtin: Builtin, args: &[ExprRef<'a>], ty: Ty, loc: Loc) -> ExprRef<'a> {
    let args = cx.slice(args);
    cx.value(ExprKind::Builtin { builtin, args }, ty, loc)
}
