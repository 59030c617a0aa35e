//! Replaces an alloca by its partitions and rewrites every access.

use ir::{AliasTags, Builder, Function, Inst, Opcode, Type, Value};
use smallvec::SmallVec;

use super::slices::{Form, Partition, Slice, SliceKind};

/// Whether splitting gains anything: more than one part, a smaller slot, or a block operation or
/// width mix that becomes scalar.
pub fn is_worthwhile(func: &Function, alloca: Inst, slices: &[Slice], partitions: &[Partition]) -> bool {
    let (size, _) = func.alloca_info(alloca);
    match partitions {
        [] => slices.iter().any(|s| s.kind == SliceKind::Block),
        [only] => {
            let whole = only.start == 0 && only.end == size;
            let has_block = slices.iter().any(|s| s.kind == SliceKind::Block);
            let has_address = slices.iter().any(|s| s.kind == SliceKind::Address);
            match only.form {
                Form::Scalar(_) => !whole || has_block || has_address,
                Form::Integer(_) | Form::Lanes(_) => true,
                Form::Memory => false,
            }
        }
        _ => partitions.iter().any(|p| p.form != Form::Memory),
    }
}

/// Does it.
pub fn rewrite(func: &mut Function, alloca: Inst, slices: Vec<Slice>, partitions: &[Partition]) {
    let (_, align) = func.alloca_info(alloca);
    let parts: Vec<Part> = partitions
        .iter()
        .map(|p| {
            let align = align.min(1 << p.start.trailing_zeros().min(31));
            let mut builder = Builder::before(func, alloca);
            let address = builder.alloca(p.end - p.start, align.max(natural_align(p.form)));
            Part { partition: *p, address, align: align.max(natural_align(p.form)) }
        })
        .collect();
    name_parts(func, alloca, &parts);
    let slot = |part: &Part| func.def_inst(part.address).expect("a part is an alloca");
    let pieces: Vec<(Inst, u64, u64)> =
        parts.iter().map(|p| (slot(p), p.partition.start, p.partition.end - p.partition.start)).collect();
    if let Some(debug) = &mut func.debug {
        debug.split(alloca, &pieces);
    }
    for slice in &slices {
        match slice.kind {
            SliceKind::Scalar(ty) => rewrite_scalar(func, slice, ty, &parts),
            SliceKind::Block => rewrite_block(func, slice, &parts),
            SliceKind::Marker => rewrite_marker(func, slice, &parts),
            SliceKind::Address => {}
        }
    }
    erase(func, alloca, &slices);
}

/// Removes the alloca and everything that is done with it.
pub fn erase(func: &mut Function, alloca: Inst, slices: &[Slice]) {
    for slice in slices.iter().filter(|s| s.kind != SliceKind::Address) {
        func.remove_inst(slice.inst);
    }
    // Addresses last, innermost first: they were found outermost first.
    for slice in slices.iter().rev().filter(|s| s.kind == SliceKind::Address) {
        func.remove_inst(slice.inst);
    }
    func.remove_inst(alloca);
}

/// A partition with its new slot.
struct Part {
    partition: Partition,
    address: Value,
    align: u32,
}

impl Part {
    fn scalar_type(&self) -> Option<Type> {
        match self.partition.form {
            Form::Scalar(ty) | Form::Integer(ty) | Form::Lanes(ty) => Some(ty),
            Form::Memory => None,
        }
    }
}

fn natural_align(form: Form) -> u32 {
    match form {
        Form::Scalar(ty) | Form::Integer(ty) | Form::Lanes(ty) => ty.align(),
        Form::Memory => 1,
    }
}

/// Parts of a named variable keep its name, with their offset.
fn name_parts(func: &mut Function, alloca: Inst, parts: &[Part]) {
    let Some(position) = func.variables.iter().position(|v| v.alloca == alloca) else { return };
    let name = func.variables.remove(position).name;
    for (index, part) in parts.iter().enumerate() {
        let alloca = func.def_inst(part.address).expect("a part is an alloca");
        let name = format!("{name}+{}", part.partition.start).into();
        func.variables.insert(
            position + index,
            ir::function::VariableName { alloca, name, declared: base::Loc::NONE, line: 0, checked: false },
        );
    }
}

fn containing<'p>(parts: &'p [Part], slice: &Slice) -> Option<&'p Part> {
    parts.iter().find(|p| p.partition.start <= slice.start && slice.end <= p.partition.end)
}

