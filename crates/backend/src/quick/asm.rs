//! Inline assembly: registers for operands, inputs into them, the text, outputs out of them.
//!
//! Every live value goes to memory first, so that registers are assigned afresh: fixed ones, then
//! those with few choices, then the others. An output that is written early shares no register with
//! an input; other outputs share only if registers run out.

use assembler::template::{Place as TextPlace, TemplateOperand};
use ir::{AsmData, AsmId, AsmPlace, Block, Constant, Inst, Value};
use object::{Cond, Label, Mem, Size};
use platform::registers::{RAX, RBP, RBX, RCX, RDX, RSP, Reg, RegSet};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Quick;
use super::call::CALL_CLOBBERS;
use super::phis::{edge_copies, edge_needs_copies};
use super::state::{GPR_POOL, XMM_POOL};
use crate::asm_operands;

/// Registers with a byte form since the 8086.
const LEGACY: RegSet = RegSet::of(&[RAX, RCX, RDX, RBX]);

/// An operand once it has been placed.
#[derive(Clone, Debug)]
enum Placed {
    Reg(Reg),
    Flags(u8),
    Text(TextPlace),
}

/// A statement being emitted.
struct Statement<'a> {
    asm: &'a AsmData,
    id: AsmId,
    inputs: &'a [Value],
    results: SmallVec<[Value; 4]>,
    placed: Vec<Option<Placed>>,
    /// Registers of inputs; registers of outputs, early or not.
    input_regs: RegSet,
    output_regs: RegSet,
    early_regs: RegSet,
}

/// An asm statement.
pub fn asm(q: &mut Quick<'_>, inst: Inst) {
    let Some(statement) = begin(q, inst, &[]) else { return without_results(q, inst) };
    let flags = flag_outputs(q, &statement);
    for (operand, placed) in statement.asm.operands.iter().zip(&statement.placed) {
        let (Some(result), Some(Placed::Reg(reg))) = (operand.result, placed) else { continue };
        define_output(q, statement.results[result as usize], *reg);
    }
    for (result, reg) in flags {
        q.define(result, reg);
    }
}

/// After an error: what follows may read the outputs from homes that nothing has written.
fn without_results(q: &mut Quick<'_>, inst: Inst) {
    for result in q.func.results(inst) {
        q.values[result.as_u32() as usize].global = true;
    }
}

/// `asm goto`: outputs hold on every edge, so each edge stores them to their homes.
pub fn asm_br(q: &mut Quick<'_>, inst: Inst) {
    let func = q.func;
    let id = func.insts[inst].asm_id();
    let from = func.inst_block(inst).unwrap_or_else(|| base::bug!("{inst} is in no block"));
    let has_outputs = func.results(inst).len() != 0;
    let mut stubs: FxHashMap<Block, Label> = FxHashMap::default();
    let mut order = Vec::new();
    let mut labels = Vec::new();
    for &target in &func.asms[id].labels {
        let label = match stubs.get(&target) {
            Some(&label) => label,
            None if has_outputs || edge_needs_copies(q, target) => {
                let label = q.buf.new_label();
                order.push((target, label));
                label
            }
            None => q.block_label(target),
        };
        stubs.insert(target, label);
        labels.push(label);
    }
    let Some(statement) = begin(q, inst, &labels) else { return without_results(q, inst) };
    if let Some(target) = statement.asm.fallthrough {
        edge(q, &statement, from, target);
        if !(order.is_empty() && q.next_block == Some(target)) {
            let label = q.block_label(target);
            q.buf.jmp(label);
        }
    }
    for (target, label) in order {
        q.forget_registers();
        q.buf.bind(label);
        edge(q, &statement, from, target);
        let label = q.block_label(target);
        q.buf.jmp(label);
    }
}

