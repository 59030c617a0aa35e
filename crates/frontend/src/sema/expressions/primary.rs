//! Primary expressions (C23 6.5.2): identifiers, literals, statement expressions.

use base::{Loc, Symbol, warning};
use cranelift_entity::packed_option::PackedOption;
use platform::options::Standard;

use crate::sema::suggestions::{self, Wanted};
use crate::sema::{Sema, State, builtins, declarations, lints, literals};
use crate::tree::walk::{Node, walk};
use crate::tree::{
    ArrayLen, Bits128, CallAbi, Category, Decl, DeclFlags, DeclId, DeclKind, Expr, ExprFlags, ExprKind, ExprRef,
    Linkage, Name, Quals, Signature, Stmt, StmtKind, StorageDuration, Ty, VlaBound,
};

/// An identifier. `called` says that `(` follows: then an unknown name is an implicitly declared
/// function.
pub fn identifier<'a>(cx: &mut Sema<'_, 'a>, name: Name, called: bool) -> ExprRef<'a> {
    match cx.scopes.lookup(name.symbol) {
        Some(id) => decl_ref(cx, id, name.loc),
        None => unknown(cx, name, called),
    }
}

/// An expression that names a declared entity.
pub fn decl_ref<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, loc: Loc) -> ExprRef<'a> {
    let decl = cx.unit.decls[id];
    match decl.kind {
        DeclKind::EnumConstant => {
            lints::enumerator_named(cx, id, loc);
            cx.note_used_type(decl.written);
            let flags = ExprFlags::ICE.with(ExprFlags::CONSTANT);
            return cx.int(decl.value.signed(), decl.ty.ty(), loc, flags);
        }
        DeclKind::Typedef => {
            let name = cx.dname(id);
            cx.error(loc, format!("unexpected type name {name}: expected expression"));
            return cx.error_expr(loc);
        }
        DeclKind::Variable | DeclKind::Parameter | DeclKind::Function => {}
    }
    if cx.types().is_error(decl.ty.ty()) {
        return cx.error_expr(loc);
    }
    lints::declaration_named(cx, id, decl.linkage, loc);
    if cx.functions.len() > 1 {
        note_capture(cx, id);
    }
    let inside = cx.functions.last().is_some_and(|function| function.decl == id);
    if cx.unevaluated > 0 && !inside {
        cx.unit.decls[id].flags.set(DeclFlags::MENTIONED);
    }
    if decl.kind == DeclKind::Function {
        if cx.unevaluated == 0 && !inside {
            cx.unit.decls[id].flags.set(DeclFlags::REFERENCED);
        }
        return cx.expr_written(ExprKind::Decl(id), (decl.ty, decl.written), Category::Function, loc);
    }
    cx.expr_written(ExprKind::Decl(id), (decl.ty, decl.written), Category::Lvalue, loc)
}

