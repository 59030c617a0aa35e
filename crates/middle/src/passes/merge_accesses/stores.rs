//! Neighbouring stores of constants, or of the parts of one word: one store.
//!
//! A block is walked with up to [`MAX_GROUPS`] groups of stores whose addresses differ by
//! constants. What may touch a byte that a group writes ends it; the stores of a group can then all
//! stand where its last one is.

use ir::analysis::sums::{Linear, linear};
use ir::{Block, Builder, Function, Inst, Module, Opcode, Position, Type, Value, flags};
use smallvec::SmallVec;

use super::loads::remove_unused;
use ir::analysis::alias::{Access, AliasAnalysis, Located, locate};
use ir::effects::is_pure;

/// Groups at a time.
const MAX_GROUPS: usize = 4;

/// Stores in a group.
const MAX_ENTRIES: usize = 16;

/// Instructions looked through for the word that a stored value is a part of.
const MAX_STEPS: usize = 6;

/// What is stored.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Source {
    /// These bits.
    Constant(u64),
    /// The bits of a value from a position on.
    Part(Value, u32),
}

/// A store of a group; `S` says what it stores.
pub struct Entry<S> {
    /// The store.
    pub inst: Inst,
    /// Position among the block's instructions.
    pub order: usize,
    /// Bytes from what the addresses of the group have in common.
    pub offset: i64,
    /// Bytes stored.
    pub size: u32,
    /// What is stored.
    pub source: S,
    /// Where.
    pub at: Located,
}

/// Stores whose addresses differ by constants, and which may all stand where the last of them is.
pub struct Group<S> {
    address: Linear,
    /// In the order of the block.
    pub entries: SmallVec<[Entry<S>; 8]>,
}

/// What a store that could be merged stores: a constant or a part of a wider value, of less than
/// eight bytes.
pub fn source(func: &Function, store: Inst) -> Option<Source> {
    let value = func.operand(store, 1);
    let ty = func.value_type(value);
    if !ty.is_scalar() || ty.store_size() > 4 || func.insts[store].has(flags::VOLATILE | flags::NONTEMPORAL) {
        return None;
    }
    if let Some(bits) = func.const_bits(value) {
        return (ty.bits() == ty.store_size() * 8).then_some(Source::Constant(bits as u64));
    }
    if !ty.is_int() {
        return None;
    }
    let bits = ty.bits();
    let (mut from, mut shift) = (value, 0);
    for _ in 0..MAX_STEPS {
        let Some(inst) = func.def_inst(from) else { break };
        let operand = |index: usize| func.operand(inst, index);
        match func.insts[inst].opcode {
            Opcode::Trunc => from = operand(0),
            Opcode::ZExt | Opcode::SExt if shift + bits <= func.value_type(operand(0)).bits() => from = operand(0),
            Opcode::And => {
                let ones = Type::int(bits).map_or(0, Type::mask);
                match func.const_bits(operand(1)) {
                    Some(mask) if mask >> shift & ones == ones => from = operand(0),
                    _ => break,
                }
            }
            Opcode::LShr | Opcode::AShr => {
                let width = func.value_type(from).bits();
                match func.const_bits(operand(1)).and_then(|by| u32::try_from(by).ok()) {
                    Some(by) if by < width && shift + by + bits <= width => {
                        (from, shift) = (operand(0), shift + by);
                    }
                    _ => break,
                }
            }
            _ => break,
        }
    }
    let width = func.value_type(from).bits();
    (from != value && func.value_type(from).is_int() && width <= 64).then_some(Source::Part(from, shift))
}

/// Merges stores of a block; returns how many went.
pub fn merge(func: &mut Function, module: &Module, alias: &AliasAnalysis, block: Block) -> u64 {
    let mut merged = 0;
    walk(func, module, alias, block, source, &mut |func, group| merged += finish(func, module, group));
    merged
}

/// Groups the stores of a block that are `candidate`s, and calls `finish` for each group when it
/// can grow no more.
pub fn walk<S>(
    func: &mut Function,
    module: &Module,
    alias: &AliasAnalysis,
    block: Block,
    candidate: impl Fn(&Function, Inst) -> Option<S>,
    finish: &mut impl FnMut(&mut Function, Group<S>),
) {
    let mut groups: Vec<Group<S>> = Vec::new();
    let insts: Vec<Inst> = func.block_insts(block).collect();
    for (order, &inst) in insts.iter().enumerate() {
        // What merging removed.
        if func.inst_block(inst).is_none() {
            continue;
        }
        let data = func.insts[inst];
        let access = match data.opcode {
            _ if data.is_volatile() && matches!(data.opcode, Opcode::Load | Opcode::Store) => None,
            Opcode::Load => Some((data.ty, func.mem_info(inst).tag)),
            Opcode::Store => Some((func.value_type(func.operand(inst, 1)), func.mem_info(inst).tag)),
            _ if is_pure(func, inst) || matches!(data.opcode, Opcode::Phi | Opcode::Alloca | Opcode::Undef) => continue,
            _ => None,
        };
        let Some((ty, tag)) = access else {
            groups.drain(..).for_each(|group| finish(func, group));
            continue;
        };
        let address = func.operand(inst, 0);
        let at = locate(func, Access { address, size: Some(ty.store_size().into()), tag });
        let candidate = if data.opcode == Opcode::Store { candidate(func, inst) } else { None };
        if groups.is_empty() && candidate.is_none() {
            continue;
        }
        let mut sum = None;
        let mut index = 0;
        while index < groups.len() {
            if touches(func, module, alias, &groups[index], (inst, &at), &mut sum) {
                let group = groups.remove(index);
                finish(func, group);
            } else {
                index += 1;
            }
        }
        let Some(source) = candidate else { continue };
        let sum = sum.unwrap_or_else(|| linear(func, address));
        let entry = Entry { inst, order, offset: sum.constant, size: ty.store_size(), source, at };
        match groups.iter().position(|g| g.address.terms == sum.terms) {
            Some(index) => {
                groups[index].entries.push(entry);
                if groups[index].entries.len() == MAX_ENTRIES {
                    let group = groups.remove(index);
                    finish(func, group);
                }
            }
            None => {
                if groups.len() == MAX_GROUPS {
                    let group = groups.remove(0);
                    finish(func, group);
                }
                groups.push(Group { address: sum, entries: SmallVec::from_iter([entry]) });
            }
        }
    }
    groups.into_iter().for_each(|group| finish(func, group));
}

