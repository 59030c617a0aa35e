//! One machine instruction to bytes.

use object::{
    Alu, Cond, Mem, RelocKind, Rm, Rmi, Shift, Size, SymbolRef,
    encode::{
        BitTest, StringOp, Unary, Vex,
        vex::VexLength,
        x87::{X87Float, X87Int},
    },
};
use platform::registers::{R11, RAX, RBP, RDX, RSP, Reg, RegSet};

use super::{Emitter, keeps_flags, prologue, r};
use crate::{
    branches,
    context::CallForm,
    machine::{self, AddressCode, Callee, DoubleShift, MInst, Op, Place, ScanCode, X87Form, X87Mem, X87Reg, bits},
    x86::operations::FenceKind,
};

/// Emits one instruction.
pub fn emit(e: &mut Emitter<'_>, inst: &MInst) {
    use Op::*;
    match inst.op {
        Nop | Keep | Args | ClobberAll | Unreachable => {}
        Mov | MovAbs | MovZx | MovSx | Lea | Address | Store | StoreNt | LoadSwapped | StoreSwapped | Swap => {
            moves(e, inst)
        }
        Alu | AluM | Cmp | CmpM | Test | TestM | Unary | UnaryM | Imul | ImulImm | MulWide | Div => arithmetic(e, inst),
        Shift | ShiftM | ShiftX | RorX | DoubleShift | BitTest | BitChange | Scan | Bswap => bit_operations(e, inst),
        Setcc | SetccZx | SetccM | CarryMask | Cmov => conditional(e, inst),
        Xmm | XmmUn | XmmStore | XmmCmp | XmmZero | XmmOnes | XmmShift | GprToXmm | XmmToGpr | XmmInsert
        | XmmSelect | Fma | Vex | VexCmp | MaskedStore | Blend | StringCompare | SaveXmms => {
            super::vector::emit(e, inst)
        }
        Crc32 => e.buf.crc32_rr(inst.size, r(inst.dst), r(inst.src2)),
        X87M | X87 | X87R => x87(e, inst),
        Jmp | Jcc | Fork | JmpInd | Ret | TailCall | Call | LongJmp | NonlocalJump | EhReturn | Trap => {
            control(e, inst)
        }
        Asm | AsmGoto => super::asm::emit(e, inst),
        Xadd | XchgM | Cmpxchg | Cmpxchg16 | Fence => atomic(e, inst),
        RepMovs => e.buf.rep(StringOp::Movs, inst.size),
        RepStos => e.buf.rep(StringOp::Stos, inst.size),
        Pause => e.buf.pause(),
        Rdtsc => e.buf.rdtsc(),
        Prefetch => {
            let mem = e.mem(inst.mem);
            e.buf.prefetch(inst.prefetch_hint(), mem);
        }
        Mxcsr => {
            let mem = e.mem(inst.mem);
            match inst.mxcsr_op() {
                machine::Mxcsr::Load => e.buf.ldmxcsr(mem),
                machine::Mxcsr::Store => e.buf.stmxcsr(mem),
            }
        }
        TlsGeneral | TlsModule => tls(e, inst),
        BlockAddress => {
            let label = e.label(inst.target());
            e.buf.lea(Size::Q, r(inst.dst), Mem::rip_label(label));
        }
        DynAlloca => dynamic_alloca(e, inst),
        GetSp => e.buf.mov_rr(Size::Q, r(inst.dst), RSP),
        SetSp => e.buf.mov_rr(Size::Q, RSP, r(inst.src2)),
        GetFp => e.buf.mov_rr(Size::Q, r(inst.dst), RBP),
        Copy | ParallelCopy | BlockStart => base::bug!("{:?} after allocation", inst.op),
    }
}

