//! Makes the loops of a plan, of copies of the nest's instructions; the nest is unreachable then.

use ir::{Block, BranchHint, Builder, Function, Inst, Opcode, Position, Value};
use rustc_hash::FxHashMap;

use super::nest::{INNER, Level, MEMORY, Nest, OUTER};
use super::plan::Plan;

/// Puts the exchanged loops in the place of the nest.
pub fn exchange(func: &mut Function, plan: &Plan) {
    let nest = &plan.nest;
    let entry = nest.outer.counted.preheader;
    let mut last = entry;
    let mut block = |func: &mut Function, wanted: bool| {
        wanted.then(|| {
            let block = func.make_block();
            func.insert_block_after(last, block);
            last = block;
            block
        })
    };
    let in_front = block(func, plan.has_before);
    let [header, body, latch] = [(); 3].map(|()| block(func, true).expect("wanted"));
    let behind = block(func, plan.has_behind);
    let exit = nest.outer.counted.exit;
    if let Some(block) = in_front {
        loop_in_front(func, plan, block, entry, header);
    }
    exchanged(func, plan, [header, body, latch], in_front.unwrap_or(entry), behind.unwrap_or(exit));
    if let Some(block) = behind {
        loop_behind(func, plan, block, latch, exit);
    }
    let old_header = nest.outer.header;
    let enter = func.terminator(entry);
    func.map_targets(enter, |b| if b == old_header { in_front.unwrap_or(header) } else { b });
    func.replace_pred(exit, nest.outer.counted.latch, behind.unwrap_or(latch));
    func.forget_debug_values(&nest.blocks, in_front.unwrap_or(header));
    // Its latch still leads to the exit, whose phis have no entry for it any more.
    let old_latch = nest.outer.counted.latch;
    let leave = func.terminator(old_latch);
    func.map_targets(leave, |_| old_header);
}

/// Copies in one place: what each value of the nest is there.
struct Copies<'a> {
    func: &'a mut Function,
    nest: &'a Nest,
    values: FxHashMap<Value, Value>,
}

impl<'a> Copies<'a> {
    fn new(func: &'a mut Function, nest: &'a Nest) -> Copies<'a> {
        Copies { func, nest, values: FxHashMap::default() }
    }

    fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    fn copy(&mut self, inst: Inst, block: Block) {
        let values = &self.values;
        let copy = self.func.copy_inst(inst, |v| values.get(&v).copied().unwrap_or(v));
        self.func.append_inst(block, copy);
        self.values.extend(self.func.results(inst).zip(self.func.results(copy)));
    }

    /// Copies those that give results of the counters in `allowed` alone, but for what ends a loop.
    fn copy_computed_of(&mut self, insts: &[Inst], allowed: u8, block: Block) {
        for &inst in insts {
            let done = self.func.result(inst).is_some_and(|v| self.values.contains_key(&v));
            if !done && self.nest.is_computed_of(self.func, inst, allowed) && !ends_loop(self.func, self.nest, inst) {
                self.copy(inst, block);
            }
        }
    }

    /// The phis of a loop's counters.
    fn open(&mut self, level: &Level, header: Block, entry: Block) {
        for c in &level.counters {
            let ty = self.func.insts[c.phi].ty;
            let phi = Builder::new(self.func, Position::End(header)).phi(ty, &[(c.start, entry)]);
            self.values.insert(self.func.first_result(c.phi), self.func.first_result(phi));
        }
    }

    /// The end of a loop.
    fn close(&mut self, level: &Level, header: Block, latch: Block, exit: Block) {
        for c in &level.counters {
            let next = self.func.first_result(c.next);
            if !self.values.contains_key(&next) {
                self.copy(c.next, latch);
            }
            let phi = self.value(self.func.first_result(c.phi));
            let phi = self.func.def_inst(phi).expect("made before");
            let next = self.value(next);
            self.func.phi_push(phi, next, latch);
        }
        let branch = self.func.terminator(level.counted.latch);
        let test = self.func.operand(branch, 0);
        if !self.values.contains_key(&test) {
            let compare = self.func.def_inst(test).expect("a comparison");
            self.copy(compare, latch);
        }
        let stays_if = self.func.insts[branch].dests().0 == level.header;
        let (then, otherwise) = if stays_if { (header, exit) } else { (exit, header) };
        let test = self.value(test);
        Builder::new(self.func, Position::End(latch)).cond_br(test, then, otherwise, BranchHint::None);
    }

    /// What each carried value is according to its home.
    fn load_home(&mut self, home: Inst, block: Block) -> Value {
        let info = self.func.mem_info(home);
        let ty = self.func.value_type(self.func.operand(home, 1));
        let address = self.value(self.func.operand(home, 0));
        Builder::new(self.func, Position::End(block)).load(ty, address, info.align(), info.tag, 0)
    }

    fn store_home(&mut self, home: Inst, value: Value, block: Block) {
        let info = self.func.mem_info(home);
        let address = self.value(self.func.operand(home, 0));
        let value = self.value(value);
        Builder::new(self.func, Position::End(block)).store(value, address, info.align(), info.tag, 0);
    }
}

