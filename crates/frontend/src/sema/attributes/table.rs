//! The attributes of gcc 12 for C on x86-64 (gcc manual, "Attribute Syntax" and the sections on
//! attributes of functions, variables, types, labels, enumerators and statements): how many
//! arguments each takes, where it may stand, and what is said elsewhere.

use std::sync::LazyLock;

use base::warning;
use rustc_hash::FxHashMap;

use super::{Attr, AttrTarget, error_at_use, use_place};
use crate::sema::Sema;
use crate::tree::{QualType, TypeKind};

/// Any number of arguments.
const ANY: usize = usize::MAX;

/// Where an attribute may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// Everywhere, or where the attribute's own rules say.
    Any,
    /// Functions.
    Functions(Elsewhere),
    /// Functions and pointers to functions, as an attribute of what is declared.
    FunctionsAndPointers,
    /// The type of a function, or what a declared pointer points to.
    FunctionTypes,
    /// Functions and variables.
    Symbols(Elsewhere),
    /// Variables.
    Variables,
    /// Functions and labels.
    Code,
    /// Structures and unions, and type names of the latter.
    Records,
    /// Members, and structures, unions and enumerations.
    Members,
    /// Statements.
    Statements,
}

/// What is said of an attribute of functions or symbols at another declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elsewhere {
    /// "ignored"
    Ignored,
    /// "only applies to functions"
    OnlyApplies,
    /// "is only applicable on functions"
    OnlyApplicable,
    /// The error "applies only to functions".
    Error,
    /// "ignored; valid only for functions"
    ValidOnly,
    /// "only affects top level objects"
    TopLevel,
    /// "only applies to functions and variables"
    OnlySymbols,
}

use Elsewhere::{Error, Ignored, OnlyApplicable, OnlyApplies, OnlySymbols, TopLevel, ValidOnly};
use Home::{
    Any, Code, FunctionTypes, Functions, FunctionsAndPointers, Members, Records, Statements, Symbols, Variables,
};

