//! The rules of C: scopes, conversions, constants, initialisers, layouts. Called by the parser's
//! functions as they go; produces the typed tree.
//!
//! [`State`] holds what lives as long as the unit; [`Sema`] adds the arena and the function at
//! hand. The functions here are free functions that take `cx: &mut Sema` first. Each reports its
//! own errors and answers with an error expression or type, which every other function accepts
//! silently.

pub mod asm;
pub mod assignment_conversions;
pub mod attributes;
pub mod builtins;
pub mod calls;
pub mod constants;
pub mod conversions;
pub mod decimal;
pub mod declarations;
pub mod defer;
pub mod derived_types;
pub mod enums;
pub mod excess;
pub mod expressions;
pub mod flow;
pub mod functions;
pub mod initializers;
pub mod labels;
pub mod library;
pub mod lints;
pub mod literal_storage;
pub mod literals;
pub mod records;
pub mod repeats;
pub mod same;
pub mod scope;
pub mod statements;
pub mod static_data;
pub mod suggestions;
pub mod switch;
pub mod types;
pub mod variable_records;

use std::ops::{Deref, DerefMut};

use base::{Loc, Session, Symbol, WarningId};
use bumpalo::Bump;
use cranelift_entity::{EntityRef, PrimaryMap};
use platform::options::{Language, Options, Standard, Visibility};
use rustc_hash::FxHashMap;

use crate::tree::{
    Bits128, Category, DeclId, Expr, ExprFlags, ExprKind, ExprRef, LabelId, QualType, Ty, Types, Unit, VlaBound,
};

pub use functions::FunctionState;
use scope::Scopes;

/// What lives as long as the translation unit.
pub struct State<'x> {
    /// Names and diagnostics.
    pub sess: &'x Session,
    /// The compilation's options.
    pub options: &'x Options,
    /// The dialect, `options.language`.
    pub lang: &'x Language,
    /// The tables that are the result.
    pub unit: Unit,
    /// Visible names.
    pub scopes: Scopes,
    /// Every entity with linkage by name, block-scope `extern`s included.
    pub linked: FxHashMap<Symbol, DeclId>,
    /// Builtin functions by name.
    pub builtins: builtins::Builtins,
    /// File-scope variables that may need a tentative definition, in order.
    pub tentative: Vec<DeclId>,
    /// Bytes of objects whose initialiser gives elements to a flexible array member.
    pub flexible_sizes: FxHashMap<DeclId, u64>,
    /// From C23 on: the different structures and unions of each tag.
    pub tagged_records: FxHashMap<Symbol, Vec<crate::tree::RecordId>>,
    /// Alignment limit of `#pragma pack`, in bytes, and the stack of saved ones.
    pub pack: Option<u32>,
    /// `#pragma STDC FLOAT_CONST_DECIMAL64 ON`: floating constants without suffix are decimal.
    pub decimal_constants: bool,
    /// `#pragma STDC FP_CONTRACT OFF` is in force.
    pub contraction_off: bool,
    /// It has been said in the body of the present function.
    pub contraction_ends: bool,
    /// The conversions that `-fexec-charset=` and `-fwide-exec-charset=` ask for.
    pub charsets: crate::lex::charset::ExecutionCharsets,
    /// Storage order of structures without an attribute is the foreign one (`#pragma
    /// scalar_storage_order`).
    pub reversed_storage: bool,
    /// Saved limits with their optional names.
    pub pack_stack: Vec<(Option<Symbol>, Option<u32>)>,
    /// `#pragma GCC visibility`.
    pub visibility_stack: Vec<Visibility>,
    /// `#pragma redefine_extname`.
    pub extnames: FxHashMap<Symbol, Symbol>,
    /// `#pragma weak`, by name.
    pub weak_names: FxHashMap<Symbol, Loc>,
    /// Attributes declared by `#pragma GCC optimize/target`; pushed and popped as a whole.
    pub pragma_options: PragmaOptions,
    /// Saved values of `pragma_options`.
    pub pragma_options_stack: Vec<PragmaOptions>,
    /// What has excess precision here.
    pub excess: excess::Excess,
    /// Symbols the rules look for.
    pub names: Names,
    /// Names reported as undeclared, per function: one error each, as in gcc.
    pub undeclared: FxHashMap<Symbol, ()>,
    /// What `const` objects hold for good, for static initialisers that read them.
    pub known_contents: FxHashMap<DeclId, std::rc::Rc<constants::known::Contents>>,
    /// What warnings remember of the unit.
    pub unit_lints: lints::UnitLints,
    /// Parameter types of functions defined without a prototype.
    pub old_style_parameters: FxHashMap<DeclId, Vec<QualType>>,
}

