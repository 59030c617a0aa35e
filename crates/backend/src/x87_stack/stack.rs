//! One block with its variables on the stack.

use object::encode::{X87, X87Op};
use rustc_hash::FxHashMap;

use super::{
    Made,
    operations::{Action, Code},
    plan::{DEPTH, Layout, Plan},
};
use crate::machine::{MInst, MachineFunction, MemId, X87Form, X87Mem, X87Reg};

/// How far ahead eviction looks for the next use.
const LOOK_AHEAD: usize = 256;

/// What becomes of a variable after an access to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// It is not read again.
    Dead,
    /// It is read, or wanted on the stack at the end, before anything empties the stack.
    Soon,
    /// It is live, but not read before that.
    Later,
}

/// Kept from block to block.
pub struct Scratch {
    /// By variable: the block that set it, what comes next, and how many barriers were after then.
    next: Vec<(u32, Next, u32)>,
}

impl Scratch {
    /// For a number of variables.
    pub fn new(variables: usize) -> Scratch {
        Scratch { next: vec![(u32::MAX, Next::Dead, 0); variables] }
    }
}

/// A value computed in the block.
type Val = u32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operand {
    /// On the stack.
    Value(Val),
    /// A float in memory that the instruction with this index would push; nothing was emitted
    /// since.
    Memory(u32),
}

/// A variable whose value is on the stack.
#[derive(Clone, Copy, Debug)]
struct Held {
    variable: u32,
    value: Val,
    in_slot: bool,
}

struct Block<'a> {
    mf: &'a MachineFunction,
    code: &'a Code,
    end: usize,
    at: usize,
    made: Vec<Made>,
    /// The stack, from the bottom.
    stack: Vec<Val>,
    /// By value: operands and variables that are it.
    uses: Vec<u32>,
    operands: Vec<Operand>,
    held: Vec<Held>,
    /// What follows each access to a variable.
    next: FxHashMap<u32, Next>,
}

/// Writes a block anew. Gives the variables on the stack at the end in the order in which they come
/// to lie there too.
pub fn block(
    mf: &MachineFunction,
    code: &Code,
    plan: &Plan,
    number: usize,
    scratch: &mut Scratch,
) -> (Vec<Made>, Vec<u32>) {
    let data = &mf.blocks[number];
    let (start, end) = (data.start as usize, data.end as usize);
    let live_out = |v: u32| data.succs.iter().any(|&s| plan.live_in[s as usize].binary_search(&v).is_ok());
    let mut block = Block {
        mf,
        code,
        end,
        at: start,
        made: Vec::with_capacity(end - start),
        stack: Vec::new(),
        uses: Vec::new(),
        operands: Vec::new(),
        held: Vec::new(),
        next: look_back(mf, code, plan, number, scratch, &live_out),
    };
    block.enter(plan.entry(number), &plan.live_in[number]);
    let terminator = end - 1;
    let mut order = Vec::new();
    for at in start..end {
        block.at = at;
        if at == terminator && mf.insts[at].is_terminator() && code.actions[at] == Action::Other {
            order = block.leave(plan.exit(number), &live_out);
        }
        block.step();
    }
    (block.made, order)
}

/// What follows each access to a variable, found from the end.
fn look_back(
    mf: &MachineFunction,
    code: &Code,
    plan: &Plan,
    number: usize,
    scratch: &mut Scratch,
    live_out: &dyn Fn(u32) -> bool,
) -> FxHashMap<u32, Next> {
    let data = &mf.blocks[number];
    let mut found = FxHashMap::default();
    let mut barriers = 0;
    for at in (data.start..data.end).rev() {
        let action = code.actions[at as usize];
        barriers += u32::from(action == Action::Barrier);
        let (Action::LoadVariable(v) | Action::StoreVariable(v)) = action else { continue };
        let state = &mut scratch.next[v as usize];
        if state.0 != number as u32 {
            let on_stack = plan.exit(number).iter().any(|l| l.0 == v);
            let next = match live_out(v) {
                false => Next::Dead,
                true if on_stack => Next::Soon,
                true => Next::Later,
            };
            *state = (number as u32, next, 0);
        }
        let next = if state.1 == Next::Soon && state.2 != barriers { Next::Later } else { state.1 };
        found.insert(at, next);
        let load = matches!(action, Action::LoadVariable(_));
        (state.1, state.2) = if load { (Next::Soon, barriers) } else { (Next::Dead, barriers) };
    }
    found
}

