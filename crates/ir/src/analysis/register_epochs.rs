//! Epochs of a global register variable: two instructions of one epoch find the same value there.

use cranelift_entity::{EntityRef, SecondaryMap};
use platform::registers::Reg;

use super::Cfg;
use crate::effects::{Touched, register_variable, written};
use crate::{AsmData, AsmPlace, Block, Function, Inst, InstView, Intrinsic, Module, Opcode, Value, side_table};

/// The epochs of one variable.
pub struct RegisterEpochs {
    /// The epoch of each instruction, before it.
    of: Vec<u32>,
    /// What was assigned when an epoch began, if all 64 bits were.
    assigned: Vec<Option<Value>>,
}

impl RegisterEpochs {
    /// The epochs in a function. A block goes on with the epoch of the blocks before it if they all
    /// end in one.
    pub fn compute(func: &Function, module: &Module, cfg: &Cfg, reg: Reg) -> RegisterEpochs {
        let mut epochs = RegisterEpochs { of: vec![0; func.num_insts()], assigned: Vec::new() };
        let mut ends: SecondaryMap<Block, Option<u32>> = side_table(func.num_blocks());
        for block in cfg.reverse_postorder() {
            let mut before = cfg.preds(block).iter().map(|&pred| ends[pred]);
            let same = before.next().flatten().filter(|&end| before.all(|other| other == Some(end)));
            let mut now = same.unwrap_or_else(|| epochs.begin(None));
            for inst in func.block_insts(block) {
                epochs.of[inst.index()] = now;
                if let Some(assigned) = assigned(func, module, inst, reg) {
                    now = epochs.begin(assigned);
                }
            }
            ends[block] = Some(now);
        }
        epochs
    }

    fn begin(&mut self, assigned: Option<Value>) -> u32 {
        self.assigned.push(assigned);
        self.assigned.len() as u32 - 1
    }

    /// Whether two instructions find the same value in the variable.
    pub fn are_same(&self, a: Inst, b: Inst) -> bool {
        self.of[a.index()] == self.of[b.index()]
    }

    /// What the variable was assigned before an instruction, if that is known.
    pub fn assigned_before(&self, inst: Inst) -> Option<Value> {
        self.assigned[self.of[inst.index()] as usize]
    }
}

/// Whether an instruction may set the variable, and to what.
fn assigned(func: &Function, module: &Module, inst: Inst, reg: Reg) -> Option<Option<Value>> {
    if matches!(func.insts[inst].opcode, Opcode::Asm | Opcode::AsmBr) {
        return sets(func.asm(inst), reg).then_some(None);
    }
    // Control comes back there from elsewhere.
    if matches!(func.view(inst), InstView::Intrinsic { intrinsic: Intrinsic::SetJmp, .. }) {
        return Some(None);
    }
    match written(func, module, inst) {
        Touched::Visible | Touched::Anything => Some(None),
        Touched::Bytes(_) if register_variable(func, module, inst) == Some(reg) => {
            let value = func.operand(inst, 1);
            Some((func.value_type(value).bits() == 64).then_some(value))
        }
        Touched::Nothing | Touched::Bytes(_) => None,
    }
}

/// Whether assembly sets a register: what it does not say (gcc's manual, "Defining Global Register
/// Variables"), it does not do.
fn sets(asm: &AsmData, reg: Reg) -> bool {
    asm.clobbers.contains(&reg) || asm.operands.iter().any(|o| o.is_output && o.place == AsmPlace::Fixed(reg))
}
