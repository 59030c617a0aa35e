//! Attributes (C23 6.7.13, GNU): from syntax to data.
//!
//! The parser hands over a list of [`Attr`]s, constants in their arguments already evaluated.
//! [`collect`] checks names and arguments and sorts them into what changes the type or layout
//! ([`Collected`]) and what stays with the declaration ([`Attributes`]). Unknown attributes are
//! ignored with gcc's warning; attributes that would change the calling convention or data layout
//! and are not offered are errors.

mod applied;
pub mod checks;
mod meanings;
mod table;

use base::{Loc, Symbol};
use platform::options::Visibility;
use smallvec::SmallVec;

use self::meanings::{copy, one};
use super::Sema;
use crate::tree::{AttrFlags, Attributes, DeclId, Ty};

pub use self::applied::{apply_mode, apply_to_type};

/// An argument of an attribute.
#[derive(Clone, Copy, Debug)]
pub enum AttrArg {
    /// An identifier that is not an enumerator or `constexpr` object.
    Ident(Symbol),
    /// An integer constant.
    Int(i128),
    /// A string literal's contents.
    Str(Symbol),
    /// The value of an expression that is not an integer constant, or a name: its type, the entity
    /// it names, and whether it is a packed member.
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
    /// Several `section`s that differ.
    pub sections_differ: bool,
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
#[inline]
pub fn collect(cx: &mut Sema<'_, '_>, attrs: &[Attr], target: AttrTarget) -> Collected {
    let mut out = Collected::default();
    if !attrs.is_empty() {
        collect_into(cx, attrs, target, &mut out);
    }
    out
}

fn collect_into(cx: &mut Sema<'_, '_>, attrs: &[Attr], target: AttrTarget, out: &mut Collected) {
    for attr in attrs {
        one(cx, attr, target, out);
        out.any = true;
    }
    // What is copied depends on the others.
    for attr in attrs {
        if !attr.standard && cx.str(attr.name) == "copy" {
            copy(cx, attr, target, out);
        }
    }
}

/// Attributes that are accepted and have no effect here: they inform diagnostics or analyses not
/// offered, or restate the default.
const WITHOUT_EFFECT: &[&str] = &[
    "access",
    "alloc_size",
    "copy",
    "designated_init",
    "noinit",
    "optimize",
    "persistent",
    "tainted_args",
    "target",
    "warn_if_not_aligned",
    "zero_call_used_regs",
    "fallthrough",
    "noplt",
    "nodirect_extern_access",
    "regparm",
    "force_align_arg_pointer",
    "indirect_return",
    "cold",
    "hot",
    "transaction_callable",
    "transaction_safe",
    "transaction_pure",
    "no_split_stack",
    "no_stack_limit",
    "transaction_may_cancel_outer",
    "transaction_unsafe",
];

/// Calling conventions of 32-bit code.
const IN_64_BIT_CODE: &[&str] =
    &["callee_pop_aggregate_return", "cdecl", "stdcall", "fastcall", "thiscall", "sseregparm"];

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
        || table::is_known(name)
        || AttrFlags::TABLE.iter().any(|(n, _)| *n == name)
        || crate::preprocess::features::gnu_attribute(name)
}

/// Attributes that change meaning and are not offered.
const REFUSED: &[&str] = &[
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

/// Where an attribute is complained about: attributes are mostly written by macros, whose use is
/// what is wrong.
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
