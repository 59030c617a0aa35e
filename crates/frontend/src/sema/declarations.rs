//! Declarations (C23 6.7): storage, linkage, redeclaration, objects, typedefs, parameters.

use base::{Loc, Symbol, warning};
use cranelift_entity::packed_option::PackedOption;
use target::options::{Standard, Visibility};

use super::attributes::{self, AttrTarget, Collected};
use super::constants::{known, wide};
use super::initializers::Finished;
use super::scope::ScopeKind;
use super::{Sema, builtins, labels, types};
use crate::tree::{
    ArrayLen, AttrFlags, Bits128, CleanupAction, CleanupId, CleanupScope, Decl, DeclFlags, DeclId, DeclKind, ExprKind,
    Initializer, Linkage, LocalDecl, Name, QualType, Quals, StaticInit, StaticVar, Stmt, StmtKind, StorageDuration, Ty,
    TypeKind, VlaBound,
};

/// Storage-class specifiers that exclude each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

impl Storage {
    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Storage::Typedef => "typedef",
            Storage::Extern => "extern",
            Storage::Static => "static",
            Storage::Auto => "auto",
            Storage::Register => "register",
        }
    }
}

/// Declaration specifiers, analysed (C23 6.7.1).
#[derive(Clone, Debug)]
pub struct DeclSpecs {
    /// The type, without declarator.
    pub ty: QualType,
    /// Storage class.
    pub storage: Option<Storage>,
    /// `_Thread_local`, `__thread`
    pub thread: bool,
    /// `constexpr`
    pub constexpr: bool,
    /// `inline`
    pub inline: bool,
    /// `_Noreturn`
    pub noreturn: bool,
    /// `__auto_type`, or C23's `auto` without a type: the initialiser gives the type.
    pub infer: bool,
    /// `_Alignas`, bytes.
    pub align: u32,
    /// Attributes among the specifiers.
    pub attrs: Vec<attributes::Attr>,
    /// A type specifier was there; without one the type is an implicit `int`.
    pub has_type: bool,
    /// The word `signed` is there, or in the declaration of the typedef name.
    pub explicit_sign: bool,
    /// The type specifier is a typedef name.
    pub typedef_name: bool,
    /// A qualifier was among the specifiers.
    pub qualified: bool,
    /// Any specifier was there at all.
    pub any: bool,
    /// The specifiers define or declare a tag: `struct s;` declares something.
    pub declares_tag: bool,
    /// A tag was named without a list, at `tag_loc`.
    pub tag_reference: bool,
    /// See `tag_reference`.
    pub tag_loc: Loc,
    /// First specifier.
    pub loc: Loc,
}

/// What a declarator gives.
#[derive(Clone, Copy, Debug)]
pub struct Declared<'c> {
    /// Name.
    pub name: Name,
    /// Full type.
    pub ty: QualType,
    /// `asm("name")`
    pub asm_name: Option<Symbol>,
    /// Attributes of specifiers and declarator, checked.
    pub attrs: &'c Collected,
    /// An initialiser follows.
    pub initialised: bool,
    /// The declaration is a function definition.
    pub definition: bool,
}

/// Declares an object, function or type. Answers its handle, which may be an earlier declaration's.
pub fn declare(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, d: Declared<'_>) -> DeclId {
    let mut ty = d.ty;
    let is_typedef = specs.storage == Some(Storage::Typedef);
    let target = if is_typedef {
        AttrTarget::Typedef
    } else if cx.types().is_function(ty.ty()) {
        AttrTarget::Function
    } else {
        AttrTarget::Variable
    };
    ty = attributes::apply_to_type(cx, ty, d.attrs, target, d.name.loc);
    super::attribute_checks::against_type(cx, &d.attrs.later, ty, d.name.loc);
    if is_typedef {
        return declare_typedef(cx, specs, d, ty);
    }
    if cx.types().is_function(ty.ty()) {
        return declare_function(cx, specs, d, ty);
    }
    declare_variable(cx, specs, d, ty)
}

fn new_decl(cx: &Sema<'_, '_>, d: &Declared<'_>, kind: DeclKind, ty: QualType) -> Decl {
    let function: PackedOption<DeclId> = cx.functions.last().map(|f| f.decl).into();
    Decl {
        name: Some(d.name.symbol),
        kind,
        ty,
        loc: d.name.loc,
        linkage: Linkage::None,
        duration: StorageDuration::None,
        flags: DeclFlags::default(),
        align: d.attrs.align,
        attrs: PackedOption::default(),
        asm_name: d.asm_name.or_else(|| cx.extnames.get(&d.name.symbol).copied()),
        builtin: None,
        value: Bits128::default(),
        function,
    }
}

/// Adds checked attributes to a declaration.
pub fn add_attributes(cx: &mut Sema<'_, '_>, id: DeclId, collected: &Collected) {
    if collected.any && collected.attributes != Default::default() {
        cx.unit.attrs_mut(id).merge(&collected.attributes);
        if collected.attributes.flags.has(AttrFlags::NORETURN) {
            cx.unit.decls[id].flags.set(DeclFlags::NORETURN);
        }
    }
    let decl = &mut cx.unit.decls[id];
    decl.align = decl.align.max(collected.align);
}

/// A later declaration cannot move an entity to another section.
fn check_against_earlier(cx: &mut Sema<'_, '_>, id: DeclId, collected: &Collected, loc: Loc) {
    let earlier = cx.unit.attrs(id).and_then(|a| a.section);
    if let (Some(old), Some(new)) = (earlier, collected.attributes.section)
        && old != new
    {
        let name = cx.dname(id);
        cx.error(loc, format!("section of {name} conflicts with previous declaration"));
    }
}

/// What pragmas in force add to an entity with linkage.
fn add_pragmas(cx: &mut Sema<'_, '_>, id: DeclId) {
    if let Some(target) = cx.pragma_target
        && cx.unit.decls[id].kind == DeclKind::Function
    {
        // The pragma's come first: an attribute may take back what it gives.
        let joined = match cx.unit.attrs(id).and_then(|a| a.target) {
            None => target,
            Some(own) if cx.str(own).starts_with(cx.str(target)) => own,
            Some(own) => cx.sess.intern(&format!("{},{}", cx.str(target), cx.str(own))),
        };
        cx.unit.attrs_mut(id).target = Some(joined);
    }
    let decl = &cx.unit.decls[id];
    if decl.linkage != Linkage::External {
        return;
    }
    let name = decl.name;
    if let Some(&visibility) = cx.visibility_stack.last()
        && cx.unit.attrs(id).is_none_or(|a| a.visibility.is_none())
        && visibility != Visibility::Default
    {
        cx.unit.attrs_mut(id).visibility = Some(visibility);
    } else if cx.visibility_stack.last() == Some(&Visibility::Default) {
        let attrs = cx.unit.attrs_mut(id);
        attrs.visibility = attrs.visibility.or(Some(Visibility::Default));
    }
    if let Some(name) = name
        && cx.weak_names.contains_key(&name)
    {
        let attrs = cx.unit.attrs_mut(id);
        attrs.flags = attrs.flags.with(AttrFlags::WEAK);
    }
}

