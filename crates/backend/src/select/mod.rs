//! Instruction selection: SSA form to machine instructions over virtual registers.
//!
//! Bottom-up with use counts, in the manner of Cranelift's lowering: blocks in postorder,
//! instructions from the last to the first. A value is computed only if somebody asked for its
//! register; what its users could fold (loads, addresses, comparisons, extensions, immediates)
//! never gets an instruction of its own. [`context::Ctx`] explains when folding is allowed.
//!
//! Phis cost nothing here: their classes share a virtual register ([`crate::eliminate_phis`]), the
//! copies of an edge are one parallel copy before the predecessor's jump. Machine blocks come out
//! in the order that [`crate::layout::order`] chose for the IR blocks.
//!
//! Cost: linear in the function; a constant number of operands is looked at per instruction.

mod address;
mod arith;
mod asm;
mod atomic;
mod bits;
mod block_ops;
mod branch;
mod call;
mod carries;
mod compare;
mod constants;
mod context;
mod contract;
mod convert;
mod debug_values;
mod divide;
mod finish;
mod float;
mod int128;
mod intrinsic;
mod memory;
mod multiply;
mod read_modify_write;
mod register_variables;
mod switch;
mod tls;
mod vector;
mod vector_arith;
mod vector_build;
mod vector_compare;
mod vector_convert;
mod vector_elements;
mod vector_lanes;
mod vector_shuffle;
mod x86;
mod x87;

use cranelift_entity::EntityRef;
use ir::{Block, Function, Inst, InstData, Opcode, Type, analysis};

use crate::{
    context::{BackendError, Context},
    eliminate_phis::PhiElimination,
    machine::{MInst, MachineFunction, Op},
};
use context::Ctx;
use platform::options::X86Features;

/// Blocks in emission order with their estimated frequencies (by block number).
pub struct Plan<'a> {
    /// The reachable blocks in layout order, the entry first.
    pub order: &'a [Block],
    /// Estimated executions per call, by block number.
    pub frequency: &'a [f32],
}

/// Selects a function. `cfg` and `loops` describe it as it is now (trampolines included).
///
/// # Errors
/// What the program asks for and the target cannot do (asm constraints, forced tail calls).
pub fn select(
    cx: Context<'_>,
    func: &Function,
    cfg: &analysis::Cfg,
    loops: &analysis::LoopTree,
    phis: &PhiElimination,
    plan: &Plan<'_>,
) -> Result<MachineFunction, Vec<BackendError>> {
    let mut ctx = Ctx::new(cx, func, cfg, loops, phis);
    let attrs = cx.symbol(func.symbol).attrs;
    ctx.out.naked = attrs.has(ir::FnAttrs::NAKED);
    ctx.out.incoming_align = cx.incoming_align(func);
    ctx.out.call_align = cx.call_align();
    ctx.out.interrupt = attrs.has(ir::FnAttrs::INTERRUPT);
    ctx.out.needs_frame_pointer = !cx.codegen().omit_frame_pointer;
    if attrs.has(ir::FnAttrs::KEEPS_REGISTERS) {
        // `rbp` is pushed first of all, whether it is written or not.
        ctx.out.needs_frame_pointer = true;
        ctx.out.kept = ir::abi::kept_registers(&cx.module.signatures[func.sig]);
    }
    ctx.out.ms_abi = cx.module.signatures[func.sig].ms_abi;
    count_uses(&mut ctx);
    register_variables::prepare(&mut ctx);
    for &block in cfg.postorder() {
        select_block(&mut ctx, block);
    }
    if !ctx.errors.is_empty() {
        return Err(ctx.errors);
    }
    if ctx.out.has_dynamic_stack {
        // Blocks taken from the stack begin right above the outgoing arguments.
        ctx.out.outgoing_size = ctx.out.outgoing_size.next_multiple_of(ctx.out.outgoing_align.max(16));
    }
    ctx.keep_variable_slots();
    Ok(finish::finish(ctx, plan))
}

/// Use counts; operands of phis count where they are copied.
fn count_uses(cx: &mut Ctx) {
    let func = cx.func;
    cx.uses = vec![0; func.num_values()];
    for &block in cx.cfg.postorder() {
        for inst in func.block_insts(block) {
            for value in func.operands(inst) {
                cx.uses[value.index()] += 1;
            }
        }
    }
}

