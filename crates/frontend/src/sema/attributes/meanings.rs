//! What each attribute means: from its name and arguments to what is collected.

use super::{checks, table};
use base::{Symbol, warning};
use platform::options::{Sanitizers, Thunk, TlsModel, Visibility};

use super::{
    Attr, AttrArg, AttrTarget, Collected, IN_64_BIT_CODE, REFUSED, WITHOUT_EFFECT, check_align, error_at_use,
    use_place, visibility_named,
};
use crate::sema::Sema;
use crate::tree::attributes::DEFAULT_PRIORITY;
use crate::tree::{AttrFlags, Attributes, Branches, DeclFlags};

pub(super) fn one(cx: &mut Sema<'_, '_>, attr: &Attr, target: AttrTarget, out: &mut Collected) {
    let name = cx.str(attr.name);
    if attr.standard {
        return standard(cx, attr, name, target, out);
    }
    if !table::check(cx, attr, name, target) || !checks::arguments(cx, attr, name) {
        return;
    }
    if checks::waits_for_type(attr, name, target) {
        out.later.push(attr.clone());
    }
    let section = out.attributes.section;
    let known = of_layout(cx, attr, name, target, out)
        || of_symbols(cx, attr, name, &mut out.attributes)
        || of_calls(cx, attr, name, &mut out.attributes)
        || of_code(cx, attr, name, target, &mut out.attributes);
    if !known {
        flag(cx, attr, name, target, &mut out.attributes);
    }
    out.sections_differ |= section.is_some() && section != out.attributes.section;
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
            Some(&AttrArg::Int(_)) if out.vector_size.is_some() => {
                error_at_use(cx, attr.loc, "invalid vector type for attribute 'vector_size'");
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
        "ms_struct" | "gcc_struct" => out.ms_layout = Some(name == "ms_struct"),
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
fn of_code(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, target: AttrTarget, a: &mut Attributes) -> bool {
    let others: &[(&str, bool)] = match name {
        "target" | "always_inline" => &[("target_clones", a.target_clones.is_some())],
        "target_clones" => &[("always_inline", a.flags.has(AttrFlags::ALWAYS_INLINE)), ("target", a.target.is_some())],
        _ => &[],
    };
    if let Some((other, _)) = others.iter().find(|other| other.1) {
        let message = format!("'{name}' attribute ignored due to conflict with '{other}' attribute");
        cx.warn(warning::ATTRIBUTES, use_place(cx, attr.loc), message);
        return true;
    }
    match name {
        "indirect_branch" | "function_return" | "fentry_name" | "fentry_section" | "cf_check" | "nocf_check" => {
            of_branches(cx, attr, name, target, a);
        }
        "target" => {
            a.target = join_strings(cx, attr);
            let text = a.target.map_or("", |t| cx.str(t)).to_string();
            if let Err(message) = cx.options.codegen.features.clone().apply_target(&text) {
                cx.error(attr.loc, message);
            }
        }
        "simd" => a.simd = Branches::joined(a.simd, simd(cx, attr)),
        "target_clones" => a.target_clones = clones(cx, attr).or(a.target_clones),
        "optimize" => {
            let said = a.optimize.map(|said| format!("{},", cx.str(said))).unwrap_or_default();
            a.optimize = join_strings(cx, attr).map(|more| cx.sess.intern(&format!("{said}{}", cx.str(more))));
        }
        "no_sanitize"
        | "no_sanitize_address"
        | "no_sanitize_thread"
        | "no_sanitize_undefined"
        | "no_address_safety_analysis" => a.no_sanitize = a.no_sanitize.with(unsanitized(cx, attr, name)),
        "patchable_function_entry" => {
            if let (Some(size), Some(before)) = (patch_number(cx, attr, 0), patch_number(cx, attr, 1)) {
                if before > size && size > 0 {
                    let message = format!("patchable function entry {before} exceeds size {size}");
                    cx.warn(warning::ATTRIBUTES, use_place(cx, attr.loc), message);
                }
                a.patchable = Some((size, if before > size { 0 } else { before }));
            }
        }
        "zero_call_used_regs" => match string_arg(cx, attr) {
            Some(name) if platform::options::ZeroRegisters::named(cx.str(name)).is_none() => {
                let name = cx.str(name);
                error_at_use(cx, attr.loc, format!("unrecognized 'zero_call_used_regs' attribute argument '{name}'"));
            }
            name => a.zero_call_used_regs = name,
        },
        _ => return false,
    }
    true
}

/// Which variants for vectors `simd` asks for.
fn simd(cx: &mut Sema<'_, '_>, attr: &Attr) -> Option<Branches> {
    let text = match attr.args.first() {
        None => return Some(Branches::Both),
        Some(&AttrArg::Str(text)) => cx.str(text),
        Some(_) => {
            error_at_use(cx, attr.loc, "attribute 'simd' argument not a string");
            return None;
        }
    };
    match text {
        "inbranch" => Some(Branches::Inside),
        "notinbranch" => Some(Branches::Outside),
        _ => {
            let message = "only 'inbranch' and 'notinbranch' flags are allowed for '__simd__' attribute";
            error_at_use(cx, attr.loc, message);
            None
        }
    }
}

/// The versions that `target_clones` names.
fn clones(cx: &mut Sema<'_, '_>, attr: &Attr) -> Option<Symbol> {
    if attr.args.iter().any(|arg| !matches!(arg, AttrArg::Str(_))) {
        error_at_use(cx, attr.loc, "'target_clones' attribute argument not a string constant");
        return None;
    }
    let list = join_strings(cx, attr)?;
    if !cx.str(list).contains(',') {
        let message = "single 'target_clones' attribute is ignored";
        cx.warn(warning::ATTRIBUTES, use_place(cx, attr.loc), message);
        return None;
    }
    Some(list)
}

/// Attributes of x86 functions: how they branch, and what begins them.
fn of_branches(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, target: AttrTarget, a: &mut Attributes) {
    let loc = use_place(cx, attr.loc);
    let function = target == AttrTarget::Function;
    match (name, attr.args.first()) {
        ("nocf_check", _) if cx.options.codegen.cf_protection == 0 => {
            let message = "'nocf_check' attribute ignored. Use '-fcf-protection' option to enable it";
            cx.warn(warning::ATTRIBUTES, loc, message);
        }
        ("nocf_check", _) => a.flags = a.flags.with(AttrFlags::NOCF_CHECK),
        ("indirect_branch" | "function_return" | "cf_check", _) if !function => {
            cx.warn(warning::ATTRIBUTES, loc, format!("'{name}' attribute only applies to functions"));
        }
        ("cf_check", _) => a.flags = a.flags.with(AttrFlags::CF_CHECK),
        ("indirect_branch" | "function_return", Some(&AttrArg::Str(text))) => {
            let kind = Thunk::named(cx.str(text));
            if kind.is_none() {
                let kinds = "is not (keep|thunk|thunk-inline|thunk-extern)";
                cx.warn(warning::ATTRIBUTES, loc, format!("argument to '{name}' attribute {kinds}"));
            }
            let place = if name == "indirect_branch" { &mut a.indirect_branch } else { &mut a.function_return };
            *place = kind.or(*place);
        }
        ("indirect_branch" | "function_return", _) => {
            let message = format!("'{name}' attribute requires a string constant argument");
            cx.warn(warning::ATTRIBUTES, loc, message);
        }
        ("fentry_name", Some(&AttrArg::Str(text))) if function => a.fentry_name = Some(text),
        ("fentry_section", Some(&AttrArg::Str(text))) if function => a.fentry_section = Some(text),
        _ => cx.warn(warning::ATTRIBUTES, loc, format!("'{name}' attribute ignored")),
    }
}

/// An argument of `patchable_function_entry`.
fn patch_number(cx: &mut Sema<'_, '_>, attr: &Attr, index: usize) -> Option<u16> {
    let problem = match attr.args.get(index) {
        None => return Some(0),
        Some(&AttrArg::Int(n)) => match u16::try_from(n) {
            Ok(n) => return Some(n),
            Err(_) if n > 0 => format!("argument '{n}' exceeds 65535"),
            Err(_) => format!("argument '{n}' is not an integer constant"),
        },
        Some(&other) => format!("argument '{}' is not an integer constant", checks::argument_text(cx, other)),
    };
    let loc = use_place(cx, attr.loc);
    cx.warn(warning::ATTRIBUTES, loc, format!("'patchable_function_entry' attribute {problem}"));
    None
}

/// The numeric argument of this index, 0 where there is none.
pub(super) fn number(attr: &Attr, index: usize) -> u16 {
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
                of_no_type(cx, attr, name, flag, target);
                a.flags = a.flags.with(flag);
            }
            // At a variable what is said depends on its type.
            None if IN_64_BIT_CODE.contains(&name) => {
                if !table::waits_for_type(name, target) {
                    table::of_other_code(cx, attr, name);
                }
            }
            None if WITHOUT_EFFECT.contains(&name) => {}
            None if REFUSED.contains(&name) => {
                error_at_use(cx, attr.loc, format!("not supported: attribute '{name}'"));
            }
            None => cx.warn(warning::ATTRIBUTES, attr.loc, format!("'{name}' attribute directive ignored")),
        },
    }
}

