//! `-g`: variables, their scopes and their types as the debugger is told of them.
//!
//! A type gets its index when something first refers to it, and its contents at the end of the
//! unit, when every structure that is ever completed is complete; so nothing here recurses.

use base::debug_types::{BaseEncoding, DebugType, Member, Qualifier, TypeIndex, TypeTable};
use base::{Interner, Session};
use ir::debug::{DebugCallee, DebugGlobal, DebugScope, DebugVariable, FunctionDebug, VariablePlace};
use ir::{SymbolId, Value};
use platform::options::Options;
use rustc_hash::FxHashMap;

use super::function::{Fx, Local};
use super::state::State;
use crate::tree::print::type_name;
use crate::tree::*;

/// Level of `-g` from which variables and types are described.
const VARIABLES_LEVEL: u8 = 2;

/// Whether variables are described.
pub fn wanted(options: &Options) -> bool {
    options.codegen.debug_level >= VARIABLES_LEVEL
}

/// Indices given to types so far.
#[derive(Default)]
pub struct DebugTypes {
    indices: FxHashMap<QualType, Option<TypeIndex>>,
    /// Types by index.
    given: Vec<QualType>,
}

impl DebugTypes {
    /// The index of a type as written; `None` for `void`, and for what is no type after an error.
    pub fn index(&mut self, types: &Types, ty: QualType) -> Option<TypeIndex> {
        if let Some(&known) = self.indices.get(&ty) {
            return known;
        }
        if let Some(same) = simpler(types, ty) {
            let index = self.index(types, same);
            self.indices.insert(ty, index);
            return index;
        }
        let none = ty.quals().is_empty()
            && types.typedef_of(ty.ty()).is_none()
            && matches!(types.qkind(ty), TypeKind::Void | TypeKind::Error);
        let index = (!none).then(|| {
            self.given.push(ty);
            TypeIndex(self.given.len() as u32 - 1)
        });
        self.indices.insert(ty, index);
        index
    }

    /// The contents of all types asked for, and of those they refer to. `symbol` is the symbol of a
    /// function, by the index of its declaration.
    pub fn finish(mut self, types: &Types, names: &Interner, symbol: impl Fn(u32) -> Option<SymbolId>) -> TypeTable {
        let mut table = TypeTable::default();
        let mut next = 0;
        while let Some(&ty) = self.given.get(next) {
            let entry = self.describe(types, names, ty, &symbol);
            table.push(entry);
            next += 1;
        }
        table
    }

    fn describe(
        &mut self,
        types: &Types,
        names: &Interner,
        ty: QualType,
        symbol: &impl Fn(u32) -> Option<SymbolId>,
    ) -> DebugType {
        let typedef = types.typedef_of(ty.ty());
        // The qualifiers of what a typedef names are not the name's.
        let own = typedef.map_or(Quals::NONE, |typedef| typedef.ty.quals());
        let outer = ty.quals().without(own);
        if let (TypeKind::Array { elem, len }, false) = (types.qkind(ty), outer.is_empty()) {
            return self.array(types, elem.with(outer), len);
        }
        if let Some((qualifier, quals)) = outer_qualifier(outer) {
            return DebugType::Qualified(qualifier, self.index(types, ty.without(quals)));
        }
        if let Some(typedef) = typedef {
            return DebugType::Typedef {
                name: names.resolve(typedef.name).into(),
                ty: self.index(types, typedef.ty),
                loc: typedef.loc,
                function: typedef.function.and_then(symbol).map(SymbolId::as_u32),
            };
        }
        match types.qkind(ty) {
            TypeKind::Pointer(to) => DebugType::Pointer(self.index(types, to)),
            TypeKind::Array { elem, len } => self.array(types, elem, len),
            TypeKind::Vector { elem, lanes } => {
                let (element, count) = (self.index(types, elem.into()), Some(lanes.into()));
                DebugType::Array { element, count, bound: None, vector: true }
            }
            TypeKind::Function(signature) => {
                let signature = types.signature(signature);
                DebugType::Function {
                    result: self.index(types, signature.ret),
                    parameters: signature.params.iter().map(|&p| self.index(types, p)).collect(),
                    variadic: signature.variadic,
                    prototyped: signature.prototype,
                }
            }
            TypeKind::Record(id) => self.record(types, names, &types.records[id], symbol),
            TypeKind::Enum(id) => {
                let info = &types.enums[id];
                DebugType::Enumeration {
                    name: info.tag.map(|name| names.resolve(name).into()),
                    underlying: self.index(types, info.underlying.into()),
                    size: types.size_of(info.underlying).unwrap_or(4),
                    values: info.constants.iter().map(|&(name, value)| (names.resolve(name).into(), value)).collect(),
                    loc: info.loc,
                    function: info.function.and_then(symbol).map(SymbolId::as_u32),
                }
            }
            kind => base_type(types, names, ty, kind),
        }
    }

