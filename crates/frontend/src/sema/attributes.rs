//! Attributes (C23 6.7.13, GNU): from syntax to data.
//!
//! The parser hands over a list of [`Attr`]s, constants in their arguments already evaluated. [`collect`] checks names and
//! arguments and sorts them into what changes the type or layout ([`Collected`]) and what stays with the declaration
//! ([`Attributes`]). Unknown attributes are ignored with gcc's warning; attributes that would change the calling
//! convention or data layout and are not offered are errors.

use base::{Loc, Symbol, warning};
use smallvec::SmallVec;
use target::options::{TlsModel, Visibility};

use super::{Sema, attribute_checks as checks, types};
use crate::tree::attributes::DEFAULT_PRIORITY;
use crate::tree::{AttrFlags, Attributes, DeclFlags, DeclId, QualType, Signature, Ty, TypeKind};

/// An argument of an attribute.
#[derive(Clone, Copy, Debug)]
pub enum AttrArg {
    /// An identifier that is not an enumerator or `constexpr` object.
    Ident(Symbol),
    /// An integer constant.
    Int(i128),
    /// A string literal's contents.
    Str(Symbol),
    /// The value of an expression that is not an integer constant, or a name: its type, the entity it names, and whether it is a packed
    /// member.
    Value(Ty, Option<DeclId>, bool),
    /// Something else: a type, or erroneous (then reported).
    Other,
}

/// An attribute as written.
#[derive(Clone, Debug)]
pub struct Attr {
    /// Name without surrounding underscores.
    pub name: Symbol,
    /// `[[name]]` without the `gnu` prefix.
    pub standard: bool,
    /// Arguments.
    pub args: SmallVec<[AttrArg; 2]>,
    /// Parentheses were there.
    pub has_args: bool,
    /// The name's location.
    pub loc: Loc,
}

/// What attributes apply to, for warnings about misplaced ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttrTarget {
    /// Function declaration.
    Function,
    /// Object.
    Variable,
    /// Parameter.
    Parameter,
    /// Type name.
    Typedef,
    /// Structure or union member.
    Field,
    /// Structure or union definition.
    Record,
    /// Enumeration definition.
    Enum,
    /// Enumerator.
    Enumerator,
    /// Label.
    Label,
    /// Statement.
    Statement,
    /// A type in a declarator or specifier.
    Type,
}

/// Attributes after checking.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// What stays with the declaration.
    pub attributes: Attributes,
    /// `aligned`, in bytes; 0 for none.
    pub align: u32,
    /// `packed`
    pub packed: bool,
    /// `mode(...)`
    pub mode: Option<Symbol>,
    /// `vector_size(bytes)`
    pub vector_size: Option<u64>,
    /// `may_alias`
    pub may_alias: bool,
    /// `ms_struct`, or `gcc_struct` (false)
    pub ms_layout: Option<bool>,
    /// `transparent_union`
    pub transparent: bool,
    /// `scalar_storage_order`: whether it is the foreign, big-endian one.
    pub reversed: Option<bool>,
    /// `cleanup(function)`, to be looked up.
    pub cleanup: Option<(Symbol, Loc)>,
    /// Attributes whose arguments are checked once the declared type is known.
    pub later: Vec<Attr>,
    /// `alias`, `weakref` make a declaration a definition of sorts.
    pub any: bool,
}

/// An attribute name without the underscores around it.
pub fn normalised(text: &str) -> &str {
    text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).filter(|t| !t.is_empty()).unwrap_or(text)
}

/// Checks a list of attributes.
pub fn collect(cx: &mut Sema<'_, '_>, attrs: &[Attr], target: AttrTarget) -> Collected {
    let mut out = Collected::default();
    for attr in attrs {
        one(cx, attr, target, &mut out);
        out.any = true;
    }
    // What is copied depends on the others.
    for attr in attrs {
        if !attr.standard && cx.str(attr.name) == "copy" {
            copy(cx, attr, target, &mut out);
        }
    }
    out
}

