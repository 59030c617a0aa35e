//! Machine instructions with physical registers to bytes, in layout order, with prologue,
//! epilogues, unwind rules and line marks.
//!
//! Jumps to the next block vanish, conditional jumps are inverted where that makes the other target
//! fall through, blocks that only jump are skipped. The code buffer relaxes branches afterwards.

mod asm;
mod inst;
mod landing_pad;
pub mod prologue;
pub use landing_pad::LIST_SIZE as CLEANUP_LIST_SIZE;
pub use prologue::return_from;
pub use zero_registers::zero_registers;
mod vector;
mod zero_registers;

use ir::{FnAttrs, Function};
use object::{CodeBuffer, Label, Mem, RelocKind, Rm, Rmi, Scale, SymbolRef};
use platform::options::{OptLevel, Padding, X86Features};
use platform::registers::{R13, RBP, RSP, Reg, RegSet};

use crate::{
    branches,
    context::{BackendError, Context},
    debug_values::ranges::Emitted,
    frame::Frame,
    machine::{Amode, Base, MInst, MachineFunction, MemId, Op, Place, Stage, VReg, bits},
    tail_merge::forwarders,
};

/// Loop headers executed at least this often per call are aligned.
const HOT_LOOP: f32 = 5.0;
/// Alignment of loop headers, as gcc's generic tuning has it (`-falign-loops=16:11:8`).
const LOOP_ALIGN: Padding = Padding { to: 16, skip: 10, or_to: (8, 7) };

/// Innermost loops executed this often are kept within as few lines of the operation cache as they
/// can: one that reaches into another takes a cycle more in every iteration, or several. Rarer ones
/// are not worth the padding.
const HOT_NESTED_LOOP: f32 = 12.0;
/// More instructions than this do not fit into three lines of 64 bytes.
const LINE_INSTS: u32 = 56;

/// What emission works on.
pub struct Emitter<'a> {
    /// Module and options.
    pub cx: Context<'a>,
    /// The IR function (labels, asm statements).
    pub func: &'a Function,
    /// The machine code.
    pub mf: &'a mut MachineFunction,
    /// Instructions on SSE registers are VEX-encoded: the function may use AVX.
    pub avx: bool,
    /// Upper halves of SSE registers are in use: they are cleared before control leaves, so that
    /// legacy instructions elsewhere need not preserve them.
    pub wide: bool,
    /// Blocks that may be entered so.
    entered_wide: Vec<bool>,
    /// Its frame.
    pub frame: &'a Frame,
    /// Registers that the function writes, for those that are cleared at its end.
    pub written: RegSet,
    /// Where the bytes go.
    pub buf: &'a mut CodeBuffer,
    /// The label of each block.
    first_label: Label,
    /// Where a jump to a block really goes.
    forward: Vec<u32>,
    /// Symbols of jump tables already made.
    tables: Vec<Option<SymbolRef>>,
    /// The block emitted next, if any.
    next: Option<u32>,
    /// Where the block being emitted stands to the frame.
    stage: Stage,
    /// The same of the block emitted next.
    next_stage: Stage,
    /// Whether the unwind rules are those after the prologue.
    framed_rules: bool,
    /// Unwind rules after the prologue must be restored after an epilogue in the middle.
    pub last_block: bool,
    /// Label of the call of `__stack_chk_fail`, once needed.
    pub guard_failure: Option<Label>,
    /// Errors in the program.
    pub errors: Vec<BackendError>,
    /// Location of the instruction being emitted.
    pub loc: base::Loc,
    zero_next: usize,
    /// Blocks with the IR labels that name them, sorted.
    labelled: Vec<(u32, u32)>,
    /// Blocks that begin with `endbr64` because jump tables lead there, sorted.
    tracked: Vec<u32>,
}

