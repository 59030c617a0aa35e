//! Checks of attributes' arguments (gcc manual, "Function Attributes", "Variable Attributes"; C23
//! 6.7.13): how many there are, what they name, which parameters they refer to.
//!
//! What needs no type is checked as the attribute is collected; what refers to parameters waits in
//! `Collected::later` until the declaration's type is known, and [`against_type`] has the rest.

use base::{Loc, Symbol, warning};

use super::{Attr, AttrArg, AttrTarget, error_at_use, normalised, table};
use crate::sema::Sema;
use crate::tree::{DeclKind, Format, FormatArchetype, QualType, Signature, Ty, TypeKind};

/// The arguments of a GNU attribute as far as its name alone decides. False if the attribute is to
/// be dropped.
pub fn arguments(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str) -> bool {
    match name {
        "nonnull" | "aligned" | "alloc_size" | "alloc_align" | "assume_aligned" | "sentinel" | "vector_size"
        | "constructor" | "destructor" | "format_arg" | "malloc" | "copy" => declared_names(cx, attr),
        _ => true,
    }
}

/// Names among the arguments must be declared.
fn declared_names(cx: &mut Sema<'_, '_>, attr: &Attr) -> bool {
    let mut all = true;
    for arg in &attr.args {
        let AttrArg::Ident(symbol) = *arg else { continue };
        let text = cx.str(symbol);
        if cx.scopes.lookup(symbol).is_none() && !text.starts_with("__builtin_") {
            let place =
                if cx.functions.is_empty() { "here (not in a function)" } else { "(first use in this function)" };
            error_at_use(cx, attr.loc, format!("'{text}' undeclared {place}"));
            all = false;
        }
    }
    all
}

/// Whether the attribute's arguments refer to the declaration's parameters, or its place to the
/// type.
pub fn waits_for_type(attr: &Attr, name: &str, target: AttrTarget) -> bool {
    match name {
        _ if table::waits_for_type(name, target) => true,
        "access" | "format" | "copy" => true,
        "malloc" => !attr.args.is_empty(),
        "nonnull" => attr.args.is_empty(),
        _ => false,
    }
}

/// The checks that need the declared type; `loc` is the declared name's.
pub fn against_type(cx: &mut Sema<'_, '_>, later: &[Attr], ty: QualType, target: AttrTarget, loc: Loc) {
    for attr in later {
        let signature = cx.types().signature_of(ty.ty()).cloned();
        let name = normalised(cx.str(attr.name));
        if target != AttrTarget::Function {
            table::against_type(cx, attr, name, ty, target == AttrTarget::Typedef);
        }
        match name {
            "access" => access(cx, attr, signature.as_ref(), loc),
            "malloc" => deallocator(cx, attr),
            "copy" => copy(cx, attr),
            "nonnull" => {
                if signature.is_some_and(|s| !s.prototype) {
                    cx.error(loc, "'nonnull' attribute without arguments on a non-prototype");
                }
            }
            "format" => {
                let known = matches!(attr.args[0], AttrArg::Ident(kind) if archetype(cx.str(kind)).is_some());
                if let Some(signature) = signature.as_ref().filter(|_| known) {
                    format_parameters(cx, attr, signature, loc);
                }
            }
            _ => {}
        }
    }
}

const MODES: &[&str] = &["read_only", "read_write", "write_only", "none"];
const MODE_LIST: &str = "expected one of 'read_only', 'read_write', 'write_only', or 'none'";

