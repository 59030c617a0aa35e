//! Follows the places of variables through machine code.
//!
//! For each variable (or part of one) the analysis knows a set of registers, a spill slot and a
//! constant that all hold it. A record sets it; a move, spill or reload adds to it; any other write
//! takes away; where ways meet, what all of them know is left. Descending, so it ends. A block
//! knows only of the variables that have a place in it, and those of an inlined function are
//! followed only through blocks that have code of its copy. What the places hold may be a value of
//! which the variable is a linear function; adding a constant to the only register that holds it
//! changes that function.

use ir::{Extend, Fragment, Function, Linear};
use object::{Alu, Size, SymbolRef, encode::Sse};
use platform::registers::{R11, Reg};
use rustc_hash::FxHashMap;

use super::state::{Found, Known, Set, Spot, State, forget, homes_of, meet};
use crate::machine::{
    Amode, ArrivalPlace, Base, CALLER_SAVED, Held, MInst, MachineFunction, MachineRecord, Op, Place, VReg, bits,
};

/// Places that are looked at where blocks begin; functions beyond lose their records.
const MAX_WORK: usize = 8_000_000;
/// Instructions of a block between others (moves on an edge, what was taken out of a loop, a jump)
/// that variables of inlined functions pass whatever it belongs to.
const BETWEEN: u32 = 8;

/// The variable and bytes that a number stands for.
pub type Key = (u32, Option<Fragment>);

/// Something changes before an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The instruction.
    pub at: u32,
    /// Which variable.
    pub key: u32,
    /// Where it is from there on.
    pub found: Found,
    /// The call before made it so: it is true while the callee runs.
    pub by_call: bool,
}

/// The result.
#[derive(Default)]
pub struct Places {
    /// The variables.
    pub keys: Vec<Key>,
    /// By block: where those are at its start that are anywhere, by ascending number.
    pub starts: Vec<Vec<(u32, Found)>>,
    /// By block: changes in it, in order.
    pub changes: Vec<Vec<Change>>,
}

/// Registers as bits, and a slot plus one.
type Bits = (u32, u32);

/// Source and destination, and how many low bytes of the one become those of the other.
type Copied = (Bits, Bits, u8);
/// All bytes.
const WHOLE: u8 = 16;

/// Which blocks have code of which copy of an inlined function.
struct Copies {
    /// The site of each variable plus one.
    of_key: Vec<u32>,
    /// By block: sites plus one, ascending.
    in_block: Vec<Vec<u32>>,
}

impl Copies {
    fn new(func: &Function, mf: &MachineFunction, keys: &[Key]) -> Copies {
        let debug = func.debug.as_ref();
        let site = |variable: u32| {
            let owner = debug.and_then(|d| mf.parts.get((variable as usize).checked_sub(d.variables.len())?));
            let variable = *owner.unwrap_or(&variable);
            let variable = debug.and_then(|debug| debug.variables.get(variable as usize));
            variable.and_then(|variable| variable.inlined).map_or(0, |inlined| inlined.site + 1)
        };
        let of_key: Vec<u32> = keys.iter().map(|key| site(key.0)).collect();
        let mut in_block: Vec<Vec<u32>> = vec![Vec::new(); mf.blocks.len()];
        if of_key.iter().all(|&site| site == 0) {
            return Copies { of_key, in_block };
        }
        for (sites, block) in in_block.iter_mut().zip(&mf.blocks) {
            let mut last = None;
            for &loc in &mf.locs[block.start as usize..block.end as usize] {
                let mut at = func.position(loc).1;
                if std::mem::replace(&mut last, at) == at {
                    continue;
                }
                while let (Some(site), Some(debug)) = (at, debug) {
                    sites.push(site + 1);
                    at = debug.sites.get(site as usize).and_then(|site| site.parent);
                }
            }
            sites.sort_unstable();
            sites.dedup();
        }
        Copies { of_key, in_block }
    }

    /// Whether a variable is followed into a block.
    fn follow(&self, mf: &MachineFunction, key: u32, block: u32) -> bool {
        let site = self.of_key[key as usize];
        let data = &mf.blocks[block as usize];
        site == 0 || data.end - data.start <= BETWEEN || self.in_block[block as usize].binary_search(&site).is_ok()
    }
}

struct Flow<'a> {
    func: &'a Function,
    mf: &'a MachineFunction,
    copies: Copies,
    records: Vec<MachineRecord>,
    numbers: FxHashMap<Key, usize>,
    overlaps: Vec<Vec<usize>>,
    /// Registers cleared before instructions, sorted.
    zeroed: Vec<(u32, u32)>,
    /// By index of a parameter plus one: what is known of it for good.
    homes: Vec<Spot>,
}

