//! Instruction combining: replaces instructions by simpler or canonical ones, to a fixed point.
//!
//! The algebra is data: `crates/middle/rules`, compiled to the decisions of [`rules`] by
//! `crates/rules` and listed in `docs/rules.md`. What needs a loop or an analysis is here, by
//! subject: [`booleans`] (joins of comparisons), [`halves`] (joins of two halves), [`compare`]
//! (comparisons of choices and of floats), [`lanes`] (of vectors), [`casts`], [`float`],
//! [`division`] (division by constants), [`memory`] (block operations, loads of constants). A rule
//! either names an existing value that the result equals, or turns the instruction into another in
//! place, possibly with new instructions before it.
//!
//! Canonical forms that later passes and instruction selection rely on: constants on the right;
//! `sub x, c` as `add x, -c`; multiplications by powers of two as shifts; `ptradd` chains with the
//! constant outermost; comparisons with constants as `<`/`>` rather than `<=`/`>=`.
//!
//! Flags: rules that reassociate drop `nsw`/`nuw`. Every rule makes progress towards fewer
//! instructions or the canonical form, so the worklist empties; linear in practice.

mod arith;
mod booleans;
mod casts;
mod compare;
mod division;
mod float;
mod halves;
mod lanes;
mod memory;
mod rules;

use cranelift_entity::{EntityRef, SecondaryMap};
use ir::{Block, Builder, Function, Inst, InstData, InstView, IntCc, Module, Opcode, SymbolId, Type, Value, fold};
use platform::options::Options;

use crate::pass::{Bisect, Changed, Pass, PassContext};
use crate::passes::correlate;
use crate::passes::fold::{fold_value, rounds};
use ir::analysis::facts::{Range, known};
use ir::effects::is_removable_if_unused;

/// The pass.
pub const PASS: Pass = Pass::new("combine", run);

/// What statistics call the rules of `crates/middle/rules`: `rule NAME`.
pub fn rule_names() -> std::slice::Iter<'static, &'static str> {
    rules::NAMES.iter()
}

/// What a rule found.
enum Rewrite {
    /// The result equals this value.
    Value(Value),
    /// The instruction has been changed in place (its operands' users may now combine).
    InPlace,
    /// The instruction (without results) is not needed.
    Remove,
}

/// What rules see.
struct Combiner<'a> {
    func: &'a mut Function,
    module: &'a Module,
    options: &'a Options,
    /// Signed divisions by constants stay as they are: `correlate` may find them unsigned, which
    /// are shorter when expanded.
    keep_divisions: bool,
    work: Vec<Inst>,
    queued: SecondaryMap<Inst, bool>,
    /// There if somebody asks which rules were applied, or bisects.
    watch: Option<Watch<'a>>,
}

/// Counts applications of rules.
struct Watch<'a> {
    /// By number of the rule.
    applied: Vec<u64>,
    /// Bisecting counts them, too.
    bisect: Option<&'a Bisect>,
    limit: u64,
    /// While bisecting: numbers of rules and of executions.
    executions: Vec<(usize, u64)>,
}

impl<'a> Watch<'a> {
    fn new(cx: &PassContext<'a>) -> Option<Watch<'a>> {
        let options = cx.options;
        let limit = options.opt_bisect_limit;
        let asked = limit.is_some() || options.stats.is_some() || options.wants_remarks();
        asked.then(|| Watch {
            applied: vec![0; rules::NAMES.len()],
            bisect: cx.bisect(),
            limit: limit.unwrap_or(0),
            executions: Vec::new(),
        })
    }

    fn allows(&mut self, rule: usize) -> bool {
        if let Some(bisect) = self.bisect {
            let number = bisect.count();
            if number >= self.limit {
                return false;
            }
            self.executions.push((rule, number));
        }
        self.applied[rule] += 1;
        true
    }

    fn report(self, function: SymbolId, cx: &mut PassContext<'_>) {
        for (&name, &count) in rules::NAMES.iter().zip(&self.applied).filter(|rule| *rule.1 > 0) {
            if cx.options.stats.is_some() {
                cx.statistics.add(name, count);
            }
            if self.bisect.is_none() {
                cx.note(PASS.name, || format!("{name} applied {count} times"));
            }
        }
        for (rule, number) in self.executions {
            if number + 1 == self.limit {
                cx.note_last(rules::NAMES[rule], function);
            }
            cx.note(PASS.name, || format!("execution {}: {}", number + 1, rules::NAMES[rule]));
        }
    }
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let mut all: Vec<Inst> = func.all_insts().collect();
    all.reverse();
    let mut queued = SecondaryMap::with_capacity(func.num_insts());
    all.iter().for_each(|&i| queued[i] = true);
    let keep_divisions = cx.runs_later(&correlate::PASS);
    let (module, options, watch, function) = (cx.module, cx.options, Watch::new(cx), func.symbol);
    let mut combiner = Combiner { func, module, options, keep_divisions, work: all, queued, watch };
    let combined = combiner.run();
    let watch = combiner.watch.take();
    cx.statistics.add("instructions combined", combined);
    if let Some(watch) = watch {
        watch.report(function, cx);
    }
    Changed::code_if(combined > 0)
}

impl Combiner<'_> {
    fn run(&mut self) -> u64 {
        let mut combined = 0;
        while let Some(inst) = self.work.pop() {
            self.queued[inst] = false;
            if self.func.inst_block(inst).is_none() {
                continue;
            }
            if self.remove_if_dead(inst) {
                combined += 1;
                continue;
            }
            let before = self.func.num_insts();
            let rewrite = self.visit(inst);
            for index in before..self.func.num_insts() {
                self.push(Inst::new(index));
            }
            match rewrite {
                None => continue,
                Some(Rewrite::Value(value)) => self.replace(inst, value),
                Some(Rewrite::InPlace) => {
                    self.push_users(inst);
                    self.push(inst);
                }
                Some(Rewrite::Remove) => {
                    self.push_operands(inst);
                    self.func.remove_inst(inst);
                }
            }
            combined += 1;
        }
        combined
    }

