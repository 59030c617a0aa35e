//! Pathological shapes by hand: what must be right, and where a good result is known, what it must
//! cost.

use cranelift_entity::EntityRef;
use platform::registers::{CALLEE_SAVED, R10, RAX, RCX, RDI, RDX, RSI, XMM0};

use super::super::*;
use super::run;

fn problem() -> Problem {
    Problem::new(Config::sysv(false))
}

fn block(n: usize) -> BlockIndex {
    BlockIndex::new(n)
}

fn gpr(p: &mut Problem) -> VReg {
    p.new_vreg(RegClass::Gpr, 8, None)
}

fn push(p: &mut Problem, operands: &[Operand]) {
    p.push_inst(InstFlags::NONE, RegSet::EMPTY, operands);
}

fn moves(p: &mut Problem, pairs: &[(VReg, VReg)]) {
    let operands: Vec<Operand> = pairs
        .iter()
        .flat_map(|&(d, s)| [Operand::use_(s, Constraint::Any), Operand::def(d, Constraint::Any)])
        .collect();
    p.push_inst(InstFlags::MOVE, RegSet::EMPTY, &operands);
}

fn def(v: VReg) -> Operand {
    Operand::def(v, Constraint::Reg)
}

fn use_(v: VReg) -> Operand {
    Operand::use_(v, Constraint::Reg)
}

fn any(v: VReg) -> Operand {
    Operand::use_(v, Constraint::Any)
}

/// `d = a op b`, two-address.
fn two_address(p: &mut Problem, d: VReg, a: VReg, b: VReg) {
    push(p, &[use_(a), any(b), Operand::def(d, Constraint::Reuse(0))]);
}

fn call(p: &mut Problem, arguments: &[Operand]) {
    let mut clobbers = RegSet(0xffff_ffff);
    CALLEE_SAVED.iter().for_each(|&r| clobbers.remove(r));
    clobbers.remove(platform::registers::RSP);
    for argument in arguments.iter().filter(|a| a.writes()) {
        if let Constraint::Fixed(reg) = argument.constraint() {
            clobbers.remove(reg);
        }
    }
    p.push_inst(InstFlags::NONE, clobbers, arguments);
}

fn inserted(a: &Allocations) -> usize {
    a.moves.len() + a.edge_moves.len()
}

/// A parameter that is returned: at most one move, `rdi` to `rax`.
#[test]
fn a_parameter_returned() {
    let mut p = problem();
    let v = gpr(&mut p);
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::def(v, Constraint::Fixed(RDI))]);
    push(&mut p, &[Operand::use_(v, Constraint::Fixed(RAX))]);
    p.end_block(&[]);
    let (_, a) = run(p);
    assert_eq!(inserted(&a), 1);
    assert_eq!(a.stats.slots, 0);
}

/// Arguments that arrive in each other's registers: a parallel exchange.
#[test]
fn exchanged_arguments() {
    let mut p = problem();
    let (v, w) = (gpr(&mut p), gpr(&mut p));
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::def(v, Constraint::Fixed(RDI)), Operand::def(w, Constraint::Fixed(RSI))]);
    call(&mut p, &[Operand::use_(v, Constraint::Fixed(RSI)), Operand::use_(w, Constraint::Fixed(RDI))]);
    push(&mut p, &[]);
    p.end_block(&[]);
    let (_, a) = run(p);
    assert!(inserted(&a) <= 3, "{:?}", a.moves);
    assert_eq!(a.stats.slots, 0);
}

/// A loop whose two variables change places each iteration.
#[test]
fn swap_in_a_loop() {
    let mut p = problem();
    let (x, y) = (gpr(&mut p), gpr(&mut p));
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::def(x, Constraint::Fixed(RDI)), Operand::def(y, Constraint::Fixed(RSI))]);
    push(&mut p, &[]);
    p.end_block(&[block(1)]);
    p.begin_block(10.0, 1);
    push(&mut p, &[use_(x), use_(y)]);
    p.end_block(&[block(2), block(3)]);
    p.begin_block(10.0, 1);
    moves(&mut p, &[(x, y), (y, x)]);
    push(&mut p, &[]);
    p.end_block(&[block(1)]);
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::use_(x, Constraint::Fixed(RAX))]);
    p.end_block(&[]);
    let (_, a) = run(p);
    assert_eq!(a.stats.stores + a.stats.reloads, 0);
    assert!(a.stats.swaps + a.stats.moves <= 6);
}

