//! Narrow loads whose values are joined to a word: one load.

use ir::analysis::sums::linear;
use ir::{Builder, Function, Inst, Module, Opcode, Position, Type, Value, flags};
use smallvec::SmallVec;

use ir::analysis::alias::{Access, AliasAnalysis, locate};
use ir::effects::{access_of, is_removable_if_unused, may_write_memory};

/// Instructions looked through per join.
const MAX_STEPS: usize = 32;

/// Instructions between the first of the loads and the join.
const MAX_DISTANCE: usize = 96;

/// A load and where its bits are in the word.
struct Part {
    load: Inst,
    shift: u32,
    bits: u32,
}

/// Where the joined bytes are in memory.
struct Place {
    /// The parts, lowest bits first.
    parts: SmallVec<[Part; 8]>,
    big_endian: bool,
}

/// Whether it joins values that could come from memory: a quick look.
pub fn may_be_root(func: &Function, inst: Inst) -> bool {
    let ty = func.insts[inst].ty;
    let joins = |index: usize| {
        func.def_inst(func.operand(inst, index)).is_some_and(|i| {
            use Opcode::*;
            matches!(func.insts[i].opcode, Shl | ZExt | SExt | Or | Xor | Add | Trunc)
        })
    };
    ty.is_int() && (16..=64).contains(&ty.bits()) && joins(0) && joins(1)
}

/// Merges what the joins of one block (last first) read; returns how many loads went.
pub fn merge(func: &mut Function, module: &Module, alias: &AliasAnalysis, roots: &[Inst]) -> u64 {
    let mut merged = 0;
    for &root in roots {
        // It may have gone with a join that it was part of.
        if func.inst_block(root).is_none() {
            continue;
        }
        let Some(place) = parts(func, root).and_then(|parts| place(func, parts)) else { continue };
        let Some(last) = last_load(func, module, alias, root, &place) else { continue };
        merged += place.parts.len() as u64 - 1;
        replace(func, module, root, last, &place);
    }
    merged
}

/// The loads whose disjoint bits the value of `root` consists of, lowest first; all its other bits
/// are zero.
fn parts(func: &Function, root: Inst) -> Option<SmallVec<[Part; 8]>> {
    let block = func.inst_block(root);
    let mut parts: SmallVec<[Part; 8]> = SmallVec::new();
    // A value, where its bit 0 is in the word, and how many of its low bits get there.
    let mut work: SmallVec<[(Value, u32, u32); 8]> = SmallVec::new();
    work.push((func.first_result(root), 0, func.insts[root].ty.bits()));
    let mut steps = 0;
    while let Some((value, shift, room)) = work.pop() {
        let inst = func.def_inst(value).filter(|&i| func.inst_block(i) == block)?;
        steps += 1;
        if steps > MAX_STEPS {
            return None;
        }
        let data = func.insts[inst];
        match data.opcode {
            Opcode::Or | Opcode::Xor | Opcode::Add if inst == root || func.has_one_use(value) => {
                // The lower operand comes last, to be looked at first.
                work.extend([(func.operand(inst, 1), shift, room), (func.operand(inst, 0), shift, room)]);
            }
            Opcode::Shl => {
                let by = u32::try_from(func.const_bits(func.operand(inst, 1))?).ok().filter(|&by| by < room)?;
                work.push((func.operand(inst, 0), shift + by, room - by));
            }
            Opcode::ZExt => {
                let from = func.operand(inst, 0);
                work.push((from, shift, room.min(func.value_type(from).bits())));
            }
            // The copies of the sign must not get there.
            Opcode::SExt if room <= func.value_type(func.operand(inst, 0)).bits() => {
                work.push((func.operand(inst, 0), shift, room));
            }
            Opcode::Trunc => work.push((func.operand(inst, 0), shift, room)),
            Opcode::Load
                if data.ty.is_int()
                    && data.ty.bits().is_multiple_of(8)
                    && data.ty.bits() <= room
                    && !data.has(flags::VOLATILE | flags::NONTEMPORAL) =>
            {
                parts.push(Part { load: inst, shift, bits: data.ty.bits() });
            }
            _ => return None,
        }
    }
    parts.sort_unstable_by_key(|p| p.shift);
    let adjacent = parts.windows(2).all(|w| w[0].shift + w[0].bits == w[1].shift);
    let bits: u32 = parts.iter().map(|p| p.bits).sum();
    (parts.len() >= 2 && adjacent && matches!(bits, 16 | 32 | 64)).then_some(parts)
}

