//! The state of selecting one function: values and their registers, use counts, the instructions
//! made so far.
//!
//! Blocks are selected in postorder and each block from its end, so that every use is seen before
//! its definition: an instruction whose results nobody asked for (because it was folded into its
//! users, or was dead) is never selected. The machine instructions of one IR instruction are made
//! forward in [`Ctx::seq`] and appended reversed to [`Ctx::rev`]; [`crate::select::finish`] turns
//! everything around.
//!
//! The state and what it answers about the IR are here; [`folding`] says what may be computed at
//! its user, [`values`] gives values their registers, [`instructions`] makes machine instructions.

mod folding;
mod instructions;
mod values;
pub use values::is_wide_type;

use base::Loc;
use cranelift_entity::EntityRef;
use ir::{Block, Constant, Function, Inst, InstData, Opcode, Type, Value, ValueDef, analysis};
use object::Size;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::register_variables::RegisterVariable;

use platform::options::X86Features;

use crate::{
    context::{BackendError, Context},
    eliminate_phis::PhiElimination,
    machine::{MInst, MachineFunction, VReg},
};
use folding::Facts;
pub use values::Holder;

/// A constant wanted at the end of a block outside the loops that use it.
#[derive(Clone, Copy, Debug)]
pub struct Hoisted {
    /// The constant or alloca.
    pub value: Value,
    /// The register that will hold it.
    pub reg: VReg,
    /// Which loop it is for (of several live at once).
    pub block: Block,
}

/// A jump table whose address is wanted at the end of a block outside the loop that jumps by it.
#[derive(Clone, Copy, Debug)]
pub struct HoistedTable {
    /// Index in [`MachineFunction::jump_tables`].
    pub table: u32,
    /// The register that will hold its address.
    pub reg: VReg,
    /// Where it is made.
    pub block: Block,
}

/// A constant that an instruction of the block has in a register.
#[derive(Clone, Copy)]
pub struct LocalConstant {
    /// The constant.
    pub value: Value,
    /// The register.
    pub reg: VReg,
    /// How much code was there before the instruction.
    pub at: usize,
}

/// State of selecting one function.
pub struct Ctx<'a> {
    /// Module and options.
    pub cx: Context<'a>,
    /// The function.
    pub func: &'a Function,
    /// Its flow graph.
    pub cfg: &'a analysis::Cfg,
    /// Its loops.
    pub loops: &'a analysis::LoopTree,
    /// Phi classes and edge copies.
    pub phis: &'a PhiElimination,
    /// What is being made.
    pub out: MachineFunction,
    /// The root works on 32-byte vectors as wholes: each is in one register, and so are
    /// temporaries.
    pub whole: bool,
    /// There if the root's 32-byte result is computed in two parts, to be joined: the first of
    /// them.
    pub apart: Option<VReg>,
    /// Instructions of the IR instruction being selected, forward.
    pub seq: Vec<MInst>,
    /// All instructions, backward, with their locations.
    pub rev: Vec<MInst>,
    /// Locations parallel to `rev`.
    pub rev_locs: Vec<Loc>,
    /// Range of `rev` of each block id, in order of selection: (block id, start, end).
    pub segments: Vec<(u32, u32, u32)>,
    /// Records of variables: the length of `rev` after which they stand, and the IR instruction
    /// that they precede.
    pub debug_marks: Vec<(u32, Inst)>,
    /// The global register variables that the function accesses.
    pub register_variables: Vec<RegisterVariable>,
    /// Use counts of values.
    pub uses: Vec<u32>,
    /// First register (or slot number) of each value; `NONE` until asked for. Only values outside
    /// phi classes.
    regs: Vec<VReg>,
    /// The same for phi classes.
    class_regs: Vec<VReg>,
    /// Whether someone asked for the value.
    needed: Vec<bool>,
    /// Facts by instruction.
    pub facts: Vec<Facts>,
    /// The IR instruction being selected.
    pub root: Inst,
    /// The block being selected.
    pub block: Block,
    /// Whether single-use loads may be folded into what is being selected.
    pub fold_loads: bool,
    /// The volatile load that is part of an instruction after it.
    pub folded: Option<Inst>,
    /// Frame slot of each alloca by instruction (`u32::MAX`: none).
    alloca_slots: Vec<u32>,
    /// Allocas that share memory with others.
    shared_slots: FxHashMap<Inst, analysis::slot_colours::Shared>,
    /// Constants hoisted out of loops, per block (index of the first in `hoisted`, chained).
    pub hoisted: Vec<Hoisted>,
    /// By value: its latest entry in `hoisted`. Empty until the first one.
    pub hoist_of: Vec<u32>,
    /// By block: the entries to be made at its end.
    pub hoists_in_block: Vec<Vec<u32>>,
    /// Jump tables whose addresses are wanted at the end of a block before the loops that use them.
    pub hoisted_tables: Vec<HoistedTable>,
    /// By outermost loop: the block before it where constants can be made, if there is one.
    pub hoist_places: FxHashMap<ir::analysis::Loop, Option<Block>>,
    /// Constants that instructions of the block, from the one being selected down to the next call,
    /// have in registers.
    pub local_constants: Vec<LocalConstant>,
    /// The symbol constant matched last by an address.
    pub last_symbol: Option<Value>,
    /// Machine blocks made besides the IR's.
    pub extra_blocks: u32,
    /// The call that the block being selected ends with, as a jump.
    pub tail_call: Option<Inst>,
    /// The static chain's register, if it is used.
    pub static_chain: Option<VReg>,
    /// Errors in the program found so far.
    pub errors: Vec<BackendError>,
    /// Divisions that define a later one's result as well, the remainder or quotient, and the
    /// register for it.
    pub paired: Vec<(Inst, VReg)>,
    /// By class: the block last scanned and the position of the next definition in it.
    scratch_next_def: Vec<(u32, u32)>,
    /// Incoming argument layout.
    pub layout: ir::abi::CallLayout,
    /// Instruction-set extensions of the function.
    pub features: X86Features,
}

