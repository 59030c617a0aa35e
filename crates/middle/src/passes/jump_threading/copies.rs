//! Copies of paths: the blocks in a row, the last with a jump in place of its branch.

use ir::ssa::Redefinitions;
use ir::{Block, Builder, Function, Inst, Opcode, Position, Value};
use rustc_hash::FxHashMap;

use super::Decided;
use crate::pass::{Changed, PassContext};

/// A copy of a block, with what the block's values are in it.
struct Copy {
    original: Block,
    block: Block,
    values: Vec<(Value, Value)>,
}

/// Sends the edges decided through copies of their paths, and gives the values that now have
/// several definitions phis.
pub fn thread_all(func: &mut Function, cx: &mut PassContext<'_>, decided: &[Decided]) {
    // The edges stay until all copies are there: one may be of a jump along another's edge.
    let copies: Vec<Vec<Copy>> = decided.iter().map(|d| thread(func, d)).collect();
    for (d, copies) in decided.iter().zip(&copies) {
        for &pred in &d.preds {
            func.drop_pred(d.path[0], pred);
            func.map_targets(func.terminator(pred), |t| if t == d.path[0] { copies[0].block } else { t });
        }
    }
    let mut copies: Vec<Copy> = copies.into_iter().flatten().collect();
    copies.sort_by_key(|c| c.original);
    let mut redefined = Redefinitions::default();
    for of_block in copies.chunk_by(|a, b| a.original == b.original) {
        let original = of_block[0].original;
        func.redefine_debug_values([original].into_iter());
        redefined.begin(of_block.iter().map(|c| c.block).chain([original]).collect());
        for (number, &(value, _)) in of_block[0].values.iter().enumerate() {
            let copied = of_block.iter().map(|c| (c.block, c.values[number].1));
            // A copy's phi may be a value that other paths define again, with no other use left.
            redefined.add_unused(func, value, [(original, value)].into_iter().chain(copied));
        }
    }
    cx.analyses.invalidate(Changed::ControlFlow);
    cx.analyses.resolve(func, redefined);
}

/// The path being copied.
struct Path<'a> {
    decided: &'a Decided,
    /// The first copy.
    entry: Block,
    /// Values of blocks copied before.
    map: FxHashMap<Value, Value>,
    /// Values of the iteration before, for paths that lead around a loop: phis at the start of the
    /// first copy, so that the edges read them.
    earlier: FxHashMap<Value, Value>,
}

fn thread(func: &mut Function, decided: &Decided) -> Vec<Copy> {
    let mut after = *decided.preds.last().expect("not empty");
    let mut blocks = Vec::with_capacity(decided.path.len());
    for _ in &decided.path {
        let block = func.make_block();
        func.insert_block_after(after, block);
        blocks.push(block);
        after = block;
    }
    let mut path = Path { decided, entry: blocks[0], map: FxHashMap::default(), earlier: FxHashMap::default() };
    let mut copies = Vec::with_capacity(blocks.len());
    for (index, (&original, &block)) in decided.path.iter().zip(&blocks).enumerate() {
        let values = path.copy_block(func, index, original, block);
        path.map.extend(values.iter().copied());
        let terminator = func.terminator(original);
        let loc = func.inst_locs[terminator];
        match blocks.get(index + 1) {
            Some(&next) if func.insts[terminator].opcode == Opcode::CondBr => {
                path.copy_test(func, terminator, block, (decided.path[index + 1], next));
            }
            next => {
                let mut builder = Builder::new(func, Position::End(block));
                builder.loc = loc;
                builder.br(next.copied().unwrap_or(decided.target));
            }
        }
        let new = func.terminator(block);
        func.copy_debug_values(terminator, new, |v| path.map.get(&v).copied().unwrap_or(v));
        copies.push(Copy { original, block, values });
    }
    let (last, new) = (*decided.path.last().expect("not empty"), *blocks.last().expect("not empty"));
    path.enter(func, decided.target, last, new);
    copies
}

