//! Loop rotation: `while (c) body` becomes `if (c) do body while (c)`.
//!
//! The test at the top is copied into the preheader; the header becomes the bottom test and the
//! body's first block the new header. What stands in the body then runs whenever the loop is
//! entered, which is what invariant code motion needs, and each iteration has one jump less.
//!
//! Copied tests of constants become jumps. Values of the old header now have two definitions (the
//! header's and its copy's): the SSA updater makes the phis.
//! Headers above [`MAX_HEADER`] instructions, with calls or allocas, are left alone. Linear.
//!
//! ```text
//! b1: v1 = phi ...; c = icmp v1, n            b0: c0 = icmp 0, n; cond_br c0, b2, b3
//!     cond_br c, b2, b3                  =>   b2: v1 = phi ...; ...; v2 = add v1, 1
//! b2: ...; v2 = add v1, 1; br b1                  c = icmp v2, n; cond_br c, b2, b3
//! ```

use ir::analysis::facts::{has_range, known_phi};
use ir::analysis::{Cfg, Loop, LoopRef};
use ir::ssa::Redefinitions;
use ir::{Block, Function, Inst, InstView, Opcode, Value};
use rustc_hash::FxHashMap;

use crate::loop_utils::make_preheaders;
use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass { copies_code: true, for_size: false, ..Pass::new("loop_rotate", run) };

/// Largest header that is copied.
const MAX_HEADER: usize = 24;

/// A loop to rotate.
struct Candidate {
    header: Block,
    preheader: Block,
    body: Block,
    exit: Block,
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let loops = cx.analyses.loops(func);
    if loops.is_empty() || func.calls_setjmp {
        return Changed::Nothing;
    }
    let cfg = cx.analyses.cfg(func);
    let fit: Vec<Loop> = loops.loops().filter(|&l| tests_at_top(func, &cfg, loops.at(l)).is_some()).collect();
    let mut changed = make_preheaders(func, cx, &fit);
    let candidates = candidates(func, cx);
    let mut redefined = Redefinitions::default();
    let rotated: Vec<&Candidate> = candidates.iter().filter(|c| rotate(func, c, &mut redefined)).collect();
    if !rotated.is_empty() {
        changed = true;
        cx.statistics.add("loops rotated", rotated.len() as u64);
        cx.analyses.invalidate(Changed::ControlFlow);
        cx.analyses.resolve(func, redefined);
        rotated.iter().for_each(|c| decide(func, c.preheader));
        // Loops that never run.
        cx.analyses.invalidate(Changed::ControlFlow);
        cx.analyses.remove_unreachable_blocks(func);
    }
    cx.analyses.keep();
    Changed::control_flow_if(changed)
}

/// Loops that test at the top and have preheaders.
fn candidates(func: &mut Function, cx: &mut PassContext<'_>) -> Vec<Candidate> {
    let cfg = cx.analyses.cfg(func);
    let loops = cx.analyses.loops(func);
    let candidate = |l| {
        let (body, exit) = tests_at_top(func, &cfg, loops.at(l))?;
        let header = loops.header(l);
        let mut outside = cfg.preds(header).iter().copied().filter(|&p| !loops.contains(l, p));
        let preheader = outside.next().filter(|&p| func.insts[func.terminator(p)].opcode == Opcode::Br)?;
        outside.next().is_none().then_some(Candidate { header, preheader, body, exit })
    };
    loops.loops().filter_map(candidate).collect()
}

/// Where a loop that only tests in its header, which may be copied, goes on and leaves.
fn tests_at_top(func: &Function, cfg: &Cfg, l: LoopRef<'_>) -> Option<(Block, Block)> {
    let header = l.header();
    let branch = func.insts[func.terminator(header)];
    if branch.opcode != Opcode::CondBr || func.labels.contains(&header) {
        return None;
    }
    let (then, otherwise) = branch.dests();
    let (body, exit) = match (l.contains(then), l.contains(otherwise)) {
        (true, false) => (then, otherwise),
        (false, true) => (otherwise, then),
        _ => return None,
    };
    // A loop of one block, or whose latches leave it, tests at the bottom already.
    let preds = cfg.preds(header);
    let leaves = |p: Block| l.contains(p) && cfg.succs(p).iter().any(|&s| !l.contains(s));
    let unfit = body == header || preds.iter().any(|&p| leaves(p) || !cfg.is_reachable(p));
    (!unfit && is_copyable(func, header)).then_some((body, exit))
}

