//! Checks of the undefined behaviour sanitizer, as branches to cold blocks that call libubsan.
//!
//! What is checked, where, and the data that each handler gets are gcc 12's (`ubsan.cc`,
//! `c-family/c-ubsan.cc`; the layouts are those of libubsan's `ubsan_handlers.h`). A check comes
//! before the operation that it guards, and the operation is emitted so that no pass may conclude
//! from it that the check holds: sums wrap, and null pointers may be what they are.
//!
//! | file | what |
//! |---|---|
//! | `mod` | the branch, the call, its data |
//! | `types` | type descriptors |
//! | `arithmetic` | overflow, division, shifts, conversions of floating values |
//! | `memory` | null and misaligned pointers, array bounds, object sizes, pointer arithmetic |
//! | `values` | arguments and results that must not be null, truth values, array lengths |

pub mod arithmetic;
pub mod memory;
mod types;
pub mod values;

use base::Loc;
use ir::{
    AbiParam, BranchHint, DataObject, DataReloc, FnAttrs, Intrinsic, ParamKind, RelocTarget, Signature, SymbolId, Type,
    Value,
};
use platform::options::Sanitizers;
use smallvec::SmallVec;

use super::function::Fx;
use crate::tree::*;

/// A field of the data that a handler gets.
#[derive(Clone, Copy)]
pub enum Field {
    /// `SourceLocation`: file, line, column.
    Loc(Loc),
    /// A `TypeDescriptor *`.
    Type(SymbolId),
    /// An `unsigned char`.
    Byte(u8),
    /// An `int`.
    Int(u32),
    /// The whole object, made before for another check.
    Made(SymbolId),
}

/// A check: what turns it on, and libubsan's function without `__ubsan_handle_`.
#[derive(Clone, Copy)]
pub struct Check {
    /// The option.
    pub group: Sanitizers,
    /// The handler's name.
    pub handler: &'static str,
}

impl Check {
    /// The check that `group` turns on and `handler` reports.
    pub const fn new(group: Sanitizers, handler: &'static str) -> Check {
        Check { group, handler }
    }
}

/// Whether one of these checks is on here.
pub fn on(fx: &Fx<'_, '_>, any: Sanitizers) -> bool {
    fx.options.sanitize.enabled.any(any) && fx.live
}

/// Reports through `check` where one of `bad` (each an i1) is true. `describe` makes data and
/// values; it runs in the cold block.
pub fn report_if(
    fx: &mut Fx<'_, '_>,
    check: Check,
    bad: &[Value],
    describe: impl FnOnce(&mut Fx<'_, '_>) -> (SmallVec<[Field; 4]>, SmallVec<[Value; 2]>),
) {
    if !fx.live || bad.iter().all(|&bit| fx.func.const_bits(bit) == Some(0)) {
        return;
    }
    let go_on = fx.new_block();
    let sanitize = &fx.options.sanitize;
    let shared = sanitize.trap && fx.optimizing();
    let cold = match fx.sanitizer_trap.filter(|_| shared) {
        Some(block) => block,
        None => fx.new_block(),
    };
    for &bit in bad {
        if !fx.live {
            break;
        }
        let next = fx.new_block();
        fx.cond_br(bit, cold, next, BranchHint::Unlikely);
        fx.start(next);
    }
    fx.br(go_on);
    if shared {
        fx.sanitizer_trap = Some(cold);
    } else {
        fx.start(cold);
        report(fx, check, describe);
        fx.br(go_on);
    }
    fx.start(go_on);
}

/// Reports without a condition: what is reached here must not be.
pub fn report(
    fx: &mut Fx<'_, '_>,
    check: Check,
    describe: impl FnOnce(&mut Fx<'_, '_>) -> (SmallVec<[Field; 4]>, SmallVec<[Value; 2]>),
) {
    if !fx.live {
        return;
    }
    let sanitize = &fx.options.sanitize;
    if sanitize.trap {
        return trap(fx);
    }
    let recover = sanitize.recover.any(check.group);
    let abort = if recover || check.group.any(Sanitizers::FATAL) { "" } else { "_abort" };
    let minimal = if sanitize.minimal { "_minimal" } else { "" };
    let name = format!("__ubsan_handle_{}{minimal}{abort}", check.handler);
    let mut args: SmallVec<[Value; 4]> = SmallVec::new();
    if minimal.is_empty() {
        let (fields, values) = describe(fx);
        let data = data(fx, &fields);
        args.push(fx.func.symbol_const(data, 0));
        for value in values {
            args.push(encode(fx, value));
        }
    }
    call(fx, &name, &args, recover);
    if !recover {
        fx.unreachable();
    }
}

/// The end of a function whose checks trap: the block that they share.
pub fn finish(fx: &mut Fx<'_, '_>) {
    if let Some(block) = fx.sanitizer_trap {
        fx.start(block);
        trap(fx);
    }
}

fn trap(fx: &mut Fx<'_, '_>) {
    if fx.live {
        fx.b().intrinsic(Intrinsic::Trap, Type::VOID, &[]);
        fx.unreachable();
    }
}

/// Handlers of faults that are reported once for one value, where one check dominates another.
const COVERING: &[&str] = &[
    "type_mismatch_v1",
    "pointer_overflow",
    "out_of_bounds",
    "add_overflow",
    "sub_overflow",
    "mul_overflow",
    "negate_overflow",
];

