//! Sparse conditional constant propagation (Wegman and Zadeck, "Constant Propagation with
//! Conditional Branches", 1991).
//!
//! Every value starts out unknown and may become one constant, then varying; every edge starts out
//! not taken. Two worklists go on until nothing changes: a phi only merges what comes along taken
//! edges, a branch on a constant only takes one edge. So constants are found that folding alone
//! cannot see: those around loops, and those that hold because a branch never goes the other way.
//!
//! An `undef` varies: it is one fixed value, and two phis must not assume two constants for it.
//! Blocks that are never reached keep their code; the branch before them now has a constant
//! condition and `simplify_cfg` removes them.
//!
//! Cost: each value changes twice at most, and a phi looks at one entry for each change of its
//! value and for each edge, so linear in uses and edges.
//!
//! ```text
//! b1: v1 = phi [i32 1, b0], [v3, b3]          b1: cond_br v9, b2, b4
//!     cond_br v9, b2, b4                      b2: cond_br i1 1, b3, b5
//! b2: v2 = icmp.eq v1, i32 1             =>   b3: br b1
//!     cond_br v2, b3, b5
//! b3: v3 = mul v1, v1
//!     br b1
//! ```

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, SecondaryMap};
use ir::{Block, Function, Inst, InstView, Opcode, Type, Value};
use rustc_hash::FxHashMap;

use crate::pass::{Changed, Pass, PassContext};
use crate::passes::fold::{fold_with, rounds};

/// The pass.
pub const PASS: Pass = Pass::new("sccp", run);

/// What is known of a value.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
enum Cell {
    /// Nothing reached it yet.
    #[default]
    Unknown,
    /// Always this constant.
    Constant(Value),
    /// More than one value.
    Varies,
}

/// Which edges out of a block are taken.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
enum Taken {
    #[default]
    None,
    One(Block),
    All,
}

/// Entries of a phi that are searched one by one; longer phis get an index.
const SEARCHED_ENTRIES: usize = 8;

struct Solver<'a> {
    func: &'a mut Function,
    cells: SecondaryMap<Value, Cell>,
    reached: SecondaryMap<Block, bool>,
    taken: SecondaryMap<Block, Taken>,
    /// The block whose terminator named a block last: what one switch names again is passed over.
    named_by: SecondaryMap<Block, PackedOption<Block>>,
    /// Where the entry of an edge is in the first phi of its target, for blocks with many
    /// predecessors.
    entries: FxHashMap<(Block, Block), u32>,
    indexed: EntitySet<Block>,
    flow: Vec<(Block, Block)>,
    work: Vec<Inst>,
    /// Entries of phis, by position, whose value has changed or whose edge has been taken.
    merges: Vec<(Inst, u32)>,
    /// `-frounding-math`: the rounding mode is not known.
    rounding_math: bool,
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let mut solver = Solver {
        rounding_math: cx.options.codegen.float.rounding_math,
        cells: ir::side_table(func.num_values()),
        reached: ir::side_table(func.num_blocks()),
        taken: ir::side_table(func.num_blocks()),
        named_by: ir::side_table(func.num_blocks()),
        entries: FxHashMap::default(),
        indexed: EntitySet::new(),
        flow: Vec::new(),
        work: Vec::new(),
        merges: Vec::new(),
        func,
    };
    solver.solve();
    let replaced = solver.replace_constants();
    cx.statistics.add("values found constant", replaced);
    Changed::code_if(replaced > 0)
}

