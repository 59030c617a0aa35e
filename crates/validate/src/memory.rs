//! Memories as terms: chains of stores over what was there at first, at joins of paths chosen by
//! their conditions.
//!
//! Stores to places that cannot meet stand in one order, a store that is overwritten is not there,
//! and a load is resolved as far as addresses tell; what is left names only stores that it may
//! meet.

use ir::{AliasTag, AliasTags, Module};
use rustc_hash::FxHashMap;

use crate::plan::{Plan, Write};
use crate::provenance::{Base, Objects, constant_address, constant_bytes};
use crate::term::{Arena, MEMORY, Op, Term, Var, signed};

/// How two ranges of bytes lie.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Relation {
    /// No byte is in both.
    Disjoint,
    /// The first begins this many bytes after the second.
    Apart(i64),
    /// Not known.
    Unknown,
}

/// Memory, address, bytes and alias class of a load.
type Access = (Term, Term, u32, u32);

/// Terms with what is known of objects: all that building memories needs.
pub struct Context<'m> {
    /// The module.
    pub module: &'m Module,
    /// The terms.
    pub arena: Arena,
    /// What is known of objects.
    pub objects: Objects,
    /// Whether alias classes count.
    pub strict: bool,
    /// When loads since this was emptied are undefined: they read what was stored as another class.
    pub misread: Vec<Term>,
    /// Functions are called through pointers, so that what is called is an argument of the event.
    pub calls_by_address: bool,
    /// Where loops are cut.
    pub(crate) plan: Plan,
    /// What loops write.
    pub(crate) writes: Vec<Vec<Write>>,
    loads: FxHashMap<Access, (Term, Vec<Term>)>,
    stripped: FxHashMap<Access, (Term, Vec<Term>)>,
    blocks: FxHashMap<Term, bool>,
    relations: FxHashMap<(Term, u128, Term, u128), Relation>,
}

