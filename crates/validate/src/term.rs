//! Terms: bit vectors, truth values and memories, hash-consed, so that what is equal by the rules
//! of construction is the same number.
//!
//! Construction normalises: constants fold, sums are linear forms, conjunctions are sets, an
//! address is a base plus an offset. Most passes change nothing that survives this, and need no
//! solver.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A term of an [`Arena`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(crate) u32);

/// The width of truth values.
pub const BOOL: u32 = 0;
/// The width of memories.
pub const MEMORY: u32 = u32::MAX;

/// Disjunctions of more parts are left as they are.
const MAX_DISJUNCTION: usize = 12;

/// What is free in a formula.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Var {
    /// A lane of a parameter; whether it is an address.
    Param(u32, u32, bool),
    /// The address of a slot, by its key.
    Slot(u32),
    /// The address of a symbol.
    Symbol(u32),
    /// The address of a thread-local symbol.
    ThreadLocal(u32),
    /// The address of a label.
    Label(u32),
    /// An unknown value of our choice: in the target (true) or in both, the instruction, the lane.
    Undef(bool, u32, u32),
    /// Memory at entry.
    Memory,
    /// What a slot holds at first: its key, how many lifetimes have begun.
    Contents(u32, u32),
    /// The contents of constant data.
    Constant(u32),
    /// Memory that is never read.
    Void,
    /// Nothing has happened yet.
    Start,
    /// An address at which memories may differ, and which slots are visible there.
    Witness(u32, u32),
    /// What is forgotten at a cut of a loop, by its number.
    Cut(u32),
    /// Anything else, by its name.
    Named(u32),
}

/// An uninterpreted function.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Uf {
    /// The number of its name.
    pub name: u32,
    /// What it stands for.
    pub kind: UfKind,
}

/// What an uninterpreted function stands for.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum UfKind {
    /// An operation that is not interpreted: a difference may be one of the model.
    Operation,
    /// Something that happens: a call, a volatile access.
    Event,
    /// What an event or a pure call gives.
    Result,
    /// The address of memory that nobody else knows of.
    Fresh,
    /// The address of a block on the stack.
    Block,
    /// Whether a call returns.
    Returns,
}

/// The operation of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A number.
    Const(u128),
    /// A variable.
    Var(Var),
    /// A sum of multiples and a number.
    Sum(Box<[u128]>, u128),
    /// A product.
    Mul,
    /// The high half of a product; whether it is signed.
    High(bool),
    /// Divisions.
    UDiv,
    /// Unsigned remainder.
    URem,
    /// Signed division.
    SDiv,
    /// Signed remainder.
    SRem,
    /// Bitwise.
    And,
    /// Bitwise.
    Or,
    /// Bitwise.
    Xor,
    /// Shifts.
    Shl,
    /// Logical right shift.
    LShr,
    /// Arithmetic right shift.
    AShr,
    /// Rotation to the left by less than the width.
    Rotl,
    /// High and low part.
    Concat,
    /// Bits from this one on.
    Extract(u32),
    /// Extensions.
    ZExt,
    /// Sign extension.
    SExt,
    /// How many bits are set.
    Popcount,
    /// Leading zero bits.
    Ctlz,
    /// Choice by a truth value.
    Ite,
    /// Comparisons.
    Eq,
    /// Unsigned less than.
    Ult,
    /// Signed less than.
    Slt,
    /// All of a set of truth values.
    All,
    /// Negation of a truth value.
    Not,
    /// An address and an offset.
    PtrAdd,
    /// An uninterpreted function.
    Uf(Uf),
    /// Memory, address.
    Load,
    /// Memory, address, value; the alias class.
    Store(u32),
    /// Memory, address, byte, length.
    Fill,
    /// Memory, address, memory of the source, its address, length.
    Copy,
    /// Memory before a call, what has happened; the slots that calls may know of.
    AfterCall(u32),
    /// Memory before a loop, memory in some iteration; the number of the loop's writes.
    AfterLoop(u32),
    /// A number that equal memories share; the slots that may be looked at.
    Identity(u32),
}

