//! The accesses of memory that an instruction makes, as the sanitizers see them.

use ir::{Function, Inst, InstView, Module, Opcode, Value};

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

/// What an instruction reads and writes in memory.
pub fn of(func: &Function, module: &Module, inst: Inst) -> [Option<Access>; 2] {
    if ir::effects::register_variable(func, module, inst).is_some() {
        return [None, None];
    }
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
            // The last one is checked first: see `asan::run`.
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

/// Whether an access at `offset` stays within an object of `limit` bytes.
pub fn is_within(size: Size, offset: i64, limit: u64) -> bool {
    match (size, u64::try_from(offset)) {
        (Size::Fixed(size), Ok(offset)) => offset.checked_add(size).is_some_and(|end| end <= limit),
        _ => false,
    }
}
