//! A function: its values, instructions, constants, block layout and def-use chains.
//!
//! Tables own, 32-bit entities refer. Instructions are linked in block order and blocks in layout order, so that insertion and
//! removal cost the same anywhere. The def-use chains are threaded through operand slots; they exist only after
//! [`Function::build_uses`] and are then kept true by every method here (constants have none).

use std::collections::hash_map::Entry;

use base::Loc;
use cranelift_entity::packed_option::{PackedOption, ReservedValue};
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;
use target::options::X86Features;

use crate::asm::AsmData;
use crate::instructions::{Format, InstData, Intrinsic, MemInfo, Opcode};
use crate::{AsmId, Block, ConstId, FnAttrs, Inst, SigId, SwitchId, SymbolId, TargetsId, Type, Value};

/// A constant. Bits are zero-extended beyond the type's width.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// Integer, float (IEEE or x87 bits) or pointer (0 is null).
    Bits(u128),
    /// Address of a (not thread-local) symbol plus an offset in bytes.
    Symbol(SymbolId, i64),
    /// The bytes of a vector, lane 0 first, little-endian.
    Vector(Box<[u8]>),
}

/// Where a value comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// Result number `1` of an instruction.
    Result(Inst, u16),
    /// Parameter of the function (index into its signature).
    Param(u32),
    /// A constant.
    Const(ConstId),
}

#[derive(Copy, Clone, Debug)]
struct ValueData {
    ty: Type,
    /// 0xffff = parameter, 0xfffe = constant, else result number.
    tag: u16,
    payload: u32,
}

const TAG_PARAM: u16 = 0xffff;
const TAG_CONST: u16 = 0xfffe;

/// A table of constants larger than this is not used again by [`Function::recycled`].
const RECYCLED_CONSTANTS: usize = 1024;

#[derive(Copy, Clone, Default, Debug)]
struct InstNode {
    prev: PackedOption<Inst>,
    next: PackedOption<Inst>,
    block: PackedOption<Block>,
}

#[derive(Copy, Clone, Default, Debug)]
struct BlockNode {
    prev: PackedOption<Block>,
    next: PackedOption<Block>,
    first: PackedOption<Inst>,
    last: PackedOption<Inst>,
    in_layout: bool,
}

/// The cases of a `switch`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwitchData {
    /// Case values (zero-extended to 64 bits), ascending when compared as unsigned, without duplicates.
    pub cases: Vec<(u64, Block)>,
    /// Where all other values go.
    pub default: Block,
}

/// What a `call` needs beyond its operands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CallInfo {
    /// The signature of this call. For variadic calls it lists the actual arguments.
    pub sig: SigId,
    /// Attributes of the callee known at this call (FnAttrs bits).
    pub attrs: crate::FnAttrs,
    /// One more than the index in [`crate::Module::call_notes`] of what is to be said if the call survives; 0 for nothing.
    pub note: u32,
}

/// A slot that holds a value operand: bit 31 set = value-pool index, clear = instruction * 3 + field.
type Slot = u32;
const POOL_SLOT: u32 = 1 << 31;
const NO_SLOT: u32 = u32::MAX;

#[derive(Copy, Clone, Debug)]
struct UseNode {
    prev: Slot,
    next: Slot,
}

impl Default for UseNode {
    fn default() -> UseNode {
        UseNode { prev: NO_SLOT, next: NO_SLOT }
    }
}

#[derive(Clone, Default, Debug)]
struct UseLists {
    valid: bool,
    /// First slot of each value's chain, plus one (0: none).
    heads: Vec<u32>,
    inline: Vec<UseNode>,
    pool: Vec<UseNode>,
    pool_owner: Vec<u32>,
}

/// A source variable kept in an alloca, for debug information and remarks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariableName {
    /// The alloca.
    pub alloca: Inst,
    /// Its name in the source.
    pub name: Box<str>,
    /// Where it is declared.
    pub declared: Loc,
    /// A variable without an initial value, whose reads are worth checking for one: scalar, not volatile, in no chosen register.
    pub checked: bool,
}