/// The places of all variables that have records.
pub fn places(func: &Function, mf: &MachineFunction) -> Places {
    let mut records = mf.debug_values.clone();
    records.sort_by_key(|r| r.at);
    let mut keys: Vec<Key> = Vec::new();
    let mut numbers: FxHashMap<Key, usize> = FxHashMap::default();
    for record in &records {
        let key = (record.variable, record.fragment);
        numbers.entry(key).or_insert_with(|| {
            keys.push(key);
            keys.len() - 1
        });
    }
    for arrival in &mf.arrivals {
        let key = (arrival.variable, arrival.fragment);
        numbers.entry(key).or_insert_with(|| {
            keys.push(key);
            keys.len() - 1
        });
    }
    if keys.is_empty() {
        return Places::default();
    }
    let mut zeroed: Vec<(u32, u32)> = mf.zero_before.iter().map(|z| (z.0, z.1.0)).collect();
    zeroed.sort_unstable();
    let copies = Copies::new(func, mf, &keys);
    let flow = Flow { func, mf, copies, records, numbers, overlaps: overlaps(&keys), zeroed, homes: homes(mf) };
    let mut state = State::new(keys.len());
    let Some(starts) = flow.solve(&mut state) else { return Places::default() };
    let mut spots = vec![Found::NOWHERE; keys.len()];
    let mut result = Places { keys, ..Places::default() };
    for (block, start) in starts.into_iter().enumerate() {
        let mut changes = Vec::new();
        let known = start.iter().flatten().map(|(key, set)| (*key, set.found(&flow.homes)));
        result.starts.push(known.filter(|known| known.1 != Found::NOWHERE).collect());
        if let Some(start) = start {
            state.load(&start);
            start.iter().for_each(|(key, set)| spots[*key as usize] = set.found(&flow.homes));
            flow.through(block, &mut state, Some((&mut spots, &mut changes)));
            state.active.iter().for_each(|&key| spots[key as usize] = Found::NOWHERE);
        }
        result.changes.push(changes);
    }
    result
}

/// What is known of each parameter for good, by index plus one: where it came on the stack, unless
/// the code writes there (arguments of a tail call), or that it is what a register held at entry.
fn homes(mf: &MachineFunction) -> Vec<Spot> {
    let last = mf.arrivals.iter().map(|a| usize::from(a.incoming)).max().unwrap_or(0);
    let mut homes = vec![Spot::Nowhere; last + 1];
    for arrival in mf.arrivals.iter().filter(|a| a.incoming != 0) {
        homes[usize::from(arrival.incoming)] = match arrival.place {
            ArrivalPlace::Register(reg) if !reg.is_xmm() => Spot::Entry(reg),
            ArrivalPlace::Stack(offset) if !overwritten(mf, offset) => Spot::Incoming(offset),
            _ => Spot::Nowhere,
        };
    }
    homes
}

/// Whether an instruction may write the stack argument at an offset.
fn overwritten(mf: &MachineFunction, offset: i32) -> bool {
    mf.insts.iter().any(|inst| {
        let reads = matches!(inst.op, Op::Mov | Op::MovZx | Op::MovSx | Op::Lea | Op::XmmUn | Op::Xmm | Op::X87M)
            || inst.dst.is_some();
        let mem = if inst.mem.is_some() { *mf.amode(inst.mem) } else { return false };
        !reads && mem.base == Base::Incoming && (offset - 31..offset + 16).contains(&mem.disp)
    })
}

fn overlaps(keys: &[Key]) -> Vec<Vec<usize>> {
    let mut of_variable: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (index, key) in keys.iter().enumerate() {
        of_variable.entry(key.0).or_default().push(index);
    }
    let meet = |a: Option<Fragment>, b: Option<Fragment>| match (a, b) {
        (Some(a), Some(b)) => a.offset < b.offset + b.size && b.offset < a.offset + a.size,
        _ => true,
    };
    let others = |(index, key): (usize, &Key)| {
        of_variable[&key.0].iter().copied().filter(|&o| o != index && meet(keys[o].1, key.1)).collect()
    };
    keys.iter().enumerate().map(others).collect()
}