/// Whether nothing uses the instruction but what brings a loop to its end: it is copied there.
fn ends_loop(func: &Function, nest: &Nest, inst: Inst) -> bool {
    let levels = [&nest.outer, &nest.inner];
    let is_test = |i: Inst| {
        let tests = |level: &&Level| func.result(i) == Some(func.operand(func.terminator(level.counted.latch), 0));
        levels.iter().any(tests) && func.has_one_use(func.first_result(i))
    };
    let is_phi = |i: Inst| func.insts[i].opcode == Opcode::Phi;
    let is_next = levels.iter().any(|l| l.counters.iter().any(|c| c.next == inst));
    is_test(inst) || (is_next && func.uses(func.first_result(inst)).all(|(user, _)| is_phi(user) || is_test(user)))
}

/// What was before the inner loop, as a loop of its own.
fn loop_in_front(func: &mut Function, plan: &Plan, block: Block, entry: Block, exit: Block) {
    let nest = &plan.nest;
    let mut copies = Copies::new(func, nest);
    copies.open(&nest.outer, block, entry);
    for &inst in &nest.before {
        let left_there = nest.carried.iter().any(|c| c.loaded == Some(inst));
        if !left_there && !ends_loop(copies.func, nest, inst) {
            copies.copy(inst, block);
        }
    }
    copies.copy_computed_of(&nest.behind, OUTER, block);
    for carried in nest.carried.iter().filter(|c| c.loaded.is_none()) {
        copies.store_home(carried.home, carried.start, block);
    }
    copies.close(&nest.outer, block, block, exit);
}

/// The two loops in their new order.
fn exchanged(func: &mut Function, plan: &Plan, [header, body, latch]: [Block; 3], entry: Block, exit: Block) {
    let nest = &plan.nest;
    let mut copies = Copies::new(func, nest);
    let all: Vec<Inst> = nest.before.iter().chain(&nest.inside).chain(&nest.behind).copied().collect();
    copies.open(&nest.inner, header, entry);
    copies.copy_computed_of(&all, INNER, header);
    Builder::new(copies.func, Position::End(header)).br(body);
    copies.open(&nest.outer, body, header);
    copies.copy_computed_of(&all, OUTER | INNER, body);
    for carried in &nest.carried {
        let value = copies.load_home(carried.home, body);
        copies.values.insert(copies.func.first_result(carried.phi), value);
    }
    for &inst in nest.before.iter().filter(|i| plan.needed.contains(i)) {
        let value = copies.func.first_result(inst);
        if nest.depends(value) & MEMORY == 0 {
            continue;
        }
        match plan.reloaded.get(&inst) {
            Some(&store) => {
                let value = copies.load_home(store, body);
                copies.values.insert(copies.func.first_result(inst), value);
            }
            None => copies.copy(inst, body),
        }
    }
    for &inst in &nest.inside {
        let computed = nest.is_computed_of(copies.func, inst, OUTER | INNER);
        if !computed {
            copies.copy(inst, body);
        }
    }
    for carried in &nest.carried {
        copies.store_home(carried.home, carried.next, body);
    }
    copies.close(&nest.outer, body, body, latch);
    copies.close(&nest.inner, header, latch, exit);
}

/// What was after the inner loop, as a loop of its own.
fn loop_behind(func: &mut Function, plan: &Plan, block: Block, entry: Block, exit: Block) {
    let nest = &plan.nest;
    let mut copies = Copies::new(func, nest);
    copies.open(&nest.outer, block, entry);
    copies.copy_computed_of(&nest.before, OUTER, block);
    copies.copy_computed_of(&nest.behind, OUTER, block);
    for carried in &nest.carried {
        let value = copies.load_home(carried.home, block);
        copies.values.insert(carried.next, value);
    }
    for &inst in &nest.behind {
        let done = copies.func.result(inst).is_some_and(|v| copies.values.contains_key(&v));
        if !done && !ends_loop(copies.func, nest, inst) {
            copies.copy(inst, block);
        }
    }
    copies.close(&nest.outer, block, block, exit);
}
