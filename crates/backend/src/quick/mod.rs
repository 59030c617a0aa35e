//! The `-O0` path: IR straight to machine code, one pass per function, no analyses.
//!
//! What tcc shows to be enough at `-O0`: variables stay in their stack slots, temporaries in
//! registers for as long as there are registers. Unlike tcc we see a whole function, so one scan
//! ([`scan`]) counts uses first; then every instruction is emitted once, in layout order. On the
//! way
//! - addresses (`alloca + constant`, `symbol + constant`, `pointer + index * scale`) stay symbolic
//!   until a memory operand takes them ([`state::LazyAddress`]), constants until an immediate does;
//! - a load or a comparison whose only user is the next instruction is done by that instruction
//!   (`add mem, reg`, `cmp` and `jcc`);
//! - registers are a cache of values: emptied at block ends and around calls, evicted in turn
//!   when they run out.
//!
//! Values are integers and pointers of at most 64 bits, `float` and `double`, and operations are
//! those that most functions consist of ([`accepts`], [`scan::is_for_selection`]). Functions with
//! others are few, and selection knows how to make them. There are no phis; a value that two blocks
//! share has a stack slot that its definition fills.
//!
//! Frame: `rbp` points at the caller's `rbp`; slots lie below it; `rsp` is 16-byte aligned except
//! while a call's stack arguments are being written. The red zone is not used.

mod arith;
mod block_ops;
mod call;
mod compare;
mod control;
mod convert;
mod divide;
mod float;
mod frame;
mod intrinsics;
mod memory;
mod operands;
mod regs;
mod scan;
mod shift;
mod state;

use cranelift_entity::EntityRef;
use ir::{Block, FnAttrs, Function, Inst, Opcode, SigId, Type};
use object::{CodeBuffer, FunctionCode, Label, TextPlacement, VariableLocation};
use platform::options::{CodeModel, X86Features};
use platform::registers::RegSet;
use rustc_hash::FxHashMap;

use crate::context::{BackendError, Context};
use ir::abi::{self, CallLayout};
use state::{Frame, LazyAddress, Place, Registers, ValueState};

/// What a worker keeps from function to function: allocations only.
#[derive(Default)]
pub struct Scratch {
    buf: CodeBuffer,
    values: Vec<ValueState>,
    lazies: Vec<LazyAddress>,
    layouts: Vec<Option<Box<CallLayout>>>,
    frame: Frame,
}

/// A function being emitted.
struct Quick<'a> {
    cx: Context<'a>,
    func: &'a Function,
    /// Instruction-set extensions it may use.
    features: X86Features,
    buf: &'a mut CodeBuffer,
    values: &'a mut Vec<ValueState>,
    lazies: &'a mut Vec<LazyAddress>,
    /// Call layouts by [`Quick::layout_index`], filled on demand.
    layouts: &'a mut Vec<Option<Box<CallLayout>>>,
    frame: &'a mut Frame,
    errors: &'a mut Vec<BackendError>,
    regs: Registers,
    /// The function's own parameters and results.
    layout: CallLayout,
    facts: scan::Facts,
    /// The label of block 0; the others follow.
    first_block: Label,
    /// The block after the current one in the layout.
    next_block: Option<Block>,
    return_label: Label,
    /// Whether anything jumps or falls to the epilogue.
    returns: bool,
    /// Where the register save area of a variadic function lies.
    save_area: i32,
    /// The stack protector's copy of the guard, if there is one.
    guard: Option<i32>,
    /// For blocks whose address is taken: their label by address.
    address_labels: FxHashMap<Block, Label>,
    /// Further labels that are placed at the end, and the blocks they lead to.
    late_labels: Vec<(Label, Block)>,
    /// Length of the chain of loads that ends in the last one left to its user.
    deferred_loads: u32,
    /// Where in the code the frame's size is to be filled in.
    size_field: u32,
}