/// Attributes that are accepted and have no effect here: they inform diagnostics or analyses not offered, or restate the
/// default.
const WITHOUT_EFFECT: &[&str] = &[
    "access",
    "alloc_size",
    "copy",
    "designated_init",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "no_address_safety_analysis",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_sanitize_coverage",
    "nocf_check",
    "noinit",
    "no_dangling",
    "nonnull_if_nonzero",
    "null_terminated_string_arg",
    "optimize",
    "persistent",
    "selectany",
    "sysv_abi",
    "tainted_args",
    "target",
    // Copies for other processors do the same: the default one is enough.
    "target_clones",
    "type_generic",
    "warn_if_not_aligned",
    "weak_import",
    "zero_call_used_regs",
    "expected_throw",
    "flag_enum",
    "counted_by",
    "fallthrough",
    "assume",
    "no_vtable",
    "simd",
    "stack_protect",
    "hardbool",
    "strict_flex_array",
    "vector_mask",
    "noplt",
    "carries_dependency",
    "likely",
    "unlikely",
    "nodirect_extern_access",
    "cdecl",
    "regparm",
    "stdcall",
    "fastcall",
    "force_align_arg_pointer",
    "indirect_branch",
    "indirect_return",
    "function_return",
    "cold",
    "hot",
    "transaction_callable",
    "transaction_safe",
    "transaction_pure",
    "patchable_function_entry",
    "no_split_stack",
];

/// Whether an attribute of this name, without underscores around it, means something here.
pub fn is_known(name: &str) -> bool {
    let of_the_standard = [
        "deprecated",
        "nodiscard",
        "maybe_unused",
        "fallthrough",
        "noreturn",
        "_Noreturn",
        "unsequenced",
        "reproducible",
    ];
    let lists = [WITHOUT_EFFECT, REFUSED, &of_the_standard];
    lists.iter().any(|list| list.contains(&name))
        || AttrFlags::TABLE.iter().any(|(n, _)| *n == name)
        || crate::preprocess::features::gnu_attribute(name)
}

/// Attributes that change meaning and are not offered.
const REFUSED: &[&str] = &[
    "ms_abi",
    "no_callee_saved_registers",
    "ms_hook_prologue",
    "address_area",
    "trivial_abi",
    "ext_vector_type",
    "preserve_most",
    "preserve_all",
    "vectorcall",
];

/// Whether the attribute of this (normalised) name makes another type of the one it stands at.
pub fn is_of_types(name: &str) -> bool {
    matches!(name, "mode" | "vector_size" | "may_alias" | "noreturn" | "volatile" | "const" | "transparent_union")
}

fn one(cx: &mut Sema<'_, '_>, attr: &Attr, target: AttrTarget, out: &mut Collected) {
    let name = cx.str(attr.name);
    if attr.standard {
        return standard(cx, attr, name, target, out);
    }
    if !checks::arguments(cx, attr, name) {
        return;
    }
    if checks::waits_for_type(attr, name) {
        out.later.push(attr.clone());
    }
    let known = of_layout(cx, attr, name, target, out)
        || of_symbols(cx, attr, name, &mut out.attributes)
        || of_calls(cx, attr, name, &mut out.attributes)
        || of_code(cx, attr, name, &mut out.attributes);
    if !known {
        flag(cx, attr, name, target, &mut out.attributes);
    }
}