/// Outputs and phi copies on one edge of `asm goto`.
fn edge(q: &mut Quick<'_>, statement: &Statement<'_>, from: Block, to: Block) {
    q.regs.pinned = statement.output_regs;
    let flags = flag_outputs(q, statement);
    let regs = statement.asm.operands.iter().zip(&statement.placed).filter_map(|(operand, placed)| {
        match (operand.result, placed) {
            (Some(result), Some(Placed::Reg(reg))) => Some((statement.results[result as usize], *reg)),
            _ => None,
        }
    });
    for (value, reg) in regs.chain(flags) {
        if q.uses(value) == 0 {
            continue;
        }
        q.store_home(value, reg);
        q.values[value.as_u32() as usize].place = super::state::Place::Home;
    }
    q.regs.pinned = RegSet::EMPTY;
    edge_copies(q, from, to);
}

/// Places operands, loads inputs, emits the text. Outputs are pinned in their registers then.
/// `None` after an error.
fn begin<'a>(q: &mut Quick<'a>, inst: Inst, labels: &[Label]) -> Option<Statement<'a>> {
    let func = q.func;
    let id = func.insts[inst].asm_id();
    let asm = &func.asms[id];
    let mut statement = Statement {
        asm,
        id,
        inputs: func.list(inst),
        results: func.results(inst).collect(),
        placed: vec![None; asm.operands.len()],
        input_regs: RegSet::EMPTY,
        output_regs: RegSet::EMPTY,
        early_regs: RegSet::EMPTY,
    };
    q.spill_all(CALL_CLOBBERS);
    if let Err(message) = place_operands(q, &mut statement) {
        q.error(inst, message);
        return None;
    }
    load_inputs(q, &mut statement);
    let operands = text_operands(&statement, labels);
    q.spill_all(CALL_CLOBBERS);
    q.regs.pinned = statement.output_regs;
    let loc = func.source_loc(inst);
    if let Err(messages) = asm_operands::assemble(q.cx, func, statement.id, loc, &operands, q.buf) {
        for message in messages {
            q.error(inst, message);
        }
        return None;
    }
    Some(statement)
}

// ---- placing ----

fn place_operands(q: &mut Quick<'_>, s: &mut Statement<'_>) -> Result<(), String> {
    let clobbers: RegSet = s.asm.clobbers.iter().copied().filter(|r| r.is_gpr() || r.is_xmm()).collect();
    if clobbers.contains(RBP) {
        return Err("'rbp' cannot be used in 'asm' here".to_owned());
    }
    let gprs = GPR_POOL.union(q.facts.callee_saved).difference(clobbers);
    let xmms = XMM_POOL.difference(clobbers);
    let reserved: RegSet = s.asm.operands.iter().filter_map(fixed_input).collect();
    // Outputs in iterations of falling constraint, then inputs likewise: fixed, legacy, any.
    for round in 0..3 {
        for index in 0..s.asm.operands.len() {
            let operand = &s.asm.operands[index];
            if !operand.is_output || s.placed[index].is_some() || round_of(operand.place) != round {
                continue;
            }
            s.placed[index] = match operand.place {
                AsmPlace::Memory => continue,
                AsmPlace::Flags(cc) => Some(Placed::Flags(cc)),
                place => Some(Placed::Reg(output_register(s, place, operand.early_clobber, gprs, xmms, reserved)?)),
            };
        }
    }
    for index in 0..s.asm.operands.len() {
        let operand = &s.asm.operands[index];
        let (AsmPlace::Tied(output), Some(_)) = (operand.place, operand.input) else { continue };
        s.placed[index] = s.placed[output as usize].clone();
        if let Some(Placed::Reg(reg)) = s.placed[index] {
            s.input_regs.insert(reg);
        }
    }
    for round in 0..3 {
        for index in 0..s.asm.operands.len() {
            let operand = &s.asm.operands[index];
            if s.placed[index].is_some() || round_of(operand.place) != round {
                continue;
            }
            let Some(input) = operand.input else { continue };
            s.placed[index] = Some(place_input(q, s, operand.place, s.inputs[input as usize], gprs, xmms)?);
        }
    }
    for index in 0..s.asm.operands.len() {
        if let (AsmPlace::Tied(other), None) = (s.asm.operands[index].place, s.asm.operands[index].input) {
            s.placed[index] = s.placed[other as usize].clone();
        }
    }
    Ok(())
}

