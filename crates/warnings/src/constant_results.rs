//! Calls of small functions of the unit whose results are constants because their arguments are:
//! `err = make_error(3)` is never zero, which gcc knows once the function is inlined.

use ir::copying::exact_definition;
use ir::{Block, Function, Inst, InstView, Linkage, Module, Opcode, Type, Value, fold};
use platform::options::Options;
use rustc_hash::FxHashMap;

/// Instructions that are evaluated for one call, with those of the calls in it.
const MAX_STEPS: usize = 200;
/// How deep calls may stand in each other.
const MAX_DEPTH: u32 = 6;

/// A copy of a function in which the results of such calls are constants, if it has some.
pub fn settle(module: &Module, func: &Function, options: &Options) -> Option<Function> {
    let of_call = |call: Inst| {
        let result = func.result(call)?;
        let mut steps = MAX_STEPS;
        let arguments: Option<Vec<u128>> = func.list(call)[1..].iter().map(|&value| func.const_bits(value)).collect();
        let bits = evaluate(module, options, callee(module, func, call, options)?, &arguments?, 0, &mut steps)?;
        Some((result, bits))
    };
    let calls = func.all_insts().filter(|&inst| func.insts[inst].opcode == Opcode::Call);
    let known: Vec<(Value, u128)> = calls.filter_map(of_call).collect();
    if known.is_empty() {
        return None;
    }
    let mut copy = func.clone();
    if !copy.has_use_lists() {
        copy.build_uses();
    }
    for (result, bits) in known {
        let constant = copy.make_const(copy.value_type(result), ir::Constant::Bits(bits));
        copy.replace_all_uses(result, constant);
    }
    Some(copy)
}

/// The definition that a call reaches, one that gcc may inline.
fn callee<'m>(module: &'m Module, func: &Function, call: Inst, options: &Options) -> Option<&'m Function> {
    let (symbol, 0) = func.const_symbol(func.list(call)[0])? else { return None };
    let data = &module.symbols[symbol];
    if data.linkage != Linkage::Local && !data.attrs.has(ir::FnAttrs::INLINE_HINT) {
        return None;
    }
    if data.attrs.has(ir::FnAttrs::NOINLINE) || data.attrs.has(ir::FnAttrs::OPTNONE) {
        return None;
    }
    exact_definition(module, symbol, options.interposable()).map(|id| &module.functions[id])
}

/// A function as it runs with constant arguments: it may only compute, and keep numbers in its own
/// variables.
struct Run<'f> {
    func: &'f Function,
    values: FxHashMap<Value, u128>,
    /// What the variables hold, by their allocas.
    memory: FxHashMap<Value, (Type, u128)>,
}

/// What a function returns; `None` if that depends on anything but its arguments, or is not found
/// out within the limits.
fn evaluate(
    module: &Module,
    options: &Options,
    func: &Function,
    arguments: &[u128],
    depth: u32,
    steps: &mut usize,
) -> Option<u128> {
    if depth > MAX_DEPTH || func.params().len() != arguments.len() || func.blocks().next().is_none() {
        return None;
    }
    let values = func.params().iter().copied().zip(arguments.iter().copied()).collect();
    let mut run = Run { func, values, memory: FxHashMap::default() };
    let mut block = func.entry();
    loop {
        for inst in func.block_insts(block) {
            *steps = steps.checked_sub(1)?;
            if func.insts[inst].opcode == Opcode::Call {
                let arguments: Option<Vec<u128>> = func.list(inst)[1..].iter().map(|&value| run.bits(value)).collect();
                let called = callee(module, func, inst, options)?;
                let bits = evaluate(module, options, called, &arguments?, depth + 1, steps)?;
                run.values.insert(func.result(inst)?, bits);
            } else if inst != func.terminator(block) {
                run.step(inst)?;
            }
        }
        let end = func.terminator(block);
        if func.insts[end].opcode == Opcode::Ret {
            return if func.num_operands(end) == 1 { run.bits(func.operand(end, 0)) } else { None };
        }
        block = run.next(end)?;
    }
}

impl Run<'_> {
    fn bits(&self, value: Value) -> Option<u128> {
        self.func.const_bits(value).or_else(|| self.values.get(&value).copied())
    }

    /// One instruction that is no call and ends no block.
    fn step(&mut self, inst: Inst) -> Option<()> {
        let func = self.func;
        let data = func.insts[inst];
        match data.opcode {
            Opcode::Alloca | Opcode::LifetimeStart | Opcode::LifetimeEnd => return Some(()),
            Opcode::Store if !data.is_volatile() => {
                let (variable, value) = (func.operand(inst, 0), func.operand(inst, 1));
                func.def_with(variable, Opcode::Alloca)?;
                self.memory.insert(variable, (func.value_type(value), self.bits(value)?));
                return Some(());
            }
            _ => {}
        }
        let result = func.result(inst)?;
        let bits = if data.opcode == Opcode::Load {
            let &(ty, bits) = self.memory.get(&func.operand(inst, 0))?;
            (ty == data.ty && !data.is_volatile()).then_some(bits)?
        } else {
            self.computed(inst)?
        };
        self.values.insert(result, bits);
        Some(())
    }

    fn computed(&self, inst: Inst) -> Option<u128> {
        let func = self.func;
        let data = func.insts[inst];
        let operands: Option<Vec<u128>> = func.operands(inst).map(|operand| self.bits(operand)).collect();
        let operands = operands?;
        let from = func.value_type(func.operands(inst).next()?);
        match (data.view(), &operands[..]) {
            (InstView::ICmp { cc, .. }, &[a, b]) => fold::icmp(cc, from, a, b).map(u128::from),
            (InstView::FCmp { cc, .. }, &[a, b]) => fold::fcmp(cc, from, a, b).map(u128::from),
            (_, &[a]) => fold::unary(data.opcode, from, data.ty, a),
            (_, &[a, b]) => fold::binary(data.opcode, from, a, b),
            (_, &[chosen, a, b]) if data.opcode == Opcode::Select && from == Type::I1 => {
                Some(if chosen != 0 { a } else { b })
            }
            _ => None,
        }
    }

    /// Where the end of a block goes.
    fn next(&self, end: Inst) -> Option<Block> {
        let func = self.func;
        let data = func.insts[end];
        match data.opcode {
            Opcode::Br => Some(data.dest()),
            Opcode::CondBr => {
                let (then, els) = data.dests();
                Some(if self.bits(func.operand(end, 0))? != 0 { then } else { els })
            }
            Opcode::Switch => {
                let value = func.operand(end, 0);
                let (bits, mask) = (self.bits(value)?, func.value_type(value).mask());
                let cases = func.switch(end);
                let taken = cases.cases.iter().find(|&&(case, _)| u128::from(case) & mask == bits);
                Some(taken.map_or(cases.default, |&(_, to)| to))
            }
            _ => None,
        }
    }
}
