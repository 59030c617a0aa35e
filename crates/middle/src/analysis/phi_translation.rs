//! Phi translation: the address of an access in a block where paths meet, as each path computes it.
//!
//! `load a[j]` with `j = phi [i, b1], [i + 1, b2]` reads `a[i]` for a path through b1 and `a[i +
//! 1]` for one through b2, which these may have loaded or stored. Addresses are compared as sums
//! ([`Linear`]), so that it does not matter how they are computed: the sums of
//! [`crate::analysis::linear`], and extensions of narrower sums that do not overflow besides:
//! `sext(i + 1) * 8` is `sext(i) * 8 + 8`, if the addition is `nsw`. (Chow et al., "A New Algorithm
//! for Partial Redundancy Elimination based on SSA Form", 1997, section 3.2; GCC's `phi_translate`
//! of tree-ssa-pre.c.)

use ir::{Block, Function, Inst, Opcode, SymbolId, Value, flags};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analysis::linear::Linear;
use crate::ssa_repair::copy_inst;
use ir::effects::{is_pure, may_trap};

/// Instructions looked through per address.
const MAX_STEPS: usize = 24;

/// Instructions that are copied to compute one address for a path.
const MAX_COPIES: usize = 8;

/// How a value takes part in a sum of 64 bits.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Extension {
    /// It has 64 bits.
    None,
    Sign,
    Zero,
}

/// What an address is a sum of.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// The address of a symbol.
    Symbol(SymbolId),
    /// Any other value, extended to 64 bits.
    Value(ExtendedValue),
}

/// A value that takes part in a sum.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ExtendedValue(Value, Extension);

/// An address as a sum.
pub type Address = Linear<Part>;

/// The way into a block from one of its predecessors, which comes before it on every path (the
/// block is no loop header).
#[derive(Copy, Clone, Debug)]
pub struct Edge {
    /// The block.
    pub to: Block,
    /// The predecessor.
    pub from: Block,
}

/// The sum that an address is where it is used.
pub fn address(func: &Function, value: Value) -> Address {
    let mut sum = Sum { func, edge: None, translated: false, terms: SmallVec::new(), constant: 0 };
    sum.add(value).expect("only translation fails");
    Linear::new(sum.terms, sum.constant)
}

/// The sum that an address of the block `edge.to` is for the path along `edge`, in terms of values
/// that exist there. `None` if it is the same for all paths, or computed from what that block
/// loads, calls and so on.
pub fn translated_address(func: &Function, value: Value, edge: Edge) -> Option<Address> {
    let mut sum = Sum { func, edge: Some(edge), translated: false, terms: SmallVec::new(), constant: 0 };
    sum.add(value)?;
    sum.translated.then(|| Linear::new(sum.terms, sum.constant))
}

struct Sum<'a> {
    func: &'a Function,
    edge: Option<Edge>,
    /// Whether a phi stands for what comes along the edge.
    translated: bool,
    terms: SmallVec<[(Part, i64); 4]>,
    constant: i64,
}

impl Sum<'_> {
    fn add(&mut self, value: Value) -> Option<()> {
        let mut work: SmallVec<[(Value, Extension, i64); 8]> = SmallVec::new();
        work.push((value, Extension::None, 1));
        let mut steps = 0;
        while let Some((value, extension, factor)) = work.pop() {
            let value = self.translate(value)?;
            if let Some(constant) = constant(self.func, value, extension) {
                self.constant = self.constant.wrapping_add(constant.wrapping_mul(factor));
                continue;
            }
            if let Some((symbol, offset)) = self.func.const_symbol(value) {
                self.constant = self.constant.wrapping_add(offset.wrapping_mul(factor));
                self.terms.push((Part::Symbol(symbol), factor));
                continue;
            }
            steps += 1;
            match self.func.def_inst(value).filter(|_| steps <= MAX_STEPS).and_then(|i| split(self.func, i, extension))
            {
                Some(parts) => work.extend(parts.into_iter().map(|(v, e, f)| (v, e, factor.wrapping_mul(f)))),
                None if self.is_late(value) => return None,
                None => self.terms.push((Part::Value(ExtendedValue(value, extension)), factor)),
            }
        }
        Some(())
    }

    fn translate(&mut self, value: Value) -> Option<Value> {
        match (self.edge, self.func.def_inst(value)) {
            (Some(edge), Some(inst)) if is_phi_of(self.func, inst, edge.to) => {
                self.translated = true;
                self.func.phi_value(inst, edge.from)
            }
            _ => Some(value),
        }
    }

    /// Whether the value does not exist yet on the edge.
    fn is_late(&self, value: Value) -> bool {
        let block = self.func.def_inst(value).and_then(|i| self.func.inst_block(i));
        self.edge.is_some_and(|edge| block == Some(edge.to))
    }
}

