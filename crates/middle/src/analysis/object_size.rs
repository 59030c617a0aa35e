//! How many bytes of its object lie behind a pointer: `__builtin_object_size` (gcc manual, "Object Size Checking").

use ir::{FnAttrs, Function, Inst, Linkage, Module, Opcode, SymbolDef, Value};
use rustc_hash::FxHashSet;

/// Values looked at for one question.
const MAX_VALUES: u32 = 64;

/// What is known of the bytes behind one value.
#[derive(Clone, Copy, PartialEq)]
enum Bytes {
    /// This many.
    Known(u64),
    /// A phi on the way round its own loop: whatever its other entries say.
    Circular,
}

/// Bytes behind the pointer: the most there can be, or the least if `least`. `None` if the object is not known on every path.
pub fn object_size(func: &Function, module: &Module, pointer: Value, least: bool) -> Option<u64> {
    let mut search = Search { func, module, least, open: FxHashSet::default(), left: MAX_VALUES };
    match search.behind(pointer)? {
        Bytes::Known(bytes) => Some(bytes),
        Bytes::Circular => None,
    }
}

struct Search<'a> {
    func: &'a Function,
    module: &'a Module,
    least: bool,
    /// Phis being looked at.
    open: FxHashSet<Inst>,
    left: u32,
}

impl Search<'_> {
    fn behind(&mut self, pointer: Value) -> Option<Bytes> {
        self.left = self.left.checked_sub(1)?;
        if let Some((symbol, offset)) = self.func.const_symbol(pointer) {
            let size = self.symbol_size(symbol)?;
            return Some(Bytes::Known(bytes_left(size, offset)));
        }
        let inst = self.func.def_inst(pointer)?;
        match self.func.insts[inst].opcode {
            Opcode::Alloca => Some(Bytes::Known(self.func.alloca_info(inst).0)),
            Opcode::DynAlloca => self.func.const_bits(self.func.operand(inst, 0)).map(|n| Bytes::Known(n as u64)),
            Opcode::Call => self.allocated(inst),
            Opcode::PtrAdd => {
                let by = self.func.const_i64(self.func.operand(inst, 1))?;
                match self.behind(self.func.operand(inst, 0))? {
                    Bytes::Known(size) if by >= 0 => Some(Bytes::Known(bytes_left(size, by))),
                    // Only going up makes what is left smaller each time round.
                    Bytes::Circular if by == 0 || (by > 0 && !self.least) => Some(Bytes::Circular),
                    _ => None,
                }
            }
            Opcode::Select => {
                let (a, b) = (self.func.operand(inst, 1), self.func.operand(inst, 2));
                self.merge([a, b])
            }
            Opcode::Phi => {
                if !self.open.insert(inst) {
                    return Some(Bytes::Circular);
                }
                let operands: Vec<Value> = self.func.operands(inst).collect();
                let merged = self.merge(operands);
                self.open.remove(&inst);
                merged
            }
            _ => None,
        }
    }

    fn merge(&mut self, pointers: impl IntoIterator<Item = Value>) -> Option<Bytes> {
        let mut out = Bytes::Circular;
        for pointer in pointers {
            out = match (out, self.behind(pointer)?) {
                (Bytes::Known(a), Bytes::Known(b)) => Bytes::Known(if self.least { a.min(b) } else { a.max(b) }),
                (Bytes::Circular, other) | (other, Bytes::Circular) => other,
            };
        }
        Some(out)
    }

    fn symbol_size(&self, symbol: ir::SymbolId) -> Option<u64> {
        let data = &self.module.symbols[symbol];
        match data.def {
            SymbolDef::Data(id) if data.linkage != Linkage::Weak => Some(self.module.data[id].size),
            SymbolDef::Common { size, .. } => Some(size),
            _ => None,
        }
    }

    /// `malloc` and `calloc` with constant arguments.
    fn allocated(&self, call: Inst) -> Option<Bytes> {
        if !self.func.call_info(call).attrs.has(FnAttrs::LIBRARY) {
            return None;
        }
        let argument = |i: usize| self.func.list(call).get(i).and_then(|&a| self.func.const_bits(a)).map(|n| n as u64);
        match crate::library::name(self.module, self.func, call)? {
            "malloc" => Some(Bytes::Known(argument(1)?)),
            "calloc" => Some(Bytes::Known(argument(1)?.checked_mul(argument(2)?)?)),
            _ => None,
        }
    }
}

/// What is left of `size` bytes from an offset on.
fn bytes_left(size: u64, offset: i64) -> u64 {
    u64::try_from(offset).map_or(0, |offset| size.saturating_sub(offset))
}
