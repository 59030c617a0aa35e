//! Initialisers and ends of declarations: what becomes an object, statement or cleanup.

use base::{Loc, Symbol, warning};

use crate::sema::constants::{known, wide};
use crate::sema::initializers::Finished;
use crate::sema::{Sema, builtins, constants, labels, lints};
use crate::tree::{
    ArrayLen, Bits128, CleanupAction, CleanupId, CleanupScope, DeclFlags, DeclId, DeclKind, Initializer, Linkage,
    LocalDecl, QualType, Quals, StaticInit, StaticVar, Stmt, StmtKind, StorageDuration, Ty, TypeKind, VlaBound,
};

/// Checks, before the initialiser is read, that the object may have one. Answers whether its
/// storage is static, and the type to initialise, as written. An object of variable size may have
/// an empty one only (C23 6.7.11 paragraph 4).
pub fn begin_initializer(cx: &mut Sema<'_, '_>, id: DeclId, empty: bool) -> (bool, QualType) {
    let decl = cx.unit.decls[id];
    let is_static = decl.duration != StorageDuration::Automatic;
    let mut ty = decl.ty;
    if cx.types().is_vla(ty.ty()) && !empty {
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
    let written = cx.types().written_as(decl.written, ty);
    (is_static || decl.flags.has(DeclFlags::CONSTEXPR), written)
}

/// Gives the type as written the length that the array type of an object has got.
pub fn complete_written(cx: &mut Sema<'_, '_>, id: DeclId) {
    let (ty, written) = (cx.unit.decls[id].ty, cx.unit.decls[id].written);
    if let (TypeKind::Array { len, .. }, TypeKind::Array { elem, len: ArrayLen::Incomplete }) =
        (cx.kind(ty), cx.kind(written))
        && len != ArrayLen::Incomplete
    {
        cx.unit.decls[id].written = cx.unit.types.array_of(elem.with(written.quals()), len).plain();
    }
}

/// Notes the type an initialiser completed and the value of a scalar constant.
pub fn finish_initializer<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, ty: QualType, init: Option<&Finished<'a>>) {
    if !cx.types().is_error(ty.ty()) {
        cx.unit.decls[id].ty = ty;
        complete_written(cx, id);
    }
    let decl = cx.unit.decls[id];
    lints::variable_defined(cx, id);
    if let Some(Finished::Static(init)) = init {
        check_section_of_zeros(cx, id, init);
        if cx.types().size_of(ty).is_some_and(|size| size < init.size) {
            cx.flexible_sizes.insert(id, init.size);
        }
    }
    if let Some(init) = init {
        if let Finished::Automatic(&Initializer::Value(value)) = *init {
            lints::given(cx, id, value);
        }
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
        value = constants::integers::wrap(value as i128, info) as u128;
    }
    let decl = &mut cx.unit.decls[id];
    decl.value = Bits128::new(value);
    decl.flags.set(DeclFlags::STATIC_INIT_VALUE);
}

/// A section that has no contents in the file holds zeros only.
fn check_section_of_zeros(cx: &mut Sema<'_, '_>, id: DeclId, init: &StaticInit<'_>) {
    let Some(section) = cx.unit.attrs(id).and_then(|a| a.section) else { return };
    let section = cx.str(section);
    let zero = init.relocs.is_empty() && init.bytes.iter().all(|&byte| byte == 0);
    if platform::section_names::is_zero_filled(section) && !zero {
        let loc = cx.unit.decls[id].loc;
        cx.error(loc, format!("only zero initializers are allowed in section '{section}'"));
    }
}

/// An object without an initialiser must have a complete type; `auto` types and `constexpr` need
/// one.
pub fn check_uninitialised(cx: &mut Sema<'_, '_>, id: DeclId) {
    let decl = cx.unit.decls[id];
    if decl.kind != DeclKind::Variable || cx.types().is_error(decl.ty.ty()) {
        return;
    }
    if decl.flags.has(DeclFlags::CONSTEXPR) {
        cx.error(decl.loc, "'constexpr' data object declaration is not initialized".to_string());
    }
    lints::variable_defined(cx, id);
    lints::uninitialised(cx, id);
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

/// The statement that brings an automatic variable to life, or `None` for static and external ones.
/// Registers the variable with the function.
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
        lints::array_initialised(cx, id);
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
            complete_written(cx, id);
        } else if cx.types().is_incomplete(decl.ty.ty()) {
            cx.error(decl.loc, format!("storage size of {name} isn't known"));
            continue;
        }
        cx.unit.decls[id].flags.set(DeclFlags::DEFINED);
        defined.push(id);
    }
    defined
}

/// `auto x = expression`: the type of an object without a type specifier (C23 6.7.10, GNU
/// `__auto_type`), as written.
pub fn inferred_type(cx: &mut Sema<'_, '_>, init: crate::tree::ExprRef<'_>, quals: Quals) -> QualType {
    if init.cat == crate::tree::Category::BitField {
        cx.error(init.loc, "'__auto_type' used with a bit-field initializer");
    }
    let ty = match cx.kind(init.ty) {
        TypeKind::Array { .. } => {
            let elem = cx.types().array_element(init.written).unwrap_or(init.written);
            cx.pointer_to(elem).plain()
        }
        TypeKind::Function(_) => cx.pointer_to(init.written).plain(),
        _ => init.written.unqualified(),
    };
    ty.with(quals)
}
