//! Declarations' linkage, visibility and attributes as the object file and the passes want them.

use base::Session;
use ir::{CodeAttributes, FnAttrs, Linkage, SymbolDef, TlsModel, Visibility};
use platform::options::{self, FloatModel, FpContract, Options, PicLevel, Sanitizers, ZeroRegisters};

use super::abi;
use super::state::State;
use crate::tree::*;

/// Functions that return more than once, or never, whatever their declarations say (gcc's
/// `special_function_p`).
const RETURNS_TWICE: &[&str] = &["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "savectx", "vfork", "getcontext"];
const NEVER_RETURN: &[&str] = &["longjmp", "_longjmp", "siglongjmp"];

/// Brings a symbol up to date with its declaration: attributes may be added by later declarations.
pub fn update_symbol(state: &mut State, unit: &Unit, session: &Session, options: &Options, decl: DeclId) {
    let Some(symbol) = state.symbols[decl].expand() else { return };
    let info = &unit.decls[decl];
    let attrs = unit.attrs(decl);
    if attrs.is_some_and(|a| a.weakref.is_some() || a.flags.has(AttrFlags::WEAKREF)) {
        return;
    }
    let is_function = info.kind == DeclKind::Function;
    let signature = match unit.types.signature_of(info.ty.ty()) {
        Some(sig) if is_function && info.function.is_none() => {
            let abi = abi::of_type(unit, options, sig);
            Some(state.module.signature(abi.signature()))
        }
        _ => None,
    };
    let data = &mut state.module.symbols[symbol];
    data.is_function = is_function;
    data.signature = signature.or(data.signature);
    // A declaration that names a static object by its assembler name does not make it global.
    let names_local = data.linkage == Linkage::Local && !defines(unit, decl);
    if info.linkage == crate::tree::Linkage::External && !names_local {
        data.linkage = match attrs {
            Some(a) if a.flags.has(AttrFlags::WEAK) => Linkage::Weak,
            _ if data.linkage == Linkage::Weak => Linkage::Weak,
            _ => Linkage::Global,
        };
        // Declarations of one assembler name share the symbol: what one of them defines, the others
        // do not make undefined.
        let defined_already = data.def != SymbolDef::Undefined && !data.attrs.has(FnAttrs::AVAILABLE_EXTERNALLY);
        let defined = defines(unit, decl) || (defined_already && (options.optimizing() || !inline_only(unit, decl)));
        data.visibility = visibility(attrs, options, defined);
    }
    data.attrs = FnAttrs(data.attrs.0 | function_attrs(unit, session, decl).0);
    if data.attrs.has(FnAttrs::ALWAYS_INLINE) {
        data.attrs.0 &= !PROMISES;
    }
    let checks = match options.sanitize.checks(Sanitizers::THREAD) {
        true => Sanitizers::THREAD,
        false => Sanitizers::ANY_ADDRESS,
    };
    if attrs.is_some_and(|attrs| attrs.no_sanitize.any(checks)) {
        data.attrs.set(FnAttrs::NO_SANITIZE_ACCESSES);
    }
    if is_function && info.flags.has(DeclFlags::DEFINED) {
        data.attrs.set(zero_registers(attrs, session, options));
    }
    data.tls = (info.duration == StorageDuration::Thread).then(|| tls_model(unit, options, decl));
    data.align = data.align.max(info.align);
    if data.loc.is_none() || defines(unit, decl) {
        data.loc = info.loc;
    }
    if let Some(attrs) = attrs {
        data.section = attrs.section.map(|s| session.str(s).into()).or(data.section.take());
        data.used |= attrs.flags.has(AttrFlags::USED)
            || options.codegen.whole_program && attrs.flags.has(AttrFlags::EXTERNALLY_VISIBLE);
        data.retain |= attrs.flags.has(AttrFlags::RETAIN);
        data.no_plt |= attrs.flags.has(AttrFlags::NOPLT);
        if let Some(code) = code_attributes(attrs, session, options) {
            data.code = Some(Box::new(code));
        }
        data.symver = attrs.symver.map(|s| session.str(s).into()).or(data.symver.take());
    }
    if let SymbolDef::Data(object) = data.def
        && !is_function
    {
        // Later declarations may ask for more than the definition did.
        let align = super::data_alignment::emitted(unit, options, decl);
        let object = &mut state.module.data[object];
        object.align = object.align.max(align);
    }
    let data = &mut state.module.symbols[symbol];
    data.large = !is_function && super::data::is_large(unit, session, options, decl);
    data.used |= match info.kind {
        DeclKind::Function => options.optimizing() && super::module::keeps_function(unit, options, decl),
        _ => info.linkage != crate::tree::Linkage::External && super::module::stays(unit, options, decl),
    };
    data.no_plt |= is_function && !options.codegen.plt;
}

/// What attributes say of the function's code; `None` if nothing.
fn code_attributes(attrs: &Attributes, session: &Session, options: &Options) -> Option<CodeAttributes> {
    let text = |symbol: Option<base::Symbol>| symbol.map(|s| session.str(s).into());
    let code = CodeAttributes {
        indirect_branch: attrs.indirect_branch,
        function_return: attrs.function_return,
        patchable: attrs.patchable,
        fentry_name: text(attrs.fentry_name),
        fentry_section: text(attrs.fentry_section),
        stack_protect: attrs.flags.has(AttrFlags::STACK_PROTECT),
        cf_check: attrs.flags.has(AttrFlags::CF_CHECK),
        realigns_stack: attrs.flags.has(AttrFlags::FORCE_ALIGN_ARG_POINTER),
        no_coverage: attrs.flags.has(AttrFlags::NO_COVERAGE),
        no_profile: attrs.flags.has(AttrFlags::NO_PROFILE),
        placed: placed(attrs, session, options),
        plain_loops: switched(attrs, session, "tree-loop-distribute-patterns") == Some(false),
    };
    (code != CodeAttributes::default()).then_some(code)
}

/// Whether the declaration is of a body that is there to be inlined alone.
fn inline_only(unit: &Unit, decl: DeclId) -> bool {
    unit.decls[decl].flags.has(DeclFlags::DEFINED) && unit.emission(decl) == Emission::AvailableExternally
}

/// Whether the declaration is of something that this unit's object defines.
fn defines(unit: &Unit, decl: DeclId) -> bool {
    let flags = unit.decls[decl].flags;
    (flags.has(DeclFlags::DEFINED) || flags.has(DeclFlags::TENTATIVE)) && !inline_only(unit, decl)
}

/// ELF visibility. `-fvisibility` is for definitions only: an undefined symbol may come from
/// another object of any kind. A body that is there to be inlined alone is no definition: the
/// symbol is the library's (`fread` with `_FORTIFY_SOURCE`).
fn visibility(attrs: Option<&Attributes>, options: &Options, defined: bool) -> Visibility {
    let wanted = match attrs.and_then(|a| a.visibility) {
        Some(visibility) => visibility,
        None if defined => options.codegen.visibility,
        None => options::Visibility::Default,
    };
    match wanted {
        options::Visibility::Default => Visibility::Default,
        options::Visibility::Hidden => Visibility::Hidden,
        options::Visibility::Protected => Visibility::Protected,
        options::Visibility::Internal => Visibility::Internal,
    }
}

/// The TLS model of a thread-local variable: the best one its binding and the output allow, bounded
/// by `-ftls-model=`, or what its attribute says.
fn tls_model(unit: &Unit, options: &Options, decl: DeclId) -> TlsModel {
    let convert = |model| match model {
        options::TlsModel::GeneralDynamic => TlsModel::GlobalDynamic,
        options::TlsModel::LocalDynamic => TlsModel::LocalDynamic,
        options::TlsModel::InitialExec => TlsModel::InitialExec,
        options::TlsModel::LocalExec => TlsModel::LocalExec,
    };
    let info = &unit.decls[decl];
    let attrs = unit.attrs(decl);
    let defined = defines(unit, decl);
    let hidden = !matches!(visibility(attrs, options, defined), Visibility::Default | Visibility::Protected);
    let weak = attrs.is_some_and(|a| a.flags.has(AttrFlags::WEAK));
    let best = match options.codegen.pic {
        PicLevel::Pic if info.linkage != crate::tree::Linkage::External || hidden => TlsModel::LocalDynamic,
        PicLevel::Pic => TlsModel::GlobalDynamic,
        _ if (defined && !weak) || hidden => TlsModel::LocalExec,
        _ => TlsModel::InitialExec,
    };
    match attrs.and_then(|a| a.tls_model) {
        Some(model) => convert(model),
        None => best.max(convert(options.codegen.tls_model)),
    }
}

/// What is not believed of a function whose body takes the place of its calls: one that checks its
/// arguments has effects that the library function of its name has not.
pub const PROMISES: u32 = FnAttrs::CONST | FnAttrs::PURE;

/// What callers may rely on.
pub fn function_attrs(unit: &Unit, session: &Session, decl: DeclId) -> FnAttrs {
    let info = &unit.decls[decl];
    let mut out = FnAttrs::default();
    if info.kind != DeclKind::Function {
        return out;
    }
    if info.flags.has(DeclFlags::NORETURN) || unit.types.signature_of(info.ty.ty()).is_some_and(|s| s.noreturn) {
        out.set(FnAttrs::NORETURN);
    }
    if info.flags.has(DeclFlags::INLINE) {
        out.set(FnAttrs::INLINE_HINT);
    }
    match info.builtin {
        Some(Builtin::Abort | Builtin::Exit) => out.set(FnAttrs::NORETURN | FnAttrs::NOTHROW),
        Some(Builtin::Malloc | Builtin::Calloc) => out.set(FnAttrs::MALLOC | FnAttrs::NOTHROW),
        _ => {}
    }
    if info.builtin.is_some() && info.asm_name.is_none() {
        out.set(FnAttrs::LIBRARY);
    }
    if info.linkage == crate::tree::Linkage::External
        && let Some(name) = unit.symbol_name(decl)
    {
        let name = session.str(name);
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        if RETURNS_TWICE.contains(&name) {
            out.set(FnAttrs::RETURNS_TWICE);
        }
        if NEVER_RETURN.contains(&name) {
            out.set(FnAttrs::NORETURN);
        }
    }
    let Some(attrs) = unit.attrs(decl) else { return out };
    const MAP: &[(AttrFlags, u32)] = &[
        (AttrFlags::NORETURN, FnAttrs::NORETURN),
        (AttrFlags::CONST, FnAttrs::CONST | FnAttrs::NOTHROW),
        (AttrFlags::UNSEQUENCED, FnAttrs::CONST),
        (AttrFlags::PURE, FnAttrs::PURE | FnAttrs::NOTHROW),
        (AttrFlags::REPRODUCIBLE, FnAttrs::PURE),
        (AttrFlags::RETURNS_TWICE, FnAttrs::RETURNS_TWICE),
        (AttrFlags::MALLOC, FnAttrs::MALLOC),
        (AttrFlags::ALWAYS_INLINE, FnAttrs::ALWAYS_INLINE),
        (AttrFlags::NOINLINE, FnAttrs::NOINLINE),
        (AttrFlags::COLD, FnAttrs::COLD),
        (AttrFlags::HOT, FnAttrs::HOT),
        (AttrFlags::NAKED, FnAttrs::NAKED | FnAttrs::NOINLINE),
        (AttrFlags::INTERRUPT, FnAttrs::INTERRUPT | FnAttrs::NOINLINE | FnAttrs::NOIPA),
        (AttrFlags::NO_CALLER_SAVED, FnAttrs::KEEPS_REGISTERS),
        (AttrFlags::NOTHROW, FnAttrs::NOTHROW),
        (AttrFlags::LEAF, FnAttrs::NOTHROW),
        (AttrFlags::NOIPA, FnAttrs::NOIPA | FnAttrs::NOINLINE),
        (AttrFlags::NOCLONE, FnAttrs::NOIPA),
        (AttrFlags::FLATTEN, FnAttrs::FLATTEN),
        (AttrFlags::NO_INSTRUMENT, FnAttrs::NO_INSTRUMENT),
        (AttrFlags::NO_STACK_PROTECTOR, FnAttrs::NO_STACK_PROTECTOR),
        (AttrFlags::NOCF_CHECK, FnAttrs::NOCF_CHECK),
        (AttrFlags::RETURNS_NONNULL, FnAttrs::RETURNS_NONNULL),
    ];
    for &(from, to) in MAP {
        if attrs.flags.has(from) {
            out.set(to);
        }
    }
    let parameters = unit.types.signature_of(unit.decls[decl].ty.ty()).map_or(0, |s| s.params.len());
    if attrs.flags.has(AttrFlags::INTERRUPT) && parameters > 1 {
        out.set(FnAttrs::ERROR_CODE);
    }
    if optimize_level(attrs, session) == Some("0") {
        out.set(FnAttrs::OPTNONE | FnAttrs::NOINLINE);
    }
    if switched(attrs, session, "stack-protector") == Some(false) {
        out.set(FnAttrs::NO_STACK_PROTECTOR);
    }
    out
}

/// The bits of `-fzero-call-used-regs=` and the attribute `zero_call_used_regs`, which has the last
/// word.
fn zero_registers(attrs: Option<&Attributes>, session: &Session, options: &Options) -> u32 {
    let named = attrs.and_then(|a| a.zero_call_used_regs).and_then(|name| ZeroRegisters::named(session.str(name)));
    let Some(choice) = named.unwrap_or(options.codegen.zero_call_used_regs) else { return 0 };
    let bits = [
        (choice.used, FnAttrs::ZERO_USED),
        (choice.general, FnAttrs::ZERO_GENERAL),
        (choice.arguments, FnAttrs::ZERO_ARGUMENTS),
    ];
    bits.iter().filter(|b| b.0).fold(FnAttrs::ZERO_REGISTERS, |mask, b| mask | b.1)
}

/// The arguments of `optimize` attributes and pragmas: `O2`, or flags without `-f`.
fn optimize_words<'s>(attrs: &Attributes, session: &'s Session) -> impl Iterator<Item = &'s str> {
    let text = attrs.optimize.map_or("", |o| session.str(o));
    text.split(',').map(str::trim).map(|w| w.strip_prefix("-f").or(w.strip_prefix('-')).unwrap_or(w))
}

