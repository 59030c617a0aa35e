//! What vectors are computed from: groups of scalars that become the lanes of one.

use cranelift_entity::SecondaryMap;
use ir::analysis::DominatorTree;
use ir::analysis::sums::linear;
use ir::{AliasTag, Block, Function, Inst, Module, Opcode, Type, Value};
use platform::options::X86Features;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::seeds::{Lanes, REGISTER, Seed};
use ir::analysis::alias::{Access, AliasAnalysis, Base, decompose, is_own_copy, locate};
use ir::costs::{self, is_lane};
use ir::effects::may_write_memory;

/// Operations above a store.
const MAX_DEPTH: u32 = 16;

/// Vectors of one block.
const MAX_NODES: usize = 200;

/// Instructions between the loads of neighbours.
const MAX_DISTANCE: usize = 400;

/// How a vector comes about.
pub enum Kind {
    /// Constants.
    Constant,
    /// One scalar in all lanes.
    Splat,
    /// Put together from scalars.
    Gather,
    /// Loaded from neighbours: the first lane's address and alignment, the class, and stores of
    /// parts of it nearby.
    Load(Value, u32, AliasTag, SmallVec<[Inst; 2]>),
    /// An operation lane by lane, with the flags that all lanes have.
    Op(Opcode, u8),
}

/// A vector.
pub struct Node {
    /// Its lanes as scalars.
    pub lanes: Lanes,
    /// How it comes about.
    pub kind: Kind,
    /// The vectors that it is computed from.
    pub operands: SmallVec<[usize; 2]>,
    /// What it is computed before.
    pub before: Inst,
}

impl Node {
    /// The instructions that the vector does the work of.
    pub fn insts<'a>(&'a self, func: &'a Function) -> impl Iterator<Item = Inst> + 'a {
        let covers = matches!(self.kind, Kind::Load(..) | Kind::Op(..));
        self.lanes.iter().filter(move |_| covers).filter_map(|&lane| func.def_inst(lane))
    }
}

/// The vectors above the stores of a block; operands come before what is computed from them.
pub struct Graph<'a> {
    func: &'a Function,
    module: &'a Module,
    alias: &'a AliasAnalysis,
    dominators: &'a DominatorTree,
    /// For each store of a seed, where all of them would be.
    ends: FxHashMap<Inst, Inst>,
    /// The vectors.
    pub nodes: Vec<Node>,
    known: FxHashMap<Lanes, usize>,
    /// Positions in those blocks that were asked about.
    positions: SecondaryMap<Inst, u32>,
    numbered: FxHashSet<Block>,
}