/// Identifiers with a meaning to semantic analysis.
pub struct Names {
    /// `main`
    pub main: Symbol,
    /// `__func__`
    pub func: Symbol,
    /// `alloca`
    pub alloca: Symbol,
    /// `memory`
    pub empty: Symbol,
}

/// What `#pragma GCC target` and `#pragma GCC optimize` add to functions, as attributes of these
/// names would.
#[derive(Clone, Copy, Default)]
pub struct PragmaOptions {
    /// Arguments of `target`, joined by commas.
    pub target: Option<Symbol>,
    /// Those of `optimize`.
    pub optimize: Option<Symbol>,
}

/// Semantic analysis of one external declaration.
pub struct Sema<'x, 'a> {
    /// Where the tree goes.
    pub arena: &'a Bump,
    /// What outlives it.
    pub state: Box<State<'x>>,
    /// The function whose body is being parsed; nested functions are further up.
    pub functions: Vec<FunctionState<'a>>,
    /// Bounds of variable-length array types seen in declarators, not yet attached to a statement
    /// or expression.
    pub pending_bounds: Vec<VlaBound<'a>>,
    /// Definitions of anonymous static objects (compound literals) that await their enclosing
    /// declaration.
    pub pending_statics: Vec<crate::tree::StaticVar<'a>>,
    /// Depth of operands that are not evaluated (`sizeof`, `typeof`, ...).
    pub unevaluated: u32,
    /// Depth of operands of `&&`, `||` and `?:` that a constant operand before them rules out.
    pub ruled_out: u32,
    /// Depth of operands that must be constant at once: `__builtin_constant_p` is answered without
    /// waiting for the optimiser.
    pub settled_constants: u32,
    /// What warnings remember of the declaration.
    pub lints: lints::Lints<'a>,
    /// Depth of `__extension__`: pedantic warnings are off.
    pub extension: u32,
    /// Opaque values handed out.
    pub opaques: u32,
    /// The initialiser being read is that of a static object: compound literals in it are static
    /// too.
    pub in_static_initializer: bool,
    /// Parameters declared before a `;` in a parameter list (GNU).
    pub forward_parameters: Vec<DeclId>,
    /// `_Alignas` in the type name just read, in bytes; 0 for none. Only a compound literal's may
    /// have one.
    pub type_name_align: (u32, Loc),
    /// Storage of the type name just read, if a compound literal follows.
    pub type_name_storage: literal_storage::LiteralStorage,
}

impl<'x> Deref for Sema<'x, '_> {
    type Target = State<'x>;
    fn deref(&self) -> &State<'x> {
        &self.state
    }
}

impl<'x> DerefMut for Sema<'x, '_> {
    fn deref_mut(&mut self) -> &mut State<'x> {
        &mut self.state
    }
}

