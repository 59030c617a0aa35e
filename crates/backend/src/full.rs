//! The optimising path from `-O1` on: one function from SSA form to machine code.
//!
//! ```text
//! split_conditions -> widened_loads -> sink_increments -> analyses -> folded_addresses ->
//! eliminate_phis -> layout
//! -> select -> STAGES -> encode
//! ```
//! Functions are independent of each other; what a worker keeps between them is allocations only.

use std::time::{Duration, Instant};

use ir::{Function, analysis};
use object::{CodeBuffer, FunctionCode, SymbolRef, TextPlacement, VariableLocation};
use platform::options::Sanitizers;
use platform::registers::{RBP, RBX, RegSet};
use platform::timeline::Timeline;

use crate::{
    branches,
    context::{BackendError, Context},
    debug_values::{self, calls, flow, ranges},
    eliminate_phis, encode, folded_addresses,
    frame::{self, Frame},
    guard, layout, loop_ends,
    machine::{Class, MachineFunction, print},
    peephole,
    regalloc::{self, Problem},
    reloads, repeated_tests, rewrite, select, shrink_wrap, sink_increments, split_conditions, tail_merge,
    widened_loads, x87_stack,
};

/// The steps that `-ftime-report` tells apart; the last is the one-pass path of `-O0`.
pub const STEPS: [&str; 6] = [
    "edges and layout",
    "instruction selection",
    "register allocation",
    "machine passes",
    "encoding",
    "code in one pass",
];

/// Times the steps of one function, if that is wanted.
struct Steps<'a> {
    last: Option<Instant>,
    /// Where they are noted, for which function.
    timeline: Option<(&'a Timeline, &'a str)>,
}

impl<'a> Steps<'a> {
    fn new(cx: Context<'a>, func: &Function) -> Steps<'a> {
        let timeline = cx.options.timeline.as_deref().map(|timeline| (timeline, &*cx.symbol(func.symbol).name));
        Steps { last: (cx.options.time_report || timeline.is_some()).then(Instant::now), timeline }
    }

    fn done(&mut self, stats: &mut Stats, step: usize) {
        if let Some(last) = &mut self.last {
            let now = Instant::now();
            if let Some((timeline, function)) = self.timeline {
                timeline.add(STEPS[step], function, *last);
            }
            stats.times[step] += now - *last;
            *last = now;
        }
    }
}

/// What a worker keeps from function to function.
#[derive(Default)]
pub struct Scratch {
    buf: CodeBuffer,
    /// Counts over all functions compiled.
    pub stats: Stats,
    /// The registers that the function compiled last changes.
    pub changed: Option<RegSet>,
}

/// Counts for `--stats`.
#[derive(Clone, Copy, Default, Debug)]
pub struct Stats {
    /// Machine instructions selected.
    pub instructions: u64,
    /// The register allocator's counts.
    pub allocation: regalloc::Stats,
    /// Phi elimination's.
    pub phis: eliminate_phis::Stats,
    /// Register moves that copies on edges became; an exchange counts as two.
    pub phi_moves: u64,
    /// Bytes of stack frames.
    pub frame_bytes: u64,
    /// Time by step, when it is asked for.
    pub times: [Duration; STEPS.len()],
}

impl Stats {
    /// Names and numbers, in the order of a table.
    pub fn rows(&self) -> [(&'static str, u64); 17] {
        let (a, p) = (&self.allocation, &self.phis);
        [
            ("machine instructions", self.instructions),
            ("phi operands", u64::from(p.entries)),
            ("phi operands that are constants", u64::from(p.constant_copies)),
            ("phi operands coalesced", u64::from(p.coalesced)),
            ("phi operands left as register moves", self.phi_moves),
            ("copies inserted on edges", u64::from(p.copies)),
            ("copies under the two-phase protocol", u64::from(p.two_phase_copies)),
            ("edges above the two-phase protocol", u64::from(p.edges_above_two_phase)),
            ("temporaries on edges", u64::from(p.temporaries)),
            ("trampolines on edges", u64::from(p.trampolines)),
            ("virtual registers", u64::from(a.vregs)),
            ("copies coalesced", u64::from(a.coalesced)),
            ("moves", u64::from(a.moves + a.swaps)),
            ("spills", u64::from(a.stores)),
            ("reloads", u64::from(a.reloads)),
            ("rematerialised", u64::from(a.remats)),
            ("frame bytes", self.frame_bytes),
        ]
    }
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.instructions += other.instructions;
        self.allocation += other.allocation;
        self.phis += other.phis;
        self.phi_moves += other.phi_moves;
        self.frame_bytes += other.frame_bytes;
        self.times.iter_mut().zip(other.times).for_each(|(time, more)| *time += more);
    }
}

/// What makes machine code of the IR, before the stages.
const SELECT: &str = "select";

/// The stages from selected code to what is encoded: name, index into [`STEPS`], function. What
/// surrounds each is the same for all: its time is noted under its step, and `--print-after=` with
/// its name prints the code. With `--verify` the stages that have a checker run it.
const STAGES: [(&str, usize, fn(&mut Work<'_>)); 8] = [
    ("regalloc", 2, allocate_registers),
    ("x87-stack", 3, |work| x87_stack::run(&mut work.mf, work.cx.options.verify)),
    ("peephole", 3, peephole),
    ("frame", 3, lay_out_frame),
    ("tail-merge", 3, |work| {
        // Merged calls and statements have no lines of their own, and those are what reports name.
        let options = work.cx.options;
        if !options.optimize_debug && !options.sanitize.checks(Sanitizers::ANY_ADDRESS) {
            let aim = work.aim();
            tail_merge::run(&mut work.mf, aim);
        }
    }),
    ("loop-ends", 3, |work| {
        let aim = work.aim();
        loop_ends::run(&mut work.mf, aim);
    }),
    ("shrink-wrap", 3, |work| {
        let frame = work.frame.as_ref().expect("the frame is laid out");
        shrink_wrap::run(work.cx, work.func, &mut work.mf, frame);
    }),
    ("repeated-tests", 3, |work| repeated_tests::run(&mut work.mf)),
];

/// The names of the stages, for `--print-after=`.
pub fn stage_names() -> impl Iterator<Item = &'static str> {
    std::iter::once(SELECT).chain(STAGES.iter().map(|stage| stage.0))
}

/// A function between selection and encoding, with what one stage leaves for another.
struct Work<'a> {
    cx: Context<'a>,
    func: &'a Function,
    mf: MachineFunction,
    stats: &'a mut Stats,
    /// What the program asks for and cannot have; nothing runs after that.
    error: Option<BackendError>,
    allocations: Option<regalloc::Allocations>,
    /// Which spill slots are used.
    used_slots: Vec<bool>,
    frame: Option<frame::Frame>,
}

impl Work<'_> {
    fn aim(&self) -> tail_merge::Aim {
        tail_merge::Aim { size: self.cx.options.optimize_size, epilogue: self.frame().epilogue_bytes() }
    }

