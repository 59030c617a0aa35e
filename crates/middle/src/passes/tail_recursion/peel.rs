//! A copy of the first test before the loop, for functions that still call themselves.
//!
//! Of the activations of such a function most return at once: the leaves of a tree are as many as
//! all its inner nodes. They are to find their return without the accumulators, and so without the
//! frame, that the loop after it needs.

use ir::{Block, BranchHint, Builder, Function, Inst, Opcode, Position, Value};
use rustc_hash::FxHashMap;

use ir::effects;

/// Instructions of the test and of the return, at most.
const MAX_INSTS: usize = 8;

/// The test that the header is, and the return that it leads to.
struct Test {
    exit: Block,
    /// Whether the return is where the condition holds.
    then: bool,
}

/// Copies the test at the start of `header`, and the return that it decides on, into the block
/// before, which only jumps there.
pub fn peel_test(func: &mut Function, header: Block) {
    let entry = func.entry();
    let Some(test) = find_test(func, header) else { return };
    let early = func.make_block();
    func.insert_block_after(entry, early);
    let mut map = FxHashMap::default();
    for phi in func.phis(header).collect::<Vec<Inst>>() {
        let start = func.phi_value(phi, entry).expect("is entered from there");
        map.insert(func.first_result(phi), start);
    }
    let branch = func.terminator(header);
    func.remove_inst(func.terminator(entry));
    copy_block(func, header, entry, &mut map);
    let condition = mapped(&map, func.operand(branch, 0));
    let (then, otherwise) = if test.then { (early, header) } else { (header, early) };
    let mut b = Builder::new(func, Position::End(entry));
    b.loc = b.func.inst_locs[branch];
    b.cond_br(condition, then, otherwise, BranchHint::None);
    copy_block(func, test.exit, early, &mut map);
}

fn find_test(func: &Function, header: Block) -> Option<Test> {
    let branch = func.insts[func.terminator(header)];
    if branch.opcode != Opcode::CondBr {
        return None;
    }
    let (then, otherwise) = branch.dests();
    let returns = |block: Block| func.insts[func.terminator(block)].opcode == Opcode::Ret && is_short(func, block);
    let exit = [then, otherwise].into_iter().find(|&block| returns(block) && func.phis(block).next().is_none())?;
    (then != otherwise && is_short(func, header)).then_some(Test { exit, then: exit == then })
}

/// Whether a block holds a few instructions that may be copied, and its end.
fn is_short(func: &Function, block: Block) -> bool {
    let terminator = func.terminator(block);
    let insts = || func.block_insts(block).filter(|&i| func.insts[i].opcode != Opcode::Phi && i != terminator);
    insts().count() <= MAX_INSTS && insts().all(|i| effects::is_pure(func, i) && !effects::may_trap(func, i))
}

fn mapped(map: &FxHashMap<Value, Value>, value: Value) -> Value {
    map.get(&value).copied().unwrap_or(value)
}

/// Appends copies of what `from` does to `to`; of its end only if it is a return.
fn copy_block(func: &mut Function, from: Block, to: Block, map: &mut FxHashMap<Value, Value>) {
    let insts: Vec<Inst> =
        func.block_insts(from).filter(|&i| !matches!(func.insts[i].opcode, Opcode::Phi | Opcode::CondBr)).collect();
    for inst in insts {
        let copy = func.copy_inst(inst, |value| mapped(map, value));
        func.append_inst(to, copy);
        func.copy_debug_values(inst, copy, |value| mapped(map, value));
        map.extend(func.results(inst).zip(func.results(copy)));
    }
}
