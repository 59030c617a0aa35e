//! Records of what the variables of `-g` hold once they are no longer in memory: `variable (or some
//! bytes of it) = value`, from a position on.
//!
//! They stand beside the code, in a table keyed by the instruction that they precede: no pass meets
//! them among instructions or uses, so code is the same with and without them. What keeps them true
//! without a pass's help (the idea of LLVM's debug records):
//! - an instruction that leaves its place leaves its records to the next one; whole runs that move
//!   ([`Function::split_insts`]) take them along;
//! - [`Function::replace_all_uses`] forwards records to the new value;
//! - a record whose value is removed names the operand of which that was a linear function
//!   ([`Linear`]); otherwise it says that the variable is unknown from there on, and so does one
//!   that its value does not dominate.
//!
//! `mem2reg` puts a record at each store and at *every* block of the stores' iterated dominance
//! frontier, whether or not it has a phi there. So a block that is bypassed takes no knowledge with
//! it that its successors rely on, unless it dominates them: passes that copy code call
//! [`Function::copy_debug_values`], those that replace code by other code
//! [`Function::forget_debug_values`].

use cranelift_entity::packed_option::PackedOption;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::debug_expression::Gone;
use crate::debug_linear::Linear;
use crate::{Block, Function, Inst, Intrinsic, Opcode, Value};

/// Some bytes of a variable: offset and size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fragment {
    /// First byte.
    pub offset: u32,
    /// How many; at least one.
    pub size: u32,
}

/// What a variable, or a fragment of it, holds from a position on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DebugValue {
    /// Index in [`crate::debug::FunctionDebug::variables`].
    pub variable: u32,
    /// The bytes meant; `None` for the whole variable.
    pub fragment: Option<Fragment>,
    /// Its low bytes, after [`DebugValue::linear`], are the variable's (the value may be wider);
    /// `None` if nobody knows what the variable holds.
    pub value: PackedOption<Value>,
    /// What is done to the value.
    pub linear: Linear,
}

impl DebugValue {
    /// The record with another value.
    pub fn with(self, known: Option<(Value, Linear)>) -> DebugValue {
        let linear = known.map_or(Linear::IDENTITY, |known| known.1);
        DebugValue { value: known.map(|known| known.0).into(), linear, ..self }
    }

    /// The record of a value as it is.
    pub fn new(variable: u32, fragment: Option<Fragment>, value: Option<Value>) -> DebugValue {
        DebugValue { variable, fragment, value: value.into(), linear: Linear::IDENTITY }
    }

    fn same_place(&self, other: &DebugValue) -> bool {
        self.variable == other.variable && self.fragment == other.fragment
    }

    /// Whether the bytes of two records of one variable meet.
    pub fn overlaps(&self, other: &DebugValue) -> bool {
        let apart = |a: Fragment, b: Fragment| a.offset + a.size <= b.offset || b.offset + b.size <= a.offset;
        self.variable == other.variable
            && match (self.fragment, other.fragment) {
                (Some(a), Some(b)) => !apart(a, b),
                _ => true,
            }
    }
}

/// The records of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DebugValues {
    /// By the instruction they precede, in order.
    before: FxHashMap<Inst, Vec<DebugValue>>,
    /// Those at the end of a block that has no terminator for the moment.
    ends: FxHashMap<Block, Vec<DebugValue>>,
    /// What replaced a value, and as which function of it; no cycles.
    replaced: FxHashMap<Value, (Value, Linear)>,
    /// Values that got further definitions in copies of blocks, with the number of the set of these
    /// blocks. Records elsewhere are of no definition until all have been told what reaches them
    /// ([`Function::resolve_debug_values`]) before the pass ends.
    redefined: FxHashMap<Value, u32>,
    /// Blocks that were copied together.
    copied: Vec<FxHashSet<Block>>,
    /// What parameters hold when the function is entered: incoming values.
    arrivals: Vec<DebugValue>,
    /// What computed values that are gone.
    gone: FxHashMap<Value, Gone>,
    /// Values that a record may name, or lead to: a bit each.
    named: Vec<u64>,
}

