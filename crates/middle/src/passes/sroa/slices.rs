//! The accesses of an alloca by byte range, and the partitions they fall into.

use ir::{Function, Inst, Opcode, Type, Value};

/// What is done with a byte range.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SliceKind {
    /// A load or store of this type.
    Scalar(Type),
    /// A block operation with the range as destination (also memset) or source.
    Block,
    /// A lifetime marker of the whole alloca.
    Marker,
    /// An address computation with no further meaning.
    Address,
}

/// One access.
#[derive(Copy, Clone, Debug)]
pub struct Slice {
    /// The instruction.
    pub inst: Inst,
    /// Which operand holds the address.
    pub operand: usize,
    /// First byte.
    pub start: u64,
    /// Byte after the last.
    pub end: u64,
    /// What is done.
    pub kind: SliceKind,
}

/// A byte range that no scalar access crosses.
#[derive(Copy, Clone, Debug)]
pub struct Partition {
    /// First byte.
    pub start: u64,
    /// Byte after the last.
    pub end: u64,
    /// How it is kept.
    pub form: Form,
}

/// How a partition is kept.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// As a value of this type: every scalar access covers it with a type of its width.
    Scalar(Type),
    /// As an integer of this type, parts by shifts and masks.
    Integer(Type),
    /// As a vector of this type, parts as lanes.
    Lanes(Type),
    /// As memory.
    Memory,
}

/// All accesses of the alloca, or `None` if its address goes anywhere else.
pub fn collect(func: &Function, alloca: Inst) -> Option<Vec<Slice>> {
    let (size, _) = func.alloca_info(alloca);
    let mut out = Vec::new();
    let mut work: Vec<(Value, u64)> = vec![(func.first_result(alloca), 0)];
    while let Some((address, offset)) = work.pop() {
        for (inst, operand) in func.uses(address) {
            let data = func.insts[inst];
            let volatile = data.is_volatile();
            let (length, kind) = match data.opcode {
                Opcode::Load if !volatile => (data.ty.store_size() as u64, SliceKind::Scalar(data.ty)),
                Opcode::Store if operand == 0 && !volatile => {
                    let ty = func.value_type(func.operand(inst, 1));
                    (ty.store_size() as u64, SliceKind::Scalar(ty))
                }
                Opcode::MemSet if operand == 0 && !volatile => (constant_length(func, inst)?, SliceKind::Block),
                Opcode::MemCpy | Opcode::MemMove if operand < 2 && !volatile => {
                    (constant_length(func, inst)?, SliceKind::Block)
                }
                Opcode::LifetimeStart | Opcode::LifetimeEnd if offset == 0 => (size, SliceKind::Marker),
                Opcode::PtrAdd if operand == 0 => {
                    let by = func.const_i64(func.operand(inst, 1))?;
                    let inner = offset.checked_add_signed(by).filter(|&o| o <= size)?;
                    work.push((func.first_result(inst), inner));
                    (0, SliceKind::Address)
                }
                _ => return None,
            };
            let end = offset.checked_add(length).filter(|&end| end <= size)?;
            out.push(Slice { inst, operand, start: offset, end, kind });
        }
    }
    // A copy from the alloca to itself would have to be cut on both sides at once.
    let mut blocks: Vec<Inst> = out.iter().filter(|s| s.kind == SliceKind::Block).map(|s| s.inst).collect();
    blocks.sort();
    if blocks.windows(2).any(|w| w[0] == w[1]) {
        return None;
    }
    Some(out)
}

fn constant_length(func: &Function, inst: Inst) -> Option<u64> {
    u64::try_from(func.const_i64(func.operand(inst, 2))?).ok()
}

/// Whether everything done with the alloca is writing.
pub fn is_never_read(func: &Function, slices: &[Slice]) -> bool {
    slices.iter().all(|s| match s.kind {
        SliceKind::Scalar(_) => func.insts[s.inst].opcode == Opcode::Store,
        SliceKind::Block => s.operand == 0,
        SliceKind::Marker | SliceKind::Address => true,
    })
}

/// Bytes that are kept as vectors.
const MAX_IN_VECTORS: u64 = 64;

