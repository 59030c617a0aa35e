//! When the values of a block are ready: passes that may choose an order of operations take those
//! first that need not wait.

use cranelift_entity::SecondaryMap;

use super::LoopTree;
use crate::{Block, Function, Inst, Opcode, Value};

/// Nesting of operations that is looked into.
const MAX_DEPTH: u32 = 12;

/// When values are ready: the longest chain of operations from the beginning of their block.
#[derive(Default)]
pub struct Readiness {
    values: SecondaryMap<Value, Ready>,
    block: Option<Block>,
    /// Whether the block is where a loop's iterations begin.
    is_header: bool,
    /// Calls so far in the block.
    calls: u32,
}

#[derive(Copy, Clone, Default)]
struct Ready {
    cycle: u32,
    /// Calls before it in its block.
    calls: u32,
    /// Whether nothing that it is computed from waits for the iteration before.
    is_ahead: bool,
}

impl Readiness {
    /// Goes on to the next instruction, of this block.
    pub fn enter(&mut self, loops: &LoopTree, block: Block) {
        if self.block != Some(block) {
            let is_header = loops.innermost(block).is_some_and(|l| loops.header(l) == block);
            (self.block, self.is_header, self.calls) = (Some(block), is_header, 0);
        }
    }

    /// Notes an instruction's results. Those before it in its block have been noted, but for
    /// rebuilt expressions.
    pub fn note(&mut self, func: &Function, inst: Inst) {
        let opcode = func.insts[inst].opcode;
        self.calls += u32::from(opcode == Opcode::Call);
        if func.results(inst).len() == 0 {
            return;
        }
        let start = func.operands(inst).map(|v| self.of(func, v, 0)).max().unwrap_or(0);
        let is_ahead = opcode != Opcode::Call && func.operands(inst).all(|v| self.is_ahead(func, v));
        self.values[func.first_result(inst)] = Ready { cycle: start + latency(opcode), calls: self.calls, is_ahead };
    }

    /// Notes what a phi stands for.
    pub fn note_phi(&mut self, func: &Function, loops: &LoopTree, phi: Inst) {
        self.values[func.first_result(phi)].is_ahead = !is_carried(func, loops, phi);
    }

    /// Notes what an expression was rebuilt as.
    pub fn note_rebuilt(&mut self, func: &Function, value: Value) {
        if self.is_here(func, value) {
            let cycle = self.of(func, value, 0);
            self.values[value] = Ready { cycle, calls: self.calls, is_ahead: false };
        }
    }

    fn is_here(&self, func: &Function, value: Value) -> bool {
        func.def_inst(value).is_some_and(|i| func.inst_block(i) == self.block)
    }

    /// Whether a value was there before a call of this block.
    pub fn is_early(&self, func: &Function, value: Value) -> bool {
        let before = if self.is_here(func, value) { self.values[value].calls } else { 0 };
        before < self.calls
    }

    /// Whether a value of a loop's block can be there before the iteration begins.
    fn is_ahead(&self, func: &Function, value: Value) -> bool {
        !self.is_here(func, value) || self.values[value].is_ahead
    }

    /// When a value is ready in the block, 0 for those of other blocks. What a rebuilt expression
    /// consists of is looked into.
    pub fn of(&self, func: &Function, value: Value, depth: u32) -> u32 {
        let Some(inst) = func.def_inst(value).filter(|_| self.is_here(func, value)) else { return 0 };
        let Ready { cycle: known, is_ahead, .. } = self.values[value];
        if is_ahead && self.is_header {
            return 0;
        }
        if known != 0 || depth >= MAX_DEPTH || !is_operation(func.insts[inst].opcode) {
            return known;
        }
        func.operands(inst).map(|v| self.of(func, v, depth + 1)).max().unwrap_or(0) + 1
    }
}

/// Whether a phi of a loop has a value that the iteration before computed: neither a counter nor
/// what another such phi was.
fn is_carried(func: &Function, loops: &LoopTree, phi: Inst) -> bool {
    let l = func.inst_block(phi).and_then(|header| loops.innermost(header));
    let from_loop = |i: Inst| l.zip(func.inst_block(i)).is_some_and(|(l, block)| loops.contains(l, block));
    let counts = |i: Inst| {
        matches!(func.insts[i].opcode, Opcode::Add | Opcode::PtrAdd)
            && func.operand(i, 0) == func.first_result(phi)
            && func.const_bits(func.operand(i, 1)).is_some()
    };
    let computed = |value: Value| func.def_inst(value).is_some_and(|i| from_loop(i) && !counts(i));
    !is_handed_on(func, phi) && func.operands(phi).any(computed)
}

/// Whether a phi of a loop is what another one was in the iteration before.
pub fn is_handed_on(func: &Function, phi: Inst) -> bool {
    let block = func.inst_block(phi);
    let is_other = |inst: Inst| inst != phi && func.inst_block(inst) == block;
    func.operands(phi).any(|v| func.def_with(v, Opcode::Phi).is_some_and(is_other))
}

/// Cycles, by and large.
fn latency(opcode: Opcode) -> u32 {
    match opcode {
        Opcode::Load => 4,
        Opcode::Mul => 3,
        Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem => 20,
        Opcode::Call => 50,
        _ => 1,
    }
}

/// The operations that expressions consist of.
pub fn is_operation(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, Add | Sub | Mul | Shl | And | Or | Xor | PtrAdd)
}
