//! Values of the iteration before (`a[i] = b[i] + x; x = b[i]`): the last lane of the group of
//! iterations before, and all lanes but the last of this one.

use ir::{Function, Inst, Value};
use rustc_hash::FxHashMap;

use super::body::Body;
use super::emit::Emitter;
use super::plan::{Kind, MAX_STEPS, Plan, Planner};

fn next(func: &Function, body: &Body, phi: Inst) -> Value {
    func.phi_value(phi, body.counted.latch).expect("one entry per predecessor")
}

impl Planner<'_> {
    /// Whether all values that the next iteration needs are computed before those of this iteration
    /// that need one of the iteration before.
    pub fn previous_come_first(&self, plan: &Plan) -> bool {
        let func = self.func;
        let places: FxHashMap<Inst, usize> = plan.order.iter().copied().zip(0..).collect();
        let previous = |inst: Inst| plan.kinds.get(&inst) == Some(&Kind::Previous);
        plan.order.iter().copied().filter(|&inst| previous(inst)).all(|phi| {
            let mut from = Some(phi);
            for _ in 0..MAX_STEPS {
                let above = |inst| func.def_inst(next(func, self.body, inst));
                from = from.and_then(|inst| if previous(inst) { above(inst) } else { Some(inst) });
            }
            let ready = from.filter(|&inst| !previous(inst)).and_then(|inst| places.get(&inst));
            ready.is_some_and(|ready| {
                let mut users = func.uses(func.first_result(phi)).filter(|&(user, _)| !previous(user));
                users.all(|(user, _)| places.get(&user).is_none_or(|at| at > ready))
            })
        })
    }
}

impl Emitter<'_> {
    /// The vector of the group of iterations before, of what the next iteration needs.
    pub fn group_before(&mut self, inst: Inst) -> Inst {
        let start = self.func.phi_value(inst, self.body.counted.preheader).expect("entered from the preheader");
        let start = self.splat(start, self.func.insts[inst].ty);
        self.phi(start)
    }

    /// The vector of what the next iteration needs.
    pub fn for_next(&mut self, inst: Inst) -> Value {
        let next = next(self.func, self.body, inst);
        self.vector(next, self.func.insts[inst].ty)
    }

    /// Makes the values of the iteration before, when those that the next one needs are made.
    pub fn move_up(&mut self, inst: Inst, previous: &[(Inst, Inst)]) {
        let mut made = vec![inst];
        while let Some(value) = made.pop().and_then(|inst| self.func.result(inst)) {
            for &(inst, phi) in previous {
                if next(self.func, self.body, inst) == value {
                    let (before, next) = (self.func.first_result(phi), self.for_next(inst));
                    let lanes: Vec<u32> = (self.vf - 1..2 * self.vf - 1).collect();
                    let vector = self.builder().shuffle(before, next, &lanes);
                    self.vectors.insert(self.func.first_result(inst), vector);
                    made.push(inst);
                }
            }
        }
    }
}