/// Cuts the alloca at every border that no scalar access crosses. Bytes that only block operations
/// touch, always together, are kept as a few values (of 16 bytes where there are `vectors`), or
/// else form memory partitions; untouched bytes vanish.
pub fn partition(func: &Function, alloca: Inst, slices: &[Slice], vectors: bool) -> Vec<Partition> {
    let mut ranges: Vec<(u64, u64)> =
        slices.iter().filter(|s| matches!(s.kind, SliceKind::Scalar(_))).map(|s| (s.start, s.end)).collect();
    ranges.sort();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (start, end) in ranges {
        match joined.last_mut() {
            Some(last) if start < last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    let mut blocks: Vec<(u64, u64)> =
        slices.iter().filter(|s| s.kind == SliceKind::Block && s.start < s.end).map(|s| (s.start, s.end)).collect();
    blocks.sort();
    blocks.dedup();
    join_partial_overlaps(&mut joined, &blocks);
    let (size, _) = func.alloca_info(alloca);
    let mut out = Vec::new();
    let mut at = 0;
    for &(start, end) in joined.iter().chain(&[(size, size)]) {
        add_gap(&mut out, &blocks, at, start, vectors);
        let form = form(slices, start, end, vectors);
        if start < end && is_pair_of_floats(slices, start, end, form) {
            let middle = start + 4;
            let half = |start, end| Partition { start, end, form: Form::Scalar(Type::F32) };
            out.extend([half(start, middle), half(middle, end)]);
        } else if let Some(ty) = lanes_apart(slices, start, end, form) {
            let lane = ty.store_size() as usize;
            let part = |at| Partition { start: at, end: at + lane as u64, form: Form::Scalar(ty) };
            out.extend((start..end).step_by(lane).map(part));
        } else if start < end {
            out.push(Partition { start, end, form });
        }
        at = end;
    }
    out
}

/// A block operation that covers a scalar range in part makes both one range.
fn join_partial_overlaps(joined: &mut Vec<(u64, u64)>, blocks: &[(u64, u64)]) {
    loop {
        let mut changed = false;
        for &(start, end) in blocks {
            for range in joined.iter_mut() {
                let overlaps = start < range.1 && range.0 < end;
                let covers = start <= range.0 && range.1 <= end;
                if overlaps && !covers {
                    let grown = (range.0.min(start), range.1.max(end));
                    if grown != *range {
                        *range = grown;
                        changed = true;
                    }
                }
            }
        }
        let before = joined.len();
        let mut merged: Vec<(u64, u64)> = Vec::with_capacity(before);
        for &range in joined.iter() {
            match merged.last_mut() {
                Some(last) if range.0 < last.1 => last.1 = last.1.max(range.1),
                _ => merged.push(range),
            }
        }
        *joined = merged;
        if !changed && joined.len() == before {
            return;
        }
    }
}

/// The bytes from `start` to `end` hold no scalar access: values or one memory partition if a block
/// operation touches them.
fn add_gap(out: &mut Vec<Partition>, blocks: &[(u64, u64)], start: u64, end: u64, vectors: bool) {
    if start >= end {
        return;
    }
    let touching = blocks.iter().filter(|b| b.0 < end && start < b.1);
    let low = touching.clone().map(|b| b.0.max(start)).min();
    let high = touching.map(|b| b.1.min(end)).max();
    if let (Some(start), Some(end)) = (low, high) {
        let together = blocks.iter().all(|b| b.1 <= start || end <= b.0 || (b.0 <= start && end <= b.1));
        if together && is_few_words(end - start, vectors) {
            return add_words(out, start, end, vectors);
        }
        out.push(Partition { start, end, form: Form::Memory });
    }
}

/// Whether that many bytes are moved by few instructions: four vectors at most, and a word.
fn is_few_words(bytes: u64, vectors: bool) -> bool {
    matches!(bytes, 1 | 2 | 4 | 8 | 12 | 16 | 20 | 24 | 32)
        || vectors && bytes <= MAX_IN_VECTORS && bytes.is_multiple_of(8)
}

/// One partition for each word that copies of the whole would move at once.
fn add_words(out: &mut Vec<Partition>, start: u64, end: u64, vectors: bool) {
    let mut at = start;
    while at < end {
        let ty = match end - at {
            16.. if vectors => Type::I8.vector(16),
            8.. => Type::I64,
            4.. => Type::I32,
            2.. => Type::I16,
            _ => Type::I8,
        };
        let next = at + ty.store_size() as u64;
        out.push(Partition { start: at, end: next, form: Form::Scalar(ty) });
        at = next;
    }
}

/// Whether a word is otherwise only used as its two halves, both of them floats: structures of
/// floats are passed and returned as such words, and shifts and masks would take their members out
/// of the registers that they are computed in.
fn is_pair_of_floats(slices: &[Slice], start: u64, end: u64, form: Form) -> bool {
    let mut inside = slices.iter().filter(|s| s.start < end && start < s.end && s.start < s.end);
    form == Form::Integer(Type::I64)
        && inside.all(|s| match s.kind {
            SliceKind::Scalar(_) if (s.start, s.end) == (start, end) => true,
            SliceKind::Scalar(ty) => ty == Type::F32 && (s.start == start || s.end == end),
            _ => true,
        })
}

/// The type of the lanes of what is read or written as a vector seldom enough, and lane by lane so
/// often, that the lanes are better kept apart: a table that a vector loop has filled for scalar
/// code.
fn lanes_apart(slices: &[Slice], start: u64, end: u64, form: Form) -> Option<Type> {
    let Form::Lanes(whole) = form else { return None };
    let lane = if whole.lane().store_size() == 8 { Type::I64 } else { Type::I32 };
    let (mut wholes, mut lanes) = (0, 0);
    for slice in slices.iter().filter(|s| s.start < end && start < s.end && s.start < s.end) {
        match slice.kind {
            SliceKind::Scalar(ty) if ty.store_size() == lane.store_size() && !ty.is_float() => lanes += 1,
            SliceKind::Scalar(ty) if (slice.start, slice.end) == (start, end) && ty.lane().is_int() => wholes += 1,
            SliceKind::Block => wholes += 1,
            SliceKind::Marker => {}
            _ => return None,
        }
    }
    let in_vector = (end - start) as usize / lane.store_size() as usize;
    (lanes > wholes * in_vector).then_some(lane)
}

fn form(slices: &[Slice], start: u64, end: u64, vectors: bool) -> Form {
    let inside = slices.iter().filter(|s| s.start < end && start < s.end && s.start < s.end);
    let mut scalars = inside.clone().filter_map(|s| match s.kind {
        SliceKind::Scalar(ty) => Some((s.start, s.end, ty)),
        _ => None,
    });
    let blocks_cover = inside.filter(|s| s.kind == SliceKind::Block).all(|s| s.start <= start && end <= s.end);
    let Some(first) = scalars.clone().find(|s| s.0 == start && s.1 == end) else { return Form::Memory };
    if !blocks_cover {
        return Form::Memory;
    }
    let width = (end - start) as u32 * 8;
    let plain = |ty: Type| ty != Type::F80 && ty.bits() == ty.store_size() * 8;
    if scalars.clone().all(|s| (s.0, s.1) == (start, end) && (s.2 == first.2 || (plain(s.2) && plain(first.2)))) {
        return Form::Scalar(first.2);
    }
    match Type::int(width) {
        Some(ty) if width <= 64 && scalars.all(|s| plain(s.2)) => Form::Integer(ty),
        _ if vectors
            && first.2.is_vector()
            && matches!(width, 128 | 256)
            && scalars.all(|s| is_lane(s.2, s.0 - start, end - start)) =>
        {
            Form::Lanes(first.2)
        }
        _ => Form::Memory,
    }
}

/// Whether an access of that type, so many bytes from the start of a vector of `whole` bytes, is
/// one of the whole, of its half or of one lane.
fn is_lane(ty: Type, offset: u64, whole: u64) -> bool {
    let size = u64::from(ty.store_size());
    match size {
        16 | 32 => ty.is_vector() && (size == whole || offset.is_multiple_of(size)),
        1 | 2 | 4 | 8 => !ty.is_vector() && ty.bits() as u64 == size * 8 && offset.is_multiple_of(size),
        _ => false,
    }
}
