//! How many bytes of its object lie after a pointer: `__builtin_object_size` and
//! `__builtin_dynamic_object_size` (gcc manual, "Object Size Checking"). What cannot be known is
//! what gcc cannot know either: programs have come to rely on some of that.
//!
//! Of every pointer two numbers are followed: the bytes left over it and the bytes of the whole
//! object, so that going back in an object (a negative offset) gives bytes back. [`object_size`]
//! answers with constants; [`dynamic_object_size`] adds instructions beside those that make the
//! pointer.

use crate::{Builder, FnAttrs, Function, Inst, IntCc, Intrinsic, Linkage, Module, Opcode, SymbolDef, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Values looked at for one question.
const MAX_VALUES: u32 = 256;

/// What a question asks.
#[derive(Clone, Copy)]
pub struct Mode {
    /// The least there can be, instead of the most.
    pub least: bool,
    /// Of the closest member, instead of the whole object.
    pub closest: bool,
    /// May be computed at run time.
    pub dynamic: bool,
    /// Computed only of a pointer that is the same on every path: no phis of sizes.
    pub straight: bool,
}

impl Mode {
    /// From the second operand of `object_size`.
    pub fn from_bits(bits: u64) -> Mode {
        let has = |bit: u64| bits & bit != 0;
        Mode { least: has(2), closest: has(1), dynamic: has(4), straight: has(8) }
    }

    /// The answer when nothing is known.
    pub fn unknown(self) -> u64 {
        if self.least { 0 } else { u64::MAX }
    }
}

/// Bytes from a pointer on, and of its object.
#[derive(Clone, Copy, PartialEq)]
struct Extent<N> {
    left: N,
    whole: N,
}

/// What is known of one value.
#[derive(Clone, Copy, PartialEq)]
enum Bytes {
    /// The one object it points into.
    Exact(Extent<u64>),
    /// The most or least of several.
    Limit(Extent<u64>),
    /// A phi on the way around its own loop: whatever its other entries say, or after a step back
    /// any part of the object.
    Circular { back: bool },
}

/// Bytes from the pointer on as a constant. `None` if the object is not known on every path; with
/// `exact` also if there are several paths.
pub fn object_size(func: &Function, module: &Module, pointer: Value, mode: Mode, exact: bool) -> Option<u64> {
    let mut search = Search { func, module, mode, open: FxHashSet::default(), left: MAX_VALUES };
    match search.behind(pointer)? {
        Bytes::Exact(extent) => Some(extent.left),
        Bytes::Limit(extent) if !exact => Some(extent.left),
        _ => None,
    }
}

struct Search<'a> {
    func: &'a Function,
    module: &'a Module,
    mode: Mode,
    /// Phis being looked at.
    open: FxHashSet<Inst>,
    left: u32,
}

