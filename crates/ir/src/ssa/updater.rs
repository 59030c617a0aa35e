//! Phis for variables that have several definitions, in code or in memory: one variable after the
//! other gets them on the pruned iterated dominance frontier of its definitions ([`Frontier`]), and
//! is then known at the start and end of each block; one dominator tree serves all of them.
//!
//! Cost: linear in the live ranges of the variables outside the blocks that define them.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analysis::{Cfg, DominatorTree, Frontier};
use crate::{Block, Builder, Function, Inst, Opcode, Position, Type, Value, side_table};

/// A value per block, true for the variable that is numbered with it.
type Marked = SecondaryMap<Block, (u32, PackedOption<Value>)>;

/// Places phis for variables with several definitions.
pub struct Updater<'a> {
    cfg: &'a Cfg,
    dominators: &'a DominatorTree,
    frontier: Frontier,
    /// Number of the current variable.
    variable: u32,
    at_start: Marked,
    at_end: Marked,
    phis: Vec<Inst>,
}

impl<'a> Updater<'a> {
    /// An updater for a function with this graph.
    pub fn new(func: &Function, cfg: &'a Cfg, dominators: &'a DominatorTree) -> Updater<'a> {
        let map = || side_table(func.num_blocks());
        let (frontier, at_start, at_end) = (Frontier::new(func), map(), map());
        Updater { cfg, dominators, frontier, variable: 0, at_start, at_end, phis: Vec::new() }
    }

    /// The blocks that need phis for a variable that has definitions in some blocks and is read at
    /// the start of others.
    pub fn place(
        &mut self,
        definitions: impl Iterator<Item = Block>,
        reads: impl Iterator<Item = Block>,
    ) -> Vec<Block> {
        let mut reads = reads.peekable();
        if reads.peek().is_none() {
            return Vec::new();
        }
        self.frontier.begin(self.cfg, definitions);
        reads.for_each(|block| self.frontier.read(self.cfg, block));
        self.frontier.phi_blocks(self.cfg, self.dominators, true)
    }

    /// Begins with another variable: its values at the end of the blocks that define it (`None`:
    /// undefined), and the blocks where it needs phis.
    pub fn begin(
        &mut self,
        func: &mut Function,
        ty: Type,
        definitions: impl Iterator<Item = (Block, Option<Value>)>,
        placed: &[Block],
    ) {
        self.variable += 1;
        definitions.for_each(|(block, value)| self.at_end[block] = self.mark(value));
        let first = self.phis.len();
        for &block in placed {
            let position = Position::Before(func.first_inst(block).expect("block is complete"));
            let phi = Builder::new(func, position).phi(ty, &[]);
            self.at_start[block] = self.mark(func.result(phi));
            self.phis.push(phi);
        }
        for (index, &block) in placed.iter().enumerate() {
            for &pred in self.cfg.preds(block).iter().filter(|&&p| self.cfg.is_reachable(p)) {
                let value = self.at_end(pred);
                let value = value.unwrap_or_else(|| undef_before(func, func.terminator(pred), ty));
                func.phi_push(self.phis[first + index], value, pred);
            }
        }
    }

    /// The value of the current variable at the end of a reachable block.
    fn at_end(&mut self, block: Block) -> Option<Value> {
        self.marked(self.at_end[block]).unwrap_or_else(|| self.at_start(block))
    }

    /// The value of the current variable at the start of a block that was said to read it; `None`
    /// if it is undefined there.
    pub fn at_start(&mut self, block: Block) -> Option<Value> {
        let mut passed: SmallVec<[Block; 16]> = SmallVec::new();
        let mut at = block;
        let value = loop {
            if let Some(value) = self.marked(self.at_start[at]) {
                break value;
            }
            passed.push(at);
            let Some(above) = self.dominators.idom(at) else { break None };
            if let Some(value) = self.marked(self.at_end[above]) {
                break value;
            }
            at = above;
        };
        passed.into_iter().for_each(|block| self.at_start[block] = self.mark(value));
        value
    }

    /// The phi that the current variable got in a block.
    pub fn phi_in(&self, block: Block) -> Value {
        self.marked(self.at_start[block]).flatten().expect("a block that was said to need one")
    }

    /// Puts what was stored, or comes into the block, in the place of what is loaded. The scalar is
    /// the current variable; its loads stay without uses.
    pub fn replace_loads(&mut self, func: &mut Function, scalar: &Scalar) {
        // What is stored may have been loaded, by an instruction that is replaced.
        let mut replaced: FxHashMap<Value, Value> = FxHashMap::default();
        for &(load, block, store) in &scalar.loads {
            let value = match store {
                Some(inst) => stored_value(func, inst),
                None => self.at_start(block),
            };
            let mut value = value.unwrap_or_else(|| undef_before(func, load, func.insts[load].ty));
            while let Some(&newer) = replaced.get(&value) {
                value = newer;
            }
            let value = convert_before(func, load, value, func.insts[load].ty);
            let result = func.first_result(load);
            func.replace_all_uses(result, value);
            replaced.insert(result, value);
        }
    }

    /// The phis placed for all variables.
    pub fn into_phis(self) -> Vec<Inst> {
        self.phis
    }

    /// Where a variable would need a phi that it has not got, it is not known from this block on.
    pub fn leave_open(&mut self, block: Block) {
        if self.marked(self.at_start[block]).is_none() {
            self.at_start[block] = self.mark(None);
        }
    }

    fn mark(&self, value: Option<Value>) -> (u32, PackedOption<Value>) {
        (self.variable, value.into())
    }

    fn marked(&self, (number, value): (u32, PackedOption<Value>)) -> Option<Option<Value>> {
        (number == self.variable).then(|| value.expand())
    }
}