/// Whether the parts are neighbours in memory, in one order or the other.
fn place(func: &Function, parts: SmallVec<[Part; 8]>) -> Option<Place> {
    let start = linear(func, func.operand(parts[0].load, 0));
    let mut big_endian = None;
    for part in &parts[1..] {
        let address = linear(func, func.operand(part.load, 0));
        let bytes = i64::from((part.shift - parts[0].shift) / 8);
        let distance = address.constant.wrapping_sub(start.constant);
        let reversed = distance == bytes.wrapping_neg();
        if address.terms != start.terms
            || (distance != bytes && !reversed)
            || *big_endian.get_or_insert(reversed) != reversed
        {
            return None;
        }
    }
    let big_endian = big_endian?;
    (!big_endian || parts.iter().all(|p| p.bits == 8)).then_some(Place { parts, big_endian })
}

/// The last of the loads in its block, if nothing after the first of them may write the bytes
/// before it.
fn last_load(func: &Function, module: &Module, alias: &AliasAnalysis, root: Inst, place: &Place) -> Option<Inst> {
    let mut last = None;
    let mut missing = place.parts.len();
    let mut before = func.prev_inst(root);
    for _ in 0..MAX_DISTANCE {
        let inst = before?;
        if place.parts.iter().any(|p| p.load == inst) {
            last.get_or_insert(inst);
            missing -= 1;
            if missing == 0 {
                return last;
            }
        } else if last.is_some() && may_write(func, module, alias, inst, place) {
            return None;
        }
        before = func.prev_inst(inst);
    }
    None
}

fn may_write(func: &Function, module: &Module, alias: &AliasAnalysis, inst: Inst, place: &Place) -> bool {
    let data = func.insts[inst];
    if data.opcode != Opcode::Store || data.is_volatile() {
        return may_write_memory(func, module, inst);
    }
    let written = locate(func, access_of(func, inst));
    place.parts.iter().any(|part| {
        let tag = func.mem_info(part.load).tag;
        let read = Access { address: func.operand(part.load, 0), size: Some((part.bits / 8).into()), tag };
        alias.may_overlap(func, module, &written, &locate(func, read))
    })
}

/// Puts one load where the last of them is, and its value in place of the join's.
fn replace(func: &mut Function, module: &Module, root: Inst, last: Inst, place: &Place) {
    let first = if place.big_endian { place.parts.last() } else { place.parts.first() }.expect("two parts at least");
    let (address, align) = (func.operand(first.load, 0), func.mem_info(first.load).align());
    let tags = place.parts.iter().map(|p| func.mem_info(p.load).tag);
    let tag = tags.reduce(|a, b| module.alias_tags.meet(a, b)).expect("two parts at least");
    let bits: u32 = place.parts.iter().map(|p| p.bits).sum();
    let (low, result) = (place.parts[0].shift, func.first_result(root));
    let (word, ty) = (Type::int(bits).expect("16, 32 or 64 bits"), func.insts[root].ty);
    let loc = func.inst_locs[last];
    let mut builder = Builder::new(func, Position::Before(last));
    builder.loc = loc;
    let mut value = builder.load(word, address, align, tag, 0);
    if place.big_endian {
        value = builder.unary(Opcode::Bswap, word, value);
    }
    if word != ty {
        let narrow = value;
        value = builder.unary(Opcode::ZExt, ty, value);
        if low == 0 {
            use_narrow(builder.func, result, narrow);
        }
    }
    if low != 0 {
        let by = builder.iconst(ty, low.into());
        value = builder.binary(Opcode::Shl, value, by);
    }
    func.replace_all_uses(result, value);
    remove_unused(func, module, root);
}

/// Puts the word itself where the join is truncated to its width: no `combine` comes after this
/// pass.
fn use_narrow(func: &mut Function, join: Value, word: Value) {
    let ty = func.value_type(word);
    let users: SmallVec<[Inst; 4]> = func.uses(join).map(|u| u.0).collect();
    for user in users {
        if func.insts[user].opcode == Opcode::Trunc && func.insts[user].ty == ty {
            func.replace_result(user, word);
        }
    }
}

/// Removes an instruction that nobody uses, and what only it used.
pub fn remove_unused(func: &mut Function, module: &Module, inst: Inst) {
    let mut work: SmallVec<[Inst; 16]> = SmallVec::new();
    work.push(inst);
    while let Some(inst) = work.pop() {
        let unused = func.inst_block(inst).is_some() && !func.results(inst).any(|r| func.has_uses(r));
        if !unused || !is_removable_if_unused(func, module, inst) || func.insts[inst].opcode == Opcode::Phi {
            continue;
        }
        work.extend(func.operands(inst).filter_map(|v| func.def_inst(v)));
        func.remove_inst(inst);
    }
}
