//! What is known about text and numbers: literals, and what phis and selects choose among.

use ir::{DataObject, Inst, Linkage, Opcode, SymbolDef, Value};
use rustc_hash::FxHashSet;

use super::Calls;
use ir::analysis::facts::known;

/// Phis and selects looked through for one question.
const MAX_CHOICES: usize = 32;

/// Constant memory from some address on.
pub struct Text<'m> {
    object: &'m DataObject,
    start: u64,
}

impl<'m> Text<'m> {
    /// Bytes up to the end of the object.
    pub fn left(&self) -> u64 {
        self.object.size - self.start
    }

    /// The byte at a distance less than [`Text::left`].
    pub fn byte(&self, at: u64) -> u8 {
        self.object.bytes.get((self.start + at) as usize).copied().unwrap_or(0)
    }

    /// The characters of the string there; `None` if no terminator ends it.
    pub fn string(&self) -> Option<&'m [u8]> {
        let rest = self.object.bytes.get(self.start as usize..).unwrap_or(&[]);
        match rest.iter().position(|&b| b == 0) {
            Some(length) => Some(&rest[..length]),
            None => (self.object.size > self.object.bytes.len() as u64).then_some(rest),
        }
    }
}

impl<'a> Calls<'a> {
    /// The object at an address if nothing writes it and nothing replaces it, and the distance from
    /// its start.
    pub fn constant_object(&self, address: Value) -> Option<(&'a DataObject, u64)> {
        let (symbol, offset) = self.func.const_symbol(address)?;
        let module: &'a ir::Module = self.module;
        let data = &module.symbols[symbol];
        let SymbolDef::Data(id) = data.def else { return None };
        let object = &module.data[id];
        let own = match data.linkage {
            Linkage::Local => true,
            Linkage::Global => !self.interposable,
            Linkage::Weak => false,
        };
        let start = u64::try_from(offset).ok().filter(|&s| s <= object.size)?;
        (object.read_only && own && data.tls.is_none()).then_some((object, start))
    }

    /// The constant memory at an address, without addresses in it.
    pub fn text(&self, address: Value) -> Option<Text<'a>> {
        let (object, start) = self.constant_object(address)?;
        object.relocs.is_empty().then_some(Text { object, start })
    }

    /// The characters of a constant string.
    pub fn string(&self, address: Value) -> Option<&'a [u8]> {
        self.text(address)?.string()
    }

    /// The length of the string, whichever it is of those that reach here.
    pub fn length(&self, address: Value) -> Option<u64> {
        let (least, most) = self.choices(address, &|v| self.string(v).map(|s| s.len() as u64))?;
        (least == most).then_some(most)
    }

    /// The greatest length that the string can have.
    pub fn max_length(&self, address: Value) -> Option<u64> {
        Some(self.choices(address, &|v| self.string(v).map(|s| s.len() as u64))?.1)
    }

    /// A number that an integer does not exceed: the greatest among constants, or what its known
    /// zero bits leave.
    pub fn max_int(&self, value: Value) -> Option<u64> {
        let bits = |v| {
            let most = known(self.func, v).umax;
            (most != self.func.value_type(v).mask()).then_some(most as u64)
        };
        Some(self.choices(value, &|v| self.int(v).or_else(|| bits(v)))?.1)
    }

    /// Least and greatest of a property over the values that phis and selects choose among.
    fn choices(&self, value: Value, property: &dyn Fn(Value) -> Option<u64>) -> Option<(u64, u64)> {
        let mut seen: FxHashSet<Inst> = FxHashSet::default();
        let mut work = vec![value];
        let mut out: Option<(u64, u64)> = None;
        while let Some(value) = work.pop() {
            if let Some(known) = property(value) {
                out = Some(out.map_or((known, known), |(least, most)| (least.min(known), most.max(known))));
                continue;
            }
            let inst = self.func.def_inst(value)?;
            let first = match self.func.insts[inst].opcode {
                Opcode::Phi => 0,
                Opcode::Select => 1,
                _ => return None,
            };
            if seen.insert(inst) {
                work.extend(self.func.operands(inst).skip(first));
            }
            if seen.len() > MAX_CHOICES {
                return None;
            }
        }
        out
    }
}
