//! Function definitions (C23 6.9.2): the state of the body being parsed, parameters, the finished
//! tree.

use base::{Loc, Symbol, warning};
use platform::options::Standard;
use rustc_hash::FxHashMap;

use super::expressions::primary::note_captures_of_bounds;
use super::labels::{JumpScope, JumpScopeId};
use super::switch::SwitchState;
use super::{Sema, labels, lints, types};
use crate::tree::{
    Block, CleanupId, CleanupScope, DeclFlags, DeclId, DeclKind, FunctionDef, FunctionFlags, LabelId, LabelInfo,
    Linkage, QualType, Ty, TypeKind, VlaBound,
};

/// A function whose body is being parsed.
pub struct FunctionState<'a> {
    /// The function.
    pub decl: DeclId,
    /// Its result type.
    pub ret: QualType,
    /// The same as written.
    pub ret_written: QualType,
    /// Its parameters.
    pub params: Vec<DeclId>,
    /// Defined with an identifier list.
    pub old_style: bool,
    /// Bounds in parameter types.
    pub param_bounds: &'a [VlaBound<'a>],
    /// Labels, indexed by `LabelId`.
    pub labels: Vec<LabelInfo>,
    /// Which of them are defined.
    pub label_defined: Vec<bool>,
    /// Labels of the whole function by name.
    pub label_names: FxHashMap<Symbol, LabelId>,
    /// `__label__` declarations of open blocks, innermost last.
    pub local_labels: Vec<(Symbol, LabelId)>,
    /// Automatic variables.
    pub locals: Vec<DeclId>,
    /// Types that casts and the like name, as written, where debug information wants them.
    pub used_types: Vec<QualType>,
    /// Scopes with cleanups.
    pub cleanups: Vec<CleanupScope<'a>>,
    /// Innermost open one.
    pub cleanup: Option<CleanupId>,
    /// Facts about the body.
    pub flags: FunctionFlags,
    /// Open `switch` statements.
    pub switches: Vec<SwitchState>,
    /// Enclosing loops and switches, outermost first: what `break` can leave.
    pub breakables: Vec<super::statements::Breakable>,
    /// Inside a deferred statement.
    pub deferring: bool,
    /// Some `break` or `continue` names its statement.
    pub named_jumps: bool,
    /// `__func__` and its synonyms once used.
    pub func_names: Vec<(String, DeclId)>,
    /// Where in the queue of static variables this function's begin.
    pub first_static: usize,
    /// `return` with a value occurred.
    pub returns_value: bool,
    /// Scope depth outside the function.
    pub outer_depth: usize,
    /// The names reported as undeclared around a nested function.
    pub outer_undeclared: FxHashMap<Symbol, ()>,
    /// Gotos: where the jump stands, for the check that it enters no scope it must not.
    pub gotos: Vec<(LabelId, Option<JumpScopeId>, Loc)>,
    /// Scopes that no jump may enter.
    pub jump_scopes: Vec<JumpScope>,
    /// Innermost open one.
    pub jump_scope: Option<JumpScopeId>,
    /// The one each label stands in, by `LabelId`.
    pub label_scopes: Vec<Option<JumpScopeId>>,
}

impl Sema<'_, '_> {
    /// Notes for debug information that the function names a type outside of declarations.
    #[inline]
    pub fn note_used_type(&mut self, written: QualType) {
        if self.options.codegen.debug_level > 1
            && let Some(function) = self.functions.last_mut()
            && !function.used_types.contains(&written)
        {
            function.used_types.push(written);
        }
    }
}

/// Parameters and old-style facts of the declarator of a function definition.
pub struct DefinitionParams<'a> {
    /// Parameters in order.
    pub params: Vec<DeclId>,
    /// Identifier list.
    pub old_style: bool,
    /// Bounds in their types.
    pub bounds: &'a [VlaBound<'a>],
}