impl Search<'_> {
    fn behind(&mut self, pointer: Value) -> Option<Bytes> {
        self.left = self.left.checked_sub(1)?;
        let object = |size: u64| Some(Bytes::Exact(Extent { left: size, whole: size }));
        if let Some((symbol, offset)) = self.func.const_symbol(pointer) {
            let whole = symbol_size(self.module, symbol)?;
            let left = u64::try_from(offset).map_or(0, |offset| whole.saturating_sub(offset));
            return Some(Bytes::Exact(Extent { left, whole }));
        }
        let inst = self.func.def_inst(pointer)?;
        match self.func.insts[inst].opcode {
            Opcode::Alloca => object(self.func.alloca_info(inst).0),
            Opcode::DynAlloca => object(self.func.const_bits(self.func.operand(inst, 0))? as u64),
            Opcode::Call => match allocation(self.func, self.module, inst)? {
                Source::Argument(argument) => self.behind(argument),
                Source::Fresh(count, size) => {
                    let constant = |value: Value| self.func.const_bits(value).map(|n| n as u64);
                    let count = count.map_or(Some(1), constant)?;
                    object(constant(size)?.checked_mul(count)?)
                }
            },
            Opcode::Intrinsic if is_known_bytes(self.func, inst) => self.known(inst),
            Opcode::PtrAdd => {
                let by = self.func.const_i64(self.func.operand(inst, 1))?;
                let before = self.behind(self.func.operand(inst, 0))?;
                self.moved(before, by)
            }
            Opcode::Select => {
                let (a, b) = (self.func.operand(inst, 1), self.func.operand(inst, 2));
                self.merge([a, b])
            }
            Opcode::Phi => {
                if !self.open.insert(inst) {
                    return Some(Bytes::Circular { back: false });
                }
                let operands: Vec<Value> = self.func.operands(inst).collect();
                let merged = self.merge(operands);
                self.open.remove(&inst);
                merged
            }
            _ => None,
        }
    }

    /// A `known_bytes`: the size of an object, or of the closest member, which ends no later than
    /// what it is part of.
    fn known(&mut self, inst: Inst) -> Option<Bytes> {
        let (pointer, bytes, closest) = known_operands(self.func, inst);
        if closest && !self.mode.closest {
            return self.behind(pointer);
        }
        let bytes = self.func.const_bits(bytes)? as u64;
        let mut left = bytes;
        if closest {
            let mode = Mode { closest: false, ..self.mode };
            let outer =
                Search { func: self.func, module: self.module, mode, open: FxHashSet::default(), left: self.left };
            let outer = { outer }.behind(pointer);
            if bytes == u64::MAX {
                return outer;
            }
            if let Some(Bytes::Exact(outer) | Bytes::Limit(outer)) = outer {
                left = left.min(outer.left);
            }
        }
        Some(Bytes::Exact(Extent { left, whole: bytes }))
    }

    fn moved(&self, before: Bytes, by: i64) -> Option<Bytes> {
        match before {
            _ if by == 0 => Some(before),
            Bytes::Exact(Extent { left, whole }) => {
                let at = (whole - left.min(whole)).checked_add_signed(by);
                Some(Bytes::Exact(Extent { left: at.map_or(0, |at| whole.saturating_sub(at)), whole }))
            }
            Bytes::Limit(Extent { left, whole }) if by > 0 => {
                Some(Bytes::Limit(Extent { left: left.saturating_sub(by as u64), whole }))
            }
            // Only going up makes what is left smaller each iteration.
            _ if self.mode.least => None,
            Bytes::Limit(Extent { whole, .. }) => Some(Bytes::Limit(Extent { left: whole, whole })),
            Bytes::Circular { back } => Some(Bytes::Circular { back: back || by < 0 }),
        }
    }

    fn merge(&mut self, pointers: impl IntoIterator<Item = Value>) -> Option<Bytes> {
        let (mut out, mut back, mut exact): (Option<Extent<u64>>, bool, bool) = (None, false, true);
        let (least, mut circular) = (self.mode.least, false);
        let pick = |a: u64, b: u64| if least { a.min(b) } else { a.max(b) };
        for pointer in pointers {
            let bytes = self.behind(pointer)?;
            match bytes {
                Bytes::Circular { back: b } => {
                    back |= b;
                    circular = true;
                }
                Bytes::Exact(next) | Bytes::Limit(next) => {
                    exact &= bytes == Bytes::Exact(next) && out.is_none_or(|old| old == next);
                    out = Some(match out {
                        None => next,
                        Some(old) => Extent { left: pick(old.left, next.left), whole: pick(old.whole, next.whole) },
                    });
                }
            }
        }
        Some(match out {
            None => Bytes::Circular { back },
            Some(Extent { whole, .. }) if back => Bytes::Limit(Extent { left: whole, whole }),
            Some(extent) if exact && !circular => Bytes::Exact(extent),
            Some(extent) => Bytes::Limit(extent),
        })
    }
}

fn is_known_bytes(func: &Function, inst: Inst) -> bool {
    func.insts[inst].intrinsic() == Intrinsic::KnownBytes
}

/// Pointer, bytes, and whether they are the closest member's.
fn known_operands(func: &Function, inst: Inst) -> (Value, Value, bool) {
    let list = func.list(inst);
    (list[0], list[1], func.const_bits(list[2]) != Some(0))
}

fn symbol_size(module: &Module, symbol: crate::SymbolId) -> Option<u64> {
    let data = &module.symbols[symbol];
    match data.def {
        SymbolDef::Data(id) if data.linkage != Linkage::Weak => Some(module.data[id].size),
        SymbolDef::Common { size, .. } => Some(size),
        _ => None,
    }
}

/// What a call of the library returns.
enum Source {
    /// New memory: (count and) size in bytes.
    Fresh(Option<Value>, Value),
    /// This argument.
    Argument(Value),
}

