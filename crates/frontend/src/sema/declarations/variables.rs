//! Declarations of variables.

use base::{Loc, warning};
use cranelift_entity::packed_option::PackedOption;

use super::functions::check_attribute_conflicts;
use super::redeclarations::enter;
use super::{DeclSpecs, Declared, Storage, add_attributes, add_pragmas, check_section, new_decl};
use crate::sema::attributes::Collected;
use crate::sema::expressions::{pointer, primary};
use crate::sema::{Sema, asm, calls, lints, types};
use crate::tree::{Decl, DeclFlags, DeclId, DeclKind, Linkage, Name, QualType, Quals, StorageDuration, Ty, TypeKind};

pub(super) fn declare_variable(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, d: Declared<'_>, ty: QualType) -> DeclId {
    let name = cx.str(d.name.symbol);
    let at_file = cx.at_file_scope();
    let is_register = specs.storage == Some(Storage::Register);
    let is_extern = specs.storage == Some(Storage::Extern);
    let is_static = specs.storage == Some(Storage::Static);
    let ty = variable_type(cx, specs, d.name, ty);
    let mut decl = new_decl(cx, &d, DeclKind::Variable, ty);
    decl.align = decl.align.max(specs.align);
    check_alignas(cx, specs.align, ty, name, d.name.loc);
    if specs.align != 0 && is_register {
        cx.error(d.name.loc, format!("alignment specified for 'register' object '{name}'"));
    }
    if is_extern && !at_file {
        cx.warn(warning::NESTED_EXTERNS, d.name.loc, format!("nested extern declaration of '{name}'"));
    }
    if is_register {
        check_register(cx, &d, &mut decl);
    }
    set_linkage(cx, specs, &d, &mut decl);
    let persistent = at_file || is_static || is_extern;
    decl.duration = match (persistent, specs.thread) {
        (_, true) => StorageDuration::Thread,
        (true, false) => StorageDuration::Static,
        (false, false) => StorageDuration::Automatic,
    };
    let space = types::effective_quals(cx.types(), ty);
    if !space.space().is_empty() && decl.duration == StorageDuration::Automatic {
        let space = space.space_name();
        cx.error(d.name.loc, format!("'{space}' specified for auto variable '{name}'"));
    } else if !space.space().is_empty() && is_register {
        let space = space.space_name();
        cx.error(d.name.loc, format!("'{space}' combined with 'register' qualifier for '{name}'"));
    }
    let mut flag = |set: bool, flag: DeclFlags| {
        if set {
            decl.flags.set(flag);
        }
    };
    flag(specs.thread, DeclFlags::THREAD_KEYWORD);
    flag(is_register, DeclFlags::REGISTER);
    flag(specs.constexpr, DeclFlags::CONSTEXPR);
    flag(is_extern, DeclFlags::EXTERN_DECLARED);
    flag(d.initialised || (!at_file && !is_extern), DeclFlags::DEFINED);
    let id = enter(cx, d.name, decl, false);
    check_section(cx, id, d.attrs, d.name.loc);
    add_attributes(cx, id, d.attrs);
    add_pragmas(cx, id);
    resolve_cleanup(cx, id, d.attrs);
    if d.attrs.any {
        check_attribute_conflicts(cx, id, d.name.loc);
    }
    if is_static && !at_file {
        lints::static_local(cx, id);
    }
    if decl.flags.has(DeclFlags::TENTATIVE) && !cx.unit.decls[id].flags.has(DeclFlags::DEFINED) {
        cx.tentative.push(id);
    }
    id
}

/// The type of a variable that is declared with `ty`; an error type where there can be none such.
fn variable_type(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, name: Name, ty: QualType) -> QualType {
    let (text, loc) = (cx.str(name.symbol), name.loc);
    let at_file = cx.at_file_scope();
    let mut ty = ty;
    if cx.kind(ty) == TypeKind::Void && specs.storage != Some(Storage::Extern) {
        cx.error(loc, format!("variable or field '{text}' declared void"));
        ty = Ty::ERROR.plain();
    }
    if specs.inline || specs.noreturn {
        let word = if specs.inline { "inline" } else { "_Noreturn" };
        cx.pedwarn_always(loc, format!("variable '{text}' declared '{word}'"));
    }
    if at_file && cx.types().is_variably_modified(ty.ty()) {
        cx.error(loc, format!("variably modified '{text}' at file scope"));
        cx.pending_bounds.clear();
        ty = Ty::ERROR.plain();
    }
    if !at_file && cx.types().is_variably_modified(ty.ty()) {
        check_variable_linkage(cx, specs, ty, name);
    }
    if specs.constexpr {
        ty = types::qualify(&mut cx.unit.types, ty, Quals::CONST);
    }
    ty
}