/// `access (mode, pointer, size)`
fn access(cx: &mut Sema<'_, '_>, attr: &Attr, signature: Option<&Signature>, loc: Loc) {
    let mode = match attr.args[0] {
        AttrArg::Ident(symbol) => normalised(cx.str(symbol)),
        other => {
            let text = argument_text(cx, other);
            cx.error(loc, format!("attribute 'access' mode '{text}' is not an identifier; {MODE_LIST}"));
            return;
        }
    };
    if !MODES.contains(&mode) {
        cx.error(loc, format!("attribute 'access' invalid mode '{mode}'; {MODE_LIST}"));
        return;
    }
    if attr.args.len() < 2 {
        cx.error(loc, format!("attribute 'access({mode})' missing an argument"));
        return;
    }
    let shown: Vec<String> = attr.args[1..].iter().map(|&arg| argument_text(cx, arg)).collect();
    let spelling = format!("access({mode}, {})", shown.join(", "));
    for (index, arg) in attr.args[1..].iter().enumerate() {
        let position = match *arg {
            AttrArg::Int(n) if n > 0 => n,
            _ => {
                let text = &shown[index];
                cx.error(loc, format!("attribute '{spelling}' invalid positional argument {} '{text}'", index + 1));
                return;
            }
        };
        let Some(signature) = signature.filter(|s| s.prototype) else { continue };
        let Some(&parameter) = usize::try_from(position - 1).ok().and_then(|at| signature.params.get(at)) else {
            let count = signature.params.len();
            let what = format!("value {position} exceeds number of function arguments {count}");
            cx.error(loc, format!("attribute '{spelling}' positional argument {} {what}", index + 1));
            return;
        };
        let problem = access_parameter(cx, mode, index, parameter);
        if let Some(problem) = problem {
            let ty = cx.tname(parameter);
            cx.error(
                loc,
                format!(
                    "attribute '{spelling}' positional argument {} references {problem} argument type {ty}",
                    index + 1
                ),
            );
            return;
        }
    }
}

/// What is wrong with the parameter that argument `index` (0: the pointer, 1: the size) of `access`
/// refers to.
fn access_parameter(cx: &Sema<'_, '_>, mode: &str, index: usize, ty: QualType) -> Option<&'static str> {
    if cx.types().is_error(ty.ty()) {
        return None;
    }
    if index == 1 {
        return (!cx.types().is_integer(ty.ty())).then_some("non-integer");
    }
    match cx.types().pointee(ty.ty()) {
        None => Some("non-pointer"),
        Some(pointee) if cx.types().is_function(pointee.ty()) => Some("function"),
        Some(pointee) if pointee.quals().is_const() && matches!(mode, "read_write" | "write_only") => {
            Some("'const'-qualified")
        }
        Some(_) => None,
    }
}

pub(super) fn argument_text(cx: &Sema<'_, '_>, arg: AttrArg) -> String {
    match arg {
        AttrArg::Ident(symbol) => cx.str(symbol).to_string(),
        AttrArg::Int(n) => n.to_string(),
        AttrArg::Str(symbol) => format!("\"{}\"", cx.str(symbol)),
        AttrArg::Value(..) | AttrArg::Other => "<expression>".to_string(),
    }
}

/// `malloc (deallocator, position)`: the deallocator takes the pointer as the parameter of that
/// number.
fn deallocator(cx: &mut Sema<'_, '_>, attr: &Attr) {
    let loc = attr.loc;
    let function = match attr.args[0] {
        AttrArg::Ident(symbol) => cx.scopes.lookup(symbol),
        AttrArg::Int(_) | AttrArg::Str(_) => None,
        AttrArg::Value(..) | AttrArg::Other => return,
    };
    let Some(function) = function else {
        if !matches!(attr.args[0], AttrArg::Ident(_)) {
            cx.error(loc, "'malloc' attribute argument 1 does not name a function");
        }
        return;
    };
    let decl = cx.unit.decls[function];
    if decl.kind == DeclKind::Typedef {
        let name = cx.dname(function);
        cx.error(loc, format!("expected expression before {name}"));
        return;
    }
    let Some(signature) = cx.types().signature_of(decl.ty.ty()).cloned().filter(|_| decl.kind == DeclKind::Function)
    else {
        cx.error(loc, "'malloc' attribute argument 1 does not name a function");
        return;
    };
    let position = match attr.args.get(1) {
        None => 1,
        Some(&AttrArg::Int(n)) if n > 0 && n <= signature.params.len().max(1) as i128 => n as usize,
        Some(&AttrArg::Int(n)) => {
            let count = signature.params.len();
            let range =
                format!("'malloc' attribute argument 2 value '{n}' exceeds the number of function arguments {count}");
            cx.warn(warning::ATTRIBUTES, loc, range);
            return;
        }
        Some(_) => return,
    };
    let parameter = signature.params.get(position - 1).copied();
    if parameter.is_some_and(|ty| cx.types().is_pointer(ty.ty()) || cx.types().is_error(ty.ty())) {
        return;
    }
    let which = if position == 1 { "its first argument".to_string() } else { format!("its argument {position}") };
    let have = match parameter {
        Some(ty) => format!("; have {}", cx.tname(ty)),
        None if signature.prototype => format!("; have {}", cx.tname(Ty::VOID)),
        None => String::new(),
    };
    cx.sess
        .error(loc, format!("'malloc' attribute argument 1 must take a pointer type as {which}{have}"))
        .note(decl.loc, "declared here")
        .emit();
}