/// A function body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its symbol in the module.
    pub symbol: SymbolId,
    /// Its ABI-lowered signature.
    pub sig: SigId,
    /// Instruction records.
    pub insts: PrimaryMap<Inst, InstData>,
    /// Switch cases.
    pub switches: PrimaryMap<SwitchId, SwitchData>,
    /// Inline assembly statements.
    pub asms: PrimaryMap<AsmId, AsmData>,
    /// Targets of indirect branches.
    pub targets: PrimaryMap<TargetsId, Vec<Block>>,
    /// Blocks whose address is taken, by label number; `BlockAddr` and data relocations use the number.
    pub labels: Vec<Block>,
    /// Shuffle masks: lane numbers into the concatenated operands, `u32::MAX` = any.
    pub shuffle_masks: Vec<Box<[u32]>>,
    /// Per-call facts.
    pub calls: Vec<CallInfo>,
    /// Names of variables in allocas, in source order.
    pub variables: Vec<VariableName>,
    /// What `-g` says of it, as lowered.
    pub debug: Option<Box<crate::debug::FunctionDebug>>,
    /// Indices of `restrict` parameters, ascending: objects that are written through pointers based on one of them are reached through no
    /// other pointer while the function runs (C17 6.7.3.1).
    pub restrict_params: Vec<u32>,
    /// Instruction-set extensions it may use, if they are not the translation unit's (`target` attributes).
    pub features: Option<X86Features>,
    /// Whether it calls a returns-twice function.
    pub calls_setjmp: bool,
    /// Alignment of the frame beyond 16 is found from allocas; this flag records a dynamic alloca.
    pub has_dynamic_alloca: bool,
    /// Location of the definition.
    pub loc: Loc,
    /// Source locations of instructions.
    pub inst_locs: PrimaryMap<Inst, Loc>,
    values: PrimaryMap<Value, ValueData>,
    params: Vec<Value>,
    constants: PrimaryMap<ConstId, Constant>,
    const_values: FxHashMap<(Type, Constant), Value>,
    results: PrimaryMap<Inst, (PackedOption<Value>, u16)>,
    value_pool: Vec<Value>,
    block_pool: Vec<Block>,
    inst_nodes: PrimaryMap<Inst, InstNode>,
    block_nodes: PrimaryMap<Block, BlockNode>,
    first_block: PackedOption<Block>,
    last_block: PackedOption<Block>,
    uses: UseLists,
}

impl Function {
    /// An empty function with parameters of the given types.
    pub fn new(symbol: SymbolId, sig: SigId, param_types: impl IntoIterator<Item = Type>) -> Function {
        let mut func = Function::without_params(symbol, sig);
        func.add_params(param_types);
        func
    }

    /// [`Function::new`] in the memory of a function that is done with.
    pub fn recycled(
        old: Option<Function>,
        symbol: SymbolId,
        sig: SigId,
        param_types: impl IntoIterator<Item = Type>,
    ) -> Function {
        let mut func = Function::without_params(symbol, sig);
        if let Some(mut old) = old {
            macro_rules! take {
                ($($table:ident)*) => { $( old.$table.clear(); func.$table = old.$table; )* };
            }
            take!(insts inst_locs values params constants results value_pool block_pool inst_nodes block_nodes calls variables);
            // Clearing a hash table costs its capacity, not its contents.
            if old.const_values.capacity() <= RECYCLED_CONSTANTS {
                old.const_values.clear();
                func.const_values = old.const_values;
            }
        }
        func.add_params(param_types);
        func
    }

    fn without_params(symbol: SymbolId, sig: SigId) -> Function {
        Function {
            symbol,
            sig,
            insts: PrimaryMap::new(),
            switches: PrimaryMap::new(),
            asms: PrimaryMap::new(),
            targets: PrimaryMap::new(),
            labels: Vec::new(),
            shuffle_masks: Vec::new(),
            calls: Vec::new(),
            variables: Vec::new(),
            debug: None,
            restrict_params: Vec::new(),
            features: None,
            calls_setjmp: false,
            has_dynamic_alloca: false,
            loc: Loc::NONE,
            inst_locs: PrimaryMap::new(),
            values: PrimaryMap::new(),
            params: Vec::new(),
            constants: PrimaryMap::new(),
            const_values: FxHashMap::default(),
            results: PrimaryMap::new(),
            value_pool: Vec::new(),
            block_pool: Vec::new(),
            inst_nodes: PrimaryMap::new(),
            block_nodes: PrimaryMap::new(),
            first_block: None.into(),
            last_block: None.into(),
            uses: UseLists::default(),
        }
    }

    fn add_params(&mut self, types: impl IntoIterator<Item = Type>) {
        types.into_iter().for_each(|ty| {
            self.append_param(ty);
        });
    }

    // ---- values -----------------------------------------------------------------------------------------------------------

    /// The parameters, in signature order.
    pub fn params(&self) -> &[Value] {
        &self.params
    }

    /// Appends a parameter (for passes that change signatures).
    pub fn append_param(&mut self, ty: Type) -> Value {
        let value = self.values.push(ValueData { ty, tag: TAG_PARAM, payload: self.params.len() as u32 });
        self.params.push(value);
        value
    }

    /// How many values exist, for dense side tables.
    pub fn num_values(&self) -> usize {
        self.values.len()
    }

    /// How many instructions exist (removed ones included), for dense side tables.
    pub fn num_insts(&self) -> usize {
        self.insts.len()
    }

    /// How many blocks exist (removed ones included), for dense side tables.
    pub fn num_blocks(&self) -> usize {
        self.block_nodes.len()
    }

    /// The type of a value.
    pub fn value_type(&self, value: Value) -> Type {
        self.values[value].ty
    }

    /// Where a value comes from.
    pub fn value_def(&self, value: Value) -> ValueDef {
        let data = self.values[value];
        match data.tag {
            TAG_PARAM => ValueDef::Param(data.payload),
            TAG_CONST => ValueDef::Const(ConstId::from_u32(data.payload)),
            number => ValueDef::Result(Inst::from_u32(data.payload), number),
        }
    }

