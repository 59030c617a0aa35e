//! Machine code over virtual registers: what selection makes, the register allocator rewrites and
//! emission encodes.
//!
//! Everything is dense: instructions in one vector in layout order, blocks as ranges of it, memory
//! operands, list operands and calls in side tables. Flow between blocks is by the terminators and
//! the successor lists only; there are no phis (each edge's copies are ordinary [`Op::Copy`]
//! instructions, critical edges have blocks of their own).

pub mod amode;
pub mod codes;
pub mod flags;
pub mod inst;
pub mod op;
pub mod operands;
pub mod print;
pub mod records;
#[cfg(test)]
mod tests;

use base::Loc;
use ir::AsmId;
use object::JumpTableForm;
use platform::registers::{Reg, RegSet};

pub use amode::{Amode, Base, Place};
pub use codes::{AddressCode, DoubleShift, Mxcsr, ScanCode, X87Form, X87Mem, X87Reg};
pub use inst::{MInst, MemId, VReg, bits};
pub use op::Op;
pub use operands::{Constraint, Kind, ListOperand, Pos, Role};
pub use records::{Arrival, ArrivalPlace, Computed, Held, MachineRecord, Source, Writes};

use crate::context::CallForm;

/// The file a virtual register belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// General-purpose.
    Gpr,
    /// SSE.
    Xmm,
}

/// A virtual register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VRegInfo {
    /// Its file.
    pub class: Class,
    /// Bytes to save when it is spilled: 8 for general registers; 4, 8, 16 or 32 for SSE registers.
    pub size: u8,
    /// Index in [`MachineFunction::remats`] of an instruction that makes the value again, or
    /// `u32::MAX`.
    pub remat: u32,
    /// An integer of at most 32 bits: who reads more of it than that relies on the upper half being
    /// clear.
    pub narrow: bool,
}

/// A stack slot of the frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameSlot {
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// Slots with the same non-zero group number may overlay each other's storage (computed from
    /// lifetimes): the colour.
    pub colour: u32,
}

/// A basic block of machine instructions.
#[derive(Clone, Debug, Default)]
pub struct MBlock {
    /// First instruction.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// Successors, each once.
    pub succs: smallvec::SmallVec<[u32; 2]>,
    /// Predecessors, each once.
    pub preds: smallvec::SmallVec<[u32; 2]>,
    /// Estimated executions per call of the function.
    pub frequency: f32,
    /// Loop nesting depth.
    pub loop_depth: u16,
    /// Whether a loop's header (for alignment).
    pub loop_header: bool,
    /// Its address is taken.
    pub address_taken: bool,
    /// The IR block, if it is not an edge block.
    pub ir_block: Option<ir::Block>,
}

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A module symbol.
    Symbol(ir::SymbolId, CallForm),
    /// A library routine by name.
    Library(&'static str, CallForm),
    /// The address in the first list operand.
    Register,
    /// The address in the memory operand.
    Memory,
}

/// What a call needs beyond its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallSite {
    /// Who is called.
    pub callee: Callee,
    /// Physical registers that the call destroys (bits 0..32).
    pub clobbers: u32,
}

/// What inline assembly needs beyond its operands. The list operands are, in order: one per
/// register output, then one per register input or memory address register; [`AsmPlaceholder`] says
/// which is which.
#[derive(Clone, Debug)]
pub struct AsmSite {
    /// The statement.
    pub asm: AsmId,
    /// Where each template operand is.
    pub places: Vec<AsmPlaceholder>,
    /// Physical registers destroyed.
    pub clobbers: u32,
    /// Its text calls, or names the stack pointer: it needs the frame.
    pub needs_frame: bool,
    /// `asm goto` labels: machine blocks.
    pub labels: Vec<u32>,
    /// `asm goto`: where control goes when no label is taken.
    pub fallthrough: Option<u32>,
}

/// Where a template operand of inline assembly is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AsmPlaceholder {
    /// The register of list operand number `0` (from the instruction's list start).
    Register(u32),
    /// The memory operand of this index in [`MachineFunction::amodes`].
    Memory(MemId),
    /// An integer.
    Immediate(i64),
    /// A symbol plus an offset.
    Symbol(ir::SymbolId, i64),
    /// x87 register number.
    X87(u8),
    /// Not named in the template (condition-code outputs).
    Nothing,
}

/// A jump table.
#[derive(Clone, Debug)]
pub struct JumpTable {
    /// Machine blocks.
    pub targets: Vec<u32>,
    /// Form of an entry.
    pub form: JumpTableForm,
}