    fn frame(&self) -> &Frame {
        self.frame.as_ref().expect("the frame is laid out")
    }

    fn allocations(&self) -> &regalloc::Allocations {
        self.allocations.as_ref().expect("registers are allocated")
    }

    /// What follows every stage.
    fn after(&mut self, stage: &str, step: usize, steps: &mut Steps<'_>) {
        steps.done(self.stats, step);
        if self.cx.options.print_after.iter().any(|wanted| wanted == stage || wanted == "all") {
            let name = &self.cx.symbol(self.func.symbol).name;
            eprint!("; after {stage}\n{}", print::function_text(&self.mf, name));
        }
    }
}

fn allocate_registers(work: &mut Work<'_>) {
    let mut problem = match allocation_problem(work.cx, work.func, &mut work.mf) {
        Ok(problem) => problem,
        Err(error) => return work.error = Some(error),
    };
    let allocations = regalloc::allocate(&mut problem);
    work.stats.phi_moves += rewrite::apply(&mut work.mf, &problem, &allocations, work.cx.options.optimize_size);
    work.used_slots = reloads::run(&mut work.mf, allocations.slots.len(), work.cx.module.reserved_registers);
    work.stats.allocation += allocations.stats;
    work.allocations = Some(allocations);
}

fn peephole(work: &mut Work<'_>) {
    let before = if work.mf.debug_values.is_empty() { Vec::new() } else { work.mf.insts.clone() };
    let jumps_from_memory = !branches::in_register(work.cx, work.func);
    peephole::run(&mut work.mf, work.cx.options.optimize_size, jumps_from_memory);
    if !before.is_empty() {
        debug_values::confirm(&mut work.mf, &before);
    }
}

