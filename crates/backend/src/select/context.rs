//! The state of selecting one function: values and their registers, use counts, the instructions made so far.
//!
//! Blocks are selected in postorder and each block from its end, so that every use is seen before its definition: an instruction whose
//! results nobody asked for (because it was folded into its users, or was dead) is never selected. The machine instructions of one IR
//! instruction are made forward in [`Ctx::seq`] and appended reversed to [`Ctx::rev`]; [`super::finish`] turns everything around.
//!
//! Folding moves a computation down to its user, past whatever lies between. Three things can forbid that:
//! - memory: a load may not pass a write. Each instruction has a *colour*, the number of writes before it in its block;
//! - phi classes: values of one class share a virtual register, so an operand's register may be overwritten between. For each
//!   instruction [`Facts::clobber`] is the first position at which a register of its operands is redefined;
//! - double evaluation: a load must be folded into exactly one place ([`Ctx::fold_loads`] is off where a user is selected twice).

use base::Loc;
use cranelift_entity::EntityRef;
use ir::{Block, Constant, Function, Inst, InstData, Opcode, Type, Value, ValueDef, analysis};
use object::{
    Cond, Size,
    encode::{Alu, Shift, Sse, Vex},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use target::options::X86Features;

use crate::{
    context::{BackendError, Context},
    eliminate_phis::PhiElimination,
    machine::{Amode, Class, MInst, MachineFunction, MemId, Op, VReg, bits},
};

/// Per-instruction facts for folding, valid for the block being selected.
#[derive(Clone, Copy, Default, Debug)]
pub struct Facts {
    /// Position in the block.
    pub position: u32,
    /// Memory writes before it in the block.
    pub colour: u32,
    /// The first later position in the block where the register of an operand is overwritten by another member of its phi class.
    pub clobber: u32,
}

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

/// How values of a type are held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// In this many registers.
    Regs(Class, u8, u8),
    /// In a 16-byte frame slot (x87 values).
    Slot,
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
    /// Instructions of the IR instruction being selected, forward.
    pub seq: Vec<MInst>,
    /// All instructions, backward, with their locations.
    pub rev: Vec<MInst>,
    /// Locations parallel to `rev`.
    pub rev_locs: Vec<Loc>,
    /// Range of `rev` of each block id, in order of selection: (block id, start, end).
    pub segments: Vec<(u32, u32, u32)>,
    /// Records of variables: the length of `rev` behind which they stand, and the IR instruction that they precede.
    pub debug_marks: Vec<(u32, Inst)>,
    /// Use counts of values.
    pub uses: Vec<u32>,
    /// First register (or slot number) of each value; `NONE` until asked for. Only values outside phi classes.
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
    /// Frame slot of each alloca by instruction (`u32::MAX`: none).
    alloca_slots: Vec<u32>,
    /// Allocas that share memory with others.
    shared_slots: FxHashMap<Inst, crate::slot_colours::Shared>,
    /// Constants hoisted out of loops, per block (index of the first in `hoisted`, chained).
    pub hoisted: Vec<Hoisted>,
    /// By value: its latest entry in `hoisted`. Empty until the first one.
    pub hoist_of: Vec<u32>,
    /// By block: the entries to be made at its end.
    pub hoists_in_block: Vec<Vec<u32>>,
    /// By outermost loop: the block in front of it where constants can be made, if there is one.
    pub hoist_places: FxHashMap<ir::analysis::Loop, Option<Block>>,
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
    /// Divisions selected together with their remainder: the partner that will define this instruction's result.
    pub paired: Vec<(Inst, Inst)>,
    /// By class: the block last scanned and the position of the next definition in it.
    scratch_next_def: Vec<(u32, u32)>,
    /// Incoming argument layout.
    pub layout: crate::abi::CallLayout,
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
            seq: Vec::with_capacity(64),
            rev: Vec::with_capacity(func.num_insts() * 3 / 2),
            rev_locs: Vec::with_capacity(func.num_insts() * 3 / 2),
            segments: Vec::with_capacity(func.num_blocks() * 2),
            uses: Vec::new(),
            debug_marks: Vec::new(),
            regs: vec![VReg::NONE; func.num_values()],
            class_regs: vec![VReg::NONE; phis.num_classes()],
            needed: vec![false; func.num_values()],
            facts: vec![Facts::default(); func.num_insts()],
            root: Inst::from_u32(0),
            block: func.entry(),
            fold_loads: true,
            alloca_slots: vec![u32::MAX; func.num_insts()],
            shared_slots: if cx.codegen().stack_reuse {
                crate::slot_colours::colour(func, cfg)
            } else {
                FxHashMap::default()
            },
            hoisted: Vec::new(),
            hoist_of: Vec::new(),
            hoists_in_block: Vec::new(),
            hoist_places: FxHashMap::default(),
            last_symbol: None,
            extra_blocks: 0,
            tail_call: None,
            static_chain: None,
            errors: Vec::new(),
            paired: Vec::new(),
            scratch_next_def: vec![(u32::MAX, 0); phis.num_classes()],
            layout: crate::abi::layout(sig, wide),
            features,
        }
    }

    // ---- the IR ----

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

    /// The defining instruction and its record, if the value is an instruction's first or only result.
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
        Value::from_u32([data.a, data.b, data.c][n])
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
        self.errors.push(BackendError { loc, message: message.into() });
    }

    /// The location of the instruction being selected.
    pub fn loc(&self) -> Loc {
        self.func.inst_locs[self.root]
    }

    // ---- folding ----

    /// Whether the (pure) instruction may be computed at the root instead of where it stands: its operands still have their values.
    pub fn can_sink(&self, inst: Inst) -> bool {
        if self.func.inst_block(inst) == Some(self.block) {
            return self.facts[inst.index()].clobber >= self.facts[self.root.index()].position;
        }
        // From a dominating block: fine if no operand's register is ever written twice, or it is still live here.
        self.func.operands(inst).all(|v| self.phis.class(v).is_none() || self.phis.is_live_at(self.func, v, self.root))
    }

    /// Whether a pure single-use computation may be sunk into the root, taking its own folded loads along.
    pub fn can_absorb(&self, value: Value, inst: Inst) -> bool {
        self.single_use(value)
            && self.func.inst_block(inst) == Some(self.block)
            && self.facts[inst.index()].clobber >= self.facts[self.root.index()].position
    }

    /// What a value is apart from casts between pointers and integers of their width that only it goes through.
    fn behind_pointer_casts(&self, mut value: Value) -> Value {
        while let Some((_, data)) = self.def(value)
            && matches!(data.opcode, Opcode::PtrToInt | Opcode::IntToPtr)
            && data.ty.bits() == 64
        {
            let inner = self.arg(&data, 0);
            if self.ty(inner).bits() != 64 || !self.single_use(inner) {
                break;
            }
            value = inner;
        }
        value
    }

    /// The load that makes `value`, if it can be folded into the root as a memory operand.
    pub fn foldable_load(&self, value: Value) -> Option<(Inst, InstData)> {
        if !self.fold_loads || !self.single_use(value) {
            return None;
        }
        let value = self.behind_pointer_casts(value);
        let (inst, data) = self.def_op(value, Opcode::Load)?;
        if data.flags & ir::flags::VOLATILE != 0 || self.func.inst_block(inst) != Some(self.block) {
            return None;
        }
        let (load, root) = (self.facts[inst.index()], self.facts[self.root.index()]);
        (load.colour == root.colour && load.clobber >= root.position).then_some((inst, data))
    }

    /// Computes [`Facts`] for a block.
    pub fn scan_block(&mut self, block: Block) {
        let func = self.func;
        let (mut position, mut colour) = (0, 0);
        for inst in func.block_insts(block) {
            self.facts[inst.index()] = Facts { position, colour, clobber: u32::MAX };
            position += 1;
            colour += u32::from(super::effects::writes_memory(func, inst));
        }
        if self.phis.num_classes() == 0 {
            return;
        }
        let stamp = block.as_u32();
        for inst in func.block_insts_rev(block) {
            // An instruction may overwrite its own operand's register: then its value cannot be computed again later.
            for v in func.results(inst) {
                if let Some(class) = self.phis.class(v) {
                    let at = self.facts[inst.index()].position;
                    self.scratch_next_def[class.index()] = (stamp, at);
                    // A member that shares the phi's register is read by the edge without a copy.
                    self.needed[v.index()] = true;
                }
            }
            if func.insts[inst].opcode == Opcode::Phi {
                continue;
            }
            let mut clobber = u32::MAX;
            for v in func.operands(inst) {
                if let Some(class) = self.phis.class(v) {
                    let (seen, at) = self.scratch_next_def[class.index()];
                    if seen == stamp {
                        clobber = clobber.min(at);
                    }
                }
            }
            self.facts[inst.index()].clobber = clobber;
        }
    }

    // ---- registers of values ----

    /// How values of a type are held.
    pub fn holder(ty: Type) -> Holder {
        if ty == Type::F80 {
            return Holder::Slot;
        }
        if ty == Type::I128 {
            return Holder::Regs(Class::Gpr, 8, 2);
        }
        if ty.is_vector() {
            let bytes = ty.store_size();
            return if bytes <= 8 {
                Holder::Regs(Class::Xmm, 8, 1)
            } else {
                Holder::Regs(Class::Xmm, 16, bytes.div_ceil(16) as u8)
            };
        }
        match ty {
            Type::F16 | Type::F32 | Type::F64 => Holder::Regs(Class::Xmm, 8, 1),
            Type::F128 => Holder::Regs(Class::Xmm, 16, 1),
            _ => Holder::Regs(Class::Gpr, 8, 1),
        }
    }

    /// How many registers hold a value of the type.
    pub fn parts(ty: Type) -> usize {
        match Ctx::holder(ty) {
            Holder::Regs(_, _, parts) => parts as usize,
            Holder::Slot => 0,
        }
    }

    /// New registers for a value of the type; the first is returned, others follow consecutively.
    pub fn temp(&mut self, ty: Type) -> VReg {
        match Ctx::holder(ty) {
            Holder::Regs(class, size, parts) => {
                let first = self.out.new_vreg(class, size);
                for _ in 1..parts {
                    self.out.new_vreg(class, size);
                }
                self.out.vregs[first.index()].narrow = ty.is_int() && ty.bits() <= 32;
                first
            }
            Holder::Slot => {
                let slot = self.out.new_slot(16, 16);
                self.out.x87_values.push(slot);
                VReg(slot)
            }
        }
    }

    /// A new general register.
    pub fn temp_gpr(&mut self) -> VReg {
        self.out.new_vreg(Class::Gpr, 8)
    }

    /// A new SSE register of 16 bytes.
    pub fn temp_xmm(&mut self) -> VReg {
        self.out.new_vreg(Class::Xmm, 16)
    }

    fn home(&mut self, value: Value) -> VReg {
        if let Some(class) = self.phis.class(value) {
            if self.class_regs[class.index()].is_none() {
                self.class_regs[class.index()] = self.temp(self.ty(value));
            }
            return self.class_regs[class.index()];
        }
        if self.regs[value.index()].is_none() {
            let reg = if self.held_wide(value) { self.temp_wide() } else { self.temp(self.ty(value)) };
            self.regs[value.index()] = reg;
        }
        self.regs[value.index()]
    }

    /// Whether the value is a 32-byte vector held in one `ymm` register: what AVX instructions, loads and the calling convention give
    /// there. Other wide vectors (phis, results of lane-wise operations) are held in two parts.
    pub fn held_wide(&self, value: Value) -> bool {
        let ty = self.ty(value);
        if !ty.is_vector() || ty.store_size() != 32 || !self.has(X86Features::AVX) || self.phis.class(value).is_some() {
            return false;
        }
        match self.func.value_def(value) {
            ValueDef::Const(_) => false,
            ValueDef::Param(index) => matches!(self.layout.params[index as usize], crate::abi::ParamPlace::Reg(_)),
            ValueDef::Result(inst, _) => {
                let data = self.func.insts[inst];
                match data.opcode {
                    Opcode::Load | Opcode::Call => true,
                    Opcode::Bitcast => self.ty(self.arg(&data, 0)).is_vector(),
                    Opcode::Intrinsic => ir::Intrinsic::from_index(data.c) == ir::Intrinsic::X86,
                    _ => false,
                }
            }
        }
    }

    /// A new `ymm` register.
    pub fn temp_wide(&mut self) -> VReg {
        self.out.new_vreg(Class::Xmm, 32)
    }

    /// A 32-byte vector in one `ymm` register, computed before the root.
    pub fn wide_reg(&mut self, value: Value) -> VReg {
        if self.held_wide(value) {
            self.need(value);
            return self.home(value);
        }
        let dst = self.temp_wide();
        let zero = match self.func.constant(value) {
            Some(Constant::Bits(bits)) => *bits == 0,
            Some(Constant::Vector(bytes)) => bytes.iter().all(|&b| b == 0),
            _ => false,
        };
        if zero {
            // The upper half is cleared as well.
            self.push(MInst::new(Op::XmmZero, Size::D).dst(dst));
            return dst;
        }
        let parts = self.reg(value);
        self.join(dst, parts);
        dst
    }

    /// `dst` (`ymm`) = the two parts from `parts` on.
    pub fn join(&mut self, dst: VReg, parts: VReg) {
        self.vex(Vex::Vinsertf128, dst, parts, parts.part(1), 1);
    }

    /// The two parts from `dst` on = `src` (`ymm`).
    pub fn split(&mut self, dst: VReg, src: VReg) {
        self.xmm_un(Sse::Movaps, dst, src);
        self.vex(Vex::Vextractf128, dst.part(1), VReg::NONE, src, 1);
    }

    /// The register(s) to write a result to.
    pub fn result(&mut self, value: Value) -> VReg {
        self.home(value)
    }

    /// The result register of the root's only result.
    pub fn root_result(&mut self) -> VReg {
        self.result(self.func.first_result(self.root))
    }

    /// Whether someone asked for the value.
    pub fn is_needed(&self, value: Value) -> bool {
        self.needed[value.index()]
    }

    /// Marks a value as asked for.
    pub fn need(&mut self, value: Value) {
        self.needed[value.index()] = true;
    }

    /// The x87 value's frame slot, asked for.
    pub fn slot_of(&mut self, value: Value) -> u32 {
        self.need(value);
        self.home(value).0
    }

    /// The x87 result's frame slot.
    pub fn result_slot(&mut self, value: Value) -> u32 {
        self.home(value).0
    }

    /// The value in its register(s), computed before the root. Constants are materialised here.
    pub fn reg(&mut self, value: Value) -> VReg {
        if self.func.constant(value).is_some() {
            return super::constants::constant_reg(self, value);
        }
        if let Some((inst, data)) = self.def(value) {
            match data.opcode {
                Opcode::Alloca => return super::constants::alloca_reg(self, value, inst),
                Opcode::BlockAddr => {
                    let dst = self.temp_gpr();
                    let target = self.func.labels[data.c as usize].as_u32();
                    self.push(MInst::new(Op::BlockAddress, Size::Q).dst(dst).imm(target as i32));
                    return dst;
                }
                // No machine instruction: the same register with fewer bits looked at.
                Opcode::Trunc if data.ty != Type::I1 && !data.ty.is_vector() => {
                    let src = self.arg(&data, 0);
                    if self.can_sink(inst) {
                        return self.reg(src);
                    }
                }
                Opcode::PtrToInt | Opcode::IntToPtr => {
                    let src = self.arg(&data, 0);
                    if self.ty(src).bits() == 64 && data.ty.bits() == 64 && self.can_sink(inst) {
                        return self.reg(src);
                    }
                }
                Opcode::ZExt if data.ty != Type::I128 && !data.ty.is_vector() => {
                    let src = self.arg(&data, 0);
                    if self.can_sink(inst) && self.upper_clear(src) {
                        return self.reg(src);
                    }
                }
                _ => {}
            }
        }
        if let Some(offset) = super::call::byval_offset(self, value) {
            return super::constants::incoming_reg(self, value, offset);
        }
        if self.held_wide(value) {
            self.need(value);
            let (whole, parts) = (self.home(value), self.temp(self.ty(value)));
            self.split(parts, whole);
            return parts;
        }
        self.need(value);
        self.home(value)
    }

    /// Whether the register of a value has zeros above the value's width: its definition is a 32-bit machine operation or an extending load.
    pub fn upper_clear(&self, value: Value) -> bool {
        use Opcode::*;
        let ty = self.ty(value);
        let Some((_, data)) = self.def(value) else { return false };
        if matches!(ty, Type::I8 | Type::I16) {
            return data.opcode == Load;
        }
        // A division's shift is one with its multiplication, of 64 bits.
        if data.opcode == AShr && self.def_op(self.arg(&data, 0), SMulHi).is_some() {
            return false;
        }
        ty == Type::I32
            && matches!(
                data.opcode,
                Add | Sub
                    | Mul
                    | And
                    | Or
                    | Xor
                    | Shl
                    | LShr
                    | AShr
                    | Rotl
                    | Rotr
                    | Load
                    | ZExt
                    | SExt
                    | UDiv
                    | URem
                    | SDiv
                    | SRem
                    | Bswap
                    | Select
                    | SMin
                    | SMax
                    | UMin
                    | UMax
            )
    }

    /// Notes where the variables lie that debug information describes.
    pub fn keep_variable_slots(&mut self) {
        let Some(debug) = &self.func.debug else { return };
        let whole = debug.variables.iter().filter_map(|variable| match variable.place {
            ir::debug::VariablePlace::Alloca(inst) | ir::debug::VariablePlace::Indirect(inst) => Some(inst),
            _ => None,
        });
        for inst in whole.chain(debug.parts.iter().map(|part| part.alloca)) {
            if let Some(&slot) = self.alloca_slots.get(inst.as_u32() as usize)
                && slot != u32::MAX
            {
                self.out.variable_slots.push((inst, slot));
            }
        }
    }

    /// The register that a value was given, if one was asked for; of a phi class, the class's.
    pub fn register_given(&self, value: Value) -> Option<VReg> {
        let reg = match self.phis.class(value) {
            Some(class) => self.class_regs[class.index()],
            None if self.is_needed(value) => self.regs[value.index()],
            None => VReg::NONE,
        };
        reg.is_virtual().then_some(reg)
    }

    /// The frame slot of an alloca.
    pub fn alloca_slot(&mut self, inst: Inst) -> u32 {
        let at = inst.index();
        if self.alloca_slots[at] == u32::MAX {
            let (size, align) = self.func.alloca_info(inst);
            let shared = self.shared_slots.get(&inst).copied();
            let slot = match shared {
                Some(shared) => self.out.new_slot(shared.size.max(1), shared.align),
                None => self.out.new_slot(size.max(1), align),
            };
            self.out.slots[slot as usize].colour = shared.map_or(0, |s| s.colour);
            self.alloca_slots[at] = slot;
        }
        self.alloca_slots[at]
    }

    // ---- making instructions ----

    /// Appends an instruction to what the root becomes. Two-address forms whose destination register is also another of their
    /// sources (members of one phi class) go through a temporary.
    pub fn push(&mut self, inst: MInst) {
        let inst = self.with_vex(inst);
        let overwrites = inst.bits & bits::VEX == 0 || !crate::machine::operands::is_sse(inst.op);
        if overwrites && is_two_address(inst.op) && inst.dst != inst.src1 && self.reads_beside_first(&inst, inst.dst) {
            let info = self.out.vregs[inst.dst.index()];
            let temp = self.out.new_vreg(info.class, info.size);
            self.seq.push(MInst { dst: temp, ..inst });
            self.seq.push(MInst::new(Op::Copy, Size::Q).dst(inst.dst).src2(temp));
            return;
        }
        self.seq.push(inst);
    }

    /// In functions with AVX: three operands, and 256 bits where a register has them.
    fn with_vex(&self, inst: MInst) -> MInst {
        use Op::*;
        if !self.has(X86Features::AVX) {
            return inst;
        }
        let vector = matches!(
            inst.op,
            Xmm | XmmUn
                | XmmStore
                | XmmCmp
                | VexCmp
                | XmmInsert
                | XmmToGpr
                | XmmShift
                | XmmOnes
                | XmmSelect
                | Blend
                | Vex
                | Fma
        );
        if !vector {
            return inst;
        }
        let coded = !matches!(inst.op, XmmShift | XmmOnes | Vex | VexCmp | Fma | XmmSelect);
        let legacy = coded && Sse::ALL[inst.code as usize].is_legacy_only();
        let wide = |reg: VReg| reg.is_virtual() && self.out.vregs[reg.index()].size == 32;
        let mut more = 0;
        if !legacy && crate::machine::operands::is_sse(inst.op) {
            more |= bits::VEX;
        }
        if wide(inst.dst) || wide(inst.src1) || wide(inst.src2) {
            more |= bits::WIDE;
        }
        inst.with_bits(more)
    }

    fn reads_beside_first(&self, inst: &MInst, reg: VReg) -> bool {
        if inst.src2 == reg || (matches!(inst.op, Op::Fma | Op::Blend) && inst.aux() == reg) {
            return true;
        }
        inst.mem.is_some() && {
            let amode = self.out.amode(inst.mem);
            amode.base == crate::machine::Base::Reg(reg) || amode.index == reg
        }
    }

    /// `dst = src`.
    pub fn copy(&mut self, dst: VReg, src: VReg) {
        if dst != src {
            self.push(MInst::new(Op::Copy, Size::Q).dst(dst).src2(src));
        }
    }

    /// Copies all registers of a value of the type.
    pub fn copy_parts(&mut self, ty: Type, dst: VReg, src: VReg) {
        for part in 0..Ctx::parts(ty) {
            self.copy(dst.part(part), src.part(part));
        }
    }

    /// A memory operand of an address.
    pub fn mem(&mut self, amode: Amode) -> MemId {
        self.out.new_mem(amode)
    }

    /// `dst = imm` in a register of `size` (64-bit immediates by `movabs`).
    pub fn move_imm(&mut self, size: Size, dst: VReg, imm: i64) {
        let inst = self.imm_inst(size, dst, imm);
        self.push(inst);
    }

    /// The instruction that loads an immediate.
    pub fn imm_inst(&self, size: Size, dst: VReg, imm: i64) -> MInst {
        if size == Size::Q && i32::try_from(imm).is_err() && u32::try_from(imm).is_err() {
            let mut inst = MInst::new(Op::MovAbs, Size::Q).dst(dst).imm(imm as i32);
            inst.src1 = VReg((imm >> 32) as u32);
            return inst;
        }
        let size = if size == Size::Q && imm < 0 { Size::Q } else { Size::D };
        MInst::new(Op::Mov, size).dst(dst).imm(imm as i32)
    }

    /// `dst = src1 op src2`.
    pub fn alu(&mut self, op: Alu, size: Size, dst: VReg, src1: VReg, src2: VReg) {
        self.push(MInst::new(Op::Alu, size).code(op as u16).dst(dst).src1(src1).src2(src2));
    }

    /// `dst = src1 op imm`.
    pub fn alu_imm(&mut self, op: Alu, size: Size, dst: VReg, src1: VReg, imm: i32) {
        self.push(MInst::new(Op::Alu, size).code(op as u16).dst(dst).src1(src1).imm(imm));
    }

    /// `dst = src1 op temp` into a new register.
    pub fn alu_new(&mut self, op: Alu, size: Size, src1: VReg, src2: VReg) -> VReg {
        let dst = self.temp_gpr();
        self.alu(op, size, dst, src1, src2);
        dst
    }

    /// `src1 op imm` into a new register.
    pub fn alu_imm_new(&mut self, op: Alu, size: Size, src1: VReg, imm: i32) -> VReg {
        let dst = self.temp_gpr();
        self.alu_imm(op, size, dst, src1, imm);
        dst
    }

    /// `dst = src shift imm`.
    pub fn shift_imm(&mut self, op: Shift, size: Size, dst: VReg, src: VReg, count: u8) {
        self.push(MInst::new(Op::Shift, size).code(op as u16).dst(dst).src1(src).imm(i32::from(count)));
    }

    /// `src shift imm` into a new register.
    pub fn shift_imm_new(&mut self, op: Shift, size: Size, src: VReg, count: u8) -> VReg {
        let dst = self.temp_gpr();
        self.shift_imm(op, size, dst, src, count);
        dst
    }

    /// `dst = zero_extend(src)` from `from` to 32 bits (and so to 64).
    pub fn movzx(&mut self, from: Size, dst: VReg, src: VReg) {
        if from == Size::D {
            self.push(MInst::new(Op::Mov, Size::D).dst(dst).src2(src));
        } else {
            self.push(MInst::new(Op::MovZx, Size::D).code(from as u16).dst(dst).src2(src));
        }
    }

    /// `dst = sign_extend(src)` from `from` to `to`.
    pub fn movsx(&mut self, to: Size, from: Size, dst: VReg, src: VReg) {
        self.push(MInst::new(Op::MovSx, to).code(from as u16).dst(dst).src2(src));
    }

    /// Load of a general register: narrower ones are zero-extended.
    pub fn load_gpr(&mut self, size: Size, dst: VReg, amode: Amode) {
        let mem = self.mem(amode);
        let inst = match size {
            Size::B | Size::W => MInst::new(Op::MovZx, Size::D).code(size as u16),
            _ => MInst::new(Op::Mov, size),
        };
        self.push(inst.dst(dst).mem(mem));
    }

    /// Store of a general register.
    pub fn store_gpr(&mut self, size: Size, amode: Amode, src: VReg) {
        let mem = self.mem(amode);
        self.push(MInst::new(Op::Store, size).mem(mem).src2(src));
    }

    /// Store of an immediate (sign-extended from 32 bits).
    pub fn store_imm(&mut self, size: Size, amode: Amode, imm: i32) {
        let mem = self.mem(amode);
        self.push(MInst::new(Op::Store, size).mem(mem).imm(imm));
    }

    /// Comparison of two registers.
    pub fn cmp(&mut self, size: Size, a: VReg, b: VReg) {
        self.push(MInst::new(Op::Cmp, size).src1(a).src2(b));
    }

    /// Comparison with an immediate (`test` for zero).
    pub fn cmp_imm(&mut self, size: Size, a: VReg, imm: i32) {
        if imm == 0 {
            self.push(MInst::new(Op::Test, size).src1(a).src2(a));
        } else {
            self.push(MInst::new(Op::Cmp, size).src1(a).imm(imm));
        }
    }

    /// `dst = cond ? then : otherwise` in general registers.
    pub fn cmov(&mut self, cond: Cond, size: Size, dst: VReg, otherwise: VReg, then: VReg) {
        self.push(MInst::new(Op::Cmov, size.max(Size::D)).cond(cond).dst(dst).src1(otherwise).src2(then));
    }

    /// `dst = src1 op src2` in SSE registers.
    pub fn xmm(&mut self, op: Sse, dst: VReg, src1: VReg, src2: VReg) {
        self.push(MInst::new(Op::Xmm, Size::D).code(op as u16).dst(dst).src1(src1).src2(src2).with_bits(bits::NO_FOLD));
    }

    /// `src1 op src2` in a new SSE register.
    pub fn xmm_new(&mut self, op: Sse, src1: VReg, src2: VReg) -> VReg {
        let dst = self.temp_xmm();
        self.xmm(op, dst, src1, src2);
        dst
    }

    /// `dst = src1 op src2, imm`.
    pub fn xmm_imm(&mut self, op: Sse, dst: VReg, src1: VReg, src2: VReg, imm: u8) {
        let inst = MInst::new(Op::Xmm, Size::D).code(op as u16).dst(dst).src1(src1).src2(src2).imm(i32::from(imm));
        self.push(inst.with_bits(bits::NO_FOLD));
    }

    /// `dst = src1 op src2 [, imm]` for an instruction that only VEX encodes; `src1` may be none.
    pub fn vex(&mut self, op: Vex, dst: VReg, src1: VReg, src2: VReg, imm: u8) {
        let inst = MInst::new(Op::Vex, Size::D).code(op as u16).dst(dst).src1(src1).src2(src2).imm(i32::from(imm));
        self.push(inst.with_bits(bits::NO_FOLD));
    }

    /// `dst = op(src)` in SSE registers.
    pub fn xmm_un(&mut self, op: Sse, dst: VReg, src: VReg) {
        self.push(MInst::new(Op::XmmUn, Size::D).code(op as u16).dst(dst).src2(src).with_bits(bits::NO_FOLD));
    }

    /// `dst = op(src), imm` in SSE registers.
    pub fn xmm_un_imm(&mut self, op: Sse, dst: VReg, src: VReg, imm: u8) {
        let inst = MInst::new(Op::XmmUn, Size::D).code(op as u16).dst(dst).src2(src).imm(i32::from(imm));
        self.push(inst.with_bits(bits::NO_FOLD));
    }

    /// `dst = src shifted by imm` (code of `SseShift`).
    pub fn xmm_shift(&mut self, op: object::encode::sse::SseShift, dst: VReg, src: VReg, count: u8) {
        self.push(MInst::new(Op::XmmShift, Size::D).code(op as u16).dst(dst).src1(src).imm(i32::from(count)));
    }

    /// SSE load with `op`.
    pub fn xmm_load(&mut self, op: Sse, dst: VReg, amode: Amode) {
        let mem = self.mem(amode);
        self.push(MInst::new(Op::XmmUn, Size::D).code(op as u16).dst(dst).mem(mem));
    }

    /// SSE store with `op`.
    pub fn xmm_store(&mut self, op: Sse, amode: Amode, src: VReg) {
        let mem = self.mem(amode);
        self.push(MInst::new(Op::XmmStore, Size::D).code(op as u16).mem(mem).src2(src));
    }

    /// Register move between the files, or a conversion from a general register: `dst` (SSE) = op(`src` of `size`).
    pub fn gpr_to_xmm(&mut self, op: Sse, size: Size, dst: VReg, src: VReg) {
        self.push(MInst::new(Op::GprToXmm, size).code(op as u16).dst(dst).src2(src));
    }

    /// `dst` (general, `size`) = op(`src`).
    pub fn xmm_to_gpr(&mut self, op: Sse, size: Size, dst: VReg, src: VReg) {
        self.push(MInst::new(Op::XmmToGpr, size).code(op as u16).dst(dst).src2(src).with_bits(bits::NO_FOLD));
    }

    /// A list instruction.
    pub fn push_list(&mut self, inst: MInst, operands: &[crate::machine::ListOperand]) {
        let start = self.out.lists.len() as u32;
        self.out.lists.extend_from_slice(operands);
        let mut inst = inst;
        inst.src1 = VReg(start);
        inst.src2 = VReg(operands.len() as u32);
        self.seq.push(inst);
    }

    /// Moves what has been made for the root to the (backward) output.
    pub fn flush(&mut self, loc: Loc) {
        while let Some(inst) = self.seq.pop() {
            self.rev.push(inst);
            self.rev_locs.push(loc);
        }
    }

    /// The constant's bits if `value` is an integer constant that a `size` instruction can hold as a sign-extended 32-bit immediate.
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

/// The shapes whose destination shares a register with the first source.
pub fn is_two_address(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        Alu | Imul
            | Cmov
            | Xmm
            | Unary
            | Bswap
            | BitChange
            | XmmShift
            | XmmInsert
            | XmmSelect
            | Xadd
            | XchgM
            | Shift
            | DoubleShift
            | Fma
            | Blend
            | Crc32
    )
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

/// The size in which arithmetic on the type is done: narrow types in 32 bits, their upper bits being garbage.
pub fn arith_size(ty: Type) -> Size {
    int_size(ty).max(Size::D)
}
