//! What the register allocator is given and what it gives back. It knows nothing of machine
//! instructions.
//!
//! # Input
//! A [`Problem`] lists blocks in layout order; each is a run of instructions, each instruction a
//! run of [`Operand`]s plus the set of registers it clobbers. Virtual registers ([`VReg`]) are
//! *not* SSA: a vreg may have any number of definitions (a phi class is one vreg, defined in
//! several blocks). The producer builds it front to back:
//! ```text
//! let mut p = Problem::new(config);
//! let v = p.new_vreg(RegClass::Gpr, 8, None);
//! let b0 = p.begin_block(1.0, 0);           // frequency, loop depth; the first block is the entry
//! // parameters
//! p.push_inst(InstFlags::NONE, RegSet::EMPTY, &[Operand::def(v, Constraint::Fixed(RDI))]);
//! ...
//! // successors, as BlockIndex numbers; forward references are fine
//! p.end_block(&[b1, b2]);
//! let result = regalloc::allocate(&mut p);
//! ```
//!
//! # Two moments per instruction
//! Every instruction has an *early* and a *late* moment. Uses are read early and definitions are
//! written late unless said otherwise, so a definition may take the register of a use that ends
//! there. An early definition (an early-clobber output, a scratch register) is written while the
//! inputs are still needed and keeps its register to the end of the instruction. A late use is
//! still needed while the outputs are written. Clobbers happen late: an early use may sit in a
//! clobbered register, nothing that lives across may.
//!
//! # Constraints
//! - [`Constraint::Reg`]: some register of the vreg's class.
//! - [`Constraint::Any`]: a register or the vreg's spill slot (the instruction has a form with a
//!   memory operand).
//! - [`Constraint::Fixed`]: this register. The allocator inserts a move where the vreg lives
//!   elsewhere, so the vreg is free to live anywhere, also across. Two fixed operands of one
//!   instruction may name one register only if one is read early and the other written late, or
//!   both are uses of one vreg. A fixed register must not also be in the clobber set unless it is
//!   an early use.
//! - [`Constraint::Reuse`]`(k)` on a definition: the same register as operand number `k` of the
//!   instruction, a `Use` (early, constraint `Reg` or `Any`, which is ignored). The allocator
//!   copies the use into the definition's register if the use lives on or could not be coalesced;
//!   from the early moment on the register belongs to the definition, so it differs from the
//!   registers of all other uses (unless they are the very same vreg and hold the same value
//!   there). Both operands get the same allocation. With [`InstFlags::COMMUTATIVE`] the allocator
//!   may exchange the tied use with the next use operand when that saves the copy: it exchanges the
//!   *vregs* in `Problem::operands`; the instruction just reads its allocations.
//! - [`Constraint::Stack`]: the spill slot, never a register.
//! - `UseDef` kinds read and write one vreg in one place (`Reg` or `Any`; `Fixed` too).
//!
//! # Moves
//! An instruction flagged [`InstFlags::MOVE`] has operands in pairs `use s, def d` (constraint
//! `Any`) and is one *parallel* copy of all pairs: phi copies of an edge, or a plain copy when
//! there is one pair. The allocator coalesces what it can and turns the rest into inserted moves
//! before the instruction; the instruction itself must emit nothing.
//!
//! # Edges
//! Critical edges need not be split. Where a move is needed on an edge it goes to the end of the
//! predecessor (before its terminator) if that has one successor and a terminator without operands,
//! to the beginning of the successor if that has one predecessor, and else it is reported in
//! [`Allocations::edge_moves`]: emission makes a block for that edge. Edges out of indirect
//! branches must therefore be split by the producer (one block per label): their targets have one
//! predecessor each. Definitions by terminators (`asm goto` outputs) hold on all outgoing edges.
//!
//! # Rematerialisation
//! A vreg made with a recipe number has exactly one definition, by an instruction that has no other
//! effect and no operand besides that (Reg, late) definition, and can be computed again at any
//! point (constants, addresses of symbols or of the frame). It is never stored: where its register
//! was taken, [`MoveOp::Rematerialize`] computes it again. If no register ever needs the original
//! one, the definition's operand gets [`Allocation::NONE`] and the instruction must be skipped.
//!
//! # Flags
//! Inserted moves may fall between an instruction that sets the condition codes and one that reads
//! them: emission must use forms that keep them there (`mov $0` rather than `xor`). Condition codes
//! must not live across block boundaries.

