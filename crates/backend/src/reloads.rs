//! Spill code and copies that the allocator's local view leaves over: reloads of what a register
//! still holds, copies of what is there already, and stores to slots that are written again, or
//! never read.
//!
//! The allocator gives each piece of a split value its own reloads, or reads it from its slot; that
//! an earlier piece's register is still untouched is known only here. Forward over the blocks in
//! layout order: which registers hold the same as which spill slots and other registers, joined
//! where all predecessors have been seen (at a loop's header nothing is known). Then backward
//! through each block for stores that another one follows before any read. A spill slot is named by
//! spill code and folded operands alone, so every reader is seen. What is only loaded, changed and
//! stored again is changed in its slot ([`in_place`]).
//!
//! Linear in the instructions; nothing is done where control may come back to a call that has
//! returned: registers are older than slots then.

mod in_place;

use object::{Size, encode::Sse};
use platform::registers::{RSP, RegSet};
use smallvec::SmallVec;

use crate::machine::{Base, Held, MInst, MachineFunction, MemId, Op, VReg, bits, operands};
use crate::peephole::is_register_move;

/// A register that holds what is in a spill slot, or in another register: a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pair {
    reg: VReg,
    /// The slot, or [`COPY`] plus the register's number (plus [`WHOLE`]: all of its 64 bits).
    slot: u32,
}

const COPY: u32 = 1 << 31;
const WHOLE: u32 = 1 << 30;

impl Pair {
    fn copy(reg: VReg, from: VReg, whole: bool) -> Pair {
        Pair { reg, slot: COPY | if whole { WHOLE } else { 0 } | from.0 }
    }

    /// Whether it is true no longer when these registers are written.
    fn is_changed(&self, regs: u32) -> bool {
        let from = if self.slot & COPY != 0 { 1 << (self.slot & !(COPY | WHOLE)) } else { 0 };
        regs & (1 << self.reg.0 | from) != 0
    }
}

/// What is known at a point.
type Known = SmallVec<[Pair; 8]>;

/// Spill code of one instruction.
#[derive(Clone, Copy)]
enum Spill {
    /// From the slot to the register.
    Reload(Pair),
    /// From the register to the slot.
    Store(Pair),
}

/// Works on a function of `slots` spill slots, with what each instruction writes. Gives the slots
/// that are still used. Registers that are `reserved` change in calls and assembly: what is copied
/// from them is not known.
pub fn run(mf: &mut MachineFunction, slots: usize, reserved: RegSet) -> Vec<bool> {
    let used =
        if mf.calls_setjmp || mf.saves_all || mf.eh_return { vec![true; slots] } else { improve(mf, slots, reserved) };
    if !mf.described {
        mf.writes.clear();
    }
    used
}

fn improve(mf: &mut MachineFunction, slots: usize, reserved: RegSet) -> Vec<bool> {
    forward(mf, reserved);
    if slots == 0 {
        return Vec::new();
    }
    in_place::run(mf);
    for number in 0..mf.blocks.len() {
        overwritten(mf, number);
    }
    let read = slots_read(mf, slots);
    for at in 0..mf.insts.len() {
        if let Some(Spill::Store(pair)) = spill(mf, &mf.insts[at])
            && !read[pair.slot as usize]
        {
            remove(mf, at);
        }
    }
    for record in &mut mf.debug_values {
        if matches!(record.held, Held::Slot(slot) if !read[slot as usize]) {
            record.held = Held::Unknown;
        }
    }
    read
}

/// The slot of a memory operand.
fn slot_of(mf: &MachineFunction, mem: MemId) -> Option<u32> {
    if !mem.is_some() {
        return None;
    }
    match mf.amode(mem).base {
        Base::Spill(slot) => Some(slot),
        _ => None,
    }
}

fn spill(mf: &MachineFunction, inst: &MInst) -> Option<Spill> {
    if inst.bits & bits::EDIT == 0 {
        return None;
    }
    let slot = slot_of(mf, inst.mem)?;
    match inst.op {
        Op::Mov => Some(Spill::Reload(Pair { reg: inst.dst, slot })),
        Op::XmmUn => Some(Spill::Reload(Pair { reg: inst.dst, slot })),
        Op::Store | Op::XmmStore => Some(Spill::Store(Pair { reg: inst.src2, slot })),
        _ => None,
    }
}

fn remove(mf: &mut MachineFunction, at: usize) {
    let live = mf.insts[at].bits & bits::FLAGS_LIVE;
    mf.insts[at] = MInst::new(Op::Nop, Size::B).with_bits(live);
    mf.writes[at] = Default::default();
}

/// Removes reloads, or makes them moves, and stores of what is in the slot already.
fn forward(mf: &mut MachineFunction, reserved: RegSet) {
    let mut ends: Vec<Option<Known>> = vec![None; mf.blocks.len()];
    let order = std::mem::take(&mut mf.order);
    for &number in &order {
        let mut known = at_start(mf, &ends, number as usize);
        for at in mf.blocks[number as usize].start as usize..mf.blocks[number as usize].end as usize {
            step(mf, &mut known, at, reserved);
        }
        ends[number as usize] = Some(known);
    }
    mf.order = order;
}

/// What all predecessors know.
fn at_start(mf: &MachineFunction, ends: &[Option<Known>], number: usize) -> Known {
    let block = &mf.blocks[number];
    if number == 0 || block.address_taken {
        return Known::new();
    }
    let mut ways = block.preds.iter().map(|&pred| ends[pred as usize].as_ref());
    let Some(Some(first)) = ways.next() else { return Known::new() };
    let mut known = first.clone();
    for way in ways {
        match way {
            Some(end) => known.retain(|pair| end.contains(pair)),
            None => known.clear(),
        }
    }
    known
}