/// Whether the order of a group's stores and a later access matters. `sum`: the access's address,
/// computed if it is asked for.
fn touches<S>(
    func: &Function,
    module: &Module,
    alias: &AliasAnalysis,
    group: &Group<S>,
    access: (Inst, &Located),
    sum: &mut Option<Linear>,
) -> bool {
    group.entries.iter().any(|entry| {
        if !alias.must_follow(func, module, &entry.at, access) {
            return false;
        }
        let sum = sum.get_or_insert_with(|| linear(func, access.1.address));
        let (Some(size), true) = (access.1.size, sum.terms == group.address.terms) else { return true };
        let distance = sum.constant.wrapping_sub(entry.offset);
        // The one ends before the other starts, whichever is first.
        !(distance >= i64::from(entry.size) || distance <= i64::try_from(size).map_or(i64::MIN, |size| -size))
    })
}

/// Merges what can be merged of a group.
fn finish(func: &mut Function, module: &Module, mut group: Group<Source>) -> u64 {
    let entries = &mut group.entries;
    if entries.len() < 2 {
        return 0;
    }
    entries.sort_unstable_by_key(|e| e.offset);
    let mut merged = 0;
    let mut first = 0;
    while first < entries.len() {
        let run = [8u32, 4, 2].into_iter().find_map(|size| {
            let run = run_of(&entries[first..], size)?;
            let (source, big_endian) = whole(func, run)?;
            Some((run.len(), size, source, big_endian))
        });
        let Some((count, size, source, big_endian)) = run else {
            first += 1;
            continue;
        };
        replace(func, module, &entries[first..first + count], size, source, big_endian);
        merged += count as u64 - 1;
        first += count;
    }
    merged
}

/// The first entries, at least two, if they are neighbours of `size` bytes together.
fn run_of(entries: &[Entry<Source>], size: u32) -> Option<&[Entry<Source>]> {
    let mut bytes = 0;
    for (index, entry) in entries.iter().enumerate() {
        if entry.offset != entries[0].offset.wrapping_add(i64::from(bytes)) {
            return None;
        }
        bytes += entry.size;
        if bytes >= size {
            return (bytes == size && index > 0).then(|| &entries[..=index]);
        }
    }
    None
}

/// What neighbours store together, and whether the bytes of that word are swapped.
fn whole(func: &Function, run: &[Entry<Source>]) -> Option<(Source, bool)> {
    let bytes = |entry: &Entry<Source>| (entry.offset - run[0].offset) as u32;
    let size: u32 = run.iter().map(|e| e.size).sum();
    match run[0].source {
        Source::Constant(_) => {
            let mut bits = 0;
            for entry in run {
                let Source::Constant(part) = entry.source else { return None };
                bits |= part << (8 * bytes(entry));
            }
            Some((Source::Constant(bits), false))
        }
        Source::Part(from, start) => {
            let is_at = |entry: &Entry<Source>, shift: Option<u32>| {
                shift.is_some_and(|shift| entry.source == Source::Part(from, shift))
            };
            let fits = |low: u32| low + 8 * size <= func.value_type(from).bits();
            if fits(start) && run.iter().all(|e| is_at(e, Some(start + 8 * bytes(e)))) {
                return Some((Source::Part(from, start), false));
            }
            let swapped = run.iter().all(|e| e.size == 1 && is_at(e, start.checked_sub(8 * bytes(e))));
            let low = start.checked_sub(8 * (size - 1))?;
            (swapped && fits(low)).then_some((Source::Part(from, low), true))
        }
    }
}

/// One store, where the last of the run is, in place of all of them.
fn replace(func: &mut Function, module: &Module, run: &[Entry<Source>], size: u32, source: Source, big_endian: bool) {
    let last = run.iter().max_by_key(|e| e.order).expect("two at least").inst;
    let (address, align) = (func.operand(run[0].inst, 0), func.mem_info(run[0].inst).align());
    let tags = run.iter().map(|e| e.at.tag);
    let tag = tags.reduce(|a, b| module.alias_tags.meet(a, b)).expect("two at least");
    let word = Type::int(8 * size).expect("2, 4 or 8 bytes");
    let loc = func.inst_locs[last];
    let mut builder = Builder::new(func, Position::Before(last));
    builder.loc = loc;
    let value = match source {
        Source::Constant(bits) => builder.func.bits_const(word, bits.into()),
        Source::Part(from, low) => {
            let ty = builder.func.value_type(from);
            let mut value = from;
            if low != 0 {
                let by = builder.iconst(ty, low.into());
                value = builder.binary(Opcode::LShr, value, by);
            }
            if ty != word {
                value = builder.unary(Opcode::Trunc, word, value);
            }
            if big_endian {
                value = builder.unary(Opcode::Bswap, word, value);
            }
            value
        }
    };
    builder.store(value, address, align, tag, 0);
    for entry in run {
        let stored = func.operand(entry.inst, 1);
        func.remove_inst(entry.inst);
        if let Some(inst) = func.def_inst(stored) {
            remove_unused(func, module, inst);
        }
    }
}