    /// An array. As in gcc, names of the array types that are its elements do not count.
    fn array(&mut self, types: &Types, elem: QualType, len: ArrayLen) -> DebugType {
        let mut elem = elem;
        while let (TypeKind::Array { .. }, Some(typedef)) = (types.qkind(elem), types.typedef_of(elem.ty())) {
            elem = typedef.ty.with(elem.quals());
        }
        let count = if let ArrayLen::Constant(count) = len { Some(count) } else { None };
        let bound = if let ArrayLen::Variable(vla) = len { Some(vla.as_u32()) } else { None };
        DebugType::Array { element: self.index(types, elem), count, bound, vector: false }
    }

    /// A structure or union with its members.
    fn record(
        &mut self,
        types: &Types,
        names: &Interner,
        record: &Record,
        symbol: &impl Fn(u32) -> Option<SymbolId>,
    ) -> DebugType {
        let text = |name: Option<base::Symbol>| name.map(|n| Box::from(names.resolve(n)));
        let members = record.fields.iter().filter(|f| f.name.is_some() || f.bits.is_none());
        let members = members.map(|field| Member {
            name: text(field.name),
            ty: self.index(types, field.written),
            offset: field.offset,
            bits: field.bits.map(|b| (b.bit_offset, b.width)),
            loc: field.loc,
        });
        let body = record.complete.then(|| (record.size, members.collect()));
        let is_union = record.kind == RecordKind::Union;
        let function = record.function.and_then(symbol).map(SymbolId::as_u32);
        DebugType::Record { name: text(record.tag), is_union, body, loc: record.loc, function }
    }
}

/// Another type that a debugger is told of in place of `ty`: without the alignment that an
/// attribute gave it, and what a typedef names where qualifiers that it has are gone.
fn simpler(types: &Types, ty: QualType) -> Option<QualType> {
    match types.typedef_of(ty.ty()) {
        Some(typedef) if !ty.quals().has(typedef.ty.quals()) => Some(typedef.ty.unqualified().with(ty.quals())),
        None if types.bare_ty(ty.ty()) == ty.ty() && types.canonical(ty.ty()) != ty.ty() => {
            Some(QualType::new(types.canonical(ty.ty()), ty.quals()))
        }
        _ => None,
    }
}

/// What a debugger is told of a type that a cast or the like names: what pointers and arrays lead
/// to, down to the first name (gcc's `used_types_insert`).
fn named_type(types: &Types, ty: QualType) -> QualType {
    let mut ty = ty;
    while types.typedef_of(ty.ty()).is_none()
        && let TypeKind::Pointer(inner) | TypeKind::Array { elem: inner, .. } = types.qkind(ty)
    {
        ty = inner;
    }
    ty.unqualified()
}

/// The outermost of these qualifiers.
fn outer_qualifier(have: Quals) -> Option<(Qualifier, Quals)> {
    let rows = [
        (Quals::ATOMIC, Qualifier::Atomic),
        (Quals::CONST, Qualifier::Const),
        (Quals::VOLATILE, Qualifier::Volatile),
        (Quals::RESTRICT, Qualifier::Restrict),
    ];
    rows.into_iter().find(|(quals, _)| have.has(*quals)).map(|(quals, q)| (q, quals))
}

fn base_type(types: &Types, names: &Interner, ty: QualType, kind: TypeKind) -> DebugType {
    let is_char = matches!(kind, TypeKind::Int(IntKind::Char | IntKind::SChar | IntKind::UChar));
    let encoding = match kind {
        TypeKind::Bool => BaseEncoding::Boolean,
        TypeKind::Float(kind) if kind.decimal().is_some() => BaseEncoding::DecimalFloat,
        TypeKind::Float(_) => BaseEncoding::Float,
        TypeKind::Complex(part) if types.is_floating(part) => BaseEncoding::ComplexFloat,
        _ => match (types.is_signed(ty.ty()), is_char) {
            (true, true) => BaseEncoding::SignedChar,
            (true, false) => BaseEncoding::Signed,
            (false, true) => BaseEncoding::UnsignedChar,
            (false, false) => BaseEncoding::Unsigned,
        },
    };
    let name = type_name(types, names, ty.unqualified()).into();
    DebugType::Base { name, size: types.size_of(ty).unwrap_or(0), encoding }
}

/// Begins the description of the function being lowered.
pub fn begin(fx: &mut Fx<'_, '_>) {
    if !wanted(fx.options) {
        return;
    }
    let info = &fx.unit.decls[fx.def.decl];
    let signature = fx.unit.types.signature_of(fx.unit.written(fx.def.decl).ty());
    let (result, prototyped) = signature.map_or((Ty::VOID.into(), true), |s| (s.ret, s.prototype));
    let variadic = signature.is_some_and(|s| s.variadic);
    for &ty in fx.def.used_types {
        fx.state.debug_types.index(&fx.unit.types, named_type(&fx.unit.types, ty));
    }
    let name = info.name.map_or("", |n| fx.session.str(n)).into();
    let result = fx.state.debug_types.index(&fx.unit.types, result);
    let scopes = vec![DebugScope { parent: 0, begin: fx.def.loc, end: fx.def.body.end }];
    fx.func.debug =
        Some(Box::new(FunctionDebug { name, result, prototyped, variadic, scopes, ..FunctionDebug::default() }));
}

