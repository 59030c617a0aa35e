//! Between selection and emission: the register allocation problem of a machine function, and its
//! solution written back.
//!
//! After [`apply`] every register field holds a physical register; operands left in spill slots
//! have become memory operands; moves, spills and rematerialisations are ordinary instructions
//! marked [`bits::EDIT`]; copies are gone.

use cranelift_entity::EntityRef;
use object::{
    Size,
    encode::{Alu, Sse},
};
use platform::registers::{RBP, RBX, Reg, RegSet};

use crate::{
    machine::{
        self, Amode, Base, Class, Constraint, Held, Kind, MBlock, MInst, MachineFunction, MachineRecord, Op, Pos, VReg,
        Writes, bits, operands,
    },
    regalloc::{self, Allocation, BlockIndex, InstFlags, MoveOp, Operand, OperandKind, OperandPos, Problem, RegClass},
    widths,
};

/// What a memory access costs however seldom it runs, for its bytes, in accesses that run once per
/// call of the function.
const ACCESS_BYTES: f32 = 0.1;
/// Share of the time that counts beside the bytes when size is what counts.
const TIME_SHARE: f32 = 0.01;

/// The weight of code in a block: executions per call of the function, and its size.
fn block_weight(frequency: f32, size: bool) -> f32 {
    if size { 1.0 + frequency * TIME_SHARE } else { frequency + ACCESS_BYTES }
}

/// The allocation problem of a machine function. `rbp` and `rbx` are left out where the frame needs
/// them; `size` says that few bytes matter more than few executed instructions.
pub fn problem(mf: &mut MachineFunction, frame_pointer: bool, base_register: bool, size: bool) -> Problem {
    let mut config = regalloc::Config::sysv(frame_pointer);
    config.least_frequency = block_weight(0.0, size);
    if size {
        // A callee-saved register that is paid for needs no prefix, either.
        config.order.sort_by_key(|&reg| (reg.is_xmm(), reg.0 >= 8));
    }
    if base_register {
        config.order.retain(|&r| r != RBX);
    }
    if mf.reserves_rbp {
        config.order.retain(|&r| r != RBP);
    }
    let mut problem = Problem::new(config);
    problem.insts.reserve(mf.insts.len());
    problem.operands.reserve(mf.insts.len() * 3);
    let narrow = widths::narrow(mf);
    for (info, narrow) in mf.vregs.iter().zip(narrow) {
        let class = if info.class == Class::Gpr { RegClass::Gpr } else { RegClass::Xmm };
        let vreg = problem.new_vreg(class, info.size, (info.remat != u32::MAX).then_some(info.remat));
        if narrow {
            problem.vregs[vreg.index()].move_bytes = 4;
        }
    }
    for &(vreg, reg) in &mf.pinned {
        problem.pinned.push((regalloc::VReg::new(vreg.index()), reg));
        problem.vregs[vreg.index()].move_bytes = 8;
    }
    let mut collected: Vec<Operand> = Vec::new();
    for number in 0..mf.blocks.len() {
        let (start, end) = (mf.blocks[number].start as usize, mf.blocks[number].end as usize);
        problem.begin_block(block_weight(mf.blocks[number].frequency, size), mf.blocks[number].loop_depth);
        for at in start..end {
            let inst = mf.insts[at];
            let clobbers = mf.clobbers(&inst);
            let short = if inst.size == Size::Q { InstFlags::NONE } else { InstFlags::SHORT };
            let flags = flags_of(&inst) | short;
            collected.clear();
            let MachineFunction { insts, amodes, lists, asms, .. } = mf;
            operands::visit(&mut insts[at], amodes, lists, asms, |reg, role| {
                collected.push(operand(regalloc::VReg::new(reg.index()), role));
            });
            problem.push_inst(flags, RegSet(u64::from(clobbers)), &collected);
        }
        let succs: Vec<BlockIndex> = mf.blocks[number].succs.iter().map(|&s| BlockIndex::from_u32(s)).collect();
        problem.end_block(&succs);
    }
    problem
}

