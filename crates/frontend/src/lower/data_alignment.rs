//! Alignment of static objects: what a definition gets, and what a reference may rely on.
//!
//! The rules are those of gcc's `align_variable` and, for x86-64, `ix86_data_alignment`. An
//! alignment that the program writes is kept exactly. Otherwise the type's is raised: arrays by the
//! psABI (3.1.2), everything else as an optimisation, on which only references that reach this very
//! definition may rely.

use platform::data_layout as dl;
use platform::options::{DataAlignment, Options, PicLevel};

use crate::tree::*;

/// From this size on `-malign-data=compat` aligns to the size.
const COMPAT: u32 = 32;
/// Size and alignment of a cache line for `-malign-data=cacheline`.
const CACHE_LINE: u32 = 64;
/// The alignment of a word: what small aggregates and thread-local variables are raised to at most.
const WORD: u32 = 8;
/// String literals of this many bytes or more are aligned to a word, unless size counts.
const LONG_STRING: usize = 31;

/// Alignment of the definition of a static object.
pub fn emitted(unit: &Unit, options: &Options, decl: DeclId) -> u32 {
    let info = &unit.decls[decl];
    if info.align != 0 {
        return info.align;
    }
    let natural = unit.types.align_of(info.ty);
    let thread_local = info.duration == StorageDuration::Thread;
    let by_abi = abi(&unit.types, info.ty, natural);
    if thread_local {
        // Room for thread-local variables is scarce. Public ones follow the ABI all the same.
        if by_abi > WORD {
            return if info.linkage == Linkage::External { by_abi } else { natural };
        }
        let raised = raised(&unit.types, info.ty, by_abi, options);
        return if raised <= WORD { raised } else { by_abi };
    }
    raised(&unit.types, info.ty, by_abi, options)
}

/// Alignment that references to a static object may rely on.
pub fn assumed(unit: &Unit, options: &Options, decl: DeclId) -> u32 {
    let info = &unit.decls[decl];
    if reaches_own_definition(unit, options, decl) {
        return emitted(unit, options, decl);
    }
    if info.align != 0 { info.align } else { unit.types.align_of(info.ty) }
}

/// Whether the definition in this unit is the one that is used at run time.
fn reaches_own_definition(unit: &Unit, options: &Options, decl: DeclId) -> bool {
    let info = &unit.decls[decl];
    if info.linkage != Linkage::External {
        return true;
    }
    let weak = unit.attrs(decl).is_some_and(|a| a.flags.has(AttrFlags::WEAK));
    info.flags.has(DeclFlags::DEFINED) && !weak && options.codegen.pic != PicLevel::Pic
}

/// Alignment of an unnamed constant of `size` bytes that holds an aggregate.
pub fn constant(options: &Options, size: u64, align: u32) -> u32 {
    raised_aggregate(size, align, options)
}

/// Alignment of a string literal.
pub fn string(options: &Options, bytes: usize, element: u8) -> u32 {
    if bytes >= LONG_STRING && !options.optimize_size { WORD } else { u32::from(element) }
}

/// Arrays of 16 bytes or more are aligned to 16.
fn abi(types: &Types, ty: QualType, align: u32) -> u32 {
    let large = matches!(types.qkind(ty), TypeKind::Array { .. })
        && types.size_of(ty).is_some_and(|size| size >= dl::LARGE_ARRAY_SIZE);
    if large { align.max(dl::LARGE_ARRAY_ALIGN) } else { align }
}

fn raised(types: &Types, ty: QualType, align: u32, options: &Options) -> u32 {
    match (types.qkind(ty), types.size_of(ty)) {
        (TypeKind::Array { .. } | TypeKind::Record(_), Some(size)) => raised_aggregate(size, align, options),
        (TypeKind::Array { .. } | TypeKind::Record(_), None) => align,
        // A type name with a weaker alignment changes pointers' targets, not variables.
        (kind, _) => types.layout_of_kind(kind).map_or(align, |own| align.max(own.align)),
    }
}

fn raised_aggregate(size: u64, align: u32, options: &Options) -> u32 {
    let steps: &[u32] = match options.codegen.align_data {
        DataAlignment::Abi => return align,
        DataAlignment::Compat => &[COMPAT, dl::LARGE_ARRAY_ALIGN, WORD],
        DataAlignment::Cacheline => &[CACHE_LINE, COMPAT, dl::LARGE_ARRAY_ALIGN],
    };
    let step = steps.iter().copied().find(|&step| size >= u64::from(step));
    align.max(step.unwrap_or(1))
}
