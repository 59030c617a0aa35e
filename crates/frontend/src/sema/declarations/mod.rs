//! Declarations (C23 6.7): storage, linkage, redeclaration, objects, typedefs, parameters.

mod definitions;
mod functions;
mod redeclarations;
mod variables;

use base::{Loc, Symbol};
use cranelift_entity::packed_option::PackedOption;
use platform::options::{Standard, Visibility};

use self::functions::declare_function;
use self::redeclarations::enter;
use self::variables::declare_variable;
use super::attributes::{self, AttrTarget, Collected};
use super::scope::ScopeKind;
use super::{PragmaOptions, Sema, builtins, lints, types};
use crate::tree::{
    AttrFlags, Bits128, Decl, DeclFlags, DeclId, DeclKind, Linkage, Name, QualType, Quals, StorageDuration, Ty,
    TypeKind, Typedef,
};

pub use self::definitions::{
    anonymous_object, anonymous_static, begin_initializer, check_uninitialised, complete_written, finish_initializer,
    finish_tentative, inferred_type, local_statement, push_cleanup,
};
pub use self::variables::{check_alignas, check_parameter_specifiers};

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
    pub typedef_name: Option<DeclId>,
    /// Where the typedef name or tag specifier stands.
    pub type_loc: Loc,
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

impl DeclSpecs {
    /// Whether a structure, union or enumeration is defined here, with a list.
    pub fn defines_tag(&self) -> bool {
        self.declares_tag && !self.tag_reference
    }
}

/// What a declarator gives.
#[derive(Clone, Copy, Debug)]
pub struct Declared<'c> {
    /// Name.
    pub name: Name,
    /// Full type, as written.
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
    let mut d = d;
    let ty = d.ty;
    let is_typedef = specs.storage == Some(Storage::Typedef);
    let target = if is_typedef {
        AttrTarget::Typedef
    } else if cx.types().is_function(ty.ty()) {
        AttrTarget::Function
    } else {
        AttrTarget::Variable
    };
    d.ty = attributes::apply_to_type(cx, ty, d.attrs, target, d.name.loc);
    let ty = cx.unit.types.bare(d.ty);
    super::attributes::checks::against_type(cx, &d.attrs.later, ty, target, d.name.loc);
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
        written: d.ty,
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

/// A declaration names one section, and a later one cannot move an entity to another: it is
/// ignored.
fn check_section(cx: &mut Sema<'_, '_>, id: DeclId, collected: &Collected, loc: Loc) {
    if collected.sections_differ {
        let name = cx.dname(id);
        cx.error(loc, format!("section of {name} conflicts with previous declaration"));
    }
    let earlier = cx.unit.attrs(id).and_then(|a| a.section);
    if let (Some(old), Some(new)) = (earlier, collected.attributes.section)
        && old != new
    {
        let section = |name| format!("'section (\"{}\")'", cx.str(name));
        let message =
            format!("ignoring attribute {} because it conflicts with previous {}", section(new), section(old));
        let previous = cx.unit.decls[id].loc;
        let warning = cx.sess.warn(base::warning::ATTRIBUTES, loc, message);
        warning.note(previous, "previous declaration here".to_string()).emit();
    }
}

/// A pragma's arguments come first: an attribute may take back what it gives.
fn before(cx: &Sema<'_, '_>, pragma: Symbol, own: Option<Symbol>) -> Symbol {
    match own {
        None => pragma,
        Some(own) if cx.str(own).starts_with(cx.str(pragma)) => own,
        Some(own) => cx.sess.intern(&format!("{},{}", cx.str(pragma), cx.str(own))),
    }
}

/// What pragmas in force add to an entity with linkage.
fn add_pragmas(cx: &mut Sema<'_, '_>, id: DeclId) {
    if cx.unit.decls[id].kind == DeclKind::Function {
        let PragmaOptions { target, optimize } = cx.pragma_options;
        if let Some(target) = target {
            let own = cx.unit.attrs(id).and_then(|a| a.target);
            cx.unit.attrs_mut(id).target = Some(before(cx, target, own));
        }
        if let Some(optimize) = optimize {
            let own = cx.unit.attrs(id).and_then(|a| a.optimize);
            cx.unit.attrs_mut(id).optimize = Some(before(cx, optimize, own));
        }
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

/// Where a declaration stands, and what a note says of it.
pub fn previous_note(cx: &Sema<'_, '_>, id: DeclId, what: &str) -> (Loc, String) {
    let (name, ty) = (cx.dname(id), cx.tname(cx.unit.written(id)));
    (cx.unit.decls[id].loc, format!("previous {what} of {name} with type {ty}"))
}

fn error_with_previous(cx: &Sema<'_, '_>, loc: Loc, message: String, previous: DeclId) {
    let old = &cx.unit.decls[previous];
    let defined = old.flags.has(DeclFlags::DEFINED) || old.kind == DeclKind::Parameter;
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
    let named = Typedef {
        name: d.name.symbol,
        ty: d.ty,
        loc: d.name.loc,
        function: cx.functions.last().map(|f| f.decl.as_u32()),
    };
    if let Some(previous) = cx.scopes.lookup_here(d.name.symbol) {
        let old = cx.unit.decls[previous];
        let name = cx.str(d.name.symbol);
        if old.kind != DeclKind::Typedef {
            error_with_previous(cx, d.name.loc, format!("'{name}' redeclared as different kind of symbol"), previous);
        } else if old.flags.has(DeclFlags::BUILTIN_DECL) {
            // The compiler's own name gives way.
        } else if !types::compatible(cx.types(), old.ty, ty) || cx.types().is_variably_modified(ty.ty()) {
            let have = cx.tname(d.ty);
            error_with_previous(cx, d.name.loc, format!("conflicting types for '{name}'; have {have}"), previous);
        } else {
            cx.pedantic_before(Standard::C11, d.name.loc, || format!("redefinition of typedef '{name}'"));
            // The stricter alignment counts from here on.
            let (before, now) = (cx.types().declared_align(old.ty.ty()), cx.types().declared_align(ty.ty()));
            if now > before {
                cx.unit.decls[previous].ty = ty;
                cx.unit.decls[previous].written = cx.unit.types.new_typedef(named);
            }
            add_attributes(cx, previous, d.attrs);
            return previous;
        }
    }
    name_untagged(cx, ty.ty(), d.name.symbol);
    let written = cx.unit.types.new_typedef(named);
    let decl = Decl { align: 0, asm_name: None, written, ..new_decl(cx, &d, DeclKind::Typedef, ty) };
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
    let space = ty.quals();
    if !space.space().is_empty() {
        let text = name.map_or("parameter", |n| cx.str(n.symbol));
        cx.error(loc, format!("'{}' specified for parameter '{text}'", space.space_name()));
    }
    let ty = types::adjust_parameter(&mut cx.unit.types, ty, Quals::NONE);
    let written = attributes::apply_to_type(cx, ty, attrs, AttrTarget::Parameter, loc);
    let ty = cx.unit.types.bare(written);
    attributes::checks::against_type(cx, &attrs.later, ty, AttrTarget::Parameter, loc);
    let symbol = name.map(|n| n.symbol);
    let mut decl = builtins::blank_decl(symbol, DeclKind::Parameter, ty, loc);
    decl.written = written;
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
        lints::parameter_is_array(cx, id);
    }
    add_attributes(cx, id, attrs);
    lints::parameter_declared(cx, id);
    id
}

/// The scope is that of a prototype's parameters.
pub fn in_prototype(cx: &Sema<'_, '_>) -> bool {
    cx.scopes.kind() == ScopeKind::Prototype
}