impl DebugValues {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.before.is_empty() && self.ends.is_empty()
    }

    /// The instructions that have records before them, in order of their numbers.
    pub fn positions(&self) -> Vec<Inst> {
        let mut all: Vec<Inst> = self.before.keys().copied().collect();
        all.sort_unstable();
        all
    }

    fn name(&mut self, value: Value) {
        let at = value.as_u32() as usize;
        if self.named.len() <= at / 64 {
            self.named.resize(at / 64 + 1, 0);
        }
        self.named[at / 64] |= 1 << (at % 64);
    }

    fn is_named(&self, value: Value) -> bool {
        let at = value.as_u32() as usize;
        self.named.get(at / 64).is_some_and(|bits| bits & 1 << (at % 64) != 0)
    }

    pub(crate) fn replacement(&self, value: Value) -> Option<(Value, Linear)> {
        self.replaced.get(&value).copied()
    }

    pub(crate) fn gone(&self, value: Value) -> Option<&Gone> {
        self.gone.get(&value)
    }

    fn replace(&mut self, old: Value, new: Value, linear: Linear) {
        // What is used again is itself again, so that chains end.
        self.replaced.remove(&new);
        self.gone.remove(&new);
        if !self.is_named(old) {
            return;
        }
        self.name(new);
        self.replaced.insert(old, (new, linear));
    }

    /// New numbers for the instructions and values named; what has none is gone. No value counts as
    /// replaced by another any more.
    pub(crate) fn renumber(&mut self, inst: impl Fn(Inst) -> Option<Inst>, value: impl Fn(Value) -> Option<Value>) {
        let renumbered = |mut list: Vec<DebugValue>| {
            for record in &mut list {
                *record = record.with(record.value.expand().and_then(&value).map(|value| (value, record.linear)));
            }
            list
        };
        let before = std::mem::take(&mut self.before).into_iter();
        self.before = before.filter_map(|(at, list)| Some((inst(at)?, renumbered(list)))).collect();
        self.ends = std::mem::take(&mut self.ends).into_iter().map(|(at, list)| (at, renumbered(list))).collect();
        self.arrivals = renumbered(std::mem::take(&mut self.arrivals));
        self.replaced = FxHashMap::default();
        self.gone = FxHashMap::default();
        self.named = Vec::new();
        let lists = self.before.values().chain(self.ends.values()).chain([&self.arrivals]);
        let values: Vec<Value> = lists.flatten().filter_map(|record| record.value.expand()).collect();
        values.into_iter().for_each(|value| self.name(value));
        self.end_redefinitions();
    }

    fn end_redefinitions(&mut self) {
        self.redefined = FxHashMap::default();
        self.copied = Vec::new();
    }

    /// Whether a value in a block is what it was before blocks were copied.
    fn stays(&self, value: Value, block: Option<Block>) -> bool {
        let copied = |&number: &u32| {
            self.copied.get(number as usize).is_some_and(|set| block.is_some_and(|block| set.contains(&block)))
        };
        self.redefined.get(&value).is_none_or(copied)
    }

    /// What a function of a value is now; `None` if that is no linear function, or `stays` refuses
    /// one of the values on the way.
    pub(crate) fn newest(
        &self,
        mut value: Value,
        mut linear: Linear,
        stays: impl Fn(Value) -> bool,
    ) -> Option<(Value, Linear)> {
        while stays(value) {
            let Some(&(next, step)) = self.replaced.get(&value) else { return Some((value, linear)) };
            linear = linear.after(step)?;
            value = next;
        }
        None
    }

    /// Whether a value has become another one, in whatever form.
    fn leads_to(&self, mut value: Value, to: Value) -> bool {
        while let Some(&(next, _)) = self.replaced.get(&value) {
            value = next;
        }
        value == to
    }
}

/// In the place of the number of a set: the blocks of a value were copied more than once.
const MANY: u32 = u32::MAX;

/// Appends records; what they say of the same bytes at the same position takes the place of what
/// was said before.
fn extend(list: &mut Vec<DebugValue>, more: impl IntoIterator<Item = DebugValue>) {
    for record in more {
        list.retain(|r| !r.same_place(&record));
        list.push(record);
    }
}

impl Function {
    fn debug_table(&mut self) -> Option<&mut DebugValues> {
        self.debug.as_mut().map(|debug| &mut debug.values)
    }

    /// Whether any record exists.
    pub fn has_debug_values(&self) -> bool {
        self.debug.as_ref().is_some_and(|debug| !debug.values.is_empty())
    }