/// Calls a handler. It is no call that the program sees: it leaves the program's memory alone.
fn call(fx: &mut Fx<'_, '_>, name: &str, args: &[Value], returns: bool) {
    let params = args.iter().map(|&arg| AbiParam { ty: fx.ty(arg), kind: ParamKind::Direct }).collect();
    let sig = Signature { params, ..Signature::default() };
    let symbol = fx.state.module.external_function(name, sig.clone());
    let sig = fx.state.module.signature(sig);
    let mut attrs = FnAttrs::default();
    // What gcc asks once for one value is known by name.
    let covers = COVERING.iter().any(|handler| name.ends_with(handler));
    attrs.set(FnAttrs::COLD | FnAttrs::NOTHROW);
    attrs.set(if !returns {
        FnAttrs::NORETURN
    } else if covers {
        FnAttrs::REPORT
    } else {
        0
    });
    let data = &mut fx.state.module.symbols[symbol];
    data.referenced = true;
    data.attrs.set(attrs.0);
    fx.b().call_symbol(symbol, sig, attrs, &[], args);
}

/// A value as libubsan takes one: up to 64 bits as they are, others by address.
fn encode(fx: &mut Fx<'_, '_>, value: Value) -> Value {
    let ty = fx.ty(value);
    if ty.is_ptr() {
        return value;
    }
    if ty.bits() > 64 {
        let slot = fx.slot(ty);
        fx.store(value, slot, ir::AliasTags::any());
        return slot.base;
    }
    let bits = match Type::int(ty.bits()) {
        Some(int) if ty.is_float() => fx.bitcast(value, int),
        _ => value,
    };
    fx.int_cast(bits, Type::I64, true)
}

/// The data object of one check: the handler marks the location when it has reported it.
fn data(fx: &mut Fx<'_, '_>, fields: &[Field]) -> SymbolId {
    if let &[Field::Made(object)] = fields {
        return object;
    }
    let mut bytes: Vec<u8> = Vec::new();
    let mut relocs: Vec<DataReloc> = Vec::new();
    let mut pointer = |bytes: &mut Vec<u8>, symbol| {
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        let target = RelocTarget::Symbol(symbol);
        relocs.push(DataReloc { offset: bytes.len() as u64, size: 8, target, addend: 0 });
        bytes.extend([0; 8]);
    };
    for &field in fields {
        match field {
            // As gcc has it, what comes from a macro stands where that is used.
            Field::Loc(loc) => match fx.session.sources.presumed(fx.session.sources.expansion_point(loc)) {
                Some(at) => {
                    let file = file_name(fx, at.file);
                    pointer(&mut bytes, file);
                    bytes.extend(at.line.to_le_bytes());
                    bytes.extend(at.column.to_le_bytes());
                }
                None => bytes.extend([0; 16]),
            },
            Field::Type(symbol) => pointer(&mut bytes, symbol),
            Field::Made(object) => pointer(&mut bytes, object),
            Field::Byte(byte) => bytes.push(byte),
            Field::Int(number) => {
                bytes.resize(bytes.len().next_multiple_of(4), 0);
                bytes.extend(number.to_le_bytes());
            }
        }
    }
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let symbol = fx.state.module.add_private_data(|symbol| DataObject {
        symbol,
        size: bytes.len() as u64,
        align: 8,
        bytes,
        relocs,
        read_only: false,
        constant: false,
        mergeable_string: 0,
        unnamed_addr: false,
        redzone: 0,
    });
    fx.state.module.symbols[symbol].referenced = true;
    symbol
}

fn file_name(fx: &mut Fx<'_, '_>, name: base::Symbol) -> SymbolId {
    let mut text = fx.session.str(name).as_bytes().to_vec();
    text.push(0);
    fx.state.string(fx.options, &text, 1)
}

/// Where a check is said to be: at the operation `e`, or where the statement that it is the whole
/// value of assigns (gcc's statement in three-address form).
pub fn place_of(fx: &Fx<'_, '_>, e: ExprRef<'_>) -> Loc {
    match fx.whole_value {
        Some((whole, loc)) if std::ptr::eq(whole, std::ptr::from_ref(e).cast()) => loc,
        _ => e.loc,
    }
}

/// Lowers `e`, which is the whole value of an assignment to a register variable, or of an argument,
/// at `loc`.
pub fn whole_value<T>(
    fx: &mut Fx<'_, '_>,
    loc: Option<Loc>,
    e: ExprRef<'_>,
    lower: impl FnOnce(&mut Fx<'_, '_>) -> T,
) -> T {
    let whole = loc.map(|loc| (std::ptr::from_ref(e).cast(), loc));
    let outer = std::mem::replace(&mut fx.whole_value, whole);
    let value = lower(fx);
    fx.whole_value = outer;
    value
}

/// Where the value of an assignment at `loc` to a register variable is said to be computed: calls
/// keep their own place. A variable that is read has none of its own in any case.
pub fn assigned_at(register: bool, loc: Loc, value: ExprRef<'_>) -> Option<Loc> {
    let is_call = matches!(value.kind, ExprKind::Call { .. } | ExprKind::Builtin { .. });
    let reads_variable = match value.kind {
        ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand } => operand.decl().is_some(),
        _ => false,
    };
    (register && !is_call || reads_variable).then_some(loc)
}
