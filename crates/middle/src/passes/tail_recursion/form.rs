//! What becomes of a call's results up to the return.

use ir::{Block, Function, Inst, Module, Opcode, ParamKind, Type, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};

use ir::analysis::facts::known;
use ir::effects;

/// Blocks on the way to a return, at most.
const MAX_BLOCKS: usize = 8;
/// Values looked at to see whether what is returned is converted.
const MAX_VALUES: u32 = 32;

/// A step from the call's result to what is returned: the value so far and another one.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// So far + value.
    Add(Value),
    /// So far - value.
    Sub(Value),
    /// Value - so far.
    SubFrom(Value),
    /// So far * value.
    Mul(Value),
    /// So far * 2^number.
    Shl(u32),
}

/// The low `bits` of a value, extended to its width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extension {
    /// By the sign, or else by zeros.
    pub signed: bool,
    /// Width of what is extended.
    pub bits: u32,
}

/// How the results of a call are returned.
pub struct Form {
    /// The call, which is of the function itself where that matters.
    pub call: Inst,
    /// What is done with the only result, in order, as far as its low bits are concerned (see
    /// `extension`).
    pub steps: Vec<Step>,
    /// The conversion at the end, if the steps hold for low bits only.
    pub extension: Option<Extension>,
    /// Instructions between the call and the end of its block that compute what is returned, in
    /// order: they go with the call.
    pub chain: Vec<Inst>,
    /// The other instructions between the call and the end of its block: they run before what the
    /// call did.
    pub passed: Vec<Inst>,
}

impl Form {
    /// Whether the results are returned as they are.
    pub fn is_plain(&self) -> bool {
        self.steps.is_empty() && self.extension.is_none()
    }
}

/// How the results of `call` are returned, if nothing else happens until then that the call could
/// change or that could change what the call does. `reads_only` is what [`only_reads`] says.
pub fn find_form(func: &Function, module: &Module, call: Inst, reads_only: bool) -> Option<Form> {
    let mut way = Way::new(func, module, call, reads_only);
    let mut block = func.inst_block(call).expect("call is placed");
    let mut inst = func.next_inst(call).expect("a call is no terminator");
    for hop in 0..MAX_BLOCKS {
        while !func.insts[inst].opcode.is_terminator() {
            way.pass(inst, hop > 0)?;
            inst = func.next_inst(inst).expect("block has a terminator");
        }
        match func.insts[inst].opcode {
            Opcode::Ret => return way.finish(inst),
            Opcode::Br => {
                let target = func.insts[inst].dest();
                way.enter(target, block)?;
                block = target;
                inst = func.first_non_phi(block).expect("block has a terminator");
            }
            _ => return None,
        }
    }
    None
}

/// The way from a call to its return.
struct Way<'a> {
    func: &'a Function,
    module: &'a Module,
    reads_only: bool,
    /// Where the results are now.
    current: Vec<Value>,
    /// All that depends on the call.
    dependent: FxHashSet<Value>,
    /// What phis of later blocks are on this way.
    phis: FxHashMap<Value, Value>,
    /// Blocks after the call's.
    later: Vec<Block>,
    /// How many low bits of the value the steps give.
    exact: u32,
    /// The conversion that came last.
    extended: Option<Extension>,
    form: Form,
}

