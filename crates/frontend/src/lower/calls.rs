//! Function calls.

use std::rc::Rc;

use ir::{AbiParam, FnAttrs, ParamKind, Signature as IrSignature, SymbolId, Type, Value};
use smallvec::SmallVec;

use super::abi::{self, CallConvention, PassMode, RetMode};
use super::function::Fx;
use super::place::{Place, Rvalue};
use super::shapes::{Shape, shape};
use super::{builtins, expressions, lvalues, nested, sanitize, unwinding, va_pack, vector_abi};
use crate::tree::*;

/// What is called.
enum Callee {
    /// A function known by name, with the static chain it wants.
    Symbol(SymbolId, Option<Value>),
    /// An address, and the static chain it is given.
    Pointer(Value, Option<Value>),
}

/// A call whose result is not wanted.
pub fn discard(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, callee: ExprRef<'_>, args: &[ExprRef<'_>]) {
    if fx.descend() {
        call(fx, e, callee, args, None);
    }
    fx.ascend();
}

/// A call. A result in memory goes to `dest` if given.
pub fn call(
    fx: &mut Fx<'_, '_>,
    e: ExprRef<'_>,
    callee: ExprRef<'_>,
    args: &[ExprRef<'_>],
    dest: Option<Place>,
) -> Rvalue {
    call_with_chain(fx, e, callee, args, None, dest)
}

/// A call that passes `given` as the static chain, whatever the function called would get
/// (`__builtin_call_with_static_chain`).
pub fn call_with_chain(
    fx: &mut Fx<'_, '_>,
    e: ExprRef<'_>,
    callee: ExprRef<'_>,
    args: &[ExprRef<'_>],
    given: Option<Value>,
    dest: Option<Place>,
) -> Rvalue {
    let decl = callee.callee_decl();
    let own_body = fx.unit.calls_own_body(callee);
    let nonnull = decl.map_or(0, |decl| nonnull_parameters(fx, decl));
    if let Some(decl) = decl.filter(|_| !own_body && nonnull == 0)
        && let Some(builtin) = fx.unit.decls[decl].builtin
        && let Some(value) = builtins::library::lower(fx, e, builtin, args)
    {
        return value;
    }
    let Some(sig) = fx.types().signature_of(callee.ty.ty()) else {
        base::bug!("the callee is no pointer to a function");
    };
    let ms = abi::ms_abi(fx.options, sig);
    let signature = fx.types().signature_id(callee.ty.ty());
    let (named, variadic, noreturn) = (sig.params.len(), sig.variadic || !sig.prototype, sig.noreturn);
    let (ret, prototype, nocf_check) = (sig.ret.ty(), sig.prototype || !ms, sig.nocf_check);
    let mut types: SmallVec<[Ty; 8]> = SmallVec::new();
    let mut values: SmallVec<[Rvalue; 8]> = SmallVec::new();
    let unnoted = std::mem::replace(&mut fx.unnoted, false);
    arguments(fx, args, e.loc, &mut types, &mut values);
    fx.unnoted = unnoted;
    if !fx.live {
        return expressions::dummy(fx, e.ty.ty());
    }
    let prefixed = callee.callee_name().is_some_and(|name| name.flags.has(ExprFlags::BUILTIN_NAME));
    let (target, attrs, variadic) = match decl.filter(|&d| fx.unit.decls[d].kind == DeclKind::Function) {
        Some(decl) if fx.state.va_pack_users[decl] && variadic && !prefixed => {
            let symbol = fx.state.va_pack_clone(fx.unit, fx.session, decl, types[named..].to_vec());
            (Callee::Symbol(symbol, given), fx.function_attrs(decl), false)
        }
        Some(decl) => {
            let (symbol, chain) = nested::call_target(fx, decl);
            let mut attrs = fx.function_attrs(decl);
            if prefixed || fx.state.is_apart_from_body(fx.unit, decl) {
                attrs.set(FnAttrs::APART);
            }
            if own_body {
                attrs.0 &= !(FnAttrs::LIBRARY | super::attributes::PROMISES);
            }
            (Callee::Symbol(symbol, given.or(chain)), attrs, variadic)
        }
        None => (Callee::Pointer(expressions::scalar(fx, callee), given), FnAttrs::default(), variadic),
    };
    let mut attrs = attrs;
    if noreturn {
        attrs.set(FnAttrs::NORETURN);
    }
    if nocf_check {
        attrs.set(FnAttrs::NOCF_CHECK);
    }
    if !fx.live {
        return expressions::dummy(fx, e.ty.ty());
    }
    if nonnull != 0 {
        sanitize::values::arguments(fx, nonnull, e.loc, &types, &values);
    }
    for (value, ty) in values.iter_mut().zip(&types) {
        if fx.types().is_vla(*ty) {
            let copy = lvalues::stable(fx, *value, *ty);
            let place = lvalues::spill(fx, copy, *ty);
            *value = Rvalue::Scalar(fx.address(place));
        }
    }
    let named = if variadic && prototype { named } else { types.len() };
    let has_chain = matches!(target, Callee::Symbol(_, Some(_)) | Callee::Pointer(_, Some(_)));
    let plain = signature.filter(|_| !variadic && !has_chain && !ms && named == types.len());
    let known = plain.and_then(|signature| fx.state.plain_calls.get(&signature)).filter(|call| call.abi.takes(&types));
    let abi = match known {
        Some(call) => call.clone(),
        None => {
            if let Some(function) = decl {
                vector_abi::check_call(fx, function, &types, ret, e.loc);
            }
            let abi = abi::build(&fx.unit.types, fx.options, ret, &types, named, variadic, has_chain, ms);
            super::without_sse::check_arguments(fx.state, fx.unit, fx.session, fx.options, &abi, e.loc);
            let call = Rc::new(CallConvention::new(abi));
            if let Some(signature) = plain.filter(|_| call.abi.is_plain()) {
                fx.state.plain_calls.insert(signature, call.clone());
            }
            call
        }
    };
    let note = decl.map_or(0, |decl| note(fx, decl));
    let tail = e.flags.has(ExprFlags::MUST_TAIL);
    let result = emit(fx, target, (attrs, note), tail, &abi, ret, &values, dest);
    match decl {
        Some(decl) => builtins::objects::noted_allocation(fx, decl, result, &types, &values),
        None => result,
    }
}

/// Parameters that must not be null, where that is checked: bit n for number n from zero.
fn nonnull_parameters(fx: &Fx<'_, '_>, decl: DeclId) -> u64 {
    if !sanitize::on(fx, platform::options::Sanitizers::NONNULL) {
        return 0;
    }
    let declared = fx.unit.attrs(decl).map_or(0, |attrs| attrs.nonnull);
    let info = &fx.unit.decls[decl];
    let name = info.name.filter(|_| info.builtin.is_some()).map_or("", |name| fx.session.str(name));
    declared | crate::sema::library::library_nonnull(name.strip_prefix("__builtin_").unwrap_or(name))
}

/// The number of what the attributes `error` and `warning` have to say of a call (see
/// [`ir::CallInfo::note`]).
fn note(fx: &mut Fx<'_, '_>, decl: DeclId) -> u32 {
    let Some(attrs) = fx.unit.attrs(decl) else { return 0 };
    let (is_error, message) = match (attrs.error, attrs.warning) {
        (Some(message), _) => (true, message),
        (None, Some(message)) => (false, message),
        (None, None) => return 0,
    };
    let function = fx.unit.decls[decl].name.map_or("", |name| fx.session.str(name)).into();
    fx.state.module.call_note(ir::CallNote { is_error, function, message: fx.session.str(message).into() })
}

/// Evaluates arguments from right to left, and plain variables last of all: the order is
/// unspecified, but it is what gcc does, and programs have come to rely on it.
fn arguments(
    fx: &mut Fx<'_, '_>,
    args: &[ExprRef<'_>],
    loc: base::Loc,
    types: &mut SmallVec<[Ty; 8]>,
    values: &mut SmallVec<[Rvalue; 8]>,
) {
    let mut plain: SmallVec<[(usize, ExprRef<'_>); 8]> = SmallVec::new();
    for &arg in args.iter().rev() {
        if va_pack::is_pack(arg) {
            if !va_pack::expand(fx, types, values) {
                return;
            }
            continue;
        }
        types.push(arg.ty.ty());
        if is_plain_variable(fx, arg) {
            plain.push((values.len(), arg));
            values.push(Rvalue::Void);
        } else {
            let call = fx.loc;
            let value = sanitize::whole_value(fx, Some(loc), arg, |fx| {
                expressions::value_is_at(fx, call, arg);
                expressions::rvalue(fx, arg)
            });
            values.push(value);
        }
    }
    for (index, arg) in plain {
        values[index] = expressions::rvalue(fx, arg);
    }
    types.reverse();
    values.reverse();
}

/// The value of a local scalar whose address is not taken.
fn is_plain_variable(fx: &Fx<'_, '_>, e: ExprRef<'_>) -> bool {
    let ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand } = e.kind else { return false };
    sanitize::values::is_register(fx, operand)
}

fn emit(
    fx: &mut Fx<'_, '_>,
    callee: Callee,
    (attrs, note): (FnAttrs, u32),
    tail: bool,
    call: &CallConvention,
    ret: Ty,
    values: &[Rvalue],
    dest: Option<Place>,
) -> Rvalue {
    let abi = &call.abi;
    let mut list: SmallVec<[Value; 8]> = SmallVec::new();
    let callee = match callee {
        Callee::Symbol(symbol, chain) => {
            list.extend(chain);
            fx.func.symbol_const(symbol, 0)
        }
        Callee::Pointer(value, chain) => {
            list.extend(chain);
            value
        }
    };
    let result_place = if abi.ret.is_memory() {
        let place = match (tail, fx.sret) {
            (true, Some(sret)) => Place::new(sret, fx.types().align_of(ret)),
            _ => dest.unwrap_or_else(|| result_temp(fx, ret)),
        };
        list.push(fx.address(place));
        Some(place)
    } else {
        None
    };
    for ((ty, mode), &value) in abi.params.iter().zip(values) {
        match (mode, value) {
            (PassMode::Ignore, _) => {}
            (PassMode::Scalar(_), Rvalue::Scalar(v)) => {
                let v = abi::widen(fx, v, *ty);
                list.push(v);
            }
            (PassMode::Pieces(pieces), _) => {
                let parts = abi::split(fx, value, pieces, *ty);
                list.extend(parts);
            }
            (PassMode::Indirect { .. }, _) => {
                let copy = lvalues::temporary(fx, *ty);
                lvalues::store(fx, copy, (*ty).into(), value);
                list.push(fx.address(copy));
            }
            _ => {
                let place = lvalues::spill(fx, value, *ty);
                list.push(fx.address(place));
            }
        }
    }
    let sig = call.sig.get().unwrap_or_else(|| fx.state.module.signature(abi.signature()));
    call.sig.set(Some(sig));
    let returns = abi.returns();
    let inst = fx.b().call(sig, attrs, &returns, callee, &list);
    fx.func.set_call_note(inst, note);
    let results: SmallVec<[Value; 2]> = fx.func.results(inst).collect();
    if tail {
        // What the callee returns is what this function returns.
        fx.func.add_flags(inst, ir::flags::MUST_TAIL);
        fx.ret_values(&results);
        return expressions::dummy(fx, ret);
    }
    if attrs.has(FnAttrs::RETURNS_TWICE) {
        unwinding::restore(fx);
    }
    if attrs.has(FnAttrs::NORETURN) {
        fx.unreachable();
        return expressions::dummy(fx, ret);
    }
    match (&abi.ret, result_place) {
        (RetMode::Memory, Some(place)) if shape(fx.types(), ret) == Shape::Memory => Rvalue::Memory(place),
        (RetMode::Memory, Some(place)) => lvalues::load(fx, place, ret.into()),
        (RetMode::Scalar(ty), _) => {
            let value = abi::narrow(fx, results[0], *ty);
            Rvalue::Scalar(lvalues::normalize(fx, value, ret))
        }
        (RetMode::Pieces(pieces), _) => match dest {
            Some(place) => {
                abi::store_pieces(fx, &results, pieces, place);
                Rvalue::Memory(place)
            }
            None => abi::join(fx, &results, pieces, ret),
        },
        _ if shape(fx.types(), ret) == Shape::Memory => Rvalue::Memory(dest.unwrap_or_else(|| result_temp(fx, ret))),
        _ => Rvalue::Void,
    }
}

fn result_temp(fx: &mut Fx<'_, '_>, ty: Ty) -> Place {
    lvalues::temporary(fx, ty)
}

/// Calls the function of a `cleanup` attribute with the variable's address.
pub fn call_cleanup(fx: &mut Fx<'_, '_>, function: DeclId, address: Value) {
    let (symbol, chain) = nested::call_target(fx, function);
    let attrs = fx.function_attrs(function);
    let sig = fx.types().signature_of(fx.unit.decls[function].ty.ty());
    let ret = sig.map_or(Ty::VOID, |s| s.ret.ty());
    let ms = sig.is_some_and(|sig| abi::ms_abi(fx.options, sig));
    let abi = abi::build(&fx.unit.types, fx.options, ret, &[Ty::VOID_PTR], 1, false, chain.is_some(), ms);
    let abi = CallConvention::new(abi);
    emit(fx, Callee::Symbol(symbol, chain), (attrs, 0), false, &abi, ret, &[Rvalue::Scalar(address)], None);
}

/// Calls a library function by name; parameters have the types of `args`.
pub fn library_call(fx: &mut Fx<'_, '_>, name: &str, args: &[Value], returns: &[Type]) -> SmallVec<[Value; 2]> {
    let mut sig = IrSignature { returns: returns.iter().copied().collect(), ..IrSignature::default() };
    for &arg in args {
        sig.params.push(AbiParam { ty: fx.ty(arg), kind: ParamKind::Direct });
    }
    if !fx.live {
        return returns.iter().map(|&ty| fx.func.bits_const(ty, 0)).collect();
    }
    let symbol = fx.state.module.external_function(name, sig.clone());
    fx.state.module.symbols[symbol].referenced = true;
    let sig = fx.state.module.signature(sig);
    let inst = fx.b().call_symbol(symbol, sig, FnAttrs::default(), returns, args);
    fx.func.results(inst).collect()
}

/// Calls a library function with one result.
pub fn library_value(fx: &mut Fx<'_, '_>, name: &str, args: &[Value], ret: Type) -> Value {
    library_call(fx, name, args, &[ret])[0]
}

/// Calls a library function that writes its result through a hidden pointer.
pub fn library_struct_return(fx: &mut Fx<'_, '_>, name: &str, result: Value, args: &[Value]) {
    if !fx.live {
        return;
    }
    let mut sig = IrSignature::default();
    sig.returns.push(Type::PTR);
    sig.params.push(AbiParam { ty: Type::PTR, kind: ParamKind::StructReturn });
    let mut list: SmallVec<[Value; 8]> = SmallVec::new();
    list.push(result);
    for &arg in args {
        sig.params.push(AbiParam { ty: fx.ty(arg), kind: ParamKind::Direct });
        list.push(arg);
    }
    let symbol = fx.state.module.external_function(name, sig.clone());
    fx.state.module.symbols[symbol].referenced = true;
    let sig = fx.state.module.signature(sig);
    fx.b().call_symbol(symbol, sig, FnAttrs::default(), &[Type::PTR], &list);
}