/// The `{` of a function body has been reached; the innermost scope holds the parameters.
pub fn begin<'a>(cx: &mut Sema<'_, 'a>, decl: DeclId, definition: DefinitionParams<'a>, outer_depth: usize) {
    let info = cx.unit.decls[decl];
    cx.unit.decls[decl].flags.set(DeclFlags::DEFINED);
    let ret = cx.types().signature_of(info.ty.ty()).map_or(Ty::INT.plain(), |s| s.ret);
    let written = cx.types().signature_of(cx.unit.written(decl).ty()).map_or(ret, |s| s.ret);
    if cx.kind(ret) != TypeKind::Void && cx.types().is_incomplete(ret.ty()) {
        cx.error(info.loc, "return type is an incomplete type");
    }
    lints::function_begins(cx, decl, ret);
    check_interrupt(cx, decl);
    check_kept_registers(cx, decl);
    let nested = !cx.functions.is_empty();
    if nested {
        cx.pedantic(info.loc, "ISO C forbids nested functions");
        cx.fun().flags.has_nested = true;
    }
    for &param in &definition.params {
        let p = cx.unit.decls[param];
        cx.unit.decls[param].function = decl.into();
        lints::declared(cx, param);
        if cx.kind(p.ty) != TypeKind::Error && cx.types().is_incomplete(p.ty.ty()) {
            let name = cx.dname(param);
            let position = definition.params.iter().position(|&q| q == param).unwrap_or(0) + 1;
            let message = match p.name {
                Some(_) => format!("parameter {position} ({name}) has incomplete type"),
                None => format!("parameter {position} has incomplete type"),
            };
            cx.error(p.loc, message);
            cx.unit.decls[param].ty = Ty::ERROR.plain();
        }
        if p.name.is_none() && !cx.since(Standard::C23) {
            cx.pedantic(info.loc, "ISO C does not support omitting parameter names in function definitions before C2X");
        }
    }
    let undeclared = std::mem::take(&mut cx.undeclared);
    let first_static = cx.pending_statics.len();
    cx.functions.push(FunctionState {
        decl,
        ret,
        ret_written: written,
        params: definition.params,
        old_style: definition.old_style,
        param_bounds: definition.bounds,
        labels: Vec::new(),
        label_defined: Vec::new(),
        label_names: FxHashMap::default(),
        local_labels: Vec::new(),
        locals: Vec::new(),
        used_types: Vec::new(),
        cleanups: Vec::new(),
        cleanup: None,
        flags: FunctionFlags::default(),
        switches: Vec::new(),
        breakables: Vec::new(),
        deferring: false,
        named_jumps: false,
        func_names: Vec::new(),
        first_static,
        returns_value: false,
        outer_depth,
        outer_undeclared: undeclared,
        gotos: Vec::new(),
        jump_scopes: Vec::new(),
        jump_scope: None,
        label_scopes: Vec::new(),
    });
    if let Some(name) = info.name {
        cx.sess.diag.enter_function(name, info.loc);
    }
    super::excess::update(cx);
    if cx.functions.len() > 1 {
        note_captures_of_bounds(cx, definition.bounds);
    }
}

/// The body is complete: checks labels, warns, and answers the finished function. Leaves its scope.
pub fn finish<'a>(cx: &mut Sema<'_, 'a>, body: &'a Block<'a>) -> &'a FunctionDef<'a> {
    labels::check_all(cx);
    lints::statements_finished(cx);
    let falls_off = super::flow::statements_fall_through(cx, body.stmts);
    let info = {
        let function = cx.fun();
        function.flags.falls_off_end = falls_off;
        (function.decl, function.ret, function.returns_value)
    };
    lints::function_finished(cx, info.0, info.1, falls_off, body.end);
    let Some(mut state) = cx.functions.pop() else { base::bug!("end of a function that was not begun") };
    if cx.unit.decls[state.decl].name.is_some() {
        cx.sess.diag.leave_function(body.end);
    }
    super::excess::update(cx);
    // Offsets and sizes of an enclosing function's structures of variable size are in its frame.
    state.flags.needs_static_chain |= cx.unit.types.has_variable_records && !cx.functions.is_empty();
    let depth = state.outer_depth;
    cx.scopes.pop_to(depth);
    cx.undeclared = state.outer_undeclared;
    let statics: Vec<_> = cx.pending_statics.drain(state.first_static..).collect();
    let def = FunctionDef {
        decl: state.decl,
        params: cx.slice(&state.params),
        used_types: cx.slice(&state.used_types),
        old_style: state.old_style,
        param_bounds: state.param_bounds,
        body,
        locals: cx.slice(&state.locals),
        statics: cx.slice(&statics),
        labels: cx.slice(&state.labels),
        cleanups: cx.slice(&state.cleanups),
        opaques: cx.opaques,
        flags: state.flags,
        parent: cx.functions.last().map(|f| f.decl),
        loc: cx.unit.decls[state.decl].loc,
    };
    if let Some(outer) = cx.functions.last_mut()
        && def.flags.needs_static_chain
    {
        outer.flags.has_nested = true;
    }
    cx.arena.alloc(def)
}

