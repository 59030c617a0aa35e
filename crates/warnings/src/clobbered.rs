//! `-Wclobbered`: variables whose value a second return of `setjmp` or `vfork` may take back.
//!
//! A variable in a register has, after `longjmp`, the value that the register had when `setjmp` was
//! called or when `longjmp` was; C leaves it indeterminate (C17 7.13.2.1p3). gcc warns of
//! variables that are in registers, set more than once, and still wanted after such a call. Here a
//! variable is one that is only loaded and stored as a whole. Every call may end in the place after
//! each call that returns twice and comes before it, with the values that variables have there;
//! where values of several stores reach that place, or one that others join later, and a load comes
//! after a second return, there is a warning. As in gcc constants are in no register by themselves,
//! nor is the choice between one value and a constant before the call. Which variables are in
//! registers of their own depends on all of gcc's optimisations; it also warns of some that only
//! the first return wants.
//!
//! **Cost.** Nothing but in functions with such calls: a copy, and two data flows for each
//! variable.

use base::Loc;
use cranelift_entity::SecondaryMap;
use ir::analysis::Cfg;
use ir::{Block, FnAttrs, Function, Inst, InstView, IntCc, Intrinsic, Module, Opcode, Value, ValueDef, effects};

/// A variable that may lose its value.
#[derive(Clone, Debug)]
pub struct Clobbered {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub declared: Loc,
    /// Whether it is a parameter.
    pub is_argument: bool,
}

/// Stores that are told apart; the last bit stands for all further ones.
const MAX_STORES: usize = 64;

/// Functions with more variables times blocks times such calls are not looked at.
const MAX_WORK: usize = 4_000_000;

/// The variables of `func`, in alloca form, that a second return may clobber: those declared in it
/// first, then parameters.
pub fn check(module: &Module, func: &Function) -> Vec<Clobbered> {
    let calls: Vec<Inst> = func.all_insts().filter(|&inst| returns_twice(module, func, inst)).collect();
    if calls.is_empty() || func.variables.len() * func.blocks().count() * calls.len() > MAX_WORK {
        return Vec::new();
    }
    let mut func = func.clone();
    func.build_uses();
    let func = &func;
    let cfg = Cfg::compute(func);
    let returns: Vec<Return> = calls.into_iter().map(|call| Return::new(func, &cfg, call)).collect();
    let order: Vec<Block> = cfg.reverse_postorder().collect();
    let accesses = collect(func);
    let mut found: Vec<Clobbered> = Vec::new();
    for (variable, accesses) in func.variables.iter().zip(&accesses) {
        let Some(accesses) = accesses else { continue };
        let flow = Flow { module, func, cfg: &cfg, order: &order, accesses, returns: &returns };
        if flow.may_be_clobbered() {
            let name = variable.name.to_string();
            let is_argument = accesses.is_argument(func);
            found.push(Clobbered { name, declared: variable.declared, is_argument });
        }
    }
    found.sort_by_key(|f| (f.is_argument, f.declared));
    found
}

/// A call that returns twice.
struct Return {
    call: Inst,
    block: Block,
    /// Blocks that control may come to after it.
    after: SecondaryMap<Block, bool>,
}

impl Return {
    fn new(func: &Function, cfg: &Cfg, call: Inst) -> Return {
        let block = func.inst_block(call).expect("stands in a block");
        let mut after = SecondaryMap::new();
        let mut work: Vec<Block> = cfg.succs(block).to_vec();
        while let Some(next) = work.pop() {
            if !std::mem::replace(&mut after[next], true) {
                work.extend(cfg.succs(next));
            }
        }
        Return { call, block, after }
    }
}

fn returns_twice(module: &Module, func: &Function, inst: Inst) -> bool {
    match func.view(inst) {
        InstView::Call { .. } => {
            let callee = func.const_symbol(func.list(inst)[0]).map(|(symbol, _)| module.symbols[symbol].attrs);
            func.call_info(inst).attrs.has(FnAttrs::RETURNS_TWICE)
                || callee.is_some_and(|attrs| attrs.has(FnAttrs::RETURNS_TWICE))
        }
        InstView::Intrinsic { intrinsic, .. } => intrinsic == Intrinsic::SetJmp,
        _ => false,
    }
}

