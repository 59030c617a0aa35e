//! Inline assembly: operands get registers from the allocator by their constraints; emission
//! assembles the text with what came out.
//!
//! Clobbered registers are early definitions of registers nobody reads, so that no input sits in
//! one. Inputs may share registers with outputs unless those are early-clobber; address registers
//! of memory operands are kept to the end.

use ir::{AsmData, AsmOperand, AsmPlace, Constant, Inst, Opcode, Value};
use object::{Cond, Size};
use platform::registers::{RAX, RBP, RBX, RCX, RDX, RSP, Reg};
use smallvec::SmallVec;

use super::{
    address::address,
    context::{Ctx, Holder},
    register_variables, x87,
};
use crate::machine::{
    AsmPlaceholder, AsmSite, Class, Constraint, Kind, ListOperand, MInst, Op, Pos, Role, VReg, X87Reg,
};

/// The list being made for one statement.
struct State {
    operands: SmallVec<[ListOperand; 8]>,
    places: Vec<AsmPlaceholder>,
    /// List position of each template operand's register.
    position: Vec<Option<u32>>,
    /// Registers that fixed operands and clobbers name.
    taken: u64,
    /// Copies after the statement.
    copies: Vec<(VReg, VReg)>,
}

/// `asm` and `asm goto`.
pub fn select_asm(cx: &mut Ctx, inst: Inst) {
    let data = cx.data(inst);
    let asm = &cx.func.asms[data.asm_id()];
    let inputs = cx.list(inst);
    let results: Vec<Value> = cx.func.results(inst).collect();
    let is_goto = data.opcode == Opcode::AsmBr;
    let count = asm.operands.len();
    let mut state = State {
        operands: SmallVec::new(),
        places: vec![AsmPlaceholder::Nothing; count],
        position: vec![None; count],
        taken: fixed_registers(asm) | cx.cx.module.reserved_registers.0,
        copies: Vec::new(),
    };
    push_x87_inputs(cx, asm, &inputs);
    for (number, operand) in asm.operands.iter().enumerate() {
        if !(operand.is_output && operand.place != AsmPlace::Memory) {
            input(cx, asm, number, operand, &inputs, &mut state);
        }
    }
    for (number, operand) in asm.operands.iter().enumerate() {
        if operand.is_output && operand.place != AsmPlace::Memory {
            output(cx, asm, number, operand, &results, is_goto, &mut state);
        }
    }
    for (number, operand) in asm.operands.iter().enumerate() {
        if let (AsmPlace::Tied(other), None) = (operand.place, operand.input) {
            state.places[number] = state.places[other as usize];
        }
    }
    clobbers(cx, asm, &mut state);
    register_variables::pass_to_asm(cx, &asm.clobbers, &mut state.operands);
    let labels: Vec<u32> = asm.labels.iter().map(|b| b.as_u32()).collect();
    let fallthrough = asm.fallthrough.map(|b| b.as_u32());
    let needs_frame = ["call", "sp", "push", "pop"].iter().any(|word| asm.template.contains(word));
    let State { places, operands, copies, .. } = state;
    cx.out.asms.push(AsmSite { asm: data.asm_id(), places, clobbers: 0, needs_frame, labels, fallthrough });
    let site = cx.out.asms.len() - 1;
    let op = if is_goto { Op::AsmGoto } else { Op::Asm };
    // Text may call or push: keep what lies below the stack pointer free.
    cx.out.has_calls = true;
    cx.push_list(MInst::new(op, Size::Q).with_index(site), &operands);
    if is_goto {
        return;
    }
    for (dst, src) in copies {
        cx.copy(dst, src);
    }
    flag_outputs(cx, asm, &results);
    pop_x87_outputs(cx, asm, &results);
}

/// Registers that the statement names outright.
fn fixed_registers(asm: &AsmData) -> u64 {
    let operands = asm.operands.iter().filter_map(|o| match o.place {
        AsmPlace::Fixed(reg) => Some(reg),
        _ => None,
    });
    operands.chain(asm.clobbers.iter().copied()).fold(0, |set, reg| set | 1 << reg.0)
}

fn add(cx: &mut Ctx, state: &mut State, number: usize, vreg: VReg, kind: Kind, pos: Pos, constraint: Constraint) {
    let vreg = match constraint {
        Constraint::Fixed(reg) => in_variable(cx, state, reg, vreg, kind),
        _ => vreg,
    };
    let at = state.operands.len() as u32;
    state.operands.push(ListOperand { vreg, role: Role { kind, pos, constraint } });
    state.position[number] = Some(at);
    state.places[number] = AsmPlaceholder::Register(at);
}

/// The register that an operand fixed to `reg` is: that of the global variable there, with a copy.
fn in_variable(cx: &mut Ctx, state: &mut State, reg: Reg, vreg: VReg, kind: Kind) -> VReg {
    let Some(variable) = register_variables::vreg_of(cx, reg) else { return vreg };
    match kind {
        Kind::Use if vreg != variable => cx.copy(variable, vreg),
        Kind::Def => state.copies.push((vreg, variable)),
        Kind::Use => {}
    }
    variable
}