    /// The records before an instruction, in order. [`Function::known_debug_value`] says what their
    /// values have become.
    pub fn debug_values(&self, inst: Inst) -> &[DebugValue] {
        self.debug.as_ref().and_then(|debug| debug.values.before.get(&inst)).map_or(&[], |list| list)
    }

    /// Adds a record before an instruction, after those that are there. Nothing happens in a
    /// function without `-g`.
    pub fn add_debug_value(&mut self, before: Inst, record: DebugValue) {
        if let Some(table) = self.debug_table() {
            record.value.expand().into_iter().for_each(|value| table.name(value));
            extend(table.before.entry(before).or_default(), [record]);
        }
    }

    /// Adds a record before an instruction, before all that are there; those of the same bytes
    /// count, then, not this one.
    pub fn begin_with_debug_value(&mut self, before: Inst, record: DebugValue) {
        if let Some(table) = self.debug_table() {
            record.value.expand().into_iter().for_each(|value| table.name(value));
            let list = table.before.entry(before).or_default();
            if !list.iter().any(|r| r.same_place(&record)) {
                list.insert(0, record);
            }
        }
    }

    /// A parameter's variable holds an incoming value when the function is entered.
    pub fn add_debug_arrival(&mut self, record: DebugValue) {
        if let Some(table) = self.debug_table() {
            record.value.expand().into_iter().for_each(|value| table.name(value));
            extend(&mut table.arrivals, [record]);
        }
    }