/// Attributes that make types, and lay objects out. `false` for others.
fn of_layout(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, target: AttrTarget, out: &mut Collected) -> bool {
    match name {
        "aligned" => out.align = out.align.max(aligned(cx, attr)),
        "packed" => out.packed = true,
        "copy" => {}
        "mode" => match attr.args.first() {
            Some(&AttrArg::Ident(mode)) => out.mode = Some(mode),
            _ => cx.warn(warning::ATTRIBUTES, attr.loc, "'mode' attribute ignored"),
        },
        "vector_size" => match attr.args.first() {
            Some(&AttrArg::Int(size)) if size > i64::MAX as i128 => {
                let message = format!("'vector_size' attribute argument value '{size}' exceeds {}", i64::MAX);
                error_at_use(cx, attr.loc, message);
            }
            Some(&AttrArg::Int(size)) if size > 0 => out.vector_size = Some(size as u64),
            _ => {
                error_at_use(cx, attr.loc, "'vector_size' attribute argument value is not a positive integer constant")
            }
        },
        "may_alias" => out.may_alias = true,
        "designated_init" => {
            if target != AttrTarget::Record {
                error_at_use(cx, attr.loc, "'designated_init' attribute is only valid on 'struct' type");
            }
        }
        "warn_if_not_aligned" => {
            if matches!(target, AttrTarget::Variable | AttrTarget::Function | AttrTarget::Parameter) {
                error_at_use(cx, attr.loc, "'warn_if_not_aligned' may not be specified for this declaration");
            }
        }
        "transparent_union" => out.transparent = true,
        "ms_struct" | "gcc_struct" if target == AttrTarget::Record => out.ms_layout = Some(name == "ms_struct"),
        "ms_struct" | "gcc_struct" => {
            cx.warn(warning::ATTRIBUTES, attr.loc, format!("'{name}' attribute ignored"));
        }
        "scalar_storage_order" => storage_order(cx, attr, target, out),
        "cleanup" => match attr.args.first() {
            Some(&AttrArg::Ident(function)) => out.cleanup = Some((function, attr.loc)),
            _ => error_at_use(cx, attr.loc, "cleanup argument not an identifier"),
        },
        _ => return false,
    }
    true
}

/// Attributes of the symbol that a declaration becomes. `false` for others.
fn of_symbols(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, a: &mut Attributes) -> bool {
    match name {
        "section" => a.section = string_arg(cx, attr),
        "alias" => a.alias = string_arg(cx, attr),
        "ifunc" => a.ifunc = string_arg(cx, attr),
        "weakref" => {
            a.flags = a.flags.with(AttrFlags::WEAKREF).with(AttrFlags::WEAK);
            if attr.has_args {
                a.weakref = string_arg(cx, attr);
            }
        }
        "symver" => a.symver = string_arg(cx, attr),
        "visibility" => a.visibility = visibility(cx, attr).or(a.visibility),
        "constructor" => a.constructor = priority(cx, attr),
        "destructor" => a.destructor = priority(cx, attr),
        "tls_model" => a.tls_model = tls_model(cx, attr),
        _ => return false,
    }
    true
}

/// What attributes say of arguments and results, and of uses. `false` for others.
fn of_calls(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, a: &mut Attributes) -> bool {
    match name {
        "error" | "warning" => match attr.args.first() {
            Some(&AttrArg::Str(text)) if name == "error" => a.error = Some(text),
            Some(&AttrArg::Str(text)) => a.warning = Some(text),
            _ => cx.warn(warning::ATTRIBUTES, attr.loc, format!("'{name}' attribute ignored")),
        },
        "deprecated" | "unavailable" => {
            a.flags = a.flags.with(if name == "deprecated" { AttrFlags::DEPRECATED } else { AttrFlags::UNAVAILABLE });
            if let Some(&AttrArg::Str(message)) = attr.args.first() {
                a.message = Some(message);
            }
        }
        "format" => a.format = checks::format(cx, attr),
        "nonnull" => {
            a.flags = a.flags.with(AttrFlags::NONNULL);
            if attr.args.is_empty() {
                a.nonnull = u64::MAX;
            }
            for arg in &attr.args {
                if let AttrArg::Int(n @ 1..=64) = arg {
                    a.nonnull |= 1 << (n - 1);
                }
            }
        }
        "format_arg" => {
            if let Some(&AttrArg::Int(n)) = attr.args.first() {
                a.format_arg = u16::try_from(n).unwrap_or(0);
            }
        }
        "sentinel" => {
            a.flags = a.flags.with(AttrFlags::SENTINEL);
            if let Some(&AttrArg::Int(n)) = attr.args.first() {
                a.sentinel = n as u16;
            }
        }
        "alloc_size" => {
            a.alloc_size = (number(attr, 0), number(attr, 1));
        }
        "alloc_align" => {
            if let Some(&AttrArg::Int(n)) = attr.args.first() {
                a.alloc_align = n as u16;
            }
        }
        "assume_aligned" => {
            if let Some(&AttrArg::Int(align)) = attr.args.first() {
                let offset = match attr.args.get(1) {
                    Some(&AttrArg::Int(n)) => n as u64,
                    _ => 0,
                };
                a.assume_aligned = Some((align as u64, offset));
            }
        }
        _ => return false,
    }
    true
}