fn select_block(cx: &mut Ctx, block: Block) {
    let func = cx.func;
    cx.block = block;
    cx.tail_call = None;
    cx.local_constants.clear();
    cx.scan_block(block);
    let start = cx.rev.len() as u32;
    let terminator = func.terminator(block);
    cx.root = terminator;
    branch::select_terminator(cx, terminator, &cx.data(terminator));
    mark_volatile(cx, None);
    cx.flush(func.inst_locs[terminator]);
    constants::make_hoisted(cx);
    cx.flush(func.inst_locs[terminator]);
    debug_values::mark(cx, terminator);
    let mut at = func.prev_inst(terminator);
    while let Some(inst) = at {
        at = func.prev_inst(inst);
        let data = cx.data(inst);
        if data.opcode == Opcode::Phi {
            break;
        }
        // A tail call gives its results to the caller of this function.
        let needed = !cx.facts[inst.index()].delayed && func.results(inst).any(|v| cx.is_needed(v));
        let wanted = !ir::effects::is_removable_if_unused(func, cx.cx.module, inst) || cx.tail_call == Some(inst);
        let folded = cx.folded.take_if(|&mut folded| folded == inst).is_some();
        if folded && needed {
            base::bug!("a volatile load is folded and made in a register");
        }
        if needed || wanted && !folded {
            let folded = cx.folded;
            cx.root = inst;
            select_inst(cx, inst, &data);
            mark_volatile(cx, folded);
            cx.flush(func.inst_locs[inst]);
        }
        debug_values::mark(cx, inst);
    }
    if block == func.entry() {
        call::select_entry(cx);
        cx.flush(func.loc);
    }
    cx.segments.push((block.as_u32(), start, cx.rev.len() as u32));
}

/// What the root's instructions access is volatile if they do a load that is: `before` was folded
/// before the root was selected.
fn mark_volatile(cx: &mut Ctx, before: Option<Inst>) {
    if cx.folded != before {
        cx.seq.iter_mut().for_each(|i| i.bits |= crate::machine::bits::VOLATILE);
    }
}

/// One instruction that is neither a phi nor a terminator. Of those on 32-byte vectors some are
/// selected on whole registers, and others in two parts, which are joined.
fn select_inst(cx: &mut Ctx, inst: Inst, data: &InstData) {
    if !context::is_wide_type(data.ty) || !cx.has(X86Features::AVX) {
        return select_any(cx, inst, data);
    }
    let in_one = matches!(data.opcode, Opcode::Load | Opcode::Call | Opcode::Asm | Opcode::Bitcast)
        || data.is_intrinsic(ir::Intrinsic::X86);
    cx.whole = !in_one && vector::is_whole(cx, data);
    cx.apart = (!in_one && !cx.whole).then_some(crate::machine::VReg::NONE);
    select_any(cx, inst, data);
    cx.whole = false;
    if let Some(parts) = cx.apart.take().filter(|parts| !parts.is_none()) {
        let dst = cx.root_result();
        cx.join(dst, parts);
    }
}

