//! What object an address belongs to, read off its term, and which objects are distinct. As the
//! alias analysis of the middle end has it: an access through an address that was computed from one
//! object does not reach another.

use ir::{FnAttrs, Linkage, Module, SymbolDef, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::term::{Arena, Op, Term, Uf, UfKind, Var};

/// What an address was computed from.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Base {
    /// A slot, by its key.
    Slot(u32),
    /// A symbol.
    Symbol(u32),
    /// A parameter.
    Param(u32),
    /// What an allocating call has returned.
    Fresh(Term),
    /// A block on the stack.
    Block(Term),
    /// Any address outside of the function's slots.
    Outside,
    /// Any address that code outside can know: of slots only those of this set.
    Visible(u32),
    /// Loaded, returned, or made of a number.
    Unknown,
}

/// Everything an address may have been computed from.
pub type Bases = SmallVec<[Base; 2]>;

/// What is known of the objects of a function.
#[derive(Default)]
pub struct Objects {
    /// `restrict` parameters.
    pub restrict: Vec<u32>,
    /// Symbols that certainly are objects of their own.
    pub own: FxHashSet<u32>,
    /// Symbols of data that is never written.
    pub constant: FxHashSet<u32>,
    /// What variables of cuts may be addresses of.
    pub(crate) cuts: FxHashMap<u32, (Bases, SmallVec<[u32; 2]>)>,
    bases: FxHashMap<Term, Bases>,
    slots: FxHashMap<Term, SmallVec<[u32; 2]>>,
}

impl Objects {
    /// Of a function of the module.
    pub fn new(module: &Module, restrict: &[u32]) -> Objects {
        let mut objects = Objects { restrict: restrict.to_vec(), ..Objects::default() };
        for (symbol, data) in module.symbols.iter() {
            let own = matches!(data.def, SymbolDef::Data(_) | SymbolDef::Common { .. } | SymbolDef::Function(_));
            if own && data.linkage != Linkage::Weak {
                objects.own.insert(symbol.as_u32());
            }
            if let SymbolDef::Data(id) = data.def
                && module.data[id].read_only
            {
                objects.constant.insert(symbol.as_u32());
            }
        }
        objects
    }

    /// What an address may have been computed from.
    pub fn bases(&mut self, arena: &Arena, term: Term) -> Bases {
        if let Some(known) = self.bases.get(&term) {
            return known.clone();
        }
        let node = arena.node(term);
        let bases: Bases = match node.op {
            Op::Var(Var::Slot(key)) => [Base::Slot(key)].into_iter().collect(),
            Op::Var(Var::Symbol(symbol) | Var::ThreadLocal(symbol)) => [Base::Symbol(symbol)].into_iter().collect(),
            Op::Var(Var::Param(index, _, true)) => [Base::Param(index)].into_iter().collect(),
            Op::Var(Var::Cut(number)) => match self.cuts.get(&number) {
                Some((bases, _)) => bases.clone(),
                None => [Base::Unknown].into_iter().collect(),
            },
            Op::Var(Var::Witness(0, _)) => [Base::Outside].into_iter().collect(),
            Op::Var(Var::Witness(_, leak)) => [Base::Visible(leak)].into_iter().collect(),
            Op::Uf(Uf { kind: UfKind::Fresh, .. }) => [Base::Fresh(term)].into_iter().collect(),
            Op::Uf(Uf { kind: UfKind::Block, .. }) => [Base::Block(term)].into_iter().collect(),
            Op::Const(0) => Bases::new(),
            Op::PtrAdd => self.bases(arena, node.args[0]),
            Op::Ite => {
                let mut both = self.bases(arena, node.args[1]);
                both.extend(self.bases(arena, node.args[2]));
                both
            }
            _ => {
                let slots = self.slots(arena, term);
                [Base::Unknown].into_iter().chain(slots.into_iter().map(Base::Slot)).collect()
            }
        };
        let mut bases = bases;
        bases.sort_unstable();
        bases.dedup();
        self.bases.insert(term, bases.clone());
        bases
    }