impl Flow<'_> {
    /// What is known at the start of each block that is reached; `None` if that is too much work.
    fn solve(&self, state: &mut State) -> Option<Vec<Option<Known>>> {
        let mf = self.mf;
        let mut starts: Vec<Option<Known>> = vec![None; mf.blocks.len()];
        starts[0] = Some(self.at_entry(state));
        let mut dirty = vec![false; mf.blocks.len()];
        dirty[0] = true;
        let mut work = 0;
        loop {
            let mut any = false;
            for &block in &mf.order {
                if !std::mem::replace(&mut dirty[block as usize], false) {
                    continue;
                }
                any = true;
                let start = starts[block as usize].as_ref()?;
                work += start.len();
                if work > MAX_WORK {
                    return None;
                }
                state.load(start);
                self.through(block as usize, state, None);
                let end = state.known();
                mf.for_each_successor(block, |succ| match &mut starts[succ as usize] {
                    Some(known) => dirty[succ as usize] |= meet(known, &end),
                    unknown => {
                        let followed = end.iter().filter(|(key, _)| self.copies.follow(mf, *key, succ));
                        *unknown = Some(followed.copied().collect());
                        dirty[succ as usize] = true;
                    }
                });
            }
            if !any {
                return Some(starts);
            }
        }
    }

    /// Before the prologue.
    fn at_entry(&self, state: &mut State) -> Known {
        state.load(&[]);
        for arrival in &self.mf.arrivals {
            let key = self.numbers[&(arrival.variable, arrival.fragment)] as u32;
            let (incoming, bytes, linear) = (arrival.incoming, arrival.bytes, arrival.linear);
            let set = Set { incoming, bytes, linear, ..state.sets[key as usize] };
            match arrival.place {
                ArrivalPlace::Constant(value) => state.put(key, Set { constant: Some(value), ..set }),
                ArrivalPlace::Register(reg) => state.put(key, Set { regs: 1 << reg.0, ..set }),
                ArrivalPlace::Stack(_) => state.put(key, set),
            }
        }
        state.known()
    }

    /// From the state at the start of a block to that at its end; the changes get what happens in
    /// it, in terms of the places that are kept beside them.
    fn through(&self, block: usize, state: &mut State, mut changes: Option<(&mut Vec<Found>, &mut Vec<Change>)>) {
        let mf = self.mf;
        let (start, end) = (mf.blocks[block].start, mf.blocks[block].end);
        let mut record = self.records.partition_point(|r| r.at < start);
        let mut zeroed = self.zeroed.partition_point(|z| z.0 < start);
        for at in start..end {
            let inst = &mf.insts[at as usize];
            while let Some(r) = self.records.get(record).filter(|r| r.at <= at) {
                record += 1;
                self.set(state, r);
            }
            if leaves(inst) {
                // The epilogue restores registers and gives the frame back.
                let kept = CALLER_SAVED & !(1 << R11.0);
                let all = state.active.clone();
                state.change(&all, |set| {
                    set.lose(!kept);
                    set.slot = 0;
                });
            }
            self.note(state, &mut changes, at, false);
            while let Some(&(_, reg)) = self.zeroed.get(zeroed).filter(|z| z.0 <= at) {
                zeroed += 1;
                forget(state, 1 << reg, 0);
            }
            // What defines the incoming values changes nothing.
            if inst.op != Op::Nop && inst.op != Op::Args {
                if !state.from_memory.is_empty() {
                    self.write(state, inst);
                }
                self.step(state, inst, at as usize);
                let call = matches!(inst.op, Op::Call | Op::TlsGeneral | Op::TlsModule);
                if call && at + 1 < end {
                    self.note(state, &mut changes, at + 1, true);
                }
            }
        }
    }

    /// What is elsewhere than the places kept beside the changes say.
    fn note(
        &self,
        state: &mut State,
        changes: &mut Option<(&mut Vec<Found>, &mut Vec<Change>)>,
        at: u32,
        by_call: bool,
    ) {
        let changed = state.changed.drain(..);
        let Some((spots, changes)) = changes else { return };
        for key in changed {
            let now = state.sets[key as usize].found(&self.homes);
            if now != std::mem::replace(&mut spots[key as usize], now) {
                changes.push(Change { at, key, found: now, by_call });
            }
        }
    }

    fn set(&self, state: &mut State, record: &MachineRecord) {
        let key = self.numbers[&(record.variable, record.fragment)];
        self.overlaps[key].iter().for_each(|&other| state.put(other as u32, Set::default()));
        let before = state.sets[key];
        let (linear, bytes) = (record.linear, record.bytes);
        let mut now = Set { incoming: record.incoming, linear, bytes, computed: record.computed, ..Set::default() };
        match record.held {
            Held::Constant(value) => now.constant = Some(value),
            Held::Register(reg) if !reg.is_virtual() => now.regs = 1 << reg.0,
            Held::Slot(slot) => now.slot = slot + 1,
            _ => {}
        }
        // A set is of places with equal contents: one that is in both makes them equal.
        let same = now.regs & before.regs != 0
            || (now.slot != 0 && now.slot == before.slot)
            || (now.incoming != 0 && now.incoming == before.incoming);
        if same && now.constant == before.constant && now.linear == before.linear {
            now.regs |= before.regs;
            now.slot = if now.slot != 0 { now.slot } else { before.slot };
            now.incoming = now.incoming.max(before.incoming);
        }
        state.put(key as u32, now);
    }

    /// What is computed from memory that an instruction may write is not any more.
    fn write(&self, state: &mut State, inst: &MInst) {
        let computed = &self.mf.computed;
        let Some(written) = written_memory(self.func, self.mf, inst) else { return };
        let apart = |read: &Option<ir::SymbolId>| read.is_some_and(|s| written.is_some_and(|w| w != s.as_u32()));
        let stays = |set: &Set| set.computed == 0 || computed[set.computed as usize - 1].reads.iter().all(apart);
        let mut keys = std::mem::take(&mut state.from_memory);
        keys.sort_unstable();
        keys.dedup();
        state.change(&keys, |set| set.computed = if stays(set) { set.computed } else { 0 });
        state.from_memory.extend(keys.into_iter().filter(|&key| state.sets[key as usize].computed != 0));
    }

    fn step(&self, state: &mut State, inst: &MInst, at: usize) {
        let writes = self.mf.writes[at];
        if inst.op == Op::Swap {
            let (a, b) = (1 << inst.dst.0, 1 << inst.src2.0);
            let keys = state.held(a | b, 0);
            return state.change(&keys, |set| {
                set.sum = set.sum.filter(|_| set.sum_register() & (a | b) == 0);
                if (set.regs & a == 0) != (set.regs & b == 0) {
                    set.regs ^= a | b;
                }
            });
        }
        if let Some((from, to, bytes)) = self.copied(inst) {
            let fits = |set: &Set| bytes == WHOLE || (1..=bytes).contains(&set.bytes);
            let there = |set: &Set| set.regs & from.0 != 0 || (from.1 != 0 && set.slot == from.1);
            let keys = state.held(from.0 | to.0, from.1.max(to.1));
            return state.change(&keys, |set| {
                let holds = there(set) && fits(set);
                set.lose(to.0);
                if holds {
                    set.regs |= to.0;
                    set.slot = if to.1 != 0 { to.1 } else { set.slot };
                } else {
                    set.slot = if to.1 != 0 && set.slot == to.1 { 0 } else { set.slot };
                }
            });
        }
        match (increment(inst), self.sum(inst)) {
            (Some((reg, offset)), _) => {
                let keys = state.held(1 << reg.0, 0);
                state.change(&keys, |set| self.shift(set, reg, offset, inst.size));
            }
            (_, Some((from, number))) => {
                let (to, bytes) = (inst.dst.reg(), (inst.size.bits() / 8) as u8);
                let keys = state.held(1 << from.0 | 1 << to.0, 0);
                state.change(&keys, |set| set.add(from, to, number, bytes));
            }
            _ => forget(state, writes.regs, writes.slot),
        }
    }

    /// A number is added to a register. What was a function of the register's value alone goes on
    /// being one.
    fn shift(&self, set: &mut Set, reg: Reg, offset: i64, size: Size) {
        let bit = 1 << reg.0;
        if set.sum_register() == bit {
            let fits = size == Size::Q || set.bytes <= 4;
            let left = set.sum.and_then(|(_, sum)| i64::from(sum).checked_sub(offset));
            set.sum = left.filter(|_| fits).and_then(|sum| Some((reg.0, i32::try_from(sum).ok()?)));
        }
        if set.regs & bit == 0 {
            return;
        }
        let lasts = matches!(homes_of(&self.homes, set.incoming), Spot::Incoming(_));
        let whole = size == Size::Q || set.bytes <= 4;
        let free = set.linear.extend == Extend::Any && (1..=8).contains(&set.bytes);
        let other = set.regs != bit || set.slot != 0 || set.constant.is_some() || lasts;
        match set.linear.after(Linear::sum(offset.wrapping_neg())) {
            Some(linear) if whole && free && !other => {
                *set = Set { regs: bit, linear, bytes: set.bytes, computed: set.computed, ..Set::default() }
            }
            _ => {
                set.regs &= !bit;
                if set.sum.is_none() && whole && (1..=8).contains(&set.bytes) {
                    set.sum = i32::try_from(offset.wrapping_neg()).ok().map(|sum| (reg.0, sum));
                }
            }
        }
    }

    /// The register to which an address adds a number, and the number.
    fn sum(&self, inst: &MInst) -> Option<(Reg, i32)> {
        if inst.op != Op::Lea || !matches!(inst.size, Size::Q | Size::D) || inst.dst.spill_slot().is_some() {
            return None;
        }
        sum_of(self.mf.amode(inst.mem))
    }

    /// What an instruction copies between registers and spill slots.
    fn copied(&self, inst: &MInst) -> Option<Copied> {
        let slot = || match self.mf.amode(inst.mem).base {
            Base::Spill(slot) => Some((0, slot + 1)),
            _ => None,
        };
        let edit = inst.bits & bits::EDIT != 0;
        let (from_register, to_register) = (inst.src2.is_some() && !inst.mem.is_some(), || (1 << inst.dst.0, 0));
        let narrow = |size: Size| (size.bits() / 8) as u8;
        match inst.op {
            Op::Mov if from_register && (edit || matches!(inst.size, Size::Q | Size::D)) => {
                let reg = inst.src2.spill_slot().is_none().then_some(1 << inst.src2.0)?;
                let bytes = if edit || inst.size == Size::Q { WHOLE } else { narrow(inst.size) };
                Some(((reg, 0), to_register(), bytes))
            }
            Op::MovZx | Op::MovSx if from_register => {
                let reg = inst.src2.spill_slot().is_none().then_some(1 << inst.src2.0)?;
                Some(((reg, 0), to_register(), narrow(inst.from_size())))
            }
            Op::Mov if edit && inst.mem.is_some() => Some((slot()?, to_register(), WHOLE)),
            Op::Store if edit && inst.src2.is_some() => Some(((1 << inst.src2.0, 0), slot()?, WHOLE)),
            Op::XmmUn if edit && inst.mem.is_some() => Some((slot()?, to_register(), WHOLE)),
            Op::XmmUn if edit && inst.src2.is_some() && inst.sse_op() == Sse::Movaps => {
                Some(((1 << inst.src2.0, 0), to_register(), WHOLE))
            }
            Op::XmmStore if edit && inst.src2.is_some() => Some(((1 << inst.src2.0, 0), slot()?, WHOLE)),
            _ => None,
        }
    }
}

