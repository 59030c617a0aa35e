//! Small block operations and loads of constants.

use ir::{AliasTags, Inst, Intrinsic, Opcode, SymbolDef, Type, Value};

use super::{Combiner, Rewrite};
use ir::analysis::object_size::{Mode, object_size};

/// Applies the rules of this file.
pub(super) fn visit(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    if data.is_volatile() {
        return None;
    }
    if data.opcode == Opcode::Load {
        return load_of_constant(cx, inst);
    }
    let length = cx.bits(cx.func.operand(inst, 2))?;
    if length == 0 {
        return Some(Rewrite::Remove);
    }
    let (a, b) = (cx.func.operand(inst, 0), cx.func.operand(inst, 1));
    if data.opcode != Opcode::MemSet && a == b {
        return Some(Rewrite::Remove);
    }
    let ty = match length {
        1 => Type::I8,
        2 => Type::I16,
        4 => Type::I32,
        8 => Type::I64,
        _ => return None,
    };
    let align = 1 << data.block_align_log2();
    let value = if data.opcode == Opcode::MemSet {
        let byte = cx.bits(b)?;
        cx.func.bits_const(ty, byte * 0x0101_0101_0101_0101)
    } else {
        cx.builder(inst).load(ty, b, align, AliasTags::any(), 0)
    };
    cx.builder(inst).store(value, a, align, AliasTags::any(), 0);
    Some(Rewrite::Remove)
}

/// The size of the object that a symbol is, at once: what asks for it (`_FORTIFY_SOURCE`) goes on
/// to read the object, and to call functions of the library that are folded then.
pub(super) fn size_of_object(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    if !data.is_intrinsic(Intrinsic::ObjectSize) {
        return None;
    }
    let (pointer, mode) = (cx.func.list(inst)[0], cx.func.list(inst)[1]);
    cx.func.const_symbol(pointer)?;
    let mode = Mode::from_bits(cx.bits(mode)? as u64);
    let size = object_size(cx.func, cx.module, pointer, mode, true)?;
    Some(Rewrite::Value(cx.func.iconst(data.ty, size as i64)))
}

/// A load from a constant object of this module that cannot be replaced by another definition.
fn load_of_constant(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let ty = cx.func.insts[inst].ty;
    if ty.is_vector() || ty == Type::F80 {
        return None;
    }
    let (symbol, offset) = cx.func.const_symbol(cx.func.operand(inst, 0))?;
    let data = &cx.module.symbols[symbol];
    let SymbolDef::Data(id) = data.def else { return None };
    let object = &cx.module.data[id];
    let local =
        data.linkage == ir::Linkage::Local || (data.linkage == ir::Linkage::Global && !cx.options.interposable());
    if !object.read_only || !local || data.tls.is_some() {
        return None;
    }
    let start = u64::try_from(offset).ok()?;
    let end = start.checked_add(ty.store_size() as u64)?;
    if end > object.size {
        return None;
    }
    let overlapping = object.relocs.iter().find(|r| r.offset < end && start < r.offset + r.size as u64);
    if let Some(reloc) = overlapping {
        let exact = reloc.offset == start && reloc.size == 8 && ty.is_ptr();
        return match reloc.target {
            ir::RelocTarget::Symbol(symbol) if exact && cx.module.symbols[symbol].tls.is_none() => {
                let addend = reloc.addend;
                Some(Rewrite::Value(cx.func.symbol_const(symbol, addend)))
            }
            _ => None,
        };
    }
    let byte = |at: u64| object.bytes.get(at as usize).copied().unwrap_or(0) as u128;
    let bits = (start..end).rev().fold(0u128, |bits, at| bits << 8 | byte(at));
    let value: Value = cx.func.bits_const(ty, bits);
    Some(Rewrite::Value(value))
}