impl<'m> Context<'m> {
    /// An empty one.
    pub fn new(module: &'m Module, objects: Objects, strict: bool) -> Context<'m> {
        Context {
            module,
            arena: Arena::default(),
            objects,
            strict,
            misread: Vec::new(),
            calls_by_address: false,
            plan: Plan::default(),
            writes: Vec::new(),
            loads: FxHashMap::default(),
            stripped: FxHashMap::default(),
            blocks: FxHashMap::default(),
            relations: FxHashMap::default(),
        }
    }

    /// Forgets what depends on what is known of loops.
    pub(crate) fn forget(&mut self) {
        self.objects.forget();
        self.loads.clear();
        self.stripped.clear();
        self.blocks.clear();
        self.relations.clear();
    }

    /// Whether a loop writes nothing that is read at an address.
    fn is_untouched(&mut self, address: Term, tag: u32, set: u32) -> bool {
        let bases = self.objects.bases(&self.arena, address);
        (0..self.writes[set as usize].len()).all(|index| match &self.writes[set as usize][index] {
            Write::Store(written, other) => {
                self.objects.all_distinct(&self.arena, &bases, written) || self.tags_part(tag, *other)
            }
            Write::Call(leaks) => {
                let leaks = *leaks;
                self.is_hidden(address, leaks)
            }
        })
    }

    /// How `n` bytes from `a` lie to `m` bytes from `b`.
    pub fn relation(&mut self, a: Term, n: u128, b: Term, m: u128) -> Relation {
        let key = (a, n, b, m);
        if let Some(&known) = self.relations.get(&key) {
            return known;
        }
        let relation = self.compare(a, n, b, m);
        self.relations.insert(key, relation);
        relation
    }

    fn compare(&mut self, a: Term, n: u128, b: Term, m: u128) -> Relation {
        let (x, y) = (self.arena.split_address(a), self.arena.split_address(b));
        if x.0 != y.0 && self.objects.are_distinct(&self.arena, a, b) {
            return Relation::Disjoint;
        }
        let difference = self.arena.sub(a, b);
        let Some(value) = self.arena.value(difference) else { return Relation::Unknown };
        let apart = signed(value, 64);
        if apart >= m as i128 || apart.saturating_add(n as i128) <= 0 {
            Relation::Disjoint
        } else {
            Relation::Apart(apart as i64)
        }
    }

    fn length(&self, len: Term) -> u128 {
        // More than any object has.
        self.arena.value(len).unwrap_or(1 << 62)
    }

    /// Whether classes say that a store is not what a load reads.
    fn tags_part(&self, a: u32, b: u32) -> bool {
        let tag = AliasTag::from_u32;
        self.strict && !self.module.alias_tags.may_alias(tag(a), tag(b))
    }

    /// Memory after a store of a value of whole bytes.
    pub fn store(&mut self, memory: Term, address: Term, value: Term, tag: u32) -> Term {
        let bytes = u128::from(self.arena.width(value) / 8);
        let any = AliasTags::any().as_u32();
        if self.load(memory, address, bytes as u32, any) == value {
            return memory;
        }
        let cleared = self.without(memory, address, bytes, 0);
        self.insert(cleared, address, value, tag, 0)
    }

    /// The memory without stores that one of these bytes overwrites.
    fn without(&mut self, memory: Term, address: Term, bytes: u128, depth: u32) -> Term {
        let node = self.arena.node(memory).clone();
        let Op::Store(_) = node.op else { return memory };
        let size = u128::from(self.arena.width(node.args[2]) / 8);
        match self.relation(node.args[1], size, address, bytes) {
            Relation::Apart(apart) if apart >= 0 && apart as u128 + size <= bytes => {
                self.without(node.args[0], address, bytes, depth)
            }
            Relation::Disjoint if depth < 200 => {
                let rest = self.without(node.args[0], address, bytes, depth + 1);
                if rest == node.args[0] {
                    memory
                } else {
                    self.arena.raw(node.op, &[rest, node.args[1], node.args[2]], MEMORY)
                }
            }
            _ => memory,
        }
    }

    /// Puts a store where its address says among those before it.
    fn insert(&mut self, memory: Term, address: Term, value: Term, tag: u32, depth: u32) -> Term {
        let node = self.arena.node(memory).clone();
        if let Op::Store(other) = node.op
            && node.args[1] > address
            && depth < 200
        {
            let (size, bytes) = (self.arena.width(node.args[2]) / 8, self.arena.width(value) / 8);
            if self.relation(address, bytes.into(), node.args[1], size.into()) == Relation::Disjoint {
                let inner = self.insert(node.args[0], address, value, tag, depth + 1);
                return self.arena.raw(Op::Store(other), &[inner, node.args[1], node.args[2]], MEMORY);
            }
        }
        self.arena.raw(Op::Store(tag), &[memory, address, value], MEMORY)
    }

    /// The bits of `bytes` bytes at an address.
    pub fn load(&mut self, memory: Term, address: Term, bytes: u32, tag: u32) -> Term {
        let key = (memory, address, bytes, tag);
        if let Some((term, misread)) = self.loads.get(&key) {
            self.misread.extend(misread);
            return *term;
        }
        let outer = std::mem::take(&mut self.misread);
        let term = self.resolve(memory, address, bytes, tag);
        let own = std::mem::replace(&mut self.misread, outer);
        self.misread.extend(&own);
        self.loads.insert(key, (term, own));
        term
    }

    /// Does something with a memory that is chosen under a condition.
    fn under(&mut self, cond: Term, inner: impl FnOnce(&mut Self) -> Term) -> Term {
        let outer = std::mem::take(&mut self.misread);
        let term = inner(self);
        let own = std::mem::replace(&mut self.misread, outer);
        for misread in own {
            let both = self.arena.and(cond, misread);
            self.misread.push(both);
        }
        term
    }

    /// Whether `n` bytes from `a` and `m` from `b` have one in common.
    fn overlap(&mut self, a: Term, n: u32, b: Term, m: u32) -> Term {
        let (forth, back) = (self.arena.sub(a, b), self.arena.sub(b, a));
        let (n, m) = (self.arena.number(n.into(), 64), self.arena.number(m.into(), 64));
        let (x, y) = (self.arena.ult(forth, m), self.arena.ult(back, n));
        self.arena.or(x, y)
    }

    fn resolve(&mut self, mut memory: Term, address: Term, bytes: u32, tag: u32) -> Term {
        if self.is_choice_of_objects(address)
            && let Some((cond, a, b)) = self.arena.split_choice(address)
        {
            let (a, b) = (self.load(memory, a, bytes, tag), self.load(memory, b, bytes, tag));
            return self.arena.ite(cond, a, b);
        }
        if let Some(term) = self.constant(address, bytes) {
            return term;
        }
        loop {
            let node = self.arena.node(memory).clone();
            match node.op {
                Op::Store(other) => {
                    let size = self.arena.width(node.args[2]) / 8;
                    match self.relation(address, bytes.into(), node.args[1], size.into()) {
                        Relation::Disjoint => memory = node.args[0],
                        Relation::Apart(apart) if apart >= 0 && apart as u32 + bytes <= size => {
                            return self.arena.extract(node.args[2], apart as u32 * 8, bytes * 8);
                        }
                        Relation::Apart(_) => return self.by_bytes(memory, address, bytes, tag),
                        Relation::Unknown if self.tags_part(tag, other) => {
                            let both = self.overlap(address, bytes, node.args[1], size);
                            self.misread.push(both);
                            memory = node.args[0];
                        }
                        Relation::Unknown if !self.has_blocks(node.args[0]) => {
                            return self.unresolved(memory, address, bytes, tag);
                        }
                        Relation::Unknown if bytes > 1 => return self.by_bytes(memory, address, bytes, tag),
                        Relation::Unknown => {
                            let old = self.load(node.args[0], address, 1, tag);
                            return self.byte_or(address, node.args[1], node.args[2], old);
                        }
                    }
                }
                Op::Ite => {
                    let not = self.arena.not(node.args[0]);
                    let a = self.under(node.args[0], |cx| cx.load(node.args[1], address, bytes, tag));
                    let b = self.under(not, |cx| cx.load(node.args[2], address, bytes, tag));
                    return self.arena.ite(node.args[0], a, b);
                }
                Op::Fill | Op::Copy => {
                    let len = *node.args.last().expect("has a length");
                    let length = self.length(len);
                    match self.relation(address, bytes.into(), node.args[1], length) {
                        Relation::Disjoint => memory = node.args[0],
                        Relation::Apart(apart) if self.is_within(apart, bytes, len) => {
                            return self.from_block(&node.op, &node.args, apart, bytes);
                        }
                        _ if bytes > 1 => return self.by_bytes(memory, address, bytes, tag),
                        _ => {
                            let distance = self.arena.sub(address, node.args[1]);
                            let inside = self.arena.ult(distance, len);
                            let new = if node.op == Op::Fill {
                                node.args[2]
                            } else {
                                let from = self.arena.ptr_add(node.args[3], distance);
                                self.load(node.args[2], from, 1, AliasTags::any().as_u32())
                            };
                            let old = self.load(node.args[0], address, 1, tag);
                            return self.arena.ite(inside, new, old);
                        }
                    }
                }
                Op::AfterCall(set) if self.is_hidden(address, set) => memory = node.args[0],
                Op::AfterLoop(set) if self.is_untouched(address, tag, set) => memory = node.args[0],
                _ => return self.unresolved(memory, address, bytes, tag),
            }
        }
    }

    /// The byte of a stored value at an address, or what was there.
    fn byte_or(&mut self, address: Term, start: Term, value: Term, old: Term) -> Term {
        let distance = self.arena.sub(address, start);
        (0..self.arena.width(value) / 8).fold(old, |rest, byte| {
            let (number, part) = (self.arena.number(byte.into(), 64), self.arena.extract(value, byte * 8, 8));
            let here = self.arena.eq(distance, number);
            self.arena.ite(here, part, rest)
        })
    }

    /// Whether a block operation, which is no term for the solver, is among a memory's stores.
    fn has_blocks(&mut self, memory: Term) -> bool {
        if let Some(&known) = self.blocks.get(&memory) {
            return known;
        }
        let node = self.arena.node(memory).clone();
        let found = match node.op {
            Op::Fill | Op::Copy => true,
            Op::Store(_) => self.has_blocks(node.args[0]),
            Op::Ite => self.has_blocks(node.args[1]) || self.has_blocks(node.args[2]),
            _ => false,
        };
        self.blocks.insert(memory, found);
        found
    }

    fn is_within(&self, apart: i64, bytes: u32, len: Term) -> bool {
        let known = self.arena.value(len);
        known.is_some_and(|len| apart >= 0 && apart as u128 + u128::from(bytes) <= len)
    }

    fn from_block(&mut self, op: &Op, args: &[Term], apart: i64, bytes: u32) -> Term {
        if *op == Op::Fill {
            let mut term = args[2];
            for _ in 1..bytes {
                term = self.arena.concat(term, args[2]);
            }
            return term;
        }
        let offset = self.arena.number(apart as u128, 64);
        let from = self.arena.ptr_add(args[3], offset);
        self.load(args[2], from, bytes, AliasTags::any().as_u32())
    }

    /// Whether no call can know of the slot that an address belongs to, or nothing writes there.
    fn is_hidden(&mut self, address: Term, set: u32) -> bool {
        let bases = self.objects.bases(&self.arena, address);
        !bases.is_empty()
            && bases.iter().all(|base| match base {
                Base::Slot(key) => !self.arena.leaks[set as usize].contains(key),
                Base::Symbol(symbol) => self.objects.constant.contains(symbol),
                _ => false,
            })
    }

    /// Whether an address is one of several objects', so that it is better to choose among loads.
    fn is_choice_of_objects(&mut self, address: Term) -> bool {
        let bases = self.objects.bases(&self.arena, address);
        bases.len() > 1 && bases.len() <= 4
    }

    /// What constant data holds, where the address is known.
    fn constant(&mut self, address: Term, bytes: u32) -> Option<Term> {
        let (base, offset) = self.arena.split_address(address);
        let Op::Var(Var::Symbol(symbol)) = self.arena.node(base).op else { return None };
        if !self.objects.constant.contains(&symbol) {
            return None;
        }
        let at = match offset {
            Some(offset) => self.arena.value(offset).and_then(|o| u64::try_from(o).ok()),
            None => Some(0),
        };
        let symbol_id = ir::SymbolId::from_u32(symbol);
        if let Some(at) = at {
            if bytes == 8
                && let Some((target, addend)) = constant_address(self.module, symbol_id, at)
            {
                return Some(self.symbol_address(target, addend));
            }
            if let Some(bits) = constant_bytes(self.module, symbol_id, at, bytes) {
                return Some(self.arena.number(bits, bytes * 8));
            }
        }
        let memory = self.arena.var(Var::Constant(symbol), MEMORY);
        Some(self.arena.raw(Op::Load, &[memory, address], bytes * 8))
    }

    /// The address of a symbol plus an offset.
    pub fn symbol_address(&mut self, symbol: ir::SymbolId, offset: i64) -> Term {
        let base = self.arena.var(Var::Symbol(symbol.as_u32()), 64);
        let offset = self.arena.number(offset as u128, 64);
        self.arena.ptr_add(base, offset)
    }

    fn by_bytes(&mut self, memory: Term, address: Term, bytes: u32, tag: u32) -> Term {
        let byte = |cx: &mut Context<'_>, index: u32| {
            let offset = cx.arena.number(index.into(), 64);
            let at = cx.arena.ptr_add(address, offset);
            cx.load(memory, at, 1, tag)
        };
        let mut term = byte(self, 0);
        for index in 1..bytes {
            let high = byte(self, index);
            term = self.arena.concat(high, term);
        }
        term
    }