/// Where a block stands to the function's frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The frame is set up.
    Framed,
    /// The frame is not set up yet, and stays so until control leaves for a prologue or returns.
    Unframed,
    /// Sets the frame up, then does what is in the block.
    Prologue,
}

/// The machine code of one function.
#[derive(Clone, Debug, Default)]
pub struct MachineFunction {
    /// Instructions in layout order.
    pub insts: Vec<MInst>,
    /// Source location of each instruction.
    pub locs: Vec<Loc>,
    /// Blocks in layout order.
    pub blocks: Vec<MBlock>,
    /// Virtual registers.
    pub vregs: Vec<VRegInfo>,
    /// Those that are in a register of their own all the time, which nothing else has.
    pub pinned: Vec<(VReg, Reg)>,
    /// Memory operands.
    pub amodes: Vec<Amode>,
    /// List operands.
    pub lists: Vec<ListOperand>,
    /// Calls.
    pub calls: Vec<CallSite>,
    /// Inline assembly.
    pub asms: Vec<AsmSite>,
    /// Targets of indirect jumps.
    pub jump_targets: Vec<Vec<u32>>,
    /// Jump tables.
    pub jump_tables: Vec<JumpTable>,
    /// By target list: the jump table it belongs to, if it is not a computed goto's.
    pub list_tables: Vec<Option<u32>>,
    /// Instructions before which a register is to be zeroed (peephole), ascending within a block.
    pub zero_before: Vec<(u32, VReg)>,
    /// After allocation: the blocks in the order in which they are emitted, those made for critical
    /// edges among them.
    pub order: Vec<u32>,
    /// By block; empty if the frame is set up at the function's entry.
    pub stages: Vec<Stage>,
    /// Read-only constants of up to 16 bytes: contents, size.
    pub constants: Vec<(u128, u8)>,
    /// Library routines whose addresses are taken.
    pub library_names: Vec<&'static str>,
    /// Calls a function that returns twice: what lives across keeps its own slot.
    pub calls_setjmp: bool,
    /// Frame slots.
    pub slots: Vec<FrameSlot>,
    /// Slots of allocas, for debug information, ascending.
    pub variable_slots: Vec<(ir::Inst, u32)>,
    /// Which variables hold what, from which instruction on.
    pub debug_values: Vec<MachineRecord>,
    /// How some of them are computed.
    pub computed: Vec<Computed>,
    /// The variables for which there are [`Source::Part`]s, in the order of their numbers.
    pub parts: Vec<u32>,
    /// Debug information describes the function.
    pub described: bool,
    /// Where the variables of parameters are at entry.
    pub arrivals: Vec<Arrival>,
    /// What each instruction writes, if the function is described: known from allocation on.
    pub writes: Vec<Writes>,
    /// Instructions that make a value again.
    pub remats: Vec<MInst>,
    /// Code labels of the IR function (`&&label`), as machine blocks.
    pub labels: Vec<u32>,
    /// Bytes of outgoing stack arguments, the largest of all calls.
    pub outgoing_size: u32,
    /// Alignment that arguments ask of the outgoing area, besides the calls' own.
    pub outgoing_align: u32,
    /// Contains a call (so that `rsp` must be aligned and the red zone is not usable).
    pub has_calls: bool,
    /// Moves `rsp` at run time.
    pub has_dynamic_stack: bool,
    /// Needs `rbp` as frame pointer for its own sake (`__builtin_frame_address`, dynamic stack,
    /// `-fno-omit-frame-pointer`).
    pub needs_frame_pointer: bool,
    /// All callee-saved registers must be saved (`__builtin_setjmp` receivers,
    /// `__builtin_unwind_init`).
    pub saves_all: bool,
    /// Also saves the registers that carry an exception to its handler (`__builtin_eh_return`).
    pub eh_return: bool,
    /// Whether `rbp` is kept out of the allocator's hands although there is no frame pointer.
    pub reserves_rbp: bool,
    /// No prologue and epilogue.
    pub naked: bool,
    /// Slot of the variadic register save area, if there is one.
    pub save_area: Option<u32>,
    /// Slot that the prologue fills with all argument registers, in the layout of the save area.
    pub argument_registers: Option<u32>,
    /// Slot of the list of armed cleanups, for the landing pad.
    pub cleanup_list: Option<u32>,
    /// Alignment of the stack that the function finds, and that at its calls: 8 or 16.
    pub incoming_align: u64,
    /// See [`MachineFunction::incoming_align`].
    pub call_align: u64,
    /// Entered by the processor: every register is kept, the stack may lie anywhere.
    pub interrupt: bool,
    /// General registers that are kept besides the callee-saved ones (`no_caller_saved_registers`).
    pub kept: RegSet,
    /// Of the Microsoft x64 convention: keeps [`platform::registers::MS_CALLEE_SAVED`] too.
    pub ms_abi: bool,
    /// Frame slots that are nothing but `long double` values.
    pub x87_values: Vec<u32>,
}