fn is_phi_of(func: &Function, inst: Inst, block: Block) -> bool {
    func.insts[inst].opcode == Opcode::Phi && func.inst_block(inst) == Some(block)
}

fn constant(func: &Function, value: Value, extension: Extension) -> Option<i64> {
    match extension {
        Extension::Zero => func.const_bits(value).map(|bits| bits as u64 as i64),
        Extension::None | Extension::Sign => func.const_i64(value),
    }
}

/// What an instruction's result, extended, is the sum of, with factors.
fn split(func: &Function, inst: Inst, extension: Extension) -> Option<SmallVec<[(Value, Extension, i64); 2]>> {
    let data = func.insts[inst];
    let exact = match extension {
        Extension::None => data.ty.bits() == 64,
        Extension::Sign => data.has(flags::NSW),
        Extension::Zero => data.has(flags::NUW),
    };
    let operand = |index| func.operand(inst, index);
    let narrow = |index| func.value_type(operand(index)).is_int();
    let mut parts = SmallVec::new();
    match data.opcode {
        Opcode::SExt if extension != Extension::Zero && narrow(0) => parts.push((operand(0), Extension::Sign, 1)),
        Opcode::ZExt if narrow(0) => parts.push((operand(0), Extension::Zero, 1)),
        Opcode::Add | Opcode::PtrAdd if exact => parts.extend([(operand(0), extension, 1), (operand(1), extension, 1)]),
        Opcode::Sub if exact => parts.extend([(operand(0), extension, 1), (operand(1), extension, -1)]),
        Opcode::Mul if exact => parts.push((operand(0), extension, constant(func, operand(1), extension)?)),
        Opcode::Shl if exact => {
            let by = func.const_bits(operand(1)).filter(|&by| by < u128::from(data.ty.bits()))?;
            parts.push((operand(0), extension, 1i64 << by));
        }
        _ => return None,
    }
    Some(parts)
}

/// Computes an address of the block `edge.to` at the end of `edge.from`, which only jumps there:
/// copies what that block computes it with. `None` if that takes more than a few instructions or
/// other than arithmetic.
pub fn compute_on_edge(func: &mut Function, address: Value, edge: Edge) -> Option<Value> {
    let order = cone(func, address, edge.to)?;
    let mut known: FxHashMap<Value, Value> = FxHashMap::default();
    for inst in order {
        let result = func.first_result(inst);
        if func.insts[inst].opcode == Opcode::Phi {
            known.insert(result, func.phi_value(inst, edge.from)?);
            continue;
        }
        let copy = copy_inst(func, inst, |v| known.get(&v).copied().unwrap_or(v));
        func.clear_flags(copy);
        func.inst_locs[copy] = func.inst_locs[inst];
        let end = func.terminator(edge.from);
        func.insert_before(end, copy);
        known.insert(result, func.first_result(copy));
    }
    Some(known.get(&address).copied().unwrap_or(address))
}

/// Whether [`compute_on_edge`] can compute the address.
pub fn is_computable_on_edge(func: &Function, address: Value, block: Block) -> bool {
    cone(func, address, block).is_some()
}

/// The instructions of a block that a value is computed with, operands first.
fn cone(func: &Function, value: Value, block: Block) -> Option<SmallVec<[Inst; 16]>> {
    let mut order: SmallVec<[Inst; 16]> = SmallVec::new();
    let mut work: SmallVec<[(Value, bool); 16]> = SmallVec::new();
    work.push((value, false));
    let mut copies = 0;
    while let Some((value, operands_done)) = work.pop() {
        let inside = func.def_inst(value).filter(|&i| func.inst_block(i) == Some(block) && !order.contains(&i));
        let Some(inst) = inside else { continue };
        if operands_done || func.insts[inst].opcode == Opcode::Phi {
            order.push(inst);
            continue;
        }
        copies += 1;
        if copies > MAX_COPIES || !is_pure(func, inst) || may_trap(func, inst) {
            return None;
        }
        work.push((value, true));
        work.extend(func.operands(inst).map(|v| (v, false)));
    }
    Some(order)
}