fn previous_note(cx: &Sema<'_, '_>, id: DeclId, what: &str) -> (Loc, String) {
    let (name, ty) = (cx.dname(id), cx.tname(cx.unit.decls[id].ty));
    (cx.unit.decls[id].loc, format!("previous {what} of {name} with type {ty}"))
}

fn error_with_previous(cx: &Sema<'_, '_>, loc: Loc, message: String, previous: DeclId) {
    let defined = cx.unit.decls[previous].flags.has(DeclFlags::DEFINED);
    let (note_loc, note) = previous_note(cx, previous, if defined { "definition" } else { "declaration" });
    cx.sess.error(loc, message).note(note_loc, note).emit();
}

fn declare_typedef(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, d: Declared<'_>, ty: QualType) -> DeclId {
    if d.initialised {
        let name = cx.str(d.name.symbol);
        cx.error(d.name.loc, format!("typedef '{name}' is initialized (use '__typeof__' instead)"));
    }
    if specs.align != 0 {
        let name = cx.str(d.name.symbol);
        cx.error(d.name.loc, format!("alignment specified for typedef '{name}'"));
    }
    if specs.inline || specs.noreturn {
        let word = if specs.inline { "inline" } else { "_Noreturn" };
        let name = cx.str(d.name.symbol);
        cx.pedwarn_always(d.name.loc, format!("typedef '{name}' declared '{word}'"));
    }
    if let Some(previous) = cx.scopes.lookup_here(d.name.symbol) {
        let old = cx.unit.decls[previous];
        let name = cx.str(d.name.symbol);
        if old.kind != DeclKind::Typedef {
            error_with_previous(cx, d.name.loc, format!("'{name}' redeclared as different kind of symbol"), previous);
        } else if old.flags.has(DeclFlags::BUILTIN_DECL) {
            // The compiler's own name gives way.
        } else if !types::compatible(cx.types(), old.ty, ty) || cx.types().is_variably_modified(ty.ty()) {
            let have = cx.tname(ty);
            error_with_previous(cx, d.name.loc, format!("conflicting types for '{name}'; have {have}"), previous);
        } else {
            cx.pedantic_before(Standard::C11, d.name.loc, || format!("redefinition of typedef '{name}'"));
            // The stricter alignment counts from here on.
            let (before, now) = (cx.types().declared_align(old.ty.ty()), cx.types().declared_align(ty.ty()));
            if now > before {
                cx.unit.decls[previous].ty = ty;
            }
            add_attributes(cx, previous, d.attrs);
            return previous;
        }
    }
    name_untagged(cx, ty.ty(), d.name.symbol);
    let decl = Decl { align: 0, asm_name: None, ..new_decl(cx, &d, DeclKind::Typedef, ty) };
    let id = cx.unit.decls.push(decl);
    add_attributes(cx, id, d.attrs);
    cx.unit.decls[id].align = 0;
    if specs.explicit_sign {
        cx.unit.decls[id].flags.set(DeclFlags::EXPLICITLY_SIGNED);
    }
    cx.scopes.bind(d.name.symbol, id);
    id
}

/// An untagged record or enumeration is known in messages by its first typedef name.
fn name_untagged(cx: &mut Sema<'_, '_>, ty: Ty, name: Symbol) {
    match cx.kind(ty) {
        TypeKind::Record(id) => {
            let record = &mut cx.unit.types.records[id];
            record.typedef_name = record.typedef_name.or(Some(name));
        }
        TypeKind::Enum(id) => {
            let info = &mut cx.unit.types.enums[id];
            info.typedef_name = info.typedef_name.or(Some(name));
        }
        _ => {}
    }
}

fn declare_function(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, d: Declared<'_>, ty: QualType) -> DeclId {
    let name = cx.str(d.name.symbol);
    let at_file = cx.at_file_scope();
    let nested = !at_file && (d.definition || specs.storage == Some(Storage::Auto));
    if d.initialised {
        cx.error(d.name.loc, format!("function '{name}' is initialized like a variable"));
    }
    if specs.thread {
        cx.error(d.name.loc, format!("invalid storage class for function '{name}'"));
    }
    match specs.storage {
        Some(Storage::Register) => cx.error(d.name.loc, format!("invalid storage class for function '{name}'")),
        Some(Storage::Auto) if at_file => {
            cx.error(d.name.loc, format!("invalid storage class for function '{name}'"));
        }
        Some(Storage::Static) if !at_file && !d.definition => {
            cx.error(d.name.loc, format!("invalid storage class for function '{name}'"));
        }
        _ => {}
    }
    let ty = if specs.has_type { ty } else { implicit_void(cx, d.name.symbol, ty) };
    if !nested && cx.types().signature_of(ty.ty()).is_some_and(|s| cx.types().is_variably_modified(s.ret.ty())) {
        cx.error(d.name.loc, "non-nested function with variably modified type");
    }
    let unprototyped = cx.types().signature_of(ty.ty()).is_some_and(|s| !s.prototype);
    if unprototyped && !cx.types().is_error(ty.ty()) {
        cx.warn(warning::STRICT_PROTOTYPES, d.name.loc, "function declaration isn't a prototype");
    }
    if !at_file && !nested {
        cx.warn(warning::NESTED_EXTERNS, d.name.loc, format!("nested extern declaration of '{name}'"));
    }
    let mut decl = new_decl(cx, &d, DeclKind::Function, ty.unqualified());
    if nested {
        decl.linkage = Linkage::None;
    } else if specs.storage == Some(Storage::Static) && at_file {
        decl.linkage = Linkage::Internal;
    } else {
        decl.linkage = Linkage::External;
        decl.function = PackedOption::default();
    }
    if at_file {
        decl.flags.set(DeclFlags::FILE_SCOPE);
    }
    let is_extern = specs.storage == Some(Storage::Extern);
    if specs.inline {
        decl.flags.set(DeclFlags::INLINE);
        if is_extern && d.definition {
            decl.flags.set(DeclFlags::EXTERN_WITH_INLINE);
        }
    }
    if !specs.inline || is_extern {
        decl.flags.set(DeclFlags::NOT_ONLY_INLINE);
    }
    if is_extern {
        decl.flags.set(DeclFlags::EXTERN_DECLARED);
    }
    if specs.noreturn {
        decl.flags.set(DeclFlags::NORETURN);
    }
    if d.name.symbol == cx.names.main && at_file {
        check_main(cx, specs, ty, d.name.loc);
    }
    let id = enter(cx, d.name, decl, d.definition);
    check_against_earlier(cx, id, d.attrs, d.name.loc);
    add_attributes(cx, id, d.attrs);
    add_pragmas(cx, id);
    check_attribute_conflicts(cx, id, d.name.loc);
    if cx.unit.decls[id].linkage == Linkage::External {
        builtins::recognise(cx, id);
    }
    id
}