impl<'x> State<'x> {
    /// An empty unit with the compiler's own declarations.
    pub fn new(sess: &'x Session, options: &'x Options) -> Box<State<'x>> {
        let lang = &options.language;
        let mut types = Types::new(lang.char_signed);
        let (va_list_tag, va_list) = builtins::declare_va_list(&mut types, sess);
        let char_pointer = types.pointer_to(Ty::CHAR.plain());
        let ms_va_list = types.with_align(char_pointer, 8);
        let unit = Unit {
            types,
            // What a few headers declare.
            decls: PrimaryMap::with_capacity(1 << 11),
            attributes: PrimaryMap::with_capacity(1 << 9),
            va_list_tag,
            va_list,
            ms_va_list,
            gnu89_inline: lang.gnu89_inline || lang.standard < Standard::C99,
            asks_object_size: false,
            asks_va_arg_pack: false,
            asks_closest_size: false,
            wide_values: rustc_hash::FxHashMap::default(),
            helpers: rustc_hash::FxHashMap::default(),
            loop_pragmas: Default::default(),
            pragma_weak: Vec::new(),
            reserved_registers: platform::registers::RegSet::EMPTY,
        };
        let names = Names {
            main: sess.intern("main"),
            func: sess.intern("__func__"),
            alloca: sess.intern("alloca"),
            empty: sess.intern(""),
        };
        let mut state = Box::new(State {
            sess,
            options,
            lang,
            unit,
            scopes: Scopes::new(),
            linked: FxHashMap::default(),
            builtins: builtins::Builtins::default(),
            tentative: Vec::new(),
            flexible_sizes: FxHashMap::default(),
            tagged_records: FxHashMap::default(),
            pack: lang.pack_struct,
            decimal_constants: false,
            contraction_off: false,
            contraction_ends: false,
            charsets: crate::lex::charset::ExecutionCharsets::new(&lang.charsets),
            reversed_storage: lang.reversed_storage,
            pack_stack: Vec::new(),
            visibility_stack: Vec::new(),
            extnames: FxHashMap::default(),
            weak_names: FxHashMap::default(),
            excess: excess::of_unit(options),
            pragma_options: PragmaOptions::default(),
            pragma_options_stack: Vec::new(),
            names,
            undeclared: FxHashMap::default(),
            known_contents: FxHashMap::default(),
            unit_lints: Default::default(),
            old_style_parameters: FxHashMap::default(),
        });
        builtins::declare_typedefs(&mut state);
        state
    }

    /// Types of the unit.
    pub fn types(&self) -> &Types {
        &self.unit.types
    }

    /// The text of a name.
    pub fn str(&self, name: Symbol) -> &'x str {
        self.sess.str(name)
    }

    /// `ty` as written, without quotes.
    pub fn type_text(&self, ty: impl Into<QualType>) -> String {
        crate::tree::print::written_name(&self.unit.types, &self.sess.interner, ty.into())
    }

    /// `ty` in quotes, for messages; a type as written with its plain type beside it.
    pub fn tname(&self, ty: impl Into<QualType>) -> String {
        crate::tree::print::quoted_type(&self.unit.types, &self.sess.interner, ty.into())
    }

    /// A declared name in quotes.
    pub fn dname(&self, id: DeclId) -> String {
        match self.unit.decls[id].name {
            Some(name) => quoted(self.str(name)),
            None => "'<anonymous>'".to_string(),
        }
    }

    /// Reports an error.
    pub fn error(&self, loc: Loc, message: impl Into<String>) {
        self.sess.error(loc, message).emit();
    }

    /// Reports a warning under a flag.
    pub fn warn(&self, id: WarningId, loc: Loc, message: impl Into<String>) {
        self.sess.warn(id, loc, message).emit();
    }

    /// ISO revision at least `standard`.
    pub fn since(&self, standard: Standard) -> bool {
        self.lang.standard >= standard
    }
}

impl<'x, 'a> Sema<'x, 'a> {
    /// Analysis of one external declaration, with its tree in `arena`.
    pub fn new(state: Box<State<'x>>, arena: &'a Bump) -> Sema<'x, 'a> {
        Sema {
            arena,
            state,
            functions: Vec::new(),
            pending_bounds: Vec::new(),
            pending_statics: Vec::new(),
            unevaluated: 0,
            ruled_out: 0,
            settled_constants: 0,
            lints: Default::default(),
            extension: 0,
            opaques: 0,
            in_static_initializer: false,
            forward_parameters: Vec::new(),
            type_name_align: (0, Loc::NONE),
            type_name_storage: literal_storage::LiteralStorage::default(),
        }
    }

    /// Allocates an expression of a plain type.
    #[inline]
    pub fn expr(&self, kind: ExprKind<'a>, ty: QualType, cat: Category, loc: Loc) -> ExprRef<'a> {
        self.arena.alloc(Expr { kind, ty, written: ty, loc, cat, flags: ExprFlags::NONE })
    }

    /// Allocates an expression whose type was written as `written`.
    #[inline]
    pub fn expr_written(
        &self,
        kind: ExprKind<'a>,
        (ty, written): (QualType, QualType),
        cat: Category,
        loc: Loc,
    ) -> ExprRef<'a> {
        let written = if ty == written { ty } else { self.types().written_as(written, ty) };
        self.arena.alloc(Expr { kind, ty, written, loc, cat, flags: ExprFlags::NONE })
    }

