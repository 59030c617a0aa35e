//! The stack frame: where slots lie, which registers are saved, what the prologue does.
//!
//! From high to low addresses: stack arguments, return address, saved `rbp` (with a frame pointer),
//! other saved registers, local slots and spill slots, outgoing arguments. `rsp` does not move
//! between prologue and epilogue except by dynamic allocation.
//!
//! - Leaf functions of at most [`RED_ZONE`] bytes keep their slots below `rsp`.
//! - A frame pointer is used where `rsp` moves, where the frame must be aligned beyond what the
//!   function finds, and on request.
//! - Both together need a third register: `rbx` then points at the aligned slots.

use object::{StackKind, StackUse};
use platform::registers::{
    CALLEE_SAVED, EXCEPTION_DATA, MS_CALLEE_SAVED, R12, R13, R14, R15, RBP, RBX, RDI, RSI, RSP, Reg, RegSet,
};

use crate::{
    context::Context,
    machine::{Base, Class, MachineFunction},
};

/// Bytes below `rsp` that signal handlers leave alone (psABI 3.2.2).
pub const RED_ZONE: u64 = 128;
/// Alignment of `rsp` at calls.
const CALL_ALIGN: u64 = 16;

/// Bytes from `rsp` on that a displacement of one byte reaches.
const SHORT_DISPLACEMENTS: u64 = 128;

/// A finished frame.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// `rbp` is the frame pointer.
    pub frame_pointer: bool,
    /// `rbx` points at the slots.
    pub base_register: bool,
    /// Callee-saved registers to push, `rbp` as frame pointer not among them.
    pub saved: Vec<Reg>,
    /// How many of these, the last ones, an ordinary return leaves alone: only
    /// `__builtin_eh_return` brings them back.
    pub saved_for_handler: usize,
    /// Bytes subtracted from `rsp` after the pushes.
    pub size: u64,
    /// Bytes of slots and spill slots among these.
    pub locals: u64,
    /// Alignment that `rsp` is brought to, if it is more than what the function finds.
    pub realign: Option<u64>,
    /// Slots lie below `rsp`.
    pub red_zone: bool,
    /// Offset of each frame slot from the slots' base.
    pub slots: Vec<i64>,
    /// The same for the allocator's spill slots.
    pub spills: Vec<i64>,
    /// SSE registers to save (Microsoft x64 convention), and the offset of each one's 16 bytes.
    pub saved_xmms: Vec<(Reg, i64)>,
    /// Offset of the stack protector's copy of the guard.
    pub guard: Option<i64>,
}

/// Whether the frame needs `rbp` and, besides, `rbx`, as far as is known before allocation.
pub fn reserved_registers(mf: &MachineFunction) -> (bool, bool) {
    let mut align = mf.slots.iter().map(|s| u64::from(s.align)).max().unwrap_or(1);
    if mf.outgoing_size > 0 {
        align = align.max(u64::from(mf.outgoing_align));
    }
    align = align.max(moving_align(mf));
    // What the allocator may spill, and what the Microsoft convention keeps.
    if mf.ms_abi || mf.vregs.iter().any(|vreg| vreg.class == Class::Xmm) {
        align = align.max(CALL_ALIGN);
    }
    let over_aligned = align > mf.incoming_align || mf.interrupt;
    (mf.needs_frame_pointer || mf.has_dynamic_stack || over_aligned, over_aligned && mf.has_dynamic_stack)
}

/// The alignment of `rsp` that calls and blocks of variable size ask for.
fn moving_align(mf: &MachineFunction) -> u64 {
    match (mf.has_dynamic_stack, mf.has_calls) {
        (true, _) => CALL_ALIGN,
        (false, true) => mf.call_align,
        (false, false) => 8,
    }
}