/// A definition without a result type after a declaration that says `void`: `void` it is (gcc).
fn implicit_void(cx: &mut Sema<'_, '_>, name: Symbol, ty: QualType) -> QualType {
    let declared_void = cx.linked.get(&name).is_some_and(|&id| returns_void(cx, cx.unit.decls[id].ty));
    match cx.types().signature_of(ty.ty()).cloned() {
        Some(signature) if declared_void => {
            let signature = crate::tree::Signature { ret: Ty::VOID.plain(), ..signature };
            cx.unit.types.function(signature).plain()
        }
        _ => ty,
    }
}

fn check_attribute_conflicts(cx: &mut Sema<'_, '_>, id: DeclId, loc: Loc) {
    let Some(attrs) = cx.unit.attrs(id) else { return };
    let (alias, weak, always, never) = (
        attrs.alias.is_some() || attrs.ifunc.is_some(),
        attrs.flags.has(AttrFlags::WEAK),
        attrs.flags.has(AttrFlags::ALWAYS_INLINE),
        attrs.flags.has(AttrFlags::NOINLINE),
    );
    let decl = cx.unit.decls[id];
    if always && never {
        cx.warn(
            warning::ATTRIBUTES,
            loc,
            "ignoring attribute 'noinline' because it conflicts with attribute 'always_inline'".to_string(),
        );
    }
    let weakref = cx.unit.attrs(id).is_some_and(|a| a.flags.has(AttrFlags::WEAKREF));
    if weak && !weakref && decl.linkage != Linkage::External {
        let name = cx.dname(id);
        cx.error(loc, format!("weak declaration of {name} must be public"));
    }
    if weakref && decl.linkage == Linkage::External {
        let name = cx.dname(id);
        cx.error(loc, format!("'weakref' symbol {name} must have static linkage"));
    }
    // gcc ignores the attribute on declarations in blocks.
    if alias && cx.function().is_some() && decl.linkage == Linkage::External {
        cx.warn(warning::ATTRIBUTES, loc, "'alias' attribute ignored in a block");
        let attrs = cx.unit.attrs_mut(id);
        (attrs.alias, attrs.ifunc) = (None, None);
        return;
    }
    if alias && decl.flags.has(DeclFlags::DEFINED) && !inline_redefinition(cx, id, &decl) {
        let name = cx.dname(id);
        cx.error(loc, format!("{name} defined both normally and as 'alias' attribute"));
    }
}

fn check_main(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, ty: QualType, loc: Loc) {
    if specs.inline && cx.lang.hosted {
        cx.pedantic(loc, "cannot inline function 'main'");
    }
    let Some(signature) = cx.types().signature_of(ty.ty()).cloned() else { return };
    if !cx.lang.hosted {
        return;
    }
    if cx.types().canonical(signature.ret.ty()) != Ty::INT {
        cx.pedwarn(warning::MAIN, loc, "return type of 'main' is not 'int'");
    }
    if specs.noreturn {
        cx.pedantic(loc, "'main' declared '_Noreturn'");
    }
    if specs.storage == Some(Storage::Static) {
        cx.pedwarn(warning::MAIN, loc, "'main' is normally a non-static function");
    }
    if !cx.sess.warning_enabled(warning::MAIN, loc) || !signature.prototype {
        return;
    }
    let count = signature.params.len();
    if let Some(&first) = signature.params.first()
        && cx.types().canonical(first.ty()) != Ty::INT
    {
        cx.pedwarn(warning::MAIN, loc, "first argument of 'main' should be 'int'");
    }
    for (index, &ty) in signature.params.iter().enumerate().skip(1).take(2) {
        let strings = cx.types().pointee(ty.ty()).and_then(|p| cx.types().pointee(p.ty()));
        if strings.is_none_or(|c| cx.types().canonical(c.ty()) != Ty::CHAR) {
            let which = if index == 1 { "second" } else { "third" };
            cx.pedwarn(warning::MAIN, loc, format!("{which} argument of 'main' should be 'char **'"));
        }
    }
    if count > 3 || count == 1 {
        cx.pedwarn(warning::MAIN, loc, "'main' takes only zero or two arguments");
    }
}

