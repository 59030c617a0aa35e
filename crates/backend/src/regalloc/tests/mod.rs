//! Tests: pathological shapes by hand, thousands of random problems, always with the checker as
//! judge.

mod random;
mod shapes;

use super::*;

impl Operand {
    /// An early use.
    pub fn use_(vreg: VReg, constraint: Constraint) -> Operand {
        Operand::new(vreg, OperandKind::Use, OperandPos::Early, constraint)
    }

    /// A use that is still needed while outputs are written.
    pub fn late_use(vreg: VReg, constraint: Constraint) -> Operand {
        Operand::new(vreg, OperandKind::Use, OperandPos::Late, constraint)
    }

    /// A late definition.
    pub fn def(vreg: VReg, constraint: Constraint) -> Operand {
        Operand::new(vreg, OperandKind::Def, OperandPos::Late, constraint)
    }

    /// An early-clobber definition. With a vreg that is used nowhere else this is a scratch
    /// register.
    pub fn early_def(vreg: VReg, constraint: Constraint) -> Operand {
        Operand::new(vreg, OperandKind::Def, OperandPos::Early, constraint)
    }

    /// Read and written in one place.
    pub fn use_def(vreg: VReg, constraint: Constraint) -> Operand {
        Operand::new(vreg, OperandKind::UseDef, OperandPos::Early, constraint)
    }
}

/// Allocates and checks.
fn run(mut problem: Problem) -> (Problem, Allocations) {
    let result = allocate(&mut problem);
    if let Err(error) = checker::check(&problem, &result) {
        panic!("{error}\n{}", show(&problem, Some(&result)));
    }
    (problem, result)
}

/// A problem in text, with places and inserted operations if there are any.
fn show(problem: &Problem, result: Option<&Allocations>) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    for (index, block) in problem.blocks.iter().enumerate() {
        let succs = problem.succs(BlockIndex::new(index));
        let _ = writeln!(text, "b{index} x{} -> {succs:?}", block.frequency);
        for inst in block.first..block.end {
            let inst = InstIndex::new(inst as usize);
            for m in result.iter().flat_map(|r| &r.moves).filter(|m| m.before == inst) {
                let _ = writeln!(text, "      {:?}", m.op);
            }
            let facts = &problem.insts[inst.index()];
            let _ = write!(text, "  {inst} flags {} clobbers {:x}:", facts.flags.0, facts.clobbers);
            for at in problem.operand_range(inst) {
                let _ = write!(text, " {:?}", problem.operands[at]);
                if let Some(result) = result {
                    let _ = write!(text, " [{:?}]", result.operands[at]);
                }
                let _ = write!(text, ";");
            }
            let _ = writeln!(text);
        }
    }
    for m in result.iter().flat_map(|r| &r.edge_moves) {
        let _ = writeln!(text, "edge {:?}", m);
    }
    text
}