impl Block<'_> {
    fn new_value(&mut self) -> Val {
        self.uses.push(0);
        self.uses.len() as Val - 1
    }

    fn emit(&mut self, inst: MInst, variable: Option<u32>) {
        self.made.push(Made { old: self.at as u32, inst, variable });
    }

    fn register(&mut self, op: X87Reg, index: usize) {
        self.emit(MInst::x87_r(op).with_index(index), None);
    }

    fn memory(&mut self, op: X87Mem, mem: MemId) {
        self.emit(MInst::x87_m(op).mem(mem), None);
    }

    fn slot(&mut self, op: X87Mem, variable: u32) {
        self.emit(MInst::x87_m(op), Some(variable));
    }

    /// The register that a value is in.
    fn depth(&self, value: Val) -> usize {
        let at = self.stack.iter().rposition(|&v| v == value).expect("on the stack");
        self.stack.len() - 1 - at
    }

    fn place(&self, index: usize) -> usize {
        self.stack.len() - 1 - index
    }

    fn to_top(&mut self, value: Val) {
        let index = self.depth(value);
        if index > 0 {
            self.register(X87Reg::Fxch, index);
            let (a, b) = (self.place(index), self.place(0));
            self.stack.swap(a, b);
        }
    }

    /// Takes a value off the stack: the top takes its register.
    fn kill(&mut self, value: Val) {
        let index = self.depth(value);
        self.register(X87Reg::Fstp, index);
        let top = self.stack.pop().expect("not empty");
        if index > 0 {
            let at = self.stack.len() - index;
            self.stack[at] = top;
        }
    }

    /// One use less; the last one takes the value off.
    fn drop_use(&mut self, value: Val) {
        self.uses[value as usize] -= 1;
        if self.uses[value as usize] == 0 {
            self.kill(value);
        }
    }

    fn push(&mut self) -> Val {
        debug_assert!(self.stack.len() < DEPTH, "x87 stack overflow");
        let value = self.new_value();
        self.stack.push(value);
        value
    }

    fn push_operand(&mut self) {
        let value = self.push();
        self.uses[value as usize] = 1;
        self.operands.push(Operand::Value(value));
    }

    /// A copy of a value on top, where there is room.
    fn copy(&mut self, value: Val) -> Val {
        let index = self.depth(value);
        self.register(X87Reg::Fld, index);
        self.push()
    }

    /// Makes room for one more value, by evicting the one used last; not if all are operands.
    fn room(&mut self) -> bool {
        if self.stack.len() < DEPTH {
            return true;
        }
        let next_use = |value: Val| {
            let ahead = &self.code.actions[self.at + 1..self.end.min(self.at + LOOK_AHEAD)];
            let is_use = |a: &Action| match *a {
                Action::LoadVariable(v) => self.held.iter().any(|h| h.value == value && h.variable == v),
                _ => false,
            };
            ahead.iter().position(is_use).unwrap_or(usize::MAX)
        };
        let candidates = self.stack.iter().copied().filter(|&value| !self.operands.contains(&Operand::Value(value)));
        let Some(victim) = candidates.max_by_key(|&value| next_use(value)) else { return false };
        self.release(victim);
        true
    }

    /// Variables that are the value are in their slots alone from here on.
    fn release(&mut self, value: Val) {
        while let Some(at) = self.held.iter().position(|h| h.value == value) {
            let held = self.held[at];
            if !held.in_slot {
                self.save(held);
            }
            self.held.remove(at);
            if self.stack.contains(&value) {
                self.drop_use(value);
            }
        }
    }

    /// Stores a variable to its slot; the value leaves the stack if that was its last use.
    fn save(&mut self, held: Held) {
        let value = held.value;
        if self.uses[value as usize] == 1 {
            self.to_top(value);
            self.slot(X87Mem::Fstp80, held.variable);
            self.stack.pop();
        } else if self.stack.len() < DEPTH {
            self.copy(value);
            self.slot(X87Mem::Fstp80, held.variable);
            self.stack.pop();
        } else {
            // Ten bytes hold the register exactly.
            self.to_top(value);
            self.slot(X87Mem::Fstp80, held.variable);
            self.slot(X87Mem::Fld80, held.variable);
        }
    }

    /// The variable is no longer on the stack, and need not be in its slot.
    fn forget(&mut self, variable: u32) {
        if let Some(at) = self.held.iter().position(|h| h.variable == variable) {
            let held = self.held.remove(at);
            if self.stack.contains(&held.value) {
                self.drop_use(held.value);
            }
        }
    }

    fn enter(&mut self, layout: &Layout, live_in: &[u32]) {
        for &(variable, in_slot) in layout {
            let value = self.push();
            self.uses[value as usize] = 1;
            self.held.push(Held { variable, value, in_slot });
        }
        for &(variable, _) in layout {
            if live_in.binary_search(&variable).is_err() {
                self.forget(variable);
            }
        }
    }

    fn step(&mut self) {
        let inst = self.mf.insts[self.at];
        let action = self.code.actions[self.at];
        if !matches!(action, Action::LoadVariable(_) | Action::Binary(_)) {
            self.load_pending();
        }
        match action {
            Action::Other => self.emit(inst, None),
            Action::Barrier => {
                self.flush();
                self.emit(inst, None);
                for _ in 0..self.code.results.get(&(self.at as u32)).copied().unwrap_or(0) {
                    self.push_operand();
                }
            }
            Action::Return => {
                self.arrange_results();
                self.emit(inst, None);
            }
            Action::LoadVariable(v) => self.load_variable(v),
            Action::StoreVariable(v) => self.store_variable(v),
            Action::Load if matches!(inst.x87_mem(), X87Mem::Fld32 | X87Mem::Fld64) => {
                self.operands.push(Operand::Memory(self.at as u32));
            }
            Action::Load | Action::Constant => {
                self.room();
                self.emit(inst, None);
                self.push_operand();
            }
            Action::Store => self.store(inst),
            Action::Unary => {
                let value = self.top();
                let mut on_top = value;
                if self.uses[value as usize] == 1 {
                    self.to_top(value);
                } else {
                    self.room_for_copy(value);
                    on_top = if self.uses[value as usize] == 1 { value } else { self.copy(value) };
                    self.to_top(on_top);
                }
                self.emit(inst, None);
                self.operands.pop();
                self.uses[value as usize] -= 1;
                self.result(on_top);
            }
            Action::Binary(op) => self.binary(op),
            Action::Compare => self.compare(inst),
            Action::Discard => {
                let value = self.top();
                self.operands.pop();
                self.drop_use(value);
            }
        }
    }

    /// Pushes the float in memory that is among the operands.
    fn load_pending(&mut self) {
        let Some(at) = self.operands.iter().position(|o| matches!(o, Operand::Memory(_))) else { return };
        let Operand::Memory(load) = self.operands[at] else { unreachable!() };
        self.room();
        let inst = self.mf.insts[load as usize];
        self.emit(inst, None);
        let value = self.push();
        self.uses[value as usize] = 1;
        self.operands[at] = Operand::Value(value);
    }

    fn top(&self) -> Val {
        match self.operands.last() {
            Some(&Operand::Value(value)) => value,
            other => base::bug!("x87 operand {other:?}"),
        }
    }

    /// What is in the register of `old` is a new value now, the top operand.
    fn result(&mut self, old: Val) {
        let value = self.new_value();
        self.uses[value as usize] = 1;
        let at = self.stack.iter().rposition(|&v| v == old).expect("on the stack");
        self.stack[at] = value;
        self.operands.push(Operand::Value(value));
    }

    /// Room for a copy of an operand that is also a variable; if there is none, the variable goes
    /// to its slot.
    fn room_for_copy(&mut self, value: Val) {
        if !self.room() {
            self.release(value);
        }
    }

    fn load_variable(&mut self, variable: u32) {
        let next = self.next[&(self.at as u32)];
        if let Some(at) = self.held.iter().position(|h| h.variable == variable) {
            let held = self.held[at];
            self.uses[held.value as usize] += 1;
            self.operands.push(Operand::Value(held.value));
            if next == Next::Dead || (next == Next::Later && held.in_slot) {
                self.forget(variable);
            }
            return;
        }
        self.room();
        self.slot(X87Mem::Fld80, variable);
        self.push_operand();
        if next == Next::Soon {
            let value = self.top();
            self.uses[value as usize] += 1;
            self.held.push(Held { variable, value, in_slot: true });
        }
    }

    fn store_variable(&mut self, variable: u32) {
        let value = self.top();
        self.forget(variable);
        let held = Held { variable, value, in_slot: false };
        match self.next[&(self.at as u32)] {
            Next::Dead => {}
            Next::Soon => {
                self.uses[value as usize] += 1;
                self.held.push(held);
            }
            Next::Later => {
                self.save(held);
                self.operands.pop();
                if self.stack.contains(&value) {
                    self.drop_use(value);
                }
                return;
            }
        }
        self.operands.pop();
        self.drop_use(value);
    }

    fn store(&mut self, inst: MInst) {
        let value = self.top();
        let kept = match inst.x87_mem() {
            X87Mem::Fstp32 => Some(X87Mem::Fst32),
            X87Mem::Fstp64 => Some(X87Mem::Fst64),
            _ => None,
        };
        if self.uses[value as usize] > 1 && kept.is_none() {
            self.room_for_copy(value);
        }
        if self.uses[value as usize] == 1 {
            self.to_top(value);
            self.emit(inst, None);
            self.stack.pop();
        } else if let Some(code) = kept {
            self.to_top(value);
            self.memory(code, inst.mem);
        } else {
            self.copy(value);
            self.emit(inst, None);
            self.stack.pop();
        }
        self.operands.pop();
        self.uses[value as usize] -= 1;
    }

    fn binary(&mut self, op: X87Op) {
        let count = self.operands.len();
        match (self.operands[count - 2], self.operands[count - 1]) {
            (Operand::Value(x), Operand::Value(y)) => self.binary_values(op, x, y),
            (Operand::Value(x), Operand::Memory(load)) => self.binary_memory(op, x, load),
            (Operand::Memory(load), Operand::Value(y)) => self.binary_memory(reverse(op), y, load),
            (Operand::Memory(_), Operand::Memory(_)) => base::bug!("two pending loads"),
        }
    }

    /// `x op memory`.
    fn binary_memory(&mut self, op: X87Op, x: Val, load: u32) {
        let mut on_top = x;
        if self.uses[x as usize] > 1 {
            self.room_for_copy(x);
        }
        if self.uses[x as usize] > 1 {
            on_top = self.copy(x);
        }
        self.to_top(on_top);
        let load = self.mf.insts[load as usize];
        let wide = load.x87_mem() == X87Mem::Fld64;
        self.memory(X87Mem::arithmetic(op, wide), load.mem);
        self.operands.truncate(self.operands.len() - 2);
        self.uses[x as usize] -= 1;
        self.result(on_top);
    }

    fn binary_values(&mut self, op: X87Op, x: Val, y: Val) {
        let own = if x == y { 2 } else { 1 };
        let lives = |b: &Self, v: Val| b.uses[v as usize] > own;
        if lives(self, x) && lives(self, y) {
            self.room_for_copy(x);
        }
        let (x_lives, y_lives) = (lives(self, x), lives(self, y));
        let top = *self.stack.last().expect("operands");
        let back = reverse(op);
        let replaced = if x == y {
            let on_top = if x_lives { self.copy(x) } else { x };
            self.to_top(on_top);
            self.register(X87Reg::arithmetic(op, X87Form::ToTop), 0);
            on_top
        } else {
            match (x_lives, y_lives) {
                (false, false) => {
                    if top != x {
                        self.to_top(y);
                    }
                    let (other, op) = if top == x { (y, back) } else { (x, op) };
                    let index = self.depth(other);
                    self.register(X87Reg::arithmetic(op, X87Form::AndPop), index);
                    self.stack.pop();
                    other
                }
                (false, true) if top == y => {
                    let index = self.depth(x);
                    self.register(X87Reg::arithmetic(op, X87Form::ToOther), index);
                    x
                }
                (true, false) if top == x => {
                    let index = self.depth(y);
                    self.register(X87Reg::arithmetic(back, X87Form::ToOther), index);
                    y
                }
                (true, false) => {
                    self.to_top(y);
                    let index = self.depth(x);
                    self.register(X87Reg::arithmetic(back, X87Form::ToTop), index);
                    y
                }
                (_, _) => {
                    let on_top = if x_lives { self.copy(x) } else { x };
                    self.to_top(on_top);
                    let index = self.depth(y);
                    self.register(X87Reg::arithmetic(op, X87Form::ToTop), index);
                    on_top
                }
            }
        };
        self.operands.truncate(self.operands.len() - 2);
        self.uses[x as usize] -= 1;
        self.uses[y as usize] -= 1;
        self.result(replaced);
    }

    /// The top operand is compared with the one below it.
    fn compare(&mut self, inst: MInst) {
        let count = self.operands.len();
        let (Operand::Value(b), Operand::Value(a)) = (self.operands[count - 2], self.operands[count - 1]) else {
            base::bug!("a pending load is compared")
        };
        self.to_top(a);
        self.operands.truncate(count - 2);
        self.uses[a as usize] -= 1;
        self.uses[b as usize] -= 1;
        let (a_dies, b_dies) = (self.uses[a as usize] == 0, self.uses[b as usize] == 0);
        let index = self.depth(b);
        if a_dies && b_dies && index == 1 {
            self.emit(inst, None);
            self.stack.truncate(self.stack.len() - 2);
            return;
        }
        let signaling = inst.x87_reg() == X87Reg::ComiPop2;
        let pop = a_dies && a != b;
        self.register(
            match (signaling, pop) {
                (false, false) => X87Reg::Ucomi,
                (false, true) => X87Reg::UcomiPop,
                (true, false) => X87Reg::Comi,
                (true, true) => X87Reg::ComiPop,
            },
            index,
        );
        if pop {
            self.stack.pop();
        }
        if b_dies {
            self.kill(b);
        }
    }

    /// Leaves the stack empty and all live variables in their slots.
    fn flush(&mut self) {
        while let Some(&top) = self.stack.last() {
            self.release(top);
        }
    }

    /// The operands alone are on the stack, in their order.
    fn arrange_results(&mut self) {
        self.held.clear();
        let operands = std::mem::take(&mut self.operands);
        let mut target: Vec<Val> = Vec::new();
        for operand in operands {
            let Operand::Value(value) = operand else { base::bug!("a pending load is returned") };
            target.push(if target.contains(&value) { self.copy(value) } else { value });
        }
        for value in self.stack.clone() {
            if !target.contains(&value) {
                self.kill(value);
            }
        }
        self.permute(&target);
        self.stack.clear();
    }

    /// Brings the stack into the layout of the block's end; gives the variables in the order in
    /// which they lay before.
    fn leave(&mut self, layout: &Layout, live_out: &dyn Fn(u32) -> bool) -> Vec<u32> {
        for held in self.held.clone() {
            if layout.iter().all(|l| l.0 != held.variable) {
                if !held.in_slot && live_out(held.variable) {
                    self.save(held);
                }
                self.forget(held.variable);
            }
        }
        for &(variable, wanted) in layout {
            match self.held.iter().position(|h| h.variable == variable) {
                Some(at) if self.uses[self.held[at].value as usize] > 1 => {
                    let value = self.copy(self.held[at].value);
                    self.uses[self.held[at].value as usize] -= 1;
                    self.uses[value as usize] = 1;
                    self.held[at].value = value;
                }
                Some(_) => {}
                None => {
                    if live_out(variable) {
                        self.slot(X87Mem::Fld80, variable);
                    } else {
                        // On the way to another block of the bundle.
                        self.emit(MInst::x87(X87::Fldz), None);
                    }
                    let value = self.push();
                    self.uses[value as usize] = 1;
                    self.held.push(Held { variable, value, in_slot: true });
                }
            }
            let at = self.held.iter().position(|h| h.variable == variable).expect("held");
            if wanted && !self.held[at].in_slot {
                let value = self.held[at].value;
                self.copy(value);
                self.slot(X87Mem::Fstp80, variable);
                self.stack.pop();
            }
        }
        let value_of = |b: &Self, v: u32| b.held.iter().find(|h| h.variable == v).expect("held").value;
        let variable_of = |b: &Self, value: Val| b.held.iter().find(|h| h.value == value).expect("held").variable;
        let order = self.stack.iter().map(|&value| variable_of(self, value)).collect();
        let target: Vec<Val> = layout.iter().map(|&(v, _)| value_of(self, v)).collect();
        self.permute(&target);
        order
    }

    /// Exchanges until the stack is `target`, which has the same values.
    fn permute(&mut self, target: &[Val]) {
        debug_assert_eq!(self.stack.len(), target.len());
        while let Some(&top) = self.stack.last() {
            let last = target.len() - 1;
            let wanted = target.iter().position(|&t| t == top).expect("the same values");
            let place = if wanted != last {
                wanted
            } else {
                match (0..last).find(|&i| self.stack[i] != target[i]) {
                    Some(place) => place,
                    None => return,
                }
            };
            self.register(X87Reg::Fxch, last - place);
            self.stack.swap(place, last);
        }
    }
}

/// The operation with its operands exchanged.
fn reverse(op: X87Op) -> X87Op {
    match op {
        X87Op::Sub => X87Op::SubReverse,
        X87Op::SubReverse => X87Op::Sub,
        X87Op::Div => X87Op::DivReverse,
        X87Op::DivReverse => X87Op::Div,
        same => same,
    }
}