    /// Allocates an rvalue of unqualified type whose type was written as `written`.
    #[inline]
    pub fn value_written(&self, kind: ExprKind<'a>, ty: Ty, written: QualType, loc: Loc) -> ExprRef<'a> {
        self.expr_written(kind, (ty.plain(), written.unqualified()), Category::Rvalue, loc)
    }

    /// The expression, its type written as `written` if that is its type.
    pub fn with_written(&self, expr: ExprRef<'a>, written: QualType) -> ExprRef<'a> {
        if written == expr.written || self.types().written_as(written, expr.ty) != written {
            return expr;
        }
        self.arena.alloc(Expr { written, ..*expr })
    }

    /// Allocates an rvalue of unqualified type.
    #[inline]
    pub fn value(&self, kind: ExprKind<'a>, ty: Ty, loc: Loc) -> ExprRef<'a> {
        self.expr(kind, ty.plain(), Category::Rvalue, loc)
    }

    /// A copy with facts added.
    pub fn with_flags(&self, expr: ExprRef<'a>, flags: ExprFlags) -> ExprRef<'a> {
        if expr.flags.has(flags) {
            return expr;
        }
        self.arena.alloc(Expr { flags: expr.flags.with(flags), ..*expr })
    }

    /// A copy without some facts.
    pub fn without_flags(&self, expr: ExprRef<'a>, flags: ExprFlags) -> ExprRef<'a> {
        if expr.flags.0 & flags.0 == 0 {
            return expr;
        }
        self.arena.alloc(Expr { flags: expr.flags.without(flags), ..*expr })
    }

    /// A copy at another place.
    pub fn moved_to(&self, expr: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
        self.arena.alloc(Expr { loc, ..*expr })
    }

    /// The expression an error leaves over.
    pub fn error_expr(&self, loc: Loc) -> ExprRef<'a> {
        self.value(ExprKind::Error, Ty::ERROR, loc)
    }

    /// An integer constant; `value` must be in the type's range.
    pub fn int(&self, value: i128, ty: Ty, loc: Loc, flags: ExprFlags) -> ExprRef<'a> {
        self.arena.alloc(Expr {
            kind: ExprKind::Int(Bits128::new(value as u128)),
            ty: ty.plain(),
            written: ty.plain(),
            loc,
            cat: Category::Rvalue,
            flags,
        })
    }

    /// An integer constant expression.
    pub fn ice(&self, value: i128, ty: Ty, loc: Loc) -> ExprRef<'a> {
        self.int(value, ty, loc, ExprFlags::ICE.with(ExprFlags::CONSTANT))
    }

    /// A diagnostic the standard demands: a warning under `-pedantic`, unless `__extension__` is in
    /// force.
    pub fn pedantic(&self, loc: Loc, message: impl Into<String>) {
        self.pedwarn_ext(base::warning::PEDANTIC, loc, message);
    }

    /// Like [`Sema::pedantic`] under another flag.
    pub fn pedwarn_ext(&self, id: WarningId, loc: Loc, message: impl Into<String>) {
        if self.extension == 0 {
            self.sess.pedwarn(id, loc, message).emit();
        }
    }

    /// A diagnostic the standard demands and gcc gives by default under `id`.
    pub fn pedwarn(&self, id: WarningId, loc: Loc, message: impl Into<String>) {
        self.sess.pedwarn(id, loc, message).emit();
    }

    /// `message` under `-pedantic` if the dialect is older than `standard`.
    pub fn pedantic_before(&self, standard: Standard, loc: Loc, message: impl FnOnce() -> String) {
        if let Some(flag) = self.compatibility(standard, loc) {
            self.compatibility_warning(flag, standard, loc, message());
        } else if self.lang.standard < standard && self.extension == 0 && !self.tolerates(standard, loc) {
            self.sess.pedwarn(base::warning::PEDANTIC, loc, message()).emit();
        }
    }

    /// Likewise under a flag of its own, which in dialects that are not older speaks if it is given
    /// by its name.
    pub fn named_before(&self, standard: Standard, named: WarningId, loc: Loc, message: String) {
        if self.sess.diag.is_switched_off(&self.sess.sources, named, loc) {
            return;
        }
        if let Some(flag) = self.compatibility(standard, loc) {
            self.compatibility_warning(flag, standard, loc, message);
        } else if self.lang.standard < standard {
            if !self.tolerates(standard, loc) {
                self.pedwarn_ext(named, loc, message);
            }
        } else if self.sess.diag.is_explicit(&self.sess.sources, named, loc) {
            self.sess.warn(named, loc, message).emit();
        }
    }

    /// `-Wlong-long`, given by its name, speaks of later standards, too.
    pub fn long_long(&self, loc: Loc, message: &str) {
        let flag = base::warning::LONG_LONG;
        if self.lang.standard < Standard::C99 {
            self.sess.pedwarn(flag, loc, message).emit();
        } else if self.sess.diag.is_explicit(&self.sess.sources, flag, loc) {
            self.sess.warn(flag, loc, message).emit();
        }
    }

    /// `-Wno-c90-c99-compat` and its successors: nothing is said of what the later standard has
    /// brought (gcc's `pedwarn_c90`).
    pub fn tolerates(&self, standard: Standard, loc: Loc) -> bool {
        compatibility_flag(standard).is_some_and(|flag| self.sess.diag.is_switched_off(&self.sess.sources, flag, loc))
    }

    /// `-Wc90-c99-compat` and its successors: what the standard has brought is reported in every
    /// dialect.
    fn compatibility(&self, standard: Standard, loc: Loc) -> Option<WarningId> {
        let flag = compatibility_flag(standard)?;
        (self.sess.diag.is_on_somewhere(flag) && self.extension == 0 && self.sess.warning_enabled(flag, loc))
            .then_some(flag)
    }

    /// What `-Wc90-c99-compat` and its successors say: an error under `-pedantic-errors` where the
    /// dialect is older.
    fn compatibility_warning(&self, flag: WarningId, standard: Standard, loc: Loc, message: String) {
        if self.lang.standard < standard && self.sess.warning_enabled(base::warning::PEDANTIC, loc) {
            self.sess.pedwarn(flag, loc, message).emit();
        } else {
            self.sess.warn(flag, loc, message).emit();
        }
    }

    /// A feature of `standard` used in an older dialect: a pedantic diagnostic.
    pub fn feature_of(&self, standard: Standard, loc: Loc, what: &str) {
        if let Some(flag) = self.compatibility(standard, loc) {
            let (revision, suffix) = match standard {
                Standard::C11 if self.lang.standard < Standard::C99 => ("ISO C90", ""),
                Standard::C99 => ("ISO C90", ""),
                Standard::C11 => ("ISO C99", ""),
                _ => ("ISO C", " before C2X"),
            };
            self.compatibility_warning(flag, standard, loc, format!("{revision} does not support {what}{suffix}"));
        } else if self.lang.standard < standard && self.extension == 0 && !self.tolerates(standard, loc) {
            let revision = if self.lang.standard < Standard::C99 {
                "ISO C90"
            } else if standard >= Standard::C23 {
                "ISO C"
            } else {
                "ISO C99"
            };
            let suffix = match standard {
                Standard::C2Y => " before C2Y",
                Standard::C23 if self.lang.standard >= Standard::C99 => " before C2X",
                _ => "",
            };
            self.pedantic(loc, format!("{revision} does not support {what}{suffix}"));
        }
    }

    /// A diagnostic the standard demands and gcc gives always, under no flag.
    pub fn pedwarn_always(&self, loc: Loc, message: impl Into<String>) {
        self.sess.pedwarn_always(loc, message).emit();
    }

    /// The expression being read is never evaluated: no warning of what its value would be (gcc's
    /// `c_inhibit_evaluation_warnings`).
    pub fn never_evaluated(&self) -> bool {
        self.unevaluated + self.ruled_out > 0
    }

    /// Scope at hand is the file's.
    pub fn at_file_scope(&self) -> bool {
        self.scopes.is_file_scope()
    }

    /// Whether one of these checks is made at run time of the code being parsed.
    pub fn checks(&mut self, any: platform::options::Sanitizers) -> bool {
        self.options.sanitize.checks(any) && self.function().is_some()
    }

    /// The function being parsed.
    pub fn function(&mut self) -> Option<&mut FunctionState<'a>> {
        self.functions.last_mut()
    }

    /// The function being parsed, when there must be one.
    pub fn fun(&mut self) -> &mut FunctionState<'a> {
        match self.functions.last_mut() {
            Some(function) => function,
            None => base::bug!("statement outside a function"),
        }
    }

