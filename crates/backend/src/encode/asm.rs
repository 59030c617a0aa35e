//! Inline assembly: the text with its operands filled in, assembled in place.

use assembler::template::{Place as TextPlace, TemplateOperand};
use object::Mem;
use platform::registers::Reg;

use super::{Emitter, r};
use crate::{
    asm_operands,
    context::BackendError,
    machine::{AsmPlaceholder, MInst, Op},
};

/// Emits the statement.
pub fn emit(e: &mut Emitter<'_>, inst: &MInst) {
    let site = e.mf.asms[inst.index()].clone();
    let start = inst.src1.0;
    let func = e.func;
    let asm = &func.asms[site.asm];
    let mut operands = Vec::with_capacity(asm.operands.len() + site.labels.len());
    for (operand, place) in asm.operands.iter().zip(&site.places) {
        operands.push(TemplateOperand {
            place: text_place(e, *place, start),
            size: operand.ty.store_size(),
            name: operand.name.as_deref().unwrap_or_default().to_owned(),
        });
    }
    for (index, &block) in site.labels.iter().enumerate() {
        operands.push(TemplateOperand {
            place: TextPlace::Label(e.label(block)),
            size: 8,
            name: asm.label_names.get(index).map(|name| name.to_string()).unwrap_or_default(),
        });
    }
    if let Err(messages) = asm_operands::assemble(e.cx, func, site.asm, e.loc, &operands, e.buf) {
        let loc = e.loc;
        e.errors.extend(messages.into_iter().map(|message| BackendError { loc, message, note: None }));
    }
    if inst.op == Op::AsmGoto
        && let Some(next) = site.fallthrough
        && !e.falls_to(next)
    {
        let label = e.label(next);
        e.buf.jmp(label);
    }
}

fn text_place(e: &mut Emitter<'_>, place: AsmPlaceholder, start: u32) -> TextPlace {
    match place {
        AsmPlaceholder::Register(at) => TextPlace::Reg(r(e.mf.lists[(start + at) as usize].vreg)),
        AsmPlaceholder::X87(position) => TextPlace::Reg(Reg::st(position)),
        AsmPlaceholder::Immediate(number) => TextPlace::Imm(number),
        AsmPlaceholder::Symbol(symbol, offset) => {
            TextPlace::Symbol { name: asm_operands::symbol_text(e.cx, symbol), offset }
        }
        AsmPlaceholder::Memory(mem) => {
            let mem: Mem = e.mem(mem);
            asm_operands::memory_place(e.cx, mem)
        }
        // A condition is not printed.
        AsmPlaceholder::Nothing => TextPlace::Imm(0),
    }
}