/// Loads and stores of a variable that is never used in another way.
#[derive(Default)]
struct Accesses {
    stores: Vec<Inst>,
    loads: usize,
    /// By instruction: 0 none, 1 a load, else the number of the store plus 2.
    of: SecondaryMap<Inst, u32>,
}

impl Accesses {
    fn is_argument(&self, func: &Function) -> bool {
        let is_parameter = |&store: &Inst| matches!(func.value_def(func.operand(store, 1)), ValueDef::Param(_));
        self.stores.first().is_some_and(is_parameter)
    }
}

/// The accesses of the variables, as [`Function::variables`]; `None` for those not looked at.
fn collect(func: &Function) -> Vec<Option<Accesses>> {
    let mut number: SecondaryMap<Value, u32> = SecondaryMap::new();
    let mut out: Vec<Option<Accesses>> = Vec::new();
    for (index, variable) in func.variables.iter().enumerate() {
        let placed = func.inst_block(variable.alloca).is_some() && !variable.declared.is_none();
        if placed {
            number[func.first_result(variable.alloca)] = index as u32 + 1;
        }
        out.push(placed.then(Accesses::default));
    }
    for inst in func.blocks().flat_map(|block| func.block_insts(block)) {
        for (at, operand) in func.operands(inst).enumerate() {
            let Some(index) = number[operand].checked_sub(1).map(|index| index as usize) else { continue };
            let data = func.insts[inst];
            let size = func.alloca_info(func.variables[index].alloca).0;
            let whole = |value: Value| {
                let ty = func.value_type(value);
                !ty.is_vector() && u64::from(ty.store_size()) == size && !data.is_volatile()
            };
            let Some(accesses) = &mut out[index] else { continue };
            match data.opcode {
                Opcode::LifetimeStart | Opcode::LifetimeEnd => {}
                Opcode::Load if whole(func.first_result(inst)) => {
                    accesses.of[inst] = 1;
                    accesses.loads += 1;
                }
                Opcode::Store if at == 0 && whole(func.operand(inst, 1)) => {
                    accesses.of[inst] = accesses.stores.len() as u32 + 2;
                    accesses.stores.push(inst);
                }
                _ => out[index] = None,
            }
        }
    }
    out
}

/// The flow of one variable's values.
struct Flow<'f> {
    module: &'f Module,
    func: &'f Function,
    cfg: &'f Cfg,
    order: &'f [Block],
    accesses: &'f Accesses,
    returns: &'f [Return],
}

/// Where stores' values reach.
struct Reach {
    /// The stores whose values each call that returns twice may leave, without and with those that
    /// jumps bring.
    at_returns: Vec<(u64, u64)>,
    /// The stores that some load may see together.
    webs: Vec<u64>,
}