/// Swaps of spilled values: slot to slot cycles.
#[test]
fn swap_in_memory() {
    let mut p = problem();
    let vregs: Vec<VReg> = (0..24).map(|_| gpr(&mut p)).collect();
    p.begin_block(1.0, 0);
    for &v in &vregs {
        push(&mut p, &[Operand::def(v, Constraint::Any)]);
    }
    push(&mut p, &[]);
    p.end_block(&[block(1)]);
    p.begin_block(10.0, 1);
    let pairs: Vec<(VReg, VReg)> = (0..24).map(|i| (vregs[i], vregs[(i + 1) % 24])).collect();
    moves(&mut p, &pairs);
    let uses: Vec<Operand> = vregs.iter().map(|&v| any(v)).collect();
    push(&mut p, &uses);
    push(&mut p, &[use_(vregs[0])]);
    p.end_block(&[block(1), block(2)]);
    p.begin_block(1.0, 0);
    push(&mut p, &uses);
    p.end_block(&[]);
    run(p);
}

/// The counter of a loop is changed in place: nothing is moved in the loop.
#[test]
fn a_counter_in_a_self_loop() {
    let mut p = problem();
    let (i, next) = (gpr(&mut p), gpr(&mut p));
    let limit = gpr(&mut p);
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::def(limit, Constraint::Fixed(RDI))]);
    push(&mut p, &[def(i)]);
    push(&mut p, &[]);
    p.end_block(&[block(1)]);
    p.begin_block(100.0, 1);
    push(&mut p, &[use_(i), Operand::def(next, Constraint::Reuse(0))]);
    push(&mut p, &[use_(next), any(limit)]);
    moves(&mut p, &[(i, next)]);
    push(&mut p, &[]);
    p.end_block(&[block(1), block(2)]);
    p.begin_block(1.0, 0);
    push(&mut p, &[]);
    p.end_block(&[]);
    let (_, a) = run(p);
    assert_eq!(inserted(&a), 0, "{:?}", a.moves);
    assert_eq!(a.stats.coalesced, 2);
}

/// A tied input that lives on costs one copy, also when all other registers are busy; a commutative
/// instruction ties the dying one.
#[test]
fn reuse_of_an_input_that_lives_on() {
    for (flags, expected) in [(InstFlags::NONE, 1), (InstFlags::COMMUTATIVE, 0)] {
        for late in [false, true] {
            let mut p = problem();
            let (a, b, d) = (gpr(&mut p), gpr(&mut p), gpr(&mut p));
            p.begin_block(1.0, 0);
            push(&mut p, &[def(a)]);
            push(&mut p, &[def(b)]);
            let other = if late { Operand::late_use(b, Constraint::Any) } else { any(b) };
            p.push_inst(flags, RegSet::EMPTY, &[use_(a), other, Operand::def(d, Constraint::Reuse(0))]);
            push(&mut p, &[use_(a), use_(d)]);
            p.end_block(&[]);
            let (_, result) = run(p);
            assert_eq!(inserted(&result), expected);
        }
    }
}

/// A late use ends where the gap after the instruction begins: what is read there lives on, and is
/// not tied.
#[test]
fn a_late_use_and_a_tied_one_behind_it() {
    let mut p = problem();
    let (a, b, d, e) = (gpr(&mut p), gpr(&mut p), gpr(&mut p), gpr(&mut p));
    p.begin_block(1.0, 0);
    push(&mut p, &[def(a)]);
    push(&mut p, &[def(b)]);
    let late = Operand::late_use(b, Constraint::Any);
    p.push_inst(InstFlags::COMMUTATIVE, RegSet::EMPTY, &[use_(a), late, Operand::def(d, Constraint::Reuse(0))]);
    push(&mut p, &[use_(b), use_(a), Operand::def(e, Constraint::Reuse(0))]);
    push(&mut p, &[use_(a), use_(d), use_(e)]);
    p.end_block(&[]);
    run(p);
}

/// Non-commutative `d = a - d`: the old value of `d` needs another place while the new one is made.
#[test]
fn definition_tied_to_another_operand() {
    let mut p = problem();
    let (a, d) = (gpr(&mut p), gpr(&mut p));
    p.begin_block(1.0, 0);
    push(&mut p, &[def(a)]);
    push(&mut p, &[def(d)]);
    two_address(&mut p, d, a, d);
    two_address(&mut p, d, a, d);
    push(&mut p, &[use_(d)]);
    p.end_block(&[]);
    run(p);
}

