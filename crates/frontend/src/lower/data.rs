//! Static objects: from the tree's bytes and address constants to the module's data.
//!
//! Objects that other units can see are defined at once. Local ones wait as [`Pending`] until
//! something refers to them: unused static data, and the undefined symbols it would drag in, never
//! reach the object file.

use base::Session;
use cranelift_entity::EntityRef;
use ir::{DataObject, DataReloc, RelocTarget, SymbolDef, SymbolId};
use platform::options::{CodeModel, Options};
use rustc_hash::FxHashMap;

use super::data_alignment;
use super::state::State;
use crate::tree::*;

/// A static object that is not in the module yet.
pub struct Pending {
    /// The variable.
    pub decl: DeclId,
    size: u64,
    bytes: Vec<u8>,
    relocs: Vec<PendingReloc>,
    tentative: bool,
}

struct PendingReloc {
    offset: u64,
    size: u8,
    target: PendingTarget,
    addend: i64,
}

enum PendingTarget {
    Decl(DeclId),
    String(Box<[u8]>, u8),
    Label(SymbolId, u32),
    LabelDifference(SymbolId, u32, u32),
}

/// A function whose labels data may refer to, and their numbers among those whose address is taken.
pub type LabelNumbers<'a> = (SymbolId, &'a FxHashMap<LabelId, u32>);

/// Takes over the initial value of `decl`. `function` gives the labels' function and numbers.
pub fn take(unit: &Unit, decl: DeclId, init: Option<&StaticInit<'_>>, function: Option<LabelNumbers<'_>>) -> Pending {
    let size = unit.types.size_of(unit.decls[decl].ty).unwrap_or(0);
    let Some(init) = init else {
        return Pending { decl, size, bytes: Vec::new(), relocs: Vec::new(), tentative: true };
    };
    let relocs = init.relocs.iter().map(|reloc| PendingReloc {
        offset: reloc.offset,
        size: reloc.size,
        target: pending_target(reloc.base, function),
        addend: reloc.addend,
    });
    Pending { decl, size: init.size.max(size), bytes: init.bytes.to_vec(), relocs: relocs.collect(), tentative: false }
}

fn pending_target(base: AddressBase<'_>, function: Option<LabelNumbers<'_>>) -> PendingTarget {
    let number = |label: LabelId| match function.map(|(symbol, numbers)| (symbol, numbers.get(&label))) {
        Some((symbol, Some(&number))) => (symbol, number),
        _ => base::bug!("label address outside a function"),
    };
    match base {
        AddressBase::Decl(decl) => PendingTarget::Decl(decl),
        AddressBase::String(literal) => PendingTarget::String(literal.bytes.into(), literal.elem_size),
        AddressBase::Label(label) => {
            let (symbol, number) = number(label);
            PendingTarget::Label(symbol, number)
        }
        AddressBase::LabelDifference(plus, minus) => {
            let (symbol, plus) = number(plus);
            PendingTarget::LabelDifference(symbol, plus, number(minus).1)
        }
    }
}

/// The numbers of the labels whose address is taken, as the function's list has them.
pub fn label_numbers(def: &FunctionDef<'_>) -> FxHashMap<LabelId, u32> {
    let taken = def.labels.iter().enumerate().filter(|(_, label)| label.address_taken && label.outer.is_none());
    taken.zip(0..).map(|((index, _), number)| (LabelId::new(index), number)).collect()
}

/// Makes the module's object; what it refers to counts as referenced.
pub fn resolve(state: &mut State, unit: &Unit, session: &Session, options: &Options, pending: Pending) -> DataObject {
    let symbol = state.symbol(unit, session, options, pending.decl);
    super::debug::global(state, unit, session, options, pending.decl, symbol);
    let relocs = resolve_relocs(state, unit, session, options, &pending.relocs);
    let info = &unit.decls[pending.decl];
    let read_only = is_constant_object(&unit.types, info.ty) && info.duration != StorageDuration::Thread;
    let mut bytes = pending.bytes;
    // An initialiser of zeros is one all the same where that matters: an object without bytes has
    // none.
    if bytes.is_empty() && !pending.tentative && pending.size > 0 && !options.codegen.zero_in_bss {
        bytes.push(0);
    }
    DataObject {
        symbol,
        size: pending.size,
        align: data_alignment::emitted(unit, options, pending.decl),
        bytes,
        relocs,
        read_only,
        constant: is_const(&unit.types, info.ty) && info.duration != StorageDuration::Thread,
        mergeable_string: 0,
        unnamed_addr: info.flags.has(DeclFlags::FUNC_NAME),
        redzone: 0,
    }
}