/// `copy (function-or-variable)`
fn copy(cx: &mut Sema<'_, '_>, attr: &Attr) {
    match attr.args[0] {
        AttrArg::Str(_) => error_at_use(cx, attr.loc, "'copy' attribute argument cannot be a string"),
        AttrArg::Int(_) => {
            error_at_use(cx, attr.loc, "'copy' attribute argument cannot be a constant arithmetic expression")
        }
        _ => {}
    }
}

fn archetype(kind: &str) -> Option<FormatArchetype> {
    Some(match normalised(kind) {
        "printf" | "gnu_printf" | "syslog" => FormatArchetype::Printf,
        "scanf" | "gnu_scanf" => FormatArchetype::Scanf,
        "strftime" | "gnu_strftime" => FormatArchetype::Strftime,
        "strfmon" | "gnu_strfmon" => FormatArchetype::Strfmon,
        _ => return None,
    })
}

/// `format (archetype, string, first)`: the archetype is known, the numbers are in order. `None`
/// drops the attribute.
pub fn format(cx: &mut Sema<'_, '_>, attr: &Attr) -> Option<Format> {
    let AttrArg::Ident(kind) = attr.args[0] else {
        error_at_use(cx, attr.loc, "unrecognized format specifier");
        return None;
    };
    let kind = normalised(cx.str(kind));
    let Some(archetype) = archetype(kind) else {
        internal_format(cx, kind, attr.loc);
        return None;
    };
    let (AttrArg::Int(string), AttrArg::Int(first)) = (attr.args[1], attr.args[2]) else {
        let bad = if matches!(attr.args[1], AttrArg::Int(_)) { 3 } else { 2 };
        error_at_use(cx, attr.loc, format!("'format' attribute argument {bad} is not an integer constant"));
        return None;
    };
    if archetype == FormatArchetype::Strftime && first != 0 {
        error_at_use(cx, attr.loc, format!("{kind} formats cannot format arguments"));
        return None;
    }
    if first != 0 && first <= string {
        error_at_use(cx, attr.loc, "format string argument follows the arguments to be formatted");
        return None;
    }
    let (string, first) = (u16::try_from(string).ok()?, u16::try_from(first).ok()?);
    Some(Format { archetype, string, first })
}

/// The formats of gcc's own functions need typedefs for the types they print.
fn internal_format(cx: &mut Sema<'_, '_>, kind: &str, loc: Loc) {
    let needs: &[&str] = match kind {
        "asm_fprintf" => &["__gcc_host_wide_int__"],
        "gcc_diag" | "gcc_tdiag" | "gcc_cdiag" | "gcc_cxxdiag" | "gcc_gfc" | "gcc_dump_printf" => {
            &["tree", "location_t", "__gcc_host_wide_int__"]
        }
        "NSString" => {
            cx.warn(warning::FORMAT, loc, "'NSString' is only allowed in Objective-C dialects");
            return;
        }
        _ => {
            cx.warn(warning::FORMAT, loc, format!("'{kind}' is an unrecognized format function type"));
            return;
        }
    };
    if !cx.sess.warning_enabled(warning::FORMAT, loc) {
        return;
    }
    for &name in needs {
        let symbol: Symbol = cx.sess.intern(name);
        let Some(id) = cx.scopes.lookup(symbol) else { continue };
        if cx.unit.decls[id].kind != DeclKind::Typedef {
            cx.error(loc, format!("'{name}' is not defined as a type"));
            return;
        }
        let ty = cx.unit.decls[id].ty.ty();
        let problem = match name {
            "tree" if !cx.types().is_pointer(ty) => "a pointer type",
            "__gcc_host_wide_int__" if !matches!(cx.types().canonical(ty), Ty::LONG | Ty::LONGLONG) => {
                "'long' or 'long long'"
            }
            _ => continue,
        };
        cx.error(loc, format!("'{name}' is not defined as {problem}"));
        return;
    }
}

