//! The register cache: handing out, evicting, moving and freeing registers; giving values their
//! places.
//!
//! Nothing here looks ahead: what will be needed is known only through the use counts and hints of
//! [`super::scan`].

use cranelift_entity::EntityRef;
use ir::{Type, Value};
use object::{Mem, Size, encode::Sse};
use platform::registers::{RBP, Reg, RegSet};

use super::Quick;
use super::state::{Class, GPR_POOL, NO_HINT, Place, XMM_POOL, class_of};

impl Quick<'_> {
    // ---- registers ----

    /// A free general register, pinned; `hint` if that is free.
    #[inline]
    pub fn alloc_gpr(&mut self, hint: u8) -> Reg {
        self.alloc_from(GPR_POOL, hint)
    }

    /// A free SSE register, pinned; `hint` if that is free.
    #[inline]
    pub fn alloc_xmm(&mut self, hint: u8) -> Reg {
        self.alloc_from(XMM_POOL, hint)
    }

    /// A general register without preference.
    #[inline]
    pub fn temp_gpr(&mut self) -> Reg {
        self.alloc_from(GPR_POOL, NO_HINT)
    }

    /// An SSE register without preference.
    #[inline]
    pub fn temp_xmm(&mut self) -> Reg {
        self.alloc_from(XMM_POOL, NO_HINT)
    }

    fn alloc_from(&mut self, pool: RegSet, hint: u8) -> Reg {
        let free = pool.difference(self.regs.used).difference(self.regs.pinned).0;
        let reg = if free == 0 {
            self.evict_one(pool)
        } else if hint < 32 && free >> hint & 1 != 0 {
            Reg(hint)
        } else {
            Reg(free.trailing_zeros() as u8)
        };
        self.regs.pinned.insert(reg);
        reg
    }

    /// Empties one register of the pool that the current instruction does not use.
    fn evict_one(&mut self, pool: RegSet) -> Reg {
        let candidates = pool.difference(self.regs.pinned).0;
        if candidates == 0 {
            base::bug!("every register is an operand of one instruction");
        }
        // Round robin, but first those whose value is in memory already.
        let start = u32::from(self.regs.clock) & 31;
        let rotated = (candidates as u32).rotate_right(start);
        let mut bits = rotated;
        let mut victim = Reg(((rotated.trailing_zeros() + start) & 31) as u8);
        while bits != 0 {
            let reg = Reg(((bits.trailing_zeros() + start) & 31) as u8);
            bits &= bits - 1;
            if self.regs.owner[reg.index()].expand().is_some_and(|owner| self.values[owner.index()].home != 0) {
                victim = reg;
                break;
            }
        }
        self.regs.clock = victim.0 + 1;
        self.spill(victim);
        victim
    }

    /// Moves the owner of a register to its home, storing it there if it has none yet.
    pub fn spill(&mut self, reg: Reg) {
        let Some(value) = self.regs.owner[reg.index()].expand() else { return };
        if self.values[value.index()].home == 0 {
            self.store_home(value, reg);
        }
        self.values[value.index()].place = Place::Home;
        self.disown(reg);
    }

    /// Gives the value a home (unless it has one) and stores it there from `reg`.
    pub fn store_home(&mut self, value: Value, reg: Reg) {
        let ty = self.func.value_type(value);
        let state = self.values[value.as_u32() as usize];
        let home = match state.home {
            0 => self.frame.home(ty.alloc_size(), state.global),
            home => home,
        };
        let state = &mut self.values[value.as_u32() as usize];
        state.home = home;
        state.owns_home = !state.global;
        let mem = Mem::base(RBP, home);
        if reg.is_gpr() { self.buf.mov_mr(gpr_size(ty), mem, reg) } else { self.store_xmm(ty, mem, reg) }
    }

    /// The register has no owner any more.
    #[inline]
    pub fn disown(&mut self, reg: Reg) {
        self.regs.owner[reg.index()] = None.into();
        self.regs.used.remove(reg);
    }

    /// `reg` caches `value` from now on.
    #[inline]
    pub fn own(&mut self, reg: Reg, value: Value) {
        self.regs.owner[reg.index()] = value.into();
        self.regs.used.insert(reg);
        self.values[value.as_u32() as usize].place = Place::Reg(reg);
    }

    /// Empties a particular register and pins it. Its owner moves to a free register or to its
    /// home. An operand that the current instruction has already taken from it must not be needed
    /// any more.
    pub fn claim(&mut self, reg: Reg) {
        let owner = self.regs.owner[reg.index()];
        self.regs.pinned.insert(reg);
        let Some(value) = owner.expand() else { return };
        let state = self.values[value.index()];
        let pool = if reg.is_gpr() { GPR_POOL } else { XMM_POOL };
        let free = pool.difference(self.regs.used).difference(self.regs.pinned).0;
        if state.home == 0 && free != 0 {
            let to = Reg(free.trailing_zeros() as u8);
            self.move_reg(self.func.value_type(value), to, reg);
            self.disown(reg);
            self.own(to, value);
        } else {
            self.spill(reg);
        }
    }

    /// Every register of the set becomes free (before something that destroys them).
    pub fn spill_all(&mut self, set: RegSet) {
        for reg in self.regs.used.intersection(set).iter() {
            self.spill(reg);
        }
    }

    /// Copies a whole value between registers of one class.
    pub fn move_reg(&mut self, ty: Type, to: Reg, from: Reg) {
        if to == from {
            return;
        }
        match (to.is_gpr(), from.is_gpr()) {
            (true, true) => {
                let size = if ty.bits() > 32 { Size::Q } else { Size::D };
                self.buf.mov_rr(size, to, from);
            }
            (false, false) => self.buf.sse_rx(Sse::Movaps, to, from),
            _ => base::bug!("move between register classes"),
        }
    }

    // ---- the life of values ----

    /// Counts one use of an operand as emitted; what was its last use frees its register and slot.
    /// They stay untouched until the current instruction ends.
    #[inline]
    pub fn consume(&mut self, value: Value) {
        let state = &mut self.values[value.as_u32() as usize];
        if state.uses == 0 {
            // Constants are not counted.
            return;
        }
        state.uses -= 1;
        if state.uses == 0 {
            self.end_of_life(value);
        }
    }

    fn end_of_life(&mut self, value: Value) {
        let state = self.values[value.as_u32() as usize];
        match state.place {
            Place::Reg(reg) => {
                self.disown(reg);
                self.regs.pinned.insert(reg);
            }
            _ => self.leave_lazy(value),
        }
        let state = &mut self.values[value.as_u32() as usize];
        if state.home != 0 && state.owns_home {
            let home = state.home;
            state.home = 0;
            state.place = Place::None;
            let size = self.func.value_type(value).alloc_size();
            self.frame.release(home, size);
        }
    }

    /// Adds a use that somebody else holds (a lazy address).
    pub fn hold(&mut self, value: Value) {
        if self.func.constant(value).is_none() {
            self.values[value.as_u32() as usize].uses += 1;
        }
    }

    /// Uses of a value that are still to come.
    #[inline]
    pub fn uses(&self, value: Value) -> u32 {
        self.values[value.as_u32() as usize].uses
    }

    /// The result of the current instruction is in `reg` (pinned, without owner).
    pub fn define(&mut self, result: Value, reg: Reg) {
        let state = self.values[result.as_u32() as usize];
        // Uses of a global value may stand in blocks laid out, and so counted down, before this
        // one.
        if state.uses == 0 && !state.global {
            return;
        }
        self.own(reg, result);
        if state.global {
            self.store_home(result, reg);
        }
    }

    /// A register of the class in which a value of this type is computed.
    pub fn alloc_class(&mut self, ty: Type, hint: u8) -> Reg {
        match class_of(ty) {
            Class::Gpr => self.alloc_gpr(hint),
            Class::Xmm => self.alloc_xmm(hint),
        }
    }

    // ---- typed loads and stores of SSE registers ----

    /// Loads a float or double.
    pub fn load_xmm(&mut self, ty: Type, reg: Reg, mem: Mem) {
        self.buf.sse_rx(if ty == Type::F32 { Sse::Movss } else { Sse::Movsd }, reg, mem);
    }

    /// Stores a float or double.
    pub fn store_xmm(&mut self, ty: Type, mem: Mem, reg: Reg) {
        self.buf.sse_mr(if ty == Type::F32 { Sse::MovssStore } else { Sse::MovsdStore }, mem, reg);
    }
}

/// The size at which a general-register value of this type is kept and moved (i1 as a byte).
#[inline]
pub fn gpr_size(ty: Type) -> Size {
    match ty {
        Type::I1 | Type::I8 => Size::B,
        Type::I16 => Size::W,
        Type::I32 => Size::D,
        _ => Size::Q,
    }
}

/// The size at which arithmetic on this type is done: at least 32 bits.
#[inline]
pub fn op_size(ty: Type) -> Size {
    if matches!(ty, Type::I64 | Type::PTR) { Size::Q } else { Size::D }
}