    /// What the variables of parameters hold at the function's first instruction: parameters of the
    /// function, or constants where every call passes the same.
    pub fn debug_arrivals(&self) -> impl Iterator<Item = (DebugValue, Value)> + '_ {
        let list = self.debug.as_ref().map_or(&[][..], |debug| &debug.values.arrivals);
        list.iter().filter_map(|record| Some((*record, self.arrived(record)?)))
    }

    /// An incoming value is itself, whatever its uses were replaced by, unless it is a constant.
    fn arrived(&self, record: &DebugValue) -> Option<Value> {
        let constant = |known: &(Value, Linear)| known.1.is_identity() && self.constant(known.0).is_some();
        let known = self.known_debug_value(record).filter(constant).map(|known| known.0);
        known.or(record.value.expand())
    }

    /// What the value of a record is now: the value that replaced it, or of which it was a
    /// function, and that function; `None` if it was removed or never had a definition.
    pub fn known_debug_value(&self, record: &DebugValue) -> Option<(Value, Linear)> {
        let known = self.debug.as_ref()?.values.newest(record.value.expand()?, record.linear, |_| true)?;
        self.is_defined(known.0).then_some(known)
    }

    /// The same of a record before `at`, while values may have got second definitions.
    fn known_debug_value_at(&self, record: &DebugValue, at: Inst) -> Option<(Value, Linear)> {
        let values = &self.debug.as_ref()?.values;
        let stays = |value| values.stays(value, self.inst_block(at));
        let known = values.newest(record.value.expand()?, record.linear, stays);
        known.filter(|known| self.is_defined(known.0))
    }

    pub(crate) fn is_defined(&self, value: Value) -> bool {
        match self.def_inst(value) {
            Some(inst) if self.inst_block(inst).is_none_or(|b| !self.block_in_layout(b)) => false,
            Some(inst) => self.insts[inst].opcode != Opcode::Undef,
            None => true,
        }
    }

    /// Records of `old` speak of `new` from here on: its low bytes are `old`.
    pub fn forward_debug_values(&mut self, old: Value, new: Value) {
        self.forward_debug_values_as(old, new, Linear::IDENTITY);
    }

    /// The same where `old` is a function of `new`.
    pub fn forward_debug_values_as(&mut self, old: Value, new: Value, linear: Linear) {
        if let Some(table) = self.debug_table()
            && old != new
        {
            table.replace(old, new, linear);
        }
    }

    /// Puts the records before `from`, with their values mapped, before `to`, which is its copy.
    pub fn copy_debug_values(&mut self, from: Inst, to: Inst, map: impl Fn(Value) -> Value) {
        let records: Vec<DebugValue> = self.debug_values(from).to_vec();
        for mut record in records {
            let block = self.inst_block(from);
            let stays = |value| self.debug.as_ref().is_some_and(|debug| debug.values.stays(value, block));
            let known = self.known_debug_value_at(&record, from).map(|(value, linear)| (map(value), linear));
            let known = known.or_else(|| self.traced_if(&record, stays, |value| map(value) == value));
            record = record.with(known);
            self.add_debug_value(to, record);
        }
    }

    /// Whether a variable holds the same wherever its scope has code.
    pub(crate) fn is_fixed(&self, variable: u32) -> bool {
        let known = self.debug.as_ref().and_then(|debug| debug.variables.get(variable as usize));
        known.and_then(|known| known.inlined).is_some_and(|inlined| inlined.fixed)
    }

    /// The code of `blocks` is done in another way by what comes at `at`: what it recorded is
    /// unknown from there on.
    pub fn forget_debug_values(&mut self, blocks: &[Block], at: Block) {
        if !self.has_debug_values() {
            return;
        }
        let mut list: Vec<DebugValue> = Vec::new();
        for &block in blocks {
            for inst in self.block_insts(block) {
                let forgotten = |r: &DebugValue| if self.is_fixed(r.variable) { *r } else { r.with(None) };
                extend(&mut list, self.debug_values(inst).iter().map(forgotten));
            }
        }
        let Some(first) = self.first_non_phi(at) else { return };
        if let Some(table) = self.debug_table()
            && !list.is_empty()
        {
            let there = table.before.entry(first).or_default();
            let behind = std::mem::replace(there, list);
            extend(there, behind);
        }
    }

    /// A block that only jumps is going to be passed by. What it records of copies of functions is
    /// recorded where its predecessors end, if those are not part of the copies: the other ways
    /// from there come to a copy's code only by its beginning.
    pub fn hoist_debug_values(&mut self, block: Block, preds: &[Block]) {
        let terminator = self.terminator(block);
        if self.debug_values(terminator).is_empty() {
            return;
        }
        let Some(debug) = &self.debug else { return };
        let outside = |site: u32| {
            preds.iter().all(|&pred| {
                let at = debug.position(self.inst_locs[self.terminator(pred)]).1;
                let mut around = std::iter::successors(at, |&at| debug.sites.get(at as usize)?.parent);
                around.all(|at| at != site)
            })
        };
        let entered = |record: &DebugValue| {
            let variable = debug.variables.get(record.variable as usize);
            variable
                .and_then(|variable| variable.inlined)
                .is_some_and(|inlined| !inlined.fixed && outside(inlined.site))
        };
        let (hoisted, kept): (Vec<DebugValue>, Vec<DebugValue>) =
            self.debug_values(terminator).iter().copied().partition(entered);
        for (pred, record) in preds.iter().flat_map(|&pred| hoisted.iter().map(move |&record| (pred, record))) {
            let end = self.terminator(pred);
            self.add_debug_value(end, record);
        }
        if let Some(table) = self.debug_table() {
            table.before.insert(terminator, kept);
        }
    }

    /// Puts records before those that are at their positions.
    pub(crate) fn prepend_debug_values(&mut self, records: Vec<(Inst, DebugValue)>) {
        let Some(table) = self.debug_table() else { return };
        for (inst, record) in records {
            record.value.expand().into_iter().for_each(|value| table.name(value));
            table.before.entry(inst).or_default().insert(0, record);
        }
    }

    /// Makes records unknown whose value does not pass `keep`, which is given the value and the
    /// instruction that the record precedes.
    pub(crate) fn retain_known_debug_values(&mut self, keep: impl Fn(&Function, Value, Inst) -> bool) {
        let Some(mut before) = self.debug_table().map(|table| std::mem::take(&mut table.before)) else { return };
        for (&inst, list) in &mut before {
            for record in list {
                let (block, values) = (self.inst_block(inst), self.debug.as_ref().map(|debug| &debug.values));
                let stays = |value| values.is_some_and(|values| values.stays(value, block));
                *record = record.with(self.traced_if(record, stays, |value| keep(self, value, inst)));
            }
        }
        if let Some(table) = self.debug_table() {
            table.before = before;
        }
        let mut arrivals = self.debug_table().map(|table| std::mem::take(&mut table.arrivals)).unwrap_or_default();
        for record in &mut arrivals {
            *record = record.with(self.arrived(record).map(|value| (value, Linear::IDENTITY)));
        }
        if let Some(table) = self.debug_table() {
            table.arrivals = arrivals;
            table.end_redefinitions();
        }
    }

    /// What the value of a record is now, as [`Function::known_debug_value`] has it, or a value
    /// that is gone but can still be computed.
    pub(crate) fn traced_debug_value(&self, record: &DebugValue) -> Option<(Value, Linear)> {
        self.traced_if(record, |_| true, |_| true)
    }

    /// The same if all values on the way stay, and those that it ends at are kept.
    fn traced_if(
        &self,
        record: &DebugValue,
        stays: impl Fn(Value) -> bool,
        keep: impl Fn(Value) -> bool,
    ) -> Option<(Value, Linear)> {
        let value = record.value.expand()?;
        let kept = self.debug_sources(value, stays)?.into_iter().all(keep);
        let newest = self.debug.as_ref()?.values.newest(value, record.linear, |_| true);
        kept.then_some(newest.unwrap_or((value, record.linear)))
    }

    /// Every record names the value that it has become.
    pub(crate) fn name_newest_debug_values(&mut self) {
        if self.has_debug_values() {
            self.retain_known_debug_values(|_, _, _| true);
        }
    }

    /// Values defined in these blocks get further definitions in copies of them: records of them in
    /// other blocks are of none until [`Function::resolve_debug_values`].
    pub fn redefine_debug_values(&mut self, blocks: impl Iterator<Item = Block> + Clone) {
        if !self.has_debug_values() {
            return;
        }
        let values: Vec<Value> =
            blocks.clone().flat_map(|block| self.block_insts(block)).flat_map(|inst| self.results(inst)).collect();
        if let Some(table) = self.debug_table() {
            let number = table.copied.len() as u32;
            table.copied.push(blocks.collect());
            values
                .into_iter()
                .for_each(|value| _ = table.redefined.entry(value).and_modify(|n| *n = MANY).or_insert(number));
        }
    }

    /// The records that [`Function::redefine_debug_values`] has left without a definition: each
    /// with its instruction, and the value and function of it that it was.
    pub fn redefined_debug_values(&self) -> Vec<(Inst, DebugValue, Value, Linear)> {
        let Some(table) = self.debug.as_ref().map(|debug| &debug.values) else { return Vec::new() };
        let mut out = Vec::new();
        for inst in if table.redefined.is_empty() { Vec::new() } else { table.positions() } {
            for record in &table.before[&inst] {
                let (mut at, mut linear) = (record.value.expand(), Some(record.linear));
                while let (Some(value), Some(known)) = (at, linear) {
                    if !table.stays(value, self.inst_block(inst)) {
                        let once = table.redefined[&value] != MANY;
                        out.extend(once.then_some((inst, *record, value, known)));
                        break;
                    }
                    let next = table.replaced.get(&value);
                    (at, linear) = (next.map(|n| n.0), next.and_then(|n| known.after(n.1)));
                }
            }
        }
        out
    }

    /// Says what some of the records of [`Function::redefined_debug_values`] are; the others become
    /// unknown.
    pub fn resolve_debug_values(&mut self, resolved: &[(Inst, DebugValue, Option<(Value, Linear)>)]) {
        if self.debug.as_ref().is_none_or(|debug| debug.values.redefined.is_empty()) {
            return;
        }
        self.name_newest_debug_values();
        for (inst, record, known) in resolved {
            let Some(table) = self.debug_table() else { return };
            known.iter().for_each(|known| table.name(known.0));
            table
                .before
                .get_mut(inst)
                .into_iter()
                .flatten()
                .filter(|r| r.same_place(record))
                .for_each(|r| *r = r.with(*known));
        }
    }

    /// Forgets all that is known of variables that are not in memory.
    pub fn discard_debug_values(&mut self) {
        if let Some(table) = self.debug_table() {
            *table = DebugValues::default();
        }
    }

    /// An instruction is about to leave its place: its records stay there.
    pub(crate) fn leave_debug_values(&mut self, inst: Inst) {
        let (next, block) = (self.next_inst(inst), self.inst_block(inst));
        let Some(table) = self.debug_table() else { return };
        let Some(mut list) = table.before.remove(&inst) else { return };
        let there = match (next, block) {
            (Some(next), _) => table.before.entry(next).or_default(),
            (None, Some(block)) => table.ends.entry(block).or_default(),
            (None, None) => return,
        };
        extend(&mut list, std::mem::take(there));
        *there = list;
    }

    /// An instruction was put at the end of a block: records that wait there precede it.
    pub(crate) fn claim_debug_values(&mut self, block: Block, inst: Inst) {
        let Some(table) = self.debug_table() else { return };
        if table.ends.is_empty() {
            return;
        }
        if let Some(mut list) = table.ends.remove(&block) {
            let there = table.before.entry(inst).or_default();
            extend(&mut list, std::mem::take(there));
            *there = list;
        }
    }

    /// The records of an instruction precede another one from here on.
    pub fn move_debug_values(&mut self, from: Inst, to: Inst) {
        let list = self.take_debug_values(from);
        self.put_debug_values(to, list);
    }

    /// Takes the records of an instruction that is going to be placed elsewhere with them.
    pub(crate) fn take_debug_values(&mut self, inst: Inst) -> Vec<DebugValue> {
        self.debug_table().and_then(|table| table.before.remove(&inst)).unwrap_or_default()
    }

    /// Puts back what [`Function::take_debug_values`] took.
    pub(crate) fn put_debug_values(&mut self, inst: Inst, list: Vec<DebugValue>) {
        if let Some(table) = self.debug_table()
            && !list.is_empty()
        {
            extend(table.before.entry(inst).or_default(), list);
        }
    }

    /// A block goes, and what its end has recorded.
    pub(crate) fn drop_debug_values(&mut self, block: Block) {
        if let Some(table) = self.debug_table() {
            table.ends.remove(&block);
        }
    }

    /// An instruction goes: the operand of which its result is a linear function stands for it, or
    /// what computed it is kept.
    pub(crate) fn salvage_debug_values(&mut self, inst: Inst) {
        let Some(values) = self.debug.as_ref().map(|debug| &debug.values) else { return };
        let Some(result) = self.result(inst) else { return };
        if !values.is_named(result) || values.replaced.contains_key(&result) {
            return;
        }
        let step = self.linear_step(inst);
        let gone = if step.is_none() { self.gone(inst) } else { None };
        let Some(table) = self.debug_table() else { return };
        match (step, gone) {
            (Some((operand, step)), _) if !table.leads_to(operand, result) => {
                table.name(operand);
                table.replaced.insert(result, (operand, step));
            }
            (None, Some(gone)) => {
                gone.operands().iter().for_each(|&operand| table.name(operand));
                table.gone.insert(result, gone);
            }
            _ => {}
        }
    }

    /// Variables that have no code of their own before the first instruction with code, and are
    /// functions of parameters there.
    pub fn computed_arrivals(&self) -> impl Iterator<Item = (DebugValue, Value, Linear)> + '_ {
        let func = self;
        let is_slot = |inst: &Inst| func.insts[*inst].opcode == Opcode::Alloca;
        let insts = func.block_insts(func.entry());
        let first = insts.skip_while(move |inst| is_slot(inst)).take(1);
        first.flat_map(|inst| func.debug_values(inst)).filter_map(move |record| {
            let (value, linear) = func.known_debug_value(record)?;
            let is_parameter = matches!(func.value_def(value), crate::ValueDef::Param(_));
            is_parameter.then_some((*record, value, linear))
        })
    }

    /// Whether an instruction is the function's first one with code.
    pub fn is_first_code(&self, inst: Inst) -> bool {
        self.inst_block(inst) == Some(self.entry())
            && self.block_insts(self.entry()).find(|&i| !self.is_frame_place(i)) == Some(inst)
    }

    /// Whether an instruction gives an object of the frame, or a place beside the arguments.
    fn is_frame_place(&self, inst: Inst) -> bool {
        match self.insts[inst].opcode {
            Opcode::Alloca => true,
            Opcode::Intrinsic => self.insts[inst].intrinsic() == Intrinsic::DwarfCfa,
            Opcode::PtrAdd => {
                let base = self.def_with(self.operand(inst, 0), Opcode::Intrinsic);
                base.is_some_and(|base| self.is_frame_place(base)) && self.const_i64(self.operand(inst, 1)).is_some()
            }
            _ => false,
        }
    }

    /// The parameter, by index plus one, whose low bytes a value is; 0 if it is none.
    pub fn incoming(&self, mut value: Value) -> u16 {
        loop {
            match self.value_def(value) {
                crate::ValueDef::Param(index) => return u16::try_from(index + 1).unwrap_or(0),
                crate::ValueDef::Result(inst, _) if self.insts[inst].opcode == Opcode::Trunc => {
                    value = self.operand(inst, 0)
                }
                _ => return 0,
            }
        }
    }
}