fn step(mf: &mut MachineFunction, known: &mut Known, at: usize, reserved: RegSet) {
    let inst = mf.insts[at];
    match spill(mf, &inst) {
        Some(Spill::Reload(pair)) => {
            if known.contains(&pair) {
                return remove(mf, at);
            }
            let same_class = |p: &&Pair| p.slot == pair.slot && p.reg.reg().is_gpr() == pair.reg.reg().is_gpr();
            if let Some(other) = known.iter().find(same_class).copied() {
                mf.insts[at] = from_register(&inst, other.reg);
            }
            known.retain(|p| !p.is_changed(1 << pair.reg.0));
            known.push(pair);
        }
        Some(Spill::Store(pair)) => {
            if known.contains(&pair) {
                return remove(mf, at);
            }
            known.retain(|p| p.slot != pair.slot);
            known.push(pair);
        }
        None => {
            from_known_register(mf, known, at);
            let fixed = |reg: VReg| reg.reg() == RSP || reserved.contains(reg.reg());
            let copies = is_register_move(&inst) && !fixed(inst.dst) && !fixed(inst.src2);
            let same = |&p: &Pair| {
                let known = |whole| [Pair::copy(inst.dst, inst.src2, whole), Pair::copy(inst.src2, inst.dst, whole)];
                known(true).contains(&p) || inst.size < Size::Q && known(false).contains(&p)
            };
            if copies && known.iter().any(same) {
                return remove(mf, at);
            }
            let writes = mf.writes[at];
            if (writes.regs != 0 || writes.slot != 0) && !known.is_empty() {
                known.retain(|p| !p.is_changed(writes.regs) && writes.slot != p.slot + 1);
            }
            if copies {
                known.push(Pair::copy(inst.dst, inst.src2, inst.size == Size::Q));
            }
        }
    }
}

/// An operand that was left in its slot is read from a register that holds the same.
fn from_known_register(mf: &mut MachineFunction, known: &Known, at: usize) {
    let inst = &mf.insts[at];
    let gpr = matches!(inst.op, Op::Alu | Op::Imul | Op::ImulImm | Op::Cmp | Op::Mov | Op::MovZx | Op::MovSx);
    let xmm = matches!(inst.op, Op::Xmm | Op::XmmUn);
    if known.is_empty() || !(gpr || xmm) || !inst.src2.is_none() {
        return;
    }
    let Some(slot) = slot_of(mf, inst.mem) else { return };
    if let Some(pair) = known.iter().find(|pair| pair.slot == slot && pair.reg.reg().is_gpr() == gpr) {
        mf.insts[at].src2 = pair.reg;
        mf.insts[at].mem = MemId::NONE;
    }
}

/// A reload as a move from another register of its class.
fn from_register(reload: &MInst, from: VReg) -> MInst {
    let kept = reload.bits & (bits::EDIT | bits::FLAGS_LIVE | bits::WIDE);
    let inst = match reload.op {
        Op::Mov => MInst::new(Op::Mov, reload.size),
        _ => MInst::xmm_un(Sse::Movaps),
    };
    inst.dst(reload.dst).src2(from).with_bits(kept)
}

/// Removes the stores of a block after which the slot is written again before it is read.
fn overwritten(mf: &mut MachineFunction, number: usize) {
    // Slots that are written before they are read, and where.
    let mut written: SmallVec<[(u32, usize); 8]> = SmallVec::new();
    let (start, end) = (mf.blocks[number].start as usize, mf.blocks[number].end as usize);
    for at in (start..end).rev() {
        let inst = mf.insts[at];
        match spill(mf, &inst) {
            Some(Spill::Store(pair)) => match written.iter().find(|w| w.0 == pair.slot) {
                Some(&(_, by)) => {
                    remove(mf, at);
                    forget_slot(mf, pair.slot, at, by);
                }
                None => written.push((pair.slot, at)),
            },
            _ if written.is_empty() => {}
            _ => for_each_read(mf, &inst, |slot| written.retain(|w| w.0 != slot)),
        }
    }
}

/// Variables are no longer found in a slot after instruction `from` up to `to`.
fn forget_slot(mf: &mut MachineFunction, slot: u32, from: usize, to: usize) {
    let first = mf.debug_values.partition_point(|r| r.at as usize <= from);
    for record in mf.debug_values[first..].iter_mut().take_while(|r| r.at as usize <= to) {
        if record.held == Held::Slot(slot) {
            record.held = Held::Unknown;
        }
    }
}

/// The slots that an instruction which is no spill store reads: in its memory operand, as a list's
/// element.
fn for_each_read(mf: &MachineFunction, inst: &MInst, mut visit: impl FnMut(u32)) {
    slot_of(mf, inst.mem).into_iter().for_each(&mut visit);
    if operands::has_list(inst.op) {
        mf.lists[inst.list()].iter().filter_map(|o| o.vreg.spill_slot()).for_each(visit);
    }
}

fn slots_read(mf: &MachineFunction, slots: usize) -> Vec<bool> {
    let mut read = vec![false; slots];
    for inst in &mf.insts {
        if !matches!(spill(mf, inst), Some(Spill::Store(_))) {
            for_each_read(mf, inst, |slot| read[slot as usize] = true);
        }
    }
    read
}