/// The register that an input of its own must have.
fn fixed_input(operand: &ir::AsmOperand) -> Option<Reg> {
    match operand.place {
        AsmPlace::Fixed(reg) if operand.input.is_some() && !operand.is_output => Some(reg),
        _ => None,
    }
}

/// Fixed registers are given out first, then those with few choices.
fn round_of(place: AsmPlace) -> u32 {
    match place {
        AsmPlace::Fixed(_) => 0,
        AsmPlace::GprLegacy => 1,
        _ => 2,
    }
}

fn impossible<T>() -> Result<T, String> {
    Err("'asm' operand has impossible constraints or there are not enough registers".to_owned())
}

fn candidates(place: AsmPlace, gprs: RegSet, xmms: RegSet) -> Option<RegSet> {
    Some(match place {
        AsmPlace::Gpr | AsmPlace::GprOrImmediate | AsmPlace::Memory => gprs,
        AsmPlace::GprLegacy => gprs.intersection(LEGACY),
        AsmPlace::Xmm => xmms,
        AsmPlace::Fixed(reg) if reg != RSP && reg != RBP => RegSet::of(&[reg]),
        _ => return None,
    })
}

fn output_register(
    s: &mut Statement<'_>,
    place: AsmPlace,
    early: bool,
    gprs: RegSet,
    xmms: RegSet,
    reserved: RegSet,
) -> Result<Reg, String> {
    let Some(candidates) = candidates(place, gprs, xmms) else { return impossible() };
    // A register that an input must have is taken last, and never by an output that is written
    // early.
    let free = candidates.difference(s.output_regs);
    let unreserved = free.difference(reserved).iter().next();
    let fixed = matches!(place, AsmPlace::Fixed(_));
    let Some(reg) = unreserved.or_else(|| free.iter().next().filter(|_| fixed || !early)) else { return impossible() };
    s.output_regs.insert(reg);
    if early {
        s.early_regs.insert(reg);
    }
    Ok(reg)
}

fn place_input(
    q: &mut Quick<'_>,
    s: &mut Statement<'_>,
    place: AsmPlace,
    value: Value,
    gprs: RegSet,
    xmms: RegSet,
) -> Result<Placed, String> {
    match place {
        AsmPlace::Memory => {
            if let Some(text) = direct_memory(q, value) {
                q.consume(value);
                return Ok(Placed::Text(text));
            }
        }
        AsmPlace::Immediate | AsmPlace::GprOrImmediate => {
            let wide = place == AsmPlace::Immediate;
            if let Some(text) = immediate(q, value, wide) {
                q.consume(value);
                return Ok(Placed::Text(text));
            }
            if wide {
                return impossible();
            }
        }
        _ => {}
    }
    let Some(candidates) = candidates(place, gprs, xmms) else { return impossible() };
    let free = candidates.difference(s.input_regs).difference(s.early_regs);
    // A register of an output that is written late may hold an input as well, but only if it must.
    let reg = free.difference(s.output_regs).iter().next().or_else(|| free.iter().next());
    let Some(reg) = reg else { return impossible() };
    s.input_regs.insert(reg);
    Ok(Placed::Reg(reg))
}

/// A memory operand that needs no register: a frame slot or a symbol in reach.
fn direct_memory(q: &mut Quick<'_>, pointer: Value) -> Option<TextPlace> {
    use crate::context::AddressForm::{Absolute32, Absolute32Signed, Rip};
    let mem = match (q.func.const_symbol(pointer), q.place(pointer)) {
        (Some((symbol, _)), _) if matches!(q.cx.address_form(symbol), Rip | Absolute32 | Absolute32Signed) => {
            let mem = q.peek_mem(pointer);
            if mem.base.is_some() {
                return None;
            }
            mem
        }
        (None, super::state::Place::FrameAddress(offset)) => Mem::base(RBP, offset),
        _ => return None,
    };
    Some(asm_operands::memory_place(q.cx, mem))
}