/// The same input twice: `x * x` needs no copy when `x` dies.
#[test]
fn square() {
    let mut p = problem();
    let (x, d) = (gpr(&mut p), gpr(&mut p));
    p.begin_block(1.0, 0);
    push(&mut p, &[def(x)]);
    push(&mut p, &[use_(x), any(x), Operand::def(d, Constraint::Reuse(0))]);
    push(&mut p, &[use_(d)]);
    p.end_block(&[]);
    let (_, a) = run(p);
    assert_eq!(inserted(&a), 0);
}

/// More values than registers, all read again and again in a loop.
#[test]
fn more_live_values_than_registers() {
    let mut p = problem();
    let vregs: Vec<VReg> = (0..30).map(|_| gpr(&mut p)).collect();
    p.begin_block(1.0, 0);
    for &v in &vregs {
        push(&mut p, &[def(v)]);
    }
    push(&mut p, &[]);
    p.end_block(&[block(1)]);
    p.begin_block(100.0, 1);
    for &v in &vregs {
        push(&mut p, &[Operand::use_def(v, Constraint::Reg)]);
    }
    push(&mut p, &[use_(vregs[3])]);
    p.end_block(&[block(1), block(2)]);
    p.begin_block(1.0, 0);
    for &v in &vregs {
        push(&mut p, &[any(v)]);
    }
    push(&mut p, &[]);
    p.end_block(&[]);
    let (_, a) = run(p);
    assert!(a.stats.slots >= 15 && a.stats.slots <= 30);
}

/// A value in a hot loop stays in a register although a cold path of the loop calls; it goes to
/// memory around the call only. No callee-saved register is available.
#[test]
fn a_cold_call_in_a_hot_loop() {
    let mut config = Config::sysv(false);
    config.order.retain(|r| !CALLEE_SAVED.contains(r));
    let mut p = Problem::new(config);
    let (i, sum) = (gpr(&mut p), gpr(&mut p));
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::def(i, Constraint::Fixed(RDI)), Operand::def(sum, Constraint::Fixed(RSI))]);
    push(&mut p, &[]);
    p.end_block(&[block(1)]);
    p.begin_block(100.0, 1);
    push(&mut p, &[Operand::use_def(sum, Constraint::Any), use_(i)]);
    push(&mut p, &[Operand::use_def(i, Constraint::Any)]);
    push(&mut p, &[use_(i)]);
    p.end_block(&[block(2), block(3)]);
    p.begin_block(0.5, 1);
    call(&mut p, &[Operand::use_(i, Constraint::Fixed(RDI))]);
    push(&mut p, &[]);
    p.end_block(&[block(3)]);
    p.begin_block(100.0, 1);
    push(&mut p, &[use_(sum)]);
    p.end_block(&[block(1), block(4)]);
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::use_(sum, Constraint::Fixed(RAX))]);
    p.end_block(&[]);
    let (p, a) = run(p);
    for m in &a.moves {
        let hot = [1, 3].iter().any(|&b| (p.blocks[b].first..p.blocks[b].end).contains(&(m.before.index() as u32)));
        assert!(!hot, "{m:?}");
    }
    assert_eq!(a.stats.stores, 2);
    assert_eq!(a.stats.reloads, 2);
}

/// Values that live across many calls take callee-saved registers, one each, and are never stored.
#[test]
fn across_many_calls() {
    let mut p = problem();
    let vregs: Vec<VReg> = (0..5).map(|_| gpr(&mut p)).collect();
    p.begin_block(1.0, 0);
    for &v in &vregs {
        push(&mut p, &[def(v)]);
    }
    for round in 0..10 {
        call(&mut p, &[Operand::use_(vregs[round % 5], Constraint::Fixed(RDI))]);
    }
    let uses: Vec<Operand> = vregs.iter().map(|&v| use_(v)).collect();
    push(&mut p, &uses);
    p.end_block(&[]);
    let (_, a) = run(p);
    assert_eq!(a.used_callee_saved.len(), 5);
    assert_eq!(a.stats.stores + a.stats.reloads, 0);
}

/// One cheap use after one call does not pay for a callee-saved register in a function that is
/// otherwise free of them.
#[test]
fn callee_saved_registers_must_pay() {
    let mut p = problem();
    let v = gpr(&mut p);
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::def(v, Constraint::Fixed(RDI))]);
    push(&mut p, &[use_(v)]);
    p.end_block(&[block(1), block(2)]);
    p.begin_block(0.1, 0);
    call(&mut p, &[]);
    push(&mut p, &[any(v)]);
    p.end_block(&[]);
    p.begin_block(0.9, 0);
    push(&mut p, &[Operand::use_(v, Constraint::Fixed(RAX))]);
    p.end_block(&[]);
    let (_, a) = run(p);
    assert!(a.used_callee_saved.is_empty());
    assert_eq!(a.stats.stores, 1);
}

