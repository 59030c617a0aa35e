//! The state of one function's emission: values, registers, stack slots.
//!
//! Invariants:
//! - A value is immutable, so a copy in its home slot stays right: `home != 0` means "the slot
//!   holds the value".
//! - A *global* value (touched in more than one block) gets its home when it is
//!   defined; a register may cache it until its block ends. A *local* value gets a home only when
//!   it must leave its register, and all its uses lie in its block.
//! - `uses` counts the operands not yet emitted; an emitter consumes each operand once. When the
//!   count reaches zero the register and the slot are free again. A global value counts one more,
//!   for blocks laid out before its definition.
//! - A *pinned* register holds an operand or temporary of the instruction being emitted and is not
//!   handed out until it ends.

use cranelift_entity::packed_option::PackedOption;
use ir::{Inst, SymbolId, Type, Value};
use object::Scale;
use platform::registers::{R8, R9, R10, R11, RAX, RCX, RDI, RDX, RSI, Reg, RegSet};

/// How values of a type are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// In a general register: integers up to 64 bits and pointers. Bits above the type's width are
    /// unspecified, except that an `i1` fills its byte with 0 or 1.
    Gpr,
    /// In an SSE register: float and double.
    Xmm,
}

/// The class of a type.
#[inline]
pub fn class_of(ty: Type) -> Class {
    if matches!(ty, Type::F32 | Type::F64) { Class::Xmm } else { Class::Gpr }
}

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Not computed yet, or dead.
    None,
    /// In a register (and in its home, if it has one).
    Reg(Reg),
    /// In its home slot.
    Home,
    /// The address `rbp + n`; needs no code until it is used.
    FrameAddress(i32),
    /// Zero that stands for undef.
    Zero,
    /// An address not computed yet: index into the list of lazy addresses.
    Lazy(u32),
    /// The value is that of the operand times 2, 4 or 8, not computed yet (the next instruction
    /// adds it to an address).
    Scaled(Value, Scale),
    /// A load or comparison that its only user, the next instruction, will do.
    Deferred(Inst),
}

/// What is known of a value.
#[derive(Clone, Copy, Debug)]
pub struct ValueState {
    /// Operands not emitted yet.
    pub uses: u32,
    /// Where it is now.
    pub place: Place,
    /// Offset of its home slot from `rbp`; 0 if it has none (offset 0 holds the caller's `rbp`).
    pub home: i32,
    /// The block that touched it first in the scan.
    pub block: u32,
    /// The register it should be computed into, or [`NO_HINT`].
    pub hint: u8,
    /// Used outside its block.
    pub global: bool,
    /// The home may be given to another value after the last use.
    pub owns_home: bool,
}

/// No preferred register.
pub const NO_HINT: u8 = 0xff;
/// No block has touched the value.
pub const NO_BLOCK: u32 = u32::MAX;

impl ValueState {
    /// A value nobody has seen.
    pub const NEW: ValueState = ValueState {
        uses: 0,
        place: Place::None,
        home: 0,
        block: NO_BLOCK,
        hint: NO_HINT,
        global: false,
        owns_home: false,
    };
}

/// What a lazy address starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LazyBase {
    /// The frame pointer.
    Frame,
    /// A value (one of its uses is held until the address is dead or computed).
    Value(Value),
    /// A symbol's address.
    Symbol(SymbolId),
    /// The address of a thread-local symbol in the local-exec model.
    ThreadLocal(SymbolId),
}

/// `base + index * scale + disp`
#[derive(Clone, Copy, Debug)]
pub struct LazyAddress {
    /// The start.
    pub base: LazyBase,
    /// A value (one of its uses is held likewise) and its factor.
    pub index: Option<(Value, Scale)>,
    /// Bytes added.
    pub disp: i32,
}

/// General registers handed out: the caller-saved ones, so that no prologue saves anything.
pub const GPR_POOL: RegSet = RegSet::of(&[RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11]);
/// SSE registers handed out: all (all are caller-saved).
pub const XMM_POOL: RegSet = RegSet(0xffff_0000);

/// Who is in which register.
#[derive(Clone, Debug)]
pub struct Registers {
    /// The value a register caches, by register number.
    pub owner: [PackedOption<Value>; 32],
    /// Registers with an owner.
    pub used: RegSet,
    /// Registers of the current instruction.
    pub pinned: RegSet,
    /// Where the search for a victim starts, so that eviction goes around.
    pub clock: u8,
}

impl Registers {
    /// All registers free.
    pub fn empty() -> Registers {
        Registers { owner: [None.into(); 32], used: RegSet::EMPTY, pinned: RegSet::EMPTY, clock: 0 }
    }
}

/// The stack frame below `rbp`, growing while the function is emitted.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Bytes in use below `rbp`.
    pub size: u64,
    /// Bytes of stack arguments, the most of all calls.
    pub outgoing: u64,
    /// Free temporary slots of 8 and of 16 bytes, as offsets from `rbp`.
    pub free: [Vec<i32>; 2],
    /// Slots whose last reader is the current instruction.
    pub pending: Vec<(u8, i32)>,
}

/// Frames beyond this are refused: offsets are 32-bit and half the range is left for arguments and
/// addressing.
pub const FRAME_LIMIT: u64 = 1 << 30;

impl Frame {
    /// Forgets the last function.
    pub fn clear(&mut self) {
        self.size = 0;
        self.free.iter_mut().for_each(Vec::clear);
        self.pending.clear();
    }

    /// A new area of `size` bytes, aligned to `align` (at most 16) from `rbp`, which is 16-byte
    /// aligned. Beyond [`FRAME_LIMIT`] the offset is meaningless and the function is refused at its
    /// end.
    pub fn allocate(&mut self, size: u64, align: u32) -> i32 {
        debug_assert!(align <= 16);
        self.size = self.size.saturating_add(size).min(u64::MAX / 2).next_multiple_of(u64::from(align));
        -(self.size.min(FRAME_LIMIT) as i64 as i32)
    }

    /// A temporary slot for `size` bytes: 8 (aligned so), 16 (aligned so), or larger ones (aligned
    /// to 16, never shared).
    pub fn slot(&mut self, size: u32) -> i32 {
        match size {
            0..=8 => self.free[0].pop().unwrap_or_else(|| self.allocate(8, 8)),
            9..=16 => self.free[1].pop().unwrap_or_else(|| self.allocate(16, 16)),
            _ => self.allocate(u64::from(size), 16),
        }
    }

    /// The home of a value. That of a global one is never a slot that was used before: a block
    /// emitted earlier, which put its temporaries there, may run while the value is alive.
    pub fn home(&mut self, size: u32, global: bool) -> i32 {
        match size {
            _ if !global => self.slot(size),
            0..=8 => self.allocate(8, 8),
            _ => self.allocate(u64::from(size), 16),
        }
    }

    /// Gives a slot back at the end of the current instruction.
    pub fn release(&mut self, offset: i32, size: u32) {
        if size <= 16 {
            self.pending.push((u8::from(size > 8), offset));
        }
    }

    /// The current instruction has ended.
    #[inline]
    pub fn end_instruction(&mut self) {
        while let Some((class, offset)) = self.pending.pop() {
            self.free[class as usize].push(offset);
        }
    }
}
