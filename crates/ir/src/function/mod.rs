//! A function: its values, instructions, constants, block layout and def-use chains.
//!
//! Tables own, 32-bit entities refer. Instructions are linked in block order and blocks in layout
//! order, so that insertion and removal cost the same anywhere. The def-use chains are threaded
//! through operand slots; they exist only after [`Function::build_uses`] and are then kept true by
//! every method here (constants have none).

mod blocks;
mod compact;
mod edges;
mod instructions;
mod operands;
mod records;
mod uses;

use std::collections::hash_map::Entry;
use std::ops::Index;

use base::Loc;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use platform::options::X86Features;
use rustc_hash::FxHashMap;

use self::uses::UseLists;
use crate::asm::AsmData;
use crate::instructions::InstData;
use crate::{AsmId, Block, ConstId, Inst, SigId, SwitchId, SymbolId, TargetsId, Type, Value};

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
    /// Case values (zero-extended to 64 bits), ascending when compared as unsigned, without
    /// duplicates.
    pub cases: Vec<(u64, Block)>,
    /// Where all other values go.
    pub default: Block,
    /// How often earlier runs took each case, then the default; empty if that is not known.
    pub weights: Vec<u32>,
}

impl SwitchData {
    /// Keeps the cases that `wanted` says; the others are the default's from now on, with their
    /// weights.
    pub fn retain(&mut self, mut wanted: impl FnMut(u64, Block) -> bool) {
        let keep: Vec<bool> = self.cases.iter().map(|&(value, to)| wanted(value, to)).collect();
        let mut kept = keep.iter();
        self.cases.retain(|_| *kept.next().expect("one a case"));
        let Some(mut default) = self.weights.pop() else { return };
        for (&weight, _) in self.weights.iter().zip(&keep).filter(|(_, keep)| !**keep) {
            default = default.saturating_add(weight);
        }
        let mut kept = keep.iter();
        self.weights.retain(|_| *kept.next().expect("one a case"));
        self.weights.push(default);
    }

    /// Makes the last case the default.
    pub fn last_as_default(&mut self) {
        let Some((_, to)) = self.cases.pop() else { return };
        self.default = to;
        self.weights.pop();
    }
}

/// What earlier runs of the program counted of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// How often it was called.
    pub entered: u64,
    /// The largest count of anything in the whole program.
    pub highest: u64,
}

/// What a `call` needs beyond its operands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CallInfo {
    /// The signature of this call. For variadic calls it lists the actual arguments.
    pub sig: SigId,
    /// Attributes of the callee known at this call (FnAttrs bits).
    pub attrs: crate::FnAttrs,
    /// One more than the index in [`crate::Module::call_notes`] of what is to be said if the call
    /// survives; 0 for nothing.
    pub note: u32,
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
    /// The line of that, where sanitizers name it; 0 otherwise.
    pub line: u32,
    /// A variable without an initial value, whose reads are worth checking for one: scalar, not
    /// volatile, in no chosen register.
    pub checked: bool,
}

/// The records of a function's instructions.
#[derive(Clone, Debug)]
pub struct Records(pub(crate) PrimaryMap<Inst, InstData>);

impl Index<Inst> for Records {
    type Output = InstData;

    #[inline(always)]
    fn index(&self, inst: Inst) -> &InstData {
        &self.0[inst]
    }
}

/// What the source says of a loop (`#pragma GCC ivdep`, `GCC unroll`, `omp simd`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LoopHint {
    /// So many iterations in a row may run at once as far as accesses are concerned whose distance
    /// is not known; 0: nothing is said.
    pub safe_length: u32,
    /// It is to be vectorised even where that costs a check and a second loop.
    pub simd: bool,
    /// Iterations that one of the unrolled loop is to have; 1: not to be unrolled.
    pub unroll: Option<u32>,
}