/// A general register to which an instruction adds a number, and the number.
pub fn increment(inst: &MInst) -> Option<(Reg, i64)> {
    let whole = inst.size == Size::Q || inst.size == Size::D;
    let in_place = inst.dst.is_some() && inst.dst == inst.src1 && inst.src2 == VReg::NONE && !inst.mem.is_some();
    let placed = inst.dst.spill_slot().is_none() && !inst.dst.is_virtual();
    if inst.op != Op::Alu || !whole || !in_place || !placed {
        return None;
    }
    match inst.alu_op() {
        Alu::Add => Some((inst.dst.reg(), inst.immediate().into())),
        Alu::Sub => Some((inst.dst.reg(), -i64::from(inst.immediate()))),
        _ => None,
    }
}

/// Whether an instruction may write other memory than spill slots; the symbol, if it writes that of
/// one.
fn written_memory(func: &Function, mf: &MachineFunction, inst: &MInst) -> Option<Option<u32>> {
    use Op::*;
    match inst.op {
        Nop | Copy | Swap | Mov | MovAbs | MovZx | MovSx | Lea | Address | LoadSwapped | Alu | Cmp | CmpM | Test
        | TestM | Unary | Imul | ImulImm | MulWide | Div | Shift | ShiftX | RorX | BitTest | Setcc | SetccZx
        | CarryMask | Cmov | Scan | Bswap | Xmm | XmmUn | XmmCmp | XmmZero | XmmOnes | GprToXmm | XmmToGpr | Jmp
        | Jcc | JmpInd | Ret | Args => None,
        Asm if func.asms[mf.asms[inst.index()].asm].is_idle() => None,
        Store | AluM | UnaryM | XmmStore if inst.mem.is_some() => match *mf.amode(inst.mem) {
            Amode { base: Base::Spill(_), .. } => None,
            Amode { base: Base::None, place: Place::Rip(symbol), .. } => Some(SymbolRef(symbol).module_index()),
            _ => Some(None),
        },
        _ => Some(None),
    }
}

fn leaves(inst: &MInst) -> bool {
    matches!(inst.op, Op::Ret | Op::TailCall)
}

/// The register and the number of which an address is the sum.
pub fn sum_of(amode: &Amode) -> Option<(Reg, i32)> {
    match (amode.place, amode.base, amode.index.is_some()) {
        (Place::None, Base::Reg(base), false) => Some((base.reg(), amode.disp)),
        _ => None,
    }
}