fn lay_out_frame(work: &mut Work<'_>) {
    let slots = work.allocations().slots.iter().zip(&work.used_slots);
    let spills: Vec<u64> = slots.map(|(slot, &used)| if used { u64::from(slot.bytes) } else { 0 }).collect();
    let array_bytes = u64::from(work.cx.codegen().stack_protector_buffer);
    let has_arrays = work.mf.slots.iter().any(|slot| slot.size >= array_bytes);
    let guard = !work.mf.naked && guard::is_wanted(work.cx, work.func, has_arrays, !work.mf.slots.is_empty());
    let saved = work.allocations().used_callee_saved;
    let frame = frame::layout(work.cx, work.func, &work.mf, &spills, saved, guard);
    work.stats.frame_bytes += frame.size;
    work.frame = Some(frame);
}

/// Compiles one function into `out` (whose allocations are reused). Errors in the program are added
/// to `errors`; `out` must not be used then. Gives whether the function writes code to the stack.
/// Phi elimination adds trampoline blocks to `func`.
pub fn compile(
    cx: Context<'_>,
    scratch: &mut Scratch,
    func: &mut Function,
    placement: TextPlacement,
    errors: &mut Vec<BackendError>,
    out: &mut FunctionCode,
) -> bool {
    let _pass = base::bug::enter_pass("backend");
    let mut steps = Steps::new(cx, func);
    let mf = match selected(cx, func, &mut scratch.stats, &mut steps) {
        Ok(mf) => mf,
        Err(list) => {
            errors.extend(list);
            return false;
        }
    };
    let stats = &mut scratch.stats;
    let mut work = Work { cx, func, mf, stats, error: None, allocations: None, used_slots: Vec::new(), frame: None };
    work.after(SELECT, 1, &mut steps);
    for (name, step, run) in STAGES {
        run(&mut work);
        if let Some(error) = work.error {
            errors.push(error);
            return false;
        }
        work.after(name, step, &mut steps);
    }
    let Work { mut mf, allocations: Some(allocations), frame: Some(frame), .. } = work else {
        base::bug!("a stage is missing")
    };
    if !encode_function(cx, scratch, func, &mut mf, &frame, &allocations, placement, errors, out) {
        return false;
    }
    steps.done(&mut scratch.stats, 4);
    let mut insts = func.all_insts();
    insts.any(|inst| func.insts[inst].is_intrinsic(ir::Intrinsic::InitTrampoline))
}

/// From SSA form to machine code with virtual registers.
fn selected(
    cx: Context<'_>,
    func: &mut Function,
    stats: &mut Stats,
    steps: &mut Steps<'_>,
) -> Result<MachineFunction, Vec<BackendError>> {
    let mut cfg = remove_unreachable(func);
    if split_conditions::split(func, cx.module, cx.options.optimize_size) {
        cfg = analysis::Cfg::compute(func);
    }
    widened_loads::share(func);
    sink_increments::sink_increments(func);
    let estimated = |func: &Function, cfg: analysis::Cfg| {
        let loops = analysis::LoopTree::compute(func, &cfg, &analysis::DominatorTree::compute(func, &cfg));
        let frequencies = analysis::Frequencies::compute(func, &cfg, &loops);
        (cfg, loops, frequencies)
    };
    let (mut cfg, mut loops, mut frequencies) = estimated(func, cfg);
    folded_addresses::split(func, &frequencies);
    let known = frequencies.blocks();
    let phis =
        eliminate_phis::eliminate_phis(func, &|block| known.get(block.as_u32() as usize).copied().unwrap_or(1.0));
    if !phis.trampolines.is_empty() {
        (cfg, loops, frequencies) = estimated(func, analysis::Cfg::compute(func));
    }
    let order = layout::order(func, &cfg, &loops, &frequencies, cx.options.optimize_size);
    steps.done(stats, 0);
    let plan = select::Plan { order: &order, frequency: frequencies.blocks() };
    let mf = select::select(cx, func, &cfg, &loops, &phis, &plan)?;
    // Lowering leaves no value for an SSE register where there are none.
    if !cx.features(func).has_sse() && mf.vregs.iter().any(|vreg| vreg.class == Class::Xmm) {
        base::bug!("an SSE register in a function without SSE");
    }
    stats.instructions += mf.insts.len() as u64;
    stats.phis += phis.stats;
    Ok(mf)
}

