//! What divides an address: the low bits that are zero in every execution, from the alignment of
//! objects, from constants and from the steps of counters.
//!
//! A phi that is being looked at counts as a multiple of everything. That is right, as no operation
//! here clears a zero bit of the phi: going around the loop cannot take away what the other entries
//! and the steps have in common.

use crate::{Function, Linkage, Module, Opcode, SymbolDef, SymbolId, Value, Visibility};

/// Values looked at for one question.
const MAX_VALUES: u32 = 32;
/// More zero bits than anybody asks for.
const ALL: u32 = 64;

/// Whether `2^bits` divides the value. `interposable`: public definitions of this module may be
/// replaced by those of another one.
pub fn is_multiple(func: &Function, module: &Module, interposable: bool, value: Value, bits: u32) -> bool {
    let mut search = Search { func, module, interposable, open: Vec::new(), left: MAX_VALUES };
    search.zeros(value) >= bits
}

struct Search<'a> {
    func: &'a Function,
    module: &'a Module,
    interposable: bool,
    /// Phis being looked at.
    open: Vec<Value>,
    left: u32,
}

impl Search<'_> {
    /// Low bits that are zero.
    fn zeros(&mut self, value: Value) -> u32 {
        let func = self.func;
        if let Some((symbol, offset)) = func.const_symbol(value) {
            return self.symbol(symbol).min(offset.trailing_zeros());
        }
        if let Some(bits) = func.const_bits(value) {
            return bits.trailing_zeros().min(ALL);
        }
        if self.open.contains(&value) {
            return ALL;
        }
        let Some(inst) = func.def_inst(value).filter(|_| self.left > 0) else { return 0 };
        self.left -= 1;
        let mut operand = |index: usize| self.zeros(func.operand(inst, index));
        match func.insts[inst].opcode {
            Opcode::PtrAdd | Opcode::Add | Opcode::Sub | Opcode::Or | Opcode::Xor => operand(0).min(operand(1)),
            Opcode::Mul => (operand(0) + operand(1)).min(ALL),
            Opcode::And => operand(0).max(operand(1)),
            Opcode::Select => operand(1).min(operand(2)),
            Opcode::Shl => {
                let bits = u128::from(func.insts[inst].ty.bits());
                let by = func.const_bits(func.operand(inst, 1)).filter(|&by| by < bits);
                by.map_or(0, |by| (operand(0) + by as u32).min(ALL))
            }
            Opcode::ZExt | Opcode::SExt | Opcode::Trunc | Opcode::PtrToInt | Opcode::IntToPtr => operand(0),
            Opcode::Alloca => func.alloca_info(inst).1.trailing_zeros(),
            Opcode::Phi => {
                self.open.push(value);
                let zeros = func.operands(inst).map(|entry| self.zeros(entry)).min().unwrap_or(0);
                self.open.pop();
                zeros
            }
            _ => 0,
        }
    }

    /// Of a symbol's address.
    fn symbol(&self, symbol: SymbolId) -> u32 {
        let data = &self.module.symbols[symbol];
        let replaceable = match data.linkage {
            Linkage::Local => false,
            Linkage::Weak => true,
            Linkage::Global => self.interposable && data.visibility == Visibility::Default,
        };
        let align = match data.def {
            SymbolDef::Data(object) if !replaceable => self.module.data[object].align,
            _ => data.align,
        };
        if align == 0 { 0 } else { align.trailing_zeros() }
    }
}