fn moves(e: &mut Emitter<'_>, inst: &MInst) {
    match inst.op {
        Op::Mov if inst.mem.is_some() => {
            let mem = e.mem(inst.mem);
            e.buf.mov_rm(inst.size, r(inst.dst), mem);
        }
        Op::Mov if inst.src2.is_some() => {
            let (dst, src) = (r(inst.dst), r(inst.src2));
            // A 32-bit move clears the upper half, so it is one even onto itself.
            if dst != src || inst.size == Size::D {
                e.buf.mov_rr(inst.size, dst, src);
            }
        }
        Op::Mov => {
            if inst.immediate() == 0 && !keeps_flags(inst) {
                e.buf.zero_r(r(inst.dst));
            } else if inst.immediate() == -1 && inst.size >= Size::D && e.cx.options.optimize_size && !keeps_flags(inst)
            {
                // An immediate of one byte instead of four.
                e.buf.alu_ri(Alu::Or, inst.size, r(inst.dst), -1);
            } else {
                let imm =
                    if inst.size == Size::D { i64::from(inst.immediate() as u32) } else { i64::from(inst.immediate()) };
                e.buf.mov_ri(inst.size, r(inst.dst), imm);
            }
        }
        Op::MovAbs => e.buf.mov_ri(Size::Q, r(inst.dst), inst.imm64()),
        Op::MovZx | Op::MovSx => {
            let from = inst.from_size();
            let signed = inst.op == Op::MovSx;
            match e.rm(inst) {
                Rm::Mem(mem) if inst.bits & bits::LOW != 0 => e.buf.mov_rm(from, r(inst.dst), mem),
                rm if signed => e.buf.movsx_rx(inst.size, from, r(inst.dst), rm),
                rm => e.buf.movzx_rx(inst.size, from, r(inst.dst), rm),
            }
        }
        Op::Lea => {
            let mem = e.mem(inst.mem);
            match mem.as_register() {
                Some(base) => e.buf.mov_rr(inst.size, r(inst.dst), base),
                None => e.buf.lea(inst.size, r(inst.dst), mem),
            }
        }
        Op::Address => address(e, inst),
        Op::Store => {
            let mem = e.mem(inst.mem);
            if inst.src2.is_some() {
                e.buf.mov_mr(inst.size, mem, r(inst.src2))
            } else {
                e.buf.mov_mi(inst.size, mem, inst.immediate())
            }
        }
        Op::StoreNt => {
            let mem = e.mem(inst.mem);
            e.buf.movnti(inst.size, mem, r(inst.src2));
        }
        Op::LoadSwapped => {
            let mem = e.mem(inst.mem);
            e.buf.movbe_rm(inst.size, r(inst.dst), mem);
        }
        Op::StoreSwapped => {
            let mem = e.mem(inst.mem);
            e.buf.movbe_mr(inst.size, mem, r(inst.src2));
        }
        _ => e.buf.xchg_rr(Size::Q, r(inst.dst), r(inst.src2)),
    }
}

fn address(e: &mut Emitter<'_>, inst: &MInst) {
    let amode = *e.mf.amode(inst.mem);
    let symbol = match amode.place {
        Place::Absolute(symbol) => SymbolRef(symbol),
        Place::Library(name) => {
            let name = e.mf.library_names[name as usize];
            e.buf.named_symbol(&e.cx.module.assembler_name(name))
        }
        other => base::bug!("address of {other:?}"),
    };
    let dst = r(inst.dst);
    match inst.address_form() {
        AddressCode::Abs32 => e.buf.mov_r_symbol32(dst, symbol, amode.disp),
        AddressCode::Abs32S => e.buf.mov_r_symbol32s(dst, symbol, amode.disp),
        AddressCode::Abs64 => e.buf.movabs_r_symbol(dst, symbol, i64::from(amode.disp), RelocKind::Abs64),
        AddressCode::Far => far_address(e, dst, symbol, i64::from(amode.disp)),
        AddressCode::FarGot => far_got(e, dst, symbol),
    }
}