/// The format string's parameter is a string, and the arguments begin at the `...`.
fn format_parameters(cx: &mut Sema<'_, '_>, attr: &Attr, signature: &Signature, loc: Loc) {
    let (&AttrArg::Int(string), &AttrArg::Int(first)) = (&attr.args[1], &attr.args[2]) else { return };
    if !signature.prototype {
        return;
    }
    let Some(&parameter) = usize::try_from(string - 1).ok().and_then(|at| signature.params.get(at)) else {
        let what = if string < 1 {
            "does not refer to a function parameter".to_string()
        } else {
            format!("exceeds the number of function parameters {}", signature.params.len())
        };
        cx.warn(warning::ATTRIBUTES, loc, format!("'format' attribute argument 2 value '{string}' {what}"));
        return;
    };
    let is_string = cx
        .types()
        .pointee(parameter.ty())
        .is_some_and(|p| matches!(cx.types().canonical(p.ty()), Ty::CHAR | Ty::SCHAR | Ty::UCHAR | Ty::ERROR));
    if !is_string && cx.kind(parameter) != TypeKind::Error {
        let ty = cx.tname(parameter);
        cx.error(loc, format!("'format' attribute argument 2 value '{string}' refers to parameter type {ty}"));
        return;
    }
    if first != 0 && !(signature.variadic && first == signature.params.len() as i128 + 1) {
        let problem = if signature.variadic {
            format!("'format' attribute argument 3 value '{first}' does not refer to a variable argument list")
        } else {
            "argument to be formatted is not '...'".to_string()
        };
        cx.error(loc, problem);
    }
}

/// The arguments of one of the standard's attributes (C23 6.7.13.2 to 6.7.13.8). False if it is to
/// be dropped.
pub fn standard_arguments(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str) -> bool {
    if !attr.has_args {
        return true;
    }
    let takes_message = matches!(name, "deprecated" | "nodiscard");
    let message = match (&attr.args[..], takes_message) {
        (_, false) => format!("'{name}' attribute does not take any arguments"),
        ([AttrArg::Str(_)], true) => return true,
        ([], true) => "parentheses must be omitted if attribute argument list is empty".to_string(),
        ([AttrArg::Str(_), ..], true) => "expected ')' before ','".to_string(),
        _ => "expected string literal".to_string(),
    };
    error_at_use(cx, attr.loc, message);
    false
}

/// A standard attribute where it does not belong is ignored, and that is diagnosed (C23 6.7.13.1
/// and the attributes' own constraints). False if it is to be dropped.
pub fn standard_placement(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, target: AttrTarget) -> bool {
    let ignored = match (name, target) {
        ("fallthrough", AttrTarget::Statement) => false,
        (_, AttrTarget::Statement | AttrTarget::Type) => true,
        ("nodiscard", AttrTarget::Function | AttrTarget::Record | AttrTarget::Enum) => false,
        ("nodiscard", _) => {
            let message =
                "'nodiscard' attribute can only be applied to functions or to structure, union or enumeration types";
            cx.pedwarn(warning::ATTRIBUTES, attr.loc, message);
            return false;
        }
        ("fallthrough", _) => true,
        ("noreturn" | "_Noreturn", target) => target != AttrTarget::Function,
        _ => false,
    };
    if ignored {
        cx.pedwarn(warning::ATTRIBUTES, attr.loc, format!("'{name}' attribute ignored"));
    }
    !ignored
}