use cranelift_entity::{EntityRef, entity_impl};
pub use platform::registers::{Reg, RegSet};

/// A virtual register.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VReg(u32);
entity_impl!(VReg, "%");

/// An instruction: its position in [`Problem::insts`], which is layout order.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstIndex(u32);
entity_impl!(InstIndex, "i");

/// A block: its position in [`Problem::blocks`], which is layout order.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockIndex(u32);
entity_impl!(BlockIndex, "b");

/// The two register files that are allocated.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum RegClass {
    /// `rax` to `r15`: [`Reg`] numbers 0..16.
    Gpr,
    /// `xmm0` to `xmm15`: [`Reg`] numbers 16..32.
    Xmm,
}

impl RegClass {
    /// The class of an allocatable register.
    pub fn of(reg: Reg) -> RegClass {
        if reg.is_gpr() { RegClass::Gpr } else { RegClass::Xmm }
    }

    /// The bits of this class in a 32-bit register mask.
    pub fn mask(self) -> u32 {
        match self {
            RegClass::Gpr => 0xffff,
            RegClass::Xmm => 0xffff_0000,
        }
    }
}

/// What is known about a virtual register.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct VRegData {
    /// Its register file.
    pub class: RegClass,
    /// Bytes of a spill slot: 8 for general registers and scalar floats, 16 or 32 for vectors.
    pub spill_bytes: u8,
    /// Bytes that moves have to carry: `spill_bytes`, or 4 if nobody reads more.
    pub move_bytes: u8,
    /// The producer's number of the recipe that computes it again, `u32::MAX` if there is none. See
    /// the module documentation.
    pub remat: u32,
}

impl VRegData {
    /// The recipe that computes it again.
    pub fn remat_recipe(&self) -> Option<u32> {
        (self.remat != u32::MAX).then_some(self.remat)
    }
}

/// Whether an operand is read or written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OperandKind {
    /// Read.
    Use,
    /// Written; what was there before is not read.
    Def,
    /// Read and written in the same place.
    UseDef,
}

/// The moment within its instruction; see the module documentation.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OperandPos {
    /// Before the outputs are written.
    Early,
    /// While the outputs are written.
    Late,
}

/// Where an operand may be.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Constraint {
    /// Any register of the class.
    Reg,
    /// Any register of the class, or the spill slot.
    Any,
    /// This register.
    Fixed(Reg),
    /// A definition in the same register as the use with this operand number (within the
    /// instruction).
    Reuse(u8),
    /// The spill slot.
    Stack,
}

/// An operand of an instruction, packed in 8 bytes.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Operand {
    vreg: VReg,
    bits: u32,
}

impl Operand {
    /// An operand with everything said.
    pub fn new(vreg: VReg, kind: OperandKind, pos: OperandPos, constraint: Constraint) -> Operand {
        let (tag, payload) = match constraint {
            Constraint::Reg => (0, 0),
            Constraint::Any => (1, 0),
            Constraint::Fixed(reg) => (2, reg.0),
            Constraint::Reuse(index) => (3, index),
            Constraint::Stack => (4, 0),
        };
        Operand { vreg, bits: kind as u32 | (pos as u32) << 2 | tag << 4 | (payload as u32) << 8 }
    }

    /// The virtual register.
    #[inline]
    pub fn vreg(self) -> VReg {
        self.vreg
    }