/// Whether the function is of the kind that this path is made for, as far as its values and its
/// symbol tell. What selection is for at every level: vectors, 128-bit integers and the other
/// floating-point types; entries, frames and code models out of the ordinary; second returns.
pub fn accepts(cx: Context<'_>, func: &Function) -> bool {
    const PLAIN: [Type; 9] = {
        use Type as T;
        [T::VOID, T::I1, T::I8, T::I16, T::I32, T::I64, T::F32, T::F64, T::PTR]
    };
    let own_entry = [FnAttrs::NAKED, FnAttrs::INTERRUPT, FnAttrs::KEEPS_REGISTERS];
    let attrs = cx.symbol(func.symbol).attrs;
    let ordinary = cx.module.reserved_registers.is_empty()
        && !matches!(cx.codegen().code_model, CodeModel::Large | CodeModel::Medium)
        && !cx.codegen().cet_switch
        && !cx.codegen().stack_clash_protection
        && cx.incoming_align(func).min(cx.call_align()) >= u64::from(abi::STACK_ALIGN)
        && cx.features(func).has_sse()
        && !own_entry.iter().any(|&attr| attrs.has(attr))
        && !cx.module.signatures[func.sig].ms_abi
        && !func.has_dynamic_alloca
        && !func.calls_setjmp;
    let plain = PLAIN.iter().fold(0u64, |set, ty| set | 1 << ty.bits_repr());
    ordinary
        && func.all_values().all(|value| {
            let ty = func.value_type(value).bits_repr();
            ty < 64 && plain >> ty & 1 != 0
        })
}

/// Compiles one function into `out` (whose allocations are reused). Errors in the program are added
/// to `errors`; `out` must not be used then. Gives whether it is done: the function must have
/// passed [`accepts`], but what it does shows in the scan only.
pub fn compile(
    cx: Context<'_>,
    scratch: &mut Scratch,
    func: &Function,
    placement: TextPlacement,
    errors: &mut Vec<BackendError>,
    out: &mut FunctionCode,
) -> bool {
    let _pass = base::bug::enter_pass("quick");
    let Scratch { buf, values, lazies, layouts, frame } = scratch;
    values.clear();
    values.resize(func.num_values(), ValueState::NEW);
    lazies.clear();
    frame.clear();
    buf.begin(
        operands::symbol_ref(func.symbol),
        crate::function_properties::function_align(cx, func),
        placement,
        crate::function_properties::has_unwind(cx, func),
    );
    buf.new_labels(func.labels.len());
    let features = cx.features(func);
    let wide = features.has(X86Features::AVX);
    let layout = abi::layout(&cx.module.signatures[func.sig], wide);
    let first_block = buf.new_labels(func.num_blocks());
    let return_label = buf.new_label();
    let mut q = Quick {
        cx,
        func,
        features,
        buf,
        values,
        lazies,
        layouts,
        frame,
        errors,
        regs: Registers::empty(),
        layout,
        facts: scan::Facts::default(),
        first_block,
        next_block: None,
        return_label,
        returns: false,
        save_area: 0,
        guard: None,
        address_labels: FxHashMap::default(),
        late_labels: Vec::new(),
        deferred_loads: 0,
        size_field: 0,
    };
    q.facts = scan::scan(&mut q);
    if q.facts.refused {
        return false;
    }
    q.body();
    let variables = crate::variables::locations(func, &q.layout, |inst| {
        let result = func.result(inst)?;
        match q.values[result.as_u32() as usize].place {
            // The canonical frame address is above the saved `rbp` and the return address.
            state::Place::FrameAddress(offset) => Some(VariableLocation::frame(offset - frame::ARGUMENT_AREA)),
            _ => None,
        }
    });
    let stack = frame::stack_use(&q);
    let failed = !q.errors.is_empty();
    if failed {
        // The code is not used, and labels may lack their positions.
        buf.begin(operands::symbol_ref(func.symbol), 1, placement, false);
    }
    buf.finish(out);
    out.variables = variables;
    out.stack = stack;
    true
}