fn rewrite_scalar(func: &mut Function, slice: &Slice, ty: Type, parts: &[Part]) {
    let Some(part) = containing(parts, slice) else {
        return match ty.is_vector() {
            true => rewrite_vector(func, slice, ty, parts),
            false => rewrite_pair(func, slice, ty, parts),
        };
    };
    let data = func.insts[slice.inst];
    let info = data.mem_info();
    let offset = slice.start - part.partition.start;
    if let Form::Integer(whole) = part.partition.form
        && (ty.bits() != whole.bits())
    {
        return rewrite_part_of_integer(func, slice, ty, whole, offset, part);
    }
    if let Form::Lanes(whole) = part.partition.form
        && ty.store_size() != whole.store_size()
    {
        return if ty.is_vector() {
            rewrite_half(func, slice, ty, offset, part)
        } else {
            rewrite_lane(func, slice, ty, offset, part)
        };
    }
    let align = part.align.min(1 << offset.trailing_zeros().min(31));
    let stored = (data.opcode == Opcode::Store).then(|| func.operand(slice.inst, 1));
    let mut builder = Builder::before(func, slice.inst);
    let address = builder.ptradd_imm(part.address, offset as i64);
    match stored {
        Some(value) => {
            builder.store(value, address, align, info.tag, data.flags());
        }
        None => {
            let value = builder.load(ty, address, align, info.tag, data.flags());
            func.replace_all_uses(func.first_result(slice.inst), value);
        }
    }
}

/// A narrower access of an integer slot: shift and mask on the whole (little-endian).
fn rewrite_part_of_integer(func: &mut Function, slice: &Slice, ty: Type, whole: Type, offset: u64, part: &Part) {
    let is_store = func.insts[slice.inst].opcode == Opcode::Store;
    let stored = is_store.then(|| func.operand(slice.inst, 1));
    let narrow = Type::int(ty.bits()).expect("plain types have an integer of their width");
    let mut b = Builder::before(func, slice.inst);
    let old = b.load(whole, part.address, part.align, AliasTags::any(), 0);
    let shift = b.iconst(whole, offset as i64 * 8);
    match stored {
        None => {
            let shifted = if offset == 0 { old } else { b.binary(Opcode::LShr, old, shift) };
            let bits = b.unary(Opcode::Trunc, narrow, shifted);
            let value = from_int(&mut b, bits, ty);
            func.replace_all_uses(func.first_result(slice.inst), value);
        }
        Some(value) => {
            let bits = to_int(&mut b, value, narrow);
            let wide = b.unary(Opcode::ZExt, whole, bits);
            let placed = if offset == 0 { wide } else { b.binary(Opcode::Shl, wide, shift) };
            let mask = !(narrow.mask() << (offset * 8)) & whole.mask();
            let mask = b.func.bits_const(whole, mask);
            let kept = b.binary(Opcode::And, old, mask);
            let new = b.binary(Opcode::Or, kept, placed);
            b.store(new, part.address, part.align, AliasTags::any(), 0);
        }
    }
}

/// An access of one lane of a vector's slot.
fn rewrite_lane(func: &mut Function, slice: &Slice, ty: Type, offset: u64, part: &Part) {
    let is_store = func.insts[slice.inst].opcode == Opcode::Store;
    let stored = is_store.then(|| func.operand(slice.inst, 1));
    let lane = if ty.is_ptr() { Type::I64 } else { ty };
    let bytes = part.partition.end - part.partition.start;
    let whole = lane.vector(bytes as u32 / lane.store_size());
    let mut b = Builder::before(func, slice.inst);
    let number = b.iconst(Type::I32, (offset / u64::from(lane.store_size())) as i64);
    let old = b.load(whole, part.address, part.align, AliasTags::any(), 0);
    match stored {
        Some(value) => {
            let value = if ty.is_ptr() { to_int(&mut b, value, lane) } else { value };
            let new = b.insert_lane(whole, old, value, number);
            b.store(new, part.address, part.align, AliasTags::any(), 0);
        }
        None => {
            let taken = b.extract_lane(lane, old, number);
            let value = if ty.is_ptr() { from_int(&mut b, taken, ty) } else { taken };
            func.replace_all_uses(func.first_result(slice.inst), value);
        }
    }
}

