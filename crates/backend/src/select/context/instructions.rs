//! Making machine instructions: one method for each common form, and the way from what the root
//! becomes to the output.
//!
//! Everything goes through [`Ctx::push`], which keeps two-address forms from overwriting what they
//! still have to read, and gives functions with AVX the three-operand encoding.

use base::Loc;
use ir::Type;
use object::{
    Cond, Size,
    encode::{Alu, Shift, Sse, Vex},
};
use platform::options::X86Features;

use super::Ctx;
use crate::machine::{Amode, MInst, MemId, Op, VReg, bits};

impl Ctx<'_> {
    /// Appends an instruction to what the root becomes. Two-address forms whose destination
    /// register is also another of their sources (members of one phi class) go through a temporary.
    pub fn push(&mut self, inst: MInst) {
        let inst = self.with_vex(inst);
        let overwrites = inst.bits & bits::VEX == 0 || !crate::machine::operands::is_sse(inst.op);
        if overwrites && is_two_address(inst.op) && inst.dst != inst.src1 && self.reads_beside_first(&inst, inst.dst) {
            let info = self.out.vregs[inst.dst.index()];
            let temp = self.out.new_vreg(info.class, info.size);
            self.seq.push(inst.dst(temp));
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
                | MaskedStore
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
        let coded = !matches!(inst.op, XmmShift | XmmOnes | Vex | VexCmp | MaskedStore | Fma | XmmSelect);
        let legacy = coded && inst.sse_op().is_legacy_only();
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

    /// A register of its own with what is in another one.
    pub fn copied(&mut self, src: VReg) -> VReg {
        self.in_gpr(|cx, dst| cx.copy(dst, src))
    }

    /// Copies to the two registers of a 128-bit value.
    pub fn copy_pair(&mut self, dst: VReg, low: VReg, high: VReg) {
        self.copy(dst, low);
        self.copy(dst.part(1), high);
    }

    /// Copies all registers of a value of the type.
    pub fn copy_parts(&mut self, ty: Type, dst: VReg, src: VReg) {
        for part in 0..self.parts(ty) {
            self.copy(dst.part(part), src.part(part));
        }
    }

    /// A memory operand of an address.
    pub fn mem(&mut self, amode: Amode) -> MemId {
        self.out.new_mem(amode)
    }

    /// Appends an instruction with a memory operand.
    pub fn push_mem(&mut self, inst: MInst, amode: Amode) {
        let mem = self.mem(amode);
        self.push(inst.mem(mem));
    }

    /// `dst = address`
    pub fn lea(&mut self, dst: VReg, address: Amode) {
        self.push_mem(MInst::new(Op::Lea, Size::Q).dst(dst), address);
    }

    /// A new general register, and what computes it.
    pub fn in_gpr(&mut self, compute: impl FnOnce(&mut Self, VReg)) -> VReg {
        let dst = self.temp_gpr();
        compute(self, dst);
        dst
    }

    /// A new SSE register, and what computes it.
    pub fn in_xmm(&mut self, compute: impl FnOnce(&mut Self, VReg)) -> VReg {
        let dst = self.temp_xmm();
        compute(self, dst);
        dst
    }

    /// `dst = imm` in a register of `size` (64-bit immediates by `movabs`).
    pub fn move_imm(&mut self, size: Size, dst: VReg, imm: i64) {
        let inst = self.imm_inst(size, dst, imm);
        self.push(inst);
    }

    /// The instruction that loads an immediate.
    pub fn imm_inst(&self, size: Size, dst: VReg, imm: i64) -> MInst {
        if size == Size::Q && i32::try_from(imm).is_err() && u32::try_from(imm).is_err() {
            return MInst::mov_abs(dst, imm);
        }
        let size = if size == Size::Q && imm < 0 { Size::Q } else { Size::D };
        MInst::new(Op::Mov, size).dst(dst).imm(imm as i32)
    }

    /// `dst = src1 op src2`.
    pub fn alu(&mut self, op: Alu, size: Size, dst: VReg, src1: VReg, src2: VReg) {
        self.push(MInst::alu(op, size).dst(dst).src1(src1).src2(src2));
    }

    /// `dst = src1 op imm`.
    pub fn alu_imm(&mut self, op: Alu, size: Size, dst: VReg, src1: VReg, imm: i32) {
        self.push(MInst::alu(op, size).dst(dst).src1(src1).imm(imm));
    }

    /// `dst = src1 op temp` into a new register.
    pub fn alu_new(&mut self, op: Alu, size: Size, src1: VReg, src2: VReg) -> VReg {
        self.in_gpr(|cx, dst| cx.alu(op, size, dst, src1, src2))
    }

    /// `src1 op imm` into a new register.
    pub fn alu_imm_new(&mut self, op: Alu, size: Size, src1: VReg, imm: i32) -> VReg {
        self.in_gpr(|cx, dst| cx.alu_imm(op, size, dst, src1, imm))
    }

    /// `dst = src shift imm`.
    pub fn shift_imm(&mut self, op: Shift, size: Size, dst: VReg, src: VReg, count: u8) {
        self.push(MInst::shift(op, size).dst(dst).src1(src).imm(i32::from(count)));
    }

    /// `src shift imm` into a new register.
    pub fn shift_imm_new(&mut self, op: Shift, size: Size, src: VReg, count: u8) -> VReg {
        self.in_gpr(|cx, dst| cx.shift_imm(op, size, dst, src, count))
    }

    /// `dst = zero_extend(src)` from `from` to 32 bits (and so to 64).
    pub fn movzx(&mut self, from: Size, dst: VReg, src: VReg) {
        if from == Size::D {
            self.push(MInst::new(Op::Mov, Size::D).dst(dst).src2(src));
        } else {
            self.push(MInst::mov_zx(from, Size::D).dst(dst).src2(src));
        }
    }

    /// `dst = sign_extend(src)` from `from` to `to`.
    pub fn movsx(&mut self, to: Size, from: Size, dst: VReg, src: VReg) {
        self.push(MInst::mov_sx(from, to).dst(dst).src2(src));
    }

    /// Load of a general register: narrower ones are zero-extended.
    pub fn load_gpr(&mut self, size: Size, dst: VReg, amode: Amode) {
        let mem = self.mem(amode);
        let inst = match size {
            Size::B | Size::W => MInst::mov_zx(size, Size::D),
            _ => MInst::new(Op::Mov, size),
        };
        self.push(inst.dst(dst).mem(mem));
    }

    /// Store of a general register.
    pub fn store_gpr(&mut self, size: Size, amode: Amode, src: VReg) {
        self.push_mem(MInst::new(Op::Store, size).src2(src), amode);
    }

    /// Store of an immediate (sign-extended from 32 bits).
    pub fn store_imm(&mut self, size: Size, amode: Amode, imm: i32) {
        self.push_mem(MInst::new(Op::Store, size).imm(imm), amode);
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
        self.push(MInst::xmm(op).dst(dst).src1(src1).src2(src2).with_bits(bits::NO_FOLD));
    }

    /// `src1 op src2` in a new SSE register.
    pub fn xmm_new(&mut self, op: Sse, src1: VReg, src2: VReg) -> VReg {
        self.in_xmm(|cx, dst| cx.xmm(op, dst, src1, src2))
    }

    /// `dst = src1 op src2, imm`.
    pub fn xmm_imm(&mut self, op: Sse, dst: VReg, src1: VReg, src2: VReg, imm: u8) {
        let inst = MInst::xmm(op).dst(dst).src1(src1).src2(src2).imm(i32::from(imm));
        self.push(inst.with_bits(bits::NO_FOLD));
    }

    /// `dst = src1 op src2 [, imm]` for an instruction that only VEX encodes; `src1` may be none.
    pub fn vex(&mut self, op: Vex, dst: VReg, src1: VReg, src2: VReg, imm: u8) {
        let inst = MInst::vex(op, Size::D).dst(dst).src1(src1).src2(src2).imm(i32::from(imm));
        self.push(inst.with_bits(bits::NO_FOLD));
    }

    /// `dst = op(src)` in SSE registers.
    pub fn xmm_un(&mut self, op: Sse, dst: VReg, src: VReg) {
        self.push(MInst::xmm_un(op).dst(dst).src2(src).with_bits(bits::NO_FOLD));
    }

    /// `dst = op(src), imm` in SSE registers.
    pub fn xmm_un_imm(&mut self, op: Sse, dst: VReg, src: VReg, imm: u8) {
        let inst = MInst::xmm_un(op).dst(dst).src2(src).imm(i32::from(imm));
        self.push(inst.with_bits(bits::NO_FOLD));
    }

    /// `dst = src shifted by imm` (code of `SseShift`).
    pub fn xmm_shift(&mut self, op: object::encode::sse::SseShift, dst: VReg, src: VReg, count: u8) {
        self.push(MInst::xmm_shift(op).dst(dst).src1(src).imm(i32::from(count)));
    }

    /// SSE load with `op`.
    pub fn xmm_load(&mut self, op: Sse, dst: VReg, amode: Amode) {
        self.push_mem(MInst::xmm_un(op).dst(dst), amode);
    }

    /// SSE store with `op`.
    pub fn xmm_store(&mut self, op: Sse, amode: Amode, src: VReg) {
        self.push_mem(MInst::xmm_store(op).src2(src), amode);
    }

    /// Register move between the files, or a conversion from a general register: `dst` (SSE) =
    /// op(`src` of `size`).
    pub fn gpr_to_xmm(&mut self, op: Sse, size: Size, dst: VReg, src: VReg) {
        self.push(MInst::gpr_to_xmm(op, size).dst(dst).src2(src));
    }

    /// `dst` (general, `size`) = op(`src`).
    pub fn xmm_to_gpr(&mut self, op: Sse, size: Size, dst: VReg, src: VReg) {
        self.push(MInst::xmm_to_gpr(op, size).dst(dst).src2(src).with_bits(bits::NO_FOLD));
    }

    /// A list instruction.
    pub fn push_list(&mut self, inst: MInst, operands: &[crate::machine::ListOperand]) {
        let start = self.out.lists.len();
        self.out.lists.extend_from_slice(operands);
        let passes = matches!(inst.op, Op::Args | Op::Call | Op::TailCall | Op::Ret);
        let wide = passes && operands.iter().any(|o| o.vreg.is_virtual() && self.out.vregs[o.vreg.index()].size == 32);
        let travels = if wide { bits::WIDE } else { 0 };
        self.seq.push(inst.with_list(start, operands.len()).with_bits(travels));
    }

    /// Moves what has been made for the root to the (backward) output.
    pub fn flush(&mut self, loc: Loc) {
        while let Some(inst) = self.seq.pop() {
            if inst.op == Op::BlockStart {
                // What is made between branches is not made on every way.
                self.local_constants.clear();
            }
            self.rev.push(inst);
            self.rev_locs.push(loc);
        }
    }
}

/// The shapes whose destination shares a register with the first source.
fn is_two_address(op: Op) -> bool {
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