impl Solver<'_> {
    fn solve(&mut self) {
        let entry = self.func.entry();
        self.enter(entry);
        loop {
            if let Some((phi, index)) = self.merges.pop() {
                self.merge(phi, index);
            } else if let Some(inst) = self.work.pop() {
                self.visit(inst);
            } else if let Some((from, to)) = self.flow.pop() {
                self.take(from, to);
            } else {
                return;
            }
        }
    }

    fn enter(&mut self, block: Block) {
        self.reached[block] = true;
        let first = self.work.len();
        let insts = self.func.block_insts(block).filter(|&i| self.func.insts[i].opcode != Opcode::Phi);
        self.work.extend(insts);
        self.work[first..].reverse();
    }

    fn take(&mut self, from: Block, to: Block) {
        if !self.reached[to] {
            self.enter(to);
        }
        let mut next = self.func.first_inst(to);
        while let Some(phi) = next.filter(|&i| self.func.insts[i].opcode == Opcode::Phi) {
            next = self.func.next_inst(phi);
            // A phi that varies already cannot change.
            if self.cells[self.func.first_result(phi)] != Cell::Varies
                && let Some(index) = self.entry_of(phi, from, to)
            {
                self.merges.push((phi, index));
            }
        }
    }

    /// The position of the entry that `from` has in a phi of `to`. Phis of one block have their
    /// entries in the same order as a rule; one that has not is searched.
    fn entry_of(&mut self, phi: Inst, from: Block, to: Block) -> Option<u32> {
        let count = self.func.phi_entries(phi).len();
        if count > SEARCHED_ENTRIES {
            if self.indexed.insert(to) {
                let entries = self.func.phi_entries(phi).enumerate();
                self.entries.extend(entries.map(|(index, (_, pred))| ((pred, to), index as u32)));
            }
            if let Some(&index) = self.entries.get(&(from, to))
                && (index as usize) < count
                && self.func.phi_block(phi, index as usize) == from
            {
                return Some(index);
            }
        }
        (0..count).find(|&index| self.func.phi_block(phi, index) == from).map(|index| index as u32)
    }

    fn cell(&self, value: Value) -> Cell {
        if self.func.constant(value).is_some() {
            return Cell::Constant(value);
        }
        match self.func.def_inst(value) {
            Some(_) => self.cells[value],
            None => Cell::Varies,
        }
    }

    fn constant_bits(&self, value: Value) -> Option<u128> {
        match self.cell(value) {
            Cell::Constant(c) => self.func.const_bits(c),
            _ => None,
        }
    }

    /// Lowers the cell of a value, never raises it.
    fn set(&mut self, value: Value, cell: Cell) {
        let old = self.cells[value];
        let new = match (old, cell) {
            (Cell::Varies, _) | (_, Cell::Unknown) => return,
            (Cell::Constant(a), Cell::Constant(b)) if a != b => Cell::Varies,
            _ => cell,
        };
        if new == old {
            return;
        }
        self.cells[value] = new;
        for (user, index) in self.func.uses(value) {
            if self.func.inst_block(user).is_none_or(|b| !self.reached[b]) {
                continue;
            }
            if self.func.insts[user].opcode == Opcode::Phi {
                self.merges.push((user, index as u32));
            } else {
                self.work.push(user);
            }
        }
    }

    fn visit(&mut self, inst: Inst) {
        let data = self.func.insts[inst];
        if data.opcode.is_terminator() {
            self.visit_terminator(inst);
        }
        match self.func.results(inst).len() {
            0 => {}
            1 => {
                let result = self.func.first_result(inst);
                if self.cells[result] != Cell::Varies {
                    let cell = self.evaluate(inst);
                    self.set(result, cell);
                }
            }
            _ => self.visit_several_results(inst),
        }
    }

    fn visit_terminator(&mut self, inst: Inst) {
        let from = self.func.inst_block(inst).expect("placed");
        let opcode = self.func.insts[inst].opcode;
        let mut taken = Taken::All;
        if matches!(opcode, Opcode::CondBr | Opcode::Switch) {
            match self.cell(self.func.operand(inst, 0)) {
                Cell::Unknown => return,
                Cell::Constant(c) => {
                    if let Some(bits) = self.func.const_bits(c) {
                        taken = Taken::One(chosen_target(self.func, inst, bits));
                    }
                }
                Cell::Varies => {}
            }
        }
        let before = std::mem::replace(&mut self.taken[from], taken);
        match taken {
            _ if taken == before => {}
            Taken::One(to) => self.flow.push((from, to)),
            _ => {
                let Self { func, flow, named_by, .. } = self;
                func.for_each_target(inst, |to| {
                    let named = std::mem::replace(&mut named_by[to], from.into());
                    if named != from.into() && before != Taken::One(to) {
                        flow.push((from, to));
                    }
                });
            }
        }
    }

    /// Lowers the cell of a phi by what comes through one entry, if its edge is taken.
    fn merge(&mut self, phi: Inst, index: u32) {
        let block = self.func.inst_block(phi).expect("placed");
        let is_taken = match self.taken[self.func.phi_block(phi, index as usize)] {
            Taken::None => false,
            Taken::One(to) => to == block,
            Taken::All => true,
        };
        if is_taken {
            let cell = self.cell(self.func.operand(phi, index as usize));
            self.set(self.func.first_result(phi), cell);
        }
    }

    /// An operation with one result, from the cells of its operands.
    fn evaluate(&mut self, inst: Inst) -> Cell {
        let data = self.func.insts[inst];
        let is_operation =
            (data.opcode >= Opcode::Add && data.opcode <= Opcode::Select) || data.opcode == Opcode::PtrAdd;
        if !is_operation || data.ty.is_vector() {
            return Cell::Varies;
        }
        if data.opcode == Opcode::Select {
            return self.select(inst);
        }
        let cells: smallvec::SmallVec<[Cell; 3]> = self.func.operands(inst).map(|v| self.cell(v)).collect();
        if cells.contains(&Cell::Unknown) {
            return Cell::Unknown;
        }
        if cells.contains(&Cell::Varies) {
            return self.absorbed(inst);
        }
        let operands: smallvec::SmallVec<[Value; 3]> =
            cells.iter().filter_map(|c| if let Cell::Constant(v) = c { Some(*v) } else { None }).collect();
        if self.rounding_math && rounds(self.func, inst) {
            return Cell::Varies;
        }
        match fold_with(self.func, inst, &operands) {
            Some(value) => Cell::Constant(value),
            None => Cell::Varies,
        }
    }

    fn select(&self, inst: Inst) -> Cell {
        let (cond, a, b) = (self.func.operand(inst, 0), self.func.operand(inst, 1), self.func.operand(inst, 2));
        if self.func.value_type(cond) != Type::I1 {
            return Cell::Varies;
        }
        match self.cell(cond) {
            Cell::Unknown => Cell::Unknown,
            Cell::Constant(c) => match self.func.const_bits(c) {
                Some(bits) => self.cell(if bits != 0 { a } else { b }),
                None => Cell::Varies,
            },
            Cell::Varies => match (self.cell(a), self.cell(b)) {
                (Cell::Constant(x), Cell::Constant(y)) if x == y => Cell::Constant(x),
                (Cell::Unknown, cell) | (cell, Cell::Unknown) => cell,
                _ => Cell::Varies,
            },
        }
    }

    /// Operations that one constant operand decides whatever the other is.
    fn absorbed(&mut self, inst: Inst) -> Cell {
        let data = self.func.insts[inst];
        let absorbing = match data.opcode {
            Opcode::And | Opcode::Mul => 0,
            Opcode::Or => data.ty.mask(),
            _ => return Cell::Varies,
        };
        if self.func.operands(inst).any(|v| self.constant_bits(v) == Some(absorbing)) {
            return Cell::Constant(self.func.bits_const(data.ty, absorbing));
        }
        Cell::Varies
    }

    /// Arithmetic with an overflow bit; everything else with several results varies.
    fn visit_several_results(&mut self, inst: Inst) {
        let results: Vec<Value> = self.func.results(inst).collect();
        let opcode = self.func.insts[inst].opcode;
        let mut cells = [Cell::Varies, Cell::Varies];
        if opcode >= Opcode::SAddOverflow && opcode <= Opcode::UMulOverflow {
            let (a, b) = (self.func.operand(inst, 0), self.func.operand(inst, 1));
            if [a, b].iter().any(|&v| self.cell(v) == Cell::Unknown) {
                return;
            }
            let ty = self.func.value_type(a);
            if let (Some(x), Some(y)) = (self.constant_bits(a), self.constant_bits(b))
                && let Some((bits, overflowed)) = ir::fold::overflow(opcode, ty, x, y)
            {
                cells[0] = Cell::Constant(self.func.bits_const(ty, bits));
                cells[1] = Cell::Constant(self.func.iconst(Type::I1, overflowed as i64));
            }
        }
        for (index, result) in results.into_iter().enumerate() {
            self.set(result, cells.get(index).copied().unwrap_or(Cell::Varies));
        }
    }

    fn replace_constants(self) -> u64 {
        let Solver { func, cells, reached, .. } = self;
        let mut replaced = 0;
        let blocks: Vec<Block> = func.blocks().filter(|&b| reached[b]).collect();
        for block in blocks {
            let mut next = func.first_inst(block);
            while let Some(inst) = next {
                next = func.next_inst(inst);
                let mut all = func.results(inst).len() > 0;
                for result in func.results(inst) {
                    let Cell::Constant(constant) = cells[result] else {
                        all = false;
                        continue;
                    };
                    if func.has_uses(result) {
                        func.replace_all_uses(result, constant);
                        replaced += 1;
                    }
                }
                if all {
                    func.remove_inst(inst);
                }
            }
        }
        replaced
    }
}

/// Where a conditional branch or switch goes for these bits.
pub fn chosen_target(func: &Function, terminator: Inst, bits: u128) -> Block {
    if let InstView::CondBr { then_dest, else_dest, .. } = func.view(terminator) {
        return if bits != 0 { then_dest } else { else_dest };
    }
    let switch = func.switch(terminator);
    match switch.cases.binary_search_by_key(&bits, |c| c.0 as u128) {
        Ok(index) => switch.cases[index].1,
        Err(_) => switch.default,
    }
}