/// `dst = symbol` by its distance from here; r11 is reserved by the instruction's clobbers.
fn far_address(e: &mut Emitter<'_>, dst: Reg, symbol: SymbolRef, addend: i64) {
    // The relocated field lies two bytes into the `movabs`, the distance counts from the label.
    let here = e.buf.label_here();
    e.buf.movabs_r_symbol(dst, symbol, addend + 2, RelocKind::Pc64);
    e.buf.lea(Size::Q, R11, Mem::rip_label(here));
    e.buf.lea(Size::Q, dst, Mem::base_index(dst, R11, object::Scale::One, 0));
}

fn far_got(e: &mut Emitter<'_>, dst: Reg, symbol: SymbolRef) {
    let here = e.buf.label_here();
    e.buf.movabs_r_symbol(dst, symbol, 2, RelocKind::GotPcRel64);
    e.buf.lea(Size::Q, R11, Mem::rip_label(here));
    e.buf.mov_rm(Size::Q, dst, Mem::base_index(dst, R11, object::Scale::One, 0));
}

fn arithmetic(e: &mut Emitter<'_>, inst: &MInst) {
    let size = inst.size;
    match inst.op {
        Op::Alu => {
            let (op, dst) = (inst.alu_op(), r(inst.dst));
            match (e.rmi(inst), op) {
                // Adding 128 is shorter as subtracting -128, if nobody looks at the carry.
                (Rmi::Imm(128), Alu::Add) if size >= Size::D && !keeps_flags(inst) => {
                    e.buf.alu_ri(Alu::Sub, size, dst, -128);
                }
                (Rmi::Imm(128), Alu::Sub) if size >= Size::D && !keeps_flags(inst) => {
                    e.buf.alu_ri(Alu::Add, size, dst, -128);
                }
                (source, _) => e.buf.alu_r(op, size, dst, source),
            }
        }
        Op::AluM | Op::CmpM => {
            let op = if inst.op == Op::CmpM { Alu::Cmp } else { inst.alu_op() };
            let mem = e.mem(inst.mem);
            match (inst.bits & bits::LOCK != 0, inst.src2.is_some()) {
                (true, true) => e.buf.lock_alu_mr(op, size, mem, r(inst.src2)),
                (true, false) => e.buf.lock_alu_mi(op, size, mem, inst.immediate()),
                (false, true) => e.buf.alu_mr(op, size, mem, r(inst.src2)),
                (false, false) => e.buf.alu_mi(op, size, mem, inst.immediate()),
            }
        }
        Op::Cmp => {
            let source = e.rmi(inst);
            e.buf.alu_r(Alu::Cmp, size, r(inst.src1), source);
        }
        Op::Test => {
            if inst.src2.is_some() {
                e.buf.test_rr(size, r(inst.src1), r(inst.src2))
            } else {
                e.buf.test_ri(size, r(inst.src1), inst.immediate())
            }
        }
        Op::TestM => {
            let mem = e.mem(inst.mem);
            if inst.src2.is_some() {
                e.buf.test_mr(size, mem, r(inst.src2))
            } else {
                e.buf.test_mi(size, mem, inst.immediate())
            }
        }
        Op::Unary => e.buf.unary_x(inst.unary_op(), size, r(inst.dst)),
        Op::UnaryM => {
            let mem = e.mem(inst.mem);
            if inst.bits & bits::LOCK != 0 {
                e.buf.lock_unary_m(inst.unary_op(), size, mem)
            } else {
                e.buf.unary_x(inst.unary_op(), size, mem)
            }
        }
        Op::Imul => {
            let source = e.rm(inst);
            e.buf.imul_rx(size, r(inst.dst), source);
        }
        Op::ImulImm => {
            let source = e.rm(inst);
            e.buf.imul_rxi(size, r(inst.dst), source, inst.immediate());
        }
        _ => {
            let op = inst.unary_op();
            match (inst.op, op) {
                (Op::MulWide, _) => {}
                (_, Unary::Idiv) => e.buf.sign_into_rdx(size),
                _ => e.buf.zero_r(RDX),
            }
            let operand = e.rm(inst);
            e.buf.unary_x(op, size, operand);
        }
    }
}