/// A byte-addressable register (with a high half) that nothing else names.
fn legacy_register(cx: &mut Ctx, state: &mut State) -> Reg {
    for reg in [RAX, RDX, RCX, RBX] {
        if state.taken & 1 << reg.0 == 0 {
            state.taken |= 1 << reg.0;
            return reg;
        }
    }
    impossible(cx);
    RAX
}

fn impossible(cx: &mut Ctx) {
    let loc = cx.loc();
    cx.error(loc, "'asm' operand has impossible constraints");
}

fn constraint_of(cx: &mut Ctx, place: AsmPlace, state: &mut State) -> Constraint {
    match place {
        AsmPlace::Fixed(reg) => {
            if reg == RSP || (reg == RBP && !cx.cx.codegen().omit_frame_pointer) || reg.0 >= 32 {
                let loc = cx.loc();
                cx.error(loc, format!("not supported: '%{reg:?}' as an operand of 'asm'"));
            }
            Constraint::Fixed(reg)
        }
        AsmPlace::GprLegacy => Constraint::Fixed(legacy_register(cx, state)),
        _ => Constraint::Reg,
    }
}

fn input(cx: &mut Ctx, asm: &AsmData, number: usize, operand: &AsmOperand, inputs: &[Value], state: &mut State) {
    let Some(value) = operand.input.map(|at| inputs[at as usize]) else { return };
    match operand.place {
        AsmPlace::Memory => {
            let amode = address(cx, value);
            let mem = cx.mem(amode);
            state.places[number] = AsmPlaceholder::Memory(mem);
        }
        AsmPlace::Immediate => match constant_place(cx, value) {
            Some(place) => state.places[number] = place,
            None => {
                let loc = cx.loc();
                cx.error(loc, "impossible constraint in 'asm'");
            }
        },
        AsmPlace::GprOrImmediate => match constant_place(cx, value) {
            Some(place) if fits(place) => state.places[number] = place,
            _ => register_input(cx, number, AsmPlace::Gpr, value, state),
        },
        AsmPlace::X87(index) => state.places[number] = AsmPlaceholder::X87(index),
        AsmPlace::Tied(output) => match asm.operands[output as usize].place {
            AsmPlace::X87(index) => state.places[number] = AsmPlaceholder::X87(index),
            AsmPlace::Memory => {
                let amode = address(cx, value);
                let mem = cx.mem(amode);
                state.places[number] = AsmPlaceholder::Memory(mem);
            }
            AsmPlace::Fixed(reg) => {
                let vreg = one_register(cx, value);
                add(cx, state, number, vreg, Kind::Use, Pos::Early, Constraint::Fixed(reg));
            }
            _ => {
                let vreg = one_register(cx, value);
                // A register of its own: the same value may be another input as well.
                let copy = like(cx, vreg);
                cx.copy(copy, vreg);
                add(cx, state, number, copy, Kind::Use, Pos::Early, Constraint::Reg);
            }
        },
        place => register_input(cx, number, place, value, state),
    }
}

fn like(cx: &mut Ctx, vreg: VReg) -> VReg {
    let info = cx.out.vregs[vreg.index()];
    cx.out.new_vreg(info.class, info.size)
}

fn register_input(cx: &mut Ctx, number: usize, place: AsmPlace, value: Value, state: &mut State) {
    let vreg = one_register(cx, value);
    let wanted = if place == AsmPlace::Xmm || matches!(place, AsmPlace::Fixed(r) if r.is_xmm()) {
        Class::Xmm
    } else {
        Class::Gpr
    };
    if cx.out.vregs[vreg.index()].class != wanted {
        let loc = cx.loc();
        return cx.error(loc, "impossible constraint in 'asm'");
    }
    let constraint = constraint_of(cx, place, state);
    add(cx, state, number, vreg, Kind::Use, Pos::Early, constraint);
}

/// A value's single register.
fn one_register(cx: &mut Ctx, value: Value) -> VReg {
    if cx.is_wide(value) {
        return cx.wide_reg(value);
    }
    if !matches!(Ctx::holder(cx.ty(value)), Holder::Regs(_, _, 1)) {
        let loc = cx.loc();
        cx.error(loc, "not supported: an 'asm' operand that needs several registers");
        return cx.temp_gpr();
    }
    cx.reg(value)
}

fn constant_place(cx: &Ctx, value: Value) -> Option<AsmPlaceholder> {
    match cx.func.constant(value)? {
        Constant::Bits(_) => Some(AsmPlaceholder::Immediate(cx.func.const_i64(value)?)),
        &Constant::Symbol(symbol, offset) => Some(AsmPlaceholder::Symbol(symbol, offset)),
        Constant::Vector(_) => None,
    }
}

fn fits(place: AsmPlaceholder) -> bool {
    matches!(place, AsmPlaceholder::Immediate(imm) if i32::try_from(imm).is_ok())
}

