//! Instructions as sentences: the shapes of the record, the enum that names their fields, and both
//! directions between them.
//!
//! One table gives each shape its fields and their slots. [`InstData::view`] reads all of them;
//! what the caller does not match on is removed by the compiler, so that a match costs the shifts
//! it needs. [`InstView::encode`] is the inverse.

use cranelift_entity::EntityRef;

use super::{BranchHint, FloatCc, Format, InstData, IntCc, Intrinsic, MemInfo, Opcode, Ordering, RmwOp};
use crate::{AsmId, Block, SwitchId, SymbolId, TargetsId, Type, Value};

/// What one slot of the record can hold. Reading never fails: every bit pattern is some value.
pub(super) trait Field: Copy {
    /// Reads it.
    fn from_bits(bits: u32) -> Self;
    /// Writes it.
    fn to_bits(self) -> u32;
}

macro_rules! entity_fields {
    ($($name:ident)*) => { $(
        impl Field for $name {
            #[inline(always)]
            fn from_bits(bits: u32) -> $name {
                $name::from_u32(bits)
            }
            #[inline(always)]
            fn to_bits(self) -> u32 {
                self.index() as u32
            }
        }
    )* };
}

entity_fields!(Value Block SymbolId SwitchId TargetsId AsmId);

impl Field for u32 {
    #[inline(always)]
    fn from_bits(bits: u32) -> u32 {
        bits
    }
    #[inline(always)]
    fn to_bits(self) -> u32 {
        self
    }
}

impl Field for bool {
    #[inline(always)]
    fn from_bits(bits: u32) -> bool {
        bits != 0
    }
    #[inline(always)]
    fn to_bits(self) -> u32 {
        u32::from(self)
    }
}

impl Field for MemInfo {
    #[inline(always)]
    fn from_bits(bits: u32) -> MemInfo {
        MemInfo { align_log2: bits as u8, tag: crate::AliasTag::from_u32(bits >> 8) }
    }
    #[inline(always)]
    fn to_bits(self) -> u32 {
        self.tag.as_u32() << 8 | u32::from(self.align_log2)
    }
}

/// The operands of a list-format instruction: a range of its function's pool.
/// [`crate::Function::values`] gives the slice.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ValueList {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl ValueList {
    /// How many values.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// Reads a slot of a record.
macro_rules! get {
    ($d:ident op $ty:ty) => {
        $d.opcode
    };
    ($d:ident flags $ty:ty) => {
        $d.flags
    };
    ($d:ident a $ty:ty) => {
        <$ty as Field>::from_bits($d.a)
    };
    ($d:ident b $ty:ty) => {
        <$ty as Field>::from_bits($d.b)
    };
    ($d:ident c $ty:ty) => {
        <$ty as Field>::from_bits($d.c)
    };
    ($d:ident bc $ty:ty) => {
        u64::from($d.b) | u64::from($d.c) << 32
    };
    ($d:ident ab $ty:ty) => {
        ValueList { start: $d.a, len: $d.b }
    };
    ($d:ident ($low:literal $bits:literal) $ty:ty) => {
        <$ty as Field>::from_bits(u32::from($d.flags >> $low & ((1u16 << $bits) - 1) as u8))
    };
}

/// Writes a slot of a record.
macro_rules! put {
    ($d:ident op $value:ident) => {
        $d.opcode = $value
    };
    ($d:ident flags $value:ident) => {
        $d.flags |= $value
    };
    ($d:ident a $value:ident) => {
        $d.a = Field::to_bits($value)
    };
    ($d:ident b $value:ident) => {
        $d.b = Field::to_bits($value)
    };
    ($d:ident c $value:ident) => {
        $d.c = Field::to_bits($value)
    };
    ($d:ident bc $value:ident) => {
        ($d.b, $d.c) = ($value as u32, ($value >> 32) as u32)
    };
    ($d:ident ab $value:ident) => {
        ($d.a, $d.b) = ($value.start, $value.len)
    };
    ($d:ident ($low:literal $bits:literal) $value:ident) => {
        $d.flags |= (Field::to_bits($value) as u8) << $low
    };
}