fn flags_of(inst: &MInst) -> InstFlags {
    match inst.op {
        Op::Args => InstFlags::ENTRY,
        Op::Copy | Op::ParallelCopy => InstFlags::MOVE,
        Op::Alu if !inst.mem.is_some() && inst.src2.is_some() && is_commutative(inst.alu_op()) => {
            InstFlags::COMMUTATIVE
        }
        Op::Imul if !inst.mem.is_some() && inst.src2.is_some() => InstFlags::COMMUTATIVE,
        Op::Xmm if !inst.mem.is_some() && inst.src2.is_some() && may_swap(inst) => InstFlags::COMMUTATIVE,
        _ => InstFlags::NONE,
    }
}

fn may_swap(inst: &MInst) -> bool {
    inst.sse_op().is_commutative() && inst.bits & bits::WHOLE == 0
}

fn is_commutative(op: Alu) -> bool {
    matches!(op, Alu::Add | Alu::And | Alu::Or | Alu::Xor | Alu::Adc)
}

fn operand(vreg: regalloc::VReg, role: machine::Role) -> Operand {
    let kind = if role.kind == Kind::Use { OperandKind::Use } else { OperandKind::Def };
    let pos = if role.pos == Pos::Early { OperandPos::Early } else { OperandPos::Late };
    let constraint = match role.constraint {
        Constraint::Reg => regalloc::Constraint::Reg,
        Constraint::Any => regalloc::Constraint::Any,
        Constraint::Fixed(reg) => regalloc::Constraint::Fixed(reg),
        Constraint::Reuse(index) => regalloc::Constraint::Reuse(index),
    };
    Operand::new(vreg, kind, pos, constraint)
}

fn place(allocation: Allocation) -> VReg {
    match (allocation.as_reg(), allocation.as_slot()) {
        (Some(reg), _) => VReg::physical(reg),
        (_, Some(slot)) => VReg::spill(slot),
        _ => VReg::NONE,
    }
}

/// Writes an allocation back. Gives how many register moves the copies of phis became; an exchange
/// counts as two.
pub fn apply(mf: &mut MachineFunction, problem: &Problem, result: &regalloc::Allocations, size: bool) -> u64 {
    let mut phi_moves = 0;
    let old_insts = std::mem::take(&mut mf.insts);
    let old_locs = std::mem::take(&mut mf.locs);
    mf.insts.reserve(old_insts.len() + result.moves.len());
    mf.locs.reserve(old_insts.len() + result.moves.len());
    let mut moves = result.moves.iter().peekable();
    let mut records = std::mem::take(&mut mf.debug_values);
    let mut next_record = 0;
    for number in 0..mf.blocks.len() {
        let (start, end) = (mf.blocks[number].start as usize, mf.blocks[number].end as usize);
        let new_start = mf.insts.len() as u32;
        for at in start..end {
            let loc = old_locs[at];
            let before_moves = mf.insts.len() as u32;
            while let Some(inserted) = moves.next_if(|m| m.before.index() <= at) {
                // Flags that are live before this instruction are so after the inserted one.
                let live = at > start && old_insts[at - 1].bits & bits::FLAGS_LIVE != 0;
                push_move(mf, problem, &inserted.op, live);
                mf.writes.push(writes_of(&inserted.op));
                if old_insts[at].op == Op::ParallelCopy || old_insts[at].bits & bits::PHI_COPY != 0 {
                    phi_moves += register_moves(&inserted.op);
                }
                mf.locs.resize(mf.insts.len(), loc);
            }
            while let Some(record) = records.get_mut(next_record).filter(|r| r.at as usize == at) {
                next_record += 1;
                let moves = mf.writes.get(before_moves as usize..).unwrap_or_default();
                let (mut held, mut moved) = located(result, record.held, at, start, moves);
                if let Some(source) = moved_from(held, &mf.insts[before_moves as usize..], moves).filter(|_| moved) {
                    (held, moved) = (Held::Register(source), false);
                }
                let at = if moved { mf.insts.len() as u32 } else { before_moves };
                *record = MachineRecord { at, held, ..*record };
            }
            let mut inst = old_insts[at];
            let mut writes = Writes { regs: mf.clobbers(&inst), slot: 0 };
            let mut allocations =
                result.operands[problem.operand_range(regalloc::InstIndex::from_u32(at as u32))].iter();
            let mut vanished = false;
            let MachineFunction { amodes, lists, asms, .. } = mf;
            operands::visit(&mut inst, amodes, lists, asms, |reg, role| {
                let allocation = *allocations.next().expect("one allocation per operand");
                vanished |= allocation.is_none() && role.kind == Kind::Def;
                *reg = place(allocation);
                if role.kind == Kind::Def {
                    writes.define(*reg);
                }
            });
            if matches!(inst.op, Op::Copy | Op::ParallelCopy) || (vanished && is_recipe(&inst)) {
                // A copy may be all there is in a block.
                continue;
            }
            if inst.op == Op::Keep {
                inst = MInst::new(Op::Nop, Size::B).with_bits(inst.bits & bits::FLAGS_LIVE);
            }
            fold_spilled(mf, &mut inst);
            mf.insts.push(inst);
            mf.locs.push(loc);
            mf.writes.push(writes);
        }
        mf.blocks[number].start = new_start;
        mf.blocks[number].end = mf.insts.len() as u32;
    }
    records.sort_by_key(|record| record.at);
    mf.debug_values = records;
    let edge_blocks = edge_blocks(mf, problem, result);
    mf.order = final_order(mf, &edge_blocks, size);
    phi_moves
}