fn output(
    cx: &mut Ctx,
    asm: &AsmData,
    number: usize,
    operand: &AsmOperand,
    results: &[Value],
    is_goto: bool,
    state: &mut State,
) {
    let result = operand.result.map(|at| results[at as usize]);
    match operand.place {
        AsmPlace::X87(index) => return state.places[number] = AsmPlaceholder::X87(index),
        AsmPlace::Flags(_) => {
            if is_goto {
                let loc = cx.loc();
                cx.error(loc, "not supported: a condition code output of 'asm goto'");
            }
            return;
        }
        _ => {}
    }
    let vreg = match result {
        Some(value) => {
            if !cx.is_wide(value) && !matches!(Ctx::holder(cx.ty(value)), Holder::Regs(_, _, 1)) {
                let loc = cx.loc();
                return cx.error(loc, "not supported: an 'asm' operand that needs several registers");
            }
            let home = cx.result(value);
            if is_goto || cx.phis.class(value).is_none() {
                home
            } else {
                let temp = like(cx, home);
                state.copies.push((home, temp));
                temp
            }
        }
        None => cx.temp_gpr(),
    };
    let tied = asm.operands.iter().position(|o| o.place == AsmPlace::Tied(number as u8) && o.input.is_some());
    let tied = tied.and_then(|input| state.position[input]);
    let pos = if operand.early_clobber { Pos::Early } else { Pos::Late };
    let constraint = match (operand.place, tied) {
        (AsmPlace::Fixed(reg), _) => Constraint::Fixed(reg),
        (_, Some(input)) => Constraint::Reuse(input as u8),
        (place, None) => constraint_of(cx, place, state),
    };
    // A tied output's register belongs to it from the beginning anyway.
    let pos = if matches!(constraint, Constraint::Reuse(_))
        || (tied.is_some() && matches!(constraint, Constraint::Fixed(_)))
    {
        Pos::Late
    } else {
        pos
    };
    add(cx, state, number, vreg, Kind::Def, pos, constraint);
}

fn clobbers(cx: &mut Ctx, asm: &AsmData, state: &mut State) {
    for &reg in &asm.clobbers {
        if reg.0 >= 32 || reg == RSP || register_variables::vreg_of(cx, reg).is_some() {
            continue;
        }
        if reg == RBP {
            if cx.out.needs_frame_pointer {
                let loc = cx.loc();
                cx.error(loc, "'%rbp' cannot be used in 'asm' here");
            }
            cx.out.reserves_rbp = false;
        }
        let class = if reg.is_xmm() { Class::Xmm } else { Class::Gpr };
        let nobody = cx.out.new_vreg(class, if class == Class::Xmm { 16 } else { 8 });
        let role = Role { kind: Kind::Def, pos: Pos::Early, constraint: Constraint::Fixed(reg) };
        state.operands.push(ListOperand { vreg: nobody, role });
    }
}

fn flag_outputs(cx: &mut Ctx, asm: &AsmData, results: &[Value]) {
    for operand in &asm.operands {
        if let (AsmPlace::Flags(code), Some(at)) = (operand.place, operand.result) {
            let dst = cx.result(results[at as usize]);
            cx.push(MInst::new(Op::Setcc, Size::B).cond(Cond::ALL[code as usize & 15]).dst(dst));
        }
    }
}

/// The x87 stack position of an operand, its own or that of the output it is tied to.
fn x87_position(asm: &AsmData, operand: &AsmOperand) -> Option<u8> {
    match operand.place {
        AsmPlace::X87(index) => Some(index),
        AsmPlace::Tied(output) => match asm.operands[output as usize].place {
            AsmPlace::X87(index) => Some(index),
            _ => None,
        },
        _ => None,
    }
}

fn push_x87_inputs(cx: &mut Ctx, asm: &AsmData, inputs: &[Value]) {
    let mut list: Vec<(u8, Value)> = Vec::new();
    for operand in asm.operands.iter().filter(|o| !o.is_output) {
        if let (Some(index), Some(at)) = (x87_position(asm, operand), operand.input) {
            list.push((index, inputs[at as usize]));
        }
    }
    list.sort_by_key(|&(index, _)| std::cmp::Reverse(index));
    for (_, value) in list {
        x87::push_any(cx, value);
    }
}

fn pop_x87_outputs(cx: &mut Ctx, asm: &AsmData, results: &[Value]) {
    let mut outputs: Vec<(u8, Value)> = Vec::new();
    let mut left = 0;
    for operand in &asm.operands {
        match (operand.is_output, operand.place) {
            (true, AsmPlace::X87(index)) => {
                if let Some(at) = operand.result {
                    outputs.push((index, results[at as usize]));
                }
            }
            // An input that the text neither turns into an output nor pops (says it clobbers) is
            // still there.
            (false, AsmPlace::X87(index)) => left += usize::from(!asm.clobbers.contains(&Reg::st(index & 7))),
            _ => {}
        }
    }
    outputs.sort_by_key(|o| o.0);
    for (_, value) in outputs {
        x87::pop_any(cx, value);
    }
    for _ in 0..left {
        cx.push(MInst::x87_r(X87Reg::Fstp).imm(0));
    }
}