/// Attributes of the code that a function becomes. `false` for others.
fn of_code(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, a: &mut Attributes) -> bool {
    match name {
        "target" => {
            a.target = join_strings(cx, attr);
            let text = a.target.map_or("", |t| cx.str(t)).to_string();
            if let Err(message) = cx.options.codegen.features.clone().apply_target(&text) {
                cx.error(attr.loc, message);
            }
        }
        "optimize" => a.optimize = join_strings(cx, attr),
        "patchable_function_entry" => {
            a.patchable = Some((number(attr, 0), number(attr, 1)));
        }
        "zero_call_used_regs" => match string_arg(cx, attr) {
            Some(name) if target::options::ZeroRegisters::named(cx.str(name)).is_none() => {
                let name = cx.str(name);
                error_at_use(cx, attr.loc, format!("unrecognized 'zero_call_used_regs' attribute argument '{name}'"));
            }
            name => a.zero_call_used_regs = name,
        },
        _ => return false,
    }
    true
}

/// The numeric argument of this index, 0 where there is none.
fn number(attr: &Attr, index: usize) -> u16 {
    match attr.args.get(index) {
        Some(&AttrArg::Int(n)) => n as u16,
        _ => 0,
    }
}

/// Attributes that are there or not.
fn flag(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, target: AttrTarget, a: &mut Attributes) {
    match name {
        "nodebug" | "artificial" => a.flags = a.flags.with(AttrFlags::ARTIFICIAL),
        "nothrow" => a.flags = a.flags.with(AttrFlags::NOTHROW),
        // The same meaning under another name.
        "warn_unused" | "maybe_unused" => a.flags = a.flags.with(AttrFlags::UNUSED),
        "__const" => a.flags = a.flags.with(AttrFlags::CONST),
        _ => match AttrFlags::TABLE.iter().find(|(n, _)| *n == name) {
            Some(&(_, flag)) => {
                misplaced(cx, attr, name, flag, target);
                a.flags = a.flags.with(flag);
            }
            None if WITHOUT_EFFECT.contains(&name) => {}
            None if REFUSED.contains(&name) => {
                error_at_use(cx, attr.loc, format!("not supported: attribute '{name}'"));
            }
            None => cx.warn(warning::ATTRIBUTES, attr.loc, format!("'{name}' attribute directive ignored")),
        },
    }
}

/// `copy(name)` or `copy(expression)`: the attributes of another declaration but for those that give symbols a meaning of their own, and
/// `packed` of a structure or of what a pointer points to.
fn copy(cx: &mut Sema<'_, '_>, attr: &Attr, target: AttrTarget, out: &mut Collected) {
    const NOT_COPIED: &[AttrFlags] =
        &[AttrFlags::ALWAYS_INLINE, AttrFlags::GNU_INLINE, AttrFlags::NOINLINE, AttrFlags::WEAK, AttrFlags::WEAKREF];
    let (decl, ty, member) = match attr.args.first() {
        Some(&AttrArg::Ident(name)) => match cx.scopes.lookup(name) {
            Some(id) => (Some(id), cx.unit.decls[id].ty.ty(), false),
            None => return cx.error(attr.loc, format!("'{}' undeclared", cx.str(name))),
        },
        Some(&AttrArg::Value(ty, decl, packed)) => (decl, ty, packed),
        // What is wrong is said once the declared type is known.
        _ => return,
    };
    if let Some(id) = decl {
        let mut copied = cx.unit.attrs(id).cloned().unwrap_or_default();
        let local = attr_defines_alias(&out.attributes);
        for &flag in NOT_COPIED.iter().chain(local.then_some(&AttrFlags::LEAF)) {
            copied.flags = copied.flags.without(flag);
        }
        copied.alias = None;
        copied.ifunc = None;
        copied.weakref = None;
        copied.visibility = None;
        if cx.unit.decls[id].flags.has(DeclFlags::NORETURN) {
            copied.flags = copied.flags.with(AttrFlags::NORETURN);
        }
        copied.merge(&out.attributes);
        out.attributes = copied;
        out.align = out.align.max(cx.unit.decls[id].align);
    }
    let ty = cx.types().pointee(ty).map_or(ty, |pointee| pointee.ty());
    if target == AttrTarget::Field && (member || cx.types().record_of(ty).is_some_and(|record| record.packed)) {
        out.packed = true;
    }
}