fn register_moves(op: &MoveOp) -> u64 {
    match op {
        MoveOp::Move { from, to, .. } => u64::from(from.as_reg().is_some() && to.as_reg().is_some()),
        MoveOp::Swap { .. } => 2,
        MoveOp::Rematerialize { .. } => 0,
    }
}

fn is_recipe(inst: &MInst) -> bool {
    matches!(inst.op, Op::Mov | Op::MovAbs | Op::Lea | Op::Address | Op::XmmZero | Op::XmmOnes | Op::XmmUn | Op::Vex)
}

/// Turns a source that stayed in its spill slot into a memory operand.
fn fold_spilled(mf: &mut MachineFunction, inst: &mut MInst) {
    if operands::has_list(inst.op) {
        return;
    }
    if inst.is_compare_alone()
        && let Some(slot) = inst.src1.spill_slot()
    {
        // `test r, r` is a comparison with zero.
        inst.op = if inst.op == Op::Test && inst.src2.is_none() { Op::TestM } else { Op::CmpM };
        (inst.src1, inst.src2) = (VReg::NONE, VReg::NONE);
        inst.mem = mf.new_mem(slot_amode(slot));
        return;
    }
    if let Some(slot) = inst.src2.spill_slot() {
        debug_assert!(!inst.mem.is_some(), "two memory operands: {inst:?}");
        inst.src2 = VReg::NONE;
        inst.mem = mf.new_mem(Amode { base: Base::Spill(slot), ..Amode::EMPTY });
    } else if inst.op == Op::ShiftX
        && let Some(slot) = inst.src1.spill_slot()
    {
        inst.src1 = VReg::NONE;
        inst.mem = mf.new_mem(Amode { base: Base::Spill(slot), ..Amode::EMPTY });
    }
    if inst.op == Op::Test && inst.mem.is_some() {
        // `test mem, reg` has the register as its only register operand.
        inst.op = Op::TestM;
        inst.src2 = inst.src1;
        inst.src1 = VReg::NONE;
    }
}