fn declare_variable(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, d: Declared<'_>, ty: QualType) -> DeclId {
    let name = cx.str(d.name.symbol);
    let at_file = cx.at_file_scope();
    let mut ty = ty;
    if cx.kind(ty) == TypeKind::Void && specs.storage != Some(Storage::Extern) {
        cx.error(d.name.loc, format!("variable or field '{name}' declared void"));
        ty = Ty::ERROR.plain();
    }
    if specs.inline || specs.noreturn {
        let word = if specs.inline { "inline" } else { "_Noreturn" };
        cx.pedwarn_always(d.name.loc, format!("variable '{name}' declared '{word}'"));
    }
    if at_file && cx.types().is_variably_modified(ty.ty()) {
        cx.error(d.name.loc, format!("variably modified '{name}' at file scope"));
        cx.pending_bounds.clear();
        ty = Ty::ERROR.plain();
    }
    if !at_file && cx.types().is_variably_modified(ty.ty()) {
        check_variable_linkage(cx, specs, ty, d.name);
    }
    if specs.constexpr {
        ty = types::qualify(&mut cx.unit.types, ty, Quals::CONST);
    }
    let mut decl = new_decl(cx, &d, DeclKind::Variable, ty);
    decl.align = decl.align.max(specs.align);
    check_alignas(cx, specs.align, ty, name, d.name.loc);
    let is_extern = specs.storage == Some(Storage::Extern);
    let is_static = specs.storage == Some(Storage::Static);
    if is_extern && !at_file {
        cx.warn(warning::NESTED_EXTERNS, d.name.loc, format!("nested extern declaration of '{name}'"));
    }
    if specs.storage == Some(Storage::Register)
        && let Some(register) = d.asm_name
        && !super::asm::is_register(cx.str(register))
    {
        cx.error(d.name.loc, format!("invalid register name for '{name}'"));
        decl.asm_name = None;
    }
    if specs.storage == Some(Storage::Register)
        && d.initialised
        && d.asm_name.is_some_and(|name| super::asm::is_stack_pointer(cx.str(name)))
    {
        cx.error(d.name.loc, "not supported: assigning to the stack pointer");
    }
    if at_file {
        decl.flags.set(DeclFlags::FILE_SCOPE);
        match specs.storage {
            Some(Storage::Auto) => {
                cx.error(d.name.loc, format!("file-scope declaration of '{name}' specifies 'auto'"));
            }
            Some(Storage::Register) if d.asm_name.is_none() => {
                cx.error(d.name.loc, format!("register name not specified for '{name}'"));
            }
            Some(Storage::Register) => global_register(cx, &d, ty),
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
    let persistent = at_file || is_static || is_extern;
    decl.duration = match (persistent, specs.thread) {
        (_, true) => StorageDuration::Thread,
        (true, false) => StorageDuration::Static,
        (false, false) => StorageDuration::Automatic,
    };
    let mut flag = |set: bool, flag: DeclFlags| {
        if set {
            decl.flags.set(flag);
        }
    };
    flag(specs.thread, DeclFlags::THREAD_KEYWORD);
    flag(specs.storage == Some(Storage::Register), DeclFlags::REGISTER);
    flag(specs.constexpr, DeclFlags::CONSTEXPR);
    flag(is_extern, DeclFlags::EXTERN_DECLARED);
    flag(d.initialised || (!at_file && !is_extern), DeclFlags::DEFINED);
    let id = enter(cx, d.name, decl, false);
    check_against_earlier(cx, id, d.attrs, d.name.loc);
    add_attributes(cx, id, d.attrs);
    add_pragmas(cx, id);
    resolve_cleanup(cx, id, d.attrs);
    if d.attrs.any {
        check_attribute_conflicts(cx, id, d.name.loc);
    }
    if decl.flags.has(DeclFlags::TENTATIVE) && !cx.unit.decls[id].flags.has(DeclFlags::DEFINED) {
        cx.tentative.push(id);
    }
    id
}

/// `register T x asm("reg");` at file scope: the register is the variable's in the whole unit. The stack pointer is everybody's.
fn global_register(cx: &mut Sema<'_, '_>, d: &Declared<'_>, ty: QualType) {
    let Some(register) = d.asm_name.map(|n| cx.str(n)).filter(|n| super::asm::is_register(n)) else { return };
    if super::asm::is_stack_pointer(register) {
        return;
    }
    let reg = super::asm::register(register);
    if d.initialised {
        cx.error(d.name.loc, "global register variable has initial value");
    }
    let Some(reg) = reg.filter(|&reg| target::registers::RESERVABLE.contains(reg)) else {
        return cx.error(d.name.loc, format!("not supported: a global register variable in '{register}'"));
    };
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
    // Without optimisation a function is compiled at its end, unless it waits for being referred to.
    let compiled = |f: &Decl| {
        f.kind == DeclKind::Function
            && f.flags.has(DeclFlags::DEFINED)
            && f.linkage == Linkage::External
            && !f.flags.has(DeclFlags::INLINE)
    };
    let late = cx.options.level == target::options::OptLevel::O0 && cx.unit.decls.values().any(compiled);
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

/// `_Alignas` only raises an alignment (C23 6.7.6 paragraph 5).
pub fn check_alignas(cx: &mut Sema<'_, '_>, align: u32, ty: QualType, name: &str, loc: Loc) {
    if align != 0 && !cx.types().is_incomplete(ty.ty()) && align < cx.types().align_of(ty) {
        let quoted = if name.starts_with("unnamed") { name.to_string() } else { format!("'{name}'") };
        cx.error(loc, format!("'_Alignas' specifiers cannot reduce alignment of {quoted}"));
    }
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
            } else {
                cx.warn(warning::ATTRIBUTES, loc, "'cleanup' attribute ignored");
            }
        }
        None => cx.error(loc, "cleanup argument not a function"),
    }
}

/// Enters a declaration into the current scope, merging it with an earlier one of the same entity.
fn enter(cx: &mut Sema<'_, '_>, name: Name, decl: Decl, definition: bool) -> DeclId {
    let here = cx.scopes.lookup_here(name.symbol);
    if let Some(previous) = here {
        return redeclare(cx, name, previous, decl, definition);
    }
    if decl.linkage != Linkage::None {
        // `extern` in a block, or a first declaration at file scope after one in a block: the same entity.
        let visible = cx.scopes.lookup(name.symbol).filter(|&v| {
            let v = &cx.unit.decls[v];
            v.linkage != Linkage::None && matches!(v.kind, DeclKind::Variable | DeclKind::Function)
        });
        if let Some(previous) = visible.or_else(|| cx.linked.get(&name.symbol).copied()) {
            let old = cx.unit.decls[previous];
            if old.linkage == Linkage::Internal && visible.is_none() && decl.linkage == Linkage::External {
                // Hidden by a local variable: C leaves it undefined (6.2.2); gcc errors.
                let text = cx.str(name.symbol);
                error_with_previous(
                    cx,
                    name.loc,
                    format!("variable previously declared 'static' redeclared 'extern': '{text}'"),
                    previous,
                );
            }
            let merged = redeclare(cx, name, previous, decl, definition);
            cx.scopes.bind(name.symbol, merged);
            return merged;
        }
    } else {
        warn_shadow(cx, name);
    }
    let mut decl = decl;
    if decl.linkage != Linkage::None && !cx.at_file_scope() {
        decl.flags.set(DeclFlags::BLOCK_EXTERN);
    }
    let id = cx.unit.decls.push(decl);
    cx.scopes.bind(name.symbol, id);
    if decl.linkage != Linkage::None {
        cx.linked.insert(name.symbol, id);
        if decl.linkage == Linkage::Internal && decl.kind == DeclKind::Variable {
            cx.static_variables.push(id);
        }
        if decl.linkage == Linkage::Internal && decl.kind == DeclKind::Function {
            cx.static_functions.push(id);
        }
    }
    id
}