    /// The instruction that defines a value, if one does.
    pub fn def_inst(&self, value: Value) -> Option<Inst> {
        let data = self.values[value];
        (data.tag < TAG_CONST).then(|| Inst::from_u32(data.payload))
    }

    /// The constant that a value is, if it is one.
    pub fn constant(&self, value: Value) -> Option<&Constant> {
        let data = self.values[value];
        (data.tag == TAG_CONST).then(|| &self.constants[ConstId::from_u32(data.payload)])
    }

    /// Whether a value is a constant.
    pub fn is_constant(&self, value: Value) -> bool {
        self.values[value].tag == TAG_CONST
    }

    /// The constant bits of an integer, float or null constant.
    pub fn const_bits(&self, value: Value) -> Option<u128> {
        match self.constant(value) {
            Some(Constant::Bits(bits)) => Some(*bits),
            _ => None,
        }
    }

    /// An integer constant, sign-extended from its type, if it fits 64 bits.
    pub fn const_i64(&self, value: Value) -> Option<i64> {
        let bits = self.const_bits(value)?;
        let ty = self.value_type(value);
        if !(ty.is_int() || ty.is_ptr()) {
            return None;
        }
        let width = ty.bits();
        let signed = ((bits << (128 - width)) as i128) >> (128 - width);
        i64::try_from(signed).ok()
    }

    /// The symbol and offset of an address constant.
    pub fn const_symbol(&self, value: Value) -> Option<(SymbolId, i64)> {
        match self.constant(value) {
            Some(&Constant::Symbol(symbol, offset)) => Some((symbol, offset)),
            _ => None,
        }
    }