/// What the allocator is asked: the operands of the machine code, and which registers there are.
fn allocation_problem(cx: Context<'_>, func: &Function, mf: &mut MachineFunction) -> Result<Problem, BackendError> {
    let (frame_pointer, base_register) = frame::reserved_registers(mf);
    let mut problem = rewrite::problem(mf, frame_pointer, base_register, cx.options.optimize_size);
    problem.config.reserve(cx.module.reserved_registers);
    if !cx.features(func).has_sse() {
        // Not for copies between spill slots, either.
        problem.config.order.retain(|reg| !reg.is_xmm());
    }
    if frame_pointer && cx.module.reserved_registers.contains(RBP) {
        let message = crate::context::FRAME_POINTER_RESERVED.to_string();
        return Err(BackendError { loc: func.loc, message, note: None });
    }
    if base_register && cx.module.reserved_registers.contains(RBX) {
        let message =
            "not supported: variable-length arrays or alloca beside over-aligned variables where 'rbx' is reserved";
        return Err(BackendError { loc: func.loc, message: message.to_string(), note: None });
    }
    if mf.ms_abi {
        let more = platform::registers::MS_CALLEE_SAVED.difference(cx.module.reserved_registers);
        problem.config.callee_saved = problem.config.callee_saved.union(more);
    }
    problem.config.verify = cx.options.verify;
    problem.config.returns_twice = func.calls_setjmp;
    problem.config.want_locations = !mf.debug_values.is_empty();
    Ok(problem)
}

/// Machine code to bytes, with where the variables are in them. False after errors in the program.
fn encode_function(
    cx: Context<'_>,
    scratch: &mut Scratch,
    func: &mut Function,
    mf: &mut MachineFunction,
    frame: &Frame,
    allocations: &regalloc::Allocations,
    placement: TextPlacement,
    errors: &mut Vec<BackendError>,
    out: &mut FunctionCode,
) -> bool {
    let align = crate::function_properties::function_align(cx, func);
    let buf = &mut scratch.buf;
    buf.keep_rows = cx.options.optimize_debug;
    buf.begin(
        SymbolRef::module(func.symbol.as_u32()),
        align,
        placement,
        crate::function_properties::has_unwind(cx, func),
    );
    let places = flow::places(func, mf);
    let mut emitted = ranges::Emitted::default();
    let wanted = ranges::positions(&places);
    let found = encode::emit(cx, func, mf, frame, allocations.written, buf, &wanted, &mut emitted);
    if !found.is_empty() {
        errors.extend(found);
        func.discard_debug_values();
        return false;
    }
    buf.finish(out);
    if cx.known.is_some() {
        scratch.changed = Some(crate::changed_registers::changed_by(cx, func, mf, frame, allocations.changed));
    }
    out.stack = frame.stack_use(mf);
    if func.debug.is_some() {
        let avx = cx.features(func).has(platform::options::X86Features::AVX);
        let layout = ir::abi::layout(&cx.module.signatures[func.sig], avx);
        out.variables = crate::variables::locations(func, &layout, |inst| slot_location(mf, frame, inst));
        let memory = parts_in_memory(func, mf, frame);
        out.values = ranges::ranges((func, mf), frame, &places, &emitted, |label| out.label_offset(label), &memory);
        out.calls = calls::described_calls(func, mf, frame, &emitted, |label| out.label_offset(label));
        func.debug.iter_mut().for_each(|debug| debug.close());
    }
    true
}

/// Where a described alloca is, if it has a slot.
fn slot_location(mf: &MachineFunction, frame: &Frame, alloca: ir::Inst) -> Option<VariableLocation> {
    let (register, offset) = frame.resolve(mf.slot_of(alloca)?);
    let offset = i32::try_from(offset).ok()?;
    Some(VariableLocation { register: Some(register.dwarf()), offset, indirect: false })
}

/// Parts of split variables that are still in memory.
fn parts_in_memory(func: &Function, mf: &MachineFunction, frame: &Frame) -> Vec<(u32, ir::Fragment, VariableLocation)> {
    let parts = func.debug.iter().flat_map(|debug| &debug.parts);
    let placed = parts.filter(|part| func.inst_block(part.alloca).is_some());
    placed.filter_map(|p| Some((p.variable, p.fragment, slot_location(mf, frame, p.alloca)?))).collect()
}

/// Unreachable blocks are removed (passes leave none, hand-written input may), with the phi entries
/// that name them. Gives the control-flow graph.
fn remove_unreachable(func: &mut Function) -> analysis::Cfg {
    let cfg = analysis::Cfg::compute(func);
    let (live, dead): (Vec<ir::Block>, Vec<ir::Block>) = func.blocks().partition(|&b| cfg.is_reachable(b));
    if dead.is_empty() {
        return cfg;
    }
    live.into_iter().for_each(|block| func.drop_preds(block, |pred| !cfg.is_reachable(pred)));
    dead.into_iter().for_each(|block| func.unplace_block(block));
    analysis::Cfg::compute(func)
}
