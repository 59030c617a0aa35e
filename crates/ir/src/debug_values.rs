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

use crate::debug_linear::Linear;
use crate::{Block, Function, Inst, Opcode, Value};

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
    /// Values that got a second definition in a copy of their block, which is named. Records in
    /// other blocks are of neither definition; they are made unknown in one go
    /// ([`Function::retain_known_debug_values`]) before the pass ends.
    redefined: FxHashMap<Value, Block>,
    /// What parameters hold when the function is entered: incoming values.
    arrivals: Vec<DebugValue>,
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

    fn replace(&mut self, old: Value, new: Value) {
        // What is used again is itself again, so that chains end.
        self.replaced.remove(&new);
        self.replaced.insert(old, (new, Linear::IDENTITY));
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
        self.redefined = FxHashMap::default();
    }

    /// What a function of a value is now; `None` if that is no linear function, or `stays` refuses
    /// one of the values on the way.
    fn newest(&self, mut value: Value, mut linear: Linear, stays: impl Fn(Value) -> bool) -> Option<(Value, Linear)> {
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
            extend(table.before.entry(before).or_default(), [record]);
        }
    }

    /// Adds a record before an instruction, before all that are there; those of the same bytes
    /// count, then, not this one.
    pub fn begin_with_debug_value(&mut self, before: Inst, record: DebugValue) {
        if let Some(table) = self.debug_table() {
            let list = table.before.entry(before).or_default();
            if !list.iter().any(|r| r.same_place(&record)) {
                list.insert(0, record);
            }
        }
    }

    /// A parameter's variable holds an incoming value when the function is entered.
    pub fn add_debug_arrival(&mut self, record: DebugValue) {
        if let Some(table) = self.debug_table() {
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
        if values.redefined.is_empty() {
            return self.known_debug_value(record);
        }
        let stays = |value| {
            values.redefined.get(&value).is_none_or(|&block| {
                let now = self.def_inst(value).and_then(|definition| self.inst_block(definition));
                self.inst_block(at) == Some(now.unwrap_or(block))
            })
        };
        let known = values.newest(record.value.expand()?, record.linear, stays)?;
        self.is_defined(known.0).then_some(known)
    }

    fn is_defined(&self, value: Value) -> bool {
        match self.def_inst(value) {
            Some(inst) if self.inst_block(inst).is_none_or(|b| !self.block_in_layout(b)) => false,
            Some(inst) => self.insts[inst].opcode != Opcode::Undef,
            None => true,
        }
    }

    /// Records of `old` speak of `new` from here on: its low bytes are `old`.
    pub fn forward_debug_values(&mut self, old: Value, new: Value) {
        if let Some(table) = self.debug_table()
            && old != new
        {
            table.replace(old, new);
        }
    }

    /// Puts the records before `from`, with their values mapped, before `to`, which is its copy.
    pub fn copy_debug_values(&mut self, from: Inst, to: Inst, map: impl Fn(Value) -> Value) {
        let records: Vec<DebugValue> = self.debug_values(from).to_vec();
        for mut record in records {
            let known = self.known_debug_value_at(&record, from).map(|(value, linear)| (map(value), linear));
            record = record.with(known);
            self.add_debug_value(to, record);
        }
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
                extend(&mut list, self.debug_values(inst).iter().map(|r| r.with(None)));
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

    /// Puts records before those that are at their positions.
    pub(crate) fn prepend_debug_values(&mut self, records: Vec<(Inst, DebugValue)>) {
        let Some(table) = self.debug_table() else { return };
        for (inst, record) in records {
            table.before.entry(inst).or_default().insert(0, record);
        }
    }

    /// Makes records unknown whose value does not pass `keep`, which is given the value and the
    /// instruction that the record precedes.
    pub(crate) fn retain_known_debug_values(&mut self, keep: impl Fn(&Function, Value, Inst) -> bool) {
        let Some(mut before) = self.debug_table().map(|table| std::mem::take(&mut table.before)) else { return };
        for (&inst, list) in &mut before {
            for record in list {
                *record =
                    record.with(self.known_debug_value_at(record, inst).filter(|known| keep(self, known.0, inst)));
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
            table.redefined = FxHashMap::default();
        }
    }

    /// Every record names the value that it has become.
    pub(crate) fn name_newest_debug_values(&mut self) {
        if self.has_debug_values() {
            self.retain_known_debug_values(|_, _, _| true);
        }
    }

    /// Values defined in a block get a second definition in a copy of it: records of them in other
    /// blocks would go with whatever replaces one of the definitions, and become unknown.
    pub fn redefine_debug_values(&mut self, block: Block) {
        if !self.has_debug_values() {
            return;
        }
        let values: Vec<Value> = self.block_insts(block).flat_map(|inst| self.results(inst)).collect();
        if let Some(table) = self.debug_table() {
            table.redefined.extend(values.into_iter().map(|value| (value, block)));
        }
    }

    /// The same for a region of blocks that is copied as a whole: records in the region stay.
    pub fn redefine_debug_values_of_region(&mut self, blocks: &FxHashSet<Block>) {
        if self.has_debug_values() {
            self.retain_known_debug_values(|func, value, at| {
                let contains = |inst| func.inst_block(inst).is_some_and(|block| blocks.contains(&block));
                !func.def_inst(value).is_some_and(contains) || contains(at)
            });
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

    /// An instruction goes: the operand of which its result is a linear function stands for it.
    pub(crate) fn salvage_debug_values(&mut self, inst: Inst) {
        if self.debug.is_none() {
            return;
        }
        if let Some(result) = self.result(inst)
            && let Some((operand, step)) = self.linear_step(inst)
            && let Some(table) = self.debug_table()
            && !table.replaced.contains_key(&result)
            && !table.leads_to(operand, result)
        {
            table.replaced.insert(result, (operand, step));
        }
    }
}