    fn unresolved(&mut self, memory: Term, address: Term, bytes: u32, tag: u32) -> Term {
        let memory = self.strip(memory, address, bytes, tag);
        self.arena.raw(Op::Load, &[memory, address], bytes * 8)
    }

    /// The memory without what these bytes cannot have come from.
    fn strip(&mut self, memory: Term, address: Term, bytes: u32, tag: u32) -> Term {
        let key = (memory, address, bytes, tag);
        if let Some((term, misread)) = self.stripped.get(&key) {
            self.misread.extend(misread);
            return *term;
        }
        let outer = std::mem::take(&mut self.misread);
        let term = self.strip_new(memory, address, bytes, tag);
        let own = std::mem::replace(&mut self.misread, outer);
        self.misread.extend(&own);
        self.stripped.insert(key, (term, own));
        term
    }

    fn strip_new(&mut self, memory: Term, address: Term, bytes: u32, tag: u32) -> Term {
        let node = self.arena.node(memory).clone();
        match node.op {
            Op::Store(other) => {
                let size = self.arena.width(node.args[2]) / 8;
                match self.relation(address, bytes.into(), node.args[1], size.into()) {
                    Relation::Disjoint => self.strip(node.args[0], address, bytes, tag),
                    Relation::Unknown if self.tags_part(tag, other) => {
                        let both = self.overlap(address, bytes, node.args[1], size);
                        self.misread.push(both);
                        self.strip(node.args[0], address, bytes, tag)
                    }
                    Relation::Apart(apart) if apart >= 0 && apart as u32 + bytes <= size => {
                        let void = self.arena.var(Var::Void, MEMORY);
                        self.arena.raw(Op::Store(0), &[void, node.args[1], node.args[2]], MEMORY)
                    }
                    _ => {
                        // What is stored here was not stored before.
                        let both = self.overlap(address, bytes, node.args[1], size);
                        let apart = self.arena.not(both);
                        let rest = self.under(apart, |cx| cx.strip(node.args[0], address, bytes, tag));
                        self.arena.raw(Op::Store(0), &[rest, node.args[1], node.args[2]], MEMORY)
                    }
                }
            }
            Op::Ite => {
                let not = self.arena.not(node.args[0]);
                let a = self.under(node.args[0], |cx| cx.strip(node.args[1], address, bytes, tag));
                let b = self.under(not, |cx| cx.strip(node.args[2], address, bytes, tag));
                self.arena.ite(node.args[0], a, b)
            }
            Op::Fill | Op::Copy => {
                let length = self.length(*node.args.last().expect("has a length"));
                match self.relation(address, bytes.into(), node.args[1], length) {
                    Relation::Disjoint => self.strip(node.args[0], address, bytes, tag),
                    _ => memory,
                }
            }
            Op::AfterCall(set) if self.is_hidden(address, set) => self.strip(node.args[0], address, bytes, tag),
            Op::AfterLoop(set) if self.is_untouched(address, tag, set) => self.strip(node.args[0], address, bytes, tag),
            Op::AfterLoop(_) => node.args[1],
            Op::AfterCall(_) => {
                // What was there before a call is not looked at any more.
                let void = self.arena.var(Var::Void, MEMORY);
                self.arena.raw(Op::AfterCall(0), &[void, node.args[1]], MEMORY)
            }
            _ => memory,
        }
    }
}