/// Division in a loop: `rax` and `rdx` are fixed, the other values stay out of them, nothing goes
/// to memory.
#[test]
fn division_in_a_loop() {
    let mut p = problem();
    let (n, d) = (gpr(&mut p), gpr(&mut p));
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::def(n, Constraint::Fixed(RDI)), Operand::def(d, Constraint::Fixed(RSI))]);
    push(&mut p, &[]);
    p.end_block(&[block(1)]);
    p.begin_block(50.0, 1);
    let high = gpr(&mut p);
    let q = gpr(&mut p);
    push(&mut p, &[Operand::use_(n, Constraint::Fixed(RAX)), Operand::def(high, Constraint::Fixed(RDX))]);
    p.push_inst(
        InstFlags::NONE,
        RegSet::of(&[RDX]),
        &[
            Operand::use_(n, Constraint::Fixed(RAX)),
            Operand::use_(high, Constraint::Fixed(RDX)),
            any(d),
            Operand::def(q, Constraint::Fixed(RAX)),
        ],
    );
    moves(&mut p, &[(n, q)]);
    push(&mut p, &[use_(n)]);
    p.end_block(&[block(1), block(2)]);
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::use_(n, Constraint::Fixed(RAX))]);
    p.end_block(&[]);
    let (_, a) = run(p);
    assert_eq!(a.stats.stores + a.stats.reloads, 0);
    // `n` lives in rax all the time.
    assert!(inserted(&a) <= 1, "{:?}", a.moves);
}

/// Shifts by `cl` with the amount live across.
#[test]
fn shifts_by_cl() {
    let mut p = problem();
    let (x, n) = (gpr(&mut p), gpr(&mut p));
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::def(x, Constraint::Fixed(RDI)), Operand::def(n, Constraint::Fixed(RSI))]);
    for _ in 0..4 {
        push(&mut p, &[use_(x), Operand::use_(n, Constraint::Fixed(RCX)), Operand::def(x, Constraint::Reuse(0))]);
    }
    push(&mut p, &[Operand::use_(x, Constraint::Fixed(RAX)), any(n)]);
    p.end_block(&[]);
    let (_, a) = run(p);
    // The amount goes to rcx once and stays there; the value is shifted in place and ends in rax.
    assert!(inserted(&a) <= 3, "{:?}", a.moves);
}

/// A computed goto with many labels: values are in the same places at all of them.
#[test]
fn computed_goto() {
    let mut p = problem();
    let (pc, acc) = (gpr(&mut p), gpr(&mut p));
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::def(pc, Constraint::Fixed(RDI)), Operand::def(acc, Constraint::Fixed(RSI))]);
    push(&mut p, &[]);
    p.end_block(&[block(1)]);
    p.begin_block(1000.0, 1);
    let labels: Vec<BlockIndex> = (2..12).map(block).collect();
    push(&mut p, &[any(pc)]);
    p.end_block(&labels);
    for n in 2..12 {
        p.begin_block(100.0, 1);
        push(&mut p, &[Operand::use_def(acc, Constraint::Any)]);
        push(&mut p, &[Operand::use_def(pc, Constraint::Any)]);
        if n == 5 {
            call(&mut p, &[Operand::use_(acc, Constraint::Fixed(RDI)), Operand::def(acc, Constraint::Fixed(RAX))]);
        }
        push(&mut p, &[]);
        p.end_block(&[block(if n == 11 { 12 } else { 1 })]);
    }
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::use_(acc, Constraint::Fixed(RAX))]);
    p.end_block(&[]);
    run(p);
}

/// Two loops that enter one another: no header dominates.
#[test]
fn irreducible_loops() {
    let mut p = problem();
    let vregs: Vec<VReg> = (0..18).map(|_| gpr(&mut p)).collect();
    p.begin_block(1.0, 0);
    for &v in &vregs {
        push(&mut p, &[def(v)]);
    }
    push(&mut p, &[use_(vregs[0])]);
    p.end_block(&[block(1), block(2)]);
    for n in 1..3 {
        p.begin_block(10.0, 1);
        for pair in vregs.chunks(2) {
            two_address(&mut p, pair[n - 1], pair[0], pair[1]);
        }
        push(&mut p, &[use_(vregs[n])]);
        p.end_block(&[block(3 - n), block(3), block(n)]);
    }
    p.begin_block(1.0, 0);
    for &v in &vregs {
        push(&mut p, &[any(v)]);
    }
    push(&mut p, &[]);
    p.end_block(&[]);
    run(p);
}