impl MachineFunction {
    /// The slot of an alloca, if [`MachineFunction::variable_slots`] has it.
    pub fn slot_of(&self, alloca: ir::Inst) -> Option<Base> {
        let found = self.variable_slots.binary_search_by_key(&alloca, |slot| slot.0).ok()?;
        Some(Base::Slot(self.variable_slots[found].1))
    }

    /// A new virtual register.
    pub fn new_vreg(&mut self, class: Class, size: u8) -> VReg {
        self.vregs.push(VRegInfo { class, size, remat: u32::MAX, narrow: false });
        VReg::new(self.vregs.len() - 1)
    }

    /// A new memory operand.
    pub fn new_mem(&mut self, amode: Amode) -> MemId {
        self.amodes.push(amode);
        MemId(self.amodes.len() as u32 - 1)
    }

    /// A new frame slot.
    pub fn new_slot(&mut self, size: u64, align: u32) -> u32 {
        self.slots.push(FrameSlot { size, align, colour: 0 });
        self.slots.len() as u32 - 1
    }

    /// The amode of an instruction's memory operand.
    pub fn amode(&self, mem: MemId) -> &Amode {
        &self.amodes[mem.0 as usize]
    }

    /// The instructions of a block.
    pub fn block_insts(&self, block: usize) -> &[MInst] {
        let b = &self.blocks[block];
        &self.insts[b.start as usize..b.end as usize]
    }

    /// Where a block stands to the frame.
    #[inline]
    pub fn stage(&self, block: u32) -> Stage {
        self.stages.get(block as usize).copied().unwrap_or(Stage::Framed)
    }

    /// Calls back with the blocks to which control may go from a block's end, by its last
    /// instruction.
    pub fn for_each_successor(&self, block: u32, mut visit: impl FnMut(u32)) {
        let last = self.blocks[block as usize].end as usize - 1;
        let inst = &self.insts[last];
        match inst.op {
            Op::Jmp => visit(inst.target()),
            Op::Jcc | Op::Fork => {
                visit(inst.target());
                visit(inst.else_block());
            }
            Op::JmpInd => self.jump_targets[inst.index()].iter().for_each(|&t| visit(t)),
            Op::AsmGoto => {
                let site = &self.asms[inst.index()];
                site.fallthrough.iter().chain(&site.labels).for_each(|&t| visit(t));
            }
            _ => {}
        }
    }

    /// Physical registers that an instruction destroys besides its definitions.
    pub fn clobbers(&self, inst: &MInst) -> u32 {
        match inst.op {
            Op::Call | Op::TailCall => self.calls[inst.index()].clobbers,
            // What jumps there leaves global register variables as it has set them.
            Op::ClobberAll => {
                let variables = self.pinned.iter().fold(0, |variables, pinned| variables | 1 << pinned.1.0);
                !(set(&[platform::registers::RSP, platform::registers::RBP]) | variables)
            }
            Op::Asm | Op::AsmGoto => self.asms[inst.index()].clobbers,
            Op::Address if inst.address_form().is_far() => set(&[platform::registers::R11]),
            Op::TlsGeneral | Op::TlsModule => CALLER_SAVED & !(1 << platform::registers::RAX.0),
            Op::RepMovs => set(&[platform::registers::RDI, platform::registers::RSI, platform::registers::RCX]),
            Op::RepStos => set(&[platform::registers::RDI, platform::registers::RCX]),
            _ => 0,
        }
    }
}

/// The set of registers as bits.
pub const fn set(regs: &[Reg]) -> u32 {
    let mut bits = 0;
    let mut i = 0;
    while i < regs.len() {
        bits |= 1 << regs[i].0;
        i += 1;
    }
    bits
}

/// Registers that a call may change (psABI 3.2.1): all but `rbx rbp rsp r12..r15`.
pub const CALLER_SAVED: u32 = !set(&{
    use platform::registers::*;
    [RBX, RBP, RSP, R12, R13, R14, R15]
});
