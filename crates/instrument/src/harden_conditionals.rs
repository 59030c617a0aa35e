//! `-fharden-compares` and `-fharden-conditional-branches`: conditions are computed a second time,
//! reversed, and the program traps where the two answers disagree, which only a fault of the
//! machine (or somebody who causes one) can bring about.
//!
//! A comparison whose result is used as a value is repeated after itself; a conditional branch is
//! repeated on both of its edges. The repetition has the inverse condition and operands that went
//! through assembly without text (through memory where no register takes the type), so that nothing
//! after this pass sees that it computes the same. A branch on what is no comparison tests its
//! truth value again. What gcc does (`gimple-harden-conditionals.cc`), and as there the last of the
//! passes, vectors left alone. Named in `--passes=` without one of the two flags it does both.
//!
//! Linear; one trap block for the function.
//!
//! ```text
//!     cond_br v1, b1, b2            cond_br v1, b3, b4
//!                              b3:  v2 = asm "" v0; v3 = icmp.ne v2, i32 0; cond_br v3, b5, b1
//!                         =>   b4:  v4 = asm "" v0; v5 = icmp.ne v4, i32 0; cond_br v5, b2, b5
//!                              b5:  intrinsic trap; unreachable
//! ```

use base::Loc;
use ir::{
    AliasTags, AsmData, AsmOperand, AsmPlace, Block, BranchHint, Builder, Function, Inst, IntCc, Intrinsic, Opcode,
    Position, Type, Value, flags,
};
use platform::options::Codegen;

/// What was done to a function.
#[derive(Default)]
pub struct Done {
    /// Comparisons that are computed twice.
    pub compares: u64,
    /// Branches that are.
    pub branches: u64,
}

/// Hardens a function.
pub fn run(func: &mut Function, codegen: &Codegen) -> Done {
    let neither = !codegen.harden_compares && !codegen.harden_branches;
    let insts = || func.all_insts();
    let compares: Vec<Inst> = match codegen.harden_compares || neither {
        true => insts().filter(|&i| is_comparison(func, i) && is_value(func, i)).collect(),
        false => Vec::new(),
    };
    let branches: Vec<Inst> = match codegen.harden_branches || neither {
        true => insts().filter(|&i| is_branch(func, i)).collect(),
        false => Vec::new(),
    };
    if compares.is_empty() && branches.is_empty() {
        return Done::default();
    }
    let trap = func.make_block();
    // The last first: what follows a comparison moves to another block, and should move once.
    for &compare in compares.iter().rev() {
        check_value(func, compare, trap);
    }
    for &branch in &branches {
        check_edges(func, branch, trap);
    }
    func.append_block(trap);
    let mut b = Builder::new(func, Position::End(trap));
    b.intrinsic(Intrinsic::Trap, Type::VOID, &[]);
    b.unreachable();
    Done { compares: compares.len() as u64, branches: branches.len() as u64 }
}

/// A comparison of scalars, not all of them constants.
fn is_comparison(func: &Function, inst: Inst) -> bool {
    let data = func.insts[inst];
    matches!(data.opcode, Opcode::ICmp | Opcode::FCmp)
        && data.ty == Type::I1
        && func.operands(inst).any(|v| !func.is_constant(v))
}

/// Whether anything but a branch uses the result.
fn is_value(func: &Function, inst: Inst) -> bool {
    func.uses(func.first_result(inst)).any(|(user, _)| func.insts[user].opcode != Opcode::CondBr)
}

fn is_branch(func: &Function, inst: Inst) -> bool {
    let data = func.insts[inst];
    data.two_dests().is_some() && !func.is_constant(func.operand(inst, 0))
}

/// Repeats a comparison after itself; the rest of its block follows if both agree.
fn check_value(func: &mut Function, compare: Inst, trap: Block) {
    let block = func.inst_block(compare).expect("it is in a block");
    let next = func.next_inst(compare).expect("a block ends in a terminator");
    let loc = func.inst_locs[compare];
    let rest = func.split_block(next);
    let value = func.first_result(compare);
    let reversed = repeat(func, value, block, loc);
    let mut b = Builder::new(func, Position::End(block));
    b.loc = loc;
    let differ = b.binary(Opcode::Xor, value, reversed);
    b.cond_br(differ, rest, trap, BranchHint::Likely);
}

