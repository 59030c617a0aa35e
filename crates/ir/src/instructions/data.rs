//! The record of an instruction and the accessors of its fields.
//!
//! The accessors are for readers who know the opcode; whoever does not matches on
//! [`InstData::view`]. In debug builds they check it.

use super::view::Field;
use super::{BranchHint, FloatCc, Format, InstView, IntCc, Intrinsic, Opcode, Ordering, RmwOp, flags};
use crate::{AsmId, Block, SwitchId, SymbolId, TargetsId, Type, Value};

/// The memory operand of a load or store: alignment and alias tag, packed into one field.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MemInfo {
    /// log2 of the known alignment in bytes.
    pub align_log2: u8,
    /// Type-based alias class.
    pub tag: crate::AliasTag,
}

impl MemInfo {
    /// Packs into the `c` field of a load or store.
    pub(crate) fn pack(self) -> u32 {
        self.to_bits()
    }

    /// Unpacks from the `c` field.
    pub(crate) fn unpack(bits: u32) -> MemInfo {
        MemInfo::from_bits(bits)
    }

    /// The alignment in bytes.
    pub fn align(self) -> u32 {
        1 << self.align_log2
    }
}

/// One instruction: 16 bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct InstData {
    /// What it does.
    pub opcode: Opcode,
    /// Opcode-specific flags and codes; see [`flags`].
    pub(crate) flags: u8,
    /// Type of the (first) result; void if none.
    pub ty: Type,
    /// First field; see the opcode's shape.
    pub(crate) a: u32,
    /// Second field.
    pub(crate) b: u32,
    /// Third field.
    pub(crate) c: u32,
}

const _: () = assert!(std::mem::size_of::<InstData>() == 16);

/// An accessor of one field, for some opcodes only.
macro_rules! accessors {
    ($($(#[$doc:meta])* $name:ident: $ty:ty = |$d:ident| $read:expr, of $($opcode:ident)|*;)*) => { $(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(self) -> $ty {
            debug_assert!(matches!(self.opcode, $(Opcode::$opcode)|*), "{} of a {}", stringify!($name), self.opcode.name());
            let $d = self;
            $read
        }
    )* };
}

impl InstData {
    accessors! {
        /// The condition of an integer comparison.
        int_cc: IntCc = |d| IntCc::from_bits(u32::from(d.flags & 0xf)), of ICmp;
        /// The condition of a floating comparison.
        float_cc: FloatCc = |d| FloatCc::from_bits(u32::from(d.flags & 0xf)), of FCmp;
        /// Whether a floating comparison raises "invalid" for quiet NaNs.
        is_signaling: bool = |d| d.flags & flags::SIGNALING != 0, of FCmp;
        /// The memory operand.
        mem_info: MemInfo = |d| MemInfo::from_bits(d.c), of Load | Store;
        /// The memory order; that of success for `cmpxchg`.
        ordering: Ordering = |d| Ordering::from_bits(u32::from(d.flags & 7)), of AtomicLoad | AtomicStore | AtomicRmw | CmpXchg | Fence;
        /// The memory order if the comparison fails.
        failure_ordering: Ordering = |d| Ordering::from_bits(u32::from(d.flags >> 3 & 7)), of CmpXchg;
        /// What an atomic operation does to the old value.
        rmw_op: RmwOp = |d| RmwOp::from_bits(d.c), of AtomicRmw;
        /// Which operation it is.
        intrinsic: Intrinsic = |d| Intrinsic::from_bits(d.c), of Intrinsic;
        /// The target of a jump.
        dest: Block = |d| Block::from_u32(d.c), of Br;
        /// The targets of a conditional jump: if the condition holds, and if not.
        dests: (Block, Block) = |d| (Block::from_u32(d.b), Block::from_u32(d.c)), of CondBr;
        /// What is known of a conditional jump.
        branch_hint: BranchHint = |d| BranchHint::of_flags(d.flags), of CondBr;
        /// The cases.
        switch_id: SwitchId = |d| SwitchId::from_u32(d.c), of Switch;
        /// The targets of a computed goto.
        targets_id: TargetsId = |d| TargetsId::from_u32(d.c), of IndirectBr;
        /// The statement.
        asm_id: AsmId = |d| AsmId::from_u32(d.c), of Asm | AsmBr;
        /// The thread-local symbol.
        symbol: SymbolId = |d| SymbolId::from_u32(d.c), of TlsAddr;
        /// The index of the label.
        label: u32 = |d| d.c, of BlockAddr;
        /// The index of the mask.
        mask_index: usize = |d| d.c as usize, of Shuffle;
        /// log2 of the alignment of a stack block.
        dyn_align_log2: u32 = |d| d.b, of DynAlloca;
        /// log2 of the alignment common to the pointers.
        block_align_log2: u8 = |d| flags::mem_align_log2(d.flags), of MemCpy | MemMove | MemSet;
    }

    /// The targets of a conditional jump that has two: if the condition holds, and if not.
    #[inline(always)]
    pub fn two_dests(self) -> Option<(Block, Block)> {
        match self.view() {
            InstView::CondBr { then_dest, else_dest, .. } if then_dest != else_dest => Some((then_dest, else_dest)),
            _ => None,
        }
    }

    /// The flags of a floating operation; none of any other.
    #[inline(always)]
    pub fn float_flags(self) -> u8 {
        if self.holds_code() { 0 } else { self.flags & flags::FLOAT }
    }

    /// The flags: bits of [`flags`], not of comparisons, branches and atomics, which hold codes
    /// there.
    #[inline(always)]
    pub fn flags(self) -> u8 {
        debug_assert!(!self.holds_code(), "flags of a {}", self.opcode.name());
        self.flags
    }

    /// Whether one of these flags is set.
    #[inline(always)]
    pub fn has(self, any_of: u8) -> bool {
        self.flags & any_of != 0
    }

    /// Whether the flags hold a code, which is read by name.
    #[inline(always)]
    pub(crate) fn holds_code(self) -> bool {
        use Opcode::*;
        matches!(self.opcode, ICmp | FCmp | CondBr | AtomicLoad | AtomicStore | AtomicRmw | CmpXchg | Fence)
    }

    /// Whether the access is volatile, or the asm.
    #[inline(always)]
    pub fn is_volatile(self) -> bool {
        self.has(flags::VOLATILE)
    }

    /// Whether it is this intrinsic.
    #[inline(always)]
    pub fn is_intrinsic(self, intrinsic: Intrinsic) -> bool {
        self.opcode == Opcode::Intrinsic && self.c == intrinsic as u32
    }

    /// The value operands of an instruction that has them in its record.
    #[inline(always)]
    pub fn args<const N: usize>(self) -> [Value; N] {
        debug_assert!(N <= self.opcode.format().fixed_operands());
        std::array::from_fn(|n| Value::from_u32([self.a, self.b, self.c][n]))
    }

    /// Value operand number `n` of an instruction that has it in its record.
    #[inline(always)]
    pub fn arg(self, n: usize) -> Value {
        debug_assert!(n < self.opcode.format().fixed_operands());
        Value::from_u32([self.a, self.b, self.c][n])
    }
}

impl Format {
    /// How many value operands the record itself holds.
    pub fn fixed_operands(self) -> usize {
        match self {
            Format::Nullary | Format::List => 0,
            Format::Unary => 1,
            Format::Binary => 2,
            Format::Ternary => 3,
        }
    }
}