impl Flow<'_> {
    fn may_be_clobbered(&self) -> bool {
        if self.accesses.stores.len() < 2 || self.accesses.loads == 0 {
            return false;
        }
        let reach = self.reach();
        let joined = |mut set: u64| {
            loop {
                let more = reach.webs.iter().filter(|&&web| web & set != 0).fold(set, |all, web| all | web);
                if more == set {
                    return set;
                }
                set = more;
            }
        };
        let is_constant = |at: u32| {
            let store = self.accesses.stores[at as usize];
            self.func.constant(self.func.operand(store, 1)).is_some()
        };
        let constants = (0..self.accesses.stores.len().min(MAX_STORES) as u32).filter(|&at| is_constant(at));
        let constants = constants.fold(0u64, |all, at| all | 1 << at);
        let stored_after = |to: &Return, set: u64| {
            let mut stores =
                self.accesses.stores.iter().enumerate().filter(|&(at, _)| set >> at.min(MAX_STORES - 1) & 1 != 0);
            stores.any(|(_, &store)| self.func.inst_block(store).is_some_and(|block| to.after[block]))
        };
        reach.at_returns.iter().zip(self.returns).any(|(&(before, all), to)| {
            let chosen = all == before && before.count_ones() == 2 && before & constants != 0;
            let in_register = all & !constants != 0;
            in_register
                && (!chosen || stored_after(to, before))
                && joined(all).count_ones() > 1
                && self.is_wanted_after(to.call)
        })
    }

    /// Reaching definitions, with jumps from every call to the calls that return twice.
    fn reach(&self) -> Reach {
        let mut ends: SecondaryMap<Block, u64> = SecondaryMap::new();
        let mut reach = Reach { at_returns: vec![(0, 0); self.returns.len()], webs: Vec::new() };
        let mut jumping = vec![0u64; self.returns.len()];
        loop {
            let mut changed = false;
            reach.webs.clear();
            for &block in self.order {
                let mut set = self.cfg.preds(block).iter().fold(0, |all, &pred| all | ends[pred]);
                let mut passed: Option<usize> = None;
                for inst in self.func.block_insts(block) {
                    match self.accesses.of[inst] {
                        0 => {}
                        1 => reach.webs.push(set),
                        store => set = 1 << (store as usize - 2).min(MAX_STORES - 1),
                    }
                    if let Some(at) = self.returns.iter().position(|to| to.call == inst) {
                        passed = Some(at);
                        let all = set | jumping[at];
                        changed |= reach.at_returns[at] != (set, all);
                        reach.at_returns[at] = (set, all);
                        set = all;
                    } else if self.may_jump(inst) {
                        for (at, to) in self.returns.iter().enumerate() {
                            if to.after[block] || to.block == block && passed.is_some_and(|last| last >= at) {
                                changed |= jumping[at] | set != jumping[at];
                                jumping[at] |= set;
                            }
                        }
                    }
                }
                changed |= ends[block] != set;
                ends[block] = set;
            }
            if !changed {
                return reach;
            }
        }
    }

    /// Whether a call may end in `longjmp`.
    fn may_jump(&self, inst: Inst) -> bool {
        // What the C library declares to throw nothing it declares not to jump either.
        let quiet = FnAttrs::CONST | FnAttrs::PURE | FnAttrs::NOTHROW;
        self.func.insts[inst].opcode == Opcode::Call && effects::call_attrs(self.func, self.module, inst).0 & quiet == 0
    }

    /// Whether a load of what the variable is after a second return comes on some way: from the
    /// call on, but where what it returned is compared with 0 only where that is not so. What
    /// ignores the result is taken to know what it does.
    fn is_wanted_after(&self, call: Inst) -> bool {
        let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
        let Some(block) = self.func.inst_block(call) else { return false };
        let end = self.func.terminator(block);
        let mut work = match self.func.view(end) {
            _ if !self.func.has_uses(self.func.first_result(call)) => return false,
            InstView::CondBr { cond, then_dest, else_dest, .. } => match self.is_zero_test(cond, call) {
                Some(if_zero) => {
                    let again = if if_zero { else_dest } else { then_dest };
                    vec![(again, self.func.first_inst(again))]
                }
                None => vec![(block, self.func.next_inst(call))],
            },
            _ => vec![(block, self.func.next_inst(call))],
        };
        while let Some((block, mut next)) = work.pop() {
            let mut goes_on = true;
            while let Some(inst) = next.filter(|_| goes_on) {
                match self.accesses.of[inst] {
                    0 => next = self.func.next_inst(inst),
                    1 => return true,
                    _ => goes_on = false,
                }
            }
            for &succ in self.cfg.succs(block).iter().filter(|_| goes_on) {
                if !std::mem::replace(&mut seen[succ], true) {
                    work.push((succ, self.func.first_inst(succ)));
                }
            }
        }
        false
    }

    /// Whether a condition is that the result of a call is 0 (true) or that it is not (false).
    fn is_zero_test(&self, cond: Value, call: Inst) -> Option<bool> {
        let compare = self.func.def_with(cond, Opcode::ICmp)?;
        let (a, b) = (self.func.operand(compare, 0), self.func.operand(compare, 1));
        if self.func.const_bits(b) != Some(0) {
            return None;
        }
        let equal = self.func.insts[compare].int_cc() == IntCc::Eq;
        if a == self.func.first_result(call) {
            return Some(equal);
        }
        // The comparison of a comparison, as `!` makes it.
        let inner = self.func.def_with(a, Opcode::ZExt).map_or(a, |widened| self.func.operand(widened, 0));
        self.is_zero_test(inner, call).map(|zero| zero != equal)
    }
}