fn allocation(func: &Function, module: &Module, call: Inst) -> Option<Source> {
    if !func.call_info(call).attrs.has(FnAttrs::LIBRARY) {
        return None;
    }
    let argument = |i: usize| func.list(call).get(i).copied();
    match module.name_of_callee(func, call)? {
        "malloc" => Some(Source::Fresh(None, argument(1)?)),
        "realloc" | "aligned_alloc" => Some(Source::Fresh(None, argument(2)?)),
        "calloc" => Some(Source::Fresh(Some(argument(1)?), argument(2)?)),
        "memcpy" | "memmove" | "memset" | "strcpy" | "strncpy" | "strcat" | "strncat" | "__memcpy_chk"
        | "__memmove_chk" | "__memset_chk" | "__strcpy_chk" | "__strncpy_chk" | "__strcat_chk" | "__strncat_chk" => {
            Some(Source::Argument(argument(1)?))
        }
        _ => None,
    }
}

/// Bytes from the pointer on as a value that is available wherever the pointer is. `None` if the
/// object is not known on every path.
pub fn dynamic_object_size(func: &mut Function, module: &Module, pointer: Value, mode: Mode) -> Option<Value> {
    let mut emitter = Emitter { func, module, mode, done: FxHashMap::default() };
    if !emitter.is_known(pointer) {
        return None;
    }
    Some(emitter.extent(pointer)?.left)
}

struct Emitter<'a> {
    func: &'a mut Function,
    module: &'a Module,
    mode: Mode,
    done: FxHashMap<Value, Extent<Value>>,
}