/// Emits a function whose frame is laid out. The buffer has been begun. The instructions `wanted`
/// (ascending) get labels in `emitted`, and all blocks if the function has debug information.
pub fn emit(
    cx: Context<'_>,
    func: &Function,
    mf: &mut MachineFunction,
    frame: &Frame,
    written: RegSet,
    buf: &mut CodeBuffer,
    wanted: &[u32],
    emitted: &mut Emitted,
) -> Vec<BackendError> {
    // The first labels are the function's own numbered labels, which data may refer to.
    let own = buf.new_labels(func.labels.len());
    for index in 0..func.labels.len() as u32 {
        buf.export_label(index, Label(own.0 + index));
    }
    let first_label = buf.new_labels(mf.blocks.len());
    let order = std::mem::take(&mut mf.order);
    let forward = forwarders(mf);
    let tables = vec![None; mf.jump_tables.len()];
    mf.zero_before.sort_unstable_by_key(|z| z.0);
    let mut labelled: Vec<(u32, u32)> = mf.labels.iter().copied().zip(0..).collect();
    labelled.sort_unstable();
    let mut e = Emitter {
        cx,
        func,
        avx: cx.features(func).has(X86Features::AVX),
        wide: false,
        entered_wide: vector::entered_wide(mf),
        mf,
        frame,
        written,
        buf,
        first_label,
        forward,
        tables,
        next: None,
        stage: Stage::Framed,
        next_stage: Stage::Framed,
        framed_rules: false,
        last_block: false,
        guard_failure: None,
        errors: Vec::new(),
        loc: func.loc,
        zero_next: 0,
        labelled,
        tracked: Vec::new(),
    };
    if branches::tracked_tables(cx) {
        e.tracked = e.mf.jump_tables.iter().flat_map(|t| &t.targets).map(|&b| e.forward[b as usize]).collect();
        e.tracked.sort_unstable();
    }
    prologue::entry(&mut e);
    let kept: Vec<u32> = order.iter().copied().filter(|&b| e.is_kept(b)).collect();
    let mut together = Vec::new();
    for (at, &block) in kept.iter().enumerate() {
        e.next = kept.get(at + 1).copied();
        e.last_block = at + 1 == kept.len();
        e.stage = e.mf.stage(block);
        e.next_stage = e.next.map_or(Stage::Framed, |next| e.mf.stage(next));
        prologue::adapt_rules(&mut e);
        let align = align_loop(&mut e, block as usize);
        align_target(&mut e, &kept, at);
        if let Some(align) = align
            && let Some(end) = small_loop_end(&e, &kept, at)
        {
            together.push((end, align));
        }
        block_code(&mut e, block as usize, own, wanted, emitted);
        if let Some((_, align)) = together.pop_if(|&mut (end, _)| end == at) {
            e.buf.keep_together(align);
        }
    }
    emitted.marks.sort_unstable_by_key(|m| m.0);
    if e.func.debug.is_some() {
        emitted.end = Some(e.buf.label_here());
    }
    prologue::guard_failure(&mut e);
    prologue::landing_pad(&mut e);
    bind_left_labels(&mut e, own);
    e.errors
}

/// Labels whose blocks are gone still need a position: the start of the function, as for gcc.
fn bind_left_labels(e: &mut Emitter<'_>, own: Label) {
    for index in 0..e.func.labels.len() as u32 {
        let label = Label(own.0 + index);
        if !e.buf.is_bound(label) {
            e.buf.bind(label);
        }
    }
}

fn block_code(e: &mut Emitter<'_>, number: usize, own: Label, wanted: &[u32], emitted: &mut Emitted) {
    e.buf.bind(Label(e.first_label.0 + number as u32));
    if e.func.debug.is_some() {
        emitted.blocks.push((number as u32, Label(e.first_label.0 + number as u32)));
    }
    let mut mark = wanted.partition_point(|&at| at < e.mf.blocks[number].start);
    if e.mf.blocks[number].address_taken {
        let first = e.labelled.partition_point(|l| (l.0 as usize) < number);
        for at in first..e.labelled.len() {
            let (block, index) = e.labelled[at];
            if block as usize != number {
                break;
            }
            e.buf.bind(Label(own.0 + index));
        }
        if branches::tracked(e.cx) {
            e.buf.endbr64();
        }
    } else if !e.tracked.is_empty() && e.tracked.binary_search(&(number as u32)).is_ok() {
        e.buf.endbr64();
    }
    // Edge blocks are emitted out of the order of their instructions.
    let start = e.mf.blocks[number].start;
    e.zero_next = e.mf.zero_before.partition_point(|z| z.0 < start);
    e.wide = e.entered_wide[number];
    let debug = marks_lines(e);
    if e.stage == Stage::Prologue {
        prologue::set_up(e);
    }
    for at in e.mf.blocks[number].start as usize..e.mf.blocks[number].end as usize {
        let inst = e.mf.insts[at];
        // A statement whose code has become part of other code still has a line.
        let lines_only = inst.op == Op::Nop;
        let is_marked = !lines_only || e.cx.options.optimize_debug;
        if is_marked && !e.mf.locs[at].is_none() {
            let (position, site) = e.func.position(e.mf.locs[at]);
            e.loc = position;
            if debug {
                e.buf.mark_line_of(position.0, site);
            }
        }
        if wanted.get(mark).is_some_and(|&wanted| wanted as usize == at) {
            mark += 1;
            let label = e.buf.label_here();
            emitted.marks.push((at as u32, label));
        }
        if lines_only {
            continue;
        }
        while e.zero_next < e.mf.zero_before.len() && (e.mf.zero_before[e.zero_next].0 as usize) < at {
            e.zero_next += 1;
        }
        if let Some(&(place, reg)) = e.mf.zero_before.get(e.zero_next)
            && place as usize == at
        {
            e.buf.zero_r(reg.reg());
        }
        inst::emit(e, &inst);
        e.wide = vector::wide_after(e.wide, &inst);
        if e.func.debug.is_some() && matches!(inst.op, Op::Call | Op::TailCall) {
            let label = e.buf.label_here();
            emitted.calls.push((number as u32, at as u32, label));
        }
    }
    if debug && e.next.is_some_and(|next| e.mf.blocks[next as usize].preds[..] != [number as u32]) {
        e.buf.end_marks();
    }
}