/// The declaration is another name of something, so that `leaf` says nothing about it.
fn attr_defines_alias(attrs: &Attributes) -> bool {
    attrs.alias.is_some() || attrs.ifunc.is_some() || attrs.flags.has(AttrFlags::WEAKREF)
}

/// `scalar_storage_order("big-endian")` of a structure or union.
fn storage_order(cx: &mut Sema<'_, '_>, attr: &Attr, target: AttrTarget, out: &mut Collected) {
    if target != AttrTarget::Record {
        return cx.warn(warning::ATTRIBUTES, attr.loc, "'scalar_storage_order' attribute ignored");
    }
    let order = match attr.args.first() {
        Some(&AttrArg::Str(order)) => cx.str(order),
        _ => "",
    };
    match order {
        "big-endian" => out.reversed = Some(true),
        "little-endian" => out.reversed = Some(false),
        _ => {
            let message = "attribute 'scalar_storage_order' argument must be one of 'big-endian' or 'little-endian'";
            cx.error(attr.loc, message);
        }
    }
}

/// Attributes of functions on something else are ignored with a warning; a pointer to function may carry `noreturn`.
fn misplaced(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, flag: AttrFlags, target: AttrTarget) {
    const FUNCTIONS_ONLY: &[AttrFlags] = &[
        AttrFlags::ALWAYS_INLINE,
        AttrFlags::NOINLINE,
        AttrFlags::GNU_INLINE,
        AttrFlags::FLATTEN,
        AttrFlags::NAKED,
        AttrFlags::INTERRUPT,
        AttrFlags::NO_CALLER_SAVED,
        AttrFlags::NOCLONE,
    ];
    if flag == AttrFlags::NO_CALLER_SAVED && target == AttrTarget::Typedef {
        // A function that is defined by way of the type's name would have to keep its registers.
        cx.error(attr.loc, format!("not supported: attribute '{name}' of a type"));
    }
    if FUNCTIONS_ONLY.contains(&flag) && matches!(target, AttrTarget::Field | AttrTarget::Record | AttrTarget::Enum) {
        cx.warn(warning::ATTRIBUTES, attr.loc, format!("'{name}' attribute ignored"));
    }
}

/// The attributes of the standard (C23 6.7.13.2 to 6.7.13.8).
fn standard(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, target: AttrTarget, out: &mut Collected) {
    if !checks::standard_arguments(cx, attr, name) || !checks::standard_placement(cx, attr, name, target) {
        return;
    }
    let a = &mut out.attributes;
    let message = match attr.args.first() {
        Some(&AttrArg::Str(message)) => Some(message),
        _ => None,
    };
    match name {
        "deprecated" => {
            a.flags = a.flags.with(AttrFlags::DEPRECATED);
            a.message = message.or(a.message);
        }
        "nodiscard" => {
            a.flags = a.flags.with(AttrFlags::WARN_UNUSED_RESULT);
            a.message = message.or(a.message);
        }
        "maybe_unused" => a.flags = a.flags.with(AttrFlags::UNUSED),
        "noreturn" | "_Noreturn" => a.flags = a.flags.with(AttrFlags::NORETURN),
        "fallthrough" => a.flags = a.flags.with(AttrFlags::FALLTHROUGH),
        "unsequenced" => a.flags = a.flags.with(AttrFlags::UNSEQUENCED),
        "reproducible" => a.flags = a.flags.with(AttrFlags::REPRODUCIBLE),
        _ => cx.warn(warning::ATTRIBUTES, attr.loc, format!("'{name}' attribute ignored")),
    }
}

