//! Alias analysis: can two memory accesses touch the same byte?
//!
//! An address is decomposed into a base and a constant offset (unknown if a variable was added).
//! Then, in order: equal bases with known offsets compare ranges, and so do constant distances from
//! one variable address (`a[i].x` and `a[i].y`); distinct objects (allocas, symbols that are
//! objects of their own) never overlap; a local or static variable whose address does not escape is
//! not reached through a pointer from elsewhere, nor the copy of an aggregate argument through one
//! that is older; `restrict` parameters reach what no other parameter or symbol does.
//!
//! Type-based classes (C17 6.5p7) tell a read apart only from an earlier write, if strict aliasing
//! is on: memory takes on another type when it is written, so the order of two writes, or of a read
//! and a later write, stays whatever their types ([`AliasAnalysis::true_dependence`]). Neither do
//! they count where the addresses certainly meet, as in gcc (`indirect_refs_may_alias_p`): programs
//! that read a float's bits through a pointer to an integer get them.

use crate::effects::{Touched, access_of};
use crate::{AliasTag, Function, Inst, Module, Opcode, ParamKind, SymbolDef, SymbolId, Value, ValueDef};
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

pub use crate::analysis::addresses::{Base, decompose, place_of};
pub use crate::effects::Access;

/// An access whose address has been decomposed.
#[derive(Copy, Clone, Debug)]
pub struct Located {
    /// The address.
    pub address: Value,
    /// What the address is computed from.
    pub base: Base,
    /// The distance from it in bytes, if it is constant.
    pub offset: Option<i64>,
    /// The address as [`place_of`] has it. It says something only of accesses between which this
    /// value is not computed again: not of those of different iterations of a loop that computes
    /// it.
    pub place: Option<(Value, i64)>,
    /// Bytes touched from there, if known.
    pub size: Option<u64>,
    /// Type-based class.
    pub tag: AliasTag,
}

/// Decomposes an access's address.
pub fn locate(func: &Function, access: Access) -> Located {
    let (base, offset) = decompose(func, access.address);
    let place = Some(place_of(func, access.address));
    Located { address: access.address, base, offset, place, size: access.size, tag: access.tag }
}

/// An access as one of any bytes from its address on.
fn endless(func: &Function, inst: Inst) -> Located {
    locate(func, Access { size: None, ..access_of(func, inst) })
}

/// Whether bytes from `x` on and `y` on, of these sizes, have one in common.
fn ranges_meet(x: i64, m: u64, y: i64, n: u64) -> bool {
    x < y.saturating_add_unsigned(n) && y < x.saturating_add_unsigned(m)
}

/// Whether two accesses share a byte, if that is certain.
fn ranges_compared(a: &Located, b: &Located) -> Option<bool> {
    if a.base != b.base {
        return None;
    }
    let (m, n) = (a.size?, b.size?);
    if let (Some(x), Some(y)) = (a.offset, b.offset) {
        return Some(ranges_meet(x, m, y, n));
    }
    let ((p, x), (q, y)) = (a.place?, b.place?);
    (p == q).then(|| ranges_meet(x, m, y, n))
}

/// Facts about a function's allocas; valid until an address use is added.
#[derive(PartialEq)]
pub struct AliasAnalysis {
    escapes: SecondaryMap<Inst, bool>,
    /// Parameters that are copies of aggregates and whose addresses stay here.
    private_copies: SmallVec<[Value; 4]>,
    strict: bool,
}

impl AliasAnalysis {
    /// Finds the allocas and aggregate arguments whose address leaves the function's sight.
    /// `strict`: type-based aliasing may be used.
    pub fn compute(func: &Function, module: &Module, strict: bool) -> AliasAnalysis {
        let mut escapes = SecondaryMap::new();
        for block in func.blocks() {
            for inst in func.block_insts(block).filter(|&i| func.insts[i].opcode == Opcode::Alloca) {
                escapes[inst] = escaping(func, func.first_result(inst));
            }
        }
        let private = |&param: &Value| is_own_copy(func, module, param) && !escaping(func, param);
        let private_copies = func.params().iter().copied().filter(private).collect();
        AliasAnalysis { escapes, private_copies, strict }
    }