/// `register T x asm("reg");`
fn check_register(cx: &mut Sema<'_, '_>, d: &Declared<'_>, decl: &mut Decl) {
    if let Some(register) = d.asm_name
        && !asm::is_register(cx.str(register))
    {
        let name = cx.str(d.name.symbol);
        cx.error(d.name.loc, format!("invalid register name for '{name}'"));
        decl.asm_name = None;
    }
    if let Some(register) = decl.asm_name
        && asm::register(cx.str(register)).is_some_and(|reg| reg.is_xmm())
        && !cx.features().has_sse()
    {
        let name = cx.str(d.name.symbol);
        let message = format!("the register specified for '{name}' cannot be accessed by the current target");
        cx.error(d.name.loc, message);
        decl.asm_name = None;
    }
    if d.initialised && d.asm_name.is_some_and(|name| asm::is_stack_pointer(cx.str(name))) {
        cx.error(d.name.loc, "not supported: assigning to the stack pointer");
    }
}

/// Linkage (C23 6.2.2), and what scope and storage class forbid.
fn set_linkage(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, d: &Declared<'_>, decl: &mut Decl) {
    let name = cx.str(d.name.symbol);
    let is_extern = specs.storage == Some(Storage::Extern);
    let is_static = specs.storage == Some(Storage::Static);
    if cx.at_file_scope() {
        decl.flags.set(DeclFlags::FILE_SCOPE);
        match specs.storage {
            Some(Storage::Auto) => {
                cx.error(d.name.loc, format!("file-scope declaration of '{name}' specifies 'auto'"));
            }
            Some(Storage::Register) if d.asm_name.is_none() => {
                cx.error(d.name.loc, format!("register name not specified for '{name}'"));
            }
            Some(Storage::Register) => global_register(cx, d, decl.ty),
            _ => {}
        }
        decl.linkage = if is_static || specs.constexpr { Linkage::Internal } else { Linkage::External };
        if !is_extern && !d.initialised && specs.storage != Some(Storage::Register) {
            decl.flags.set(DeclFlags::TENTATIVE);
        }
        if is_extern && d.initialised {
            cx.sess.warn_always(d.name.loc, format!("'{name}' initialized and declared 'extern'")).emit();
        }
    } else if is_extern {
        decl.linkage = Linkage::External;
        decl.function = PackedOption::default();
        if d.initialised {
            cx.error(d.name.loc, format!("'{name}' has both 'extern' and initializer"));
        }
    } else if specs.thread && !is_static {
        cx.error(d.name.loc, format!("function-scope '{name}' implicitly auto and declared '_Thread_local'"));
    }
}

/// `register T x asm("reg");` at file scope: the register is the variable's in the whole unit. The
/// stack pointer is everybody's.
fn global_register(cx: &mut Sema<'_, '_>, d: &Declared<'_>, ty: QualType) {
    let Some(register) = d.asm_name.map(|n| cx.str(n)).filter(|n| asm::is_register(n)) else { return };
    if asm::is_stack_pointer(register) {
        return;
    }
    let reg = asm::register(register);
    if d.initialised {
        cx.error(d.name.loc, "global register variable has initial value");
    }
    let Some(reg) = reg.filter(|&reg| platform::registers::GLOBAL_VARIABLES.contains(reg)) else {
        return cx.error(d.name.loc, format!("not supported: a global register variable in '{register}'"));
    };
    if platform::registers::CLOBBERED_VARIABLES.contains(reg) {
        cx.sess.warn_always(d.name.loc, "call-clobbered register used for global register variable").emit();
    }
    if ty.quals().is_volatile() {
        let message = "optimization may eliminate reads and/or writes to register variables";
        cx.warn(warning::VOLATILE_REGISTER_VAR, d.name.loc, message);
    }
    let types = cx.types();
    let fits = (types.is_integer(ty.ty()) || types.is_pointer(ty.ty()))
        && types.size_of(ty).is_some_and(|size| matches!(size, 1 | 2 | 4 | 8))
        && !ty.quals().is_atomic();
    if !fits && !types.is_error(ty.ty()) {
        cx.error(d.name.loc, "not supported: a global register variable of this type");
    }
    // Without optimisation a function is compiled at its end, unless it waits for being referred
    // to.
    let compiled = |f: &Decl| {
        f.kind == DeclKind::Function
            && f.flags.has(DeclFlags::DEFINED)
            && f.linkage == Linkage::External
            && !f.flags.has(DeclFlags::INLINE)
    };
    let late = cx.options.level == platform::options::OptLevel::O0 && cx.unit.decls.values().any(compiled);
    if late && !cx.unit.reserved_registers.contains(reg) {
        cx.error(d.name.loc, "global register variable follows a function definition");
    }
    cx.unit.reserved_registers.insert(reg);
}