/// What an inserted operation writes.
fn writes_of(op: &MoveOp) -> Writes {
    let mut writes = Writes::default();
    match *op {
        MoveOp::Move { to, .. } => writes.define(place(to)),
        MoveOp::Swap { a, b } => writes.regs = 1 << a.0 | 1 << b.0,
        MoveOp::Rematerialize { to, .. } => writes.regs = 1 << to.0,
    }
    writes
}

/// Where a virtual register is before an instruction and the moves inserted there, or, if it is
/// nowhere then, after those, which is said. The block begins at `block`, with moves of the edges
/// to it; `moves` are what those at the instruction write.
fn located(result: &regalloc::Allocations, held: Held, at: usize, block: usize, moves: &[Writes]) -> (Held, bool) {
    let Held::Register(reg) = held else { return (held, false) };
    let vreg = regalloc::VReg::new(reg.index());
    let (first, at) = (at == block, regalloc::InstIndex::new(at));
    let next = result.locations.partition_point(|l| (l.vreg, l.from) <= (vreg, at));
    let known = |index: usize| result.locations.get(index).filter(|l| l.vreg == vreg);
    let last = next.checked_sub(1).and_then(known);
    let current = last.filter(|l| at < l.to);
    // Where it was until the moves.
    let before = if current.is_some_and(|l| l.from == at) { next.checked_sub(2).and_then(known) } else { last };
    let before = before.filter(|l| l.to >= at);
    let lasting = before.filter(|l| !first && (at < l.to || l.lasts) && place(l.place).is_some());
    // What an instruction leaves in a register of its own is moved from there.
    let arrives = |l: &&regalloc::VRegLocation| match (place(l.place), place(l.place).spill_slot()) {
        (_, Some(slot)) => moves.iter().any(|m| m.slot == slot + 1),
        (reg, None) => reg.is_some() && moves.iter().any(|m| m.regs & 1 << reg.0 != 0),
    };
    let moved = (!first && before.is_some()) || current.as_ref().is_some_and(arrives);
    let found = lasting.map(|l| (l, false)).or(current.map(|l| (l, moved)));
    let Some((found, moved)) = found else { return (Held::Unknown, false) };
    let place = place(found.place);
    match place.spill_slot() {
        Some(slot) => (Held::Slot(slot), moved),
        None if place.is_some() => (Held::Register(place), moved),
        None => (Held::Unknown, true),
    }
}

/// The register that one of these moves takes a value from, if none before it has changed it.
fn moved_from(held: Held, inserted: &[MInst], moves: &[Writes]) -> Option<VReg> {
    let Held::Register(place) = held else { return None };
    let is_move = |inst: &MInst| matches!(inst.op, Op::Mov | Op::XmmUn) && inst.dst == place && !inst.mem.is_some();
    let at = inserted.iter().position(is_move)?;
    let source = inserted[at].src2;
    let intact = !moves.get(..at)?.iter().any(|m| m.regs & 1 << source.0 != 0);
    (source.is_some() && intact).then_some(source)
}

fn slot_amode(slot: u32) -> Amode {
    Amode { base: Base::Spill(slot), ..Amode::EMPTY }
}

/// Appends the instruction(s) of an inserted operation.
fn push_move(mf: &mut MachineFunction, problem: &Problem, op: &MoveOp, flags_live: bool) {
    let mut bits = bits::EDIT;
    if flags_live {
        bits |= bits::FLAGS_LIVE;
    }
    let inst = match *op {
        MoveOp::Move { from, to, bytes } => move_inst(mf, from, to, bytes),
        MoveOp::Swap { a, b } => {
            let mut inst = MInst::new(Op::Swap, Size::Q);
            inst.dst = VReg::physical(a);
            inst.src2 = VReg::physical(b);
            inst
        }
        MoveOp::Rematerialize { vreg, to } => {
            let recipe = problem.vregs[vreg.index()].remat_recipe().expect("a recipe");
            let mut inst = mf.remats[recipe as usize];
            inst.dst = VReg::physical(to);
            if inst.mem.is_some() {
                let amode = *mf.amode(inst.mem);
                inst.mem = mf.new_mem(amode);
            }
            inst
        }
    };
    mf.insts.push(inst.with_bits(bits));
}

