//! `-Wpsabi`: vectors of 32 and 64 bytes (and smaller ones, without SSE) are passed in memory where
//! the registers for them are not there, so that objects of other options do not fit. Said once a
//! unit for arguments and once for results, of functions that code outside of the unit calls or
//! that it calls there; at `-O0`, where nothing is inlined, of all.

use base::{Loc, Session, warning};
use platform::options::{OptLevel, Options, X86Features};

use super::function::Fx;
use super::state::State;
use crate::tree::{AttrFlags, DeclFlags, DeclId, FloatKind, FunctionDef, Linkage, QualType, Quals, Ty, TypeKind, Unit};

/// Checks a function that is defined.
pub fn check_definition(state: &mut State, unit: &Unit, session: &Session, options: &Options, def: &FunctionDef<'_>) {
    if let Some(signature) = unit.types.signature_of(unit.decls[def.decl].ty.ty()) {
        let params = signature.params.iter().map(|param| param.ty());
        check(state, unit, session, options, def.decl, (params, signature.ret.ty()), def.loc);
    }
}

/// Checks a function that is called.
pub fn check_call(fx: &mut Fx<'_, '_>, function: DeclId, params: &[Ty], ret: Ty, loc: Loc) {
    let info = &fx.unit.decls[function];
    // At `-O0` a static function is lowered after the first call of it.
    let seen = info.flags.has(DeclFlags::DEFINED) && fx.options.level == OptLevel::O0;
    let loc = if seen { info.loc } else { loc };
    check(fx.state, fx.unit, fx.session, fx.options, function, (params.iter().copied(), ret), loc);
}

/// Checks a function of these types that is called or defined at `loc`.
fn check(
    state: &mut State,
    unit: &Unit,
    session: &Session,
    options: &Options,
    function: DeclId,
    (params, ret): (impl Iterator<Item = Ty>, Ty),
    loc: Loc,
) {
    let features = options.codegen.features;
    let missing = |ty: Ty| {
        let TypeKind::Vector { elem, lanes } = unit.types.kind(ty) else { return None };
        // There are no registers for vectors of decimal numbers.
        let elem_kind = unit.types.kind(elem);
        if matches!(elem_kind, TypeKind::Float(FloatKind::Decimal32 | FloatKind::Decimal64 | FloatKind::Decimal128)) {
            return None;
        }
        match unit.types.size_of(QualType::new(elem, Quals::NONE))? * u64::from(lanes) {
            8 | 16 if !features.has(X86Features::SSE) => Some("SSE"),
            32 if !features.has(X86Features::AVX) => Some("AVX"),
            64 if !features.has(X86Features::AVX512F) => Some("AVX512F"),
            _ => None,
        }
    };
    let mut params = params;
    let (argument, result) = (params.find_map(missing), missing(ret));
    if argument.or(result).is_none() {
        return;
    }
    let info = unit.decls[function];
    let inlined = unit.attrs(function).is_some_and(|attrs| attrs.flags.has(AttrFlags::ALWAYS_INLINE));
    let outside = info.linkage == Linkage::External && !info.flags.has(DeclFlags::INLINE);
    if inlined || !outside && options.level != OptLevel::O0 {
        return;
    }
    for (what, set, said) in [("argument", argument, 1), ("return", result, 2)] {
        if let Some(set) = set
            && state.vector_abi_said & said == 0
        {
            state.vector_abi_said |= said;
            let message = format!("{set} vector {what} without {set} enabled changes the ABI");
            session.warn(warning::PSABI, loc, message).emit();
        }
    }
}