fn select_any(cx: &mut Ctx, inst: Inst, data: &InstData) {
    use Opcode::*;
    let vector = data.ty.is_vector();
    let wide = data.ty == Type::I128;
    match data.opcode {
        Alloca => {
            let dst = cx.root_result();
            let slot = cx.alloca_slot(inst);
            cx.lea(dst, crate::machine::Amode::slot(slot, 0));
        }
        DynAlloca => intrinsic::select_dyn_alloca(cx, inst, data),
        StackSave => intrinsic::select_stack_save(cx, inst),
        StackRestore => intrinsic::select_stack_restore(cx, data),
        LifetimeStart | LifetimeEnd => {}
        Keep => intrinsic::select_keep(cx, data),
        Load => memory::select_load(cx, inst, data),
        Store => memory::select_store(cx, inst, data),
        MemCpy | MemMove | MemSet => block_ops::select_block_op(cx, data),
        AtomicLoad => atomic::select_load(cx, inst, data),
        AtomicStore => atomic::select_store(cx, data),
        AtomicRmw => atomic::select_rmw(cx, inst, data),
        CmpXchg => atomic::select_compare_exchange(cx, inst, data),
        Fence => atomic::select_fence(cx, data),
        Prefetch => intrinsic::select_prefetch(cx, data),
        PtrAdd => address::select_ptradd(cx, inst, data),
        TlsAddr => tls::select_tls_address(cx, inst, data),
        BlockAddr => {
            let dst = cx.root_result();
            let target = cx.func.labels[data.label() as usize].as_u32();
            cx.push(MInst::to_block(Op::BlockAddress, target).dst(dst));
        }
        Add | Sub | Mul | And | Or | Xor | Shl | LShr | AShr | Rotl | Rotr | SMulHi | UMulHi | SMin | SMax | UMin
        | UMax => {
            if vector {
                vector::select_binary(cx, inst, data);
            } else if wide {
                int128::select_binary(cx, inst, data);
            } else {
                select_scalar_int(cx, inst, data);
            }
        }
        SDiv | UDiv | SRem | URem if vector => vector::select_binary(cx, inst, data),
        SDiv | UDiv | SRem | URem => divide::select_division(cx, inst, data),
        SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow | SMulOverflow | UMulOverflow => {
            if wide {
                int128::select_overflow(cx, inst, data)
            } else {
                arith::select_overflow(cx, inst, data)
            }
        }
        Ctlz | Cttz | Popcount | Bswap | Sqrt if vector => vector::select_unary(cx, inst, data),
        Ctlz | Cttz => bits::select_scan(cx, inst, data),
        Popcount => bits::select_popcount(cx, inst, data),
        Bswap => bits::select_bswap(cx, inst, data),
        ICmp | FCmp => compare::select_compare(cx, inst, data),
        FAdd | FSub if contract::select(cx, inst, data) => {}
        FAdd | FSub | FMul | FDiv | FMin | FMax if vector => vector::select_binary(cx, inst, data),
        FAdd | FSub | FMul | FDiv | FMin | FMax => float::select_binary(cx, inst, data),
        FNeg | FAbs => float::select_sign(cx, inst, data),
        Sqrt => float::select_sqrt(cx, inst, data),
        CopySign => float::select_copysign(cx, inst, data),
        Fma => float::select_fma(cx, inst, data),
        Trunc | ZExt | SExt => {
            let from = cx.ty(cx.arg(data, 0));
            if vector {
                vector_convert::select_conversion(cx, inst, data);
            } else if wide || from == Type::I128 {
                int128::select_extension(cx, inst, data);
            } else {
                arith::select_extension(cx, inst, data);
            }
        }
        FpTrunc | FpExt | FpToSi | FpToUi | SiToFp | UiToFp => convert::select_conversion(cx, inst, data),
        PtrToInt | IntToPtr if cx.ty(cx.arg(data, 0)).bits() != data.ty.bits() => select_pointer_width(cx, data),
        PtrToInt | IntToPtr | Bitcast => convert::select_bitcast(cx, inst, data),
        Select => compare::select_select(cx, inst, data),
        Undef => select_undef(cx, data),
        ExtractLane => vector_elements::select_extract(cx, inst, data),
        InsertLane => vector_elements::select_insert(cx, inst, data),
        Splat => vector_elements::select_splat(cx, inst, data),
        Shuffle => vector_shuffle::select_shuffle(cx, inst, data),
        Call => {
            cx.local_constants.clear();
            call::select_call(cx, inst);
        }
        Intrinsic => intrinsic::select_intrinsic(cx, inst, data),
        Asm => asm::select_asm(cx, inst),
        VaStart => call::select_va_start(cx, data),
        Phi | Br | CondBr | Switch | IndirectBr | AsmBr | Ret | Unreachable => {
            base::bug!("{} in the middle of a block", data.opcode.name())
        }
    }
}

fn select_scalar_int(cx: &mut Ctx, inst: Inst, data: &InstData) {
    use Opcode::*;
    match data.opcode {
        Add => arith::select_add(cx, inst, data),
        Sub => arith::select_sub(cx, inst, data),
        Mul => multiply::select_mul(cx, inst, data),
        And => arith::select_and(cx, inst, data),
        Or | Xor => arith::select_or_xor(cx, inst, data),
        Shl | LShr | AShr => arith::select_shift(cx, inst, data),
        Rotl | Rotr => arith::select_rotate(cx, inst, data),
        SMulHi | UMulHi => arith::select_mul_high(cx, inst, data),
        _ => arith::select_min_max(cx, inst, data),
    }
}

/// `ptrtoint` to a narrower and `inttoptr` from a narrower integer.
fn select_pointer_width(cx: &mut Ctx, data: &InstData) {
    let src = cx.arg(data, 0);
    let from = context::int_size(cx.ty(src));
    let reg = cx.reg(src);
    let dst = cx.root_result();
    if data.opcode == Opcode::PtrToInt || from == object::Size::Q {
        cx.copy(dst, reg);
        if data.ty == Type::I128 {
            cx.move_imm(object::Size::Q, dst.part(1), 0);
        }
    } else {
        cx.movzx(from, dst, reg);
    }
}

/// Left-over undefined values are zero, so that output does not depend on chance.
fn select_undef(cx: &mut Ctx, data: &InstData) {
    let result = cx.func.first_result(cx.root);
    if x87::is_x87(data.ty) {
        return x87::select_undef(cx, result);
    }
    let dst = cx.result(result);
    match Ctx::holder(data.ty) {
        context::Holder::Regs(crate::machine::Class::Gpr, _, parts) => {
            for part in 0..parts as usize {
                cx.move_imm(object::Size::D, dst.part(part), 0);
            }
        }
        _ => vector::zero_parts(cx, data.ty, dst),
    }
}

impl Ctx<'_> {
    /// The number of a further machine block inside what is being selected.
    pub fn new_extra_block(&mut self) -> u32 {
        self.extra_blocks += 1;
        self.func.num_blocks() as u32 + self.extra_blocks - 1
    }

    /// What is pushed from here on is in that block.
    pub fn begin_extra_block(&mut self, block: u32) {
        self.seq.push(MInst::to_block(Op::BlockStart, block));
    }
}