impl Path<'_> {
    /// Copies all but the terminator. Returns each value with its copy, in the order of the block.
    fn copy_block(&mut self, func: &mut Function, index: usize, original: Block, block: Block) -> Vec<(Value, Value)> {
        let terminator = func.terminator(original);
        let insts = func.block_insts(original).filter(|&i| i != terminator);
        let (phis, others): (Vec<Inst>, Vec<Inst>) = insts.partition(|&i| func.insts[i].opcode == Opcode::Phi);
        let mut values: Vec<(Value, Value)> = Vec::new();
        for inst in phis {
            let value = if index == 0 {
                self.entering(func, inst)
            } else {
                let value = func.phi_value(inst, self.decided.path[index - 1]).expect("one entry per predecessor");
                self.value(func, value)
            };
            values.push((func.first_result(inst), value));
        }
        let mut known: FxHashMap<Value, Value> = values.iter().copied().collect();
        for inst in others {
            let operands: Vec<Value> = func.operands(inst).collect();
            for operand in operands {
                known.entry(operand).or_insert_with(|| self.value(func, operand));
            }
            let new = func.copy_inst(inst, |v| known[&v]);
            func.append_inst(block, new);
            let records = |v| known.get(&v).or_else(|| self.map.get(&v)).copied().unwrap_or(v);
            func.copy_debug_values(inst, new, records);
            let results: Vec<(Value, Value)> = func.results(inst).zip(func.results(new)).collect();
            known.extend(results.iter().copied());
            values.extend(results);
        }
        values
    }

    /// Copies a branch on the way: one target is the next copy, the other stays.
    fn copy_test(&mut self, func: &mut Function, branch: Inst, block: Block, (next, copy): (Block, Block)) {
        let original = func.inst_block(branch).expect("placed");
        let cond = func.operand(branch, 0);
        let cond = self.value(func, cond);
        let new = func.copy_inst(branch, |_| cond);
        func.append_inst(block, new);
        let mut other = None;
        func.map_targets(new, |t| {
            if t == next {
                copy
            } else {
                other = Some(t);
                t
            }
        });
        self.enter(func, other.expect("two targets"), original, block);
    }

    /// Gives the phis of `target` entries for `copy`, which goes there as `original` does.
    fn enter(&mut self, func: &mut Function, target: Block, original: Block, copy: Block) {
        func.add_pred(target, original, copy, |func, value| self.value(func, value));
    }

    /// What a value is after the blocks copied so far.
    fn value(&mut self, func: &mut Function, value: Value) -> Value {
        if let Some(&value) = self.map.get(&value) {
            return value;
        }
        if !self.is_of_path(func, value) {
            return value;
        }
        // Defined further along the path: what is meant is the iteration before.
        if let Some(&phi) = self.earlier.get(&value) {
            return phi;
        }
        let entries: Vec<(Value, Block)> = self.decided.preds.iter().map(|&pred| (value, pred)).collect();
        let phi = self.phi(func, &entries, value);
        self.earlier.insert(value, phi);
        phi
    }

    fn is_of_path(&self, func: &Function, value: Value) -> bool {
        func.def_inst(value).and_then(|i| func.inst_block(i)).is_some_and(|b| self.decided.path.contains(&b))
    }

    /// What a phi of the first block is in the copy, which the edges decided enter.
    fn entering(&self, func: &mut Function, phi: Inst) -> Value {
        let entry = |&pred| (func.phi_value(phi, pred).expect("one entry per predecessor"), pred);
        let entries: Vec<(Value, Block)> = self.decided.preds.iter().map(entry).collect();
        let only = entries[0].0;
        if entries.iter().all(|e| e.0 == only) && !self.is_of_path(func, only) {
            return only;
        }
        self.phi(func, &entries, only)
    }

    fn phi(&self, func: &mut Function, entries: &[(Value, Block)], like: Value) -> Value {
        let ty = func.value_type(like);
        let position = match func.first_inst(self.entry) {
            Some(first) => Position::Before(first),
            None => Position::End(self.entry),
        };
        let phi = Builder::new(func, position).phi(ty, entries);
        func.first_result(phi)
    }
}