/// A constant operand; `wide`: of any size (`i`), else only what fits a sign-extended 32-bit
/// immediate.
fn immediate(q: &Quick<'_>, value: Value, wide: bool) -> Option<TextPlace> {
    if let Some(number) = q.const_int(value) {
        return (wide || i32::try_from(number).is_ok()).then_some(TextPlace::Imm(number));
    }
    match q.func.constant(value) {
        Some(&Constant::Symbol(symbol, offset)) if wide || !q.cx.position_independent() => {
            Some(TextPlace::Symbol { name: asm_operands::symbol_text(q.cx, symbol), offset })
        }
        _ => None,
    }
}

// ---- inputs ----

fn load_inputs(q: &mut Quick<'_>, s: &mut Statement<'_>) {
    q.regs.pinned = s.input_regs;
    for index in 0..s.asm.operands.len() {
        let operand = &s.asm.operands[index];
        let (Some(input), Some(Placed::Reg(reg))) = (operand.input, s.placed[index].clone()) else { continue };
        let value = s.inputs[input as usize];
        q.claim(reg);
        q.load_into(value, reg);
        q.consume(value);
        // Temporaries of this load may be used again by the next one.
        q.regs.pinned = s.input_regs;
        if operand.place == AsmPlace::Memory {
            s.placed[index] = Some(Placed::Text(asm_operands::memory_place(q.cx, Mem::base(reg, 0))));
        }
    }
}

// ---- text and outputs ----

fn text_operands(s: &Statement<'_>, labels: &[Label]) -> Vec<TemplateOperand> {
    let operands = s.asm.operands.iter().zip(&s.placed).map(|(operand, placed)| TemplateOperand {
        place: match placed {
            Some(Placed::Reg(reg)) => TextPlace::Reg(*reg),
            Some(Placed::Text(text)) => text.clone(),
            // A condition is not printed.
            Some(Placed::Flags(_)) | None => TextPlace::Imm(0),
        },
        size: operand.ty.store_size(),
        name: operand.name.as_deref().unwrap_or_default().to_owned(),
    });
    let labels = labels.iter().enumerate().map(|(index, &label)| TemplateOperand {
        place: TextPlace::Label(label),
        size: 8,
        name: s.asm.label_names.get(index).map(|name| name.to_string()).unwrap_or_default(),
    });
    operands.chain(labels).collect()
}

/// Condition outputs as bytes in registers, at once: the flags do not last.
fn flag_outputs(q: &mut Quick<'_>, s: &Statement<'_>) -> SmallVec<[(Value, Reg); 2]> {
    let mut out = SmallVec::new();
    for (operand, placed) in s.asm.operands.iter().zip(&s.placed) {
        if let (Some(result), Some(Placed::Flags(cc))) = (operand.result, placed) {
            let reg = q.temp_gpr();
            q.buf.setcc_r(Cond::ALL[usize::from(cc & 15)], reg);
            q.buf.movzx_rr(Size::D, Size::B, reg, reg);
            out.push((s.results[result as usize], reg));
        }
    }
    out
}

fn define_output(q: &mut Quick<'_>, result: Value, reg: Reg) {
    let ty = q.func.value_type(result);
    if GPR_POOL.union(XMM_POOL).contains(reg) {
        return q.define(result, reg);
    }
    // A callee-saved register is no cache of values: the value moves on, to its home where other
    // outputs have every register.
    if GPR_POOL.difference(q.regs.pinned).is_empty() {
        if q.uses(result) != 0 {
            q.store_home(result, reg);
            q.values[result.as_u32() as usize].place = super::state::Place::Home;
        }
        return;
    }
    let to = q.result_gpr(result);
    q.move_reg(ty, to, reg);
    q.define(result, to);
}