fn bit_operations(e: &mut Emitter<'_>, inst: &MInst) {
    let size = inst.size;
    match inst.op {
        Op::Shift | Op::ShiftM => {
            let operand = if inst.op == Op::Shift { Rm::Reg(r(inst.dst)) } else { Rm::Mem(e.mem(inst.mem)) };
            if inst.src2.is_some() {
                e.buf.shift_xcl(inst.shift_op(), size, operand)
            } else {
                e.buf.shift_xi(inst.shift_op(), size, operand, inst.imm8())
            }
        }
        Op::ShiftX => {
            let op = match inst.shift_op() {
                Shift::Shl => Vex::Shlx,
                Shift::Shr => Vex::Shrx,
                _ => Vex::Sarx,
            };
            let operand = e.mem_or(inst, inst.src1);
            e.buf.vex_rrx(op, VexLength::from(size), r(inst.dst), Some(r(inst.src2)), operand);
        }
        Op::RorX => {
            let operand = e.rm(inst);
            e.buf.vex(Vex::Rorx, VexLength::from(size), (r(inst.dst), None), operand, Some(inst.imm8()));
        }
        Op::DoubleShift => {
            let (dst, src) = (r(inst.dst), r(inst.src2));
            match inst.double_shift_op() {
                DoubleShift::Left => e.buf.shld_rri(size, dst, src, inst.imm8()),
                DoubleShift::Right => e.buf.shrd_rri(size, dst, src, inst.imm8()),
                DoubleShift::LeftBy => e.buf.shld_rrcl(size, dst, src),
                DoubleShift::RightBy => e.buf.shrd_rrcl(size, dst, src),
            }
        }
        Op::BitTest | Op::BitChange => {
            let (op, operand) = match inst.op {
                Op::BitTest => (BitTest::Bt, r(inst.src1)),
                _ => (inst.bit_op(), r(inst.dst)),
            };
            if inst.src2.is_some() {
                e.buf.bit_test_rr(op, size, operand, r(inst.src2));
            } else {
                e.buf.bit_test_xi(op, size, operand, inst.imm8());
            }
        }
        Op::Scan => scan(e, inst),
        Op::Bswap => e.buf.bswap(size, r(inst.dst)),
        other => base::bug!("{other:?} is no bit operation"),
    }
}

fn scan(e: &mut Emitter<'_>, inst: &MInst) {
    let (size, dst, source) = (inst.size, r(inst.dst), e.rm(inst));
    let code = inst.scan_op();
    match code {
        ScanCode::Bsf => return e.buf.bsf_rx(size, dst, source),
        ScanCode::Bsr => return e.buf.bsr_rx(size, dst, source),
        _ => {}
    }
    // The other scans have register forms only here: load first.
    let source = match source {
        Rm::Reg(source) => source,
        Rm::Mem(mem) => {
            e.buf.mov_rm(size, dst, mem);
            dst
        }
    };
    match code {
        ScanCode::Tzcnt => e.buf.tzcnt_rr(size, dst, source),
        ScanCode::Lzcnt => e.buf.lzcnt_rr(size, dst, source),
        _ => e.buf.popcnt_rr(size, dst, source),
    }
}

fn conditional(e: &mut Emitter<'_>, inst: &MInst) {
    match inst.op {
        Op::Setcc => e.buf.setcc_x(inst.cond, r(inst.dst)),
        Op::CarryMask => e.buf.alu_rr(Alu::Sbb, inst.size, r(inst.dst), r(inst.dst)),
        Op::SetccZx => {
            e.buf.setcc_x(inst.cond, r(inst.dst));
            e.buf.movzx_rx(Size::D, Size::B, r(inst.dst), r(inst.dst));
        }
        Op::SetccM => {
            let mem = e.mem(inst.mem);
            e.buf.setcc_x(inst.cond, mem);
        }
        _ => {
            let source = e.rm(inst);
            e.buf.cmov_rx(inst.cond, inst.size, r(inst.dst), source);
        }
    }
}

