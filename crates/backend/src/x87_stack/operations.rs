//! Machine instructions as operations on a stack of operands.

use object::encode::X87Op;
use rustc_hash::FxHashMap;

use crate::machine::{Amode, AsmPlaceholder, Base, MInst, MachineFunction, Op, Place, X87Mem, X87Reg};

/// What an instruction does to the operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing.
    Other,
    /// Finds no operands and an empty stack (a call).
    Barrier,
    /// Takes all operands away.
    Return,
    /// Pushes a variable.
    LoadVariable(u32),
    /// Pops to a variable.
    StoreVariable(u32),
    /// Pushes from other memory.
    Load,
    /// Pops to other memory.
    Store,
    /// Pushes a constant.
    Constant,
    /// Replaces the top.
    Unary,
    /// Replaces the deeper operand and the top by `deeper op top`.
    Binary(X87Op),
    /// Pops two: flags of the top compared with the deeper one.
    Compare,
    /// Pops.
    Discard,
}

/// A function's code as operations.
pub struct Code {
    /// By instruction.
    pub actions: Vec<Action>,
    /// Where the variables are when they are not on the stack: frame slots, and constants in
    /// memory, which nothing writes.
    pub homes: Vec<Amode>,
    /// Operands that a call leaves on the stack, by its instruction.
    pub results: FxHashMap<u32, u32>,
}

/// Whether an instruction with memory is a ten-byte access to a whole slot.
fn accessed_slot(mf: &MachineFunction, inst: &MInst) -> Option<u32> {
    if inst.op != Op::X87M {
        return None;
    }
    let amode = *mf.amode(inst.mem);
    let Base::Slot(slot) = amode.base else { return None };
    let ten = matches!(inst.x87_mem(), X87Mem::Fld80 | X87Mem::Fstp80);
    (ten && amode == Amode::slot(slot, 0)).then_some(slot)
}

/// The constant that an instruction pushes.
fn pushed_constant(mf: &MachineFunction, inst: &MInst) -> Option<u32> {
    let amode = *mf.amode(inst.mem);
    let Place::Constant(index) = amode.place else { return None };
    (inst.x87_mem() == X87Mem::Fld80 && amode == Amode::place(amode.place, 0)).then_some(index)
}

/// Numbers of variables.
#[derive(Default)]
struct Variables {
    homes: Vec<Amode>,
    slots: FxHashMap<u32, u32>,
    constants: FxHashMap<u32, u32>,
}

/// Constants of ten bytes, and the slots of values that are loaded and stored as a whole only.
fn variables(mf: &MachineFunction) -> Variables {
    let mut whole = vec![false; mf.slots.len()];
    mf.x87_values.iter().for_each(|&slot| whole[slot as usize] = true);
    let mut spoil = |amode: &Amode| {
        if let Base::Slot(slot) = amode.base {
            whole[slot as usize] = false;
        }
    };
    let mut out = Variables::default();
    for inst in mf.insts.iter().filter(|inst| inst.mem.is_some()) {
        if accessed_slot(mf, inst).is_none() {
            spoil(mf.amode(inst.mem));
        }
        if inst.op == Op::X87M
            && let Some(constant) = pushed_constant(mf, inst)
        {
            let number = out.homes.len() as u32;
            if *out.constants.entry(constant).or_insert(number) == number {
                out.homes.push(*mf.amode(inst.mem));
            }
        }
    }
    for place in mf.asms.iter().flat_map(|asm| &asm.places) {
        if let AsmPlaceholder::Memory(mem) = *place {
            spoil(mf.amode(mem));
        }
    }
    for &slot in mf.x87_values.iter().filter(|&&slot| whole[slot as usize]) {
        out.slots.insert(slot, out.homes.len() as u32);
        out.homes.push(Amode::slot(slot, 0));
    }
    out
}