    /// Read or written.
    #[inline]
    pub fn kind(self) -> OperandKind {
        match self.bits & 3 {
            0 => OperandKind::Use,
            1 => OperandKind::Def,
            _ => OperandKind::UseDef,
        }
    }

    /// Early or late.
    #[inline]
    pub fn pos(self) -> OperandPos {
        if self.bits & 4 == 0 { OperandPos::Early } else { OperandPos::Late }
    }

    /// Where it may be.
    #[inline]
    pub fn constraint(self) -> Constraint {
        let payload = (self.bits >> 8) as u8;
        match self.bits >> 4 & 7 {
            0 => Constraint::Reg,
            1 => Constraint::Any,
            2 => Constraint::Fixed(Reg(payload)),
            3 => Constraint::Reuse(payload),
            _ => Constraint::Stack,
        }
    }

    /// Whether it reads its vreg.
    #[inline]
    pub fn reads(self) -> bool {
        self.bits & 3 != OperandKind::Def as u32
    }

    /// Whether it writes its vreg.
    #[inline]
    pub fn writes(self) -> bool {
        self.bits & 3 != OperandKind::Use as u32
    }
}

impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.kind() {
            OperandKind::Use => "use",
            OperandKind::Def => "def",
            OperandKind::UseDef => "mod",
        };
        let pos = if self.pos() == OperandPos::Early { "early" } else { "late" };
        write!(f, "{kind} {} {pos} {:?}", self.vreg, self.constraint())
    }
}

/// Facts about an instruction.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct InstFlags(pub u8);

impl InstFlags {
    /// Nothing special.
    pub const NONE: InstFlags = InstFlags(0);
    /// A parallel copy; see the module documentation.
    pub const MOVE: InstFlags = InstFlags(1);
    /// The use tied by [`Constraint::Reuse`] and the next use operand may be exchanged.
    pub const COMMUTATIVE: InstFlags = InstFlags(2);
    /// Its encoding has a prefix only for the registers it may name, 8 to 15.
    pub const SHORT: InstFlags = InstFlags(4);
    /// The definitions are values that are in their registers when the function is entered.
    pub const ENTRY: InstFlags = InstFlags(8);

    /// Whether all flags of `other` are set.
    #[inline]
    pub fn contains(self, other: InstFlags) -> bool {
        self.0 & other.0 == other.0
    }
}

impl std::ops::BitOr for InstFlags {
    type Output = InstFlags;
    fn bitor(self, other: InstFlags) -> InstFlags {
        InstFlags(self.0 | other.0)
    }
}

/// One instruction.
#[derive(Copy, Clone, Debug)]
pub struct InstData {
    /// Its first operand in [`Problem::operands`]; the next instruction's first operand ends them.
    pub operands: u32,
    /// Registers lost at the late moment, bit per [`Reg`] number 0..32.
    pub clobbers: u32,
    /// Its flags.
    pub flags: InstFlags,
}

/// One block.
#[derive(Clone, Debug)]
pub struct BlockData {
    /// Its first instruction.
    pub first: u32,
    /// One past its last instruction; never empty, the last one is the terminator.
    pub end: u32,
    /// Its successors in [`Problem::edges`].
    pub succs: std::ops::Range<u32>,
    /// Its predecessors in [`Problem::edges`].
    pub preds: std::ops::Range<u32>,
    /// Estimated executions per call of the function; the entry has 1.0.
    pub frequency: f32,
    /// How many loops it is in.
    pub loop_depth: u16,
}

/// The machine as the allocator sees it.
#[derive(Clone, Debug)]
pub struct Config {
    /// The registers of either class that may be handed out, the preferred ones first.
    pub order: Vec<Reg>,
    /// Registers that the function must preserve.
    pub callee_saved: RegSet,
    /// Registers outside of the allocator's hands, which only operands fixed to them read and
    /// write; see [`Config::reserve`].
    pub reserved: RegSet,
    /// What a block's frequency is if it never runs: the size of code counts, too.
    pub least_frequency: f32,
    /// Whether the symbolic checker runs even in release builds.
    pub verify: bool,
    /// Whether a call may return a second time, as setjmp does. What a spill slot holds at the
    /// first return must then still be there at the second, although no path of the control-flow
    /// graph leads back: slots are not shared and copies not coalesced.
    pub returns_twice: bool,
    /// Whether [`Allocations::locations`] is wanted, for debug information.
    pub want_locations: bool,
}