    fn visit(&mut self, inst: Inst) -> Option<Rewrite> {
        let rounded_at_run_time = self.options.codegen.float.rounding_math && rounds(self.func, inst);
        if !rounded_at_run_time && let Some(value) = fold_value(self.func, inst) {
            return Some(Rewrite::Value(value));
        }
        use Opcode::*;
        let data = self.func.insts[inst];
        match data.opcode {
            FCmp => compare::visit_floats(self, inst),
            FAdd | FSub | FMul | FDiv | FNeg | FpTrunc => float::visit(self, inst),
            Load | MemCpy | MemMove | MemSet => memory::visit(self, inst),
            Intrinsic => memory::size_of_object(self, inst),
            Phi => self.visit_phi(inst),
            ExtractLane => lanes::visit(self, inst),
            InsertLane | Shuffle | Splat | Bitcast if data.ty.is_vector() => lanes::visit(self, inst),
            // The rules are about scalars; of what is chosen they say nothing that depends on it.
            opcode if opcode != Select && data.ty.is_vector() => None,
            ICmp | ZExt | SExt | Trunc => self.visit_choice(inst).or_else(|| rules::visit(self, inst, data)),
            _ => rules::visit(self, inst, data),
        }
    }

    /// What is computed from one of several constants alone is one of several constants.
    fn visit_choice(&mut self, inst: Inst) -> Option<Rewrite> {
        let (chosen, data) = (self.func.operand(inst, 0), self.func.insts[inst]);
        let phi = self.func.def_with(chosen, Opcode::Phi).filter(|_| self.one_use(chosen))?;
        let from = self.ty(chosen);
        let right = if data.opcode == Opcode::ICmp { self.bits(self.func.operand(inst, 1))? } else { 0 };
        let outcome = |bits| match data.opcode {
            Opcode::ICmp => fold::icmp(data.int_cc(), from, bits, right).map(u128::from),
            opcode => fold::unary(opcode, from, data.ty, bits),
        };
        let entries = self.func.phi_entries(phi).map(|(value, block)| Some((outcome(self.bits(value)?)?, block)));
        let entries: Vec<(u128, Block)> = entries.collect::<Option<_>>()?;
        let entries: Vec<_> = entries.into_iter().map(|(bits, b)| (self.constant_of(data.ty, bits), b)).collect();
        let new = self.builder(phi).phi(data.ty, &entries);
        Some(Rewrite::Value(self.func.first_result(new)))
    }

    /// A phi whose entries are all one value or itself.
    fn visit_phi(&mut self, inst: Inst) -> Option<Rewrite> {
        let result = self.func.first_result(inst);
        let mut others = self.func.operands(inst).filter(|&v| v != result);
        let only = others.next()?;
        let several = others.any(|value| value != only);
        drop(others);
        if several { halves::split_phi(self, inst) } else { Some(Rewrite::Value(only)) }
    }

    fn remove_if_dead(&mut self, inst: Inst) -> bool {
        let unused = !self.func.results(inst).any(|r| self.func.has_uses(r));
        if !unused || !is_removable_if_unused(self.func, self.module, inst) {
            return false;
        }
        self.push_operands(inst);
        self.func.remove_inst(inst);
        true
    }

    fn replace(&mut self, inst: Inst, value: Value) {
        let result = self.func.first_result(inst);
        self.push_users(inst);
        self.push_operands(inst);
        if result != value {
            self.func.replace_all_uses(result, value);
        }
        self.func.remove_inst(inst);
        if let Some(def) = self.func.def_inst(value) {
            self.push(def);
        }
    }