    /// Whether the address of the alloca is known only to this function's direct accesses.
    pub fn is_private(&self, alloca: Inst) -> bool {
        !self.escapes[alloca]
    }

    /// Whether two loads or stores may share a byte in any iterations of the loops around them.
    pub fn may_meet(&self, func: &Function, module: &Module, a: Inst, b: Inst) -> bool {
        self.may_overlap(func, module, &endless(func, a), &endless(func, b))
    }

    /// Whether an access must stay after a store in any iterations of the loops around them.
    pub fn may_meet_later(&self, func: &Function, module: &Module, store: Inst, access: Inst) -> bool {
        self.must_follow(func, module, &endless(func, store), (access, &endless(func, access)))
    }

    /// Whether a load or store that is somewhere must stay after a write.
    pub fn must_follow(&self, func: &Function, module: &Module, write: &Located, access: (Inst, &Located)) -> bool {
        match func.insts[access.0].opcode {
            Opcode::Load => self.true_dependence(func, module, write, access.1),
            _ => self.may_overlap(func, module, write, access.1),
        }
    }

    /// Whether a read may get a byte that an earlier write has left: the question to ask before the
    /// read moves up past the write, or the write down past the read.
    pub fn true_dependence(&self, func: &Function, module: &Module, write: &Located, read: &Located) -> bool {
        let types_meet = || !self.strict || module.alias_tags.may_alias(write.tag, read.tag);
        match ranges_compared(write, read) {
            Some(meet) => meet,
            None => types_meet() && self.may_overlap(func, module, write, read),
        }
    }

    /// Whether accesses that have been located may share a byte, of whatever type it is.
    pub fn may_overlap(&self, func: &Function, module: &Module, a: &Located, b: &Located) -> bool {
        ranges_compared(a, b).unwrap_or_else(|| a.base == b.base || !self.distinct(func, module, a.base, b.base))
    }

    /// Whether a read may get a byte that has been written, see [`AliasAnalysis::true_dependence`].
    pub fn changes(&self, func: &Function, module: &Module, written: &Touched<Located>, read: &Located) -> bool {
        match written {
            Touched::Nothing => false,
            Touched::Bytes(write) => self.true_dependence(func, module, write, read),
            Touched::Visible => self.is_visible_outside(read),
            Touched::Anything => true,
        }
    }

    /// Whether memory that code outside this function can name may share a byte with the access.
    pub fn is_visible_outside(&self, access: &Located) -> bool {
        self.is_visible(access.base)
    }

    fn is_visible(&self, base: Base) -> bool {
        match base {
            Base::Alloca(alloca) => !self.is_private(alloca),
            Base::Value(value) => !self.private_copies.contains(&value),
            Base::Symbol(_) | Base::Visible => true,
        }
    }

    /// Whether `copy` is an aggregate argument that an address computed from `value` cannot reach.
    fn copy_is_unreachable(&self, func: &Function, module: &Module, copy: Value, value: Value) -> bool {
        let unreachable = comes_from_outside(func, value)
            || (self.private_copies.contains(&copy) && cannot_hold_private_address(func, value));
        copy != value && unreachable && is_own_copy(func, module, copy)
    }

    fn distinct(&self, func: &Function, module: &Module, a: Base, b: Base) -> bool {
        match (a, b) {
            (Base::Visible, other) | (other, Base::Visible) => !self.is_visible(other),
            // Nothing else reaches a register.
            (Base::Symbol(s), _) | (_, Base::Symbol(s)) if module.symbols[s].register.is_some() => true,
            (Base::Alloca(x), Base::Alloca(y)) => x != y,
            (Base::Alloca(_), Base::Symbol(_)) | (Base::Symbol(_), Base::Alloca(_)) => true,
            (Base::Symbol(x), Base::Symbol(y)) => own_object(module, x) && own_object(module, y) && x != y,
            (Base::Alloca(x), Base::Value(v)) | (Base::Value(v), Base::Alloca(x)) => {
                // What was passed in is older than this activation's slots.
                comes_from_outside(func, v) || (self.is_private(x) && cannot_hold_private_address(func, v))
            }
            (Base::Value(v), Base::Symbol(s)) | (Base::Symbol(s), Base::Value(v)) => {
                is_fresh_memory(func, v)
                    || is_restrict(func, v)
                    || is_own_copy(func, module, v)
                    || (module.unaliased.contains(&s) && cannot_hold_private_address(func, v))
            }
            (Base::Value(v), Base::Value(w)) => {
                v != w && (is_fresh_memory(func, v) && (is_fresh_memory(func, w) || comes_from_outside(func, w)))
                    || (is_fresh_memory(func, w) && comes_from_outside(func, v))
                    || (v != w && is_restrict(func, v) && comes_from_outside(func, w))
                    || (v != w && is_restrict(func, w) && comes_from_outside(func, v))
                    || self.copy_is_unreachable(func, module, v, w)
                    || self.copy_is_unreachable(func, module, w, v)
            }
        }
    }
}