/// What the last of them that is a flag or its opposite says of it.
fn switched(attrs: &Attributes, session: &Session, flag: &str) -> Option<bool> {
    let says = |word: &str| match word.strip_prefix("no-") {
        Some(off) => (off == flag).then_some(false),
        None => (word == flag).then_some(true),
    };
    optimize_words(attrs, session).filter_map(says).last()
}

/// What follows `O` in the last of them that is a level.
fn optimize_level<'s>(attrs: &Attributes, session: &'s Session) -> Option<&'s str> {
    optimize_words(attrs, session).filter_map(|w| w.strip_prefix('O')).last()
}

/// Whether the function's section follows from what it is, if `optimize` says otherwise than the
/// command line.
fn placed(attrs: &Attributes, session: &Session, options: &Options) -> Option<bool> {
    let of_level = || optimize_level(attrs, session).map(|level| !matches!(level, "0" | "" | "1" | "g"));
    let named = switched(attrs, session, "reorder-functions");
    let placed = named.or(options.codegen.reorder_functions).or_else(of_level);
    placed.filter(|&placed| placed != options.reorders_functions())
}

/// The options in force in the function, if attributes change them: `optimize` what its code may
/// mean (overflow, aliasing, arithmetic of floats), `target` the instruction sets, as `version`
/// does. Of `optimize` that is what a function may not do; leave to do more is not taken.
pub fn own_options(
    unit: &Unit,
    session: &Session,
    options: &Options,
    decl: DeclId,
    version: Option<&str>,
) -> Option<Options> {
    let attrs = unit.attrs(decl).filter(|a| {
        let changed = a.optimize.is_some() || a.target.is_some() || version.is_some();
        changed || options.sanitize.enabled.any(a.no_sanitize)
    })?;
    let mut out = options.clone();
    out.sanitize.enabled = out.sanitize.enabled.without(attrs.no_sanitize);
    let code = &mut out.codegen;
    if let Some(text) = version.or(attrs.target.map(|target| session.str(target))) {
        // What is wrong with the argument has been said where the attribute stands.
        let _ = code.apply_target(text);
    }
    code.strict_aliasing &= !matches!(optimize_level(attrs, session), Some("0" | "" | "1" | "g"));
    for word in optimize_words(attrs, session) {
        match word {
            "strict-aliasing" | "no-strict-aliasing" => code.strict_aliasing = !word.starts_with("no-"),
            "wrapv" => (code.wrapv, code.trapv) = (true, false),
            "no-wrapv" => code.wrapv = false,
            "trapv" => (code.trapv, code.wrapv) = (true, false),
            "no-trapv" => code.trapv = false,
            "wrapv-pointer" | "no-wrapv-pointer" => code.wrapv_pointer = !word.starts_with("no-"),
            _ => restrict_floats(&mut code.float, word),
        }
    }
    Some(out)
}

/// Takes liberties with floating point back, as the argument of `optimize` wants.
fn restrict_floats(float: &mut FloatModel, word: &str) {
    match word {
        "no-fast-math" | "no-unsafe-math-optimizations" => {
            (float.unsafe_math, float.associative, float.reciprocal) = (false, false, false);
            (float.signed_zeros, float.trapping_math) = (true, true);
            if word == "no-fast-math" {
                (float.finite_only, float.cx_limited_range) = (false, false);
            }
        }
        "no-associative-math" => float.associative = false,
        "no-reciprocal-math" => float.reciprocal = false,
        "no-finite-math-only" => float.finite_only = false,
        "no-cx-limited-range" => float.cx_limited_range = false,
        "signed-zeros" => float.signed_zeros = true,
        "trapping-math" => float.trapping_math = true,
        "rounding-math" => float.rounding_math = true,
        "fp-contract=off" | "fp-contract=on" => float.contract = FpContract::Off,
        _ => {}
    }
}