impl Config {
    /// System V x86-64: `rsp` is never handed out, `rbp` only without a frame pointer. Registers
    /// without a REX prefix come first; `r12` comes last, because a memory operand with it as the
    /// base is a byte longer, after `r13`, with which it is one without a displacement.
    pub fn sysv(frame_pointer: bool) -> Config {
        use platform::registers::*;
        let mut order = vec![RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11, RBX, RBP, R14, R15, R13, R12];
        if frame_pointer {
            order.retain(|&r| r != RBP);
        }
        order.extend((0..16).map(Reg::xmm));
        Config {
            order,
            callee_saved: RegSet::of(&CALLEE_SAVED),
            reserved: RegSet::EMPTY,
            least_frequency: 0.0,
            verify: false,
            returns_twice: false,
            want_locations: false,
        }
    }

    /// Takes registers out of the allocator's hands: they are neither given to values nor
    /// preserved. Operands fixed to them are read and written there all the same.
    pub fn reserve(&mut self, registers: RegSet) {
        self.order.retain(|&r| !registers.contains(r));
        self.callee_saved = self.callee_saved.difference(registers);
        self.reserved = self.reserved.union(registers);
    }
}

/// The allocator's input; see the module documentation.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The machine.
    pub config: Config,
    /// Virtual registers.
    pub vregs: Vec<VRegData>,
    /// Those that are in a reserved register all the time, which no operand of another names.
    pub pinned: Vec<(VReg, Reg)>,
    /// Blocks in layout order, the entry first.
    pub blocks: Vec<BlockData>,
    /// Instructions in layout order.
    pub insts: Vec<InstData>,
    /// All operands, instruction by instruction.
    pub operands: Vec<Operand>,
    /// Successor and predecessor lists, one entry per distinct neighbour.
    pub edges: Vec<BlockIndex>,
}