/// Whether the symbol certainly is an object of its own: defined here as data, not a name for
/// another.
fn own_object(module: &Module, symbol: SymbolId) -> bool {
    let data = &module.symbols[symbol];
    matches!(data.def, SymbolDef::Data(_) | SymbolDef::Common { .. } | SymbolDef::Function(_))
        && data.linkage != crate::Linkage::Weak
}

/// Memory that a malloc-like call of this function returned.
fn is_fresh_memory(func: &Function, value: Value) -> bool {
    func.def_inst(value).is_some_and(|inst| {
        func.insts[inst].opcode == Opcode::Call && func.call_info(inst).attrs.has(crate::FnAttrs::MALLOC)
    })
}

/// A parameter: its value existed before anything that this function allocated.
fn comes_from_outside(func: &Function, value: Value) -> bool {
    matches!(func.value_def(value), ValueDef::Param(_))
}

/// A parameter that is the address of an aggregate passed by value: the copy was made for this
/// call, and nothing that is older points to it.
pub fn is_own_copy(func: &Function, module: &Module, value: Value) -> bool {
    let ValueDef::Param(index) = func.value_def(value) else { return false };
    let param = module.signatures[func.sig].params.get(index as usize);
    param.is_some_and(|p| matches!(p.kind, ParamKind::ByVal { .. }))
}

/// A `restrict` parameter. What it reaches, no other parameter and no symbol reaches if either
/// access writes; two reads do not care. Pointers that are loaded, returned or merged may be based
/// on it and are not distinct from it.
fn is_restrict(func: &Function, value: Value) -> bool {
    matches!(func.value_def(value), ValueDef::Param(index) if func.restrict_params.contains(&index))
}

/// Values through which the address of a variable that never escapes cannot have come: what was
/// passed in, loaded, returned or converted from an integer. Phis and selects may merge addresses.
fn cannot_hold_private_address(func: &Function, value: Value) -> bool {
    match func.value_def(value) {
        ValueDef::Param(_) | ValueDef::Const(_) => true,
        ValueDef::Result(inst, _) => matches!(
            func.insts[inst].opcode,
            Opcode::Load
                | Opcode::Call
                | Opcode::IntToPtr
                | Opcode::AtomicLoad
                | Opcode::AtomicRmw
                | Opcode::TlsAddr
                | Opcode::DynAlloca
        ),
    }
}

/// Whether the address (or one derived from it) is stored, passed, merged or converted.
fn escaping(func: &Function, address: Value) -> bool {
    escapes_through(func, func.uses(address).collect())
}

/// The same of an address that is these operands.
pub fn escapes_through(func: &Function, mut work: Vec<(Inst, usize)>) -> bool {
    while let Some((user, index)) = work.pop() {
        match func.insts[user].opcode {
            Opcode::Load | Opcode::LifetimeStart | Opcode::LifetimeEnd | Opcode::ICmp | Opcode::AtomicLoad => {}
            Opcode::Store | Opcode::AtomicStore | Opcode::AtomicRmw | Opcode::CmpXchg | Opcode::MemSet
                if index == 0 => {}
            Opcode::MemCpy | Opcode::MemMove if index < 2 => {}
            Opcode::PtrAdd if index == 0 => work.extend(func.uses(func.first_result(user))),
            _ => return true,
        }
    }
    false
}