macro_rules! shapes {
    ($($(#[$doc:meta])* $shape:ident ($format:ident, $opcode:expr) {
        $($(#[$field_doc:meta])* $field:ident : $ty:ty = $slot:tt),* $(,)?
    })*) => {
        /// How the record of an opcode is read.
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        pub(crate) enum Shape { $($shape),* }

        impl Shape {
            /// Where the value operands are.
            pub(super) const fn format(self) -> Format {
                match self { $(Shape::$shape => Format::$format),* }
            }
        }

        /// An instruction with its fields by name. Fields `flags` hold bits of [`crate::flags`].
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        pub enum InstView { $($(#[$doc])* $shape { $($(#[$field_doc])* $field: $ty),* }),* }

        impl InstData {
            /// The instruction with its fields by name.
            #[inline(always)]
            pub fn view(self) -> InstView {
                let d = self;
                match d.opcode.shape() {
                    $(Shape::$shape => InstView::$shape { $($field: get!(d $slot $ty)),* }),*
                }
            }
        }

        impl InstView {
            /// The record, for a (first) result of type `ty`; void if there is none.
            #[inline]
            pub(crate) fn encode(self, ty: Type) -> InstData {
                match self {
                    $(InstView::$shape { $($field),* } => {
                        let mut d = InstData { opcode: $opcode, flags: 0, ty, a: 0, b: 0, c: 0 };
                        $(put!(d $slot $field);)*
                        d
                    })*
                }
            }
        }
    };
}

shapes! {
    /// Operations without operands and without fields: `stack_save`, `undef`, `unreachable`.
    Nullary(Nullary, op) {
        /// Which one.
        op: Opcode = op,
    }
    /// Operations with one operand and nothing else.
    Unary(Unary, op) {
        /// Which one.
        op: Opcode = op,
        /// The operand.
        a: Value = a,
        /// What is known of it.
        flags: u8 = flags,
    }
    /// Operations with two operands and nothing else.
    Binary(Binary, op) {
        /// Which one.
        op: Opcode = op,
        /// The first operand.
        a: Value = a,
        /// The second operand.
        b: Value = b,
        /// What is known of it.
        flags: u8 = flags,
    }
    /// Operations with three operands and nothing else.
    Ternary(Ternary, op) {
        /// Which one.
        op: Opcode = op,
        /// The first operand.
        a: Value = a,
        /// The second operand.
        b: Value = b,
        /// The third operand.
        c: Value = c,
        /// What is known of it.
        flags: u8 = flags,
    }
    /// A stack slot of fixed size.
    Alloca(Nullary, Opcode::Alloca) {
        /// log2 of the alignment.
        align_log2: u32 = a,
        /// Bytes.
        size: u64 = bc,
    }
    /// A stack block whose size is known at run time.
    DynAlloca(Unary, Opcode::DynAlloca) {
        /// Bytes (i64).
        size: Value = a,
        /// log2 of the alignment.
        align_log2: u32 = b,
    }
    /// A load.
    Load(Unary, Opcode::Load) {
        /// The address.
        addr: Value = a,
        /// Alignment and alias class.
        mem: MemInfo = c,
        /// `VOLATILE`, `NONTEMPORAL`, `WITH_PREVIOUS`, `WITH_NEXT`.
        flags: u8 = flags,
    }
    /// A store.
    Store(Binary, Opcode::Store) {
        /// The address.
        addr: Value = a,
        /// What is stored.
        value: Value = b,
        /// Alignment and alias class.
        mem: MemInfo = c,
        /// `VOLATILE`, `NONTEMPORAL`.
        flags: u8 = flags,
    }
    /// `memcpy`, `memmove`, `memset`.
    BlockOp(Ternary, op) {
        /// Which one.
        op: Opcode = op,
        /// The address that is written.
        to: Value = a,
        /// The address that is read, or the byte of a `memset`.
        from: Value = b,
        /// Bytes (i64).
        len: Value = c,
        /// log2 of the alignment common to the addresses.
        align_log2: u32 = (0 5),
        /// Whether the accesses are volatile.
        volatile: bool = (7 1),
    }
    /// An atomic load.
    AtomicLoad(Unary, Opcode::AtomicLoad) {
        /// The address.
        addr: Value = a,
        /// The memory order.
        order: Ordering = (0 3),
        /// Whether the access is volatile.
        volatile: bool = (7 1),
    }
    /// An atomic store.
    AtomicStore(Binary, Opcode::AtomicStore) {
        /// The address.
        addr: Value = a,
        /// What is stored.
        value: Value = b,
        /// The memory order.
        order: Ordering = (0 3),
        /// Whether the access is volatile.
        volatile: bool = (7 1),
    }
    /// An atomic read-modify-write.
    AtomicRmw(Binary, Opcode::AtomicRmw) {
        /// What is done to the old value.
        rmw: RmwOp = c,
        /// The address.
        addr: Value = a,
        /// The other operand.
        value: Value = b,
        /// The memory order.
        order: Ordering = (0 3),
        /// Whether the access is volatile.
        volatile: bool = (7 1),
    }
    /// An atomic compare and exchange.
    CmpXchg(Ternary, Opcode::CmpXchg) {
        /// The address.
        addr: Value = a,
        /// What must be there.
        expected: Value = b,
        /// What is stored then.
        desired: Value = c,
        /// The memory order if it succeeds.
        success: Ordering = (0 3),
        /// The memory order if it fails.
        failure: Ordering = (3 3),
        /// Whether it may fail although the values are equal.
        weak: bool = (6 1),
    }
    /// A memory fence.
    Fence(Nullary, Opcode::Fence) {
        /// The memory order.
        order: Ordering = (0 3),
        /// Whether it concerns the compiler only.
        signal_only: bool = c,
    }
    /// A prefetch.
    Prefetch(Unary, Opcode::Prefetch) {
        /// The address.
        addr: Value = a,
        /// Whether the memory will be written.
        write: bool = b,
        /// How much it is worth to keep it in the caches: 0 to 3.
        locality: u32 = c,
    }
    /// The address of a thread-local symbol.
    TlsAddr(Nullary, Opcode::TlsAddr) {
        /// The symbol.
        symbol: SymbolId = c,
    }
    /// The address of a label.
    BlockAddr(Nullary, Opcode::BlockAddr) {
        /// Its index in [`crate::Function::labels`].
        label: u32 = c,
    }
    /// An integer comparison.
    ICmp(Binary, Opcode::ICmp) {
        /// The condition.
        cc: IntCc = (0 4),
        /// The first operand.
        a: Value = a,
        /// The second operand.
        b: Value = b,
    }
    /// A floating comparison.
    FCmp(Binary, Opcode::FCmp) {
        /// The condition.
        cc: FloatCc = (0 4),
        /// Whether quiet NaNs raise "invalid".
        signaling: bool = (7 1),
        /// The first operand.
        a: Value = a,
        /// The second operand.
        b: Value = b,
    }
    /// `cond ? a : b`.
    Select(Ternary, Opcode::Select) {
        /// The condition.
        cond: Value = a,
        /// The result if it holds.
        a: Value = b,
        /// The result if it does not.
        b: Value = c,
    }
    /// A merge of values; [`crate::Function::phi_entries`] gives the predecessors with them.
    Phi(List, Opcode::Phi) {
        /// The incoming values.
        values: ValueList = ab,
        /// Where the predecessors start in the pool of blocks.
        blocks: u32 = c,
    }
    /// Lanes picked from two vectors.
    Shuffle(Binary, Opcode::Shuffle) {
        /// The first vector.
        a: Value = a,
        /// The second vector.
        b: Value = b,
        /// The index in [`crate::Function::shuffle_masks`].
        mask: u32 = c,
    }
    /// A call.
    Call(List, Opcode::Call) {
        /// The callee, then the arguments.
        operands: ValueList = ab,
        /// The index in [`crate::Function::calls`].
        info: u32 = c,
        /// `TAIL`, `MUST_TAIL`.
        flags: u8 = flags,
    }
    /// An operation without an opcode of its own.
    Intrinsic(List, Opcode::Intrinsic) {
        /// Which one.
        intrinsic: Intrinsic = c,
        /// The operands.
        operands: ValueList = ab,
    }
    /// Inline assembly, with labels or without.
    Asm(List, op) {
        /// `asm` or `asm_br`.
        op: Opcode = op,
        /// The statement.
        asm: AsmId = c,
        /// The inputs.
        operands: ValueList = ab,
        /// Whether it is volatile.
        volatile: bool = (7 1),
    }
    /// A jump.
    Br(Nullary, Opcode::Br) {
        /// The target.
        dest: Block = c,
    }
    /// A conditional jump.
    CondBr(Unary, Opcode::CondBr) {
        /// The condition (i1).
        cond: Value = a,
        /// The target if it holds.
        then_dest: Block = b,
        /// The target if it does not.
        else_dest: Block = c,
        /// What is known of it.
        hint: BranchHint = (0 8),
    }
    /// A multi-way branch.
    Switch(Unary, Opcode::Switch) {
        /// What decides.
        value: Value = a,
        /// The cases.
        cases: SwitchId = c,
    }
    /// A computed goto.
    IndirectBr(Unary, Opcode::IndirectBr) {
        /// The address.
        addr: Value = a,
        /// The blocks it may be of.
        targets: TargetsId = c,
    }
    /// A return.
    Ret(List, Opcode::Ret) {
        /// The results.
        values: ValueList = ab,
    }
}