/// Lays the frame out. `spills` are the sizes (and alignments) of spill slots, 0 for those that are
/// not used, `used` the callee-saved registers that are written.
pub fn layout(
    cx: Context<'_>,
    func: &ir::Function,
    mf: &MachineFunction,
    spills: &[u64],
    used: RegSet,
    guard: bool,
) -> Frame {
    let (frame_pointer, base_register) = reserved_registers(mf);
    let mut frame = Frame { frame_pointer, base_register, ..Frame::default() };
    if mf.naked {
        frame.slots = vec![0; mf.slots.len()];
        frame.spills = vec![0; spills.len()];
        return frame;
    }
    let mut used = match (mf.saves_all, mf.ms_abi) {
        (false, _) => used,
        (true, false) => RegSet::of(&CALLEE_SAVED),
        (true, true) => RegSet::of(&CALLEE_SAVED).union(MS_CALLEE_SAVED),
    };
    used = used.difference(cx.module.reserved_registers);
    if base_register {
        used.insert(RBX);
    }
    if frame_pointer {
        used.remove(RBP);
    }
    // gcc's order of pushes: r15 first.
    frame.saved = [R15, R14, R13, R12, RDI, RSI, RBP, RBX].into_iter().filter(|&r| used.contains(r)).collect();
    frame.saved_xmms = used.iter().filter(|reg| reg.is_xmm()).map(|reg| (reg, 0)).collect();
    if !mf.kept.is_empty() {
        frame.saved = platform::registers::KEPT_BY_INTERRUPTS.to_vec();
        frame.saved.retain(|&r| mf.kept.contains(r) && !cx.module.reserved_registers.contains(r));
    }
    if mf.interrupt {
        frame.saved = platform::registers::KEPT_BY_INTERRUPTS.to_vec();
        frame.saved.retain(|&r| !cx.module.reserved_registers.contains(r));
    }
    if mf.eh_return {
        frame.saved.retain(|reg| !EXCEPTION_DATA.contains(reg));
        frame.saved.extend(EXCEPTION_DATA);
        frame.saved_for_handler = EXCEPTION_DATA.len();
    }
    let (locals, align) = place_slots(mf, spills, guard, &mut frame);
    frame.locals = locals - u64::from(mf.outgoing_size);
    let is_leaf = !mf.has_calls && !mf.has_dynamic_stack;
    let aligned = align.max(moving_align(mf));
    if frame_pointer && aligned > mf.incoming_align || mf.interrupt {
        frame.realign = Some(aligned);
        frame.size = locals.next_multiple_of(aligned);
        return frame;
    }
    // The return address and the pushes lie between the aligned address and the locals.
    let pushed = 8 + 8 * (frame.saved.len() as u64 + u64::from(frame_pointer));
    frame.size = (locals + pushed).next_multiple_of(aligned.max(8)) - pushed;
    if locals == 0 && !mf.has_calls {
        frame.size = 0;
    }
    // A thunk pushes an address; calls and returns find no red zone that is in use.
    let jumps_push = !mf.jump_targets.is_empty() && crate::branches::uses_thunks(cx, func);
    if is_leaf
        && cx.codegen().red_zone
        && !jumps_push
        && frame.size <= RED_ZONE
        && frame.size > 0
        && !frame.frame_pointer
    {
        frame.red_zone = true;
    }
    frame
}

/// What is placed in the frame: a spill slot, or a variable.
#[derive(Clone, Copy)]
enum Placed {
    Spill(usize),
    Slot(usize),
}

/// Everything that is placed, in order of distance. Spill slots and small variables come first, the
/// slots named most before others: they get short displacements. With `dense` what has most
/// mentions for its bytes comes first, whatever it is: a variable that every other instruction
/// names is worth more short displacements than spill slots that are named twice.
fn placing_order(mf: &MachineFunction, spills: &[u64], dense: bool) -> Vec<Placed> {
    let mut of_spills = vec![0u32; spills.len()];
    let mut of_slots = vec![0u32; mf.slots.len()];
    for inst in mf.insts.iter().filter(|inst| inst.mem.is_some()) {
        match mf.amode(inst.mem).base {
            Base::Spill(slot) => of_spills[slot as usize] += 1,
            Base::Slot(slot) => of_slots[slot as usize] += 1,
            _ => {}
        }
    }
    let mut order: Vec<usize> = (0..spills.len()).collect();
    order.sort_by_key(|&slot| std::cmp::Reverse(of_spills[slot]));
    let slot_bytes = |i: usize| mf.slots[i].size.max(u64::from(mf.slots[i].align));
    let mut slots: Vec<usize> = (0..mf.slots.len()).collect();
    slots.sort_by_key(|&i| (slot_bytes(i), i));
    let mut placed: Vec<Placed> = order.into_iter().map(Placed::Spill).collect();
    placed.extend(slots.into_iter().map(Placed::Slot));
    if dense {
        // In 2^-20ths of a mention for each byte; the order above where that is equal.
        placed.sort_by_cached_key(|&what| {
            let (mentions, bytes) = match what {
                Placed::Spill(slot) => (of_spills[slot], spills[slot]),
                Placed::Slot(slot) => (of_slots[slot], slot_bytes(slot)),
            };
            std::cmp::Reverse((u64::from(mentions) << 20) / bytes.max(1))
        });
    }
    placed
}

/// Bytes of all slots, alignment left aside and shared memory counted for each that shares it.
fn frame_bytes(mf: &MachineFunction, spills: &[u64]) -> u64 {
    mf.slots.iter().map(|slot| slot.size).fold(spills.iter().sum(), u64::saturating_add)
}