/// A variable in memory of one type, or of types of one width, that is to become values.
pub struct Scalar {
    ty: Type,
    /// Blocks that define it, each with the last instruction that does.
    definitions: Vec<(Block, Inst)>,
    /// Loads, each with the definition before it in its block, if there is one.
    loads: Vec<(Inst, Block, Option<Inst>)>,
}

impl Scalar {
    /// From loads, stores and starts of lifetimes: block by block, in the order of each block.
    pub fn new(func: &Function, ty: Type, accesses: impl Iterator<Item = Inst>) -> Scalar {
        let mut scalar = Scalar { ty, definitions: Vec::new(), loads: Vec::new() };
        for inst in accesses {
            let block = func.inst_block(inst).expect("placed");
            let last = scalar.definitions.last_mut().filter(|d| d.0 == block);
            match (func.insts[inst].opcode, last) {
                (Opcode::Load, last) => scalar.loads.push((inst, block, last.map(|d| d.1))),
                (_, Some(last)) => last.1 = inst,
                _ => scalar.definitions.push((block, inst)),
            }
        }
        scalar
    }

    /// The blocks that define it.
    pub fn defining_blocks(&self) -> impl Iterator<Item = Block> {
        self.definitions.iter().map(|d| d.0)
    }

    /// The blocks at whose start it is read.
    pub fn reading_blocks(&self) -> impl Iterator<Item = Block> {
        self.loads.iter().filter(|l| l.2.is_none()).map(|l| l.1)
    }

    /// What it is at the ends of the blocks that define it.
    pub fn values(&self, func: &mut Function) -> Vec<(Block, Option<Value>)> {
        let value = |func: &mut Function, inst| Some(convert_before(func, inst, stored_value(func, inst)?, self.ty));
        self.definitions.iter().map(|&(block, inst)| (block, value(func, inst))).collect()
    }
}

/// What a store, or a start of the lifetime, leaves in a variable.
fn stored_value(func: &Function, inst: Inst) -> Option<Value> {
    (func.insts[inst].opcode == Opcode::Store).then(|| func.operand(inst, 1))
}

/// `value` as type `ty` of the same width, by conversions placed before `inst`.
pub fn convert_before(func: &mut Function, inst: Inst, value: Value, ty: Type) -> Value {
    let from = func.value_type(value);
    if from == ty {
        return value;
    }
    if let Some(bits) = func.const_bits(value)
        && !ty.is_vector()
        && (!ty.is_ptr() || bits == 0)
    {
        return func.bits_const(ty, bits);
    }
    let mut builder = Builder::before(func, inst);
    let as_int = if from.is_ptr() { builder.unary(Opcode::PtrToInt, Type::I64, value) } else { value };
    let from = builder.func.value_type(as_int);
    if ty == from {
        return as_int;
    }
    if !ty.is_ptr() {
        return builder.unary(Opcode::Bitcast, ty, as_int);
    }
    let as_i64 = if from == Type::I64 { as_int } else { builder.unary(Opcode::Bitcast, Type::I64, as_int) };
    builder.unary(Opcode::IntToPtr, Type::PTR, as_i64)
}

/// An undefined value, made before `inst`.
pub fn undef_before(func: &mut Function, inst: Inst, ty: Type) -> Value {
    Builder::before(func, inst).undef(ty)
}