/// `-Wshadow`
fn warn_shadow(cx: &mut Sema<'_, '_>, name: Name) {
    let Some(outer) = cx.scopes.lookup(name.symbol) else { return };
    if !cx.sess.warning_enabled(warning::SHADOW, name.loc) {
        return;
    }
    let text = cx.str(name.symbol);
    let old = cx.unit.decls[outer];
    let what = match old.kind {
        DeclKind::Parameter => "a parameter",
        DeclKind::Function | DeclKind::Variable if old.flags.has(DeclFlags::FILE_SCOPE) => "a global declaration",
        DeclKind::Variable => "a previous local",
        _ => return,
    };
    cx.sess
        .warn(warning::SHADOW, name.loc, format!("declaration of '{text}' shadows {what}"))
        .note(old.loc, "shadowed declaration is here")
        .emit();
}

/// A further declaration of `previous`.
fn redeclare(cx: &mut Sema<'_, '_>, name: Name, previous: DeclId, new: Decl, definition: bool) -> DeclId {
    let old = cx.unit.decls[previous];
    let text = cx.str(name.symbol);
    if old.flags.has(DeclFlags::BUILTIN_DECL) && old.kind == DeclKind::Function && new.kind == DeclKind::Function {
        let builtin_ty = old.ty;
        let matches = types::compatible_unqualified(cx.types(), old.ty.ty(), new.ty.ty());
        let decl = &mut cx.unit.decls[previous];
        let flags = DeclFlags(new.flags.0 | old.flags.0 & DeclFlags::REFERENCED.0);
        *decl = Decl { flags, attrs: old.attrs, builtin: old.builtin.filter(|_| matches), ..new };
        let _ = builtin_ty;
        cx.scopes.bind(name.symbol, previous);
        return previous;
    }
    if old.kind != new.kind {
        error_with_previous(cx, name.loc, format!("'{text}' redeclared as different kind of symbol"), previous);
        return replace(cx, name, new);
    }
    if old.linkage == Linkage::None && new.linkage == Linkage::None {
        let declared_function = new.kind == DeclKind::Function && !old.flags.has(DeclFlags::DEFINED);
        if !declared_function {
            let message = match new.kind {
                DeclKind::Parameter => format!("redefinition of parameter '{text}'"),
                _ if types::compatible(cx.types(), old.ty, new.ty) => {
                    let message = format!("redeclaration of '{text}' with no linkage");
                    if new.kind == DeclKind::Variable { message } else { format!("redefinition of '{text}'") }
                }
                _ => format!("conflicting types for '{text}'; have {}", cx.tname(new.ty)),
            };
            error_with_previous(cx, name.loc, message, previous);
            return replace(cx, name, new);
        }
    }
    if (old.linkage == Linkage::None) != (new.linkage == Linkage::None) {
        let message = if new.linkage == Linkage::None {
            format!("declaration of '{text}' with no linkage follows extern declaration")
        } else {
            format!("extern declaration of '{text}' follows declaration with no linkage")
        };
        error_with_previous(cx, name.loc, message, previous);
        return replace(cx, name, new);
    }
    if !merge_types(cx, name, previous, &old, &new, definition) {
        return replace(cx, name, new);
    }
    merge_linkage(cx, name, previous, &old, &new);
    warn_redundant(cx, name, previous, &old, &new, definition);
    if old.flags.has(DeclFlags::THREAD_KEYWORD) != new.flags.has(DeclFlags::THREAD_KEYWORD)
        && new.kind == DeclKind::Variable
    {
        let word = if new.flags.has(DeclFlags::THREAD_KEYWORD) { "thread-local" } else { "non-thread-local" };
        let other = if new.flags.has(DeclFlags::THREAD_KEYWORD) { "non-thread-local" } else { "thread-local" };
        error_with_previous(
            cx,
            name.loc,
            format!("{word} declaration of '{text}' follows {other} declaration"),
            previous,
        );
    }
    let decl = &mut cx.unit.decls[previous];
    if definition
        || new.flags.has(DeclFlags::DEFINED)
        || (decl.flags.has(DeclFlags::BLOCK_EXTERN) && new.flags.has(DeclFlags::FILE_SCOPE))
    {
        decl.loc = new.loc;
    }
    decl.flags.set(new.flags);
    if definition && old.flags.has(DeclFlags::DEFINED) && !new.flags.has(DeclFlags::EXTERN_WITH_INLINE) {
        // The real definition after one for inlining takes its place.
        decl.flags.clear(DeclFlags::EXTERN_WITH_INLINE);
    }
    if new.flags.has(DeclFlags::FILE_SCOPE) {
        decl.flags.clear(DeclFlags::BLOCK_EXTERN);
    }
    if new.flags.has(DeclFlags::NOT_ONLY_INLINE) && old.flags.has(DeclFlags::IMPLICIT) {
        decl.flags.clear(DeclFlags::IMPLICIT);
    }
    decl.align = decl.align.max(new.align);
    decl.asm_name = new.asm_name.or(decl.asm_name);
    previous
}

/// `-Wredundant-decls`: a declaration in the scope of an equal one, neither of them a definition.
fn warn_redundant(cx: &Sema<'_, '_>, name: Name, previous: DeclId, old: &Decl, new: &Decl, definition: bool) {
    let defines = |decl: &Decl| decl.flags.has(DeclFlags::DEFINED) || decl.flags.has(DeclFlags::TENTATIVE);
    let hidden = old.flags.has(DeclFlags::IMPLICIT) || old.flags.has(DeclFlags::BLOCK_EXTERN);
    let second = definition || new.kind == DeclKind::Variable && defines(new);
    if second || hidden || !cx.at_file_scope() || !cx.sess.warning_enabled(warning::REDUNDANT_DECLS, name.loc) {
        return;
    }
    let message = format!("redundant redeclaration of '{}'", cx.str(name.symbol));
    let (loc, note) = previous_note(cx, previous, if defines(old) { "definition" } else { "declaration" });
    cx.sess.warn(warning::REDUNDANT_DECLS, name.loc, message).note(loc, note).emit();
}

/// After an error the new declaration hides the old one, so that what follows is judged by it.
fn replace(cx: &mut Sema<'_, '_>, name: Name, new: Decl) -> DeclId {
    let id = cx.unit.decls.push(new);
    cx.scopes.bind(name.symbol, id);
    id
}