fn aligned(cx: &mut Sema<'_, '_>, attr: &Attr) -> u32 {
    match attr.args.first() {
        None => target::data_layout::BIGGEST_ALIGN,
        Some(&AttrArg::Int(n)) => check_align(cx, n, use_place(cx, attr.loc)),
        Some(_) => {
            error_at_use(cx, attr.loc, "requested alignment is not an integer constant");
            0
        }
    }
}

/// Where an attribute is complained about: attributes are mostly written by macros, whose use is what is wrong.
pub fn error_at_use(cx: &Sema<'_, '_>, loc: Loc, message: impl Into<String>) {
    cx.error(use_place(cx, loc), message);
}

/// The outermost macro use a location comes from.
pub fn use_place(cx: &Sema<'_, '_>, loc: Loc) -> Loc {
    if cx.sess.sources.is_macro(loc) { cx.sess.sources.expansion_point(loc) } else { loc }
}

/// Largest alignment an object file section can ask for, as in gcc.
const MAX_ALIGN: i128 = 1 << 28;

/// An alignment in bytes that is a power of two; 0 is "no effect".
pub fn check_align(cx: &mut Sema<'_, '_>, n: i128, loc: Loc) -> u32 {
    if n == 0 {
        return 0;
    }
    if n < 0 || !(n as u128).is_power_of_two() {
        cx.error(loc, format!("requested alignment '{n}' is not a positive power of 2"));
        return 0;
    }
    if n > MAX_ALIGN {
        cx.error(loc, format!("requested alignment '{n}' exceeds maximum {MAX_ALIGN}"));
        return 0;
    }
    n as u32
}

fn string_arg(cx: &mut Sema<'_, '_>, attr: &Attr) -> Option<Symbol> {
    match attr.args.first() {
        Some(&AttrArg::Str(text)) => Some(text),
        _ => {
            let name = cx.str(attr.name);
            error_at_use(cx, attr.loc, format!("'{name}' attribute argument not a string constant"));
            None
        }
    }
}

fn join_strings(cx: &mut Sema<'_, '_>, attr: &Attr) -> Option<Symbol> {
    let parts: Vec<String> = attr
        .args
        .iter()
        .map(|a| match *a {
            AttrArg::Str(s) | AttrArg::Ident(s) => cx.str(s).to_string(),
            AttrArg::Int(n) => format!("O{n}"),
            AttrArg::Value(..) | AttrArg::Other => String::new(),
        })
        .collect();
    Some(cx.sess.intern(&parts.join(",")))
}

fn visibility(cx: &mut Sema<'_, '_>, attr: &Attr) -> Option<Visibility> {
    let text = string_arg(cx, attr)?;
    match visibility_named(cx.str(text)) {
        Some(v) => Some(v),
        None => {
            let message = "'visibility' argument must be one of 'default', 'hidden', 'protected' or 'internal'";
            error_at_use(cx, attr.loc, message);
            None
        }
    }
}

/// The visibility of this name.
pub fn visibility_named(text: &str) -> Option<Visibility> {
    Some(match text {
        "default" => Visibility::Default,
        "hidden" => Visibility::Hidden,
        "protected" => Visibility::Protected,
        "internal" => Visibility::Internal,
        _ => return None,
    })
}