/// Repeats the condition of a branch on both of its edges.
fn check_edges(func: &mut Function, branch: Inst, trap: Block) {
    let block = func.inst_block(branch).expect("it is in a block");
    let data = func.insts[branch];
    let (then, otherwise) = data.dests();
    let (cond, loc) = (func.operand(branch, 0), func.inst_locs[branch]);
    let [on_then, on_otherwise] = [func.make_block(), func.make_block()];
    func.insert_block_after(block, on_then);
    func.insert_block_after(on_then, on_otherwise);
    for (edge, target) in [(on_then, then), (on_otherwise, otherwise)] {
        func.replace_pred(target, block, edge);
        let reversed = repeat(func, cond, edge, loc);
        let mut b = Builder::new(func, Position::End(edge));
        b.loc = loc;
        match target == then {
            true => b.cond_br(reversed, trap, target, BranchHint::Unlikely),
            false => b.cond_br(reversed, target, trap, BranchHint::Likely),
        };
    }
    func.map_targets(branch, |target| if target == then { on_then } else { on_otherwise });
}

/// The contrary of a condition at the end of a block, from hidden operands.
fn repeat(func: &mut Function, cond: Value, block: Block, loc: Loc) -> Value {
    let compare = func.def_inst(cond).filter(|&inst| is_comparison(func, inst));
    let Some(compare) = compare else {
        let hidden = hide_truth(func, cond, block, loc);
        return truth_compare(func, IntCc::Eq, hidden, block, loc);
    };
    let data = func.insts[compare];
    let [a, b] = [0, 1].map(|i| {
        let value = func.operand(compare, i);
        hide(func, value, block, loc)
    });
    let mut builder = Builder::new(func, Position::End(block));
    builder.loc = loc;
    if data.opcode == Opcode::ICmp {
        let cc = data.int_cc();
        return builder.icmp(cc.inverse(), a, b);
    }
    let cc = data.float_cc();
    builder.fcmp(cc.inverse(), data.is_signaling(), a, b)
}

/// A value that nothing is known of but that it is this one.
fn hide(func: &mut Function, value: Value, block: Block, loc: Loc) -> Value {
    if func.is_constant(value) {
        return value;
    }
    let ty = func.value_type(value);
    let place = match ty {
        Type::I1 => {
            let hidden = hide_truth(func, value, block, loc);
            return truth_compare(func, IntCc::Ne, hidden, block, loc);
        }
        Type::F32 | Type::F64 | Type::F128 => AsmPlace::Xmm,
        _ if (ty.is_int() && ty.bits() <= 64) || ty == Type::PTR => AsmPlace::Gpr,
        _ => return hide_in_memory(func, value, block, loc),
    };
    let output =
        AsmOperand { is_output: true, early_clobber: false, place, ty, name: None, input: None, result: Some(0) };
    let input =
        AsmOperand { is_output: false, place: AsmPlace::Tied(0), input: Some(0), result: None, ..output.clone() };
    // Volatile: two without effect and with equal operands would become one.
    let data = AsmData { volatile: true, operands: vec![output, input], ..AsmData::default() };
    let mut b = Builder::new(func, Position::End(block));
    b.loc = loc;
    let inst = b.asm(data, &[value], &[ty]);
    func.first_result(inst)
}

fn hide_in_memory(func: &mut Function, value: Value, block: Block, loc: Loc) -> Value {
    let ty = func.value_type(value);
    let mut b = Builder::new(func, Position::End(block));
    b.loc = loc;
    let slot = b.alloca(16, 16);
    b.store(value, slot, 16, AliasTags::any(), flags::VOLATILE);
    b.load(ty, slot, 16, AliasTags::any(), flags::VOLATILE)
}

/// An i1 as a hidden byte.
fn hide_truth(func: &mut Function, value: Value, block: Block, loc: Loc) -> Value {
    let mut b = Builder::new(func, Position::End(block));
    b.loc = loc;
    let byte = b.unary(Opcode::ZExt, Type::I8, value);
    hide(func, byte, block, loc)
}

fn truth_compare(func: &mut Function, cc: IntCc, byte: Value, block: Block, loc: Loc) -> Value {
    let mut b = Builder::new(func, Position::End(block));
    b.loc = loc;
    let zero = b.iconst(Type::I8, 0);
    b.icmp(cc, byte, zero)
}
