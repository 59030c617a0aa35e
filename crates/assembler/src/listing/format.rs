//! One instruction as text, with names for its operands, and the proof that the text means its
//! bytes.

use std::{cell::RefCell, rc::Rc};

use iced_x86::{Formatter, GasFormatter, Instruction, NumberBase, OpKind, SymbolResolver, SymbolResult};
use object::sections::Relocation;

use crate::{
    instruction::{self, Syntax},
    state::State,
};

#[derive(Clone, Default)]
pub(super) struct OperandNames {
    pub displacement: Option<String>,
    pub immediate: Option<String>,
    pub branch: Option<String>,
}

/// Gives the formatter the names of the instruction being formatted.
struct Names {
    current: Rc<RefCell<OperandNames>>,
}

impl SymbolResolver for Names {
    fn symbol(
        &mut self,
        instruction: &Instruction,
        _operand: u32,
        instruction_operand: Option<u32>,
        address: u64,
        _address_size: u32,
    ) -> Option<SymbolResult<'_>> {
        let kind = instruction.op_kind(instruction_operand?);
        let names = self.current.borrow();
        let name = match kind {
            OpKind::NearBranch64 => names.branch.clone(),
            OpKind::Memory => names.displacement.clone(),
            OpKind::Register => None,
            _ => names.immediate.clone(),
        }?;
        Some(SymbolResult::with_string(address, name))
    }
}

/// The formatter, and an assembly to try texts in.
pub(super) struct Scratch {
    formatter: GasFormatter,
    names: Rc<RefCell<OperandNames>>,
}

impl Scratch {
    pub fn new() -> Scratch {
        let names = Rc::new(RefCell::new(OperandNames::default()));
        let resolver = Names { current: names.clone() };
        let mut formatter = GasFormatter::with_options(Some(Box::new(resolver)), None);
        let options = formatter.options_mut();
        options.set_rip_relative_addresses(true);
        options.set_gas_show_mnemonic_size_suffix(true);
        options.set_space_after_operand_separator(true);
        options.set_signed_immediate_operands(true);
        options.set_signed_memory_displacements(true);
        options.set_first_operand_char_index(8);
        options.set_number_base(NumberBase::Decimal);
        Scratch { formatter, names }
    }

    pub fn format(&mut self, instruction: &Instruction, names: OperandNames) -> String {
        *self.names.borrow_mut() = names;
        let mut text = String::new();
        self.formatter.format(instruction, &mut text);
        // The usual spelling of instructions that have one size only.
        for (long, short) in [("callq ", "call  "), ("jmpq ", "jmp  "), ("retq", "ret")] {
            if let Some(rest) = text.strip_prefix(long) {
                return format!("{short}{rest}");
            }
        }
        text
    }

    /// Whether the text assembles to the bytes. Branches are known to; for others relocated fields
    /// do not count.
    pub fn agrees(&self, text: &str, bytes: &[u8], relocs: &[&Relocation], at: u64, instruction: &Instruction) -> bool {
        if instruction.is_jmp_near()
            || instruction.is_jcc_near()
            || instruction.is_jmp_short()
            || instruction.is_jcc_short()
        {
            return self.names.borrow().branch.is_some();
        }
        if instruction.is_call_near() {
            return self.names.borrow().branch.is_some() && bytes[0] == 0xe8;
        }
        if (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::NearBranch64) {
            return self.names.borrow().branch.is_some();
        }
        let mut state = State::new(object::SectionSpec::text(".text"));
        if instruction::assemble(&mut state, text, Syntax::Att).is_err() || !state.errors.is_empty() {
            return false;
        }
        let chunk = &state.chunks[state.current as usize];
        let labels = usize::from(relocs.is_empty() && instruction.is_ip_rel_memory_operand());
        if chunk.bytes.len() != bytes.len() || chunk.fields.len() > relocs.len() + labels {
            return false;
        }
        let field_at = |i: usize| {
            chunk.fields.iter().any(|f| {
                let start = f.at.fixed as usize;
                (start..start + usize::from(f.width)).contains(&i)
            })
        };
        let placed = relocs.iter().all(|r| field_at((r.offset - at) as usize));
        placed && (0..bytes.len()).all(|i| field_at(i) || chunk.bytes[i] == bytes[i])
    }
}
