//! Makes the loop: a header with phis for the parameters, jumps in place of calls, accumulators.

use ir::{Block, Builder, Function, Inst, Opcode, Position, Type, Value};
use rustc_hash::FxHashMap;

use super::form::{Extension, Form, Step};

/// The phis of the loop's header.
struct Header {
    block: Block,
    /// By parameter; none of those that all calls hand on as they are.
    params: Vec<Option<Inst>>,
    /// The phi that stands for a parameter now.
    replaced: FxHashMap<Value, Value>,
    sum: Option<Inst>,
    product: Option<Inst>,
}

/// Turns the calls into jumps to what the function begins with, where they are accumulated by the
/// result: what every return adds and multiplies.
pub fn make_loop(func: &mut Function, forms: &[Form]) -> Accumulated {
    let entry = func.entry();
    let block = split_entry(func);
    let mut header = Header { block, params: Vec::new(), replaced: FxHashMap::default(), sum: None, product: None };
    make_params(func, &mut header, entry, forms);
    make_accumulators(func, &mut header, entry, forms);
    mark_lifetimes(func, block);
    // What `restrict` says holds for one activation, and the loop is many.
    func.restrict_params.clear();
    forms.iter().for_each(|form| replace_call(func, &header, form));
    Accumulated {
        header: block,
        sum: header.sum.map(|phi| func.first_result(phi)),
        product: header.product.map(|phi| func.first_result(phi)),
        extension: forms.iter().find_map(|form| form.extension),
    }
}

/// What has been put off in the iterations before.
pub struct Accumulated {
    /// Where the loop begins. The entry block only jumps there.
    pub header: Block,
    sum: Option<Value>,
    product: Option<Value>,
    extension: Option<Extension>,
}

/// Every return that is left returns its value times the product plus the sum.
pub fn finish_returns(func: &mut Function, accumulated: &Accumulated) {
    if accumulated.sum.is_none() && accumulated.product.is_none() {
        return;
    }
    let returns: Vec<Inst> =
        func.blocks().map(|b| func.terminator(b)).filter(|&i| func.insts[i].opcode == Opcode::Ret).collect();
    for ret in returns {
        if func.list(ret).is_empty() {
            continue;
        }
        let mut value = func.operand(ret, 0);
        let mut b = Builder::before(func, ret);
        if let Some(product) = accumulated.product {
            value = b.binary(Opcode::Mul, value, product);
        }
        if let Some(sum) = accumulated.sum {
            value = b.binary(Opcode::Add, value, sum);
        }
        if let Some(extension) = accumulated.extension {
            value = extend(&mut b, value, extension);
        }
        func.set_operand(ret, 0, value);
    }
}

/// Converts a value as every return does.
fn extend(b: &mut Builder<'_>, value: Value, extension: Extension) -> Value {
    let ty = b.func.value_type(value);
    if extension.signed {
        let narrow = Type::int(extension.bits).expect("was extended from a type of this width");
        let low = b.unary(Opcode::Trunc, narrow, value);
        return b.unary(Opcode::SExt, ty, low);
    }
    let mask = b.func.bits_const(ty, (1 << extension.bits) - 1);
    b.binary(Opcode::And, value, mask)
}

/// Moves what the entry block does to a new block; its slots stay.
fn split_entry(func: &mut Function) -> Block {
    let entry = func.entry();
    let header = func.make_block();
    func.insert_block_after(entry, header);
    let is_slot = |func: &Function, inst: Inst| func.insts[inst].opcode == Opcode::Alloca;
    let first = func.block_insts(entry).find(|&i| !is_slot(func, i)).expect("block has a terminator");
    func.split_insts(first, header);
    let slots: Vec<Inst> = func.block_insts(header).filter(|&i| is_slot(func, i)).collect();
    for slot in slots {
        func.unplace_inst(slot);
        func.append_inst(entry, slot);
    }
    Builder::new(func, Position::End(entry)).br(header);
    func.replace_pred_in_targets(entry, header);
    header
}

/// Phis of the parameters that change from iteration to iteration, in the place of these
/// everywhere.
fn make_params(func: &mut Function, header: &mut Header, entry: Block, forms: &[Form]) {
    for (index, param) in func.params().to_vec().into_iter().enumerate() {
        let changes = forms.iter().any(|form| func.list(form.call)[index + 1] != param);
        header.params.push(changes.then(|| {
            let first = func.first_inst(header.block).expect("block has a terminator");
            let ty = func.value_type(param);
            // Its entry is the parameter, which is about to be replaced: last.
            let phi = Builder::new(func, Position::Before(first)).phi(ty, &[]);
            let result = func.first_result(phi);
            func.replace_all_uses(param, result);
            func.phi_push(phi, param, entry);
            header.replaced.insert(param, result);
            phi
        }));
    }
}

/// Phis of what is accumulated, as far as some call needs it.
fn make_accumulators(func: &mut Function, header: &mut Header, entry: Block, forms: &[Form]) {
    let steps = || forms.iter().flat_map(|form| &form.steps);
    let adds = steps().any(|step| matches!(step, Step::Add(_) | Step::Sub(_) | Step::SubFrom(_)));
    let multiplies = steps().any(|step| matches!(step, Step::Mul(_) | Step::Shl(_) | Step::SubFrom(_)));
    let Some(result) = forms.first().and_then(|form| func.result(form.call)) else { return };
    let ty = func.value_type(result);
    let mut make = |start: i64| {
        let first = func.first_inst(header.block).expect("block has a terminator");
        let start = func.iconst(ty, start);
        Builder::new(func, Position::Before(first)).phi(ty, &[(start, entry)])
    };
    header.sum = adds.then(|| make(0));
    header.product = multiplies.then(|| make(1));
}