/// An access of half a vector's slot.
fn rewrite_half(func: &mut Function, slice: &Slice, ty: Type, offset: u64, part: &Part) {
    let is_store = func.insts[slice.inst].opcode == Opcode::Store;
    let stored = is_store.then(|| func.operand(slice.inst, 1));
    let lanes = ty.lanes();
    let whole = ty.lane().vector(2 * lanes);
    let mut b = Builder::before(func, slice.inst);
    let old = b.load(whole, part.address, part.align, AliasTags::any(), 0);
    let pick = |from: u32| (from..from + lanes).collect::<SmallVec<[u32; 32]>>();
    match stored {
        Some(value) => {
            let other = b.shuffle(old, old, &pick(if offset == 0 { lanes } else { 0 }));
            let (low, high) = if offset == 0 { (value, other) } else { (other, value) };
            let both: SmallVec<[u32; 32]> = (0..2 * lanes).collect();
            let new = b.shuffle(low, high, &both);
            b.store(new, part.address, part.align, AliasTags::any(), 0);
        }
        None => {
            let taken = b.shuffle(old, old, &pick(if offset == 0 { 0 } else { lanes }));
            func.replace_all_uses(func.first_result(slice.inst), taken);
        }
    }
}

/// An access of a whole word of which the halves are slots of their own.
fn rewrite_pair(func: &mut Function, slice: &Slice, ty: Type, parts: &[Part]) {
    let at = |start| parts.iter().find(|p| p.partition.start == start).expect("every access begins with a partition");
    let halves = [at(slice.start), at(slice.start + 4)];
    let stored = (func.insts[slice.inst].opcode == Opcode::Store).then(|| func.operand(slice.inst, 1));
    let mut b = Builder::before(func, slice.inst);
    let half_bits = b.iconst(Type::I64, 32);
    match stored {
        Some(value) => {
            let low = to_int(&mut b, value, Type::I64);
            let high = b.binary(Opcode::LShr, low, half_bits);
            for (part, bits) in halves.into_iter().zip([low, high]) {
                let bits = b.unary(Opcode::Trunc, Type::I32, bits);
                let float = b.unary(Opcode::Bitcast, Type::F32, bits);
                b.store(float, part.address, part.align, AliasTags::any(), 0);
            }
        }
        None => {
            let [low, high] = halves.map(|part| {
                let float = b.load(Type::F32, part.address, part.align, AliasTags::any(), 0);
                let bits = b.unary(Opcode::Bitcast, Type::I32, float);
                b.unary(Opcode::ZExt, Type::I64, bits)
            });
            let high = b.binary(Opcode::Shl, high, half_bits);
            let bits = b.binary(Opcode::Or, low, high);
            let value = from_int(&mut b, bits, ty);
            func.replace_all_uses(func.first_result(slice.inst), value);
        }
    }
}

/// An access of a vector of which the lanes are slots of their own.
fn rewrite_vector(func: &mut Function, slice: &Slice, ty: Type, parts: &[Part]) {
    let inside = |p: &&Part| slice.start <= p.partition.start && p.partition.end <= slice.end;
    let slots: SmallVec<[&Part; 8]> = parts.iter().filter(inside).collect();
    let lane = slots[0].scalar_type().expect("lanes are scalars");
    let vector = lane.vector(slots.len() as u32);
    let stored = (func.insts[slice.inst].opcode == Opcode::Store).then(|| func.operand(slice.inst, 1));
    let mut b = Builder::before(func, slice.inst);
    let cast = |b: &mut Builder<'_>, value, to| if ty == vector { value } else { b.unary(Opcode::Bitcast, to, value) };
    let Some(value) = stored else {
        let mut lanes = slots.iter().map(|p| (p.address, p.align));
        let (first, align) = lanes.next().expect("a vector has lanes");
        let first = b.load(lane, first, align, AliasTags::any(), 0);
        let mut value = b.unary(Opcode::Splat, vector, first);
        for (index, (address, align)) in lanes.enumerate() {
            let loaded = b.load(lane, address, align, AliasTags::any(), 0);
            let number = b.iconst(Type::I32, index as i64 + 1);
            value = b.insert_lane(vector, value, loaded, number);
        }
        let value = cast(&mut b, value, ty);
        return func.replace_all_uses(func.first_result(slice.inst), value);
    };
    let value = cast(&mut b, value, vector);
    for (index, part) in slots.iter().enumerate() {
        let number = b.iconst(Type::I32, index as i64);
        let taken = b.extract_lane(lane, value, number);
        b.store(taken, part.address, part.align, AliasTags::any(), 0);
    }
}

/// The bits of `value` as the integer type of its width.
fn to_int(b: &mut Builder<'_>, value: Value, int: Type) -> Value {
    let ty = b.func.value_type(value);
    if ty == int {
        value
    } else if ty.is_ptr() {
        b.unary(Opcode::PtrToInt, int, value)
    } else {
        b.unary(Opcode::Bitcast, int, value)
    }
}