impl<'a> Ctx<'a> {
    /// A fresh state.
    pub fn new(
        cx: Context<'a>,
        func: &'a Function,
        cfg: &'a analysis::Cfg,
        loops: &'a analysis::LoopTree,
        phis: &'a PhiElimination,
    ) -> Ctx<'a> {
        let sig = &cx.module.signatures[func.sig];
        let features = cx.features(func);
        let wide = features.has(X86Features::AVX);
        Ctx {
            cx,
            func,
            cfg,
            loops,
            phis,
            out: MachineFunction::default(),
            whole: false,
            apart: None,
            seq: Vec::with_capacity(64),
            rev: Vec::with_capacity(func.num_insts() * 3 / 2),
            rev_locs: Vec::with_capacity(func.num_insts() * 3 / 2),
            segments: Vec::with_capacity(func.num_blocks() * 2),
            register_variables: Vec::new(),
            uses: Vec::new(),
            debug_marks: Vec::new(),
            regs: vec![VReg::NONE; func.num_values()],
            class_regs: vec![VReg::NONE; phis.num_classes()],
            needed: vec![false; func.num_values()],
            facts: vec![Facts::default(); func.num_insts()],
            root: Inst::new(0),
            block: func.entry(),
            fold_loads: true,
            folded: None,
            alloca_slots: vec![u32::MAX; func.num_insts()],
            shared_slots: if cx.codegen().stack_reuse {
                analysis::slot_colours::colour(func, cfg)
            } else {
                FxHashMap::default()
            },
            hoisted: Vec::new(),
            hoist_of: Vec::new(),
            hoists_in_block: Vec::new(),
            hoist_places: FxHashMap::default(),
            local_constants: Vec::new(),
            hoisted_tables: Vec::new(),
            last_symbol: None,
            extra_blocks: 0,
            tail_call: None,
            static_chain: None,
            errors: Vec::new(),
            paired: Vec::new(),
            scratch_next_def: vec![(u32::MAX, 0); phis.num_classes()],
            layout: ir::abi::layout(sig, wide),
            features,
        }
    }

    /// The instruction record.
    #[inline]
    pub fn data(&self, inst: Inst) -> InstData {
        self.func.insts[inst]
    }

    /// The type of a value.
    #[inline]
    pub fn ty(&self, value: Value) -> Type {
        self.func.value_type(value)
    }

    /// The defining instruction and its record, if the value is an instruction's first or only
    /// result.
    #[inline]
    pub fn def(&self, value: Value) -> Option<(Inst, InstData)> {
        match self.func.value_def(value) {
            ValueDef::Result(inst, 0) => Some((inst, self.func.insts[inst])),
            _ => None,
        }
    }

    /// As [`Ctx::def`], if its opcode is `opcode`.
    pub fn def_op(&self, value: Value, opcode: Opcode) -> Option<(Inst, InstData)> {
        self.def(value).filter(|(_, data)| data.opcode == opcode)
    }

    /// Operand number `n` of a record in a fixed format.
    #[inline]
    pub fn arg(&self, data: &InstData, n: usize) -> Value {
        data.arg(n)
    }

    /// Whether exactly one operand uses the value.
    #[inline]
    pub fn single_use(&self, value: Value) -> bool {
        self.uses[value.index()] == 1
    }

    /// Whether the instruction set extension is enabled.
    pub fn has(&self, feature: X86Features) -> bool {
        self.features.has(feature)
    }

    /// Whether code size matters more than speed here.
    pub fn small(&self) -> bool {
        self.cx.options.optimize_size
    }

    /// Reports an error in the program.
    pub fn error(&mut self, loc: Loc, message: impl Into<String>) {
        self.errors.push(BackendError { loc, message: message.into(), note: None });
    }

    /// The location of the instruction being selected.
    pub fn loc(&self) -> Loc {
        self.func.source_loc(self.root)
    }

    /// The constant's bits if `value` is an integer constant that a `size` instruction can hold as
    /// a sign-extended 32-bit immediate.
    pub fn imm32(&self, value: Value, size: Size) -> Option<i32> {
        let imm = match self.func.constant(value)? {
            Constant::Bits(_) => self.func.const_i64(value)?,
            _ => return None,
        };
        match size {
            Size::Q => i32::try_from(imm).ok(),
            // The upper bits do not matter: the type has at most 32.
            _ => Some(imm as i32),
        }
    }

    /// The operands of a list-format instruction, copied.
    pub fn list(&self, inst: Inst) -> SmallVec<[Value; 8]> {
        self.func.list(inst).into()
    }
}

/// The operand size of an integer or pointer type (i1 counts as a byte).
pub fn int_size(ty: Type) -> Size {
    match ty.lane_bits() {
        0..=8 => Size::B,
        16 => Size::W,
        32 => Size::D,
        _ => Size::Q,
    }
}

/// The size in which arithmetic on the type is done: narrow types in 32 bits, their upper bits
/// being garbage.
pub fn arith_size(ty: Type) -> Size {
    int_size(ty).max(Size::D)
}