impl Problem {
    /// An empty problem.
    pub fn new(config: Config) -> Problem {
        Problem {
            config,
            vregs: Vec::new(),
            pinned: Vec::new(),
            blocks: Vec::new(),
            insts: Vec::new(),
            operands: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// A new virtual register with a spill slot of `spill_bytes` (8, 16 or 32), perhaps with a
    /// recipe that computes it again.
    pub fn new_vreg(&mut self, class: RegClass, spill_bytes: u8, remat: Option<u32>) -> VReg {
        let remat = remat.unwrap_or(u32::MAX);
        self.vregs.push(VRegData { class, spill_bytes, move_bytes: spill_bytes, remat });
        VReg::new(self.vregs.len() - 1)
    }

    /// Starts the next block. Its number is how many there were.
    pub fn begin_block(&mut self, frequency: f32, loop_depth: u16) -> BlockIndex {
        let first = self.insts.len() as u32;
        self.blocks.push(BlockData { first, end: first, succs: 0..0, preds: 0..0, frequency, loop_depth });
        BlockIndex::new(self.blocks.len() - 1)
    }

    /// Adds an instruction to the block begun last. `clobbers` are lost at its late moment.
    pub fn push_inst(&mut self, flags: InstFlags, clobbers: RegSet, operands: &[Operand]) -> InstIndex {
        let start = self.operands.len() as u32;
        self.operands.extend_from_slice(operands);
        self.insts.push(InstData { operands: start, clobbers: clobbers.0 as u32, flags });
        InstIndex::new(self.insts.len() - 1)
    }

    /// Ends the block begun last; its last instruction is its terminator. Successors listed twice
    /// count once.
    pub fn end_block(&mut self, succs: &[BlockIndex]) {
        let start = self.edges.len();
        for (at, &succ) in succs.iter().enumerate() {
            // A switch with many cases to few blocks: the quadratic search is only over distinct
            // targets when they are few.
            let seen = if at <= 16 { self.edges[start..].contains(&succ) } else { false };
            if !seen {
                self.edges.push(succ);
            }
        }
        if succs.len() > 16 {
            let tail = &mut self.edges[start..];
            tail.sort_unstable();
            let mut kept = start;
            for at in start..self.edges.len() {
                if at == start || self.edges[at] != self.edges[kept - 1] {
                    self.edges[kept] = self.edges[at];
                    kept += 1;
                }
            }
            self.edges.truncate(kept);
        }
        let end = self.edges.len() as u32;
        let insts = self.insts.len() as u32;
        let block = self.blocks.last_mut().expect("a block was begun");
        debug_assert!(insts > block.first, "a block needs a terminator");
        block.end = insts;
        block.succs = start as u32..end;
    }

    /// The successors of a block.
    pub fn succs(&self, block: BlockIndex) -> &[BlockIndex] {
        let range = &self.blocks[block.index()].succs;
        &self.edges[range.start as usize..range.end as usize]
    }

    /// The predecessors of a block (known once allocation has begun).
    pub fn preds(&self, block: BlockIndex) -> &[BlockIndex] {
        let range = &self.blocks[block.index()].preds;
        &self.edges[range.start as usize..range.end as usize]
    }

    /// The operand numbers of an instruction, into [`Problem::operands`] and
    /// [`Allocations::operands`].
    #[inline]
    pub fn operand_range(&self, inst: InstIndex) -> std::ops::Range<usize> {
        let next = self.insts.get(inst.index() + 1).map_or(self.operands.len(), |i| i.operands as usize);
        self.insts[inst.index()].operands as usize..next
    }

    /// Fills in the predecessor lists.
    pub fn compute_preds(&mut self) {
        let mut counts = vec![0u32; self.blocks.len() + 1];
        let succ_end = self.blocks.iter().map(|b| b.succs.end).max().unwrap_or(0) as usize;
        self.edges.truncate(succ_end);
        for succ in &self.edges {
            counts[succ.index()] += 1;
        }
        let mut at = succ_end as u32;
        for (block, count) in self.blocks.iter_mut().zip(&counts) {
            block.preds = at..at;
            at += count;
        }
        self.edges.resize(at as usize, BlockIndex::new(0));
        for block in 0..self.blocks.len() {
            for edge in self.blocks[block].succs.clone() {
                let succ = self.edges[edge as usize].index();
                let slot = self.blocks[succ].preds.end;
                self.edges[slot as usize] = BlockIndex::new(block);
                self.blocks[succ].preds.end += 1;
            }
        }
    }
}

/// Where a value is: nowhere, in a register or in a spill slot; packed in 4 bytes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Allocation(u32);

const SLOT_TAG: u32 = 1 << 31;

impl Allocation {
    /// Nowhere: a definition that nobody needs (a skipped rematerialisable one), or an operand of a
    /// [`InstFlags::MOVE`] that vanished.
    pub const NONE: Allocation = Allocation(0);

    /// In a register.
    pub fn reg(reg: Reg) -> Allocation {
        Allocation(1 + reg.0 as u32)
    }

    /// In a spill slot (index into [`Allocations::slots`]).
    pub fn slot(slot: u32) -> Allocation {
        Allocation(SLOT_TAG | slot)
    }

    /// The register, if it is in one.
    #[inline]
    pub fn as_reg(self) -> Option<Reg> {
        (self.0 != 0 && self.0 & SLOT_TAG == 0).then(|| Reg((self.0 - 1) as u8))
    }

    /// The spill slot, if it is in one.
    #[inline]
    pub fn as_slot(self) -> Option<u32> {
        (self.0 & SLOT_TAG != 0).then_some(self.0 & !SLOT_TAG)
    }

    /// Whether it is nowhere.
    pub fn is_none(self) -> bool {
        self == Allocation::NONE
    }
}

impl std::fmt::Debug for Allocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.as_reg(), self.as_slot()) {
            (Some(reg), _) => write!(f, "{reg:?}"),
            (_, Some(slot)) => write!(f, "slot{slot}"),
            _ => write!(f, "none"),
        }
    }
}