fn x87(e: &mut Emitter<'_>, inst: &MInst) {
    match inst.op {
        Op::X87M => {
            let mem = e.mem(inst.mem);
            let buf = &mut *e.buf;
            match inst.x87_mem() {
                X87Mem::Fld32 => buf.fld_m(X87Float::M32, mem),
                X87Mem::Fld64 => buf.fld_m(X87Float::M64, mem),
                X87Mem::Fld80 => buf.fld_m(X87Float::M80, mem),
                X87Mem::Fstp32 => buf.fstp_m(X87Float::M32, mem),
                X87Mem::Fstp64 => buf.fstp_m(X87Float::M64, mem),
                X87Mem::Fstp80 => buf.fstp_m(X87Float::M80, mem),
                X87Mem::Fild16 => buf.fild(X87Int::M16, mem),
                X87Mem::Fild32 => buf.fild(X87Int::M32, mem),
                X87Mem::Fild64 => buf.fild(X87Int::M64, mem),
                X87Mem::Fistp16 => buf.fistp(X87Int::M16, mem),
                X87Mem::Fistp32 => buf.fistp(X87Int::M32, mem),
                X87Mem::Fistp64 => buf.fistp(X87Int::M64, mem),
                X87Mem::Fnstcw => buf.fnstcw(mem),
                X87Mem::Fldcw => buf.fldcw(mem),
                X87Mem::Fst32 => buf.fst_m(X87Float::M32, mem),
                X87Mem::Fst64 => buf.fst_m(X87Float::M64, mem),
                arithmetic => {
                    let (op, wide) = arithmetic.as_arithmetic().expect("all others are above");
                    buf.x87_op_m(op, if wide { X87Float::M64 } else { X87Float::M32 }, mem);
                }
            }
        }
        Op::X87 => {
            e.buf.x87(inst.x87_op());
        }
        _ => {
            let i = inst.imm8();
            let buf = &mut *e.buf;
            match inst.x87_reg() {
                X87Reg::Fld => buf.fld_st(i),
                X87Reg::Fstp => buf.fstp_st(i),
                X87Reg::Fxch => buf.fxch(i),
                X87Reg::UcomiPop2 => {
                    buf.fucomip(1);
                    buf.fstp_st(0);
                }
                X87Reg::ComiPop2 => {
                    buf.fcomip(1);
                    buf.fstp_st(0);
                }
                X87Reg::Ucomi => buf.fucomi(i),
                X87Reg::UcomiPop => buf.fucomip(i),
                X87Reg::Comi => buf.fcomi(i),
                X87Reg::ComiPop => buf.fcomip(i),
                arithmetic => match arithmetic.as_arithmetic().expect("all others are above") {
                    (op, X87Form::ToTop) => buf.x87_op_st0(op, i),
                    (op, X87Form::ToOther) => buf.x87_op_sti(op, i),
                    (op, X87Form::AndPop) => buf.x87_op_pop(op, i),
                },
            }
        }
    }
}

fn control(e: &mut Emitter<'_>, inst: &MInst) {
    match inst.op {
        Op::Jmp => jump(e, inst.target()),
        Op::Jcc => conditional_jump(e, inst),
        Op::Fork => jump(e, inst.target()),
        Op::JmpInd => {
            let table = e.mf.list_tables[inst.index()].is_some();
            if inst.mem.is_some() {
                let mem = e.mem(inst.mem);
                branches::jmp_m(e.cx, e.func, e.buf, mem, table);
            } else {
                branches::jmp_r(e.cx, e.func, e.buf, r(inst.src2), table);
            }
        }
        Op::Ret => {
            super::vector::leave(e, inst);
            let live = RegSet::of(&[RAX, RDX]);
            let free = prologue::free_at_end(e, live);
            prologue::leave_function(e, prologue::Leaving { live, free }, |e| {
                super::zero_registers(e.cx, e.func, e.written, e.buf);
                prologue::return_from(e.cx, e.func, e.buf);
            });
        }
        Op::Call => call(e, inst),
        Op::TailCall => tail_call(e, inst),
        Op::Trap => e.buf.ud2(),
        Op::LongJmp => long_jump(e, inst),
        Op::EhReturn => {
            super::vector::leave(e, inst);
            prologue::eh_return(e);
        }
        _ => {
            // Frame pointer in rcx, stack pointer in rdx, address in rax.
            e.buf.mov_rr(Size::Q, RBP, platform::registers::RCX);
            e.buf.mov_rr(Size::Q, RSP, RDX);
            branches::jmp_r(e.cx, e.func, e.buf, RAX, false);
        }
    }
}

