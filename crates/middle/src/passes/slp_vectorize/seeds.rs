//! Stores that fill a vector register together, and copies of neighbours that fill any register.

use ir::{AliasTag, Block, Function, Inst, Module, Opcode, Type, Value, flags};
use smallvec::SmallVec;

use crate::passes::merge_accesses::stores::{Entry, walk};
use ir::analysis::alias::AliasAnalysis;
use ir::costs::is_lane;

/// Bytes of a register.
pub const REGISTER: u32 = 16;

/// Bytes of general registers that hold a copy of neighbours.
const WORDS: [u32; 3] = [8, 4, 2];

/// Seeds of one block.
const MAX_SEEDS: usize = 32;

/// Scalars that are the lanes of a vector.
pub type Lanes = SmallVec<[Value; 4]>;

/// Neighbouring stores that could be one, or the halves of a structure of four floats that is
/// returned in two registers.
pub struct Seed {
    /// The stores.
    pub stores: SmallVec<[Inst; 4]>,
    /// The last of them in the block; the return.
    pub last: Inst,
    /// What they store, by address.
    pub lanes: Lanes,
    /// Where the first lane is stored, its alignment and what covers the classes of all; `None` if
    /// it is returned.
    pub target: Option<(Value, u32, AliasTag)>,
    /// What joined two floats for one store.
    pub joins: SmallVec<[Inst; 8]>,
}

/// What a store stores.
struct Stored {
    /// A number, or two floats.
    values: SmallVec<[Value; 2]>,
    ty: Type,
    /// What joined the floats.
    joins: SmallVec<[Inst; 5]>,
}

/// The seeds of a block.
pub fn find(func: &mut Function, module: &Module, alias: &AliasAnalysis, block: Block) -> Vec<Seed> {
    let mut seeds = Vec::new();
    walk(func, module, alias, block, stored, &mut |func, mut group| {
        group.entries.sort_unstable_by_key(|e| e.offset);
        let mut first = 0;
        while first < group.entries.len() && seeds.len() < MAX_SEEDS {
            let rest = &group.entries[first..];
            match run(rest, REGISTER).or_else(|| WORDS.iter().find_map(|&w| run(copies(func, rest), w))) {
                Some(count) => {
                    seeds.push(seed(func, module, &group.entries[first..first + count]));
                    first += count;
                }
                None => first += 1,
            }
        }
    });
    seeds.extend(returned(func, block));
    seeds
}

/// The four floats that a block returns, two in a register.
pub fn returned(func: &Function, block: Block) -> Option<Seed> {
    let last = func.terminator(block);
    if func.insts[last].opcode != Opcode::Ret || func.num_operands(last) != 2 {
        return None;
    }
    let (low, high) = (pair(func, func.operand(last, 0))?, pair(func, func.operand(last, 1))?);
    let joins = low.joins.into_iter().chain(high.joins).collect();
    let lanes = low.values.into_iter().chain(high.values).collect();
    Some(Seed { stores: SmallVec::new(), last, lanes, target: None, joins })
}

/// The stores from the first on whose values are loaded.
fn copies<'a>(func: &Function, entries: &'a [Entry<Stored>]) -> &'a [Entry<Stored>] {
    let is_loaded = |&value: &Value| func.def_with(value, Opcode::Load).is_some();
    let count = entries.iter().take_while(|entry| entry.source.values.iter().all(is_loaded)).count();
    &entries[..count]
}

/// The number of stores from the first on that fill so many bytes with neighbours of one type.
fn run(entries: &[Entry<Stored>], wanted: u32) -> Option<usize> {
    let mut bytes = 0;
    for (index, entry) in entries.iter().enumerate() {
        if entry.source.ty != entries[0].source.ty || entry.offset != entries[0].offset.wrapping_add(i64::from(bytes)) {
            return None;
        }
        bytes += entry.size;
        if bytes >= wanted {
            return (bytes == wanted && index > 0).then_some(index + 1);
        }
    }
    None
}

fn seed(func: &Function, module: &Module, entries: &[Entry<Stored>]) -> Seed {
    let tags = entries.iter().map(|e| e.at.tag);
    Seed {
        stores: entries.iter().map(|e| e.inst).collect(),
        last: entries.iter().max_by_key(|e| e.order).expect("a store").inst,
        lanes: entries.iter().flat_map(|e| e.source.values.iter().copied()).collect(),
        target: Some((
            func.operand(entries[0].inst, 0),
            func.mem_info(entries[0].inst).align(),
            tags.reduce(|a, b| module.alias_tags.meet(a, b)).expect("a store"),
        )),
        joins: entries.iter().flat_map(|e| e.source.joins.iter().copied()).collect(),
    }
}

/// A number or two floats that a store stores.
fn stored(func: &Function, store: Inst) -> Option<Stored> {
    let value = func.operand(store, 1);
    let ty = func.value_type(value);
    if !is_lane(ty) || ty == Type::PTR || func.insts[store].has(flags::VOLATILE | flags::NONTEMPORAL) {
        return None;
    }
    Some(pair(func, value).unwrap_or_else(|| Stored {
        values: SmallVec::from_iter([value]),
        ty,
        joins: SmallVec::new(),
    }))
}

/// The floats that are joined to an `f64` for this store alone.
fn pair(func: &Function, value: Value) -> Option<Stored> {
    let mut joins = SmallVec::new();
    let mut single = |value: Value, opcode: Opcode| {
        let inst = func.def_inst(value).filter(|&i| func.insts[i].opcode == opcode && func.has_one_use(value))?;
        joins.push(inst);
        Some(inst)
    };
    if func.value_type(value) != Type::F64 {
        return None;
    }
    let or = func.operand(single(value, Opcode::Bitcast)?, 0);
    let or = single(or, Opcode::Or)?;
    let (a, b) = (func.operand(or, 0), func.operand(or, 1));
    let is_shift = |v: Value| func.def_with(v, Opcode::Shl).is_some();
    let (low, high) = if is_shift(b) { (a, b) } else { (b, a) };
    let shift = single(high, Opcode::Shl)?;
    if func.const_bits(func.operand(shift, 1)) != Some(32) {
        return None;
    }
    let mut float = |word: Value| {
        let bits = func.operand(single(word, Opcode::ZExt)?, 0);
        // The bits may be asked for elsewhere; the float is what counts.
        let cast = func.def_with(bits, Opcode::Bitcast)?;
        let float = func.operand(cast, 0);
        if func.has_one_use(bits) {
            single(bits, Opcode::Bitcast);
        }
        (func.value_type(float) == Type::F32).then_some(float)
    };
    let values = SmallVec::from_iter([float(low)?, float(func.operand(shift, 0))?]);
    Some(Stored { values, ty: Type::F32, joins })
}