/// Whether the lines of code are marked. Where a debugger can stop is the same without debug
/// information.
fn marks_lines(e: &Emitter<'_>) -> bool {
    e.cx.codegen().marks_lines() || e.cx.options.optimize_debug
}

/// Aligns a loop's header; gives the number of the first request if it is not what the command line
/// asked for.
fn align_loop(e: &mut Emitter<'_>, number: usize) -> Option<usize> {
    let block = &e.mf.blocks[number];
    let wanted = e.cx.options.level >= OptLevel::O2 && !e.cx.options.optimize_size;
    if !block.loop_header || !wanted || block.frequency < HOT_LOOP {
        return None;
    }
    let request = e.buf.next_align();
    let asked = e.cx.codegen().align_loops;
    pad(e, asked.unwrap_or(LOOP_ALIGN));
    asked.is_none().then_some(request)
}

/// `-falign-labels=` and `-falign-jumps=`: pads before a block that jumps lead to, the latter if
/// the block before does not fall into it.
fn align_target(e: &mut Emitter<'_>, kept: &[u32], at: usize) {
    let code = e.cx.codegen();
    if code.align_jumps.is_none() && code.align_labels.is_none() || at == 0 || e.cx.options.optimize_size {
        return;
    }
    let block = kept[at];
    let leads_here = |from: u32| e.mf.blocks[from as usize].succs.iter().any(|&s| e.forward[s as usize] == block);
    let falls = leads_here(kept[at - 1]);
    let jumped_to = kept.iter().any(|&from| from != kept[at - 1] && leads_here(from));
    let (labels, jumps) = (code.align_labels, code.align_jumps);
    for padding in [labels.filter(|_| jumped_to), jumps.filter(|_| jumped_to && !falls)].into_iter().flatten() {
        pad(e, padding);
    }
}

fn pad(e: &mut Emitter<'_>, padding: Padding) {
    e.buf.align(padding.to, padding.skip);
    if padding.or_to.0 > 1 {
        e.buf.align(padding.or_to.0, padding.or_to.1);
    }
}

/// Where the loop whose header is at `at` ends in the order, if it is a hot innermost one without
/// calls that may fit into a few lines.
fn small_loop_end(e: &Emitter<'_>, kept: &[u32], at: usize) -> Option<usize> {
    let header = &e.mf.blocks[kept[at] as usize];
    if header.frequency < HOT_NESTED_LOOP {
        return None;
    }
    let mut insts = 0;
    let mut end = None;
    for (number, &block) in kept.iter().enumerate().skip(at) {
        let data = &e.mf.blocks[block as usize];
        insts += data.end - data.start;
        let inner = number > at && data.loop_header;
        let calls = || e.mf.insts[data.start as usize..data.end as usize].iter().any(|i| i.op == Op::Call);
        if insts > LINE_INSTS || inner || data.loop_depth < header.loop_depth || calls() {
            break;
        }
        if data.succs.iter().any(|&s| e.forward[s as usize] == kept[at]) {
            end = Some(number);
        }
    }
    end
}