fn resolve_relocs(
    state: &mut State,
    unit: &Unit,
    session: &Session,
    options: &Options,
    relocs: &[PendingReloc],
) -> Vec<DataReloc> {
    let mut out = Vec::with_capacity(relocs.len());
    for reloc in relocs {
        let target = match &reloc.target {
            PendingTarget::Decl(decl) => RelocTarget::Symbol(state.reference(unit, session, options, *decl)),
            PendingTarget::String(bytes, elem_size) => RelocTarget::Symbol(state.string(options, bytes, *elem_size)),
            &PendingTarget::Label(function, label) => {
                state.module.symbols[function].referenced = true;
                RelocTarget::Label { function, label }
            }
            &PendingTarget::LabelDifference(function, plus, minus) => {
                RelocTarget::LabelDifference { function, plus, minus }
            }
        };
        out.push(DataReloc { offset: reloc.offset, size: reloc.size, target, addend: reloc.addend });
    }
    out
}

/// An unnamed read-only object with the contents of `init`, to be copied from.
pub fn private_constant(
    state: &mut State,
    unit: &Unit,
    session: &Session,
    options: &Options,
    init: &StaticInit<'_>,
    align: u32,
    function: Option<LabelNumbers<'_>>,
) -> SymbolId {
    let align = data_alignment::constant(options, init.size, align);
    if init.relocs.is_empty() {
        let mut bytes = init.bytes.to_vec();
        bytes.resize(init.size as usize, 0);
        return state.constant(&bytes, align, 0);
    }
    let pending: Vec<PendingReloc> = init
        .relocs
        .iter()
        .map(|reloc| PendingReloc {
            offset: reloc.offset,
            size: reloc.size,
            target: pending_target(reloc.base, function),
            addend: reloc.addend,
        })
        .collect();
    let relocs = resolve_relocs(state, unit, session, options, &pending);
    let symbol = state.module.add_private_data(|symbol| DataObject {
        symbol,
        size: init.size,
        align,
        bytes: init.bytes.to_vec(),
        relocs,
        read_only: true,
        constant: true,
        mergeable_string: 0,
        unnamed_addr: true,
        redzone: 0,
    });
    state.module.symbols[symbol].referenced = true;
    symbol
}

/// Defines an object that is visible outside, or that has been found to be needed.
pub fn define(state: &mut State, unit: &Unit, session: &Session, options: &Options, pending: Pending) {
    let info = unit.decls[pending.decl];
    let symbol = state.symbol(unit, session, options, pending.decl);
    if pending.tentative && state.module.symbols[symbol].is_defined() {
        // Another declaration with this assembler name has defined it.
        return;
    }
    let attrs = unit.attrs(pending.decl);
    let flag = |flag| attrs.is_some_and(|a| a.flags.has(flag));
    let common = pending.tentative
        && info.linkage == Linkage::External
        && info.duration == StorageDuration::Static
        && attrs.is_none_or(|a| a.section.is_none())
        && !flag(AttrFlags::WEAK)
        && (flag(AttrFlags::COMMON) || (options.language.common && !flag(AttrFlags::NOCOMMON)));
    if common {
        let align = data_alignment::emitted(unit, options, pending.decl);
        state.module.symbols[symbol].def = SymbolDef::Common { size: pending.size.max(1), align };
        return;
    }
    let object = resolve(state, unit, session, options, pending);
    state.module.define_data(object);
}

/// Whether the object may lie beyond 2 GiB: in the medium code model one of unknown size or above
/// the threshold, or in a section for such objects.
pub fn is_large(unit: &Unit, session: &Session, options: &Options, decl: DeclId) -> bool {
    let info = &unit.decls[decl];
    if options.codegen.code_model != CodeModel::Medium || info.duration == StorageDuration::Thread {
        return false;
    }
    if let Some(section) = unit.attrs(decl).and_then(|a| a.section) {
        return platform::section_names::is_large(session.str(section));
    }
    unit.types.size_of(info.ty).is_none_or(|size| size == 0 || size > options.codegen.large_data_threshold)
}

/// The object, or an array's element, is `volatile`.
pub fn is_volatile_object(types: &Types, mut ty: QualType) -> bool {
    while let (false, TypeKind::Array { elem, .. }) = (ty.quals().is_volatile(), types.qkind(ty)) {
        ty = elem;
    }
    ty.quals().is_volatile()
}

/// The object is declared `const`, or an array of `const`.
fn is_const(types: &Types, mut ty: QualType) -> bool {
    loop {
        match types.qkind(ty) {
            _ if ty.quals().is_const() => return true,
            TypeKind::Array { elem, .. } => ty = elem,
            _ => return false,
        }
    }
}

/// The program cannot write the object: `const`, or an array of `const`, and not `volatile`.
pub fn is_constant_object(types: &Types, mut ty: QualType) -> bool {
    loop {
        if ty.quals().is_volatile() {
            return false;
        }
        if ty.quals().is_const() {
            return true;
        }
        match types.qkind(ty) {
            TypeKind::Array { elem, .. } => ty = elem,
            _ => return false,
        }
    }
}