/// A term's record.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// What it does.
    pub op: Op,
    /// To what.
    pub args: SmallVec<[Term; 3]>,
    /// How many bits it has, or [`BOOL`] or [`MEMORY`].
    pub width: u32,
}

/// All terms of a question.
#[derive(Default)]
pub struct Arena {
    /// By number.
    pub nodes: Vec<Node>,
    ids: FxHashMap<Node, Term>,
    /// Parts of terms that were asked for.
    pub(crate) extracts: FxHashMap<(Term, u32, u32), Term>,
    joined: FxHashMap<(Term, Term), Term>,
    equalities: FxHashMap<(Term, Term), Term>,
    /// Names of functions and variables.
    pub names: Vec<String>,
    name_ids: FxHashMap<String, u32>,
    /// Sets of slots that code outside may know of, each ascending.
    pub leaks: Vec<Vec<u32>>,
}

/// A value: its lanes, of which scalars have one.
pub type Lanes = SmallVec<[Term; 1]>;

/// The width of the terms of a type's lanes.
pub fn lane_width(ty: ir::Type) -> u32 {
    if ty.lane() == ir::Type::I1 { BOOL } else { ty.lane_bits() }
}

/// The bits that a width has.
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// A number as a signed one.
pub fn signed(value: u128, width: u32) -> i128 {
    ((value << (128 - width)) as i128) >> (128 - width)
}