impl Quick<'_> {
    fn body(&mut self) {
        control::prepare_labels(self);
        frame::prologue(self);
        let mut block = Some(self.func.entry());
        while let Some(current) = block {
            self.next_block = self.func.next_block(current);
            self.start_block(current);
            let mut next = self.func.first_inst(current);
            while let Some(inst) = next {
                self.inst(inst);
                next = self.func.next_inst(inst);
            }
            block = self.next_block;
        }
        control::place_late_labels(self);
        frame::epilogue(self);
    }

    fn start_block(&mut self, block: Block) {
        // In the entry block the registers hold the parameters.
        if self.func.prev_block(block).is_some() {
            self.forget_registers();
        }
        if let Some(&label) = self.address_labels.get(&block) {
            self.buf.bind(label);
            if self.cx.codegen().cf_protection & 1 != 0 {
                self.buf.endbr64();
            }
        }
        let label = self.block_label(block);
        self.buf.bind(label);
    }

    /// Empties the register cache without code: what is still wanted has its home.
    fn forget_registers(&mut self) {
        for reg in self.regs.used.iter() {
            if let Some(owner) = self.regs.owner[reg.index()].take() {
                self.values[owner.index()].place = Place::Home;
            }
        }
        self.regs.used = RegSet::EMPTY;
        self.regs.pinned = RegSet::EMPTY;
    }

    /// The label of a block.
    fn block_label(&self, block: Block) -> Label {
        Label(self.first_block.0 + block.as_u32())
    }

    /// Where the layout of a signature is kept: it depends on whether 32-byte vectors travel in
    /// `ymm` registers.
    fn layout_index(&self, sig: SigId) -> usize {
        sig.as_u32() as usize * 2 + usize::from(self.features.has(X86Features::AVX))
    }

    /// Makes sure the layout of a signature has been computed.
    fn ensure_layout(&mut self, sig: SigId) {
        let index = self.layout_index(sig);
        if index >= self.layouts.len() {
            self.layouts.resize(index + 1, None);
        }
        if self.layouts[index].is_none() {
            let layout = abi::layout(&self.cx.module.signatures[sig], self.features.has(X86Features::AVX));
            self.layouts[index] = Some(Box::new(layout));
        }
    }

    fn end_instruction(&mut self) {
        self.regs.pinned = RegSet::EMPTY;
        self.frame.end_instruction();
    }

    fn inst(&mut self, inst: Inst) {
        let opcode = self.func.insts[inst].opcode;
        if self.cx.codegen().marks_lines() {
            let (position, site) = self.func.position(self.func.inst_locs[inst]);
            if !position.is_none() && opcode != Opcode::Alloca {
                self.buf.mark_line_of(position.0, site);
            }
        }
        emit(self, inst, opcode);
        self.end_instruction();
    }
}

/// One instruction: which room does it.
fn emit(q: &mut Quick<'_>, inst: Inst, opcode: Opcode) {
    use Opcode::*;
    match opcode {
        LifetimeStart | LifetimeEnd | Keep => q.consume(q.func.operand(inst, 0)),
        Load | AtomicLoad => memory::load(q, inst),
        Store | AtomicStore => memory::store(q, inst),
        MemCpy | MemMove => block_ops::mem_copy(q, inst),
        MemSet => block_ops::mem_set(q, inst),

        PtrAdd => memory::ptradd(q, inst),
        TlsAddr => memory::tls_addr(q, inst),
        BlockAddr => control::block_addr(q, inst),

        Add | Sub | Mul | And | Or | Xor => arith::binary(q, inst),
        SDiv | UDiv | SRem | URem => divide::divide(q, inst),
        Shl | LShr | AShr | Rotl | Rotr => shift::shift(q, inst),
        Bswap => shift::reverse_bytes(q, inst),
        ICmp | FCmp => compare::compare(q, inst),

        FAdd | FSub | FMul | FDiv => float::binary(q, inst),
        FNeg | FAbs => float::sign(q, inst),

        Trunc | ZExt | SExt => convert::int_to_int(q, inst),
        FpTrunc | FpExt => convert::float_to_float(q, inst),
        FpToSi | FpToUi => convert::float_to_int(q, inst),
        SiToFp | UiToFp => convert::int_to_float(q, inst),
        PtrToInt | IntToPtr | Bitcast => convert::bitcast(q, inst),

        // Both were given their places by the scan.
        Alloca | Undef => {}

        Call => call::call(q, inst),
        Intrinsic => intrinsics::intrinsic(q, inst),
        VaStart => intrinsics::va_start(q, inst),

        Br => control::br(q, inst),
        CondBr => control::cond_br(q, inst),
        Switch => control::switch(q, inst),
        IndirectBr => control::indirect_br(q, inst),
        Ret => control::ret(q, inst),
        Unreachable => q.buf.ud2(),
        _ => base::bug!("{} in a function that selection is for", opcode.name()),
    }
}