/// Gives every slot its offset above the outgoing arguments; bytes used and the largest alignment.
fn place_slots(mf: &MachineFunction, spills: &[u64], guard: bool, frame: &mut Frame) -> (u64, u64) {
    let mut at = u64::from(mf.outgoing_size);
    let mut align = if mf.outgoing_size > 0 { u64::from(mf.outgoing_align).max(mf.call_align) } else { 1 };
    let mut put = |at: &mut u64, size: u64, slot_align: u64| {
        *at = at.next_multiple_of(slot_align);
        let offset = *at as i64;
        *at += size;
        align = align.max(slot_align);
        offset
    };
    frame.spills = vec![0; spills.len()];
    frame.slots = vec![0; mf.slots.len()];
    // Arrays stay above what they could overwrite where a guard says that this matters.
    let dense = !guard && frame_bytes(mf, spills) > SHORT_DISPLACEMENTS;
    let mut colours: Vec<(u32, i64)> = Vec::new();
    for what in placing_order(mf, spills, dense) {
        let index = match what {
            Placed::Spill(slot) => {
                frame.spills[slot] = put(&mut at, spills[slot], spills[slot].max(1));
                continue;
            }
            Placed::Slot(index) => index,
        };
        let slot = mf.slots[index];
        if slot.colour != 0 {
            // Slots of one colour were sized alike by the colouring.
            if let Some(found) = colours.iter().find(|c| c.0 == slot.colour) {
                frame.slots[index] = found.1;
                continue;
            }
        }
        let offset = put(&mut at, slot.size, u64::from(slot.align));
        frame.slots[index] = offset;
        if slot.colour != 0 {
            colours.push((slot.colour, offset));
        }
    }
    for index in 0..frame.saved_xmms.len() {
        frame.saved_xmms[index].1 = put(&mut at, 16, 16);
    }
    if guard {
        // Above everything that can overflow.
        let offset = put(&mut at, 8, 8);
        frame.guard = Some(offset);
    }
    (at, align)
}

impl Frame {
    /// What the function takes from the stack.
    pub fn stack_use(&self, mf: &MachineFunction) -> StackUse {
        let below = 8 + self.pushed() as u64;
        let below = self.realign.map_or(below, |align| below.next_multiple_of(align));
        StackUse {
            locals: self.locals.next_multiple_of(mf.call_align),
            total: below + if self.red_zone { 0 } else { self.size },
            kind: if mf.has_dynamic_stack { StackKind::Dynamic } else { StackKind::Static },
        }
    }

    /// Bytes pushed after the return address.
    pub fn pushed(&self) -> i64 {
        8 * (self.saved.len() as i64 + i64::from(self.frame_pointer))
    }

    /// Register and offset that stand for a symbolic base.
    pub fn resolve(&self, base: Base) -> (Reg, i64) {
        match base {
            Base::Slot(slot) => self.slot(self.slots[slot as usize]),
            Base::Spill(slot) => self.slot(self.spills[slot as usize]),
            Base::Outgoing => (RSP, 0),
            Base::Incoming if self.frame_pointer => (RBP, 16),
            Base::Incoming => (RSP, self.adjusted() + self.pushed() + 8),
            Base::Reg(_) | Base::None => base::bug!("{base:?} is no place in the frame"),
        }
    }

    /// The pushed registers that a return pops.
    pub fn popped(&self) -> &[Reg] {
        &self.saved[..self.saved.len() - self.saved_for_handler]
    }

    /// Bytes of code that an epilogue has, roughly.
    pub fn epilogue_bytes(&self) -> u32 {
        let pops = self.saved.iter().map(|r| if r.0 >= 8 { 2 } else { 1 }).sum::<u32>() + u32::from(self.frame_pointer);
        let moved = if self.adjusted() == 0 { 0 } else { 4 };
        pops + moved + if self.guard.is_some() { 20 } else { 0 }
    }

    /// Bytes that `rsp` is really moved by after the pushes.
    pub fn adjusted(&self) -> i64 {
        if self.red_zone { 0 } else { self.size as i64 }
    }

    /// Register and displacement of what lies at an offset from the slots' base.
    pub fn slot(&self, offset: i64) -> (Reg, i64) {
        if self.base_register {
            (RBX, offset)
        } else if self.frame_pointer && self.realign.is_none() {
            // Below the saved registers.
            (RBP, offset - self.size as i64 - 8 * self.saved.len() as i64)
        } else if self.red_zone {
            (RSP, offset - self.size as i64)
        } else {
            (RSP, offset)
        }
    }
}