fn move_inst(mf: &mut MachineFunction, from: Allocation, to: Allocation, bytes: u8) -> MInst {
    let wide = if bytes > 16 { bits::WIDE } else { 0 };
    let size = if bytes <= 4 { Size::D } else { Size::Q };
    let (load, store) = match bytes {
        0..=8 => (Sse::Movsd, Sse::MovsdStore),
        9..=16 => (Sse::Movaps, Sse::MovapsStore),
        _ => (Sse::Movups, Sse::MovupsStore),
    };
    let (reg, slot, inst) = match (from.as_reg(), to.as_reg(), from.as_slot(), to.as_slot()) {
        (Some(from), Some(to), ..) => return register_move(from, to, size).with_bits(wide),
        (Some(reg), _, _, Some(slot)) if reg.is_gpr() => {
            (reg, slot, MInst::new(Op::Store, size).src2(VReg::physical(reg)))
        }
        (Some(reg), _, _, Some(slot)) => (reg, slot, MInst::xmm_store(store).src2(VReg::physical(reg))),
        (_, Some(reg), Some(slot), _) if reg.is_gpr() => {
            (reg, slot, MInst::new(Op::Mov, size).dst(VReg::physical(reg)))
        }
        (_, Some(reg), Some(slot), _) => (reg, slot, MInst::xmm_un(load).dst(VReg::physical(reg))),
        _ => base::bug!("memory to memory move from the allocator"),
    };
    let mem = mf.new_mem(slot_amode(slot));
    inst.mem(mem).with_bits(if reg.is_gpr() { 0 } else { wide })
}

fn register_move(from: Reg, to: Reg, size: Size) -> MInst {
    let (src, dst) = (VReg::physical(from), VReg::physical(to));
    match (from.is_gpr(), to.is_gpr()) {
        (true, true) => MInst::new(Op::Mov, size).dst(dst).src2(src),
        (false, false) => MInst::xmm_un(Sse::Movaps).dst(dst).src2(src),
        (true, false) => MInst::gpr_to_xmm(Sse::MovToXmm, Size::Q).dst(dst).src2(src),
        (false, true) => MInst::xmm_to_gpr(Sse::MovFromXmm, Size::Q).dst(dst).src2(src),
    }
}

/// Makes a block for every critical edge that got moves, and sends the edge through it:
/// (predecessor, block).
fn edge_blocks(mf: &mut MachineFunction, problem: &Problem, result: &regalloc::Allocations) -> Vec<(u32, u32)> {
    if result.edge_moves.is_empty() {
        return Vec::new();
    }
    // Block numbers stay as they are while edges are redirected; the order is mended at the end.
    let mut after: Vec<(u32, u32)> = Vec::new();
    for group in result.edge_moves.chunk_by(|a, b| a.pred == b.pred && a.succ == b.succ) {
        let (pred, succ) = (group[0].pred.index() as u32, group[0].succ.index() as u32);
        let start = mf.insts.len() as u32;
        for edge in group {
            push_move(mf, problem, &edge.op, false);
            mf.writes.push(writes_of(&edge.op));
        }
        after.push((pred, edge_block(mf, pred, succ, start)));
    }
    after
}

/// A block on an edge: the instructions from `start` on and a jump. Gives its number.
pub fn edge_block(mf: &mut MachineFunction, pred: u32, succ: u32, start: u32) -> u32 {
    mf.insts.push(MInst::jmp(succ));
    if !mf.writes.is_empty() {
        mf.writes.push(Writes::default());
    }
    let (a, b) = (&mf.blocks[pred as usize], &mf.blocks[succ as usize]);
    mf.locs.resize(mf.insts.len(), mf.locs[a.end as usize - 1]);
    let block = MBlock {
        start,
        end: mf.insts.len() as u32,
        succs: smallvec::smallvec![succ],
        preds: smallvec::smallvec![pred],
        frequency: a.frequency.min(b.frequency) / 2.0,
        loop_depth: a.loop_depth.min(b.loop_depth),
        ..MBlock::default()
    };
    let number = mf.blocks.len() as u32;
    mf.blocks.push(block);
    redirect(mf, pred, succ, number);
    number
}