impl<'a> Way<'a> {
    fn new(func: &'a Function, module: &'a Module, call: Inst, reads_only: bool) -> Way<'a> {
        let current: Vec<Value> = func.results(call).collect();
        Way {
            func,
            module,
            reads_only,
            dependent: current.iter().copied().collect(),
            exact: current.first().map_or(0, |&v| func.value_type(v).bits()),
            current,
            phis: FxHashMap::default(),
            later: Vec::new(),
            extended: None,
            form: Form { call, steps: Vec::new(), extension: None, chain: Vec::new(), passed: Vec::new() },
        }
    }

    /// An instruction on the way. `later`: in a block after the call's, which is not entered any
    /// more.
    fn pass(&mut self, inst: Inst, later: bool) -> Option<()> {
        if self.func.operands(inst).any(|v| self.dependent.contains(&v)) {
            if !self.is_dead(inst) {
                self.step(inst)?;
            }
            self.dependent.extend(self.func.results(inst));
            if !later {
                self.form.chain.push(inst);
            }
            return Some(());
        }
        if later {
            let leaves_no_trace = effects::is_removable_if_unused(self.func, self.module, inst)
                && !effects::may_write_memory(self.func, self.module, inst);
            return (leaves_no_trace || self.func.insts[inst].opcode == Opcode::LifetimeEnd).then_some(());
        }
        self.form.passed.push(inst);
        self.may_precede_call(inst).then_some(())
    }

    /// Whether an instruction does nothing but compute what nobody uses.
    fn is_dead(&self, inst: Inst) -> bool {
        !self.func.results(inst).any(|v| self.func.has_uses(v))
            && effects::is_removable_if_unused(self.func, self.module, inst)
    }

    /// Whether an instruction that follows the call and does not depend on it may run before what
    /// the call does.
    fn may_precede_call(&self, inst: Inst) -> bool {
        let func = self.func;
        let is_float = |v: Value| func.value_type(v).lane().is_float();
        match func.insts[inst].opcode {
            Opcode::Undef | Opcode::LifetimeEnd => true,
            Opcode::Load => !effects::may_write_memory(func, self.module, inst) && self.reads_only,
            // Exceptions and rounding of floats are state that the call may look at.
            Opcode::Intrinsic => false,
            _ => {
                effects::is_pure(func, inst)
                    && !effects::may_trap(func, inst)
                    && !func.operands(inst).chain(func.results(inst)).any(is_float)
            }
        }
    }

    /// An instruction that changes the result.
    fn step(&mut self, inst: Inst) -> Option<()> {
        let func = self.func;
        let &[current] = &self.current[..] else { return None };
        let ty = func.value_type(func.result(inst)?);
        let wide = func.value_type(func.first_result(self.form.call));
        let fits = |ty: Type| ty.is_scalar() && ty.is_int() && ty.bits() <= wide.bits();
        if !fits(ty) || !fits(wide) {
            return None;
        }
        let index = func.operands(inst).position(|v| v == current)?;
        match func.insts[inst].opcode {
            Opcode::Trunc => self.keep(ty.bits(), None),
            Opcode::ZExt | Opcode::SExt => {
                let signed = func.insts[inst].opcode == Opcode::SExt;
                let bits = func.value_type(current).bits();
                self.keep(bits, Some(Extension { signed, bits }));
            }
            Opcode::And => {
                let mask = func.const_bits(func.operand(inst, 1 - index))?;
                let bits = mask.trailing_ones();
                (mask.checked_shr(bits).unwrap_or(0) == 0 && bits > 0).then_some(())?;
                self.keep(bits, Some(Extension { signed: false, bits }));
            }
            _ => {
                let step = self.arithmetic(inst, index)?;
                self.form.steps.push(step);
                self.extended = None;
            }
        }
        self.current[0] = func.first_result(inst);
        Some(())
    }

    fn keep(&mut self, bits: u32, extended: Option<Extension>) {
        self.exact = self.exact.min(bits);
        self.extended = extended;
    }

    /// The step that an operation is whose operand number `index` is the value so far.
    fn arithmetic(&self, inst: Inst, index: usize) -> Option<Step> {
        let func = self.func;
        let other = || self.available(func.operand(inst, 1 - index));
        let so_far = func.operand(inst, index);
        match func.insts[inst].opcode {
            Opcode::Add => Some(Step::Add(other()?)),
            Opcode::Sub if index == 0 => Some(Step::Sub(other()?)),
            Opcode::Sub => Some(Step::SubFrom(other()?)),
            Opcode::Mul => Some(Step::Mul(other()?)),
            Opcode::Shl if index == 0 => {
                let amount = func.const_bits(func.operand(inst, 1))?;
                (amount < func.value_type(so_far).bits().into()).then_some(Step::Shl(amount as u32))
            }
            // Of numbers without a common bit: a sum.
            Opcode::Or => {
                let zeros = known(func, so_far).zero | known(func, func.operand(inst, 1 - index)).zero;
                (zeros == func.value_type(so_far).mask()).then_some(Step::Add(other()?))
            }
            _ => None,
        }
    }

    /// What a value is at the end of the call's block, if it is known there and does not depend on
    /// the call.
    fn available(&self, value: Value) -> Option<Value> {
        let value = self.phis.get(&value).copied().unwrap_or(value);
        let block = self.func.def_inst(value).and_then(|inst| self.func.inst_block(inst));
        let later = block.is_some_and(|block| self.later.contains(&block));
        (!later && !self.dependent.contains(&value)).then_some(value)
    }

    /// The way goes on from `pred` to `block`.
    fn enter(&mut self, block: Block, pred: Block) -> Option<()> {
        let func = self.func;
        if self.later.contains(&block) || func.inst_block(self.form.call) == Some(block) {
            return None;
        }
        let mut current = self.current.clone();
        for phi in func.phis(block) {
            let (result, value) = (func.first_result(phi), func.phi_value(phi, pred)?);
            match self.current.iter().position(|&v| v == value) {
                Some(number) => {
                    current[number] = result;
                    self.dependent.insert(result);
                }
                None => {
                    self.phis.insert(result, self.available(value)?);
                }
            }
        }
        self.current = current;
        self.later.push(block);
        Some(())
    }

    /// The way ends here.
    fn finish(mut self, ret: Inst) -> Option<Form> {
        let func = self.func;
        let returned = func.list(ret);
        let place = self.place_of_result();
        let is_current = |(&value, &current): (&Value, &Value)| {
            value == current || place.is_some() && self.available(value) == place
        };
        let same = returned.len() == self.current.len() && returned.iter().zip(&self.current).all(is_current);
        if !same && !returned.is_empty() {
            return None;
        }
        let Some(&first) = returned.first() else {
            self.form.steps.clear();
            return Some(self.form);
        };
        if self.exact < func.value_type(first).bits() {
            self.form.extension = Some(self.extended.filter(|extension| extension.bits <= self.exact)?);
        }
        Some(self.form)
    }

    /// The parameter that says where the function's result in memory goes, if the call has the same
    /// place. The function returns it, as the call does.
    fn place_of_result(&self) -> Option<Value> {
        let signature = &self.module.signatures[self.func.sig];
        let index = signature.params.iter().position(|p| matches!(p.kind, ParamKind::StructReturn))?;
        let param = self.func.params()[index];
        (self.func.list(self.form.call).get(index + 1) == Some(&param)).then_some(param)
    }
}