impl<'a> Graph<'a> {
    /// An empty graph for the stores of a block.
    pub fn new(
        func: &'a Function,
        module: &'a Module,
        alias: &'a AliasAnalysis,
        dominators: &'a DominatorTree,
        seeds: &[Seed],
    ) -> Graph<'a> {
        Graph {
            func,
            module,
            alias,
            dominators,
            ends: seeds.iter().flat_map(|seed| seed.stores.iter().map(|&store| (store, seed.last))).collect(),
            nodes: Vec::new(),
            known: FxHashMap::default(),
            positions: SecondaryMap::new(),
            numbered: FxHashSet::default(),
        }
    }

    /// The vector of these scalars; `None` where they cannot be put together.
    pub fn build(&mut self, lanes: &Lanes, depth: u32) -> Option<usize> {
        if let Some(&node) = self.known.get(lanes) {
            return Some(node);
        }
        let deep = depth >= MAX_DEPTH || self.nodes.len() >= MAX_NODES;
        let vector = if deep { None } else { self.load(lanes).or_else(|| self.operation(lanes, depth)) };
        let node = match vector {
            Some(node) => node,
            None => self.leaf(lanes)?,
        };
        self.nodes.push(node);
        self.known.insert(lanes.clone(), self.nodes.len() - 1);
        Some(self.nodes.len() - 1)
    }

    /// Scalars that stay scalars. The vector is put together as soon as all of them are there,
    /// which may be outside a loop.
    fn leaf(&mut self, lanes: &Lanes) -> Option<Node> {
        let kind = if lanes.iter().all(|&v| self.func.const_bits(v).is_some()) {
            Kind::Constant
        } else if lanes.iter().all(|&v| v == lanes[0]) {
            Kind::Splat
        } else {
            Kind::Gather
        };
        let mut latest: Option<(Block, Inst)> = None;
        for inst in lanes.iter().filter_map(|&lane| self.func.def_inst(lane)) {
            let block = self.func.inst_block(inst)?;
            let is_later = match latest {
                None => true,
                Some((other, _)) if other != block => self.dominators.strictly_dominates(other, block),
                Some((_, other)) => self.position(inst) > self.position(other),
            };
            if is_later {
                latest = Some((block, inst));
            }
        }
        let before = match latest {
            None => self.func.first_non_phi(self.func.entry())?,
            Some((block, inst)) if self.func.insts[inst].opcode == Opcode::Phi => self.func.first_non_phi(block)?,
            Some((_, inst)) => self.func.next_inst(inst)?,
        };
        Some(Node { lanes: lanes.clone(), kind, operands: SmallVec::new(), before })
    }

    /// The defining instructions, if they are different ones of one opcode and block, and the last
    /// of them.
    fn definitions(&mut self, lanes: &Lanes) -> Option<(SmallVec<[Inst; 4]>, Inst)> {
        let insts: SmallVec<[Inst; 4]> = lanes.iter().map_while(|&lane| self.func.def_inst(lane)).collect();
        let first = self.func.insts[*insts.first()?];
        let block = self.func.inst_block(insts[0])?;
        let alike = |&inst: &Inst| {
            let data = self.func.insts[inst];
            data.opcode == first.opcode && data.ty == first.ty && self.func.inst_block(inst) == Some(block)
        };
        if insts.len() != lanes.len() || !is_lane(first.ty) || !insts.iter().all(alike) {
            return None;
        }
        let distinct = insts.iter().enumerate().all(|(i, inst)| !insts[..i].contains(inst));
        let last = *insts.iter().max_by_key(|&&i| self.position(i))?;
        distinct.then_some((insts, last))
    }

    fn load(&mut self, lanes: &Lanes) -> Option<Node> {
        let (insts, last) = self.definitions(lanes)?;
        let func = self.func;
        if func.insts[last].opcode != Opcode::Load || insts.iter().any(|&i| func.insts[i].is_volatile()) {
            return None;
        }
        let size = i64::from(func.insts[last].ty.store_size());
        let first = linear(func, func.operand(insts[0], 0));
        for (index, &inst) in insts.iter().enumerate().skip(1) {
            let other = linear(func, func.operand(inst, 0));
            if other.terms != first.terms || other.constant != first.constant.wrapping_add(size * index as i64) {
                return None;
            }
        }
        let address = func.operand(insts[0], 0);
        // The caller has just stored the members of a copy.
        if let Base::Value(base) = decompose(func, address).0
            && is_own_copy(func, self.module, base)
        {
            return None;
        }
        let tags = insts.iter().map(|&i| func.mem_info(i).tag);
        let tag = tags.reduce(|a, b| self.module.alias_tags.meet(a, b))?;
        let bytes = size as u32 * lanes.len() as u32;
        let at = locate(func, Access { address, size: Some(bytes.into()), tag });
        let earliest = *insts.iter().min_by_key(|&&i| self.position(i))?;
        if (self.position(last) - self.position(earliest)) as usize > MAX_DISTANCE {
            return None;
        }
        let mut stores: SmallVec<[Inst; 2]> = SmallVec::new();
        for inst in func.block_insts(func.inst_block(last)?) {
            let between = self.position(inst) > self.position(earliest) && self.position(inst) < self.position(last);
            if func.insts[inst].opcode == Opcode::Store {
                let (to, stored) = (func.operand(inst, 0), func.value_type(func.operand(inst, 1)).store_size());
                let access = Access { address: to, size: Some(stored.into()), tag: func.mem_info(inst).tag };
                let to = linear(func, to);
                let distance = to.constant.wrapping_sub(first.constant);
                let is_part = stored < bytes
                    && to.terms == first.terms
                    && distance > -i64::from(stored)
                    && distance < i64::from(bytes);
                // A store between the loads does not count if it goes after them.
                let end = self.ends.get(&inst).copied().filter(|_| is_part);
                let goes = end.is_some_and(|end| self.position(end) > self.position(last));
                if between && !goes && self.alias.may_overlap(func, self.module, &locate(func, access), &at) {
                    return None;
                }
                if is_part {
                    stores.push(inst);
                }
            } else if between && may_write_memory(func, self.module, inst) {
                return None;
            }
        }
        let kind = Kind::Load(address, func.mem_info(insts[0]).align(), tag, stores);
        Some(Node { lanes: lanes.clone(), kind, operands: SmallVec::new(), before: last })
    }

    fn operation(&mut self, lanes: &Lanes, depth: u32) -> Option<Node> {
        use Opcode::*;
        let (insts, last) = self.definitions(lanes)?;
        let func = self.func;
        let opcode = func.insts[last].opcode;
        let ty = func.insts[last].ty;
        let by = |&inst: &Inst| func.const_bits(func.operand(inst, 1));
        let by_constant = matches!(opcode, Shl | LShr | AShr | Rotl | Rotr)
            && by(&last).is_some_and(|bits| bits < ty.bits().into() && insts.iter().all(|inst| by(inst) == Some(bits)));
        let lane_wise = match opcode {
            Shl | LShr | AShr | Rotl | Rotr => by_constant,
            SiToFp => ty == Type::F32 && insts.iter().all(|&i| func.value_type(func.operand(i, 0)) == Type::I32),
            FpToSi => ty == Type::I32 && insts.iter().all(|&i| func.value_type(func.operand(i, 0)) == Type::F32),
            _ => costs::operation(opcode, ty, false, X86Features::default()).is_some(),
        };
        if !lane_wise || ty.store_size() * lanes.len() as u32 != REGISTER {
            return None;
        }
        let flags = insts.iter().map(|&i| func.insts[i].flags()).reduce(|a, b| a & b).filter(|_| !ty.is_int());
        let count = func.num_operands(last);
        let mut columns: SmallVec<[Lanes; 2]> = SmallVec::from_elem(Lanes::new(), count);
        for (index, &inst) in insts.iter().enumerate() {
            let mut operands: SmallVec<[Value; 2]> = func.operands(inst).collect();
            if index > 0 && matches!(opcode, FAdd | FMul | Add | Mul | And | Or | Xor) {
                let before: [Value; 2] = [columns[0][index - 1], columns[1][index - 1]];
                let likeness = |a: Value, b: Value| self.likeness(before[0], a) + self.likeness(before[1], b);
                if likeness(operands[1], operands[0]) > likeness(operands[0], operands[1]) {
                    operands.swap(0, 1);
                }
            }
            operands.iter().zip(&mut columns).for_each(|(&operand, column)| column.push(operand));
        }
        let mut operands = SmallVec::new();
        for column in &columns {
            operands.push(self.build(column, depth + 1)?);
        }
        Some(Node { lanes: lanes.clone(), kind: Kind::Op(opcode, flags.unwrap_or(0)), operands, before: last })
    }

    /// How well a value fits into a lane after another one.
    fn likeness(&self, before: Value, value: Value) -> u32 {
        let func = self.func;
        if before == value {
            return 3;
        }
        let (Some(a), Some(b)) = (func.def_inst(before), func.def_inst(value)) else {
            return u32::from(func.const_bits(before).is_some() && func.const_bits(value).is_some());
        };
        let (x, y) = (func.insts[a], func.insts[b]);
        if x.opcode != y.opcode || func.inst_block(a) != func.inst_block(b) {
            return 0;
        }
        if x.opcode != Opcode::Load {
            return 2;
        }
        let (p, q) = (linear(func, func.operand(a, 0)), linear(func, func.operand(b, 0)));
        let next = q.constant.wrapping_sub(p.constant) == i64::from(x.ty.store_size());
        if p.terms == q.terms && next { 4 } else { 1 }
    }

    fn position(&mut self, inst: Inst) -> u32 {
        let block = self.func.inst_block(inst).expect("instruction is placed");
        if self.numbered.insert(block) {
            for (number, inst) in self.func.block_insts(block).enumerate() {
                self.positions[inst] = number as u32;
            }
        }
        self.positions[inst]
    }
}