    /// The slots whose addresses can be read off a value.
    pub fn slots(&mut self, arena: &Arena, term: Term) -> SmallVec<[u32; 2]> {
        if let Some(known) = self.slots.get(&term) {
            return known.clone();
        }
        let node = arena.node(term);
        let mut slots = SmallVec::new();
        match node.op {
            Op::Var(Var::Slot(key)) => slots.push(key),
            Op::Var(Var::Cut(number)) => {
                slots.extend(self.cuts.get(&number).map(|known| known.1.clone()).unwrap_or_default())
            }
            Op::Load | Op::Eq | Op::Ult | Op::Slt | Op::Not | Op::All => {}
            Op::Uf(uf) if uf.kind != UfKind::Operation => {}
            Op::Ite => {
                slots.extend(self.slots(arena, node.args[1]));
                slots.extend(self.slots(arena, node.args[2]));
            }
            _ => {
                for &arg in &node.args {
                    slots.extend(self.slots(arena, arg));
                }
            }
        }
        slots.sort_unstable();
        slots.dedup();
        self.slots.insert(term, slots.clone());
        slots
    }

    fn distinct(&self, arena: &Arena, a: Base, b: Base) -> bool {
        let restrict = |index: u32| self.restrict.contains(&index);
        match (a, b) {
            (Base::Slot(x), Base::Slot(y)) => x != y,
            (Base::Slot(_), Base::Symbol(_) | Base::Param(_) | Base::Fresh(_) | Base::Outside) => true,
            (Base::Slot(_) | Base::Symbol(_) | Base::Param(_) | Base::Fresh(_), Base::Block(_)) => true,
            (Base::Block(x), Base::Block(y)) => x != y,
            (Base::Block(_), Base::Outside) => true,
            (Base::Slot(key), Base::Visible(set)) => !arena.leaks[set as usize].contains(&key),
            (Base::Symbol(x), Base::Symbol(y)) => x != y && self.own.contains(&x) && self.own.contains(&y),
            (Base::Symbol(_), Base::Param(p)) => restrict(p),
            (Base::Symbol(_) | Base::Param(_), Base::Fresh(_)) => true,
            (Base::Param(p), Base::Param(q)) => p != q && (restrict(p) || restrict(q)),
            (Base::Fresh(x), Base::Fresh(y)) => x != y,
            _ => false,
        }
    }

    /// Notes what a variable of a cut may be an address of; whether that is new.
    pub(crate) fn learn(&mut self, number: u32, bases: &[Base], slots: &[u32]) -> bool {
        let known = self.cuts.entry(number).or_default();
        let before = (known.0.len(), known.1.len());
        known.0.extend(bases.iter().copied());
        known.0.sort_unstable();
        known.0.dedup();
        known.1.extend(slots.iter().copied());
        known.1.sort_unstable();
        known.1.dedup();
        before != (known.0.len(), known.1.len())
    }

    /// Forgets what was read off terms.
    pub(crate) fn forget(&mut self) {
        self.bases.clear();
        self.slots.clear();
    }

    /// Whether addresses certainly belong to different objects.
    pub fn are_distinct(&mut self, arena: &Arena, a: Term, b: Term) -> bool {
        let (x, y) = (self.bases(arena, a), self.bases(arena, b));
        self.all_distinct(arena, &x, &y)
    }

    /// Whether what addresses were computed from are different objects.
    pub(crate) fn all_distinct(&self, arena: &Arena, x: &[Base], y: &[Base]) -> bool {
        x.iter().all(|&x| y.iter().all(|&y| self.distinct(arena, x.min(y), x.max(y))))
    }
}

/// Whether the callee's name is one that the C library knows at this call.
pub fn is_library(attrs: FnAttrs) -> bool {
    attrs.has(FnAttrs::LIBRARY)
}

/// The initial bytes of constant data, where no address is.
pub fn constant_bytes(module: &Module, symbol: SymbolId, offset: u64, len: u32) -> Option<u128> {
    let SymbolDef::Data(id) = module.symbols[symbol].def else { return None };
    let data = &module.data[id];
    let end = offset.checked_add(len.into())?;
    let meets = data.relocs.iter().any(|r| r.offset < end && offset < r.offset + u64::from(r.size));
    if end > data.size || meets {
        return None;
    }
    let byte = |at: u64| u128::from(data.bytes.get(at as usize).copied().unwrap_or(0));
    Some((offset..end).rev().fold(0, |bits, at| bits << 8 | byte(at)))
}

/// The address that constant data holds at an offset.
pub fn constant_address(module: &Module, symbol: SymbolId, offset: u64) -> Option<(SymbolId, i64)> {
    let SymbolDef::Data(id) = module.symbols[symbol].def else { return None };
    let reloc = module.data[id].relocs.iter().find(|r| r.offset == offset && r.size == 8)?;
    match reloc.target {
        ir::RelocTarget::Symbol(target) => Some((target, reloc.addend)),
        _ => None,
    }
}