/// Makes a branch at the end of a block, whose condition is known, a jump.
fn decide(func: &mut Function, block: Block) {
    let branch = func.terminator(block);
    let Some((then, otherwise)) = func.insts[branch].two_dests() else { return };
    let Some(holds) = known_condition(func, func.operand(branch, 0)) else { return };
    let (taken, dropped) = if holds { (then, otherwise) } else { (otherwise, then) };
    func.replace_terminator(block, |b| b.br(taken));
    func.drop_pred(dropped, block);
}

fn known_condition(func: &Function, condition: Value) -> Option<bool> {
    if let Some(bits) = func.const_bits(condition) {
        return Some(bits != 0);
    }
    let test = func.def_inst(condition)?;
    if let Some(bits) = ir::fold::instruction(func, test) {
        return Some(bits != 0);
    }
    // A counter that begins where one of a loop around it has come to, which is not negative.
    match func.view(test) {
        InstView::ICmp { cc, a, b } if has_range(func.value_type(a)) => {
            known_phi(func, a).decide(cc, known_phi(func, b))
        }
        _ => None,
    }
}

fn is_copyable(func: &Function, header: Block) -> bool {
    let mut count = 0;
    for inst in func.block_insts(header) {
        count += 1;
        let forbidden = matches!(
            func.insts[inst].opcode,
            Opcode::Call
                | Opcode::Alloca
                | Opcode::DynAlloca
                | Opcode::StackSave
                | Opcode::StackRestore
                | Opcode::Asm
                | Opcode::Intrinsic
        );
        if forbidden || count > MAX_HEADER {
            return false;
        }
    }
    true
}

fn rotate(func: &mut Function, c: &Candidate, redefined: &mut Redefinitions) -> bool {
    // An earlier rotation may have changed the neighbourhood (a header that is another loop's body
    // or exit): look again.
    let (branch, jump) = (func.view(func.terminator(c.header)), func.view(func.terminator(c.preheader)));
    let intact = matches!(branch, InstView::CondBr { then_dest, else_dest, .. }
            if [(c.body, c.exit), (c.exit, c.body)].contains(&(then_dest, else_dest)))
        && jump == InstView::Br { dest: c.header };
    if !intact || func.block_insts(c.header).count() > MAX_HEADER {
        return false;
    }
    func.redefine_debug_values([c.header].into_iter());
    let map = copy_header(func, c);
    let insts: Vec<Inst> = func.block_insts(c.header).collect();
    let mapped = |map: &FxHashMap<Value, Value>, v: Value| map.get(&v).copied().unwrap_or(v);
    for target in [c.body, c.exit] {
        func.add_pred(target, c.header, c.preheader, |_, value| mapped(&map, value));
    }
    redefined.begin([c.header, c.preheader].into_iter().collect());
    for &inst in &insts {
        let results: Vec<Value> = func.results(inst).collect();
        for value in results {
            let definitions = [(c.header, value), (c.preheader, mapped(&map, value))];
            redefined.add(func, value, definitions.into_iter());
        }
    }
    func.drop_pred(c.header, c.preheader);
    true
}

/// Copies the header's instructions to the end of the preheader, branch included. Returns what each
/// value is there.
fn copy_header(func: &mut Function, c: &Candidate) -> FxHashMap<Value, Value> {
    let mut map: FxHashMap<Value, Value> = FxHashMap::default();
    let jump = func.terminator(c.preheader);
    func.remove_inst(jump);
    let insts: Vec<Inst> = func.block_insts(c.header).collect();
    for inst in insts {
        if func.insts[inst].opcode == Opcode::Phi {
            let value = func.phi_value(inst, c.preheader).expect("one entry per predecessor");
            map.insert(func.first_result(inst), value);
            continue;
        }
        let copy = func.copy_inst(inst, |v| map.get(&v).copied().unwrap_or(v));
        func.append_inst(c.preheader, copy);
        func.copy_debug_values(inst, copy, |v| map.get(&v).copied().unwrap_or(v));
        let pairs: Vec<(Value, Value)> = func.results(inst).zip(func.results(copy)).collect();
        map.extend(pairs);
    }
    map
}