/// A rematerialisable value is never stored, and its definition vanishes when every use computes it
/// again.
#[test]
fn rematerialisation() {
    let mut p = problem();
    let constant = p.new_vreg(RegClass::Gpr, 8, Some(0));
    let vregs: Vec<VReg> = (0..15).map(|_| gpr(&mut p)).collect();
    p.begin_block(1.0, 0);
    push(&mut p, &[def(constant)]);
    for &v in &vregs {
        push(&mut p, &[def(v)]);
    }
    for _ in 0..3 {
        for &v in &vregs {
            push(&mut p, &[Operand::use_def(v, Constraint::Reg)]);
        }
    }
    for &v in &vregs {
        push(&mut p, &[any(v)]);
    }
    push(&mut p, &[use_(constant), Operand::use_(constant, Constraint::Fixed(R10))]);
    p.end_block(&[]);
    let (_, a) = run(p);
    assert_eq!(a.operands[0], Allocation::NONE);
    assert_eq!(a.stats.slots, 0);
    assert!(a.stats.remats >= 1 && a.stats.stores == 0);
}

/// Results of a terminator (`asm goto`) hold on every edge, the critical ones included.
#[test]
fn terminator_results() {
    let mut p = problem();
    let (a, b) = (gpr(&mut p), gpr(&mut p));
    p.begin_block(1.0, 0);
    push(&mut p, &[def(a)]);
    push(&mut p, &[use_(a), Operand::def(a, Constraint::Fixed(RDX)), Operand::early_def(b, Constraint::Reg)]);
    p.end_block(&[block(1), block(2)]);
    p.begin_block(0.5, 0);
    call(&mut p, &[Operand::use_(b, Constraint::Fixed(RDI)), Operand::def(b, Constraint::Fixed(RAX))]);
    push(&mut p, &[]);
    p.end_block(&[block(2)]);
    p.begin_block(1.0, 0);
    push(&mut p, &[use_(a), use_(b)]);
    p.end_block(&[]);
    run(p);
}

/// Vectors live across a call: there is no callee-saved SSE register, so one store at the
/// definition and one reload.
#[test]
fn vectors_across_a_call() {
    let mut p = problem();
    let v = p.new_vreg(RegClass::Xmm, 16, None);
    p.begin_block(1.0, 0);
    push(&mut p, &[Operand::def(v, Constraint::Fixed(XMM0))]);
    push(&mut p, &[use_(v)]);
    for _ in 0..3 {
        call(&mut p, &[]);
    }
    push(&mut p, &[use_(v)]);
    push(&mut p, &[use_(v)]);
    p.end_block(&[]);
    let (_, a) = run(p);
    assert_eq!((a.stats.stores, a.stats.reloads), (1, 1));
    assert_eq!(a.slots, [SlotData { bytes: 16 }]);
}

/// Spill slots are shared by values that are never live together.
#[test]
fn slots_are_shared() {
    let mut p = problem();
    p.begin_block(1.0, 0);
    for _ in 0..10 {
        let v = p.new_vreg(RegClass::Xmm, 16, None);
        push(&mut p, &[def(v)]);
        call(&mut p, &[]);
        push(&mut p, &[use_(v)]);
    }
    push(&mut p, &[]);
    p.end_block(&[]);
    let (_, a) = run(p);
    assert_eq!(a.slots.len(), 1);
}

/// Locations for debug information cover every instruction where a vreg is live.
#[test]
fn locations_follow_splits() {
    let mut p = problem();
    p.config.want_locations = true;
    let v = p.new_vreg(RegClass::Xmm, 16, None);
    p.begin_block(1.0, 0);
    push(&mut p, &[def(v)]);
    push(&mut p, &[use_(v)]);
    call(&mut p, &[]);
    push(&mut p, &[use_(v)]);
    p.end_block(&[]);
    let (_, a) = run(p);
    assert!(a.locations.iter().any(|l| l.place.as_reg().is_some()));
    assert!(a.locations.windows(2).all(|w| w[0].to <= w[1].from));
    assert!(a.locations.iter().any(|l| l.from.index() <= 2 && l.to.index() > 2));
}
