//! Carries the records of variables from IR instructions to machine instructions
//! ([`crate::debug_values`]).

use ir::analysis::Cfg;
use ir::{Block, DebugValue, Function, Inst, Linear, Opcode, Type, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Ctx;
use crate::abi::ParamPlace;
use crate::machine::{Arrival, ArrivalPlace, Held, MachineRecord};

/// Instructions that a value is followed through to one that has a register.
const MAX_STEPS: usize = 8;

/// Blocks that liveness of members of phi classes may look at in one function.
const MAX_WORK: usize = 1_000_000;

/// What precedes an instruction that has just been selected is recorded before its code.
pub fn mark(cx: &mut Ctx, inst: Inst) {
    if cx.func.debug.is_some() && !cx.func.debug_values(inst).is_empty() {
        let at = cx.rev.len() as u32;
        cx.debug_marks.push((at, inst));
    }
}

/// Turns records into those of machine code, when all values have their registers.
pub struct Records {
    liveness: Liveness,
    /// Variables that are in memory all the time.
    in_memory: FxHashSet<u32>,
}

impl Records {
    /// For a function.
    pub fn new(func: &Function) -> Records {
        let debug = func.debug.as_ref();
        let placed =
            debug.iter().flat_map(|d| d.in_allocas()).filter(|p| p.2.is_none() && func.inst_block(p.0).is_some());
        let in_memory = placed.map(|p| p.1).collect();
        Records { liveness: Liveness { live_in: FxHashMap::default(), work: 0 }, in_memory }
    }

    /// Those before an IR instruction, which machine instruction `at` begins.
    pub fn add(&mut self, cx: &Ctx, inst: Inst, at: u32, out: &mut Vec<MachineRecord>) {
        for record in cx.func.debug_values(inst) {
            if !self.in_memory.contains(&record.variable) {
                let found = self.found(cx, record, inst);
                let (variable, fragment) = (record.variable, record.fragment);
                let Some((value, linear, held)) = found else {
                    let unknown = (Held::Unknown, Linear::IDENTITY);
                    out.push(MachineRecord {
                        at,
                        variable,
                        fragment,
                        held: unknown.0,
                        linear: unknown.1,
                        bytes: 0,
                        incoming: 0,
                    });
                    continue;
                };
                let (incoming, bytes) =
                    (incoming(cx.func, value), cx.func.value_type(value).store_size().min(16) as u8);
                out.push(MachineRecord { at, variable, fragment, held, linear, bytes, incoming });
            }
        }
    }

    /// Where the variables of parameters are at entry.
    pub fn arrivals(&self, cx: &Ctx) -> Vec<Arrival> {
        let func = cx.func;
        let place = |value: Value| match func.value_def(value) {
            ValueDef::Const(_) => Some(ArrivalPlace::Constant(value)),
            ValueDef::Param(index) => match *cx.layout.params.get(index as usize)? {
                ParamPlace::Reg(reg) if func.value_type(value).store_size() <= 16 => Some(ArrivalPlace::Register(reg)),
                ParamPlace::Stack { offset } => i32::try_from(offset).ok().map(ArrivalPlace::Stack),
                _ => None,
            },
            ValueDef::Result(..) => None,
        };
        let arrive = func.debug_arrivals().map(|(record, value)| (record, value, Linear::IDENTITY));
        let all = arrive.chain(computed_from_arrivals(func));
        all.filter(|(record, ..)| !self.in_memory.contains(&record.variable))
            .filter_map(|(DebugValue { variable, fragment, .. }, value, linear)| {
                let bytes = func.value_type(value).store_size().min(16) as u8;
                let (place, incoming) = (place(value)?, incoming(func, value));
                Some(Arrival { variable, fragment, place, incoming, bytes, linear })
            })
            .collect()
    }

    /// The value whose function a record's variable is, and where that value is: the record's own
    /// or, where that is computed as part of other instructions only, one that it is made from.
    fn found(&mut self, cx: &Ctx, record: &DebugValue, before: Inst) -> Option<(Value, Linear, Held)> {
        let func = cx.func;
        let (mut value, mut linear) = func.known_debug_value(record)?;
        for _ in 0..MAX_STEPS {
            let held = self.held(cx, value, before);
            if held != Held::Unknown || (incoming(func, value) != 0 && func.def_inst(value).is_none()) {
                return Some((value, linear, held));
            }
            if cx.phis.class(value).is_some() || cx.register_given(value).is_some() {
                break;
            }
            let (operand, step) = func.def_inst(value).and_then(|inst| func.linear_step(inst))?;
            linear = linear.after(step)?;
            value = operand;
        }
        Some((value, linear, Held::Unknown))
    }

    fn held(&mut self, cx: &Ctx, value: Value, before: Inst) -> Held {
        let func = cx.func;
        if func.constant(value).is_some() {
            return Held::Constant(value);
        }
        let ty = func.value_type(value);
        if ty == Type::I128 || ty == Type::F80 || ty.store_size() > 16 {
            return Held::Unknown;
        }
        let known = |reg: Option<_>| reg.map_or(Held::Unknown, Held::Register);
        if cx.phis.class(value).is_some() {
            // The register is that of all members: it holds this one while it is live.
            let live = self.liveness.is_live(func, cx.cfg, value, before);
            return if live { known(cx.register_given(value)) } else { Held::Unknown };
        }
        known(cx.register_given(value))
    }
}

/// Variables that have no code of their own before the function's first instruction with code, and
/// are functions of parameters there.
fn computed_from_arrivals(func: &Function) -> impl Iterator<Item = (DebugValue, Value, Linear)> + '_ {
    let is_slot = |inst: &Inst| func.insts[*inst].opcode == Opcode::Alloca;
    let insts = func.block_insts(func.entry());
    let first = insts.skip_while(move |inst| is_slot(inst)).take(1);
    first.flat_map(|inst| func.debug_values(inst)).filter_map(move |record| {
        let (value, linear) = func.known_debug_value(record)?;
        let is_parameter = matches!(func.value_def(value), ValueDef::Param(_));
        (is_parameter && !linear.is_identity()).then_some((*record, value, linear))
    })
}