/// Compatible types are merged to the composite; false if they are not compatible.
fn merge_types(cx: &mut Sema<'_, '_>, name: Name, previous: DeclId, old: &Decl, new: &Decl, definition: bool) -> bool {
    let text = cx.str(name.symbol);
    let both_defined = old.flags.has(DeclFlags::DEFINED) && (definition || new.flags.has(DeclFlags::DEFINED));
    let again_inline = new.flags.has(DeclFlags::EXTERN_WITH_INLINE);
    let redefines_weakref = definition && cx.unit.attrs(previous).is_some_and(|a| a.weakref.is_some());
    if both_defined && (again_inline || !inline_redefinition(cx, previous, old)) || redefines_weakref {
        error_with_previous(cx, name.loc, format!("redefinition of '{text}'"), previous);
        return false;
    }
    if cx.types().is_error(old.ty.ty()) || cx.types().is_error(new.ty.ty()) {
        return true;
    }
    let agrees = types::compatible_unqualified(cx.types(), old.ty.ty(), new.ty.ty())
        || (definition && old_style_agrees(cx, old.ty, new.ty));
    let variadic = |ty: QualType| cx.types().signature_of(ty.ty()).is_some_and(|s| s.variadic);
    if agrees && variadic(old.ty) && cx.types().signature_of(new.ty.ty()).is_some_and(|s| !s.prototype) {
        let (note_loc, note) = previous_note(cx, previous, "declaration");
        let message = format!("'{text}' defined as variadic function without prototype");
        cx.sess.warn_always(name.loc, message).note(note_loc, note).emit();
    }
    if !agrees {
        // An implicit declaration that turned out wrong gets a warning if only the result differs in `void`.
        let implicit = old.flags.has(DeclFlags::IMPLICIT);
        let have = cx.tname(new.ty);
        if implicit && returns_void(cx, new.ty) && !cx.since(Standard::C23) {
            let (note_loc, note) = previous_note(cx, previous, "implicit declaration");
            let message = format!("conflicting types for '{text}'; have {have}");
            cx.sess.warn_always(name.loc, message).note(note_loc, note).emit();
            cx.unit.decls[previous].ty = new.ty;
            return true;
        }
        if implicit {
            let (note_loc, note) = previous_note(cx, previous, "implicit declaration");
            let message = format!("conflicting types for '{text}'; have {have}");
            cx.sess.error(name.loc, message).note(note_loc, note).emit();
        } else {
            error_with_previous(cx, name.loc, format!("conflicting types for '{text}'; have {have}"), previous);
        }
        return false;
    }
    if old.ty.quals() != new.ty.quals() {
        let have = cx.tname(new.ty);
        error_with_previous(cx, name.loc, format!("conflicting type qualifiers for '{text}'; have {have}"), previous);
        return false;
    }
    let keep_definition = old.flags.has(DeclFlags::DEFINED) && old.kind == DeclKind::Function;
    let (first, second) = if keep_definition { (old.ty, new.ty) } else { (new.ty, old.ty) };
    let merged = types::composite(&mut cx.unit.types, first, second);
    cx.unit.decls[previous].ty = QualType::new(merged.ty(), new.ty.quals());
    true
}

/// An old-style definition after a prototype: only the results are compared here, the parameters once they are declared.
fn old_style_agrees(cx: &Sema<'_, '_>, old: QualType, new: QualType) -> bool {
    match (cx.types().signature_of(old.ty()), cx.types().signature_of(new.ty())) {
        (Some(old), Some(new)) if old.prototype && !new.prototype => {
            types::compatible_unqualified(cx.types(), old.ret.ty(), new.ret.ty())
        }
        _ => false,
    }
}

fn returns_void(cx: &Sema<'_, '_>, ty: QualType) -> bool {
    cx.types().signature_of(ty.ty()).is_some_and(|s| cx.kind(s.ret) == TypeKind::Void)
}

/// GNU: an `extern inline` definition may be followed by the real one.
fn inline_redefinition(cx: &Sema<'_, '_>, id: DeclId, old: &Decl) -> bool {
    let gnu = cx.unit.gnu89_inline || cx.unit.attrs(id).is_some_and(|a| a.flags.has(AttrFlags::GNU_INLINE));
    gnu && old.flags.has(DeclFlags::EXTERN_WITH_INLINE)
}

fn merge_linkage(cx: &mut Sema<'_, '_>, name: Name, previous: DeclId, old: &Decl, new: &Decl) {
    let text = cx.str(name.symbol);
    match (old.linkage, new.linkage) {
        (Linkage::External, Linkage::Internal) if inline_redefinition(cx, previous, old) => {
            cx.unit.decls[previous].linkage = Linkage::Internal;
        }
        (Linkage::External, Linkage::Internal) => {
            if old.flags.has(DeclFlags::IMPLICIT) {
                // gcc takes `static` after an implicit declaration with a warning only.
                let (note_loc, note) = previous_note(cx, previous, "implicit declaration");
                let message = format!("static declaration of '{text}' follows non-static declaration");
                cx.sess.error(name.loc, message).note(note_loc, note).emit();
            } else {
                let message = format!("static declaration of '{text}' follows non-static declaration");
                error_with_previous(cx, name.loc, message, previous);
            }
            cx.unit.decls[previous].linkage = Linkage::Internal;
        }
        // A function, or an explicit `extern`, keeps the earlier internal linkage.
        (Linkage::Internal, Linkage::External)
            if new.kind == DeclKind::Variable && !new.flags.has(DeclFlags::EXTERN_DECLARED) =>
        {
            let message = format!("non-static declaration of '{text}' follows static declaration");
            error_with_previous(cx, name.loc, message, previous);
        }
        _ => {}
    }
}

/// Checks, before the initialiser is read, that the object may have one. Answers whether its storage is static, and the
/// type to initialise.
pub fn begin_initializer(cx: &mut Sema<'_, '_>, id: DeclId) -> (bool, QualType) {
    let decl = cx.unit.decls[id];
    let is_static = decl.duration != StorageDuration::Automatic;
    let mut ty = decl.ty;
    if cx.types().is_vla(ty.ty()) {
        cx.error(decl.loc, "variable-sized object may not be initialized");
        ty = Ty::ERROR.plain();
    } else if cx.types().is_incomplete(ty.ty()) {
        match cx.kind(ty) {
            TypeKind::Array { elem, len: ArrayLen::Incomplete } if !cx.types().is_incomplete(elem.ty()) => {}
            TypeKind::Error => {}
            _ => {
                let name = cx.dname(id);
                cx.error(decl.loc, format!("variable {name} has initializer but incomplete type"));
                ty = Ty::ERROR.plain();
                cx.unit.decls[id].ty = ty;
            }
        }
    } else if cx.types().is_function(ty.ty()) {
        ty = Ty::ERROR.plain();
    }
    (is_static || decl.flags.has(DeclFlags::CONSTEXPR), ty)
}