/// Least and greatest number of arguments, place, names.
#[rustfmt::skip]
const TABLE: &[(usize, usize, Home, &str)] = &[
    (0, 0, Functions(Ignored), "always_inline artificial flatten gnu_inline leaf no_address_safety_analysis no_icf
        no_profile_instrument_function no_sanitize_address no_sanitize_coverage no_sanitize_thread no_sanitize_undefined
        no_stack_protector noclone noinline noipa nothrow pure returns_twice stack_protect"),
    (0, 1, Functions(Ignored), "constructor destructor simd"),
    (1, 1, Functions(Ignored), "error fentry_name fentry_section ifunc warning"),
    (1, ANY, Functions(Ignored), "no_sanitize optimize target target_clones"),
    (0, 0, Functions(OnlyApplies), "cf_check ms_hook_prologue naked"),
    (1, 1, Functions(OnlyApplies), "function_return indirect_branch"),
    (0, 0, Functions(OnlyApplicable), "noplt"),
    (0, 0, Functions(Error), "no_instrument_function no_split_stack no_stack_limit"),
    (1, 1, Functions(Error), "zero_call_used_regs"),
    (0, 2, Functions(ValidOnly), "malloc"),
    (0, 0, FunctionsAndPointers, "const noreturn"),
    (0, 0, FunctionTypes, "cdecl fastcall force_align_arg_pointer indirect_return interrupt ms_abi no_caller_saved_registers
        nocf_check returns_nonnull sseregparm stdcall sysv_abi thiscall warn_unused_result"),
    (0, 1, FunctionTypes, "sentinel"),
    (1, 1, FunctionTypes, "alloc_align callee_pop_aggregate_return format_arg regparm"),
    (1, 2, FunctionTypes, "alloc_size assume_aligned"),
    (1, 3, FunctionTypes, "access"),
    (3, 3, FunctionTypes, "format"),
    (0, ANY, FunctionTypes, "nonnull"),
    (0, 0, Symbols(Ignored), "externally_visible nodirect_extern_access weak"),
    (1, 1, Symbols(Ignored), "alias"),
    (0, 1, Symbols(Ignored), "weakref"),
    (0, 0, Symbols(TopLevel), "no_reorder"),
    (1, ANY, Symbols(OnlySymbols), "symver"),
    (0, 0, Variables, "common nocommon"),
    (0, 0, Code, "cold hot"),
    (0, 0, Records, "gcc_struct ms_struct transparent_union"),
    (1, 1, Records, "scalar_storage_order"),
    (0, 0, Members, "packed"),
    (0, 0, Statements, "fallthrough"),
    (0, 0, Any, "designated_init may_alias noinit nonstring persistent retain tainted_args transaction_callable
        transaction_may_cancel_outer transaction_pure transaction_safe transaction_unsafe uninitialized unused used"),
    (0, 1, Any, "aligned deprecated unavailable warn_if_not_aligned"),
    (1, 1, Any, "cleanup copy mode section tls_model vector_size visibility"),
    (1, 2, Any, "patchable_function_entry"),
];

/// The rows by the attributes' names. System headers have thousands of attributes.
static ROWS: LazyLock<FxHashMap<&str, usize>> = LazyLock::new(|| {
    let names = |(index, row): (usize, &(usize, usize, Home, &'static str))| {
        row.3.split_ascii_whitespace().map(move |name| (name, index))
    };
    TABLE.iter().enumerate().flat_map(names).collect()
});

fn find(name: &str) -> Option<(usize, usize, Home)> {
    let row = &TABLE[*ROWS.get(name)?];
    Some((row.0, row.1, row.2))
}

/// Whether gcc 12 knows the attribute.
pub fn is_known(name: &str) -> bool {
    find(name).is_some()
}

/// Checks the number of arguments and the place. False if the attribute is to be dropped.
pub fn check(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, target: AttrTarget) -> bool {
    let Some((least, most, home)) = find(name) else { return true };
    let count = attr.args.len();
    if !(least..=most).contains(&count) {
        let place = use_place(cx, attr.loc);
        let expected = match most {
            ANY => format!("expected {least} or more, found {count}"),
            _ => format!("expected between {least} and {most}, found {count}"),
        };
        let message = format!("wrong number of arguments specified for '{name}' attribute");
        cx.sess.error(place, message).note(place, expected).emit();
        return false;
    }
    let Some(problem) = misplaced(home, target) else { return true };
    let place = use_place(cx, attr.loc);
    match problem {
        Problem::Types => {
            cx.warn(warning::ATTRIBUTES, place, format!("'{name}' attribute does not apply to types"));
        }
        Problem::Words(Error) => error_at_use(cx, attr.loc, format!("'{name}' attribute applies only to functions")),
        Problem::Words(words) => {
            cx.warn(warning::ATTRIBUTES, place, format!("'{name}' attribute {}", text(words)));
            if name == "leaf" && target != AttrTarget::Variable {
                let message = "'leaf' attribute has no effect on unit local functions";
                cx.warn(warning::ATTRIBUTES, place, message);
            }
        }
        Problem::FunctionTypes => not_a_function(cx, attr, name),
    }
    false
}

/// Whether the attribute belongs to a function's type, so that it waits for the declared type.
pub fn waits_for_type(name: &str, target: AttrTarget) -> bool {
    let declared = [AttrTarget::Variable, AttrTarget::Parameter, AttrTarget::Field, AttrTarget::Typedef];
    declared.contains(&target) && matches!(find(name), Some((_, _, FunctionTypes | FunctionsAndPointers)))
}

/// Calling conventions of 32-bit code, at a function or a pointer to one.
pub fn of_other_code(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str) {
    let message = match name {
        "cdecl" | "stdcall" | "fastcall" | "thiscall" | "sseregparm" => format!("'{name}' attribute ignored"),
        "callee_pop_aggregate_return" => format!("'{name}' attribute only available for 32-bit"),
        _ => return,
    };
    cx.warn(warning::ATTRIBUTES, use_place(cx, attr.loc), message);
}

/// An attribute of functions' types or pointers to functions at something declared with this type.
pub fn against_type(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, ty: QualType, is_typedef: bool) {
    let function = |ty: QualType| cx.types().is_function(ty.ty()) || cx.types().is_error(ty.ty());
    let pointer = matches!(cx.kind(ty), TypeKind::Pointer(pointee) if function(pointee));
    match find(name) {
        Some((_, _, FunctionTypes)) if !function(ty) && !pointer => not_a_function(cx, attr, name),
        Some((_, _, FunctionTypes)) => of_other_code(cx, attr, name),
        Some((_, _, FunctionsAndPointers)) if !pointer && (is_typedef || !function(ty)) => {
            cx.warn(warning::ATTRIBUTES, use_place(cx, attr.loc), format!("'{name}' attribute ignored"));
        }
        _ => {}
    }
}

fn not_a_function(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str) {
    let message = format!("'{name}' attribute only applies to function types");
    cx.warn(warning::ATTRIBUTES, use_place(cx, attr.loc), message);
}

/// What is wrong with a place.
enum Problem {
    Types,
    FunctionTypes,
    Words(Elsewhere),
}

fn misplaced(home: Home, target: AttrTarget) -> Option<Problem> {
    use AttrTarget::{Enum, Enumerator, Field, Function, Label, Parameter, Record, Statement, Type, Typedef, Variable};
    let is_type = matches!(target, Record | Enum);
    match (home, target) {
        // Attributes of a part of a declaration may belong to the whole; those of statements are
        // not looked at.
        (_, Type | Statement) | (Any, _) => None,
        (Functions(_) | Symbols(_) | FunctionsAndPointers | Variables | Code, _) if is_type => Some(Problem::Types),
        (FunctionTypes, Record | Enum | Enumerator | Label) => Some(Problem::FunctionTypes),
        (FunctionTypes, _) => None,
        (Functions(_) | FunctionsAndPointers | Symbols(_) | Code, Function) => None,
        (Functions(words), _) => Some(Problem::Words(words)),
        (Symbols(_) | FunctionsAndPointers | Variables, Variable) => None,
        (Symbols(words), _) => Some(Problem::Words(words)),
        (FunctionsAndPointers, Field | Parameter | Typedef) => None,
        (Code, Label) | (Records, Record | Typedef) | (Members, Field | Record | Enum) => None,
        (FunctionsAndPointers | Variables | Code | Records | Members | Statements, _) => Some(Problem::Words(Ignored)),
    }
}

fn text(words: Elsewhere) -> &'static str {
    match words {
        Ignored => "ignored",
        OnlyApplies => "only applies to functions",
        OnlyApplicable => "is only applicable on functions",
        Error => "applies only to functions",
        ValidOnly => "ignored; valid only for functions",
        TopLevel => "only affects top level objects",
        OnlySymbols => "only applies to functions and variables",
    }
}