impl Emitter<'_> {
    /// Whether the block gets code.
    fn is_kept(&self, block: u32) -> bool {
        self.forward[block as usize] == block || block == 0
    }

    /// The label that a jump to a block uses.
    pub fn label(&self, block: u32) -> Label {
        Label(self.first_label.0 + self.forward[block as usize])
    }

    /// Whether control reaches the block by falling through.
    pub fn falls_to(&self, block: u32) -> bool {
        self.next == Some(self.forward[block as usize])
    }

    /// Attributes of the function's symbol.
    pub fn attrs(&self) -> FnAttrs {
        self.cx.symbol(self.func.symbol).attrs
    }

    /// The memory operand of an instruction, or else its second source.
    pub fn rm(&mut self, inst: &MInst) -> Rm {
        self.mem_or(inst, inst.src2)
    }

    /// The memory operand of an instruction, or else a register.
    pub fn mem_or(&mut self, inst: &MInst, reg: VReg) -> Rm {
        if inst.mem.is_some() { Rm::Mem(self.mem(inst.mem)) } else { Rm::Reg(r(reg)) }
    }

    /// The memory operand of an instruction, or else its second source, or else its immediate.
    pub fn rmi(&mut self, inst: &MInst) -> Rmi {
        if inst.mem.is_some() {
            Rmi::Mem(self.mem(inst.mem))
        } else if inst.src2.is_some() {
            Rmi::Reg(r(inst.src2))
        } else {
            Rmi::Imm(inst.immediate())
        }
    }

    /// A memory operand.
    pub fn mem(&mut self, id: MemId) -> Mem {
        let amode = *self.mf.amode(id);
        self.address(amode)
    }

    /// The encoder's form of an address.
    pub fn address(&mut self, amode: Amode) -> Mem {
        let mut disp = i64::from(amode.disp);
        let base = match amode.base {
            Base::None => None,
            Base::Reg(reg) => Some(reg.reg()),
            // Only the return address is above the stack pointer.
            Base::Incoming if self.stage == Stage::Unframed => {
                disp += 8;
                Some(RSP)
            }
            symbolic => {
                let (reg, offset) = self.frame.resolve(symbolic);
                disp += offset;
                Some(reg)
            }
        };
        let Ok(disp) = i32::try_from(disp) else {
            let message = "stack frame is too large".into();
            self.errors.push(BackendError { loc: self.func.loc, message, note: None });
            return Mem::absolute(0);
        };
        let mut mem = match amode.place {
            Place::None => Mem::absolute(disp),
            Place::Rip(symbol) => Mem::rip_symbol(SymbolRef(symbol), disp, RelocKind::Pc32),
            Place::Got(symbol) => Mem::rip_symbol(SymbolRef(symbol), disp, RelocKind::GotPcRel),
            Place::GotTpOff(symbol) => Mem::rip_symbol(SymbolRef(symbol), disp, RelocKind::GotTpOff),
            Place::Absolute(symbol) if amode.base == Base::None && amode.index.is_none() => {
                // Shorter than the absolute form, and reachable in the code models that use it.
                Mem::rip_symbol(SymbolRef(symbol), disp, RelocKind::Pc32)
            }
            Place::Absolute(symbol) => Mem::abs_symbol(SymbolRef(symbol), disp),
            Place::TpOff(symbol) => Mem {
                disp,
                anchor: object::Anchor::Absolute(SymbolRef(symbol), RelocKind::TpOff32),
                ..Mem::absolute(0)
            },
            Place::DtpOff(symbol) => Mem {
                disp,
                anchor: object::Anchor::Absolute(SymbolRef(symbol), RelocKind::DtpOff32),
                ..Mem::absolute(0)
            },
            Place::Constant(index) => {
                let (contents, size) = self.mf.constants[index as usize];
                let bytes = contents.to_le_bytes();
                let symbol = self.buf.constant(&bytes[..size as usize], u32::from(size));
                Mem::rip_symbol(symbol, disp, RelocKind::Pc32)
            }
            Place::JumpTable(index) => Mem::rip_symbol(self.table(index), disp, RelocKind::Pc32),
            Place::JumpTableAbsolute(index) => Mem::abs_symbol(self.table(index), disp),
            Place::Library(_) => base::bug!("a library routine is no memory operand"),
        };
        let (mut base, mut index) = (base, amode.index.is_some().then(|| amode.index.reg()));
        if let (Some(first), Some(second)) = (base, index)
            && amode.shift == 0
            && needs_displacement(first)
            && !needs_displacement(second)
        {
            // Their sum is the same, and a displacement of zero is saved.
            (base, index) = (index, base);
        }
        if let Some(base) = base {
            mem = mem.with_base(base);
        }
        if let Some(index) = index {
            let scale = Scale::from_factor(1 << amode.shift).expect("a scale");
            mem = mem.with_index(index, scale);
        }
        mem.with_segment(amode.segment)
    }

    fn table(&mut self, index: u32) -> SymbolRef {
        if let Some(symbol) = self.tables[index as usize] {
            return symbol;
        }
        let table = &self.mf.jump_tables[index as usize];
        let targets: Vec<Label> = table.targets.iter().map(|&b| self.label(b)).collect();
        let symbol = self.buf.jump_table(&targets, table.form);
        self.tables[index as usize] = Some(symbol);
        symbol
    }
}

/// Whether a register is no base without a displacement (Intel's manual, volume 2, 2.2.1.2).
fn needs_displacement(reg: Reg) -> bool {
    reg == RBP || reg == R13
}

/// Whether the flags must survive the instruction.
pub(crate) fn keeps_flags(inst: &crate::machine::MInst) -> bool {
    inst.bits & bits::FLAGS_LIVE != 0
}

/// A register field.
pub(crate) fn r(reg: VReg) -> platform::registers::Reg {
    reg.reg()
}