/// The form of an `interrupt` function (GCC manual, x86 function attributes): no result, a pointer
/// to what the processor pushed and, where there is one, the error code. Only the general registers
/// are saved.
fn check_interrupt(cx: &mut Sema<'_, '_>, decl: DeclId) {
    let info = cx.unit.decls[decl];
    if !cx.unit.attrs(decl).is_some_and(|a| a.flags.has(crate::tree::AttrFlags::INTERRUPT)) {
        return;
    }
    let Some(signature) = cx.types().signature_of(info.ty.ty()).cloned() else { return };
    let params = &signature.params;
    let message = if cx.kind(signature.ret) != TypeKind::Void {
        "interrupt service routine must return 'void'"
    } else if params.is_empty() || !cx.types().is_pointer(params[0].ty()) {
        "interrupt service routine should have a pointer as the first argument"
    } else if params.len() > 2 || signature.variadic {
        "interrupt service routine can only have a pointer argument and an optional integer argument"
    } else if params.get(1).is_some_and(|p| ![Ty::ULONG, Ty::ULONGLONG].contains(&cx.types().canonical(p.ty()))) {
        "interrupt service routine should have 'unsigned long int' as the second argument"
    } else if !cx.options.codegen.general_regs_only {
        "SSE instructions aren't allowed in an interrupt service routine"
    } else {
        return;
    };
    cx.error(info.loc, message);
}

/// A function with the attribute `no_caller_saved_registers` saves general registers only.
fn check_kept_registers(cx: &mut Sema<'_, '_>, decl: DeclId) {
    let flag = crate::tree::AttrFlags::NO_CALLER_SAVED;
    if !cx.options.codegen.general_regs_only && cx.unit.attrs(decl).is_some_and(|a| a.flags.has(flag)) {
        let message = "SSE instructions aren't allowed in a function with the 'no_caller_saved_registers' attribute";
        cx.error(cx.unit.decls[decl].loc, message);
    }
}

/// Declares the parameter an identifier list names but no declaration gave a type: `int`.
pub fn default_parameter(cx: &mut Sema<'_, '_>, name: crate::tree::Name) -> DeclId {
    let text = cx.str(name.symbol);
    if cx.since(Standard::C99) {
        cx.pedwarn(warning::IMPLICIT_INT, name.loc, format!("type of '{text}' defaults to 'int'"));
    } else {
        cx.warn(warning::MISSING_PARAMETER_TYPE, name.loc, format!("type of '{text}' defaults to 'int'"));
    }
    let attrs = super::attributes::Collected::default();
    super::declarations::declare_parameter(cx, Some(name), Ty::INT.plain(), false, &attrs, name.loc)
}

/// Completes a K&R definition: the parameters' types are remembered for calls; a prototype seen
/// before must agree with them after promotion.
pub fn finish_old_style(cx: &mut Sema<'_, '_>, decl: DeclId, params: &[DeclId]) {
    let declared: Vec<QualType> = params.iter().map(|&p| cx.unit.decls[p].ty.unqualified()).collect();
    cx.unit.decls[decl].flags.set(DeclFlags::KNR_DEFINITION);
    let loc = cx.unit.decls[decl].loc;
    if !params.is_empty() && cx.since(Standard::C23) {
        cx.pedwarn(warning::OLD_STYLE_DEFINITION, loc, "old-style function definition");
    } else {
        cx.warn(warning::OLD_STYLE_DEFINITION, loc, "old-style function definition");
    }
    if let Some(signature) = cx.types().signature_of(cx.unit.decls[decl].ty.ty()).cloned()
        && signature.prototype
    {
        if signature.params.len() != declared.len() {
            cx.error(loc, "number of arguments doesn't match prototype");
        } else {
            for (&want, (&have, &param)) in signature.params.iter().zip(declared.iter().zip(params)) {
                let promoted = promoted(cx, have);
                if types::compatible_unqualified(cx.types(), want.ty(), promoted) {
                    continue;
                }
                let (p, loc) = (cx.dname(param), cx.unit.decls[param].loc);
                if types::compatible_unqualified(cx.types(), want.ty(), have.ty()) {
                    cx.pedantic(loc, format!("promoted argument {p} doesn't match prototype"));
                } else {
                    cx.error(loc, format!("argument {p} doesn't match prototype"));
                }
            }
        }
    }
    cx.old_style_parameters.insert(decl, declared);
}

fn promoted(cx: &Sema<'_, '_>, ty: QualType) -> Ty {
    match cx.types().canonical(ty.ty()) {
        Ty::FLOAT => Ty::DOUBLE,
        t if types::changes_under_promotion(cx.types(), t) => Ty::INT,
        t => t,
    }
}

/// Whether the definition must be kept until the end of the unit because nothing may refer to it.
pub fn is_deferrable(cx: &Sema<'_, '_>, decl: DeclId) -> bool {
    let info = cx.unit.decls[decl];
    let always = cx.unit.attrs(decl).is_some_and(|a| a.flags.has(crate::tree::AttrFlags::ALWAYS_INLINE));
    let called = info.flags.has(DeclFlags::REFERENCED) || info.flags.has(DeclFlags::CALLS_ITSELF);
    let unused = info.linkage == Linkage::Internal && !called && !cx.options.keep_static_functions();
    info.kind == DeclKind::Function && (info.flags.has(DeclFlags::INLINE) || always || unused)
}