/// Variables of the enclosing functions in the bounds of a nested function's parameters: they were
/// read before the function was known, but it is the function that evaluates them, on entry.
pub fn note_captures_of_bounds(cx: &mut Sema<'_, '_>, bounds: &[VlaBound<'_>]) {
    let (mut used, mut made) = (Vec::new(), Vec::new());
    walk(bounds.iter().map(|bound| Node::Expr(bound.len)), |node| {
        match node {
            Node::Expr(Expr { kind: ExprKind::Decl(id), .. }) => used.push(*id),
            Node::Expr(Expr { kind: ExprKind::CompoundLiteral { decl, .. }, .. }) => made.push(*decl),
            Node::Stmt(Stmt { kind: StmtKind::Decl(local), .. }) => made.push(local.decl),
            _ => {}
        }
        true
    });
    // Objects that the bounds themselves declare are the function's own.
    let current = cx.fun().decl;
    for id in made {
        cx.unit.decls[id].function = current.into();
    }
    for id in used {
        note_capture(cx, id);
    }
}

/// A nested function uses a variable of a function around it.
fn note_capture(cx: &mut Sema<'_, '_>, id: DeclId) {
    let decl = cx.unit.decls[id];
    if (cx.functions.len() < 2 || decl.linkage != Linkage::None || decl.duration != StorageDuration::Automatic)
        && !(cx.functions.len() >= 2 && decl.kind == DeclKind::Function && decl.linkage == Linkage::None)
    {
        return;
    }
    let current = cx.fun().decl;
    let Some(owner) = decl.function.expand() else { return };
    if owner == current {
        return;
    }
    cx.unit.decls[id].flags.set(DeclFlags::CAPTURED);
    // Every function between the use and the owner passes the chain along.
    for function in cx.functions.iter_mut().rev() {
        if function.decl == owner {
            break;
        }
        function.flags.needs_static_chain = true;
    }
}

fn unknown<'a>(cx: &mut Sema<'_, 'a>, name: Name, called: bool) -> ExprRef<'a> {
    let text = cx.str(name.symbol);
    if let Some(expr) = builtins::reference(cx, name, called) {
        return expr;
    }
    if called && !text.starts_with("__builtin_") {
        if let Some(id) = implicit_function(cx, name) {
            return decl_ref(cx, id, name.loc);
        }
        return cx.error_expr(name.loc);
    }
    if text.starts_with("__builtin_") {
        let message = format!("not supported: unknown builtin function '{text}'");
        cx.error(name.loc, message);
        return cx.error_expr(name.loc);
    }
    if cx.undeclared.contains_key(&name.symbol) {
        return cx.error_expr(name.loc);
    }
    cx.undeclared.insert(name.symbol, ());
    if cx.functions.is_empty() {
        let message = format!("'{text}' undeclared here (not in a function)");
        suggestions::undeclared(cx, name, Wanted::Value, message).emit();
    } else {
        let first = cx.undeclared.len() == 1;
        let message = format!("'{text}' undeclared (first use in this function)");
        let builder = suggestions::undeclared(cx, name, Wanted::Value, message);
        if first {
            let note = "each undeclared identifier is reported only once for each function it appears in";
            builder.note(name.loc, note).emit();
        } else {
            builder.emit();
        }
    }
    cx.error_expr(name.loc)
}

/// A call of an undeclared name declares `int name()` (C89); gcc 12 warns from C99 on, C23 makes it
/// an error.
fn implicit_function(cx: &mut Sema<'_, '_>, name: Name) -> Option<DeclId> {
    let text = cx.str(name.symbol);
    // A variable of another block has the name: calling it is what is wrong.
    if let Some(&id) = cx.linked.get(&name.symbol)
        && cx.unit.decls[id].kind == DeclKind::Variable
    {
        return Some(id);
    }
    // A declaration in another block, or an earlier implicit one.
    if let Some(&id) = cx.linked.get(&name.symbol)
        && cx.unit.decls[id].kind == DeclKind::Function
    {
        if !cx.unit.decls[id].flags.has(DeclFlags::IMPLICIT) {
            warn_implicit(cx, name, text);
            // It is declared as `int name()` here (C90 6.3.2.2).
            let ret = cx.types().signature_of(cx.unit.decls[id].ty.ty()).map_or(Ty::INT, |s| s.ret.ty());
            if cx.types().canonical(ret) != Ty::INT {
                let declared = cx.unit.decls[id].loc;
                cx.sess
                    .error(name.loc, format!("incompatible implicit declaration of function '{text}'"))
                    .note(declared, format!("previous declaration of '{text}'"))
                    .emit();
            }
        }
        cx.scopes.bind(name.symbol, id);
        return Some(id);
    }
    if cx.since(Standard::C23) {
        suggestions::undeclared(cx, name, Wanted::Function, format!("implicit declaration of function '{text}'"))
            .emit();
        return None;
    }
    warn_implicit(cx, name, text);
    let ret = Ty::INT.plain();
    let signature = Signature {
        ret,
        params: Box::new([]),
        variadic: false,
        prototype: false,
        noreturn: false,
        restricts: 0,
        abi: CallAbi::Unsaid,
        nocf_check: false,
    };
    let ty = cx.unit.types.function(signature).plain();
    let asm_name = cx.extnames.get(&name.symbol).copied();
    let id = cx.unit.decls.push(Decl {
        name: Some(name.symbol),
        kind: DeclKind::Function,
        ty,
        written: ty,
        loc: name.loc,
        linkage: Linkage::External,
        duration: StorageDuration::None,
        flags: DeclFlags(DeclFlags::IMPLICIT.0 | DeclFlags::NOT_ONLY_INLINE.0),
        align: 0,
        attrs: PackedOption::default(),
        asm_name,
        builtin: None,
        value: Bits128::default(),
        function: PackedOption::default(),
    });
    cx.linked.insert(name.symbol, id);
    cx.scopes.bind(name.symbol, id);
    Some(id)
}

/// `-Wimplicit-function-declaration`, which is on from C99 on. Answers whether it was shown.
pub fn warn_implicit(cx: &mut Sema<'_, '_>, name: Name, text: &str) -> bool {
    let flag = warning::IMPLICIT_FUNCTION_DECLARATION;
    let message = format!("implicit declaration of function '{text}'");
    let builder = if cx.since(Standard::C99) {
        cx.sess.pedwarn(flag, name.loc, message)
    } else if cx.sess.warning_enabled(warning::IMPLICIT, name.loc)
        || cx.sess.diag.is_explicit(&cx.sess.sources, flag, name.loc)
    {
        cx.sess.warn(flag, name.loc, message)
    } else {
        return false;
    };
    suggestions::add(cx, builder, name, Wanted::Function).emit()
}

/// `__func__`, `__FUNCTION__`, `__PRETTY_FUNCTION__`: a static array with the function's name, made
/// on first use.
pub fn function_name<'a>(cx: &mut Sema<'_, 'a>, spelling: &str, loc: Loc) -> ExprRef<'a> {
    let name = match cx.functions.last() {
        Some(function) => {
            if let Some(&(_, id)) = function.func_names.iter().find(|(s, _)| s == spelling) {
                return decl_ref(cx, id, loc);
            }
            cx.unit.decls[function.decl].name.map_or("", |n| cx.str(n))
        }
        None => {
            cx.pedwarn_always(loc, format!("'{spelling}' is not defined outside of function scope"));
            if spelling == "__PRETTY_FUNCTION__" { "top level" } else { "" }
        }
    };
    let mut bytes = literals::narrow_text(cx, name.as_bytes(), loc);
    bytes.push(0);
    let elem = Ty::CHAR.plain().with(Quals::CONST);
    let ty = cx.unit.types.array_of(elem, ArrayLen::Constant(bytes.len() as u64)).plain();
    let symbol = cx.sess.intern(spelling);
    let id = declarations::anonymous_static(cx, Some(symbol), ty, &bytes, loc);
    cx.unit.decls[id].flags.set(DeclFlags(DeclFlags::FUNC_NAME.0 | DeclFlags::REFERENCED.0));
    if let Some(function) = cx.functions.last_mut() {
        function.func_names.push((spelling.to_string(), id));
    }
    decl_ref(cx, id, loc)
}

/// A numeric constant.
pub fn number<'a>(cx: &mut Sema<'_, 'a>, spelling: Symbol, loc: Loc) -> ExprRef<'a> {
    literals::number(cx, spelling, loc)
}

/// `true`, `false`, `nullptr`
pub fn keyword_constant<'a>(cx: &mut Sema<'_, 'a>, value: Option<bool>, loc: Loc) -> ExprRef<'a> {
    match value {
        Some(value) => cx.ice(value as i128, Ty::BOOL, loc),
        None => {
            let flags = ExprFlags::NULL.with(ExprFlags::CONSTANT);
            cx.int(0, Ty::NULLPTR, loc, flags)
        }
    }
}

impl State<'_> {
    /// The declaration a name denotes, if it denotes a type.
    #[inline]
    pub fn typedef(&self, name: Symbol) -> Option<DeclId> {
        self.scopes.lookup(name).filter(|&id| self.unit.decls[id].kind == DeclKind::Typedef)
    }
}

/// `expr` with another location.
pub fn at<'a>(cx: &Sema<'_, 'a>, expr: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    cx.arena.alloc(Expr { loc, ..*expr })
}
