//! What is known about text and numbers: literals, and the ends of phis and selects over them.

use ir::{DataObject, Linkage, Opcode, SymbolDef, Value};

use super::Calls;

/// Phis and selects looked through on one path.
const MAX_DEPTH: u32 = 6;

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
    /// The constant memory at an address: an object of this module that nothing writes and nothing replaces.
    pub fn text(&self, address: Value) -> Option<Text<'a>> {
        let (symbol, offset) = self.func.const_symbol(address)?;
        let module: &'a ir::Module = self.module;
        let data = &module.symbols[symbol];
        let SymbolDef::Data(id) = data.def else { return None };
        let object = &module.data[id];
        let known =
            object.read_only && data.linkage == Linkage::Local && data.tls.is_none() && object.relocs.is_empty();
        let start = u64::try_from(offset).ok().filter(|&s| s <= object.size)?;
        known.then_some(Text { object, start })
    }

    /// The characters of a constant string.
    pub fn string(&self, address: Value) -> Option<&'a [u8]> {
        self.text(address)?.string()
    }

    /// The length of the string, whichever it is of those that reach here.
    pub fn length(&self, address: Value) -> Option<u64> {
        let (least, most) = self.over(address, 0, &|cx, v| cx.string(v).map(|s| s.len() as u64))?;
        (least == most).then_some(most)
    }

    /// The greatest length that the string can have.
    pub fn max_length(&self, address: Value) -> Option<u64> {
        Some(self.over(address, 0, &|cx, v| cx.string(v).map(|s| s.len() as u64))?.1)
    }

    /// The greatest value of an integer among constants.
    pub fn max_int(&self, value: Value) -> Option<u64> {
        Some(self.over(value, 0, &|cx, v| cx.int(v))?.1)
    }

    /// Least and greatest of a property over the values that a phi or select may give.
    fn over(&self, value: Value, depth: u32, property: &dyn Fn(&Self, Value) -> Option<u64>) -> Option<(u64, u64)> {
        if let Some(known) = property(self, value) {
            return Some((known, known));
        }
        let inst = self.func.def_inst(value)?;
        let from = match self.func.insts[inst].opcode {
            Opcode::Phi => 0,
            Opcode::Select => 1,
            _ => return None,
        };
        if depth == MAX_DEPTH {
            return None;
        }
        let mut out: Option<(u64, u64)> = None;
        for index in from..self.func.num_operands(inst) {
            let operand = self.func.operand(inst, index);
            if operand == value {
                continue;
            }
            let (least, most) = self.over(operand, depth + 1, property)?;
            out = Some(out.map_or((least, most), |(l, m)| (l.min(least), m.max(most))));
        }
        out
    }
}
