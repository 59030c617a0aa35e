//! The optimising path from `-O1` on: one function from SSA form to machine code.
//!
//! ```text
//! sink_increments -> analyses, frequencies -> eliminate_phis -> layout -> select -> regalloc
//! -> rewrite -> reloads -> x87_stack -> peephole -> frame -> tail_merge -> loop_ends
//! -> shrink_wrap -> encode
//! ```
//! Functions are independent of each other; what a worker keeps between them is allocations only.

use std::time::{Duration, Instant};

use base::Loc;
use ir::{FnAttrs, Function, analysis};
use object::{CodeBuffer, FunctionCode, SymbolRef, TextPlacement, VariableLocation};
use platform::registers::{RBP, RBX, RegSet};

use crate::{
    context::{BackendError, Context},
    debug_values::{self, calls, flow, ranges},
    eliminate_phis, encode, frame, layout, loop_ends,
    machine::{Class, MachineFunction, print},
    peephole, regalloc, reloads, rewrite, select, shrink_wrap, sink_increments, tail_merge, x87_stack,
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
struct Steps {
    last: Option<Instant>,
}

impl Steps {
    fn new(cx: Context<'_>) -> Steps {
        Steps { last: cx.options.time_report.then(Instant::now) }
    }

    fn done(&mut self, stats: &mut Stats, step: usize) {
        if let Some(last) = &mut self.last {
            let now = Instant::now();
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

/// Prints the machine code to stderr if `--print-after=` names the stage: `select`, `regalloc`,
/// `x87-stack`, `peephole`, `tail-merge` or `shrink-wrap`.
fn dump(cx: Context<'_>, stage: &str, mf: &MachineFunction, name: &str) {
    if cx.options.print_after.iter().any(|wanted| wanted == stage || wanted == "all") {
        eprint!("; after {stage}\n{}", print::function_text(mf, name));
    }
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
    let mut steps = Steps::new(cx);
    let name = &*cx.symbol(func.symbol).name;
    remove_unreachable(func);
    sink_increments::sink_increments(func);
    let (cfg, loops) = analyses(func);
    let frequency = layout::frequencies(func, &cfg, &loops);
    let phis =
        eliminate_phis::eliminate_phis(func, &|block| frequency.get(block.as_u32() as usize).copied().unwrap_or(1.0));
    let (cfg, loops) = if phis.trampolines.is_empty() { (cfg, loops) } else { analyses(func) };
    let frequency = if phis.trampolines.is_empty() { frequency } else { layout::frequencies(func, &cfg, &loops) };
    let order = layout::order(func, &cfg, &loops, &frequency, cx.options.optimize_size);
    steps.done(&mut scratch.stats, 0);
    let plan = select::Plan { order: &order, frequency: &frequency };
    let mut mf = match select::select(cx, func, &cfg, &loops, &phis, &plan) {
        Ok(mf) => mf,
        Err(list) => {
            errors.extend(list);
            return false;
        }
    };
    // Lowering leaves no value for an SSE register where there are none.
    if !cx.features(func).has_sse() && mf.vregs.iter().any(|vreg| vreg.class == Class::Xmm) {
        base::bug!("an SSE register in a function without SSE");
    }
    scratch.stats.instructions += mf.insts.len() as u64;
    scratch.stats.phis += phis.stats;
    steps.done(&mut scratch.stats, 1);
    dump(cx, "select", &mf, name);
    let mut problem = match allocation_problem(cx, func, &mut mf) {
        Ok(problem) => problem,
        Err(error) => {
            errors.push(error);
            return false;
        }
    };
    let allocations = regalloc::allocate(&mut problem);
    scratch.stats.phi_moves += rewrite::apply(&mut mf, &problem, &allocations);
    let used = reloads::run(&mut mf, allocations.slots.len());
    scratch.stats.allocation += allocations.stats;
    steps.done(&mut scratch.stats, 2);
    dump(cx, "regalloc", &mf, name);
    x87_stack::run(&mut mf, cx.options.verify);
    dump(cx, "x87-stack", &mf, name);
    let before = if mf.debug_values.is_empty() { Vec::new() } else { mf.insts.clone() };
    peephole::run(&mut mf, cx.options.optimize_size);
    if !before.is_empty() {
        debug_values::confirm(&mut mf, &before);
    }
    dump(cx, "peephole", &mf, name);
    let slots = allocations.slots.iter().zip(used);
    let spills: Vec<u64> = slots.map(|(slot, used)| if used { u64::from(slot.bytes) } else { 0 }).collect();
    let guard = wants_guard(cx, func, &mf);
    let frame = frame::layout(cx, func, &mf, &spills, allocations.used_callee_saved, guard);
    if !cx.options.optimize_debug {
        tail_merge::run(&mut mf, tail_merge::Aim { size: cx.options.optimize_size, epilogue: frame.epilogue_bytes() });
    }
    dump(cx, "tail-merge", &mf, name);
    if !cx.options.optimize_size {
        loop_ends::run(&mut mf);
    }
    shrink_wrap::run(cx, func, &mut mf, &frame);
    dump(cx, "shrink-wrap", &mf, name);
    scratch.stats.frame_bytes += frame.size;
    steps.done(&mut scratch.stats, 3);
    if !encode_function(cx, scratch, func, &mut mf, &frame, &allocations, placement, errors, out) {
        return false;
    }
    steps.done(&mut scratch.stats, 4);
    debug_assert!(func.loc == Loc::NONE || !name.is_empty());
    uses_trampolines(func)
}

/// What the allocator is asked: the operands of the machine code, and which registers there are.
fn allocation_problem(
    cx: Context<'_>,
    func: &Function,
    mf: &mut MachineFunction,
) -> Result<regalloc::Problem, BackendError> {
    let (frame_pointer, base_register) = frame::reserved_registers(mf);
    let mut problem = rewrite::problem(mf, frame_pointer, base_register, cx.options.optimize_size);
    problem.config.reserve(cx.module.reserved_registers);
    if frame_pointer && cx.module.reserved_registers.contains(RBP) {
        return Err(BackendError {
            loc: func.loc,
            message: crate::context::FRAME_POINTER_RESERVED.to_string(),
            note: None,
        });
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
    frame: &frame::Frame,
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
        out.variables = variable_locations(cx, func, mf, frame);
        let memory = parts_in_memory(func, mf, frame);
        out.values = ranges::ranges(func, frame, &places, &emitted, |label| out.label_offset(label), &memory);
        out.calls = calls::described_calls(func, mf, frame, &emitted, |label| out.label_offset(label));
        func.discard_debug_values();
    }
    true
}

/// See [`crate::variables::locations`].
fn variable_locations(
    cx: Context<'_>,
    func: &Function,
    mf: &MachineFunction,
    frame: &frame::Frame,
) -> Vec<Option<VariableLocation>> {
    let layout =
        crate::abi::layout(&cx.module.signatures[func.sig], cx.features(func).has(platform::options::X86Features::AVX));
    crate::variables::locations(func, &layout, |inst| slot_location(mf, frame, inst))
}

/// Where a described alloca is, if it has a slot.
fn slot_location(mf: &MachineFunction, frame: &frame::Frame, alloca: ir::Inst) -> Option<VariableLocation> {
    let (_, slot) = *mf.variable_slots.iter().find(|(inst, _)| *inst == alloca)?;
    let (register, offset) = frame.resolve(crate::machine::Base::Slot(slot));
    let offset = i32::try_from(offset).ok()?;
    Some(VariableLocation { register: Some(register.dwarf()), offset, indirect: false })
}

/// Parts of split variables that are still in memory.
fn parts_in_memory(
    func: &Function,
    mf: &MachineFunction,
    frame: &frame::Frame,
) -> Vec<(u32, ir::Fragment, VariableLocation)> {
    let parts = func.debug.iter().flat_map(|debug| &debug.parts);
    let placed = parts.filter(|part| func.inst_block(part.alloca).is_some());
    placed.filter_map(|p| Some((p.variable, p.fragment, slot_location(mf, frame, p.alloca)?))).collect()
}

fn analyses(func: &Function) -> (analysis::Cfg, analysis::LoopTree) {
    let cfg = analysis::Cfg::compute(func);
    let dominators = analysis::DominatorTree::compute(func, &cfg);
    let loops = analysis::LoopTree::compute(func, &cfg, &dominators);
    (cfg, loops)
}

/// Unreachable blocks are removed (passes leave none, hand-written input may), with the phi entries
/// that name them.
fn remove_unreachable(func: &mut Function) {
    let cfg = analysis::Cfg::compute(func);
    let dead: Vec<ir::Block> = func.blocks().filter(|&b| !cfg.is_reachable(b)).collect();
    if dead.is_empty() {
        return;
    }
    let live: Vec<ir::Block> = func.blocks().filter(|&b| cfg.is_reachable(b)).collect();
    for block in live {
        let phis: Vec<ir::Inst> = func.phis(block).collect();
        for phi in phis {
            for index in (0..func.num_operands(phi)).rev() {
                if !cfg.is_reachable(func.phi_block(phi, index)) {
                    func.phi_swap_remove(phi, index);
                }
            }
        }
    }
    for block in dead {
        func.unplace_block(block);
    }
}

/// Whether `-fstack-protector*` applies. It errs on the side of protection: arrays are known by
/// their size only.
fn wants_guard(cx: Context<'_>, func: &Function, mf: &MachineFunction) -> bool {
    let array_bytes = u64::from(cx.codegen().stack_protector_buffer);
    if cx.symbol(func.symbol).attrs.has(FnAttrs::NO_STACK_PROTECTOR) || mf.naked {
        return false;
    }
    let asked = cx.symbol(func.symbol).code.as_ref().is_some_and(|code| code.stack_protect);
    match cx.codegen().stack_protector {
        1.. if asked => true,
        1 => func.has_dynamic_alloca || mf.slots.iter().any(|s| s.size >= array_bytes),
        2 => func.has_dynamic_alloca || !mf.slots.is_empty(),
        3 => true,
        _ => false,
    }
}

fn uses_trampolines(func: &Function) -> bool {
    func.blocks().any(|block| {
        func.block_insts(block).any(|inst| {
            let data = &func.insts[inst];
            data.is_intrinsic(ir::Intrinsic::InitTrampoline)
        })
    })
}
