//! What `-g` says of a body that is put in the place of a call: its code belongs to a new
//! [`ir::debug::InlineSite`], as do those of its variables of which anything is known. Sites in the
//! body become sites below the new one.

use base::Loc;
use ir::debug::{DebugPart, DebugVariable, InlinedVariable, VariablePlace};
use ir::{DebugValue, Function, Inst, Linear, Value};
use rustc_hash::FxHashMap;

/// The names that one copy of a body has in its caller.
pub struct Description<'a> {
    callee: &'a Function,
    /// The site of this copy; `None` without `-g`.
    site: Option<u32>,
    /// Sites of the callee in the caller.
    sites: FxHashMap<u32, u32>,
    /// Variables of the callee in the caller.
    variables: FxHashMap<u32, u32>,
    /// Where the previous instruction comes from, in the callee and in the caller.
    last: (Loc, Loc),
    /// Instructions of the callee with records, and the copies that these precede.
    recorded: Vec<(Inst, Inst)>,
    /// Those whose copy is made next.
    waiting: Vec<Inst>,
}

impl<'a> Description<'a> {
    /// For the copy of `callee` that takes the place of `call`.
    pub fn new(caller: &mut Function, call: Inst, callee: &'a Function) -> Description<'a> {
        let at = caller.inst_locs[call];
        let site = match (&mut caller.debug, &callee.debug) {
            (Some(debug), Some(_)) => Some(debug.add_site(callee.symbol, at)),
            _ => None,
        };
        Description {
            callee,
            site,
            sites: FxHashMap::default(),
            variables: FxHashMap::default(),
            last: (Loc::NONE, Loc::NONE),
            recorded: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// An instruction of the callee that gets no copy in its block.
    pub fn skip(&mut self, inst: Inst) {
        if self.site.is_some() && !self.callee.debug_values(inst).is_empty() {
            self.waiting.push(inst);
        }
    }

    /// An instruction and its copy.
    pub fn copied(&mut self, caller: &mut Function, inst: Inst, copy: Inst) {
        let Some(site) = self.site else { return };
        let loc = self.callee.inst_locs[inst];
        if loc != self.last.0 {
            self.last = (loc, self.location(caller, loc, site));
        }
        caller.inst_locs[copy] = self.last.1;
        self.skip(inst);
        self.recorded.extend(self.waiting.drain(..).map(|inst| (inst, copy)));
    }

    fn location(&mut self, caller: &mut Function, loc: Loc, site: u32) -> Loc {
        if loc.is_none() {
            return loc;
        }
        let (position, inner) = self.callee.position(loc);
        let site = inner.map_or(site, |inner| self.site(caller, inner));
        caller.debug.as_mut().map_or(position, |debug| debug.location(position, site))
    }

    /// The caller's site for one of the callee's, with those around it.
    fn site(&mut self, caller: &mut Function, inner: u32) -> u32 {
        let (Some(from), Some(to)) = (&self.callee.debug, &mut caller.debug) else { return inner };
        let mut missing = Vec::new();
        let mut at = Some(inner);
        while let Some(site) = at.filter(|site| !self.sites.contains_key(site)) {
            missing.push(site);
            at = from.sites[site as usize].parent;
        }
        for &site in missing.iter().rev() {
            let mut copy = from.sites[site as usize];
            copy.parent = copy.parent.map(|parent| self.sites[&parent]).or(self.site);
            to.sites.push(copy);
            self.sites.insert(site, to.sites.len() as u32 - 1);
        }
        self.sites[&inner]
    }

    /// The caller's variable for one of the callee's.
    fn variable(&mut self, caller: &mut Function, variable: u32) -> Option<u32> {
        if let Some(&known) = self.variables.get(&variable) {
            return Some(known);
        }
        let known = self.callee.debug.as_ref()?.variables.get(variable as usize)?;
        let inlined = match known.inlined {
            Some(inner) => InlinedVariable { site: self.site(caller, inner.site), ..inner },
            None => InlinedVariable { site: self.site?, origin: variable, fixed: false },
        };
        let to = &mut caller.debug.as_mut()?.variables;
        let new = to.len() as u32;
        to.push(DebugVariable { place: VariablePlace::Elsewhere, inlined: Some(inlined), ..known.clone() });
        self.variables.insert(variable, new);
        Some(new)
    }

    /// When all is copied: the variables and what is recorded of them. `map` gives the caller's
    /// value for one of the callee's; `first` is the first instruction of the copy.
    pub fn finish(
        &mut self,
        caller: &mut Function,
        first: Inst,
        map: &mut dyn FnMut(&mut Function, Value) -> Option<Value>,
    ) {
        let callee = self.callee;
        let Some(debug) = callee.debug.as_ref().filter(|_| self.site.is_some()) else { return };
        for (index, variable) in debug.variables.iter().enumerate() {
            let place = match variable.place {
                VariablePlace::Alloca(inst) => slot(caller, callee, inst, map).map(VariablePlace::Alloca),
                VariablePlace::Within(inst, offset) => {
                    slot(caller, callee, inst, map).map(|inst| VariablePlace::Within(inst, offset))
                }
                VariablePlace::Parameter(index) => {
                    let param = callee.params().get(index as usize).and_then(|&param| map(caller, param));
                    param.and_then(|value| alloca_of(caller, value)).map(VariablePlace::Alloca)
                }
                VariablePlace::Elsewhere => None,
            };
            if let Some(place) = place
                && let Some(new) = self.variable(caller, index as u32)
                && let Some(debug) = &mut caller.debug
            {
                debug.variables[new as usize].place = place;
            }
        }
        for part in &debug.parts {
            if let Some(alloca) = slot(caller, callee, part.alloca, map)
                && let Some(variable) = self.variable(caller, part.variable)
                && let Some(debug) = &mut caller.debug
            {
                debug.parts.push(DebugPart { alloca, variable, ..*part });
            }
        }
        let mut fixed: FxHashMap<u32, Value> = callee.debug_arrivals().map(|(r, value)| (r.variable, value)).collect();
        for (inst, copy) in std::mem::take(&mut self.recorded) {
            for record in callee.debug_values(inst) {
                let known = callee.known_debug_value(record);
                if known != fixed.get(&record.variable).map(|&value| (value, Linear::IDENTITY)) {
                    fixed.remove(&record.variable);
                }
                let known = known.and_then(|(value, l)| Some((map(caller, value)?, l)));
                if let Some(variable) = self.variable(caller, record.variable) {
                    caller.add_debug_value(copy, DebugValue { variable, ..record.with(known) });
                }
            }
        }
        for (record, value) in callee.debug_arrivals() {
            let value = map(caller, value);
            if let Some(variable) = self.variable(caller, record.variable) {
                caller.begin_with_debug_value(first, DebugValue { variable, value: value.into(), ..record });
                let variable = caller.debug.as_mut().and_then(|debug| debug.variables.get_mut(variable as usize));
                let inlined = variable.and_then(|variable| variable.inlined.as_mut());
                inlined.into_iter().for_each(|inlined| inlined.fixed |= fixed.contains_key(&record.variable));
            }
        }
    }
}

/// The copy of a slot of the callee.
fn slot(
    caller: &mut Function,
    callee: &Function,
    alloca: Inst,
    map: &mut dyn FnMut(&mut Function, Value) -> Option<Value>,
) -> Option<Inst> {
    callee.inst_block(alloca)?;
    let value = map(caller, callee.result(alloca)?)?;
    alloca_of(caller, value)
}

fn alloca_of(func: &Function, value: Value) -> Option<Inst> {
    func.def_inst(value).filter(|&inst| func.insts[inst].opcode == ir::Opcode::Alloca)
}