/// Reads a function; `None` if it does something with the stack that is not known here.
pub fn read(mf: &MachineFunction) -> Option<Code> {
    let numbers = variables(mf);
    if numbers.homes.is_empty() {
        return None;
    }
    let actions: Option<Vec<Action>> = mf.insts.iter().map(|inst| action(mf, inst, &numbers)).collect();
    let mut code = Code { actions: actions?, homes: numbers.homes, results: FxHashMap::default() };
    for block in &mf.blocks {
        count_operands(&mut code, block.start as usize, block.end as usize)?;
    }
    Some(code)
}

fn action(mf: &MachineFunction, inst: &MInst, numbers: &Variables) -> Option<Action> {
    use Action::*;
    Some(match inst.op {
        Op::Call
        | Op::TailCall
        | Op::Asm
        | Op::AsmGoto
        | Op::TlsGeneral
        | Op::TlsModule
        | Op::LongJmp
        | Op::NonlocalJump
        | Op::EhReturn => Barrier,
        // Control may arrive from anywhere.
        Op::ClobberAll | Op::Fork => return None,
        Op::Ret => Return,
        Op::X87M => {
            let variable = match accessed_slot(mf, inst) {
                Some(slot) => numbers.slots.get(&slot).copied(),
                None => pushed_constant(mf, inst).map(|constant| numbers.constants[&constant]),
            };
            match (inst.x87_mem(), variable) {
                (X87Mem::Fld80, Some(variable)) => LoadVariable(variable),
                (X87Mem::Fstp80, Some(variable)) => StoreVariable(variable),
                (X87Mem::Fnstcw | X87Mem::Fldcw, _) => Other,
                (code, _) if code.pushes() => Load,
                (code, _) if code.pops() => Store,
                _ => return None,
            }
        }
        Op::X87 => {
            use object::encode::X87;
            match inst.x87_op() {
                X87::Fldz | X87::Fld1 | X87::Fldpi => Constant,
                _ => Unary,
            }
        }
        Op::X87R => match (inst.x87_reg(), inst.immediate()) {
            (X87Reg::AddPop, 1) => Binary(X87Op::Add),
            (X87Reg::MulPop, 1) => Binary(X87Op::Mul),
            (X87Reg::SubPop, 1) => Binary(X87Op::Sub),
            (X87Reg::DivPop, 1) => Binary(X87Op::Div),
            (X87Reg::UcomiPop2 | X87Reg::ComiPop2, 1) => Compare,
            (X87Reg::Fstp, 0) => Discard,
            _ => return None,
        },
        _ => Other,
    })
}

impl Code {
    /// Whether a variable is a constant.
    pub fn is_constant(&self, variable: u32) -> bool {
        matches!(self.homes[variable as usize].place, Place::Constant(_))
    }
}

impl Action {
    /// Operands popped and pushed.
    pub fn effect(self) -> (u32, u32) {
        match self {
            Action::Other | Action::Barrier | Action::Return => (0, 0),
            Action::LoadVariable(_) | Action::Load | Action::Constant => (0, 1),
            Action::StoreVariable(_) | Action::Store | Action::Discard => (1, 0),
            Action::Unary => (1, 1),
            Action::Binary(_) => (2, 1),
            Action::Compare => (2, 0),
        }
    }
}

/// Finds what calls leave on the stack; `None` if there are operands at a call, at the end of a
/// block, or from nowhere.
fn count_operands(code: &mut Code, start: usize, end: usize) -> Option<()> {
    let mut depth = 0;
    let mut call = None;
    for at in start..end {
        match code.actions[at] {
            Action::Barrier if depth != 0 => return None,
            Action::Barrier => call = Some(at as u32),
            Action::Return => return Some(()),
            action => {
                let (popped, pushed) = action.effect();
                if popped > depth {
                    // What is missing came from the call, below everything else.
                    *code.results.entry(call?).or_insert(0) += popped - depth;
                    depth = popped;
                }
                depth = depth - popped + pushed;
            }
        }
    }
    (depth == 0).then_some(())
}