    fn push(&mut self, inst: Inst) {
        if !std::mem::replace(&mut self.queued[inst], true) {
            self.work.push(inst);
        }
    }

    fn push_users(&mut self, inst: Inst) {
        let users: Vec<Inst> =
            self.func.results(inst).flat_map(|r| self.func.uses(r).map(|u| u.0).collect::<Vec<_>>()).collect();
        users.into_iter().for_each(|user| self.push(user));
    }

    fn push_operands(&mut self, inst: Inst) {
        let defs: Vec<Inst> = self.func.operands(inst).filter_map(|v| self.func.def_inst(v)).collect();
        defs.into_iter().for_each(|def| self.push(def));
    }

    // ---- what rules are written with

    fn ty(&self, value: Value) -> Type {
        self.func.value_type(value)
    }

    /// The constant bits of a scalar operand.
    fn bits(&self, value: Value) -> Option<u128> {
        self.func.const_bits(value)
    }

    /// The record of the defining instruction.
    #[inline]
    fn definition(&self, value: Value) -> Option<InstData> {
        self.func.def_inst(value).map(|inst| self.func.insts[inst])
    }

    /// The same, if it has this opcode.
    #[inline]
    fn record(&self, value: Value, opcode: Opcode) -> Option<InstData> {
        self.definition(value).filter(|data| data.opcode == opcode)
    }

    /// Whether a rule that matches may be applied: asked once, just before.
    #[inline]
    fn fires(&mut self, rule: usize) -> bool {
        self.watch.as_mut().is_none_or(|watch| watch.allows(rule))
    }

    /// Counts a rule whose work a function has done.
    #[inline]
    fn fired(&mut self, rule: usize) {
        if let Some(watch) = &mut self.watch {
            watch.applied[rule] += 1;
        }
    }

    /// The defining instruction's record, if it has this opcode.
    fn def(&self, value: Value, opcode: Opcode) -> Option<(Inst, InstData)> {
        let inst = self.func.def_with(value, opcode)?;
        Some((inst, self.func.insts[inst]))
    }

    /// The operands of `value` if a two-operand `opcode` defines it.
    fn binary(&self, value: Value, opcode: Opcode) -> Option<(Value, Value)> {
        let (inst, _) = self.def(value, opcode)?;
        Some((self.func.operand(inst, 0), self.func.operand(inst, 1)))
    }

    /// The operands of `value` if `opcode` defines it with a constant on the right.
    fn binary_const(&self, value: Value, opcode: Opcode) -> Option<(Value, u128)> {
        let (a, b) = self.binary(value, opcode)?;
        Some((a, self.bits(b)?))
    }

    /// The operand of `value` if a one-operand `opcode` defines it.
    fn unary(&self, value: Value, opcode: Opcode) -> Option<Value> {
        let (inst, _) = self.def(value, opcode)?;
        Some(self.func.operand(inst, 0))
    }

    /// What the definition of a scalar says about it.
    fn known(&self, value: Value) -> Range {
        known(self.func, value)
    }

    fn one_use(&self, value: Value) -> bool {
        self.func.has_one_use(value)
    }

    /// A constant.
    fn constant_of(&mut self, ty: Type, bits: u128) -> Value {
        self.func.bits_const(ty, bits)
    }

    /// A constant of the type of `like`.
    fn constant(&mut self, like: Value, bits: u128) -> Value {
        let ty = self.ty(like);
        self.func.bits_const(ty, bits)
    }

    fn builder(&mut self, before: Inst) -> Builder<'_> {
        Builder::before(self.func, before)
    }

    /// Turns `inst` into a two-operand operation of the same result type.
    fn become_binary(&mut self, inst: Inst, opcode: Opcode, flags: u8, a: Value, b: Value) -> Option<Rewrite> {
        self.become_view(inst, InstView::Binary { op: opcode, a, b, flags })
    }

    /// Turns `inst` into an integer comparison.
    fn become_icmp(&mut self, inst: Inst, cc: IntCc, a: Value, b: Value) -> Option<Rewrite> {
        self.become_view(inst, InstView::ICmp { cc, a, b })
    }

    /// Turns `inst` into another operation of the same result type.
    fn become_view(&mut self, inst: Inst, new: InstView) -> Option<Rewrite> {
        self.func.replace_with(inst, new);
        Some(Rewrite::InPlace)
    }

    /// Turns `inst` into a one-operand operation of the same result type.
    fn become_unary(&mut self, inst: Inst, opcode: Opcode, a: Value) -> Option<Rewrite> {
        self.become_view(inst, InstView::Unary { op: opcode, a, flags: 0 })
    }
}