/// Whether the function changes nothing that a load could see, but for what it calls itself for.
pub fn only_reads(func: &Function, module: &Module) -> bool {
    let own = |inst: Inst| {
        func.insts[inst].opcode == Opcode::Call && func.const_symbol(func.list(inst)[0]) == Some((func.symbol, 0))
    };
    let keeps = |inst: Inst| own(inst) || !effects::may_write_memory(func, module, inst);
    func.blocks().all(|b| func.block_insts(b).all(keeps))
}

/// Leaves the forms that can be one loop: with conversions of one kind, if every return converts
/// like that.
pub fn agree(func: &Function, forms: &mut Vec<Form>) {
    let Some(extension) = forms.iter().find_map(|form| form.extension) else { return };
    let calls: FxHashSet<Value> =
        forms.iter().filter(|form| form.is_plain()).filter_map(|form| func.result(form.call)).collect();
    let returned = func.blocks().map(|b| func.terminator(b)).filter(|&i| func.insts[i].opcode == Opcode::Ret);
    let mut checked = Extended { func, extension, calls: &calls, seen: FxHashSet::default(), left: MAX_VALUES };
    let all = returned.filter_map(|ret| func.list(ret).first()).all(|&value| checked.holds(value));
    forms.retain(
        |form| if all { form.is_plain() || form.extension == Some(extension) } else { form.extension.is_none() },
    );
}

/// Whether values are as a conversion leaves them.
struct Extended<'a> {
    func: &'a Function,
    extension: Extension,
    /// Results that will be as what is returned elsewhere.
    calls: &'a FxHashSet<Value>,
    /// Phis that were looked at.
    seen: FxHashSet<Value>,
    left: u32,
}

impl Extended<'_> {
    /// Looks through phis, at most [`MAX_VALUES`] values deep.
    fn holds(&mut self, value: Value) -> bool {
        let func = self.func;
        let Extension { signed, bits } = self.extension;
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        if self.calls.contains(&value) || !self.seen.insert(value) {
            return true;
        }
        if let Some(number) = func.const_i64(value) {
            let limit = 1i64 << (bits - u32::from(signed));
            return number < limit && number >= if signed { -limit } else { 0 };
        }
        let ValueDef::Result(inst, _) = func.value_def(value) else { return false };
        let narrow = || func.value_type(func.operand(inst, 0)).bits();
        match func.insts[inst].opcode {
            Opcode::Phi => (0..func.num_operands(inst)).all(|index| self.holds(func.operand(inst, index))),
            Opcode::SExt if signed => narrow() <= bits,
            Opcode::ZExt if narrow() < bits => true,
            _ if signed => false,
            _ => known(func, value).umax >> bits == 0,
        }
    }
}