/// Notes the type an initialiser completed and the value of a scalar constant.
pub fn finish_initializer<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, ty: QualType, init: Option<&Finished<'a>>) {
    if !cx.types().is_error(ty.ty()) {
        cx.unit.decls[id].ty = ty;
    }
    let decl = cx.unit.decls[id];
    if let Some(Finished::Static(init)) = init {
        check_section_of_zeros(cx, id, init);
    }
    if let Some(init) = init {
        known::remember(cx, id, ty, init);
    }
    if !ty.quals().is_const() || ty.quals().is_volatile() {
        return;
    }
    let size = match cx.kind(ty) {
        TypeKind::Int(_) | TypeKind::Bool | TypeKind::Enum(_) | TypeKind::Float(_) | TypeKind::BitInt { .. } => {
            cx.types().size_of(ty).unwrap_or(0) as usize
        }
        TypeKind::Pointer(_) | TypeKind::NullPtr if decl.flags.has(DeclFlags::CONSTEXPR) => 8,
        _ => return,
    };
    let Some(Finished::Static(init)) = init else { return };
    if !init.relocs.is_empty() {
        return;
    }
    if let Some(info) = cx.types().int_info(ty.ty()).filter(|info| info.bits > wide::NARROW_BITS) {
        let mut bytes = init.bytes[..init.bytes.len().min(size)].to_vec();
        bytes.resize(size, 0);
        let limb = |eight: &[u8]| eight.iter().rev().fold(0, |limb, &byte| limb << 8 | u64::from(byte));
        let limbs: Vec<u64> = bytes.chunks(8).map(limb).collect();
        cx.unit.wide_values.insert(id, wide::wrap(&limbs, info).0.into());
        cx.unit.decls[id].flags.set(DeclFlags::STATIC_INIT_VALUE);
        return;
    }
    let mut bytes = [0u8; 16];
    let stored = init.bytes.len().min(size);
    bytes[..stored].copy_from_slice(&init.bytes[..stored]);
    let mut value = u128::from_le_bytes(bytes);
    if let Some(info) = cx.types().int_info(ty.ty()) {
        value = super::constants::integers::wrap(value as i128, info) as u128;
    }
    let decl = &mut cx.unit.decls[id];
    decl.value = Bits128::new(value);
    decl.flags.set(DeclFlags::STATIC_INIT_VALUE);
}

/// A section whose name begins with `.bss` holds zeros only.
fn check_section_of_zeros(cx: &mut Sema<'_, '_>, id: DeclId, init: &StaticInit<'_>) {
    let Some(section) = cx.unit.attrs(id).and_then(|a| a.section) else { return };
    let section = cx.str(section);
    let zero = init.relocs.is_empty() && init.bytes.iter().all(|&byte| byte == 0);
    if (section == ".bss" || section.starts_with(".bss.")) && !zero {
        let loc = cx.unit.decls[id].loc;
        cx.error(loc, format!("only zero initializers are allowed in section '{section}'"));
    }
}

/// An object without an initialiser must have a complete type; `auto` types and `constexpr` need one.
pub fn check_uninitialised(cx: &mut Sema<'_, '_>, id: DeclId) {
    let decl = cx.unit.decls[id];
    if decl.kind != DeclKind::Variable || cx.types().is_error(decl.ty.ty()) {
        return;
    }
    if decl.flags.has(DeclFlags::CONSTEXPR) {
        cx.error(decl.loc, "'constexpr' data object declaration is not initialized".to_string());
    }
    let incomplete = cx.types().is_incomplete(decl.ty.ty());
    let local = decl.linkage == Linkage::None;
    if incomplete && local {
        let name = cx.dname(id);
        match cx.kind(decl.ty) {
            TypeKind::Array { .. } => cx.error(decl.loc, format!("array size missing in {name}")),
            _ => cx.error(decl.loc, format!("storage size of {name} isn't known")),
        }
        cx.unit.decls[id].ty = Ty::ERROR.plain();
    } else if incomplete
        && decl.linkage == Linkage::Internal
        && decl.flags.has(DeclFlags::TENTATIVE)
        && let TypeKind::Array { .. } = cx.kind(decl.ty)
    {
        let name = cx.dname(id);
        cx.pedantic(decl.loc, format!("array size missing in {name}"));
    }
    if let TypeKind::Array { len: ArrayLen::Star, .. } = cx.kind(decl.ty) {
        cx.error(decl.loc, "'[*]' not allowed in other than function prototype scope");
    }
}

/// The statement that brings an automatic variable to life, or `None` for static and external ones. Registers the variable
/// with the function.
pub fn local_statement<'a>(
    cx: &mut Sema<'_, 'a>,
    id: DeclId,
    bounds: &'a [VlaBound<'a>],
    init: Option<Finished<'a>>,
) -> Option<Stmt<'a>> {
    let decl = cx.unit.decls[id];
    let loc = decl.loc;
    if decl.linkage == Linkage::None && cx.types().is_variably_modified(decl.ty.ty()) {
        labels::begin_jump_scope(cx, labels::JumpKind::VariablyModified);
    }
    if decl.kind == DeclKind::Typedef || decl.kind == DeclKind::Function || decl.linkage != Linkage::None {
        return (!bounds.is_empty()).then_some(Stmt { kind: StmtKind::Bounds(bounds), loc });
    }
    if decl.duration != StorageDuration::Automatic {
        let init = match init {
            Some(Finished::Static(init)) => Some(&*cx.arena.alloc(init)),
            _ => None,
        };
        cx.pending_statics.push(StaticVar { decl: id, init });
        return (!bounds.is_empty()).then_some(Stmt { kind: StmtKind::Bounds(bounds), loc });
    }
    if init.is_some() && cx.types().is_array(decl.ty.ty()) {
        cx.texts.insert(id);
    }
    if init.is_some() && cx.sess.diag.is_on_somewhere(warning::JUMP_MISSES_INIT) {
        labels::begin_jump_scope(cx, labels::JumpKind::Initialized(id));
    }
    let init: Option<&'a Initializer<'a>> = match init {
        Some(Finished::Automatic(init)) => Some(init),
        // A `constexpr` automatic object: its constant value is stored all the same.
        Some(Finished::Static(init)) => Some(cx.arena.alloc(Initializer::Constant(init))),
        None => None,
    };
    cx.fun().locals.push(id);
    let cleanup = add_cleanup(cx, id);
    let local = cx.arena.alloc(LocalDecl { decl: id, bounds, init, cleanup });
    Some(Stmt { kind: StmtKind::Decl(local), loc })
}