impl Arena {
    /// The node of a term.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize]
    }

    /// A term's width.
    pub fn width(&self, term: Term) -> u32 {
        self.node(term).width
    }

    /// The term of this record, without looking at what it means.
    pub fn raw(&mut self, op: Op, args: &[Term], width: u32) -> Term {
        let node = Node { op, args: args.into(), width };
        if let Some(&known) = self.ids.get(&node) {
            return known;
        }
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.ids.insert(node, term);
        term
    }

    /// The number of a name.
    pub fn name(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.name_ids.get(name) {
            return known;
        }
        let id = self.names.len() as u32;
        self.names.push(name.to_string());
        self.name_ids.insert(name.to_string(), id);
        id
    }

    /// The number of a set of slots.
    pub fn leak_set(&mut self, mut slots: Vec<u32>) -> u32 {
        slots.sort_unstable();
        slots.dedup();
        match self.leaks.iter().position(|known| *known == slots) {
            Some(index) => index as u32,
            None => {
                self.leaks.push(slots);
                self.leaks.len() as u32 - 1
            }
        }
    }

    /// A number of this width.
    pub fn number(&mut self, value: u128, width: u32) -> Term {
        self.raw(Op::Const(value & mask(width)), &[], width)
    }

    /// A truth value.
    pub fn truth(&mut self, value: bool) -> Term {
        self.raw(Op::Const(value.into()), &[], BOOL)
    }

    /// A variable.
    pub fn var(&mut self, var: Var, width: u32) -> Term {
        self.raw(Op::Var(var), &[], width)
    }

    /// An uninterpreted function of arguments.
    pub fn call(&mut self, kind: UfKind, name: &str, args: &[Term], width: u32) -> Term {
        let name = self.name(name);
        self.raw(Op::Uf(Uf { name, kind }), args, width)
    }

    /// The number that a term is, if it is one.
    pub fn value(&self, term: Term) -> Option<u128> {
        match self.node(term).op {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Whether a truth value is this constant.
    pub fn is(&self, term: Term, value: bool) -> bool {
        self.width(term) == BOOL && self.value(term) == Some(value.into())
    }

    // ---- truth values

    /// Negation.
    pub fn not(&mut self, a: Term) -> Term {
        match self.node(a).op {
            Op::Const(value) => self.truth(value == 0),
            Op::Not => self.node(a).args[0],
            _ => self.raw(Op::Not, &[a], BOOL),
        }
    }

    /// The set of truth values that together are this one.
    pub fn conjuncts(&self, a: Term) -> SmallVec<[Term; 3]> {
        match self.node(a).op {
            Op::All => self.node(a).args.clone(),
            Op::Const(1) => SmallVec::new(),
            _ => [a].into_iter().collect(),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let mut all = self.conjuncts(a);
        all.extend(self.conjuncts(b));
        self.all(all)
    }

    /// All of them.
    pub fn all(&mut self, mut parts: SmallVec<[Term; 3]>) -> Term {
        parts.sort_unstable();
        parts.dedup();
        let mut index = 0;
        while index < parts.len() {
            let part = parts[index];
            if self.is(part, false) {
                return part;
            }
            if self.node(part).op != Op::Not {
                index += 1;
                continue;
            }
            let negated = self.node(part).args[0];
            if parts.binary_search(&negated).is_ok() {
                return self.truth(false);
            }
            // A disjunction whose other part is refuted here says the rest.
            if self.node(negated).op == Op::All && self.node(negated).args.len() <= MAX_DISJUNCTION {
                let inner = self.conjuncts(negated);
                let is_here = |term: &Term| parts.binary_search(term).is_ok();
                let kept: SmallVec<[Term; 3]> = inner.iter().copied().filter(|i| !is_here(i)).collect();
                let holds = inner.iter().any(|&i| {
                    let other = self.not(i);
                    is_here(&other)
                });
                if holds || kept.len() < inner.len() {
                    parts.remove(index);
                    if !holds {
                        let rest = self.all(kept);
                        let rest = self.not(rest);
                        parts.extend(self.conjuncts(rest));
                        return self.all(parts);
                    }
                    continue;
                }
            }
            index += 1;
        }
        match parts.len() {
            0 => self.truth(true),
            1 => parts[0],
            _ => self.raw(Op::All, &parts, BOOL),
        }
    }

    /// Disjunction: what both sides say comes out of it.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (x, y) = (self.conjuncts(a), self.conjuncts(b));
        if self.is(a, false) || a == b {
            return b;
        }
        if self.is(b, false) {
            return a;
        }
        let is_in = |set: &[Term], t: &Term| set.binary_search(t).is_ok();
        let common: SmallVec<[Term; 3]> = x.iter().copied().filter(|t| is_in(&y, t)).collect();
        if !common.is_empty() {
            let x = self.all(x.into_iter().filter(|t| !is_in(&common, t)).collect());
            let y = self.all(y.into_iter().filter(|t| !is_in(&common, t)).collect());
            let rest = self.or(x, y);
            let common = self.all(common);
            return self.and(common, rest);
        }
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// Disjunction of many, as it is.
    pub fn any(&mut self, conds: &[Term]) -> Term {
        let mut parts: SmallVec<[Term; 3]> = SmallVec::new();
        for &cond in conds {
            if self.is(cond, true) {
                return cond;
            }
            let not = self.not(cond);
            parts.extend(self.conjuncts(not));
        }
        let neither = self.all(parts);
        self.not(neither)
    }

    /// Exclusive or.
    pub fn differ(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }

    // ---- choice and comparison

    /// `cond ? a : b`.
    pub fn ite(&mut self, cond: Term, a: Term, b: Term) -> Term {
        if a == b || self.is(cond, true) {
            return a;
        }
        if self.is(cond, false) {
            return b;
        }
        if self.node(cond).op == Op::Not {
            let cond = self.node(cond).args[0];
            return self.ite(cond, b, a);
        }
        let width = self.width(a);
        if width == BOOL {
            let (then, not) = (self.and(cond, a), self.not(cond));
            let otherwise = self.and(not, b);
            return self.or(then, otherwise);
        }
        if self.node(a).op == Op::Ite && self.node(a).args[0] == cond {
            let a = self.node(a).args[1];
            return self.ite(cond, a, b);
        }
        if self.node(b).op == Op::Ite && self.node(b).args[0] == cond {
            let b = self.node(b).args[2];
            return self.ite(cond, a, b);
        }
        let (x, y) = (self.split_address(a), self.split_address(b));
        if width == 64 && x.0 == y.0 && (self.is_address(x.0)) {
            let (zero, base) = (self.number(0, 64), x.0);
            let offset = self.ite(cond, x.1.unwrap_or(zero), y.1.unwrap_or(zero));
            return self.ptr_add(base, offset);
        }
        self.raw(Op::Ite, &[cond, a, b], width)
    }

    fn is_address(&self, term: Term) -> bool {
        matches!(
            self.node(term).op,
            Op::Var(Var::Param(_, _, true) | Var::Slot(_) | Var::Symbol(_) | Var::ThreadLocal(_))
        ) || matches!(self.node(term).op, Op::Uf(Uf { kind: UfKind::Fresh | UfKind::Block, .. }))
    }

    /// An address without its offset, and the offset if there is one.
    pub fn split_address(&self, term: Term) -> (Term, Option<Term>) {
        match self.node(term).op {
            Op::PtrAdd => (self.node(term).args[0], Some(self.node(term).args[1])),
            _ => (term, None),
        }
    }

    /// Equality.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.truth(true);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let width = self.width(a);
        if let Some(&known) = self.equalities.get(&(a, b)) {
            return known;
        }
        let term = match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.truth(x == y),
            (Some(_), None) => self.eq_ordered(b, a),
            _ if width == BOOL => {
                let not_b = self.not(b);
                self.ite(a, b, not_b)
            }
            _ => self.eq_ordered(a, b),
        };
        self.equalities.insert((a, b), term);
        term
    }

    /// High and low part as one.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        if let Some(&known) = self.joined.get(&(high, low)) {
            return known;
        }
        let term = self.join(high, low);
        self.joined.insert((high, low), term);
        term
    }

    /// Equality where only the second is a constant, if one is.
    fn eq_ordered(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let constant = self.value(b);
        if width == BOOL {
            return if constant == Some(1) { a } else { self.not(a) };
        }
        if constant.is_some() {
            let node = self.node(a).clone();
            match node.op {
                Op::Ite if self.value(node.args[1]).is_some() || self.value(node.args[2]).is_some() => {
                    let (x, y) = (self.eq(node.args[1], b), self.eq(node.args[2], b));
                    return self.ite(node.args[0], x, y);
                }
                Op::ZExt | Op::SExt => {
                    let narrow = self.extract(b, 0, self.width(node.args[0]));
                    let back = if node.op == Op::ZExt { self.zext(narrow, width) } else { self.sext(narrow, width) };
                    if back != b {
                        return self.truth(false);
                    }
                    return self.eq(node.args[0], narrow);
                }
                _ => {}
            }
        }
        // a + k = b + l: what is left of the difference decides.
        if matches!(self.node(a).op, Op::Sum(..) | Op::PtrAdd) || matches!(self.node(b).op, Op::Sum(..) | Op::PtrAdd) {
            let difference = self.sub(a, b);
            if let Some(value) = self.value(difference) {
                return self.truth(value == 0);
            }
            if let Op::Sum(coefficients, constant) = &self.node(difference).op
                && coefficients.len() == 1
                && matches!(coefficients[0], 1 | u128::MAX) | (coefficients[0] == mask(width))
            {
                let (one, constant) = (coefficients[0] == 1, *constant);
                let value = if one { constant.wrapping_neg() } else { constant };
                let (x, value) = (self.node(difference).args[0], self.number(value, width));
                if !matches!(self.node(x).op, Op::Sum(..) | Op::PtrAdd) {
                    return self.eq(x, value);
                }
            }
        }
        let (a, b) = if self.value(b).is_some() || a < b { (a, b) } else { (b, a) };
        self.raw(Op::Eq, &[a, b], BOOL)
    }

    /// Unsigned less than.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => return self.truth(x < y),
            (_, Some(0)) => return self.truth(false),
            (Some(0), _) => {
                let zero = self.eq(a, b);
                return self.not(zero);
            }
            (_, Some(1)) => {
                let zero = self.number(0, self.width(a));
                return self.eq(a, zero);
            }
            _ => {}
        }
        if a == b {
            return self.truth(false);
        }
        self.raw(Op::Ult, &[a, b], BOOL)
    }

    /// Signed less than.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return self.truth(signed(x, width) < signed(y, width));
        }
        if a == b {
            return self.truth(false);
        }
        self.raw(Op::Slt, &[a, b], BOOL)
    }

    // ---- sums

    /// The linear form of a term: multiples and a constant.
    fn linear(&self, term: Term) -> (SmallVec<[(Term, u128); 4]>, u128) {
        let node = self.node(term);
        match &node.op {
            Op::Const(value) => (SmallVec::new(), *value),
            Op::Sum(coefficients, constant) => {
                (node.args.iter().copied().zip(coefficients.iter().copied()).collect(), *constant)
            }
            Op::PtrAdd => {
                let (mut parts, constant) = self.linear(node.args[1]);
                parts.push((node.args[0], 1));
                (parts, constant)
            }
            _ => ([(term, 1)].into_iter().collect(), 0),
        }
    }

    fn from_linear(&mut self, mut parts: SmallVec<[(Term, u128); 4]>, constant: u128, width: u32) -> Term {
        parts.sort_unstable();
        let mut merged: SmallVec<[(Term, u128); 4]> = SmallVec::new();
        for (term, coefficient) in parts {
            match merged.last_mut() {
                Some(last) if last.0 == term => last.1 = last.1.wrapping_add(coefficient),
                _ => merged.push((term, coefficient)),
            }
        }
        merged.iter_mut().for_each(|part| part.1 &= mask(width));
        merged.retain(|part| part.1 != 0);
        let constant = constant & mask(width);
        match &merged[..] {
            [] => self.number(constant, width),
            [(term, 1)] if constant == 0 => *term,
            _ => {
                let args: SmallVec<[Term; 4]> = merged.iter().map(|part| part.0).collect();
                let coefficients = merged.iter().map(|part| part.1).collect();
                self.raw(Op::Sum(coefficients, constant), &args, width)
            }
        }
    }

    fn combine(&mut self, a: Term, b: Term, times: u128) -> Term {
        let width = self.width(a);
        let ((mut parts, constant), (other, more)) = (self.linear(a), self.linear(b));
        parts.extend(other.into_iter().map(|(term, coefficient)| (term, coefficient.wrapping_mul(times))));
        self.from_linear(parts, constant.wrapping_add(more.wrapping_mul(times)), width)
    }

    /// Sum.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.combine(a, b, 1)
    }

    /// Difference.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.combine(a, b, u128::MAX)
    }

    /// Product.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = if self.value(a).is_some() || b < a && self.value(b).is_none() { (b, a) } else { (a, b) };
        if let Some(times) = self.value(b) {
            let zero = self.number(0, width);
            return self.combine(zero, a, times);
        }
        self.raw(Op::Mul, &[a, b], width)
    }

    /// An address plus an offset.
    pub fn ptr_add(&mut self, base: Term, offset: Term) -> Term {
        if self.value(offset) == Some(0) {
            return base;
        }
        if self.value(base).is_some() {
            return self.add(base, offset);
        }
        let (base, before) = self.split_address(base);
        let offset = match before {
            Some(before) => self.add(before, offset),
            None => offset,
        };
        if self.value(offset) == Some(0) { base } else { self.raw(Op::PtrAdd, &[base, offset], 64) }
    }

    /// Whether a truth value says that a call returns.
    pub fn is_return(&self, term: Term) -> bool {
        matches!(self.node(term).op, Op::Uf(Uf { kind: UfKind::Returns, .. }))
    }

    /// An address that is a choice as a choice of addresses.
    pub fn split_choice(&mut self, address: Term) -> Option<(Term, Term, Term)> {
        let (base, offset) = self.split_address(address);
        let node = self.node(base).clone();
        if node.op != Op::Ite {
            return None;
        }
        match offset {
            None => Some((node.args[0], node.args[1], node.args[2])),
            Some(offset) => {
                let (a, b) = (self.ptr_add(node.args[1], offset), self.ptr_add(node.args[2], offset));
                Some((node.args[0], a, b))
            }
        }
    }
}