fn jump(e: &mut Emitter<'_>, target: u32) {
    if !e.falls_to(target) {
        let label = e.label(target);
        e.buf.jmp(label);
    }
}

fn conditional_jump(e: &mut Emitter<'_>, inst: &MInst) {
    let (then, otherwise) = (inst.target(), inst.else_block());
    let (then_label, else_label) = (e.label(then), e.label(otherwise));
    if then_label == else_label {
        return jump(e, then);
    }
    match inst.bits & (bits::OR_PARITY | bits::AND_NO_PARITY) {
        bits::OR_PARITY => e.buf.jcc(Cond::P, then_label),
        bits::AND_NO_PARITY => e.buf.jcc(Cond::P, else_label),
        _ => {}
    }
    if e.falls_to(then) {
        e.buf.jcc(inst.cond.invert(), else_label);
    } else {
        e.buf.jcc(inst.cond, then_label);
        jump(e, otherwise);
    }
}

fn call(e: &mut Emitter<'_>, inst: &MInst) {
    super::vector::leave(e, inst);
    let callee = e.mf.calls[inst.index()].callee;
    if inst.bits & bits::UNTRACKED != 0 && matches!(callee, Callee::Register | Callee::Memory) {
        branches::untracked(e.cx, e.func, e.buf);
    }
    match callee {
        Callee::Symbol(symbol, form) => {
            let symbol = SymbolRef::module(symbol.as_u32());
            call_symbol(e, symbol, form);
        }
        Callee::Library(name, form) => {
            let symbol = e.buf.named_symbol(&e.cx.module.assembler_name(name));
            call_symbol(e, symbol, form);
        }
        Callee::Register => {
            let target = r(e.mf.lists[inst.list().start].vreg);
            branches::call_r(e.cx, e.func, e.buf, target);
        }
        Callee::Memory => {
            let mem = e.mem(inst.mem);
            e.buf.call_m(mem);
        }
    }
    if inst.bits & bits::RETURNS_TWICE != 0 && branches::tracked(e.cx) {
        e.buf.endbr64();
    }
}

fn call_symbol(e: &mut Emitter<'_>, symbol: SymbolRef, form: CallForm) {
    if form == CallForm::Got { branches::call_got(e.cx, e.func, e.buf, symbol) } else { e.buf.call_symbol(symbol) }
}

fn tail_call(e: &mut Emitter<'_>, inst: &MInst) {
    super::vector::leave(e, inst);
    let callee = e.mf.calls[inst.index()].callee;
    let target = e.mf.lists.get(inst.list().start).map(|o| o.vreg);
    let operands = &e.mf.lists[inst.list()];
    let live = operands.iter().map(|operand| r(operand.vreg)).collect();
    let free = prologue::free_at_end(e, live);
    prologue::leave_function(e, prologue::Leaving { live, free }, |e| match callee {
        Callee::Symbol(symbol, form) => {
            let symbol = SymbolRef::module(symbol.as_u32());
            if form == CallForm::Got {
                branches::jmp_got(e.cx, e.func, e.buf, symbol);
            } else {
                e.buf.jmp_symbol(symbol);
            }
        }
        _ => {
            if inst.bits & bits::UNTRACKED != 0 {
                branches::untracked(e.cx, e.func, e.buf);
            }
            branches::jmp_r(e.cx, e.func, e.buf, r(target.expect("the callee's register")), false);
        }
    });
}