fn priority(cx: &mut Sema<'_, '_>, attr: &Attr) -> Option<u16> {
    match attr.args.first() {
        None => Some(DEFAULT_PRIORITY),
        Some(&AttrArg::Int(n @ 0..=65535)) => {
            if n <= 100 {
                let name = cx.str(attr.name);
                let message = format!("{name} priorities from 0 to 100 are reserved for the implementation");
                cx.warn(warning::PRIO_CTOR_DTOR, attr.loc, message);
            }
            Some(n as u16)
        }
        Some(_) => {
            let name = cx.str(attr.name);
            error_at_use(cx, attr.loc, format!("{name} priorities must be integers from 0 to 65535 inclusive"));
            None
        }
    }
}

fn tls_model(cx: &mut Sema<'_, '_>, attr: &Attr) -> Option<TlsModel> {
    let text = string_arg(cx, attr)?;
    Some(match cx.str(text) {
        "local-exec" => TlsModel::LocalExec,
        "initial-exec" => TlsModel::InitialExec,
        "local-dynamic" => TlsModel::LocalDynamic,
        "global-dynamic" => TlsModel::GeneralDynamic,
        _ => {
            let message =
                "'tls_model' argument must be one of 'local-exec', 'initial-exec', 'local-dynamic' or 'global-dynamic'";
            error_at_use(cx, attr.loc, message);
            return None;
        }
    })
}

/// Applies `mode`, `vector_size`, `may_alias` to a declared type, and `aligned` to a typedef's.
pub fn apply_to_type(
    cx: &mut Sema<'_, '_>,
    ty: QualType,
    collected: &Collected,
    target: AttrTarget,
    loc: Loc,
) -> QualType {
    let mut ty = ty;
    if let Some(mode) = collected.mode {
        ty = apply_mode(cx, ty, mode, loc);
    }
    if let Some(size) = collected.vector_size {
        ty = vectorise(cx, ty, size, loc);
    }
    if collected.may_alias && matches!(target, AttrTarget::Typedef | AttrTarget::Type) {
        let aliasing = cx.unit.types.with_may_alias(ty.ty());
        ty = QualType::new(aliasing, ty.quals());
    }
    if target == AttrTarget::Typedef && collected.align != 0 {
        let aligned = cx.unit.types.with_align(ty.ty(), collected.align);
        ty = QualType::new(aligned, ty.quals());
    }
    if target == AttrTarget::Typedef
        && collected.transparent
        && let TypeKind::Record(id) = cx.kind(ty)
    {
        super::records::make_transparent(cx, id, loc);
    }
    if collected.attributes.flags.has(AttrFlags::NORETURN) && target != AttrTarget::Function {
        ty = noreturn_pointer(cx, ty);
    }
    ty
}

/// Marks the function type a pointer (or typedef of a function) leads to as not returning.
fn noreturn_pointer(cx: &mut Sema<'_, '_>, ty: QualType) -> QualType {
    match cx.kind(ty) {
        TypeKind::Pointer(pointee) => {
            let inner = noreturn_pointer(cx, pointee);
            QualType::new(cx.pointer_to(inner), ty.quals())
        }
        TypeKind::Function(id) => {
            let signature = Signature { noreturn: true, ..cx.types().signature(id).clone() };
            QualType::new(cx.unit.types.function(signature), ty.quals())
        }
        _ => ty,
    }
}

