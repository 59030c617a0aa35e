//! Loop rotation: `while (c) body` becomes `if (c) do body while (c)`.
//!
//! The test at the top is copied into the preheader; the header becomes the bottom test and the body's first block the new header. What
//! stands in the body then runs whenever the loop is entered, which is what invariant code motion needs, and each round has one jump less.
//!
//! Values of the old header now have two definitions (the header's and its copy's): they are put into temporary allocas and mem2reg makes the
//! phis. Headers above [`MAX_HEADER`] instructions, with calls or allocas, are left alone. Linear.
//!
//! ```text
//! b1: v1 = phi ...; c = icmp v1, n            b0: c0 = icmp 0, n; cond_br c0, b2, b3
//!     cond_br c, b2, b3                  =>   b2: v1 = phi ...; ...; v2 = add v1, 1
//! b2: ...; v2 = add v1, 1; br b1                  c = icmp v2, n; cond_br c, b2, b3
//! ```

use ir::analysis::{Cfg, LoopTree};
use ir::{Block, Function, Inst, Opcode, Value};
use rustc_hash::FxHashMap;

use crate::loop_utils::ensure_preheader;
use crate::pass::{Changed, Pass, PassContext};
use crate::passes::mem2reg;
use crate::ssa_repair::{copy_inst, merge_definitions};

/// The pass.
pub const PASS: Pass = Pass { name: "loop_rotate", run };

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
    let cfg = cx.analyses.cfg(func);
    let loops = cx.analyses.loops(func);
    if loops.is_empty() || func.calls_setjmp {
        return Changed::Nothing;
    }
    let (candidates, mut changed) = candidates(func, &cfg, &loops);
    let rotated = candidates.iter().filter(|c| rotate(func, c)).count();
    changed |= rotated > 0;
    if rotated > 0 {
        cx.statistics.add("loops rotated", rotated as u64);
        cx.analyses.invalidate(Changed::ControlFlow);
        (mem2reg::PASS.run)(func, cx);
    }
    Changed::control_flow_if(changed)
}

/// Loops that test at the top, with their preheaders (made where missing).
fn candidates(func: &mut Function, cfg: &Cfg, loops: &LoopTree) -> (Vec<Candidate>, bool) {
    let mut out: Vec<Candidate> = Vec::new();
    let mut changed = false;
    for l in loops.loops() {
        let header = loops.header(l);
        let branch = func.insts[func.terminator(header)];
        if branch.opcode != Opcode::CondBr || func.labels.contains(&header) {
            continue;
        }
        let (then, otherwise) = (Block::from_u32(branch.b), Block::from_u32(branch.c));
        let (body, exit) = match (loops.contains(l, then), loops.contains(l, otherwise)) {
            (true, false) => (then, otherwise),
            (false, true) => (otherwise, then),
            _ => continue,
        };
        // A loop of one block, or whose latches leave it, tests at the bottom already.
        let tests_at_bottom = cfg
            .preds(header)
            .iter()
            .any(|&p| loops.contains(l, p) && cfg.succs(p).iter().any(|&s| !loops.contains(l, s)));
        if body == header || tests_at_bottom || !is_copyable(func, header) {
            continue;
        }
        if cfg.preds(header).iter().any(|&p| !cfg.is_reachable(p)) {
            continue;
        }
        let Some((preheader, made)) = ensure_preheader(func, cfg, loops, l) else { continue };
        changed |= made;
        out.push(Candidate { header, preheader, body, exit });
    }
    (out, changed)
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

fn rotate(func: &mut Function, c: &Candidate) -> bool {
    // An earlier rotation may have changed the neighbourhood (a header that is another loop's body or exit): look again.
    let branch = func.insts[func.terminator(c.header)];
    let jump = func.insts[func.terminator(c.preheader)];
    let intact = branch.opcode == Opcode::CondBr
        && [branch.b, branch.c].map(Block::from_u32).contains(&c.body)
        && [branch.b, branch.c].map(Block::from_u32).contains(&c.exit)
        && jump.opcode == Opcode::Br
        && Block::from_u32(jump.c) == c.header;
    if !intact || func.block_insts(c.header).count() > MAX_HEADER {
        return false;
    }
    let map = copy_header(func, c);
    let insts: Vec<Inst> = func.block_insts(c.header).collect();
    let mapped = |map: &FxHashMap<Value, Value>, v: Value| map.get(&v).copied().unwrap_or(v);
    for target in [c.body, c.exit] {
        let phis: Vec<Inst> = func.phis(target).collect();
        for phi in phis {
            let value = func.phi_value(phi, c.header).expect("one entry per predecessor");
            let value = mapped(&map, value);
            func.phi_push(phi, value, c.preheader);
        }
    }
    for &inst in &insts {
        let results: Vec<Value> = func.results(inst).collect();
        for value in results {
            merge_definitions(func, value, &[(c.header, value), (c.preheader, mapped(&map, value))]);
        }
    }
    let phis: Vec<Inst> = func.phis(c.header).collect();
    for phi in phis {
        let index = (0..func.num_operands(phi))
            .find(|&i| func.phi_block(phi, i) == c.preheader)
            .expect("entered from the preheader");
        func.phi_swap_remove(phi, index);
        // One latch: the phi is its value.
        if func.num_operands(phi) == 1 {
            let (result, value) = (func.first_result(phi), func.operand(phi, 0));
            if result != value {
                func.replace_all_uses(result, value);
                func.remove_inst(phi);
            }
        }
    }
    true
}

/// Copies the header's instructions to the end of the preheader, branch included. Returns what each value is there.
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
        let copy = copy_inst(func, inst, |v| map.get(&v).copied().unwrap_or(v));
        func.append_inst(c.preheader, copy);
        let pairs: Vec<(Value, Value)> = func.results(inst).zip(func.results(copy)).collect();
        map.extend(pairs);
    }
    map
}