fn long_jump(e: &mut Emitter<'_>, inst: &MInst) {
    let buffer = r(inst.src2);
    let target = if buffer == RAX { platform::registers::RCX } else { RAX };
    e.buf.mov_rm(Size::Q, target, Mem::base(buffer, 8));
    // The buffer's address may be in rbp.
    e.buf.mov_rm(Size::Q, RSP, Mem::base(buffer, 16));
    e.buf.mov_rm(Size::Q, RBP, Mem::base(buffer, 0));
    branches::jmp_r(e.cx, e.func, e.buf, target, false);
}

fn atomic(e: &mut Emitter<'_>, inst: &MInst) {
    if inst.op == Op::Fence {
        return match inst.fence_kind() {
            FenceKind::Full => e.buf.mfence(),
            FenceKind::Load => e.buf.lfence(),
            FenceKind::Store => e.buf.sfence(),
        };
    }
    let mem = e.mem(inst.mem);
    match inst.op {
        Op::Xadd => e.buf.lock_xadd(inst.size, mem, r(inst.dst)),
        Op::XchgM => e.buf.xchg_mr(inst.size, mem, r(inst.dst)),
        Op::Cmpxchg => e.buf.lock_cmpxchg(inst.size, mem, r(inst.src2)),
        _ => e.buf.lock_cmpxchg16b(mem),
    }
}

fn tls(e: &mut Emitter<'_>, inst: &MInst) {
    let Place::Rip(symbol) = e.mf.amode(inst.mem).place else { base::bug!("thread-local symbol expected") };
    let function = e.buf.named_symbol(&e.cx.module.assembler_name("__tls_get_addr"));
    let no_plt = !e.cx.codegen().plt;
    if inst.op == Op::TlsGeneral {
        e.buf.tls_general_dynamic(SymbolRef(symbol), function, no_plt);
    } else {
        e.buf.tls_local_dynamic(SymbolRef(symbol), function, no_plt);
    }
}

/// Moves the stack pointer down; the outgoing argument area stays below the new block.
fn dynamic_alloca(e: &mut Emitter<'_>, inst: &MInst) {
    let (dst, size) = (r(inst.dst), r(inst.src2));
    if e.cx.codegen().stack_clash_protection {
        // Page by page, each touched.
        let (head, rest) = (e.buf.new_label(), e.buf.new_label());
        if dst != size {
            e.buf.mov_rr(Size::Q, dst, size);
        }
        e.buf.bind(head);
        e.buf.alu_ri(Alu::Cmp, Size::Q, dst, 4096);
        e.buf.jcc(Cond::B, rest);
        e.buf.alu_ri(Alu::Sub, Size::Q, RSP, 4096);
        e.buf.alu_mi(Alu::Or, Size::Q, Mem::base(RSP, 0), 0);
        e.buf.alu_ri(Alu::Sub, Size::Q, dst, 4096);
        e.buf.jmp(head);
        e.buf.bind(rest);
        e.buf.alu_rr(Alu::Sub, Size::Q, RSP, dst);
    } else {
        e.buf.alu_rr(Alu::Sub, Size::Q, RSP, size);
    }
    if e.mf.outgoing_align > 16 {
        // Stack arguments of later calls lie at the stack pointer.
        e.buf.alu_ri(Alu::And, Size::Q, RSP, -(e.mf.outgoing_align as i32));
    }
    let outgoing = e.mf.outgoing_size as i32;
    if inst.immediate() > 16 {
        // Room for rounding the block's address up.
        let room = (inst.immediate() as u32 - 16).next_multiple_of(e.mf.outgoing_align.max(16)) as i32;
        e.buf.alu_ri(Alu::Sub, Size::Q, RSP, room);
        e.buf.lea(Size::Q, dst, Mem::base(RSP, outgoing + inst.immediate() - 1));
        e.buf.alu_ri(Alu::And, Size::Q, dst, -inst.immediate());
    } else if outgoing == 0 {
        e.buf.mov_rr(Size::Q, dst, RSP);
    } else {
        e.buf.lea(Size::Q, dst, Mem::base(RSP, outgoing));
    }
}