impl Emitter<'_> {
    /// Whether all that the pointer can be leads to objects whose sizes can be had.
    fn is_known(&self, pointer: Value) -> bool {
        let (mut seen, mut work) = (FxHashSet::default(), vec![pointer]);
        let mut objects = 0;
        while let Some(pointer) = work.pop() {
            if !seen.insert(pointer) {
                continue;
            }
            if seen.len() > MAX_VALUES as usize {
                return false;
            }
            if let Some((symbol, _)) = self.func.const_symbol(pointer) {
                objects += 1;
                if symbol_size(self.module, symbol).is_none() {
                    return false;
                }
                continue;
            }
            let Some(inst) = self.func.def_inst(pointer) else { return false };
            match self.func.insts[inst].opcode {
                Opcode::Alloca | Opcode::DynAlloca => objects += 1,
                Opcode::Call => match allocation(self.func, self.module, inst) {
                    Some(Source::Argument(argument)) => work.push(argument),
                    Some(Source::Fresh(..)) => objects += 1,
                    None => return false,
                },
                Opcode::Intrinsic if is_known_bytes(self.func, inst) => {
                    let (pointer, _, closest) = known_operands(self.func, inst);
                    if closest && !self.mode.closest {
                        work.push(pointer);
                    } else {
                        objects += 1;
                    }
                }
                Opcode::PtrAdd => work.push(self.func.operand(inst, 0)),
                Opcode::Select => work.extend([self.func.operand(inst, 1), self.func.operand(inst, 2)]),
                Opcode::Phi if !self.mode.straight => work.extend(self.func.operands(inst)),
                _ => return false,
            }
        }
        objects > 0
    }

    /// Recursion is limited by the number of values [`Emitter::is_known`] went through.
    fn extent(&mut self, pointer: Value) -> Option<Extent<Value>> {
        if let Some(&extent) = self.done.get(&pointer) {
            return Some(extent);
        }
        let extent = self.make(pointer)?;
        // To gcc the least of nothing and of something unknown are the same.
        if self.mode.least && self.func.const_bits(extent.left) == Some(0) {
            return None;
        }
        self.done.insert(pointer, extent);
        Some(extent)
    }

    fn object(size: Value) -> Option<Extent<Value>> {
        Some(Extent { left: size, whole: size })
    }

    fn make(&mut self, pointer: Value) -> Option<Extent<Value>> {
        if let Some((symbol, offset)) = self.func.const_symbol(pointer) {
            let whole = symbol_size(self.module, symbol)?;
            let left = u64::try_from(offset).map_or(0, |offset| whole.saturating_sub(offset));
            let (left, whole) = (self.func.iconst(Type::I64, left as i64), self.func.iconst(Type::I64, whole as i64));
            return Some(Extent { left, whole });
        }
        let inst = self.func.def_inst(pointer)?;
        match self.func.insts[inst].opcode {
            Opcode::Alloca => {
                let size = self.func.alloca_info(inst).0;
                Self::object(self.func.iconst(Type::I64, size as i64))
            }
            Opcode::DynAlloca => Self::object(self.func.operand(inst, 0)),
            Opcode::Call => match allocation(self.func, self.module, inst)? {
                Source::Argument(argument) => self.extent(argument),
                Source::Fresh(None, size) => Self::object(size),
                Source::Fresh(Some(count), size) => Self::object(self.after(inst).binary(Opcode::Mul, count, size)),
            },
            Opcode::Intrinsic => self.known(inst),
            Opcode::PtrAdd => {
                let before = self.extent(self.func.operand(inst, 0))?;
                let by = self.func.operand(inst, 1);
                Some(self.moved(inst, before, by))
            }
            Opcode::Select => {
                let condition = self.func.operand(inst, 0);
                let a = self.extent(self.func.operand(inst, 1))?;
                let b = self.extent(self.func.operand(inst, 2))?;
                let mut add = self.after(inst);
                let left = add.select(condition, a.left, b.left);
                let whole = add.select(condition, a.whole, b.whole);
                Some(Extent { left, whole })
            }
            Opcode::Phi => self.phi(pointer, inst),
            _ => None,
        }
    }

    fn known(&mut self, inst: Inst) -> Option<Extent<Value>> {
        let (pointer, bytes, closest) = known_operands(self.func, inst);
        if !closest {
            return Self::object(bytes);
        }
        if !self.mode.closest {
            return self.extent(pointer);
        }
        let outer = dynamic_object_size(self.func, self.module, pointer, Mode { closest: false, ..self.mode });
        if self.func.const_i64(bytes) == Some(-1) {
            return Self::object(outer?);
        }
        let left = match outer {
            Some(outer) => self.smaller(inst, bytes, outer),
            None => bytes,
        };
        Some(Extent { left, whole: bytes })
    }

    /// Phis of sizes beside a phi of pointers; registered before their entries are made, for loops.
    fn phi(&mut self, pointer: Value, inst: Inst) -> Option<Extent<Value>> {
        let entries: Vec<(Value, crate::Block)> = (0..self.func.num_operands(inst))
            .map(|i| (self.func.operand(inst, i), self.func.phi_block(inst, i)))
            .collect();
        let zero = self.func.iconst(Type::I64, 0);
        let blank: Vec<(Value, crate::Block)> = entries.iter().map(|&(_, block)| (zero, block)).collect();
        let left = Builder::before(self.func, inst).phi(Type::I64, &blank);
        let whole = Builder::before(self.func, inst).phi(Type::I64, &blank);
        let extent = Extent { left: self.func.first_result(left), whole: self.func.first_result(whole) };
        self.done.insert(pointer, extent);
        for (index, &(value, _)) in entries.iter().enumerate() {
            let entry = self.extent(value)?;
            self.func.set_operand(left, index, entry.left);
            self.func.set_operand(whole, index, entry.whole);
        }
        Some(extent)
    }

    /// A builder after the instruction; after all phis if it is one.
    fn after(&mut self, inst: Inst) -> Builder<'_> {
        let mut next = self.func.next_inst(inst);
        while let Some(at) = next.filter(|&i| self.func.insts[i].opcode == Opcode::Phi) {
            next = self.func.next_inst(at);
        }
        match next {
            Some(next) => Builder::before(self.func, next),
            None => base::bug!("a value is made at the end of a block"),
        }
    }

    fn smaller(&mut self, inst: Inst, a: Value, b: Value) -> Value {
        let mut add = self.after(inst);
        let less = add.icmp(IntCc::Ult, a, b);
        add.select(less, a, b)
    }

    /// The extent `by` bytes on, nothing left outside the object. With `net` the distance from the
    /// object's start, the rest is `max(whole, net) - net`; a net distance before the start is a
    /// huge number.
    fn moved(&mut self, inst: Inst, before: Extent<Value>, by: Value) -> Extent<Value> {
        let Extent { left, whole } = before;
        let constant = |value: Value| self.func.const_i64(value);
        if let (Some(rest), Some(size), Some(by)) = (constant(left), constant(whole), constant(by)) {
            let at = size.wrapping_sub(rest).wrapping_add(by);
            let left = if (0..size).contains(&at) { size - at } else { 0 };
            return Extent { left: self.func.iconst(Type::I64, left), whole };
        }
        let mut add = self.after(inst);
        let at = add.binary(Opcode::Sub, whole, left);
        let net = add.binary(Opcode::Add, at, by);
        let inside = add.icmp(IntCc::Ult, net, whole);
        let rest = add.binary(Opcode::Sub, whole, net);
        let zero = add.iconst(Type::I64, 0);
        Extent { left: add.select(inside, rest, zero), whole }
    }
}