/// A block opens here; the scope to go back to.
pub fn open_scope(fx: &mut Fx<'_, '_>) -> u32 {
    let outer = fx.debug_scope;
    // The function's body is the function's own scope.
    if !fx.scopes.is_empty()
        && let Some(debug) = &mut fx.func.debug
    {
        fx.debug_scope = debug.scopes.len() as u32;
        debug.scopes.push(DebugScope { parent: outer, begin: fx.loc, end: fx.loc });
    }
    outer
}

/// The innermost block ends here.
pub fn close_scope(fx: &mut Fx<'_, '_>, outer: u32) {
    let scope = fx.debug_scope as usize;
    if scope != 0
        && outer != fx.debug_scope
        && let Some(debug) = &mut fx.func.debug
    {
        debug.scopes[scope].end = fx.loc;
    }
    fx.debug_scope = outer;
}

/// Describes a variable whose place is known.
pub fn variable(fx: &mut Fx<'_, '_>, decl: DeclId, local: Local) {
    if fx.func.debug.is_none() {
        return;
    }
    let info = fx.unit.decls[decl];
    let Some(name) = info.name else { return };
    let (place, by_address) = match local {
        Local::At(place) => (place_of(fx, place.base), false),
        Local::Register(_) => (VariablePlace::Elsewhere, false),
        Local::Indirect(slot) => (place_of(fx, slot), true),
    };
    let variable = DebugVariable {
        name: fx.session.str(name).into(),
        ty: fx.state.debug_types.index(&fx.unit.types, fx.unit.written(decl)),
        loc: info.loc,
        scope: fx.debug_scope,
        parameter: info.kind == DeclKind::Parameter,
        place,
        inlined: None,
        by_address,
        bound: None,
    };
    if let Some(debug) = &mut fx.func.debug {
        debug.variables.push(variable);
    }
}

/// Describes the slots of the lengths of variable-length arrays, once all blocks are lowered.
pub fn bounds(fx: &mut Fx<'_, '_>) {
    if fx.func.debug.is_none() {
        return;
    }
    let mut slots: Vec<(u32, Value)> = fx.vla_lens.iter().map(|(vla, &slot)| (vla.as_u32(), slot)).collect();
    slots.sort_unstable_by_key(|slot| slot.0);
    for (bound, slot) in slots {
        let variable = DebugVariable {
            name: "".into(),
            ty: fx.state.debug_types.index(&fx.unit.types, Ty::SIZE.plain()),
            loc: fx.def.loc,
            scope: 0,
            parameter: false,
            place: place_of(fx, slot),
            inlined: None,
            by_address: false,
            bound: Some(bound),
        };
        if let Some(debug) = &mut fx.func.debug {
            debug.variables.push(variable);
        }
    }
}

fn place_of(fx: &Fx<'_, '_>, base: Value) -> VariablePlace {
    if let Some(index) = fx.func.params().iter().position(|&p| p == base) {
        return VariablePlace::Parameter(index as u32);
    }
    match fx.func.def_inst(base) {
        Some(inst) if fx.func.insts[inst].opcode == ir::Opcode::Alloca => VariablePlace::Alloca(inst),
        _ => VariablePlace::Elsewhere,
    }
}

/// Describes a variable or function that is referred to here and defined elsewhere.
pub fn declared(state: &mut State, unit: &Unit, session: &Session, options: &Options, decl: DeclId) {
    let info = &unit.decls[decl];
    let (true, Some(name), Some(symbol)) = (wanted(options), info.name, state.symbols[decl].expand()) else { return };
    let data = &state.module.symbols[symbol];
    if !matches!(data.def, ir::SymbolDef::Undefined) || !data.referenced {
        return;
    }
    if info.kind == DeclKind::Variable {
        describe_global(state, unit, session, decl, symbol, true);
    } else if info.kind == DeclKind::Function {
        let (name, loc) = (session.str(name).into(), info.loc);
        let ty = state.debug_types.index(&unit.types, unit.written(decl));
        state.module.debug.callees.push(DebugCallee { name, ty, loc, symbol });
    }
}

/// Describes a variable of static storage duration that is defined here.
pub fn global(state: &mut State, unit: &Unit, session: &Session, options: &Options, decl: DeclId, symbol: SymbolId) {
    if wanted(options) {
        describe_global(state, unit, session, decl, symbol, false);
    }
}

fn describe_global(
    state: &mut State,
    unit: &Unit,
    session: &Session,
    decl: DeclId,
    symbol: SymbolId,
    declaration: bool,
) {
    let info = &unit.decls[decl];
    let Some(name) = info.name else { return };
    if info.flags.has(DeclFlags::ANONYMOUS) || info.flags.has(DeclFlags::FUNC_NAME) {
        return;
    }
    let function = info.function.expand().and_then(|f| state.symbols[f].expand());
    let global = DebugGlobal {
        name: session.str(name).into(),
        ty: state.debug_types.index(&unit.types, unit.written(decl)),
        loc: info.loc,
        symbol,
        function,
        thread: info.duration == StorageDuration::Thread,
        declaration,
    };
    state.module.debug.globals.push(global);
}