/// Slots begin undefined in each iteration, as they do at each call: no value is to seem to flow
/// around the loop.
fn mark_lifetimes(func: &mut Function, header: Block) {
    let slots: Vec<Value> = func
        .all_insts()
        .filter(|&i| func.insts[i].opcode == Opcode::Alloca)
        .map(|i| func.first_result(i))
        .filter(|&slot| !func.uses(slot).any(|(user, _)| func.insts[user].opcode == Opcode::LifetimeStart))
        .collect();
    let first = func.first_non_phi(header).expect("block has a terminator");
    for slot in slots {
        Builder::before(func, first).effect(Opcode::LifetimeStart, slot);
    }
}

/// A jump in place of a call and of what its block does with the results.
fn replace_call(func: &mut Function, header: &Header, form: &Form) {
    let block = func.inst_block(form.call).expect("call is placed");
    let args: Vec<Value> = func.list(form.call)[1..].to_vec();
    form.passed.iter().for_each(|&inst| drop_flags(func, inst));
    let (sum, product) = accumulate(func, header, form, func.terminator(block));
    func.targets(block).into_iter().for_each(|target| func.drop_pred(target, block));
    let loc = func.inst_locs[form.call];
    func.remove_inst(func.terminator(block));
    form.chain.iter().rev().for_each(|&inst| remove(func, inst));
    remove(func, form.call);
    let mut b = Builder::new(func, Position::End(block));
    b.loc = loc;
    b.br(header.block);
    let params = header.params.iter().copied().zip(args);
    for (phi, value) in params.chain([(header.sum, sum), (header.product, product)].into_iter().filter_map(known)) {
        phi.into_iter().for_each(|phi| func.phi_push(phi, value, block));
    }
}

fn known((phi, value): (Option<Inst>, Option<Value>)) -> Option<(Option<Inst>, Value)> {
    value.map(|value| (phi, value))
}

/// Removes an instruction whose results only blocks use that are not entered any more.
fn remove(func: &mut Function, inst: Inst) {
    for result in func.results(inst) {
        if func.has_uses(result) {
            let ty = func.value_type(result);
            let undef = Builder::before(func, inst).undef(ty);
            func.replace_all_uses(result, undef);
        }
    }
    func.remove_inst(inst);
}

/// An overflow that came after the call was none of a program that does not return from it.
fn drop_flags(func: &mut Function, inst: Inst) {
    use Opcode::*;
    if matches!(func.insts[inst].opcode, Add | Sub | Mul | Shl | SDiv | UDiv | LShr | AShr | PtrAdd) {
        func.clear_flags(inst);
    }
}

/// The accumulators of the next iteration, computed before `before`.
fn accumulate(func: &mut Function, header: &Header, form: &Form, before: Inst) -> (Option<Value>, Option<Value>) {
    let mut sum = header.sum.map(|phi| func.first_result(phi));
    let mut product = header.product.map(|phi| func.first_result(phi));
    let Some(result) = func.result(form.call) else { return (sum, product) };
    let mut b = Builder::before(func, before);
    let mut line = Line { ty: b.func.value_type(result), sum: None, product: None };
    form.steps.iter().for_each(|&step| line.step(&mut b, header, step));
    if let Some(term) = line.sum {
        let term = product.map_or(term, |product| b.binary(Opcode::Mul, term, product));
        sum = sum.map(|sum| b.binary(Opcode::Add, sum, term));
    }
    if let Some(factor) = line.product {
        product = product.map(|product| b.binary(Opcode::Mul, product, factor));
    }
    (sum, product)
}

/// What is returned, as a function of what the call returns: times `product` (or 1) plus `sum` (or
/// 0).
struct Line {
    ty: Type,
    sum: Option<Value>,
    product: Option<Value>,
}

impl Line {
    fn step(&mut self, b: &mut Builder<'_>, header: &Header, step: Step) {
        match step {
            Step::Add(value) => {
                let value = self.widen(b, header, value);
                self.sum = Some(self.sum.map_or(value, |sum| b.binary(Opcode::Add, sum, value)));
            }
            Step::Sub(value) => {
                let value = self.widen(b, header, value);
                let sum = self.sum.unwrap_or_else(|| b.iconst(self.ty, 0));
                self.sum = Some(b.binary(Opcode::Sub, sum, value));
            }
            Step::SubFrom(value) => {
                let value = self.widen(b, header, value);
                self.sum = Some(self.sum.map_or(value, |sum| b.binary(Opcode::Sub, value, sum)));
                let minus_one = b.iconst(self.ty, -1);
                self.multiply_product(b, minus_one);
            }
            Step::Mul(value) => {
                let value = self.widen(b, header, value);
                self.sum = self.sum.map(|sum| b.binary(Opcode::Mul, sum, value));
                self.multiply_product(b, value);
            }
            Step::Shl(amount) => {
                let factor = b.func.bits_const(self.ty, 1 << amount);
                self.sum = self.sum.map(|sum| b.binary(Opcode::Mul, sum, factor));
                self.multiply_product(b, factor);
            }
        }
    }

    fn multiply_product(&mut self, b: &mut Builder<'_>, factor: Value) {
        self.product = Some(self.product.map_or(factor, |product| b.binary(Opcode::Mul, product, factor)));
    }

    /// The value as the body has it now, in the result's type. Of narrow values only the low bits
    /// matter.
    fn widen(&self, b: &mut Builder<'_>, header: &Header, value: Value) -> Value {
        let value = header.replaced.get(&value).copied().unwrap_or(value);
        if b.func.value_type(value) == self.ty {
            return value;
        }
        match b.func.const_bits(value) {
            Some(bits) => b.func.bits_const(self.ty, bits),
            None => b.unary(Opcode::ZExt, self.ty, value),
        }
    }
}