/// The scope a variable with a cleanup, or a variable-length array, opens.
fn add_cleanup(cx: &mut Sema<'_, '_>, id: DeclId) -> Option<CleanupId> {
    let mut added = None;
    if cx.types().is_vla(cx.unit.decls[id].ty.ty()) {
        cx.fun().flags.allocates = true;
        added = Some(push_cleanup(cx, CleanupAction::FreeVla(id)));
    }
    if let Some(function) = cx.unit.attrs(id).and_then(|a| a.cleanup) {
        added = Some(push_cleanup(cx, CleanupAction::Call { variable: id, function }));
    }
    added
}

/// Opens a scope at whose end something is done.
pub fn push_cleanup<'a>(cx: &mut Sema<'_, 'a>, action: CleanupAction<'a>) -> CleanupId {
    let function = cx.fun();
    let parent = function.cleanup;
    function.cleanups.push(CleanupScope { parent, action });
    let id = cranelift_entity::EntityRef::new(function.cleanups.len() - 1);
    function.cleanup = Some(id);
    id
}

/// Declares a parameter in the current prototype scope. `None` for an unnamed one's name.
pub fn declare_parameter(
    cx: &mut Sema<'_, '_>,
    name: Option<Name>,
    ty: QualType,
    register: bool,
    attrs: &Collected,
    loc: Loc,
) -> DeclId {
    let declared = ty;
    let ty = types::adjust_parameter(&mut cx.unit.types, ty, Quals::NONE);
    let ty = attributes::apply_to_type(cx, ty, attrs, AttrTarget::Parameter, loc);
    let symbol = name.map(|n| n.symbol);
    let mut decl = builtins::blank_decl(symbol, DeclKind::Parameter, ty, loc);
    decl.duration = StorageDuration::Automatic;
    decl.align = attrs.align;
    if register {
        decl.flags.set(DeclFlags::REGISTER);
    }
    let id = match name {
        Some(name) => enter(cx, name, decl, false),
        None => cx.unit.decls.push(decl),
    };
    if cx.types().is_array(declared.ty()) {
        cx.array_parameters.insert(id);
    }
    add_attributes(cx, id, attrs);
    id
}

/// An anonymous object with static storage duration and these bytes.
pub fn anonymous_static<'a>(
    cx: &mut Sema<'_, 'a>,
    name: Option<Symbol>,
    ty: QualType,
    bytes: &[u8],
    loc: Loc,
) -> DeclId {
    let id = anonymous_object(cx, name, ty, true, loc);
    let bytes = cx.arena.alloc_slice_copy(bytes);
    let init = cx.arena.alloc(StaticInit { size: bytes.len() as u64, bytes, relocs: &[] });
    cx.pending_statics.push(StaticVar { decl: id, init: Some(init) });
    id
}

/// An object without a name of its own: a compound literal, a function's name.
pub fn anonymous_object(
    cx: &mut Sema<'_, '_>,
    name: Option<Symbol>,
    ty: QualType,
    is_static: bool,
    loc: Loc,
) -> DeclId {
    let mut decl = builtins::blank_decl(name, DeclKind::Variable, ty, loc);
    decl.flags = DeclFlags(DeclFlags::ANONYMOUS.0 | DeclFlags::DEFINED.0 | DeclFlags::REFERENCED.0);
    decl.function = cx.functions.last().map(|f| f.decl).into();
    if is_static {
        decl.duration = StorageDuration::Static;
        if cx.functions.is_empty() {
            decl.linkage = Linkage::Internal;
        }
    } else {
        decl.duration = StorageDuration::Automatic;
    }
    let id = cx.unit.decls.push(decl);
    if !is_static {
        cx.fun().locals.push(id);
    }
    id
}

/// At the end of the unit: tentative definitions become definitions (C23 6.9.3 paragraph 2).
pub fn finish_tentative(cx: &mut Sema<'_, '_>) -> Vec<DeclId> {
    let mut defined = Vec::new();
    for id in std::mem::take(&mut cx.tentative) {
        let decl = cx.unit.decls[id];
        let alias = cx.unit.attrs(id).is_some_and(|a| a.alias.is_some());
        if decl.flags.has(DeclFlags::DEFINED) || alias || cx.types().is_error(decl.ty.ty()) {
            continue;
        }
        let name = cx.dname(id);
        if let TypeKind::Array { elem, len: ArrayLen::Incomplete } = cx.kind(decl.ty)
            && !cx.types().is_incomplete(elem.ty())
        {
            cx.sess.warn_always(decl.loc, format!("array {name} assumed to have one element")).emit();
            let array = cx.unit.types.array_of(elem, ArrayLen::Constant(1));
            cx.unit.decls[id].ty = QualType::new(array, decl.ty.quals());
        } else if cx.types().is_incomplete(decl.ty.ty()) {
            cx.error(decl.loc, format!("storage size of {name} isn't known"));
            continue;
        }
        cx.unit.decls[id].flags.set(DeclFlags::DEFINED);
        defined.push(id);
    }
    defined
}

/// `auto x = expression`: the type of an object without a type specifier (C23 6.7.10, GNU `__auto_type`).
pub fn inferred_type(cx: &mut Sema<'_, '_>, init: crate::tree::ExprRef<'_>, quals: Quals) -> QualType {
    if init.cat == crate::tree::Category::BitField {
        cx.error(init.loc, "'__auto_type' used with a bit-field initializer");
    }
    let ty = match cx.kind(init.ty) {
        TypeKind::Array { .. } => {
            let elem = cx.types().array_element(init.ty).unwrap_or(init.ty);
            cx.pointer_to(elem).plain()
        }
        TypeKind::Function(_) => cx.pointer_to(init.ty).plain(),
        _ => init.ty.unqualified(),
    };
    ty.with(quals)
}

/// Whether an expression is a reference to a `static` local, which an inline function with external linkage may not have.
pub fn is_static_local(cx: &Sema<'_, '_>, kind: ExprKind<'_>) -> bool {
    match kind {
        ExprKind::Decl(id) => {
            let decl = &cx.unit.decls[id];
            decl.linkage == Linkage::Internal || (decl.function.is_some() && decl.duration == StorageDuration::Static)
        }
        _ => false,
    }
}

/// The scope is that of a prototype's parameters.
pub fn in_prototype(cx: &Sema<'_, '_>) -> bool {
    cx.scopes.kind() == ScopeKind::Prototype
}
