//! The accesses of a function in order, but for those that are certainly within an object whose
//! memory is not poisoned while it can be named: at a constant offset in a variable of the function
//! or in one of static storage duration that this unit defines.

use ir::analysis::Cfg;
use ir::{Function, Inst, InstView, Linkage, Module, Opcode, SymbolDef, Value};
use platform::options::Options;
use rustc_hash::FxHashSet;

use super::scopes::Scopes;

/// How many bytes are accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// So many.
    Fixed(u64),
    /// As this operand says.
    Variable(usize),
}

/// An access to be checked.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The instruction.
    pub inst: Inst,
    /// Which of its operands is the address.
    pub operand: usize,
    /// Bytes from there.
    pub size: Size,
    /// log2 of the address's alignment.
    pub align_log2: u32,
    /// Whether it stores.
    pub write: bool,
}

/// All accesses that need a check, in the order of blocks and instructions, and the variables among
/// them that are named where their scope may have ended.
pub fn find(func: &Function, module: &Module, cfg: &Cfg, options: &Options) -> (Vec<Access>, FxHashSet<Value>) {
    let wanted = &options.sanitize.address;
    let poisons = options.sanitize.poisons_scopes();
    let scopes = if poisons { Scopes::compute(func, cfg) } else { Scopes::default() };
    let (mut out, mut gone) = (Vec::new(), FxHashSet::default());
    for block in func.blocks() {
        let mut dead = scopes.at(block);
        for inst in func.block_insts(block) {
            scopes.step(func, inst, &mut dead);
            for access in of(func, inst).into_iter().flatten() {
                let asked_for = if access.write { wanted.writes } else { wanted.reads };
                if !asked_for || access.size == Size::Fixed(0) {
                    continue;
                }
                let root = root(func, func.operand(inst, access.operand));
                if scopes.has(&dead, root.0) {
                    gone.insert(root.0);
                } else if is_safe(func, module, access.size, root) {
                    continue;
                }
                out.push(access);
            }
        }
    }
    (out, gone)
}

/// What an instruction reads and writes.
pub fn of(func: &Function, inst: Inst) -> [Option<Access>; 2] {
    let access = |operand, size, align_log2, write| Some(Access { inst, operand, size, align_log2, write });
    let bytes = |value: Value| u64::from(func.value_type(value).store_size());
    let natural = |size: u64| size.trailing_zeros();
    let one = |access| [access, None];
    match func.view(inst) {
        InstView::Load { mem, .. } => {
            let size = bytes(func.first_result(inst));
            one(access(0, Size::Fixed(size), u32::from(mem.align_log2), false))
        }
        InstView::Store { value, mem, .. } => {
            one(access(0, Size::Fixed(bytes(value)), u32::from(mem.align_log2), true))
        }
        InstView::AtomicLoad { .. } => {
            let size = bytes(func.first_result(inst));
            one(access(0, Size::Fixed(size), natural(size), false))
        }
        InstView::AtomicStore { value, .. } | InstView::AtomicRmw { value, .. } => {
            let size = bytes(value);
            one(access(0, Size::Fixed(size), natural(size), true))
        }
        InstView::CmpXchg { expected, .. } => {
            let size = bytes(expected);
            one(access(0, Size::Fixed(size), natural(size), true))
        }
        InstView::BlockOp { op, len, align_log2, .. } => {
            let size = func.const_i64(len).map_or(Size::Variable(2), |n| Size::Fixed(n as u64));
            let read = if op == Opcode::MemSet { None } else { access(1, size, align_log2, false) };
            // The last one is checked first: see [`super::run`].
            [access(0, size, align_log2, true), read]
        }
        _ => [None, None],
    }
}

/// What an address is a constant sum of: the value it begins with, and the bytes added.
pub fn root(func: &Function, mut address: Value) -> (Value, i64) {
    let mut offset: i64 = 0;
    while let Some(inst) = func.def_inst(address)
        && let InstView::Binary { op: Opcode::PtrAdd, a, b, .. } = func.view(inst)
        && let Some(bytes) = func.const_i64(b)
    {
        offset = offset.wrapping_add(bytes);
        address = a;
    }
    (address, offset)
}

/// Whether the access is certainly within an object of the program's.
fn is_safe(func: &Function, module: &Module, size: Size, (root, offset): (Value, i64)) -> bool {
    if let Some((symbol, addend)) = func.const_symbol(root) {
        let data = &module.symbols[symbol];
        let SymbolDef::Data(id) = data.def else { return false };
        let fixed = data.linkage != Linkage::Weak;
        return fixed && is_within(size, offset.wrapping_add(addend), module.data[id].size);
    }
    let Some(inst) = func.def_inst(root) else { return false };
    match func.view(inst) {
        InstView::Alloca { size: limit, .. } => is_within(size, offset, limit),
        // Nothing is poisoned around variables of threads.
        InstView::TlsAddr { .. } => true,
        _ => false,
    }
}

/// Whether an access at `offset` stays within an object of `limit` bytes.
pub fn is_within(size: Size, offset: i64, limit: u64) -> bool {
    match (size, u64::try_from(offset)) {
        (Size::Fixed(size), Ok(offset)) => offset.checked_add(size).is_some_and(|end| end <= limit),
        _ => false,
    }
}