/// `copy(name)` or `copy(expression)`: the attributes of another declaration but for those that
/// give symbols a meaning of their own, and `packed` of a structure or of what a pointer points to.
/// One structure has also another's alignment, if that was declared.
pub(super) fn copy(cx: &mut Sema<'_, '_>, attr: &Attr, target: AttrTarget, out: &mut Collected) {
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
    let (packed, align) = cx.types().record_of(ty).map_or((false, 0), |record| (record.packed, record.declared_align));
    match target {
        AttrTarget::Field => out.packed |= member || packed,
        AttrTarget::Record => {
            out.packed |= packed;
            out.align = out.align.max(align);
        }
        _ => {}
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

/// A function that is defined by way of the type's name would have to keep its registers.
fn of_no_type(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, flag: AttrFlags, target: AttrTarget) {
    if flag == AttrFlags::NO_CALLER_SAVED && target == AttrTarget::Typedef {
        cx.error(attr.loc, format!("not supported: attribute '{name}' of a type"));
    }
}

/// The attributes of the standard (C23 6.7.13.2 to 6.7.13.8).
pub(super) fn standard(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str, target: AttrTarget, out: &mut Collected) {
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
            a.flags = a.flags.with(AttrFlags::NODISCARD);
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

pub(super) fn aligned(cx: &mut Sema<'_, '_>, attr: &Attr) -> u32 {
    match attr.args.first() {
        None => platform::data_layout::BIGGEST_ALIGN,
        Some(&AttrArg::Int(n)) => check_align(cx, n, use_place(cx, attr.loc)),
        Some(_) => {
            error_at_use(cx, attr.loc, "requested alignment is not an integer constant");
            0
        }
    }
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

/// What `no_sanitize(...)` and the attributes of single sanitizers turn off.
fn unsanitized(cx: &mut Sema<'_, '_>, attr: &Attr, name: &str) -> Sanitizers {
    match name {
        "no_sanitize_undefined" => return Sanitizers::OF_UBSAN,
        "no_sanitize_thread" => return Sanitizers::THREAD,
        "no_sanitize_address" | "no_address_safety_analysis" => return Sanitizers::ANY_ADDRESS,
        _ => {}
    }
    let mut off = Sanitizers::NONE;
    for &arg in &attr.args {
        let AttrArg::Str(list) = arg else {
            error_at_use(cx, attr.loc, "'no_sanitize' argument not a string");
            continue;
        };
        let list = cx.str(list).to_string();
        for word in list.split(',').filter(|word| !word.is_empty()) {
            match Sanitizers::named(word) {
                Some(checks) => off = off.with(checks),
                None => cx.warn(warning::ATTRIBUTES, attr.loc, format!("'{word}' attribute directive ignored")),
            }
        }
    }
    off
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
