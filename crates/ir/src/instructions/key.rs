//! Keys of instructions: what is equal if two instructions compute the same.

use super::{InstData, Opcode, flags};
use crate::instructions::view::Field;
use crate::{Type, Value};

/// The key of an instruction without its promises: operands that may be swapped are in order, and
/// `a > b` is `b < a`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct InstKey {
    /// What it does.
    pub opcode: Opcode,
    /// The condition of a comparison.
    code: u8,
    /// The type of its result.
    pub ty: Type,
    fields: [u32; 3],
}

impl InstKey {
    /// The key of the same operands under another opcode.
    pub fn with_opcode(&self, opcode: Opcode) -> InstKey {
        InstKey { opcode, ..self.clone() }
    }

    /// The key of an operation on a list of at most three values.
    pub fn of_list(opcode: Opcode, ty: Type, list: &[Value]) -> Option<InstKey> {
        let field = |index: usize| list.get(index).map_or(u32::MAX, |v| v.as_u32());
        (list.len() <= 3).then(|| InstKey { opcode, code: 0, ty, fields: [field(0), field(1), field(2)] })
    }
}

impl InstData {
    /// The key of an instruction that has all its operands in its record.
    pub fn key(self) -> InstKey {
        let InstData { opcode, ty, mut a, mut b, c, .. } = self;
        let code = match opcode {
            Opcode::ICmp => {
                let cc = self.int_cc();
                (if a > b { cc.swapped() } else { cc }).to_bits() as u8
            }
            Opcode::FCmp => {
                let cc = self.float_cc();
                (if a > b { cc.swapped() } else { cc }).to_bits() as u8 | self.flags & flags::SIGNALING
            }
            _ => 0,
        };
        if a > b && (opcode.is_commutative() || matches!(opcode, Opcode::ICmp | Opcode::FCmp)) {
            std::mem::swap(&mut a, &mut b);
        }
        InstKey { opcode, code, ty, fields: [a, b, c] }
    }
}