/// A function body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its symbol in the module.
    pub symbol: SymbolId,
    /// Its ABI-lowered signature.
    pub sig: SigId,
    /// Instruction records; only this crate changes them.
    pub insts: Records,
    /// Switch cases.
    pub switches: PrimaryMap<SwitchId, SwitchData>,
    /// Inline assembly statements.
    pub asms: PrimaryMap<AsmId, AsmData>,
    /// Targets of indirect branches.
    pub targets: PrimaryMap<TargetsId, Vec<Block>>,
    /// How often earlier runs went to each of the targets; empty if that is not known.
    pub target_weights: SecondaryMap<TargetsId, Vec<u32>>,
    /// What earlier runs counted (`-fprofile-use`).
    pub counted: Option<Counted>,
    /// Blocks whose address is taken, by label number; `BlockAddr` and data relocations use the
    /// number.
    pub labels: Vec<Block>,
    /// The blocks that begin at labels of the source, where those are, and whether they have names
    /// (no `case`): for coverage alone, which counts their lines. They are not in the text form.
    pub label_lines: Vec<(Block, Loc, bool)>,
    /// Hints about loops, by the place of the branch that tests whether they go on. They are not in
    /// the text form.
    pub loop_hints: Vec<(Loc, LoopHint)>,
    /// Shuffle masks: lane numbers into the concatenated operands, `u32::MAX` = any.
    pub shuffle_masks: Vec<Box<[u32]>>,
    /// Per-call facts.
    pub calls: Vec<CallInfo>,
    /// Names of variables in allocas, in source order.
    pub variables: Vec<VariableName>,
    /// What `-g` says of it, as lowered.
    pub debug: Option<Box<crate::debug::FunctionDebug>>,
    /// Indices of `restrict` parameters, ascending: objects that are written through pointers based
    /// on one of them are reached through no other pointer while the function runs (C17 6.7.3.1).
    pub restrict_params: Vec<u32>,
    /// Instruction-set extensions it may use, if they are not the translation unit's (`target`
    /// attributes).
    pub features: Option<X86Features>,
    /// Whether it calls a returns-twice function.
    pub calls_setjmp: bool,
    /// Alignment of the frame beyond 16 is found from allocas; this flag records a dynamic alloca.
    pub has_dynamic_alloca: bool,
    /// A variable of it, or of what was inlined into it, is or has an array of characters of at
    /// least `--param ssp-buffer-size=` bytes, for `-fstack-protector`. The text form has no types,
    /// and takes any alloca of that size for one.
    pub has_character_array: bool,
    /// What the address sanitizer's runtime is told of its frame: the text, and the symbol that
    /// becomes its name when the function is emitted.
    pub frame_description: Option<(SymbolId, Box<str>)>,
    /// Location of the definition.
    pub loc: Loc,
    /// The closing brace.
    pub end: Loc,
    /// Source locations of instructions.
    pub inst_locs: PrimaryMap<Inst, Loc>,
    values: PrimaryMap<Value, ValueData>,
    params: Vec<Value>,
    constants: PrimaryMap<ConstId, Constant>,
    const_values: FxHashMap<(Type, Constant), Value>,
    /// The same of bits that are one word, which most constants are.
    const_words: FxHashMap<(u64, Type), Value>,
    results: PrimaryMap<Inst, (PackedOption<Value>, u16)>,
    value_pool: Vec<Value>,
    block_pool: Vec<Block>,
    inst_nodes: PrimaryMap<Inst, InstNode>,
    block_nodes: PrimaryMap<Block, BlockNode>,
    first_block: PackedOption<Block>,
    last_block: PackedOption<Block>,
    uses: UseLists,
    /// Instructions removed since the tables had no holes.
    removed: u32,
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
            old.insts.0.clear();
            func.insts = old.insts;
            take!(inst_locs values params constants results value_pool block_pool inst_nodes block_nodes calls variables);
            // Clearing a hash table costs its capacity, not its contents.
            if old.const_values.capacity() <= RECYCLED_CONSTANTS {
                old.const_values.clear();
                func.const_values = old.const_values;
            }
            if old.const_words.capacity() <= RECYCLED_CONSTANTS {
                old.const_words.clear();
                func.const_words = old.const_words;
            }
        }
        func.add_params(param_types);
        func
    }

    fn without_params(symbol: SymbolId, sig: SigId) -> Function {
        Function {
            symbol,
            sig,
            insts: Records(PrimaryMap::new()),
            switches: PrimaryMap::new(),
            asms: PrimaryMap::new(),
            targets: PrimaryMap::new(),
            target_weights: SecondaryMap::new(),
            counted: None,
            labels: Vec::new(),
            label_lines: Vec::new(),
            loop_hints: Vec::new(),
            shuffle_masks: Vec::new(),
            calls: Vec::new(),
            variables: Vec::new(),
            debug: None,
            restrict_params: Vec::new(),
            features: None,
            calls_setjmp: false,
            has_dynamic_alloca: false,
            has_character_array: false,
            frame_description: None,
            loc: Loc::NONE,
            end: Loc::NONE,
            inst_locs: PrimaryMap::new(),
            values: PrimaryMap::new(),
            params: Vec::new(),
            constants: PrimaryMap::new(),
            const_values: FxHashMap::default(),
            const_words: FxHashMap::default(),
            results: PrimaryMap::new(),
            value_pool: Vec::new(),
            block_pool: Vec::new(),
            inst_nodes: PrimaryMap::new(),
            block_nodes: PrimaryMap::new(),
            first_block: None.into(),
            last_block: None.into(),
            uses: UseLists::default(),
            removed: 0,
        }
    }

    /// Takes over what another function, which is copied into this one, says of its loops.
    pub fn add_loop_hints(&mut self, hints: &[(Loc, LoopHint)]) {
        for hint in hints {
            if !self.loop_hints.contains(hint) {
                self.loop_hints.push(*hint);
            }
        }
    }

    fn add_params(&mut self, types: impl IntoIterator<Item = Type>) {
        types.into_iter().for_each(|ty| {
            self.append_param(ty);
        });
    }

    /// The position in the source that an instruction comes from, in whatever function that is.
    pub fn source_loc(&self, inst: Inst) -> Loc {
        self.position(self.inst_locs[inst]).0
    }

    /// See [`crate::debug::FunctionDebug::position`].
    pub fn position(&self, loc: Loc) -> (Loc, Option<u32>) {
        self.debug.as_ref().map_or((loc, None), |debug| debug.position(loc))
    }

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

    /// All values, constants and those without a use included.
    pub fn all_values(&self) -> impl Iterator<Item = Value> + use<> {
        (0..self.values.len() as u32).map(Value::from_u32)
    }

    /// How many instructions exist (removed ones included), for dense side tables.
    pub fn num_insts(&self) -> usize {
        self.insts.0.len()
    }

    /// How many blocks exist (removed ones included), for dense side tables.
    pub fn num_blocks(&self) -> usize {
        self.block_nodes.len()
    }

    /// The type of a value.
    pub fn value_type(&self, value: Value) -> Type {
        self.values[value].ty
    }

    /// Gives an instruction's result another type, of which the operation must be as well.
    pub fn set_value_type(&mut self, value: Value, ty: Type) {
        self.values[value].ty = ty;
        if let Some(inst) = self.def_inst(value)
            && self.result(inst) == Some(value)
        {
            self.insts.0[inst].ty = ty;
        }
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

    /// The instruction that defines a value, if it has this opcode.
    #[inline]
    pub fn def_with(&self, value: Value, opcode: crate::Opcode) -> Option<Inst> {
        self.def_inst(value).filter(|&inst| self.insts[inst].opcode == opcode)
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

    /// The value of a constant; equal constants of one type share a value. Bits as a constant of a
    /// vector type are those of each lane.
    pub fn make_const(&mut self, ty: Type, constant: Constant) -> Value {
        let constant = match constant {
            Constant::Bits(bits) if ty.is_vector() => {
                let lane = (bits & ty.lane().mask()).to_le_bytes();
                let size = ty.lane().store_size() as usize;
                Constant::Vector(lane[..size].repeat(ty.lanes() as usize).into())
            }
            Constant::Bits(bits) => {
                if let Ok(word) = u64::try_from(bits) {
                    return self.word_const(ty, word);
                }
                constant
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

    /// The constant whose bits are `word`.
    fn word_const(&mut self, ty: Type, word: u64) -> Value {
        match self.const_words.entry((word, ty)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let id = self.constants.push(Constant::Bits(word.into()));
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
}
