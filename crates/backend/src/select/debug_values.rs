//! Carries the records of variables from IR instructions to machine instructions
//! ([`crate::debug_values`]).

use ir::analysis::Liveness;
use ir::{DebugSteps, DebugValue, Fragment, Function, Inst, Linear, Opcode, Type, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Ctx;
use crate::machine::{Arrival, ArrivalPlace, Computed, Held, MachineFunction, MachineRecord, Source};
use ir::abi::ParamPlace;

/// Instructions that a value is followed through to one that has a register.
const MAX_STEPS: usize = 8;

/// What precedes an instruction that has just been selected is recorded before its code.
pub fn mark(cx: &mut Ctx, inst: Inst) {
    if cx.func.debug.is_some() && !cx.func.debug_values(inst).is_empty() {
        let at = cx.rev.len() as u32;
        cx.debug_marks.push((at, inst));
    }
}

/// The variable, its bytes, and which of the values it is computed from; or [`u32::MAX`] and the
/// index of a parameter plus one.
type PartKey = (u32, Option<Fragment>, usize);

/// Turns records into those of machine code, when all values have their registers.
pub struct Records {
    liveness: Liveness,
    /// Variables that are in memory all the time.
    in_memory: FxHashSet<u32>,
    /// Numbers of what variables are computed from, by variable and order.
    parts: FxHashMap<PartKey, u32>,
    known: FxHashMap<Computed, u32>,
}

impl Records {
    /// For a function.
    pub fn new(func: &Function) -> Records {
        let debug = func.debug.as_ref();
        let placed =
            debug.iter().flat_map(|d| d.in_allocas()).filter(|p| p.2.is_none() && func.inst_block(p.0).is_some());
        let in_memory = placed.map(|p| p.1).collect();
        let liveness = Liveness::default();
        Records { liveness, in_memory, parts: FxHashMap::default(), known: FxHashMap::default() }
    }

    /// Those before an IR instruction, whose code comes next.
    pub fn add(&mut self, cx: &Ctx, inst: Inst, out: &mut MachineFunction) {
        let at = out.insts.len() as u32;
        let added = out.debug_values.len();
        for record in cx.func.debug_values(inst) {
            if self.in_memory.contains(&record.variable) {
                continue;
            }
            let (variable, fragment) = (record.variable, record.fragment);
            let unknown = MachineRecord {
                at,
                variable,
                fragment,
                held: Held::Unknown,
                linear: Linear::IDENTITY,
                bytes: 0,
                incoming: 0,
                computed: 0,
            };
            let found = self.found(cx, record, inst).map_or(unknown, |(value, linear, held)| {
                let bytes = cx.func.value_type(value).store_size().min(16) as u8;
                MachineRecord { held, linear, bytes, incoming: cx.func.incoming(value), ..unknown }
            });
            let computed = self.computed(cx, (record, inst), &found, out).unwrap_or(0);
            out.debug_values.push(MachineRecord { computed, ..found });
        }
        let (before, added) = out.debug_values.split_at_mut(added);
        if cx.func.is_first_code(inst) && before.iter().all(|record| record.at == 0) {
            // What needs no register is true before arguments are put into theirs, and what needs
            // no frame is when the function is entered.
            for record in added.iter_mut().filter(|record| !matches!(record.held, Held::Register(_))) {
                record.at = 0;
                let MachineRecord { variable, fragment, bytes, linear, incoming, .. } = *record;
                if let Held::Constant(value) = record.held
                    && cx.func.def_with(value, Opcode::Alloca).is_none()
                {
                    let place = ArrivalPlace::Constant(value);
                    out.arrivals.push(Arrival { variable, fragment, place, incoming, bytes, linear });
                }
            }
            added.sort_by_key(|record| record.at);
        }
    }

    /// The number of something that variables are computed from, and whether it is new.
    fn part(&mut self, func: &Function, key: PartKey, out: &mut MachineFunction) -> Option<(u32, bool)> {
        let next = (func.debug.as_ref()?.variables.len() + out.parts.len()) as u32;
        let part = *self.parts.entry(key).or_insert(next);
        if part == next {
            out.parts.push(key.0);
        }
        Some((part, part == next))
    }

    /// The number of a parameter of the function as it came.
    fn parameter(&mut self, cx: &Ctx, value: Value, out: &mut MachineFunction) -> Option<u32> {
        let (place, incoming) = (arrival_place(cx, value)?, cx.func.incoming(value));
        let (variable, new) = self.part(cx.func, (u32::MAX, None, incoming.into()), out)?;
        if new {
            let (linear, bytes) = (Linear::IDENTITY, cx.func.value_type(value).store_size().min(16) as u8);
            out.arrivals.push(Arrival { variable, fragment: None, place, incoming, bytes, linear });
        }
        Some(variable)
    }

    /// How a variable is computed if nothing holds it; records of what it is computed from come
    /// first. One that is held may be computed from parameters once it is not.
    fn computed(
        &mut self,
        cx: &Ctx,
        (record, before): (&DebugValue, Inst),
        found: &MachineRecord,
        out: &mut MachineFunction,
    ) -> Option<u32> {
        let (func, unheld) = (cx.func, found.held == Held::Unknown);
        if (found.incoming != 0 && !unheld) || matches!(found.held, Held::Constant(_)) {
            return None;
        }
        let whole = (record.value.expand()?, record.linear);
        let mut sources: Vec<(Value, Held)> = Vec::new();
        // What is live, or else what instructions with other operands in theirs may keep longer.
        let DebugSteps { steps, reads } = [true, false].into_iter().find_map(|strict| {
            sources.clear();
            func.debug_steps(whole, before, |value| {
                if cx.is_frame_address(value) {
                    return true;
                }
                let given = if unheld { self.held(cx, value, before) } else { Held::Unknown };
                let is_known =
                    given != Held::Unknown && (!strict || self.liveness.is_live(func, cx.cfg, value, before));
                let held = if is_known { given } else { Held::Unknown };
                if held == Held::Unknown && func.incoming(value) == 0 {
                    return false;
                }
                if !sources.iter().any(|s| s.0 == value) {
                    sources.push((value, held));
                }
                true
            })
        })?;
        let mut parts: Vec<(Value, u32)> = Vec::new();
        for (index, &(value, held)) in sources.iter().enumerate() {
            let part = match held {
                Held::Unknown => self.parameter(cx, func.params()[usize::from(func.incoming(value)) - 1], out)?,
                held => {
                    let (variable, _) = self.part(func, (found.variable, found.fragment, index), out)?;
                    let (linear, bytes) = (Linear::IDENTITY, func.value_type(value).store_size() as u8);
                    out.debug_values.push(MachineRecord { variable, fragment: None, held, linear, bytes, ..*found });
                    variable
                }
            };
            parts.push((value, part));
        }
        let source = |&value: &Value| {
            let part = parts.iter().find(|part| part.0 == value);
            Some(part.map_or(Source::Constant(value), |part| Source::Part(part.1)))
        };
        let steps = steps.iter().filter_map(|step| step.placed(source)).collect();
        let next = out.computed.len() as u32 + 1;
        Some(*self.known.entry(Computed { steps, reads }).or_insert_with_key(|computed| {
            out.computed.push(computed.clone());
            next
        }))
    }

    /// Where the variables of parameters are at entry.
    pub fn arrivals(&self, cx: &Ctx) -> Vec<Arrival> {
        let func = cx.func;
        let arrive = func.debug_arrivals().map(|(record, value)| (record, value, Linear::IDENTITY));
        let all = arrive.chain(func.computed_arrivals());
        all.filter(|(record, ..)| !self.in_memory.contains(&record.variable))
            .filter_map(|(DebugValue { variable, fragment, .. }, value, linear)| {
                let bytes = func.value_type(value).store_size().min(16) as u8;
                let (place, incoming) = (arrival_place(cx, value)?, func.incoming(value));
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
            if held != Held::Unknown || (func.incoming(value) != 0 && func.def_inst(value).is_none()) {
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
        if func.constant(value).is_some() || cx.is_frame_address(value) {
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

fn arrival_place(cx: &Ctx, value: Value) -> Option<ArrivalPlace> {
    match cx.func.value_def(value) {
        ValueDef::Const(_) => Some(ArrivalPlace::Constant(value)),
        ValueDef::Param(index) => match *cx.layout.params.get(index as usize)? {
            ParamPlace::Reg(reg) if cx.func.value_type(value).store_size() <= 16 => Some(ArrivalPlace::Register(reg)),
            ParamPlace::Stack { offset } => i32::try_from(offset).ok().map(ArrivalPlace::Stack),
            _ => None,
        },
        ValueDef::Result(..) => None,
    }
}