/// `mode(QI)` and so on: the integer or floating type of that machine mode, with the signedness of `ty`.
pub fn apply_mode(cx: &mut Sema<'_, '_>, ty: QualType, mode: Symbol, loc: Loc) -> QualType {
    let text = normalised(cx.str(mode));
    if let TypeKind::Pointer(_) = cx.kind(ty)
        && matches!(text, "DI" | "pointer" | "word")
    {
        return ty;
    }
    // A mode on a function or array applies to its result or element.
    match cx.kind(ty) {
        TypeKind::Array { elem, len } => {
            let elem = apply_mode(cx, elem, mode, loc);
            return QualType::new(cx.unit.types.array_of(elem, len), ty.quals());
        }
        TypeKind::Function(id) => {
            let signature = cx.types().signature(id).clone();
            let ret = apply_mode(cx, signature.ret, mode, loc);
            return cx.unit.types.function(Signature { ret, ..signature }).plain();
        }
        _ => {}
    }
    let signed = cx.types().int_info(ty.ty()).is_none_or(|i| i.signed);
    let integer = |bytes| types::int_of_size(bytes, signed);
    let vector = text.strip_prefix('V').and_then(|rest| {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        Some((rest[..digits].parse::<u32>().ok()?, &rest[digits..]))
    });
    let scalar = |cx: &Sema<'_, '_>, text: &str| match text {
        "QI" | "byte" => integer(1),
        "HI" => integer(2),
        "SI" => integer(4),
        "DI" | "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => integer(8),
        "TI" => integer(16),
        "HF" => Some(Ty::FLOAT16),
        "SF" => Some(Ty::FLOAT),
        "DF" => Some(Ty::DOUBLE),
        "XF" => Some(Ty::LONG_DOUBLE),
        "TF" => Some(Ty::FLOAT128),
        "SD" => Some(Ty::DECIMAL32),
        "DD" => Some(Ty::DECIMAL64),
        "TD" => Some(Ty::DECIMAL128),
        _ => {
            let _ = cx;
            None
        }
    };
    let found = match (vector, text) {
        (Some((lanes, elem)), _) => {
            let elem = scalar(cx, elem);
            elem.map(|e| cx.unit.types.vector_of(e, lanes))
        }
        (None, "SC") => Some(Ty::COMPLEX_FLOAT),
        (None, "DC") => Some(Ty::COMPLEX_DOUBLE),
        (None, "XC") => Some(Ty::COMPLEX_LONG_DOUBLE),
        (None, "TC") => Some(cx.unit.types.complex_of(Ty::FLOAT128)),
        (None, "CQI" | "CHI" | "CSI" | "CDI" | "CTI") => {
            let part = scalar(cx, &text[1..]);
            part.map(|p| cx.unit.types.complex_of(p))
        }
        _ => scalar(cx, text),
    };
    match found {
        Some(found) => QualType::new(found, ty.quals()),
        None => {
            cx.error(loc, format!("unknown machine mode '{text}'"));
            ty
        }
    }
}

/// `vector_size(bytes)`: the vector replaces the scalar type at the bottom of pointers, arrays and functions.
fn vectorise(cx: &mut Sema<'_, '_>, ty: QualType, bytes: u64, loc: Loc) -> QualType {
    match cx.kind(ty) {
        TypeKind::Pointer(pointee) => {
            let inner = vectorise(cx, pointee, bytes, loc);
            QualType::new(cx.pointer_to(inner), ty.quals())
        }
        TypeKind::Array { elem, len } => {
            let inner = vectorise(cx, elem, bytes, loc);
            QualType::new(cx.unit.types.array_of(inner, len), ty.quals())
        }
        TypeKind::Function(id) => {
            let signature = cx.types().signature(id).clone();
            let ret = vectorise(cx, signature.ret, bytes, loc);
            cx.unit.types.function(Signature { ret, ..signature }).plain()
        }
        TypeKind::Float(kind) if kind.decimal().is_some() => {
            cx.error(loc, "not supported: vectors of decimal floating-point types");
            ty
        }
        TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Enum(_) => {
            let elem = cx.types().strip_enum(ty.ty());
            let size = cx.types().size_of(elem).unwrap_or(1);
            if !bytes.is_multiple_of(size) {
                cx.error(loc, "vector size not an integral multiple of component size");
                return ty;
            }
            let lanes = bytes / size;
            if !lanes.is_power_of_two() {
                cx.error(loc, "number of vector components not a power of two");
                return ty;
            }
            if lanes > 1 << 30 {
                cx.error(loc, format!("number of vector components {lanes} exceeds {}", 1 << 30));
                return ty;
            }
            QualType::new(cx.unit.types.vector_of(elem, lanes as u32), ty.quals())
        }
        TypeKind::Error => ty,
        _ => {
            cx.error(loc, "invalid vector type for attribute 'vector_size'");
            ty
        }
    }
}