/// One inserted operation. Never memory to memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum MoveOp {
    /// Copies `bytes` (8, 16 or 32; whole register of its class) from one place to another. At most
    /// one of them is a slot; two registers are of one class. The register's own class says which
    /// instruction it takes: 8 bytes on their way from slot to slot may pass through an SSE
    /// register although the value is an integer, and the other way around.
    Move {
        /// Where the value is.
        from: Allocation,
        /// Where it goes.
        to: Allocation,
        /// Width.
        bytes: u8,
    },
    /// Exchanges two general registers (`xchg`).
    Swap {
        /// One register.
        a: Reg,
        /// The other.
        b: Reg,
    },
    /// Computes `vreg` (made with a recipe) into a register.
    Rematerialize {
        /// What to compute.
        vreg: VReg,
        /// Where to.
        to: Reg,
    },
}

/// An operation inserted before an instruction; several before one are in order.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct InsertedMove {
    /// The instruction.
    pub before: InstIndex,
    /// What to do.
    pub op: MoveOp,
}

/// An operation on a critical edge; several on one edge are adjacent and in order.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct EdgeMove {
    /// The block left.
    pub pred: BlockIndex,
    /// The block entered.
    pub succ: BlockIndex,
    /// What to do.
    pub op: MoveOp,
}

/// A spill slot to be laid out in the frame.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SlotData {
    /// Size and alignment in bytes: 8, 16 or 32.
    pub bytes: u8,
}

/// Where a vreg is over a stretch of code, for debug information.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct VRegLocation {
    /// The virtual register.
    pub vreg: VReg,
    /// From (and including) this instruction.
    pub from: InstIndex,
    /// Up to and excluding this instruction.
    pub to: InstIndex,
    /// The place.
    pub place: Allocation,
    /// The instruction before the end leaves the value there.
    pub lasts: bool,
}

/// The allocator's output.
#[derive(Clone, Debug, Default)]
pub struct Allocations {
    /// The place of every operand, parallel to [`Problem::operands`].
    pub operands: Vec<Allocation>,
    /// Operations to insert, ordered by instruction.
    pub moves: Vec<InsertedMove>,
    /// Operations on critical edges, ordered by (predecessor, successor).
    pub edge_moves: Vec<EdgeMove>,
    /// Spill slots.
    pub slots: Vec<SlotData>,
    /// Registers that the function writes, clobbers of calls among them.
    pub written: RegSet,
    /// The same without those that only the entry defines: what is different after a call of the
    /// function.
    pub changed: RegSet,
    /// Callee-saved registers that the function writes and so must save.
    pub used_callee_saved: RegSet,
    /// Where each vreg is when, sorted by (vreg, from); only if [`Config::want_locations`].
    pub locations: Vec<VRegLocation>,
    /// What it cost.
    pub stats: Stats,
}

counts! {
    /// Counts for `--stats`.
    pub struct Stats {
        /// Virtual registers.
        pub vregs: u32,
        /// Copies and ties given one register by coalescing.
        pub coalesced: u32,
        /// Register to register moves inserted.
        pub moves: u32,
        /// Exchanges inserted.
        pub swaps: u32,
        /// Stores to spill slots inserted.
        pub stores: u32,
        /// Loads from spill slots inserted.
        pub reloads: u32,
        /// Rematerialisations inserted.
        pub remats: u32,
        /// Spill slots.
        pub slots: u32,
    }
}