/// Layout order with the blocks made for edges put in.
/// Where `size` is what counts, none is far from the branch to it.
fn final_order(mf: &mut MachineFunction, edge_blocks: &[(u32, u32)], size: bool) -> Vec<u32> {
    let original = mf.blocks.len() - edge_blocks.len();
    if edge_blocks.is_empty() {
        return (0..original as u32).collect();
    }
    let mut before: Vec<Option<u32>> = vec![None; original];
    let mut after: Vec<Vec<u32>> = vec![Vec::new(); original];
    let mut tail = Vec::new();
    for &(pred, block) in edge_blocks {
        let succ = mf.blocks[block as usize].succs[0];
        if before[succ as usize].is_none() && saves_jumps_in_front(mf, pred, succ) {
            before[succ as usize] = Some(block);
            // The loop starts here now.
            let is_header = std::mem::take(&mut mf.blocks[succ as usize].loop_header);
            mf.blocks[block as usize].loop_header = is_header;
        } else if size || succ == pred + 1 || succ <= pred {
            // The way that fell through goes on doing so, and back edges stay in their loop.
            after[pred as usize].push(block);
        } else {
            tail.push(block);
        }
    }
    let mut order = Vec::with_capacity(mf.blocks.len());
    for block in 0..original as u32 {
        order.extend(before[block as usize]);
        order.push(block);
        order.extend_from_slice(&after[block as usize]);
    }
    order.extend(tail);
    order
}

/// Whether the block of the back edge from `pred` to `succ` is better before `succ`: each iteration
/// saves a jump, where control falls out of the loop after `pred`; what fell into `succ` has to
/// jump over the block.
fn saves_jumps_in_front(mf: &MachineFunction, pred: u32, succ: u32) -> bool {
    let block = &mf.blocks[pred as usize];
    if succ > pred || block.succs.len() != 2 || !block.succs.contains(&(pred + 1)) {
        return false;
    }
    let above = succ.checked_sub(1).map(|above| &mf.blocks[above as usize]);
    above.is_none_or(|above| !above.succs.contains(&succ) || 2.0 * above.frequency <= block.frequency)
}

/// Sends the edge from `pred` to `succ` to `to` instead.
fn redirect(mf: &mut MachineFunction, pred: u32, succ: u32, to: u32) {
    let last = mf.blocks[pred as usize].end as usize - 1;
    let inst = &mut mf.insts[last];
    let swap = |target: &mut u32| {
        if *target == succ {
            *target = to;
        }
    };
    match inst.op {
        Op::Jmp | Op::Jcc | Op::Fork => inst.map_targets(|target| if target == succ { to } else { target }),
        Op::JmpInd => {
            let list = inst.index();
            mf.jump_targets[list].iter_mut().for_each(swap);
            match mf.list_tables[list] {
                Some(table) => mf.jump_tables[table as usize].targets.iter_mut().for_each(swap),
                None => base::bug!("moves on the edge of a computed jump"),
            }
        }
        Op::AsmGoto => {
            let site = &mut mf.asms[inst.index()];
            site.labels.iter_mut().chain(&mut site.fallthrough).for_each(swap);
        }
        other => base::bug!("moves on an edge out of {other:?}"),
    }
    for s in &mut mf.blocks[pred as usize].succs {
        swap(s);
    }
    for p in &mut mf.blocks[succ as usize].preds {
        if *p == pred {
            *p = to;
        }
    }
}