/// The parameter, by index plus one, whose low bytes a value is; 0 if it is none.
fn incoming(func: &Function, mut value: Value) -> u16 {
    loop {
        match func.value_def(value) {
            ValueDef::Param(index) => return u16::try_from(index + 1).unwrap_or(0),
            ValueDef::Result(inst, _) if func.insts[inst].opcode == Opcode::Trunc => value = func.operand(inst, 0),
            _ => return 0,
        }
    }
}

/// Where values are live, found from their uses when asked for.
struct Liveness {
    /// Blocks at whose start a value is live.
    live_in: FxHashMap<Value, FxHashSet<Block>>,
    work: usize,
}

impl Liveness {
    /// Whether a value is defined before an instruction and used at it or later.
    fn is_live(&mut self, func: &Function, cfg: &Cfg, value: Value, at: Inst) -> bool {
        if !func.has_use_lists() || self.work > MAX_WORK {
            return false;
        }
        let block = func.inst_block(at).expect("placed");
        let definition = func.def_inst(value);
        let defined_here = definition.is_some_and(|d| func.inst_block(d) == Some(block));
        if !self.live_in.contains_key(&value) {
            let blocks = self.compute(func, cfg, value);
            self.live_in.insert(value, blocks);
        }
        let live_in = &self.live_in[&value];
        if definition.is_none() && block == func.entry() {
            // A parameter.
        } else if defined_here {
            // After the definition?
            let mut before = func.prev_inst(at);
            while before.is_some() && before != definition {
                before = before.and_then(|i| func.prev_inst(i));
            }
            if before.is_none() {
                return false;
            }
        } else if !live_in.contains(&block) {
            return false;
        }
        let mut next = Some(at);
        while let Some(inst) = next {
            if func.insts[inst].opcode != Opcode::Phi && func.operands(inst).any(|v| v == value) {
                return true;
            }
            next = func.next_inst(inst);
        }
        let mut live_out = false;
        func.for_each_target(func.terminator(block), |target| {
            live_out |= live_in.contains(&target) || func.phis(target).any(|p| func.phi_value(p, block) == Some(value));
        });
        live_out
    }

    fn compute(&mut self, func: &Function, cfg: &Cfg, value: Value) -> FxHashSet<Block> {
        let mut live: FxHashSet<Block> = FxHashSet::default();
        let home = func.def_inst(value).and_then(|d| func.inst_block(d)).unwrap_or(func.entry());
        let mut work: Vec<Block> = Vec::new();
        for (user, index) in func.uses(value) {
            let block = match func.insts[user].opcode {
                Opcode::Phi => Some(func.phi_block(user, index)),
                _ => func.inst_block(user),
            };
            work.extend(block.filter(|&b| func.block_in_layout(b)));
        }
        while let Some(block) = work.pop() {
            if block == home || self.work > MAX_WORK || !live.insert(block) {
                continue;
            }
            self.work += 1;
            work.extend(cfg.preds(block));
        }
        live
    }
}