    /// A name for a value bound by an enclosing expression. Numbered through the whole external
    /// declaration: parameters' types may contain such expressions before their function is begun.
    pub fn new_opaque(&mut self) -> crate::tree::OpaqueId {
        self.opaques += 1;
        crate::tree::OpaqueId::new(self.opaques as usize - 1)
    }

    /// Copies a slice into the arena.
    pub fn slice<T: Copy>(&self, items: &[T]) -> &'a [T] {
        self.arena.alloc_slice_copy(items)
    }

    /// Label `id` of the current function.
    pub fn label_mut(&mut self, id: LabelId) -> &mut crate::tree::LabelInfo {
        &mut self.fun().labels[id.index()]
    }
}

/// A name in quotes: without the formatting machinery, as this is done for names that no message
/// mentions in the end.
pub fn quoted(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    text.push('\'');
    text.push_str(name);
    text.push('\'');
    text
}

/// The flag about what a standard has brought.
fn compatibility_flag(standard: Standard) -> Option<WarningId> {
    match standard {
        Standard::C99 => Some(base::warning::C90_C99_COMPAT),
        Standard::C11 => Some(base::warning::C99_C11_COMPAT),
        Standard::C23 => Some(base::warning::C11_C2X_COMPAT),
        _ => None,
    }
}