/// What has linkage or static storage has no size known at run time only (C23 6.7.7.3 paragraph 2).
fn check_variable_linkage(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, ty: QualType, name: Name) {
    if specs.storage == Some(Storage::Extern) {
        cx.error(name.loc, "object with variably modified type must have no linkage");
    } else if specs.storage == Some(Storage::Static) && cx.types().is_vla(ty.ty()) {
        let text = cx.str(name.symbol);
        cx.error(name.loc, format!("storage size of '{text}' isn't constant"));
    }
}

/// A parameter has no storage class but `register`, no function specifier and no alignment
/// specifier (C23 6.7.7.4 paragraph 4, 6.7.5, 6.7.6).
pub fn check_parameter_specifiers(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, name: Option<Name>, loc: Loc) {
    let what = |cx: &Sema<'_, '_>| match name {
        Some(name) => format!("parameter '{}'", cx.str(name.symbol)),
        None => "unnamed parameter".to_string(),
    };
    if specs.storage.is_some_and(|s| s != Storage::Register) || specs.thread {
        let message = format!("storage class specified for {}", what(cx));
        cx.error(loc, message);
    }
    if specs.inline || specs.noreturn {
        let word = if specs.inline { "inline" } else { "_Noreturn" };
        let text = name.map_or("({anonymous})", |n| cx.str(n.symbol));
        cx.pedwarn_always(loc, format!("parameter '{text}' declared '{word}'"));
    }
    if specs.align != 0 {
        let message = format!("alignment specified for {}", what(cx));
        cx.error(loc, message);
    }
}

/// `_Alignas` only raises an alignment (C23 6.7.6 paragraph 5).
pub fn check_alignas(cx: &mut Sema<'_, '_>, align: u32, ty: QualType, name: &str, loc: Loc) {
    if align != 0 && !cx.types().is_incomplete(ty.ty()) && align < cx.types().align_of(ty) {
        let quoted = if name.starts_with("unnamed") { name.to_string() } else { format!("'{name}'") };
        cx.error(loc, format!("'_Alignas' specifiers cannot reduce alignment of {quoted}"));
    }
}

/// The call that ends the scope of a variable is diagnosed as if it was written.
fn check_cleanup_call(cx: &mut Sema<'_, '_>, variable: DeclId, function: DeclId) {
    let (loc, ty) = (cx.unit.decls[variable].loc, cx.unit.decls[variable].ty);
    if cx.types().is_incomplete(ty.ty()) || cx.types().is_error(ty.ty()) {
        return;
    }
    let object = primary::decl_ref(cx, variable, loc);
    let address = pointer::address_of(cx, object, loc);
    calls::call_decl(cx, function, &[address], loc);
}

fn resolve_cleanup(cx: &mut Sema<'_, '_>, id: DeclId, collected: &Collected) {
    let Some((symbol, loc)) = collected.cleanup else { return };
    let function = cx.scopes.lookup(symbol).filter(|&f| cx.unit.decls[f].kind == DeclKind::Function);
    match function {
        Some(function) => {
            cx.unit.decls[function].flags.set(DeclFlags::REFERENCED);
            cx.unit.decls[id].flags.set(DeclFlags(DeclFlags::REFERENCED.0 | DeclFlags::ADDRESS_TAKEN.0));
            if cx.unit.decls[id].duration == StorageDuration::Automatic {
                cx.unit.attrs_mut(id).cleanup = Some(function);
                check_cleanup_call(cx, id, function);
            } else {
                cx.warn(warning::ATTRIBUTES, loc, "'cleanup' attribute ignored");
            }
        }
        None => cx.error(loc, "cleanup argument not a function"),
    }
}