    /// The value of a constant; equal constants of one type share a value. Bits as a constant of a vector type are those of each lane.
    pub fn make_const(&mut self, ty: Type, constant: Constant) -> Value {
        let constant = match constant {
            Constant::Bits(bits) if ty.is_vector() => {
                let lane = (bits & ty.lane().mask()).to_le_bytes();
                let size = ty.lane().store_size() as usize;
                Constant::Vector(lane[..size].repeat(ty.lanes() as usize).into())
            }
            other => other,
        };
        match self.const_values.entry((ty, constant)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let id = self.constants.push(new.key().1.clone());
                *new.insert(self.values.push(ValueData { ty, tag: TAG_CONST, payload: id.as_u32() }))
            }
        }
    }

    /// An integer (or null-pointer) constant, truncated to the type's width.
    pub fn iconst(&mut self, ty: Type, value: i64) -> Value {
        self.make_const(ty, Constant::Bits(value as i128 as u128 & ty.mask()))
    }

    /// A constant of raw bits, truncated to the type's width.
    pub fn bits_const(&mut self, ty: Type, bits: u128) -> Value {
        self.make_const(ty, Constant::Bits(bits & ty.mask()))
    }

    /// The address of `symbol` plus `offset` bytes.
    pub fn symbol_const(&mut self, symbol: SymbolId, offset: i64) -> Value {
        self.make_const(Type::PTR, Constant::Symbol(symbol, offset))
    }

    // ---- instructions: results and operands -------------------------------------------------------------------------------

    /// The first result, if it has one.
    pub fn result(&self, inst: Inst) -> Option<Value> {
        self.results[inst].0.expand()
    }

    /// The first result of an instruction that has one.
    pub fn first_result(&self, inst: Inst) -> Value {
        self.results[inst].0.expand().unwrap_or_else(|| panic!("{inst} has no result"))
    }

    /// All results (contiguous values).
    pub fn results(&self, inst: Inst) -> impl ExactSizeIterator<Item = Value> + use<> {
        let (first, count) = self.results[inst];
        let start = first.expand().map_or(0, |v| v.as_u32());
        (0..count as u32).map(move |i| Value::from_u32(start + i))
    }

    /// The value operands, in order. For phis these are the incoming values; for calls the callee comes first.
    pub fn operands(&self, inst: Inst) -> impl ExactSizeIterator<Item = Value> + '_ {
        let count = self.num_operands(inst);
        (0..count).map(move |i| self.operand(inst, i))
    }

    /// How many value operands.
    pub fn num_operands(&self, inst: Inst) -> usize {
        let data = &self.insts[inst];
        match data.opcode.format() {
            Format::Nullary => 0,
            Format::Unary => 1,
            Format::Binary => 2,
            Format::Ternary => 3,
            Format::List => data.b as usize,
        }
    }

    /// Value operand number `index`.
    pub fn operand(&self, inst: Inst, index: usize) -> Value {
        let data = &self.insts[inst];
        if data.opcode.format() == Format::List {
            debug_assert!(index < data.b as usize);
            return self.value_pool[data.a as usize + index];
        }
        Value::from_u32([data.a, data.b, data.c][index])
    }

    /// The operands of a list-format instruction as a slice.
    pub fn list(&self, inst: Inst) -> &[Value] {
        let data = &self.insts[inst];
        debug_assert!(data.opcode.format() == Format::List);
        &self.value_pool[data.a as usize..(data.a + data.b) as usize]
    }

    /// Replaces value operand number `index`.
    pub fn set_operand(&mut self, inst: Inst, index: usize, value: Value) {
        let slot = self.slot(inst, index);
        if self.uses.valid {
            self.unlink_use(slot);
        }
        self.write_slot(slot, value);
        if self.uses.valid {
            self.link_use(slot, value, inst);
        }
    }

    /// The memory operand of a load or store.
    pub fn mem_info(&self, inst: Inst) -> MemInfo {
        debug_assert!(matches!(self.insts[inst].opcode, Opcode::Load | Opcode::Store));
        MemInfo::unpack(self.insts[inst].c)
    }

    /// Size in bytes and alignment in bytes of an alloca.
    pub fn alloca_info(&self, inst: Inst) -> (u64, u32) {
        let data = &self.insts[inst];
        debug_assert!(data.opcode == Opcode::Alloca);
        (data.b as u64 | (data.c as u64) << 32, 1 << data.a)
    }

    /// The incoming (value, predecessor) pairs of a phi.
    pub fn phi_entries(&self, inst: Inst) -> impl ExactSizeIterator<Item = (Value, Block)> + '_ {
        let data = &self.insts[inst];
        debug_assert!(data.opcode == Opcode::Phi);
        let (start, count, blocks) = (data.a as usize, data.b as usize, data.c as usize);
        (0..count).map(move |i| (self.value_pool[start + i], self.block_pool[blocks + i]))
    }

    /// The predecessor block of phi entry `index`.
    pub fn phi_block(&self, inst: Inst, index: usize) -> Block {
        self.block_pool[self.insts[inst].c as usize + index]
    }

    /// Renames the predecessor block of phi entry `index`.
    pub fn set_phi_block(&mut self, inst: Inst, index: usize, block: Block) {
        let at = self.insts[inst].c as usize + index;
        self.block_pool[at] = block;
    }

    /// The incoming value of a phi from `pred`, if there is an entry.
    pub fn phi_value(&self, inst: Inst, pred: Block) -> Option<Value> {
        self.phi_entries(inst).find(|&(_, b)| b == pred).map(|(v, _)| v)
    }

    /// Adds an entry to a phi. A list that has to move takes room for as many entries again with it, so that filling phis by turns is
    /// linear; free places hold the reserved value.
    pub fn phi_push(&mut self, inst: Inst, value: Value, pred: Block) {
        let data = self.insts[inst];
        let (start, count, blocks) = (data.a as usize, data.b as usize, data.c as usize);
        let is_free = self.value_pool.get(start + count).is_some_and(|v| v.is_reserved_value())
            && self.block_pool.get(blocks + count).is_some_and(|b| b.is_reserved_value());
        if is_free {
            self.value_pool[start + count] = value;
            self.block_pool[blocks + count] = pred;
            self.insts[inst].b += 1;
            if self.uses.valid {
                self.link_use(POOL_SLOT | (start + count) as u32, value, inst);
            }
            return;
        }
        let at_end = start + count == self.value_pool.len() && blocks + count == self.block_pool.len();
        if !at_end {
            let new_start = self.value_pool.len();
            let new_blocks = self.block_pool.len();
            for i in 0..count {
                let v = self.value_pool[start + i];
                if self.uses.valid {
                    self.unlink_use(POOL_SLOT | (start + i) as u32);
                }
                self.value_pool.push(v);
                if self.uses.valid {
                    self.link_use(POOL_SLOT | (new_start + i) as u32, v, inst);
                }
                self.block_pool.push(self.block_pool[blocks + i]);
            }
            self.insts[inst].a = new_start as u32;
            self.insts[inst].c = new_blocks as u32;
        }
        self.value_pool.push(value);
        self.block_pool.push(pred);
        self.insts[inst].b += 1;
        if self.uses.valid {
            self.link_use(POOL_SLOT | (self.value_pool.len() - 1) as u32, value, inst);
        }
        if !at_end {
            self.value_pool.extend(std::iter::repeat_n(Value::reserved_value(), count));
            self.block_pool.extend(std::iter::repeat_n(Block::reserved_value(), count));
        }
    }

    /// Places in the pool of operand lists, free ones included.
    pub fn operand_pool_len(&self) -> usize {
        self.value_pool.len()
    }

    /// Removes phi entry `index` (the last entry takes its place).
    pub fn phi_swap_remove(&mut self, inst: Inst, index: usize) {
        let data = self.insts[inst];
        let last = data.b as usize - 1;
        let last_value = self.value_pool[data.a as usize + last];
        let last_block = self.block_pool[data.c as usize + last];
        self.set_operand(inst, index, last_value);
        self.set_phi_block(inst, index, last_block);
        if self.uses.valid {
            self.unlink_use(POOL_SLOT | (data.a as usize + last) as u32);
        }
        self.value_pool[data.a as usize + last] = Value::reserved_value();
        self.block_pool[data.c as usize + last] = Block::reserved_value();
        self.insts[inst].b -= 1;
    }

    /// Whether it is a call that may return more than once: setjmp, vfork, `__builtin_setjmp`. What a variable holds at the second return is
    /// not what it held at the first, even if nothing else knows its address.
    pub fn may_return_again(&self, inst: Inst) -> bool {
        match self.insts[inst].opcode {
            Opcode::Call => self.call_info(inst).attrs.has(FnAttrs::RETURNS_TWICE),
            Opcode::Intrinsic => Intrinsic::from_index(self.insts[inst].c) == Intrinsic::SetJmp,
            _ => false,
        }
    }

    /// Says what a call is to be diagnosed with; see [`CallInfo::note`].
    pub fn set_call_note(&mut self, inst: Inst, note: u32) {
        let index = self.insts[inst].c as usize;
        self.calls[index].note = note;
    }

    /// The facts of a call.
    pub fn call_info(&self, inst: Inst) -> CallInfo {
        debug_assert!(self.insts[inst].opcode == Opcode::Call);
        self.calls[self.insts[inst].c as usize]
    }

    /// Appends values to the pool and returns the start, for list-format instruction records.
    pub fn push_list(&mut self, values: &[Value]) -> u32 {
        let start = self.value_pool.len() as u32;
        self.value_pool.extend_from_slice(values);
        start
    }

    /// Appends blocks to the block pool (phi predecessors) and returns the start.
    pub fn push_block_list(&mut self, blocks: &[Block]) -> u32 {
        let start = self.block_pool.len() as u32;
        self.block_pool.extend_from_slice(blocks);
        start
    }

    // ---- making and placing instructions ----------------------------------------------------------------------------------

    /// Makes an instruction with one result of `data.ty` (none if void), not yet placed.
    pub fn make_inst(&mut self, data: InstData, loc: Loc) -> Inst {
        let inst = self.push_inst(data, loc);
        if !data.ty.is_void() {
            self.attach_results(inst, &[data.ty]);
        }
        if self.uses.valid {
            self.link_operands(inst);
        }
        inst
    }

    /// Makes an instruction with several results, not yet placed. `data.ty` must be the first result's type, or void.
    pub fn make_inst_multi(&mut self, data: InstData, result_types: &[Type], loc: Loc) -> Inst {
        debug_assert!(data.ty == result_types.first().copied().unwrap_or(Type::VOID));
        let inst = self.push_inst(data, loc);
        self.attach_results(inst, result_types);
        if self.uses.valid {
            self.link_operands(inst);
        }
        inst
    }

    /// A record in each of the tables that have one for every instruction.
    fn push_inst(&mut self, data: InstData, loc: Loc) -> Inst {
        self.inst_locs.push(loc);
        self.results.push((None.into(), 0));
        self.inst_nodes.push(InstNode::default());
        self.insts.push(data)
    }

    fn attach_results(&mut self, inst: Inst, types: &[Type]) {
        for (number, &ty) in types.iter().enumerate() {
            let value = self.values.push(ValueData { ty, tag: number as u16, payload: inst.as_u32() });
            if number == 0 {
                self.results[inst] = (value.into(), types.len() as u16);
            }
        }
    }

    /// Turns `inst` into another operation in place; its results stay and must have the types the new operation gives.
    pub fn replace_inst(&mut self, inst: Inst, data: InstData) {
        if self.uses.valid {
            self.unlink_operands(inst);
        }
        self.insts[inst] = data;
        if self.uses.valid {
            self.link_operands(inst);
        }
    }

    /// Places an instruction at the end of a block.
    pub fn append_inst(&mut self, block: Block, inst: Inst) {
        if self.debug.is_some() {
            self.claim_debug_values(block, inst);
        }
        let last = self.block_nodes[block].last;
        self.inst_nodes[inst] = InstNode { prev: last, next: None.into(), block: block.into() };
        match last.expand() {
            Some(last) => self.inst_nodes[last].next = inst.into(),
            None => self.block_nodes[block].first = inst.into(),
        }
        self.block_nodes[block].last = inst.into();
    }

    /// Places an instruction before another placed one.
    pub fn insert_before(&mut self, before: Inst, inst: Inst) {
        let node = self.inst_nodes[before];
        let block = node.block.expect("insertion point is placed");
        self.inst_nodes[inst] = InstNode { prev: node.prev, next: before.into(), block: block.into() };
        self.inst_nodes[before].prev = inst.into();
        match node.prev.expand() {
            Some(prev) => self.inst_nodes[prev].next = inst.into(),
            None => self.block_nodes[block].first = inst.into(),
        }
    }

    /// Places an instruction after another placed one.
    pub fn insert_after(&mut self, after: Inst, inst: Inst) {
        match self.inst_nodes[after].next.expand() {
            Some(next) => self.insert_before(next, inst),
            None => self.append_inst(self.inst_nodes[after].block.expect("insertion point is placed"), inst),
        }
    }

    /// Places an instruction at the start of a block (before its phis).
    pub fn prepend_inst(&mut self, block: Block, inst: Inst) {
        match self.block_nodes[block].first.expand() {
            Some(first) => self.insert_before(first, inst),
            None => self.append_inst(block, inst),
        }
    }

    /// Takes an instruction out of its block; it may be placed again.
    pub fn unplace_inst(&mut self, inst: Inst) {
        if self.debug.is_some() {
            self.leave_debug_values(inst);
        }
        let node = std::mem::take(&mut self.inst_nodes[inst]);
        let block = node.block.expect("instruction is placed");
        match node.prev.expand() {
            Some(prev) => self.inst_nodes[prev].next = node.next,
            None => self.block_nodes[block].first = node.next,
        }
        match node.next.expand() {
            Some(next) => self.inst_nodes[next].prev = node.prev,
            None => self.block_nodes[block].last = node.prev,
        }
    }

    /// Removes an instruction for good: out of its block and out of its operands' chains. Its results must be unused.
    pub fn remove_inst(&mut self, inst: Inst) {
        if self.inst_nodes[inst].block.is_some() {
            self.unplace_inst(inst);
        }
        if self.debug.is_some() {
            self.salvage_debug_values(inst);
        }
        if self.uses.valid {
            self.unlink_operands(inst);
        }
        self.insts[inst] = InstData { opcode: Opcode::Unreachable, flags: 0, ty: Type::VOID, a: 0, b: 0, c: 0 };
    }

    /// The block an instruction is placed in.
    pub fn inst_block(&self, inst: Inst) -> Option<Block> {
        self.inst_nodes[inst].block.expand()
    }

    /// The instruction after this one in its block.
    pub fn next_inst(&self, inst: Inst) -> Option<Inst> {
        self.inst_nodes[inst].next.expand()
    }

    /// The instruction before this one in its block.
    pub fn prev_inst(&self, inst: Inst) -> Option<Inst> {
        self.inst_nodes[inst].prev.expand()
    }

    // ---- blocks -----------------------------------------------------------------------------------------------------------

    /// Makes a block, not yet in the layout.
    pub fn make_block(&mut self) -> Block {
        self.block_nodes.push(BlockNode::default())
    }

    /// Puts a block at the end of the layout. The first one is the entry.
    pub fn append_block(&mut self, block: Block) {
        let last = self.last_block;
        let node = &mut self.block_nodes[block];
        debug_assert!(!node.in_layout);
        node.prev = last;
        node.next = None.into();
        node.in_layout = true;
        match last.expand() {
            Some(last) => self.block_nodes[last].next = block.into(),
            None => self.first_block = block.into(),
        }
        self.last_block = block.into();
    }

    /// Puts a block into the layout right after another.
    pub fn insert_block_after(&mut self, after: Block, block: Block) {
        let next = self.block_nodes[after].next;
        let node = &mut self.block_nodes[block];
        debug_assert!(!node.in_layout);
        node.prev = after.into();
        node.next = next;
        node.in_layout = true;
        self.block_nodes[after].next = block.into();
        match next.expand() {
            Some(next) => self.block_nodes[next].prev = block.into(),
            None => self.last_block = block.into(),
        }
    }

    /// Takes a block out of the layout; its instructions stay in it.
    pub fn unplace_block(&mut self, block: Block) {
        let node = self.block_nodes[block];
        debug_assert!(node.in_layout);
        match node.prev.expand() {
            Some(prev) => self.block_nodes[prev].next = node.next,
            None => self.first_block = node.next,
        }
        match node.next.expand() {
            Some(next) => self.block_nodes[next].prev = node.prev,
            None => self.last_block = node.prev,
        }
        let node = &mut self.block_nodes[block];
        node.prev = None.into();
        node.next = None.into();
        node.in_layout = false;
    }

    /// Removes a block with all its instructions. Nothing may refer to it or to their results.
    pub fn remove_block(&mut self, block: Block) {
        while let Some(inst) = self.block_nodes[block].last.expand() {
            self.remove_inst(inst);
        }
        if self.block_nodes[block].in_layout {
            self.unplace_block(block);
        }
        if self.debug.is_some() {
            self.drop_debug_values(block);
        }
    }

    /// Moves `first` and everything after it in its block to the end of `to`, with the records of variables.
    pub fn split_insts(&mut self, first: Inst, to: Block) {
        let mut next = Some(first);
        while let Some(inst) = next {
            next = self.next_inst(inst);
            let records = self.take_debug_values(inst);
            self.unplace_inst(inst);
            self.append_inst(to, inst);
            self.put_debug_values(inst, records);
        }
    }

    /// The entry block.
    pub fn entry(&self) -> Block {
        self.first_block.expand().expect("function has a block")
    }

    /// The blocks in layout order.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        std::iter::successors(self.first_block.expand(), |&b| self.block_nodes[b].next.expand())
    }

    /// Whether the block is in the layout.
    pub fn block_in_layout(&self, block: Block) -> bool {
        self.block_nodes[block].in_layout
    }

    /// The block after this one in the layout.
    pub fn next_block(&self, block: Block) -> Option<Block> {
        self.block_nodes[block].next.expand()
    }

    /// The block before this one in the layout.
    pub fn prev_block(&self, block: Block) -> Option<Block> {
        self.block_nodes[block].prev.expand()
    }

    /// The instructions of a block, in order.
    pub fn block_insts(&self, block: Block) -> impl Iterator<Item = Inst> + '_ {
        std::iter::successors(self.block_nodes[block].first.expand(), |&i| self.inst_nodes[i].next.expand())
    }

    /// The instructions of a block, last first.
    pub fn block_insts_rev(&self, block: Block) -> impl Iterator<Item = Inst> + '_ {
        std::iter::successors(self.block_nodes[block].last.expand(), |&i| self.inst_nodes[i].prev.expand())
    }

    /// The first instruction of a block.
    pub fn first_inst(&self, block: Block) -> Option<Inst> {
        self.block_nodes[block].first.expand()
    }

    /// The last instruction of a block, its terminator once it is complete.
    pub fn last_inst(&self, block: Block) -> Option<Inst> {
        self.block_nodes[block].last.expand()
    }

    /// The terminator of a complete block.
    pub fn terminator(&self, block: Block) -> Inst {
        self.last_inst(block)
            .filter(|&i| self.insts[i].opcode.is_terminator())
            .unwrap_or_else(|| panic!("{block} has no terminator"))
    }

    /// The phis of a block.
    pub fn phis(&self, block: Block) -> impl Iterator<Item = Inst> + '_ {
        self.block_insts(block).take_while(|&i| self.insts[i].opcode == Opcode::Phi)
    }

    /// The first instruction that is not a phi.
    pub fn first_non_phi(&self, block: Block) -> Option<Inst> {
        self.block_insts(block).find(|&i| self.insts[i].opcode != Opcode::Phi)
    }

    /// Calls `visit` with every target of a terminator, in order; a target that occurs twice is visited twice.
    pub fn for_each_target(&self, terminator: Inst, mut visit: impl FnMut(Block)) {
        let data = &self.insts[terminator];
        match data.opcode {
            Opcode::Br => visit(Block::from_u32(data.c)),
            Opcode::CondBr => {
                visit(Block::from_u32(data.b));
                visit(Block::from_u32(data.c));
            }
            Opcode::Switch => {
                let switch = &self.switches[SwitchId::from_u32(data.c)];
                switch.cases.iter().for_each(|&(_, b)| visit(b));
                visit(switch.default);
            }
            Opcode::IndirectBr => self.targets[TargetsId::from_u32(data.c)].iter().for_each(|&b| visit(b)),
            Opcode::AsmBr => {
                let asm = &self.asms[AsmId::from_u32(data.c)];
                asm.fallthrough.into_iter().for_each(&mut visit);
                asm.labels.iter().for_each(|&b| visit(b));
            }
            _ => {}
        }
    }

    /// Replaces every target `t` of a terminator by `map(t)`. Phis are the caller's business.
    pub fn map_targets(&mut self, terminator: Inst, mut map: impl FnMut(Block) -> Block) {
        let data = &mut self.insts[terminator];
        match data.opcode {
            Opcode::Br => data.c = map(Block::from_u32(data.c)).as_u32(),
            Opcode::CondBr => {
                data.b = map(Block::from_u32(data.b)).as_u32();
                data.c = map(Block::from_u32(data.c)).as_u32();
            }
            Opcode::Switch => {
                let switch = &mut self.switches[SwitchId::from_u32(data.c)];
                switch.cases.iter_mut().for_each(|(_, b)| *b = map(*b));
                switch.default = map(switch.default);
            }
            Opcode::IndirectBr => {
                self.targets[TargetsId::from_u32(data.c)].iter_mut().for_each(|b| *b = map(*b));
            }
            Opcode::AsmBr => {
                let asm = &mut self.asms[AsmId::from_u32(data.c)];
                asm.fallthrough.iter_mut().for_each(|b| *b = map(*b));
                asm.labels.iter_mut().for_each(|b| *b = map(*b));
            }
            _ => {}
        }
    }

    // ---- def-use chains ---------------------------------------------------------------------------------------------------

    /// Builds the def-use chains; from here on every method keeps them true.
    pub fn build_uses(&mut self) {
        self.uses = UseLists { valid: true, ..UseLists::default() };
        let mut block = self.first_block.expand();
        while let Some(b) = block {
            let mut inst = self.first_inst(b);
            while let Some(i) = inst {
                self.link_operands(i);
                inst = self.next_inst(i);
            }
            block = self.next_block(b);
        }
    }

    /// Whether the chains exist.
    pub fn has_use_lists(&self) -> bool {
        self.uses.valid
    }

    /// The uses of a value as (instruction, operand index). Constants have none.
    pub fn uses(&self, value: Value) -> impl Iterator<Item = (Inst, usize)> + '_ {
        debug_assert!(self.uses.valid);
        let first = self.use_head(value);
        std::iter::successors((first != NO_SLOT).then_some(first), |&slot| {
            let next = self.use_node(slot).next;
            (next != NO_SLOT).then_some(next)
        })
        .map(|slot| self.slot_use(slot))
    }

    /// Whether any instruction uses the value (constants: never known, false).
    pub fn has_uses(&self, value: Value) -> bool {
        self.use_head(value) != NO_SLOT
    }

    /// Whether exactly one operand uses the value.
    pub fn has_one_use(&self, value: Value) -> bool {
        let first = self.use_head(value);
        first != NO_SLOT && self.use_node(first).next == NO_SLOT
    }

    /// Replaces every use of `old` (not a constant) by `new`.
    pub fn replace_all_uses(&mut self, old: Value, new: Value) {
        debug_assert!(self.uses.valid && old != new && self.constant(old).is_none());
        if self.debug.is_some() {
            self.forward_debug_values(old, new);
        }
        loop {
            let slot = self.use_head(old);
            if slot == NO_SLOT {
                return;
            }
            let (inst, _) = self.slot_use(slot);
            self.unlink_use(slot);
            self.write_slot(slot, new);
            self.link_use(slot, new, inst);
        }
    }

    fn slot(&self, inst: Inst, index: usize) -> Slot {
        let data = &self.insts[inst];
        if data.opcode.format() == Format::List {
            POOL_SLOT | (data.a + index as u32)
        } else {
            inst.as_u32() * 3 + index as u32
        }
    }

    fn slot_use(&self, slot: Slot) -> (Inst, usize) {
        if slot & POOL_SLOT != 0 {
            let at = slot & !POOL_SLOT;
            let inst = Inst::from_u32(self.uses.pool_owner[at as usize]);
            (inst, (at - self.insts[inst].a) as usize)
        } else {
            (Inst::from_u32(slot / 3), (slot % 3) as usize)
        }
    }

    fn read_slot(&self, slot: Slot) -> Value {
        if slot & POOL_SLOT != 0 {
            return self.value_pool[(slot & !POOL_SLOT) as usize];
        }
        let data = &self.insts[Inst::from_u32(slot / 3)];
        Value::from_u32([data.a, data.b, data.c][(slot % 3) as usize])
    }

    fn write_slot(&mut self, slot: Slot, value: Value) {
        if slot & POOL_SLOT != 0 {
            self.value_pool[(slot & !POOL_SLOT) as usize] = value;
            return;
        }
        let data = &mut self.insts[Inst::from_u32(slot / 3)];
        match slot % 3 {
            0 => data.a = value.as_u32(),
            1 => data.b = value.as_u32(),
            _ => data.c = value.as_u32(),
        }
    }

    fn use_head(&self, value: Value) -> Slot {
        self.uses.heads.get(value.index()).map_or(NO_SLOT, |&h| h.wrapping_sub(1))
    }

    fn use_node(&self, slot: Slot) -> UseNode {
        if slot & POOL_SLOT != 0 {
            self.uses.pool[(slot & !POOL_SLOT) as usize]
        } else {
            self.uses.inline[slot as usize]
        }
    }

    fn use_node_mut(&mut self, slot: Slot) -> &mut UseNode {
        let (table, at) = if slot & POOL_SLOT != 0 {
            (&mut self.uses.pool, (slot & !POOL_SLOT) as usize)
        } else {
            (&mut self.uses.inline, slot as usize)
        };
        if at >= table.len() {
            table.resize(at + 1, UseNode::default());
        }
        &mut table[at]
    }

    fn link_use(&mut self, slot: Slot, value: Value, inst: Inst) {
        if self.values[value].tag == TAG_CONST {
            return;
        }
        if slot & POOL_SLOT != 0 {
            let at = (slot & !POOL_SLOT) as usize;
            if at >= self.uses.pool_owner.len() {
                self.uses.pool_owner.resize(at + 1, u32::MAX);
            }
            self.uses.pool_owner[at] = inst.as_u32();
        }
        if value.index() >= self.uses.heads.len() {
            self.uses.heads.resize(self.values.len(), 0);
        }
        let head = self.use_head(value);
        *self.use_node_mut(slot) = UseNode { prev: NO_SLOT, next: head };
        if head != NO_SLOT {
            self.use_node_mut(head).prev = slot;
        }
        self.uses.heads[value.index()] = slot.wrapping_add(1);
    }

    fn unlink_use(&mut self, slot: Slot) {
        let value = self.read_slot(slot);
        if self.values[value].tag == TAG_CONST {
            return;
        }
        let node = self.use_node(slot);
        if node.prev == NO_SLOT {
            self.uses.heads[value.index()] = node.next.wrapping_add(1);
        } else {
            self.use_node_mut(node.prev).next = node.next;
        }
        if node.next != NO_SLOT {
            self.use_node_mut(node.next).prev = node.prev;
        }
    }

    fn link_operands(&mut self, inst: Inst) {
        for index in 0..self.num_operands(inst) {
            let slot = self.slot(inst, index);
            let value = self.read_slot(slot);
            self.link_use(slot, value, inst);
        }
    }

    fn unlink_operands(&mut self, inst: Inst) {
        for index in 0..self.num_operands(inst) {
            let slot = self.slot(inst, index);
            self.unlink_use(slot);
        }
    }
}