/// The value of type `ty` with the bits of an integer of its width.
fn from_int(b: &mut Builder<'_>, bits: Value, ty: Type) -> Value {
    if b.func.value_type(bits) == ty {
        bits
    } else if ty.is_ptr() {
        b.unary(Opcode::IntToPtr, ty, bits)
    } else {
        b.unary(Opcode::Bitcast, ty, bits)
    }
}

/// Cuts a block operation into one piece per partition it touches.
fn rewrite_block(func: &mut Function, slice: &Slice, parts: &[Part]) {
    let data = func.insts[slice.inst];
    let other = match data.opcode {
        Opcode::MemSet => None,
        _ => Some(func.operand(slice.inst, 1 - slice.operand)),
    };
    let op_align = 1u32 << data.block_align_log2();
    for part in parts.iter().filter(|p| p.partition.start < slice.end && slice.start < p.partition.end) {
        let start = slice.start.max(part.partition.start);
        let end = slice.end.min(part.partition.end);
        let whole = start == part.partition.start && end == part.partition.end;
        let byte = func.operand(slice.inst, 1);
        let mut b = Builder::before(func, slice.inst);
        let other_offset = (start - slice.start) as i64;
        let other_align = op_align.min(1 << (other_offset as u64).trailing_zeros().min(31));
        match (part.scalar_type().filter(|_| whole), other) {
            (Some(ty), None) => {
                if let Some(value) = repeated_byte(&mut b, byte, ty) {
                    b.store(value, part.address, part.align, AliasTags::any(), 0);
                    continue;
                }
                block_piece(&mut b, slice, data.opcode, part, start, end, byte, part.align);
            }
            (Some(ty), Some(other)) => {
                let outside = b.ptradd_imm(other, other_offset);
                let (from, from_align, to, to_align) = if slice.operand == 0 {
                    (outside, other_align, part.address, part.align)
                } else {
                    (part.address, part.align, outside, other_align)
                };
                let value = b.load(ty, from, from_align, AliasTags::any(), 0);
                b.store(value, to, to_align, AliasTags::any(), 0);
            }
            (None, None) => block_piece(&mut b, slice, data.opcode, part, start, end, byte, part.align),
            (None, Some(other)) => {
                let outside = b.ptradd_imm(other, other_offset);
                block_piece(&mut b, slice, data.opcode, part, start, end, outside, other_align.min(part.align));
            }
        }
    }
}

/// A block operation on a memory partition. `operand` is the byte of a memset or the address on the
/// other side.
#[allow(clippy::too_many_arguments)] // the operands of the instruction it makes
fn block_piece(
    b: &mut Builder<'_>,
    slice: &Slice,
    opcode: Opcode,
    part: &Part,
    start: u64,
    end: u64,
    operand: Value,
    align: u32,
) {
    let inner = start - part.partition.start;
    let align = align.min(1 << inner.trailing_zeros().min(31));
    let address = b.ptradd_imm(part.address, inner as i64);
    let length = b.iconst(Type::I64, (end - start) as i64);
    if opcode == Opcode::MemSet || slice.operand == 0 {
        b.mem_op(opcode, address, operand, length, align, false);
    } else {
        b.mem_op(opcode, operand, address, length, align, false);
    }
}

/// A value of type `ty` whose bytes are all `byte`: constants for every type, otherwise integers of
/// at most 8 bytes.
fn repeated_byte(b: &mut Builder<'_>, byte: Value, ty: Type) -> Option<Value> {
    if let Some(bits) = b.func.const_bits(byte) {
        if ty.is_vector() {
            let bytes = vec![bits as u8; ty.store_size() as usize].into_boxed_slice();
            return Some(b.func.make_const(ty, ir::Constant::Vector(bytes)));
        }
        let all = (0..16).fold(0u128, |acc, i| acc | bits << (8 * i));
        return Some(b.func.bits_const(ty, all));
    }
    if !ty.is_int() || ty.bits() > 64 {
        return None;
    }
    if ty == Type::I8 {
        return Some(byte);
    }
    let wide = b.unary(Opcode::ZExt, ty, byte);
    let ones = b.func.bits_const(ty, 0x0101_0101_0101_0101);
    Some(b.binary(Opcode::Mul, wide, ones))
}

fn rewrite_marker(func: &mut Function, slice: &Slice, parts: &[Part]) {
    let opcode = func.insts[slice.inst].opcode;
    for part in parts {
        Builder::before(func, slice.inst).effect(opcode, part.address);
    }
}
